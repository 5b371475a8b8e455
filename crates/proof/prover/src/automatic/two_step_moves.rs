//! Moves in two steps, where what is remembered after a move depends on the heaps left alone.
//!
//! A player chooses the heaps to leave, and then what is remembered of them. Heaps are *worth
//! leaving* if some memory makes them a P-position; a position is P if no heaps worth leaving can
//! be chosen. Each step has fewer numbers than a move (in blocking Wythoff six and four, not
//! eight), and the heaps worth leaving are a set of heaps without memory.

use super::{Reader, Sets, Violation, acceptor_of, listed, table};
use crate::game::MoveSystem;
use bouton_automata::acceptor::{Acceptor, columns, explore};
use bouton_automata::effort::{Undecided, check_memory};
use bouton_core::{DigitSystem, Formula, FormulaBuilder, Meter, Node, Relation, Term};
use rustc_hash::FxHashSet;

/// Digits at most before those of a position in which an option is looked for.
const LONGER: usize = 64;
/// Alternatives at most of a choice that are read one by one.
const ALTERNATIVES: usize = 16;

/// The two steps of a move, read by automata in digits of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoStepMoves {
    /// How many numbers of a position are heaps: the first ones.
    heaps: usize,
    /// How many numbers a position has.
    numbers: usize,
    /// Which heaps may be left, in one of some ways: the position's numbers, then those heaps.
    /// Sets of states of each alone are few, where those of all together are many.
    choices: Vec<Acceptor>,
    /// What may be remembered of them: those heaps, then what is remembered.
    remembers: Acceptor,
}

/// What proves P-positions in two steps, beside the automata of the steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TwoStepProof {
    /// The heaps that are worth leaving.
    left: Acceptor,
    /// Of each choice: the positions from which it leads to such heaps, and sets.
    choices: Vec<(Acceptor, Sets)>,
    /// The sets of what is remembered.
    sets: Sets,
}

impl TwoStepProof {
    pub(super) fn write(&self, steps: &TwoStepMoves, body: &mut String) {
        table(body, "left ", &self.left);
        table(body, "remembers ", &steps.remembers);
        listed(body, &self.sets);
        for (choice, (from, sets)) in steps.choices.iter().zip(&self.choices) {
            table(body, "choice ", choice);
            table(body, "from ", from);
            listed(body, sets);
        }
    }

    /// How many sets there are.
    pub(super) fn sets(&self) -> usize {
        self.sets.len() + self.choices.iter().map(|(_, sets)| sets.len()).sum::<usize>()
    }
}

