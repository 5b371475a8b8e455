//! A form found in a table, and how well the table speaks for it.

use bouton_core::LimitReached;

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<F> {
    /// The form. If it is cases, every position of the table that it names is P.
    pub form: F,
    /// Classes of P-positions in the table.
    pub classes: usize,
    /// Classes that the form leaves out, some of them: empty if it is the whole table.
    pub missed: Vec<Vec<i64>>,
    /// How many it leaves out.
    pub missed_count: usize,
    /// What one class counts, in bits.
    pub bits: f64,
    /// Bits that the form takes to say.
    pub said: f64,
    /// Bits of evidence beyond what the form says; negative if the table is too small for it.
    pub evidence: f64,
    /// What the form takes from the table as it is: of one heap the numbers below the preperiod's end and one period, else the
    /// greatest heap of its exceptions and of the first position of each of its cases. What comes after is what it foretells.
    pub settled: u64,
    /// The greatest heap of the table.
    pub most: u64,
    /// How many times as far as that the table must go.
    pub quiet: u64,
    /// What ended the search before its end: with more of it, it might find more.
    pub cut: Option<LimitReached>,
}

/// How many times as far as all that a form takes from it a table must go. Where a rule halves or divides heaps, P-positions change
/// their ways at powers of a number: a form that has seen two octaves of quiet may have seen nothing yet.
pub(crate) const QUIET: u64 = 4;
/// The same of one heap, where tables reach far.
pub(crate) const QUIET_ALONE: u64 = 5;

/// What a form is to its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// All of it, and the table is large enough to say so.
    Whole,
    /// All of it, but it says as much as the table does; or a part, of a table too small to say anything.
    TooLittle,
    /// A part of it.
    Partial,
}

impl<F> Found<F> {
    /// The same of another writing of the form.
    pub(crate) fn map<G>(self, write: impl FnOnce(F) -> G) -> Found<G> {
        let Found { form, classes, missed, missed_count, bits, said, evidence, settled, most, quiet, cut } =
            self;
        Found {
            form: write(form),
            classes,
            missed,
            missed_count,
            bits,
            said,
            evidence,
            settled,
            most,
            quiet,
            cut,
        }
    }

    /// What the form is to the table.
    pub fn fit(&self) -> Fit {
        match self.missed_count {
            0 if self.evidence > 0.0 && self.is_quiet() => Fit::Whole,
            0 => Fit::TooLittle,
            _ if self.evidence < 0.0 => Fit::TooLittle,
            _ => Fit::Partial,
        }
    }

    /// Whether the table goes on long enough after all that the form takes from it.
    pub fn is_quiet(&self) -> bool {
        self.settled == 0 || self.most + 1 >= self.quiet * self.settled
    }

    /// Bits of the table that the form stands for.
    pub fn data(&self) -> f64 {
        self.said + self.evidence
    }

    /// Whether the form is the whole table, which is large enough to say so.
    pub fn is_whole(&self) -> bool {
        self.fit() == Fit::Whole
    }

    /// The greatest heap that a table of so many heaps needs before this form could stand, roughly: classes grow as
    /// the heaps do.
    pub fn needs(&self, heaps: usize, most: u64) -> u64 {
        let per_class = self.bits.max(0.5);
        let wanted = self.classes as f64 - self.evidence.min(0.0) / per_class + 1.0;
        let growth = wanted / (self.classes as f64).max(1.0);
        let needed = ((most as f64 + 1.0) * growth.min(1.0 + heaps as f64 * 20.0)).ceil() as u64;
        if self.missed_count == 0 { needed.max(self.quiet * self.settled) } else { needed }
    }
}

/// Why a form is no formula of the logic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoFormula {
    /// An automaton over digits to another base than 2, of which the logic has no word.
    #[error("the form is an automaton over digits to base {0}; formulas know binary ones")]
    Base(usize),
    /// An automaton too large to be written as one.
    #[error("the form is an automaton with {transitions} transitions; up to {most} are put as a formula")]
    Transitions {
        /// What it has.
        transitions: usize,
        /// What is put as a formula.
        most: usize,
    },
    /// Two lines of irrational slope.
    #[error(
        "the form is two sequences of floors, ⌊nα⌋ and ⌊nβ⌋, of numbers without a short common continued fraction"
    )]
    Floors,
}
