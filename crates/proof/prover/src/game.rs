//! Games on heaps as plain data: boards, and the ways to go from one to another.
//!
//! A board is a number of heaps with its symmetries. A [`MoveKind`] says which heaps of a position
//! the heaps of the option come from and which of them may be lowered; heaps it does not name
//! vanish. So Circular Nim is one board and a way per window, and Shrinking Circular Nim has one
//! board per number of heaps left.

use bouton_automata::numeration::Numeration;
use bouton_core::{
    Arrange, Claim, Formula, FormulaError, MAX_CLAIM_HEAPS, Node, Play, Symmetry, Windows,
};

/// Positions with a given number of heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// How many heaps.
    pub heaps: usize,
    /// Whether every heap holds at least one token.
    pub positive: bool,
    /// Symmetries, the identity among them, that generate the others: image σ of a position has its
    /// heap σ(i) in place i.
    pub symmetries: Vec<Vec<usize>>,
}

/// A kind of move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveKind {
    /// The board of the position.
    pub from: usize,
    /// The board of the option.
    pub to: usize,
    /// For each heap of the option: the heap of the position it comes from, and whether the move
    /// may lower it.
    pub heaps: Vec<(usize, bool)>,
    /// The heaps of the position that the move may lower, in their order in the window.
    pub window: Vec<usize>,
    /// What else must hold: a formula with the free variables p0, q0, p1, q1, …, the sizes in
    /// position and option of the heaps in the window's places.
    pub condition: Option<Formula>,
}

/// Why a game has no form that can be proved about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// Too large.
    #[error("statements reach at most {MAX_CLAIM_HEAPS} heaps and {MAX_WAYS} kinds of moves")]
    Size,
    /// Misère play where positions without a move are not those without tokens.
    #[error("misère play is proved where a move takes any number from a window of heaps")]
    Misere,
    /// A condition on moves of a circle that shrinks, or a turn that is no permutation.
    #[error("moves of this form can't be stated")]
    Form,
}

/// A game on heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveSystem {
    /// The boards; the last one is that of the game's own positions, the others are reached by
    /// moves.
    pub boards: Vec<Board>,
    /// The moves. Each lowers the number of tokens.
    pub ways: Vec<MoveKind>,
    /// Whether the player who cannot move wins.
    pub misere: bool,
    /// How many of the last numbers of a position are no heaps but remembered: they may grow, and
    /// no token is among them.
    pub memory: usize,
    /// What holds of the positions that occur, over p0, p1, …, if not all do. No other position has
    /// a move, as the conditions of the moves say, and so all others count as P in a proof.
    pub domain: Option<Formula>,
}

/// Most windows of a game.
const MAX_WAYS: usize = 2000;

impl MoveSystem {
    /// Returns the game as its family states it, and the digits its claims are best read in.
    pub fn from_heap_game(
        stated: &bouton_core::HeapGame,
    ) -> Result<(MoveSystem, Numeration), GameError> {
        let n = stated.heaps;
        if n > MAX_CLAIM_HEAPS {
            return Err(GameError::Size);
        }
        let windows = |m| stated.moves.windows.on_heaps(m, MAX_WAYS).ok_or(GameError::Size);
        let symmetries = |m: usize| match stated.symmetry {
            Symmetry::Full if m > 1 => vec![
                (0..m).map(|i| if i < 2 { 1 - i } else { i }).collect(),
                (0..m).map(|i| (i + 1) % m).collect::<Vec<usize>>(),
            ],
            symmetry => symmetry.permutations(m, usize::MAX).unwrap_or_default(),
        };
        let numeration = Numeration::from(stated.digits);
        if stated.shrinks {
            if stated.moves.condition.is_some() || stated.moves.permutation.is_some() {
                return Err(GameError::Form);
            }
            let windows = (0..=n).map(windows).collect::<Result<Vec<_>, _>>()?;
            if windows.iter().flatten().map(|w| 1usize << w.len().min(20)).sum::<usize>() > MAX_WAYS
            {
                return Err(GameError::Size);
            }
            return Ok((MoveSystem::closing_up(&windows, symmetries), numeration));
        }
        let mut game = MoveSystem::windows(n, &windows(n)?, &symmetries(n));
        if let Some(formula) = &stated.moves.condition {
            if game.ways.iter().any(|way| 2 * way.window.len() != formula.free) {
                return Err(GameError::Form);
            }
            game.ways.iter_mut().for_each(|way| way.condition = Some(formula.clone()));
        }
        game.memory = stated.moves.memory.count;
        game.domain = stated.moves.domain.as_ref().map(|domain| domain.formula.clone());
        if game.memory > 0
            && (game.memory >= n
                || stated.moves.condition.is_none()
                || stated.symmetry != Symmetry::None)
        {
            return Err(GameError::Form);
        }
        if let Some(turned) = &stated.moves.permutation {
            if turned.len() != n || (0..n).any(|h| !turned.contains(&h)) {
                return Err(GameError::Form);
            }
            for way in &mut game.ways {
                way.heaps = way.heaps.iter().zip(turned).map(|(&(_, low), &h)| (h, low)).collect();
            }
        }
        Ok((game, numeration))
    }

