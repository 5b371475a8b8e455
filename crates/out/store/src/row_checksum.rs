//! A checksum per row, because SQLite has none: a flipped bit on the disk is found, not reported as
//! a result.
//!
//! The checksum is 64-bit FNV-1a over the fields as text. Every step is a bijection of the sum so
//! far, so every change of a single byte is detected. Other changes go undetected with probability
//! 2^-64. In SQL it is the function `seal(FIELD, …)`.

use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result};

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Defines the SQL function `seal` on a connection.
pub(crate) fn install(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("seal", -1, flags, |fields| {
        let sum = (0..fields.len()).fold(BASIS, |sum, i| add_field(sum, fields.get_raw(i)));
        Ok(sum as i64)
    })
}

/// Returns the sum after one more field. A byte that occurs in no field ends each of them.
fn add_field(sum: u64, value: ValueRef<'_>) -> u64 {
    let sum = match value {
        ValueRef::Null => sum,
        ValueRef::Integer(number) => add_bytes(sum, number.to_string().as_bytes()),
        ValueRef::Real(number) => add_bytes(sum, number.to_string().as_bytes()),
        ValueRef::Text(text) | ValueRef::Blob(text) => add_bytes(sum, text),
    };
    add_bytes(sum, &[0xff])
}

fn add_bytes(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(PRIME))
}
