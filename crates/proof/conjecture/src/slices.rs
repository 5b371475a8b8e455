//! The slice of a table that shows most: two heaps free, the others fixed.

use crate::table::OutcomeTable;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Reverse;

/// P-positions that are looked at for the choice of a slice.
const LOOKED_AT: usize = 1 << 18;

/// Which heaps are free, and the sizes of the others.
type Free = (usize, usize, SmallVec<[u16; 8]>);

/// Returns the slice of a table of two heaps or more with most P-positions whose heaps are at most
/// `most`: which two heaps are free, the earlier one first, and the sizes of the others in order.
/// Those are preferred that do not all lie on one line: a single diagonal says less. `None` of a
/// table without P-positions. O(P-positions · heaps³).
pub fn densest_slice(table: &OutcomeTable, most: u64) -> Option<(usize, usize, Vec<u16>)> {
    let heaps = table.heaps();
    let shown =
        table.p_positions().filter(|p| p.iter().all(|x| u64::from(*x) <= most)).take(LOOKED_AT);
    let mut slices: FxHashMap<Free, Points> = FxHashMap::default();
    for p in shown {
        for y in 1..heaps {
            for x in 0..y {
                let rest = (0..heaps).filter(|i| *i != x && *i != y).map(|i| p[i]).collect();
                slices.entry((x, y, rest)).or_default().add([p[x], p[y]]);
            }
        }
    }
    let rank = |(free, points): &(&Free, &Points)| {
        let weight = if points.spread { 2 * points.count } else { points.count };
        let sum: u32 = free.2.iter().map(|heap| u32::from(*heap)).sum();
        (weight, Reverse((sum, (*free).clone())))
    };
    let ((x, y, rest), _) = slices.iter().max_by_key(rank)?;
    Some((*x, *y, rest.to_vec()))
}

/// What is known of the P-positions of a slice.
#[derive(Debug, Default)]
struct Points {
    count: usize,
    first: [i64; 2],
    second: [i64; 2],
    /// Whether they do not all lie on one line.
    spread: bool,
}

impl Points {
    fn add(&mut self, point: [u16; 2]) {
        let [x, y] = point.map(i64::from);
        match self.count {
            0 => self.first = [x, y],
            1 => self.second = [x, y],
            _ => {
                let ([a, b], [c, d]) = (self.first, self.second);
                self.spread |= (x - a) * (d - b) != (y - b) * (c - a);
            }
        }
        self.count += 1;
    }
}
