//! P-positions proved for all heap sizes.
//!
//! A set S is the set of P-positions if (I) no move leads from S into S and (II) from every
//! position outside S a move leads into S; every move lowers the number of tokens, so play ends,
//! and (II) puts the positions without a move into S. (I) is asked window by window: is there a
//! position in S with an option in an image of S? (II) is a union: every position is in S or in one
//! of the sets "this kind of move leads into this image of S", each of which is brought to a
//! conjunction over the position's heaps by algebra where that is exact, and left with guessed
//! digits elsewhere. The union is then checked without building a product ([`crate::cover`]).
//! Compare Mignoty, Renard, Rigo & Whiteland, Automatic proofs in combinatorial game theory, IJGT
//! 54 (2025), who state the conditions for Walnut.

use crate::cover::{self, Cover, Covered};
use crate::game::{Board, MoveKind, MoveSystem};
use bouton_automata::conjunction_nfa::renamed;
use bouton_automata::effort::Undecided;
use bouton_automata::eliminate::{Definition, Extreme};
use bouton_automata::linear_form::{Atom, LinearForm, Test, Variable};
use bouton_automata::normal::{Conjunction, NoNormalForm, alternatives};
use bouton_automata::numeration::Numeration;
use bouton_automata::reduced::Reduced;
use bouton_core::{Arrange, Claim, LimitReached, Meter, Number};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::fmt;

/// The outcome of trying to prove a claim, with a proof of type `P`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt<P = Proof> {
    /// The claim describes the P-positions exactly, whatever the heap sizes.
    Proved(P),
    /// It does not.
    Refuted(Counterexample),
    /// Not settled within the limits, or beyond the method.
    Unknown(Undecided),
}

/// What a proof consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The cases shown impossible for condition (I).
    pub cases: usize,
    /// For each board, how every position outside S is led into S.
    pub parts: Vec<Vec<ProofCase>>,
    /// For each board, why there is a part for every position.
    pub covers: Vec<Cover>,
}

impl Proof {
    /// Returns how many sets of possibilities were explored for condition (II).
    pub fn sets(&self) -> usize {
        self.covers.iter().map(|cover| cover.sets.len()).sum()
    }
}

/// Some positions, and what is shown of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofCase {
    /// What is shown of the positions.
    pub shows: CaseConclusion,
    /// The symmetry of the option's board: image σ of the option has its heap σ(i) in place i.
    pub symmetry: Vec<usize>,
    /// The condition on the position's heaps (variables 0, 1, …) and on guessed variables.
    pub condition: Conjunction,
    /// How the option's heaps (variable 64 + i) and the claim's parameters follow, in order of
    /// elimination.
    pub definitions: Vec<Definition>,
    /// The claim's parameters.
    pub parameters: Parameters,
    /// Those of the condition on the move.
    pub of_move: Parameters,
}

/// Variables chosen in an alternative of a formula: the place of each among those that the formula
/// binds, if it is one.
pub type Parameters = Vec<(Variable, Option<usize>)>;

/// What is shown of some positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseConclusion {
    /// This kind of move, by its number in the game, leads into the image of the claim; or taking
    /// nothing does.
    Way(usize),
    /// They are in the image of the claim.
    Claimed,
    /// This heap is empty, as on the board it never is.
    Empty(usize),
    /// The digits of this heap are no numeral.
    NoNumeral(usize),
    /// No token is left; in misère play such a position is not claimed.
    Over,
}

/// Why a claim is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterexample {
    /// The board of the position.
    pub board: usize,
    /// The position.
    pub position: Vec<u64>,
    /// An option that is claimed just as the position is; None if the position is not claimed and
    /// no option is.
    pub option: Option<(usize, Vec<u64>)>,
    /// Whether instead no token is left, in misère play, and the position is claimed.
    pub over: bool,
    /// Whether no position with fewer tokens, nor an earlier one with as many, shows the claim
    /// wrong.
    pub least: bool,
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |p: &[u64]| p.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        match &self.option {
            Some((_, option)) => {
                write!(
                    f,
                    "({}) is claimed, and so is its option ({})",
                    show(&self.position),
                    show(option)
                )
            }
            None if self.over => {
                write!(
                    f,
                    "({}) is claimed, but whoever is to move there wins",
                    show(&self.position)
                )
            }
            None => write!(
                f,
                "({}) is not claimed, and neither is any of its options",
                show(&self.position)
            ),
        }
    }
}

