//! Many games of Kotzig's Nim at once: sweeps over families, the database of results, Parquet
//! files.
//!
//! [`sweep`] solves the games of a family on all cores and writes the results into a [`Database`];
//! [`export`] reads them again. [`parquet`] writes and reads tables of integers and texts, and
//! [`sealed`] files of them carry a checksum. This crate does not know plans or shards.

#[cfg(feature = "database")]
pub mod database;
#[cfg(feature = "database")]
pub mod export;
pub mod family;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "database")]
mod row_checksum;
#[cfg(feature = "parquet")]
pub mod sealed;
#[cfg(feature = "database")]
pub mod sweep;
mod usage_error;

#[cfg(feature = "database")]
pub use database::{Database, StoreError};
pub use usage_error::UsageError;
