//! `bouton query` and `bouton export`: what a database of sweeps holds.

use super::AnswerFile;
use crate::Status;
use crate::context::Context;
use crate::fault::Fault;
use bouton_core::Play;
use bouton_store::Database;
use bouton_store::export::{Format, OutcomeIs, export, export_parquet};
use clap::{Args, ValueEnum};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;

/// List the results of a database that satisfy a condition
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton query --db kotzig.db 'm1=1 & m2=5'
  bouton query --db kotzig.db 'm2=m1+1 & n mod 7 = 3' --misere
  bouton query --db kotzig.db 'm1=1 & P'")]
pub struct Query {
    /// A formula over m1 … m6 and n; a move that a game does not have is 0. With `& P`, `& N` or
    /// `& ?` behind it only games of that outcome, ? being unknown
    condition: String,
    /// The database
    #[arg(long, value_name = "FILE")]
    db: PathBuf,
    /// Misère play
    #[arg(long)]
    misere: bool,
    #[command(flatten)]
    pub answer: AnswerFile,
}

/// Write the results of a database as text or Parquet
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton export --db kotzig.db > kotzigdatabase.txt
  bouton export --db kotzig.db --format csv --misere > misere.csv
  bouton export --db kotzig.db --format parquet > kotzig.parquet")]
pub struct Export {
    /// The database
    #[arg(long, value_name = "FILE")]
    db: PathBuf,
    /// The format
    #[arg(long, value_enum, default_value_t = Output::Lines)]
    format: Output,
    /// Misère play
    #[arg(long)]
    misere: bool,
    /// Write only results that satisfy a formula over m1 … m6 and n
    #[arg(long, value_name = "FORMULA")]
    only: Option<String>,
}

/// A form of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// `m1 m2 n N`, `?` for unknown, as in Tan & Ward's database
    Lines,
    /// moves, n, play, outcome with a header
    Csv,
    /// One JSON object a line
    Jsonl,
    /// Apache Parquet: m1 … m6, n, play, outcome
    Parquet,
}

impl Query {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let as_json = context.json;
        let format = if as_json { Format::Json } else { Format::Lines };
        let (condition, outcome) = with_outcome(&self.condition);
        let rows = write(context, &self.db, condition, outcome, self.misere, format)?;
        Ok(if rows > 0 { Status::Done } else { Status::Negative })
    }
}

impl Export {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let as_json = context.json;
        let format = match self.format {
            Output::Lines if as_json => Format::Json,
            Output::Lines => Format::Lines,
            Output::Csv => Format::Csv,
            Output::Jsonl => Format::JsonLines,
            Output::Parquet => return self.parquet(),
        };
        write(context, &self.db, self.only.as_deref(), None, self.misere, format)?;
        Ok(Status::Done)
    }

    fn parquet(self) -> Result<Status, Fault> {
        let out = std::io::stdout();
        if out.is_terminal() {
            return Err(Fault::Usage(
                "Parquet is a binary format; redirect it to a file: `… --format parquet > \
                 kotzig.parquet`"
                    .into(),
            ));
        }
        let play = super::play(self.misere);
        export_parquet(&Database::open(&self.db)?, self.only.as_deref(), Some(play), out)??;
        Ok(Status::Done)
    }
}

/// Returns a condition without the outcome behind it, and that outcome: of `m1 = 1 & P` the formula
/// `m1 = 1` and P.
fn with_outcome(condition: &str) -> (Option<&str>, Option<OutcomeIs>) {
    let (rest, last) = match condition.rsplit_once('&') {
        Some((rest, last)) => (Some(rest), last),
        None => (None, condition),
    };
    let outcome = match last.trim() {
        "P" => OutcomeIs::P,
        "N" => OutcomeIs::N,
        "?" => OutcomeIs::Unknown,
        _ => return (Some(condition), None),
    };
    match rest {
        // `m1 = 1 | m1 = 2 & P` says something else of m1 = 1.
        Some(rest) if !is_conjunction(rest) => (Some(condition), None),
        rest => (rest, Some(outcome)),
    }
}

/// Returns whether nothing in a formula outside parentheses binds weaker than `&`.
fn is_conjunction(formula: &str) -> bool {
    let mut depth = 0i32;
    let weaker = |c: char, at: usize| c == '|' || formula[at..].starts_with("=>");
    for (at, c) in formula.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            // Quantifiers reach to the end.
            'A' | 'E' => return false,
            _ if depth == 0 && weaker(c, at) => return false,
            _ => {}
        }
    }
    true
}

fn write(
    context: &Context,
    db: &std::path::Path,
    condition: Option<&str>,
    outcome: Option<OutcomeIs>,
    misere: bool,
    format: Format,
) -> Result<u64, Fault> {
    let play: Play = super::play(misere);
    let mut out = BufWriter::new(context.out());
    let rows = export(&Database::open(db)?, condition, outcome, Some(play), format, &mut out)??;
    out.flush()?;
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_stand_behind_a_condition() {
        for (text, condition, outcome) in [
            ("m1=1 & P", Some("m1=1 "), Some(OutcomeIs::P)),
            ("N", None, Some(OutcomeIs::N)),
            ("(m1=1 | m1=2) & n>3 & ?", Some("(m1=1 | m1=2) & n>3 "), Some(OutcomeIs::Unknown)),
            ("m1=1 & n=3", Some("m1=1 & n=3"), None),
            // These are no conjunctions with an outcome, and no formulas.
            ("m1=1 | m1=2 & P", Some("m1=1 | m1=2 & P"), None),
            ("(m1=1) | (m1=2) & P", Some("(m1=1) | (m1=2) & P"), None),
            ("m1=1 => n=2 & P", Some("m1=1 => n=2 & P"), None),
            ("E x: m1=x & P", Some("E x: m1=x & P"), None),
        ] {
            assert_eq!(with_outcome(text), (condition, outcome), "{text}");
        }
    }
}
