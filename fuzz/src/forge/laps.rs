//! False claims on circles of every size, by laps.
//!
//! Real proofs are handed to other games and other plays, and have states, labels and values
//! changed; the claim is always what the first lap then says.

use super::circle::{Circles, drawn, name, statement, steps};
use super::{Forger, Forgery, Raw, Table, Truth, joined};
use crate::lot::Lot;
use bouton_core::{Budget, Play};
use bouton_kotzig::revolutions::decide;

/// The forger.
pub struct Laps {
    raw: Vec<Raw>,
    circles: Circles,
}

impl Laps {
    /// Returns a forger with kept proofs, and with some that are found now.
    pub fn new(texts: &[String]) -> Laps {
        let found = [Play::Normal, Play::Misere].into_iter().flat_map(|play| {
            let sets: [&[i64]; 5] = [&[1], &[2], &[1, 2], &[1, 3], &[2, 4]];
            sets.into_iter()
                .filter_map(move |set| decide(set, play, &Budget::default(), &|_| ()).ok())
        });
        let found: Vec<String> = found.map(|theorem| theorem.certificate().to_text()).collect();
        let raw = [Raw::all(texts, "laps"), Raw::all(&found, "laps")].concat();
        let raw = raw.into_iter().filter(|raw| raw.body.len() < 3000).collect();
        Laps { raw, circles: Circles::default() }
    }
}

const FEATURES: &[&str] =
    &["one step", "two steps", "three steps", "a negative step", "a common divisor", "misere"];

const LINES: &[&str] = &[
    "another game",
    "another claim",
    "from",
    "tapes end",
    "tapes lead",
    "classes lead",
    "classes' words",
    "labels",
    "words lead",
    "values",
    "a lap less",
];

/// Where the lines of a lap's tapes, classes and words are.
struct Place {
    tapes: (usize, usize),
    classes: (usize, usize),
    words: (usize, usize),
}

fn places(body: &[String]) -> Option<Vec<Place>> {
    let mut at = 1;
    let mut all = Vec::new();
    while at < body.len() {
        let words: Vec<&str> = body[at].split(' ').collect();
        let count = |i: usize| words.get(i)?.parse::<usize>().ok();
        let (t, c, w) = (count(3)?, count(5)?, count(7)?);
        at += 1;
        all.push(Place { tapes: (at, t), classes: (at + t, c), words: (at + t + c, w) });
        at += t + c + w;
    }
    Some(all)
}

/// Returns what the first lap says of circles: P (true), N, or nothing, for n from 1 on, and where
/// what comes is what came.
fn values_of(body: &[String]) -> Option<(Vec<char>, usize)> {
    let place = places(body)?.into_iter().next()?;
    let class = |state: usize, i: usize| -> Option<usize> {
        body.get(place.classes.0 + state - 1)?.split(' ').nth(i)?.parse().ok()
    };
    let to = class(1, 1)?;
    let mut word = if to == 0 { 0 } else { class(to, 2)? };
    let (mut values, mut met) = (Vec::new(), Vec::new());
    loop {
        // The same to come as for an earlier circle.
        if let Some(early) =
            met.iter().position(|state| *state == word).filter(|_| values.len() > 40)
        {
            return Some((values, early));
        }
        met.push(word);
        let text: Vec<String> = match word {
            0 => vec!["0".into(), "0".into(), "?".into()],
            _ => body.get(place.words.0 + word - 1)?.split(' ').map(str::to_owned).collect(),
        };
        values.push(text.get(2)?.chars().next()?);
        word = text[0].parse().ok()?;
        if values.len() > 3000 {
            return None;
        }
    }
}

impl Forger for Laps {
    fn table(&self) -> Table {
        Table { kind: "laps", features: FEATURES, lines: LINES }
    }

