//! The graph of one game, explored on demand: the form in which games of different kinds form a
//! sum.
//!
//! Positions are interned: a node is the index of a position.

use crate::erased::NamedRuleset;
use crate::evaluator::Evaluator;
use crate::game::Settings;
use crate::numbered::Numbered;
use bouton_core::{
    Arrange, Board, Budget, LimitReached, Meter, MoveText, Nimber, NotationError, Player,
};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow::{Break, Continue};

/// The graph of a game, explored on demand. A node is the number of a position.
pub trait GameGraph: Send {
    /// Returns the rules in words.
    fn describe(&self) -> String;
    /// Returns the accepted form of a position.
    fn position_form(&self) -> String;
    /// Returns the node of a position.
    ///
    /// # Errors
    ///
    /// If `text` is not a position.
    fn read(&mut self, text: &str) -> Result<u32, NotationError>;
    /// Returns the position of a node.
    fn print(&self, node: u32) -> String;
    /// Returns the position with these sizes, if there is one.
    fn position(&mut self, sizes: &[u64]) -> Option<u32>;
    /// Returns the sizes that determine the position, or `None` if 64-bit numbers do not.
    fn sizes(&self, node: u32) -> Option<Vec<u64>>;
    /// Returns the game's starting position, if it has one.
    fn start(&mut self) -> Option<u32>;
    /// Returns every option of a node, once.
    ///
    /// # Errors
    ///
    /// If the rules failed or were stopped: the options are then not known.
    fn options(&mut self, node: u32) -> Result<&[u32], LimitReached>;
    /// Returns at most `most` options of a node, from the `from`th visit on; fewer only at the end.
    ///
    /// With `from` 0 the cost is a small multiple of `most`, however many options there are.
    ///
    /// # Errors
    ///
    /// As of [`options`](GameGraph::options).
    fn some_options(
        &mut self,
        node: u32,
        from: usize,
        most: usize,
    ) -> Result<Vec<u32>, LimitReached>;
    /// Returns the node's rank if it is below 2⁶⁴; every option has a smaller rank.
    fn rank(&self, node: u32) -> Option<u64>;
    /// Returns the canonical node of the symmetry class.
    fn canonical(&mut self, node: u32) -> u32;
    /// Returns the node as seen by the other player.
    fn seen_by_opponent(&mut self, node: u32) -> u32;
    /// Returns the independent summands of a node.
    ///
    /// # Errors
    ///
    /// As of [`options`](GameGraph::options).
    fn summands(&mut self, node: u32) -> Result<Vec<u32>, LimitReached>;
    /// Returns the nim-value of a node in normal play if it comes from a table or a sequence of
    /// values; `None` if it would be searched for.
    fn value_by_table(
        &mut self,
        node: u32,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>>;
    /// Describes the move from a node to an option.
    fn move_text(&self, from: u32, to: u32) -> MoveText;
    /// Returns the board of a node.
    fn board(&self, node: u32) -> Board;
    /// Returns the player to move, if the players have names because their moves differ.
    fn mover(&self, node: u32) -> Option<Player>;
    /// Prepares for a request on this thread, as [`begin`](bouton_core::Ruleset::begin).
    fn begin(&self, budget: &Budget);
    /// Returns why the rules failed or were stopped, as [`stopped`](bouton_core::Ruleset::stopped).
    fn stopped(&self) -> Option<LimitReached>;
    /// Returns whether options are worked out at length, as
    /// [`is_program`](bouton_core::Ruleset::is_program).
    fn is_program(&self) -> bool;
    /// Returns whether play may be endless, as
    /// [`may_be_endless`](bouton_core::Ruleset::may_be_endless).
    fn may_be_endless(&self) -> bool;
    /// Returns whether positions may come again in play; positions from which nobody can force the
    /// end are drawn.
    fn may_come_again(&self) -> bool;
}

/// The game graph of a ruleset, with the evaluator of the game.
pub(crate) struct InternedPositions<R: NamedRuleset, J> {
    rules: R,
    /// Made when a value is asked for.
    evaluator: Option<J>,
    numbered: Numbered<R::Position>,
    options: FxHashMap<u32, Box<[u32]>>,
    /// The canonical node of a node, as far as it was asked for; others are [`UNASKED`].
    canonical: Vec<u32>,
}

const UNASKED: u32 = u32::MAX;

impl<R: NamedRuleset, J: Evaluator<R>> InternedPositions<R, J> {
    pub(crate) fn new(rules: R) -> InternedPositions<R, J> {
        InternedPositions {
            rules,
            evaluator: None,
            numbered: Numbered::new(),
            options: FxHashMap::default(),
            canonical: Vec::new(),
        }
    }

    fn number(&mut self, p: R::Position) -> u32 {
        self.numbered.number(p)
    }

