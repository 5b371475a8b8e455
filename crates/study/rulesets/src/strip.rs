//! Games of coins on a strip and of tokens on a staircase, with any number of coins or steps:
//! Silver Dollar, Welter's game, Staircase Nim.
//!
//! Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, chapters 3 and 13 (1982); C.
//! P. Welter, *The theory of a class of games on a sequence of squares*, Indag. Math. 16 (1954)
//! 194–200; R. Sprague, *Bemerkungen über eine spezielle Abelsche Gruppe*, Math. Z. 51 (1947)
//! 82–84, for the staircase after T. S. Ferguson.

use bouton_core::{
    Appearance, Board, Coordinates, Impartial, MoveText, Notation, NotationError, Rows, Ruleset,
    Scanner,
};
use bouton_engine::family::{Example, Family, Reference, name_prefix};
use bouton_engine::game::{Game, impartial};
use bouton_heaps::rows;
use std::ops::ControlFlow::{self, Continue};

/// These games in the list.
pub const FAMILY: Family = Family {
    name: "strip",
    notation: "silver-dollar | welter | staircase",
    about: "slide coins down a strip over empty squares, or jump, or take tokens down a step",
    title: "Coins on a strip",
    sentence: "Slide a coin to the left over empty squares. Whoever cannot move loses.",
    opening: Example::new("silver-dollar", "2,5,6,10"),
    source: "Berlekamp, Conway, Guy, Winning Ways, ch. 3 and 13; C. P. Welter, Indag. Math. 16 \
        (1954) 194-200",
    reference: Reference::WINNING_WAYS,
    examples: &[
        Example::new("silver-dollar", "1,3,5,8"),
        Example::new("welter", "1,3,6"),
        Example::new("staircase", "2,1,2,1"),
    ],
    claims: |text| Strip::named(name_prefix(text)).is_some(),
    parse,
};

/// A game on a strip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strip {
    /// Coins on different squares; none jumps.
    SilverDollar,
    /// Coins on different squares; they jump.
    Welter,
    /// Tokens on steps; any number go down one step.
    Staircase,
}

impl Strip {
    fn named(name: &str) -> Option<Strip> {
        Some(match name {
            "silver-dollar" => Strip::SilverDollar,
            "welter" => Strip::Welter,
            "staircase" => Strip::Staircase,
            _ => return None,
        })
    }
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "silver-dollar, welter, staircase");
    let word = scanner.run(|c| c.is_alphabetic() || c == '-');
    scanner.finish()?;
    Ok(impartial(Strip::named(word).expect("a word that was claimed")))
}

impl Ruleset for Strip {
    /// The squares of the coins, ascending; or the tokens on each step, from the first on.
    type Position = Rows;

    fn options<B>(
        &self,
        p: &Rows,
        mut visit: impl FnMut(Rows) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for i in 0..p.len() {
            if *self == Strip::Staircase {
                for taken in 1..=p[i] {
                    let mut q = p.clone();
                    q[i] -= taken;
                    if i > 0 {
                        let Some(below) = q[i - 1].checked_add(taken) else { break };
                        q[i - 1] = below;
                    }
                    visit(q)?;
                }
                continue;
            }
            let from = match (self, i) {
                (Strip::SilverDollar, 1..) => p[i - 1] + 1,
                _ => 0,
            };
            for to in (from..p[i]).rev().filter(|to| !p.contains(to)) {
                let mut q = p.clone();
                q[i] = to;
                q.sort_unstable();
                visit(q)?;
            }
        }
        Continue(())
    }

    fn rank(&self, p: &Rows) -> Option<u64> {
        let weight = |i: usize| if *self == Strip::Staircase { i as u64 + 1 } else { 1 };
        p.iter()
            .enumerate()
            .try_fold(0u64, |sum, (i, n)| sum.checked_add(u64::from(*n).checked_mul(weight(i))?))
    }
}

impl Impartial for Strip {
    /// The heaps of Nim of the same nim-value, each as one coin or one step: the gaps below every
    /// second coin from the last one down, or every second step from the first one up. Other moves
    /// are taken back.
    fn summands(&self, p: &Rows, mut visit: impl FnMut(Rows)) {
        let mut heap = |n: u32| {
            if n > 0 {
                visit(std::iter::once(n).collect());
            }
        };
        match self {
            Strip::Staircase => p.iter().step_by(2).for_each(|step| heap(*step)),
            Strip::SilverDollar => p.rchunks(2).for_each(|pair| match pair {
                [low, high] => heap(high - low - 1),
                _ => heap(pair[0]),
            }),
            Strip::Welter => visit(p.clone()),
        }
    }
}

