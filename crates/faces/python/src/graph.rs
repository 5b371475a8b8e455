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
    /// Position to outcome, in normal and in misère play.
    outcomes: [Py<PyDict>; 2],
    solved: Arc<Mutex<Solved>>,
}

/// Between two looks for signals and at the clock.
const LOOK_EVERY: usize = 512;

/// A position whose options are being looked at.
struct Open<'py> {
    position: Bound<'py, PyAny>,
    left: Bound<'py, PyIterator>,
    options: Vec<u32>,
    has_option: bool,
}

/// What stands for a number or an outcome while a position is open.
const OPEN: i64 = -1;
const P: i64 = 0;
const N: i64 = 1;

/// What is known of an option.
enum Sight<'py> {
    /// Its number or outcome.
    Known(i64),
    /// Nothing; the position that stands for it.
    New(Bound<'py, PyAny>),
}

/// The positions that were seen, and the class that is asked about them.
struct Seen<'py> {
    entries: Bound<'py, PyDict>,
    options: Bound<'py, PyAny>,
    canonical: Bound<'py, PyAny>,
}

impl<'py> Seen<'py> {
    fn entry(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<i64>> {
        self.entries.get_item(position)?.map(|entry| entry.extract()).transpose()
    }

    /// Begins with the options of a position.
    fn open(&self, position: Bound<'py, PyAny>) -> PyResult<Open<'py>> {
        let left = self.options.call1((&position,))?.try_iter()?;
        self.entries.set_item(&position, OPEN)?;
        Ok(Open { position, left, options: Vec::new(), has_option: false })
    }

    /// What is known of an option; an error if it is open, for then play can come back to it.
    fn sight(&self, option: Bound<'py, PyAny>) -> PyResult<Sight<'py>> {
        if let Some(known) = self.closed(&option)? {
            return Ok(Sight::Known(known));
        }
        let position = self.canonical.call1((&option,))?;
        if position.is(&option) {
            return Ok(Sight::New(option));
        }
        match self.closed(&position)? {
            Some(known) => {
                self.entries.set_item(&option, known)?;
                Ok(Sight::Known(known))
            }
            None => Ok(Sight::New(position)),
        }
    }

    fn closed(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<i64>> {
        match self.entry(position)? {
            Some(OPEN) => {
                let message = format!("play need not end: {} can be reached again", position.repr()?);
                let accepted = "options by which no position comes back";
                Err(fault::error(position.py(), fault::Kind::Value, &message, None, accepted))
            }
            known => Ok(known),
        }
    }

    /// Takes back the positions that were left open.
    fn forget(&self, stack: &[Open<'py>]) -> PyResult<()> {
        stack.iter().try_for_each(|left| self.entries.del_item(&left.position))
    }
}

/// The limits of a call, looked at now and then.
struct Clock {
    started: Instant,
    seconds: Option<Duration>,
    nodes: Option<u64>,
    steps: usize,
}

impl Clock {
    fn new(limits: Limits) -> Clock {
        let seconds = limits.0.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
        Clock { started: Instant::now(), seconds, nodes: limits.1, steps: 0 }
    }

    /// Ends the call if a signal has come or a limit is reached; `held` counts positions.
    fn look(&mut self, py: Python<'_>, held: impl FnOnce() -> u64) -> PyResult<()> {
        self.steps += 1;
        if !self.steps.is_multiple_of(LOOK_EVERY) {
            return Ok(());
        }
        py.check_signals()?;
        if let Some(limit) = self.seconds.filter(|limit| self.started.elapsed() > *limit) {
            return Err(fault::spent(py, LimitReached::Time(limit)));
        }
        if let Some(limit) = self.nodes.filter(|limit| held() > *limit) {
            return Err(fault::spent(py, LimitReached::Nodes(limit)));
        }
        Ok(())
    }
}

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
        Graph {
            numbers: PyDict::new(py).unbind(),
            outcomes: [PyDict::new(py).unbind(), PyDict::new(py).unbind()],
            solved: Arc::new(Mutex::new(solved)),
        }
    }

    fn __len__(&self) -> usize {
        self.solved().reached.ends.len()
    }

    /// The number of a position, after all that can be reached from it has been numbered. `options` gives an iterable of
    /// positions, `canonical` the position that stands for an option, once it has looked at it: it is called when an option
    /// is first seen. What was numbered stays so if the limits end it.
    fn add<'py>(
        &self,
        py: Python<'py>,
        position: Bound<'py, PyAny>,
        options: Bound<'py, PyAny>,
        canonical: Bound<'py, PyAny>,
        limits: Limits,
    ) -> PyResult<u32> {
        let seen = Seen { entries: self.numbers.bind(py).clone(), options, canonical };
        if let Some(known) = seen.entry(&position)?.filter(|known| *known != OPEN) {
            return Ok(known as u32);
        }
        let mut clock = Clock::new(limits);
        let mut stack = Vec::new();
        let mut go = || -> PyResult<u32> {
            stack.push(seen.open(position.clone())?);
            loop {
                clock.look(py, || self.solved().reached.ends.len() as u64)?;
                let Some(top) = stack.last_mut() else {
                    unreachable!("the first position is last to be closed")
                };
                match top.left.next() {
                    Some(option) => match seen.sight(option?)? {
                        Sight::Known(known) => top.options.push(known as u32),
                        Sight::New(option) => {
                            let next = seen.open(option)?;
                            stack.push(next);
                        }
                    },
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
                        seen.entries.set_item(&done.position, i64::from(given))?;
                        match stack.last_mut() {
                            Some(before) => before.options.push(given),
                            None => return Ok(given),
                        }
                    }
                }
            }
        };
        let end = go();
        seen.forget(&stack)?;
        end
    }

    /// Whether a position is a P-position. Of each position options are asked for until one is found that is P, so a lazy
    /// iterable is not read to its end. What was decided stays so if the limits end it.
    fn is_p<'py>(
        &self,
        py: Python<'py>,
        position: Bound<'py, PyAny>,
        misere: bool,
        options: Bound<'py, PyAny>,
        canonical: Bound<'py, PyAny>,
        limits: Limits,
    ) -> PyResult<bool> {
        let seen = Seen { entries: self.outcomes[usize::from(misere)].bind(py).clone(), options, canonical };
        if let Some(known) = seen.entry(&position)?.filter(|known| *known != OPEN) {
            return Ok(known == P);
        }
        let mut clock = Clock::new(limits);
        let mut stack = Vec::new();
        let mut go = || -> PyResult<bool> {
            stack.push(seen.open(position.clone())?);
            loop {
                clock.look(py, || seen.entries.len() as u64)?;
                let Some(top) = stack.last_mut() else {
                    unreachable!("the first position is last to be closed")
                };
                let outcome = match top.left.next() {
                    Some(option) => match seen.sight(option?)? {
                        Sight::Known(P) => N,
                        Sight::Known(_) => {
                            top.has_option = true;
                            continue;
                        }
                        Sight::New(option) => {
                            let next = seen.open(option)?;
                            stack.push(next);
                            continue;
                        }
                    },
                    None if misere && !top.has_option => N,
                    None => P,
                };
                // A position that is P makes the one before it N: no further option of that one is asked for.
                let Some(done) = stack.pop() else { unreachable!("it was looked at") };
                seen.entries.set_item(&done.position, outcome)?;
                if outcome == P
                    && let Some(before) = stack.pop()
                {
                    seen.entries.set_item(&before.position, N)?;
                }
                match stack.last_mut() {
                    Some(before) => before.has_option = true,
                    None => return Ok(seen.entry(&position)? == Some(P)),
                }
            }
        };
        let end = go();
        seen.forget(&stack)?;
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
