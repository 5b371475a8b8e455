//! Games on numbers whose options are found by a search over the formula of their moves, because no
//! theory reads the moves: heaps that grow while a stated quantity falls, words of arithmetic, more
//! heaps than automata read.
//!
//! Every option is looked at as it is made: the stated quantity falls, or no heap grows; the
//! symmetry claimed holds. What breaks this stops the rules with the position and the option named,
//! and nothing found with it is an answer.

use crate::growth;
use crate::one_heap::ByOneHeap;
use crate::split_rules::{Split, SplitRules};
use bouton_core::{
    Appearance, Arrange, Board, Coordinates, Formula, HeapGame, Impartial, LimitReached,
    LinearSystems, MoveText, Node, Notation, NotationError, Relation, RuleFault, RuleSource,
    Ruleset, Scanner, Symmetry, TableShape, Term, Unknown, heaps_text,
};
use bouton_engine::game::{ByNimValue, Game, with_evaluator};
use bouton_heaps::splits::{STEPS, SubtractionSet};
use bouton_heaps::{ByHeaps, rows};
use smallvec::SmallVec;
use std::cell::Cell;
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

/// A position: its heaps, then what is remembered, sets as bits.
pub type Numbers = SmallVec<[u64; 4]>;

/// The largest number of a position, with which the search for options can reckon.
pub const MAX_NUMBER: u64 = i64::MAX as u64 / 2;

/// Up to this heap the numbers that may be taken are found once for all heaps.
const MAX_TAKEN: u32 = 1 << 20;
/// Positions whose options are looked at when the rules are read, and options of them in all.
const FIRST_POSITIONS: usize = 1500;
const FIRST_OPTIONS: usize = 1 << 16;
/// Steps of the search for the options of each of them, at most.
const FIRST_STEPS: u64 = 1 << 11;

thread_local! {
    /// Why options could not be made since the last request on this thread began.
    static STOPPED: Cell<Option<LimitReached>> = const { Cell::new(None) };
}

/// Forgets what stopped the rules of an earlier request on this thread.
pub(crate) fn begin() {
    STOPPED.set(None);
}

/// Returns why options could not be made since the request began.
pub fn stopped() -> Option<LimitReached> {
    STOPPED.get()
}

/// Defines what rules whose options are found by search say of themselves, within their
/// implementation of [`bouton_core::Ruleset`].
macro_rules! searched {
    () => {
        fn begin(&self, _: &bouton_core::Budget) {
            $crate::searched_rules::begin();
        }

        fn stopped(&self) -> Option<bouton_core::LimitReached> {
            $crate::searched_rules::stopped()
        }

        fn is_program(&self) -> bool {
            true
        }

        fn may_be_endless(&self) -> bool {
            false
        }

        fn endless(&self, line: &[Self::Position]) -> bouton_core::RuleFault {
            bouton_core::RuleFault::new(&bouton_core::endless(line.iter().map(|p| self.print(p))))
        }
    };
}
pub(crate) use searched;

/// Remembers why options could not be made, if nothing stopped the rules before; the fault names
/// the game.
pub fn stop(name: &str, why: LimitReached) {
    if STOPPED.get().is_none() {
        STOPPED.set(Some(match why {
            LimitReached::Rules(fault) => {
                LimitReached::Rules(RuleFault::new(&format!("{name}: {fault}")))
            }
            limit => limit,
        }));
    }
}

/// Returns the fault of rules that are wrong.
pub fn wrong(message: &str) -> LimitReached {
    LimitReached::Rules(RuleFault::new(message))
}

/// Returns what a search ended with, at a position.
pub fn ended(why: Unknown, what: &str, from: &str) -> LimitReached {
    match why {
        Unknown::Unbounded(name) => wrong(&format!(
            "{what} sets no bound to {name} from {from}: a position has finitely many options; \
             say how large {name} can be"
        )),
        Unknown::Division(_) => {
            wrong(&format!("{what}: {why} from {from}; say where the rule holds: y >= 1 & …"))
        }
        Unknown::Overflow => wrong(&format!(
            "{what}: from {from} a number has no value: it is too big, or a difference is negative"
        )),
        Unknown::Budget(_) => LimitReached::NumbersTooLarge,
    }
}

