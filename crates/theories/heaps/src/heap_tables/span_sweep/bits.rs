//! A bit for each position of a box.

/// Bits of the positions of a box, in rows along the last number.
pub(super) struct Bits {
    /// How many rows one more of each number but the last is away.
    pub(super) strides: Vec<usize>,
    /// The words of a row.
    pub(super) width: usize,
    pub(super) words: Vec<u64>,
}

impl Bits {
    pub(super) fn new(sides: &[usize]) -> Bits {
        let (last, others) = sides.split_last().expect("a game has a heap");
        let strides = (1..=others.len()).map(|from| others[from..].iter().product()).collect();
        let width = last.div_ceil(64);
        Bits { strides, width, words: vec![0; others.iter().product::<usize>() * width] }
    }

    /// Returns the number of words of such a table, saturating.
    pub(super) fn size(sides: &[usize]) -> u64 {
        let (last, others) = sides.split_last().expect("a game has a heap");
        others.iter().fold(last.div_ceil(64) as u64, |size, side| size.saturating_mul(*side as u64))
    }

    pub(super) fn row(&self, row: i64) -> &[u64] {
        &self.words[row as usize * self.width..][..self.width]
    }
}

pub(super) fn has(words: &[u64], place: usize) -> bool {
    words[place / 64] >> (place % 64) & 1 == 1
}

/// Returns the first bits of a row.
pub(super) fn ones(bits: usize) -> Vec<u64> {
    let mut words = vec![u64::MAX; bits.div_ceil(64)];
    if let Some(last) = words.last_mut() {
        *last >>= (64 - bits % 64) % 64;
    }
    words
}
