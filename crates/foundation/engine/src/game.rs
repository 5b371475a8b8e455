//! The one object-safe face of every game: what command line, server and Python see.
//!
//! `dyn` is crossed once a job (a position to analyse, a table to fill), never once an option: behind [`Game`] and
//! [`Session`] everything is generic. Positions cross as text in the game's notation.

use crate::atlas::{Atlas, Numbered};
use crate::margins::Margins;
use crate::nim_values::NimValues;
use crate::outcomes::Outcomes;
use crate::table::Table;
use bouton_core::{
    Appearance, Board, Budget, Consequence, Coordinates, HeapGame, HeapMoves, Impartial, LimitReached, Meter,
    Moves, Nimber, Notation, NotationError, Outcome, Play, RuleSource, Ruleset, Scored, Sight,
};
use std::marker::PhantomData;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

/// What can be asked of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Outcomes under both conventions, nim-values in normal play.
    Impartial,
    /// Outcomes only: the players' positions differ (NIM with Cash).
    LastMove,
    /// Margins.
    Scored,
}

/// How to solve.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Who wins at the end; ignored by scored games.
    pub play: Play,
    /// What a question may cost.
    pub budget: Budget,
    /// Nodes that may go into nim-values before outcomes alone are sought; they need far more of the game.
    pub nim_value_nodes: u64,
    /// The most moves that an analysis lists, visits counted; with more it lists none and says so.
    pub most_moves: usize,
    /// Threads for one question, where the engine can use more than one: answers are the same, what they take is not.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            play: Play::Normal,
            budget: Budget::default(),
            nim_value_nodes: 60_000,
            most_moves: MOST_MOVES,
            threads: 1,
        }
    }
}

/// What is known of one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evaluation {
    /// Who wins, where somebody does.
    pub outcome: Option<Outcome>,
    /// In normal play, where it exists and was within reach.
    pub nim_value: Option<Nimber>,
    /// The best margin of the player about to move, in scored games.
    pub margin: Option<i32>,
    /// Where that is not known: that it is at least and at most so much.
    pub bounds: Option<(i32, i32)>,
}

impl Evaluation {
    /// A margin of which so much is known.
    pub fn within(low: i32, high: i32) -> Evaluation {
        let exact = low == high;
        Evaluation {
            margin: exact.then_some(low),
            bounds: (!exact).then_some((low, high)),
            ..Evaluation::default()
        }
    }

    /// What is known of the margin: at least and at most so much.
    pub fn range(&self) -> Option<(i32, i32)> {
        self.margin.map(|margin| (margin, margin)).or(self.bounds)
    }
}

/// One move and what is known of the position it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The option, as text.
    pub to: String,
    /// The move in words.
    pub text: String,
    /// The option evaluated, by the player then to move. In scored games the margin counts for the player who makes
    /// the move, the points it wins included.
    pub evaluation: Evaluation,
    /// Points won by the move, and whether the mover moves again; scored games only.
    pub brings: Option<Consequence>,
}

/// A position, evaluated, with all its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The position in normal form.
    pub position: String,
    /// The position evaluated.
    pub evaluation: Evaluation,
    /// Every option once, in the order of positions.
    pub moves: Vec<Move>,
    /// In scored games, a line of best play to the end, where the margin is known.
    pub best_play: Option<BestPlay>,
    /// What players say of such a position, in the words of the game.
    pub remarks: Vec<Remark>,
    /// Why something is unknown.
    pub spent: Option<LimitReached>,
    /// Positions expanded.
    pub nodes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl Analysis {
    /// In scored games, the board after every move whose margin is known, and that margin.
    pub fn margins(&self, game: &dyn Game) -> Vec<(Board, i32)> {
        let moves = self.moves.iter();
        moves.filter_map(|m| Some((game.board(&m.to).ok()?, m.evaluation.margin?))).collect()
    }
}

/// A fact about a position, in the words of players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// What it is about.
    pub about: &'static str,
    /// The fact.
    pub text: String,
}

/// A line of best play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestPlay {
    /// The moves, one after the other, as far as they were found.
    pub moves: Vec<Move>,
    /// Why the line ends before the game does.
    pub spent: Option<LimitReached>,
}

