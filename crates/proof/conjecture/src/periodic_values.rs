//! Two numbers of which the second is a sequence of the first that becomes periodic, as the
//! nim-values of a subtraction game beside its heap: a case for each remainder.
//!
//! Source: every finite subtraction game has such nim-values (S. W. Golomb, *A mathematical
//! investigation of games of "take-away"*, J. Combin. Theory 1, 1966).

use crate::cell::Cell;
use crate::condition::Condition;
use crate::shape::Cases;
use crate::space::Space;
use crate::table::OutcomeTable;

/// The greatest period, and the greatest preperiod: people read no more cases.
const MAX_PERIOD: usize = 30;
const MAX_PREPERIOD: usize = 20;
/// So many periods at least are seen.
const MIN_PERIODS: usize = 3;

/// Returns the cases, and the bits that state them; `None` if the second number of P-positions is
/// no such sequence.
pub(crate) fn periodic_values(table: &OutcomeTable) -> Option<(Cases, f64)> {
    if table.heaps() != 2 || table.least() != 0 {
        return None;
    }
    let mut values: Vec<i64> = Vec::new();
    for p in table.p_positions() {
        // A second one beside the same number, or none.
        if usize::from(p[0]) != values.len() {
            return None;
        }
        values.push(p[1].into());
    }
    if (values.len() as u64) <= table.most() {
        return None;
    }
    let count = values.len();
    let preperiod = |period: usize| {
        let last = (period..count).rev().find(|n| values[*n] != values[n - period]);
        last.map_or(0, |n| n + 1 - period)
    };
    let (period, preperiod) =
        (1..=MAX_PERIOD.min(count / MIN_PERIODS)).map(|period| (period, preperiod(period))).find(
            |(period, before)| *before <= MAX_PREPERIOD && before + period * MIN_PERIODS <= count,
        )?;
    let (mut cells, mut exceptions) = (Vec::new(), Vec::new());
    for residue in 0..period {
        let value = values[(preperiod..).find(|n| n % period == residue)?];
        let with_others = (residue..preperiod).step_by(period);
        let last_other = with_others.rev().find(|n| values[*n] != value);
        let mut conditions = Vec::new();
        if period > 1 {
            conditions.push(Condition::Remainder(vec![1, 0, 0], period as i64, residue as i64));
        }
        if let Some(last) = last_other {
            conditions.push(Condition::AtLeast(vec![1, 0, (last + period) as i64]));
            let before = (residue..=last).step_by(period);
            exceptions.extend(before.map(|n| vec![n as i64, values[n]]));
        }
        cells.push(Cell { space: Space::new(2, &[vec![0, 1, value]])?, conditions });
    }
    exceptions.sort();
    let most = values.iter().max().map_or(0.0, |most| (*most as f64 + 2.0).log2());
    let bits = (preperiod + period) as f64 * most
        + 2.0 * (period as f64).log2()
        + 2.0 * (preperiod as f64 + 1.0).log2();
    Some((Cases { heaps: 2, cells, exceptions }, bits))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::table::Images;
    use bouton_formula::Claim;

    /// Nim-values of subtraction sets, by mex, and how many residues there are; those of the fourth
    /// begin otherwise than they go on, and of the last for too long.
    #[test]
    fn values_of_subtraction_sets() {
        for (set, period) in [
            (&[1, 3, 4][..], Some(7)),
            (&[2, 5], Some(7)),
            (&[1, 2, 5, 8], Some(3)),
            (&[2, 4, 7], Some(3)),
            (&[1, 4, 10, 33], None),
        ] {
            let mut values: Vec<u64> = Vec::new();
            for n in 0..200usize {
                let options: Vec<u64> =
                    set.iter().filter(|k| **k <= n).map(|k| values[n - k]).collect();
                values.push((0..).find(|value| !options.contains(value)).unwrap());
            }
            let points: Vec<[u64; 2]> =
                (0..).zip(values[..60].iter().copied()).map(|(n, v)| [n, v]).collect();
            let images = Images::listed(2, &[]);
            let table = OutcomeTable::new(2, 0, 59, images, points.iter().map(|p| &p[..])).unwrap();
            let found = periodic_values(&table).map(|(cases, _)| cases);
            assert_eq!(found.as_ref().map(|cases| cases.cells.len()), period, "{set:?}");
            let Some(cases) = found else { continue };
            let claim = Claim::parse(&cases.text(), 2).unwrap();
            for (n, value) in (0..).zip(&values) {
                for v in 0..6 {
                    assert_eq!(claim.holds(&[n, v]).unwrap(), v == *value, "{claim}: {n}, {v}");
                }
            }
        }
    }

    /// Two values beside a number, or none, are no sequence.
    #[test]
    fn other_tables_have_none() {
        let with = |more: &[[u64; 2]], without: u64| {
            let all = (0..60).filter(|n| *n != without).map(|n| [n, n % 3]);
            let points: Vec<[u64; 2]> = all.chain(more.iter().copied()).collect();
            let images = Images::listed(2, &[]);
            let table = OutcomeTable::new(2, 0, 59, images, points.iter().map(|p| &p[..])).unwrap();
            periodic_values(&table).map(|(cases, _)| cases.cells.len())
        };
        assert_eq!(with(&[], 60), Some(3));
        assert_eq!(with(&[[7, 5]], 60), None);
        assert_eq!(with(&[], 31), None);
        assert_eq!(with(&[], 59), None);
    }
}
