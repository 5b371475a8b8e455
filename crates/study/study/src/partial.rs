//! What is proved of a part of a game: of the positions in which some heaps are empty, or one is
//! bounded, or to which a move leads; where emptied heaps leave, of those with fewer heaps.
//!
//! No heap grows, so positions with small heaps are a game of their own
//! ([`restricted_to_small_heaps`]), with a line of its own; and so are those that a move leads to
//! ([`where_moves_lead`]), where something is remembered. If no form of all P-positions is proved,
//! these lines are followed, from the least parts on: of two heaps alone, of three, …, then of
//! those with one heap at most 1, 2, …; one part of each class under the game's symmetry. A part of
//! which a lesser one is not proved is left out: it is not easier.

mod kept;

pub(crate) use kept::theorem_on_part;

use crate::board::Board;
use crate::box_learning;
use crate::partial_theorem::{PartialTheorem, Parts};
use crate::pipeline::{Pipeline, PipelineOutcome, follow, follow_remembered, proof};
use crate::tables::{Tables, domain_claim, letters};
use bouton_conjecture::OutcomeTable;
use bouton_core::{Arrange, Budget, Deadline, DigitSystem, HeapGame, Play};
use bouton_engine::Game;
use bouton_games::{restricted_to_heap_count, restricted_to_small_heaps, where_moves_lead};
use bouton_theory::verdict::{Proved, Verdict};
use num_bigint::BigUint;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::time::Duration;

/// Time for all parts where no end is set, and at most.
const PARTS_TIME: Duration = Duration::from_secs(10);
const MAX_TIME: Duration = Duration::from_secs(30);
/// The part of the time that is kept for them; of positions with more numbers than [`MAX_LEARNED`],
/// of which automata are seldom learned, a greater one.
const KEPT: [u32; 2] = [4, 3];
const MAX_LEARNED: usize = 5;
/// Heaps of games that are looked at, and images of them, at most.
const HEAPS: usize = 9;
const IMAGES: usize = 5040;
/// The most empty heaps beside one that is bounded.
const BESIDE: usize = 2;
/// The most numbers of a position with a bounded heap.
const BOUNDED: usize = 6;
/// No part is begun in the last part of the time: not all that is done looks at the clock.
const LAST: u32 = 6;
/// The greatest bound of a heap.
const BOUND: u32 = 8;

/// Positions with some heaps empty, and perhaps one of a bounded size.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Small {
    empty: BTreeSet<usize>,
    at_most: Option<(usize, u32)>,
}

impl Small {
    /// Returns the image under a permutation of the heaps.
    fn image(&self, image: &[usize]) -> Small {
        Small {
            empty: self.empty.iter().map(|heap| image[*heap]).collect(),
            at_most: self.at_most.map(|(heap, most)| (image[heap], most)),
        }
    }

    /// Returns whether all positions of the other are among these.
    fn contains(&self, other: &Small) -> bool {
        self.empty.is_subset(&other.empty)
            && self.at_most.is_none_or(|(heap, most)| {
                other.empty.contains(&heap)
                    || other.at_most.is_some_and(|own| own.0 == heap && own.1 <= most)
            })
    }

    /// Returns the game on these positions, if there is one, and not too many numbers to read its
    /// rules.
    fn game(&self, whole: &dyn Game, budget: &Budget) -> Option<Box<dyn Game>> {
        if self.at_most.is_some() && whole.heap_game()?.heaps - self.empty.len() > BOUNDED {
            return None;
        }
        let empty: Vec<usize> = self.empty.iter().copied().collect();
        restricted_to_small_heaps(whole, &empty, self.at_most, budget)
    }

    /// Returns the heaps that may be other than empty, as the positions of the game on this part
    /// have them, if a position of any size lies in the image of the part under a permutation.
    fn places(&self, image: &[usize], position: &[BigUint]) -> Option<Vec<usize>> {
        let heap = |of: usize| position.get(*image.get(of)?);
        let is_in = self.empty.iter().all(|empty| heap(*empty) == Some(&BigUint::ZERO))
            && self
                .at_most
                .is_none_or(|(of, most)| heap(of).is_some_and(|heap| *heap <= BigUint::from(most)));
        let kept = (0..position.len()).filter(|heap| !self.empty.contains(heap));
        is_in.then(|| kept.map(|heap| image.get(heap).copied()).collect()).flatten()
    }

