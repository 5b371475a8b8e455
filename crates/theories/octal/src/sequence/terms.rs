//! Terms of rare heaps and pairs that witness rare values, by use; and the codes that they reach in
//! a block.
//!
//! Marking a term for all codes costs ten times as much as comparing it with six. A greedy sort on
//! a sample of heaps therefore moves the most useful terms to the front; these are marked. The
//! others are compared with the first six codes left open.

use super::kernel::{FOUND, Kernel, LANES, LaneSets, TARGETS, Targets, Term};
use super::space::{COMMON, SparseSpace};
use bouton_simd::Simd;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// A set of codes of one class.
pub type CodeSet = u128;

/// Number of codes of one class.
pub const ALL_CODES: u32 = CodeSet::BITS;

/// Maximum number of recorded witnesses.
pub const WITNESSES: usize = 2048;

/// Rounds of seeking witnesses of a few rare values at a time.
const ROUNDS: usize = 2;

/// Up to this number of terms, all are marked for all codes.
const MAX_MARKED_TERMS: usize = 64;

/// Number of heaps in the sample for sorting terms, and number of their codes that a term must add
/// to be marked for all codes.
pub const SAMPLE: usize = 512;
const LEAST_GAIN: u64 = 2;

/// Returns the set of codes below `code`.
pub fn prefix(code: u32) -> CodeSet {
    1u128.checked_shl(code).map_or(CodeSet::MAX, |bit| bit - 1)
}

/// Returns the set of a lane.
pub fn codes(set: [u64; 2]) -> CodeSet {
    CodeSet::from(set[0]) | CodeSet::from(set[1]) << 64
}

/// The terms of a space, sorted by use.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The space.
    pub space: SparseSpace,
    /// Terms of the rare heaps, of shift 64 or more, that reach back before the current block.
    pub rare: Vec<Term>,
    /// Sums of pairs that are tried first for rare values.
    pub witnesses: Vec<Term>,
    /// Number of leading terms and of leading witnesses, which are marked for all codes.
    leading: [usize; 2],
    /// Index of the witness overwritten last.
    oldest: usize,
    /// Number of witnesses recorded so far.
    pub remembered: usize,
    /// For each common code, the rare codes of lower values; then the same for sizes at which bytes
    /// are flipped.
    below: [Vec<CodeSet>; 2],
    /// Number of planes that recent values needed.
    pub planes: usize,
}

/// The codes that terms reach in a block.
#[derive(Debug)]
pub struct ReachedCodes {
    /// Codes of common values, for each lane.
    pub common: LaneSets,
    /// Codes of rare values.
    pub rare: LaneSets,
    /// For each lane, the code below which all reached common codes are present.
    pub limits: [u32; LANES],
    /// Number of terms of rare heaps that were used.
    pub looked_at: usize,
    /// Number of planes that were used.
    pub planes: usize,
}

impl Terms {
    /// Creates an empty list.
    pub fn new(space: SparseSpace) -> Terms {
        let below = [0, COMMON].map(|turn| {
            let rares: Vec<u32> = (0..128).map(|code| space.decode(code ^ turn)).collect();
            let commons = (0..128).map(|code| space.decode(code ^ COMMON ^ turn));
            let lower = |value: u32| {
                (0..128).filter(|code| rares[*code] < value).fold(0, |set, code| set | 1 << code)
            };
            commons.map(lower).collect()
        });
        // The rare values below a common one have codes below the next multiple of the omitted bit.
        let planes = (1 << space.mask.trailing_zeros()).max(8) / 8;
        let (rare, witnesses) = (Vec::new(), Vec::new());
        Terms {
            space,
            rare,
            witnesses,
            leading: [usize::MAX; 2],
            oldest: 0,
            remembered: 0,
            below,
            planes,
        }
    }

    /// Returns the rare codes of values below that of a common code, at heap `n`.
    pub fn below(&self, n: usize, code: u32) -> CodeSet {
        self.below[usize::from(self.space.class_flip(n) != 0)][code as usize]
    }

