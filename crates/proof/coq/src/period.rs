//! Periods of take-and-break games, as coq/Breaking.v states them: the first values, which Coq
//! compares with the rules as far as the octal period theorem requires (Guy and Smith 1956).

use crate::ExportError;
use crate::export::Mutation;
use bouton_certificate::PeriodClaim;
use bouton_check::Envelope;

/// The greatest number of values of preperiod and period together in a file for Coq, which tries
/// all ways to break twice as many heaps.
pub const MAX_VALUES: usize = 4000;
/// The same for the extracted checker.
pub const MAX_VALUES_EXTRACTED: usize = 40_000;

/// A nim-sequence with a period.
#[derive(Debug)]
pub struct Sequence {
    /// The digits after the point.
    pub code: Vec<u64>,
    /// The period.
    pub period: usize,
    /// The heap from which on the values are claimed to repeat.
    pub preperiod: usize,
    /// The first values, of which the last `period` repeat.
    pub values: Vec<u64>,
}

/// Returns the sequence of a certificate of kind `period`, if its period and what comes before have
/// no more than `most` values.
pub fn sequence(
    envelope: &Envelope<'_>,
    mutation: Mutation,
    most: usize,
) -> Result<Sequence, ExportError> {
    let code = digits(envelope.game)?;
    if envelope.body.lines().any(|line| line.starts_with("saltus ")) {
        return Err(ExportError::new("periods with a saltus are not exported"));
    }
    let number = |name: &str| -> Option<usize> {
        envelope.body.lines().find_map(|line| line.strip_prefix(name)?.parse().ok())
    };
    let period = number("period ").filter(|p| *p > 0).ok_or_else(ExportError::unreadable)?;
    let preperiod = number("preperiod ").ok_or_else(ExportError::unreadable)?;
    let claim = PeriodClaim { period, saltus: 0, preperiod };
    if envelope.claim != claim.to_string() {
        return Err(ExportError::unreadable());
    }
    // The theorem needs a preperiod of at least 1, so that taking a period leaves a heap.
    let size =
        period.checked_add(preperiod.max(1)).filter(|size| *size <= most).ok_or_else(|| {
            ExportError::new(format!(
                "preperiods and periods of more than {most} values together are not exported"
            ))
        })?;
    let mut values = values(&code, size);
    if mutation != Mutation::None
        && let Some(last) = values.last_mut()
    {
        *last += 1;
    }
    Ok(Sequence { code, period, preperiod, values })
}

/// Returns the digits after the point; what may be subtracted are digits 3.
fn digits(game: &str) -> Result<Vec<u64>, ExportError> {
    let not_octal = || {
        ExportError::new(
            "nim-sequences are exported of octal codes without a digit before the point",
        )
    };
    if let Some(amounts) = game.strip_prefix("S(").and_then(|rest| rest.strip_suffix(')')) {
        let amounts: Vec<usize> = amounts
            .split(',')
            .map(|a| a.parse().ok().filter(|a| (1..=MAX_VALUES).contains(a)).ok_or_else(not_octal))
            .collect::<Result<_, _>>()?;
        let longest = amounts.iter().copied().max().unwrap_or(0);
        return Ok((1..=longest).map(|k| if amounts.contains(&k) { 3 } else { 0 }).collect());
    }
    let digits = game.strip_prefix("0.").ok_or_else(not_octal)?;
    digits.chars().map(|c| c.to_digit(8).map(u64::from).ok_or_else(not_octal)).collect()
}

/// Returns the values of the heaps 0, 1, …, by trying all moves.
fn values(code: &[u64], size: usize) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::with_capacity(size);
    let mut marked_by: Vec<usize> = Vec::new();
    for heap in 0..size {
        let mut mark = |v: u64| {
            let v = v as usize;
            if v >= marked_by.len() {
                marked_by.resize(v + 1, usize::MAX);
            }
            marked_by[v] = heap;
        };
        for (taken, digit) in (1..).zip(code) {
            let Some(left) = heap.checked_sub(taken) else { break };
            match left {
                0 if digit & 1 != 0 => mark(0),
                0 => {}
                _ => {
                    if digit & 2 != 0 {
                        mark(values[left]);
                    }
                    if digit & 4 != 0 {
                        (1..=left / 2).for_each(|a| mark(values[a] ^ values[left - a]));
                    }
                }
            }
        }
        let free = (0..).find(|v| marked_by.get(*v).is_none_or(|at| *at != heap));
        values.push(free.unwrap_or_default() as u64);
    }
    values
}
