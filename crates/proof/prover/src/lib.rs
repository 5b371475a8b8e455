//! Claims on P-positions, proved for all heap sizes or refuted.
//!
//! [`prove`] takes the moves of a game as formulas, a [`MoveSystem`], and a claim, and returns a
//! [`Proof`] or the least counterexample. A proof is written down as a certificate.
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
mod big;
mod certificate;
mod cover;
mod decision;
pub mod derivation;
pub mod export;
mod game;
mod misere;
mod orbit;
mod pairs;
pub mod parametric;
mod prove;
mod reading;
mod theorem;

pub use answer::{PPositions, Position};
pub use automatic::{
    AutomaticClaim, AutomaticProof, CounterexampleChoice, TwoStepMoves, accepted_option,
    acceptor_of, certified_acceptor, prove_automatic,
};
pub use bouton_automata::acceptor::explore;
pub use bouton_automata::{
    Acceptor, AcceptorError, AutomaticRelation, Decision, Dfa, Join, NoNormalForm, Numeration,
    Undecided, Unreadable, Values, Variable, columns, decide, default_budget,
};
pub use bouton_core::{
    Claim, Formula, FormulaError, MAX_CLAIM_HEAPS, MAX_DEPTH, MAX_NUMBER, MAX_VARIABLES, Node,
    Relation, STEPS, Term, Unknown,
};
pub use certificate::{statement, written_name};
pub use cover::Cover;
pub use decision::{FormulaDecision, NamedValue, Tuples, TuplesAutomaton, decide_formula};
pub use game::{Board, GameError, MoveKind, MoveSystem, arcs, claims_for};
pub use misere::{claim_with_added_heap, closed_claim, misere_acceptor, with_added_heap};
pub use orbit::{Orbit, orbit_certificate, prove_orbit};
pub use pairs::{BY_MEX, Pairs, PairsProof, pairs_certificate, prove_pairs};
pub use prove::{Attempt, CaseConclusion, Counterexample, Parameters, Proof, ProofCase, prove};
pub use reading::{Reading, automatic_digits, choose_numeration, formula_reading};
pub use theorem::{NoSentence, theorem};
