//! What several threads on one board share, and which line an idle one takes.
//!
//! Each thread searches depth-first and shows the large positions that it is in the middle of, with
//! the lines still to be searched there. An idle thread looks through such a stack and takes the
//! line that will be needed most likely: where the line that the owner is in will probably not win.
//! What is known of that is backed up from the deepest position of the stack, so it counts what has
//! come out since. A thread that comes to a line that another has taken helps there until it is
//! done. A line that nobody needs any more is given up, one that has become unlikely to be needed
//! is changed for a better one, and a position that a taken line has won is left at once.
//!
//! Sources: a look through the busy one's tree for the best place is dynamic tree splitting, R. M.
//! Hyatt, *The dynamic tree-splitting parallel search algorithm*, ICCA Journal 20 (1997) 3–19; to
//! help the one who took it, leapfrogging, D. B. Wagner, B. G. Calder, PPoPP 1993. Young brothers
//! that wait (R. Feldmann, 1993) are no help where a position has two options: when the first is
//! done, one is left. So the place is chosen by odds, with what move ordering has learned as the
//! evidence.
//!
//! Answers do not depend on who takes what: a line is answered only by a search of it that came to
//! its end.

use super::cells::Cells;
use super::labels::Labels;
use super::search::Line;
use super::shared_table::SharedTable;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What the threads share.
pub(super) struct SearchPool<C> {
    pub table: SharedTable<C>,
    slots: Vec<WorkerSlot<C>>,
    stopped: AtomicBool,
    /// Whether there is work for more than one thread.
    parallel_enabled: Mutex<bool>,
    wake: Condvar,
}

/// What one thread shows to the others, in cache lines of its own.
#[repr(align(128))]
struct WorkerSlot<C> {
    stack: Mutex<Vec<Frame<C>>>,
    /// Something has come out that may concern this thread.
    news: AtomicBool,
    /// Spent so far.
    nodes: AtomicU64,
}

/// A large position that a thread is in the middle of.
struct Frame<C> {
    lines: SmallVec<[OfferedLine<C>; 2]>,
    /// Whether a taken line begins here: it does not come from the position below it in the stack.
    first: bool,
}

/// A line of a frame, which another thread may take.
struct OfferedLine<C> {
    labels: Labels<C>,
    token: u8,
    /// Whether the player who opened the line is the one to choose.
    turns: bool,
    /// The chance that it wins, as learned.
    chance: f32,
    state: LineState,
}

enum LineState {
    Free,
    /// The owner of the frame is in it.
    Begun,
    /// It does not win.
    Lost,
    /// Another thread is in it, or was.
    Taken(Arc<Task>),
}

/// A line that was taken.
pub(super) struct Task {
    owner: usize,
    /// The part of the owner's stack from which it could be taken.
    from: usize,
    pub helper: usize,
    /// The height of the helper's stack when it began.
    pub base: usize,
    /// Whether the line wins if the player to choose does.
    turns: bool,
    answer: AtomicU8,
    /// Nobody needs it any more.
    over: AtomicBool,
}

const PENDING: u8 = 0;
const CHOOSER_LOSES: u8 = 1;
const CHOOSER_WINS: u8 = 2;
const GIVEN_UP: u8 = 3;

impl Task {
    /// Returns whether the player to choose wins, if that is known.
    fn answer(&self) -> Option<bool> {
        match self.answer.load(Ordering::Acquire) {
            CHOOSER_LOSES => Some(false),
            CHOOSER_WINS => Some(true),
            _ => None,
        }
    }

    /// Returns whether it is neither answered nor given up.
    pub fn is_pending(&self) -> bool {
        self.answer.load(Ordering::Acquire) == PENDING
    }

    /// Returns whether nobody needs it any more.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }
}

/// What the owner of a frame does next.
pub(super) enum Next {
    /// To search this line.
    Search(usize),
    /// To wait for the one who took the last line.
    Wait(Arc<Task>),
    /// To take note that on this line, which was taken, the chooser wins or not.
    Known(usize, bool),
    /// Nothing: no line wins.
    Nothing,
}

