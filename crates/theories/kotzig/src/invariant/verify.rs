//! Whether an automaton's labels prove themselves: the finder's own look, before the checker's.
//!
//! Of each word p·r·s, p and s long enough, p and s decide what a move makes of them. The
//! automaton's runs on the word and on its options go through r together: breadth-first over the
//! states of these runs, with the number of letters modulo the period.

use super::automaton::{Automaton, Label};
use super::class_attempt::Class;
use bouton_core::{LimitReached, Meter};
use rustc_hash::{FxHashMap, FxHashSet};

/// The states of the runs on a word and on its options' first parts; nothing beyond the last
/// option.
type Runs = [u32; 5];

/// Conditions that fail, past which they are not counted on.
const MAX_COUNTED_FAILURES: usize = 10_000;

/// Returns how many of the conditions on labels fail, 0 for a proof; `None` if the start has the
/// wrong label or there are more than `most` tuples of states.
pub(super) fn violations(
    automaton: &Automaton,
    class: &Class,
    most: usize,
    meter: &mut Meter,
) -> Result<Option<usize>, LimitReached> {
    let Class { steps, misere, period, from, in_p } = *class;
    let residue = from % period;
    let (before, after) = steps.window_size();
    // The letters of the cells from one to another around the token.
    let read = |state: u32, cells: usize, from: i32, to: i32| {
        (from..=to)
            .fold(state, |state, cell| automaton.next(state, cells >> (after as i32 + cell) & 1))
    };
    let mut failed = 0;
    // The start: words of zeros.
    let wanted = if in_p { Label::A } else { Label::B };
    let mut state = 1;
    for letters in 0..from + period * (automaton.size() + 2) {
        let n = letters + 1;
        if n >= from && n % period == residue && automaton.label(state) != wanted {
            return Ok(None);
        }
        state = automaton.next(state, 0);
    }
    let mut tuples = 0;
    for first in 0..1usize << after {
        // The states in which a word and its options come to what lies between, and the cells at
        // the ends for which; 0: no move.
        let mut groups: FxHashMap<Runs, Vec<[usize; 5]>> = FxHashMap::default();
        for last in 0..1usize << before {
            let cells = (first << 1 | 1) << after | last << (after - before);
            let (mut runs, mut ends): (Runs, [usize; 5]) = Default::default();
            (runs[0], ends[0]) = (read(1, cells, 1, after as i32), cells);
            if runs[0] == 0 {
                break;
            }
            for (i, step) in steps.all.iter().enumerate() {
                if cells >> (after as i32 + step) & 1 == 0 {
                    ends[i + 1] = steps.cells_after(cells, *step);
                    runs[i + 1] = read(1, ends[i + 1], step + 1, after as i32);
                }
            }
            groups.entry(runs).or_default().push(ends);
        }
        for (runs, ends) in groups {
            // Too short to count, length by length; then all.
            let mut layer: FxHashSet<Runs> = FxHashSet::default();
            layer.insert(runs);
            let mut length = after + before;
            while length + 1 < from {
                let longer = layer
                    .iter()
                    .flat_map(|runs| (0..2).map(|l| runs.map(|state| automaton.next(state, l))));
                layer = longer.filter(|runs| runs[0] != 0).collect();
                length += 1;
            }
            let mut seen: FxHashSet<(Runs, usize)> =
                layer.into_iter().map(|runs| (runs, (length + 1) % period)).collect();
            let mut todo: Vec<(Runs, usize)> = seen.iter().copied().collect();
            while let Some((runs, n)) = todo.pop() {
                meter.spend_one()?;
                let ends = if n == residue { &ends[..] } else { &[] };
                for ends in ends {
                    let label = |i: usize, token: i32| {
                        automaton.label(read(runs[i], ends[i], -(before as i32), token - 1))
                    };
                    let legal = || (1..=steps.all.len()).filter(|i| ends[*i] != 0);
                    let mut options = legal().map(|i| label(i, steps.all[i - 1]));
                    let fine = match label(0, 0) {
                        Label::None => true,
                        label if misere && legal().next().is_none() => label == Label::B,
                        Label::A => options.all(|option| option == Label::B),
                        Label::B => options.any(|option| option == Label::A),
                    };
                    failed += usize::from(!fine);
                }
                for letter in 0..2 {
                    let next = (runs.map(|state| automaton.next(state, letter)), (n + 1) % period);
                    if next.0[0] != 0 && seen.insert(next) {
                        todo.push(next);
                    }
                }
            }
            tuples += seen.len();
            if tuples > most || failed > MAX_COUNTED_FAILURES {
                return Ok(None);
            }
        }
    }
    Ok(Some(failed))
}
