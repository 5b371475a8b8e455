//! Condition (II) where a move is one of several alternatives, each followed apart.
//!
//! If alternatives lead to options far from each other, an option of a position can be continued in
//! many ways, and there are too many different sets of all these ways. Usually one alternative, or
//! even one way, is enough. As soon as that is known, the others are left out, as are always the
//! ways from which nothing follows that does not follow from another one. The sets of ways that
//! succeed still contain a listed set, so the certificate is of the same kind.

use super::two_step_moves::{conjuncts, disjuncts};
use super::{Reader, Sets, move_acceptor, pairs};
use crate::game::{MoveKind, MoveSystem};
use bouton_automata::acceptor::{Acceptor, explore};
use bouton_automata::effort::{Undecided, check_memory};
use bouton_core::{Arrange, Formula, Meter, Node};
use rustc_hash::{FxHashMap, FxHashSet};

/// Alternatives at most.
const ALTERNATIVES: usize = 8;
/// Sets at most that are met of one alternative.
const MET: usize = 1 << 14;
/// States at most that are compared with each other.
const COMPARED: usize = 1 << 10;

/// An alternative, read beside the move that it is one of.
struct Alternative {
    read: Acceptor,
    /// The state of the move in each state.
    of: Vec<u32>,
    /// The alternative alone, and its state in each state.
    own: Acceptor,
    alone: Vec<u32>,
}

impl Alternative {
    fn new(own: Acceptor, moves: &Acceptor, meter: &mut Meter) -> Result<Alternative, Undecided> {
        let (mut of, mut alone) = (Vec::new(), Vec::new());
        let enter = |[one, both]: &[u32; 2], known: usize| {
            meter.spend_and_poll(own.columns() as u64)?;
            check_memory(meter, known * (64 + 4 * own.columns()))?;
            of.push(*both);
            alone.push(*one);
            Ok(own.accepts[*one as usize])
        };
        let step = |[one, both]: &[u32; 2], column: usize| {
            Some([own.next[*one as usize][column], moves.next[*both as usize][column]])
        };
        let (next, accepts) = explore([0; 2], own.columns(), enter, step)?;
        Ok(Alternative { read: Acceptor { next, accepts, ..own }, of, own, alone })
    }
}

/// Returns the alternatives of a kind of move whose automaton is given; none if there are not
/// several.
fn alternatives(
    game: &MoveSystem,
    way: &MoveKind,
    moves: &Acceptor,
    meter: &mut Meter,
) -> Result<Vec<Alternative>, Undecided> {
    let Some(condition) = &way.condition else { return Ok(Vec::new()) };
    let mut parts = Vec::new();
    conjuncts(&condition.root, &mut parts);
    let several = |part: &Node| {
        let mut all = Vec::new();
        disjuncts(part, &mut all);
        (2..=ALTERNATIVES).contains(&all.len()).then_some(all)
    };
    let Some((place, all)) =
        parts.iter().enumerate().find_map(|(place, part)| Some((place, several(part)?)))
    else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for one in all {
        parts[place] = one;
        let condition = Some(Formula { root: Node::all(parts.clone()), ..condition.clone() });
        let own = move_acceptor(game, &MoveKind { condition, ..way.clone() }, moves.digits, meter)?;
        found.push(Alternative::new(own, moves, meter)?);
    }
    Ok(found)
}

