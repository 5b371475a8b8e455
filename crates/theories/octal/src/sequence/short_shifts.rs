//! Terms of short shift, whose sums lie in the current block and are therefore tested heap by heap.
//!
//! Most codes are decided by longer shifts already. One code at a time is compared with the sums of
//! all short shifts, 64 shifts an instruction.

use super::kernel::LANES;
use super::space::COMMON;
#[cfg(target_arch = "x86_64")]
use bouton_simd::has_avx2;
use bouton_simd::{Simd, has_avx512};

/// At most one term for each shift below 64: index i holds the term of shift 64 − i, aligned with
/// the heap that it is added to.
#[derive(Debug)]
struct ShiftRow {
    bytes: [u8; LANES],
    /// The pages of the terms if codes exceed a byte; [`NOWHERE`] at unused indices.
    pages: [u8; LANES],
    /// The used indices, one bit each.
    there: u64,
}

/// A page number that no code has.
const NOWHERE: u8 = 0xFF;

/// All terms of shift below 64.
#[derive(Debug, Default)]
pub struct ShortShiftTerms(Vec<ShiftRow>);

impl ShortShiftTerms {
    /// Adds a term.
    pub fn add(&mut self, shift: usize, byte: u8, page: u8) {
        let place = LANES - shift;
        let free =
            self.0.iter().position(|near| near.there >> place & 1 == 0).unwrap_or(self.0.len());
        if free == self.0.len() {
            self.0.push(ShiftRow { bytes: [0; LANES], pages: [NOWHERE; LANES], there: 0 });
        }
        self.0[free].bytes[place] = byte;
        self.0[free].pages[place] = page;
        self.0[free].there |= 1 << place;
    }

    /// Returns `seen` extended by its least missing codes, one after another, as long as terms
    /// reach them from the `recent` heaps and they are below `codes`.
    pub fn settle(&self, simd: Simd, recent: &[u8; LANES], seen: u128, codes: u32) -> u128 {
        if self.0.is_empty() {
            return seen;
        }
        match simd {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 if has_avx512() => {
                // SAFETY: the processor has these instructions.
                unsafe { avx512(&self.0, recent, seen, codes) }
            }
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 if has_avx2() => {
                // SAFETY: the processor has these instructions.
                unsafe { avx2(&self.0, recent, seen, codes) }
            }
            _ => settle(seen, codes, |byte| self.0.iter().any(|near| reaches(near, recent, byte))),
        }
    }
}

impl ShortShiftTerms {
    /// Returns whether terms reach a byte and its page (below 128) from the `recent` heaps, given
    /// by their bytes and pages.
    pub fn reach_page(&self, simd: Simd, recent: [&[u8; LANES]; 2], sought: [u8; 2]) -> bool {
        bouton_simd::multiversion! {
            [] (
                near: &[ShiftRow] = &self.0, recent: [&[u8; LANES]; 2] = recent, sought: [u8;
                    2] = sought
            ) -> bool { near.iter().any(|near| reach_page(near, recent, sought)) }
            ["avx512f", "avx512bw", "avx512vl"] if simd == Simd::Avx512 && has_avx512(),
            ["avx2"] if simd != Simd::Portable,
        }
    }
}

/// Implements [`ShortShiftTerms::reach_page`] for one row; inlined into functions with different
/// target features.
#[inline(always)]
fn reach_page(near: &ShiftRow, [bytes, pages]: [&[u8; LANES]; 2], [byte, page]: [u8; 2]) -> bool {
    let mut hit = 0;
    for i in 0..LANES {
        let differs = (bytes[i] ^ near.bytes[i] ^ byte) | (pages[i] ^ near.pages[i] ^ page);
        hit |= u8::from(differs == 0);
    }
    hit != 0
}

/// Implements [`ShortShiftTerms::settle`], given a test for reached codes.
#[inline(always)]
fn settle(mut seen: u128, codes: u32, reaches: impl Fn(u8) -> bool) -> u128 {
    loop {
        let code = seen.trailing_ones();
        if code >= codes.min(u128::BITS) || !reaches(COMMON | code as u8) {
            return seen;
        }
        seen |= 1 << code;
    }
}

