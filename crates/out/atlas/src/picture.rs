//! The data of small pictures, which the page draws.

use bouton_core::Outcome;
use bouton_study::Slice;
use bouton_theory::Picture;
use serde_json::{Value, json};

/// The number of stones and dollars in a picture of thresholds.
const GRID_SIZE: usize = 16;
/// The greatest number of nim-values in a picture.
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

/// Returns a picture of a theory's: its first numbers, outcomes or nim-values. `None` for a route.
pub(crate) fn small(picture: &Picture) -> Option<Value> {
    Some(match picture {
        Picture::Grid(grid) => {
            let side = grid.most + 1;
            let row = |x: usize| -> Vec<i64> {
                let known = |y: usize| grid.cells.get(y * side + x).copied().flatten();
                (0..side.min(GRID_SIZE)).map_while(known).map(|n| n.min(GRID_SIZE as i64)).collect()
            };
            let rows: Vec<Vec<i64>> = (0..side.min(GRID_SIZE)).map(row).collect();
            json!({"of": "thresholds", "rows": rows})
        }
        Picture::Outcomes(row) => {
            let letter = |outcome: &Option<Outcome>| {
                outcome.map_or("?".to_owned(), |outcome| outcome.to_string())
            };
            let word: String = row.outcomes.iter().map(letter).collect();
            json!({"of": "outcomes", "from": row.from, "word": word})
        }
        Picture::NimSequence(sequence) => {
            let period = sequence.period.as_ref();
            let shown =
                period.map_or(100, |p| (p.preperiod + 2 * p.period).max(60)).min(MAX_VALUES);
            let shown = &sequence.values[..shown.min(sequence.values.len())];
            let mut picture = json!({"of": "values", "values": shown});
            if let Some(period) = period {
                picture["period"] = period.period.into();
                picture["from"] = period.preperiod.into();
            }
            picture
        }
        Picture::Route(_) => return None,
    })
}
