//! A winning strategy as a certificate: the winner's move wherever he has a choice.
//!
//! The tree of all games that the winner can be forced into has one entry for all positions of
//! which the token reaches the same free cells: they are one game. Where the winner has one move
//! only, it isn't written down. The figures of Tan & Ward show such trees, drawn by hand; here a
//! separate program replays them against every reply.

use super::position::reach;
use super::search::{Solver, Techniques};
use super::{Circulant, MAX_CELLS, Position};
use bouton_certificate::{Certificate, CertificateKind};
use bouton_core::{LimitReached, Meter, Outcome, Play};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Who wins from a position, and how.
#[derive(Debug, Clone)]
pub struct Strategy {
    /// The outcome of the position.
    pub outcome: Outcome,
    /// The winner's moves: the cells in reach (see the certificate's format), and the step to take
    /// there.
    pub moves: BTreeMap<Reach, u64>,
    /// Positions with the winner to move that can arise, forced ones included.
    pub positions: usize,
}

/// The free cells in reach of the token, in four words from the most significant: bit i is the cell
/// i after the token's.
pub type Reach = [u64; MAX_CELLS / 64];

impl Strategy {
    /// Returns a strategy of the winner. Costs a search for every position in which the winner has
    /// a choice.
    ///
    /// # Errors
    /// The budget is exhausted.
    ///
    /// # Panics
    /// If the position has marks past the end of the circle.
    pub fn find(
        game: &Circulant,
        at: &Position,
        play: Play,
        meter: &mut Meter,
    ) -> Result<Strategy, LimitReached> {
        let mut solver = Solver::new(play, Techniques::default());
        let outcome = solver.outcome_of(game, at, meter)?;
        let (steps, mut moves) = (game.steps(), BTreeMap::new());
        let mut seen = FxHashSet::default();
        let mut todo: Vec<Position> = match outcome {
            Outcome::N => vec![*at],
            Outcome::P => at.options(game).into_iter().map(|(_, option)| option).collect(),
        };
        while let Some(position) = todo.pop() {
            let mut key = reach(&steps, game.n(), position.token(), |cell| !position.has(cell));
            key.reverse();
            if !seen.insert(key) {
                continue;
            }
            meter.check_bytes(seen.len() as u64 * 4 * size_of::<Reach>() as u64)?;
            let options = position.options(game);
            let mut winning = None;
            for (step, option) in &options {
                if options.len() == 1 || solver.outcome_of(game, option, meter)?.is_p() {
                    winning = Some((*step, *option));
                    break;
                }
            }
            // In misère play the winner may be stuck, which is his aim.
            let Some((step, option)) = winning else { continue };
            if options.len() > 1 {
                moves.insert(key, step);
            }
            todo.extend(option.options(game).into_iter().map(|(_, reply)| reply));
        }
        Ok(Strategy { outcome, moves, positions: seen.len() })
    }

    /// Returns the certificate that the position has this outcome.
    pub fn certificate(&self, game: &Circulant, at: &Position, play: Play) -> Certificate {
        let mut body = String::new();
        for (reach, step) in &self.moves {
            let digits: String = reach.iter().map(|word| format!("{word:016x}")).collect();
            let _ = writeln!(body, "{} {step}", digits.trim_start_matches('0'));
        }
        if body.is_empty() {
            body.push_str("every move of the winner is forced\n");
        }
        Certificate {
            kind: CertificateKind::Strategy,
            game: game.to_string(),
            claim: format!("{at} is {} in {play} play", self.outcome),
            body,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::plain;
    use super::*;
    use bouton_core::Budget;

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    /// Returns a strategy in which the player said to win takes any legal move at all.
    fn by_lot(
        game: &Circulant,
        outcome: Outcome,
        lot: &mut impl FnMut(usize) -> usize,
    ) -> Strategy {
        let (steps, mut moves, mut todo) = (game.steps(), BTreeMap::new(), vec![]);
        match outcome {
            Outcome::N => todo.push(Position::start()),
            Outcome::P => {
                todo.extend(Position::start().options(game).into_iter().map(|(_, option)| option))
            }
        }
        while let Some(position) = todo.pop() {
            let mut key = reach(&steps, game.n(), position.token(), |cell| !position.has(cell));
            key.reverse();
            let options = position.options(game);
            if moves.contains_key(&key) || options.is_empty() {
                continue;
            }
            let (step, option) = options[lot(options.len())];
            moves.insert(key, step);
            todo.extend(option.options(game).into_iter().map(|(_, reply)| reply));
        }
        Strategy { outcome, moves, positions: 0 }
    }

    #[test]
    fn strategies_are_accepted_and_false_claims_never() {
        let mut drawn = fastrand::Rng::with_seed(1);
        let mut lot = |of: usize| drawn.usize(..of);
        let sets = [
            vec![1, 2],
            vec![1, 4],
            vec![2, 5],
            vec![3, 7],
            vec![1, 2, 3],
            vec![2, 3, 5, 8],
            vec![4],
        ];
        for (play, set) in
            [Play::Normal, Play::Misere].into_iter().flat_map(|p| sets.iter().map(move |s| (p, s)))
        {
            for n in 1..=15 {
                let (game, start) = (Circulant::new(set, n).unwrap(), Position::start());
                let truth = plain::outcome(&game, &start, play, &mut meter()).unwrap();
                let strategy = Strategy::find(&game, &start, play, &mut meter()).unwrap();
                assert_eq!(strategy.outcome, truth, "{game}");
                let text = strategy.certificate(&game, &start, play).to_text();
                assert!(
                    bouton_check::check(&text).is_ok(),
                    "{:?} {text}",
                    bouton_check::check(&text)
                );
                let wrong = if truth.is_p() { Outcome::N } else { Outcome::P };
                for _ in 0..20 {
                    let text =
                        by_lot(&game, wrong, &mut lot).certificate(&game, &start, play).to_text();
                    assert!(bouton_check::check(&text).is_err(), "{text}");
                }
            }
        }
    }

    /// Every step of a strategy changed to another legal one: accepted only where that one wins,
    /// too.
    #[test]
    fn a_changed_move_is_noticed() {
        let (game, start) = (Circulant::new(&[1, 4], 23).unwrap(), Position::start());
        let strategy = Strategy::find(&game, &start, Play::Normal, &mut meter()).unwrap();
        assert_eq!(strategy.outcome, Outcome::P);
        let mut rejected = 0;
        for (key, step) in &strategy.moves {
            let mut changed = strategy.clone();
            changed.moves.insert(*key, 5 - step);
            let text = changed.certificate(&game, &start, Play::Normal).to_text();
            rejected += usize::from(bouton_check::check(&text).is_err());
        }
        assert!(rejected * 2 > strategy.moves.len(), "{rejected} of {}", strategy.moves.len());
    }

    #[test]
    fn positions_in_play_have_strategies() {
        let game = Circulant::new(&[1, 5], 24).unwrap();
        let at = Position::new(&game, [0, 5, 6], 6).unwrap();
        let strategy = Strategy::find(&game, &at, Play::Misere, &mut meter()).unwrap();
        assert_eq!(plain::outcome(&game, &at, Play::Misere, &mut meter()), Ok(strategy.outcome));
        let text = strategy.certificate(&game, &at, Play::Misere).to_text();
        assert!(text.contains("claim: 0,5,6/6 is ") && bouton_check::check(&text).is_ok());
    }
}
