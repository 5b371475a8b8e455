//! Heaps as sums of powers of two, column by column: the picture behind Bouton's theorem.

use maud::{Markup, html};

/// Columns at most; larger heaps are told in numbers alone.
const COLUMNS: u32 = 7;

/// Returns the powers of two for heaps that are not too many or too large.
fn powers(heaps: &[u64]) -> Option<Vec<u64>> {
    let width = heaps.iter().map(|heap| u64::BITS - heap.leading_zeros()).max().unwrap_or(0);
    if heaps.len() < 2 || heaps.len() > 12 || !(1..=COLUMNS).contains(&width) {
        return None;
    }
    Some((0..width).rev().map(|i| 1 << i).collect())
}

/// Returns how many heaps have this power of two, beyond a multiple of `base`.
fn left_over(heaps: &[u64], power: u64, base: usize) -> usize {
    heaps.iter().filter(|heap| **heap & power != 0).count() % base
}

/// Shows a table with a row a heap and a column a power of two; below, which columns do not hold a
/// multiple of `base`. Nothing for no heaps, or for heaps that are too large.
pub(super) fn table(heaps: &[u64], base: usize) -> Markup {
    rows("heap", heaps, base)
}

/// Shows the same for the nim-values of the parts of a position.
pub(super) fn values(values: &[u64]) -> Markup {
    rows("nim-value", values, 2)
}

fn rows(kind: &str, heaps: &[u64], base: usize) -> Markup {
    let Some(powers) = powers(heaps) else { return html! {} };
    html! {
        table.columns {
            caption { "The " (kind) "s as sums of powers of two" }
            thead { tr { th scope="col" { (kind) } @for power in &powers {
                th scope="col" { (power) } } } }
            tbody {
                @for heap in heaps {
                    tr {
                        th scope="row" { (heap) }
                        @for power in &powers { @if heap & power != 0 { td.one { (power) } }
                            @else { td.none { "·" } } }
                    }
                }
            }
            tfoot {
                tr {
                    th scope="row" { @if base == 2 { "in pairs?" }
                        @else { "in sets of " (base) "?" } }
                    @for power in &powers {
                        @match (left_over(heaps, *power, base), base) {
                            (0, _) => td.even { "✓" },
                            (_, 2) => td.odd { "odd" },
                            (left, _) => td.odd { (left) " over" },
                        }
                    }
                }
            }
        }
    }
}

/// Shows the same with what it says of Nim in normal play.
pub(super) fn columns(heaps: &[u64]) -> Markup {
    let Some(powers) = powers(heaps) else { return html! {} };
    html! {
        (table(heaps, 2))
        p {
            @if powers.iter().any(|power| left_over(heaps, *power, 2) != 0) {
                "A column is odd, so this position is won: some move makes every column even."
            } @else {
                "Every column is even, so this position is lost: any move makes some column odd, \
                 and the other player mends it."
            }
        }
    }
}
