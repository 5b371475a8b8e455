//! Misère quotients of taking-and-breaking games.
//!
//! The quotient is the commutative monoid of sums of heaps up to a size; two sums are equal if no
//! further heaps distinguish them in misère play.
//!
//! A quotient is guessed and then proved; the proof does not depend on the origin of the guess.
//! Words of heaps are distinguished by test words, as automata are learned from membership queries
//! (Angluin; Rivest and Schapire). The queries are misère outcomes by the rules, and all steps
//! commute. For the proof, let each heap have an image, and each of its options too, as a product.
//! (1) For no element z and heap h is z·h marked P and z·h', h' an option of h, too.
//! (2) Every sum that is not marked P, and has a move, has one to a sum marked P. (3) Sums without
//! a move are not marked P. For (2) sums X are followed from the empty one on, a heap a step, by
//! their element and the set of the elements y that X leaves open: X·y is not marked P, and no move
//! in X leads to a sum marked P beside y. An open set within that of another sum of the same
//! element need not be followed, nor an empty one; 1 must not be open. Then the marks are the
//! outcomes, and since the tests distinguish the elements, the monoid is the quotient.
//!
//! The next heap is first tried as each of the known elements; mostly one passes the proof. If the
//! images have a period up to 2e + 2p + t, as in the period theorem of normal play, they have it
//! for ever, since heaps with the same images of options can have the same image.
//!
//! Source: T. E. Plambeck, *Taming the wild in impartial combinatorial games*, Integers 5 (2005)
//! G5; T. E. Plambeck, A. N. Siegel, *Misère quotients for impartial games*, J. Combin. Theory A
//! 115 (2008). The method of finding quotients is ours.

use crate::sequence::TakeAndBreakCode;
use crate::sequence::period::MoveLimits;
use bouton_core::{LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::ops::ControlFlow::Continue;

/// Maximum number of elements of a quotient.
pub const MAX_ORDER: usize = 256;

/// A set of elements.
type ElementSet = [u64; MAX_ORDER / 64];

fn contains(set: &ElementSet, element: usize) -> bool {
    set[element / 64] >> (element % 64) & 1 == 1
}

fn insert(set: &mut ElementSet, element: usize) {
    set[element / 64] |= 1 << (element % 64);
}

fn members(set: &ElementSet) -> impl Iterator<Item = usize> + '_ {
    (0..MAX_ORDER).filter(|element| contains(set, *element))
}

fn intersects(a: &ElementSet, b: &ElementSet) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

fn tokens(sum: &[u32]) -> u32 {
    sum.iter().sum()
}

fn is_subset(a: &ElementSet, b: &ElementSet) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

/// Reasons why a quotient is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuotientError {
    /// It has more elements than are sought.
    #[error("more than {MAX_ORDER} elements")]
    TooLarge,
    /// No guess could be proved.
    #[error("no guess could be proved")]
    Unproved,
    /// The budget is exhausted.
    #[error("{0}")]
    LimitReached(#[from] LimitReached),
}

/// The misère quotient of the heaps up to a size.
#[derive(Debug, Clone)]
pub struct Quotient {
    /// The codes, each with the number below its heap of size 1: heaps are numbered code by code.
    codes: Vec<(u32, TakeAndBreakCode)>,
    /// For each element, a sum of heaps that represents it; element 0 is the empty sum.
    words: Vec<Vec<u32>>,
    /// The multiplication table.
    table: Vec<Vec<u16>>,
    /// The elements of P-positions.
    p: ElementSet,
    /// The element of each heap.
    images: Vec<u16>,
    /// Misère outcomes found by play: `true` for P. The key is a sum or, for a guess, its
    /// representative.
    played: FxHashMap<Vec<u32>, bool>,
    exact: bool,
}

/// A heap's image, the images of its options, and the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Letter {
    image: usize,
    options: ElementSet,
    heap: u32,
}