impl Notation for Strip {
    fn name(&self) -> String {
        match self {
            Strip::SilverDollar => "silver-dollar",
            Strip::Welter => "welter",
            Strip::Staircase => "staircase",
        }
        .into()
    }

    fn describe(&self) -> String {
        match self {
            Strip::SilverDollar => {
                "Coins stand on different squares 0, 1, 2, … of a strip. Move one to a lower \
                 square, past no other coin."
            }
            Strip::Welter => {
                "Coins stand on different squares 0, 1, 2, … of a strip. Move one to a lower \
                 empty square."
            }
            Strip::Staircase => {
                "Tokens lie on steps, counted from the lowest. Take any number from one step to \
                 the next lower one; from the first step they leave the game."
            }
        }
        .into()
    }

    fn position_form(&self) -> String {
        match self {
            Strip::Staircase => "the tokens on each step, from the lowest on, e.g. 2,3,1,4",
            _ => {
                "the squares of the coins, counted from 0, e.g. 2,5,6,10, or the strip, e.g. \
                ..o..oo...o"
            }
        }
        .into()
    }

    fn read(&self, text: &str) -> Result<Rows, NotationError> {
        let trimmed = text.trim();
        let coins =
            coins_on_strip(trimmed).filter(|coins| !coins.is_empty() && *self != Strip::Staircase);
        let wrong = |message: String| {
            NotationError::new(text, 0..text.len(), message, self.position_form())
        };
        let mut p: Rows = match coins {
            Some(coins) => coins.into_iter().collect(),
            None => {
                let form = |error| NotationError { accepted: self.position_form(), ..error };
                let what = if *self == Strip::Staircase { "step" } else { "square" };
                rows::read(text, None, what).map_err(form)?
            }
        };
        if *self != Strip::Staircase {
            p.sort_unstable();
            if let Some(pair) = p.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(wrong(format!("two coins stand on square {}", pair[0])));
            }
        }
        Ok(p)
    }

    fn print(&self, p: &Rows) -> String {
        rows::print(p, None)
    }

    fn move_text(&self, p: &Rows, q: &Rows) -> MoveText {
        let mut changed = (0..p.len()).filter(|i| p[*i] != q[*i]);
        match self {
            Strip::Staircase => match changed.next_back() {
                Some(0) => MoveText::Words(format!("take {} off step 1", p[0] - q[0])),
                Some(i) => {
                    MoveText::Words(format!("move {} from step {} to step {i}", p[i] - q[i], i + 1))
                }
                None => MoveText::Position(self.print(q)),
            },
            // A coin that jumps changes the order.
            _ => {
                let missing =
                    |from: &Rows, of: &Rows| of.iter().find(|n| !from.contains(n)).copied();
                match (missing(q, p), missing(p, q)) {
                    (Some(from), Some(to)) => MoveText::Change(format!("{from} → {to}")),
                    _ => MoveText::Position(self.print(q)),
                }
            }
        }
    }
}

impl Coordinates for Strip {
    fn sizes(&self, p: &Rows) -> Option<Vec<u64>> {
        Some(p.iter().map(|n| u64::from(*n)).collect())
    }

    fn position(&self, sizes: &[u64]) -> Option<Rows> {
        let p: Rows = sizes.iter().map(|n| u32::try_from(*n).ok()).collect::<Option<_>>()?;
        let ascending = *self == Strip::Staircase || p.windows(2).all(|pair| pair[0] < pair[1]);
        (ascending && (1..=bouton_engine::family::MAX_ROWS).contains(&p.len())).then_some(p)
    }
}

impl Appearance for Strip {
    fn board(&self, p: &Rows) -> Board {
        match self {
            Strip::Staircase => Board::Row(p.to_vec()),
            Strip::SilverDollar | Strip::Welter => Board::Strip(p.to_vec()),
        }
    }
}

/// Returns the squares of the coins, counted from 0, if a text is a strip: a coin is written `o` or
/// `x`, an empty square `.`, `_` or `-`.
pub fn coins_on_strip(text: &str) -> Option<Vec<u32>> {
    let is_coin = |c: char| matches!(c, 'o' | 'O' | 'x' | 'X');
    let is_square = |c: char| is_coin(c) || matches!(c, '.' | '_' | '-');
    let squares = || text.chars().zip(0..).filter(|(c, _)| is_coin(*c)).map(|(_, at)| at);
    (!text.is_empty() && text.chars().all(is_square)).then(|| squares().collect())
}