    fn has(&self, p: &[i64]) -> bool {
        self.empty.iter().all(|heap| p[*heap] == 0)
            && self.at_most.is_none_or(|(heap, most)| p[heap] <= i64::from(most))
    }
}

/// Returns the parts to look at, of this many heaps, of which this many stay at least, from the
/// least on.
fn parts(heaps: usize, least: usize) -> Vec<Small> {
    let sets = |size: usize| {
        let codes = (0..1usize << heaps).filter(move |code| code.count_ones() as usize == size);
        codes.map(move |code| {
            (0..heaps).filter(|heap| code >> heap & 1 == 1).collect::<BTreeSet<usize>>()
        })
    };
    let sizes = || (1..=heaps.saturating_sub(least)).rev();
    let mut all: Vec<Small> =
        sizes().flat_map(sets).map(|empty| Small { empty, at_most: None }).collect();
    // With more heaps that are not empty first: they say most. One of any size is left.
    let Some(most_empty) = heaps.checked_sub(2) else { return all };
    for size in 0..=most_empty.min(BESIDE) {
        for most in 1..=BOUND {
            for empty in sets(size) {
                let others = (0..heaps).filter(|heap| !empty.contains(heap));
                all.extend(
                    others.map(|heap| Small { empty: empty.clone(), at_most: Some((heap, most)) }),
                );
            }
        }
    }
    all
}

/// Returns whether time is kept for parts of this game: not if its automata are learned from whole
/// boxes, of which the last is the largest that there is time for.
pub(crate) fn reserves_time(stated: &HeapGame, play: Play) -> bool {
    let heaps = stated.heaps - stated.moves.memory.count;
    !stated.shrinks && heaps >= 2 && stated.heaps <= HEAPS && !box_learning::applies(stated, play)
}

/// Returns the part of a budget that a line may take if parts are looked at after it, should it
/// fail.
pub(crate) fn before_parts(stated: &HeapGame, budget: &Budget) -> Budget {
    match &budget.deadline {
        Some(deadline) => {
            let left = deadline.left();
            let kept = KEPT[usize::from(stated.heaps > MAX_LEARNED)];
            budget.within(left - (left / kept).min(MAX_TIME))
        }
        None => budget.clone(),
    }
}

/// Returns the theorems found on parts, after a line that ends without one. Of `begins` the
/// positions are those from which there are moves, if the game has others.
pub(crate) fn partial_theorems(
    tables: &Tables<'_>,
    begins: Option<&dyn Game>,
    line: &Pipeline,
) -> Parts {
    let n = tables.stated.heaps;
    let [board] = &line.boards[..] else { return with_few_heaps(tables, line) };
    let (Some(table), true) = (&board.table, (2..=HEAPS).contains(&n)) else {
        return Parts::default();
    };
    if matches!(line.ending, PipelineOutcome::Proved(_)) {
        return Parts::default();
    }
    let Some(images) = tables.stated.symmetry.permutations(n, IMAGES) else {
        return Parts::default();
    };
    let left =
        tables.budget.deadline.as_ref().map_or(PARTS_TIME, |deadline| deadline.left() / 20 * 19);
    let mut search = PartSearch {
        tables,
        table,
        images,
        end: Deadline::after(left.min(MAX_TIME)),
        covered: vec![false; table.class_count()],
        found: Vec::new(),
        known: Vec::new(),
        open: Vec::new(),
        digits: Vec::new(),
    };
    search.where_moves_lead(begins.unwrap_or(tables.game));
    for small in search.ordered_parts() {
        if search.end.left() < left.min(MAX_TIME) / LAST || tables.budget.interrupted().is_some() {
            break;
        }
        search.try_part(small);
    }
    let classes = search.covered.iter().filter(|is_covered| **is_covered).count();
    Parts { theorems: search.found, classes }
}

/// A search for theorems on parts of a game.
struct PartSearch<'t> {
    tables: &'t Tables<'t>,
    table: &'t OutcomeTable,
    /// The permutations of the heaps under the game's symmetry.
    images: Vec<Vec<usize>>,
    end: Deadline,
    /// Which classes of the table lie in a part with a theorem.
    covered: Vec<bool>,
    found: Vec<PartialTheorem>,
    /// The parts of which an image has a theorem, and those of which none has been found.
    known: Vec<Small>,
    open: Vec<Small>,
    /// The digits of automata that are proved.
    digits: Vec<(Small, DigitSystem)>,
}

