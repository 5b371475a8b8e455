//! Shrinking Circular Nim: as circular Nim, but an emptied heap leaves the circle, which closes up.
//!
//! Source: *Shrinking Circular Nim* (2024), Def. 2.2, a variant of the games of Dufour and Heubach.

use crate::heap_rules::HeapRules;
use crate::rings;
use bouton_core::{Moves, NotationError, Scanner, Windows};
use bouton_engine::family::{Example, Family, Reference, ReferenceKind, name_prefix};
use bouton_engine::game::Game;

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "shrinking",
    notation: "SCN(n,k)",
    about: "take from k consecutive heaps on a circle that closes up where a heap is emptied",
    title: "Shrinking Circular Nim",
    sentence: "Circular Nim on a circle that closes up where a heap is emptied.",
    opening: Example::new("SCN(4,2)", "3,2,4,1"),
    source: "Shrinking Circular Nim (2024), Def. 2.2",
    reference: Reference {
        kind: ReferenceKind::Other,
        key: "shrinking-circular-nim",
        author: "",
        title: "Shrinking Circular Nim",
        place: "",
        year: "2024",
    },
    examples: &[Example::new("SCN(4,2)", "1,2,1,2"), Example::new("SCN(5,3)", "3,5,2,1,4")],
    claims: |text| name_prefix(text) == "SCN",
    parse,
};

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "SCN(n,k) with k <= n, e.g. SCN(5,2)");
    scanner.expect("SCN")?;
    let (n, k) = rings::parameters(&mut scanner)?;
    scanner.expect(")")?;
    scanner.finish()?;
    let rules = HeapRules { shrinks: true, ..HeapRules::ring(n, Moves::free(Windows::Arc(k))) };
    let about = format!(
        "At most {n} heaps stand on a circle. Take at least one token in all from up to {k} \
         consecutive heaps; a heap that is emptied leaves the circle, which closes up."
    );
    Ok(rules.with_name(format!("SCN({n},{k})"), about).game())
}
