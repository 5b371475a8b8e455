//! `automatic`: which positions of a game on heaps are P, for all heap sizes, the claim being read
//! by an automaton.
//!
//! **Theorem.** As for [`crate::p_positions`]: if every move lowers the sum of the heaps, no move
//! leads from the set S into S, and from every position outside S a move leads into S, then S is
//! the set of P-positions in normal play.
//!
//! *Hypotheses* ([`hypotheses`]): those of [`rules::hypotheses`]; normal play, or misère play by
//! the theorem of [`misere`]; heaps stay in their places and may have any numbers, so that position
//! and option can be read side by side; what is remembered may grow, but has no more digits than
//! are read, since leading zeros come first; to a base other than 2 there is no formula.
//!
//! *What stands for what.* Heaps are read in digits by a recurrence, which the file names unless it
//! is that of binary digits, a digit of each at a time, most significant first ([`numerals`]):
//! every number has a *numeral*, and with any number of zeros before it that is the same number's.
//! Sums of binary digits are read to base 2 alone. ([`table::Table::is`]) M accepts numerals alone,
//! so that of an option's heaps the numerals are read; a position is a row of numerals, and what
//! follows a row that is none says nothing. The file has an automaton A for S, an automaton M for
//! every number of heaps that a move may lower, and sets. Digits 0 of all numbers lead from the
//! first state of each automaton to itself: words with any number of zeros before them say the
//! same.
//!
//! - The claim is A itself (leading zeros lead nowhere else), or a formula. Of a formula F a
//!   machine ([`machine`]) keeps what has to be known; ([`table::Table::is`]) whatever is read, F
//!   holds if and only if the file's automaton B accepts. ([`table::Table::is_union`]) A accepts
//!   the union of the images of B.
//! - ([`table::Table::is`]) M accepts a window's heaps before and after, read together, if and only
//!   if that is a move by the rules: no heap higher, one lower at least, and the game's condition.
//!
//! *(I)* ([`Game::no_move_inside`]) Position and option are read together by A, M and A: no three
//! states that can be reached accept all three.
//!
//! *(II)* A *way* of going on from a position is a window, M's state on what was read of position
//! and option, and A's state on the option. The file lists sets of ways, each with a state of A on
//! the position and the marks of its heaps, so that it is known which columns may follow.
//! ([`Game::check_leads_inside`]) From the first state and some of the ways in which leading zeros
//! may be read a listed set begins; after every column of digits of the position, the ways that
//! lead on contain a listed set with A's next state; and where A does not accept, some way of each
//! set has M and A accept. So by induction on the digits, for every position outside S there are
//! digits of an option that is a move away and in S.
//!
//! *Moves in two steps*, where what is remembered depends on the heaps left alone: two automata in
//! the place of M ([`apart`]).
//!
//! *Misère play* is normal play of the game M of [`misere`], in which (p, 2) is P if and only if p
//! is P in misère play. So the file has an automaton F for the claim, and A is one for M.
//! ([`Table::is_at_two`]) Whatever is read, F accepts p if and only if A accepts (p, 2): the digits
//! of 2 are zeros and then 10, or zeros and then 2 if there is a digit 2.

mod apart;
pub(crate) mod machine;
mod multiples;
pub(crate) mod numerals;
pub(crate) mod statements;
pub(crate) mod table;

use crate::hypotheses::{Hypothesis, all_hold};
use crate::lines::Lines;
use crate::p_positions::form::{Form, Variable};
use crate::p_positions::formula::{Formula, formula};
use crate::p_positions::{misere, names, rules};
use crate::sets::Listed;
use crate::tuples::Tuples;
use crate::work::{Reason, Work, many, number};
use crate::{CheckReport, Envelope, Rejected};
use machine::{Builder, Machine};
use numerals::Numerals;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use table::Table;

/// Most heaps, and most letters of digits read together.
const HEAPS: usize = 8;
const LETTERS: u32 = 1 << 14;
/// Most lines of one kind, most images.
const LINES: usize = 1 << 22;
const IMAGES: usize = 720;

