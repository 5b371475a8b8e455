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
pub(crate) struct Refusal {
    pub status: Status,
    pub message: String,
    /// The text, the place in bytes, and what would be accepted.
    pub place: Option<(String, std::ops::Range<usize>, String)>,
}

impl Refusal {
    pub fn new(status: Status, message: impl Into<String>) -> Refusal {
        Refusal { status, message: message.into(), place: None }
    }

    pub fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(Status::BadRequest, message)
    }

    pub fn formula(text: &str, error: FormulaError) -> Refusal {
        Refusal {
            place: Some((text.to_owned(), error.range.clone(), error.accepted.clone())),
            ..Refusal::bad(error.message.clone())
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

impl From<NotationError> for Refusal {
    fn from(error: NotationError) -> Refusal {
        Refusal {
            place: Some((error.text, error.at, error.accepted)),
            ..Refusal::bad(error.message)
        }
    }
}

impl From<TreeError> for Refusal {
    fn from(error: TreeError) -> Refusal {
        match error {
            TreeError::Notation(error) => error.into(),
            TreeError::LimitReached(spent) => Refusal::new(
                Status::Unprocessable,
                format!("who wins was not found within the budget of one request ({spent})"),
            ),
        }
    }
}

impl From<NameTaken> for Refusal {
    fn from(error: NameTaken) -> Refusal {
        Refusal::bad(error.to_string())
    }
}

impl From<HeatmapError> for Refusal {
    fn from(error: HeatmapError) -> Refusal {
        match error {
            HeatmapError::Notation(error) => error.into(),
            other => Refusal::bad(other.to_string()),
        }
    }
}

impl From<DrawError> for Refusal {
    fn from(error: DrawError) -> Refusal {
        Refusal::new(Status::Unprocessable, error.to_string())
    }
}

impl From<bouton_literature::LedgerError> for Refusal {
    fn from(error: bouton_literature::LedgerError) -> Refusal {
        Refusal::new(Status::Internal, format!("the ledger: {error}"))
    }
}
