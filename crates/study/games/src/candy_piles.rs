//! Candy Piles on large heaps.
//!
//! The heaps are the columns of a Young diagram, and a move goes one step along its rows or its
//! columns from its corner: whoever must leave the diagram loses. On a diagonal all squares from
//! which both steps stay inside have one outcome, so that the end of the diagonal tells it: there
//! only one way is left in each direction, and the number of its steps decides.
//!
//! Source: AtCoder Grand Contest 002 E, *Candy Piles* (2016), the editorial.

use crate::large_positions::{numbers, of_outcome};
use bouton_core::{MoveText, NotationError};
use bouton_engine::{Analysis, Game, Move};

/// Positions with fewer positions below are searched, with all their moves.
const SEARCHED: u64 = 1 << 12;

/// The theorem by which positions are answered.
pub const THEOREM: &str = "AtCoder Grand Contest 002 E: along a diagonal of the diagram of the \
    heaps the outcome is the same, and at its end the steps left in each direction decide";

/// Returns whether heaps, the greatest first, are lost.
fn is_lost(heaps: &[u64]) -> bool {
    let heap = |at: usize| heaps.get(at).copied().unwrap_or(0);
    // The last square of the diagonal with one to its upper right.
    let end = (0..heaps.len()).find(|at| heap(at + 1) <= *at as u64 + 1).unwrap_or(0);
    let up = heap(end) - end as u64 - 1;
    let right = heaps.iter().skip(end + 1).take_while(|own| **own == end as u64 + 1).count();
    up.is_multiple_of(2) && right.is_multiple_of(2)
}

/// Returns whether a move leads from some heaps to others, the greatest first.
pub fn allows(heaps: &[u64], left: &[u64]) -> bool {
    let fewer = heaps.iter().map(|heap| heap - 1).filter(|heap| *heap > 0);
    !left.is_empty() && (heaps[1..] == *left || left.iter().copied().eq(fewer))
}

/// Evaluates a position of Candy Piles in normal play with too many positions below to be searched,
/// with one move and the number of all; `None` of other positions.
///
/// # Errors
/// If `position` is not a position of the game.
pub fn analyse(game: &dyn Game, position: &str) -> Result<Option<(Analysis, u64)>, NotationError> {
    let position = game.normal_form(position)?;
    let Some(mut heaps) = numbers(&position) else { return Ok(None) };
    heaps.sort_unstable_by(|a, b| b.cmp(a));
    let Some(greatest) = heaps.first().filter(|heap| **heap > 0) else { return Ok(None) };
    if greatest.saturating_mul(heaps.len() as u64) < SEARCHED {
        return Ok(None);
    }
    let fewer: Vec<u64> = heaps.iter().map(|heap| heap - 1).filter(|heap| *heap > 0).collect();
    let options: Vec<&[u64]> =
        [&heaps[1..], &fewer[..]].into_iter().filter(|option| !option.is_empty()).collect();
    let best = options.iter().find(|option| is_lost(option)).or(options.first());
    let listed = best.map(|option| {
        let text: Vec<String> = option.iter().map(u64::to_string).collect();
        let to = game.normal_form(&format!("[{}]", text.join(",")))?;
        let text = MoveText::Position(to.clone());
        Ok(Move { to, text, evaluation: of_outcome(is_lost(option)), brings: None })
    });
    let listed = listed.transpose()?.into_iter().collect();
    let own = of_outcome(is_lost(&heaps));
    Ok(Some((Analysis::without_search(position, own, listed), options.len() as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the rules alone: who eats the last candy loses.
    fn loses(heaps: &[u64]) -> bool {
        let fewer: Vec<u64> = heaps.iter().map(|heap| heap - 1).filter(|heap| *heap > 0).collect();
        let options = [&heaps[1..], &fewer[..]];
        !options.into_iter().any(|option| !option.is_empty() && loses(option))
    }

    #[test]
    fn outcomes_are_those_of_the_rules() {
        let mut all: Vec<Vec<u64>> = (1..=7).map(|first| vec![first]).collect();
        for _ in 0..4 {
            let longer = |heaps: &Vec<u64>| {
                let last = heaps[heaps.len() - 1];
                (1..=last).map(|next| [&heaps[..], &[next]].concat()).collect::<Vec<_>>()
            };
            let more: Vec<Vec<u64>> = all.iter().flat_map(longer).collect();
            all.extend(more);
            all.sort();
            all.dedup();
        }
        assert!(all.len() > 700);
        for heaps in all {
            assert_eq!(is_lost(&heaps), loses(&heaps), "{heaps:?}");
        }
    }
}
