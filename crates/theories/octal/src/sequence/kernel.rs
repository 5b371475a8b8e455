//! The inner loop: for 64 neighbouring heaps at once, the set of byte codes that a list of terms reaches.
//!
//! A term is a heap that may be one of the two left: with what the move takes it makes the shift, and its byte is
//! added to the bytes that stand `shift` before. Codes of the wanted class have their top bit clear; 8 of them share
//! a plane, 64 bytes in which lane i holds 8 bits of heap i's set. Where only a few codes are still in question,
//! comparing with these costs a sixth of marking sets.

use super::lane::Lane;
#[cfg(target_arch = "x86_64")]
use bouton_simd::has_avx2;
use bouton_simd::{Simd, has_avx512};

/// Heaps handled at once.
pub const LANES: usize = 64;

/// A heap that may be left, seen from the heap moved in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// Its size and what the move takes: the other heap left is smaller by this than the heap moved in.
    pub shift: u32,
    /// Its byte.
    pub byte: u8,
    /// The page of its code, where codes are past a byte; 0 where they are not.
    pub page: u8,
}

/// The pages of heaps whose codes are past a byte, and the page that is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Page<'h> {
    /// One a heap.
    pub pages: &'h [u8],
    /// Which of them; its codes are 128 of each class.
    pub page: u8,
}

/// No pages: all codes are bytes.
const ONE_PAGE: Page = Page { pages: &[], page: 0 };

/// Sets of codes 0..128, one a lane.
pub type Sets = [[u64; 2]; LANES];

/// Codes looked for at once in each lane.
pub const TARGETS: usize = 6;

/// Codes to look for in each lane; those found are replaced by [`FOUND`].
pub type Targets = [[u8; LANES]; TARGETS];

/// In place of a code that was found or is not there: no code of the wanted class.
pub const FOUND: u8 = 0xFF;

/// The inner loops, computed with these instructions.
#[derive(Debug, Clone, Copy)]
pub struct Kernel(pub Simd);

impl Kernel {
    /// Marks in `sets` the codes below `8·planes` reached at heaps `start..start + 64`. `flip` is 0 for rare sums, the
    /// class bit for common ones. Every shift must lie in 64..=`start`; `history` ends before `start`.
    pub fn mark(
        self,
        history: &[u8],
        start: usize,
        terms: &[Term],
        flip: u8,
        planes: usize,
        sets: &mut Sets,
    ) {
        self.mark_some::<false>(history, ONE_PAGE, start, terms, flip, planes, sets);
    }

    /// The same for the codes of one page.
    #[expect(clippy::too_many_arguments)]
    pub fn mark_page(
        self,
        history: &[u8],
        page: Page<'_>,
        start: usize,
        terms: &[Term],
        flip: u8,
        planes: usize,
        sets: &mut Sets,
    ) {
        self.mark_some::<true>(history, page, start, terms, flip, planes, sets);
    }

