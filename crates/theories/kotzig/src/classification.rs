//! One family, both plays: the sequence of outcomes, and the classification fitted to it.
//!
//! The fit has the form of Tan & Ward's conjectures: a finite set, and residue classes from
//! thresholds on. It is read off the data, and says nothing beyond them.

use crate::shard;
use crate::{Instance, KotzigFamily, Position, Range, Techniques, nim_values};
use bouton_core::{Arrange, Budget, LimitReached, Meter, Nimber, Outcome, Play};
use std::collections::BTreeSet;
use std::fmt;

/// One game of a family.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The game and its parameters.
    pub instance: Instance,
    /// Its outcome.
    pub outcome: Result<Outcome, LimitReached>,
}

/// Computes the outcomes of a family with `ranges` for its parameters, in order; each may cost the
/// nodes of the budget.
pub fn outcomes(
    family: &KotzigFamily,
    ranges: &[Range],
    play: Play,
    budget: &Budget,
) -> Vec<Solved> {
    let instances = family.instances(ranges);
    // Moves that stay as they are let the search learn from one length to the next.
    let games =
        instances
            .iter()
            .map(|i| {
                if family.has_fixed_moves() { i.game.clone() } else { i.game.with_shortest_steps() }
            })
            .collect();
    let nodes = budget.nodes.unwrap_or(u64::MAX);
    let shard = shard::Shard { play, techniques: Techniques::default(), nodes, games };
    let verdicts = shard::solve(&shard, budget);
    let lines = instances.into_iter().zip(verdicts);
    lines.map(|(instance, verdict)| Solved { instance, outcome: verdict.outcome }).collect()
}

/// Returns the nim-values of the first games of a family, up to the first that takes more than the
/// budget.
pub fn nim_values(
    family: &KotzigFamily,
    ranges: &[Range],
    budget: &Budget,
) -> Vec<(Instance, Nimber)> {
    let value = |instance: Instance| {
        let mut meter = Meter::new(budget);
        let value =
            nim_values::nim_value(&instance.game.canonical(), &Position::start(), &mut meter)
                .ok()?;
        Some((instance, value))
    };
    family.instances(ranges).into_iter().map_while(value).collect()
}

/// A set of numbers: some alone, and residue classes from thresholds on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classification {
    /// The name of the parameter.
    pub name: String,
    /// Members below the thresholds of their class, or in no class.
    pub alone: Vec<i64>,
    /// The modulus of the classes.
    pub period: i64,
    /// Residues and the number from which on all of the class are members, by threshold.
    pub classes: Vec<(Vec<i64>, i64)>,
    /// The numbers it was fitted to.
    pub fitted: Range,
}

/// Members of a class that must have been seen from its threshold on.
const EVIDENCE: i64 = 3;

impl Classification {
    /// Returns the shortest classification of `members` among the numbers in `within`: its period,
    /// classes and single members counted. `None` if none has, in every class, at least three
    /// numbers past the last change, and more of them than were ever alike before. O(length²).
    pub fn fit(name: &str, members: &BTreeSet<i64>, within: &Range) -> Option<Classification> {
        let length = within.end() - within.start() + 1;
        (1..=length / EVIDENCE)
            .filter_map(|period| Classification::with_period(name, members, within, period))
            .min_by_key(|fit| (fit.size(), fit.period))
    }

    fn size(&self) -> usize {
        self.alone.len() + self.period as usize + self.classes.len()
    }

