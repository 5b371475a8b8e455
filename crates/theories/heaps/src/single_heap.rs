//! One heap whose options are ranges of sizes: take at most a third, take 1 or at least a half,
//! halve.
//!
//! [`SingleHeap`] fills tables from size 0 on. The mex over a range that ends just below the heap
//! is the first value whose last occurrence lies before the range; a tree of last occurrences finds
//! it in a time that is logarithmic in the number of values. Of other ranges the sizes of each
//! value tell whether it occurs in them.
//!
//! Where the number that may be taken grows slowly ([`HeapOptions::grows_slowly`]) the nim-value of
//! one size needs no table. Let f(n) be that number: 0 at 0, and f(n+1) is f(n) or f(n) + 1. The
//! values of the f(n) + 1 sizes n − f(n), …, n are 0, …, f(n), each once. For n = 0 so it is. Where
//! f(n+1) = f(n) + 1 the options of n + 1 are these sizes, so its value is f(n) + 1. Else they are
//! these sizes without the first, so the value of n + 1 is that of n − f(n), which is n + 1 −
//! f(n+1) − 1.

use crate::heap_options::{HeapOptions, SingleSizes, Sizes};
use bouton_core::{HeapGame, LimitReached, Meter, Nimber, Outcome, Play};
use bouton_engine::game::{BoxTables, VisitKnown, VisitSizes};

/// Sizes between two looks at the bytes that a table takes.
const LOOK_EVERY: usize = 1 << 12;

/// Steps of [`SingleHeap::slow_value`], at most: each is to sizes of which another number may be
/// taken.
const MAX_STEPS: usize = 1 << 18;

/// A game on one heap whose options are ranges of sizes.
#[derive(Debug, Clone)]
pub struct SingleHeap {
    options: HeapOptions,
    /// What the options say, ready to be asked.
    sizes: Option<SingleSizes>,
    is_slow: bool,
}

impl SingleHeap {
    /// Returns the game, if it is one.
    pub fn new(game: &HeapGame) -> Option<SingleHeap> {
        let is_plain =
            game.heaps == 1 && game.moves.permutation.is_none() && game.moves.domain.is_none();
        if !is_plain || game.shrinks || game.moves.condition.is_none() {
            return None;
        }
        let options = HeapOptions::new(&game.moves, Some(1), false);
        options.lower_sizes(0)?;
        Some(SingleHeap { is_slow: options.grows_slowly(), sizes: options.single_sizes(), options })
    }

    /// Returns whether [`SingleHeap::nim_value`] finds values.
    pub fn is_slow(&self) -> bool {
        self.is_slow
    }

    /// Returns the nim-value of a size without a table; `None` if what may be taken does not grow
    /// slowly.
    ///
    /// Takes a step for each time that the size is lowered by all that may be taken, and one more.
    ///
    /// # Errors
    ///
    /// If the budget ends.
    pub fn nim_value(&self, size: u32, meter: &mut Meter) -> Result<Option<Nimber>, LimitReached> {
        if !self.is_slow {
            return Ok(None);
        }
        let most = |size: u32| match self.lower_sizes(size)[..] {
            [(low, high)] => high - low + 1,
            _ => 0,
        };
        let mut size = size;
        loop {
            meter.spend_one()?;
            let taken = most(size);
            if size == 0 || most(size - 1) < taken {
                return Ok(Some(Nimber(taken)));
            }
            size -= taken + 1;
        }
    }

    /// Returns the nim-value of a size of any length, without a table. `None` if what may be taken
    /// does not grow slowly, after [`MAX_STEPS`], and if numbers are too large for the rules.
    pub fn slow_value(&self, size: u64) -> Option<u64> {
        if !self.is_slow || size > u64::MAX / 4 {
            return None;
        }
        let mut at = size;
        for _ in 0..MAX_STEPS {
            let taken = self.most(at)?;
            // Sizes of which as many may be taken are lowered in one go.
            let past = at - first(taken, at, |at| self.takes(at, taken))?;
            if past.is_multiple_of(taken + 1) {
                return Some(taken);
            }
            at -= past.next_multiple_of(taken + 1);
        }
        None
    }

