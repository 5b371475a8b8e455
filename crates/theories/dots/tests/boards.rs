//! The table of boards of Dots and Boxes against the engine, which does not read it.

use bouton_core::{Budget, Meter};
use bouton_dots::{
    BoardValue, Border, FAMILY, Solver, board_values, opening_reply, table_openings,
};
use std::collections::BTreeSet;

/// Boards with more open lines take more than a second.
const MAX_LINES: u32 = 28;

/// Returns the margin and the number of openings that keep it, by the engine.
fn computed(board: &BoardValue, is_turned: bool) -> (i32, u32) {
    let game = (FAMILY.parse)(&board.game()).expect("a board");
    let start = game.start().expect("a start");
    // Lines in the order of the engine's numbers; on the transposed board the last group of a row
    // comes first.
    let drawn = start.bytes().filter(|sign| *sign != b'/').enumerate();
    let drawn: u64 = drawn.filter(|(_, sign)| *sign != b'.').map(|(line, _)| 1 << line).sum();
    let (rows, columns) = (board.rows as usize, board.columns as usize);
    let (solver, drawn) = if is_turned {
        (Solver::new(columns, rows, 8 << 20, 1), turned(rows, columns, drawn))
    } else {
        (Solver::new(rows, columns, 8 << 20, 1), drawn)
    };
    let mut meter = Meter::new(&Budget::default());
    let (margin, best) =
        solver.expect("an engine").best_moves(drawn, &mut meter).expect("no limit");
    (margin, best.len() as u32)
}

/// Returns the same lines with rows and columns exchanged.
fn turned(rows: usize, columns: usize, drawn: u64) -> u64 {
    let mut image = 0;
    for line in (0..64).filter(|line| drawn >> line & 1 == 1) {
        let (row, place) = (line / (2 * columns + 1), line % (2 * columns + 1));
        // Horizontal line (r, c) becomes vertical line (c, r), and conversely.
        let to = if place < columns {
            place * (2 * rows + 1) + rows + row
        } else {
            (place - columns) * (2 * rows + 1) + row
        };
        image |= 1u64 << to;
    }
    image
}

#[test]
fn the_table_is_found_again() {
    let (all, mut count) = (board_values(), 0);
    for board in all.iter().filter(|board| board.openings <= MAX_LINES) {
        let expected = (board.margin, board.best.expect("counted"));
        assert_eq!(computed(board, false), expected, "{}", board.game());
        if board.openings <= 20 {
            assert_eq!(computed(board, true), expected, "{}, turned", board.game());
        }
        count += 1;
    }
    assert!(count >= 60, "{count}");
}

#[test]
fn the_table_is_whole() {
    let all = board_values();
    let names: BTreeSet<String> = all.iter().map(BoardValue::game).collect();
    assert_eq!(names.len(), all.len(), "a board is there twice");
    assert_eq!(
        include_str!("../data/dots.csv").lines().count(),
        all.len() + 1,
        "a line could not be read"
    );
    for board in &all {
        let (rows, columns) = (board.rows, board.columns);
        let lines = (rows + 1) * columns + rows * (columns + 1);
        let drawn = match board.border {
            Border::Open => 0,
            Border::Swedish => 2 * (rows + columns),
            Border::Icelandic => rows + columns,
        };
        assert!(rows <= columns && board.openings == lines - drawn, "{}", board.game());
        // Margins have the parity of the remaining boxes, and some opening keeps the margin.
        let left = if board.openings > 0 { rows * columns } else { 0 };
        assert!((board.margin - left as i32) % 2 == 0, "{}", board.game());
        assert!(
            board
                .best
                .is_none_or(|best| best <= board.openings && (best > 0 || board.openings == 0))
        );
    }
    // Wilson: every opening of these boards has the same value.
    for game in ["dots(3x3)", "dots(3x5)", "dots(4x4)"] {
        let board = all.iter().find(|board| board.game() == game).expect("solved");
        assert_eq!(board.best, Some(board.openings), "{game}");
    }
}

