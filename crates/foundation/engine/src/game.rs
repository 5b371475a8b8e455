//! Object-safe interface to every game, used by the command line, the server and Python.
//!
//! A virtual call costs a position or a table, never a single option: behind [`Game`] and
//! [`Session`] all code is generic. Positions are passed as text in the game's notation.

pub use crate::erased::{NamedRuleset, impartial, last_move, scored, with_evaluator};
pub use crate::evaluator::{
    BoxTables, ByMargin, ByNimValue, ByOutcome, Evaluator, MAX_MOVES, ReachedOption,
};
use crate::game_graph::GameGraph;
use bouton_core::{
    Board, Budget, Consequence, DotsStructure, HeapGame, HeapMoves, LimitReached, MoveText, Moves,
    Nimber, NotationError, Outcome, OutcomeClass, Play, RuleSource, TableShape,
};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The kinds of values that the positions of a game have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Outcomes under both conventions, and nim-values in normal play.
    Impartial,
    /// Outcomes only, because the positions or the moves of the players differ (NIM with Cash,
    /// Domineering), or because positions may come again.
    LastMove,
    /// Margins of points.
    Scored,
}

/// Parameters of a session.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The winner at the end; ignored by games won on points.
    pub play: Play,
    /// The budget of each request.
    pub budget: Budget,
    /// Nodes spent on nim-values before only outcomes are sought; nim-values need far more of the
    /// game.
    pub nim_value_nodes: u64,
    /// Maximum number of moves that an analysis lists, visits counted; with more it lists none and
    /// reports so.
    pub most_moves: usize,
    /// Number of threads for a request, if the engine supports several. Results do not depend on
    /// it.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            play: Play::Normal,
            budget: Budget::default(),
            nim_value_nodes: 60_000,
            most_moves: MAX_MOVES,
            threads: 1,
        }
    }
}

/// The known value of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evaluation {
    /// The outcome, in games won by the last move.
    pub outcome: Option<Outcome>,
    /// The nim-value in normal play, if it exists and was found.
    pub nim_value: Option<Nimber>,
    /// The best margin of the player about to move, in games won on points.
    pub margin: Option<i32>,
    /// Lower and upper bound of the margin if it is not known exactly.
    pub bounds: Option<(i32, i32)>,
    /// Whether neither player can force the end of a game whose positions may come again: with best
    /// play it does not end, and there is no outcome.
    pub is_draw: bool,
}

impl Evaluation {
    /// Creates an evaluation from bounds of the margin.
    pub fn from_bounds(low: i32, high: i32) -> Evaluation {
        let exact = low == high;
        Evaluation {
            margin: exact.then_some(low),
            bounds: (!exact).then_some((low, high)),
            ..Evaluation::default()
        }
    }

    /// Creates the evaluation of a position in normal play from its nim-value.
    pub fn from_nim_value(value: Nimber) -> Evaluation {
        let outcome = if value == Nimber(0) { Outcome::P } else { Outcome::N };
        Evaluation { outcome: Some(outcome), nim_value: Some(value), ..Evaluation::default() }
    }

    /// Returns the lower and the upper bound of the margin, if any are known.
    pub fn margin_bounds(&self) -> Option<(i32, i32)> {
        self.margin.map(|margin| (margin, margin)).or(self.bounds)
    }
}

/// A move and the value of the option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The option, as text.
    pub to: String,
    /// The move, as a list of moves has it.
    pub text: MoveText,
    /// The value of the option for the player then to move. In games won on points the margin
    /// counts for the player who makes the move and includes the points that it wins.
    pub evaluation: Evaluation,
    /// The points won by the move, and whether the mover moves again; only in games won on points.
    pub brings: Option<Consequence>,
}

