//! What went wrong, as the exceptions of `bouton.errors`: message, text, place, accepted form.

use bouton_core::{FormulaError, LimitReached, NotationError};
use bouton_study::{FormError, NoStudy, SettleFormError, StudyError};
use pyo3::prelude::*;
use std::ops::Range;

/// Which exception.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// `Error`: a text or a value that is not accepted.
    Value,
    /// `WrongType`: a value of a type that is not accepted.
    Type,
    /// `LimitReached`: the budget ended, and there is nothing to show for it.
    Limit,
}

/// An exception; places are bytes of the text here, and characters in Python.
pub fn error(
    py: Python<'_>,
    kind: Kind,
    message: &str,
    place: Option<(&str, Range<usize>)>,
    accepted: &str,
) -> PyErr {
    let name = match kind {
        Kind::Value => "Error",
        Kind::Type => "WrongType",
        Kind::Limit => "LimitReached",
    };
    let made = || {
        let (text, at) = match place {
            Some((text, at)) => {
                let characters = |byte: usize| text.get(..byte).unwrap_or(text).chars().count();
                (Some(text), Some((characters(at.start), characters(at.end))))
            }
            None => (None, None),
        };
        let accepted = Some(accepted).filter(|accepted| !accepted.is_empty());
        py.import("bouton._errors")?.getattr(name)?.call1((message, text, at, accepted))
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

/// A message alone.
pub fn plain(py: Python<'_>, message: &str) -> PyErr {
    error(py, Kind::Value, message, None, "")
}

/// The end of a budget.
pub fn spent(py: Python<'_>, limit: LimitReached) -> PyErr {
    error(py, Kind::Limit, &limit.to_string(), None, "")
}

/// A text that could not be read.
pub fn notation(py: Python<'_>, slip: &NotationError) -> PyErr {
    error(py, Kind::Value, &slip.message, Some((&slip.text, slip.at.clone())), &slip.accepted)
}

/// A formula that could not be read.
pub fn formula(py: Python<'_>, text: &str, slip: &FormulaError) -> PyErr {
    error(py, Kind::Value, &slip.message, Some((text, slip.range.clone())), &slip.accepted)
}

/// A form that says nothing of a game.
pub fn form(py: Python<'_>, slip: &FormError) -> PyErr {
    match slip {
        FormError::Formula(text, slip) => formula(py, text, slip),
        FormError::Smaller(_) => plain(py, &slip.to_string()),
    }
}

/// A form that cannot be settled.
pub fn settle(py: Python<'_>, slip: &SettleFormError) -> PyErr {
    match slip {
        SettleFormError::Form(slip) => form(py, slip),
        SettleFormError::Stated(slip) => plain(py, &slip.to_string()),
    }
}

/// A study that cannot be made.
pub fn no_study(py: Python<'_>, slip: &NoStudy) -> PyErr {
    match slip {
        NoStudy::Notation(slip) => notation(py, slip),
        other => plain(py, &other.to_string()),
    }
}

/// A study that broke off.
pub fn study(py: Python<'_>, slip: &StudyError) -> PyErr {
    match slip {
        StudyError::Notation(slip) => notation(py, slip),
        other => plain(py, &other.to_string()),
    }
}