impl PartSearch<'_> {
    /// Marks the classes of positions of a part as covered, and counts them.
    fn cover(&mut self, has: impl Fn(&[i64]) -> bool) -> usize {
        let mut classes = 0;
        for (class, is_covered) in self.table.classes().zip(&mut self.covered) {
            let is_in = has(&class);
            classes += usize::from(is_in);
            *is_covered |= is_in;
        }
        classes
    }

    /// Seeks a theorem on the positions that a move leads to.
    fn where_moves_lead(&mut self, game: &dyn Game) {
        let half = || self.tables.budget.within(self.end.left() / 2);
        if let Some(game) = where_moves_lead(game, &half())
            && let Some(domain) = game.heap_game().and_then(|stated| stated.moves.domain)
            && let Some((theorem, _)) = theorem(self.tables, &*game, None, None, &half())
        {
            let positions = Some(domain_claim(&domain).to_string());
            let occurs = |p: &[i64]| {
                let p: Option<Vec<u64>> =
                    p.iter().map(|number| u64::try_from(*number).ok()).collect();
                p.is_some_and(|p| domain.contains(&p))
            };
            let images = self.images.clone();
            let classes = self.cover(|p| {
                images
                    .iter()
                    .any(|image| occurs(&image.iter().map(|heap| p[*heap]).collect::<Vec<_>>()))
            });
            let of = self.table.class_count();
            self.found.push(PartialTheorem { positions, classes, of, ..theorem });
        }
    }

    /// Returns the parts to look at, from the least on: of those with as many empty heaps and the
    /// same bound, those with most P-positions first.
    fn ordered_parts(&self) -> Vec<Small> {
        let (heaps, memory) = self.heaps_and_memory();
        let all = parts(heaps, if memory > 0 { 1 } else { 2 });
        let mut classes = vec![0; all.len()];
        let is_open = || self.tables.budget.interrupted().is_none();
        for p in self.table.classes().take_while(|_| is_open()) {
            for (classes, small) in classes.iter_mut().zip(&all) {
                *classes += usize::from(small.has(&p));
            }
        }
        let order = |small: &Small, classes: usize| {
            let is_bounded = small.at_most.map(|(_, most)| (small.empty.len(), most));
            let empty = is_bounded.is_none().then_some(Reverse(small.empty.len()));
            (is_bounded, empty, Reverse(classes))
        };
        let mut all: Vec<_> = all
            .into_iter()
            .zip(classes)
            .map(|(small, classes)| (order(&small, classes), small))
            .collect();
        all.arrange_by(|(one, _), (other, _)| one.cmp(other));
        all.into_iter().map(|(_, small)| small).collect()
    }

    /// Returns how many heaps there are, and how many numbers are remembered.
    fn heaps_and_memory(&self) -> (usize, usize) {
        let memory = self.tables.stated.moves.memory.count;
        (self.tables.stated.heaps - memory, memory)
    }

    /// Seeks a theorem on a part, if none contains it and none is missing on a lesser part.
    fn try_part(&mut self, small: Small) {
        if self.known.iter().any(|one| one.contains(&small))
            || self.open.iter().any(|one| small.contains(one))
        {
            return;
        }
        let all: Vec<Small> = self.images.iter().map(|image| small.image(image)).collect();
        // What is left goes to those that come after: most to those with a bound, as of many others
        // most are proved at once or not at all.
        let (heaps, _) = self.heaps_and_memory();
        let share = if small.at_most.is_some() || heaps <= 3 { 2 } else { 4 };
        let budget = self.tables.budget.within(self.end.left() / share);
        // There is no game where there are no moves.
        let Some(game) = small.game(self.tables.game, &budget) else { return };
        if all_may_be_taken(&*game) {
            return;
        }
        let known_digits = self.digits.iter().rfind(|(one, _)| small.contains(one));
        let digits = known_digits.map(|(_, digits)| *digits);
        let found = theorem(self.tables, &*game, Some(&small), digits, &budget);
        let Some((theorem, digits)) = found else {
            self.open.extend(all);
            return;
        };
        self.digits.extend(digits.map(|digits| (small, digits)));
        let classes = self.cover(|p| all.iter().any(|small| small.has(p)));
        // A greater part says more.
        self.found.retain(|one| {
            let own = Small { empty: one.empty.iter().copied().collect(), at_most: one.at_most };
            one.positions.is_some() || !all.iter().any(|small| small.contains(&own))
        });
        self.known.extend(all);
        let of = self.table.class_count();
        self.found.push(PartialTheorem { classes, of, ..theorem });
    }
}

