//! Tables of games whose moves are one linear condition, by retrograde analysis.
//!
//! Positions are taken by the sum of their heaps, which every move lowers. One that is not yet
//! known to be N has no P-position among its options, so it is P, and all positions from which a
//! move leads to it are N. Moves into P-positions are looked at, and no others: few, where
//! P-positions are few.

use bouton_core::{
    Budget, Domain, FormulaBuilder, HeapGame, HeapList, Heaps, LimitReached, Memory, Meter, Moves,
    Node, Relation, Term, Windows,
};
use bouton_heaps::heap_options::HeapOptions;
use bouton_prover::{Decision, Numeration, decide};
use std::ops::ControlFlow::{Break, Continue};

/// Cells of a box at most, and steps back at most for each of them: more are made forwards.
const CELLS: u64 = 1 << 28;
const STEPS: u64 = 40;
/// Most numbers of a position: one more is put before them.
const NUMBERS: usize = 5;
/// States of the automata that show what may be remembered, and their bytes, at most.
const SHOWN: (u64, u64) = (1 << 18, 1 << 28);

/// What is remembered is at most this many times the greatest number of the position before.
const FACTOR: u32 = 2;

/// Returns the P-positions of the positions that occur with no number above `most`, in normal play;
/// `None` where moves back are not found so, are too many, or where what is remembered may be any
/// number.
pub(crate) fn p_positions(
    stated: &HeapGame,
    most: u32,
    budget: &Budget,
) -> Option<Result<Vec<Vec<u32>>, LimitReached>> {
    let (n, memory) = (stated.heaps, stated.moves.memory.count);
    let is_whole = matches!(stated.moves.windows, Windows::Any(heaps) if heaps >= n);
    if !is_whole
        || memory >= n
        || n > NUMBERS
        || stated.moves.permutation.is_some()
        || stated.shrinks
    {
        return None;
    }
    let domain = stated.moves.domain.as_ref();
    // Memory that is left after moves within the box is within it.
    let factor = (1..=FACTOR).find(|factor| stays_below(stated, *factor, budget))?;
    let top = |number: usize| {
        let most = if number < n - memory { most } else { most.saturating_mul(factor) };
        domain.and_then(|domain| domain.most[number]).map_or(most, |top| top.min(most))
    };
    let tops: Vec<u32> = (0..n).map(top).collect();
    let cells = tops.iter().try_fold(1u64, |cells, top| cells.checked_mul(u64::from(*top) + 1))?;
    if cells > CELLS {
        return None;
    }
    let back = steps_back(stated, &tops)?;
    let meter = &mut Meter::new(budget);
    let mut is_n = vec![0u64; usize::try_from(cells / 64 + 1).ok()?];
    let cell = |p: &[u32]| {
        p.iter().zip(&tops).fold(0, |cell, (x, top)| cell * (*top as usize + 1) + *x as usize)
    };
    let (mut found, mut steps) = (Vec::new(), 0);
    let most_tokens = tops[..n - memory].iter().map(|top| u64::from(*top)).sum();
    let mut p = vec![0; n];
    for tokens in 0..=most_tokens {
        p.fill(0);
        spread(&mut p[..n - memory], &tops, tokens);
        loop {
            let at = cell(&p);
            if is_n[at / 64] >> (at % 64) & 1 == 0 && occurs(domain, &p) {
                let before = steps;
                let option = Heaps::of(&[&[1], &p[..]].concat());
                let end = back.visit(&option, |q: Heaps| {
                    let at = cell(&q[1..]);
                    is_n[at / 64] |= 1 << (at % 64);
                    steps += 1;
                    if steps > STEPS * cells { Break(()) } else { Continue(()) }
                });
                if end.is_break() {
                    return None;
                }
                if let Err(limit) = meter.spend_and_poll(1 + steps - before) {
                    return Some(Err(limit));
                }
                if p.iter().all(|x| *x <= most) {
                    found.push(p.clone());
                }
            }
            // The next that is remembered.
            if let Some(place) = (n - memory..n).rev().find(|place| p[*place] < tops[*place]) {
                p[place] += 1;
                p[place + 1..].fill(0);
                continue;
            }
            p[n - memory..].fill(0);
            if !next_of_sum(&mut p[..n - memory], &tops) {
                break;
            }
        }
    }
    Some(Ok(found))
}

/// Fills heaps with this many tokens, the last ones first; there is room for all.
fn spread(heaps: &mut [u32], tops: &[u32], mut tokens: u64) {
    for (heap, top) in heaps.iter_mut().zip(tops).rev() {
        // At most a top, which has 32 bits.
        *heap = tokens.min(u64::from(*top)) as u32;
        tokens -= u64::from(*heap);
    }
}

