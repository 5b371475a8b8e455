//! Sets of labelled words of one length, kept as acyclic automata with shared nodes, and what moves
//! make of whole sets.
//!
//! A node is a set; equal sets are one node. The sets that come up have few nodes for their many
//! words, as binary decision diagrams do: R. E. Bryant, *Graph-based algorithms for Boolean
//! function manipulation* (1986).

use super::local_view::Steps;
use rustc_hash::FxHashMap;

/// A set of labelled words: 0 is the empty one, 1 and 2 are the empty word with A and with B.
pub(super) type Node = u32;
pub(super) const EMPTY: Node = 0;

/// Sets, equal ones shared.
#[derive(Default)]
pub(super) struct Sets {
    nodes: Vec<[Node; 2]>,
    index: FxHashMap<[Node; 2], Node>,
    unions: FxHashMap<(Node, Node), Node>,
    turned: FxHashMap<(Node, u32), Node>,
    /// What turns do to the ends of words: how many letters they read and leave, and what they make
    /// of each last part, if they are for it.
    ends: Vec<(usize, usize, Vec<Option<u32>>)>,
    /// Whether a word had both labels.
    pub torn: bool,
}

impl Sets {
    pub(super) fn new() -> Sets {
        Sets { nodes: vec![[EMPTY; 2]; 3], ..Sets::default() }
    }

    /// Returns how many nodes there are.
    pub(super) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Returns what may follow a letter.
    #[inline]
    pub(super) fn next(&self, node: Node) -> [Node; 2] {
        self.nodes[node as usize]
    }

    pub(super) fn node(&mut self, next: [Node; 2]) -> Node {
        if next == [EMPTY; 2] {
            return EMPTY;
        }
        let nodes = &mut self.nodes;
        *self.index.entry(next).or_insert_with(|| {
            nodes.push(next);
            nodes.len() as Node - 1
        })
    }

    /// Puts this many letters, the first the lowest, before all words; those past the bits of a
    /// number are 0.
    pub(super) fn before(&mut self, letters: usize, count: usize, node: Node) -> Node {
        (0..count).rev().fold(node, |node, i| {
            match letters.checked_shr(i as u32).unwrap_or(0) & 1 {
                0 => self.node([node, EMPTY]),
                _ => self.node([EMPTY, node]),
            }
        })
    }

