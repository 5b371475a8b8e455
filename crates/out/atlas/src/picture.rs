//! Pictures as small data, drawn by the page: a slice of the P-positions, a nim-sequence, outcomes, thresholds.

use bouton_study::{CashStudy, Outcomes, Sequences, Slice};
use serde_json::{Value, json};

/// Values of a sequence, and stones and dollars of thresholds, that are kept.
const VALUES: usize = 240;
const THRESHOLDS: usize = 16;

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

/// P, N or ? by the parameter.
pub(crate) fn outcomes(found: &Outcomes) -> Value {
    let from = found.outcomes.first().map_or(0, |(n, _)| *n);
    let word: String = found.outcomes.iter().map(|(_, letter)| *letter).collect();
    json!({"of": "outcomes", "from": from, "word": word})
}

/// How many purses of the other player the mover beats, by stones and dollars.
pub(crate) fn thresholds(found: &CashStudy) -> Value {
    let row = |row: &Vec<u32>| {
        let clipped: Vec<u32> = row.iter().take(THRESHOLDS).map(|t| (*t).min(THRESHOLDS as u32)).collect();
        clipped
    };
    let rows: Vec<Vec<u32>> = found.thresholds.iter().take(THRESHOLDS).map(row).collect();
    json!({"of": "thresholds", "rows": rows})
}
