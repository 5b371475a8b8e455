//! Strings and Coins: players cut strings between two coins or between a coin and the ground; a
//! player who cuts the last string of a coin takes the coin and cuts again; the player with most
//! coins wins.
//!
//! Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, ch. 16 (1982). Dots and Boxes
//! is this game on the dual graph of its board: boxes are coins, lines are strings. Here the graph
//! is arbitrary, planar or not.

use crate::{CoinGraph, CoinSolver, Margin};
use bouton_core::{
    Appearance, Board, Consequence, Coordinates, LimitReached, Meter, MoveText, Notation,
    NotationError, Ruleset, Scanner, Scored,
};
use bouton_engine::family::{Example, Family, Reference, name_prefix};
use bouton_engine::game::{
    ByMargin, Evaluation, Evaluator, Game, Kind, ReachedOption, Settings, with_evaluator,
};
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

/// The entry of this family in the catalogue.
pub const FAMILY: Family = Family {
    name: "coins",
    notation: "coins(1-2,2-3,3-0,…): strings between coins, 0 the ground",
    about: "cut strings between coins; who frees a coin takes it and cuts again",
    title: "Strings and Coins",
    sentence: "Cut a string; who frees a coin takes it and cuts again.",
    opening: Example::new("coins(1-2,1-3,1-4,2-3,2-4,3-4)", "-x----"),
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, ch. 16 (1982)",
    reference: Reference::WINNING_WAYS,
    examples: &[
        Example::new("coins(1-2,1-3,1-4,2-3,2-4,3-4)", ""),
        Example::new("coins(1-0,1-2,2-3,3-0,3-4,4-0)", "-x----"),
    ],
    claims: |text| name_prefix(text) == "coins",
    parse,
};

/// The greatest number of strings.
const MAX_STRINGS: usize = 64;
/// The greatest number of coins.
const MAX_COINS: u64 = 64;

const ACCEPTED: &str = "coins(1-2,2-3,3-0), strings between coins that are numbered from 1 on, 0 \
    being the ground, at most 64 strings";

/// The strings that are cut, one bit each, in the order of the game's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cut(u64);

/// A graph of coins held by strings.
#[derive(Debug, Clone)]
pub struct Coins {
    /// The coins at the ends of each string, from 0; `None` is the ground.
    strings: Arc<[(usize, Option<usize>)]>,
    graph: Arc<CoinGraph>,
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, ACCEPTED);
    scanner.expect("coins")?;
    scanner.expect("(")?;
    let (mut strings, mut places) = (Vec::new(), Vec::new());
    loop {
        let start = scanner.at();
        let a = scanner.number("a coin", MAX_COINS)?;
        scanner.expect("-")?;
        let b = scanner.number("a coin, or 0 for the ground", MAX_COINS)?;
        let place = start..scanner.at();
        if a == b {
            let why = if a == 0 {
                "the ground needs no string to itself"
            } else {
                "both ends are at one coin"
            };
            return Err(scanner.error(place, why));
        }
        if strings.len() == MAX_STRINGS {
            return Err(scanner.error(place, format!("there are at most {MAX_STRINGS} strings")));
        }
        // The smaller coin comes first, the ground last.
        let (first, second) = if a == 0 || b != 0 && b < a { (b, a) } else { (a, b) };
        strings.push((first as usize - 1, (second as usize).checked_sub(1)));
        places.push(place);
        if !scanner.eat(",") {
            break;
        }
    }
    scanner.expect(")")?;
    scanner.finish()?;
    let used = |coin: usize| strings.iter().any(|(a, b)| *a == coin || *b == Some(coin));
    for ((a, b), place) in strings.iter().zip(places) {
        let coin = (*a).max(b.unwrap_or(0));
        if let Some(free) = (0..coin).find(|other| !used(*other)) {
            let message =
                format!("there is a coin {} but no string at coin {}", coin + 1, free + 1);
            return Err(scanner.error(place, message));
        }
    }
    match Coins::new(strings) {
        Some(rules) => Ok(with_evaluator::<_, CoinEvaluator>(rules)),
        None => Err(scanner.error(0..text.len(), "too many strings")),
    }
}

impl Coins {
    fn new(strings: Vec<(usize, Option<usize>)>) -> Option<Coins> {
        let graph = Arc::new(CoinGraph::new(&strings)?);
        Some(Coins { strings: strings.into(), graph })
    }

    fn all_strings(&self, p: &Cut) -> u64 {
        self.graph.all() & !p.0
    }

    fn string_text(&self, string: usize) -> String {
        let (a, b) = self.strings[string];
        format!("{}-{}", a + 1, b.map_or(0, |b| b + 1))
    }
}

