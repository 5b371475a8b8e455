//! Heavy work: a few jobs at a time, each with a budget and a way to be stopped.
//!
//! A request waits for one of the places; if too many wait it is refused at once, so that a flood ends in refusals, not in
//! a queue. When the asker goes away its job is told to stop.

use crate::Limits;
use bouton_core::{Budget, Deadline, Watch};
use bouton_page::{Response, Status};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places at which jobs run.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    places: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    pub limits: Limits,
}

/// Why a job is not done.
pub(crate) type Refused = (Status, &'static str);

/// Requests that may wait for a place.
const MOST_WAITING: usize = 256;
/// How long one may wait.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long after its time a job that was told to stop may go on before its asker is sent away.
const GRACE: Duration = Duration::from_secs(5);

/// Tells a job to stop when its asker has gone.
#[derive(Debug)]
pub(crate) struct StopOnDrop(pub Arc<Watch>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

struct Waiting<'w>(&'w AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Places {
    pub fn new(limits: Limits) -> Places {
        Places { places: Arc::new(Semaphore::new(limits.jobs.max(1))), waiting: Arc::default(), limits }
    }

    /// What one request may cost.
    pub fn budget(&self, watch: &Arc<Watch>, time: Duration) -> Budget {
        Budget {
            nodes: None,
            bytes: Some(self.limits.bytes),
            deadline: Some(Deadline::after(time)),
            watch: Some(watch.clone()),
        }
    }

    /// A place to work at.
    pub async fn place(&self) -> Result<OwnedSemaphorePermit, Refused> {
        const BUSY: Refused = (Status::TooManyRequests, "too much work is waiting; try again in a moment");
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Ok(place);
        }
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(BUSY);
        }
        let _waiting = Waiting(&self.waiting);
        match tokio::time::timeout(PATIENCE, self.places.clone().acquire_owned()).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(BUSY),
        }
    }

    /// Runs a job at one of the places. One that outlives its budget is told to stop, and its asker sent away soon after.
    pub async fn run(
        &self,
        job: impl FnOnce(Budget) -> Response + Send + 'static,
    ) -> Result<Response, Refused> {
        let place = self.place().await?;
        let watch = Arc::new(Watch::default());
        let _stop = StopOnDrop(watch.clone());
        let budget = self.budget(&watch, self.limits.time);
        let mut done = tokio::task::spawn_blocking(move || {
            let _place = place;
            job(budget)
        });
        let in_time = tokio::time::timeout(self.limits.time * 5 / 4, &mut done).await;
        let ended = match in_time {
            Ok(ended) => ended,
            Err(_) => {
                watch.stop.store(true, Ordering::Relaxed);
                tokio::time::timeout(GRACE, done)
                    .await
                    .map_err(|_| (Status::Unprocessable, "this is more than one request may cost"))?
            }
        };
        ended.map_err(|_| (Status::Internal, "the computation broke off"))
    }
}
