//! Periods of nim-sequences: found by comparison, proved by the octal period theorem, handed out as certificates.
//!
//! Theorem (Guy, Smith 1956, for octal games). Let moves take at most t tokens and leave at most j heaps. If
//! G(n + p) = G(n) for all n ≥ e (e ≥ 1) with n + p < j(e + p) + t, then for all n ≥ e. For the largest heap that a
//! move from n ≥ j(e + p) + t leaves is at least e + p, and may be changed by p: the options of n and of n − p have
//! the same values. Where two heaps left must differ, the changed heap may meet the other one; then the smaller one
//! is changed instead, which needs 2e + 3p + t.
//!
//! In a sparse space there is a shorter proof. Let all rare heaps lie at least t below w, and let every heap n of
//! s..s + p have a common value whose rare options below it have witnesses of shift at most w. Then these values
//! follow from the w values before each. If the w values before s + p are those before s, and p is even where the
//! space is by position, the heaps from s + p on repeat those from s on, for ever.
//!
//! Source: R. K. Guy, C. A. B. Smith, *The G-values of various games*, Proc. Camb. Phil. Soc. 52 (1956), th. 1.

use super::{Sequence, TakeBreak};
use bouton_core::{Certificate, LimitReached, Meter};

/// A period that a nim-sequence has as far as compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The least p that fits.
    pub period: usize,
    /// From here on G(n + p) = G(n) + saltus; the least such size for this p.
    pub preperiod: usize,
    /// What is added with each period.
    pub saltus: u32,
    /// Compared for the heaps 0..`compared`.
    pub compared: usize,
    /// What makes it hold for ever, if anything does.
    pub proof: Option<Proof>,
}

/// Why a period holds for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The octal period theorem.
    Octal,
    /// Equal values on as many heaps as a move can take: they determine the next one, where no move leaves two.
    State,
    /// The window of a sparse space.
    Window {
        /// How far back the heaps of one period look.
        width: usize,
        /// The first of these heaps.
        from: usize,
        /// Where values are not kept: the heap from which on each follows from so many before it.
        since: Option<usize>,
    },
}

/// What of a code the period theorem asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// The most heaps that a move leaves; at least 1.
    parts: usize,
    /// The most tokens that a move takes.
    taken: usize,
    /// Whether two heaps left must differ.
    unequal: bool,
}

impl Reach {
    /// Of a code; `None` where the theorem says nothing.
    pub fn of(code: &TakeBreak) -> Option<Reach> {
        let reach = Reach {
            parts: code.most_parts()?.max(1) as usize,
            taken: code.most_taken()?,
            unequal: code.has_unequal(),
        };
        (!reach.unequal || reach.parts <= 2).then_some(reach)
    }

    /// Of the subtraction game of a set.
    pub fn of_takings(set: &[usize]) -> Reach {
        Reach { parts: 1, taken: set.iter().copied().max().unwrap_or(0), unequal: false }
    }

    fn theorem(self) -> Proof {
        if self.parts == 1 { Proof::State } else { Proof::Octal }
    }

    /// How many values prove a period; `None` past the range of numbers.
    pub fn values_needed(self, preperiod: usize, period: usize) -> Option<usize> {
        let start = preperiod.max(1);
        let base = start.checked_add(period)?.checked_mul(self.parts)?.checked_add(self.taken)?;
        if self.unequal { base.checked_add(period) } else { Some(base) }
    }
}

/// Of `len` values, how many a period must cover to be reported.
fn notable(len: usize) -> usize {
    (len / 32).max(1)
}

/// Of `len` values, how many a period must cover to be tried to prove.
fn promising(len: usize) -> usize {
    notable(len).min(256).max(len / 1024)
}

