//! What examples that draw games by a seed share: the lot, and their arguments.

/// Numbers that look random (Steele, Lea & Flood's SplitMix).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ x >> 31) % bound
    }
}

/// Reads the number behind a word of the command line.
pub fn number(word: &str, default: u64) -> u64 {
    let words: Vec<String> = std::env::args().collect();
    let at = words.iter().position(|w| w == word);
    at.and_then(|at| words.get(at + 1)).map_or(default, |value| value.parse().unwrap())
}
