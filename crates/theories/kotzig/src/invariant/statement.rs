//! A set of numbers from 1 on that repeats from somewhere on, the formula that says so, and what a
//! theorem states of circles by it.

use bouton_certificate::{Certificate, CertificateKind, PPositionsClaim};
use bouton_core::Play;
use std::fmt;

/// The claim of a certificate on circles of every size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CircleClaim {
    /// The convention.
    pub play: Play,
    /// Which circles are in P: a formula over n.
    pub p_positions: String,
}

impl CircleClaim {
    /// Parses a claim as it is displayed; `None` if it is another one.
    pub(crate) fn parse(claim: &str) -> Option<CircleClaim> {
        let PPositionsClaim { is_misere, form, .. } = PPositionsClaim::from_text(claim)?;
        let play = if is_misere { Play::Misere } else { Play::Normal };
        Some(CircleClaim { play, p_positions: form.to_owned() })
    }
}

/// As certificates have it.
impl fmt::Display for CircleClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_misere = self.play == Play::Misere;
        PPositionsClaim { is_misere, ..PPositionsClaim::new(&self.p_positions) }.fmt(f)
    }
}

/// Such a set, in lowest terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PSet {
    /// The period, at least 1.
    pub period: usize,
    /// From here on members are those of the residues.
    pub from: usize,
    /// The members below.
    pub alone: Vec<usize>,
    /// The residues that are members.
    pub residues: Vec<usize>,
}

impl PSet {
    /// Returns the set that has `below` for its first numbers, from 1 on, and repeats by residue
    /// after that.
    pub fn new(below: &[bool], by_residue: Vec<bool>) -> PSet {
        let whole = by_residue.len().max(1);
        let is_period = |d: &usize| {
            whole.is_multiple_of(*d)
                && (0..by_residue.len()).all(|r| by_residue[r] == by_residue[r % d])
        };
        let period = (1..=whole).find(is_period).unwrap_or(whole);
        let repeats = |n: usize| by_residue.get(n % period).copied().unwrap_or(false);
        let residues: Vec<usize> = (0..period).filter(|r| repeats(*r)).collect();
        let mut from = below.len() + 1;
        while from > 1 && below[from - 2] == repeats(from - 1) {
            from -= 1;
        }
        let alone = (1..from).filter(|n| below[n - 1]).collect();
        PSet { period, from, alone, residues }
    }

    /// Returns whether a number from 1 on is a member.
    pub fn contains(&self, n: usize) -> bool {
        if n < self.from {
            self.alone.contains(&n)
        } else {
            self.residues.contains(&(n % self.period))
        }
    }

    /// Returns the statement that these circles are in P, and no others.
    pub fn statement(&self, play: Play) -> String {
        CircleClaim { play, p_positions: self.to_string() }.to_string()
    }

    /// Returns the certificate of it for circles with these steps, of this kind.
    pub(crate) fn certificate<S: ToString>(
        &self,
        kind: CertificateKind,
        steps: &[S],
        play: Play,
        body: String,
    ) -> Certificate {
        let steps: Vec<String> = steps.iter().map(S::to_string).collect();
        let game = format!("Gamma({};n)", steps.join(","));
        Certificate { kind, game, claim: self.statement(play), body }
    }
}

/// `n = 1 | n = 3 | (n >= 23 & n mod 5 = 3)`.
impl fmt::Display for PSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.alone.iter().map(|n| format!("n = {n}")).collect();
        // The class is said to begin with its first member.
        if let Some(first) = (self.from..self.from + self.period)
            .find(|n| self.residues.contains(&(n % self.period)))
        {
            let whole = (1..first).all(|n| !self.residues.contains(&(n % self.period)));
            let class: Vec<String> =
                self.residues.iter().map(|r| format!("n mod {} = {r}", self.period)).collect();
            parts.push(match (self.period, whole, class.len()) {
                (1, ..) => format!("n >= {first}"),
                (_, true, _) => class.join(" | "),
                (_, false, 1) => format!("(n >= {first} & {})", class[0]),
                (_, false, _) => format!("(n >= {first} & ({}))", class.join(" | ")),
            });
        }
        f.write_str(if parts.is_empty() { "false" } else { "" })?;
        f.write_str(&parts.join(" | "))
    }
}
