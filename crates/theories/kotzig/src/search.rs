//! The fast search: who wins from any position in play.
//!
//! Depth-first, with [retrograde labels](super::labels) that end most lines long before the last
//! move, forced moves played out without branching, one move of lookahead,
//! [learned](super::move_ordering) estimates, and a transposition table. First comes the move with
//! the best chance to win for the usual size of its subtree.
//!
//! **Table.** With labels up to date the outcome depends on the open cells within reach of the
//! token alone (in misère play also on which of them have an escape), wherever on the circle they
//! lie. Building that key costs as much as a few nodes, so the table is asked and told only about
//! positions with as many open cells as usually give subtrees larger than a size that it learns
//! from its own success. It holds whole keys: a hit is never a mistake.
//!
//! Several [threads] may search one board.

use super::cells::Cells;
use super::labels::{Labels, MoverChoice, SearchedCircle};
use super::move_ordering::{MoveOrdering, Slots};
use super::threads::{self, NodeThrottle, WorkerHandle};
use super::{Circulant, MAX_CELLS, Position};
use bouton_core::{Arrange, LimitReached, Meter, Outcome, Play};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What may be switched off, to show that it changes the cost and not the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Techniques {
    /// Games of two colours are in N from their start, in normal play.
    pub parity: bool,
    /// Learned move ordering.
    pub ordering: bool,
    /// The transposition table.
    pub table: bool,
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques { parity: true, ordering: true, table: true }
    }
}

/// Solves games one after another and keeps what it learns about move ordering.
pub struct Solver {
    play: Play,
    techniques: Techniques,
    threads: usize,
    throttle: NodeThrottle,
    learned: MoveOrdering,
}

impl Solver {
    /// Returns a solver that has learned nothing yet. About half a megabyte.
    pub fn new(play: Play, techniques: Techniques) -> Solver {
        Solver {
            play,
            techniques,
            threads: 1,
            throttle: NodeThrottle::default(),
            learned: MoveOrdering::new(),
        }
    }

    /// Returns the same solver with this many threads for each game that turns out to be hard; 0
    /// is 1. Outcomes do not depend on it. What is spent does, and with several threads it is
    /// another number each time, so that a limit of nodes, which counts those of all, may be
    /// reached in one run and not in another.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Solver {
        Solver { threads: threads.max(1), ..self }
    }

    /// Returns the convention.
    pub fn play(&self) -> Play {
        self.play
    }

    /// Returns the outcome of a game from its start. The table obeys the meter's limit of bytes by
    /// forgetting.
    ///
    /// # Errors
    /// The budget is exhausted.
    pub fn outcome(
        &mut self,
        game: &Circulant,
        meter: &mut Meter,
    ) -> Result<Outcome, LimitReached> {
        self.outcome_of(game, &Position::start(), meter)
    }

    /// Returns the outcome of any position of a game, searched with the steps as they are given:
    /// see [`Circulant::with_shortest_steps`].
    ///
    /// # Errors
    /// The budget is exhausted.
    ///
    /// # Panics
    /// If the position has marks past the end of the circle.
    pub fn outcome_of(
        &mut self,
        game: &Circulant,
        at: &Position,
        meter: &mut Meter,
    ) -> Result<Outcome, LimitReached> {
        assert!(at.cells().all(|cell| cell < game.n()), "marks past the end of the circle");
        let (steps, n) = game.without_common_factor();
        let position = at.rotated(game.n()).scaled_down(game.n() / n);
        if self.techniques.parity && self.play == Play::Normal && position == Position::start() {
            let reduced = Circulant::from_steps(&steps, n);
            if reduced.is_two_coloured() {
                return Ok(Outcome::N);
            }
        }
        let misere = self.play == Play::Misere;
        let Solver { techniques, threads, throttle, .. } = *self;
        let job =
            Job { steps: &steps, n, position: &position, misere, techniques, threads, throttle };
        let (learned, two) = (&self.learned, steps.len() == 2);
        let wins = match n {
            ..=64 if two => job.run::<u64, 2>(learned, meter),
            ..=64 => job.run::<u64, 0>(learned, meter),
            65..=128 if two => job.run::<u128, 2>(learned, meter),
            65..=128 => job.run::<u128, 0>(learned, meter),
            _ if two => job.run::<[u64; MAX_CELLS / 64], 2>(learned, meter),
            _ => job.run::<[u64; MAX_CELLS / 64], 0>(learned, meter),
        }?;
        Ok(if wins { Outcome::N } else { Outcome::P })
    }
}