/// Returns the theorem on the positions with fewer heaps, where emptied heaps leave: with as many
/// as may be, by the forms that stand.
fn with_few_heaps(tables: &Tables<'_>, line: &Pipeline) -> Parts {
    if matches!(line.ending, PipelineOutcome::Proved(_)) {
        return Parts::default();
    }
    let end = Deadline::after(
        tables.budget.deadline.as_ref().map_or(PARTS_TIME, Deadline::left).min(MAX_TIME),
    );
    let count = |boards: &[Board]| -> usize {
        boards.iter().filter_map(|board| board.table.as_ref()).map(OutcomeTable::class_count).sum()
    };
    for heaps in (1..line.boards.len()).rev() {
        let boards = &line.boards[..heaps];
        if boards.iter().any(|board| board.to_prove().is_none()) {
            continue;
        }
        let Some(game) = restricted_to_heap_count(tables.game, heaps) else { continue };
        let Some(stated) = game.heap_game() else { continue };
        let budget = tables.budget.within(end.left() / 2);
        let own = Tables::new(&*game, &stated, tables.play, &budget, tables.tell);
        let Verdict::Proved(Proved::Theorem(theorem)) = proof(&own, boards) else { continue };
        let said = |board: &Board| {
            let round = &board.rounds[board.to_prove()?];
            let claim = round.claim();
            (claim != "false").then(|| format!("{claim} of {} heaps", board.heaps))
        };
        let forms: Vec<String> = boards.iter().rev().filter_map(said).collect();
        let classes = count(boards);
        let theorem = PartialTheorem {
            empty: Vec::new(),
            at_most: None,
            heaps_at_most: Some(heaps),
            positions: None,
            game: theorem.game.clone(),
            form: if forms.is_empty() { "false".to_owned() } else { forms.join("; ") },
            up_to_symmetry: line.up_to_symmetry,
            classes,
            of: count(&line.boards),
            claim: None,
            certificate: theorem.certificate,
        };
        return Parts { theorems: vec![theorem], classes };
    }
    Parts::default()
}

/// Returns whether a move may take what it likes from all heaps: of such a game there is nothing to
/// say.
fn all_may_be_taken(game: &dyn Game) -> bool {
    let Some(HeapGame { heaps, moves, .. }) = game.heap_game() else { return false };
    let windows = moves.windows.on_heaps(heaps, IMAGES).unwrap_or_default();
    moves.condition.is_none() && windows.iter().any(|window| window.len() == heaps)
}

