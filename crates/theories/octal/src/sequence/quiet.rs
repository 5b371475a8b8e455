//! What terms reach in a block where all heaps that they reach are common, and codes are below 64: no sum asks for its class, a
//! set of codes is a word, and planes are looked up without a mask.

use super::brisk::CODES;
use super::kernel::{LANES, Term};
use bouton_simd::Simd;
#[cfg(target_arch = "x86_64")]
use bouton_simd::has_avx512;

/// A set of codes for each heap of a block.
pub type Words = [u64; LANES];

/// For each code of a common value, the rare codes of lower values; at even heaps, then at odd ones.
#[derive(Debug, Clone)]
pub struct Below {
    words: [[u64; CODES]; 2],
    /// The same, eight codes a plane.
    planes: [[[u8; CODES]; 8]; 2],
}

impl Below {
    /// Given the sets.
    pub fn new(words: [[u64; CODES]; 2]) -> Below {
        let plane = |words: &[u64; CODES], j: usize| words.map(|word| (word >> (8 * j)) as u8);
        let planes = words.each_ref().map(|words| std::array::from_fn(|j| plane(words, j)));
        Below { words, planes }
    }
}

/// Heaps that ask for codes that are missing, as bits, and these codes.
#[derive(Debug)]
pub struct Missing {
    heaps: u64,
    codes: Words,
}

impl Missing {
    /// The heaps of the block, as places in it, with a code that is missing each time.
    pub fn each(&self) -> impl Iterator<Item = (usize, u8)> {
        bits(self.heaps).flat_map(|lane| bits(self.codes[lane]).map(move |code| (lane, code as u8)))
    }
}

/// The numbers in a set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let least = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            least
        })
    })
}

/// Witnesses marked between two looks whether any is missing.
const LOT: usize = 16;

/// So few heaps without some witness are looked at one by one.
const FEW: u32 = 3;

/// The codes that terms reach at heaps `start..start + 64` of `bytes`, all below `8·planes`, 64 at most. The bytes that they
/// stand before need not be there past `start`, if all shifts are at least 64.
pub fn reached(simd: Simd, bytes: &[u8], start: usize, terms: &[Term], planes: usize) -> Words {
    match simd {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: AVX-512 is there.
        Simd::Avx512 if has_avx512() => unsafe {
            match planes {
                1 => avx512::reached::<1>(bytes, start, terms),
                2 => avx512::reached::<2>(bytes, start, terms),
                3 | 4 => avx512::reached::<4>(bytes, start, terms),
                _ => avx512::reached::<8>(bytes, start, terms),
            }
        },
        _ => {
            let mut sets = [0; LANES];
            terms.iter().for_each(|term| mark(bytes, start, term, &mut sets));
            sets
        }
    }
}

/// The rare codes that common heaps `start..start + 64`, which are the last of `bytes`, ask for and witnesses do not reach,
/// `odd` being whether `start` is an odd heap. Where few heaps ask for any, witnesses may be left out.
pub fn missing(
    simd: Simd,
    bytes: &[u8],
    odd: bool,
    witnesses: &[Term],
    below: &Below,
    planes: usize,
) -> Option<Missing> {
    match simd {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: AVX-512 is there.
        Simd::Avx512 if has_avx512() => unsafe {
            match planes {
                1 => avx512::missing::<1>(bytes, odd, witnesses, below),
                2 => avx512::missing::<2>(bytes, odd, witnesses, below),
                3 | 4 => avx512::missing::<4>(bytes, odd, witnesses, below),
                _ => avx512::missing::<8>(bytes, odd, witnesses, below),
            }
        },
        _ => {
            let start = bytes.len() - LANES;
            let asked: Words = std::array::from_fn(|lane| {
                below.words[(lane + usize::from(odd)) % 2][usize::from(bytes[start + lane]) % CODES]
            });
            let open = |codes: &Words| {
                let asking = codes.iter().enumerate().filter(|(_, codes)| **codes != 0);
                asking.fold(0u64, |heaps, (lane, _)| heaps | 1 << lane)
            };
            let mut missing = Missing { heaps: open(&asked), codes: asked };
            let mut sets = [0; LANES];
            for lot in witnesses.chunks(LOT) {
                if missing.heaps.count_ones() <= FEW {
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

/// Marks what one term reaches.
fn mark(bytes: &[u8], start: usize, term: &Term, sets: &mut Words) {
    let from = start - term.shift as usize;
    for (set, byte) in sets.iter_mut().zip(&bytes[from..from + LANES]) {
        *set |= 1 << ((byte ^ term.byte) % CODES as u8);
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{Below, FEW, LANES, LOT, Missing, Term, Words};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn load(bytes: &[u8; LANES]) -> __m512i {
        // SAFETY: the array is 64 bytes long.
        unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) }
    }

    /// In plane j the bits of codes 8·j to 8·j + 7.
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
        // A term alone is marked twice.
        for pair in terms.chunks(2) {
            let [a, b] = [pair[0], pair[pair.len() - 1]].map(|term| {
                let (reached, _) = bytes[start - term.shift as usize..].split_first_chunk().expect("a block");
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
    fn words<const P: usize>(planes: [__m512i; P]) -> Words {
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
    pub unsafe fn reached<const P: usize>(bytes: &[u8], start: usize, terms: &[Term]) -> Words {
        let mut planes = [_mm512_setzero_si512(); P];
        mark(bytes, start, terms, &tables(), &mut planes);
        words(planes)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub unsafe fn missing<const P: usize>(
        bytes: &[u8],
        odd: bool,
        witnesses: &[Term],
        below: &Below,
    ) -> Option<Missing> {
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
        let (mut left, mut lots) = (asked, witnesses.chunks(LOT));
        let heaps = loop {
            let heaps = left.iter().fold(0, |heaps, left| heaps | _mm512_test_epi8_mask(*left, *left));
            let Some(lot) = lots.next().filter(|_| heaps.count_ones() > FEW) else { break heaps };
            mark(bytes, start, lot, &tables, &mut planes);
            left = std::array::from_fn(|j| _mm512_andnot_si512(planes[j], asked[j]));
        };
        (heaps != 0).then(|| Missing { heaps, codes: words(left) })
    }
}
