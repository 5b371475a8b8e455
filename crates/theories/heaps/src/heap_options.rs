//! The options of a game on heaps, made from its moves as plain data: the one place where a
//! description becomes moves.
//!
//! The heaps of each window are lowered one after the other, small takings first. Where the moves
//! have a condition, the sizes that a heap can have are read off it, given the heaps before: an
//! equation that the heap alone is left in gives one size, an inequality a range, `|` a union of
//! ranges, and what is not yet known lies between 0 and its heap. A bound variable that an equation
//! or bounds determine is spared before. So `q0 = p0 | q1 = p1 | p0+q1 =
//! p1+q0` costs a step for each option and each first heap, not one for each pair. Terms that say
//! something of the position alone (`p0 div 3`, `p0 xor p1`) are numbers there. What is no linear
//! condition otherwise (⊕ or mod of a heap that is left, quantifiers) is asked of the formula in
//! the end.

mod cones;
mod groups;
mod lines;
mod pairs;
mod runs;
mod single;
mod spans;
mod without_bound;

pub use cones::Cone;
pub use lines::LineCone;
pub(crate) use pairs::Comparison;
pub use pairs::{HEAPS_BELOW, PairTable, PairTest, Place};
pub use runs::Runs;
pub use single::SingleSizes;
pub use spans::{Admitted, Form, Span, Test};

use bouton_core::{
    Arrange, Formula, HeapList, Heaps, MAX_HEAPS, Memory, Moves, Node, Relation, Term, Windows,
};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Break, Continue};
use without_bound::without_bound;

/// The moves of a game on heaps, ready to be made.
#[derive(Debug, Clone)]
pub struct HeapOptions {
    windows: Windows,
    /// The windows on a fixed number of heaps, and the same as sets; not those of any number of
    /// heaps without a condition.
    listed: Option<Vec<Vec<usize>>>,
    sets: Vec<u32>,
    /// Whether the windows join all heaps where none is empty.
    joined: bool,
    /// The faces as sets of heaps.
    faces: Vec<u32>,
    /// Heaps that the condition ties together, if it is one on all heaps.
    groups: Option<Vec<u32>>,
    condition: Option<Condition>,
    shrinks: bool,
    /// Whether a position has as many heaps as it lists.
    is_list: bool,
    memory: Memory,
}

/// What must hold of a move.
#[derive(Debug, Clone)]
struct Condition {
    root: Tree,
    /// Whether the tree says all that the formula says.
    exact: bool,
    formula: Formula,
    /// For each place of a window the least heap with which a move from the window can exist.
    needs: Vec<u32>,
}

/// A condition without negations.
#[derive(Debug, Clone)]
enum Tree {
    Linear(Linear),
    /// What a sum of multiples of heaps leaves; only sweeps along spans use it, others ask the
    /// formula.
    Remainder(Remainder),
    /// Another comparison; as with a remainder.
    Other(Comparison),
    /// Something else, that may hold or not.
    Beyond,
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

/// Σ coefficient · variable + Σ coefficient · known term + constant, compared with 0.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Linear {
    before: Vec<(usize, i64)>,
    after: Vec<(usize, i64)>,
    /// Terms over the heaps before the move, natural numbers at every position.
    known: Vec<(Term, i64)>,
    constant: i64,
    sign: Sign,
}

/// A sum leaves one of some remainders.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Remainder {
    /// Compared with nothing.
    sum: Linear,
    /// At most 64.
    modulus: u64,
    /// The remainders, as bits.
    admitted: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Zero,
    NotZero,
    AtMostZero,
}

/// The most windows that are listed beforehand.
const MAX_WINDOWS: usize = 1 << 16;
/// The most parts of a condition's tree.
const MAX_PARTS: usize = 1 << 17;