    #[expect(clippy::too_many_arguments)]
    fn mark_some<const PAGED: bool>(
        self,
        history: &[u8],
        page: Page<'_>,
        start: usize,
        terms: &[Term],
        flip: u8,
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables))] planes: usize,
        sets: &mut Sets,
    ) {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: AVX-512 is there.
            Simd::Avx512 if has_avx512() => unsafe {
                match planes {
                    1 => avx512::mark::<1, PAGED>(history, page, start, terms, flip, sets),
                    2 => avx512::mark::<2, PAGED>(history, page, start, terms, flip, sets),
                    3 | 4 => avx512::mark::<4, PAGED>(history, page, start, terms, flip, sets),
                    5..=8 => avx512::mark::<8, PAGED>(history, page, start, terms, flip, sets),
                    _ => avx512::mark::<16, PAGED>(history, page, start, terms, flip, sets),
                }
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: AVX2 is there.
            Simd::Avx2 if has_avx2() => unsafe {
                for (start, sets) in (start..).step_by(avx2::LANES).zip(sets.chunks_exact_mut(avx2::LANES)) {
                    for base in (0..planes).step_by(8) {
                        match planes - base {
                            1 => avx2::mark::<1, PAGED>(history, page, start, terms, flip, base, sets),
                            2 => avx2::mark::<2, PAGED>(history, page, start, terms, flip, base, sets),
                            3 | 4 => avx2::mark::<4, PAGED>(history, page, start, terms, flip, base, sets),
                            _ => avx2::mark::<8, PAGED>(history, page, start, terms, flip, base, sets),
                        }
                    }
                }
            },
            _ if PAGED => each_of(history, page.pages, start, terms, flip, |lane, code, other| {
                if other == page.page {
                    sets[lane][usize::from(code >> 6)] |= 1 << (code & 63);
                }
            }),
            _ => each(history, start, terms, flip, |lane, code| {
                sets[lane][usize::from(code >> 6)] |= 1 << (code & 63);
            }),
        }
    }

    /// Strikes from the targets what is reached at heaps `start..start + 64`, each given by its byte and its page.
    pub fn strike_pages(
        self,
        [bytes, pages]: [&[u8]; 2],
        start: usize,
        terms: &[Term],
        flip: u8,
        targets: &mut [Targets; 2],
    ) {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: AVX-512 is there.
            Simd::Avx512 if has_avx512() => unsafe {
                avx512::strike_pages([bytes, pages], start, terms, flip, targets);
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: AVX2 is there.
            Simd::Avx2 if has_avx2() => unsafe {
                for from in (0..LANES).step_by(avx2::LANES) {
                    avx2::strike_pages([bytes, pages], start, terms, flip, from, targets);
                }
            },
            _ => {
                let wanted = *targets;
                each_of(bytes, pages, start, terms, flip, |lane, code, page| {
                    for j in 0..TARGETS {
                        if wanted[0][j][lane] == code && wanted[1][j][lane] == page {
                            targets[0][j][lane] = FOUND;
                        }
                    }
                });
            }
        }
    }

    /// Strikes from `targets` the codes reached at heaps `start..start + 64`; as for [`Kernel::mark`].
    pub fn strike(self, history: &[u8], start: usize, terms: &[Term], flip: u8, targets: &mut Targets) {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: AVX-512 is there.
            Simd::Avx512 if has_avx512() => unsafe {
                avx512::strike(history, start, terms, flip, targets);
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: AVX2 is there.
            Simd::Avx2 if has_avx2() => unsafe {
                for from in (0..LANES).step_by(avx2::LANES) {
                    avx2::strike(history, start, terms, flip, from, targets);
                }
            },
            _ => {
                let wanted = *targets;
                each(history, start, terms, flip, |lane, code| {
                    for (target, wanted) in targets.iter_mut().zip(&wanted) {
                        if wanted[lane] == code {
                            target[lane] = FOUND;
                        }
                    }
                });
            }
        }
    }

    /// The first i where `some[i]` and `others[others.len() − 1 − i]` sum to `byte`. The slices are equally long.
    pub fn find(self, some: &[u8], others: &[u8], byte: u8) -> Option<usize> {
        let plain = |from: usize| {
            let pairs = some[from..].iter().zip(others[..others.len() - from].iter().rev());
            pairs.enumerate().find(|(_, (a, b))| **a ^ **b == byte).map(|(i, _)| from + i)
        };
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 if has_avx512() => {
                // SAFETY: AVX-512 is there.
                match unsafe { avx512::find(some, others, byte) } {
                    Ok(at) => Some(at),
                    Err(from) => plain(from),
                }
            }
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 if has_avx2() => {
                // SAFETY: AVX2 is there.
                match unsafe { avx2::find(some, others, byte) } {
                    Ok(at) => Some(at),
                    Err(from) => plain(from),
                }
            }
            _ => plain(0),
        }
    }
}

impl Kernel {
    /// A search through all splits for one byte costs as much as marking one in so many of them for many heaps at once, all
    /// values being below `bound`.
    pub fn search(self, bound: usize) -> usize {
        let planes = bound.div_ceil(8).max(1);
        (planes * if self.0 == Simd::Avx512 { 3 } else { 6 } / 4).max(8)
    }

    /// Which of the values are sums of `some[i]` and `others[i]` for some i. The slices are equally long.
    pub fn reach<V: Lane, const T: usize>(self, some: &[V], others: &[V], values: &[V; T]) -> [bool; T] {
        let others = &others[..some.len()];
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: AVX-512 is there.
            Simd::Avx512 if has_avx512() => unsafe { avx512::reach(some, others, values) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: AVX2 is there.
            Simd::Avx2 if has_avx2() => unsafe { avx2::reach(some, others, values) },
            _ => reach(some, others, values),
        }
    }
}

impl Kernel {
    /// Whether these bytes stand somewhere, but for bits that are not in `mask`.
    pub fn repeats<const N: usize>(self, bytes: &[u8], sought: &[u8; N], mask: u8) -> bool {
        let simd = self.0;
        bouton_simd::multiversion! {
            [const N: usize] (bytes: &[u8] = bytes, sought: &[u8; N] = sought, mask: u8 = mask) -> bool {
                repeats(bytes, sought, mask)
            }
            ["avx512f", "avx512bw", "avx512vl"] if simd == Simd::Avx512 && has_avx512(),
            ["avx2"] if simd != Simd::Portable,
        }
    }
}