/// The option's heap i is variable OPTION + i; the position's heap i is variable i.
pub const OPTION: Variable = 64;
/// Parameters and named terms are numbered from here.
pub const PARAMETER: Variable = 128;

/// Decides whether the claims, one a board and each up to the board's symmetries, describe the
/// P-positions.
///
/// # Panics
/// Unless there is one claim for each board, over its heaps.
pub fn prove(
    game: &MoveSystem,
    claims: &[Claim],
    numeration: Numeration,
    meter: &mut Meter,
) -> Attempt {
    assert!(
        claims.len() == game.boards.len()
            && claims.iter().zip(&game.boards).all(|(c, b)| c.heaps() == b.heaps)
    );
    match meter
        .spend_and_poll(0)
        .map_err(Undecided::from)
        .and_then(|()| settle(game, claims, numeration, meter))
    {
        Ok(verdict) => verdict,
        Err(reason) => Attempt::Unknown(reason),
    }
}

/// One alternative of one image of a claim.
pub(crate) struct ClaimCase {
    pub(crate) symmetry: Vec<usize>,
    pub(crate) parameters: Parameters,
    /// Over heap numbers; parameters chosen.
    pub(crate) condition: Conjunction,
}

/// What a proof has to show, as far as algebra goes: claim and moves brought to alternatives.
pub(crate) struct Plan<'g> {
    pub(crate) game: &'g MoveSystem,
    /// For each board, the alternatives of all images of its claim.
    pub(crate) pieces: Vec<Vec<ClaimCase>>,
    /// For each way, the alternatives of its condition.
    pub(crate) relations: Vec<Vec<(Conjunction, Parameters)>>,
}

