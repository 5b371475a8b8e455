//! Independent chains and loops, as a multiset with its exact value.
//!
//! A component of boxes with two open lines each is a chain (both ends lead out of the board) or a
//! loop. Neither its shape nor its place matters. A component is therefore removed from the board,
//! and every multiset of few boxes has a code and, if nothing else remains, a value: *Winning
//! Ways*, ch. 16; M. Buzzard and R. Ciere, *Playing simple loony dots and boxes endgames
//! optimally*, Integers 14 (2014).

use super::grid::{Grid, Word};
use rustc_hash::FxHashMap;

/// The code of a multiset of chains and loops. The empty one has code 0.
pub(super) type Code = u16;

const NONE: Code = Code::MAX;

/// All multisets with few boxes.
#[derive(Debug, Clone)]
pub(super) struct Multisets {
    /// The number of kinds: chains of 1, 2, … boxes, then loops of 4, 6, …
    kinds: usize,
    /// The length of the longest chain.
    longest: u32,
    /// By code and kind, the multiset with one more of the kind, or [`NONE`].
    more: Vec<Code>,
    /// By code, the openings: the kind, and the multiset without it.
    openings: Vec<Vec<(Kind, Code)>>,
    values: Vec<i8>,
}

/// A chain or a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub boxes: u32,
    pub is_loop: bool,
}

impl Kind {
    /// Returns the number of boxes that the opponent can decline after the opening, or 0. A chain
    /// of two is opened in its middle.
    pub fn deal(self) -> i32 {
        match (self.is_loop, self.boxes) {
            (true, _) => 4,
            (false, 3..) => 2,
            (false, _) => 0,
        }
    }
}

impl Multisets {
    /// Returns all multisets of at most some number of boxes, as many as `bits` bits can code, for
    /// a board of `boxes` boxes.
    pub fn new(boxes: u32, bits: u32) -> Multisets {
        let limit = (1usize << bits.min(16)).min(usize::from(NONE));
        let kinds: Vec<Kind> = (1..=boxes)
            .map(|boxes| Kind { boxes, is_loop: false })
            .chain((4..=boxes).step_by(2).map(|boxes| Kind { boxes, is_loop: true }))
            .collect();
        // Multisets by boxes; a multiset is the ascending list of its kinds.
        let mut by_boxes: Vec<Vec<Vec<u8>>> = vec![vec![Vec::new()]];
        let mut all = vec![Vec::new()];
        for total in 1..=boxes {
            let mut next = Vec::new();
            for (index, kind) in kinds.iter().enumerate().filter(|(_, kind)| kind.boxes <= total) {
                for smaller in &by_boxes[(total - kind.boxes) as usize] {
                    if smaller.last().is_none_or(|last| usize::from(*last) <= index) {
                        let mut larger = smaller.clone();
                        larger.push(index as u8);
                        next.push(larger);
                    }
                }
            }
            if all.len() + next.len() > limit {
                break;
            }
            all.extend(next.iter().cloned());
            by_boxes.push(next);
        }
        let codes: FxHashMap<&[u8], Code> =
            all.iter().enumerate().map(|(code, kinds)| (&kinds[..], code as Code)).collect();
        let mut sets = Multisets {
            kinds: kinds.len(),
            longest: boxes,
            more: vec![NONE; all.len() * kinds.len()],
            openings: Vec::new(),
            values: Vec::new(),
        };
        for (code, set) in all.iter().enumerate() {
            let mut openings = Vec::new();
            let mut value: Option<i32> = None;
            let mut distinct = set.clone();
            distinct.dedup();
            for index in distinct {
                let mut smaller = set.clone();
                smaller.remove(smaller.partition_point(|k| *k < index));
                let (kind, rest) = (kinds[usize::from(index)], codes[&smaller[..]]);
                sets.more[usize::from(rest) * sets.kinds + usize::from(index)] = code as Code;
                openings.push((kind, rest));
                let deal = kind.deal();
                let left = i32::from(sets.values[usize::from(rest)]);
                let other =
                    kind.boxes as i32 + if deal == 0 { left } else { (left + deal).abs() - deal };
                value = value.max(Some(-other));
            }
            sets.openings.push(openings);
            sets.values.push(value.unwrap_or(0) as i8);
        }
        sets
    }

    /// Returns the multiset with one more of a kind, if it has a code.
    #[inline]
    pub fn with_kind(&self, code: Code, kind: Kind) -> Option<Code> {
        let index = if kind.is_loop { self.longest + kind.boxes / 2 - 2 } else { kind.boxes - 1 };
        Some(self.more[usize::from(code) * self.kinds + index as usize])
            .filter(|code| *code != NONE)
    }

    /// Returns whether the kind exists on this board.
    pub fn has_kind(&self, kind: Kind) -> bool {
        (1..=self.longest).contains(&kind.boxes)
            && (!kind.is_loop || kind.boxes >= 4 && kind.boxes.is_multiple_of(2))
    }

    /// Returns the kinds of a multiset, with repetition.
    pub fn kinds(&self, mut code: Code) -> impl Iterator<Item = Kind> {
        std::iter::from_fn(move || {
            let (kind, rest) = *self.openings(code).first()?;
            code = rest;
            Some(kind)
        })
    }

    /// Returns the kinds that can be opened, each with the multiset that remains.
    pub fn openings(&self, code: Code) -> &[(Kind, Code)] {
        &self.openings[usize::from(code)]
    }

    /// Returns the value of the multiset if nothing else remains.
    pub fn value(&self, code: Code) -> i32 {
        self.values[usize::from(code)].into()
    }

    /// Removes the independent chains and loops that contain boxes of `seeds` from a position
    /// without captures, whose boxes of two open lines are `two`, as far as the larger multiset has
    /// a code.
    #[inline]
    pub fn strip(
        &self,
        grid: &Grid,
        open: Word,
        two: Word,
        mut seeds: Word,
        code: Code,
    ) -> (Word, Code) {
        let (mut open_left, mut larger) = (open, code);
        while seeds != 0 {
            let seed = seeds & seeds.wrapping_neg();
            seeds ^= seed;
            let Some(component) = grid.component(seed, two, open) else { continue };
            seeds &= !component;
            let lines = grid.around(component) & open;
            let boxes = component.count_ones();
            let Some(next) =
                self.with_kind(larger, Kind { boxes, is_loop: lines.count_ones() == boxes })
            else {
                return (open, code);
            };
            larger = next;
            open_left &= !lines;
        }
        (open_left, larger)
    }
}
