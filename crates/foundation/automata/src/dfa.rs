//! Deterministic automata over tuples of numbers, with everything first-order logic asks of them.
//!
//! A word is read most significant digits first, a column (one digit of each track) at a time;
//! leading columns of zeros change nothing. The transitions of a state are a decision diagram over
//! the digits of a column, shared among all states and kept reduced, so that a relation of twelve
//! numbers does not need 4096 entries a state (multi-terminal BDDs: Henriksen et al., *Mona:
//! Monadic second-order logic in practice*, TACAS 1995). Product, projection by subsets and
//! minimisation work on the diagrams directly.

use crate::digits::{AtomReader, FALSE, Reading, TRUE};
use crate::effort::{Undecided, check_memory, poll_in_loop};
use crate::linear_form::{Atom, Variable};
use crate::numeration::Numeration;
use crate::slices::Slices;
use bouton_core::{Arrange, LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A place in a decision diagram: a node's number, or a state's above [`LEAF`].
type Ref = u32;
const LEAF: Ref = 1 << 31;

/// The digit of `track` leads on to `next[0]` or `next[1]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Split {
    track: Variable,
    next: [Ref; 2],
}

/// Decision diagrams, reduced: no two alike, none with two equal branches.
#[derive(Debug, Clone, Default)]
struct Diagrams {
    splits: Vec<Split>,
    known: FxHashMap<Split, Ref>,
}

impl Diagrams {
    fn make(&mut self, track: Variable, next: [Ref; 2]) -> Ref {
        if next[0] == next[1] {
            return next[0];
        }
        let split = Split { track, next };
        *self.known.entry(split).or_insert_with(|| {
            self.splits.push(split);
            self.splits.len() as Ref - 1
        })
    }

    /// Returns the track decided first at this place, and the branches of a given track.
    fn track(&self, at: Ref) -> Variable {
        if at >= LEAF { Variable::MAX } else { self.splits[at as usize].track }
    }

    fn branch(&self, at: Ref, track: Variable) -> [Ref; 2] {
        if self.track(at) == track { self.splits[at as usize].next } else { [at, at] }
    }
}

/// Counts a state, and what is held: a split is kept in a list and in a table, a state in about as
/// much.
fn state(meter: &mut Meter, states: usize, splits: usize) -> Result<(), LimitReached> {
    meter.spend_one()?;
    let bytes = 48 * splits + 64 * states;
    if bytes < 1 << 20 { Ok(()) } else { check_memory(meter, bytes) }
}

/// An automaton. Its tracks are the variables that its diagrams decide, in ascending order.
#[derive(Debug, Clone)]
pub struct Dfa {
    diagrams: Diagrams,
    /// Where each state's column begins.
    next: Vec<Ref>,
    accepts: Vec<bool>,
    start: usize,
}

/// How a product accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// Both.
    And,
    /// At least one.
    Or,
    /// Both or neither.
    Iff,
}

impl Join {
    fn of(self, a: bool, b: bool) -> bool {
        match self {
            Join::And => a && b,
            Join::Or => a || b,
            Join::Iff => a == b,
        }
    }
}

impl Dfa {
    /// Returns the automaton that accepts everything, or nothing.
    pub fn constant(truth: bool) -> Dfa {
        Dfa { diagrams: Diagrams::default(), next: vec![LEAF], accepts: vec![truth], start: 0 }
    }

    /// Returns the automaton of one atom.
    pub fn atom(atom: &Atom, numeration: Numeration, meter: &mut Meter) -> Result<Dfa, Undecided> {
        let mut tracks: Vec<Variable> =
            atom.form.terms.iter().flat_map(|(base, _)| base.variables().iter().copied()).collect();
        tracks.arrange();
        tracks.dedup();
        let mut reader = AtomReader::new(numeration, tracks.clone());
        let start = reader.start(atom)?;
        Ok(Dfa::read(reader, start, &tracks, meter)?)
    }

    /// Returns the tuples in which this track is a numeral: no two neighbouring 1s in Zeckendorf
    /// numeration.
    pub fn numeral(
        track: Variable,
        numeration: Numeration,
        meter: &mut Meter,
    ) -> Result<Dfa, LimitReached> {
        if numeration == Numeration::Binary {
            return Ok(Dfa::constant(true));
        }
        let mut reader = AtomReader::new(numeration, vec![track]);
        let start = reader.spaced(track);
        Dfa::read(reader, start, &[track], meter)
    }

