//! Studies: a game from its rules to a theorem.

use crate::call::{Limits, run};
use crate::data::Data;
use crate::errors;
use crate::game::lines;
use crate::game::{Game, catalogue, said_play};
use bouton_certificate::SealedCertificate;
use bouton_games::Template;
use bouton_prover::Claim;
use bouton_report::Format;
use bouton_study::{RangeError, RangeTarget, Settings, StudyOption, StudyTarget};
use pyo3::prelude::*;

/// A study: plain data and its reports.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Study {
    study: bouton_study::Study,
}

#[pymethods]
impl Study {
    /// As `bouton study --json`.
    #[getter]
    fn data(&self) -> Data {
        Data::new(&self.study)
    }
    #[getter]
    fn settled(&self) -> bool {
        self.study.is_settled()
    }
    #[getter]
    fn certificate(&self) -> Option<&str> {
        self.study.certificate().map(SealedCertificate::as_str)
    }
    /// Returns the automaton of the form, in Walnut's text, if it is one.
    #[getter]
    fn automaton(&self) -> Option<String> {
        self.study.automaton().map(|automaton| automaton.walnut())
    }
    /// As `bouton study` prints it.
    fn text(&self) -> String {
        bouton_report::text::study(&self.study)
    }
    /// Returns the report: html, latex or json.
    fn report(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let format = named(py, format)?;
        Ok(py.detach(|| bouton_report::report(&self.study, format)))
    }
    /// Returns the theorems: game, form, and forms of smaller boards, certificate.
    #[getter]
    fn theorems(&self) -> Vec<(String, String, Vec<String>, String)> {
        let theorems = self.study.theorems().into_iter();
        theorems
            .map(|(game, form, proof)| {
                (game.to_owned(), form.whole, lines(&form.smaller), proof.to_string())
            })
            .collect()
    }
    #[getter]
    fn b_file(&self) -> Option<String> {
        self.study.b_file()
    }
}

/// Returns the format of a report by its name.
fn named(py: Python<'_>, format: &str) -> PyResult<Format> {
    match format {
        "html" => Ok(Format::Html),
        "latex" => Ok(Format::Latex),
        "json" => Ok(Format::Json),
        other => {
            let message = format!("there is no report as {other:?}");
            Err(errors::error(py, errors::Kind::Value, &message, None, "html, latex or json"))
        }
    }
}

/// A study of a game with a parameter: plain data and its reports.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct RangeStudy {
    study: bouton_study::RangeStudy,
}

#[pymethods]
impl RangeStudy {
    /// As `bouton study --for --json`.
    #[getter]
    fn data(&self) -> Data {
        Data::new(&self.study)
    }
    /// As `bouton study --for` prints it.
    fn text(&self) -> String {
        bouton_report::text::range_study(&self.study)
    }
    /// Returns the report: html, latex or json.
    fn report(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let format = named(py, format)?;
        Ok(py.detach(|| bouton_report::range_report(&self.study, format)))
    }
}

/// Returns the form of a study's last board in LaTeX and MathML; `None` if it is no formula.
pub fn typeset(claim: &str, heaps: usize) -> Option<(String, String)> {
    let claim = Claim::parse(claim, heaps).ok()?;
    let (latex, mathml) =
        (bouton_conjecture::latex(claim.formula()), bouton_conjecture::mathml(claim.formula()));
    Some((latex, mathml))
}

/// Studies what a text names: a game, or a family of Kotzig's Nim; what is proved is kept where
/// `game` has a directory.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn study(
    py: Python<'_>,
    text: &str,
    rules: Vec<String>,
    misere: Option<bool>,
    values: bool,
    max: Option<u32>,
    to: Option<i64>,
    game: Option<&Game>,
    limits: Limits,
) -> PyResult<Study> {
    let catalogue = catalogue(py, &rules)?;
    let (text, play) = said_play(py, &catalogue, text.to_owned(), misere)?;
    let subject = StudyTarget::read(&text, values, play, |text| catalogue.parse(text))
        .map_err(|error| errors::no_study(py, &error))?;
    for (wish, _) in [(StudyOption::Max, max.is_some()), (StudyOption::To, to.is_some())]
        .into_iter()
        .filter(|(_, is)| *is)
    {
        let refused =
            |why: &str| errors::plain(py, &format!("{wish} for {}: {why}", subject.name()));
        subject.supports(wish).map_err(refused)?;
    }
    let theorems = game.map_or_else(bouton_literature::theorems, |game| game.theorems.clone());
    let found = run(py, limits, move |budget| {
        let published = &bouton_literature::published;
        let theorems = Some(&theorems);
        let settings =
            Settings { max, to, published, theorems, partial: true, ..Settings::default() };
        bouton_study::study(&subject, settings, &budget, &|_| ())
    })?;
    let study = found.map_err(|error| errors::study(py, &error))?;
    if let Some(game) = game {
        game.keep_study(py, &study)?;
    }
    Ok(Study { study })
}

/// Studies a game for each value of its parameter.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn study_range(
    py: Python<'_>,
    text: &str,
    parameter: &str,
    first: i64,
    last: i64,
    rules: Vec<String>,
    misere: Option<bool>,
    nim_values: bool,
    max: Option<u32>,
    limits: Limits,
) -> PyResult<RangeStudy> {
    let catalogue = catalogue(py, &rules)?;
    let (text, play) = said_play(py, &catalogue, text.to_owned(), misere)?;
    let template =
        Template::parse(&text, parameter).map_err(|error| errors::notation(py, &error))?;
    let found = run(py, limits, move |budget| {
        let parse = |text: &str| catalogue.parse(text);
        let settings = Settings { max, ..Settings::default() };
        let target = RangeTarget { template: &template, range: first..=last, nim_values, play };
        bouton_study::study_range(&target, &parse, settings, &budget, &|_| ())
    })?;
    let study = found.map_err(|error| match error {
        RangeError::Study(error) => errors::study(py, &error),
        RangeError::At(_, error) => errors::no_study(py, &error),
        other => errors::plain(py, &other.to_string()),
    })?;
    Ok(RangeStudy { study })
}
