//! Sums whose summands have nim-values that are proved, each in digits of its own.
//!
//! An automaton reads all heaps in the same digits. A sum of games that ask for different ones has
//! none, though each game has: its P-positions are those in which the nim-values of the summands
//! have the nim-sum 0 (Sprague 1935, Grundy 1939).

use crate::nim_values::NimValues;
use crate::settings::Settings;
use crate::study::{Findings, Heaps, StudyTarget, study};
use bouton_certificate::SealedCertificate;
use bouton_core::{Budget, Play};
use bouton_engine::Game;
use bouton_theory::form::Form;
use serde::Serialize;

/// The nim-values of a summand, proved for all heap sizes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SummandValues {
    /// Which they are.
    #[serde(flatten)]
    pub values: NimValues,
    /// The form of the P-positions of the summand with a heap of Nim beside it.
    pub form: String,
    /// The same as a form, where it is a formula.
    #[serde(skip)]
    pub claim: Option<Form>,
    /// The certificate as `bouton check` reads it.
    #[serde(skip)]
    pub certificate: SealedCertificate,
}

/// Studies the nim-values of each summand of a sum, in equal parts of the time that is left;
/// nothing if those of one are not proved.
pub(crate) fn summand_values(
    games: &[Box<dyn Game>],
    settings: Settings<'_>,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Vec<SummandValues> {
    let mut different: Vec<&dyn Game> = Vec::new();
    for game in games {
        if different.iter().all(|other| other.name() != game.name()) {
            different.push(&**game);
        }
    }
    let mut all = Vec::new();
    for (i, game) in different.iter().enumerate() {
        let share = match budget.deadline {
            Some(deadline) => budget.within(deadline.left() / (different.len() - i) as u32),
            None => budget.clone(),
        };
        let settings = Settings { partial: false, published: &|_| Vec::new(), ..settings };
        let found = StudyTarget::values(*game)
            .ok()
            .and_then(|subject| study(&subject, settings, &share, tell).ok());
        let proved = found.and_then(|found| {
            let certificate = found.certificate()?.clone();
            let Findings::Heaps(Heaps { line, .. }) = &found.findings else { return None };
            let form = line.boards.last()?.form.clone()?;
            let claim = line.theorem(Play::Normal).map(|(form, _)| form);
            Some(SummandValues { values: found.values.clone()?, form, claim, certificate })
        });
        match proved {
            Some(proved) => all.push(proved),
            None => return Vec::new(),
        }
    }
    all
}
