//! Blocks in which every heap that a term reaches is common and all codes are below 64.
//!
//! Then no sum needs a class test, a set of codes fits in one word, and plane lookups need no mask.

use super::common_run::WORD_CODES;
use super::kernel::{LANES, Term};
use bouton_simd::Simd;
#[cfg(target_arch = "x86_64")]
use bouton_simd::has_avx512;

/// One set of codes for each heap of a block.
pub type CodeSets = [u64; LANES];

/// For each common code, the set of rare codes of lower values; for even heaps, then for odd heaps.
#[derive(Debug, Clone)]
pub struct RareBelow {
    words: [[u64; WORD_CODES]; 2],
    /// The same sets as planes of eight codes.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "for AVX-512"))]
    planes: [[[u8; WORD_CODES]; 8]; 2],
}

impl RareBelow {
    /// Creates the lookup from the sets.
    pub fn new(words: [[u64; WORD_CODES]; 2]) -> RareBelow {
        let plane = |words: &[u64; WORD_CODES], j: usize| words.map(|word| (word >> (8 * j)) as u8);
        let planes = words.each_ref().map(|words| std::array::from_fn(|j| plane(words, j)));
        RareBelow { words, planes }
    }
}

/// Heaps with rare codes for which no witness is known yet.
///
/// `heaps` has a bit for each heap, `codes` the missing codes of each.
#[derive(Debug)]
pub struct UnwitnessedRares {
    heaps: u64,
    codes: CodeSets,
}

impl UnwitnessedRares {
    /// Returns each pair of a heap, as its index in the block, and a missing code.
    pub fn each(&self) -> impl Iterator<Item = (usize, u8)> {
        ones(self.heaps).flat_map(|lane| ones(self.codes[lane]).map(move |code| (lane, code as u8)))
    }
}

/// Returns the elements of a set.
fn ones(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let least = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            least
        })
    })
}

/// Number of witnesses marked between two tests whether a code is still missing.
const BATCH: usize = 16;

/// Up to this number of heaps with missing codes are searched one by one.
const FEW_HEAPS: u32 = 3;

/// Returns the codes that terms reach at heaps `start..start + 64` of `bytes`.
///
/// All codes are below `8·planes`, which is at most 64. If all shifts are at least 64, `bytes` may
/// end at `start`.
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "for AVX-512"))]
pub fn reached_codes(
    simd: Simd,
    bytes: &[u8],
    start: usize,
    terms: &[Term],
    planes: usize,
) -> CodeSets {
    match simd {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: AVX-512 is there.
        Simd::Avx512 if has_avx512() => unsafe {
            match planes {
                1 => avx512::reached_codes::<1>(bytes, start, terms),
                2 => avx512::reached_codes::<2>(bytes, start, terms),
                3 | 4 => avx512::reached_codes::<4>(bytes, start, terms),
                _ => avx512::reached_codes::<8>(bytes, start, terms),
            }
        },
        _ => {
            let mut sets = [0; LANES];
            terms.iter().for_each(|term| mark(bytes, start, term, &mut sets));
            sets
        }
    }
}

/// Returns the lower rare codes of the common heaps `start..start + 64`, the last of `bytes`, that
/// no witness reaches; `None` if there are none.
///
/// `odd` states whether `start` is odd. If few heaps have missing codes, the remaining witnesses
/// may be skipped.
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "for AVX-512"))]
pub fn unwitnessed(
    simd: Simd,
    bytes: &[u8],
    odd: bool,
    witnesses: &[Term],
    below: &RareBelow,
    planes: usize,
) -> Option<UnwitnessedRares> {
    match simd {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: AVX-512 is there.
        Simd::Avx512 if has_avx512() => unsafe {
            match planes {
                1 => avx512::unwitnessed::<1>(bytes, odd, witnesses, below),
                2 => avx512::unwitnessed::<2>(bytes, odd, witnesses, below),
                3 | 4 => avx512::unwitnessed::<4>(bytes, odd, witnesses, below),
                _ => avx512::unwitnessed::<8>(bytes, odd, witnesses, below),
            }
        },
        _ => {
            let start = bytes.len() - LANES;
            let asked: CodeSets = std::array::from_fn(|lane| {
                below.words[(lane + usize::from(odd)) % 2]
                    [usize::from(bytes[start + lane]) % WORD_CODES]
            });
            let open = |codes: &CodeSets| {
                let asking = codes.iter().enumerate().filter(|(_, codes)| **codes != 0);
                asking.fold(0u64, |heaps, (lane, _)| heaps | 1 << lane)
            };
            let mut missing = UnwitnessedRares { heaps: open(&asked), codes: asked };
            let mut sets = [0; LANES];
            for lot in witnesses.chunks(BATCH) {
                if missing.heaps.count_ones() <= FEW_HEAPS {
                    break;
                }
                lot.iter().for_each(|term| mark(bytes, start, term, &mut sets));
                missing.codes = std::array::from_fn(|lane| asked[lane] & !sets[lane]);
                missing.heaps = open(&missing.codes);
            }
            (missing.heaps != 0).then_some(missing)
        }
    }
}

