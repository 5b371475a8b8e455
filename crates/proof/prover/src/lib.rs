//! First-order logic over heap sizes, decided by automata.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let claim = bouton_prover::Claim::parse("a+b = d+e & b+c = e+f", 6)?;
//! assert!(claim.holds(&[3, 5, 1, 4, 4, 2])?);
//! # Ok(())
//! # }
//! ```

mod answer;
mod automatic;
mod automaton;
mod big;
mod certificate;
mod cover;
mod decide;
pub mod derivation;
mod dfa;
mod digits;
mod effort;
mod eliminate;
pub mod export;
mod game;
mod linear_form;
mod machine;
mod normal;
mod numeration;
mod prove;
mod reading;
mod reduced;
mod slices;
mod theorem;

pub use answer::{PPositions, Position};
pub use automatic::{Acceptor, AcceptorError, AutomaticProof, AutomaticVerdict, Read, prove_automatic};
pub use bouton_core::{
    Claim, Formula, FormulaError, MAX_CLAIM_HEAPS, MAX_DEPTH, MAX_NUMBER, MAX_VARIABLES, Node, Relation,
    STEPS, Term, Unknown,
};
pub use certificate::{statement, written_name};
pub use cover::Cover;
pub use decide::{Automatic, Decision, Values, decide};
pub use dfa::{Dfa, Join};
pub use digits::Unreadable;
pub use effort::{Undecided, default_budget};
pub use game::{Board, GameError, MoveSystem, Way, arcs, claims_for};
pub use linear_form::Variable;
pub use normal::Beyond;
pub use numeration::Numeration;
pub use prove::{Counterexample, Parameters, Part, Proof, Shows, Verdict, prove};
pub use reading::reading;
pub use theorem::{NoTheorem, theorem};