/// A formula over p0, q0, p1, q1, … whose options are searched.
#[derive(Debug)]
struct Searched {
    formula: Formula,
    /// The same as linear systems over q0, q1, …, if it is that.
    systems: Option<LinearSystems>,
}

impl Searched {
    fn new(formula: Formula) -> Searched {
        let free = formula.free;
        Searched { systems: formula.linear_systems(&|v| v < free && v % 2 == 0), formula }
    }

    /// Returns the options of a position; some more than once. `tops` bound numbers, where they do;
    /// there may be none.
    fn options(
        &self,
        given: &[Option<u64>],
        tops: &[Option<u64>],
        steps: u64,
    ) -> Result<Vec<Numbers>, Unknown> {
        let mut found: Vec<Numbers> = Vec::new();
        let mut visit = |values: &[u64]| {
            found.push(values.iter().skip(1).step_by(2).copied().collect());
            Continue(())
        };
        let systems = self.systems.as_ref();
        if systems.and_then(|all| all.solutions(given, tops, steps, &mut visit)).is_none() {
            let mut all = vec![None; given.len()];
            all[..tops.len()].copy_from_slice(tops);
            let _all_visited = self.formula.solutions(given, &all, steps, &mut visit)?;
        }
        Ok(found)
    }
}

/// One alternative of the moves.
#[derive(Debug)]
struct Alternative {
    /// As stated.
    stated: Searched,
    /// The same, and that the stated quantity falls.
    falling: Searched,
    /// How messages call it.
    text: String,
    /// The numbers that may be taken from the one heap of the game, if they say it all.
    takings: Option<SubtractionSet>,
}

/// Returns whether the parts of a formula over p0, q0, p1, q1, … say of each of so many heaps that
/// it keeps its size or is lowered, and of one that it is lowered.
fn lowers(stated: &Formula, heaps: usize) -> bool {
    let Node::And(parts) = &stated.root else { return false };
    // Of each part that says so of this heap, whether the heap is lowered.
    let said = |heap: usize| {
        parts.iter().filter_map(move |part| {
            let Node::Compare(left, relation, right) = part else { return None };
            let position = Term::Variable(2 * heap);
            let (least, is_strict) = match relation {
                Relation::Equal if *left == position => (right, false),
                Relation::Equal | Relation::AtMost | Relation::Less if *right == position => {
                    (left, *relation == Relation::Less)
                }
                Relation::AtLeast | Relation::Greater if *left == position => {
                    (right, *relation == Relation::Greater)
                }
                _ => return None,
            };
            above(least, 2 * heap + 1).map(|more| is_strict || more > 0)
        })
    };
    (0..heaps).all(|heap| said(heap).next().is_some())
        && (0..heaps).any(|heap| said(heap).any(|is_lowered| is_lowered))
}

/// Returns by how much a term without a minus is above a variable in it, at least; `None` if the
/// variable is not in it, or the term is of another kind.
fn above(term: &Term, variable: usize) -> Option<u64> {
    fn is_natural(term: &Term) -> bool {
        match term {
            Term::Number(_) | Term::Variable(_) => true,
            Term::Multiple(k, inner) => *k >= 0 && is_natural(inner),
            Term::Sum(parts) => parts.iter().all(is_natural),
            _ => false,
        }
    }
    match term {
        Term::Variable(own) if *own == variable => Some(0),
        Term::Multiple(1.., inner) if is_natural(inner) => above(inner, variable),
        Term::Sum(parts) if is_natural(term) => {
            let own = parts.iter().find_map(|part| above(part, variable))?;
            let added = parts.iter().any(|part| matches!(part, Term::Number(1..)));
            Some(own.max(added.into()))
        }
        _ => None,
    }
}

