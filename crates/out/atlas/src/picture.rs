//! Pictures as small data, drawn by the page: a slice of the P-positions, a nim-sequence; others come from theories.

use bouton_study::{Sequences, Slice};
use serde_json::{Value, json};

/// Values of a sequence, and stones and dollars of thresholds, that are kept.
const VALUES: usize = 240;

/// The P-positions among those that differ in two heaps: each row of y as a number whose bit i is x = least + i.
pub(crate) fn slice(slice: &Slice) -> Value {
    let [least, most] = slice.range;
    let is_flat = !slice.position.contains('y');
    let rows = if is_flat { 1 } else { (most - least + 1) as usize };
    let mut bits = vec![0u64; rows];
    for [x, y] in &slice.p {
        let row = if is_flat { 0 } else { (y - least) as usize };
        bits[row] |= 1 << (x - least);
    }
    json!({"of": "positions", "at": slice.position, "from": least, "to": most, "rows": bits})
}

/// Nim-values, with the period.
pub(crate) fn values(found: &Sequences) -> Value {
    let shown = found.period.as_ref().map_or(100, |p| (p.preperiod + 2 * p.period).max(60)).min(VALUES);
    let values: Vec<u32> = found.listed.iter().take(shown).copied().collect();
    match &found.period {
        Some(p) => json!({"of": "values", "values": values, "period": p.period, "from": p.preperiod}),
        None => json!({"of": "values", "values": values}),
    }
}
