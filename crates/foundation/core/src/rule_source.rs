//! Where the rules of a user's own game were read.

use std::path::PathBuf;

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
