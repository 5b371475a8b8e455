//! Periods of nim-sequences: found by comparison, proved by the octal period theorem or by a
//! window, and exported as certificates.
//!
//! Theorem (Guy, Smith 1956, for octal games). Let moves take at most t tokens and leave at most j
//! heaps. If G(n + p) = G(n) for all n ≥ e (e ≥ 1) with n + p < j(e + p) + t, then for all n ≥ e.
//! For the largest heap that a move from n ≥ j(e + p) + t leaves is at least e + p, and may be
//! changed by p: the options of n and of n − p have the same values. If two heaps left must differ,
//! the changed heap may equal the other one; then the smaller one is changed instead, which needs
//! 2e + 3p + t.
//!
//! In a sparse space there is a shorter proof. Let all rare heaps lie at least t below w, and let
//! every heap n of s..s + p have a common value whose rare options below it have witnesses of shift
//! at most w. Then these values follow from the w values before each. If the w values before s + p
//! are those before s, and p is even if the space is by position, the heaps from s + p on repeat
//! those from s on, for ever.
//!
//! If G(n + p) = G(n) + s with a saltus s ≥ 1, the proof is that of [`super::arithmetic`].
//!
//! Source: R. K. Guy, C. A. B. Smith, *The G-values of various games*, Proc. Camb. Phil. Soc. 52
//! (1956), th. 1.

use super::arithmetic::{ArithmeticPeriod, ArithmeticProof};
use super::{Sequence, TakeAndBreakCode};
use bouton_certificate::{Certificate, CertificateKind, PeriodClaim};
use bouton_core::{LimitReached, Meter};

/// A period that a nim-sequence has as far as it was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The least p that fits.
    pub period: usize,
    /// G(n + p) = G(n) + saltus from here on; the least such size for this p.
    pub preperiod: usize,
    /// The number added in each period.
    pub saltus: u32,
    /// The values of heaps 0..`compared` were compared.
    pub compared: usize,
    /// The reason why the period continues for ever, if it is proved.
    pub proof: Option<PeriodProof>,
}

/// Reasons why a period continues for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeriodProof {
    /// The octal period theorem.
    Octal,
    /// As many equal values in a row as a move can take tokens: they determine the next value if no
    /// move leaves two heaps.
    RepeatedState,
    /// The dependence window of a sparse space.
    Window {
        /// Number of preceding values that determine a heap of one period.
        width: usize,
        /// The first of these heaps.
        from: usize,
        /// If values are not kept: the heap from which on each value follows from `width` values
        /// before it.
        since: Option<usize>,
    },
    /// The theorem on arithmetic periods; only with a saltus.
    Arithmetic(ArithmeticProof),
}

/// The properties of a code on which the period theorem depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveLimits {
    /// Maximum number of heaps that a move leaves; at least 1.
    parts: usize,
    /// Maximum number of tokens that a move takes.
    taken: usize,
    /// Whether two heaps left must differ.
    unequal: bool,
}

impl MoveLimits {
    /// Returns the limits of a code; `None` if the theorem does not apply.
    pub fn from_code(code: &TakeAndBreakCode) -> Option<MoveLimits> {
        let reach = MoveLimits {
            parts: code.most_parts()?.max(1) as usize,
            taken: code.most_taken()?,
            unequal: code.has_unequal(),
        };
        (code.is_plain() && (!reach.unequal || reach.parts <= 2)).then_some(reach)
    }

    /// Returns the limits of a subtraction game.
    pub fn from_subtraction_set(set: &[usize]) -> MoveLimits {
        MoveLimits { parts: 1, taken: set.iter().copied().max().unwrap_or(0), unequal: false }
    }

    fn theorem(self) -> PeriodProof {
        if self.parts == 1 { PeriodProof::RepeatedState } else { PeriodProof::Octal }
    }

