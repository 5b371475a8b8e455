//! Pictures as small data, drawn by the page: a slice of the P-positions. Others
//! come from theories.

use bouton_study::Slice;
use serde_json::{Value, json};

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
