//! Tables of games whose moves are spans, against the formula.

#![allow(clippy::unwrap_used, reason = "a test")]
use super::*;
use crate::heap_tables::{by_trying, compare_tables, random};
use bouton_core::{Digits, Memory, Moves, Windows};

fn game(heaps: usize, count: usize, condition: &str) -> HeapGame {
    let moves = Moves::with_formula(Windows::Any(heaps), condition).unwrap();
    let moves = Moves { memory: Memory { count, factor: 2 }, ..moves };
    HeapGame { heaps, symmetry: Symmetry::None, shrinks: false, moves, digits: Digits::Binary }
}

/// Tables of stated rules; what is remembered may be up to three times the greatest heap there.
#[test]
fn as_the_formula_says() {
    let none: &[u32] = &[];
    let modulo = "q1 = p1 & q0 < p0 & (q0+p1) mod 4 != 0 | q0 = p0 & q1 < p1 & (q1+p0) mod 4 != 0";
    let unequal = "q1 = p1 & q0 < p0 & q0 != p1 | q0 = p0 & q1 < p1 & q1 != p0";
    let bounded = "q1 = p1 & q0 < p0 & p0 <= q0+p1+2 | q0 = p0 & q1 < p1 & p1 <= q1+p0+3";
    // Bounds on a size that a greater last heap tightens.
    let tightened = "q1 = p1 & q0 < p0 & p0+2*p1 <= q0+9 | q0 = p0 & q1 < p1 & q1+2*p0 <= 11 \
        | q1 = p1 & q0 < p0 & 3*q0 >= p0+p1";
    // A row is left, or it is not and the last heap loses a token.
    let within = "q0 <= p0 & q1+1 = p1 | q1 = p1 & q0 < p0 & (q0+q1) mod 3 != 1";
    let unlike = "q0+1 = p0 & q1+2 = p1 & p0 <= 2*p1 | q1 = p1 & p0 <= q0+p1 & 3*q0+2*p1 != \
        12 | q0 = p0 & 2*q1 > p1";
    let conditions = [
        (1, 0, "q0 < p0 & (p0-q0) mod 3 = 1", 150, none),
        (
            1,
            0,
            "q0 < p0 & q0 mod 4 = 3 | q0 < p0 & q0 mod 3 = 1 & q0 mod 5 >= 2 & q0 != 7",
            150,
            none,
        ),
        (1, 0, "q0 < p0 & p0 <= 2*q0+3 & q0 mod 4 = 3 | q0 < p0 & (p0-q0) mod 2 = 1", 150, none),
        (2, 0, modulo, 20, none),
        (2, 0, modulo, 140, &[3, 140]),
        (2, 0, modulo, 140, &[140, 3]),
        (2, 0, unequal, 20, none),
        (2, 0, unequal, 140, &[4, 140]),
        // Numbers of sizes that a byte holds, and those that it does not.
        (2, 0, modulo, 300, &[300, 2]),
        (2, 0, unequal, 254, &[254, 2]),
        (2, 0, unequal, 255, &[2, 255]),
        (2, 0, unequal, 300, &[300, 2]),
        (2, 0, bounded, 300, &[300, 2]),
        (2, 0, bounded, 20, none),
        (2, 0, bounded, 140, &[140, 4]),
        (2, 0, bounded, 140, &[4, 140]),
        (2, 0, tightened, 20, none),
        (2, 0, tightened, 140, &[140, 4]),
        (2, 0, tightened, 140, &[4, 140]),
        (2, 0, within, 20, none),
        (2, 0, within, 140, &[2, 140]),
        (2, 0, unlike, 20, none),
        (2, 0, unlike, 140, &[4, 140]),
        (2, 0, "q1 = p1 & p0 <= q0+p1+2 & q0 < p0 | q0+1 = p0 & q1+2 = p1", 20, none),
        (
            3,
            0,
            "q0 = p0 & q1 = p1 & p2 <= q2+p0 | q1 = p1 & q2 = p2 & q0 < p0 & (q0+p2) mod 2 = 1",
            5,
            none,
        ),
        (
            3,
            0,
            "q1 = p1 & q2 = p2 & q0 < p0 | q0 = p0 & q2 = p2 & p1 <= q1+p2 & q1 < p1 | q0 = \
             p0 & q1 = p1 & q2 < p2",
            70,
            &[2, 2, 70],
        ),
        // What is asked pair by pair, along each heap and across.
        (1, 0, "q0 < p0 & q0 >= 1 & divides(q0, p0)", 150, none),
        (1, 0, "q0 < p0 & divides(p0-q0, p0) | q0 < p0 & ~divides(q0, p0) & p0 <= q0+9", 150, none),
        (
            1,
            0,
            "q0 < p0 & divides(3, p0-q0) & ~square(q0) | q0 < p0 & divides(p0-q0, 60)",
            150,
            none,
        ),
        (
            2,
            0,
            "q1 = p1 & q0 >= 1 & q0 < p0 & divides(q0, p0) | q0 = p0 & q1 < p1 & p1 <= 2*q1+5",
            20,
            none,
        ),
        (
            2,
            0,
            "q1 = p1 & 3*q0+3 < p0 | q0 = p0 & q1 < p1 & divides(p1-q1, p1) & q1 >= 1",
            140,
            &[4, 140],
        ),
        (
            2,
            0,
            "q1 = p1 & q0 < p0 & gcd(q0, p1) <= 2 | q0 = p0 & q1 < p1 & (q1 xor p0) mod 3 != 1",
            20,
            none,
        ),
        (
            2,
            0,
            "q1 = p1 & q0 < p0 & gcd(q0, p1) != 1 & square(p1) | q0 = p0 & q1 < p1 & p1 - q1 \
             = gcd(p1, 12)",
            140,
            &[140, 4],
        ),
        (
            2,
            0,
            "q1 = p1 & q0 < p0 & q0*p1 <= 40 | q0+1 = p0 & q1+2 = p1 & ~divides(p0, q1) | q0 \
             = p0 & q1 < p1 & prime(q1)",
            20,
            none,
        ),
        (
            3,
            0,
            "q0 = p0 & q1 = p1 & q2 < p2 & divides(q2, p0) | q0 = p0 & q2 = p2 & q1 < p1 & \
             bitand(q1, p2) = 0 | q1 = p1 & q2 = p2 & q0 < p0 & (p0 xor p2) > p0",
            5,
            none,
        ),
        (1, 1, "q0 < p0 & divides(q0+1, p1+6) & q1+q0 = p0", 30, none),
        (1, 1, "q0 < p0 & gcd(q0, p1) = 1 & q1+q0 = p0", 12, none),
        (1, 1, "q0 < p0 & p0 <= q0+p1 & q1+2*q0 = 2*p0", 12, none),
        (1, 1, "q0 < p0 & p0 <= q0+p1 & q1+2*q0 = 2*p0", 80, &[6, 80]),
        (1, 1, "q0 < p0 & p0-q0 != p1 & q1+q0 = p0", 12, none),
        (1, 1, "q0 < p0 & p0-q0 <= 3 & p0-q0 != p1 & q1+q0 = p0", 90, &[8, 90]),
        (1, 1, "q0 < p0 & (p0-q0+p1) mod 5 != 2 & q1+q0 = p0", 70, &[9, 70]),
        (
            2,
            1,
            "q1 = p1 & q0 < p0 & p0-q0 != p2 & q2+q0 = p0 | q0 = p0 & q1 < p1 & p1 <= q1+p2+1 \
             & q2 = 1",
            4,
            none,
        ),
    ];
    for (heaps, count, condition, max, limits) in conditions {
        assert!(is_as_the_formula_says([heaps, count], condition, max, limits), "{condition}");
    }
}

