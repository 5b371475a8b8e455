//! A theorem on circles of every size, with the revolutions that prove it, and its certificate.

use super::circle_words::CircleWords;
use super::{LOST, Label, MARKED, UNKNOWN, WON};
use crate::invariant::PSet;
use bouton_certificate::{Certificate, CertificateKind};
use bouton_core::Play;
use std::fmt::Write;

/// A revolution of the proof.
#[derive(Debug, Clone)]
pub(super) struct Revolution {
    /// The tapes before it.
    pub tapes: CircleWords,
    /// The classes of tapes after it: next states, the state of `words` for the cells ahead of the
    /// token, what the next revolution brings.
    pub classes: Vec<([u32; 2], u32, Label)>,
    /// The cells ahead of the token: next states, and who wins at their end.
    pub words: Vec<([u32; 2], u8)>,
}

/// A theorem on circles of every size, by revolutions of the token.
#[derive(Debug, Clone)]
pub struct RevolutionTheorem {
    pub(super) steps: Vec<usize>,
    pub(super) play: Play,
    /// The circles that are in P.
    pub p_positions: PSet,
    /// From this many cells on by revolutions.
    pub from: usize,
    pub(super) laps: Vec<Revolution>,
}

impl RevolutionTheorem {
    /// Returns the statement: which circles are in P.
    pub fn statement(&self) -> String {
        self.p_positions.statement(self.play)
    }

    /// Returns the states of all automata.
    pub fn states(&self) -> usize {
        self.laps.iter().map(|lap| lap.tapes.next.len() + lap.classes.len() + lap.words.len()).sum()
    }

    /// Returns the certificate, kind `laps`.
    pub fn certificate(&self) -> Certificate {
        let mut body = format!("laps {} from {}\n", self.laps.len(), self.from);
        let furthest = self.steps.last().copied().unwrap_or(1);
        let to = |state: u32| state.wrapping_add(1);
        for (number, lap) in self.laps.iter().enumerate() {
            let Revolution { tapes, classes, words } = lap;
            let (t, c, w) = (tapes.next.len(), classes.len(), words.len());
            let _ = writeln!(body, "lap {} tapes {t} classes {c} words {w}", number + 1);
            for (next, ends) in tapes.next.iter().zip(&tapes.ends) {
                let _ = writeln!(
                    body,
                    "{} {}{}",
                    to(next[0]),
                    to(next[1]),
                    if *ends { " ." } else { "" }
                );
            }
            for (next, start, label) in classes {
                let label = &label[..furthest];
                let text = match label.iter().all(|value| *value == UNKNOWN) {
                    true => "-".to_owned(),
                    false => label.iter().map(letter).collect(),
                };
                let _ = writeln!(body, "{} {} {} {text}", to(next[0]), to(next[1]), to(*start));
            }
            for (next, value) in words {
                let _ = writeln!(body, "{} {} {}", to(next[0]), to(next[1]), letter(value));
            }
        }
        self.p_positions.certificate(CertificateKind::Laps, &self.steps, self.play, body)
    }
}

/// Returns what is said of a cell, or of a word.
fn letter(value: &u8) -> char {
    match *value {
        MARKED => '.',
        WON => 'W',
        LOST => 'L',
        _ => '?',
    }
}
