//! The variations of Circular Nim, as they are said in words, against the tables of the facade.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Coordinates, Heaps, Meter, Play, Ruleset};
use bouton_engine::box_outcomes::BoxOutcomes;
use bouton_engine::game::Settings;
use bouton_games::{HeapRuleset, Taking, circular};
use bouton_heaps::heap_tables::HeapSweep;
use fastrand::Rng;
use std::ops::ControlFlow::Continue;

/// Returns whether a window of k consecutive heaps may give this.
fn may_give(how: &str, a: u32, mut window: impl Iterator<Item = u32>) -> bool {
    match how {
        "any=" => window.all(|r| r == 0 || r == a),
        "each=" => window.all(|r| r == a),
        "each>=" => window.all(|r| r >= a),
        "total=" => window.sum::<u32>() == a,
        "total>=" => window.sum::<u32>() >= a,
        _ => unreachable!("no such variation"),
    }
}

/// Returns all that can be taken from heaps up to `max`, by trying every tuple.
fn takings(n: usize, k: usize, how: &str, a: u32, max: u32) -> Vec<Vec<u32>> {
    let side = u64::from(max) + 1;
    let mut all = Vec::new();
    for number in 1..side.pow(n as u32) {
        let taken: Vec<u32> = (0..n).map(|i| (number / side.pow(i as u32) % side) as u32).collect();
        let window = |start: usize| {
            let inside = |i: usize| (i + n - start) % n < k;
            (0..n).all(|i| inside(i) || taken[i] == 0)
                && may_give(how, a, (0..n).filter(|i| inside(*i)).map(|i| taken[i]))
        };
        if (0..n).any(window) {
            all.push(taken);
        }
    }
    all
}

/// The box by the takings alone: nim-values, and who loses in misère play.
struct Known {
    n: usize,
    side: usize,
    values: Vec<u32>,
    misere: Vec<bool>,
}

impl Known {
    fn new(n: usize, max: u32, takings: &[Vec<u32>]) -> Known {
        let side = max as usize + 1;
        let mut all = Known { n, side, values: Vec::new(), misere: Vec::new() };
        let back: Vec<usize> = takings.iter().map(|t| all.place(t)).collect();
        for number in 0..side.pow(n as u32) {
            let p: Vec<u32> =
                (0..n).map(|i| (number / side.pow((n - 1 - i) as u32) % side) as u32).collect();
            let fits = |taken: &Vec<u32>| taken.iter().zip(&p).all(|(taken, heap)| taken <= heap);
            let options: Vec<usize> = takings
                .iter()
                .zip(&back)
                .filter(|(t, _)| fits(t))
                .map(|(_, back)| number - back)
                .collect();
            let mut there = vec![false; options.len() + 1];
            for option in &options {
                if let Some(there) = there.get_mut(all.values[*option] as usize) {
                    *there = true;
                }
            }
            all.values.push(there.iter().position(|there| !there).unwrap() as u32);
            all.misere
                .push(!options.is_empty() && !options.iter().any(|option| all.misere[*option]));
        }
        all
    }

    fn place(&self, p: &[u32]) -> usize {
        p.iter().fold(0, |at, heap| at * self.side + *heap as usize)
    }

    /// Returns the positions that come before all their images when the circle is turned or turned
    /// over.
    fn least(&self) -> Vec<Vec<u64>> {
        let n = self.n;
        let all = (0..self.values.len()).map(|number| {
            (0..n)
                .map(|i| (number / self.side.pow((n - 1 - i) as u32) % self.side) as u64)
                .collect()
        });
        all.filter(|p: &Vec<u64>| {
            (0..n).all(|by| {
                let mut image = p.clone();
                image.rotate_left(by);
                let over: Vec<u64> = image.iter().rev().copied().collect();
                *p <= image && *p <= over
            })
        })
        .collect()
    }
}

