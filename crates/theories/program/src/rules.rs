//! Programs as rulesets: games in which both players have the same moves, and games in which they
//! differ.

use crate::claims::Claims;
use crate::picture;
use crate::script::{Failure, Script, begin, dynamic, stop, stopped, without_budget};
use crate::value::Value;
use bouton_core::{
    Appearance, Board, Budget, Coordinates, Impartial, LimitReached, MoveText, Notation,
    NotationError, Player, RuleFault, RuleSource, Ruleset, endless,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{self, Continue};
use std::sync::{Arc, MutexGuard, PoisonError};

/// The rules of a program with `options(position)`.
#[derive(Debug, Clone)]
pub(crate) struct Impartials(pub(crate) Arc<Script>);

/// The rules of a program with `left(position)` and `right(position)`.
#[derive(Debug, Clone)]
pub(crate) struct Partisans(pub(crate) Arc<Script>);

/// A position with the player to move.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Seat {
    mover: Player,
    position: Value,
}

impl Script {
    /// Visits a list of positions that a function gives; a failure is remembered.
    fn visit<B>(
        &self,
        function: &'static str,
        p: &Value,
        mut visit: impl FnMut(&Value) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.list(function, p) {
            Ok(list) => list.iter().try_for_each(|option| {
                if option == p {
                    self.fail(
                        p,
                        Failure::Fault(format!("{function} gave the position itself"), None),
                    );
                    return Continue(());
                }
                visit(option)
            }),
            Err(failure) => {
                self.fail(p, failure);
                Continue(())
            }
        }
    }

    /// Returns the canonical form; of a position at which the program fails, the position.
    fn canonical_form(&self, p: Value) -> Value {
        if !self.defines("canonical", 1) {
            return p;
        }
        if let Some(known) = self.known("canonical", &p) {
            return known[0].clone();
        }
        let form = self.position("canonical", &p).and_then(|form| {
            if form != p {
                let mut claims = self.claims();
                if self.defines("options", 1) {
                    claims.canonical(self, &p, &form)?;
                } else {
                    claims.partisan_canonical(self, &p, &form)?;
                }
            }
            if stopped().is_none() {
                self.keep("canonical", &p, &[form.clone()].into());
            }
            Ok(form)
        });
        form.unwrap_or_else(|failure| {
            self.fail(&p, failure);
            p
        })
    }

    fn claims(&self) -> MutexGuard<'_, Claims> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the picture of a position; without `board(position)`, its text.
    fn picture(&self, p: &Value) -> Board {
        let drawn = self.defines("board", 1).then(|| {
            without_budget(|| {
                let given = self.call("board", vec![dynamic(p)])?;
                picture::board(given)
                    .map_err(|message| Failure::Fault(format!("board {message}"), None))
            })
        });
        match drawn {
            Some(Ok(board)) => board,
            Some(Err(Failure::Fault(message, _))) => {
                Board::Text(format!("{}\n({message})", p.print(self.texts)))
            }
            _ => Board::Text(p.print(self.texts)),
        }
    }

    /// Returns the words for a move; without `move_text(position, option)`, the option.
    fn words(&self, p: &Value, q: &Value) -> Option<String> {
        if !self.defines("move_text", 2) {
            return None;
        }
        self.text("move_text", &[p, q]).map_err(|failure| self.fail(p, failure)).ok()
    }
}

impl Ruleset for Impartials {
    type Position = Value;

    fn options<B>(
        &self,
        p: &Value,
        mut visit: impl FnMut(Value) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.visit("options", p, |option| visit(option.clone()))
    }

    fn rank(&self, _: &Value) -> Option<u64> {
        None
    }

    fn canonical(&self, p: Value) -> Value {
        self.0.canonical_form(p)
    }

    fn begin(&self, budget: &Budget) {
        begin(budget);
    }

    fn stopped(&self) -> Option<LimitReached> {
        stopped()
    }

    fn is_program(&self) -> bool {
        true
    }

    fn bytes_of(&self, p: &Value) -> usize {
        p.heap_bytes()
    }

    fn endless(&self, line: &[Value]) -> RuleFault {
        RuleFault::new(&endless(line.iter().map(|p| p.print(self.0.texts))))
    }
}

impl Impartial for Impartials {
    fn summands(&self, p: &Value, mut visit: impl FnMut(Value)) {
        if !self.0.defines("summands", 1) {
            visit(p.clone());
            return;
        }
        let parts = self.0.list("summands", p).and_then(|parts| {
            if parts.len() != 1 || parts[0] != *p {
                self.0.claims().summands(&self.0, p, &parts)?;
            }
            Ok(parts)
        });
        match parts {
            Ok(parts) => parts.iter().for_each(|part| visit(part.clone())),
            Err(failure) => self.0.fail(p, failure),
        }
    }
}

impl Notation for Impartials {
    fn name(&self) -> String {
        self.0.source().name.clone()
    }

    fn describe(&self) -> String {
        self.0.sentence().to_owned()
    }

    fn position_form(&self) -> String {
        self.0.form().to_owned()
    }

    fn read(&self, text: &str) -> Result<Value, NotationError> {
        self.0.read(text)
    }