/// Checks what the theorem assumes of game, claim and base, beside the hypotheses of all theorems
/// on P-positions ([`rules::hypotheses`], in normal play).
fn hypotheses(rules: &rules::Game, claim: &str, numerals: Numerals) -> Result<(), Rejected> {
    let windows = rules.ways(rules.heaps).map_err(|why| Rejected::new(3, why))?.len();
    all_hold(
        "the theorem on automata",
        [
            Hypothesis::new(
                4,
                "normal play, or the automaton as a claim",
                claim == IN_MISERE_PLAY || !claim.starts_with("in misere play"),
                "this is a formula in misere play",
            ),
            Hypothesis::new(3, "heaps that stay in their places", rules.in_place(), "these do not"),
            Hypothesis::new(
                3,
                format!("at most {HEAPS} heaps"),
                rules.heaps <= HEAPS,
                format!("these are {}", rules.heaps),
            ),
            Hypothesis::new(
                3,
                "games of no digits of their own",
                rules.digits.binary,
                "this one is about those of a continued fraction",
            ),
            Hypothesis::new(
                3,
                "one window if numbers are remembered, as one automaton serves all windows of one \
                 length",
                !rules.may_keep_tokens() || windows == 1,
                format!("these are {windows}"),
            ),
            Hypothesis::new(
                4,
                "digits 0 and 1, or by a recurrence of several terms, for a formula",
                numerals.base() == 2
                    || numerals.order() > 1
                    || [AUTOMATON, IN_MISERE_PLAY].contains(&claim),
                format!("these are {numerals}"),
            ),
        ],
    )
}

/// The claim that is the automaton itself.
const AUTOMATON: &str = "P iff the automaton accepts";
const IN_MISERE_PLAY: &str = "in misere play P iff the automaton accepts";

/// Checks a certificate of this kind.
pub fn check(envelope: &Envelope<'_>, work: &Work<'_>) -> Result<CheckReport, Rejected> {
    let mut own = names::game(envelope.game)?;
    own.misere = envelope.claim == IN_MISERE_PLAY;
    let described = own.describe();
    // Where z stands, in the game of misère play.
    let (rules, more) = if own.misere {
        let place = misere::place_of_added_heap(&own);
        (misere::lifted(own)?, Some(place))
    } else {
        (own.played(false)?, None)
    };
    let mut lines = Lines::new(envelope.body, envelope.body_line, LINES, work);
    let numerals = numerals(&mut lines).map_err(|why| lines.rejected(why))?;
    hypotheses(&rules, &envelope.claim, numerals)?;
    let game = Played { rules, described, more };
    proof(envelope, &game, numerals, &mut lines, work).map_err(|why| lines.rejected(why))
}

