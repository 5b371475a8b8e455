//! Results as files: the lines of Tan & Ward's database, CSV, JSON Lines, Parquet.

#[cfg(feature = "parquet")]
use crate::database::MAX_MOVES;
use crate::database::{Database, Row, StoreError, word};
#[cfg(feature = "parquet")]
use crate::parquet::{Entry, Kind, Parquet};
use bouton_core::{Outcome, Play};
use std::io::{self, Write};

/// A form of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `m1 m2 n N`, as in the paper; `?` for unknown. No convention: export one at a time.
    Lines,
    /// `moves,n,play,outcome` with a header; moves separated by blanks, outcome empty where unknown.
    Csv,
    /// One JSON object a line: `{"moves":[1,5],"n":8,"play":"normal","outcome":"N"}`, outcome null where unknown.
    JsonLines,
    /// The same objects as one array.
    Json,
}

/// Writes the results that satisfy `condition` (see [`Database::query`]) and have the outcome asked for, if one is;
/// returns how many they are.
pub fn export(
    database: &Database,
    condition: Option<&str>,
    outcome: Option<OutcomeIs>,
    play: Option<Play>,
    format: Format,
    out: &mut impl Write,
) -> Result<io::Result<u64>, StoreError> {
    if format == Format::Csv
        && let Err(error) = writeln!(out, "moves,n,play,outcome")
    {
        return Ok(Err(error));
    }
    let (mut first, mut written) = (true, 0);
    let rows = database.query(condition, play, |row| {
        if outcome.is_some_and(|outcome| !outcome.is(row.outcome)) {
            return Ok(());
        }
        written += 1;
        if format == Format::Json {
            out.write_all(if std::mem::take(&mut first) { b"[" } else { b"," })?;
        }
        write_row(row, format, out)
    })?;
    let end = |_| match format {
        Format::Json => writeln!(out, "{}]", if written == 0 { "[" } else { "" }).map(|()| written),
        _ => Ok(written),
    };
    Ok(rows.and_then(end))
}

/// Which outcome is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeIs {
    /// Won by the player who moves second.
    P,
    /// Won by the player who moves first.
    N,
    /// Not known.
    Unknown,
}

impl OutcomeIs {
    /// Returns whether a result is the one that is asked for.
    fn is(self, outcome: Option<Outcome>) -> bool {
        match self {
            OutcomeIs::P => outcome == Some(Outcome::P),
            OutcomeIs::N => outcome == Some(Outcome::N),
            OutcomeIs::Unknown => outcome.is_none(),
        }
    }
}

fn write_row(Row { moves, n, play, outcome }: &Row, format: Format, out: &mut impl Write) -> io::Result<()> {
    let joined = moves.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let letter = outcome.map(|outcome| outcome.to_string());
    match format {
        Format::Lines => writeln!(out, "{joined} {n} {}", letter.as_deref().unwrap_or("?")),
        Format::Csv => writeln!(out, "{joined},{n},{},{}", word(*play), letter.unwrap_or_default()),
        Format::JsonLines | Format::Json => {
            let line = serde_json::json!({"moves": moves, "n": n, "play": word(*play), "outcome": letter});
            let end = if format == Format::Json { "" } else { "\n" };
            write!(out, "{line}{end}")
        }
    }
}

/// The columns of the view `result` but for the canonical form.
#[cfg(feature = "parquet")]
const COLUMNS: [(&str, Kind); MAX_MOVES + 3] = [
    ("m1", Kind::Integer),
    ("m2", Kind::Integer),
    ("m3", Kind::Integer),
    ("m4", Kind::Integer),
    ("m5", Kind::Integer),
    ("m6", Kind::Integer),
    ("n", Kind::Integer),
    ("play", Kind::Word),
    ("outcome", Kind::Word),
];

/// As [`export`], as Parquet: columns m1 … m6 (null past the last move), n, play, outcome (null where unknown).
#[cfg(feature = "parquet")]
pub fn export_parquet(
    database: &Database,
    condition: Option<&str>,
    play: Option<Play>,
    out: impl Write + Send,
) -> Result<io::Result<u64>, StoreError> {
    let mut table = match Parquet::new(out, &COLUMNS) {
        Ok(table) => table,
        Err(error) => return Ok(Err(error)),
    };
    let rows = database.query(condition, play, |Row { moves, n, play, outcome }| {
        let integer = |&value: &u64| i64::try_from(value).map_or(Entry::Null, Entry::Integer);
        let moves = (0..MAX_MOVES).map(|at| moves.get(at).map_or(Entry::Null, integer));
        let letter = outcome.map(|outcome| outcome.to_string());
        let letter = letter.as_deref().map_or(Entry::Null, Entry::Word);
        table.row(moves.chain([integer(n), Entry::Word(word(*play)), letter]))
    })?;
    Ok(rows.and_then(|rows| table.finish().map(|()| rows)))
}
