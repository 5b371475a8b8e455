//! What the engines cost against the size of what they are asked, fitted, and how far one machine goes:
//! `cargo bench -p bouton-solve --bench growth`. One thread; every answer is asserted before its time counts.
//!
//! Where cost is a power of the size, ln(seconds) against ln(size) is a line; where it is exponential, ln(seconds) against the
//! size. Lines are fitted by least squares. The limit is what takes a day of one core, or 16 GB, whichever comes first;
//! far past the last size it is what the line says, not what was seen.

#[path = "heap_tables/theorems.rs"]
mod theorems;

use bouton_rules::{Outcome, Play};
use bouton_solve::circulant::{Circulant, Solver, Techniques};
use bouton_solve::heap_tables::{
    HeapTableError, Limits, Plan, Windows, plan_within, shrinking, sweep_pieces, values,
};
use bouton_solve::sequence::{Sequence, TakeBreak, plain};
use bouton_solve::{Budget, Meter, dots};
use std::ops::ControlFlow::Continue;
use std::time::Instant;
use theorems::{eight_six, five_two, six_four};

/// A day, in seconds.
const DAY: f64 = 86_400.0;

/// Bytes of one machine.
const BYTES: u64 = 16 << 30;

fn main() {
    println!("| engine | size | seconds | cost | in a day of one core | in 16 GB |");
    println!("|---|---|---|---|---|---|");
    sequences();
    tables();
    circles();
    boxes();
}

fn meter() -> Meter {
    Meter::new(&Budget::default())
}

