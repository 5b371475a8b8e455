//! Automata that read numbers digit by digit, and first-order formulas decided by them.
//!
//! A [`Numeration`] says how numbers are spelt. [`normal`] and [`linear_form`] bring comparisons
//! into the form that [`digits`] reads; [`decide()`] combines automata by the connectives of a
//! formula; an [`Acceptor`] is an automaton given from outside. Nothing here knows what a game is.

pub mod acceptor;
pub mod automaton;
pub mod decide;
pub mod dfa;
pub mod digits;
pub mod effort;
pub mod eliminate;
pub mod linear_form;
pub mod machine;
pub mod normal;
pub mod numeration;
pub mod reduced;
pub mod slices;

pub use acceptor::{Acceptor, AcceptorError, columns};
pub use decide::{Automatic, Decision, Values, decide};
pub use dfa::{Dfa, Join};
pub use digits::Unreadable;
pub use effort::{Undecided, default_budget};
pub use linear_form::Variable;
pub use normal::NoNormalForm;
pub use numeration::Numeration;
