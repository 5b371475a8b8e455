//! Checks certificates. Small enough to read in one sitting, and it shares no code with what makes them.
//!
//! One kind of proof a module; [`check`] opens the envelope and hands the body to the checker of its kind.

mod cash;
mod envelope;
mod p_positions;
mod period;
mod strategy;

pub use envelope::Envelope;

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
}

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rejected{}: {reason}", if *.line > 0 { format!(" at line {}", .line) } else { String::new() })]
pub struct Rejected {
    /// The line of the file, counted from 1; 0 where no single line is at fault.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl Rejected {
    /// A rejection at a line of the file (0: no single line).
    pub fn new(line: usize, reason: impl Into<String>) -> Rejected {
        Rejected { line, reason: reason.into() }
    }
}

/// A checker of one kind of proof: reads the body, returns in words how much it checked.
type Checker = fn(&Envelope<'_>) -> Result<String, Rejected>;

/// Every kind of proof and its checker.
const KINDS: &[(&str, Checker)] = &[
    ("p-positions", p_positions::check),
    ("period", period::check),
    ("strategy", strategy::check),
    ("win-condition", cash::check),
];

/// Checks a certificate of any kind.
pub fn check(text: &str) -> Result<Accepted, Rejected> {
    check_to(text, period::DEPTH)
}

/// Checks a certificate; proofs of periods with heaps up to `depth` computed once more by trying all moves.
pub fn check_to(text: &str, depth: usize) -> Result<Accepted, Rejected> {
    let envelope = Envelope::open(text)?;
    let (_, checker) = KINDS
        .iter()
        .find(|(kind, _)| *kind == envelope.kind)
        .ok_or_else(|| Rejected::new(2, format!("no checker for proofs of kind `{}`", envelope.kind)))?;
    Ok(Accepted {
        work: if envelope.kind == "period" {
            period::check_to(&envelope, depth)?
        } else {
            checker(&envelope)?
        },
        kind: envelope.kind.to_owned(),
        game: envelope.game.to_owned(),
        claim: envelope.claim.to_owned(),
    })
}
