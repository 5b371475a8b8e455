//! An automaton learned by asking, where forms fail: the tables and the solver say which positions
//! are P, the prover where an automaton is wrong, until it is a theorem.
//!
//! Bases are tried from 2 to 10, and the digits of Zeckendorf; first those that the moves divide
//! by, and those to which the table has few futures, and digits by a recurrence where the table
//! suggests them; of one heap and of three, those of Tribonacci last. What automata read to two
//! bases that are no powers of one number is what formulas without digits say (Cobham 1969, Semenov
//! 1977), so most games have one base, and to another one the states grow with the table. Such a
//! base is given up.

use crate::board::Round;
use crate::nim_heap::NimHeap;
use crate::settle::applies_to_misere;
use crate::suggested::{self, Continued, continued};
use crate::tables::Tables;
use bouton_conjecture::{
    Automaton, Fit, Learned, OutcomeTable, Reading, few_futures, learn, learned_form,
};
use bouton_core::clock::Instant;
use bouton_core::{Arrange, Deadline, DigitSystem, Digits, HeapGame, Meter, Outcome, Play, Term};
use bouton_engine::game::Session;
use bouton_engine::{Settings, game_graph::GameGraph};
use bouton_prover::{Counterexample, columns};
use bouton_theory::verdict::{Failure, Proved, Refuted, Theorem, Verdict};
use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::time::Duration;

/// The greatest base.
const MAX_BASE: usize = 10;
/// Most digits that a table suggests.
const SUGGESTED: usize = 2;
/// States at most.
const STATES: usize = 400;
/// Of the states that an automaton of half the table has, so large a part may come in the other
/// half, and so many besides.
const GROWTH: (usize, usize) = (4, 6);
/// Positions that the solver may expand for one that no table has.
const NODES: u64 = 1 << 18;
/// Positions of a wide table at a first look, and later.
const WIDE: [u64; 2] = [1 << 18, 1 << 21];
/// The same where pairs suggest the digits, of which few make large numbers: the most, and fewer if
/// there is no time for these.
const OF_PAIRS: [u64; 3] = [1 << 22, 1 << 20, 1 << 18];
const MAX_PAIRED_NUMBERS: u32 = 1 << 12;
/// The greatest heap of a table.
const MAX_TABLE_HEAP: u64 = u16::MAX as u64;
/// Sizes of one heap at a first look, and later.
const SINGLE_HEAP_SIZES: [u32; 2] = [1 << 18, 1 << 21];
/// The greatest number of positions in a box of which the futures of prefixes are counted, and how
/// often the clock is looked at in between.
const MAX_BOX: u64 = 1 << 26;
const BLOCK: u64 = 1 << 16;
/// The part of the time that the wide table may take.
const WIDE_TIME: u32 = 8;
/// The part of the time that is left in which P-positions beside a heap of Nim are listed.
const LISTING_TIME: u32 = 4;
/// So often the solver is asked before the table is made.
const SEARCHES: u32 = 50;
/// The part of the time that the first look at a base may take.
const TRIALS: u32 = 8;
/// The time that it may take at most for other bases than 2, and for digits of Zeckendorf where a
/// base will do.
const OTHER_BASES: Duration = Duration::from_millis(500);
/// Time for all bases, where no end is set.
const LEARNING_TIME: Duration = Duration::from_secs(20);

/// Returns whether automata of this game can be proved at all: heaps keep their places, and so many
/// digits can be read together.
pub(crate) fn applies(stated: &HeapGame, play: Play) -> bool {
    (play == Play::Normal || applies_to_misere(stated, play))
        && !stated.shrinks
        && stated.moves.permutation.is_none()
        && columns(2, read_together(stated, play)).is_some()
}

/// Returns how many numbers a proof reads together: of a move, and in misère play of one with a
/// heap more.
fn read_together(stated: &HeapGame, play: Play) -> usize {
    2 * (stated.heaps + usize::from(play == Play::Misere))
}

