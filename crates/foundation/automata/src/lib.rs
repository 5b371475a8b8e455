//! Automata that read numbers digit by digit, and first-order formulas decided by them.
//!
//! *Digits.* How numbers are written is said by three types, each with what its users can do:
//!
//! - [`Numeration`]: binary, or by a continued fraction (Ostrowski; Zeckendorf by the golden
//!   ratio). Used for reading linear comparisons: [`decide()`], certificates of kind `p-positions`.
//! - [`DigitSystem`](bouton_core::DigitSystem): by a recurrence: to a base from 2 to 10,
//!   Zeckendorf, Tribonacci. Used for reading columns by a table: [`Acceptor`],
//!   certificates of kind `automatic`.
//! - [`Digits`](bouton_core::Digits): binary or Zeckendorf. Used for what a game states of itself;
//!   it becomes a [`Numeration`].
//!
//! *Automata.* A formula is brought to atoms ([`normal`], [`linear_form`]), each of which has
//! finitely many states as digits are read ([`digits::AtomReader`]). Of these are made, by what
//! reads them:
//!
//! - [`conjunction_nfa::ConjunctionNfa`]: one step reads a bit of one variable; existential
//!   variables are guessed. Used for witnesses, moves that answer a position, and as what the next
//!   is made of.
//! - [`bit_dfa::BitDfa`]: one step reads a bit of one variable. Used for the cover of all cases in
//!   a proof of P-positions; minimal automata from conjunctions without tables of columns.
//! - [`Dfa`]: one step reads a column: a digit of each variable, by a decision diagram. Used for
//!   [`decide()`]: products and projections of automata of many variables.
//! - [`AutomaticRelation`]: one step reads as [`Dfa`], which it has with the names of its variables
//!   and a [`Numeration`]. Used for the answer of [`decide()`] for a formula with free variables.
//! - [`Acceptor`]: one step reads a column of any [`DigitSystem`](bouton_core::DigitSystem), by a
//!   table. Used for automata given from outside or learned, Walnut's text, what a certificate of
//!   kind `automatic` states.
//!
//! [`decide()`] combines automata by the connectives of a formula. Nothing here knows what a game
//! is. The checker has automata and digits of its own and shares none of these types.

pub mod acceptor;
pub mod bit_dfa;
pub mod conjunction_nfa;
pub mod decide;
pub mod dfa;
pub mod digits;
pub mod effort;
pub mod eliminate;
pub mod linear_form;
pub mod normal;
pub mod numeration;
pub mod ostrowski;
pub mod reduced;
pub mod slices;

pub use acceptor::{Acceptor, AcceptorError, columns};
pub use decide::{AutomaticRelation, Decision, Values, decide};
pub use dfa::{Dfa, Join};
pub use digits::Unreadable;
pub use effort::{Undecided, default_budget};
pub use linear_form::Variable;
pub use normal::NoNormalForm;
pub use numeration::Numeration;
