//! Kotzig's Nim on circles of every length, as coq/KotzigWords.v states it: the automata of a
//! certificate of kind `circle`; and single positions, by the winner's steps.

use crate::ExportError;
use crate::formula::Formula;
use bouton_certificate::PPositionsClaim;
use bouton_check::Envelope;
use bouton_core::Formula as Source;

/// Who wins Kotzig's Nim on circles of every length.
#[derive(Debug)]
pub struct TokenStatement {
    /// Whether who cannot move wins.
    pub is_misere: bool,
    /// The steps, negative ones anticlockwise.
    pub steps: Vec<i64>,
    /// The claim on the number of cells, variable 0.
    pub claim: Formula,
}

/// Who wins Kotzig's Nim, and the automata that show it.
#[derive(Debug)]
pub struct TokenCircles {
    /// The statement.
    pub statement: TokenStatement,
    /// The numbers of cells by their remainders.
    pub classes: Vec<CircleClass>,
}

/// The numbers of cells with one remainder.
#[derive(Debug)]
pub struct CircleClass {
    /// The first number of which the automaton speaks.
    pub first: u64,
    /// Whether the circles from there on are lost for the first player.
    pub is_lost: bool,
    /// The states from 1 on: the next ones, and the label, 0 for none, 1 for lost, 2 for won. The
    /// state 0 stands for all that are not there.
    pub states: Vec<([u64; 2], u64)>,
}

/// Returns the theorem of a certificate of kind `circle`, with another claim if one is given.
pub fn token_circles(
    envelope: &Envelope<'_>,
    claim: Option<&str>,
) -> Result<TokenCircles, ExportError> {
    let statement = statement(envelope, claim)?;
    Ok(TokenCircles {
        statement,
        classes: classes(envelope.body).ok_or_else(ExportError::unreadable)?,
    })
}

/// Returns the statement of a certificate on circles of every length, with another claim if one is
/// given.
pub fn statement(
    envelope: &Envelope<'_>,
    claim: Option<&str>,
) -> Result<TokenStatement, ExportError> {
    let own = PPositionsClaim::from_text(&envelope.claim).ok_or_else(ExportError::unreadable)?;
    let is_misere = own.is_misere;
    let text = claim.unwrap_or(own.form);
    let source =
        Source::parse_over(text, &["n".to_owned()]).map_err(|_| ExportError::unreadable())?;
    let steps = game(envelope.game).filter(|(_, cells)| *cells == "n").map(|(steps, _)| steps);
    let claim = Formula::read(&source)?;
    Ok(TokenStatement { is_misere, steps: steps.ok_or_else(ExportError::unreadable)?, claim })
}

/// Returns the steps of `Gamma(m1,...;n)`, and what stands for n.
fn game(name: &str) -> Option<(Vec<i64>, &str)> {
    let (steps, cells) = name.strip_prefix("Gamma(")?.strip_suffix(')')?.split_once(';')?;
    Some((steps.split(',').map(|step| step.parse().ok()).collect::<Option<_>>()?, cells))
}

/// Who wins a position of Kotzig's Nim, and the winner's steps.
#[derive(Debug)]
pub struct TokenPosition {
    /// Whether who cannot move wins.
    pub is_misere: bool,
    /// The steps.
    pub steps: Vec<i64>,
    /// The number of cells.
    pub cells: usize,
    /// The token's cell, and behind it those that are marked.
    pub position: Vec<usize>,
    /// Whether who is to move wins.
    pub mover_wins: bool,
    /// The winner's steps by the cells within reach, counted from the token.
    pub book: Vec<(Vec<usize>, i64)>,
}

/// Returns the theorem of a certificate of kind `strategy`.
pub fn token_position(envelope: &Envelope<'_>) -> Result<TokenPosition, ExportError> {
    position(envelope).ok_or_else(ExportError::unreadable)
}

fn position(envelope: &Envelope<'_>) -> Option<TokenPosition> {
    let (steps, cells) = game(envelope.game)?;
    let (place, outcome) = envelope.claim.split_once(" is ")?;
    let (winner, play) = outcome.split_once(" in ")?;
    let (marked, token) = place.split_once('/')?;
    let mut position = vec![token.parse().ok()?];
    for cell in marked.split(',') {
        position.push(cell.parse().ok()?);
    }
    let book = match envelope.body {
        "every move of the winner is forced\n" => Vec::new(),
        body => body.lines().map(advice).collect::<Option<_>>()?,
    };
    Some(TokenPosition {
        is_misere: play == "misere play",
        steps,
        cells: cells.parse().ok()?,
        position,
        mover_wins: winner == "N",
        book,
    })
}

/// Reads a line of the book: the cells within reach in hexadecimal digits, and the step.
fn advice(line: &str) -> Option<(Vec<usize>, i64)> {
    let (reach, step) = line.split_once(' ')?;
    let mut cells = Vec::new();
    for (i, digit) in reach.chars().rev().enumerate() {
        let digit = digit.to_digit(16)?;
        cells.extend((0..4).filter(|bit| digit >> bit & 1 == 1).map(|bit| 4 * i + bit));
    }
    Some((cells, step.parse().ok()?))
}

fn classes(body: &str) -> Option<Vec<CircleClass>> {
    let mut lines = body.lines();
    let period: u64 = lines.next()?.strip_prefix("period ")?.parse().ok()?;
    let mut all = Vec::new();
    for residue in 0..period {
        let words: Vec<&str> = lines.next()?.split(' ').collect();
        let ["class", _, outcome, "from", from, "states", count] = words[..] else { return None };
        let (from, count): (u64, usize) = (from.parse().ok()?, count.parse().ok()?);
        // The first number with this remainder.
        let first = from + (residue + period - from % period) % period;
        let states = lines.by_ref().take(count).map(state).collect::<Option<Vec<_>>>()?;
        all.push(CircleClass { first, is_lost: outcome == "P", states });
    }
    (lines.next().is_none() && !all.is_empty()).then_some(all)
}

fn state(line: &str) -> Option<([u64; 2], u64)> {
    let mut words = line.split(' ');
    let next = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
    let label = match words.next() {
        None => 0,
        Some("A") => 1,
        Some("B") => 2,
        Some(_) => return None,
    };
    Some((next, label))
}
