//! What all pages share.

use crate::verdicts::Verdicts;
use bouton_games::Catalogue;

/// What all pages share. One for all requests; they may come from several threads.
#[derive(Debug, Default)]
pub struct Site {
    pub(crate) catalogue: Catalogue,
    pub(crate) verdicts: Verdicts,
}

impl Site {
    /// Pages for the games of a catalogue.
    pub fn new(catalogue: Catalogue) -> Site {
        Site { catalogue, verdicts: Verdicts::default() }
    }
}
