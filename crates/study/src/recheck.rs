//! The second look that a search by the rules alone takes at a counterexample.

use bouton_logic::Counterexample;
use bouton_rules::Play;
use bouton_solve::Game;
use bouton_solve::atlas::Atlas;
use std::collections::HashMap;

/// Positions that a search by the rules alone looks at, at most.
const FEW: usize = 200_000;
/// Positions at and below the counterexample, at most: no list of options is longer.
const WITHIN: u64 = 1_000_000;

/// What a search that knows the family's options and nothing else finds of a counterexample, if that is within reach.
pub fn recheck(game: &dyn Game, play: Play, found: &Counterexample) -> Option<String> {
    let below = found.position.iter().try_fold(1u64, |all, heap| all.checked_mul(heap.checked_add(1)?));
    if below.is_none_or(|below| below > WITHIN) {
        return None;
    }
    let text = |p: &[u64]| {
        if p.is_empty() { "0".into() } else { p.iter().map(u64::to_string).collect::<Vec<_>>().join(",") }
    };
    let mut atlas = game.atlas();
    let mut known = HashMap::new();
    let mut lost = |p: &[u64]| {
        let node = atlas.read(&text(p)).ok()?;
        search(&mut *atlas, node, play, &mut known)
    };
    let position = lost(&found.position)?;
    Some(match &found.option {
        Some((_, option)) => match (position, lost(option)?) {
            (false, _) => format!("({}) is N by the rules alone", text(&found.position)),
            (true, false) => format!("({}) is N by the rules alone", text(option)),
            (true, true) => return None,
        },
        None if found.over && position => return None,
        None if found.over => format!("({}) is N by the rules alone", text(&found.position)),
        None if position => format!("({}) is P by the rules alone", text(&found.position)),
        None => {
            format!("({}) is N by the rules alone: an option that is P is left out", text(&found.position))
        }
    })
}

/// Whether the player to move loses; none if that takes too many positions.
fn search(atlas: &mut dyn Atlas, node: u32, play: Play, known: &mut HashMap<u32, bool>) -> Option<bool> {
    // Each position with the number of its options looked at.
    let mut open = vec![(node, 0)];
    while let Some((node, at)) = open.pop() {
        if known.contains_key(&node) {
            continue;
        }
        let options = atlas.options(node).to_vec();
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
        if known.len() > FEW {
            return None;
        }
    }
    known.get(&node).copied()
}