/// [`Kernel::repeats`], for whatever it is compiled for.
#[inline(always)]
#[expect(clippy::needless_range_loop)]
fn repeats<const N: usize>(bytes: &[u8], sought: &[u8; N], mask: u8) -> bool {
    let Some(count) = (bytes.len() + 1).checked_sub(N) else { return false };
    // Loops: closures of iterators are now and then compiled for any processor and called from here.
    let mut rows = [bytes; N];
    for (j, row) in rows.iter_mut().enumerate() {
        *row = &bytes[j..][..count];
    }
    let mut hit = 0;
    for i in 0..count {
        let mut differs = 0;
        for j in 0..N {
            differs |= rows[j][i] ^ sought[j];
        }
        hit |= u8::from(differs & mask == 0);
    }
    hit != 0
}

/// [`Kernel::reach`] one by one.
fn reach<V: Lane, const T: usize>(some: &[V], others: &[V], values: &[V; T]) -> [bool; T] {
    let mut reached = [false; T];
    for (a, b) in some.iter().zip(others) {
        reached.iter_mut().zip(values).for_each(|(reached, value)| *reached |= *a ^ *b == *value);
    }
    reached
}

/// Visits the codes of the wanted class that the terms reach, and their pages.
fn each_of(
    bytes: &[u8],
    pages: &[u8],
    start: usize,
    terms: &[Term],
    flip: u8,
    mut visit: impl FnMut(usize, u8, u8),
) {
    for term in terms {
        let from = start - term.shift as usize;
        let heaps = bytes[from..from + LANES].iter().zip(&pages[from..from + LANES]);
        for (lane, (byte, page)) in heaps.enumerate() {
            let code = byte ^ term.byte ^ flip;
            if code < 0x80 {
                visit(lane, code, page ^ term.page);
            }
        }
    }
}

