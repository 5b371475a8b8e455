//! Rows of nim-values of Wythoff's game against the clock:
//! `cargo bench -p bouton-heaps --bench wythoff`.

#[path = "../../../foundation/engine/benches/measures/clock.rs"]
mod clock;

use bouton_core::{Budget, Meter};
use bouton_heaps::wythoff::Wythoff;
use clock::ran;
use std::time::Instant;

fn main() {
    let rows = 143;
    let mut table = Wythoff::new(rows).expect("few rows");
    let mut columns = 1 << 16;
    let start = Instant::now();
    let before = ran(start);
    let periods = loop {
        table.extend(columns, &mut Meter::new(&Budget::default())).expect("no budget");
        let periods = table.periods();
        if periods.len() == rows {
            break periods;
        }
        columns *= 2;
    };
    println!("143 rows of Wythoff's game certified: {:.2} s CPU", ran(start) - before);
    // Michon, Mathematical Games; OEIS A046875.
    let published = [
        1, 3, 3, 6, 12, 24, 12, 24, 24, 24, 24, 48, 48, 96, 96, 96, 192, 192, 384, 384, 384, 768,
        768,
    ];
    assert!(periods.iter().map(|row| row.period).take(published.len()).eq(published));
    println!("  {columns} columns, row 142 has period {}", periods[rows - 1].period);
}