    fn read(
        mut reader: AtomReader,
        start: Reading,
        tracks: &[Variable],
        meter: &mut Meter,
    ) -> Result<Dfa, LimitReached> {
        let mut dfa =
            Dfa { diagrams: Diagrams::default(), next: Vec::new(), accepts: Vec::new(), start: 0 };
        let mut number: FxHashMap<Reading, Ref> = FxHashMap::default();
        let mut inner: FxHashMap<Reading, Ref> = FxHashMap::default();
        let mut open = vec![start];
        number.insert(start, LEAF);
        let mut at = 0;
        while at < open.len() {
            state(meter, open.len(), dfa.diagrams.splits.len() + inner.len())?;
            let reading = open[at];
            at += 1;
            dfa.accepts.push(reader.accepts(reading));
            let mut column =
                Column { tracks, number: &mut number, open: &mut open, inner: &mut inner };
            let next = column.build(&mut reader, &mut dfa.diagrams, reading, 0, meter)?;
            dfa.next.push(next);
        }
        dfa.minimal(meter)
    }

    /// Returns how many states.
    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// Returns the start state.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Returns whether a state accepts.
    pub fn accepts(&self, state: usize) -> bool {
        self.accepts[state]
    }

    /// Returns the state after one column; tracks not given count as digit 0.
    pub fn step(&self, state: usize, digit: impl Fn(Variable) -> bool) -> usize {
        let mut at = self.next[state];
        while at < LEAF {
            let split = self.diagrams.splits[at as usize];
            at = split.next[usize::from(digit(split.track))];
        }
        (at - LEAF) as usize
    }

    /// Returns whether the numbers are accepted, each given as its digits, most significant first.
    pub fn holds(&self, digits: impl Fn(Variable, usize) -> bool, columns: usize) -> bool {
        let end =
            (0..columns).fold(self.start, |state, column| self.step(state, |v| digits(v, column)));
        self.accepts[end]
    }

    /// Returns the complement; in Zeckendorf numeration also of tuples that are no numerals.
    pub fn complement(mut self) -> Dfa {
        self.accepts.iter_mut().for_each(|accepts| *accepts = !*accepts);
        self
    }

    /// Returns the product, minimised.
    pub fn join(&self, other: &Dfa, join: Join, meter: &mut Meter) -> Result<Dfa, LimitReached> {
        let mut product = Product {
            left: &self.diagrams,
            right: &other.diagrams,
            made: Diagrams::default(),
            pairs: vec![(self.start as u32, other.start as u32)],
            number: FxHashMap::default(),
            memo: FxHashMap::default(),
            sinks: [self.sinks(), other.sinks()],
            join,
        };
        product.number.insert(product.pairs[0], 0);
        let (mut next, mut accepts) = (Vec::new(), Vec::new());
        while next.len() < product.pairs.len() {
            state(meter, product.pairs.len(), product.made.splits.len() + product.memo.len())?;
            let (a, b) = product.pairs[next.len()];
            accepts.push(join.of(self.accepts[a as usize], other.accepts[b as usize]));
            next.push(product.apply(self.next[a as usize], other.next[b as usize], meter)?);
        }
        Dfa { diagrams: product.made, next, accepts, start: 0 }.minimal(meter)
    }

    /// Returns for each state whether it accepts or rejects whatever follows; `None` if that
    /// depends.
    fn sinks(&self) -> Vec<Option<bool>> {
        (0..self.next.len())
            .map(|state| (self.next[state] == LEAF + state as Ref).then(|| self.accepts[state]))
            .collect()
    }

    /// Returns the tuples that are accepted with some number on this track: subsets of states,
    /// minimised. The number may be longer than the others, so the start is every state that
    /// leading zeros of the others lead to.
    pub fn project(&self, track: Variable, meter: &mut Meter) -> Result<Dfa, LimitReached> {
        let sinks = self.sinks();
        let mut first = vec![self.start as u32];
        let mut seen = vec![false; self.next.len()];
        seen[self.start] = true;
        let mut at = 0;
        while at < first.len() {
            for digit in [false, true] {
                let next = self.step(first[at] as usize, |v| v == track && digit);
                if !std::mem::replace(&mut seen[next], true) {
                    first.push(next as u32);
                }
            }
            at += 1;
        }
        let mut subsets = Subsets {
            from: &self.diagrams,
            sinks: &sinks,
            track,
            made: Diagrams::default(),
            sets: Slices::default(),
            places: Slices::default(),
            memo: Vec::new(),
        };
        subsets.state(first);
        let (mut next, mut accepts) = (Vec::new(), Vec::new());
        while next.len() < subsets.sets.len() {
            state(
                meter,
                subsets.sets.len() + subsets.sets.bytes() / 64,
                subsets.made.splits.len() + subsets.places.bytes() / 48,
            )?;
            let set: Vec<u32> = subsets.sets.get(next.len() as u32).to_vec();
            accepts.push(set.iter().any(|&s| self.accepts[s as usize]));
            let places = set.iter().map(|&s| self.next[s as usize]).collect();
            next.push(subsets.column(places, meter)?);
        }
        Dfa { diagrams: subsets.made, next, accepts, start: 0 }.minimal(meter)
    }

