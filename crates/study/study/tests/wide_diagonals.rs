//! Wythoff's game with diagonals of width k, with other ends, other moves or fewer: automata in the
//! digits of Zeckendorf to base k + 1 (Fraenkel 1982), against brute force from the rules, which are
//! written down here once more.
#![allow(clippy::unwrap_used, reason = "a test")]

mod sealed;

use bouton_check::check;
use bouton_core::{Budget, Deadline, Play};
use bouton_engine::Game;
use bouton_games::RuleFile;
use bouton_prover::Acceptor;
use bouton_study::{Ending, Failure, Tables, Verdict, follow, settle_automaton};
use sealed::again;
use std::time::Duration;

/// A game of the family.
struct Diagonals {
    /// The width: from a, b to a − s, b − t with |s − t| < k.
    k: u64,
    /// It ends as soon as so few tokens are left.
    end: u64,
    /// Further steps, in either direction.
    added: &'static [[u64; 2]],
    /// Steps that are no moves, in either direction.
    removed: &'static [[u64; 2]],
}

const GAMES: [Diagonals; 9] = [
    Diagonals { k: 2, end: 1, added: &[], removed: &[] },
    Diagonals { k: 2, end: 2, added: &[], removed: &[] },
    Diagonals { k: 2, end: 3, added: &[], removed: &[] },
    Diagonals { k: 3, end: 1, added: &[], removed: &[] },
    Diagonals { k: 3, end: 2, added: &[], removed: &[] },
    Diagonals { k: 4, end: 1, added: &[], removed: &[] },
    Diagonals { k: 2, end: 0, added: &[], removed: &[[0, 1]] },
    Diagonals { k: 2, end: 0, added: &[], removed: &[[1, 1]] },
    Diagonals { k: 2, end: 1, added: &[[2, 4]], removed: &[[1, 2]] },
];

impl Diagonals {
    /// Whether so many tokens may be taken.
    fn is_step(&self, s: u64, t: u64) -> bool {
        let listed = |steps: &[[u64; 2]]| steps.contains(&[s, t]) || steps.contains(&[t, s]);
        let is_plain = (s > 0 || t > 0) && (s == 0 || t == 0 || s.abs_diff(t) < self.k);
        listed(self.added) || is_plain && !listed(self.removed)
    }

    fn rules(&self) -> Box<dyn Game> {
        let (k, end) = (self.k, self.end);
        let step = |[s, t]: &[u64; 2]| format!("p0 = q0+{s} & p1 = q1+{t} | p0 = q0+{t} & p1 = q1+{s}");
        let any = |steps: &[[u64; 2]]| steps.iter().map(step).collect::<Vec<_>>().join(" | ");
        let mut moves = format!("q0 = p0 | q1 = p1 | p0+q1 < p1+q0+{k} & p1+q0 < p0+q1+{k}");
        if !self.removed.is_empty() {
            moves = format!("({moves}) & ~({})", any(self.removed));
        }
        if !self.added.is_empty() {
            moves = format!("{moves} | {}", any(self.added));
        }
        let text = format!(
            "name = \"diagonals\"\nheaps = 2\nsymmetry = \"full\"\nmove = \"p0+p1 > {end} & ({moves})\"\n"
        );
        RuleFile::parse(&text).unwrap().game()
    }

    /// Whether a position is P, of all with heaps up to a bound.
    fn lost(&self, most: u64) -> Vec<Vec<bool>> {
        let mut lost: Vec<Vec<bool>> = vec![Vec::new(); most as usize + 1];
        for a in 0..=most {
            for b in 0..=most {
                let mut options = (0..=a).flat_map(|s| (0..=b).map(move |t| (s, t)));
                let won = a + b > self.end
                    && options.any(|(s, t)| self.is_step(s, t) && lost[(a - s) as usize][(b - t) as usize]);
                lost[a as usize].push(!won);
            }
        }
        lost
    }
}

#[test]
fn debug() {
    for own in &GAMES[4..6] {
        let game = own.rules();
        let stated = game.heap_game().unwrap();
        let budget = Budget { deadline: Some(Deadline::after(Duration::from_secs(60))), ..Budget::default() };
        let begun = std::time::Instant::now();
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &budget, &|text| eprintln!("{:?} {text}", begun.elapsed())));
        eprintln!("{:?} {:?}", line.ending.word(), line.automaton().map(|own| (own.base, own.zeckendorf, own.next.len())));
    }
}
