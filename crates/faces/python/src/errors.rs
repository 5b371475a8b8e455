//! What went wrong, as the exceptions of `bouton.errors`: message, text, place, accepted form.

use bouton_core::{FormulaError, LimitReached, NotationError};
use bouton_study::{FormError, SettleFormError, StudyError, StudyTargetError};
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

/// Makes an exception. Places are bytes of the text here, and characters in Python.
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

/// Makes an exception of a message alone.
pub fn plain(py: Python<'_>, message: &str) -> PyErr {
    error(py, Kind::Value, message, None, "")
}

/// Makes the exception for the end of a budget.
pub fn spent(py: Python<'_>, limit: LimitReached) -> PyErr {
    error(py, Kind::Limit, &limit.to_string(), None, "")
}

/// Makes the exception for a text that could not be read.
pub fn notation(py: Python<'_>, why: &NotationError) -> PyErr {
    error(py, Kind::Value, &why.message, Some((&why.text, why.at.clone())), &why.accepted)
}

/// Makes the exception for a formula that could not be read.
pub fn formula(py: Python<'_>, text: &str, why: &FormulaError) -> PyErr {
    error(py, Kind::Value, &why.message, Some((text, why.range.clone())), &why.accepted)
}

/// Makes the exception for a form that says nothing of a game.
pub fn form(py: Python<'_>, why: &FormError) -> PyErr {
    match why {
        FormError::Formula(text, why) => formula(py, text, why),
        FormError::NoBoard(_) | FormError::TwoFormulas(_) => plain(py, &why.to_string()),
    }
}

/// Makes the exception for a form that cannot be settled.
pub fn settle(py: Python<'_>, why: &SettleFormError) -> PyErr {
    match why {
        SettleFormError::Form(why) => form(py, why),
        SettleFormError::Stated(why) => plain(py, &why.to_string()),
    }
}

/// Makes the exception for a study that cannot be made.
pub fn no_study(py: Python<'_>, why: &StudyTargetError) -> PyErr {
    match why {
        StudyTargetError::Notation(why) => notation(py, why),
        other => plain(py, &other.to_string()),
    }
}

/// Makes the exception for a study that broke off.
pub fn study(py: Python<'_>, why: &StudyError) -> PyErr {
    match why {
        StudyError::Notation(why) => notation(py, why),
        other => plain(py, &other.to_string()),
    }
}
