//! Does a union of conjunctions hold of everything? Does one hold of anything?
//!
//! Each part becomes a small automaton that reads one digit of one variable at a time
//! ([`bouton_automata::bit_dfa`]), then all are minimised together. The union is explored as sets
//! of their states, without ever building a product: dead states are dropped, a set that holds a
//! state that accepts everything is finished, and so is one that contains a set already explored
//! (antichains: De Wulf, Doyen, Henzinger & Raskin, CAV 2006), small sets first.

use bouton_automata::bit_dfa::{BitDfa, DEAD, FULL};
use bouton_automata::conjunction_nfa::ConjunctionNfa;
use bouton_automata::digits::Unreadable;
use bouton_automata::effort::{HELD, Undecided, check_memory};
use bouton_automata::linear_form::Variable;
use bouton_automata::normal::Conjunction;
use bouton_automata::numeration::Numeration;
use bouton_automata::slices::Slices;
use bouton_core::{Arrange, LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How an exploration ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Covered {
    /// Everything is covered.
    All(Cover),
    /// This point is not.
    Except(Vec<u64>),
}

/// Why a union of parts holds of everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cover {
    /// The states after digit 0 and digit 1: state 0 accepts nothing, state 1 everything.
    pub next: Vec<[u32; 2]>,
    /// Whether numbers may end in a state, after a round of digits.
    pub accepting: Vec<bool>,
    /// How many digits of a round have been read in each state.
    pub level: Vec<u8>,
    /// The first state of each part.
    pub starts: Vec<u32>,
    /// Sets of states between two rounds, sorted. Each has an accepting member, and whatever round
    /// follows, the states after it contain one of the sets or state 1; so do the first states.
    pub sets: Vec<Vec<u32>>,
}

/// One part of a union.
#[derive(Debug, Clone, Copy)]
pub enum CoverPart<'c> {
    /// Where the conjunction holds.
    Holds(&'c Conjunction),
    /// Where the digits of this one of the variables are no numeral.
    Neighbours(usize),
}

/// Returns whether every point satisfies one of the parts.
pub fn covers(
    numeration: Numeration,
    free: &[Variable],
    parts: &[CoverPart<'_>],
    meter: &mut Meter,
) -> Result<Covered, Undecided> {
    if free.is_empty() {
        // One point, and every conjunction in normal form without variables is true of it.
        return Ok(if parts.is_empty() {
            Covered::Except(Vec::new())
        } else {
            Covered::All(Cover::default())
        });
    }
    let levels = levels_of(numeration, free)?;
    let mut all = BitDfa::accepting_nothing();
    let mut starts = Vec::new();
    for part in parts {
        let automaton = match part {
            CoverPart::Holds(condition) => {
                BitDfa::from_condition(numeration, free, condition, levels, meter)?
            }
            CoverPart::Neighbours(own) => BitDfa::no_numeral(*own, &numeration.round(), levels),
        };
        starts.push(all.join(automaton));
        check_memory(meter, 16 * all.next.len())?;
    }
    let (all, class) = all.minimal(levels, meter)?;
    starts.iter_mut().for_each(|start| *start = class[*start as usize]);
    drop(class);
    let explorer = Explorer {
        automaton: &all,
        numeration,
        free: levels,
        meter,
        sets: Slices::default(),
        came: Vec::new(),
    };
    Ok(match explorer.run(FULL, starts.clone())? {
        Explored::All(sets) => Covered::All(Cover {
            next: all.next,
            accepting: all.accepting,
            level: all.level,
            starts,
            sets,
        }),
        Explored::Except(word) => Covered::Except(word),
    })
}

/// Returns the bits of a round of these variables. Fails if a letter cannot hold them.
fn levels_of(numeration: Numeration, free: &[Variable]) -> Result<usize, Undecided> {
    let levels = free.len() * numeration.bits();
    if levels > u32::BITS as usize { Err(Unreadable::Period.into()) } else { Ok(levels) }
}

/// Finds values of the chosen variables, in their order, that satisfy a conjunction over them
/// alone; `None` if there are none.
pub fn satisfied(
    numeration: Numeration,
    conjunction: &Conjunction,
    meter: &mut Meter,
) -> Result<Option<Vec<u64>>, Undecided> {
    let free = &conjunction.chosen;
    if free.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let levels = levels_of(numeration, free)?;
    let condition = Conjunction { atoms: conjunction.atoms.clone(), chosen: Vec::new() };
    let mut nfa = ConjunctionNfa::new(numeration, free, &condition, free)?;
    let automaton = BitDfa::from_nfa(&mut nfa, levels, meter)?;
    let explorer = Explorer {
        automaton: &automaton,
        numeration,
        free: levels,
        meter,
        sets: Slices::default(),
        came: Vec::new(),
    };
    match explorer.run(automaton.start, Vec::new())? {
        Explored::All(_) => Ok(None),
        Explored::Except(values) => Ok(Some(values)),
    }
}

/// Bytes of sets in the middle of a round of digits that are remembered from one set to the next.
const HALFWAY: usize = 1 << 22;

/// What an explorer found.
enum Explored {
    /// The sets explored, without the domain's states.
    All(Vec<Vec<u32>>),
    Except(Vec<u64>),
}

/// Sets of states of the parts, under a state of the domain: a list of numbers, the domain's first.
struct Explorer<'a> {
    automaton: &'a BitDfa,
    numeration: Numeration,
    free: usize,
    meter: &'a mut Meter,
    /// Sets between two rounds of digits.
    sets: Slices,
    /// The set before each, and the round of digits that led here.
    came: Vec<(u32, u32)>,
}

