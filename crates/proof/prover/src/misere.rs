//! Misère play where a condition is on the moves, so that players may be stuck with tokens left:
//! normal play of another game. Positions have one heap z more, behind the heaps, with the moves
//! (p, 2) → (q, 2) and (p, 1) → (q, 0) for all moves p → q, and (p, 2) → (p, 1). Then (p, 1) is P
//! if p has no move, and (p, 2) if p is P in misère play (docs/certificates.md).

use crate::automatic::move_acceptor;
use crate::game::MoveSystem;
use crate::prove::distinct_images;
use bouton_automata::acceptor::{Acceptor, columns, explore};
use bouton_automata::effort::{Undecided, check_memory};
use bouton_core::{
    Claim, FormulaBuilder, HeapGame, Meter, Moves, Node, Relation, Symmetry, Term, Windows,
};

/// Returns the game with one heap more, if the condition on the moves is one on all heaps.
pub fn with_added_heap(stated: &HeapGame) -> Option<HeapGame> {
    let Moves {
        windows: Windows::Any(window),
        condition: Some(condition),
        permutation: None,
        memory,
        ..
    } = &stated.moves
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
        [(2 * heaps, from), (2 * heaps + 1, to)]
            .map(|(z, k)| Term::Variable(z).equals(Term::Number(k)))
    };
    let played = builder.embed(condition, &both);
    let stays =
        (0..n).map(|number| Term::Variable(after(number)).equals(Term::Variable(before(number))));
    let falls = Term::sum_of((0..heaps).map(after))
        .compared(Relation::Less, Term::sum_of((0..heaps).map(before)));
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
            permutation: None,
            memory: *memory,
            domain: None,
        },
        ..stated.clone()
    })
}

/// Returns what is claimed of the game with one heap more, of a claim as it stands and what holds
/// of the positions without a move.
pub fn claim_with_added_heap(stated: &HeapGame, claimed: &Claim, stuck: &Claim) -> Claim {
    let heaps = stated.heaps - stated.moves.memory.count;
    let own: Vec<usize> = (0..stated.heaps).map(|number| number_with_more(number, heaps)).collect();
    let mut builder = FormulaBuilder::over(letters(stated.heaps + 1));
    let z = || Term::Variable(heaps);
    let (claimed, stuck) =
        (builder.embed(claimed.formula(), &own), builder.embed(stuck.formula(), &own));
    let root = Node::any([
        Node::all([z().equals(Term::Number(2)), claimed]),
        Node::all([z().equals(Term::Number(1)), stuck]),
        z().equals(Term::Number(0)),
        z().compared(Relation::Greater, Term::Number(2)),
    ]);
    Claim::from_formula(builder.build(root))
}

/// Returns, of an automaton that is claimed to read the P-positions of a game in misère play, the
/// one that then reads those of the game with one heap more in normal play.
///
/// # Errors
/// If the game has several boards or windows, or the automata are beyond the budget.
pub fn misere_acceptor(
    stated: &HeapGame,
    game: &MoveSystem,
    claimed: &Acceptor,
    meter: &mut Meter,
) -> Result<Acceptor, Undecided> {
    let n = stated.heaps;
    let base = claimed.digits.base();
    let ([way], true) = (&game.ways[..], claimed.tracks == n) else {
        return Err(Undecided::Automatic("another number of heaps"));
    };
    if columns(base, 2 * n + 2).is_none() {
        return Err(Undecided::Automatic("so many heaps in misère play"));
    }
    let moves = move_acceptor(game, way, claimed.digits, meter)?;
    let stuck = without_option(&moves, n, meter)?;
    // Digits of the heap more are read up to 2; 3 is any greater number.
    let below = base.pow((n - stated.moves.memory.count) as u32);
    let enter = |[more, own, without]: &[u32; 3], known: usize| {
        meter.spend_and_poll((base * claimed.columns()) as u64)?;
        check_memory(meter, known * (64 + 4 * base * claimed.columns()))?;
        Ok(match more {
            1 => stuck.accepts[*without as usize],
            2 => claimed.accepts[*own as usize],
            _ => true,
        })
    };
    let step = |[more, own, without]: &[u32; 3], column: usize| {
        let digit = (column / below % base) as u32;
        let rest = column % below + column / (below * base) * below;
        let more = (more * base as u32 + digit).min(3);
        Some([more, claimed.next[*own as usize][rest], stuck.next[*without as usize][rest]])
    };
    let (next, accepts) = explore([0; 3], base * claimed.columns(), enter, step)?;
    let all = Acceptor { next, accepts, tracks: n + 1, ..*claimed };
    Ok(all.minimal_on_numerals(meter)?)
}

/// Returns the automaton of the positions on this many numbers from which there is no move, of that
/// of the moves: place i is read before and after by numbers 2i and 2i + 1.
fn without_option(
    moves: &Acceptor,
    numbers: usize,
    meter: &mut Meter,
) -> Result<Acceptor, Undecided> {
    let base = moves.digits.base();
    let columns = base.pow(numbers as u32);
    let spread = |column: usize, after: usize| {
        (0..numbers).fold(0, |all, place| {
            let digit = column / base.pow(place as u32) % base;
            all + digit * base.pow((2 * place + after) as u32)
        })
    };
    let [before, after] =
        [0, 1].map(|side| (0..columns).map(|c| spread(c, side)).collect::<Vec<_>>());
    let alive = moves.coaccessible_states();
    let step = |states: &[u32], column: usize| {
        let mut to: Vec<u32> = Vec::new();
        for state in states {
            let row = &moves.next[*state as usize];
            to.extend(
                after.iter().map(|own| row[before[column] + own]).filter(|to| alive[*to as usize]),
            );
        }
        to.sort_unstable();
        to.dedup();
        to
    };
    // What is remembered after a move may have more digits than the position.
    let mut first = vec![0u32];
    loop {
        meter.spend_and_poll((first.len() * columns) as u64)?;
        let mut more = [&first[..], &step(&first, 0)].concat();
        more.sort_unstable();
        more.dedup();
        if more == first {
            break;
        }
        first = more;
    }
    let enter = |states: &Vec<u32>, known: usize| {
        meter.spend_and_poll((columns * columns * (1 + states.len())) as u64)?;
        check_memory(meter, known * (64 + 4 * columns) + 8 * states.len())?;
        Ok(!states.iter().any(|state| moves.accepts[*state as usize]))
    };
    let (next, accepts) =
        explore(first, columns, enter, |states, column| Some(step(states, column)))?;
    let all = Acceptor { next, accepts, tracks: numbers, ..*moves };
    Ok(all.minimal_on_numerals(meter)?)
}

/// Returns the place that a number has where a heap is put behind the heaps.
fn number_with_more(number: usize, heaps: usize) -> usize {
    number + usize::from(number >= heaps)
}

/// Returns the names of this many numbers in a claim.
fn letters(count: usize) -> impl Iterator<Item = String> {
    ('a'..='z').take(count).map(String::from)
}

/// Returns a claim that is meant up to the symmetry of a game on one board as one that is meant as
/// it stands.
pub fn closed_claim(
    claim: &Claim,
    game: &MoveSystem,
    meter: &mut Meter,
) -> Result<Claim, Undecided> {
    let images = distinct_images(claim, &game.boards[0].symmetries, meter)?;
    if images.len() < 2 {
        return Ok(claim.clone());
    }
    let mut builder = FormulaBuilder::over(letters(claim.heaps()));
    let all: Vec<Node> = images.iter().map(|image| builder.embed(claim.formula(), image)).collect();
    Ok(Claim::from_formula(builder.build(Node::any(all))))
}
