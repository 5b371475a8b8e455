//! A game that a Python object states: what it reaches from positions, and what is known of them.
//!
//! Python is asked once a position. A position is closed when all its options are, so each move
//! goes to a position that was closed before: that shows that play ends; a way back is told with
//! the position. The nim-value and the outcome in misère play are known as soon as a position is
//! closed.

use crate::call::Limits;
use crate::errors::{self, Kind};
use crate::numbers::Numbers;
use bouton_core::LimitReached;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyIterator, PyString, PyTuple};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The positions of a game that were seen so far.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Graph {
    /// Position to nim-value and misère outcome: twice the value, and 1 if the position is N in
    /// misère play.
    values: Py<PyDict>,
    /// Position to outcome, in normal and in misère play.
    outcomes: [Py<PyDict>; 2],
    /// Positions whose nim-value is known, one of each symmetry class.
    closed: AtomicUsize,
}

/// The object that states the game: its options, the position that stands for a symmetry class,
/// the number of heaps, and its name.
#[derive(FromPyObject)]
pub struct Stated<'py>(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>, Option<usize>, String);

/// What stands for a value or an outcome while a position is open.
const OPEN: i64 = -1;
const P: i64 = 0;
const N: i64 = 1;
/// Between two looks for signals.
const LOOK_EVERY: usize = 512;
/// The memory that a position is taken to need, in bytes.
const POSITION_BYTES: u64 = 200;

/// A position whose options are being looked at.
struct Open<'py> {
    position: Bound<'py, PyAny>,
    left: Bound<'py, PyIterator>,
    /// What is known of the options so far.
    options: Vec<i64>,
}

/// What is known of an option.
enum Sight<'py> {
    /// Its value or outcome.
    Known(i64),
    /// Nothing; the position that stands for it.
    New(Bound<'py, PyAny>),
}

/// The positions that were seen, and the object that is asked about them.
struct Seen<'s, 'py> {
    py: Python<'py>,
    entries: &'s Bound<'py, PyDict>,
    stated: &'s Stated<'py>,
}