/// Returns the sets of ways of a game with one kind of move, or a position that is not claimed and
/// has no claimed option; `None` if its moves are not one of several alternatives.
///
/// # Errors
/// If the budget is spent.
#[allow(clippy::type_complexity)]
pub(super) fn outside(
    game: &MoveSystem,
    positions: &Acceptor,
    moves: &Acceptor,
    meter: &mut Meter,
) -> Result<Option<Result<Sets, Vec<u64>>>, Undecided> {
    let [way] = &game.ways[..] else { return Ok(None) };
    let all = alternatives(game, way, moves, meter)?;
    if all.is_empty() {
        return Ok(None);
    }
    let read = vec![pairs(positions, &way.window); all.len()];
    let reader =
        Reader::new(positions, positions, all.iter().map(|own| &own.read).collect(), read)?;
    let sure = reader.sure(meter)?;
    let mut whole = FxHashSet::default();
    for alternative in 0..all.len() {
        whole.extend(reader.whole(alternative, &sure, meter)?);
    }
    let own: Vec<&Acceptor> = all.iter().map(|one| &one.own).collect();
    let of_moves = Inclusions::new(&own, meter)?;
    let of_options = Inclusions::new(&[positions], meter)?;
    let states_of = |way: u32| {
        let (alternative, m, t) = reader.way(way);
        ((alternative, all[alternative].alone[m as usize]), (0, t))
    };
    let less = |place: u32, ways: Vec<u32>| {
        let marks = reader.place(place).1;
        if let Some(one) = ways.iter().find(|way| sure.contains(&(marks, **way))) {
            return vec![*one];
        }
        let parts = ways.chunk_by(|one, other| reader.way(*one).0 == reader.way(*other).0);
        let alone = parts.map(<[u32]>::to_vec).find(|part| whole.contains(&(marks, part.clone())));
        alone.unwrap_or_else(|| uncontained(&ways, &states_of, &of_moves, &of_options))
    };
    let Some(found) = reader.outside(usize::MAX, &less, meter)? else { return Ok(None) };
    let states = positions.next.len() as u32;
    let of_move = |way: &mut u32| {
        let (alternative, m, t) = reader.way(*way);
        *way = all[alternative].of[m as usize] * states + t;
    };
    Ok(Some(found.map(|mut sets| {
        for (_, ways) in &mut sets {
            ways.iter_mut().for_each(of_move);
            ways.arrange();
            ways.dedup();
        }
        sets
    })))
}

/// The number of an automaton, and one of its states.
type State = (usize, u32);

/// Which states of some automata accept no more than which others do, whatever follows.
struct Inclusions {
    /// The first state of each automaton, as all are numbered.
    first: Vec<usize>,
    states: usize,
    /// Of each pair of states whether the first accepts no more; none if there are too many.
    holds: Vec<bool>,
}

impl Inclusions {
    /// Compares all states of automata with the same columns, if there are not too many.
    fn new(all: &[&Acceptor], meter: &mut Meter) -> Result<Inclusions, Undecided> {
        let (mut first, mut states) = (Vec::new(), 0);
        for own in all {
            first.push(states);
            states += own.next.len();
        }
        if states > COMPARED {
            return Ok(Inclusions { first, states, holds: Vec::new() });
        }
        let rows = all.iter().zip(&first).flat_map(|(own, first)| {
            let shifted = move |row: &Vec<u32>| -> Vec<usize> {
                row.iter().map(|to| first + *to as usize).collect()
            };
            own.next.iter().map(shifted)
        });
        let rows: Vec<Vec<usize>> = rows.collect();
        let accepts: Vec<bool> = all.iter().flat_map(|own| own.accepts.iter().copied()).collect();
        check_memory(meter, states * states)?;
        let pairs = (0..states).flat_map(|one| (0..states).map(move |other| (one, other)));
        let mut holds: Vec<bool> =
            pairs.map(|(one, other)| !accepts[one] || accepts[other]).collect();
        keep(&mut holds, meter, &|holds, pair| {
            let (one, other) = (&rows[pair / states], &rows[pair % states]);
            one.iter().zip(other).all(|(one, other)| holds[one * states + other])
        })?;
        Ok(Inclusions { first, states, holds })
    }

    fn holds(&self, one: State, other: State) -> bool {
        let number = |(automaton, state): State| self.first[automaton] + state as usize;
        let place = number(one) * self.states + number(other);
        one == other || self.holds.get(place).is_some_and(|holds| *holds)
    }
}

/// Returns those ways from which something may follow that does from no other one: of each the
/// states of an alternative and of the option.
fn uncontained(
    ways: &[u32],
    states_of: &dyn Fn(u32) -> (State, State),
    of_moves: &Inclusions,
    of_options: &Inclusions,
) -> Vec<u32> {
    let read: Vec<(State, State)> = ways.iter().map(|way| states_of(*way)).collect();
    let is_in = |one: usize, other: usize| {
        let ((m, t), (n, u)) = (read[one], read[other]);
        of_options.holds(t, u) && of_moves.holds(m, n)
    };
    let is_needed = |one: &usize| {
        let mut others = (0..ways.len()).filter(|other| other != one);
        // Of two from which the same follows the first stays.
        !others.any(|other| is_in(*one, other) && (other < *one || !is_in(other, *one)))
    };
    (0..ways.len()).filter(is_needed).map(|one| ways[one]).collect()
}

