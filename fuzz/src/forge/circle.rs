//! False claims on circles of every size, by automata.
//!
//! Real proofs are handed to other games and other claims, or have one label changed; and automata
//! are learned from all positions of small circles, so that they are right as far as words differ
//! within a few letters.

use super::learned::Learned;
use super::strategy::Ring;
use super::{Forger, Forgery, Raw, Table, Truth, joined};
use crate::lot::Lot;
use std::collections::HashMap;

/// Who wins on circles, by the rules: computed once each.
#[derive(Default)]
pub(super) struct Circles {
    known: HashMap<(Vec<i64>, bool), Vec<bool>>,
}

impl Circles {
    /// Returns whether the circles of 1, 2, … cells are P.
    pub(super) fn outcomes(&mut self, steps: &[i64], misere: bool) -> &[bool] {
        self.known.entry((steps.to_vec(), misere)).or_insert_with(|| {
            let most = [24, 24, 22, 18][steps.len().min(3)];
            let one = |n: usize| {
                let mut ring = Ring::new(n, steps, misere);
                let start = ring.start();
                !ring.wins(start)
            };
            (1..=most).map(one).collect()
        })
    }
}

/// Returns the statement that the circles of these sizes are P: `below` from 1 cell on, then by
/// residue. Modulus and bound are the least.
pub(super) fn statement(below: &[bool], classes: &[bool], misere: bool) -> String {
    let all = classes.len();
    let fits = |d: &usize| all.is_multiple_of(*d) && (0..all).all(|r| classes[r] == classes[r % d]);
    let modulus = (1..=all).find(fits).unwrap_or(all);
    let bound =
        below.iter().enumerate().rev().find(|(i, said)| **said != classes[(i + 1) % modulus]);
    let bound = bound.map_or(1, |(i, _)| i + 2);
    let first = (bound..bound + modulus).find(|n| classes[n % modulus]);
    let mut parts: Vec<String> = (1..first.unwrap_or(bound))
        .filter(|n| below.get(n - 1).copied().unwrap_or(false))
        .map(|n| format!("n = {n}"))
        .collect();
    if let Some(first) = first {
        let residues: Vec<String> = (0..modulus)
            .filter(|r| classes[*r])
            .map(|r| format!("n mod {modulus} = {r}"))
            .collect();
        let always = (1..first).all(|n| !classes[n % modulus]);
        let list = residues.join(" | ");
        parts.push(match (modulus, always, residues.len()) {
            (1, true, _) => "n >= 1".into(),
            (1, false, _) => format!("n >= {first}"),
            (_, true, _) => list,
            (_, false, 1) => format!("(n >= {first} & {list})"),
            _ => format!("(n >= {first} & ({list}))"),
        });
    }
    let formula = if parts.is_empty() { "false".into() } else { parts.join(" | ") };
    format!("{}P iff {formula}", if misere { "in misere play " } else { "" })
}

