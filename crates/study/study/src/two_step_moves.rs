//! Automata of the heaps that are worth leaving, where what is remembered after a move depends on
//! the heaps left alone: a blocked option, for example.
//!
//! In such a game a move has two steps ([`TwoStepMoves`]). Heaps are *worth leaving* if some memory
//! makes them a P-position. This is a set of heaps without memory, so its tables go further than
//! tables of positions, and its automaton has fewer states. The automaton is learned from larger
//! and larger tables. It determines the P-positions: those from which no heaps worth leaving can be
//! left. If these P-positions give the same set of heaps worth leaving, they are put to the prover.

use crate::board::{States, automaton_of};
use crate::move_system::stated_in;
use crate::query_learning::readings;
use crate::tables::Tables;
use bouton_conjecture::{Automaton, Learned, Reading, learn};
use bouton_core::{Deadline, DigitSystem, Meter, Play};
use bouton_prover::{Acceptor, MoveSystem, TwoStepMoves};
use std::time::Duration;

/// Binary digits of heaps in the tables.
const DIGITS: [u32; 4] = [6, 8, 9, 10];
/// Heaps of a table at most, as a power of two.
const TABLE: u32 = 20;
/// This many digits more than heaps may be in what is remembered.
const LONGER: usize = 2;
/// States of an automaton at most.
const STATES: usize = 200;
/// States may grow so much from one half of a table to the other: by a part, and by some besides.
const GROWTH: (usize, usize) = (3, 6);
/// Steps at most to see whether heaps are worth leaving.
const STEPS: usize = 1 << 16;
/// Time for all tables, where no end is set.
const TABLES_TIME: Duration = Duration::from_secs(20);

/// Whether moves are in two steps, in normal play.
pub(crate) fn applies(tables: &Tables<'_>) -> bool {
    tables.play == Play::Normal && tables.stated.moves.memory.count > 0 && moves(tables).is_some()
}

/// The rules, and the steps in binary digits.
fn moves(tables: &Tables<'_>) -> Option<(MoveSystem, TwoStepMoves)> {
    let (game, _) = stated_in(tables.play, tables.whole).ok()?;
    let steps = TwoStepMoves::new(&game, DigitSystem::to_base(2), &mut meter(tables)).ok()??;
    Some((game, steps))
}

fn meter(tables: &Tables<'_>) -> Meter {
    Meter::new(&tables.proof)
}

/// Puts automata of the P-positions to the prover until it accepts one, or the time is up.
pub(crate) fn automaton<T>(
    tables: &Tables<'_>,
    end: Option<Deadline>,
    settle: &mut dyn FnMut(&Automaton) -> Option<T>,
) -> Option<T> {
    let (game, steps) = moves(tables)?;
    let heaps = steps.heaps();
    let end = end.unwrap_or_else(|| Deadline::after(tables.time_or(TABLES_TIME)));
    let fits = |digits: &u32| digits * heaps as u32 <= TABLE;
    for digits in DIGITS.into_iter().filter(fits) {
        let most = (1u64 << digits) - 1;
        (tables.tell)(&format!(
            "{}, what is worth leaving, heaps up to {most}",
            tables.game.name()
        ));
        let is_late = || end.is_past() || tables.budget.interrupted().is_some();
        let table = LeftHeaps::new(&steps, digits, &is_late)?;
        for reading in readings(tables) {
            let Some(left) = table.learned(Reading { heaps, ..reading }) else { continue };
            if let Some(positions) =
                of_left(&game, &States::from(left).acceptor(heaps)?, &mut meter(tables))
                && let Some(settled) = settle(&automaton_of(positions))
            {
                return Some(settled);
            }
            if is_late() {
                return None;
            }
        }
    }
    None
}

/// The positions that are P if these heaps are worth leaving; `None` if these are not worth leaving
/// then.
fn of_left(game: &MoveSystem, left: &Acceptor, meter: &mut Meter) -> Option<Acceptor> {
    let steps = TwoStepMoves::new(game, left.digits, meter).ok()??;
    let positions = steps.positions(left, meter).ok()?;
    let left = left.minimal_on_numerals(meter).ok()?;
    (steps.left(&positions, meter).ok()? == left).then_some(positions)
}

/// Which heaps up to a number are worth leaving.
struct LeftHeaps {
    heaps: usize,
    most: u64,
    /// By number Σ h·(most + 1)^i.
    is_left: Vec<bool>,
}

