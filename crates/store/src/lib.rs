//! Many games of Kotzig's Nim at once: families, sweeps over them, the database of results, and claims about them.
//!
//! [`Family`] says which games, [`shard`] solves a list of them (a pure function, so that shards may run anywhere),
//! [`sweep`] does so on all cores and puts the results into a [`Database`], [`verify`] holds the claims of the ledger
//! against whole families, and [`study`] shows one family with the classification fitted to it. [`cash`] holds the claims
//! about NIM with Cash against the game, [`tables`] claims that are tables against the engines.

pub mod cash;
pub mod database;
pub mod export;
mod expression;
mod family;
pub mod parquet;
pub mod shard;
pub mod study;
pub mod sweep;
pub mod tables;
pub mod verify;

pub use database::{Database, StoreError};
pub use family::{Family, Instance, Range};
