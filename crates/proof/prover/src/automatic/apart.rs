//! Moves in two steps, where what is remembered after a move depends on the heaps left alone.
//!
//! A player chooses the heaps to leave, and then what is remembered of them. So heaps are worth
//! leaving if something can be remembered with which they are P; and a position is P if none may be
//! chosen that are. The two steps have fewer numbers each than a move (in blocking Wythoff six and
//! four, not eight), and what is worth leaving is a set of heaps alone.

use super::{Found, Reader, Sets, numbers, running};
use crate::game::MoveSystem;
use bouton_automata::acceptor::{Acceptor, columns};
use bouton_automata::effort::Undecided;
use bouton_automata::numeration::Numeration;
use bouton_core::{FormulaBuilder, Meter, Moves, Node, Relation, Term};

/// Leading zeros at most before the digits of heaps beside which something is remembered.
const ZEROS: usize = 64;

/// The two steps of a move, read by automata in digits of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    /// How many numbers of a position are heaps: the first ones.
    heaps: usize,
    /// How many numbers a position has.
    numbers: usize,
    /// Which heaps may be left: the position's numbers, then those heaps.
    pub(super) choice: Acceptor,
    /// What may be remembered of them: those heaps, then what is remembered.
    pub(super) remembers: Acceptor,
}

impl Steps {
    /// Returns the steps of a move to this base, or in digits of Zeckendorf; `None` where a move is
    /// not in two steps: its condition is a conjunction, of which each part that speaks of what is
    /// remembered afterwards speaks of the heaps left besides, and of nothing else.
    ///
    /// # Errors
    /// If the condition cannot be read in these digits, or the budget is spent.
    pub fn new(
        game: &MoveSystem,
        (base, zeckendorf): (usize, bool),
        meter: &mut Meter,
    ) -> Result<Option<Steps>, Undecided> {
        let ([board], [way]) = (&game.boards[..], &game.ways[..]) else { return Ok(None) };
        let (numbers, heaps) = (board.heaps, game.heaps_of(board.heaps));
        let in_place = way.heaps.iter().enumerate().all(|(i, heap)| heap.0 == i);
        let window: Vec<usize> = (0..numbers).collect();
        let Some(condition) = way.condition.as_ref().filter(|_| {
            heaps > 0
                && heaps < numbers
                && !game.misere
                && !board.positive
                && in_place
                && way.window == window
        }) else {
            return Ok(None);
        };
        let mut parts = Vec::new();
        conjuncts(&condition.root, &mut parts);
        let speaks = |part: &Node, odd: usize, mut of: std::ops::Range<usize>| {
            of.any(|number| part.mentions(2 * number + odd))
        };
        let (remembers, choice): (Vec<&Node>, Vec<&Node>) =
            parts.into_iter().partition(|part| speaks(part, 1, heaps..numbers));
        if remembers.iter().any(|part| speaks(part, 0, 0..numbers))
            || columns(base, numbers + heaps).is_none()
        {
            return Ok(None);
        }
        // The condition's variables are numbers before and after the move, in turn; those that are
        // not named have some number.
        let read = |parts: Vec<&Node>,
                    tracks: usize,
                    number: &dyn Fn(usize) -> [usize; 2],
                    lower: bool,
                    meter: &mut Meter| {
            let mut builder = FormulaBuilder::over(Moves::names(tracks).into_iter().take(tracks));
            let variables: Vec<usize> = (0..numbers).flat_map(number).collect();
            let mut root: Vec<Node> = Vec::new();
            if lower {
                let compared = |heap: usize, relation| {
                    Term::Variable(numbers + heap).compared(relation, Term::Variable(heap))
                };
                root.extend((0..heaps).map(|heap| compared(heap, Relation::AtMost)));
                root.push(Node::any((0..heaps).map(|heap| compared(heap, Relation::Less))));
            }
            for part in parts {
                let part = bouton_core::Formula { root: part.clone(), ..condition.clone() };
                root.push(builder.embed(&part, &variables));
            }
            let formula = builder.build(Node::all(root));
            let own = if zeckendorf {
                Acceptor::zeckendorf(&formula, meter)?
            } else if base == 2 {
                Acceptor::binary(&formula, meter)?
            } else {
                running::acceptor(&formula, base, meter)?
            };
            let own = own.widened(tracks);
            Ok::<_, Undecided>(if zeckendorf { own.numerals(meter)? } else { own.minimal(meter)? })
        };
        let left = |number: usize| numbers + number % heaps;
        let choice = read(choice, numbers + heaps, &|number| [number, left(number)], true, meter)?;
        let remembers = read(remembers, numbers, &|number| [number, number], false, meter)?;
        if [&choice, &remembers].iter().any(|own| own.next[0][0] != 0) {
            return Ok(None);
        }
        Ok(Some(Steps { heaps, numbers, choice, remembers }))
    }

    /// Returns how many numbers of a position are heaps: the first ones.
    pub fn heaps(&self) -> usize {
        self.heaps
    }

    /// Returns which heaps may be left: an automaton of a position's numbers, and then of these
    /// heaps.
    pub fn choice(&self) -> &Acceptor {
        &self.choice
    }

    /// Returns what may be remembered of heaps: an automaton of these, and then of what is
    /// remembered.
    pub fn remembers(&self) -> &Acceptor {
        &self.remembers
    }