pub(super) fn name(steps: &[i64]) -> String {
    format!("Gamma({};n)", steps.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
}

/// Returns the steps that a name lists.
pub(super) fn steps(name: &str) -> Option<Vec<i64>> {
    let list = name.strip_prefix("Gamma(")?.strip_suffix(";n)")?;
    list.split(',').map(|step| step.parse().ok()).collect()
}

/// A class of a body: its outcome, from where on, its states.
struct Class {
    in_p: bool,
    from: usize,
    states: Vec<String>,
}

fn classes(body: &[String]) -> Option<Vec<Class>> {
    let mut lines = body.iter();
    let period: usize = lines.next()?.strip_prefix("period ")?.parse().ok()?;
    let mut classes = Vec::new();
    for _ in 0..period {
        let words: Vec<&str> = lines.next()?.split(' ').collect();
        let count: usize = words.get(6)?.parse().ok()?;
        let states = lines.by_ref().take(count).cloned().collect();
        classes.push(Class { in_p: words[2] == "P", from: words[4].parse().ok()?, states });
    }
    Some(classes)
}

fn body(classes: &[Class]) -> Vec<String> {
    let mut lines = vec![format!("period {}", classes.len())];
    for (residue, class) in classes.iter().enumerate() {
        let outcome = if class.in_p { "P" } else { "N" };
        lines.push(format!(
            "class {residue} {outcome} from {} states {}",
            class.from,
            class.states.len()
        ));
        lines.extend(class.states.iter().cloned());
    }
    lines
}

/// The forger.
pub struct Circle {
    raw: Vec<Raw>,
    circles: Circles,
}

impl Circle {
    /// Returns a forger with kept proofs.
    pub fn new(texts: &[String]) -> Circle {
        let raw =
            Raw::all(texts, "circle").into_iter().filter(|raw| raw.body.len() < 700).collect();
        Circle { raw, circles: Circles::default() }
    }
}

const FEATURES: &[&str] = &[
    "one step",
    "two steps",
    "three steps",
    "a negative step",
    "both ways alike",
    "a common divisor",
    "misere",
];

const LINES: &[&str] = &[
    "another game",
    "another claim",
    "class",
    "from",
    "label",
    "next state",
    "classes doubled",
    "classes turned",
    "learned",
    "learned by residues",
];

/// Returns steps of games with a feature.
pub(super) fn drawn(feature: usize, lot: &mut Lot) -> Vec<i64> {
    let mut one = |most: usize| 1 + lot.below(most) as i64;
    let mut steps = match feature {
        0 => vec![one(4)],
        1 | 6 => vec![one(2), 2 + one(3)],
        2 => vec![1, 1 + one(2), 3 + one(2)],
        3 => vec![-one(2), one(3)],
        4 => {
            let step = one(2);
            vec![-step, step]
        }
        _ => vec![2, 2 + 2 * one(2)],
    };
    steps.sort_unstable();
    steps.dedup();
    steps
}

impl Circle {
    /// Learns automata right as far as was looked at.
    fn learn(
        &self,
        steps: &[i64],
        misere: bool,
        period: usize,
        tails: usize,
        from: usize,
    ) -> Option<Vec<Class>> {
        let mut rings: HashMap<usize, Ring> = HashMap::new();
        let mut all = Vec::new();
        for residue in 0..period {
            let mut says = |word: &[usize]| {
                let n = word.len() + 1;
                if n % period != residue {
                    return Some(0);
                }
                if n > 19 {
                    return None;
                }
                let ring = rings.entry(n).or_insert_with(|| Ring::new(n, steps, misere));
                let free = word.iter().enumerate().filter(|(_, letter)| **letter == 0);
                let free = free.fold(0u64, |free, (i, _)| free | 2 << i);
                Some(if ring.wins(free) { 2 } else { 1 })
            };
            let learned = Learned::new(2, tails, 60, &mut says)?;
            let first = (from..).find(|n| n % period == residue)?;
            let in_p = learned.out[learned.state(&vec![0; first - 1])] == 1;
            let row = |(next, out): (&Vec<usize>, &u8)| {
                format!("{} {}{}", next[0] + 1, next[1] + 1, ["", " A", " B"][usize::from(*out)])
            };
            let states = learned.next.iter().zip(&learned.out).map(row).collect();
            all.push(Class { in_p, from, states });
        }
        Some(all)
    }
}

impl Forger for Circle {
    fn table(&self) -> Table {
        Table { kind: "circle", features: FEATURES, lines: LINES }
    }

    fn draw(&mut self, feature: usize, line: usize, lot: &mut Lot) -> Option<Forgery> {
        let mut steps = drawn(feature, lot);
        let mut misere = feature == 6 || lot.below(3) == 0;
        let wide = |steps: &[i64]| {
            let both = steps[steps.len() - 1] - steps[0].min(0);
            (2 * both + i64::from(steps[0] < 0)).max(2) as usize
        };
        let mut all = match line {
            8 | 9 => {
                let period = if line == 8 { 1 } else { 2 + lot.below(2) };
                let from = wide(&steps) + lot.below(3);
                let tails = period + lot.below(4);
                self.learn(&steps, misere, period, tails, from)?
            }
            _ => {
                // A proof of this game, if there is one.
                let own: Vec<&Raw> = self
                    .raw
                    .iter()
                    .filter(|raw| super::circle::steps(&raw.game).as_deref() == Some(&steps))
                    .filter(|raw| raw.claim.starts_with("in misere play") == misere)
                    .collect();
                let raw = match own.is_empty() || line == 0 {
                    false => *lot.one(&own),
                    true => lot.one(&self.raw),
                };
                if line == 0 && lot.below(3) == 0 {
                    // The same game in the other play.
                    steps = super::circle::steps(&raw.game)?;
                    misere = !raw.claim.starts_with("in misere play");
                }
                classes(&raw.body)?
            }
        };
        if all.iter().any(|class| class.from > 19 || class.states.is_empty()) {
            return None;
        }
        let which = lot.below(all.len());
        let least = wide(&steps);
        let class = &mut all[which];
        let state = lot.below(class.states.len());
        let text = class.states[state].clone();
        let bare = text.trim_end_matches([' ', 'A', 'B']).to_owned();
        match line {
            2 => class.in_p = !class.in_p,
            3 => {
                class.from = *lot.one(&[
                    least,
                    least,
                    class.from.max(2) - 1,
                    class.from + 1,
                    least.max(2) - 1,
                ])
            }
            4 => class.states[state] = format!("{bare}{}", lot.one(&["", " A", " B", " A", " B"])),
            5 => class.states[state] = super::cash::nudged(&text, lot.below(2), lot),
            6 => {
                let again: Vec<Class> = all
                    .iter()
                    .map(|class| Class { states: class.states.clone(), ..*class })
                    .collect();
                all.extend(again);
                if lot.below(2) == 0 {
                    let last = all.len() - 1;
                    all[last].in_p ^= true;
                }
            }
            7 => all.rotate_left(1),
            _ => {}
        }
        if line != 3 {
            all.iter_mut().for_each(|class| class.from = class.from.max(least));
        }
        if all.iter().any(|class| class.from > 19) {
            return None;
        }
        // What is then claimed: below by the rules, else by the classes.
        let outcomes = self.circles.outcomes(&steps, misere).to_vec();
        let most = all.iter().map(|class| class.from).max()?;
        let flags: Vec<bool> = all.iter().map(|class| class.in_p).collect();
        let mut below: Vec<bool> = (1..most)
            .map(|n| {
                let class = &all[n % all.len()];
                if n < class.from {
                    outcomes.get(n - 1).copied().unwrap_or(false)
                } else {
                    class.in_p
                }
            })
            .collect();
        if line == 1 {
            let n = lot.below(below.len().min(outcomes.len()));
            match lot.below(3) {
                0 => all.iter_mut().for_each(|class| class.in_p ^= true),
                _ => below[n] ^= true,
            }
        }
        let flags = if line == 1 { all.iter().map(|class| class.in_p).collect() } else { flags };
        let said = |n: usize| below.get(n - 1).copied().unwrap_or(flags[n % flags.len()]);
        let wrong = (1..=outcomes.len()).find(|n| said(*n) != outcomes[n - 1]);
        let truth = match wrong {
            Some(n) => Truth::False(format!(
                "the circle of {n} cells is {}",
                if said(n) { "N" } else { "P" }
            )),
            None => Truth::True,
        };
        let claim = statement(&below, &flags, misere);
        Some(Forgery::new("circle", &name(&steps), &claim, &joined(&body(&all)), truth))
    }
}
