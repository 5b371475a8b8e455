//! Formulas decided, conjectures from anyone's table, certificates checked.

use crate::call::{Limits, run};
use crate::data::Data;
use crate::errors;
use crate::study::typeset;
use bouton_check::check_limited;
use bouton_conjecture::{Data as Table, Fit, read};
use bouton_core::{Budget, Meter, Symmetry};
use bouton_prover::{Formula, Numeration, decide_formula, default_budget};
use bouton_report::answers::GameName;
use bouton_report::answers::verdict::CheckFound;
use bouton_study::FormSearchResult;
use pyo3::prelude::*;
use serde::Serialize;

/// Decides a formula over the natural numbers, as `bouton logic --json` tells it.
#[pyfunction]
pub fn logic(py: Python<'_>, formula: String, zeckendorf: bool, limits: Limits) -> PyResult<Data> {
    let read = Formula::parse(&formula).map_err(|error| errors::formula(py, &formula, &error))?;
    let stated = if zeckendorf { Numeration::ZECKENDORF } else { Numeration::Binary };
    run(py, limits, move |budget| {
        let default = default_budget();
        let budget = Budget {
            nodes: budget.nodes.or(default.nodes),
            bytes: budget.bytes.or(default.bytes),
            ..budget
        };
        let mut meter = Meter::new(&budget);
        let decision = decide_formula(&read, stated, &mut meter);
        Data::new(&bouton_report::decision(&formula, &decision, meter.elapsed().as_secs_f64()))
    })
}

/// Returns a formula over the heaps a, b, c, … in LaTeX and MathML; `None` if the text is none.
#[pyfunction]
pub fn formula(claim: &str, heaps: usize) -> Option<(String, String)> {
    (1..=bouton_prover::MAX_CLAIM_HEAPS).contains(&heaps).then(|| typeset(claim, heaps)).flatten()
}

/// Checks a certificate by the independent checker, as `bouton check --json` tells it.
#[pyfunction]
pub fn check(py: Python<'_>, certificate: String, depth: usize, limits: Limits) -> PyResult<Data> {
    run(py, limits, move |budget| {
        let bytes = usize::try_from(budget.bytes.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        let within = bouton_check::Limits { depth, steps: u64::MAX, bytes };
        Data::new(&match check_limited(&certificate, &within, &mut || {
            budget.interrupted().is_none()
        }) {
            Ok(found) => CheckFound::Accepted {
                kind: found.kind,
                game: GameName(found.game),
                claim: found.claim,
                work: found.work,
                theorem: found.theorem,
            },
            Err(why) => CheckFound::refused(why.line, why.reason.is_verdict(), why.reason),
        })
    })
}

/// Returns the theorem of a certificate for Coq, as `bouton prove -o FILE.v` writes it.
#[pyfunction]
pub fn coq(py: Python<'_>, certificate: String) -> PyResult<String> {
    let exported = run(py, Limits(None, None, None), move |_| bouton_coq::export(&certificate))?;
    exported.map_err(|why| errors::plain(py, &format!("no theorem for Coq: {why}")))
}

/// A form of P-positions, with the claim and the positions that it misses.
#[derive(Serialize)]
struct Form {
    verdict: FormSearchResult,
    form: String,
    claim: Option<String>,
    heaps: usize,
    max: u64,
    symmetries: usize,
    p_classes: usize,
    missed: usize,
    missed_positions: Vec<Vec<i64>>,
    needs: Option<u64>,
    cut: bool,
    evidence_bits: f64,
    form_bits: f64,
    data_bits: f64,
    settled_at: u64,
}

/// Seeks a closed form for a table in lines of text, as `bouton conjecture --json` tells it;
/// `claim` is the formula, if the form is one.
#[pyfunction]
pub fn conjecture(
    py: Python<'_>,
    table: String,
    symmetry: Option<&str>,
    limits: Limits,
) -> PyResult<Data> {
    let symmetry = match symmetry {
        None => None,
        Some("none") => Some(Symmetry::None),
        Some("ring") => Some(Symmetry::Ring),
        Some("full") => Some(Symmetry::Full),
        Some(other) => {
            let message = format!("symmetry={other:?} is none");
            return Err(errors::error(
                py,
                errors::Kind::Value,
                &message,
                None,
                "none, ring or full",
            ));
        }
    };
    let found = run(py, limits, move |budget| {
        let mut meter = Meter::new(&budget);
        let data = read(&table, symmetry)?;
        let Table::Outcomes(table) = data else {
            return Ok(Data::new(&bouton_report::conjectured(data, &mut meter).1));
        };
        let found = bouton_conjecture::conjecture(&table, &mut meter);
        let fit = found.fit();
        let claim = found.form.text().ok();
        Ok(Data::new(&Form {
            verdict: fit.into(),
            form: found.form.to_string(),
            claim,
            heaps: table.heaps(),
            max: table.most(),
            symmetries: table.images().list(table.heaps()).len(),
            p_classes: found.classes,
            missed: found.missed_count,
            needs: (fit == Fit::TooLittle).then(|| found.needs(table.heaps(), table.most())),
            cut: found.cut.is_some(),
            evidence_bits: found.evidence,
            form_bits: found.said,
            data_bits: found.data(),
            settled_at: found.settled,
            missed_positions: found.missed,
        }))
    })?;
    found.map_err(|error: bouton_conjecture::DataError| {
        errors::error(
            py,
            errors::Kind::Value,
            &error.fault.to_string(),
            Some((&format!("row {}", error.line), 0..0)),
            "",
        )
    })
}
