//! From a table to a closed form a mathematician would print.
//!
//! Nothing here knows a game: forms come from data alone. A conjecture says how far it was checked and how much of the
//! data speaks for it; proofs are the business of `bouton_logic`.

mod cell;
mod condition;
mod sequence;
mod shape;
mod space;
mod table;
mod typeset;

pub use cell::Cell;
pub use condition::Condition;
pub use sequence::{Classes, Periodic, classes, periodic};
pub use shape::{Form, Found, Standing, shape};
pub use space::Space;
pub use table::{Images, Maker, Table, TableError};
pub use typeset::{latex, mathml};

/// The form of a table's P-positions: the simplest that is all of it, or the one that explains most.
pub fn conjecture(table: &Table) -> Found {
    shape(table)
}