/// Returns the four lines of each box of 4 x 4.
fn boxes() -> Vec<u64> {
    let four = |top: usize| [top, top + 4, top + 5, top + 9].iter().map(|line| 1u64 << line).sum();
    (0..16).map(|i| four(9 * (i / 4) + i % 4)).collect()
}

fn number(p: &str) -> u64 {
    let signs = p.bytes().filter(|sign| *sign != b'/').enumerate();
    signs.filter(|(_, sign)| *sign != b'.').map(|(line, _)| 1 << line).sum()
}

fn printed(lines: u64) -> String {
    let sign = |line: usize| match (lines >> line & 1, line % 9 < 4) {
        (0, _) => '.',
        (_, true) => '-',
        (_, false) => '|',
    };
    let row = |from: usize, count: usize| (from..from + count).map(sign).collect::<String>();
    (0..9).map(|i| row(i / 2 * 9 + i % 2 * 4, 4 + i % 2)).collect::<Vec<_>>().join("/")
}

/// From each position of the table of openings of 4 x 4, every answer that offers at most one box
/// leads to another.
#[test]
fn openings_can_be_followed() {
    let (table, boxes) = (table_openings(), boxes());
    assert_eq!(include_str!("../data/dots-4x4.txt").lines().count(), table.len());
    let closed = |p: u64| boxes.iter().filter(|four| *four & !p == 0).count() as i64;
    let offered = |p: u64| boxes.iter().map(|four| four & !p).find(|open| open.is_power_of_two());
    let deepest = table.iter().map(|p| number(p).count_ones()).max().expect("some");
    let followed = table.iter().map(|p| number(p)).filter(|p| p.count_ones() + 2 <= deepest);
    let (mut answered, mut taken, mut without) = (0, 0, BTreeSet::new());
    // All positions of at most four lines, and a third of the others.
    for (_, p) in followed.enumerate().filter(|(i, p)| p.count_ones() <= 4 || i % 3 == 0) {
        assert_eq!(offered(p), None, "{p:x}");
        for answer in (0..40).filter(|line| p >> line & 1 == 0).map(|line| p | 1 << line) {
            let mut now = answer;
            let ends = loop {
                let Some(to) =
                    opening_reply("dots(4x4)", &printed(now), closed(now)).map(|to| number(&to))
                else {
                    break false;
                };
                assert!(to & now == now && to.count_ones() == now.count_ones() + 1);
                taken += closed(to) - closed(now);
                let is_quiet = closed(to) == closed(now);
                now = to;
                if is_quiet {
                    break true;
                }
            };
            if ends {
                assert_eq!(offered(now), None, "{answer:x} is answered by an offer");
                answered += 1;
                continue;
            }
            while let Some(line) = offered(now) {
                now |= line;
            }
            // More than one box is offered, or the table ends.
            if closed(now) <= closed(p) + 1 && now.count_ones() < deepest {
                without.insert(answer);
            }
        }
    }
    assert!(
        answered > 20_000 && taken > 300 && without.len() <= 20,
        "{answered} {taken} {}",
        without.len()
    );
    assert!(opening_reply("dots(4x4)", &printed(0), 0).is_some());
    assert_eq!(opening_reply("dots(4x4)", &printed(0), 1), None);
    assert_eq!(opening_reply("dots(3x3)", ".../..../.../..../.../..../...", 0), None);
}

/// A search of some positions of the table: the player to move wins at most the boxes closed so
/// far.
#[test]
fn some_openings_are_searched_again() {
    let table = table_openings();
    let closed = |p: u64| boxes().iter().filter(|four| *four & !p == 0).count() as i32;
    let mut deepest: Vec<u64> = table.iter().map(|p| number(p)).collect();
    deepest.sort_by_key(|lines| (lines.count_ones(), *lines));
    let solver = Solver::new(4, 4, 32 << 20, 1).expect("an engine");
    for lines in deepest.iter().rev().step_by(deepest.len() / 40).take(30) {
        let (margin, end) = solver.margin(*lines, &mut Meter::new(&Budget::default()));
        end.expect("no limit");
        assert!(margin.high <= closed(*lines), "{lines:x}: {margin:?}");
    }
}
