//! Conjectures from a user's table, as `bouton conjecture` prints them.

use super::{Reason, Seconds};
use bouton_conjecture::{
    Data, Fit, FittedForm, OutcomeTable, classes, conjecture, latex, periodic, recurrence,
};
use bouton_core::{LimitReached, Meter, heaps_text};
use bouton_prover::Claim;
use bouton_study::FormSearchResult;
use serde::Serialize;

/// What a table suggests.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "conjecture")]
pub struct Conjectured {
    /// Whether there is a form.
    pub verdict: FormSearchResult,
    /// The form, or what is missing.
    #[serde(flatten)]
    pub found: Suggested,
    /// The time taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Seconds>,
}

/// A form, or what is missing.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Suggested {
    /// A form of the P-positions.
    Form(SuggestedForm),
    /// The period of a sequence.
    Period {
        /// The period in words.
        statement: String,
        /// The number from which it holds.
        preperiod: i64,
        /// The period.
        period: i64,
        /// What a period adds.
        saltus: i64,
        /// Numbers before the preperiod whose value differs from the period continued backwards,
        /// with their values.
        exceptions: Vec<(i64, i64)>,
        /// The last number of the table.
        seen_to: i64,
    },
    /// The classes of a set.
    Classes {
        /// The classes in words.
        statement: String,
        /// Members outside the classes.
        alone: Vec<i64>,
        /// The modulus of the classes.
        modulus: i64,
        /// Residues, each with the number from which it holds.
        classes: Vec<(i64, i64)>,
        /// The last number of the table.
        seen_to: i64,
    },
    /// A recurrence of a sequence without a period.
    Recurrence {
        /// The recurrence in words, with the first values.
        statement: String,
        /// The last number of the table.
        seen_to: i64,
    },
    /// A sequence without a period.
    None {
        /// The number of values.
        values: usize,
        /// The number of values that would do.
        #[serde(skip_serializing_if = "Option::is_none")]
        needs: Option<usize>,
    },
    /// A search that was interrupted.
    Interrupted {
        /// What ended it.
        reason: Reason,
    },
}

/// A form of the P-positions.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuggestedForm {
    /// The form.
    pub form: String,
    /// The number of heaps.
    pub heaps: usize,
    /// The greatest heap.
    pub max: u64,
    /// The number of symmetries.
    pub symmetries: usize,
    /// Classes of P-positions.
    pub p_classes: usize,
    /// Classes that the form misses.
    pub missed: usize,
    /// Whether the search was cut short.
    pub cut: bool,
    /// What the form saves, in bits.
    pub evidence_bits: f64,
    /// The length of the form, in bits.
    pub form_bits: f64,
    /// The length of the P-positions one by one, in bits.
    pub data_bits: f64,
    /// The greatest heap that the form takes from the table as it is.
    pub settled_at: u64,
    /// The form as LaTeX writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latex: Option<String>,
    /// The greatest heap of a table that would be large enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<u64>,
}

impl Conjectured {
    fn new(verdict: FormSearchResult, found: Suggested) -> Conjectured {
        Conjectured { verdict, found, seconds: None }
    }
}

/// Returns a conjecture in words and as JSON, and whether it agrees with the whole table.
pub fn conjectured(data: Data, meter: &mut Meter) -> (String, Conjectured, bool) {
    match data {
        Data::Outcomes(table) => outcomes(&table, meter),
        Data::Sequence { start, values } => match periodic(start, &values, meter) {
            Ok(Some(found)) => {
                let text = format!(
                    "conjecture: {found}\n  it agrees with every n from {start} to {}",
                    found.seen_to
                );
                let found = Suggested::Period {
                    statement: found.to_string(),
                    preperiod: found.preperiod,
                    period: found.period,
                    saltus: found.saltus,
                    exceptions: found.exceptions,
                    seen_to: found.seen_to,
                };
                (text, Conjectured::new(FormSearchResult::Conjecture, found), true)
            }
            Ok(None) => match recurrence(start, &values, meter) {
                Ok(Some(found)) => {
                    let (statement, seen_to) = (found.to_string(), found.seen_to);
                    suggested(start, statement, seen_to)
                }
                Ok(None) => none(values.len()),
                Err(limit) => unknown(limit),
            },
            Err(limit) => unknown(limit),
        },
        Data::Set { start, members } => match classes(start, &members, meter) {
            Ok(Some(found)) => {
                let to = start + members.len() as i64 - 1;
                let text = format!(
                    "conjecture: P iff {found}\n  it agrees with every n from {start} to {to}"
                );
                let found = Suggested::Classes {
                    statement: found.to_string(),
                    alone: found.alone,
                    modulus: found.modulus,
                    classes: found.classes,
                    seen_to: to,
                };
                (text, Conjectured::new(FormSearchResult::Conjecture, found), true)
            }
            Ok(None) => OutcomeTable::of_one_heap(&members)
                .filter(|_| start == 0)
                .map(|table| outcomes(&table, meter))
                .filter(|(_, _, is_whole)| *is_whole)
                .unwrap_or_else(|| {
                    let ones: Vec<i64> = members.iter().map(|is_p| i64::from(*is_p)).collect();
                    match recurrence(start, &ones, meter) {
                        Ok(Some(found)) => suggested(
                            start,
                            format!("P iff a(n) = 1, where {found}"),
                            found.seen_to,
                        ),
                        Ok(None) => none(members.len()),
                        Err(limit) => unknown(limit),
                    }
                }),
            Err(limit) => unknown(limit),
        },
    }
}

