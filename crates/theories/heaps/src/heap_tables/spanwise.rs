//! Boxes of games whose moves are spans ([`Span`]): position by position, in lexicographic order.
//!
//! Without a memory there is a table of bits for each heap, whose rows lie along that heap, so that
//! the sizes of a span are looked up 64 at a time. With a memory one table has all positions: what
//! is remembered may be more than the greatest heap, and the table reaches as far as play leads.

use super::game::is_least;
use super::{HeapTableError, Limits, Plan};
use crate::heap_options::{Admitted, Form, HeapOptions, Span};
use bouton_core::{HeapGame, Play, Symmetry};
use std::ops::ControlFlow::{self, Break, Continue};

/// A game of this kind.
#[derive(Debug, Clone)]
pub struct Spanwise {
    numbers: usize,
    tokens: usize,
    symmetry: Symmetry,
    spans: Vec<Span>,
}

/// Bits of the positions of a box, in rows along one number.
struct Bits {
    along: usize,
    /// How many words, or for the number itself bits, one more of each number is away.
    strides: Vec<usize>,
    words: Vec<u64>,
}

impl Bits {
    fn new(sides: &[usize], along: usize) -> Bits {
        let mut strides = vec![1; sides.len()];
        let mut size = sides[along].div_ceil(64);
        for number in (0..sides.len()).rev().filter(|number| *number != along) {
            strides[number] = size;
            size *= sides[number];
        }
        Bits { along, strides, words: vec![0; size] }
    }

    /// Returns the number of words of such a table, saturating.
    fn size(sides: &[usize], along: usize) -> u64 {
        let rows = sides.iter().enumerate().filter(|(number, _)| *number != along);
        rows.fold(sides[along].div_ceil(64) as u64, |size, (_, side)| size.saturating_mul(*side as u64))
    }

    fn set(&mut self, p: &[u32]) {
        let row = self.strides.iter().zip(p).enumerate().filter(|(number, _)| *number != self.along);
        let row: usize = row.map(|(_, (stride, size))| stride * *size as usize).sum();
        let bit = p[self.along] as usize;
        self.words[row + bit / 64] |= 1 << (bit % 64);
    }

    /// Returns whether one of the sizes in the row that begins at this word is set.
    #[inline]
    fn has_one(&self, row: usize, sizes: &Admitted<'_>) -> bool {
        let (from, to) = (sizes.low as usize / 64, sizes.high as usize / 64);
        for (at, word) in self.words[row + from..=row + to].iter().enumerate() {
            let mut word = *word;
            if word == 0 {
                continue;
            }
            if at == 0 {
                word &= u64::MAX << (sizes.low % 64);
            }
            if at == to - from {
                word &= u64::MAX >> (63 - sizes.high % 64);
            }
            while word != 0 {
                if sizes.has((64 * (from + at)) as u32 + word.trailing_zeros()) {
                    return true;
                }
                word &= word - 1;
            }
        }
        false
    }
}

/// Returns where the option of a span is, as a form, if one more of each number is so far away.
fn address(span: &Span, strides: &[usize]) -> Form {
    let mut form = Form { own: 0, before: vec![0; strides.len()], constant: 0 };
    span.after.iter().zip(strides).for_each(|(after, stride)| form.add(*stride as i64, after));
    form
}

/// A form of which all but the last number is known.
struct Along<'f> {
    form: &'f Form,
    row: i64,
    last: i64,
}

impl<'f> Along<'f> {
    fn new(form: &'f Form, p: &[u32]) -> Along<'f> {
        let (last, others) = (form.before[p.len() - 1], &p[..p.len() - 1]);
        Along { form, row: form.at(others), last }
    }

    fn at(&self, last: u32) -> i64 {
        self.row + self.last * i64::from(last)
    }

    fn own(&self) -> i64 {
        self.form.own
    }
}

impl Spanwise {
    /// Returns the game, if its moves are spans and its heaps keep their places.
    pub fn new(game: &HeapGame) -> Option<Spanwise> {
        let moves = &game.moves;
        let remembered = moves.memory.count;
        let tokens = game.heaps.checked_sub(remembered).filter(|tokens| *tokens > 0)?;
        let has_order = remembered > 0 && game.symmetry != Symmetry::None;
        if game.shrinks || moves.turned.is_some() || moves.domain.is_some() || has_order {
            return None;
        }
        let spans = HeapOptions::new(moves, Some(game.heaps), false).spans(game.heaps)?;
        let game = Spanwise { numbers: game.heaps, tokens, symmetry: game.symmetry, spans };
        // What is remembered follows from the heaps, or is 0 for ever.
        let follows = |form: &Form| form.before[tokens..].iter().all(|k| *k == 0);
        game.spans.iter().all(|span| span.after[tokens..].iter().all(follows)).then_some(game)
    }

