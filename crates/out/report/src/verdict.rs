//! Verdicts as JSON, the same for every command and answer.

use bouton_core::heaps_text;
use bouton_literature::{PublishedGame, Recorded};
use bouton_study::{Failure, Proved, PublishedClaim, Size, Theorem, Verdict};
use serde_json::{Value, json};

/// Returns a claim for one of its games with the recorded verdict, as `bouton ledger --json`.
pub fn claim(claim: &PublishedClaim, game: &str, record: Option<&Recorded>) -> Value {
    json!({
        "id": claim.id,
        "game": game,
        "statement": claim.statement,
        "source": claim.source,
        "verdict": record.map(|record| &record.verdict),
        "recorded": record,
    })
}

/// Returns a published game with the verdict on its claim, as `bouton games --literature --json`.
pub fn published_game(game: &PublishedGame, record: Option<&Recorded>) -> Value {
    json!({
        "name": game.name,
        "title": game.title,
        "game": game.claim.game,
        "rules": game.rules,
        "move": game.file.as_ref().map(|file| file.moves.trim()),
        "source": game.claim.source,
        "statement": game.claim.statement,
        "claim": game.formula(),
        "not_expressible": game.why_no_formula(),
        "play": crate::play_word(game.claim.says.play()),
        "verdict": record.map(|record| &record.verdict),
        "found": record.map(|record| &record.found),
        "recorded": record,
    })
}

/// Adds how large a proof is, what its theory tells of it, and its hash.
fn proof(theorem: &Theorem, value: &mut Value) {
    if let Some(Size { cases, parts, sets }) = theorem.cases() {
        [("cases", cases), ("parts", parts), ("sets", sets)]
            .into_iter()
            .for_each(|(name, count)| value[name] = count.into());
    }
    for (name, field) in &theorem.details {
        value[*name] = field.clone();
    }
    value["hash"] = theorem.hash().into();
}

/// Returns a verdict: its name, its justification, and the amount of computation.
pub fn verdict(verdict: &Verdict) -> Value {
    let mut value = json!({"verdict": verdict.kind()});
    match verdict {
        Verdict::Proved(Proved::Theorem(theorem)) => {
            proof(theorem, &mut value);
        }
        Verdict::Proved(Proved::Theorems(theorems)) => {
            let one = |theorem: &Theorem| {
                let mut value = json!({"game": theorem.game, "play": crate::play_word(theorem.play)});
                proof(theorem, &mut value);
                value
            };
            value["theorems"] = theorems.iter().map(one).collect();
            value["hash"] = json!(verdict.certificate());
        }
        Verdict::ProvedCoq(by_coq) => value["coq"] = by_coq.theorem.as_str().into(),
        Verdict::Refuted(refuted) => {
            if let Failure::Position(found) = &refuted.counterexample {
                value["position"] = heaps_text(&found.position).into();
                value["numbers"] = json!(found.position);
                value["option"] = json!(found.option.as_ref().map(|(_, option)| heaps_text(option)));
            }
            value["counterexample"] = refuted.counterexample.to_string().into();
            value["least"] = refuted.least.into();
            value["recheck"] = refuted.recheck.to_string().into();
            value["others"] = json!(refuted.others);
        }
        Verdict::Unknown(unknown) => {
            value["reason"] = unknown.reason.as_str().into();
            value["budget"] = unknown.budget.into();
        }
        Verdict::NotSettled(why) => value["reason"] = why.as_str().into(),
        Verdict::Proved(_) | Verdict::Holds(_) => {}
    }
    if let Some(computed) = verdict.computed().filter(|computed| computed.instances > 0) {
        value["computed"] = computed.words.as_str().into();
        value["instances"] = computed.instances.into();
        value["to"] = json!(computed.to);
        value["entries"] = json!(computed.parts);
        value["left"] = json!(computed.left);
    }
    value
}
