//! The trait that a theory implements, and what it hands back.

use crate::certificates::CertificateStore;
use crate::claim::{ClaimKind, PublishedClaim};
use crate::justification::Justification;
use crate::reproduce::{CommandResult, ReproduceCommand};
use crate::verdict::{Verdict, VerdictKind};
use crate::{Block, ClaimError, Picture};
use bouton_certificate::SealedCertificate;
use bouton_core::{Budget, Play};
use bouton_engine::{Analysis, Game};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// The mathematics of a family of games, as studies, reports and faces see it.
///
/// A theory finds its own games by the type of their rules ([`Game::ruleset`]), never by their
/// names.
pub trait Theory: Sync {
    /// Returns the schema of what its studies find.
    #[cfg(feature = "schema")]
    fn findings_schema(&self, generator: &mut schemars::SchemaGenerator) -> schemars::Schema;

    /// Returns the study of a game in this play; `None` if the theory does not study it. With
    /// `is_position`, the user named one position of the game.
    fn study(&self, game: &dyn Game, play: Play, is_position: bool)
    -> Option<Box<dyn TheoryStudy>>;

    /// Returns the study of a family of games, as `Gamma(1,4;n)`; `None` if the text names none of
    /// this theory.
    ///
    /// # Errors
    /// If the family is one of this theory, but not one that it can study.
    fn study_family(
        &self,
        text: &str,
        play: Play,
    ) -> Option<Result<StudiedFamily, UnsupportedGame>> {
        let _ = (text, play);
        None
    }

    /// Returns the kinds of published claims that belong to the theory.
    fn claim_kinds(&self) -> &'static [ClaimKind] {
        &[]
    }

    /// Settles a published claim; `None` if its kind belongs to another theory.
    ///
    /// # Errors
    /// If the claim cannot be read.
    fn verify_claim(&self, request: &ClaimRequest<'_>) -> Option<Result<Verdict, ClaimError>>;

    /// Returns what answers positions of a game by theorems; `None` if the theory has none about
    /// it.
    fn answers(&self, game: &dyn Game, play: Play) -> Option<Box<dyn TheoryAnswers>> {
        let _ = (game, play);
        None
    }

    /// Returns the numbers that may be taken, ascending, of a game that families of the theory have
    /// with parameters in their place; `None` of other games.
    fn amounts(&self, game: &dyn Game) -> Option<Vec<u64>> {
        let _ = game;
        None
    }
}

/// A family of games that can be studied as one.
pub struct StudiedFamily {
    /// The family's name.
    pub name: String,
    /// Its rules in a sentence or two.
    pub rules: &'static str,
    /// Its study.
    pub study: Box<dyn TheoryStudy>,
}

/// A game or a family that a theory cannot study.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game}: {why}")]
pub struct UnsupportedGame {
    /// The game.
    pub game: String,
    /// Why.
    pub why: String,
}

/// A published claim to be settled for one of its [instances](PublishedClaim::instances).
#[derive(Clone, Copy)]
pub struct ClaimRequest<'r> {
    /// The claim.
    pub claim: &'r PublishedClaim,
    /// The instance.
    pub game: &'r str,
    /// How far to go.
    pub bound: ClaimBound<'r>,
}

/// How far to go to settle a claim.
#[derive(Clone, Copy)]
pub struct ClaimBound<'b> {
    /// The largest game of a family: the cells of a circle.
    pub to: usize,
    /// What a computation may cost.
    pub budget: &'b Budget,
    /// Available certificates; each is checked before it counts.
    pub certificates: &'b CertificateStore,
}

/// What a theory's theorems say of the positions of one game, as play goes on.
pub trait TheoryAnswers: Send {
    /// Returns whether so much is left to play that theorems are asked before any search.
    fn is_large(&self, position: &str) -> bool;

    /// Tells of the positions of a game in course, from its first on: proofs may know more of
    /// positions whose history is known.
    fn follow(&mut self, line: &[String]);

