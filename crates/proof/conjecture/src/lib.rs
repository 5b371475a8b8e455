//! From a table to a closed form a mathematician would print.
//!
//! Nothing here knows a game: forms come from data alone. A conjecture says how far it was checked and how much of the
//! data speaks for it; proofs are the business of `bouton_prover`.

mod automaton;
mod bits;
mod cell;
mod condition;
mod data;
mod effort;
mod form;
mod found;
mod learner;
mod nim_sums;
mod pairs;
mod parameter;
mod quadratic;
mod scaled;
mod sequence;
mod shape;
mod space;
mod table;
mod typeset;

pub use automaton::{Automaton, Whole};
pub use cell::Cell;
pub use condition::Condition;
pub use data::{Data, DataError, DataFault, read};
pub use form::{ClosedForm, Found, conjecture, learned};
pub use found::{Fit, NoFormula};
pub use learner::{Learnt, Reading, learn, learnt_form};
pub use nim_sums::NimSums;
pub use pairs::Pairs;
pub use parameter::{InParameter, in_parameter};
pub use scaled::Scaled;
pub use sequence::{Classes, Periodic, classes, periodic};
pub use shape::Cases;
pub use space::Space;
pub use table::{Images, OutcomeTable, TableBuilder, TableError};
pub use typeset::{latex, mathml};
