//! P-positions that an automaton reads, proved for all heap sizes, and the same way for formulas.
//!
//! Position and option are read together, digits to the base of the claim, most significant first:
//! by the automaton A of the claim, by an automaton of the moves in a window, and by A. (I) no
//! claimed position has a claimed option if no three states that are reached accept all. (II) every
//! other position has a claimed option: the sets of states in which move and option may be, after
//! the digits of a position, are followed, sets that contain others left out (De Wulf, Doyen,
//! Henzinger & Raskin, CAV 2006). Nothing is put in normal form: so remainders and quotients by 3,
//! whose cases multiply in [`crate::prove`], cost here what they cost A. The price is a letter for
//! all digits at once: games on few heaps. Where what is remembered depends on the heaps left
//! alone, a move is read in two steps, each with fewer digits ([`two_step_moves`]). Certificate:
//! kind `automatic` in docs/certificates.md.

mod alternatives;
mod answers;
pub(crate) mod relations;
mod running;
mod two_step_moves;

pub use answers::{accepted_option, certified_acceptor};
pub use two_step_moves::TwoStepMoves;

use crate::certificate::statement;
use crate::game::MoveSystem;
use crate::prove::{Attempt, Counterexample, least_by};
use bouton_automata::acceptor::{Acceptor, columns};
use bouton_automata::effort::{Undecided, check_memory};
use bouton_certificate::{AUTOMATON, Certificate, CertificateKind, PPositionsClaim};
use bouton_core::{
    Arrange, Claim, DigitSystem, Formula, FormulaBuilder, Meter, Moves, Node, Relation, Term,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt::Write;

/// A claim about P-positions as automata prove it.
#[derive(Debug, Clone, Copy)]
pub enum AutomaticClaim<'c> {
    /// Those that the automaton accepts, as it stands.
    Automaton(&'c Acceptor),
    /// Those of which the formula holds in one of these images.
    Formula {
        /// The formula.
        claim: &'c Claim,
        /// The images.
        images: &'c [Vec<usize>],
        /// The digits in which it is read.
        digits: DigitSystem,
    },
}

/// What a proof consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutomaticProof {
    /// States of positions, moves and options met together.
    pub cases: usize,
    /// The automaton of the claimed positions.
    pub positions: Acceptor,
    /// That of the formula as it stands, where images count.
    formula: Option<Acceptor>,
    /// Those of the moves.
    moves: MovesRead,
}

/// A state of the positions with ways on which an option may be, over and over. With digits by a
/// recurrence of order d the state has the number of all states added times the d − 1 columns read
/// last, or others after which the same may follow.
type Sets = Vec<(u32, Vec<u32>)>;

/// Sets that are met at most before the alternatives of a move are followed apart.
const MET: usize = 1 << 14;

/// How moves are read.
#[derive(Debug, Clone, PartialEq, Eq)]
enum MovesRead {
    /// By how many heaps they may lower: place i is read before and after by numbers 2i and 2i + 1;
    /// and the windows, and sets.
    Windows { moves: Vec<(usize, Acceptor)>, windows: Vec<Vec<usize>>, sets: Sets },
    /// In two steps, with what proves them.
    Apart(Box<TwoStepMoves>, Box<two_step_moves::TwoStepProof>),
}

impl AutomaticProof {
    /// Returns how many sets of ways there are in the certificate.
    pub fn sets(&self) -> usize {
        match &self.moves {
            MovesRead::Windows { sets, .. } => sets.len(),
            MovesRead::Apart(_, worth) => worth.sets(),
        }
    }

    /// Returns the certificate for the game of this name. The claim is the formula's statement, or
    /// else the automaton.
    pub fn certificate(
        &self,
        name: &str,
        game: &MoveSystem,
        what: AutomaticClaim<'_>,
    ) -> Certificate {
        let claim = match what {
            AutomaticClaim::Automaton(_) => PPositionsClaim::new(AUTOMATON).to_string(),
            AutomaticClaim::Formula { claim, .. } => statement(game, std::slice::from_ref(claim)),
        };
        self.certified(name, claim, None)
    }

