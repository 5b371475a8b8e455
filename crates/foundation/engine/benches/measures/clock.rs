//! Processor time of a thread.

use std::time::{Duration, Instant};

/// Returns the seconds that this thread has run; on systems other than Linux, those since
/// `started`.
pub fn ran(started: Instant) -> f64 {
    // The system updates the count when a thread sleeps, otherwise every few milliseconds.
    std::thread::sleep(Duration::from_nanos(1));
    let field = |text: String| text.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok().and_then(field);
    ran.map_or(started.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}
