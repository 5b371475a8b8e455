//! Continuation of a settled sequence in the memory of its window, for runs longer than any memory.
//!
//! Suppose that all rare heaps are small, and that each rare value that might be the least is left
//! by a move to a small heap and another one. Then a value follows from the few values before it,
//! the window, and older heaps can be forgotten, except the small ones that leave rare values.
//! First the least common value that rare heaps do not leave is computed for all heaps of a
//! stretch, as if no rare value were less. Then it is verified that all lower rare values are left;
//! a second thread may do this while the first goes on. A heap that fails the verification stops
//! the run: it may be rare, which only the whole history decides.
//!
//! Source: as in [`super::sparse`]. The proof that a window determines the sequence is in
//! [`super::period`].

use super::common_block::{self, RareBelow};
use super::common_run::{CommonRun, LOOKBACK, WORD_CODES};
use super::kernel::{Kernel, LANES, Term};
use super::moves::CodeMoves;
use super::space::{COMMON, SparseSpace};
use super::terms::Terms;
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;
use std::panic::resume_unwind;
use std::thread::ScopedJoinHandle;

/// Number of heaps that [`Window::advance`] adds.
pub const STRETCH: usize = 1 << 18;

/// Maximum number of sums marked at each heap to witness rare values.
const WITNESSES: usize = 128;

/// A nim-sequence from some heap on, of which the last values are known.
#[derive(Debug, Clone)]
pub struct Window {
    rules: WindowRules,
    now: WindowBytes,
    /// The next stretch, if no heap in it is rare.
    ahead: Option<WindowBytes>,
    threads: usize,
}

/// The rule by which values follow from those of a window.
#[derive(Debug, Clone)]
struct WindowRules {
    simd: Simd,
    moves: CodeMoves,
    space: SparseSpace,
    common_run: CommonRun,
    /// Terms of rare heaps, of shift 64 or more; and terms that witness rare values.
    rare: Vec<Term>,
    witnesses: Vec<Term>,
    below: Box<RareBelow>,
    width: usize,
    /// The bytes of the smallest heaps.
    small: Vec<u8>,
}

/// The bytes of a window, and of the heaps after it.
#[derive(Debug, Clone)]
struct WindowBytes {
    /// The first heap of the window; even, because bytes may depend on the parity of the size.
    first: usize,
    bytes: Vec<u8>,
    /// All codes so far are below eight times this number.
    planes: usize,
}

/// Reasons why a window does not advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowStop {
    /// The budget is exhausted.
    LimitReached(LimitReached),
    /// The value of this heap does not follow from the window.
    Unsettled(usize),
}

impl From<LimitReached> for WindowStop {
    fn from(spent: LimitReached) -> WindowStop {
        WindowStop::LimitReached(spent)
    }
}

impl Window {
    /// Creates a window of the last `width` of `bytes`, from the moves and the terms of long and
    /// short shift.
    ///
    /// `None` if the bytes are too few, too large, or rare.
    pub fn new(
        simd: Simd,
        moves: &CodeMoves,
        common_run: &CommonRun,
        terms: &Terms,
        bytes: &[u8],
        width: usize,
    ) -> Option<Window> {
        let within = |shift: u32| shift as usize <= width;
        // Two heaps left are a small one and a recent one, and differ.
        let enough =
            bytes.len() > 3 * width + LOOKBACK && terms.rare.iter().all(|term| within(term.shift));
        if !enough
            || !common_run.is_applicable(terms.planes)
            || !are_common(&bytes[bytes.len() - width..])
        {
            return None;
        }
        // Terms of larger codes reach no code that is marked.
        let small = |term: &&Term| usize::from(term.byte & !COMMON) < WORD_CODES;
        let near = |term: &&Term| within(term.shift) && small(term);
        let witnesses = terms.witnesses.iter().filter(near).take(WITNESSES);
        let below = [0, 1].map(|n| std::array::from_fn(|code| terms.below(n, code as u32) as u64));
        let rules = WindowRules {
            simd,
            moves: moves.clone(),
            space: terms.space.clone(),
            common_run: common_run.clone(),
            rare: terms.rare.iter().filter(small).copied().collect(),
            witnesses: common_run.witnesses().chain(witnesses.copied()).collect(),
            below: Box::new(RareBelow::new(below)),
            width,
            small: bytes[..=width].to_vec(),
        };
        let now = WindowBytes { first: 0, bytes: Vec::new(), planes: terms.planes };
        let window = Window { rules, now, ahead: None, threads: 1 };
        Some(window.moved_to(bytes.len(), &bytes[bytes.len() - width..]))
    }

