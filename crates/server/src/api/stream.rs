//! Work with more time, told as it goes: server-sent events `progress`, then `answer` or `refusal`.

use crate::refusal::Refusal;
use crate::work::{StopOnDrop, Works};
use axum::response::sse::{Event, KeepAlive, KeepAliveStream, Sse};
use bouton_solve::{Budget, Watch};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};

/// A stream of events, or a refusal at once.
pub(super) type Streamed = Result<Sse<KeepAliveStream<Events>>, Refusal>;
/// The events.
pub(super) type Events = std::pin::Pin<Box<dyn Stream<Item = Result<Event, Infallible>> + Send>>;

/// Time between two events.
const PACE: Duration = Duration::from_millis(250);

/// Does a job within the long budget; the job may tell what it is doing. When the asker goes away it is told to stop.
pub(super) async fn streamed(
    works: Works,
    job: impl FnOnce(Budget, &dyn Fn(&str)) -> Result<Value, Refusal> + Send + 'static,
) -> Streamed {
    let place = works.place().await?;
    let watch = Arc::new(Watch::default());
    let budget = works.budget(&watch, works.limits.long);
    let (send, receive) = tokio::sync::mpsc::channel::<Event>(8);
    let doing = Arc::new(Mutex::new(String::new()));
    let told = doing.clone();
    let mut work = tokio::task::spawn_blocking(move || {
        let _place = place;
        job(budget, &|what| what.clone_into(&mut told.lock().unwrap_or_else(PoisonError::into_inner)))
    });
    tokio::spawn(async move {
        let _leash = StopOnDrop(watch.clone());
        let event = |kind: &str, value: Value| Event::default().event(kind).data(value.to_string());
        loop {
            tokio::select! {
                done = &mut work => {
                    let last = match done {
                        Ok(Ok(value)) => event("answer", value),
                        Ok(Err(refusal)) => event("refusal", refusal.to_json()),
                        Err(_) => event("refusal", json!({"error": {"message": "the computation broke off"}})),
                    };
                    let _ = send.send(last).await;
                    return;
                }
                () = tokio::time::sleep(PACE) => {
                    let nodes = watch.nodes.load(Ordering::Relaxed);
                    let doing = doing.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    // Nobody listens any more: the stop_on_drop stops the work.
                    if send.send(event("progress", json!({"nodes": nodes, "doing": doing}))).await.is_err() {
                        return;
                    }
                }
            }
        }
    });
    let events: Events = Box::pin(ReceiverStream::new(receive).map(Ok));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
