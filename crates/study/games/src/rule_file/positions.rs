//! The positions that occur: as a file states them, and as its moves show them.

use super::decisions::{Decider, free_names, legal, sides};
use super::{Author, RuleFile, RuleFileError, RuleText};
use crate::growth;
use crate::quantifiers::without_quantifiers;
use crate::reached;
use bouton_automata::Decision;
use bouton_core::{Budget, Domain, Formula, Node, Relation, Term};
use bouton_engine::game::Game;

/// The greatest number that is a flag, and the greatest bound of a number that is looked for.
const MAX_FLAG: u64 = 3;
const MAX_BOUND: u64 = 255;

/// Reads the line `positions`: a formula without quantifiers over p0, p1, ….
pub(super) fn positions_that_occur(text: &str, numbers: usize) -> Result<Formula, RuleFileError> {
    let wrong = |why: String| RuleFileError::Positions(text.to_owned(), why);
    let names: Vec<String> = (0..numbers).map(|place| format!("p{place}")).collect();
    let formula = Formula::parse_over(text, &names).map_err(|error| wrong(error.to_string()))?;
    if formula.names.len() > formula.free {
        return Err(wrong("which positions occur is said without quantifiers".into()));
    }
    Ok(formula)
}

/// Returns whether a file says which positions occur, or where games begin.
fn stated_positions(file: &RuleText) -> bool {
    [&file.positions, &file.start].iter().any(|text| !text.trim().is_empty())
}

/// Returns the positions that occur where games begin as the file's line `start` says: those, and
/// all that a move leads to as far as this is plain from the formula.
pub(super) fn positions_from(
    file: &RuleText,
    condition: &Formula,
    decider: &Decider,
) -> Result<String, RuleFileError> {
    if !file.positions.trim().is_empty() {
        return Err(RuleFileError::Fields(
            "positions and start: one of them; `positions` are those that occur, with those in \
             which games begin",
        ));
    }
    let start =
        positions_that_occur(&file.start, condition.free / 2).map_err(|error| match error {
            RuleFileError::Positions(text, why) => RuleFileError::Start(text, why),
            error => error,
        })?;
    let own: Vec<usize> = (0..start.free).collect();
    let is_void = start.arithmetic_word().is_none()
        && matches!(
            decider.of_all(free_names(&start), |builder| builder.embed(&start, &own).negated()),
            Ok(Decision::True(_))
        );
    if is_void {
        let why = "it holds of no position, so that no game begins";
        return Err(RuleFileError::Start(file.start.clone(), why.into()));
    }
    match reached::after_a_move(condition, file.memory, Some(&start)) {
        Some(all)
            if condition.arithmetic_word().is_none() && file.falls.is_empty() && file.sets == 0 =>
        {
            Ok(all.to_string())
        }
        _ => {
            let why =
                "it is not plain from the moves where they lead; say `positions` in its place";
            Err(RuleFileError::Start(file.start.clone(), why.into()))
        }
    }
}

/// Returns the positions that occur, with the bounds of their numbers. Refuses those that a move
/// leaves, with such a move.
pub(super) fn domain(
    formula: Formula,
    condition: &Formula,
    memory: usize,
    decider: &Decider,
) -> Result<Domain, RuleFileError> {
    let numbers = condition.free / 2;
    let [before, after] = [0, 1].map(|side| (0..numbers).map(|p| 2 * p + side).collect::<Vec<_>>());
    let kept = decider.of_all(free_names(condition), |builder| {
        let step = legal(builder, condition, memory).and(builder.embed(&formula, &before));
        step.implies(builder.embed(&formula, &after))
    })?;
    if let Decision::False(found) = kept {
        let [from, to] = found.as_ref().map(sides).unwrap_or_default();
        return Err(RuleFileError::Leaves(from, to));
    }
    let own: Vec<usize> = (0..numbers).collect();
    let bounded = |place: usize, most: u64| -> Result<bool, RuleFileError> {
        let decision = decider.of_all(free_names(&formula), |builder| {
            let below = Term::Variable(place).compared(Relation::AtMost, Term::Number(most));
            builder.embed(&formula, &own).implies(below)
        })?;
        Ok(matches!(decision, Decision::True(_)))
    };
    let mut most = Vec::new();
    for place in 0..numbers {
        let Some(end) =
            [MAX_FLAG, MAX_BOUND].into_iter().find_map(|end| match bounded(place, end) {
                Ok(true) => Some(Ok(end)),
                Ok(false) => None,
                Err(error) => Some(Err(error)),
            })
        else {
            most.push(None);
            continue;
        };
        let (mut low, mut high) = (0, end?);
        while low < high {
            let middle = (low + high) / 2;
            if bounded(place, middle)? { high = middle } else { low = middle + 1 }
        }
        most.push(u32::try_from(low).ok());
    }
    Ok(Domain { formula, most })
}

