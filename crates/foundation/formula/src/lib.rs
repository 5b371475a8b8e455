//! Formulas over heap sizes: read, written, evaluated by bounded search.
//!
//! [`Formula`] is the language of rules, claims and theorems; [`Claim`] is a formula over the heaps
//! of a position; [`Slope`] is a quadratic irrational. Nothing here knows what a game is.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let claim = bouton_formula::Claim::parse("a+b = d+e & b+c = e+f", 6)?;
//! assert!(claim.holds(&[3, 5, 1, 4, 4, 2])?);
//! # Ok(())
//! # }
//! ```

mod arithmetic;
mod claim;
mod evaluate;
mod extremes;
mod fixed;
mod formula;
mod formula_builder;
mod formula_text;
mod linear_systems;
mod number;
mod slope;
mod solutions;

pub use arithmetic::{ArithmeticSymbol, divisors, gcd};
pub use claim::{Claim, MAX_CLAIM_HEAPS};
pub use evaluate::{STEPS, Unknown};
pub use extremes::without_extremes;
pub use fixed::{FixedValue, FixedVariables};
pub use formula::{Formula, Node, Relation, Term};
pub use formula_builder::FormulaBuilder;
pub use formula_text::{FormulaError, MAX_DEPTH, MAX_NUMBER, MAX_VARIABLES};
pub use linear_systems::LinearSystems;
pub use number::Number;
pub use slope::{MAX_PERIOD, Period, Slope, Surd};