    fn with_period(
        name: &str,
        members: &BTreeSet<i64>,
        within: &Range,
        period: i64,
    ) -> Option<Classification> {
        let mut thresholds = Vec::new();
        for residue in 0..period {
            // From the end down to the last change.
            let last = within.end() - (within.end() - residue).rem_euclid(period);
            let mut number = last;
            while number >= *within.start() && members.contains(&number) == members.contains(&last)
            {
                number -= period;
            }
            // A run that was as long before, and ended, is no evidence.
            let (mut run, mut longest) = (0, 0);
            for earlier in (0..).map(|i| number - i * period).take_while(|n| n >= within.start()) {
                run = if members.contains(&earlier) == members.contains(&last) {
                    run + period
                } else {
                    0
                };
                longest = longest.max(run);
            }
            if last - number <= longest || last - number < EVIDENCE * period {
                return None;
            }
            if members.contains(&last) {
                thresholds.push((number + period, number, residue));
            }
        }
        thresholds.arrange();
        // Classes that begin within two periods of each other share a threshold: the members before
        // it stand alone.
        let mut classes: Vec<(Vec<i64>, i64)> = Vec::new();
        let mut first = i64::MIN;
        for (threshold, gone, residue) in thresholds {
            match classes.last_mut() {
                Some((residues, shared)) if threshold - first <= 2 * period => {
                    residues.push(residue);
                    *shared = gone.max(*shared);
                }
                _ => {
                    classes.push((vec![residue], gone));
                    first = threshold;
                }
            }
        }
        for (residues, from) in &mut classes {
            residues.arrange();
            // From the last number that is missing to the first of the class after it.
            let after = (*from + 1).max(*within.start());
            *from = (after..).find(|n| residues.contains(&n.rem_euclid(period))).unwrap_or(after);
        }
        let mut fit = Classification {
            name: name.into(),
            alone: vec![],
            period,
            classes,
            fitted: within.clone(),
        };
        fit.alone = members.iter().copied().filter(|number| !fit.in_class(*number)).collect();
        Some(fit)
    }

    fn in_class(&self, number: i64) -> bool {
        let residue = number.rem_euclid(self.period);
        self.classes.iter().any(|(residues, from)| number >= *from && residues.contains(&residue))
    }

    /// Returns whether a number is a member.
    pub fn contains(&self, number: i64) -> bool {
        self.in_class(number) || self.alone.binary_search(&number).is_ok()
    }
}

/// `n in {1, 3, 5, 7, 15}, or n = 3 mod 5 with n >= 23`.
impl fmt::Display for Classification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let name = &self.name;
        let mut parts = Vec::new();
        if !self.alone.is_empty() {
            parts.push(format!("{name} in {{{}}}", list(&self.alone)));
        }
        for (residues, from) in &self.classes {
            let of_class = |n: i64| residues.contains(&n.rem_euclid(self.period));
            let class = match self.period {
                1 => format!("{name} >= {from}"),
                period if !(*self.fitted.start()..*from).any(of_class) => {
                    format!("{name} = {} mod {period}", list(residues))
                }
                period => format!("{name} = {} mod {period} with {name} >= {from}", list(residues)),
            };
            parts.push(class);
        }
        if parts.is_empty() {
            return write!(f, "no {name}");
        }
        f.write_str(&parts.join(", or "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_with_a_pattern_are_found_again() {
        // (period, residues, threshold, members before it)
        type Shape = (i64, &'static [i64], i64, &'static [i64]);
        let shapes: [Shape; 4] = [
            (5, &[3], 23, &[1, 3, 5, 7, 15]),
            (7, &[2, 3, 5, 6], 55, &[1, 3, 5]),
            (2, &[1], 1, &[]),
            (1, &[], 0, &[4]),
        ];
        for (period, residues, from, alone) in shapes {
            let is = |n: &i64| alone.contains(n) || *n >= from && residues.contains(&(n % period));
            let members: BTreeSet<i64> = (1..=100).filter(is).collect();
            let fit = Classification::fit("n", &members, &(1..=100)).unwrap();
            assert_eq!(fit.period, period);
            assert!((1..=100).all(|n| fit.contains(n) == members.contains(&n)), "{fit}");
            assert!((101..=500).all(|n| fit.contains(n) == is(&n)), "{fit}");
        }
    }

    #[test]
    fn no_pattern_is_no_fit() {
        let squares: BTreeSet<i64> = [1, 4, 9, 16].into();
        assert_eq!(Classification::fit("n", &squares, &(1..=16)), None);
        // Members that come again and again are no exceptions, even if the data end in a gap
        // between them.
        let again: BTreeSet<i64> = [5, 6, 11, 15, 16, 21, 25, 26].into();
        assert_eq!(Classification::fit("m", &again, &(2..=30)), None);
    }

    #[test]
    fn in_words() {
        let members: BTreeSet<i64> =
            (1..=90).filter(|n| [1, 3, 5, 7, 15].contains(n) || *n >= 23 && n % 5 == 3).collect();
        let fit = Classification::fit("n", &members, &(1..=90)).unwrap();
        assert_eq!(fit.to_string(), "n in {1, 3, 5, 7, 15}, or n = 3 mod 5 with n >= 23");
    }
}
