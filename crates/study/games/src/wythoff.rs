//! Wythoff's game: take any number from one of two heaps, or the same number from both.
//!
//! Source: W. A. Wythoff, *A modification of the game of Nim*, Nieuw Arch. Wisk. (2) 7 (1907)
//! 199–202; as a queen on a chessboard by R. P. Isaacs.

use crate::heap_rules::{HeapRules, Shape};
use bouton_core::{Digits, NotationError, Scanner, Symmetry};
use bouton_engine::family::{Example, Family, Reference, ReferenceKind, name_prefix};
use bouton_engine::game::Game;
use bouton_heaps::wythoff;

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "wythoff",
    notation: "wythoff",
    about: "take from one of two heaps, or the same number from both",
    title: "Wythoff’s Queen",
    sentence: "Move one queen left, down or diagonally. Whoever reaches the corner wins.",
    opening: Example::new("wythoff", "7,6"),
    source: "W. A. Wythoff, Nieuw Arch. Wisk. 7 (1907) 199-202",
    reference: Reference {
        kind: ReferenceKind::Article,
        key: "wythoff",
        author: "Willem A. Wythoff",
        title: "A modification of the game of Nim",
        place: "Nieuw Archief voor Wiskunde 7, 199-202",
        year: "1907",
    },
    examples: &[Example::new("wythoff", "3,5"), Example::new("wythoff", "8,10")],
    claims: |text| name_prefix(text) == "wythoff",
    parse,
};

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "wythoff");
    scanner.expect("wythoff")?;
    scanner.finish()?;
    let rules = HeapRules {
        digits: Digits::Zeckendorf,
        shape: Shape::Queen,
        ..HeapRules::places(2, Symmetry::Full, wythoff::moves())
    };
    let about = "Take any number of tokens, at least one, from one of two heaps, or the same \
        number from both.";
    Ok(rules.with_name("wythoff", about).game())
}
