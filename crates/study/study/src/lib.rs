//! From rules to theorems: the line of one game, and each of its steps alone.
//!
//! [`study()`] is the whole line of any game, as plain data; [`follow`] that of a game on heaps: it
//! makes a table, seeks a form, holds it against a larger table and proves it; what contradicts the
//! form sends it back with more data. A [`PublishedClaim`] of any kind, and a [`Form`] of one's
//! own, is settled by [`settle()`] and [`settle_form`]; what became of it is a [`Verdict`]. Nothing
//! is called proved here that the independent checker has not accepted, and a refutation is looked
//! at again by the rules alone.

mod answer;
mod asking;
mod board;
#[cfg(not(target_family = "wasm"))]
mod by_parameter;
mod retrograde;
// The prover of theorems on families would be a twentieth of the static site.
#[cfg(target_family = "wasm")]
#[path = "by_parameter_stub.rs"]
mod by_parameter;
mod determined;
mod large_heaps;
#[cfg(not(target_family = "wasm"))]
mod large_sums;
mod learned;
#[cfg(not(target_family = "wasm"))]
mod misere_sums;
mod named_position;
mod nim_values;
mod observed;
mod orbits;
mod parameter;
mod parametric;
mod parametric_game;
#[cfg(not(target_family = "wasm"))]
mod partial;
mod pipeline;
// The page asks for none.
#[cfg(target_family = "wasm")]
#[path = "partial_stub.rs"]
mod partial;
mod partial_theorem;
mod published;
#[cfg(not(target_family = "wasm"))]
mod remembered;
// The page asks for no theorems on parts of a game, where such forms stand.
#[cfg(not(target_family = "wasm"))]
mod fibonacci_nim;
mod move_system;
#[cfg(target_family = "wasm")]
#[path = "remembered_stub.rs"]
mod remembered;
mod rows;
mod settings;
mod settle;
mod single_heaps;
mod slice;
mod stage;
mod study;
mod suggested;
mod sums_of_heaps;
mod tables;
mod theorems;
mod winning_idea;
mod worth_leaving;

pub use answer::{Answer, Answers, answer, normal_form};
pub use board::{Board, FitWord, Round, States};
#[cfg(not(target_family = "wasm"))]
pub use large_sums::{SummandPosition, large_sum};
#[cfg(not(target_family = "wasm"))]
pub use misere_sums::MisereSums;
pub use move_system::{StatedError, as_it_stands, stated, stated_in};
#[cfg(not(target_family = "wasm"))]
pub use named_position::summand_positions;
pub use named_position::{NamedPositionError, heaps_as_sum, named_position};
pub use nim_values::{NimValues, value_claim, with_value};
pub use observed::{ObservedPeriod, ObservedSequence, observed_period, observed_sequence};
pub use parameter::{AtValue, RangeError, RangeStudy, Sentence, study_range};
pub use parametric::{
    ParametricSettled, ParametricStatement, ParametricStudy, ValueClass, settle_parametric,
    study_parametric,
};
pub use parametric_game::parametric_game;
pub use partial_theorem::PartialTheorem;
pub use pipeline::{ForAll, Pipeline, PipelineOutcome, follow};
pub use published::{Comparison, Disagreement, Meant, MissedClasses};
pub use rows::sequence_by_rules;
pub use settings::Settings;
pub use settle::{
    Bound, SettleFormError, compare_with_tables, settle, settle_automaton, settle_for, settle_form,
    settle_orbit,
};
pub use single_heaps::{
    RemotenessOfAll, remoteness_of, remoteness_of_all, single_heap_sequence, single_heap_values,
};
pub use slice::Slice;
pub use stage::Stage;
pub use study::{
    Findings, Heaps, Kind, NoStudy, Rules, Start, Study, StudyError, Subject, TheoryResult,
    Winning, numbers, study,
};
pub use sums_of_heaps::{count_lost_sums, count_sums, visit_sums};
pub use tables::{Made, Tables};
pub use theorems::{Known, RecordedTheorem, TheoremSubject, Theorems, name_on_heaps};
pub use winning_idea::{CoinGame, Idea, IdeaKind, is_balanced, winning_idea};

pub use bouton_theory::claim::{self, ClaimStatement, PublishedClaim};
pub use bouton_theory::form::{Form, FormError, SmallerBoard, SmallerBoardError};
pub use bouton_theory::reproduce::ReproduceCommand;
pub use bouton_theory::table_entry;
pub use bouton_theory::verdict::{
    Computed, CoqTheorem, Count, FailedInstance, Failure, ProofSize, Proved, Recheck, Refuted,
    Scope, Size, Statement, Theorem, Unknown, Verdict, VerdictKind,
};
pub use bouton_theory::{
    CertificateStore, ClaimError, Justification, StageKind, StudiedStage, StudyOption,
    TheoremError, atomic_write,
};
