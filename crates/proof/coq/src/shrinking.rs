//! Circles from which emptied heaps are removed, as coq/Closing.v states them: one board for each
//! number of heaps. Its claimed options are all circles that a move can leave.

use crate::ExportError;
use crate::board::{Board, ClaimedOption};
use crate::formula::Formula;
use crate::game::{arcs, dihedral};
use crate::refute::RefutationCache;
use bouton_core::Formula as Source;

/// Returns the claims by number of heaps. Without a claim a number of heaps has no claimed
/// position; the claim on no heaps says that the player to move has lost.
pub fn claims(statement: &str, most: usize) -> Result<Vec<Formula>, ExportError> {
    let mut claims = vec![Formula::Known(false); most + 1];
    for one in statement.split("; ") {
        let (heaps, text) = one.split_once(" heaps: ").ok_or_else(ExportError::unreadable)?;
        let heaps: usize = heaps.parse().map_err(|_| ExportError::unreadable())?;
        let letters: Vec<String> = ('a'..='z').take(heaps).map(String::from).collect();
        let source = Source::parse_over(text, &letters).map_err(|_| ExportError::unreadable())?;
        *claims.get_mut(heaps).ok_or_else(ExportError::unreadable)? = Formula::read(&source)?;
    }
    Ok(claims)
}

fn sublists(list: &[usize]) -> Vec<Vec<usize>> {
    let Some((first, rest)) = list.split_first() else { return vec![vec![]] };
    let without = sublists(rest);
    let with = without.iter().map(|l| [std::slice::from_ref(first), &l[..]].concat());
    with.chain(without.iter().cloned()).collect()
}

fn images_of(m: usize, kept: &[usize]) -> Vec<ClaimedOption> {
    let starts = |d: &Vec<usize>| kept.is_empty() || d.first().is_some_and(|i| kept.contains(i));
    let split = |d: Vec<usize>| {
        let (remaining, gone): (Vec<usize>, Vec<usize>) =
            d.into_iter().partition(|i| kept.contains(i));
        ClaimedOption { order: [remaining, gone].concat(), remaining: kept.len() }
    };
    dihedral(m).into_iter().filter(starts).map(split).collect()
}

/// Returns the board of m heaps.
pub fn board(
    m: usize,
    k: usize,
    claims: &[Formula],
    refutations: RefutationCache,
    is_forced: bool,
) -> Board {
    let windows = arcs(m, k.min(m));
    let all: Vec<usize> = (0..m).collect();
    let is_reachable = |kept: &Vec<usize>| {
        windows.iter().any(|w| all.iter().all(|i| kept.contains(i) || w.contains(i)))
    };
    let options = sublists(&all)
        .into_iter()
        .filter(is_reachable)
        .flat_map(|kept| images_of(m, &kept))
        .collect();
    Board {
        heaps: m,
        rule: Formula::Known(true),
        memory: 0,
        is_shrinking: true,
        claims: claims.to_vec(),
        images: dihedral(m),
        windows,
        options,
        must_take: false,
        is_misere: false,
        is_forced,
        refutations,
    }
}