    /// Returns the least automaton of the same language: reachable states, split by what a column
    /// leads to until no state differs from another of its class (Moore).
    fn minimal(self, meter: &mut Meter) -> Result<Dfa, LimitReached> {
        let count = self.next.len();
        let mut class: Vec<u32> = self.accepts.iter().map(|&accepts| u32::from(accepts)).collect();
        let mut classes = 1 + usize::from(class.contains(&0) && class.contains(&1));
        loop {
            state(meter, count, 2 * self.diagrams.splits.len())?;
            // Children stand before their parents, so one pass maps every diagram.
            let mut made = Diagrams::default();
            let mut image: Vec<Ref> = Vec::with_capacity(self.diagrams.splits.len());
            let of = |image: &[Ref], at: Ref| {
                if at >= LEAF { LEAF + class[(at - LEAF) as usize] } else { image[at as usize] }
            };
            for (at, split) in self.diagrams.splits.iter().enumerate() {
                poll_in_loop(at, meter)?;
                let next = split.next.map(|at| of(&image, at));
                image.push(made.make(split.track, next));
            }
            let columns: Vec<Ref> = self.next.iter().map(|&at| of(&image, at)).collect();
            let mut number: FxHashMap<(u32, Ref), u32> = FxHashMap::default();
            let mut finer = Vec::with_capacity(count);
            for state in 0..count {
                poll_in_loop(state, meter)?;
                let fresh = number.len() as u32;
                finer.push(*number.entry((class[state], columns[state])).or_insert(fresh));
            }
            let found = number.len();
            if found == classes {
                return self.quotient(&class, &columns, made, meter);
            }
            (class, classes) = (finer, found);
        }
    }

    /// Makes the classes states, from the start on in the order in which they are reached.
    fn quotient(
        &self,
        class: &[u32],
        columns: &[Ref],
        diagrams: Diagrams,
        meter: &mut Meter,
    ) -> Result<Dfa, LimitReached> {
        let mut of_class: FxHashMap<u32, usize> = FxHashMap::default();
        for (state, &class) in class.iter().enumerate() {
            of_class.entry(class).or_insert(state);
        }
        let mut made = Diagrams::default();
        let mut number: FxHashMap<u32, Ref> = FxHashMap::default();
        let mut order = vec![class[self.start]];
        number.insert(class[self.start], LEAF);
        let (mut next, mut accepts) = (Vec::new(), Vec::new());
        let mut memo: FxHashMap<Ref, Ref> = FxHashMap::default();
        while next.len() < order.len() {
            poll_in_loop(next.len(), meter)?;
            let state = of_class[&order[next.len()]];
            accepts.push(self.accepts[state]);
            let column =
                copy(columns[state], &diagrams, &mut made, &mut number, &mut order, &mut memo);
            next.push(column);
        }
        Ok(Dfa { diagrams: made, next, accepts, start: 0 })
    }

    /// Returns an accepted tuple with the fewest digits, and of these the first in the order of
    /// columns: the digits of each of `tracks`, most significant first. None if nothing is
    /// accepted. O(states + splits).
    pub fn shortest(&self, tracks: &[Variable]) -> Option<Vec<Vec<bool>>> {
        let mut came: Vec<Option<(usize, Vec<bool>)>> = vec![None; self.next.len()];
        // What stands below a place that was met leads to states that were met.
        let (mut seen, mut met) =
            (vec![false; self.next.len()], vec![false; self.diagrams.splits.len()]);
        let mut queue = VecDeque::from([self.start]);
        seen[self.start] = true;
        while let Some(state) = queue.pop_front() {
            if self.accepts[state] {
                let mut columns = Vec::new();
                let mut at = state;
                while let Some((before, column)) = &came[at] {
                    columns.push(column);
                    at = *before;
                }
                columns.reverse();
                return Some(
                    (0..tracks.len()).map(|t| columns.iter().map(|c| c[t]).collect()).collect(),
                );
            }
            let mut open = vec![(self.next[state], vec![false; tracks.len()])];
            while let Some((at, column)) = open.pop() {
                if at >= LEAF {
                    let to = (at - LEAF) as usize;
                    if !std::mem::replace(&mut seen[to], true) {
                        came[to] = Some((state, column));
                        queue.push_back(to);
                    }
                } else if !std::mem::replace(&mut met[at as usize], true) {
                    let split = self.diagrams.splits[at as usize];
                    let mut one = column.clone();
                    one[place(tracks, split.track)] = true;
                    open.extend([(split.next[1], one), (split.next[0], column)]);
                }
            }
        }
        None
    }

