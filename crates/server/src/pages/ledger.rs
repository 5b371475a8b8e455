//! The ledger as a page: every published claim, and what this program makes of it within the budget of a request.

use super::prove::settle_form;
use super::{Page, frame};
use crate::playthrough::encoded;
use crate::refusal::Refusal;
use crate::work::Works;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use bouton_ledger::Claim;
use bouton_rules::Play;
use bouton_solve::{Budget, Watch};
use bouton_store::cash::{CashClaim, Checked};
use bouton_store::verify::{Bound, FamilyClaim, Standing};
use bouton_study::{Form, Settled};
use maud::html;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

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
fn known() -> &'static Mutex<HashMap<(String, String), Finding>> {
    static KNOWN: OnceLock<Mutex<HashMap<(String, String), Finding>>> = OnceLock::new();
    KNOWN.get_or_init(Mutex::default)
}

fn recall(claim: &Claim) -> Option<Finding> {
    let known = known().lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    known.get(&(claim.id.clone(), claim.game.clone())).cloned()
}

/// What this program makes of the claim.
pub(crate) fn examine(claim: &Claim, watch: Arc<Watch>) -> Finding {
    if let Some(known) = recall(claim) {
        return known;
    }
    let finding = compute(claim, watch.clone());
    if watch.stop.load(Ordering::Relaxed) {
        return finding;
    }
    let mut known = known().lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    known.insert((claim.id.clone(), claim.game.clone()), finding.clone());
    finding
}

fn compute(claim: &Claim, watch: Arc<Watch>) -> Finding {
    let row = claim.id.split(' ').next().unwrap_or_default();
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
        if let Ok(answer) = settle_form(&claim.game, play, &form) {
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

/// The claims as `bouton ledger --json`, with the verdicts known so far.
pub(crate) fn list() -> Result<Value, Refusal> {
    let claims = bouton_ledger::claims()?;
    let all = claims.iter().map(|claim| {
        let mut value =
            json!({"id": claim.id, "game": claim.game, "statement": claim.statement, "source": claim.source});
        if let Some(known) = recall(claim) {
            value["verdict"] = known.verdict.into();
            value["evidence"] = known.evidence.into();
            value["command"] = known.command.into();
        }
        value
    });
    Ok(all.collect())
}

/// Whether claims shall be examined.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Wish {
    pub examine: String,
}

pub(crate) async fn page(State(works): State<Works>, Query(wish): Query<Wish>) -> Page {
    let claims = Arc::new(bouton_ledger::claims()?);
    if wish.examine == "more" {
        let (claims, started) = (claims.clone(), Instant::now());
        let examined = works.run(move |budget: Budget| {
            let watch = budget.watch.unwrap_or_default();
            let half = budget.deadline.map(|deadline| deadline.limit() / 2);
            let in_time = || half.is_none_or(|half| started.elapsed() < half);
            for claim in claims.iter().filter(|claim| recall(claim).is_none()) {
                examine(claim, watch.clone());
                if !in_time() {
                    break;
                }
            }
            Ok(())
        });
        examined.await?;
    }
    let left = claims.iter().filter(|claim| recall(claim).is_none()).count();
    let href =
        |claim: &Claim| format!("/ledger/claim?id={}&game={}", encoded(&claim.id), encoded(&claim.game));
    let body = html! {
        h1 { "The ledger" }
        p { (claims.len()) " published claims. Nothing is believed because it is printed: a verdict is what this program computes, with the command to compute it again. Verdicts are remembered while the server runs." }
        p #status role="status" aria-live="polite" { (claims.len() - left) " of " (claims.len()) " examined." }
        @if left > 0 { p { a.button #onward data-go="" href="/ledger?examine=more" { "Examine the others" } } }
        div.wide tabindex="0" role="region" aria-label="Claims" {
            table.ledger {
                thead { tr { th scope="col" { "row" } th scope="col" { "claim" } th scope="col" { "verdict" } th scope="col" { "evidence, and the command that makes it again" } } }
                tbody {
                    @for claim in claims.iter() {
                        tr {
                            th scope="row" { a href=(href(claim)) { (claim.id) } br; code { (claim.game) } }
                            td { (claim.statement) br; span.source { (claim.source) } }
                            @match recall(claim) {
                                Some(known) => {
                                    td { strong.{ "v-" (known.verdict.split(' ').next().unwrap_or_default()) } { (known.verdict) } }
                                    td { (known.evidence) br; code { (known.command) } }
                                }
                                None => { td { "not examined" } td { a href=(href(claim)) aria-label={ "examine " (claim.id) " about " (claim.game) } { "examine" } } }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(frame("Ledger", body).into_response())
}

/// Which claim.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Row {
    pub id: String,
    pub game: String,
}

pub(crate) async fn claim(State(works): State<Works>, Query(row): Query<Row>) -> Page {
    let all = bouton_ledger::claims()?;
    let found: Vec<Claim> =
        all.into_iter().filter(|c| c.id == row.id && (row.game.is_empty() || c.game == row.game)).collect();
    if found.is_empty() {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "the ledger has no such row").into());
    }
    let standings = works.run(move |budget: Budget| {
        let watch = budget.watch.unwrap_or_default();
        Ok(found.into_iter().map(|claim| (examine(&claim, watch.clone()), claim)).collect::<Vec<_>>())
    });
    let body = html! {
        h1 { "Claim " (row.id) }
        @for (standing, claim) in standings.await? {
            section {
                h2 { (claim.game) }
                blockquote { (claim.statement) }
                @if let Some(form) = &claim.form { p { "P exactly if " code { (form) } } }
                p.source { (claim.source) }
                dl {
                    dt { "verdict" } dd { strong { (standing.verdict) } }
                    dt { "evidence" } dd { (standing.evidence) }
                    dt { "to re-make it" } dd { code { (standing.command) } }
                }
            }
        }
        p { a href="/ledger" { "All claims" } }
    };
    Ok(frame(&format!("Claim {}", row.id), body).into_response())
}
