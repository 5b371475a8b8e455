//! Checkpoints of long runs: the values computed so far, in sealed blocks.
//!
//! A file begins with the lines `bouton nim-values 1` and `game: CODE` and an empty line. Blocks
//! follow:
//!
//! ```text
//! 8 bytes    number of values, little-endian
//! 8 bytes    number of bytes that hold them
//! 8 bytes    start of the SHA-256 of the previous seal and the two numbers
//! …          the values: one byte each; from 255 on the byte 255 and four bytes
//! 32 bytes   seal: SHA-256 of the previous seal and the block
//! ```
//!
//! A block cut short at the end of the file belongs to an interrupted write; the next write
//! replaces it. Any other damage is an error and leaves the file unchanged. The file is locked: one
//! run at a time.

use super::byte_values::ESCAPE;
use super::{ByteValues, Sequence, StorageBudget};
use bouton_core::LimitReached;
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Reasons why a checkpoint cannot be used. The file is left unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// An operation of the file system failed.
    #[error(transparent)]
    File(#[from] io::Error),
    /// Another run has locked the file.
    #[error("in use by another run; wait for it, or choose another file")]
    Busy,
    /// The file is not a checkpoint, or has another version.
    #[error("this is no checkpoint of nim-values")]
    Foreign,
    /// The checkpoint belongs to another game.
    #[error("this is a checkpoint of {0}")]
    OtherGame(String),
    /// The seal of a block does not match.
    #[error("damaged behind value {0}: the checksum does not fit; nothing was used or changed")]
    Damaged(usize),
    /// The values exceed the storage budget.
    #[error(transparent)]
    OutOfStorage(#[from] LimitReached),
}

/// A checkpoint file that grows with a sequence.
#[derive(Debug)]
pub struct Checkpoint {
    file: File,
    /// Number of values in the file.
    len: usize,
    /// Offset of the next block.
    end: u64,
    seal: [u8; 32],
}

/// Bytes of a block before and after its values.
const HEAD: usize = 24;
const SEAL: usize = 32;

const TITLE: &str = "bouton nim-values 1\n";

/// Maximum number of values in one block.
const BLOCK: usize = 1 << 24;

fn seal(before: &[u8; 32], block: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(before).chain_update(block).finalize().into()
}

impl Checkpoint {
    /// Opens the checkpoint of a game, or creates the file. Returns it with the values that it
    /// holds.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or locked, belongs to another game, is damaged, or if its values
    /// exceed `storage`.
    pub fn open(
        path: &Path,
        game: &str,
        storage: StorageBudget,
    ) -> Result<(Checkpoint, ByteValues), CheckpointError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        // The lock is held until the file is closed. Without file locks, runs are not kept apart.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(CheckpointError::Busy);
        }
        let header = format!("{TITLE}game: {game}\n\n");
        let mut values = ByteValues::new(storage);
        let mut found = Checkpoint {
            len: 0,
            end: header.len() as u64,
            seal: seal(&[0; 32], header.as_bytes()),
            file: file.try_clone()?,
        };
        let size = file.metadata()?.len();
        if size == 0 {
            file.write_all(header.as_bytes())?;
            return Ok((found, values));
        }
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut start = Vec::new();
        reader.by_ref().take(header.len() as u64).read_to_end(&mut start)?;
        if start != header.as_bytes() {
            reader.by_ref().take(1 << 10).read_to_end(&mut start)?;
            let text =
                start.strip_prefix(TITLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"game: "));
            let other = text.and_then(|rest| rest.split(|b| *b == b'\n').next());
            return Err(match other {
                Some(other) => {
                    CheckpointError::OtherGame(String::from_utf8_lossy(other).into_owned())
                }
                None => CheckpointError::Foreign,
            });
        }
        // Only complete blocks are read.
        while found.end + HEAD as u64 <= size {
            let damaged = || CheckpointError::Damaged(found.len);
            let mut block = vec![0; HEAD];
            reader.read_exact(&mut block)?;
            let (count, bytes) = (number(&block[..8]), number(&block[8..16]));
            if seal(&found.seal, &block[..16])[..8] != block[16..] {
                return Err(damaged());
            }
            let end = found.end.saturating_add((HEAD + SEAL) as u64).saturating_add(bytes as u64);
            if end > size {
                break;
            }
            block.resize(HEAD + bytes, 0);
            reader.read_exact(&mut block[HEAD..])?;
            let mut printed = [0; SEAL];
            reader.read_exact(&mut printed)?;
            let sealed = seal(&found.seal, &block);
            values.reserve(found.len.saturating_add(count))?;
            if sealed != printed
                || !read(&block[HEAD..], &mut values)
                || values.len() - found.len != count
            {
                return Err(damaged());
            }
            (found.len, found.end, found.seal) = (values.len(), end, sealed);
        }
        Ok((found, values))
    }

    /// Appends the values that the file does not hold yet, and flushes them to the disk.
    pub fn append(&mut self, sequence: &Sequence) -> io::Result<()> {
        while self.len < sequence.len() {
            self.append_block(sequence, sequence.len().min(self.len + BLOCK))?;
        }
        Ok(())
    }

    fn append_block(&mut self, sequence: &Sequence, len: usize) -> io::Result<()> {
        let mut values = Vec::new();
        for n in self.len..len {
            match sequence.value(n) {
                value @ 0..ESCAPE => values.push(value as u8),
                value => {
                    values.push(ESCAPE as u8);
                    values.extend(value.to_le_bytes());
                }
            }
        }
        let mut block = ((len - self.len) as u64).to_le_bytes().to_vec();
        block.extend((values.len() as u64).to_le_bytes());
        let head = seal(&self.seal, &block);
        block.extend(&head[..HEAD - 16]);
        block.extend(values);
        let sealed = seal(&self.seal, &block);
        block.extend(sealed);
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&block)?;
        self.file.sync_data()?;
        (self.len, self.end, self.seal) = (len, self.end + block.len() as u64, sealed);
        Ok(())
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// Reads the values of a block. Returns `false` if the bytes end inside a value.
fn read(mut bytes: &[u8], values: &mut ByteValues) -> bool {
    while let [first, rest @ ..] = bytes {
        bytes = rest;
        values.push(match u32::from(*first) {
            ESCAPE => {
                let Some((long, rest)) = rest.split_first_chunk::<4>() else { return false };
                bytes = rest;
                u32::from_le_bytes(*long)
            }
            value => value,
        });
    }
    true
}

#[cfg(test)]
mod tests;
