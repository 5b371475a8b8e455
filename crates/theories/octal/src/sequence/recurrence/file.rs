//! The file of a search for a period by windows.
//!
//! After the lines `bouton nim-windows 1` and `game: CODE` and an empty line come numbers of 8
//! bytes each, little-endian, values of one byte each, and the SHA-256 of everything before. The
//! file is written as a whole beside the old one, which it then replaces.

use super::{Landmarks, Recurrence};
use crate::sequence::window::are_common;
use crate::sequence::{CheckpointError, MAX_HEAPS, Sequence};
use bouton_core::Meter;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::path::Path;

const TITLE: &str = "bouton nim-windows 1\n";

/// Number of bytes of the hash.
const SEAL: usize = 32;

impl Recurrence {
    /// Writes the state of the search to a file.
    pub fn save(&self, path: &Path, game: &str) -> io::Result<()> {
        let mut text = format!("{TITLE}game: {game}\n\n").into_bytes();
        let mut number = |number: usize| text.extend((number as u64).to_le_bytes());
        let counts = [self.marks.heaps.len(), self.kept.len(), self.window.width()];
        [self.marks.zeros as usize, self.apart].into_iter().chain(counts).for_each(&mut number);
        let mut landmarks: Vec<_> = self.marks.heaps.iter().collect();
        landmarks.sort_unstable();
        for (hash, heap) in landmarks {
            text.extend(hash.to_le_bytes());
            text.extend((*heap as u64).to_le_bytes());
        }
        let now = (self.len(), self.window.latest(self.window.width()));
        let kept = self.kept.iter().map(|(len, bytes)| (*len, &bytes[..]));
        for (len, bytes) in kept.chain([now]) {
            text.extend((len as u64).to_le_bytes());
            text.extend(
                (len - bytes.len()..).zip(bytes).map(|(n, byte)| self.window.value(n, *byte) as u8),
            );
        }
        self.open.iter().for_each(|distance| text.extend((*distance as u64).to_le_bytes()));
        let seal = Sha256::digest(&text);
        text.extend(&seal[..]);
        let folder =
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&text)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Continues from a file; `None` if there is no such file. The sequence is extended to the
    /// start of the search.
    pub fn open(
        path: &Path,
        sequence: &mut Sequence,
        meter: &mut Meter,
    ) -> Result<Option<Recurrence>, CheckpointError> {
        let text = match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text?,
        };
        let header = format!("{TITLE}game: {}\n\n", sequence.game());
        let Some(rest) = text.strip_prefix(header.as_bytes()) else {
            let other =
                text.strip_prefix(TITLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"game: "));
            let other = other.and_then(|rest| rest.split(|byte| *byte == b'\n').next());
            return Err(match other {
                Some(other) => {
                    CheckpointError::OtherGame(String::from_utf8_lossy(other).into_owned())
                }
                None => CheckpointError::Foreign,
            });
        };
        let damaged = || CheckpointError::Damaged(0);
        let end = rest.len().checked_sub(SEAL).ok_or_else(damaged)?;
        if Sha256::digest(&text[..text.len() - SEAL])[..] != rest[end..] {
            return Err(damaged());
        }
        let mut reader = Reader(&rest[..end]);
        let mut number = || reader.number().ok_or_else(damaged);
        let [zeros, apart, landmarks, kept, width] =
            [number()?, number()?, number()?, number()?, number()?];
        let landmarks = (0..landmarks).map(|_| Some((reader.number()? as u64, reader.number()?)));
        let landmarks = landmarks.collect::<Option<_>>().ok_or_else(damaged)?;
        let windows = (0..=kept).map(|_| Some((reader.number()?, reader.take(width)?.to_vec())));
        let mut windows: Vec<(usize, Vec<u8>)> =
            windows.collect::<Option<_>>().ok_or_else(damaged)?;
        let open = std::iter::from_fn(|| reader.number()).collect();
        let start = windows.first().ok_or_else(damaged)?.0;
        // The last window of the search follows those recorded.
        let end = windows.last().map_or(0, |(len, _)| *len);
        let ascends = windows.windows(2).all(|pair| pair[0].0 <= pair[1].0);
        let landmarks: FxHashMap<u64, usize> = landmarks;
        if !ascends
            || end > MAX_HEAPS
            || landmarks.values().any(|heap| *heap > end)
            || apart > MAX_HEAPS
        {
            return Err(damaged());
        }
        sequence.extend(start, meter)?;
        let mut found =
            Recurrence::new(sequence).filter(|found| found.len() == start).ok_or_else(damaged)?;
        if found.window.width() != width || !reader.0.is_empty() {
            return Err(damaged());
        }
        for (len, values) in &mut windows {
            let first = len.checked_sub(width).ok_or_else(damaged)?;
            (first..)
                .zip(values.iter_mut())
                .for_each(|(n, value)| *value = found.window.byte(n, *value));
            if !are_common(values) {
                return Err(damaged());
            }
        }
        let (len, bytes) = windows.pop().ok_or_else(damaged)?;
        if windows.first().is_none_or(|first| *first != found.kept[0]) {
            return Err(damaged());
        }
        found.window = found.window.moved_to(len, &bytes);
        let zeros = u32::try_from(zeros)
            .ok()
            .filter(|zeros| (1..50).contains(zeros))
            .ok_or_else(damaged)?;
        let kept = windows.last().map_or(0, |(_, bytes)| super::hash(bytes));
        found.marks = Landmarks { hash: super::hash(&bytes), kept, heaps: landmarks, zeros };
        (found.kept, found.apart, found.open) = (windows, apart, open);
        Ok(Some(found))
    }
}

/// The bytes that are still unread.
struct Reader<'t>(&'t [u8]);

impl<'t> Reader<'t> {
    fn take(&mut self, count: usize) -> Option<&'t [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<usize> {
        let bytes = self.take(8)?.try_into().ok()?;
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    }
}
