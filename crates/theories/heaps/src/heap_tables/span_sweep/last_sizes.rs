//! Nim-values by the last size on each line that has each value.

use crate::heap_options::{Form, Span, Test};
use std::ops::BitOrAssign;

/// Values that are looked up together.
const CHUNK: usize = 32;

/// Sizes of one remainder, numbered from 1 on; 0 is none.
pub(super) trait Number: Copy + Default + Eq + BitOrAssign {
    /// Returns a number that the type can hold.
    fn of(number: usize) -> Self;

    fn saturating_sub(self, other: Self) -> Self;
}

macro_rules! numbers {
    ($($own:ty),+) => { $(
        impl Number for $own {
            #[inline(always)]
            fn of(number: usize) -> $own {
                number as $own
            }

            #[inline(always)]
            fn saturating_sub(self, other: $own) -> $own {
                self.saturating_sub(other)
            }
        }
    )+ };
}

numbers!(u8, u16);

/// For each line along a heap and each remainder of sizes the last size that has a value, by its
/// number among those of the remainder.
pub(super) struct LastSizes<N> {
    pub(super) heap: usize,
    /// The remainders are modulo this number.
    pub(super) period: usize,
    /// How many lines one more of each later number is away.
    pub(super) strides: Vec<usize>,
    pub(super) lines: Vec<Vec<N>>,
    /// The last size before that one, if sizes may be excepted.
    pub(super) second: Option<Vec<Vec<N>>>,
}

/// The last sizes that have a value, and those before them; the last size below those admitted, and
/// the size that is excepted; all by their numbers.
pub(super) type Excepted<'l, N> = (&'l [N], &'l [N], N, N);

impl<N: Number> LastSizes<N> {
    pub(super) fn new(
        heap: usize,
        period: usize,
        has_exceptions: bool,
        sides: &[usize],
    ) -> LastSizes<N> {
        let later = &sides[heap + 1..];
        let strides: Vec<usize> =
            (1..=later.len()).map(|from| later[from..].iter().product()).collect();
        let lines = vec![Vec::new(); later.iter().product::<usize>() * period];
        LastSizes { heap, period, strides, second: has_exceptions.then(|| lines.clone()), lines }
    }

    /// Starts all lines anew.
    pub(super) fn clear(&mut self) {
        let second = self.second.iter_mut().flatten();
        self.lines.iter_mut().chain(second).for_each(|line| line.fill(N::default()));
    }

    /// Returns the number of the first line of a position.
    pub(super) fn line(&self, p: &[u32]) -> usize {
        let later = self.strides.iter().zip(&p[self.heap + 1..]);
        self.period * later.map(|(stride, number)| stride * *number as usize).sum::<usize>()
    }

    pub(super) fn set(&mut self, p: &[u32], value: usize) {
        let (line, size) = (self.line(p), p[self.heap] as usize);
        let number = line + size % self.period;
        let line = &mut self.lines[number];
        if line.len() <= value {
            let whole = (value / CHUNK + 1) * CHUNK;
            // There are many lines, and each is lengthened a few times only.
            line.reserve_exact(whole - line.len());
            line.resize(whole, N::default());
        }
        let before = std::mem::replace(&mut line[value], N::of(size / self.period + 1));
        if let Some(second) = &mut self.second {
            let second = &mut second[number];
            second.reserve_exact(line.len() - second.len());
            second.resize(line.len(), N::default());
            second[value] = before;
        }
    }
}

/// Returns whether a byte holds the numbers of the sizes of each remainder.
pub(super) fn fit_bytes(periods: &[(usize, usize)], sides: &[usize]) -> bool {
    periods.iter().all(|(heap, period)| sides[*heap].div_ceil(*period) <= u8::MAX.into())
}

/// Returns what must not be 0.
pub(super) fn exceptions(span: &Span) -> impl Iterator<Item = &Form> {
    span.tests.iter().filter(|(_, test)| *test == Test::NotZero).map(|(form, _)| form)
}

/// Returns the tests of remainders.
pub(super) fn remainders(span: &Span) -> impl Iterator<Item = &(Form, Test)> {
    span.tests.iter().filter(|(_, test)| *test != Test::NotZero)
}

/// The remainders of sizes, as bits, of which a test holds along a row.
#[derive(Debug)]
pub(super) struct Residues<'s> {
    pub(super) form: &'s Form,
    /// By what the form leaves without the size.
    pub(super) by_rest: Vec<u8>,
    /// What it leaves at the first position of the row, and how much more at each next one.
    pub(super) first: u32,
    pub(super) step: u32,
}

impl<'s> Residues<'s> {
    /// Groups sizes by their remainder modulo `period`.
    pub(super) fn new(form: &'s Form, test: Test, period: usize) -> Residues<'s> {
        let sizes = |rest: i64| {
            let holds = |size: &usize| test.holds(form.own * *size as i64 + rest);
            (0..period).filter(holds).fold(0, |sizes, size| sizes | 1 << size)
        };
        Residues { form, by_rest: (0..test.modulus()).map(sizes).collect(), first: 0, step: 0 }
    }

    /// Begins the row of p, whose last number is 0.
    pub(super) fn begin(&mut self, p: &[u32]) {
        let modulus = self.by_rest.len() as i64;
        self.first = self.form.at(p).rem_euclid(modulus) as u32;
        self.step = self.form.before[p.len() - 1].rem_euclid(modulus) as u32;
    }

    #[inline]
    pub(super) fn admitted(&self, last: u32) -> u8 {
        let modulus = self.by_rest.len() as u32;
        self.by_rest[((self.first + self.step * (last % modulus)) % modulus) as usize]
    }
}

/// Returns the least number that is the index of no entry greater than the bound beside its line.
/// Where a size is excepted the one before it counts.
pub(super) fn least_unreached<N: Number>(lines: &[(&[N], N)], broken: &[Excepted<'_, N>]) -> usize {
    bouton_simd::multiversion! {
        [N: Number] (lines: &[(&[N], N)] = lines, broken: &[Excepted<'_, N>] = broken) -> usize {
            least_unreached_in(lines, broken)
        }
        ["avx512f", "avx512bw"],
        ["avx2"],
    }
}

#[inline(always)]
pub(super) fn least_unreached_in<N: Number>(
    lines: &[(&[N], N)],
    broken: &[Excepted<'_, N>],
) -> usize {
    let mut from = 0;
    loop {
        // How far a last size is past its bound.
        let mut reached = [N::default(); CHUNK];
        for (line, low) in lines {
            if let Some(chunk) = line.get(from..from + CHUNK) {
                for (past, last) in reached.iter_mut().zip(chunk) {
                    *past |= last.saturating_sub(*low);
                }
            }
        }
        for (line, second, low, exception) in broken {
            let chunks = line.get(from..from + CHUNK).zip(second.get(from..from + CHUNK));
            if let Some((chunk, second)) = chunks {
                for ((past, last), second) in reached.iter_mut().zip(chunk).zip(second) {
                    let last = if last == exception { second } else { last };
                    *past |= last.saturating_sub(*low);
                }
            }
        }
        let open = reached
            .iter()
            .enumerate()
            .fold(0u32, |open, (at, past)| open | u32::from(*past == N::default()) << at);
        match open {
            0 => from += CHUNK,
            _ => return from + open.trailing_zeros() as usize,
        }
    }
}
