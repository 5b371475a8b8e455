//! How many P-positions there are below a bound, whatever the bound: by a theorem, the automaton of
//! its form being counted along digit by digit; or by the period of the nim-values of single heaps.

use crate::single_heap_sums::{is_sum_of_heaps, proved_period, single_moves};
use crate::sums_of_heaps::{count_lost_sums, sizes_by_value};
use crate::theorems::{Known, Theorems};
use bouton_core::{Budget, Formula, FormulaBuilder, Meter, Node, Play, Relation, Symmetry, Term};
use bouton_engine::Game;
use bouton_games::Slice;
use bouton_prover::{Decision, decide};
use num_bigint::BigUint;

/// The most images of a position under the symmetries of a game whose form is counted.
const MAX_IMAGES: usize = 24;

/// The largest heap up to which sums of single heaps are counted.
pub(crate) const MAX_COUNTED: u64 = 1 << 62;

/// The number of P-positions, and what it is known by.
#[derive(Debug, Clone)]
pub struct CountedPositions {
    /// How many.
    pub count: BigUint,
    /// The theorem.
    pub statement: String,
    /// The hash at the end of its certificate, if it has one.
    pub certificate: Option<String>,
}

/// Counts the P-positions of this many heaps, none above `max`, in a slice or altogether, one of
/// those that differ in the order of like heaps. `None` if no theorem is known, if its form is not
/// counted, or if the budget ends before.
pub fn count_by_theorem(
    game: &dyn Game,
    heaps: usize,
    play: Play,
    theorems: &Theorems,
    (max, slice): (u64, Option<&Slice>),
    budget: &Budget,
) -> Option<CountedPositions> {
    let known = theorems.find_on_heaps(game, heaps, play).ok()??;
    let mut meter = Meter::new(budget);
    // Those on any number of heaps may change places.
    let shape = game.table_shape().filter(|shape| shape.numbers == heaps);
    let symmetry = shape.map_or(Symmetry::Full, |shape| shape.symmetry);
    let shrinks = known.game.boards.iter().any(|board| board.positive);
    let count = match slice {
        Some(_) if shrinks => return None,
        Some(slice) => {
            let images = own_images(&known, heaps, symmetry, &mut meter)?;
            let formula = in_slice(&known, heaps, &images, (max, slice))?;
            count_of(&known, &formula, max, &mut meter)?
        }
        None if shrinks => {
            // Positions that have lost heaps are on boards of their own.
            let boards = known.game.boards.iter().map(|board| board.heaps);
            boards
                .map(|heaps| count_of_classes(&known, heaps, symmetry, max, &mut meter))
                .sum::<Option<BigUint>>()?
        }
        None => count_of_classes(&known, heaps, symmetry, max, &mut meter)?,
    };
    let certificate = Some(known.certificate.clone());
    Some(CountedPositions { count, statement: known.statement(), certificate })
}

/// Counts what a formula says of numbers up to `max`.
fn count_of(known: &Known, formula: &Formula, max: u64, meter: &mut Meter) -> Option<BigUint> {
    match decide(formula, known.numeration, meter) {
        Ok(Decision::Open(relation)) => relation.count(&max.into(), meter).ok()?,
        Ok(Decision::True(_)) if formula.free == 0 => Some(1u8.into()),
        Ok(Decision::False(_)) if formula.free == 0 => Some(BigUint::ZERO),
        _ => None,
    }
}

/// Counts the P-positions of this many heaps, none above `max`, one of those that a symmetry
/// carries into each other.
fn count_of_classes(
    known: &Known,
    heaps: usize,
    symmetry: Symmetry,
    max: u64,
    meter: &mut Meter,
) -> Option<BigUint> {
    // A circle of one heap, or of none, has no symmetry.
    let symmetry = if heaps < 2 { Symmetry::None } else { symmetry };
    let images = own_images(known, heaps, symmetry, meter)?;
    if symmetry != Symmetry::Ring {
        let formula = one_of_each_class(known, heaps, symmetry, &images)?;
        return count_of(known, &formula, max, meter);
    }
    // Burnside: the classes are as many as the positions that a symmetry leaves alone, on an
    // average of all symmetries.
    let symmetries = symmetry.permutations(heaps, MAX_IMAGES)?;
    let alone = symmetries
        .iter()
        .map(|image| count_of(known, &left_alone(known, image, &images)?, max, meter));
    Some(alone.sum::<Option<BigUint>>()? / symmetries.len())
}