/// Reads the line that names the numerals, if there is one.
fn numerals(lines: &mut Lines<'_>) -> Result<Numerals, &'static str> {
    let base = |text: &str| number::<u32>(text).filter(|base| (3..=10).contains(base));
    if let Some(text) = lines.after("base ") {
        let own = base(text).and_then(|base| Numerals::by(&[base], &[]));
        return own.ok_or("a base is from 3 to 10; without this line digits are binary");
    }
    if let Some(text) = lines.after("zeckendorf") {
        let to_base = || Numerals::by(&[base(text.strip_prefix(' ')?)? - 1, 1], &[]);
        let own = if text.is_empty() { Some(Numerals::ZECKENDORF) } else { to_base() };
        return own.ok_or("behind `zeckendorf` may stand a base from 3 to 10; without one it is 2");
    }
    if let Some(text) = lines.after("digits by ") {
        let listed = |text: &str| text.split(',').map(number::<u32>).collect::<Option<Vec<_>>>();
        let own = match text.split_once(" then ") {
            Some((once, for_ever)) => listed(once).zip(listed(for_ever)),
            None => listed(text).map(|once| (once, Vec::new())),
        };
        let own = own.and_then(|(once, for_ever)| Numerals::by(&once, &for_ever));
        // Those that have a line of another kind.
        let own = own.filter(|own| !matches!(own.coefficients(), ([_] | [_, 1], [])));
        return own.ok_or(
            "two to six coefficients from 0 to 9, the first one the greatest and the last one not 0, \
             or behind `then` those that repeat for ever; other digits have lines of their own",
        );
    }
    Ok(Numerals::BINARY)
}

/// The game that a certificate is about.
struct Played {
    /// As it is played in normal play; of misère play the game with one number more.
    rules: rules::Game,
    /// The game of the theorem in words.
    described: String,
    /// The place of the number more, in misère play.
    more: Option<usize>,
}

/// Checks the body, but for its base.
fn proof(
    envelope: &Envelope<'_>,
    game: &Played,
    numerals: Numerals,
    lines: &mut Lines<'_>,
    work: &Work<'_>,
) -> Result<CheckReport, Reason> {
    let rules = &game.rules;
    let (heaps, base) = (rules.heaps, numerals.base());
    let claim = match game.more {
        // The columns of more numbers may be too many; that is seen before any table is read.
        Some(_) if columns(base, 2 * heaps) <= LETTERS => {
            Some(lines.table("misere ", base, heaps - 1, work)?)
        }
        _ => None,
    };
    let positions = lines.table("positions ", base, heaps, work)?;
    let theorem = match (game.more, &claim) {
        (None, _) => claimed(envelope, rules, numerals, &positions, lines, work)?,
        (Some(more), Some(claim)) => {
            positions.is_at_two(claim, base, more, work)?;
            accepted_by("first automaton", numerals)
        }
        (Some(_), None) => return Err("a move lowers too many heaps to be read by automata".into()),
    };
    let (cases, sets) = if game.more.is_none() && lines.rest.starts_with("left ") {
        apart::check(rules, numerals, &positions, lines, work)?
    } else {
        by_windows(rules, numerals, &positions, lines, work)?
    };
    lines.end()?;
    Ok(CheckReport {
        work: format!(
            "{}, {} read, {}",
            many(positions.states(), "state"),
            many(cases, "pair"),
            many(sets, "set")
        ),
        theorem: format!(
            "{} For all heap sizes, the P-positions are exactly the positions {theorem}.",
            game.described
        ),
    })
}

/// Checks (I) and (II) with one automaton for the moves of windows of one length. Returns the
/// numbers of cases and sets.
fn by_windows(
    rules: &rules::Game,
    numerals: Numerals,
    positions: &Table,
    lines: &mut Lines<'_>,
    work: &Work<'_>,
) -> Result<(usize, usize), Reason> {
    let (heaps, base) = (rules.heaps, numerals.base());
    let windows = windows(rules, lines)?;
    let mut moves: FxHashMap<usize, Table> = FxHashMap::default();
    for window in &windows {
        let length = window.len();
        if moves.contains_key(&length) {
            continue;
        }
        if columns(base, heaps + length).max(columns(base, 2 * length)) > LETTERS {
            return Err("a move lowers too many heaps to be read by automata".into());
        }
        let table = lines.table(&format!("move {length} "), base, 2 * length, work)?;
        table.is(&move_machine(rules, numerals, window, work)?, work)?;
        moves.insert(length, table);
    }
    let mut read = Vec::new();
    for window in &windows {
        work.hold(8 * columns(base, heaps + window.len()) as usize)?;
        read.push(pairs(base, positions.columns, window));
    }
    let moves = windows.iter().filter_map(|window| moves.get(&window.len())).collect();
    let reader = Game::new(positions, positions, numerals, moves, read, work)?;
    Ok((reader.no_move_inside(work)?, reader.check_leads_inside(lines, work)?))
}

/// Returns the positions that an automaton of the file accepts, in words.
fn accepted_by(automaton: &str, numerals: Numerals) -> String {
    format!(
        "that the {automaton} of this file accepts, reading the {numerals} of all heaps together, \
         most significant first"
    )
}

/// Checks that the automaton is the claim. Returns the positions in words.
fn claimed(
    envelope: &Envelope<'_>,
    rules: &rules::Game,
    numerals: Numerals,
    positions: &Table,
    lines: &mut Lines<'_>,
    work: &Work<'_>,
) -> Result<String, Reason> {
    if envelope.claim == AUTOMATON {
        return Ok(accepted_by("automaton", numerals));
    }
    let before = std::mem::replace(&mut lines.at, 4);
    let text = envelope
        .claim
        .strip_prefix("P iff ")
        .and_then(|text| text.strip_suffix(", up to symmetry"));
    let text = text.ok_or(
        "the claim should be `P iff the automaton accepts` or `P iff FORMULA, up to symmetry`",
    )?;
    work.spend(64 * text.len())?;
    work.hold(64 * text.len())?;
    let names: Vec<String> = ('a'..='z').take(rules.heaps).map(String::from).collect();
    let said: Formula = formula(text, &names)?;
    let heaps: Vec<Variable> = (0..rules.heaps).collect();
    let machine = Machine::new(
        numerals,
        rules.heaps,
        &mut |builder| builder.formula(&said.root, &heaps),
        work,
    )?;
    let images = images(&rules.generators(rules.heaps), rules.heaps)?;
    lines.at = before;
    if images.len() == 1 {
        positions.is(&machine, work)?;
    } else {
        let own = lines.table("formula ", numerals.base(), rules.heaps, work)?;
        own.is(&machine, work)?;
        positions.is_union(&own, &images, numerals.base(), work)?;
    }
    Ok(format!("for which the formula holds, {}", rules.closed()))
}

/// Reads `windows 0,1 1,2`: the heaps that moves may lower, all windows of the game in any order.
fn windows(rules: &rules::Game, lines: &mut Lines<'_>) -> Result<Vec<Vec<usize>>, Reason> {
    let list = |text: &str| text.split(',').map(number::<usize>).collect::<Option<Vec<_>>>();
    let listed =
        lines.after("windows ").and_then(|text| text.split(' ').map(list).collect::<Option<_>>());
    let listed: Vec<Vec<usize>> = listed.ok_or("`windows 0,1 1,2` should stand here")?;
    let own = rules.ways(rules.heaps)?.into_iter().map(|way| way.window).collect();
    let sorted = |mut all: Vec<Vec<usize>>| {
        all.sort_unstable();
        all
    };
    if sorted(listed.clone()) != sorted(own) {
        return Err("these are not the windows of the game".into());
    }
    Ok(listed)
}

/// Returns the permutations of heaps that generators make together.
fn images(generators: &[Vec<usize>], heaps: usize) -> Result<Vec<Vec<usize>>, Reason> {
    let mut all: Vec<Vec<usize>> = vec![(0..heaps).collect()];
    let mut at = 0;
    while at < all.len() {
        for generator in generators {
            let next: Vec<usize> = all[at].iter().map(|heap| generator[*heap]).collect();
            if !all.contains(&next) {
                all.push(next);
            }
        }
        at += 1;
        if all.len() > IMAGES {
            return Err("too many images of a claim".into());
        }
    }
    Ok(all)
}

/// Returns the machine of a move in a window, over p0, q0, p1, q1, …: the heap in place i is
/// variable 2i before and 2i + 1 after.
fn move_machine(
    rules: &rules::Game,
    numerals: Numerals,
    window: &[usize],
    work: &Work<'_>,
) -> Result<Machine, Reason> {
    let names: Vec<Variable> = (0..2 * window.len()).collect();
    let mut lower = Vec::new();
    for place in (0..window.len()).filter(|place| rules.is_heap(window[*place])) {
        let place = 2 * place;
        lower.push(Form::variable(place + 1).minus(&Form::variable(place))?);
    }
    let mut said = |builder: &mut Builder<'_>| {
        lower.iter().try_for_each(|form| builder.one_of(std::slice::from_ref(form)))?;
        // No heap is higher: so there are fewer tokens if and only if one is lower.
        let strictly = lower.iter().map(Form::one_more).collect::<Result<Vec<_>, _>>()?;
        builder.one_of(&strictly)?;
        rules.condition().map_or(Ok(()), |condition| builder.formula(&condition.root, &names))
    };
    Machine::new(numerals, 2 * window.len(), &mut said, work)
}

