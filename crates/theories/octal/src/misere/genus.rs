//! The genus of a position: its nim-value, and its misère nim-values with 0, 1, 2, … heaps of two
//! beside it.
//!
//! Misère nim-values have G⁻(0) = 1, and are the mex of the options' elsewhere. With g_k = G⁻(G +
//! k·*2), the options of G + k·*2 are those of G, each with k heaps of two, and G + (k−1)·*2 with a
//! heap of one or none in place of the last; a heap of one changes a misère nim-value by 1. So g_k
//! is the mex of the options' g_k, of g_{k−1} and of g_{k−1} ⊕ 1: the genus follows from the
//! options' genera. Finally g_k has period 2, and the notation ends there: 3^1431 has nim-value 3
//! and misère nim-values 1, 4, 3, 1, 3, 1, ….
//!
//! Source: J. H. Conway, *On Numbers and Games*, ch. 12; E. R. Berlekamp, J. H. Conway, R. K. Guy,
//! *Winning Ways*, ch. 13.

use bouton_core::{LimitReached, Meter, Nimber, Outcome, mex};
use bouton_engine::game_graph::GameGraph;
use rustc_hash::FxHashMap;
use std::fmt;

/// The genus of a position.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Genus {
    /// The nim-value, in normal play.
    pub nim_value: u32,
    /// g_0, g_1, … up to the last two, which repeat for ever; as short as possible, at least two.
    misere: Vec<u32>,
}

impl Genus {
    /// Returns the genus of a position whose options have these genera.
    pub fn from_options(options: &[&Genus]) -> Genus {
        let nim_value = mex(options.iter().map(|option| Nimber(option.nim_value))).0;
        // From here on the options' sequences have period 2.
        let steady = options.iter().map(|option| option.misere.len() - 2).max().unwrap_or(0);
        let mut misere: Vec<u32> = Vec::new();
        loop {
            let k = misere.len();
            let before = misere.last().into_iter().flat_map(|g| [*g, g ^ 1]);
            let value = match (k, options) {
                (0, []) => 1,
                _ => mex(options.iter().map(|option| option.at(k)).chain(before).map(Nimber)).0,
            };
            misere.push(value);
            // The same value and the same options as two steps before: the sequence repeats.
            if k >= steady + 2
                && misere[k] == misere[k - 2]
                && k >= 3
                && misere[k - 1] == misere[k - 3]
            {
                break;
            }
        }
        while let [.., a, _, b] = misere[..] {
            if a != b {
                break;
            }
            misere.pop();
        }
        Genus { nim_value, misere }
    }

    /// Returns the misère nim-value with `k` heaps of two beside the position.
    pub fn at(&self, k: usize) -> u32 {
        let last = self.misere.len() - 1;
        self.misere[if k <= last { k } else { last - (k - last) % 2 }]
    }

    /// Returns the outcome in misère play.
    pub fn misere_outcome(&self) -> Outcome {
        if self.at(0) == 0 { Outcome::P } else { Outcome::N }
    }

    /// Returns whether it is the genus of a position of Nim.
    pub fn is_of_nim(&self) -> bool {
        let n = self.nim_value;
        match n {
            0 => matches!(self.misere[..], [1, 2, 0] | [0, 2]),
            1 => matches!(self.misere[..], [0, 3, 1] | [1, 3]),
            _ => self.misere == [n, n ^ 2],
        }
    }
}

/// `3^1431`; with commas if a number has two digits.
impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.misere.iter().map(u32::to_string).collect();
        let comma = if self.misere.iter().any(|g| *g > 9) { "," } else { "" };
        write!(f, "{}^{}", self.nim_value, numbers.join(comma))
    }
}

/// Genera found so far, by the number of the position.
#[derive(Debug, Default)]
pub struct Genera {
    known: FxHashMap<u32, Genus>,
}

impl Genera {
    /// Returns the genus of a position of a game graph, which must be the same in each call. Costs
    /// as in [`Genera::of`].
    ///
    /// # Errors
    ///
    /// If the budget ends, or the rules fail.
    pub fn in_graph(
        &mut self,
        graph: &mut dyn GameGraph,
        position: u32,
        meter: &mut Meter,
    ) -> Result<&Genus, LimitReached> {
        graph.begin(meter.budget());
        let root = graph.canonical(position);
        let options = |position| {
            let options = graph.options(position)?.to_vec();
            let options = options.into_iter().map(|option| graph.canonical(option)).collect();
            graph.stopped().map_or(Ok(options), Err)
        };
        self.of(root, options, meter)
    }

