//! The texts of claims, as the headers of certificates have them.

use std::fmt;

/// A claim on the P-positions of a game: `in misere play P iff a = b, up to symmetry`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PPositionsClaim<'t> {
    /// Whether play is misère.
    pub is_misere: bool,
    /// The condition on the parameters of the game; `None` of a game without parameters.
    pub condition: Option<&'t str>,
    /// What holds exactly of the P-positions.
    pub form: &'t str,
    /// Whether it holds of one of the orders of the heaps that the symmetry of the game allows.
    pub up_to_symmetry: bool,
}

const MISERE: &str = "in misere play ";
const CONDITION: &str = "for ";
const UP_TO_SYMMETRY: &str = ", up to symmetry";

impl<'t> PPositionsClaim<'t> {
    /// Returns the claim about normal play, with all heaps in their places.
    pub fn new(form: &'t str) -> PPositionsClaim<'t> {
        PPositionsClaim { is_misere: false, condition: None, form, up_to_symmetry: false }
    }

    /// Reads a claim as it is displayed; `None` if it is another one.
    pub fn from_text(claim: &'t str) -> Option<PPositionsClaim<'t>> {
        let (is_misere, claim) = match claim.strip_prefix(MISERE) {
            Some(claim) => (true, claim),
            None => (false, claim),
        };
        let (condition, claim) = match claim.strip_prefix(CONDITION) {
            Some(claim) => {
                let (condition, form) = claim.split_once(", P iff ")?;
                (Some(condition), form)
            }
            None => (None, claim.strip_prefix("P iff ")?),
        };
        let (form, up_to_symmetry) = match claim.strip_suffix(UP_TO_SYMMETRY) {
            Some(form) => (form, true),
            None => (claim, false),
        };
        Some(PPositionsClaim { is_misere, condition, form, up_to_symmetry })
    }
}

impl fmt::Display for PPositionsClaim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let misere = if self.is_misere { MISERE } else { "" };
        let up_to_symmetry = if self.up_to_symmetry { UP_TO_SYMMETRY } else { "" };
        f.write_str(misere)?;
        if let Some(condition) = self.condition {
            write!(f, "{CONDITION}{condition}, ")?;
        }
        write!(f, "P iff {}{up_to_symmetry}", self.form)
    }
}

/// The form of a claim whose P-positions are no formula: those of the automaton in the body, in a
/// proof of kind [`Automatic`](crate::CertificateKind::Automatic).
pub const AUTOMATON: &str = "the automaton accepts";

/// A claim on the nim-values of single heaps: from some heap on they repeat, each time greater by
/// the saltus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodClaim {
    /// The period.
    pub period: usize,
    /// The saltus; mostly 0.
    pub saltus: u32,
    /// The first heap of the first period.
    pub preperiod: usize,
}

impl fmt::Display for PeriodClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the nim-values of single heaps have period {}", self.period)?;
        if self.saltus > 0 {
            write!(f, " and saltus {}", self.saltus)?;
        }
        write!(f, " from {} on", self.preperiod)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_read_as_they_are_written() {
        for is_misere in [false, true] {
            for condition in [None, Some("m >= 1, n mod 2 = 0")] {
                for up_to_symmetry in [false, true] {
                    let claim =
                        PPositionsClaim { is_misere, condition, form: "a = b", up_to_symmetry };
                    assert_eq!(PPositionsClaim::from_text(&claim.to_string()), Some(claim));
                }
            }
        }
        assert_eq!(PPositionsClaim::from_text("a win"), None);
        let claim = PPositionsClaim::new(AUTOMATON);
        assert_eq!(claim.to_string(), "P iff the automaton accepts");
        let claim = PPositionsClaim { is_misere: true, ..claim };
        assert_eq!(claim.to_string(), "in misere play P iff the automaton accepts");
    }
}
