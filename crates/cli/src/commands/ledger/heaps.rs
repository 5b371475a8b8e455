//! Claims of the ledger about heaps: proved for all sizes, with the certificate's hash, or refuted; held against what
//! the ledger records.
//!
//! A claim about one game is put to the prover as it stands; of a claim about a family the games recorded are. Each
//! proof is written down and has to be accepted by the independent checker.

use crate::commands::prove::{Form, recheck, stated};
use crate::fault::Fault;
use bouton_ledger::Claim;
use bouton_logic::{Limits, Verdict, prove};
use serde_json::{Value, json};

/// Steps of the automata for one game.
const STEPS: u64 = 1 << 28;

/// What became of a claim for one game.
pub struct Settled {
    pub game: String,
    /// `proved`, `refuted`, `unknown`.
    pub verdict: &'static str,
    /// The certificate's hash, the counterexample, or the reason.
    pub detail: String,
    /// A search by the rules alone, of what is refuted.
    pub rechecked: Option<String>,
    /// Whether the ledger records the same; none if it records nothing.
    pub as_recorded: Option<bool>,
}

impl Settled {
    pub fn to_json(&self, mut head: Value) -> Value {
        head["game"] = self.game.as_str().into();
        head["verdict"] = self.verdict.into();
        head["detail"] = self.detail.as_str().into();
        head["recheck"] = json!(self.rechecked);
        head["as_recorded"] = json!(self.as_recorded);
        head
    }
}

/// The games for which a claim about heaps is settled: those recorded, and the one it is about if it is about one.
pub fn games(claim: &Claim) -> Vec<String> {
    let misere = claim.more.get("play").and_then(|p| p.as_str()) == Some("misere");
    if claim.form.is_none() || misere {
        return Vec::new();
    }
    let recorded = ["proved", "refuted"].iter().filter_map(|field| claim.more.get(*field)?.as_table());
    let mut games: Vec<String> = recorded.flat_map(|table| table.keys().cloned()).collect();
    let one = bouton_games::parse(&claim.game).ok().map(|named| named.game.name());
    games.extend(one.filter(|name| !games.contains(name)));
    games
}

/// Settles a claim for one game.
pub fn settle(claim: &Claim, game: &str) -> Result<Option<Settled>, Fault> {
    let Some(form) = Form::of(claim) else { return Ok(None) };
    let named = bouton_games::parse(game)?;
    let Ok((moves, numeration)) = stated(&*named.game) else { return Ok(None) };
    let claims = form.claims(&moves)?;
    let mut rechecked = None;
    let (verdict, detail) =
        match prove(&moves, &claims, numeration, Limits { steps: STEPS, ..Limits::default() }) {
            Verdict::Proved(proof) => {
                let text = proof.certificate(game, &moves, &claims).to_text();
                match bouton_check::check(&text) {
                    Ok(_) => ("proved", text.trim_end().rsplit(' ').next().unwrap_or("").to_owned()),
                    Err(rejected) => {
                        ("unknown", format!("the certificate is {rejected}; please report this"))
                    }
                }
            }
            Verdict::Refuted(found) => {
                rechecked = recheck(&*named.game, &found);
                ("refuted", found.to_string())
            }
            Verdict::Unknown(reason) => ("unknown", reason.to_string()),
        };
    let recorded = |field: &str| claim.more.get(field)?.as_table()?.get(game)?.as_str();
    let as_recorded = match (recorded("proved"), recorded("refuted")) {
        (None, None) => None,
        _ => Some(recorded(verdict) == Some(&detail)),
    };
    Ok(Some(Settled { game: game.to_owned(), verdict, detail, rechecked, as_recorded }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the ledger records can be made again, proofs with the same certificates.
    #[test]
    fn the_ledger_is_made_again() {
        let mut count = 0;
        for claim in bouton_ledger::claims().expect("the ledger") {
            let recorded = ["proved", "refuted"].iter().any(|field| claim.more.contains_key(*field));
            for game in games(&claim).into_iter().filter(|_| recorded) {
                let settled = settle(&claim, &game).ok().flatten().expect(&game);
                assert_eq!(settled.as_recorded, Some(true), "{} {game}: {}", claim.id, settled.detail);
                assert_eq!(settled.rechecked.is_some(), settled.verdict == "refuted", "{} {game}", claim.id);
                count += 1;
            }
        }
        assert!(count >= 30, "{count}");
    }
}
