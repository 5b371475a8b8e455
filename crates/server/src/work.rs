//! Heavy work: a few jobs at a time, each with a budget and a way to be stopped.
//!
//! A request waits for one of the places; if too many wait it is refused at once, so that a flood ends in refusals, not in
//! a queue. When the asker goes away its job is told to stop.

use crate::Limits;
use crate::refusal::Refusal;
use axum::http::StatusCode;
use bouton_solve::{Budget, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places at which jobs run.
#[derive(Debug, Clone)]
pub(crate) struct Works {
    places: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    pub limits: Limits,
}

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

impl Works {
    pub fn new(limits: Limits) -> Works {
        Works { places: Arc::new(Semaphore::new(limits.jobs.max(1))), waiting: Arc::default(), limits }
    }

    /// What one request may cost.
    pub fn budget(&self, watch: &Arc<Watch>, time: Duration) -> Budget {
        Budget {
            nodes: None,
            bytes: Some(self.limits.bytes),
            deadline: Some(bouton_rules::Deadline::after(time)),
            watch: Some(watch.clone()),
        }
    }

    /// A place to work at.
    pub async fn place(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let busy =
            || Refusal::new(StatusCode::TOO_MANY_REQUESTS, "too much work is waiting; try again in a moment");
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Ok(place);
        }
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(busy());
        }
        let _waiting = Waiting(&self.waiting);
        match tokio::time::timeout(PATIENCE, self.places.clone().acquire_owned()).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(busy()),
        }
    }

    /// Runs a job at one of the places. A job may count several budgets, one after the other; all together end soon after
    /// the time of one.
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(Budget) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let place = self.place().await?;
        let watch = Arc::new(Watch::default());
        let _leash = StopOnDrop(watch.clone());
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
                tokio::time::timeout(GRACE, done).await.map_err(|_| {
                    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "this is more than one request may cost")
                })?
            }
        };
        ended.unwrap_or_else(|_| {
            Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the computation broke off"))
        })
    }
}