impl<'g> Plan<'g> {
    pub(crate) fn new(
        game: &'g MoveSystem,
        claims: &[Claim],
        meter: &mut Meter,
    ) -> Result<Plan<'g>, Undecided> {
        let mut next = PARAMETER;
        let mut pieces = Vec::new();
        for (board, claim) in game.boards.iter().zip(claims) {
            let mut own = images(claim, &board.symmetries, &mut next, meter)?;
            // Where no heap is empty, what is said of positions with an empty one is said of
            // nothing.
            let empty = |heap: usize| Atom {
                form: LinearForm::variable(heap as Variable),
                test: Test::Zero,
            };
            let of_none = |piece: &ClaimCase| {
                (0..board.heaps).any(|h| piece.condition.atoms.contains(&empty(h)))
            };
            own.retain(|piece| !board.positive || !of_none(piece));
            pieces.push(own);
        }
        let mut relations = Vec::new();
        for way in &game.ways {
            relations.push(relation(way, &mut next, meter)?);
        }
        Ok(Plan { game, pieces, relations })
    }

    /// Returns the images in which the claim of each board says something new.
    pub(crate) fn images(&self) -> Vec<Vec<Vec<usize>>> {
        let of = |pieces: &Vec<ClaimCase>| -> BTreeSet<_> {
            pieces.iter().map(|p| p.symmetry.clone()).collect()
        };
        self.pieces.iter().map(|pieces| of(pieces).into_iter().collect()).collect()
    }

    /// Returns the cases of (I): of a move from S into S, each with its way; None for one that is
    /// plainly impossible. What is said of the option is made once a way, not once a case.
    fn cases(
        &self,
    ) -> impl Iterator<Item = Result<Option<(&'g MoveKind, Conjunction)>, NoNormalForm>> + '_ {
        self.game.ways.iter().zip(&self.relations).flat_map(move |(way, relations)| {
            let symmetric = self.game.is_symmetric(way.from);
            let own = self.pieces[way.from].iter();
            let own = own.filter(move |piece| !symmetric || piece.symmetry.is_sorted());
            let mut after: Vec<Option<Result<Option<Conjunction>, NoNormalForm>>> = Vec::new();
            after.resize_with(self.pieces[way.to].len() * relations.len(), || None);
            let (count, mut before_move, mut at) = (after.len(), None, 0);
            let mut own = own.peekable();
            std::iter::from_fn(move || {
                if at == count {
                    own.next();
                    (before_move, at) = (None, 0);
                }
                let piece = *own.peek().filter(|_| count > 0)?;
                let position = before_move.get_or_insert_with(|| before(self.game, way, piece));
                let (target, relation) =
                    (&self.pieces[way.to][at / relations.len()], &relations[at % relations.len()]);
                let option =
                    after[at].get_or_insert_with(|| moved(self.game, way, &relation.0, target));
                at += 1;
                let case = || -> Result<Option<Conjunction>, NoNormalForm> {
                    let Some(option) = option.as_ref().map_err(Clone::clone)? else {
                        return Ok(None);
                    };
                    let Some(position) = position.as_ref().map_err(Clone::clone)? else {
                        return Ok(None);
                    };
                    Ok(option.and(position))
                };
                Some(case().map(|case| case.map(|case| (way, case))))
            })
        })
    }

    /// Returns for (III), in misère play, the ways in which a position without tokens could be
    /// claimed.
    fn claimed_though_over(&self) -> impl Iterator<Item = (usize, Conjunction)> + '_ {
        let boards =
            self.game.boards.iter().zip(&self.pieces).enumerate().filter(|_| self.game.misere);
        boards.filter(|(_, (rules, _))| has_end(rules)).flat_map(|(board, (rules, pieces))| {
            pieces.iter().filter_map(move |piece| {
                let mut both = piece.condition.and(&no_tokens(rules))?;
                both.chosen.extend(0..rules.heaps as Variable);
                Some((board, both))
            })
        })
    }

    /// Returns the parts of (II): what together must be every position of a board.
    fn parts(
        &self,
        board: usize,
        numeration: Numeration,
        meter: &mut Meter,
    ) -> Result<Vec<ProofCase>, Undecided> {
        let mut all = Parts::default();
        for part in outside(&self.game.boards[board], numeration, self.game.misere) {
            all.push(part);
        }
        let resting =
            |way: &MoveKind| way.from == board && way.to == board && way.condition.is_none();
        if !self.game.ways.iter().any(resting) {
            for piece in &self.pieces[board] {
                all.add(CaseConclusion::Claimed, piece, &[], piece.condition.clone(), meter)?;
            }
        }
        let ways = self.game.ways.iter().zip(&self.relations).enumerate();
        for (number, (way, relations)) in ways.filter(|(_, (way, _))| way.from == board) {
            for target in &self.pieces[way.to] {
                for (relation, of_move) in relations {
                    let Some(condition) = preimage(self.game, way, relation, target)? else {
                        continue;
                    };
                    all.add(CaseConclusion::Way(number), target, of_move, condition, meter)?;
                }
            }
        }
        Ok(all.list)
    }
}

