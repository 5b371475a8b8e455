//! Scalar fast path: extends a block heap by heap while all values in range are common.
//!
//! The codes that long-shift terms reach in the block are known. If the heaps that single-heap
//! moves and short shifts reach are all common, then each of their sums has a fixed class, and a
//! sum costs one byte, one exclusive or and one bit, without a test. Bytes are stored and loaded
//! one at a time, so that the next heap need not wait for a vector to be assembled. Whether a lower
//! rare value is missing from the options is tested afterwards, for all heaps at once.
//!
//! ```text
//!  bytes: | LOOKBACK earlier heaps        | the block: lane 0 … lane 63 |
//!                        ^ here − back                     ^ here
//! ```

use super::common_block::CodeSets;
use super::kernel::{LANES, Term};
use super::moves::CodeMoves;
use super::space::{COMMON, SparseSpace};
use super::terms::{ReachedCodes, Terms};
use bouton_simd::{Simd, has_avx512};
use std::cell::Cell;
use std::cmp::Reverse;

/// Number of heaps before the block that the run reads.
pub const LOOKBACK: usize = 128;

/// Maximum number of terms; more are faster in vectors (see `short_shifts`).
const MAX_STEPS: usize = 24;

/// All codes are below this number, so that a set of them is one word.
pub const WORD_CODES: usize = 64;

/// A term with a short shift: `byte` is added to the byte `back` heaps earlier and gives a code.
#[derive(Debug, Clone, Copy)]
struct NearTerm {
    back: usize,
    byte: u8,
}

/// The single-heap moves and the terms of short shift of a game.
#[derive(Debug, Clone, Default)]
pub struct CommonRun {
    /// Terms whose sums with common heaps are common, by descending distance; then those whose sums
    /// are rare.
    common: Vec<NearTerm>,
    rare: Vec<NearTerm>,
}

/// The earlier heaps, followed by those of a block.
type RunBytes = [u8; LOOKBACK + LANES];

impl CommonRun {
    /// Collects the single heaps that moves leave; `None` if a move takes more than [`LOOKBACK`]
    /// tokens.
    pub fn new(moves: &CodeMoves, space: &SparseSpace) -> Option<CommonRun> {
        let mut run = CommonRun::default();
        if moves.most_taken() > LOOKBACK {
            return None;
        }
        for back in moves.singles(LOOKBACK + 1).map(|rest| LOOKBACK + 1 - rest) {
            // Common bytes become codes of their class.
            let turned = space.class_flip(0) ^ space.class_flip(back);
            let steps = if turned == 0 { &mut run.common } else { &mut run.rare };
            steps.push(NearTerm { back, byte: COMMON });
        }
        run.sort();
        Some(run)
    }

    /// Adds a term of a rare heap.
    pub fn add(&mut self, shift: usize, byte: u8) {
        self.common.push(NearTerm { back: shift, byte: byte ^ COMMON });
        self.sort();
    }

    /// Sorts terms by descending distance.
    fn sort(&mut self) {
        self.common.sort_by_key(|step| Reverse(step.back));
    }

    /// Returns whether this path is faster than vectors if it is applicable.
    pub fn is_profitable(&self) -> bool {
        self.common.len() + self.rare.len() <= MAX_STEPS
    }

    /// Returns whether no term reaches a code that does not fit in a word.
    pub fn is_applicable(&self, planes: usize) -> bool {
        let mut steps = self.common.iter().chain(&self.rare);
        8 * planes <= WORD_CODES && steps.all(|step| usize::from(step.byte & !COMMON) < WORD_CODES)
    }

    /// Extends the block from lane `lane` on, until it ends or a heap is not known to be common.
    ///
    /// `last` are the preceding heaps, all common; `reached` holds the codes that `terms` reach in
    /// the block. Returns the bytes of the block and the number of heaps found.
    pub fn extend(
        &self,
        simd: Simd,
        terms: &Terms,
        last: &[u8; LOOKBACK],
        start: usize,
        lane: usize,
        reached: &ReachedCodes,
    ) -> ([u8; LANES], usize) {
        // Values older than the choice of the space may have larger codes.
        if last.iter().fold(0, |all, byte| all | byte) & !COMMON >= WORD_CODES as u8 {
            return ([0; LANES], 0);
        }
        let bytes = self.fill(simd, last, lane, &reached.common.map(|set| set[0]));
        let past = 8 * reached.planes as u32;
        let holds = |lane: usize, here: usize| {
            let code = u32::from(bytes[here] & !COMMON);
            let left = |set, step: &NearTerm| set | bit(bytes[here - step.back] ^ step.byte);
            let rare = self.rare.iter().fold(reached.rare[lane][0], left);
            // With so few planes all lower rare codes fit in a word, too.
            code < reached.limits[lane].min(past)
                && terms.below(start + lane, code) as u64 & !rare == 0
        };
        let found =
            (lane..LANES).zip(LOOKBACK..).take_while(|(lane, here)| holds(*lane, *here)).count();
        (std::array::from_fn(|i| bytes[LOOKBACK + i]), found)
    }

