//! Vector instructions: which of them this processor has.
//!
//! Kernels lie beside the engines that call them. Every kernel has a portable twin with equal results.

/// The instructions to compute with; all give equal results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simd {
    /// Any processor.
    Portable,
    /// AVX2 of x86-64.
    Avx2,
    /// AVX-512 of x86-64, with its bytes, words and permutations (F, BW, VBMI).
    Avx512,
}

impl Simd {
    /// Returns the fastest instructions that this processor has.
    pub fn best() -> Simd {
        *Simd::all().last().expect("the portable one")
    }

    /// Returns all that this processor has, the fastest last.
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
    pub fn all() -> Vec<Simd> {
        let mut all = vec![Simd::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Simd::Avx2);
            }
            if all.len() == 2 && has_avx512() {
                all.push(Simd::Avx512);
            }
        }
        all
    }
}

/// Returns whether this processor has what [`Simd::Avx512`] asks for.
#[cfg(target_arch = "x86_64")]
pub fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
}
