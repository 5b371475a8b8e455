//! A conjunction as an automaton: the readings of its atoms that are still open, side by side.
//!
//! A state is a list of readings; an atom that is certain leaves the list, one that fails ends the
//! state. Chosen variables are guessed: after the last free variable's digit theirs follow, both
//! digits being possible.

use crate::digits::{AtomReader, FALSE, TRUE, Unreadable};
use crate::linear_form::{LinearForm, Variable};
use crate::normal::Conjunction;
use crate::numeration::Numeration;
use crate::slices::Slices;
use bouton_core::{Arrange, LimitReached, Meter};
use rustc_hash::FxHashMap;

/// The number of a state.
pub type State = u32;
/// The state in which every atom is certain.
pub const CERTAIN: State = 0;
/// The range of followers that are not known.
const OPEN: (u32, u32) = (u32::MAX, u32::MAX);
/// Guessed variables are numbered from here, above all others.
pub const GUESS: Variable = 1 << 24;

/// The automaton of one conjunction over the digits of free variables, taken in turn.
#[derive(Debug)]
pub struct ConjunctionNfa {
    reader: AtomReader,
    /// Bits of the free variables in a round.
    free: usize,
    /// The state before any digit; none if the conjunction is false.
    start: Option<State>,
    states: Slices,
    /// Where guesses are made: for each state and digit the range of the states after it, as far as
    /// they are known.
    guessed: Vec<[(u32, u32); 2]>,
    /// Those states.
    followers: Vec<State>,
    /// Room for the readings of one state.
    room: Vec<u32>,
}

impl ConjunctionNfa {
    /// Returns the automaton of a conjunction; `numerals` are variables whose digits must be those
    /// of numbers.
    pub fn new(
        numeration: Numeration,
        free: &[Variable],
        conjunction: &Conjunction,
        numerals: &[Variable],
    ) -> Result<ConjunctionNfa, Unreadable> {
        let conjunction = renamed(conjunction);
        let levels = free.iter().chain(&conjunction.chosen).copied().collect();
        let mut states = Slices::default();
        states.insert(&[]);
        let mut nfa = ConjunctionNfa {
            reader: AtomReader::new(numeration, levels),
            free: free.len() * numeration.bits(),
            start: None,
            states,
            guessed: Vec::new(),
            followers: Vec::new(),
            room: Vec::new(),
        };
        let mut readings = Vec::new();
        for atom in &conjunction.atoms {
            readings.push(nfa.reader.start(atom)?);
        }
        readings.extend(conjunction.chosen.iter().chain(numerals).map(|&v| nfa.reader.spaced(v)));
        nfa.start = nfa.intern(&mut readings);
        Ok(nfa)
    }

    /// Returns whether nothing is guessed: then each step leads to at most one state.
    #[inline]
    pub fn is_deterministic(&self) -> bool {
        self.reader.levels() == self.free
    }

    fn intern(&mut self, readings: &mut Vec<u32>) -> Option<State> {
        if readings.contains(&FALSE) {
            return None;
        }
        readings.retain(|&r| r != TRUE);
        readings.arrange();
        readings.dedup();
        Some(self.states.insert(readings).0)
    }

    fn advance(
        &mut self,
        from: State,
        digit: usize,
        meter: &mut Meter,
    ) -> Result<Option<State>, LimitReached> {
        meter.spend_one()?;
        let mut readings = std::mem::take(&mut self.room);
        readings.clear();
        readings.extend_from_slice(self.states.get(from));
        let holds = readings.iter_mut().all(|reading| {
            *reading = self.reader.step(*reading, digit);
            *reading != FALSE
        });
        let next = if holds { self.intern(&mut readings) } else { None };
        self.room = readings;
        Ok(next)
    }

