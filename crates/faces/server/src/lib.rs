//! The pages over HTTP: limits, permits for heavy work, streams, the headers of every answer, and a
//! listener.
//!
//! The crate `bouton-page` makes the pages. Heavy work needs one of a few permits, and each job has
//! a budget.

mod listener;
mod stream;
mod work;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use bouton_core::Budget;
pub use bouton_page::Site;
use bouton_page::{Cost, Status, refuse, takes_sent};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::Semaphore;
use tower_http::compression::CompressionLayer;
use work::WorkPermits;

/// The limits of a server.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The number of heavy jobs at a time.
    pub jobs: usize,
    /// The time that one request may compute.
    pub time: Duration,
    /// The memory for tables of one request, in bytes.
    pub bytes: u64,
    /// The time that a request with a stream of progress may compute.
    pub long: Duration,
    /// The number of connections at a time.
    pub connections: usize,
}

impl Limits {
    /// The default memory for tables of one request, in bytes.
    pub const BYTES: u64 = 256 << 20;
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            jobs: std::thread::available_parallelism().map_or(2, usize::from),
            time: Duration::from_secs(2),
            bytes: Limits::BYTES,
            long: Duration::from_secs(60),
            connections: 512,
        }
    }
}

/// The greatest length of an address, in bytes.
const MAX_ADDRESS: usize = 16 * 1024;
/// The greatest length of a form, in bytes.
const MAX_FORM: usize = 8 << 20;
/// The number of forms that are read at a time.
const FORMS: usize = 8;
const FORM_TIMEOUT: Duration = Duration::from_secs(20);
/// The content type of a form.
const FORM: &str = "application/x-www-form-urlencoded";

/// The state of the router: the site, and the permits for work and forms.
#[derive(Debug, Clone)]
struct AppState {
    site: Arc<Site>,
    permits: WorkPermits,
    forms: Arc<Semaphore>,
}

/// Returns a router of all pages and the API of a site.
pub fn router(limits: Limits, site: Site) -> Router {
    let door = AppState {
        site: Arc::new(site),
        permits: WorkPermits::new(limits),
        forms: Arc::new(Semaphore::new(FORMS)),
    };
    Router::new()
        .fallback(answer)
        .layer(from_fn(guard))
        .layer(CompressionLayer::new())
        .with_state(door)
}

/// Returns the request in the form that the pages read.
fn page_request(request: &Request) -> bouton_page::Request {
    let (uri, headers) = (request.uri(), request.headers());
    let request = bouton_page::Request::new(uri.path(), uri.query().unwrap_or_default());
    let request = request.at_origin(origin(headers));
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    request.on(u32::try_from(since.as_secs() / 86_400).unwrap_or_default())
}

/// Returns the address under which the visitor sees the server, as `http://example.org:8000`; empty
/// if the request names none that is well formed.
fn origin(headers: &HeaderMap) -> String {
    let text =
        |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let host = text(HOST.as_str());
    let is_host = !host.is_empty()
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    // A proxy that speaks TLS says so.
    let scheme = if text("x-forwarded-proto") == "https" { "https" } else { "http" };
    if is_host { format!("{scheme}://{host}") } else { String::new() }
}

/// Reads a submitted form, or returns why it is refused.
async fn read_form(
    forms: &Semaphore,
    request: Request,
) -> Result<bouton_page::Request, (Status, String)> {
    let path = request.uri().path().to_owned();
    let form = request
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(FORM.as_bytes()));
    if !form {
        return Err((Status::BadRequest, format!("a form sends {FORM}")));
    }
    let _one = forms
        .try_acquire()
        .map_err(|_| (Status::TooManyRequests, "too many forms at a time".to_owned()))?;
    let come = tokio::time::timeout(FORM_TIMEOUT, to_bytes(request.into_body(), MAX_FORM)).await;
    let bytes = match come {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            return Err((
                Status::BadRequest,
                format!("a form sends at most {} MB", MAX_FORM >> 20),
            ));
        }
        Err(_) => return Err((Status::BadRequest, "the form did not come in time".to_owned())),
    };
    Ok(bouton_page::Request::sent(&path, &String::from_utf8_lossy(&bytes)))
}

async fn answer(
    State(AppState { site, permits, forms }): State<AppState>,
    request: Request,
) -> Response {
    let read = page_request(&request);
    let page_request = match *request.method() {
        Method::POST => match read_form(&forms, request).await {
            Ok(page_request) => page_request,
            Err((status, message)) => return page_response(refuse(&read, status, &message)),
        },
        _ => read,
    };
    match site.cost(&page_request) {
        Cost::Free => page_response(site.answer(&page_request, &Budget::default())),
        Cost::Short => {
            let question = page_request.clone();
            let done = permits.run(move |budget| site.answer(&question, &budget)).await;
            page_response(
                done.unwrap_or_else(|(status, message)| refuse(&page_request, status, message)),
            )
        }
        Cost::Long => stream::stream_work(site, permits, page_request).await,
    }
}

/// Converts a page into a response of axum.
fn page_response(page: bouton_page::Response) -> Response {
    let mut response = Response::new(Body::from(page.body));
    *response.status_mut() =
        StatusCode::from_u16(page.status.code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in page.headers {
        // A header may contain user input; a value that no header can hold is left out.
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

const POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src \
    'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";
/// The content security policy of a page that may stand in a frame. The site has no state, so
/// clickjacking has no target.
const FRAMED_POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'self'; \
    script-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors *";

/// Applies the rules of every request (GET only, except for one form; short addresses) and the
/// policies of every answer.
async fn guard(request: Request, next: Next) -> Response {
    let refused =
        |status, message: &str| page_response(refuse(&page_request(&request), status, message));
    let is_framed =
        request.uri().query().is_some_and(|query| query.split('&').any(|part| part == "embed=1"));
    let posted = *request.method() == Method::POST && takes_sent(request.uri().path());
    let mut response = if !posted && !matches!(*request.method(), Method::GET | Method::HEAD) {
        refused(Status::MethodNotAllowed, "only GET: nothing is kept here")
    } else if request.uri().path_and_query().map_or(0, |p| p.as_str().len()) > MAX_ADDRESS {
        refused(Status::UriTooLong, "the address is too long")
    } else if posted {
        next.run(request).await
    } else {
        // No other page reads a body.
        let (parts, _) = request.into_parts();
        next.run(Request::from_parts(parts, Body::empty())).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", if is_framed { FRAMED_POLICY } else { POLICY }),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Serves until Ctrl-C, and passes the bound address to `ready`.
pub fn serve(
    address: SocketAddr,
    limits: Limits,
    site: Site,
    ready: impl FnOnce(SocketAddr),
) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(limits.jobs + 8)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        let listener = listener::BoundedListener::new(listener, limits.connections);
        let stopped = async {
            let _ = tokio::signal::ctrl_c().await;
        };
        axum::serve(listener, router(limits, site)).with_graceful_shutdown(stopped).await
    })
}
