//! Nim-sequences of subtraction games S(a, b, …): take a number of the set from a heap, leave the
//! rest.
//!
//! G(n) is the least number that is not among G(n − s) for s in the set: O(set) a heap, no value
//! above the size of the set. As many values before a heap as the largest member determine its
//! value, so the sequence repeats once they do.

use bouton_core::{LimitReached, Meter, Mex, Nimber};

/// A nim-sequence under construction.
#[derive(Debug)]
pub struct SubtractionSequence {
    set: Vec<usize>,
    values: Vec<u32>,
}

/// Number of members visited between two polls of the clock.
const POLL_INTERVAL: usize = 1 << 16;

impl SubtractionSequence {
    /// Creates the game of a set of positive numbers in any order; `None` if it is empty or
    /// contains 0.
    pub fn new(set: &[u64]) -> Option<SubtractionSequence> {
        let mut set: Vec<usize> =
            set.iter().map(|s| usize::try_from(*s).ok()).collect::<Option<_>>()?;
        set.sort_unstable();
        set.dedup();
        (*set.first()? > 0).then_some(SubtractionSequence { set, values: Vec::new() })
    }

    /// Returns the same game without values.
    pub fn restarted(&self) -> SubtractionSequence {
        SubtractionSequence { set: self.set.clone(), values: Vec::new() }
    }

    /// Continues from known values.
    pub fn resume(mut self, values: Vec<u32>) -> SubtractionSequence {
        self.values = values;
        self
    }

    /// Returns the subtraction set, ascending.
    pub fn subtraction_set(&self) -> &[usize] {
        &self.set
    }

    /// Returns the values so far.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Extends the values to heaps 0..`len`. Charges one node of the budget for each heap.
    pub fn extend(&mut self, len: usize, meter: &mut Meter) -> Result<(), LimitReached> {
        let SubtractionSequence { set, values } = self;
        meter.check_bytes(4 * len as u64)?;
        let mut seen = Mex::default();
        for n in values.len()..len {
            meter.spend_one()?;
            let reached = set.iter().take_while(|s| **s <= n).map(|s| values[n - s]);
            let value = if set.len() < 64 {
                (!reached.fold(0u64, |seen, value| seen | 1 << value)).trailing_zeros()
            } else {
                if n * set.len() % POLL_INTERVAL < set.len() {
                    meter.poll(4 * len as u64)?;
                }
                seen.clear();
                reached.for_each(|value| seen.insert(Nimber(value)));
                seen.value().0
            };
            values.push(value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::{TakeAndBreakCode, plain};
    use bouton_core::Budget;

    #[test]
    fn values_are_those_of_the_code() {
        let sets = [
            vec![1],
            vec![2, 5],
            vec![4, 1, 7, 4],
            (1..=70).collect(),
            (3..=200).step_by(3).collect(),
        ];
        for set in sets {
            let mut meter = Meter::new(&Budget::default());
            let mut takings = SubtractionSequence::new(&set).unwrap();
            for len in [0, 1, 100, 700] {
                takings.extend(len, &mut meter).unwrap();
            }
            let code = TakeAndBreakCode::subtraction(&set).unwrap();
            assert_eq!(
                takings.values(),
                plain::nim_values(&code, 700, &mut meter).unwrap(),
                "{set:?}"
            );
        }
        assert!(
            SubtractionSequence::new(&[]).is_none() && SubtractionSequence::new(&[3, 0]).is_none()
        );
    }
}
