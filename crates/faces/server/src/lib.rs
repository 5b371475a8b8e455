//! The pages over HTTP: limits, places to work at, streams, the headers of every answer, and a listener.
//!
//! What is shown comes from the crate `bouton-page`. Heavy work runs at a few places, each job within a budget.

mod listener;
mod stream;
mod work;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use bouton_core::Budget;
pub use bouton_page::Site;
use bouton_page::{Cost, Status, refuse, takes_sent};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::Semaphore;
use work::Places;

/// What a server may spend.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Heavy jobs at a time.
    pub jobs: usize,
    /// Time that one request may compute.
    pub time: Duration,
    /// Bytes of tables that one request may hold.
    pub bytes: u64,
    /// The longest time that work with progress may take.
    pub long: Duration,
    /// Connections at a time.
    pub connections: usize,
}

impl Limits {
    /// Bytes of tables that one request may hold, where nothing else is said.
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

/// The longest address, in bytes.
const MOST_ADDRESS: usize = 16 * 1024;
/// The most that a form sends, in bytes.
const MOST_SENT: usize = 8 << 20;
/// Forms that are read at a time, and how long one may take to come.
const FORMS: usize = 8;
const COMES: Duration = Duration::from_secs(20);
/// How a form sends it.
const FORM: &str = "application/x-www-form-urlencoded";

/// What every request meets: the pages, and the places to work at.
#[derive(Debug, Clone)]
struct Door {
    site: Arc<Site>,
    places: Places,
    forms: Arc<Semaphore>,
}

/// Every page and the API of a site.
pub fn router(limits: Limits, site: Site) -> Router {
    let door =
        Door { site: Arc::new(site), places: Places::new(limits), forms: Arc::new(Semaphore::new(FORMS)) };
    Router::new().fallback(answer).layer(from_fn(guard)).with_state(door)
}

/// The request as the pages read it.
fn asked(request: &Request) -> bouton_page::Request {
    let uri = request.uri();
    let request = bouton_page::Request::new(uri.path(), uri.query().unwrap_or_default());
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    request.on(u32::try_from(since.as_secs() / 86_400).unwrap_or_default())
}

/// What a form sends, or why it is not read.
async fn sent_form(forms: &Semaphore, request: Request) -> Result<bouton_page::Request, (Status, String)> {
    let path = request.uri().path().to_owned();
    let form =
        request.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(FORM.as_bytes()));
    if !form {
        return Err((Status::BadRequest, format!("a form sends {FORM}")));
    }
    let _one =
        forms.try_acquire().map_err(|_| (Status::TooManyRequests, "too many forms at a time".to_owned()))?;
    let come = tokio::time::timeout(COMES, to_bytes(request.into_body(), MOST_SENT)).await;
    let bytes = match come {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            return Err((Status::BadRequest, format!("a form sends at most {} MB", MOST_SENT >> 20)));
        }
        Err(_) => return Err((Status::BadRequest, "the form did not come in time".to_owned())),
    };
    Ok(bouton_page::Request::sent(&path, &String::from_utf8_lossy(&bytes)))
}

async fn answer(State(Door { site, places, forms }): State<Door>, request: Request) -> Response {
    let read = asked(&request);
    let asked = match *request.method() {
        Method::POST => match sent_form(&forms, request).await {
            Ok(asked) => asked,
            Err((status, message)) => return sent(refuse(&read, status, &message)),
        },
        _ => read,
    };
    match site.cost(&asked) {
        Cost::Free => sent(site.answer(&asked, &Budget::default())),
        Cost::Short => {
            let question = asked.clone();
            let done = places.run(move |budget| site.answer(&question, &budget)).await;
            sent(done.unwrap_or_else(|(status, message)| refuse(&asked, status, message)))
        }
        Cost::Long => stream::streamed(site, places, asked).await,
    }
}

/// A page as axum sends it.
fn sent(page: bouton_page::Response) -> Response {
    let mut response = Response::new(Body::from(page.body));
    *response.status_mut() =
        StatusCode::from_u16(page.status.code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in page.headers {
        // What was typed may stand in a header; what no header can hold is left out.
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

const POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// The same for a page that asks to stand in a frame. Nothing is kept here, so nothing can be clicked away.
const FRAMED: &str = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors *";

/// What holds for every request: reading alone but for one form, short addresses, and the policies of every answer.
async fn guard(request: Request, next: Next) -> Response {
    let refused = |status, message: &str| sent(refuse(&asked(&request), status, message));
    let framed = request.uri().query().is_some_and(|query| query.split('&').any(|part| part == "embed=1"));
    let posted = *request.method() == Method::POST && takes_sent(request.uri().path());
    let mut response = if !posted && !matches!(*request.method(), Method::GET | Method::HEAD) {
        refused(Status::MethodNotAllowed, "only GET: nothing is kept here")
    } else if request.uri().path_and_query().map_or(0, |p| p.as_str().len()) > MOST_ADDRESS {
        refused(Status::UriTooLong, "the address is too long")
    } else if posted {
        next.run(request).await
    } else {
        // Bodies are of no use to any other page.
        let (parts, _) = request.into_parts();
        next.run(Request::from_parts(parts, Body::empty())).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", if framed { FRAMED } else { POLICY }),
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
        let listener = listener::Bounded::new(listener, limits.connections);
        let stopped = async {
            let _ = tokio::signal::ctrl_c().await;
        };
        axum::serve(listener, router(limits, site)).with_graceful_shutdown(stopped).await
    })
}
