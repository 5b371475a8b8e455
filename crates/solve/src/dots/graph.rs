//! Positions of equal structure: boxes with three or four open lines (joints) and the chains between them say all.
//!
//! Where a chain lies and how it bends is nothing to the game (Strings and Coins: *Winning Ways*, ch. 16). The code of a
//! position lists the chains of each joint with their lengths and other ends, joints in an order found by refining colours.
//! Two positions of one code are one game, whatever the order was: colours decide only how often equal games are seen to
//! be equal. The first position met stands for all later ones of its code.

use super::grid::{Grid, Word};
use super::memory::{Words, prefetch};
use std::sync::atomic::Ordering::Relaxed;

/// The most joints.
const JOINTS: usize = 14;
/// The longest chain between joints.
const LONGEST: u32 = 15;
/// Words of a code: half a word a joint.
const WORDS: usize = JOINTS / 2;
/// Words of an entry: the code and the position. A line of the processor's cache.
const ENTRY: usize = WORDS + 1;

type Code = [u64; WORDS];

/// Positions that stand for others of the same code, as far as they are kept.
#[derive(Debug)]
pub(super) struct Representatives {
    entries: Words,
    /// The number of entries, as a power of two.
    bits: u32,
}

impl Representatives {
    /// Room for positions in so many bytes, but in at most 64 MB.
    pub fn new(bytes: u64) -> Representatives {
        let bits = (bytes / (8 * ENTRY as u64)).clamp(1 << 10, 1 << 20).ilog2();
        Representatives { entries: Words::new(ENTRY << bits), bits }
    }

    /// The position that stands for `open`, a position without captures and independent chains: it or an equal one.
    pub fn of(&mut self, grid: &Grid, open: Word) -> Word {
        let Some(code) = code(grid, open) else { return open };
        let place = (hash(&code) >> (64 - self.bits)) as usize;
        let entry = &self.entries.all()[ENTRY * place..][..ENTRY];
        prefetch(entry);
        // An entry is empty where the code is: no position has that code.
        let differ = entry.iter().zip(&code).fold(0, |all, (a, b)| all | (a.load(Relaxed) ^ b));
        if differ == 0 {
            return entry[WORDS].load(Relaxed);
        }
        for (word, new) in entry.iter().zip(code.iter().chain([&open])) {
            word.store(*new, Relaxed);
        }
        open
    }
}

/// The joints of a position with their chains.
struct Graph {
    joints: usize,
    /// The ends of chains at each joint: the joint at the other end, counted from 1, or 0 for the outside, times 16; plus the
    /// number of boxes between. [`NO_END`] where there is none.
    ends: [[u8; 4]; JOINTS],
    /// A number for each joint that equal joints of equal positions share.
    colours: [u64; JOINTS],
}

const NO_END: u8 = 0xff;

impl Graph {
    #[inline]
    fn new(grid: &Grid, open: Word) -> Option<Graph> {
        let counts = grid.counts(open);
        let joints = counts.three | counts.four;
        let (mut number, mut count) = ([0u8; 64], 0);
        let mut left = joints;
        while left != 0 {
            count += 1;
            number[left.trailing_zeros() as usize] = count;
            left &= left - 1;
        }
        let mut graph = Graph { joints: count.into(), ends: [[NO_END; 4]; JOINTS], colours: [0; JOINTS] };
        if graph.joints > JOINTS {
            return None;
        }
        // Lines met, twice each, to see that none is left out.
        let mut seen = 0;
        let mut left = joints;
        for (ends, colour) in graph.ends[..usize::from(count)].iter_mut().zip(&mut graph.colours) {
            let at = left & left.wrapping_neg();
            left ^= at;
            for (end, (line, beyond)) in ends.iter_mut().zip(grid.ways(at)) {
                if line & open == 0 {
                    continue;
                }
                let (mut to, mut length) = (beyond, 0);
                if to & !joints != 0 {
                    let mut line = line;
                    while to & !joints != 0 {
                        length += 1;
                        line ^= grid.around(to) & open;
                        to = grid.touched(line) & !to;
                    }
                    if length > LONGEST {
                        return None;
                    }
                }
                let outside = to == 0;
                seen += (length + 1) << u32::from(outside);
                let other = if outside { 0 } else { number[to.trailing_zeros() as usize] };
                *end = other << 4 | length as u8;
                *colour = colour.wrapping_add(WEIGHTS[length as usize] << u32::from(outside));
            }
        }
        (seen == 2 * open.count_ones()).then_some(graph)
    }

