//! A proved claim read at one position: whether it is P, and if not, options that are.
//!
//! The proof that every position outside S has an option in S is a list of parts: this kind of move
//! leads into this image of S where that condition holds. Conditions are made again from the claim
//! and the moves (by algebra, without any automaton of the whole) and compared with one position:
//! comparisons of heaps alone are evaluated, what elimination took out is computed from its
//! definitions, and what had to be guessed is found digit by digit, by a run of the part's own
//! automaton over the digits of the heaps. An option is shown only after the rules and the claim
//! itself were asked about it. Nothing depends on the size of the heaps but the length of their
//! digits.
//!
//! What is said here is as true as the claim: only claims with a certificate that the checker
//! accepted may be read so.

use crate::big::Big;
use crate::game::{MoveKind, MoveSystem};
use crate::prove::{ClaimCase, Plan, back_substitute, option_heaps, preimage};
use crate::{Claim, Formula, Node};
use bouton_automata::conjunction_nfa::ConjunctionNfa;
use bouton_automata::effort::Undecided;
use bouton_automata::linear_form::Variable;
use bouton_automata::normal::Conjunction;
use bouton_automata::numeration::Numeration;
use bouton_core::Meter;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The positions that the claims say are P, one claim a board and each up to the board's
/// symmetries.
pub struct PPositions<'g> {
    plan: Plan<'g>,
    claims: &'g [Claim],
    numeration: Numeration,
    /// For each board, the images in which the claim says something new.
    images: Vec<Vec<Vec<usize>>>,
}

/// A position with its board.
pub type Position = (usize, Vec<BigUint>);

/// Values of variables.
type Values = FxHashMap<Variable, Big>;

/// Rounds of zeros in front of the heaps' digits: guessed numbers may be longer than the heaps.
const LONGER: usize = 16;

