//! How work goes on: a line that moves on a terminal, past the first second; elsewhere a plain line
//! now and then.

use crate::context::Context;
use bouton_core::{Budget, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Runs that end sooner say nothing: on a terminal, and in a log.
const SILENT_TIME: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// The longest silence in a log.
const SILENCE: Duration = Duration::from_secs(600);

/// Runs `work` under a watch that counts its nodes, and shows nodes and rate on standard error
/// after the first seconds.
pub fn watched<T>(
    context: &Context,
    what: &str,
    budget: &Budget,
    work: impl FnOnce(Budget) -> T,
) -> T {
    with_progress(context, what, budget, |budget, _| work(budget))
}

/// Runs `work` likewise; it tells in words what it is doing.
pub fn with_progress<T>(
    context: &Context,
    what: &str,
    budget: &Budget,
    work: impl FnOnce(Budget, &dyn Fn(&str)) -> T,
) -> T {
    let doing = Mutex::new(what.to_owned());
    let now = || doing.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let watch = budget.watch.clone().unwrap_or_else(|| context.watch.clone());
    watch.nodes.store(0, Ordering::Relaxed);
    let budget = Budget { watch: Some(watch.clone()), ..budget.clone() };
    let (done, wait) = channel::<()>();
    std::thread::scope(|scope| {
        if !context.quiet {
            // Without room for a thread the work goes on in silence.
            let reporter = std::thread::Builder::new().spawn_scoped(scope, move || {
                match std::io::stderr().is_terminal() {
                    true => show(&wait, &watch, now),
                    false => log(&wait, &watch, now),
                }
            });
            drop(reporter);
        }
        let tell =
            |what: &str| what.clone_into(&mut doing.lock().unwrap_or_else(PoisonError::into_inner));
        let result = work(budget, &tell);
        drop(done);
        result
    })
}

/// Waits; whether the work goes on.
fn goes_on(wait: &Receiver<()>, time: Duration) -> bool {
    wait.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
}

/// Shows a line that moves.
fn show(wait: &Receiver<()>, watch: &Arc<Watch>, now: impl Fn() -> String) {
    if !goes_on(wait, SILENT_TIME[0]) {
        return;
    }
    let bar = ProgressBar::new_spinner();
    // Not all work counts nodes.
    let style = |counted: bool| {
        let nodes = if counted { " {human_pos} nodes, {per_sec}," } else { "" };
        ProgressStyle::with_template(&format!("{{spinner}} {{msg}}:{nodes} {{elapsed}}"))
            .unwrap_or_else(|_| ProgressStyle::default_spinner())
    };
    let mut counted = false;
    bar.set_style(style(counted));
    bar.set_message(now());
    while goes_on(wait, Duration::from_millis(200)) {
        let nodes = watch.nodes.load(Ordering::Relaxed);
        if nodes > 0 && !counted {
            counted = true;
            bar.set_style(style(counted));
        }
        bar.set_message(now());
        bar.set_position(nodes);
    }
    bar.finish_and_clear();
}

/// Writes a line after a while, then rarer and rarer.
fn log(wait: &Receiver<()>, watch: &Arc<Watch>, now: impl Fn() -> String) {
    let started = Instant::now();
    let mut pause = SILENT_TIME[1];
    while goes_on(wait, pause) {
        let (nodes, seconds) = (watch.nodes.load(Ordering::Relaxed), started.elapsed().as_secs());
        let nodes = if nodes > 0 { format!("{nodes} nodes, ") } else { String::new() };
        eprintln!("{}: {nodes}{seconds} s so far", now());
        pause = (2 * pause).min(SILENCE);
    }
}
