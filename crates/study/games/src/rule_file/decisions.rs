//! What automata decide of a file's moves: whether there are any, what a formula without moves
//! holds of, whether moves are symmetric, and how far what is remembered grows.

use super::RuleFileError;
use bouton_automata::{AutomaticRelation, Decision, Numeration, Values, decide};
use bouton_core::{
    Budget, Digits, Domain, Formula, FormulaBuilder, Meter, Node, Relation, Symmetry, Term,
};
use std::cell::RefCell;
use std::time::Duration;

/// Steps of automata for all questions about a file.
const MAX_STEPS: u64 = 1 << 24;
/// Time for them where nobody says how long.
const DECISION_TIME: Duration = Duration::from_secs(60);
/// What remembered numbers are multiplied by at most, tried in this order.
const GROWTHS: [u32; 5] = [1, 2, 4, 8, MAX_GROWTH];
/// The greatest of them.
pub(super) const MAX_GROWTH: u32 = 16;

/// Why a formula gives no move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoMove {
    /// Nothing meets it.
    #[error("it never holds")]
    NeverHolds,
    /// It holds of steps that are no moves.
    #[error("of {from} → {to} it holds, but a move raises no heap and takes at least one token")]
    OtherSteps {
        /// The least position.
        from: String,
        /// Its least step.
        to: String,
    },
    /// Where it holds, a heap does not become smaller ones.
    #[error("where it holds, what a heap becomes is not smaller than it")]
    NeverSmaller,
    /// Where it holds, what the file says falls does not.
    #[error("{0} never falls where it holds")]
    NeverFalls(String),
}

/// Decides sentences about positions and steps, in a file's digits.
pub(super) struct Decider {
    numeration: Numeration,
    /// What all questions together may take.
    meter: RefCell<Meter>,
}

impl Decider {
    /// Returns what decides the questions of a file within a budget.
    pub(super) fn new(digits: Digits, budget: &Budget) -> Decider {
        let least = |limit: Option<u64>, most| Some(limit.map_or(most, |limit| limit.min(most)));
        let (nodes, bytes) = (least(budget.nodes, MAX_STEPS), least(budget.bytes, 1 << 29));
        let patience =
            if budget.deadline.is_some() { budget.clone() } else { budget.within(DECISION_TIME) };
        let meter = RefCell::new(Meter::new(&Budget { nodes, bytes, ..patience }));
        Decider { numeration: digits.into(), meter }
    }

    /// Asks something within what earlier questions have left.
    pub(super) fn asked<T>(&self, ask: impl FnOnce(&mut Meter) -> T) -> T {
        ask(&mut self.meter.borrow_mut())
    }

    fn decide(&self, formula: &Formula) -> Result<Decision, RuleFileError> {
        Ok(self.asked(|meter| decide(formula, self.numeration_of(formula), meter))?)
    }

    /// Returns the digits in which a question about a formula is decided: what says nothing of
    /// digits is true or not in all of them, and binary digits are the shortest to add.
    pub(super) fn numeration_of(&self, formula: &Formula) -> Numeration {
        let mut is_of_digits = false;
        formula.root.visit_terms(&mut |term| {
            is_of_digits |= matches!(term, Term::DigitSum(..) | Term::Shift(_) | Term::Floor(..));
        });
        if is_of_digits { self.numeration } else { Numeration::Binary }
    }

    /// Decides whether all numbers of these names are as said.
    pub(super) fn of_all(
        &self,
        names: &[String],
        said: impl FnOnce(&mut FormulaBuilder) -> Node,
    ) -> Result<Decision, RuleFileError> {
        let mut builder = FormulaBuilder::default();
        let variables = names.iter().map(|name| builder.bind(name)).collect();
        let root = said(&mut builder).for_all(variables);
        self.decide(&builder.build(root))
    }

    /// Returns the moves of which the formula holds, as an automaton; `None` where there are none.
    pub(super) fn moves(
        &self,
        formula: &Formula,
        memory: usize,
    ) -> Result<Option<AutomaticRelation>, RuleFileError> {
        let mut builder = FormulaBuilder::over(free_names(formula).iter().cloned());
        let root = legal(&mut builder, formula, memory);
        let Decision::Open(automaton) = self.decide(&builder.build(root))? else {
            unreachable!("p0 and q0 are free");
        };
        let alive = automaton.dfa.coaccessible_states()[automaton.dfa.start()];
        Ok(alive.then_some(automaton))
    }

    /// Returns why a formula without moves has none.
    pub(super) fn no_move(&self, formula: &Formula) -> Result<NoMove, RuleFileError> {
        let mut builder = FormulaBuilder::default();
        let variables: Vec<usize> =
            free_names(formula).iter().map(|name| builder.bind(name)).collect();
        let root = builder.embed(formula, &variables).exists(variables);
        Ok(match self.decide(&builder.build(root))? {
            Decision::True(Some(found)) => {
                let [from, to] = sides(&found);
                NoMove::OtherSteps { from, to }
            }
            _ => NoMove::NeverHolds,
        })
    }

