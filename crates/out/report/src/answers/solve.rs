//! Positions answered, as `bouton solve --json` prints them.

use super::{
    Bounds, GameName, Margin, NimValue, Numbers, OrNull, PlayName, PositionText, Reason, Seconds,
};
use crate::{justification, period_words};
use bouton_core::{Outcome, OutcomeClass, Play};
use bouton_engine::remoteness::Remoteness;
use bouton_engine::{Analysis, Evaluation, Game, Kind};
use bouton_study::{Answer, Justification};
use serde::{Serialize, Serializer};

/// A position answered.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "solve")]
pub struct Solved<'a> {
    /// The game.
    pub game: GameName,
    /// The position in normal form.
    pub position: PositionText<'a>,
    /// The convention, in games won by the last move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<PlayName>,
    /// The outcome, in games won by the last move; null if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OrNull<OutcomeOrDraw>>,
    /// The nim-value, in games won by the last move; null if there is none or it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nim_value: Option<OrNull<NimValue>>,
    /// The margin, in games won on points; null if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<OrNull<Margin>>,
    /// The moves: all of them after a search, one winning move after a theorem.
    pub moves: Moves<'a>,
    /// The position as numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<Numbers>,
    /// Bounds on the margin, where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// Who wins if Left begins and if Right begins, if their moves differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassLetter>,
    /// A line of best play, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_play: Option<Vec<&'a str>>,
    /// What players say about the position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark<'a>>,
    /// Why something is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The number of positions expanded.
    pub nodes: u64,
    /// The time taken.
    pub seconds: Seconds,
    /// By what the answer is known.
    pub by: JustificationName,
    /// The statement that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theorem: Option<String>,
    /// The hash of its certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<OrNull<&'a str>>,
    /// The number of moves in decimal digits, if it can be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_in_all: Option<OrNull<String>>,
    /// With --remoteness: how many moves a game lasts under best play; null if it is unknown, and
    /// in a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remoteness: Option<OrNull<u32>>,
}

/// Who wins, if anyone can force it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "outcome_or_draw")]
pub enum OutcomeOrDraw {
    /// The player to move loses.
    P,
    /// The player to move wins.
    N,
    /// Neither player can force the end of play; only on finite graphs with a cycle.
    D,
}

impl OutcomeOrDraw {
    /// Returns what is known of a position.
    fn of(evaluation: &Evaluation) -> Option<OutcomeOrDraw> {
        match evaluation.outcome {
            Some(Outcome::P) => Some(OutcomeOrDraw::P),
            Some(Outcome::N) => Some(OutcomeOrDraw::N),
            None => evaluation.is_draw.then_some(OutcomeOrDraw::D),
        }
    }

    /// Returns who wins, as found together with how long play lasts.
    #[must_use]
    pub fn of_remoteness(found: Option<Remoteness>) -> OutcomeOrDraw {
        match found.map(|found| found.outcome) {
            Some(Outcome::P) => OutcomeOrDraw::P,
            Some(Outcome::N) => OutcomeOrDraw::N,
            None => OutcomeOrDraw::D,
        }
    }
}

/// A remark on a position.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "remark")]
pub struct Remark<'a> {
    /// What it is about.
    pub about: &'a str,
    /// The fact.
    pub text: &'a str,
}

/// Who wins if Left begins and if Right begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "class")]
pub enum ClassLetter {
    /// Left wins, whoever begins.
    L,
    /// Right wins, whoever begins.
    R,
    /// Whoever begins wins.
    N,
    /// Whoever begins loses.
    P,
}

impl From<OutcomeClass> for ClassLetter {
    fn from(class: OutcomeClass) -> ClassLetter {
        match class {
            OutcomeClass::L => ClassLetter::L,
            OutcomeClass::R => ClassLetter::R,
            OutcomeClass::N => ClassLetter::N,
            OutcomeClass::P => ClassLetter::P,
        }
    }
}

/// By what an answer is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "by", rename_all = "lowercase")]
pub enum JustificationName {
    /// All options were looked at, as far as it took.
    Search,
    /// A theorem on all positions, with a certificate.
    Theorem,
    /// The proved period of nim-values.
    Period,
    /// The nim-values of single heaps.
    Values,
    /// A misère quotient.
    Quotient,
    /// The sequence of lost heaps.
    Sequence,
    /// A theorem of the literature.
    Literature,
}

/// The moves of an analysis, serialised one by one.
#[derive(Debug, Clone, Copy)]
pub struct Moves<'a>(pub &'a [bouton_engine::Move]);

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(Move::of))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Moves<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "moves".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <Vec<Move<'_>>>::json_schema(generator)
    }
}

