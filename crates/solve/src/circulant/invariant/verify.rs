//! Whether an automaton's labels prove themselves: the finder's own look, before the checker's.
//!
//! Of each word p·r·s, p as long as the greatest step M and s of M − 1 letters, p and s decide what a move makes of p. The
//! automaton's runs on p·r and on what an option keeps of p go through r together: breadth-first over the states of these
//! runs, with the number of letters modulo the period.

use super::attempt::Class;
use super::automaton::{Automaton, Label};
use super::walk::without_lost;
use bouton_rules::{LimitReached, Meter};
use rustc_hash::{FxHashMap, FxHashSet};

/// The states of the runs on a word and on its options' first parts; nothing beyond the last option.
type Runs = [u32; 5];

/// Conditions that fail, past which they are not counted on.
const MANY: usize = 10_000;

/// How many of the conditions on labels fail, 0 for a proof; `None` if the start has the wrong label or there are more than
/// `most` tuples of states.
pub(super) fn violations(
    automaton: &Automaton,
    class: &Class,
    most: usize,
    meter: &mut Meter,
) -> Result<Option<usize>, LimitReached> {
    let Class { steps, misere, period, from, in_p } = *class;
    let residue = from % period;
    let greatest = steps.last().map_or(0, |step| *step as usize);
    let read = |state: u32, letters: &mut dyn Iterator<Item = usize>| {
        letters.fold(state, |state, letter| automaton.next(state, letter))
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
    let before = greatest.saturating_sub(1);
    for part in 0..1usize << greatest {
        let whole = read(1, &mut letters(part, greatest));
        if whole == 0 {
            continue;
        }
        let moves: Vec<usize> =
            steps.iter().map(|s| *s as usize).filter(|step| part >> (step - 1) & 1 == 0).collect();
        // What the moves make of the first part, and the last parts with which they do.
        let mut groups: FxHashMap<[usize; 4], Vec<usize>> = FxHashMap::default();
        for last in 0..1usize << before {
            let mut made = [0; 4];
            for (made, step) in made.iter_mut().zip(&moves) {
                *made = without_lost(steps, part, last, *step);
            }
            groups.entry(made).or_default().push(last);
        }
        for (made, lasts) in groups {
            let mut runs: Runs = [0; 5];
            runs[0] = whole;
            for (i, step) in moves.iter().enumerate() {
                runs[i + 1] = read(1, &mut letters(made[i] >> step, greatest - step));
            }
            // Too short to count, length by length; then all.
            let mut layer: FxHashSet<Runs> = FxHashSet::default();
            layer.insert(runs);
            let mut length = greatest + before;
            while length + 1 < from {
                let longer =
                    layer.iter().flat_map(|runs| (0..2).map(|l| runs.map(|state| automaton.next(state, l))));
                layer = longer.filter(|runs| runs[0] != 0).collect();
                length += 1;
            }
            let mut seen: FxHashSet<(Runs, usize)> =
                layer.into_iter().map(|runs| (runs, (length + 1) % period)).collect();
            let mut todo: Vec<(Runs, usize)> = seen.iter().copied().collect();
            while let Some((runs, n)) = todo.pop() {
                meter.node()?;
                let lasts = if n == residue { &lasts[..] } else { &[] };
                for last in lasts {
                    let label = automaton.label(read(runs[0], &mut letters(*last, before)));
                    let option = |i: usize| {
                        let state = read(runs[i + 1], &mut letters(*last, before));
                        automaton.label(read(state, &mut letters(made[i] << 1 | 1, moves[i])))
                    };
                    let fine = match label {
                        Label::None => true,
                        _ if moves.is_empty() && misere => label == Label::B,
                        Label::A => (0..moves.len()).all(|i| option(i) == Label::B),
                        Label::B => (0..moves.len()).any(|i| option(i) == Label::A),
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
            if tuples > most || failed > MANY {
                return Ok(None);
            }
        }
    }
    Ok(Some(failed))
}

/// So many letters, the first in the lowest bit.
fn letters(bits: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |i| bits >> i & 1)
}
