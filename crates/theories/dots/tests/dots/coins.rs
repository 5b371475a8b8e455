//! Strings and Coins: the engine for graphs against the rules alone, and against the engine for
//! boards.

use super::plain::random_lines;
use super::{exact, meter, solver};
use bouton_core::{Budget, LimitReached, Meter};
use bouton_dots::{CoinGraph, CoinSolver};

type Strings = Vec<(usize, Option<usize>)>;

/// Returns the values of all positions by the rules alone, by the set of strings cut.
fn plain(strings: &Strings) -> Vec<i32> {
    let size = 1usize << strings.len();
    let coins =
        strings.iter().flat_map(|(a, b)| [Some(*a), *b]).flatten().max().expect("a string") + 1;
    let taken = |cut: usize| {
        let held = |coin: usize| {
            let mut all = strings.iter().enumerate();
            all.any(|(i, (a, b))| cut >> i & 1 == 0 && (*a == coin || *b == Some(coin)))
        };
        (0..coins).filter(|coin| !held(*coin)).count() as i32
    };
    let mut values = vec![0; size];
    for cut in (0..size - 1).rev() {
        let moves = (0..strings.len()).filter(|i| cut >> i & 1 == 0).map(|i| {
            let next = cut | 1 << i;
            let gain = taken(next) - taken(cut);
            if gain > 0 { gain + values[next] } else { -values[next] }
        });
        values[cut] = moves.max().expect("a move");
    }
    values
}

fn margin(solver: &mut CoinSolver, cut: u64) -> i32 {
    let (margin, end) = solver.margin(cut, &mut meter());
    end.expect("no limit");
    margin.exact().expect("exact")
}

/// Random graphs: few coins give multiple strings between two coins, many coins give trees and
/// rings.
#[test]
fn every_position_of_random_graphs() {
    let mut random = fastrand::Rng::with_seed(11);
    for round in 0..120u64 {
        let (coins, count) = (1 + random.u64(..) % 8, 1 + random.u64(..) % (3 + round % 9));
        let mut strings = Strings::new();
        while (strings.len() as u64) < count {
            let (a, b) = (random.u64(..) % coins, random.u64(..) % (coins + 1));
            if a != b {
                strings.push((a as usize, (b < coins).then_some(b as usize)));
            }
        }
        let values = plain(&strings);
        let mut solver = CoinSolver::new(CoinGraph::new(&strings).expect("a graph"));
        for (cut, value) in values.iter().enumerate() {
            assert_eq!(margin(&mut solver, cut as u64), *value, "{strings:?}, {cut:#b}");
        }
    }
}

/// Returns a board as a graph: boxes are coins, lines are strings.
fn board(rows: usize, columns: usize) -> Strings {
    let coin = |r: usize, c: usize| r * columns + c;
    let mut strings = Strings::new();
    for r in 0..=rows {
        for c in 0..columns {
            let sides: Vec<usize> = [r.checked_sub(1), Some(r).filter(|r| *r < rows)]
                .into_iter()
                .flatten()
                .map(|r| coin(r, c))
                .collect();
            strings.push((sides[0], sides.get(1).copied()));
        }
        for c in (0..=columns).filter(|_| r < rows) {
            let sides: Vec<usize> = [c.checked_sub(1), Some(c).filter(|c| *c < columns)]
                .into_iter()
                .flatten()
                .map(|c| coin(r, c))
                .collect();
            strings.push((sides[0], sides.get(1).copied()));
        }
    }
    strings
}

#[test]
fn boards_as_graphs_have_the_values_of_boards() {
    for (rows, columns, open, samples) in
        [(2, 2, 12, 300), (2, 3, 17, 300), (3, 3, 16, 200), (3, 4, 15, 100), (1, 8, 16, 100)]
    {
        let strings = board(rows, columns);
        let mut graph = CoinSolver::new(CoinGraph::new(&strings).expect("a graph"));
        let board = solver(rows as u32, columns as u32);
        let mut random = fastrand::Rng::with_seed(12);
        for _ in 0..samples {
            let count = random.u64(..) % (open + 1);
            let lines = board.lines();
            let drawn = random_lines(&mut random, lines - count as u32, lines);
            assert_eq!(
                margin(&mut graph, drawn),
                exact(&board, drawn),
                "{rows}x{columns}, {drawn:#b}"
            );
        }
    }
}

/// An exhausted budget leaves correct bounds.
#[test]
fn bounds_are_left_where_the_budget_ends() {
    let strings = board(3, 4);
    let mut solver = CoinSolver::new(CoinGraph::new(&strings).expect("a graph"));
    let mut meter = Meter::new(&Budget { nodes: Some(200), ..Budget::default() });
    let (margin, end) = solver.margin(0, &mut meter);
    assert_eq!(end, Err(LimitReached::Nodes(200)));
    assert!(margin.low <= 0 && 0 <= margin.high && margin.exact().is_none(), "{margin:?}");
}

#[test]
fn graphs_that_are_none_are_refused() {
    assert!(CoinGraph::new(&[(0, Some(0))]).is_none());
    assert!(CoinGraph::new(&[(64, None)]).is_none());
    assert!(CoinGraph::new(&vec![(0, None); 65]).is_none());
}
