//! Decisions of formulas, as `bouton logic --json` prints them.

use bouton_prover::{Automatic, Decision, Undecided, Values};
use serde_json::{Value, json};

/// The number of tuples listed for a relation.
const MAX_LISTED: usize = 8;

/// Returns the decision on a formula.
pub fn decision(formula: &str, decision: &Result<Decision, Undecided>, seconds: f64) -> Value {
    let mut report = json!({"formula": formula, "seconds": seconds});
    match decision {
        Ok(Decision::True(values)) => {
            report["verdict"] = "true".into();
            report["values"] = values.as_ref().map_or(Value::Null, values_json);
        }
        Ok(Decision::False(values)) => {
            report["verdict"] = "false".into();
            report["values"] = values.as_ref().map_or(Value::Null, values_json);
        }
        Ok(Decision::Open(relation)) => {
            report["verdict"] = "open".into();
            report["variables"] = json!(relation.names);
            report["states"] = relation.dfa.states().into();
            report["examples"] = json!(examples(relation));
        }
        Err(error) => {
            report["verdict"] = "unknown".into();
            report["reason"] = error.to_string().into();
        }
    }
    report
}

/// Returns the first tuples for which the relation holds, by their greatest number.
pub fn examples(relation: &Automatic) -> Vec<Vec<u64>> {
    let count = relation.names.len();
    let mut tuples = Vec::new();
    let mut looked: u64 = 0;
    for most in 0..=64u64 {
        let mut tuple = vec![0; count];
        loop {
            looked += 1;
            if looked > 200_000 || tuples.len() == MAX_LISTED {
                return tuples;
            }
            if tuple.contains(&most) && relation.holds(&tuple) {
                tuples.push(tuple.clone());
            }
            let Some(place) = (0..count).rev().find(|&i| tuple[i] < most) else { break };
            tuple[place] += 1;
            tuple[place + 1..].fill(0);
        }
    }
    tuples
}

fn values_json(values: &Values) -> Value {
    values
        .numbers()
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