/// A line that an idle thread has taken.
pub(super) struct TakenLine<C> {
    pub labels: Labels<C>,
    pub token: u8,
    pub task: Arc<Task>,
}

/// Frames are whole between any two steps of their owner, so a lock that a panic left is as good as
/// any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<C: Cells> SearchPool<C> {
    /// Returns a pool of this many threads.
    pub fn new(threads: usize, table: SharedTable<C>) -> SearchPool<C> {
        let desk = |_| WorkerSlot {
            stack: Mutex::default(),
            news: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        SearchPool {
            table,
            slots: (0..threads).map(desk).collect(),
            stopped: AtomicBool::new(false),
            parallel_enabled: Mutex::new(false),
            wake: Condvar::new(),
        }
    }

    /// Returns how many threads there are.
    pub fn threads(&self) -> usize {
        self.slots.len()
    }

    /// Tells all to stop.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.slots.iter().for_each(|desk| desk.news.store(true, Ordering::Release));
        self.begin();
    }

    /// Returns whether all are to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Says that the board is hard: there is work for all.
    pub fn begin(&self) {
        *lock(&self.parallel_enabled) = true;
        self.wake.notify_all();
    }

    /// Sleeps until there is work, or all are to stop.
    pub fn sleep(&self) {
        let hard = lock(&self.parallel_enabled);
        drop(self.wake.wait_while(hard, |hard| !*hard));
    }

    /// Takes note of what a thread has spent so far.
    pub fn spent(&self, me: usize, nodes: u64) {
        self.slots[me].nodes.store(nodes, Ordering::Relaxed);
    }

    /// Returns what all have spent, as far as they have told.
    pub fn nodes(&self) -> u64 {
        self.slots.iter().map(|desk| desk.nodes.load(Ordering::Relaxed)).sum()
    }

    /// Returns whether something has come out that may concern a thread, since it last asked.
    #[inline]
    pub fn has_news(&self, me: usize) -> bool {
        let news = &self.slots[me].news;
        news.load(Ordering::Relaxed) && news.swap(false, Ordering::AcqRel)
    }

    /// Shows a position with its lines, in the order in which they will be searched, and the chance
    /// of each to win.
    pub fn push(
        &self,
        me: usize,
        lines: &[Line<C>],
        chance: impl Fn(&Line<C>) -> f32,
        first: bool,
    ) {
        let shown = |line: &Line<C>| OfferedLine {
            labels: line.labels,
            token: line.token,
            turns: line.turns,
            chance: chance(line),
            state: LineState::Free,
        };
        lock(&self.slots[me].stack).push(Frame { lines: lines.iter().map(shown).collect(), first });
    }

    /// Takes the last position away: it is decided, or not needed, and nobody needs its lines any
    /// more.
    pub fn pop(&self, me: usize) {
        let frame = lock(&self.slots[me].stack).pop();
        for line in frame.into_iter().flat_map(|frame| frame.lines) {
            if let LineState::Taken(task) = line.state
                && task.is_pending()
            {
                task.over.store(true, Ordering::Release);
                self.slots[task.helper].news.store(true, Ordering::Release);
            }
        }
    }

    /// Returns what the owner of the last frame does next. `lost`: the line that it has done, which
    /// does not win.
    pub fn next(&self, me: usize, lost: Option<usize>) -> Next {
        let mut stack = lock(&self.slots[me].stack);
        let Some(frame) = stack.last_mut() else { return Next::Nothing };
        if let Some(lost) = lost {
            frame.lines[lost].state = LineState::Lost;
        }
        let mut next = Next::Nothing;
        for (i, line) in frame.lines.iter_mut().enumerate() {
            if let LineState::Taken(task) = &line.state {
                if let Some(wins) = task.answer() {
                    return Next::Known(i, wins);
                }
                if task.is_pending() {
                    next = Next::Wait(task.clone());
                    continue;
                }
                line.state = LineState::Free;
            }
            if let LineState::Free = line.state {
                line.state = LineState::Begun;
                return Next::Search(i);
            }
        }
        next
    }

    /// Returns the lowest position in the stack of a thread that a taken line has won.
    pub fn won(&self, me: usize) -> Option<usize> {
        let wins = |line: &OfferedLine<C>| match &line.state {
            LineState::Taken(task) => task.answer() == Some(task.turns),
            _ => false,
        };
        lock(&self.slots[me].stack).iter().position(|frame| frame.lines.iter().any(wins))
    }

    /// Tells whether the chooser wins a line that was taken, or that it is given up.
    pub fn answer(&self, task: &Task, wins: Option<bool>) {
        let answer = match wins {
            Some(true) => CHOOSER_WINS,
            Some(false) => CHOOSER_LOSES,
            None => GIVEN_UP,
        };
        task.answer.store(answer, Ordering::Release);
        if wins == Some(task.turns) {
            self.slots[task.owner].news.store(true, Ordering::Release);
        }
    }

    /// Takes the line of a thread that is needed most likely, and more likely than not, in its
    /// stack from the frame `from` on. `base`: the height of the stack of the one who takes it.
    pub fn take(&self, me: usize, base: usize, owner: usize, from: usize) -> Option<TakenLine<C>> {
        let mut stack = lock(&self.slots[owner].stack);
        let LinePlace { frame, line, .. } =
            survey(&stack, from, None).0.filter(|place| place.odds >= LEAST)?;
        let line = &mut stack[frame].lines[line];
        let task = Arc::new(Task {
            owner,
            from,
            helper: me,
            base,
            turns: line.turns,
            answer: AtomicU8::new(PENDING),
            over: AtomicBool::new(false),
        });
        line.state = LineState::Taken(task.clone());
        Some(TakenLine { labels: line.labels, token: line.token, task })
    }

    /// Returns whether a line that was taken is unlikely to be needed, and much less than another
    /// that could be.
    pub fn is_poor(&self, task: &Task) -> bool {
        match survey(&lock(&self.slots[task.owner].stack), task.from, Some(task)) {
            (Some(best), Some(odds)) => odds < POOR && best.odds > odds + BETTER,
            _ => false,
        }
    }
}

