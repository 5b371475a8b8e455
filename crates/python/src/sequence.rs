//! Nim-sequences of single heaps: their period, proved.

use crate::call::{Limits, run};
use crate::data::Data;
use crate::fault;
use crate::game::Game;
use bouton_rules::Meter;
use bouton_solve::sequence::period::seek;
use bouton_study::sequence_of;
use pyo3::prelude::*;

/// The period of a game's nim-values, as `bouton period --json` tells it; the certificate, if it is proved; and the
/// first values, as many as show it.
#[pyfunction]
pub fn period(
    py: Python<'_>,
    game: &Game,
    to: usize,
    limits: Limits,
) -> PyResult<(Data, Option<String>, Vec<u32>)> {
    let mut sequence = sequence_of(&*game.game).map_err(|slip| fault::notation(py, &slip))?;
    let (told, certificate, shown) = run(py, limits, move |budget| {
        let found = seek(&mut sequence, to.saturating_add(1), &mut Meter::new(&budget));
        let (found, spent) = match found {
            Ok(found) => (found, None),
            Err(spent) => (None, Some(spent)),
        };
        let told = bouton_report::period(&sequence, found.as_ref(), sequence.len().saturating_sub(1), spent);
        let certificate = found.as_ref().and_then(|found| found.certificate(&sequence));
        let shown = found.map_or(200, |found| (found.preperiod + 3 * found.period).min(600));
        (told, certificate.map(|c| c.to_text()), sequence.values().take(shown).collect::<Vec<u32>>())
    })?;
    Ok((Data(told), certificate, shown))
}
