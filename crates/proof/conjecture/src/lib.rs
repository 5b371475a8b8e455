//! From a table to a closed form as a mathematician would print it.
//!
//! This crate does not know games: forms come from data alone. A conjecture carries the range of
//! its comparison and its evidence. Proofs are the task of `bouton_prover`.

mod automaton;
mod bits;
mod cell;
mod condition;
mod data;
mod effort;
mod fitted_form;
mod form;
mod learner;
mod nim_sums;
mod pairs;
mod parameter;
mod periodic_values;
mod piecewise;
mod purses;
mod quadratic;
mod recurrence;
mod scaled;
mod sequence;
mod shape;
mod slices;
mod space;
mod table;
mod typeset;

pub use automaton::{Automaton, DigitBox, few_futures};
pub use cell::Cell;
pub use condition::Condition;
pub use data::{Data, DataError, DataErrorKind, read};
pub use fitted_form::{Fit, InexpressibleForm};
pub use form::{ClosedForm, FittedForm, conjecture, learn_box};
pub use learner::{Learned, Reading, learn, learned_form};
pub use nim_sums::NimSums;
pub use pairs::{Pairs, pairs};
pub use parameter::{ParametricForm, parametric_forms};
pub use piecewise::{HeapOutcomes, piecewise_form};
pub use purses::{PurseOutcomes, PurseRows, purse_form, single_purse_form};
pub use recurrence::{Recurrence, Rule, recurrence};
pub use scaled::Scaled;
pub use sequence::{Periodic, ResidueClasses, classes, periodic};
pub use shape::Cases;
pub use slices::densest_slice;
pub use space::Space;
pub use table::{Images, OutcomeTable, TableBuilder, TableError};
pub use typeset::{latex, mathml};