impl HeapOptions {
    /// Returns the moves on `heaps` heaps, or on as many as a position has; where `shrinks`,
    /// emptied heaps leave.
    ///
    /// # Panics
    /// If the moves are turned, or if there is a condition and emptied heaps leave.
    pub fn new(moves: &Moves, heaps: Option<usize>, shrinks: bool) -> HeapOptions {
        assert!(moves.permutation.is_none(), "moves that change hands are rules of their own");
        assert!(!shrinks || moves.condition.is_none(), "a circle that closes up has no condition");
        let condition = moves.condition.as_ref().map(Condition::new);
        let windows = moves.windows.clone();
        let faces = match &windows {
            Windows::Faces(faces) => faces.iter().map(|face| mask(face)).collect(),
            _ => Vec::new(),
        };
        let fixed = heaps.filter(|_| condition.is_some() || !matches!(windows, Windows::Any(_)));
        let listed = fixed.and_then(|heaps| windows.on_heaps(heaps, MAX_WINDOWS));
        let sets: Vec<u32> = listed.iter().flatten().map(|window| mask(window)).collect();
        let joined = fixed.is_some_and(|heaps| join_all(&sets, heaps));
        let is_list = heaps.is_none();
        let is_on_all = listed.as_ref().is_some_and(|listed| {
            listed.len() == 1
                && listed[0].iter().copied().eq(0..heaps.unwrap_or(0))
                && listed[0].len() < 32
        });
        let is_grouped = is_on_all && moves.memory.count == 0 && moves.domain.is_none();
        let groups =
            condition.as_ref().filter(|_| is_grouped).map(|known| groups::groups(&known.formula));
        HeapOptions {
            windows,
            listed,
            sets,
            joined,
            faces,
            groups,
            condition,
            shrinks,
            is_list,
            memory: moves.memory,
        }
    }

    /// Returns whether all that the condition says is used to find the options. Else many a
    /// position is looked at that is no option, all of them in the worst case.
    pub fn is_exact(&self) -> bool {
        self.condition.as_ref().is_none_or(|condition| condition.exact)
    }

    /// Returns the sizes to which the one heap of the game can be lowered from `size`: ranges with
    /// both ends, ascending, apart from each other. `None` for other games, and where not all that
    /// the condition says is used.
    pub fn lower_sizes(&self, size: u32) -> Option<Sizes> {
        let condition = self.single_condition()?;
        Some(lowered(condition.root.sizes([&[size], &[size]], &[size], &[0], 0), size))
    }

    /// Returns what [`HeapOptions::lower_sizes`] says, made ready; `None` if that is too large.
    pub fn single_sizes(&self) -> Option<SingleSizes> {
        SingleSizes::new(&self.single_condition()?.root)
    }

    /// Returns the condition, where it is one on a single heap and all of it is used.
    fn single_condition(&self) -> Option<&Condition> {
        let is_single =
            self.memory.count == 0 && !self.shrinks && self.listed.as_deref() == Some(&[vec![0]]);
        self.condition
            .as_ref()
            .filter(|condition| is_single && condition.exact && condition.formula.free == 2)
    }

    /// Returns whether a single heap may be lowered from one size to another; `None` of a game on
    /// more, and if numbers are too large.
    pub fn allows_single(&self, from: u64, to: u64) -> Option<bool> {
        self.single_condition()?.formula.holds(&[from, to]).ok()
    }

    /// Returns whether the options from each size are all sizes from some least one on, and the
    /// next size has the same least option or the next: how much may be taken grows by 1 at most
    /// from size to size, and never falls.
    pub fn grows_slowly(&self) -> bool {
        self.single_condition().is_some_and(|condition| condition.root.is_slow())
    }

    /// Returns what may be taken from heaps that are no greater than these, if that does not depend
    /// on the heaps but where they are too small: heap by heap, ascending, each once. None where it
    /// does or may, and for more than `limit` ways to take.
    pub fn subtraction_vectors(&self, most: &[u32], limit: usize) -> Option<Vec<Vec<u32>>> {
        let condition = self
            .condition
            .as_ref()
            .filter(|_| self.memory.count == 0 && most.len() <= MAX_HEAPS)?;
        if !condition.root.is_of_differences() {
            return None;
        }
        let mut all = Vec::new();
        let end = self.visit(&Heaps::of(most), |q: Heaps| {
            all.push(
                most.iter().zip(q.iter()).map(|(heap, left)| heap - left).collect::<Vec<u32>>(),
            );
            if all.len() > 2 * limit { Break(()) } else { Continue(()) }
        });
        all.arrange();
        all.dedup();
        (end.is_continue() && all.len() <= limit).then_some(all)
    }

