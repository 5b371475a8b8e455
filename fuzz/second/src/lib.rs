//! A second checker of certificates, written from `docs/certificates.md` alone.
//!
//! It shares no line with `bouton-check`, and was written without a look at that crate, but for
//! `orbit`, whose module there was read before: what both accept has been read twice. Each kind has
//! one module with the simplest algorithm that is correct; what takes too long for it is
//! [`Verdict::Unknown`], and so is a proof of `p-positions`, of which only the claim is compared
//! with play on small heaps.

#![forbid(unsafe_code)]

mod automatic;
mod circle;
mod formula;
mod games;
mod kotzig;
mod laps;
mod orbit;
mod pairs;
mod parameters;
mod period;
mod positions;
mod strategy;
mod win_condition;

use sha2::{Digest, Sha256};

/// The answer to a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The certificate proves its claim.
    Accepted {
        /// Game and claim.
        statement: String,
    },
    /// The certificate is malformed, proves nothing, or claims what is false.
    Rejected(String),
    /// This checker cannot tell.
    Unknown(String),
}

impl Verdict {
    /// Returns the verdict in one word.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Accepted { .. } => "accepted",
            Verdict::Rejected(_) => "rejected",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// Why a certificate is not accepted.
#[derive(Debug)]
enum Fault {
    Rejected(String),
    Unknown(String),
}

type Checked<T> = Result<T, Fault>;

/// Rejects for this reason.
fn reject<T>(why: impl Into<String>) -> Checked<T> {
    Err(Fault::Rejected(why.into()))
}

/// Leaves the question open for this reason.
fn unknown<T>(why: impl Into<String>) -> Checked<T> {
    Err(Fault::Unknown(why.into()))
}

/// Rejects unless the condition holds.
fn need(holds: bool, why: &str) -> Checked<()> {
    if holds { Ok(()) } else { reject(why) }
}

/// The work that is left, in elementary steps.
struct Work(u64);

impl Work {
    fn spend(&mut self, steps: u64) -> Checked<()> {
        match self.0.checked_sub(steps) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => unknown("too much work"),
        }
    }
}

/// Game, claim and body of a certificate whose seal is right.
struct Certificate<'a> {
    version: u32,
    kind: &'a str,
    game: &'a str,
    claim: &'a str,
    body: Vec<&'a str>,
}

/// The lines of a body, read one after the other.
struct Lines<'a> {
    lines: &'a [&'a str],
}

impl<'a> Lines<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.lines.first().copied()
    }

    fn next(&mut self) -> Checked<&'a str> {
        match self.lines.split_first() {
            Some((first, rest)) => {
                self.lines = rest;
                Ok(first)
            }
            None => reject("the body ends too early"),
        }
    }

    /// Reads a line that begins with a word and a blank; returns what follows.
    fn field(&mut self, word: &str) -> Checked<&'a str> {
        let line = self.next()?;
        match line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')) {
            Some(rest) => Ok(rest),
            None => reject(format!("`{word} …` expected, not `{line}`")),
        }
    }

    fn end(&self) -> Checked<()> {
        need(self.lines.is_empty(), "lines follow the end of the body")
    }
}

/// Reads a number: decimal digits without a leading 0.
fn number(text: &str) -> Checked<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    need(digits && (text == "0" || !text.starts_with('0')), "not a number")?;
    match text.parse::<u64>() {
        Ok(value) if value < 1 << 62 => Ok(value),
        _ => unknown("a number is too large"),
    }
}

/// Reads a number that may have a minus sign.
fn signed(text: &str) -> Checked<i64> {
    match text.strip_prefix('-') {
        Some("0") => reject("-0 is no number"),
        Some(rest) => Ok(-(number(rest)? as i64)),
        None => Ok(number(text)? as i64),
    }
}

/// Reads numbers with this separator between them.
fn numbers(text: &str, separator: char) -> Checked<Vec<u64>> {
    text.split(separator).map(number).collect()
}

/// Tells whether each number is greater than the one before.
fn ascending<T: PartialOrd>(list: &[T]) -> bool {
    list.windows(2).all(|pair| pair[0] < pair[1])
}

fn envelope(text: &str) -> Result<Certificate<'_>, String> {
    let body_end = text.rfind("sha256: ").ok_or("no seal")?;
    let (sealed, seal) = text.split_at(body_end);
    if !sealed.ends_with('\n') {
        return Err("the seal begins no line".into());
    }
    let digest: String =
        Sha256::digest(sealed.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    if seal != format!("sha256: {digest}\n") {
        return Err("the seal is wrong".into());
    }
    let mut lines: Vec<&str> = sealed.split('\n').collect();
    lines.pop();
    if lines.len() < 5 {
        return Err("a header line is missing".into());
    }
    let version = match lines[0] {
        "bouton certificate 1" => 1,
        "bouton certificate 2" => 2,
        _ => return Err("no certificate of a known version".into()),
    };
    let field = |line: &'static str, at: usize| -> Result<_, String> {
        lines[at].strip_prefix(line).ok_or_else(|| format!("`{line}` expected"))
    };
    let (kind, game, claim) = (field("kind: ", 1)?, field("game: ", 2)?, field("claim: ", 3)?);
    if !lines[4].is_empty() {
        return Err("no empty line behind the header".into());
    }
    let plain = |text: &str| text.bytes().all(|b| (b' '..=b'~').contains(&b));
    let others = lines.iter().enumerate().all(|(at, line)| at == 3 || plain(line));
    if !others || !plain(&claim.replace("misère", "misere")) {
        return Err("a character is no printable ASCII".into());
    }
    Ok(Certificate { version, kind, game, claim, body: lines[5..].to_vec() })
}

/// The work that [`check`] may do.
pub const WORK: u64 = 1 << 30;

/// Checks a certificate; the error says why the text is none.
pub fn check(text: &str) -> Result<Verdict, String> {
    check_within(text, WORK)
}

/// Checks a certificate with so much work at most.
pub fn check_within(text: &str, work: u64) -> Result<Verdict, String> {
    let certificate = envelope(text)?;
    let work = &mut Work(work);
    let checked = match (certificate.kind, certificate.version) {
        ("p-positions", 2) => positions::check(&certificate, work),
        ("p-positions", _) => reject("a proof of version 1 leaves its steps to the checker"),
        (_, 2) => reject("only proofs of p-positions have version 2"),
        ("strategy", _) => strategy::check(&certificate, work),
        ("period", _) => period::check(&certificate, work),
        ("win-condition", _) => win_condition::check(&certificate, work),
        ("laps", _) => laps::check(&certificate, work),
        ("circle", _) => circle::check(&certificate, work),
        ("automatic", _) => automatic::check(&certificate, work),
        ("parameters", _) => parameters::check(&certificate, work),
        ("orbit", _) => orbit::check(&certificate, work),
        ("pairs", _) => pairs::check(&certificate, work),
        (kind, _) => reject(format!("no kind is called `{kind}`")),
    };
    Ok(match checked {
        Ok(()) => {
            Verdict::Accepted { statement: format!("{}: {}", certificate.game, certificate.claim) }
        }
        Err(Fault::Rejected(why)) => Verdict::Rejected(why),
        Err(Fault::Unknown(why)) => Verdict::Unknown(why),
    })
}
