//! Heaps of a block one by one, as fast as that goes, where nothing rare is near.
//!
//! What terms reach from before the block is known. If the heaps that single heaps and terms of small shift reach are all
//! common, then their sums are of one class each, and a heap takes a byte, a sum and a bit for each of them, no question.
//! Bytes are stored and read one at a time, so that the next heap need not wait for a vector to be put together. Whether a
//! lower rare value is no option is asked afterwards, of all heaps at once.

use super::kernel::{LANES, Term};
use super::moves::Moves;
use super::quiet::Words;
use super::space::{COMMON, Space};
use super::terms::{Reached, Terms};
use bouton_simd::{Simd, has_avx512};
use std::cell::Cell;
use std::cmp::Reverse;

/// The heaps before the block at work that are looked back to.
pub const BACK: usize = 128;

/// More of these are faster compared in vectors (see `near`).
const MOST: usize = 24;

/// Codes are below this: a set of them is a word.
pub const CODES: usize = 64;

/// What is added to the byte that stands so far back, and gives a code.
#[derive(Debug, Clone, Copy)]
struct Step {
    back: usize,
    byte: u8,
}

/// Single heaps and terms of small shift.
#[derive(Debug, Clone, Default)]
pub struct Brisk {
    /// Those whose sums with common heaps are common, from further back first, and rare.
    common: Vec<Step>,
    rare: Vec<Step>,
}

/// The last heaps and those of a block behind them.
type Bytes = [u8; BACK + LANES];

impl Brisk {
    /// The single heaps that moves leave; `None` where they leave some from too far back.
    pub fn new(moves: &Moves, space: &Space) -> Option<Brisk> {
        let mut brisk = Brisk::default();
        if moves.most_taken() > BACK {
            return None;
        }
        for back in moves.singles(BACK + 1).map(|rest| BACK + 1 - rest) {
            // Common bytes become codes of their class.
            let turned = space.turn(0) ^ space.turn(back);
            let steps = if turned == 0 { &mut brisk.common } else { &mut brisk.rare };
            steps.push(Step { back, byte: COMMON });
        }
        brisk.sort();
        Some(brisk)
    }

    /// Adds a term of a rare heap.
    pub fn add(&mut self, shift: usize, byte: u8) {
        self.common.push(Step { back: shift, byte: byte ^ COMMON });
        self.sort();
    }

    /// Those from further back come first.
    fn sort(&mut self) {
        self.common.sort_by_key(|step| Reverse(step.back));
    }

    /// Whether this pays where all values are at hand.
    pub fn pays(&self) -> bool {
        self.common.len() + self.rare.len() <= MOST
    }

    /// Whether codes past a word don't come from terms.
    pub fn serves(&self, planes: usize) -> bool {
        let mut steps = self.common.iter().chain(&self.rare);
        8 * planes <= CODES && steps.all(|step| usize::from(step.byte & !COMMON) < CODES)
    }

    /// The bytes of heaps from `start + lane` on, until the block ends or one is not known to be common, given what `terms`
    /// reach in the block and the last heaps, which are common.
    pub fn go(
        &self,
        simd: Simd,
        terms: &Terms,
        last: &[u8; BACK],
        start: usize,
        lane: usize,
        reached: &Reached,
    ) -> ([u8; LANES], usize) {
        // Values of before the space was chosen may have larger codes.
        if last.iter().fold(0, |all, byte| all | byte) & !COMMON >= CODES as u8 {
            return ([0; LANES], 0);
        }
        let bytes = self.fill(simd, last, lane, &reached.common.map(|set| set[0]));
        let past = 8 * reached.planes as u32;
        let holds = |lane: usize, here: usize| {
            let code = u32::from(bytes[here] & !COMMON);
            let left = |set, step: &Step| set | bit(bytes[here - step.back] ^ step.byte);
            let rare = self.rare.iter().fold(reached.rare[lane][0], left);
            // With so few planes all lower rare codes are in a word, too.
            code < reached.limits[lane].min(past) && terms.below(start + lane, code) as u64 & !rare == 0
        };
        let found = (lane..LANES).zip(BACK..).take_while(|(lane, here)| holds(*lane, *here)).count();
        (std::array::from_fn(|i| bytes[BACK + i]), found)
    }

    /// The common byte of each heap of a block from `lane` on, behind the last ones, if none is rare, given what terms reach.
    /// Where all codes below [`CODES`] are reached it means nothing.
    #[inline]
    pub fn fill(&self, simd: Simd, last: &[u8; BACK], lane: usize, reached: &Words) -> Bytes {
        let mut bytes = [0; BACK + LANES];
        bytes[..BACK].copy_from_slice(last);
        let reached = &reached[lane..];
        self.fill_behind(simd, &mut bytes, reached);
        bytes
    }

    /// Adds the common bytes behind those that stand first.
    #[inline]
    fn fill_behind(&self, simd: Simd, bytes: &mut Bytes, reached: &[u64]) {
        let many = self.common.len() > FEW;
        bouton_simd::multiversion! {
            [] (steps: &[Step] = &self.common, bytes: &mut Bytes = bytes, reached: &[u64] = reached) -> () {
                fill(steps, bytes, reached)
            }
            ["avx512f", "avx512bw", "avx512vl", "bmi1", "bmi2"] if many && simd == Simd::Avx512 && has_avx512(),
            ["avx2", "bmi1", "bmi2"] if many && simd != Simd::Portable,
            ["bmi1", "bmi2"] if simd != Simd::Portable,
        }
    }

