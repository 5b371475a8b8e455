//! Long runs in a file: the values so far, block by block, each sealed with a hash that covers all before it.
//!
//! After the lines `bouton nim-values 1` and `game: CODE` and an empty line come blocks: the number of values and of
//! bytes (8 bytes each, least first), 8 bytes of the SHA-256 of the seal before and these two, the values (a byte
//! each; 255 and four bytes for those from 255 on), and the SHA-256 of the seal before and the block. A block cut
//! short at the end of the file was being written when the run ended; it is dropped when the next one is written.
//! Any other damage is an error, and the file is left alone. One run at a time: the file is locked.

use super::values::LONG;
use super::{Room, Sequence, Values};
use bouton_core::LimitReached;
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Why a checkpoint cannot be used. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file system.
    #[error(transparent)]
    File(#[from] io::Error),
    /// Another run writes it.
    #[error("in use by another run; wait for it, or choose another file")]
    Busy,
    /// Not a checkpoint, or one of another version.
    #[error("this is no checkpoint of nim-values")]
    Foreign,
    /// Of another game.
    #[error("this is a checkpoint of {0}")]
    OtherGame(String),
    /// A block whose seal does not fit.
    #[error("damaged behind value {0}: the checksum does not fit; nothing was used or changed")]
    Damaged(usize),
    /// Its values have no room.
    #[error(transparent)]
    Room(#[from] LimitReached),
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

/// The most values that one block takes.
const BLOCK: usize = 1 << 24;

fn seal(before: &[u8; 32], block: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(before).chain_update(block).finalize().into()
}

impl Checkpoint {
    /// Opens the checkpoint of a game, or begins one where there is no such file; with the values it holds.
    pub fn open(path: &Path, game: &str, room: Room) -> Result<(Checkpoint, Values), CheckpointError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        // Held until the file is closed; where files have no locks, it is as before.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(CheckpointError::Busy);
        }
        let header = format!("{TITLE}game: {game}\n\n");
        let mut values = Values::new(room);
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
            let text = start.strip_prefix(TITLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"game: "));
            let other = text.and_then(|rest| rest.split(|b| *b == b'\n').next());
            return Err(match other {
                Some(other) => CheckpointError::OtherGame(String::from_utf8_lossy(other).into_owned()),
                None => CheckpointError::Foreign,
            });
        }
        // A block that is there in full, or nothing.
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
            if sealed != printed || !read(&block[HEAD..], &mut values) || values.len() - found.len != count {
                return Err(damaged());
            }
            (found.len, found.end, found.seal) = (values.len(), end, sealed);
        }
        Ok((found, values))
    }

    /// Adds the values that the file does not hold yet, and sees that they reach the disk.
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
                value @ 0..LONG => values.push(value as u8),
                value => {
                    values.push(LONG as u8);
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

/// Reads the values of a block; false where they end amid a value.
fn read(mut bytes: &[u8], values: &mut Values) -> bool {
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
    use bouton_core::{Budget, Meter};

    fn run_within(path: &Path, text: &str, steps: &[usize], room: Room) -> Result<Sequence, CheckpointError> {
        let sequence = Sequence::new(TakeBreak::parse(text).unwrap()).within(room.clone());
        let (mut checkpoint, values) = Checkpoint::open(path, sequence.game(), room)?;
        let mut sequence = sequence.resume(values)?;
        for len in steps {
            sequence.extend(*len, &mut Meter::new(&Budget::default()))?;
            checkpoint.append(&sequence)?;
        }
        Ok(sequence)
    }

    fn run(path: &Path, text: &str, steps: &[usize]) -> Result<Sequence, CheckpointError> {
        run_within(path, text, steps, Room::default())
    }

    /// A folder of its own for a test.
    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("bouton-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_resumed_run_equals_an_uninterrupted_one() {
        let folder = folder("resumed");
        for (text, lengths) in [
            ("4!.0", [100, 3000, 3001, 9000]),
            ("0.77", [10, 20, 600, 5000]),
            ("0.104", [300, 2000, 5000, 9000]),
            ("0.[3]", [100, 300, 400, 500]),
            ("0.F", [5, 9, 40, 60]),
        ] {
            let path = folder.join(text);
            let mut straight = Sequence::new(TakeBreak::parse(text).unwrap());
            straight.extend(lengths[3], &mut Meter::new(&Budget::default())).unwrap();
            for len in lengths {
                let resumed = run(&path, text, &[len]).unwrap();
                assert!(resumed.values().eq(straight.values().take(len)), "{text} to {len}");
            }
            assert!(matches!(run(&path, "0.07", &[]), Err(CheckpointError::OtherGame(game)) if game == text));
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn one_run_a_checkpoint() {
        let folder = folder("busy");
        let path = folder.join("grundy");
        let (first, _) = Checkpoint::open(&path, "4!.0", Room::default()).unwrap();
        assert!(matches!(Checkpoint::open(&path, "4!.0", Room::default()), Err(CheckpointError::Busy)));
        drop(first);
        assert!(Checkpoint::open(&path, "4!.0", Room::default()).is_ok());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// Cut short: what was sealed before is used. Changed: nothing is, and the file stays.
    #[test]
    fn a_damaged_checkpoint_is_never_used() {
        let folder = folder("damaged");
        let path = folder.join("grundy");
        let lengths = [50, 90, 130, 1000];
        run(&path, "4!.0", &lengths).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let refused = |bytes: &[u8], what: &str| {
            std::fs::write(&path, bytes).unwrap();
            let error = run(&path, "4!.0", &[1100]).unwrap_err();
            let fits = matches!(
                error,
                CheckpointError::Damaged(_) | CheckpointError::Foreign | CheckpointError::OtherGame(_)
            );
            assert!(fits, "{what}: {error}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "{what}");
        };
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            refused(&damaged, &format!("byte {at}"));
        }
        // Two blocks of forty values each, the second and the third, swapped; the second left out.
        let head = TITLE.len() + "game: 4!.0\n\n".len();
        let starts = [head + HEAD + 50 + SEAL, head + 2 * (HEAD + SEAL) + 90, head + 3 * (HEAD + SEAL) + 130];
        let (second, third) = (&whole[starts[0]..starts[1]], &whole[starts[1]..starts[2]]);
        refused(&[&whole[..starts[0]], third, second, &whole[starts[2]..]].concat(), "swapped");
        refused(&[&whole[..starts[0]], &whole[starts[1]..]].concat(), "left out");
        for cut in [whole.len() - 1, whole.len() - SEAL, starts[2] + HEAD + 1, starts[2] + 1] {
            std::fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(run(&path, "4!.0", &[]).unwrap().len(), 130, "cut at {cut}");
        }
        run(&path, "4!.0", &[1000]).unwrap();
        assert_eq!(run(&path, "4!.0", &[]).unwrap().len(), 1000);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// With a file in place of memory all is the same; without one, what is too large is refused and the checkpoint kept.
    #[test]
    fn past_memory_values_lie_in_a_file_or_are_refused() {
        let folder = folder("room");
        let small = |folder| Room { memory: 4000, folder };
        for text in ["4!.0", "0.104"] {
            let straight = run(&folder.join("straight"), text, &[20_000]).unwrap();
            std::fs::remove_file(folder.join("straight")).unwrap();
            let path = folder.join(text);
            for len in [3000, 9000, 20_000] {
                let mapped = run_within(&path, text, &[len], small(Some(folder.clone()))).unwrap();
                assert!(mapped.values().eq(straight.values().take(len)), "{text} to {len}");
            }
            let refused = run_within(&path, text, &[], small(None)).unwrap_err();
            assert!(matches!(refused, CheckpointError::Room(LimitReached::Memory { .. })), "{refused}");
            assert_eq!(run(&path, text, &[]).unwrap().len(), 20_000);
        }
        for text in ["4!.0", "0.[3]", "0.F"] {
            let mut sequence = Sequence::new(TakeBreak::parse(text).unwrap()).within(small(None));
            let spent = sequence.extend(100_000, &mut Meter::new(&Budget::default())).unwrap_err();
            assert!(
                matches!(spent, LimitReached::Memory { needed: 100_000 | 400_000, free: 4000 }),
                "{text}: {spent}"
            );
        }
        let mut sequence = Sequence::new(TakeBreak::parse("0.77").unwrap());
        let spent = sequence.extend(usize::MAX, &mut Meter::new(&Budget::default())).unwrap_err();
        assert!(matches!(spent, LimitReached::Heaps(_)), "{spent}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
