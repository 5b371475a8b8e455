//! Tables for conjectures: by the row sweep where the moves are windows and nothing more, else from
//! the options alone.

use crate::dependent_number::FullGame;
use crate::move_system::{StatedError, stated_in};
use crate::stage::Stage;
use crate::{box_learning, query_learning, retrograde};
use bouton_conjecture::{Images, OutcomeTable, TableBuilder};
use bouton_core::clock::Instant;
use bouton_core::{
    Budget, Claim, Deadline, DigitSystem, Domain, Formula, HeapGame, LimitReached, Meter, Play,
};
use bouton_engine::{Game, Settings};
use bouton_heaps::heap_tables::{HeapSweep, Limits, OutcomeBox, Residuals, SubtractionVectors};
use bouton_prover::{Acceptor, MoveSystem, Numeration};
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::Duration;

/// Positions of the boxes to try, as powers of two: swept, and made from options.
const SWEPT: [f64; 4] = [20.0, 24.0, 26.0, 28.0];
const PLAIN: [f64; 4] = [11.0, 13.0, 15.0, 18.0];
/// Positions of the greatest box of all, likewise.
const BEYOND: f64 = 24.0;
/// Greatest heaps, however few heaps there are.
const MAX_HEAPS_BY_COUNT: [u64; 4] = [60, 120, 250, 400];

/// The greatest heap of all.
const MAX_ALONE: u64 = 16_000;
/// Positions of a table of what an automaton accepts, as a power of two.
const ACCEPTED: f64 = 20.0;
/// Cells of a table at most, where not all positions occur.
const MAX_LARGE_CELLS: u64 = 1 << 30;

/// Most numbers of positions of which an automaton is looked for early; what part of the time
/// tables and forms before that may take, and what part the look.
const EARLY: usize = 5;
const EARLY_PARTS: u32 = 6;
const LOOK_PARTS: u32 = 4;

/// No larger table is begun after so long.
const TABLE_START_TIME: Duration = Duration::from_secs(20);
/// Steps of the prover for one form.
const STEPS: u64 = 1 << 30;

/// What makes tables of one game, and what all of it may cost.
pub struct Tables<'g> {
    /// The game.
    pub game: &'g dyn Game,
    /// The game that theorems speak of: the same, or one with positions that do not occur besides,
    /// from which there is no move.
    pub whole: &'g dyn Game,
    /// The game's moves as formulas.
    pub stated: &'g HeapGame,
    /// Whoever loses whoever cannot move, or wins.
    pub play: Play,
    /// What all of it may cost: each table these nodes and bytes, all together this time.
    pub budget: Budget,
    /// No larger table and no other form is tried after this, so that time for a proof is left.
    pub patience: Deadline,
    /// No heap above this one, if given.
    pub max: Option<u32>,
    /// What the prover may spend on one form.
    pub proof: Budget,
    /// Only the usual tables are made, none is begun after this, and forms are sought no longer, if
    /// given.
    pub usual_until: Option<Deadline>,
    /// The digits in which automata are learned, if an automaton of a part of the game shows which.
    pub digits: Option<DigitSystem>,
    /// The game with a number more that this one leaves out, as the others determine it, if it is
    /// seen so.
    pub(crate) seen_without: Option<FullGame<'g>>,
    /// Hears what is being done.
    pub tell: &'g dyn Fn(&str),
    /// Hears each stage as it is reached.
    pub reached: &'g dyn Fn(Stage<'_>),
}

