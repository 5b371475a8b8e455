//! The claims of the literature about these games, as data, never as code, and what this
//! program found of it.
//!
//! The claims lie in data/*.toml, one `[[claim]]` each, published tables in data/tables, recorded
//! verdicts in data/verdicts.toml. No engine reads them to find an answer: they are what answers
//! are compared with.

mod circles;
mod literature;
mod pattern;
mod read;
mod verdicts;

pub use circles::circles;
pub use literature::{ClaimOutcome, LiteratureError, PublishedGame, literature, published_game};
pub use pattern::Pattern;
pub use read::ClaimDataError;
pub use verdicts::{
    Recorded, RecordedVerdict, VerdictComparison, literature_verdicts_text, verdicts_text,
};

use bouton_core::Formula;
use bouton_study::{
    ClaimStatement, Form, PublishedClaim, RecordedClaim, RecordedTheorem, TheoremSubject, Theorems,
    ValuePlace, VerdictKind, value_claim,
};

/// The files of claims, embedded.
const FILES: &[(&str, &str)] = &[
    ("cash.toml", include_str!("../data/cash.toml")),
    ("cash-families.toml", include_str!("../data/cash-families.toml")),
    ("cash-forms.toml", include_str!("../data/cash-forms.toml")),
    ("circular.toml", include_str!("../data/circular.toml")),
    ("found.toml", include_str!("../data/found.toml")),
    ("kotzig.toml", include_str!("../data/kotzig.toml")),
    ("michon.toml", include_str!("../data/michon.toml")),
    ("sentences.toml", include_str!("../data/sentences.toml")),
    ("shrinking.toml", include_str!("../data/shrinking.toml")),
];

/// Published tables, embedded: each entry belongs to a row of the claims.
const TABLES: &[(&str, &str)] = &[
    ("tables/cash.toml", include_str!("../data/tables/cash.toml")),
    ("tables/circular.toml", include_str!("../data/tables/circular.toml")),
    ("tables/dots.toml", include_str!("../data/tables/dots.toml")),
    ("tables/grundy.toml", include_str!("../data/tables/grundy.toml")),
    ("tables/kayles.toml", include_str!("../data/tables/kayles.toml")),
    ("tables/kotzig.toml", include_str!("../data/tables/kotzig.toml")),
    ("tables/moore.toml", include_str!("../data/tables/moore.toml")),
    ("tables/nim.toml", include_str!("../data/tables/nim.toml")),
    ("tables/shrinking.toml", include_str!("../data/tables/shrinking.toml")),
    ("tables/wythoff.toml", include_str!("../data/tables/wythoff.toml")),
];

/// Wrong claims made up as controls.
const CONTROLS: &str = include_str!("../data/controls.toml");

/// Returns every claim, in the order of the files. Fails if a file of claims
/// cannot be read.
pub fn claims() -> Result<Vec<PublishedClaim>, ClaimDataError> {
    read::claims(FILES, TABLES)
}

/// Returns claims that nobody makes and that are known to be wrong: whoever settles claims has to
/// refute these. Fails if a file of claims cannot be read.
pub fn controls() -> Result<Vec<PublishedClaim>, ClaimDataError> {
    read::claims(&[("controls.toml", CONTROLS)], &[])
}

/// Returns the claims that speak of a game, by its name in normal form.
pub fn claims_about(game: &str) -> Result<Vec<PublishedClaim>, ClaimDataError> {
    let mut about = Vec::new();
    for claim in claims()? {
        if speaks_of(&claim, game)? {
            about.push(claim);
        }
    }
    Ok(about)
}

/// Returns the claims that a study of this game, or of a family written as in the claims of the
/// literature, holds its findings against, each with what is on record of it for this game. The
/// files come with the crate, and tests read them: there is no error to tell.
pub fn published(game: &str) -> Vec<PublishedClaim> {
    let squeezed = |text: &str| text.replace(' ', "").replace('Γ', "Gamma");
    let about = |claim: &PublishedClaim| {
        squeezed(&claim.game) == squeezed(game) || speaks_of(claim, game).unwrap_or_default()
    };
    let claims = claims().unwrap_or_default().into_iter();
    let mut found: Vec<PublishedClaim> = claims.filter(about).chain(claim_on_rules(game)).collect();
    let mut recorded = Vec::new();
    if !found.is_empty() {
        recorded = Recorded::all().unwrap_or_default();
        recorded.append(&mut Recorded::literature().unwrap_or_default());
    }
    for claim in &mut found {
        let own = recorded
            .iter()
            .find(|recorded| recorded.id == claim.id && squeezed(&recorded.game) == squeezed(game));
        claim.recorded = own.and_then(|recorded| match recorded.verdict {
            RecordedVerdict::Settled(verdict) => {
                Some(RecordedClaim { verdict, found: recorded.found.clone() })
            }
            _ => None,
        });
    }
    found
}

