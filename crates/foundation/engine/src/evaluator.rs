//! Methods that evaluate positions: by nim-values, by outcomes or by margins.

use crate::game::{Evaluation, Kind, Remark, Settings, VisitKnown, VisitSizes};
use crate::margins::Margins;
use crate::nim_values::NimValues;
use crate::outcomes::Outcomes;
use bouton_core::{
    Arrange, Consequence, HeapGame, Impartial, LimitReached, Meter, Nimber, Play, Ruleset, Scored,
};
use std::ops::ControlFlow::{self, Break, Continue};

/// A method of evaluating the positions of a ruleset, for one [`Kind`] of values.
pub trait Evaluator<R: Ruleset>: Send + Sync + 'static {
    /// The kind of values.
    const KIND: Kind;
    /// Whether positions may come again in play.
    const MAY_COME_AGAIN: bool = false;
    /// Creates empty tables for these rules.
    fn new(rules: &R, settings: &Settings) -> Self;
    /// Evaluates `p`.
    fn evaluate(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached>;
    /// Returns whether the outcome of `p` is found with far less work than all positions below it,
    /// or `nodes` of them, are expanded.
    fn comes_first(&self, _rules: &R, _p: &R::Position, _nodes: u64) -> bool {
        false
    }
    /// Returns how many positions can be reached from `p` at most, if that is seen without a
    /// search.
    fn reach(&self, _rules: &R, _p: &R::Position) -> Option<u64> {
        None
    }
    /// Returns what is known of `p` without further work.
    fn known(&self, rules: &R, p: &R::Position) -> Evaluation {
        let _ = (rules, p);
        Evaluation::default()
    }
    /// Returns remarks on `p`.
    fn remarks(
        &mut self,
        rules: &R,
        p: &R::Position,
        evaluation: &Evaluation,
        meter: &mut Meter,
    ) -> Vec<Remark> {
        let _ = (rules, p, evaluation, meter);
        Vec::new()
    }
    /// Returns a move that keeps the margin, with its points; `None` if there is no move or no
    /// margin.
    fn best_move(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Option<(R::Position, Consequence)>, LimitReached> {
        let _ = (rules, p, meter);
        Ok(None)
    }
    /// Returns every option once, with the points of the move: in order, or the best first.
    ///
    /// # Errors
    ///
    /// If there are more than `most`, visits counted.
    #[inline(never)]
    fn moves(
        &self,
        rules: &R,
        p: &R::Position,
        most: usize,
    ) -> Result<Vec<ReachedOption<R>>, LimitReached> {
        options_in_order(rules, p, most)
    }
    /// Returns the nim-value, or `None` if positions have none.
    fn nim_value(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        let _ = (rules, p, meter);
        None
    }
    /// Returns the nim-value in normal play if it comes from a table or a sequence of values;
    /// `None` if it would be searched for.
    fn value_by_table(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        let _ = (rules, p, meter);
        None
    }
    /// Visits the summands of `p`.
    fn summands(rules: &R, p: &R::Position, visit: &mut dyn FnMut(R::Position)) {
        let _ = rules;
        visit(p.clone());
    }
    /// Returns a faster method for tables of the box with heaps of at most `max`; `None` if there
    /// is none, and tables are filled position by position.
    fn box_tables(game: &HeapGame, max: u32) -> Option<Box<dyn BoxTables>> {
        let _ = (game, max);
        None
    }
}

/// A method that finds all P-positions or nim-values of a box of a heap game at once.
///
/// Both visit the least position of each symmetry class, in lexicographic order, until `visit`
/// breaks. Tables may take this many bytes; the meter is charged for every position of the box.
pub trait BoxTables {
    /// Visits the P-positions with every heap at most `max`.
    ///
    /// # Errors
    ///
    /// If the table does not fit, or the budget ends.
    fn p_positions(
        &self,
        max: u32,
        play: Play,
        bytes: u64,
        meter: &mut Meter,
        visit: VisitSizes<'_>,
    ) -> Result<(), LimitReached>;
    /// Visits the nim-values of all positions with every heap at most `max`, in normal play.
    ///
    /// # Errors
    ///
    /// If the table does not fit, or the budget ends.
    fn nim_values(
        &self,
        max: u32,
        bytes: u64,
        meter: &mut Meter,
        visit: VisitKnown<'_, Nimber>,
    ) -> Result<(), LimitReached>;
}

/// Default maximum number of moves that an analysis lists.
pub const MAX_MOVES: usize = 1 << 22;

/// An option and, in games won on points, the points of the move.
pub type ReachedOption<R> = (<R as Ruleset>::Position, Option<Consequence>);

/// Collects an option, or breaks if there are too many.
fn collect<T>(all: &mut Vec<T>, option: T, most: usize) -> ControlFlow<LimitReached> {
    if all.len() == most {
        return Break(LimitReached::Bytes((most * size_of::<T>()) as u64));
    }
    all.push(option);
    Continue(())
}

/// Returns the collected options, each once, in order.
fn sorted<P: Ord, C>(
    end: ControlFlow<LimitReached>,
    mut all: Vec<(P, C)>,
) -> Result<Vec<(P, C)>, LimitReached> {
    if let Break(spent) = end {
        return Err(spent);
    }
    all.arrange_by(|a, b| a.0.cmp(&b.0));
    all.dedup_by(|a, b| a.0 == b.0);
    Ok(all)
}

/// Returns every option once, in order.
pub(crate) fn options_in_order<R: Ruleset>(
    rules: &R,
    p: &R::Position,
    most: usize,
) -> Result<Vec<ReachedOption<R>>, LimitReached> {
    let mut all = Vec::new();
    let end = rules.options(p, |option| collect(&mut all, (option, None), most));
    match rules.stopped() {
        Some(stopped) => Err(stopped),
        None => sorted(end, all),
    }
}

/// Evaluates by nim-values as far as their budget allows, then by outcomes, which `O` finds.
pub struct ByNimValue<R: Ruleset, O = ByOutcome<R>> {
    outcomes: O,
    values: NimValues<R::Position>,
    normal: bool,
    nodes_left: u64,
}

/// Returns the summands of a position: itself if there are not two.
fn summands<R: Impartial>(rules: &R, p: &R::Position) -> Vec<R::Position> {
    let mut parts = Vec::new();
    rules.summands(p, |part| parts.push(part));
    if parts.len() < 2 { vec![p.clone()] } else { parts }
}

impl<R: Impartial + 'static, O: Evaluator<R>> ByNimValue<R, O> {
    /// Returns the sum of the nim-values of those positions that have tables, and the others.
    fn tabled(
        &mut self,
        rules: &R,
        parts: Vec<R::Position>,
        meter: &mut Meter,
    ) -> Result<(Nimber, Vec<R::Position>), LimitReached> {
        let (mut sum, mut others) = (Nimber(0), Vec::new());
        for part in parts {
            match self.outcomes.value_by_table(rules, &part, meter) {
                Some(value) => sum ^= value?,
                None => others.push(part),
            }
        }
        Ok((sum, others))
    }

    /// Returns a nim-value and those of other positions added, which are searched for.
    fn searched(
        &mut self,
        rules: &R,
        value: Nimber,
        others: &[R::Position],
        meter: &mut Meter,
    ) -> Result<Nimber, LimitReached> {
        others
            .iter()
            .try_fold(value, |sum, part| Ok(sum ^ self.values.nim_value(rules, part, meter)?))
    }

    /// Returns the nim-value of a position, as far as the budget for nim-values allows; `None` if
    /// the outcome is less work.
    fn value_if_first(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Option<Nimber>, LimitReached> {
        let (parts, nodes) = (summands(rules, p), self.nodes_left);
        let is_sum = parts.len() >= 2;
        let (sum, others) = self.tabled(rules, parts, meter)?;
        if others.is_empty() {
            return Ok(Some(sum));
        }
        // The positions of the summands that no table has are searched, not those of the sum.
        let reach = |part: &R::Position| match self.outcomes.comes_first(rules, part, nodes) {
            true => u64::MAX,
            false => self.outcomes.reach(rules, part).unwrap_or(u64::MAX),
        };
        let reach =
            if is_sum { others.iter().map(reach).fold(0, u64::saturating_add) } else { u64::MAX };
        if nodes == 0 || self.outcomes.comes_first(rules, p, nodes.min(reach)) {
            return Ok(None);
        }
        let mut share = meter.fork(nodes);
        let value = self.searched(rules, sum, &others, &mut share);
        self.nodes_left -= share.nodes();
        meter.join(&share);
        match value {
            Ok(value) => Ok(Some(value)),
            Err(LimitReached::Nodes(_)) => {
                self.nodes_left = 0;
                Ok(None)
            }
            Err(spent) => Err(spent),
        }
    }
}

impl<R: Impartial + 'static, O: Evaluator<R>> Evaluator<R> for ByNimValue<R, O> {
    const KIND: Kind = Kind::Impartial;

    fn new(rules: &R, settings: &Settings) -> Self {
        ByNimValue {
            outcomes: O::new(rules, settings),
            values: NimValues::default(),
            normal: settings.play == Play::Normal,
            nodes_left: settings.nim_value_nodes,
        }
    }

    #[inline(never)]
    fn evaluate(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        if self.normal
            && let Some(value) = self.value_if_first(rules, p, meter)?
        {
            return Ok(Evaluation::from_nim_value(value));
        }
        self.outcomes.evaluate(rules, p, meter)
    }

    fn nim_value(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        let (sum, others) = match self.tabled(rules, summands(rules, p), meter) {
            Ok(found) => found,
            Err(spent) => return Some(Err(spent)),
        };
        Some(self.searched(rules, sum, &others, meter))
    }

    fn value_by_table(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        self.outcomes.value_by_table(rules, p, meter)
    }

    fn summands(rules: &R, p: &R::Position, visit: &mut dyn FnMut(R::Position)) {
        rules.summands(p, visit);
    }

    fn box_tables(game: &HeapGame, max: u32) -> Option<Box<dyn BoxTables>> {
        O::box_tables(game, max)
    }
}

