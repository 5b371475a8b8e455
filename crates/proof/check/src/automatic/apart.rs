//! Moves in two steps, where what is remembered after a move depends on the heaps left alone.
//!
//! **Theorem.** Let positions be (p, m), heaps and what is remembered, and let a move lead from
//! (p, m) to (q, n) if and only if A(p, m, q) and B(q, n); every move lowers the sum of the heaps.
//! Let S be a set of positions and L a set of heaps such that
//! 1. (p, m) is in S if and only if A(p, m, q) for no q in L;
//! 2. q is in L if and only if B(q, n) for some n with (q, n) in S.
//!
//! Then S is the set of P-positions in normal play.
//!
//! *Proof.* A(p, m, q) for some q in L if and only if there are q and n with A(p, m, q), B(q, n)
//! and (q, n) in S, by 2, which is a move from (p, m) into S. So by 1 no move leads from S into S,
//! and one does from every other position. ∎
//!
//! *A and B* ([`Steps::new`]) The game's condition is a conjunction. B is all of it that speaks of
//! what is remembered after the move, and may speak of the heaps left besides, of nothing else. A
//! is the rest, and that no heap is higher and one is lower. The first part of A that is a
//! disjunction and speaks of numbers after the move is read one alternative at a time, so that A is
//! the union of A₁, A₂, ….
//!
//! *1 and 2* The file has an automaton for L, and one Fᵢ of the positions from which Aᵢ leads to
//! heaps of L. That L is what 2 says, and Fᵢ what it is to be, is what [`Game`] sees: what L does
//! not accept is accepted where no digits of n have B and S accept, and likewise for Fᵢ with Aᵢ and
//! L. What is no numeral is in neither, since A and B accept none. ([`is_none_of`]) Of rows of
//! numerals, S accepts those that no Fᵢ accepts.

use super::machine::Machine;
use super::numerals::Numerals;
use super::table::Table;
use super::{Game, LETTERS, columns};
use crate::lines::Lines;
use crate::p_positions::form::Form;
use crate::p_positions::formula::{Node, Term};
use crate::p_positions::rules;
use crate::tuples::Tuples;
use crate::work::{Reason, Work};

/// Most alternatives of a choice that are read one by one.
const ALTERNATIVES: usize = 16;

/// The game's condition in two parts.
struct Steps<'r> {
    heaps: usize,
    numbers: usize,
    /// The parts of A over p0, q0, p1, …, but for one that is a disjunction; its alternatives.
    choice: Vec<&'r Node>,
    alternatives: Vec<Node>,
    /// The parts of B.
    remembers: Vec<&'r Node>,
}

impl<'r> Steps<'r> {
    fn new(rules: &'r rules::Game) -> Result<Steps<'r>, Reason> {
        let numbers = rules.heaps;
        let heaps = (0..numbers).filter(|number| rules.is_heap(*number)).count();
        let ways = rules.ways(numbers)?;
        let all: Vec<usize> = (0..numbers).collect();
        let [way] = &ways[..] else {
            return Err("moves in two steps lower the heaps of one window".into());
        };
        let condition = rules.condition().filter(|_| heaps < numbers && way.window == all);
        let condition =
            condition.ok_or("moves in two steps are those of a game that remembers numbers")?;
        let alternatives = vec![Node::Known(true)];
        let mut steps =
            Steps { heaps, numbers, choice: Vec::new(), alternatives, remembers: Vec::new() };
        for part in conjuncts(&condition.root) {
            let mut named = vec![false; 2 * numbers];
            free_in(part, &mut named);
            // Numbers before the move are even, after it odd; what is remembered comes last.
            let remembers = (heaps..numbers).any(|number| named[2 * number + 1]);
            if remembers && (0..numbers).any(|number| named[2 * number]) {
                return Err(
                    "what is remembered after a move depends on more than the heaps left".into()
                );
            }
            let several = alternatives_of(part);
            if remembers {
                steps.remembers.push(part);
            } else if steps.alternatives.len() == 1
                && (2..=ALTERNATIVES).contains(&several.len())
                && (0..numbers).any(|number| named[2 * number + 1])
            {
                steps.alternatives = several;
            } else {
                steps.choice.push(part);
            }
        }
        Ok(steps)
    }

    /// Returns the machine of A with one alternative, over the position's numbers and the heaps
    /// left.
    fn choice(&self, own: &Node, numerals: Numerals, work: &Work<'_>) -> Result<Machine, Reason> {
        let left = |heap: usize| self.numbers + heap;
        // What is remembered after the move is not named.
        let names: Vec<usize> = (0..self.numbers).flat_map(|i| [i, left(i % self.heaps)]).collect();
        let lower = |heap: usize| Form::variable(left(heap)).minus(&Form::variable(heap));
        let lower = (0..self.heaps).map(lower).collect::<Result<Vec<_>, _>>()?;
        Machine::new(
            numerals,
            self.numbers + self.heaps,
            &mut |builder| {
                lower.iter().try_for_each(|form| builder.one_of(std::slice::from_ref(form)))?;
                let strictly = lower.iter().map(Form::one_more).collect::<Result<Vec<_>, _>>()?;
                builder.one_of(&strictly)?;
                builder.formula(own, &names)?;
                self.choice.iter().try_for_each(|part| builder.formula(part, &names))
            },
            work,
        )
    }

    /// Returns the machine of B, over the heaps left and what is remembered of them.
    fn remembers(&self, numerals: Numerals, work: &Work<'_>) -> Result<Machine, Reason> {
        // Numbers before the move are not named.
        let names: Vec<usize> = (0..self.numbers).flat_map(|i| [i, i]).collect();
        Machine::new(
            numerals,
            self.numbers,
            &mut |builder| self.remembers.iter().try_for_each(|part| builder.formula(part, &names)),
            work,
        )
    }
}

/// Returns the parts of a conjunction; another formula is its only part.
fn conjuncts(node: &Node) -> Vec<&Node> {
    if let Node::And(parts) = node {
        parts.iter().flat_map(conjuncts).collect()
    } else {
        vec![node]
    }
}

/// Returns the alternatives of a formula.
fn alternatives_of(node: &Node) -> Vec<Node> {
    if let Node::Or(parts) = node {
        parts.iter().flat_map(alternatives_of).collect()
    } else {
        vec![node.clone()]
    }
}

/// Marks the free variables in a formula: those below the length of the list.
fn free_in(node: &Node, named: &mut [bool]) {
    match node {
        Node::Known(_) => {}
        Node::Compare(left, _, right) => {
            [left, right].into_iter().for_each(|term| free_of(term, named))
        }
        Node::Not(inner) | Node::Exists(_, inner, _) | Node::Forall(_, inner, _) => {
            free_in(inner, named)
        }
        Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|part| free_in(part, named)),
        Node::Iff(left, right) => [left, right].into_iter().for_each(|part| free_in(part, named)),
    }
}

