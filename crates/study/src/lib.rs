//! From rules to theorems: the line of one game, and each of its steps alone.
//!
//! [`follow`] makes a table, seeks a form, holds it against a larger table and proves it; what contradicts the form sends it
//! back with more data. [`settle`] proves or refutes a form that is given. Nothing is called proved here that the independent
//! checker has not accepted, and a refutation is looked at again by the rules alone.

mod cash;
mod codes;
mod form;
mod line;
mod published;
mod recheck;
mod settle;
mod tables;

pub use cash::{CashError, WinCondition, cash_rules, win_condition};
pub use codes::{code_of, sequence_of};
pub use form::{Form, FormError};
pub use line::{Board, Ending, Line, Round, follow};
pub use published::{Beyond, Comparison, Disagreement, PublishedError, compare};
pub use settle::{Settled, StatedError, Theorem, as_it_stands, settle, stated, stated_in};
pub use tables::{Made, Tables};