    /// Returns the certificate of the claim about misère play of the game of this name, where this
    /// is a proof about the game with one heap more ([`crate::misere_acceptor`]).
    pub fn misere_certificate(&self, name: &str, claimed: &Acceptor) -> Certificate {
        let claim = PPositionsClaim { is_misere: true, ..PPositionsClaim::new(AUTOMATON) };
        self.certified(name, claim.to_string(), Some(claimed))
    }

    fn certified(&self, name: &str, claim: String, claimed: Option<&Acceptor>) -> Certificate {
        let mut body = String::new();
        // Writing into a string does not fail.
        let _ = match self.positions.digits.coefficients() {
            ([2], []) => Ok(()),
            ([base], []) => writeln!(body, "base {base}"),
            ([1, 1], []) => writeln!(body, "zeckendorf"),
            ([_, 1], []) => writeln!(body, "zeckendorf {}", self.positions.digits.base()),
            (once, []) => writeln!(body, "digits by {}", joined(once, ",")),
            (once, for_ever) => {
                writeln!(body, "digits by {} then {}", joined(once, ","), joined(for_ever, ","))
            }
        };
        if let Some(claimed) = claimed {
            table(&mut body, "misere ", claimed);
        }
        table(&mut body, "positions ", &self.positions);
        if let Some(formula) = &self.formula {
            table(&mut body, "formula ", formula);
        }
        match &self.moves {
            MovesRead::Windows { moves, windows, sets } => {
                let windows: Vec<String> =
                    windows.iter().map(|window| joined(window, ",")).collect();
                let _ = writeln!(body, "windows {}", windows.join(" "));
                moves.iter().for_each(|(length, moves)| {
                    table(&mut body, &format!("move {length} "), moves)
                });
                listed(&mut body, sets);
            }
            MovesRead::Apart(steps, worth) => worth.write(steps, &mut body),
        }
        Certificate { kind: CertificateKind::Automatic, game: name.into(), claim, body }
    }
}

fn joined<T: std::fmt::Display>(list: &[T], between: &str) -> String {
    list.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}

fn listed(body: &mut String, sets: &Sets) {
    let _ = writeln!(body, "sets {}", sets.len());
    for (state, ways) in sets {
        let _ = writeln!(body, "{}", joined(&[&[*state], &ways[..]].concat(), " "));
    }
}

fn table(body: &mut String, head: &str, automaton: &Acceptor) {
    let _ = writeln!(body, "{head}{}", automaton.next.len());
    for (row, accepts) in automaton.next.iter().zip(&automaton.accepts) {
        let _ = writeln!(body, "{} {}", if *accepts { "!" } else { "-" }, joined(row, " "));
    }
}

/// Which counterexample a refutation gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CounterexampleChoice {
    /// The least, as far as the budget reaches.
    Least,
    /// The first that is found.
    Any,
}

/// Decides whether the claim describes the P-positions in normal play.
pub fn prove_automatic(
    game: &MoveSystem,
    what: AutomaticClaim<'_>,
    wanted: CounterexampleChoice,
    meter: &mut Meter,
) -> Attempt<AutomaticProof> {
    settle(game, what, wanted, meter).unwrap_or_else(Attempt::Unknown)
}

