//! What may be taken, as cones: where the moves do not depend on the heaps.
//!
//! A condition on what each heap of a window gives, Σ kᵢdᵢ compared with a constant, where no two
//! kᵢ have different signs: the takings are finitely many sums for = and ≤, and for ≥ all that is
//! no less than one of finitely many (Dickson's lemma), heap by heap; a heap that is not in the
//! comparison gives what it likes. So all takings are a union of cones: some tokens of each heap,
//! and any number more from some of the heaps. Cones meet in a cone or not at all, which settles
//! `&` and `|`.

use super::{HeapOptions, Linear, Sign, Tree, without_held};
use bouton_core::{Arrange, MAX_HEAPS};

/// These tokens from each heap, and any number more from some of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cone {
    /// The least that each heap gives.
    pub least: Vec<u32>,
    /// The heaps that may give more, a bit each.
    pub free: u32,
}

/// Sums looked at on the way to each cone, at most.
const WORK: usize = 64;

impl Cone {
    /// Returns whether all takings of `other` are takings of this one.
    fn holds(&self, other: &Cone) -> bool {
        let holds = |(i, (least, given)): (usize, (&u32, &u32))| {
            least == given || least < given && self.free >> i & 1 == 1
        };
        other.free & !self.free == 0 && self.least.iter().zip(&other.least).enumerate().all(holds)
    }

    /// Returns the takings of both.
    fn meet(&self, other: &Cone) -> Option<Cone> {
        let mut least = self.least.clone();
        for (i, (least, given)) in least.iter_mut().zip(&other.least).enumerate() {
            // The one that asks for less must be free to give more.
            let lesser = if *least < *given { self.free } else { other.free };
            if *least != *given && lesser >> i & 1 == 0 {
                return None;
            }
            *least = (*least).max(*given);
        }
        Some(Cone { least, free: self.free & other.free })
    }
}

/// Leaves out what another cone holds.
fn reduced(mut cones: Vec<Cone>) -> Vec<Cone> {
    if cones.iter().all(|cone| cone.free == 0) {
        cones.arrange();
        cones.dedup();
        return cones;
    }
    without_held(cones, Cone::holds)
}

impl HeapOptions {
    /// Returns what may be taken, where that does not depend on the heaps but where they are too
    /// small: cones none of which holds another, in ascending order, at most this many. None where
    /// it does or may depend on them, or where nothing but the window is asked.
    pub fn cones(&self, heaps: usize, limit: usize) -> Option<Vec<Cone>> {
        let condition =
            self.condition.as_ref().filter(|_| self.memory.count == 0 && heaps <= MAX_HEAPS)?;
        let listed = self.listed.as_ref()?;
        let mut all = Vec::new();
        let mut known: Option<(usize, Vec<Cone>)> = None;
        for window in listed {
            if known.as_ref().is_none_or(|(places, _)| *places != window.len()) {
                known = Some((window.len(), condition.root.cones(window.len(), limit)?));
            }
            let (_, cones) = known.as_ref()?;
            for cone in cones {
                let mut here = Cone { least: vec![0; heaps], free: 0 };
                for (place, heap) in window.iter().enumerate() {
                    *here.least.get_mut(*heap)? = cone.least[place];
                    here.free |= (cone.free >> place & 1) << heap;
                }
                if here.least.iter().any(|taken| *taken > 0) {
                    all.push(here);
                    continue;
                }
                // A token at least must leave.
                for heap in (0..heaps).filter(|heap| here.free >> heap & 1 == 1) {
                    let mut one = here.clone();
                    one.least[heap] = 1;
                    all.push(one);
                }
            }
            if all.len() > 2 * limit {
                all = reduced(all);
            }
            if all.len() > 2 * limit {
                return None;
            }
        }
        let all = reduced(all);
        (all.len() <= limit).then_some(all)
    }
}

