//! From rules to theorems: the line of one game, and each of its steps alone.
//!
//! [`study()`] is the whole line of any game, as plain data; [`follow`] that of a game on heaps: it makes a table, seeks a
//! form, holds it against a larger table and proves it; what contradicts the form sends it
//! back with more data. A [`PublishedClaim`] of any kind, and a [`Form`] of one's own, is settled by [`settle()`] and
//! [`settle_form`]; what became of it is a [`Verdict`]. Nothing is called proved here that the independent
//! checker has not accepted, and a refutation is looked at again by the rules alone.

mod again;
mod answer;
mod bases;
mod board;
mod cash;
mod checked;
mod circles;
pub mod claim;
mod classification;
mod codes;
mod empty;
mod family;
mod form;
mod laps;
mod large_heaps;
mod learned;
mod line;
mod nim_values;
mod parameter;
mod published;
mod ring;
mod rounds;
mod rows;
mod sequence;
mod settle;
mod slice;
mod study;
pub mod table_entry;
mod tables;
mod theorems;
mod verdict;
mod walk;
mod whole;

pub use again::Again;
pub use answer::{Answer, Answers, By, answer, normal_form};
pub use board::{Board, Round, States};
pub use cash::{CashError, CashStudy, WinCondition, cash_rules, win_condition};
pub use circles::{CircleClass, CircleTheorem, NoCircles, circles, settle_circles};
pub use claim::{PublishedClaim, Says};
pub use classification::Classification;
pub use codes::{code_of, sequence_of};
pub use empty::WhereEmpty;
pub use family::{FamilyStudy, FamilyTheorem, Outcomes, Settled};
pub use form::{Form, FormError};
pub use laps::CircleLap;
pub use line::{Ending, ForAll, Line, follow};
pub use nim_values::{NimValues, value_claim, with_value};
pub use parameter::{AtValue, RangeError, RangeStudy, Sentence, study_range};
pub use published::{Beyond, Comparison, Disagreement, Meant};
pub use sequence::{Repeats, Sequences, proof_word};
pub use settle::{
    Bound, ClaimError, NoValue, SettleFormError, StatedError, as_it_stands, hold, settle, settle_automaton,
    settle_for, settle_form, stated, stated_in,
};
pub use slice::Slice;
pub use study::{
    Findings, Heaps, Kind, NoStudy, Rules, Settings, Start, Study, StudyError, Subject, Winning, Wish,
    numbers, study,
};
pub use tables::{Made, Tables};
pub use theorems::{Known, RecordedTheorem, TheoremError, Theorems, counted};
pub use verdict::{Computed, Failure, Proved, Recheck, Refuted, Size, Theorem, Unknown, Verdict};
pub use walk::{Step, Walk};
pub use whole::write_whole;
