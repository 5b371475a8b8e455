//! What is asked: a path, and names with values behind it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Parameters that say yes or no.
const FLAGS: [&str; 4] = ["misere", "remoteness", "repeats", "zeckendorf"];

/// Parameters of pages: what any page reads, and the two numbers that a picture sends of the place
/// where it was clicked.
const OF_PAGES: &str = " at cell.x cell.y certificate claim column count course day depth digits \
    embed examine falls for game heaps hints id judge lesson level line lost memory misere mistakes \
    move name neighbours now of paper positions puzzle q repeats reply row rules seed sets size \
    slips smaller split splits start step symmetry take text to verdict where with x y you ";

/// Parameters of pages that have a number behind them: `left1`, `left2`, …
const NUMBERED: [&str; 2] = ["a", "left"];

/// Returns whether any page reads a parameter of this name, or other sites add it to links.
fn is_of_pages(name: &str) -> bool {
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|c| c.is_ascii_digit());
    OF_PAGES.split_whitespace().any(|known| known == name)
        || NUMBERED.iter().any(|known| name.strip_prefix(known).is_some_and(is_number))
        || name.starts_with("utm_")
        || name.ends_with("clid")
}

/// A request for a page or an answer of the API.
#[derive(Debug, Clone)]
pub struct Request {
    path: String,
    query: Vec<(String, String)>,
    /// The flags that say no.
    denied: Vec<String>,
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
            denied: Vec::new(),
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
                    "" => "",
                    "0" | "false" | "off" => {
                        self.denied.push(name.clone());
                        ""
                    }
                    "1" | "true" | "on" => "1",
                    _ => return Err(format!("{name}={value}: 1 or 0")),
                };
                *value = read.to_owned();
            }
        }
        Ok(self)
    }

    /// Returns whether a parameter says no, as `misere=0`, rather than nothing.
    pub(crate) fn denies(&self, name: &str) -> bool {
        self.denied.iter().any(|denied| denied == name)
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

    /// Returns what is said of parameters that no page reads, with the names that are perhaps
    /// meant; `None` if there are none.
    pub(crate) fn unread(&self) -> Option<String> {
        let unread = self.query.iter().filter(|(name, _)| !is_of_pages(name));
        let notes = unread.map(|(name, _)| match nearest(name) {
            Some(meant) => format!("`{name}` (did you mean `{meant}`?)"),
            None => format!("`{name}`"),
        });
        let notes: Vec<String> = notes.collect();
        (!notes.is_empty()).then(|| format!("no page reads {}", notes.join("; ")))
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

/// Returns the parameter of pages that is perhaps meant by a name that is none.
fn nearest(name: &str) -> Option<&'static str> {
    let near = |known: &str| strsim::levenshtein(known, name);
    // A position is `at` on pages, and `position` in the API.
    let is_position = near("position") <= 2 || near("pos") <= 1;
    if is_position {
        return Some("at");
    }
    let begun = |known: &str| name.len() > 2 && known.starts_with(name);
    let names = OF_PAGES.split_whitespace().filter(|known| known.len() > 1);
    let likely = names.filter(|known| begun(known) || near(known) <= known.len() / 3);
    likely.min_by_key(|known| (near(known), *known))
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
    fn parameters_that_no_page_reads() {
        let unread = |query: &str| Request::new("/play", query).unread();
        for query in ["", "game=nim&at=1,2&misere", "left12=3&left3=", "cell.x=1&cell.y=2"] {
            assert_eq!(unread(query), None, "{query}");
        }
        for (query, meant) in [
            ("mis=1", "`misere`"),
            ("game=nim&positon=3", "`at`"),
            ("hint=on", "`hints`"),
            ("Misere=1", "`misere`"),
        ] {
            assert!(unread(query).is_some_and(|note| note.contains(meant)), "{query}");
        }
        assert!(unread("left=3&leftx=2&zzz").is_some_and(|note| note.contains("`leftx`")));
    }

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