/// A position to be searched.
pub(super) struct Job<'j> {
    steps: &'j [usize],
    n: usize,
    position: &'j Position,
    misere: bool,
    techniques: Techniques,
    pub threads: usize,
    pub throttle: NodeThrottle,
}

impl Job<'_> {
    fn run<C: Cells, const K: usize>(
        &self,
        learned: &MoveOrdering,
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        if self.threads > 1 {
            return threads::run::<C, K>(self, learned, meter);
        }
        self.search::<C, K, false>(learned, meter, None).start(self.position)
    }

    /// Returns the search of one thread. `worker`: its place among several, if it is one of a
    /// `SHARED`.
    pub fn search<'s, C: Cells, const K: usize, const SHARED: bool>(
        &self,
        learned: &'s MoveOrdering,
        meter: &'s mut Meter,
        worker: Option<WorkerHandle<'s, C>>,
    ) -> ThreadSearch<'s, C, K, SHARED> {
        let seed = self.steps.iter().fold(0u64, |seed, step| {
            let around =
                if 2 * step > self.n { *step as u64 + 1000 - self.n as u64 } else { *step as u64 };
            (seed.rotate_left(11) ^ around).wrapping_mul(0xff51_afd7_ed55_8ccd)
        });
        ThreadSearch {
            circle: SearchedCircle::<C, K>::new(self.steps, self.n, self.misere),
            techniques: self.techniques,
            seed,
            learned,
            table: FxHashMap::default(),
            usual: [0.0; MAX_CELLS + 1],
            worth: TableThreshold { size: LARGE, gain: 0.0, asked: 0 },
            meter,
            worker,
        }
    }

    /// Returns the position to be searched.
    pub fn position(&self) -> &Position {
        self.position
    }
}

/// The least subtree worth an entry of the table, in nodes.
const LARGE: f32 = 48.0;

/// How large a subtree must be for the table to be asked: learned, since positions hardly ever come
/// back on narrow boards and all the time on wide ones.
struct TableThreshold {
    size: f32,
    /// Nodes won by the table, less what the keys have cost, since `size` was last set.
    gain: f32,
    asked: u32,
}

impl TableThreshold {
    /// What making a key costs, in nodes.
    const KEY: f32 = 10.0;
    /// Questions between two settings of the size.
    const ROUND: u32 = 1 << 10;

    fn learn(&mut self, saved: f32) {
        self.gain += saved - TableThreshold::KEY;
        self.asked += 1;
        if self.asked == TableThreshold::ROUND {
            self.size = (self.size * if self.gain < 0.0 { 1.15 } else { 0.3 }).clamp(LARGE, 1e9);
            (self.gain, self.asked) = (0.0, 0);
        }
    }
}

/// Entries of the table before it is emptied: 64 to 128 MB.
pub(super) const ENTRIES: usize = 1 << 20;

/// The open cells within reach of the token as bits from the token on, and those with an escape.
pub(super) type Key<C> = [C; 2];

/// A search as one thread does it, alone or in a `SHARED`.
pub(super) struct ThreadSearch<'s, C, const K: usize, const SHARED: bool> {
    circle: SearchedCircle<C, K>,
    techniques: Techniques,
    seed: u64,
    pub learned: &'s MoveOrdering,
    table: FxHashMap<Key<C>, bool>,
    /// The usual size of a subtree by open cells: a running mean.
    usual: [f32; MAX_CELLS + 1],
    worth: TableThreshold,
    pub meter: &'s mut Meter,
    /// The place of the thread, if there are several; then the table is theirs.
    pub worker: Option<WorkerHandle<'s, C>>,
}

