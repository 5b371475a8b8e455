//! A line that tells how work goes on, shown past the first second, on terminals only.

use bouton_solve::{Budget, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Runs `work` with a budget that is being watched, and shows nodes and rate while it lasts.
pub fn watched<T>(what: &str, budget: &Budget, work: impl FnOnce(Budget) -> T) -> T {
    let watch = Arc::new(Watch::default());
    let budget = Budget { watch: Some(watch.clone()), ..budget.clone() };
    let (done, wait) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if wait.recv_timeout(Duration::from_secs(1)) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner();
            let style =
                ProgressStyle::with_template("{spinner} {msg}: {human_pos} nodes, {per_sec}, {elapsed}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_message(what.to_owned());
            while wait.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(watch.nodes.load(Ordering::Relaxed));
            }
            bar.finish_and_clear();
        });
        let result = work(budget);
        drop(done);
        result
    })
}
