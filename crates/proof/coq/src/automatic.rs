//! P-positions that automata read, as coq/Automatic.v states them: the automata of a certificate of
//! kind `automatic`.

use crate::ExportError;
use crate::formula::Formula;
use crate::game::{Game, Symmetry};
use bouton_certificate::{AUTOMATON, PPositionsClaim};
use bouton_check::Envelope;
use bouton_core::Formula as Source;

/// The states of an automaton: 1 if numbers may end there, otherwise 0, and then the next states.
pub type Rows = Vec<Vec<u64>>;

/// The number of a window, a state of the automaton of moves and one of the automaton of positions.
pub type Way = (usize, u64, u64);

/// The digits in which numbers are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    /// To a base.
    Base(u64),
    /// Those of Zeckendorf.
    Zeckendorf,
}

/// P-positions, and the automata that show which they are.
#[derive(Debug)]
pub struct ReadPositions {
    /// The game.
    pub game: Game,
    /// The digits.
    pub digits: Digits,
    /// The claim, unless it is the automaton of positions.
    pub claim: Option<Formula>,
    /// The orders of the heaps in which the claim is read.
    pub order: Symmetry,
    /// The automaton of positions.
    pub positions: Rows,
    /// The claim as it stands, unless it is that of the automaton of positions.
    pub formula: Rows,
    /// Moves, by the number of heaps in a window.
    pub moves: Vec<(usize, Rows)>,
    /// States of the automaton of positions, with ways; of Zeckendorf's digits a state plus as many
    /// times the number of states as the column read last says.
    pub sets: Vec<(u64, Vec<Way>)>,
}

/// Returns the theorem of a certificate of kind `automatic`, with another claim if one is given.
///
/// # Errors
/// Fails if the moves of the game are not written down for Coq, if it has numbers remembered, or if
/// a formula is to be read in Zeckendorf's digits.
pub fn read_positions(
    envelope: &Envelope<'_>,
    claim: Option<&str>,
) -> Result<ReadPositions, ExportError> {
    let game = Game::read(envelope.game)?;
    if game.memory > 0 {
        return Err(ExportError::new("automata with numbers remembered are not exported"));
    }
    let own = PPositionsClaim::from_text(&envelope.claim).ok_or_else(ExportError::unreadable)?;
    if own.is_misere {
        return Err(ExportError::new("automata in misere play are not exported"));
    }
    let text = match claim {
        Some(claim) => Some(claim),
        None if own.form == AUTOMATON => None,
        None if own.up_to_symmetry => Some(own.form),
        None => return Err(ExportError::unreadable()),
    };
    let claim = match text {
        Some(text) => {
            let letters: Vec<String> = ('a'..='z').take(game.heaps).map(String::from).collect();
            let source =
                Source::parse_over(text, &letters).map_err(|_| ExportError::unreadable())?;
            Some(Formula::read(&source)?)
        }
        None => None,
    };
    if envelope.body.starts_with("zeckendorf ") {
        return Err(ExportError::new(
            "digits of Zeckendorf to a base other than 2 are not exported",
        ));
    }
    if envelope.body.starts_with("digits by ") {
        return Err(ExportError::new(
            "digits by a recurrence other than Zeckendorf's are not exported",
        ));
    }
    Body::default()
        .read(envelope.body, &game)
        .ok_or_else(ExportError::unreadable)?
        .theorem(game, claim)
}

/// The lines of a certificate.
#[derive(Debug, Default)]
struct Body {
    digits: Option<Digits>,
    positions: Rows,
    formula: Rows,
    windows: Vec<Vec<usize>>,
    moves: Vec<(usize, Rows)>,
    sets: Vec<(u64, Vec<u64>)>,
}

impl Body {
    fn read(mut self, body: &str, game: &Game) -> Option<Body> {
        let mut lines = body.lines().peekable();
        if let Some(base) = lines.peek()?.strip_prefix("base ") {
            self.digits = Some(Digits::Base(base.parse().ok()?));
            lines.next();
        } else if *lines.peek()? == "zeckendorf" {
            self.digits = Some(Digits::Zeckendorf);
            lines.next();
        }
        let count = lines.next()?.strip_prefix("positions ")?.parse().ok()?;
        self.positions = rows(&mut lines, count)?;
        if let Some(count) = lines.peek()?.strip_prefix("formula ") {
            let count = count.parse().ok()?;
            lines.next();
            self.formula = rows(&mut lines, count)?;
        }
        let windows = lines.next()?.strip_prefix("windows ")?.split(' ');
        self.windows = windows.map(|window| all(window, ',')).collect::<Option<_>>()?;
        let mut lengths: Vec<usize> = Vec::new();
        for window in &game.windows {
            if !lengths.contains(&window.len()) {
                lengths.push(window.len());
                let (length, count) = lines.next()?.strip_prefix("move ")?.split_once(' ')?;
                let moves = rows(&mut lines, count.parse().ok()?)?;
                self.moves.push((length.parse().ok()?, moves));
            }
        }
        let count: usize = lines.next()?.strip_prefix("sets ")?.parse().ok()?;
        for _ in 0..count {
            let listed: Vec<u64> = all(lines.next()?, ' ')?;
            let (state, ways) = listed.split_first()?;
            self.sets.push((*state, ways.to_vec()));
        }
        lines.next().is_none().then_some(self)
    }

    fn theorem(self, game: Game, claim: Option<Formula>) -> Result<ReadPositions, ExportError> {
        if self.windows != game.windows {
            return Err(ExportError::new(
                "windows in another order than that of the game are not exported",
            ));
        }
        let digits = self.digits.unwrap_or(Digits::Base(2));
        if digits == Digits::Zeckendorf && (claim.is_some() || !self.formula.is_empty()) {
            return Err(ExportError::new("formulas are not exported with digits of Zeckendorf"));
        }
        let states = self.positions.len() as u64;
        // Ways are numbered window by window.
        let mut ends = Vec::new();
        for window in &game.windows {
            let moves = self.moves.iter().find(|(length, _)| *length == window.len());
            let moves = moves.map_or(0, |(_, rows)| rows.len() as u64);
            ends.push(ends.last().unwrap_or(&0) + moves * states);
        }
        let way = |number: u64| {
            let window = ends.partition_point(|end| *end <= number);
            let start = window.checked_sub(1).map_or(0, |before| ends[before]);
            (window, (number - start) / states.max(1), (number - start) % states.max(1))
        };
        let sets =
            self.sets.iter().map(|(state, ways)| (*state, ways.iter().map(|n| way(*n)).collect()));
        // The same automaton as it stands and up to symmetry: the claim is its own image.
        let is_own_image = self.formula.is_empty() || self.formula == self.positions;
        Ok(ReadPositions {
            order: if is_own_image { Symmetry::None } else { game.symmetry },
            formula: if is_own_image { Vec::new() } else { self.formula },
            sets: sets.collect(),
            digits,
            positions: self.positions,
            moves: self.moves,
            game,
            claim,
        })
    }
}

/// Reads numbers.
fn all<T: std::str::FromStr>(text: &str, between: char) -> Option<Vec<T>> {
    text.split(between).map(|number| number.parse().ok()).collect()
}

/// Reads the states of an automaton.
fn rows<'a>(lines: &mut impl Iterator<Item = &'a str>, count: usize) -> Option<Rows> {
    let row = |line: &str| {
        let (mark, next) = line.split_once(' ')?;
        let ends = u64::from(mark == "!");
        Some(std::iter::once(ends).chain(all(next, ' ')?).collect())
    };
    lines.take(count).map(row).collect::<Option<Rows>>().filter(|rows| rows.len() == count)
}
