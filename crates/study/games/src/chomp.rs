//! Chomp on large boards: two rows, squares, and whoever wins any rectangle.
//!
//! A rectangle of more than one square is won: if biting off the square opposite the poisoned one
//! does not win, the answer to it is a bite that was there before (D. Gale, *A curious Nim-type
//! game*, American Mathematical Monthly 81 (1974) 876-879, who also has the next two). From a
//! square board the bite that leaves one row and one column wins, as the two are mirrored from
//! then on. Two rows of a >= b squares are lost exactly if a = b + 1: all bites lead to other
//! pairs, and from each other pair one leads there.

use crate::large_positions::{numbers, of_outcome};
use bouton_core::{MoveText, NotationError};
use bouton_engine::{Analysis, Game, Move};

/// Rectangles with fewer positions below are searched, with all their moves.
const SEARCHED: u64 = 1 << 20;

/// The theorem by which positions are answered.
pub const THEOREM: &str = "Gale 1974: every rectangle but the poisoned square alone is won; a \
    square board by the bite that leaves one row and one column; two rows are lost exactly if one \
    has one square more";

/// Returns whether the rows are lost, and the rows after a winning bite, if the theorem tells of
/// them; the second is nothing if no bite is known.
fn outcome(rows: &[u64]) -> Option<(bool, Option<Vec<u64>>)> {
    match *rows {
        [1] => Some((true, None)),
        [_] => Some((false, Some(vec![1]))),
        [a, b] => Some(match a - b {
            0 if a == 1 => (false, Some(vec![1])),
            0 => (false, Some(vec![a, a - 1])),
            1 => (true, None),
            _ => (false, Some(vec![b + 1, b])),
        }),
        [width, .., last] if width == last => {
            let mut left = rows.to_vec();
            Some((
                false,
                match width {
                    1 => Some(vec![1]),
                    2 => {
                        left.pop();
                        left.push(1);
                        Some(left)
                    }
                    _ if width == rows.len() as u64 => {
                        left[1..].fill(1);
                        Some(left)
                    }
                    _ => None,
                },
            ))
        }
        _ => None,
    }
}

/// Returns whether a bite of some rows leaves others.
pub fn allows(rows: &[u64], left: &[u64]) -> bool {
    let first = (0..rows.len()).find(|row| left.get(*row) != Some(&rows[*row]));
    let Some(first) = first.filter(|_| !left.is_empty()) else { return false };
    let kept = left.get(first).copied().unwrap_or(0);
    let cut = rows[first..].iter().map(|row| kept.min(*row)).filter(|row| *row > 0);
    kept < rows[first] && left[first..].iter().copied().eq(cut)
}

/// Returns whether at most so many positions lie below a rectangle that holds the rows: the paths
/// along the edges of its squares.
fn is_small(rows: &[u64]) -> bool {
    let (height, width) = (rows.len() as u64, rows[0]);
    let (short, long) = (height.min(width), height.max(width));
    let mut paths = 1u64;
    for i in 1..=short {
        match paths.checked_mul(long + i) {
            Some(product) if product / i <= SEARCHED => paths = product / i,
            _ => return false,
        }
    }
    true
}

/// Evaluates a position of Chomp in normal play with too many positions below to be searched, with
/// one move and the number of all; `None` of other positions.
///
/// # Errors
/// If `position` is not a position of the game.
pub fn analyse(game: &dyn Game, position: &str) -> Result<Option<(Analysis, u64)>, NotationError> {
    let position = game.normal_form(position)?;
    let Some(rows) = numbers(&position).filter(|rows| !is_small(rows)) else {
        return Ok(None);
    };
    let Some((is_lost, bitten)) = outcome(&rows) else { return Ok(None) };
    // Where all moves lose, the one that takes the last square of the last row.
    let (left, is_won) = match bitten {
        Some(left) => (Some(left), true),
        None if is_lost => {
            let mut left = rows.clone();
            match left.last_mut() {
                Some(last) if *last > 1 => *last -= 1,
                _ => {
                    left.pop();
                }
            }
            (Some(left), false)
        }
        None => (None, false),
    };
    let listed = match left {
        None => Vec::new(),
        Some(left) => {
            let row = (0..rows.len()).find(|row| left.get(*row) != Some(&rows[*row])).unwrap_or(0);
            let column = left.get(row).map_or(1, |kept| kept + 1);
            let text: Vec<String> = left.iter().map(u64::to_string).collect();
            let to = game.normal_form(&format!("[{}]", text.join(",")))?;
            let text = MoveText::Words(format!("bite off row {}, column {column}", row + 1));
            vec![Move { to, text, evaluation: of_outcome(is_won), brings: None }]
        }
    };
    let moves = rows.iter().sum::<u64>() - 1;
    Ok(Some((Analysis::without_search(position, of_outcome(is_lost), listed), moves)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn bites(rows: &[u64]) -> Vec<Vec<u64>> {
        let squares = (0..rows.len()).flat_map(|row| (0..rows[row]).map(move |at| (row, at)));
        let bitten = squares.filter(|square| *square != (0, 0)).map(|(row, at)| {
            let cut = |(i, length): (usize, &u64)| if i < row { *length } else { at.min(*length) };
            rows.iter().enumerate().map(cut).filter(|length| *length > 0).collect()
        });
        bitten.collect()
    }

    fn is_lost(rows: &[u64], known: &mut HashMap<Vec<u64>, bool>) -> bool {
        if let Some(known) = known.get(rows) {
            return *known;
        }
        let found = !bites(rows).iter().any(|left| is_lost(left, known));
        known.insert(rows.to_vec(), found);
        found
    }

    /// By the rules alone, on all boards that the theorem tells of, up to six rows.
    #[test]
    fn outcomes_are_those_of_the_rules() {
        let mut known = HashMap::new();
        let pairs = (1..14).flat_map(|a| (1..=a).map(move |b| vec![a, b]));
        let rectangles = (1..=6).flat_map(|width| (1..=6).map(move |rows| vec![width; rows]));
        for rows in pairs.chain(rectangles) {
            let (lost, bitten) = outcome(&rows).expect("a board of the theorem");
            assert_eq!(lost, is_lost(&rows, &mut known), "{rows:?}");
            for left in known.keys() {
                assert_eq!(allows(&rows, left), bites(&rows).contains(left), "{rows:?} {left:?}");
            }
            if let Some(left) = bitten {
                assert!(bites(&rows).contains(&left), "{rows:?}: {left:?}");
                assert!(is_lost(&left, &mut known), "{rows:?}: {left:?}");
            }
        }
        assert_eq!(outcome(&[4, 3, 2]), None);
    }
}
