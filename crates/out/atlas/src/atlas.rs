//! The rows of one plan, as one Parquet file: what is published, and what page and counts are made of.

use crate::FORMAT;
use crate::entry::{Entry, Status};
use crate::plan::Plan;
use bouton_store::parquet::{self, Kind, Owned, Parquet};
use std::io;

/// The rows of one plan, whole or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Atlas {
    /// The plan's name.
    pub plan: String,
    /// What it holds.
    pub about: String,
    /// The plan's hash.
    pub digest: String,
    /// The program's version.
    pub version: String,
    /// What each game could cost, in words.
    pub budget: String,
    /// Games of the plan.
    pub games: usize,
    /// The rows, each with the number of its game in the plan, in that order.
    pub rows: Vec<(usize, Entry)>,
}

/// Why a file is no atlas.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// No Parquet file.
    #[error("no Parquet file: {0}; accepted: PLAN.parquet as bouton atlas writes it")]
    Parquet(#[from] io::Error),
    /// Another one.
    #[error("no atlas: {0}; accepted: PLAN.parquet as bouton atlas writes it")]
    Other(String),
}

/// The columns of a file.
pub const COLUMNS: [(&str, Kind); 14] = [
    ("number", Kind::Integer),
    ("game", Kind::Word),
    ("play", Kind::Word),
    ("kind", Kind::Word),
    ("status", Kind::Word),
    ("statement", Kind::Word),
    ("form", Kind::Word),
    ("bound", Kind::Integer),
    ("reason", Kind::Word),
    ("published", Kind::Word),
    ("certificate", Kind::Word),
    ("checked", Kind::Word),
    ("again", Kind::Word),
    ("picture", Kind::Word),
];

impl Atlas {
    /// These rows of a plan.
    pub fn of(plan: &Plan, rows: Vec<(usize, Entry)>) -> Atlas {
        Atlas {
            plan: plan.name.clone(),
            about: plan.about.clone(),
            digest: plan.digest(),
            version: env!("CARGO_PKG_VERSION").into(),
            budget: plan.budget(),
            games: plan.jobs.len(),
            rows,
        }
    }

    /// As a file. The same rows give the same bytes.
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
        let mut file = Parquet::with(&mut bytes, &COLUMNS, &metadata, true)?;
        for (place, row) in &self.rows {
            file.row(cells(*place, row))?;
        }
        file.finish()?;
        Ok(bytes)
    }

    /// Reads a file.
    pub fn from_parquet(bytes: Vec<u8>) -> Result<Atlas, AtlasError> {
        let table = parquet::read(bytes)?;
        let told = |key: &str| {
            let value = table.metadata.get(&format!("bouton.{key}"));
            value.cloned().ok_or_else(|| AtlasError::Other(format!("it says nothing of its {key}")))
        };
        let format = told("format")?;
        if format != FORMAT.to_string() {
            return Err(AtlasError::Other(format!("it has format {format}, this program reads {FORMAT}")));
        }
        if table.columns != COLUMNS.map(|(name, _)| name) {
            return Err(AtlasError::Other(format!("its columns are {}", table.columns.join(", "))));
        }
        let games =
            told("games")?.parse().map_err(|_| AtlasError::Other("its games have no number".into()))?;
        let rows = table.rows.iter().map(|row| entry(row).ok_or_else(|| slip(row)));
        Ok(Atlas {
            plan: told("plan")?,
            about: told("about")?,
            digest: told("digest")?,
            version: told("version")?,
            budget: told("budget")?,
            games,
            rows: rows.collect::<Result<_, _>>()?,
        })
    }
}

/// An entry as a row of a file, with the number of its game.
pub fn cells(number: usize, entry: &Entry) -> [parquet::Entry<'_>; COLUMNS.len()] {
    use parquet::Entry::{Integer, Null, Word};
    let whole = |number: u64| Integer(i64::try_from(number).unwrap_or(i64::MAX));
    [
        whole(number as u64),
        Word(&entry.game),
        Word(&entry.play),
        Word(&entry.kind),
        Word(entry.status.word()),
        Word(&entry.statement),
        entry.form.as_deref().map_or(Null, Word),
        entry.bound.map_or(Null, whole),
        entry.reason.as_deref().map_or(Null, Word),
        entry.published.as_deref().map_or(Null, Word),
        entry.certificate.as_deref().map_or(Null, Word),
        entry.checked.as_deref().map_or(Null, Word),
        Word(&entry.again),
        entry.picture.as_deref().map_or(Null, Word),
    ]
}

fn slip(row: &[Owned]) -> AtlasError {
    AtlasError::Other(format!("a row is none: {:?}", row.first()))
}

/// An entry from a row of a file, and the number of its game; `None` if it is none.
pub fn entry(row: &[Owned]) -> Option<(usize, Entry)> {
    let maybe = |at: usize| match row.get(at) {
        Some(Owned::Word(word)) => Some(word.clone()),
        _ => None,
    };
    let number = |at: usize| match row.get(at) {
        Some(Owned::Integer(number)) => u64::try_from(*number).ok(),
        _ => None,
    };
    let entry = Entry {
        game: maybe(1)?,
        play: maybe(2)?,
        kind: maybe(3)?,
        status: Status::parse(&maybe(4)?)?,
        statement: maybe(5)?,
        form: maybe(6),
        bound: number(7),
        reason: maybe(8),
        published: maybe(9),
        certificate: maybe(10),
        checked: maybe(11),
        again: maybe(12)?,
        picture: maybe(13),
    };
    Some((number(0)? as usize, entry))
}
