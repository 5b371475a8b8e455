//! Nim on a simplicial complex: take from the heaps of one face, any of them, at least one token in
//! all.
//!
//! Source: R. Ehrenborg, E. Steingrímsson, *Playing Nim on a simplicial complex*, Electron. J.
//! Combin. 3(1) (1996) R9. Nim, Moore's game and circular Nim are such games; here the faces are
//! listed.

use crate::heap_rules::HeapRules;
use bouton_core::{Arrange, MAX_HEAPS, Moves, NotationError, Scanner, Symmetry, Windows};
use bouton_engine::family::{Example, Family, Reference, ReferenceKind, name_prefix};
use bouton_engine::game::Game;

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "simplicial",
    notation: "simplicial(FACE;FACE;…), e.g. simplicial(1,2;2,3;3,4)",
    about: "take from any heaps of one face; the faces list heaps",
    title: "Nim on a Complex",
    sentence: "Which heaps one move may touch, you say: any family of faces.",
    opening: Example::new("simplicial(1,2;2,3;3,4)", "2,3,3,1"),
    source: "R. Ehrenborg, E. Steingrimsson, Electron. J. Combin. 3(1) (1996) R9",
    reference: Reference {
        kind: ReferenceKind::Article,
        key: "ehrenborg-steingrimsson",
        author: "Richard Ehrenborg and Einar Steingrimsson",
        title: "Playing Nim on a simplicial complex",
        place: "Electron. J. Combin. 3(1), R9",
        year: "1996",
    },
    examples: &[
        Example::new("simplicial(1,2;2,3;3,4)", "2,1,3,1"),
        Example::new("simplicial(1,2,3;1,4;2,4;3,4)", "1,2,1,2"),
    ],
    claims: |text| name_prefix(text) == "simplicial",
    parse,
};

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner =
        Scanner::new(text, "the faces, each a list of heaps 1, 2, …, e.g. simplicial(1,2;2,3;3,4)");
    scanner.expect("simplicial")?;
    scanner.expect("(")?;
    let start = scanner.at();
    let mut faces: Vec<u32> = Vec::new();
    loop {
        let at = scanner.at();
        let mut face = 0;
        for heap in scanner.numbers("a heap", MAX_HEAPS as u64)? {
            if heap == 0 {
                return Err(scanner.error(at..scanner.at(), "heaps are counted from 1"));
            }
            face |= 1 << (heap - 1);
        }
        faces.push(face);
        if !scanner.eat(";") {
            break;
        }
    }
    let end = scanner.at();
    let union = faces.iter().fold(0u32, |union, face| union | face);
    if !(union + 1).is_power_of_two() {
        let missing = union.trailing_ones() + 1;
        return Err(scanner.error(start..end, format!("heap {missing} is in no face")));
    }
    scanner.expect(")")?;
    scanner.finish()?;
    Ok(complex(union.count_ones() as usize, &faces).game())
}

/// Returns the heaps of a face, ascending.
pub(crate) fn listed(face: u32) -> Vec<usize> {
    (0..MAX_HEAPS).filter(|heap| face >> heap & 1 == 1).collect()
}

/// Returns which rearrangements of the heaps in their order keep these facets: all, turns and
/// reflections of a circle, or none that is known.
pub(crate) fn order_symmetry(heaps: usize, facets: &[u32]) -> Symmetry {
    let keeps = |place: &dyn Fn(usize) -> usize| {
        let image =
            |face: u32| listed(face).into_iter().fold(0, |image, heap| image | 1 << place(heap));
        facets.iter().all(|face| facets.contains(&image(*face)))
    };
    let turns = keeps(&|heap| (heap + 1) % heaps);
    if turns && keeps(&|heap| if heap < 2 { (1 - heap).min(heaps - 1) } else { heap }) {
        Symmetry::Full
    } else if turns && keeps(&|heap| heaps - 1 - heap) {
        Symmetry::Ring
    } else {
        Symmetry::None
    }
}

/// Returns Nim on the complex of these faces, which have `heaps` heaps together.
fn complex(heaps: usize, faces: &[u32]) -> HeapRules {
    let larger = |face: u32| faces.iter().any(|other| *other != face && other & face == face);
    let mut maximal: Vec<u32> = faces.iter().copied().filter(|face| !larger(*face)).collect();
    maximal.arrange_by_key(|face| listed(*face));
    maximal.dedup();
    let symmetry = order_symmetry(heaps, &maximal);
    let names: Vec<String> = maximal
        .iter()
        .map(|face| {
            listed(*face).iter().map(|heap| (heap + 1).to_string()).collect::<Vec<_>>().join(",")
        })
        .collect();
    let about = format!(
        "{heaps} heaps. Choose one of the faces {{{}}} and take at least one token in all from \
         its heaps.",
        names.join("}, {")
    );
    let windows = Windows::Faces(maximal.iter().map(|face| listed(*face)).collect());
    let rules = HeapRules::places(heaps, symmetry, Moves::free(windows));
    rules.with_name(format!("simplicial({})", names.join(";")), about)
}
