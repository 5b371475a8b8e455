//! The line of a game played in single heaps: nim-values, their period, the exceptions, proved or
//! not.

use crate::sequence::period::{apparent_period, find_period};
use crate::sequence::{Period, PeriodProof, Sequence};
use bouton_certificate::{Certificate, SealedCertificate};
use bouton_core::clock::Instant;
use bouton_core::{Budget, HeapMoves, Meter, NotationError};
use bouton_theory::checked::check_certificate;
use bouton_theory::verdict::VerdictKind;
use serde::{Serialize, Serializer};
use std::time::Duration;

/// Heaps looked at where the budget does not end the search before.
const MAX_SIZES: usize = 10_000_000;
/// How long to look for a period where no budget is given.
const SEARCH_TIME: Duration = Duration::from_secs(5);
/// The last heap whose value is kept, and values of a b-file where no period is known.
const SHOWN: usize = 100;
const LISTED: usize = 1000;
/// The longest period that is listed.
const MAX_LISTED_PERIOD: usize = 240;

/// What is known of the nim-values of single heaps.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NimSequenceStudy {
    /// The game's code or set.
    pub code: String,
    /// The values of heaps 0, 1, …: the first hundred and one, or fewer.
    pub values: Vec<u32>,
    /// Proved, or holds as far as compared, or unknown.
    pub verdict: VerdictKind,
    /// The period.
    pub period: Option<Repeats>,
    /// What else the values and outcomes of one heap show, where the rules have no theory; not
    /// proved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// The largest heap that was looked at.
    pub heaps: usize,
    /// Why the search ended, if by its budget.
    pub reason: Option<String>,
    /// Time it took, in seconds.
    pub seconds: f64,
    /// What `bouton check` reads, of a period that is proved.
    #[serde(skip)]
    pub certificate: Option<SealedCertificate>,
    /// The values of heaps 0, 1, …: a thousand, or two periods.
    #[serde(skip)]
    pub listed: Vec<u32>,
}

impl NimSequenceStudy {
    /// Returns the study of values that no theory continues: the period is what they show.
    pub fn observed(
        game: String,
        values: Vec<u32>,
        period: Option<(usize, usize, u32)>,
        shown: Vec<String>,
        seconds: f64,
    ) -> NimSequenceStudy {
        let heaps = values.len().saturating_sub(1);
        let period = period.map(|(preperiod, period, saltus)| {
            let continued = |n: usize| {
                let periods = (preperiod - n).div_ceil(period);
                i64::from(values[n + periods * period]) - i64::from(saltus) * periods as i64
            };
            let exceptions = (0..preperiod).filter(|n| continued(*n) != i64::from(values[*n]));
            let mut repeats = Repeats {
                period,
                preperiod,
                saltus,
                proof: None,
                compared: values.len(),
                exceptions: exceptions.map(|n| (n, values[n])).collect(),
                cycle: None,
            };
            let cycle = values.get(repeats.cycle_from()..).filter(|_| period <= MAX_LISTED_PERIOD);
            repeats.cycle = cycle.and_then(|cycle| cycle.get(..period)).map(<[u32]>::to_vec);
            repeats
        });
        NimSequenceStudy {
            code: game,
            values: values.iter().copied().take(SHOWN + 1).collect(),
            verdict: if period.is_some() { VerdictKind::Holds } else { VerdictKind::Unknown },
            period,
            shown,
            heaps,
            reason: None,
            seconds,
            certificate: None,
            listed: values.into_iter().take(LISTED).collect(),
        }
    }

    /// Returns the sizes of a single heap that are P-positions: `P iff n mod 7 in {0, 2}`. `None`
    /// if no period without a saltus is known, or if too many sizes would be listed.
    pub fn losing(&self) -> Option<String> {
        /// The most sizes that a line lists.
        const MAX_LISTED: usize = 24;
        let period = self.period.as_ref().filter(|period| period.saltus == 0)?;
        let cycle = period.cycle.as_ref()?;
        let from = period.cycle_from();
        let residues = || {
            (from..).zip(cycle).filter(|(_, value)| **value == 0).map(|(n, _)| n % period.period)
        };
        let mut residues: Vec<usize> = residues().collect();
        residues.sort_unstable();
        let (without, with): (Vec<_>, Vec<_>) =
            period.exceptions.iter().partition(|(_, value)| *value != 0);
        // What the period continued downwards would say of an exception that is no P-position.
        let without: Vec<usize> = without
            .iter()
            .map(|(n, _)| *n)
            .filter(|n| residues.contains(&(n % period.period)))
            .collect();
        let with: Vec<usize> = with.iter().map(|(n, _)| *n).collect();
        if residues.len() + without.len() + with.len() > MAX_LISTED {
            return None;
        }
        let listed =
            |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let mut said = match (&residues[..], &with[..]) {
            ([], [one]) => format!("n = {one}"),
            ([], all) => format!("n in {{{}}}", listed(all)),
            _ if period.period == 1 => String::from("n >= 0"),
            ([one], _) => format!("n mod {} = {one}", period.period),
            (all, _) => format!("n mod {} in {{{}}}", period.period, listed(all)),
        };
        if !without.is_empty() {
            said += &format!(", but not for n = {}", listed(&without));
        }
        if !with.is_empty() && !residues.is_empty() {
            said += &format!(", and for n = {}", listed(&with));
        }
        let proved = if self.verdict == VerdictKind::Proved { "" } else { " (not proved)" };
        Some(format!("P iff {said}{proved}"))
    }
}

