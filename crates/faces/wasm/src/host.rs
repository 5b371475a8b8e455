//! What the host gives: a clock, and an ear for progress. Elsewhere than in a browser there is
//! neither, and tests need none.

use bouton_core::Watch;
use bouton_page::Progress;
use std::sync::Arc;

/// Hands the clock over; more than once does nothing.
pub fn begin() {
    #[cfg(target_family = "wasm")]
    ear::begin();
}

/// Begins long work: from now on the host's clock moves this watch.
pub fn watch(watch: &Arc<Watch>) {
    #[cfg(target_family = "wasm")]
    ear::watch(watch);
    let _ = watch;
}

/// Ends long work.
pub fn unwatch() {
    #[cfg(target_family = "wasm")]
    ear::unwatch();
}

/// Tells the host what long work is doing.
pub fn report(what: Progress<'_>) {
    #[cfg(target_family = "wasm")]
    ear::report(what);
    let _ = what;
}

#[cfg(target_family = "wasm")]
mod ear {
    use bouton_core::{Watch, clock};
    use bouton_page::Progress;
    use std::cell::RefCell;
    use std::sync::Arc;
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    /// Milliseconds between two words about progress.
    const PACE: f64 = 200.0;

    thread_local! {
        static WORK: RefCell<Work> = RefCell::default();
    }

    /// The long work in course.
    #[derive(Default)]
    struct Work {
        watch: Option<Arc<Watch>>,
        doing: String,
        reported_at: f64,
    }

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since some beginning.
        safe fn now() -> f64;
        /// Positions looked at so far, and what is being done, as UTF-8.
        safe fn progress(nodes: f64, at: *const u8, length: usize);
        /// The stages of a study so far, as HTML in UTF-8.
        safe fn stages(at: *const u8, length: usize);
    }

    pub fn begin() {
        clock::set(|| {
            let time = now();
            // Who looks at the clock is at work: the one moment to tell of it, as there are no
            // threads.
            WORK.with(|work| {
                if let Ok(mut work) = work.try_borrow_mut()
                    && let Some(watch) = &work.watch
                    && time - work.reported_at >= PACE
                {
                    progress(
                        watch.nodes.load(Ordering::Relaxed) as f64,
                        work.doing.as_ptr(),
                        work.doing.len(),
                    );
                    work.reported_at = time;
                }
            });
            Duration::from_secs_f64(time.max(0.0) / 1000.0)
        });
    }

    pub fn watch(watch: &Arc<Watch>) {
        WORK.with(|work| {
            *work.borrow_mut() = Work { watch: Some(watch.clone()), ..Work::default() }
        });
    }

    pub fn unwatch() {
        WORK.with(|work| *work.borrow_mut() = Work::default());
    }

    pub fn report(what: Progress<'_>) {
        match what {
            Progress::Doing(what) => {
                WORK.with(|work| what.clone_into(&mut work.borrow_mut().doing))
            }
            Progress::Stages(html) => stages(html.as_ptr(), html.len()),
        }
    }
}
