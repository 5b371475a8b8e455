//! Circles that close up, as coq/Closing.v has them: one board for each number of heaps, its targets all circles that a move can leave.

use crate::NotCovered;
use crate::board::{Board, Target};
use crate::formula::Formula;
use crate::game::{arcs, dihedral};
use crate::refute::Known;
use bouton_core::Formula as Source;

/// What is claimed, by number of heaps; of none, that the one who is to move has lost, or nothing.
pub fn claims(statement: &str, most: usize) -> Result<Vec<Formula>, NotCovered> {
    let broken = || NotCovered::new("the certificate cannot be read");
    let mut claims = vec![Formula::Known(false); most + 1];
    for one in statement.split("; ") {
        let (heaps, text) = one.split_once(" heaps: ").ok_or_else(broken)?;
        let heaps: usize = heaps.parse().map_err(|_| broken())?;
        let letters: Vec<String> = ('a'..='z').take(heaps).map(String::from).collect();
        let source = Source::parse_over(text, &letters).map_err(|_| broken())?;
        *claims.get_mut(heaps).ok_or_else(broken)? = Formula::read(&source)?;
    }
    Ok(claims)
}

fn sublists(list: &[usize]) -> Vec<Vec<usize>> {
    let Some((first, rest)) = list.split_first() else { return vec![vec![]] };
    let without = sublists(rest);
    let with = without.iter().map(|l| [std::slice::from_ref(first), &l[..]].concat());
    with.chain(without.iter().cloned()).collect()
}

fn turns(m: usize, kept: &[usize]) -> Vec<Target> {
    let starts = |d: &Vec<usize>| kept.is_empty() || d.first().is_some_and(|i| kept.contains(i));
    let split = |d: Vec<usize>| {
        let (left, gone): (Vec<usize>, Vec<usize>) = d.into_iter().partition(|i| kept.contains(i));
        Target { order: [left, gone].concat(), left: kept.len() }
    };
    dihedral(m).into_iter().filter(starts).map(split).collect()
}

/// A board of m heaps.
pub fn board(m: usize, k: usize, claims: &[Formula], refutations: Known, forced: bool) -> Board {
    let windows = arcs(m, k.min(m));
    let all: Vec<usize> = (0..m).collect();
    let can =
        |kept: &Vec<usize>| windows.iter().any(|w| all.iter().all(|i| kept.contains(i) || w.contains(i)));
    let targets = sublists(&all).into_iter().filter(can).flat_map(|kept| turns(m, &kept)).collect();
    Board {
        heaps: m,
        rule: Formula::Known(true),
        alive: true,
        claims: claims.to_vec(),
        images: dihedral(m),
        windows,
        targets,
        misere: false,
        forced,
        refutations,
    }
}
