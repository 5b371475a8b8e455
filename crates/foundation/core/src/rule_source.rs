//! Where the rules of a user's own game were read.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A rule file, as the games read from it remember it: commands and certificates name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSource {
    /// The game's name.
    pub name: String,
    /// The file, where it was read from one.
    pub path: Option<PathBuf>,
    /// The whole text.
    pub text: String,
}

/// An error in the rules of a game that only a position brought to light: the rules are a program,
/// or play need not end.
///
/// A handle to its text, so that it may be copied with the limit that ended a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleFault(&'static str);

/// Number of different faults whose texts are kept for as long as the process lives.
const KEPT_FAULTS: usize = 1024;
/// Length of the longest text of a fault, in bytes.
const LONGEST_FAULT: usize = 2000;

impl RuleFault {
    /// Creates a fault with this text; a very long one is cut.
    pub fn new(text: &str) -> RuleFault {
        static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
        let mut end = text.len().min(LONGEST_FAULT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = texts.get(text) {
            return RuleFault(known);
        }
        if texts.len() == KEPT_FAULTS {
            return RuleFault(
                "the rules fail; too many different faults were met to keep their texts",
            );
        }
        let kept: &'static str = Box::leak(text.into());
        texts.insert(kept);
        RuleFault(kept)
    }

    /// Returns the text.
    pub fn text(self) -> &'static str {
        self.0
    }
}

impl std::fmt::Display for RuleFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}