/// Returns the two conditions on a claim of a game on one board as one sentence, after the algebra:
/// what the automata decide, for other programs to decide, too. Binary digits.
pub(crate) fn conditions(
    game: &MoveSystem,
    claim: &Claim,
    meter: &mut Meter,
) -> Result<Reduced, Undecided> {
    let plan = Plan::new(game, std::slice::from_ref(claim), meter)?;
    let all = |conjunction: Conjunction| {
        let atoms = Reduced::And(conjunction.atoms.into_iter().map(Reduced::Atom).collect());
        match conjunction.chosen.is_empty() {
            true => atoms,
            false => Reduced::Exists(conjunction.chosen, Box::new(atoms)),
        }
    };
    let mut shown = Vec::new();
    let mut seen = FxHashSet::default();
    for case in plan.cases() {
        meter.poll(0)?;
        let Some((_, case)) = case? else { continue };
        let Some((rest, _)) = case.eliminate(meter)? else { continue };
        let rest = renamed(&rest);
        if seen.insert(rest.clone()) {
            shown.push(Reduced::Not(Box::new(all(rest))));
        }
    }
    for (_, case) in plan.claimed_though_over() {
        if let Some((rest, _)) = case.eliminate(meter)? {
            shown.push(Reduced::Not(Box::new(all(rest))));
        }
    }
    let parts = plan
        .parts(0, Numeration::Binary, meter)?
        .into_iter()
        .map(|part| all(part.condition))
        .collect();
    let heaps = (0..game.boards[0].heaps as Variable).collect();
    shown.push(Reduced::Forall(heaps, Box::new(Reduced::Or(parts))));
    Ok(Reduced::And(shown))
}

fn settle(
    game: &MoveSystem,
    claims: &[Claim],
    numeration: Numeration,
    meter: &mut Meter,
) -> Result<Attempt, Undecided> {
    let plan = Plan::new(game, claims, meter)?;
    let refuted = |found, meter: &mut Meter| {
        Ok(Attempt::Refuted(least(game, claims, &plan.images(), found, meter)))
    };
    let mut cases = 0;
    for case in plan.cases() {
        cases += 1;
        meter.poll(0)?;
        let Some((way, case)) = case? else { continue };
        if let Some((position, option)) = witness(game, way, case, numeration, meter)? {
            let option = Some((way.to, option));
            return refuted(
                Counterexample { board: way.from, position, option, over: false, least: false },
                meter,
            );
        }
    }
    for (board, case) in plan.claimed_though_over() {
        cases += 1;
        let Some((rest, _)) = case.eliminate(meter)? else { continue };
        if cover::satisfied(numeration, &rest, meter)?.is_some() {
            let position = vec![0; game.boards[board].heaps];
            return refuted(
                Counterexample { board, position, option: None, over: true, least: false },
                meter,
            );
        }
    }
    let (mut parts, mut covers) = (Vec::new(), Vec::new());
    for (board, rules) in game.boards.iter().enumerate() {
        let all = plan.parts(board, numeration, meter)?;
        let free: Vec<Variable> = (0..rules.heaps as u32).collect();
        let conditions: Vec<cover::CoverPart<'_>> = all
            .iter()
            .map(|part| match part.shows {
                CaseConclusion::NoNumeral(heap) => cover::CoverPart::Neighbours(heap),
                _ => cover::CoverPart::Holds(&part.condition),
            })
            .collect();
        match cover::covers(numeration, &free, &conditions, meter)? {
            Covered::All(cover) => covers.push(cover),
            Covered::Except(position) => {
                return refuted(
                    Counterexample { board, position, option: None, over: false, least: false },
                    meter,
                );
            }
        }
        parts.push(all);
    }
    Ok(Attempt::Proved(Proof { cases, parts, covers }))
}

/// Returns whether the board has a position without tokens.
fn has_end(rules: &Board) -> bool {
    !rules.positive || rules.heaps == 0
}

fn no_tokens(rules: &Board) -> Conjunction {
    let mut condition = Conjunction::default();
    for heap in 0..rules.heaps {
        condition.add(Atom { form: LinearForm::variable(heap as Variable), test: Test::Zero });
    }
    condition
}

/// Returns what is no position of the board, and in misère play the end.
fn outside(rules: &Board, numeration: Numeration, misere: bool) -> Vec<ProofCase> {
    let heaps = || 0..rules.heaps;
    let mut shows = Vec::new();
    if rules.positive {
        shows.extend(heaps().map(CaseConclusion::Empty));
    }
    if numeration != Numeration::Binary {
        shows.extend(heaps().map(CaseConclusion::NoNumeral));
    }
    if misere && has_end(rules) {
        shows.push(CaseConclusion::Over);
    }
    let part = |shows: CaseConclusion| {
        let mut condition = Conjunction::default();
        match shows {
            CaseConclusion::Empty(heap) => {
                condition
                    .add(Atom { form: LinearForm::variable(heap as Variable), test: Test::Zero });
            }
            CaseConclusion::Over => condition = no_tokens(rules),
            _ => {}
        }
        let (parameters, of_move) = (Vec::new(), Vec::new());
        ProofCase {
            shows,
            symmetry: Vec::new(),
            condition,
            definitions: Vec::new(),
            parameters,
            of_move,
        }
    };
    shows.into_iter().map(part).collect()
}

