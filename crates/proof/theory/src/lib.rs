//! What a theory of a family of games offers to those who study, report and play: the trait [`Theory`], and the types
//! that all theories share: claims, verdicts, theorems, second looks, commands that make a result again.
//!
//! No theory is named here, nor is any family of games.

pub mod again;
pub mod certificates;
pub mod checked;
pub mod claim;
mod claim_error;
pub mod form;
pub mod recheck;
pub mod table_entry;
mod theory;
pub mod verdict;
mod whole;

pub use certificates::{CertificateStore, TheoremError};
pub use claim_error::ClaimError;
pub use theory::{
    Block, NumberGrid, StudyOption, Survey, Theory, TheoryError, TheoryFindings, TheoryRequest, TheoryStudy,
};
pub use whole::write_whole;