    /// Visits the options of `p` until `visit` breaks; some more than once.
    #[inline]
    pub fn visit<P: HeapList, B>(
        &self,
        p: &P,
        mut visit: impl FnMut(P) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let n = p.len();
        let mut q = p.clone();
        if let Some(condition) = &self.condition {
            let mut here = Vec::new();
            let windows = match (&self.listed, &self.windows) {
                (Some(listed), _) => listed,
                (None, Windows::Any(1)) => {
                    return (0..n).try_for_each(|heap| {
                        condition.lower(p, p, &mut q, &[heap], 0, &mut visit)
                    });
                }
                (None, windows) => {
                    here.extend(windows.on_heaps(n, usize::MAX).unwrap_or_default());
                    &here
                }
            };
            if self.memory.count > 0 {
                let most = self.memory.most(p);
                let mut tops = p.clone();
                tops[n - self.memory.count..].fill(most);
                let heaps = n - self.memory.count;
                // What is remembered may change only where a token is taken.
                return windows.iter().try_for_each(|window| {
                    condition.lower(p, &tops, &mut q, window, 0, &mut |q: P| {
                        if heaps > 0 && q[..heaps] == p[..heaps] { Continue(()) } else { visit(q) }
                    })
                });
            }
            return windows
                .iter()
                .try_for_each(|window| condition.lower(p, p, &mut q, window, 0, &mut visit));
        }
        if self.shrinks {
            return self.free(p, &mut q, &mut |q: P| visit(q.closed_up()));
        }
        self.free(p, &mut q, &mut visit)
    }

    /// Returns the options without a condition.
    #[inline]
    fn free<P: HeapList, B>(
        &self,
        p: &P,
        q: &mut P,
        visit: &mut impl FnMut(P) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let n = p.len();
        match self.windows {
            Windows::Any(1) => {
                for (i, heap) in p.iter().enumerate() {
                    for left in (0..*heap).rev() {
                        q[i] = left;
                        visit(q.clone())?;
                    }
                    q[i] = *heap;
                }
            }
            Windows::Any(k) => some(q, 0, k, visit)?,
            // A move is visited from its first heap on: fewer repetitions. Where a window is the
            // whole circle, any heap may be the first.
            Windows::Arc(k) => {
                for first in 0..n {
                    let reach = if k >= n { n - first } else { k };
                    for taken in 1..=p[first] {
                        q[first] = p[first] - taken;
                        below(q, n, first + 1, reach - 1, visit)?;
                    }
                    q[first] = p[first];
                }
            }
            Windows::Faces(_) => {
                (0..self.faces.len()).try_for_each(|which| self.face(which, 0, 0, q, visit))?;
            }
        }
        Continue(())
    }

    /// Visits the ways to lower heaps of face `which` from heap `from` on that no face before
    /// allows; `changed` are those lowered so far.
    fn face<P: HeapList, B>(
        &self,
        which: usize,
        from: usize,
        changed: u32,
        q: &mut P,
        visit: &mut impl FnMut(P) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(heap) = (from..q.len()).find(|heap| self.faces[which] >> heap & 1 == 1) else {
            let before = self.faces[..which].iter().any(|face| changed & !face == 0);
            return if changed == 0 || before { Continue(()) } else { visit(q.clone()) };
        };
        self.face(which, heap + 1, changed, q, visit)?;
        let size = q[heap];
        for rest in (0..size).rev() {
            q[heap] = rest;
            self.face(which, heap + 1, changed | 1 << heap, q, visit)?;
        }
        q[heap] = size;
        Continue(())
    }

    /// Visits parts of `p` that no move joins, each with its other heaps empty: the position is
    /// their sum. Heaps from which no move can take are in no part. O(windows · heaps).
    pub fn summands<P: HeapList>(&self, p: &P, mut visit: impl FnMut(P)) {
        let n = p.len();
        if self.shrinks {
            return visit(p.clone());
        }
        let need =
            |place: usize| self.condition.as_ref().map_or(0, |condition| condition.needs[place]);
        if let Windows::Any(1) = self.windows {
            let heaps = p.iter().enumerate().filter(|(_, heap)| **heap >= need(0).max(1));
            if self.is_list {
                heaps.for_each(|(_, heap)| visit(P::of(&[*heap])));
                return;
            }
            let mut alone = P::of(&vec![0; n]);
            for (i, heap) in heaps {
                alone[i] = *heap;
                visit(alone.clone());
                alone[i] = 0;
            }
            return;
        }
        let part_of = |part: u32| {
            let mut alone = p.clone();
            (0..n).filter(|heap| part >> heap & 1 == 0).for_each(|heap| alone[heap] = 0);
            alone
        };
        if let Some(groups) = &self.groups {
            let is_filled =
                |group: &&u32| (0..n).any(|heap| *group >> heap & 1 == 1 && p[heap] > 0);
            return groups.iter().filter(is_filled).for_each(|group| visit(part_of(*group)));
        }
        let Some(listed) = self.listed.as_ref().filter(|_| n <= MAX_HEAPS) else {
            return visit(p.clone());
        };
        let free = self.condition.is_none();
        if free && self.joined && p.iter().all(|heap| *heap > 0) {
            return visit(p.clone());
        }
        let mut parts: SmallVec<[u32; MAX_HEAPS]> = SmallVec::new();
        let filled =
            (0..n).filter(|heap| p[*heap] > 0).fold(0u32, |filled, heap| filled | 1 << heap);
        for (window, set) in listed.iter().zip(&self.sets) {
            // Two windows that share an empty heap alone have nothing to do with each other.
            let mut part = set & filled;
            let lacks = || window.iter().enumerate().any(|(place, heap)| p[*heap] < need(place));
            if part == 0 || !free && lacks() {
                continue;
            }
            parts.retain(|other| {
                let joined = *other & part != 0;
                part |= if joined { *other } else { 0 };
                !joined
            });
            parts.push(part);
        }
        if let [part] = parts[..]
            && part == filled
        {
            return visit(p.clone());
        }
        parts.arrange_by_key(|part| part.trailing_zeros());
        parts.into_iter().for_each(|part| visit(part_of(part)));
    }
}