    /// The steps that witness rare values, as terms.
    pub fn witnesses(&self) -> impl Iterator<Item = Term> {
        self.rare.iter().map(|step| Term { shift: step.back as u32, byte: step.byte, page: 0 })
    }
}

/// Steps in registers, if they are no more.
const FEW: usize = 8;

/// [`Brisk::fill`], for whatever it is compiled for.
#[inline(always)]
fn fill(steps: &[Step], bytes: &mut Bytes, reached: &[u64]) {
    macro_rules! few {
        ($($count:literal)*) => {
            match steps.len() {
                $($count => few::<$count>(steps, bytes, reached),)*
                _ => many(steps, bytes, reached),
            }
        };
    }
    few!(0 1 2 3 4 5 6 7 8);
}

#[inline(always)]
fn few<const N: usize>(steps: &[Step], bytes: &mut Bytes, reached: &[u64]) {
    let cells = Cell::from_mut(&mut bytes[..]).as_slice_of_cells();
    let row = |back: usize| -> &[Cell<u8>; LANES] { cells[BACK - back..].first_chunk().expect("a block") };
    let rows: [_; N] = std::array::from_fn(|j| (row(steps[j].back), steps[j].byte));
    for (lane, (set, here)) in reached.iter().zip(row(0)).enumerate() {
        let set = rows.iter().fold(*set, |set, (row, byte)| set | bit(row[lane].get() ^ byte));
        here.set(COMMON | set.trailing_ones() as u8);
    }
}

/// So many heaps at a time, of which what steps from further back reach does not wait for one another.
const GROUP: usize = 8;

#[inline(always)]
fn many(steps: &[Step], bytes: &mut Bytes, reached: &[u64]) {
    let (far, near) = steps.split_at(steps.partition_point(|step| step.back >= GROUP));
    for (start, reached) in (BACK..).step_by(GROUP).zip(reached.chunks(GROUP)) {
        let mut sets = [0; GROUP];
        sets[..reached.len()].copy_from_slice(reached);
        for step in far {
            let row: &[u8; GROUP] = bytes[start - step.back..].first_chunk().expect("a group");
            for (set, byte) in sets.iter_mut().zip(row) {
                *set |= bit(byte ^ step.byte);
            }
        }
        for (here, set) in (start..).zip(&sets[..reached.len()]) {
            let set = near.iter().fold(*set, |set, step| set | bit(bytes[here - step.back] ^ step.byte));
            bytes[here] = COMMON | set.trailing_ones() as u8;
        }
    }
}

/// The set of one code below [`CODES`].
#[inline(always)]
fn bit(code: u8) -> u64 {
    1 << (code % CODES as u8)
}

#[cfg(test)]
mod tests {
    use super::super::terms::ALL;
    use super::*;
    use crate::sequence::{TakeBreak, random};

    /// Against sets of all codes of a byte; codes past those looked at among the last heaps or the terms are seen.
    #[test]
    fn finds_what_sets_of_all_codes_give() {
        let mut random = random(1);
        let (mut whole, mut parts, mut past) = (0, 0, 0);
        for round in 0..900 {
            let most = [8, 64, 128][round % 3];
            let by_position = [None, Some(1)][round % 2];
            let space = Space { mask: 1 + random(15) as u32, by_position };
            let moves = Moves::new(&TakeBreak::parse(["0.26603", "0.77"][round / 3 % 2]).unwrap()).unwrap();
            let mut brisk = Brisk::new(&moves, &space).unwrap();
            let terms: Vec<(usize, u8)> = (0..random([12, 60][round / 5 % 2]))
                .map(|_| (1 + random(63) as usize, random(most) as u8))
                .collect();
            terms.iter().for_each(|(shift, byte)| brisk.add(*shift, *byte));
            let planes = [2, 4, 8][round % 3];
            let last: [u8; BACK] = std::array::from_fn(|_| random(most) as u8 | COMMON);
            // What is missing of the rare codes ends the run now and then.
            let reached = Reached {
                common: std::array::from_fn(|_| [random(8), 0]),
                rare: std::array::from_fn(|_| [u64::MAX >> random(2) << (random(200) / 199), 0]),
                limits: std::array::from_fn(|_| [ALL, 3][usize::from(random(150) == 0)]),
                looked_at: 0,
                planes,
            };
            let all = Terms::new(space.clone());
            let (start, first) = (1000 + random(2) as usize, random(64) as usize);
            let is_past = |byte: u8| usize::from(byte & !COMMON) >= CODES;
            let terms_past = terms.iter().any(|(_, byte)| is_past(*byte));
            assert_eq!(brisk.serves(planes), !terms_past);
            if terms_past || last.iter().any(|byte| is_past(*byte)) {
                past += 1;
                let found = brisk.go(Simd::best(), &all, &last, start, first, &reached).1;
                assert!(terms_past || found == 0);
                continue;
            }

            let mut bytes = last.to_vec();
            for lane in first..LANES {
                let (n, here) = (start + lane, bytes.len());
                let mut seen = [u128::from(reached.rare[lane][0]), u128::from(reached.common[lane][0])];
                let singles =
                    moves.singles(n).map(|rest| bytes[here - (n - rest)] ^ space.turn(rest) ^ space.turn(n));
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
                let (found, many) = brisk.go(simd, &all, &last, start, first, &reached);
                assert_eq!(&found[..many], &bytes[BACK..], "{space:?} {terms:?} {simd:?}");
            }
            let found = bytes.len() - BACK;
            whole += u32::from(first + found == LANES);
            parts += u32::from(found > 0 && first + found < LANES);
        }
        assert!(whole > 50 && parts > 50 && past > 50, "{whole} {parts} {past}");
    }
}