impl<'g> PPositions<'g> {
    /// Returns the set that claims describe. Costs what bringing the claims and the moves to
    /// alternatives costs.
    ///
    /// # Panics
    /// Unless there is one claim for each board, over its heaps.
    pub fn new(
        game: &'g MoveSystem,
        claims: &'g [Claim],
        numeration: Numeration,
        meter: &mut Meter,
    ) -> Result<PPositions<'g>, Undecided> {
        assert!(
            claims.len() == game.boards.len()
                && claims.iter().zip(&game.boards).all(|(c, b)| c.heaps() == b.heaps)
        );
        let plan = Plan::new(game, claims, meter)?;
        let images = plan.images();
        Ok(PPositions { plan, claims, numeration, images })
    }

    /// Returns whether the position is one of them.
    ///
    /// # Panics
    /// Unless the position has the board's number of heaps.
    pub fn contains(
        &self,
        board: usize,
        heaps: &[BigUint],
        meter: &mut Meter,
    ) -> Result<bool, Undecided> {
        assert_eq!(
            heaps.len(),
            self.plan.game.boards[board].heaps,
            "as many heaps as on the board"
        );
        let values: Vec<Big> = heaps.iter().map(Big::from).collect();
        let formula = self.claims[board].formula();
        if formula.names.len() == formula.free {
            // Nothing is bound: the formula itself is asked.
            for image in &self.images[board] {
                let of = |v: usize| image.get(v).map(|&h| values[h].clone());
                if truth(&formula.root, &of) == Some(true) {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        for piece in &self.plan.pieces[board] {
            if self.choose(piece.condition.clone(), heaps, meter)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns options of the position that are among them, each once and at most `most`, as the
    /// parts of a proof give them. A A position outside has one, unless play is over there; a
    /// position inside has none.
    ///
    /// # Panics
    /// Unless the position has the board's number of heaps.
    pub fn options(
        &self,
        board: usize,
        heaps: &[BigUint],
        most: usize,
        meter: &mut Meter,
    ) -> Result<Vec<Position>, Undecided> {
        assert_eq!(
            heaps.len(),
            self.plan.game.boards[board].heaps,
            "as many heaps as on the board"
        );
        let mut found: Vec<Position> = Vec::new();
        if self.contains(board, heaps, meter)? {
            return Ok(found);
        }
        let ways = self.plan.game.ways.iter().zip(&self.plan.relations);
        for (way, relations) in ways.filter(|(way, _)| way.from == board) {
            for target in &self.plan.pieces[way.to] {
                for (relation, of_move) in relations {
                    if found.len() >= most {
                        return Ok(found);
                    }
                    let Some(condition) = preimage(self.plan.game, way, relation, target)? else {
                        continue;
                    };
                    let Some(values) = self.choose(condition, heaps, meter)? else { continue };
                    let read = |v: &Variable| values.get(v).and_then(Big::natural);
                    let Some(option) =
                        option_heaps(way).iter().map(read).collect::<Option<Vec<_>>>()
                    else {
                        continue;
                    };
                    let known = found.iter().any(|(to, other)| (*to, other) == (way.to, &option));
                    if !known
                        && allows(self.plan.game, way, (of_move, &values), heaps, &option)
                        && self.shows(target, way, &values, &option)
                    {
                        found.push((way.to, option));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns whether the claim itself holds of the option, in the image that the target is one
    /// of.
    fn shows(
        &self,
        target: &ClaimCase,
        way: &MoveKind,
        values: &Values,
        option: &[BigUint],
    ) -> bool {
        let image: Vec<Big> = target.symmetry.iter().map(|&h| Big::from(&option[h])).collect();
        holds(self.claims[way.to].formula(), &image, &target.parameters, values)
    }

    /// Returns values of the chosen variables for which the conjunction holds of the position, or
    /// None if there are none.
    fn choose(
        &self,
        condition: Conjunction,
        heaps: &[BigUint],
        meter: &mut Meter,
    ) -> Result<Option<Values>, Undecided> {
        meter.spend_one()?;
        let mut values: Values =
            heaps.iter().enumerate().map(|(h, size)| (h as Variable, Big::from(size))).collect();
        let known = |condition: &Conjunction, values: &Values| {
            let of = |v: Variable| values.get(&v).cloned();
            condition.atoms.iter().all(|atom| atom.holds(&of) != Some(false))
        };
        if !known(&condition, &values) {
            return Ok(None);
        }
        let Some((mut rest, definitions)) = condition.eliminate(meter)? else { return Ok(None) };
        if !known(&rest, &values) {
            return Ok(None);
        }
        let of = |v: Variable| values.get(&v).cloned();
        rest.atoms.retain(|atom| atom.holds(&of).is_none());
        if !rest.chosen.is_empty() {
            let Some(guessed) = self.guess(&rest, heaps, meter)? else { return Ok(None) };
            values.extend(rest.chosen.iter().copied().zip(guessed));
        }
        Ok(back_substitute(&mut values, &definitions).map(|()| values))
    }

    /// Returns values of the chosen variables, found digit by digit.
    fn guess(
        &self,
        condition: &Conjunction,
        heaps: &[BigUint],
        meter: &mut Meter,
    ) -> Result<Option<Vec<Big>>, Undecided> {
        let occurs = |v: Variable| condition.atoms.iter().any(|atom| atom.form.contains(v));
        let free: Vec<Variable> = (0..heaps.len() as Variable).filter(|&h| occurs(h)).collect();
        let digits: Vec<Vec<bool>> =
            free.iter().map(|&h| self.numeration.digits_of(&heaps[h as usize])).collect();
        let bits = self.numeration.bits();
        let longest = digits.iter().map(|digits| digits.len() / bits).max().unwrap_or(0);
        // Without free variables there are no rounds to be read: one heap's digits are, though
        // nothing asks for them.
        let (free, digits) = if free.is_empty() { (vec![0], vec![vec![]]) } else { (free, digits) };
        let rounds: Vec<Vec<bool>> = (0..LONGER + longest)
            .map(|round| {
                let own = |digits: &Vec<bool>| {
                    let zeros = LONGER + longest - digits.len() / bits;
                    match round.checked_sub(zeros) {
                        Some(place) => digits[place * bits..(place + 1) * bits].to_vec(),
                        None => vec![false; bits],
                    }
                };
                digits.iter().flat_map(own).collect()
            })
            .collect();
        let mut nfa = ConjunctionNfa::new(self.numeration, &free, condition, &[])?;
        if let Some(found) = nfa.witness(&rounds, meter)? {
            return Ok(Some(
                found.iter().map(|digits| Big(self.numeration.number(digits).into())).collect(),
            ));
        }
        if nfa.accepted(&rounds, meter)? {
            // Only by longer numbers.
            return Err(Undecided::Wide);
        }
        Ok(None)
    }
}

impl MoveSystem {
    /// Returns whether the rules allow the move between two positions, as far as evaluation shows
    /// it: a condition that holds only for values of the variables it binds is not seen to hold.
    pub fn allows(
        &self,
        (from, heaps): (usize, &[BigUint]),
        (to, option): (usize, &[BigUint]),
    ) -> bool {
        let fits =
            |way: &&MoveKind| way.from == from && way.to == to && way.heaps.len() == option.len();
        self.boards.get(from).is_some_and(|board| board.heaps == heaps.len())
            && self
                .ways
                .iter()
                .filter(fits)
                .any(|way| allows(self, way, (&[], &Values::default()), heaps, option))
    }
}

/// Returns whether the rules allow the move, with these values of what its condition binds: at
/// least one token in all leaves the heaps that it may lower.
fn allows(
    game: &MoveSystem,
    way: &MoveKind,
    (of_move, values): (&[(Variable, Option<usize>)], &Values),
    heaps: &[BigUint],
    option: &[BigUint],
) -> bool {
    let least = BigUint::from(u8::from(game.boards[way.to].positive));
    let tokens = game.heaps_of(heaps.len());
    let fits = |(&(h, low), q): (&(usize, bool), &BigUint)| {
        if low { least <= *q && (h >= tokens || *q <= heaps[h]) } else { *q == heaps[h] }
    };
    let left =
        |numbers: &[BigUint]| numbers[..game.heaps_of(numbers.len())].iter().sum::<BigUint>();
    let fewer = left(option) < left(heaps);
    let allowed = || {
        way.condition.as_ref().is_none_or(|condition| {
            let pair = |&h: &usize| [Big::from(&heaps[h]), Big::from(&option[h])];
            let lowered: Vec<Big> = way.window.iter().flat_map(pair).collect();
            holds(condition, &lowered, of_move, values)
        })
    };
    way.heaps.iter().zip(option).all(fits) && fewer && allowed()
}

/// Returns whether the formula is seen to hold where its free variables have these values, and
/// those that it binds the chosen ones.
fn holds(
    formula: &Formula,
    free: &[Big],
    chosen: &[(Variable, Option<usize>)],
    values: &Values,
) -> bool {
    let of = |v: usize| match v.checked_sub(formula.free) {
        None => Some(free[v].clone()),
        Some(place) => {
            let (variable, _) = chosen.iter().find(|(_, other)| *other == Some(place))?;
            values.get(variable).cloned()
        }
    };
    truth(&formula.root, &of) == Some(true)
}

/// Returns the formula's truth as far as these values show it: what is bound has one value at most,
/// so that `E` may be seen to be true and `A` to be false.
fn truth(node: &Node, of: &impl Fn(usize) -> Option<Big>) -> Option<bool> {
    let any = |parts: &[Node], wanted: bool| {
        let truths: Vec<Option<bool>> = parts.iter().map(|part| truth(part, of)).collect();
        match truths.contains(&Some(wanted)) {
            true => Some(wanted),
            false => truths.iter().all(Option::is_some).then_some(!wanted),
        }
    };
    match node {
        Node::Constant(value) => Some(*value),
        Node::Compare(left, relation, right) => {
            Some(relation.holds(left.value(of)?.cmp(&right.value(of)?)))
        }
        Node::Not(inner) => truth(inner, of).map(|truth| !truth),
        Node::And(parts) => any(parts, false),
        Node::Or(parts) => any(parts, true),
        Node::Implies(left, right) => match (truth(left, of), truth(right, of)) {
            (Some(false), _) | (_, Some(true)) => Some(true),
            (Some(true), right) => right,
            (None, _) => None,
        },
        Node::Iff(left, right) => Some(truth(left, of)? == truth(right, of)?),
        Node::Exists(_, body) => truth(body, of).filter(|truth| *truth),
        Node::Forall(_, body) => truth(body, of).filter(|truth| !truth),
    }
}