/// Counts the lost sums of this many single heaps up to `max`, each set of heaps once, by the proved
/// period of their nim-values. `None` if the game is no sum of single heaps, if no period is proved,
/// or if the budget ends before.
pub fn count_by_period(
    game: &dyn Game,
    heaps: usize,
    max: u64,
    budget: &Budget,
) -> Option<CountedPositions> {
    if !is_sum_of_heaps(game) || max > MAX_COUNTED {
        return None;
    }
    let proved = single_moves(game).and_then(|moves| proved_period(&moves, budget).ok()?);
    let (values, preperiod, period, certificate) = match proved {
        Some((_, found, _)) if found.saltus > 0 => return None,
        Some((sequence, found, certificate)) => {
            let values = (0..found.preperiod + found.period).map(|size| sequence.value(size));
            (values.collect(), found.preperiod, found.period, Some(certificate))
        }
        None => {
            let found = game.heap_period(budget)?.ok()?;
            let (preperiod, period) = (found.preperiod as usize, found.period as usize);
            (found.values, preperiod, period, None)
        }
    };
    let values: Vec<u32> = values;
    let mut sizes = sizes_by_value(&values);
    sizes.fill(0);
    for (size, value) in (0..=max).zip(&values) {
        let more = if size < preperiod as u64 { 0 } else { (max - size) / period as u64 };
        sizes[*value as usize] += 1 + more;
    }
    Some(CountedPositions {
        count: count_lost_sums(&sizes, u32::try_from(heaps).ok()?)?,
        statement: format!("nim-values of heaps have period {period} from {preperiod} on"),
        certificate,
    })
}

/// Returns the images of a known form that together say which positions are P: the form alone, if
/// it says the same of all images of a position.
fn own_images(
    known: &Known,
    heaps: usize,
    symmetry: Symmetry,
    meter: &mut Meter,
) -> Option<Vec<Vec<usize>>> {
    let board = known.game.boards.iter().position(|board| board.heaps == heaps)?;
    let (board, claim) = (&known.game.boards[board], known.claims.get(board)?);
    let same: Vec<usize> = (0..heaps).collect();
    let is_same = |image: &Vec<usize>, meter: &mut Meter| {
        let mut builder = FormulaBuilder::over([]);
        let own: Vec<usize> = same.iter().map(|heap| builder.bind(format!("h{heap}"))).collect();
        let other: Vec<usize> = image.iter().map(|from| own[*from]).collect();
        let [one, two] = [&own, &other].map(|heaps| builder.embed(claim.formula(), heaps));
        let formula = builder.build(one.iff(two).for_all(own));
        matches!(decide(&formula, known.numeration, meter), Ok(Decision::True(_)))
    };
    // The board has generators of its symmetries.
    if board.symmetries.iter().all(|image| *image == same || is_same(image, meter)) {
        return Some(vec![same]);
    }
    symmetry.permutations(heaps, MAX_IMAGES)
}

/// Returns the formula of the P-positions of a known form, their heaps being these variables.
fn p_positions(
    known: &Known,
    builder: &mut FormulaBuilder,
    heaps: &[usize],
    images: &[Vec<usize>],
) -> Option<Node> {
    let board = known.game.boards.iter().position(|board| board.heaps == heaps.len())?;
    let (board, claim) = (&known.game.boards[board], known.claims.get(board)?);
    let mut image = |symmetry: &Vec<usize>| {
        let own: Vec<usize> = symmetry.iter().map(|from| heaps[*from]).collect();
        builder.embed(claim.formula(), &own)
    };
    let mut is_p = Node::any(images.iter().map(&mut image).collect::<Vec<_>>());
    if let Some(domain) = &known.game.domain {
        is_p = is_p.and(builder.embed(domain, heaps));
    }
    if board.positive {
        let holds =
            |heap: &usize| Term::Number(1).compared(Relation::AtMost, Term::Variable(*heap));
        is_p = is_p.and(Node::all(heaps.iter().map(holds)));
    }
    Some(is_p)
}

/// Returns the formula of the P-positions that a symmetry leaves alone: the heaps of each of its
/// cycles are one variable.
fn left_alone(known: &Known, image: &[usize], images: &[Vec<usize>]) -> Option<Formula> {
    let mut own = vec![usize::MAX; image.len()];
    let mut cycles = 0;
    for start in 0..image.len() {
        let mut heap = start;
        if own[start] == usize::MAX {
            while own[heap] == usize::MAX {
                own[heap] = cycles;
                heap = image[heap];
            }
            cycles += 1;
        }
    }
    let mut builder = FormulaBuilder::over((0..cycles).map(|cycle| format!("h{cycle}")));
    let root = p_positions(known, &mut builder, &own, images)?;
    Some(builder.build(root))
}