/// Returns the sizes below one.
fn lowered(mut sizes: Sizes, size: u32) -> Sizes {
    // A move takes something.
    if let Some((low, high)) = sizes.last_mut()
        && *high == size
    {
        if *low < size { *high -= 1 } else { sizes.truncate(sizes.len() - 1) }
    }
    sizes
}

/// Leaves out what another cone holds, and sorts the rest.
fn without_held<C: Ord>(mut cones: Vec<C>, holds: impl Fn(&C, &C) -> bool) -> Vec<C> {
    cones.arrange();
    cones.dedup();
    let held = |i: usize| (0..cones.len()).any(|j| j != i && holds(&cones[j], &cones[i]));
    let kept: Vec<bool> = (0..cones.len()).map(|i| !held(i)).collect();
    let mut kept = kept.into_iter();
    cones.retain(|_| kept.next() == Some(true));
    cones
}

/// Returns whether sets that share a heap, and those that share one with them, are all heaps
/// together.
fn join_all(sets: &[u32], heaps: usize) -> bool {
    let Some(mut reached) = sets.first().copied() else { return false };
    loop {
        let more =
            sets.iter().filter(|set| *set & reached != 0).fold(reached, |all, set| all | set);
        if more == reached {
            return heaps < 32 && reached == (1 << heaps) - 1;
        }
        reached = more;
    }
}

fn mask(heaps: &[usize]) -> u32 {
    heaps.iter().filter(|heap| **heap < 32).fold(0, |mask, heap| mask | 1 << heap)
}

/// Visits every way to take from one to `most` of the heaps from `from` on; `q` has the takings so
/// far.
fn some<P: HeapList, B>(
    q: &mut P,
    from: usize,
    most: usize,
    visit: &mut impl FnMut(P) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for i in from..q.len() {
        let heap = q[i];
        for rest in (0..heap).rev() {
            q[i] = rest;
            visit(q.clone())?;
            if most > 1 {
                some(q, i + 1, most - 1, visit)?;
            }
        }
        q[i] = heap;
    }
    Continue(())
}

/// Visits every way to take any number, also none, from each of `left` heaps from `place` on,
/// clockwise on the circle of `n` heaps; `q` has the takings so far and is left as it was.
fn below<P: HeapList, B>(
    q: &mut P,
    n: usize,
    place: usize,
    left: usize,
    visit: &mut impl FnMut(P) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if left == 0 {
        return visit(q.clone());
    }
    let i = if place >= n { place - n } else { place };
    let heap = q[i];
    if left == 1 {
        for rest in (0..=heap).rev() {
            q[i] = rest;
            visit(q.clone())?;
        }
    } else {
        for rest in (0..=heap).rev() {
            q[i] = rest;
            below(q, n, place + 1, left - 1, visit)?;
        }
    }
    q[i] = heap;
    Continue(())
}

/// Sizes of a heap: ranges with both ends, ascending, apart from each other.
pub type Sizes = SmallVec<[(u32, u32); 4]>;

impl Condition {
    fn new(formula: &Formula) -> Condition {
        let fewer = without_bound(formula);
        let formula = fewer.as_ref().unwrap_or(formula);
        let mut parts = 0;
        let root = Tree::new(&formula.root, true, formula.free, &mut parts);
        let root = if parts > MAX_PARTS { Tree::Beyond } else { root };
        let needs = (0..formula.free / 2).map(|place| root.need(place)).collect();
        Condition { exact: root.is_exact(), needs, root, formula: formula.clone() }
    }