/// Reports a recurrence.
fn suggested(start: i64, statement: String, seen_to: i64) -> (String, Conjectured, bool) {
    let text =
        format!("conjecture: {statement}\n  it agrees with every n from {start} to {seen_to}");
    let found = Suggested::Recurrence { statement, seen_to };
    (text, Conjectured::new(FormSearchResult::Conjecture, found), true)
}

/// The least number of values for which a period is sought.
const FEW_VALUES: usize = 12;

/// Reports a search that was interrupted.
fn unknown(limit: LimitReached) -> (String, Conjectured, bool) {
    let found = Suggested::Interrupted { reason: Reason::new(limit) };
    (format!("unknown: {limit}"), Conjectured::new(FormSearchResult::Unknown, found), false)
}

/// Reports a sequence without a period.
fn none(length: usize) -> (String, Conjectured, bool) {
    if length < FEW_VALUES {
        let text = format!(
            "not enough data, needs about {FEW_VALUES} values, and three periods of whatever \
             period there is; here are {length}"
        );
        let found = Suggested::None { values: length, needs: Some(FEW_VALUES) };
        return (text, Conjectured::new(FormSearchResult::NotEnoughData, found), false);
    }
    let text = format!(
        "no form found: no period p shows three times in {length} values, for longer than all \
         before; a period p from e on needs n up to about e + max(e, 3p); nor is a recurrence seen"
    );
    let found = Suggested::None { values: length, needs: None };
    (text, Conjectured::new(FormSearchResult::NoFormFound, found), false)
}

fn outcomes(table: &OutcomeTable, meter: &mut Meter) -> (String, Conjectured, bool) {
    let found = conjecture(table, meter);
    let fit = found.fit();
    let needs = found.needs(table.heaps(), table.most());
    let claim = found.form.text().ok().and_then(|text| Claim::parse(&text, table.heaps()).ok());
    let form = SuggestedForm {
        form: found.form.to_string(),
        heaps: table.heaps(),
        max: table.most(),
        symmetries: table.images().list(table.heaps()).len(),
        p_classes: found.classes,
        missed: found.missed_count,
        cut: found.cut.is_some(),
        evidence_bits: found.evidence,
        form_bits: found.said,
        data_bits: found.data(),
        settled_at: found.settled,
        latex: claim.map(|claim| latex(claim.formula())),
        needs: (fit == Fit::TooLittle).then_some(needs),
    };
    let text = match fit {
        Fit::Whole => format!(
            "conjecture: P iff {}\n  up to symmetry; it is the whole table, heaps up to {}, {} \
             classes of P-positions\n  {:.0} bits of form against {:.0} bits of data",
            found.form,
            table.most(),
            found.classes,
            found.said,
            found.data()
        ),
        Fit::TooLittle => {
            let classes = found.classes;
            let needed = format!(
                "not enough data, needs about heaps up to {needs}: {classes} classes of P-positions"
            );
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
    (text, Conjectured::new(fit.into(), Suggested::Form(form)), fit == Fit::Whole)
}

fn partial(found: &FittedForm) -> String {
    let missed: Vec<String> = found.missed.iter().take(6).map(|p| heaps_text(p)).collect();
    let cut = found.cut.map_or(String::new(), |limit| format!(" (cut short: {limit})"));
    format!(
        "no form found{cut}; the best misses {} of {} classes and names no N-position:\n  {}\n  \
         missed: {}{}",
        found.missed_count,
        found.classes,
        found.form,
        missed.join("  "),
        if found.missed_count > missed.len() { " …" } else { "" }
    )
}
