//! Rulesets as object-safe games: [`Game`] and [`Session`] for any [`NamedRuleset`].

use crate::box_outcomes::BoxOutcomes;
use crate::evaluator::{BoxTables, ByMargin, ByNimValue, ByOutcome, Evaluator, ReachedOption};
use crate::game::{
    Analysis, BestPlay, Evaluation, Game, Kind, Move, Session, Settings, SuggestedMove, VisitKnown,
    VisitSizes,
};
use crate::game_graph::{GameGraph, InternedPositions};
use bouton_core::{
    Appearance, Board, Budget, Consequence, Coordinates, DotsStructure, HeapGame, HeapMoves,
    Impartial, LimitReached, Meter, Moves, Nimber, Notation, NotationError, Outcome, OutcomeClass,
    Play, Player, RuleFault, RuleSource, Ruleset, Scored, TableShape, heaps_text,
};
use std::any::Any;
use std::marker::PhantomData;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

/// A ruleset with notation, sizes and boards, which is all that a [`Game`] needs.
pub trait NamedRuleset: Notation + Coordinates + Appearance {}

impl<R: Notation + Coordinates + Appearance> NamedRuleset for R {}

/// Returns the sizes of a position of a table.
fn sizes<R: Coordinates>(rules: &R, p: &R::Position) -> Vec<u64> {
    rules.sizes(p).unwrap_or_default()
}

/// A ruleset as a [`Game`].
struct ErasedGame<R, J> {
    rules: R,
    evaluator: PhantomData<fn() -> J>,
}

/// Returns the game of a ruleset whose positions have nim-values.
pub fn impartial<R: Impartial + NamedRuleset + Clone + 'static>(rules: R) -> Box<dyn Game> {
    with_evaluator::<R, ByNimValue<R>>(rules)
}

/// Returns the game of a ruleset that is won by the last move and has no nim-values.
pub fn last_move<R: NamedRuleset + Clone + 'static>(rules: R) -> Box<dyn Game> {
    with_evaluator::<R, ByOutcome<R>>(rules)
}

/// Returns the game of a ruleset that is won on points.
pub fn scored<R: Scored + NamedRuleset + Clone + 'static>(rules: R) -> Box<dyn Game> {
    with_evaluator::<R, ByMargin<R>>(rules)
}

/// Returns the game of a ruleset with a given evaluator.
pub fn with_evaluator<R: NamedRuleset + Clone + 'static, J: Evaluator<R>>(
    rules: R,
) -> Box<dyn Game> {
    Box::new(ErasedGame::<R, J> { rules, evaluator: PhantomData })
}

impl<R: NamedRuleset + Clone + 'static, J: Evaluator<R>> Game for ErasedGame<R, J> {
    fn name(&self) -> String {
        self.rules.name()
    }
    fn describe(&self) -> String {
        self.rules.describe()
    }
    fn position_form(&self) -> String {
        self.rules.position_form()
    }
    fn kind(&self) -> Kind {
        J::KIND
    }
    fn start(&self) -> Option<String> {
        self.rules.start().map(|p| self.rules.print(&p))
    }
    fn all(&self) -> Option<Vec<String>> {
        Some(self.rules.all()?.iter().map(|p| self.rules.print(p)).collect())
    }
    fn normal_form(&self, position: &str) -> Result<String, NotationError> {
        Ok(self.rules.print(&self.rules.read(position)?))
    }
    fn board(&self, position: &str) -> Result<Board, NotationError> {
        Ok(self.rules.board(&self.rules.read(position)?))
    }
    fn sight(&self, position: &str) -> Result<Option<DotsStructure>, NotationError> {
        Ok(self.rules.sight(&self.rules.read(position)?))
    }
    fn single(&self, size: u32) -> Option<String> {
        self.rules.single(size).map(|p| self.rules.print(&p))
    }
    fn sizes(&self, position: &str) -> Result<Option<Vec<u64>>, NotationError> {
        Ok(self.rules.sizes(&self.rules.read(position)?))
    }
    fn position(&self, sizes: &[u64]) -> Option<String> {
        self.rules.position(sizes).map(|p| self.rules.print(&p))
    }
    fn heap_game(&self) -> Option<HeapGame> {
        self.rules.heap_game()
    }
    fn table_shape(&self) -> Option<TableShape> {
        self.rules.table_shape()
    }
    fn tables_only(&self) -> Option<String> {
        self.rules.tables_only()
    }
    fn moves(&self) -> Option<Moves> {
        self.rules.moves()
    }
    fn heap_moves(&self) -> Option<HeapMoves> {
        self.rules.heap_moves()
    }
    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        self.rules.rule_files()
    }
    fn session(&self, settings: Settings) -> Box<dyn Session + '_> {
        Box::new(ErasedSession::<R, J> {
            rules: &self.rules,
            evaluator: J::new(&self.rules, &settings),
            settings,
        })
    }
    fn graph(&self) -> Box<dyn GameGraph> {
        // What stopped an earlier request on this thread is nothing to this one.
        self.rules.begin(&Budget::default());
        Box::new(InternedPositions::<R, J>::new(self.rules.clone()))
    }
    fn ruleset(&self) -> &dyn Any {
        &self.rules
    }
}

