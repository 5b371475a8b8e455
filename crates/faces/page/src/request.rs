//! What is asked: a path, and names with values behind it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Parameters that say yes or no.
const FLAGS: [&str; 4] = ["misere", "remoteness", "repeats", "zeckendorf"];

/// A request for a page or an answer of the API.
#[derive(Debug, Clone)]
pub struct Request {
    path: String,
    query: Vec<(String, String)>,
    day: u32,
    sent: bool,
    origin: String,
}

impl Request {
    /// Reads an address: its path, and what is behind the `?`, both as they are sent. Bytes that
    /// are no UTF-8 are replaced. A name without a value that says yes or no says yes: `misere`.
    pub fn new(path: &str, query: &str) -> Request {
        let decoded = |text: &str| {
            percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
        };
        let parts = query.split('&').filter(|part| !part.is_empty());
        let alone = |part| if FLAGS.contains(&part) { (part, "1") } else { (part, "") };
        let pairs = parts.map(|part| part.split_once('=').unwrap_or(alone(part)));
        Request {
            path: path.to_owned(),
            query: pairs.map(|(name, value)| (decoded(name), decoded(value))).collect(),
            day: 0,
            sent: false,
            origin: String::new(),
        }
    }

    /// Reads a form sent by `POST`, whose fields are written as behind the `?` of an address. Only
    /// Only [some paths](crate::takes_sent) answer it.
    pub fn sent(path: &str, body: &str) -> Request {
        Request { sent: true, ..Request::new(path, body) }
    }

    /// Returns whether it was [sent](Request::sent).
    pub fn is_sent(&self) -> bool {
        self.sent
    }

    /// Returns the request as of a day, in days since 1970-01-01. Only the puzzle of the day
    /// depends on it.
    #[must_use]
    pub fn on(self, day: u32) -> Request {
        Request { day, ..self }
    }

    /// Returns the request as of an origin such as `http://example.org`, which previews of links
    /// need.
    #[must_use]
    pub fn at_origin(self, origin: String) -> Request {
        Request { origin, ..self }
    }

    /// Returns the origin, as `http://example.org`; empty if unknown.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the day on which it is asked.
    pub(crate) fn day(&self) -> u32 {
        self.day
    }

    /// Returns the path, as it was sent.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the value of a parameter, empty if there is none.
    pub fn get(&self, name: &str) -> &str {
        self.query.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
    }

    /// Returns the request with `1` for each yes and nothing for each no: pages and the API read
    /// them in one way.
    ///
    /// # Errors
    ///
    /// A value that says neither, with the parameter before it.
    pub(crate) fn with_flags(mut self) -> Result<Request, String> {
        for (name, value) in &mut self.query {
            if FLAGS.contains(&name.as_str()) {
                let read = match value.as_str() {
                    "" | "0" | "false" | "off" => "",
                    "1" | "true" | "on" => "1",
                    _ => return Err(format!("{name}={value}: 1 or 0")),
                };
                *value = read.to_owned();
            }
        }
        Ok(self)
    }

    /// Returns the request with another value of a parameter.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn with(mut self, name: &str, value: String) -> Request {
        self.query.retain(|(other, _)| other != name);
        self.query.push((name.to_owned(), value));
        self
    }

    /// Returns the names of what is given.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.query.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the address with another game, without the position of the game that was asked
    /// about.
    pub(crate) fn with_game(&self, game: &str) -> String {
        let kept = self
            .query
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "game" | "at" | "line" | "with"));
        let kept: String =
            kept.map(|(name, value)| format!("&{}={}", encoded(name), encoded(value))).collect();
        format!("{}?game={}{kept}", self.path, encoded(game))
    }

    /// Returns whether nothing is behind the path.
    pub(crate) fn is_bare(&self) -> bool {
        self.query.is_empty()
    }

    /// Returns a name that is given twice.
    pub(crate) fn repeated(&self) -> Option<&str> {
        let earlier = |i: usize| self.query[..i].iter().any(|(name, _)| *name == self.query[i].0);
        (1..self.query.len()).find(|i| earlier(*i)).map(|i| self.query[i].0.as_str())
    }

    /// Returns whether it asks for the API, whose refusals are JSON.
    pub(crate) fn is_for_api(&self) -> bool {
        self.path == "/api" || self.path.starts_with("/api/")
    }
}

const KEPT: AsciiSet =
    NON_ALPHANUMERIC.remove(b',').remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// Returns a text as part of a query.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, &KEPT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_read_again() {
        for text in ["", "a b+c&d=e?f#g%h", "1,3~5/2", "Γ(1,4;n)", "100%"] {
            let request = Request::new("/play", &format!("x=1&at={}&misere", encoded(text)));
            assert_eq!((request.get("at"), request.get("x"), request.get("game")), (text, "1", ""));
        }
        assert_eq!(Request::new("/", "a=1+2&b=%ff").get("a"), "1 2");
        assert_eq!(Request::new("/", "a=1&b=2&a=3").repeated(), Some("a"));
        assert_eq!(Request::new("/", "a=1&b=2&&").repeated(), None);
    }
}