/// The evaluation of a position and of all its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The position in normal form.
    pub position: String,
    /// The value of the position.
    pub evaluation: Evaluation,
    /// Who wins for either player to begin, in games in which the moves of the two differ.
    pub class: Option<OutcomeClass>,
    /// Every option once, in the order of positions.
    pub moves: Vec<Move>,
    /// In games won on points, a line of best play to the end if the margin is known.
    pub best_play: Option<BestPlay>,
    /// Remarks on the position, in the terms of the game.
    pub remarks: Vec<Remark>,
    /// The reason why something is unknown.
    pub spent: Option<LimitReached>,
    /// Number of positions expanded.
    pub nodes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl Analysis {
    /// Creates the analysis of a position that was not searched: what is said of it and of its
    /// moves is known otherwise.
    pub fn without_search(position: String, evaluation: Evaluation, moves: Vec<Move>) -> Analysis {
        Analysis {
            position,
            evaluation,
            class: None,
            moves,
            best_play: None,
            remarks: Vec::new(),
            spent: None,
            nodes: 0,
            seconds: 0.0,
        }
    }

    /// Returns, in games won on points, the board after each move with a known margin, and that
    /// margin.
    pub fn margins(&self, game: &dyn Game) -> Vec<(Board, i32)> {
        let moves = self.moves.iter();
        moves.filter_map(|m| Some((game.board(&m.to).ok()?, m.evaluation.margin?))).collect()
    }
}

/// A fact about a position, in the terms of players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The subject.
    pub about: &'static str,
    /// The fact.
    pub text: String,
}

/// A line of best play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestPlay {
    /// The moves in order, as far as they were found.
    pub moves: Vec<Move>,
    /// The reason why the line ends before the game does.
    pub spent: Option<LimitReached>,
}

/// The proved period of the nim-values of a heap with a memory: two windows of heaps, each as long
/// as the most tokens of a move, have the same values for all memories, and nothing else decides
/// what comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapPeriod {
    /// The heap from which the values repeat, whatever is remembered.
    pub preperiod: u64,
    /// The period.
    pub period: u64,
    /// The most tokens that a move takes.
    pub most_taken: u64,
    /// The heap from which all heaps are moved in as those with `cycle` tokens more.
    pub alike_from: u64,
    /// How many tokens more make a heap that is moved in alike: 1 if all large heaps are.
    pub cycle: u64,
    /// How many memories play can lead to.
    pub memories: usize,
    /// The nim-values of the heaps below `preperiod + period`, with nothing remembered.
    pub values: Vec<u32>,
}

/// A game with fixed rules.
pub trait Game: Send + Sync {
    /// Returns the name in normal form: `CN(5,2)`.
    fn name(&self) -> String;
    /// Returns the rules in words.
    fn describe(&self) -> String;
    /// Returns the accepted form of a position.
    fn position_form(&self) -> String;
    /// Returns the kind of values of its positions.
    fn kind(&self) -> Kind;
    /// Returns the game's starting position, if it has one.
    fn start(&self) -> Option<String>;
    /// Returns all positions, if they are listed one by one as the nodes of a graph are.
    fn all(&self) -> Option<Vec<String>>;
    /// Returns the position in normal form.
    fn normal_form(&self, position: &str) -> Result<String, NotationError>;
    /// Returns the board of the position.
    fn board(&self, position: &str) -> Result<Board, NotationError>;
    /// Returns the structure that players see on the board, if it has a name.
    fn sight(&self, position: &str) -> Result<Option<DotsStructure>, NotationError>;
    /// Returns the position of one heap or row, if single numbers are positions.
    fn single(&self, size: u32) -> Option<String>;
    /// Returns the sizes that determine a position, or `None` if 64-bit numbers do not.
    fn sizes(&self, position: &str) -> Result<Option<Vec<u64>>, NotationError>;
    /// Returns the position with these sizes, if there is one.
    fn position(&self, sizes: &[u64]) -> Option<String>;
    /// Returns the heap game to which statements about positions refer.
    fn heap_game(&self) -> Option<HeapGame>;
    /// Returns the positions of which the game has tables; also of games without a statement of the
    /// moves.
    fn table_shape(&self) -> Option<TableShape>;
    /// Returns why nothing is proved of the game for all positions, though it has tables.
    fn tables_only(&self) -> Option<String>;
    /// Returns the moves for any number of heaps, for a game whose heaps keep their places when
    /// emptied.
    fn moves(&self) -> Option<Moves>;
    /// Returns how many of the last numbers of a position are remembered and no heaps.
    fn memory(&self) -> usize {
        let moves = self.heap_game().map(|stated| stated.moves).or_else(|| self.moves());
        moves.map_or(0, |moves| moves.memory.count)
    }
    /// Returns the period of the nim-values of one heap whose moves are bounded, proved, perhaps
    /// with a memory that begins with nothing remembered; `None` if the game is no such one, or if
    /// no period is proved.
    fn heap_period(&self, _budget: &Budget) -> Option<Result<HeapPeriod, LimitReached>> {
        None
    }
    /// Returns the moves in a single heap, if a code or a subtraction set describes them.
    fn heap_moves(&self) -> Option<HeapMoves>;
    /// Returns the rule files of the game; none for built-in games.
    fn rule_files(&self) -> Vec<Arc<RuleSource>>;
    /// Starts a session. All results are kept until the session is dropped.
    fn session(&self, settings: Settings) -> Box<dyn Session + '_>;
    /// Returns the game graph, which makes the game a summand.
    fn graph(&self) -> Box<dyn GameGraph>;
    /// Returns the rules by their own type, by which a theory recognises its games.
    fn ruleset(&self) -> &dyn Any;
}

