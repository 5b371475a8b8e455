//! Automata as tables, and Walnut's text of them.

use crate::decide::{AutomaticRelation, Decision, MAX_COUNTED, decide};
use crate::effort::{Undecided, check_memory, poll_in_loop};
use crate::numeration::Numeration;
use crate::ostrowski::ContinuedFraction;
use bouton_core::{Budget, DigitSystem, DigitValue, LimitReached, Meter};
use bouton_formula::Formula;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::hash::Hash;
use std::ops::Range;

/// Numbers that are read together at most, columns of digits at most, and the bases.
pub const TRACKS: usize = 12;
const COLUMNS: usize = 1 << 14;
const BASES: std::ops::RangeInclusive<usize> = 2..=10;
/// States of an automaton in a file at most, and states times columns.
const STATES: usize = 100_000;
const PLACES: usize = 1 << 28;
/// What it may cost to read an automaton in other digits than its own.
const CONVERTED_NODES: u64 = 1 << 28;
const CONVERTED_BYTES: u64 = 1 << 30;

/// A deterministic automaton over columns of digits, most significant first. State 0 is where it
/// begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptor {
    /// The digits.
    pub digits: DigitSystem,
    /// Numbers that are read together: column Σ d·base^i has the digit d of number i.
    pub tracks: usize,
    /// The next state by state and column.
    pub next: Vec<Vec<u32>>,
    /// Whether the numbers may end here.
    pub accepts: Vec<bool>,
}

/// Why a text is no automaton, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct AcceptorError {
    /// What is wrong.
    pub why: String,
    /// The bytes of the text that are.
    pub at: Range<usize>,
}

/// Returns the number of columns of digits to a base on this many tracks; `None` if base, tracks or
/// columns are beyond what is read.
pub fn columns(base: usize, tracks: usize) -> Option<usize> {
    let columns = base.checked_pow(u32::try_from(tracks).ok()?)?;
    (BASES.contains(&base) && tracks <= TRACKS && columns <= COLUMNS).then_some(columns)
}

/// Returns the name of digits in Walnut's text: Walnut's own of digits to a base, of Zeckendorf and
/// of Tribonacci, and others of the same kind.
pub fn walnut_name(digits: DigitSystem) -> String {
    let joined = |several: &[u8]| several.iter().map(u8::to_string).collect::<Vec<_>>().join("_");
    match digits.coefficients() {
        ([base], []) => format!("msd_{base}"),
        ([1, 1], []) => "msd_fib".into(),
        ([_, 1], []) => format!("msd_fib{}", digits.base()),
        ([1, 1, 1], []) => "msd_trib".into(),
        (once, []) => format!("msd_by_{}", joined(once)),
        (once, for_ever) => format!("msd_by_{}_then_{}", joined(once), joined(for_ever)),
    }
}

/// Returns the digits of this name.
fn named(text: &str) -> Option<DigitSystem> {
    let number = |text: &str| text.parse().ok().filter(|base| BASES.contains(base));
    let own = text.strip_prefix("msd_")?;
    let digits = if let Some(several) = own.strip_prefix("by_") {
        let listed = |text: &str| {
            text.split('_').map(|one| one.parse().ok()).collect::<Option<Vec<usize>>>()
        };
        match several.split_once("_then_") {
            Some((once, for_ever)) => {
                DigitSystem::from_coefficients(&listed(once)?, &listed(for_ever)?)?
            }
            None => DigitSystem::from_coefficients(&listed(several)?, &[])?,
        }
    } else if own == "trib" {
        DigitSystem::from_coefficients(&[1; 3], &[])?
    } else if let Some(base) = own.strip_prefix("fib") {
        DigitSystem::zeckendorf(if base.is_empty() { 2 } else { number(base)? })
    } else {
        DigitSystem::to_base(number(own)?)
    };
    (walnut_name(digits) == text).then_some(digits)
}