/// A move, and what is known of the position it leads to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "move", untagged)]
pub enum Move<'a> {
    /// In a game won on points.
    Scored {
        /// The position it leads to.
        to: PositionText<'a>,
        /// The move in words.
        #[serde(rename = "move")]
        words: &'a str,
        /// The points that the move brings.
        gain: u32,
        /// Whether the same player moves again.
        again: bool,
        /// The margin of the player who makes it; null if it is unknown.
        margin: Option<Margin>,
        /// Bounds on the margin, where it is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        bounds: Option<Bounds>,
    },
    /// In a game won by the last move.
    Plain {
        /// The position it leads to.
        to: PositionText<'a>,
        /// Its outcome; null if it is unknown.
        outcome: Option<OutcomeOrDraw>,
        /// Its nim-value; null if there is none or it is unknown.
        nim_value: Option<NimValue>,
        /// The position it leads to as numbers.
        #[serde(skip_serializing_if = "Option::is_none")]
        numbers: Option<Numbers>,
    },
}

impl Move<'_> {
    fn of(m: &bouton_engine::Move) -> Move<'_> {
        let evaluation = &m.evaluation;
        let to = PositionText(&m.to);
        match &m.brings {
            Some(brings) => Move::Scored {
                to,
                words: &m.text,
                gain: brings.gain,
                again: brings.again,
                margin: evaluation.margin.map(Margin),
                bounds: bounds(evaluation),
            },
            None => Move::Plain {
                to,
                outcome: OutcomeOrDraw::of(evaluation),
                nim_value: nim_value(evaluation),
                numbers: Numbers::read(&m.to),
            },
        }
    }
}

fn bounds(evaluation: &Evaluation) -> Option<Bounds> {
    evaluation.bounds.map(|(low, high)| Bounds([low, high]))
}

fn nim_value(evaluation: &Evaluation) -> Option<NimValue> {
    evaluation.nim_value.map(|value| NimValue(value.0))
}

/// Returns an answer, as `bouton solve --json`: an analysis and its justification.
pub fn answer<'a>(game: &dyn Game, play: Play, answer: &'a Answer) -> Solved<'a> {
    let Analysis { position, evaluation, class, moves, best_play, remarks, spent, nodes, seconds } =
        &answer.analysis;
    let scored = game.kind() == Kind::Scored;
    let (by, theorem, certificate) = justified(&answer.by);
    let with_theorem = theorem.is_some();
    Solved {
        game: GameName(game.name()),
        position: PositionText(position),
        play: (!scored).then(|| play.into()),
        outcome: (!scored).then(|| OrNull(OutcomeOrDraw::of(evaluation))),
        nim_value: (!scored).then(|| OrNull(nim_value(evaluation))),
        margin: scored.then(|| OrNull(evaluation.margin.map(Margin))),
        moves: Moves(moves),
        numbers: Numbers::read(position).filter(|_| !scored),
        bounds: bounds(evaluation),
        class: class.map(ClassLetter::from),
        best_play: best_play.as_ref().map(|play| play.moves.iter().map(|m| &*m.text).collect()),
        remarks: remarks
            .iter()
            .map(|remark| Remark { about: remark.about, text: &remark.text })
            .collect(),
        reason: spent.map(Reason::new),
        nodes: *nodes,
        seconds: Seconds(*seconds),
        by,
        theorem,
        certificate: with_theorem.then_some(OrNull(certificate)),
        moves_in_all: with_theorem.then(|| OrNull(answer.moves.as_ref().map(ToString::to_string))),
        remoteness: None,
    }
}

/// Returns by what an answer is known, the statement that answered, and the hash of its
/// certificate.
fn justified(by: &Justification) -> (JustificationName, Option<String>, Option<&str>) {
    match by {
        Justification::Search => (JustificationName::Search, None, None),
        Justification::Theorem { statement, certificate }
        | Justification::FamilyTheorem { statement, certificate, .. } => {
            (JustificationName::Theorem, Some(statement.clone()), Some(certificate))
        }
        Justification::Period { period, preperiod, saltus, certificate } => (
            JustificationName::Period,
            Some(period_words(*period, *preperiod, *saltus)),
            Some(certificate),
        ),
        Justification::HeapValues { .. } => (JustificationName::Values, justification(by), None),
        Justification::Quotient { .. } | Justification::Quotients { .. } => {
            (JustificationName::Quotient, justification(by), None)
        }
        #[cfg(not(target_family = "wasm"))]
        Justification::Outcomes { period, preperiod } => {
            (JustificationName::Period, Some(period_words(*period, *preperiod, 0)), None)
        }
        #[cfg(not(target_family = "wasm"))]
        Justification::Slow => (JustificationName::Sequence, justification(by), None),
        Justification::Literature(statement) => {
            (JustificationName::Literature, Some(statement.clone()), None)
        }
    }
}
