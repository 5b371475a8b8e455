//! Work with more time, told as it goes: server-sent events `progress`, then `answer` or `refusal`.

use crate::sent;
use crate::work::{Places, StopOnDrop};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use bouton_core::Watch;
use bouton_page::{Request, Site, refuse};
use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

/// Time between two events.
const PACE: Duration = Duration::from_millis(250);

/// Does long work within the long budget. When the asker goes away it is told to stop.
pub(crate) async fn streamed(site: Arc<Site>, places: Places, request: Request) -> Response {
    if let Some(refusal) = site.refused(&request) {
        return sent(refusal);
    }
    let place = match places.place().await {
        Ok(place) => place,
        Err((status, message)) => return sent(refuse(&request, status, message)),
    };
    let watch = Arc::new(Watch::default());
    let budget = places.budget(&watch, places.limits.long);
    let (send, receive) = tokio::sync::mpsc::channel::<bouton_page::Event>(8);
    let doing = Arc::new(Mutex::new(String::new()));
    let told = doing.clone();
    let mut work = tokio::task::spawn_blocking(move || {
        let _place = place;
        let tell = |what: &str| what.clone_into(&mut told.lock().unwrap_or_else(PoisonError::into_inner));
        site.tell(&request, &budget, &tell)
    });
    tokio::spawn(async move {
        let _stop = StopOnDrop(watch.clone());
        loop {
            tokio::select! {
                done = &mut work => {
                    let last = done.unwrap_or_else(|_| bouton_page::Event::refusal("the computation broke off"));
                    let _ = send.send(last).await;
                    return;
                }
                () = tokio::time::sleep(PACE) => {
                    let nodes = watch.nodes.load(Ordering::Relaxed);
                    let doing = doing.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    // Nobody listens any more: the work is stopped as this ends.
                    if send.send(bouton_page::Event::progress(nodes, &doing)).await.is_err() {
                        return;
                    }
                }
            }
        }
    });
    let events = ReceiverStream::new(receive)
        .map(|event| Ok::<_, Infallible>(Event::default().event(event.name).data(event.data)));
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}
