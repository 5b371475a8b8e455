//! Windows of sequences too long to be kept: each value from those of the window before it alone.
//!
//! **Setting.** Theorem 3 with a third number N: N > 3W, and the values of heaps 0..N are known.
//! Values and sums are below 64, so that a set of values is one word. Let n ≥ N, let every rare
//! heap r ≥ 1 have r + t ≤ W, and let all heaps of N..n be common. An option of heap n is, for
//! some move that takes k tokens,
//!
//! - one heap n − k (*one heap left*; n − k > 0, as n > W > t), or
//! - heaps r and n − k − r, one of which, r, is rare. Both are not, since rare heaps are at most
//!   W − t and n > 3W; and the other one is at least n − W > 2W > r, so that the two differ.
//!   All of these are n − *back* for a back ≤ W that is known beforehand: a list of [`Term`]s.
//!   Or
//! - two common heaps, whose sum is rare.
//!
//! By the definition of a sparse space the sum of a rare and a common heap is common, and so is
//! what any other term reaches common or rare. So the least common value c that no term reaches
//! is the least common value that is no option: all options of a common value are terms. If every
//! rare value below c is reached, by a term or by a pair a, n − k − a with 1 ≤ a ≤ W − k (these
//! differ, as n − k − a ≥ n − W > a), then G(n) = c, heap n is common, and it is as (b) of Theorem
//! 3 says. [`Walk::heap`] computes c and checks the rest. It never takes a value of the file.
//!
//! *Witnesses.* Pairs are tried in any order: those of [`Walk::witnesses`] first, which is a list
//! of pairs that reached something earlier. Which pairs stand there changes the time, not the
//! answer.

use super::{Sparse, stopped};
use crate::Rejected;
use crate::work::{Reason, Work};

/// A window: its line in the file, its width W, the first heap S behind it, and the heap N from
/// which on values follow from it.
#[derive(Clone, Copy)]
pub struct Window {
    pub line: usize,
    pub width: usize,
    pub from: usize,
    pub since: usize,
}

/// Values are below this: a set of them is a word.
const VALUES: u8 = 64;

/// Heaps whose terms from before them are looked up together.
const BLOCK: usize = 8;

/// Heaps computed before the window is moved to the front of the memory again.
const STRETCH: usize = 1 << 18;

/// Most witnesses, and heaps between two orderings of them.
const WITNESSES: usize = 128;
const ORDER: usize = 1 << 14;

/// Pairs tried between two charges.
const PAIRS: usize = 1 << 8;

/// An option of heap n: the value of heap n − back, plus (without carry) the value of the other,
/// small heap, or 0 if there is none.
#[derive(Clone, Copy)]
struct Term {
    back: usize,
    value: u8,
}

/// A pair of common heaps that reached a rare value, and how many it has reached lately.
struct Witness {
    term: Term,
    gain: u32,
}

/// A walk from heap to heap.
struct Walk<'s> {
    /// Numbers of tokens that are taken when two heaps are left.
    pairs: &'s [usize],
    width: usize,
    /// The values of heaps 1 to W.
    small: Vec<u8>,
    /// Terms that reach back behind a block of heaps, and the others.
    far: Vec<Term>,
    near: Vec<Term>,
    /// The common values of even and of odd heaps.
    commons: [u64; 2],
    witnesses: Vec<Witness>,
    /// Values of heaps in their order; the last heap computed is the last one.
    values: Vec<u8>,
}

/// Returns the set of one value.
fn one(value: u8) -> u64 {
    1 << (value % VALUES)
}

fn byte(values: &[u16], n: usize) -> Result<u8, Rejected> {
    u8::try_from(values[n]).ok().filter(|value| *value < VALUES).ok_or_else(|| too_large(n))
}

fn too_large(n: usize) -> Rejected {
    Rejected::new(0, format!("heap {n} has a value past {}", VALUES - 1))
}

