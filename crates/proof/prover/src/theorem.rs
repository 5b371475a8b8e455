//! "The P-positions are exactly …" as one closed formula, for other provers and for [`decide`](bouton_automata::decide).
//!
//! No move leads from S to S, and from every position outside S some move leads into S. Moves are taken window by
//! window, so that only the heaps that a move may lower are quantified.

use crate::game::{MoveSystem, Way};
use crate::prove::distinct_images;
use bouton_automata::effort::Undecided;
use bouton_core::{Claim, Formula, FormulaError, LimitReached, Meter};
use std::collections::{BTreeSet, VecDeque};

/// Why there is no such formula.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoTheorem {
    /// Positions lie on boards of several sizes.
    #[error("a circle that shrinks has no single statement")]
    Boards,
    /// More images of the claim than allowed.
    #[error("more than {MOST_IMAGES} images of the claim")]
    Images,
    /// The budget is spent.
    #[error(transparent)]
    Limit(#[from] LimitReached),
    /// The text became no formula.
    #[error(transparent)]
    Formula(#[from] FormulaError),
}

/// Images of the claim that are written out.
const MOST_IMAGES: usize = 720;

/// The statement for a game on one board. The claim holds up to the board's symmetries.
pub fn theorem(game: &MoveSystem, claim: &Claim, meter: &mut Meter) -> Result<Formula, NoTheorem> {
    let [board] = game.boards.as_slice() else { return Err(NoTheorem::Boards) };
    let images = match distinct_images(claim, &board.symmetries, meter) {
        Ok(images) => images,
        Err(Undecided::Limit(limit)) => return Err(limit.into()),
        Err(_) => closure(&board.symmetries, board.heaps).ok_or(NoTheorem::Images)?,
    };
    let name = |letter: char, heap: usize| format!("{letter}{heap}");
    // The claim of these heaps, in one of its images.
    let in_s = |heaps: &[String]| {
        let mut parts = BTreeSet::new();
        for image in &images {
            let turned: Vec<String> = image.iter().map(|&h| heaps[h].clone()).collect();
            parts.insert(format!("({})", over(claim.formula(), &turned)));
        }
        format!("({})", parts.into_iter().collect::<Vec<String>>().join(" | "))
    };
    let positions: Vec<String> = (0..board.heaps).map(|h| name('p', h)).collect();
    let position = in_s(&positions);
    let (mut stay, mut lead) = (Vec::new(), vec![position.clone()]);
    for way in &game.ways {
        let lowered: Vec<usize> = way.heaps.iter().filter(|heap| heap.1).map(|heap| heap.0).collect();
        let option: Vec<String> =
            way.heaps.iter().map(|&(h, low)| name(if low { 'q' } else { 'p' }, h)).collect();
        let (falls, option) = (falls(way, &lowered), in_s(&option));
        let chosen = lowered.iter().map(|&h| name('q', h)).collect::<Vec<_>>().join(",");
        stay.push(format!("(A {chosen}: ~({falls} & {option}))"));
        lead.push(format!("(E {chosen}: {falls} & {option})"));
    }
    let all = positions.join(",");
    let mut text = String::new();
    if game.misere {
        let end: Vec<String> = positions.iter().map(|p| format!("{p} = 0")).collect();
        let end = format!("({})", end.join(" & "));
        text = format!(" & ({end} => ~{position})");
        lead.push(end);
    }
    let text = format!("A {all}: ({position} => ({})) & ({}){text}", stay.join(" & "), lead.join(" | "));
    Ok(Formula::parse(&text)?)
}

/// That a move of this kind is one: no heap grows, something is taken, and what else is asked.
fn falls(way: &Way, lowered: &[usize]) -> String {
    let mut parts: Vec<String> = lowered.iter().map(|h| format!("q{h} <= p{h}")).collect();
    let sum = |letter| lowered.iter().map(|h| format!("{letter}{h}")).collect::<Vec<_>>().join("+");
    parts.push(format!("{} < {}", sum('q'), sum('p')));
    if let Some(condition) = &way.condition {
        let names: Vec<String> = way.window.iter().flat_map(|h| [format!("p{h}"), format!("q{h}")]).collect();
        parts.push(format!("({})", over(condition, &names)));
    }
    parts.join(" & ")
}

/// The formula over other free variables.
fn over(formula: &Formula, free: &[String]) -> Formula {
    let mut named = formula.clone();
    named.names.splice(..formula.free, free.iter().cloned());
    named
}

/// Everything that the symmetries generate; `None` where that is too much.
fn closure(generators: &[Vec<usize>], heaps: usize) -> Option<Vec<Vec<usize>>> {
    let identity: Vec<usize> = (0..heaps).collect();
    let mut met = BTreeSet::from([identity.clone()]);
    let mut open = VecDeque::from([identity]);
    while let Some(image) = open.pop_front() {
        for generator in generators {
            let next: Vec<usize> = generator.iter().map(|&h| image[h]).collect();
            if met.insert(next.clone()) {
                open.push_back(next);
            }
            if met.len() > MOST_IMAGES {
                return None;
            }
        }
    }
    Some(met.into_iter().collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_automata::decide::{Decision, decide};
    use bouton_automata::effort::default_budget;
    use bouton_automata::numeration::Numeration;

    fn holds(game: &MoveSystem, claim: &str, numeration: Numeration) -> bool {
        let claim = Claim::parse(claim, game.boards[0].heaps).unwrap();
        let mut meter = Meter::new(&default_budget());
        let statement = theorem(game, &claim, &mut meter).unwrap();
        match decide(&statement, numeration, &mut meter).unwrap() {
            Decision::True(_) => true,
            Decision::False(_) => false,
            Decision::Open(_) => panic!("a statement is closed"),
        }
    }

    /// The general decision procedure, which shares only the reading of atoms with the prover, comes to its verdicts.
    #[test]
    fn theorems_are_decided() {
        let subsets: Vec<Vec<usize>> = (0..3).map(|h| vec![h]).collect();
        let nim = MoveSystem::windows(3, &subsets, &[vec![1, 0, 2], vec![1, 2, 0]]);
        assert!(holds(&nim, "a xor b xor c = 0", Numeration::Binary));
        assert!(!holds(&nim, "a = b & c = 0", Numeration::Binary));
        // C3 and C4 of the slides of Heubach and Dufour.
        assert!(holds(&MoveSystem::circular(3, 2), "a = b & b = c", Numeration::Binary));
        assert!(holds(&MoveSystem::circular(4, 2), "a = c & b = d", Numeration::Binary));
        assert!(!holds(&MoveSystem::circular(4, 2), "a = c & b = d & a <= 2", Numeration::Binary));
        let queen = MoveSystem::moves(2, "q0=p0 | q1=p1 | p0+q1 = p1+q0", &[vec![1, 0]]).unwrap();
        // One of each pair is written by its lesser number: an even number of zeros at the end of its numeral.
        assert!(!holds(&queen, "shift(a) = b", Numeration::ZECKENDORF));
    }
}
