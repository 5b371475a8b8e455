//! How many P-positions circles have in a box, by published theorems.

use std::collections::BTreeSet;

/// Returns how many positions with heaps ≤ `max` are turned or reflected ones of these.
fn images<const N: usize>(max: u32, some: impl Iterator<Item = [u32; N]>) -> usize {
    let mut all = BTreeSet::new();
    for mut p in some.filter(|p| p.iter().all(|heap| *heap <= max)) {
        for _ in 0..N {
            p.rotate_left(1);
            all.insert(p);
            let mut back = p;
            back.reverse();
            all.insert(back);
        }
    }
    all.len()
}

/// Returns all lists of N numbers up to `max`.
fn lists<const N: usize>(max: u32) -> impl Iterator<Item = [u32; N]> {
    let side = max + 1;
    (0..side.pow(N as u32))
        .map(move |code| std::array::from_fn(|i| code / side.pow(i as u32) % side))
}

/// Counts in CN(5,2): (a,b,c,d,b), a + b = c + d, a the greatest (Dufour & Heubach 2013, Theorem
/// 4.2 there from Dufour's and from Ehrenborg & Steingrímsson's work).
pub fn five_two(max: u32) -> usize {
    let some = lists(max).filter(|[b, c, d]| c + d >= *b && b.max(c).max(d) <= &(c + d - b));
    images(max, some.map(|[b, c, d]| [c + d - b, b, c, d, b]))
}

/// Counts in CN(6,4): a + b = d + e, b + c = e + f, a ⊕ c ⊕ e = 0, a the least (Dufour & Heubach
/// 2013).
pub fn six_four(max: u32) -> usize {
    let some = lists(max).filter_map(|[a, b, c]: [u32; 3]| {
        let e = a ^ c;
        let p = [a, b, c, (a + b).checked_sub(e)?, e, (b + c).checked_sub(e)?];
        p.iter().all(|heap| *heap >= a).then_some(p)
    });
    images(max, some)
}

/// Counts in CN(8,6): (0,x,a,b,e,c,d,x), a + b = c + d = x, e = min(x, a + d) (Dufour & Heubach
/// 2013).
pub fn eight_six(max: u32) -> usize {
    let some = lists(max).filter(|[a, d, x]| a <= x && d <= x);
    images(max, some.map(|[a, d, x]: [u32; 3]| [0, x, a, x - a, x.min(a + d), x - d, d, x]))
}