/// A visitor of positions by their sizes, until it breaks.
pub type VisitSizes<'v> = &'v mut dyn FnMut(&[u64]) -> ControlFlow<()>;

/// A visitor of positions by their sizes and with what is known of each, until it breaks.
pub type VisitKnown<'v, T> = &'v mut dyn FnMut(&[u64], T) -> ControlFlow<()>;

/// A solver of one game under one convention of play.
pub trait Session {
    /// Sets the budget of further requests. Known results are kept.
    fn set_budget(&mut self, budget: Budget);
    /// Evaluates a position and all its moves.
    ///
    /// # Errors
    ///
    /// If `position` is not a position.
    fn analyse(&mut self, position: &str) -> Result<Analysis, NotationError>;
    /// Suggests a move in a game won on points: one that keeps the margin or, if the budget ends,
    /// the most promising one. `None` if there is no move.
    fn suggest_move(&mut self, position: &str) -> Result<Option<SuggestedMove>, NotationError>;
    /// Evaluates a position without its moves.
    fn evaluate(
        &mut self,
        position: &str,
    ) -> Result<Result<Evaluation, LimitReached>, NotationError>;
    /// Evaluates the position with these sizes; `None` if there is none.
    fn evaluate_sizes(&mut self, sizes: &[u64]) -> Option<Result<Evaluation, LimitReached>>;
    /// Visits the P-positions with every heap at most `max`: the least of each symmetry class, in
    /// lexicographic order. `None` if the game has no such table.
    fn p_positions(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&str),
    ) -> Option<Result<(), LimitReached>>;
    /// Visits the sizes of these P-positions until `visit` breaks; `None` if sizes do not determine
    /// a position.
    fn p_sizes(&mut self, max: u32, visit: VisitSizes<'_>) -> Option<Result<(), LimitReached>>;
    /// Visits the nim-values of the least position of each symmetry class with every heap at most
    /// `max`, in lexicographic order, until `visit` breaks. `None` if the game has no nim-values or
    /// no such table.
    fn nim_value_table(
        &mut self,
        max: u32,
        visit: VisitKnown<'_, Nimber>,
    ) -> Option<Result<(), LimitReached>>;
    /// Visits the outcomes of the least position of each symmetry class with every heap at most
    /// `max`, in lexicographic order, until `visit` breaks. `None` if the game has no such table.
    fn table(
        &mut self,
        max: u32,
        visit: VisitKnown<'_, Outcome>,
    ) -> Option<Result<(), LimitReached>>;
    /// Visits the nim-values of single heaps 0..=to; `None` if there are none.
    fn values(
        &mut self,
        to: u32,
        visit: &mut dyn FnMut(u32, Nimber),
    ) -> Option<Result<(), LimitReached>>;
}

/// A suggested move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedMove {
    /// The position after the move.
    pub to: String,
    /// The reason why the move is not proved to keep the margin; `None` if it is.
    pub unproven: Option<LimitReached>,
}