/// An automaton that the prover has accepted, with the theorem.
pub(crate) struct LearnedTheorem {
    pub(crate) round: Round,
    pub(crate) theorem: Box<Theorem>,
}

impl LearnedTheorem {
    /// Returns an automaton with its theorem, which asks for no evidence.
    fn new(round: Round, theorem: Box<Theorem>) -> LearnedTheorem {
        LearnedTheorem { round: Round { fit: Fit::Whole, ..round }, theorem }
    }
}

/// An automaton in digits that pairs suggest, of which the prover did not decide in its time.
struct Undecided {
    reading: Reading,
    round: Round,
    /// The time that the prover had.
    time: Duration,
}

/// The heap of Nim among the numbers of a game, if there is one.
type KeptNimHeap = OnceCell<Option<RefCell<NimHeap>>>;

/// What a first look at automata leaves for later ones.
#[derive(Default)]
pub(crate) struct Kept {
    undecided: Vec<Undecided>,
    nim_heap: KeptNimHeap,
}

/// Learns automata that agree with a table until `prove` accepts one, or the time is up; if there
/// is time set and left, from larger tables, too. A first look is at this table alone, and ends
/// then; what it leaves undecided a later one takes up.
pub(crate) fn automaton(
    tables: &Tables<'_>,
    table: &OutcomeTable,
    look_end: Option<Deadline>,
    kept: &mut Kept,
    prove: &mut dyn FnMut(&Round, &Deadline) -> Option<Verdict>,
) -> Option<LearnedTheorem> {
    let Kept { undecided, nim_heap } = kept;
    let nim_heap = &*nim_heap;
    if !applies(tables.stated, tables.play) || table.least() != 0 {
        return None;
    }
    let end = look_end.unwrap_or_else(|| Deadline::after(tables.time_or(LEARNING_TIME)));
    let until = &tables.with_deadline(end);
    let is_first = look_end.is_some();
    let wide = &Wide::new(tables, table, WIDE[usize::from(!is_first)], nim_heap, end);
    let mut found = as_suggested(tables, (table, nim_heap), end, undecided, prove);
    if is_first {
        // Digits that are asked for need no long table.
        return found
            .or_else(|| as_asked_for(until, (table, wide), end, prove))
            .or_else(|| in_few(until, (table, wide), is_first, end, prove))
            .or_else(|| of_table(until, (table, wide), Look::First, end, prove));
    }
    if found.is_none() {
        found = in_few(until, (table, wide), is_first, end, prove);
    }
    if found.is_none() {
        found = of_table(until, (table, wide), Look::Usual, end, prove);
    }
    if found.is_none() {
        found = in_tribonacci(until, (table, wide), end, prove);
    }
    if found.is_none() && tables.budget.deadline.is_some() {
        let half = Deadline::after(end.left() / 2);
        found = of_table(&tables.with_deadline(half), (table, wide), Look::Beyond, half, prove);
    }
    let mut most = table.most();
    while found.is_none() && !end.is_past() {
        most = tables.larger(table.heaps(), most)?;
        let made = until.make(table.heaps(), most).ok()?;
        found = of_table(until, (&made.table, wide), Look::Usual, end, prove);
    }
    found
}

