//! Results on games played in single heaps, as `bouton period`, `genus` and `quotient --json` print
//! them.

use super::failure::UnknownTag;
use super::{GameName, OrNull, OutcomeLetter, PositionText, Reason};
use bouton_core::LimitReached;
use bouton_octal::misere::{Genus, Quotient};
use bouton_octal::proof_word;
use bouton_octal::sequence::search::SearchEnd;
use bouton_octal::sequence::{Period, Sequence};
use serde::Serialize;

/// The greatest length of a period that is listed.
const MAX_LISTED: usize = 240;

/// The period of the nim-values of single heaps.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "period")]
pub struct PeriodFound {
    /// The game.
    pub game: GameName,
    /// Whether a period was found, and whether it goes on for ever.
    pub verdict: PeriodVerdict,
    /// The period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<u64>,
    /// The heap from which it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preperiod: Option<u64>,
    /// What a period adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saltus: Option<i64>,
    /// The greatest heap that was looked at.
    pub to: u64,
    /// The kind of proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<OrNull<&'static str>>,
    /// Heaps whose value is not that of the period continued downwards, with their values; null if
    /// values are not kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exceptions: Option<OrNull<Vec<(usize, u32)>>>,
    /// The values of one period; null if it is long or values are not kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<OrNull<Vec<u32>>>,
    /// Why no period was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<OrNull<Reason>>,
}

/// What is known of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PeriodVerdict {
    /// It goes on for ever.
    Proved,
    /// It is seen as far as values go.
    Holds,
    /// None is seen.
    Unknown,
}

impl PeriodFound {
    /// Returns that no period is seen up to a heap.
    pub fn none(game: String, to: u64) -> PeriodFound {
        PeriodFound {
            game: GameName(game),
            verdict: PeriodVerdict::Unknown,
            period: None,
            preperiod: None,
            saltus: None,
            to,
            proof: None,
            exceptions: None,
            cycle: None,
            reason: None,
        }
    }
}

/// The genus of a position.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GenusOfPosition<'a> {
    /// The game.
    pub game: &'a str,
    /// The position.
    pub position: PositionText<'a>,
    /// What is known of it.
    #[serde(flatten)]
    pub found: GenusFound,
}

/// A genus, or why it is not known.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum GenusFound {
    /// The genus.
    Known {
        /// As people write it.
        genus: String,
        /// The nim-value in normal play.
        nim_value: u32,
        /// The misère nim-value.
        misere_nim_value: u32,
        /// The outcome in misère play.
        misere_outcome: OutcomeLetter,
        /// Whether it is that of a position of nim.
        genus_of_nim: bool,
    },
    /// It is not known.
    Unknown {
        /// The verdict.
        verdict: UnknownTag,
        /// Why.
        reason: Reason,
    },
}

/// A misère quotient. Its elements are written as sums of heaps.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "quotient")]
pub struct QuotientFound<'a> {
    /// The game.
    pub game: &'a str,
    /// The greatest heap.
    pub heaps: u32,
    /// The number of elements.
    pub order: usize,
    /// The elements whose positions are lost.
    pub p_portion: Vec<String>,
    /// The elements.
    pub elements: Vec<String>,
    /// The elements of heaps 1, 2, ….
    pub images: Vec<String>,
    /// The period and the preperiod of the elements of the heaps, if it is the quotient of all
    /// heaps.
    pub period: Option<(usize, usize)>,
    /// Why it is not complete.
    pub reason: Option<String>,
}

/// Returns a period, or that none appeared up to the last heap, and the limit that ended the
/// search.
pub fn period(
    sequence: &Sequence,
    found: Option<&Period>,
    heaps: usize,
    end: Option<SearchEnd>,
) -> PeriodFound {
    let none = PeriodFound::none(sequence.game().to_owned(), heaps as u64);
    let Some(found) = found else {
        return PeriodFound { reason: Some(OrNull(end.map(Reason::new))), ..none };
    };
    // The exceptions are unknown if values are not kept.
    let has_values = found.is_kept(sequence);
    let cycle = (found.period <= MAX_LISTED && has_values).then(|| found.cycle(sequence).collect());
    let exceptions = has_values.then(|| found.exceptions(sequence));
    PeriodFound {
        verdict: if found.proof.is_some() { PeriodVerdict::Proved } else { PeriodVerdict::Holds },
        period: Some(found.period as u64),
        preperiod: Some(found.preperiod as u64),
        saltus: Some(found.saltus.into()),
        proof: Some(OrNull(Some(proof_word(found)))),
        exceptions: Some(OrNull(exceptions)),
        cycle: Some(OrNull(cycle)),
        ..none
    }
}

/// Returns a genus, or the reason why it is not known.
pub fn genus<'a>(
    game: &'a str,
    position: &'a str,
    found: Result<&Genus, LimitReached>,
) -> GenusOfPosition<'a> {
    let found = match found {
        Ok(genus) => GenusFound::Known {
            genus: genus.to_string(),
            nim_value: genus.nim_value,
            misere_nim_value: genus.at(0),
            misere_outcome: genus.misere_outcome().into(),
            genus_of_nim: genus.is_of_nim(),
        },
        Err(spent) => {
            GenusFound::Unknown { verdict: UnknownTag::Unknown, reason: Reason::new(spent) }
        }
    };
    GenusOfPosition { game, position: PositionText(position), found }
}

/// Returns a sum of heaps as one reads it: `1+1+4`, `0` of none.
pub fn heap_sum(word: &[u32]) -> String {
    let heaps: Vec<String> = word.iter().map(u32::to_string).collect();
    if heaps.is_empty() { "0".into() } else { heaps.join("+") }
}

/// Returns a misère quotient, and the reason why it is incomplete.
pub fn quotient<'a>(
    game: &'a str,
    quotient: &Quotient,
    unknown: Option<String>,
) -> QuotientFound<'a> {
    let word = |element: usize| heap_sum(&quotient.words()[element]);
    QuotientFound {
        game,
        heaps: quotient.heaps(),
        order: quotient.order(),
        p_portion: quotient.p_portion().map(word).collect(),
        elements: quotient.words().iter().map(|word| heap_sum(word)).collect(),
        images: (1..=quotient.heaps()).map(|heap| word(quotient.image(heap))).collect(),
        period: quotient.period(),
        reason: unknown,
    }
}
