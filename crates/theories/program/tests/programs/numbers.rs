//! Games on numbers and sets, against brute force and printed answers.

use super::{analysis, example, mex, misere, value, values};
use bouton_core::{Outcome, Play};
use std::collections::{BTreeSet, HashMap};

/// Returns whether the player to move wins, by the program.
fn first_wins(name: &str, position: &str) -> bool {
    analysis(&*example(name), position, Play::Normal).evaluation.outcome == Some(Outcome::N)
}

#[test]
fn digital_deletions() {
    let game = example("digital-deletions");
    let options = |row: &String| {
        let mut all = Vec::new();
        for (at, digit) in row.char_indices() {
            all.extend(('0'..digit).map(|less| format!("{}{less}{}", &row[..at], &row[at + 1..])));
            if digit == '0' {
                all.push(row[..at].to_owned());
            }
        }
        all
    };
    let mut known = HashMap::new();
    for number in 0..160 {
        for row in [format!("{number}"), format!("0{number}")] {
            assert_eq!(value(&*game, &row), mex(&row, &options, &mut known), "{row}");
        }
    }
    // HDU 1404 prints these.
    for (row, wins) in [("0", true), ("00", true), ("1", false), ("20", false)] {
        assert_eq!(first_wins("digital-deletions", row), wins, "{row}");
    }
}

#[test]
fn turning_corners_is_nim_multiplication() {
    let game = example("turning-corners");
    // J. H. Conway, On Numbers and Games (1976), chapter 6: part of the table.
    for (a, b, product) in [
        (1, 1, 1),
        (1, 5, 5),
        (2, 2, 3),
        (2, 3, 1),
        (3, 3, 2),
        (2, 4, 8),
        (2, 5, 10),
        (3, 4, 12),
        (3, 5, 15),
        (4, 4, 6),
        (4, 5, 2),
        (5, 5, 7),
        (0, 3, 0),
    ] {
        assert_eq!(value(&*game, &format!("{a},{b}")), product, "{a} by {b}");
        assert_eq!(value(&*game, &format!("{b},{a}")), product, "{b} by {a}");
    }
    // Two heads on one place are none, and heads add as heaps.
    assert_eq!(value(&*game, "[[2,2],[2,2]]"), 0);
    assert_eq!(value(&*game, "[[2,2],[2,3]]"), 3 ^ 1);
}

#[test]
fn subset_takeaway() {
    let game = example("subset-takeaway");
    let options = |free: &BTreeSet<u32>| {
        free.iter()
            .map(|named| free.iter().copied().filter(|set| set & named != *named).collect())
            .collect()
    };
    for n in 1..=3u32 {
        let free: BTreeSet<u32> = (1..(1 << n) - 1).collect();
        assert_eq!(value(&*game, &n.to_string()), mex(&free, &options, &mut HashMap::new()), "{n}");
        // D. Gale, A. Neyman (1982): who does not begin wins on up to five elements.
        assert!(!first_wins("subset-takeaway", &n.to_string()));
    }
    assert!(game.normal_form("9").is_err());
}

#[test]
fn schuhs_game_of_divisors() {
    let game = example("schuhs-game");
    let options = |free: &BTreeSet<u32>| {
        free.iter().map(|named| free.iter().copied().filter(|d| d % named != 0).collect()).collect()
    };
    for n in [2, 4, 6, 8, 12, 18, 24, 30, 36] {
        let free: BTreeSet<u32> = (2..=n).filter(|d| n % d == 0).collect();
        assert_eq!(value(&*game, &n.to_string()), mex(&free, &options, &mut HashMap::new()), "{n}");
        // Who begins wins: naming n itself takes nothing else, so it can stand for any answer to
        // it.
        assert!(first_wins("schuhs-game", &n.to_string()), "{n}");
    }
}

#[test]
fn thirty_one_cards() {
    let game = example("thirty-one");
    let options = |(left, cards): &(usize, [u8; 6])| {
        let free = (1..=6usize).filter(|number| number <= left && cards[number - 1] > 0);
        free.map(|number| {
            let mut rest = *cards;
            rest[number - 1] -= 1;
            (left - number, rest)
        })
        .collect::<Vec<_>>()
    };
    let mut known = HashMap::new();
    for left in 0..14 {
        assert_eq!(
            value(&*game, &left.to_string()),
            mex(&(left, [4; 6]), &options, &mut known),
            "{left}"
        );
    }
    // H. E. Dudeney: who begins wins with 1, 2 or 5, and with no other card.
    let found = analysis(&*game, "31", Play::Normal);
    let winning = found.moves.iter().filter(|option| option.evaluation.outcome == Some(Outcome::P));
    let rests: BTreeSet<usize> = winning
        .map(|option| option.to.trim_start_matches('[').split(',').next().unwrap().parse().unwrap())
        .collect();
    let expected: BTreeSet<usize> = options(&(31, [4; 6]))
        .iter()
        .filter(|q| mex(*q, &options, &mut known) == 0)
        .map(|q| q.0)
        .collect();
    assert_eq!(rests, expected);
    assert_eq!(rests, BTreeSet::from([26, 29, 30]));
}

