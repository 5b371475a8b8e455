//! A game on heaps as plain data: the heaps, which of them may change places, and the moves, stated
//! once for every reader: provers, checkers, rule files. A test holds the statement against the
//! family's own options.

use crate::Symmetry;
use bouton_formula::{Formula, FormulaBuilder, FormulaError, Node, Term};

/// The heaps of a game and its moves, as statements about heap sizes see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapGame {
    /// How many numbers make a position.
    pub heaps: usize,
    /// Which of them may change places.
    pub symmetry: Symmetry,
    /// Whether a heap that is emptied leaves, so that positions may have fewer heaps, all of them
    /// positive.
    pub shrinks: bool,
    /// The moves.
    pub moves: Moves,
    /// The digits in which its P-positions are best written.
    pub digits: Digits,
}

/// The moves of a game on heaps: tokens leave the heaps of one window, at least one token in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moves {
    /// Which heaps a move may lower.
    pub windows: Windows,
    /// What else must hold: a formula whose free variables are p0, q0, p1, q1, …, in this order:
    /// the heaps of the window before and after the move. The windows are then all of one length,
    /// half as many as there are free variables.
    pub condition: Option<Formula>,
    /// Where heap i of the option comes from, if not from heap i: purses change hands.
    pub permutation: Option<Vec<usize>>,
    /// The last coordinates, where they are no tokens.
    pub memory: Memory,
    /// The positions that occur, if the rules say so. The condition has them built in: no other
    /// position has a move.
    pub domain: Option<Domain>,
}

/// The positions that occur in a game: a set that no move leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// What holds of them: a formula without quantifiers over p0, p1, ….
    pub formula: Formula,
    /// For each number of a position its greatest value, or `None` if there is none.
    pub most: Vec<Option<u32>>,
}

impl Domain {
    /// Returns whether a position occurs.
    pub fn contains(&self, position: &[u64]) -> bool {
        self.formula.holds(position) == Ok(true)
    }

    /// Says of a position that is not contained why it is refused.
    pub fn refusal(&self) -> String {
        format!("this position does not occur: positions = \"{}\"", self.formula)
    }

    /// Returns the number of positions of a box with heaps up to `max`, bounds kept.
    pub fn box_size(&self, max: u64) -> u64 {
        let side = |most: &Option<u32>| most.map_or(max, |most| max.min(most.into())) + 1;
        self.most.iter().map(side).fold(1, u64::saturating_mul)
    }
}

/// Coordinates of a position that are no heaps but what a game remembers: the last move, a flag.
/// They may grow; that play ends is seen in the heaps alone, of which every move takes a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// How many: the last ones of a position. Windows have them all, or there are none. If all
    /// numbers of a position are remembered, another game shows that play ends, of which this is
    /// what is left without its heaps.
    pub count: usize,
    /// After a move none of them is more than this times one more than all numbers of the position.
    pub factor: u32,
}

impl Memory {
    /// Returns the most that a remembered number can be after a move from this position.
    pub fn most(self, position: &[u32]) -> u32 {
        let total = position.iter().fold(1u64, |sum, x| sum + u64::from(*x));
        u32::try_from(total.saturating_mul(self.factor.into())).unwrap_or(u32::MAX)
    }
}

/// The heaps that a move may lower.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Windows {
    /// Any heaps of this number; all of them if there are fewer.
    Any(usize),
    /// This many consecutive heaps on the circle; all of them if there are fewer.
    Arc(usize),
    /// The heaps of one of these lists, each ascending: the faces of a complex.
    Faces(Vec<Vec<usize>>),
}

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    /// Base 2.
    Binary,
    /// Sums of Fibonacci numbers, no two neighbours (Zeckendorf).
    Zeckendorf,
}

impl Moves {
    /// Returns the moves that take at least one token in all from the heaps of one window, without
    /// a further condition.
    pub fn free(windows: Windows) -> Moves {
        Moves {
            windows,
            condition: None,
            permutation: None,
            memory: Memory::default(),
            domain: None,
        }
    }

