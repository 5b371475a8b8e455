//! Results as text: the lines of Tan & Ward's database, CSV, JSON Lines.

use crate::database::{Database, Row, StoreError, word};
use bouton_rules::Play;
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
}

/// Writes the results that satisfy `condition` (see [`Database::query`]) and returns how many they are.
pub fn export(
    database: &Database,
    condition: Option<&str>,
    play: Option<Play>,
    format: Format,
    out: &mut impl Write,
) -> Result<io::Result<u64>, StoreError> {
    if format == Format::Csv
        && let Err(error) = writeln!(out, "moves,n,play,outcome")
    {
        return Ok(Err(error));
    }
    database.query(condition, play, |row| write_row(row, format, out))
}

fn write_row(Row { moves, n, play, outcome }: &Row, format: Format, out: &mut impl Write) -> io::Result<()> {
    let joined = moves.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let letter = outcome.map(|outcome| outcome.to_string());
    match format {
        Format::Lines => writeln!(out, "{joined} {n} {}", letter.as_deref().unwrap_or("?")),
        Format::Csv => writeln!(out, "{joined},{n},{},{}", word(*play), letter.unwrap_or_default()),
        Format::JsonLines => {
            let line = serde_json::json!({"moves": moves, "n": n, "play": word(*play), "outcome": letter});
            writeln!(out, "{line}")
        }
    }
}
