//! Sums of different games: a move is a move in one of them.
//!
//! Source: J. H. Conway, *On Numbers and Games* (1976). In normal play a sum of impartial games is
//! solved by nim-values, those of tables and sequences before any search; in misère play, or with a
//! summand that has no nim-value, by plain search over the nodes of each summand's graph. If
//! positions of a summand may come again, all positions of the sum that play reaches are evaluated
//! backwards. A move elsewhere passes the turn: purses change sides.

use crate::erased::{last_move, with_evaluator};
use crate::evaluator::{ByNimValue, Evaluator};
use crate::game::{Evaluation, Game, Kind, Settings};
use crate::game_graph::GameGraph;
use crate::remoteness::ByRemoteness;
use bouton_core::{
    Appearance, Board, Budget, Coordinates, HeapMoves, Impartial, LimitReached, Meter, MoveText,
    Moves, Nimber, Notation, NotationError, Play, Player, RuleFault, RuleSource, Ruleset, Windows,
    endless, is_in_row_of_signs,
};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Continue};
use std::sync::{Arc, Mutex, MutexGuard};

/// The index of a summand, and its node.
type SummandNode = (u32, u32);

/// A summand and its position, as people write them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summand {
    /// The name of the game.
    pub game: String,
    /// The position.
    pub position: String,
}

/// Number of options of a summand that are requested first.
const FIRST: usize = 1 << 12;

/// Number of options of a summand that are requested at once. The budget is polled by who visits
/// them, so between two polls no more are listed.
const BATCH: usize = 1 << 16;

/// The ruleset of a sum of games.
#[derive(Clone)]
pub struct Sum {
    graphs: Arc<[Mutex<Box<dyn GameGraph>>]>,
    /// The names of the summands: those by which people call them, not those of their rules.
    names: Arc<[String]>,
    rule_files: Vec<Arc<RuleSource>>,
    /// How single heaps are played, of each summand that is a sum of them.
    heap_moves: Arc<[Option<HeapMoves>]>,
    /// How many of the last numbers of a position are remembered and no heaps, of each summand.
    memory: Arc<[usize]>,
    /// Whether the rules of a summand are a program.
    is_program: bool,
}

/// Returns the sum of `games`; `None` if there are none or one is won on points.
pub fn sum(games: &[Box<dyn Game>]) -> Option<Box<dyn Game>> {
    sum_of(&games.iter().map(|game| &**game).collect::<Vec<_>>())
}

/// Returns the sum of a game with itself, taken `count` times; `None` as of [`sum`].
pub fn multiple(game: &dyn Game, count: usize) -> Option<Box<dyn Game>> {
    sum_of(&vec![game; count])
}

fn sum_of(games: &[&dyn Game]) -> Option<Box<dyn Game>> {
    if games.is_empty() || games.iter().any(|game| game.kind() == Kind::Scored) {
        return None;
    }
    let mut rule_files: Vec<Arc<RuleSource>> = Vec::new();
    for file in games.iter().flat_map(|game| game.rule_files()) {
        if !rule_files.contains(&file) {
            rule_files.push(file);
        }
    }
    let graphs: Vec<_> = games.iter().map(|game| game.graph()).collect();
    let is_program = graphs.iter().any(|graph| graph.is_program());
    let may_come_again = graphs.iter().any(|graph| graph.may_come_again());
    let heap_moves =
        games.iter().map(|game| game.heap_moves().or_else(|| takes_any(*game))).collect();
    let graphs = graphs.into_iter().map(Mutex::new).collect();
    let memory = games.iter().map(|game| game.memory()).collect();
    let names = games.iter().map(|game| game.name()).collect();
    let rules = Sum { graphs, names, rule_files, heap_moves, memory, is_program };
    let all_impartial = games.iter().all(|game| game.kind() == Kind::Impartial);
    Some(if may_come_again {
        with_evaluator::<_, ByRemoteness<Sum>>(rules)
    } else if all_impartial {
        with_evaluator::<_, BySummands>(rules)
    } else {
        last_move(rules)
    })
}

/// Returns the code of a game in which any number is taken from one heap, and nothing else is done;
/// `None` of another game.
pub fn takes_any(game: &dyn Game) -> Option<HeapMoves> {
    let Moves {
        windows: Windows::Any(1),
        condition: None,
        permutation: None,
        memory,
        domain: None,
    } = game.moves()?
    else {
        return None;
    };
    (memory.count == 0).then(|| HeapMoves::Code("0.[3]".into()))
}

impl Sum {
    /// Returns how single heaps are played, of each summand that is a sum of them.
    pub fn heap_moves(&self) -> &[Option<HeapMoves>] {
        &self.heap_moves
    }

    /// Returns how many of the last numbers of a position are remembered and no heaps, of each
    /// summand.
    pub fn memory(&self) -> &[usize] {
        &self.memory
    }

    /// Returns the sizes that determine the position of each summand; `None` if 64-bit numbers do
    /// not.
    ///
    /// # Errors
    ///
    /// If `position` is not a position of the sum.
    pub fn sizes_of(&self, position: &str) -> Result<Option<Vec<Vec<u64>>>, NotationError> {
        let parts = self.read(position)?;
        Ok(parts.iter().map(|(place, node)| self.graph(*place).sizes(*node)).collect())
    }

