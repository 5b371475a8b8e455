//! The page on which to play, look and understand, and its JSON API. No theory here: every answer comes from another crate.
//!
//! An address holds the whole state of a game in course; nothing is kept between requests. Pages are HTML that works
//! without scripts; the one script swaps pages in place, keeps the focus and speaks. Heavy work runs at a few places, each
//! job within a budget.

mod api;
mod listener;
mod pages;
mod playthrough;
mod refusal;
mod work;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::net::SocketAddr;
use std::time::Duration;

/// What a server may spend.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Heavy jobs at a time.
    pub jobs: usize,
    /// Time that one request may compute.
    pub time: Duration,
    /// Bytes of tables that one request may hold.
    pub bytes: u64,
    /// Moves that are listed of one position.
    pub moves: usize,
    /// The longest time that work with progress may take.
    pub long: Duration,
    /// Connections at a time.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            jobs: std::thread::available_parallelism().map_or(2, usize::from),
            time: Duration::from_secs(2),
            bytes: 256 << 20,
            moves: 20_000,
            long: Duration::from_secs(60),
            connections: 512,
        }
    }
}

/// The longest address, in bytes.
const MOST_ADDRESS: usize = 16 * 1024;

/// Every page and the API.
pub fn router(limits: Limits) -> Router {
    let works = work::Works::new(limits);
    Router::new()
        .route("/assets/style.css", get(|| asset("text/css", include_str!("../../../web/style.css"))))
        .route("/assets/bouton.js", get(|| asset("text/javascript", include_str!("../../../web/bouton.js"))))
        .route("/assets/icon.svg", get(|| asset("image/svg+xml", include_str!("../../../web/icon.svg"))))
        .merge(pages::routes())
        .nest("/api", api::routes())
        .fallback(|| async { refusal::Refusal::new(StatusCode::NOT_FOUND, "there is no such page").page() })
        .layer(from_fn(guard))
        .with_state(works)
}

async fn asset(kind: &'static str, text: &'static str) -> impl IntoResponse {
    let kind = format!("{kind}; charset=utf-8");
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=3600".to_owned())], text)
}

const POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What holds for every request: only reading, short addresses, and the policies of every answer.
async fn guard(request: Request, next: Next) -> Response {
    let refused = |status, message: &str| refusal::Refusal::new(status, message).into_response();
    let mut response = if !matches!(*request.method(), Method::GET | Method::HEAD) {
        refused(StatusCode::METHOD_NOT_ALLOWED, "only GET: nothing is kept here")
    } else if request.uri().path_and_query().map_or(0, |p| p.as_str().len()) > MOST_ADDRESS {
        refused(StatusCode::URI_TOO_LONG, "the address is too long")
    } else {
        // Bodies are of no use to any page.
        let (parts, _) = request.into_parts();
        next.run(Request::from_parts(parts, Body::empty())).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Serves until Ctrl-C; `ready` hears the address.
pub fn serve(address: SocketAddr, limits: Limits, ready: impl FnOnce(SocketAddr)) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(limits.jobs + 8)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        let listener = listener::Bounded::new(listener, limits.connections);
        let stopped = async {
            let _ = tokio::signal::ctrl_c().await;
        };
        axum::serve(listener, router(limits)).with_graceful_shutdown(stopped).await
    })
}