/// Steps to the next heaps in lexicographic order with as many tokens; `false` after the last.
fn next_of_sum(heaps: &mut [u32], tops: &[u32]) -> bool {
    let mut after = 0u64;
    for place in (0..heaps.len()).rev() {
        if after > 0 && heaps[place] < tops[place] {
            heaps[place] += 1;
            spread(&mut heaps[place + 1..], &tops[place + 1..], after - 1);
            return true;
        }
        after += u64::from(heaps[place]);
    }
    false
}

fn occurs(domain: Option<&Domain>, p: &[u32]) -> bool {
    domain
        .is_none_or(|domain| domain.contains(&p.iter().map(|x| u64::from(*x)).collect::<Vec<_>>()))
}

/// Returns whether after each move nothing that is remembered is above all numbers of the position
/// before, heaps counting this many times: it is proved, or not said.
fn stays_below(stated: &HeapGame, factor: u32, budget: &Budget) -> bool {
    let (nodes, bytes) = SHOWN;
    let meter =
        &mut Meter::new(&Budget { nodes: Some(nodes), bytes: Some(bytes), ..budget.clone() });
    let (n, memory) = (stated.heaps, stated.moves.memory.count);
    let Some(condition) = &stated.moves.condition else { return false };
    (n - memory..n).all(|number| {
        let mut builder = FormulaBuilder::over([]);
        let numbers: Vec<usize> =
            Moves::names(n).into_iter().map(|name| builder.bind(name)).collect();
        let (before, after) = (|place: usize| numbers[2 * place], numbers[2 * number + 1]);
        let bounds = (0..n).map(|place| {
            let heap = Term::Variable(before(place));
            let times = if place < n - memory { factor } else { 1 };
            let bound = if times == 1 { heap } else { Term::Multiple(times.into(), heap.into()) };
            Term::Variable(after).compared(Relation::AtMost, bound)
        });
        // No heap grows, which the condition need not say.
        let falls = (0..n - memory).map(|heap| {
            Term::Variable(numbers[2 * heap + 1])
                .compared(Relation::AtMost, Term::Variable(numbers[2 * heap]))
        });
        let made = Node::all([builder.embed(condition, &numbers)].into_iter().chain(falls));
        let sentence = made.implies(Node::any(bounds)).for_all(numbers.clone());
        matches!(decide(&builder.build(sentence), Numeration::Binary, meter), Ok(Decision::True(_)))
    })
}

