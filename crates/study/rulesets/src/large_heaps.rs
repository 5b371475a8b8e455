//! Games whose heaps are numbers of 32 bits, and the same rules for positions with larger ones.

use crate::bounded_steps::{BoundedSteps, Repeating};
use crate::searched_rules::{Numbers, SearchedRules};
use bouton_automata::Numeration;
use bouton_core::{
    Board, Budget, DotsStructure, Formula, HeapGame, HeapMoves, LimitReached, Meter, Moves, Nimber,
    Notation, NotationError, Outcome, Play, RuleSource, TableShape, WrittenNumber, mex,
};
use bouton_engine::game::{
    Analysis, Evaluation, Game, HeapPeriod, Kind, Move, Remark, Session, Settings, SuggestedMove,
    VisitKnown, VisitSizes,
};
use bouton_engine::game_graph::GameGraph;
use rustc_hash::FxHashMap;
use std::any::Any;
use std::sync::{Arc, OnceLock};

/// Heaps up to this one are searched: that takes no time, and finds what play leads to.
const SEARCHED: u64 = 256;

/// Heaps above this one are evaluated by their options, if a table of nim-values reaches these.
const TABLE_FROM: u64 = 1 << 20;
/// The largest heap of such a table.
const MAX_TABLE: u32 = 1 << 26;

/// A game, and the same rules for larger heaps, of which single positions are searched.
pub struct LargeHeaps {
    /// The game of heaps that automata read.
    pub small: Box<dyn Game>,
    /// The same game of greater heaps.
    pub large: Box<dyn Game>,
    /// Of a game on one heap, perhaps with a memory, or on any number of heaps, each by itself.
    pub steps: Option<Steps>,
}

/// The rules of a game on one heap, perhaps with a memory, whose moves may be bounded.
pub struct Steps {
    rules: SearchedRules,
    condition: Formula,
    /// Nothing, if it is not proved that they are.
    bounded: OnceLock<Option<BoundedSteps>>,
}

impl Steps {
    /// Returns the rules, with the formula of their moves in binary digits.
    pub fn new(rules: SearchedRules, condition: Formula) -> Steps {
        Steps { rules, condition, bounded: OnceLock::new() }
    }

    /// Returns the rules with a bound of their moves, if that is proved within a part of the
    /// budget.
    fn bounded(&self, budget: &Budget) -> Option<&BoundedSteps> {
        let least = |limit: Option<u64>, most| Some(limit.map_or(most, |limit| limit.min(most)));
        let (nodes, bytes) = (least(budget.nodes, 1 << 22), least(budget.bytes, 1 << 28));
        let mut meter = || Meter::new(&Budget { nodes, bytes, ..budget.clone() });
        let mut proved = || {
            BoundedSteps::new(self.rules.clone(), &self.condition, Numeration::Binary, &mut meter)
        };
        self.bounded.get_or_init(|| proved().ok().flatten()).as_ref()
    }
}

/// Returns whether a number in the text of a position has more than 32 bits.
fn is_large(position: &str) -> bool {
    let mut rest = position;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let Some(written) = WrittenNumber::at_start(&rest[at..]) else { return false };
        if written.value().is_none_or(|number| u32::try_from(number).is_err()) {
            return true;
        }
        rest = &rest[at + written.length..];
    }
    false
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
    fn sight(&self, position: &str) -> Result<Option<DotsStructure>, NotationError> {
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
    fn heap_period(&self, budget: &Budget) -> Option<Result<HeapPeriod, LimitReached>> {
        let steps = self.steps.as_ref()?;
        let bounded = steps.bounded(budget)?;
        let nothing = vec![0; steps.condition.free / 2 - 1];
        let found = bounded.repeating(&nothing, Play::Normal, &mut Meter::new(budget));
        found.map(|found| found.map(|found| bounded.period(&nothing, &found))).transpose()
    }
    fn heap_moves(&self) -> Option<HeapMoves> {
        self.small.heap_moves()
    }
    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        self.small.rule_files()
    }
    fn session(&self, settings: Settings) -> Box<dyn Session + '_> {
        let large = self.large.session(settings.clone());
        let (play, budget) = (settings.play, settings.budget.clone());
        let small = self.small.session(settings);
        Box::new(LargeHeapsSession {
            game: self,
            small,
            large,
            play,
            budget,
            repeating: FxHashMap::default(),
        })
    }
    fn graph(&self) -> Box<dyn GameGraph> {
        self.small.graph()
    }
    fn ruleset(&self) -> &dyn Any {
        self.small.ruleset()
    }
}

struct LargeHeapsSession<'g> {
    game: &'g LargeHeaps,
    small: Box<dyn Session + 'g>,
    large: Box<dyn Session + 'g>,
    play: Play,
    budget: Budget,
    /// By the memory from which play begins; nothing if no period was found.
    repeating: FxHashMap<Numbers, Option<Arc<Repeating>>>,
}

