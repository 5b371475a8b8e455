//! Games on one heap in which each P-position is a function of the one before, found in their
//! moves.
//!
//! If a heap x is an option of those up to some heap and of no others, the next heap is its step.
//! Steps that are a multiple of x, divided and rounded down, with a least one, are put to the
//! prover. They are fitted to the moves, not to the P-positions: the theorem is about moves, and
//! there are few P-positions if steps are long.

use crate::tables::Tables;
use bouton_core::Play;
use bouton_prover::Orbit;

/// The greatest heap whose options are looked at.
const MAX_HEAP: u64 = 240;
/// The fewest steps that are fitted.
const FEWEST: usize = 8;
/// The greatest divisor, and how many times as long as the heap a step leads at most.
const DIVISOR: u64 = 16;
const TIMES: u64 = 8;

/// Returns the orbit that fits all moves between small heaps, if there is one: in normal play, on
/// one heap.
pub(crate) fn orbit(tables: &Tables<'_>) -> Option<Orbit> {
    let stated = tables.stated;
    if tables.play != Play::Normal
        || stated.heaps != 1
        || stated.shrinks
        || stated.moves.memory.count > 0
        || stated.moves.domain.is_some()
    {
        return None;
    }
    fitted(&steps(tables)?)
}

/// Returns the heap after the last one of which each of 0, 1, … is an option, as far as that is
/// seen; `None` if some heap between is no option, or if the time is up.
fn steps(tables: &Tables<'_>) -> Option<Vec<u64>> {
    let mut graph = tables.game.graph();
    // Of each heap the least from which there is no move to it, and whether there is one from a
    // greater one.
    let mut steps: Vec<Option<u64>> = vec![None; MAX_HEAP as usize + 1];
    for y in 1..=MAX_HEAP {
        if tables.budget.interrupted().is_some() {
            return None;
        }
        let node = graph.position(&[y])?;
        let options = graph.options(node).ok()?.to_vec();
        let mut is_option = vec![false; y as usize];
        for option in options {
            let sizes = graph.sizes(option)?;
            *is_option.get_mut(usize::try_from(*sizes.first()?).ok()?)? = true;
        }
        for (step, is_option) in steps.iter_mut().zip(is_option) {
            match (*step, is_option) {
                (None, false) => *step = Some(y),
                (Some(_), true) => return None,
                _ => {}
            }
        }
    }
    let known: Vec<u64> = steps.into_iter().map_while(|step| step).collect();
    (known.len() >= FEWEST).then_some(known)
}

/// Returns the simplest orbit with these steps from 0, 1, ….
fn fitted(steps: &[u64]) -> Option<Orbit> {
    let all: Vec<(u64, u64)> = (0..).zip(steps.iter().copied()).collect();
    let least = all.iter().map(|(x, step)| step.saturating_sub(*x)).min()?;
    // A bound from below is seen in small heaps; the others tell the multiple.
    [0, all.len() / 4, all.len() / 2].into_iter().find_map(|from| {
        let found = (1..=DIVISOR)
            .flat_map(|divisor| {
                (divisor..=TIMES * divisor).map(move |numerator| (divisor, numerator))
            })
            .find_map(|(divisor, numerator)| {
                let offset = offset(&all[from..], divisor, numerator)?;
                Some(Orbit { numerator, offset, divisor, least })
            })?;
        all.iter().all(|(x, step)| found.next(*x) == Some(*step)).then_some(found)
    })
}

/// Returns the least number to be added before dividing, if one fits.
fn offset(steps: &[(u64, u64)], divisor: u64, numerator: u64) -> Option<u64> {
    let (mut low, mut high) = (0i64, i64::MAX);
    for (x, step) in steps {
        let rest = i64::try_from(divisor * step).ok()? - i64::try_from(numerator * x).ok()?;
        low = low.max(rest);
        high = high.min(rest + i64::try_from(divisor).ok()? - 1);
    }
    (low <= high).then(|| u64::try_from(low).ok()).flatten()
}
