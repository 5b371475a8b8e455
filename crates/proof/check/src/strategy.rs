//! `strategy`: a winning strategy in Kotzig's Nim, replayed against every reply.
//!
//! The body has a line for every position, up to the cells that matter, in which the winner has a
//! choice: the free cells within reach of the token as a hexadecimal number (bit i is the cell i
//! after the token's), and his step. Two positions with equal reach have equal game trees, so each
//! is replayed once. Where the winner has one legal move he takes it, and the file is silent.
//!
//! **Theorem.** On a circle of n cells, 1 ≤ n, let steps be positive; the token's cell is marked,
//! and a move takes the token by a step to a free cell, which it marks. So play ends, and (steps
//! being equal mod n lead to one cell) the game from a position is decided by the free cells
//! within reach, seen from the token. A winner's step for each reach that comes up, legal there,
//! is a winning strategy, if in normal play the winner has a move whenever it is the winner's
//! turn, and in misère play the loser has. Hypotheses on the game and the position:
//! [`hypotheses`].
//!
//! Soundness: by induction on free cells, every position that comes up with the winner to move is
//! won for him. He has a legal move, and every reply leads to such a position; the one without a
//! move is the loser (in misere play: the winner).

use crate::hypotheses::{Hypothesis, all_hold};
use crate::work::{Work, many, number};
use crate::{CheckReport, Envelope, Rejected};
use std::collections::{HashMap, HashSet};

/// Checks what the theorem assumes of the steps as written, the number of cells, and the
/// position: its token and marked cells.
fn hypotheses(steps: &[u64], n: usize, marked: &[usize], token: usize) -> Result<(), Rejected> {
    let within = |cell: &usize| *cell < n;
    all_hold(
        "the theorem on strategies",
        [
            Hypothesis::new(
                3,
                "1 to 256 cells",
                (1..=MAX_CELLS).contains(&n),
                format!("these are {n}"),
            ),
            Hypothesis::new(3, "a step", !steps.is_empty(), "there is none"),
            Hypothesis::new(
                3,
                "positive steps, each once, ascending",
                steps.first() != Some(&0) && steps.is_sorted_by(|a, b| a < b),
                "these are not",
            ),
            Hypothesis::new(
                4,
                "cells from 0 to n - 1",
                marked.iter().all(within) && within(&token),
                "there is another one",
            ),
            Hypothesis::new(
                4,
                "the token's cell to be marked",
                marked.contains(&token),
                "it is not",
            ),
            Hypothesis::new(
                4,
                "marked cells each once, ascending",
                marked.is_sorted_by(|a, b| a < b),
                "these are not",
            ),
        ],
    )
}

/// The greatest circle.
const MAX_CELLS: usize = 256;

/// Bytes that a reach kept in a table takes.
const KEPT: usize = 2 * (size_of::<Cells>() + 24);

/// Positions that are replayed at most.
const MAX_POSITIONS: usize = 20_000_000;

/// A set of cells.
type Cells = [u64; MAX_CELLS / 64];

fn has(cells: &Cells, cell: usize) -> bool {
    cells[cell / 64] >> (cell % 64) & 1 == 1
}

fn insert(cells: &mut Cells, cell: usize) {
    cells[cell / 64] |= 1 << (cell % 64);
}

/// The rules Γ(steps; n).
struct Rules {
    /// Steps as written, and mod n.
    steps: Vec<(u64, usize)>,
    n: usize,
}

/// Marked cells, the token's among them.
#[derive(Clone)]
struct Position {
    marked: Cells,
    token: usize,
}

impl Rules {
    /// Reads `Gamma(m1,m2,...;n)`: the steps as written, and n.
    fn read(name: &str) -> Option<(Vec<u64>, usize)> {
        let (moves, n) = name.strip_prefix("Gamma(")?.strip_suffix(')')?.split_once(';')?;
        Some((moves.split(',').map(number).collect::<Option<_>>()?, number(n)?))
    }

    /// Reads the rules and the position. Fails unless the hypotheses hold of both.
    fn new(
        steps: &[u64],
        n: usize,
        (marked, token): (Vec<usize>, usize),
    ) -> Result<(Rules, Position), Rejected> {
        hypotheses(steps, n, &marked, token)?;
        let steps = steps.iter().map(|step| (*step, (*step % n as u64) as usize)).collect();
        let mut position = Position { marked: [0; 4], token };
        marked.into_iter().for_each(|cell| insert(&mut position.marked, cell));
        Ok((Rules { steps, n }, position))
    }

    /// Returns the position after a step mod n; `None` if its cell is marked.
    fn after(&self, p: &Position, step: usize) -> Option<Position> {
        let token = (p.token + step) % self.n;
        let mut next = Position { token, ..p.clone() };
        insert(&mut next.marked, token);
        (!has(&p.marked, token)).then_some(next)
    }

    /// Returns every legal move; steps equal mod n count once.
    fn options(&self, p: &Position) -> Vec<Position> {
        let (mut options, mut met) = (Vec::new(), [0; 4]);
        for next in self.steps.iter().filter_map(|(_, step)| self.after(p, *step)) {
            if !has(&met, next.token) {
                insert(&mut met, next.token);
                options.push(next);
            }
        }
        options
    }

