//! An atlas: every game of a [`Plan`] studied within a budget, and what became of each as plain [`Entry`] rows.
//!
//! A plan is a few lines of TOML that expand to games. [`run`] studies them one after the other and appends each result to a
//! [`Journal`] before it begins the next: a kill at any moment loses the game in work at most, and the next run goes on. An
//! [`Atlas`] is what is left in the end, one Parquet file a plan; [`site`] makes one page of some of them, [`counts`] a
//! table. Nothing is called proved here whose certificate the independent checker has not accepted in this run.

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
pub use counts::{Counts, counts};
pub use entry::{Entry, Status};
pub use journal::{Journal, JournalError};
pub use plan::{Each, Job, PLANS, Plan, PlanError};
pub use run::{EntryError, Progress, Stopped, entries, run, studied};
pub use site::site;

/// The version of what is written: of entries, journals and files. Another one is not read.
pub const FORMAT: u32 = 1;
