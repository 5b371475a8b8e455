//! Games on any number of heaps, each played by itself and lowered by one rule, with heaps of more
//! than 32 bits: their options are searched one after the other.

use crate::searched_rules::{MAX_NUMBER, Numbers, SearchedRules, searched, stop};
use bouton_core::{
    Appearance, Board, Coordinates, Impartial, MoveText, Notation, NotationError, RuleSource,
    Ruleset, Scanner, heaps_text,
};
use bouton_engine::family::MAX_ROWS;
use bouton_engine::game::{Game, impartial};
use bouton_heaps::rows;
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

/// A game on any number of heaps, by the rules of one.
#[derive(Debug, Clone)]
pub struct LargeRows(pub SearchedRules);

impl LargeRows {
    /// Returns the game of these rules.
    pub fn game(self) -> Box<dyn Game> {
        impartial(self)
    }
}

impl Ruleset for LargeRows {
    type Position = Numbers;

    fn options<B>(
        &self,
        p: &Numbers,
        mut visit: impl FnMut(Numbers) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (i, heap) in p.iter().enumerate() {
            if p[..i].contains(heap) {
                continue;
            }
            let options = match self.0.options_of(&[*heap]) {
                Ok(options) => options,
                Err(why) => {
                    stop(&self.0.name(), why);
                    return Continue(());
                }
            };
            for option in options {
                let mut q = p.clone();
                q[i] = option[0];
                visit(q)?;
            }
        }
        Continue(())
    }

    fn rank(&self, p: &Numbers) -> Option<u64> {
        p.iter().try_fold(0u64, |sum, heap| sum.checked_add(*heap))
    }

    fn canonical(&self, mut p: Numbers) -> Numbers {
        p.retain(|heap| *heap > 0);
        p.sort_unstable();
        p
    }

    searched!();
}

impl Impartial for LargeRows {
    fn summands(&self, p: &Numbers, mut visit: impl FnMut(Numbers)) {
        p.iter().filter(|heap| **heap > 0).for_each(|heap| visit(Numbers::from_slice(&[*heap])));
    }
}

impl Notation for LargeRows {
    fn name(&self) -> String {
        self.0.name()
    }

    fn describe(&self) -> String {
        self.0.describe()
    }

    fn position_form(&self) -> String {
        rows::form(None, "heap")
    }

    fn read(&self, text: &str) -> Result<Numbers, NotationError> {
        let mut scanner = Scanner::new(text, self.position_form());
        let mut heaps = rows::numbers(&mut scanner, "a heap", MAX_NUMBER)?;
        if heaps.len() > MAX_ROWS {
            return Err(scanner.error(0..text.len(), format!("at most {MAX_ROWS} heaps")));
        }
        heaps.retain(|heap| *heap > 0);
        Ok(Numbers::from_vec(heaps))
    }

    fn print(&self, p: &Numbers) -> String {
        heaps_text(p)
    }

    fn move_text(&self, p: &Numbers, q: &Numbers) -> MoveText {
        match p.iter().zip(q).find(|(before, after)| before != after) {
            Some((before, after)) if p.len() == q.len() => {
                MoveText::Change(format!("{before} → {after}"))
            }
            _ => MoveText::Position(self.print(q)),
        }
    }

    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        self.0.rule_files()
    }
}

impl Coordinates for LargeRows {
    fn sizes(&self, p: &Numbers) -> Option<Vec<u64>> {
        Some(p.to_vec())
    }

    fn position(&self, sizes: &[u64]) -> Option<Numbers> {
        let is_one = sizes.len() <= MAX_ROWS && sizes.iter().all(|size| *size <= MAX_NUMBER);
        is_one.then(|| Numbers::from_slice(sizes))
    }
}

impl Appearance for LargeRows {
    fn board(&self, p: &Numbers) -> Board {
        Board::Text(self.print(p))
    }
}
