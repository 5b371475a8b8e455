//! Boards with covered squares and graphs, in normal and misère play: what the shelf's programs say
//! by regions, images and connected parts, against brute force from the rules alone.

use super::partizan::expected;
use super::{analysis, class, example, mex, misere, value};
use bouton_core::{Outcome, OutcomeClass, Play};
use std::collections::HashMap;

/// Returns a generator with a fixed seed.
fn lots(mut lot: u32) -> impl FnMut(u32) -> u32 {
    move |bound| {
        lot = lot.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (lot >> 16) % bound
    }
}

/// Boards of which about a quarter of the squares is covered.
fn boards(count: usize, seed: u32) -> Vec<Vec<String>> {
    let mut lot = lots(seed);
    let board = |_| {
        let (rows, columns) = (1 + lot(3), 3 + lot(2));
        let mut row = || (0..columns).map(|_| if lot(4) == 0 { '#' } else { '.' }).collect();
        (0..rows).map(|_| row()).collect()
    };
    (0..count).map(board).collect()
}

/// Places a domino upright or lying in all ways.
fn dominoes(board: &[String], upright: bool) -> Vec<Vec<String>> {
    let (down, across) = if upright { (1, 0) } else { (0, 1) };
    let mut all = Vec::new();
    for r in 0..board.len() - down.min(board.len()) {
        for c in 0..board[0].len() - across {
            if board[r].as_bytes()[c] == b'.' && board[r + down].as_bytes()[c + across] == b'.' {
                let mut next = board.to_vec();
                next[r].replace_range(c..=c, "#");
                next[r + down].replace_range(c + across..=c + across, "#");
                all.push(next);
            }
        }
    }
    all
}

#[test]
fn dominoes_on_boards_with_covered_squares() {
    let (cram, domineering) = (example("cram"), example("domineering"));
    for board in boards(40, 11) {
        let text = board.join("/");
        let options = |p: &Vec<String>| [dominoes(p, true), dominoes(p, false)].concat();
        assert_eq!(value(&*cram, &text), mex(&board, &options, &mut HashMap::new()), "{text}");
        let wins = misere(&board, &options, &mut HashMap::new());
        let found = analysis(&*cram, &text, Play::Misere).evaluation.outcome;
        assert_eq!(found == Some(Outcome::N), wins, "{text}");
        let sides = |p: &Vec<String>, mover: usize| dominoes(p, mover == 0);
        assert_eq!(
            class(&*domineering, &text),
            expected(&board, &sides, &mut HashMap::new()),
            "{text}"
        );
    }
}

#[test]
fn node_kayles_on_graphs() {
    let (game, mut lot) = (example("node-kayles"), lots(3));
    for _ in 0..40 {
        let nodes = 3 + lot(6);
        let mut near: Vec<u32> = (0..nodes).map(|n| 1 << n).collect();
        let mut text = Vec::new();
        for a in 0..nodes as usize {
            for b in 0..a {
                if lot(3) == 0 {
                    near[a] |= 1 << b;
                    near[b] |= 1 << a;
                    text.push(format!("[{},{}]", 5 * b, 5 * a));
                }
            }
            // Every node is named, also where it has an edge.
            text.push(format!("[{}]", 5 * a));
        }
        let text = format!("[{}]", text.join(","));
        let options = |left: &u32| -> Vec<u32> {
            (0..nodes).filter(|n| left >> n & 1 == 1).map(|n| left & !near[n as usize]).collect()
        };
        let all = (1 << nodes) - 1;
        assert_eq!(value(&*game, &text), mex(&all, &options, &mut HashMap::new()), "{text}");
        let found = analysis(&*game, &text, Play::Misere).evaluation.outcome;
        assert_eq!(
            found == Some(Outcome::N),
            misere(&all, &options, &mut HashMap::new()),
            "{text}"
        );
    }
}

/// J. Lemoine, S. Viennot, Nimbers are inevitable (2012): Cram on 4 × 5 has the value 2. Node
/// Kayles on 4 × 4 and 5 × 5 has 0 and 3, and Left wins Domineering on 4 × 5, by searches of sets
/// of squares in another language.
#[test]
fn boards_of_twenty_squares_and_more() {
    assert_eq!(value(&*example("cram"), "4x5"), 2);
    assert_eq!(value(&*example("node-kayles"), "4x4"), 0);
    assert_eq!(value(&*example("node-kayles"), "5x5"), 3);
    assert_eq!(class(&*example("domineering"), "4x5"), OutcomeClass::L);
}