#[test]
fn candy_piles() {
    let game = example("candy-piles");
    // The rules as they are printed: who eats the last candy loses, so a position without candies
    // is won.
    fn wins(heaps: &[u32], known: &mut HashMap<Vec<u32>, bool>) -> bool {
        if heaps.is_empty() {
            return true;
        }
        if let Some(wins) = known.get(heaps) {
            return *wins;
        }
        let mut sorted = heaps.to_vec();
        sorted.sort_unstable();
        let without = sorted[..sorted.len() - 1].to_vec();
        let fewer: Vec<u32> = sorted.iter().map(|heap| heap - 1).filter(|heap| *heap > 0).collect();
        let found = !wins(&without, known) || !wins(&fewer, known);
        known.insert(heaps.to_vec(), found);
        found
    }
    let mut known = HashMap::new();
    for code in 0..216u32 {
        let heaps: Vec<u32> =
            [code % 6, code / 6 % 6, code / 36].iter().map(|heap| heap + 1).collect();
        let text = heaps.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let found = analysis(&*game, &text, Play::Normal).evaluation.outcome == Some(Outcome::N);
        assert_eq!(found, wins(&heaps, &mut known), "{text}");
    }
    // AtCoder Grand Contest 002 E prints these.
    for (text, won) in [("1,3", true), ("1,2,1", true), ("1,2,3", false)] {
        assert_eq!(first_wins("candy-piles", text), won, "{text}");
    }
}

#[test]
fn decrementing() {
    let game = example("decrementing");
    fn common(a: u32, b: u32) -> u32 {
        if b == 0 { a } else { common(b, a % b) }
    }
    let options = |numbers: &Vec<u32>| {
        let mut all = Vec::new();
        for at in (0..numbers.len()).filter(|at| numbers[*at] > 1) {
            let mut next = numbers.clone();
            next[at] -= 1;
            let divisor = next.iter().copied().fold(0, common);
            all.push(next.into_iter().map(|number| number / divisor).collect());
        }
        all
    };
    let mut known = HashMap::new();
    for a in 1..9u32 {
        for b in a..9 {
            for c in [1, 5, 7] {
                if [a, b, c].into_iter().fold(0, common) == 1 {
                    let expected = mex(&vec![a, b, c], &options, &mut known);
                    assert_eq!(value(&*game, &format!("{a},{b},{c}")), expected, "{a},{b},{c}");
                }
            }
        }
    }
    // AtCoder Grand Contest 010 D prints these.
    for (text, won) in [("3,6,7", true), ("1,2,4,8", true), ("7,8,8,8,8", false)] {
        assert_eq!(first_wins("decrementing", text), won, "{text}");
    }
    assert!(game.normal_form("2,4").is_err());
}

#[test]
fn take_a_digit() {
    let game = example("take-a-digit");
    let options = |n: &u32| {
        let digits = n.to_string().into_bytes();
        digits
            .iter()
            .filter(|digit| **digit != b'0')
            .map(|digit| n - u32::from(digit - b'0'))
            .collect()
    };
    let mut known = HashMap::new();
    let expected: Vec<u32> = (0..=300).map(|n| mex(&n, &options, &mut known)).collect();
    assert_eq!(values(&*game, 300), expected);
    assert_eq!(value(&*game, "25,31"), expected[25] ^ expected[31]);
}

#[test]
fn cutting_game() {
    // Whoever cuts off the first single square wins: by the sheets that lie on the table.
    fn wins(sheets: &[(u32, u32)], known: &mut HashMap<Vec<(u32, u32)>, bool>) -> bool {
        if let Some(wins) = known.get(sheets) {
            return *wins;
        }
        let mut found = false;
        for (at, (rows, columns)) in sheets.iter().copied().enumerate() {
            let across = (1..rows).map(|r| ((r, columns), (rows - r, columns)));
            let along = (1..columns).map(|c| ((rows, c), (rows, columns - c)));
            for (one, other) in across.chain(along) {
                let mut next = sheets.to_vec();
                next.remove(at);
                next.extend([one, other]);
                next.sort_unstable();
                found |= one == (1, 1) || other == (1, 1) || !wins(&next, known);
            }
        }
        known.insert(sheets.to_vec(), found);
        found
    }
    let mut known = HashMap::new();
    for rows in 1..=4 {
        for columns in 2..=4 {
            let text = format!("{rows}x{columns}");
            assert_eq!(
                first_wins("cutting-game", &text),
                wins(&[(rows, columns)], &mut known),
                "{text}"
            );
        }
    }
    // POJ 2311 prints these.
    for (text, won) in [("2x2", false), ("3x2", false), ("4x2", true)] {
        assert_eq!(first_wins("cutting-game", text), won, "{text}");
    }
}

