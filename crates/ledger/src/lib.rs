//! The ledger: what the literature says of these games, as data, never as code.
//!
//! The claims lie in tests/theorems/*.toml, one `[[claim]]` each. No engine reads them to find an answer: they are
//! what answers are held against.

mod claim;
mod pattern;

pub use claim::{Claim, LedgerError};
pub use pattern::Pattern;

/// The files of the ledger, embedded.
const FILES: &[(&str, &str)] = &[
    ("cash.toml", include_str!("../../../tests/theorems/cash.toml")),
    ("cash-forms.toml", include_str!("../../../tests/theorems/cash-forms.toml")),
    ("circular.toml", include_str!("../../../tests/theorems/circular.toml")),
    ("found.toml", include_str!("../../../tests/theorems/found.toml")),
    ("kotzig.toml", include_str!("../../../tests/theorems/kotzig.toml")),
    ("michon.toml", include_str!("../../../tests/theorems/michon.toml")),
    ("sentences.toml", include_str!("../../../tests/theorems/sentences.toml")),
    ("shrinking.toml", include_str!("../../../tests/theorems/shrinking.toml")),
];

/// Wrong claims made up as controls.
const CONTROLS: &str = include_str!("../../../tests/theorems/controls.toml");

/// Every claim, in the order of the files.
pub fn claims() -> Result<Vec<Claim>, LedgerError> {
    let mut all = Vec::new();
    for (file, text) in FILES {
        all.extend(claim::read(file, text)?);
    }
    Ok(all)
}

/// Claims that nobody makes, known to be wrong: whoever settles claims has to refute these.
pub fn controls() -> Result<Vec<Claim>, LedgerError> {
    claim::read("controls.toml", CONTROLS)
}

/// The claims that speak of a game, by its name in normal form.
pub fn claims_about(game: &str) -> Result<Vec<Claim>, LedgerError> {
    let mut about = Vec::new();
    for claim in claims()? {
        if claim.speaks_of(game)? {
            about.push(claim);
        }
    }
    Ok(about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_can_be_read_and_has_its_own_id() {
        let mut claims = claims().unwrap();
        claims.extend(controls().unwrap());
        for claim in &claims {
            claim.speaks_of("CN(5,2)").unwrap();
            let same = claims.iter().filter(|other| other.id == claim.id && other.game == claim.game);
            assert_eq!(same.count(), 1, "{} {}", claim.id, claim.game);
        }
    }
}
