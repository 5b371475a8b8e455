//! The engine of Dots and Boxes against the rules.

mod coins;
mod plain;

use bouton_core::{Budget, LimitReached, Meter, Nimber};
use bouton_dots::{Analyzer, NimstringValue, ResumableRun, RunShard, Solver};
use plain::{Plain, random_lines};
use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

fn meter() -> Meter {
    Meter::new(&Budget::default())
}

fn solver(rows: u32, columns: u32) -> Solver {
    Solver::new(rows as usize, columns as usize, 4 << 20, 1).expect("a board")
}

fn exact(solver: &Solver, drawn: u64) -> i32 {
    let (margin, end) = solver.margin(drawn, &mut meter());
    end.expect("no limit");
    margin.exact().expect("exact")
}

#[test]
fn every_position_of_small_boards() {
    for (rows, columns) in
        [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (1, 5), (2, 2), (2, 3), (3, 2)]
    {
        let (plain, solver) = (Plain::new(rows, columns), solver(rows, columns));
        for (drawn, value) in plain.all().into_iter().enumerate() {
            assert_eq!(
                exact(&solver, drawn as u64),
                i32::from(value),
                "{rows}x{columns}, {drawn:#b}"
            );
        }
    }
}

#[test]
fn samples_of_three_by_three_and_one_by_seven() {
    for (rows, columns) in [(3, 3), (1, 7)] {
        let (plain, solver) = (Plain::new(rows, columns), solver(rows, columns));
        let values = plain.all();
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..50_000 {
            let count = random.u64(..) % u64::from(plain.lines);
            let drawn = random_lines(&mut random, count as u32, plain.lines);
            assert_eq!(
                exact(&solver, drawn),
                i32::from(values[drawn as usize]),
                "{rows}x{columns}, {drawn:#b}"
            );
        }
    }
}

#[test]
fn samples_of_larger_boards() {
    // By the number of open lines.
    for (rows, columns, open, samples) in
        [(4, 4, 16, 60), (3, 5, 16, 60), (5, 5, 14, 60), (1, 21, 14, 30)]
    {
        let (plain, solver) = (Plain::new(rows, columns), solver(rows, columns));
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..samples {
            let drawn = random_lines(&mut random, plain.lines - open, plain.lines);
            let value = plain.value(drawn, &mut HashMap::new());
            assert_eq!(exact(&solver, drawn), value, "{rows}x{columns}, {drawn:#b}");
        }
    }
}

#[test]
fn choices_and_best_play_agree_with_the_rules() {
    let (plain, solver) = (Plain::new(3, 3), solver(3, 3));
    let values = plain.all();
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..300 {
        let count = random.u64(..) % u64::from(plain.lines);
        let drawn = random_lines(&mut random, count as u32, plain.lines);
        let value = i32::from(values[drawn as usize]);
        let (choices, end) = solver.choices(drawn, &mut meter());
        end.expect("no limit");
        for choice in &choices {
            let rest = i32::from(values[(drawn | 1 << choice.line) as usize]);
            let margin = if choice.gain > 0 { choice.gain as i32 + rest } else { -rest };
            assert_eq!(choice.margin.exact(), Some(margin), "{drawn:#b}, line {}", choice.line);
        }
        assert_eq!(choices.iter().filter_map(|choice| choice.margin.exact()).max(), Some(value));
        // The margin of the line of best play, whose players take turns by the rules.
        let (play, end) = solver.best_play(drawn, &mut meter());
        end.expect("no limit");
        let (mut now, mut sign, mut total) = (drawn, 1, 0);
        for line in play {
            let choice =
                solver.choices(now, &mut meter()).0.into_iter().find(|choice| choice.line == line);
            let gain = choice.expect("an open line").gain as i32;
            total += sign * gain;
            now |= 1 << line;
            sign = if gain > 0 { sign } else { -sign };
        }
        assert_eq!((now, total), ((1 << plain.lines) - 1, value), "{drawn:#b}");
    }
}

#[test]
fn openings_that_keep_the_value_agree_with_the_rules() {
    for (rows, columns) in [(1, 6), (1, 7), (2, 3), (2, 4)] {
        let plain = Plain::new(rows, columns);
        let values = plain.all();
        let (choices, end) = solver(rows, columns).choices(0, &mut meter());
        end.expect("no limit");
        let found: Vec<u32> = choices
            .iter()
            .filter(|c| c.margin.exact() == Some(values[0].into()))
            .map(|c| c.line)
            .collect();
        let keeps = |line: &u32| i32::from(-values[1 << line]) == i32::from(values[0]);
        let expected: Vec<u32> = (0..plain.lines).filter(keeps).collect();
        assert_eq!(found, expected, "{rows}x{columns}");
    }
}

