//! What becomes of published claims within the budget of a request.

use crate::guess::settle_form;
use bouton_ledger::Claim;
use bouton_rules::{Budget, Play, Watch};
use bouton_store::cash::{CashClaim, Checked};
use bouton_store::verify::{Bound, FamilyClaim, Standing};
use bouton_study::{Form, Settled};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// What became of a claim.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub verdict: &'static str,
    pub evidence: String,
    pub command: String,
}

/// Circles to which claims about families are computed on a page.
const TO: usize = 40;
/// Nodes for one game.
const NODES: u64 = 200_000;

/// Verdicts that were computed since the start; there are no more of them than claims.
#[derive(Debug, Default)]
pub(crate) struct Verdicts(Mutex<HashMap<(String, String), Finding>>);

impl Verdicts {
    /// What was computed before.
    pub fn recall(&self, claim: &Claim) -> Option<Finding> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&(claim.id.clone(), claim.game.clone())).cloned()
    }

    /// What this program makes of the claim.
    pub fn examine(&self, claim: &Claim, watch: Arc<Watch>) -> Finding {
        if let Some(known) = self.recall(claim) {
            return known;
        }
        let finding = compute(claim, watch.clone());
        if !watch.stop.load(Ordering::Relaxed) {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert((claim.id.clone(), claim.game.clone()), finding.clone());
        }
        finding
    }
}

fn compute(claim: &Claim, watch: Arc<Watch>) -> Finding {
    let row = claim.id.split(' ').next().unwrap_or_default();
    let budget = Budget { watch: Some(watch.clone()), ..Budget::default() };
    if let Ok(Some(cash)) = CashClaim::read(claim) {
        let command = format!("bouton ledger --verify --id {row}");
        return match cash.verify() {
            Ok(Checked { instances, failures: 0, .. }) => {
                Finding { verdict: "holds", evidence: format!("{instances} instances computed"), command }
            }
            Ok(Checked { instances, failures, counterexample }) => {
                let first = counterexample.map_or(String::new(), |first| format!(", first {first}"));
                let evidence = format!("{failures} of {instances} instances{first}");
                Finding { verdict: "refuted", evidence, command }
            }
            Err(error) => Finding { verdict: "unknown", evidence: error.to_string(), command },
        };
    }
    if let Ok(Some(family)) = FamilyClaim::read(claim) {
        let command = format!("bouton ledger --verify --id {row} --to {TO}");
        let bound = Bound { to: TO, nodes: NODES, stop: watch };
        let Ok(verified) = family.verify(&bound) else {
            return Finding { verdict: "unknown", evidence: "it could not be computed".into(), command };
        };
        let counted = format!(
            "{} instances, {} different games, all n ≤ {} computed",
            verified.instances, verified.games, verified.bound
        );
        let (verdict, evidence) = match verified.standing() {
            Standing::Holds => ("holds", counted),
            Standing::Refuted => {
                let least = verified
                    .failures
                    .first()
                    .map_or(String::new(), |f| format!("{} is {}; ", f.instance.game, f.found));
                ("refuted", least + &counted)
            }
            Standing::Doubtful => ("doubtful", counted),
            Standing::Unknown => ("unknown", counted),
        };
        return Finding { verdict, evidence, command };
    }
    let misere = claim.is_misere();
    let play = if misere { Play::Misere } else { Play::Normal };
    if let Some(form) = Form::of(claim) {
        let smaller: String = form.smaller.iter().map(|line| format!(" --smaller '{line}'")).collect();
        let as_misere = if misere { " --misere" } else { "" };
        let command = format!("bouton prove '{}' --claim '{}'{smaller}{as_misere}", claim.game, form.whole);
        if let Ok(answer) = settle_form(&claim.game, play, &form, &budget) {
            let (verdict, evidence) = match answer.settled {
                Settled::Proved(theorem) => {
                    let proof = &theorem.proof;
                    ("proved", format!("for all heap sizes: {} cases, {} sets", proof.cases, proof.sets()))
                }
                Settled::Refuted(found, _) => ("refuted", found.to_string()),
                Settled::Unknown(reason) => ("unknown", reason),
            };
            return Finding { verdict, evidence, command };
        }
    }
    Finding {
        verdict: "not settled on this page",
        evidence: "it needs more than a request may cost, or speaks of more than one game".into(),
        command: format!("bouton ledger --id {row}"),
    }
}