    /// An automaton of so many numbers, as a place for columns.
    fn any(&self, tracks: usize) -> Acceptor {
        let next = vec![vec![0; self.choice.base.pow(tracks as u32)]];
        Acceptor { tracks, next, accepts: vec![true], ..self.choice }
    }

    /// What is read beside each column of so many numbers, so many more being read behind them.
    fn beside(&self, own: usize, more: usize, alone: bool) -> Vec<Vec<(u32, u32)>> {
        let base = self.choice.base as u32;
        let (own, more) = (base.pow(own as u32), base.pow(more as u32));
        let read = |column: u32, other: u32| {
            let both = column + own * other;
            (both, if alone { other } else { both })
        };
        vec![(0..own).flat_map(|column| (0..more).map(move |other| read(column, other))).collect()]
    }

    /// How positions are read beside the heaps left, and heaps beside what is remembered.
    fn choosing<'g>(&'g self, positions: &'g Acceptor, left: &'g Acceptor) -> Result<Reader<'g>, Undecided> {
        Reader::new(positions, left, vec![&self.choice], self.beside(self.numbers, self.heaps, true))
    }

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

    /// Returns the positions that are P if these heaps are worth leaving.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn positions(&self, left: &Acceptor, meter: &mut Meter) -> Result<Acceptor, Undecided> {
        let won = self.choosing(&self.any(self.numbers), left)?.with_option(meter)?;
        let lost = complement(&won);
        Ok(if lost.zeckendorf { lost.numerals(meter)? } else { lost })
    }

    /// Proves that these are the P-positions: the cases, what is worth leaving, and the sets of both
    /// steps; or what shows that they are not.
    #[allow(clippy::type_complexity)]
    pub(super) fn proof(
        &self,
        positions: &Acceptor,
        meter: &mut Meter,
    ) -> Result<Result<(usize, Acceptor, [Sets; 2]), Found>, Undecided> {
        let left = self.left(positions, meter)?;
        let reader = self.choosing(positions, &left)?;
        let cases = match reader.inside(meter)? {
            Ok(cases) => cases,
            Err((position, heaps)) => {
                let option = self.completed(positions, &heaps).ok_or(Undecided::Wide)?;
                return Ok(Err((position, Some((0, option)))));
            }
        };
        let sets = match reader.outside(meter)? {
            Ok(sets) => sets,
            Err(position) => return Ok(Err((position, None))),
        };
        // What is not worth leaving has no option that is P, and all else has one.
        let not_left = complement(&left);
        match self.remembering(&not_left, positions)?.outside(meter)? {
            Ok(more) => Ok(Ok((cases, left, [sets, more]))),
            Err(_) => Err(Undecided::Automatic("what is worth leaving")),
        }
    }

    /// These heaps with something remembered so that the positions have them, if there is anything
    /// with few digits more than they have.
    fn completed(&self, positions: &Acceptor, heaps: &[u64]) -> Option<Vec<u64>> {
        let base = self.choice.base;
        let digits = |number: u64| -> Vec<usize> {
            if self.choice.zeckendorf {
                let digits = Numeration::ZECKENDORF.digits(number);
                return digits.into_iter().rev().map(usize::from).collect();
            }
            let places = number.checked_ilog(base as u64).map_or(0, |last| last + 1);
            (0..places).map(|place| (number / (base as u64).pow(place)) as usize % base).collect()
        };
        // Least significant digits first.
        let all: Vec<Vec<usize>> = heaps.iter().map(|heap| digits(*heap)).collect();
        let longest = all.iter().map(Vec::len).max()?;
        let fixed = |place: usize| {
            all.iter().rev().fold(0, |column, own| base * column + own.get(place).copied().unwrap_or(0))
        };
        let (own, more) = (base.pow(self.heaps as u32), base.pow((self.numbers - self.heaps) as u32));
        (longest..longest + ZEROS).find_map(|length| {
            // Of each place: the states met, with the one before and the column read.
            let mut layers: Vec<Vec<((u32, u32), usize, usize)>> = vec![vec![((0, 0), 0, 0)]];
            for place in (0..length).rev() {
                let before = layers.last()?;
                let mut layer: Vec<((u32, u32), usize, usize)> = Vec::new();
                let mut known = rustc_hash::FxHashSet::default();
                for (at, ((b, s), _, _)) in before.iter().enumerate() {
                    for column in (0..more).map(|other| fixed(place) + own * other) {
                        let to =
                            (self.remembers.next[*b as usize][column], positions.next[*s as usize][column]);
                        if known.insert(to) {
                            layer.push((to, at, column));
                        }
                    }
                }
                layers.push(layer);
            }
            let ends = |((b, s), _, _): &((u32, u32), usize, usize)| {
                self.remembers.accepts[*b as usize] && positions.accepts[*s as usize]
            };
            let mut at = layers.last()?.iter().position(ends)?;
            let mut word = Vec::new();
            for layer in layers[1..].iter().rev() {
                word.push(layer[at].2);
                at = layer[at].1;
            }
            numbers(positions, word.into_iter().rev())
        })
    }
}

/// The formulas that `&` joins.
fn conjuncts<'n>(node: &'n Node, all: &mut Vec<&'n Node>) {
    match node {
        Node::And(parts) => parts.iter().for_each(|part| conjuncts(part, all)),
        part => all.push(part),
    }
}

/// What an automaton does not accept.
fn complement(own: &Acceptor) -> Acceptor {
    Acceptor { accepts: own.accepts.iter().map(|accepts| !accepts).collect(), next: own.next.clone(), ..*own }
}
