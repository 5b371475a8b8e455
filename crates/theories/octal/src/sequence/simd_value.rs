//! A nim-value as a lane of a vector: a byte while all values are below 256, else a word.

#[cfg(target_arch = "x86_64")]
use super::membership_scan::{CODES, OpenValues};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;
use std::ops::BitXor;

/// A byte or a word.
///
/// Each function is safe if the processor has the instructions that it names.
pub trait SimdValue: Copy + Eq + BitXor<Output = Self> {
    /// Returns the lane of a value, or `None` if it does not fit.
    fn from_value(value: u16) -> Option<Self>;
    /// Returns the value.
    fn value(self) -> usize;
    #[cfg(target_arch = "x86_64")]
    /// Returns a vector with all lanes equal to this one (AVX2).
    unsafe fn splat256(self) -> __m256i;
    #[cfg(target_arch = "x86_64")]
    /// Sets all bits of the lanes that are equal (AVX2).
    unsafe fn equal256(a: __m256i, b: __m256i) -> __m256i;
    #[cfg(target_arch = "x86_64")]
    /// Returns a vector with all lanes equal to this one (AVX-512).
    unsafe fn splat512(self) -> __m512i;
    #[cfg(target_arch = "x86_64")]
    /// Returns the lane-wise minimum (AVX-512).
    unsafe fn min512(a: __m512i, b: __m512i) -> __m512i;
    #[cfg(target_arch = "x86_64")]
    /// Returns whether some lane is 0 (AVX-512).
    unsafe fn any_zero512(a: __m512i) -> bool;
    #[cfg(target_arch = "x86_64")]
    /// Loads a table of bits for [`SimdValue::lookup512`].
    unsafe fn load_table512(table: &OpenValues) -> [__m512i; 4];
    #[cfg(target_arch = "x86_64")]
    /// Returns the lanes whose bit in the table is 1 (AVX-512 and VBMI). Only the first half of the
    /// table is used unless `WHOLE` holds.
    unsafe fn lookup512<const WHOLE: bool>(lanes: __m512i, table: [__m512i; 4]) -> u64;
    #[cfg(target_arch = "x86_64")]
    /// Moves the selected lanes to the front and sets the others to 0 (AVX-512 and VBMI2).
    unsafe fn compress512(these: u64, lanes: __m512i) -> __m512i;
}

macro_rules! lane {
    ($lane:ty, $signed:ty, $all256:ident, $equal256:ident, $all512:ident, $least512:ident,
        $test0:ident, $sieve:ident) => {
        impl SimdValue for $lane {
            fn from_value(value: u16) -> Option<$lane> {
                value.try_into().ok()
            }

            fn value(self) -> usize {
                self.into()
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            unsafe fn splat256(self) -> __m256i {
                $all256(self as $signed)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            unsafe fn equal256(a: __m256i, b: __m256i) -> __m256i {
                $equal256(a, b)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw")]
            unsafe fn splat512(self) -> __m512i {
                $all512(self as $signed)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw")]
            unsafe fn min512(a: __m512i, b: __m512i) -> __m512i {
                $least512(a, b)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw")]
            unsafe fn any_zero512(a: __m512i) -> bool {
                $test0(a, a) != 0
            }

            #[cfg(target_arch = "x86_64")]
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw")]
            unsafe fn load_table512(table: &OpenValues) -> [__m512i; 4] {
                $sieve::table(table)
            }

            #[cfg(target_arch = "x86_64")]
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
            unsafe fn lookup512<const WHOLE: bool>(lanes: __m512i, table: [__m512i; 4]) -> u64 {
                $sieve::lookup::<WHOLE>(lanes, table)
            }

            #[cfg(target_arch = "x86_64")]
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
            unsafe fn compress512(these: u64, lanes: __m512i) -> __m512i {
                $sieve::compress(these, lanes)
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

/// Lookup of bytes in the first 256 bits of a table.
#[cfg(target_arch = "x86_64")]
mod bytes {
    use super::OpenValues;
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn table(table: &OpenValues) -> [__m512i; 4] {
        // SAFETY: 32 bytes.
        let bits = unsafe { _mm256_loadu_si256(table.as_ptr().cast()) };
        [_mm512_broadcast_i64x4(bits); 4]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub fn lookup<const WHOLE: bool>(bytes: __m512i, [table, ..]: [__m512i; 4]) -> u64 {
        // A permutation uses the last six bits of an index. The first of these comes from the
        // neighbouring byte, which does not matter because both halves of the table are equal.
        let found = _mm512_permutexvar_epi8(_mm512_srli_epi16::<3>(bytes), table);
        let powers = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
        _mm512_test_epi8_mask(found, _mm512_permutexvar_epi8(bytes, powers))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub fn compress(these: u64, bytes: __m512i) -> __m512i {
        _mm512_maskz_compress_epi8(these, bytes)
    }
}

/// Lookup of words in a table; words beyond it do not hit.
#[cfg(target_arch = "x86_64")]
mod words {
    use super::{CODES, OpenValues};
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn table(table: &OpenValues) -> [__m512i; 4] {
        let bits = table.as_chunks::<8>().0;
        // SAFETY: 64 bytes each.
        std::array::from_fn(|i| unsafe { _mm512_loadu_si512(bits[i].as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub fn lookup<const WHOLE: bool>(words: __m512i, table: [__m512i; 4]) -> u64 {
        const HALF: i16 = CODES as i16 / 2;
        let past = if WHOLE { -2 * HALF } else { -HALF };
        let within = _mm512_testn_epi16_mask(words, _mm512_set1_epi16(past));
        let place = _mm512_srli_epi16::<4>(words);
        let mut found = _mm512_permutex2var_epi16(table[0], place, table[1]);
        if WHOLE {
            let upper = _mm512_test_epi16_mask(words, _mm512_set1_epi16(HALF));
            found = _mm512_mask_blend_epi16(
                upper,
                found,
                _mm512_permutex2var_epi16(table[2], place, table[3]),
            );
        }
        let powers: [u16; 32] = std::array::from_fn(|i| 1 << (i % 16));
        // SAFETY: 64 bytes.
        let powers = unsafe { _mm512_loadu_si512(powers.as_ptr().cast()) };
        _mm512_mask_test_epi16_mask(within, found, _mm512_permutexvar_epi16(words, powers)).into()
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub fn compress(these: u64, words: __m512i) -> __m512i {
        _mm512_maskz_compress_epi16(these as u32, words)
    }
}
