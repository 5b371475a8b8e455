//! A game of one's own: what its Python class reaches from positions, as a graph on which the engines work.
//!
//! Python is asked once a position. Every position is numbered when all its options are, so each move lowers the number:
//! that shows that play ends; a way back is told with the position. The class runs with the GIL, the engines without.

use crate::call::{Limits, run};
use crate::fault;
use crate::numbers::Numbers;
use bouton_core::{Budget, Impartial, LimitReached, Meter, Outcome, Play, Ruleset};
use bouton_engine::nim_values::NimValues;
use bouton_engine::outcomes::Outcomes;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The positions reached so far, and their options.
#[derive(Debug, Default)]
struct Reached {
    /// Where the options of each position end in `options`.
    ends: Vec<usize>,
    options: Vec<u32>,
}

impl Ruleset for Reached {
    type Position = u32;

    fn options<B>(&self, p: &u32, visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.of(*p).iter().copied().try_for_each(visit)
    }

    fn rank(&self, p: &u32) -> Option<u64> {
        Some(u64::from(*p))
    }
}

impl Impartial for Reached {}

impl Reached {
    fn of(&self, p: u32) -> &[u32] {
        let from = if p == 0 { 0 } else { self.ends[p as usize - 1] };
        &self.options[from..self.ends[p as usize]]
    }
}

/// What the engines have found.
struct Solved {
    reached: Reached,
    normal: Outcomes<u32>,
    misere: Outcomes<u32>,
    values: NimValues<u32>,
}

/// The positions of a game of one's own, by numbers.
#[pyclass(module = "bouton._bouton")]
pub struct Graph {
    /// Position to number.
    numbers: Py<PyDict>,
    solved: Arc<Mutex<Solved>>,
}

/// Between two looks for signals and at the clock.
const LOOK_EVERY: usize = 512;

/// A position whose options are being looked at.
struct Open<'py> {
    position: Bound<'py, PyAny>,
    left: Bound<'py, PyIterator>,
    options: Vec<u32>,
}

/// What stands for a number while a position is open.
const OPEN: i64 = -1;