impl Tree {
    /// Returns the ways to fulfil it, with windows of this many heaps.
    fn cones(&self, places: usize, limit: usize) -> Option<Vec<Cone>> {
        let all = match self {
            Tree::Linear(linear) => linear.cones(places, limit)?,
            Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => return None,
            Tree::Any(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(part.cones(places, limit)?);
                    if all.len() > 2 * limit {
                        return None;
                    }
                }
                all
            }
            Tree::All(parts) => {
                let mut all = vec![Cone { least: vec![0; places], free: (1 << places) - 1 }];
                for part in parts {
                    let more = part.cones(places, limit)?;
                    if all.len() * more.len() > WORK * limit {
                        return None;
                    }
                    let meets =
                        |cone: &Cone| more.iter().filter_map(|m| cone.meet(m)).collect::<Vec<_>>();
                    all = reduced(all.iter().flat_map(meets).collect());
                    if all.len() > limit {
                        return None;
                    }
                }
                all
            }
        };
        let all = reduced(all);
        (all.len() <= limit).then_some(all)
    }
}

/// How a sum is to compare with a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compared {
    Equal,
    AtMost,
    AtLeast,
}

impl Linear {
    /// See [`Tree::cones`].
    fn cones(&self, places: usize, limit: usize) -> Option<Vec<Cone>> {
        // Σ before · p + Σ after · q, where after = −before, is Σ before · (p − q).
        let opposite = |((place, k), (other, after)): (&(usize, i64), &(usize, i64))| {
            place == other && k.checked_neg() == Some(*after)
        };
        if !self.known.is_empty()
            || self.before.len() != self.after.len()
            || !self.before.iter().zip(&self.after).all(opposite)
        {
            return None;
        }
        let negative = self.before.iter().all(|(_, k)| *k < 0);
        if !negative && self.before.iter().any(|(_, k)| *k < 0) {
            return None;
        }
        let terms: Vec<(usize, u64)> =
            self.before.iter().map(|(place, k)| (*place, k.unsigned_abs())).collect();
        // Σ terms compared with `sum`; of negative coefficients ≤ became ≥.
        let sum = i128::from(self.constant) * if negative && !terms.is_empty() { 1 } else { -1 };
        let ways: &[(Compared, i128)] = match (self.sign, negative && !terms.is_empty()) {
            (Sign::Zero, _) => &[(Compared::Equal, sum)],
            (Sign::NotZero, _) => &[(Compared::AtMost, sum - 1), (Compared::AtLeast, sum + 1)],
            (Sign::AtMostZero, true) => &[(Compared::AtLeast, sum)],
            (Sign::AtMostZero, false) => &[(Compared::AtMost, sum)],
        };
        let on = terms.iter().fold(0u32, |on, (place, _)| on | 1 << place);
        let all = (1 << places) - 1;
        let mut cones = Vec::new();
        for &(compared, sum) in ways {
            let sum = match u64::try_from(sum) {
                Ok(sum) => sum,
                // No sum is negative.
                Err(_) if sum < 0 && compared == Compared::AtLeast => 0,
                Err(_) if sum < 0 => continue,
                Err(_) => return None,
            };
            let mut found = Vec::new();
            sums(&terms, sum, compared, &mut vec![0; places], &mut found, &mut (WORK * limit))?;
            let needed = |least: &Vec<u32>| {
                let total = |least: &[u32]| {
                    terms
                        .iter()
                        .map(|(place, k)| u128::from(*k) * u128::from(least[*place]))
                        .sum::<u128>()
                };
                compared != Compared::AtLeast
                    || terms.iter().all(|(i, k)| {
                        least[*i] == 0 || total(least) < u128::from(sum) + u128::from(*k)
                    })
            };
            let free = if compared == Compared::AtLeast { all } else { all & !on };
            cones.extend(found.into_iter().filter(needed).map(|least| Cone { least, free }));
        }
        Some(cones)
    }
}

