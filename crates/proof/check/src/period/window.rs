//! Windows of sequences too long to be kept: values from some heap on, each from those of the window before it alone.
//!
//! Stretch by stretch: one thread finds the least common value of each heap that rare heaps do not leave, as if no heap were
//! rare; another one shows, of the stretch before, that none is, and compares. What terms strike out is looked at for 64
//! heaps at a time. To find witnesses, those that served lately are tried first, then all there are.

use super::{Sparse, stopped};
use crate::Rejected;
use crate::work::{Reason, Work};
use std::cell::Cell;
use std::collections::BinaryHeap;
use std::iter;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

/// What is said of a window: its width, where the period's heaps begin, and from which heap on values follow from it.
#[derive(Clone, Copy)]
pub struct Window {
    pub line: usize,
    pub width: usize,
    pub from: usize,
    pub since: usize,
}

/// Values are below this: a set of them is a word.
const VALUES: u8 = 64;

/// Heaps that are found before they are shown to be common.
const STRETCH: usize = 1 << 18;

/// Heaps that are looked at together.
const BLOCK: usize = 64;

/// Stretches between two choices of witnesses, heaps that these are chosen by, the greatest small heap among them, and their number.
const AGAIN: usize = 1 << 12;
const SAMPLE: usize = 1 << 11;
const SMALL: usize = 1 << 12;
const WITNESSES: usize = 96;

/// Witnesses tried between two looks, and how many heaps of a block without one are looked at one by one.
const LOT: usize = 8;
const FEW: u32 = 1;

/// Heaps, and pairs of a move, between two charges.
const PIECE: usize = 1 << 12;
const PAIRS: usize = 1 << 10;

/// A small heap and a heap so far back are left by a move: `byte` is the small one's value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Term {
    back: usize,
    byte: u8,
}

/// A set of values below 64, or of those below 32 among them: four bytes do.
trait Set: Copy + Into<u64> {
    fn of(values: u64) -> Self;
    fn without(self, value: u8) -> Self;
    /// Those below a value that there may be in such a set.
    fn below(self, value: u8) -> Self;
    fn is_empty(self) -> bool;
}

impl Set for u32 {
    #[inline(always)]
    fn of(values: u64) -> u32 {
        values as u32
    }
    #[inline(always)]
    fn without(self, value: u8) -> u32 {
        self & !1u32.checked_shl(value.into()).unwrap_or(0)
    }
    #[inline(always)]
    fn below(self, value: u8) -> u32 {
        self & ((1 << (value % 32)) - 1)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == 0
    }
}

impl Set for u64 {
    #[inline(always)]
    fn of(values: u64) -> u64 {
        values
    }
    #[inline(always)]
    fn without(self, value: u8) -> u64 {
        self & !(1 << (value % VALUES))
    }
    #[inline(always)]
    fn below(self, value: u8) -> u64 {
        self & ((1 << (value % VALUES)) - 1)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == 0
    }
}

/// What all stretches have in common.
struct Way<'s> {
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code))]
    processor: Processor,
    pairs: &'s [usize],
    width: usize,
    /// Heaps in a stretch, and steps that each of them is charged.
    stretch: usize,
    steps: usize,
    /// The values of the small heaps, 1 last.
    small: Vec<u8>,
    /// Terms whose sums are common, from before the block and within it; those whose sums are rare.
    far: Vec<Term>,
    near: Vec<Term>,
    rare: Vec<Term>,
    /// The common values of even and of odd heaps.
    commons: [u64; 2],
}

/// The values of a window and of the heaps behind it, then of no heap those of a block.
struct Stretch {
    /// The first heap behind the window, and how many there are.
    start: usize,
    count: usize,
    bytes: Vec<u8>,
}

/// Instructions that are there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Processor {
    Any,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Processor {
    /// All that this one is, the best last.
    fn all() -> Vec<Processor> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut all = vec![Processor::Any];
        #[cfg(target_arch = "x86_64")]
        {
            let bits = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
            if bits && is_x86_feature_detected!("avx2") {
                all.push(Processor::Avx2);
                let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
                if wide && is_x86_feature_detected!("avx512vl") {
                    all.push(Processor::Avx512);
                }
            }
        }
        all
    }
}

