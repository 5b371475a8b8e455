//! Sets of small numbers as machine words: one row of a box, a bit a position.

/// Makes an array by its places. A loop: the library's `from_fn` and `map` are now and then
/// compiled for themselves, for any processor, and called from the innermost loops.
#[inline(always)]
pub(super) fn each<T: Copy, const N: usize>(start: T, of: impl Fn(usize) -> T) -> [T; N] {
    let mut array = [start; N];
    for (i, entry) in array.iter_mut().enumerate() {
        *entry = of(i);
    }
    array
}

/// Whether short rows have words of their own. In the module of the page they have not: it should
/// be small, and it has no vector registers that short rows would fill.
pub(super) const FITTED: bool = !cfg!(target_family = "wasm");

/// A set of numbers 0..[`Word::BITS`].
pub(super) trait Word: Copy + Send + Sync + 'static {
    /// How many numbers there are.
    const BITS: usize;
    /// No number.
    const EMPTY: Self;
    /// Returns the numbers below `end`.
    fn below(end: usize) -> Self;
    /// Returns these and all greater than the least.
    fn grown(self) -> Self;
    /// Returns those in either.
    fn or(self, other: Self) -> Self;
    /// Returns those here that aren't in `other`.
    fn minus(self, other: Self) -> Self;
    /// Returns the least number, if there is one.
    fn least(self) -> Option<usize>;
    /// Returns whether there is a number.
    fn any(self) -> bool;
    /// Returns `n` alone.
    fn one(n: usize) -> Self;
    /// Returns each number so much greater, less than [`Word::BITS`]; those that grow out of the
    /// word are gone.
    fn raised(self, by: usize) -> Self;
    /// Returns the least number alone, if there is one.
    fn first(self) -> Self;
    /// Returns those in both.
    fn and(self, other: Self) -> Self;
    /// How many 64-bit words it takes.
    const WORDS: usize = Self::BITS.div_ceil(64);
    /// Returns one of them.
    fn word(&self, at: usize) -> u64;
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl Word for $word {
            const BITS: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;
            #[inline(always)]
            fn below(end: usize) -> Self {
                if end >= <Self as Word>::BITS { <$word>::MAX } else { (1 << end) - 1 }
            }
            #[inline(always)]
            fn grown(self) -> Self {
                self | self.wrapping_neg()
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self & !other
            }
            #[inline(always)]
            fn least(self) -> Option<usize> {
                (self != 0).then(|| self.trailing_zeros() as usize)
            }
            #[inline(always)]
            fn any(self) -> bool {
                self != 0
            }
            #[inline(always)]
            fn one(n: usize) -> Self {
                1 << n
            }
            #[inline(always)]
            fn raised(self, by: usize) -> Self {
                self.wrapping_shl(by as u32)
            }
            #[inline(always)]
            fn first(self) -> Self {
                self & self.wrapping_neg()
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn word(&self, _: usize) -> u64 {
                u64::from(*self)
            }
        }
    )*};
}

word!(u16, u32, u64);

impl<const N: usize> Word for [u64; N] {
    const BITS: usize = 64 * N;
    const EMPTY: Self = [0; N];
    #[inline(always)]
    fn below(end: usize) -> Self {
        each(0, |i| u64::below(end.saturating_sub(64 * i)))
    }
    #[inline(always)]
    fn grown(self) -> Self {
        let (mut all, mut before) = (self, 0);
        for word in &mut all {
            *word |= before | word.wrapping_neg();
            before = if *word == 0 { 0 } else { u64::MAX };
        }
        all
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        each(0, |i| self[i] | other[i])
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        each(0, |i| self[i] & !other[i])
    }
    #[inline(always)]
    fn least(self) -> Option<usize> {
        (0..N).find(|i| self[*i] != 0).map(|i| 64 * i + self[i].trailing_zeros() as usize)
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.iter().fold(0, |all, word| all | word) != 0
    }
    #[inline(always)]
    fn one(n: usize) -> Self {
        each(0, |i| u64::from(n / 64 == i) << (n % 64))
    }
    #[inline(always)]
    fn raised(self, by: usize) -> Self {
        let (skip, shift) = (by / 64, by % 64);
        // A word from this many places before, or nothing.
        let at = |i: usize, back: usize| if i >= back { self[i - back] } else { 0 };
        // Twice, for a shift by 64 is none.
        each(0, |i| at(i, skip) << shift | at(i, skip + 1) >> 1 >> (63 - shift))
    }
    #[inline(always)]
    fn first(self) -> Self {
        let mut before = 0;
        let mut all = self;
        for word in &mut all {
            let here = *word & word.wrapping_neg();
            let any = *word;
            *word = if before == 0 { here } else { 0 };
            before |= any;
        }
        all
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        each(0, |i| self[i] & other[i])
    }
    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        self[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn like_sets<W: Word>() {
        for n in 0..W::BITS {
            assert_eq!(W::one(n).least(), Some(n));
            assert_eq!(W::below(W::BITS).minus(W::below(n)).least(), Some(n));
            assert!(!W::one(n).minus(W::below(n + 1)).any() && W::one(n).minus(W::below(n)).any());
            assert_eq!(W::one(n).or(W::one(W::BITS - 1)).least(), Some(n));
            let two = W::one(n).or(W::one(n / 2));
            assert_eq!(
                (two.first().least(), two.first().minus(W::one(n / 2)).any()),
                (Some(n / 2), false)
            );
            assert!(two.and(W::one(n)).least() == Some(n) && !W::one(n).and(W::below(n)).any());
            assert_eq!(W::one(n).word(n / 64), 1 << (n % 64));
            for by in 0..W::BITS {
                let raised = two.raised(by);
                assert_eq!(raised.least(), Some(n / 2 + by).filter(|least| *least < W::BITS));
                let rest = raised.minus(W::one((n / 2 + by).min(W::BITS - 1)));
                let other = Some(n + by).filter(|most| n > 0 && *most < W::BITS - 1);
                assert!(other.is_none_or(|most| rest.least() == Some(most)), "{n} {by}");
            }
            let grown = W::one(n).or(W::one(W::BITS - 1)).grown();
            assert!(!grown.minus(W::below(W::BITS).minus(W::below(n))).any());
            assert!(!W::below(W::BITS).minus(W::below(n)).minus(grown).any());
        }
        assert_eq!(W::EMPTY.or(W::below(0)).grown().least(), None);
    }

    #[test]
    fn words_are_sets() {
        like_sets::<u16>();
        like_sets::<u32>();
        like_sets::<u64>();
        like_sets::<[u64; 2]>();
        like_sets::<[u64; 16]>();
    }
}
