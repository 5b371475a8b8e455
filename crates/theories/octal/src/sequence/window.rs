//! A sequence that has settled, in as much memory as its window: for runs longer than any memory.
//!
//! Where all rare heaps are small, and each rare value that might be the least is left by a move to a small heap and another
//! one, a value follows from the few values before it, those of the window. So older heaps are forgotten, but for the
//! small ones that leave rare values. First the least common value that rare heaps do not leave is found for all heaps of a
//! stretch, each time as if no rare value were less; then it is seen whether all these are left. That need not wait:
//! a second thread sees to it while the first goes on. A heap for which it is not so stops all: it may be rare, which
//! only the whole history would tell.
//!
//! Source: as in `sparse`; the argument why a window tells all that is to come stands in `period`.

use super::brisk::{BACK, Brisk, CODES};
use super::kernel::{Kernel, LANES, Term};
use super::moves::Moves;
use super::quiet::{self, Below};
use super::space::{COMMON, Space};
use super::terms::Terms;
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;
use std::panic::resume_unwind;
use std::thread::ScopedJoinHandle;

/// Heaps that [`Window::advance`] adds.
pub const STRETCH: usize = 1 << 18;

/// The most sums that are marked at each heap to witness rare values.
const WITNESSES: usize = 128;

/// A nim-sequence from some heap on, of which the last values are known.
#[derive(Debug, Clone)]
pub struct Window {
    way: Way,
    now: Stretch,
    /// What comes next if no heap in it is rare.
    ahead: Option<Stretch>,
    threads: usize,
}

/// How values follow from those of a window.
#[derive(Debug, Clone)]
struct Way {
    simd: Simd,
    moves: Moves,
    space: Space,
    brisk: Brisk,
    /// Terms of rare heaps, of shift 64 or more; and those that witness rare values.
    rare: Vec<Term>,
    witnesses: Vec<Term>,
    below: Box<Below>,
    width: usize,
    /// The bytes of the smallest heaps.
    small: Vec<u8>,
}

/// The bytes of a window, and of the heaps behind it.
#[derive(Debug, Clone)]
struct Stretch {
    /// The first heap of the window: even, for bytes may depend on the parity of the size.
    first: usize,
    bytes: Vec<u8>,
    /// Codes so far are below eight times this.
    planes: usize,
}

/// Why a window does not move on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The budget.
    LimitReached(LimitReached),
    /// The value of this heap does not follow from the window.
    Unsettled(usize),
}

impl From<LimitReached> for Stop {
    fn from(spent: LimitReached) -> Stop {
        Stop::LimitReached(spent)
    }
}

impl Window {
    /// The last `width` of these bytes, given the moves, the terms of rare heaps and witnesses, and the steps of shift below a
    /// block; `None` where these bytes are too few, too large, or rare.
    pub fn new(
        simd: Simd,
        moves: &Moves,
        brisk: &Brisk,
        terms: &Terms,
        bytes: &[u8],
        width: usize,
    ) -> Option<Window> {
        let within = |shift: u32| shift as usize <= width;
        // Two heaps left are a small one and a recent one, and not equal.
        let enough = bytes.len() > 3 * width + BACK && terms.rare.iter().all(|term| within(term.shift));
        if !enough || !brisk.serves(terms.planes) || !are_quiet(&bytes[bytes.len() - width..]) {
            return None;
        }
        // Those of larger codes reach none that is looked at.
        let small = |term: &&Term| usize::from(term.byte & !COMMON) < CODES;
        let near = |term: &&Term| within(term.shift) && small(term);
        let witnesses = terms.witnesses.iter().filter(near).take(WITNESSES);
        let below = [0, 1].map(|n| std::array::from_fn(|code| terms.below(n, code as u32) as u64));
        let way = Way {
            simd,
            moves: moves.clone(),
            space: terms.space.clone(),
            brisk: brisk.clone(),
            rare: terms.rare.iter().filter(small).copied().collect(),
            witnesses: brisk.witnesses().chain(witnesses.copied()).collect(),
            below: Box::new(Below::new(below)),
            width,
            small: bytes[..=width].to_vec(),
        };
        let now = Stretch { first: 0, bytes: Vec::new(), planes: terms.planes };
        let window = Window { way, now, ahead: None, threads: 1 };
        Some(window.at(bytes.len(), &bytes[bytes.len() - width..]))
    }

    /// On one thread, or on two.
    pub fn on(self, threads: usize) -> Window {
        Window { threads, ..self }
    }

