//! The words that a strategy reaches on one circle, against every reply.

use super::fold::Labelled;
use super::train::Strategy;
use super::walk::{Circle, Spot};
use bouton_rules::{LimitReached, Meter};
use rustc_hash::FxHashSet;

/// Why there are no words.
pub(super) enum NoWords {
    Spent(LimitReached),
    /// More positions than allowed.
    Many,
    /// The strategy loses.
    Loses,
}

/// The labelled words, sorted, each once. A position is visited once for each distance come.
pub(super) fn words(
    circle: &Circle,
    strategy: &Strategy,
    first_wins: bool,
    most: usize,
    meter: &mut Meter,
) -> Result<Vec<Labelled>, NoWords> {
    // Moves only go forward, so positions are done in order of the distance come.
    let furthest = *circle.steps.last().unwrap_or(&1) as usize;
    let mut levels: Vec<FxHashSet<(Spot, u8, bool)>> = vec![FxHashSet::default(); furthest + 1];
    levels[0].insert((Spot::START, 0, first_wins));
    let mut words: Vec<Labelled> = Vec::new();
    let mut come = 0;
    loop {
        let level = std::mem::take(&mut levels[come % (furthest + 1)]);
        if level.is_empty() && levels.iter().all(FxHashSet::is_empty) {
            break;
        }
        for (spot, last, winner) in level {
            meter.node().map_err(NoWords::Spent)?;
            let word = circle.word(spot);
            if winner {
                words.push(word << 1 | 1);
                match strategy.choose(circle, spot, last) {
                    None if circle.misere => {}
                    None => return Err(NoWords::Loses),
                    Some(step) => {
                        let by = circle.steps[step as usize];
                        if let Some(next) = circle.after(spot, by) {
                            levels[(come + by as usize) % (furthest + 1)].insert((next, 0, false));
                        }
                    }
                }
            } else {
                words.push(word << 1);
                if circle.misere && circle.stuck(spot) {
                    return Err(NoWords::Loses);
                }
                for (i, step) in circle.steps.iter().enumerate() {
                    if let Some(next) = circle.after(spot, *step) {
                        levels[(come + *step as usize) % (furthest + 1)].insert((next, i as u8, true));
                    }
                }
            }
        }
        if words.len() > most {
            return Err(NoWords::Many);
        }
        come += 1;
    }
    words.sort_unstable();
    words.dedup();
    Ok(words)
}