    /// Returns the codes reached at heaps `start..start + 64`, given the bytes of the heaps before.
    pub fn reach(&self, simd: Simd, bytes: &[u8], start: usize) -> ReachedCodes {
        let (planes, past) = (self.planes, 8 * self.planes as u32);
        let mut reached = ReachedCodes {
            common: [[0; 2]; LANES],
            rare: [[0; 2]; LANES],
            limits: [ALL_CODES; LANES],
            looked_at: self.rare.len(),
            planes,
        };
        let (lead, rest) = self.rare.split_at(self.leading[0].min(self.rare.len()));
        Kernel(simd).mark(bytes, start, lead, COMMON, planes, &mut reached.common);
        let open = |_, set: CodeSet| prefix(past) & !set;
        reached.limits = settle(simd, bytes, start, rest, COMMON, &mut reached.common, open);
        let (lead, rest) = self.witnesses.split_at(self.leading[1].min(self.witnesses.len()));
        Kernel(simd).mark(bytes, start, lead, 0, planes, &mut reached.rare);
        for _ in 0..ROUNDS {
            let common = &reached.common;
            let settled = settle(simd, bytes, start, rest, 0, &mut reached.rare, |lane, set| {
                let code = (prefix(past) & !codes(common[lane])).trailing_zeros().min(past - 1);
                self.below(start + lane, code) & !set
            });
            if settled == [ALL_CODES; LANES] {
                break;
            }
        }
        reached
    }

    /// Returns the terms with shifts in `shifts`, in the same order.
    pub fn with_shifts_in(&self, shifts: &Range<u32>) -> Terms {
        let mut part = Terms { rare: Vec::new(), ..self.clone() };
        let there = |terms: &[Term]| -> Vec<Term> {
            terms.iter().filter(|term| shifts.contains(&term.shift)).copied().collect()
        };
        if self.leading[0] < self.rare.len() {
            part.leading[0] = there(&self.rare[..self.leading[0]]).len();
        }
        part.rare = there(&self.rare);
        part.update_from(self, shifts);
        part
    }

    /// Takes over the witnesses of `all` with shifts in `shifts`.
    pub fn update_from(&mut self, all: &Terms, shifts: &Range<u32>) {
        let of_these = |term: &&Term| shifts.contains(&term.shift);
        let lead = all.leading[1].min(all.witnesses.len());
        self.leading[1] = all.witnesses[..lead].iter().filter(of_these).count();
        self.witnesses.clear();
        self.witnesses.extend(all.witnesses.iter().filter(of_these));
    }

    /// Records a pair that was a witness, of shift 64 or more.
    pub fn remember(&mut self, term: Term) {
        self.remembered += 1;
        if self.witnesses.len() < WITNESSES {
            self.witnesses.push(term);
        } else {
            let lead = if self.leading[1] < WITNESSES { self.leading[1] } else { 0 };
            self.oldest = (self.oldest + 1).clamp(lead, WITNESSES);
            if self.oldest == WITNESSES {
                self.oldest = lead;
            }
            self.witnesses[self.oldest] = term;
        }
    }

    /// Moves the terms and witnesses to the front that would have been most useful on a sample of
    /// heaps.
    ///
    /// `taken` are the numbers of tokens of the moves that leave two heaps.
    pub fn sort(&mut self, bytes: &[u8], taken: &[usize]) {
        let n = bytes.len();
        let starts = sample(n);
        let wanted = |codes: &dyn Fn(usize, u32) -> CodeSet| -> Vec<[u64; 4]> {
            let heaps = starts.iter().flat_map(|start| *start..start + LANES);
            // Rare heaps want no codes.
            heaps
                .map(|n| match bytes[n] {
                    ..COMMON => 0,
                    byte => codes(n, u32::from(byte & !COMMON)),
                })
                .map(|codes| [codes as u64, (codes >> 64) as u64, 0, 0])
                .collect()
        };
        // Codes of the other class are never wanted.
        let sorted = |terms, flip, wanted| {
            let reach = |term: &Term, start: usize, run: &mut [u8]| {
                if let Some(from) = start.checked_sub(term.shift as usize) {
                    run.iter_mut()
                        .zip(&bytes[from..])
                        .for_each(|(code, byte)| *code = byte ^ term.byte ^ flip);
                }
            };
            sorted(terms, &starts, COMMON, reach, wanted)
        };
        let few = self.rare.len() <= MAX_MARKED_TERMS;
        let rare = std::mem::take(&mut self.rare);
        (self.rare, self.leading[0]) = sorted(rare, COMMON, wanted(&|_, code| prefix(code)));
        if few {
            self.leading[0] = usize::MAX;
        }
        let mut pool = std::mem::take(&mut self.witnesses);
        let each = 2 * WITNESSES / taken.len();
        for taken in taken {
            let sizes = LANES..(n / 4).min(each);
            pool.extend(sizes.map(|a| Term { shift: (a + taken) as u32, byte: bytes[a], page: 0 }));
        }
        pool.retain(|term| term.byte & COMMON != 0);
        pool.sort_unstable_by_key(|term| term.shift);
        pool.dedup();
        (self.witnesses, self.leading[1]) = sorted(pool, 0, wanted(&|n, code| self.below(n, code)));
        self.witnesses.truncate(WITNESSES);
    }
}