    /// Returns the position in which these sizes determine that of one summand, and nothing else is
    /// changed; `None` if there is none.
    pub fn with_sizes(&self, position: &str, place: usize, sizes: &[u64]) -> Option<String> {
        let mut parts = self.read(position).ok()?;
        parts[place].1 = self.graph(place as u32).position(sizes)?;
        Some(self.print(&parts))
    }

    /// Returns the summands of a position, in their order.
    ///
    /// # Errors
    ///
    /// If `position` is not a position of the sum.
    pub fn summands_of(&self, position: &str) -> Result<Vec<Summand>, NotationError> {
        let parts = self.read(position)?;
        let summand = |(place, node): &SummandNode| {
            let game = self.names[*place as usize].clone();
            Summand { game, position: self.graph(*place).print(*node) }
        };
        Ok(parts.iter().map(summand).collect())
    }

    /// Returns the words for a move between two positions.
    ///
    /// # Errors
    ///
    /// If they are not positions of the sum.
    pub fn move_to(&self, from: &str, to: &str) -> Result<MoveText, NotationError> {
        Ok(self.move_text(&self.read(from)?, &self.read(to)?))
    }

    fn graph(&self, place: u32) -> MutexGuard<'_, Box<dyn GameGraph>> {
        self.graphs[place as usize].lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Ruleset for Sum {
    /// The summands that are still present, by index.
    type Position = SmallVec<[SummandNode; 4]>;

    fn options<B>(
        &self,
        p: &Self::Position,
        mut visit: impl FnMut(Self::Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let passed: Self::Position = p
            .iter()
            .map(|(place, node)| (*place, self.graph(*place).seen_by_opponent(*node)))
            .collect();
        for (i, (place, node)) in p.iter().enumerate() {
            // In batches, each as long as all before up to a bound: the visitor may stop long
            // before the end.
            let (mut from, mut most) = (0, FIRST);
            loop {
                // Why they are not known is said by `stopped`.
                let Ok(options) = self.graph(*place).some_options(*node, from, most) else {
                    return Continue(());
                };
                let last = options.len() < most;
                from += options.len();
                for option in options {
                    let mut q = passed.clone();
                    q[i].1 = option;
                    visit(q)?;
                }
                if last {
                    break;
                }
                most = from.min(BATCH);
            }
        }
        Continue(())
    }

    fn rank(&self, p: &Self::Position) -> Option<u64> {
        p.iter()
            .try_fold(0u64, |sum, (place, node)| sum.checked_add(self.graph(*place).rank(*node)?))
    }

    fn canonical(&self, mut p: Self::Position) -> Self::Position {
        for (place, node) in &mut p {
            *node = self.graph(*place).canonical(*node);
        }
        p
    }

    fn seen_by_opponent(&self, mut p: Self::Position) -> Self::Position {
        for (place, node) in &mut p {
            *node = self.graph(*place).seen_by_opponent(*node);
        }
        p
    }

    fn begin(&self, budget: &Budget) {
        if self.is_program {
            (0..self.graphs.len() as u32).for_each(|i| self.graph(i).begin(budget));
        }
    }

    fn stopped(&self) -> Option<LimitReached> {
        if self.is_program {
            (0..self.graphs.len() as u32).find_map(|i| self.graph(i).stopped())
        } else {
            None
        }
    }

    fn is_program(&self) -> bool {
        self.is_program
    }

    fn may_be_endless(&self) -> bool {
        self.is_program && (0..self.graphs.len() as u32).any(|i| self.graph(i).may_be_endless())
    }

    fn endless(&self, line: &[Self::Position]) -> RuleFault {
        RuleFault::new(&endless(line.iter().map(|p| self.print(p))))
    }
}

impl Impartial for Sum {
    fn summands(&self, p: &Self::Position, mut visit: impl FnMut(Self::Position)) {
        for (place, node) in p {
            // Why they are not known is said by `stopped`.
            let parts = self.graph(*place).summands(*node).unwrap_or_default();
            parts.into_iter().for_each(|part| visit(SmallVec::from_slice(&[(*place, part)])));
        }
    }
}

impl Notation for Sum {
    fn name(&self) -> String {
        self.names.join(" + ")
    }

    fn describe(&self) -> String {
        let each: Vec<String> =
            (0..self.graphs.len() as u32).map(|i| self.graph(i).describe()).collect();
        format!("A move is a move in one of the summands. {}", each.join(" "))
    }

    fn position_form(&self) -> String {
        let each: Vec<String> =
            (0..self.graphs.len() as u32).map(|i| self.graph(i).position_form()).collect();
        each.join(" + ")
    }

    fn read(&self, text: &str) -> Result<Self::Position, NotationError> {
        let mut begin = 0;
        let signs = text.match_indices('+').map(|(at, _)| at);
        let ends = signs.filter(|at| !is_in_row_of_signs(text, *at)).chain([text.len()]);
        let parts = ends.map(|end| &text[std::mem::replace(&mut begin, end + 1)..end]);
        let parts: Vec<&str> = parts.collect();
        if parts.len() != self.graphs.len() {
            let message = format!(
                "{} positions are needed, one a summand, not {}",
                self.graphs.len(),
                parts.len()
            );
            return Err(NotationError::new(text, 0..text.len(), message, self.position_form()));
        }
        let mut offset = 0;
        let mut p = SmallVec::new();
        for (place, part) in (0..).zip(parts) {
            let node =
                self.graph(place).read(part).map_err(|error| error.in_longer_text(text, offset))?;
            p.push((place, node));
            offset += part.len() + 1;
        }
        let movers =
            || p.iter().filter_map(|(place, node): &SummandNode| self.graph(*place).mover(*node));
        if let Some(first) = movers().next()
            && movers().any(|player| player != first)
        {
            let message = "Left is to move in one summand and Right in another";
            return Err(NotationError::new(
                text,
                0..text.len(),
                message,
                "the same player to move in each",
            ));
        }
        Ok(p)
    }

    fn print(&self, p: &Self::Position) -> String {
        let texts: Vec<String> =
            p.iter().map(|(place, node)| self.graph(*place).print(*node)).collect();
        texts.join(" + ")
    }

    fn start(&self) -> Option<Self::Position> {
        (0..self.graphs.len() as u32).map(|i| Some((i, self.graph(i).start()?))).collect()
    }

    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        self.rule_files.clone()
    }

    fn mover(&self, p: &Self::Position) -> Option<Player> {
        p.iter().find_map(|(place, node)| self.graph(*place).mover(*node))
    }

    fn move_text(&self, p: &Self::Position, q: &Self::Position) -> MoveText {
        // In the summand moved in, the option differs from the position passed to the other player.
        let moved = p.iter().zip(q).enumerate().find(|(_, ((place, from), (_, to)))| {
            self.graph(*place).seen_by_opponent(*from) != *to
        });
        match moved {
            Some((i, ((place, from), (_, to)))) => {
                let name = &self.names[*place as usize];
                let is_like = |(place, _): &&SummandNode| self.names[*place as usize] == *name;
                let text = self.graph(*place).move_text(*from, *to);
                match p.iter().filter(is_like).count() {
                    1 => text.in_summand(name),
                    _ => text.in_summand(&format!("summand {}, {name}", i + 1)),
                }
            }
            None => MoveText::Position(self.print(q)),
        }
    }
}

impl Coordinates for Sum {}

/// Evaluates by the nim-values of the summands that have tables or sequences of them, and searches
/// the others.
struct BySummands {
    search: ByNimValue<Sum>,
    normal: bool,
}

impl BySummands {
    /// Returns the nim-sum of the values from tables and sequences, and the summands without one.
    fn by_tables(
        rules: &Sum,
        p: &<Sum as Ruleset>::Position,
        meter: &mut Meter,
    ) -> Result<(Nimber, <Sum as Ruleset>::Position), LimitReached> {
        let (mut value, mut others) = (Nimber(0), SmallVec::new());
        for (place, node) in p {
            match rules.graph(*place).value_by_table(*node, meter) {
                Some(found) => value ^= found?,
                None => others.push((*place, *node)),
            }
        }
        Ok((value, others))
    }
}

impl Evaluator<Sum> for BySummands {
    const KIND: Kind = Kind::Impartial;