/// What a file says of such a game.
pub struct SearchedMoves<'f> {
    /// The name of the game.
    pub name: &'f str,
    /// The rules in words.
    pub about: String,
    /// Numbers of a position; the last of them are remembered, and of these the last are sets.
    pub numbers: usize,
    /// How many numbers are remembered.
    pub memory: usize,
    /// How many of these are sets.
    pub sets: usize,
    /// Which heaps may change places.
    pub symmetry: Symmetry,
    /// Whether the symmetry is proved of the formula.
    pub is_symmetric: bool,
    /// Over p0, q0, p1, q1, ….
    pub condition: &'f Formula,
    /// What holds of the positions that occur, over p0, p1, …; `None` if all do.
    pub positions: Option<Formula>,
    /// What falls, each in the file's words and over the variables of the condition; the first that
    /// changes decides.
    pub falls: Vec<(String, Term)>,
    /// What statements about positions speak of, where the moves can be stated to a prover, though
    /// it cannot read them.
    pub stated: Option<HeapGame>,
    /// Why nothing is proved.
    pub tables_only: String,
}

/// A game whose options are found by search.
#[derive(Debug, Clone)]
pub struct SearchedRules {
    rules: Arc<Rules>,
    source: Option<Arc<RuleSource>>,
}

#[derive(Debug)]
struct Rules {
    name: String,
    about: String,
    numbers: usize,
    memory: usize,
    sets: usize,
    symmetry: Symmetry,
    is_symmetric: bool,
    alternatives: Vec<Alternative>,
    positions: Option<Formula>,
    falls: Vec<(String, Term)>,
    stated: Option<HeapGame>,
    tables_only: String,
    /// The same rules on any number of heaps, where there is one heap and nothing else is said.
    splits: Option<SplitRules>,
}

impl SearchedRules {
    /// Returns the game.
    pub fn new(moves: SearchedMoves<'_>) -> SearchedRules {
        let SearchedMoves { condition, falls, numbers, memory, .. } = moves;
        let less = falling(&falls);
        let all = growth::alternatives(condition);
        let many = all.len() > 1;
        let alternative = |parts: Vec<Node>| {
            let stated = Formula { root: Node::And(parts.clone()), ..condition.clone() };
            let falling = Node::And([&parts[..], std::slice::from_ref(&less)].concat());
            let text = if many { format!("`{stated}`") } else { "the move".into() };
            let is_single = numbers == 1 && memory == 0 && falls.is_empty();
            let takings = if is_single { SubtractionSet::new(&stated) } else { None };
            Alternative {
                falling: Searched::new(Formula { root: falling, ..condition.clone() }),
                stated: Searched::new(stated),
                text,
                takings,
            }
        };
        let alternatives = all.into_iter().map(alternative).collect();
        // Rules of `splits` that say nothing of q0 leave no heap.
        let says_option = condition.root.mentions(1);
        let is_one_heap = numbers == 1
            && memory == 0
            && falls.is_empty()
            && moves.positions.is_none()
            && says_option;
        let splits = is_one_heap.then(|| Split::parse(&condition.to_string(), None).ok()).flatten();
        let splits = splits
            .map(|split| SplitRules::new(moves.name, moves.about.clone(), vec![split], Vec::new()));
        let rules = Rules {
            name: moves.name.to_owned(),
            about: moves.about,
            numbers,
            memory,
            sets: moves.sets,
            symmetry: moves.symmetry,
            is_symmetric: moves.is_symmetric || moves.symmetry == Symmetry::None,
            alternatives,
            positions: moves.positions,
            falls,
            stated: moves.stated,
            tables_only: moves.tables_only,
            splits,
        };
        SearchedRules { rules: Arc::new(rules), source: None }
    }

    /// Returns the game of these rules. Boxes of positions are swept where each alternative says
    /// that no heap grows: a sweep does not see an option in which one does.
    pub fn game(self) -> Box<dyn Game> {
        let is_plain = self.rules.symmetry == Symmetry::None && self.rules.positions.is_none();
        let heaps = self.rules.stated.as_ref().map(|stated| stated.heaps);
        match heaps.filter(|_| is_plain) {
            Some(heaps)
                if self.rules.alternatives.iter().all(|one| lowers(&one.stated.formula, heaps)) =>
            {
                with_evaluator::<_, ByOneHeap<ByHeaps<_>>>(self)
            }
            _ => with_evaluator::<_, ByOneHeap<ByNimValue<_>>>(self),
        }
    }