    /// Returns the words of both.
    pub(super) fn union(&mut self, a: Node, b: Node) -> Node {
        match (a, b) {
            _ if a == b => return a,
            (EMPTY, other) | (other, EMPTY) => return other,
            (1 | 2, _) => {
                self.torn = true;
                return a;
            }
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.unions.get(&key) {
            return *known;
        }
        let ([a0, a1], [b0, b1]) = (self.next(a), self.next(b));
        let next = [self.union(a0, b0), self.union(a1, b1)];
        let union = self.node(next);
        self.unions.insert(key, union);
        union
    }

    /// Returns the words whose letter at a place is this.
    pub(super) fn with_letter(&mut self, node: Node, place: usize, letter: usize) -> Node {
        self.with_letter_known(node, place, letter, &mut FxHashMap::default())
    }

    fn with_letter_known(
        &mut self,
        node: Node,
        place: usize,
        letter: usize,
        known: &mut FxHashMap<Node, Node>,
    ) -> Node {
        if node == EMPTY {
            return EMPTY;
        }
        if let Some(made) = known.get(&node) {
            return *made;
        }
        let mut next = self.next(node);
        if place == 0 {
            next[1 - letter] = EMPTY;
        } else {
            next = next.map(|next| self.with_letter_known(next, place - 1, letter, known));
        }
        let made = self.node(next);
        known.insert(node, made);
        made
    }

    /// Returns what a step makes of the words whose cell there is free; labels change.
    pub(super) fn after_step(
        &mut self,
        node: Node,
        letters: usize,
        steps: &Steps,
        step: i32,
    ) -> Node {
        let (before, after) = steps.window_size();
        // Letters of the first part after the step, and of the last part.
        let (begin, left) = ((after as i32 - step) as usize, (before as i32 + step) as usize);
        let mut firsts = Vec::new();
        self.parts(node, after, 0, 0, &mut firsts);
        let mut all = Vec::new();
        for (first, rest) in firsts {
            let mut groups: FxHashMap<usize, Vec<Option<u32>>> = FxHashMap::default();
            for last in 0..1 << before {
                let cells = (first << 1 | 1) << after | last << (after - before);
                if cells >> (after as i32 + step) & 1 == 1 {
                    continue;
                }
                let made = steps.cells_after(cells, step);
                let begun = made >> (after as i32 + step + 1);
                let end = made >> (after - before) & ((1 << left) - 1);
                let group = groups.entry(begun).or_insert_with(|| vec![None; 1 << before]);
                group[last] = Some(end as u32);
            }
            for (begun, ends) in groups {
                let end = (before, left, ends);
                let id = self.ends.iter().position(|other| *other == end).unwrap_or_else(|| {
                    self.ends.push(end);
                    self.ends.len() - 1
                });
                let rest = self.turned_rest(rest, letters - after, before, id as u32);
                if rest != EMPTY {
                    all.push(self.before(begun, begin, rest));
                }
            }
        }
        self.union_all(all)
    }

    /// Collects the first parts of words and what follows them.
    fn parts(
        &self,
        node: Node,
        left: usize,
        read: usize,
        bits: usize,
        parts: &mut Vec<(usize, Node)>,
    ) {
        if node == EMPTY {
        } else if left == 0 {
            parts.push((bits, node));
        } else {
            let [zero, one] = self.next(node);
            self.parts(zero, left - 1, read + 1, bits, parts);
            self.parts(one, left - 1, read + 1, bits | 1 << read, parts);
        }
    }

    fn turned_rest(&mut self, node: Node, letters: usize, last: usize, end: u32) -> Node {
        if node == EMPTY {
            return EMPTY;
        }
        if let Some(known) = self.turned.get(&(node, end)) {
            return *known;
        }
        let made = if letters == last {
            self.turned_end(node, end)
        } else {
            let next = self.next(node).map(|next| self.turned_rest(next, letters - 1, last, end));
            self.node(next)
        };
        self.turned.insert((node, end), made);
        made
    }

    fn turned_end(&mut self, node: Node, end: u32) -> Node {
        let (before, left, made) = &self.ends[end as usize];
        let (mut lasts, left) = (Vec::new(), *left);
        self.parts(node, *before, 0, 0, &mut lasts);
        let mut ends: Vec<(u32, Node)> = lasts
            .into_iter()
            .filter_map(|(last, label)| Some((made[last]?.reverse_bits(), 3 - label)))
            .collect();
        // In the order of their words.
        ends.sort_unstable();
        ends.dedup();
        ends.iter_mut().for_each(|(end, _)| *end = end.reverse_bits());
        self.of(&ends, 0, left)
    }

    /// Returns the set of these words, in order, from a letter on.
    fn of(&mut self, words: &[(u32, Node)], read: usize, letters: usize) -> Node {
        match words {
            [] => EMPTY,
            [(_, label), others @ ..] if read == letters => {
                self.torn |= !others.is_empty();
                *label
            }
            _ => {
                let middle = words.partition_point(|(word, _)| word >> read & 1 == 0);
                let next = [
                    self.of(&words[..middle], read + 1, letters),
                    self.of(&words[middle..], read + 1, letters),
                ];
                self.node(next)
            }
        }
    }

    pub(super) fn union_all(&mut self, mut all: Vec<Node>) -> Node {
        while all.len() > 1 {
            all = all
                .chunks(2)
                .map(|pair| pair.iter().fold(EMPTY, |a, b| self.union(a, *b)))
                .collect();
        }
        all.pop().unwrap_or(EMPTY)
    }

    /// Forgets how sets came about.
    pub(super) fn forget(&mut self) {
        self.unions.clear();
        self.turned.clear();
    }

    /// Returns a set of another collection as one of this.
    pub(super) fn copied(
        &mut self,
        from: &Sets,
        node: Node,
        known: &mut FxHashMap<Node, Node>,
    ) -> Node {
        if node <= 2 {
            return node;
        }
        if let Some(copy) = known.get(&node) {
            return *copy;
        }
        let next = from.next(node).map(|next| self.copied(from, next, known));
        let copy = self.node(next);
        known.insert(node, copy);
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of a circle of more than 65 cells is a word longer than a machine's.
    #[test]
    fn words_may_be_longer_than_a_number() {
        let mut sets = Sets::new();
        let word = sets.before(0b101, 126, 1);
        let mut node = word;
        for place in 0..126 {
            let letter = usize::from(place == 0 || place == 2);
            assert_eq!(sets.next(node)[1 - letter], EMPTY, "{place}");
            node = sets.next(node)[letter];
        }
        assert_eq!(node, 1);
    }
}
