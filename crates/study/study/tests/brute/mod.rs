//! Outcomes of a rule file by brute force from its formula.

use bouton_core::{Formula, Moves, Play};
use bouton_games::RuleText;
use std::collections::HashMap;

/// Outcomes by the formula alone: no heap grows, a token is taken, and what is remembered is at
/// most the greatest number given.
pub struct Brute {
    moves: Formula,
    heaps: usize,
    most: Vec<u64>,
    play: Play,
    known: HashMap<Vec<u64>, bool>,
}

impl Brute {
    /// Reads a rule file; `most` are the greatest numbers, of which those of heaps are not needed.
    pub fn new(text: &str, most: &[u64], play: Play) -> Brute {
        let text = RuleText::read(text).unwrap();
        let heaps = text.heaps.fixed().unwrap();
        let moves = Formula::parse_over(&text.moves, &Moves::names(heaps + text.memory)).unwrap();
        Brute { moves, heaps, most: most.to_vec(), play, known: HashMap::new() }
    }

    /// Returns all options of a position.
    pub fn options(&self, p: &[u64]) -> Vec<Vec<u64>> {
        let top = |place: usize| if place < self.heaps { p[place] } else { self.most[place] };
        let tops: Vec<u64> = (0..p.len()).map(top).collect();
        let tokens = |p: &[u64]| p[..self.heaps].iter().sum::<u64>();
        let is_option = |q: &Vec<u64>| {
            let values: Vec<u64> = p.iter().zip(q).flat_map(|(p, q)| [*p, *q]).collect();
            tokens(q) < tokens(p) && self.moves.holds(&values) == Ok(true)
        };
        boxed(&tops).into_iter().filter(is_option).collect()
    }

    /// Returns whether the player to move loses: whoever cannot move does, and in misère play wins.
    pub fn is_p(&mut self, p: &[u64]) -> bool {
        if let Some(known) = self.known.get(p) {
            return *known;
        }
        let options = self.options(p);
        let may_be_lost = self.play == Play::Normal || !options.is_empty();
        let lost = may_be_lost && options.iter().all(|q| !self.is_p(q));
        self.known.insert(p.to_vec(), lost);
        lost
    }
}

/// Returns all positions with numbers up to these.
pub fn boxed(tops: &[u64]) -> Vec<Vec<u64>> {
    tops.iter().fold(vec![vec![]], |all: Vec<Vec<u64>>, top| {
        all.iter().flat_map(|p| (0..=*top).map(move |x| [&p[..], &[x]].concat())).collect()
    })
}