/// Returns the formula of the P-positions, ascending where heaps may change places.
fn one_of_each_class(
    known: &Known,
    heaps: usize,
    symmetry: Symmetry,
    images: &[Vec<usize>],
) -> Option<Formula> {
    let mut builder = FormulaBuilder::over((0..heaps).map(|heap| format!("h{heap}")));
    let own: Vec<usize> = (0..heaps).collect();
    let is_p = p_positions(known, &mut builder, &own, images)?;
    let ascending = own
        .windows(2)
        .map(|pair| Term::Variable(pair[0]).compared(Relation::AtMost, Term::Variable(pair[1])));
    let root = match symmetry {
        Symmetry::None => is_p,
        Symmetry::Full => is_p.and(Node::all(ascending)),
        Symmetry::Ring => return None,
    };
    Some(builder.build(root))
}

/// Returns the formula of the heaps of a slice's P-positions, with the letters before them if the
/// heaps tell these: each position counts once then. None of them is above a bound if no letter and
/// no heap is, unless letters may be above it.
fn in_slice(
    known: &Known,
    heaps: usize,
    images: &[Vec<usize>],
    (max, slice): (u64, &Slice),
) -> Option<Formula> {
    let is_one_to_one = slice.is_one_to_one();
    if is_one_to_one && slice.largest_letter() > max {
        return None;
    }
    let letters = slice.letters();
    let heap = |place: usize| format!("heap{place}");
    let names: Vec<String> = letters.iter().cloned().chain((0..heaps).map(heap)).collect();
    let conditions: Vec<String> = slice
        .expressions()
        .iter()
        .enumerate()
        .map(|(place, number)| format!("{} = {number}", heap(place)))
        .collect();
    let shape = Formula::parse_over(&conditions.join(" & "), &names).ok()?;
    let free = if is_one_to_one { 0 } else { letters.len() };
    let mut builder = FormulaBuilder::over(names[free..].iter().cloned());
    let bound: Vec<usize> = letters[..free].iter().map(|name| builder.bind(name)).collect();
    let all: Vec<usize> = bound.iter().copied().chain(0..letters.len() + heaps - free).collect();
    let is_p = p_positions(known, &mut builder, &all[letters.len()..], images)?;
    let root = builder.embed(&shape, &all).exists(bound).and(is_p);
    Some(builder.build(root))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::sums_of_heaps::visit_multisets;
    use bouton_engine::Settings;
    use std::ops::ControlFlow::Continue;

    /// As many as search finds, heap by heap: below the preperiod, and whole periods above.
    #[test]
    fn counts_by_a_period_are_those_of_a_search() {
        for (game, heaps, max) in [
            ("kayles", 1, 60),
            ("kayles", 2, 40),
            ("0.07", 2, 60),
            ("S(1,3,4)", 3, 20),
            ("S(2,5,7)", 2, 50),
            ("4.0", 3, 9),
        ] {
            let game = bouton_games::parse(game).unwrap().game;
            let mut session = game.session(Settings::default());
            let (budget, mut lost) = (Budget::default(), 0u64);
            let mut meter = Meter::new(&budget);
            visit_multisets(max, heaps, &mut meter, &mut |sizes| {
                let found = session.evaluate_sizes(sizes).unwrap().unwrap();
                lost += u64::from(found.nim_value.unwrap().0 == 0);
                Continue(())
            })
            .unwrap();
            let counted = count_by_period(&*game, heaps, max.into(), &budget).unwrap();
            assert_eq!(counted.count, lost.into(), "{} {heaps} {max}", game.name());
        }
        // Kayles: of one row only the empty one.
        let kayles = bouton_games::parse("kayles").unwrap().game;
        let counted = count_by_period(&*kayles, 1, MAX_COUNTED, &Budget::default()).unwrap();
        assert_eq!(counted.count, 1u8.into());
        assert!(count_by_period(&*kayles, 1, u64::MAX, &Budget::default()).is_none());
        // Values that grow have no period of this kind, and Moore's Nim no values.
        for game in ["4.[3]", "moore(3)", "wythoff"] {
            let game = bouton_games::parse(game).unwrap().game;
            assert!(count_by_period(&*game, 2, 9, &Budget::default()).is_none());
        }
    }
}
