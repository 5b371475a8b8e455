//! What is found, on disk as soon as it is found: a directory with `journal.jsonl`, a line for the plan and a line a game, and
//! `certificates/HASH.cert`.
//!
//! A line that a kill has torn is cut off when the directory is opened again; a whole line that cannot be read is an error,
//! for then somebody else has written there. A directory of another plan, budget or version is refused.

use crate::entry::Entry;
use crate::plan::Plan;
use crate::{Atlas, FORMAT};
use bouton_study::write_whole;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// Another plan's, or another version's.
    #[error("{directory} holds {theirs}, not {ours}; accepted: an empty directory, or this plan's own")]
    Other {
        /// The directory.
        directory: PathBuf,
        /// What it holds.
        theirs: String,
        /// What was asked for.
        ours: String,
    },
    /// Files that are no atlas.
    #[error("{0} is not empty and holds no atlas; accepted: an empty directory, or this plan's own")]
    Foreign(PathBuf),
    /// A line.
    #[error("{0}, line {1}: {2}")]
    Line(PathBuf, usize, String),
    /// Another process writes here.
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

/// Any other line.
#[derive(Serialize, Deserialize)]
struct Line {
    number: usize,
    entries: Vec<Entry>,
}

/// An open journal; nobody else writes there meanwhile.
#[derive(Debug)]
pub struct Journal {
    directory: PathBuf,
    file: File,
    found: BTreeMap<usize, Vec<Entry>>,
}

/// The journal's file.
const JOURNAL: &str = "journal.jsonl";
const CERTIFICATES: &str = "certificates";

impl Journal {
    /// Opens a plan's journal; makes directory and journal if there are none.
    pub fn open(directory: &Path, plan: &Plan) -> Result<Journal, JournalError> {
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
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&path).map_err(at(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(directory.to_owned())),
            Err(TryLockError::Error(error)) => return Err(JournalError::File(path, error)),
        }
        // By the handle that has the lock: elsewhere no other may read.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(at(&path))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let head = Head {
            atlas: FORMAT,
            version: env!("CARGO_PKG_VERSION").into(),
            plan: plan.name.clone(),
            digest: plan.digest(),
            budget: plan.budget(),
        };
        let mut found = BTreeMap::new();
        for (i, line) in bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
            let slip = |why: String| JournalError::Line(path.clone(), i + 1, why);
            if i == 0 {
                let theirs: Head =
                    serde_json::from_slice(line).map_err(|_| JournalError::Foreign(directory.to_owned()))?;
                if theirs != head {
                    return Err(JournalError::Other {
                        directory: directory.to_owned(),
                        theirs: theirs.words(),
                        ours: head.words(),
                    });
                }
                continue;
            }
            let line: Line = serde_json::from_slice(line).map_err(|error| slip(error.to_string()))?;
            if line.number >= plan.jobs.len() {
                return Err(slip(format!("game {} of {}", line.number, plan.jobs.len())));
            }
            found.insert(line.number, line.entries);
        }
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0)).map(drop)).map_err(at(&path))?;
        let mut journal = Journal { directory: directory.to_owned(), file, found };
        if whole == 0 {
            journal.write(&head)?;
        }
        Ok(journal)
    }

    /// Whether a game of the plan has its entries.
    pub fn has(&self, number: usize) -> bool {
        self.found.contains_key(&number)
    }

    /// How many games have.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Writes the entries of a game; they are on disk when this returns.
    pub(crate) fn append(&mut self, number: usize, entries: Vec<Entry>) -> Result<(), JournalError> {
        let line = Line { number, entries };
        self.write(&line)?;
        self.found.insert(number, line.entries);
        Ok(())
    }

    /// Keeps a certificate under its hash.
    pub(crate) fn keep(&self, hash: &str, text: &str) -> Result<(), JournalError> {
        let folder = self.directory.join(CERTIFICATES);
        let path = folder.join(format!("{hash}.cert"));
        std::fs::create_dir_all(&folder)
            .and_then(|()| write_whole(&path, text))
            .map_err(|error| JournalError::File(path, error))
    }

    /// What was found, in the order of the plan.
    pub fn atlas(&self, plan: &Plan) -> Atlas {
        let rows = self.found.iter().flat_map(|(number, rows)| rows.iter().map(|row| (*number, row.clone())));
        Atlas::of(plan, rows.collect())
    }

    /// Writes `PLAN.parquet` into the directory; where.
    pub fn save(&self, plan: &Plan) -> Result<PathBuf, JournalError> {
        let path = self.directory.join(format!("{}.parquet", plan.name));
        let written = self.atlas(plan).to_parquet().and_then(|bytes| write_whole(&path, bytes));
        written.map_err(|error| JournalError::File(path.clone(), error))?;
        Ok(path)
    }

    /// One line, in one write.
    fn write(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let written = serde_json::to_vec(line).map_err(io::Error::other).and_then(|mut bytes| {
            bytes.push(b'\n');
            self.file.write_all(&bytes)?;
            self.file.sync_data()
        });
        written.map_err(|error| JournalError::File(self.directory.join(JOURNAL), error))
    }
}

impl Head {
    fn words(&self) -> String {
        let Head { atlas, version, plan, digest, budget } = self;
        let short = digest.get(..12).unwrap_or(digest);
        format!("plan {plan} ({short}, {budget}) of version {version}, format {atlas}")
    }
}
