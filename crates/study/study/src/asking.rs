//! An automaton learnt by asking, where forms fail: the tables and the solver say which positions
//! are P, the prover where an automaton is wrong, until it is a theorem.
//!
//! Bases are tried from 2 to 10, and the digits of Zeckendorf. What automata read to two bases that
//! are no powers of one number is what formulas without digits say (Cobham 1969, Semenov 1977), so
//! most games have one base, and to another one the states grow with the table. Such a base is
//! given up.

use crate::board::Round;
use crate::settle::applies_to_misere;
use crate::tables::Tables;
use bouton_conjecture::{Automaton, Fit, Learnt, OutcomeTable, Reading, learn, learnt_form};
use bouton_core::clock::Instant;
use bouton_core::{Arrange, Deadline, Digits, HeapGame, Outcome, Play};
use bouton_engine::game::Session;
use bouton_engine::{Settings, game_graph::GameGraph};
use bouton_prover::{Counterexample, columns};
use bouton_theory::verdict::{Failure, Proved, Refuted, Theorem, Verdict};
use std::time::Duration;

/// The greatest base.
const GREATEST: usize = 10;
/// States at most.
const STATES: usize = 400;
/// Of the states that an automaton of half the table has, so large a part may come in the other
/// half, and so many besides.
const GROWTH: (usize, usize) = (4, 6);
/// Positions that the solver may expand for one that no table has.
const NODES: u64 = 1 << 18;
/// The part of the time that the first look at a base may take.
const TRIALS: u32 = 8;
/// The time that it may take at most for other bases than 2, and for digits of Zeckendorf where a
/// base will do.
const OTHER_BASES: Duration = Duration::from_millis(500);
/// Time for all bases, where no end is set.
const PATIENCE: Duration = Duration::from_secs(20);

/// Whether automata of this game can be proved at all: heaps keep their places, and so many digits
/// can be read together.
pub(crate) fn applies(stated: &HeapGame, play: Play) -> bool {
    (play == Play::Normal || applies_to_misere(stated, play))
        && !stated.shrinks
        && stated.moves.turned.is_none()
        && columns(2, read_together(stated, play)).is_some()
}

/// How many numbers a proof reads together: of a move, and in misère play of one with a heap more.
fn read_together(stated: &HeapGame, play: Play) -> usize {
    2 * (stated.heaps + usize::from(play == Play::Misere))
}

/// An automaton that the prover has accepted, with the theorem.
pub(crate) struct LearntTheorem {
    pub(crate) round: Round,
    pub(crate) theorem: Box<Theorem>,
}

