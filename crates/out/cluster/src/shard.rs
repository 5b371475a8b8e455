//! Shards: games and the budget of each, and nothing else. The text of a shard is its name, and
//! running it is a pure function.

use crate::document::{self, DocumentError};
use crate::work::ShardWork;
use crate::{FORMAT, VERSION};
use bouton_certificate::sha256;
use bouton_core::{Budget, LimitReached};
use bouton_store::UsageError;
use bouton_store::parquet::ParquetTable;
use bouton_store::sealed;
use serde::Serialize;
use std::sync::Arc;

/// A list of games that one worker solves.
#[derive(Debug, Clone)]
pub struct Shard {
    text: String,
    work: Arc<dyn ShardWork>,
}

/// An error of a shard that makes no file.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The text is not one of a shard of this version, a game cannot be read, or the program
    /// contradicts itself.
    #[error("{0}")]
    Usage(#[from] UsageError),
    /// The shard was interrupted, or this machine lacks memory. Another run may succeed.
    #[error("{0}")]
    Interrupted(LimitReached),
    /// The file cannot be made.
    #[error("the file could not be made: {0}")]
    File(#[from] std::io::Error),
}

impl From<DocumentError> for ShardError {
    fn from(error: DocumentError) -> ShardError {
        ShardError::Usage(error.usage("shard", "the same version on client and workers"))
    }
}

/// An error of a file that does not belong to its shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file is changed or truncated.
    #[error("is damaged: its seal does not fit its bytes")]
    Damaged,
    /// The file is intact and belongs to another shard.
    #[error("holds another shard, {0}")]
    Other(String),
}

impl ShardError {
    /// Returns the error of a game that cannot be solved.
    pub(crate) fn game(why: impl Into<String>) -> ShardError {
        ShardError::Usage(UsageError::plain(why))
    }
}

impl Shard {
    pub(crate) fn new(work: impl ShardWork + Serialize + 'static) -> Shard {
        let text = document::write(work.kind(), &work).unwrap_or_default();
        Shard::with_text(text, work)
    }

    pub(crate) fn with_text(text: String, work: impl ShardWork + 'static) -> Shard {
        Shard { text, work: Arc::new(work) }
    }

    /// Reads the text of a shard.
    ///
    /// # Errors
    /// Fails if the text is malformed or of another version.
    pub fn parse(text: &str) -> Result<Shard, ShardError> {
        (document::kind(text)?.read_shard)(text)
    }

    /// Returns version, budget and games as JSON.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the name of the file without `.parquet`: the first 32 digits of the text's SHA-256.
    pub fn name(&self) -> String {
        name(&self.text)
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.work.games()
    }

    /// Solves the games and returns the bytes of the file. `budget` only interrupts; the budget of
    /// each game is part of the shard.
    ///
    /// # Errors
    /// Fails if the run is interrupted or a game cannot be read.
    pub fn run(&self, budget: &Budget) -> Result<Vec<u8>, ShardError> {
        let rows = self.work.run(budget)?;
        let metadata = [
            ("bouton.format", FORMAT.to_string()),
            ("bouton.version", VERSION.to_owned()),
            ("bouton.rules", self.work.rules()),
            ("bouton.budget", self.work.budget()),
            ("bouton.shard", self.text.clone()),
        ];
        Ok(sealed::write(&rows, &metadata, self.work.is_packed())?)
    }

    /// Reads the file of this shard.
    ///
    /// # Errors
    /// Fails if a byte has changed, or if the file belongs to another shard.
    pub fn open(&self, bytes: Vec<u8>) -> Result<ParquetTable, FileError> {
        let table = sealed::read(bytes).ok_or(FileError::Damaged)?;
        match table.metadata.get("bouton.shard") {
            Some(text) if *text == self.text => Ok(table),
            Some(text) => Err(FileError::Other(name(text))),
            None => Err(FileError::Damaged),
        }
    }
}

fn name(text: &str) -> String {
    sha256(text.as_bytes())[..32].to_owned()
}

/// Returns whether a limit is one of this machine or run (time, memory, cancellation), not of the
/// shard's own budget.
pub(crate) fn is_external(limit: LimitReached) -> bool {
    matches!(
        limit,
        LimitReached::Time(_)
            | LimitReached::Cancelled
            | LimitReached::Memory { .. }
            | LimitReached::Disk { .. }
    )
}