/// The least period that fits the last `window` values; `preperiod` is where it starts to fit.
fn fit(sequence: &Sequence, window: usize, with_saltus: bool) -> Option<Period> {
    let len = sequence.len();
    let last = len.checked_sub(1)?;
    // A few places first: most periods fail there.
    let probes: Vec<usize> = (0..64).map(|i| last - (i * i * window / 4096).min(window - 1)).collect();
    let mut next = 1;
    while next <= len.saturating_sub(window) {
        let (from, to) = (next, len - window + 1);
        let candidate = if with_saltus { Some(from) } else { sequence.next_repeat(from..to) };
        let Some(period) = candidate else { break };
        next = period + 1;
        let Some(saltus) = sequence.value(last).checked_sub(sequence.value(last - period)) else { continue };
        let fits = |n: &usize| *n < period || sequence.value(*n) == sequence.value(n - period) + saltus;
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

/// What fits the last `window` values, how many values prove it, and by what.
struct Candidate {
    found: Option<Period>,
    proof: Option<(usize, Proof)>,
}

impl Candidate {
    fn of(sequence: &Sequence, window: usize) -> Candidate {
        let reach = sequence.reach();
        let found = fit(sequence, window, has_saltus(sequence));
        let proofs = found.filter(|found| found.saltus == 0).map_or(
            [None; 2],
            |Period { period, preperiod, .. }| {
                let octal = reach.and_then(|reach| reach.values_needed(preperiod, period));
                let by_position = sequence.rares().is_some_and(|(space, _)| space.by_position.is_some());
                let window =
                    sequence.window().filter(|_| !(by_position && period % 2 == 1)).map(|(width, since)| {
                        let from = since.max(preperiod + width);
                        (from + period, Proof::Window { width, from, since: None })
                    });
                [octal.zip(reach).map(|(needed, reach)| (needed, reach.theorem())), window]
            },
        );
        let proof = proofs.into_iter().flatten().min_by_key(|(needed, _)| *needed);
        Candidate { found, proof }
    }

    /// The period, if so many values prove it.
    fn proved(&self, len: usize) -> Option<Period> {
        let (_, proof) = self.proof.filter(|(needed, _)| *needed <= len)?;
        self.found.map(|found| Period { proof: Some(proof), ..found })
    }
}

/// Octal games that end have no saltus; others might.
fn has_saltus(sequence: &Sequence) -> bool {
    sequence.reach().is_none_or(|reach| reach.parts > 2)
}

/// Extends the sequence until its period is proved, at most to heaps 0..`most`. What fits without proof is returned
/// too, and is to be called so. When the budget ends, all values so far are kept.
pub fn seek(sequence: &mut Sequence, most: usize, meter: &mut Meter) -> Result<Option<Period>, LimitReached> {
    let mut len = sequence.len().max(64).min(most);
    loop {
        sequence.extend(len, meter)?;
        let candidate = Candidate::of(sequence, promising(len));
        if let Some(found) = candidate.proved(len) {
            return Ok(Some(found));
        }
        if len >= most {
            return Ok(fit(sequence, notable(len), has_saltus(sequence)).filter(Period::is_believable));
        }
        // Straight to the proof of what seems to repeat, unless that is far.
        let step = if len < LONG { len + len / 4 + 64 } else { len + len / 16 };
        len = candidate.proof.map_or(step, |(needed, _)| needed.min(step)).min(most);
    }
}

/// Extends the sequence to heaps 0..`len`, or until a period is proved that tells those behind it, which is given then. Periods are
/// looked for here and there only, so that sequences without one are found as fast as by [`Sequence::extend`].
pub fn go_on(sequence: &mut Sequence, len: usize, meter: &mut Meter) -> Result<Option<Period>, LimitReached> {
    let mut look = LOOK;
    while sequence.len() < len {
        while look <= sequence.len() {
            look *= LOOK_AGAIN;
        }
        sequence.extend(look.min(len), meter)?;
        if look > len {
            break;
        }
        let candidate = Candidate::of(sequence, promising(look));
        let known = match candidate.proof {
            Some((needed, _)) if (look + 1..len).contains(&needed) => {
                sequence.extend(needed, meter)?;
                Candidate::of(sequence, promising(needed)).proved(needed)
            }
            _ => candidate.proved(look),
        };
        if known.is_some() {
            return Ok(known);
        }
    }
    Ok(None)
}

/// How many heaps are known when [`go_on`] looks for a period, and how many times as many when it looks again.
const LOOK: usize = 1 << 8;
const LOOK_AGAIN: usize = 4;

/// From this length on values are compared more often: each further one costs.
const LONG: usize = 1 << 22;

impl Period {
    /// Whether it is seen three times: fewer repetitions are told of no sequence.
    fn is_believable(&self) -> bool {
        self.compared >= self.preperiod.saturating_add(self.period.saturating_mul(3))
    }

    /// The least heap that has the value of heap `n` by this period, if nothing is added to it.
    pub fn least_like(&self, n: usize) -> usize {
        if n < self.preperiod { n } else { self.preperiod + (n - self.preperiod) % self.period }
    }

    /// Whether a period's values are among those of the sequence: not so where it was found by the window alone.
    pub fn is_kept(&self, sequence: &Sequence) -> bool {
        self.preperiod.saturating_add(self.period) <= sequence.len()
    }

    /// The heaps whose value is not that of the period continued to the left, with their values, ascending. Empty
    /// where there is a saltus, or values are not kept.
    pub fn exceptions(&self, sequence: &Sequence) -> Vec<(usize, u32)> {
        if self.saltus > 0 || !self.is_kept(sequence) {
            return Vec::new();
        }
        let regular = |n: usize| sequence.value(n + (self.preperiod - n).div_ceil(self.period) * self.period);
        let all = (0..self.preperiod).map(|n| (n, sequence.value(n)));
        all.filter(|(n, value)| *value != regular(*n)).collect()
    }

    /// The values of the period, from the first multiple of it that is not below the preperiod. None where they are not kept.
    pub fn cycle<'s>(&self, sequence: &'s Sequence) -> impl Iterator<Item = u32> + 's {
        let (start, period) = (self.preperiod, if self.is_kept(sequence) { self.period } else { 0 });
        (0..period).map(move |i| sequence.value(start + (i + period - start % period) % period))
    }

    /// The statement.
    pub fn claim(&self) -> String {
        format!("the nim-values of single heaps have period {} from {} on", self.period, self.preperiod)
    }

    /// The proof, for a sequence in which it was proved: the sparse space helps the checker to recompute the values.
    pub fn certificate(&self, sequence: &Sequence) -> Option<Certificate> {
        let proof = match self.proof? {
            Proof::Octal | Proof::State => String::new(),
            Proof::Window { width, from, since: None } => format!("window {width} {from}\n"),
            Proof::Window { width, from, since: Some(since) } => format!("window {width} {from} {since}\n"),
        };
        let space = match sequence.rares() {
            None => "none".to_owned(),
            Some((space, _)) => match space.by_position {
                None => format!("value {}", space.mask),
                Some(_) => format!("position {}", space.mask),
            },
        };
        let mut body =
            format!("period {}\npreperiod {}\nspace {space}\n{proof}", self.period, self.preperiod);
        let listed = !matches!(self.proof, Some(Proof::Window { since: Some(_), .. }));
        for (n, value) in self.exceptions(sequence).iter().take(LISTED).filter(|_| listed) {
            body += &format!("exception {n} {value}\n");
        }
        if self.period <= LISTED && listed {
            let cycle: Vec<String> = self.cycle(sequence).map(|v| v.to_string()).collect();
            body += &format!("cycle {}\n", cycle.join(" "));
        }
        let game = sequence.game().to_owned();
        Some(Certificate { kind: "period".to_owned(), game, claim: self.claim(), body })
    }
}

