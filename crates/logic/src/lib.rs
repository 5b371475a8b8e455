//! First-order logic over heap sizes, decided by automata.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let claim = bouton_logic::Claim::parse("a+b = d+e & b+c = e+f", 6)?;
//! assert!(claim.holds(&[3, 5, 1, 4, 4, 2])?);
//! # Ok(())
//! # }
//! ```

mod claim;
mod evaluate;
mod formula;
mod parse;

pub use claim::{Claim, MAX_CLAIM_HEAPS};
pub use evaluate::{STEPS, Unknown};
pub use formula::{Formula, Node, Relation, Term};
pub use parse::{FormulaError, MAX_DEPTH, MAX_NUMBER, MAX_VARIABLES};