impl Sparse<'_> {
    /// Goes on from the values of heaps 0..`since` to where the window closes: each heap must be
    /// common, for reasons within the window, and heaps from `preperiod` on to the end of the first
    /// window must have the values that they have a period later.
    pub fn check_window(
        &self,
        values: &[u16],
        window: Window,
        claim: [usize; 2],
        work: &Work<'_>,
    ) -> Result<(), Rejected> {
        self.check_window_by(values, window, claim, STRETCH, work)
    }

    fn check_window_by(
        &self,
        values: &[u16],
        window: Window,
        [preperiod, period]: [usize; 2],
        stretch: usize,
        work: &Work<'_>,
    ) -> Result<(), Rejected> {
        let Window { width, from, since, .. } = window;
        let mut walk = self.walk(values, window, work)?;
        work.hold(2 * (width + stretch) + (from - preperiod)).map_err(stopped)?;
        let differ = |n: usize| {
            Rejected::new(0, format!("heaps {} and {n} have different values", n - period))
        };
        if let Some(n) = (preperiod + period..since).find(|n| values[*n] != values[n - period]) {
            return Err(differ(n));
        }
        // Heaps from the preperiod on to the end of the first window.
        let mut kept =
            (preperiod..since).map(|n| byte(values, n)).collect::<Result<Vec<u8>, _>>()?;
        let cost = BLOCK * (10 + walk.near.len() + walk.far.len() / 2);
        let mut sets = [0; BLOCK];
        for n in since..from + period {
            let lane = (n - since) % BLOCK;
            if lane == 0 {
                work.spend(cost).map_err(stopped)?;
                if walk.values.len() + BLOCK > width + stretch {
                    walk.values.drain(..walk.values.len() - width);
                }
                sets = walk.reached_from_behind();
            }
            let value = walk.heap(n, sets[lane], work)?;
            if n >= preperiod + period && kept[n - preperiod - period] != value {
                return Err(differ(n));
            }
            if n >= preperiod && n < from {
                kept.push(value);
            }
            walk.values.push(value);
            if n % ORDER == 0 {
                walk.sort_witnesses();
            }
        }
        Ok(())
    }

    /// Returns the walk behind the heaps 0..`since`.
    fn walk(&self, values: &[u16], window: Window, work: &Work<'_>) -> Result<Walk<'_>, Rejected> {
        let Window { line, width, since, .. } = window;
        let small = (1..=width).map(|n| byte(values, n)).collect::<Result<Vec<u8>, _>>()?;
        let latest =
            (since - width..since).map(|n| byte(values, n)).collect::<Result<Vec<u8>, _>>()?;
        let singles = (0..self.digits.len()).filter(|taken| self.digits[*taken].bits & 2 != 0);
        let mut terms: Vec<Term> = singles.map(|back| Term { back, value: 0 }).collect();
        for rare in (1..since).filter(|n| !self.is_common(values[*n], *n)) {
            work.hold(16 * self.pairs.len()).map_err(stopped)?;
            if self.pairs.iter().any(|taken| rare + taken > width) {
                return Err(Rejected::new(
                    line,
                    format!("heap {rare} is rare, too near the window's end"),
                ));
            }
            terms
                .extend(self.pairs.iter().map(|k| Term { back: rare + k, value: small[rare - 1] }));
        }
        let (far, near) = terms.into_iter().partition(|term| term.back >= BLOCK);
        let common = |n| (0..VALUES).filter(move |value| self.is_common((*value).into(), n));
        let commons = [0, 1].map(|n| common(n).fold(0, |set, value| set | one(value)));
        let (pairs, witnesses) = (&self.pairs[..], Vec::new());
        Ok(Walk { pairs, width, small, far, near, commons, witnesses, values: latest })
    }
}