    /// Returns how many values each number has, if heaps are at most `max`.
    fn sides(&self, max: u32) -> Option<Vec<usize>> {
        let max = i64::from(max);
        let mut sides = vec![max; self.numbers];
        for span in &self.spans {
            for (side, form) in sides.iter_mut().zip(&span.after).skip(self.tokens) {
                let most = |(heap, k): (usize, &i64)| {
                    let ends = if heap == span.heap { [*k, k + form.own] } else { [*k, *k] };
                    ends.into_iter().max().unwrap_or(0).max(0) * max
                };
                let reached = form.before[..self.tokens].iter().enumerate().map(most);
                *side = (*side).max(form.constant + reached.sum::<i64>());
            }
        }
        sides.into_iter().map(|side| usize::try_from(side + 1).ok()).collect()
    }

    /// Returns the number of positions that are settled for a box, saturating.
    pub fn positions(&self, max: u32) -> u128 {
        let sides = self.sides(max).unwrap_or_default();
        if sides.is_empty() {
            return u128::MAX;
        }
        sides.iter().fold(1, |all: u128, side| all.saturating_mul(*side as u128))
    }

    fn admit(
        &self,
        max: u32,
        limits: Limits,
        bytes: impl Fn(&[usize]) -> u64,
    ) -> Result<Plan, HeapTableError> {
        let need = |max, _| self.sides(max).map_or(u64::MAX, |sides| bytes(&sides));
        limits.admit(max, self.positions(max), 1, u32::MAX - 1, need).map(|plan| Plan { threads: 1, ..plan })
    }

    /// Returns the numbers along which there are tables of bits.
    fn tables(&self) -> Vec<usize> {
        if self.tokens < self.numbers {
            return vec![self.numbers - 1];
        }
        (0..self.numbers).filter(|heap| self.spans.iter().any(|span| span.heap == *heap)).collect()
    }

    /// Plans the table of P-positions with heaps ≤ `max`.
    pub fn plan(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        self.admit(max, limits, |sides| {
            let words = self.tables().into_iter().map(|along| Bits::size(sides, along));
            words.fold(0, u64::saturating_add).saturating_mul(8)
        })
    }

    /// Plans the table of nim-values with heaps ≤ `max`.
    pub fn plan_values(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        let cells = |sides: &[usize]| sides.iter().fold(4, |all: u64, side| all.saturating_mul(*side as u64));
        self.admit(max, limits, cells)
    }

    /// Calls `row` with the first position of each row along the last number, in order.
    fn rows<B>(sides: &[usize], mut row: impl FnMut(&mut Vec<u32>) -> ControlFlow<B>) -> ControlFlow<B> {
        let n = sides.len();
        let mut p = vec![0u32; n];
        loop {
            row(&mut p)?;
            p[n - 1] = 0;
            let Some(number) = (0..n - 1).rev().find(|number| (p[*number] as usize) + 1 < sides[*number])
            else {
                return Continue(());
            };
            p[number] += 1;
            p[number + 1..].fill(0);
        }
    }

    /// Whether a position is one of the box and the least of its symmetry class.
    fn is_listed(&self, p: &[u32], max: u32) -> bool {
        p[self.tokens..].iter().all(|number| *number <= max) && is_least(self.symmetry, p)
    }

