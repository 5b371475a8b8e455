//! The idea that decides a position, where it is provably one of the simple ones: misère Nim's
//! exception, pairs that are mirrored, multiples of a number, the nim-sum, Moore's columns,
//! Wythoff's pairs, coins that are heaps of Nim.
//!
//! An idea is given only if it agrees with the outcome that was computed, and from a won position
//! only with a move that it recommends.

use bouton_core::{HeapMoves, Moves, Outcome, Play, Windows};
use bouton_engine::{Analysis, Game, Kind, Move};
use bouton_games::{Strip, Turning};
use bouton_heaps::wythoff;

/// An idea that decides a position.
#[derive(Debug)]
pub struct Idea<'m> {
    /// The lost position that it is about: the position itself, or the one that the move leads to.
    pub lost: String,
    /// The move that wins by it; none from a lost position.
    pub made: Option<&'m Move>,
    /// The idea, with the numbers of the position.
    pub kind: IdeaKind,
}

/// The simple ideas; heaps are those that are not empty.
#[derive(Debug)]
pub enum IdeaKind {
    /// The heaps are left in pairs of equal ones, and the second player does in one what the first
    /// did in the other.
    Pairs {
        /// The heaps.
        heaps: Vec<u64>,
    },
    /// Each power of two is left in a multiple of `base` heaps: in Nim (Bouton 1902) of 2, and if
    /// up to `base − 1` heaps may be lowered (Moore 1910).
    PowersOfTwo {
        /// The heaps.
        heaps: Vec<u64>,
        /// How many heaps make a set.
        base: usize,
    },
    /// One heap of which 1 to m − 1 may be taken, and no multiple of m: the lost heaps are the
    /// multiples of m.
    Multiples {
        /// The number m.
        modulus: u64,
        /// What may be taken.
        taken: Vec<u64>,
        /// The heap.
        heap: u64,
    },
    /// One heap whose lost sizes repeat from 0 on: they are those with some remainders.
    Remainders {
        /// The divisor.
        period: u64,
        /// The remainders of lost heaps.
        lost: Vec<u64>,
        /// What may be taken.
        taken: Vec<u64>,
        /// The heap, and the lost one that is left.
        heap: u64,
        /// See `heap`.
        left: u64,
    },
    /// Misère Nim (Bouton 1902): as Nim, until only heaps of one token would be left.
    MisereNim {
        /// The heaps.
        heaps: Vec<u64>,
        /// How many are of one token, and how many are larger.
        ones: usize,
        /// See `ones`.
        large: usize,
    },
    /// Coins whose game is Nim: P exactly if the nim-sum of the heaps is zero.
    Coins {
        /// Which game it is.
        kind: CoinGame,
        /// The heaps of Nim, empty ones among them.
        heaps: Vec<u64>,
    },
    /// Wythoff's game: the lost positions are pairs of which each number is in one, and each
    /// difference.
    WythoffPairs {
        /// The heaps, the smaller one first.
        heaps: [u64; 2],
        /// The pairs up to the larger heap.
        pairs: Vec<(u64, u64)>,
    },
}

/// Remainders that one remembers.
const MAX_REMAINDERS: usize = 5;

/// Returns the simplest idea that decides a position of which an analysis is given; `None` if none
/// of them applies.
pub fn winning_idea<'m>(
    game: &dyn Game,
    play: Play,
    position: &str,
    found: &'m Analysis,
) -> Option<Idea<'m>> {
    let heaps = nonempty_heaps(position)?;
    let won = found.evaluation.outcome? == Outcome::N;
    let seen = Seen { position, found, won };
    // Each move is made in one heap, and what it may do there depends on nothing else.
    let at_once = match game.moves() {
        Some(moves) => match moves.windows {
            Windows::Any(at_once) if moves == Moves::free(Windows::Any(at_once)) => at_once,
            _ => 0,
        },
        None => 0,
    };
    if play == Play::Normal {
        let rules = game.ruleset();
        if wythoff::is_wythoff(game) {
            return seen.wythoff_pairs();
        }
        if rules.downcast_ref() == Some(&Strip::SilverDollar) {
            return seen.coins(CoinGame::Strip);
        }
        if rules.downcast_ref().is_some_and(Turning::is_turtles) {
            return seen.coins(CoinGame::Faces);
        }
    }
    let is_nim = at_once == 1;
    let is_sum = game.kind() == Kind::Impartial && (at_once > 0 || game.heap_moves().is_some());
    if !is_sum || heaps.is_empty() {
        return None;
    }
    match play {
        Play::Misere if is_nim => seen.misere_nim(heaps),
        Play::Misere => None,
        Play::Normal if at_once > 1 => seen.powers_of_two(heaps, at_once + 1),
        Play::Normal => seen.pairs(&heaps).or_else(|| match (game.heap_moves(), &heaps[..]) {
            _ if is_nim => seen.powers_of_two(heaps, 2),
            (Some(HeapMoves::Take(taken)), [heap]) => {
                seen.multiples(&taken, *heap).or_else(|| seen.remainders(&taken, *heap))
            }
            _ => None,
        }),
    }
}

