//! Long work divided into shards: a sweep of Kotzig's Nim, a census of codes, an atlas.
//!
//! A [`Plan`] is a short text that says what is wanted; it expands to [`Shard`]s, texts again, that list games and say what each
//! may cost. A shard is a pure function from its text to a [sealed](seal) Parquet file, which is named by the text's hash: it
//! may run on any machine, in any order and more than once. From the files alone the plan makes its [`Table`]. What schedules the
//! shards is no part of this: Dask does, in the package for Python.

mod atlas;
mod census;
mod plan;
pub mod seal;
mod shard;
mod sweep;
mod table;

pub use census::Which;
pub use plan::{Part, Plan, PlanError, TableError};
pub use shard::{FileError, Shard, ShardError};
pub use table::{Column, Table};

/// The version of plans, shards and files. Another one is not read. It goes up whenever a plan's text comes to mean other shards, be it
/// by another guess at what games cost.
pub const FORMAT: u32 = 2;
/// The version of the program: of another one the same text might mean other numbers.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The names of the atlas's plans that come with the program.
pub fn atlas_plans() -> Vec<&'static str> {
    bouton_atlas::PLANS.iter().map(|(name, _)| *name).collect()
}
