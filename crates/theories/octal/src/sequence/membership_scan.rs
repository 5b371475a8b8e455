//! Scan of all splits for all open values of a range at once, without branches.
//!
//! The open values are bits of a table. 32 sums at a time (64 while values are bytes) look up their
//! bits in a few instructions; the sums that hit are compressed, stored, and removed from the table
//! afterwards. A pass over all splits costs little more for all values than for a few, because each
//! value is removed once or twice. The scan pays off only with AVX-512 and its table lookup and
//! compression; otherwise a few values at a time are sought ([`super::split_scan`]).

use super::kernel::Kernel;
use super::simd_value::SimdValue;
#[cfg(target_arch = "x86_64")]
use bouton_simd::Simd;

/// Number of values in a table.
pub const CODES: usize = 2048;

/// The open values from a multiple of [`CODES`] on, one bit each.
pub type OpenValues = [u64; WORDS];

/// Number of words in a table.
pub const WORDS: usize = CODES / 64;

impl Kernel {
    /// Returns whether [`Kernel::strike_sums`] is fast on this processor.
    pub fn has_vbmi2(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.0 == Simd::Avx512
            && bouton_simd::has_avx512()
            && bouton_simd::has!("avx512vbmi2", "popcnt");
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Removes from a table the sums of two lists of equal length. `base` is the first value of the
    /// table.
    pub fn strike_sums<V: SimdValue>(
        self,
        some: &[V],
        others: &[V],
        base: usize,
        table: &mut OpenValues,
    ) {
        let others = &others[..some.len()];
        #[cfg(target_arch = "x86_64")]
        if self.has_vbmi2() {
            let words = table.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
            // SAFETY: these instructions are there.
            return unsafe {
                match words > WORDS / 2 {
                    false => avx512::strike_sums::<V, false>(some, others, base, table, words),
                    true => avx512::strike_sums::<V, true>(some, others, base, table, words),
                }
            };
        }
        strike_sums(some, others, base, table);
    }
}

/// Implements [`Kernel::strike_sums`] one sum at a time.
fn strike_sums<V: SimdValue>(some: &[V], others: &[V], base: usize, table: &mut OpenValues) {
    for (a, b) in some.iter().zip(others) {
        let code = (*a ^ *b).value() ^ base;
        if code < CODES {
            table[code / 64] &= !(1 << (code % 64));
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{CODES, OpenValues, SimdValue};
    use std::arch::x86_64::*;
    use std::mem::MaybeUninit;

    /// Number of sums looked up before the hits are removed: at first, and at most.
    const FIRST: usize = 512;
    const MAX_SUMS: usize = 2048;

    /// Removes the sums in stretches, each twice as long as the one before.
    ///
    /// `words` is the number of words of the table in use; `WHOLE` states that these are more than
    /// half.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
    pub unsafe fn strike_sums<V: SimdValue, const WHOLE: bool>(
        some: &[V],
        others: &[V],
        base: usize,
        table: &mut OpenValues,
        words: usize,
    ) {
        let count = 64 / size_of::<V>();
        let first = u16::try_from(base).ok().and_then(V::from_value);
        let (Some(first), true) = (first, some.len() >= count) else {
            return super::strike_sums(some, others, base, table);
        };
        // SAFETY: AVX-512 is there, here and below.
        let first = unsafe { first.splat512() };
        // One byte for each value: 0 if it is not open.
        let mut asked = [const { MaybeUninit::uninit() }; CODES];
        for (bytes, word) in asked.as_chunks_mut::<64>().0.iter_mut().zip(&table[..words]) {
            // SAFETY: 64 bytes.
            unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), _mm512_movm_epi8(*word)) };
        }
        // The hits, with space for one more vector; in words, to be loaded several at a time.
        let mut struck = [const { MaybeUninit::<u64>::uninit() }; (MAX_SUMS + 64) / 4];
        let (lanes, bits) = (8 / size_of::<V>(), 8 * size_of::<V>());
        let (last, others) = (some.len() - count, &others[..some.len()]);
        let (mut from, mut stretch) = (0, FIRST);
        while table[..words].iter().any(|word| *word != 0) {
            // SAFETY: as above.
            let vectors = unsafe { V::load_table512(table) };
            let to = struck.as_mut_ptr().cast::<V>();
            let (mut at, end) = (0, last.min(from + stretch - count));
            loop {
                // SAFETY: both have a vector from here on; there is room for as many as were looked
                // at, and a vector.
                unsafe {
                    let (some, others) = (some.as_ptr().add(from), others.as_ptr().add(from));
                    let (some, others) =
                        (_mm512_loadu_si512(some.cast()), _mm512_loadu_si512(others.cast()));
                    let codes = _mm512_ternarylogic_epi32::<0x96>(some, others, first);
                    let hits = V::lookup512::<WHOLE>(codes, vectors);
                    _mm512_storeu_si512(to.add(at).cast(), V::compress512(hits, codes));
                    at += hits.count_ones() as usize;
                }
                if from == end {
                    break;
                }
                from = end.min(from + count);
            }
            for lane in at / lanes * lanes..at {
                // SAFETY: this many were written.
                let code = unsafe { to.add(lane).read() }.value();
                asked[code % CODES] = MaybeUninit::new(0u8);
            }
            for word in &struck[..at / lanes] {
                // SAFETY: as above.
                let word = unsafe { word.assume_init() };
                for lane in 0..lanes {
                    let code = (word >> (bits * lane)) as usize & ((1 << bits) - 1);
                    asked[code % CODES] = MaybeUninit::new(0);
                }
            }
            for (bytes, word) in asked.as_chunks::<64>().0.iter().zip(&mut table[..words]) {
                // SAFETY: 64 bytes, written above.
                let bytes = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
                *word = _mm512_test_epi8_mask(bytes, bytes);
            }
            if from == last {
                break;
            }
            from = last.min(from + count);
            stretch = (2 * stretch).min(MAX_SUMS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(not(target_arch = "x86_64"))]
    use bouton_simd::Simd;

    /// Compares sums of lists of numbers, truncated to a lane, in many lengths, with tables of
    /// random bits.
    fn sifts_the_same<V: SimdValue>(most: &[u64], lane: impl Fn(u64) -> V) {
        let mut random = crate::sequence::random(1);
        for round in 0..600 {
            let len = [round % 200, 13 * round][round / 300];
            let most = most[round % most.len()];
            let [some, others]: [Vec<V>; 2] =
                std::array::from_fn(|_| (0..len).map(|_| lane(random(most))).collect());
            let base = random(most) as usize / CODES * CODES;
            let (filled, any) = (random(WORDS as u64 + 1) as usize, random(3) > 0);
            let table: OpenValues = std::array::from_fn(|i| {
                let mut word = || (0..4).fold(0, |word, _| word << 16 | random(1 << 16));
                if i < filled { word() | if any { word() } else { u64::MAX } } else { 0 }
            });
            let mut expected = table;
            for sum in some.iter().zip(&others).map(|(a, b)| (*a ^ *b).value()) {
                if sum / CODES == base / CODES {
                    expected[sum % CODES / 64] &= !(1 << (sum % 64));
                }
            }
            for simd in Simd::all() {
                let mut left = table;
                Kernel(simd).strike_sums(&some, &others, base, &mut left);
                assert_eq!(left, expected, "{simd:?} {round}");
            }
        }
    }

    #[test]
    fn all_instructions_sift_the_same() {
        sifts_the_same(&[500, 1024, 3000, 65_536], |number| number as u16);
        sifts_the_same(&[40, 256], |number| number as u8);
    }
}
