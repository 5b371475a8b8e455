//! Rules and claims in words. Outside the kernel: everything here is read off the data that the
//! kernel works with.

use super::rules::{Game, Symmetry};

impl Game {
    /// The rules in words: all that is said of a move in [`Game::bounds`] and [`Game::condition`].
    pub fn describe(&self) -> String {
        let n = self.heaps;
        let mut text = match (self.shrinks, self.lowered) {
            (true, _) => format!(
                "A position is a circle of up to {n} heaps, none empty: a heap that is emptied leaves, and the circle closes up."
            ),
            (_, _) if self.symmetry == Symmetry::Ring && self.faces.is_none() => {
                format!("A position is a circle of {n} heaps.")
            }
            _ if n == 1 => "A position is one heap.".into(),
            _ => format!("A position is a row of {n} heaps."),
        };
        let which = match &self.faces {
            Some(faces) => {
                let one = |face: &Vec<usize>| {
                    face.iter().map(|h| (h + 1).to_string()).collect::<Vec<_>>().join(",")
                };
                format!("heaps of one of the sets {}", faces.iter().map(one).collect::<Vec<_>>().join("; "))
            }
            None if self.lowered == 1 => "one heap".into(),
            None if self.lowered >= n => "any heaps".into(),
            None if self.arc => format!("heaps among {} neighbours", self.lowered),
            None => format!("at most {} heaps", self.lowered),
        };
        if self.turned {
            text += " A move leads from p0, p1, p2 to fewer tokens in all, q0 <= p0, q1 <= p2, q2 <= p1,";
        } else {
            text += &format!(" A move lowers {which}, by at least one token in all");
        }
        if self.memory > 0 {
            text = format!(
                "A position is a row of {n} numbers, the last {} of them no heaps but remembered. A move takes at least one token in all, raises no heap, and may raise what is remembered",
                self.memory
            );
        }
        match &self.condition {
            Some((condition, _)) if self.turned => text += &format!(" where {condition}."),
            Some((condition, _)) => {
                text += &format!(
                    ", from p0, p1, ... to q0, q1, ... (the heaps it may lower, in order) where {condition}."
                );
            }
            None => text += ".",
        }
        if self.from {
            text += " The name says from where play begins; what is proved is about all positions.";
        }
        text + if self.misere { " Who cannot move wins." } else { " Who cannot move loses." }
    }

    /// What a claim is closed under, in words.
    pub fn closed(&self) -> &'static str {
        match (self.symmetry, self.faces.is_some()) {
            (Symmetry::None, _) => "as it stands",
            (Symmetry::Ring, true) => "closed under turns and reflections of the heaps in their order",
            (Symmetry::Ring, false) => "closed under turns and reflections of the circle",
            (Symmetry::Full, _) => "closed under all permutations of the heaps",
        }
    }
}