#[inline(always)]
fn reaches(near: &ShiftRow, recent: &[u8; LANES], byte: u8) -> bool {
    let hits =
        (0..LANES).fold(0, |hits, i| hits | u64::from(recent[i] ^ near.bytes[i] == byte) << i);
    hits & near.there != 0
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(near: &[ShiftRow], recent: &[u8; LANES], seen: u128, codes: u32) -> u128 {
    use std::arch::x86_64::*;
    // SAFETY: half a list is 32 bytes long, here and below.
    let half = |bytes: &[u8; LANES], i: usize| unsafe {
        _mm256_loadu_si256(bytes[32 * i..].as_ptr().cast())
    };
    let recent = [0, 1].map(|i| half(recent, i));
    settle(seen, codes, |byte| {
        let wanted = recent.map(|recent| _mm256_xor_si256(recent, _mm256_set1_epi8(byte as i8)));
        near.iter().any(|near| {
            let [low, high] = [0, 1].map(|i| {
                _mm256_movemask_epi8(_mm256_cmpeq_epi8(wanted[i], half(&near.bytes, i))) as u32
            });
            (u64::from(low) | u64::from(high) << 32) & near.there != 0
        })
    })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn avx512(near: &[ShiftRow], recent: &[u8; LANES], seen: u128, codes: u32) -> u128 {
    use std::arch::x86_64::*;
    // SAFETY: lists are 64 bytes long, here and below.
    let load = |bytes: &[u8; LANES]| unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) };
    let recent = load(recent);
    settle(seen, codes, |byte| {
        let wanted = _mm512_xor_si512(recent, _mm512_set1_epi8(byte as i8));
        near.iter().any(|near| _mm512_cmpeq_epi8_mask(wanted, load(&near.bytes)) & near.there != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::random;

    /// Against each term by itself; many of a shift, and none.
    #[test]
    fn all_instructions_settle_the_same() {
        let mut random = random(1);
        let mut settled = 0;
        for round in 0..500 {
            let most = [4, 16, 128][round % 3];
            let recent: [u8; LANES] =
                std::array::from_fn(|_| random(most) as u8 | [0, COMMON][random(2) as usize]);
            let terms: Vec<(usize, u8)> = (0..random(90))
                .map(|_| {
                    (1 + random(63) as usize, random(most) as u8 | [0, COMMON][random(2) as usize])
                })
                .collect();
            let mut near = ShortShiftTerms::default();
            terms.iter().for_each(|(shift, byte)| near.add(*shift, *byte, 0));
            let reached = |code: u32| {
                terms
                    .iter()
                    .any(|(shift, byte)| recent[LANES - shift] ^ byte == COMMON | code as u8)
            };
            let seen = u128::from(random(1 << 30)) & u128::from(random(1 << 30));
            let codes = [128, 64, 8, 256][round % 4];
            let mut expected = seen;
            for code in 0..codes.min(128) {
                if expected >> code & 1 == 0 && !reached(code) {
                    break;
                }
                expected |= 1 << code;
            }
            settled += u32::from(expected != seen);
            for simd in Simd::all() {
                assert_eq!(near.settle(simd, &recent, seen, codes), expected, "{simd:?} {terms:?}");
            }
        }
        assert!(settled > 100, "{settled}");
    }

    /// With pages, against each term by itself.
    #[test]
    fn all_instructions_reach_the_same_pages() {
        let mut random = random(2);
        let mut reached = [0; 2];
        for _ in 0..500 {
            let recent: [[u8; LANES]; 2] =
                [7 | COMMON, 3].map(|mask| std::array::from_fn(|_| random(256) as u8 & mask));
            let terms: Vec<(usize, [u8; 2])> = (0..random(40))
                .map(|_| (1 + random(63) as usize, [random(8) as u8, random(4) as u8]))
                .collect();
            let mut near = ShortShiftTerms::default();
            terms.iter().for_each(|(shift, [byte, page])| near.add(*shift, *byte, *page));
            let sought = [random(8) as u8 | COMMON, random(4) as u8];
            let expected = terms
                .iter()
                .any(|(shift, term)| [0, 1].map(|i| recent[i][LANES - shift] ^ term[i]) == sought);
            reached[usize::from(expected)] += 1;
            for simd in Simd::all() {
                assert_eq!(
                    near.reach_page(simd, [&recent[0], &recent[1]], sought),
                    expected,
                    "{simd:?} {terms:?}"
                );
            }
        }
        assert!(reached[0].min(reached[1]) > 50, "{reached:?}");
    }
}