    /// Returns the number of values that prove a period; `None` if it overflows.
    pub fn values_needed(self, preperiod: usize, period: usize) -> Option<usize> {
        let start = preperiod.max(1);
        let base = start.checked_add(period)?.checked_mul(self.parts)?.checked_add(self.taken)?;
        if self.unequal { base.checked_add(period) } else { Some(base) }
    }
}

/// Returns how many of `len` values a period must cover to be reported.
fn notable(len: usize) -> usize {
    (len / 32).max(1)
}

/// Returns how many of `len` values a period must cover for a proof to be attempted.
fn promising(len: usize) -> usize {
    notable(len).min(256).max(len / 1024)
}

/// Returns the least period of the last `window` values, with the preperiod of the whole sequence.
fn fit(sequence: &Sequence, window: usize, with_saltus: bool) -> Option<Period> {
    let len = sequence.len();
    let last = len.checked_sub(1)?;
    // A few places first: most periods fail there.
    let probes: Vec<usize> =
        (0..64).map(|i| last - (i * i * window / 4096).min(window - 1)).collect();
    let mut next = 1;
    while next <= len.saturating_sub(window) {
        let (from, to) = (next, len - window + 1);
        let candidate = if with_saltus { Some(from) } else { sequence.next_repeat(from..to) };
        let Some(period) = candidate else { break };
        next = period + 1;
        let Some(saltus) = sequence.value(last).checked_sub(sequence.value(last - period)) else {
            continue;
        };
        let fits =
            |n: &usize| *n < period || sequence.value(*n) == sequence.value(n - period) + saltus;
        if (saltus == 0 || with_saltus) && probes.iter().all(fits) {
            let start = sequence.last_change(period, saltus).map_or(period, |n| n + 1);
            if len - start >= window {
                return Some(Period {
                    period,
                    preperiod: start - period,
                    saltus,
                    compared: len,
                    proof: None,
                });
            }
        }
    }
    None
}

/// The period of the last `window` values, the number of values that prove it, and the proof.
struct PeriodCandidate {
    found: Option<Period>,
    proof: Option<(usize, PeriodProof)>,
}

impl PeriodCandidate {
    fn new(sequence: &Sequence, window: usize) -> PeriodCandidate {
        let reach = sequence.move_limits();
        // With three heaps left a proof needs three times the period: so much of it is asked for.
        let window = if has_saltus(sequence) { window.max(sequence.len() / 3) } else { window };
        let found = fit(sequence, window, has_saltus(sequence));
        let proofs = found.filter(|found| found.saltus == 0).map_or(
            [None; 2],
            |Period { period, preperiod, .. }| {
                let octal = reach.and_then(|reach| reach.values_needed(preperiod, period));
                let by_position =
                    sequence.rares().is_some_and(|(space, _)| space.by_position.is_some());
                let window = sequence.window().filter(|_| !(by_position && period % 2 == 1)).map(
                    |(width, since)| {
                        let from = since.max(preperiod + width);
                        (from + period, PeriodProof::Window { width, from, since: None })
                    },
                );
                [octal.zip(reach).map(|(needed, reach)| (needed, reach.theorem())), window]
            },
        );
        let proof = proofs.into_iter().flatten().min_by_key(|(needed, _)| *needed);
        PeriodCandidate { found, proof }
    }

    /// Returns the period if the known values prove it.
    ///
    /// # Errors
    ///
    /// If the budget ends.
    fn proved(
        &self,
        sequence: &Sequence,
        meter: &mut Meter,
    ) -> Result<Option<Period>, LimitReached> {
        let Some(found) = self.found else { return Ok(None) };
        let proof = match (found.saltus, self.proof) {
            (0, Some((needed, proof))) if needed <= sequence.len() => Some(proof),
            (0, _) => None,
            (saltus, _) => {
                let numbers = [found.period, found.preperiod, saltus as usize];
                let code = sequence.code.as_ref();
                match code.and_then(|code| ArithmeticPeriod::new(code, sequence.values(), numbers))
                {
                    Some(period) => period.prove(meter)?.map(PeriodProof::Arithmetic),
                    None => None,
                }
            }
        };
        Ok(proof.map(|proof| Period { proof: Some(proof), ..found }))
    }
}

