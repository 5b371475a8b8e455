//! Sessions and graphs of a game whose positions people write in one more way: they read what
//! people write, as its normal form does.

use crate::position_reader::PositionReader;
use bouton_core::{
    Board, Budget, LimitReached, Meter, MoveText, Nimber, NotationError, Outcome, Player,
};
use bouton_engine::game::{Analysis, Evaluation, Session, SuggestedMove};
use bouton_engine::game_graph::GameGraph;
use std::ops::ControlFlow;

/// Returns a position in the game's own notation.
fn own(reader: PositionReader, position: &str) -> Result<String, NotationError> {
    reader.read(position).unwrap_or_else(|| Ok(position.to_owned()))
}

/// Returns the position that numbers make as people write them; `None` if the game's own sizes are
/// meant.
fn written(reader: PositionReader, sizes: &[u64]) -> Option<String> {
    let text = sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    reader.read(&text)?.ok()
}

/// A session that reads positions in one more way.
pub(crate) struct ReadingSession<'g> {
    pub reader: PositionReader,
    pub session: Box<dyn Session + 'g>,
}

impl Session for ReadingSession<'_> {
    fn set_budget(&mut self, budget: Budget) {
        self.session.set_budget(budget);
    }
    fn analyse(&mut self, position: &str) -> Result<Analysis, NotationError> {
        self.session.analyse(&own(self.reader, position)?)
    }
    fn suggest_move(&mut self, position: &str) -> Result<Option<SuggestedMove>, NotationError> {
        self.session.suggest_move(&own(self.reader, position)?)
    }
    fn evaluate(
        &mut self,
        position: &str,
    ) -> Result<Result<Evaluation, LimitReached>, NotationError> {
        self.session.evaluate(&own(self.reader, position)?)
    }
    fn evaluate_sizes(&mut self, sizes: &[u64]) -> Option<Result<Evaluation, LimitReached>> {
        match written(self.reader, sizes) {
            Some(text) => self.session.evaluate(&text).ok(),
            None => self.session.evaluate_sizes(sizes),
        }
    }
    fn p_positions(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&str),
    ) -> Option<Result<(), LimitReached>> {
        self.session.p_positions(max, visit)
    }
    fn p_sizes(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        self.session.p_sizes(max, visit)
    }
    fn nim_value_table(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64], Nimber) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        self.session.nim_value_table(max, visit)
    }
    fn table(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64], Outcome) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        self.session.table(max, visit)
    }
    fn values(
        &mut self,
        to: u32,
        visit: &mut dyn FnMut(u32, Nimber),
    ) -> Option<Result<(), LimitReached>> {
        self.session.values(to, visit)
    }
}

/// A graph that reads positions in one more way.
pub(crate) struct ReadingGraph {
    pub reader: PositionReader,
    pub graph: Box<dyn GameGraph>,
}

impl GameGraph for ReadingGraph {
    fn describe(&self) -> String {
        self.graph.describe()
    }
    fn position_form(&self) -> String {
        self.graph.position_form()
    }
    fn read(&mut self, text: &str) -> Result<u32, NotationError> {
        self.graph.read(&own(self.reader, text)?)
    }
    fn print(&self, node: u32) -> String {
        self.graph.print(node)
    }
    fn position(&mut self, sizes: &[u64]) -> Option<u32> {
        match written(self.reader, sizes) {
            Some(text) => self.graph.read(&text).ok(),
            None => self.graph.position(sizes),
        }
    }
    fn sizes(&self, node: u32) -> Option<Vec<u64>> {
        self.graph.sizes(node)
    }
    fn start(&mut self) -> Option<u32> {
        self.graph.start()
    }
    fn options(&mut self, node: u32) -> Result<&[u32], LimitReached> {
        self.graph.options(node)
    }
    fn some_options(
        &mut self,
        node: u32,
        from: usize,
        most: usize,
    ) -> Result<Vec<u32>, LimitReached> {
        self.graph.some_options(node, from, most)
    }
    fn rank(&self, node: u32) -> Option<u64> {
        self.graph.rank(node)
    }
    fn canonical(&mut self, node: u32) -> u32 {
        self.graph.canonical(node)
    }
    fn seen_by_opponent(&mut self, node: u32) -> u32 {
        self.graph.seen_by_opponent(node)
    }
    fn summands(&mut self, node: u32) -> Result<Vec<u32>, LimitReached> {
        self.graph.summands(node)
    }
    fn value_by_table(
        &mut self,
        node: u32,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        self.graph.value_by_table(node, meter)
    }
    fn move_text(&self, from: u32, to: u32) -> MoveText {
        self.graph.move_text(from, to)
    }
    fn board(&self, node: u32) -> Board {
        self.graph.board(node)
    }
    fn mover(&self, node: u32) -> Option<Player> {
        self.graph.mover(node)
    }
    fn begin(&self, budget: &Budget) {
        self.graph.begin(budget);
    }
    fn stopped(&self) -> Option<LimitReached> {
        self.graph.stopped()
    }
    fn is_program(&self) -> bool {
        self.graph.is_program()
    }
    fn may_be_endless(&self) -> bool {
        self.graph.may_be_endless()
    }
    fn may_come_again(&self) -> bool {
        self.graph.may_come_again()
    }
}