/// Numbers states as they are met, the first one 0, and follows each column from each of them.
/// Returns the rows of followers, and which states accept.
///
/// `enter` is given a state and how many are known; it charges what the state costs, and returns
/// whether the state accepts. `step` returns the state after a column, or `None` for one from which
/// nothing is accepted, whose number is `u32::MAX`.
///
/// # Errors
/// Fails with what `enter` fails with.
pub fn explore<S: Clone + Eq + Hash>(
    first: S,
    columns: usize,
    mut enter: impl FnMut(&S, usize) -> Result<bool, LimitReached>,
    mut step: impl FnMut(&S, usize) -> Option<S>,
) -> Result<(Vec<Vec<u32>>, Vec<bool>), LimitReached> {
    let mut number: FxHashMap<S, u32> = FxHashMap::default();
    number.insert(first.clone(), 0);
    let mut open = vec![first];
    let (mut next, mut accepts) = (Vec::new(), Vec::new());
    while next.len() < open.len() {
        let state = open[next.len()].clone();
        accepts.push(enter(&state, open.len())?);
        let mut row = Vec::with_capacity(columns);
        for column in 0..columns {
            let Some(to) = step(&state, column) else {
                row.push(u32::MAX);
                continue;
            };
            let new = open.len() as u32;
            row.push(*number.entry(to).or_insert_with_key(|to| {
                open.push(to.clone());
                new
            }));
        }
        next.push(row);
    }
    Ok((next, accepts))
}

/// Returns the states from which one that accepts is reached.
pub(crate) fn coaccessible_states(next: &[Vec<u32>], accepts: &[bool]) -> Vec<bool> {
    let mut alive = accepts.to_vec();
    loop {
        let before = alive.iter().filter(|one| **one).count();
        for state in (0..alive.len()).rev() {
            alive[state] = alive[state] || next[state].iter().any(|to| alive[*to as usize]);
        }
        if alive.iter().filter(|one| **one).count() == before {
            return alive;
        }
    }
}

/// A word of a text, and the byte where it begins.
type PlacedWord<'t> = (&'t str, usize);

fn wrong(why: impl Into<String>, at: Range<usize>) -> AcceptorError {
    AcceptorError { why: why.into(), at }
}

fn span((word, at): PlacedWord<'_>) -> Range<usize> {
    at..at + word.len()
}

/// Returns the bytes from the first of some words to the last.
fn span_of_all(words: &[PlacedWord<'_>]) -> Range<usize> {
    words[0].1..span(words[words.len() - 1]).end
}

/// Returns the words of each line that has some; `#` begins a comment.
fn worded_lines(text: &str) -> Vec<Vec<PlacedWord<'_>>> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let said = line.split('#').next().unwrap_or("");
        let mut words = Vec::new();
        let mut from = 0;
        for word in said.split_whitespace() {
            let place = said[from..].find(word).map_or(from, |found| from + found);
            words.push((word, at + place));
            from = place + word.len();
        }
        if !words.is_empty() {
            lines.push(words);
        }
        at += line.len();
    }
    lines
}

/// In which digits a text reads numbers.
enum TextDigits {
    Recurrence(DigitSystem),
    Ostrowski(ContinuedFraction),
}

/// Reads Walnut's command `ost NAME [0 3 1] [1 2];`: the name of the digits, and the fraction, its
/// whole part first.
fn ostrowski<'t>(words: &[PlacedWord<'t>]) -> Result<(&'t str, ContinuedFraction), AcceptorError> {
    let all = span_of_all(words);
    let form = || {
        let why = "`ost NAME [0 3 1] [1 2];` has a name, the quotients of a continued fraction that \
                   do not repeat, the whole part first, and those that do";
        wrong(why, all.clone())
    };
    let Some((name, lists)) = words[1..].split_first() else { return Err(form()) };
    let lists: Vec<&str> = lists.iter().map(|word| word.0).collect();
    let text = lists.join(" ");
    let text = text.trim_end_matches(';').trim();
    let list = |text: &str| -> Option<Vec<usize>> {
        text.split_whitespace().map(|own| own.parse().ok()).collect()
    };
    let quotients = || {
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        let (before, period) = inner.split_once(']')?;
        Some((list(before)?, list(period.trim().strip_prefix('[')?)?))
    };
    let (before, period) = quotients().ok_or_else(form)?;
    let (_, before) = before.split_first().ok_or_else(form)?;
    match ContinuedFraction::new(before, &period) {
        Some(fraction) => Ok((name.0, fraction)),
        None => {
            let why = "digits of this continued fraction are not read: behind the whole part there \
                       are quotients from 1 to 9, the first one above 1 (else the last digit, always \
                       0, is written or not), some of which repeat, and the unit of the period is \
                       below 10";
            Err(wrong(why, all))
        }
    }
}

