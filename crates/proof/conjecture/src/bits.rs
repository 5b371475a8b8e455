//! Sets as bits, 64 a word, and what is left of two of them when conditions are added: the inner loop of learning a case.

/// The first `n` bits.
pub fn ones(n: usize) -> Vec<u64> {
    let mut bits = vec![u64::MAX; n.div_ceil(64)];
    if !n.is_multiple_of(64) {
        bits[n / 64] = (1 << (n % 64)) - 1;
    }
    bits
}

/// How many bits are set.
pub fn count(bits: &[u64]) -> u32 {
    bits.iter().map(|w| w.count_ones()).sum()
}

/// Adds bits behind the first `len`.
pub fn append(bits: &mut Vec<u64>, len: usize, more: &[u64]) {
    bits.resize((len / 64 + more.len() + 1).max(bits.len()), 0);
    for (i, word) in more.iter().enumerate() {
        bits[len / 64 + i] |= word << (len % 64);
        if !len.is_multiple_of(64) {
            bits[len / 64 + i + 1] |= word >> (64 - len % 64);
        }
    }
}

/// Classes with an image in both. The images of one number lie side by side, `words` words for all classes; at most [`MOST`].
#[inline(always)]
pub fn covered(one: &[u64], other: &[u64], words: usize) -> u32 {
    if words == MOST { covered_by::<MOST>(one, other) } else { covered_by::<1>(one, other) }
}

#[inline(always)]
fn covered_by<const WORDS: usize>(one: &[u64], other: &[u64]) -> u32 {
    let (one, _) = one.as_chunks::<WORDS>();
    let (other, _) = other.as_chunks::<WORDS>();
    let both = one.iter().zip(other).fold([0; WORDS], |mut any, (one, other)| {
        (0..WORDS).for_each(|word| any[word] |= one[word] & other[word]);
        any
    });
    both.iter().map(|word| word.count_ones()).sum()
}

/// Words of classes at most.
pub const MOST: usize = 2;

/// What is left with one condition more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Classes.
    pub cover: u32,
    /// N-positions.
    pub wrong: u32,
}

/// What a set of images and one of N-positions have in common with those of each condition; these are numbered.
pub fn left<'a>(
    kept: &[u64],
    dropped: &[u64],
    conditions: &'a [(usize, &'a [u64], &'a [u64])],
    words: usize,
) -> Vec<(usize, Left)> {
    bouton_simd::multiversion! {
        [] (
            kept: &[u64] = kept,
            dropped: &[u64] = dropped,
            conditions: &[(usize, &[u64], &[u64])] = conditions,
            words: usize = words
        ) -> Vec<(usize, Left)> { left_plain(kept, dropped, conditions, words) }
        ["avx2", "popcnt"],
    }
}

#[inline(always)]
fn left_plain(
    kept: &[u64],
    dropped: &[u64],
    conditions: &[(usize, &[u64], &[u64])],
    words: usize,
) -> Vec<(usize, Left)> {
    let one = |(i, keeps, drops): &(usize, &[u64], &[u64])| {
        let wrong = dropped.iter().zip(*drops).map(|(a, b)| (a & b).count_ones()).sum();
        (*i, Left { cover: covered(kept, keeps, words), wrong })
    };
    conditions.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the instructions of this processor and without, and beside bits looked at one by one.
    #[test]
    fn what_is_left_is_counted_alike() {
        let mut state = 1u64;
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29 & state << 17
        };
        for words in 1..=MOST {
            for images in [1, 2, 7, 16] {
                let mut set = |len: usize| -> Vec<u64> { (0..len).map(|_| word() & word()).collect() };
                let (kept, dropped) = (set(words * images), set(13));
                let others: Vec<(Vec<u64>, Vec<u64>)> =
                    (0..20).map(|_| (set(words * images), set(13))).collect();
                let conditions: Vec<(usize, &[u64], &[u64])> =
                    others.iter().enumerate().map(|(i, (k, d))| (7 * i, &k[..], &d[..])).collect();
                let fast = left(&kept, &dropped, &conditions, words);
                assert_eq!(fast, left_plain(&kept, &dropped, &conditions, words));
                for ((i, left), (keeps, drops)) in fast.iter().zip(&others) {
                    let bit = |set: &[u64], at: usize| set[at / 64] >> (at % 64) & 1 == 1;
                    let both = |class: &usize| {
                        (0..images)
                            .map(|image| 64 * words * image + class)
                            .any(|at| bit(&kept, at) && bit(keeps, at))
                    };
                    let wrong = (0..64 * 13).filter(|at| bit(&dropped, *at) && bit(drops, *at)).count();
                    let cover = (0..64 * words).filter(both).count();
                    assert_eq!((left.cover as usize, left.wrong as usize), (cover, wrong), "{i}");
                }
            }
        }
    }

    #[test]
    fn bits_are_added_behind_bits() {
        for (first, second) in [(0, 5), (64, 64), (70, 3), (63, 130), (128, 1)] {
            let mut bits = ones(first);
            append(&mut bits, first, &ones(second));
            let set = |bits: &[u64]| count(bits) as usize;
            assert_eq!(
                (set(&bits), bits[(first + second - 1) / 64] >> ((first + second - 1) % 64)),
                (first + second, 1)
            );
        }
    }
}