/// A ruleset with an evaluator as a [`Session`].
struct ErasedSession<'g, R: Ruleset, J> {
    rules: &'g R,
    evaluator: J,
    settings: Settings,
}

impl<R: NamedRuleset, J: Evaluator<R>> ErasedSession<'_, R, J> {
    /// Refuses misère play of a game won on points.
    fn check_play(&self, position: &str) -> Result<(), NotationError> {
        if J::KIND == Kind::Scored && self.settings.play == Play::Misere {
            let accepted = "the game as it is: whoever has more points wins";
            let message = "a game that is won on points has no misère play";
            return Err(NotationError::new(position, 0..position.len(), message, accepted));
        }
        Ok(())
    }

    /// Returns a line of best play from `p`.
    fn best_play(&mut self, p: &R::Position, meter: &mut Meter) -> BestPlay {
        let (mut p, mut moves) = (p.clone(), Vec::new());
        let spent = loop {
            match self.evaluator.best_move(self.rules, &p, meter) {
                Ok(Some((option, brings))) => {
                    let (to, text) = (self.rules.print(&option), self.rules.move_text(&p, &option));
                    moves.push(Move {
                        to,
                        text,
                        evaluation: Evaluation::default(),
                        brings: Some(brings),
                    });
                    p = option;
                }
                Ok(None) => break None,
                Err(end) => break Some(end),
            }
        };
        BestPlay { moves, spent }
    }
}

/// Returns the evaluation of a move from that of its option, with the points that it brings.
fn with_gain(of_option: Evaluation, brings: Option<Consequence>) -> Evaluation {
    let (Some(brings), Some((low, high))) = (brings, of_option.margin_bounds()) else {
        return of_option;
    };
    let gain = brings.gain as i32;
    let (low, high) = if brings.again { (low, high) } else { (-high, -low) };
    let margin = Evaluation::from_bounds(gain + low, gain + high);
    Evaluation { margin: margin.margin, bounds: margin.bounds, ..of_option }
}

/// Returns the evaluation of a position whose moves these are: their bounds may be tighter.
fn tightened(evaluation: Evaluation, moves: &[Move]) -> Evaluation {
    let Some((low, high)) = evaluation.bounds else { return evaluation };
    let ranges: Option<Vec<_>> = moves.iter().map(|m| m.evaluation.margin_bounds()).collect();
    let best = |end: fn(&(i32, i32)) -> i32| ranges.as_ref()?.iter().map(end).max();
    let low = best(|range| range.0).map_or(low, |best| best.max(low));
    let high = best(|range| range.1).map_or(high, |best| best.min(high));
    Evaluation::from_bounds(low, high)
}

