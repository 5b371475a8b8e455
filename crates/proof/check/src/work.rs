//! What a check may take, and why it proves nothing.
//!
//! Everything a checker does that could be long is charged here as it is done: steps by the size of
//! what is looked at, memory by the bytes of what is kept. So a file can make a check end early,
//! and nothing else.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Something in it is wrong, or not shown; what.
    Wrong(Cow<'static, str>),
    /// It takes more steps than are allowed.
    TooLong,
    /// It takes more memory than is allowed.
    TooBig,
    /// Whoever asked for the check told it to end. Nothing is known then.
    Stopped,
}

impl Reason {
    /// Returns whether the certificate is wrong; else nothing is known of it.
    pub fn is_verdict(&self) -> bool {
        matches!(self, Reason::Wrong(_))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Wrong(text) => text,
            Reason::TooLong => "this takes too many steps to check",
            Reason::TooBig => "this takes too much memory to check",
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

/// Returns a word of the file as a message shows it: not the whole of a long one.
pub(crate) fn shown(word: &str) -> &str {
    word.get(..40).unwrap_or(word)
}

/// Reads the number that these digits are: no sign, no 0 before others, so that a number is written
/// in one way.
pub(crate) fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    let digits =
        text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| digits)
}

/// Says how many there are of a thing.
pub(crate) fn many(count: impl fmt::Display, thing: &str) -> String {
    let count = count.to_string();
    let ending = if thing.ends_with('s') { "es" } else { "s" };
    if count == "1" { format!("1 {thing}") } else { format!("{count} {thing}{ending}") }
}

/// Most that a check may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Proofs of periods: heaps up to this size are computed once more, by trying all moves.
    pub depth: usize,
    /// Elementary steps, one to three nanoseconds each where the code is optimised.
    pub steps: u64,
    /// Bytes held at one time.
    pub bytes: usize,
}

impl Default for Limits {
    /// Returns limits of some fifteen seconds and 1 GB.
    fn default() -> Limits {
        Limits { depth: crate::DEPTH, steps: 1 << 33, bytes: 1_000_000_000 }
    }
}

/// Steps and bytes left, and who says whether to go on.
pub(crate) struct Work<'w> {
    steps: Cell<u64>,
    bytes: Cell<usize>,
    /// Steps until the next question.
    quiet: Cell<u64>,
    go_on: &'w dyn Fn() -> bool,
}

/// Steps between two questions: well below a millisecond.
const QUIET: u64 = 1 << 16;

impl<'w> Work<'w> {
    pub(crate) fn new(limits: &Limits, go_on: &'w dyn Fn() -> bool) -> Work<'w> {
        Work { steps: limits.steps.into(), bytes: limits.bytes.into(), quiet: 0.into(), go_on }
    }

    /// Spends steps.
    pub(crate) fn spend(&self, steps: usize) -> Result<(), Reason> {
        self.steps.set(self.steps.get().checked_sub(steps as u64).ok_or(Reason::TooLong)?);
        let quiet = self.quiet.get().checked_sub(steps as u64);
        self.quiet.set(quiet.unwrap_or(QUIET));
        if quiet.is_some() || (self.go_on)() { Ok(()) } else { Err(Reason::Stopped) }
    }

    /// Takes memory, and the steps that filling it takes.
    pub(crate) fn hold(&self, bytes: usize) -> Result<(), Reason> {
        self.bytes.set(self.bytes.get().checked_sub(bytes).ok_or(Reason::TooBig)?);
        self.spend(bytes / 16)
    }

    /// Has so many bytes left again: what took the others is dropped.
    pub(crate) fn release(&self, bytes: usize) {
        self.bytes.set(self.bytes().max(bytes));
    }

    /// Returns bytes left.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.get()
    }
}
