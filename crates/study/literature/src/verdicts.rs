//! Recorded verdicts: what `bouton claims --verify --record` found, shipped with the program.

use crate::read::ClaimDataError;
use bouton_study::{PublishedClaim, Verdict, VerdictKind};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The file, embedded.
const VERDICTS: &str = include_str!("../data/verdicts.toml");
/// Those on the games of the literature.
const LITERATURE: &str = include_str!("../data/literature-verdicts.toml");

/// The result of a claim, as the record has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordedVerdict {
    /// The claim was settled.
    Settled(VerdictKind),
    /// The claim is no formula here; a form that the program found is proved.
    OwnFormProved,
    /// The claim is no formula here; a form that the program found holds as far as computed.
    OwnFormHolds,
    /// The claim is no formula here, and no form was found.
    NoForm,
}

impl RecordedVerdict {
    /// Returns every verdict that can be recorded.
    fn all() -> impl Iterator<Item = RecordedVerdict> {
        let own = [
            RecordedVerdict::OwnFormProved,
            RecordedVerdict::OwnFormHolds,
            RecordedVerdict::NoForm,
        ];
        VerdictKind::ALL.into_iter().map(RecordedVerdict::Settled).chain(own)
    }

    /// Returns the verdict in a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordedVerdict::Settled(kind) => kind.as_str(),
            RecordedVerdict::OwnFormProved => "own form proved",
            RecordedVerdict::OwnFormHolds => "own form holds",
            RecordedVerdict::NoForm => "no form",
        }
    }
}

impl fmt::Display for RecordedVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for RecordedVerdict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for RecordedVerdict {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<RecordedVerdict, D::Error> {
        let text = String::deserialize(from)?;
        let known = RecordedVerdict::all().find(|verdict| verdict.as_str() == text);
        known.ok_or_else(|| D::Error::custom(format!("`{text}` is no verdict")))
    }
}

/// A verdict as recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "recorded")]
pub struct Recorded {
    /// The claim's id.
    pub id: String,
    /// The game for which the claim was settled.
    pub game: String,
    /// The verdict.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub verdict: RecordedVerdict,
    /// Its grounds: how far, the counterexample, the reason.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub found: String,
    /// The hash of a proof's certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The second look at a counterexample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recheck: Option<String>,
    /// Of a claim on a family: the size of the least game for which it is wrong.
    #[serde(skip)]
    pub fails_at: Option<u64>,
}

/// A verdict as its file has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    game: String,
    verdict: RecordedVerdict,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recheck: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fails_at: Option<u64>,
}

impl From<Entry> for Recorded {
    fn from(entry: Entry) -> Recorded {
        let Entry { id, game, verdict, found, certificate, recheck, fails_at } = entry;
        Recorded { id, game, verdict, found, certificate, recheck, fails_at }
    }
}

impl From<Recorded> for Entry {
    fn from(recorded: Recorded) -> Entry {
        let Recorded { id, game, verdict, found, certificate, recheck, fails_at } = recorded;
        Entry { id, game, verdict, found, certificate, recheck, fails_at }
    }
}

/// A verdict beside what is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictComparison {
    /// The same.
    AsRecorded,
    /// The same as far as was computed now: the circle where the claim is recorded to fail first is
    /// larger.
    AsFar,
    /// Another one.
    Otherwise,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    verdict: Vec<Entry>,
}

fn read(file: &str, text: &str) -> Result<Vec<Recorded>, ClaimDataError> {
    let read: Result<File, _> = toml::from_str(text);
    let read =
        read.map_err(|error| ClaimDataError::File { file: file.into(), error: Box::new(error) })?;
    Ok(read.verdict.into_iter().map(Recorded::from).collect())
}

impl Recorded {
    /// Returns every verdict on record. Fails if the record cannot be read.
    pub fn all() -> Result<Vec<Recorded>, ClaimDataError> {
        read("verdicts.toml", VERDICTS)
    }

    /// Returns every verdict on a game of the literature; the id is the game's name there. Fails if
    /// the record cannot be read.
    pub fn literature() -> Result<Vec<Recorded>, ClaimDataError> {
        read("literature-verdicts.toml", LITERATURE)
    }

    /// Returns a verdict as it is to be recorded.
    pub fn new(claim: &PublishedClaim, game: &str, verdict: &Verdict) -> Recorded {
        Recorded::named(&claim.id, game, verdict)
    }

    /// Returns the same of whatever has this id.
    pub(crate) fn named(id: &str, game: &str, verdict: &Verdict) -> Recorded {
        let recheck = match verdict {
            Verdict::Refuted(refuted) => Some(refuted.recheck.to_string()),
            _ => None,
        };
        Recorded {
            id: id.to_owned(),
            game: game.to_owned(),
            verdict: RecordedVerdict::Settled(verdict.kind()),
            found: verdict.found(),
            certificate: verdict.certificate(),
            recheck,
            fails_at: verdict.fails_at(),
        }
    }

    /// Returns how a verdict stands to the recorded one: the word, the certificate, and of a
    /// refutation the counterexample. Where less was computed now, the two are compared on what
    /// both know.
    pub fn standing(&self, verdict: &Verdict) -> VerdictComparison {
        let refuted = matches!(verdict, Verdict::Refuted(_));
        if self.verdict == RecordedVerdict::Settled(verdict.kind())
            && self.certificate == verdict.certificate()
            && (!refuted || self.found == verdict.found())
        {
            return VerdictComparison::AsRecorded;
        }
        match (verdict, self.fails_at) {
            (Verdict::Holds(computed), Some(cells)) if computed.to.is_some_and(|to| to < cells) => {
                VerdictComparison::AsFar
            }
            _ => VerdictComparison::Otherwise,
        }
    }

    /// Returns whether a verdict is the recorded one, as far as both know.
    pub fn is(&self, verdict: &Verdict) -> bool {
        self.standing(verdict) != VerdictComparison::Otherwise
    }
}

/// Returns the verdicts as the file holds them.
pub fn verdicts_text(recorded: Vec<Recorded>) -> String {
    text("ledger", recorded)
}

/// Returns the verdicts on games of the literature likewise.
pub fn literature_verdicts_text(recorded: Vec<Recorded>) -> String {
    text("games --published", recorded)
}

fn text(command: &str, recorded: Vec<Recorded>) -> String {
    let head = format!(
        "# What `bouton {command} --verify --record FILE` found: written by the program, shown by \
         `bouton {command}`.\n\n"
    );
    let verdict = recorded.into_iter().map(Entry::from).collect();
    let body = toml::to_string(&File { verdict }).unwrap_or_default();
    format!("{head}{body}")
}