/// A game with its rules fixed.
pub trait Game: Send + Sync {
    /// The name in normal form: `CN(5,2)`.
    fn name(&self) -> String;
    /// The rules in words.
    fn describe(&self) -> String;
    /// The accepted form of a position.
    fn position_form(&self) -> String;
    /// What can be asked.
    fn kind(&self) -> Kind;
    /// The game's own starting position.
    fn start(&self) -> Option<String>;
    /// The position as the game writes it.
    fn normal_form(&self, position: &str) -> Result<String, NotationError>;
    /// What the position looks like.
    fn board(&self, position: &str) -> Result<Board, NotationError>;
    /// What players see on its board, where there is a word for it.
    fn sight(&self, position: &str) -> Result<Option<Sight>, NotationError>;
    /// The position of one heap or row, where single numbers are positions.
    fn single(&self, size: u32) -> Option<String>;
    /// The numbers that make a position, where some of 64 bits do.
    fn sizes(&self, position: &str) -> Result<Option<Vec<u64>>, NotationError>;
    /// The position that these numbers make, if there is one.
    fn position(&self, sizes: &[u64]) -> Option<String>;
    /// The heaps that statements about positions speak of.
    fn heap_game(&self) -> Option<HeapGame>;
    /// What a move is, on as many heaps as a position has; of a game whose heaps stay where they are emptied.
    fn moves(&self) -> Option<Moves>;
    /// How a single heap is played, where a code or a set of takings says it all.
    fn heap_moves(&self) -> Option<HeapMoves>;
    /// The rule files that the game was read from; none for the games that come with Bouton.
    fn rule_files(&self) -> Vec<Arc<RuleSource>>;
    /// Starts solving. Everything learnt is kept until the session is dropped.
    fn session(&self, settings: Settings) -> Box<dyn Session + '_>;
    /// The game as a summand.
    fn atlas(&self) -> Box<dyn Atlas>;
}

/// Solving one game under one convention.
pub trait Session {
    /// Goes on with another budget: what is known is kept.
    fn renew(&mut self, budget: Budget);
    /// Evaluates a position and all its moves.
    fn analyse(&mut self, position: &str) -> Result<Analysis, NotationError>;
    /// A move to answer with, of a game won on points: one that keeps the margin, or where the budget ended first a guess. `None`
    /// where there is no move.
    fn reply(&mut self, position: &str) -> Result<Option<Reply>, NotationError>;
    /// Evaluates a position alone.
    fn evaluate(&mut self, position: &str) -> Result<Result<Evaluation, LimitReached>, NotationError>;
    /// Evaluates the position that these numbers make; `None` where they make none.
    fn evaluate_sizes(&mut self, sizes: &[u64]) -> Option<Result<Evaluation, LimitReached>>;
    /// Visits the P-positions with every heap at most `max`, the least of each symmetry class, in lexicographic
    /// order; `None` where the game has no such table.
    fn p_positions(&mut self, max: u32, visit: &mut dyn FnMut(&str)) -> Option<Result<(), LimitReached>>;
    /// The same as sizes, until `visit` breaks; `None` where sizes don't make a position.
    fn p_sizes(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>>;
    /// Visits the nim-values of the least position of each symmetry class with every heap at most `max`, in
    /// lexicographic order, until `visit` breaks; `None` where there are none.
    fn nim_value_table(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64], Nimber) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>>;
    /// Visits the least position of each symmetry class with every heap at most `max`, in lexicographic order, as its
    /// sizes, until `visit` breaks; `None` where the game has no such table.
    fn table(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64], Outcome) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>>;
    /// Visits the nim-values of single heaps 0..=to; `None` where there are none.
    fn values(&mut self, to: u32, visit: &mut dyn FnMut(u32, Nimber)) -> Option<Result<(), LimitReached>>;
}

/// A move to answer with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The position that it leads to.
    pub to: String,
    /// Why it is a guess; `None` where it keeps the margin for certain.
    pub guessed: Option<LimitReached>,
}