impl<'g> Tables<'g> {
    /// Gives twenty seconds to tables and forms and some minutes to the proof. If the budget has a
    /// deadline, tables and forms get all of the time but a quarter; half of it if an automaton may
    /// have to be learned by asking, and half of it but twenty seconds at most if from whole boxes.
    pub fn new(
        game: &'g dyn Game,
        stated: &'g HeapGame,
        play: Play,
        budget: &Budget,
        tell: &'g dyn Fn(&str),
    ) -> Tables<'g> {
        let patience = budget.deadline.map_or(TABLE_START_TIME, |deadline| {
            if box_learning::applies(stated, play) {
                (deadline.left() / 2).min(TABLE_START_TIME)
            } else if query_learning::applies(stated, play) {
                deadline.left() / 2
            } else {
                most_of(&deadline)
            }
        });
        let Budget { deadline, watch, .. } = budget.clone();
        let proof =
            Budget { nodes: Some(STEPS), deadline, watch, ..bouton_prover::default_budget() };
        let (budget, patience) = (budget.clone(), Deadline::after(patience));
        Tables {
            game,
            whole: game,
            stated,
            play,
            budget,
            patience,
            max: None,
            proof,
            usual_until: None,
            digits: None,
            seen_without: None,
            tell,
            reached: &|_| (),
        }
    }

    /// Tells that a proof is sought, and of what.
    pub(crate) fn report_proof(&self, what: &str) {
        (self.tell)(&format!("{}, {what}", self.game.name()));
        (self.reached)(Stage::Proof);
    }

    /// Returns the same with another end.
    pub(crate) fn with_deadline(&self, end: Deadline) -> Tables<'g> {
        let budget = self.budget.within(end.left());
        Tables { budget, patience: end, proof: self.proof.clone(), ..*self }
    }

    /// Returns the same with the usual tables alone, not long, and the time for a first look at
    /// automata after them, where few numbers are read and there are no whole boxes to learn from.
    /// What automata read has seldom a form in such tables, and larger ones are not waited for.
    pub(crate) fn early(&self) -> Option<(Tables<'g>, Duration)> {
        let applies = query_learning::applies(self.stated, self.play)
            && !box_learning::applies(self.stated, self.play);
        if !applies || self.stated.heaps > EARLY {
            return None;
        }
        let time = self.budget.deadline.as_ref().map_or(TABLE_START_TIME, Deadline::left);
        let usual_until = Some(Deadline::after(time / EARLY_PARTS));
        let (budget, proof) = (self.budget.clone(), self.proof.clone());
        Some((Tables { budget, proof, usual_until, ..*self }, time / LOOK_PARTS))
    }

    /// Returns the same of the positions that occur, in a game that has no others.
    pub(crate) fn of_positions<'t>(
        &'t self,
        game: &'t dyn Game,
        stated: &'t HeapGame,
    ) -> Tables<'t> {
        Tables { game, stated, budget: self.budget.clone(), proof: self.proof.clone(), ..*self }
    }

    /// Returns the rules of the game that theorems speak of, claims being about the positions that
    /// occur.
    pub(crate) fn rules(&self) -> Result<(MoveSystem, Numeration), StatedError> {
        let (mut rules, numeration) = stated_in(self.play, self.whole)?;
        let stated = self.seen_without.map_or(self.stated, |whole| whole.stated);
        rules.domain = stated.moves.domain.as_ref().map(|domain| domain.formula.clone());
        Ok((rules, numeration))
    }

    /// Returns the condition on the positions that occur, if the game that theorems speak of has
    /// others.
    pub(crate) fn own_domain(&self) -> Option<&Formula> {
        let is_said = self.whole.heap_game().is_some_and(|whole| whole.moves.domain.is_some());
        self.stated.moves.domain.as_ref().filter(|_| !is_said).map(|domain| &domain.formula)
    }

    /// Returns whether there is time for more tables and forms.
    pub(crate) fn has_time(&self) -> bool {
        !self.time_left().is_zero() && self.budget.interrupted().is_none()
    }

    /// Returns the time that is left for tables and forms.
    pub(crate) fn time_left(&self) -> Duration {
        let usual = self.usual_until.as_ref().map_or(Duration::MAX, Deadline::left);
        self.patience.left().min(usual)
    }

    /// Returns the time for another way to learn: most of what is left, or so long where no end is
    /// set.
    pub(crate) fn time_or(&self, patience: Duration) -> Duration {
        self.budget.deadline.as_ref().map_or(patience, most_of)
    }

    /// Returns what a table may cost: where the time is limited, none of what is kept for the
    /// proof.
    fn share(&self) -> Budget {
        match self.budget.deadline {
            Some(_) => self.budget.within(self.patience.left()),
            None => self.budget.clone(),
        }
    }
}

