//! Nim on a simplicial complex: take from the heaps of one face, any of them, at least one token in all.
//!
//! Source: R. Ehrenborg, E. Steingrímsson, *Playing Nim on a simplicial complex*, Electron. J. Combin. 3(1) (1996) R9.
//! Nim, Moore's game and circular Nim are such games; here the faces are listed.

use crate::family::{Example, Family, head};
use crate::rings;
use crate::rows;
use bouton_rules::{
    Board, Digits, HeapGame, Heaps, Impartial, MAX_HEAPS, Moves, Notation, NotationError, Ruleset, Scanner,
    Symmetry, Windows,
};
use bouton_solve::game::{Game, impartial};
use std::ops::ControlFlow::{self, Continue};

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "simplicial",
    notation: "simplicial(FACE;FACE;…), e.g. simplicial(1,2;2,3;3,4)",
    about: "take from any heaps of one face; the faces list heaps",
    source: "R. Ehrenborg, E. Steingrimsson, Electron. J. Combin. 3(1) (1996) R9",
    examples: &[
        Example::new("simplicial(1,2;2,3;3,4)", "2,1,3,1"),
        Example::new("simplicial(1,2,3;1,4;2,4;3,4)", "1,2,1,2"),
    ],
    claims: |text| head(text) == "simplicial",
    parse,
};

/// Nim on one complex.
#[derive(Debug, Clone)]
pub struct Simplicial {
    /// How many heaps, 1..=15; each is in some face.
    heaps: usize,
    /// The maximal faces, each a bit mask of heaps, in the order of their lists.
    faces: Vec<u32>,
    symmetry: Symmetry,
}

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
    Ok(impartial(Simplicial::new(union.count_ones() as usize, &faces)))
}

/// The heaps of a face, ascending.
fn listed(face: u32) -> Vec<usize> {
    (0..MAX_HEAPS).filter(|heap| face >> heap & 1 == 1).collect()
}

impl Simplicial {
    /// The game of faces that have `heaps` heaps together.
    fn new(heaps: usize, faces: &[u32]) -> Simplicial {
        let larger = |face: u32| faces.iter().any(|other| *other != face && other & face == face);
        let mut maximal: Vec<u32> = faces.iter().copied().filter(|face| !larger(*face)).collect();
        maximal.sort_by_key(|face| listed(*face));
        maximal.dedup();
        let keeps = |place: &dyn Fn(usize) -> usize| {
            let image = |face: u32| listed(face).into_iter().fold(0, |image, heap| image | 1 << place(heap));
            maximal.iter().all(|face| maximal.contains(&image(*face)))
        };
        let turns = keeps(&|heap| (heap + 1) % heaps);
        let symmetry = if turns && keeps(&|heap| if heap < 2 { (1 - heap).min(heaps - 1) } else { heap }) {
            Symmetry::Full
        } else if turns && keeps(&|heap| heaps - 1 - heap) {
            Symmetry::Ring
        } else {
            Symmetry::None
        };
        Simplicial { heaps, faces: maximal, symmetry }
    }

    /// Visits the ways to lower heaps of face `which` from heap `from` on that no face before allows; `changed` are
    /// those lowered so far.
    fn lower<B>(
        &self,
        which: usize,
        from: usize,
        changed: u32,
        q: &mut Heaps,
        visit: &mut impl FnMut(Heaps) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(heap) = (from..self.heaps).find(|heap| self.faces[which] >> heap & 1 == 1) else {
            let before = self.faces[..which].iter().any(|face| changed & !face == 0);
            return if changed == 0 || before { Continue(()) } else { visit(*q) };
        };
        self.lower(which, heap + 1, changed, q, visit)?;
        let size = q[heap];
        for rest in (0..size).rev() {
            q[heap] = rest;
            self.lower(which, heap + 1, changed | 1 << heap, q, visit)?;
        }
        q[heap] = size;
        Continue(())
    }
}

impl Ruleset for Simplicial {
    type Position = Heaps;

    fn options<B>(&self, p: &Heaps, mut visit: impl FnMut(Heaps) -> ControlFlow<B>) -> ControlFlow<B> {
        (0..self.faces.len()).try_for_each(|which| self.lower(which, 0, 0, &mut p.clone(), &mut visit))
    }

    fn rank(&self, p: &Heaps) -> u64 {
        p.total()
    }

    fn canonical(&self, mut p: Heaps) -> Heaps {
        match self.symmetry {
            Symmetry::None => p,
            Symmetry::Ring => rings::least_image(p),
            Symmetry::Full => {
                p.sort_unstable();
                p
            }
        }
    }
}

impl Impartial for Simplicial {}

impl Notation for Simplicial {
    fn name(&self) -> String {
        let face = |face: &u32| {
            let heaps: Vec<String> = listed(*face).iter().map(|heap| (heap + 1).to_string()).collect();
            heaps.join(",")
        };
        format!("simplicial({})", self.faces.iter().map(face).collect::<Vec<_>>().join(";"))
    }

    fn describe(&self) -> String {
        let faces: Vec<String> = self
            .faces
            .iter()
            .map(|face| {
                let heaps: Vec<String> = listed(*face).iter().map(|heap| (heap + 1).to_string()).collect();
                format!("{{{}}}", heaps.join(","))
            })
            .collect();
        format!(
            "{} heaps. Take at least one token in all from the heaps of one of {}.",
            self.heaps,
            faces.join(", ")
        )
    }

    fn position_form(&self) -> String {
        rows::form(Some(self.heaps), "heap")
    }

    fn read(&self, text: &str) -> Result<Heaps, NotationError> {
        Ok(Heaps::from(&rows::read(text, Some(self.heaps), "heap")?[..]))
    }

    fn print(&self, p: &Heaps) -> String {
        rows::print(p, None)
    }

    fn positions_up_to<B>(
        &self,
        max: u32,
        visit: impl FnMut(Heaps) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        Some(rings::boxed(self.heaps, 0, max, visit))
    }

    fn heap_game(&self) -> Option<HeapGame> {
        let faces = self.faces.iter().map(|face| listed(*face)).collect();
        Some(HeapGame {
            heaps: self.heaps,
            symmetry: self.symmetry,
            shrinks: false,
            moves: Moves::free(Windows::Faces(faces)),
            digits: Digits::Binary,
        })
    }

    fn sizes(&self, p: &Heaps) -> Vec<u64> {
        rows::sizes(p, None)
    }

    fn move_text(&self, p: &Heaps, q: &Heaps) -> String {
        let changes = (0..self.heaps).filter(|i| p[*i] != q[*i]);
        let parts: Vec<String> = changes.map(|i| format!("heap {}: {} → {}", i + 1, p[i], q[i])).collect();
        parts.join(", ")
    }

    fn board(&self, p: &Heaps) -> Board {
        Board::Row(p.to_vec())
    }
}