/// Odds to be needed below which a line is not taken: rather wait than search what is likely a
/// waste. Where the machine has more to do, an owner may be held up for long, and all its lines,
/// good and bad, would be taken meanwhile.
const LEAST: f32 = 0.5;

/// Odds to be needed below which a line is given up for one that has more by [`BETTER`].
const POOR: f32 = 0.4;
const BETTER: f32 = 0.3;

/// The chance of a line to win after another has lost, at most: nearly always either the first line
/// wins or none. Measured on Γ(2,5;98) and Γ(11,13;119): 0.06 to 0.12 where subtrees have 500
/// nodes, 0.12 to 0.21 where they have 4,000.
const SECOND: f32 = 0.12;

/// A line that could be taken.
struct LinePlace {
    /// The chance that it will be needed.
    odds: f32,
    frame: usize,
    line: usize,
}

/// Returns the line of a stack that will be needed most likely, among equals the one that is nearer
/// the start; and the odds of a line that was taken from it.
fn survey<C>(
    stack: &[Frame<C>],
    from: usize,
    task: Option<&Task>,
) -> (Option<LinePlace>, Option<f32>) {
    let (mut best, mut now): (Option<LinePlace>, Option<f32>) = (None, None);
    // The chance that the player to choose wins in the frame above.
    let mut above: Option<f32> = None;
    for (f, frame) in stack.iter().enumerate().skip(from).rev() {
        // The chances that no line under way by its owner wins, and that no other does.
        let (mut needed, mut rest, mut here) = (1.0, 1.0, false);
        for (i, line) in frame.lines.iter().enumerate() {
            let chance = if i == 0 { line.chance } else { line.chance.min(SECOND) };
            match &line.state {
                LineState::Begun => {
                    let above = above.map(|wins| if line.turns { wins } else { 1.0 - wins });
                    needed *= 1.0 - above.map_or(chance, |above| both(chance, above));
                }
                LineState::Taken(taken) => {
                    if task.is_some_and(|task| std::ptr::eq(task, &raw const **taken)) {
                        here = true;
                    }
                    if taken.answer() != Some(!line.turns) {
                        rest *= 1.0 - chance;
                    }
                }
                LineState::Free => rest *= 1.0 - chance,
                LineState::Lost => {}
            }
        }
        let free = frame.lines.iter().position(|line| matches!(line.state, LineState::Free));
        if let Some(line) = free
            && best.as_ref().is_none_or(|best| needed >= best.odds)
        {
            best = Some(LinePlace { odds: needed, frame: f, line });
        }
        if here {
            now = Some(needed);
        }
        above = (!frame.first).then_some(1.0 - needed * rest);
    }
    (best, now)
}

