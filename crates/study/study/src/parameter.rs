//! A game with a parameter, studied for each of its values; the findings become one sentence in the
//! parameter, if there is one.
//!
//! The sentence comes from the forms alone ([`bouton_conjecture::parametric_forms`]). It is proved
//! for a value where the independent checker has accepted a proof of what it says for that value;
//! for all values it is a conjecture.

use crate::board::Board;
use crate::pipeline::{Pipeline, PipelineOutcome};
use crate::settings::Settings;
use crate::study::{Findings, Heaps, Study, StudyError, StudyTarget, StudyTargetError, study};
use crate::theorems::name_on_heaps;
use bouton_conjecture::parametric_forms;
use bouton_core::clock::Instant;
use bouton_core::{Budget, NotationError, Play};
use bouton_games::{ParsedGame, Template};
use bouton_theory::reproduce::ReproduceCommand;
use bouton_theory::verdict::VerdictKind;
use serde::Serialize;
use std::ops::RangeInclusive;

/// Values that are studied, at most.
pub const MAX_VALUES: i64 = 100;

/// What is found of a game with a parameter.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RangeStudy {
    /// The game as it was named.
    pub game: String,
    /// The parameter.
    pub parameter: String,
    /// Its first value and its last.
    pub range: [i64; 2],
    /// Whether forms are of the nim-values v, not of the P-positions.
    pub nim_values: bool,
    /// Proved if there is a theorem for each value, else unknown.
    pub verdict: VerdictKind,
    /// Sentences with the parameter in them, each for a class of values; none where no form in the
    /// parameter fits.
    pub sentences: Vec<Sentence>,
    /// Value by value.
    #[serde(rename = "studies")]
    pub values: Vec<AtValue>,
    /// The command that makes it again.
    pub again: Vec<ReproduceCommand>,
    /// Time that all of it took, in seconds.
    pub seconds: f64,
}

/// A form in the parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sentence {
    /// The values that it speaks of: those from the first one listed on that leave `residue` modulo
    /// `modulus`.
    pub modulus: i64,
    /// See above.
    pub residue: i64,
    /// The form, with the parameter's name in it.
    pub form: String,
    /// Values for which the independent checker has accepted a proof of it.
    pub proved: Vec<i64>,
    /// Values for which it agrees with the form found, without a proof.
    pub agrees: Vec<i64>,
    /// Whether forms are meant up to a symmetry of the game.
    pub up_to_symmetry: bool,
}

/// The game for one value.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AtValue {
    /// The value.
    pub value: i64,
    /// Its study.
    #[serde(flatten)]
    pub found: Box<Study>,
}

impl AtValue {
    /// Returns how its study went.
    pub fn line(&self) -> Option<&Pipeline> {
        match &self.found.findings {
            Findings::Heaps(Heaps { line, .. }) => Some(line),
            _ => None,
        }
    }

    /// Returns the board of the whole game, where its form stands or is proved.
    fn board(&self) -> Option<&Board> {
        let line = self.line()?;
        let stands =
            matches!(line.ending, PipelineOutcome::Proved(_) | PipelineOutcome::Holds { .. });
        line.boards.last().filter(|_| stands)
    }

    /// Returns the form as the logic reads it, where it stands or is proved: of the nim-values v,
    /// if these are studied.
    pub fn form(&self) -> Option<&str> {
        let board = self.board()?;
        match &self.found.values {
            Some(values) => values.formula.as_deref().or(values.relation.as_deref()),
            None => board.claim.as_deref(),
        }
    }

    /// Returns the form in words, where it stands or is proved; an automaton, too.
    pub fn form_in_words(&self) -> Option<&str> {
        self.form().or(self.board()?.form.as_deref())
    }

    /// Returns whether it is a theorem.
    pub fn is_proved(&self) -> bool {
        self.line().is_some_and(|line| matches!(line.ending, PipelineOutcome::Proved(_)))
    }
}

/// A game with a parameter, and what is asked of it.
pub struct RangeTarget<'t> {
    /// The game.
    pub template: &'t Template,
    /// The values of the parameter.
    pub range: RangeInclusive<i64>,
    /// Whether nim-values are sought, not P-positions; in normal play.
    pub nim_values: bool,
    /// Who wins.
    pub play: Play,
}

impl RangeTarget<'_> {
    /// Returns the study for a value. Nim-values of a game that takes any number of heaps are those
    /// of one heap.
    fn at(
        &self,
        value: i64,
        parse: &dyn Fn(&str) -> Result<ParsedGame, NotationError>,
    ) -> Result<StudyTarget, RangeError> {
        let Some(text) = self.template.at(value) else {
            return Err(RangeError::Number(self.template.text().into(), value));
        };
        let name = self.template.name();
        let refused = |why| RangeError::At(format!("{name} = {value}"), why);
        let read = |text: &str| StudyTarget::read(text, self.nim_values, self.play, parse);
        let mut subject = read(&text).map_err(refused)?;
        if self.nim_values
            && subject.kind() != crate::Kind::Heaps
            && let Ok(on_one_heap) = read(&name_on_heaps(&text, 1))
        {
            subject = on_one_heap;
        }
        match subject.kind() {
            crate::Kind::Heaps => Ok(subject),
            _ => Err(RangeError::Heaps(text)),
        }
    }
}