/// Most images of one claim.
const IMAGES: usize = 5040;

/// Returns the alternatives of all images of a claim, none twice; an image for each set of
/// alternatives.
fn images(
    claim: &Claim,
    generators: &[Vec<usize>],
    next: &mut Variable,
    meter: &mut Meter,
) -> Result<Vec<ClaimCase>, Undecided> {
    let mut pieces: Vec<ClaimCase> = Vec::new();
    let mut seen: FxHashSet<Conjunction> = FxHashSet::default();
    let mut orbit: FxHashSet<Vec<Conjunction>> = FxHashSet::default();
    let mut open: VecDeque<Vec<usize>> = VecDeque::from([(0..claim.heaps()).collect()]);
    let mut met: FxHashSet<Vec<usize>> = open.iter().cloned().collect();
    while let Some(image) = open.pop_front() {
        let place: Vec<Variable> = image.iter().map(|&h| h as Variable).collect();
        let mut all = Vec::new();
        let first = *next;
        let bound = claim.formula().names.len() - claim.formula().free;
        for condition in alternatives(claim.formula(), &place, next, meter)? {
            meter.poll(0)?;
            let Some((simple, _)) = condition.clone().eliminate(meter)? else { continue };
            let simple = renamed(&simple);
            all.push(simple.clone());
            if seen.insert(simple) {
                let parameters = parameters(&condition, first, bound);
                pieces.push(ClaimCase { symmetry: image.clone(), parameters, condition });
            }
        }
        all.arrange();
        // The claim seen from a symmetry of an image already met is one already met, too.
        if !orbit.insert(all) {
            continue;
        }
        if orbit.len() > IMAGES {
            return Err(NoNormalForm::Images(IMAGES).into());
        }
        for generator in generators {
            let image: Vec<usize> = image.iter().map(|&h| generator[h]).collect();
            if met.insert(image.clone()) {
                open.push_back(image);
            }
        }
    }
    Ok(pieces)
}

/// Returns the images of a claim that say something of their own.
pub(crate) fn distinct_images(
    claim: &Claim,
    generators: &[Vec<usize>],
    meter: &mut Meter,
) -> Result<Vec<Vec<usize>>, Undecided> {
    let pieces = images(claim, generators, &mut PARAMETER.clone(), meter)?;
    let distinct: BTreeSet<Vec<usize>> = pieces.into_iter().map(|piece| piece.symmetry).collect();
    Ok(distinct.into_iter().collect())
}

/// Returns the variables chosen in an alternative of a formula of which `bound` variables, numbered
/// from `first`, are bound.
fn parameters(condition: &Conjunction, first: Variable, bound: usize) -> Parameters {
    let mut chosen = condition.chosen.clone();
    chosen.arrange();
    chosen.dedup();
    let place = |v: Variable| Some((v - first) as usize).filter(|&place| place < bound);
    chosen.into_iter().map(|v| (v, place(v))).collect()
}

/// Returns the alternatives of a way's own condition, over position and option.
fn relation(
    way: &MoveKind,
    next: &mut Variable,
    meter: &mut Meter,
) -> Result<Vec<(Conjunction, Parameters)>, Undecided> {
    let Some(condition) = &way.condition else { return Ok(vec![Default::default()]) };
    let option = option_heaps(way);
    let place: Vec<Variable> =
        way.window.iter().flat_map(|&h| [h as Variable, option[h]]).collect();
    let (first, bound) = (*next, condition.names.len() - condition.free);
    let all = alternatives(condition, &place, next, meter)?;
    Ok(all.into_iter().map(|one| (one.clone(), parameters(&one, first, bound))).collect())
}

