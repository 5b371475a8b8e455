//! Periods of sequences, and sets of numbers as residue classes.
//!
//! A sequence is arithmetically periodic if a(n + period) = a(n) + saltus from its preperiod on;
//! saltus 0 makes it periodic. The shortest description is chosen, by preperiod plus period. A
//! period needs three repetitions in the data and implies nothing beyond them.

use bouton_core::{Arrange, LimitReached, Meter};
use std::fmt;

/// The number of whole periods that must occur.
const MIN_PERIODS: usize = 3;

/// A sequence that is arithmetically periodic in the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Periodic {
    /// The first number of the sequence.
    pub start: i64,
    /// The preperiod: a(n + period) = a(n) + saltus from this n on.
    pub preperiod: i64,
    /// The period.
    pub period: i64,
    /// The increase per period.
    pub saltus: i64,
    /// The values before the preperiod that differ from the period, continued backwards.
    pub exceptions: Vec<(i64, i64)>,
    /// The values of one period from the preperiod on.
    pub values: Vec<i64>,
    /// The last number of the data.
    pub seen_to: i64,
}

/// Returns the period of a sequence whose first number is `start`, if the data contain at least
/// three repetitions. O(length²); a node is a value compared with the one a period later.
pub fn periodic(
    start: i64,
    values: &[i64],
    meter: &mut Meter,
) -> Result<Option<Periodic>, LimitReached> {
    meter.spend_and_poll(0)?;
    let mut best: Option<(usize, usize)> = None;
    for period in 1..=values.len() / MIN_PERIODS {
        // No longer period is a shorter description.
        if best.is_some_and(|(e, p)| period >= e + p) {
            break;
        }
        let last = values.len() - 1;
        let Some(saltus) = values[last].checked_sub(values[last - period]) else { return Ok(None) };
        let goes = |n: usize| values[n].checked_add(saltus) == Some(values[n + period]);
        let pre = (0..values.len() - period)
            .rev()
            .take_while(|n| goes(*n))
            .last()
            .unwrap_or(values.len());
        let seen = values.len().saturating_sub(pre);
        meter.spend(seen as u64 + 1)?;
        // A constant tail is evidence only if it is longer than everything before it.
        if seen >= MIN_PERIODS * period
            && seen > pre
            && best.is_none_or(|(e, p)| pre + period < e + p)
        {
            best = Some((pre, period));
        }
    }
    let Some((pre, period)) = best else { return Ok(None) };
    let saltus = values[pre + period] - values[pre];
    let continued = |n: usize| {
        let periods = (pre - n).div_ceil(period);
        values[n + periods * period] - saltus * periods as i64
    };
    let exceptions = (0..pre)
        .filter(|n| continued(*n) != values[*n])
        .map(|n| (start + n as i64, values[n]))
        .collect();
    Ok(Some(Periodic {
        start,
        preperiod: start + pre as i64,
        period: period as i64,
        saltus,
        exceptions,
        values: values[pre..pre + period].to_vec(),
        seen_to: start + values.len() as i64 - 1,
    }))
}

impl fmt::Display for Periodic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Periodic { preperiod, period, saltus, .. } = self;
        match saltus {
            0 => write!(f, "a(n+{period}) = a(n) for n ≥ {preperiod}")?,
            s if *s < 0 => {
                write!(f, "a(n+{period}) = a(n) − {} for n ≥ {preperiod}", s.unsigned_abs())?
            }
            s => write!(f, "a(n+{period}) = a(n) + {s} for n ≥ {preperiod}")?,
        }
        let values: Vec<String> = self.values.iter().map(i64::to_string).collect();
        write!(f, ", there {}", values.join(" "))?;
        if !self.exceptions.is_empty() {
            let all: Vec<String> =
                self.exceptions.iter().map(|(n, a)| format!("{n}:{a}")).collect();
            write!(f, "; exceptions {}", all.join(" "))?;
        }
        Ok(())
    }
}

/// A set of numbers: single ones, and residue classes from thresholds on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResidueClasses {
    /// The members in no class, or below its threshold.
    pub alone: Vec<i64>,
    /// The modulus.
    pub modulus: i64,
    /// Residues and thresholds, by threshold, then residue: all members of the class from the
    /// threshold on.
    pub classes: Vec<(i64, i64)>,
}

/// Returns the residue classes of a set, given for each number from `start` on whether it is a
/// member; `None` if the set is not periodic in the data ([`periodic`]).
pub fn classes(
    start: i64,
    member: &[bool],
    meter: &mut Meter,
) -> Result<Option<ResidueClasses>, LimitReached> {
    let values: Vec<i64> = member.iter().map(|m| i64::from(*m)).collect();
    let found = periodic(start, &values, meter)?.filter(|found| found.saltus == 0);
    Ok(found.map(|found| residues(start, member, &found)))
}

