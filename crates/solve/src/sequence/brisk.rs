//! Heaps of a block one by one, as fast as that goes, where nothing rare is near.
//!
//! What terms reach from before the block is known. If the heaps that single heaps and terms of small shift reach are all
//! common, then their sums are of one class each, and a heap takes a byte, a sum and a bit for each of them, no question.
//! Bytes are stored and read one at a time, so that the next heap need not wait for a vector to be put together.

use super::kernel::LANES;
use super::moves::Moves;
use super::space::{COMMON, Space};
use super::terms::{Reached, Terms};

/// The heaps before the block at work that are looked back to.
pub const BACK: usize = 128;

/// More of these are faster compared in vectors (see `near`).
const MOST: usize = 24;

/// Codes are below this: a set of them is a word.
const CODES: usize = 64;

/// What is added to the byte that stands so far back, and gives a code.
#[derive(Debug, Clone, Copy)]
struct Step {
    back: usize,
    byte: u8,
}

/// Single heaps and terms of small shift.
#[derive(Debug, Default)]
pub struct Brisk {
    /// Those whose sums with common heaps are common, and rare.
    common: Vec<Step>,
    rare: Vec<Step>,
}

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
        Some(brisk)
    }

    /// Adds a term of a rare heap.
    pub fn add(&mut self, shift: usize, byte: u8) {
        self.common.push(Step { back: shift, byte: byte ^ COMMON });
    }

    /// Whether this pays.
    pub fn serves(&self, planes: usize) -> bool {
        self.common.len() + self.rare.len() <= MOST && 8 * planes <= CODES
    }

    /// The bytes of heaps from `start + lane` on, until the block ends or one is not known to be common, given what `terms`
    /// reach in the block and the last heaps, which are common.
    pub fn go(
        &self,
        terms: &Terms,
        last: &[u8; BACK],
        start: usize,
        lane: usize,
        reached: &Reached,
    ) -> ([u8; LANES], usize) {
        let past = 8 * reached.planes as u32;
        let mut bytes = [0; BACK + LANES];
        bytes[..BACK].copy_from_slice(last);
        let mut found = 0;
        for lane in lane..LANES {
            let here = BACK + found;
            let bits = |steps: &[Step]| {
                steps.iter().fold(0, |set, step| {
                    let code = usize::from(bytes[here - step.back] ^ step.byte);
                    // Rare values, and those of before the space was chosen, may have larger codes.
                    set | u64::from(code < CODES) << (code % CODES)
                })
            };
            let code = (reached.common[lane][0] | bits(&self.common)).trailing_ones();
            if code >= reached.limits[lane].min(past) {
                break;
            }
            let rare = reached.rare[lane][0] | bits(&self.rare);
            // With so few planes all lower rare codes are in a word, too.
            if terms.below(start + lane, code) as u64 & !rare != 0 {
                break;
            }
            bytes[here] = COMMON | code as u8;
            found += 1;
        }
        (std::array::from_fn(|i| bytes[BACK + i]), found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::terms::ALL;
    use super::*;
    use crate::sequence::{TakeBreak, random};

    /// Against sets of all codes of a byte, with codes past those looked at among the last heaps and the terms.
    #[test]
    fn finds_what_sets_of_all_codes_give() {
        let mut random = random(1);
        let (mut whole, mut parts, mut past) = (0, 0, 0);
        for round in 0..600 {
            let most = [8, 64, 128][round % 3];
            let by_position = [None, Some(1)][round % 2];
            let space = Space { mask: 1 + random(15) as u32, by_position };
            let moves = Moves::new(&TakeBreak::parse("0.26603").unwrap()).unwrap();
            let mut brisk = Brisk::new(&moves, &space).unwrap();
            let terms: Vec<(usize, u8)> =
                (0..random(12)).map(|_| (1 + random(63) as usize, random(most) as u8)).collect();
            terms.iter().for_each(|(shift, byte)| brisk.add(*shift, *byte));
            let planes = [2, 4, 8][round % 3];
            assert!(brisk.serves(planes));
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
            let (found, many) = brisk.go(&all, &last, start, first, &reached);

            let mut bytes = last.to_vec();
            for lane in first..LANES {
                let (n, here) = (start + lane, bytes.len());
                let mut seen = [u128::from(reached.rare[lane][0]), u128::from(reached.common[lane][0])];
                let singles =
                    moves.singles(n).map(|rest| bytes[here - (n - rest)] ^ space.turn(rest) ^ space.turn(n));
                let sums = terms.iter().map(|(shift, byte)| bytes[here - shift] ^ byte);
                for byte in singles.chain(sums) {
                    seen[usize::from(byte >> 7)] |= 1 << (byte & !COMMON);
                    past += u32::from(byte & !COMMON >= CODES as u8);
                }
                let code = seen[1].trailing_ones();
                let open = code >= reached.limits[lane].min(8 * planes as u32);
                if open || all.below(n, code) & !seen[0] != 0 {
                    break;
                }
                bytes.push(COMMON | code as u8);
            }
            assert_eq!(&found[..many], &bytes[BACK..], "{space:?} {terms:?}");
            whole += u32::from(first + many == LANES);
            parts += u32::from(many > 0 && first + many < LANES);
        }
        assert!(whole > 50 && parts > 50 && past > 50, "{whole} {parts} {past}");
    }
}