/// Studies a game for each value of its parameter, within a budget; values share its time. Refused
/// are games that are not on a fixed number of heaps for every value.
pub fn study_range(
    target: &RangeTarget<'_>,
    parse: &dyn Fn(&str) -> Result<ParsedGame, NotationError>,
    settings: Settings<'_>,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<RangeStudy, RangeError> {
    let started = Instant::now();
    let RangeTarget { template, nim_values, .. } = *target;
    let (first, last) = (*target.range.start(), *target.range.end());
    if last - first >= MAX_VALUES {
        return Err(RangeError::Many(last - first + 1));
    }
    // `S(1,h)`, on any number of heaps, is studied as `S(1,h;1)`, and says so.
    if let Err(RangeError::Heaps(_)) = target.at(first, parse)
        && let Ok(template) = Template::parse(&name_on_heaps(template.text(), 1), template.name())
    {
        let range = target.range.clone();
        let on_one_heap = RangeTarget { template: &template, range, ..*target };
        if on_one_heap.at(first, parse).is_ok() {
            return study_range(&on_one_heap, parse, settings, budget, tell);
        }
    }
    // Before anything runs: what cannot be studied.
    let mut subjects = Vec::new();
    for value in first..=last {
        subjects.push((value, target.at(value, parse)?));
    }
    let count = subjects.len() as u32;
    let mut values = Vec::new();
    for (number, (value, subject)) in (0..).zip(&subjects) {
        // As much for each that is left, and a share for the sentences.
        let share = match budget.deadline {
            Some(deadline) => budget.within(deadline.left() / (count - number + 1)),
            None => budget.clone(),
        };
        let found = study(subject, settings, &share, tell)?;
        values.push(AtValue { value: *value, found: Box::new(found) });
    }
    let forms: Vec<(i64, &str)> =
        values.iter().filter_map(|at| Some((at.value, at.form()?))).collect();
    let mut sentences = Vec::new();
    for one in parametric_forms(&forms) {
        let mut sentence = Sentence {
            modulus: one.modulus,
            residue: one.residue,
            form: one.text(template.name()),
            proved: Vec::new(),
            agrees: Vec::new(),
            up_to_symmetry: false,
        };
        for value in &one.values {
            let Some(at) = values.iter().find(|at| at.value == *value) else { continue };
            sentence.up_to_symmetry |= at.line().is_some_and(|line| line.up_to_symmetry);
            tell(&format!(
                "{}, {} = {value}, what the sentence says",
                template.text(),
                template.name()
            ));
            let says = one.at(*value);
            let as_found = says.is_some() && says.as_deref() == at.form() && at.is_proved();
            let subject = subjects.iter().find(|(of, _)| of == value).map(|(_, subject)| subject);
            let proved = as_found
                || at.is_proved()
                    && says
                        .zip(subject)
                        .is_some_and(|(says, subject)| subject.proves(&says, budget));
            if proved { sentence.proved.push(*value) } else { sentence.agrees.push(*value) }
        }
        sentences.push(sentence);
    }
    // As of one value, of all of them.
    let mut again: Vec<ReproduceCommand> =
        values.first().and_then(|at| at.found.again.first()).cloned().into_iter().collect();
    for ReproduceCommand { arguments, .. } in &mut again {
        // The name is behind `study` or `study --values`.
        let at = 1 + usize::from(nim_values);
        arguments[at] = template.text().into();
        arguments.splice(
            at + 1..at + 1,
            ["--for".into(), format!("{}={first}..{last}", template.name())],
        );
    }
    Ok(RangeStudy {
        game: template.text().to_owned(),
        parameter: template.name().to_owned(),
        range: [first, last],
        nim_values,
        verdict: match values.iter().all(AtValue::is_proved) {
            true => VerdictKind::Proved,
            false => VerdictKind::Unknown,
        },
        sentences,
        values,
        again,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Why a game with a parameter is not studied.
#[derive(Debug, thiserror::Error)]
pub enum RangeError {
    /// Too many values.
    #[error("{0} values of a parameter; at most {MAX_VALUES} are studied")]
    Many(i64),
    /// A number below 0, or one that does not fit.
    #[error("{0}: a number of it is below 0, or too great, for the value {1}")]
    Number(String, i64),
    /// A value for which there is no game.
    #[error("for {0}: {1}")]
    At(String, StudyTargetError),
    /// Another kind of study.
    #[error("{0} is not studied by its heaps; --for is for games on a fixed number of heaps")]
    Heaps(String),
    /// A study that broke off.
    #[error(transparent)]
    Study(#[from] StudyError),
}