/// How positions of a ruleset are evaluated: one type a [`Kind`].
pub trait Evaluator<R: Ruleset>: Send + Sync + 'static {
    /// What it can tell.
    const KIND: Kind;
    /// Empty tables for these rules.
    fn new(rules: &R, settings: &Settings) -> Self;
    /// Evaluates `p`.
    fn evaluate(&mut self, rules: &R, p: &R::Position, meter: &mut Meter)
    -> Result<Evaluation, LimitReached>;
    /// What is known of `p` without further work, after the budget ended.
    fn known(&self, rules: &R, p: &R::Position) -> Evaluation {
        let _ = (rules, p);
        Evaluation::default()
    }
    /// What players say of `p`, whose margin may be known.
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
    /// A move that keeps the margin, what it brings beside; `None` where there is none, or no margins.
    fn best_move(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Option<(R::Position, Consequence)>, LimitReached> {
        let _ = (rules, p, meter);
        Ok(None)
    }
    /// Every option once, in order, with what the move brings; at most `most`, visits counted.
    fn moves(&self, rules: &R, p: &R::Position, most: usize) -> Result<Vec<Reached<R>>, LimitReached> {
        let mut all = Vec::new();
        sorted(rules.options(p, |option| collect(&mut all, (option, None), most)), all)
    }
    /// The nim-value, where it exists.
    fn nim_value(
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
    /// Returns a faster method for tables of the box with heaps of at most `max`; `None` if there is none, and tables
    /// are filled position by position.
    fn box_tables(game: &HeapGame, max: u32) -> Option<Box<dyn BoxTables>> {
        let _ = (game, max);
        None
    }
}

/// A method that finds all P-positions or nim-values of a box of a heap game at once.
///
/// Both visit the least position of each symmetry class, in lexicographic order, until `visit` breaks. Tables may take
/// so many bytes; the meter is charged for every position of the box.
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
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
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
        visit: &mut dyn FnMut(&[u64], Nimber) -> ControlFlow<()>,
    ) -> Result<(), LimitReached>;
}

/// The most moves that an analysis lists, unless told.
pub const MOST_MOVES: usize = 1 << 22;

/// An option and, in scored games, what the move brings.
pub type Reached<R> = (<R as Ruleset>::Position, Option<Consequence>);

/// Keeps an option, unless there are too many.
fn collect<T>(all: &mut Vec<T>, option: T, most: usize) -> ControlFlow<LimitReached> {
    if all.len() == most {
        return Break(LimitReached::Bytes((most * size_of::<T>()) as u64));
    }
    all.push(option);
    Continue(())
}

/// The options collected, each once, in order.
fn sorted<P: Ord, C>(
    end: ControlFlow<LimitReached>,
    mut all: Vec<(P, C)>,
) -> Result<Vec<(P, C)>, LimitReached> {
    if let Break(spent) = end {
        return Err(spent);
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all.dedup_by(|a, b| a.0 == b.0);
    Ok(all)
}

/// Evaluates by nim-values as far as they are within reach, else by outcomes, which `O` finds.
pub struct ByNimValue<R: Ruleset, O = ByOutcome<R>> {
    outcomes: O,
    values: NimValues<R::Position>,
    normal: bool,
    nodes_left: u64,
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

    fn evaluate(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        if self.normal && self.nodes_left > 0 {
            let nodes = self.nodes_left;
            let mut share = meter.share(nodes);
            let value = self.values.of(rules, p, &mut share);
            self.nodes_left -= share.nodes();
            meter.absorb(&share);
            match value {
                Ok(value) => {
                    let outcome = if value == Nimber(0) { Outcome::P } else { Outcome::N };
                    return Ok(Evaluation {
                        outcome: Some(outcome),
                        nim_value: Some(value),
                        ..Evaluation::default()
                    });
                }
                Err(LimitReached::Nodes(_)) => self.nodes_left = 0,
                Err(spent) => return Err(spent),
            }
        }
        self.outcomes.evaluate(rules, p, meter)
    }

    fn nim_value(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        Some(self.values.of(rules, p, meter))
    }

    fn summands(rules: &R, p: &R::Position, visit: &mut dyn FnMut(R::Position)) {
        rules.summands(p, visit);
    }

    fn box_tables(game: &HeapGame, max: u32) -> Option<Box<dyn BoxTables>> {
        O::box_tables(game, max)
    }
}

/// Evaluates by outcomes alone.
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
        Ok(Evaluation { outcome: Some(self.0.of(rules, p, meter)?), ..Evaluation::default() })
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
        Ok(Evaluation { margin: Some(self.0.of(rules, p, meter)?), ..Evaluation::default() })
    }

    fn known(&self, rules: &R, p: &R::Position) -> Evaluation {
        let (low, high) = self.0.known(rules, p);
        Evaluation::within(low, high)
    }

    fn best_move(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Option<(R::Position, Consequence)>, LimitReached> {
        self.0.best_move(rules, p, meter)
    }

    fn moves(&self, rules: &R, p: &R::Position, most: usize) -> Result<Vec<Reached<R>>, LimitReached> {
        let mut all = Vec::new();
        let end = rules.scored_options(p, |option, brings| collect(&mut all, (option, Some(brings)), most));
        sorted(end, all)
    }
}

