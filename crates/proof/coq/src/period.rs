//! Periods of take-and-break games, as coq/Breaking.v states them: the first values, which Coq
//! compares with the rules as far as the octal period theorem requires (Guy and Smith 1956).

use crate::ExportError;
use crate::export::Mutation;
use bouton_check::Envelope;

/// The greatest number of values of preperiod and period together. Coq tries all ways to break
/// twice as many heaps.
const MAX_VALUES: usize = 4000;

/// Returns the file of a certificate of kind `period`.
pub fn export(envelope: &Envelope<'_>, mutation: Mutation) -> Result<String, ExportError> {
    let broken = || ExportError::new("the certificate cannot be read");
    let code = digits(envelope.game)?;
    let number = |name: &str| -> Option<usize> {
        envelope.body.lines().find_map(|line| line.strip_prefix(name)?.parse().ok())
    };
    let period = number("period ").filter(|p| *p > 0).ok_or_else(broken)?;
    // The theorem needs a preperiod of at least 1, so that taking a period leaves a heap.
    let preperiod = number("preperiod ").ok_or_else(broken)?.max(1);
    let size = period.checked_add(preperiod).filter(|size| *size <= MAX_VALUES).ok_or_else(|| {
        ExportError::new(format!(
            "preperiods and periods of more than {MAX_VALUES} values together are not exported"
        ))
    })?;
    let mut values = values(&code, size);
    if mutation != Mutation::None
        && let Some(last) = values.last_mut()
    {
        *last += 1;
    }
    let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join("; ");
    let lines: Vec<String> = values.chunks(40).map(list).collect();
    Ok(format!(
        "(** {}: {}, and whoever moves loses just where the nim-sum of the heaps' values is 0.\n    \
         What the words mean stands in Positions.v, of the same folder as the rest of the library. *)\n\n\
         From Bouton Require Import Positions Breaking.\n\
         From Coq Require Import List NArith.\nImport ListNotations.\nOpen Scope N_scope.\n\n\
         (** The nim-values of heaps of 0, 1, 2, …; the last {period} repeat for ever. *)\n\
         Definition values : list N := [{}].\n\n\
         Theorem theorem : forall p, P_position (breaking [{}]) p <-> nim_sum (map (repeated {period} values) p) = 0.\n\
         Proof. apply breaking_P_positions. vm_cast_no_check (eq_refl true). Qed.\n\nPrint Assumptions theorem.\n",
        envelope.game,
        envelope.claim,
        lines.join(";\n  "),
        list(&code),
    ))
}

/// Returns the digits after the point.
fn digits(game: &str) -> Result<Vec<u64>, ExportError> {
    let not_octal =
        || ExportError::new("nim-sequences are exported of octal codes without a digit before the point");
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