impl<'g> LargeHeapsSession<'g> {
    fn for_position(&mut self, position: &str) -> &mut (dyn Session + 'g) {
        if is_large(position) { &mut *self.large } else { &mut *self.small }
    }

    /// Returns the values of a large heap with a memory, if they repeat.
    fn repeating(&mut self, p: &[u64]) -> Option<Arc<Repeating>> {
        let steps = self.game.steps.as_ref()?;
        let (heap, memory) = p.split_first()?;
        if *heap <= SEARCHED {
            return None;
        }
        if let Some(known) = self.repeating.get(memory) {
            return known.clone();
        }
        let bounded = steps.bounded(&self.budget)?;
        // A search says why it ends.
        let found =
            bounded.repeating(memory, self.play, &mut Meter::new(&self.budget)).ok().flatten();
        let found = found.map(Arc::new);
        self.repeating.insert(Numbers::from_slice(memory), found.clone());
        found
    }

    /// Returns the numbers of a position.
    fn sizes(&self, position: &str) -> Option<Vec<u64>> {
        self.game.steps.as_ref()?;
        self.game.sizes(position).ok().flatten()
    }

    /// Returns whether positions are lists of heaps, each played by itself and nothing remembered.
    fn is_rows(&self) -> bool {
        self.game.steps.as_ref().is_some_and(|steps| steps.condition.free == 2)
    }

    fn by_period(&mut self, p: &[u64]) -> Option<Evaluation> {
        if self.is_evaluated_by_rows(p) {
            return sum(&self.row_values(p)?, p);
        }
        let found = self.repeating(p)?;
        evaluation(&found, p)
    }

    /// Returns whether a position is evaluated as a sum of heaps: not if it is one heap with a
    /// period, which there is in misère play, too.
    fn is_evaluated_by_rows(&mut self, p: &[u64]) -> bool {
        self.is_rows() && (p.len() != 1 || self.repeating(p).is_none())
    }

    /// Returns the nim-values of these heaps and of their options, if there is a period, or if the
    /// options of large heaps are small enough for a table. `None` in misère play, in which a sum
    /// has none.
    fn row_values(&mut self, p: &[u64]) -> Option<RowValues> {
        let greatest = *p.iter().max().filter(|_| self.play == Play::Normal)?;
        if let Some(found) = self.repeating(&[greatest]) {
            return Some(RowValues::Period(found));
        }
        if u32::try_from(greatest).is_ok() {
            return None;
        }
        let rules = &self.game.steps.as_ref()?.rules;
        let (large, small): (Vec<u64>, Vec<u64>) = p.iter().partition(|heap| **heap > TABLE_FROM);
        let options_of = |heap: u64| {
            let options = rules.options_of(&[heap]).ok()?;
            Some((heap, options.iter().map(|to| to[0]).collect::<Vec<u64>>()))
        };
        let options = large.into_iter().map(options_of).collect::<Option<Vec<_>>>()?;
        let all = options.iter().flat_map(|(_, all)| all).chain(&small);
        let most = u32::try_from(*all.max()?).ok().filter(|most| *most <= MAX_TABLE)?;
        let mut table = Vec::new();
        self.small.values(most, &mut |_, value| table.push(value.0))?.ok()?;
        let value = |(heap, options): (u64, Vec<u64>)| {
            let values = options.iter().map(|option| table.get(*option as usize));
            let values: Vec<Nimber> =
                values.map(|value| Some(Nimber(*value?))).collect::<Option<_>>()?;
            Some((heap, mex(values).0))
        };
        let large = options.into_iter().map(value).collect::<Option<_>>()?;
        Some(RowValues::Table { table, large })
    }

    /// Evaluates the moves of a sum of heaps, too.
    fn analysed_rows(&mut self, position: &str, p: &[u64]) -> Option<Analysis> {
        let values = self.row_values(p)?;
        let budget = self.budget.clone();
        // A search of one position lists the moves.
        self.set_budget(Budget { nodes: Some(1), ..budget.clone() });
        let listed = self.for_position(position).analyse(position);
        self.set_budget(budget);
        let listed = listed.ok()?;
        let moves = listed.moves.into_iter().map(|m| {
            let evaluation = sum(&values, &self.sizes(&m.to)?)?;
            Some(Move { evaluation, ..m })
        });
        let moves = moves.collect::<Option<Vec<Move>>>()?;
        let mut analysis = Analysis::without_search(listed.position, sum(&values, p)?, moves);
        if let RowValues::Period(found) = values {
            analysis.remarks.push(remark(Play::Normal, found.period()));
        }
        Some(analysis)
    }

