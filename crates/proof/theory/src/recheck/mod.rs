//! The second look at a counterexample: a search by the rules alone, or, where that is too far, the
//! definition.
//!
//! The P-positions are the one set S such that no option of a position in S is in S, and each
//! position outside S has an option in S (or, in misère play, no option). A form that fails this at
//! one position is wrong, whatever the outcomes: that takes only the options of the position, from
//! the game's own rules, and the form's values.

mod marking;

use crate::verdict::Recheck;
use bouton_core::{Claim, Play, heaps_text};
use bouton_engine::Game;
use bouton_engine::game_graph::GameGraph;
use bouton_prover::{Counterexample, MoveSystem};
use std::collections::HashMap;

/// Positions that a search by the rules alone looks at, at most.
const MAX_RECHECKED_POSITIONS: usize = 200_000;
/// Positions at and below the counterexample, at most: no list of options is longer.
const WITHIN: u64 = 1_000_000;
/// Images of one position under the game's symmetry, at most.
const MAX_IMAGES: usize = 5040;
/// Options of one position that are looked at, at most.
const MAX_OPTIONS: usize = 1 << 18;

/// The second look found another truth: a fault of this program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "({0}) was found to contradict the form, but the rules alone do not confirm it; please report \
     this"
)]
pub struct Contradiction(String);

/// Whether a position is claimed; none if that cannot be said.
pub type IsClaimed<'c> = dyn Fn(&[u64]) -> Option<bool> + 'c;

/// Looks again at a counterexample to a form, given as one claim for each board.
pub fn recheck(
    game: &dyn Game,
    moves: &MoveSystem,
    claims: &[Claim],
    found: &Counterexample,
) -> Result<Recheck, Contradiction> {
    let symmetry = game.heap_game().map(|stated| stated.symmetry);
    let claimed = |heaps: &[u64]| {
        let board = moves.boards.iter().position(|board| board.heaps == heaps.len())?;
        let images = match moves.boards[board].symmetries.len() {
            // The form is meant as it stands.
            0 | 1 => Vec::new(),
            _ => symmetry?.permutations(heaps.len(), MAX_IMAGES)?,
        };
        claims[board].holds_up_to(heaps, &images).ok()
    };
    recheck_by(game, moves, &claimed, found)
}

/// Returns the same for what is claimed in any way.
pub fn recheck_by(
    game: &dyn Game,
    moves: &MoveSystem,
    claimed: &IsClaimed<'_>,
    found: &Counterexample,
) -> Result<Recheck, Contradiction> {
    let play = if moves.misere { Play::Misere } else { Play::Normal };
    let contradiction = || Contradiction(heaps_text(&found.position));
    let at = heaps_text(&found.position);
    let says = match (outcome(game, play, &found.position), &found.option) {
        (None, _) => None,
        (Some(false), Some(_)) => Some(format!("({at}) is N by the rules alone")),
        (Some(true), Some((_, option))) => match outcome(game, play, option) {
            Some(false) => Some(format!("({}) is N by the rules alone", heaps_text(option))),
            Some(true) => return Err(contradiction()),
            None => None,
        },
        (Some(true), None) if found.over => return Err(contradiction()),
        (Some(false), None) if found.over => Some(format!("({at}) is N by the rules alone")),
        (Some(true), None) => Some(format!("({at}) is P by the rules alone")),
        (Some(false), None) => {
            Some(format!("({at}) is N by the rules alone: an option that is P is left out"))
        }
    };
    if let Some(says) = says {
        return Ok(Recheck::Confirmed(says));
    }
    match by_definition(game, moves, claimed, found) {
        Some(true) => Ok(Recheck::Confirmed(match &found.option {
            Some((_, option)) => {
                format!(
                    "by the rules ({}) is an option of ({at}), and the form holds of both",
                    heaps_text(option)
                )
            }
            None => {
                format!("the form holds neither of ({at}) nor of any of its options by the rules")
            }
        })),
        Some(false) => Err(contradiction()),
        None => Ok(Recheck::OutOfReach("too many positions and options".into())),
    }
}

/// Returns whether the position is lost for the mover, by the rules alone: by a search that knows
/// the family's options and nothing else, and where that is too far by [marking]; none if both are.
pub fn outcome(game: &dyn Game, play: Play, heaps: &[u64]) -> Option<bool> {
    let below = heaps.iter().try_fold(1u64, |all, heap| all.checked_mul(heap.checked_add(1)?));
    let near = below.is_some_and(|below| below <= WITHIN);
    let search = || {
        let mut graph = game.graph();
        let node = graph.position(heaps)?;
        search(&mut *graph, node, play, &mut HashMap::new())
    };
    let searched = if near { search() } else { None };
    searched.or_else(|| marking::is_lost(&game.heap_game()?, play, heaps))
}

/// Returns the same for a position as text.
pub fn search_from(game: &dyn Game, play: Play, position: &str) -> Option<bool> {
    let mut graph = game.graph();
    let node = graph.read(position).ok()?;
    search(&mut *graph, node, play, &mut HashMap::new())
}

/// Returns whether the form fails the definition at the position; none if that cannot be said.
fn by_definition(
    game: &dyn Game,
    moves: &MoveSystem,
    claimed: &IsClaimed<'_>,
    found: &Counterexample,
) -> Option<bool> {
    let mut graph = game.graph();
    let node = graph.position(&found.position)?;
    let options = graph.some_options(node, 0, MAX_OPTIONS).ok()?;
    if let Some((_, option)) = &found.option {
        let option_node = graph.position(option)?;
        let is_option = options.contains(&option_node) || {
            let canonical = graph.canonical(option_node);
            options.iter().any(|other| graph.canonical(*other) == canonical)
        };
        if !is_option && options.len() == MAX_OPTIONS {
            return None;
        }
        return Some(is_option && claimed(&found.position)? && claimed(option)?);
    }
    if found.over || options.len() == MAX_OPTIONS || options.is_empty() && moves.misere {
        return None;
    }
    if claimed(&found.position)? {
        return Some(false);
    }
    for option in options {
        if claimed(&graph.sizes(option)?)? {
            return Some(false);
        }
    }
    Some(true)
}

/// Returns whether the player to move loses; none if that takes too many positions.
fn search(
    graph: &mut dyn GameGraph,
    node: u32,
    play: Play,
    known: &mut HashMap<u32, bool>,
) -> Option<bool> {
    // Each position with the number of its options looked at.
    let mut open = vec![(node, 0)];
    while let Some((node, at)) = open.pop() {
        if known.contains_key(&node) {
            continue;
        }
        let options = graph.options(node).ok()?.to_vec();
        if options.is_empty() {
            known.insert(node, play.terminal().is_p());
            continue;
        }
        let next = options[at..].iter().position(|option| known.get(option) != Some(&false));
        match next.map(|more| (at + more, options[at + more])) {
            None => drop(known.insert(node, true)),
            Some((_, option)) if known.contains_key(&option) => drop(known.insert(node, false)),
            Some((at, option)) => open.extend([(node, at), (option, 0)]),
        }
        if known.len() > MAX_RECHECKED_POSITIONS {
            return None;
        }
    }
    known.get(&node).copied()
}
