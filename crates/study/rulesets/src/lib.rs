//! Rulesets that games are made of, with the engines that play them.
//!
//! [`take_and_break`], [`strip`] and [`turning`] have positions of their own; [`searched_rules`]
//! and [`split_rules`] play what rule files state in other ways than the games of `bouton_heaps`.
//! The crate of the games that have names fills in the data.

pub mod bounded_steps;
pub mod growth;
pub mod large_heaps;
#[cfg(not(target_family = "wasm"))]
pub mod large_rows;
mod one_heap;
pub mod searched_rules;
pub mod split_rules;
pub mod strip;
pub mod take_and_break;
pub mod template;
pub mod turning;