/// Returns whether each power of two is in a multiple of `base` heaps: Nim for 2, else the game of
/// Moore in which up to `base − 1` heaps are lowered.
pub fn is_balanced(heaps: &[u64], base: usize) -> bool {
    let count = |power: u64| heaps.iter().filter(|heap| **heap & power != 0).count();
    (0..u64::BITS).all(|i| count(1 << i).is_multiple_of(base))
}

/// A position and what is known of it.
#[derive(Clone, Copy)]
struct Seen<'p, 'm> {
    position: &'p str,
    found: &'m Analysis,
    won: bool,
}

impl<'m> Seen<'_, 'm> {
    /// Returns the winning move by a rule that says which positions are lost, none from a lost
    /// position. `None` if the rule says otherwise of this position, or no move leads to a lost
    /// one.
    fn winning_move(
        self,
        is_lost: bool,
        leads_to_lost: impl Fn(&str) -> bool,
    ) -> Option<Option<&'m Move>> {
        match self.won {
            won if won == is_lost => None,
            true => self.found.moves.iter().find(|m| leads_to_lost(&m.to)).map(Some),
            false => Some(None),
        }
    }

    /// Returns the same for a rule about the heaps that are not empty.
    fn lost_by(self, is_lost: impl Fn(&[u64]) -> bool, heaps: &[u64]) -> Option<Option<&'m Move>> {
        self.winning_move(is_lost(heaps), |to| nonempty_heaps(to).is_some_and(|p| is_lost(&p)))
    }

    fn pairs(self, heaps: &[u64]) -> Option<Idea<'m>> {
        let made = self.lost_by(is_paired, heaps)?;
        Some(idea(self.position, made, IdeaKind::Pairs { heaps: heaps.to_vec() }))
    }

    fn powers_of_two(self, heaps: Vec<u64>, base: usize) -> Option<Idea<'m>> {
        let made = self.lost_by(|heaps| is_balanced(heaps, base), &heaps)?;
        Some(idea(self.position, made, IdeaKind::PowersOfTwo { heaps, base }))
    }

    fn multiples(self, taken: &[u64], heap: u64) -> Option<Idea<'m>> {
        let modulus = modulus(taken)?;
        let left = heap - heap % modulus;
        let made = self.winning_move(left == heap, |to| single_heap(to) == Some(left))?;
        let kind = IdeaKind::Multiples { modulus, taken: taken.to_vec(), heap };
        Some(idea(&heap.to_string(), made, kind))
    }

    fn remainders(self, taken: &[u64], heap: u64) -> Option<Idea<'m>> {
        let (period, lost) = period(taken).filter(|(_, lost)| lost.len() <= MAX_REMAINDERS)?;
        let is_lost = |heap: u64| lost.contains(&(heap % period));
        let made = self.winning_move(is_lost(heap), |to| single_heap(to).is_some_and(is_lost))?;
        let left = made.map_or(Some(heap), |made| single_heap(&made.to))?;
        let kind = IdeaKind::Remainders { period, lost, taken: taken.to_vec(), heap, left };
        Some(idea(&heap.to_string(), made, kind))
    }

    fn misere_nim(self, heaps: Vec<u64>) -> Option<Idea<'m>> {
        // Lost are heaps of one, an odd number of them; or all columns even.
        let is_lost = |heaps: &[u64]| match heaps.iter().all(|heap| *heap == 1) {
            true => heaps.len() % 2 == 1,
            false => heaps.iter().fold(0u64, |sum, heap| sum ^ heap) == 0,
        };
        let made = self.lost_by(is_lost, &heaps)?;
        let ones = heaps.iter().filter(|heap| **heap == 1).count();
        let large = heaps.len() - ones;
        Some(idea(self.position, made, IdeaKind::MisereNim { heaps, ones, large }))
    }

    fn coins(self, kind: CoinGame) -> Option<Idea<'m>> {
        let heaps = |position: &str| -> Option<Vec<u64>> {
            let places = if position.trim().is_empty() { Vec::new() } else { numbers(position)? };
            let is_ascending = places.windows(2).all(|pair| pair[0] < pair[1]);
            is_ascending.then(|| kind.heaps(&places))
        };
        let all = heaps(&self.found.position)?;
        let leads_to_lost = |to: &str| heaps(to).is_some_and(|heaps| is_balanced(&heaps, 2));
        let made = self.winning_move(is_balanced(&all, 2), leads_to_lost)?;
        Some(idea(&self.found.position, made, IdeaKind::Coins { kind, heaps: all }))
    }

    fn wythoff_pairs(self) -> Option<Idea<'m>> {
        let [a, b] = numbers(self.position)?[..] else { return None };
        let (small, large) = (a.min(b), a.max(b));
        if large == 0 || large > MAX_IN_PAIR {
            return None;
        }
        let pairs = wythoff_pairs(large);
        let is_pair = |heaps: &[u64]| match heaps {
            [] => true,
            [a, b] => pairs.contains(&(*a.min(b), *a.max(b))),
            _ => false,
        };
        let made = self.lost_by(is_pair, &[a, b])?;
        let kind = IdeaKind::WythoffPairs { heaps: [small, large], pairs };
        Some(idea(self.position, made, kind))
    }
}

