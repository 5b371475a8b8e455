//! A checksum a row, for SQLite has none: a disk that forgets a bit would otherwise answer for us.
//!
//! FNV-1a of 64 bits over the fields as text. Every step of it is a bijection of the sum so far, so no change of a single
//! byte goes unseen; others are seen but for one in 2^64. In SQL it is the function `seal(FIELD, …)`.

use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result};

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Makes `seal` known to a connection.
pub(crate) fn install(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("seal", -1, flags, |fields| {
        let sum = (0..fields.len()).fold(BASIS, |sum, i| field(sum, fields.get_raw(i)));
        Ok(sum as i64)
    })
}

/// The sum after one field more; each ends with a byte that is in none.
fn field(sum: u64, value: ValueRef<'_>) -> u64 {
    let sum = match value {
        ValueRef::Null => sum,
        ValueRef::Integer(number) => bytes(sum, number.to_string().as_bytes()),
        ValueRef::Real(number) => bytes(sum, number.to_string().as_bytes()),
        ValueRef::Text(text) | ValueRef::Blob(text) => bytes(sum, text),
    };
    bytes(sum, &[0xff])
}

fn bytes(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(PRIME))
}