fn at_most(left: LinearForm, right: &LinearForm, offset: i64) -> Result<Atom, NoNormalForm> {
    let form = left
        .plus(right, -1)
        .and_then(|d| d.plus(&LinearForm::constant(offset), 1))
        .ok_or(NoNormalForm::Overflow)?;
    Ok(Atom { form, test: Test::AtMostZero })
}

/// Returns a board's own condition on heaps with these numbers.
fn positive(game: &MoveSystem, board: usize, heaps: &[Variable]) -> Conjunction {
    let mut condition = Conjunction::default();
    if game.boards[board].positive {
        for &h in heaps {
            condition.add(Atom {
                form: LinearForm {
                    constant: 1,
                    ..LinearForm::variable(h).times(-1).unwrap_or_default()
                },
                test: Test::AtMostZero,
            });
        }
    }
    condition
}

pub(crate) fn option_heaps(way: &MoveKind) -> Vec<Variable> {
    way.heaps
        .iter()
        .enumerate()
        .map(|(i, &(h, low))| if low { OPTION + i as u32 } else { h as u32 })
        .collect()
}

/// Returns the target piece as a condition on the option, with the rules of the move; the lowered
/// heaps chosen.
fn moved(
    game: &MoveSystem,
    way: &MoveKind,
    relation: &Conjunction,
    target: &ClaimCase,
) -> Result<Option<Conjunction>, NoNormalForm> {
    let heaps = option_heaps(way);
    let mut condition = relation.clone();
    condition.chosen.extend(&target.condition.chosen);
    for atom in &target.condition.atoms {
        let to = |v: Variable| heaps.get(v as usize).copied().unwrap_or(v);
        let form = atom.form.renamed(to).ok_or(NoNormalForm::Overflow)?;
        if !condition.add(Atom { form, test: atom.test }) {
            return Ok(None);
        }
    }
    let Some(mut condition) = condition.and(&positive(game, way.to, &heaps)) else {
        return Ok(None);
    };
    for (&q, &(h, low)) in heaps.iter().zip(&way.heaps) {
        if low {
            condition.chosen.push(q);
            // What is remembered may grow.
            let is_heap = h < game.heaps_of(game.boards[way.from].heaps);
            if is_heap
                && !condition.add(at_most(
                    LinearForm::variable(q),
                    &LinearForm::variable(h as u32),
                    0,
                )?)
            {
                return Ok(None);
            }
        }
    }
    Ok(Some(condition))
}

/// Says that the move takes something.
fn takes(game: &MoveSystem, way: &MoveKind) -> Result<Atom, NoNormalForm> {
    let total = |heaps: &[Variable]| {
        heaps
            .iter()
            .try_fold(LinearForm::default(), |sum, &h| sum.plus(&LinearForm::variable(h), 1))
            .ok_or(NoNormalForm::Overflow)
    };
    let before: Vec<Variable> = (0..game.heaps_of(game.boards[way.from].heaps) as u32).collect();
    let after = option_heaps(way);
    at_most(total(&after[..game.heaps_of(after.len())])?, &total(&before)?, 1)
}

/// Returns the position in S, in one piece, with the rules of the board and a move that takes
/// something. None if that is false.
fn before(
    game: &MoveSystem,
    way: &MoveKind,
    piece: &ClaimCase,
) -> Result<Option<Conjunction>, NoNormalForm> {
    // The two pieces may be the same one, with the same parameters: rename those of the position's.
    let Some(own) = shifted(&piece.condition) else { return Ok(None) };
    let heaps: Vec<Variable> = (0..game.boards[way.from].heaps as u32).collect();
    let Some(mut condition) = own.and(&positive(game, way.from, &heaps)) else { return Ok(None) };
    condition.chosen.extend(heaps);
    Ok(condition.add(takes(game, way)?).then_some(condition))
}