    /// Visits the P-positions with numbers ≤ `max` that are the least of their symmetry class, in
    /// lexicographic order, until `visit` or `progress` breaks; `progress` receives the number of
    /// further positions that are settled.
    pub fn p_positions<B>(
        &self,
        max: u32,
        play: Play,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        self.plan(max, limits)?;
        let Some(sides) = self.sides(max) else { return Ok(Continue(())) };
        let mut tables: Vec<Bits> = self.tables().into_iter().map(|along| Bits::new(&sides, along)).collect();
        let is_flat = self.tokens < self.numbers;
        // Of each span the table and the place of its options there; with a memory in bits.
        let places: Vec<(usize, Form)> = self
            .spans
            .iter()
            .map(|span| {
                let at = tables.iter().position(|bits| bits.along == span.heap).unwrap_or(0);
                let bits = &tables[at];
                let scale = if is_flat { 64 } else { 1 };
                let of = |(number, stride): (usize, &usize)| match number == bits.along {
                    true => usize::from(is_flat),
                    false => scale * stride,
                };
                (at, address(span, &bits.strides.iter().enumerate().map(of).collect::<Vec<_>>()))
            })
            .collect();
        let last = self.numbers - 1;
        let end = Self::rows(&sides, |p| {
            let rows: Vec<Along<'_>> = places.iter().map(|(_, form)| Along::new(form, p)).collect();
            for number in 0..sides[last] as u32 {
                p[last] = number;
                let (mut is_stuck, mut reaches_p) = (true, false);
                for ((span, place), (at, _)) in self.spans.iter().zip(&rows).zip(&places) {
                    let Some(sizes) = span.admitted(p) else { continue };
                    let first = place.at(number);
                    let bits = &tables[*at];
                    reaches_p = if is_flat {
                        let is_p = |size: u32| {
                            is_stuck = false;
                            let bit = (first + place.own() * i64::from(size)) as usize;
                            if bits.words[bit / 64] >> (bit % 64) & 1 == 1 { Break(()) } else { Continue(()) }
                        };
                        sizes.visit(is_p).is_break()
                    } else {
                        bits.has_one(first as usize, &sizes)
                    };
                    if reaches_p {
                        break;
                    }
                    if play == Play::Misere && is_stuck {
                        is_stuck = sizes.visit(|_| Break(())).is_continue();
                    }
                }
                if !reaches_p && (play == Play::Normal || !is_stuck) {
                    tables.iter_mut().for_each(|bits| bits.set(p));
                    if self.is_listed(p, max) {
                        visit(p)?;
                    }
                }
            }
            progress(sides[last] as u128)
        });
        Ok(end)
    }

    /// Visits the nim-values of all positions with numbers ≤ `max` likewise.
    pub fn nim_values<B>(
        &self,
        max: u32,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32], u32) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        self.plan_values(max, limits)?;
        let Some(sides) = self.sides(max) else { return Ok(Continue(())) };
        let strides: Vec<usize> = (1..=sides.len()).map(|from| sides[from..].iter().product()).collect();
        let places: Vec<Form> = self.spans.iter().map(|span| address(span, &strides)).collect();
        let mut values = vec![0u32; sides.iter().product()];
        // For each value the last position that reaches it, plus one.
        let mut reached = vec![0usize; 2];
        let (last, mut at) = (self.numbers - 1, 0);
        let end = Self::rows(&sides, |p| {
            let rows: Vec<Along<'_>> = places.iter().map(|form| Along::new(form, p)).collect();
            for number in 0..sides[last] as u32 {
                p[last] = number;
                for (span, place) in self.spans.iter().zip(&rows) {
                    let Some(sizes) = span.admitted(p) else { continue };
                    let first = place.at(number);
                    let _ = sizes.visit::<()>(|size| {
                        let option = (first + place.own() * i64::from(size)) as usize;
                        reached[values[option] as usize] = at + 1;
                        Continue(())
                    });
                }
                let value = reached.iter().take_while(|last| **last == at + 1).count();
                values[at] = value as u32;
                at += 1;
                if value + 1 == reached.len() {
                    // One more than the greatest value is never reached.
                    reached.push(0);
                }
                if self.is_listed(p, max) {
                    visit(p, value as u32)?;
                }
            }
            progress(sides[last] as u128)
        });
        Ok(end)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::{Digits, Memory, Moves, Windows};

    const FREE: Limits = Limits { bytes: 1 << 30, threads: 1 };

    fn game(heaps: usize, count: usize, condition: &str) -> HeapGame {
        let moves = Moves::with(Windows::Any(heaps), condition).unwrap();
        let moves = Moves { memory: Memory { count, factor: 2 }, ..moves };
        HeapGame { heaps, symmetry: Symmetry::None, shrinks: false, moves, digits: Digits::Binary }
    }