    /// Sets the number of threads: one or two.
    pub fn with_threads(self, threads: usize) -> Window {
        Window { threads, ..self }
    }

    /// Returns the number of heaps computed, including those forgotten.
    pub fn len(&self) -> usize {
        self.now.len()
    }

    /// Returns `false`.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the number of preceding values that determine the next one.
    pub fn width(&self) -> usize {
        self.rules.width
    }

    /// Returns the bytes of the latest `count` heaps: at most the width, and a stretch more after
    /// an advance. [`Window::value`] decodes them.
    pub fn latest(&self, count: usize) -> &[u8] {
        &self.now.bytes[self.now.bytes.len() - count..]
    }

    /// Returns the window before a heap of the last stretch, or before the next heap.
    pub fn preceding(&self, heap: usize) -> &[u8] {
        let end = heap - self.now.first;
        &self.now.bytes[end - self.rules.width..end]
    }

    /// Returns the value of a byte at heap `n`.
    pub fn value(&self, n: usize, byte: u8) -> u32 {
        self.rules.space.decode(byte ^ self.rules.space.class_flip(n))
    }

    /// Returns the byte of a value at heap `n`.
    pub fn byte(&self, n: usize, value: u8) -> u8 {
        self.rules.space.encode(u32::from(value)) ^ self.rules.space.class_flip(n)
    }

    /// Returns whether bytes mean the same values at heaps a period apart.
    pub fn repeats_at(&self, period: usize) -> bool {
        self.rules.space.class_flip(0) == self.rules.space.class_flip(period)
    }

    /// Returns the same sequence at heap `len`, where `bytes`, as many as the width, are the last
    /// ones.
    pub fn moved_to(&self, len: usize, bytes: &[u8]) -> Window {
        assert_eq!(bytes.len(), self.rules.width, "a window");
        // The byte before the window is never read.
        let odd = (len - bytes.len()) % 2;
        let bytes: Vec<u8> =
            std::iter::repeat_n(COMMON, odd).chain(bytes.iter().copied()).collect();
        let now = WindowBytes { first: len - bytes.len(), bytes, planes: self.now.planes };
        Window { rules: self.rules.clone(), now, ahead: None, threads: self.threads }
    }