/// Conditions drawn at random on the size afterwards and one number before.
#[test]
fn random_pairs() {
    let mut random = random(48);
    let mut covered = 0;
    for _ in 0..80 {
        let mut condition = |heap: usize| -> String {
            // Digits are not those of differences.
            let numbers = [
                format!("q{heap}"),
                format!("p{heap}"),
                "p0".to_owned(),
                "p1".to_owned(),
                format!("q{heap}+{}", random(4)),
                (1 + random(12)).to_string(),
                format!("p{heap}-q{heap}"),
                format!("{}*q{heap}-1", 2 + random(3)),
            ];
            let [a, b, c, d] = [8, 8, 6, 6].map(|count| numbers[random(count) as usize].clone());
            let k = random(7);
            match random(9) {
                0..3 => format!("divides({a}, {b})"),
                3 => format!("~divides({a}, {b})"),
                4 => format!("gcd({c}, {d}) <= {}", k + 1),
                5 => format!("(({c}) xor ({d})) mod 4 != {}", k % 4),
                6 => format!("({a})*({b}) != {k} & bitand({c}, {k}) = 0"),
                7 => format!("square({a}) | min({b}, {k}) >= ({c}) div 2"),
                _ => format!("prime({a}) | ({d}) mod 70 = {k}"),
            }
        };
        let [one, other] = [condition(0), condition(1)];
        let stated = format!("q1 = p1 & q0 < p0 & ({one}) | q0 = p0 & q1 < p1 & ({other})");
        covered += u32::from(is_as_the_formula_says([2, 0], &stated, 9, &[]));
        covered += u32::from(is_as_the_formula_says(
            [1, 0],
            &format!("q0 < p0 & ({})", one.replace("p1", "p0")),
            40,
            &[],
        ));
    }
    assert!(covered > 60, "{covered}");
}

/// Returns whether the game is one of this kind; its tables by asking the formula of every pair
/// of positions.
fn is_as_the_formula_says(
    [heaps, count]: [usize; 2],
    condition: &str,
    max: u32,
    limits: &[u32],
) -> bool {
    let stated = game(heaps + count, count, condition);
    let formula = stated.moves.condition.clone().unwrap();
    let Some(table) = SpanSweep::new(&stated) else { return false };
    let table = table.limited_to(limits.to_vec());
    let numbers = heaps + count;
    let most = |number: usize| limits.get(number).copied().unwrap_or(max);
    let side = |number: usize| {
        // What is remembered may be more than there are tokens.
        let reached = (0..heaps).map(most).max().unwrap() * 3;
        if number < heaps { most(number) + 1 } else { most(number).max(reached) + 1 }
    };
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for number in 0..numbers {
        all = all.iter().flat_map(|p| (0..side(number)).map(|x| [&p[..], &[x]].concat())).collect();
    }
    let brute = by_trying(&formula, heaps, &all);
    let found = all.into_iter().zip(brute).filter(|(p, _)| p.iter().all(|number| *number <= max));
    compare_tables(&table, max, found, table.positions(max), condition);
    true
}

/// What is remembered along with itself would have no end, and other symmetries no table.
#[test]
fn other_games_are_left_to_other_engines() {
    assert!(SpanSweep::new(&game(2, 1, "q0 < p0 & q1 = p1+1")).is_none());
    let full = HeapGame { symmetry: Symmetry::Full, ..game(2, 1, "q0 < p0 & q1 = 0") };
    assert!(SpanSweep::new(&full).is_none());
}
