//! A claim: a formula over a game's heaps, in order a, b, c, …

use crate::evaluate::Unknown;
use crate::formula::Formula;
use crate::formula_text::FormulaError;
use std::fmt;

/// Greatest number of heaps a claim can name: a to z.
pub const MAX_CLAIM_HEAPS: usize = 26;

/// A statement about one position of a game on heaps, such as `a+b = d+e & b+c = e+f`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Claim {
    formula: Formula,
}

impl Claim {
    /// Reads a claim over `heaps` heaps named a, b, c, … in order. `min`, `max` and `xor` alone
    /// range over all heaps.
    ///
    /// # Panics
    /// If there are more than [`MAX_CLAIM_HEAPS`] heaps.
    pub fn parse(text: &str, heaps: usize) -> Result<Claim, FormulaError> {
        assert!(heaps <= MAX_CLAIM_HEAPS, "a claim names at most {MAX_CLAIM_HEAPS} heaps");
        let names: Vec<String> = ('a'..='z').take(heaps).map(String::from).collect();
        Formula::parse_over(text, &names).map(|formula| Claim { formula })
    }

    /// Returns the claim that a formula over the heaps a, b, c, … makes.
    pub fn from_formula(formula: Formula) -> Claim {
        Claim { formula }
    }

    /// Returns how many heaps it is about.
    pub fn heaps(&self) -> usize {
        self.formula.free
    }

    /// Returns the formula, its free variables being the heaps.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// Returns whether it holds of a position; exact, see [`Unknown`] for the cases that search
    /// does not settle.
    ///
    /// # Panics
    /// Unless the position has as many heaps as the claim.
    pub fn holds(&self, heaps: &[u64]) -> Result<bool, Unknown> {
        self.formula.holds(heaps)
    }

    /// Returns whether it holds of the position or of an image of it: image σ has heap σ(i) of the
    /// position in place i.
    pub fn holds_up_to(&self, heaps: &[u64], symmetries: &[Vec<usize>]) -> Result<bool, Unknown> {
        let mut unknown = None;
        let mut image = heaps.to_vec();
        for symmetry in symmetries {
            image.iter_mut().zip(symmetry).for_each(|(place, &from)| *place = heaps[from]);
            match self.holds(&image) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(why) => unknown = Some(why),
            }
        }
        unknown.map_or_else(|| self.holds(heaps), Err)
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.formula.fmt(f)
    }
}
