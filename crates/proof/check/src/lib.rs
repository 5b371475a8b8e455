//! Checks certificates; no code of the prover is used.
//!
//! One kind of proof a module; [`check`] opens the envelope and hands the body to the checker of
//! its kind. The crate has no `unsafe` code, starts no thread and asks for no instructions of the
//! processor. What of it has to be believed for which kind: docs/design/checker.md.

#![forbid(unsafe_code)]

mod automatic;
mod cash;
mod circle;
mod envelope;
mod hypotheses;
mod laps;
mod lines;
mod orbit;
mod p_positions;
mod pairs;
mod parameters;
mod period;
mod sets;
mod strategy;
mod tuples;
mod work;

pub use envelope::Envelope;
pub use period::DEPTH;
use std::cell::RefCell;
pub use work::{Limits, Reason};
use work::{Work, shown};

/// What an accepted certificate establishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The kind of proof.
    pub kind: String,
    /// The game in its normal notation.
    pub game: String,
    /// The statement, now proved.
    pub claim: String,
    /// How much was checked, in words.
    pub work: String,
    /// What exactly is proved, in words: the rules as the checker knows them, and what the claim
    /// says of them.
    pub theorem: String,
}

/// What a checker of one kind has found.
#[derive(Debug)]
struct CheckReport {
    work: String,
    theorem: String,
}

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {reason}",
    if .reason.is_verdict() { "rejected" } else { "unknown" },
    if *.line > 0 { format!(" at line {}", .line) } else { String::new() })]
pub struct Rejected {
    /// The line of the file, counted from 1; 0 where no single line is at fault.
    pub line: usize,
    /// What is wrong there.
    pub reason: Reason,
}

impl Rejected {
    /// Returns a rejection at a line of the file; 0 stands for no single line.
    pub fn new(line: usize, reason: impl Into<Reason>) -> Rejected {
        Rejected { line, reason: reason.into() }
    }
}

/// A checker of one kind of proof: reads the body, returns in words what it has shown, and how much
/// it checked.
type Checker = fn(&Envelope<'_>, &Limits, &Work<'_>) -> Result<CheckReport, Rejected>;

/// Every kind of proof and its checker.
const KINDS: &[(&str, Checker)] = &[
    ("automatic", |envelope, _, work| automatic::check(envelope, work)),
    ("circle", |envelope, _, work| circle::check(envelope, work)),
    ("laps", |envelope, _, work| laps::check(envelope, work)),
    ("orbit", |envelope, _, work| orbit::check(envelope, work)),
    ("p-positions", |envelope, _, work| p_positions::check(envelope, work)),
    ("pairs", |envelope, _, work| pairs::check(envelope, work)),
    ("parameters", |envelope, _, work| parameters::check(envelope, work)),
    ("period", |envelope, limits, work| period::check(envelope, limits.depth, work)),
    ("strategy", |envelope, _, work| strategy::check(envelope, work)),
    ("win-condition", |envelope, _, work| cash::check(envelope, work)),
];

/// Returns whether the checker knows the moves of the heap game of this name, so that a certificate
/// of its P-positions need not write them out.
pub fn knows_game(name: &str) -> bool {
    p_positions::names::game(name).is_ok()
}

/// Checks a certificate of any kind within the default [`Limits`]: whatever the text, the answer
/// comes in some fifteen seconds and takes 1 GB at most.
pub fn check(text: &str) -> Result<Accepted, Rejected> {
    check_limited(text, &Limits::default(), &mut || true)
}

/// Checks a certificate of any kind for as long as `go_on`, asked every millisecond or so, says
/// yes; after that the reason is [`Reason::Stopped`], and nothing is known of the claim. Proofs of
/// periods have the heaps up to `depth` computed once more by trying all moves. Steps have no other
/// limit; memory has that of [`check`].
pub fn check_within(
    text: &str,
    depth: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Accepted, Rejected> {
    check_limited(text, &Limits { depth, steps: u64::MAX, ..Limits::default() }, go_on)
}

/// Checks a certificate of any kind within limits, and for as long as `go_on` says yes. If a limit
/// is reached, nothing is known of the claim ([`Reason::is_verdict`]).
pub fn check_limited(
    text: &str,
    limits: &Limits,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Accepted, Rejected> {
    let go_on = RefCell::new(go_on);
    let ask = || go_on.borrow_mut()();
    let work = Work::new(limits, &ask);
    // The text itself, and the pass over it that its seal takes.
    let read = work
        .spend(1)
        .and_then(|()| work.hold(text.len()))
        .and_then(|()| work.spend(4 * text.len()));
    read.map_err(|reason| Rejected::new(0, reason))?;
    let envelope = Envelope::open(text)?;
    let (_, checker) = KINDS.iter().find(|(kind, _)| *kind == envelope.kind).ok_or_else(|| {
        Rejected::new(2, format!("no checker for proofs of kind `{}`", shown(envelope.kind)))
    })?;
    let CheckReport { work, theorem } = checker(&envelope, limits, &work)?;
    Ok(Accepted {
        work,
        theorem,
        kind: envelope.kind.to_owned(),
        game: envelope.game.to_owned(),
        claim: envelope.claim.into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    fn certificate(kind: &str, game: &str, claim: &str, body: &str) -> String {
        let text =
            format!("bouton certificate 1\nkind: {kind}\ngame: {game}\nclaim: {claim}\n\n{body}");
        let hash: String =
            Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        format!("{text}sha256: {hash}\n")
    }

    /// A check that is interrupted, at whatever moment, has no answer; one that is never
    /// interrupted has the same answer as one without interruptions.
    #[test]
    fn a_check_that_is_stopped_accepts_nothing() {
        let one = "the nim-values of single heaps have period 3 from 0 on";
        let kayles = "the nim-values of single heaps have period 12 from 71 on";
        let long = "the nim-values of single heaps have period 1200000 from 71 on";
        let cash = "with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 \
            and floor(d / 1) > floor(e / 1)";
        let forced = "every move of the winner is forced\n";
        for text in [
            certificate("period", "S(1,2)", one, "period 3\npreperiod 0\nspace none\n"),
            certificate("period", "0.77", kayles, "period 12\npreperiod 71\nspace none\n"),
            certificate("period", "0.77", kayles, "period 12\npreperiod 71\nspace value 15\n"),
            certificate(
                "period",
                "0.77",
                long,
                "period 1200000\npreperiod 71\nspace value 15\nwindow 80 300 300\n",
            ),
            certificate("strategy", "Gamma(1;2)", "0/0 is N in normal play", forced),
            certificate(
                "win-condition",
                "NIM(1;n;d,e)",
                cash,
                "window 2 0 0 2\nline -c 0\nline +c -1\n",
            ),
            certificate("win-condition", "NIM(1;n;d,e)", cash, "words 2 0\npath 0 D\npath -1 U\n"),
        ] {
            let mut asked = 0;
            let accepted = check_within(&text, DEPTH, &mut || {
                asked += 1;
                true
            });
            assert_eq!(accepted, check(&text));
            assert!(accepted.is_ok() && asked > 0, "{accepted:?}");
            for most in 0..asked {
                let mut left = most;
                let stopped = check_within(&text, DEPTH, &mut || {
                    left -= 1;
                    left >= 0
                });
                assert_eq!(stopped.unwrap_err().reason, Reason::Stopped, "after {most} of {asked}");
            }
        }
    }
}