    /// Returns the bytes of the block from `lane` on, after the preceding ones, as if no heap were
    /// rare.
    ///
    /// The byte of a heap is meaningless if all codes below [`WORD_CODES`] are reached.
    #[inline]
    pub fn fill(
        &self,
        simd: Simd,
        last: &[u8; LOOKBACK],
        lane: usize,
        reached: &CodeSets,
    ) -> RunBytes {
        let mut bytes = [0; LOOKBACK + LANES];
        bytes[..LOOKBACK].copy_from_slice(last);
        let reached = &reached[lane..];
        self.fill_behind(simd, &mut bytes, reached);
        bytes
    }

    /// Appends the common bytes after those of the earlier heaps.
    #[inline]
    fn fill_behind(&self, simd: Simd, bytes: &mut RunBytes, reached: &[u64]) {
        let many = self.common.len() > REGISTER_STEPS;
        bouton_simd::multiversion! {
            [] (steps: &[NearTerm] = &self.common, bytes: &mut RunBytes = bytes, reached:
                &[u64] = reached) -> () {
                fill(steps, bytes, reached)
            }
            ["avx512f", "avx512bw", "avx512vl", "bmi1", "bmi2"] if many && simd == Simd::Avx512 &&
                has_avx512(),
            ["avx2", "bmi1", "bmi2"] if many && simd != Simd::Portable,
            ["bmi1", "bmi2"] if simd != Simd::Portable,
        }
    }

    /// Returns the terms whose sums are rare values.
    pub fn witnesses(&self) -> impl Iterator<Item = Term> {
        self.rare.iter().map(|step| Term { shift: step.back as u32, byte: step.byte, page: 0 })
    }
}

/// Maximum number of terms that are kept in registers.
const REGISTER_STEPS: usize = 8;

/// Implements [`CommonRun::fill`]; inlined into functions with different target features.
#[inline(always)]
fn fill(steps: &[NearTerm], bytes: &mut RunBytes, reached: &[u64]) {
    macro_rules! dispatch {
        ($($count:literal)*) => {
            match steps.len() {
                $($count => fill_few::<$count>(steps, bytes, reached),)*
                _ => fill_many(steps, bytes, reached),
            }
        };
    }
    dispatch!(0 1 2 3 4 5 6 7 8);
}

#[inline(always)]
fn fill_few<const N: usize>(steps: &[NearTerm], bytes: &mut RunBytes, reached: &[u64]) {
    let cells = Cell::from_mut(&mut bytes[..]).as_slice_of_cells();
    let row = |back: usize| -> &[Cell<u8>; LANES] {
        cells[LOOKBACK - back..].first_chunk().expect("a block")
    };
    let rows: [_; N] = std::array::from_fn(|j| (row(steps[j].back), steps[j].byte));
    for (lane, (set, here)) in reached.iter().zip(row(0)).enumerate() {
        let set = rows.iter().fold(*set, |set, (row, byte)| set | bit(row[lane].get() ^ byte));
        here.set(COMMON | set.trailing_ones() as u8);
    }
}

/// Number of heaps computed together: terms at least this far back do not depend on one another.
const GROUP: usize = 8;

