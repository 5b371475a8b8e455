//! The data of pictures, which the page draws: a slice of the P-positions. Other pictures come from
//! theories.

use bouton_study::Slice;
use serde_json::{Value, json};

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