fn settle(
    game: &MoveSystem,
    what: AutomaticClaim<'_>,
    wanted: CounterexampleChoice,
    meter: &mut Meter,
) -> Result<Attempt<AutomaticProof>, Undecided> {
    meter.spend_and_poll(0)?;
    let beyond = |why| Err(Undecided::Automatic(why));
    let [board] = &game.boards[..] else { return beyond("heaps that leave") };
    let in_place =
        |way: &crate::game::MoveKind| way.heaps.iter().enumerate().all(|(i, heap)| heap.0 == i);
    if board.positive || game.misere || !game.ways.iter().all(in_place) {
        return beyond("misère play, and heaps that change places");
    }
    let windows: Vec<Vec<usize>> = game.ways.iter().map(|way| way.window.clone()).collect();
    let longest = windows.iter().map(Vec::len).max().unwrap_or(0);
    let digits = match what {
        AutomaticClaim::Automaton(one) => one.digits,
        AutomaticClaim::Formula { digits, .. } => digits,
    };
    let base = digits.base();
    let together = columns(base, board.heaps + longest);
    if columns(base, 2 * longest).is_none() || together.is_none() || board.heaps == 0 {
        return beyond(if base == 2 { "so many heaps" } else { "so many heaps to this base" });
    }
    let (mut positions, mut formula) = (None, None);
    let positions = match what {
        AutomaticClaim::Automaton(one) => positions.insert(one.minimal_on_numerals(meter)?),
        AutomaticClaim::Formula { claim, images, .. } => {
            let own = acceptor_of(claim.formula(), digits, meter)?
                .with_tracks(board.heaps)
                .minimal_on_numerals(meter)?;
            let all = if images.len() > 1 { own.union(images, meter)? } else { own.clone() };
            formula = (images.len() > 1).then_some(own);
            positions.insert(all)
        }
    };
    if positions.next[0][0] != 0 {
        return beyond("what leading zeros change");
    }
    if positions.tracks != board.heaps {
        return beyond("another number of heaps");
    }
    let places =
        positions.columns().pow(digits.order() as u32 - 1).checked_mul(positions.next.len());
    if places.is_none_or(|places| u32::try_from(places).is_err()) {
        return beyond("automata of this size");
    }
    let found = if let Some(steps) = TwoStepMoves::new(game, digits, meter)? {
        match steps.proof(positions, meter)? {
            Ok((cases, worth)) => {
                let moves = MovesRead::Apart(steps.into(), worth.into());
                let positions = positions.clone();
                return Ok(Attempt::Proved(AutomaticProof { cases, positions, formula, moves }));
            }
            Err(found) => found,
        }
    } else {
        let mut moves: Vec<(usize, Acceptor)> = Vec::new();
        for way in &game.ways {
            if moves.iter().all(|(length, _)| *length != way.window.len()) {
                moves.push((way.window.len(), move_acceptor(game, way, digits, meter)?));
            }
        }
        let table = |window: &&Vec<usize>| moves.iter().find(|(length, _)| *length == window.len());
        let tables =
            windows.iter().filter_map(|window| table(&window).map(|(_, table)| table)).collect();
        let pairs = windows.iter().map(|window| pairs(positions, window)).collect();
        let reader = Reader::new(positions, positions, tables, pairs)?;
        match reader.inside(meter)? {
            Ok(cases) => match by_alternatives(&reader, game, meter)? {
                Ok(sets) => {
                    let moves = MovesRead::Windows { moves, windows, sets };
                    let positions = positions.clone();
                    return Ok(Attempt::Proved(AutomaticProof {
                        cases,
                        positions,
                        formula,
                        moves,
                    }));
                }
                Err(position) => (position, None),
            },
            Err((position, option)) => (position, Some((0, option))),
        }
    };
    let (position, option) = found;
    let found = Counterexample { board: 0, position, option, over: false, least: false };
    if wanted == CounterexampleChoice::Any {
        return Ok(Attempt::Refuted(found));
    }
    let asked = |_: usize, heaps: &[u64]| Some(positions.holds(heaps));
    Ok(Attempt::Refuted(least_by(game, &asked, &|_| 20, found, meter)))
}

/// Returns the sets of ways of a game, or a position that is not claimed and has no claimed option.
/// If all ways together come in too many sets the alternatives of a move are followed apart.
fn by_alternatives(
    reader: &Reader<'_>,
    game: &MoveSystem,
    meter: &mut Meter,
) -> Result<Result<Sets, Vec<u64>>, Undecided> {
    let all = |_: u32, ways: Vec<u32>| ways;
    if let Some(found) = reader.outside(MET, &all, meter)? {
        return Ok(found);
    }
    if let Some(found) = alternatives::outside(game, reader.positions, reader.table(0), meter)? {
        return Ok(found);
    }
    reader.outside(usize::MAX, &all, meter)?.ok_or(Undecided::Automatic("automata of this size"))
}