    /// Returns the game in which a move takes at least one token in all from the heaps of one
    /// window.
    ///
    /// # Panics
    /// If there are more than 26 heaps, or a window or symmetry names a heap that is not there.
    pub fn windows(heaps: usize, windows: &[Vec<usize>], symmetries: &[Vec<usize>]) -> MoveSystem {
        assert!(heaps <= MAX_CLAIM_HEAPS && windows.iter().flatten().all(|&h| h < heaps));
        let way = |window: &Vec<usize>| MoveKind {
            from: 0,
            to: 0,
            heaps: (0..heaps).map(|h| (h, window.contains(&h))).collect(),
            window: window.clone(),
            condition: None,
        };
        let board = Board { heaps, positive: false, symmetries: with_identity(heaps, symmetries) };
        MoveSystem {
            boards: vec![board],
            ways: windows.iter().map(way).collect(),
            misere: false,
            memory: 0,
            domain: None,
        }
    }

    /// Returns the game whose move is a formula over p0, q0, p1, q1, …: position and option. Only
    /// options with q ≤ p in every heap and fewer tokens count.
    ///
    /// # Panics
    /// If there are more than 26 heaps, or a symmetry names a heap that is not there.
    pub fn moves(
        heaps: usize,
        text: &str,
        symmetries: &[Vec<usize>],
    ) -> Result<MoveSystem, FormulaError> {
        assert!(heaps <= MAX_CLAIM_HEAPS);
        let names: Vec<String> =
            (0..heaps).flat_map(|h| [format!("p{h}"), format!("q{h}")]).collect();
        let condition = Some(Formula::parse_over(text, &names)?);
        let window: Vec<usize> = (0..heaps).collect();
        let way = MoveKind {
            from: 0,
            to: 0,
            heaps: window.iter().map(|&h| (h, true)).collect(),
            window,
            condition,
        };
        let board = Board { heaps, positive: false, symmetries: with_identity(heaps, symmetries) };
        Ok(MoveSystem {
            boards: vec![board],
            ways: vec![way],
            misere: false,
            memory: 0,
            domain: None,
        })
    }

    /// Returns what a claim about the positions that occur says of all: these, or none that occurs.
    ///
    /// # Errors
    /// If claim and domain together have too many variables for a formula.
    pub fn within(&self, claim: Claim) -> Result<Claim, FormulaError> {
        let Some(domain) = &self.domain else { return Ok(claim) };
        let letters: Vec<String> = ('a'..='z').take(claim.heaps()).map(String::from).collect();
        Claim::parse(&format!("({claim}) | ~({})", domain.over(&letters)), claim.heaps())
    }

    /// Returns the convention.
    pub fn play(&self) -> Play {
        if self.misere { Play::Misere } else { Play::Normal }
    }

    /// Returns the same moves in misère play.
    pub fn in_misere_play(self) -> Result<MoveSystem, GameError> {
        let named = |heap: usize, board: usize| {
            self.ways.iter().any(|way| way.from == board && way.window.contains(&heap))
        };
        let mut boards = self.boards.iter().enumerate();
        let over_without_tokens = self.ways.iter().all(|way| way.condition.is_none())
            && boards.all(|(board, rules)| (0..rules.heaps).all(|heap| named(heap, board)));
        if over_without_tokens {
            Ok(MoveSystem { misere: true, ..self })
        } else {
            Err(GameError::Misere)
        }
    }

    /// Returns CN(n,k): at least one token in all is taken from up to k consecutive heaps on a
    /// circle of n.
    pub fn circular(heaps: usize, window: usize) -> MoveSystem {
        MoveSystem::windows(heaps, &arcs(heaps, window), &ring(heaps))
    }

