//! A line that tells how work goes on, shown past the first second, on terminals only.

use bouton_solve::{Budget, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Runs `work` with a budget that is being watched, and shows nodes and rate while it lasts.
pub fn watched<T>(what: &str, budget: &Budget, work: impl FnOnce(Budget) -> T) -> T {
    told(what, budget, |budget, _| work(budget))
}

/// The same with work that tells what it is doing.
pub fn told<T>(what: &str, budget: &Budget, work: impl FnOnce(Budget, &dyn Fn(&str)) -> T) -> T {
    let doing = Mutex::new(what.to_owned());
    let now = || doing.lock().unwrap_or_else(PoisonError::into_inner);
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
            bar.set_message(now().clone());
            while wait.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
                bar.set_message(now().clone());
                bar.set_position(watch.nodes.load(Ordering::Relaxed));
            }
            bar.finish_and_clear();
        });
        let result = work(budget, &|what| what.clone_into(&mut now()));
        drop(done);
        result
    })
}
