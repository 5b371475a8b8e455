//! A call into the engines: on a thread of its own, without the GIL, ended by Ctrl-C or by its
//! seconds.
//!
//! Python's thread waits and looks for signals now and then. Work looks at its [`Watch`] now and
//! then, too; where a step takes long before it does, Python goes on after a moment, and the work
//! ends by itself when it looks.

use crate::errors::{self, Kind};
use bouton_core::{Budget, Deadline, LimitReached, Watch};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// What a call may cost: seconds, nodes, megabytes of tables.
#[derive(Debug, Clone, Copy, FromPyObject)]
pub struct Limits(pub Option<f64>, pub Option<u64>, pub Option<u64>);

/// Between two looks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(40);
/// How long work that was asked to stop is waited for.
const STOP_TIME: Duration = Duration::from_secs(2);
/// The stack of the thread: engines keep stacks of their own, formulas may nest.
const STACK: usize = 64 << 20;

impl Limits {
    /// Returns the deadline asked for, from now on.
    fn deadline(self, py: Python<'_>) -> PyResult<Option<Deadline>> {
        let span = |seconds: f64| {
            Duration::try_from_secs_f64(seconds).map(Deadline::after).map_err(|_| {
                let message = format!("seconds={seconds} is no span of time");
                errors::error(
                    py,
                    Kind::Value,
                    &message,
                    None,
                    "a number of seconds such as 0.5 or 60",
                )
            })
        };
        self.0.map(span).transpose()
    }
}

/// Runs work on a thread of its own with the GIL released. Ctrl-C, and any other signal whose
/// handler raises, ends it with the handler's exception.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    limits: Limits,
    work: impl FnOnce(Budget) -> T + Send + 'static,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let deadline = limits.deadline(py)?;
    let bytes = limits.2.map(|megabytes| megabytes.saturating_mul(1 << 20));
    let budget = Budget { nodes: limits.1, bytes, deadline, watch: Some(watch.clone()) };
    let (send, mut receive) = channel();
    std::thread::Builder::new()
        .name("bouton".into())
        .stack_size(STACK)
        // Nobody listens any more only when the call was given up.
        .spawn(move || drop(send.send(work(budget))))
        .map_err(|error| PyRuntimeError::new_err(format!("no thread could be started: {error}")))?;
    let late = deadline.map(|deadline| {
        let limit = deadline.limit();
        (limit.saturating_add(limit.mul_f64(0.08).min(STOP_TIME)).saturating_add(STOP_TIME), limit)
    });
    let started = Instant::now();
    loop {
        match wait(py, &mut receive, SIGNAL_INTERVAL) {
            Ok(found) => return Ok(found),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the engine failed; please report this"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(signal) = py.check_signals() {
            watch.stop.store(true, Ordering::Relaxed);
            // What it may still have found is not wanted.
            let _ = wait(py, &mut receive, STOP_TIME);
            return Err(signal);
        }
        if let Some((_, limit)) = late.filter(|(late, _)| started.elapsed() > *late) {
            watch.stop.store(true, Ordering::Relaxed);
            return Err(errors::spent(py, LimitReached::Time(limit)));
        }
    }
}

/// Waits with the GIL released.
fn wait<T: Send>(
    py: Python<'_>,
    receive: &mut std::sync::mpsc::Receiver<T>,
    how_long: Duration,
) -> Result<T, RecvTimeoutError> {
    let receive = &mut *receive;
    py.detach(move || receive.recv_timeout(how_long))
}
