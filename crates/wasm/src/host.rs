//! What the host gives: a clock, and an ear for progress. Outside of a browser both are made up, for tests.

use bouton_rules::Watch;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Milliseconds between two words about progress.
#[cfg(target_family = "wasm")]
const PACE: f64 = 200.0;

thread_local! {
    static WORK: RefCell<Work> = RefCell::default();
}

/// The long work in course.
#[derive(Default)]
struct Work {
    watch: Option<Arc<Watch>>,
    doing: String,
    #[cfg(target_family = "wasm")]
    told: f64,
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some beginning.
    safe fn now() -> f64;
    /// Positions looked at so far, and what is being done, as UTF-8.
    safe fn progress(nodes: f64, at: *const u8, length: usize);
}

/// Hands the clock over; more than once does nothing.
pub fn begin() {
    #[cfg(target_family = "wasm")]
    bouton_rules::clock::set(|| {
        let time = now();
        // Who looks at the clock is at work: the one moment to tell of it, as there are no threads.
        WORK.with(|work| {
            if let Ok(mut work) = work.try_borrow_mut()
                && let Some(watch) = &work.watch
                && time - work.told >= PACE
            {
                progress(watch.nodes.load(Ordering::Relaxed) as f64, work.doing.as_ptr(), work.doing.len());
                work.told = time;
            }
        });
        std::time::Duration::from_secs_f64(time.max(0.0) / 1000.0)
    });
}

/// Long work begins.
pub fn watch(watch: &Arc<Watch>) {
    WORK.with(|work| *work.borrow_mut() = Work { watch: Some(watch.clone()), ..Work::default() });
}

/// Long work has ended.
pub fn unwatch() {
    WORK.with(|work| *work.borrow_mut() = Work::default());
}

/// What long work is doing.
pub fn doing(what: &str) {
    WORK.with(|work| what.clone_into(&mut work.borrow_mut().doing));
}
