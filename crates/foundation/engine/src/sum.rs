//! Sums of different games: a move is a move in one of them.
//!
//! Source: J. H. Conway, *On Numbers and Games* (1976). In normal play a sum of impartial games is solved by
//! nim-values; in misère play, or with a summand that has no nim-value, by plain search over the nodes of each
//! summand's atlas. A move elsewhere passes the turn: purses change sides.

use crate::atlas::Atlas;
use crate::game::{Game, Kind, impartial, last_move};
use bouton_core::{Appearance, Board, Coordinates, Impartial, Notation, NotationError, RuleSource, Ruleset};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Continue};
use std::sync::{Arc, Mutex, MutexGuard};

/// One summand's place in the sum and its node there.
type Part = (u32, u32);

/// Options of a summand that are listed at first.
const FIRST: usize = 1 << 12;

/// The rules of a sum.
#[derive(Clone)]
pub struct Sum {
    atlases: Arc<[Mutex<Box<dyn Atlas>>]>,
    rule_files: Vec<Arc<RuleSource>>,
}

/// The sum of `games` (at least one, none scored).
pub fn sum(games: &[Box<dyn Game>]) -> Option<Box<dyn Game>> {
    if games.is_empty() || games.iter().any(|game| game.kind() == Kind::Scored) {
        return None;
    }
    let mut rule_files: Vec<Arc<RuleSource>> = Vec::new();
    for file in games.iter().flat_map(|game| game.rule_files()) {
        if !rule_files.contains(&file) {
            rule_files.push(file);
        }
    }
    let rules = Sum { atlases: games.iter().map(|game| Mutex::new(game.atlas())).collect(), rule_files };
    let all_impartial = games.iter().all(|game| game.kind() == Kind::Impartial);
    Some(if all_impartial { impartial(rules) } else { last_move(rules) })
}

impl Sum {
    fn atlas(&self, place: u32) -> MutexGuard<'_, Box<dyn Atlas>> {
        self.atlases[place as usize].lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn join(&self, each: impl Fn(&dyn Atlas) -> String) -> String {
        let texts: Vec<String> = (0..self.atlases.len() as u32).map(|i| each(&**self.atlas(i))).collect();
        texts.join(" + ")
    }
}

impl Ruleset for Sum {
    /// The summands that are still there, by place.
    type Position = SmallVec<[Part; 4]>;

    fn options<B>(
        &self,
        p: &Self::Position,
        mut visit: impl FnMut(Self::Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let passed: Self::Position =
            p.iter().map(|(place, node)| (*place, self.atlas(*place).turned(*node))).collect();
        for (i, (place, node)) in p.iter().enumerate() {
            // A piece at a time, each as long as all before it: who visits may have enough long before the end.
            let (mut from, mut most) = (0, FIRST);
            loop {
                let options = self.atlas(*place).some_options(*node, from, most);
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
                most = from;
            }
        }
        Continue(())
    }

    fn rank(&self, p: &Self::Position) -> Option<u64> {
        p.iter().try_fold(0u64, |sum, (place, node)| sum.checked_add(self.atlas(*place).rank(*node)?))
    }

    fn canonical(&self, mut p: Self::Position) -> Self::Position {
        for (place, node) in &mut p {
            *node = self.atlas(*place).canonical(*node);
        }
        p
    }

    fn turned(&self, mut p: Self::Position) -> Self::Position {
        for (place, node) in &mut p {
            *node = self.atlas(*place).turned(*node);
        }
        p
    }
}

impl Impartial for Sum {
    fn summands(&self, p: &Self::Position, mut visit: impl FnMut(Self::Position)) {
        for (place, node) in p {
            let parts = self.atlas(*place).summands(*node);
            parts.into_iter().for_each(|part| visit(SmallVec::from_slice(&[(*place, part)])));
        }
    }
}

impl Notation for Sum {
    fn name(&self) -> String {
        self.join(|atlas| atlas.name())
    }

    fn describe(&self) -> String {
        let each: Vec<String> = (0..self.atlases.len() as u32).map(|i| self.atlas(i).describe()).collect();
        format!("A move is a move in one of the summands. {}", each.join(" "))
    }

    fn position_form(&self) -> String {
        self.join(|atlas| atlas.position_form())
    }

    fn read(&self, text: &str) -> Result<Self::Position, NotationError> {
        let parts: Vec<&str> = text.split('+').collect();
        if parts.len() != self.atlases.len() {
            let message =
                format!("{} positions are needed, one a summand, not {}", self.atlases.len(), parts.len());
            return Err(NotationError::new(text, 0..text.len(), message, self.position_form()));
        }
        let mut offset = 0;
        let mut p = SmallVec::new();
        for (place, part) in (0..).zip(parts) {
            let node = self.atlas(place).read(part).map_err(|error| error.within(text, offset))?;
            p.push((place, node));
            offset += part.len() + 1;
        }
        Ok(p)
    }

    fn print(&self, p: &Self::Position) -> String {
        let texts: Vec<String> = p.iter().map(|(place, node)| self.atlas(*place).print(*node)).collect();
        texts.join(" + ")
    }

    fn start(&self) -> Option<Self::Position> {
        (0..self.atlases.len() as u32).map(|i| Some((i, self.atlas(i).start()?))).collect()
    }

    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        self.rule_files.clone()
    }

    fn move_text(&self, p: &Self::Position, q: &Self::Position) -> String {
        // In the summand moved in, the option is not merely the position passed to the other player.
        let moved = p.iter().zip(q).find(|((place, from), (_, to))| self.atlas(*place).turned(*from) != *to);
        match moved {
            Some(((place, from), (_, to))) => {
                let atlas = self.atlas(*place);
                format!("{}: {}", atlas.name(), atlas.move_text(*from, *to))
            }
            None => self.print(q),
        }
    }
}

impl Coordinates for Sum {}

impl Appearance for Sum {
    fn board(&self, p: &Self::Position) -> Board {
        Board::Sum(p.iter().map(|(place, node)| self.atlas(*place).board(*node)).collect())
    }
}