impl Walk<'_> {
    /// Returns the values that terms from behind a block reach, at each of the next heaps.
    fn reached_from_behind(&self) -> [u64; BLOCK] {
        let mut sets = [0; BLOCK];
        let end = self.values.len();
        for term in &self.far {
            let row = self.values[end - term.back..]
                .first_chunk::<BLOCK>()
                .expect("a term before the block");
            for (set, value) in sets.iter_mut().zip(row) {
                *set |= one(value ^ term.value);
            }
        }
        sets
    }

    /// Returns the value of heap n, which is the next one: the least common value that is not
    /// reached.
    ///
    /// # Errors
    ///
    /// Says if there is no such value below 64, or some rare value below it is not reached within
    /// the window.
    #[inline]
    fn heap(&mut self, n: usize, mut reached: u64, work: &Work<'_>) -> Result<u8, Rejected> {
        let end = self.values.len();
        for term in &self.near {
            reached |= one(self.values[end - term.back] ^ term.value);
        }
        let commons = self.commons[n % 2];
        let least = (commons & !reached).trailing_zeros() as u8;
        if least == VALUES {
            return Err(too_large(n));
        }
        let mut open = !commons & !reached & (one(least) - 1);
        for witness in &mut self.witnesses {
            if open == 0 {
                return Ok(least);
            }
            let hit = open & one(self.values[end - witness.term.back] ^ witness.term.value);
            witness.gain += u32::from(hit != 0);
            open ^= hit;
        }
        match open == 0 || self.reaches_all(open, work).map_err(stopped)? {
            true => Ok(least),
            false => {
                let reason = format!("heap {n} is rare, or is common for reasons past the window");
                Err(Rejected::new(0, reason))
            }
        }
    }

    /// Returns whether pairs within the window reach all these values at the next heap: tries every
    /// pair.
    fn reaches_all(&mut self, mut open: u64, work: &Work<'_>) -> Result<bool, Reason> {
        let end = self.values.len();
        for first in (1..=self.width).step_by(PAIRS) {
            work.spend(PAIRS / 2 * self.pairs.len())?;
            for taken in self.pairs {
                for a in first..(first + PAIRS).min(self.width - taken + 1) {
                    let term = Term { back: a + taken, value: self.small[a - 1] };
                    let hit = open & one(self.values[end - term.back] ^ term.value);
                    if hit != 0 {
                        open ^= hit;
                        self.witnesses.truncate(WITNESSES - 1);
                        self.witnesses.push(Witness { term, gain: 1 });
                    }
                    if open == 0 {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(open == 0)
    }

    /// Puts those witnesses first that have reached most.
    fn sort_witnesses(&mut self) {
        self.witnesses.sort_by_key(|witness| std::cmp::Reverse(witness.gain));
        self.witnesses.iter_mut().for_each(|witness| witness.gain /= 2);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Code, code, values_by_all_moves};
    use super::*;
    use crate::Limits;

    /// Goes on heap by heap with all pairs, as [`Sparse::go_on`] has to; returns the values until
    /// that fails.
    fn plainly(
        sparse: &Sparse<'_>,
        values: &[u16],
        Window { line, width, from, since }: Window,
        [preperiod, period]: [usize; 2],
    ) -> (Vec<u8>, Result<(), Rejected>) {
        let mut found: Vec<u8> = values.iter().map(|value| *value as u8).collect();
        let end = |found: &[u8], why: Rejected| (found[since..].to_vec(), Err(why));
        let rares: Vec<usize> = (1..since).filter(|n| !sparse.is_common(values[*n], *n)).collect();
        if let Some(rare) =
            rares.iter().find(|rare| sparse.pairs.iter().any(|taken| *rare + taken > width))
        {
            return end(
                &found,
                Rejected::new(line, format!("heap {rare} is rare, too near the window's end")),
            );
        }
        let differ =
            |found: &[u8], n: usize| n >= preperiod + period && found[n] != found[n - period];
        let why = |n: usize| {
            Rejected::new(0, format!("heaps {} and {n} have different values", n - period))
        };
        if let Some(n) = (0..since).find(|n| differ(&found, *n)) {
            return end(&found, why(n));
        }
        for n in since..from + period {
            let mut seen = 0u64;
            for (taken, digit) in sparse.digits.iter().enumerate() {
                if digit.bits & 2 != 0 {
                    seen |= 1 << found[n - taken];
                }
                if digit.bits & 4 != 0 {
                    rares
                        .iter()
                        .for_each(|rare| seen |= 1 << (found[*rare] ^ found[n - taken - rare]));
                }
            }
            let common = |value: &u8| sparse.is_common(u16::from(*value), n);
            let Some(value) = (0..VALUES).find(|value| common(value) && seen >> value & 1 == 0)
            else {
                return end(&found, too_large(n));
            };
            let mut open = !seen & ((1 << value) - 1);
            for taken in &sparse.pairs {
                for a in 1..=width - taken {
                    if open == 0 {
                        break;
                    }
                    open &= !(1 << (found[a] ^ found[n - taken - a]));
                }
            }
            if open != 0 {
                let why = format!("heap {n} is rare, or is common for reasons past the window");
                return end(&found, Rejected::new(0, why));
            }
            found.push(value);
            if differ(&found, n) {
                return end(&found, why(n));
            }
        }
        (found[since..].to_vec(), Ok(()))
    }

    /// Returns the space that leaves the fewest of the first heaps rare, and these.
    fn space(code: &Code) -> Option<((u32, bool), Vec<usize>)> {
        let values =
            values_by_all_moves(code, 400, &Work::new(&Limits::default(), &|| true)).ok()?;
        let spaces = (1..32).flat_map(|mask| [(mask, false), (mask, true)]);
        let rares = spaces.filter_map(|(mask, by_position)| {
            let sparse = Sparse::new(&code.digits, mask, by_position).ok()?;
            let rares = (1..400).filter(|n| !sparse.is_common(values[*n], *n)).collect();
            Some(((mask, by_position), rares))
        });
        rares.min_by_key(|(_, rares): &(_, Vec<usize>)| rares.len())
    }

    /// Compares what is found with stretches short and long with what is found heap by heap;
    /// returns the answer in words.
    fn said(
        sparse: &Sparse<'_>,
        values: &[u16],
        [width, from]: [usize; 2],
        claim: [usize; 2],
    ) -> String {
        let (limits, go_on) = (Limits::default(), || true);
        let work = &Work::new(&limits, &go_on);
        let window = Window { line: 9, width, from, since: values.len() };
        let (found, expected) = plainly(sparse, values, window, claim);
        let words = expected.clone().err().map_or("right".to_owned(), |why| why.to_string());
        let told = format!("{:?} {} {width} {from} {claim:?}: {words}", sparse.pairs, sparse.mask);
        let mut walk = match sparse.walk(values, window, work) {
            Ok(walk) => walk,
            Err(why) => {
                assert_eq!(Err(why), expected, "{told}");
                return words;
            }
        };
        let mut sets = [0; BLOCK];
        for (i, value) in found.iter().enumerate() {
            if i % BLOCK == 0 {
                sets = walk.reached_from_behind();
            }
            assert_eq!(walk.heap(values.len() + i, sets[i % BLOCK], work), Ok(*value), "{told}");
            walk.values.push(*value);
        }
        for stretch in [BLOCK, 5 * BLOCK, STRETCH] {
            let answer = sparse.check_window_by(values, window, claim, stretch, work);
            assert_eq!(answer, expected, "{stretch} {told}");
        }
        words
    }

    fn of(
        text: &str,
        (mask, by_position): (u32, bool),
        heaps: [usize; 3],
        claim: [usize; 2],
    ) -> Option<String> {
        let digits = code(text).ok()?.digits;
        let sparse = Sparse::new(&digits, mask, by_position).ok()?;
        let [width, since, from] = heaps;
        let values = sparse.values(since, None, &Work::new(&Limits::default(), &|| true)).ok()?;
        let small = values.iter().all(|value| *value < VALUES.into());
        small.then(|| said(&sparse, &values, [width, from], claim))
    }

    fn random() -> impl FnMut(usize) -> usize {
        let mut drawn = fastrand::Rng::with_seed(1);
        move |below| drawn.usize(..below)
    }

    /// What is said, by its words.
    #[derive(Default)]
    struct Seen(std::collections::BTreeMap<String, usize>);

    impl Seen {
        fn add(&mut self, said: &str) {
            *self.0.entry(said.replace(|c: char| c.is_ascii_digit(), "")).or_insert(0) += 1;
        }

        fn times(&self, word: &str) -> usize {
            self.0.iter().filter(|(said, _)| said.contains(word)).map(|(_, times)| times).sum()
        }
    }

    #[test]
    fn found_and_said_as_heap_by_heap() {
        let (value, turns) = (|mask| (mask, false), |mask| (mask, true));
        for (text, space, heaps, claim, expected) in [
            ("0.77", value(15), [80, 300, 300], [71, 12], "right"),
            ("0.77", value(15), [90, 301, 365], [130, 12 * 999], "right"),
            ("0.16", value(30), [33_000, 100_000, 138_351], [105_351, 149_459], "right"),
            (
                "0.16",
                value(30),
                [33_000, 100_000, 138_350],
                [105_350, 149_459],
                "rejected: heaps 105350 and 254809 have different values",
            ),
            (
                "0.16",
                value(30),
                [33_000, 100_001, 138_351],
                [105_351, 149_457],
                "rejected: heaps 105351 and 254808 have different values",
            ),
            (
                "0.16",
                value(30),
                [1000, 100_001, 138_351],
                [105_351, 149_459],
                "rejected at line 9: heap 1162 is rare, too near the window's end",
            ),
            ("0.77", value(15), [74, 300, 300], [71, 12], "right"),
            ("0.77", value(15), [72, 300, 300], [71, 12], "right"),
            (
                "0.77",
                value(15),
                [71, 300, 300],
                [71, 12],
                "rejected at line 9: heap 70 is rare, too near the window's end",
            ),
            (
                "0.77",
                value(15),
                [80, 300, 300],
                [70, 12],
                "rejected: heaps 70 and 82 have different values",
            ),
            (
                "0.77",
                value(15),
                [80, 300, 300],
                [71, 12_006],
                "rejected: heaps 71 and 12077 have different values",
            ),
            // Behind 101, 320 is rare.
            (
                "0.106",
                turns(13),
                [104, 320, 500],
                [390, 12],
                "rejected: heap 320 is rare, or is common for reasons past the window",
            ),
            (
                "0.106",
                turns(13),
                [1106, 3400, 5000],
                [3000, 12_000],
                "rejected: heap 4124 is rare, or is common for reasons past the window",
            ),
            (
                "0.106",
                turns(13),
                [20_000, 60_001, 80_001],
                [60_000, 300_000],
                "rejected: heaps 60001 and 360001 have different values",
            ),
            (
                "0.104",
                turns(23),
                [20_000, 60_001, 80_001],
                [60_000, 100_000],
                "rejected: heaps 60000 and 160000 have different values",
            ),
            (
                "0.454",
                value(29),
                [2000, 6001, 8001],
                [6000, 12_000],
                "rejected at line 9: heap 2525 is rare, too near the window's end",
            ),
        ] {
            let said = of(text, space, heaps, claim).expect("a window");
            assert_eq!(said, expected, "{text} {heaps:?} {claim:?}");
        }
    }

    /// Of random codes, too.
    #[test]
    fn random_codes_as_heap_by_heap() {
        let mut random = random();
        let mut seen = Seen::default();
        for _ in 0..1000 {
            let digits = 2 + random(8);
            let text: String = (0..digits).map(|_| char::from(b'0' + random(8) as u8)).collect();
            let text = format!("0.{text}");
            let Some((space, rares)) = code(&text).ok().and_then(|code| space(&code)) else {
                continue;
            };
            // Up to some heap that is rare, or to any.
            let last = rares.get(random(20)).copied().unwrap_or(random(200));
            let width = last + 10 + random(30);
            let since = 3 * width + 1 + random(10);
            let from = since + width + random(300);
            let claim = [from - width - random(9), 2 * (1 + random(300))];
            if let Some(said) = of(&text, space, [width, since, from], claim) {
                seen.add(&said);
            }
        }
        assert!(seen.times("right") > 50 && seen.times("different") > 80, "{:?}", seen.0);
    }

    /// If all heaps have value 1 but one has 3, then 2 is the sum of a pair with that one, if it
    /// is in the window, and of no other pair: every pair of the window is tried, no other one.
    #[test]
    fn every_pair_is_tried() {
        let (limits, go_on) = (Limits::default(), || true);
        let work = &Work::new(&limits, &go_on);
        for (code_text, width) in
            [("0.77", 70), ("0.77", 257), ("4.4", 257), ("4.0", 256), ("0.004", 513)]
        {
            let digits = code(code_text).expect("a code").digits;
            let sparse = Sparse::new(&digits, 1, false).expect("a space");
            let since = 3 * width + 1;
            let window = Window { line: 9, width, from: since + width, since };
            for place in 1..=width + 2 {
                let mut walk = sparse.walk(&vec![1; since], window, work).expect("a window");
                // Behind the window stand other heaps of the memory.
                let before = walk.values.clone();
                walk.values.splice(0..0, before);
                let end = walk.values.len();
                walk.values[end - place] = 3;
                let least = sparse.pairs[0];
                let within = place > least && place <= width;
                assert_eq!(
                    walk.reaches_all(one(2), work),
                    Ok(within),
                    "{code_text} {width} {place}"
                );
                // Then the pair is a witness, or there is none.
                assert_eq!(walk.witnesses.len(), usize::from(within));
            }
        }
    }

    /// And from values that are none of any game, so that much fails, and values are large.
    #[test]
    fn any_values_as_heap_by_heap() {
        let mut random = random();
        let mut seen = Seen::default();
        for round in 0..1000 {
            let (mask, by_position) = (1 + random(31) as u32, round % 2 == 0);
            let text =
                ["0.106", "4.4", "0.16", "0.4004", "0.77", "0.070707", "0.3333337"][random(7)];
            let digits = code(text).expect("a code").digits;
            let Ok(sparse) = Sparse::new(&digits, mask, by_position) else { continue };
            let width = 20 + random(200);
            let since = 3 * width + 1 + random(9);
            let (most, often) = ([8, 32, 32, 64][random(4)], [2, 4, 16][random(3)]);
            let values: Vec<u16> = (0..since)
                .map(|n| {
                    let value = random(most) as u16;
                    let rare = n + digits.len() <= width && random(often) == 0;
                    if sparse.is_common(value, n) == rare {
                        value ^ (mask & mask.wrapping_neg()) as u16
                    } else {
                        value
                    }
                })
                .map(|value| value % 64)
                .collect();
            let from = since + width + random(300);
            let claim = [from - width - random(9), 2 * (1 + random(900))];
            seen.add(&said(&sparse, &values, [width, from], claim));
        }
        let often = [("rare", 300), ("different", 50), ("value past", 20), ("right", 5)];
        assert!(often.iter().all(|(word, times)| seen.times(word) > *times), "{:?}", seen.0);
    }
}