    /// Lowers the heaps of the window from `place` on; none of them to more than `tops` says: the
    /// heap itself, or more where it is remembered.
    fn lower<P: HeapList, B>(
        &self,
        p: &P,
        tops: &[u32],
        q: &mut P,
        window: &[usize],
        place: usize,
        visit: &mut impl FnMut(P) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(&heap) = window.get(place) else {
            let moved = window.iter().any(|heap| q[*heap] != p[*heap]);
            return if moved && (self.exact || self.holds(p, q, window)) {
                visit(q.clone())
            } else {
                Continue(())
            };
        };
        for &(low, high) in self.root.sizes([p, tops], q, window, place).iter().rev() {
            for size in (low..=high).rev() {
                q[heap] = size;
                self.lower(p, tops, q, window, place + 1, visit)?;
            }
        }
        q[heap] = p[heap];
        Continue(())
    }

    fn holds(&self, p: &[u32], q: &[u32], window: &[usize]) -> bool {
        let values: SmallVec<[u64; 16]> =
            window.iter().flat_map(|&heap| [u64::from(p[heap]), u64::from(q[heap])]).collect();
        self.formula.holds(&values) == Ok(true)
    }
}

impl Tree {
    /// Returns the node, or its negation; `free` variables are the heaps.
    fn new(node: &Node, wanted: bool, free: usize, parts: &mut usize) -> Tree {
        *parts += 1;
        if *parts > MAX_PARTS {
            return Tree::Beyond;
        }
        let mut tree = |node: &Node, wanted: bool| Tree::new(node, wanted, free, parts);
        match node {
            Node::Constant(value) => {
                if *value == wanted {
                    Tree::All(Vec::new())
                } else {
                    Tree::Any(Vec::new())
                }
            }
            Node::Compare(left, relation, right) => {
                let relation = if wanted { *relation } else { relation.negated() };
                match Linear::new(left, relation, right, free) {
                    Some(linear) => Tree::Linear(linear),
                    None => match Remainder::new(left, relation, right, free) {
                        Some(remainder) => Tree::Remainder(remainder),
                        None => Comparison::new(left, relation, right, free)
                            .map_or(Tree::Beyond, Tree::Other),
                    },
                }
            }
            Node::Not(inner) => tree(inner, !wanted),
            Node::And(nodes) | Node::Or(nodes) => {
                let all = nodes.iter().map(|node| tree(node, wanted)).collect();
                if matches!(node, Node::And(_)) == wanted { Tree::All(all) } else { Tree::Any(all) }
            }
            Node::Implies(left, right) => {
                let both = vec![tree(left, !wanted), tree(right, wanted)];
                if wanted { Tree::Any(both) } else { Tree::All(both) }
            }
            Node::Iff(left, right) => {
                let mut case =
                    |truth: bool| Tree::All(vec![tree(left, truth), tree(right, truth == wanted)]);
                Tree::Any(vec![case(true), case(false)])
            }
            // What is said of the bound variables is beyond a tree, the rest is not.
            Node::Exists(_, inner) if wanted => tree(inner, true),
            Node::Forall(_, inner) if !wanted => tree(inner, false),
            Node::Exists(..) | Node::Forall(..) => Tree::Beyond,
        }
    }

    fn is_exact(&self) -> bool {
        match self {
            Tree::Linear(_) => true,
            Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => false,
            Tree::All(parts) | Tree::Any(parts) => parts.iter().all(Tree::is_exact),
        }
    }

    /// Returns whether it says something of p0 − q0, p1 − q1, … alone, and nothing is beyond it.
    fn is_of_differences(&self) -> bool {
        match self {
            Tree::Linear(linear) => {
                let opposite = |((place, k), (other, after)): (&(usize, i64), &(usize, i64))| {
                    place == other && k.checked_neg() == Some(*after)
                };
                linear.known.is_empty()
                    && linear.before.len() == linear.after.len()
                    && linear.before.iter().zip(&linear.after).all(opposite)
            }
            Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => false,
            Tree::All(parts) | Tree::Any(parts) => parts.iter().all(Tree::is_of_differences),
        }
    }

    /// Sees whether the options are slow, as [`HeapOptions::grows_slowly`] has it. Sufficient: a
    /// form is seen, or not.
    fn is_slow(&self) -> bool {
        match self {
            Tree::Linear(linear) => linear.is_slow(),
            Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => false,
            // The least option is the greatest of the least options of the parts.
            Tree::All(parts) => parts.iter().all(Tree::is_slow),
            Tree::Any(parts) => matches!(&parts[..], [part] if part.is_slow()),
        }
    }