/// A function, and the same compiled for each processor.
macro_rules! compiled {
    ($name:ident $(<$set:ident>)? ($way:ident $(, $given:ident: $kind:ty)*) -> $out:ty = $same:ident, $most:literal, $more:literal) => {
        fn $name $(<$set: Set>)? ($way: &Way<'_> $(, $given: $kind)*) -> $out {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = $most)]
                fn avx512 $(<$set: Set>)? ($way: &Way<'_> $(, $given: $kind)*) -> $out {
                    $same($way $(, $given)*)
                }
                #[target_feature(enable = $more)]
                fn avx2 $(<$set: Set>)? ($way: &Way<'_> $(, $given: $kind)*) -> $out {
                    $same($way $(, $given)*)
                }
                match $way.processor {
                    // SAFETY: the processor has these instructions, see `Processor::all`.
                    Processor::Avx512 => return unsafe { avx512($way $(, $given)*) },
                    // SAFETY: the same.
                    Processor::Avx2 => return unsafe { avx2($way $(, $given)*) },
                    Processor::Any => (),
                }
            }
            $same($way $(, $given)*)
        }
    };
    ($($vectors:tt)*) => {
        compiled!($($vectors)*, "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2", "avx2,bmi1,bmi2");
    };
}

compiled!(unreached<S>(way, bytes: &[u8], here: usize, heap: usize) -> [S; BLOCK] = unreached_here);
compiled!(lacking(way, stretch: &Stretch, places: Range<usize>, terms: &[Term]) -> Vec<(usize, u64)> = lacking_here);
compiled!(seek(way, stretch: &Stretch, place: usize, from: usize, open: u64) -> u64 = seek_here);
// One heap after the other: vectors would be in the way.
compiled!(fill<S>(way, bytes: &mut [u8], here: usize, sets: &[S; BLOCK]) -> bool = fill_here, "bmi1,bmi2", "bmi1,bmi2");

/// Strikes out the sums of the terms at the heaps of a block.
#[inline(always)]
fn strike<S: Set>(bytes: &[u8], here: usize, terms: &[Term], sets: &mut [S; BLOCK]) {
    let row = |term: &Term| &bytes[here - term.back..][..BLOCK];
    let (fours, others) = terms.as_chunks::<4>();
    for [a, b, c, d] in fours {
        let (in_a, in_b, in_c, in_d) = (row(a), row(b), row(c), row(d));
        for i in 0..BLOCK {
            let set = sets[i].without(in_a[i] ^ a.byte).without(in_b[i] ^ b.byte);
            sets[i] = set.without(in_c[i] ^ c.byte).without(in_d[i] ^ d.byte);
        }
    }
    for term in others {
        let row = row(term);
        for i in 0..BLOCK {
            sets[i] = sets[i].without(row[i] ^ term.byte);
        }
    }
}

/// The sets of even and odd heaps, in the order of a block.
#[inline(always)]
fn by_turns<S: Set>(values: [u64; 2], heap: usize) -> [S; BLOCK] {
    let turns = [S::of(values[heap % 2]), S::of(values[(heap + 1) % 2])];
    let mut sets = [turns[0]; BLOCK];
    sets.as_chunks_mut::<2>().0.fill(turns);
    sets
}

/// The common values that terms from before the block do not reach.
#[inline(always)]
fn unreached_here<S: Set>(way: &Way<'_>, bytes: &[u8], here: usize, heap: usize) -> [S; BLOCK] {
    let mut sets = by_turns(way.commons, heap);
    strike(bytes, here, &way.far, &mut sets);
    sets
}

/// The least of these values, or 64, that terms from within the block do not reach either; whether each heap has one.
#[inline(always)]
fn fill_here<S: Set>(way: &Way<'_>, bytes: &mut [u8], here: usize, sets: &[S; BLOCK]) -> bool {
    let cells = Cell::from_mut(bytes).as_slice_of_cells();
    // Few terms lie in registers.
    macro_rules! few {
        ($($count:literal)*) => {
            match way.near.len() {
                $($count => {
                    let terms: [&Term; $count] = std::array::from_fn(|j| &way.near[j]);
                    fill_by(&terms.map(|term| (row(cells, here - term.back), term.byte)), row(cells, here), sets)
                })*
                _ => {
                    let rows = way.near.iter().map(|term| (row(cells, here - term.back), term.byte));
                    fill_by(&rows.collect::<Vec<_>>(), row(cells, here), sets)
                }
            }
        };
    }
    few!(0 1 2 3 4 5 6 7 8)
}

type Row<'b> = &'b [Cell<u8>; BLOCK];