    /// Returns the same rules on any number of heaps, where there is one heap and nothing else is
    /// said.
    pub(crate) fn as_splits(&self) -> Option<&SplitRules> {
        self.rules.splits.as_ref()
    }

    /// Returns the formula over p0 and q0 of a move, where there is one heap and nothing else is
    /// said.
    #[cfg(not(target_family = "wasm"))]
    pub fn of_one_heap(&self) -> Option<String> {
        self.rules.splits.as_ref()?.of_one_heap()
    }

    /// Returns the same game, read from there.
    pub fn with_source(self, source: Arc<RuleSource>) -> SearchedRules {
        SearchedRules { source: Some(source), ..self }
    }

    /// Returns the options of a position, or why they cannot be found.
    pub fn options_of(&self, from: &[u64]) -> Result<Vec<Numbers>, LimitReached> {
        self.rules.found(from, STEPS)
    }

    /// Looks at the options of small positions, those with the least sum first.
    pub fn checked(&self) -> Result<(), RuleFault> {
        let (mut positions, mut options, mut occurring) = (0, 0, 0);
        for sum in 0.. {
            let mut position = vec![0; self.rules.numbers];
            let Some(last) = position.last_mut() else { return Ok(()) };
            *last = sum;
            loop {
                match self.rules.found(&position, FIRST_STEPS) {
                    Ok(all) => options += all.len(),
                    Err(LimitReached::Rules(fault)) => return Err(fault),
                    Err(_) => return Ok(()),
                }
                positions += 1;
                occurring += usize::from(self.rules.occurs(&position) == Ok(true));
                if positions >= FIRST_POSITIONS || options >= FIRST_OPTIONS {
                    return match (&self.rules.positions, occurring) {
                        (Some(formula), 0) => Err(RuleFault::new(&format!(
                            "positions: {formula} holds of none of the {positions} smallest \
                             positions"
                        ))),
                        _ => Ok(()),
                    };
                }
                let Some(place) = (1..position.len()).rev().find(|place| position[*place] > 0)
                else {
                    break;
                };
                let rest = std::mem::take(&mut position[place]) - 1;
                position[place - 1] += 1;
                if let Some(last) = position.last_mut() {
                    *last = rest;
                }
            }
        }
        Ok(())
    }
}

/// The quantities that fall, at a position.
type Measured = SmallVec<[i128; 2]>;

/// Returns the same quantity after the move.
fn after(quantity: &Term) -> Term {
    quantity.renumbered(&|v| if v % 2 == 0 { v + 1 } else { v })
}

/// Says that the quantities fall: the first that changes does.
fn falling(quantities: &[(String, Term)]) -> Node {
    let compare =
        |relation: Relation, term: &Term| Node::Compare(after(term), relation, term.clone());
    let first_to_fall = |at: usize| {
        let same = quantities[..at].iter().map(|(_, term)| compare(Relation::Equal, term));
        Node::And(same.chain([compare(Relation::Less, &quantities[at].1)]).collect())
    };
    match quantities {
        [] => Node::Constant(true),
        [(_, one)] => compare(Relation::Less, one),
        _ => Node::Or((0..quantities.len()).map(first_to_fall).collect()),
    }
}

impl Rules {
    /// Returns the quantities at a position.
    fn measured(&self, position: &[u64]) -> Result<Measured, LimitReached> {
        let at = |v: usize| position.get(v / 2).map(|number| i128::from(*number));
        let value = |(text, term): &(String, Term)| {
            let value = term.value(&at).filter(|value| *value >= 0);
            value.ok_or_else(|| {
                let none = format!(
                    "falls = \"{text}\" has no value at {}, or a negative one",
                    self.text(position)
                );
                wrong(&format!("{none}: a quantity that falls for ever must not go below 0"))
            })
        };
        self.falls.iter().map(value).collect()
    }

