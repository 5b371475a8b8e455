//! Misère play where a condition is on the moves, so that players may be stuck with tokens left:
//! normal play of another game. Positions have one heap z more, behind the heaps, with the moves
//! (p, 2) → (q, 2) and (p, 1) → (q, 0) for all moves p → q, and (p, 2) → (p, 1). Then (p, 1) is P
//! if p has no move, and (p, 2) if p is P in misère play (docs/certificates.md).

use crate::game::MoveSystem;
use crate::prove::distinct_images;
use bouton_automata::effort::Undecided;
use bouton_core::{Claim, FormulaBuilder, HeapGame, Meter, Moves, Node, Relation, Symmetry, Term, Windows};

/// The game with one heap more, if the condition on the moves is one on all heaps.
pub fn lifted(stated: &HeapGame) -> Option<HeapGame> {
    let Moves { windows: Windows::Any(window), condition: Some(condition), turned: None, memory, .. } =
        &stated.moves
    else {
        return None;
    };
    let n = stated.heaps;
    if *window != n || stated.shrinks {
        return None;
    }
    let heaps = n - memory.count;
    let before = |number: usize| 2 * number_with_more(number, heaps);
    let after = |number: usize| before(number) + 1;
    let both: Vec<usize> = (0..n).flat_map(|number| [before(number), after(number)]).collect();
    let mut builder = FormulaBuilder::over(Moves::names(n + 1));
    let from_to = |from: u64, to: u64| {
        [(2 * heaps, from), (2 * heaps + 1, to)].map(|(z, k)| Term::Variable(z).equals(Term::Number(k)))
    };
    let played = builder.embed(condition, &both);
    let stays = (0..n).map(|number| Term::Variable(after(number)).equals(Term::Variable(before(number))));
    let falls =
        Term::sum_of((0..heaps).map(after)).compared(Relation::Less, Term::sum_of((0..heaps).map(before)));
    let last = builder.embed(condition, &both);
    let root = Node::any([
        Node::all(from_to(2, 2).into_iter().chain([played])),
        Node::all(from_to(2, 1).into_iter().chain(stays)),
        Node::all(from_to(1, 0).into_iter().chain([falls, last])),
    ]);
    let condition = builder.build(root);
    Some(HeapGame {
        heaps: n + 1,
        symmetry: Symmetry::None,
        moves: Moves {
            windows: Windows::Any(n + 1),
            condition: Some(condition),
            turned: None,
            memory: *memory,
            domain: None,
        },
        ..stated.clone()
    })
}

/// What is claimed of the game with one heap more, of a claim as it stands and what holds of the
/// positions without a move.
pub fn lifted_claim(stated: &HeapGame, claimed: &Claim, stuck: &Claim) -> Claim {
    let heaps = stated.heaps - stated.moves.memory.count;
    let own: Vec<usize> = (0..stated.heaps).map(|number| number_with_more(number, heaps)).collect();
    let mut builder = FormulaBuilder::over(letters(stated.heaps + 1));
    let z = || Term::Variable(heaps);
    let (claimed, stuck) = (builder.embed(claimed.formula(), &own), builder.embed(stuck.formula(), &own));
    let root = Node::any([
        Node::all([z().equals(Term::Number(2)), claimed]),
        Node::all([z().equals(Term::Number(1)), stuck]),
        z().equals(Term::Number(0)),
        z().compared(Relation::Greater, Term::Number(2)),
    ]);
    Claim::from_formula(builder.build(root))
}

/// The place that a number has where a heap is put behind the heaps.
fn number_with_more(number: usize, heaps: usize) -> usize {
    number + usize::from(number >= heaps)
}

/// The names of so many numbers in a claim.
fn letters(count: usize) -> impl Iterator<Item = String> {
    ('a'..='z').take(count).map(String::from)
}

/// A claim that is meant up to the symmetry of a game on one board as one that is meant as it
/// stands.
pub fn closed_claim(claim: &Claim, game: &MoveSystem, meter: &mut Meter) -> Result<Claim, Undecided> {
    let images = distinct_images(claim, &game.boards[0].symmetries, meter)?;
    if images.len() < 2 {
        return Ok(claim.clone());
    }
    let mut builder = FormulaBuilder::over(letters(claim.heaps()));
    let all: Vec<Node> = images.iter().map(|image| builder.embed(claim.formula(), image)).collect();
    Ok(Claim::from_formula(builder.build(Node::any(all))))
}
