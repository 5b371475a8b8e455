//! The journal of a run: a directory with `journal.jsonl` and `certificates/HASH.cert`.
//!
//! The first line of the journal describes the plan; every other line has the entries of one game
//! and is written as soon as the game is studied. An incomplete last line, as a kill leaves it, is
//! removed when the directory is opened again. A complete line that cannot be read is an error,
//! because another program must have written it. A directory of another plan, budget or version is
//! refused.

use crate::entry::Entry;
use crate::plan::AtlasPlan;
use crate::{Atlas, FORMAT};
use bouton_study::write_whole;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// An error of a journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The journal belongs to another plan or version.
    #[error(
        "{directory} holds {theirs}, not {ours}; accepted: an empty directory, or this plan's own"
    )]
    Other {
        /// The directory.
        directory: PathBuf,
        /// The plan of the journal.
        theirs: String,
        /// The plan of this run.
        ours: String,
    },
    /// The directory has files and no journal.
    #[error(
        "{0} is not empty and holds no atlas; accepted: an empty directory, or this plan's own"
    )]
    Foreign(PathBuf),
    /// A line cannot be read.
    #[error("{0}, line {1}: {2}")]
    Line(PathBuf, usize, String),
    /// Another process writes to the journal.
    #[error("{0} is in use by another run")]
    InUse(PathBuf),
}

/// The first line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    atlas: u32,
    version: String,
    plan: String,
    digest: String,
    budget: String,
}

/// The line of one game.
#[derive(Serialize, Deserialize)]
struct EntryLine {
    number: usize,
    entries: Vec<Entry>,
}

/// An open journal, locked against other writers.
#[derive(Debug)]
pub struct Journal {
    directory: PathBuf,
    file: File,
    entries: BTreeMap<usize, Vec<Entry>>,
}

/// The name of the journal file.
const JOURNAL: &str = "journal.jsonl";
/// The name of the folder of certificates.
const CERTIFICATES: &str = "certificates";

impl Journal {
    /// Opens the journal of a plan; creates directory and journal if they do not exist.
    ///
    /// # Errors
    /// Fails if the directory belongs to another plan, is in use, or cannot be read or written.
    pub fn open(directory: &Path, plan: &AtlasPlan) -> Result<Journal, JournalError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error: io::Error| JournalError::File(path, error)
        };
        std::fs::create_dir_all(directory).map_err(at(directory))?;
        let path = directory.join(JOURNAL);
        if !path.exists() && std::fs::read_dir(directory).map_err(at(directory))?.next().is_some() {
            return Err(JournalError::Foreign(directory.to_owned()));
        }
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(at(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(directory.to_owned())),
            Err(TryLockError::Error(error)) => return Err(JournalError::File(path, error)),
        }
        // Read by the handle that holds the lock: some systems refuse any other.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(at(&path))?;
        let complete = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let head = Head {
            atlas: FORMAT,
            version: env!("CARGO_PKG_VERSION").into(),
            plan: plan.name.clone(),
            digest: plan.digest(),
            budget: plan.limits.to_string(),
        };
        let mut entries = BTreeMap::new();
        for (i, line) in bytes[..complete].split_inclusive(|byte| *byte == b'\n').enumerate() {
            let line_error = |why: String| JournalError::Line(path.clone(), i + 1, why);
            if i == 0 {
                let theirs: Head = serde_json::from_slice(line)
                    .map_err(|_| JournalError::Foreign(directory.to_owned()))?;
                if theirs != head {
                    return Err(JournalError::Other {
                        directory: directory.to_owned(),
                        theirs: theirs.to_string(),
                        ours: head.to_string(),
                    });
                }
                continue;
            }
            let line: EntryLine =
                serde_json::from_slice(line).map_err(|error| line_error(error.to_string()))?;
            if line.number >= plan.jobs.len() {
                return Err(line_error(format!("game {} of {}", line.number, plan.jobs.len())));
            }
            entries.insert(line.number, line.entries);
        }
        file.set_len(complete as u64)
            .and_then(|()| file.seek(SeekFrom::End(0)).map(drop))
            .map_err(at(&path))?;
        let mut journal = Journal { directory: directory.to_owned(), file, entries };
        if complete == 0 {
            journal.write(&head)?;
        }
        Ok(journal)
    }

    /// Returns whether the journal has the entries of a game of the plan.
    pub fn has(&self, number: usize) -> bool {
        self.entries.contains_key(&number)
    }

    /// Returns the number of games with entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether no game has entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Writes the entries of a game. They are on disk when the call returns.
    pub(crate) fn append(
        &mut self,
        number: usize,
        entries: Vec<Entry>,
    ) -> Result<(), JournalError> {
        let line = EntryLine { number, entries };
        self.write(&line)?;
        self.entries.insert(number, line.entries);
        Ok(())
    }

    /// Writes a certificate under its hash.
    pub(crate) fn write_certificate(&self, hash: &str, text: &str) -> Result<(), JournalError> {
        let folder = self.directory.join(CERTIFICATES);
        let path = folder.join(format!("{hash}.cert"));
        std::fs::create_dir_all(&folder)
            .and_then(|()| write_whole(&path, text))
            .map_err(|error| JournalError::File(path, error))
    }

    /// Returns the entries in the order of the plan.
    pub fn atlas(&self, plan: &AtlasPlan) -> Atlas {
        let rows = self.entries.iter();
        let rows = rows.flat_map(|(number, rows)| rows.iter().map(|row| (*number, row.clone())));
        Atlas::new(plan, rows.collect())
    }

    /// Writes `PLAN.parquet` into the directory, and returns its path.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn save(&self, plan: &AtlasPlan) -> Result<PathBuf, JournalError> {
        let path = self.directory.join(format!("{}.parquet", plan.name));
        let written = self.atlas(plan).to_parquet().and_then(|bytes| write_whole(&path, bytes));
        written.map_err(|error| JournalError::File(path.clone(), error))?;
        Ok(path)
    }

    /// Appends a line in one write, and waits until it is on disk.
    fn write(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let written = serde_json::to_vec(line).map_err(io::Error::other).and_then(|mut bytes| {
            bytes.push(b'\n');
            self.file.write_all(&bytes)?;
            self.file.sync_data()
        });
        written.map_err(|error| JournalError::File(self.directory.join(JOURNAL), error))
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Head { atlas, version, plan, digest, budget } = self;
        let short = digest.get(..12).unwrap_or(digest);
        write!(f, "plan {plan} ({short}, {budget}) of version {version}, format {atlas}")
    }
}
