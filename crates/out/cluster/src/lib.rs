//! Long computations divided into shards: sweeps of Kotzig's Nim, censuses of codes, atlases.
//!
//! A [`Plan`] is a short text that says what to compute. It expands to [`Shard`]s: texts again,
//! which list games and the budget of each. A shard is a pure function from its text to a sealed
//! Parquet file ([`bouton_store::sealed`]), which is named by the hash of the text. A shard may
//! therefore run on any machine, in any order, and more than once. The plan combines the files into
//! a [`ResultTable`].
//!
//! A kind of work implements [`work::PlanWork`] and [`work::ShardWork`] and is one line of
//! [`work::KINDS`]; plans, shards and texts know the traits only. This crate does not schedule
//! shards: Dask does, in the Python package.

mod atlas;
mod census;
mod document;
mod plan;
mod shard;
mod sweep;
mod table;
mod work;

pub use bouton_store::UsageError;
pub use census::CodeSet;
pub use plan::{Plan, PlanError, PlannedShard, TableError};
pub use shard::{FileError, Shard, ShardError};
pub use table::{Column, ResultTable};

/// The version of plans, shards and files. Another version is not read. It increases whenever the
/// text of a plan expands to other shards, for instance by another estimate of costs.
pub const FORMAT: u32 = 2;
/// The version of the program. Another version might compute other numbers from the same text.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the names of the atlas plans that ship with the program.
pub fn atlas_plans() -> Vec<&'static str> {
    bouton_atlas::PLANS.iter().map(|(name, _)| *name).collect()
}