    /// Visits the ways through a state's column over these tracks (which must include all that it
    /// decides), each as the digits that matter, and where it leads.
    pub fn paths(
        &self,
        state: usize,
        tracks: &[Variable],
        visit: &mut impl FnMut(&[Option<bool>], usize),
    ) {
        let mut column = vec![None; tracks.len()];
        self.walk(self.next[state], tracks, &mut column, visit);
    }

    fn walk(
        &self,
        at: Ref,
        tracks: &[Variable],
        column: &mut [Option<bool>],
        visit: &mut impl FnMut(&[Option<bool>], usize),
    ) {
        if at >= LEAF {
            return visit(column, (at - LEAF) as usize);
        }
        let split = self.diagrams.splits[at as usize];
        let place = place(tracks, split.track);
        for digit in [false, true] {
            column[place] = Some(digit);
            self.walk(split.next[usize::from(digit)], tracks, column, visit);
        }
        column[place] = None;
    }

    /// Returns for every state whether anything is accepted from it.
    pub fn coaccessible_states(&self) -> Vec<bool> {
        let mut alive = self.accepts.clone();
        loop {
            let mut live_split: Vec<bool> = Vec::with_capacity(self.diagrams.splits.len());
            let of = |splits: &[bool], alive: &[bool], at: Ref| {
                if at >= LEAF { alive[(at - LEAF) as usize] } else { splits[at as usize] }
            };
            for split in &self.diagrams.splits {
                let live = split.next.iter().any(|&at| of(&live_split, &alive, at));
                live_split.push(live);
            }
            let mut changed = false;
            for state in 0..alive.len() {
                if !alive[state] && of(&live_split, &alive, self.next[state]) {
                    alive[state] = true;
                    changed = true;
                }
            }
            if !changed {
                return alive;
            }
        }
    }
}

/// Returns the place of a track in a list of them all.
fn place(tracks: &[Variable], track: Variable) -> usize {
    tracks.iter().position(|&v| v == track).expect("every track is listed")
}

/// Builds the columns of an atom's states.
struct Column<'c> {
    tracks: &'c [Variable],
    number: &'c mut FxHashMap<Reading, Ref>,
    open: &'c mut Vec<Reading>,
    inner: &'c mut FxHashMap<Reading, Ref>,
}

impl Column<'_> {
    fn build(
        &mut self,
        reader: &mut AtomReader,
        diagrams: &mut Diagrams,
        reading: Reading,
        level: usize,
        meter: &mut Meter,
    ) -> Result<Ref, LimitReached> {
        if level == self.tracks.len() || reading == TRUE || reading == FALSE {
            let fresh = LEAF + self.open.len() as Ref;
            let open = &mut self.open;
            return Ok(*self.number.entry(reading).or_insert_with(|| {
                open.push(reading);
                fresh
            }));
        }
        if level > 0
            && let Some(&known) = self.inner.get(&reading)
        {
            return Ok(known);
        }
        meter.spend_one()?;
        let mut next = [0; 2];
        for (digit, next) in next.iter_mut().enumerate() {
            let after = reader.step(reading, digit);
            *next = self.build(reader, diagrams, after, level + 1, meter)?;
        }
        let made = diagrams.make(self.tracks[level], next);
        if level > 0 {
            self.inner.insert(reading, made);
        }
        Ok(made)
    }
}

struct Product<'p> {
    left: &'p Diagrams,
    right: &'p Diagrams,
    made: Diagrams,
    pairs: Vec<(u32, u32)>,
    number: FxHashMap<(u32, u32), u32>,
    memo: FxHashMap<(Ref, Ref), Ref>,
    sinks: [Vec<Option<bool>>; 2],
    join: Join,
}

