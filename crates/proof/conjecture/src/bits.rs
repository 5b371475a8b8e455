//! Bit sets, 64 bits per word, and the counts that remain when conditions are added: the inner loop
//! of learning a case.

/// Returns a set of the first `n` bits.
pub fn ones(n: usize) -> Vec<u64> {
    let mut bits = vec![u64::MAX; n.div_ceil(64)];
    if !n.is_multiple_of(64) {
        bits[n / 64] = (1 << (n % 64)) - 1;
    }
    bits
}

/// Counts the set bits.
pub fn count(bits: &[u64]) -> u32 {
    bits.iter().map(|w| w.count_ones()).sum()
}

/// Appends bits after the first `len`.
pub fn append(bits: &mut Vec<u64>, len: usize, more: &[u64]) {
    bits.resize((len / 64 + more.len() + 1).max(bits.len()), 0);
    for (i, word) in more.iter().enumerate() {
        bits[len / 64 + i] |= word << (len % 64);
        if !len.is_multiple_of(64) {
            bits[len / 64 + i + 1] |= word >> (64 - len % 64);
        }
    }
}

/// Counts the classes with an image in both sets. The images of one number are consecutive, `words`
/// words for all classes; at most [`MAX_WORDS`].
#[inline(always)]
pub fn covered(one: &[u64], other: &[u64], words: usize) -> u32 {
    if words == MAX_WORDS {
        covered_by::<MAX_WORDS>(one, other)
    } else {
        covered_by::<1>(one, other)
    }
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

/// The greatest number of words for classes.
pub const MAX_WORDS: usize = 2;

/// The counts that remain with one more condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConditionCounts {
    /// The number of classes.
    pub cover: u32,
    /// The number of N-positions.
    pub wrong: u32,
}

/// Intersects a set of images and one of N-positions with those of each condition; returns the
/// counts with the numbers of the conditions.
pub fn condition_counts<'a>(
    kept: &[u64],
    dropped: &[u64],
    conditions: &'a [(usize, &'a [u64], &'a [u64])],
    words: usize,
) -> Vec<(usize, ConditionCounts)> {
    bouton_simd::multiversion! {
        [] (
            kept: &[u64] = kept,
            dropped: &[u64] = dropped,
            conditions: &[(usize, &[u64], &[u64])] = conditions,
            words: usize = words
        ) -> Vec<(usize, ConditionCounts)> { left_plain(kept, dropped, conditions, words) }
        ["avx2", "popcnt"],
    }
}

#[inline(always)]
fn left_plain(
    kept: &[u64],
    dropped: &[u64],
    conditions: &[(usize, &[u64], &[u64])],
    words: usize,
) -> Vec<(usize, ConditionCounts)> {
    let one = |(i, keeps, drops): &(usize, &[u64], &[u64])| {
        let wrong = dropped.iter().zip(*drops).map(|(a, b)| (a & b).count_ones()).sum();
        (*i, ConditionCounts { cover: covered(kept, keeps, words), wrong })
    };
    conditions.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts agree with and without vector instructions, and with a count bit by bit.
    #[test]
    fn what_is_left_is_counted_alike() {
        let mut drawn = fastrand::Rng::with_seed(1);
        let mut word = || drawn.u64(..);
        for words in 1..=MAX_WORDS {
            for images in [1, 2, 7, 16] {
                let mut set =
                    |len: usize| -> Vec<u64> { (0..len).map(|_| word() & word()).collect() };
                let (kept, dropped) = (set(words * images), set(13));
                let others: Vec<(Vec<u64>, Vec<u64>)> =
                    (0..20).map(|_| (set(words * images), set(13))).collect();
                let conditions: Vec<(usize, &[u64], &[u64])> =
                    others.iter().enumerate().map(|(i, (k, d))| (7 * i, &k[..], &d[..])).collect();
                let fast = condition_counts(&kept, &dropped, &conditions, words);
                assert_eq!(fast, left_plain(&kept, &dropped, &conditions, words));
                for ((i, condition_counts), (keeps, drops)) in fast.iter().zip(&others) {
                    let bit = |set: &[u64], at: usize| set[at / 64] >> (at % 64) & 1 == 1;
                    let both = |class: &usize| {
                        (0..images)
                            .map(|image| 64 * words * image + class)
                            .any(|at| bit(&kept, at) && bit(keeps, at))
                    };
                    let wrong =
                        (0..64 * 13).filter(|at| bit(&dropped, *at) && bit(drops, *at)).count();
                    let cover = (0..64 * words).filter(both).count();
                    assert_eq!(
                        (condition_counts.cover as usize, condition_counts.wrong as usize),
                        (cover, wrong),
                        "{i}"
                    );
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
