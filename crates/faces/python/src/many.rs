//! Many positions of one game, solved one after the other: what was learned at one is used at the
//! next.
//!
//! Where all lie in one small box of a game whose boxes are swept, the box is swept once and looked
//! up. Else small positions are searched in one session. Of large ones of a game on heaps the
//! theorem is asked, if one is known, brought into its form once; sums of huge single heaps are
//! answered as `bouton solve` does.

use bouton_core::{
    Budget, HeapGame, LimitReached, Meter, Nimber, NotationError, Outcome, Play, Symmetry,
    heaps_text,
};
use bouton_engine::{Evaluation, Game, Session, Settings};
use bouton_heaps::heap_tables::HeapSweep;
use bouton_prover::PPositions;
use bouton_study::{Answers, CertifiedPositions, Known, Theorems};
use std::borrow::Cow;
use std::ops::ControlFlow::{Break, Continue};

/// A position.
#[derive(Debug, Clone, Copy)]
pub enum Row<'r> {
    /// As numbers.
    Sizes(&'r [i64]),
    /// As text.
    Text(&'r str),
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// P, N or ?, as code points.
    pub outcomes: Vec<u32>,
    /// Nim-values, or −1.
    pub values: Vec<i32>,
    /// Why something is unknown, if it is the budget.
    pub spent: Option<LimitReached>,
}

/// A row that is no position.
#[derive(Debug)]
pub struct InvalidRow {
    /// Its number, from 0.
    pub row: usize,
    /// What is wrong.
    pub why: NotationError,
}

/// Up to so many positions lie below one that is searched though there is a theorem: the product of
/// heaps plus 1.
const SEARCHED: u64 = 1 << 20;
/// Up to this size single heaps are computed with all below them.
const COMPUTED: u64 = 1 << 22;

/// Positions of a box for each row that is asked for, at most: sweeping costs that much less than
/// searching.
const SWEPT: u64 = 1 << 10;
/// Positions of a box at most: two bytes each with nim-values.
const MAX_SWEPT: u64 = 1 << 28;

/// A box of positions, swept: nim-values, or 0 for P and 1 for N.
struct Swept {
    side: u64,
    heaps: usize,
    sorted: bool,
    cells: Vec<u16>,
    nim_values: bool,
}

impl Swept {
    /// Sweeps the box with heaps up to `max`, if the game has a sweep and the box is worth it for
    /// so many rows.
    fn sweep(
        game: &dyn Game,
        stated: &HeapGame,
        settings: &Settings,
        nim_values: bool,
        (max, rows): (u32, usize),
    ) -> Option<Swept> {
        let nim_values = nim_values && settings.play == Play::Normal;
        HeapSweep::from_game(stated).filter(|_| !stated.shrinks)?;
        let side = u64::from(max) + 1;
        let most = SWEPT.saturating_mul(rows as u64).min(MAX_SWEPT);
        let cells = side.checked_pow(stated.heaps as u32).filter(|cells| *cells <= most)?;
        if settings.budget.bytes.is_some_and(|bytes| 2 * cells > bytes) {
            return None;
        }
        // All orders of heaps may be too many to enter: rows are sorted when they are looked up.
        let sorted = stated.symmetry == Symmetry::Full;
        let images = if sorted { Symmetry::None } else { stated.symmetry }
            .permutations(stated.heaps, 1000)?;
        let mut table = Swept {
            side,
            heaps: stated.heaps,
            sorted,
            cells: vec![u16::from(!nim_values); cells as usize],
            nim_values,
        };
        let mut large = false;
        let mut session = game.session(settings.clone());
        let mut enter = |p: &[u64], value: u32| {
            let Ok(value) = u16::try_from(value) else {
                large = true;
                return Break(());
            };
            for image in &images {
                let place = image.iter().fold(0, |at, from| at * side + p[*from]);
                table.cells[place as usize] = value;
            }
            Continue(())
        };
        let end = if nim_values {
            session.nim_value_table(max, &mut |p, Nimber(value)| enter(p, value))
        } else {
            session.p_sizes(max, &mut |p| enter(p, 0))
        };
        (matches!(end, Some(Ok(()))) && !large).then_some(table)
    }

    /// Returns what is known of a position with heaps within the box.
    fn of(&self, sizes: &mut [u64]) -> Option<Evaluation> {
        if sizes.len() != self.heaps || sizes.iter().any(|size| *size >= self.side) {
            return None;
        }
        if self.sorted {
            sizes.sort_unstable();
        }
        let value = self.cells[sizes.iter().fold(0, |at, size| at * self.side + size) as usize];
        let outcome = Some(if value == 0 { Outcome::P } else { Outcome::N });
        let nim_value = self.nim_values.then_some(Nimber(value.into()));
        Some(Evaluation { outcome, nim_value, ..Evaluation::default() })
    }
}

/// Solves the rows that `each` brings. Nodes of the budget are for each row, time is for all. With
/// `nim_values` the nim-values of all that are searched in normal play; without, outcomes alone.
/// `plan` has the largest number of all rows, and how many there are, where that is known.
pub fn solve(
    game: &dyn Game,
    play: Play,
    nim_values: bool,
    theorems: &Theorems,
    budget: &Budget,
    plan: Option<(u32, usize)>,
    each: impl FnOnce(&mut dyn FnMut(Row<'_>) -> Result<(), InvalidRow>) -> Result<(), InvalidRow>,
) -> Result<Found, InvalidRow> {
    // Of all or of none: what a row is told does not hang on those before.
    let nim_value_nodes = if nim_values { u64::MAX } else { 0 };
    let settings =
        Settings { play, budget: budget.clone(), nim_value_nodes, ..Settings::default() };
    let stated = game.heap_game();
    let known = stated.as_ref().and_then(|_| theorems.find(game, play).ok().flatten());
    let mut meter = Meter::new(&Budget { nodes: None, ..budget.clone() });
    let by_formula = known.as_ref().and_then(|known| {
        let set = PPositions::new(&known.game, &known.claims, known.numeration, &mut meter);
        Some(ProvedSet::Formula(known, set.ok()?))
    });
    let certified = || theorems.certified_positions(game, play).ok().flatten();
    let set = by_formula.or_else(|| certified().map(ProvedSet::Certificate));
    let swept = stated
        .as_ref()
        .zip(plan)
        .and_then(|(stated, plan)| Swept::sweep(game, stated, &settings, nim_values, plan));
    let mut solver = RowSolver {
        game,
        stated: stated.as_ref(),
        swept,
        session: game.session(settings.clone()),
        theorem: set.map(|set| KnownTheorem { set, meter }),
        answers: Answers::new(game, settings, theorems),
        sizes: Vec::new(),
    };
    let mut found = Found::default();
    each(&mut |row| {
        if matches!(found.spent, Some(LimitReached::Time(_) | LimitReached::Cancelled)) {
            found.outcomes.push(u32::from('?'));
            found.values.push(-1);
            return Ok(());
        }
        let (evaluation, spent) =
            solver.solve(row).map_err(|why| InvalidRow { row: found.outcomes.len(), why })?;
        found.outcomes.push(u32::from(match evaluation.outcome {
            Some(Outcome::P) => 'P',
            Some(Outcome::N) => 'N',
            None => '?',
        }));
        found
            .values
            .push(evaluation.nim_value.and_then(|value| i32::try_from(value.0).ok()).unwrap_or(-1));
        if evaluation.outcome.is_none() {
            found.spent = found.spent.or(spent);
        }
        Ok(())
    })?;
    Ok(found)
}

/// A theorem on the P-positions of a game on heaps, in the form that positions are looked up in.
struct KnownTheorem<'t> {
    set: ProvedSet<'t>,
    meter: Meter,
}

/// P-positions that are proved.
enum ProvedSet<'t> {
    Formula(&'t Known, PPositions<'t>),
    Certificate(CertifiedPositions),
}

impl KnownTheorem<'_> {
    /// Returns the outcome of a position, if it is one of heaps of any size.
    fn evaluation(&mut self, text: &str) -> Option<Evaluation> {
        let heaps: Vec<_> =
            text.split(',').map(|heap| heap.trim().parse().ok()).collect::<Option<_>>()?;
        let is_p = match &self.set {
            ProvedSet::Formula(known, set) => {
                let boards = &known.game.boards;
                let board = boards.iter().rposition(|board| board.heaps == heaps.len())?;
                set.contains(board, &heaps, &mut self.meter).ok()?
            }
            ProvedSet::Certificate(known) => known.find(&heaps, &mut self.meter)?.lost,
        };
        let outcome = if is_p { Outcome::P } else { Outcome::N };
        Some(Evaluation { outcome: Some(outcome), ..Evaluation::default() })
    }
}