/// Returns what moves in a window and options read, for each column of the position and, within
/// those, for each of the option's heaps in the window.
fn pairs(positions: &Acceptor, window: &[usize]) -> Vec<(u32, u32)> {
    let base = positions.digits.base();
    let mut all = Vec::new();
    for position in 0..positions.columns() {
        for option in 0..base.pow(window.len() as u32) {
            let (mut both, mut after, mut rest) = (0, position, option);
            for (place, heap) in window.iter().enumerate() {
                let (before, own) = (positions.digit(position, *heap), rest % base);
                rest /= base;
                both += (before + base * own) * base.pow(2 * place as u32);
                after = after + own * base.pow(*heap as u32) - before * base.pow(*heap as u32);
            }
            // Columns are at most 2^14.
            all.push((both as u32, after as u32));
        }
    }
    all
}

/// Returns the automaton of a kind of move.
pub(crate) fn move_acceptor(
    game: &MoveSystem,
    way: &crate::game::MoveKind,
    digits: DigitSystem,
    meter: &mut Meter,
) -> Result<Acceptor, Undecided> {
    let heaps = game.heaps_of(game.boards[0].heaps);
    let places: Vec<usize> =
        (0..way.window.len()).filter(|place| way.window[*place] < heaps).collect();
    let names = Moves::names(way.window.len());
    let mut builder = FormulaBuilder::over(names.iter().cloned());
    // The size before and after the move of the heap in a place of the window.
    let compared = |place: &usize, relation| {
        Term::Variable(2 * place + 1).compared(relation, Term::Variable(2 * place))
    };
    let mut parts: Vec<Node> =
        places.iter().map(|place| compared(place, Relation::AtMost)).collect();
    parts.push(Node::any(places.iter().map(|place| compared(place, Relation::Less))));
    let numbers: Vec<usize> = (0..names.len()).collect();
    parts.extend(way.condition.iter().map(|condition| builder.embed(condition, &numbers)));
    let formula = builder.build(Node::all(parts));
    let own = acceptor_of(&formula, digits, meter)?;
    Ok(own.with_tracks(names.len()).minimal(meter)?)
}

/// A claimed position with a claimed option, or one that is not claimed, with no option.
type Violation = (Vec<u64>, Option<(usize, Vec<u64>)>);

/// Returns the automaton of a formula's free variables in these digits: of none of them where the
/// formula says nothing of them.
///
/// # Errors
/// If the formula is not read in these digits, or the automaton is beyond the budget.
pub fn acceptor_of(
    formula: &Formula,
    digits: DigitSystem,
    meter: &mut Meter,
) -> Result<Acceptor, Undecided> {
    match digits.coefficients() {
        ([2], []) => Acceptor::binary(formula, meter),
        ([1, 1], []) => Acceptor::zeckendorf(formula, meter),
        _ => relations::acceptor(formula, digits, meter),
    }
}

struct Reader<'g> {
    positions: &'g Acceptor,
    alive: Vec<bool>,
    /// What reads the option: the automaton of the positions, where moves are not in two steps.
    option: &'g Acceptor,
    option_alive: Vec<bool>,
    /// Of each window: the automaton of its moves, and from which of its states something is
    /// accepted.
    tables: Vec<(&'g Acceptor, Vec<bool>)>,
    /// The first way of each window. A way is a window, a state of its moves and a state of the
    /// option.
    first: Vec<u32>,
    /// Of each window: columns of the option's heaps in it, and what is read with each column of
    /// the position.
    options: Vec<usize>,
    pairs: Vec<Vec<(u32, u32)>>,
}

