//! The families of games, one file each: rules, notation, board.
//!
//! [`FAMILIES`] is the one list. To add a game: write its file, add a line there, and an oracle
//! under tests/oracles. [`shelf`] has the games that have a name of their own. A [`Catalogue`]
//! reads names of games: those of the families, of the shelf, and of a user's rule files.

mod candy_piles;
mod catalogue;
mod chomp;
mod circular;
mod complexes;
mod dependent_number;
mod divisors;
mod euclid;
mod heap_sum;
mod large_positions;
mod moore;
mod nim;
// Not in the page, which would grow.
#[cfg(not(target_family = "wasm"))]
mod phrase;
#[cfg(not(target_family = "wasm"))]
mod play_words;
mod position_reader;
mod quantifiers;
mod reached;
mod read_positions;
mod rule_file;
mod shelf;
mod shrinking;
mod simplicial;
mod slice;
mod strips;
mod subtraction;
mod wythoff;

pub use bouton_engine::family::{Example, Family};
pub use bouton_heaps::heap_rules::{HeapRules, HeapRuleset, OptionGenerator, Shape};
pub use bouton_rulesets::searched_rules::SearchedRules;
pub use bouton_rulesets::split_rules::SplitRules;
pub use bouton_rulesets::strip::Strip;
pub use bouton_rulesets::take_and_break::TakeAndBreak;
pub use bouton_rulesets::template::{Template, not_a_range, parameter, replace_words};
pub use bouton_rulesets::turning::Turning;
pub use catalogue::{
    Catalogue, NameTaken, ParsedGame, ReadProgram, check_numbers, is_list_with_signs, is_multiple,
    list_for, summands, with_powers_evaluated,
};
pub use circular::{Taking, circular};
pub use complexes::{MAX_VERTICES, complexes};
pub use dependent_number::{GameWithoutDependent, without_dependent};
pub use heap_sum::{HeapSumError, heap_sum, restricted_to_heap_count, restricted_to_small_heaps};
#[cfg(not(target_family = "wasm"))]
pub use phrase::{is_token_noun, number_in_words};
pub use position_reader::PositionReader;
pub use rule_file::{
    HeapCount, MAX_NUMBERS, MAX_PROVED_HEAPS, NoMove, RuleFile, RuleFileError, RuleText, SplitText,
    where_moves_begin, where_moves_lead,
};
pub use shelf::{
    OtherMisere, PositionTheorem, Rules, Shelf, ShelfGame, check_misere, multiple, other_misere,
    position_theorem, shelf,
};
pub use slice::{Slice, expressions};

use bouton_core::NotationError;
use bouton_heaps::{heap_rules, rings, rows};
#[cfg(not(target_family = "wasm"))]
use bouton_rulesets::large_rows;
use bouton_rulesets::{
    growth, large_heaps, searched_rules, split_rules, strip, take_and_break, template, turning,
};
use bouton_theory::Theory;

/// Every family. The first that claims a name reads it.
pub const FAMILIES: &[Family] = &[
    nim::FAMILY,
    moore::FAMILY,
    take_and_break::NAMED,
    take_and_break::FAMILY,
    wythoff::FAMILY,
    subtraction::FAMILY,
    circular::FAMILY,
    shrinking::FAMILY,
    simplicial::FAMILY,
    strip::FAMILY,
    turning::FAMILY,
    bouton_kotzig::FAMILY,
    bouton_cash::FAMILY,
    subtraction::PILE,
    bouton_dots::FAMILY,
    bouton_dots::STRINGS_AND_COINS,
];

/// The files of published games: name and text. Rules stand above their table `[published]`, which
/// is the literature's.
pub const PUBLISHED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/published.rs"));

/// The programs of games on the shelf: name and text. A [`Catalogue`] with an interpreter runs
/// them.
pub const PROGRAMS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// Every theory that studies games of its own and settles claims about them.
pub const THEORIES: &[&dyn Theory] =
    &[&bouton_octal::TakingAndBreaking, &bouton_kotzig::KotzigsNim, &bouton_cash::NimWithCash];

/// Reads a game of those that come with Bouton: [`Catalogue::parse`] of [`Catalogue::standard`].
pub fn parse(text: &str) -> Result<ParsedGame, NotationError> {
    Catalogue::standard().parse(text)
}