/// Returns an idea about a position, or about the one that the winning move leads to.
fn idea<'m>(position: &str, made: Option<&'m Move>, kind: IdeaKind) -> Idea<'m> {
    Idea { lost: made.map_or(position, |made| &made.to).to_owned(), made, kind }
}

/// Returns the numbers of a position, if it is a list of them.
fn numbers(position: &str) -> Option<Vec<u64>> {
    position.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// Returns the heaps of a position that are not empty.
fn nonempty_heaps(position: &str) -> Option<Vec<u64>> {
    Some(numbers(position)?.into_iter().filter(|heap| *heap > 0).collect())
}

/// Returns the heap of a position that has one at most besides empty ones.
fn single_heap(position: &str) -> Option<u64> {
    Some(numbers(position)?.iter().sum())
}

/// Returns whether the heaps are pairs of equal ones.
fn is_paired(rows: &[u64]) -> bool {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    !rows.is_empty() && rows.len().is_multiple_of(2) && rows.chunks(2).all(|two| two[0] == two[1])
}

/// Returns the number whose multiples are the lost heaps, if 1 to one less than it may be taken,
/// and no multiple of it.
fn modulus(set: &[u64]) -> Option<u64> {
    let modulus = (1..).find(|n| !set.contains(n))?;
    (modulus > 1 && set.iter().all(|taken| !taken.is_multiple_of(modulus))).then_some(modulus)
}

/// Returns the period of the lost heaps, if from 0 on they repeat, and the lost ones below it. As
/// many outcomes as the largest move decide all after them; so that many equal ones are a proof.
fn period(set: &[u64]) -> Option<(u64, Vec<u64>)> {
    const MAX_PERIOD: usize = 60;
    let most =
        usize::try_from(*set.iter().max()?).ok().filter(|most| (1..=MAX_PERIOD).contains(most))?;
    let mut lost: Vec<bool> = Vec::new();
    for heap in 0..MAX_PERIOD + most {
        let leads = |taken: &u64| {
            let left = usize::try_from(*taken).ok().and_then(|taken| heap.checked_sub(taken));
            left.is_some_and(|left| left < heap && lost[left])
        };
        let is_won = set.iter().any(leads);
        lost.push(!is_won);
    }
    let period = (1..=MAX_PERIOD).find(|period| lost[..most] == lost[*period..period + most])?;
    Some((period as u64, (0..period).filter(|heap| lost[*heap]).map(|heap| heap as u64).collect()))
}

/// Coins that are heaps of Nim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoinGame {
    /// On a strip, each moved to the left past no other: the gaps of pairs of neighbours.
    Strip,
    /// In a row, one turned from heads and perhaps one to its left: the places of the heads.
    Faces,
}

impl CoinGame {
    /// Returns the heaps of Nim of coins at these places, ascending. On a strip they are paired
    /// from the right; a coin that is left alone has the squares to its left.
    fn heaps(self, places: &[u64]) -> Vec<u64> {
        match self {
            CoinGame::Faces => places.to_vec(),
            CoinGame::Strip => {
                let alone = places.len() % 2;
                let gaps = places[alone..].chunks(2).map(|pair| pair[1] - pair[0] - 1);
                places[..alone].iter().copied().chain(gaps).collect()
            }
        }
    }
}

/// The largest number of which a pair is looked for.
const MAX_IN_PAIR: u64 = 10_000;

