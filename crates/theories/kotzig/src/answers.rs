//! Positions of Kotzig's Nim by a theorem on circles of every size.
//!
//! The theorem says who wins from the start, whatever the size. Of other positions its automata
//! know those that come up when the winner plays as they say, and more: where one labels a position
//! or decides it by the labels of its options, that is its outcome. A winner who follows the labels
//! never leaves them, so this is perfect play on circles that no search can take.

use crate::circle_theorem::CircleTheorem;
use crate::invariant::{MAX_WIDTH, canonical_steps};
use crate::kotzig_circle;
use crate::ring::Ring;
use bouton_core::Budget;
use bouton_core::clock::Instant;
use bouton_core::{Arrange, MoveText, Outcome, Play};
use bouton_engine::{Analysis, Evaluation, Game, Move};
use bouton_theory::verdict::Scope;
use bouton_theory::{CertificateStore, Justification, TheoryAnswers};
use std::collections::HashMap;

/// The circle that a game is played on.
#[derive(Debug, Clone)]
pub(crate) struct NamedCircle {
    /// The steps as theorems name them, ascending.
    pub steps: Vec<i64>,
    cells: usize,
    /// Whether theorems see it turned over.
    over: bool,
}

/// A circle and the theorem about it.
pub(crate) struct TheoremOnCircle {
    /// The circle.
    pub circle: NamedCircle,
    /// The theorem.
    pub theorem: CircleTheorem,
}

/// With more free cells than this a theorem is asked before any search.
const SEARCHED: usize = 60;

/// Positions as the proof marks them on the way that a game took to them.
#[derive(Debug, Default)]
pub(crate) struct MarkedHistory(HashMap<String, Ring>);

/// Marks of the history that are kept at most, all together.
const KEPT: usize = 50_000_000;

impl MarkedHistory {
    fn known(&self, at: &Ring) -> Option<Ring> {
        if at.is_start() {
            return Some(at.clone());
        }
        self.0.get(&at.text()).cloned()
    }

    fn keep(&mut self, at: &Ring, path: Option<Ring>) {
        let Some(path) = path else { return };
        if self.0.len() * at.marked.len() > KEPT {
            self.0.clear();
        }
        self.0.insert(at.text(), path);
    }

    /// Goes through the positions of a game.
    pub(crate) fn follow(&mut self, circle: &NamedCircle, line: &[String]) {
        let mut way: Option<Ring> = None;
        for position in line {
            let Some(at) = Ring::read(position, circle.cells, circle.over) else { return };
            way = match way {
                None => self.known(&at),
                Some(before) => {
                    let step = circle.steps.iter().find(|step| before.to(**step) == Some(at.token));
                    step.map(|step| before.after(*step, &circle.steps))
                }
            };
            self.keep(&at, way.clone());
        }
    }
}

impl NamedCircle {
    /// Returns the circle of a game of Kotzig's Nim; `None` for other games.
    pub(crate) fn from_game(game: &dyn Game) -> Option<NamedCircle> {
        let (steps, cells) = kotzig_circle(game)?;
        let steps: Vec<i64> =
            steps.iter().map(|step| i64::try_from(*step).ok()).collect::<Option<_>>()?;
        (!steps.is_empty() && cells > 0).then(|| NamedCircle::with(steps, cells))
    }

    /// Returns a circle of cells, at least 1. Large steps that are small ones back are taken for
    /// these.
    fn with(mut steps: Vec<i64>, cells: usize) -> NamedCircle {
        let n = cells as i64;
        if steps.iter().any(|step| step.unsigned_abs() > MAX_WIDTH) {
            let short = |step: &i64| match step.rem_euclid(n) {
                forth if 2 * forth > n => forth - n,
                forth => forth,
            };
            let all: Vec<i64> = steps.iter().map(short).filter(|step| *step != 0).collect();
            if !all.is_empty() && all.iter().all(|step| step.unsigned_abs() <= MAX_WIDTH) {
                steps = all;
            }
        }
        steps.arrange();
        let named = canonical_steps(&steps);
        let over = named != steps;
        NamedCircle { steps: named, cells, over }
    }

    /// Returns whether so much is left to play that a theorem is asked first.
    pub(crate) fn is_large(&self, position: &str) -> bool {
        self.cells > SEARCHED
            && Ring::read(position, self.cells, self.over).is_some_and(|ring| {
                ring.marked.iter().filter(|marked| !**marked).count() > SEARCHED
            })
    }

    /// Returns the options, in the order of their cells: the step to each, and the position.
    fn options(&self, ring: &Ring) -> Vec<(i64, Ring)> {
        let mut all: Vec<(i64, Ring)> = Vec::new();
        for step in &self.steps {
            if ring.to(*step).is_some_and(|to| all.iter().all(|(_, other)| other.token != to)) {
                all.push((*step, ring.plainly_after(*step)));
            }
        }
        all.arrange_by_key(|(_, option)| option.token);
        all
    }
}

