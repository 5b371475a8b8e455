//! A study as `bouton study --json` prints it.

use super::play_word;
use bouton_rules::Play;
use bouton_solve::Game;
use bouton_study::{Board, Comparison, Ending, Line, Round};
use serde_json::{Value, json};

/// P-positions that are listed of a board.
const SHOWN: usize = 12;

/// What a study begins with.
pub fn studied(game: &dyn Game, play: Play) -> Value {
    json!({"game": game.name(), "rules": game.describe(), "play": play_word(play)})
}

/// The line of a game: its boards with tables and forms, and how it ended.
pub fn study(game: &dyn Game, play: Play, line: &Line) -> Value {
    let mut report = studied(game, play);
    let round = |round: &Round| {
        let mut value = json!({
            "max": round.max,
            "p_classes": round.found.classes,
            "form": round.form,
            "missed": round.found.missed_count,
            "cut": round.found.cut.is_some(),
            "evidence_bits": round.found.evidence,
            "whole": round.is_whole(),
            "table_seconds": round.table_seconds,
            "search_seconds": round.search_seconds,
        });
        if let Some((max, mismatch)) = &round.checked {
            value["checked_to"] = (*max).into();
            value["mismatch"] = json!(mismatch);
        }
        value
    };
    let board = |board: &Board| {
        let least = board.table.iter().flat_map(|table| table.classes().take(SHOWN).collect::<Vec<_>>());
        json!({
            "heaps": board.heaps,
            "p_positions": least.map(|p| listed(&p)).collect::<Vec<_>>(),
            "rounds": board.rounds.iter().map(round).collect::<Vec<_>>(),
            "form": board.standing().map(|round| &round.form),
            "claim": board.standing().and_then(|round| round.found.form.text()),
            "trouble": board.trouble,
        })
    };
    report["boards"] = line.boards.iter().map(board).collect();
    report["sent_back"] = json!(line.sent_back);
    report["proof_seconds"] = line.proof_seconds.into();
    report["verdict"] = match &line.ending {
        Ending::Proved(_) => "proved",
        Ending::Holds(_) => "holds",
        Ending::Refuted(..) => "refuted",
        Ending::NoForm => "no form found",
    }
    .into();
    match &line.ending {
        Ending::Holds(why) => report["no_proof"] = why.as_str().into(),
        Ending::Refuted(found, recheck) => {
            report["counterexample"] = found.to_string().into();
            report["recheck"] = json!(recheck);
        }
        _ => {}
    }
    report
}

/// A published form held against the tables.
pub fn comparison(c: &Comparison) -> Value {
    json!({
        "claim": c.claim.id,
        "form": c.form,
        "source": c.claim.source,
        "max": c.max,
        "verdict": if c.disagreement.is_some() { "refuted" } else if c.undecided > 0 { "unknown" } else { "holds" },
        "beyond": c.beyond.as_ref().map(|b| json!({"classes": b.count, "greatest_heap": b.last, "first": b.first})),
        "compared": c.compared,
        "undecided": c.undecided,
        "disagreement": c.disagreement.as_ref().map(|d| json!({"position": text(&d.position), "outcome": d.outcome.to_string()})),
        "seconds": c.seconds,
    })
}

pub(super) fn listed<T: ToString>(heaps: &[T]) -> String {
    heaps.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

fn text(position: &[u64]) -> String {
    if position.is_empty() { "0".into() } else { listed(position) }
}
