//! Long runs in a file: the values so far, block by block, each sealed with a hash that covers all before it.
//!
//! After the lines `bouton nim-values 1` and `game: CODE` and an empty line come blocks: the number of values and of
//! bytes (8 bytes each, least first), 8 bytes of the SHA-256 of the seal before and these two, the values (a byte
//! each; 255 and four bytes for those from 255 on), and the SHA-256 of the seal before and the block. A block cut
//! short at the end of the file was being written when the run ended; it is dropped when the next one is written.
//! Any other damage is an error, and the file is left alone.

use super::Sequence;
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Why a checkpoint cannot be used. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file system.
    #[error(transparent)]
    File(#[from] io::Error),
    /// Not a checkpoint, or one of another version.
    #[error("this is no checkpoint of nim-values")]
    Foreign,
    /// Of another game.
    #[error("this is a checkpoint of {0}")]
    OtherGame(String),
    /// A block whose seal does not fit.
    #[error("damaged behind value {0}: the checksum does not fit; nothing was used or changed")]
    Damaged(usize),
}

/// A file that grows with a sequence.
#[derive(Debug)]
pub struct Checkpoint {
    file: File,
    /// How many values it holds.
    len: usize,
    /// Where the next block goes.
    end: u64,
    seal: [u8; 32],
}

/// Bytes of a block before its values, and behind them.
const HEAD: usize = 24;
const SEAL: usize = 32;

const TITLE: &str = "bouton nim-values 1\n";

/// Values from here on take five bytes.
const LONG: u32 = 255;

fn seal(before: &[u8; 32], block: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(before).chain_update(block).finalize().into()
}

impl Checkpoint {
    /// Opens the checkpoint of a game, or begins one where there is no such file; with the values it holds.
    pub fn open(path: &Path, game: &str) -> Result<(Checkpoint, Vec<u32>), CheckpointError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let header = format!("{TITLE}game: {game}\n\n");
        let origin = seal(&[0; 32], header.as_bytes());
        if bytes.is_empty() {
            file.write_all(header.as_bytes())?;
            return Ok((Checkpoint { file, len: 0, end: header.len() as u64, seal: origin }, Vec::new()));
        }
        let Some(mut rest) = bytes.strip_prefix(header.as_bytes()) else {
            let text = bytes.strip_prefix(TITLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"game: "));
            let other = text.and_then(|rest| rest.split(|b| *b == b'\n').next());
            return Err(match other {
                Some(other) => CheckpointError::OtherGame(String::from_utf8_lossy(other).into_owned()),
                None => CheckpointError::Foreign,
            });
        };
        let (mut values, mut sealed, mut end) = (Vec::new(), origin, header.len());
        // A block that is there in full, or nothing.
        while let Some(head) = rest.get(..HEAD) {
            let damaged = CheckpointError::Damaged(values.len());
            let (count, size) = (number(&head[..8]), number(&head[8..16]));
            let whole =
                size.checked_add(HEAD + SEAL).filter(|_| seal(&sealed, &head[..16])[..8] == head[16..]);
            let Some(whole) = whole else { return Err(damaged) };
            let Some(block) = rest.get(..whole) else { break };
            let (block, printed) = block.split_at(whole - SEAL);
            sealed = seal(&sealed, block);
            let before = values.len();
            if sealed != *printed || !read(&block[HEAD..], &mut values) || values.len() - before != count {
                return Err(damaged);
            }
            end += whole;
            rest = &rest[whole..];
        }
        Ok((Checkpoint { file, len: values.len(), end: end as u64, seal: sealed }, values))
    }

    /// Adds the values that the file does not hold yet, and sees that they reach the disk.
    pub fn append(&mut self, sequence: &Sequence) -> io::Result<()> {
        let mut values = Vec::new();
        for n in self.len..sequence.len() {
            match sequence.value(n) {
                value @ 0..LONG => values.push(value as u8),
                value => {
                    values.push(LONG as u8);
                    values.extend(value.to_le_bytes());
                }
            }
        }
        let mut block = ((sequence.len() - self.len) as u64).to_le_bytes().to_vec();
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
        (self.len, self.end, self.seal) = (sequence.len(), self.end + block.len() as u64, sealed);
        Ok(())
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// Reads the values of a block; false where they end amid a value.
fn read(mut bytes: &[u8], values: &mut Vec<u32>) -> bool {
    while let [first, rest @ ..] = bytes {
        bytes = rest;
        values.push(match u32::from(*first) {
            LONG => {
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
mod tests {
    use super::*;
    use crate::sequence::TakeBreak;
    use crate::{Budget, Meter};

    fn run(path: &Path, text: &str, steps: &[usize]) -> Result<Sequence, CheckpointError> {
        let sequence = Sequence::new(TakeBreak::parse(text).unwrap());
        let (mut checkpoint, values) = Checkpoint::open(path, sequence.game())?;
        let mut sequence = sequence.resume(values);
        for len in steps {
            sequence.extend(*len, &mut Meter::new(&Budget::default())).unwrap();
            checkpoint.append(&sequence)?;
        }
        Ok(sequence)
    }

    #[test]
    fn runs_go_on_where_they_ended() {
        let folder = std::env::temp_dir().join(format!("bouton-checkpoint-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (text, lengths) in [
            ("4!.0", [100, 3000, 3001, 9000]),
            ("0.77", [10, 20, 600, 5000]),
            ("0.[3]", [100, 300, 400, 500]),
            ("0.F", [5, 9, 40, 60]),
        ] {
            let path = folder.join(text);
            let straight = run(&folder.join("straight"), text, &[lengths[3]]).unwrap();
            std::fs::remove_file(folder.join("straight")).unwrap();
            for len in lengths {
                let resumed = run(&path, text, &[len]).unwrap();
                assert!(resumed.values().eq(straight.values().take(len)), "{text} to {len}");
            }
            assert!(matches!(run(&path, "0.07", &[]), Err(CheckpointError::OtherGame(game)) if game == text));
            // Cut short: what was sealed before is used. Changed: nothing is, and the file stays.
            let whole = std::fs::read(&path).unwrap();
            std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
            assert_eq!(run(&path, text, &[]).unwrap().len(), lengths[2], "{text}");
            for at in [0, 22, 40, 48, 60, whole.len() / 2, whole.len() - 1] {
                let mut damaged = whole.clone();
                damaged[at] ^= 1;
                std::fs::write(&path, &damaged).unwrap();
                assert!(run(&path, text, &[10_000]).is_err(), "{text} {at}");
                assert_eq!(std::fs::read(&path).unwrap(), damaged);
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
