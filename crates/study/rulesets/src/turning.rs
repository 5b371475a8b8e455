//! Coin-turning games in a row: turn one coin from heads to tails, and others to its left as the
//! rules allow.
//!
//! Source: H. W. Lenstra, *Nim multiplication* (1977); E. R. Berlekamp, J. H. Conway, R. K.
//! Guy, *Winning Ways*, chapter 14 (1982). A position is the sum of its heads, each alone.

use bouton_core::{
    Appearance, Arrange, Board, Coordinates, Impartial, MoveText, Notation, NotationError, Rows,
    Ruleset, Scanner, heaps_text,
};
use bouton_engine::family::{Example, Family, Reference, name_prefix};
use bouton_engine::game::{Game, impartial};
use bouton_heaps::rows;
use std::ops::ControlFlow::{self, Continue};

/// These games in the list.
pub const FAMILY: Family = Family {
    name: "turning",
    notation: "turning-turtles | mock-turtles | moebius | mogul | moidores | twins | triplets | \
        ruler | turnips",
    about: "turn a coin from heads to tails, and others to its left as the game allows",
    title: "Turning Turtles",
    sentence: "Turn a coin from heads to tails, and if you like one more to its left.",
    opening: Example::new("turning-turtles", "3,4,5"),
    source: "Berlekamp, Conway, Guy, Winning Ways, ch. 14; H. W. Lenstra, Nim multiplication \
        (1977)",
    reference: Reference::WINNING_WAYS,
    examples: &[
        Example::new("turning-turtles", "2,3,5"),
        Example::new("mock-turtles", "1,3,4"),
        Example::new("ruler", "2,3,6"),
        Example::new("twins", "2,5"),
        Example::new("turnips", "3,6"),
    ],
    claims: |text| GAMES.iter().any(|game| game.name == name_prefix(text)),
    parse,
};

/// Which coins turn together. The one farthest to the right goes from heads to tails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// At most so many.
    UpTo(usize),
    /// Exactly so many.
    Exactly(usize),
    /// Any number that stand side by side.
    SideBySide,
    /// Three at equal distances.
    EquallySpaced,
}

/// A coin-turning game.
#[derive(Debug, Clone, Copy)]
pub struct Turning {
    name: &'static str,
    turn: Turn,
    /// The greatest place of a head, so that its options can be counted.
    most: u64,
    rules: &'static str,
}

impl Turning {
    /// Returns whether the game is Turning Turtles: a move turns one or two coins.
    pub fn is_turtles(&self) -> bool {
        self.turn == Turn::UpTo(2)
    }
}

const GAMES: &[Turning] = &[
    Turning {
        name: "turning-turtles",
        turn: Turn::UpTo(2),
        most: 1 << 16,
        rules: "Turn one or two coins.",
    },
    Turning {
        name: "mock-turtles",
        turn: Turn::UpTo(3),
        most: 2048,
        rules: "Turn up to three coins.",
    },
    Turning { name: "moebius", turn: Turn::UpTo(5), most: 96, rules: "Turn up to five coins." },
    Turning { name: "mogul", turn: Turn::UpTo(7), most: 40, rules: "Turn up to seven coins." },
    Turning { name: "moidores", turn: Turn::UpTo(9), most: 32, rules: "Turn up to nine coins." },
    Turning {
        name: "twins",
        turn: Turn::Exactly(2),
        most: 1 << 16,
        rules: "Turn exactly two coins.",
    },
    Turning {
        name: "triplets",
        turn: Turn::Exactly(3),
        most: 2048,
        rules: "Turn exactly three coins.",
    },
    Turning {
        name: "ruler",
        turn: Turn::SideBySide,
        most: 1 << 16,
        rules: "Turn any number of coins that stand side by side.",
    },
    Turning {
        name: "turnips",
        turn: Turn::EquallySpaced,
        most: 1 << 16,
        rules: "Turn three coins at equal distances.",
    },
];

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, FAMILY.notation);
    let word = scanner.run(|c| c.is_alphabetic() || c == '-');
    scanner.finish()?;
    let game = GAMES.iter().find(|game| game.name == word).expect("a word that was claimed");
    Ok(impartial(*game))
}

impl Turning {
    /// Visits the positions after turning the head at `last` and others below it.
    fn turn_at<B>(
        &self,
        p: &Rows,
        last: u32,
        visit: &mut impl FnMut(Rows) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut q = p.clone();
        toggle(&mut q, last);
        match self.turn {
            Turn::UpTo(most) => more(&mut q, last, 0..=most - 1, visit),
            Turn::Exactly(count) => more(&mut q, last, count - 1..=count - 1, visit),
            Turn::SideBySide => {
                visit(q.clone())?;
                for place in (1..last).rev() {
                    toggle(&mut q, place);
                    visit(q.clone())?;
                }
                Continue(())
            }
            Turn::EquallySpaced => {
                for apart in 1..=(last - 1) / 2 {
                    let mut q = q.clone();
                    toggle(&mut q, last - apart);
                    toggle(&mut q, last - 2 * apart);
                    visit(q)?;
                }
                Continue(())
            }
        }
    }
}

