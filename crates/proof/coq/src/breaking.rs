//! Periods of taking-and-breaking games, as coq/Breaking.v has them: the first values, which Coq compares with the rules as far as
//! the octal period theorem asks for (Guy and Smith 1956).

use crate::NotCovered;
use crate::theorem::Spoiled;
use bouton_check::Envelope;

/// Most values of preperiod and period. Coq looks at all ways to break twice as many heaps.
const MOST: usize = 4000;

/// The file of a certificate of kind `period`.
pub fn export(envelope: &Envelope<'_>, how: Spoiled) -> Result<String, NotCovered> {
    let broken = || NotCovered::new("the certificate cannot be read");
    let code = digits(envelope.game)?;
    if envelope.body.lines().any(|line| line.starts_with("saltus ")) {
        return Err(NotCovered::new("periods with a saltus are not exported"));
    }
    let number = |name: &str| -> Option<usize> {
        envelope.body.lines().find_map(|line| line.strip_prefix(name)?.parse().ok())
    };
    let period = number("period ").filter(|p| *p > 0).ok_or_else(broken)?;
    // That one heap is left where a period is taken off it, the theorem asks for a preperiod of at least 1.
    let from = number("preperiod ").ok_or_else(broken)?.max(1);
    let size = period.checked_add(from).filter(|size| *size <= MOST).ok_or_else(|| {
        NotCovered::new(format!(
            "preperiods and periods of more than {MOST} values together are not exported"
        ))
    })?;
    let mut values = values(&code, size);
    if how != Spoiled::Nothing
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

/// The digits after the point.
fn digits(game: &str) -> Result<Vec<u64>, NotCovered> {
    let not_octal =
        || NotCovered::new("nim-sequences are exported of octal codes without a digit before the point");
    let digits = game.strip_prefix("0.").ok_or_else(not_octal)?;
    digits.chars().map(|c| c.to_digit(8).map(u64::from).ok_or_else(not_octal)).collect()
}

/// The values of the heaps 0, 1, … by trying all moves.
fn values(code: &[u64], size: usize) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::with_capacity(size);
    let mut seen: Vec<usize> = Vec::new();
    for heap in 0..size {
        let mut see = |v: u64| {
            let v = v as usize;
            if v >= seen.len() {
                seen.resize(v + 1, usize::MAX);
            }
            seen[v] = heap;
        };
        for (taken, digit) in (1..).zip(code) {
            let Some(left) = heap.checked_sub(taken) else { break };
            match left {
                0 if digit & 1 != 0 => see(0),
                0 => {}
                _ => {
                    if digit & 2 != 0 {
                        see(values[left]);
                    }
                    if digit & 4 != 0 {
                        (1..=left / 2).for_each(|a| see(values[a] ^ values[left - a]));
                    }
                }
            }
        }
        let free = (0..).find(|v| seen.get(*v).is_none_or(|at| *at != heap));
        values.push(free.unwrap_or_default() as u64);
    }
    values
}