impl<R: NamedRuleset, J: Evaluator<R>> ErasedSession<'_, R, J> {
    /// Evaluates `p`, or returns what is known of it if a limit is reached, which is noted.
    #[inline(never)]
    fn evaluation(
        &mut self,
        p: &R::Position,
        meter: &mut Meter,
        spent: &mut Option<LimitReached>,
    ) -> Evaluation {
        // After the time limit or a cancellation no evaluation is started, because each would cost
        // a little.
        if matches!(spent, Some(LimitReached::Time(_) | LimitReached::Cancelled)) {
            return self.evaluator.known(self.rules, p);
        }
        self.evaluator.evaluate(self.rules, p, meter).unwrap_or_else(|end| {
            *spent = Some(end);
            self.evaluator.known(self.rules, p)
        })
    }

    /// Visits the outcomes of the canonical positions of a box, with one meter for all.
    fn fill(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&R::Position, Outcome) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        let (rules, heaps) = (self.rules, self.rules.heap_game());
        rules.begin(&self.settings.budget);
        let mut meter = Meter::new(&self.settings.budget);
        let limit = self.bytes();
        // The options of shrinking circles do not come first in the order of places.
        let shape = rules.table_shape().filter(|_| !heaps.is_some_and(|game| game.shrinks));
        let mut table = match shape {
            Some(shape) => BoxOutcomes::new(self.settings.play, shape.numbers, max, limit),
            None => BoxOutcomes::new(self.settings.play, 0, 0, 0),
        };
        let end: ControlFlow<Option<LimitReached>> = rules.positions_up_to(max, |p| {
            if rules.canonical(p.clone()) != p {
                return Continue(());
            }
            match table.outcome(rules, &p, &mut meter) {
                Ok(outcome) => visit(&p, outcome).map_break(|()| None),
                Err(spent) => Break(Some(spent)),
            }
        })?;
        Some(match rules.stopped() {
            Some(stopped) => Err(stopped),
            None => ended(end),
        })
    }

    /// Returns the bytes that tables may take.
    fn bytes(&self) -> u64 {
        self.settings.budget.bytes.unwrap_or(MAX_BYTES)
    }

    /// Returns the faster method for the box, if there is one.
    fn box_tables(&self, max: u32) -> Option<Box<dyn BoxTables>> {
        J::box_tables(&self.rules.heap_game()?, max)
    }

    /// Visits the canonical P-positions of a box by the faster method, if there is one.
    fn swept(&mut self, max: u32, visit: VisitSizes<'_>) -> Option<Result<(), LimitReached>> {
        let tables = self.box_tables(max)?;
        let mut meter = Meter::new(&self.settings.budget);
        Some(tables.p_positions(max, self.settings.play, self.bytes(), &mut meter, visit))
    }
}

/// Returns the fault of the rules that ended a computation, if one did.
fn as_fault(spent: LimitReached) -> Option<RuleFault> {
    match spent {
        LimitReached::Rules(fault) => Some(fault),
        _ => None,
    }
}

/// Returns the error of a position below which the rules fail.
fn refused<R: Notation>(rules: &R, position: &str, fault: RuleFault) -> NotationError {
    NotationError::new(position, 0..position.len(), fault.text(), rules.position_form())
}

/// Bytes that tables may take if the budget has no limit.
const MAX_BYTES: u64 = 4 << 30;

/// Returns the limit that ended the visits, unless the visitor ended them.
fn ended(end: ControlFlow<Option<LimitReached>>) -> Result<(), LimitReached> {
    match end {
        Break(Some(spent)) => Err(spent),
        Break(None) | Continue(()) => Ok(()),
    }
}

