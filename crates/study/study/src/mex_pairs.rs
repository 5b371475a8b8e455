//! Games on two heaps whose P-positions are pairs of two sequences: one by least numbers that are
//! free of the pairs before, the other a sum of multiples of it, of the number of the pair and of
//! the pair before.
//!
//! Such sequences answer the games of Fraenkel (2004) and Gurvich (2012). They are read off a
//! table, the fewest multiples first, and put to the prover: a theorem asks for no evidence.

use crate::tables::Tables;
use bouton_conjecture::OutcomeTable;
use bouton_core::{Play, Symmetry};
use bouton_prover::Pairs;

/// The greatest width that is tried.
const WIDTH: u64 = 8;
/// The fewest pairs that are fitted.
const FEWEST: usize = 6;
/// The most sequences that fit and are put to the prover.
const TRIED: usize = 3;

/// Returns whether P-positions of a game may be told by pairs of sequences: two heaps of any size
/// that may change places, in normal play, with nothing that is remembered.
pub(crate) fn applies(tables: &Tables<'_>) -> bool {
    let stated = tables.stated;
    tables.play == Play::Normal
        && stated.heaps == 2
        && stated.symmetry == Symmetry::Full
        && !stated.shrinks
        && stated.moves.memory.count == 0
        && stated.moves.domain.is_none()
}

/// Returns the sequences that fit the pairs of a table, the plainest first.
pub(crate) fn fitting(table: &OutcomeTable) -> Vec<Pairs> {
    let mut all: Vec<[i64; 2]> = table
        .p_positions()
        .filter_map(|p| match p {
            [a, b] => Some([i64::from(*a.min(b)), i64::from(*a.max(b))]),
            _ => None,
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    let Some((width, pairs)) = (1..=WIDTH).find_map(|width| Some((width, by_mex(&all, width)?)))
    else {
        return Vec::new();
    };
    let mut found: Vec<([i64; 4], i64)> = Vec::new();
    for coefficients in candidates() {
        let [n, a, p, q] = coefficients;
        let is_recursive = p != 0 || q != 0;
        let constant = |at: usize| {
            let before = pairs[at.saturating_sub(1)];
            let [own, other] = pairs[at];
            other - (n * at as i64 + a * own + p * before[0] + q * before[1])
        };
        let from = usize::from(is_recursive);
        let known = constant(from);
        if (from..pairs.len()).all(|at| constant(at) == known) {
            found.push((coefficients, known));
        }
    }
    let multiples = |(all, constant): &([i64; 4], i64)| {
        let is_recursive = all[2] != 0 || all[3] != 0;
        (is_recursive, all.iter().map(|one| one.abs()).sum::<i64>() + i64::from(*constant != 0))
    };
    found.sort_by_key(multiples);
    let first = u64::try_from(pairs[0][1]).ok();
    let as_pairs = |(all, constant): ([i64; 4], i64)| {
        Pairs::linear(width, all, constant, first.filter(|_| all[2] != 0 || all[3] != 0))
    };
    found.into_iter().take(TRIED).map(as_pairs).collect()
}

/// Returns the multiples of n, a and the pair before that are tried.
fn candidates() -> impl Iterator<Item = [i64; 4]> {
    let numbered = (0..=6).flat_map(|n| (1..=4).map(move |a| [n, a, 0, 0]));
    let recursive = (0..=4).flat_map(|n| {
        (1..=4).flat_map(move |a| {
            (-6..=2).flat_map(move |p| {
                (-1..=4).filter(move |q| p != 0 || *q != 0).map(move |q| [n, a, p, q])
            })
        })
    });
    numbered.chain(recursive)
}

/// Returns the pairs up to the first one that the table may not have, if the lesser numbers are by
/// least numbers that are free.
fn by_mex(all: &[[i64; 2]], width: u64) -> Option<Vec<[i64; 2]>> {
    let width = i64::try_from(width).ok()?;
    let mut pairs: Vec<[i64; 2]> = Vec::new();
    let mut taken = std::collections::HashSet::new();
    let mut least = 0;
    for [a, b] in all {
        while (0..width).any(|below| taken.contains(&(least - below))) {
            least += 1;
        }
        if *a != least {
            // A pair is missing, whose greater number may lie beyond the table.
            if pairs.len() < FEWEST || *a < least {
                return None;
            }
            break;
        }
        taken.extend([*a, *b]);
        pairs.push([*a, *b]);
    }
    (pairs.len() >= FEWEST).then_some(pairs)
}