    /// Returns an option of a size with a lesser nim-value than its own; `None` as of
    /// [`SingleHeap::slow_value`].
    ///
    /// The first size with a value is the first of which as many may be taken. Sizes of one value
    /// follow from each other: the next one is the first from which the last one cannot be reached.
    pub fn slow_option(&self, size: u64, value: u64) -> Option<u64> {
        let start = first(value, size, |at| self.takes(at, value))?;
        let option = self.last_lost(start, size)?;
        self.reaches(size, option)?.then_some(option)
    }

    /// Returns whether so many tokens, or none, may be taken of a size.
    fn takes(&self, size: u64, taken: u64) -> Option<bool> {
        Some(taken == 0 || size >= taken && self.reaches(size, size - taken)?)
    }

    /// Returns how many tokens may be taken of a size at most.
    fn most(&self, size: u64) -> Option<u64> {
        Some(size - first(0, size, |to| self.reaches(size, to))?)
    }

    /// Returns whether a size is lost in misère play, and a lost size to lower it to unless it is
    /// lost itself or has no move; as [`SingleHeap::slow_value`], and for the same games.
    ///
    /// Sizes without a move are won, and all others are larger: what may be taken never falls. So
    /// the first size with a move is lost, and from there on the lost sizes follow from each other.
    pub fn slow_misere(&self, size: u64) -> Option<(bool, Option<u64>)> {
        if !self.is_slow || size > u64::MAX / 4 {
            return None;
        }
        let least = first(1, size + 1, |from| self.reaches(from, from - 1))?;
        if size < least {
            return Some((false, None));
        }
        let lost = self.last_lost(least, size)?;
        match lost == size {
            true => Some((true, None)),
            false => self.reaches(size, lost)?.then_some((false, Some(lost))),
        }
    }

    /// Returns the last size up to `size` of those that follow from `lost`: the next one is the
    /// first from which the last one cannot be reached.
    fn last_lost(&self, lost: u64, size: u64) -> Option<u64> {
        let mut lost = lost;
        for _ in 0..MAX_STEPS {
            let next = first(lost + 1, size + 1, |from| self.reaches(from, lost).map(|is| !is))?;
            if next > size {
                return Some(lost);
            }
            // The further ones of which as many may be taken.
            let taken = next - lost - 1;
            let end = first(next, size + 1, |at| self.takes(at, taken + 1))?;
            lost = next + (end - 1 - next) / (taken + 1) * (taken + 1);
        }
        None
    }

    /// Returns whether one size may be lowered to another.
    fn reaches(&self, from: u64, to: u64) -> Option<bool> {
        Some(self.options.allows_single(from, to)? && to < from)
    }

    fn lower_sizes(&self, size: u32) -> Sizes {
        let ready = self.sizes.as_ref().and_then(|sizes| sizes.lower_sizes(size));
        ready
            .or_else(|| self.options.lower_sizes(size))
            .expect("this was asked when the game was made")
    }
}

/// Returns the first number from `low` on of which something holds that holds of all further ones;
/// `high` if it holds of none below. `None` if that is not known of a number.
fn first(low: u64, high: u64, holds: impl Fn(u64) -> Option<bool>) -> Option<u64> {
    let (mut low, mut high) = (low, high);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle)? { high = middle } else { low = middle + 1 }
    }
    Some(low)
}

/// Values by size, in a byte each while they fit.
#[derive(Debug, Default)]
pub struct Values {
    bytes: Vec<u8>,
    /// All values, once one of them is larger.
    words: Vec<u32>,
}

impl Values {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.bytes.len().max(self.words.len())
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a size, if it is there.
    #[inline]
    pub fn get(&self, size: usize) -> Option<u32> {
        match self.bytes.get(size) {
            Some(byte) => Some((*byte).into()),
            None => self.words.get(size).copied(),
        }
    }

    /// Returns the values in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.len()).filter_map(|size| self.get(size))
    }

    fn push(&mut self, value: u32) {
        match u8::try_from(value) {
            Ok(byte) if self.words.is_empty() => self.bytes.push(byte),
            _ => {
                self.words.extend(self.bytes.iter().map(|byte| u32::from(*byte)));
                self.bytes = Vec::new();
                self.words.push(value);
            }
        }
    }
}