#[inline(always)]
fn fill_many(steps: &[NearTerm], bytes: &mut RunBytes, reached: &[u64]) {
    let (far, near) = steps.split_at(steps.partition_point(|step| step.back >= GROUP));
    for (start, reached) in (LOOKBACK..).step_by(GROUP).zip(reached.chunks(GROUP)) {
        let mut sets = [0; GROUP];
        sets[..reached.len()].copy_from_slice(reached);
        for step in far {
            let row: &[u8; GROUP] = bytes[start - step.back..].first_chunk().expect("a group");
            for (set, byte) in sets.iter_mut().zip(row) {
                *set |= bit(byte ^ step.byte);
            }
        }
        for (here, set) in (start..).zip(&sets[..reached.len()]) {
            let set =
                near.iter().fold(*set, |set, step| set | bit(bytes[here - step.back] ^ step.byte));
            bytes[here] = COMMON | set.trailing_ones() as u8;
        }
    }
}

/// Returns the set of one code below [`WORD_CODES`].
#[inline(always)]
fn bit(code: u8) -> u64 {
    1 << (code % WORD_CODES as u8)
}

#[cfg(test)]
mod tests {
    use super::super::terms::ALL_CODES;
    use super::*;
    use crate::sequence::{TakeAndBreakCode, random};

    /// Compares with sets of all codes of a byte, and detects codes that do not fit in a word.
    #[test]
    fn finds_what_sets_of_all_codes_give() {
        let mut random = random(1);
        let (mut whole, mut parts, mut past) = (0, 0, 0);
        for round in 0..900 {
            let most = [8, 64, 128][round % 3];
            let by_position = [None, Some(1)][round % 2];
            let space = SparseSpace { mask: 1 + random(15) as u32, by_position };
            let moves = CodeMoves::new(
                &TakeAndBreakCode::parse(["0.26603", "0.77"][round / 3 % 2]).unwrap(),
            )
            .unwrap();
            let mut run = CommonRun::new(&moves, &space).unwrap();
            let terms: Vec<(usize, u8)> = (0..random([12, 60][round / 5 % 2]))
                .map(|_| (1 + random(63) as usize, random(most) as u8))
                .collect();
            terms.iter().for_each(|(shift, byte)| run.add(*shift, *byte));
            let planes = [2, 4, 8][round % 3];
            let last: [u8; LOOKBACK] = std::array::from_fn(|_| random(most) as u8 | COMMON);
            // Missing rare codes occasionally end the run.
            let reached = ReachedCodes {
                common: std::array::from_fn(|_| [random(8), 0]),
                rare: std::array::from_fn(|_| [u64::MAX >> random(2) << (random(200) / 199), 0]),
                limits: std::array::from_fn(|_| [ALL_CODES, 3][usize::from(random(150) == 0)]),
                looked_at: 0,
                planes,
            };
            let all = Terms::new(space.clone());
            let (start, first) = (1000 + random(2) as usize, random(64) as usize);
            let is_past = |byte: u8| usize::from(byte & !COMMON) >= WORD_CODES;
            let terms_past = terms.iter().any(|(_, byte)| is_past(*byte));
            assert_eq!(run.is_applicable(planes), !terms_past);
            if terms_past || last.iter().any(|byte| is_past(*byte)) {
                past += 1;
                let found = run.extend(Simd::best(), &all, &last, start, first, &reached).1;
                assert!(terms_past || found == 0);
                continue;
            }

            let mut bytes = last.to_vec();
            for lane in first..LANES {
                let (n, here) = (start + lane, bytes.len());
                let mut seen =
                    [u128::from(reached.rare[lane][0]), u128::from(reached.common[lane][0])];
                let singles = moves.singles(n).map(|rest| {
                    bytes[here - (n - rest)] ^ space.class_flip(rest) ^ space.class_flip(n)
                });
                let sums = terms.iter().map(|(shift, byte)| bytes[here - shift] ^ byte);
                for byte in singles.chain(sums) {
                    seen[usize::from(byte >> 7)] |= 1 << (byte & !COMMON);
                }
                let code = seen[1].trailing_ones();
                let open = code >= reached.limits[lane].min(8 * planes as u32);
                if open || all.below(n, code) & !seen[0] != 0 {
                    break;
                }
                bytes.push(COMMON | code as u8);
            }
            for simd in Simd::all() {
                let (found, many) = run.extend(simd, &all, &last, start, first, &reached);
                assert_eq!(&found[..many], &bytes[LOOKBACK..], "{space:?} {terms:?} {simd:?}");
            }
            let found = bytes.len() - LOOKBACK;
            whole += u32::from(first + found == LANES);
            parts += u32::from(found > 0 && first + found < LANES);
        }
        assert!(whole > 50 && parts > 50 && past > 50, "{whole} {parts} {past}");
    }
}