/// Returns a rule file's game on the positions from which its formula lets moves begin, where the
/// file does not say which positions occur: from no other one is there a move, and no move leaves
/// them. `None` if no such condition is plain from the formula, or all positions meet it.
pub fn where_moves_begin(game: &dyn Game, budget: &Budget) -> Option<Box<dyn Game>> {
    let [source] = &game.rule_files()[..] else { return None };
    let file = RuleText::read(&source.text).ok()?;
    let stated = game.heap_game()?;
    if stated_positions(&file) || !file.parameters.is_empty() || file.name != game.name() {
        return None;
    }
    let condition = stated.moves.condition.as_ref()?;
    let memory = stated.moves.memory.count;
    let decider = Decider::new(stated.digits, budget);
    // What is said of the position alone, in each alternative.
    let of_position = |node: &Node| {
        let mut all = true;
        growth::each_variable(node, &mut |v| all &= v < condition.free && v % 2 == 0);
        all && !matches!(node, Node::Constant(_))
    };
    let alternatives: Vec<Vec<Node>> = growth::alternatives(condition)
        .into_iter()
        .map(|parts| {
            let plain = parts.into_iter().map(|part| without_quantifiers(&part).unwrap_or(part));
            plain.filter(of_position).collect()
        })
        .collect();
    let (first, others) = alternatives.split_first()?;
    let text = |root: Node| Formula { root, ..condition.clone() }.to_string();
    let is_kept = |text: &String| {
        let positions = positions_that_occur(text, condition.free / 2);
        positions.and_then(|positions| domain(positions, condition, memory, &decider)).is_ok()
    };
    let common: Vec<String> = first
        .iter()
        .filter(|node| others.iter().all(|other| other.contains(node)))
        .map(|node| format!("({})", text(node.clone())))
        .filter(is_kept)
        .collect();
    let positions = if common.is_empty() {
        if alternatives.iter().any(Vec::is_empty) {
            return None;
        }
        let mut each: Vec<Node> = Vec::new();
        for one in alternatives.into_iter().map(Node::And) {
            if !each.contains(&one) {
                each.push(one);
            }
        }
        Some(text(Node::Or(each))).filter(is_kept)?
    } else {
        common.join(" & ")
    };
    let read = positions_that_occur(&positions, condition.free / 2).ok()?;
    let own: Vec<usize> = (0..read.free).collect();
    let all = decider.of_all(free_names(&read), |builder| builder.embed(&read, &own));
    if matches!(all, Ok(Decision::True(_))) {
        return None;
    }
    let file = RuleText { positions, ..file };
    let read = RuleFile::from_fields(&file, &source.text, budget, Author::Person).ok()?;
    Some(read.game())
}

/// Returns a rule file's game, with a memory, on the positions to which a move leads, as far as
/// they are plain from its formula, and those in which nothing is remembered: no move leaves them.
/// `None` if all positions are such, or the formula says nothing of it.
pub fn where_moves_lead(game: &dyn Game, budget: &Budget) -> Option<Box<dyn Game>> {
    let [source] = &game.rule_files()[..] else { return None };
    let file = RuleText::read(&source.text).ok()?;
    let stated = game.heap_game()?;
    let memory = stated.moves.memory.count;
    if memory == 0 || !file.parameters.is_empty() || file.name != game.name() {
        return None;
    }
    let condition = stated.moves.condition.as_ref()?;
    let decider = Decider::new(stated.digits, budget);
    let led = reached::after_a_move(condition, memory, None)?;
    let own = stated.moves.domain.as_ref().map(|domain| &domain.formula);
    let numbers: Vec<usize> = (0..led.names.len()).collect();
    let all = decider.of_all(&led.names, |builder| {
        let occurs = own.map_or(Node::Constant(true), |own| builder.embed(own, &numbers));
        occurs.implies(builder.embed(&led, &numbers))
    });
    if !matches!(all, Ok(Decision::False(_))) {
        return None;
    }
    let positions = own.map_or_else(|| led.to_string(), |own| format!("({own}) & ({led})"));
    // Reading it decides that no move leaves these positions.
    let file = RuleText { positions, start: String::new(), ..file };
    let read = RuleFile::from_fields(&file, &source.text, budget, Author::Person).ok()?;
    Some(read.game())
}