/// The nim-values of a game on one heap from size 0 on.
#[derive(Debug, Default)]
pub struct ValueTable {
    values: Values,
    ends: LastOccurrences,
    /// The sizes of each value, from when on they were needed.
    sizes: Option<Vec<Vec<u32>>>,
}

impl ValueTable {
    /// Fills the table up to a size, and returns the values. Takes 1 or 4 bytes for each size, and
    /// 8 to 40 for each value.
    ///
    /// # Errors
    ///
    /// If the budget ends, or the table takes more than `bytes`.
    pub fn fill(
        &mut self,
        game: &SingleHeap,
        max: u32,
        bytes: u64,
        meter: &mut Meter,
    ) -> Result<&Values, LimitReached> {
        at_most(bytes, max.into())?;
        while self.values.len() <= max as usize {
            meter.spend_one()?;
            if self.values.len().is_multiple_of(LOOK_EVERY) {
                at_most(bytes, self.bytes())?;
            }
            let size = self.values.len() as u32;
            let value = self.mex(&game.lower_sizes(size), size);
            self.values.push(value);
            self.ends.set(value as usize, size + 1);
            if let Some(sizes) = &mut self.sizes {
                put(sizes, value, size);
            }
        }
        Ok(&self.values)
    }

    fn bytes(&self) -> u64 {
        let of_sizes = |sizes: &Vec<Vec<u32>>| {
            sizes.capacity() * size_of::<Vec<u32>>() + 2 * self.values.len() * size_of::<u32>()
        };
        let numbers = self.values.words.capacity() + self.ends.nodes.len();
        (self.values.bytes.capacity()
            + numbers * size_of::<u32>()
            + self.sizes.as_ref().map_or(0, of_sizes)) as u64
    }

    /// Returns the values found so far.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns the least number that is no value of these sizes, all below `size`.
    fn mex(&mut self, ranges: &[(u32, u32)], size: u32) -> u32 {
        let (start, ranges) = match ranges {
            [before @ .., (low, high)] if high + 1 == size => (*low, before),
            _ => (u32::MAX, ranges),
        };
        if self.sizes.is_none() && ranges.iter().any(|(low, high)| low < high) {
            let mut sizes = Vec::new();
            (0..).zip(self.values.iter()).for_each(|(size, value)| put(&mut sizes, value, size));
            self.sizes = Some(sizes);
        }
        let is_among = |value: u32, low: u32, high: u32| {
            let sizes = self.sizes.as_ref().and_then(|sizes| sizes.get(value as usize));
            sizes.is_some_and(|sizes| {
                sizes
                    .get(sizes.partition_point(|size| *size < low))
                    .is_some_and(|size| *size <= high)
            })
        };
        let occurs = |value: u32| {
            ranges.iter().any(|&(low, high)| match low == high {
                true => self.values.get(low as usize) == Some(value),
                false => is_among(value, low, high),
            })
        };
        let mut value = 0;
        loop {
            if start != u32::MAX {
                value = self.ends.first_at_most(value as usize, start) as u32;
            }
            if !occurs(value) {
                return value;
            }
            value += 1;
        }
    }
}

fn put(sizes: &mut Vec<Vec<u32>>, value: u32, size: u32) {
    if sizes.len() <= value as usize {
        sizes.resize(value as usize + 1, Vec::new());
    }
    sizes[value as usize].push(size);
}

/// For each value one more than the last size that has it, 0 if none has; with the least of each
/// pair, of each two pairs, ….
#[derive(Debug)]
struct LastOccurrences {
    leaves: usize,
    /// Node i has the least of nodes 2i and 2i + 1; the leaves come last.
    nodes: Vec<u32>,
}

impl Default for LastOccurrences {
    fn default() -> Self {
        LastOccurrences { leaves: 1, nodes: vec![0; 2] }
    }
}

impl LastOccurrences {
    fn set(&mut self, value: usize, end: u32) {
        while value >= self.leaves {
            let mut nodes = vec![0; 4 * self.leaves];
            nodes[2 * self.leaves..3 * self.leaves].copy_from_slice(&self.nodes[self.leaves..]);
            self.leaves *= 2;
            for i in (1..self.leaves).rev() {
                nodes[i] = nodes[2 * i].min(nodes[2 * i + 1]);
            }
            self.nodes = nodes;
        }
        let mut node = self.leaves + value;
        self.nodes[node] = end;
        while node > 1 {
            node /= 2;
            let least = self.nodes[2 * node].min(self.nodes[2 * node + 1]);
            if self.nodes[node] == least {
                break;
            }
            self.nodes[node] = least;
        }
    }

