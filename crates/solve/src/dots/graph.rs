//! Positions of equal structure: boxes with three or four open lines (joints) and the chains between them say all.
//!
//! Where a chain lies and how it bends is nothing to the game (Strings and Coins: *Winning Ways*, ch. 16). The code of a
//! position lists the chains of each joint with their lengths and other ends, joints in an order found by refining colours.
//! Two positions of one code are one game, whatever the order was: colours decide only how often equal games are seen to
//! be equal. The first position met stands for all later ones of its code.

use super::grid::{Grid, Word};

/// Words of a code.
const WORDS: usize = 5;
/// The most joints.
const JOINTS: usize = 14;
/// The longest chain between joints.
const LONGEST: u32 = 15;

type Code = [u64; WORDS];

/// Positions that stand for others of the same code, as far as they are kept.
#[derive(Debug)]
pub(super) struct Representatives {
    entries: Vec<(Code, Word)>,
    /// The number of entries, as a power of two.
    bits: u32,
}

impl Representatives {
    /// Room for positions in so many bytes, but in at most 48 MB.
    pub fn new(bytes: u64) -> Representatives {
        let entries = (bytes / size_of::<(Code, Word)>() as u64).clamp(1 << 10, 1 << 20);
        Representatives { entries: Vec::new(), bits: entries.ilog2() }
    }

    /// The position that stands for `open`, a position without captures and independent chains: it or an equal one.
    pub fn of(&mut self, grid: &Grid, open: Word) -> Word {
        let Some(code) = code(grid, open) else { return open };
        if self.entries.is_empty() {
            self.entries = vec![([0; WORDS], 0); 1 << self.bits];
        }
        let hash = code.iter().fold(0, |hash: u64, word| mix(hash.rotate_left(5) ^ word));
        let entry = &mut self.entries[(hash >> (64 - self.bits)) as usize];
        // An entry is empty where the code is: no position has that code.
        if entry.0.iter().zip(&code).fold(0, |other, (a, b)| other | (a ^ b)) != 0 {
            *entry = (code, open);
        }
        entry.1
    }
}

/// An end of a chain at a joint.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    /// The joint at the other end, counted from 1; 0 is the outside.
    to: u8,
    length: u8,
}

/// The joints of a position with their chains.
struct Graph {
    joints: usize,
    degree: [u8; JOINTS],
    ends: [[End; 4]; JOINTS],
}

impl Graph {
    fn new(grid: &Grid, open: Word) -> Option<Graph> {
        let counts = grid.counts(open);
        let joints = counts.three | counts.four;
        let number = |b: Word| (joints & (b - 1)).count_ones() as u8 + 1;
        let mut graph = Graph {
            joints: joints.count_ones() as usize,
            degree: [0; JOINTS],
            ends: [[End::default(); 4]; JOINTS],
        };
        if graph.joints > JOINTS {
            return None;
        }
        // Ends of lines, to see that no line is left out.
        let mut seen = 0;
        let mut left = joints;
        for joint in 0..graph.joints {
            let at = left & left.wrapping_neg();
            left ^= at;
            let mut lines = grid.around(at) & open;
            while lines != 0 {
                let mut line = lines & lines.wrapping_neg();
                lines ^= line;
                let (mut from, mut length) = (at, 0);
                let to = loop {
                    let next = grid.touched(line) & !from;
                    if next & !joints == 0 {
                        break next;
                    }
                    length += 1;
                    line ^= grid.around(next) & open;
                    from = next;
                };
                if length > LONGEST {
                    return None;
                }
                seen += (length + 1) * if to == 0 { 2 } else { 1 };
                let to = if to == 0 { 0 } else { number(to) };
                let degree = &mut graph.degree[joint];
                graph.ends[joint][usize::from(*degree)] = End { to, length: length as u8 };
                *degree += 1;
            }
        }
        (seen == 2 * open.count_ones()).then_some(graph)
    }

    fn ends(&self, joint: usize) -> &[End] {
        &self.ends[joint][..usize::from(self.degree[joint])]
    }

    /// Each colour takes in those at the other ends of its chains.
    fn refine(&self, colours: &mut [u64; JOINTS], rounds: usize) {
        // The outside has the first place.
        let mut mixed = [OUTSIDE; JOINTS + 1];
        for _ in 0..rounds {
            for joint in 0..self.joints {
                mixed[joint + 1] = mix(colours[joint]);
            }
            for (joint, colour) in colours[..self.joints].iter_mut().enumerate() {
                for end in self.ends(joint) {
                    let weight = WEIGHTS[usize::from(end.length & 15)];
                    *colour = colour.wrapping_add(mixed[usize::from(end.to)].wrapping_mul(weight));
                }
            }
        }
    }

    /// The joints in order of colours, ties broken one after the other.
    fn order(&self) -> [u8; JOINTS] {
        let mut colours = [0; JOINTS];
        let mut keys = [0; JOINTS];
        self.refine(&mut colours, 3);
        for _ in 0..JOINTS {
            for joint in 0..self.joints {
                insert(&mut keys[..=joint], colours[joint] << 4 | joint as u64);
            }
            let tie = keys[..self.joints].windows(2).find(|pair| pair[0] >> 4 == pair[1] >> 4);
            let Some(pair) = tie else { break };
            let first = (pair[0] & 15) as usize;
            colours[first] = mix(colours[first] ^ OUTSIDE);
            self.refine(&mut colours, 2);
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

/// The code of a position: for each joint in order, its ends that lead outside or to joints not after it, and a stop.
fn code(grid: &Grid, open: Word) -> Option<Code> {
    let graph = Graph::new(grid, open)?;
    let order = graph.order();
    let mut place = [0u8; JOINTS + 1];
    for (i, joint) in order[..graph.joints].iter().enumerate() {
        place[usize::from(*joint) + 1] = i as u8 + 1;
    }
    let mut bytes = [0u8; 8 * WORDS];
    let mut at = 0;
    for (i, joint) in order[..graph.joints].iter().enumerate() {
        let start = at;
        for end in graph.ends(usize::from(*joint)) {
            let to = place[usize::from(end.to)];
            if usize::from(to) <= i + 1 {
                *bytes.get_mut(at)? = to << 4 | end.length;
                at += 1;
            }
        }
        bytes[start..at].sort_unstable();
        // No joint has number 15.
        *bytes.get_mut(at)? = 0xff;
        at += 1;
    }
    Some(std::array::from_fn(|i| u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j]))))
}
