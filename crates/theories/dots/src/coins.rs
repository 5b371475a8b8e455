//! Strings and Coins, exactly: players cut strings between two coins, or between a coin and the
//! ground; a player who cuts the last string of a coin takes the coin and cuts again.
//!
//! Source: *Winning Ways*, ch. 16. Boards of Dots and Boxes are the planar graphs whose coins have
//! four strings; this engine plays any graph of at most 64 strings. All available coins are taken,
//! or all but the fewest that pass the move (see [`super::captures`], which holds for trees of any
//! degree). One string stands for all strings of a chain. Independent chains and loops that boards
//! have, too, are counted as multisets. The search uses null windows and a table.

use super::captures::Captures;
use super::chains::{Code, Kind, Multisets};
use super::table::Bounds;
use super::{Choice, Margin};
use bouton_core::{LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A set of strings, or of coins, one bit each.
type Word = u64;

/// Coins and the strings between them.
#[derive(Debug, Clone)]
pub struct CoinGraph {
    /// The coins at the ends of each string: two, or one for a string to the ground.
    ends: Vec<Word>,
    /// The strings of each coin.
    strings: Vec<Word>,
}

impl CoinGraph {
    /// Returns a graph of strings between two coins, or between a coin and the ground (`None`).
    /// Returns `None` if there are more than 64 strings or coins, or if a string has both ends at
    /// one coin.
    pub fn new(strings: &[(usize, Option<usize>)]) -> Option<CoinGraph> {
        let most = strings.iter().flat_map(|(a, b)| [Some(*a), *b]).flatten().max();
        let coins = most.map_or(0, |coin| coin + 1);
        if strings.len() > 64 || coins > 64 || strings.iter().any(|(a, b)| Some(*a) == *b) {
            return None;
        }
        let ends: Vec<Word> =
            strings.iter().map(|(a, b)| 1 << a | b.map_or(0, |coin| 1 << coin)).collect();
        let of = |coin: usize| {
            let all = ends.iter().enumerate().filter(|(_, ends)| *ends >> coin & 1 == 1);
            all.map(|(string, _)| 1 << string).sum()
        };
        Some(CoinGraph { strings: (0..coins).map(of).collect(), ends })
    }

    /// Returns the set of all strings.
    pub fn all(&self) -> u64 {
        self.ends.iter().enumerate().map(|(string, _)| 1 << string).sum()
    }

    /// Returns the number of coins that a set of strings holds.
    pub fn held(&self, uncut: u64) -> u32 {
        self.live(uncut).count_ones()
    }

    /// Returns the coins with a string of the set.
    fn live(&self, strings: Word) -> Word {
        members(strings).fold(0, |coins, string| coins | self.ends[string])
    }

    /// Returns the strings of a set of coins.
    fn around(&self, coins: Word) -> Word {
        members(coins).fold(0, |strings, coin| strings | self.strings[coin])
    }

    /// Returns the coins that have exactly `count` of these strings.
    fn with(&self, strings: Word, count: u32) -> Word {
        let has = |coin: &usize| (self.strings[*coin] & strings).count_ones() == count;
        (0..self.strings.len()).filter(has).map(|coin| 1 << coin).sum()
    }

    /// Takes every coin that hangs by one string, until there is none.
    fn close(&self, start: Word) -> Captures {
        let mut uncut = start;
        loop {
            let one = self.with(uncut, 1);
            if one == 0 {
                break;
            }
            uncut &= !self.around(one);
        }
        let taken = self.live(start) & !self.live(uncut);
        let of_taken = start & self.around(taken);
        let inner: Word = members(of_taken)
            .filter(|s| (self.ends[*s] & taken).count_ones() == 2)
            .map(|s| 1 << s)
            .sum();
        let ends = self.live(of_taken & !inner) & taken;
        // The coins of the forest with at least two of its strings.
        let forks: Word = members(taken)
            .filter(|c| (self.strings[*c] & inner).count_ones() >= 2)
            .map(|c| 1 << c)
            .sum();
        let deal = if ends & self.live(inner) != 0 {
            2
        } else if members(inner).any(|s| self.ends[s] & !forks == 0) {
            4
        } else {
            0
        };
        Captures { open: uncut, count: taken.count_ones(), deal }
    }

    /// Returns the coins that are reachable from `from` over these strings through coins of
    /// `through`.
    fn reached(&self, mut from: Word, through: Word, strings: Word) -> Word {
        loop {
            let next = from | self.live(self.around(from) & strings) & through;
            if next == from {
                return from;
            }
            from = next;
        }
    }
}

fn members(mut set: Word) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

/// A position without captures: uncut strings, and the removed chains and loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct CoinPosition {
    uncut: Word,
    set: Code,
}