    /// Evaluates the moves of a position by the period, too.
    fn analysed(&mut self, p: &[u64]) -> Option<Analysis> {
        let found = self.repeating(p)?;
        let rules = &self.game.steps.as_ref()?.rules;
        let from = Numbers::from_slice(p);
        let options = rules.options_of(p).ok()?;
        let moves = options.iter().map(|to| {
            let (text, evaluation) = (rules.move_text(&from, to), evaluation(&found, to)?);
            Some(Move { to: rules.print(to), text, evaluation, brings: None })
        });
        let moves = moves.collect::<Option<Vec<Move>>>()?;
        let mut analysis =
            Analysis::without_search(rules.print(&from), evaluation(&found, p)?, moves);
        analysis.remarks.push(remark(self.play, found.period()));
        Some(analysis)
    }
}

/// Nim-values of single heaps.
enum RowValues {
    /// They repeat.
    Period(Arc<Repeating>),
    /// Those of all small heaps, and of some large ones.
    Table {
        /// By their size.
        table: Vec<u32>,
        /// By what their options have.
        large: FxHashMap<u64, u32>,
    },
}

impl RowValues {
    fn value(&self, heap: u64) -> Option<u32> {
        match self {
            RowValues::Period(found) => found.value(heap, &[]),
            RowValues::Table { table, large } => {
                let small = usize::try_from(heap).ok().and_then(|heap| table.get(heap));
                small.or_else(|| large.get(&heap)).copied()
            }
        }
    }
}

/// Returns the value of a sum of heaps.
fn sum(values: &RowValues, p: &[u64]) -> Option<Evaluation> {
    let value = p.iter().try_fold(0, |sum, heap| Some(sum ^ values.value(*heap)?))?;
    Some(Evaluation::from_nim_value(Nimber(value)))
}

/// Says by which period something is known.
fn remark(play: Play, (period, preperiod): (usize, usize)) -> Remark {
    let what = if play == Play::Normal { "nim-values" } else { "outcomes" };
    Remark {
        about: "by a period, proved",
        text: format!("the {what} of heaps from {preperiod} on repeat with period {period}"),
    }
}

/// Returns the value of a position with a memory to which play leads.
fn evaluation(found: &Repeating, p: &[u64]) -> Option<Evaluation> {
    let (heap, memory) = p.split_first()?;
    let value = found.value(*heap, memory)?;
    Some(match found.play {
        Play::Normal => Evaluation::from_nim_value(Nimber(value)),
        Play::Misere => {
            let outcome = if value == 0 { Outcome::P } else { Outcome::N };
            Evaluation { outcome: Some(outcome), ..Evaluation::default() }
        }
    })
}

impl Session for LargeHeapsSession<'_> {
    fn set_budget(&mut self, budget: Budget) {
        self.small.set_budget(budget.clone());
        self.large.set_budget(budget.clone());
        self.budget = budget;
    }
    fn analyse(&mut self, position: &str) -> Result<Analysis, NotationError> {
        let found = self.sizes(position).and_then(|p| match self.is_evaluated_by_rows(&p) {
            true => self.analysed_rows(position, &p),
            false => self.analysed(&p),
        });
        if let Some(found) = found {
            return Ok(found);
        }
        self.for_position(position).analyse(position)
    }
    fn suggest_move(&mut self, position: &str) -> Result<Option<SuggestedMove>, NotationError> {
        self.for_position(position).suggest_move(position)
    }
    fn evaluate(
        &mut self,
        position: &str,
    ) -> Result<Result<Evaluation, LimitReached>, NotationError> {
        if let Some(found) = self.sizes(position).and_then(|p| self.by_period(&p)) {
            return Ok(Ok(found));
        }
        self.for_position(position).evaluate(position)
    }
    fn evaluate_sizes(&mut self, sizes: &[u64]) -> Option<Result<Evaluation, LimitReached>> {
        if let Some(found) = self.by_period(sizes) {
            return Some(Ok(found));
        }
        let found = self.small.evaluate_sizes(sizes);
        found.or_else(|| self.large.evaluate_sizes(sizes))
    }
    fn p_positions(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&str),
    ) -> Option<Result<(), LimitReached>> {
        self.small.p_positions(max, visit)
    }
    fn p_sizes(&mut self, max: u32, visit: VisitSizes<'_>) -> Option<Result<(), LimitReached>> {
        self.small.p_sizes(max, visit)
    }
    fn nim_value_table(
        &mut self,
        max: u32,
        visit: VisitKnown<'_, Nimber>,
    ) -> Option<Result<(), LimitReached>> {
        self.small.nim_value_table(max, visit)
    }
    fn table(
        &mut self,
        max: u32,
        visit: VisitKnown<'_, Outcome>,
    ) -> Option<Result<(), LimitReached>> {
        self.small.table(max, visit)
    }
    fn values(
        &mut self,
        to: u32,
        visit: &mut dyn FnMut(u32, Nimber),
    ) -> Option<Result<(), LimitReached>> {
        self.small.values(to, visit)
    }
}