/// Evaluates by outcomes only.
pub struct ByOutcome<R: Ruleset>(Outcomes<R::Position>);

impl<R: Ruleset + 'static> Evaluator<R> for ByOutcome<R> {
    const KIND: Kind = Kind::LastMove;

    fn new(_: &R, settings: &Settings) -> Self {
        ByOutcome(Outcomes::new(settings.play))
    }

    fn evaluate(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        Ok(Evaluation { outcome: Some(self.0.outcome(rules, p, meter)?), ..Evaluation::default() })
    }
}

/// Evaluates by margins.
pub struct ByMargin<R: Ruleset>(Margins<R::Position>);

impl<R: Scored + 'static> Evaluator<R> for ByMargin<R> {
    const KIND: Kind = Kind::Scored;

    fn new(_: &R, _: &Settings) -> Self {
        ByMargin(Margins::default())
    }

    fn evaluate(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        Ok(Evaluation { margin: Some(self.0.margin(rules, p, meter)?), ..Evaluation::default() })
    }

    fn known(&self, rules: &R, p: &R::Position) -> Evaluation {
        let (low, high) = self.0.known(rules, p);
        Evaluation::from_bounds(low, high)
    }

    fn best_move(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Option<(R::Position, Consequence)>, LimitReached> {
        self.0.best_move(rules, p, meter)
    }

    fn moves(
        &self,
        rules: &R,
        p: &R::Position,
        most: usize,
    ) -> Result<Vec<ReachedOption<R>>, LimitReached> {
        let mut all = Vec::new();
        let end = rules
            .scored_options(p, |option, brings| collect(&mut all, (option, Some(brings)), most));
        sorted(end, all)
    }
}
