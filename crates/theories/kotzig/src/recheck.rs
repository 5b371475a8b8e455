//! A second look at the outcome of a game of Kotzig's Nim: by the rules alone, or by a strategy
//! replayed.

use crate::strategy::Strategy;
use crate::{Circulant, Position, plain};
use bouton_core::{Budget, Meter, Outcome, Play};
use bouton_theory::checked::check_certificate;

/// Bytes for one strategy.
pub(crate) const BYTES: u64 = 1 << 30;

/// How it was computed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recomputed {
    /// By the rules-only search, with the same outcome.
    Rules,
    /// By replaying a winning strategy against every reply.
    Replayed,
    /// By the search, where it was found in another way.
    Searched,
    /// Neither was within reach.
    OutOfReach,
    /// With another outcome: a fault of this program.
    Contradicted,
}

impl Recomputed {
    /// Returns the words for how something was confirmed.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Recomputed::Rules => "the rules-only search finds the same",
            Recomputed::Searched => "a search of the moves finds the same",
            _ => "a winning strategy was replayed against every reply",
        }
    }
}

/// Nodes for the rules-only search of one game.
const PLAIN: u64 = 100_000_000;

/// Looks again at the outcome of a game from its start: by the rules alone or, where that is too
/// far, by replaying a winning strategy with the certificate checker.
pub(crate) fn recheck_outcome(
    game: &Circulant,
    found: Outcome,
    play: Play,
    budget: &Budget,
) -> Recomputed {
    let meter =
        |nodes| Meter::new(&Budget { nodes: Some(nodes), bytes: Some(BYTES), ..budget.clone() });
    match plain::outcome(game, &Position::start(), play, &mut meter(PLAIN)) {
        Ok(outcome) if outcome == found => return Recomputed::Rules,
        Ok(_) => return Recomputed::Contradicted,
        Err(_) => {}
    }
    let nodes = budget.nodes.unwrap_or(u64::MAX).saturating_mul(4);
    match replay_of(game, found, play, &mut meter(nodes)) {
        None => Recomputed::OutOfReach,
        Some(true) => Recomputed::Replayed,
        Some(false) => Recomputed::Contradicted,
    }
}

/// Returns whether a winning strategy that shows this outcome is accepted by the certificate
/// checker; `None` if none was found within the budget.
pub(crate) fn replay_of(
    game: &Circulant,
    found: Outcome,
    play: Play,
    meter: &mut Meter,
) -> Option<bool> {
    let start = Position::start();
    let strategy = Strategy::find(game, &start, play, meter).ok()?;
    let text = strategy.certificate(game, &start, play).to_text();
    Some(strategy.outcome == found && matches!(check_certificate(&text, meter.budget()), Ok(Ok(_))))
}