    fn at(&self, node: u32) -> &R::Position {
        &self.numbered.positions()[node as usize]
    }

    /// Returns at most `most` options of a node, from the `from`th visit on. A complete list is
    /// kept, each option once.
    #[inline(never)]
    fn expand(&mut self, node: u32, from: usize, most: usize) -> Result<Vec<u32>, LimitReached> {
        let (mut met, mut skip) = (Vec::new(), from);
        let _ = self.rules.options(self.at(node), |option| {
            if skip > 0 {
                skip -= 1;
            } else {
                met.push(option);
            }
            if met.len() == most { Break(()) } else { Continue(()) }
        });
        if let Some(stopped) = self.rules.stopped() {
            return Err(stopped);
        }
        let whole = from == 0 && met.len() < most;
        if whole {
            met.arrange();
            met.dedup();
        }
        let numbers: Vec<u32> = met.into_iter().map(|option| self.number(option)).collect();
        if whole {
            self.options.insert(node, numbers.clone().into());
        }
        Ok(numbers)
    }
}

impl<R: NamedRuleset, J: Evaluator<R>> GameGraph for InternedPositions<R, J> {
    fn describe(&self) -> String {
        self.rules.describe()
    }
    fn position_form(&self) -> String {
        self.rules.position_form()
    }
    fn read(&mut self, text: &str) -> Result<u32, NotationError> {
        let p = self.rules.read(text)?;
        Ok(self.number(p))
    }
    fn print(&self, node: u32) -> String {
        self.rules.print(self.at(node))
    }
    fn position(&mut self, sizes: &[u64]) -> Option<u32> {
        self.rules.position(sizes).map(|p| self.number(p))
    }
    fn sizes(&self, node: u32) -> Option<Vec<u64>> {
        self.rules.sizes(self.at(node))
    }
    fn start(&mut self) -> Option<u32> {
        self.rules.start().map(|p| self.number(p))
    }
    fn options(&mut self, node: u32) -> Result<&[u32], LimitReached> {
        if !self.options.contains_key(&node) {
            self.expand(node, 0, usize::MAX)?;
        }
        Ok(self.options.get(&node).map_or(&[], |all| all))
    }
    fn some_options(
        &mut self,
        node: u32,
        from: usize,
        most: usize,
    ) -> Result<Vec<u32>, LimitReached> {
        if let Some(all) = self.options.get(&node) {
            return Ok(all.iter().skip(from).take(most).copied().collect());
        }
        self.expand(node, from, most)
    }
    fn rank(&self, node: u32) -> Option<u64> {
        self.rules.rank(self.at(node))
    }
    fn canonical(&mut self, node: u32) -> u32 {
        if let Some(known) = self.canonical.get(node as usize).filter(|n| **n != UNASKED) {
            return *known;
        }
        let p = self.rules.canonical(self.at(node).clone());
        let found = self.number(p);
        // Rules that were stopped say nothing.
        if self.rules.stopped().is_none() {
            let most = self.canonical.len().max(node as usize + 1);
            self.canonical.resize(most, UNASKED);
            self.canonical[node as usize] = found;
        }
        found
    }
    fn seen_by_opponent(&mut self, node: u32) -> u32 {
        let p = self.rules.seen_by_opponent(self.at(node).clone());
        self.number(p)
    }
    fn summands(&mut self, node: u32) -> Result<Vec<u32>, LimitReached> {
        let mut parts = Vec::new();
        J::summands(&self.rules, self.at(node), &mut |part| parts.push(part));
        match self.rules.stopped() {
            Some(stopped) => Err(stopped),
            None => Ok(parts.into_iter().map(|part| self.number(part)).collect()),
        }
    }
    fn value_by_table(
        &mut self,
        node: u32,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        // Not in the page, which would grow.
        if cfg!(target_family = "wasm") {
            return None;
        }
        let rules = &self.rules;
        let evaluator = self.evaluator.get_or_insert_with(|| J::new(rules, &Settings::default()));
        evaluator.value_by_table(rules, &self.numbered.positions()[node as usize], meter)
    }
    fn move_text(&self, from: u32, to: u32) -> MoveText {
        self.rules.move_text(self.at(from), self.at(to))
    }
    fn board(&self, node: u32) -> Board {
        self.rules.board(self.at(node))
    }
    fn mover(&self, node: u32) -> Option<Player> {
        self.rules.mover(self.at(node))
    }
    fn begin(&self, budget: &Budget) {
        self.rules.begin(budget);
    }
    fn stopped(&self) -> Option<LimitReached> {
        self.rules.stopped()
    }
    fn is_program(&self) -> bool {
        self.rules.is_program()
    }
    fn may_be_endless(&self) -> bool {
        self.rules.may_be_endless()
    }
    fn may_come_again(&self) -> bool {
        J::MAY_COME_AGAIN
    }
}