/// Learns automata that agree with a table until `prove` accepts one, or the time is up; if there
/// is time set and left, from larger tables, too. A first look is at this table alone, and ends
/// then.
pub(crate) fn automaton(
    tables: &Tables<'_>,
    table: &OutcomeTable,
    look_end: Option<Deadline>,
    prove: &mut dyn FnMut(&Round, &Deadline) -> Option<Verdict>,
) -> Option<LearntTheorem> {
    if !applies(tables.stated, tables.play) || table.least() != 0 {
        return None;
    }
    let end = look_end.unwrap_or_else(|| Deadline::after(tables.time_or(PATIENCE)));
    let until = &tables.until(end);
    if look_end.is_some() {
        return of_table(until, table, Look::First, end, prove);
    }
    let mut found = of_table(until, table, Look::Usual, end, prove);
    if found.is_none() && tables.budget.deadline.is_some() {
        let half = Deadline::after(end.left() / 2);
        found = of_table(&tables.until(half), table, Look::Beyond, half, prove);
    }
    let mut most = table.most();
    while found.is_none() && !end.is_past() {
        most = tables.larger(table.heaps(), most)?;
        let made = until.make(table.heaps(), most).ok()?;
        found = of_table(until, &made.table, Look::Usual, end, prove);
    }
    found
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

/// The digits to try: those that are known alone, or else those that the rules ask for first.
fn readings(tables: &Tables<'_>) -> Vec<Reading> {
    let stated = tables.stated;
    let zeckendorf = Reading::zeckendorf(stated.heaps);
    let mut all: Vec<Reading> =
        (2..=GREATEST).map(|base| Reading::to_base(base, stated.heaps)).chain([zeckendorf]).collect();
    // What is proved is about all numbers of the game.
    let whole = tables.seen_without.map_or(stated, |whole| whole.stated);
    all.retain(|reading| columns(reading.base, read_together(whole, tables.play)).is_some());
    if let Some(known) = tables.digits {
        all.retain(|reading| (reading.base, reading.zeckendorf) == known);
    }
    if stated.digits == Digits::Zeckendorf {
        all.arrange_by_key(|reading| !reading.zeckendorf);
    }
    all
}

/// Learns automata that agree with one table.
fn of_table(
    tables: &Tables<'_>,
    table: &OutcomeTable,
    look: Look,
    end: Deadline,
    prove: &mut dyn FnMut(&Round, &Deadline) -> Option<Verdict>,
) -> Option<LearntTheorem> {
    let stated = tables.stated;
    let settings = Settings { play: tables.play, nim_value_nodes: 0, ..Settings::default() };
    let (session, graph) = (tables.game.session(settings), tables.game.graph());
    let mut teacher = Teacher { tables, table, session, graph, end, is_growing: look == Look::Beyond };
    let all = readings(tables);
    let preferred = all.first().copied();
    if look == Look::First
        && stated.digits == Digits::Zeckendorf
        && let Some(asked_for) = preferred
    {
        teacher.end = Deadline::after(end.left() / 4 * 3);
        if let Some(found) = teacher.teach(asked_for, prove) {
            return Some(found);
        }
    }
    // Digits in which an automaton agrees with the table, fewest transitions first.
    let mut agreeing: Vec<(usize, Reading)> = Vec::new();
    for reading in all.into_iter().filter(|_| look != Look::Beyond) {
        let base = reading.base;
        if end.is_past() {
            break;
        }
        let digits =
            if reading.zeckendorf { "with digits of Zeckendorf".into() } else { format!("to base {base}") };
        (tables.tell)(&format!("{}, an automaton {digits}", tables.game.name()));
        let share = if tables.digits.is_some() { end.left() / 2 } else { end.left() / TRIALS };
        let is_first = agreeing.is_empty() && (base == 2 || Some(reading) == preferred);
        let others = if look == Look::First { OTHER_BASES / 5 } else { OTHER_BASES };
        teacher.end = Deadline::after(if is_first { share } else { share.min(others) });
        let mut states = None;
        teacher.teach(reading, &mut |round, _| {
            states = round.automaton.as_ref().map(|automaton| automaton.next.len());
            None
        });
        agreeing.extend(states.map(|states| (states * base.pow(stated.heaps as u32), reading)));
    }
    agreeing.arrange_by_key(|(transitions, _)| *transitions);
    if agreeing.is_empty() && look != Look::First {
        // None in so little time.
        let others = [Reading::to_base(2, stated.heaps), Reading::zeckendorf(stated.heaps)];
        let is_open = |reading: &Reading| tables.digits.is_none() && Some(*reading) != preferred;
        let others = others.into_iter().filter(is_open);
        agreeing.extend(preferred.into_iter().chain(others).map(|reading| (0, reading)));
    }
    for (_, reading) in agreeing {
        if end.is_past() || tables.budget.interrupted().is_some() {
            return None;
        }
        teacher.end = Deadline::after(end.left() / 2);
        if let Some(found) = teacher.teach(reading, prove) {
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
    Proved(Box<LearntTheorem>),
}

struct Teacher<'t> {
    tables: &'t Tables<'t>,
    table: &'t OutcomeTable,
    session: Box<dyn Session + 't>,
    graph: Box<dyn GameGraph>,
    end: Deadline,
    /// Whether states may grow with the table.
    is_growing: bool,
}

impl Teacher<'_> {
    fn is_late(&self) -> bool {
        self.end.is_past() || self.tables.budget.interrupted().is_some()
    }

    /// Whether a position is P: from the table, or else by the solver. Positions that do not occur
    /// have no move, so they are P in normal play.
    fn is_p(&mut self, p: &[u64]) -> Result<bool, End> {
        if self.tables.stated.moves.domain.as_ref().is_some_and(|domain| !domain.contains(p)) {
            return Ok(self.tables.play == Play::Normal);
        }
        if p.iter().all(|heap| *heap <= self.table.most()) {
            let p: Vec<i64> = p.iter().map(|heap| *heap as i64).collect();
            return Ok(self.table.is_p(&p));
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

    /// Learns in digits of one kind.
    fn teach(
        &mut self,
        reading: Reading,
        prove: &mut dyn FnMut(&Round, &Deadline) -> Option<Verdict>,
    ) -> Option<LearntTheorem> {
        let begun = Instant::now();
        let most = self.table.most();
        let half = most / 2;
        // Beyond its bound a number is in no position that occurs: it is looked at a little
        // further.
        let domain = self.tables.stated.moves.domain.as_ref();
        let bound = |heap: usize| domain.and_then(|domain| domain.most[heap]).map(u64::from);
        let top = |heap: usize| bound(heap).map_or(most, |bound| most.min(2 * bound + 1));
        let tops: Vec<u64> = (0..self.table.heaps()).map(top).collect();
        // States of the least automaton that half of the table has.
        let mut early = None;
        let teacher = std::cell::RefCell::new(self);
        let learnt = learn(reading, STATES, &mut |p| teacher.borrow_mut().is_p(p), &mut |automaton| {
            let teacher = &mut *teacher.borrow_mut();
            if teacher.is_late() {
                return Err(End::GivenUp);
            }
            let states = automaton.next.len();
            let domain = teacher.tables.stated.moves.domain.as_ref();
            let occurs = |p: &[u64]| domain.is_none_or(|domain| domain.contains(p));
            let table = teacher.table;
            let play = teacher.tables.play;
            let is_p = |p: &[u64]| match occurs(p) {
                true => table.is_p(&p.iter().map(|heap| *heap as i64).collect::<Vec<_>>()),
                false => play == Play::Normal,
            };
            if let Some(wrong) = automaton.least_wrong(&tops, &is_p) {
                if early.is_none() && wrong.iter().any(|heap| *heap > half) {
                    early = Some(states);
                }
                let grown = !teacher.is_growing
                    && early.is_some_and(|early| states > early + early / GROWTH.0 + GROWTH.1);
                return if grown { Err(End::GivenUp) } else { Ok(Some(wrong)) };
            }
            let found = learnt_form(automaton.clone(), teacher.table);
            let seconds = [0.0, begun.elapsed().as_secs_f64()];
            let round = Round::new(teacher.table.heaps(), &found, seconds);
            match prove(&round, &teacher.end) {
                Some(Verdict::Proved(Proved::Theorem(theorem))) => {
                    // A theorem asks for no evidence.
                    let round = Round { fit: Fit::Whole, ..round };
                    Err(End::Proved(Box::new(LearntTheorem { round, theorem })))
                }
                Some(Verdict::Refuted(Refuted { counterexample: Failure::Position(found), .. })) => {
                    teacher.wrong(automaton, &found).map(Some)
                }
                _ => Err(End::GivenUp),
            }
        });
        match learnt {
            Err(End::Proved(found)) => Some(*found),
            Err(End::GivenUp) | Ok(Learnt::TooManyStates | Learnt::TooLarge | Learnt::Automaton(_)) => None,
        }
    }

    /// The position of a counterexample on which the automaton is wrong: the position itself, the
    /// claimed option, or an option that should be claimed.
    fn wrong(&mut self, automaton: &Automaton, found: &Counterexample) -> Result<Vec<u64>, End> {
        let accepts = |p: &[u64]| automaton.accepts(&p.iter().map(|x| *x as i64).collect::<Vec<_>>());
        let mut all = vec![found.position.clone()];
        all.extend(found.option.iter().map(|(_, option)| option.clone()));
        for p in all {
            if self.is_p(&p)? != accepts(&p) {
                return Ok(p);
            }
        }
        let node = self.graph.position(&found.position).ok_or(End::GivenUp)?;
        for option in self.graph.options(node).to_vec() {
            let option = self.graph.sizes(option).ok_or(End::GivenUp)?;
            if !accepts(&option) && self.is_p(&option)? {
                return Ok(option);
            }
        }
        Err(End::GivenUp)
    }
}
