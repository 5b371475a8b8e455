//! Kotzig's Nim on circles of every length, as coq/KotzigWords.v states it: the automata of a
//! certificate of kind `circle`.

use crate::ExportError;
use crate::formula::Formula;
use bouton_check::Envelope;
use bouton_core::Formula as Source;

/// Who wins Kotzig's Nim, and the automata that show it.
#[derive(Debug)]
pub struct TokenCircles {
    /// Whether who cannot move wins.
    pub is_misere: bool,
    /// The steps, negative ones anticlockwise.
    pub steps: Vec<i64>,
    /// The claim on the number of cells, variable 0.
    pub claim: Formula,
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
pub fn token_circles(envelope: &Envelope<'_>, claim: Option<&str>) -> Result<TokenCircles, ExportError> {
    let unreadable = || ExportError::new("the certificate cannot be read");
    let (is_misere, own) = match envelope.claim.strip_prefix("in misere play ") {
        Some(rest) => (true, rest),
        None => (false, &*envelope.claim),
    };
    let text = match claim {
        Some(claim) => claim,
        None => own.strip_prefix("P iff ").ok_or_else(unreadable)?,
    };
    let source = Source::parse_over(text, &["n".to_owned()]).map_err(|_| unreadable())?;
    let steps = envelope.game.strip_prefix("Gamma(").and_then(|rest| rest.strip_suffix(";n)"));
    let steps = steps.and_then(|steps| steps.split(',').map(|step| step.parse().ok()).collect());
    Ok(TokenCircles {
        is_misere,
        steps: steps.ok_or_else(unreadable)?,
        claim: Formula::read(&source)?,
        classes: classes(envelope.body).ok_or_else(unreadable)?,
    })
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