/// Returns the pairs of which the smaller number is at most `most`: the k-th, from 0, is the least
/// number that is in no pair before it, and k more (Wythoff 1907).
fn wythoff_pairs(most: u64) -> Vec<(u64, u64)> {
    let mut is_used = vec![false; most as usize + 2];
    let mut pairs = Vec::new();
    for small in 0..=most {
        if !is_used[small as usize] {
            let large = small + pairs.len() as u64;
            if let Some(used) = is_used.get_mut(large as usize) {
                *used = true;
            }
            pairs.push((small, large));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the rules alone: a heap is lost if no move leads to a lost one.
    #[test]
    fn multiples_are_the_lost_heaps() {
        for set in [
            &[1, 2, 3][..],
            &[1],
            &[1, 3],
            &[1, 2, 4],
            &[1, 2, 3, 5, 6, 7],
            &[2, 3],
            &[1, 4, 7],
            &[1, 2, 6],
        ] {
            let mut lost = vec![true];
            for heap in 1..60u64 {
                let wins = |taken: &u64| *taken <= heap && lost[(heap - taken) as usize];
                lost.push(!set.iter().any(wins));
            }
            if let Some(m) = modulus(set) {
                assert!((0..60).all(|heap| lost[heap as usize] == (heap % m == 0)), "{set:?} {m}");
            }
        }
        let found: Vec<Option<u64>> =
            [&[1, 2, 3][..], &[1, 3], &[1, 2, 4], &[2, 3], &[1, 2, 6]].map(modulus).to_vec();
        assert_eq!(found, [Some(4), Some(2), Some(3), None, None]);
    }

    /// By the rules alone: the lost positions of a queen that goes left, down or both.
    #[test]
    fn pairs_are_the_lost_positions_of_wythoffs_game() {
        const SIDE: usize = 40;
        let mut lost = [[false; SIDE]; SIDE];
        for a in 0..SIDE {
            for b in 0..SIDE {
                let left = (1..=a).any(|k| lost[a - k][b]);
                let both = (1..=a.min(b)).any(|k| lost[a - k][b - k]);
                lost[a][b] = !left && !both && !(1..=b).any(|k| lost[a][b - k]);
            }
        }
        let pairs = wythoff_pairs(SIDE as u64);
        for (a, row) in (0..).zip(&lost) {
            for (b, lost) in (0..).zip(row) {
                assert_eq!(pairs.contains(&(a.min(b), a.max(b))), *lost, "{a},{b}");
            }
        }
    }

    /// By the rules alone: sets of places, each move to a lower one in the order of binary numbers.
    #[test]
    fn coins_are_heaps_of_nim() {
        const PLACES: u64 = 9;
        let sets = |first: u64| {
            (0u64..1 << PLACES).map(move |set| {
                let coins = (0..PLACES).filter(|i| set >> i & 1 == 1);
                coins.map(|i| i + first).collect::<Vec<u64>>()
            })
        };
        let agree = |kind: CoinGame, first: u64, moves: fn(u64) -> Vec<u64>| {
            let mut lost: Vec<bool> = Vec::new();
            for (set, places) in (0u64..).zip(sets(first)) {
                lost.push(!moves(set).into_iter().any(|to| lost[to as usize]));
                assert_eq!(is_balanced(&kind.heaps(&places), 2), lost[set as usize], "{places:?}");
            }
        };
        agree(CoinGame::Strip, 0, |set| {
            let coins = (0..PLACES).filter(|i| set >> i & 1 == 1);
            let slides = coins.flat_map(|from| {
                let free = (0..from).rev().take_while(|to| set >> to & 1 == 0).collect::<Vec<_>>();
                free.into_iter().map(move |to| set ^ (1 << from) ^ (1 << to))
            });
            slides.collect()
        });
        agree(CoinGame::Faces, 1, |set| {
            let heads = (0..PLACES).filter(|i| set >> i & 1 == 1);
            let turns = heads.flat_map(|from| {
                let other = (0..from).map(move |to| set ^ (1 << from) ^ (1 << to));
                other.chain([set ^ (1 << from)])
            });
            turns.collect()
        });
    }

    /// By the rules alone: three heaps, of which one or two are lowered.
    #[test]
    fn balanced_columns_are_the_lost_positions() {
        let all =
            || (0..6u64).flat_map(|a| (0..6).flat_map(move |b| (0..6).map(move |c| [a, b, c])));
        let mut lost: Vec<[u64; 3]> = Vec::new();
        for heaps in all() {
            // Ascending, so what a move leads to comes first.
            let reached = |to: &[u64; 3]| {
                let lowered = to.iter().zip(&heaps).filter(|(to, from)| to < from).count();
                to.iter().zip(&heaps).all(|(to, from)| to <= from) && (1..=2).contains(&lowered)
            };
            if !lost.iter().any(reached) {
                lost.push(heaps);
            }
        }
        for heaps in all() {
            assert_eq!(is_balanced(&heaps, 3), lost.contains(&heaps), "{heaps:?}");
        }
    }

    #[test]
    fn heaps_in_pairs() {
        assert!(is_paired(&[4, 4]) && is_paired(&[1, 3, 1, 3]));
        assert!(
            !is_paired(&[])
                && !is_paired(&[4])
                && !is_paired(&[1, 1, 1])
                && !is_paired(&[1, 1, 2, 3])
        );
    }
}
