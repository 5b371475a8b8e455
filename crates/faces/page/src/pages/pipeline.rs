//! A study as the stages that it went through, each with its time: table, guess, larger table,
//! proof, check.

use maud::{Markup, html};
use serde_json::Value;

/// A stage of a study.
struct Stage {
    name: &'static str,
    /// What came of it.
    told: String,
    /// Whether it led on; nothing if it was not reached, or ended without an answer.
    led_on: Option<bool>,
    seconds: Option<f64>,
}

impl Stage {
    fn new(name: &'static str, led_on: Option<bool>, told: String, seconds: &Value) -> Stage {
        Stage { name, told, led_on, seconds: seconds.as_f64() }
    }
}

/// Returns the stages of a study, from what the API says of it; nothing for kinds of games that are
/// studied in another way.
/// `checked`: whether there is a certificate that the independent checker has accepted.
pub(crate) fn pipeline(study: &Value, checked: bool) -> Markup {
    let stages = match study["kind"].as_str() {
        Some("heaps") => heaps(study, checked),
        Some("sequence") => sequence(study, checked),
        _ => Vec::new(),
    };
    html! {
        @if !stages.is_empty() {
            ol.pipeline aria-label="Stages of the study" {
                @for stage in &stages {
                    li.(match stage.led_on { Some(true) => "led-on", Some(false) => "refuted", None => "open" }) {
                        strong { (stage.name) } " "
                        @if let Some(seconds) = stage.seconds { span.time { (format!("{seconds:.2}")) " s" } }
                        p { (stage.told) }
                    }
                }
            }
        }
    }
}

/// The last stages of all: the proof and its check.
fn settled(study: &Value, checked: bool) -> [Stage; 2] {
    let proof = match study["verdict"].as_str() {
        Some("proved") => (Some(true), "Proved for all sizes.".to_owned()),
        Some("refuted") => (Some(false), "Refuted: a counterexample was found.".to_owned()),
        _ => (None, "Not proved within the time of this study.".to_owned()),
    };
    let check = match checked {
        true => (Some(true), "The independent checker accepts the certificate."),
        false => (None, "There is no certificate to check."),
    };
    [
        Stage::new("Proof", proof.0, proof.1, &study["proof_seconds"]),
        Stage::new("Checked", check.0, check.1.to_owned(), &Value::Null),
    ]
}

fn heaps(study: &Value, checked: bool) -> Vec<Stage> {
    let board = study["boards"].as_array().and_then(|boards| boards.last());
    let Some(board) = board else { return Vec::new() };
    let Some(round) = board["rounds"].as_array().and_then(|rounds| rounds.last()) else { return Vec::new() };
    let table = format!("Heaps to {}: {} classes of P-positions.", round["max"], round["p_classes"]);
    let form = round["form"].as_str();
    let guess = match form {
        Some(form) => format!("P exactly if {form}."),
        None => "No form was found.".into(),
    };
    let (larger, agrees) = match (&round["mismatch"], round["checked_to"].as_u64()) {
        (Value::Null, Some(to)) => (format!("It agrees with every position of heaps to {to}."), Some(true)),
        (Value::Null, None) => ("Not compared with a larger table.".into(), None),
        (_, _) => ("A larger table refutes it.".into(), Some(false)),
    };
    let mut stages = vec![
        Stage::new("Table", Some(true), table, &round["table_seconds"]),
        Stage::new("Guess", form.map(|_| true), guess, &round["search_seconds"]),
        Stage::new("Larger table", agrees.filter(|_| form.is_some()), larger, &Value::Null),
    ];
    stages.extend(settled(study, checked));
    stages
}

fn sequence(study: &Value, checked: bool) -> Vec<Stage> {
    let period = &study["period"];
    let values = format!("Nim-values of heaps to {}.", study["heaps"]);
    let guess = match period["period"].as_u64() {
        Some(period) => format!("Period {period}."),
        None => "No period shows.".into(),
    };
    let mut stages = vec![
        Stage::new("Table", Some(true), values, &study["seconds"]),
        Stage::new("Guess", period["period"].as_u64().map(|_| true), guess, &Value::Null),
    ];
    stages.extend(settled(study, checked));
    stages
}