/// Returns what is left until a deadline but a quarter, which is kept for the proof.
fn most_of(deadline: &Deadline) -> Duration {
    deadline.left() / 4 * 3
}

/// One table and what it took.
pub struct TimedTable {
    /// The table.
    pub table: OutcomeTable,
    /// Time it took.
    pub seconds: f64,
}

impl Tables<'_> {
    /// Returns the sweep for this many heaps, where there is one.
    fn sweep(&self, heaps: usize) -> Option<HeapSweep> {
        HeapSweep::from_game(&HeapGame { heaps, ..self.stated.clone() })
    }

    /// Returns what may be taken from this many heaps up to `max`, where that is the same of all
    /// positions.
    pub(crate) fn subtraction_vectors(&self, heaps: usize, max: u64) -> Option<SubtractionVectors> {
        SubtractionVectors::of(&HeapGame { heaps, ..self.stated.clone() }, u32::try_from(max).ok()?)
    }

    /// Returns the box of these takings; or why there is none.
    fn swept(&self, takings: &SubtractionVectors) -> Result<OutcomeBox, String> {
        let mut meter = Meter::new(&self.share());
        let swept = takings.sweep(self.play, self.limits(), spending(&mut meter));
        match swept.map_err(|error| error.to_string())? {
            Continue(swept) => Ok(swept),
            Break(spent) => Err(spent.to_string()),
        }
    }

    /// Returns what follows leading digits in the box of heaps with this many digits, if the game
    /// is one of takings and the budget is enough.
    pub(crate) fn residuals(
        &self,
        digits: u32,
        ending: u32,
        tall: bool,
        budget: &Budget,
    ) -> Option<Residuals> {
        let mut meter = Meter::new(budget);
        let found = Residuals::of(
            self.stated,
            digits,
            ending,
            tall,
            self.play,
            self.limits(),
            spending(&mut meter),
        );
        match found?.ok()? {
            Continue(endings) => Some(endings),
            Break(_) => None,
        }
    }

    /// Returns the P-positions with no number above `max`, made backwards, where that is quick.
    fn by_retrograde_analysis(
        &self,
        heaps: usize,
        max: u64,
    ) -> Option<Result<Vec<Vec<u32>>, LimitReached>> {
        if self.play != Play::Normal || heaps != self.stated.heaps {
            return None;
        }
        retrograde::p_positions(self.stated, u32::try_from(max).ok()?, &self.share())
    }

    fn limits(&self) -> Limits {
        Limits::bytes(self.budget.bytes.unwrap_or(1 << 31))
    }

    /// Returns the greatest heaps of the boxes to try with this many heaps, in ascending order.
    pub fn bounds(&self, heaps: usize) -> Vec<u64> {
        let sizes =
            if self.sweep(heaps).is_some_and(|sweep| sweep.is_sparse()) { SWEPT } else { PLAIN };
        let side = |size: f64| match &self.stated.moves.domain {
            // Long only in directions that have no end.
            Some(domain) => (1..)
                .take_while(|side| {
                    domain.box_size(*side) as f64 <= size.exp2()
                        && (side + 1).saturating_pow(heaps as u32) <= MAX_LARGE_CELLS
                        && *side <= MAX_HEAPS_BY_COUNT[3]
                })
                .last()
                .unwrap_or(3),
            None => (size / heaps as f64).exp2().round() as u64,
        };
        let mut all: Vec<u64> = sizes
            .iter()
            .zip(MAX_HEAPS_BY_COUNT)
            .map(|(size, most)| (side(*size).max(3) - 1).min(most))
            .collect();
        if let Some(max) = self.max {
            all.retain(|bound| *bound < max.into());
            all.push(max.into());
        }
        all.dedup();
        all
    }

    /// Returns the greatest heap of a table with four times as many positions, if time is set for
    /// it: a study takes all its seconds.
    pub(crate) fn larger(&self, heaps: usize, most: u64) -> Option<u64> {
        let positions = |most: u64| match &self.stated.moves.domain {
            Some(domain) => domain.box_size(most),
            None => (most + 1).saturating_pow(heaps as u32),
        };
        let fits = |most: &u64| {
            (positions(*most) as f64) <= BEYOND.exp2()
                && (most + 1).saturating_pow(heaps as u32) <= MAX_LARGE_CELLS
        };
        if self.max.is_some() || self.budget.deadline.is_none() || self.usual_until.is_some() {
            return None;
        }
        let wanted = positions(most).saturating_mul(4);
        (most + 1..=MAX_ALONE).take_while(fits).find(|larger| positions(*larger) >= wanted)
    }

    /// Returns the greatest heap of one table more, after the last: where heaps are seen by ⌊x/d⌋
    /// only, as many more of them are needed.
    pub fn beyond(&self, last: &OutcomeTable) -> Option<u64> {
        let max = (last.most() + 1) * last.grain() - 1;
        let fits = ((max + 1) as f64).log2() * last.heaps() as f64 <= BEYOND;
        (self.max.is_none() && max > last.most() && fits).then_some(max)
    }

    /// Visits the P-positions with no number above `max` of a sweep; or returns why it ended.
    fn sweep_each(
        &self,
        sweep: &HeapSweep,
        max: u32,
        visit: &mut dyn FnMut(&[u32]),
    ) -> Result<(), String> {
        let mut meter = Meter::new(&self.share());
        let end = sweep.p_positions(max, self.play, self.limits(), spending(&mut meter), |p| {
            visit(p);
            Continue(())
        });
        match end.map_err(|error| error.to_string())? {
            Continue(()) => Ok(()),
            Break(spent) => Err(spent.to_string()),
        }
    }

    /// Visits the P-positions with no number above `max` that the solver finds; or returns why it
    /// ended.
    fn solve_each(&self, max: u32, visit: &mut dyn FnMut(&[u64])) -> Result<(), String> {
        let how = Settings { play: self.play, budget: self.share(), ..Settings::default() };
        let visited = self.game.session(how).table(max, &mut |p, outcome| {
            if outcome.is_p() {
                visit(p);
            }
            Continue(())
        });
        visited.ok_or("no table")?.map_err(|spent| spent.to_string())
    }

    /// Returns of each size of one heap up to `max` whether it is P; or why that is not known. The
    /// sizes may be more than a table's.
    pub(crate) fn sizes(&self, max: u32) -> Result<Vec<bool>, String> {
        let mut is_p = vec![false; max as usize + 1];
        (self.tell)(&format!("{}, one heap up to {max}", self.game.name()));
        match self.sweep(1).filter(|sweep| sweep.is_suitable(max)) {
            Some(sweep) => self.sweep_each(&sweep, max, &mut |p| is_p[p[0] as usize] = true)?,
            None => self.solve_each(max, &mut |p| is_p[p[0] as usize] = true)?,
        }
        Ok(is_p)
    }

    /// Returns the table of the positions with this many heaps, none above `max`; or why there is
    /// none.
    pub fn make(&self, heaps: usize, max: u64) -> Result<TimedTable, String> {
        let started = Instant::now();
        let images = Images::from_symmetry(self.stated.symmetry, heaps);
        let least = u64::from(self.stated.shrinks);
        let mut maker = TableBuilder::new(heaps, least, max.max(least), images)
            .map_err(|error| error.to_string())?;
        (self.tell)(&format!("{}, heaps up to {max}", self.game.name()));
        let free = self.stated.moves.condition.is_none() && self.stated.moves.permutation.is_none();
        if heaps == 1 && free {
            // One heap is taken whole: only what the play convention makes of the end is P.
            maker.insert(&[u64::from(self.play == Play::Misere)]);
        } else if let Some(sweep) = self.sweep(heaps).filter(|sweep| sweep.is_suitable(max as u32))
        {
            self.sweep_each(&sweep, max as u32, &mut |p| {
                // Circles that close up are swept with the smaller ones.
                if p.len() == heaps {
                    maker.insert(&p.iter().map(|heap| u64::from(*heap)).collect::<Vec<_>>());
                }
            })?;
        } else if let Some(takings) = self.subtraction_vectors(heaps, max) {
            let _ = self.swept(&takings)?.each::<()>(|p| {
                maker.insert_alone(p);
                Continue(())
            });
        } else if let Some(found) = self.seen_without.and_then(|whole| whole.p_positions(max)) {
            found.iter().for_each(|p| maker.insert_alone(p));
            if let Some(domain) = &self.stated.moves.domain {
                maker = maker.occurring(occurring(domain, max), domain_claim(domain));
            }
        } else if let Some(found) = self.by_retrograde_analysis(heaps, max) {
            found.map_err(|spent| spent.to_string())?.iter().for_each(|p| maker.insert_alone(p));
            if let Some(domain) = &self.stated.moves.domain {
                maker = maker.occurring(occurring(domain, max), domain_claim(domain));
            }
        } else {
            self.solve_each(max as u32, &mut |heaps_of| {
                if heaps_of.len() == heaps {
                    maker.insert(heaps_of);
                }
            })?;
            if let Some(domain) = &self.stated.moves.domain {
                maker = maker.occurring(occurring(domain, max), domain_claim(domain));
            }
        }
        Ok(TimedTable { table: maker.finish(), seconds: started.elapsed().as_secs_f64() })
    }
}

