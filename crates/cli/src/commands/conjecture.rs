//! `bouton conjecture`: a closed form for anyone's table.

use crate::Ending;
use crate::fault::Fault;
use bouton_conjecture::{Data, Found, Standing, Table, classes, conjecture, latex, periodic, read};
use bouton_logic::Claim;
use bouton_rules::Symmetry;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::Instant;

/// Find a closed form in a table of outcomes, or the period of a sequence
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton conjecture --from table.csv\n  bouton conjecture --from table.csv --symmetry ring --json\n  seq 0 40 | awk '{print $1 \",\" int($1/3)}' | bouton conjecture --from -\n\nRows are heaps and an outcome (P, N, or a nim-value), every position of a box once, or one of each symmetry class; or n and a value. A first row of words names the columns."
)]
pub struct Conjecture {
    /// A file of comma-separated rows; - for standard input
    #[arg(long, value_name = "FILE")]
    from: String,
    /// Which heaps may change places; by default as many as the outcomes allow
    #[arg(long, value_enum)]
    symmetry: Option<Places>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Places {
    /// None
    None,
    /// Rotations and reflections of a circle
    Ring,
    /// All
    Full,
}

impl Conjecture {
    pub fn run(self, as_json: bool) -> Result<Ending, Fault> {
        let file = |error| Fault::File(self.from.clone(), error);
        let text = if self.from == "-" {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(file)?;
            text
        } else {
            std::fs::read_to_string(&self.from).map_err(file)?
        };
        let symmetry = self.symmetry.map(|places| match places {
            Places::None => Symmetry::None,
            Places::Ring => Symmetry::Ring,
            Places::Full => Symmetry::Full,
        });
        let data = read(&text, symmetry).map_err(|error| Fault::Usage(format!("{}: {error}", self.from)))?;
        let mut out = std::io::stdout().lock();
        let started = Instant::now();
        let (told, value, ending) = match data {
            Data::Outcomes(table) => outcomes(&table),
            Data::Sequence { start, values } => match periodic(start, &values) {
                Some(found) => {
                    let value = json!({
                        "verdict": "conjecture",
                        "statement": found.to_string(),
                        "preperiod": found.preperiod,
                        "period": found.period,
                        "saltus": found.saltus,
                        "exceptions": found.exceptions,
                        "seen_to": found.seen_to,
                    });
                    let told = format!(
                        "conjecture: {found}\n  it agrees with every n from {start} to {}",
                        found.seen_to
                    );
                    (told, value, Ending::Done)
                }
                None => none(values.len()),
            },
            Data::Set { start, members } => match classes(start, &members) {
                Some(found) => {
                    let to = start + members.len() as i64 - 1;
                    let value = json!({
                        "verdict": "conjecture",
                        "statement": found.to_string(),
                        "alone": found.alone,
                        "modulus": found.modulus,
                        "classes": found.classes,
                        "seen_to": to,
                    });
                    let told =
                        format!("conjecture: P iff {found}\n  it agrees with every n from {start} to {to}");
                    (told, value, Ending::Done)
                }
                None => none(members.len()),
            },
        };
        if as_json {
            let mut value = value;
            value["seconds"] = started.elapsed().as_secs_f64().into();
            writeln!(out, "{value}")?;
        } else {
            writeln!(out, "{told}")?;
        }
        Ok(ending)
    }
}

/// Fewer values say nothing of any period.
const FEW_VALUES: usize = 12;

/// A sequence without a period.
fn none(length: usize) -> (String, Value, Ending) {
    if length < FEW_VALUES {
        let told = format!(
            "not enough data, needs about {FEW_VALUES} values, and three periods of whatever period there is; here are {length}"
        );
        let value = json!({"verdict": "not enough data", "values": length, "needs": FEW_VALUES});
        return (told, value, Ending::Negative);
    }
    let told = format!(
        "no form found: no period p shows three times in {length} values, for longer than all before; a period p from e on needs n up to about e + max(e, 3p)"
    );
    (told, json!({"verdict": "no form found", "values": length}), Ending::Negative)
}

fn outcomes(table: &Table) -> (String, Value, Ending) {
    let found = conjecture(table);
    let standing = found.standing();
    let needs = found.needs(table.heaps(), table.most());
    let mut value = json!({
        "verdict": match standing {
            Standing::Whole => "conjecture",
            Standing::TooLittle => "not enough data",
            Standing::Partial => "no form found",
        },
        "form": found.form.to_string(),
        "heaps": table.heaps(),
        "max": table.most(),
        "symmetries": table.images().list(table.heaps()).len(),
        "p_classes": found.classes,
        "missed": found.missed_count,
        "evidence_bits": found.evidence,
    });
    if let Some(claim) = found.form.text().and_then(|text| Claim::parse(&text, table.heaps()).ok()) {
        value["latex"] = latex(claim.formula()).into();
    }
    let told = match standing {
        Standing::Whole => format!(
            "conjecture: P iff {}\n  up to symmetry; it is the whole table, heaps up to {}, {} classes of P-positions",
            found.form,
            table.most(),
            found.classes
        ),
        Standing::TooLittle => {
            value["needs"] = needs.into();
            let classes = found.classes;
            let needed =
                format!("not enough data, needs about heaps up to {needs}: {classes} classes of P-positions");
            match found.missed_count {
                0 => format!("{needed} say no more than the form\n  {}", found.form),
                _ => format!("{needed} are too few for any form"),
            }
        }
        Standing::Partial => partial(&found),
    };
    (told, value, if standing == Standing::Whole { Ending::Done } else { Ending::Negative })
}

fn partial(found: &Found) -> String {
    let missed: Vec<String> = found.missed.iter().take(6).map(|p| super::listed(p)).collect();
    format!(
        "no form found; the best misses {} of {} classes and names no N-position:\n  {}\n  missed: {}{}",
        found.missed_count,
        found.classes,
        found.form,
        missed.join("  "),
        if found.missed_count > missed.len() { " …" } else { "" }
    )
}