    /// Returns the first value from `from` on whose end is at most this.
    fn first_at_most(&self, from: usize, end: u32) -> usize {
        if from >= self.leaves {
            return from;
        }
        let mut node = self.leaves + from;
        // Up to the first subtree on the right that has one, then down.
        while self.nodes[node] > end {
            while node % 2 == 1 {
                node /= 2;
            }
            if node == 0 {
                return self.leaves;
            }
            node += 1;
        }
        while node < self.leaves {
            node *= 2;
            node += usize::from(self.nodes[node] > end);
        }
        node - self.leaves
    }
}

/// The outcomes of a game on one heap from size 0 on.
#[derive(Debug)]
pub struct OutcomeTable {
    play: Play,
    /// The number of P-positions below each size, and one entry more.
    p_below: Vec<u32>,
}

impl OutcomeTable {
    /// Creates an empty table.
    pub fn new(play: Play) -> OutcomeTable {
        OutcomeTable { play, p_below: vec![0] }
    }

    /// Fills the table up to a size. Takes 4 bytes for each size.
    ///
    /// # Errors
    ///
    /// If the budget ends, or the table would take more than `bytes`.
    pub fn fill(
        &mut self,
        game: &SingleHeap,
        max: u32,
        bytes: u64,
        meter: &mut Meter,
    ) -> Result<(), LimitReached> {
        at_most(bytes, (u64::from(max) + 2) * size_of::<u32>() as u64)?;
        while self.p_below.len() <= max as usize + 1 {
            meter.spend_one()?;
            let size = self.p_below.len() as u32 - 1;
            let ranges = game.lower_sizes(size);
            let has_p = |&(low, high): &(u32, u32)| {
                self.p_below[high as usize + 1] > self.p_below[low as usize]
            };
            let is_p = match (ranges.is_empty(), self.play) {
                (true, play) => play == Play::Normal,
                (false, _) => !ranges.iter().any(has_p),
            };
            self.p_below.push(self.p_below[size as usize] + u32::from(is_p));
        }
        Ok(())
    }

    /// Returns the outcome of a size, if the table reaches it.
    pub fn outcome(&self, size: u32) -> Option<Outcome> {
        let [below, and_this] = *self.p_below.get(size as usize..=size as usize + 1)? else {
            return None;
        };
        Some(if and_this > below { Outcome::P } else { Outcome::N })
    }
}