/// Returns the names of this many numbers of a position.
pub(crate) fn letters(numbers: usize) -> Vec<String> {
    ('a'..='z').take(numbers).map(String::from).collect()
}

/// Returns what a domain says of the heaps a, b, c, ….
pub(crate) fn domain_claim(domain: &Domain) -> Claim {
    Claim::from_formula(domain.formula.over(&letters(domain.most.len())))
}

/// Returns the number of positions of a box that occur.
fn occurring(domain: &Domain, max: u64) -> u64 {
    let most: Vec<u64> =
        domain.most.iter().map(|most| most.map_or(max, |most| max.min(most.into()))).collect();
    let (mut p, mut count) = (vec![0; most.len()], 0);
    loop {
        count += u64::from(domain.contains(&p));
        let Some(place) = (0..p.len()).rev().find(|place| p[*place] < most[*place]) else {
            return count;
        };
        p[place] += 1;
        p[place + 1..].fill(0);
    }
}

impl Tables<'_> {
    /// Returns a table of the positions that an automaton accepts, larger than those that are made
    /// of the rules.
    pub(crate) fn table_of_automaton(&self, automaton: &Acceptor) -> Option<OutcomeTable> {
        let heaps = self.stated.heaps;
        let domain = self.stated.moves.domain.as_ref();
        let most =
            ((ACCEPTED / heaps as f64).exp2() as u32).clamp(3, MAX_HEAPS_BY_COUNT[3] as u32) - 1;
        let tops: Vec<u32> = (0..heaps)
            .map(|heap| {
                domain.and_then(|domain| domain.most[heap]).map_or(most, |top| top.min(most))
            })
            .collect();
        let images = Images::from_symmetry(self.stated.symmetry, heaps);
        let mut builder = TableBuilder::new(heaps, 0, most.into(), images).ok()?;
        let (mut p, mut occurring) = (vec![0u32; heaps], 0);
        loop {
            let wide: Vec<u64> = p.iter().map(|heap| u64::from(*heap)).collect();
            if domain.is_none_or(|domain| domain.contains(&wide)) {
                occurring += 1;
                if automaton.holds(&wide) {
                    builder.insert_alone(&p);
                }
            }
            let Some(place) = (0..heaps).rev().find(|place| p[*place] < tops[*place]) else {
                break;
            };
            p[place] += 1;
            p[place + 1..].fill(0);
        }
        if let Some(domain) = domain {
            builder = builder.occurring(occurring, domain_claim(domain));
        }
        Some(builder.finish())
    }
}

