//! The lines of a certificate's body, read one after the other.

use crate::Rejected;
use crate::work::{Reason, Work, number};

/// The lines that are left.
pub struct Lines<'t> {
    /// The text from the next line on.
    pub rest: &'t str,
    /// The number of the line that comes next.
    pub number: usize,
    /// The number of the line looked at last, whether it is as it should be or not.
    pub at: usize,
    /// Most lines of one kind.
    most: usize,
    pub work: &'t Work<'t>,
}

impl<'t> Lines<'t> {
    /// Returns the lines of a body whose first line has this number in the file; at most `most` of
    /// one kind may follow.
    pub fn new(body: &'t str, number: usize, most: usize, work: &'t Work<'_>) -> Lines<'t> {
        Lines { rest: body, number, at: number, most, work }
    }

    /// Takes the next line; behind the end, an empty one.
    pub fn take(&mut self) -> &'t str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.at = self.number;
        self.number += 1;
        line
    }

    /// Takes the next line, and pays for keeping `bytes` bytes for each of its bytes.
    pub fn kept(&mut self, bytes: usize) -> Result<&'t str, Reason> {
        let line = self.take();
        self.work.hold(128 + bytes * line.len())?;
        Ok(line)
    }

    /// Takes the next line if it starts so, and returns its rest; else leaves it and returns
    /// `None`.
    pub fn after(&mut self, start: &str) -> Option<&'t str> {
        self.at = self.number;
        if self.rest.starts_with(start) { self.take().strip_prefix(start) } else { None }
    }

    /// Takes a line that says how many lines of a kind follow. Fails if it is not there or the
    /// number is too large.
    pub fn count(&mut self, start: &str) -> Result<usize, Reason> {
        let count = self.after(start).and_then(number).filter(|n| *n <= self.most);
        count.ok_or_else(|| format!("`{start}N` should stand here").into())
    }

    /// Checks that no line is left.
    pub fn end(&mut self) -> Result<(), Reason> {
        self.at = self.number;
        if self.rest.is_empty() { Ok(()) } else { Err("nothing more was expected".into()) }
    }

    /// Returns a rejection at the line looked at last.
    pub fn rejected(&self, reason: impl Into<Reason>) -> Rejected {
        Rejected::new(self.at, reason)
    }
}