/// Visits the codes of the wanted class that the terms reach.
fn each(history: &[u8], start: usize, terms: &[Term], flip: u8, mut visit: impl FnMut(usize, u8)) {
    for term in terms {
        let from = start - term.shift as usize;
        for (lane, byte) in history[from..from + LANES].iter().enumerate() {
            let code = byte ^ term.byte ^ flip;
            if code < 0x80 {
                visit(lane, code);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{FOUND, Lane, Page, TARGETS, Targets, Term};
    use std::arch::x86_64::*;

    /// Heaps handled at once: half of a block.
    pub const LANES: usize = 32;

    /// One pass over the terms for `P` planes from plane `base` on.
    #[target_feature(enable = "avx2")]
    pub unsafe fn mark<const P: usize, const PAGED: bool>(
        history: &[u8],
        page: Page<'_>,
        start: usize,
        terms: &[Term],
        flip: u8,
        base: usize,
        sets: &mut [[u64; 2]],
    ) {
        // Bit number to bit; indices with the top bit set give 0, so codes of the other class mark nothing.
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let high = _mm256_set1_epi8(0x1F);
        let numbers: [__m256i; P] = std::array::from_fn(|j| _mm256_set1_epi8(j as i8));
        let mut planes = [_mm256_setzero_si256(); P];
        let turn = flip ^ (base as u8) << 3;
        for term in terms {
            let from = start - term.shift as usize;
            let window = &history[from..from + LANES];
            // SAFETY: the window is 32 bytes long.
            let bytes = unsafe { _mm256_loadu_si256(window.as_ptr().cast()) };
            let code = _mm256_xor_si256(bytes, _mm256_set1_epi8((term.byte ^ turn) as i8));
            let mut bit = _mm256_shuffle_epi8(bits, code);
            if PAGED {
                let window = &page.pages[from..from + LANES];
                // SAFETY: the window is 32 bytes long.
                let pages = unsafe { _mm256_loadu_si256(window.as_ptr().cast()) };
                let here = _mm256_cmpeq_epi8(pages, _mm256_set1_epi8((term.page ^ page.page) as i8));
                bit = _mm256_and_si256(bit, here);
            }
            let plane = _mm256_and_si256(_mm256_srli_epi16(code, 3), high);
            for j in 0..P {
                let here = _mm256_cmpeq_epi8(plane, numbers[j]);
                planes[j] = _mm256_or_si256(planes[j], _mm256_and_si256(here, bit));
            }
        }
        for (j, plane) in planes.into_iter().enumerate() {
            let mut bytes = [0u8; LANES];
            // SAFETY: the array is 32 bytes long.
            unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), plane) };
            let place = base + j;
            for (set, byte) in sets.iter_mut().zip(bytes) {
                set[place / 8] |= u64::from(byte) << (place % 8 * 8);
            }
        }
    }

    /// The lanes from `from` on.
    #[target_feature(enable = "avx2")]
    pub unsafe fn strike(
        history: &[u8],
        start: usize,
        terms: &[Term],
        flip: u8,
        from: usize,
        targets: &mut Targets,
    ) {
        // SAFETY: each array is 32 bytes long.
        let wanted: [__m256i; TARGETS] = std::array::from_fn(|j| unsafe {
            _mm256_loadu_si256(targets[j][from..from + LANES].as_ptr().cast())
        });
        let mut found = [_mm256_setzero_si256(); TARGETS];
        let gone = _mm256_set1_epi8(FOUND as i8);
        for terms in terms.chunks(64) {
            for term in terms {
                let at = start + from - term.shift as usize;
                let window = &history[at..at + LANES];
                // SAFETY: the window is 32 bytes long.
                let bytes = unsafe { _mm256_loadu_si256(window.as_ptr().cast()) };
                let code = _mm256_xor_si256(bytes, _mm256_set1_epi8((term.byte ^ flip) as i8));
                for j in 0..TARGETS {
                    found[j] = _mm256_or_si256(found[j], _mm256_cmpeq_epi8(code, wanted[j]));
                }
            }
            let left = (0..TARGETS).fold(gone, |left, j| {
                _mm256_and_si256(left, _mm256_or_si256(found[j], _mm256_cmpeq_epi8(wanted[j], gone)))
            });
            if _mm256_movemask_epi8(left) == -1 {
                break;
            }
        }
        for (target, found) in targets.iter_mut().zip(found) {
            let mut struck = [0u8; LANES];
            // SAFETY: the array is 32 bytes long.
            unsafe { _mm256_storeu_si256(struck.as_mut_ptr().cast(), found) };
            target[from..from + LANES]
                .iter_mut()
                .zip(struck)
                .filter(|(_, struck)| *struck != 0)
                .for_each(|(code, _)| *code = FOUND);
        }
    }

    /// The lanes from `from` on.
    #[target_feature(enable = "avx2")]
    pub unsafe fn strike_pages(
        [bytes, pages]: [&[u8]; 2],
        start: usize,
        terms: &[Term],
        flip: u8,
        from: usize,
        targets: &mut [Targets; 2],
    ) {
        // SAFETY: each array is 32 bytes long, here and below.
        let load = |bytes: &[u8]| unsafe { _mm256_loadu_si256(bytes[..LANES].as_ptr().cast()) };
        let wanted: [[__m256i; TARGETS]; 2] =
            std::array::from_fn(|i| std::array::from_fn(|j| load(&targets[i][j][from..])));
        let mut found = [_mm256_setzero_si256(); TARGETS];
        for term in terms {
            let at = start + from - term.shift as usize;
            let code = _mm256_xor_si256(load(&bytes[at..]), _mm256_set1_epi8((term.byte ^ flip) as i8));
            let page = _mm256_xor_si256(load(&pages[at..]), _mm256_set1_epi8(term.page as i8));
            for j in 0..TARGETS {
                let same = [_mm256_cmpeq_epi8(code, wanted[0][j]), _mm256_cmpeq_epi8(page, wanted[1][j])];
                found[j] = _mm256_or_si256(found[j], _mm256_and_si256(same[0], same[1]));
            }
        }
        for (target, found) in targets[0].iter_mut().zip(found) {
            let mut struck = [0u8; LANES];
            // SAFETY: the array is 32 bytes long.
            unsafe { _mm256_storeu_si256(struck.as_mut_ptr().cast(), found) };
            let lanes = target[from..from + LANES].iter_mut().zip(struck);
            lanes.filter(|(_, struck)| *struck != 0).for_each(|(code, _)| *code = FOUND);
        }
    }

    #[target_feature(enable = "avx2")]
    pub unsafe fn reach<V: Lane, const T: usize>(some: &[V], others: &[V], values: &[V; T]) -> [bool; T] {
        let count = LANES / size_of::<V>();
        // SAFETY: AVX2 is there, here and below.
        let wanted = values.map(|value| unsafe { value.all256() });
        let mut found = [_mm256_setzero_si256(); T];
        if some.len() < count {
            return super::reach(some, others, values);
        }
        // What is left after whole vectors is at the end of one more, of which the beginning is looked at twice.
        let (last, others) = (some.len() - count, &others[..some.len()]);
        let mut from = 0;
        loop {
            // SAFETY: both have a vector from here on.
            let sum = unsafe {
                let (some, others) = (some.as_ptr().add(from), others.as_ptr().add(from));
                _mm256_xor_si256(_mm256_loadu_si256(some.cast()), _mm256_loadu_si256(others.cast()))
            };
            for j in 0..T {
                // SAFETY: as above.
                found[j] = _mm256_or_si256(found[j], unsafe { V::equal256(sum, wanted[j]) });
            }
            if from == last {
                break;
            }
            from = last.min(from + count);
        }
        found.map(|found| _mm256_movemask_epi8(found) != 0)
    }

    /// The place found, or from where on nothing was looked at.
    #[target_feature(enable = "avx2")]
    pub unsafe fn find(some: &[u8], others: &[u8], byte: u8) -> Result<usize, usize> {
        let sum = _mm256_set1_epi8(byte as i8);
        // Each half of 16 bytes backwards; the halves change places.
        let back = _mm256_set_epi64x(
            0x0001_0203_0405_0607,
            0x0809_0A0B_0C0D_0E0F,
            0x0001_0203_0405_0607,
            0x0809_0A0B_0C0D_0E0F,
        );
        let (some, others) = (some.chunks_exact(LANES), others.rchunks_exact(LANES));
        let whole = some.len() * LANES;
        for (i, (some, others)) in some.zip(others).enumerate() {
            // SAFETY: both chunks are 32 bytes long.
            let (some, others) = unsafe {
                (_mm256_loadu_si256(some.as_ptr().cast()), _mm256_loadu_si256(others.as_ptr().cast()))
            };
            let turned = _mm256_permute2x128_si256::<1>(others, others);
            let others = _mm256_shuffle_epi8(turned, back);
            let hits = _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_xor_si256(some, others), sum));
            if hits != 0 {
                return Ok(i * LANES + hits.trailing_zeros() as usize);
            }
        }
        Err(whole)
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{FOUND, LANES, Lane, Page, Sets, TARGETS, Targets, Term};
    use std::arch::x86_64::*;

    /// The 64 bytes that stand `shift` before, with a byte added.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn codes(history: &[u8], start: usize, shift: u32, byte: u8) -> __m512i {
        let from = start - shift as usize;
        let window = &history[from..from + LANES];
        // SAFETY: the window is 64 bytes long.
        let bytes = unsafe { _mm512_loadu_epi8(window.as_ptr().cast()) };
        _mm512_xor_si512(bytes, _mm512_set1_epi8(byte as i8))
    }

    /// Two terms at a time, for `P` planes. Each of eight tables has the bits of its plane for 64 codes, so that one permutation
    /// makes a plane; codes of the other half and of the other class are masked.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub unsafe fn mark<const P: usize, const PAGED: bool>(
        history: &[u8],
        page: Page<'_>,
        start: usize,
        terms: &[Term],
        flip: u8,
        sets: &mut Sets,
    ) {
        // Codes of other pages become those of the other class.
        let codes = |term: &Term| {
            let code = codes(history, start, term.shift, term.byte ^ flip);
            if !PAGED {
                return code;
            }
            let elsewhere = codes(page.pages, start, term.shift, term.page ^ page.page);
            _mm512_mask_blend_epi8(_mm512_test_epi8_mask(elsewhere, elsewhere), code, _mm512_set1_epi8(-1))
        };
        let tables: [__m512i; 8] = std::array::from_fn(|j| {
            let table: [u8; LANES] =
                std::array::from_fn(|code| if code / 8 == j { 1 << (code % 8) } else { 0 });
            // SAFETY: the array is 64 bytes long.
            unsafe { _mm512_loadu_epi8(table.as_ptr().cast()) }
        });
        let (upper, outside) = (_mm512_set1_epi8(0x40), _mm512_set1_epi8((0xC0u8) as i8));
        let mut planes = [_mm512_setzero_si512(); P];
        // A term alone is marked twice.
        for pair in terms.chunks(2) {
            let [a, b] = [codes(&pair[0]), codes(&pair[pair.len() - 1])];
            let low = [a, b].map(|code| _mm512_testn_epi8_mask(code, outside));
            for j in 0..P.min(8) {
                planes[j] = _mm512_ternarylogic_epi64::<0xFE>(
                    planes[j],
                    _mm512_maskz_permutexvar_epi8(low[0], a, tables[j]),
                    _mm512_maskz_permutexvar_epi8(low[1], b, tables[j]),
                );
            }
            if P > 8 {
                let high = [a, b].map(|code| _mm512_cmpeq_epi8_mask(_mm512_and_si512(code, outside), upper));
                for j in 8..P {
                    planes[j] = _mm512_ternarylogic_epi64::<0xFE>(
                        planes[j],
                        _mm512_maskz_permutexvar_epi8(high[0], a, tables[j - 8]),
                        _mm512_maskz_permutexvar_epi8(high[1], b, tables[j - 8]),
                    );
                }
            }
        }
        for (place, plane) in planes.into_iter().enumerate() {
            let mut bytes = [0u8; LANES];
            // SAFETY: the array is 64 bytes long.
            unsafe { _mm512_storeu_epi8(bytes.as_mut_ptr().cast(), plane) };
            for (set, byte) in sets.iter_mut().zip(bytes) {
                set[place / 8] |= u64::from(byte) << (place % 8 * 8);
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub unsafe fn strike(history: &[u8], start: usize, terms: &[Term], flip: u8, targets: &mut Targets) {
        // SAFETY: each array is 64 bytes long.
        let wanted: [__m512i; TARGETS] =
            std::array::from_fn(|j| unsafe { _mm512_loadu_epi8(targets[j].as_ptr().cast()) });
        // The least that codes differ from what is wanted by, as numbers: 0 where it was reached.
        let mut least = [_mm512_set1_epi8(-1); TARGETS];
        let gone = wanted.map(|wanted| _mm512_cmpeq_epi8_mask(wanted, _mm512_set1_epi8(FOUND as i8)));
        for terms in terms.chunks(64) {
            for term in terms {
                let code = codes(history, start, term.shift, term.byte ^ flip);
                for j in 0..TARGETS {
                    least[j] = _mm512_min_epu8(least[j], _mm512_xor_si512(code, wanted[j]));
                }
            }
            let left = (0..TARGETS)
                .fold(u64::MAX, |left, j| left & (gone[j] | _mm512_testn_epi8_mask(least[j], least[j])));
            if left == u64::MAX {
                break;
            }
        }
        for (target, least) in targets.iter_mut().zip(least) {
            let struck = _mm512_testn_epi8_mask(least, least);
            for (lane, code) in target.iter_mut().enumerate() {
                if struck >> lane & 1 == 1 {
                    *code = FOUND;
                }
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub unsafe fn strike_pages(
        [bytes, pages]: [&[u8]; 2],
        start: usize,
        terms: &[Term],
        flip: u8,
        targets: &mut [Targets; 2],
    ) {
        // SAFETY: each array is 64 bytes long.
        let load = |bytes: &[u8; LANES]| unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) };
        let wanted: [[__m512i; TARGETS]; 2] =
            std::array::from_fn(|i| std::array::from_fn(|j| load(&targets[i][j])));
        let mut least = [_mm512_set1_epi8(-1); TARGETS];
        for term in terms {
            let code = codes(bytes, start, term.shift, term.byte ^ flip);
            let page = codes(pages, start, term.shift, term.page);
            for j in 0..TARGETS {
                // differs | (code ^ wanted)
                let differs = _mm512_xor_si512(page, wanted[1][j]);
                let apart = _mm512_ternarylogic_epi64::<0xF6>(differs, code, wanted[0][j]);
                least[j] = _mm512_min_epu8(least[j], apart);
            }
        }
        for (target, least) in targets[0].iter_mut().zip(least) {
            let struck = _mm512_testn_epi8_mask(least, least);
            for (lane, code) in target.iter_mut().enumerate() {
                if struck >> lane & 1 == 1 {
                    *code = FOUND;
                }
            }
        }
    }

    /// The place found, or from where on nothing was looked at.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub unsafe fn find(some: &[u8], others: &[u8], byte: u8) -> Result<usize, usize> {
        let sum = _mm512_set1_epi8(byte as i8);
        let back: [u8; LANES] = std::array::from_fn(|i| (LANES - 1 - i) as u8);
        // SAFETY: the array is 64 bytes long.
        let back = unsafe { _mm512_loadu_epi8(back.as_ptr().cast()) };
        let (some, others) = (some.chunks_exact(LANES), others.rchunks_exact(LANES));
        let whole = some.len() * LANES;
        for (i, (some, others)) in some.zip(others).enumerate() {
            // SAFETY: both chunks are 64 bytes long.
            let (some, others) = unsafe {
                (_mm512_loadu_epi8(some.as_ptr().cast()), _mm512_loadu_epi8(others.as_ptr().cast()))
            };
            let others = _mm512_permutexvar_epi8(back, others);
            let hits = _mm512_cmpeq_epi8_mask(_mm512_xor_si512(some, others), sum);
            if hits != 0 {
                return Ok(i * LANES + hits.trailing_zeros() as usize);
            }
        }
        Err(whole)
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub unsafe fn reach<V: Lane, const T: usize>(some: &[V], others: &[V], values: &[V; T]) -> [bool; T] {
        let count = 64 / size_of::<V>();
        // SAFETY: AVX-512 is there, here and below.
        let wanted = values.map(|value| unsafe { value.all512() });
        // The least that sums differ from what is wanted by, as numbers: 0 where it was reached.
        let mut least = [_mm512_set1_epi16(-1); T];
        if some.len() < count {
            return super::reach(some, others, values);
        }
        // What is left after whole vectors is at the end of one more, of which the beginning is looked at twice.
        let (last, others) = (some.len() - count, &others[..some.len()]);
        let mut from = 0;
        loop {
            // SAFETY: both have a vector from here on.
            let sum = unsafe {
                let (some, others) = (some.as_ptr().add(from), others.as_ptr().add(from));
                _mm512_xor_si512(_mm512_loadu_si512(some.cast()), _mm512_loadu_si512(others.cast()))
            };
            for j in 0..T {
                // SAFETY: as above.
                least[j] = unsafe { V::least512(least[j], _mm512_xor_si512(sum, wanted[j])) };
            }
            if from == last {
                break;
            }
            from = last.min(from + count);
        }
        // SAFETY: as above.
        least.map(|least| unsafe { V::some0(least) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Numbers that look random.
    fn random() -> impl FnMut() -> u32 {
        let mut any = crate::sequence::random(1);
        move || any(1 << 31) as u32
    }

    #[test]
    fn all_instructions_see_the_same_repeats() {
        let mut random = random();
        let mut seen = [0; 2];
        for round in 0..2000 {
            let bytes: Vec<u8> = (0..round % 200).map(|_| random() as u8 & 0x81).collect();
            let sought: [u8; 8] = std::array::from_fn(|_| random() as u8 & 0x81);
            let mask = [0x7F, 0xFF][round % 2];
            let same = |some: &[u8]| some.iter().zip(sought).all(|(a, b)| (a ^ b) & mask == 0);
            let expected = bytes.windows(8).any(same);
            seen[usize::from(expected)] += 1;
            for simd in Simd::all() {
                assert_eq!(
                    Kernel(simd).repeats(&bytes, &sought, mask),
                    expected,
                    "{simd:?} {bytes:?} {sought:?}"
                );
            }
        }
        assert!(seen[0].min(seen[1]) > 100, "{seen:?}");
    }

    #[test]
    fn all_instructions_mark_the_same() {
        let mut random = random();
        for round in 0..200 {
            let planes = [1, 2, 4, 8, 16][round % 5];
            let flip = [0, 0x80][round % 2];
            let history: Vec<u8> =
                (0..300 + round).map(|_| random() as u8 & [0xFF, 0x9F, 0x83][round % 3]).collect();
            let terms: Vec<Term> = (0..random() % 40)
                .map(|_| Term {
                    shift: 64 + random() % (history.len() as u32 - 63),
                    byte: random() as u8,
                    page: random() as u8 & 3,
                })
                .collect();
            let mut plain = [[round as u64 & 5, 0]; LANES];
            Kernel(Simd::Portable).mark(&history, history.len(), &terms, flip, planes, &mut plain);
            // Codes past the planes asked for are not looked at.
            let keep = |set: [u64; 2]| u128::from(set[0]) | u128::from(set[1]) << 64;
            let wanted = u128::MAX >> (128 - 8 * planes);
            for simd in Simd::all() {
                let mut fast = [[round as u64 & 5, 0]; LANES];
                Kernel(simd).mark(&history, history.len(), &terms, flip, planes, &mut fast);
                for lane in 0..LANES {
                    let [fast, plain] = [fast[lane], plain[lane]].map(|set| keep(set) & wanted);
                    assert_eq!(fast, plain, "{simd:?} round {round} lane {lane}");
                }
            }
        }
    }

    #[test]
    fn all_instructions_strike_the_same() {
        let mut random = random();
        let mut struck = 0;
        for round in 0..300 {
            let flip = [0, 0x80][round % 2];
            let history: Vec<u8> = (0..200 + round).map(|_| random() as u8 & 0x9F).collect();
            let terms: Vec<Term> = (0..random() % 200)
                .map(|_| Term {
                    shift: 64 + random() % (history.len() as u32 - 63),
                    byte: random() as u8 & 0x9F,
                    page: random() as u8 & 3,
                })
                .collect();
            let sought: Targets = std::array::from_fn(|_| {
                std::array::from_fn(|_| [random() as u8 & 0x1F, FOUND][(random() % 4 / 3) as usize])
            });
            let mut plain = sought;
            Kernel(Simd::Portable).strike(&history, history.len(), &terms, flip, &mut plain);
            for simd in Simd::all() {
                let mut fast = sought;
                Kernel(simd).strike(&history, history.len(), &terms, flip, &mut fast);
                assert_eq!(fast, plain, "{simd:?} round {round}");
            }
            struck += usize::from(plain != sought);
        }
        assert!(struck > 200, "{struck}");
    }

    #[test]
    fn all_instructions_mark_and_strike_pages() {
        let mut random = random();
        let (mut marked, mut struck) = (0, 0);
        for round in 0..300 {
            let flip = [0, 0x80][round % 2];
            let len = 200 + round;
            let bytes: Vec<u8> = (0..len).map(|_| random() as u8 & 0x9F).collect();
            let pages: Vec<u8> = (0..len).map(|_| random() as u8 & 3).collect();
            let terms: Vec<Term> = (0..random() % 150)
                .map(|_| Term {
                    shift: 64 + random() % (len as u32 - 63),
                    byte: random() as u8 & 0x9F,
                    page: random() as u8 & 3,
                })
                .collect();
            // From the definition.
            let reached = |lane: usize, byte: u8, page: u8| {
                terms.iter().any(|term| {
                    let other = len + lane - term.shift as usize;
                    other < len && bytes[other] ^ term.byte ^ flip == byte && pages[other] ^ term.page == page
                })
            };
            let sought: [Targets; 2] = [
                std::array::from_fn(|_| {
                    std::array::from_fn(|_| [random() as u8 & 0x1F, FOUND][(random() % 4 / 3) as usize])
                }),
                std::array::from_fn(|_| std::array::from_fn(|_| random() as u8 & 3)),
            ];
            for simd in Simd::all() {
                for page in 0..4 {
                    let mut sets = [[0; 2]; LANES];
                    let planes = [4, 16][round % 2];
                    Kernel(simd).mark_page(
                        &bytes,
                        Page { pages: &pages, page },
                        len,
                        &terms,
                        flip,
                        planes,
                        &mut sets,
                    );
                    for (lane, set) in sets.iter().enumerate() {
                        for code in 0..32 {
                            let there = set[0] >> code & 1 == 1;
                            assert_eq!(
                                there,
                                reached(lane, code as u8, page),
                                "{simd:?} {round} {lane} {code}"
                            );
                            marked += usize::from(there);
                        }
                    }
                }
                let mut targets = sought;
                Kernel(simd).strike_pages([&bytes, &pages], len, &terms, flip, &mut targets);
                assert_eq!(targets[1], sought[1]);
                for j in 0..TARGETS {
                    for lane in 0..LANES {
                        let [byte, page] = [0, 1].map(|i| sought[i][j][lane]);
                        let gone = byte == FOUND || reached(lane, byte, page);
                        assert_eq!(targets[0][j][lane], if gone { FOUND } else { byte }, "{simd:?} {round}");
                        struck += usize::from(gone && byte != FOUND);
                    }
                }
            }
        }
        assert!(marked > 10_000 && struck > 1000, "{marked} {struck}");
    }

    #[test]
    fn all_instructions_find_the_same() {
        let mut random = random();
        let mut found = 0;
        for round in 0..2000 {
            let len = round % 150;
            let [some, others]: [Vec<u8>; 2] =
                std::array::from_fn(|_| (0..len).map(|_| random() as u8 & 0x3F).collect());
            let byte = random() as u8 & 0x3F;
            let expected = (0..len).find(|i| some[*i] ^ others[len - 1 - i] == byte);
            for simd in Simd::all() {
                assert_eq!(Kernel(simd).find(&some, &others, byte), expected, "round {round} {simd:?}");
            }
            found += usize::from(expected.is_some());
        }
        assert!(found > 500 && found < 1900, "{found}");
    }

    /// Sums of slices of `random` numbers below 0x140, cut to a lane, in all lengths to 150.
    fn reaches_the_same<V: Lane + std::fmt::Debug>(lane: impl Fn(u32) -> V) {
        let mut random = random();
        let mut found = 0;
        for round in 0..2000 {
            let len = round % 150;
            let [some, others]: [Vec<V>; 2] =
                std::array::from_fn(|_| (0..len).map(|_| lane(random() & 0x13F)).collect());
            let values: [V; 4] = std::array::from_fn(|_| lane(random() & 0x13F));
            let sums: Vec<V> = some.iter().zip(&others).map(|(a, b)| *a ^ *b).collect();
            for simd in Simd::all() {
                let reached = Kernel(simd).reach(&some, &others, &values);
                assert_eq!(reached, values.map(|value| sums.contains(&value)), "round {round} {simd:?}");
                found += usize::from(reached[0]);
            }
        }
        assert!(found > 200, "{found}");
    }

    #[test]
    fn all_instructions_reach_the_same() {
        reaches_the_same(|number| number as u16);
        reaches_the_same(|number| number as u8);
    }

    /// Nobody should think that the wider instructions were tested where they were not.
    #[test]
    fn what_was_not_tested_is_told() {
        for (simd, name) in [(Simd::Avx2, "AVX2"), (Simd::Avx512, "AVX-512")] {
            if !Simd::all().contains(&simd) {
                // Past the harness, which keeps what tests print to itself.
                let _ = writeln!(std::io::stderr(), "skipped: no such processor ({name})");
            }
        }
    }
}