/// The most exceptions, and the longest period, that a certificate lists.
const LISTED: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::Budget;

    fn period(text: &str, most: usize) -> (Sequence, Option<Period>) {
        let mut sequence = Sequence::new(TakeBreak::parse(text).unwrap());
        let found = seek(&mut sequence, most, &mut Meter::new(&Budget::default())).unwrap();
        (sequence, found)
    }

    /// Kayles: period 12 from 71 on, exceptions as listed by Michon (Mathematical Games) after Guy and Smith.
    #[test]
    fn kayles() {
        let (sequence, found) = period("0.77", 1000);
        let found = found.unwrap();
        assert_eq!(
            (found.period, found.preperiod, found.proof.is_some(), found.compared),
            (12, 71, true, 168)
        );
        let exceptions = [
            (0, 0),
            (3, 3),
            (6, 3),
            (9, 4),
            (11, 6),
            (15, 7),
            (18, 3),
            (21, 4),
            (22, 6),
            (28, 5),
            (34, 6),
            (39, 3),
            (57, 4),
            (70, 6),
        ];
        assert_eq!(found.exceptions(&sequence), exceptions);
        assert_eq!(found.cycle(&sequence).collect::<Vec<_>>(), [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]);
    }

    /// Last exceptions and periods as stated in OEIS A071435, A071434 (a row of Kayles' values doubled), A071452.
    #[test]
    fn published_periods() {
        for (text, p, last) in [("0.177", 20, 496), ("0.1377", 24, 140), ("0.11377", 32, 186)] {
            let (sequence, found) = period(text, 10_000);
            let found = found.unwrap();
            assert_eq!((found.period, found.proof, found.saltus), (p, Some(Proof::Octal), 0), "{text}");
            assert_eq!(found.exceptions(&sequence).last().unwrap().0, last, "{text}");
        }
    }

    /// 0.127 has period 4, last exception 46577 (OEIS A071464 after A. Gangolli, T. Plambeck 1989); 0.16 has period
    /// 149,459 (the same paper).
    #[test]
    fn long_periods_by_both_proofs() {
        let (sequence, found) = period("0.127", 200_000);
        let found = found.unwrap();
        assert_eq!((found.period, found.proof), (4, Some(Proof::Octal)));
        assert_eq!(found.exceptions(&sequence).last().unwrap().0, 46_577);
        let (mut sequence, found) = period("0.16", 600_000);
        let found = found.unwrap();
        assert_eq!((found.period, found.preperiod), (149_459, 105_351));
        assert!(matches!(found.proof, Some(Proof::Window { .. })), "{found:?}");
        let octal = sequence.reach().unwrap().values_needed(105_351, 149_459).unwrap();
        assert!(found.compared < octal);
        sequence.extend(octal, &mut Meter::new(&Budget::default())).unwrap();
        assert!((105_351..octal - 149_459).all(|n| sequence.value(n) == sequence.value(n + 149_459)));
    }

    /// Every proof is held against values far past what the theorem asked for.
    #[test]
    fn proved_periods_go_on() {
        let mut proved = 0;
        for code in 0..512u32 {
            let bits = [code >> 8 << 2, code >> 5 & 7, code >> 2 & 7, code & 3];
            let mut sequence = Sequence::new(TakeBreak::of_bits(&bits).unwrap());
            let mut meter = Meter::new(&Budget::default());
            let Some(found) =
                seek(&mut sequence, 1000, &mut meter).unwrap().filter(|found| found.proof.is_some())
            else {
                continue;
            };
            proved += 1;
            sequence.extend(3 * found.compared + 500, &mut meter).unwrap();
            let holds = |n: usize| sequence.value(n) == sequence.value(n + found.period);
            assert!((found.preperiod..sequence.len() - found.period).all(holds), "{}", sequence.game());
            assert!(found.preperiod == 0 || !holds(found.preperiod - 1), "{}", sequence.game());
        }
        assert!(proved > 300, "{proved}");
    }

    /// Going on by a period is going on by all values, wherever it begins; most of the small games have one soon.
    #[test]
    fn values_behind_a_period() {
        let meter = || Meter::new(&Budget::default());
        let (mut proved, mut open) = (0, 0);
        for code in 0..512u32 {
            let bits = [code >> 8 << 2, code >> 5 & 7, code >> 2 & 7, code & 3];
            let code = TakeBreak::of_bits(&bits).unwrap();
            let mut whole = Sequence::new(code.clone());
            whole.extend(6000, &mut meter()).unwrap();
            for begun in [0, 100, 300, 2000] {
                let mut sequence = Sequence::new(code.clone());
                sequence.extend(begun, &mut meter()).unwrap();
                match go_on(&mut sequence, 6000, &mut meter()).unwrap() {
                    None => {
                        open += 1;
                        assert!(sequence.values().eq(whole.values()), "{code}");
                    }
                    Some(found) => {
                        proved += 1;
                        assert!(found.proof.is_some() && sequence.len() < 6000, "{code}");
                        let value = |n: usize| sequence.value(found.least_like(n));
                        assert!((0..6000).map(value).eq(whole.values()), "{code}");
                    }
                }
            }
        }
        assert!(proved > 1200 && open > 100, "{proved} {open}");
    }

    /// Unequal splits, three heaps, subtraction games by hand: S(1,2) repeats 0, 1, 2; S(2) 0, 0, 1, 1.
    #[test]
    fn other_codes() {
        for (text, p, e) in [("0.33", 3, 0), ("0.03", 4, 0), ("0.0", 1, 0)] {
            let found = period(text, 1000).1.unwrap();
            assert_eq!((found.period, found.preperiod, found.proof.is_some()), (p, e, true), "{text}");
        }
        for text in ["0.4!3", "0.8", "0.F!", "0.7!7", "0.1F"] {
            let (mut sequence, found) = period(text, 700);
            let Some(found) = found.filter(|found| found.proof.is_some()) else { continue };
            assert!(text != "0.F!", "no theorem for three unequal heaps");
            sequence.extend(3 * found.compared, &mut Meter::new(&Budget::default())).unwrap();
            let holds = |n: usize| sequence.value(n) == sequence.value(n + found.period);
            assert!((found.preperiod..sequence.len() - found.period).all(holds), "{text}");
        }
        // Nim grows by 1 with each token: seen, but no theorem here.
        let nim = period("0.[3]", 500).1.unwrap();
        assert_eq!((nim.period, nim.preperiod, nim.saltus, nim.proof), (1, 0, 1, None));
        // Grundy's game shows no period.
        assert_eq!(period("4!.0", 20_000).1, None);
    }

    /// The separate checker accepts what is proved here, and nothing else under the same name.
    #[test]
    fn certificates_are_accepted_by_the_checker() {
        for text in ["0.77", "0.177", "0.127", "0.16", "0.33", "0.4!3", "0.1F", "0.0"] {
            let most = if ["0.4!3", "0.1F"].contains(&text) { 700 } else { 600_000 };
            let (sequence, found) = period(text, most);
            let Some(certificate) = found.and_then(|found| found.certificate(&sequence)) else {
                assert_eq!(most, 700, "{text} is not proved");
                continue;
            };
            let accepted = bouton_check::check(&certificate.to_text());
            assert_eq!(accepted.map(|accepted| accepted.claim), Ok(certificate.claim.clone()), "{text}");
            let found = found.unwrap();
            for wrong in [
                Period { period: found.period + 1, ..found },
                Period { preperiod: found.preperiod.wrapping_sub(1), ..found },
            ] {
                let swap = |name: &str, right: usize, wrong: usize| {
                    (format!("{name} {right}\n"), format!("{name} {wrong}\n"))
                };
                let (a, b) = swap("period", found.period, wrong.period);
                let body = certificate.body.replacen(&a, &b, 1);
                let (a, b) = swap("preperiod", found.preperiod, wrong.preperiod);
                let body = body.replacen(&a, &b, 1);
                let certificate = Certificate { claim: wrong.claim(), body, ..certificate.clone() };
                assert!(
                    bouton_check::check(&certificate.to_text()).is_err(),
                    "{text}: {}",
                    certificate.claim
                );
            }
        }
    }
}
