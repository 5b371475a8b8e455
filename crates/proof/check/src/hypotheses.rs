//! Lists of hypotheses: what a theorem asks for, in words, each with its test.
//!
//! Every kind of certificate has one function `hypotheses` at the top of its module. The function
//! tests whatever the kind's theorem assumes of the game, the claim and the fields of the body,
//! so that list and theorem can be compared line by line.

use crate::Rejected;
use std::borrow::Cow;

/// A hypothesis of a theorem, and whether it holds.
pub(crate) struct Hypothesis {
    line: usize,
    words: Cow<'static, str>,
    holds: bool,
    instead: Cow<'static, str>,
}

impl Hypothesis {
    /// Returns a hypothesis in words that fit behind "the theorem needs", decided by a line of
    /// the file (0: by no single one), and what there is instead.
    pub(crate) fn new(
        line: usize,
        words: impl Into<Cow<'static, str>>,
        holds: bool,
        instead: impl Into<Cow<'static, str>>,
    ) -> Hypothesis {
        Hypothesis { line, words: words.into(), holds, instead: instead.into() }
    }
}

/// Checks that all hypotheses of a theorem hold.
///
/// # Errors
///
/// Names the theorem, the first hypothesis that does not hold, and what there is instead.
pub(crate) fn all_hold(
    theorem: &str,
    list: impl IntoIterator<Item = Hypothesis>,
) -> Result<(), Rejected> {
    match list.into_iter().find(|one| !one.holds) {
        None => Ok(()),
        Some(Hypothesis { line, words, instead, .. }) => {
            Err(Rejected::new(line, format!("{theorem} needs {words}; {instead}")))
        }
    }
}