    /// Returns the size below which a heap in this place has no move.
    fn need(&self, place: usize) -> u32 {
        match self {
            Tree::Linear(linear) => linear.need(place),
            Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => 0,
            Tree::All(parts) => parts.iter().map(|part| part.need(place)).max().unwrap_or(0),
            Tree::Any(parts) => parts.iter().map(|part| part.need(place)).min().unwrap_or(0),
        }
    }

    /// Returns the sizes to which the heap in this place of the window can be lowered, those before
    /// it being lowered as `q` says. Every size with which the rest can be made to hold is among
    /// them; for the last place, and a tree without parts beyond, no other.
    fn sizes(&self, [p, tops]: [&[u32]; 2], q: &[u32], window: &[usize], place: usize) -> Sizes {
        let top = tops[window[place]];
        match self {
            Tree::Linear(linear) => linear.sizes([p, tops], q, window, place),
            Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => SmallVec::from_slice(&[(0, top)]),
            Tree::All(parts) => {
                let mut all: Sizes = SmallVec::from_slice(&[(0, top)]);
                for part in parts {
                    all = meet(&all, &part.sizes([p, tops], q, window, place));
                    if all.is_empty() {
                        break;
                    }
                }
                all
            }
            Tree::Any(parts) => {
                let mut all = Sizes::new();
                for part in parts {
                    all.extend(part.sizes([p, tops], q, window, place));
                }
                joined(all)
            }
        }
    }
}

/// Returns the sizes in both.
fn meet(one: &Sizes, other: &Sizes) -> Sizes {
    let mut all = Sizes::new();
    let (mut i, mut j) = (0, 0);
    while i < one.len() && j < other.len() {
        let (low, high) = (one[i].0.max(other[j].0), one[i].1.min(other[j].1));
        if low <= high {
            all.push((low, high));
        }
        if one[i].1 < other[j].1 { i += 1 } else { j += 1 }
    }
    all
}

/// Ranges in order and apart.
fn joined(mut ranges: Sizes) -> Sizes {
    if ranges.len() < 2 {
        return ranges;
    }
    if !ranges.is_sorted() {
        ranges.arrange();
    }
    let mut last = 0;
    for i in 1..ranges.len() {
        if u64::from(ranges[i].0) <= u64::from(ranges[last].1) + 1 {
            ranges[last].1 = ranges[last].1.max(ranges[i].1);
        } else {
            last += 1;
            ranges[last] = ranges[i];
        }
    }
    ranges.truncate(last + 1);
    ranges
}

impl Remainder {
    /// Returns the comparison, if it is one of a remainder by a constant with a number.
    fn new(left: &Term, relation: Relation, right: &Term, free: usize) -> Option<Remainder> {
        let (inner, modulus, number, is_turned) = match (left, right) {
            (Term::Remainder(inner, modulus), Term::Number(number)) => {
                (inner, *modulus, *number, false)
            }
            (Term::Number(number), Term::Remainder(inner, modulus)) => {
                (inner, *modulus, *number, true)
            }
            _ => return None,
        };
        let sum = Linear::new(inner, Relation::Equal, &Term::Number(0), free)?;
        if !(1..=64).contains(&modulus) || !sum.known.is_empty() {
            return None;
        }
        let holds = |remainder: &u64| {
            let order = if is_turned { number.cmp(remainder) } else { remainder.cmp(&number) };
            match relation {
                Relation::Equal => order.is_eq(),
                Relation::Unequal => order.is_ne(),
                Relation::AtMost => order.is_le(),
                Relation::Less => order.is_lt(),
                Relation::AtLeast => order.is_ge(),
                Relation::Greater => order.is_gt(),
            }
        };
        let admitted = (0..modulus).filter(holds).fold(0, |all, remainder| all | 1 << remainder);
        Some(Remainder { sum, modulus, admitted })
    }
}