impl Product<'_> {
    fn apply(&mut self, a: Ref, b: Ref, meter: &mut Meter) -> Result<Ref, LimitReached> {
        let track = self.left.track(a).min(self.right.track(b));
        if track == Variable::MAX {
            let pair = self.settled(a - LEAF, b - LEAF);
            let fresh = self.pairs.len() as u32;
            let pairs = &mut self.pairs;
            let number = *self.number.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                fresh
            });
            return Ok(LEAF + number);
        }
        if let Some(&known) = self.memo.get(&(a, b)) {
            return Ok(known);
        }
        meter.spend_one()?;
        let (left, right) = (self.left.branch(a, track), self.right.branch(b, track));
        let next = [self.apply(left[0], right[0], meter)?, self.apply(left[1], right[1], meter)?];
        let made = self.made.make(track, next);
        self.memo.insert((a, b), made);
        Ok(made)
    }

    /// Returns one pair for all in which one side settles the matter.
    fn settled(&self, a: u32, b: u32) -> (u32, u32) {
        let settles = |sink: Option<bool>| match self.join {
            Join::And => sink == Some(false),
            Join::Or => sink == Some(true),
            Join::Iff => false,
        };
        // The other side's sink, if it has one of the same truth, makes the pair a sink as well.
        for (side, state) in [(0, a), (1, b)] {
            if settles(self.sinks[side][state as usize]) {
                let truth = self.sinks[side][state as usize];
                if let Some(other) = self.sinks[1 - side].iter().position(|sink| *sink == truth) {
                    let other = other as u32;
                    return if side == 0 { (a, other) } else { (other, b) };
                }
            }
        }
        (a, b)
    }
}

struct Subsets<'s> {
    from: &'s Diagrams,
    sinks: &'s [Option<bool>],
    track: Variable,
    made: Diagrams,
    /// Sets of states.
    sets: Slices,
    /// Sets of places, and what was made of them.
    places: Slices,
    memo: Vec<Ref>,
}

impl Subsets<'_> {
    /// Returns the number of a set of states: without those that reject for ever, and alone if one
    /// accepts for ever.
    fn state(&mut self, mut set: Vec<u32>) -> Ref {
        if let Some(&sure) = set.iter().find(|&&s| self.sinks[s as usize] == Some(true)) {
            set = vec![sure];
        }
        set.retain(|&s| self.sinks[s as usize] != Some(false));
        set.sort_unstable();
        set.dedup();
        LEAF + self.sets.insert(&set).0
    }

    fn column(&mut self, mut places: Vec<Ref>, meter: &mut Meter) -> Result<Ref, LimitReached> {
        places.sort_unstable();
        places.dedup();
        let track = places.iter().map(|&at| self.from.track(at)).min().unwrap_or(Variable::MAX);
        if track == Variable::MAX {
            return Ok(self.state(places.iter().map(|at| at - LEAF).collect()));
        }
        let (id, fresh) = self.places.insert(&places);
        if !fresh {
            return Ok(self.memo[id as usize]);
        }
        meter.spend(places.len() as u64)?;
        self.memo.push(LEAF);
        let side = |digit: usize| {
            places.iter().map(|&at| self.from.branch(at, track)[digit]).collect::<Vec<_>>()
        };
        let (zero, one) = (side(0), side(1));
        let made = if track == self.track {
            self.column([zero, one].concat(), meter)?
        } else {
            let next = [self.column(zero, meter)?, self.column(one, meter)?];
            self.made.make(track, next)
        };
        self.memo[id as usize] = made;
        Ok(made)
    }
}

/// Copies a diagram whose leaves are classes; classes are numbered as they are met.
fn copy(
    at: Ref,
    from: &Diagrams,
    made: &mut Diagrams,
    number: &mut FxHashMap<u32, Ref>,
    order: &mut Vec<u32>,
    memo: &mut FxHashMap<Ref, Ref>,
) -> Ref {
    if at >= LEAF {
        let fresh = LEAF + order.len() as Ref;
        return *number.entry(at - LEAF).or_insert_with(|| {
            order.push(at - LEAF);
            fresh
        });
    }
    if let Some(&known) = memo.get(&at) {
        return known;
    }
    let split = from.splits[at as usize];
    let next = split.next.map(|at| copy(at, from, made, number, order, memo));
    let copied = made.make(split.track, next);
    memo.insert(at, copied);
    copied
}