impl Ruleset for Coins {
    type Position = Cut;

    fn options<B>(&self, p: &Cut, mut visit: impl FnMut(Cut) -> ControlFlow<B>) -> ControlFlow<B> {
        self.scored_options(p, |option, _| visit(option))
    }

    fn rank(&self, p: &Cut) -> Option<u64> {
        Some(self.all_strings(p).count_ones().into())
    }
}

impl Scored for Coins {
    fn scored_options<B>(
        &self,
        p: &Cut,
        mut visit: impl FnMut(Cut, Consequence) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let all_strings = self.all_strings(p);
        for string in (0..self.strings.len()).filter(|string| all_strings >> string & 1 == 1) {
            let gain = self.graph.held(all_strings) - self.graph.held(all_strings & !(1 << string));
            visit(Cut(p.0 | 1 << string), Consequence { gain, again: gain > 0 })?;
        }
        Continue(())
    }

    fn points_left(&self, p: &Cut) -> u32 {
        self.graph.held(self.all_strings(p))
    }
}

impl Notation for Coins {
    fn name(&self) -> String {
        let strings: Vec<String> =
            (0..self.strings.len()).map(|string| self.string_text(string)).collect();
        format!("coins({})", strings.join(","))
    }

    fn describe(&self) -> String {
        "Cut a string. Whoever cuts the last string of a coin takes the coin and cuts again; most \
         coins win."
            .into()
    }

    fn position_form(&self) -> String {
        let all_strings = "-".repeat(self.strings.len());
        format!(
            "a sign for each string in the order of the game's name, - whole, x cut, e.g. \
             {all_strings}"
        )
    }

    fn read(&self, text: &str) -> Result<Cut, NotationError> {
        let mut scanner = Scanner::new(text, self.position_form());
        let mut cut = 0;
        for string in 0..self.strings.len() {
            if scanner.eat("x") {
                cut |= 1 << string;
            } else if !scanner.eat("-") {
                return Err(
                    scanner.unexpected(&format!("`-` or `x` for {}", self.string_text(string)))
                );
            }
        }
        scanner.finish()?;
        Ok(Cut(cut))
    }

    fn print(&self, p: &Cut) -> String {
        let signs =
            (0..self.strings.len()).map(|string| if p.0 >> string & 1 == 1 { 'x' } else { '-' });
        signs.collect()
    }

    fn start(&self) -> Option<Cut> {
        Some(Cut(0))
    }

    fn move_text(&self, p: &Cut, q: &Cut) -> MoveText {
        MoveText::Words(self.string_text((p.0 ^ q.0).trailing_zeros() as usize))
    }
}

impl Coordinates for Coins {}

impl Appearance for Coins {
    fn board(&self, p: &Cut) -> Board {
        let all_strings = (0..self.strings.len()).map(|string| p.0 >> string & 1 == 0).collect();
        Board::Coins { strings: self.strings.to_vec(), whole: all_strings }
    }
}

/// Evaluates positions by the engine for graphs.
struct CoinEvaluator {
    solver: CoinSolver,
    generic: ByMargin<Coins>,
}

fn evaluation(margin: Margin) -> Evaluation {
    Evaluation::from_bounds(margin.low, margin.high)
}

impl Evaluator<Coins> for CoinEvaluator {
    const KIND: Kind = Kind::Scored;

    fn new(rules: &Coins, settings: &Settings) -> Self {
        CoinEvaluator {
            solver: CoinSolver::new((*rules.graph).clone()),
            generic: ByMargin::new(rules, settings),
        }
    }

    fn evaluate(
        &mut self,
        _: &Coins,
        p: &Cut,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        let (margin, end) = self.solver.margin(p.0, meter);
        end.map(|()| evaluation(margin))
    }

    fn known(&self, _: &Coins, p: &Cut) -> Evaluation {
        evaluation(self.solver.known(p.0))
    }

    fn best_move(
        &mut self,
        _: &Coins,
        p: &Cut,
        meter: &mut Meter,
    ) -> Result<Option<(Cut, Consequence)>, LimitReached> {
        let (choices, end) = self.solver.choices(p.0, meter);
        end?;
        // The first of the best moves; takings come before others.
        let best = choices
            .iter()
            .min_by_key(|choice| (-choice.margin.low, std::cmp::Reverse(choice.gain)));
        Ok(best.map(|choice| {
            (Cut(p.0 | 1 << choice.line), Consequence { gain: choice.gain, again: choice.gain > 0 })
        }))
    }

    fn moves(
        &self,
        rules: &Coins,
        p: &Cut,
        most: usize,
    ) -> Result<Vec<ReachedOption<Coins>>, LimitReached> {
        self.generic.moves(rules, p, most)
    }
}