impl Linear {
    /// Returns the comparison, where both sides are sums of multiples of heaps.
    fn new(left: &Term, relation: Relation, right: &Term, free: usize) -> Option<Linear> {
        let mut sums = vec![0i64; free + 1];
        let mut known = Vec::new();
        let (sign, turn, more) = match relation {
            Relation::Equal => (Sign::Zero, 1, 0),
            Relation::Unequal => (Sign::NotZero, 1, 0),
            Relation::AtMost => (Sign::AtMostZero, 1, 0),
            Relation::Less => (Sign::AtMostZero, 1, 1),
            Relation::AtLeast => (Sign::AtMostZero, -1, 0),
            Relation::Greater => (Sign::AtMostZero, -1, 1),
        };
        add(left, turn, &mut sums, &mut known)?;
        add(right, -turn, &mut sums, &mut known)?;
        let constant = sums[free].checked_add(more)?;
        let of = |odd: usize| {
            let own = (0..free / 2).map(|place| (place, sums[2 * place + odd]));
            own.filter(|(_, k)| *k != 0).collect::<Vec<_>>()
        };
        Some(Linear { before: of(0), after: of(1), known, constant, sign })
    }

    /// See [`Tree::is_slow`]: b·q ≥ a·p + c with 0 ≤ a ≤ b, or q ≥ p + c − t with a slow term t; q
    /// < p and q ≤ p change nothing.
    fn is_slow(&self) -> bool {
        let (Sign::AtMostZero, [(0, q)]) = (self.sign, &self.after[..]) else { return false };
        let p = match self.before[..] {
            [] => 0,
            [(0, p)] => p,
            _ => return false,
        };
        match &self.known[..] {
            [] if *q == 1 && p == -1 => (0..=1).contains(&self.constant),
            [] => *q < 0 && (0..=q.unsigned_abs()).contains(&p.try_into().unwrap_or(u64::MAX)),
            [(term, -1)] => (*q, p) == (-1, 1) && grows_slowly(term),
            _ => false,
        }
    }

    /// See [`Tree::need`]: q + a = p and q + a ≤ p need a heap of a.
    fn need(&self, place: usize) -> u32 {
        let alone =
            self.before == [(place, -1)] && self.after == [(place, 1)] && self.known.is_empty();
        let needed = if alone && self.sign != Sign::NotZero { self.constant.max(0) } else { 0 };
        u32::try_from(needed).unwrap_or(u32::MAX)
    }

    /// See [`Tree::sizes`].
    fn sizes(&self, [p, tops]: [&[u32]; 2], q: &[u32], window: &[usize], place: usize) -> Sizes {
        // The known part, what the unknown can add to it, and how often this heap counts.
        let mut base = i128::from(self.constant);
        base += self
            .before
            .iter()
            .map(|&(h, k)| i128::from(k) * i128::from(p[window[h]]))
            .sum::<i128>();
        for (term, k) in &self.known {
            let heap = |v: usize| Some(i128::from(p[window[v / 2]]));
            let value: i128 = term.value(&heap).expect("known terms are small natural numbers");
            base += value * i128::from(*k);
        }
        let (mut least, mut most, mut own) = (0i128, 0i128, 0i128);
        for &(h, k) in &self.after {
            let k = i128::from(k);
            match h.cmp(&place) {
                std::cmp::Ordering::Less => base += k * i128::from(q[window[h]]),
                std::cmp::Ordering::Equal => own = k,
                std::cmp::Ordering::Greater => {
                    let all = k * i128::from(tops[window[h]]);
                    least += all.min(0);
                    most += all.max(0);
                }
            }
        }
        let top = tops[window[place]];
        self.sign.sizes(base, [least, most], own, top)
    }
}

impl Sign {
    /// Returns the x in 0..=top of which own · x + base + (something between two ends) compares
    /// with 0 like this.
    fn sizes(self, base: i128, [least, most]: [i128; 2], own: i128, top: u32) -> Sizes {
        let whole: Sizes = SmallVec::from_slice(&[(0, top)]);
        let nothing = Sizes::new();
        match self {
            Sign::Zero => between(-base - most, -base - least, own, top),
            Sign::AtMostZero => {
                let room = -base - least;
                match own {
                    0 => {
                        if room >= 0 {
                            whole
                        } else {
                            nothing
                        }
                    }
                    1.. => between(i128::MIN, room, own, top),
                    _ => between(i128::MIN, room, own, top),
                }
            }
            Sign::NotZero if least != most => whole,
            Sign::NotZero => {
                let mut sizes = Sizes::new();
                match between(-base - most, -base - least, own, top).first() {
                    None => return whole,
                    Some(&(low, high)) => {
                        if low > 0 {
                            sizes.push((0, low - 1));
                        }
                        if high < top {
                            sizes.push((high + 1, top));
                        }
                    }
                }
                sizes
            }
        }
    }
}

