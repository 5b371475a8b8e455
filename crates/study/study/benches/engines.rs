//! What the engines cost against the size of what they are asked, fitted, and how far one machine
//! goes: `cargo bench -p bouton-study --bench engines`. One thread; every answer is asserted before
//! its time counts. Words behind `--`: only the parts of these names (sequences, windows, tables,
//! circles, boxes, cash). Those of other crates are in
//! `cargo bench -p bouton-study --bench growth`. How the lines are fitted is said in
//! `growth/fit.rs`.

#[path = "growth/fit.rs"]
mod fit;
#[path = "../../../theories/heaps/benches/heap_tables/theorems.rs"]
mod theorems;

use bouton_cash::Condition;
use bouton_core::{Budget, Meter, Outcome, Play};
use bouton_dots as dots;
use bouton_heaps::heap_tables::{
    HeapTableError, Limits, Plan, Windows, plan_within, shrinking, sweep_pieces, values,
};
use bouton_kotzig::{Circulant, Solver, Techniques};
use bouton_octal::sequence::recurrence::{FULL_PREFIX, Recurrence};
use bouton_octal::sequence::window::{STRETCH, WindowStop};
use bouton_octal::sequence::{Sequence, TakeAndBreakCode, plain};
use fit::{Growth, head, row};
use std::ops::ControlFlow::Continue;
use theorems::{eight_six, five_two, six_four};

/// Bytes of one machine.
const BYTES: u64 = 16 << 30;

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    head();
    let parts: [(&str, fn()); 6] = [
        ("sequences", sequences),
        ("windows", windows),
        ("tables", tables),
        ("circles", circles),
        ("boxes", boxes),
        ("cash", cash),
    ];
    for (name, part) in parts {
        if words.is_empty() || words.iter().any(|word| word == name) {
            part();
        }
    }
}

fn meter() -> Meter {
    Meter::new(&Budget::default())
}

/// Measures nim-sequences: heaps.
fn sequences() {
    let extend = |text: &str, len: u32| {
        let mut sequence = Sequence::new(TakeAndBreakCode::parse(text).expect("a code"));
        sequence.extend(len as usize, &mut meter()).expect("no budget");
        sequence
    };
    let start = |text: &str| {
        let code = TakeAndBreakCode::parse(text).expect("a code");
        let expected = plain::nim_values(&code, 10_000, &mut meter()).expect("no budget");
        assert!(extend(text, 10_000).values().eq(expected), "{text}");
    };
    for (text, name, sizes) in [
        ("0.77", "Kayles", [250_000, 500_000, 1_000_000, 2_000_000]),
        ("4!.0", "Grundy's game", [1_000_000, 2_000_000, 4_000_000, 8_000_000]),
        ("0.276", "0.276, no sparse space", [10_000, 20_000, 40_000, 80_000]),
        // Its greatest value is past 255 from heap 1,373 on, and one heap in 80 is rare at 60,000.
        ("0.6247", "0.6247, sparse, values past a byte", [125_000, 250_000, 500_000, 1_000_000]),
    ] {
        start(text);
        row(&format!("{name}, heaps"), Growth::Power, &sizes, "1.6·10^10", |len| {
            let sequence = extend(text, len);
            let len = len as usize;
            match text {
                "0.6247" => {
                    assert!(sequence.values().any(|value| value > 255));
                    // By all splits, for some heaps: taking one, two, three or four leaves a heap
                    // or two as the digit says.
                    for n in [len - 1, len / 2 + 7, len / 3] {
                        assert_eq!(one_of_6247(&sequence, n), sequence.value(n));
                    }
                }
                // Guy and Smith 1956.
                "0.77" => {
                    assert!((100..len - 12).all(|n| sequence.value(n) == sequence.value(n + 12)))
                }
                "4!.0" => {
                    for n in [len - 1, len / 2 + 7, len / 3] {
                        let mut seen = [false; 2048];
                        let splits = 1..n.div_ceil(2);
                        splits.for_each(|a| {
                            seen[(sequence.value(a) ^ sequence.value(n - a)) as usize] = true
                        });
                        assert_eq!(
                            seen.iter().position(|seen| !seen),
                            Some(sequence.value(n) as usize)
                        );
                    }
                }
                _ => {}
            }
        });
    }
}