/// The position after a move, and the values of it that make the move good enough: `low..=high`.
#[derive(Debug, Clone, Copy)]
struct CoinOption {
    state: CoinPosition,
    low: i32,
    high: i32,
}

/// Solves positions of one graph, and keeps the results for later questions.
#[derive(Debug)]
pub struct CoinSolver {
    graph: CoinGraph,
    sets: Multisets,
    known: FxHashMap<CoinPosition, Bounds>,
}

/// The greatest number of coins of removed chains and loops; larger multisets have no code.
const MAX_COUNTED: u32 = 32;

impl CoinSolver {
    /// Returns a solver with an empty table.
    pub fn new(graph: CoinGraph) -> CoinSolver {
        let sets = Multisets::new((graph.strings.len() as u32).min(MAX_COUNTED), 16);
        CoinSolver { graph, sets, known: FxHashMap::default() }
    }

    /// Returns the margin of the position with these strings cut, and the reason for stopping if
    /// the margin is not exact.
    pub fn margin(&mut self, cut: u64, meter: &mut Meter) -> (Margin, Result<(), LimitReached>) {
        let (closed, state) = self.position(self.graph.all() & !cut);
        let end = self.settle(state, meter);
        (closed.margin(self.bounds(state)), end)
    }

    /// Returns the margin as far as it is known without search.
    pub fn known(&self, cut: u64) -> Margin {
        let (closed, state) = self.position(self.graph.all() & !cut);
        closed.margin(self.bounds(state))
    }

    /// Returns the margin of every move, by string. The budget is spent on one move after the
    /// other; known margins are free.
    pub fn choices(
        &mut self,
        cut: u64,
        meter: &mut Meter,
    ) -> (Vec<Choice>, Result<(), LimitReached>) {
        let (mut end, uncut) = (Ok(()), self.graph.all() & !cut);
        let mut choices = Vec::new();
        for string in members(uncut) {
            let rest = uncut & !(1 << string);
            let gain = self.graph.held(uncut) - self.graph.held(rest);
            let (closed, state) = self.position(rest);
            if end.is_ok() {
                end = self.settle(state, meter);
            }
            let left = closed.margin(self.bounds(state));
            let margin = if gain > 0 { left.plus(gain as i32) } else { left.negated() };
            choices.push(Choice { line: string as u32, gain, margin });
        }
        (choices, end)
    }

    /// Returns the position after all captures.
    fn position(&self, uncut: Word) -> (Captures, CoinPosition) {
        let closed = self.graph.close(uncut);
        (closed, self.strip(CoinPosition { uncut: closed.open, set: 0 }))
    }

    /// Removes independent chains and loops that have a code.
    fn strip(&self, state: CoinPosition) -> CoinPosition {
        let CoinPosition { uncut, mut set } = state;
        let mut left = uncut;
        let two = self.graph.with(uncut, 2);
        let mut seeds = two;
        while seeds != 0 {
            let component = self.graph.reached(seeds & seeds.wrapping_neg(), Word::MAX, uncut);
            seeds &= !component;
            if component & !two != 0 {
                continue;
            }
            let strings = self.graph.around(component) & uncut;
            let boxes = component.count_ones();
            let kind = Kind { boxes, is_loop: strings.count_ones() == boxes };
            if self.sets.has_kind(kind)
                && let Some(larger) = self.sets.with_kind(set, kind)
            {
                set = larger;
                left &= !strings;
            }
        }
        CoinPosition { uncut: left, set }
    }

