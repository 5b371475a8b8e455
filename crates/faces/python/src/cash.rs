//! NIM with Cash: win conditions.

use crate::call::{Limits, run};
use crate::data::Data;
use crate::errors;
use bouton_cash as engine;
use bouton_cash::{CashError, cash_rules, win_condition};
use bouton_core::Meter;
use pyo3::prelude::*;
use serde_json::Value;

/// A win condition, or that none was found.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Condition {
    condition: Option<engine::Condition>,
    data: Value,
}

#[pymethods]
impl Condition {
    #[getter]
    fn data(&self) -> Data {
        Data(self.data.clone())
    }
    #[getter]
    fn certificate(&self) -> Option<String> {
        self.condition.as_ref().map(|condition| condition.certificate().to_text())
    }
    /// Returns whether the mover wins with n stones, d dollars against e: numbers in decimal
    /// digits. None without a condition.
    fn mover_wins(&self, py: Python<'_>, n: &str, d: &str, e: &str) -> PyResult<Option<bool>> {
        let Some(condition) = &self.condition else { return Ok(None) };
        let read = |text: &str| {
            text.parse().map_err(|_| {
                errors::plain(py, &format!("{text} is no number of stones or dollars"))
            })
        };
        let (n, d, e) = (read(n)?, read(d)?, read(e)?);
        Ok(Some(condition.mover_wins(&n, Some(&d), Some(&e))))
    }
}

/// Seeks the win condition of NIM(A).
#[pyfunction]
pub fn cash(py: Python<'_>, game: &str, limits: Limits) -> PyResult<Condition> {
    let rules = cash_rules(game).map_err(|error| errors::notation(py, &error))?;
    let set = rules.set.clone();
    match run(py, limits, move |budget| win_condition(&set, &mut Meter::new(&budget)))? {
        Ok(found) => Ok(Condition {
            data: Data::new(&bouton_report::condition(&rules, &found)).0,
            condition: found.condition,
        }),
        Err(CashError::LimitReached(limit)) => Err(errors::spent(py, limit)),
        Err(other) => Err(errors::plain(py, &other.to_string())),
    }
}