    /// Returns what theorems say of a position, all of its moves listed; `None` where that is
    /// nothing.
    fn answer(
        &mut self,
        position: &str,
        certificates: &CertificateStore,
        budget: &Budget,
    ) -> Option<(Analysis, Justification)>;
}

/// A game that can be studied.
pub trait TheoryStudy: Send + Sync {
    /// Returns whether an option means something to this study; else why not.
    fn supports(&self, option: StudyOption) -> Result<(), &'static str> {
        Err(option.refusal())
    }

    /// Returns what is found within the budget.
    ///
    /// # Errors
    /// If the checker or a second computation contradicts what was found.
    fn run(&self, request: &TheoryRequest<'_>) -> Result<Arc<dyn TheoryFindings>, TheoryError>;

    /// Returns what is found again by a command of its own, and that command.
    fn command(&self) -> Option<(CommandResult, &'static str)> {
        None
    }
}

/// What is asked of a study.
pub struct TheoryRequest<'r> {
    /// The greatest number of any table.
    pub max: Option<u32>,
    /// The greatest value of a family's parameter.
    pub to: Option<i64>,
    /// What is published of the game of this name.
    pub published: &'r dyn Fn(&str) -> Vec<PublishedClaim>,
    /// Available certificates, each checked before it counts. Without a store, nothing is proved
    /// that takes more than a moment.
    pub certificates: Option<&'r CertificateStore>,
    /// What it may cost.
    pub budget: &'r Budget,
    /// Hears what is being done.
    pub tell: &'r dyn Fn(&str),
}

/// What may be asked of a study beside the study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StudyOption {
    /// A bound on the heaps of the tables.
    Max,
    /// A bound on the parameter of a family.
    To,
    /// The nim-values as a b-file.
    BFile,
    /// The proof as a file for the checker.
    Certificate,
}

impl StudyOption {
    /// Returns why a study refuses the option that has no reason of its own.
    pub fn refusal(self) -> &'static str {
        match self {
            StudyOption::Max => "one position is solved, no table is made",
            StudyOption::To => {
                "bounds the parameter of a family such as Gamma(1,4;n); this is none"
            }
            StudyOption::BFile => {
                "lists the nim-values of single heaps; this game is not studied by them"
            }
            StudyOption::Certificate => {
                "nothing is proved of one position; see bouton strategy for Kotzig's Nim"
            }
        }
    }
}

/// As in the command's options.
impl fmt::Display for StudyOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StudyOption::Max => "max",
            StudyOption::To => "to",
            StudyOption::BFile => "b-file",
            StudyOption::Certificate => "certificate",
        })
    }
}

/// What broke a study off.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct TheoryError(#[from] Box<dyn std::error::Error + Send + Sync>);

impl TheoryError {
    /// Wraps the error of a theory.
    pub fn new(error: impl std::error::Error + Send + Sync + 'static) -> TheoryError {
        TheoryError(error.into())
    }
}

/// Returns the fields of a result under their names, in order.
///
/// # Panics
///
/// If the result is no struct with named fields, or a field has keys that are no texts.
pub fn named_fields(result: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(result) {
        Ok(Value::Object(fields)) => fields,
        other => unreachable!("a result is an object of named fields, not {other:?}"),
    }
}

/// What a theory found of a game. Texts, pages and files are made of it elsewhere, without knowing
/// which theory it is.
pub trait TheoryFindings: fmt::Debug + Send + Sync {
    /// Returns the word for this kind of study in JSON: `cash`.
    fn kind(&self) -> &'static str;

    /// Returns the fields of the study's JSON behind its kind, in order: its [`named_fields`].
    fn fields(&self) -> Map<String, Value>;

    /// Returns whether all was settled.
    fn is_settled(&self) -> bool;

    /// Returns what the checker reads, if something was proved.
    fn certificate(&self) -> Option<&SealedCertificate>;

    /// Returns the commands that make the study of a family and its parts again, the whole study
    /// first.
    fn again(&self) -> Vec<ReproduceCommand> {
        Vec::new()
    }

