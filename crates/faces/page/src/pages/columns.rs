//! Heaps as sums of powers of two, column by column: the picture behind Bouton's theorem.

use maud::{Markup, html};

/// Columns at most; larger heaps are told in numbers alone.
const COLUMNS: u32 = 7;

/// A table with a row a heap and a column a power of two; below, which columns hold an odd number. Nothing for no heaps, or
/// for heaps that are too large.
pub(super) fn columns(heaps: &[u64]) -> Markup {
    let width = heaps.iter().map(|heap| u64::BITS - heap.leading_zeros()).max().unwrap_or(0);
    if heaps.len() < 2 || heaps.len() > 12 || !(1..=COLUMNS).contains(&width) {
        return html! {};
    }
    let powers: Vec<u64> = (0..width).rev().map(|i| 1 << i).collect();
    let odd = |power: &u64| heaps.iter().filter(|heap| **heap & power != 0).count() % 2 == 1;
    html! {
        table.columns {
            caption { "The heaps as sums of powers of two" }
            thead { tr { th scope="col" { "heap" } @for power in &powers { th scope="col" { (power) } } } }
            tbody {
                @for heap in heaps {
                    tr {
                        th scope="row" { (heap) }
                        @for power in &powers { @if heap & power != 0 { td.one { (power) } } @else { td.none { "·" } } }
                    }
                }
            }
            tfoot {
                tr {
                    th scope="row" { "in pairs?" }
                    @for power in &powers { @if odd(power) { td.odd { "odd" } } @else { td.even { "✓" } } }
                }
            }
        }
        p {
            @if powers.iter().any(odd) {
                "A column is odd, so this position is won: some move makes every column even."
            } @else {
                "Every column is even, so this position is lost: any move makes some column odd, and the other player mends it."
            }
        }
    }
}