/// Rules that can be asked for all that a [`Game`] tells.
pub trait Described: Notation + Coordinates + Appearance {}

impl<R: Notation + Coordinates + Appearance> Described for R {}

/// The numbers of a position of a table.
fn sizes<R: Coordinates>(rules: &R, p: &R::Position) -> Vec<u64> {
    rules.sizes(p).unwrap_or_default()
}

/// A ruleset behind the face of [`Game`].
struct Facade<R, J> {
    rules: R,
    evaluator: PhantomData<fn() -> J>,
}

/// A game whose positions have nim-values.
pub fn impartial<R: Impartial + Described + Clone + 'static>(rules: R) -> Box<dyn Game> {
    with_evaluator::<R, ByNimValue<R>>(rules)
}

/// A game won by the last move whose positions have no nim-values.
pub fn last_move<R: Described + Clone + 'static>(rules: R) -> Box<dyn Game> {
    with_evaluator::<R, ByOutcome<R>>(rules)
}

/// A game won on points.
pub fn scored<R: Scored + Described + Clone + 'static>(rules: R) -> Box<dyn Game> {
    with_evaluator::<R, ByMargin<R>>(rules)
}

/// A game whose family knows a faster judge than the generic ones.
pub fn with_evaluator<R: Described + Clone + 'static, J: Evaluator<R>>(rules: R) -> Box<dyn Game> {
    Box::new(Facade::<R, J> { rules, evaluator: PhantomData })
}

impl<R: Described + Clone + 'static, J: Evaluator<R>> Game for Facade<R, J> {
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
    fn normal_form(&self, position: &str) -> Result<String, NotationError> {
        Ok(self.rules.print(&self.rules.read(position)?))
    }
    fn board(&self, position: &str) -> Result<Board, NotationError> {
        Ok(self.rules.board(&self.rules.read(position)?))
    }
    fn sight(&self, position: &str) -> Result<Option<Sight>, NotationError> {
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
        Box::new(Run::<R, J> { rules: &self.rules, evaluator: J::new(&self.rules, &settings), settings })
    }
    fn atlas(&self) -> Box<dyn Atlas> {
        Box::new(Numbered::new(self.rules.clone(), J::summands))
    }
}

/// A session of one ruleset.
struct Run<'g, R: Ruleset, J> {
    rules: &'g R,
    evaluator: J,
    settings: Settings,
}

impl<R: Described, J: Evaluator<R>> Run<'_, R, J> {
    /// A line of best play from `p`.
    fn best_play(&mut self, p: &R::Position, meter: &mut Meter) -> BestPlay {
        let (mut p, mut moves) = (p.clone(), Vec::new());
        let spent = loop {
            match self.evaluator.best_move(self.rules, &p, meter) {
                Ok(Some((option, brings))) => {
                    let (to, text) = (self.rules.print(&option), self.rules.move_text(&p, &option));
                    moves.push(Move { to, text, evaluation: Evaluation::default(), brings: Some(brings) });
                    p = option;
                }
                Ok(None) => break None,
                Err(end) => break Some(end),
            }
        };
        BestPlay { moves, spent }
    }
}

