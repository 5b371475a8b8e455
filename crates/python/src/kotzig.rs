//! Families of Kotzig's Nim: the outcomes of many games at once.

use crate::call::{Limits, run};
use crate::fault;
use crate::game::play;
use crate::numbers::Numbers;
use bouton_games::{KotzigFamily, Range};
use bouton_solve::circulant::Techniques;
use bouton_solve::circulant::shard::{self, Shard};
use pyo3::prelude::*;

/// The parameters' values and the outcomes (letters P, N and ?) of every game of a family within ranges, which come in
/// the order of the parameters' names; the names.
#[pyfunction]
pub fn outcomes(
    py: Python<'_>,
    family: &str,
    ranges: Vec<(String, i64, i64)>,
    misere: bool,
    limits: Limits,
) -> PyResult<(Vec<String>, Numbers, Numbers)> {
    let read = KotzigFamily::parse(family).map_err(|slip| fault::notation(py, &slip))?;
    let names = read.names().to_vec();
    let of =
        |name: &String| ranges.iter().find(|(known, ..)| known == name).map(|(_, a, b)| Range::new(*a, *b));
    let found = names.iter().map(of).collect::<Option<Vec<Range>>>();
    let Some(within) = found.filter(|_| ranges.len() == names.len()) else {
        let given: Vec<&str> = ranges.iter().map(|(name, ..)| name.as_str()).collect();
        let message =
            format!("the parameters of {read} are {}, given are {}", names.join(", "), given.join(", "));
        return Err(fault::plain(py, &message));
    };
    let (values, letters) = run(py, limits, move |budget| {
        let instances = read.instances(&within);
        let games = instances
            .iter()
            .map(|i| if read.has_fixed_moves() { i.game.clone() } else { i.game.narrow() })
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
