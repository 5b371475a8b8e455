//! Sealed files: Parquet with a checksum of the whole file among its own metadata.
//!
//! The seal is 64 hexadecimal digits in the footer: the SHA-256 of the file with zeros in their
//! place. The place is found without reading the format. No byte of a file is therefore trusted, or
//! passed to a reader of Parquet, before the whole file is known to be unchanged.

use crate::parquet::{self, Cell, ColumnKind, ParquetTable, ParquetWriter};
use std::io;

/// The metadata key of the seal.
const KEY: &str = "bouton.seal";
const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A table that is to be written into a sealed file.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// The columns.
    pub columns: Vec<(&'static str, ColumnKind)>,
    /// The rows, one cell per column.
    pub rows: Vec<Vec<Cell<'static>>>,
}

/// Returns a sealed file of these rows, compressed if `is_packed`. Equal rows and metadata give
/// equal bytes.
///
/// # Errors
/// Fails if the file cannot be made.
///
/// # Panics
/// Panics if a row has another width than the columns, or a cell of another kind.
pub fn write(table: &Rows, metadata: &[(&str, String)], is_packed: bool) -> io::Result<Vec<u8>> {
    let mut metadata = metadata.to_vec();
    metadata.push((KEY, ZEROS.to_owned()));
    let mut bytes = Vec::new();
    let mut file = ParquetWriter::with_metadata(&mut bytes, &table.columns, &metadata, is_packed)?;
    for row in &table.rows {
        file.write_row(row.iter().cloned())?;
    }
    file.finish()?;
    let at = seal_offset(&bytes)
        .filter(|at| bytes.get(*at..*at + ZEROS.len()) == Some(ZEROS.as_bytes()));
    let at = at.ok_or_else(|| io::Error::other("the seal has no place"))?;
    let seal = bouton_certificate::sha256(&bytes);
    bytes[at..at + ZEROS.len()].copy_from_slice(seal.as_bytes());
    Ok(bytes)
}

/// Reads a sealed file. Returns `None` if a byte has changed or is missing.
pub fn read(mut bytes: Vec<u8>) -> Option<ParquetTable> {
    let at = seal_offset(&bytes)?;
    let seal = bytes.get(at..at + ZEROS.len())?.to_vec();
    bytes[at..at + ZEROS.len()].copy_from_slice(ZEROS.as_bytes());
    if bouton_certificate::sha256(&bytes).as_bytes() != seal {
        return None;
    }
    parquet::read(bytes).ok()
}

/// Returns the offset of the seal: after its key and the two bytes with which the format begins a
/// text of 64 bytes.
fn seal_offset(bytes: &[u8]) -> Option<usize> {
    let key = bytes.windows(KEY.len()).rposition(|window| window == KEY.as_bytes())?;
    (bytes.get(key + KEY.len()..)?.starts_with(&[0x18, 0x40])).then_some(key + KEY.len() + 2)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    /// Every flipped bit and every truncation is detected.
    #[test]
    fn no_change_is_overlooked() {
        let rows = (0..40).map(|n| vec![Cell::Integer(n), Cell::Text("P".into())]).collect();
        let columns = vec![("n", ColumnKind::Integer), ("outcome", ColumnKind::Text)];
        let table = Rows { columns, rows };
        for is_packed in [false, true] {
            let bytes = write(&table, &[("bouton.budget", "none".into())], is_packed).unwrap();
            assert_eq!(
                write(&table, &[("bouton.budget", "none".into())], is_packed).unwrap(),
                bytes
            );
            assert_eq!(read(bytes.clone()).unwrap().rows, table.rows);
            for at in 0..bytes.len() {
                for bit in [1, 128] {
                    let mut changed = bytes.clone();
                    changed[at] ^= bit;
                    assert_eq!(read(changed), None, "byte {at}");
                }
                assert_eq!(read(bytes[..at].to_vec()), None, "{at} bytes");
            }
        }
    }
}
