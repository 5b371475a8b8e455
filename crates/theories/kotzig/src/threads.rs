//! One board on several threads: what each does beside its own search. The idea and its sources:
//! [`work_sharing`](super::work_sharing).
//!
//! Each thread runs the search of [`search`](super::search), with a place in the pool. At every
//! position with a choice it looks whether something has come out; where subtrees are usually large
//! it shows its lines and asks which one is next. It comes back early from a search by an error, as
//! at the end of a budget, but with a height in the stack to which it unwinds. What was learned of
//! orders is shared like the table; the usual sizes of subtrees and of those worth an entry each
//! thread learns by itself.
//!
//! Threads never wait for each other in a ring: one that waits has begun what it is at before the
//! line that it waits for was taken, and the one who took that line has begun what it is at with it
//! or later. So along a chain of waits times grow.
//!
//! A small board is left to one thread, the same to the last node: the others sleep until it has
//! spent [`NodeThrottle::hard`] nodes.

use super::cells::Cells;
use super::move_ordering::MoveOrdering;
use super::search::{ENTRIES, Job, Key, Line, ThreadSearch};
use super::shared_table::SharedTable;
use super::work_sharing::{Next, SearchPool, TakenLine, Task};
use bouton_core::{Budget, LimitReached, Meter};
use std::sync::Arc;
use std::time::Duration;

/// When threads look at each other, in nodes.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeThrottle {
    /// What one thread spends before the board is hard and the others are woken.
    pub hard: u64,
    /// The usual size of subtrees from which a position is shown to others.
    pub shown: f32,
    /// What a thread spends between two reports, and between two looks at what the line that it
    /// took is worth.
    pub report_every: u64,
}

impl Default for NodeThrottle {
    /// Returns some milliseconds, against some tens of microseconds to wake a thread. Positions
    /// shown from 300 to 1000 nodes make no difference; larger ones leave too few places to choose
    /// from, smaller ones cost too many looks.
    fn default() -> NodeThrottle {
        NodeThrottle { hard: 1 << 16, shown: 400.0, report_every: 1 << 11 }
    }
}

/// The place of a thread in its pool.
pub(super) struct WorkerHandle<'s, C> {
    pool: &'s SearchPool<C>,
    me: usize,
    /// The height of its stack.
    height: usize,
    /// The lines taken from others that it is in, outermost first.
    tasks: Vec<Arc<Task>>,
    /// How far the search is to be unwound: to the frame f, 2f + 1, or to the taken line that
    /// begins there, 2f.
    unwind: Option<usize>,
    next_report: u64,
    throttle: NodeThrottle,
    /// Whether it has woken the others.
    woken: bool,
    /// For the first thread: the meter of all.
    whole: Option<SharedMeter<'s>>,
}

/// The meter that all threads spend from.
struct SharedMeter<'s> {
    meter: &'s mut Meter,
    /// What it has counted of the pool's nodes.
    counted: u64,
    limit: Option<LimitReached>,
}

impl SharedMeter<'_> {
    fn count(&mut self, nodes: u64) -> Result<(), LimitReached> {
        let more = nodes - self.counted;
        self.counted = nodes;
        let spent = self.meter.spend_and_poll(more);
        self.limit = self.limit.or(spent.err());
        spent
    }
}

/// Stops the pool when a thread ends, however that ends.
struct StopOnDrop<'s, C: Cells>(&'s SearchPool<C>);