#[test]
fn a_budget_ends_in_bounds_that_hold() {
    let known = exact(&solver(3, 3), 0);
    for nodes in [0, 1, 10, 100, 1000] {
        let fresh = solver(3, 3);
        let mut meter = Meter::new(&Budget { nodes: Some(nodes), ..Budget::default() });
        let (margin, end) = fresh.margin(0, &mut meter);
        assert_eq!(end, Err(LimitReached::Nodes(nodes)));
        assert!(margin.low <= known && known <= margin.high && margin.exact().is_none());
        assert!(meter.nodes() <= nodes);
        let (choices, end) = fresh.choices(0, &mut meter);
        assert!(end.is_err() && choices.len() == 24);
    }
}

#[test]
fn threads_and_tables_do_not_change_values() {
    let (one, two) = (solver(3, 3), Solver::new(3, 3, 16 << 20, 2).expect("a board"));
    let mut random = fastrand::Rng::with_seed(4);
    for open in 4..24 {
        let drawn = random_lines(&mut random, 24 - open, 24);
        let (margin, end) = two.margin(drawn, &mut meter());
        end.expect("no limit");
        assert_eq!(margin.exact(), Some(exact(&one, drawn)), "{drawn:#b}");
    }
    // The budget stops all threads.
    let two = Solver::new(4, 4, 16 << 20, 2).expect("a board");
    let (_, end) =
        two.margin(0, &mut Meter::new(&Budget { nodes: Some(1000), ..Budget::default() }));
    assert_eq!(end, Err(LimitReached::Nodes(1000)));
}

#[test]
fn boards_out_of_reach_are_refused() {
    for (rows, columns) in [(0, 3), (3, 0), (4, 7), (1, 22), (usize::MAX, usize::MAX)] {
        assert!(Solver::new(rows, columns, 0, 1).is_none());
    }
    assert!(Solver::new(1, 21, 0, 1).is_some() && Solver::new(5, 5, 0, 1).is_some());
}

#[test]
fn nimstring_agrees_with_the_rules() {
    const HEAPS: usize = 8;
    for (rows, columns) in [(1, 1), (1, 2), (1, 4), (4, 1), (2, 2), (2, 3)] {
        let plain = Plain::new(rows, columns);
        let mut analyst = Analyzer::new(rows as usize, columns as usize).expect("a board");
        let wins = plain.nimstring(HEAPS);
        for drawn in 0..1u64 << plain.lines {
            let nimstring_value = analyst.nimstring_value(drawn, &mut meter()).expect("no limit");
            for (heap, wins) in wins.iter().enumerate() {
                let lost = nimstring_value == NimstringValue::Nimber(Nimber(heap as u32));
                assert_eq!(wins[drawn as usize], !lost, "{rows}x{columns}, {drawn:#b} + *{heap}");
            }
            assert!(matches!(
                nimstring_value,
                NimstringValue::Loony | NimstringValue::Nimber(Nimber(..8))
            ));
        }
    }
}

#[test]
fn structures() {
    // Above a chain of two, below a chain of one that ends in a joint.
    let lines = |text: &str| {
        let bits = text.chars().filter(|c| *c != '/').enumerate();
        bits.filter(|(_, c)| *c != '.').map(|(i, _)| 1 << i).sum::<u64>()
    };
    let of = |rows, columns, text: &str| {
        Analyzer::new(rows, columns).expect("a board").structure(lines(text))
    };
    let found = of(2, 2, "--/.../--/|../..");
    assert_eq!((found.captures, found.deal, found.safe), (0, 0, 1 << 9 | 1 << 11));
    let boxes: Vec<_> =
        found.chains.iter().map(|c| (&c.boxes[..], c.is_loop, c.is_independent)).collect();
    assert_eq!(boxes, [(&[0, 1][..], false, true), (&[2][..], false, false)]);
    assert_eq!(found.joints, [3]);
    // A ring of four, and the long-chain rule on it: once opened, it is taken or declined.
    let ring = of(2, 2, "--/|.|/../|.|/--");
    assert_eq!((ring.chains.len(), ring.chains[0].is_loop, ring.long_chains()), (1, true, 0));
    assert_eq!(ring.chains[0].boxes, [0, 1, 3, 2]);
    assert!(!ring.suits_mover());
    // A long chain alone is opened by the player to move; three chains of one box are opened in
    // turn.
    let chain = of(1, 3, "---/..../---");
    assert!(chain.chains[0].is_long() && !chain.suits_mover());
    let three = of(1, 3, ".../||||/...");
    assert_eq!((three.long_chains(), three.chains.len(), three.suits_mover()), (0, 3, true));
    // 3 x 3 has 16 dots: the first player wants an even number of long chains; 4 x 4 has 25: odd.
    assert!(!of(3, 3, "").wants_odd && of(4, 4, "").wants_odd);
    // A ring that was opened: all four boxes can be captured, or declined.
    let open = of(2, 2, "--/|.|/-./|.|/--");
    assert_eq!((open.captures, open.deal, open.chains.len()), (4, 4, 0));
}