/// Spends a node for each position.
fn spending(meter: &mut Meter) -> impl FnMut(u128) -> ControlFlow<LimitReached> {
    |positions| match meter.spend_and_poll(u64::try_from(positions).unwrap_or(u64::MAX)) {
        Ok(()) => Continue(()),
        Err(spent) => Break(spent),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Outcome;
    use bouton_engine::game_graph::GameGraph;
    use std::collections::HashMap;

    /// Games of all families, and the greatest heap that brute force looks at.
    const GAMES: &[(&str, u64)] = &[
        ("nim(1)", 9),
        ("nim(2)", 9),
        ("nim(4)", 4),
        ("moore(3;4)", 4),
        ("moore(4;5)", 2),
        ("wythoff", 14),
        ("S(1,4;3)", 6),
        ("NIM(1,3;n)", 20),
        ("NIM(1,3;n;d,e)", 6),
        ("CN(1,1)", 9),
        ("CN(2,1)", 9),
        ("CN(3,2)", 7),
        ("CN(4,2)", 5),
        ("CN(4,4)", 3),
        ("CN(5,2)", 3),
        ("CN(5,3)", 3),
        ("CN(6,4)", 2),
        ("SCN(1,1)", 9),
        ("SCN(2,1)", 8),
        ("SCN(3,1)", 5),
        ("SCN(3,2)", 6),
        ("SCN(3,3)", 4),
        ("SCN(4,2)", 5),
        ("SCN(4,3)", 4),
        ("SCN(5,2)", 3),
        ("SCN(5,3)", 3),
        ("SCN(6,4)", 2),
        ("CN(3,2;any=1)", 6),
        ("CN(4,2;any=2)", 4),
        ("CN(4,2;each=1)", 4),
        ("CN(3,2;each>=1)", 6),
        ("CN(4,2;each>=2)", 4),
        ("CN(4,2;total=2)", 4),
        ("CN(3,2;total>=3)", 6),
        ("simplicial(1,2;2,3)", 7),
        ("simplicial(1,2;2,3;3,4)", 4),
        ("simplicial(1,2,3;1,4;2,4;3,4)", 4),
        ("simplicial(1,2;2,3;3,4;4,5;5,1)", 3),
        ("simplicial(1,2;1,3;2,3)", 6),
    ];

    /// Returns the outcome from the options alone.
    fn brute(
        graph: &mut dyn GameGraph,
        node: u32,
        play: Play,
        known: &mut HashMap<u32, Outcome>,
    ) -> Outcome {
        if let Some(outcome) = known.get(&node) {
            return *outcome;
        }
        let options = graph.options(node).unwrap().to_vec();
        let outcome = if options.is_empty() {
            play.terminal()
        } else if options.iter().any(|option| brute(graph, *option, play, known).is_p()) {
            Outcome::N
        } else {
            Outcome::P
        };
        known.insert(node, outcome);
        outcome
    }

    #[test]
    fn tables_are_those_of_the_rules_alone() {
        for (name, max) in GAMES {
            let game = bouton_games::parse(name).unwrap().game;
            let stated = game.heap_game().unwrap();
            for play in [Play::Normal, Play::Misere] {
                let tables = Tables::new(&*game, &stated, play, &Budget::default(), &|_| {});
                let (mut graph, mut known) = (game.graph(), HashMap::new());
                let (first, least) = if stated.shrinks { (1, 1) } else { (stated.heaps, 0) };
                for heaps in first..=stated.heaps {
                    let table = tables.make(heaps, *max).unwrap().table;
                    let mut positions = vec![vec![]];
                    for _ in 0..heaps {
                        let longer = |p: Vec<i64>| {
                            (least..=*max as i64).map(move |x| [&p[..], &[x]].concat())
                        };
                        positions = positions.into_iter().flat_map(longer).collect();
                    }
                    for p in positions {
                        let text: Vec<String> = p.iter().map(i64::to_string).collect();
                        let node = graph.read(&text.join(",")).unwrap();
                        let outcome = brute(&mut *graph, node, play, &mut known);
                        assert_eq!(table.is_p(&p), outcome.is_p(), "{name}, {play}: {p:?}");
                    }
                }
            }
        }
    }
}