    /// Returns SCN(n,k): as CN(n,k), but an emptied heap leaves the circle, which closes up. Board
    /// Board m has m heaps.
    pub fn shrinking(heaps: usize, window: usize) -> MoveSystem {
        let windows: Vec<Vec<Vec<usize>>> = (0..=heaps).map(|m| arcs(m, window)).collect();
        MoveSystem::closing_up(&windows, ring)
    }

    /// Windows for each number of heaps, where emptied heaps leave.
    fn closing_up(
        windows: &[Vec<Vec<usize>>],
        symmetries: impl Fn(usize) -> Vec<Vec<usize>>,
    ) -> MoveSystem {
        let board =
            |m| Board { heaps: m, positive: true, symmetries: with_identity(m, &symmetries(m)) };
        let mut ways: Vec<MoveKind> = Vec::new();
        for (m, windows) in windows.iter().enumerate().skip(1) {
            for window in windows {
                for gone in 0..1u32 << window.len() {
                    let vanishes = |h: usize| {
                        window.iter().position(|&a| a == h).is_some_and(|i| gone >> i & 1 == 1)
                    };
                    let left: Vec<(usize, bool)> = (0..m)
                        .filter(|&h| !vanishes(h))
                        .map(|h| (h, window.contains(&h)))
                        .collect();
                    let (to, window) = (left.len(), window.clone());
                    let way = MoveKind { from: m, to, heaps: left, window, condition: None };
                    if !ways.contains(&way) {
                        ways.push(way);
                    }
                }
            }
        }
        MoveSystem {
            boards: (0..windows.len()).map(board).collect(),
            ways,
            misere: false,
            memory: 0,
            domain: None,
        }
    }

    /// Returns how many of this many numbers are heaps: the first ones.
    pub(crate) fn heaps_of(&self, numbers: usize) -> usize {
        numbers.saturating_sub(self.memory)
    }

    /// Returns the options of a position, by the rules alone; each with its board. Exponential in
    /// the number of tokens.
    ///
    /// # Panics
    /// If some numbers are no heaps: they may grow, and there is no end to them here.
    pub fn options(&self, board: usize, position: &[u64]) -> Vec<(usize, Vec<u64>)> {
        assert_eq!(self.memory, 0, "what is remembered has no bound here");
        let mut found = Vec::new();
        for way in self.ways.iter().filter(|way| way.from == board) {
            let least = u64::from(self.boards[way.to].positive);
            let mut option: Vec<u64> =
                way.heaps.iter().map(|&(h, low)| if low { least } else { position[h] }).collect();
            loop {
                let fewer = option.iter().sum::<u64>() < position.iter().sum();
                let fits = way
                    .heaps
                    .iter()
                    .zip(&option)
                    .all(|(&(h, _), &q)| least <= q && q <= position[h]);
                if fewer && fits && way.allows(position, &option) {
                    found.push((way.to, option.clone()));
                }
                // The next option: an odometer over the lowered heaps.
                let Some(i) = (0..option.len())
                    .find(|&i| way.heaps[i].1 && option[i] < position[way.heaps[i].0])
                else {
                    break;
                };
                option[i] += 1;
                (0..i).filter(|&j| way.heaps[j].1).for_each(|j| option[j] = least);
            }
        }
        found.arrange();
        found.dedup();
        found
    }

    /// Returns whether this kind of move leads from a position to an option that has fewer tokens.
    pub(crate) fn leads(&self, way: &MoveKind, position: &[u64], option: &[u64]) -> bool {
        let least = u64::from(self.boards[way.to].positive);
        let heaps = self.heaps_of(position.len());
        let fits = |(&(h, low), &q): (&(usize, bool), &u64)| {
            if low { least <= q && (h >= heaps || q <= position[h]) } else { q == position[h] }
        };
        way.heaps.iter().zip(option).all(fits) && way.allows(position, option)
    }

    /// Returns whether the moves of this board are the same seen from every symmetry: a position in
    /// S may then be taken in its first image. Shown for windows only.
    pub(crate) fn is_symmetric(&self, board: usize) -> bool {
        let ways: Vec<&MoveKind> = self.ways.iter().filter(|way| way.from == board).collect();
        let plain = |way: &&MoveKind| {
            way.to == board
                && way.condition.is_none()
                && way.heaps.iter().enumerate().all(|(i, h)| h.0 == i)
        };
        let windows: Vec<Vec<bool>> =
            ways.iter().map(|way| way.heaps.iter().map(|h| h.1).collect()).collect();
        ways.iter().all(plain)
            && self.boards[board].symmetries.iter().all(|symmetry| {
                windows.iter().all(|w| windows.contains(&symmetry.iter().map(|&i| w[i]).collect()))
            })
    }
}