impl<'g> Reader<'g> {
    fn new(
        positions: &'g Acceptor,
        option: &'g Acceptor,
        tables: Vec<&'g Acceptor>,
        pairs: Vec<Vec<(u32, u32)>>,
    ) -> Result<Reader<'g>, Undecided> {
        let mut first = vec![0u32];
        for table in &tables {
            let ways = table.next.len() as u64 * option.next.len() as u64;
            let next = u64::from(first[first.len() - 1]) + ways;
            first.push(
                u32::try_from(next).map_err(|_| Undecided::Automatic("automata of this size"))?,
            );
        }
        let (alive, option_alive) = (positions.coaccessible_states(), option.coaccessible_states());
        let options = pairs.iter().map(|pairs| pairs.len() / positions.columns()).collect();
        let tables = tables.into_iter().map(|table| (table, table.coaccessible_states())).collect();
        Ok(Reader { positions, alive, option, option_alive, tables, first, options, pairs })
    }
}

impl Reader<'_> {
    fn table(&self, window: usize) -> &Acceptor {
        self.tables[window].0
    }

    /// Returns what moves and options read with this column of the position, for each column of the
    /// option's heaps in the window.
    fn pairs(&self, window: usize, column: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let options = self.options[window];
        let pairs = &self.pairs[window][column * options..(column + 1) * options];
        pairs.iter().map(|(both, after)| (*both as usize, *after as usize))
    }

    /// Checks (I). Returns how many states are met, or a claimed position with a claimed option.
    #[allow(clippy::type_complexity)]
    fn inside(&self, meter: &mut Meter) -> Result<Result<usize, (Vec<u64>, Vec<u64>)>, Undecided> {
        let columns = self.positions.columns();
        let mut count = 0;
        for window in 0..self.tables.len() {
            let (table, alive) = (self.table(window), &self.tables[window].1);
            let mut known: FxHashSet<[u32; 3]> = FxHashSet::default();
            // In the order in which they are met, with the one before and what was read.
            let mut open: Vec<([u32; 3], usize, (usize, usize))> =
                vec![([0; 3], usize::MAX, (0, 0))];
            known.insert([0; 3]);
            let mut at = 0;
            while at < open.len() {
                let [s, m, t] = open[at].0;
                if self.positions.accepts[s as usize]
                    && table.accepts[m as usize]
                    && self.option.accepts[t as usize]
                {
                    let mut word = Vec::new();
                    let mut back = at;
                    while open[back].1 != usize::MAX {
                        word.push(open[back].2);
                        back = open[back].1;
                    }
                    word.reverse();
                    let position = self.positions.numbers(word.iter().map(|one| one.0));
                    let option = self.option.numbers(word.iter().map(|one| one.1));
                    return Ok(Err(position.zip(option).ok_or(Undecided::Wide)?));
                }
                meter.spend_and_poll((columns * self.options[window]) as u64)?;
                if at % 1024 == 0 {
                    check_memory(meter, 80 * open.len())?;
                }
                for column in 0..columns {
                    let s = self.positions.next[s as usize][column];
                    if !self.alive[s as usize] {
                        continue;
                    }
                    for (both, after) in self.pairs(window, column) {
                        let (m, t) =
                            (table.next[m as usize][both], self.option.next[t as usize][after]);
                        if alive[m as usize]
                            && self.option_alive[t as usize]
                            && known.insert([s, m, t])
                        {
                            open.push(([s, m, t], at, (column, after)));
                        }
                    }
                }
                at += 1;
            }
            count += open.len();
        }
        Ok(Ok(count))
    }

    fn way(&self, way: u32) -> (usize, u32, u32) {
        let window = self.first.partition_point(|first| *first <= way) - 1;
        let (rest, states) = (way - self.first[window], self.option.next.len() as u32);
        (window, rest / states, rest % states)
    }

    fn after(&self, way: u32, column: usize) -> Vec<u32> {
        let (window, m, t) = self.way(way);
        let (table, alive) = (self.table(window), &self.tables[window].1);
        let mut after = Vec::new();
        for (both, own) in self.pairs(window, column) {
            let (m, t) = (table.next[m as usize][both], self.option.next[t as usize][own]);
            if alive[m as usize] && self.option_alive[t as usize] {
                after.push(self.first[window] + m * self.option.next.len() as u32 + t);
            }
        }
        after.arrange();
        after.dedup();
        after
    }

    /// Returns whether the option may end so.
    fn ends(&self, way: u32) -> bool {
        let (window, m, t) = self.way(way);
        self.table(window).accepts[m as usize] && self.option.accepts[t as usize]
    }

    /// Returns the state of the positions at a place, and the marks of the numbers. With digits of
    /// Zeckendorf places differ by the column read last.
    fn place(&self, place: u32) -> (usize, usize) {
        let (states, digits) = (self.positions.next.len(), self.positions.digits);
        let (state, kept) = (place as usize % states, place as usize / states);
        (state, if digits.is_zeckendorf() { digits.after(0, kept).unwrap_or(0) } else { kept })
    }

    /// Returns the place after a column; `None` where no numbers are written so.
    fn next_place(&self, place: u32, column: usize) -> Option<u32> {
        let (state, marks) = self.place(place);
        let marks = self.positions.digits.after(marks, column)?;
        let kept = if self.positions.digits.is_zeckendorf() { column } else { marks };
        Some(self.positions.next[state][column] + (kept * self.positions.next.len()) as u32)
    }

    /// Returns a place as certificates have it: with columns read last for marks.
    fn written(&self, place: u32) -> u32 {
        if self.positions.digits.is_zeckendorf() {
            return place;
        }
        let (state, marks) = self.place(place);
        let columns = self.positions.digits.columns_with_marks(marks, self.positions.tracks);
        (state + columns * self.positions.next.len()) as u32
    }

    /// Returns the ways after leading zeros of the position.
    fn begin(&self, meter: &mut Meter) -> Result<Vec<u32>, Undecided> {
        let mut begin: Vec<u32> = self.first[..self.tables.len()].to_vec();
        let mut seen: FxHashSet<u32> = begin.iter().copied().collect();
        let mut at = 0;
        while at < begin.len() {
            meter.spend_one()?;
            begin.extend(self.after(begin[at], 0).into_iter().filter(|way| seen.insert(*way)));
            at += 1;
        }
        begin.arrange();
        Ok(begin)
    }

    /// The automaton of the positions with an option that is accepted, whatever the automaton of
    /// the positions is.
    fn with_option(&self, meter: &mut Meter) -> Result<Acceptor, Undecided> {
        let begin = self.begin(meter)?;
        let mut followers: FxHashMap<(u32, usize), Vec<u32>> = FxHashMap::default();
        let mut number: FxHashMap<Vec<u32>, u32> = FxHashMap::from_iter([(begin.clone(), 0)]);
        let mut open = vec![begin];
        let (mut next, mut accepts) = (Vec::new(), Vec::new());
        let (mut at, mut bytes) = (0, 0);
        while at < open.len() {
            let ways = open[at].clone();
            accepts.push(ways.iter().any(|way| self.ends(*way)));
            let mut row = Vec::with_capacity(self.positions.columns());
            for column in 0..self.positions.columns() {
                let mut to: Vec<u32> = Vec::new();
                for way in &ways {
                    let own = followers.entry((*way, column)).or_insert_with(|| {
                        let after = self.after(*way, column);
                        bytes += 64 + 4 * after.len();
                        after
                    });
                    to.extend_from_slice(own);
                }
                meter.spend_and_poll(1 + to.len() as u64)?;
                to.arrange();
                to.dedup();
                let new = open.len() as u32;
                row.push(*number.entry(to).or_insert_with_key(|to| {
                    open.push(to.clone());
                    bytes += 128 + 8 * to.len();
                    new
                }));
            }
            bytes += 4 * row.len();
            check_memory(meter, bytes)?;
            next.push(row);
            at += 1;
        }
        let own = Acceptor { next, accepts, ..*self.positions };
        Ok(own.minimal_on_numerals(meter)?)
    }

    /// (II): the sets met that contain no other, or a position that is not claimed and has no
    /// claimed option; `None` if more sets are met than allowed. At each place `less` may leave out
    /// ways that are not needed.
    #[allow(clippy::type_complexity)]
    fn outside(
        &self,
        most: usize,
        less: &dyn Fn(u32, Vec<u32>) -> Vec<u32>,
        meter: &mut Meter,
    ) -> Result<Option<Result<Sets, Vec<u64>>>, Undecided> {
        let begin = self.begin(meter)?;
        let mut followers: FxHashMap<(u32, usize), Vec<u32>> = FxHashMap::default();
        let mut known: FxHashMap<(u32, Vec<u32>), usize> = FxHashMap::default();
        let mut met: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut came: Vec<(usize, usize)> = Vec::new();
        let mut queue: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
        // Those explored, by place and length.
        let mut explored: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        queue.push(Reverse((begin.len(), 0)));
        known.insert((0, begin.clone()), 0);
        met.push((0, begin));
        came.push((usize::MAX, 0));
        let mut marked = vec![usize::MAX; self.first[self.tables.len()] as usize];
        let mut bytes = 4 * marked.len();
        while let Some(Reverse((_, id))) = queue.pop() {
            meter.spend_one()?;
            let (state, ways) = met[id].clone();
            if !self.positions.accepts[self.place(state).0]
                && !ways.iter().any(|way| self.ends(*way))
            {
                let mut word = Vec::new();
                let mut back = id;
                while came[back].0 != usize::MAX {
                    word.push(came[back].1);
                    back = came[back].0;
                }
                word.reverse();
                return Ok(Some(Err(self
                    .positions
                    .numbers(word.into_iter())
                    .ok_or(Undecided::Wide)?)));
            }
            if met.len() > most {
                return Ok(None);
            }
            ways.iter().for_each(|way| marked[*way as usize] = id);
            let mut compared = 0;
            let explored = explored.entry(state).or_default();
            let within = explored.iter().any(|small| {
                compared += 1;
                met[*small].1.iter().all(|way| marked[*way as usize] == id)
            });
            meter.spend_and_poll(compared)?;
            if within {
                continue;
            }
            explored.push(id);
            for column in 0..self.positions.columns() {
                let Some(to) = self.next_place(state, column) else { continue };
                let mut next: Vec<u32> = Vec::new();
                for way in &ways {
                    let own = followers.entry((*way, column)).or_insert_with(|| {
                        let after = self.after(*way, column);
                        bytes += 64 + 4 * after.len();
                        after
                    });
                    next.extend_from_slice(own);
                }
                meter.spend_and_poll(1 + next.len() as u64)?;
                next.arrange();
                next.dedup();
                let key = (to, less(to, next));
                if !known.contains_key(&key) {
                    bytes += 128 + 8 * key.1.len();
                    check_memory(meter, bytes)?;
                    queue.push(Reverse((key.1.len(), met.len())));
                    known.insert(key.clone(), met.len());
                    came.push((id, column));
                    met.push(key);
                }
            }
        }
        let mut kept: Vec<usize> = explored.into_values().flatten().collect();
        kept.arrange_by_key(|id| (met[*id].0, met[*id].1.len(), *id));
        let mut least: Vec<(u32, Vec<u32>)> = Vec::new();
        for id in kept {
            meter.spend_one()?;
            let (state, ways) = &met[id];
            ways.iter().for_each(|way| marked[*way as usize] = usize::MAX - 1 - id);
            let inside = |small: &(u32, Vec<u32>)| {
                small.0 == *state
                    && small.1.iter().all(|way| marked[*way as usize] == usize::MAX - 1 - id)
            };
            if !least.iter().rev().take_while(|one| one.0 == *state).any(inside) {
                least.push(met[id].clone());
            }
        }
        least.iter_mut().for_each(|(place, _)| *place = self.written(*place));
        Ok(Some(Ok(least)))
    }
}