impl<'py> Seen<'_, 'py> {
    /// Returns what is known of a position. This is what is done most: once for each option.
    fn entry(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<i64>> {
        // SAFETY: both objects live as long as their references. Python holds its lock.
        let entry =
            unsafe { ffi::PyDict_GetItemWithError(self.entries.as_ptr(), position.as_ptr()) };
        if !entry.is_null() {
            // SAFETY: the table holds the entry, which this module made of an i64, and no code of
            // Python runs before it is read.
            return Ok(Some(unsafe { ffi::PyLong_AsLongLong(entry) }));
        }
        match PyErr::take(self.py) {
            None => Ok(None),
            Some(error)
                if error.is_instance_of::<PyTypeError>(self.py) && position.hash().is_err() =>
            {
                let message = format!("a position of {} is {}", self.stated.3, position.repr()?);
                let accepted = "what can be hashed: tuples, numbers, texts, frozensets";
                Err(errors::error(self.py, Kind::Type, &message, None, accepted))
            }
            Some(error) => Err(error),
        }
    }

    /// Begins with the options of a position.
    fn open(&self, position: Bound<'py, PyAny>) -> PyResult<Open<'py>> {
        let options = self.stated.0.call1((&position,))?;
        let is_text = options.is_instance_of::<PyString>() || options.is_instance_of::<PyBytes>();
        let left = if is_text { None } else { options.try_iter().ok() };
        let Some(left) = left else {
            let message = format!("options({}) gave {}", position.repr()?, options.repr()?);
            return Err(errors::error(self.py, Kind::Type, &message, None, "a list of positions"));
        };
        self.entries.set_item(&position, OPEN)?;
        Ok(Open { position, left, options: Vec::new() })
    }

    /// Returns what is known of an option; an error if it is open, for then play can come back to
    /// it.
    fn sight(&self, option: Bound<'py, PyAny>) -> PyResult<Sight<'py>> {
        if let Some(known) = self.closed(&option)? {
            return Ok(Sight::Known(known));
        }
        if let Some(heaps) = self.stated.2 {
            self.check("an option", &option, heaps)?;
        }
        let Some(canonical) = &self.stated.1 else { return Ok(Sight::New(option)) };
        let position = canonical.call1((&option,))?;
        if position.is(&option) {
            return Ok(Sight::New(option));
        }
        if let Some(heaps) = self.stated.2 {
            self.check("what canonical makes of an option", &position, heaps)?;
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
                let message =
                    format!("play need not end: {} can be reached again", position.repr()?);
                let accepted = "options by which no position comes back";
                Err(errors::error(self.py, Kind::Value, &message, None, accepted))
            }
            known => Ok(known),
        }
    }

    /// Refuses a position that is not a tuple of as many sizes as there are heaps; `what` it is.
    fn check(&self, what: &str, position: &Bound<'py, PyAny>, heaps: usize) -> PyResult<()> {
        let is_position = match position.cast::<PyTuple>() {
            Ok(sizes) => sizes.len() == heaps && sizes.iter().all(|size| is_size(&size)),
            Err(_) => false,
        };
        if is_position {
            return Ok(());
        }
        let message = format!("{what} of {} is {}", self.stated.3, position.repr()?);
        let accepted = format!("tuples of {heaps} whole numbers from 0 on");
        Err(errors::error(self.py, Kind::Type, &message, None, &accepted))
    }

    /// Removes the positions that were left open.
    fn forget(&self, stack: &[Open<'py>]) -> PyResult<()> {
        stack.iter().try_for_each(|left| self.entries.del_item(&left.position))
    }
}

/// Returns whether an object is a whole number from 0 on, and no truth value.
fn is_size(size: &Bound<'_, PyAny>) -> bool {
    if size.is_exact_instance_of::<PyInt>() {
        return size
            .extract::<i64>()
            .map_or_else(|_| size.ge(0).unwrap_or(false), |size| size >= 0);
    }
    if size.is_instance_of::<PyBool>() {
        return false;
    }
    let whole = size.call_method0("__index__");
    whole.is_ok_and(|whole| whole.ge(0).unwrap_or(false))
}

/// The limits of a call.
struct Clock {
    started: Instant,
    seconds: Option<Duration>,
    nodes: Option<u64>,
    bytes: Option<u64>,
    opened: u64,
    steps: usize,
}

impl Clock {
    fn new(limits: Limits) -> Clock {
        let seconds =
            limits.0.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
        let bytes = limits.2.map(|megabytes| megabytes.saturating_mul(1 << 20));
        Clock { started: Instant::now(), seconds, nodes: limits.1, bytes, opened: 0, steps: 0 }
    }

    /// Looks now and then whether a signal has come or the time is over, and then ends the call.
    fn step(&mut self, py: Python<'_>) -> PyResult<()> {
        self.steps += 1;
        if !self.steps.is_multiple_of(LOOK_EVERY) {
            return Ok(());
        }
        py.check_signals()?;
        self.in_time(py)
    }

    fn in_time(&self, py: Python<'_>) -> PyResult<()> {
        let spent = self.seconds.filter(|limit| self.started.elapsed() > *limit);
        spent.map_or(Ok(()), |limit| Err(errors::spent(py, LimitReached::Time(limit))))
    }

    /// Counts a position that is begun, and ends the call if a limit is reached.
    fn open(&mut self, py: Python<'_>) -> PyResult<()> {
        if let Some(limit) = self.nodes.filter(|limit| self.opened >= *limit) {
            return Err(errors::spent(py, LimitReached::Nodes(limit)));
        }
        if let Some(limit) = self.bytes.filter(|limit| self.opened * POSITION_BYTES >= *limit) {
            return Err(errors::spent(py, LimitReached::Bytes(limit)));
        }
        self.opened += 1;
        self.in_time(py)
    }
}

/// Finds least numbers that are missing from lists.
#[derive(Default)]
struct Mex {
    /// The list in which each number came last.
    marks: Vec<u64>,
    list: u64,
}

impl Mex {
    /// Returns the least number that is not among these, each given doubled, with a bit added.
    fn of(&mut self, doubled: &[i64]) -> i64 {
        self.list += 1;
        if self.marks.len() <= doubled.len() {
            self.marks.resize(doubled.len() + 1, 0);
        }
        for value in doubled {
            if let Some(mark) =
                usize::try_from(value >> 1).ok().and_then(|at| self.marks.get_mut(at))
            {
                *mark = self.list;
            }
        }
        let missing = self.marks.iter().position(|mark| *mark != self.list);
        missing.map_or(self.marks.len() as i64, |at| at as i64)
    }
}

/// Returns the number of a position, after those of the positions to which its options lead. `note`
/// takes the number of an option among those kept of its position, and returns that position's own
/// if it is decided: no further option is asked for. Otherwise `close` returns it after the last.
fn number_of<'py>(
    seen: &Seen<'_, 'py>,
    position: &Bound<'py, PyAny>,
    clock: &mut Clock,
    note: impl Fn(&mut Vec<i64>, i64) -> Option<i64>,
    mut close: impl FnMut(&[i64]) -> i64,
) -> PyResult<i64> {
    if let Some(known) = seen.closed(position)? {
        return Ok(known);
    }
    let mut stack: Vec<Open<'py>> = Vec::new();
    let mut go = || -> PyResult<i64> {
        clock.open(seen.py)?;
        stack.push(seen.open(position.clone())?);
        loop {
            clock.step(seen.py)?;
            let Some(top) = stack.last_mut() else {
                unreachable!("the first position is last to be closed")
            };
            let mut number = match top.left.next() {
                Some(option) => match seen.sight(option?)? {
                    Sight::Known(known) => note(&mut top.options, known),
                    Sight::New(option) => {
                        clock.open(seen.py)?;
                        let next = seen.open(option)?;
                        stack.push(next);
                        continue;
                    }
                },
                None => Some(close(&top.options)),
            };
            while let Some(own) = number {
                let Some(done) = stack.last() else { unreachable!("it was looked at") };
                seen.entries.set_item(&done.position, own)?;
                stack.pop();
                number = match stack.last_mut() {
                    None => return Ok(own),
                    Some(before) => note(&mut before.options, own),
                };
            }
        }
    };
    let end = go();
    seen.forget(&stack)?;
    end
}

impl Graph {
    /// Returns the value of a position, after the values of all that can be reached from it.
    fn value<'py>(
        &self,
        seen: &Seen<'_, 'py>,
        position: &Bound<'py, PyAny>,
        clock: &mut Clock,
        mex: &mut Mex,
    ) -> PyResult<i64> {
        let note = |options: &mut Vec<i64>, known| {
            options.push(known);
            None
        };
        number_of(seen, position, clock, note, |options| {
            let misere = match options {
                [] => N,
                options if options.iter().any(|option| option & 1 == P) => N,
                _ => P,
            };
            self.closed.fetch_add(1, Ordering::Relaxed);
            2 * mex.of(options) + misere
        })
    }

    /// Returns the outcome of a position. Of each position options are asked for until one is
    /// found that is P, so a lazy iterable is not read to its end.
    fn outcome<'py>(
        seen: &Seen<'_, 'py>,
        position: &Bound<'py, PyAny>,
        misere: bool,
        clock: &mut Clock,
    ) -> PyResult<i64> {
        let note = |options: &mut Vec<i64>, known| {
            // One stands for all: that there is an option.
            if options.is_empty() {
                options.push(known);
            }
            (known == P).then_some(N)
        };
        number_of(
            seen,
            position,
            clock,
            note,
            |options| if misere && options.is_empty() { N } else { P },
        )
    }
}