    /// Returns the options by one alternative.
    fn by(
        &self,
        alternative: &Alternative,
        from: &[u64],
        steps: u64,
    ) -> Result<Vec<Numbers>, LimitReached> {
        if let (Some(takings), Ok(heap)) = (&alternative.takings, u32::try_from(from[0]))
            && heap <= MAX_TAKEN
            && let Some(takings) = takings.up_to(heap)
        {
            return Ok(takings
                .map(|taken| Numbers::from_slice(&[u64::from(heap - taken)]))
                .collect());
        }
        let given: SmallVec<[Option<u64>; 8]> =
            from.iter().flat_map(|number| [Some(*number), None]).collect();
        let text = &alternative.text;
        let heaps = self.numbers - self.memory;
        let mut tops = Vec::new();
        let mut searched = &alternative.stated;
        let found = loop {
            match searched.options(&given, &tops, steps) {
                Ok(found) => break found,
                // It says nothing of how far a number may grow: then no heap does, or the quantity
                // falls.
                Err(Unknown::Unbounded(name)) => {
                    tops.resize(given.len(), None);
                    let open = (0..heaps).find(|h| {
                        searched.formula.names[2 * h + 1] == name && tops[2 * h + 1].is_none()
                    });
                    match open {
                        Some(h) if self.falls.is_empty() => tops[2 * h + 1] = Some(from[h]),
                        _ if !self.falls.is_empty()
                            && std::ptr::eq(searched, &alternative.stated) =>
                        {
                            searched = &alternative.falling;
                        }
                        _ => return Err(ended(Unknown::Unbounded(name), text, &self.text(from))),
                    }
                }
                Err(why) => return Err(ended(why, text, &self.text(from))),
            }
        };
        // Where play ends what falls may have any value.
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let measured = self.measured(from)?;
        let mut all = Vec::with_capacity(found.len());
        for to in found {
            let is_set = |at: usize| at + self.sets >= to.len();
            if to.iter().enumerate().any(|(at, n)| is_set(at) && *n > u32::MAX.into()) {
                return Err(wrong(&format!(
                    "{text} holds of {} → {}: a set is of numbers from 0 to 31; say k <= 31 of \
                     what it takes in",
                    self.text(from),
                    self.text(&to)
                )));
            }
            if to.iter().any(|n| *n > MAX_NUMBER) {
                return Err(LimitReached::NumbersTooLarge);
            }
            // Where no heap grows a move takes something: `q0 <= p0` is known to mean that.
            if to[..] == *from && self.falls.is_empty() {
                continue;
            }
            let step = || format!("{text} holds of {} → {}", self.text(from), self.text(&to));
            if !self.falls.is_empty() {
                let less = self.measured(&to)?;
                if less >= measured {
                    let quantities: Vec<&str> =
                        self.falls.iter().map(|(text, _)| text.as_str()).collect();
                    return Err(wrong(&format!(
                        "{}, and {} does not fall: {} → {}",
                        step(),
                        quantities.join(", then "),
                        heaps_text(&measured),
                        heaps_text(&less)
                    )));
                }
            } else {
                if let Some(raised) = (0..heaps).find(|h| to[*h] > from[*h]) {
                    return Err(wrong(&format!(
                        "{}, which raises a heap, and says how far it may grow; no heap grows \
                         unless the file says what falls instead: falls = \"{}\"; if such \
                         steps are not meant, add & q{raised} <= p{raised}",
                        step(),
                        falls_example(heaps)
                    )));
                }
                if to[..heaps] == from[..heaps] {
                    continue;
                }
            }
            all.push(to);
        }
        Ok(all)
    }

    /// Returns whether a position is one of those that the file speaks of.
    fn occurs(&self, position: &[u64]) -> Result<bool, LimitReached> {
        let Some(formula) = &self.positions else { return Ok(true) };
        formula.holds(position).map_err(|why| ended(why, "positions", &self.text(position)))
    }

    /// Returns the options of one position, each once, small takings first.
    fn options(&self, from: &[u64], steps: u64) -> Result<Vec<Numbers>, LimitReached> {
        let mut all = Vec::new();
        for alternative in &self.alternatives {
            all.extend(self.by(alternative, from, steps)?);
        }
        all.arrange_by(small_takings_first);
        all.dedup();
        Ok(all)
    }