fn free_of(term: &Term, named: &mut [bool]) {
    match term {
        Term::Number(_) => {}
        Term::Variable(v) => {
            if let Some(named) = named.get_mut(*v) {
                *named = true;
            }
        }
        Term::Sum(terms) | Term::Xor(_, terms) | Term::Min(terms) | Term::Max(terms) => {
            terms.iter().for_each(|term| free_of(term, named));
        }
        Term::Times(_, term)
        | Term::Div(term, _)
        | Term::Mod(term, _)
        | Term::Shift(term)
        | Term::Floor(_, _, term) => free_of(term, named),
    }
}

/// Checks that the automaton accepts the P-positions. Returns the numbers of cases and sets.
pub(super) fn check(
    rules: &rules::Game,
    numerals: Numerals,
    positions: &Table,
    lines: &mut Lines<'_>,
    work: &Work<'_>,
) -> Result<(usize, usize), Reason> {
    let steps = Steps::new(rules)?;
    let (heaps, numbers, base) = (steps.heaps, steps.numbers, numerals.base());
    if columns(base, numbers + heaps) > LETTERS {
        return Err("too many numbers to be read by automata".into());
    }
    let left = lines.table("left ", base, heaps, work)?;
    let remembers = lines.table("remembers ", base, numbers, work)?;
    remembers.is(&steps.remembers(numerals, work)?, work)?;
    let not_left = left.complement(work)?;
    // What is remembered, beside heaps left.
    let pairs = beside(base, [heaps, numbers - heaps], true, work)?;
    let reader = Game::new(&not_left, positions, numerals, vec![&remembers], vec![pairs], work)?;
    let (mut cases, mut sets) =
        (reader.no_move_inside(work)?, reader.check_leads_inside(lines, work)?);
    let mut from = Vec::new();
    for own in &steps.alternatives {
        let choice = lines.table("choice ", base, numbers + heaps, work)?;
        choice.is(&steps.choice(own, numerals, work)?, work)?;
        let table = lines.table("from ", base, numbers, work)?;
        let not_from = table.complement(work)?;
        // The heaps left, beside a position.
        let pairs = beside(base, [numbers, heaps], false, work)?;
        let reader = Game::new(&not_from, &left, numerals, vec![&choice], vec![pairs], work)?;
        cases += reader.no_move_inside(work)?;
        sets += reader.check_leads_inside(lines, work)?;
        from.push(table);
    }
    is_none_of(positions, &from, numerals, work)?;
    Ok((cases, sets))
}

/// Returns what is read with each column of so many numbers, so many more being read behind them:
/// by a step, and by the automaton of the option, which reads all of these or only what is more.
fn beside(
    base: u32,
    [own, more]: [usize; 2],
    all: bool,
    work: &Work<'_>,
) -> Result<Vec<(u32, u32)>, Reason> {
    let (own, more) = (columns(base, own), columns(base, more));
    work.hold(8 * (own * more) as usize)?;
    let pair = move |column: u32, other: u32| {
        let both = column + own * other;
        (both, if all { both } else { other })
    };
    Ok((0..own).flat_map(|column| (0..more).map(move |other| pair(column, other))).collect())
}

/// Checks that of numerals this automaton accepts those that none of the others does.
fn is_none_of(
    own: &Table,
    others: &[Table],
    numerals: Numerals,
    work: &Work<'_>,
) -> Result<(), Reason> {
    // The states, and the marks of the numbers.
    let mut tuples: Tuples<'_, (Vec<u32>, u32)> = Tuples::new(96 + 8 * others.len(), work);
    tuples.add(&(vec![0; others.len() + 1], 0))?;
    while let Some((states, marks)) = tuples.next() {
        work.spend(states.len())?;
        let some =
            others.iter().zip(&states[1..]).any(|(table, state)| table.accepts[*state as usize]);
        if own.accepts[states[0] as usize] == some {
            return Err(
                "a position should be claimed where no choice leads to heaps worth leaving".into(),
            );
        }
        for column in 0..own.columns {
            work.spend(8 * states.len())?;
            let Ok(marks) = numerals.after(marks, column) else { continue };
            let tables = std::iter::once(own).chain(others);
            let next =
                tables.zip(&states).map(|(table, state)| table.step(*state, column)).collect();
            tuples.add(&(next, marks))?;
        }
    }
    Ok(())
}
