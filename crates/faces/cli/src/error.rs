//! Errors of the command line: for people a line that shows the place, for programs JSON.

use bouton_core::NotationError;
use bouton_prover::FormulaError;
use bouton_report::answers::failure::{BrokenOff, Failure};
#[cfg(feature = "database")]
use bouton_store::StoreError;
use bouton_study::{ClaimError, FormError, SettleFormError, StatedError, atomic_write};
use std::io::IsTerminal;
use std::ops::Range;
use std::path::Path;

/// Writes a file atomically.
pub fn write_file(file: &Path, bytes: impl AsRef<[u8]>) -> Result<(), CommandError> {
    atomic_write(file, bytes).map_err(|error| CommandError::File(file.display().to_string(), error))
}

/// Returns whether a file's extension asks for a theorem for Coq.
pub fn is_for_coq(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "v")
}

/// An error that ends a command.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// A game or a position that could not be parsed.
    #[error("{0}")]
    Notation(#[from] NotationError),
    /// A formula that could not be parsed, with its text.
    #[error("{1}")]
    Formula(String, FormulaError),
    /// An error in the files of the published claims.
    #[error("the published claims: {0}")]
    Ledger(#[from] bouton_literature::ClaimDataError),
    /// An error of a database of results.
    #[cfg(feature = "database")]
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A published claim that cannot be verified.
    #[error("claim {0}: {1}")]
    Claim(String, ClaimError),
    /// Arguments that contradict each other or are out of range.
    #[error("{0}")]
    Usage(String),
    /// A file that could not be read or written.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// A checkpoint that cannot be used.
    #[error("{0}: {1}")]
    Checkpoint(String, bouton_octal::sequence::CheckpointError),
    /// The budget was spent before the input was read, which is not an error of the input.
    #[error("unknown ({0})")]
    Unknown(String),
    /// The reader of the output has closed it.
    #[error("the output was closed")]
    Pipe,
}

impl From<FormError> for CommandError {
    fn from(error: FormError) -> CommandError {
        match error {
            FormError::Formula(text, error) => CommandError::Formula(text, error),
            FormError::NoBoard(_) => CommandError::Usage(format!("--for-fewer-heaps {error}")),
            FormError::TwoFormulas(heaps) => CommandError::Usage(format!(
                "two claims for {heaps} heaps; accepted: one, as --for-fewer-heaps '{heaps}: a=b'"
            )),
        }
    }
}

impl From<StatedError> for CommandError {
    fn from(error: StatedError) -> CommandError {
        CommandError::Usage(error.to_string())
    }
}

impl From<SettleFormError> for CommandError {
    fn from(error: SettleFormError) -> CommandError {
        match error {
            SettleFormError::Stated(error) => error.into(),
            SettleFormError::Form(error) => error.into(),
        }
    }
}

impl From<std::io::Error> for CommandError {
    /// Converts errors of standard output, the only ones without the name of a file.
    fn from(error: std::io::Error) -> CommandError {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => CommandError::Pipe,
            _ => CommandError::File("standard output".into(), error),
        }
    }
}

/// An error at a place of a text, with the place in bytes and a description of accepted texts.
struct TextError<'f> {
    text: &'f str,
    at: Range<usize>,
    message: &'f str,
    accepted: &'f str,
}

impl CommandError {
    fn text_error(&self) -> Option<TextError<'_>> {
        match self {
            CommandError::Notation(NotationError { text, at, message, accepted })
            | CommandError::Formula(text, FormulaError { range: at, message, accepted }) => {
                Some(TextError { text, at: at.clone(), message, accepted })
            }
            #[cfg(feature = "database")]
            CommandError::Store(StoreError::Condition(
                text,
                FormulaError { range: at, message, accepted },
            )) => Some(TextError { text, at: at.clone(), message, accepted }),
            _ => None,
        }
    }

    /// Returns the error as one JSON value, with the line of the input if there are several.
    pub fn to_json(&self, line: Option<usize>) -> String {
        if let CommandError::Unknown(why) = self {
            return bouton_report::to_json(&BrokenOff { line, ..BrokenOff::new(None, why) });
        }
        let message = self.to_string();
        let failure = match self.text_error() {
            Some(error) => Failure::at(error.message, error.text, &error.at, error.accepted),
            None => Failure::new(&message),
        };
        bouton_report::to_json(&Failure { line, ..failure })
    }

    /// Returns the exit status.
    pub fn status(&self) -> u8 {
        if let CommandError::Unknown(_) = self { 1 } else { 2 }
    }

    /// Prints the error: with the place underlined on a terminal, as one line elsewhere.
    pub fn report(&self, as_json: bool) {
        if as_json {
            println!("{}", self.to_json(None));
            return;
        }
        let Some(error) = self.text_error() else {
            match self {
                CommandError::Unknown(_) => eprintln!("{self}"),
                _ => eprintln!("error: {self}"),
            }
            return;
        };
        if std::io::stderr().is_terminal() {
            eprintln!("{}", error.shown());
        } else {
            eprintln!("error: {}; accepted: {}", error.in_place(), error.accepted);
        }
    }
}

impl TextError<'_> {
    /// Returns the message, the line at fault with the place underlined, and the accepted form.
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

    /// Returns the message and the text with the place between » «; distant context is cut.
    fn in_place(&self) -> String {
        const CONTEXT: usize = 40;
        let (start, end) = (self.at.start.min(self.text.len()), self.at.end.min(self.text.len()));
        let before: Vec<char> = self.text[..start].chars().collect();
        let after: Vec<char> = self.text[end..].chars().collect();
        let place: Vec<char> = self.text[start..end].chars().collect();
        let cut = |chars: &[char]| chars.iter().collect::<String>();
        let head = if before.len() > CONTEXT {
            format!("…{}", cut(&before[before.len() - CONTEXT..]))
        } else {
            cut(&before)
        };
        let tail = if after.len() > CONTEXT { cut(&after[..CONTEXT]) + "…" } else { cut(&after) };
        let middle =
            if place.len() > CONTEXT { cut(&place[..CONTEXT]) + "…" } else { cut(&place) };
        format!("{} at character {}: {head}»{middle}«{tail}", self.message, before.len() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_underlined() {
        let error =
            TextError { text: "ab\nΓ(1,5)\ncd", at: 8..9, message: "too large", accepted: "3" };
        assert_eq!(error.shown(), "error: too large\n  Γ(1,5)\n      ^\naccepted: 3");
    }
}
