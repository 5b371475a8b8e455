//! Alternatives of a file's move that give no move, and steps that it states and that are none.

use super::decisions::{Decider, NoMove};
use super::{Author, MAX_PROVED_HEAPS, RuleFileError, RuleText, quantity, within_positions};
use crate::growth::{self, Growth};
use crate::split_rules::Split;
use bouton_core::{Budget, Formula, FormulaBuilder, Moves, Node, Relation, Term, heaps_text};
use std::ops::ControlFlow;

/// States of an automaton that tells whether an alternative ever holds.
const MAX_STATES: u64 = 1 << 20;

/// Bounds of the numbers of which alternatives in words of arithmetic are tried; a lesser one where
/// a greater one takes too long.
const BOUNDS: [u64; 3] = [200, 50, 12];

/// Search steps for each of them.
const SEARCH_STEPS: u64 = 1 << 18;

/// Returns, of each alternative that a file states in moves or in splits, also of one inside a
/// conjunction, whether it never holds, or never where what must fall does, as far as automata
/// decide it: then the alternative itself, and why.
pub(super) fn void_alternatives(
    file: &RuleText,
    budget: &Budget,
) -> Vec<Option<(Formula, NoMove)>> {
    let nodes = Some(budget.nodes.map_or(MAX_STATES, |nodes| nodes.min(MAX_STATES)));
    let budget = Budget { nodes, ..budget.clone() };
    // As much for each of them.
    let never_holds = |formula: &Formula| {
        let is_read = formula.free <= 2 * MAX_PROVED_HEAPS && formula.arithmetic_word().is_none();
        let decider = Decider::new(file.digits, &budget);
        is_read && decider.no_move(formula).is_ok_and(|why| why == NoMove::NeverHolds)
    };
    let never = |(formula, is_of_one_heap): (Formula, bool)| {
        if never_holds(&formula) {
            return Some((formula, NoMove::NeverHolds));
        }
        if is_of_one_heap && file.falls.is_empty() {
            return never_holds(&with_smaller(&formula)).then_some((formula, NoMove::NeverSmaller));
        }
        if !file.splits.is_empty() || file.falls.is_empty() {
            return None;
        }
        let names = &formula.names[..formula.free];
        let mut builder = FormulaBuilder::over(names.iter().cloned());
        let own: Vec<usize> = (0..formula.free).collect();
        let root = builder.embed(&formula, &own).and(falling(file, names)?);
        let why = || NoMove::NeverFalls(file.falls.join(", then "));
        never_holds(&builder.build(root)).then(|| (formula, why()))
    };
    stated(file).into_iter().map(never).collect()
}

/// Returns each alternative that a file states in moves or in splits, also one inside a
/// conjunction, and whether it is of one heap and of what that becomes, without other names.
fn stated(file: &RuleText) -> Vec<(Formula, bool)> {
    let mut all: Vec<(Formula, bool)> = Vec::new();
    if !file.moves.trim().is_empty() {
        let numbers = file.heaps.fixed().unwrap_or(1) + file.memory;
        let moves = Formula::parse_over(&file.moves, &Moves::names(numbers)).ok();
        all.extend(moves.map(|moves| (moves, file.heaps.is_any())));
    }
    for split in &file.splits {
        let (when, into) = split.parts();
        let split = Split::parse(when, into).ok();
        all.extend(split.map(|split| (split.formula().clone(), into.is_none())));
    }
    let alternatives = all.into_iter().flat_map(|(formula, is_of_one_heap)| {
        let parts = growth::each_alternative(&formula);
        let of = move |root| (Formula { root, ..formula.clone() }, is_of_one_heap);
        parts.into_iter().map(of)
    });
    alternatives.collect()
}

/// Returns the first alternative in words of arithmetic that holds of no numbers up to a bound, as
/// far as a short search tells, with the bound.
pub(super) fn arithmetic_that_never_holds(file: &RuleText) -> Option<(String, u64)> {
    let never = |(formula, _): (Formula, bool)| {
        formula.arithmetic_word()?;
        let numbers = formula.free;
        let holds_up_to = |bound: u64| {
            let found = formula.solutions(
                &vec![None; numbers],
                &vec![Some(bound); numbers],
                SEARCH_STEPS,
                &mut |_| ControlFlow::Break(()),
            );
            found.ok().map(|end| end.is_break())
        };
        let (bound, holds) =
            BOUNDS.into_iter().find_map(|bound| Some((bound, holds_up_to(bound)?)))?;
        (!holds).then(|| (formula.to_string(), bound))
    };
    stated(file).into_iter().find_map(never)
}

