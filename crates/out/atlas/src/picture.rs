//! The data of pictures, which the page draws: a slice of the P-positions, a nim-sequence, outcomes,
//! thresholds.

use bouton_study::{Outcomes, Sequences, Slice};
use serde_json::{Value, json};

/// The greatest number of values of a sequence in a picture.
const MAX_VALUES: usize = 240;

/// Returns a slice of the P-positions. The row of each y is a number whose bit i stands for
/// x = least + i.
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

/// Returns the first nim-values of a sequence, with the period.
pub(crate) fn values(found: &Sequences) -> Value {
    let shown = found.period.as_ref().map_or(100, |p| (p.preperiod + 2 * p.period).max(60)).min(MAX_VALUES);
    let values: Vec<u32> = found.listed.iter().take(shown).copied().collect();
    match &found.period {
        Some(p) => json!({"of": "values", "values": values, "period": p.period, "from": p.preperiod}),
        None => json!({"of": "values", "values": values}),
    }
}

/// Returns the outcomes by the parameter: P, N or ?.
pub(crate) fn outcomes(found: &Outcomes) -> Value {
    let from = found.outcomes.first().map_or(0, |(n, _)| *n);
    let word: String = found.outcomes.iter().map(|(_, letter)| *letter).collect();
    json!({"of": "outcomes", "from": from, "word": word})
}
