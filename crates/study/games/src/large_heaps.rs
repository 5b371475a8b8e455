//! Games whose heaps are numbers of 32 bits, and the same rules for positions with larger ones.

use bouton_core::{
    Board, Budget, HeapGame, HeapMoves, LimitReached, Moves, Nimber, NotationError, Outcome, RuleSource,
    Sight, TableShape,
};
use bouton_engine::game::{Analysis, Evaluation, Game, Kind, Session, Settings, SuggestedMove};
use bouton_engine::game_graph::GameGraph;
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A game, and the same rules for larger heaps, of which single positions are searched.
pub(crate) struct LargeHeaps {
    pub small: Box<dyn Game>,
    pub large: Box<dyn Game>,
}

/// Whether a number in the text of a position has more than 32 bits.
fn is_large(position: &str) -> bool {
    let numbers = position.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.into_iter().any(|digits| digits.parse::<u32>().is_err())
}

impl LargeHeaps {
    fn for_position(&self, position: &str) -> &dyn Game {
        if is_large(position) { &*self.large } else { &*self.small }
    }
}

impl Game for LargeHeaps {
    fn name(&self) -> String {
        self.small.name()
    }
    fn describe(&self) -> String {
        self.small.describe()
    }
    fn position_form(&self) -> String {
        self.small.position_form()
    }
    fn kind(&self) -> Kind {
        self.small.kind()
    }
    fn start(&self) -> Option<String> {
        self.small.start()
    }
    fn all(&self) -> Option<Vec<String>> {
        self.small.all()
    }
    fn normal_form(&self, position: &str) -> Result<String, NotationError> {
        self.for_position(position).normal_form(position)
    }
    fn board(&self, position: &str) -> Result<Board, NotationError> {
        self.for_position(position).board(position)
    }
    fn sight(&self, position: &str) -> Result<Option<Sight>, NotationError> {
        self.for_position(position).sight(position)
    }
    fn single(&self, size: u32) -> Option<String> {
        self.small.single(size)
    }
    fn sizes(&self, position: &str) -> Result<Option<Vec<u64>>, NotationError> {
        self.for_position(position).sizes(position)
    }
    fn position(&self, sizes: &[u64]) -> Option<String> {
        self.small.position(sizes).or_else(|| self.large.position(sizes))
    }
    fn heap_game(&self) -> Option<HeapGame> {
        self.small.heap_game()
    }
    fn table_shape(&self) -> Option<TableShape> {
        self.small.table_shape()
    }
    fn tables_only(&self) -> Option<String> {
        self.small.tables_only()
    }
    fn moves(&self) -> Option<Moves> {
        self.small.moves()
    }
    fn heap_moves(&self) -> Option<HeapMoves> {
        self.small.heap_moves()
    }
    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        self.small.rule_files()
    }
    fn session(&self, settings: Settings) -> Box<dyn Session + '_> {
        let large = self.large.session(settings.clone());
        Box::new(LargeHeapsSession { small: self.small.session(settings), large })
    }
    fn graph(&self) -> Box<dyn GameGraph> {
        self.small.graph()
    }
    fn ruleset(&self) -> &dyn Any {
        self.small.ruleset()
    }
}

struct LargeHeapsSession<'g> {
    small: Box<dyn Session + 'g>,
    large: Box<dyn Session + 'g>,
}

impl<'g> LargeHeapsSession<'g> {
    fn for_position(&mut self, position: &str) -> &mut (dyn Session + 'g) {
        if is_large(position) { &mut *self.large } else { &mut *self.small }
    }
}

impl Session for LargeHeapsSession<'_> {
    fn set_budget(&mut self, budget: Budget) {
        self.small.set_budget(budget.clone());
        self.large.set_budget(budget);
    }
    fn analyse(&mut self, position: &str) -> Result<Analysis, NotationError> {
        self.for_position(position).analyse(position)
    }
    fn suggest_move(&mut self, position: &str) -> Result<Option<SuggestedMove>, NotationError> {
        self.for_position(position).suggest_move(position)
    }
    fn evaluate(&mut self, position: &str) -> Result<Result<Evaluation, LimitReached>, NotationError> {
        self.for_position(position).evaluate(position)
    }
    fn evaluate_sizes(&mut self, sizes: &[u64]) -> Option<Result<Evaluation, LimitReached>> {
        let found = self.small.evaluate_sizes(sizes);
        found.or_else(|| self.large.evaluate_sizes(sizes))
    }
    fn p_positions(&mut self, max: u32, visit: &mut dyn FnMut(&str)) -> Option<Result<(), LimitReached>> {
        self.small.p_positions(max, visit)
    }
    fn p_sizes(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        self.small.p_sizes(max, visit)
    }
    fn nim_value_table(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64], Nimber) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        self.small.nim_value_table(max, visit)
    }
    fn table(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64], Outcome) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        self.small.table(max, visit)
    }
    fn values(&mut self, to: u32, visit: &mut dyn FnMut(u32, Nimber)) -> Option<Result<(), LimitReached>> {
        self.small.values(to, visit)
    }
}
