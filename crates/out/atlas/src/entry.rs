//! What became of one game in one convention, as one row: a statement, how sure it is, how to make it again.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How sure a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// For all sizes: the independent checker has accepted a certificate.
    Proved,
    /// As far as computed, and with evidence beyond what the statement takes to say; not proved.
    Holds,
    /// The form that the tables suggested has a counterexample further on, and no other was found.
    Refuted,
    /// Nothing was found within the budget.
    None,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 4] = [Status::Proved, Status::Holds, Status::Refuted, Status::None];

    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Status::Proved => "proved",
            Status::Holds => "holds",
            Status::Refuted => "refuted",
            Status::None => "none",
        }
    }

    /// The status of a word.
    pub fn parse(word: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.word() == word)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A row of the atlas. No times are in it: the same game with the same budget in nodes gives the same row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The game's name in normal form.
    pub game: String,
    /// "normal" or "misere".
    pub play: String,
    /// What kind of study: heaps, sequence, cash, family.
    pub kind: String,
    /// How sure the statement is.
    pub status: Status,
    /// What was found, in words; of what was not, what was looked at.
    pub statement: String,
    /// The form alone: a formula of the heaps a, b, …, a period, a condition on n, d and e.
    pub form: Option<String>,
    /// The greatest heap or parameter with which everything up to it was compared.
    pub bound: Option<u64>,
    /// Why there is no proof, or a counterexample.
    pub reason: Option<String>,
    /// The rows of the ledger that were held against it, and what came out: "C1 holds".
    pub published: Option<String>,
    /// The certificate's hash, as in its last line.
    pub certificate: Option<String>,
    /// What the checker did.
    pub checked: Option<String>,
    /// The command that makes it again.
    pub again: String,
    /// What is drawn, as JSON.
    pub picture: Option<String>,
}