/// Where forced moves lead. `turns`: whether the players have changed places.
enum ForcedEnd {
    /// Whether the player who was about to move wins.
    Decided(bool),
    /// Somebody has a choice.
    Choice { token: u8, turns: bool },
}

/// A move that is to be searched, played out to a choice.
pub(super) struct Line<C> {
    pub labels: Labels<C>,
    pub token: u8,
    /// Whether the player who opened the line is the one to choose.
    pub turns: bool,
    pub slots: Slots,
    /// The chance that it wins for what it costs to find out.
    pub promise: f32,
}

impl<C: Cells, const K: usize, const SHARED: bool> ThreadSearch<'_, C, K, SHARED> {
    /// Returns whether the player about to move wins in this position.
    pub fn start(&mut self, position: &Position) -> Result<bool, LimitReached> {
        let mut labels = self.circle.labels(position);
        match self.play_out(&mut labels, position.token() as u8)? {
            ForcedEnd::Decided(wins) => Ok(wins),
            ForcedEnd::Choice { token, turns } => Ok(self.choose(&labels, token)? ^ turns),
        }
    }

    /// Plays forced moves from the token's cell on.
    #[inline]
    fn play_out(
        &mut self,
        labels: &mut Labels<C>,
        mut token: u8,
    ) -> Result<ForcedEnd, LimitReached> {
        let mut turns = false;
        loop {
            self.meter.spend_one()?;
            match self.circle.mover_choice(labels, token) {
                MoverChoice::Decided(wins) => return Ok(ForcedEnd::Decided(wins ^ turns)),
                MoverChoice::Choice => return Ok(ForcedEnd::Choice { token, turns }),
                MoverChoice::Forced(cell) => {
                    self.circle.mark(labels, cell);
                    token = cell;
                    turns = !turns;
                }
            }
        }
    }

    /// Returns whether the player about to move wins, where there is a choice of open cells.
    pub fn choose(&mut self, labels: &Labels<C>, token: u8) -> Result<bool, LimitReached> {
        if SHARED {
            self.look_up()?;
        }
        let (open_count, before) = (labels.open.count(), self.meter.nodes());
        let usual = self.usual[open_count];
        let key = (self.techniques.table && usual >= self.worth.size)
            .then(|| self.circle.key(labels, token));
        if let Some(key) = &key {
            let known = match &self.worker {
                Some(worker) if SHARED => worker.table().get(key),
                _ => self.table.get(key).copied(),
            };
            self.worth.learn(if known.is_some() { usual } else { 0.0 });
            if let Some(wins) = known {
                return Ok(wins);
            }
        }
        let wins = self.search(labels, token, usual)?;
        let size = self.meter.nodes() - before;
        let usual = &mut self.usual[open_count];
        *usual += (size as f32 - *usual) / 16.0;
        if let Some(key) = key.filter(|_| size as f32 >= LARGE) {
            self.keep(key, wins);
        }
        Ok(wins)
    }

    fn keep(&mut self, key: Key<C>, wins: bool) {
        if SHARED && let Some(worker) = &self.worker {
            return worker.table().insert(key, wins);
        }
        let bytes = 2 * (self.table.len() as u64 + 1) * size_of::<(Key<C>, bool)>() as u64;
        if self.table.len() >= ENTRIES || self.meter.check_bytes(bytes).is_err() {
            self.table = FxHashMap::default();
        }
        self.table.insert(key, wins);
    }

    /// Returns the same by its lines. `usual`: the usual size of its subtree.
    fn search(&mut self, labels: &Labels<C>, token: u8, usual: f32) -> Result<bool, LimitReached> {
        let mut lines: SmallVec<[Line<C>; 2]> = SmallVec::new();
        let options = self.circle.options(labels, token);
        for i in 0..self.circle.steps().len() {
            let to = usize::from(token) + self.circle.steps()[i];
            let to = if to < self.circle.n { to } else { to - self.circle.n };
            if options.and(C::one(to)).is_empty() {
                continue;
            }
            let mut labels = *labels;
            self.circle.mark(&mut labels, to as u8);
            match self.play_out(&mut labels, to as u8)? {
                ForcedEnd::Decided(false) => return Ok(true),
                ForcedEnd::Decided(true) => {}
                ForcedEnd::Choice { token, turns } => {
                    let window = |half| self.circle.window(&labels, token, half);
                    let slots = MoveOrdering::slots(window, self.seed);
                    let promise = if self.techniques.ordering {
                        self.promise(slots, turns, labels.open.count())
                    } else {
                        0.0
                    };
                    lines.push(Line { labels, token, turns, slots, promise });
                }
            }
        }
        lines.arrange_by(|a, b| b.promise.total_cmp(&a.promise));
        if SHARED && self.worker.as_ref().is_some_and(|worker| worker.shows(usual)) {
            return self.search_in_view(&lines);
        }
        for Line { labels, token, turns, slots, .. } in lines {
            let chooser_wins = self.choose(&labels, token)?;
            self.learned.learn(slots, chooser_wins);
            if chooser_wins == turns {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns what a line promises that has been played out to a choice: the chance that it wins,
    /// over the usual size of the subtree among those with as many open cells. `turns`: whether the
    /// player who opened the line is the one to choose.
    fn promise(&self, slots: Slots, turns: bool, open_count: usize) -> f32 {
        let estimate = self.learned.estimate(slots);
        // The estimate is in −2..2; no line is hopeless.
        let chance = 2.1 + if turns { estimate } else { -estimate };
        chance / self.usual[open_count].max(4.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::plain;
    use super::*;
    use bouton_core::Budget;

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    fn sets() -> Vec<(Vec<u64>, u64)> {
        let pairs = (1..=12).flat_map(|b| (1..b).map(move |a| vec![a, b]));
        let triples =
            [[1, 2, 3], [1, 3, 5], [2, 3, 7], [1, 4, 6], [3, 4, 9], [1, 5, 11], [2, 6, 7]];
        let more = [vec![1], vec![3], vec![1, 2, 3, 4], vec![1, 3, 6, 8], vec![2, 3, 5, 7, 8]];
        let pairs = pairs.flat_map(|set| (1..=22).map(move |n| (set.clone(), n)));
        let others = triples.map(|t| t.to_vec()).into_iter().chain(more);
        pairs.chain(others.flat_map(|set| (1..=16).map(move |n| (set.clone(), n)))).collect()
    }

    #[test]
    fn agrees_with_the_rules() {
        for play in [Play::Normal, Play::Misere] {
            let mut solver = Solver::new(play, Techniques::default());
            let off = Techniques { parity: false, ordering: false, table: false };
            let mut bare = Solver::new(play, off);
            for (set, n) in sets() {
                let game = Circulant::new(&set, n).unwrap();
                let truth = plain::outcome(&game, &Position::start(), play, &mut meter()).unwrap();
                assert_eq!(solver.outcome(&game, &mut meter()), Ok(truth), "{game} in {play} play");
                assert_eq!(
                    bare.outcome(&game, &mut meter()),
                    Ok(truth),
                    "{game} in {play} play, bare"
                );
                let form = game.canonical();
                assert_eq!(
                    plain::outcome(&form, &Position::start(), play, &mut meter()),
                    Ok(truth),
                    "{form}"
                );
            }
        }
    }

    fn run_by<C: Cells, const K: usize>(job: &Job<'_>) -> (bool, u64) {
        let mut meter = meter();
        (job.run::<C, K>(&MoveOrdering::new(), &mut meter).unwrap(), meter.nodes())
    }

    /// Circles too large for the rules alone are searched by the same code on wider words.
    #[test]
    fn width_changes_nothing() {
        type Wide = [u64; MAX_CELLS / 64];
        for misere in [false, true] {
            for (set, n) in sets().into_iter().filter(|(_, n)| n % 3 == 1) {
                let (steps, n) = Circulant::new(&set, n).unwrap().without_common_factor();
                let position = Position::start();
                let (techniques, threads, throttle) =
                    (Techniques::default(), 1, NodeThrottle::default());
                let job = Job {
                    steps: &steps,
                    n,
                    position: &position,
                    misere,
                    techniques,
                    threads,
                    throttle,
                };
                let narrow = run_by::<u64, 0>(&job);
                assert_eq!(run_by::<u128, 0>(&job), narrow, "{set:?} {n}");
                assert_eq!(run_by::<Wide, 0>(&job), narrow, "{set:?} {n}");
                if steps.len() == 2 {
                    assert_eq!(run_by::<u64, 2>(&job), narrow, "{set:?} {n}");
                    assert_eq!(run_by::<u128, 2>(&job), narrow, "{set:?} {n}");
                    assert_eq!(run_by::<Wide, 2>(&job), narrow, "{set:?} {n}");
                }
            }
        }
    }

    /// Positions along games in which every move is drawn at random.
    #[test]
    fn agrees_with_the_rules_in_play() {
        let mut drawn = fastrand::Rng::with_seed(1);
        let mut lot = |of: usize| drawn.usize(..of);
        let mut chosen = 0;
        for play in [Play::Normal, Play::Misere] {
            let mut solver = Solver::new(play, Techniques::default());
            for (set, n) in sets().into_iter().filter(|(_, n)| *n >= 9) {
                let game = Circulant::new(&set, n).unwrap();
                let mut position = Position::start();
                loop {
                    let truth = plain::outcome(&game, &position, play, &mut meter()).unwrap();
                    assert_eq!(
                        solver.outcome_of(&game, &position, &mut meter()),
                        Ok(truth),
                        "{game} {position:?}"
                    );
                    let options: Vec<Position> =
                        set.iter().filter_map(|m| position.after(&game, *m)).collect();
                    if options.is_empty() {
                        break;
                    }
                    chosen += usize::from(options.len() > 1);
                    position = options[lot(options.len())];
                }
            }
        }
        assert!(chosen > 5000, "{chosen} positions with a choice");
    }

    /// Returns a solver whose threads look at each other all the time, so that small boards are
    /// enough to try them.
    fn hasty(play: Play, threads: usize) -> Solver {
        let throttle = NodeThrottle { hard: 0, shown: 6.0, report_every: 16 };
        Solver { throttle, ..Solver::new(play, Techniques::default()).on_threads(threads) }
    }

    #[test]
    fn threads_agree_with_the_rules() {
        for play in [Play::Normal, Play::Misere] {
            for threads in [2, 3, 5] {
                let mut solver = hasty(play, threads);
                for (set, n) in sets().into_iter().filter(|(_, n)| *n >= 12) {
                    let game = Circulant::new(&set, n).unwrap();
                    let truth =
                        plain::outcome(&game, &Position::start(), play, &mut meter()).unwrap();
                    assert_eq!(
                        solver.outcome(&game, &mut meter()),
                        Ok(truth),
                        "{game}, {play}, {threads}"
                    );
                }
            }
        }
    }

    /// Many boards that keep several threads busy, two steps and more, with and without the table,
    /// and positions in play.
    #[test]
    fn threads_change_nothing() {
        let sets =
            [vec![2, 5], vec![3, 7], vec![4, 9], vec![11, 13], vec![1, 2, 5], vec![2, 3, 7, 8]];
        let bare = Techniques { parity: false, ordering: false, table: false };
        for play in [Play::Normal, Play::Misere] {
            let mut one = Solver::new(play, Techniques::default());
            let mut many = [2, 3, 4].map(|threads| hasty(play, threads));
            many[2].techniques = bare;
            for set in &sets {
                let largest = if set.len() == 2 { 46 } else { 26 };
                for n in largest - 16..=largest {
                    let game = Circulant::new(set, n).unwrap();
                    let mut position = Position::start();
                    for step in set.iter().chain(set) {
                        let truth = one.outcome_of(&game, &position, &mut meter());
                        for solver in &mut many {
                            let found = solver.outcome_of(&game, &position, &mut meter());
                            assert_eq!(found, truth, "{game} {position:?} on {}", solver.threads);
                        }
                        let Some(next) = position.after(&game, *step) else { break };
                        position = next;
                    }
                }
            }
        }
    }

    #[test]
    fn hard_boards_on_threads() {
        for (set, n, play) in
            [([3, 4], 85, Play::Normal), ([2, 5], 76, Play::Misere), ([9, 11], 79, Play::Normal)]
        {
            let game = Circulant::new(&set, n).unwrap();
            let mut one = meter();
            let truth = Solver::new(play, Techniques::default()).outcome(&game, &mut one).unwrap();
            assert!(one.nodes() > 1 << 18, "{game}: {} nodes", one.nodes());
            for threads in [2, 4] {
                for mut solver in [
                    Solver::new(play, Techniques::default()).on_threads(threads),
                    hasty(play, threads),
                ] {
                    assert_eq!(solver.outcome(&game, &mut meter()), Ok(truth), "{game}");
                }
            }
        }
    }

    /// The others are not woken for them.
    #[test]
    fn easy_boards_take_the_same_nodes() {
        let mut one = Solver::new(Play::Normal, Techniques::default());
        let mut two = Solver::new(Play::Normal, Techniques::default()).on_threads(2);
        for n in 20..=40 {
            let game = Circulant::new(&[3, 8], n).unwrap();
            let (mut by_one, mut by_two) = (meter(), meter());
            assert_eq!(one.outcome(&game, &mut by_one), two.outcome(&game, &mut by_two));
            assert_eq!(by_one.nodes(), by_two.nodes(), "{game}");
        }
    }

    /// A limit of nodes counts those of all threads, and ends them all; as do the clock, and others
    /// who ask to stop.
    #[test]
    fn a_spent_budget_ends_all_threads() {
        let game = Circulant::new(&[4, 7], 127).unwrap();
        let ends = |budget: &Budget| {
            let mut meter = Meter::new(budget);
            let mut solver = Solver::new(Play::Normal, Techniques::default()).on_threads(3);
            (solver.outcome(&game, &mut meter), meter.nodes())
        };
        for limit in [0, 5_000, 400_000] {
            let (end, nodes) = ends(&Budget { nodes: Some(limit), ..Budget::default() });
            assert_eq!(end, Err(LimitReached::Nodes(limit)));
            assert!(nodes >= limit, "{nodes} of {limit}");
        }
        let (end, _) = ends(&Budget::default().within(std::time::Duration::ZERO));
        assert_eq!(end, Err(LimitReached::Time(std::time::Duration::ZERO)));
        let watch = std::sync::Arc::new(bouton_core::Watch::default());
        watch.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let (end, _) = ends(&Budget { watch: Some(watch), ..Budget::default() });
        assert_eq!(end, Err(LimitReached::Cancelled));
    }

    /// Room for hardly an entry.
    #[test]
    fn threads_forget_what_there_is_no_room_for() {
        let budget = Budget { bytes: Some(1), ..Budget::default() };
        for n in 40..=50 {
            let game = Circulant::new(&[5, 8], n).unwrap();
            let truth =
                Solver::new(Play::Misere, Techniques::default()).outcome(&game, &mut meter());
            assert_eq!(
                hasty(Play::Misere, 2).outcome(&game, &mut Meter::new(&budget)),
                truth,
                "{game}"
            );
        }
    }

    /// Large enough for the table to fill and be used: the same search without a table agrees.
    #[test]
    fn the_table_changes_nothing() {
        for play in [Play::Normal, Play::Misere] {
            let mut with = Solver::new(play, Techniques::default());
            let mut without =
                Solver::new(play, Techniques { table: false, ..Techniques::default() });
            for set in [[3, 7], [4, 9], [5, 8]] {
                for n in 40..=58 {
                    let game = Circulant::new(&set, n).unwrap();
                    let answer = without.outcome(&game, &mut meter()).unwrap();
                    assert_eq!(with.outcome(&game, &mut meter()), Ok(answer), "{game}");
                }
            }
        }
    }

    #[test]
    fn a_spent_budget_is_no_answer() {
        let mut solver = Solver::new(Play::Normal, Techniques::default());
        let game = Circulant::new(&[4, 7], 90).unwrap();
        let mut small = Meter::new(&Budget { nodes: Some(500), ..Budget::default() });
        assert_eq!(solver.outcome(&game, &mut small), Err(LimitReached::Nodes(500)));
    }
}
