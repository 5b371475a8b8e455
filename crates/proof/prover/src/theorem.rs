//! "The P-positions are exactly …" as one closed formula, for other provers and for
//! [`decide`](bouton_automata::decide).
//!
//! No move leads from S to S, and from every position outside S some move leads into S. Moves are
//! taken window by window, so that only the heaps that a move may lower are quantified.

use crate::game::{MoveKind, MoveSystem};
use crate::prove::distinct_images;
use bouton_automata::effort::Undecided;
use bouton_core::{Claim, Formula, FormulaBuilder, LimitReached, Meter, Node, Relation, Term};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Why there is no such formula.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSentence {
    /// Positions lie on boards of several sizes.
    #[error("a circle that shrinks has no single statement")]
    Boards,
    /// More images of the claim than allowed.
    #[error("more than {MAX_IMAGES} images of the claim")]
    Images,
    /// The budget is spent.
    #[error(transparent)]
    Limit(#[from] LimitReached),
}

/// Images of the claim that are written out.
const MAX_IMAGES: usize = 720;

/// Returns the statement for a game on one board. The claim holds up to the board's symmetries.
pub fn theorem(game: &MoveSystem, claim: &Claim, meter: &mut Meter) -> Result<Formula, NoSentence> {
    let [board] = game.boards.as_slice() else { return Err(NoSentence::Boards) };
    let images = match distinct_images(claim, &board.symmetries, meter) {
        Ok(images) => images,
        Err(Undecided::Limit(limit)) => return Err(limit.into()),
        Err(_) => closure(&board.symmetries, board.heaps).ok_or(NoSentence::Images)?,
    };
    let mut builder = FormulaBuilder::default();
    let positions: Vec<usize> = (0..board.heaps).map(|h| builder.bind(format!("p{h}"))).collect();
    let claimed = |heaps: &[usize], builder: &mut FormulaBuilder| {
        // Images that say the same are written once, in the order of their texts.
        let mut parts = BTreeMap::new();
        for image in &images {
            let turned: Vec<usize> = image.iter().map(|&h| heaps[h]).collect();
            parts.entry(printed(claim.formula(), &turned, builder)).or_insert(turned);
        }
        Node::any(
            parts
                .into_values()
                .map(|turned| builder.embed(claim.formula(), &turned))
                .collect::<Vec<_>>(),
        )
    };
    let position = claimed(&positions, &mut builder);
    // A move of one kind, and the option that it leads to.
    let moved = |way: &MoveKind, builder: &mut FormulaBuilder| {
        let lowered: Vec<usize> =
            way.heaps.iter().filter(|heap| heap.1).map(|heap| heap.0).collect();
        let chosen: Vec<usize> = lowered.iter().map(|h| builder.bind(format!("q{h}"))).collect();
        let of = |heap: usize| lowered.iter().position(|h| *h == heap).map(|place| chosen[place]);
        let option: Vec<usize> =
            way.heaps.iter().map(|&(h, _)| of(h).unwrap_or(positions[h])).collect();
        let mut parts: Vec<Node> = lowered
            .iter()
            .zip(&chosen)
            .map(|(&h, &q)| {
                Term::Variable(q).compared(Relation::AtMost, Term::Variable(positions[h]))
            })
            .collect();
        let before = Term::sum_of(lowered.iter().map(|&h| positions[h]));
        parts.push(Term::sum_of(chosen.iter().copied()).compared(Relation::Less, before));
        if let Some(condition) = &way.condition {
            // A heap that stays is its own option.
            let numbers: Vec<usize> = way
                .window
                .iter()
                .flat_map(|&h| [positions[h], of(h).unwrap_or(positions[h])])
                .collect();
            parts.push(builder.embed(condition, &numbers));
        }
        parts.push(claimed(&option, builder));
        (chosen, Node::all(parts))
    };
    let mut stay = Vec::new();
    for way in &game.ways {
        let (chosen, leads) = moved(way, &mut builder);
        stay.push(leads.negated().for_all(chosen));
    }
    let mut lead = vec![claimed(&positions, &mut builder)];
    for way in &game.ways {
        let (chosen, leads) = moved(way, &mut builder);
        lead.push(leads.exists(chosen));
    }
    let mut parts = vec![position.implies(Node::all(stay))];
    if game.misere {
        let end =
            || Node::all(positions.iter().map(|p| Term::Variable(*p).equals(Term::Number(0))));
        lead.push(end());
        parts.push(Node::any(lead));
        parts.push(end().implies(claimed(&positions, &mut builder).negated()));
    } else {
        parts.push(Node::any(lead));
    }
    let root = Node::all(parts).for_all(positions);
    Ok(builder.build(root))
}

/// Returns a formula over these variables as text, to order images by.
fn printed(formula: &Formula, variables: &[usize], builder: &FormulaBuilder) -> String {
    let names: Vec<String> =
        variables.iter().map(|variable| builder.name(*variable).to_owned()).collect();
    formula.over(&names).to_string()
}

/// Returns everything that the symmetries generate; `None` where that is too much.
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
            if met.len() > MAX_IMAGES {
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

    /// The general decision procedure, which shares only the reading of atoms with the prover,
    /// comes to its verdicts.
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
        // One of each pair is written by its lesser number: an even number of zeros at the end of
        // its numeral.
        assert!(!holds(&queen, "shift(a) = b", Numeration::ZECKENDORF));
    }
}