#[inline(always)]
fn row(cells: &[Cell<u8>], from: usize) -> Row<'_> {
    cells[from..].first_chunk().expect("a block and one behind it")
}

#[inline(always)]
fn fill_by<S: Set>(terms: &[(Row<'_>, u8)], found: Row<'_>, sets: &[S; BLOCK]) -> bool {
    let mut all = true;
    for i in 0..BLOCK {
        let mut set: u64 = sets[i].into();
        for (row, byte) in terms {
            set = set.without(row[i].get() ^ byte);
        }
        all &= set != 0;
        found[i].set(set.trailing_zeros() as u8);
    }
    all
}

/// The heaps of a stretch with the lower rare values that these terms do not reach, as places in it.
#[inline(always)]
fn lacking_here(way: &Way<'_>, stretch: &Stretch, places: Range<usize>, terms: &[Term]) -> Vec<(usize, u64)> {
    let mut lacking = Vec::new();
    for place in places.step_by(BLOCK) {
        let bytes = &stretch.bytes[way.width + place..][..BLOCK];
        if bytes.iter().fold(0, |all, byte| all | byte) < 32 {
            lacking_in_block::<u32>(way, stretch, place, terms, &mut lacking);
        } else {
            lacking_in_block::<u64>(way, stretch, place, terms, &mut lacking);
        }
    }
    lacking
}

#[inline(always)]
fn lacking_in_block<S: Set>(
    way: &Way<'_>,
    stretch: &Stretch,
    place: usize,
    terms: &[Term],
    lacking: &mut Vec<(usize, u64)>,
) {
    let here = way.width + place;
    let mut sets: [S; BLOCK] = by_turns(way.commons.map(|commons| !commons), stretch.start + place);
    let values = &stretch.bytes[here..][..BLOCK];
    for i in 0..BLOCK {
        sets[i] = sets[i].below(values[i]);
    }
    let heaps = BLOCK.min(stretch.count - place);
    sets[heaps..].fill(S::of(0));
    strike(&stretch.bytes, here, &way.rare, &mut sets);
    for lot in terms.chunks(LOT) {
        let open: u32 = sets.iter().map(|set| u32::from(!set.is_empty())).sum();
        if open <= FEW {
            break;
        }
        strike(&stretch.bytes, here, lot, &mut sets);
    }
    for (sets, place) in sets.chunks(8).zip((place..).step_by(8)) {
        if sets.iter().any(|set| !set.is_empty()) {
            let open = sets.iter().zip(place..).filter(|(set, _)| !set.is_empty());
            lacking.extend(open.map(|(set, place)| (place, (*set).into())));
        }
    }
}

/// What is open of the values at a heap without the sums of its pairs: of each move those of the small heaps behind `from`, [`PAIRS`].
#[inline(always)]
fn seek_here(way: &Way<'_>, stretch: &Stretch, place: usize, from: usize, mut open: u64) -> u64 {
    for first in (from..from + PAIRS).step_by(BLOCK) {
        for taken in way.pairs {
            let others = &stretch.bytes[place..][..way.width - taken];
            let small = &way.small[*taken..];
            let end = small.len().saturating_sub(first);
            let begin = end.saturating_sub(BLOCK);
            let mut met = 0;
            for (a, b) in small[begin..end].iter().zip(&others[begin..end]) {
                met |= 1 << ((a ^ b) % VALUES);
            }
            open &= !met;
        }
        if open == 0 {
            break;
        }
    }
    open
}

impl Stretch {
    fn end(&self) -> usize {
        self.start + self.count
    }
}

impl Way<'_> {
    /// The stretch behind another one, up to heap `end` or one that has no common value; that heap, where it would be the first.
    fn next(&self, before: &Stretch, end: usize) -> Result<Stretch, usize> {
        let (start, known) = (before.end(), &before.bytes[before.count..][..self.width]);
        let count = self.stretch.min(end - start);
        let mut bytes = Vec::with_capacity(self.width + count + BLOCK);
        bytes.extend(known);
        bytes.resize(self.width + count + BLOCK, 0);
        for place in (0..count).step_by(BLOCK) {
            let (here, heap) = (self.width + place, start + place);
            let low: [u32; BLOCK] = unreached(self, &bytes, here, heap);
            if fill(self, &mut bytes, here, &low) {
                continue;
            }
            let all: [u64; BLOCK] = unreached(self, &bytes, here, heap);
            let past = |value: &u8| *value == VALUES;
            if !fill(self, &mut bytes, here, &all)
                && let Some(lane) = bytes[here..].iter().take(count - place).position(past)
            {
                let count = place + lane;
                return if count > 0 { Ok(Stretch { start, count, bytes }) } else { Err(heap) };
            }
        }
        Ok(Stretch { start, count, bytes })
    }

    /// Terms that serve for the first heaps of a stretch, those first that serve most heaps still without. They may serve less
    /// later; then other pairs are looked for.
    fn choose(&self, stretch: &Stretch, work: &mut Work<'_>) -> Result<Vec<Term>, Reason> {
        let count = stretch.count.min(SAMPLE);
        let mut open = vec![0; count];
        for (place, values) in lacking(self, stretch, 0..count, &[]) {
            open.get_mut(place).into_iter().for_each(|open| *open = values);
        }
        let sums =
            |term: Term| stretch.bytes[self.width - term.back..].iter().map(move |value| value ^ term.byte);
        let terms = self.pairs.iter().flat_map(|taken| {
            let small = self.small.iter().rev().zip(1..).take(SMALL.min(self.width - taken));
            small.map(move |(byte, heap)| Term { back: heap + taken, byte: *byte })
        });
        // What a term gains only falls.
        let mut best: BinaryHeap<(u64, Term)> = terms.map(|term| (u64::MAX, term)).collect();
        let mut chosen = Vec::new();
        while chosen.len() < WITNESSES
            && let Some((_, term)) = best.pop()
        {
            work.spend(count)?;
            let gained = open.iter().zip(sums(term)).map(|(set, sum)| set >> (sum % VALUES) & 1).sum();
            if best.peek().is_some_and(|(most, _)| *most > gained) {
                best.push((gained, term));
            } else if gained == 0 {
                break;
            } else {
                open.iter_mut().zip(sums(term)).for_each(|(set, sum)| *set = set.without(sum));
                chosen.push(term);
            }
        }
        Ok(chosen)
    }

    /// The first heap of a stretch that has not all its lower rare values as sums within the window.
    fn unshown(
        &self,
        stretch: &Stretch,
        witnesses: &[Term],
        work: &mut Work<'_>,
    ) -> Result<Option<usize>, Reason> {
        for from in (0..stretch.count).step_by(PIECE) {
            let places = from..stretch.count.min(from + PIECE);
            work.spend(places.len() * self.steps)?;
            for (place, mut open) in lacking(self, stretch, places, witnesses) {
                for first in (0..self.width).step_by(PAIRS) {
                    if open == 0 {
                        break;
                    }
                    work.spend(PAIRS / 4 * self.pairs.len())?;
                    open = seek(self, stretch, place, first, open);
                }
                if open != 0 {
                    return Ok(Some(stretch.start + place));
                }
            }
        }
        Ok(None)
    }
}

impl Sparse<'_> {
    /// Goes on from the values of heaps 0..`since` to where the window closes: each heap must be common, for reasons within the
    /// window, and those from `preperiod` on to the end of the first window must have the value they have a period later.
    pub fn go_on(
        &self,
        values: &[u16],
        window: Window,
        [preperiod, period]: [usize; 2],
        work: &mut Work<'_>,
    ) -> Result<(), Rejected> {
        let (way, before) = self.way(values, window, work)?;
        let threads = thread::available_parallelism().map_or(1, usize::from);
        way.go_on(Arc::new(before), values, window, [preperiod, period], threads, work)
    }

    /// How values follow from a window, and the first one.
    fn way(
        &self,
        values: &[u16],
        window: Window,
        work: &mut Work<'_>,
    ) -> Result<(Way<'_>, Stretch), Rejected> {
        let Window { line, width, since, .. } = window;
        let bytes = |heaps: Range<usize>| heaps.map(|n| byte(values, n)).collect::<Result<Vec<u8>, _>>();
        // What is left by a move is a small heap and one of the window, and these are not equal.
        let (mut small, latest) = (bytes(1..width + 1)?, bytes(since - width..since)?);
        small.reverse();
        // Heap 0 is left by moves that leave one heap; others leave rare ones.
        let singles = self.digits.iter().enumerate().filter(|(_, digit)| digit.bits & 2 != 0);
        let mut terms: Vec<Term> = singles.map(|(back, _)| Term { back, byte: 0 }).collect();
        for rare in (1..since).filter(|n| !self.is_common(values[*n], *n)) {
            work.hold(16 * self.pairs.len()).map_err(stopped)?;
            for taken in &self.pairs {
                let back = rare + taken;
                if back > width {
                    let reason = format!("heap {rare} is rare, too near the window's end");
                    return Err(Rejected::new(line, reason));
                }
                terms.push(Term { back, byte: small[width - rare] });
            }
        }
        let common = |value: u8, n: usize| self.is_common(value.into(), n);
        // All heaps of the window are common, so the class of a term's sums is always one.
        let one = |n: usize| (0..VALUES).find(|value| common(*value, n));
        let ends_common =
            |term: &Term| one(term.back).is_some_and(|value| common(value ^ term.byte, 2 * term.back));
        let (ends, rare): (Vec<Term>, _) = terms.into_iter().partition(ends_common);
        let (far, near): (Vec<Term>, Vec<Term>) = ends.into_iter().partition(|term| term.back >= BLOCK);
        let many = far.len() / 64 + near.len() / 8 + 1;
        let way = Way {
            processor: Processor::all().pop().unwrap_or(Processor::Any),
            pairs: &self.pairs,
            width,
            small,
            stretch: (STRETCH / many).next_multiple_of(BLOCK).max(BLOCK),
            steps: 8 + near.len() + (far.len() + rare.len()) / 2,
            far,
            near,
            rare,
            commons: [0, 1].map(|n| {
                (0..VALUES).filter(|value| common(*value, n)).fold(0, |set, value| set | 1 << value)
            }),
        };
        Ok((way, Stretch { start: since, count: 0, bytes: latest }))
    }
}

