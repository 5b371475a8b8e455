//! What all pages share.

use crate::verdicts::Verdicts;
use bouton_engine::family::OwnGame;
use bouton_games::{Catalogue, NameTaken, RuleFile};
use bouton_study::Theorems;
use std::sync::Arc;

/// What all pages share. One for all requests; they may come from several threads.
#[derive(Debug)]
pub struct Site {
    pub(crate) catalogue: Catalogue,
    pub(crate) theorems: Theorems,
    pub(crate) verdicts: Verdicts,
    /// Whether the pages are answered in the visitor's own browser.
    pub(crate) in_browser: bool,
}

impl Site {
    /// Pages for the games of a catalogue. Positions that no search reaches are answered by the
    /// theorems on record.
    pub fn new(catalogue: Catalogue) -> Site {
        Site {
            catalogue,
            theorems: bouton_literature::theorems(),
            verdicts: Verdicts::default(),
            in_browser: false,
        }
    }

    /// Returns the site for a visitor's own browser, where long work goes to a worker.
    #[must_use]
    pub fn in_browser(self) -> Site {
        Site { in_browser: true, ..self }
    }

    /// Adds one more game, for one request. Fails if its name is taken.
    pub(crate) fn with_rules(&self, rules: RuleFile) -> Result<Site, NameTaken> {
        Ok(self.with_catalogue(self.catalogue.clone().with_rule_file(rules)?))
    }

    /// Adds one more game whose rules are a program, for one request. Fails if its name is taken.
    pub(crate) fn with_own(&self, game: Arc<dyn OwnGame>) -> Result<Site, NameTaken> {
        Ok(self.with_catalogue(self.catalogue.clone().with_own_game(game)?))
    }

    fn with_catalogue(&self, catalogue: Catalogue) -> Site {
        Site {
            catalogue,
            theorems: self.theorems.clone(),
            verdicts: Verdicts::default(),
            in_browser: self.in_browser,
        }
    }

    /// Returns the site with other theorems.
    pub fn with_theorems(self, theorems: Theorems) -> Site {
        Site { theorems, ..self }
    }
}

impl Default for Site {
    fn default() -> Site {
        let all = Catalogue::standard();
        #[cfg(feature = "programs")]
        let all = all.with_programs(bouton_program::read_game);
        Site::new(all)
    }
}