/// Returns the conjunction with its chosen variables moved far up.
fn shifted(condition: &Conjunction) -> Option<Conjunction> {
    let far = |v: Variable| if condition.chosen.contains(&v) { v + (1 << 20) } else { v };
    let mut result = Conjunction {
        atoms: Vec::new(),
        chosen: condition.chosen.iter().map(|v| far(*v)).collect(),
    };
    for atom in &condition.atoms {
        result.add(Atom { form: atom.form.renamed(far)?, test: atom.test });
    }
    Some(result)
}

/// Returns positions that this kind of move leads into the piece; the move that takes nothing
/// counts where it is harmless.
pub(crate) fn preimage(
    game: &MoveSystem,
    way: &MoveKind,
    relation: &Conjunction,
    target: &ClaimCase,
) -> Result<Option<Conjunction>, NoNormalForm> {
    let Some(mut condition) = moved(game, way, relation, target)? else { return Ok(None) };
    let harmless = way.from == way.to && way.condition.is_none();
    let fits = harmless || condition.add(takes(game, way)?);
    Ok(fits.then_some(condition))
}

/// Parts, and the condition of each with its chosen variables numbered alike.
#[derive(Default)]
struct Parts {
    list: Vec<ProofCase>,
    simple: Vec<Conjunction>,
}

impl Parts {
    fn push(&mut self, part: ProofCase) {
        self.simple.push(renamed(&part.condition));
        self.list.push(part);
    }

    /// Adds a part, unless one that is there has all its positions.
    fn add(
        &mut self,
        shows: CaseConclusion,
        target: &ClaimCase,
        of_move: &[(Variable, Option<usize>)],
        condition: Conjunction,
        meter: &mut Meter,
    ) -> Result<(), LimitReached> {
        let Some((condition, definitions)) = condition.eliminate(meter)? else { return Ok(()) };
        let simple = renamed(&condition);
        let within = |(part, other): (&ProofCase, &Conjunction)| {
            !matches!(part.shows, CaseConclusion::NoNumeral(_))
                && other.atoms.iter().all(|atom| simple.atoms.binary_search(atom).is_ok())
        };
        if !self.list.iter().zip(&self.simple).any(within) {
            let (symmetry, parameters) = (target.symmetry.clone(), target.parameters.clone());
            let of_move = of_move.to_vec();
            self.list.push(ProofCase {
                shows,
                symmetry,
                condition,
                definitions,
                parameters,
                of_move,
            });
            self.simple.push(simple);
        }
        Ok(())
    }
}

/// Returns a position and an option that satisfy the conjunction, all of whose variables are
/// chosen.
#[allow(clippy::type_complexity)]
fn witness(
    game: &MoveSystem,
    way: &MoveKind,
    case: Conjunction,
    numeration: Numeration,
    meter: &mut Meter,
) -> Result<Option<(Vec<u64>, Vec<u64>)>, Undecided> {
    let everything = case.chosen.clone();
    let Some((rest, definitions)) = case.eliminate(meter)? else { return Ok(None) };
    let Some(values) = cover::satisfied(numeration, &rest, meter)? else { return Ok(None) };
    let mut known: FxHashMap<Variable, i128> =
        rest.chosen.iter().copied().zip(values.into_iter().map(i128::from)).collect();
    back_substitute(&mut known, &definitions).ok_or(Undecided::Wide)?;
    debug_assert!(everything.iter().all(|v| known.contains_key(v)));
    let value = |v: Variable| known.get(&v).and_then(|value| u64::try_from(*value).ok());
    let read =
        |variables: &[Variable]| variables.iter().map(|&v| value(v)).collect::<Option<Vec<u64>>>();
    let before: Vec<Variable> = (0..game.boards[way.from].heaps as u32).collect();
    let pair = read(&before).zip(read(&option_heaps(way))).ok_or(Undecided::Wide)?;
    Ok(Some(pair))
}