/// Learns automata in bases in which few prefixes of the positions of a table have different
/// futures: of one heap, of many more sizes than a table has.
fn in_few(
    tables: &Tables<'_>,
    (table, wide): (&OutcomeTable, &Wide<'_>),
    is_first: bool,
    end: Deadline,
    prove: &mut dyn FnMut(&Round, &Deadline) -> Option<Verdict>,
) -> Option<LearnedTheorem> {
    let heaps = tables.stated.heaps;
    let is_long = heaps == 1 && tables.stated.moves.domain.is_none() && tables.max.is_none();
    let part = Deadline::after(end.left() / WIDE_TIME);
    let sizes = match is_long {
        true => {
            tables.with_deadline(part).sizes(SINGLE_HEAP_SIZES[usize::from(!is_first)] - 1).ok()?
        }
        false => Vec::new(),
    };
    let mut teacher = Teacher { sizes: &sizes, ..Teacher::new(tables, table, wide, Look::Beyond) };
    let in_box = if is_long { Vec::new() } else { teacher.in_box(end)? };
    let (side, outcomes) = match is_long {
        true => (sizes.len(), &sizes),
        false => (table.most() as usize + 1, &in_box),
    };
    let divisors = divisors(tables.stated);
    // What the rules divide by, and what few prefixes speak for: fewest transitions first.
    let mut bases: Vec<((bool, usize), Reading)> = Vec::new();
    for reading in readings(tables).into_iter().filter(|reading| reading.digits.is_to_base()) {
        let mut meter = Meter::new(&tables.budget.within(end.left()));
        let base = reading.digits.base();
        let few = few_futures([base, heaps], side, outcomes, &mut meter).ok()?;
        let is_divisor = divisors.contains(&base);
        if few.is_some() || is_divisor {
            let transitions = few.unwrap_or(STATES) * base.pow(heaps as u32);
            bases.push(((!is_divisor, transitions), reading));
        }
    }
    bases.arrange_by_key(|(rank, _)| *rank);
    bases.into_iter().find_map(|(_, reading)| {
        (tables.tell)(&format!(
            "{}, an automaton to base {}",
            tables.game.name(),
            reading.digits.base()
        ));
        teacher.end = Deadline::after(end.left() / 2);
        teacher.teach(reading, !is_long, prove)
    })
}

/// Returns what the moves divide heaps by: if any base has an automaton, mostly one of these.
fn divisors(stated: &HeapGame) -> Vec<usize> {
    let mut found = Vec::new();
    if let Some(condition) = &stated.moves.condition {
        condition.root.visit_terms(&mut |term| {
            if let Term::Quotient(_, by) = term {
                found.push(*by as usize);
            }
        });
    }
    found
}

/// A table of many more positions, made when it is wanted: what is asked of long numbers would take
/// the solver a search each.
struct Wide<'t> {
    tables: &'t Tables<'t>,
    /// The greatest heap.
    most: u64,
    end: Deadline,
    /// How often it was wanted.
    wanted: Cell<u32>,
    made: OnceCell<Option<OutcomeTable>>,
    nim_heap: &'t KeptNimHeap,
}

impl<'t> Wide<'t> {
    /// A table of so many positions, if that is more than `table` has.
    fn new(
        tables: &'t Tables<'t>,
        table: &OutcomeTable,
        positions: u64,
        nim_heap: &'t KeptNimHeap,
        end: Deadline,
    ) -> Wide<'t> {
        let most = (positions as f64).powf(1.0 / table.heaps() as f64) as u64 - 1;
        let most = most.min(MAX_TABLE_HEAP);
        let is_none = tables.max.is_some() || most <= table.most();
        let made = if is_none { OnceCell::from(None) } else { OnceCell::new() };
        let wanted = Cell::new(0);
        Wide { tables, most, end, wanted, made, nim_heap }
    }

    /// The table; `None` where it is not made in a part of the time.
    fn table(&self) -> Option<&OutcomeTable> {
        let make = || {
            let until = self.tables.with_deadline(Deadline::after(self.end.left() / WIDE_TIME));
            until.make(self.tables.stated.heaps, self.most).ok().map(|made| made.table)
        };
        self.made.get_or_init(make).as_ref()
    }

    /// Returns the heap of Nim among the numbers, if there is one; `table` shows it.
    fn nim_heap(&self, table: &OutcomeTable) -> Option<RefMut<'_, NimHeap>> {
        let tables = self.tables;
        let make = || {
            let tokens = tables.stated.heaps - tables.stated.moves.memory.count;
            let is_asked = tables.play == Play::Normal && tables.seen_without.is_none();
            let found = is_asked.then(|| NimHeap::new(tables.game, tokens, table)).flatten();
            found.map(RefCell::new)
        };
        Some(self.nim_heap.get_or_init(make).as_ref()?.borrow_mut())
    }

    /// The table for one position, after some that the solver was asked for.
    fn for_one(&self, p: &[u64]) -> Option<&OutcomeTable> {
        if p.iter().any(|heap| *heap > self.most) {
            return None;
        }
        self.wanted.set(self.wanted.get() + 1);
        if self.wanted.get() > SEARCHES { self.table() } else { self.made.get()?.as_ref() }
    }
}