impl BoxTables for SingleHeap {
    fn p_positions(
        &self,
        max: u32,
        play: Play,
        bytes: u64,
        meter: &mut Meter,
        visit: VisitSizes<'_>,
    ) -> Result<(), LimitReached> {
        let mut table = OutcomeTable::new(play);
        table.fill(self, max, bytes, meter)?;
        for size in (0..=max).filter(|size| table.outcome(*size) == Some(Outcome::P)) {
            if visit(&[size.into()]).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn nim_values(
        &self,
        max: u32,
        bytes: u64,
        meter: &mut Meter,
        visit: VisitKnown<'_, Nimber>,
    ) -> Result<(), LimitReached> {
        let mut table = ValueTable::default();
        for (size, value) in (0..).zip(table.fill(self, max, bytes, meter)?.iter()) {
            if visit(&[size], Nimber(value)).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Ends if a table takes more bytes than this.
fn at_most(limit: u64, bytes: u64) -> Result<(), LimitReached> {
    if bytes > limit { Err(LimitReached::Bytes(limit)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::heap_tables::random;
    use bouton_core::{Budget, Digits, Moves, Symmetry, Windows};

    fn game(condition: &str) -> HeapGame {
        let moves = Moves::with_formula(Windows::Any(1), condition).unwrap();
        HeapGame {
            heaps: 1,
            symmetry: Symmetry::None,
            shrinks: false,
            moves,
            digits: Digits::Binary,
        }
    }

    /// Returns Nim-values, and P-positions of misère play, from what the formula says of each pair
    /// of sizes.
    fn brute_force(game: &HeapGame, max: u64) -> (Vec<u32>, Vec<bool>) {
        let formula = game.moves.condition.as_ref().unwrap();
        let (mut values, mut misere): (Vec<u32>, Vec<bool>) = Default::default();
        for p in 0..=max {
            let options: Vec<usize> = (0..p)
                .filter(|q| formula.holds(&[p, *q]) == Ok(true))
                .map(|q| q as usize)
                .collect();
            let mex = (0..).find(|value| options.iter().all(|q| values[*q] != *value)).unwrap();
            let is_p = !options.is_empty() && options.iter().all(|q| !misere[*q]);
            values.push(mex);
            misere.push(is_p);
        }
        (values, misere)
    }

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    fn compare(condition: &str) -> bool {
        const MAX: u32 = 150;
        let game = game(condition);
        let Some(heap) = SingleHeap::new(&game) else { return false };
        let ready = heap.sizes.as_ref().unwrap();
        for size in (0..MAX).chain([1_000_003, 2_147_483_647]) {
            assert_eq!(
                ready.lower_sizes(size),
                heap.options.lower_sizes(size),
                "{condition} {size}"
            );
        }
        let (expected, misere) = brute_force(&game, MAX.into());
        let mut table = ValueTable::default();
        // In two goes.
        table.fill(&heap, MAX / 3, 1 << 20, &mut meter()).unwrap();
        let found: Vec<u32> =
            table.fill(&heap, MAX, 1 << 20, &mut meter()).unwrap().iter().collect();
        assert_eq!(found, expected, "{condition}");
        for (play, is_p) in [
            (Play::Normal, expected.iter().map(|value| *value == 0).collect::<Vec<bool>>()),
            (Play::Misere, misere.clone()),
        ] {
            let mut table = OutcomeTable::new(play);
            table.fill(&heap, MAX, 1 << 20, &mut meter()).unwrap();
            let found: Vec<bool> =
                (0..=MAX).map(|size| table.outcome(size) == Some(Outcome::P)).collect();
            assert_eq!(found, is_p, "{condition} {play:?}");
        }
        if heap.is_slow() {
            for (size, value) in (0..).zip(&expected) {
                let found = heap.nim_value(size, &mut meter()).unwrap();
                assert_eq!(found, Some(Nimber(*value)), "{condition} {size}");
                if size % 6 > 0 {
                    continue;
                }
                let value = heap.slow_value(size.into()).unwrap();
                assert_eq!(found, Some(Nimber(value as u32)), "{condition} {size}");
                let formula = game.moves.condition.as_ref().unwrap();
                for lesser in 0..value {
                    let to = heap.slow_option(size.into(), lesser).unwrap();
                    assert_eq!(u64::from(expected[to as usize]), lesser, "{condition} {size}");
                    assert_eq!(formula.holds(&[size.into(), to]), Ok(true), "{condition} {size}");
                }
                let (lost, winning) = heap.slow_misere(size.into()).unwrap();
                assert_eq!(lost, misere[size as usize], "{condition} {size}");
                let has_move =
                    (0..size).any(|to| formula.holds(&[size.into(), to.into()]) == Ok(true));
                let is_won =
                    |to: u64| misere[to as usize] && formula.holds(&[size.into(), to]) == Ok(true);
                assert!(winning.map_or(lost || !has_move, is_won), "{condition} {size}");
            }
        }
        true
    }

    #[test]
    fn stated_rules() {
        let slow = [
            "q0 < p0 & p0 <= q0 + p0 div 3",
            "q0 < p0 & 3*p0 <= 3*q0 + p0",
            "q0 < p0 & 2*q0 >= p0",
            "q0 < p0 & p0 <= q0 + 5",
            "q0 < p0 & p0 <= q0 + (2*p0 + 5) div 7 + 1",
            "q0 < p0 & p0 <= q0 + min(p0 div 2, 9) & p0 <= q0 + max(4, p0 div 5)",
            "q0 < p0",
        ];
        let others = [
            "q0 < p0 & 3*q0 <= p0",
            "q0 + 1 = p0 | q0 = p0 div 2",
            "q0 = p0 div 2 | q0 = p0 div 3 | q0 = p0 div 6 & p0 > 0",
            "q0 < p0 & p0 <= q0 + p0 mod 5",
            "q0 + 1 = p0 | q0 <= p0 div 2 & p0 > 3",
            "q0 < p0 & q0 >= (p0 xor 5) div 2",
            "q0 < p0 & p0 mod 3 = 1 | q0 + 2 = p0",
            "q0 < p0 & q0 + 2*(p0 div 3) >= p0 | q0 + p0 div 2 < p0 & 3*q0 > p0",
            "q0 < p0 & p0 <= q0 + 2*(p0 div 3)",
            "q0 + 3 <= p0",
        ];
        for condition in slow {
            assert!(compare(condition), "{condition}");
            assert!(SingleHeap::new(&game(condition)).unwrap().is_slow(), "{condition}");
        }
        for condition in others {
            assert!(compare(condition), "{condition}");
            assert!(!SingleHeap::new(&game(condition)).unwrap().is_slow(), "{condition}");
        }
    }

    /// Rules drawn at random from comparisons whose terms are linear, or say something of the
    /// position alone.
    #[test]
    fn random_rules() {
        let mut random = random(5);
        let (mut covered, mut slow) = (0, 0);
        for _ in 0..500 {
            let mut term = |depth: u32| -> String {
                fn draw(depth: u32, random: &mut impl FnMut(u64) -> u64) -> String {
                    match random(if depth == 0 { 2 } else { 8 }) {
                        0 => "p0".into(),
                        1 => random(9).to_string(),
                        2 => format!("({}) div {}", draw(depth - 1, random), 1 + random(5)),
                        3 => format!("({}) mod {}", draw(depth - 1, random), 1 + random(6)),
                        4 => {
                            format!("min({}, {})", draw(depth - 1, random), draw(depth - 1, random))
                        }
                        5 => {
                            format!("max({}, {})", draw(depth - 1, random), draw(depth - 1, random))
                        }
                        6 => format!("{}*({})", random(4), draw(depth - 1, random)),
                        _ => format!("(({}) xor {})", draw(depth - 1, random), random(7)),
                    }
                }
                draw(depth, &mut random)
            };
            let (a, b, c) = (term(2), term(2), term(1));
            let condition = match (a.len() + b.len()) % 4 {
                0 => format!("q0 < p0 & p0 <= q0 + {a}"),
                1 => format!("q0 < p0 & p0 <= q0 + {a} & (q0 >= {b} | q0 + {c} = p0)"),
                2 => format!("q0 = {a} & q0 < p0 | q0 + {b} = p0"),
                _ => format!("q0 < p0 & 2*q0 <= {a} | q0 < p0 & ~(q0 = {b}) & p0 <= q0 + {c}"),
            };
            covered += u32::from(compare(&condition));
            slow +=
                u32::from(SingleHeap::new(&game(&condition)).is_some_and(|heap| heap.is_slow()));
        }
        assert!(covered > 475 && slow > 25, "{covered}, {slow}");
    }

    #[test]
    fn values_are_kept_whatever_their_width() {
        let all = [3, 255, 0, 256, 7, 100_000];
        let mut values = Values::default();
        for (count, value) in all.iter().enumerate() {
            values.push(*value);
            assert_eq!(values.iter().collect::<Vec<_>>(), all[..=count]);
            assert_eq!((values.get(count), values.get(count + 1)), (Some(*value), None));
        }
    }

    #[test]
    fn other_games_have_no_table() {
        for condition in
            ["q0 < p0 & q0 mod 2 = 0", "q0 < p0 & (q0 xor p0) = 1", "q0 < p0 & E k: q0 = 2*k"]
        {
            assert!(SingleHeap::new(&game(condition)).is_none(), "{condition}");
        }
    }

    /// What the tree of last occurrences says, and what a list says.
    #[test]
    fn last_occurrences() {
        let mut random = random(3);
        let (mut tree, mut list) = (LastOccurrences::default(), vec![0u32; 200]);
        for time in 1..3000 {
            let value = random(150).min(random(150)) as usize;
            tree.set(value, time);
            list[value] = time;
            let (from, end) = (random(190) as usize, random(u64::from(time) + 1) as u32);
            let expected = (from..200).find(|value| list[*value] <= end).unwrap();
            let found = tree.first_at_most(from, end);
            // Beyond its leaves the tree knows that no value occurred.
            assert!(found == expected, "{found} {expected}");
        }
    }
}