/// Adds the values of what was eliminated; None if one can't be had.
pub(crate) fn back_substitute<N: Number>(
    known: &mut FxHashMap<Variable, N>,
    definitions: &[Definition],
) -> Option<()> {
    for definition in definitions.iter().rev() {
        let value = |v: Variable| known.get(&v).cloned();
        let values = definition.forms.iter().map(|form| form.value(&value));
        let values = values.collect::<Option<Vec<N>>>()?.into_iter();
        let extreme = match definition.extreme {
            Extreme::Greatest => values.max(),
            Extreme::Least => values.min(),
        };
        known.insert(definition.variable, extreme?);
    }
    Some(())
}

/// What the search for a counterexample smaller than the one found may take: comparisons of a
/// position with a claimed one.
const SMALLER: usize = 1 << 27;
/// What it takes to see whether a position is claimed in one image, in such comparisons.
const ASKED: usize = 500;

/// Returns the least counterexample by number of tokens, then in the order of the heaps, as far as
/// a search by the rules alone reaches, within the budget's time; else the given one. Claimed
/// positions are few, so a position is compared with those with fewer tokens instead of making its
/// options.
fn least(
    game: &MoveSystem,
    claims: &[Claim],
    images: &[Vec<Vec<usize>>],
    found: Counterexample,
    meter: &mut Meter,
) -> Counterexample {
    let claimed =
        |board: usize, position: &[u64]| claims[board].holds_up_to(position, &images[board]).ok();
    least_by(game, &claimed, &|board| ASKED * images[board].len().max(1), found, meter)
}

/// Returns the same for what is claimed in any way: of a position on a board, and what it takes to
/// see that.
pub(crate) fn least_by(
    game: &MoveSystem,
    claimed: &dyn Fn(usize, &[u64]) -> Option<bool>,
    asked: &dyn Fn(usize) -> usize,
    found: Counterexample,
    meter: &mut Meter,
) -> Counterexample {
    if game.memory > 0 {
        // Options may have more tokens and remembered numbers together: that order says nothing
        // here.
        return found;
    }
    let ways = |from: usize| game.ways.iter().filter(move |way| way.from == from);
    let mut all_claimed: Vec<(usize, Vec<u64>)> = Vec::new();
    let mut looked = 0;
    for tokens in 0..=found.position.iter().sum::<u64>() {
        let fewer = all_claimed.len();
        for (board, rules) in game.boards.iter().enumerate() {
            let mut position = vec![0; rules.heaps];
            if let Some(last) = position.last_mut() {
                *last = tokens;
            } else if tokens > 0 {
                continue;
            }
            loop {
                looked += asked(board);
                if looked > SMALLER || meter.poll(0).is_err() {
                    return found;
                }
                if !rules.positive || position.iter().all(|&p| p > 0) {
                    let Some(inside) = claimed(board, &position) else { return found };
                    // Positions that no move leaves are not compared with the claimed ones.
                    let open: Vec<_> =
                        ways(board).filter(|way| !way.is_ruled_out(&position)).collect();
                    let options = if open.is_empty() { &[] } else { &all_claimed[..fewer] };
                    let reached = options.iter().rev().find(|(to, option)| {
                        open.iter().any(|way| {
                            looked += 1;
                            way.to == *to && game.leads(way, &position, option)
                        })
                    });
                    // Where no token is left, nothing is reached.
                    let over = game.misere && tokens == 0;
                    if inside == (reached.is_some() || over) {
                        let (option, over) = (reached.cloned(), over && inside);
                        return Counterexample { board, position, option, over, least: true };
                    }
                    if inside {
                        all_claimed.push((board, position.clone()));
                    }
                }
                if !next_composition(&mut position) {
                    break;
                }
            }
        }
    }
    found
}

/// Makes the next way to split as many tokens over the heaps, in lexicographic order; `false` after
/// the last.
fn next_composition(position: &mut [u64]) -> bool {
    let Some(at) = (1..position.len()).rev().find(|&i| position[i] > 0) else { return false };
    let moved = position[at];
    position[at] = 0;
    position[at - 1] += 1;
    if let Some(last) = position.last_mut() {
        *last = moved - 1;
    }
    true
}