    /// As [`Moves::free`], where also the formula over p0, q0, p1, q1, … holds.
    pub fn with_formula(windows: Windows, condition: &str) -> Result<Moves, FormulaError> {
        let condition =
            Some(Formula::parse_over(condition, &Moves::names(windows.longest_window()))?);
        Ok(Moves { windows, condition, permutation: None, memory: Memory::default(), domain: None })
    }

    /// As [`Moves::free`], where the condition also holds: its variables are [`Moves::size_before`]
    /// and [`Moves::size_after`].
    pub fn with_condition(windows: Windows, condition: Node) -> Moves {
        let condition =
            Some(FormulaBuilder::over(Moves::names(windows.longest_window())).build(condition));
        Moves { windows, condition, permutation: None, memory: Memory::default(), domain: None }
    }

    /// Returns the size of the heap in a place of the window before the move: p0, p1, …
    pub fn size_before(place: usize) -> Term {
        Term::Variable(2 * place)
    }

    /// Returns the size of the heap in a place of the window after the move: q0, q1, …
    pub fn size_after(place: usize) -> Term {
        Term::Variable(2 * place + 1)
    }

    /// Returns the variables of a condition on windows of this many heaps: p0, q0, p1, q1, …
    pub fn names(heaps: usize) -> Vec<String> {
        (0..heaps).flat_map(|h| [format!("p{h}"), format!("q{h}")]).collect()
    }
}

impl Windows {
    /// Returns the heaps of the longest window, on heaps enough.
    pub fn longest_window(&self) -> usize {
        match self {
            Windows::Any(k) | Windows::Arc(k) => *k,
            Windows::Faces(faces) => faces.iter().map(Vec::len).max().unwrap_or(0),
        }
    }

    /// Returns the windows on `n` heaps, each once; `None` where there are more than `most`.
    pub fn on_heaps(&self, n: usize, most: usize) -> Option<Vec<Vec<usize>>> {
        match *self {
            Windows::Faces(ref faces) => (faces.len() <= most).then(|| faces.clone()),
            Windows::Any(k) | Windows::Arc(k) if k >= n => Some(vec![(0..n).collect()]),
            Windows::Arc(k) if n <= most => {
                Some((0..n).map(|i| (0..k).map(|j| (i + j) % n).collect()).collect())
            }
            Windows::Arc(_) => None,
            Windows::Any(k) => {
                let mut all: Vec<Vec<usize>> = vec![vec![]];
                for left in (0..k).rev() {
                    // Every list here is the beginning of a window, so there are no more of them
                    // than windows.
                    let next = |w: &Vec<usize>| {
                        let from = w.last().map_or(0, |last| last + 1);
                        let w = w.clone();
                        (from..n - left).map(move |h| [w.as_slice(), &[h]].concat())
                    };
                    all = all.iter().flat_map(next).take(most.saturating_add(1)).collect();
                }
                (all.len() <= most).then_some(all)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_counted() {
        let count = |windows: Windows, n| windows.on_heaps(n, 1000).map(|all| all.len());
        assert_eq!(count(Windows::Any(1), 12), Some(12));
        assert_eq!(count(Windows::Any(3), 6), Some(20));
        assert_eq!(count(Windows::Any(6), 12), Some(924));
        assert_eq!(count(Windows::Any(7), 4), Some(1));
        assert_eq!(count(Windows::Any(20), 40), None);
        assert_eq!(count(Windows::Any(25), 26), Some(26));
        assert_eq!(Windows::Arc(2).on_heaps(3, 10).unwrap(), [[0, 1], [1, 2], [2, 0]]);
        assert_eq!(count(Windows::Arc(3), 3), Some(1));
        assert_eq!(count(Windows::Any(1), 0), Some(1));
        assert_eq!(count(Windows::Faces(vec![vec![0, 2], vec![1]]), 3), Some(2));
    }
}
