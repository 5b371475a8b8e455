//! The positions of one summand, numbered as they are met: how games of different kinds stand in one sum.

use crate::game::Described;
use bouton_core::{Board, NotationError, Ruleset};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow::{Break, Continue};

/// A game's graph, explored as far as somebody asked. A node is a position of that game.
pub trait Atlas: Send {
    /// The game's name.
    fn name(&self) -> String;
    /// The rules in words.
    fn describe(&self) -> String;
    /// The accepted form of a position.
    fn position_form(&self) -> String;
    /// The node of a position.
    fn read(&mut self, text: &str) -> Result<u32, NotationError>;
    /// The position of a node.
    fn print(&self, node: u32) -> String;
    /// The position that these numbers make, if there is one.
    fn position(&mut self, sizes: &[u64]) -> Option<u32>;
    /// The numbers that make the position, where some of 64 bits do.
    fn sizes(&self, node: u32) -> Option<Vec<u64>>;
    /// The game's own starting position.
    fn start(&mut self) -> Option<u32>;
    /// Every option of a node, once.
    fn options(&mut self, node: u32) -> &[u32];
    /// Some options of a node: those met from the `from`th visit on, `most` at most. Fewer than that are the last ones.
    /// Called from 0 on, it costs no more than a few times what is asked for, however many options there are.
    fn some_options(&mut self, node: u32, from: usize, most: usize) -> Vec<u32>;
    /// The node's rank, if below 2⁶⁴; every option's is less.
    fn rank(&self, node: u32) -> Option<u64>;
    /// The canonical node of its symmetry class.
    fn canonical(&mut self, node: u32) -> u32;
    /// The node seen by the other player.
    fn turned(&mut self, node: u32) -> u32;
    /// The independent parts of a node.
    fn summands(&mut self, node: u32) -> Vec<u32>;
    /// The move from a node to its option, in words.
    fn move_text(&self, from: u32, to: u32) -> String;
    /// What a node looks like.
    fn board(&self, node: u32) -> Board;
}

/// Visits the summands of a position.
pub(crate) type Summands<R> = fn(&R, &<R as Ruleset>::Position, &mut dyn FnMut(<R as Ruleset>::Position));

/// The atlas of any ruleset.
pub(crate) struct Numbered<R: Described> {
    rules: R,
    summands: Summands<R>,
    positions: Vec<R::Position>,
    numbers: FxHashMap<R::Position, u32>,
    options: FxHashMap<u32, Box<[u32]>>,
}

impl<R: Described> Numbered<R> {
    pub(crate) fn new(rules: R, summands: Summands<R>) -> Numbered<R> {
        Numbered {
            rules,
            summands,
            positions: Vec::new(),
            numbers: FxHashMap::default(),
            options: FxHashMap::default(),
        }
    }

    fn number(&mut self, p: R::Position) -> u32 {
        let Numbered { positions, numbers, .. } = self;
        *numbers.entry(p).or_insert_with_key(|p| {
            positions.push(p.clone());
            u32::try_from(positions.len() - 1).expect("fewer than 2^32 positions fit in memory")
        })
    }
}

impl<R: Described> Atlas for Numbered<R> {
    fn name(&self) -> String {
        self.rules.name()
    }
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
        self.rules.print(&self.positions[node as usize])
    }
    fn position(&mut self, sizes: &[u64]) -> Option<u32> {
        self.rules.position(sizes).map(|p| self.number(p))
    }
    fn sizes(&self, node: u32) -> Option<Vec<u64>> {
        self.rules.sizes(&self.positions[node as usize])
    }
    fn start(&mut self) -> Option<u32> {
        self.rules.start().map(|p| self.number(p))
    }
    fn options(&mut self, node: u32) -> &[u32] {
        if !self.options.contains_key(&node) {
            let mut all = Vec::new();
            let _ = self.rules.options(&self.positions[node as usize], |option| {
                all.push(option);
                Continue::<()>(())
            });
            all.sort();
            all.dedup();
            let numbers = all.into_iter().map(|option| self.number(option)).collect();
            self.options.insert(node, numbers);
        }
        &self.options[&node]
    }
    fn some_options(&mut self, node: u32, from: usize, most: usize) -> Vec<u32> {
        if let Some(all) = self.options.get(&node) {
            return all.iter().skip(from).take(most).copied().collect();
        }
        let (mut met, mut skip) = (Vec::new(), from);
        let _ = self.rules.options(&self.positions[node as usize], |option| {
            if skip > 0 {
                skip -= 1;
            } else {
                met.push(option);
            }
            if met.len() == most { Break(()) } else { Continue(()) }
        });
        // A list that is short is kept, each option once.
        let whole = from == 0 && met.len() < most;
        if whole {
            met.sort();
            met.dedup();
        }
        let numbers: Vec<u32> = met.into_iter().map(|option| self.number(option)).collect();
        if whole {
            self.options.insert(node, numbers.clone().into());
        }
        numbers
    }
    fn rank(&self, node: u32) -> Option<u64> {
        self.rules.rank(&self.positions[node as usize])
    }
    fn canonical(&mut self, node: u32) -> u32 {
        let p = self.rules.canonical(self.positions[node as usize].clone());
        self.number(p)
    }
    fn turned(&mut self, node: u32) -> u32 {
        let p = self.rules.turned(self.positions[node as usize].clone());
        self.number(p)
    }
    fn summands(&mut self, node: u32) -> Vec<u32> {
        let mut parts = Vec::new();
        (self.summands)(&self.rules, &self.positions[node as usize], &mut |part| parts.push(part));
        parts.into_iter().map(|part| self.number(part)).collect()
    }
    fn move_text(&self, from: u32, to: u32) -> String {
        self.rules.move_text(&self.positions[from as usize], &self.positions[to as usize])
    }
    fn board(&self, node: u32) -> Board {
        self.rules.board(&self.positions[node as usize])
    }
}