impl LeftHeaps {
    /// `None` if that takes too long.
    fn new(steps: &TwoStepMoves, digits: u32, is_late: &dyn Fn() -> bool) -> Option<LeftHeaps> {
        let heaps = steps.heaps();
        let count = 1usize << (digits as usize * heaps);
        let heaps_of = |number: usize| -> Vec<u64> {
            (0..heaps)
                .map(|heap| (number >> (heap * digits as usize) & ((1 << digits) - 1)) as u64)
                .collect()
        };
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|number| heaps_of(*number as usize).iter().sum::<u64>());
        let mut table = LeftHeaps { heaps, most: (1 << digits) - 1, is_left: vec![false; count] };
        // Of heaps: what is worth leaving and may be left.
        let mut options: Vec<Vec<u32>> = vec![Vec::new(); count];
        let walker = Walker::new(steps, digits as usize);
        for (at, number) in order.into_iter().enumerate() {
            if at % 256 == 0 && is_late() {
                return None;
            }
            let own = heaps_of(number as usize);
            let may_be_left = std::mem::take(&mut options[number as usize]);
            let of: Vec<Vec<u64>> =
                may_be_left.iter().map(|option| heaps_of(*option as usize)).collect();
            if walker.is_left(&own, &of)? {
                table.is_left[number as usize] = true;
                walker.each_before(&own, &mut |before| options[before].push(number));
            }
        }
        Some(table)
    }

    /// Whether these are worth leaving; `None` beyond the table.
    fn at(&self, heaps: &[u64]) -> Option<bool> {
        let side = self.most + 1;
        let number = heaps
            .iter()
            .rev()
            .try_fold(0, |number, heap| (*heap < side).then_some(number * side + heap));
        number.map(|number| self.is_left[number as usize])
    }

    /// The least automaton of the table in these digits; `None` if the states grow with it, or not
    /// all of its answers are in the table.
    fn learned(&self, reading: Reading) -> Option<Automaton> {
        let tops = vec![self.most; self.heaps];
        let is_left = |heaps: &[u64]| self.at(heaps) == Some(true);
        let mut early = None;
        let mut refute = |automaton: &Automaton| {
            let Some(wrong) = automaton.least_wrong(&tops, &is_left) else { return Ok(None) };
            let states = automaton.next.len();
            if early.is_none() && wrong.iter().any(|heap| *heap > self.most / 2) {
                early = Some(states);
            }
            let grown = early.is_some_and(|early| states > early + early / GROWTH.0 + GROWTH.1);
            if grown { Err(()) } else { Ok(Some(wrong)) }
        };
        match learn(reading, STATES, &mut |heaps| self.at(heaps).ok_or(()), &mut refute) {
            Ok(Learned::Automaton(found)) => Some(found),
            _ => None,
        }
    }
}

/// Follows binary digits of positions and options.
struct Walker<'s> {
    steps: &'s TwoStepMoves,
    heaps: usize,
    numbers: usize,
    digits: usize,
    /// By place, most significant first: the columns of what is remembered, and of whole positions.
    remembered: Vec<Vec<usize>>,
    positions: Vec<Vec<usize>>,
}

