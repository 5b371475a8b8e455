//! Games on heaps as plain data: boards, and the ways to go from one to another.
//!
//! A board is a number of heaps with its symmetries. A [`Way`] says which heaps of a position the heaps of the option
//! come from and which of them may be lowered; heaps it does not name vanish. So Circular Nim is one board and
//! a way per window, and Shrinking Circular Nim has one board per number of heaps left.

use crate::claim::{Claim, MAX_CLAIM_HEAPS};
use crate::formula::Formula;
use crate::parse::FormulaError;

/// Positions with a given number of heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// How many heaps.
    pub heaps: usize,
    /// Whether every heap holds at least one token.
    pub positive: bool,
    /// The symmetries, the identity among them: image σ of a position has its heap σ(i) in place i.
    pub symmetries: Vec<Vec<usize>>,
}

/// A kind of move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The board of the position.
    pub from: usize,
    /// The board of the option.
    pub to: usize,
    /// For each heap of the option: the heap of the position it comes from, and whether the move may lower it.
    pub heaps: Vec<(usize, bool)>,
    /// What else must hold between the position's heaps p0, p1, … and the option's q0, q1, …; the formula's free
    /// variables in this order: p0, q0, p1, q1, ….
    pub condition: Option<Formula>,
}

/// A game on heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapGame {
    /// The boards; the last one is that of the game's own positions, the others are reached by moves.
    pub boards: Vec<Board>,
    /// The moves. Each lowers the number of tokens.
    pub ways: Vec<Way>,
}

impl HeapGame {
    /// The game in which a move takes at least one token in all from the heaps of one window.
    ///
    /// # Panics
    /// If there are more than 26 heaps, or a window or symmetry names a heap that is not there.
    pub fn windows(heaps: usize, windows: &[Vec<usize>], symmetries: &[Vec<usize>]) -> HeapGame {
        assert!(heaps <= MAX_CLAIM_HEAPS && windows.iter().flatten().all(|&h| h < heaps));
        let way = |window: &Vec<usize>| Way {
            from: 0,
            to: 0,
            heaps: (0..heaps).map(|h| (h, window.contains(&h))).collect(),
            condition: None,
        };
        let board = Board { heaps, positive: false, symmetries: with_identity(heaps, symmetries) };
        HeapGame { boards: vec![board], ways: windows.iter().map(way).collect() }
    }

    /// The game whose move is a formula over p0, q0, p1, q1, …: position and option. Only options with q ≤ p in every
    /// heap and fewer tokens count.
    ///
    /// # Panics
    /// If there are more than 26 heaps, or a symmetry names a heap that is not there.
    pub fn moves(heaps: usize, text: &str, symmetries: &[Vec<usize>]) -> Result<HeapGame, FormulaError> {
        assert!(heaps <= MAX_CLAIM_HEAPS);
        let names: Vec<String> = (0..heaps).flat_map(|h| [format!("p{h}"), format!("q{h}")]).collect();
        let condition = Some(Formula::parse_over(text, &names)?);
        let way = Way { from: 0, to: 0, heaps: (0..heaps).map(|h| (h, true)).collect(), condition };
        let board = Board { heaps, positive: false, symmetries: with_identity(heaps, symmetries) };
        Ok(HeapGame { boards: vec![board], ways: vec![way] })
    }

    /// CN(n,k): at least one token in all from up to k consecutive heaps on a circle of n.
    pub fn circular(heaps: usize, window: usize) -> HeapGame {
        HeapGame::windows(heaps, &arcs(heaps, window), &dihedral(heaps))
    }

    /// SCN(n,k): as CN(n,k), but an emptied heap leaves the circle, which closes up. Board m has m heaps.
    pub fn shrinking(heaps: usize, window: usize) -> HeapGame {
        let board = |m| Board { heaps: m, positive: true, symmetries: dihedral(m) };
        let mut ways: Vec<Way> = Vec::new();
        for m in 1..=heaps {
            for arc in arcs(m, window) {
                for gone in 0..1u32 << arc.len() {
                    let vanishes =
                        |h: usize| arc.iter().position(|&a| a == h).is_some_and(|i| gone >> i & 1 == 1);
                    let left: Vec<(usize, bool)> =
                        (0..m).filter(|&h| !vanishes(h)).map(|h| (h, arc.contains(&h))).collect();
                    let way = Way { from: m, to: left.len(), heaps: left, condition: None };
                    if !ways.contains(&way) {
                        ways.push(way);
                    }
                }
            }
        }
        HeapGame { boards: (0..=heaps).map(board).collect(), ways }
    }