/// A sum followed in a proof: its element, its open set, whether it has no move; the sum before it,
/// and the heap added.
type Sum = (usize, ElementSet, bool, Option<(usize, u32)>);

/// A sum of heaps whose mark, or that of an option, is wrong.
type Counterexample = Vec<u32>;

impl Quotient {
    /// Creates the quotient without heaps.
    pub fn new(code: TakeAndBreakCode) -> Quotient {
        Quotient::of_sums(vec![(0, code)])
    }

    /// Creates the quotient without heaps of sums of heaps of several codes. Each code comes with
    /// the number of heaps before its own, ascending: with 0 and 5, heap 7 is a heap of 2 of the
    /// second code, and the first has heaps up to 5.
    pub fn of_sums(codes: Vec<(u32, TakeAndBreakCode)>) -> Quotient {
        Quotient {
            codes,
            words: vec![Vec::new()],
            table: vec![vec![0]],
            p: ElementSet::default(),
            images: vec![0],
            played: FxHashMap::default(),
            exact: false,
        }
    }

    /// Returns the number of elements.
    pub fn order(&self) -> usize {
        self.words.len()
    }

    /// Returns the largest heap so far.
    pub fn heaps(&self) -> u32 {
        self.images.len() as u32 - 1
    }

    /// Returns, for each element, a least known sum of heaps that represents it.
    pub fn words(&self) -> &[Vec<u32>] {
        &self.words
    }

