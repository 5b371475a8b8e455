//! The pages and the engines as a WebAssembly module for a worker of a browser.
//!
//! The interface is written by hand: five functions on bytes. The host asks for room
//! ([`reserve`]), writes a question there, calls [`answer`] or [`tell`], and reads the answer where
//! [`answer_at`] says, [`answer_length`] bytes long. A question is four lines: the path under which
//! the site lies, the path asked for, the query, and the day (days since 1970); a fifth holds what
//! a form sends. An answer is one line of JSON, `{"status":…,"headers":{…}}`, and the body behind
//! it. Long work tells the host how it goes.
//!
//! The host provides a clock and two functions that take progress. The module uses neither files,
//! network nor threads. The host ends a
//! computation by ending the worker.

mod host;

use bouton_core::{Budget, Deadline, Watch};
use bouton_page::{Cost, Request, Response, Site};
use serde_json::{Map, Value, json};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What a page may cost: as on a server.
const SHORT: (Duration, u64) = (Duration::from_secs(2), 256 << 20);
/// What a form may cost: nobody else is kept waiting.
const SENT: (Duration, u64) = (Duration::from_secs(20), 1 << 30);
/// What long work may cost; the visitor ends it when he likes.
const LONG: (Duration, u64) = (Duration::from_secs(3600), 2 << 30);

static SITE: LazyLock<Site> = LazyLock::new(|| Site::default().in_browser());
static QUESTION: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn lock(bytes: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns room for a question of `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    let mut question = lock(&QUESTION);
    question.clear();
    question.resize(length, 0);
    question.as_mut_ptr()
}

/// Returns where the last answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    lock(&ANSWER).as_ptr()
}

/// Returns the bytes of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    lock(&ANSWER).len()
}

/// Answers a request for a page, a picture or JSON.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    host::begin();
    let (root, request) = asked();
    let most = if request.is_sent() { SENT } else { SHORT };
    let response = SITE.answer(&request, &budget(most, None)).under(&root);
    *lock(&ANSWER) = written(&response);
}

/// Does long work; the host hears of it meanwhile. The answer's body is the last event: its name, a
/// line's end, JSON.
#[unsafe(no_mangle)]
pub extern "C" fn tell() {
    host::begin();
    let (root, request) = asked();
    let response = match SITE.refused(&request) {
        Some(refusal) => refusal,
        None if SITE.cost(&request) != Cost::Long => SITE.answer(&request, &budget(LONG, None)),
        None => {
            let watch = Arc::new(Watch::default());
            host::watch(&watch);
            let event = SITE.tell(&request, &budget(LONG, Some(watch)), &host::report);
            host::unwatch();
            Response::of_event(&event)
        }
    };
    *lock(&ANSWER) = written(&response.under(&root));
}

fn budget((time, bytes): (Duration, u64), watch: Option<Arc<Watch>>) -> Budget {
    Budget { nodes: None, bytes: Some(bytes), deadline: Some(Deadline::after(time)), watch }
}

/// Returns the path under which the site lies, and the request.
fn asked() -> (String, Request) {
    let question = lock(&QUESTION);
    let text = String::from_utf8_lossy(&question);
    let mut lines = text.split('\n');
    let mut next = || lines.next().unwrap_or_default();
    let (root, path, query, day, sent) = (next(), next(), next(), next(), next());
    let request =
        if sent.is_empty() { Request::new(path, query) } else { Request::sent(path, sent) };
    let request = match day.parse() {
        Ok(day) => request.on(day),
        Err(_) => request,
    };
    (root.to_owned(), request)
}

fn written(response: &Response) -> Vec<u8> {
    let headers: Map<String, Value> = response
        .headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.as_str().into()))
        .collect();
    let mut bytes =
        json!({"status": response.status.code(), "headers": headers}).to_string().into_bytes();
    bytes.push(b'\n');
    bytes.extend_from_slice(&response.body);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(text: &str, work: extern "C" fn()) -> (Value, String) {
        let length = text.len();
        let _ = reserve(length);
        lock(&QUESTION).copy_from_slice(text.as_bytes());
        work();
        let answer = String::from_utf8(lock(&ANSWER).clone()).unwrap();
        let (head, body) = answer.split_once('\n').unwrap();
        (serde_json::from_str(head).unwrap(), body.to_owned())
    }

    /// One after the other: the room for questions is one.
    #[test]
    fn questions_are_answered_under_the_site_s_path() {
        let (head, body) = ask("/games/bouton\n/play\ngame=nim&at=1,2\n", answer);
        assert_eq!(head["status"], 200);
        assert!(body.contains("href=\"/games/bouton/play?") && !body.contains("href=\"/play?"));
        let (head, _) = ask("/b\n/move\ngame=nim&line=1,2&to=1,1\n", answer);
        assert_eq!(head["status"], 303);
        assert!(head["headers"]["location"].as_str().unwrap().starts_with("/b/play?game=nim"));
        let (head, body) = ask("\n/api/study/stream\ngame=CN(4,2)\n", tell);
        assert_eq!(
            (head["status"].as_u64(), body.starts_with("answer\n{")),
            (Some(200), true),
            "{body}"
        );
        assert_eq!(ask("\n/api/study/stream\ngame=bridge\n", tell).0["status"], 400);
    }
}
