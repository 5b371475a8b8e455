//! Boards drawn with characters, for play in the terminal.

use bouton_core::Board;
use std::fmt::Write;

/// Cells of a circle on a line, and lines of a circle drawn whole at most.
const LINE: usize = 20;
const MAX_LINES: usize = 13;

/// Draws the board as lines of text.
pub fn draw(board: &Board) -> String {
    let mut text = String::new();
    add_board(&mut text, board);
    text
}

fn add_board(text: &mut String, board: &Board) {
    match board {
        Board::Row(_)
        | Board::Remembering { .. }
        | Board::Several { .. }
        | Board::Complex { .. }
        | Board::Pile(_)
        | Board::Ring(_)
        | Board::Loop(_) => add_heaps(text, board),
        Board::Pins(rows) => add_rows(text, rows, "╿"),
        Board::Beads(rows) => add_rows(text, rows, "●"),
        Board::Strip(places) => add_places(text, places, 0, ["●", "·"]),
        Board::Faces(places) => add_places(text, places, 1, ["H", "T"]),
        Board::Track { visited, token } => add_circle(text, visited, *token),
        Board::Queen { x, y } => {
            for row in (0..=(*y).min(15)).rev() {
                let queen = |column: u32| if (column, row) == (*x, *y) { "♛" } else { "·" };
                let cells: Vec<&str> = (0..=(*x).min(30)).map(queen).collect();
                let _ = writeln!(text, "{row:>4} │ {}", cells.join(" "));
            }
            let _ = writeln!(text, "  queen at ({x}, {y}), moving left, down or both");
        }
        Board::Dots { rows, columns, horizontal, vertical } => {
            add_dots(text, (*rows, *columns), horizontal, vertical);
        }
        Board::Coins { strings, whole } => add_coins(text, strings, whole),
        Board::Purses { stones, mover, other } => {
            let purse = |dollars: &Option<u64>| dollars.map_or("∞".into(), |d| d.to_string());
            let (mover, other) = (purse(mover), purse(other));
            let _ = writeln!(text, "  {stones} stones; to move: ${mover}, other: ${other}");
        }
        Board::Sheets(_) | Board::Cards { .. } | Board::Graph(_) => {
            let _ = writeln!(text, "  {}", bouton_draw::board::describe(board));
        }
        Board::Text(picture) => {
            for line in picture.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        Board::Sum(boards) => {
            for (i, board) in boards.iter().enumerate() {
                let _ = writeln!(text, "  summand {}:", i + 1);
                add_board(text, board);
            }
        }
    }
}

/// Adds a line for each heap, and how they stand.
fn add_heaps(text: &mut String, board: &Board) {
    for (i, heap) in board.heaps().unwrap_or_default().iter().enumerate() {
        let tokens =
            if *heap <= 60 { "●".repeat(*heap as usize) } else { "●".repeat(57) + "…" };
        let _ = writeln!(text, "{:>4} │ {tokens} {heap}", i + 1);
    }
    match board {
        Board::Ring(_) | Board::Loop(_) => {
            text.push_str("     ╰ heaps on a circle: the last stands beside the first\n");
        }
        Board::Remembering { remembered, .. } => {
            let _ = writeln!(text, "     ╰ remembered: {}", remembered.replace(',', ", "));
        }
        Board::Several { at_once, .. } => {
            let _ = writeln!(text, "     ╰ up to {at_once} heaps in one move");
        }
        Board::Complex { faces, .. } => {
            let face = |face: &Vec<usize>| {
                face.iter().map(|heap| (heap + 1).to_string()).collect::<Vec<_>>().join(",")
            };
            let faces: Vec<String> = faces.iter().map(face).collect();
            let _ = writeln!(text, "     ╰ in one move heaps of one of {}", faces.join("; "));
        }
        _ => {}
    }
}

/// Adds rows of pins, or of beads, on one line.
fn add_rows(text: &mut String, rows: &[u32], piece: &str) {
    let rows: Vec<String> = rows.iter().map(|row| piece.repeat((*row).min(200) as usize)).collect();
    let _ = writeln!(text, "  {}", rows.join("  "));
}

/// Adds a strip of which these places are marked with the first sign.
fn add_places(text: &mut String, places: &[u32], first: u32, signs: [&str; 2]) {
    let last = places.last().copied().unwrap_or(0).clamp(5, 200);
    let sign = |place: u32| signs[usize::from(places.binary_search(&place).is_err())];
    let shown: Vec<&str> = (first..=last).map(sign).collect();
    let more = places.iter().filter(|place| **place > last).count();
    let _ = writeln!(text, "  {}", shown.join(" "));
    if more > 0 {
        let _ = writeln!(text, "  … and {more} more farther to the right");
    }
}

/// Adds the cells of a circle; of a large one the lines around the token.
fn add_circle(text: &mut String, visited: &[bool], token: usize) {
    let cell = |(i, seen): (usize, &bool)| match (i == token, seen) {
        (true, _) => '◉',
        (false, true) => '●',
        (false, false) => '○',
    };
    let cells: Vec<char> = visited.iter().enumerate().map(cell).collect();
    let lines = cells.len().div_ceil(LINE);
    let (first, last) = match lines {
        0..=MAX_LINES => (0, lines),
        _ => ((token / LINE).saturating_sub(2), (token / LINE + 3).min(lines)),
    };
    let between = |text: &mut String, lines: usize| {
        if lines > 0 {
            let _ = writeln!(text, "     │ … {} more cells …", lines * LINE);
        }
    };
    between(text, first);
    for (line, chunk) in cells.chunks(LINE).enumerate().take(last).skip(first) {
        let _ = writeln!(text, "{:>4} │ {}", line * LINE, chunk.iter().collect::<String>());
    }
    between(text, lines - last);
}

fn add_dots(
    text: &mut String,
    (rows, columns): (usize, usize),
    horizontal: &[bool],
    vertical: &[bool],
) {
    for r in 0..=rows {
        let line = |c: usize| if horizontal[r * columns + c] { "•───" } else { "•   " };
        let _ = writeln!(text, "  {}•", (0..columns).map(line).collect::<String>());
        if r < rows {
            let line = |c: usize| if vertical[r * (columns + 1) + c] { "│   " } else { "    " };
            let lines: String = (0..=columns).map(line).collect();
            let _ = writeln!(text, "  {}", lines.trim_end());
        }
    }
}

/// Adds for each coin what it hangs on.
fn add_coins(text: &mut String, strings: &[(usize, Option<usize>)], whole: &[bool]) {
    let name = |coin: &Option<usize>| coin.map_or("ground".into(), |coin| (coin + 1).to_string());
    let all = strings.iter().flat_map(|(a, b)| [Some(*a), *b]).flatten();
    for coin in 0..all.max().map_or(0, |last| last + 1) {
        let held: Vec<String> = strings
            .iter()
            .zip(whole)
            .filter(|((a, b), whole)| **whole && (*a == coin || *b == Some(coin)))
            .map(|((a, b), _)| if *a == coin { name(b) } else { name(&Some(*a)) })
            .collect();
        let to =
            if held.is_empty() { "taken".into() } else { format!("── {}", held.join(", ")) };
        let _ = writeln!(text, "  {:>2} {to}", coin + 1);
    }
}