impl<R: Described, J: Evaluator<R>> Run<'_, R, J> {
    /// Visits the outcomes of the canonical positions of a box, one meter for all.
    fn fill(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&R::Position, Outcome) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        let (rules, heaps) = (self.rules, self.rules.heap_game());
        let mut meter = Meter::new(&self.settings.budget);
        let limit = self.bytes();
        let mut table = match &heaps {
            // Circles that close up don't come in the order of places.
            Some(game) if !game.shrinks => Table::new(self.settings.play, game.heaps, max, limit),
            _ => Table::new(self.settings.play, 0, 0, 0),
        };
        let end: ControlFlow<Option<LimitReached>> = rules.positions_up_to(max, |p| {
            if rules.canonical(p.clone()) != p {
                return Continue(());
            }
            match table.of(rules, &p, &mut meter) {
                Ok(outcome) => visit(&p, outcome).map_break(|()| None),
                Err(spent) => Break(Some(spent)),
            }
        })?;
        Some(ended(end))
    }

    /// Returns the bytes that tables may take.
    fn bytes(&self) -> u64 {
        self.settings.budget.bytes.unwrap_or(MOST_BYTES)
    }

    /// Returns the faster method for the box, if there is one.
    fn box_tables(&self, max: u32) -> Option<Box<dyn BoxTables>> {
        J::box_tables(&self.rules.heap_game()?, max)
    }

    /// Visits the canonical P-positions of a box by the faster method, if there is one.
    fn swept(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        let tables = self.box_tables(max)?;
        let mut meter = Meter::new(&self.settings.budget);
        Some(tables.p_positions(max, self.settings.play, self.bytes(), &mut meter, visit))
    }
}

/// Bytes of tables where the budget has no limit.
const MOST_BYTES: u64 = 4 << 30;

/// Why the visitor was not called to the end, if it did not end it itself.
fn ended(end: ControlFlow<Option<LimitReached>>) -> Result<(), LimitReached> {
    match end {
        Break(Some(spent)) => Err(spent),
        Break(None) | Continue(()) => Ok(()),
    }
}