    /// The options of a position, by the rules alone; each with its board. Exponential in the number of tokens.
    pub fn options(&self, board: usize, position: &[u64]) -> Vec<(usize, Vec<u64>)> {
        let mut found = Vec::new();
        for way in self.ways.iter().filter(|way| way.from == board) {
            let least = u64::from(self.boards[way.to].positive);
            let mut option: Vec<u64> =
                way.heaps.iter().map(|&(h, low)| if low { least } else { position[h] }).collect();
            loop {
                let fewer = option.iter().sum::<u64>() < position.iter().sum();
                let fits = way.heaps.iter().zip(&option).all(|(&(h, _), &q)| least <= q && q <= position[h]);
                if fewer && fits && way.allows(position, &option) {
                    found.push((way.to, option.clone()));
                }
                // The next option: an odometer over the lowered heaps.
                let Some(i) =
                    (0..option.len()).find(|&i| way.heaps[i].1 && option[i] < position[way.heaps[i].0])
                else {
                    break;
                };
                option[i] += 1;
                (0..i).filter(|&j| way.heaps[j].1).for_each(|j| option[j] = least);
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Whether the moves of this board are the same seen from every symmetry: a position in S may then be taken in
    /// its first image. Shown for windows only.
    pub(crate) fn is_symmetric(&self, board: usize) -> bool {
        let ways: Vec<&Way> = self.ways.iter().filter(|way| way.from == board).collect();
        let plain = |way: &&Way| {
            way.to == board && way.condition.is_none() && way.heaps.iter().enumerate().all(|(i, h)| h.0 == i)
        };
        let window = |way: &Way| way.heaps.iter().map(|h| h.1).collect::<Vec<bool>>();
        let windows: Vec<Vec<bool>> = ways.iter().map(|way| window(way)).collect();
        ways.iter().all(plain)
            && self.boards[board].symmetries.iter().all(|symmetry| {
                windows.iter().all(|w| windows.contains(&symmetry.iter().map(|&i| w[i]).collect()))
            })
    }
}

impl Way {
    fn allows(&self, position: &[u64], option: &[u64]) -> bool {
        let Some(condition) = &self.condition else { return true };
        let values: Vec<u64> = position.iter().zip(option).flat_map(|(&p, &q)| [p, q]).collect();
        condition.holds(&values) == Ok(true)
    }
}

fn with_identity(heaps: usize, symmetries: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let identity: Vec<usize> = (0..heaps).collect();
    let mut all = vec![identity.clone()];
    all.extend(symmetries.iter().filter(|s| **s != identity).cloned());
    assert!(
        all.iter().all(|s| s.len() == heaps && identity.iter().all(|h| s.contains(h))),
        "symmetries permute the heaps"
    );
    all
}

/// The windows of up to `length` consecutive heaps on a circle; only the longest matter.
pub fn arcs(heaps: usize, length: usize) -> Vec<Vec<usize>> {
    if length >= heaps {
        return vec![(0..heaps).collect()];
    }
    (0..heaps).map(|i| (0..length).map(|j| (i + j) % heaps).collect()).collect()
}

/// Turns and reflections of a circle of heaps.
pub fn dihedral(heaps: usize) -> Vec<Vec<usize>> {
    let turns = (0..heaps.max(1)).map(|t| (0..heaps).map(|i| (i + t) % heaps).collect::<Vec<usize>>());
    let mut all: Vec<Vec<usize>> = Vec::new();
    for turn in turns {
        let back: Vec<usize> = turn.iter().rev().copied().collect();
        for symmetry in [turn, back] {
            if !all.contains(&symmetry) {
                all.push(symmetry);
            }
        }
    }
    all
}

/// All orders of the heaps.
pub fn permutations(heaps: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![vec![]];
    for h in 0..heaps {
        all = all
            .iter()
            .flat_map(|p| (0..=p.len()).map(move |at| [&p[..at], &[h], &p[at..]].concat()))
            .collect();
    }
    all.sort();
    all
}

/// One claim for each board: `false` where none is given.
pub fn claims_for(game: &HeapGame, texts: &[(usize, &str)]) -> Result<Vec<Claim>, FormulaError> {
    let text = |board: usize| texts.iter().find(|(b, _)| *b == board).map_or("false", |(_, text)| text);
    game.boards.iter().enumerate().map(|(i, board)| Claim::parse(text(i), board.heaps)).collect()
}