    /// Tables by asking the formula of every pair of positions; what is remembered may be up to
    /// three times the greatest heap there.
    #[test]
    fn as_the_formula_says() {
        let conditions = [
            (1, 0, "q0 < p0 & (p0-q0) mod 3 = 1", 150),
            (1, 0, "q0 < p0 & q0 mod 4 = 3 | q0 < p0 & q0 mod 3 = 1 & q0 mod 5 >= 2 & q0 != 7", 150),
            (2, 0, "q1 = p1 & q0 < p0 & (q0+p1) mod 4 != 0 | q0 = p0 & q1 < p1 & (q1+p0) mod 4 != 0", 20),
            (2, 0, "q1 = p1 & q0 < p0 & q0 != p1 | q0 = p0 & q1 < p1 & q1 != p0", 20),
            (2, 0, "q1 = p1 & p0 <= q0+p1+2 & q0 < p0 | q0+1 = p0 & q1+2 = p1", 20),
            (3, 0, "q0 = p0 & q1 = p1 & p2 <= q2+p0 | q1 = p1 & q2 = p2 & q0 < p0 & (q0+p2) mod 2 = 1", 5),
            (1, 1, "q0 < p0 & p0 <= q0+p1 & q1+2*q0 = 2*p0", 12),
            (1, 1, "q0 < p0 & p0-q0 != p1 & q1+q0 = p0", 12),
            (
                2,
                1,
                "q1 = p1 & q0 < p0 & p0-q0 != p2 & q2+q0 = p0 | q0 = p0 & q1 < p1 & p1 <= q1+p2+1 & q2 = 1",
                4,
            ),
        ];
        for (heaps, count, condition, max) in conditions {
            let stated = game(heaps + count, count, condition);
            let formula = stated.moves.condition.clone().unwrap();
            let (table, numbers) = (Spanwise::new(&stated).unwrap(), heaps + count);
            let side = |number: usize| if number < heaps { max + 1 } else { 3 * max + 1 };
            let mut all: Vec<Vec<u32>> = vec![Vec::new()];
            for number in 0..numbers {
                all = all.iter().flat_map(|p| (0..side(number)).map(|x| [&p[..], &[x]].concat())).collect();
            }
            let mut brute: Vec<(u32, bool)> = Vec::new();
            for p in &all {
                let is_option = |q: &Vec<u32>| {
                    let pairs = p.iter().zip(q);
                    let values: Vec<u64> =
                        pairs.clone().flat_map(|(p, q)| [u64::from(*p), u64::from(*q)]).collect();
                    pairs.take(heaps).all(|(p, q)| q <= p)
                        && q[..heaps] != p[..heaps]
                        && formula.holds(&values).unwrap()
                };
                let options: Vec<(u32, bool)> =
                    all.iter().zip(&brute).filter(|(q, _)| is_option(q)).map(|(_, found)| *found).collect();
                let value = (0..).find(|value| options.iter().all(|(other, _)| other != value)).unwrap();
                brute.push((value, !options.is_empty() && !options.iter().any(|(_, is_p)| *is_p)));
            }
            let brute: Vec<_> =
                all.iter().zip(&brute).filter(|(p, _)| p.iter().all(|number| *number <= max)).collect();
            let mut values = Vec::new();
            let end = table.nim_values::<()>(
                max,
                FREE,
                |_| Continue(()),
                |p, value| {
                    values.push((p.to_vec(), value));
                    Continue(())
                },
            );
            assert_eq!(end, Ok(Continue(())));
            let expected: Vec<_> = brute.iter().map(|(p, (value, _))| (p.to_vec(), *value)).collect();
            assert_eq!(values, expected, "{condition}");
            for play in [Play::Normal, Play::Misere] {
                let (mut found, mut settled) = (Vec::new(), 0);
                let progress = |positions| {
                    settled += positions;
                    Continue(())
                };
                let end = table.p_positions::<()>(max, play, FREE, progress, |p| {
                    found.push(p.to_vec());
                    Continue(())
                });
                assert_eq!((end, settled), (Ok(Continue(())), table.positions(max)));
                let is_p = |(value, misere): &(u32, bool)| match play {
                    Play::Normal => *value == 0,
                    Play::Misere => *misere,
                };
                let expected: Vec<_> =
                    brute.iter().filter(|(_, found)| is_p(found)).map(|(p, _)| p.to_vec()).collect();
                assert_eq!(found, expected, "{condition} {play}");
            }
        }
    }

    /// What is remembered along with itself would have no end, and other symmetries no table.
    #[test]
    fn other_games_are_left_to_other_engines() {
        assert!(Spanwise::new(&game(2, 1, "q0 < p0 & q1 = p1+1")).is_none());
        let full = HeapGame { symmetry: Symmetry::Full, ..game(2, 1, "q0 < p0 & q1 = 0") };
        assert!(Spanwise::new(&full).is_none());
    }
}
