//! How busy the machine is: seconds that went by for each second that the process was given.
//!
//! What a game may cost is meant as time of a processor. Where others use the machine, too, a deadline of so many seconds on
//! the wall would find less than it should; so it is put off by what the process was lately kept waiting. Where the system does
//! not tell (it does on Linux), nothing is put off.

use std::time::{Duration, Instant};

/// Deadlines are put off by this factor at most.
const MOST: f64 = 32.0;
/// Seconds of a processor over which the factor is taken.
const OVER: f64 = 0.5;

/// Measures while work goes on.
#[derive(Debug)]
pub(crate) struct Load {
    since: Instant,
    given: Option<Duration>,
    factor: f64,
}

impl Load {
    pub(crate) fn new() -> Load {
        Load { since: Instant::now(), given: given(), factor: queue().unwrap_or(1.0).clamp(1.0, MOST) }
    }

    /// Time on the wall for so much time of a processor, by what was measured last.
    pub(crate) fn wall(&mut self, time: Duration) -> Duration {
        if let (Some(before), Some(now)) = (self.given, given()) {
            let (given, wall) =
                (now.saturating_sub(before).as_secs_f64(), self.since.elapsed().as_secs_f64());
            if given >= OVER {
                self.factor = (wall / given).clamp(1.0, MOST);
                (self.since, self.given) = (Instant::now(), Some(now));
            }
        }
        time.mul_f64(self.factor)
    }
}

/// Programs that want to run for each processor: a first guess, before anything was measured.
fn queue() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/loadavg").ok()?;
    let load: f64 = told.split_whitespace().next()?.parse().ok()?;
    Some(load / std::thread::available_parallelism().ok()?.get() as f64)
}

/// Time of processors that this process was given; the system counts in hundredths of seconds.
fn given() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name stands in parentheses and may hold anything; utime and stime are the 14th and 15th field.
    let fields = told.rsplit_once(')')?.1;
    let ticks: u64 = fields.split_whitespace().skip(11).take(2).map(|field| field.parse().unwrap_or(0)).sum();
    Some(Duration::from_millis(ticks * 10))
}