    /// Returns the least of [`GROWTHS`] that bounds what is remembered after a move, so that a
    /// position has as many options as can be counted.
    pub(super) fn growth(&self, formula: &Formula, memory: usize) -> Result<u32, RuleFileError> {
        let numbers = formula.free / 2;
        let mut worst = None;
        for factor in GROWTHS {
            let within = |number: usize| {
                let total = (0..numbers).map(|number| Term::Variable(2 * number));
                let most = Term::Sum(total.chain([Term::Number(1)]).collect());
                let most = Term::Multiple(factor.into(), most.into());
                Term::Variable(2 * number + 1).compared(Relation::AtMost, most)
            };
            let decision = self.of_all(free_names(formula), |builder| {
                legal(builder, formula, memory)
                    .implies(Node::all((numbers - memory..numbers).map(within)))
            })?;
            match decision {
                Decision::False(found) => worst = found,
                _ => return Ok(factor),
            }
        }
        let [from, to] = worst.as_ref().map(sides).unwrap_or_default();
        Err(RuleFileError::Growth(from, to))
    }

    /// Refuses an image under which the positions that occur change.
    pub(super) fn symmetric_domain(
        &self,
        domain: &Domain,
        image: &[usize],
    ) -> Result<(), RuleFileError> {
        let formula = &domain.formula;
        let own: Vec<usize> = (0..formula.free).collect();
        let decision = self.of_all(free_names(formula), |builder| {
            builder.embed(formula, &own).iff(builder.embed(formula, image))
        })?;
        match decision {
            Decision::False(Some(found)) => {
                let values = found
                    .numbers()
                    .map(|(_, value)| value.map_or("…".into(), |value| value.to_string()));
                Err(RuleFileError::PositionsSymmetry(values.collect::<Vec<_>>().join(",")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses an image under which the moves change.
    pub(super) fn symmetric(
        &self,
        condition: &Formula,
        image: &[usize],
    ) -> Result<(), RuleFileError> {
        let own: Vec<usize> = (0..condition.free).collect();
        let turned: Vec<usize> = image.iter().flat_map(|heap| [2 * heap, 2 * heap + 1]).collect();
        // All heaps turned, a move is one as before: no heap grows, and one token at least is
        // taken.
        let decision = self.of_all(free_names(condition), |builder| {
            let same = builder.embed(condition, &own).iff(builder.embed(condition, &turned));
            falling(condition.free / 2).implies(same)
        })?;
        match decision {
            Decision::False(Some(found)) => {
                let [from, to] = sides(&found);
                Err(RuleFileError::Symmetry(from, to))
            }
            _ => Ok(()),
        }
    }
}

/// Returns two images of heaps that generate the others: a turn by one, and a reflection or an
/// exchange.
pub(super) fn images(symmetry: Symmetry, heaps: usize) -> Vec<Vec<usize>> {
    let turn = (0..heaps).map(|h| (h + 1) % heaps).collect();
    match symmetry {
        Symmetry::None => Vec::new(),
        Symmetry::Full => {
            vec![turn, (0..heaps).map(|h| if h < 2 && heaps > 1 { 1 - h } else { h }).collect()]
        }
        Symmetry::Ring => vec![turn, (0..heaps).rev().collect()],
    }
}

/// Returns the names of the free variables: p0, q0, p1, q1, …, or p0, p1, ….
pub(super) fn free_names(formula: &Formula) -> &[String] {
    &formula.names[..formula.free]
}

/// Returns the position and the option among values of p0, q0, p1, q1, …
pub(super) fn sides(found: &Values) -> [String; 2] {
    let values: Vec<String> = found
        .numbers()
        .map(|(_, value)| value.map_or_else(|| "…".into(), |value| value.to_string()))
        .collect();
    [0, 1].map(|from| values.iter().skip(from).step_by(2).cloned().collect::<Vec<_>>().join(","))
}

/// Returns the moves as stated, and what every move has; the last `memory` numbers are no heaps.
pub(super) fn legal(builder: &mut FormulaBuilder, stated: &Formula, memory: usize) -> Node {
    let own: Vec<usize> = (0..stated.free).collect();
    builder.embed(stated, &own).and(falling(stated.free / 2 - memory))
}

/// Returns what every move has: no heap grows, and one token at least is taken.
fn falling(heaps: usize) -> Node {
    let [before, after] = [0, 1].map(|side| (0..heaps).map(move |heap| 2 * heap + side));
    let falls = before.clone().zip(after.clone()).map(|(before, after)| {
        Term::Variable(after).compared(Relation::AtMost, Term::Variable(before))
    });
    Node::all(falls.chain([Term::sum_of(after).compared(Relation::Less, Term::sum_of(before))]))
}
