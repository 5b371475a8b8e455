//! An analysis as JSON and as text: one wording for all commands.

use bouton_rules::{Outcome, Play};
use bouton_solve::{Analysis, Evaluation, Move};

/// The analysis as the JSON of `solve`.
pub use bouton_report::analysis as to_json;

/// Whether the move wins, or in scored games is best, as far as known.
pub fn is_winning(analysis: &Analysis, m: &Move) -> bool {
    match m.evaluation.margin {
        Some(margin) => Some(margin) == analysis.evaluation.margin,
        None => m.evaluation.outcome == Some(Outcome::P),
    }
}

/// Who wins, in a sentence.
pub fn verdict(play: Play, analysis: &Analysis) -> String {
    let Evaluation { outcome, nim_value, margin } = analysis.evaluation;
    let value = nim_value.map_or(String::new(), |value| format!(", nim-value {value}"));
    let who = match (outcome, margin) {
        (Some(Outcome::N), _) => format!("N: the player to move wins{value}"),
        (Some(Outcome::P), _) => format!("P: the player to move loses{value}"),
        (None, Some(0)) => "a draw under best play".into(),
        (None, Some(margin)) if margin > 0 => format!("margin +{margin}: the player to move wins"),
        (None, Some(margin)) => format!("margin {margin}: the player to move loses"),
        (None, None) => {
            let why = analysis.spent.map_or("no verdict".into(), |spent| spent.to_string());
            return format!("unknown ({why})");
        }
    };
    if play == Play::Misere { who + " (misère play)" } else { who }
}

/// What is known of the position a move leads to, in a few characters.
pub fn short(m: &Move) -> String {
    let Evaluation { outcome, nim_value, margin } = m.evaluation;
    match (outcome, nim_value, margin) {
        (_, _, Some(margin)) => format!("{margin:+}"),
        (Some(outcome), Some(value), _) => format!("{outcome} {value}"),
        (Some(outcome), None, _) => outcome.to_string(),
        (None, _, _) => "?".into(),
    }
}