/// The first lines of Walnut's text: in which digits numbers are read.
struct TextHead<'t> {
    /// The name of the digits.
    system: &'t str,
    digits: TextDigits,
    base: usize,
    tracks: usize,
    columns: usize,
}

impl<'t> TextHead<'t> {
    /// Reads the names of the digits of each number, all the same; if there is a command that
    /// defines them, behind it.
    fn parse(
        command: Option<&[PlacedWord<'t>]>,
        systems: &[PlacedWord<'t>],
        tracks: usize,
    ) -> Result<TextHead<'t>, AcceptorError> {
        let system = systems[0].0;
        let defined = command.map(ostrowski).transpose()?;
        let digits = match (defined, named(system)) {
            (Some((name, fraction)), _) if system.strip_prefix("msd_") == Some(name) => {
                Some(TextDigits::Ostrowski(fraction))
            }
            (Some((name, _)), _) => {
                let why = format!("these digits should be `msd_{name}`, which `ost` defines");
                return Err(wrong(why, span(systems[0])));
            }
            (None, None) if system == "msd_pell" => {
                ContinuedFraction::new(&[], &[2]).map(TextDigits::Ostrowski)
            }
            (None, own) => own.map(TextDigits::Recurrence),
        };
        let Some(digits) = digits else {
            let why = "only `msd_2` to `msd_10`, `msd_fib`, `msd_fib3` to `msd_fib10`, \
                       `msd_trib`, `msd_by_3_2` and `msd_by_3_then_2` (with other numbers, six at \
                       most, as coefficients of a recurrence, each end less than the whole) are \
                       read here, and `msd_pell` and digits that Walnut's command `ost` defines on \
                       the line before: digits of one kind, most significant first";
            return Err(wrong(why, span(systems[0])));
        };
        let base = match &digits {
            TextDigits::Recurrence(own) => own.base(),
            TextDigits::Ostrowski(own) => own.base(),
        };
        if let Some(other) = systems.iter().find(|word| word.0 != system) {
            let why = format!("all numbers are read in the same digits: `{system}`");
            return Err(wrong(why, span(*other)));
        }
        if systems.len() != tracks {
            let count = systems.len();
            let why = format!("`{system}` stands {count} times, and there are {tracks} numbers");
            return Err(wrong(why, span_of_all(systems)));
        }
        let Some(columns) = columns(base, tracks) else {
            let why = format!("more than {COLUMNS} columns of {base} digits");
            return Err(wrong(why, span_of_all(systems)));
        };
        Ok(TextHead { system, digits, base, tracks, columns })
    }

    /// Reads the transitions below each state, by state and column. What is left out leads to one
    /// state more, behind all that are named.
    fn transitions(
        &self,
        lines: &[Vec<PlacedWord<'t>>],
        states: &TextStates<'t>,
    ) -> Result<Vec<Vec<u32>>, AcceptorError> {
        let dead = states.accepts.len() as u32;
        let mut next = vec![vec![dead; self.columns]; states.accepts.len() + 1];
        let mut own: Option<u32> = None;
        for words in lines {
            let Some(arrow) = words.iter().position(|word| word.0 == "->") else {
                own = states.known.get(words[0].0).map(|(state, _)| *state);
                continue;
            };
            let Some(own) = own else {
                return Err(wrong("a transition stands below its state", span(words[0])));
            };
            let column = self.column(&words[..arrow])?;
            if arrow != self.tracks {
                let last = if arrow == 0 { words[0] } else { words[arrow - 1] };
                let tracks = self.tracks;
                let why = format!("{arrow} digits stand here, and there are {tracks} numbers");
                return Err(wrong(why, words[0].1..span(last).end));
            }
            let [to] = words[arrow + 1..] else {
                return Err(wrong("one state should stand behind `->`", span(words[arrow])));
            };
            let Some((state, _)) = states.known.get(to.0) else {
                return Err(wrong(format!("there is no state {}", to.0), span(to)));
            };
            let place: &mut u32 = &mut next[own as usize][column];
            if *place != dead {
                let why =
                    "these digits have a transition already: the automaton is not deterministic";
                return Err(wrong(why, span_of_all(&words[..arrow])));
            }
            *place = *state;
        }
        Ok(next)
    }

    /// Reads the digits of a transition as the number of a column; those beyond the numbers count
    /// for nothing.
    fn column(&self, words: &[PlacedWord<'t>]) -> Result<usize, AcceptorError> {
        let base = self.base;
        let (mut column, mut weight) = (0, 1);
        for word in words {
            let digit = match word.0.as_bytes() {
                [digit @ b'0'..=b'9'] => usize::from(digit - b'0'),
                _ => base,
            };
            if digit >= base {
                let why = match base {
                    2 => "a digit is 0 or 1".into(),
                    _ => format!("a digit of `{}` is from 0 to {}", self.system, base - 1),
                };
                return Err(wrong(why, span(*word)));
            }
            if weight < self.columns {
                column += digit * weight;
                weight *= base;
            }
        }
        Ok(column)
    }
}

/// The states of Walnut's text, in the order in which they stand there.
#[derive(Default)]
struct TextStates<'t> {
    /// By the number that the text gives them, with its place.
    known: FxHashMap<&'t str, (u32, Range<usize>)>,
    accepts: Vec<bool>,
}

impl<'t> TextStates<'t> {
    /// Reads the lines of states; those of transitions are passed over.
    fn parse(lines: &[Vec<PlacedWord<'t>>]) -> Result<TextStates<'t>, AcceptorError> {
        let mut states = TextStates::default();
        for words in lines.iter().filter(|words| words.iter().all(|word| word.0 != "->")) {
            let [state, output] = words[..] else {
                let why = "a state is a number and its output, 0 or 1; a transition digits, `->` \
                    and a state";
                return Err(wrong(why, span_of_all(words)));
            };
            if state.0.is_empty() || !state.0.bytes().all(|b| b.is_ascii_digit()) {
                return Err(wrong("a state is a number", span(state)));
            }
            let output = match output.0 {
                "0" => false,
                "1" => true,
                _ => return Err(wrong("a state's output is 0 or 1", span(output))),
            };
            let number = states.accepts.len() as u32;
            if states.known.insert(state.0, (number, span(state))).is_some() {
                return Err(wrong(format!("state {} stands twice", state.0), span(state)));
            }
            states.accepts.push(output);
            if states.accepts.len() > STATES {
                return Err(wrong("too many states", span(state)));
            }
        }
        Ok(states)
    }
}

impl Acceptor {
    /// Reads Walnut's text of an automaton on this many numbers: `msd_2` for each of them, or the
    /// same with another base up to 10, or `msd_fib`, or `msd_fib3` to `msd_fib10`, or `msd_trib`,
    /// or `msd_by_3_2` with other coefficients of a recurrence, or `msd_by_3_then_2` where the latter
    /// repeat for ever; then each state with its output 0 or 1, and its transitions `0 1 -> 2`, the digits in the order of the numbers. What is left
    /// out leads to where nothing is accepted. The first state is where it begins, and leading
    /// zeros lead from there to itself. `#` begins a comment.
    pub fn parse(text: &str, tracks: usize) -> Result<Acceptor, AcceptorError> {
        let lines = worded_lines(text);
        let end = text.len()..text.len();
        if tracks == 0 || tracks > TRACKS {
            return Err(wrong(format!("automata read from 1 to {TRACKS} numbers here"), end));
        }
        let command = lines.first().filter(|words| words[0].0 == "ost").map(|words| &words[..]);
        let Some((systems, rest)) = lines[usize::from(command.is_some())..].split_first() else {
            return Err(wrong("an automaton begins with `msd_2` for each heap", end));
        };
        let head = TextHead::parse(command, systems, tracks)?;
        let states = TextStates::parse(rest)?;
        let count = states.accepts.len();
        if count == 0 {
            return Err(wrong("there is no state", end));
        }
        if count.saturating_mul(head.columns) > PLACES {
            return Err(wrong("too many states for so many columns", end));
        }
        let next = head.transitions(rest, &states)?;
        if next[0][0] != 0 {
            // An automaton that says something of numbers, whatever zeros stand before them.
            let mut known = states.known.values();
            let first = known.find(|(state, _)| *state == 0).map_or(end, |(_, at)| at.clone());
            let why = "digits 0 should lead from the first state to itself: leading zeros change \
                no number";
            return Err(wrong(why, first));
        }
        let mut accepts = states.accepts;
        accepts.push(false);
        match head.digits {
            TextDigits::Recurrence(digits) => Ok(Acceptor { digits, tracks, next, accepts }),
            TextDigits::Ostrowski(fraction) => {
                let (nodes, bytes) = (Some(CONVERTED_NODES), Some(CONVERTED_BYTES));
                let meter = &mut Meter::new(&Budget { nodes, bytes, ..Budget::default() });
                fraction.acceptor(tracks, &next, &accepts, meter).map_err(|why| {
                    let digits = fraction.digits();
                    wrong(format!("read in {digits} the automaton is too large: {why}"), end)
                })
            }
        }
    }

    /// Writes Walnut's text, without the states from which nothing is accepted.
    pub fn walnut(&self) -> String {
        let alive = self.coaccessible_states();
        let base = self.digits.base();
        let mut text = vec![&walnut_name(self.digits)[..]; self.tracks].join(" ") + "\n";
        for state in (0..self.next.len()).filter(|state| alive[*state] || *state == 0) {
            // Writing into a string does not fail.
            let _ = writeln!(text, "\n{state} {}", u8::from(self.accepts[state]));
            for number in 0..self.columns() {
                // The first number's digit changes last.
                let digit =
                    |track: usize| number / base.pow((self.tracks - 1 - track) as u32) % base;
                let column =
                    (0..self.tracks).rev().fold(0, |column, track| base * column + digit(track));
                let to = self.next[state][column] as usize;
                if alive[to] {
                    let digits: Vec<String> =
                        (0..self.tracks).map(|track| digit(track).to_string()).collect();
                    let _ = writeln!(text, "{} -> {to}", digits.join(" "));
                }
            }
        }
        text
    }

    /// Returns how many columns there are.
    pub fn columns(&self) -> usize {
        self.digits.base().pow(self.tracks as u32)
    }

    /// Returns the digit of a number in a column.
    pub fn digit(&self, column: usize, track: usize) -> usize {
        self.digits.digit(column, track)
    }

    /// Returns the states from which something is accepted.
    pub fn coaccessible_states(&self) -> Vec<bool> {
        coaccessible_states(&self.next, &self.accepts)
    }

    /// Returns how many states something can be accepted from.
    pub fn states(&self) -> usize {
        self.coaccessible_states().into_iter().filter(|alive| *alive).count()
    }

    /// Returns the numbers that columns of digits stand for, most significant first; `None` beyond
    /// 64 bits.
    pub fn numbers(&self, columns: impl Iterator<Item = usize>) -> Option<Vec<u64>> {
        let mut all: Vec<DigitValue> = vec![DigitValue::default(); self.tracks];
        for column in columns {
            for (track, value) in all.iter_mut().enumerate() {
                *value = self.digits.extended(*value, self.digit(column, track) as u64)?;
            }
        }
        Some(all.into_iter().map(|[number, ..]| number).collect())
    }

    /// Returns whether it accepts these numbers.
    pub fn holds(&self, numbers: &[u64]) -> bool {
        if !self.digits.is_to_base() {
            let columns = self.digits.columns(numbers).into_iter();
            let end = columns.fold(0, |state, column| self.next[state as usize][column]);
            return self.accepts[end as usize];
        }
        let base = self.digits.base() as u64;
        let digits = numbers
            .iter()
            .max()
            .map_or(0, |most| most.checked_ilog(base).map_or(0, |last| last + 1));
        let column = |place: u32| {
            numbers.iter().rev().fold(0, |column, x| base * column + x / base.pow(place) % base)
                as usize
        };
        let end =
            (0..digits).rev().fold(0, |state, place| self.next[state as usize][column(place)]);
        self.accepts[end as usize]
    }

    /// Returns the shortest word that is accepted, columns most significant first.
    pub fn shortest(&self) -> Option<Vec<usize>> {
        // From which state by which column each state is first met.
        let mut met: Vec<Option<(usize, usize)>> = vec![None; self.next.len()];
        met[0] = Some((0, 0));
        let mut open = vec![0];
        let mut looked = 0;
        while let Some(&state) = open.get(looked) {
            looked += 1;
            if self.accepts[state] {
                let from = |(state, _): &(usize, usize)| (*state > 0).then_some(met[*state]?);
                let mut word: Vec<usize> = std::iter::successors(met[state], from)
                    .take_while(|_| state > 0)
                    .map(|(_, column)| column)
                    .collect();
                word.reverse();
                return Some(word);
            }
            for (column, to) in self.next[state].iter().enumerate() {
                let to = *to as usize;
                if met[to].is_none() {
                    met[to] = Some((state, column));
                    open.push(to);
                }
            }
        }
        None
    }

    /// Returns the number of tuples that it accepts, with no number above `most`; `None` of more
    /// than [`MAX_COUNTED`] numbers. What it accepts must be written as [`DigitSystem`] says.
    ///
    /// A number is known to be below the bound, or has the bound's digits so far: what is written
    /// greedily is ordered as its digits are. Costs, for each digit, the states times the columns
    /// times 2 to the number of numbers.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn count(&self, most: u64, meter: &mut Meter) -> Result<Option<BigUint>, LimitReached> {
        if self.tracks > MAX_COUNTED {
            return Ok(None);
        }
        // The state, and the numbers that have the bound's digits so far.
        let mut reached: FxHashMap<(u32, u32), BigUint> = FxHashMap::default();
        reached.insert((0, (1 << self.tracks) - 1), BigUint::from(1u8));
        for bound in self.digits.digits(most).into_iter().rev() {
            let mut next: FxHashMap<(u32, u32), BigUint> = FxHashMap::default();
            for ((state, equal), number) in reached {
                meter.spend_and_poll(self.columns() as u64)?;
                for (column, to) in self.next[state as usize].iter().enumerate() {
                    let mut same = 0;
                    let is_within =
                        (0..self.tracks).filter(|track| equal >> track & 1 == 1).all(|track| {
                            let digit = self.digit(column, track);
                            same |= u32::from(digit == bound) << track;
                            digit <= bound
                        });
                    if is_within {
                        *next.entry((*to, same)).or_default() += &number;
                    }
                }
            }
            reached = next;
        }
        let accepted = reached.into_iter().filter(|((state, _), _)| self.accepts[*state as usize]);
        Ok(Some(accepted.map(|(_, number)| number).sum()))
    }

    /// Returns the automaton of a formula's free variables, in binary digits.
    pub fn binary(formula: &Formula, meter: &mut Meter) -> Result<Acceptor, Undecided> {
        Acceptor::decided(formula, false, meter)
    }

    /// Returns the same in Zeckendorf's digits; what are no such digits is not accepted.
    pub fn zeckendorf(formula: &Formula, meter: &mut Meter) -> Result<Acceptor, Undecided> {
        Ok(Acceptor::decided(formula, true, meter)?.restricted_to_numerals(meter)?)
    }

    fn decided(
        formula: &Formula,
        zeckendorf: bool,
        meter: &mut Meter,
    ) -> Result<Acceptor, Undecided> {
        let (numeration, digits) = match zeckendorf {
            true => (Numeration::ZECKENDORF, DigitSystem::zeckendorf(2)),
            false => (Numeration::Binary, DigitSystem::to_base(2)),
        };
        let read = match decide(formula, numeration, meter)? {
            Decision::Open(AutomaticRelation { dfa, .. }) => dfa,
            decided => {
                let accepts = vec![matches!(decided, Decision::True(_))];
                return Ok(Acceptor { digits, tracks: 0, next: vec![vec![0]], accepts });
            }
        };
        let tracks = formula.free;
        let enter = |state: &usize, known: usize| {
            meter.spend_and_poll(1 << tracks)?;
            check_memory(meter, known << (tracks + 2))?;
            Ok(read.accepts(*state))
        };
        let step = |state: &usize, column: usize| Some(read.step(*state, |v| column >> v & 1 == 1));
        let (next, accepts) = explore(read.start(), 1 << tracks, enter, step)?;
        Ok(Acceptor { digits, tracks, next, accepts })
    }

    /// Returns the least automaton that accepts the same where all numbers are written as
    /// [`DigitSystem`] says, and nothing elsewhere.
    pub fn restricted_to_numerals(&self, meter: &mut Meter) -> Result<Acceptor, LimitReached> {
        // A state, and the marks of the numbers.
        let enter = |(state, _): &(u32, usize), known: usize| {
            meter.spend_and_poll(self.columns() as u64)?;
            check_memory(meter, known * (32 + 4 * self.columns()))?;
            Ok(self.accepts[*state as usize])
        };
        let step = |(state, marks): &(u32, usize), column: usize| {
            let marks = self.digits.after(*marks, column)?;
            Some((self.next[*state as usize][column], marks))
        };
        let (mut next, mut accepts) = explore((0, 0), self.columns(), enter, step)?;
        let dead = next.len() as u32;
        next.iter_mut().flatten().filter(|to| **to == u32::MAX).for_each(|to| *to = dead);
        next.push(vec![dead; self.columns()]);
        accepts.push(false);
        Acceptor { next, accepts, ..*self }.minimal(meter)
    }

    /// Returns the union of images: image σ of a tuple has its number σ(i) in place i.
    pub fn union(
        &self,
        images: &[Vec<usize>],
        meter: &mut Meter,
    ) -> Result<Acceptor, LimitReached> {
        let base = self.digits.base();
        let column = |letter: usize, image: &[usize]| {
            image.iter().rev().fold(0, |column, heap| base * column + self.digit(letter, *heap))
        };
        let enter = |states: &Vec<u32>, known: usize| {
            meter.spend_and_poll((images.len() * self.columns()) as u64)?;
            check_memory(meter, known * (8 * images.len() + 4 * self.columns()))?;
            Ok(states.iter().any(|state| self.accepts[*state as usize]))
        };
        let step = |states: &Vec<u32>, letter: usize| {
            let after = |(state, image): (&u32, &Vec<usize>)| {
                self.next[*state as usize][column(letter, image)]
            };
            Some(states.iter().zip(images).map(after).collect())
        };
        let (next, accepts) = explore(vec![0; images.len()], self.columns(), enter, step)?;
        Acceptor { next, accepts, ..*self }.minimal(meter)
    }

    /// Returns the least automaton that accepts the same (Moore 1956), its states numbered as they
    /// are met.
    pub fn minimal(&self, meter: &mut Meter) -> Result<Acceptor, LimitReached> {
        let mut class: Vec<u32> = self.accepts.iter().map(|accepts| u32::from(*accepts)).collect();
        let mut classes = 0;
        loop {
            let mut number: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
            let mut refined = Vec::with_capacity(class.len());
            for (state, row) in self.next.iter().enumerate() {
                poll_in_loop(state, meter)?;
                let key =
                    (class[state], row.iter().map(|to| class[*to as usize]).collect::<Vec<_>>());
                let new = number.len() as u32;
                refined.push(*number.entry(key).or_insert(new));
            }
            class = refined;
            if number.len() == classes {
                break;
            }
            classes = number.len();
        }
        // One state of each class.
        let mut one = vec![0; classes];
        class.iter().enumerate().for_each(|(state, class)| one[*class as usize] = state);
        let enter = |class: &u32, _| Ok(self.accepts[one[*class as usize]]);
        let step =
            |own: &u32, column: usize| Some(class[self.next[one[*own as usize]][column] as usize]);
        let (next, accepts) = explore(class[0], self.columns(), enter, step)?;
        Ok(Acceptor { next, accepts, ..*self })
    }

    /// Returns the least automaton that accepts the same; by a recurrence of several terms, numbers
    /// alone that are written as [`DigitSystem`] says.
    pub fn minimal_on_numerals(&self, meter: &mut Meter) -> Result<Acceptor, LimitReached> {
        if self.digits.is_to_base() {
            self.minimal(meter)
        } else {
            self.restricted_to_numerals(meter)
        }
    }

    /// Returns the same on more numbers, of which it looks at the first ones alone.
    pub fn with_tracks(self, tracks: usize) -> Acceptor {
        if self.tracks == tracks {
            return self;
        }
        let (own, columns) = (self.columns(), self.digits.base().pow(tracks as u32));
        let wide = |row: &Vec<u32>| (0..columns).map(|column| row[column % own]).collect();
        let next = self.next.iter().map(wide).collect();
        Acceptor { digits: self.digits, tracks, next, accepts: self.accepts }
    }
}
