//! What a theory of a family of games offers to those who study, report and play: the trait
//! [`Theory`], and the types that all theories share: claims, verdicts, theorems, second looks,
//! commands that make a result again.
//!
//! No theory is named here, nor is any family of games.

pub mod answer;
mod atomic_write;
pub mod block;
pub mod certificates;
pub mod checked;
pub mod claim;
mod claim_error;
pub mod form;
mod justification;
mod proving;
pub mod recheck;
pub mod reproduce;
pub mod table_entry;
pub mod text;
mod theory;
pub mod verdict;

pub use atomic_write::atomic_write;
pub use block::{Block, NumberGrid, Picture, StatedForm, StatementKind};
pub use certificates::{CertificateStore, TheoremError};
pub use claim_error::ClaimError;
pub use justification::Justification;
pub use proving::prover_budget;
pub use theory::{
    ClaimBound, ClaimRequest, PublishedVerdict, SingleHeap, StageKind, StudiedFamily, StudiedStage,
    StudyOption, Survey, Theory, TheoryAnswers, TheoryError, TheoryFindings, TheoryRequest,
    TheoryStudy, UnsupportedGame, named_fields,
};
