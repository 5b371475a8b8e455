//! Why a request is not answered: a status, a sentence, and the place of the error in what was
//! typed.

use crate::api::Json;
use crate::response::Status;
use bouton_core::NotationError;
use bouton_draw::DrawError;
use bouton_draw::heatmap::HeatmapError;
use bouton_draw::tree::TreeError;
use bouton_games::NameTaken;
use bouton_prover::FormulaError;
use bouton_report::answers::failure::Failure;

/// A request that is not answered.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub(crate) struct RequestError {
    pub status: Status,
    pub message: String,
    /// The text, the place in bytes, and what would be accepted.
    pub place: Option<(String, std::ops::Range<usize>, String)>,
}

impl RequestError {
    pub fn new(status: Status, message: impl Into<String>) -> RequestError {
        RequestError { status, message: message.into(), place: None }
    }

    pub fn bad(message: impl Into<String>) -> RequestError {
        RequestError::new(Status::BadRequest, message)
    }

    pub fn formula(text: &str, error: FormulaError) -> RequestError {
        RequestError {
            place: Some((text.to_owned(), error.range.clone(), error.accepted.clone())),
            ..RequestError::bad(error.message.clone())
        }
    }

    /// As the command line's `--json` tells it; places count characters from 0.
    pub fn to_json(&self) -> Json {
        Json::new(&match &self.place {
            Some((text, at, accepted)) => Failure::at(&self.message, text, at, accepted),
            None => Failure::new(&self.message),
        })
    }
}

impl From<NotationError> for RequestError {
    fn from(error: NotationError) -> RequestError {
        RequestError {
            place: Some((error.text, error.at, error.accepted)),
            ..RequestError::bad(error.message)
        }
    }
}

impl From<TreeError> for RequestError {
    fn from(error: TreeError) -> RequestError {
        match error {
            TreeError::Notation(error) => error.into(),
            TreeError::LimitReached(spent) => RequestError::new(
                Status::Unprocessable,
                format!("who wins was not found within the budget of one request ({spent})"),
            ),
        }
    }
}

impl From<NameTaken> for RequestError {
    fn from(error: NameTaken) -> RequestError {
        RequestError::bad(error.to_string())
    }
}

impl From<HeatmapError> for RequestError {
    fn from(error: HeatmapError) -> RequestError {
        match error {
            HeatmapError::Notation(error) => error.into(),
            other => RequestError::bad(other.to_string()),
        }
    }
}

impl From<DrawError> for RequestError {
    fn from(error: DrawError) -> RequestError {
        RequestError::new(Status::Unprocessable, error.to_string())
    }
}

impl From<bouton_literature::ClaimDataError> for RequestError {
    fn from(error: bouton_literature::ClaimDataError) -> RequestError {
        RequestError::new(Status::Internal, format!("the published claims: {error}"))
    }
}