/// What solves the rows of one game.
struct RowSolver<'g> {
    game: &'g dyn Game,
    /// The rules of a game on heaps.
    stated: Option<&'g HeapGame>,
    /// The box in which all rows lie, if it was swept.
    swept: Option<Swept>,
    session: Box<dyn Session + 'g>,
    theorem: Option<KnownTheorem<'g>>,
    answers: Answers<'g>,
    /// The numbers of the row.
    sizes: Vec<u64>,
}

impl RowSolver<'_> {
    /// Returns what is known of a row, and the limit that was reached.
    fn solve(&mut self, row: Row<'_>) -> Result<(Evaluation, Option<LimitReached>), NotationError> {
        let has_sizes = self.read(row)?;
        if let Some(domain) = self.stated.and_then(|stated| stated.moves.domain.as_ref())
            && has_sizes
            && !domain.contains(&self.sizes)
        {
            return Err(self.wrong(&heaps_text(&self.sizes), domain.refusal()));
        }
        if let (Row::Sizes(_), Some(table)) = (row, &self.swept)
            && let Some(known) = table.of(&mut self.sizes)
        {
            return Ok((known, None));
        }
        let text = |sizes: &[u64]| match row {
            Row::Text(text) => Cow::Borrowed(text),
            Row::Sizes(_) => Cow::Owned(heaps_text(sizes)),
        };
        // Of circles that close up the empty heaps leave: sizes say nothing there before the rules
        // have read them.
        let fixed = self.stated.is_some_and(|stated| !stated.shrinks);
        let (evaluation, spent) = if has_sizes && !self.is_large() {
            // Positions of programs are read as texts.
            let searched = match self.session.evaluate_sizes(&self.sizes) {
                Some(searched) => searched,
                None => self.session.evaluate(&text(&self.sizes))?,
            };
            (searched.unwrap_or_default(), searched.err())
        } else if (fixed || !has_sizes)
            && let Some(known) = self.by_theorem(&text(&self.sizes))
        {
            (known, None)
        } else if has_sizes && self.stated.is_some() && self.theorem.is_none() {
            match self.session.evaluate_sizes(&self.sizes) {
                Some(searched) => (searched.unwrap_or_default(), searched.err()),
                None => (Evaluation::default(), Some(LimitReached::NumbersTooLarge)),
            }
        } else {
            let answer = self.answers.of(&text(&self.sizes))?;
            (answer.analysis.evaluation, answer.analysis.spent)
        };
        Ok(match (evaluation.outcome, spent) {
            (None, Some(_)) if fixed => {
                (self.by_theorem(&text(&self.sizes)).unwrap_or(evaluation), spent)
            }
            _ => (evaluation, spent),
        })
    }

    /// Reads the numbers of a row; `false` if they are beyond 64 bits, or are none.
    fn read(&mut self, row: Row<'_>) -> Result<bool, NotationError> {
        self.sizes.clear();
        match row {
            Row::Sizes(row) if row.iter().any(|size| *size < 0) => {
                Err(self.wrong(&heaps_text(row), "a heap is negative"))
            }
            Row::Sizes(row) => {
                self.sizes.extend(row.iter().map(|size| *size as u64));
                Ok(true)
            }
            Row::Text(text) => {
                let read = self.game.sizes(text).ok().flatten();
                let has_sizes = read.is_some();
                self.sizes.extend(read.unwrap_or_default());
                Ok(has_sizes)
            }
        }
    }

    /// Returns whether so many positions lie below that the theorem is asked first.
    fn is_large(&self) -> bool {
        match self.stated {
            Some(_) => self
                .sizes
                .iter()
                .try_fold(1u64, |all, size| all.checked_mul(size.checked_add(1)?))
                .is_none_or(|all| all > SEARCHED),
            None => self.sizes.iter().any(|size| *size > COMPUTED),
        }
    }

    fn by_theorem(&mut self, text: &str) -> Option<Evaluation> {
        self.theorem.as_mut()?.evaluation(text)
    }

    fn wrong(&self, text: &str, message: impl Into<String>) -> NotationError {
        NotationError::new(text, 0..text.len(), message, self.game.position_form())
    }
}