    /// Returns the states after the bit of the free variables on this level, added to a list.
    pub fn step(
        &mut self,
        from: State,
        level: usize,
        digit: usize,
        reached: &mut Vec<State>,
        meter: &mut Meter,
    ) -> Result<(), LimitReached> {
        if self.is_deterministic() {
            reached.extend(self.advance(from, digit, meter)?);
            return Ok(());
        }
        let known = self.guessed.get(from as usize).map_or(OPEN, |known| known[digit]);
        if known != OPEN {
            reached.extend_from_slice(&self.followers[known.0 as usize..known.1 as usize]);
            return Ok(());
        }
        let mut here = Vec::from_iter(self.advance(from, digit, meter)?);
        if level + 1 == self.free {
            here = self.guess(here, meter)?;
        }
        reached.extend_from_slice(&here);
        if self.guessed.len() <= from as usize {
            self.guessed.resize(from as usize + 1, [OPEN; 2]);
        }
        let first = self.followers.len() as u32;
        self.followers.extend(here);
        self.guessed[from as usize][digit] = (first, self.followers.len() as u32);
        Ok(())
    }

    /// Returns the states after the guessed digits.
    fn guess(
        &mut self,
        mut here: Vec<State>,
        meter: &mut Meter,
    ) -> Result<Vec<State>, LimitReached> {
        for guess in self.free..self.reader.levels() {
            let mut next = Vec::with_capacity(2 * here.len());
            for state in here {
                next.extend(self.advance(state, 0, meter)?);
                if self.states.get(state).iter().any(|&r| self.reader.depends(r, guess)) {
                    next.extend(self.advance(state, 1, meter)?);
                }
            }
            here = next;
        }
        self.without_contained(here, meter)
    }

    /// Finds digits of the guessed variables with which the conjunction holds for these digits of
    /// the free ones: a list of rounds, each with the bits of all of them. `None` if there are none
    /// as long.
    pub fn witness(
        &mut self,
        rounds: &[Vec<bool>],
        meter: &mut Meter,
    ) -> Result<Option<Vec<Vec<bool>>>, LimitReached> {
        let Some(start) = self.start else { return Ok(None) };
        // Round by round the states reached, each with the one before it and the digits guessed
        // since.
        let mut layers: Vec<Vec<(State, usize, u64)>> = vec![vec![(start, 0, 0)]];
        for round in rounds {
            let before = layers.last().map_or(&[][..], |layer| layer);
            let mut here: FxHashMap<State, (usize, u64)> = FxHashMap::default();
            for (place, &(state, ..)) in before.iter().enumerate() {
                let mut after = Some(state);
                for &digit in round {
                    let Some(state) = after else { break };
                    after = self.advance(state, digit.into(), meter)?;
                }
                let mut branches: Vec<(State, u64)> = after.into_iter().map(|s| (s, 0)).collect();
                for guess in self.free..self.reader.levels() {
                    let mut next = Vec::with_capacity(2 * branches.len());
                    for (state, digits) in branches {
                        for digit in 0..2 {
                            let guessed = digits | (digit as u64) << (guess - self.free);
                            next.extend(self.advance(state, digit, meter)?.map(|s| (s, guessed)));
                        }
                    }
                    branches = next;
                }
                for (state, digits) in branches {
                    here.entry(state).or_insert((place, digits));
                }
            }
            let mut layer: Vec<(State, usize, u64)> =
                here.into_iter().map(|(state, (place, digits))| (state, place, digits)).collect();
            layer.sort_unstable();
            layers.push(layer);
        }
        let end = layers.last().and_then(|layer| layer.iter().position(|end| self.accepts(end.0)));
        let Some(mut at) = end else { return Ok(None) };
        let bits = self.reader.bits();
        let mut guessed = vec![Vec::new(); (self.reader.levels() - self.free) / bits];
        for layer in layers[1..].iter().rev() {
            let (_, place, digits) = layer[at];
            // From the last bit to the first: turned round below.
            for (i, all) in guessed.iter_mut().enumerate() {
                all.extend((0..bits).rev().map(|bit| digits >> (i * bits + bit) & 1 == 1));
            }
            at = place;
        }
        guessed.iter_mut().for_each(|digits| digits.reverse());
        Ok(Some(guessed))
    }

