//! Rules and claims in words. Outside the kernel: everything here is read off the data that the
//! kernel works with.

use super::rules::{Game, Symmetry, Windows};

impl Game {
    /// Returns the rules in words: all that is said of a move in [`Game::bounds`] and
    /// [`Game::condition`].
    pub fn describe(&self) -> String {
        let n = self.heaps;
        let faces = matches!(self.windows, Windows::Faces(_));
        let mut text = match self.symmetry {
            _ if self.shrinks => format!(
                "A position is a circle of up to {n} heaps, none empty: a heap that is emptied \
                 leaves, and the circle closes up."
            ),
            Symmetry::Ring if !faces => format!("A position is a circle of {n} heaps."),
            _ if n == 1 => "A position is one heap.".into(),
            _ => format!("A position is a row of {n} heaps."),
        };
        let which = match &self.windows {
            Windows::Faces(faces) => {
                let one = |face: &Vec<usize>| {
                    face.iter().map(|h| (h + 1).to_string()).collect::<Vec<_>>().join(",")
                };
                format!(
                    "heaps of one of the sets {}",
                    faces.iter().map(one).collect::<Vec<_>>().join("; ")
                )
            }
            Windows::Any(1) | Windows::Neighbours(1) => "one heap".into(),
            Windows::Any(k) | Windows::Neighbours(k) if *k >= n => "any heaps".into(),
            Windows::Neighbours(k) => format!("heaps among {k} neighbours"),
            Windows::Any(k) => format!("at most {k} heaps"),
        };
        if self.turned {
            text += " A move leads from p0, p1, p2 to fewer tokens in all, q0 <= p0, q1 <= p2, q2 \
                <= p1,";
        } else {
            text += &format!(" A move lowers {which}, by at least one token in all");
        }
        if self.memory > 0 {
            text = format!(
                "A position is a row of {n} numbers, the last {} of them no heaps but remembered. \
                 A move takes at least one token in all, raises no heap, and may raise what is \
                 remembered",
                self.memory
            );
        }
        match &self.condition {
            Some((condition, _)) if self.turned => text += &format!(" where {condition}."),
            Some((condition, _)) => {
                text += &format!(
                    ", from p0, p1, ... to q0, q1, ... (the heaps it may lower, in order) where \
                     {condition}."
                );
            }
            None => text += ".",
        }
        if self.from {
            text += " The name says from where play begins; what is proved is about all positions.";
        }
        text + if self.misere {
            " Whoever cannot move wins."
        } else {
            " Whoever cannot move loses."
        }
    }

    /// Returns the theorem that is proved if this claim is accepted of the game of this name.
    pub fn theorem(&self, name: &str, claim: &str) -> String {
        let formula = if self.shrinks {
            "the formula for their number of heaps (none if none stands)"
        } else {
            "the formula"
        };
        // Of the numbers that are no names.
        let floors = if name.contains("floor[") || claim.contains("floor[") {
            " Here floor[a;(b,c,...)](x) is the greatest number at most x times the continued \
             fraction [a; b, c, ..., b, c, ...]."
        } else {
            ""
        };
        format!(
            "{} For all heap sizes, the P-positions are exactly the positions for which {formula} \
             holds, {}.{floors}",
            self.describe(),
            self.closed(),
        )
    }

    /// Returns what a claim is closed under, in words.
    pub fn closed(&self) -> &'static str {
        match (self.symmetry, &self.windows) {
            (Symmetry::None, _) => "as it stands",
            (Symmetry::Ring, Windows::Faces(_)) => {
                "closed under turns and reflections of the heaps in their order"
            }
            (Symmetry::Ring, _) => "closed under turns and reflections of the circle",
            (Symmetry::Full, _) => "closed under all permutations of the heaps",
        }
    }
}