/// Returns the residue classes of a periodic set.
fn residues(start: i64, member: &[bool], found: &Periodic) -> ResidueClasses {
    let modulus = found.period;
    let mut classes = Vec::new();
    for i in 0..modulus {
        if found.values[i as usize] == 1 {
            // The class continues below the preperiod.
            let mut from = found.preperiod + i;
            while from - modulus >= start && member[(from - modulus - start) as usize] {
                from -= modulus;
            }
            classes.push((from, from.rem_euclid(modulus)));
        }
    }
    classes.arrange();
    let classes: Vec<(i64, i64)> =
        classes.into_iter().map(|(from, residue)| (residue, from)).collect();
    let in_class =
        |n: i64| classes.iter().any(|(r, from)| n >= *from && n.rem_euclid(modulus) == *r);
    let numbers = (start..).zip(member);
    let alone = numbers.filter(|(n, m)| **m && !in_class(*n)).map(|(n, _)| n).collect();
    ResidueClasses { alone, modulus, classes }
}

impl ResidueClasses {
    /// Returns whether a number is a member.
    pub fn contains(&self, n: i64) -> bool {
        let in_class = |(r, from): &(i64, i64)| n >= *from && n.rem_euclid(self.modulus) == *r;
        self.alone.contains(&n) || self.classes.iter().any(in_class)
    }
}

/// `n ∈ {1,3,5,7,15}, or n ≡ 3 (mod 5) and n ≥ 23`.
impl fmt::Display for ResidueClasses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let mut parts = Vec::new();
        if !self.alone.is_empty() {
            parts.push(format!("n ∈ {{{}}}", list(&self.alone)));
        }
        let mut left = self.classes.as_slice();
        while let Some((_, first)) = left.first() {
            // Classes that begin within one period are described together.
            let together = left.iter().take_while(|(_, from)| *from < first + self.modulus).count();
            let (these, others) = left.split_at(together);
            left = others;
            let mut residues: Vec<i64> = these.iter().map(|(r, _)| *r).collect();
            residues.arrange();
            parts.push(match self.modulus {
                1 => format!("n ≥ {first}"),
                m if *first <= 0 => format!("n ≡ {} (mod {m})", list(&residues)),
                m => format!("n ≡ {} (mod {m}) and n ≥ {first}", list(&residues)),
            });
        }
        if parts.is_empty() { f.write_str("no n") } else { f.write_str(&parts.join(", or ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::Budget;

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    /// Tan and Ward, On Kotzig's Nim, Theorem 3.1: the form of the P-positions of Γ(1,4;n).
    #[test]
    fn sets_in_words() {
        let is = |n: i64| [1, 3, 5, 7, 15].contains(&n) || n % 5 == 3 && n >= 23;
        let member: Vec<bool> = (1..=80).map(is).collect();
        let found = classes(1, &member, &mut meter()).unwrap().unwrap();
        assert_eq!(found.to_string(), "n ∈ {1,3,5,7,15}, or n ≡ 3 (mod 5) and n ≥ 23");
        assert!((1..1000).all(|n| found.contains(n) == is(n)));
    }

    #[test]
    fn periods_with_gain_are_found_again() {
        for (pre, period, saltus) in [(0, 1, 0), (0, 3, 2), (5, 7, 0), (11, 4, -3), (2, 12, 12)] {
            let a = |n: i64| match n {
                n if n < pre => 100 + n * n,
                n => (n - pre) % period * ((n - pre) % period) % 11 + (n - pre) / period * saltus,
            };
            let values: Vec<i64> = (0..100).map(a).collect();
            let found = periodic(0, &values, &mut meter()).unwrap().unwrap();
            assert_eq!(
                (found.preperiod, found.period, found.saltus),
                (pre, period, saltus),
                "{found}"
            );
            assert_eq!(found.exceptions.len() as i64, pre, "{found}");
        }
    }

    #[test]
    fn squares_and_short_tails_have_no_period() {
        assert_eq!(
            periodic(0, &(0..60).map(|n| n * n).collect::<Vec<_>>(), &mut meter()),
            Ok(None)
        );
        let squares: Vec<bool> =
            (0..60i64).map(|n| [0, 1, 4, 9, 16, 25, 36, 49].contains(&n)).collect();
        assert_eq!(classes(0, &squares, &mut meter()), Ok(None));
    }
}