    /// Returns the free cells that the token can come to, bit i the cell i after the token's.
    /// O(n · steps).
    fn reach(&self, p: &Position) -> Cells {
        let (mut reach, mut todo) = ([0; 4], vec![p.token]);
        while let Some(cell) = todo.pop() {
            for (_, step) in &self.steps {
                let next = (cell + step) % self.n;
                let place = (next + self.n - p.token) % self.n;
                if !has(&p.marked, next) && !has(&reach, place) {
                    insert(&mut reach, place);
                    todo.push(next);
                }
            }
        }
        reach
    }
}

/// Checks a certificate of this kind. O(n·steps) a position with the winner to move.
pub(crate) fn check(envelope: &Envelope<'_>, work: &Work<'_>) -> Result<CheckReport, Rejected> {
    let (steps, n) = Rules::read(envelope.game).ok_or_else(|| {
        Rejected::new(
            3,
            "the game should be `Gamma(m1,m2,...;n)` with ascending steps and n in 1..=256",
        )
    })?;
    let (position, mover_wins, misere) = claim(&envelope.claim).ok_or_else(|| {
        Rejected::new(
            4,
            "the claim should be `0,2,5/5 is N in normal play`: a position, N or P, normal or \
             misere",
        )
    })?;
    let (rules, start) = Rules::new(&steps, n, position)?;
    let stopped = |reason| Rejected::new(0, reason);
    let book = book(envelope, work)?;
    let mut todo = if mover_wins { vec![start] } else { replies(&rules, &start, misere)? };
    work.hold(size_of::<Position>() * todo.len()).map_err(stopped)?;
    let mut seen = HashSet::new();
    while let Some(position) = todo.pop() {
        work.release(work.bytes() + size_of::<Position>());
        work.spend((rules.n + 4) * rules.steps.len()).map_err(stopped)?;
        let reach = rules.reach(&position);
        if !seen.insert(reach) {
            continue;
        }
        work.hold(KEPT).map_err(stopped)?;
        if seen.len() > MAX_POSITIONS {
            return Err(Rejected::new(
                0,
                format!("more than {MAX_POSITIONS} positions would have to be replayed"),
            ));
        }
        let mut options = rules.options(&position);
        let next = match (options.len(), book.get(&reach)) {
            (0, _) if misere => continue,
            (0, _) => return Err(at(&position, "the player who should win has no move")),
            (1, _) => options.remove(0),
            (_, None) => {
                return Err(at(&position, "the winner has a choice, and no line tells which"));
            }
            (_, Some((line, step))) => rules
                .steps
                .iter()
                .find(|(written, _)| written == step)
                .and_then(|(_, step)| rules.after(&position, *step))
                .ok_or_else(|| Rejected::new(*line, format!("{step} is no legal step here")))?,
        };
        let mut more = replies(&rules, &next, misere)?;
        work.hold(size_of::<Position>() * more.len()).map_err(stopped)?;
        todo.append(&mut more);
    }
    Ok(CheckReport {
        work: format!(
            "{} of the winner, {} with a choice, against every reply",
            many(seen.len(), "position"),
            book.len()
        ),
        theorem: format!(
            "On a circle of {} cells a token goes forward by one of the steps to a cell not yet \
             marked, and marks it. From this position {} wins; whoever cannot move {}.",
            rules.n,
            if mover_wins { "whoever is to move" } else { "who is not to move" },
            if misere { "wins" } else { "loses" },
        ),
    })
}

/// Returns all replies of the player who should lose.
fn replies(rules: &Rules, p: &Position, misere: bool) -> Result<Vec<Position>, Rejected> {
    let replies = rules.options(p);
    if misere && replies.is_empty() {
        return Err(at(p, "in misere play the player who should lose has no move, and wins"));
    }
    Ok(replies)
}

fn at(p: &Position, reason: &str) -> Rejected {
    let cells: Vec<String> =
        (0..MAX_CELLS).filter(|c| has(&p.marked, *c)).map(|c| c.to_string()).collect();
    Rejected::new(0, format!("at {}/{}: {reason}", cells.join(","), p.token))
}

/// Returns the position's marked cells and token, whether its mover is said to win, and whether
/// play is misère.
fn claim(text: &str) -> Option<((Vec<usize>, usize), bool, bool)> {
    let (position, rest) = text.split_once(" is ")?;
    let (mover_wins, misere) = match rest {
        "N in normal play" => (true, false),
        "P in normal play" => (false, false),
        "N in misere play" => (true, true),
        "P in misere play" => (false, true),
        _ => return None,
    };
    let (marked, token) = position.split_once('/')?;
    let marked = marked.split(',').map(number).collect::<Option<_>>()?;
    Some(((marked, number(token)?), mover_wins, misere))
}

