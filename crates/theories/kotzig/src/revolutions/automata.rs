//! What a proof by revolutions says of positions: the automata of a certificate of kind `laps`, as
//! `bouton-check` describes them.
//!
//! A position may have come up in one revolution or another, and each revolution's automata speak
//! of those that can come up in it. So for each it is asked first whether some tape before the
//! revolution, and moves of the revolution, lead there.

use serde::Serialize;
use std::collections::BTreeSet;

/// A revolution of a proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "lap")]
pub struct RevolutionLayer {
    /// States of the automaton of the tapes before it.
    pub tapes: usize,
    /// Classes of what the revolution leaves behind the token.
    pub classes: usize,
    /// States for the cells ahead of it.
    pub words: usize,
    #[serde(skip)]
    automata: Automata,
}

/// States from 1 on; 0 is none.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Automata {
    /// Next states, and whether a tape may end.
    tapes: Vec<([usize; 2], bool)>,
    /// Next states, and the state of `words` with the token at hand.
    classes: Vec<([usize; 2], usize)>,
    /// Next states, and whether the mover wins at the end.
    words: Vec<([usize; 2], Option<bool>)>,
}

/// Reads the revolutions in the body of a certificate that the checker has accepted.
pub(crate) fn read(body: &str) -> Option<Vec<RevolutionLayer>> {
    let mut lines = body.lines();
    let count: usize = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let mut lap = || {
        let head: Vec<&str> = lines.next()?.split(' ').collect();
        let ["lap", _, "tapes", tapes, "classes", classes, "words", words] = head[..] else {
            return None;
        };
        let (tapes, classes, words) =
            (tapes.parse().ok()?, classes.parse().ok()?, words.parse().ok()?);
        let mut state = || {
            let mut parts = lines.next()?.split(' ');
            let next = [parts.next()?.parse().ok()?, parts.next()?.parse().ok()?];
            Some((next, parts.next().unwrap_or("")))
        };
        let automata = Automata {
            tapes: (0..tapes)
                .map(|_| state().map(|(next, end)| (next, end == ".")))
                .collect::<Option<_>>()?,
            classes: (0..classes)
                .map(|_| state().and_then(|(next, word)| Some((next, word.parse().ok()?))))
                .collect::<Option<_>>()?,
            words: (0..words)
                .map(|_| {
                    state().map(|(next, wins)| {
                        (next, ["L", "W"].iter().position(|w| *w == wins).map(|w| w == 1))
                    })
                })
                .collect::<Option<_>>()?,
        };
        Some(RevolutionLayer { tapes, classes, words, automata })
    };
    (0..count).map(|_| lap()).collect()
}

/// Returns whether the mover wins, if the proof says so: the cells from the one on which the game
/// began, and the token's. O(revolutions · cells).
pub(crate) fn mover_wins(
    laps: &[RevolutionLayer],
    steps: &[usize],
    marked: &[bool],
    token: usize,
) -> Option<bool> {
    let furthest = *steps.last()?;
    if marked.len() <= furthest {
        return None;
    }
    laps.iter().enumerate().find_map(|(number, lap)| {
        let entries = if number == 0 { 1 } else { furthest };
        if !lap.automata.comes_up(steps, entries, marked, token) {
            return None;
        }
        let Automata { classes, words, .. } = &lap.automata;
        let class = marked[..=token]
            .iter()
            .try_fold(1, |class, marked| to(classes.get(class - 1)?.0, *marked))?;
        let start = classes.get(class - 1)?.1.checked_sub(1)? + 1;
        let end = marked[token + 1..]
            .iter()
            .try_fold(start, |word, marked| to(words.get(word - 1)?.0, *marked))?;
        words.get(end - 1)?.1
    })
}

/// Returns the next state, if there is one.
fn to(next: [usize; 2], marked: bool) -> Option<usize> {
    Some(next[usize::from(marked)]).filter(|state| *state > 0)
}

impl Automata {
    /// Returns whether the revolution may have come to this position, begun on one of the first
    /// `entries` cells.
    fn comes_up(&self, steps: &[usize], entries: usize, marked: &[bool], token: usize) -> bool {
        // The state of the tape before the revolution, and the cell that was marked last.
        let mut places: BTreeSet<(usize, Option<usize>)> = BTreeSet::from([(1, None)]);
        for (cell, is_marked) in marked.iter().enumerate() {
            let mut after = BTreeSet::new();
            for (state, last) in places {
                let next = self.tapes.get(state - 1).map_or([0; 2], |state| state.0);
                let lands = match last {
                    None => cell < entries,
                    Some(last) => steps.contains(&(cell - last)),
                };
                if cell != token
                    && let Some(state) = to(next, *is_marked)
                {
                    after.insert((state, last));
                }
                if cell <= token
                    && *is_marked
                    && lands
                    && let Some(state) = to(next, false)
                {
                    after.insert((state, Some(cell)));
                }
            }
            places = after;
        }
        places.iter().any(|(state, _)| self.tapes.get(state - 1).is_some_and(|state| state.1))
    }
}
