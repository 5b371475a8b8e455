//! Heavy work: a few jobs at a time, each with a budget and a cancellation token.
//!
//! A request waits for one of the permits. If too many requests wait, it is refused at once, so
//! that a flood ends in refusals and not in a queue. When the client disconnects, its job is
//! cancelled.

use crate::Limits;
use bouton_core::{Budget, Deadline, Watch};
use bouton_page::{Response, Status};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The permits of jobs.
#[derive(Debug, Clone)]
pub(crate) struct WorkPermits {
    permits: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    pub limits: Limits,
}

/// The status and message of a refused job.
pub(crate) type Refused = (Status, &'static str);

/// The number of requests that may wait for a permit.
const MAX_WAITING: usize = 256;
/// The time that a request waits for a permit.
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);
/// The time that a cancelled job may continue before its request is answered without it.
const GRACE: Duration = Duration::from_secs(5);

/// Cancels a job when the request is dropped.
#[derive(Debug)]
pub(crate) struct StopOnDrop(pub Arc<Watch>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

struct WaitingGuard<'w>(&'w AtomicUsize);

impl Drop for WaitingGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl WorkPermits {
    pub fn new(limits: Limits) -> WorkPermits {
        WorkPermits {
            permits: Arc::new(Semaphore::new(limits.jobs.max(1))),
            waiting: Arc::default(),
            limits,
        }
    }

    /// Returns the budget of one request.
    pub fn budget(&self, watch: &Arc<Watch>, time: Duration) -> Budget {
        Budget {
            nodes: None,
            bytes: Some(self.limits.bytes),
            deadline: Some(Deadline::after(time)),
            watch: Some(watch.clone()),
        }
    }

    /// Waits for a permit.
    pub async fn permit(&self) -> Result<OwnedSemaphorePermit, Refused> {
        const BUSY: Refused =
            (Status::TooManyRequests, "too much work is waiting; try again in a moment");
        if let Ok(permit) = self.permits.clone().try_acquire_owned() {
            return Ok(permit);
        }
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= MAX_WAITING {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(BUSY);
        }
        let _waiting = WaitingGuard(&self.waiting);
        match tokio::time::timeout(WAIT_TIMEOUT, self.permits.clone().acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(BUSY),
        }
    }

    /// Runs a job with a permit. A job that exceeds its budget is cancelled, and its request is
    /// answered soon after.
    pub async fn run(
        &self,
        job: impl FnOnce(Budget) -> Response + Send + 'static,
    ) -> Result<Response, Refused> {
        let permit = self.permit().await?;
        let watch = Arc::new(Watch::default());
        let _stop = StopOnDrop(watch.clone());
        let budget = self.budget(&watch, self.limits.time);
        let mut done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            job(budget)
        });
        let in_time = tokio::time::timeout(self.limits.time * 5 / 4, &mut done).await;
        let ended = match in_time {
            Ok(ended) => ended,
            Err(_) => {
                watch.stop.store(true, Ordering::Relaxed);
                tokio::time::timeout(GRACE, done).await.map_err(|_| {
                    (Status::Unprocessable, "this is more than one request may cost")
                })?
            }
        };
        ended.map_err(|_| (Status::Internal, "the computation broke off"))
    }
}