/// Returns the value of a heap of 0.6247 from the rules: 6, taking one leaves one heap or two; 2,
/// taking two leaves one; 4, taking three leaves two; 7, taking four leaves none, one or two.
fn one_of_6247(sequence: &Sequence, n: usize) -> u32 {
    let mut seen = vec![false; 1 << 16];
    for (taken, digit) in [(1, 6), (2, 2), (3, 4), (4, 7)] {
        let rest = n - taken;
        if digit & 2 > 0 {
            seen[sequence.value(rest) as usize] = true;
        }
        if digit & 4 > 0 {
            (1..=rest / 2)
                .for_each(|a| seen[(sequence.value(a) ^ sequence.value(rest - a)) as usize] = true);
        }
    }
    seen.iter().position(|seen| !seen).expect("a value") as u32
}

/// Measures settled nim-sequences by their window: heaps, with what looks for repeats; heaps known
/// before are not timed.
fn windows() {
    let sizes = [1 << 25, 1 << 26, 1 << 27, 1 << 28];
    let compared = 1 << 23;
    let code = || TakeAndBreakCode::parse("0.106").expect("a code");
    let mut known = Sequence::new(code()).with_threads(1);
    known.extend(FULL_PREFIX, &mut meter()).expect("no budget");
    // A stretch beside the engine that keeps all.
    let mut whole = Sequence::new(code()).with_threads(1);
    whole.extend(compared, &mut meter()).expect("no budget");
    let mut window = known.settled_window().expect("it has settled");
    while window.len() < compared {
        window.advance(&mut meter(), |_| ()).expect("it goes on");
    }
    let latest = (window.len() - STRETCH..window.len()).zip(window.latest(STRETCH));
    assert!(latest.into_iter().all(|(n, byte)| window.value(n, *byte) == whole.value(n)));
    row("0.106 by its window, heaps", Growth::Power, &sizes, "all", |most| {
        let mut search = Recurrence::new(&known).expect("it has settled");
        let found = search.seek(&known, most as usize, &mut meter(), |_| Ok::<_, WindowStop>(()));
        // Its period, 328,226,140,474 (A. Flammenkamp), is longer.
        assert_eq!(found, Ok(None));
        assert_eq!(search.len(), most as usize);
    });
}

/// Measures NIM with Cash: the largest number to take, all sets up to it.
fn cash() {
    let sets = |most: u32| {
        (1u64..1 << most).map(move |mask| {
            (1..=most.into()).filter(|a| mask >> (a - 1) & 1 == 1).collect::<Vec<u64>>()
        })
    };
    let find = |set: &[u64]| Condition::find(set, &mut meter()).expect("no limit");
    let sizes = [10, 11, 12, 13];
    for set in sets(sizes[3]) {
        let text = find(&set).expect("found").certificate().to_text();
        assert!(bouton_check::check(&text).is_ok(), "{set:?}");
    }
    row("NIM with Cash, all sets of 1 … size", Growth::Exponential, &sizes, "all", |most| {
        assert!(sets(most).all(|set| find(&set).is_some()));
    });
}

/// Boxes: the greatest heap.
fn tables() {
    let limits = Limits { bytes: BYTES, threads: 1 };
    let room = |plan: &dyn Fn(u32) -> Result<Plan, HeapTableError>| match plan(1023) {
        Ok(_) => "all".to_owned(),
        Err(HeapTableError::TooLarge { fits, .. } | HeapTableError::HeapTooLarge { fits, .. }) => {
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
            assert_eq!(
                Some(&count),
                sizes.iter().position(|size| *size == max).map(|i| &expected[i])
            );
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

/// Measures Kotzig's Nim: cells.
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
        let (_, rows, columns, margin) =
            boards.into_iter().find(|board| board.0 == lines).expect("a board");
        let solver = dots::Solver::new(rows, columns, 64 << 20, 1).expect("a board");
        let (found, end) = solver.margin(0, &mut meter());
        end.expect("no limit");
        assert_eq!(found.exact(), Some(margin), "{rows}x{columns}");
    });
}
