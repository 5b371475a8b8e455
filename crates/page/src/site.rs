//! What all pages share.

use crate::verdicts::Verdicts;

/// What all pages share. One for all requests; they may come from several threads.
#[derive(Debug, Default)]
pub struct Site {
    pub(crate) verdicts: Verdicts,
}