/// Returns a formula over p0 and what a heap of p0 becomes, where all of that is smaller.
fn with_smaller(formula: &Formula) -> Formula {
    let smaller = |heap| Term::Variable(heap).compared(Relation::Less, Term::Variable(0));
    let root = formula.root.clone().and(Node::all((1..formula.free).map(smaller)));
    Formula { root, ..formula.clone() }
}

/// Returns that the first of the file's quantities that changes falls, in p0, q0, p1, q1, …
fn falling(file: &RuleText, names: &[String]) -> Option<Node> {
    let before: Vec<Term> =
        file.falls.iter().map(|text| quantity(text, names).ok()).collect::<Option<_>>()?;
    let compared =
        |term: &Term, relation| term.renumbered(&|p| p + 1).compared(relation, term.clone());
    let first_to_fall = |at: usize| {
        let same = before[..at].iter().map(|term| compared(term, Relation::Equal));
        Node::all(same.chain([compared(&before[at], Relation::Less)]))
    };
    Some(Node::any((0..before.len()).map(first_to_fall)))
}

/// Refuses an alternative that never holds, but where it may for other values of parameters.
pub(super) fn no_alternative_is_void(
    file: &RuleText,
    author: Author,
    budget: &Budget,
) -> Result<(), RuleFileError> {
    if author != Author::Person {
        return Ok(());
    }
    match void_alternatives(file, budget).into_iter().flatten().next() {
        Some((never, why)) => Err(RuleFileError::NoMovesBy(never.to_string(), why)),
        None => Ok(()),
    }
}

/// Refuses steps that the formula states and that are no moves: by an alternative that bounds how
/// far a heap grows, or by one of which no step is a move, inside a conjunction too. What a step
/// does in a position that does not occur says nothing.
pub(super) fn no_step_is_lost(
    condition: &Formula,
    positions: Option<&Formula>,
    memory: usize,
    decider: &Decider,
) -> Result<(), RuleFileError> {
    let within = |part: &Formula| match positions {
        Some(positions) => within_positions(part, positions),
        None => part.clone(),
    };
    let heaps = condition.free / 2 - memory;
    let numeration = decider.numeration_of(&within(condition));
    let all = within(condition);
    let raised = decider.asked(|meter| growth::growth(&all, memory, numeration, meter))?;
    if let Some(Growth { alternative, from, to }) = raised {
        let bounds: Vec<String> = (0..heaps).map(|h| format!(" & q{h} <= p{h}")).collect();
        return Err(RuleFileError::Raises {
            alternative: alternative.map_or_else(|| "it".into(), |text| format!("`{text}`")),
            from: heaps_text(&from),
            to: heaps_text(&to),
            bounds: bounds.concat(),
        });
    }
    let alternatives = growth::alternatives(condition);
    let top = match &condition.root {
        Node::Or(parts) => parts.len(),
        _ => 1,
    };
    // Else each was looked at already.
    for conditions in alternatives.iter().filter(|_| alternatives.len() > top) {
        let part = Formula { root: Node::And(conditions.clone()), ..condition.clone() };
        if decider.moves(&within(&part), memory)?.is_some() {
            continue;
        }
        let differs = |number: usize| {
            let [before, after] = [2 * number, 2 * number + 1].map(Term::Variable);
            Node::Compare(before, Relation::Unequal, after)
        };
        // Steps that change nothing at all are nobody's.
        let differ = Node::Or((0..condition.free / 2).map(differs).collect());
        let changes = Formula { root: within(&part).root.and(differ), ..condition.clone() };
        let why = decider.no_move(&changes)?;
        if why != NoMove::NeverHolds {
            return Err(RuleFileError::NoMovesBy(part.to_string(), why));
        }
    }
    Ok(())
}