/// Returns whether a saltus is possible: finite octal codes have none.
fn has_saltus(sequence: &Sequence) -> bool {
    sequence.move_limits().is_none_or(|reach| reach.parts > 2)
}

/// Extends the sequence until its period is proved, at most to heaps 0..`most`.
///
/// A period that fits without proof is returned, too; its `proof` is `None`.
///
/// # Errors
///
/// If the budget ends. All values so far are kept.
pub fn find_period(
    sequence: &mut Sequence,
    most: usize,
    meter: &mut Meter,
) -> Result<Option<Period>, LimitReached> {
    let mut len = sequence.len().max(64).min(most);
    loop {
        sequence.extend(len, meter)?;
        let candidate = PeriodCandidate::new(sequence, promising(len));
        if let Some(found) = candidate.proved(sequence, meter)? {
            return Ok(Some(found));
        }
        if len >= most {
            return Ok(apparent_period(sequence));
        }
        // Go straight to the proof of an apparent period unless that is far.
        let step = if len < LONG_SEQUENCE { len + len / 4 + 64 } else { len + len / 16 };
        len = candidate.proof.map_or(step, |(needed, _)| needed.min(step)).min(most);
    }
}

/// Returns the period that the known values show three times, without a proof.
pub fn apparent_period(sequence: &Sequence) -> Option<Period> {
    fit(sequence, notable(sequence.len()), has_saltus(sequence)).filter(Period::is_believable)
}

/// Extends the sequence to heaps 0..`len`, or until a period is proved that determines the rest.
///
/// Returns that period. Periods are sought rarely, so that a sequence without one is computed as
/// fast as by [`Sequence::extend`].
///
/// # Errors
///
/// If the budget ends. All values so far are kept.
pub fn extend_until_period(
    sequence: &mut Sequence,
    len: usize,
    meter: &mut Meter,
) -> Result<Option<Period>, LimitReached> {
    let mut look = LOOK;
    while sequence.len() < len {
        while look <= sequence.len() {
            look *= LOOK_AGAIN;
        }
        sequence.extend(look.min(len), meter)?;
        if look > len {
            break;
        }
        let candidate = PeriodCandidate::new(sequence, promising(look));
        let known = match candidate.proof {
            Some((needed, _)) if (look + 1..len).contains(&needed) => {
                sequence.extend(needed, meter)?;
                PeriodCandidate::new(sequence, promising(needed)).proved(sequence, meter)?
            }
            _ => candidate.proved(sequence, meter)?,
        };
        if known.is_some() {
            return Ok(known);
        }
    }
    Ok(None)
}

/// Number of heaps when [`extend_until_period`] first seeks a period, and the factor until it seeks
/// again.
const LOOK: usize = 1 << 8;
const LOOK_AGAIN: usize = 4;

/// From this length on values are compared more often, because each further value is expensive.
const LONG_SEQUENCE: usize = 1 << 22;

impl Period {
    /// Returns whether the period is seen three times; fewer repetitions are never reported.
    fn is_believable(&self) -> bool {
        self.compared >= self.preperiod.saturating_add(self.period.saturating_mul(3))
    }

    /// Returns the nim-value of heap `n` of any size by this period; `None` if it exceeds 32 bits.
    ///
    /// # Panics
    ///
    /// If the sequence does not hold the values of a whole period.
    pub fn value(&self, sequence: &Sequence, n: usize) -> Option<u32> {
        let Some(past) = n.checked_sub(self.preperiod) else { return Some(sequence.value(n)) };
        let value = sequence.value(self.preperiod + past % self.period);
        let rise = u64::try_from(past / self.period).ok()?.checked_mul(u64::from(self.saltus))?;
        u32::try_from(rise.checked_add(u64::from(value))?).ok()
    }