impl<C: Cells> Drop for StopOnDrop<'_, C> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Returns whether the player about to move wins, by this many threads as the job says; fewer where
/// the system gives no more.
pub(super) fn run<C: Cells, const K: usize>(
    job: &Job<'_>,
    learned: &MoveOrdering,
    meter: &mut Meter,
) -> Result<bool, LimitReached> {
    let entry = 2 * size_of::<(Key<C>, bool)>() as u64;
    let entries =
        meter.budget().bytes.map_or(ENTRIES, |limit| ENTRIES.min((limit / entry) as usize));
    let pool = SearchPool::<C>::new(job.threads, SharedTable::new(entries));
    let mut own = Meter::new(&Budget::default());
    let (answer, whole) = std::thread::scope(|scope| {
        let _stop = StopOnDrop(&pool);
        for me in 1..job.threads {
            let pool = &pool;
            let help = move || {
                let _stop = StopOnDrop(pool);
                pool.sleep();
                let mut meter = Meter::new(&Budget::default());
                let worker = WorkerHandle::new(pool, me, job.throttle, None);
                job.search::<C, K, true>(learned, &mut meter, Some(worker)).help();
            };
            if std::thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        let whole = SharedMeter { meter, counted: 0, limit: None };
        let worker = WorkerHandle::new(&pool, 0, job.throttle, Some(whole));
        let mut search = job.search::<C, K, true>(learned, &mut own, Some(worker));
        let answer = search.start(job.position());
        pool.spent(0, search.meter.nodes());
        (answer, search.worker.and_then(|worker| worker.whole))
    });
    let Some(mut whole) = whole else { return answer };
    let limit = whole.limit;
    // The answer is there: what was spent is counted, and no limit takes it back.
    let _ = whole.count(pool.nodes());
    answer.map_err(|stopped| limit.unwrap_or(stopped))
}

impl<'s, C: Cells> WorkerHandle<'s, C> {
    fn new(
        pool: &'s SearchPool<C>,
        me: usize,
        throttle: NodeThrottle,
        whole: Option<SharedMeter<'s>>,
    ) -> WorkerHandle<'s, C> {
        let (tasks, next_report) = (Vec::new(), throttle.report_every);
        WorkerHandle {
            pool,
            me,
            height: 0,
            tasks,
            unwind: None,
            next_report,
            throttle,
            woken: false,
            whole,
        }
    }

    /// Returns whether subtrees that are usually so large are shown to others.
    #[inline]
    pub fn shows(&self, usual: f32) -> bool {
        usual >= self.throttle.shown
    }

    /// Returns the table of all.
    pub fn table(&self) -> &'s SharedTable<C> {
        &self.pool.table
    }

    /// Tells what was spent, and gives up a line that it would not take any more.
    #[cold]
    fn report(&mut self, nodes: u64) -> Result<(), LimitReached> {
        self.next_report = nodes + self.throttle.report_every;
        self.pool.spent(self.me, nodes);
        if let Some(whole) = &mut self.whole {
            if let Err(limit) = whole.count(self.pool.nodes()) {
                self.pool.stop();
                return Err(limit);
            }
            if nodes >= self.throttle.hard && !self.woken {
                self.woken = true;
                self.pool.begin();
            }
        }
        match self.tasks.iter().find(|task| self.pool.is_poor(task)) {
            Some(task) => self.unwind_to(2 * task.base),
            None => Ok(()),
        }
    }

    /// Looks what has come out.
    #[cold]
    fn hear(&mut self) -> Result<(), LimitReached> {
        if self.pool.is_stopped() {
            return Err(LimitReached::Cancelled);
        }
        let won = self.pool.won(self.me).map(|frame| 2 * frame + 1);
        let over = self.tasks.iter().find(|task| task.is_over()).map(|task| 2 * task.base);
        won.into_iter().chain(over).min().map_or(Ok(()), |height| self.unwind_to(height))
    }

    fn unwind_to(&mut self, height: usize) -> Result<(), LimitReached> {
        self.unwind = Some(height);
        Err(LimitReached::Cancelled)
    }

    /// Returns whether the search, which came back with an error, was to be unwound so far and no
    /// farther.
    fn is_unwound_to(&mut self, height: usize) -> bool {
        let there = self.unwind == Some(height);
        if there {
            self.unwind = None;
        }
        there
    }
}

