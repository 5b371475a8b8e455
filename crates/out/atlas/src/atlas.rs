//! The rows of one plan, as one Parquet file: the published form, from which page and counts are
//! made.

use crate::FORMAT;
use crate::entry::{Entry, Status};
use crate::plan::AtlasPlan;
use bouton_store::parquet::{self, Cell, ColumnKind, ParquetWriter};
use std::io;

/// The rows of one plan, complete or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Atlas {
    /// The name of the plan.
    pub plan: String,
    /// A description of the plan.
    pub about: String,
    /// The hash of the plan.
    pub digest: String,
    /// The version of the program.
    pub version: String,
    /// The budget of each game, in words.
    pub budget: String,
    /// The number of games of the plan.
    pub games: usize,
    /// The rows, each with the number of its game in the plan, in that order.
    pub rows: Vec<(usize, Entry)>,
}

/// An error of a file that is no atlas.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// The file is not Parquet.
    #[error("no Parquet file: {0}; accepted: PLAN.parquet as bouton atlas writes it")]
    Parquet(#[from] io::Error),
    /// The file is Parquet, but no atlas.
    #[error("no atlas: {0}; accepted: PLAN.parquet as bouton atlas writes it")]
    Other(String),
}

/// The columns of a file.
pub const COLUMNS: [(&str, ColumnKind); 14] = [
    ("number", ColumnKind::Integer),
    ("game", ColumnKind::Text),
    ("play", ColumnKind::Text),
    ("kind", ColumnKind::Text),
    ("status", ColumnKind::Text),
    ("statement", ColumnKind::Text),
    ("form", ColumnKind::Text),
    ("bound", ColumnKind::Integer),
    ("reason", ColumnKind::Text),
    ("published", ColumnKind::Text),
    ("certificate", ColumnKind::Text),
    ("checked", ColumnKind::Text),
    ("again", ColumnKind::Text),
    ("picture", ColumnKind::Text),
];

impl Atlas {
    /// Returns an atlas of these rows of a plan.
    pub fn new(plan: &AtlasPlan, rows: Vec<(usize, Entry)>) -> Atlas {
        Atlas {
            plan: plan.name.clone(),
            about: plan.about.clone(),
            digest: plan.digest(),
            version: env!("CARGO_PKG_VERSION").into(),
            budget: plan.limits.to_string(),
            games: plan.jobs.len(),
            rows,
        }
    }

    /// Returns the atlas as a file. Equal rows give equal bytes.
    ///
    /// # Errors
    /// Fails if the file cannot be made.
    pub fn to_parquet(&self) -> io::Result<Vec<u8>> {
        let metadata = [
            ("bouton.format", FORMAT.to_string()),
            ("bouton.version", self.version.clone()),
            ("bouton.plan", self.plan.clone()),
            ("bouton.about", self.about.clone()),
            ("bouton.digest", self.digest.clone()),
            ("bouton.budget", self.budget.clone()),
            ("bouton.games", self.games.to_string()),
        ];
        let mut bytes = Vec::new();
        let mut file = ParquetWriter::with_metadata(&mut bytes, &COLUMNS, &metadata, true)?;
        for (number, row) in &self.rows {
            file.write_row(cells(*number, row))?;
        }
        file.finish()?;
        Ok(bytes)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Fails if the bytes are not an atlas of this format.
    pub fn from_parquet(bytes: Vec<u8>) -> Result<Atlas, AtlasError> {
        let table = parquet::read(bytes)?;
        let value = |key: &str| {
            let value = table.metadata.get(&format!("bouton.{key}"));
            value.cloned().ok_or_else(|| AtlasError::Other(format!("it says nothing of its {key}")))
        };
        let format = value("format")?;
        if format != FORMAT.to_string() {
            return Err(AtlasError::Other(format!(
                "it has format {format}, this program reads {FORMAT}"
            )));
        }
        if table.columns != COLUMNS.map(|(name, _)| name) {
            return Err(AtlasError::Other(format!("its columns are {}", table.columns.join(", "))));
        }
        let games = value("games")?
            .parse()
            .map_err(|_| AtlasError::Other("its games have no number".into()))?;
        let malformed =
            |row: &[Cell<'_>]| AtlasError::Other(format!("a row is none: {:?}", row.first()));
        let rows = table.rows.iter().map(|row| entry(row).ok_or_else(|| malformed(row)));
        Ok(Atlas {
            plan: value("plan")?,
            about: value("about")?,
            digest: value("digest")?,
            version: value("version")?,
            budget: value("budget")?,
            games,
            rows: rows.collect::<Result<_, _>>()?,
        })
    }
}

/// Returns an entry as a row of a file, with the number of its game.
pub fn cells(number: usize, entry: &Entry) -> [Cell<'static>; COLUMNS.len()] {
    let text = |text: &str| Cell::from_text(Some(text.to_owned()));
    let optional = |text: &Option<String>| Cell::from_text(text.clone());
    [
        Cell::from_number(number as u64),
        text(&entry.game),
        text(&entry.play),
        text(&entry.kind),
        text(entry.status.as_str()),
        text(&entry.statement),
        optional(&entry.form),
        entry.bound.map_or(Cell::Null, Cell::from_number),
        optional(&entry.reason),
        optional(&entry.published),
        optional(&entry.certificate),
        optional(&entry.checked),
        text(&entry.again),
        optional(&entry.picture),
    ]
}

/// Reads an entry and the number of its game from a row of a file; `None` if the row is malformed.
pub fn entry(row: &[Cell<'_>]) -> Option<(usize, Entry)> {
    let text = |at: usize| row.get(at)?.text().map(str::to_owned);
    let number = |at: usize| row.get(at)?.number();
    let entry = Entry {
        game: text(1)?,
        play: text(2)?,
        kind: text(3)?,
        status: Status::parse(&text(4)?)?,
        statement: text(5)?,
        form: text(6),
        bound: number(7),
        reason: text(8),
        published: text(9),
        certificate: text(10),
        checked: text(11),
        again: text(12)?,
        picture: text(13),
    };
    Some((number(0)? as usize, entry))
}