    fn draw(&mut self, feature: usize, line: usize, lot: &mut Lot) -> Option<Forgery> {
        if self.raw.is_empty() {
            return None;
        }
        let mut own = drawn(if feature < 4 { feature } else { feature + 1 }, lot);
        let mut misere = feature == 5 || lot.below(3) == 0;
        let fitting: Vec<&Raw> = self
            .raw
            .iter()
            .filter(|raw| steps(&raw.game).as_deref() == Some(&own))
            .filter(|raw| raw.claim.starts_with("in misere play") == misere)
            .collect();
        let raw =
            if line == 0 || fitting.is_empty() { lot.one(&self.raw) } else { *lot.one(&fitting) };
        if line == 0 && lot.below(3) == 0 {
            own = steps(&raw.game)?;
            misere = !raw.claim.starts_with("in misere play");
        }
        let mut body = raw.body.clone();
        let all = places(&body)?;
        let place = lot.one(&all);
        let some = |(start, count): (usize, usize), lot: &mut Lot| {
            (count > 0).then(|| start + lot.below(count))
        };
        // Most states are never looked at where they are changed: so a few are changed at once.
        for _ in 0..1 + lot.below(2) {
            match line {
                3 => {
                    let at = some(place.tapes, lot)?;
                    body[at] = match body[at].strip_suffix(" .") {
                        Some(rest) => rest.to_owned(),
                        None => format!("{} .", body[at]),
                    };
                }
                4 => {
                    let at = some(place.tapes, lot)?;
                    body[at] = super::cash::nudged(&body[at], lot.below(2), lot);
                }
                5 | 6 => {
                    let at = some(place.classes, lot)?;
                    let which = if line == 6 { 2 } else { lot.below(2) };
                    body[at] = super::cash::nudged(&body[at], which, lot);
                }
                7 => {
                    let at = some(place.classes, lot)?;
                    let (rest, label) = body[at].rsplit_once(' ')?;
                    let furthest = usize::try_from(*own.last()?).ok()?;
                    let mut label: Vec<char> =
                        if label == "-" { vec!['?'; furthest] } else { label.chars().collect() };
                    let cell = lot.below(label.len());
                    label[cell] = *lot.one(&['.', 'W', 'L', '?']);
                    body[at] = format!("{rest} {}", label.iter().collect::<String>());
                }
                8 => {
                    let at = some(place.words, lot)?;
                    body[at] = super::cash::nudged(&body[at], lot.below(2), lot);
                }
                9 => {
                    let at = some(place.words, lot)?;
                    let (rest, value) = body[at].rsplit_once(' ')?;
                    body[at] = format!("{rest} {}", if value == "W" { "L" } else { "W" });
                }
                _ => {}
            }
        }
        if line == 10 {
            // The last lap leaves.
            let last = all.last()?;
            body.truncate(last.tapes.0 - 1);
        }
        let from: usize = body[0].rsplit_once(' ')?.1.parse().ok()?;
        let from = match line {
            2 => *lot.one(&[from.max(2) - 1, from + 1, from / 2, *own.last()? as usize + 1]),
            _ => from,
        };
        let from = if line == 2 { from } else { from.max(*own.last()? as usize + 1) };
        body[0] =
            format!("laps {} from {from}", if line == 10 { all.len() - 1 } else { all.len() });
        let outcomes = self.circles.outcomes(&own, misere).to_vec();
        if from > outcomes.len() || from == 0 {
            return None;
        }
        let (values, early) = values_of(&body)?;
        let period = values.len() - early;
        let mut below: Vec<bool> = values.iter().map(|value| *value == 'L').collect();
        below[..from - 1].copy_from_slice(&outcomes[..from - 1]);
        let member = |n: usize| {
            if n <= below.len() { below[n - 1] } else { below[early + (n - 1 - early) % period] }
        };
        let mut flags: Vec<bool> = (0..period)
            .map(|residue| (values.len() + 1..).find(|n| n % period == residue).is_some_and(member))
            .collect();
        if line == 1 {
            let n = lot.below(below.len().min(18));
            match lot.below(3) {
                0 => {
                    flags.iter_mut().for_each(|flag| *flag ^= true);
                    below[from..].iter_mut().for_each(|flag| *flag ^= true);
                }
                _ => below[n] ^= true,
            }
        }
        let said = |n: usize| below.get(n - 1).copied().unwrap_or(flags[n % period]);
        let wrong = (1..=outcomes.len()).find(|n| said(*n) != outcomes[n - 1]);
        let truth = match wrong {
            Some(n) => Truth::False(format!(
                "the circle of {n} cells is {}",
                if said(n) { "N" } else { "P" }
            )),
            None => Truth::True,
        };
        let claim = statement(&below, &flags, misere);
        Some(Forgery::new("laps", &name(&own), &claim, &joined(&body), truth))
    }
}
