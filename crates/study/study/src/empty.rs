//! What is proved of a part of a game: of the positions in which some heaps are empty.
//!
//! Empty heaps stay empty, so such positions are a game on the other heaps ([`with_empty`]), with a line of its own. Where no form of all P-positions is proved, the
//! line is followed for each way to have one heap empty, two, …, one of each class under the game's symmetry, and none of which a part is a theorem already.

use crate::line::{Ending, Line, follow};
use crate::tables::Tables;
use bouton_core::{Budget, Claim, Deadline, Formula};
use bouton_games::with_empty;
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::Duration;

/// Time for all parts where no end is set, and at most.
const PATIENCE: Duration = Duration::from_secs(10);
const MOST: Duration = Duration::from_secs(30);
/// Heaps of games that are looked at, and images of them, at most.
const HEAPS: usize = 9;
const IMAGES: usize = 5040;

/// A theorem on the positions with some heaps empty.
#[derive(Debug, Clone, Serialize)]
pub struct WhereEmpty {
    /// The heaps that are empty, counted from 0.
    pub empty: Vec<usize>,
    /// The game on the others, as the certificate calls it.
    pub game: String,
    /// Its P-positions, over the letters of the whole game's heaps.
    pub form: String,
    /// Whether the form is meant up to a symmetry of the game on the others.
    pub up_to_symmetry: bool,
    /// How many classes of P-positions of the last table have such heaps empty in some image.
    pub classes: usize,
    /// How many there are.
    pub of: usize,
    /// As `bouton check` reads it.
    #[serde(skip)]
    pub certificate: String,
}

/// The theorems found where some heaps are empty, after a line that ends without one; fewest empty heaps first.
pub(crate) fn where_empty(tables: &Tables<'_>, line: &Line) -> Vec<WhereEmpty> {
    let n = tables.stated.heaps;
    let [board] = &line.boards[..] else { return Vec::new() };
    let (Some(table), true) = (&board.table, (3..=HEAPS).contains(&n)) else { return Vec::new() };
    if matches!(line.ending, Ending::Proved(_)) {
        return Vec::new();
    }
    let Some(images) = tables.stated.symmetry.permutations(n, IMAGES) else { return Vec::new() };
    let end = Deadline::after(tables.budget.deadline.map_or(PATIENCE, |deadline| deadline.left().min(MOST)));
    let mut found: Vec<WhereEmpty> = Vec::new();
    // All sets of which an image has a theorem.
    let mut known: Vec<BTreeSet<usize>> = Vec::new();
    let mut tried: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
    for size in 1..n - 1 {
        for code in (0..1usize << n).filter(|code| code.count_ones() as usize == size) {
            let empty: BTreeSet<usize> = (0..n).filter(|heap| code >> heap & 1 == 1).collect();
            if end.is_past() || tables.budget.interrupted().is_some() {
                return found;
            }
            if tried.contains(&empty) || known.iter().any(|one| one.is_subset(&empty)) {
                continue;
            }
            let all: Vec<BTreeSet<usize>> =
                images.iter().map(|image| empty.iter().map(|heap| image[*heap]).collect()).collect();
            tried.extend(all.iter().cloned());
            let list: Vec<usize> = empty.iter().copied().collect();
            // More heaps take longer; what is left goes to those with fewer.
            let budget = tables.budget.within(end.left() / 3);
            let Some(theorem) = part(tables, &list, &budget) else { continue };
            let has_them = |p: &Vec<i64>| all.iter().any(|empty| empty.iter().all(|heap| p[*heap] == 0));
            let classes = table.classes().filter(has_them).count();
            known.extend(all);
            found.push(WhereEmpty { classes, of: table.class_count(), ..theorem });
        }
    }
    found
}

/// The theorem on one part, if its line ends in one.
fn part(tables: &Tables<'_>, empty: &[usize], budget: &Budget) -> Option<WhereEmpty> {
    let game = with_empty(tables.game, empty)?;
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
    let form = match &round.claim {
        Some(claim) => {
            let claim = Claim::parse(claim, stated.heaps).ok()?;
            let formula = claim.formula();
            let names = letters.iter().chain(&formula.names[formula.free..]).cloned().collect();
            Formula { names, ..formula.clone() }.to_string()
        }
        None => format!("of {}: {}", letters.join(", "), round.form),
    };
    let certificate = proof.certificate.clone();
    let name = bouton_certificate::Header::parse(&certificate).map(|header| header.game.to_owned());
    Some(WhereEmpty {
        empty: empty.to_vec(),
        game: name.unwrap_or_else(|| game.name()),
        form,
        up_to_symmetry: line.up_to_symmetry,
        classes: 0,
        of: 0,
        certificate,
    })
}
