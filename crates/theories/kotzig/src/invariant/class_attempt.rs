//! One attempt at a class of circles: a view, the circles from some size on, and limits.

use super::automaton::Automaton;
use super::generalise::Words;
use super::local_view::{CircleRules, MAX_N, Steps, View};
use super::reachable_words::{WordsError, words};
use super::strategy_repair::{NoStrategy, Trainer};
use super::verify::violations;
use bouton_core::{LimitReached, Meter};

/// The class of circles and what is claimed of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class<'c> {
    pub steps: &'c Steps,
    pub misere: bool,
    pub period: usize,
    /// The smallest circle.
    pub from: usize,
    /// Whether the first player loses.
    pub in_p: bool,
}

/// What an attempt is made with, and what it may cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Limits {
    /// Whether the strategy keeps to the usual answer where it can.
    pub keeps_usual: bool,
    /// The usual answer: 0 the other step, 1 the same.
    pub usual: u8,
    /// Positions on one circle while a strategy is sought.
    pub positions: usize,
    /// Nodes of the sets of words.
    pub nodes: usize,
    /// Conflicts.
    pub patience: usize,
    /// States before minimising.
    pub states: usize,
}

/// Bytes that a position takes while a strategy is sought, a node of the sets, and a state of the
/// fold, tables that grow included.
const BYTES: [u64; 3] = [250, 300, 600];

impl Limits {
    /// Returns the same limits, but that each step of an attempt holds no more bytes than this.
    pub(super) fn within(self, bytes: Option<u64>) -> Limits {
        let Some(bytes) = bytes else { return self };
        let most = BYTES.map(|each| usize::try_from(bytes / each).unwrap_or(usize::MAX));
        Limits {
            positions: self.positions.min(most[0]),
            nodes: self.nodes.min(most[1]),
            states: self.states.min(most[2]),
            ..self
        }
    }
}

/// Circles on which a strategy is trained before it is tried as it is.
const TRAINED: usize = 2;
/// Circles whose words are taken before the first fold.
const CIRCLES: usize = 4;
/// Circles are at most so large.
const MAX_CIRCLE: usize = 200;

/// How an attempt ended without an invariant.
#[derive(Debug)]
pub(super) enum NoInvariant {
    Spent(LimitReached),
    /// No strategy within the view, as far as was tried.
    Stuck,
    /// The limits of this attempt; how many conditions the last automaton violated.
    Limits(usize),
}

/// Tries to find an automaton whose labels prove the claim. Circles are taken one by one; the
/// strategy is repaired where it loses, and the words of all are folded and verified.
pub(super) fn attempt(
    class: &Class,
    view: View,
    limits: &Limits,
    meter: &mut Meter,
) -> Result<Automaton, NoInvariant> {
    let circle =
        |n: usize| CircleRules { steps: class.steps.clone(), n: n as u32, misere: class.misere };
    let mut trainer = Trainer::new(view, !class.in_p, limits, meter);
    let mut all: Vec<usize> = Vec::new();
    let mut folded = Words::new();
    let mut closest = usize::MAX;
    for n in (class.from..=MAX_CIRCLE).step_by(class.period) {
        all.push(n);
        if all.len() <= TRAINED {
            train(&mut trainer, &circle, &all, all.len() - 1)?;
        }
        if all.len() < CIRCLES {
            continue;
        }
        // From the first circle on that is not yet folded, all of them after every repair.
        let mut next = if all.len() == CIRCLES { 0 } else { all.len() - 1 };
        while let Some(n) = all.get(next) {
            let strategy = trainer.strategy();
            match words(
                &circle(*n),
                &strategy,
                !class.in_p,
                limits.nodes,
                &mut folded.sets,
                trainer.meter,
            ) {
                Ok(root) => {
                    folded.add(n - 1, root);
                    next += 1;
                }
                Err(WordsError::Spent(limit)) => return Err(NoInvariant::Spent(limit)),
                Err(WordsError::Many) => return Err(NoInvariant::Limits(closest)),
                Err(WordsError::Loses) => {
                    train(&mut trainer, &circle, &all, next)?;
                    (folded, next) = (Words::new(), 0);
                }
            }
        }
        for overlap in [2, 4] {
            let automaton = folded
                .fold(class.period, overlap, limits.states, trainer.meter)
                .map_err(NoInvariant::Spent)?;
            let Some(automaton) = automaton else { continue };
            let found = violations(&automaton, class, 40 * limits.states, trainer.meter);
            match found.map_err(NoInvariant::Spent)? {
                Some(0) => return Ok(automaton),
                Some(more) => closest = more,
                None => {}
            }
        }
    }
    Err(NoInvariant::Limits(closest))
}

/// Repairs the strategy until it wins on a circle and all before it.
fn train(
    trainer: &mut Trainer,
    circle: &dyn Fn(usize) -> CircleRules,
    all: &[usize],
    first: usize,
) -> Result<(), NoInvariant> {
    let (mut wins, mut at) = (0, first);
    while wins <= first {
        if all[at] > MAX_N as usize {
            return Err(NoInvariant::Limits(usize::MAX));
        }
        match trainer.train(&circle(all[at])) {
            Err(NoStrategy::Spent(limit)) => return Err(NoInvariant::Spent(limit)),
            Err(NoStrategy::Stuck) => return Err(NoInvariant::Stuck),
            Ok(None) => return Err(NoInvariant::Limits(usize::MAX)),
            Ok(Some(true)) => wins = 1,
            // A strategy that needs no change here is as it was on the others.
            Ok(Some(false)) if wins == 0 => break,
            Ok(Some(false)) => wins += 1,
        }
        at = (at + 1) % (first + 1);
    }
    Ok(())
}
