//! What went wrong, told to people in a line that shows the place, or to programs as JSON.

use bouton_core::NotationError;
use bouton_prover::FormulaError;
#[cfg(feature = "database")]
use bouton_store::StoreError;
use bouton_study::{ClaimError, FormError, SettleFormError, StatedError, write_whole};
use serde_json::json;
use std::io::IsTerminal;
use std::ops::Range;
use std::path::Path;

/// Writes a file, whole or not at all.
pub fn write_file(file: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Fault> {
    write_whole(file, bytes).map_err(|error| Fault::File(file.display().to_string(), error))
}

/// Whether a proof is to be written as a theorem for Coq.
pub fn is_for_coq(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "v")
}

/// Why a command could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A text that could not be read.
    #[error("{0}")]
    Notation(#[from] NotationError),
    /// A formula that could not be read.
    #[error("{1}")]
    Formula(String, FormulaError),
    /// A slip in the ledger's own files.
    #[error("the ledger: {0}")]
    Ledger(#[from] bouton_literature::LedgerError),
    /// A database of results.
    #[cfg(feature = "database")]
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A claim of the ledger that cannot be settled.
    #[error("claim {0}: {1}")]
    Claim(String, ClaimError),
    /// Arguments that don't fit together.
    #[error("{0}")]
    Usage(String),
    /// A file that could not be read or written.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// A checkpoint that cannot be used.
    #[error("{0}: {1}")]
    Checkpoint(String, bouton_octal::sequence::CheckpointError),
    /// The time was up before the question was read: no fault of the input.
    #[error("unknown ({0})")]
    Unknown(String),
    /// The reader of our output has gone.
    #[error("the output was closed")]
    Pipe,
}

impl From<FormError> for Fault {
    fn from(error: FormError) -> Fault {
        match error {
            FormError::Formula(text, error) => Fault::Formula(text, error),
            FormError::Smaller(_) => Fault::Usage(format!("--smaller {error}")),
        }
    }
}

impl From<StatedError> for Fault {
    fn from(error: StatedError) -> Fault {
        Fault::Usage(error.to_string())
    }
}

impl From<SettleFormError> for Fault {
    fn from(error: SettleFormError) -> Fault {
        match error {
            SettleFormError::Stated(error) => error.into(),
            SettleFormError::Form(error) => error.into(),
        }
    }
}

impl From<std::io::Error> for Fault {
    /// Only writes to standard output get here without a file's name.
    fn from(error: std::io::Error) -> Fault {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Fault::Pipe,
            _ => Fault::File("standard output".into(), error),
        }
    }
}

/// A slip in a text: the text, the place in bytes, what is wrong, and what would be accepted.
struct Slip<'f> {
    text: &'f str,
    at: Range<usize>,
    message: &'f str,
    accepted: &'f str,
}

impl Fault {
    fn slip(&self) -> Option<Slip<'_>> {
        match self {
            Fault::Notation(NotationError { text, at, message, accepted })
            | Fault::Formula(text, FormulaError { range: at, message, accepted }) => {
                Some(Slip { text, at: at.clone(), message, accepted })
            }
            #[cfg(feature = "database")]
            Fault::Store(StoreError::Condition(text, FormulaError { range: at, message, accepted })) => {
                Some(Slip { text, at: at.clone(), message, accepted })
            }
            _ => None,
        }
    }

    /// The fault as one JSON value; places count characters from 0.
    pub fn to_json(&self) -> serde_json::Value {
        if let Fault::Unknown(why) = self {
            return json!({"verdict": "unknown", "reason": why});
        }
        match self.slip() {
            Some(slip) => {
                let place = |byte: usize| slip.text[..byte.min(slip.text.len())].chars().count();
                json!({"error": {
                    "message": slip.message,
                    "text": slip.text,
                    "at": [place(slip.at.start), place(slip.at.end)],
                    "accepted": slip.accepted,
                }})
            }
            None => json!({"error": {"message": self.to_string()}}),
        }
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        if let Fault::Unknown(_) = self { 1 } else { 2 }
    }

    /// Tells the user: a picture of the place on a terminal, one line elsewhere.
    pub fn report(&self, as_json: bool) {
        if as_json {
            println!("{}", self.to_json());
            return;
        }
        let Some(slip) = self.slip() else {
            match self {
                Fault::Unknown(_) => eprintln!("{self}"),
                _ => eprintln!("error: {self}"),
            }
            return;
        };
        if std::io::stderr().is_terminal() {
            eprintln!("{}", slip.shown());
        } else {
            eprintln!("error: {}; accepted: {}", slip.in_place(), slip.accepted);
        }
    }
}

impl Slip<'_> {
    /// The message, the line of the text it is about with the place underlined, and what would be accepted.
    fn shown(&self) -> String {
        let (start, end) = (self.at.start.min(self.text.len()), self.at.end.min(self.text.len()));
        let from = self.text[..start].rfind('\n').map_or(0, |feed| feed + 1);
        let to = self.text[start..].find('\n').map_or(self.text.len(), |feed| start + feed);
        let width = |text: &str| text.chars().count();
        let (before, under) =
            (width(&self.text[from..start]), width(&self.text[start..end.clamp(start, to)]).max(1));
        format!(
            "error: {}\n  {}\n  {}{}\naccepted: {}",
            self.message,
            &self.text[from..to],
            " ".repeat(before),
            "^".repeat(under),
            self.accepted
        )
    }

    /// The message and the text, the place between » «; far context is cut.
    fn in_place(&self) -> String {
        const CONTEXT: usize = 40;
        let (start, end) = (self.at.start.min(self.text.len()), self.at.end.min(self.text.len()));
        let before: Vec<char> = self.text[..start].chars().collect();
        let after: Vec<char> = self.text[end..].chars().collect();
        let slip: Vec<char> = self.text[start..end].chars().collect();
        let cut = |chars: &[char]| chars.iter().collect::<String>();
        let head = if before.len() > CONTEXT {
            format!("…{}", cut(&before[before.len() - CONTEXT..]))
        } else {
            cut(&before)
        };
        let tail = if after.len() > CONTEXT { cut(&after[..CONTEXT]) + "…" } else { cut(&after) };
        let middle = if slip.len() > CONTEXT { cut(&slip[..CONTEXT]) + "…" } else { cut(&slip) };
        format!("{} at character {}: {head}»{middle}«{tail}", self.message, before.len() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_underlined() {
        let slip = Slip { text: "ab\nΓ(1,5)\ncd", at: 8..9, message: "too large", accepted: "3" };
        assert_eq!(slip.shown(), "error: too large\n  Γ(1,5)\n      ^\naccepted: 3");
    }
}
