//! Many games of Kotzig's Nim at once: sweeps over families and the database of results; tables as Parquet.
//!
//! [`sweep`] solves the games of a family on all cores and puts the results into a [`Database`]; [`export`] and
//! [`parquet`] take them out.

#[cfg(feature = "database")]
pub mod database;
#[cfg(feature = "database")]
pub mod export;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "database")]
mod seal;
#[cfg(feature = "database")]
pub mod sweep;

#[cfg(feature = "database")]
pub use database::{Database, StoreError};