/// Returns what is claimed of the published game of this name, if its rules are a rule file.
fn claim_on_rules(name: &str) -> Option<PublishedClaim> {
    let (_, text) = bouton_games::PUBLISHED.iter().find(|(own, _)| *own == name)?;
    let published = published_game(name).ok()??;
    published
        .file
        .is_some()
        .then(|| PublishedClaim { rules: Some((*text).to_owned()), ..published.claim })
}

/// Returns whether a claim is about the game of this name.
pub fn speaks_of(claim: &PublishedClaim, game: &str) -> Result<bool, ClaimDataError> {
    let Some(letters) = Pattern::new(&claim.game).matches(game) else { return Ok(false) };
    let Some(when) = &claim.when else { return Ok(true) };
    let (names, values): (Vec<String>, Vec<u64>) = letters.into_iter().unzip();
    let formula = Formula::parse_over(when, &names).map_err(|error| ClaimDataError::When {
        id: claim.id.clone(),
        text: when.clone(),
        error,
    })?;
    formula
        .holds(&values)
        .map_err(|error| ClaimDataError::Undecided { id: claim.id.clone(), error })
}

/// Returns what is recorded as proved of P-positions, with the hashes of the certificates, and the
/// certificates on circles of every size: theorems that come with the program.
pub fn theorems() -> Theorems {
    recorded().with_certificates(circles)
}

fn recorded() -> Theorems {
    Theorems::recorded(|name| {
        published_theorem(name).into_iter().chain(claimed_theorems()).collect()
    })
}

/// Returns what is proved of the published game of this name, if its rules are a rule file.
fn published_theorem(name: &str) -> Option<RecordedTheorem> {
    let (_, text) = bouton_games::PUBLISHED.iter().find(|(own, _)| *own == name)?;
    let published = published_game(name).ok()??;
    let heaps = published.file.as_ref()?.heaps.fixed()?;
    let (subject, form) = form(&published.claim, heaps)?;
    let verdicts = Recorded::literature().ok()?;
    let certificate =
        verdicts.into_iter().find(|one| one.id == name && is_proved(one))?.certificate?;
    Some(RecordedTheorem {
        game: name.to_owned(),
        rules: Some((*text).to_owned()),
        subject,
        form,
        certificate,
    })
}

/// Returns what is proved of built-in games.
fn claimed_theorems() -> Vec<RecordedTheorem> {
    let (claims, verdicts) = (claims().unwrap_or_default(), Recorded::all().unwrap_or_default());
    let found = verdicts.into_iter().filter(is_proved).filter_map(|recorded| {
        let claim = claims.iter().find(|claim| {
            claim.id == recorded.id && claim.instances().contains(&recorded.game.as_str())
        })?;
        let (ClaimStatement::PPositions(form), subject) = (&claim.says, TheoremSubject::PPositions)
        else {
            return None;
        };
        let (form, certificate) = (form.clone(), recorded.certificate?);
        Some(RecordedTheorem { game: recorded.game, rules: None, subject, form, certificate })
    });
    found.collect()
}

/// Returns what a claim says of positions of this many heaps, and what of them.
fn form(claim: &PublishedClaim, heaps: usize) -> Option<(TheoremSubject, Form)> {
    match &claim.says {
        ClaimStatement::PPositions(form) => Some((TheoremSubject::PPositions, form.clone())),
        ClaimStatement::Values(values) => {
            let whole = value_claim(&values.values, ValuePlace::behind(heaps)).ok()?;
            Some((TheoremSubject::NimValues, Form { whole, ..Form::default() }))
        }
        _ => None,
    }
}

fn is_proved(recorded: &Recorded) -> bool {
    recorded.verdict == RecordedVerdict::Settled(VerdictKind::Proved)
}

/// Returns the row of the claims that an id belongs to: `N7` of `N7 (5.5)`.
pub fn row(id: &str) -> &str {
    id.split_once(' ').map_or(id, |(row, _)| row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_can_be_read_and_has_its_own_id() {
        let mut claims = claims().unwrap();
        claims.extend(controls().unwrap());
        for claim in &claims {
            speaks_of(claim, "CN(5,2)").unwrap();
            let same =
                claims.iter().filter(|other| other.id == claim.id && other.game == claim.game);
            assert_eq!(same.count(), 1, "{} {}", claim.id, claim.game);
        }
    }
}
