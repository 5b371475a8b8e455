//! What is proved of a part of a game: of the positions in which some heaps are empty, or one is
//! bounded.
//!
//! No heap grows, so such positions are a game of their own ([`where_small`]), with a line of its
//! own. Where no form of all P-positions is proved, the line is followed for each way to have one
//! heap empty, two, …, then for each way to have one heap at most 1, then 2, …, at last for one
//! empty and one at most 1; one of each class under the game's symmetry, and none of which a
//! theorem says it already.

use crate::line::{Ending, Line, follow};
use crate::tables::Tables;
use bouton_certificate::SealedCertificate;
use bouton_core::{Budget, Deadline};
use bouton_games::where_small;
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::Duration;

/// Time for all parts where no end is set, and at most.
const PATIENCE: Duration = Duration::from_secs(10);
const MOST: Duration = Duration::from_secs(30);
/// Heaps of games that are looked at, and images of them, at most.
const HEAPS: usize = 9;
const IMAGES: usize = 5040;
/// The greatest bound of a heap.
const BOUND: u32 = 4;

/// A theorem on the positions with some heaps empty, or one of a bounded size.
#[derive(Debug, Clone, Serialize)]
pub struct PartialTheorem {
    /// The heaps that are empty, counted from 0.
    pub empty: Vec<usize>,
    /// A heap, and what it is at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<(usize, u32)>,
    /// The game on these positions, as the certificate calls it.
    pub game: String,
    /// Its P-positions, over the letters of the whole game's heaps.
    pub form: String,
    /// Whether the form is meant up to a symmetry of the game on the others.
    pub up_to_symmetry: bool,
    /// How many classes of P-positions of the last table have an image among these positions.
    pub classes: usize,
    /// How many there are.
    pub of: usize,
    /// As `bouton check` reads it.
    #[serde(skip)]
    pub certificate: SealedCertificate,
}

/// Positions with some heaps empty, and perhaps one of a bounded size.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Small {
    empty: BTreeSet<usize>,
    at_most: Option<(usize, u32)>,
}

impl Small {
    /// The image under a permutation of the heaps.
    fn image(&self, image: &[usize]) -> Small {
        Small {
            empty: self.empty.iter().map(|heap| image[*heap]).collect(),
            at_most: self.at_most.map(|(heap, most)| (image[heap], most)),
        }
    }

    /// Whether all positions of the other are among these.
    fn contains(&self, other: &Small) -> bool {
        self.empty.is_subset(&other.empty)
            && self.at_most.is_none_or(|(heap, most)| {
                other.empty.contains(&heap) || other.at_most.is_some_and(|own| own.0 == heap && own.1 <= most)
            })
    }

    fn has(&self, p: &[i64]) -> bool {
        self.empty.iter().all(|heap| p[*heap] == 0)
            && self.at_most.is_none_or(|(heap, most)| p[heap] <= i64::from(most))
    }
}

/// The parts to look at, of so many heaps, in this order.
fn parts(heaps: usize) -> Vec<Small> {
    let sets = |size: usize| {
        let codes = (0..1usize << heaps).filter(move |code| code.count_ones() as usize == size);
        codes.map(move |code| (0..heaps).filter(|heap| code >> heap & 1 == 1).collect::<BTreeSet<usize>>())
    };
    let mut all: Vec<Small> =
        (1..heaps.saturating_sub(1)).flat_map(sets).map(|empty| Small { empty, at_most: None }).collect();
    let one = |most: u32| (0..heaps).map(move |heap| (heap, most));
    let bounded = (1..=BOUND).flat_map(one);
    all.extend(bounded.map(|at_most| Small { empty: BTreeSet::new(), at_most: Some(at_most) }));
    for empty in sets(1).filter(|_| heaps > 3) {
        let others = one(1).filter(|(heap, _)| !empty.contains(heap));
        all.extend(others.map(|at_most| Small { empty: empty.clone(), at_most: Some(at_most) }));
    }
    all
}

/// The theorems found on parts, after a line that ends without one.
pub(crate) fn partial_theorems(tables: &Tables<'_>, line: &Line) -> Vec<PartialTheorem> {
    let (n, memory) = (tables.stated.heaps, tables.stated.moves.memory.count);
    let [board] = &line.boards[..] else { return Vec::new() };
    let (Some(table), true) = (&board.table, (2..=HEAPS).contains(&n)) else { return Vec::new() };
    if matches!(line.ending, Ending::Proved(_)) {
        return Vec::new();
    }
    let Some(images) = tables.stated.symmetry.permutations(n, IMAGES) else { return Vec::new() };
    let end = Deadline::after(tables.budget.deadline.map_or(PATIENCE, |deadline| deadline.left().min(MOST)));
    let mut found: Vec<PartialTheorem> = Vec::new();
    // All of which an image has a theorem.
    let mut known: Vec<Small> = Vec::new();
    let mut tried: BTreeSet<Small> = BTreeSet::new();
    for small in parts(n - memory) {
        if end.is_past() || tables.budget.interrupted().is_some() {
            return found;
        }
        if tried.contains(&small) || known.iter().any(|one| one.contains(&small)) {
            continue;
        }
        let all: Vec<Small> = images.iter().map(|image| small.image(image)).collect();
        tried.extend(all.iter().cloned());
        // More heaps take longer; what is left goes to those with fewer.
        let budget = tables.budget.within(end.left() / 3);
        let Some(theorem) = part(tables, &small, &budget) else { continue };
        let has_image = |p: &Vec<i64>| all.iter().any(|small| small.has(p));
        let classes = table.classes().filter(has_image).count();
        // One with a greater bound says more.
        if let Some((heap, most)) = small.at_most {
            let is_less = |one: &PartialTheorem| {
                let own = Small { empty: one.empty.iter().copied().collect(), at_most: one.at_most };
                own.at_most.is_some_and(|own| own.0 == heap && own.1 < most) && small.contains(&own)
            };
            found.retain(|one| !is_less(one));
        }
        known.extend(all);
        found.push(PartialTheorem { classes, of: table.class_count(), ..theorem });
    }
    found
}

/// The theorem on one part, if its line ends in one.
fn part(tables: &Tables<'_>, small: &Small, budget: &Budget) -> Option<PartialTheorem> {
    let empty: Vec<usize> = small.empty.iter().copied().collect();
    let game = where_small(tables.game, &empty, small.at_most)?;
    let stated = game.heap_game()?;
    let line =
        follow(&Tables { max: tables.max, ..Tables::new(&*game, &stated, tables.play, budget, tables.tell) });
    let Ending::Proved(proof) = &line.ending else { return None };
    let round = line.boards.last()?.rounds.last()?;
    let letters: Vec<String> = (0..tables.stated.heaps)
        .filter(|heap| !empty.contains(heap))
        .map(|heap| char::from(b'a' + heap as u8).to_string())
        .collect();
    // Another name for each heap; an automaton names none.
    let form = match round.formula() {
        Some(claim) => claim.formula().over(&letters).to_string(),
        None => format!("of {}: {}", letters.join(", "), round.form),
    };
    Some(PartialTheorem {
        empty,
        at_most: small.at_most,
        game: proof.game.clone(),
        form,
        up_to_symmetry: line.up_to_symmetry,
        classes: 0,
        of: 0,
        certificate: proof.certificate.clone(),
    })
}