impl<R: NamedRuleset, J: Evaluator<R>> Session for ErasedSession<'_, R, J> {
    fn set_budget(&mut self, budget: Budget) {
        self.settings.budget = budget;
    }

    fn analyse(&mut self, position: &str) -> Result<Analysis, NotationError> {
        self.check_play(position)?;
        self.rules.begin(&self.settings.budget);
        let p = self.rules.read(position)?;
        let mut meter = Meter::new(&self.settings.budget);
        let (mut spent, mut too_many) = (None, None);
        let mut evaluation = self.evaluation(&p, &mut meter, &mut spent);
        let mut moves = Vec::new();
        let reached =
            self.evaluator.moves(self.rules, &p, self.settings.most_moves).unwrap_or_else(|end| {
                too_many = Some(end);
                Vec::new()
            });
        for (option, brings) in reached {
            let evaluation = with_gain(self.evaluation(&option, &mut meter, &mut spent), brings);
            let (to, text) = (self.rules.print(&option), self.rules.move_text(&p, &option));
            moves.push(Move { to, text, evaluation, brings });
        }
        // Of a position without a move there is nothing to search, whatever the budget.
        if moves.is_empty() && too_many.is_none() && matches!(spent, Some(LimitReached::Nodes(_))) {
            let mut own = Meter::new(&Budget { nodes: None, ..self.settings.budget.clone() });
            if let Ok(found) = self.evaluator.evaluate(self.rules, &p, &mut own) {
                (evaluation, spent) = (found, None);
            }
        }
        let best_play = match (J::KIND, evaluation.margin, spent) {
            (Kind::Scored, Some(_), None) => Some(self.best_play(&p, &mut meter)),
            _ => None,
        };
        let remarks = if J::KIND == Kind::Scored && too_many.is_none() {
            self.evaluator.remarks(self.rules, &p, &evaluation, &mut meter)
        } else {
            Vec::new()
        };
        if too_many.is_none() {
            evaluation = tightened(evaluation, &moves);
        }
        // Both players' outcomes, in games in which their moves differ.
        let class = match (self.rules.mover(&p), evaluation.outcome, spent) {
            (Some(player), Some(outcome), None) => {
                let turned = self.rules.seen_by_opponent(p.clone());
                match self.evaluator.evaluate(self.rules, &turned, &mut meter) {
                    Ok(Evaluation { outcome: Some(other), .. }) => Some(match player {
                        Player::Left => OutcomeClass::from_outcomes(outcome, other),
                        Player::Right => OutcomeClass::from_outcomes(other, outcome),
                    }),
                    Ok(_) => None,
                    Err(end) => {
                        spent = Some(end);
                        None
                    }
                }
            }
            _ => None,
        };
        let faults = [spent, too_many, self.rules.stopped()];
        if let Some(fault) = faults.into_iter().flatten().find_map(as_fault) {
            return Err(refused(self.rules, position, fault));
        }
        Ok(Analysis {
            position: self.rules.print(&p),
            evaluation,
            class,
            moves,
            best_play,
            remarks,
            spent: spent.or(too_many),
            nodes: meter.nodes(),
            seconds: meter.elapsed().as_secs_f64(),
        })
    }

    fn suggest_move(&mut self, position: &str) -> Result<Option<SuggestedMove>, NotationError> {
        self.check_play(position)?;
        self.rules.begin(&self.settings.budget);
        let p = self.rules.read(position)?;
        let mut meter = Meter::new(&self.settings.budget);
        let unproven = match self.evaluator.best_move(self.rules, &p, &mut meter) {
            Ok(best) => {
                return Ok(
                    best.map(|(q, _)| SuggestedMove { to: self.rules.print(&q), unproven: None })
                );
            }
            Err(limit) => limit,
        };
        // Choose by the midpoint of the bounds; among equal moves, by a hash of the position.
        let all =
            self.evaluator.moves(self.rules, &p, self.settings.most_moves).unwrap_or_default();
        let middle = |(q, brings): &ReachedOption<R>| {
            let (low, high) =
                self.evaluator.known(self.rules, q).margin_bounds().unwrap_or_default();
            match brings {
                Some(brings) if brings.again => 2 * brings.gain as i32 + low + high,
                _ => -low - high,
            }
        };
        let best = all.iter().map(middle).max();
        let equal: Vec<&ReachedOption<R>> =
            all.iter().filter(|reached| Some(middle(reached)) == best).collect();
        let lot = position
            .bytes()
            .fold(7usize, |lot, byte| lot.wrapping_mul(31).wrapping_add(byte.into()));
        let chosen = equal.get(lot % equal.len().max(1));
        Ok(chosen.map(|(q, _)| SuggestedMove { to: self.rules.print(q), unproven: Some(unproven) }))
    }

    fn evaluate(
        &mut self,
        position: &str,
    ) -> Result<Result<Evaluation, LimitReached>, NotationError> {
        self.check_play(position)?;
        self.rules.begin(&self.settings.budget);
        let p = self.rules.read(position)?;
        let found = self.evaluator.evaluate(self.rules, &p, &mut Meter::new(&self.settings.budget));
        match found {
            Err(LimitReached::Rules(fault)) => Err(refused(self.rules, position, fault)),
            found => Ok(found),
        }
    }

    fn evaluate_sizes(&mut self, sizes: &[u64]) -> Option<Result<Evaluation, LimitReached>> {
        self.rules.begin(&self.settings.budget);
        let p = self.rules.position(sizes)?;
        Some(self.evaluator.evaluate(self.rules, &p, &mut Meter::new(&self.settings.budget)))
    }

    fn p_positions(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&str),
    ) -> Option<Result<(), LimitReached>> {
        if self.box_tables(max).is_some() {
            return self.swept(max, &mut |p| {
                visit(&heaps_text(p));
                Continue(())
            });
        }
        let rules = self.rules;
        self.fill(max, &mut |p, outcome| {
            if outcome.is_p() {
                visit(&rules.print(p));
            }
            Continue(())
        })
    }

    fn p_sizes(&mut self, max: u32, visit: VisitSizes<'_>) -> Option<Result<(), LimitReached>> {
        self.rules.table_shape()?;
        if self.box_tables(max).is_some() {
            return self.swept(max, visit);
        }
        let rules = self.rules;
        self.fill(max, &mut |p, outcome| {
            if outcome.is_p() { visit(&sizes(rules, p)) } else { Continue(()) }
        })
    }

    fn nim_value_table(
        &mut self,
        max: u32,
        visit: VisitKnown<'_, Nimber>,
    ) -> Option<Result<(), LimitReached>> {
        if J::KIND != Kind::Impartial {
            return None;
        }
        let rules = self.rules;
        rules.begin(&self.settings.budget);
        let mut meter = Meter::new(&self.settings.budget);
        rules.table_shape()?;
        if let Some(tables) = self.box_tables(max) {
            return Some(tables.nim_values(max, self.bytes(), &mut meter, visit));
        }
        let evaluator = &mut self.evaluator;
        let end = rules.positions_up_to(max, |p| {
            if rules.canonical(p.clone()) != p {
                return Continue(());
            }
            match evaluator.nim_value(rules, &p, &mut meter) {
                Some(Ok(value)) => visit(&sizes(rules, &p), value).map_break(|()| None),
                Some(Err(spent)) => Break(Some(spent)),
                None => Break(None),
            }
        })?;
        Some(ended(end))
    }

    fn table(
        &mut self,
        max: u32,
        visit: VisitKnown<'_, Outcome>,
    ) -> Option<Result<(), LimitReached>> {
        let rules = self.rules;
        let mut found = Vec::new();
        let swept = self.swept(max, &mut |p| {
            found.push(p.to_vec());
            Continue(())
        });
        match swept {
            None => return self.fill(max, &mut |p, outcome| visit(&sizes(rules, p), outcome)),
            Some(Err(spent)) => return Some(Err(spent)),
            Some(Ok(())) => {}
        }
        let mut found = found.into_iter().peekable();
        let end = rules.positions_up_to(max, |p| {
            if rules.canonical(p.clone()) != p {
                return Continue(());
            }
            let sizes = sizes(rules, &p);
            let outcome = if found.next_if_eq(&sizes).is_some() { Outcome::P } else { Outcome::N };
            visit(&sizes, outcome).map_break(|()| None)
        })?;
        Some(ended(end))
    }

    fn values(
        &mut self,
        to: u32,
        visit: &mut dyn FnMut(u32, Nimber),
    ) -> Option<Result<(), LimitReached>> {
        self.rules.begin(&self.settings.budget);
        let mut meter = Meter::new(&self.settings.budget);
        let is_one_heap = J::KIND == Kind::Impartial && self.rules.single(0).is_some();
        let alone = self.rules.heap_game().filter(|game| is_one_heap && game.heaps == 1);
        // Heaps that do not occur have no values.
        let has_domain = alone.as_ref().is_some_and(|game| game.moves.domain.is_some());
        if has_domain && (0..=to).any(|size| self.rules.single(size).is_none()) {
            return None;
        }
        if let Some(tables) = alone.and_then(|game| J::box_tables(&game, to)) {
            return Some(tables.nim_values(to, self.bytes(), &mut meter, &mut |heap, value| {
                visit(heap[0] as u32, value);
                Continue(())
            }));
        }
        for size in 0..=to {
            let p = self.rules.single(size)?;
            if let Some(stopped) = self.rules.stopped() {
                return Some(Err(stopped));
            }
            // The visitor keeps the values as 32-bit numbers.
            if let Err(spent) = meter.check_bytes(size_of::<u32>() as u64 * u64::from(size)) {
                return Some(Err(spent));
            }
            match self.evaluator.nim_value(self.rules, &p, &mut meter)? {
                Ok(value) => visit(size, value),
                Err(spent) => return Some(Err(spent)),
            }
        }
        Some(Ok(()))
    }
}
