//! NIM with Cash as coq/CashWindows.v and coq/CashWords.v state it: who wins every position, by the
//! values of a certificate of kind `win-condition`.

use crate::ExportError;
use bouton_check::Envelope;

/// Who wins NIM with Cash.
#[derive(Debug)]
pub struct CashCondition {
    /// What may be taken.
    pub amounts: Vec<u64>,
    /// The least of it, which the claim names.
    pub least: u64,
    /// v of n stones at c.
    pub values: CashValues,
}

/// What v is for each c and n.
#[derive(Debug)]
pub enum CashValues {
    /// It stays the same if n and c are lowered.
    Window {
        /// By how much n and c may be lowered.
        period: (u64, i64),
        /// From where on.
        from: (u64, i64),
        /// v for large c: whether it grows with c, and the number besides c or −c.
        lines: Vec<(bool, i64)>,
        /// v for each smaller c: how many of the last values come again, and the values.
        rows: Vec<(u64, Vec<i64>)>,
    },
    /// Paths for n = i + Pk, k at least this number.
    Words(u64, Vec<CashPath>),
}

/// v as a function of c.
#[derive(Debug)]
pub struct CashPath {
    /// The value at c = 0.
    pub start: i64,
    /// Whether it goes up for ever after the last piece.
    pub goes_up: bool,
    /// Steps, which are up or not, and how often they come: so many times k, and more.
    pub pieces: Vec<(Vec<bool>, [i64; 2])>,
}

/// Returns the theorem of a certificate of kind `win-condition`.
pub fn condition(envelope: &Envelope<'_>) -> Result<CashCondition, ExportError> {
    read(envelope).ok_or_else(ExportError::unreadable)
}

fn read(envelope: &Envelope<'_>) -> Option<CashCondition> {
    let amounts = envelope.game.strip_prefix("NIM(")?.strip_suffix(";n;d,e)")?;
    let (_, least) = envelope.claim.strip_suffix(')')?.rsplit_once(" / ")?;
    let (head, rest) = envelope.body.split_once('\n')?;
    let values = match head.split_once(' ')? {
        ("window", numbers) => window(numbers, rest)?,
        ("words", numbers) => {
            let (_, first) = numbers.split_once(' ')?;
            CashValues::Words(first.parse().ok()?, rest.lines().map(path).collect::<Option<_>>()?)
        }
        _ => return None,
    };
    let amounts = amounts.split(',').map(|a| a.parse().ok()).collect::<Option<_>>()?;
    Some(CashCondition { amounts, least: least.parse().ok()?, values })
}

fn window(numbers: &str, rest: &str) -> Option<CashValues> {
    let numbers: Vec<&str> = numbers.split(' ').collect();
    let [p, q, n, c] = numbers[..] else { return None };
    let (mut lines, mut rows) = (Vec::new(), Vec::new());
    for line in rest.lines() {
        if let Some(line) = line.strip_prefix("line ") {
            let (sign, rest) = line.split_once("c ")?;
            lines.push((is_plus(sign)?, rest.parse().ok()?));
        } else {
            let (again, values) = line.strip_prefix("row ")?.split_once(' ')?;
            let values =
                values.split(' ').map(|value| value.parse().ok()).collect::<Option<_>>()?;
            rows.push((again.parse().ok()?, values));
        }
    }
    let (period, from) = ((p.parse().ok()?, q.parse().ok()?), (n.parse().ok()?, c.parse().ok()?));
    Some(CashValues::Window { period, from, lines, rows })
}

fn is_plus(sign: &str) -> Option<bool> {
    match sign {
        "+" => Some(true),
        "-" => Some(false),
        _ => None,
    }
}

fn is_up(step: char) -> Option<bool> {
    match step {
        'U' => Some(true),
        'D' => Some(false),
        _ => None,
    }
}

/// Reads `path START TAIL PIECE...`.
fn path(line: &str) -> Option<CashPath> {
    let mut words = line.strip_prefix("path ")?.split(' ');
    let start = words.next()?.parse().ok()?;
    let mut tail = words.next()?.chars();
    let goes_up = is_up(tail.next()?)?;
    let pieces = words.map(piece).collect::<Option<_>>()?;
    tail.next().is_none().then_some(CashPath { start, goes_up, pieces })
}

/// Reads a piece: `U3D1^2k-1` is three steps up and one down, 2k − 1 times.
fn piece(word: &str) -> Option<(Vec<bool>, [i64; 2])> {
    let (runs, times) = word.split_once('^')?;
    let (each, base) = times.split_once('k')?;
    let mut steps = Vec::new();
    let mut runs = runs;
    while let Some(step) = runs.chars().next() {
        let rest = &runs[step.len_utf8()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let count: usize = rest[..digits].parse().ok().filter(|count| *count <= 1 << 20)?;
        steps.extend(std::iter::repeat_n(is_up(step)?, count));
        runs = &rest[digits..];
    }
    Some((steps, [each.parse().ok()?, base.parse().ok()?]))
}