    /// Returns where what is published of the game, or what a proof rests on, is printed.
    fn sources(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the nim-values as an OEIS b-file, of a game that is studied by them.
    fn b_file(&self) -> Option<String> {
        None
    }

    /// Returns the P-positions of one heap in a line and the period of its nim-values in another,
    /// of a game that is played in single heaps.
    fn single_heap(&self) -> Option<SingleHeap> {
        None
    }

    /// Returns the stages that the study went through, from a table to the check of a proof; none
    /// of a study that has no such order.
    fn stages(&self) -> Vec<StudiedStage> {
        Vec::new()
    }

    /// Returns the findings in words, for a terminal.
    fn text(&self) -> String;

    /// Returns the findings as parts of a paper on the game of this name.
    fn blocks(&self, game: &str) -> Vec<Block>;

    /// Returns the findings as lines of a survey of many games: one for each convention.
    fn survey(&self) -> Vec<Survey>;
}

/// A stage of a study that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct StudiedStage {
    /// What was done.
    pub kind: StageKind,
    /// Whether the study continued with the next; else it ended without an answer.
    pub continued: bool,
    /// The time that it took, in seconds, if it was measured by itself.
    pub seconds: Option<f64>,
    /// What came of it, a sentence each.
    pub words: Vec<String>,
    /// Of a table, whether each of its games or positions is in P; empty where that is no list.
    pub p_positions: Vec<bool>,
}

/// What is done in a stage of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageKind {
    /// A table is made from the rules.
    Table,
    /// A form is guessed.
    Guess,
    /// The guess is compared with a larger table.
    LargerTable,
    /// It is proved for all sizes.
    Proof,
    /// The certificate is checked.
    Check,
}

impl StudiedStage {
    /// Returns a stage after which the study continued.
    pub fn new(kind: StageKind, words: Vec<String>) -> StudiedStage {
        StudiedStage { kind, continued: true, seconds: None, words, p_positions: Vec::new() }
    }

    /// Returns the stage as one that ended without an answer unless the study continued.
    pub fn continued_if(self, continued: bool) -> StudiedStage {
        StudiedStage { continued, ..self }
    }

    /// Returns the stage with the time that it took, in seconds.
    pub fn with_seconds(self, seconds: f64) -> StudiedStage {
        StudiedStage { seconds: Some(seconds), ..self }
    }

    /// Returns the last stage: whether the checker has accepted a certificate.
    pub fn check(is_accepted: bool) -> StudiedStage {
        let words = match is_accepted {
            true => "An independent program accepts the certificate.",
            false => "There is no certificate to check.",
        };
        StudiedStage::new(StageKind::Check, vec![words.to_owned()]).continued_if(is_accepted)
    }
}

/// A summary of a game that is played in single heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleHeap {
    /// The P-positions: `P iff n mod 7 in {0, 2}`. `None` if no line holds them.
    pub p_positions: Option<String>,
    /// The period: `the period 7 from 0 on`. `None` if none is known.
    pub period: Option<String>,
    /// Whether both are proved.
    pub is_proved: bool,
}

/// The id of a published claim, and the verdict on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedVerdict {
    /// The row, as `N7 (5.5)`.
    pub id: String,
    /// The verdict.
    pub verdict: VerdictKind,
}

/// A line of a survey.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// The convention; none for that of the study.
    pub play: Option<Play>,
    /// Proved, or holds as far as computed, or unknown.
    pub verdict: VerdictKind,
    /// What was found, in a line.
    pub form: Option<String>,
    /// How far it was computed.
    pub bound: Option<u64>,
    /// Why nothing was found.
    pub reason: Option<String>,
    /// The verdicts on what is published.
    pub published: Vec<PublishedVerdict>,
    /// What the checker reads, if something was proved.
    pub certificate: Option<SealedCertificate>,
    /// What a small picture shows.
    pub picture: Option<Picture>,
    /// What stands where nothing was found: `No win condition was found`. None if the findings
    /// state something in that case, too.
    pub nothing: Option<&'static str>,
}
