//! The lines of a certificate's body, read one after the other.

use crate::Rejected;
use crate::work::{Reason, number};

/// The lines that are left.
pub struct Lines<'t> {
    pub rest: &'t str,
    /// The number of the line that comes next.
    pub number: usize,
    /// Most lines of one kind.
    most: usize,
}

impl<'t> Lines<'t> {
    /// Those of a body that begins with the line of this number, of which at most so many may be of one kind.
    pub fn new(body: &'t str, number: usize, most: usize) -> Lines<'t> {
        Lines { rest: body, number, most }
    }

    pub fn take(&mut self) -> &'t str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.number += 1;
        line
    }

    /// The rest of the next line, if it starts so.
    pub fn after(&mut self, start: &str) -> Option<&'t str> {
        if self.rest.starts_with(start) { self.take().strip_prefix(start) } else { None }
    }

    /// How many lines follow.
    pub fn count(&mut self, start: &str) -> Result<usize, Rejected> {
        let count = self.after(start).and_then(number).filter(|n| *n <= self.most);
        count.ok_or_else(|| self.wrong(format!("`{start}N` should stand here")))
    }

    /// A rejection at the line that comes next.
    pub fn wrong(&self, reason: impl Into<Reason>) -> Rejected {
        Rejected::new(self.number, reason)
    }

    /// A rejection at the line before.
    pub fn before(&self, reason: impl Into<Reason>) -> Rejected {
        Rejected::new(self.number - 1, reason)
    }
}
