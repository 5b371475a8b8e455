//! The result of one game in one convention, as a row: a statement, its status, the command that
//! reproduces it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The status of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Proved for all sizes: the independent checker has accepted a certificate.
    Proved,
    /// Holds as far as computed, with more evidence than the statement has parameters; not proved.
    Holds,
    /// The conjectured form has a counterexample in a larger table, and no other form was found.
    Refuted,
    /// No form was found within the budget.
    None,
}

impl Status {
    /// All statuses.
    pub const ALL: [Status; 4] = [Status::Proved, Status::Holds, Status::Refuted, Status::None];

    /// Returns the word that files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Proved => "proved",
            Status::Holds => "holds",
            Status::Refuted => "refuted",
            Status::None => "none",
        }
    }

    /// Reads the word of a status.
    pub fn parse(word: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A row of the atlas. It contains no times: the same game with the same budget in nodes gives the
/// same row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name of the game in normal form.
    pub game: String,
    /// "normal" or "misere".
    pub play: String,
    /// The kind of study: heaps, sequence, cash or family.
    pub kind: String,
    /// The status of the statement.
    pub status: Status,
    /// The result in words; without one, what was examined.
    pub statement: String,
    /// The form alone: a formula over the heaps a, b, …, a period, or a condition on n, d and e.
    pub form: Option<String>,
    /// The heap or parameter up to which the form was compared with tables.
    pub bound: Option<u64>,
    /// The reason why there is no proof, or a counterexample.
    pub reason: Option<String>,
    /// The published claims that were compared, with the verdicts: "C1 holds".
    pub published: Option<String>,
    /// The hash of the certificate, as in its last line.
    pub certificate: Option<String>,
    /// A description of what the checker did.
    pub checked: Option<String>,
    /// The command that reproduces the entry.
    pub again: String,
    /// The data of the picture, as JSON.
    pub picture: Option<String>,
}