    /// Returns whether the conjunction holds where the free variables have these digits, whatever
    /// is guessed.
    pub fn accepted(
        &mut self,
        rounds: &[Vec<bool>],
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        let mut here = self.starts(meter)?;
        for round in rounds {
            for (level, &digit) in round.iter().enumerate() {
                let mut next = Vec::new();
                for state in here {
                    self.step(state, level, digit.into(), &mut next, meter)?;
                }
                here = self.without_contained(next, meter)?;
            }
        }
        Ok(here.iter().any(|&state| self.accepts(state)))
    }

    /// Returns the states before any digit: those reachable while all free variables have leading
    /// zeros and the guesses have not.
    pub fn starts(&mut self, meter: &mut Meter) -> Result<Vec<State>, LimitReached> {
        let mut reached: Vec<State> = self.start.into_iter().collect();
        let mut at = 0;
        while at < reached.len() {
            let mut here = vec![reached[at]];
            for level in 0..self.free {
                let mut next = Vec::new();
                for state in here {
                    self.step(state, level, 0, &mut next, meter)?;
                }
                next.sort_unstable();
                next.dedup();
                here = next;
            }
            here.retain(|state| !reached.contains(state));
            reached.extend(here);
            at += 1;
        }
        self.without_contained(reached, meter)
    }

    /// Returns the set, sorted, without states that another one contains.
    pub fn without_contained(
        &self,
        mut set: Vec<State>,
        meter: &mut Meter,
    ) -> Result<Vec<State>, LimitReached> {
        set.sort_unstable();
        set.dedup();
        if set.first() == Some(&CERTAIN) {
            return Ok(vec![CERTAIN]);
        }
        if set.len() < 2 {
            return Ok(set);
        }
        let idle = |i: usize| {
            let within = |j: usize| {
                j != i && self.implies(set[i], set[j]) && (j < i || !self.implies(set[j], set[i]))
            };
            (0..set.len()).any(within)
        };
        let mut kept = Vec::with_capacity(set.len());
        for (i, &state) in set.iter().enumerate() {
            if i % 64 == 63 {
                meter.poll(0)?;
            }
            if !idle(i) {
                kept.push(state);
            }
        }
        Ok(kept)
    }

    /// Returns whether the conjunction holds if the numbers end here.
    #[inline]
    pub fn accepts(&self, state: State) -> bool {
        self.states.get(state).iter().all(|&r| self.reader.accepts(r))
    }

    /// Returns whether every word accepted from `strong` is accepted from `weak`, as the atoms'
    /// states show.
    fn implies(&self, strong: State, weak: State) -> bool {
        let (strong, weak) = (self.states.get(strong), self.states.get(weak));
        weak.len() <= strong.len()
            && weak.iter().all(|&w| strong.iter().any(|&s| self.reader.implies(s, w)))
    }

    /// Returns the bytes kept, roughly.
    pub fn bytes(&self) -> usize {
        self.states.bytes()
            + self.reader.bytes()
            + 16 * self.guessed.capacity()
            + 4 * self.followers.capacity()
    }
}

/// Returns the conjunction with its chosen variables numbered from [`GUESS`].
pub fn renamed(part: &Conjunction) -> Conjunction {
    let numbers = || (0..part.chosen.len() as u32).map(|i| GUESS + i);
    let mut result = Conjunction { atoms: Vec::new(), chosen: numbers().collect() };
    for atom in &part.atoms {
        let mut atom = atom.clone();
        for (&v, guess) in part.chosen.iter().zip(numbers()) {
            let by = LinearForm::variable(guess);
            atom.form =
                atom.form.substitute(v, &by).expect("a variable may take any variable's place");
        }
        result.add(atom);
    }
    result
}