#[test]
fn lines_lead_where_the_rules_lead() {
    for (rows, columns) in [(1, 1), (1, 4), (2, 2), (2, 3)] {
        let plain = Plain::new(rows, columns);
        let mut analyst = Analyzer::new(rows as usize, columns as usize).expect("a board");
        for drawn in 0..1u64 << plain.lines {
            let found = analyst.structure(drawn);
            let closed = |lines: u64| plain.closed(lines);
            let closes = |lines: u64, line: u32| closed(lines | 1 << line) > closed(lines);
            // All captures made, one after the other.
            let mut after = drawn;
            while let Some(line) =
                (0..plain.lines).find(|line| after >> line & 1 == 0 && closes(after, *line))
            {
                after |= 1 << line;
            }
            assert_eq!(found.captures as i32, closed(after) - closed(drawn));
            assert_eq!(found.captured.len() as u32, found.captures);
            for line in 0..plain.lines {
                let (bit, said) =
                    (1u64 << line, format!("{rows}x{columns}, {drawn:#b}, line {line}"));
                let is = |set: u64| set & bit != 0;
                assert_eq!(is(found.closing), drawn & bit == 0 && closes(drawn, line), "{said}");
                assert_eq!(is(found.open), after & bit == 0, "{said}");
                let gives = |line: u32| {
                    (0..plain.lines).any(|next| {
                        (after | 1 << line) >> next & 1 == 0 && closes(after | 1 << line, next)
                    })
                };
                assert_eq!(is(found.safe), after & bit == 0 && !gives(line), "{said}");
                // Nimstring, which is compared with the rules above, calls the same lines loony.
                let mut nimstring_value =
                    || analyst.nimstring_value(after | bit, &mut meter()).expect("no limit");
                assert_eq!(
                    is(found.loony),
                    after & bit == 0 && nimstring_value() == NimstringValue::Loony,
                    "{said}"
                );
            }
        }
    }
}

/// Continues a run: returns the margin, if it was found, and the nodes.
fn continue_run(
    folder: &Path,
    shard: RunShard,
    keeps_table: bool,
    nodes: Option<u64>,
) -> (Option<i32>, u64) {
    let run = ResumableRun { folder: folder.to_owned(), shard, drawn: 7, keeps_table };
    let solver = Solver::resumed(3, 3, 4 << 20, 1, &run).expect("a run");
    let mut meter = Meter::new(&Budget { nodes, ..Budget::default() });
    let (margin, _) = solver.margin(0, &mut meter);
    let progress = solver.progress().expect("a run");
    assert!((0.0..=1.0).contains(&progress.share), "{progress:?}");
    (margin.exact(), meter.nodes())
}

#[test]
fn runs_are_taken_up_again_and_shared_out() {
    const NODES: u64 = 6000;
    let value = i32::from(Plain::new(3, 3).all()[0]);
    for keeps_table in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = folder.path().join("journal-1-of-1.txt");
        // Each call ends in the middle of a line.
        let calls = (1..50).find(|_| {
            let (margin, _) =
                continue_run(folder.path(), RunShard::WHOLE, keeps_table, Some(NODES));
            let mut file = OpenOptions::new().append(true).open(&journal).expect("a journal");
            file.write_all(b"fff - 9 9 1").expect("written");
            assert!(margin.is_none_or(|margin| margin == value));
            margin.is_some()
        });
        assert!(calls.is_some_and(|calls| calls > 2), "{calls:?}");
        // Recorded positions are not searched again.
        let (margin, nodes) = continue_run(folder.path(), RunShard::WHOLE, keeps_table, None);
        assert!(margin == Some(value) && nodes < NODES, "{nodes}");
    }
    // A shard that ended early leaves the rest to the other; both find the same value.
    let folder = tempfile::tempdir().expect("a folder");
    let shard = |number| RunShard::new(number, 2).expect("a shard");
    assert_eq!(continue_run(folder.path(), shard(1), false, Some(NODES)).0, None);
    let (margin, late) = continue_run(folder.path(), shard(2), false, None);
    assert_eq!(margin, Some(value));
    let (margin, rest) = continue_run(folder.path(), shard(1), false, None);
    assert!(margin == Some(value) && rest < late, "{rest}, {late}");
    assert!(RunShard::new(0, 2).is_none() && RunShard::new(3, 2).is_none());
    // A folder of another board is refused.
    let run = ResumableRun {
        folder: folder.path().to_owned(),
        shard: RunShard::WHOLE,
        drawn: 4,
        keeps_table: false,
    };
    assert!(Solver::resumed(2, 4, 4 << 20, 1, &run).is_err());
    assert!(Solver::resumed(9, 9, 4 << 20, 1, &run).is_err());
}