impl Explorer<'_> {
    fn run(mut self, domain: u32, parts: Vec<u32>) -> Result<Explored, Undecided> {
        let mut queue = BinaryHeap::new();
        let mut explored: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        let mut halfway: Vec<Slices> = (0..self.free).map(|_| Slices::default()).collect();
        let mut first = vec![domain];
        first.extend(parts.into_iter().filter(|state| *state != DEAD));
        if domain != DEAD && !first[1..].contains(&FULL) {
            tidy(&mut first);
            self.meet(&first, u32::MAX, 0, &mut queue);
        }
        let mut kept: Vec<u32> = Vec::new();
        while let Some(Reverse((_, id))) = queue.pop() {
            self.meter.spend_one()?;
            let set = self.sets.get(id).to_vec();
            let accepts = |s: &u32| self.automaton.accepting[*s as usize];
            if accepts(&set[0]) && !set[1..].iter().any(accepts) {
                return self.word(id).map(Explored::Except);
            }
            // Explored sets are found by their last member: it tends to be the rarest.
            let candidates =
                set[1..].iter().chain([&DEAD]).filter_map(|&p| explored.get(&(set[0], p)));
            let mut compared = 0;
            let known = candidates.flatten().any(|&small| {
                compared += 1;
                contained(&self.sets.get(small)[1..], &set[1..])
            });
            if compared > HELD {
                self.meter.poll(0)?;
            }
            if known {
                continue;
            }
            let key = (set[0], set[1..].last().copied().unwrap_or(DEAD));
            explored.entry(key).or_default().push(id);
            kept.push(id);
            self.expand(id, set, &mut halfway, &mut queue)?;
        }
        drop(halfway);
        Ok(Explored::All(kept.iter().map(|id| self.sets.get(*id)[1..].to_vec()).collect()))
    }

    fn meet(
        &mut self,
        set: &[u32],
        from: u32,
        letter: u32,
        queue: &mut BinaryHeap<Reverse<(usize, u32)>>,
    ) {
        if let (id, true) = self.sets.insert(set) {
            queue.push(Reverse((set.len(), id)));
            self.came.push((from, letter));
        }
    }

    /// Follows all rounds of digits from a set.
    fn expand(
        &mut self,
        id: u32,
        set: Vec<u32>,
        halfway: &mut [Slices],
        queue: &mut BinaryHeap<Reverse<(usize, u32)>>,
    ) -> Result<(), LimitReached> {
        // Forgotten, they are met again, and lead to sets that are known: it takes time, and
        // changes nothing.
        if halfway.iter().map(Slices::bytes).sum::<usize>() > HALFWAY {
            halfway.iter_mut().for_each(|level| *level = Slices::default());
        }
        // The level, the digits so far, and the set's number among those of the level before.
        let mut work = vec![(0usize, 0u32, u32::MAX)];
        let mut own = set;
        let mut after = [Vec::new(), Vec::new()];
        let mut done = 0;
        while let Some((level, letter, place)) = work.pop() {
            if level > 0 {
                own.clear();
                own.extend_from_slice(halfway[level - 1].get(place));
            }
            self.meter.spend(own.len() as u64)?;
            if done % HELD == 0 {
                check_memory(
                    self.meter,
                    self.sets.bytes() + halfway.iter().map(Slices::bytes).sum::<usize>(),
                )?;
            }
            done += 1;
            let [zero, one] = &mut after;
            zero.clear();
            one.clear();
            // The domain's state stays in front, whatever it is; of the others those that are not
            // dead.
            let domain = self.automaton.next[own[0] as usize];
            zero.push(domain[0]);
            one.push(domain[1]);
            let mut open = domain.map(|state| state != DEAD);
            for &state in &own[1..] {
                let [a, b] = self.automaton.next[state as usize];
                if a != DEAD {
                    zero.push(a);
                }
                if b != DEAD {
                    one.push(b);
                }
                open = [open[0] && a != FULL, open[1] && b != FULL];
            }
            for (digit, next) in after.iter_mut().enumerate().filter(|(digit, _)| open[*digit]) {
                tidy(next);
                let letter = letter | (digit as u32) << level;
                if level + 1 == self.free {
                    self.meet(next, id, letter, queue);
                } else if let (place, true) = halfway[level].insert(next) {
                    work.push((level + 1, letter, place));
                }
            }
        }
        Ok(())
    }

    /// Returns the numbers that lead to a set.
    fn word(&self, mut id: u32) -> Result<Vec<u64>, Undecided> {
        let mut letters = Vec::new();
        while self.came[id as usize].0 != u32::MAX {
            let (from, letter) = self.came[id as usize];
            letters.push(letter);
            id = from;
        }
        letters.reverse();
        let bits = self.numeration.bits();
        let digits = |heap: usize| {
            let own = heap * bits..(heap + 1) * bits;
            letters
                .iter()
                .flat_map(move |letter| own.clone().map(move |level| letter >> level & 1 == 1))
        };
        (0..self.free / bits)
            .map(|heap| self.numeration.value(digits(heap)).ok_or(Undecided::Wide))
            .collect()
    }
}

/// Sorts the parts' states, each once, the domain's being in front.
fn tidy(set: &mut Vec<u32>) {
    set[1..].arrange();
    let mut kept = set.len().min(2);
    for at in 2..set.len() {
        set[kept] = set[at];
        kept += usize::from(set[kept] != set[kept - 1]);
    }
    set.truncate(kept);
}

/// Returns whether a sorted list is contained in another.
fn contained(small: &[u32], big: &[u32]) -> bool {
    let mut rest = big.iter();
    small.len() <= big.len() && small.iter().all(|s| rest.by_ref().any(|b| b == s))
}