/// Turns the coin at a place.
fn toggle(heads: &mut Rows, place: u32) {
    match heads.binary_search(&place) {
        Ok(at) => {
            heads.remove(at);
        }
        Err(at) => heads.insert(at, place),
    }
}

/// Visits what is made of `q` by turning between `count` coins below `last`.
fn more<B>(
    q: &mut Rows,
    last: u32,
    count: std::ops::RangeInclusive<usize>,
    visit: &mut impl FnMut(Rows) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (least, most) = (*count.start(), *count.end());
    if least == 0 {
        visit(q.clone())?;
    }
    if most == 0 {
        return Continue(());
    }
    for place in 1..last {
        toggle(q, place);
        let end = more(q, place, least.saturating_sub(1)..=most - 1, visit);
        toggle(q, place);
        end?;
    }
    Continue(())
}

impl Ruleset for Turning {
    /// The places of the heads, from 1 on, ascending.
    type Position = Rows;

    fn options<B>(
        &self,
        p: &Rows,
        mut visit: impl FnMut(Rows) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        p.iter().try_for_each(|last| self.turn_at(p, *last, &mut visit))
    }

    /// Returns the heads as a binary number, which every move lowers; `None` past 64 places.
    fn rank(&self, p: &Rows) -> Option<u64> {
        p.iter().try_fold(0u64, |rank, place| Some(rank | 1u64.checked_shl(place - 1)?))
    }
}

impl Impartial for Turning {
    fn summands(&self, p: &Rows, visit: impl FnMut(Rows)) {
        rows::visit_summands(p, visit);
    }
}

impl Notation for Turning {
    fn name(&self) -> String {
        self.name.into()
    }

    fn describe(&self) -> String {
        format!(
            "Coins lie in a row. {} The one farthest to the right goes from heads to tails.",
            self.rules
        )
    }

    fn position_form(&self) -> String {
        "the row, e.g. HTTH, or the places of the heads, counted from 1, e.g. 1,4 (0: none)".into()
    }

    fn read(&self, text: &str) -> Result<Rows, NotationError> {
        let trimmed = text.trim();
        let wrong = |message: String| {
            NotationError::new(text, 0..text.len(), message, self.position_form())
        };
        let is_row = trimmed.contains(['H', 'T', 'h', 't']);
        let mut heads: Rows = if is_row {
            let coins = trimmed.chars().filter(|c| !c.is_whitespace());
            let mut heads = Rows::new();
            for (coin, place) in coins.zip(1u32..) {
                match coin {
                    'H' | 'h' => heads.push(place),
                    'T' | 't' => {}
                    other => {
                        return Err(wrong(format!("`{other}` is neither H, heads, nor T, tails")));
                    }
                }
            }
            heads
        } else {
            let form = |error| NotationError { accepted: self.position_form(), ..error };
            rows::read(text, None, "place").map_err(form)?
        };
        if heads.len() == 1 && heads[0] == 0 {
            heads.clear();
        }
        heads.arrange();
        if heads.contains(&0) {
            return Err(wrong("places are counted from 1".into()));
        }
        if let Some(pair) = heads.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(wrong(format!("there is one coin at place {}", pair[0])));
        }
        if let Some(far) = heads.last().filter(|far| u64::from(**far) > self.most) {
            return Err(wrong(format!(
                "a head at {far}: the farthest in this game is {}",
                self.most
            )));
        }
        Ok(heads)
    }

    fn print(&self, p: &Rows) -> String {
        rows::print(p, None)
    }

    fn move_text(&self, p: &Rows, q: &Rows) -> MoveText {
        let turned = |from: &Rows, of: &Rows| -> Vec<u32> {
            of.iter().filter(|place| !from.contains(place)).copied().collect()
        };
        let mut places = [turned(q, p), turned(p, q)].concat();
        places.arrange();
        let listed: Vec<String> = places.iter().map(u32::to_string).collect();
        MoveText::Words(format!("turn {}", listed.join(", ")))
    }
}

impl Coordinates for Turning {
    fn sizes(&self, p: &Rows) -> Option<Vec<u64>> {
        Some(p.iter().map(|place| u64::from(*place)).collect())
    }

    fn position(&self, sizes: &[u64]) -> Option<Rows> {
        let heads = self.read(&heaps_text(sizes)).ok()?;
        heads.iter().map(|place| u64::from(*place)).eq(sizes.iter().copied()).then_some(heads)
    }

    fn single(&self, size: u32) -> Option<Rows> {
        let reached = u64::from(size) <= self.most;
        reached.then(|| if size == 0 { Rows::new() } else { Rows::from_slice(&[size]) })
    }
}

impl Appearance for Turning {
    fn board(&self, p: &Rows) -> Board {
        Board::Faces(p.to_vec())
    }
}