impl Reader<'_> {
    /// Returns the ways, with the marks of the position, from which some way leads on whatever
    /// follows, chosen digit by digit, and the option may end wherever the position does.
    fn sure(&self, meter: &mut Meter) -> Result<FxHashSet<(usize, u32)>, Undecided> {
        let mut all: Vec<(usize, u32)> =
            self.begin(meter)?.into_iter().map(|way| (0, way)).collect();
        let mut number: FxHashMap<(usize, u32), usize> = all.iter().copied().zip(0..).collect();
        let mut after: Vec<Vec<Vec<usize>>> = Vec::new();
        let mut bytes = 0;
        while after.len() < all.len() {
            let (marks, way) = all[after.len()];
            let mut rows = Vec::new();
            for column in 0..self.positions.columns() {
                let Some(marks) = self.positions.digits.after(marks, column) else { continue };
                let ways = self.after(way, column).into_iter().map(|way| (marks, way));
                let row: Vec<usize> = ways
                    .map(|key| {
                        let new = all.len();
                        *number.entry(key).or_insert_with(|| {
                            all.push(key);
                            new
                        })
                    })
                    .collect();
                meter.spend_and_poll(1 + row.len() as u64)?;
                bytes += 96 + 8 * row.len();
                rows.push(row);
            }
            check_memory(meter, bytes)?;
            after.push(rows);
        }
        let mut is_sure: Vec<bool> = all.iter().map(|(_, way)| self.ends(*way)).collect();
        keep(&mut is_sure, meter, &|is_sure, state| {
            after[state].iter().all(|row| row.iter().any(|to| is_sure[*to]))
        })?;
        Ok(all
            .into_iter()
            .zip(is_sure)
            .filter_map(|(key, is_sure)| is_sure.then_some(key))
            .collect())
    }

    /// Returns sets of ways of one window, with the marks of the position, that have an option
    /// whatever follows; of these windows none where there are too many sets.
    fn whole(
        &self,
        window: usize,
        sure: &FxHashSet<(usize, u32)>,
        meter: &mut Meter,
    ) -> Result<Vec<(usize, Vec<u32>)>, Undecided> {
        let own = self.begin(meter)?.into_iter().filter(|way| self.way(*way).0 == window).collect();
        let mut all: Vec<(usize, Vec<u32>)> = vec![(0, own)];
        let mut number = FxHashMap::from_iter([(all[0].clone(), 0)]);
        let mut after: Vec<Vec<usize>> = Vec::new();
        let mut bytes = 0;
        while after.len() < all.len() {
            let (marks, ways) = all[after.len()].clone();
            let mut row = Vec::new();
            for column in 0..self.positions.columns() {
                let Some(marks) = self.positions.digits.after(marks, column) else { continue };
                let mut next: Vec<u32> =
                    ways.iter().flat_map(|way| self.after(*way, column)).collect();
                meter.spend_and_poll(1 + next.len() as u64)?;
                next.arrange();
                next.dedup();
                if let Some(one) = next.iter().find(|way| sure.contains(&(marks, **way))) {
                    next = vec![*one];
                }
                let (key, new) = ((marks, next), all.len());
                bytes += 8;
                row.push(*number.entry(key).or_insert_with_key(|key| {
                    bytes += 160 + 8 * key.1.len();
                    all.push(key.clone());
                    new
                }));
            }
            check_memory(meter, bytes)?;
            after.push(row);
            if all.len() > MET {
                return Ok(Vec::new());
            }
        }
        let mut is_whole: Vec<bool> =
            all.iter().map(|(_, ways)| ways.iter().any(|way| self.ends(*way))).collect();
        keep(&mut is_whole, meter, &|is_whole, state| after[state].iter().all(|to| is_whole[*to]))?;
        Ok(all
            .into_iter()
            .zip(is_whole)
            .filter_map(|(key, is_whole)| is_whole.then_some(key))
            .collect())
    }
}

/// Drops from some states, over and over, those that do not stay among them.
fn keep(
    states: &mut [bool],
    meter: &mut Meter,
    stays: &dyn Fn(&[bool], usize) -> bool,
) -> Result<(), Undecided> {
    loop {
        meter.spend_and_poll(states.len() as u64)?;
        let mut changed = false;
        for state in 0..states.len() {
            if states[state] && !stays(states, state) {
                states[state] = false;
                changed = true;
            }
        }
        if !changed {
            return Ok(());
        }
    }
}
