//! The games of a family of Kotzig's Nim over ranges of its parameters, as sweeps solve them.

use crate::UsageError;
use bouton_kotzig::{Circulant, KotzigFamily, Range};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The greatest number of moves of a game in a database or a file.
pub const MAX_MOVES: usize = 6;

/// The greatest number of games in one sweep.
pub const MAX_GAMES: i128 = 50_000_000;

/// A game as a user names it, and its narrow form, which is searched.
pub type NamedGame = (Circulant, Arc<Circulant>);

/// Returns every game of the family with parameters in `ranges` and its narrow form, in the order
/// of the parameters. The work is done on the threads of the current rayon pool.
///
/// # Errors
/// As [`games`].
pub fn named_games(family: &KotzigFamily, ranges: &[Range]) -> Result<Vec<NamedGame>, UsageError> {
    Ok(NarrowForms::default().of(games(family, ranges)?))
}

/// Returns every game of the family with parameters in `ranges`, in the order of the parameters.
///
/// # Errors
/// Fails if the family has more than [`MAX_MOVES`] moves, if there is not one non-empty range for
/// each parameter, or if the ranges contain more than [`MAX_GAMES`] games.
pub fn games(family: &KotzigFamily, ranges: &[Range]) -> Result<Vec<Circulant>, UsageError> {
    check(family, ranges)?;
    Ok(family.instances(ranges).into_iter().map(|instance| instance.game).collect())
}

/// Returns at most `count` games of the family, those with the fewest cells of a box at the lower
/// ends of the ranges; games of as many cells in the order of the parameters. The others are not
/// listed.
///
/// # Errors
/// As [`games`].
#[cfg(feature = "database")]
pub(crate) fn small_games(
    family: &KotzigFamily,
    ranges: &[Range],
    count: usize,
) -> Result<Vec<Circulant>, UsageError> {
    check(family, ranges)?;
    // Moves ascend, so that a box has more points than games.
    let points = (4 * count) as i64;
    let side =
        (1..points).take_while(|side| side.saturating_pow(ranges.len() as u32) <= points).last();
    let low = |range: &Range| {
        let end = range.start().saturating_add(side.unwrap_or(1) - 1);
        *range.start()..=end.min(*range.end())
    };
    let mut games = games(family, &ranges.iter().map(low).collect::<Vec<_>>())?;
    games.sort_by_key(Circulant::n);
    games.truncate(count);
    Ok(games)
}

/// Narrow forms: many games are one game under other numbers ([`Circulant::with_shortest_steps`]).
/// Equal forms share one allocation.
#[derive(Debug, Default)]
pub struct NarrowForms {
    forms: HashMap<(Vec<usize>, usize), Arc<Circulant>>,
    different: HashSet<Arc<Circulant>>,
}

impl NarrowForms {
    /// Returns games with their forms, in their order. The work is done on the threads of the
    /// current rayon pool.
    pub fn of(&mut self, named: Vec<Circulant>) -> Vec<NamedGame> {
        let keys: Vec<(Vec<usize>, usize)> =
            named.par_iter().map(|game| (game.steps(), game.n())).collect();
        let mut order: Vec<usize> =
            (0..keys.len()).filter(|at| !self.forms.contains_key(&keys[*at])).collect();
        order.par_sort_unstable_by_key(|at| &keys[*at]);
        order.dedup_by_key(|at| &keys[*at]);
        let narrow: Vec<Circulant> =
            order.par_iter().map(|at| named[*at].with_shortest_steps()).collect();
        for (at, form) in order.into_iter().zip(narrow) {
            let form = match self.different.get(&form) {
                Some(known) => known.clone(),
                None => {
                    let new = Arc::new(form);
                    self.different.insert(new.clone());
                    new
                }
            };
            self.forms.insert(keys[at].clone(), form);
        }
        named.into_iter().zip(&keys).map(|(game, key)| (game, self.forms[key].clone())).collect()
    }

    /// Returns the number of different forms met so far.
    pub fn different(&self) -> usize {
        self.different.len()
    }
}

fn check(family: &KotzigFamily, ranges: &[Range]) -> Result<(), UsageError> {
    if family.moves() > MAX_MOVES {
        return Err(UsageError::plain(format!("{family} has more than {MAX_MOVES} moves")));
    }
    if family.names().len() != ranges.len() {
        let names = family.names().join(", ");
        return Err(UsageError::plain(format!("{family} needs a range for each of: {names}")));
    }
    for (name, range) in family.names().iter().zip(ranges) {
        if range.is_empty() {
            let (start, end) = (range.start(), range.end());
            return Err(UsageError::new(
                format!("the range {name} = {start}..{end} is empty"),
                "smaller end first",
            ));
        }
    }
    let size = ranges.iter().map(|range| i128::from(*range.end()) - i128::from(*range.start()) + 1);
    if size.fold(1i128, i128::saturating_mul) > MAX_GAMES {
        return Err(UsageError::new(
            format!("the ranges contain more than {MAX_GAMES} games"),
            "parts of them, one by one",
        ));
    }
    Ok(())
}

/// Returns a number proportional to the expected work of a search: it grows by about an eighth with
/// each cell.
pub fn relative_cost(game: &Circulant) -> f64 {
    1.13f64.powi(game.n() as i32)
}