impl TheoremOnCircle {
    /// Returns the outcome of a position; `path`: the same as the proof marks it on the way that
    /// was gone, where that is known.
    fn outcome(&self, ring: &Ring, path: Option<&Ring>) -> Option<Outcome> {
        if ring.is_start() {
            return self.theorem.outcome(self.circle.cells as u64);
        }
        let known = path.and_then(|path| self.theorem.label(path));
        known.or_else(|| {
            ring.readings(&self.circle.steps).iter().find_map(|ring| self.theorem.label(ring))
        })
    }

    /// Returns what is known of a position by the theorem and its automata; `None` where that is
    /// nothing, or play is over. O(n). `history`: positions as the proof marks them on the way that
    /// was gone; those of the options are added.
    fn answer(
        &self,
        position: &str,
        history: &mut MarkedHistory,
    ) -> Option<(Analysis, Justification)> {
        let at = Ring::read(position, self.circle.cells, self.circle.over)?;
        let path = history.known(&at);
        let options = self.circle.options(&at);
        let after = |step: i64| path.as_ref().map(|path| path.after(step, &self.circle.steps));
        let paths: Vec<Option<Ring>> = options.iter().map(|(step, _)| after(*step)).collect();
        let outcomes: Vec<Option<Outcome>> = options
            .iter()
            .zip(&paths)
            .map(|((_, option), path)| self.outcome(option, path.as_ref()))
            .collect();
        let by_options = match () {
            () if options.is_empty() => return None,
            () if outcomes.contains(&Some(Outcome::P)) => Some(Outcome::N),
            () if outcomes.iter().all(|outcome| *outcome == Some(Outcome::N)) => Some(Outcome::P),
            () => None,
        };
        let outcome = by_options.or_else(|| self.outcome(&at, path.as_ref()))?;
        for ((_, option), path) in options.iter().zip(paths) {
            history.keep(option, path);
        }
        let moves = options.iter().zip(outcomes).map(|((step, option), known)| Move {
            to: option.text(),
            text: MoveText::Change(format!(
                "{} → {} (step {})",
                at.token,
                option.token,
                if self.circle.over { -step } else { *step }
            )),
            // From a lost position all options are won.
            evaluation: Evaluation {
                outcome: if outcome.is_p() { Some(Outcome::N) } else { known },
                ..Evaluation::default()
            },
            brings: None,
        });
        let CircleTheorem { game, play, .. } = &self.theorem;
        let misere = if *play == Play::Misere { "misère " } else { "" };
        let evaluation = Evaluation { outcome: Some(outcome), ..Evaluation::default() };
        let analysis = Analysis::without_search(at.text(), evaluation, moves.collect());
        let by = Justification::FamilyTheorem {
            statement: format!("{misere}{game}: P iff {}", self.theorem.statement()),
            scope: Scope::EveryN,
            certificate: self.theorem.hash().to_owned(),
        };
        Some((analysis, by))
    }
}

/// What theorems on circles of every size say of the positions of one game.
pub(crate) struct CircleAnswers {
    circle: NamedCircle,
    play: Play,
    /// The theorem, once it was asked for; within, none if there is none.
    theorem: Option<Option<TheoremOnCircle>>,
    history: MarkedHistory,
}

impl CircleAnswers {
    /// Returns answers with nothing looked up yet; `None` for games that are not Kotzig's Nim.
    pub(crate) fn new(game: &dyn Game, play: Play) -> Option<CircleAnswers> {
        let circle = NamedCircle::from_game(game)?;
        Some(CircleAnswers { circle, play, theorem: None, history: MarkedHistory::default() })
    }
}

impl TheoryAnswers for CircleAnswers {
    fn is_large(&self, position: &str) -> bool {
        self.circle.is_large(position)
    }

    fn follow(&mut self, line: &[String]) {
        self.history.follow(&self.circle, line);
    }

    fn answer(
        &mut self,
        position: &str,
        certificates: &CertificateStore,
        budget: &Budget,
    ) -> Option<(Analysis, Justification)> {
        let started = Instant::now();
        let (circle, play) = (&self.circle, self.play);
        let theorem = self.theorem.get_or_insert_with(|| {
            // Where the budget ends the search says so.
            let theorem = CircleTheorem::from_store(certificates, &circle.steps, play, budget);
            Some(TheoremOnCircle { circle: circle.clone(), theorem: theorem.ok()?? })
        });
        let (mut analysis, by) = theorem.as_ref()?.answer(position, &mut self.history)?;
        analysis.seconds = started.elapsed().as_secs_f64();
        Some((analysis, by))
    }
}