    fn print(&self, p: &Value) -> String {
        p.print(self.0.texts)
    }

    fn start(&self) -> Option<Value> {
        self.0.start.clone()
    }

    fn move_text(&self, p: &Value, q: &Value) -> MoveText {
        match self.0.words(p, q) {
            Some(words) => MoveText::Words(words),
            None => MoveText::Position(self.print(q)),
        }
    }

    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        vec![self.0.source().clone()]
    }
}

/// Positions that are listed at most.
const MAX_LISTED: usize = 1 << 21;

impl Coordinates for Impartials {
    /// Visits the canonical positions that arise from `start(0)` to `start(max)`, the start
    /// included, in order; `None` if the program has no `start(n)`.
    fn positions_up_to<B>(
        &self,
        max: u32,
        mut visit: impl FnMut(Value) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        if !self.0.defines("start", 1) {
            return None;
        }
        let mut met = BTreeSet::new();
        let mut open = Vec::new();
        for size in 0..=max {
            let p = self.canonical(self.single(size)?);
            if met.insert(p.clone()) {
                open.push(p);
            }
            while let Some(p) = open.pop() {
                let _ = self.options::<()>(&p, |option| {
                    let option = self.canonical(option);
                    if met.insert(option.clone()) {
                        open.push(option);
                    }
                    Continue(())
                });
                if met.len() > MAX_LISTED {
                    stop(LimitReached::Nodes(MAX_LISTED as u64));
                }
                if stopped().is_some() {
                    return Some(Continue(()));
                }
            }
        }
        Some(met.into_iter().try_for_each(&mut visit))
    }

    fn single(&self, size: u32) -> Option<Value> {
        let Some(start) = self.0.start(Some(size)) else { return self.0.number(size) };
        let checked = start.and_then(|p| self.0.check_start(size, &p).map(|()| p));
        match checked {
            Ok(p) => Some(p),
            Err(failure) => {
                let p = Value::Integer(size.into());
                match failure {
                    Failure::Limit(limit) => stop(limit),
                    fault => self.0.fail(&p, fault),
                }
                Some(p)
            }
        }
    }
}

impl Appearance for Impartials {
    fn board(&self, p: &Value) -> Board {
        self.0.picture(p)
    }
}

impl Ruleset for Partisans {
    type Position = Seat;

    fn options<B>(
        &self,
        p: &Seat,
        mut visit: impl FnMut(Seat) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let function = match p.mover {
            Player::Left => "left",
            Player::Right => "right",
        };
        let mover = p.mover.other();
        self.0
            .visit(function, &p.position, |option| visit(Seat { mover, position: option.clone() }))
    }

    fn rank(&self, _: &Seat) -> Option<u64> {
        None
    }

    fn canonical(&self, p: Seat) -> Seat {
        Seat { position: self.0.canonical_form(p.position), ..p }
    }

    fn seen_by_opponent(&self, p: Seat) -> Seat {
        Seat { mover: p.mover.other(), ..p }
    }

    fn begin(&self, budget: &Budget) {
        begin(budget);
    }

    fn stopped(&self) -> Option<LimitReached> {
        stopped()
    }

    fn is_program(&self) -> bool {
        true
    }

    fn bytes_of(&self, p: &Seat) -> usize {
        p.position.heap_bytes()
    }

    fn endless(&self, line: &[Seat]) -> RuleFault {
        RuleFault::new(&endless(line.iter().map(|p| self.print(p))))
    }
}

impl Notation for Partisans {
    fn name(&self) -> String {
        self.0.source().name.clone()
    }

    fn describe(&self) -> String {
        self.0.sentence().to_owned()
    }

    fn position_form(&self) -> String {
        format!("{}; before it left: or right:, who is to move", self.0.form())
    }

    fn read(&self, text: &str) -> Result<Seat, NotationError> {
        let trimmed = text.trim_start();
        let sides = [("left:", Player::Left), ("right:", Player::Right)];
        let side = sides.into_iter().find(|(word, _)| {
            trimmed.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
        });
        let (word, mover) = side.unwrap_or(("", Player::Left));
        let rest = &trimmed[word.len()..];
        let position = self
            .0
            .read(rest)
            .map_err(|error| error.in_longer_text(text, text.len() - rest.len()))?;
        Ok(Seat { mover, position })
    }

    fn print(&self, p: &Seat) -> String {
        let side = match p.mover {
            Player::Left => "left",
            Player::Right => "right",
        };
        format!("{side}:{}", p.position.print(self.0.texts))
    }

    fn start(&self) -> Option<Seat> {
        Some(Seat { mover: Player::Left, position: self.0.start.clone()? })
    }

    fn move_text(&self, p: &Seat, q: &Seat) -> MoveText {
        match self.0.words(&p.position, &q.position) {
            Some(words) => MoveText::Words(words),
            None => MoveText::Position(q.position.print(self.0.texts)),
        }
    }

    fn mover(&self, p: &Seat) -> Option<Player> {
        Some(p.mover)
    }

    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        vec![self.0.source().clone()]
    }
}

impl Coordinates for Partisans {}

impl Appearance for Partisans {
    fn board(&self, p: &Seat) -> Board {
        self.0.picture(&p.position)
    }
}