/// Returns the winner's steps by reach, with their lines.
fn book(
    envelope: &Envelope<'_>,
    work: &Work<'_>,
) -> Result<HashMap<Cells, (usize, u64)>, Rejected> {
    let mut book = HashMap::new();
    if envelope.body == "every move of the winner is forced\n" {
        return Ok(book);
    }
    for (i, text) in envelope.body.lines().enumerate() {
        let line = envelope.body_line + i;
        let refused = |reason| Rejected::new(line, reason);
        work.hold(KEPT).map_err(|reason| Rejected::new(0, reason))?;
        let read = || {
            let (reach, step) = text.split_once(' ')?;
            Some((cells(reach)?, number(step)?))
        };
        let (reach, step) =
            read().ok_or_else(|| refused("a line should be `reach step`, as `1f6 4`"))?;
        if book.insert(reach, (line, step)).is_some() {
            return Err(refused("two lines for one position"));
        }
    }
    Ok(book)
}

/// Reads a set of cells written as a hexadecimal number of at most 64 digits.
fn cells(hex: &str) -> Option<Cells> {
    if hex.is_empty() || hex.len() > MAX_CELLS / 4 {
        return None;
    }
    let mut cells = [0; 4];
    for (i, digit) in hex.chars().rev().enumerate() {
        cells[i / 16] |= u64::from(digit.to_digit(16)?) << (4 * (i % 16));
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(game: &str, claim: &str, body: &str) -> Result<CheckReport, Rejected> {
        let envelope = Envelope { kind: "strategy", game, claim: claim.into(), body, body_line: 6 };
        check(&envelope, &Work::new(&crate::Limits::default(), &|| true))
    }

    /// Γ(1,2;5) by hand: after 0→1 the other is to move with 2, 3, 4 free (reach 0b1110 = e); after
    /// 0→2 with 1, 3, 4 free, where 2→3→4 and then 4→1 by 2 can follow (reach: 3, 4, 1 after 2,
    /// places 1, 2, 4 = 0x16).
    #[test]
    fn a_strategy_that_is_cut_short_is_rejected() {
        let claim = "0/0 is P in normal play";
        let outcomes = [
            ("e 1\n16 1\n"),
            ("e 2\n16 1\n"),
            ("e 1\n16 2\n"),
            ("e 2\n16 2\n"),
            ("e 1\n"),
            ("16 1\n"),
        ]
        .map(|body| run("Gamma(1,2;5)", claim, body).is_ok());
        let first = ["1e 1\n", "1e 2\n"]
            .map(|body| run("Gamma(1,2;5)", "0/0 is N in normal play", body).is_ok());
        // At most one of the two players has a winning strategy.
        assert!(!(outcomes.contains(&true) && first.contains(&true)));
        assert_eq!(outcomes[4..], [false, false]);
    }

    #[test]
    fn small_games_by_hand() {
        // One cell: no move, P. Two cells, step 1: one move, N; in misère play P.
        assert!(
            run("Gamma(1;1)", "0/0 is P in normal play", "every move of the winner is forced\n")
                .is_ok()
        );
        assert!(
            run("Gamma(1;1)", "0/0 is N in normal play", "every move of the winner is forced\n")
                .is_err()
        );
        assert!(
            run("Gamma(1;1)", "0/0 is N in misere play", "every move of the winner is forced\n")
                .is_ok()
        );
        assert!(
            run("Gamma(1;2)", "0/0 is N in normal play", "every move of the winner is forced\n")
                .is_ok()
        );
        assert!(
            run("Gamma(1;2)", "0/0 is P in normal play", "every move of the winner is forced\n")
                .is_err()
        );
        assert!(
            run("Gamma(1;2)", "0/0 is P in misere play", "every move of the winner is forced\n")
                .is_ok()
        );
        // Γ(1,2;4): 0→2 leaves 3 and 1 (cells 3 by 1; 0 by 2 is marked): 2→3, then 3→1 by 2, then 1
        // is stuck: N loses so; 0→1 leaves 2 and 3: 1→3 leaves 3→0, 3→1 marked: stuck, so the other
        // wins at once.
        assert!(run("Gamma(1,2;4)", "0/0 is N in normal play", "e 1\n").is_err());
    }

    #[test]
    fn nonsense_is_told() {
        let body = "every move of the winner is forced\n";
        assert_eq!(run("Gamma(1;0)", "0/0 is P in normal play", body).unwrap_err().line, 3);
        assert_eq!(run("CN(3,2)", "0/0 is P in normal play", body).unwrap_err().line, 3);
        assert_eq!(run("Gamma(1;1)", "0/1 is P in normal play", body).unwrap_err().line, 4);
        assert_eq!(run("Gamma(1;1)", "0/0 is won", body).unwrap_err().line, 4);
        assert_eq!(run("Gamma(1,2;7)", "0/0 is P in normal play", "xyz\n").unwrap_err().line, 6);
        assert_eq!(
            run("Gamma(1,2;7)", "0/0 is P in normal play", "7e 1\n7e 2\n").unwrap_err().line,
            7
        );
        assert_eq!(run("Gamma(1,2;7)", "0/0 is N in normal play", "7e 9\n").unwrap_err().line, 6);
    }
}
