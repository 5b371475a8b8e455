//! Recorded verdicts: what `bouton ledger --verify --record` found, shipped with the program.

use crate::read::LedgerError;
use bouton_study::{PublishedClaim, Verdict};
use serde::{Deserialize, Serialize};

/// The file, embedded.
const VERDICTS: &str = include_str!("../data/verdicts.toml");
/// Those on the games of the literature.
const LITERATURE: &str = include_str!("../data/literature-verdicts.toml");

/// A verdict as recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// The claim's id.
    pub id: String,
    /// The game for which the claim was settled.
    pub game: String,
    /// The verdict in a word or two, as [`Verdict::word`] has it.
    pub verdict: String,
    /// What it stands on: how far, the counterexample, the reason.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub found: String,
    /// The hash of a proof's certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The second look at a counterexample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recheck: Option<String>,
}

/// A verdict beside what is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The same.
    AsRecorded,
    /// The same as far as was computed now: the circle where the claim is recorded to fail first is larger.
    AsFar,
    /// Another one.
    Otherwise,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    verdict: Vec<Recorded>,
}

fn read(file: &str, text: &str) -> Result<Vec<Recorded>, LedgerError> {
    let read: Result<File, _> = toml::from_str(text);
    Ok(read.map_err(|error| LedgerError::File { file: file.into(), error: Box::new(error) })?.verdict)
}

impl Recorded {
    /// Every verdict on record.
    pub fn all() -> Result<Vec<Recorded>, LedgerError> {
        read("verdicts.toml", VERDICTS)
    }

    /// Every verdict on a game of the literature; the id is the game's name there.
    pub fn literature() -> Result<Vec<Recorded>, LedgerError> {
        read("literature-verdicts.toml", LITERATURE)
    }

    /// A verdict as it is to be recorded.
    pub fn of(claim: &PublishedClaim, game: &str, verdict: &Verdict) -> Recorded {
        Recorded::named(&claim.id, game, verdict)
    }

    /// The same of whatever has this id.
    pub(crate) fn named(id: &str, game: &str, verdict: &Verdict) -> Recorded {
        let recheck = match verdict {
            Verdict::Refuted(refuted) => Some(refuted.recheck.to_string()),
            _ => None,
        };
        Recorded {
            id: id.to_owned(),
            game: game.to_owned(),
            verdict: verdict.word().to_owned(),
            found: verdict.found(),
            certificate: verdict.certificate(),
            recheck,
        }
    }

    /// How a verdict stands to the recorded one: the word, the certificate, and of a refutation the counterexample. Where less was
    /// computed now, the two are compared on what both know.
    pub fn standing(&self, verdict: &Verdict) -> Standing {
        let refuted = matches!(verdict, Verdict::Refuted(_));
        if self.verdict == verdict.word()
            && self.certificate == verdict.certificate()
            && (!refuted || self.found == verdict.found())
        {
            return Standing::AsRecorded;
        }
        match (verdict, self.fails_at()) {
            (Verdict::Holds(computed), Some(cells)) if computed.to.is_some_and(|to| to < cells) => {
                Standing::AsFar
            }
            _ => Standing::Otherwise,
        }
    }

    /// Whether a verdict is the recorded one, as far as both know.
    pub fn is(&self, verdict: &Verdict) -> bool {
        self.standing(verdict) != Standing::Otherwise
    }

    /// Of a claim on circles that is recorded as refuted: the cells of the least one at which it fails.
    fn fails_at(&self) -> Option<u64> {
        let least = self.found.ends_with("; the least") && self.verdict == "refuted";
        let (_, from_cells) = self.found.strip_prefix("Gamma(").filter(|_| least)?.split_once(';')?;
        from_cells.split_once(')')?.0.parse().ok()
    }
}

/// The verdicts as the file holds them.
pub fn verdicts_text(recorded: Vec<Recorded>) -> String {
    text("ledger", recorded)
}

/// The verdicts on games of the literature likewise.
pub fn literature_verdicts_text(recorded: Vec<Recorded>) -> String {
    text("games --literature", recorded)
}

fn text(command: &str, recorded: Vec<Recorded>) -> String {
    let head = format!(
        "# What `bouton {command} --verify --record FILE` found: written by the program, shown by `bouton {command}`.\n\n"
    );
    let body = toml::to_string(&File { verdict: recorded }).unwrap_or_default();
    format!("{head}{body}")
}
