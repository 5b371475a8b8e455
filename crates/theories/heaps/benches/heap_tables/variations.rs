//! Circular Nim and its variations as the sweep takes them, and by the rules alone.

use bouton_core::{Digits, HeapGame, Moves, Play, Symmetry, Windows};
use bouton_heaps::heap_tables::{HeapSweep, Limits};
use std::ops::ControlFlow::Continue;

/// What the heaps of a window may give: words, and the number to take.
pub type Taking = (&'static str, u32);

/// Returns CN(n,k;taking) as the sweep takes it.
pub fn game(n: usize, k: usize, (how, a): Taking) -> HeapSweep {
    let all =
        |text: &dyn Fn(usize) -> String, by: &str| (0..k).map(text).collect::<Vec<_>>().join(by);
    let sum = |letter: char| all(&|i| format!("{letter}{i}"), "+");
    let condition = match how {
        "any=" => all(&|i| format!("(q{i} = p{i} | q{i}+{a} = p{i})"), " & "),
        "each=" => all(&|i| format!("q{i}+{a} = p{i}"), " & "),
        "each>=" => all(&|i| format!("q{i}+{a} <= p{i}"), " & "),
        "total=" => format!("{}+{a} = {}", sum('q'), sum('p')),
        _ => format!("{}+{a} <= {}", sum('q'), sum('p')),
    };
    let moves = Moves::with_formula(Windows::Arc(k), &condition).expect("a formula");
    let game = HeapGame {
        heaps: n,
        symmetry: Symmetry::Ring,
        shrinks: false,
        moves,
        digits: Digits::Binary,
    };
    HeapSweep::from_game(&game).expect("a sweep")
}

/// Counts the P-positions that are least of their class.
pub fn count(game: &HeapSweep, max: u32, play: Play, threads: usize) -> usize {
    let mut count = 0;
    let limits = Limits { bytes: 1 << 32, threads };
    let done = game.p_positions::<()>(
        max,
        play,
        limits,
        |_| Continue(()),
        |_| {
            count += 1;
            Continue(())
        },
    );
    assert_eq!(done, Ok(Continue(())));
    count
}

/// Adds up the nim-values of the positions that are least of their class.
pub fn sum(game: &HeapSweep, max: u32, threads: usize) -> usize {
    let mut sum = 0;
    let limits = Limits { bytes: 1 << 32, threads };
    let done = game.nim_values::<()>(
        max,
        limits,
        |_| Continue(()),
        |_, value| {
            sum += usize::from(value);
            Continue(())
        },
    );
    assert_eq!(done, Ok(Continue(())));
    sum
}

/// Counts P-positions and adds up nim-values by the rules alone, of positions that are least of
/// their class.
pub fn by_rules(n: usize, k: usize, (how, a): Taking, max: u32, play: Play) -> (usize, usize) {
    let side = max + 1;
    let mut known: Vec<(Vec<u32>, bool, usize)> = Vec::new();
    for code in 0..side.pow(n as u32) {
        let p: Vec<u32> = (0..n).map(|i| code / side.pow((n - 1 - i) as u32) % side).collect();
        let is_option = |q: &[u32]| {
            let taken: Option<Vec<u32>> = p.iter().zip(q).map(|(p, q)| p.checked_sub(*q)).collect();
            let Some(taken) = taken.filter(|taken| taken.iter().any(|r| *r > 0)) else {
                return false;
            };
            (0..n).any(|start| {
                let inside = |i: usize| (i + n - start) % n < k;
                let (window, others): (Vec<usize>, Vec<usize>) = (0..n).partition(|i| inside(*i));
                let mut window = window.iter().map(|i| taken[*i]);
                others.iter().all(|i| taken[*i] == 0)
                    && match how {
                        "any=" => window.all(|r| r == 0 || r == a),
                        "each=" => window.all(|r| r == a),
                        "each>=" => window.all(|r| r >= a),
                        "total=" => window.sum::<u32>() == a,
                        _ => window.sum::<u32>() >= a,
                    }
            })
        };
        let options: Vec<(bool, usize)> = known
            .iter()
            .filter(|(q, ..)| is_option(q))
            .map(|(_, is_p, value)| (*is_p, *value))
            .collect();
        let is_p =
            if options.is_empty() { play == Play::Normal } else { options.iter().all(|(p, _)| !p) };
        let value =
            (0..).find(|value| options.iter().all(|(_, other)| other != value)).expect("a value");
        known.push((p, is_p, value));
    }
    let images = |p: &[u32]| {
        let turned = |by: usize| [&p[by..], &p[..by]].concat();
        (0..n)
            .map(turned)
            .flat_map(|q| [q.iter().rev().copied().collect(), q])
            .collect::<Vec<Vec<u32>>>()
    };
    let least = known.iter().filter(|(p, ..)| images(p).iter().all(|image| p <= image));
    let (mut count, mut sum) = (0, 0);
    least.for_each(|(_, is_p, value)| {
        count += usize::from(*is_p);
        sum += value;
    });
    (count, sum)
}
