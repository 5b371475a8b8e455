//! Claims on all games of a family, for all values of their parameters.

use crate::by_parameter::published_form;
use crate::parametric::{ParametricSettled, settle_published};
use crate::parametric_game::parametric_game;
use bouton_core::{Budget, Outcome, Play};
use bouton_prover::parametric::{ParametricClaim, ParametricGame};
use bouton_theory::ClaimError;
use bouton_theory::checked::check_certificate;
use bouton_theory::claim::ParametricSays;
use bouton_theory::verdict::{
    Computed, Count, Failure, ProofSize, Proved, Recheck, Refuted, Scope, Statement, Theorem,
    Unknown, Verdict,
};
use serde_json::Map;
use std::collections::HashMap;

/// Settles what is said of a family of games: a certificate that comes with the program, or a new
/// proof, or the least counterexample.
pub(super) fn settle(
    game: &str,
    says: &ParametricSays,
    budget: &Budget,
) -> Result<Verdict, ClaimError> {
    let family = parametric_game(game)?;
    let (claim, known) =
        published_form(game, &says.condition, &says.instead).ok_or(ClaimError::Game {
            game: game.to_owned(),
            why: "has no form for this condition, or not with these names",
        })?;
    Ok(match settle_published(&claim, known.as_ref(), budget) {
        ParametricSettled::Proved(certificate) => {
            match check_certificate(certificate.as_str(), budget) {
                Err(limit) => Unknown::limit_reached(limit),
                Ok(Err(why)) => Unknown::because(format!("the certificate is not accepted: {why}")),
                Ok(Ok(accepted)) => {
                    let lines = certificate.as_str().lines().count();
                    Verdict::Proved(Proved::Theorem(Box::new(Theorem {
                        game: accepted.game,
                        play: Play::Normal,
                        scope: Scope::AllParameters,
                        statement: Statement::Parametric {
                            condition: claim.condition().to_owned(),
                            form: claim.form().to_owned(),
                        },
                        text: accepted.claim,
                        size: ProofSize::Parts(vec![Count {
                            count: lines,
                            unit: "line",
                            adds: true,
                        }]),
                        work: accepted.work,
                        details: Map::new(),
                        certificate,
                    })))
                }
            }
        }
        ParametricSettled::Refuted { parameters, position, is_p } => {
            refuted(&family, &claim, &parameters, &position, is_p)
        }
        ParametricSettled::Unknown(why) => Unknown::because(why),
    })
}

/// Returns the verdict on what has a counterexample, if the rules alone do not contradict it.
fn refuted(
    game: &ParametricGame,
    claim: &ParametricClaim,
    parameters: &[i64],
    position: &[i64],
    is_p: bool,
) -> Verdict {
    let values =
        game.parameters().iter().zip(parameters).map(|(name, value)| format!("{name} = {value}"));
    let numbers: Vec<String> = position.iter().map(i64::to_string).collect();
    let letter = |is_p: bool| if is_p { Outcome::P } else { Outcome::N };
    let words = format!(
        "with {} the position {} is {}, claimed {}",
        values.collect::<Vec<_>>().join(", "),
        numbers.join(","),
        letter(is_p),
        letter(!is_p)
    );
    let amounts = game.amounts(parameters).unwrap_or_default();
    if loses(&amounts, position, &mut HashMap::new()) != is_p {
        return Unknown::because(format!(
            "{words}, but not by the rules alone; please report this"
        ));
    }
    Verdict::Refuted(Refuted {
        counterexample: Failure::Words(words),
        // Lesser values were looked at for small positions only.
        least: claim.least_values().is_some_and(|least| least == parameters),
        recheck: Recheck::Confirmed(format!("the position is {} by the rules alone", letter(is_p))),
        others: Vec::new(),
        computed: Computed::default(),
    })
}

/// Returns whether the mover loses, by the rules alone: a heap, or stones and both purses.
fn loses(amounts: &[i64], position: &[i64], known: &mut HashMap<Vec<i64>, bool>) -> bool {
    if let Some(known) = known.get(position) {
        return *known;
    }
    let mut loses_here = true;
    for taken in amounts {
        let option = match *position {
            [heap] if heap >= *taken => vec![heap - taken],
            [stones, own, other] if stones.min(own) >= *taken => {
                vec![stones - taken, other, own - taken]
            }
            _ => continue,
        };
        if loses(amounts, &option, known) {
            loses_here = false;
            break;
        }
    }
    known.insert(position.to_vec(), loses_here);
    loses_here
}