/// Returns whether a position of a table is P.
fn is_p(table: &OutcomeTable, p: &[u64]) -> bool {
    table.is_p(&p.iter().map(|heap| *heap as i64).collect::<Vec<_>>())
}

/// How long and how far it is looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Shortly.
    First,
    /// At what the table shows.
    Usual,
    /// At what the table does not show, as it is too small: the prover's counterexamples lie beyond
    /// it.
    Beyond,
}

/// Returns the digits to try: those that are known alone, or else those that the rules ask for
/// first.
pub(crate) fn readings(tables: &Tables<'_>) -> Vec<Reading> {
    let stated = tables.stated;
    let zeckendorf = DigitSystem::zeckendorf(2);
    let systems = match tables.digits {
        Some(known) => vec![known],
        None => (2..=MAX_BASE).map(DigitSystem::to_base).chain([zeckendorf]).collect(),
    };
    let reading = |digits| Reading { digits, heaps: stated.heaps };
    let mut all: Vec<Reading> = systems.into_iter().map(reading).collect();
    all.retain(|reading| is_read(tables, *reading));
    if stated.digits == Digits::Zeckendorf {
        all.arrange_by_key(|reading| reading.digits != zeckendorf);
    }
    all
}

/// Returns whether a proof reads all numbers of the game in these digits together.
fn is_read(tables: &Tables<'_>, reading: Reading) -> bool {
    let whole = tables.seen_without.map_or(tables.stated, |whole| whole.stated);
    columns(reading.digits.base(), read_together(whole, tables.play)).is_some()
}

/// Learns automata in digits by recurrences that the pairs of a table suggest. One that was left
/// undecided is put to the prover again if there is more time than it had.
fn as_suggested(
    tables: &Tables<'_>,
    (table, nim_heap): (&OutcomeTable, &KeptNimHeap),
    end: Deadline,
    undecided: &mut Vec<Undecided>,
    prove: &mut dyn FnMut(&Round, &Deadline) -> Option<Verdict>,
) -> Option<LearnedTheorem> {
    if tables.digits.is_some() {
        return None;
    }
    let is_remembering = tables.stated.moves.memory.count == 1 && tables.stated.heaps == 2;
    let mut suggested: Vec<Reading> = suggested::digits(table, is_remembering)
        .into_iter()
        .map(|digits| Reading { digits, heaps: tables.stated.heaps })
        .filter(|reading| is_read(tables, *reading))
        .take(SUGGESTED)
        .collect();
    for Undecided { reading, round, time } in &*undecided {
        if !suggested.contains(reading) {
            continue;
        }
        let part = Deadline::after(end.left() / 2);
        let verdict = if part.left() > *time { prove(round, &part) } else { None };
        match verdict {
            Some(Verdict::Proved(Proved::Theorem(theorem))) => {
                return Some(LearnedTheorem::new(round.clone(), theorem));
            }
            Some(Verdict::Refuted(_)) => {}
            _ => suggested.retain(|other| other != reading),
        }
    }
    if suggested.is_empty() {
        return None;
    }
    let continued = continued(table);
    let is_open = continued.pairs.is_empty();
    // Those of Zeckendorf come without a ratio, too, and need no table as wide.
    suggested.retain(|reading| !is_open || reading.digits != DigitSystem::zeckendorf(2));
    // Else the solver would be asked too often: the widest table for which there is time.
    let wide = OF_PAIRS.map(|positions| Wide::new(tables, table, positions, nim_heap, end));
    let is_made = |wide: &&Wide<'_>| is_open && wide.table().is_some();
    let wide = wide.iter().find(is_made).unwrap_or(&wide[0]);
    // Pairs that go on as they begin speak for an automaton, whose proof is worth waiting for.
    let end = if is_open { end } else { Deadline::after(tables.time_or(LEARNING_TIME)) };
    let until = &tables.with_deadline(end);
    suggested.into_iter().find_map(|reading| {
        (tables.tell)(&format!("{}, an automaton, {}", tables.game.name(), reading.digits));
        let part = Deadline::after(end.left() / 2);
        // What goes on is known far beyond the table.
        let look = if is_open { Look::Usual } else { Look::Beyond };
        let teacher = Teacher::new(until, table, wide, look);
        let mut teacher = Teacher { end: part, continued: Some(&continued), ..teacher };
        teacher.teach(reading, is_open, &mut |round, end| {
            let time = end.left();
            let verdict = prove(round, end);
            if !matches!(verdict, Some(Verdict::Proved(_) | Verdict::Refuted(_))) {
                undecided.push(Undecided { reading, round: round.clone(), time });
            }
            verdict
        })
    })
}

