//! From rules to theorems: the pipeline of one game, and each of its steps alone.
//!
//! [`study()`] runs the whole pipeline of any game and returns plain data; [`follow`] runs that of
//! a game on heaps. It computes a table, conjectures a form, compares the form with a larger table
//! and proves it; whatever contradicts the form restarts the conjecture with more data.
//! [`settle()`] settles a [`PublishedClaim`] of any kind, and [`settle_form`] any [`Form`]; the
//! result is a [`Verdict`]. "Proved" means that the independent checker has accepted the
//! certificate, and every refutation is rechecked by the rules alone.

mod answer;
mod board;
mod box_learning;
mod certified_positions;
#[cfg(not(target_family = "wasm"))]
mod count_misere;
mod count_positions;
mod dependent_number;
#[cfg(not(target_family = "wasm"))]
mod fibonacci_nim;
mod large_heaps;
#[cfg(not(target_family = "wasm"))]
mod large_sums;
mod mex_pairs;
#[cfg(not(target_family = "wasm"))]
mod misere_sums;
mod move_system;
mod named_position;
mod nim_heap;
mod nim_values;
mod observed;
mod orbits;
mod parameter;
mod parametric;
mod parametric_game;
mod partial_theorem;
mod pipeline;
mod published;
mod query_learning;
mod retrograde;
mod settings;
mod settle;
mod single_heap_sums;
mod single_heaps;
mod slice;
mod stage;
mod study;
mod suggested;
mod summand_values;
mod sums_of_heaps;
mod tables;
mod theorems;
mod two_step_moves;
mod winning_idea;

// The pages of a browser ask for none of what these modules find: they are large, so that the
// static site has stubs in their place.

#[cfg(not(target_family = "wasm"))]
mod by_parameter;
#[cfg(target_family = "wasm")]
#[path = "by_parameter_stub.rs"]
mod by_parameter;

#[cfg(not(target_family = "wasm"))]
mod memory_pairs;
#[cfg(target_family = "wasm")]
#[path = "memory_pairs_stub.rs"]
mod memory_pairs;

#[cfg(not(target_family = "wasm"))]
mod partial;
#[cfg(target_family = "wasm")]
#[path = "partial_stub.rs"]
mod partial;

pub use answer::{Answer, Answers, answer, normal_form};
pub use board::{Board, FormSearchResult, Round, States};
pub use certified_positions::{CertifiedPositions, HeapsOutcome};
#[cfg(not(target_family = "wasm"))]
pub use count_misere::{count_by_digits, count_by_quotient};
pub use count_positions::{CountedPositions, count_by_period, count_by_theorem};
#[cfg(not(target_family = "wasm"))]
pub use large_sums::{SummandPosition, large_sum};
#[cfg(not(target_family = "wasm"))]
pub use misere_sums::MisereSums;
pub use move_system::{StatedError, as_it_stands, stated, stated_in};
#[cfg(not(target_family = "wasm"))]
pub use named_position::summand_positions;
pub use named_position::{NamedPositionError, heaps_as_sum, named_position, numbered_name};
pub use nim_values::{NimValues, ValuePlace, value_claim, with_value};
pub use observed::{ObservedPeriod, ObservedSequence, observed_period, observed_sequence};
pub use parameter::{AtValue, RangeError, RangeStudy, RangeTarget, Sentence, study_range};
pub use parametric::{
    ParametricSettled, ParametricStatement, ParametricStudy, ValueClass, settle_parametric,
    study_parametric,
};
pub use parametric_game::parametric_game;
pub use partial_theorem::PartialTheorem;
pub use pipeline::{ForAll, Pipeline, PipelineOutcome, follow};
pub use published::{ClaimedRelation, Comparison, Disagreement, MissedClasses};
pub use settings::Settings;
pub use settle::{
    Bound, SettleFormError, compare_with_tables, settle, settle_automaton, settle_for, settle_form,
    settle_orbit, settle_pairs,
};
pub use single_heap_sums::{is_sum_of_heaps, sequence_by_rules};
pub use single_heaps::{
    RemotenessOfAll, genus_graph, quotient_code, remoteness_of, remoteness_of_all,
    single_heap_sequence, single_heap_values,
};
pub use slice::Slice;
pub use stage::Stage;
pub use study::{
    Findings, Heaps, Kind, Rules, Start, Study, StudyError, StudyTarget, StudyTargetError,
    TheoryResult, Winning, numbers, study,
};
pub use summand_values::SummandValues;
pub use sums_of_heaps::{
    HeapsSideBySide, MAX_SINGLE_HEAPS, count_lost_sets, count_lost_sums, default_heaps, fault,
    has_different_heaps, has_single_heaps, is_position_of_heaps, multisets, sizes_by_value,
    subsets, visit_lost_heaps, visit_lost_slice, visit_lost_sums, visit_multisets, visit_sums,
};
pub use tables::{Tables, TimedTable};
pub use theorems::{Known, RecordedTheorem, TheoremSubject, Theorems, name_on_heaps};
pub use winning_idea::{CoinGame, Idea, IdeaKind, is_balanced, winning_idea};

pub use bouton_theory::claim::{self, ClaimStatement, PublishedClaim, RecordedClaim};
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
