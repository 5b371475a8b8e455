//! Pictures: SVG for notebooks, PNG, TikZ and DOT for papers.

use crate::call::{Limits, run};
use crate::data::Data;
use crate::errors;
use crate::game::{catalogue, said_play};
use bouton_draw::heatmap::{CellKind, HeatmapError, HeatmapRequest, default_position};
use bouton_draw::{DrawError, Heatmap, PeriodTable};
use pyo3::prelude::*;
use serde_json::Value;

/// A picture, and what it tells as data.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Picture {
    pub picture: bouton_draw::Picture,
    /// As the command line's JSON has it; null where there is none.
    pub data: Value,
}

fn drawn<T>(py: Python<'_>, picture: Result<T, DrawError>) -> PyResult<T> {
    picture.map_err(|error| errors::plain(py, &error.to_string()))
}

#[pymethods]
impl Picture {
    #[getter]
    fn title(&self) -> String {
        self.picture.scene().title
    }
    #[getter]
    fn description(&self) -> String {
        self.picture.scene().description
    }
    #[getter]
    fn data(&self) -> Data {
        Data(self.data.clone())
    }
    fn svg(&self, py: Python<'_>) -> String {
        py.detach(|| self.picture.svg())
    }
    fn png(&self, py: Python<'_>, scale: f64) -> PyResult<Vec<u8>> {
        let made = py.detach(|| self.picture.png(scale));
        drawn(py, made)
    }
    fn tikz(&self, py: Python<'_>) -> PyResult<String> {
        drawn(py, self.picture.tikz())
    }
    fn dot(&self, py: Python<'_>) -> PyResult<String> {
        drawn(py, self.picture.dot())
    }
}

/// Computes a table over x and y as a picture.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn heatmap(
    py: Python<'_>,
    game: String,
    position: Option<String>,
    rules: Vec<String>,
    x: (u64, u64),
    y: (u64, u64),
    of: &str,
    misere: Option<bool>,
    limits: Limits,
) -> PyResult<Picture> {
    let what = match of {
        "outcome" => CellKind::Outcome,
        "nim-value" => CellKind::NimValue,
        "margin" => CellKind::Margin,
        "threshold" => CellKind::Threshold,
        other => {
            let message = format!("of={other:?} is nothing that a cell tells");
            let accepted = "outcome, nim-value, margin or threshold";
            return Err(errors::error(py, errors::Kind::Value, &message, None, accepted));
        }
    };
    let catalogue = catalogue(py, &rules)?;
    let (game, play) = said_play(py, &catalogue, game, misere)?;
    let position = position.or_else(|| default_position(&catalogue, &game));
    let (x, y) = (x.0..=x.1, y.0..=y.1);
    let filled = run(py, limits, move |budget| {
        Heatmap::compute(HeatmapRequest { catalogue, game, position, x, y, what, play, budget })
    })?;
    let sheet = filled.map_err(|error| match error {
        HeatmapError::Notation(error) => errors::notation(py, &error),
        other => errors::plain(py, &other.to_string()),
    })?;
    Ok(Picture { data: Data::new(&bouton_report::heatmap(&sheet)).0, picture: sheet.picture() })
}

/// Draws a sequence in lines as long as its period, or as the period that the values show.
#[pyfunction]
pub fn ruler(
    title: String,
    start: u64,
    values: Vec<i64>,
    period: Option<usize>,
    saltus: i64,
) -> Picture {
    let values = values.into_iter().map(Some).collect();
    let ruler = match period.filter(|period| *period > 0) {
        Some(period) => PeriodTable {
            title,
            from: start,
            values,
            period,
            saltus: Some(saltus),
            shown_by: None,
            outcomes: false,
        },
        None => PeriodTable::fit(title, start, values, false),
    };
    Picture { picture: bouton_draw::Picture::PeriodTable(ruler), data: Value::Null }
}