    /// Computes the values of [`STRETCH`] heaps, and charges one node of the budget for each.
    ///
    /// `look` receives the window while another thread continues.
    ///
    /// # Errors
    ///
    /// If the budget ends, or a value does not follow from the window.
    pub fn advance(
        &mut self,
        meter: &mut Meter,
        look: impl FnOnce(&Window),
    ) -> Result<(), WindowStop> {
        meter.spend(STRETCH as u64)?;
        let ahead = match self.ahead.take() {
            Some(ahead) => ahead,
            None => self.rules.next(&self.now)?,
        };
        let before = std::mem::replace(&mut self.now, ahead);
        let window = &*self;
        let see = || window.rules.verify(&window.now).inspect(|()| look(window));
        let (held, next) = if self.threads > 1 {
            std::thread::scope(|scope| {
                let next = || window.rules.next(&window.now).ok();
                let next = std::thread::Builder::new().spawn_scoped(scope, next);
                // If no thread can be started, the stretch is computed later.
                let joined = |next: ScopedJoinHandle<'_, _>| {
                    next.join().unwrap_or_else(|why| resume_unwind(why))
                };
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

/// Returns whether all these heaps are common, with codes that fit in a word.
pub(super) fn are_common(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| (COMMON..COMMON | WORD_CODES as u8).contains(byte))
}

impl WindowBytes {
    fn len(&self) -> usize {
        self.first + self.bytes.len()
    }
}

impl WindowRules {
    /// Computes the heaps after a stretch as if none of them were rare.
    fn next(&self, before: &WindowBytes) -> Result<WindowBytes, WindowStop> {
        let from = (before.bytes.len() - self.width) & !1;
        let mut bytes = Vec::with_capacity(before.bytes.len() - from + STRETCH);
        bytes.extend(&before.bytes[from..]);
        let mut next = WindowBytes { first: before.first + from, bytes, planes: before.planes };
        for _ in 0..STRETCH / LANES {
            let here = next.bytes.len();
            let (last, _) = next.bytes[here - LOOKBACK..].as_chunks();
            loop {
                let reached = common_block::reached_codes(
                    self.simd,
                    &next.bytes,
                    here,
                    &self.rare,
                    next.planes,
                );
                let found = self.common_run.fill(self.simd, &last[0], 0, &reached);
                let greatest =
                    found[LOOKBACK..].iter().fold(0, |most, byte| (byte & !COMMON).max(most));
                if usize::from(greatest) < 8 * next.planes {
                    next.bytes.extend(&found[LOOKBACK..]);
                    break;
                }
                // The terms were not marked for such codes.
                next.planes *= 2;
                if 8 * next.planes > WORD_CODES {
                    return Err(WindowStop::Unsettled(next.len()));
                }
            }
        }
        Ok(next)
    }

    /// Verifies that no heap after the window of a stretch is rare: each lower rare value is left.
    fn verify(&self, stretch: &WindowBytes) -> Result<(), WindowStop> {
        let WindowBytes { first, bytes, planes } = stretch;
        for start in (bytes.len() - STRETCH..bytes.len()).step_by(LANES) {
            let (known, odd) = (&bytes[..start + LANES], (first + start) % 2 == 1);
            let missing = common_block::unwitnessed(
                self.simd,
                known,
                odd,
                &self.witnesses,
                &self.below,
                *planes,
            );
            let left = |place, code| {
                self.moves.pairs.iter().any(|(taken, _)| {
                    let (rest, most) = (place - taken, self.width - taken);
                    Kernel(self.simd)
                        .find(&self.small[1..=most], &bytes[rest - most..rest], code)
                        .is_some()
                })
            };
            let each = missing.iter().flat_map(|missing| missing.each());
            if let Some(lane) =
                each.filter(|(lane, code)| !left(start + lane, *code)).map(|(lane, _)| lane).next()
            {
                return Err(WindowStop::Unsettled(first + start + lane));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::{Sequence, TakeAndBreakCode};
    use bouton_core::Budget;

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    fn sequence(text: &str, len: usize) -> Sequence {
        let mut sequence = Sequence::new(TakeAndBreakCode::parse(text).unwrap()).with_threads(1);
        sequence.extend(len, &mut meter()).unwrap();
        sequence
    }

    /// Against the engine that keeps all, with all instructions, on one thread and on two; from a
    /// state in the midst, too.
    #[test]
    fn windows_say_what_the_whole_history_says() {
        for (text, known) in [
            ("0.106", 300_000),
            ("0.104", 300_001),
            ("0.77", 300_000),
            ("0.16", 400_001),
            ("0.454", 300_000),
        ] {
            let long = 4_000_000;
            let whole = sequence(text, long);
            let start = sequence(text, known).settled_window().unwrap();
            assert_eq!(start.len(), known);
            for (simd, threads) in Simd::all().into_iter().flat_map(|simd| [(simd, 1), (simd, 2)]) {
                let mut window = start.clone().with_threads(threads);
                window.rules.simd = simd;
                let mut again: Option<Window> = None;
                while window.len() + STRETCH < long {
                    window.advance(&mut meter(), |_| ()).unwrap();
                    let (len, latest) =
                        (window.len(), &window.now.bytes[window.now.bytes.len() - STRETCH..]);
                    let mut heaps = (len - STRETCH..len).zip(latest);
                    let differs =
                        heaps.find(|(n, byte)| window.value(*n, **byte) != whole.value(*n));
                    assert_eq!(differs, None, "{text}");
                    if let Some(again) = &mut again {
                        again.advance(&mut meter(), |_| ()).unwrap();
                    } else if len > long / 2 {
                        again = Some(start.moved_to(len, window.latest(window.width())));
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

    /// Rare heaps of late, values past a word, and short sequences have no window; a rare heap to
    /// come stops one.
    #[test]
    fn what_is_rare_stops_a_window() {
        assert!(
            sequence("0.165", 400_000).settled_window().is_none(),
            "one heap in ninety is rare"
        );
        assert!(sequence("0.106", 150_000).settled_window().is_none(), "too short");
        // Without what witnesses its rare values, a heap may be rare.
        for (simd, witnesses) in Simd::all().into_iter().flat_map(|simd| [(simd, 0), (simd, 1)]) {
            let mut window = sequence("0.106", 300_000).settled_window().unwrap();
            window.rules.simd = simd;
            window.rules.witnesses.truncate(witnesses);
            window.rules.small.iter_mut().for_each(|byte| *byte = 0x7F);
            let Err(WindowStop::Unsettled(heap)) = window.advance(&mut meter(), |_| ()) else {
                panic!("it is seen")
            };
            assert!(heap < 300_064, "{heap}");
            assert_eq!(window.len(), 300_000);
        }
        // With none to be marked all are looked for.
        let mut window = sequence("0.106", 300_000).settled_window().unwrap();
        let mut whole = window.clone();
        window.rules.witnesses.clear();
        for window in [&mut window, &mut whole] {
            window.advance(&mut meter(), |_| ()).unwrap();
        }
        assert_eq!(window.latest(STRETCH), whole.latest(STRETCH));
    }
}
