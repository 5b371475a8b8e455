//! Win conditions of NIM with Cash, as `bouton cash --json` prints them.

use bouton_cash::{Cash, Proof, WinCondition};
use bouton_core::Notation;
use serde_json::{Value, json};

/// Returns a win condition as JSON, or the statement that none was found.
pub fn condition(rules: &Cash, found: &WinCondition) -> Value {
    let Some(condition) = &found.condition else {
        return json!({"game": rules.name(), "verdict": "unknown", "condition": null, "seconds": found.seconds});
    };
    let mut value = json!({
        "game": rules.name(), "verdict": "proved", "size": condition.size(), "condition": condition.explain(),
        "checked": found.checked, "seconds": found.seconds,
    });
    match &condition.proof {
        Proof::Window(window) => {
            value["proof"] = "window".into();
            value["period"] = window.period.into();
            value["gain"] = window.gain.into();
        }
        Proof::Words(words) => {
            value["proof"] = "words".into();
            value["period"] = words.paths.len().into();
        }
    }
    value
}