/// A period: G(n + period) = G(n) + saltus from the preperiod on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "repeats")]
pub struct Repeats {
    /// The least that fits.
    pub period: usize,
    /// From here on.
    pub preperiod: usize,
    /// What a period adds.
    pub saltus: u32,
    /// What makes it hold for ever; in JSON in words, or "none".
    #[serde(serialize_with = "as_words")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub proof: Option<PeriodProof>,
    /// Compared for the heaps 0..`compared`.
    pub compared: usize,
    /// Heaps whose value is not that of the period continued downwards, with their values.
    pub exceptions: Vec<(usize, u32)>,
    /// The values of one period, from the first multiple of it not below the preperiod; none if it
    /// is long.
    pub cycle: Option<Vec<u32>>,
}

impl Repeats {
    /// Returns the heap of the cycle's first value.
    pub fn cycle_from(&self) -> usize {
        self.preperiod.div_ceil(self.period) * self.period
    }

    /// Returns what makes it hold for ever, in words.
    pub fn proof_word(&self) -> &'static str {
        word(self.proof)
    }

    /// Returns `, saltus 3`; nothing where a period adds nothing.
    pub(crate) fn saltus_text(&self) -> String {
        if self.saltus > 0 { format!(", saltus {}", self.saltus) } else { String::new() }
    }
}

/// Returns what makes a period hold for ever, in words.
pub fn proof_word(period: &Period) -> &'static str {
    word(period.proof)
}

fn as_words<S: Serializer>(proof: &Option<PeriodProof>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(word(*proof))
}

fn word(proof: Option<PeriodProof>) -> &'static str {
    match proof {
        Some(PeriodProof::Octal) => "octal period theorem",
        Some(PeriodProof::RepeatedState) => "repeated state",
        Some(PeriodProof::Window { .. }) => "window of a sparse space",
        Some(PeriodProof::Arithmetic(_)) => "theorem on arithmetic periods",
        None => "none",
    }
}

/// Seeks the period of a game's single heaps, the largest at most `max`.
pub(crate) fn study(
    moves: &HeapMoves,
    max: Option<u32>,
    budget: &Budget,
) -> Result<NimSequenceStudy, NotationError> {
    let mut sequence = Sequence::from_moves(moves)?;
    let patience = budget.deadline.is_none() && budget.nodes.is_none() && max.is_none();
    let seeking = if patience { budget.within(SEARCH_TIME) } else { budget.clone() };
    let most = max.map_or(MAX_SIZES, |max| max as usize + 1);
    let started = Instant::now();
    let (found, spent) = match find_period(&mut sequence, most, &mut Meter::new(&seeking)) {
        Ok(found) => (found, None),
        Err(spent) => (apparent_period(&sequence), Some(spent)),
    };
    let known = sequence.len();
    let period = found.map(|found| Repeats {
        period: found.period,
        preperiod: found.preperiod,
        saltus: found.saltus,
        proof: found.proof,
        compared: found.compared,
        exceptions: found.exceptions(&sequence),
        cycle: (found.period <= MAX_LISTED_PERIOD).then(|| found.cycle(&sequence).collect()),
    });
    // What is called proved has been accepted by the checker.
    let certificate = found.and_then(|found| found.certificate(&sequence)).map(Certificate::seal);
    let judged = certificate.as_ref().map(|certificate| check_certificate(certificate, budget));
    let (certificate, reason) = match judged {
        Some(Ok(Ok(_))) => (certificate, None),
        Some(Ok(Err(rejected))) => {
            (None, Some(format!("the certificate is {rejected}; please report this")))
        }
        Some(Err(limit)) => (None, Some(format!("the checker did not end: {limit}"))),
        None => (None, None),
    };
    let listed =
        found.map_or(LISTED, |found| LISTED.max(found.preperiod + 2 * found.period)).min(known);
    Ok(NimSequenceStudy {
        code: sequence.game().to_owned(),
        values: sequence.values().take(SHOWN + 1).collect(),
        verdict: match found {
            Some(_) if certificate.is_some() => VerdictKind::Proved,
            Some(_) => VerdictKind::Holds,
            None => VerdictKind::Unknown,
        },
        period,
        shown: Vec::new(),
        heaps: known.saturating_sub(1),
        reason: reason.or_else(|| spent.map(|spent| spent.to_string())),
        seconds: started.elapsed().as_secs_f64(),
        certificate,
        listed: sequence.values().take(listed).collect(),
    })
}
