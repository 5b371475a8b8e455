//! From rules to theorems: the line of one game, and each of its steps alone.
//!
//! [`follow`] makes a table, seeks a form, holds it against a larger table and proves it; what contradicts the form sends it
//! back with more data. A [`PublishedClaim`] of any kind, and a [`Form`] of one's own, is settled by [`settle()`] and
//! [`settle_form`]; what became of it is a [`Verdict`]. Nothing is called proved here that the independent
//! checker has not accepted, and a refutation is looked at again by the rules alone.

mod cash;
pub mod claim;
mod classification;
mod codes;
mod form;
mod line;
mod published;
mod settle;
pub mod table_entry;
mod tables;
mod verdict;

pub use cash::{CashError, WinCondition, cash_rules, win_condition};
pub use claim::{PublishedClaim, Says};
pub use classification::{Classification, Solved, nim_values, outcomes};
pub use codes::{code_of, sequence_of};
pub use form::{Form, FormError};
pub use line::{Board, Ending, Line, Round, follow};
pub use published::{Beyond, Comparison, Disagreement, compare};
pub use settle::{
    Bound, ClaimError, NoValue, SettleFormError, StatedError, as_it_stands, settle, settle_form, stated,
    stated_in,
};
pub use tables::{Made, Tables};
pub use verdict::{Computed, Failure, Proved, Recheck, Refuted, Theorem, Unknown, Verdict};
