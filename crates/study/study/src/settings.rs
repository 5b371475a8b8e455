//! What may be asked of a study.

use crate::stage::Stage;
use crate::theorems::Theorems;
use bouton_theory::claim::PublishedClaim;

/// What is asked of a study, and what each table may cost beside the budget of all.
#[derive(Clone, Copy)]
pub struct Settings<'s> {
    /// No heap of any table above this one; by default tables grow until a form stands.
    pub max: Option<u32>,
    /// What the prover may spend on one form: steps and bytes.
    pub proof: Option<[u64; 2]>,
    /// The greatest value of a family's parameter, 60 by default.
    pub to: Option<i64>,
    /// What is published of the game of this name: compared with what is found.
    pub published: &'s dyn Fn(&str) -> Vec<PublishedClaim>,
    /// Theorems on families at hand, each checked before it counts; where there is none, one is
    /// sought while there is time, or for some seconds. Without this nothing is proved of families.
    pub theorems: Option<&'s Theorems>,
    /// Where no form of all P-positions is proved: look for theorems on the positions in which some
    /// heaps are empty or one is bounded, in the time that is left, or some seconds.
    pub partial: bool,
    /// Where a rule file does not say which positions occur: search where its moves may begin. What
    /// is found is said of all positions.
    pub where_moves_begin: bool,
    /// Hears each stage of the line of a game of heaps as it is reached.
    pub reached: &'s dyn Fn(Stage<'_>),
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Settings {
            max: None,
            proof: None,
            to: None,
            published: &|_| Vec::new(),
            theorems: None,
            partial: false,
            where_moves_begin: true,
            reached: &|_| (),
        }
    }
}
