//! Whether an automaton's labels prove themselves: the finder's own look, before the checker's.
//!
//! Of each word p·r, p as long as the greatest step, the automaton's runs on p·r and on what an option keeps of p go through
//! r together. Breadth-first over the states of these runs, with the number of letters modulo the period.

use super::attempt::Class;
use super::automaton::{Automaton, Label};
use bouton_rules::{LimitReached, Meter};
use rustc_hash::FxHashSet;

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
    for prefix in 0..1u32 << greatest {
        let letter = |i: usize| (prefix >> i & 1) as usize;
        let whole = read(1, &mut (0..greatest).map(letter));
        let moves: Vec<usize> =
            steps.iter().map(|s| *s as usize).filter(|step| letter(step - 1) == 0).collect();
        let mut runs = vec![whole];
        runs.extend(moves.iter().map(|step| read(1, &mut (*step..greatest).map(letter))));
        // Too short to count, length by length; then all.
        let mut layer: FxHashSet<Vec<u32>> = FxHashSet::default();
        if whole != 0 {
            layer.insert(runs);
        }
        let mut length = greatest;
        while length + 1 < from {
            let longer = layer.iter().flat_map(|runs| (0..2).map(|letter| step_all(automaton, runs, letter)));
            layer = longer.filter(|runs| runs[0] != 0).collect();
            length += 1;
        }
        let mut seen: FxHashSet<(Vec<u32>, usize)> =
            layer.into_iter().map(|runs| (runs, (length + 1) % period)).collect();
        let mut todo: Vec<(Vec<u32>, usize)> = seen.iter().cloned().collect();
        while let Some((runs, n)) = todo.pop() {
            meter.node()?;
            if n == residue && automaton.label(runs[0]) != Label::None {
                let option = |i: usize| {
                    let tail = std::iter::once(1).chain((0..moves[i] - 1).map(letter));
                    automaton.label(read(runs[i + 1], &mut { tail }))
                };
                let fine = match automaton.label(runs[0]) {
                    _ if moves.is_empty() && misere => automaton.label(runs[0]) == Label::B,
                    Label::A => (0..moves.len()).all(|i| option(i) == Label::B),
                    _ => (0..moves.len()).any(|i| option(i) == Label::A),
                };
                failed += usize::from(!fine);
            }
            for letter in 0..2 {
                let next = (step_all(automaton, &runs, letter), (n + 1) % period);
                if next.0[0] != 0 && seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        tuples += seen.len();
        if tuples > most {
            return Ok(None);
        }
    }
    Ok(Some(failed))
}

fn step_all(automaton: &Automaton, runs: &[u32], letter: usize) -> Vec<u32> {
    runs.iter().map(|state| automaton.next(*state, letter)).collect()
}