    /// Returns the genus of a position of an impartial game with numbered positions, for instance
    /// those of a [`GameGraph`]. `options` returns the options of a position.
    ///
    /// # Errors
    ///
    /// If the budget ends, which is charged one node for each position reached, or `options` fails.
    /// Known genera are kept.
    pub fn of(
        &mut self,
        root: u32,
        mut options: impl FnMut(u32) -> Result<Vec<u32>, LimitReached>,
        meter: &mut Meter,
    ) -> Result<&Genus, LimitReached> {
        let mut stack = vec![root];
        while let Some(position) = stack.last().copied() {
            if self.known.contains_key(&position) {
                stack.pop();
                continue;
            }
            let reached = options(position)?;
            let depth = stack.len();
            stack.extend(reached.iter().filter(|option| !self.known.contains_key(option)));
            if stack.len() == depth {
                meter.spend_one()?;
                let genera: Vec<&Genus> =
                    reached.iter().map(|option| &self.known[option]).collect();
                let genus = Genus::from_options(&genera);
                self.known.insert(position, genus);
                stack.pop();
                // Approximate size of a position with its options and genus.
                meter.check_bytes(200 * self.known.len() as u64)?;
            }
        }
        Ok(&self.known[&root])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::TakeAndBreakCode;
    use bouton_core::Budget;
    use std::collections::HashMap;
    use std::ops::ControlFlow::Continue;

    fn sorted(sum: &[u32]) -> Vec<u32> {
        let mut sum: Vec<u32> = sum.iter().copied().filter(|heap| *heap > 0).collect();
        sum.sort_unstable();
        sum
    }

    fn options(code: &TakeAndBreakCode, sum: &[u32]) -> Vec<Vec<u32>> {
        let mut options = Vec::new();
        for i in 0..sum.len() {
            let _ = code.options(sum[i], |parts| {
                options.push(sorted(&[&sum[..i], parts, &sum[i + 1..]].concat()));
                Continue::<()>(())
            });
        }
        options
    }

    fn genus(code: &TakeAndBreakCode, position: &[u32]) -> Genus {
        let (mut sums, mut numbers) =
            (vec![sorted(position)], HashMap::from([(sorted(position), 0)]));
        let options = |node: u32| {
            let all = options(code, &sums[node as usize].clone());
            let number = |sum| {
                *numbers.entry(sum).or_insert_with_key(|sum: &Vec<u32>| {
                    sums.push(sum.clone());
                    sums.len() as u32 - 1
                })
            };
            Ok(all.into_iter().map(number).collect())
        };
        Genera::default().of(0, options, &mut Meter::new(&Budget::default())).unwrap().clone()
    }

    /// Nim heaps, and their sums: Winning Ways, ch. 13, "Tame games".
    #[test]
    fn nim_is_tame() {
        let nim = TakeAndBreakCode::parse("0.[3]").unwrap();
        for (position, expected) in [
            (&[][..], "0^120"),
            (&[1], "1^031"),
            (&[2], "2^20"),
            (&[3], "3^31"),
            (&[5], "5^57"),
            (&[2, 2], "0^02"),
            (&[2, 3], "1^13"),
            (&[1, 1], "0^120"),
            (&[9, 1], "8^8,10"),
        ] {
            let genus = genus(&nim, position);
            assert_eq!(
                (genus.to_string().as_str(), genus.is_of_nim()),
                (expected, true),
                "{position:?}"
            );
        }
    }

    /// Misère nim-values from the rules alone, of a position and of nim heaps beside it.
    fn brute(
        code: &TakeAndBreakCode,
        position: &[u32],
        nim: &[u32],
        known: &mut HashMap<(Vec<u32>, Vec<u32>), u32>,
    ) -> u32 {
        let key = (sorted(position), sorted(nim));
        if let Some(value) = known.get(&key) {
            return *value;
        }
        let mut values: Vec<u32> =
            options(code, &key.0).iter().map(|sum| brute(code, sum, &key.1, known)).collect();
        for i in 0..key.1.len() {
            for left in 0..key.1[i] {
                let mut rest = key.1.clone();
                rest[i] = left;
                values.push(brute(code, &key.0, &rest, known));
            }
        }
        let value = if values.is_empty() { 1 } else { mex(values.into_iter().map(Nimber)).0 };
        known.insert(key, value);
        value
    }

    #[test]
    fn genera_are_misere_values_beside_heaps_of_two() {
        let (mut of_nim, mut others) = (0, 0);
        for text in ["0.77", "0.07", "4!.0", "0.123", "0.[3]", "0.75", "4.7", "0.8"] {
            let code = TakeAndBreakCode::parse(text).unwrap();
            let mut known = HashMap::new();
            for position in [&[][..], &[1], &[5], &[9], &[11], &[2, 5], &[4, 4, 3], &[7, 6]] {
                let genus = genus(&code, position);
                *(if genus.is_of_nim() { &mut of_nim } else { &mut others }) += 1;
                for k in 0..7 {
                    let beside = brute(&code, position, &vec![2; k], &mut known);
                    assert_eq!(beside, genus.at(k), "{text} {position:?} {genus} {k}");
                }
            }
        }
        assert!(of_nim > 5 && others > 5, "{of_nim} {others}");
    }
}