    /// Returns the same, held against the symmetry where that is not proved.
    fn found(&self, from: &[u64], steps: u64) -> Result<Vec<Numbers>, LimitReached> {
        let occurs = self.occurs(from)?;
        let all = if occurs { self.options(from, steps)? } else { Vec::new() };
        for to in &all {
            if !self.occurs(to)? {
                return Err(wrong(&format!(
                    "positions: the move {} → {} leaves the positions that occur",
                    self.text(from),
                    self.text(to)
                )));
            }
        }
        // That the moves are symmetric says nothing of which positions occur.
        if self.is_symmetric && (self.positions.is_none() || self.symmetry == Symmetry::None) {
            return Ok(all);
        }
        let n = from.len();
        // Two images generate the others; of two numbers they are the same.
        let turn: Vec<usize> = (0..n).map(|i| (i + 1) % n).collect();
        let other: Vec<usize> = match self.symmetry {
            Symmetry::Full => (0..n).map(|i| if i < 2 && n > 1 { 1 - i } else { i }).collect(),
            _ => (0..n).rev().collect(),
        };
        let mut images = vec![turn, other];
        images.dedup();
        for image in images {
            let of = |p: &[u64]| image.iter().map(|i| p[*i]).collect::<Numbers>();
            if self.occurs(&of(from))? != occurs {
                return Err(wrong(&format!(
                    "positions: the game is not as symmetric as the file says: of {} and {} only \
                     one occurs",
                    self.text(from),
                    self.text(&of(from))
                )));
            }
            if self.is_symmetric || !occurs {
                continue;
            }
            let mut images: Vec<Numbers> = all.iter().map(|to| of(to)).collect();
            let mut there = self.options(&of(from), steps)?;
            images.sort_unstable();
            there.sort_unstable();
            if images == there {
                continue;
            }
            if let Some(to) = images.iter().find(|to| !there.contains(to)) {
                return Err(self.asymmetric(&of(from), to));
            }
            if let Some(to) = there.iter().find(|to| !images.contains(to)) {
                return Err(self.asymmetric(&of(from), to));
            }
        }
        Ok(all)
    }

    fn asymmetric(&self, from: &[u64], to: &[u64]) -> LimitReached {
        wrong(&format!(
            "the game is not as symmetric as the file says: of {} → {} and its image only one is \
             a move",
            self.text(from),
            self.text(to)
        ))
    }

    /// Returns a position as people write it.
    fn text(&self, position: &[u64]) -> String {
        let number = |(at, number): (usize, &u64)| {
            if at + self.sets < position.len() { number.to_string() } else { set_text(*number) }
        };
        position.iter().enumerate().map(number).collect::<Vec<_>>().join(",")
    }
}

/// Orders options by the tokens that are left, most first.
fn small_takings_first(one: &Numbers, other: &Numbers) -> std::cmp::Ordering {
    total(other).cmp(&total(one)).then_with(|| one.cmp(other))
}

/// Returns the sum of numbers of a position.
fn total(numbers: &[u64]) -> u128 {
    numbers.iter().map(|number| u128::from(*number)).sum()
}

/// Returns a set as it is written: `{1,4}`.
fn set_text(set: u64) -> String {
    let members: Vec<String> =
        (0..64).filter(|k| set >> k & 1 == 1).map(|k| k.to_string()).collect();
    format!("{{{}}}", members.join(","))
}

impl SearchedRules {
    /// Returns the position of these numbers, read from a text, if it occurs.
    fn occurring(&self, text: &str, numbers: Vec<u64>) -> Result<Numbers, NotationError> {
        let why = match (self.rules.occurs(&numbers), &self.rules.positions) {
            (Ok(false), Some(formula)) => {
                format!("this position does not occur: positions = \"{formula}\"")
            }
            (Err(why), _) => why.to_string(),
            _ => return Ok(Numbers::from_vec(numbers)),
        };
        Err(NotationError::new(text, 0..text.len(), why, self.position_form()))
    }
}

impl Ruleset for SearchedRules {
    type Position = Numbers;

