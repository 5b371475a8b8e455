//! Boards drawn with characters, for play in the terminal.

use bouton_core::Board;
use std::fmt::Write;

/// Cells of a circle on a line, and lines of a circle drawn whole at most.
const LINE: usize = 20;
const MAX_LINES: usize = 13;

/// Draws the board as lines of text.
pub fn draw(board: &Board) -> String {
    let mut text = String::new();
    match board {
        Board::Row(_)
        | Board::Several { .. }
        | Board::Complex { .. }
        | Board::Pile(_)
        | Board::Ring(_)
        | Board::Loop(_) => {
            let heaps = board.heaps().unwrap_or_default();
            for (i, heap) in heaps.iter().enumerate() {
                let tokens = if *heap <= 60 {
                    "●".repeat(*heap as usize)
                } else {
                    "●".repeat(57) + "…"
                };
                let _ = writeln!(text, "{:>4} │ {tokens} {heap}", i + 1);
            }
            match board {
                Board::Ring(_) | Board::Loop(_) => {
                    text.push_str("     ╰ heaps on a circle: the last stands beside the first\n");
                }
                Board::Several { at_once, .. } => {
                    let _ = writeln!(text, "     ╰ up to {at_once} heaps in one move");
                }
                Board::Complex { faces, .. } => {
                    let face = |face: &Vec<usize>| {
                        face.iter().map(|heap| (heap + 1).to_string()).collect::<Vec<_>>().join(",")
                    };
                    let faces: Vec<String> = faces.iter().map(face).collect();
                    let _ =
                        writeln!(text, "     ╰ in one move heaps of one of {}", faces.join("; "));
                }
                _ => {}
            }
        }
        Board::Pins(rows) | Board::Beads(rows) => {
            let piece = if let Board::Pins(_) = board { "╿" } else { "●" };
            let rows: Vec<String> =
                rows.iter().map(|row| piece.repeat((*row).min(200) as usize)).collect();
            let _ = writeln!(text, "  {}", rows.join("  "));
        }
        Board::Strip(places) | Board::Faces(places) => {
            let (first, signs) =
                if let Board::Faces(_) = board { (1, ["H", "T"]) } else { (0, ["●", "·"]) };
            let last = places.last().copied().unwrap_or(0).clamp(5, 200);
            let sign = |place: u32| signs[usize::from(places.binary_search(&place).is_err())];
            let shown: Vec<&str> = (first..=last).map(sign).collect();
            let more = places.iter().filter(|place| **place > last).count();
            let _ = writeln!(text, "  {}", shown.join(" "));
            if more > 0 {
                let _ = writeln!(text, "  … and {more} more farther to the right");
            }
        }
        Board::Track { visited, token } => {
            let cell = |(i, seen): (usize, &bool)| match (i == *token, seen) {
                (true, _) => '◉',
                (false, true) => '●',
                (false, false) => '○',
            };
            let cells: Vec<char> = visited.iter().enumerate().map(cell).collect();
            // Of a large circle the lines around the token.
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
            between(&mut text, first);
            for (line, chunk) in cells.chunks(LINE).enumerate().take(last).skip(first) {
                let _ = writeln!(text, "{:>4} │ {}", line * LINE, chunk.iter().collect::<String>());
            }
            between(&mut text, lines - last);
        }
        Board::Queen { x, y } => {
            for row in (0..=(*y).min(15)).rev() {
                let queen = |column: u32| if (column, row) == (*x, *y) { "♛" } else { "·" };
                let cells: Vec<&str> = (0..=(*x).min(30)).map(queen).collect();
                let _ = writeln!(text, "{row:>4} │ {}", cells.join(" "));
            }
            let _ = writeln!(text, "  queen at ({x}, {y}), moving left, down or both");
        }
        Board::Dots { rows, columns, horizontal, vertical } => {
            for r in 0..=*rows {
                let line =
                    |c: usize| if horizontal[r * columns + c] { "•───" } else { "•   " };
                let _ = writeln!(text, "  {}•", (0..*columns).map(line).collect::<String>());
                if r < *rows {
                    let line =
                        |c: usize| if vertical[r * (columns + 1) + c] { "│   " } else { "    " };
                    let _ = writeln!(
                        text,
                        "  {}",
                        (0..=*columns).map(line).collect::<String>().trim_end()
                    );
                }
            }
        }
        Board::Coins { strings, whole } => {
            let name =
                |coin: &Option<usize>| coin.map_or("ground".into(), |coin| (coin + 1).to_string());
            let coins = strings
                .iter()
                .flat_map(|(a, b)| [Some(*a), *b])
                .flatten()
                .max()
                .map_or(0, |last| last + 1);
            for coin in 0..coins {
                let held: Vec<String> = strings
                    .iter()
                    .zip(whole)
                    .filter(|((a, b), whole)| **whole && (*a == coin || *b == Some(coin)))
                    .map(|((a, b), _)| if *a == coin { name(b) } else { name(&Some(*a)) })
                    .collect();
                let to = if held.is_empty() {
                    "taken".into()
                } else {
                    format!("── {}", held.join(", "))
                };
                let _ = writeln!(text, "  {:>2} {to}", coin + 1);
            }
        }
        Board::Purses { stones, mover, other } => {
            let purse = |dollars: &Option<u64>| dollars.map_or("∞".into(), |d| d.to_string());
            let _ = writeln!(
                text,
                "  {stones} stones; to move: ${}, other: ${}",
                purse(mover),
                purse(other)
            );
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
                text.push_str(&draw(board));
            }
        }
    }
    text
}
