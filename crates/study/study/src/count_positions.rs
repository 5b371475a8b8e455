//! How many P-positions there are below a bound, by a theorem: the automaton of its form is counted
//! along, digit by digit, whatever the bound.

use crate::theorems::{Known, Theorems};
use bouton_core::{Budget, Formula, FormulaBuilder, Meter, Node, Play, Relation, Symmetry, Term};
use bouton_engine::Game;
use bouton_games::Slice;
use bouton_prover::{Decision, decide};
use num_bigint::BigUint;

/// The most images of a position under the symmetries of a game whose form is counted.
const MAX_IMAGES: usize = 24;

/// The number of P-positions, and what it is known by.
#[derive(Debug, Clone)]
pub struct CountedPositions {
    /// How many.
    pub count: BigUint,
    /// The theorem.
    pub statement: String,
    /// The hash at the end of its certificate.
    pub certificate: String,
}

/// Counts the P-positions of this many heaps, none above `max`, in a slice or altogether, one of
/// those that differ in the order of like heaps. `None` if no theorem is known, if its form is not
/// counted, or if the budget ends before.
pub fn count_by_theorem(
    game: &dyn Game,
    heaps: usize,
    play: Play,
    theorems: &Theorems,
    (max, slice): (u32, Option<&Slice>),
    budget: &Budget,
) -> Option<CountedPositions> {
    let known = theorems.find_on_heaps(game, heaps, play).ok()??;
    let mut meter = Meter::new(budget);
    // Those on any number of heaps may change places.
    let shape = game.table_shape().filter(|shape| shape.numbers == heaps);
    let symmetry = shape.map_or(Symmetry::Full, |shape| shape.symmetry);
    let formula = match slice {
        Some(slice) => in_slice(&known, heaps, symmetry, (max, slice))?,
        None => one_of_each_class(&known, heaps, symmetry)?,
    };
    let Ok(Decision::Open(relation)) = decide(&formula, known.numeration, &mut meter) else {
        return None;
    };
    let count = relation.count(&max.into(), &mut meter).ok()??;
    Some(CountedPositions { count, statement: known.statement(), certificate: known.certificate })
}

/// Returns the formula of the P-positions of a known form, their heaps being these variables.
fn p_positions(
    known: &Known,
    builder: &mut FormulaBuilder,
    heaps: &[usize],
    symmetry: Symmetry,
) -> Option<Node> {
    let board = known.game.boards.iter().position(|board| board.heaps == heaps.len())?;
    let (board, claim) = (&known.game.boards[board], known.claims.get(board)?);
    if board.positive {
        return None;
    }
    // The board has generators of its symmetries.
    let images = match board.symmetries.len() {
        0 | 1 => vec![(0..heaps.len()).collect()],
        _ => symmetry.permutations(heaps.len(), MAX_IMAGES)?,
    };
    let mut image = |symmetry: &Vec<usize>| {
        let own: Vec<usize> = symmetry.iter().map(|from| heaps[*from]).collect();
        builder.embed(claim.formula(), &own)
    };
    let mut is_p = Node::any(images.iter().map(&mut image).collect::<Vec<_>>());
    if let Some(domain) = &known.game.domain {
        is_p = is_p.and(builder.embed(domain, heaps));
    }
    Some(is_p)
}

/// Returns the formula of the P-positions, ascending where heaps may change places.
fn one_of_each_class(known: &Known, heaps: usize, symmetry: Symmetry) -> Option<Formula> {
    let mut builder = FormulaBuilder::over((0..heaps).map(|heap| format!("h{heap}")));
    let own: Vec<usize> = (0..heaps).collect();
    let is_p = p_positions(known, &mut builder, &own, symmetry)?;
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

/// Returns the formula of the letters and heaps of a slice's P-positions. The heaps follow from the
/// letters, so that each value of these counts once; none of them is above a bound if no letter and
/// no heap is, unless letters may be above it.
fn in_slice(
    known: &Known,
    heaps: usize,
    symmetry: Symmetry,
    (max, slice): (u32, &Slice),
) -> Option<Formula> {
    if slice.largest_letter() > u64::from(max) {
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
    let mut builder = FormulaBuilder::over(names);
    let all: Vec<usize> = (0..letters.len() + heaps).collect();
    let is_p = p_positions(known, &mut builder, &all[letters.len()..], symmetry)?;
    let root = builder.embed(&shape, &all).and(is_p);
    Some(builder.build(root))
}
