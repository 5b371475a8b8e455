//! What a check may take, and why it proves nothing.

use std::borrow::Cow;
use std::fmt;

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Something in it is wrong, or not shown; what.
    Wrong(Cow<'static, str>),
    /// It takes more steps than are allowed.
    TooLong,
    /// Whoever asked for the check told it to end. Nothing is known then.
    Stopped,
}

impl Reason {
    /// The same with what it is about.
    pub(crate) fn about(self, what: impl fmt::Display) -> Reason {
        match self {
            Reason::Wrong(text) => Reason::Wrong(format!("{what}: {text}").into()),
            other => other,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Wrong(text) => text,
            Reason::TooLong => "this takes too many steps to check",
            Reason::Stopped => "the check was stopped",
        })
    }
}

impl From<&'static str> for Reason {
    fn from(text: &'static str) -> Reason {
        Reason::Wrong(text.into())
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Reason {
        Reason::Wrong(text.into())
    }
}

/// Steps left, and who says whether to go on.
pub(crate) struct Work<'w> {
    left: u64,
    /// Steps until the next question.
    quiet: u64,
    go_on: &'w mut dyn FnMut() -> bool,
}

/// Steps between two questions: well below a millisecond.
const QUIET: u64 = 1 << 16;

impl<'w> Work<'w> {
    pub(crate) fn new(go_on: &'w mut dyn FnMut() -> bool) -> Work<'w> {
        Work { left: u64::MAX, quiet: 0, go_on }
    }

    /// Allows so many steps from here.
    pub(crate) fn allow(&mut self, steps: u64) {
        self.left = steps;
    }

    /// Spends steps.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Reason> {
        self.left = self.left.checked_sub(steps as u64).ok_or(Reason::TooLong)?;
        self.pass(steps)
    }

    /// Steps that are bounded elsewhere: they count for the questions only.
    pub(crate) fn pass(&mut self, steps: usize) -> Result<(), Reason> {
        match self.quiet.checked_sub(steps as u64) {
            Some(quiet) => self.quiet = quiet,
            None => {
                self.quiet = QUIET;
                if !(self.go_on)() {
                    return Err(Reason::Stopped);
                }
            }
        }
        Ok(())
    }
}
