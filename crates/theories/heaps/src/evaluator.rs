//! Heap games with the face of all games: tables of boxes are swept, single positions are searched.

use crate::heap_tables::{HeapSweep, HeapTableError, Limits};
use bouton_core::{HeapGame, Impartial, LimitReached, Meter, Nimber, Play, Ruleset};
use bouton_engine::game::{
    BoxTables, ByNimValue, ByOutcome, Evaluation, Evaluator, Game, Kind, NamedRuleset, Settings,
    with_evaluator,
};
use std::ops::ControlFlow::{self, Break, Continue};

/// Evaluates by outcomes; tables of boxes come from a sweep where the moves allow one.
pub struct BySweep<R: Ruleset>(ByOutcome<R>);

impl<R: Ruleset + 'static> Evaluator<R> for BySweep<R> {
    const KIND: Kind = Kind::LastMove;

    fn new(rules: &R, settings: &Settings) -> Self {
        BySweep(ByOutcome::new(rules, settings))
    }

    fn evaluate(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        self.0.evaluate(rules, p, meter)
    }

    fn box_tables(game: &HeapGame, max: u32) -> Option<Box<dyn BoxTables>> {
        let sweep = HeapSweep::of(game).filter(|sweep| sweep.reaches(max))?;
        Some(Box::new(sweep))
    }
}

/// Returns the game of these rules, whose positions have nim-values.
pub fn impartial<R: Impartial + NamedRuleset + Clone + 'static>(rules: R) -> Box<dyn Game> {
    with_evaluator::<R, ByNimValue<R, BySweep<R>>>(rules)
}

/// Returns the game of these rules, won by the last move, whose positions have no nim-values.
pub fn last_move<R: NamedRuleset + Clone + 'static>(rules: R) -> Box<dyn Game> {
    with_evaluator::<R, BySweep<R>>(rules)
}

impl BoxTables for HeapSweep {
    fn p_positions(
        &self,
        max: u32,
        play: Play,
        bytes: u64,
        meter: &mut Meter,
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> Result<(), LimitReached> {
        let mut sizes = Vec::new();
        let end = HeapSweep::p_positions(
            self,
            max,
            play,
            Limits::bytes(bytes),
            |positions| spend(meter, positions),
            |p| {
                sizes.clear();
                sizes.extend(p.iter().map(|heap| u64::from(*heap)));
                visit(&sizes).map_break(|()| None)
            },
        );
        end.map_err(refused).and_then(ended)
    }

    fn nim_values(
        &self,
        max: u32,
        bytes: u64,
        meter: &mut Meter,
        visit: &mut dyn FnMut(&[u64], Nimber) -> ControlFlow<()>,
    ) -> Result<(), LimitReached> {
        let mut sizes = Vec::new();
        let end = HeapSweep::nim_values(
            self,
            max,
            Limits::bytes(bytes),
            |positions| spend(meter, positions),
            |p, value| {
                sizes.clear();
                sizes.extend(p.iter().map(|heap| u64::from(*heap)));
                visit(&sizes, Nimber(value.into())).map_break(|()| None)
            },
        );
        end.map_err(refused).and_then(ended)
    }
}

/// Charges positions that a sweep has settled.
fn spend(meter: &mut Meter, positions: u128) -> ControlFlow<Option<LimitReached>> {
    match meter.many(u64::try_from(positions).unwrap_or(u64::MAX)) {
        Ok(()) => Continue(()),
        Err(spent) => Break(Some(spent)),
    }
}

/// Returns why the visitor was not called to the end, if it did not end the sweep itself.
fn ended(end: ControlFlow<Option<LimitReached>>) -> Result<(), LimitReached> {
    match end {
        Break(Some(spent)) => Err(spent),
        Break(None) | Continue(()) => Ok(()),
    }
}

/// Returns why a table was not begun: only its size can be the reason, for the game was read before.
fn refused(error: HeapTableError) -> LimitReached {
    match error {
        HeapTableError::TooLarge { limit, .. } => LimitReached::Bytes(limit),
        HeapTableError::Heaps(_)
        | HeapTableError::Faces
        | HeapTableError::EmptyWindow
        | HeapTableError::Reach { .. } => LimitReached::Reach,
    }
}