    /// Returns the elements of P-positions.
    pub fn p_portion(&self) -> impl Iterator<Item = usize> + '_ {
        members(&self.p)
    }

    /// Returns the product of two elements.
    pub fn product(&self, a: usize, b: usize) -> usize {
        usize::from(self.table[a][b])
    }

    /// Returns the element of a heap, up to [`Quotient::heaps`].
    pub fn image(&self, heap: u32) -> usize {
        usize::from(self.images[heap as usize])
    }

    /// Returns the element of a sum of heaps.
    pub fn element(&self, sum: &[u32]) -> usize {
        sum.iter().fold(0, |element, heap| self.product(element, self.image(*heap)))
    }

    /// Returns whether a sum of heaps is a P-position of misère play.
    pub fn is_p(&self, sum: &[u32]) -> bool {
        contains(&self.p, self.element(sum))
    }

    /// Returns the period and preperiod of the images if they are proved; the quotient is then that
    /// of all heaps.
    pub fn period(&self) -> Option<(usize, usize)> {
        let [(_, code)] = &self.codes[..] else { return None };
        let reach = MoveLimits::from_code(code)?;
        let len = self.images.len();
        (1..len).find_map(|period| {
            let last = (period..len).rev().find(|n| self.images[*n] != self.images[n - period]);
            let preperiod = last.map_or(0, |n| n + 1 - period);
            (reach.values_needed(preperiod, period)? <= len).then_some((period, preperiod))
        })
    }

    /// Extends the quotient to heaps up to `heap`.
    ///
    /// # Errors
    ///
    /// If the budget ends or no guess is proved. The quotient so far is kept.
    pub fn extend(&mut self, heap: u32, meter: &mut Meter) -> Result<(), QuotientError> {
        while self.heaps() < heap {
            let next = self.images.len() as u32;
            let options = self.options(next);
            let letters: BTreeSet<Letter> = (1..next)
                .map(|heap| Letter {
                    image: self.image(heap),
                    options: self.options(heap),
                    heap: 0,
                })
                .collect();
            // Likely images first: those of earlier heaps.
            let mut candidates: Vec<usize> = (1..next).rev().map(|heap| self.image(heap)).collect();
            candidates.extend(0..self.order());
            let mut tried = ElementSet::default();
            let mut found = None;
            for image in candidates {
                if !contains(&tried, image) {
                    insert(&mut tried, image);
                    let mut letters = letters.clone();
                    letters.insert(Letter { image, options, heap: 0 });
                    let letters: Vec<Letter> = letters.into_iter().collect();
                    if self.verify(&letters, meter)?.is_ok() {
                        found = Some(image as u16);
                        break;
                    }
                }
            }
            match found {
                Some(image) => self.images.push(image),
                None => {
                    let learned = match self.learn(next, meter) {
                        Err(QuotientError::Unproved | QuotientError::TooLarge) => {
                            self.played.clear();
                            self.exact = true;
                            self.learn(next, meter)
                        }
                        learned => learned,
                    };
                    self.exact = false;
                    *self = learned?;
                }
            }
        }
        Ok(())
    }

    /// Returns the images of the options of a heap.
    fn options(&self, heap: u32) -> ElementSet {
        let mut set = ElementSet::default();
        self.visit_options(heap, |parts| insert(&mut set, self.element(parts)));
        set
    }

    /// Visits the heaps that each option of a heap consists of.
    fn visit_options(&self, heap: u32, mut visit: impl FnMut(&[u32])) {
        let Some((before, code)) = self.codes.iter().rfind(|(before, _)| *before < heap) else {
            return;
        };
        let mut numbered = Vec::new();
        let _ = code.options(heap - before, |parts| {
            numbered.clear();
            numbered.extend(parts.iter().filter(|part| **part > 0).map(|part| before + part));
            visit(&numbered);
            Continue::<()>(())
        });
    }

    fn times(&self, set: &ElementSet, element: usize) -> ElementSet {
        let mut product = ElementSet::default();
        members(set).for_each(|member| insert(&mut product, self.product(member, element)));
        product
    }

    /// Verifies that the marks are the outcomes of all sums of the letters' heaps; else returns a
    /// sum to examine.
    fn verify(
        &self,
        letters: &[Letter],
        meter: &mut Meter,
    ) -> Result<Result<(), Counterexample>, LimitReached> {
        let mut clash: Option<Counterexample> = None;
        for letter in letters {
            for z in 0..self.order() {
                let moved = self.times(&letter.options, z);
                if contains(&self.p, self.product(z, letter.image)) && intersects(&moved, &self.p) {
                    let sum = [&self.words[z][..], &[letter.heap]].concat();
                    if clash.as_ref().is_none_or(|least| tokens(&sum) < tokens(least)) {
                        clash = Some(sum);
                    }
                }
            }
        }
        if let Some(sum) = clash {
            return Ok(Err(sum));
        }
        let order = self.order();
        let all = |holds: &dyn Fn(usize) -> bool| {
            let mut set = ElementSet::default();
            (0..order).filter(|y| holds(*y)).for_each(|y| insert(&mut set, y));
            set
        };
        // For each element, the elements that lead to P beside it.
        let to_p: Vec<ElementSet> =
            (0..order).map(|e| all(&|y| contains(&self.p, self.product(e, y)))).collect();
        // Sums seen: element, open set, whether there is no move; the sum before, and the heap
        // added.
        let mut sums: Vec<Sum> = vec![(0, all(&|y| !contains(&self.p, y)), true, None)];
        // For each element the sums with the largest open sets; those without a move separately.
        let mut largest: Vec<Vec<usize>> = vec![Vec::new(); order];
        let mut idle = ElementSet::default();
        insert(&mut idle, 0);
        // Few tokens first: if the proof fails, play must decide about the sum.
        let mut queue = BinaryHeap::from([Reverse((0, 0))]);
        while let Some(Reverse((total, at))) = queue.pop() {
            meter.spend_one()?;
            let (element, open, terminal, _) = sums[at];
            let superseded = !terminal && !largest[element].contains(&at);
            for letter in letters.iter().filter(|_| !superseded) {
                let next = self.product(element, letter.image);
                let terminal = terminal && letter.options == ElementSet::default();
                let mut left = all(&|y| contains(&open, self.product(letter.image, y)));
                for option in members(&letter.options) {
                    let settled = &to_p[self.product(element, option)];
                    left.iter_mut().zip(settled).for_each(|(left, settled)| *left &= !settled);
                }
                let wrong = if terminal { contains(&self.p, next) } else { contains(&left, 0) };
                let known = if terminal {
                    contains(&idle, next)
                } else {
                    left == ElementSet::default()
                        || largest[next].iter().any(|known| is_subset(&left, &sums[*known].1))
                };
                if known && !wrong {
                    continue;
                }
                queue.push(Reverse((total + letter.heap, sums.len())));
                sums.push((next, left, terminal, Some((at, letter.heap))));
                if wrong {
                    let mut sum = Vec::new();
                    let mut back = sums.len() - 1;
                    while let (.., Some((before, heap))) = sums[back] {
                        sum.push(heap);
                        back = before;
                    }
                    return Ok(Err(sum));
                }
                if terminal {
                    insert(&mut idle, next);
                } else {
                    largest[next].retain(|known| !is_subset(&sums[*known].1, &left));
                    largest[next].push(sums.len() - 1);
                }
            }
            meter.check_bytes((size_of::<Sum>() * sums.len()) as u64)?;
        }
        Ok(Ok(()))
    }

    /// Returns a smaller sum that is probably equal beside all others: words for known heaps, few
    /// heaps of a size.
    fn stand_in(&self, sum: &[u32]) -> Vec<u32> {
        let mut words: Vec<u32> = Vec::with_capacity(sum.len());
        for heap in sum {
            match self.images.get(*heap as usize) {
                Some(image) => words.extend(&self.words[usize::from(*image)]),
                None => words.push(*heap),
            }
        }
        words.sort_unstable();
        let runs = words.chunk_by(|a, b| a == b);
        runs.flat_map(|run| &run[..if run.len() > 4 { 3 + (run.len() - 3) % 2 } else { run.len() }])
            .copied()
            .collect()
    }

    /// Returns the options of a sum by moves in one of its heaps.
    fn options_in(&self, sum: &[u32], heap: usize) -> Vec<Vec<u32>> {
        let mut options = Vec::new();
        self.visit_options(sum[heap], |parts| {
            let mut option = sum.to_vec();
            option.swap_remove(heap);
            option.extend_from_slice(parts);
            options.push(option);
        });
        options
    }

    /// Returns whether a sum is a P-position, by play down to sums whose heaps all have images.
    fn play(&mut self, sum: &[u32], meter: &mut Meter) -> Result<bool, LimitReached> {
        let mut key: Vec<u32> = sum.iter().copied().filter(|heap| *heap > 0).collect();
        key.sort_unstable();
        if key.last().is_none_or(|heap| *heap <= self.heaps()) {
            return Ok(self.is_p(&key));
        }
        let place = if self.exact { key.clone() } else { self.stand_in(&key) };
        if let Some(p) = self.played.get(&place) {
            return Ok(*p);
        }
        meter.spend_one()?;
        meter.check_bytes(100 * self.played.len() as u64)?;
        let (mut any, mut p) = (false, true);
        // Large heaps first: splitting them leads to known sums.
        for i in (0..key.len()).rev().filter(|i| *i == 0 || key[*i] != key[*i - 1]) {
            let options = self.options_in(&key, i);
            any |= !options.is_empty();
            for option in options {
                if self.play(&option, meter)? {
                    p = false;
                    break;
                }
            }
            if !p {
                break;
            }
        }
        let p = p && any;
        self.played.insert(place, p);
        Ok(p)
    }

    /// Returns the quotient with one more heap, which none of the known elements fits.
    fn learn(&mut self, heap: u32, meter: &mut Meter) -> Result<Quotient, QuotientError> {
        // Heaps that are not products of others, as far as known, and the new one.
        let mut generators: Vec<u32> = self.words.iter().flatten().copied().collect();
        generators.push(heap);
        generators.sort_unstable();
        generators.dedup();
        let mut tests: Vec<Vec<u32>> = vec![Vec::new()];
        loop {
            let guess = match self.guess(heap, &mut generators, &tests, meter)? {
                Ok(guess) => guess,
                Err(test) if tests.contains(&test) => return Err(QuotientError::Unproved),
                Err(test) => {
                    tests.push(test);
                    continue;
                }
            };
            let mut letters: Vec<Letter> = Vec::new();
            for heap in 1..=heap {
                let letter =
                    Letter { image: guess.image(heap), options: guess.options(heap), heap };
                let same =
                    |known: &Letter| (known.image, known.options) == (letter.image, letter.options);
                if !letters.iter().any(same) {
                    letters.push(letter);
                }
            }
            match guess.verify(&letters, meter)? {
                Ok(()) if guess.is_reduced() => return Ok(guess),
                Ok(()) => return Err(QuotientError::Unproved),
                Err(wrong) => match self.test_from(&guess, wrong, meter)? {
                    Some(test) if !tests.contains(&test) => tests.push(test),
                    _ => return Err(QuotientError::Unproved),
                },
            }
        }
    }

    /// Returns whether any two elements are distinguished by a third beside them.
    fn is_reduced(&self) -> bool {
        let row = |x: usize| (0..self.order()).map(move |y| contains(&self.p, self.product(x, y)));
        let rows: BTreeSet<Vec<bool>> = (0..self.order()).map(|x| row(x).collect()).collect();
        rows.len() == self.order()
    }

    /// Returns a test that tells apart sums which the guess identifies, from a sum whose mark
    /// contradicts the moves; `None` if a representative was misleading.
    fn test_from(
        &mut self,
        guess: &Quotient,
        sum: Counterexample,
        meter: &mut Meter,
    ) -> Result<Option<Vec<u32>>, LimitReached> {
        let mut suspects = vec![sum.clone()];
        suspects.extend((0..sum.len()).flat_map(|i| self.options_in(&sum, i)));
        for suspect in suspects {
            if self.play(&suspect, meter)? != guess.is_p(&suspect) {
                return self.break_point(guess, &suspect, meter);
            }
        }
        Ok(None)
    }

    /// Returns a test from a sum whose mark is wrong: heaps are replaced by the words of their
    /// elements, step by step, and when the outcome changes, the rest of the sum is a test.
    fn break_point(
        &mut self,
        guess: &Quotient,
        sum: &[u32],
        meter: &mut Meter,
    ) -> Result<Option<Vec<u32>>, LimitReached> {
        let mut walked: Vec<u32> = Vec::new();
        for (i, heap) in sum.iter().enumerate() {
            let beside = [&walked[..], &sum[i + 1..]].concat();
            let word = &guess.words[guess.image(*heap)];
            if self.tells_apart(&[*heap], word, &beside, meter)? {
                return Ok(Some(beside));
            }
            walked.extend(word);
        }
        let mut element = 0;
        for (i, heap) in walked.iter().enumerate() {
            let before = [&guess.words[element][..], &[*heap]].concat();
            element = guess.product(element, guess.image(*heap));
            if self.tells_apart(&before, &guess.words[element], &walked[i + 1..], meter)? {
                return Ok(Some(walked[i + 1..].to_vec()));
            }
        }
        Ok(None)
    }

    fn tells_apart(
        &mut self,
        a: &[u32],
        b: &[u32],
        test: &[u32],
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        Ok(self.play(&[a, test].concat(), meter)? != self.play(&[b, test].concat(), meter)?)
    }

    /// Returns the monoid that the tests define, or a test that shows that they define none.
    fn guess(
        &mut self,
        heap: u32,
        generators: &mut Vec<u32>,
        tests: &[Vec<u32>],
        meter: &mut Meter,
    ) -> Result<Result<Quotient, Vec<u32>>, QuotientError> {
        let mut row = |quotient: &mut Quotient, word: &[u32]| -> Result<Vec<bool>, LimitReached> {
            tests.iter().map(|test| quotient.play(&[word, test].concat(), meter)).collect()
        };
        let (mut words, mut steps, mut images);
        'again: loop {
            words = vec![Vec::new()];
            let mut rows = vec![row(self, &[])?];
            steps = Vec::<Vec<usize>>::new();
            while steps.len() < words.len() {
                let mut step = Vec::with_capacity(generators.len());
                for generator in generators.iter() {
                    let mut word: Vec<u32> = words[steps.len()].clone();
                    word.push(*generator);
                    let found = row(self, &word)?;
                    step.push(rows.iter().position(|row| *row == found).unwrap_or_else(|| {
                        rows.push(found);
                        words.push(word);
                        words.len() - 1
                    }));
                    if words.len() > MAX_ORDER {
                        return Err(QuotientError::TooLarge);
                    }
                }
                steps.push(step);
            }
            images = vec![0];
            for size in 1..=heap {
                let found = row(self, &[size])?;
                match rows.iter().position(|row| *row == found) {
                    Some(image) => images.push(image as u16),
                    None => {
                        generators.push(size);
                        generators.sort_unstable();
                        continue 'again;
                    }
                }
            }
            break;
        }
        // Products follow a word of the second factor; this is sound once steps commute.
        let place = |heap: &u32| generators.binary_search(heap).expect("words are of generators");
        let walk =
            |from: usize, word: &[u32]| word.iter().fold(from, |at, heap| steps[at][place(heap)]);
        let table = (0..words.len())
            .map(|a| words.iter().map(|word| walk(a, word) as u16).collect())
            .collect();
        let mut p = ElementSet::default();
        for (element, word) in words.iter().enumerate() {
            if self.play(word, meter)? {
                insert(&mut p, element);
            }
        }
        for (i, g) in generators.iter().enumerate() {
            for (j, h) in generators.iter().enumerate().take(i) {
                for s in 0..words.len() {
                    let (a, b) = (steps[steps[s][i]][j], steps[steps[s][j]][i]);
                    if a == b {
                        continue;
                    }
                    // Some test tells a and b apart, so one of them is not the element of the sum.
                    // The heap taken first, followed by the other heap and the test, shows which.
                    for test in tests {
                        let truth = self.play(&[&words[s][..], &[*g, *h], test].concat(), meter)?;
                        for (then, end) in [(*h, a), (*g, b)] {
                            if self.play(&[&words[end][..], test].concat(), meter)? != truth {
                                return Ok(Err([&[then][..], test].concat()));
                            }
                        }
                    }
                    return Err(QuotientError::Unproved);
                }
            }
        }
        Ok(Ok(Quotient {
            codes: self.codes.clone(),
            words,
            table,
            p,
            images,
            played: FxHashMap::default(),
            exact: false,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::Budget;

    fn quotient(text: &str, heaps: u32) -> Quotient {
        let mut quotient = Quotient::new(TakeAndBreakCode::parse(text).unwrap());
        quotient.extend(heaps, &mut Meter::new(&Budget::default())).unwrap();
        quotient
    }

    /// Decides from the options alone.
    fn brute(code: &TakeAndBreakCode, sum: &[u32], known: &mut FxHashMap<Vec<u32>, bool>) -> bool {
        let mut key: Vec<u32> = sum.to_vec();
        key.sort_unstable();
        if let Some(p) = known.get(&key) {
            return *p;
        }
        let mut options = Vec::new();
        for i in 0..key.len() {
            let _ = code.options(key[i], |parts| {
                options.push([&key[..i], parts, &key[i + 1..]].concat());
                Continue::<()>(())
            });
        }
        let p = !options.is_empty() && options.iter().all(|option| !brute(code, option, known));
        known.insert(key, p);
        p
    }

    /// Adds all sums of heaps with a given total.
    fn sums(total: u32, most: u32, visit: &mut impl FnMut(&[u32]), sum: &mut Vec<u32>) {
        if total == 0 {
            return visit(sum);
        }
        for heap in 1..=most.min(total) {
            sum.push(heap);
            sums(total - heap, heap, visit, sum);
            sum.pop();
        }
    }

    #[test]
    fn marks_are_the_outcomes_of_play() {
        for text in ["0.77", "0.07", "0.123", "0.75", "0.3", "0.37", "0.15", "0.8", "0.[3]", "0.31"]
        {
            let code = TakeAndBreakCode::parse(text).unwrap();
            let heaps = if text == "0.[3]" { 3 } else { 9 };
            let quotient = quotient(text, heaps);
            let mut known = FxHashMap::default();
            for total in 0..=18 {
                let check = &mut |sum: &[u32]| {
                    assert_eq!(quotient.is_p(sum), brute(&code, sum, &mut known), "{text} {sum:?}");
                };
                sums(total, heaps, check, &mut Vec::new());
            }
        }
    }

    /// Nim with heaps up to 1 has the quotient of order 2, up to 3 that of order 6, up to 7 of
    /// order 10 (Plambeck and Siegel 2008: the tame quotients have order 2^n + 2). The same paper
    /// has order 20 for 0.123, and order 40 for misère Kayles, with period 12.
    #[test]
    fn published_orders() {
        assert_eq!(
            [0, 1, 2, 3, 4, 7].map(|heaps| quotient("0.[3]", heaps).order()),
            [1, 2, 6, 6, 10, 10]
        );
        let kayles = quotient("0.77", 168);
        assert_eq!((kayles.order(), kayles.period()), (40, Some((12, 71))));
        assert_eq!(quotient("0.123", 40).order(), 20);
    }

    /// Sums of heaps of two codes, by the options alone: heaps of the second code are numbered
    /// after those of the first.
    #[test]
    fn marks_of_several_codes_are_the_outcomes_of_play() {
        fn brute(codes: &[TakeAndBreakCode], sum: &[(usize, u32)]) -> bool {
            let mut options = Vec::new();
            for (i, (code, size)) in sum.iter().enumerate() {
                let _ = codes[*code].options(*size, |parts| {
                    let left: Vec<(usize, u32)> = parts.iter().map(|part| (*code, *part)).collect();
                    options.push([&sum[..i], &left, &sum[i + 1..]].concat());
                    Continue::<()>(())
                });
            }
            !options.is_empty() && options.iter().all(|option| !brute(codes, option))
        }
        for (first, many, second, most) in
            [("0.[3]", 3, "0.77", 5), ("0.77", 6, "0.3", 2), ("0.07", 6, "0.33", 3)]
        {
            let codes = [first, second].map(|text| TakeAndBreakCode::parse(text).unwrap());
            let mut quotient =
                Quotient::of_sums(vec![(0, codes[0].clone()), (many, codes[1].clone())]);
            quotient.extend(many + most, &mut Meter::new(&Budget::default())).unwrap();
            assert_eq!(quotient.period(), None);
            let of_number = |heap: u32| if heap > many { (1, heap - many) } else { (0, heap) };
            for a in 0..=many + most {
                for b in 0..=a {
                    for c in (0..=b).filter(|c| *c < 4 || *c > many) {
                        let sum: Vec<u32> =
                            [a, b, c].into_iter().filter(|heap| *heap > 0).collect();
                        let heaps: Vec<(usize, u32)> =
                            sum.iter().map(|heap| of_number(*heap)).collect();
                        let tokens: u32 = heaps.iter().map(|heap| heap.1).sum();
                        if tokens < 11 {
                            assert_eq!(
                                quotient.is_p(&sum),
                                brute(&codes, &heaps),
                                "{first} {second} {sum:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_spent_budget_is_told() {
        let mut quotient = Quotient::new(TakeAndBreakCode::parse("0.77").unwrap());
        let mut meter = Meter::new(&Budget { nodes: Some(100), ..Budget::default() });
        assert_eq!(
            quotient.extend(30, &mut meter),
            Err(QuotientError::LimitReached(LimitReached::Nodes(100)))
        );
        assert!(quotient.heaps() < 30);
    }
}