impl TwoStepMoves {
    /// Returns the steps of a move in these digits; `None` where a move is
    /// not in two steps: its condition is a conjunction, of which each part that speaks of what is
    /// remembered afterwards speaks of the heaps left besides, and of nothing else.
    ///
    /// # Errors
    /// If the condition cannot be read in these digits, or the budget is spent.
    pub fn new(
        game: &MoveSystem,
        digits: DigitSystem,
        meter: &mut Meter,
    ) -> Result<Option<TwoStepMoves>, Undecided> {
        let ([board], [way]) = (&game.boards[..], &game.ways[..]) else { return Ok(None) };
        let (numbers, heaps) = (board.heaps, game.heaps_of(board.heaps));
        let in_place = way.heaps.iter().enumerate().all(|(i, heap)| heap.0 == i);
        let window: Vec<usize> = (0..numbers).collect();
        let is_asked = (1..numbers).contains(&heaps) && !game.misere && !board.positive && in_place;
        let Some(condition) = way.condition.as_ref().filter(|_| is_asked && way.window == window)
        else {
            return Ok(None);
        };
        let mut parts = Vec::new();
        conjuncts(&condition.root, &mut parts);
        // Variables are numbers before and after the move, in turn.
        let speaks_before = |part: &Node| (0..numbers).any(|number| part.mentions(2 * number));
        let remembers = |part: &Node| (heaps..numbers).any(|number| part.mentions(2 * number + 1));
        let leaves = |part: &Node| (0..numbers).any(|number| part.mentions(2 * number + 1));
        let (remembered, mut chosen): (Vec<Node>, Vec<Node>) =
            parts.into_iter().partition(&remembers);
        if remembered.iter().any(speaks_before) || columns(digits.base(), numbers + heaps).is_none()
        {
            return Ok(None);
        }
        let left = |heap: usize| numbers + heap;
        let compared = |heap: usize, relation| {
            Term::Variable(left(heap)).compared(relation, Term::Variable(heap))
        };
        let mut lower: Vec<Node> =
            (0..heaps).map(|heap| compared(heap, Relation::AtMost)).collect();
        lower.push(Node::any((0..heaps).map(|heap| compared(heap, Relation::Less))));
        // The alternatives of the first part that has some.
        let mut alternatives = vec![Node::Constant(true)];
        let several = |part: &Node| {
            let mut all = Vec::new();
            disjuncts(part, &mut all);
            (2..=ALTERNATIVES).contains(&all.len()) && leaves(part)
        };
        if let Some(place) = chosen.iter().position(several) {
            alternatives.clear();
            disjuncts(&chosen.remove(place), &mut alternatives);
        }
        let mut choices = Vec::new();
        for alternative in alternatives {
            let parts = chosen.iter().cloned().chain([alternative]);
            // What is remembered after the move is not named.
            let number = |number: usize| [number, left(number % heaps)];
            let parts =
                of_variables(condition, parts, (0..numbers).flat_map(number), numbers + heaps);
            choices.push(read(parts(lower.clone()), digits, meter)?);
        }
        // Numbers before the move are not named.
        let parts = of_variables(
            condition,
            remembered.into_iter(),
            (0..numbers).flat_map(|n| [n, n]),
            numbers,
        );
        let remembers = read(parts(Vec::new()), digits, meter)?;
        let leading = |own: &Acceptor| own.next[0][0] == 0;
        let is_read = leading(&remembers) && choices.iter().all(leading);
        Ok(is_read.then_some(TwoStepMoves { heaps, numbers, choices, remembers }))
    }

    /// Returns how many numbers of a position are heaps: the first ones.
    pub fn heaps(&self) -> usize {
        self.heaps
    }

    /// Returns which heaps may be left, in one of some ways: automata of a position's numbers, and
    /// then of these heaps.
    pub fn choices(&self) -> &[Acceptor] {
        &self.choices
    }

    /// Returns what may be remembered of heaps: an automaton of these, and then of what is
    /// remembered.
    pub fn remembers(&self) -> &Acceptor {
        &self.remembers
    }

    /// An automaton of this many numbers, as a place for columns.
    fn any(&self, tracks: usize) -> Acceptor {
        let next = vec![vec![0; self.remembers.digits.base().pow(tracks as u32)]];
        Acceptor { tracks, next, accepts: vec![true], ..self.remembers }
    }

    /// What is read beside each column of this many numbers, this many more being read behind them:
    /// by the automaton of a step, and by that of the option, which reads these alone or all.
    fn beside(&self, own: usize, more: usize, alone: bool) -> Vec<Vec<(u32, u32)>> {
        let base = self.remembers.digits.base() as u32;
        let (own, more) = (base.pow(own as u32), base.pow(more as u32));
        let read = |column: u32, other: u32| {
            let both = column + own * other;
            (both, if alone { other } else { both })
        };
        vec![(0..own).flat_map(|column| (0..more).map(move |other| read(column, other))).collect()]
    }