/// Returns how many columns of digits there are.
fn columns(base: u32, tracks: usize) -> u32 {
    base.saturating_pow(tracks as u32)
}

impl Lines<'_> {
    fn table(
        &mut self,
        start: &str,
        base: u32,
        tracks: usize,
        work: &Work<'_>,
    ) -> Result<Table, Reason> {
        let count = self.count(start)?;
        Table::read(columns(base, tracks), count, || self.take(), work)
    }
}

/// A game and a claim, both read by automata.
struct Game<'c> {
    numerals: Numerals,
    positions: &'c Table,
    /// What reads the option: the automaton of the positions, where moves are not in two steps.
    options: &'c Table,
    /// The automaton of each window's moves.
    moves: Vec<&'c Table>,
    /// Of each window: for each column of the position and, within those, of the option's heaps in
    /// the window, what M and A read.
    pairs: Vec<Vec<(u32, u32)>>,
    /// The first way of each window: ways are numbered by window, M's state, A's state on the
    /// option.
    first: Vec<u32>,
}

impl<'c> Game<'c> {
    fn new(
        positions: &'c Table,
        options: &'c Table,
        numerals: Numerals,
        moves: Vec<&'c Table>,
        pairs: Vec<Vec<(u32, u32)>>,
        work: &Work<'_>,
    ) -> Result<Game<'c>, Reason> {
        let mut first = vec![0u32];
        for table in &moves {
            work.spend(1)?;
            let before = first.last().copied().unwrap_or(0);
            let ways =
                u32::try_from(table.states() as u64 * options.states() as u64).unwrap_or(u32::MAX);
            first.push(before.saturating_add(ways));
        }
        Ok(Game { numerals, positions, options, moves, pairs, first })
    }

    /// Returns what M and A read with this column of the position, whatever the option's digits in
    /// the window are.
    fn read(&self, window: usize, column: u32) -> &[(u32, u32)] {
        let pairs = &self.pairs[window];
        let options = pairs.len() / self.positions.columns as usize;
        &pairs[column as usize * options..][..options]
    }

    /// Checks (I). Returns how many triples of states were reached.
    fn no_move_inside(&self, work: &Work<'_>) -> Result<usize, Reason> {
        let (positions, options) = (self.positions, self.options);
        let mut count = 0;
        for (window, table) in self.moves.iter().enumerate() {
            let before = work.bytes();
            let mut triples: Tuples<'_, (u32, u32, u32)> = Tuples::new(48, work);
            triples.add(&(0, 0, 0))?;
            while let Some((s, m, t)) = triples.next() {
                if positions.accepts[s as usize]
                    && table.accepts[m as usize]
                    && options.accepts[t as usize]
                {
                    return Err("a move leads from a claimed position to one".into());
                }
                for column in 0..positions.columns {
                    let s = positions.step(s, column);
                    work.spend(8)?;
                    if !positions.alive[s as usize] {
                        continue;
                    }
                    for (both, after) in self.read(window, column).iter().copied() {
                        work.spend(4)?;
                        let (m, t) = (table.step(m, both), options.step(t, after));
                        if table.alive[m as usize] && options.alive[t as usize] {
                            triples.add(&(s, m, t))?;
                        }
                    }
                }
            }
            count += triples.count();
            work.release(before);
        }
        Ok(count)
    }

    /// Returns a way: its window, M's state, A's state.
    fn way(&self, way: u32) -> (usize, u32, u32) {
        let window = self.first.partition_point(|first| *first <= way) - 1;
        let (rest, states) = (way - self.first[window], self.options.states() as u32);
        (window, rest / states, rest % states)
    }

    /// Returns the ways after a column of the position, whatever the option's digits are; those
    /// from which nothing is accepted are left out.
    fn after(&self, way: u32, column: u32, work: &Work<'_>) -> Result<Vec<u32>, Reason> {
        let (window, m, t) = self.way(way);
        let mut after = Vec::new();
        for (both, own) in self.read(window, column).iter().copied() {
            work.spend(12)?;
            let (m, t) = (self.moves[window].step(m, both), self.options.step(t, own));
            if self.moves[window].alive[m as usize] && self.options.alive[t as usize] {
                after.push(self.first[window] + m * self.options.states() as u32 + t);
            }
        }
        Ok(after)
    }

    /// Returns the place of a position after a column: A's state, and as many times as A has states
    /// the marks of the numbers. `None` where the column makes no numeral.
    fn place(&self, place: u32, column: u32) -> Option<u32> {
        let states = self.positions.states() as u32;
        let marks = self.numerals.after(place / states, column).ok()?;
        Some(self.positions.step(place % states, column) + states * marks)
    }

    /// Returns the place that a file gives by A's state and, as many times as A has states, columns
    /// read last, as many as marks depend on, as digits of a number.
    fn place_read(&self, text: &str) -> Option<u32> {
        let (own, states) = (number::<u64>(text)?, self.positions.states() as u64);
        let (mut rest, mut columns) = (own / states, Vec::new());
        for _ in 1..self.numerals.order() {
            columns.push((rest % u64::from(self.positions.columns)) as u32);
            rest /= u64::from(self.positions.columns);
        }
        let marks =
            columns.iter().rev().try_fold(0, |marks, column| self.numerals.after(marks, *column));
        marks.ok().filter(|_| rest == 0).map(|marks| (own % states) as u32 + states as u32 * marks)
    }

    /// Checks (II): `sets N`, then lines `S W W …`, a place of the position and ways. Returns how
    /// many sets there are.
    fn check_leads_inside(&self, lines: &mut Lines<'_>, work: &Work<'_>) -> Result<usize, Reason> {
        let count = lines.count("sets ")?;
        let most = self.first.last().copied().unwrap_or(0);
        let states = self.positions.states();
        let places = states.saturating_mul(self.numerals.marks(self.positions.columns));
        if places.saturating_add(most as usize) > u32::MAX as usize {
            return Err("these automata are too large together".into());
        }
        // Ways, and last the place, which is numbered behind them.
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for _ in 0..count {
            let line = lines.kept(4)?;
            let mut words = line.split(' ');
            let place = words.next().and_then(|place| self.place_read(place));
            let way = |word| number::<u32>(word).filter(|way| *way < most);
            let ways: Option<Vec<u32>> = words.map(way).collect();
            let (place, ways) = place.zip(ways).ok_or("a set is a state, and ways")?;
            let ends = self.positions.accepts[place as usize % states]
                || ways.iter().any(|way| {
                    let (window, m, t) = self.way(*way);
                    self.moves[window].accepts[m as usize] && self.options.accepts[t as usize]
                });
            if !ends {
                return Err("where numbers end here, no move leads into the claim".into());
            }
            sets.push([ways, vec![most + place]].concat());
        }
        let mut listed = Listed::new(&sets, most as usize + places, work)?;
        // What leading zeros of the position lead to.
        let (mut first, mut zeros): (Vec<u32>, Tuples<'_, u32>) =
            (vec![most], Tuples::new(8, work));
        self.first[..self.moves.len()].iter().try_for_each(|way| zeros.add(way))?;
        while let Some(way) = zeros.next() {
            first.push(way);
            self.after(way, 0, work)?.iter().try_for_each(|way| zeros.add(way))?;
        }
        if !listed.contained(&first)? {
            return Err("no set begins".into());
        }
        let mut followers: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        for (number, set) in sets.iter().enumerate() {
            let Some((place, ways)) = set.split_last() else { continue };
            for column in 0..self.positions.columns {
                work.spend(2)?;
                // What is no numeral is no position.
                let Some(place) = self.place(place - most, column) else { continue };
                let mut next = vec![most + place];
                for way in ways {
                    let own = match followers.entry((*way, column)) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(new) => {
                            let after = self.after(*way, column, work)?;
                            work.hold(64 + 4 * after.len())?;
                            new.insert(after)
                        }
                    };
                    next.extend_from_slice(own);
                }
                if !listed.contained(&next)? {
                    lines.at = lines.number - count + number;
                    return Err("after some digits the ways contain no listed set".into());
                }
            }
        }
        Ok(count)
    }
}

/// Returns the position's digits with the option's digits in a window, as the columns that M and A
/// read: M's, and A's on the option.
fn pairs(base: u32, positions: u32, window: &[usize]) -> Vec<(u32, u32)> {
    let weight = |track: usize| base.pow(track as u32);
    let mut all = Vec::new();
    for position in 0..positions {
        for option in 0..columns(base, window.len()) {
            let (mut both, mut after) = (0, position);
            for (place, heap) in window.iter().enumerate() {
                let (before, own) =
                    (position / weight(*heap) % base, option / weight(place) % base);
                both += before * weight(2 * place) + own * weight(2 * place + 1);
                after = after - before * weight(*heap) + own * weight(*heap);
            }
            all.push((both, after));
        }
    }
    all
}
