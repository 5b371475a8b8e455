//! `bouton query` and `bouton export`: what a database of sweeps holds.

use super::TableFile;
use crate::Status;
use crate::context::{Context, must_end};
use crate::error::CommandError;
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
    pub answer: TableFile,
}

/// Write the results of a database as text or Parquet
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton export --db kotzig.db > kotzigdatabase.txt
  bouton export --db kotzig.db --format csv --misere > misere.csv
  bouton export --db kotzig.db -o kotzig.parquet")]
pub struct Export {
    /// The database
    #[arg(long, value_name = "FILE")]
    db: PathBuf,
    /// The format [default: as the ending of -o FILE says, else lines]
    #[arg(long, value_enum)]
    format: Option<Output>,
    /// Write into a file as its ending says: .txt lines, .csv, .jsonl, .json or .parquet
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        let as_json = context.json;
        let format = match (as_json, context.csv) {
            (true, _) => Format::Json,
            (false, true) => Format::Csv,
            (false, false) => Format::Lines,
        };
        let (condition, outcome) = with_outcome(&self.condition);
        let rows = write(context, &self.db, condition, outcome, self.misere, format)?;
        Ok(if rows > 0 { Status::Done } else { Status::Negative })
    }
}

impl Export {
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        let format = self.format_of_file(context.json)?;
        let condition = self.only.as_deref();
        let Some(file) = &self.output else {
            match format {
                Some(format) => {
                    write(context, &self.db, condition, None, self.misere, format)?;
                }
                None => self.parquet()?,
            }
            return Ok(Status::Done);
        };
        let play = super::play(self.misere);
        let database = Database::open(&self.db)?;
        let at = |error| CommandError::File(file.display().to_string(), error);
        let mut out = BufWriter::new(std::fs::File::create(file).map_err(at)?);
        let rows = match format {
            Some(format) => export(&database, condition, None, Some(play), format, &mut out)?,
            None => export_parquet(&database, condition, Some(play), &mut out)?,
        };
        out.flush().map_err(at)?;
        writeln!(std::io::stdout(), "{} in {}", rows.map_err(at)?, file.display())?;
        Ok(Status::Done)
    }

    /// Returns the format asked for, or that of the file's ending; `None` is Parquet.
    fn format_of_file(&self, as_json: bool) -> Result<Option<Format>, CommandError> {
        let of_file = |file: &PathBuf| match file.extension().and_then(|ending| ending.to_str()) {
            Some("txt") => Ok(Some(Format::Lines)),
            Some("csv") => Ok(Some(Format::Csv)),
            Some("jsonl") => Ok(Some(Format::JsonLines)),
            Some("json") => Ok(Some(Format::Json)),
            Some("parquet") => Ok(None),
            _ => {
                let accepted = must_end(&["txt", "csv", "jsonl", "json", "parquet"]);
                Err(CommandError::Usage(format!("{}: {accepted}", file.display())))
            }
        };
        if as_json && self.format.is_some() && self.output.is_none() {
            return Err(CommandError::Usage(
                "--format and --json are two formats; accepted: one of them".into(),
            ));
        }
        let by_ending = self.output.as_ref().map(of_file).transpose()?;
        let asked = self.format.map(|format| match format {
            Output::Lines if as_json => Some(Format::Json),
            Output::Lines => Some(Format::Lines),
            Output::Csv => Some(Format::Csv),
            Output::Jsonl => Some(Format::JsonLines),
            Output::Parquet => None,
        });
        let said = asked.or(as_json.then_some(Some(Format::Json)));
        match (by_ending, said) {
            (Some(ending), Some(said)) if ending != said => Err(CommandError::Usage(
                "--format and the file's ending are two formats; accepted: one of them".into(),
            )),
            (Some(format), _) | (None, Some(format)) => Ok(format),
            (None, None) => Ok(Some(Format::Lines)),
        }
    }

    fn parquet(&self) -> Result<(), CommandError> {
        let out = std::io::stdout();
        if out.is_terminal() {
            return Err(CommandError::Usage(
                "Parquet is a binary format; write it into a file: -o kotzig.parquet".into(),
            ));
        }
        let play = super::play(self.misere);
        export_parquet(&Database::open(&self.db)?, self.only.as_deref(), Some(play), out)??;
        Ok(())
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
) -> Result<u64, CommandError> {
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