    fn options<B>(
        &self,
        p: &Numbers,
        mut visit: impl FnMut(Numbers) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.rules.found(p, STEPS) {
            Ok(all) => all.into_iter().try_for_each(&mut visit),
            Err(fault) => {
                stop(&self.rules.name, fault);
                Continue(())
            }
        }
    }

    fn rank(&self, p: &Numbers) -> Option<u64> {
        match &self.rules.falls[..] {
            [] => u64::try_from(total(&p[..p.len() - self.rules.memory.min(p.len())])).ok(),
            [_] => {
                self.rules.measured(p).ok()?.first().and_then(|value| u64::try_from(*value).ok())
            }
            _ => None,
        }
    }

    fn canonical(&self, mut p: Numbers) -> Numbers {
        match self.rules.symmetry {
            Symmetry::None => p,
            Symmetry::Full => {
                p.sort_unstable();
                p
            }
            Symmetry::Ring => {
                let back: Numbers = p.iter().rev().copied().collect();
                let images = (0..p.len()).flat_map(|by| {
                    [&p, &back].map(|numbers| {
                        let mut image = numbers.clone();
                        image.rotate_left(by);
                        image
                    })
                });
                images.min().unwrap_or_default()
            }
        }
    }

    searched!();
}

impl Impartial for SearchedRules {}

impl Notation for SearchedRules {
    fn name(&self) -> String {
        self.rules.name.clone()
    }

    fn describe(&self) -> String {
        self.rules.about.clone()
    }

    fn position_form(&self) -> String {
        let Rules { numbers, sets: 0, .. } = *self.rules else {
            let Rules { numbers, sets, .. } = *self.rules;
            let example: Vec<String> = (0..numbers)
                .map(|i| if i + sets < numbers { "9".into() } else { "{1,3}".into() })
                .collect();
            return format!(
                "{numbers} numbers, the last {sets} of them sets, e.g. {}",
                example.join(",")
            );
        };
        rows::form(Some(numbers), "heap")
    }

    fn read(&self, text: &str) -> Result<Numbers, NotationError> {
        let Rules { numbers, sets, .. } = *self.rules;
        if sets == 0 {
            let mut scanner = Scanner::new(text, rows::form(Some(numbers), "heap"));
            let all = rows::numbers(&mut scanner, "a heap", MAX_NUMBER)?;
            if all.len() != numbers {
                let message = rows::wrong_count(numbers, all.len(), "heap");
                return Err(scanner.error(0..text.len(), message));
            }
            return self.occurring(text, all);
        }
        let form = self.position_form();
        let no = |message: String| NotationError::new(text, 0..text.len(), message, form.clone());
        let (mut all, mut rest) = (Vec::new(), text.trim());
        while !rest.is_empty() {
            let own = match rest.strip_prefix('{') {
                Some(inner) => {
                    let end = inner.find('}').ok_or_else(|| no("a set is not closed".into()))?;
                    let (members, left) = (&inner[..end], &inner[end + 1..]);
                    rest = left.trim_start();
                    let mut set = 0;
                    for member in
                        members.split(',').map(str::trim).filter(|member| !member.is_empty())
                    {
                        let k: u32 =
                            member.parse().map_err(|_| no(format!("`{member}` is no number")))?;
                        set |= 1u32
                            .checked_shl(k)
                            .map(u64::from)
                            .ok_or_else(|| no(format!("{k} is more than 31 in a set")))?;
                    }
                    set
                }
                None => {
                    let end = rest.find(',').unwrap_or(rest.len());
                    let own = rest[..end].trim();
                    let number = own.parse().ok().filter(|number| *number <= MAX_NUMBER);
                    let number = number
                        .ok_or_else(|| no(format!("`{own}` is no number up to {MAX_NUMBER}")))?;
                    rest = &rest[end..];
                    number
                }
            };
            all.push(own);
            match rest.strip_prefix(',') {
                Some(more) if !more.trim().is_empty() => rest = more.trim_start(),
                Some(_) => return Err(no("a number is missing at the end".into())),
                None if rest.is_empty() => {}
                None => return Err(no(format!("`{rest}` does not belong here"))),
            }
        }
        if all.len() != numbers {
            return Err(no(format!("this game has {numbers} numbers, not {}", all.len())));
        }
        self.occurring(text, all)
    }

