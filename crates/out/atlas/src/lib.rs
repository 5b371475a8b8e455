//! Atlases: every game of an [`AtlasPlan`] studied within a budget, with the results as [`Entry`]
//! rows.
//!
//! A plan is a few lines of TOML that expand to games. [`run`] studies the games in order and
//! appends each result to a [`Journal`] before it begins the next. A kill at any moment loses at
//! most the game under way, and the next run continues. An [`Atlas`] is the final result, one
//! Parquet file per plan; [`site`] makes a page of several, [`counts_table`] a table. A statement
//! is called proved only if the independent checker has accepted its certificate in this run.

mod atlas;
mod counts;
mod entry;
mod expand;
mod journal;
mod load;
mod picture;
mod plan;
mod run;
mod site;

pub use atlas::{Atlas, AtlasError, COLUMNS, cells, entry};
pub use counts::{counts, counts_table};
pub use entry::{Entry, Status};
pub use journal::{Journal, JournalError};
pub use plan::{AtlasPlan, EntryLimits, Job, PLANS};
pub use run::{EntryError, Progress, RunEnd, run, study_jobs};
pub use site::site;

/// The version of entries, journals and files. Another version is not read.
pub const FORMAT: u32 = 1;