/// Returns the x in 0..=top with low ≤ own · x ≤ high.
fn between(low: i128, high: i128, own: i128, top: u32) -> Sizes {
    let up = |a: i128, b: i128| a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0);
    let (from, to) = match own {
        0 if low <= 0 && 0 <= high => (0, i128::from(top)),
        0 => return Sizes::new(),
        1 => (low, high),
        // Negation is safe: no end but the open one is near the least number.
        -1 => (high.saturating_neg(), low.saturating_neg()),
        2.. => (up(low, own), high.div_euclid(own)),
        _ => (up(high.saturating_neg(), -own), low.saturating_neg().div_euclid(-own)),
    };
    let (from, to) = (from.max(0), to.min(i128::from(top)));
    if from <= to { SmallVec::from_slice(&[(from as u32, to as u32)]) } else { Sizes::new() }
}

/// Adds `times` the term to the sums, the last of which is the constant, or to the known terms;
/// `None` where it is neither, or
/// too large.
fn add(term: &Term, times: i64, sums: &mut [i64], known: &mut Vec<(Term, i64)>) -> Option<()> {
    match term {
        Term::Number(value) => {
            let value = i64::try_from(*value).ok()?.checked_mul(times)?;
            let last = sums.last_mut()?;
            *last = last.checked_add(value)?;
        }
        // Variables beyond the heaps are bound ones.
        Term::Variable(v) if v + 1 < sums.len() => sums[*v] = sums[*v].checked_add(times)?,
        Term::Sum(parts) => parts.iter().try_for_each(|part| add(part, times, sums, known))?,
        Term::Multiple(k, inner) => add(inner, times.checked_mul(*k)?, sums, known)?,
        _ if is_known(term, sums.len() - 1) => known.push((term.clone(), times)),
        _ => return None,
    }
    Some(())
}

/// Known terms are below it, and so are numbers on the way to their values.
const KNOWN_BELOW: u128 = 1 << 96;

/// Returns whether a term is a natural number at every position, of the heaps before the move
/// alone; `free` variables are heaps.
fn is_known(term: &Term, free: usize) -> bool {
    /// Returns an upper bound of the values; `None` if the term is another.
    fn bound(term: &Term, free: usize) -> Option<u128> {
        let bounds = |parts: &[Term]| {
            parts.iter().map(|part| bound(part, free)).collect::<Option<Vec<u128>>>()
        };
        let found = match term {
            Term::Number(value) => u128::from(*value),
            Term::Variable(v) if *v < free && v % 2 == 0 => u128::from(u32::MAX),
            Term::Sum(parts) => bounds(parts)?.into_iter().try_fold(0, u128::checked_add)?,
            Term::Multiple(k, inner) => {
                bound(inner, free)?.checked_mul(u128::try_from(*k).ok()?)?
            }
            // A digit of the sum is below the modulus, which is at most 9.
            Term::DigitSum(_, parts) => 16 * bounds(parts)?.into_iter().max()?,
            Term::Min(parts) | Term::Max(parts) => bounds(parts)?.into_iter().max()?,
            Term::Quotient(inner, by) | Term::Remainder(inner, by) if *by > 0 => {
                bound(inner, free)?
            }
            _ => return None,
        };
        (found < KNOWN_BELOW).then_some(found)
    }
    bound(term, free).is_some()
}

/// Returns whether a known term over one heap is seen to grow by 0 or 1 where the heap grows by 1.
fn grows_slowly(term: &Term) -> bool {
    /// Returns the factor before the one part of a sum that grows; `None` if there are more.
    fn slope(term: &Term) -> Option<u64> {
        match term {
            Term::Number(_) => Some(0),
            Term::Multiple(k, inner) => u64::try_from(*k).ok()?.checked_mul(slope(inner)?),
            Term::Sum(parts) => {
                let slopes = parts.iter().map(slope).collect::<Option<Vec<u64>>>()?;
                let mut growing = slopes.into_iter().filter(|slope| *slope > 0);
                match (growing.next(), growing.next()) {
                    (one, None) => Some(one.unwrap_or(0)),
                    _ => None,
                }
            }
            other => grows_slowly(other).then_some(1),
        }
    }
    match term {
        Term::Number(_) | Term::Variable(_) => true,
        Term::Quotient(inner, by) => slope(inner).is_some_and(|slope| slope <= *by),
        Term::Min(parts) | Term::Max(parts) => parts.iter().all(grows_slowly),
        Term::Sum(_) | Term::Multiple(..) => slope(term).is_some_and(|slope| slope <= 1),
        _ => false,
    }
}
