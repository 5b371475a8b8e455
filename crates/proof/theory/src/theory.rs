//! The trait that a theory implements, and what it hands back.

use crate::ClaimError;
use crate::claim::Says;
use crate::verdict::Verdict;
use bouton_certificate::SealedCertificate;
use bouton_core::{Budget, Play};
use bouton_engine::Game;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// The mathematics of a family of games, as studies, reports and faces see it.
///
/// A theory finds its own games by the type of their rules ([`Game::ruleset`]), never by their names.
pub trait Theory: Sync {
    /// Returns the study of a game in this play; `None` if the theory does not study it.
    fn study(&self, game: &dyn Game, play: Play) -> Option<Box<dyn TheoryStudy>>;

    /// Settles a published claim; `None` if its kind belongs to another theory.
    ///
    /// # Errors
    /// If the claim cannot be read.
    fn verify_claim(&self, says: &Says, budget: &Budget) -> Option<Result<Verdict, ClaimError>>;
}

/// A game that can be studied.
pub trait TheoryStudy: Send + Sync {
    /// Whether an option means something to this study; else why not.
    fn supports(&self, option: StudyOption) -> Result<(), &'static str> {
        Err(option.refusal())
    }

    /// Returns what is found within the budget.
    ///
    /// # Errors
    /// If the checker or a second computation contradicts what was found.
    fn run(&self, request: &TheoryRequest<'_>) -> Result<Arc<dyn TheoryFindings>, TheoryError>;

    /// Returns what is found again by a command of its own, and that command.
    fn command(&self) -> Option<(&'static str, &'static str)> {
        None
    }
}

/// What is asked of a study.
pub struct TheoryRequest<'r> {
    /// The greatest number of any table.
    pub max: Option<u32>,
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
            StudyOption::To => "bounds the parameter of a family such as Gamma(1,4;n); this is none",
            StudyOption::BFile => "lists the nim-values of single heaps; this game is not studied by them",
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

/// What a theory found of a game. Texts, pages and files are made of it elsewhere, without knowing which theory it is.
pub trait TheoryFindings: fmt::Debug + Send + Sync {
    /// Returns the word for this kind of study in JSON: `cash`.
    fn kind(&self) -> &'static str;

    /// Returns the fields of the study's JSON behind its kind, in order.
    fn fields(&self) -> Map<String, Value>;

    /// Whether all was settled.
    fn is_settled(&self) -> bool;

    /// Returns what the checker reads, if something was proved.
    fn certificate(&self) -> Option<&SealedCertificate>;

    /// Returns the findings in words, for a terminal.
    fn text(&self) -> String;

    /// Returns the findings as parts of a paper on the game of this name.
    fn blocks(&self, game: &str) -> Vec<Block>;

    /// Returns the findings as a line of a survey of many games.
    fn survey(&self) -> Survey;
}

/// A part of a paper.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A theorem: what stands before its lines, the lines, and the proof.
    Theorem {
        /// What stands before the lines.
        lead: String,
        /// What is stated.
        lines: Vec<String>,
        /// Why.
        proof: String,
    },
    /// A picture of numbers.
    Grid(NumberGrid),
}

/// Thresholds by two numbers x and y, both from 0 up to the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberGrid {
    /// The greatest x and y.
    pub most: usize,
    /// The numbers, row by row from y = 0 on, x running fastest; `None` where one is unknown.
    pub cells: Vec<Option<i64>>,
    /// What they are.
    pub caption: String,
}

/// A line of a survey.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// Whether it is proved.
    pub is_proved: bool,
    /// What was found, in a line.
    pub form: Option<String>,
    /// How far it was computed.
    pub bound: Option<u64>,
    /// Why nothing was found.
    pub reason: Option<String>,
    /// A small picture as data.
    pub picture: Option<Value>,
    /// What stands where nothing was found: `No win condition was found`.
    pub nothing: &'static str,
}
