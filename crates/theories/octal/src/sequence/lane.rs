//! A nim-value as a lane of a vector: a byte as long as all values are below 256, then a word.

#[cfg(target_arch = "x86_64")]
use super::sieve::{CODES, Table};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;
use std::ops::BitXor;

/// A byte or a word. Each function is safe where the processor has the instructions it names.
pub trait Lane: Copy + Eq + BitXor<Output = Self> {
    /// The lane of a value, where it fits.
    fn of(value: u16) -> Option<Self>;
    /// Its value.
    fn value(self) -> usize;
    #[cfg(target_arch = "x86_64")]
    /// All lanes the same, with AVX2.
    unsafe fn all256(self) -> __m256i;
    #[cfg(target_arch = "x86_64")]
    /// All bits of the lanes that are equal, with AVX2.
    unsafe fn equal256(a: __m256i, b: __m256i) -> __m256i;
    #[cfg(target_arch = "x86_64")]
    /// All lanes the same, with AVX-512.
    unsafe fn all512(self) -> __m512i;
    #[cfg(target_arch = "x86_64")]
    /// The lesser of each two lanes, with AVX-512.
    unsafe fn least512(a: __m512i, b: __m512i) -> __m512i;
    #[cfg(target_arch = "x86_64")]
    /// Whether some lane is 0, with AVX-512.
    unsafe fn some0(a: __m512i) -> bool;
    #[cfg(target_arch = "x86_64")]
    /// A table of bits for [`Lane::asked512`].
    unsafe fn table512(table: &Table) -> [__m512i; 4];
    #[cfg(target_arch = "x86_64")]
    /// The lanes whose bit in the table is 1, with AVX-512 and VBMI; in its first half alone, but where it is `WHOLE`.
    unsafe fn asked512<const WHOLE: bool>(lanes: __m512i, table: [__m512i; 4]) -> u64;
    #[cfg(target_arch = "x86_64")]
    /// These lanes side by side, the others 0, with AVX-512 and VBMI2.
    unsafe fn together512(these: u64, lanes: __m512i) -> __m512i;
}

macro_rules! lane {
    ($lane:ty, $signed:ty, $all256:ident, $equal256:ident, $all512:ident, $least512:ident, $test0:ident, $sieve:ident) => {
        impl Lane for $lane {
            fn of(value: u16) -> Option<$lane> {
                value.try_into().ok()
            }

            fn value(self) -> usize {
                self.into()
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            unsafe fn all256(self) -> __m256i {
                $all256(self as $signed)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            unsafe fn equal256(a: __m256i, b: __m256i) -> __m256i {
                $equal256(a, b)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw")]
            unsafe fn all512(self) -> __m512i {
                $all512(self as $signed)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw")]
            unsafe fn least512(a: __m512i, b: __m512i) -> __m512i {
                $least512(a, b)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw")]
            unsafe fn some0(a: __m512i) -> bool {
                $test0(a, a) != 0
            }

            #[cfg(target_arch = "x86_64")]
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw")]
            unsafe fn table512(table: &Table) -> [__m512i; 4] {
                $sieve::table(table)
            }

            #[cfg(target_arch = "x86_64")]
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
            unsafe fn asked512<const WHOLE: bool>(lanes: __m512i, table: [__m512i; 4]) -> u64 {
                $sieve::asked::<WHOLE>(lanes, table)
            }

            #[cfg(target_arch = "x86_64")]
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
            unsafe fn together512(these: u64, lanes: __m512i) -> __m512i {
                $sieve::together(these, lanes)
            }
        }
    };
}

lane!(
    u8,
    i8,
    _mm256_set1_epi8,
    _mm256_cmpeq_epi8,
    _mm512_set1_epi8,
    _mm512_min_epu8,
    _mm512_testn_epi8_mask,
    bytes
);
lane!(
    u16,
    i16,
    _mm256_set1_epi16,
    _mm256_cmpeq_epi16,
    _mm512_set1_epi16,
    _mm512_min_epu16,
    _mm512_testn_epi16_mask,
    words
);

/// Bytes asked for in the first 256 bits of a table.
#[cfg(target_arch = "x86_64")]
mod bytes {
    use super::Table;
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn table(table: &Table) -> [__m512i; 4] {
        // SAFETY: 32 bytes.
        let bits = unsafe { _mm256_loadu_si256(table.as_ptr().cast()) };
        [_mm512_broadcast_i64x4(bits); 4]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub fn asked<const WHOLE: bool>(bytes: __m512i, [table, ..]: [__m512i; 4]) -> u64 {
        // Permutations look at the last six bits of a place; of these the first comes from the byte beside it, and both halves of
        // the table are equal.
        let found = _mm512_permutexvar_epi8(_mm512_srli_epi16::<3>(bytes), table);
        let powers = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
        _mm512_test_epi8_mask(found, _mm512_permutexvar_epi8(bytes, powers))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub fn together(these: u64, bytes: __m512i) -> __m512i {
        _mm512_maskz_compress_epi8(these, bytes)
    }
}

/// Words asked for in a table; those past it are not.
#[cfg(target_arch = "x86_64")]
mod words {
    use super::{CODES, Table};
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn table(table: &Table) -> [__m512i; 4] {
        let bits = table.as_chunks::<8>().0;
        // SAFETY: 64 bytes each.
        std::array::from_fn(|i| unsafe { _mm512_loadu_si512(bits[i].as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub fn asked<const WHOLE: bool>(words: __m512i, table: [__m512i; 4]) -> u64 {
        const HALF: i16 = CODES as i16 / 2;
        let past = if WHOLE { -2 * HALF } else { -HALF };
        let within = _mm512_testn_epi16_mask(words, _mm512_set1_epi16(past));
        let place = _mm512_srli_epi16::<4>(words);
        let mut found = _mm512_permutex2var_epi16(table[0], place, table[1]);
        if WHOLE {
            let upper = _mm512_test_epi16_mask(words, _mm512_set1_epi16(HALF));
            found =
                _mm512_mask_blend_epi16(upper, found, _mm512_permutex2var_epi16(table[2], place, table[3]));
        }
        let powers: [u16; 32] = std::array::from_fn(|i| 1 << (i % 16));
        // SAFETY: 64 bytes.
        let powers = unsafe { _mm512_loadu_si512(powers.as_ptr().cast()) };
        _mm512_mask_test_epi16_mask(within, found, _mm512_permutexvar_epi16(words, powers)).into()
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub fn together(these: u64, words: __m512i) -> __m512i {
        _mm512_maskz_compress_epi16(these as u32, words)
    }
}
