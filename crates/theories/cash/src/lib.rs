//! NIM with Cash: the winner of NIM(A;n;d,e), for one position, for tables, and for all positions
//! at once.
//!
//! Everything rests on one fact that the paper does not state: c = d + e + 1 − n does not change
//! with a move, and the player to move wins iff d − e + v_c(n) > 0 for a sequence v_c that A alone
//! defines. Proofs are in docs/design/cash.md. The game: W. Gasarch, J. Purtilo, D. Ulrich, *NIM
//! with Cash*, Def. 1.6. This crate does not know other theories.

mod claim_formula;
mod claims;
mod condition;
mod explain;
mod game;
mod invariant;
mod objects;
mod paths;
mod piles;
mod study;
mod theory;
mod thresholds;
mod window;
mod words;

pub use claims::CashClaim;
pub use condition::{Condition, Proof};
pub use game::{Cash, FAMILY};
pub use invariant::{money_decides, mover_wins};
pub use objects::Objects;
pub use piles::{TerminalRule, mover_wins_piles};
pub use study::{CashError, CashStudy, WinCondition, cash_rules, win_condition};
pub use theory::NimWithCash;
pub use thresholds::Thresholds;
pub use window::Window;
pub use words::Words;