    fn coins(&self, state: CoinPosition) -> i32 {
        let counted: u32 = self.sets.kinds(state.set).map(|kind| kind.boxes).sum();
        (self.graph.held(state.uncut) + counted) as i32
    }

    fn bounds(&self, state: CoinPosition) -> Bounds {
        if state.uncut == 0 {
            let value = self.sets.value(state.set);
            return Bounds { low: value, high: value };
        }
        let all = self.coins(state);
        self.known.get(&state).copied().unwrap_or(Bounds { low: -all, high: all })
    }

    /// Computes the exact value, from the middle outwards.
    fn settle(&mut self, state: CoinPosition, meter: &mut Meter) -> Result<(), LimitReached> {
        loop {
            let known = self.bounds(state);
            if known.low == known.high {
                return Ok(());
            }
            let middle = self.coins(state) % 2;
            self.at_least(state, middle.clamp(known.low + 2, known.high), meter)?;
        }
    }

    /// Returns the positions after moves whose margin may be at least `least`, smallest gift first.
    fn options(&self, state: CoinPosition, least: i32) -> Vec<CoinOption> {
        let CoinPosition { uncut, set } = state;
        let all = self.coins(state);
        let two = self.graph.with(uncut, 2);
        let mut options = Vec::new();
        let mut add = |gift: u32, deal: i32, state: CoinPosition| {
            let (gift, left) = (gift as i32, all - gift as i32);
            let high = -least - gift;
            let low = if deal == 0 { i32::MIN } else { least + gift - 2 * deal };
            if low <= high && low <= left && high >= -left {
                options.push((gift, CoinOption { state, low, high }));
            }
        };
        let (mut strings, mut chains) = (uncut, two);
        while chains != 0 {
            let chain = self.graph.reached(chains & chains.wrapping_neg(), two, uncut);
            chains &= !chain;
            let of = self.graph.around(chain) & uncut;
            strings &= !of;
            // A chain of two is opened in its middle, which leaves the opponent no choice.
            let middle = || members(of).find(|string| self.graph.ends[*string] == chain);
            let string = if chain.count_ones() == 2 { middle() } else { None };
            let string = string.unwrap_or(of.trailing_zeros() as usize);
            let closed = self.graph.close(uncut & !(1 << string));
            add(closed.count, closed.deal, self.strip(CoinPosition { uncut: closed.open, set }));
        }
        for string in members(strings) {
            add(0, 0, self.strip(CoinPosition { uncut: uncut & !(1 << string), set }));
        }
        for (kind, rest) in self.sets.openings(set) {
            add(kind.boxes, kind.deal(), CoinPosition { uncut, set: *rest });
        }
        options.sort_by_key(|(gift, option)| (*gift, Reverse(option.state.set)));
        options.into_iter().map(|(_, option)| option).collect()
    }

    /// Returns whether the value is at least `least`, which must have the parity of the coins.
    fn at_least(
        &mut self,
        state: CoinPosition,
        least: i32,
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        let known = self.bounds(state);
        if known.low >= least || known.high < least {
            return Ok(known.low >= least);
        }
        meter.spend_one()?;
        if meter.nodes().is_multiple_of(1024) {
            meter.check_bytes(
                (self.known.capacity() * (size_of::<(CoinPosition, Bounds)>() + 1)) as u64,
            )?;
        }
        let mut options = self.options(state, least);
        let mut good = false;
        options.retain(|option| {
            let known = self.bounds(option.state);
            good |= known.low >= option.low && known.high <= option.high;
            known.high >= option.low && known.low <= option.high
        });
        for option in options {
            if good {
                break;
            }
            let all = self.coins(option.state);
            let too_much =
                option.high < all && self.at_least(option.state, option.high + 2, meter)?;
            good = !too_much
                && (option.low <= -all || self.at_least(option.state, option.low, meter)?);
        }
        let known = self.bounds(state);
        let bounds = if good {
            Bounds { low: known.low.max(least), ..known }
        } else {
            Bounds { high: known.high.min(least - 2), ..known }
        };
        self.known.insert(state, bounds);
        Ok(good)
    }
}
