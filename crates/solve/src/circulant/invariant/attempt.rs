//! One attempt at a class of circles: a view, the circles from some size on, and limits.

use super::automaton::Automaton;
use super::fold::Words;
use super::reach::{NoWords, words};
use super::train::{NoStrategy, Trainer};
use super::verify::violations;
use super::walk::{Circle, MAX_N, View};
use bouton_rules::{LimitReached, Meter};

/// The class of circles and what is claimed of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class<'c> {
    pub steps: &'c [u32],
    pub misere: bool,
    pub period: usize,
    /// The smallest circle.
    pub from: usize,
    /// Whether the first player loses.
    pub in_p: bool,
}

/// What an attempt may cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Whether the strategy keeps to the usual answer where it can.
    pub keeps_usual: bool,
    /// Positions on one circle while a strategy is sought.
    pub positions: usize,
    /// Words of all circles together.
    pub words: usize,
    /// Conflicts.
    pub patience: usize,
    /// States before minimising.
    pub states: usize,
}

/// Circles whose words are taken before the first fold.
const CIRCLES: usize = 4;

/// How an attempt ended without an invariant.
#[derive(Debug)]
pub(super) enum Failed {
    Spent(LimitReached),
    /// No strategy within the view, as far as was tried.
    Stuck,
    /// The limits of this attempt; how many conditions the last automaton violated.
    Limits(usize),
}

/// Tries to find an automaton whose labels prove the claim. Circles are taken one by one; the strategy is repaired on each, and
/// the words of all are folded and verified.
pub(super) fn attempt(
    class: &Class,
    view: View,
    limits: &Limits,
    meter: &mut Meter,
) -> Result<Automaton, Failed> {
    let circle = |n: usize| Circle { steps: class.steps.to_vec(), n: n as u32, misere: class.misere };
    let mut trainer = Trainer::new(view, !class.in_p, limits.positions, limits.patience, meter);
    trainer.keeps_usual = limits.keeps_usual;
    let mut all: Vec<usize> = Vec::new();
    let mut folded = Words::new();
    let (mut total, mut quiet, mut closest) = (0, 0, usize::MAX);
    for n in (class.from..=MAX_N as usize).step_by(class.period) {
        all.push(n);
        let mut changed = false;
        // A strategy that did well on a few circles is tried as it is.
        if quiet < CIRCLES {
            changed = train(&mut trainer, &circle, &all)?;
        }
        if all.len() < CIRCLES {
            continue;
        }
        let mut again = changed || all.len() == CIRCLES;
        loop {
            let fresh = if again {
                (folded, total) = (Words::new(), 0);
                &all[..]
            } else {
                &all[all.len() - 1..]
            };
            match add(&mut folded, &mut total, fresh, &circle, class, limits, &mut trainer) {
                Ok(()) => break,
                Err(NoWords::Spent(limit)) => return Err(Failed::Spent(limit)),
                Err(NoWords::Many) => return Err(Failed::Limits(closest)),
                Err(NoWords::Loses) => {
                    changed = train(&mut trainer, &circle, &all)?;
                    if !changed {
                        return Err(Failed::Limits(closest));
                    }
                    again = true;
                }
            }
        }
        quiet = if changed { 0 } else { quiet + 1 };
        for overlap in [2, 4] {
            let automaton =
                folded.fold(class.period, overlap, limits.states, trainer.meter).map_err(Failed::Spent)?;
            let Some(automaton) = automaton else { continue };
            let found = violations(&automaton, class, 40 * limits.states, trainer.meter);
            match found.map_err(Failed::Spent)? {
                Some(0) => return Ok(automaton),
                Some(more) => closest = more,
                None => {}
            }
        }
    }
    Err(Failed::Limits(closest))
}

/// Repairs the strategy until it wins on all circles as it is, the last one first. Says whether it had to change.
fn train(trainer: &mut Trainer, circle: &dyn Fn(usize) -> Circle, all: &[usize]) -> Result<bool, Failed> {
    let (mut changed, mut wins, mut at) = (false, 0, all.len() - 1);
    while wins < all.len() {
        match trainer.train(&circle(all[at])) {
            Err(NoStrategy::Spent(limit)) => return Err(Failed::Spent(limit)),
            Err(NoStrategy::Stuck) => return Err(Failed::Stuck),
            Ok(None) => return Err(Failed::Limits(usize::MAX)),
            Ok(Some(true)) => (changed, wins) = (true, 1),
            Ok(Some(false)) => wins += 1,
        }
        // After a new circle that changes nothing the others are as they were.
        if !changed {
            break;
        }
        at = (at + 1) % all.len();
    }
    Ok(changed)
}

/// Adds the words of circles.
fn add(
    folded: &mut Words,
    total: &mut usize,
    fresh: &[usize],
    circle: &dyn Fn(usize) -> Circle,
    class: &Class,
    limits: &Limits,
    trainer: &mut Trainer,
) -> Result<(), NoWords> {
    let strategy = trainer.strategy();
    for n in fresh {
        let most = limits.words.saturating_sub(*total);
        let found = words(&circle(*n), &strategy, !class.in_p, most, trainer.meter)?;
        *total += found.len();
        folded.add(n - 1, &found);
    }
    Ok(())
}