/// Returns the moves backwards, within the box: as a game in which a dummy heap of one token is
/// taken and the numbers of the option, remembered, become those of a position before it.
fn steps_back(stated: &HeapGame, tops: &[u32]) -> Option<HeapOptions> {
    let (n, memory) = (stated.heaps, stated.moves.memory.count);
    let condition = stated.moves.condition.as_ref()?;
    let names = Moves::names(n + 1);
    // Number i of the game is number i + 1 here; what it was before the move comes after it.
    let (now, then) = (|number: usize| 2 * number, |number: usize| 2 * number + 1);
    let exchanged: Vec<usize> = (1..=n).flat_map(|number| [then(number), now(number)]).collect();
    let mut builder = FormulaBuilder::over(names);
    let mut parts = vec![builder.embed(condition, &exchanged)];
    let heaps = 1..=n - memory;
    let at_most = |less: usize, more: Term| Term::Variable(less).compared(Relation::AtMost, more);
    let lower = Term::sum_of(heaps.clone().map(now));
    parts.push(lower.compared(Relation::Less, Term::sum_of(heaps.clone().map(then))));
    parts.extend(heaps.map(|heap| at_most(now(heap), Term::Variable(then(heap)))));
    parts.extend(
        tops.iter()
            .zip(1..)
            .map(|(top, number)| at_most(then(number), Term::Number((*top).into()))),
    );
    parts.push(Term::Variable(then(0)).compared(Relation::Less, Term::Variable(now(0))));
    let condition = builder.build(Node::all(parts));
    let factor = tops.iter().max()? + 1;
    let moves = Moves {
        windows: Windows::Any(n + 1),
        condition: Some(condition),
        permutation: None,
        memory: Memory { count: n, factor },
        domain: None,
    };
    let options = HeapOptions::new(&moves, Some(n + 1), false);
    options.is_exact().then_some(options)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Play;
    use bouton_engine::Settings;
    use bouton_games::RuleFile;

    /// The P-positions are those that the solver finds, where memory is part of what occurs, where
    /// it is free, where a flag is bounded, and where nothing is remembered.
    #[test]
    fn tables_made_backwards_are_those_of_the_solver() {
        let moves = [
            ("heaps = 1\nmemory = 2", "p1+p2 <= p0", TRIANGLE, 14),
            ("heaps = 1\nmemory = 1", "p1 <= p0", YAMA, 30),
            ("heaps = 1\nmemory = 1", "", "q0+q1 = p0 & q1 != p1", 30),
            ("heaps = 2\nmemory = 1", "p2 <= 1", FLAG, 12),
            ("heaps = 2\nmemory = 1", "", DOUBLED, 12),
            ("heaps = 2", "", WYTHOFF, 40),
            ("heaps = 3", "p2 <= 1", BUTTON, 20),
            (
                "heaps = 3",
                "",
                "q0+p1 = p0+q1 & q0 <= p0 & q1 <= p1 & q2 <= p2 & q2+q1 <= p0 | q2 = p2 & q0 = p0",
                9,
            ),
            ("heaps = 4", "", "q0 = p0 & q1 = p1 | q2 = p2 & q3 = p3 & 2*q0 >= p0", 6),
            (
                "heaps = 5",
                "",
                "q0+1 = p0 & q1+1 = p1 & q2 = p2 & q4 = p4 | q2+1 = p2 & q0 = p0 & q1 = p1 & q3 = \
                 p3",
                4,
            ),
            ("heaps = 1", "", "2*p0 <= 3*q0", 300),
        ];
        for (heaps, positions, condition, most) in moves {
            let positions = if positions.is_empty() {
                String::new()
            } else {
                format!("positions = \"{positions}\"\n")
            };
            let text = format!("name = \"tried\"\n{heaps}\n{positions}move = \"{condition}\"\n");
            let game = RuleFile::parse(&text).unwrap().game();
            let stated = game.heap_game().unwrap();
            let mut all = p_positions(&stated, most, &Budget::default()).expect(condition).unwrap();
            all.sort();
            let settings = Settings { play: Play::Normal, ..Settings::default() };
            let mut solved: Vec<Vec<u32>> = Vec::new();
            let table = game.session(settings).table(most, &mut |p, outcome| {
                if outcome.is_p() {
                    solved.push(p.iter().map(|x| *x as u32).collect());
                }
                Continue(())
            });
            table.unwrap().unwrap();
            solved.sort();
            assert!(solved.len() > 10, "{condition}");
            assert_eq!(all, solved, "{condition}");
        }
        // What is remembered may be above all numbers, or moves are no linear conditions.
        for condition in ["q0 < p0 & q1 = 3*p0", "(E k: q0+2*k = p0) & q1 <= p1"] {
            let text = format!("name = \"tried\"\nheaps = 1\nmemory = 1\nmove = \"{condition}\"\n");
            let stated = RuleFile::parse(&text).unwrap().game().heap_game().unwrap();
            assert!(p_positions(&stated, 9, &Budget::default()).is_none(), "{condition}");
        }
    }

    const WYTHOFF: &str = "p0+p1 > 2 & (q0 = p0 | q1 = p1 | p0+q1 = p1+q0)";
    const BUTTON: &str = "p2 <= 1 & (q2 = p2 & (q0 = p0 | q1 = p1) | p2 = 0 & q2 = 0 & p0+q1 = \
                          p1+q0 | p2 = 1 & q2 = 0 & q0 = p0 & q1 = p1)";
    const DOUBLED: &str = "q1 = p1 & p0 <= q0+p2 & q2+2*q0 = 2*p0 & q0 < p0 | \
                           q0 = p0 & p1 <= q1+p2 & q2+2*q1 = 2*p1 & q1 < p1";
    const TRIANGLE: &str = "q1+q2 <= q0 & (q1 < p1 & q2 >= p2 & q0+p1+p2 = p0+q1+q2 | q1 = p1 & \
                            q2 < p2 & q0+p2 >= p0+q2 | q2 = p2 & q1 >= p1 & q0+p1 < p0+q1)";
    const YAMA: &str = "q1+2 <= p1 & p0+q1+1 = q0+p1 | q1 = p1+1 & q0 < p0 & q1 <= q0";
    const FLAG: &str = "q2 <= 1 & q2 != p2 & (q0 < p0 & q1 = p1 | q0 = p0 & q1 < p1) | \
                        p2 = 0 & q2 = 0 & q0+p1 = p0+q1";
}
