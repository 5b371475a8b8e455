//! A form with its fit to a table.

use bouton_core::LimitReached;

/// A form with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedForm<F> {
    /// The form. If it consists of cases, every position of the table in a case is P.
    pub form: F,
    /// The number of classes of P-positions in the table.
    pub classes: usize,
    /// Some classes that the form does not contain; empty if the form is exact.
    pub missed: Vec<Vec<i64>>,
    /// The number of classes that the form does not contain.
    pub missed_count: usize,
    /// The information of one class, in bits.
    pub bits: f64,
    /// The description length of the form, in bits.
    pub said: f64,
    /// The evidence beyond the description length, in bits; negative if the table is too small.
    pub evidence: f64,
    /// The greatest heap that the form takes from the table as it is: for one heap the end of the
    /// preperiod plus one period, otherwise the greatest heap of its exceptions and of the least
    /// position of each case. Larger heaps are predicted.
    pub settled: u64,
    /// The greatest heap of the table.
    pub most: u64,
    /// The factor by which the table must exceed `settled`.
    pub quiet: u64,
    /// The limit that ended the search early; a longer search might find a better form.
    pub cut: Option<LimitReached>,
}

/// The factor by which a table must exceed everything that a form takes from it. If a rule halves
/// or divides heaps, P-positions change at powers of a number: a form that agrees with two octaves
/// may fail in the next.
pub(crate) const EXTENSION: u64 = 4;
/// The factor for one heap, whose tables are long.
pub(crate) const SINGLE_HEAP_EXTENSION: u64 = 5;

/// The relation of a form to its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// The form is exact, and the table is large enough as evidence.
    Whole,
    /// The form is exact without enough evidence; or it is partial, with a table too small for any.
    TooLittle,
    /// The form is partial.
    Partial,
}

impl<F> FittedForm<F> {
    /// Returns the fit of another representation of the form.
    pub(crate) fn map<G>(self, write: impl FnOnce(F) -> G) -> FittedForm<G> {
        FittedForm {
            form: write(self.form),
            classes: self.classes,
            missed: self.missed,
            missed_count: self.missed_count,
            bits: self.bits,
            said: self.said,
            evidence: self.evidence,
            settled: self.settled,
            most: self.most,
            quiet: self.quiet,
            cut: self.cut,
        }
    }

    /// Returns the relation of the form to the table.
    pub fn fit(&self) -> Fit {
        match self.missed_count {
            0 if self.evidence > 0.0 && self.is_extended() => Fit::Whole,
            0 => Fit::TooLittle,
            _ if self.evidence < 0.0 => Fit::TooLittle,
            _ => Fit::Partial,
        }
    }

    /// Returns whether the table extends far enough beyond everything that the form takes from it.
    pub fn is_extended(&self) -> bool {
        self.settled == 0 || self.most + 1 >= self.quiet * self.settled
    }

    /// Returns the information of the table that the form explains, in bits.
    pub fn data(&self) -> f64 {
        self.said + self.evidence
    }

    /// Returns whether the form is exact with enough evidence.
    pub fn is_whole(&self) -> bool {
        self.fit() == Fit::Whole
    }

    /// Estimates the greatest heap that a table needs before this form could have enough evidence:
    /// classes grow as the heaps do.
    pub fn needs(&self, heaps: usize, most: u64) -> u64 {
        let per_class = self.bits.max(0.5);
        let wanted = self.classes as f64 - self.evidence.min(0.0) / per_class + 1.0;
        let growth = wanted / (self.classes as f64).max(1.0);
        let needed = ((most as f64 + 1.0) * growth.min(1.0 + heaps as f64 * 20.0)).ceil() as u64;
        if self.missed_count == 0 { needed.max(self.quiet * self.settled) } else { needed }
    }
}

/// The reason why a form is not a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InexpressibleForm {
    /// The form is an automaton to another base than 2, which formulas cannot express.
    #[error("the form is an automaton over digits to base {0}; formulas know binary ones")]
    Base(usize),
    /// The form is an automaton over the digits of Zeckendorf.
    #[error("the form is an automaton over the digits of Zeckendorf; formulas know binary ones")]
    Zeckendorf,
    /// The automaton is too large for a formula.
    #[error(
        "the form is an automaton with {transitions} transitions; up to {most} are put as a formula"
    )]
    Transitions {
        /// The number of its transitions.
        transitions: usize,
        /// The greatest number of transitions in a formula.
        most: usize,
    },
    /// The form consists of two lines of irrational slope.
    #[error(
        "the form is two sequences of floors, ⌊nα⌋ and ⌊nβ⌋, of numbers without a short common \
         continued fraction"
    )]
    Floors,
}
