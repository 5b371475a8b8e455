//! From the words that a strategy reaches on a few circles to an automaton for all of them.
//!
//! The labelled words of all circles are kept as [`sets`](super::sets) with shared nodes. What may
//! follow a prefix on a circle is a node, so a prefix has a *signature*: the node for each number
//! of letters still to come, known for as many lengths as there are circles. Prefixes whose
//! signatures agree wherever both are known become one state, which then knows both; if it knows
//! more than before, what follows from it is looked at again. Where the words are a regular set and
//! the circles are large enough, the states close up. Whether they do so rightly is for
//! [`verify`](super::verify) to say.
//!
//! Source of the idea: state merging from samples, J. Oncina, P. García, *Inferring regular
//! languages in polynomial updated time* (1992).

use super::automaton::{Automaton, Label};
use super::sets::{EMPTY, Node, Sets};
use bouton_core::{Arrange, LimitReached, Meter};
use rustc_hash::FxHashMap;

const UNKNOWN: Node = u32::MAX;

/// The words of some circles.
pub(super) struct Words {
    pub sets: Sets,
    /// The sets of whole circles: letters, and the node.
    roots: Vec<(usize, Node)>,
}

impl Words {
    pub(super) fn new() -> Words {
        Words { sets: Sets::new(), roots: Vec::new() }
    }

    /// Adds the words of one circle, a set of `sets`.
    pub(super) fn add(&mut self, letters: usize, root: Node) {
        self.roots.push((letters, root));
        self.roots.arrange();
    }

    /// Folds into an automaton of at most `most` states; they are distinguished by lengths that are
    /// the same modulo `period`. `overlap`: known lengths that must agree before two prefixes are
    /// one.
    pub(super) fn fold(
        &self,
        period: usize,
        overlap: usize,
        most: usize,
        meter: &mut Meter,
    ) -> Result<Option<Automaton>, LimitReached> {
        let Some((least, _)) = self.roots.first().copied() else { return Ok(None) };
        let mut fold = Fold {
            words: self,
            period,
            overlap,
            states: Vec::new(),
            places: FxHashMap::default(),
            queue: Vec::new(),
        };
        let mut signature = Signature { residue: least % period, known: Vec::new() };
        for (letters, root) in &self.roots {
            signature.set(letters / period, *root);
        }
        let start = fold.place(signature);
        let mut at = 0;
        while at < fold.queue.len() {
            let state = fold.queue[at];
            at += 1;
            fold.states[state as usize].queued = false;
            for letter in 0..2 {
                let next = fold.after(state, letter);
                if next.known.iter().all(|node| matches!(*node, EMPTY | UNKNOWN)) {
                    continue;
                }
                let old = fold.states[state as usize].next[letter];
                let target = match old {
                    0 => fold.place(next),
                    _ if fold.agrees(old, &next).is_some() => {
                        fold.unite(old, &next);
                        old
                    }
                    _ => fold.place(next),
                };
                fold.states[state as usize].next[letter] = target;
            }
            meter.spend_one()?;
            if fold.states.len() > most {
                return Ok(None);
            }
        }
        let states = fold.states.iter().map(|state| {
            let label = match state.signature.get(0) {
                1 if state.signature.residue == 0 => Label::A,
                2 if state.signature.residue == 0 => Label::B,
                _ => Label::None,
            };
            (state.next, label)
        });
        Ok(Some(Automaton::new(states.collect(), start)))
    }
}

/// The node for each number of letters still to come: `residue + i·period` of them at place i.
#[derive(Debug, Clone)]
struct Signature {
    residue: usize,
    known: Vec<Node>,
}

impl Signature {
    fn get(&self, place: usize) -> Node {
        self.known.get(place).copied().unwrap_or(UNKNOWN)
    }

    fn set(&mut self, place: usize, node: Node) {
        if self.known.len() <= place {
            self.known.resize(place + 1, UNKNOWN);
        }
        self.known[place] = node;
    }
}

struct FoldState {
    signature: Signature,
    next: [u32; 2],
    queued: bool,
}

struct Fold<'w> {
    words: &'w Words,
    period: usize,
    overlap: usize,
    /// State 0 stands for nothing.
    states: Vec<FoldState>,
    /// States by residue, place and node.
    places: FxHashMap<(u32, u32, Node), Vec<u32>>,
    queue: Vec<u32>,
}

impl Fold<'_> {
    /// Returns what follows a letter, as far as it is known.
    fn after(&self, state: u32, letter: usize) -> Signature {
        let signature = &self.states[state as usize].signature;
        let residue = (signature.residue + self.period - 1) % self.period;
        let mut next = Signature { residue, known: Vec::new() };
        for (place, node) in signature.known.iter().enumerate() {
            let letters = signature.residue + place * self.period;
            if *node != UNKNOWN && letters > 0 {
                next.set((letters - 1) / self.period, self.words.sets.next(*node)[letter]);
            }
        }
        next
    }

    /// Returns how many lengths both know, if they agree on all.
    fn agrees(&self, state: u32, other: &Signature) -> Option<usize> {
        let mine = &self.states[state as usize].signature;
        if mine.residue != other.residue {
            return None;
        }
        let mut both = 0;
        for (a, b) in mine.known.iter().zip(&other.known) {
            if *a != UNKNOWN && *b != UNKNOWN {
                if a != b {
                    return None;
                }
                both += 1;
            }
        }
        Some(both)
    }

    fn unite(&mut self, state: u32, other: &Signature) {
        let mut grown = false;
        for (place, node) in other.known.iter().enumerate() {
            let mine = &mut self.states[state as usize].signature;
            if *node != UNKNOWN && mine.get(place) == UNKNOWN {
                mine.set(place, *node);
                grown = true;
                if *node != EMPTY {
                    let key = (mine.residue as u32, place as u32, *node);
                    self.places.entry(key).or_default().push(state);
                }
            }
        }
        if grown && !self.states[state as usize].queued {
            self.states[state as usize].queued = true;
            self.queue.push(state);
        }
    }

    /// Returns a state that agrees, united with it, or a new one.
    fn place(&mut self, signature: Signature) -> u32 {
        if self.states.is_empty() {
            let known = Vec::new();
            self.states.push(FoldState {
                signature: Signature { residue: 0, known },
                next: [0; 2],
                queued: true,
            });
        }
        let mut best: Option<(usize, u32)> = None;
        for (place, node) in signature.known.iter().enumerate() {
            if matches!(*node, EMPTY | UNKNOWN) {
                continue;
            }
            let key = (signature.residue as u32, place as u32, *node);
            for state in self.places.get(&key).into_iter().flatten() {
                if let Some(both) = self.agrees(*state, &signature)
                    && best.is_none_or(|(most, other)| (both, other) > (most, *state))
                {
                    best = Some((both, *state));
                }
            }
        }
        // A prefix that is only known with few letters to come can't ask for more.
        let needed =
            self.overlap.min(signature.known.iter().filter(|node| **node != UNKNOWN).count());
        if let Some((both, state)) = best
            && both >= needed
        {
            self.unite(state, &signature);
            return state;
        }
        let state = self.states.len() as u32;
        let empty = Signature { residue: signature.residue, known: Vec::new() };
        self.states.push(FoldState { signature: empty, next: [0; 2], queued: false });
        self.unite(state, &signature);
        state
    }
}
