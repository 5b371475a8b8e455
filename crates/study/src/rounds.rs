//! Positions of Kotzig's Nim by a theorem on circles of every size.
//!
//! The theorem says who wins from the start, whatever the size. Of other positions its automata know those that come up when the winner
//! plays as they say, and more: where one labels a position or decides it by the labels of its options, that is its outcome. A
//! winner who follows the labels never leaves them, so this is perfect play on circles that no search can take.

use crate::answer::{Answer, By};
use crate::circles::CircleTheorem;
use bouton_games::KotzigFamily;
use bouton_rules::{Outcome, Play};
use bouton_solve::{Analysis, Evaluation, Game, Move};

/// The circle that a game is played on.
#[derive(Debug, Clone)]
pub(crate) struct Circle {
    /// The steps, ascending.
    pub steps: Vec<u64>,
    cells: usize,
}

/// A circle and the theorem about it.
pub(crate) struct Rounds {
    /// The circle.
    pub circle: Circle,
    /// The theorem.
    pub theorem: CircleTheorem,
}

/// With more free cells than this a theorem is asked before any search.
const SEARCHED: usize = 64;

/// A position: the marked cells and the token's.
#[derive(Clone)]
struct At {
    marked: Vec<bool>,
    token: usize,
}

impl Circle {
    /// The circle of a game of Kotzig's Nim; `None` for other games.
    pub(crate) fn of(game: &dyn Game) -> Option<Circle> {
        let name = game.name();
        if !name.starts_with("Gamma(") || !game.rule_files().is_empty() {
            return None;
        }
        let family = KotzigFamily::parse(&name).ok().filter(|family| family.names().is_empty())?;
        let cells = usize::try_from(family.line(&[])?[1]).ok().filter(|cells| *cells > 0)?;
        Some(Circle { steps: family.steps(&[])?, cells })
    }

    fn read(&self, position: &str) -> Option<At> {
        let (cells, token) = position.split_once('/')?;
        let mut marked = vec![false; self.cells];
        for cell in cells.split(',') {
            *marked.get_mut(cell.trim().parse::<usize>().ok()?)? = true;
        }
        let token = token.trim().parse().ok().filter(|token| *token < self.cells)?;
        Some(At { marked, token })
    }

    /// Whether so much is left to play that a theorem is asked first.
    pub(crate) fn is_large(&self, position: &str) -> bool {
        self.cells > SEARCHED
            && self
                .read(position)
                .is_some_and(|at| at.marked.iter().filter(|cell| !**cell).count() > SEARCHED)
    }

    /// The options, by their cells: the step to each, and the position.
    fn options(&self, at: &At) -> Vec<(u64, At)> {
        let mut all: Vec<(u64, At)> = Vec::new();
        for step in &self.steps {
            let to = (at.token + (step % self.cells as u64) as usize) % self.cells;
            if !at.marked[to] && all.iter().all(|(_, other)| other.token != to) {
                let mut option = At { token: to, ..at.clone() };
                option.marked[to] = true;
                all.push((*step, option));
            }
        }
        all.sort_by(|(_, a), (_, b)| a.text().cmp(&b.text()));
        all
    }
}

impl At {
    fn text(&self) -> String {
        let cells = self.marked.iter().enumerate().filter(|(_, marked)| **marked);
        let cells: Vec<String> = cells.map(|(cell, _)| cell.to_string()).collect();
        format!("{}/{}", cells.join(","), self.token)
    }

    fn is_start(&self) -> bool {
        self.marked.iter().filter(|marked| **marked).count() == 1
    }
}

impl Rounds {
    fn outcome(&self, at: &At) -> Option<Outcome> {
        let n = self.circle.cells;
        if at.is_start() {
            return self.theorem.outcome(n as u64);
        }
        self.theorem.label((1..n).map(|i| at.marked[(at.token + i) % n]))
    }

    /// What is known of a position by the theorem and its automata; `None` where that is nothing, or play is over. O(n).
    pub(crate) fn answer(&self, position: &str) -> Option<Answer> {
        let at = self.circle.read(position)?;
        let options = self.circle.options(&at);
        let outcomes: Vec<Option<Outcome>> = options.iter().map(|(_, option)| self.outcome(option)).collect();
        let by_options = match () {
            () if options.is_empty() => return None,
            () if outcomes.contains(&Some(Outcome::P)) => Some(Outcome::N),
            () if outcomes.iter().all(|outcome| *outcome == Some(Outcome::N)) => Some(Outcome::P),
            () => None,
        };
        let outcome = by_options.or_else(|| self.outcome(&at))?;
        let moves = options.iter().zip(outcomes).map(|((step, option), known)| Move {
            to: option.text(),
            text: format!("{} → {} (step {step})", at.token, option.token),
            // From a lost position all options are won.
            evaluation: Evaluation {
                outcome: if outcome.is_p() { Some(Outcome::N) } else { known },
                ..Evaluation::default()
            },
            brings: None,
        });
        let CircleTheorem { game, play, .. } = &self.theorem;
        let misere = if *play == Play::Misere { "misère " } else { "" };
        Some(Answer {
            analysis: Analysis {
                position: at.text(),
                evaluation: Evaluation { outcome: Some(outcome), ..Evaluation::default() },
                moves: moves.collect(),
                best_play: None,
                remarks: Vec::new(),
                spent: None,
                nodes: 0,
                seconds: 0.0,
            },
            by: By::Circles {
                statement: format!("{misere}{game}: P iff {}", self.theorem.statement()),
                certificate: self.theorem.hash().to_owned(),
            },
            moves: Some(options.len().into()),
            ignored: None,
        })
    }
}