impl<C: Cells, const K: usize, const SHARED: bool> ThreadSearch<'_, C, K, SHARED> {
    /// Returns whether something has come out that ends what this thread is at.
    #[inline]
    pub fn look_up(&mut self) -> Result<(), LimitReached> {
        let Some(worker) = &mut self.worker else { return Ok(()) };
        if self.meter.nodes() >= worker.next_report {
            worker.report(self.meter.nodes())?;
        }
        if worker.pool.has_news(worker.me) { worker.hear() } else { Ok(()) }
    }

    /// Searches the lines of a position of which other threads may take some.
    pub fn search_in_view(&mut self, lines: &[Line<C>]) -> Result<bool, LimitReached> {
        let Some(worker) = &mut self.worker else { return Ok(false) };
        let (pool, me, frame) = (worker.pool, worker.me, worker.height);
        let learned = self.learned;
        let chance = |line: &Line<C>| {
            let estimate = learned.estimate(line.slots);
            0.5 + 0.245 * if line.turns { estimate } else { -estimate }
        };
        let first = worker.tasks.last().is_some_and(|task| task.base == frame);
        pool.push(me, lines, chance, first);
        worker.height += 1;
        let answer = self.search_shown(lines);
        pool.pop(me);
        let Some(worker) = &mut self.worker else { return answer };
        worker.height -= 1;
        // Another thread has found that a line wins.
        if answer.is_err() && worker.is_unwound_to(2 * frame + 1) { Ok(true) } else { answer }
    }

    fn search_shown(&mut self, lines: &[Line<C>]) -> Result<bool, LimitReached> {
        let mut lost = None;
        loop {
            let Some(worker) = &self.worker else { return Ok(false) };
            let (i, chooser_wins) = match worker.pool.next(worker.me, lost.take()) {
                Next::Search(i) => (i, self.choose(&lines[i].labels, lines[i].token)?),
                Next::Known(i, wins) => (i, wins),
                Next::Wait(task) => {
                    self.wait(&task)?;
                    continue;
                }
                Next::Nothing => return Ok(false),
            };
            self.learned.learn(lines[i].slots, chooser_wins);
            if chooser_wins == lines[i].turns {
                return Ok(true);
            }
            lost = Some(i);
        }
    }

    /// Helps the thread that has taken a line until it is done.
    fn wait(&mut self, task: &Task) -> Result<(), LimitReached> {
        let mut tries = 0;
        while task.is_pending() {
            tries = if self.take(task.helper, task.base)? { 0 } else { tries + 1 };
            self.rest(tries)?;
        }
        Ok(())
    }

    /// Helps the others until all is done.
    fn help(&mut self) {
        let Some((pool, me)) = self.worker.as_ref().map(|worker| (worker.pool, worker.me)) else {
            return;
        };
        let mut tries = 0;
        while !pool.is_stopped() {
            let mut others = (1..pool.threads()).map(|next| (me + next) % pool.threads());
            tries = if others.any(|other| self.take(other, 0) == Ok(true)) { 0 } else { tries + 1 };
            // An error is the end of the search.
            if self.rest(tries).is_err() {
                break;
            }
        }
        pool.spent(me, self.meter.nodes());
    }

    /// Takes a line from another thread, if there is one, and searches it. Whether there was one.
    fn take(&mut self, owner: usize, from: usize) -> Result<bool, LimitReached> {
        let Some(worker) = &mut self.worker else { return Ok(false) };
        let (pool, base) = (worker.pool, worker.height);
        let Some(TakenLine { labels, token, task }) = pool.take(worker.me, base, owner, from)
        else {
            return Ok(false);
        };
        worker.tasks.push(task.clone());
        let answer = self.choose(&labels, token);
        pool.answer(&task, answer.ok());
        let Some(worker) = &mut self.worker else { return Ok(true) };
        worker.tasks.pop();
        match answer {
            Err(stopped) if !worker.is_unwound_to(2 * base) => Err(stopped),
            _ => Ok(true),
        }
    }

    /// Waits a little, longer after more tries in vain, and looks up.
    fn rest(&mut self, tries: u32) -> Result<(), LimitReached> {
        match tries {
            0 => {}
            1..=20 => (0..50).for_each(|_| std::hint::spin_loop()),
            21..=100 => std::thread::yield_now(),
            _ => std::thread::sleep(Duration::from_micros(50)),
        }
        if let Some(worker) = &mut self.worker
            && tries > 20
        {
            worker.next_report = 0;
        }
        self.look_up()
    }
}