/// Marks the codes that one term reaches.
fn mark(bytes: &[u8], start: usize, term: &Term, sets: &mut CodeSets) {
    let from = start - term.shift as usize;
    for (set, byte) in sets.iter_mut().zip(&bytes[from..from + LANES]) {
        *set |= 1 << ((byte ^ term.byte) % WORD_CODES as u8);
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{BATCH, CodeSets, FEW_HEAPS, LANES, RareBelow, Term, UnwitnessedRares};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn load(bytes: &[u8; LANES]) -> __m512i {
        // SAFETY: the array is 64 bytes long.
        unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) }
    }

    /// Returns the planes of single codes: plane j holds the bits of codes 8·j to 8·j + 7.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn tables<const P: usize>() -> [__m512i; P] {
        std::array::from_fn(|j| {
            load(&std::array::from_fn(|code| if code / 8 == j { 1 << (code % 8) } else { 0 }))
        })
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn mark<const P: usize>(
        bytes: &[u8],
        start: usize,
        terms: &[Term],
        tables: &[__m512i; P],
        planes: &mut [__m512i; P],
    ) {
        // A last single term is paired with itself.
        for pair in terms.chunks(2) {
            let [a, b] = [pair[0], pair[pair.len() - 1]].map(|term| {
                let (reached, _) =
                    bytes[start - term.shift as usize..].split_first_chunk().expect("a block");
                _mm512_xor_si512(load(reached), _mm512_set1_epi8(term.byte as i8))
            });
            for (plane, table) in planes.iter_mut().zip(tables) {
                *plane = _mm512_ternarylogic_epi64::<0xFE>(
                    *plane,
                    _mm512_permutexvar_epi8(a, *table),
                    _mm512_permutexvar_epi8(b, *table),
                );
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn words<const P: usize>(planes: [__m512i; P]) -> CodeSets {
        let mut words = [0; LANES];
        for (j, plane) in planes.into_iter().enumerate() {
            let mut bytes = [0u8; LANES];
            // SAFETY: the array is 64 bytes long.
            unsafe { _mm512_storeu_epi8(bytes.as_mut_ptr().cast(), plane) };
            for (word, byte) in words.iter_mut().zip(bytes) {
                *word |= u64::from(byte) << (8 * j);
            }
        }
        words
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub unsafe fn reached_codes<const P: usize>(
        bytes: &[u8],
        start: usize,
        terms: &[Term],
    ) -> CodeSets {
        let mut planes = [_mm512_setzero_si512(); P];
        mark(bytes, start, terms, &tables(), &mut planes);
        words(planes)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub unsafe fn unwitnessed<const P: usize>(
        bytes: &[u8],
        odd: bool,
        witnesses: &[Term],
        below: &RareBelow,
    ) -> Option<UnwitnessedRares> {
        let (_, last) = bytes.split_last_chunk().expect("a block");
        let start = bytes.len() - LANES;
        let codes = load(last);
        let odds = if odd { 0x5555_5555_5555_5555 } else { 0xAAAA_AAAA_AAAA_AAAA };
        let asked: [__m512i; P] = std::array::from_fn(|j| {
            let [even, odd] = &below.planes;
            let even = _mm512_permutexvar_epi8(codes, load(&even[j]));
            _mm512_mask_permutexvar_epi8(even, odds, codes, load(&odd[j]))
        });
        let (tables, mut planes) = (tables(), [_mm512_setzero_si512(); P]);
        let (mut left, mut lots) = (asked, witnesses.chunks(BATCH));
        let heaps = loop {
            let heaps =
                left.iter().fold(0, |heaps, left| heaps | _mm512_test_epi8_mask(*left, *left));
            let Some(lot) = lots.next().filter(|_| heaps.count_ones() > FEW_HEAPS) else {
                break heaps;
            };
            mark(bytes, start, lot, &tables, &mut planes);
            left = std::array::from_fn(|j| _mm512_andnot_si512(planes[j], asked[j]));
        };
        (heaps != 0).then(|| UnwitnessedRares { heaps, codes: words(left) })
    }
}