impl<R: Described, J: Evaluator<R>> Session for Run<'_, R, J> {
    fn renew(&mut self, budget: Budget) {
        self.settings.budget = budget;
    }

    fn analyse(&mut self, position: &str) -> Result<Analysis, NotationError> {
        let p = self.rules.read(position)?;
        let mut meter = Meter::new(&self.settings.budget);
        let (mut spent, mut too_many) = (None, None);
        // When the time is up, or somebody asked to stop, nothing more is begun: each question would cost a little.
        let over = |spent: &Option<LimitReached>| {
            matches!(spent, Some(LimitReached::Time(_) | LimitReached::Cancelled))
        };
        let mut judge = |evaluator: &mut J, p: &R::Position, meter: &mut Meter| {
            if over(&spent) {
                return evaluator.known(self.rules, p);
            }
            evaluator.evaluate(self.rules, p, meter).unwrap_or_else(|end| {
                spent = Some(end);
                evaluator.known(self.rules, p)
            })
        };
        let mut evaluation = judge(&mut self.evaluator, &p, &mut meter);
        let mut moves = Vec::new();
        let reached = self.evaluator.moves(self.rules, &p, self.settings.most_moves).unwrap_or_else(|end| {
            too_many = Some(end);
            Vec::new()
        });
        for (option, brings) in reached {
            let mut evaluation = judge(&mut self.evaluator, &option, &mut meter);
            if let (Some(brings), Some((low, high))) = (brings, evaluation.range()) {
                let gain = brings.gain as i32;
                let (low, high) = if brings.again { (low, high) } else { (-high, -low) };
                let margin = Evaluation::within(gain + low, gain + high);
                evaluation = Evaluation { margin: margin.margin, bounds: margin.bounds, ..evaluation };
            }
            let (to, text) = (self.rules.print(&option), self.rules.move_text(&p, &option));
            moves.push(Move { to, text, evaluation, brings });
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
        if let Some((low, high)) = evaluation.bounds
            && too_many.is_none()
        {
            // The best move tells; bounds of moves may have been learnt after those of the position.
            let ranges: Option<Vec<_>> = moves.iter().map(|m| m.evaluation.range()).collect();
            let best = |end: fn(&(i32, i32)) -> i32| ranges.as_ref()?.iter().map(end).max();
            let low = best(|range| range.0).map_or(low, |best| best.max(low));
            let high = best(|range| range.1).map_or(high, |best| best.min(high));
            evaluation = Evaluation::within(low, high);
        }
        Ok(Analysis {
            position: self.rules.print(&p),
            evaluation,
            moves,
            best_play,
            remarks,
            spent: spent.or(too_many),
            nodes: meter.nodes(),
            seconds: meter.elapsed().as_secs_f64(),
        })
    }

    fn reply(&mut self, position: &str) -> Result<Option<Reply>, NotationError> {
        let p = self.rules.read(position)?;
        let mut meter = Meter::new(&self.settings.budget);
        let guessed = match self.evaluator.best_move(self.rules, &p, &mut meter) {
            Ok(best) => {
                return Ok(best.map(|(q, _)| Reply { to: self.rules.print(&q), guessed: None }));
            }
            Err(limit) => limit,
        };
        // The middle of what is known of each move; the position says which of equals.
        let all = self.evaluator.moves(self.rules, &p, self.settings.most_moves).unwrap_or_default();
        let middle = |(q, brings): &Reached<R>| {
            let (low, high) = self.evaluator.known(self.rules, q).range().unwrap_or_default();
            match brings {
                Some(brings) if brings.again => 2 * brings.gain as i32 + low + high,
                _ => -low - high,
            }
        };
        let best = all.iter().map(middle).max();
        let equal: Vec<&Reached<R>> = all.iter().filter(|reached| Some(middle(reached)) == best).collect();
        let lot = position.bytes().fold(7usize, |lot, byte| lot.wrapping_mul(31).wrapping_add(byte.into()));
        let chosen = equal.get(lot % equal.len().max(1));
        Ok(chosen.map(|(q, _)| Reply { to: self.rules.print(q), guessed: Some(guessed) }))
    }

    fn evaluate(&mut self, position: &str) -> Result<Result<Evaluation, LimitReached>, NotationError> {
        let p = self.rules.read(position)?;
        Ok(self.evaluator.evaluate(self.rules, &p, &mut Meter::new(&self.settings.budget)))
    }

    fn evaluate_sizes(&mut self, sizes: &[u64]) -> Option<Result<Evaluation, LimitReached>> {
        let p = self.rules.position(sizes)?;
        Some(self.evaluator.evaluate(self.rules, &p, &mut Meter::new(&self.settings.budget)))
    }

    fn p_positions(&mut self, max: u32, visit: &mut dyn FnMut(&str)) -> Option<Result<(), LimitReached>> {
        if self.box_tables(max).is_some() {
            return self.swept(max, &mut |p| {
                visit(&text(p));
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

    fn p_sizes(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        self.rules.heap_game()?;
        if self.box_tables(max).is_some() {
            return self.swept(max, visit);
        }
        let rules = self.rules;
        self.fill(max, &mut |p, outcome| if outcome.is_p() { visit(&sizes(rules, p)) } else { Continue(()) })
    }

    fn nim_value_table(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64], Nimber) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        if J::KIND != Kind::Impartial {
            return None;
        }
        let rules = self.rules;
        let mut meter = Meter::new(&self.settings.budget);
        rules.heap_game()?;
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
        visit: &mut dyn FnMut(&[u64], Outcome) -> ControlFlow<()>,
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

    fn values(&mut self, to: u32, visit: &mut dyn FnMut(u32, Nimber)) -> Option<Result<(), LimitReached>> {
        let mut meter = Meter::new(&self.settings.budget);
        for size in 0..=to {
            let p = self.rules.single(size)?;
            // What is visited is kept, as numbers of 32 bits.
            if let Err(spent) = meter.holding(size_of::<u32>() as u64 * u64::from(size)) {
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

/// A position of a game with a sweep, in its notation.
fn text(sizes: &[u64]) -> String {
    let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
    if sizes.is_empty() { "0".into() } else { sizes.join(",") }
}