    /// How positions are read beside the heaps that one choice leaves.
    fn choosing<'g>(
        &self,
        positions: &'g Acceptor,
        choice: &'g Acceptor,
        left: &'g Acceptor,
    ) -> Result<Reader<'g>, Undecided> {
        Reader::new(positions, left, vec![choice], self.beside(self.numbers, self.heaps, true))
    }

    /// How heaps are read beside what is remembered of them.
    fn remembering<'g>(
        &'g self,
        heaps: &'g Acceptor,
        positions: &'g Acceptor,
    ) -> Result<Reader<'g>, Undecided> {
        let beside = self.beside(self.heaps, self.numbers - self.heaps, false);
        Reader::new(heaps, positions, vec![&self.remembers], beside)
    }

    /// Returns the heaps that are worth leaving if these positions are P.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn left(&self, positions: &Acceptor, meter: &mut Meter) -> Result<Acceptor, Undecided> {
        self.remembering(&self.any(self.heaps), positions)?.with_option(meter)
    }

    /// Of each choice, the positions from which it leads to heaps that are worth leaving.
    fn from(&self, left: &Acceptor, meter: &mut Meter) -> Result<Vec<Acceptor>, Undecided> {
        let any = self.any(self.numbers);
        self.choices
            .iter()
            .map(|choice| self.choosing(&any, choice, left)?.with_option(meter))
            .collect()
    }

    /// Returns the positions that are P if these heaps are worth leaving.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn positions(&self, left: &Acceptor, meter: &mut Meter) -> Result<Acceptor, Undecided> {
        self.none_of(&self.from(left, meter)?, meter)
    }

    /// The positions that none of these automata accepts.
    fn none_of(&self, from: &[Acceptor], meter: &mut Meter) -> Result<Acceptor, Undecided> {
        let any = self.any(self.numbers);
        let columns = any.columns();
        let enter = |states: &Vec<u32>, known: usize| {
            meter.spend_and_poll((states.len() * columns) as u64)?;
            check_memory(meter, known * (64 + 8 * states.len() + 4 * columns))?;
            Ok(!from.iter().zip(states).any(|(own, state)| own.accepts[*state as usize]))
        };
        let step = |states: &Vec<u32>, column: usize| {
            let to = from.iter().zip(states).map(|(own, state)| own.next[*state as usize][column]);
            Some(to.collect())
        };
        let (next, accepts) = explore(vec![0; from.len()], columns, enter, step)?;
        let lost = Acceptor { next, accepts, ..any };
        Ok(lost.minimal_on_numerals(meter)?)
    }

    /// Proves that these are the P-positions: how many states are met; or what shows that they are
    /// not.
    #[allow(clippy::type_complexity)]
    pub(super) fn proof(
        &self,
        positions: &Acceptor,
        meter: &mut Meter,
    ) -> Result<Result<(usize, TwoStepProof), Violation>, Undecided> {
        let left = self.left(positions, meter)?;
        let from = self.from(&left, meter)?;
        let lost = self.none_of(&from, meter)?;
        if let Some(wrong) = difference(&lost, positions)? {
            let option = |(own, choice): (&Acceptor, &Acceptor)| {
                let heaps = self.choosing(own, choice, &left).ok()?.option(&wrong)?;
                self.remembering(&left, positions).ok()?.option(&heaps)
            };
            if !positions.holds(&wrong) {
                return Ok(Err((wrong, None)));
            }
            let option = from.iter().zip(&self.choices).find_map(option).ok_or(Undecided::Wide)?;
            return Ok(Err((wrong, Some((0, option)))));
        }
        let unseen = Undecided::Automatic("what is worth leaving");
        let mut cases = 0;
        // What is accepted has an option, and nothing else.
        let mut sets = |reader: Reader<'_>, meter: &mut Meter| {
            cases += reader.inside(meter)?.map_err(|_| unseen.clone())?;
            let sets = reader.outside(usize::MAX, &|_, ways| ways, meter)?;
            sets.and_then(Result::ok).ok_or(unseen.clone())
        };
        let mut choices = Vec::new();
        for (own, choice) in from.into_iter().zip(&self.choices) {
            let sets = sets(self.choosing(&complement(&own), choice, &left)?, meter)?;
            choices.push((own, sets));
        }
        let sets = sets(self.remembering(&complement(&left), positions)?, meter)?;
        Ok(Ok((cases, TwoStepProof { left, choices, sets })))
    }
}

