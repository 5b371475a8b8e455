//! Values of boards of Dots and Boxes, as lines of the table in `src/game/boards.rs`:
//!
//!     cargo run --release -p bouton-dots --example dots_boards -- \
//!        3x3 4x4:swedish 2x5:icelandic … [--megabytes 512]
//!
//! Each line has the board, the border, the margin of the first player, the number of first lines
//! that keep it, and the number of first lines; then, as a comment, nodes and seconds.

use bouton_core::{Budget, Meter};
use bouton_dots::Solver;
use std::process::ExitCode;
use std::time::Instant;

/// Returns the lines drawn at the start of `dots(RxC;swedish)` and the like.
fn border(rows: usize, columns: usize, kind: &str) -> Option<u64> {
    let period = 2 * columns + 1;
    let horizontal =
        |row: usize| (0..columns).map(move |c| 1u64 << (row * period + c)).sum::<u64>();
    let vertical =
        |place: usize| (0..rows).map(move |r| 1u64 << (r * period + columns + place)).sum::<u64>();
    Some(match kind {
        "open" => 0,
        "swedish" => horizontal(0) | horizontal(rows) | vertical(0) | vertical(columns),
        "icelandic" => horizontal(rows) | vertical(0),
        _ => return None,
    })
}

fn row(text: &str, megabytes: u64) -> Option<()> {
    let (board, kind) = text.split_once(':').unwrap_or((text, "open"));
    let (rows, columns) = board.split_once('x')?;
    let (rows, columns) = (rows.parse().ok()?, columns.parse().ok()?);
    let solver = Solver::new(rows, columns, megabytes << 20, 1)?;
    let drawn = border(rows, columns, kind)?;
    let (start, mut meter) = (Instant::now(), Meter::new(&Budget::default()));
    let (margin, best) = solver.best_moves(drawn, &mut meter).ok()?;
    let open = solver.lines() - drawn.count_ones();
    println!(
        "{board},{kind},{margin},{},{open} # {} nodes, {:.1} s",
        best.len(),
        meter.nodes(),
        start.elapsed().as_secs_f64()
    );
    Some(())
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (mut boards, mut megabytes) = (Vec::new(), 512);
    while let Some(word) = words.next() {
        if word == "--megabytes" {
            let Some(number) = words.next().and_then(|text| text.parse().ok()) else {
                eprintln!("--megabytes needs a number, as 512");
                return ExitCode::from(2);
            };
            megabytes = number;
        } else {
            boards.push(word);
        }
    }
    for board in boards {
        if row(&board, megabytes).is_none() {
            eprintln!(
                "{board}: no board of at most 64 lines; accepted: 3x3, 3x3:swedish, 3x3:icelandic"
            );
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
