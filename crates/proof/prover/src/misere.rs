//! Misère play where a condition is on the moves, so that players may be stuck with tokens left: normal play
//! of another game. Positions have one heap z more, behind the heaps, with the moves (p, 2) → (q, 2) and
//! (p, 1) → (q, 0) for all moves p → q, and (p, 2) → (p, 1). Then (p, 1) is P if p has no move, and (p, 2)
//! if p is P in misère play (docs/certificates.md).

use crate::game::MoveSystem;
use crate::prove::distinct_images;
use bouton_automata::effort::Undecided;
use bouton_core::{Claim, Formula, FormulaError, HeapGame, Meter, Moves, Symmetry, Windows};

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
    let tokens =
        |letter: char| (0..n - memory.count).map(|h| format!("{letter}{h}")).collect::<Vec<_>>().join("+");
    let same: String = (0..n).map(|h| format!(" & q{h} = p{h}")).collect();
    let text = format!(
        "p{n} = 2 & q{n} = 2 & ({condition}) | p{n} = 2 & q{n} = 1{same} | \
         p{n} = 1 & q{n} = 0 & {} < {} & ({condition})",
        tokens('q'),
        tokens('p')
    );
    let heaps = n - memory.count;
    let places = (0..heaps).chain([n]).chain(heaps..n);
    let names: Vec<String> = places.flat_map(|place| [format!("p{place}"), format!("q{place}")]).collect();
    let condition = Formula::parse_over(&text, &names).ok()?.over(&Moves::names(n + 1));
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

/// What is claimed of the game with one heap more, of a claim as it stands and what holds of the positions
/// without a move.
pub fn lifted_claim(stated: &HeapGame, claimed: &Claim, stuck: &Claim) -> Result<Claim, FormulaError> {
    let heaps = stated.heaps - stated.moves.memory.count;
    let letter = |place: usize| char::from(b'a' + place as u8).to_string();
    let names: Vec<String> =
        (0..stated.heaps).map(|number| letter(number + usize::from(number >= heaps))).collect();
    let (claimed, stuck) = (claimed.formula().over(&names), stuck.formula().over(&names));
    let z = letter(heaps);
    Claim::parse(
        &format!("{z} = 2 & ({claimed}) | {z} = 1 & ({stuck}) | {z} = 0 | {z} > 2"),
        stated.heaps + 1,
    )
}

/// A claim that is meant up to the symmetry of a game on one board as one that is meant as it stands.
pub fn closed_claim(
    claim: &Claim,
    game: &MoveSystem,
    meter: &mut Meter,
) -> Result<Result<Claim, FormulaError>, Undecided> {
    let images = distinct_images(claim, &game.boards[0].symmetries, meter)?;
    let own = |image: &Vec<usize>| {
        let names: Vec<String> =
            image.iter().map(|heap| char::from(b'a' + *heap as u8).to_string()).collect();
        format!("({})", claim.formula().over(&names))
    };
    if images.len() < 2 {
        return Ok(Ok(claim.clone()));
    }
    let all: Vec<String> = images.iter().map(own).collect();
    Ok(Claim::parse(&all.join(" | "), claim.heaps()))
}
