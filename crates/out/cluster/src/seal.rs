//! Sealed files: a checksum of the whole file among its own metadata.
//!
//! The seal is 64 digits in the footer, in a place that is found without reading the format: the hash of the file with zeros
//! there. So no byte of a file is believed, nor shown to a reader of Parquet, before all of them are known to be those that
//! were written.

use bouton_store::parquet::{self, Entry, Kind, Owned, Parquet};
use std::io;

/// The key of the seal.
const KEY: &str = "bouton.seal";
const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A table on its way into a sealed file.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// The columns.
    pub columns: Vec<(&'static str, Kind)>,
    /// The rows, an entry a column.
    pub rows: Vec<Vec<Owned>>,
}

/// A file of these rows. The same rows and metadata give the same bytes.
pub fn sealed(table: &Rows, metadata: &[(&str, String)], packed: bool) -> io::Result<Vec<u8>> {
    let mut told = metadata.to_vec();
    told.push((KEY, ZEROS.to_owned()));
    let mut bytes = Vec::new();
    let mut file = Parquet::with(&mut bytes, &table.columns, &told, packed)?;
    for row in &table.rows {
        file.row(row.iter().map(|entry| match entry {
            Owned::Integer(number) => Entry::Integer(*number),
            Owned::Word(word) => Entry::Word(word),
            Owned::Null => Entry::Null,
        }))?;
    }
    file.finish()?;
    let at = place(&bytes).filter(|at| bytes.get(*at..*at + ZEROS.len()) == Some(ZEROS.as_bytes()));
    let at = at.ok_or_else(|| io::Error::other("the seal has no place"))?;
    let seal = bouton_certificate::sha256(&bytes);
    bytes[at..at + ZEROS.len()].copy_from_slice(seal.as_bytes());
    Ok(bytes)
}

/// Reads a sealed file; `None` if a byte of it has changed, or is missing.
pub fn open(mut bytes: Vec<u8>) -> Option<parquet::Table> {
    let at = place(&bytes)?;
    let seal = bytes.get(at..at + ZEROS.len())?.to_vec();
    bytes[at..at + ZEROS.len()].copy_from_slice(ZEROS.as_bytes());
    if bouton_certificate::sha256(&bytes).as_bytes() != seal {
        return None;
    }
    parquet::read(bytes).ok()
}

/// Where the seal is: behind its key, and the two bytes with which the format begins a text of 64.
fn place(bytes: &[u8]) -> Option<usize> {
    let key = bytes.windows(KEY.len()).rposition(|window| window == KEY.as_bytes())?;
    (bytes.get(key + KEY.len()..)?.starts_with(&[0x18, 0x40])).then_some(key + KEY.len() + 2)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    /// Every bit of a file counts, and so does its end.
    #[test]
    fn no_change_is_overlooked() {
        let rows = (0..40).map(|n| vec![Owned::Integer(n), Owned::Word("P".into())]).collect();
        let table = Rows { columns: vec![("n", Kind::Integer), ("outcome", Kind::Word)], rows };
        for packed in [false, true] {
            let bytes = sealed(&table, &[("bouton.budget", "none".into())], packed).unwrap();
            assert_eq!(sealed(&table, &[("bouton.budget", "none".into())], packed).unwrap(), bytes);
            assert_eq!(open(bytes.clone()).unwrap().rows, table.rows);
            for at in 0..bytes.len() {
                for bit in [1, 128] {
                    let mut changed = bytes.clone();
                    changed[at] ^= bit;
                    assert_eq!(open(changed), None, "byte {at}");
                }
                assert_eq!(open(bytes[..at].to_vec()), None, "{at} bytes");
            }
        }
    }
}
