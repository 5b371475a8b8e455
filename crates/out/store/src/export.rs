//! Results as files: the lines of Tan & Ward's database, CSV, JSON Lines, Parquet.

use crate::database::{Database, Row, StoreError, play_text};
#[cfg(feature = "parquet")]
use crate::family::MAX_MOVES;
#[cfg(feature = "parquet")]
use crate::parquet::{Cell, GAME_COLUMNS, ParquetWriter};
use bouton_core::{Outcome, Play};
use bouton_kotzig::CircleOutcome;
use std::io::{self, Write};

/// A text format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `m1 m2 n N`, as in the paper; `?` for an unknown outcome. Lines do not name the convention:
    /// export one at a time.
    Lines,
    /// `moves,n,play,outcome` with a header. Moves are separated by blanks; an unknown outcome is
    /// empty.
    Csv,
    /// One JSON object per line: `{"moves":[1,5],"n":8,"play":"normal","outcome":"N"}`. An unknown
    /// outcome is null.
    JsonLines,
    /// An array of these objects.
    Json,
}

/// Writes the results that satisfy `condition` (see [`Database::query`]) and have the outcome
/// asked for, if one is. Returns their number.
///
/// # Errors
/// The outer error is one of the database or of the condition, the inner one of `out`.
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

fn write_row(
    Row { moves, n, play, outcome }: &Row,
    format: Format,
    out: &mut impl Write,
) -> io::Result<()> {
    let joined = moves.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let letter = outcome.map(|outcome| outcome.to_string());
    match format {
        Format::Lines => writeln!(out, "{joined} {n} {}", letter.as_deref().unwrap_or("?")),
        Format::Csv => {
            writeln!(out, "{joined},{n},{},{}", play_text(*play), letter.unwrap_or_default())
        }
        Format::JsonLines | Format::Json => {
            serde_json::to_writer(&mut *out, &CircleOutcome::new(moves, *n, *play, *outcome))?;
            write!(out, "{}", if format == Format::Json { "" } else { "\n" })
        }
    }
}

/// Writes the results that satisfy `condition` as Parquet, and returns their number. The columns
/// are m1, …, m6 (null past the last move), n, play, and outcome (null if unknown).
///
/// # Errors
/// Fails as [`export`] does.
#[cfg(feature = "parquet")]
pub fn export_parquet(
    database: &Database,
    condition: Option<&str>,
    play: Option<Play>,
    out: impl Write + Send,
) -> Result<io::Result<u64>, StoreError> {
    let mut table = match ParquetWriter::new(out, &GAME_COLUMNS) {
        Ok(table) => table,
        Err(error) => return Ok(Err(error)),
    };
    let rows = database.query(condition, play, |Row { moves, n, play, outcome }| {
        let moves = (0..MAX_MOVES)
            .map(|at| moves.get(at).map_or(Cell::Null, |step| Cell::from_number(*step)));
        let outcome = Cell::from_text(outcome.map(|outcome| outcome.to_string()));
        table.write_row(moves.chain([
            Cell::from_number(*n),
            Cell::Text(play_text(*play).into()),
            outcome,
        ]))
    })?;
    Ok(rows.and_then(|rows| table.finish().map(|()| rows)))
}