/// Seconds that this thread has run; on other systems than Linux those since `started`.
fn ran(started: Instant) -> f64 {
    let field = |text: String| text.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok().and_then(field);
    ran.map_or(started.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// How cost grows.
#[derive(Clone, Copy)]
enum Growth {
    Power,
    Exponential,
}

/// Does the work for each size, the least time of three, and prints a row; `room` is the greatest size that fits.
fn row(engine: &str, growth: Growth, sizes: &[u32], room: &str, mut work: impl FnMut(u32)) {
    let mut points = Vec::new();
    for size in sizes {
        let seconds = (0..3).map(|_| {
            let started = Instant::now();
            let before = ran(started);
            work(*size);
            // The system counts in ticks of a few thousandths of a second.
            let (ran, passed) = (ran(started) - before, started.elapsed().as_secs_f64());
            if passed < 0.05 { passed } else { ran }
        });
        points.push((f64::from(*size), seconds.fold(f64::INFINITY, f64::min)));
    }
    let x = |size: f64| if let Growth::Power = growth { size.ln() } else { size };
    let count = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (middle, level) = (mean(&|p| x(p.0)), mean(&|p| p.1.ln()));
    let slope =
        mean(&|p| (x(p.0) - middle) * (p.1.ln() - level)) / mean(&|p| (x(p.0) - middle) * (x(p.0) - middle));
    let at = middle + (DAY.ln() - level) / slope;
    let (cost, day) = match growth {
        Growth::Power => (format!("size^{slope:.2}"), at.exp()),
        Growth::Exponential => (format!("{:.3}^size", slope.exp()), at),
    };
    let list = |of: &dyn Fn(&(f64, f64)) -> String| points.iter().map(of).collect::<Vec<_>>().join(", ");
    let (sizes, seconds) = (list(&|p| p.0.to_string()), list(&|p| format!("{:.4}", p.1)));
    let day = if day < 1e5 { format!("{day:.0}") } else { format!("{day:.1e}") };
    println!("| {engine} | {sizes} | {seconds} | {cost} | {day} | {room} |");
}

/// Nim-sequences: heaps.
fn sequences() {
    let extend = |text: &str, len: u32| {
        let mut sequence = Sequence::new(TakeBreak::parse(text).expect("a code"));
        sequence.extend(len as usize, &mut meter()).expect("no budget");
        sequence
    };
    let start = |text: &str| {
        let code = TakeBreak::parse(text).expect("a code");
        let expected = plain::nim_values(&code, 10_000, &mut meter()).expect("no budget");
        assert!(extend(text, 10_000).values().eq(expected), "{text}");
    };
    for (text, name, sizes) in [
        ("0.77", "Kayles", [250_000, 500_000, 1_000_000, 2_000_000]),
        ("4!.0", "Grundy's game", [1_000_000, 2_000_000, 4_000_000, 8_000_000]),
        ("0.276", "0.276, no sparse space", [10_000, 20_000, 40_000, 80_000]),
    ] {
        start(text);
        row(&format!("{name}, heaps"), Growth::Power, &sizes, "1.6·10^10", |len| {
            let sequence = extend(text, len);
            let len = len as usize;
            match text {
                // Guy and Smith 1956.
                "0.77" => assert!((100..len - 12).all(|n| sequence.value(n) == sequence.value(n + 12))),
                "4!.0" => {
                    for n in [len - 1, len / 2 + 7, len / 3] {
                        let mut seen = [false; 2048];
                        let splits = 1..n.div_ceil(2);
                        splits
                            .for_each(|a| seen[(sequence.value(a) ^ sequence.value(n - a)) as usize] = true);
                        assert_eq!(seen.iter().position(|seen| !seen), Some(sequence.value(n) as usize));
                    }
                }
                _ => {}
            }
        });
    }
}

/// Boxes: the greatest heap.
fn tables() {
    let limits = Limits { bytes: BYTES, threads: 1 };
    let room = |plan: &dyn Fn(u32) -> Result<Plan, HeapTableError>| match plan(1023) {
        Ok(_) => "all".to_owned(),
        Err(HeapTableError::TooLarge { fits, .. } | HeapTableError::Reach { fits, .. }) => {
            fits.map_or("none".to_owned(), |fits| fits.to_string())
        }
        Err(error) => panic!("{error}"),
    };
    type Theorem = fn(u32) -> usize;
    let games: [(usize, usize, &[u32], Theorem); 3] = [
        (5, 2, &[31, 47, 63, 95], five_two),
        (6, 4, &[23, 31, 39, 47], six_four),
        (8, 6, &[7, 9, 11, 13], eight_six),
    ];
    for (n, k, sizes, theorem) in games {
        let game = Windows::circular(n, k).expect("a game");
        let expected: Vec<usize> = sizes.iter().map(|max| theorem(*max)).collect();
        let fits = room(&|max| plan_within(&game, max, limits));
        row(&format!("P-positions of CN({n},{k}), heap"), Growth::Power, sizes, &fits, |max| {
            let mut count = 0;
            let done = sweep_pieces::<()>(&game, max, Play::Normal, limits, |part| {
                count += part.count();
                Continue(())
            });
            assert_eq!(done, Ok(Continue(())));
            assert_eq!(Some(&count), sizes.iter().position(|size| *size == max).map(|i| &expected[i]));
        });
    }
    let game = Windows::circular(5, 2).expect("a game");
    let fits = room(&|max| values::plan(&game, max, limits));
    let sizes = [15, 23, 31, 47];
    let expected = sizes.map(five_two);
    row("nim-values of CN(5,2), heap", Growth::Power, &sizes, &fits, |max| {
        let mut zeros = 0;
        let done = values::sweep::<()>(&game, max, limits, |part| {
            zeros += part.values.iter().filter(|value| **value == 0).count();
            Continue(())
        });
        assert_eq!(done, Ok(Continue(())));
        assert_eq!(Some(&zeros), sizes.iter().position(|size| *size == max).map(|i| &expected[i]));
    });
    let fits = room(&|max| shrinking::plan(4, 2, max, limits));
    row("P-positions of SCN(4,2), heap", Growth::Power, &[63, 127, 191, 255], &fits, |max| {
        let mut count = 0;
        let done = shrinking::sweep::<()>(4, 2, max, BYTES, |_| {
            count += 1;
            Continue(())
        });
        assert_eq!(done, Ok(Continue(())));
        // (a,b,a,b) with a ≠ b, Theorem 2.3 of the paper.
        assert_eq!(count, max * (max - 1));
    });
}

/// Kotzig's Nim: cells.
fn circles() {
    let two_three = |n: u32| [1, 3, 5, 11].contains(&n) || n >= 7 && (n % 5 == 2 || n % 5 == 3);
    // Fraenkel et al. 1995, Theorem 7.
    row("Γ(2,3;n), cells", Growth::Exponential, &[77, 87, 97, 107], "256 at most", |n| {
        let mut solver = Solver::new(Play::Normal, Techniques::default());
        let game = Circulant::new(&[2, 3], n.into()).expect("a game");
        let expected = if two_three(n) { Outcome::P } else { Outcome::N };
        assert_eq!(solver.outcome(&game, &mut meter()), Ok(expected), "{game}");
    });
}

/// Dots and Boxes: lines of the board.
fn boxes() {
    // Margins: D. Wilson's tables.
    let boards = [(24, 3, 3, -3), (27, 2, 5, -2), (31, 3, 4, 0), (32, 2, 6, 2)];
    let sizes = boards.map(|board| board.0);
    row("Dots and Boxes, lines", Growth::Exponential, &sizes, "all", |lines| {
        let (_, rows, columns, margin) = boards.into_iter().find(|board| board.0 == lines).expect("a board");
        let solver = dots::Solver::new(rows, columns, 64 << 20, 1).expect("a board");
        let (found, end) = solver.margin(0, &mut meter());
        end.expect("no limit");
        assert_eq!(found.exact(), Some(margin), "{rows}x{columns}");
    });
}
