//! Long work with progress, as server-sent events: `progress`, then `answer` or `refusal`.

use crate::page_response;
use crate::work::{StopOnDrop, WorkPermits};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use bouton_core::Watch;
use bouton_page::{Progress, Request, Site, refuse};
use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

/// The time between two events.
const EVENT_INTERVAL: Duration = Duration::from_millis(250);

/// Runs long work within the long budget. The work is cancelled when the client disconnects.
pub(crate) async fn stream_work(
    site: Arc<Site>,
    permits: WorkPermits,
    request: Request,
) -> Response {
    if let Some(refusal) = site.refused(&request) {
        return page_response(refusal);
    }
    let permit = match permits.permit().await {
        Ok(permit) => permit,
        Err((status, message)) => return page_response(refuse(&request, status, message)),
    };
    let watch = Arc::new(Watch::default());
    let budget = permits.budget(&watch, permits.limits.long);
    let (send, receive) = tokio::sync::mpsc::channel::<bouton_page::Event>(8);
    // What is being done, and the stages so far if they have not been sent.
    let step = Arc::new(Mutex::new((String::new(), None::<String>)));
    let shared_step = step.clone();
    let mut work = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let report = |progress: Progress<'_>| {
            let (doing, stages) = &mut *shared_step.lock().unwrap_or_else(PoisonError::into_inner);
            match progress {
                Progress::Doing(what) => what.clone_into(doing),
                Progress::Stages(html) => *stages = Some(html.to_owned()),
            }
        };
        site.tell(&request, &budget, &report)
    });
    tokio::spawn(async move {
        let _stop = StopOnDrop(watch.clone());
        loop {
            tokio::select! {
                done = &mut work => {
                    let broken = |_| bouton_page::Event::refusal("the computation broke off");
                    let last = done.unwrap_or_else(broken);
                    let _ = send.send(last).await;
                    return;
                }
                () = tokio::time::sleep(EVENT_INTERVAL) => {
                    let nodes = watch.nodes.load(Ordering::Relaxed);
                    let (doing, stages) = {
                        let mut step = step.lock().unwrap_or_else(PoisonError::into_inner);
                        let (doing, stages) = &mut *step;
                        (doing.clone(), stages.take())
                    };
                    let progress = bouton_page::Event::progress(nodes, &doing);
                    let stages = stages.as_deref().map(bouton_page::Event::stages);
                    for event in stages.into_iter().chain([progress]) {
                        // The client has disconnected; returning cancels the work.
                        if send.send(event).await.is_err() {
                            return;
                        }
                    }
                }
            }
        }
    });
    let events = ReceiverStream::new(receive)
        .map(|event| Ok::<_, Infallible>(Event::default().event(event.name).data(event.data)));
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}