/// Sorts terms greedily by the number of wanted codes that they add at the heaps of the sample.
///
/// Returns the terms, and how many of them add enough to be marked for all codes. `reach` writes
/// the codes that a term reaches at the 64 heaps from one of `starts` on, and leaves the others.
/// `wanted` has a set of codes for each heap of the sample.
pub fn sorted<C: Copy + Into<usize>, const WORDS: usize>(
    terms: Vec<Term>,
    starts: &[usize],
    none: C,
    reach: impl Fn(&Term, usize, &mut [C]),
    mut wanted: Vec<[u64; WORDS]>,
) -> (Vec<Term>, usize) {
    // The codes that each term reaches at each heap.
    let width = starts.len() * LANES;
    let mut reached = vec![none; terms.len() * width];
    for (row, term) in reached.chunks_exact_mut(width.max(1)).zip(&terms) {
        row.chunks_exact_mut(LANES).zip(starts).for_each(|(run, start)| reach(term, *start, run));
    }
    let row = |i: usize| &reached[i * width..(i + 1) * width];
    let gain = |i: usize, wanted: &[[u64; WORDS]]| -> u64 {
        row(i)
            .iter()
            .zip(wanted)
            .map(|(code, wanted)| {
                let code: usize = (*code).into();
                wanted[code / 64 % WORDS] >> (code % 64) & 1
            })
            .sum()
    };
    // Gains only decrease: one that is still the greatest when recomputed is the greatest.
    let mut heap: BinaryHeap<(u64, Reverse<usize>)> =
        (0..terms.len()).map(|i| (gain(i, &wanted), Reverse(i))).collect();
    let mut order = Vec::with_capacity(terms.len());
    while let Some((_, Reverse(i))) = heap.pop() {
        let now = gain(i, &wanted);
        if heap.peek().is_some_and(|(next, _)| *next > now) {
            heap.push((now, Reverse(i)));
            continue;
        }
        if now < LEAST_GAIN {
            heap.push((now, Reverse(i)));
            break;
        }
        row(i).iter().zip(&mut wanted).for_each(|(code, wanted)| {
            let code: usize = (*code).into();
            wanted[code / 64 % WORDS] &= !(1 << (code % 64));
        });
        order.push(terms[i]);
    }
    let leading = order.len();
    order.extend(heap.into_sorted_vec().into_iter().rev().map(|(_, Reverse(i))| terms[i]));
    (order, leading)
}

/// Returns the starts of the runs of 64 heaps that form the sample. Short sequences have fewer, so
/// that sorting costs less than it saves.
pub fn sample(n: usize) -> Vec<usize> {
    let runs = (n / 32).min((n / 512).clamp(256, SAMPLE)) / LANES;
    (1..=runs).map(|i| n - LANES - (i - 1) * (n / 2 / runs)).collect()
}

/// Decides the first few codes of `open` in each lane: adds those that the terms reach to the set.
/// Returns the code up to which each lane is complete.
fn settle(
    simd: Simd,
    bytes: &[u8],
    start: usize,
    terms: &[Term],
    flip: u8,
    sets: &mut LaneSets,
    open: impl Fn(usize, CodeSet) -> CodeSet,
) -> [u32; LANES] {
    let mut limits = [ALL_CODES; LANES];
    if terms.is_empty() {
        return limits;
    }
    let mut targets: Targets = [[FOUND; LANES]; TARGETS];
    for lane in 0..LANES {
        let mut codes = open(lane, codes(sets[lane]));
        for target in &mut targets {
            if codes == 0 {
                break;
            }
            target[lane] = codes.trailing_zeros() as u8;
            codes &= codes - 1;
        }
        // The first code that is not decided.
        limits[lane] = codes.trailing_zeros();
    }
    let sought = targets;
    if sought[0] == [FOUND; LANES] {
        return limits;
    }
    Kernel(simd).strike(bytes, start, terms, flip, &mut targets);
    for (sought, left) in sought.iter().zip(&targets) {
        for lane in (0..LANES).filter(|lane| sought[*lane] != left[*lane]) {
            sets[lane][usize::from(sought[lane] >> 6)] |= 1 << (sought[lane] & 63);
        }
    }
    limits
}
