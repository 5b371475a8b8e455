//! Many games of Kotzig's Nim at once: sweeps over families and the database of results.
//!
//! [`sweep`] solves the games of a family on all cores and puts the results into a [`Database`]; [`export`] and
//! [`parquet`] take them out.

pub mod database;
pub mod export;
#[cfg(feature = "parquet")]
pub mod parquet;
mod seal;
pub mod sweep;

pub use database::{Database, StoreError};
