//! Claims of the ledger about heaps: proved for all sizes, with the certificate's hash, or refuted; held against what
//! the ledger records.
//!
//! A claim that is a sentence is decided. A claim about one game is put to the prover as it stands; of a claim about a family the games recorded are. Each
//! proof is written down and has to be accepted by the independent checker.

use crate::commands::play;
use crate::fault::Fault;
use bouton_ledger::Claim;
use bouton_logic::{Decision, Formula, Numeration, decide, default_budget};
use bouton_rules::{Budget, Meter};
use bouton_study::{Form, Settled as Outcome, as_it_stands, stated_in};
use serde_json::{Value, json};

/// Steps of the automata for one game.
const STEPS: u64 = 1 << 28;

fn budget() -> Budget {
    Budget { nodes: Some(STEPS), ..default_budget() }
}

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
    if sentence(claim).is_some() {
        return vec![claim.game.clone()];
    }
    if claim.form.is_none() {
        return Vec::new();
    }
    let recorded = ["proved", "refuted"].iter().filter_map(|field| claim.more.get(*field)?.as_table());
    let mut games: Vec<String> = recorded.flat_map(|table| table.keys().cloned()).collect();
    let one = bouton_games::parse(&claim.game).ok().map(|named| named.game.name());
    games.extend(one.filter(|name| !games.contains(name)));
    games
}

fn sentence(claim: &Claim) -> Option<&str> {
    claim.more.get("sentence")?.as_str()
}

/// What the ledger records of a claim for a game under this word.
fn recorded<'c>(claim: &'c Claim, word: &str, game: &str) -> Option<&'c str> {
    claim.more.get(word)?.as_table()?.get(game)?.as_str()
}

/// Whether the ledger records this verdict; none if it records nothing.
fn as_recorded(claim: &Claim, game: &str, verdict: &str, detail: &str) -> Option<bool> {
    let known = ["proved", "refuted"].iter().any(|word| recorded(claim, word, game).is_some());
    known.then(|| recorded(claim, verdict, game) == Some(detail))
}

fn decided(claim: &Claim, text: &str) -> Result<Settled, Fault> {
    let formula = Formula::parse(text).map_err(|error| Fault::Formula(text.to_owned(), error))?;
    let (verdict, detail) = match decide(&formula, Numeration::Binary, &mut Meter::new(&budget())) {
        Ok(Decision::True(_)) => ("proved", "decided as a sentence".to_owned()),
        Ok(Decision::False(_)) => ("refuted", "decided as a sentence".to_owned()),
        Ok(Decision::Open(_)) => ("unknown", "the sentence has free variables".to_owned()),
        Err(reason) => ("unknown", reason.to_string()),
    };
    let as_recorded = as_recorded(claim, &claim.game, verdict, &detail);
    Ok(Settled { game: claim.game.clone(), verdict, detail, rechecked: None, as_recorded })
}

/// Settles a claim for one game.
pub fn settle(claim: &Claim, game: &str) -> Result<Option<Settled>, Fault> {
    if let Some(text) = sentence(claim) {
        return decided(claim, text).map(Some);
    }
    let Some(form) = Form::of(claim) else { return Ok(None) };
    let named = bouton_games::parse(game)?;
    let misere = claim.is_misere();
    let Ok((mut moves, numeration)) = stated_in(play(misere), &*named.game) else { return Ok(None) };
    if claim.more.get("exactly").and_then(|exactly| exactly.as_bool()) == Some(true) {
        as_it_stands(&mut moves);
    }
    let mut rechecked = None;
    let (verdict, detail) = match bouton_study::settle(&*named.game, &moves, numeration, &form, &budget())? {
        Outcome::Proved(theorem) => {
            ("proved", theorem.certificate.trim_end().rsplit(' ').next().unwrap_or("").to_owned())
        }
        Outcome::Refuted(found, again) => {
            rechecked = again;
            ("refuted", format!("{found}{}", if found.least { "; the least" } else { "" }))
        }
        Outcome::Unknown(why) => ("unknown", why),
    };
    let as_recorded = as_recorded(claim, game, verdict, &detail);
    Ok(Some(Settled { game: game.to_owned(), verdict, detail, rechecked, as_recorded }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the ledger records can be made again, proofs with the same certificates.
    #[test]
    fn the_ledger_is_made_again() {
        let mut count = 0;
        let controls = bouton_ledger::controls().expect("the controls");
        for claim in bouton_ledger::claims().expect("the ledger").into_iter().chain(controls) {
            let recorded = ["proved", "refuted"].iter().any(|field| claim.more.contains_key(*field));
            for game in games(&claim).into_iter().filter(|_| recorded) {
                let settled = settle(&claim, &game).ok().flatten().expect(&game);
                assert_eq!(settled.as_recorded, Some(true), "{} {game}: {}", claim.id, settled.detail);
                let rules = sentence(&claim).is_none() && settled.verdict == "refuted";
                assert_eq!(settled.rechecked.is_some(), rules, "{} {game}", claim.id);
                count += 1;
            }
        }
        assert!(count >= 30, "{count}");
    }
}
