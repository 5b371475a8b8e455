//! The load of the machine: elapsed time per second of processor time.
//!
//! Budgets of games are processor time. If other programs use the machine, a deadline in elapsed
//! time would find less than it should; deadlines are therefore extended by the load measured last.
//! On systems that do not report processor time (all but Linux), deadlines are not extended.

use std::time::{Duration, Instant};

/// The greatest factor by which deadlines are extended.
const MAX_FACTOR: f64 = 32.0;
/// The processor time, in seconds, over which the factor is measured.
const WINDOW: f64 = 0.5;

/// A running measurement of the load.
#[derive(Debug)]
pub(crate) struct LoadMeter {
    since: Instant,
    processor_time: Option<Duration>,
    factor: f64,
}

impl LoadMeter {
    pub(crate) fn new() -> LoadMeter {
        let factor = run_queue().unwrap_or(1.0).clamp(1.0, MAX_FACTOR);
        LoadMeter { since: Instant::now(), processor_time: processor_time(), factor }
    }

    /// Returns the expected elapsed time of some processor time.
    pub(crate) fn elapsed(&mut self, time: Duration) -> Duration {
        if let (Some(before), Some(now)) = (self.processor_time, processor_time()) {
            let used = now.saturating_sub(before).as_secs_f64();
            if used >= WINDOW {
                self.factor = (self.since.elapsed().as_secs_f64() / used).clamp(1.0, MAX_FACTOR);
                (self.since, self.processor_time) = (Instant::now(), Some(now));
            }
        }
        time.mul_f64(self.factor)
    }
}

/// Returns the number of runnable processes per processor: the estimate before the first
/// measurement.
fn run_queue() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    let load: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(load / std::thread::available_parallelism().ok()?.get() as f64)
}

/// Returns the processor time of this process. The system counts in hundredths of seconds.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name is in parentheses and may contain anything; utime and stime are fields 14 and 15.
    let fields = text.rsplit_once(')')?.1;
    let ticks: u64 =
        fields.split_whitespace().skip(11).take(2).map(|field| field.parse().unwrap_or(0)).sum();
    Some(Duration::from_millis(ticks * 10))
}