/// Returns the multiples of terms whose sum compares with `rest` as asked; for ≥ the least ones,
/// and a few more. `None` after too much work.
fn sums(
    terms: &[(usize, u64)],
    rest: u64,
    compared: Compared,
    taken: &mut Vec<u32>,
    found: &mut Vec<Vec<u32>>,
    work: &mut usize,
) -> Option<()> {
    *work = work.checked_sub(1)?;
    let Some((&(place, k), terms)) = terms.split_first() else {
        if rest == 0 || compared == Compared::AtMost {
            found.push(taken.clone());
        }
        return Some(());
    };
    let most = if compared == Compared::AtLeast { rest.div_ceil(k) } else { rest / k };
    // The last term has no choice but of how much is not taken.
    let from = if terms.is_empty() && compared != Compared::AtMost { most } else { 0 };
    for times in from..=most {
        taken[place] = u32::try_from(times).ok()?;
        sums(terms, rest.saturating_sub(k.saturating_mul(times)), compared, taken, found, work)?;
    }
    taken[place] = 0;
    Some(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::{HeapList, Heaps, Moves, Windows};
    use std::collections::BTreeSet;
    use std::ops::ControlFlow::Continue;

    /// Conditions on two heaps, whether they are of cones.
    const CONDITIONS: &[&str] = &[
        "q0+q1+3 <= p0+p1",
        "q0+q1+3 = p0+p1",
        "q0+2*q1+5 <= p0+2*p1",
        "q0+3*q1+7 = p0+3*p1",
        "q0+2 <= p0 & q1+1 <= p1",
        "(q0 = p0 | q0+2 = p0) & (q1 = p1 | q1+2 = p1)",
        "q0+2 = p0 | q1+4 <= p1",
        "q0+q1+3 >= p0+p1",
        "q0+1 != p0",
        "q0+1 != p0 & q1+q0+4 != p1+p0",
        "~(q0+2 <= p0 & q1+2 <= p1)",
        "q0 <= p0",
        "q0+1 <= p0 => q1+2 <= p1",
        "2*q0+3 <= 2*p0",
    ];

    #[test]
    fn cones_are_the_options() {
        for condition in CONDITIONS {
            for windows in [Windows::Any(2), Windows::Arc(2)] {
                let moves = Moves::with_formula(windows, condition).unwrap();
                for heaps in [2, 3] {
                    let options = HeapOptions::new(&moves, Some(heaps), false);
                    let cones = options.cones(heaps, 1000).unwrap();
                    let p = Heaps::of(&vec![9; heaps]);
                    let mut expected = BTreeSet::new();
                    let _ = options.visit::<_, ()>(&p, |q: Heaps| {
                        expected.insert(q.iter().map(|left| 9 - left).collect::<Vec<u32>>());
                        Continue(())
                    });
                    let mut found = BTreeSet::new();
                    for number in 0..10u32.pow(heaps as u32) {
                        let taken: Vec<u32> =
                            (0..heaps).map(|i| number / 10u32.pow(i as u32) % 10).collect();
                        let point = Cone { least: taken.clone(), free: 0 };
                        if cones.iter().any(|cone| cone.holds(&point)) {
                            found.insert(taken);
                        }
                    }
                    assert_eq!(found, expected, "{condition}, {heaps} heaps");
                    for (i, cone) in cones.iter().enumerate() {
                        let held =
                            cones.iter().enumerate().any(|(j, other)| i != j && other.holds(cone));
                        assert!(!held, "{condition}: {cone:?} twice");
                    }
                }
            }
        }
    }

    #[test]
    fn other_conditions_have_none() {
        for condition in
            ["q0 = p1 & q1 = p0", "q0 <= q1", "q0 mod 2 = 0", "p0+q1 = q0+p1", "q0+q1+90 = p0+p1"]
        {
            let moves = Moves::with_formula(Windows::Any(2), condition).unwrap();
            assert_eq!(HeapOptions::new(&moves, Some(2), false).cones(2, 80), None, "{condition}");
        }
        let free = Moves::free(Windows::Any(2));
        assert_eq!(HeapOptions::new(&free, Some(2), false).cones(2, 80), None);
    }
}
