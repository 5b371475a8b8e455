//! Nim-sequences of single heaps: their period, proved; misère play: genera and quotients.

use crate::call::{Limits, run};
use crate::data::Data;
use crate::errors;
use crate::game::Game;
use bouton_core::{Meter, NotationError};
use bouton_octal::misere::{Genera, Quotient};
use bouton_octal::sequence::{PeriodSearch, PeriodSearchReport};
use bouton_octal::sequence_of;
use bouton_study::{genus_graph, quotient_code};
use pyo3::prelude::*;

/// Seeks the period of a game's nim-values. Returns what `bouton period --json` tells; the
/// certificate, if it is proved; and the first values, as many as show it.
#[pyfunction]
pub fn period(
    py: Python<'_>,
    game: &Game,
    to: usize,
    limits: Limits,
) -> PyResult<(Data, Option<String>, Vec<u32>)> {
    let sequence = sequence_of(&*game.game).map_err(|error| errors::notation(py, &error))?;
    let searched = run(py, limits, move |budget| {
        let search =
            PeriodSearch { bytes: budget.bytes, ..PeriodSearch::new(to.saturating_add(1)) };
        let searched =
            search.run(sequence, &mut Meter::new(&budget)).map_err(|error| error.to_string())?;
        let PeriodSearchReport { sequence, found, heaps, end } = searched;
        let data = Data::new(&bouton_report::period(
            &sequence,
            found.as_ref(),
            heaps.saturating_sub(1),
            end,
        ));
        let certificate = found.as_ref().and_then(|found| found.certificate(&sequence));
        let shown = found.map_or(200, |found| (found.preperiod + 3 * found.period).min(600));
        let first: Vec<u32> = sequence.values().take(shown).collect();
        Ok::<_, String>((data, certificate.map(|c| c.to_text()), first))
    })?;
    let (data, certificate, shown) = searched.map_err(|why| errors::plain(py, &why))?;
    Ok((data, certificate, shown))
}

/// Returns the genus of a position, as `bouton genus --json` has it.
#[pyfunction]
pub fn genus(py: Python<'_>, game: &Game, position: String, limits: Limits) -> PyResult<Data> {
    let game = game.game.clone();
    let found = run(py, limits, move |budget| {
        let mut graph = genus_graph(&*game)?;
        let node = graph.read(&position)?;
        let mut genera = Genera::default();
        let found = genera.in_graph(&mut *graph, node, &mut Meter::new(&budget));
        Ok(Data::new(&bouton_report::genus(&game.name(), &position, found)))
    })?;
    found.map_err(|error: NotationError| errors::notation(py, &error))
}

/// Computes the misère quotient of a take-and-break game, as `bouton quotient --json` has it.
#[pyfunction]
pub fn quotient(py: Python<'_>, game: &Game, to: u32, limits: Limits) -> PyResult<Data> {
    let code = quotient_code(&*game.game).map_err(|error| errors::notation(py, &error))?;
    let name = game.game.name();
    run(py, limits, move |budget| {
        let mut quotient = Quotient::new(code);
        let end = quotient.extend(to, &mut Meter::new(&budget));
        Data::new(&bouton_report::quotient(&name, &quotient, end.err().map(|end| end.to_string())))
    })
}
