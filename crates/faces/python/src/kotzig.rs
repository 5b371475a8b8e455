//! Families of Kotzig's Nim: the outcomes of many games at once, and theorems on circles of every
//! size.

use crate::call::{Limits, run};
use crate::data::Data;
use crate::errors;
use crate::game::play;
use crate::numbers::Numbers;
use bouton_core::{Formula, Meter};
use bouton_kotzig::Techniques;
use bouton_kotzig::shard::{self, Shard};
use bouton_kotzig::{KotzigFamily, Range, settle_circles};
use pyo3::prelude::*;

/// Returns the outcomes (letters P, N and ?) of every game of a family within ranges, given in the
/// order of the parameters' names; with them the parameters' values, and those names.
#[pyfunction]
pub fn outcomes(
    py: Python<'_>,
    family: &str,
    ranges: Vec<(String, i64, i64)>,
    misere: bool,
    limits: Limits,
) -> PyResult<(Vec<String>, Numbers, Numbers)> {
    let read = KotzigFamily::parse(family).map_err(|error| errors::notation(py, &error))?;
    let names = read.names().to_vec();
    let of = |name: &String| {
        ranges.iter().find(|(known, ..)| known == name).map(|(_, a, b)| Range::new(*a, *b))
    };
    let found = names.iter().map(of).collect::<Option<Vec<Range>>>();
    let Some(within) = found.filter(|_| ranges.len() == names.len()) else {
        let given: Vec<&str> = ranges.iter().map(|(name, ..)| name.as_str()).collect();
        let message = format!(
            "the parameters of {read} are {}, given are {}",
            names.join(", "),
            given.join(", ")
        );
        return Err(errors::plain(py, &message));
    };
    let (values, letters) = run(py, limits, move |budget| {
        let instances = read.instances(&within);
        let games =
            instances
                .iter()
                .map(|i| {
                    if read.has_fixed_moves() {
                        i.game.clone()
                    } else {
                        i.game.with_shortest_steps()
                    }
                })
                .collect();
        let nodes = budget.nodes.unwrap_or(u64::MAX);
        let shard = Shard { play: play(misere), techniques: Techniques::default(), nodes, games };
        let letters: Vec<u32> = shard::solve(&shard, &budget)
            .iter()
            .map(|solved| match solved.outcome {
                Ok(outcome) => u32::from(if outcome.is_p() { 'P' } else { 'N' }),
                Err(_) => u32::from('?'),
            })
            .collect();
        (instances.iter().flat_map(|i| i.values.iter().copied()).collect::<Vec<i64>>(), letters)
    })?;
    Ok((names, values.into(), letters.into()))
}

/// Settles a claim about the circles of every size, a formula over n; without a claim, finds one.
/// Returns what `bouton prove --json` tells, and the certificate; `None` if the text is no family
/// of Kotzig's Nim.
#[pyfunction]
#[pyo3(signature = (family, claim, misere, limits))]
pub fn circles(
    py: Python<'_>,
    family: &str,
    claim: Option<String>,
    misere: bool,
    limits: Limits,
) -> PyResult<Option<(Data, Option<String>)>> {
    let read = KotzigFamily::parse(family).ok().filter(|family| !family.names().is_empty());
    let Some(read) = read else { return Ok(None) };
    let formula = |text: &String| {
        Formula::parse_over(text, &["n".to_owned()])
            .map_err(|error| errors::plain(py, &format!("{text}: {error}")))
    };
    let said = claim.as_ref().map(formula).transpose()?;
    let (play, name) = (play(misere), read.to_string());
    let (settled, seconds) = run(py, limits, move |budget| {
        let meter = Meter::new(&budget);
        let settled = settle_circles(&read, said.as_ref(), play, &budget, &|_| ());
        (settled, meter.elapsed().as_secs_f64())
    })?;
    let settled = settled.map_err(|error| errors::plain(py, &error.to_string()))?;
    let theorem = settled.theorems().first();
    let claim = claim.or_else(|| theorem.map(|theorem| theorem.text.clone())).unwrap_or_default();
    let certificate = theorem.map(|theorem| theorem.certificate.as_str().to_owned());
    Ok(Some((
        Data::new(&bouton_report::proof_verdict(&name, play, &claim, &settled, seconds, None)),
        certificate,
    )))
}
