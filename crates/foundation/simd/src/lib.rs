//! Vector instructions: which of them this processor has, and functions compiled for several of
//! them.
//!
//! Every question about the processor goes through [`has!`](crate::has). A kernel written with
//! intrinsics lies beside the engine that calls it and has a portable twin with equal results; a
//! function that the compiler vectorises by itself is compiled for several processors by
//! [`multiversion!`](crate::multiversion).

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
        match (has_avx2(), has_avx512()) {
            (true, true) => Simd::Avx512,
            (true, false) => Simd::Avx2,
            (false, _) => Simd::Portable,
        }
    }

    /// Returns all that this processor has, the fastest last.
    pub fn all() -> Vec<Simd> {
        let all = [Simd::Portable, Simd::Avx2, Simd::Avx512];
        all.into_iter().take_while(|simd| *simd as usize <= Simd::best() as usize).collect()
    }
}

/// Returns whether this processor has AVX2.
#[inline]
pub fn has_avx2() -> bool {
    has!("avx2")
}

/// Returns whether this processor has what [`Simd::Avx512`] asks for.
#[inline]
pub fn has_avx512() -> bool {
    has!("avx512f", "avx512bw", "avx512vbmi")
}

/// Whether this processor has all of these features of x86-64; `false` on others. The answer costs
/// a load.
///
/// ```
/// assert!(!bouton_simd::has!("avx512f", "avx512bw") || bouton_simd::has!("avx512f"));
/// ```
#[macro_export]
macro_rules! has {
    ($($feature:tt),+) => {{
        #[cfg(target_arch = "x86_64")]
        let has = $(::std::arch::is_x86_feature_detected!($feature))&&+;
        #[cfg(not(target_arch = "x86_64"))]
        let has = false;
        has
    }};
}

/// Returns from the enclosing function what a function gives, compiled for the first list of
/// features that the processor has and whose condition holds; without such a list, compiled for any
/// processor.
///
/// Generic parameters stand in brackets; each argument has its type and its value. What the body
/// calls must be `#[inline(always)]`, lest it is compiled for any processor.
///
/// ```
/// fn sum(numbers: &[u64], vectors: bool) -> u64 {
///     bouton_simd::multiversion! {
///         [] (numbers: &[u64] = numbers) -> u64 { numbers.iter().sum() }
///         ["avx512f", "avx512vl"] if vectors,
///         ["avx2"] if vectors,
///     }
/// }
/// assert_eq!(sum(&[1, 2, 3], true), sum(&[1, 2, 3], false));
/// ```
#[macro_export]
macro_rules! multiversion {
    (
        $generics:tt $arguments:tt -> $out:ty $body:block
        $([$($feature:tt),+] $(if $condition:expr)?,)+
    ) => {{
        $(if $($condition &&)? $crate::has!($($feature),+) {
            $crate::multiversion!(@version $generics $arguments -> $out $body [$($feature),+]);
        })+
        $crate::multiversion!(@plain $arguments -> $out $body)
    }};
    (
        @version [$($generics:tt)*] ($($name:ident: $type:ty = $value:expr),+) -> $out:ty
            $body:block
        [$($feature:tt),+]
    ) => {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature($(enable = $feature),+)]
            fn version<$($generics)*>($($name: $type),+) -> $out $body
            // SAFETY: the processor has these features.
            return unsafe { version($($value),+) };
        }
    };
    (@plain ($($name:ident: $type:ty = $value:expr),+) -> $out:ty $body:block) => {{
        $(let $name = $value;)+
        $body
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_the_last_of_all() {
        assert_eq!(Simd::all().last(), Some(&Simd::best()));
        assert_eq!(Simd::all().first(), Some(&Simd::Portable));
    }
}