impl<'s> Walker<'s> {
    fn new(steps: &'s TwoStepMoves, digits: usize) -> Walker<'s> {
        let (heaps, numbers) = (steps.heaps(), steps.remembers().tracks);
        let remembered: Vec<usize> =
            (0..1 << (numbers - heaps)).map(|other| other << heaps).collect();
        let places = digits + LONGER;
        // Heaps have no digits in the first places.
        let positions = (0..places).map(|place| match place < LONGER {
            true => remembered.clone(),
            false => (0..1 << numbers).collect(),
        });
        let positions = positions.collect();
        Walker { steps, heaps, numbers, digits, remembered: vec![remembered; places], positions }
    }

    /// The columns of heaps, the first one being the number of this track.
    fn columns(&self, heaps: &[u64], track: usize) -> Vec<usize> {
        let digit = |(heap, number): (usize, &u64), place: usize| {
            (number >> place & 1) as usize * (1 << (track + heap))
        };
        let column = |place: usize| heaps.iter().enumerate().map(|own| digit(own, place)).sum();
        (0..self.digits + LONGER).rev().map(column).collect()
    }

    /// Whether something can be remembered of these heaps so that none of the options may be
    /// chosen; `None` if that takes too long.
    fn is_left(&self, own: &[u64], options: &[Vec<u64>]) -> Option<bool> {
        let columns = self.columns(own, 0);
        let mut walks =
            vec![PartialRun::new(self.steps.remembers(), true, columns.clone(), &self.remembered)];
        for option in options {
            let given = self.columns(option, self.numbers);
            let given: Vec<usize> =
                columns.iter().zip(given).map(|(own, option)| own + option).collect();
            let choices = self.steps.choices().iter();
            walks.extend(
                choices
                    .map(|choice| PartialRun::new(choice, false, given.clone(), &self.remembered)),
            );
        }
        let starts = vec![0; walks.len()];
        if !walks.iter_mut().all(|walk| walk.goes_on(0, 0)) {
            return Some(false);
        }
        some(&mut walks, &self.remembered, &starts, 0, &mut 0)
    }

    /// Visits all heaps of the table from which, with something remembered, these may be left; some
    /// of them more than once.
    fn each_before(&self, option: &[u64], visit: &mut dyn FnMut(usize)) {
        let given = self.columns(option, self.numbers);
        for choice in self.steps.choices() {
            let mut walk = PartialRun::new(choice, true, given.clone(), &self.positions);
            if walk.goes_on(0, 0) {
                self.before(&mut walk, 0, &[0], 0, visit);
            }
        }
    }

    /// The same from a place on, with the states that may be reached there.
    fn before(
        &self,
        walk: &mut PartialRun<'_>,
        place: usize,
        states: &[u32],
        read: usize,
        visit: &mut dyn FnMut(usize),
    ) {
        if place == walk.given.len() {
            return visit(read);
        }
        for own in 0..if place < LONGER { 1 } else { 1 << self.heaps } {
            let mut next: Vec<u32> = Vec::new();
            for state in states {
                for other in &self.remembered[place] {
                    let to = walk.step(place, *state, own + other);
                    if !next.contains(&to) && walk.goes_on(place + 1, to) {
                        next.push(to);
                    }
                }
            }
            if next.is_empty() {
                continue;
            }
            let digit = |heap: usize| {
                (own >> heap & 1) << (heap * self.digits + walk.given.len() - 1 - place)
            };
            let read = read + (0..self.heaps).map(digit).sum::<usize>();
            self.before(walk, place + 1, &next, read, visit);
        }
    }
}

/// An automaton with the digits of some numbers given, the others being free.
struct PartialRun<'w> {
    read: &'w Acceptor,
    /// What its last state should say.
    says: bool,
    /// The columns of the numbers given, most significant digits first.
    given: Vec<usize>,
    /// Those of the others, by place.
    free: &'w [Vec<usize>],
    /// By place and state: whether some digits lead on from there to the end, if that is known.
    known: Vec<Option<bool>>,
}

impl<'w> PartialRun<'w> {
    fn new(
        read: &'w Acceptor,
        says: bool,
        given: Vec<usize>,
        free: &'w [Vec<usize>],
    ) -> PartialRun<'w> {
        let known = vec![None; given.len() * read.next.len()];
        PartialRun { read, says, given, free, known }
    }

    fn step(&self, place: usize, state: u32, column: usize) -> u32 {
        self.read.next[state as usize][self.given[place] + column]
    }

    fn goes_on(&mut self, place: usize, state: u32) -> bool {
        if place == self.given.len() {
            return self.read.accepts[state as usize] == self.says;
        }
        let at = place * self.read.next.len() + state as usize;
        if let Some(known) = self.known[at] {
            return known;
        }
        let free = self.free;
        let goes_on = free[place].iter().any(|column| {
            let to = self.step(place, state, *column);
            self.goes_on(place + 1, to)
        });
        self.known[at] = Some(goes_on);
        goes_on
    }
}

/// Whether some digits lead all walks on from these states to the end; `None` after too many steps.
fn some(
    walks: &mut [PartialRun<'_>],
    free: &[Vec<usize>],
    states: &[u32],
    place: usize,
    steps: &mut usize,
) -> Option<bool> {
    *steps += 1;
    if *steps > STEPS {
        return None;
    }
    let Some(columns) = free.get(place) else { return Some(true) };
    for column in columns {
        let next: Vec<u32> = walks
            .iter()
            .zip(states)
            .map(|(walk, state)| walk.step(place, *state, *column))
            .collect();
        if walks.iter_mut().zip(&next).all(|(walk, to)| walk.goes_on(place + 1, *to))
            && some(walks, free, &next, place + 1, steps)?
        {
            return Some(true);
        }
    }
    Some(false)
}
