//! A nim-value as a lane of a vector: a byte as long as all values are below 256, then a word.

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
}

macro_rules! lane {
    ($lane:ty, $signed:ty, $all256:ident, $equal256:ident, $all512:ident, $least512:ident, $test0:ident) => {
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
        }
    };
}

lane!(u8, i8, _mm256_set1_epi8, _mm256_cmpeq_epi8, _mm512_set1_epi8, _mm512_min_epu8, _mm512_testn_epi8_mask);
lane!(
    u16,
    i16,
    _mm256_set1_epi16,
    _mm256_cmpeq_epi16,
    _mm512_set1_epi16,
    _mm512_min_epu16,
    _mm512_testn_epi16_mask
);