#[test]
fn tac_tix() {
    let game = example("tac-tix");
    let options = |board: &u32, width: u32, height: u32| {
        let mut all = Vec::new();
        for first in 0..width * height {
            let mut lines = Vec::new();
            for (step, length) in [(1, width - first % width), (width, height - first / width)] {
                for long in 1..=length {
                    lines.push((0..long).fold(0u32, |set, at| set | 1 << (first + at * step)));
                }
            }
            lines.sort_unstable();
            lines.dedup();
            all.extend(
                lines.into_iter().filter(|line| board & line == *line).map(|line| board & !line),
            );
        }
        all
    };
    for (height, width) in [(1, 5), (2, 2), (2, 3), (3, 3)] {
        let from = |board: &u32| options(board, width, height);
        let full = (1u32 << (width * height)) - 1;
        let text = format!("{height}x{width}");
        assert_eq!(value(&*game, &text), mex(&full, &from, &mut HashMap::new()), "{text}");
        let found = analysis(&*game, &text, Play::Misere).evaluation.outcome == Some(Outcome::N);
        assert_eq!(found, misere(&full, &from, &mut HashMap::new()), "{text}, misère");
    }
    // M. Gardner: on three by three squares who begins wins Hein's game.
    let hein = analysis(&*game, "3x3", Play::Misere).evaluation.outcome;
    assert_eq!(hein, Some(Outcome::N));
}

#[test]
fn zero_move_nim() {
    let game = example("zero-move-nim");
    let options = |heaps: &Vec<(u32, bool)>| {
        let mut all = Vec::new();
        for (at, (heap, is_fresh)) in heaps.iter().copied().enumerate() {
            let mut with = |now| {
                let mut next = heaps.clone();
                next[at] = now;
                all.push(next);
            };
            (0..heap).for_each(|left| with((left, is_fresh)));
            if heap > 0 && is_fresh {
                with((heap, false));
            }
        }
        all
    };
    let mut known = HashMap::new();
    for a in 0..6 {
        for b in a..5 {
            let expected = mex(&vec![(a, true), (b, true)], &options, &mut known);
            assert_eq!(value(&*game, &format!("{a},{b}")), expected, "{a},{b}");
            let expected = mex(&vec![(a, true), (b, false)], &options, &mut known);
            assert_eq!(value(&*game, &format!("[[{a},1],[{b},0]]")), expected, "{a},{b} used");
        }
    }
}

#[test]
fn nim_with_a_pass() {
    let game = example("nim-with-a-pass");
    let options = |(heaps, may): &(Vec<u32>, bool)| {
        let mut all = Vec::new();
        for at in 0..heaps.len() {
            for left in 0..heaps[at] {
                let mut next = heaps.clone();
                next[at] = left;
                all.push((next, *may));
            }
        }
        if *may && heaps.iter().any(|heap| *heap > 0) {
            all.push((heaps.clone(), false));
        }
        all
    };
    let mut known = HashMap::new();
    for code in 0..125u32 {
        let heaps = vec![code % 5, code / 5 % 5, code / 25];
        let text = format!("{},{},{}", heaps[0], heaps[1], heaps[2]);
        let expected = mex(&(heaps.clone(), true), &options, &mut known);
        assert_eq!(value(&*game, &text), expected, "{text}");
        let expected = mex(&(heaps, false), &options, &mut known);
        assert_eq!(value(&*game, &format!("[[{text}],0]")), expected, "{text} passed");
    }
}

#[test]
fn chalkboard_xor() {
    let game = example("chalkboard-xor");
    let xor = |numbers: &[u32]| numbers.iter().fold(0, |all, number| all ^ number);
    // Whether the player to move wins, by the words of the rules.
    fn wins(numbers: &[u32], xor: &dyn Fn(&[u32]) -> u32) -> bool {
        let without = |at: usize| [&numbers[..at], &numbers[at + 1..]].concat();
        xor(numbers) == 0
            || (0..numbers.len()).map(without).any(|rest| xor(&rest) != 0 && !wins(&rest, xor))
    }
    for code in 0..256u32 {
        let all: Vec<u32> = (0..4).map(|place| code >> (2 * place) & 3).collect();
        for numbers in [&all[..], &all[..3], &all[..1]] {
            let text = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            assert_eq!(value(&*game, &text) != 0, wins(numbers, &xor), "{text}");
            // The theorem of LeetCode 810.
            assert_eq!(wins(numbers, &xor), xor(numbers) == 0 || numbers.len() % 2 == 0, "{text}");
        }
    }
}
