//! Conjectures from a user's table, as `bouton conjecture` prints them.

use bouton_conjecture::{Data, Fit, FittedForm, OutcomeTable, classes, conjecture, latex, periodic};
use bouton_core::{LimitReached, Meter, heaps_text};
use bouton_prover::Claim;
use serde_json::{Value, json};

/// Returns a conjecture in words and as JSON, and whether it agrees with the whole table.
pub fn conjectured(data: Data, meter: &mut Meter) -> (String, Value, bool) {
    match data {
        Data::Outcomes(table) => outcomes(&table, meter),
        Data::Sequence { start, values } => match periodic(start, &values, meter) {
            Ok(Some(found)) => {
                let value = json!({
                    "verdict": "conjecture",
                    "statement": found.to_string(),
                    "preperiod": found.preperiod,
                    "period": found.period,
                    "saltus": found.saltus,
                    "exceptions": found.exceptions,
                    "seen_to": found.seen_to,
                });
                let text = format!(
                    "conjecture: {found}\n  it agrees with every n from {start} to {}",
                    found.seen_to
                );
                (text, value, true)
            }
            Ok(None) => none(values.len()),
            Err(limit) => unknown(limit),
        },
        Data::Set { start, members } => match classes(start, &members, meter) {
            Ok(Some(found)) => {
                let to = start + members.len() as i64 - 1;
                let value = json!({
                    "verdict": "conjecture",
                    "statement": found.to_string(),
                    "alone": found.alone,
                    "modulus": found.modulus,
                    "classes": found.classes,
                    "seen_to": to,
                });
                let text =
                    format!("conjecture: P iff {found}\n  it agrees with every n from {start} to {to}");
                (text, value, true)
            }
            Ok(None) => none(members.len()),
            Err(limit) => unknown(limit),
        },
    }
}

/// The least number of values for which a period is sought.
const FEW_VALUES: usize = 12;

/// Reports a search that was interrupted.
fn unknown(limit: LimitReached) -> (String, Value, bool) {
    let value = json!({"verdict": "unknown", "reason": limit.to_string()});
    (format!("unknown: {limit}"), value, false)
}

/// Reports a sequence without a period.
fn none(length: usize) -> (String, Value, bool) {
    if length < FEW_VALUES {
        let text = format!(
            "not enough data, needs about {FEW_VALUES} values, and three periods of whatever period there is; here are {length}"
        );
        let value = json!({"verdict": "not enough data", "values": length, "needs": FEW_VALUES});
        return (text, value, false);
    }
    let text = format!(
        "no form found: no period p shows three times in {length} values, for longer than all before; a period p from e on needs n up to about e + max(e, 3p)"
    );
    (text, json!({"verdict": "no form found", "values": length}), false)
}

fn outcomes(table: &OutcomeTable, meter: &mut Meter) -> (String, Value, bool) {
    let found = conjecture(table, meter);
    let fit = found.fit();
    let needs = found.needs(table.heaps(), table.most());
    let mut value = json!({
        "verdict": match fit {
            Fit::Whole => "conjecture",
            Fit::TooLittle => "not enough data",
            Fit::Partial => "no form found",
        },
        "form": found.form.to_string(),
        "heaps": table.heaps(),
        "max": table.most(),
        "symmetries": table.images().list(table.heaps()).len(),
        "p_classes": found.classes,
        "missed": found.missed_count,
        "cut": found.cut.is_some(),
        "evidence_bits": found.evidence,
        "form_bits": found.said,
        "data_bits": found.data(),
        "settled_at": found.settled,
    });
    if let Some(claim) = found.form.text().ok().and_then(|text| Claim::parse(&text, table.heaps()).ok()) {
        value["latex"] = latex(claim.formula()).into();
    }
    let text = match fit {
        Fit::Whole => format!(
            "conjecture: P iff {}\n  up to symmetry; it is the whole table, heaps up to {}, {} classes of P-positions\n  {:.0} bits of form against {:.0} bits of data",
            found.form,
            table.most(),
            found.classes,
            found.said,
            found.data()
        ),
        Fit::TooLittle => {
            value["needs"] = needs.into();
            let classes = found.classes;
            let needed =
                format!("not enough data, needs about heaps up to {needs}: {classes} classes of P-positions");
            match found.missed_count {
                0 if !found.is_extended() => format!(
                    "{needed}, and what the form takes from them as it is ends at {} only\n  {}",
                    found.settled, found.form
                ),
                0 => format!("{needed} say no more than the form\n  {}", found.form),
                _ => format!("{needed} are too few for any form"),
            }
        }
        Fit::Partial => partial(&found),
    };
    (text, value, fit == Fit::Whole)
}

fn partial(found: &FittedForm) -> String {
    let missed: Vec<String> = found.missed.iter().take(6).map(|p| heaps_text(p)).collect();
    let cut = found.cut.map_or(String::new(), |limit| format!(" (cut short: {limit})"));
    format!(
        "no form found{cut}; the best misses {} of {} classes and names no N-position:\n  {}\n  missed: {}{}",
        found.missed_count,
        found.classes,
        found.form,
        missed.join("  "),
        if found.missed_count > missed.len() { " …" } else { "" }
    )
}