impl Graph {
    fn solved(&self) -> MutexGuard<'_, Solved> {
        // Tables of an engine that failed are no worse than before: values are entered when they are known.
        self.solved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Graph {
    #[new]
    fn new(py: Python<'_>) -> Graph {
        let solved = Solved {
            reached: Reached::default(),
            normal: Outcomes::new(Play::Normal),
            misere: Outcomes::new(Play::Misere),
            values: NimValues::default(),
        };
        Graph { numbers: PyDict::new(py).unbind(), solved: Arc::new(Mutex::new(solved)) }
    }

    fn __len__(&self) -> usize {
        self.solved().reached.ends.len()
    }

    /// The number of a position, after all that can be reached from it has been numbered: `options` gives an iterable of
    /// positions. What was numbered stays so if the limits end it.
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        position: Bound<'py, PyAny>,
        options: Bound<'py, PyAny>,
        limits: Limits,
    ) -> PyResult<u32> {
        let numbers = self.numbers.bind(py).clone();
        let number = |p: &Bound<'py, PyAny>| -> PyResult<Option<i64>> {
            numbers.get_item(p)?.map(|number| number.extract()).transpose()
        };
        if let Some(known) = number(&position)?.filter(|known| *known != OPEN) {
            return Ok(known as u32);
        }
        let started = Instant::now();
        let seconds = limits.0.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
        let open = |position: Bound<'py, PyAny>| -> PyResult<Open<'py>> {
            let left = options.call1((&position,))?.try_iter()?;
            numbers.set_item(&position, OPEN)?;
            Ok(Open { position, left, options: Vec::new() })
        };
        let mut stack = Vec::new();
        let mut looked = 0usize;
        let mut go = || -> PyResult<u32> {
            stack.push(open(position.clone())?);
            loop {
                looked += 1;
                if looked.is_multiple_of(LOOK_EVERY) {
                    py.check_signals()?;
                    if let Some(limit) = seconds.filter(|limit| started.elapsed() > *limit) {
                        return Err(fault::spent(py, LimitReached::Time(limit)));
                    }
                    let held = self.solved().reached.ends.len() as u64;
                    if let Some(limit) = limits.1.filter(|limit| held > *limit) {
                        return Err(fault::spent(py, LimitReached::Nodes(limit)));
                    }
                }
                let Some(top) = stack.last_mut() else {
                    unreachable!("the first position is last to be closed")
                };
                match top.left.next() {
                    Some(option) => {
                        let option = option?;
                        match number(&option)? {
                            Some(OPEN) => {
                                let message =
                                    format!("play need not end: {} can be reached again", option.repr()?);
                                let accepted = "options by which no position comes back";
                                return Err(fault::error(py, fault::Kind::Value, &message, None, accepted));
                            }
                            Some(known) => top.options.push(known as u32),
                            None => {
                                let next = open(option)?;
                                stack.push(next);
                            }
                        }
                    }
                    None => {
                        let Some(mut done) = stack.pop() else { unreachable!("it was looked at") };
                        let given = {
                            let reached = &mut self.solved().reached;
                            let given = u32::try_from(reached.ends.len())
                                .map_err(|_| fault::spent(py, LimitReached::Nodes(u32::MAX.into())))?;
                            done.options.sort_unstable();
                            done.options.dedup();
                            reached.options.append(&mut done.options);
                            reached.ends.push(reached.options.len());
                            given
                        };
                        numbers.set_item(&done.position, i64::from(given))?;
                        match stack.last_mut() {
                            Some(before) => before.options.push(given),
                            None => return Ok(given),
                        }
                    }
                }
            }
        };
        let end = go();
        // What is still open was left in the midst.
        for left in &stack {
            numbers.del_item(&left.position)?;
        }
        end
    }

    /// The numbers of a position's options.
    fn options(&self, position: u32) -> Vec<u32> {
        let solved = self.solved();
        if (position as usize) < solved.reached.ends.len() {
            solved.reached.of(position).to_vec()
        } else {
            Vec::new()
        }
    }

    /// Outcomes as code points, and nim-values or −1, of numbered positions; and why some are unknown.
    fn solve(
        &self,
        py: Python<'_>,
        positions: Vec<u32>,
        misere: bool,
        nim_values: bool,
        limits: Limits,
    ) -> PyResult<(Numbers, Numbers, Option<String>)> {
        let known = self.solved().reached.ends.len();
        if positions.iter().any(|p| *p as usize >= known) {
            return Err(fault::plain(py, "a position has no number"));
        }
        let solved = self.solved.clone();
        let (outcomes, values, spent) = run(py, limits, move |budget: Budget| {
            let mut solved = solved.lock().unwrap_or_else(PoisonError::into_inner);
            let Solved { reached, normal, misere: under_misere, values: known } = &mut *solved;
            let mut meter = Meter::new(&budget);
            let (mut outcomes, mut values, mut spent) = (Vec::new(), Vec::new(), None);
            for p in &positions {
                let found = if spent.is_some() {
                    (None, None)
                } else if nim_values && !misere {
                    match known.of(reached, p, &mut meter) {
                        Ok(value) if value.0 == 0 => (Some(Outcome::P), Some(value)),
                        Ok(value) => (Some(Outcome::N), Some(value)),
                        Err(end) => {
                            spent = Some(end);
                            (None, None)
                        }
                    }
                } else {
                    let engine = if misere { &mut *under_misere } else { &mut *normal };
                    let outcome = engine.of(reached, p, &mut meter);
                    (outcome.map_err(|end| spent = Some(end)).ok(), None)
                };
                outcomes.push(u32::from(match found.0 {
                    Some(Outcome::P) => 'P',
                    Some(Outcome::N) => 'N',
                    None => '?',
                }));
                values.push(found.1.and_then(|value| i32::try_from(value.0).ok()).unwrap_or(-1));
            }
            (outcomes, values, spent)
        })?;
        Ok((outcomes.into(), values.into(), spent.map(|spent| spent.to_string())))
    }
}
