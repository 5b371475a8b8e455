//! What a search may still spend, shared by all its parts.
//!
//! A node is a position looked at, or a step of a beam. Once the budget is spent it stays so: every part of the search
//! ends with what it has, and what was not looked at to the end counts as not shown.

use bouton_core::{LimitReached, Meter};
use std::cell::RefCell;

/// The meter of a search.
pub(crate) struct Effort<'m>(RefCell<&'m mut Meter>);

/// Positions between two looks at the meter.
pub(crate) const LOT: u64 = 4096;

impl<'m> Effort<'m> {
    pub(crate) fn new(meter: &'m mut Meter) -> Effort<'m> {
        Effort(RefCell::new(meter))
    }

    /// Spends so many nodes, and looks at clock and watch.
    pub(crate) fn spend(&self, nodes: u64) -> Result<(), LimitReached> {
        self.0.borrow_mut().many(nodes)
    }

    /// To be called for each position looked at, with its number: spends the nodes of a lot when it is full.
    #[inline]
    pub(crate) fn position(&self, number: u64) -> Result<(), LimitReached> {
        if number.is_multiple_of(LOT) { self.spend(LOT) } else { Ok(()) }
    }

    /// Work that counts by itself.
    pub(crate) fn within<T>(&self, work: impl FnOnce(&mut Meter) -> T) -> T {
        work(&mut self.0.borrow_mut())
    }

    /// Why the search must end, if it must.
    pub(crate) fn spent(&self) -> Option<LimitReached> {
        self.spend(0).err()
    }

    pub(crate) fn goes_on(&self) -> bool {
        self.spent().is_none()
    }
}
