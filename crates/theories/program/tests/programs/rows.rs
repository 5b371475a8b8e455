//! Games on rows and circles, against brute force.

use super::{example, mex, value, values};
use std::collections::HashMap;

#[test]
fn peg_duotaire() {
    let game = example("peg-duotaire");
    let options = |row: &Vec<bool>| {
        let mut all = Vec::new();
        for at in 0..row.len() {
            for (over, to) in [(at + 1, at + 2), (at.wrapping_sub(1), at.wrapping_sub(2))] {
                if row[at] && row.get(over) == Some(&true) && row.get(to) == Some(&false) {
                    let mut next = row.clone();
                    (next[at], next[over], next[to]) = (false, false, true);
                    all.push(next);
                }
            }
        }
        all
    };
    let mut known = HashMap::new();
    for length in 1..=9 {
        for set in (0u32..1 << length).step_by(if length < 7 { 1 } else { 5 }) {
            let row: Vec<bool> = (0..length).map(|at| set >> at & 1 == 1).collect();
            let text: String = row.iter().map(|peg| if *peg { 'X' } else { '.' }).collect();
            assert_eq!(value(&*game, &text), mex(&row, &options, &mut known), "{text}");
        }
    }
}

#[test]
fn kayles_on_a_circle() {
    let game = example("kayles-on-a-circle");
    // Each pin by itself: those that stand, on a circle of n places.
    for n in 0..=10u32 {
        let options = |pins: &u32| {
            let one = (0..n).map(|at| 1 << at);
            let two = (0..n)
                .map(|at| 1 << at | 1 << ((at + 1) % n))
                .filter(|pair: &u32| pair.count_ones() == 2);
            one.chain(two)
                .filter(|taken| pins & taken == *taken)
                .map(|taken| pins & !taken)
                .collect()
        };
        let expected = mex(&((1u32 << n) - 1), &options, &mut HashMap::new());
        assert_eq!(value(&*game, &n.to_string()), expected, "{n}");
    }
    // OEIS A002186: the values of rows.
    for (row, expected) in [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6].into_iter().enumerate().skip(1) {
        assert_eq!(value(&*game, &format!("[{row}]")), expected, "{row}");
    }
    assert_eq!(values(&*game, 3).len(), 4);
}
