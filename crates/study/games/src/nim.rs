//! Nim: take any number of tokens from one heap.
//!
//! Source: C. L. Bouton, *Nim, a game with a complete mathematical theory*, Ann. Math. (2) 3 (1902)
//! 35–39.

use crate::heap_rules::HeapRules;
use bouton_core::{Moves, NotationError, Scanner, Windows};
use bouton_engine::family::{
    Example, Family, Reference, ReferenceKind, name_prefix, optional_count,
};
use bouton_engine::game::Game;

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "nim",
    notation: "nim | nim(HEAPS)",
    about: "take any number of tokens from one heap",
    title: "Nim",
    sentence: "Heaps of tokens. Take as many as you like from one heap.",
    opening: Example::new("nim", "3,4,5"),
    source: "C. L. Bouton, Ann. Math. 3 (1902) 35-39",
    reference: Reference {
        kind: ReferenceKind::Article,
        key: "bouton",
        author: "Charles L. Bouton",
        title: "Nim, a game with a complete mathematical theory",
        place: "Annals of Mathematics 3, 35-39",
        year: "1902",
    },
    examples: &[Example::new("nim", "1,3,5,7"), Example::new("nim(3)", "3,5,6")],
    claims: |text| name_prefix(text) == "nim",
    parse,
};

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "nim, or nim(5) for five heaps");
    scanner.expect("nim")?;
    let heaps = optional_count(&mut scanner)?;
    scanner.finish()?;
    let name = heaps.map_or("nim".into(), |heaps| format!("nim({heaps})"));
    let rules = HeapRules::list(heaps, Moves::free(Windows::Any(1)));
    Ok(rules.with_name(name, "Take any number of tokens, at least one, from one heap.").game())
}
