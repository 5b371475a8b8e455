//! Moore's Nim: take any number of tokens from each of 1..b−1 heaps.
//!
//! Source: E. H. Moore, *A generalization of the game called Nim*, Ann. Math. (2) 11 (1910) 93–94,
//! as Nim_{b−1}.

use crate::heap_rules::HeapRules;
use bouton_core::{Moves, NotationError, Scanner, Windows};
use bouton_engine::family::MAX_ROWS;
use bouton_engine::family::{
    Example, Family, Reference, ReferenceKind, count_and_close, name_prefix,
};
use bouton_engine::game::Game;

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "moore",
    notation: "moore(B) | moore(B;HEAPS)",
    about: "take from each of one to B-1 heaps",
    title: "Moore’s Nim",
    sentence: "Nim in which one move may take from several heaps.",
    opening: Example::new("moore(3)", "1,3,5,7"),
    source: "E. H. Moore, Ann. Math. 11 (1910) 93-94",
    reference: Reference {
        kind: ReferenceKind::Article,
        key: "moore",
        author: "Eliakim H. Moore",
        title: "A generalization of the game called Nim",
        place: "Annals of Mathematics 11, 93-94",
        year: "1910",
    },
    examples: &[Example::new("moore(3)", "1,3,5,7"), Example::new("moore(4;5)", "1,1,2,3,3")],
    claims: |text| name_prefix(text) == "moore",
    parse,
};

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner =
        Scanner::new(text, "moore(3), or moore(3;5) for five heaps; a move plays in 1..b-1 heaps");
    scanner.expect("moore")?;
    scanner.expect("(")?;
    let start = scanner.at();
    let b = scanner.number("the base b", MAX_ROWS as u64 + 1)? as usize;
    if b < 2 {
        return Err(scanner.error(start..scanner.at(), "the base b must be at least 2"));
    }
    let heaps = count_and_close(&mut scanner)?;
    scanner.finish()?;
    let name = heaps.map_or(format!("moore({b})"), |heaps| format!("moore({b};{heaps})"));
    let about = match b {
        2 => "Take any number of tokens, at least one, from one heap.".into(),
        b => {
            format!("Take any number of tokens, at least one, from each of up to {} heaps.", b - 1)
        }
    };
    Ok(HeapRules::list(heaps, Moves::free(Windows::Any(b - 1))).with_name(name, about).game())
}