/// Learns an automaton in the digits of Tribonacci, of one heap or of three.
fn in_tribonacci(
    tables: &Tables<'_>,
    (table, wide): (&OutcomeTable, &Wide<'_>),
    end: Deadline,
    prove: &mut dyn FnMut(&Round, &Deadline) -> Option<Verdict>,
) -> Option<LearnedTheorem> {
    let reading = Reading {
        digits: DigitSystem::from_coefficients(&[1, 1, 1], &[])?,
        heaps: tables.stated.heaps,
    };
    if ![1, 3].contains(&reading.heaps) || tables.digits.is_some() || !is_read(tables, reading) {
        return None;
    }
    (tables.tell)(&format!("{}, an automaton, {}", tables.game.name(), reading.digits));
    let part = Deadline::after(end.left() / TRIALS);
    Teacher { end: part, ..Teacher::new(tables, table, wide, Look::Usual) }
        .teach(reading, true, prove)
}

/// Learns an automaton in the digits that the rules ask for, if these are not the usual ones, at a
/// first look.
fn as_asked_for(
    tables: &Tables<'_>,
    (table, wide): (&OutcomeTable, &Wide<'_>),
    end: Deadline,
    prove: &mut dyn FnMut(&Round, &Deadline) -> Option<Verdict>,
) -> Option<LearnedTheorem> {
    if tables.stated.digits != Digits::Zeckendorf {
        return None;
    }
    let asked_for = *readings(tables).first()?;
    let part = Deadline::after(end.left() / 4 * 3);
    Teacher { end: part, ..Teacher::new(tables, table, wide, Look::First) }
        .teach(asked_for, true, prove)
}

/// Learns automata that agree with one table; a wide one is asked before the solver.
fn of_table(
    tables: &Tables<'_>,
    (table, wide): (&OutcomeTable, &Wide<'_>),
    look: Look,
    end: Deadline,
    prove: &mut dyn FnMut(&Round, &Deadline) -> Option<Verdict>,
) -> Option<LearnedTheorem> {
    let stated = tables.stated;
    // A wide table of one heap is soon compared, and digits to other bases soon fail there.
    let is_one_heap = stated.heaps == 1 && look != Look::First;
    let mut teacher = Teacher::new(tables, table, wide, look);
    let all = readings(tables);
    let preferred = all.first().copied();
    // Digits in which an automaton agrees with the table, fewest transitions first.
    let mut agreeing: Vec<(usize, Reading)> = Vec::new();
    for reading in all.into_iter().filter(|_| look != Look::Beyond) {
        let base = reading.digits.base();
        if end.is_past() {
            break;
        }
        (tables.tell)(&format!("{}, an automaton, {}", tables.game.name(), reading.digits));
        let share = if tables.digits.is_some() { end.left() / 2 } else { end.left() / TRIALS };
        let is_first = agreeing.is_empty() && (base == 2 || Some(reading) == preferred);
        let others = if look == Look::First { OTHER_BASES / 5 } else { OTHER_BASES };
        teacher.end = Deadline::after(if is_first { share } else { share.min(others) });
        let mut states = None;
        teacher.teach(reading, is_one_heap, &mut |round, _| {
            states = round.automaton.as_ref().map(|automaton| automaton.next.len());
            None
        });
        agreeing.extend(states.map(|states| (states * base.pow(stated.heaps as u32), reading)));
    }
    agreeing.arrange_by_key(|(transitions, _)| *transitions);
    if agreeing.is_empty() && look != Look::First {
        // None in so little time.
        let others = [DigitSystem::to_base(2), DigitSystem::zeckendorf(2)]
            .map(|digits| Reading { digits, heaps: stated.heaps });
        let is_open = |reading: &Reading| tables.digits.is_none() && Some(*reading) != preferred;
        let others = others.into_iter().filter(is_open);
        agreeing.extend(preferred.into_iter().chain(others).map(|reading| (0, reading)));
    }
    for (_, reading) in agreeing {
        if end.is_past() || tables.budget.interrupted().is_some() {
            return None;
        }
        teacher.end = Deadline::after(end.left() / 2);
        if let Some(found) = teacher.teach(reading, true, prove) {
            return Some(found);
        }
    }
    None
}

/// Why learning ends without a theorem.
enum End {
    /// The time is up, or the states grow with the table.
    GivenUp,
    /// An automaton is proved.
    Proved(Box<LearnedTheorem>),
}

struct Teacher<'t> {
    tables: &'t Tables<'t>,
    table: &'t OutcomeTable,
    /// What knows more positions.
    wide: &'t Wide<'t>,
    /// Whether the first sizes are P, of one heap, if they are known.
    sizes: &'t [bool],
    /// Pairs that are continued as they seem to be.
    continued: Option<&'t Continued>,
    session: Box<dyn Session + 't>,
    graph: Box<dyn GameGraph>,
    end: Deadline,
    /// States may grow with the table at what it does not show.
    look: Look,
}

impl<'t> Teacher<'t> {
    /// A teacher who has all of the time.
    fn new(
        tables: &'t Tables<'t>,
        table: &'t OutcomeTable,
        wide: &'t Wide<'t>,
        look: Look,
    ) -> Teacher<'t> {
        let settings = Settings { play: tables.play, nim_value_nodes: 0, ..Settings::default() };
        let (session, graph) = (tables.game.session(settings), tables.game.graph());
        Teacher {
            tables,
            table,
            wide,
            sizes: &[],
            continued: None,
            session,
            graph,
            end: tables.patience,
            look,
        }
    }

    fn is_late(&self) -> bool {
        self.end.is_past() || self.tables.budget.interrupted().is_some()
    }

    /// Returns of a position that does not occur whether it is P: it has no move, so it is in
    /// normal play. `None` of others.
    fn dead(&self, p: &[u64]) -> Option<bool> {
        let domain = self.tables.stated.moves.domain.as_ref();
        domain.is_some_and(|domain| !domain.contains(p)).then_some(self.tables.play == Play::Normal)
    }

    /// Returns of each position of the table whether it is P, the first heap running first; `None`
    /// if they are too many, or that takes too long.
    fn in_box(&self, end: Deadline) -> Option<Vec<bool>> {
        let (side, mut p) = (self.table.most() + 1, vec![0; self.table.heaps()]);
        let positions = side.checked_pow(p.len() as u32).filter(|all| *all <= MAX_BOX)?;
        let mut outcomes = Vec::with_capacity(positions as usize);
        for position in 0..positions {
            if position % BLOCK == 0 && end.is_past() {
                return None;
            }
            let mut rest = position;
            for heap in &mut p {
                *heap = rest % side;
                rest /= side;
            }
            outcomes.push(self.dead(&p).unwrap_or_else(|| is_p(self.table, &p)));
        }
        Some(outcomes)
    }

    /// Returns whether a position is beyond the table.
    fn is_beyond(&self, p: &[u64]) -> bool {
        p.iter().any(|heap| *heap > self.table.most())
    }

    /// Returns whether a position is P: from the table, or else by the solver.
    fn is_p(&mut self, p: &[u64]) -> Result<bool, End> {
        if let Some(is_p) = self.dead(p) {
            return Ok(is_p);
        }
        let known = (!self.is_beyond(p)).then_some(self.table);
        if known.is_none()
            && let &[a, b] = p
            && let Some(is_pair) = self.continued.and_then(|continued| continued.is_pair(a, b))
        {
            return Ok(is_pair);
        }
        if let Some(table) = known {
            return Ok(is_p(table, p));
        }
        let beside_nim = self.wide.nim_heap(self.table);
        if let Some(is_p) = beside_nim.and_then(|mut heap| heap.is_p(p, &|| self.is_late())) {
            return Ok(is_p);
        }
        if let Some(table) = self.wide.for_one(p) {
            return Ok(is_p(table, p));
        }
        if let &[size] = p
            && let Some(is_p) = self.sizes.get(size as usize)
        {
            return Ok(*is_p);
        }
        if self.is_late() {
            return Err(End::GivenUp);
        }
        let mut budget = self.tables.budget.within(self.end.left());
        if let Some(is_p) = self.tables.seen_without.and_then(|whole| whole.is_p(p)) {
            return Ok(is_p);
        }
        budget.nodes = Some(budget.nodes.map_or(NODES, |nodes| nodes.min(NODES)));
        self.session.set_budget(budget);
        match self.session.evaluate_sizes(p) {
            Some(Ok(evaluation)) => evaluation.outcome.map(Outcome::is_p).ok_or(End::GivenUp),
            _ => Err(End::GivenUp),
        }
    }

    /// Learns in digits of one kind. What agrees with the table is held against the wide one, if
    /// that is wished and it is there, before the prover is asked.
    fn teach(
        &mut self,
        reading: Reading,
        is_compared: bool,
        prove: &mut dyn FnMut(&Round, &Deadline) -> Option<Verdict>,
    ) -> Option<LearnedTheorem> {
        let (begun, look) = (Instant::now(), self.look);
        let most = self.table.most();
        // Beyond its bound a number is in no position that occurs: it is looked at a little
        // further.
        let domain = self.tables.stated.moves.domain.as_ref();
        let bound = |heap: usize| domain.and_then(|domain| domain.most[heap]).map(u64::from);
        let top =
            |heap: usize, most: u64| bound(heap).map_or(most, |bound| most.min(2 * bound + 1));
        let heaps = self.table.heaps();
        let tops_of = |most: u64| -> Vec<u64> { (0..heaps).map(|heap| top(heap, most)).collect() };
        let wide = match self.look {
            _ if !is_compared => None,
            Look::First => self.wide.made.get().and_then(Option::as_ref),
            Look::Usual | Look::Beyond => self.wide.table(),
        };
        let half = wide.map_or(most, OutcomeTable::most) / 2;
        // States of the least automaton that half of what it is held against has.
        let mut early = None;
        let teacher = RefCell::new(self);
        let learned =
            learn(reading, STATES, &mut |p| teacher.borrow_mut().is_p(p), &mut |automaton| {
                let teacher = &mut *teacher.borrow_mut();
                if teacher.is_late() {
                    return Err(End::GivenUp);
                }
                let states = automaton.next.len();
                let table = teacher.table;
                let wrong_in = |table: &OutcomeTable| {
                    let known = |p: &[u64]| teacher.dead(p).unwrap_or_else(|| is_p(table, p));
                    automaton.least_wrong(&tops_of(table.most()), &known)
                };
                let wrong_size = || Some(vec![automaton.first_wrong_number(teacher.sizes)?]);
                let wrong_pair = || {
                    let continued = teacher.continued.filter(|known| !known.pairs.is_empty())?;
                    let part = Deadline::after(teacher.end.left() / LISTING_TIME);
                    let is_unknown = |p: &[u64]| teacher.is_beyond(p) && teacher.dead(p).is_none();
                    let near =
                        continued.pairs.iter().take_while(|pair| pair[0] < MAX_PAIRED_NUMBERS);
                    let mut both = near.flat_map(|[a, b]| [[*a, *b], [*b, *a]]);
                    let is_missed = |p: &[u32; 2]| {
                        let p = p.map(u64::from);
                        is_unknown(&p) && !automaton.accepts(&p.map(|x| x as i64))
                    };
                    let missed = both.find(is_missed).map(|p| p.map(u64::from).to_vec());
                    let tops = [u64::from(MAX_PAIRED_NUMBERS); 2];
                    missed.or_else(|| {
                        automaton.find_accepted(&tops, &|| part.is_past(), &mut |p| {
                            is_unknown(p) && continued.is_pair(p[0], p[1]) == Some(false)
                        })
                    })
                };
                let wrong = wrong_in(table).or_else(|| wide.and_then(wrong_in)).or_else(wrong_size);
                let wrong_beside_nim = || {
                    let mut heap = teacher.wide.nim_heap(table)?;
                    let occurs = |p: &[u64]| teacher.dead(p).is_none();
                    let part = Deadline::after(teacher.end.left() / LISTING_TIME);
                    // Of others the table or the pairs speak.
                    let is_asked = |p: &[u64]| {
                        let known = teacher.continued.filter(|_| p.len() == 2);
                        teacher.is_beyond(p)
                            && known.is_none_or(|known| known.is_pair(p[0], p[1]).is_none())
                    };
                    heap.find(&occurs, &|| part.is_past(), &|p| {
                        let numbers: Vec<i64> = p.iter().map(|x| *x as i64).collect();
                        is_asked(p) && !automaton.accepts(&numbers)
                    })
                };
                let wrong = wrong.or_else(wrong_pair).or_else(wrong_beside_nim);
                if let Some(wrong) = wrong {
                    if early.is_none() && wrong.iter().any(|heap| *heap > half) {
                        early = Some(states);
                    }
                    let grown = look != Look::Beyond
                        && teacher.wide.nim_heap(table).is_none()
                        && early.is_some_and(|early| states > early + early / GROWTH.0 + GROWTH.1);
                    return if grown { Err(End::GivenUp) } else { Ok(Some(wrong)) };
                }
                let found = learned_form(automaton.clone(), teacher.table);
                let seconds = [0.0, begun.elapsed().as_secs_f64()];
                let round = Round::new(teacher.table.heaps(), &found, seconds);
                match prove(&round, &teacher.end) {
                    Some(Verdict::Proved(Proved::Theorem(theorem))) => {
                        Err(End::Proved(Box::new(LearnedTheorem::new(round, theorem))))
                    }
                    Some(Verdict::Refuted(Refuted {
                        counterexample: Failure::Position(found),
                        ..
                    })) => teacher.wrong(automaton, &found).map(Some),
                    _ => Err(End::GivenUp),
                }
            });
        match learned {
            Err(End::Proved(found)) => Some(*found),
            Err(End::GivenUp)
            | Ok(Learned::TooManyStates | Learned::TooLarge | Learned::Automaton(_)) => None,
        }
    }

    /// Returns the position of a counterexample on which the automaton is wrong: the position
    /// itself, the claimed option, or an option that should be claimed.
    fn wrong(&mut self, automaton: &Automaton, found: &Counterexample) -> Result<Vec<u64>, End> {
        let accepts =
            |p: &[u64]| automaton.accepts(&p.iter().map(|x| *x as i64).collect::<Vec<_>>());
        let mut all = vec![found.position.clone()];
        all.extend(found.option.iter().map(|(_, option)| option.clone()));
        for p in all {
            if self.is_p(&p)? != accepts(&p) {
                return Ok(p);
            }
        }
        let node = self.graph.position(&found.position).ok_or(End::GivenUp)?;
        for option in self.graph.options(node).map_err(|_| End::GivenUp)?.to_vec() {
            let option = self.graph.sizes(option).ok_or(End::GivenUp)?;
            if !accepts(&option) && self.is_p(&option)? {
                return Ok(option);
            }
        }
        Err(End::GivenUp)
    }
}