    fn new(rules: &Sum, settings: &Settings) -> Self {
        BySummands {
            search: ByNimValue::new(rules, settings),
            normal: settings.play == Play::Normal,
        }
    }

    fn evaluate(
        &mut self,
        rules: &Sum,
        p: &<Sum as Ruleset>::Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        if !self.normal {
            return self.search.evaluate(rules, p, meter);
        }
        let (value, others) = Self::by_tables(rules, p, meter)?;
        if others.len() == p.len() {
            return self.search.evaluate(rules, p, meter);
        }
        let of_others = self.search.evaluate(rules, &others, meter)?;
        match of_others.nim_value {
            Some(other) => Ok(Evaluation::from_nim_value(value ^ other)),
            // Of the others only the outcome is known, and a summand of value 0 does not change it.
            None if value == Nimber(0) => Ok(of_others),
            None => self.search.evaluate(rules, p, meter),
        }
    }

    fn nim_value(
        &mut self,
        rules: &Sum,
        p: &<Sum as Ruleset>::Position,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        let (value, others) = match Self::by_tables(rules, p, meter) {
            Ok(found) => found,
            Err(spent) => return Some(Err(spent)),
        };
        Some(self.search.nim_value(rules, &others, meter)?.map(|other| value ^ other))
    }

    fn summands(
        rules: &Sum,
        p: &<Sum as Ruleset>::Position,
        visit: &mut dyn FnMut(<Sum as Ruleset>::Position),
    ) {
        rules.summands(p, visit);
    }
}

impl Appearance for Sum {
    fn board(&self, p: &Self::Position) -> Board {
        Board::Sum(p.iter().map(|(place, node)| self.graph(*place).board(*node)).collect())
    }
}