impl Reader<'_> {
    /// An option of a position that is accepted, with few digits more than it has, if there is any.
    fn option(&self, position: &[u64]) -> Option<Vec<u64>> {
        let table = self.table(0);
        let mut columns = self.positions.digits.columns(position);
        columns.reverse();
        let longest = columns.len();
        let column = |place: usize| columns.get(place).copied().unwrap_or(0);
        (longest..longest + LONGER).find_map(|length| {
            // By place: the states met, each with the one before and what the option read.
            let mut layers: Vec<Vec<([u32; 2], usize, usize)>> = vec![vec![([0; 2], 0, 0)]];
            for place in (0..length).rev() {
                let (mut layer, mut known) = (Vec::new(), FxHashSet::default());
                for (at, ([m, t], _, _)) in layers.last()?.iter().enumerate() {
                    for (both, own) in self.pairs(0, column(place)) {
                        let to =
                            [table.next[*m as usize][both], self.option.next[*t as usize][own]];
                        if known.insert(to) {
                            layer.push((to, at, own));
                        }
                    }
                }
                layers.push(layer);
            }
            let ends = |([m, t], _, _): &([u32; 2], usize, usize)| {
                table.accepts[*m as usize] && self.option.accepts[*t as usize]
            };
            let mut at = layers.last()?.iter().position(ends)?;
            let mut word = Vec::new();
            for layer in layers[1..].iter().rev() {
                word.push(layer[at].2);
                at = layer[at].1;
            }
            self.option.numbers(word.into_iter().rev())
        })
    }
}

/// Numbers with as few digits as can be that one automaton accepts, and the other does not.
fn difference(one: &Acceptor, other: &Acceptor) -> Result<Option<Vec<u64>>, Undecided> {
    let mut known = FxHashSet::from_iter([[0u32; 2]]);
    let mut open = vec![([0u32; 2], usize::MAX, 0)];
    let mut at = 0;
    while at < open.len() {
        let [s, t] = open[at].0;
        if one.accepts[s as usize] != other.accepts[t as usize] {
            let (mut word, mut back) = (Vec::new(), at);
            while open[back].1 != usize::MAX {
                word.push(open[back].2);
                back = open[back].1;
            }
            return Ok(Some(one.numbers(word.into_iter().rev()).ok_or(Undecided::Wide)?));
        }
        for column in 0..one.columns() {
            let to = [one.next[s as usize][column], other.next[t as usize][column]];
            if known.insert(to) {
                open.push((to, at, column));
            }
        }
        at += 1;
    }
    Ok(None)
}

/// Parts of a formula together with others, as one over this many numbers, each variable replaced
/// by one of these.
fn of_variables(
    formula: &Formula,
    parts: impl Iterator<Item = Node>,
    variables: impl Iterator<Item = usize>,
    tracks: usize,
) -> impl FnOnce(Vec<Node>) -> Formula {
    let mut builder = FormulaBuilder::over((0..tracks).map(|track| format!("n{track}")));
    let variables: Vec<usize> = variables.collect();
    let part = |part: Node| builder.embed(&Formula { root: part, ..formula.clone() }, &variables);
    let parts: Vec<Node> = parts.map(part).collect();
    move |others| builder.build(Node::all(others.into_iter().chain(parts)))
}

/// The least automaton of a formula in these digits.
fn read(formula: Formula, digits: DigitSystem, meter: &mut Meter) -> Result<Acceptor, Undecided> {
    Ok(acceptor_of(&formula, digits, meter)?
        .with_tracks(formula.free)
        .minimal_on_numerals(meter)?)
}

/// The formulas that `&` joins.
pub(super) fn conjuncts(node: &Node, all: &mut Vec<Node>) {
    match node {
        Node::And(parts) => parts.iter().for_each(|part| conjuncts(part, all)),
        part => all.push(part.clone()),
    }
}

/// The formulas that `|` and `=>` join.
pub(super) fn disjuncts(node: &Node, all: &mut Vec<Node>) {
    match node {
        Node::Or(parts) => parts.iter().for_each(|part| disjuncts(part, all)),
        Node::Implies(left, right) => {
            all.push(Node::Not(left.clone()));
            disjuncts(right, all);
        }
        part => all.push(part.clone()),
    }
}

/// What an automaton does not accept.
fn complement(own: &Acceptor) -> Acceptor {
    Acceptor {
        accepts: own.accepts.iter().map(|accepts| !accepts).collect(),
        next: own.next.clone(),
        ..*own
    }
}