/// Returns two estimates of one chance put together as if they were independent: their odds are
/// multiplied.
fn both(one: f32, other: f32) -> f32 {
    let odds = |chance: f32| chance.clamp(0.02, 0.98) / (1.0 - chance.clamp(0.02, 0.98));
    let odds = odds(one) * odds(other);
    odds / (1.0 + odds)
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use super::super::labels::SearchedCircle;
    use super::super::move_ordering::MoveOrdering;
    use super::*;

    fn line(turns: bool) -> Line<u64> {
        let labels = SearchedCircle::<u64, 2>::new(&[1, 4], 23, false).labels(&Position::start());
        Line { labels, token: 0, turns, slots: MoveOrdering::slots(|_| 0, 0), promise: 0.0 }
    }

    fn pool() -> SearchPool<u64> {
        SearchPool::new(2, SharedTable::new(0))
    }

    /// Shows a position of two lines, the first of which wins with this chance, and enters it.
    fn enter(pool: &SearchPool<u64>, chance: f32) {
        let lines = [line(false), line(false)];
        pool.push(0, &lines, |_| chance, false);
        assert!(matches!(pool.next(0, None), Next::Search(0)));
    }

    #[test]
    fn the_line_that_is_needed_most_likely_is_taken() {
        let pool = pool();
        // The deepest line probably loses, so its chooser wins: the line above it loses, the one
        // before wins.
        [0.5, 0.5, 0.1].iter().for_each(|chance| enter(&pool, *chance));
        let odds = |from| {
            survey(&lock(&pool.slots[0].stack), from, None).0.map(|place| (place.frame, place.odds))
        };
        assert!(matches!(odds(0), Some((2, odds)) if odds > 0.85), "{:?}", odds(0));
        let taken = pool.take(1, 0, 0, 0).unwrap();
        assert!(matches!(odds(0), Some((0, odds)) if odds > 0.8), "{:?}", odds(0));
        assert!(matches!(odds(1), Some((1, odds)) if odds < 0.2), "{:?}", odds(1));
        assert_eq!(odds(2), None);
        // It loses as well; now the position is all but lost.
        pool.answer(&taken.task, Some(true));
        assert!(!pool.has_news(0));
        assert!(matches!(pool.next(0, Some(0)), Next::Known(1, true)));
    }

    #[test]
    fn a_line_taken_is_waited_for_answered_or_searched_after_all() {
        let pool = pool();
        enter(&pool, 0.5);
        let first = pool.take(1, 0, 0, 0).unwrap().task;
        assert!(pool.take(1, 0, 0, 0).is_none());
        assert!(matches!(pool.next(0, Some(0)), Next::Wait(task) if Arc::ptr_eq(&task, &first)));
        pool.answer(&first, None);
        assert!(!first.is_pending());
        assert!(matches!(pool.next(0, None), Next::Search(1)));
        assert!(matches!(pool.next(0, Some(1)), Next::Nothing));
    }

    #[test]
    fn news_of_wins_and_of_lines_not_needed() {
        let pool = pool();
        enter(&pool, 0.5);
        enter(&pool, 0.5);
        let lower = pool.take(1, 0, 0, 1).unwrap().task;
        let upper = pool.take(1, 1, 0, 0).unwrap().task;
        assert_eq!((pool.won(0), lower.is_over(), pool.has_news(1)), (None, false, false));
        // The chooser loses on a line of the other player's.
        pool.answer(&upper, Some(false));
        assert_eq!((pool.won(0), pool.has_news(0), pool.has_news(0)), (Some(0), true, false));
        pool.pop(0);
        assert_eq!((lower.is_over(), upper.is_over(), pool.has_news(1)), (true, false, true));
    }
}