    fn print(&self, p: &Numbers) -> String {
        self.rules.text(p)
    }

    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        self.source.iter().cloned().collect()
    }

    fn move_text(&self, p: &Numbers, q: &Numbers) -> MoveText {
        let Rules { numbers, memory, sets, .. } = *self.rules;
        if numbers == 1 {
            return MoveText::Change(format!("{} → {}", self.rules.text(p), self.rules.text(q)));
        }
        let text = |at: usize, number: u64| {
            if at + sets < numbers { number.to_string() } else { set_text(number) }
        };
        let called = |at: usize| match at.checked_sub(numbers - memory) {
            None => format!("heap {}", at + 1),
            Some(_) if at + sets >= numbers => format!("set {}", at + sets + 1 - numbers),
            Some(at) => format!("memory {}", at + 1),
        };
        let changes = (0..p.len()).filter(|i| p[*i] != q[*i]);
        let parts: Vec<String> = changes
            .map(|i| format!("{}: {} → {}", called(i), text(i, p[i]), text(i, q[i])))
            .collect();
        MoveText::Change(parts.join(", "))
    }
}

impl Coordinates for SearchedRules {
    fn heap_game(&self) -> Option<HeapGame> {
        self.rules.stated.clone()
    }

    fn table_shape(&self) -> Option<TableShape> {
        Some(TableShape { numbers: self.rules.numbers, symmetry: self.rules.symmetry })
    }

    fn tables_only(&self) -> Option<String> {
        self.rules.stated.is_none().then(|| self.rules.tables_only.clone())
    }

    fn sizes(&self, p: &Numbers) -> Option<Vec<u64>> {
        Some(p.to_vec())
    }

    fn position(&self, sizes: &[u64]) -> Option<Numbers> {
        let is_one = sizes.len() == self.rules.numbers
            && sizes.iter().all(|size| *size <= MAX_NUMBER)
            && self.rules.occurs(sizes) == Ok(true);
        is_one.then(|| Numbers::from_slice(sizes))
    }

    fn positions_up_to<B>(
        &self,
        max: u32,
        mut visit: impl FnMut(Numbers) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        let max = u64::from(max);
        let mut p = Numbers::from_elem(0, self.rules.numbers);
        loop {
            if self.rules.occurs(&p) == Ok(true)
                && let stop @ ControlFlow::Break(_) = visit(p.clone())
            {
                return Some(stop);
            }
            let Some(last) = p.iter().rposition(|number| *number < max) else {
                return Some(Continue(()));
            };
            p[last] += 1;
            p[last + 1..].fill(0);
        }
    }

    fn single(&self, size: u32) -> Option<Numbers> {
        let one = Numbers::from_slice(&[size.into()]);
        (self.rules.numbers == 1 && self.rules.occurs(&one) == Ok(true)).then_some(one)
    }
}

impl Appearance for SearchedRules {
    fn board(&self, p: &Numbers) -> Board {
        let Rules { numbers, memory, sets, .. } = *self.rules;
        let (heaps, rest) = p.split_at(numbers - memory.max(sets));
        let heaps = heaps.iter().map(|heap| u32::try_from(*heap).ok()).collect::<Option<Vec<_>>>();
        match heaps {
            Some(heaps) if rest.is_empty() => Board::Row(heaps),
            Some(heaps) if !heaps.is_empty() => {
                let text = |(at, number): (usize, &u64)| {
                    if at + sets < rest.len() { number.to_string() } else { set_text(*number) }
                };
                let remembered: Vec<String> = rest.iter().enumerate().map(text).collect();
                Board::Remembering { heaps, remembered: remembered.join(",") }
            }
            _ => Board::Text(self.print(p)),
        }
    }
}

/// Returns a quantity over so many heaps that a file may say falls, as an example.
pub fn falls_example(heaps: usize) -> String {
    match heaps {
        // The only heap grows.
        ..2 => "100-p0".into(),
        _ => (0..heaps).map(|heap| format!("p{heap}")).collect::<Vec<_>>().join("+"),
    }
}