    /// Returns whether the sequence holds the values of a whole period; not if it was found by the
    /// window alone.
    pub fn is_kept(&self, sequence: &Sequence) -> bool {
        self.preperiod.saturating_add(self.period) <= sequence.len()
    }

    /// Returns the heaps whose values differ from the period continued to the left, ascending, with
    /// their values. Empty if values are not kept.
    pub fn exceptions(&self, sequence: &Sequence) -> Vec<(usize, u32)> {
        if !self.is_kept(sequence) {
            return Vec::new();
        }
        let is_regular = |n: usize, value: u32| {
            let periods = (self.preperiod - n).div_ceil(self.period);
            let later = u64::from(sequence.value(n + periods * self.period));
            later == u64::from(value) + periods as u64 * u64::from(self.saltus)
        };
        let all = (0..self.preperiod).map(|n| (n, sequence.value(n)));
        all.filter(|(n, value)| !is_regular(*n, *value)).collect()
    }

    /// Returns the values of one period, from its first multiple not below the preperiod on. Empty
    /// if values are not kept.
    pub fn cycle<'s>(&self, sequence: &'s Sequence) -> impl Iterator<Item = u32> + 's {
        let period = if self.is_kept(sequence) { self.period } else { 0 };
        let first = self.preperiod.div_ceil(self.period) * self.period;
        let (one, saltus) = (*self, self.saltus);
        (first..first + period).map(move |n| match one.preperiod + one.period {
            known if n < known => sequence.value(n),
            _ => sequence.value(n - one.period) + saltus,
        })
    }

    /// Returns the statement of the period.
    pub fn claim(&self) -> String {
        let Period { period, saltus, preperiod, .. } = *self;
        PeriodClaim { period, saltus, preperiod }.to_string()
    }

    /// Returns the certificate for a sequence in which the period was proved; `None` without proof.
    ///
    /// It names the sparse space, which helps the checker to recompute the values.
    pub fn certificate(&self, sequence: &Sequence) -> Option<Certificate> {
        let proof = match self.proof? {
            PeriodProof::Octal | PeriodProof::RepeatedState => String::new(),
            PeriodProof::Window { width, from, since: None } => format!("window {width} {from}\n"),
            PeriodProof::Window { width, from, since: Some(since) } => {
                format!("window {width} {from} {since}\n")
            }
            PeriodProof::Arithmetic(ArithmeticProof { from, threshold, step }) => {
                format!("arithmetic {from} {threshold} {step}\n")
            }
        };
        let space = match sequence.rares() {
            None => "none".to_owned(),
            Some(_) if self.saltus > 0 => "none".to_owned(),
            Some((space, _)) => match space.by_position {
                None => format!("value {}", space.mask),
                Some(_) => format!("position {}", space.mask),
            },
        };
        let saltus =
            if self.saltus > 0 { format!("saltus {}\n", self.saltus) } else { String::new() };
        let mut body = format!(
            "period {}\npreperiod {}\n{saltus}space {space}\n{proof}",
            self.period, self.preperiod
        );
        let listed = !matches!(self.proof, Some(PeriodProof::Window { since: Some(_), .. }));
        for (n, value) in self.exceptions(sequence).iter().take(LISTED).filter(|_| listed) {
            body += &format!("exception {n} {value}\n");
        }
        if self.period <= LISTED && listed {
            let cycle: Vec<String> = self.cycle(sequence).map(|v| v.to_string()).collect();
            body += &format!("cycle {}\n", cycle.join(" "));
        }
        let game = sequence.game().to_owned();
        Some(Certificate { kind: CertificateKind::Period, game, claim: self.claim(), body })
    }
}

/// Maximum number of exceptions, and maximum length of a period, that a certificate lists.
const LISTED: usize = 1000;

#[cfg(test)]
mod tests;
