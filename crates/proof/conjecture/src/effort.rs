//! The remaining budget of a search, shared by all its parts.
//!
//! A node is a position examined, or a step of a beam. An exhausted budget stays exhausted: every
//! part of the search ends with its best result so far, and anything not examined completely counts
//! as not shown.

use bouton_core::{LimitReached, Meter};
use std::cell::RefCell;

/// The shared meter of a search.
pub(crate) struct SearchBudget<'m>(RefCell<&'m mut Meter>);

/// The number of positions between two checks of the meter.
pub(crate) const BATCH: u64 = 4096;

impl<'m> SearchBudget<'m> {
    pub(crate) fn new(meter: &'m mut Meter) -> SearchBudget<'m> {
        SearchBudget(RefCell::new(meter))
    }

    /// Charges nodes, and checks the clock and the cancellation token.
    pub(crate) fn spend(&self, nodes: u64) -> Result<(), LimitReached> {
        self.0.borrow_mut().spend_and_poll(nodes)
    }

    /// Charges a batch when it is full. To be called for each position examined, with its number.
    #[inline]
    pub(crate) fn position(&self, number: u64) -> Result<(), LimitReached> {
        if number.is_multiple_of(BATCH) { self.spend(BATCH) } else { Ok(()) }
    }

    /// Runs work that charges the meter itself.
    pub(crate) fn within<T>(&self, work: impl FnOnce(&mut Meter) -> T) -> T {
        work(&mut self.0.borrow_mut())
    }

    /// Returns the limit that is reached, if any.
    pub(crate) fn spent(&self) -> Option<LimitReached> {
        self.spend(0).err()
    }

    pub(crate) fn goes_on(&self) -> bool {
        self.spent().is_none()
    }
}