fn compare(n: usize, k: usize, how: &str, a: u32, max: u32) {
    let name = format!("CN({n},{k};{how}{a})");
    let game = bouton_games::parse(&name).unwrap().game;
    // CN(n,k;total>=1) is CN(n,k), where one heap has an engine of its own.
    let swept = HeapSweep::from_game(&game.heap_game().unwrap()).is_some();
    assert!(swept || n == 1, "{name} is not swept");
    let known = Known::new(n, max, &takings(n, k, how, a, max));
    let least = known.least();
    let value = |p: &Vec<u64>| known.place(&p.iter().map(|heap| *heap as u32).collect::<Vec<_>>());
    for play in [Play::Normal, Play::Misere] {
        let is_p = |p: &&Vec<u64>| match play {
            Play::Normal => known.values[value(p)] == 0,
            Play::Misere => known.misere[value(p)],
        };
        let expected: Vec<Vec<u64>> = least.iter().filter(is_p).cloned().collect();
        let mut found = Vec::new();
        let mut session = game.session(Settings { play, ..Settings::default() });
        let done = session.p_sizes(max, &mut |p| {
            found.push(p.to_vec());
            Continue(())
        });
        assert_eq!(done, Some(Ok(())));
        assert_eq!(found, expected, "{name}, heaps <= {max}, {play}");
    }
    let mut found = Vec::new();
    let done = game.session(Settings::default()).nim_value_table(max, &mut |p, value| {
        found.push((p.to_vec(), value.0));
        Continue(())
    });
    assert_eq!(done, Some(Ok(())));
    let expected: Vec<(Vec<u64>, u32)> =
        least.iter().map(|p| (p.clone(), known.values[value(p)])).collect();
    assert!(found == expected, "nim-values of {name}, heaps <= {max}");
}

const HOW: [&str; 5] = ["any=", "each=", "each>=", "total=", "total>="];

#[test]
fn small_circles_by_lot() {
    let mut lot = Rng::with_seed(11);
    for (n, largest) in [(1, 40), (2, 12), (3, 10), (4, 8), (5, 4), (6, 2)] {
        for how in HOW {
            for _ in 0..5 {
                let k = 1 + lot.u64(..n as u64) as usize;
                let a = 1 + lot.u64(..4) as u32;
                let max = largest - lot.u64(..2) as u32;
                compare(n, k, how, a, max);
            }
        }
    }
}

/// Rows of several words, and takings longer than a word.
#[test]
fn narrow_boxes_are_long() {
    for how in HOW {
        for (k, a, max) in [(1, 3, 130), (2, 1, 70), (2, 70, 140), (2, 5, 66)] {
            compare(2, k, how, a, max);
        }
        compare(1, 1, how, 67, 300);
    }
    // Of takings that are a few sums alone there are few enough to try heaps up to 200.
    for how in ["any=", "each=", "total="] {
        compare(2, 2, how, 3, 200);
        compare(3, 2, how, 2, 100);
    }
    compare(3, 3, "each=", 1, 200);
    compare(3, 2, "each>=", 3, 33);
    compare(3, 2, "total>=", 2, 33);
}

/// Larger boxes by the engine of any rules.
#[test]
fn as_many_as_in_the_table_of_options() {
    for (n, k, taking, max) in [
        (4, 2, Taking::Any(1), 20),
        (4, 3, Taking::Each(2), 24),
        (4, 2, Taking::EachAtLeast(2), 16),
        (5, 3, Taking::Total(3), 9),
        (4, 2, Taking::TotalAtLeast(3), 16),
        (6, 4, Taking::EachAtLeast(1), 4),
        (8, 6, Taking::Any(1), 2),
    ] {
        let rules = HeapRuleset::<Heaps>::new(circular(n, k, taking));
        for play in [Play::Normal, Play::Misere] {
            let mut table = BoxOutcomes::new(play, n, max, 1 << 24);
            let mut meter = Meter::new(&Budget::default());
            let mut expected = Vec::new();
            let done = rules.positions_up_to(max, |p: Heaps| {
                if rules.canonical(p) == p && table.outcome(&rules, &p, &mut meter).unwrap().is_p()
                {
                    expected.push(p.to_vec());
                }
                Continue::<()>(())
            });
            assert_eq!(done, Some(Continue(())));
            let game = circular(n, k, taking).game();
            let mut found = Vec::new();
            let done =
                game.session(Settings { play, ..Settings::default() }).p_sizes(max, &mut |p| {
                    found.push(p.iter().map(|heap| *heap as u32).collect::<Vec<_>>());
                    Continue(())
                });
            assert_eq!(done, Some(Ok(())));
            assert!(
                found == expected,
                "CN({n},{k}), {taking:?}, {play}: {} and {}",
                found.len(),
                expected.len()
            );
        }
    }
}