    /// The heaps whose values are known, or were: 0..`len`.
    pub fn len(&self) -> usize {
        self.now.len()
    }

    /// Never.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many of the last values tell the next one.
    pub fn width(&self) -> usize {
        self.way.width
    }

    /// The bytes of the space for the latest heaps, so many: at most the width, and a stretch more once it went on.
    /// [`Window::value`] reads them.
    pub fn latest(&self, count: usize) -> &[u8] {
        &self.now.bytes[self.now.bytes.len() - count..]
    }

    /// The window before a heap of the last stretch, or behind it.
    pub fn before(&self, heap: usize) -> &[u8] {
        let end = heap - self.now.first;
        &self.now.bytes[end - self.way.width..end]
    }

    /// The value that a byte means at heap `n`.
    pub fn value(&self, n: usize, byte: u8) -> u32 {
        self.way.space.decode(byte ^ self.way.space.turn(n))
    }

    /// The byte of a value at heap `n`.
    pub fn byte(&self, n: usize, value: u8) -> u8 {
        self.way.space.encode(u32::from(value)) ^ self.way.space.turn(n)
    }

    /// Whether bytes mean the same values at heaps a period apart.
    pub fn repeats_at(&self, period: usize) -> bool {
        self.way.space.turn(0) == self.way.space.turn(period)
    }

    /// The same sequence where the last bytes before heap `len` are these, as many as the width.
    pub fn at(&self, len: usize, bytes: &[u8]) -> Window {
        assert_eq!(bytes.len(), self.way.width, "a window");
        // The byte before the window is never looked at.
        let odd = (len - bytes.len()) % 2;
        let bytes: Vec<u8> = std::iter::repeat_n(COMMON, odd).chain(bytes.iter().copied()).collect();
        let now = Stretch { first: len - bytes.len(), bytes, planes: self.now.planes };
        Window { way: self.way.clone(), now, ahead: None, threads: self.threads }
    }

    /// Finds the values of [`STRETCH`] heaps, one node of the budget each; `look` is shown them while another thread goes on.
    pub fn advance(&mut self, meter: &mut Meter, look: impl FnOnce(&Window)) -> Result<(), Stop> {
        meter.spend(STRETCH as u64)?;
        let ahead = match self.ahead.take() {
            Some(ahead) => ahead,
            None => self.way.next(&self.now)?,
        };
        let before = std::mem::replace(&mut self.now, ahead);
        let window = &*self;
        let see = || window.way.holds(&window.now).inspect(|()| look(window));
        let (held, next) = if self.threads > 1 {
            std::thread::scope(|scope| {
                let next = || window.way.next(&window.now).ok();
                let next = std::thread::Builder::new().spawn_scoped(scope, next);
                // Without room for a thread it is found later.
                let joined =
                    |next: ScopedJoinHandle<'_, _>| next.join().unwrap_or_else(|why| resume_unwind(why));
                (see(), next.ok().and_then(joined))
            })
        } else {
            (see(), None)
        };
        match held {
            Ok(()) => self.ahead = next,
            Err(_) => self.now = before,
        }
        held
    }
}

/// Whether all these heaps are common, and of codes that are looked at.
pub(super) fn are_quiet(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| (COMMON..COMMON | CODES as u8).contains(byte))
}

impl Stretch {
    fn len(&self) -> usize {
        self.first + self.bytes.len()
    }
}

impl Way {
    /// The heaps behind a stretch, if none of them is rare.
    fn next(&self, before: &Stretch) -> Result<Stretch, Stop> {
        let from = (before.bytes.len() - self.width) & !1;
        let mut bytes = Vec::with_capacity(before.bytes.len() - from + STRETCH);
        bytes.extend(&before.bytes[from..]);
        let mut next = Stretch { first: before.first + from, bytes, planes: before.planes };
        for _ in 0..STRETCH / LANES {
            let here = next.bytes.len();
            let (last, _) = next.bytes[here - BACK..].as_chunks();
            loop {
                let reached = quiet::reached(self.simd, &next.bytes, here, &self.rare, next.planes);
                let found = self.brisk.fill(self.simd, &last[0], 0, &reached);
                let greatest = found[BACK..].iter().fold(0, |most, byte| (byte & !COMMON).max(most));
                if usize::from(greatest) < 8 * next.planes {
                    next.bytes.extend(&found[BACK..]);
                    break;
                }
                // Terms were not marked for such codes.
                next.planes *= 2;
                if 8 * next.planes > CODES {
                    return Err(Stop::Unsettled(next.len()));
                }
            }
        }
        Ok(next)
    }

