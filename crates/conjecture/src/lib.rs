//! From a table to a closed form a mathematician would print.
//!
//! Nothing here knows a game: forms come from data alone. A conjecture says how far it was checked and how much of the
//! data speaks for it; proofs are the business of `bouton_logic`.

mod cell;
mod condition;
mod shape;
mod space;
mod table;

pub use cell::Cell;
pub use condition::Condition;
pub use shape::{Form, Found, shape};
pub use space::Space;
pub use table::{Images, Maker, Table, TableError};