/// Returns an outcome as a code point.
fn letter(outcome: i64) -> u32 {
    u32::from(if outcome == P { 'P' } else { 'N' })
}

#[pymethods]
impl Graph {
    #[new]
    fn new(py: Python<'_>) -> Graph {
        Graph {
            values: PyDict::new(py).unbind(),
            outcomes: [PyDict::new(py).unbind(), PyDict::new(py).unbind()],
            closed: AtomicUsize::new(0),
        }
    }

    /// Returns the number of positions whose nim-value is known.
    fn __len__(&self) -> usize {
        self.closed.load(Ordering::Relaxed)
    }

    /// Outcomes as code points, and nim-values, of positions, after those of all that can be
    /// reached from them. What was found stays if the limits end it.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        positions: Bound<'py, PyAny>,
        misere: bool,
        stated: Stated<'py>,
        limits: Limits,
    ) -> PyResult<(Numbers, Numbers)> {
        let seen = Seen { py, entries: self.values.bind(py), stated: &stated };
        let (mut clock, mut mex) = (Clock::new(limits), Mex::default());
        let (mut outcomes, mut values) = (Vec::new(), Vec::new());
        for position in positions.try_iter()? {
            let found = self.value(&seen, &position?, &mut clock, &mut mex)?;
            let value = found >> 1;
            outcomes.push(letter(if misere { found & 1 } else { value.min(N) }));
            values.push(if misere { -1 } else { i32::try_from(value).unwrap_or(-1) });
        }
        Ok((outcomes.into(), values.into()))
    }

    /// Outcomes alone, as code points. What was found stays if the limits end it.
    fn outcomes<'py>(
        &self,
        py: Python<'py>,
        positions: Bound<'py, PyAny>,
        misere: bool,
        stated: Stated<'py>,
        limits: Limits,
    ) -> PyResult<Numbers> {
        let entries = self.outcomes[usize::from(misere)].bind(py);
        let seen = Seen { py, entries, stated: &stated };
        let mut clock = Clock::new(limits);
        let mut letters = Vec::new();
        for position in positions.try_iter()? {
            letters.push(letter(Graph::outcome(&seen, &position?, misere, &mut clock)?));
        }
        Ok(letters.into())
    }
}