    /// Whether no heap behind the window of a stretch is rare: each lower rare value is left.
    fn holds(&self, stretch: &Stretch) -> Result<(), Stop> {
        let Stretch { first, bytes, planes } = stretch;
        for start in (bytes.len() - STRETCH..bytes.len()).step_by(LANES) {
            let (known, odd) = (&bytes[..start + LANES], (first + start) % 2 == 1);
            let missing = quiet::missing(self.simd, known, odd, &self.witnesses, &self.below, *planes);
            let left = |place, code| {
                self.moves.pairs.iter().any(|(taken, _)| {
                    let (rest, most) = (place - taken, self.width - taken);
                    Kernel(self.simd).find(&self.small[1..=most], &bytes[rest - most..rest], code).is_some()
                })
            };
            let each = missing.iter().flat_map(|missing| missing.each());
            if let Some(lane) =
                each.filter(|(lane, code)| !left(start + lane, *code)).map(|(lane, _)| lane).next()
            {
                return Err(Stop::Unsettled(first + start + lane));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::{Sequence, TakeBreak};
    use bouton_core::Budget;

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    fn sequence(text: &str, len: usize) -> Sequence {
        let mut sequence = Sequence::new(TakeBreak::parse(text).unwrap()).on(1);
        sequence.extend(len, &mut meter()).unwrap();
        sequence
    }

    /// Against the engine that keeps all, with all instructions, on one thread and on two; from a state in the midst, too.
    #[test]
    fn windows_say_what_the_whole_history_says() {
        for (text, known) in
            [("0.106", 300_000), ("0.104", 300_001), ("0.77", 300_000), ("0.16", 400_001), ("0.454", 300_000)]
        {
            let long = 4_000_000;
            let whole = sequence(text, long);
            let start = sequence(text, known).settled().unwrap();
            assert_eq!(start.len(), known);
            for (simd, threads) in Simd::all().into_iter().flat_map(|simd| [(simd, 1), (simd, 2)]) {
                let mut window = start.clone().on(threads);
                window.way.simd = simd;
                let mut again: Option<Window> = None;
                while window.len() + STRETCH < long {
                    window.advance(&mut meter(), |_| ()).unwrap();
                    let (len, latest) = (window.len(), &window.now.bytes[window.now.bytes.len() - STRETCH..]);
                    let mut heaps = (len - STRETCH..len).zip(latest);
                    let differs = heaps.find(|(n, byte)| window.value(*n, **byte) != whole.value(*n));
                    assert_eq!(differs, None, "{text}");
                    if let Some(again) = &mut again {
                        again.advance(&mut meter(), |_| ()).unwrap();
                    } else if len > long / 2 {
                        again = Some(start.at(len, window.latest(window.width())));
                    }
                }
                let (again, width) = (again.unwrap(), window.width());
                assert_eq!(
                    (again.len(), again.latest(width)),
                    (window.len(), window.latest(width)),
                    "{text}"
                );
            }
        }
    }

    /// Rare heaps of late, values past a word, and short sequences have no window; a rare heap to come stops one.
    #[test]
    fn what_is_rare_stops_a_window() {
        assert!(sequence("0.165", 400_000).settled().is_none(), "one heap in ninety is rare");
        assert!(sequence("0.106", 150_000).settled().is_none(), "too short");
        // Without what witnesses its rare values, a heap may be rare.
        for (simd, witnesses) in Simd::all().into_iter().flat_map(|simd| [(simd, 0), (simd, 1)]) {
            let mut window = sequence("0.106", 300_000).settled().unwrap();
            window.way.simd = simd;
            window.way.witnesses.truncate(witnesses);
            window.way.small.iter_mut().for_each(|byte| *byte = 0x7F);
            let Err(Stop::Unsettled(heap)) = window.advance(&mut meter(), |_| ()) else {
                panic!("it is seen")
            };
            assert!(heap < 300_064, "{heap}");
            assert_eq!(window.len(), 300_000);
        }
        // With none to be marked all are looked for.
        let mut window = sequence("0.106", 300_000).settled().unwrap();
        let mut whole = window.clone();
        window.way.witnesses.clear();
        for window in [&mut window, &mut whole] {
            window.advance(&mut meter(), |_| ()).unwrap();
        }
        assert_eq!(window.latest(STRETCH), whole.latest(STRETCH));
    }
}