/// A value as a byte.
fn byte(values: &[u16], n: usize) -> Result<u8, Rejected> {
    u8::try_from(values[n]).ok().filter(|value| *value < VALUES).ok_or_else(|| past(n))
}

fn past(n: usize) -> Rejected {
    Rejected::new(0, format!("heap {n} has a value past {}", VALUES - 1))
}

impl Way<'_> {
    /// [`Sparse::go_on`] from the first window, on one thread or two.
    fn go_on(
        &self,
        before: Arc<Stretch>,
        values: &[u16],
        window: Window,
        [preperiod, period]: [usize; 2],
        threads: usize,
        work: &mut Work<'_>,
    ) -> Result<(), Rejected> {
        let Window { width, from, since, .. } = window;
        let end = from + period;
        // Stretches at work, waiting, and looked at.
        work.hold(5 * (width + self.stretch + BLOCK) + (from - preperiod)).map_err(stopped)?;
        let differ =
            |n: usize| Rejected::new(0, format!("heaps {} and {n} have different values", n - period));
        if let Some(n) = (preperiod + period..since).find(|n| values[*n] != values[n - period]) {
            return Err(differ(n));
        }
        let mut kept = (preperiod..since).map(|n| byte(values, n)).collect::<Result<Vec<u8>, _>>()?;
        let (mut witnesses, mut round) = (Vec::new(), 0);
        let mut seen = since;
        let mut see = |next: Result<Arc<Stretch>, usize>| {
            let stretch = next.map_err(past)?;
            if round % AGAIN == 0 {
                witnesses = self.choose(&stretch, work).map_err(stopped)?;
            }
            round += 1;
            let unshown = self.unshown(&stretch, &witnesses, work).map_err(stopped)?;
            seen = unshown.unwrap_or(stretch.end());
            let found = |heaps: Range<usize>| {
                let begin = heaps.start.clamp(stretch.start, seen);
                let end = heaps.end.clamp(begin, seen);
                (begin, &stretch.bytes[width..][begin - stretch.start..end - stretch.start])
            };
            kept.extend(found(preperiod..from).1);
            let (first, later) = found(preperiod + period..end);
            let place = first.saturating_sub(preperiod + period);
            let earlier = kept.get(place..place + later.len()).unwrap_or(&[]);
            if earlier != later {
                let same = later.iter().zip(earlier).take_while(|(later, earlier)| later == earlier).count();
                return Err(differ(first + same));
            }
            match unshown {
                None => Ok(()),
                Some(n) => {
                    let reason = format!("heap {n} is rare, or is common for reasons past the window");
                    Err(Rejected::new(0, reason))
                }
            }
        };
        let stretches = || {
            let mut latest = Some(before.clone());
            iter::from_fn(move || {
                let before = latest.take().filter(|before| before.end() < end)?;
                let next = self.next(&before, end).map(Arc::new);
                latest = next.clone().ok();
                Some(next)
            })
        };
        thread::scope(|scope| {
            let (send, receive) = sync_channel(1);
            let stretches = &stretches;
            let make = move || stretches().try_for_each(|next| send.send(next)).is_ok();
            let made = (threads > 1 && !cfg!(target_family = "wasm"))
                .then(|| thread::Builder::new().spawn_scoped(scope, make));
            match made {
                Some(Ok(_)) => receive.into_iter().try_for_each(&mut see),
                // There is one processor, or no room for a thread.
                _ => stretches().try_for_each(&mut see),
            }
        })?;
        match seen == end {
            true => Ok(()),
            false => Err(Rejected::new(0, "not all heaps were looked at: a fault of this checker")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Digit, code, plain};
    use super::*;
    use crate::Limits;

    /// What is to be shown by [`Sparse::go_on`], heap by heap with all pairs; and the values until that fails.
    fn plainly(
        sparse: &Sparse<'_>,
        values: &[u16],
        Window { line, width, from, since }: Window,
        [preperiod, period]: [usize; 2],
    ) -> (Vec<u8>, Result<(), Rejected>) {
        let mut found: Vec<u8> = values.iter().map(|value| *value as u8).collect();
        let end = |found: &[u8], why: Rejected| (found[since..].to_vec(), Err(why));
        let rares: Vec<usize> = (1..since).filter(|n| !sparse.is_common(values[*n], *n)).collect();
        if let Some(rare) = rares.iter().find(|rare| sparse.pairs.iter().any(|taken| *rare + taken > width)) {
            return end(
                &found,
                Rejected::new(line, format!("heap {rare} is rare, too near the window's end")),
            );
        }
        let differ = |found: &[u8], n: usize| n >= preperiod + period && found[n] != found[n - period];
        let why = |n: usize| Rejected::new(0, format!("heaps {} and {n} have different values", n - period));
        if let Some(n) = (0..since).find(|n| differ(&found, *n)) {
            return end(&found, why(n));
        }
        for n in since..from + period {
            let mut seen = 0u64;
            for (taken, digit) in sparse.digits.iter().enumerate() {
                if digit.bits & 2 != 0 {
                    seen |= 1 << found[n - taken];
                }
                if digit.bits & 4 != 0 {
                    rares.iter().for_each(|rare| seen |= 1 << (found[*rare] ^ found[n - taken - rare]));
                }
            }
            let common = |value: &u8| sparse.is_common(u16::from(*value), n);
            let Some(value) = (0..VALUES).find(|value| common(value) && seen >> value & 1 == 0) else {
                return end(&found, past(n));
            };
            let mut open = !seen & ((1 << value) - 1);
            for taken in &sparse.pairs {
                for a in 1..=width - taken {
                    if open == 0 {
                        break;
                    }
                    open &= !(1 << (found[a] ^ found[n - taken - a]));
                }
            }
            if open != 0 {
                let why = format!("heap {n} is rare, or is common for reasons past the window");
                return end(&found, Rejected::new(0, why));
            }
            found.push(value);
            if differ(&found, n) {
                return end(&found, why(n));
            }
        }
        (found[since..].to_vec(), Ok(()))
    }

    /// The space that leaves the fewest of the first heaps rare, and these.
    fn space(digits: &[Digit]) -> Option<((u32, bool), Vec<usize>)> {
        let values = plain(digits, 400, &mut Work::new(&Limits::default(), &mut || true)).ok()?;
        let spaces = (1..32).flat_map(|mask| [(mask, false), (mask, true)]);
        let rares = spaces.filter_map(|(mask, by_position)| {
            let sparse = Sparse::new(digits, mask, by_position).ok()?;
            let rares = (1..400).filter(|n| !sparse.is_common(values[*n], *n)).collect();
            Some(((mask, by_position), rares))
        });
        rares.min_by_key(|(_, rares): &(_, Vec<usize>)| rares.len())
    }

    /// With all instructions, stretches short and long and one thread or two the same is found and said as heap by heap; in words.
    fn said(sparse: &Sparse<'_>, values: &[u16], [width, from]: [usize; 2], claim: [usize; 2]) -> String {
        let (limits, mut go_on) = (Limits::default(), || true);
        let work = &mut Work::new(&limits, &mut go_on);
        let window = Window { line: 9, width, from, since: values.len() };
        let (found, expected) = plainly(sparse, values, window, claim);
        let words = expected.clone().err().map_or("right".to_owned(), |why| why.to_string());
        let told = format!("{:?} {} {width} {from} {claim:?}: {words}", sparse.pairs, sparse.mask);
        for processor in Processor::all() {
            for (stretch, threads) in [(BLOCK, 1), (5 * BLOCK, 2), (STRETCH, 2)] {
                let (mut way, before) = match sparse.way(values, window, work) {
                    Ok(way) => way,
                    Err(why) => {
                        assert_eq!(Err(why), expected, "{told}");
                        return words;
                    }
                };
                (way.processor, way.stretch) = (processor, stretch);
                let before = Arc::new(before);
                let mut latest = before.clone();
                let mut left = &found[..];
                while !left.is_empty() {
                    latest = Arc::new(way.next(&latest, from + claim[1]).expect("a stretch"));
                    let (these, others) = left.split_at(latest.count.min(left.len()));
                    assert_eq!(
                        &latest.bytes[width..][..these.len()],
                        these,
                        "{processor:?} {stretch} {told}"
                    );
                    left = others;
                }
                let said = way.go_on(before, values, window, claim, threads, work);
                assert_eq!(said, expected, "{processor:?} {stretch} {threads} {told}");
            }
        }
        words
    }

    /// [`said`] of a game.
    fn of(
        text: &str,
        (mask, by_position): (u32, bool),
        heaps: [usize; 3],
        claim: [usize; 2],
    ) -> Option<String> {
        let digits = code(text).ok()?;
        let sparse = Sparse::new(&digits, mask, by_position).ok()?;
        let [width, since, from] = heaps;
        let values = sparse.values(since, None, &mut Work::new(&Limits::default(), &mut || true)).ok()?;
        let small = values.iter().all(|value| *value < VALUES.into());
        small.then(|| said(&sparse, &values, [width, from], claim))
    }

    fn random() -> impl FnMut(usize) -> usize {
        let mut state = 1u64;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        }
    }

    /// What is said, by its words.
    #[derive(Default)]
    struct Seen(std::collections::BTreeMap<String, usize>);

    impl Seen {
        fn add(&mut self, said: &str) {
            *self.0.entry(said.replace(|c: char| c.is_ascii_digit(), "")).or_insert(0) += 1;
        }

        fn times(&self, word: &str) -> usize {
            self.0.iter().filter(|(said, _)| said.contains(word)).map(|(_, times)| times).sum()
        }
    }

    #[test]
    fn found_and_said_as_heap_by_heap() {
        let (value, turns) = (|mask| (mask, false), |mask| (mask, true));
        for (text, space, heaps, claim, expected) in [
            ("0.77", value(15), [80, 300, 300], [71, 12], "right"),
            ("0.77", value(15), [90, 301, 365], [130, 12 * 999], "right"),
            ("0.16", value(30), [33_000, 100_000, 138_351], [105_351, 149_459], "right"),
            (
                "0.16",
                value(30),
                [33_000, 100_000, 138_350],
                [105_350, 149_459],
                "rejected: heaps 105350 and 254809 have different values",
            ),
            (
                "0.16",
                value(30),
                [33_000, 100_001, 138_351],
                [105_351, 149_457],
                "rejected: heaps 105351 and 254808 have different values",
            ),
            (
                "0.16",
                value(30),
                [1000, 100_001, 138_351],
                [105_351, 149_459],
                "rejected at line 9: heap 1162 is rare, too near the window's end",
            ),
            ("0.77", value(15), [74, 300, 300], [71, 12], "right"),
            ("0.77", value(15), [72, 300, 300], [71, 12], "right"),
            (
                "0.77",
                value(15),
                [71, 300, 300],
                [71, 12],
                "rejected at line 9: heap 70 is rare, too near the window's end",
            ),
            ("0.77", value(15), [80, 300, 300], [70, 12], "rejected: heaps 70 and 82 have different values"),
            (
                "0.77",
                value(15),
                [80, 300, 300],
                [71, 12_006],
                "rejected: heaps 71 and 12077 have different values",
            ),
            // Behind 101, 320 is rare.
            (
                "0.106",
                turns(13),
                [104, 320, 500],
                [390, 12],
                "rejected: heap 320 is rare, or is common for reasons past the window",
            ),
            (
                "0.106",
                turns(13),
                [1106, 3400, 5000],
                [3000, 12_000],
                "rejected: heap 4124 is rare, or is common for reasons past the window",
            ),
            (
                "0.106",
                turns(13),
                [20_000, 60_001, 80_001],
                [60_000, 300_000],
                "rejected: heaps 60001 and 360001 have different values",
            ),
            (
                "0.104",
                turns(23),
                [20_000, 60_001, 80_001],
                [60_000, 100_000],
                "rejected: heaps 60000 and 160000 have different values",
            ),
            (
                "0.454",
                value(29),
                [2000, 6001, 8001],
                [6000, 12_000],
                "rejected at line 9: heap 2525 is rare, too near the window's end",
            ),
        ] {
            let said = of(text, space, heaps, claim).expect("a window");
            assert_eq!(said, expected, "{text} {heaps:?} {claim:?}");
        }
    }

    /// Of random codes, too.
    #[test]
    fn random_codes_as_heap_by_heap() {
        let mut random = random();
        let mut seen = Seen::default();
        for _ in 0..1000 {
            let digits = 2 + random(8);
            let text: String = (0..digits).map(|_| char::from(b'0' + random(8) as u8)).collect();
            let text = format!("0.{text}");
            let Some((space, rares)) = code(&text).ok().and_then(|digits| space(&digits)) else { continue };
            // Up to some heap that is rare, or to any.
            let last = rares.get(random(20)).copied().unwrap_or(random(200));
            let width = last + 10 + random(30);
            let since = 3 * width + 1 + random(10);
            let from = since + width + random(300);
            let claim = [from - width - random(9), 2 * (1 + random(300))];
            if let Some(said) = of(&text, space, [width, since, from], claim) {
                seen.add(&said);
            }
        }
        assert!(seen.times("right") > 50 && seen.times("different") > 80, "{:?}", seen.0);
    }

    /// Where all heaps have value 1, a single 3 asks for a 2 that is no sum: wherever it stands it is seen.
    #[test]
    fn every_heap_is_looked_at() {
        let digits = code("0.77").expect("a code");
        let sparse = Sparse::new(&digits, 1, false).expect("a space");
        let (limits, mut go_on) = (Limits { steps: u64::MAX, ..Limits::default() }, || true);
        let work = &mut Work::new(&limits, &mut go_on);
        let window = Window { line: 9, width: 70, from: 400, since: 300 };
        let (mut way, _) = sparse.way(&[1; 300], window, work).expect("a window");
        let count = 2 * PIECE + BLOCK + 7;
        let mut stretch = Stretch { start: 300, count, bytes: vec![1; window.width + count + BLOCK] };
        for processor in Processor::all() {
            way.processor = processor;
            let witnesses = way.choose(&stretch, work).expect("steps");
            assert_eq!(way.unshown(&stretch, &witnesses, work), Ok(None));
            for place in (0..count).step_by(13).chain(count - BLOCK..count) {
                stretch.bytes[window.width + place] = 3;
                for witnesses in [&witnesses[..], &[]] {
                    assert_eq!(
                        way.unshown(&stretch, witnesses, work),
                        Ok(Some(300 + place)),
                        "{processor:?}"
                    );
                }
                stretch.bytes[window.width + place] = 1;
            }
        }
    }

    /// And from values that are none of any game, so that much fails, and values are large.
    #[test]
    fn any_values_as_heap_by_heap() {
        let mut random = random();
        let mut seen = Seen::default();
        for round in 0..1000 {
            let (mask, by_position) = (1 + random(31) as u32, round % 2 == 0);
            let text = ["0.106", "4.4", "0.16", "0.4004", "0.77", "0.070707", "0.3333337"][random(7)];
            let digits = code(text).expect("a code");
            let Ok(sparse) = Sparse::new(&digits, mask, by_position) else { continue };
            let width = 20 + random(200);
            let since = 3 * width + 1 + random(9);
            let (most, often) = ([8, 32, 32, 64][random(4)], [2, 4, 16][random(3)]);
            let values: Vec<u16> = (0..since)
                .map(|n| {
                    let value = random(most) as u16;
                    let rare = n + digits.len() <= width && random(often) == 0;
                    if sparse.is_common(value, n) == rare {
                        value ^ (mask & mask.wrapping_neg()) as u16
                    } else {
                        value
                    }
                })
                .map(|value| value % 64)
                .collect();
            let from = since + width + random(300);
            let claim = [from - width - random(9), 2 * (1 + random(900))];
            seen.add(&said(&sparse, &values, [width, from], claim));
        }
        let often = [("rare", 300), ("different", 50), ("value past", 20), ("right", 5)];
        assert!(often.iter().all(|(word, times)| seen.times(word) > *times), "{:?}", seen.0);
    }
}