/// Returns the theorem on one part, a game of its own, if its line ends in one, and the digits that
/// it is about if it is about an automaton. If digits are known, automata are learned in these
/// alone.
fn theorem(
    tables: &Tables<'_>,
    game: &dyn Game,
    small: Option<&Small>,
    digits: Option<DigitSystem>,
    budget: &Budget,
) -> Option<(PartialTheorem, Option<DigitSystem>)> {
    let stated = game.heap_game()?;
    let own = Tables::new(game, &stated, tables.play, budget, tables.tell);
    let own = Tables { max: tables.max, digits, ..own };
    // Of positions that a move leads to one form is quickly seen or not there.
    let remembered = if small.is_none() { follow_remembered(&own) } else { None };
    let line = remembered.unwrap_or_else(|| follow(&own));
    let PipelineOutcome::Proved(proved) = &line.ending else { return None };
    let round = line.boards.last()?.rounds.last()?;
    let is_empty = |heap: usize| small.is_some_and(|small| small.empty.contains(&heap));
    let all = letters(tables.stated.heaps).into_iter().enumerate();
    let letters: Vec<String> =
        all.filter(|(heap, _)| !is_empty(*heap)).map(|(_, letter)| letter).collect();
    // Another name for each heap; an automaton names none.
    let form = match round.formula() {
        Some(claim) => claim.formula().over(&letters).to_string(),
        None => format!("of {}: {}", letters.join(", "), round.form),
    };
    let read = round.automaton.as_ref().map(|automaton| automaton.digits);
    let theorem = PartialTheorem {
        empty: small.map_or_else(Vec::new, |small| small.empty.iter().copied().collect()),
        at_most: small.and_then(|small| small.at_most),
        heaps_at_most: None,
        positions: None,
        game: proved.game.clone(),
        form,
        up_to_symmetry: line.up_to_symmetry,
        classes: 0,
        of: 0,
        claim: line.theorem(tables.play).map(|(form, _)| form),
        certificate: proved.certificate.clone(),
    };
    Some((theorem, read))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_prover::Claim;
    use std::ops::ControlFlow::Continue;

    fn small(empty: &[usize], at_most: Option<(usize, u32)>) -> Small {
        Small { empty: empty.iter().copied().collect(), at_most }
    }

    #[test]
    fn parts_come_from_the_least_on() {
        let all = parts(4, 2);
        assert_eq!(all[0], small(&[0, 1], None));
        let place = |one: Small| all.iter().position(|other| *other == one);
        assert!(place(small(&[2, 3], None)) < place(small(&[0], None)));
        assert!(place(small(&[], Some((3, 1)))) < place(small(&[], Some((0, 2)))));
        assert!(place(small(&[], Some((3, BOUND)))) < place(small(&[1], Some((0, 1)))));
        // Of a memory and two heaps one may be empty.
        assert_eq!(
            parts(2, 1)[..3],
            [small(&[0], None), small(&[1], None), small(&[], Some((0, 1)))]
        );
        // None contains a later one, but for those with a bound.
        for (i, one) in all.iter().enumerate().filter(|(_, one)| one.at_most.is_none()) {
            let later = all[i + 1..].iter().filter(|other| other.at_most.is_none());
            assert!(later.into_iter().all(|other| !one.contains(other)));
        }
    }

    /// What is proved on a part is what the whole game's table says of it.
    #[test]
    fn theorems_on_parts_are_those_of_the_game() {
        let game = bouton_games::parse("CN(6,2)").unwrap().game;
        let stated = game.heap_game().unwrap();
        let budget = Budget::default();
        let tables = Tables::new(&*game, &stated, Play::Normal, &budget, &|_| ());
        for part in [small(&[0, 3], None), small(&[0, 1], None), small(&[0, 1], Some((3, 1)))] {
            let own = part.game(&*game, &budget).unwrap();
            let found = theorem(&tables, &*own, Some(&part), None, &budget).unwrap().0;
            let claim = Claim::parse(&found.claim.unwrap().whole, 6 - part.empty.len()).unwrap();
            let images = own.heap_game().unwrap().symmetry;
            let images = images.permutations(claim.heaps(), IMAGES).unwrap();
            let mut session = game.session(bouton_engine::Settings::default());
            let mut compared = 0;
            let visited = session.table(4, &mut |p, outcome| {
                let signed: Vec<i64> = p.iter().map(|heap| *heap as i64).collect();
                if part.has(&signed) {
                    let kept: Vec<u64> =
                        (0..6).filter(|h| !part.empty.contains(h)).map(|h| p[h]).collect();
                    assert_eq!(claim.holds_up_to(&kept, &images).unwrap(), outcome.is_p(), "{p:?}");
                    compared += 1;
                }
                Continue(())
            });
            visited.unwrap().unwrap();
            assert!(compared > 20, "{part:?}: {compared}");
        }
    }

    /// Positions with fewer heaps have the outcomes that they have on a smaller circle.
    #[test]
    fn fewer_heaps_are_a_smaller_circle() {
        let game = bouton_games::parse("SCN(5,2)").unwrap().game;
        let few = restricted_to_heap_count(&*game, 4).unwrap();
        let outcomes = |game: &dyn Game| {
            let mut all = std::collections::BTreeMap::new();
            let mut session = game.session(bouton_engine::Settings::default());
            let visited = session.table(4, &mut |p, outcome| {
                all.insert(p.to_vec(), outcome.is_p());
                Continue(())
            });
            visited.unwrap().unwrap();
            all
        };
        let (all, own) = (outcomes(&*game), outcomes(&*few));
        assert!(own.len() > 50 && own.values().any(|is_p| *is_p));
        assert!(own.iter().all(|(p, is_p)| all[p] == *is_p));
        assert!(
            restricted_to_heap_count(&*game, 1).is_none()
                && restricted_to_heap_count(&*game, 5).is_none()
        );
        assert!(
            restricted_to_heap_count(&*bouton_games::parse("CN(5,2)").unwrap().game, 4).is_none()
        );
    }
}
