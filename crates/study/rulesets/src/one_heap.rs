//! Games of one heap whose moves a formula states, by the engines of any number of heaps: they make
//! the values of all heaps one after the other, sieve, and read bounds as ranges.

use crate::searched_rules::{Numbers, SearchedRules};
use crate::split_rules::{BySplits, SplitRules};
use bouton_core::{Coordinates, HeapGame, LimitReached, Meter, Nimber, Rows};
use bouton_engine::game::{BoxTables, Evaluation, Evaluator, Kind, Settings};

/// Evaluates one heap as one of any number of heaps, where that is the same game; else as `E` does.
pub struct ByOneHeap<E> {
    others: E,
    splits: Option<BySplits>,
}

impl<E: Evaluator<SearchedRules>> ByOneHeap<E> {
    /// Returns the game of any number of heaps, its evaluator and the heap in it, if all heaps up
    /// to this one are evaluated together.
    fn heap<'r>(
        &mut self,
        rules: &'r SearchedRules,
        p: &Numbers,
    ) -> Option<(&'r SplitRules, &mut BySplits, Rows)> {
        let (rules, splits) = (rules.as_splits()?, self.splits.as_mut()?);
        let &[size] = &p[..] else { return None };
        let row = rules.single(u32::try_from(size).ok()?)?;
        splits.evaluates_together(rules, &row).then_some((rules, splits, row))
    }
}

impl<E: Evaluator<SearchedRules>> Evaluator<SearchedRules> for ByOneHeap<E> {
    const KIND: Kind = E::KIND;

    fn new(rules: &SearchedRules, settings: &Settings) -> Self {
        ByOneHeap {
            others: E::new(rules, settings),
            splits: rules.as_splits().map(|rules| BySplits::new(rules, settings)),
        }
    }

    fn evaluate(
        &mut self,
        rules: &SearchedRules,
        p: &Numbers,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        match self.heap(rules, p) {
            Some((rules, splits, row)) => splits.evaluate(rules, &row, meter),
            None => self.others.evaluate(rules, p, meter),
        }
    }

    fn reach(&self, rules: &SearchedRules, p: &Numbers) -> Option<u64> {
        self.others.reach(rules, p)
    }

    fn nim_value(
        &mut self,
        rules: &SearchedRules,
        p: &Numbers,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        match self.heap(rules, p) {
            Some((rules, splits, row)) => splits.nim_value(rules, &row, meter),
            None => self.others.nim_value(rules, p, meter),
        }
    }

    fn value_by_table(
        &mut self,
        rules: &SearchedRules,
        p: &Numbers,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        match self.heap(rules, p) {
            Some((rules, splits, row)) => splits.value_by_table(rules, &row, meter),
            None => self.others.value_by_table(rules, p, meter),
        }
    }

    fn box_tables(game: &HeapGame, max: u32) -> Option<Box<dyn BoxTables>> {
        E::box_tables(game, max)
    }
}