impl MoveKind {
    fn allows(&self, position: &[u64], option: &[u64]) -> bool {
        let Some(condition) = &self.condition else { return true };
        let values: Vec<u64> = self.window.iter().flat_map(|&h| [position[h], option[h]]).collect();
        condition.holds(&values) == Ok(true)
    }

    /// Returns whether its condition fails by what it says of the position alone, whatever the
    /// option is.
    pub(crate) fn is_ruled_out(&self, position: &[u64]) -> bool {
        let Some(condition) = &self.condition else { return false };
        let sizes = |v: usize| {
            let is_before = v < condition.free && v.is_multiple_of(2);
            is_before.then(|| i128::from(position[self.window[v / 2]]))
        };
        fails(&condition.root, &sizes)
    }
}

/// Returns whether a condition fails by comparisons of what is known alone.
fn fails(node: &Node, known: &impl Fn(usize) -> Option<i128>) -> bool {
    match node {
        Node::Compare(left, relation, right) => match (left.value(known), right.value(known)) {
            (Some(left), Some(right)) => !relation.holds(left.cmp(&right)),
            _ => false,
        },
        Node::And(parts) => parts.iter().any(|part| fails(part, known)),
        Node::Or(parts) => parts.iter().all(|part| fails(part, known)),
        Node::Exists(_, body) => fails(body, known),
        _ => false,
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

/// Returns the windows of up to `length` consecutive heaps on a circle; only the longest matter.
pub fn arcs(heaps: usize, length: usize) -> Vec<Vec<usize>> {
    Windows::Arc(length).on_heaps(heaps, MAX_CLAIM_HEAPS).unwrap_or_default()
}

/// Returns turns and reflections of a circle of heaps.
fn ring(heaps: usize) -> Vec<Vec<usize>> {
    Symmetry::Ring.permutations(heaps, usize::MAX).unwrap_or_default()
}

/// Reads one claim for each board from texts with the board's number; boards without a text claim
/// nothing (`false`). Fails at the first text that is no formula.
pub fn claims_for(game: &MoveSystem, texts: &[(usize, &str)]) -> Result<Vec<Claim>, FormulaError> {
    let text =
        |board: usize| texts.iter().find(|(b, _)| *b == board).map_or("false", |(_, text)| text);
    game.boards.iter().enumerate().map(|(i, board)| Claim::parse(text(i), board.heaps)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// What is ruled out has no option; and what the position alone says is seen, within
    /// alternatives and under quantifiers, too.
    #[test]
    fn moves_are_ruled_out_by_the_position_alone() {
        let names = ["p0", "q0", "p1", "q1"].map(String::from);
        let count = |text: &str| {
            let condition = Formula::parse_over(text, &names).unwrap();
            let heaps = vec![(0, true), (1, true)];
            let way =
                MoveKind { from: 0, to: 0, heaps, window: vec![0, 1], condition: Some(condition) };
            let pairs = || (0..6).flat_map(|a| (0..6).map(move |b| [a, b]));
            let ruled_out: Vec<[u64; 2]> = pairs().filter(|p| way.is_ruled_out(p)).collect();
            for p in &ruled_out {
                assert!(pairs().all(|q| !way.allows(p, &q)), "{text}: {p:?}");
            }
            ruled_out.len()
        };
        // Of the 36 positions, 6 have p1 = 2 and 6 have p1 = 1.
        assert_eq!(count("p1 = 2 & q1 = 2 & q0 < p0 | p1 = 1 & q1 = 0 & q0 = p0"), 24);
        assert_eq!(count("E k: p0 = q0+k & p1 >= 4"), 24);
        // Of p0 = 0, …, 5 half are odd; p0 - 1 is 2·p1 at least for 0, 1, 1, 2, 2 and 3 values of
        // p1.
        assert_eq!(count("(p0+5) mod 2 = 0 & q0 < p0"), 18);
        assert_eq!(count("p0-1 >= 2*p1 & q0 < p0"), 36 - (1 + 1 + 2 + 2 + 3));
        // What the option can do nothing about, but the position does not say alone.
        assert_eq!(count("q0 < p0 & q0 > p1 & p0 < 3"), 18);
        assert_eq!(count("q0 < p0 | p1 = 9"), 0);
        assert_eq!(count("~(p0 = p0)"), 0);
    }
}
