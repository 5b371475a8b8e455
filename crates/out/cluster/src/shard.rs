//! A shard: games, what each may cost, and nothing else. Its text is its name; running it is a pure function.

use crate::seal::{self, Rows};
use crate::{FORMAT, VERSION, atlas, census, sweep};
use bouton_certificate::sha256;
use bouton_core::{Budget, LimitReached};
use bouton_store::parquet::{Owned, Table};
use serde::{Deserialize, Serialize};

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "work", rename_all = "lowercase")]
pub(crate) enum Work {
    Sweep(sweep::Games),
    Census(census::Codes),
    Atlas(atlas::Jobs),
}

/// Games to be solved together.
#[derive(Debug, Clone, PartialEq)]
pub struct Shard {
    text: String,
    work: Work,
}

#[derive(Serialize, Deserialize)]
struct Text {
    format: u32,
    version: String,
    #[serde(flatten)]
    work: Work,
}

/// What every version says of itself.
#[derive(Deserialize)]
pub(crate) struct Head {
    format: u32,
    version: String,
}

impl Head {
    /// The version that wrote a plan or a shard, if it is not this one.
    pub fn other(text: &str) -> Result<Option<String>, serde_json::Error> {
        let Head { format, version } = serde_json::from_str(text)?;
        let same = format == FORMAT && version == VERSION;
        Ok((!same).then(|| format!("{version}, format {format}")))
    }
}

/// Why a shard has no file.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// Not the text of a shard.
    #[error("not the text of a shard: {0}")]
    Text(String),
    /// Another program's.
    #[error(
        "the shard was made by bouton {0}, this is bouton {VERSION}; accepted: the same version on client and workers"
    )]
    Version(String),
    /// It was interrupted, or this machine has too little memory: no answer of the shard's own budget.
    #[error("{0}")]
    Interrupted(LimitReached),
    /// A game of it is none, or a slip of the program.
    #[error("{0}")]
    Game(String),
    /// No file could be made.
    #[error("the file could not be made: {0}")]
    File(#[from] std::io::Error),
}

/// Why a file is not a shard's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Changed or cut off.
    #[error("is damaged: its seal does not fit its bytes")]
    Damaged,
    /// Whole, and another's.
    #[error("holds another shard, {0}")]
    Other(String),
}

impl Shard {
    pub(crate) fn of(work: Work) -> Shard {
        let text = Text { format: FORMAT, version: VERSION.into(), work };
        let written = serde_json::to_string(&text).unwrap_or_default();
        Shard { text: written, work: text.work }
    }

    /// Reads the text of a shard.
    pub fn parse(text: &str) -> Result<Shard, ShardError> {
        let slip = |error: serde_json::Error| ShardError::Text(error.to_string());
        Head::other(text).map_err(slip)?.map_or(Ok(()), |other| Err(ShardError::Version(other)))?;
        let read: Text = serde_json::from_str(text).map_err(slip)?;
        Ok(Shard { text: text.to_owned(), work: read.work })
    }

    /// Rules, version, budget and games, as JSON.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The hash of the text: the name of the file, without `.parquet`.
    pub fn name(&self) -> String {
        sha256(self.text.as_bytes())[..32].to_owned()
    }

    pub(crate) fn work(&self) -> &Work {
        &self.work
    }

    /// How many games.
    pub fn games(&self) -> usize {
        match &self.work {
            Work::Sweep(work) => work.games.len(),
            Work::Census(work) => work.games.len(),
            Work::Atlas(work) => work.games.len(),
        }
    }

    /// Solves it: the bytes of its file. `budget` may only interrupt: what each game may cost stands in the shard.
    pub fn run(&self, budget: &Budget) -> Result<Vec<u8>, ShardError> {
        let (rows, rules, each, packed) = match &self.work {
            Work::Sweep(work) => (work.run(budget)?, work.rules(), work.budget(), false),
            Work::Census(work) => (work.run(budget)?, work.rules(), work.budget(), false),
            Work::Atlas(work) => (work.run(budget)?, work.rules(), work.budget(), true),
        };
        let metadata = [
            ("bouton.format", FORMAT.to_string()),
            ("bouton.version", VERSION.to_owned()),
            ("bouton.rules", rules),
            ("bouton.budget", each),
            ("bouton.shard", self.text.clone()),
        ];
        Ok(seal::sealed(&rows, &metadata, packed)?)
    }

    /// Reads its file: every byte as it was written, by this shard.
    pub fn open(&self, bytes: Vec<u8>) -> Result<Table, FileError> {
        let table = seal::open(bytes).ok_or(FileError::Damaged)?;
        match table.metadata.get("bouton.shard") {
            Some(text) if *text == self.text => Ok(table),
            Some(text) => Err(FileError::Other(sha256(text.as_bytes())[..32].to_owned())),
            None => Err(FileError::Damaged),
        }
    }
}

/// A wish to stop, or what only this machine lacks, is no answer.
pub(crate) fn of_the_machine(limit: LimitReached) -> bool {
    matches!(
        limit,
        LimitReached::Time(_)
            | LimitReached::Cancelled
            | LimitReached::Memory { .. }
            | LimitReached::Disk { .. }
    )
}

/// A word, or nothing.
pub(crate) fn word(text: Option<String>) -> Owned {
    text.map_or(Owned::Null, Owned::Word)
}

/// A number; past the range of the format its greatest.
pub(crate) fn number(number: u64) -> Owned {
    Owned::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Rows of these columns.
pub(crate) fn rows(columns: &[(&'static str, bouton_store::parquet::Kind)], rows: Vec<Vec<Owned>>) -> Rows {
    Rows { columns: columns.to_vec(), rows }
}