    /// Each colour takes in those at the other ends of its chains.
    #[inline]
    fn refine(&mut self) {
        // The outside has the first place.
        let mut mixed = [OUTSIDE; JOINTS + 2];
        for (mixed, colour) in mixed[1..].iter_mut().zip(&self.colours[..self.joints]) {
            *mixed = mix(*colour);
        }
        for (colour, ends) in self.colours[..self.joints].iter_mut().zip(&self.ends) {
            for end in ends {
                // What is not there comes to the same for all.
                let weight = WEIGHTS[usize::from(end & 15)];
                let other = if *end == NO_END { 0 } else { mixed[usize::from(end >> 4)] };
                *colour = colour.wrapping_add(other.wrapping_mul(weight));
            }
        }
    }

    /// The joints in order of colours, ties broken one after the other.
    #[inline]
    fn order(&mut self) -> [u8; JOINTS] {
        let mut keys = [0; JOINTS];
        self.refine();
        for _ in 0..JOINTS {
            for joint in 0..self.joints {
                insert(&mut keys[..=joint], self.colours[joint] << 4 | joint as u64);
            }
            let tie = keys[..self.joints].windows(2).find(|pair| pair[0] >> 4 == pair[1] >> 4);
            let Some(pair) = tie else { break };
            let first = (pair[0] & 15) as usize;
            self.colours[first] = mix(self.colours[first] ^ OUTSIDE);
            self.refine();
        }
        keys.map(|key| (key & 15) as u8)
    }
}

/// Puts a key into its place, the keys before the last being sorted.
#[inline]
fn insert(keys: &mut [u64], key: u64) {
    let mut at = keys.len() - 1;
    while at > 0 && keys[at - 1] > key {
        keys[at] = keys[at - 1];
        at -= 1;
    }
    keys[at] = key;
}

const OUTSIDE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Odd numbers without a pattern, by the length of a chain.
const WEIGHTS: [u64; 16] = {
    let (mut all, mut i) = ([0; 16], 0);
    while i < 16 {
        all[i] = mix(OUTSIDE.wrapping_mul(i as u64 + 1)) | 1;
        i += 1;
    }
    all
};

const fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ x >> 32
}

fn hash(code: &Code) -> u64 {
    let sum = code
        .iter()
        .zip(&WEIGHTS)
        .fold(0u64, |sum, (word, weight)| sum.wrapping_add((word ^ word >> 29).wrapping_mul(*weight)));
    mix(sum).wrapping_mul(OUTSIDE)
}

/// The code of a position: of each joint in order, its ends by the places of the joints that they lead to.
#[inline]
fn code(grid: &Grid, open: Word) -> Option<Code> {
    let mut graph = Graph::new(grid, open)?;
    let order = graph.order();
    let mut place = [0u8; 16];
    for (i, joint) in order[..graph.joints].iter().enumerate() {
        place[usize::from(*joint) + 1] = i as u8 + 1;
    }
    place[usize::from(NO_END >> 4)] = NO_END >> 4;
    let mut code = [0; WORDS];
    for (i, joint) in order[..graph.joints].iter().enumerate() {
        let [a, b, c, d] =
            graph.ends[usize::from(*joint)].map(|end| place[usize::from(end >> 4)] << 4 | end & 15);
        let ((a, b), (c, d)) = (ordered(a, b), ordered(c, d));
        let ((a, c), (b, d)) = (ordered(a, c), ordered(b, d));
        let (b, c) = ordered(b, c);
        code[i / 2] |= u64::from(u32::from_le_bytes([a, b, c, d])) << (32 * (i % 2));
    }
    Some(code)
}

#[inline]
fn ordered(a: u8, b: u8) -> (u8, u8) {
    (a.min(b), a.max(b))
}
