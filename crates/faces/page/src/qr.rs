//! QR codes (ISO/IEC 18004): a text as bytes, with the least correction of errors, up to version
//! 25.

use std::fmt::Write;

/// The largest version written; larger ones are hard to read from a screen.
const LARGEST: usize = 25;
/// Codewords of correction in a block, by version, and the blocks (level L).
const CORRECTION: [usize; LARGEST] =
    [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26];
const BLOCKS: [usize; LARGEST] =
    [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12];
/// Modules of margin.
const QUIET: usize = 4;

/// A square of modules; true is dark.
#[derive(Debug, Clone)]
struct Square {
    size: usize,
    dark: Vec<bool>,
    /// Modules that hold no data.
    fixed: Vec<bool>,
}

/// Returns the number of codewords of a version.
fn codewords(version: usize) -> usize {
    let mut modules = (16 * version + 128) * version + 64;
    if version >= 2 {
        let count = version / 7 + 2;
        modules -= (25 * count - 10) * count - 55;
        if version >= 7 {
            modules -= 36;
        }
    }
    modules / 8
}

/// Multiplies in the field of 256 elements.
fn multiply(a: u8, b: u8) -> u8 {
    let (mut product, a) = (0u16, u16::from(a));
    for bit in (0..8).rev() {
        product = product << 1 ^ if product & 0x80 != 0 { 0x11d } else { 0 };
        product ^= if b >> bit & 1 == 1 { a } else { 0 };
    }
    (product & 0xff) as u8
}

/// Returns the codewords that correct a block.
fn correction(data: &[u8], count: usize) -> Vec<u8> {
    // The generator: the product of x − 2^i.
    let mut generator = vec![0u8; count];
    generator[count - 1] = 1;
    let mut root = 1;
    for _ in 0..count {
        for j in 0..count {
            generator[j] = multiply(generator[j], root) ^ generator.get(j + 1).copied().unwrap_or(0);
        }
        root = multiply(root, 2);
    }
    let mut rest = vec![0u8; count];
    for byte in data {
        let factor = byte ^ rest[0];
        rest.rotate_left(1);
        rest[count - 1] = 0;
        for (rest, g) in rest.iter_mut().zip(&generator) {
            *rest ^= multiply(*g, factor);
        }
    }
    rest
}

/// Returns all codewords in the order in which they are drawn, with the version; nothing if the
/// text is too long.
fn encode(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    let fits = |version: &usize| {
        let head = if *version < 10 { 2 } else { 3 };
        // Four bits of mode and eight or sixteen of length: a byte and a half, or two and a half.
        text.len() + head <= codewords(*version) - CORRECTION[version - 1] * BLOCKS[version - 1]
    };
    let version = (1..=LARGEST).find(fits)?;
    let (blocks, ecc) = (BLOCKS[version - 1], CORRECTION[version - 1]);
    let all = codewords(version);
    let capacity = all - ecc * blocks;
    let mut bits: Vec<bool> = Vec::new();
    let mut push = |value: usize, count: usize| bits.extend((0..count).rev().map(|i| value >> i & 1 == 1));
    push(4, 4);
    push(text.len(), if version < 10 { 8 } else { 16 });
    text.iter().for_each(|byte| push((*byte).into(), 8));
    bits.resize(bits.len().next_multiple_of(8), false);
    let byte = |bits: &[bool]| bits.iter().fold(0u8, |byte, bit| byte << 1 | u8::from(*bit));
    let mut data: Vec<u8> = bits.chunks(8).map(byte).collect();
    let padding = [0xec, 0x11].into_iter().cycle().take(capacity - data.len());
    data.extend(padding);
    // The last blocks are one codeword longer.
    let short = all / blocks - ecc;
    let longer = all % blocks;
    let mut rest = &data[..];
    let parts: Vec<&[u8]> = (0..blocks)
        .map(|i| {
            let (part, after) = rest.split_at(short + usize::from(i >= blocks - longer));
            rest = after;
            part
        })
        .collect();
    let corrections: Vec<Vec<u8>> = parts.iter().map(|part| correction(part, ecc)).collect();
    let mut out = Vec::with_capacity(all);
    out.extend((0..=short).flat_map(|i| parts.iter().filter_map(move |part| part.get(i))));
    out.extend((0..ecc).flat_map(|i| corrections.iter().map(move |part| part[i])));
    Some((version, out))
}

impl Square {
    fn new(version: usize) -> Square {
        let size = 17 + 4 * version;
        let mut square = Square { size, dark: vec![false; size * size], fixed: vec![false; size * size] };
        for i in 0..size {
            square.fix(6, i, i % 2 == 0);
            square.fix(i, 6, i % 2 == 0);
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            square.ring(x, y, 4);
        }
        let places = places(version);
        for (i, x) in places.iter().enumerate() {
            for (j, y) in places.iter().enumerate() {
                let last = places.len() - 1;
                // Not in the corners of the finders.
                if !matches!((i, j), (0, 0)) && (i, j) != (0, last) && (i, j) != (last, 0) {
                    square.ring(*x, *y, 2);
                }
            }
        }
        // Places of the format, filled when the mask is known.
        square.format(0);
        if version >= 7 {
            let rest = (0..12).fold(version, |rest, _| (rest << 1) ^ ((rest >> 11) * 0x1f25));
            let bits = version << 12 | rest;
            for i in 0..18 {
                let (a, b) = (size - 11 + i % 3, i / 3);
                square.fix(a, b, bits >> i & 1 == 1);
                square.fix(b, a, bits >> i & 1 == 1);
            }
        }
        square
    }

    fn fix(&mut self, x: usize, y: usize, dark: bool) {
        self.dark[y * self.size + x] = dark;
        self.fixed[y * self.size + x] = true;
    }

    /// Squares in each other around a place: a finder (4, with its light rim) or an alignment (2).
    fn ring(&mut self, x: usize, y: usize, radius: usize) {
        for dy in 0..=2 * radius {
            for dx in 0..=2 * radius {
                let distance = dx.abs_diff(radius).max(dy.abs_diff(radius));
                if let (Some(x), Some(y)) = ((x + dx).checked_sub(radius), (y + dy).checked_sub(radius))
                    && x < self.size
                    && y < self.size
                {
                    self.fix(x, y, if radius == 4 { distance != 2 && distance != 4 } else { distance != 1 });
                }
            }
        }
    }

    /// The level L and a mask, twice.
    fn format(&mut self, mask: usize) {
        let data = 1 << 3 | mask;
        let rest = (0..10).fold(data, |rest, _| (rest << 1) ^ ((rest >> 9) * 0x537));
        let bits = (data << 10 | rest) ^ 0x5412;
        let bit = |i: usize| bits >> i & 1 == 1;
        let size = self.size;
        for i in 0..=5 {
            self.fix(8, i, bit(i));
        }
        self.fix(8, 7, bit(6));
        self.fix(8, 8, bit(7));
        self.fix(7, 8, bit(8));
        for i in 9..15 {
            self.fix(14 - i, 8, bit(i));
        }
        for i in 0..8 {
            self.fix(size - 1 - i, 8, bit(i));
        }
        for i in 8..15 {
            self.fix(8, size - 15 + i, bit(i));
        }
        self.fix(8, size - 8, true);
    }

    /// The places of data, in the order in which codewords fill them.
    fn data_places(&self) -> Vec<usize> {
        let mut places = Vec::new();
        let mut right = self.size - 1;
        loop {
            if right == 6 {
                right = 5;
            }
            let upwards = (right + 1) & 2 == 0;
            for step in 0..self.size {
                let y = if upwards { self.size - 1 - step } else { step };
                places.extend(
                    [right, right - 1].map(|x| y * self.size + x).iter().filter(|i| !self.fixed[**i]),
                );
            }
            if right < 3 {
                return places;
            }
            right -= 2;
        }
    }

    fn masked(&self, mask: usize) -> Square {
        let mut square = self.clone();
        square.format(mask);
        for i in 0..self.dark.len() {
            let (x, y) = (i % self.size, i / self.size);
            let flips = match mask {
                0 => (x + y) % 2 == 0,
                1 => y % 2 == 0,
                2 => x % 3 == 0,
                3 => (x + y) % 3 == 0,
                4 => (x / 3 + y / 2) % 2 == 0,
                5 => x * y % 2 + x * y % 3 == 0,
                6 => (x * y % 2 + x * y % 3) % 2 == 0,
                _ => ((x + y) % 2 + x * y % 3) % 2 == 0,
            };
            square.dark[i] ^= flips && !self.fixed[i];
        }
        square
    }

    /// How hard a square is to read: long runs, blocks of one colour, and too much of one colour.
    fn penalty(&self) -> usize {
        let n = self.size;
        let at = |x: usize, y: usize| self.dark[y * n + x];
        let mut penalty = 0;
        for line in 0..n {
            for swapped in [false, true] {
                let mut run = 0;
                for i in 0..n {
                    let here = |i: usize| if swapped { at(line, i) } else { at(i, line) };
                    run = if i > 0 && here(i) == here(i - 1) { run + 1 } else { 1 };
                    penalty += match run {
                        5 => 3,
                        6.. => 1,
                        _ => 0,
                    };
                }
            }
        }
        for y in 1..n {
            for x in 1..n {
                let same =
                    at(x, y) == at(x - 1, y) && at(x, y) == at(x, y - 1) && at(x, y) == at(x - 1, y - 1);
                penalty += if same { 3 } else { 0 };
            }
        }
        let dark = self.dark.iter().filter(|dark| **dark).count();
        penalty + (dark * 20).abs_diff(n * n * 10) / (n * n) * 10
    }
}

/// The coordinates of alignment patterns.
fn places(version: usize) -> Vec<usize> {
    if version == 1 {
        return Vec::new();
    }
    let count = version / 7 + 2;
    let step = (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2;
    let last = 10 + 4 * version;
    let mut places: Vec<usize> = (0..count - 1).map(|i| last - i * step).collect();
    places.push(6);
    places.reverse();
    places
}

fn square(text: &str) -> Option<Square> {
    let (version, codewords) = encode(text.as_bytes())?;
    let mut square = Square::new(version);
    for (i, place) in square.data_places().into_iter().enumerate() {
        square.dark[place] = codewords.get(i / 8).is_some_and(|byte| byte >> (7 - i % 8) & 1 == 1);
    }
    (0..8).map(|mask| square.masked(mask)).min_by_key(Square::penalty)
}

/// Returns a text as a QR code in SVG; nothing if it is too long.
pub(crate) fn svg(text: &str) -> Option<String> {
    let square = square(text)?;
    let side = square.size + 2 * QUIET;
    let mut path = String::new();
    for i in (0..square.dark.len()).filter(|i| square.dark[*i]) {
        let _ = write!(path, "M{} {}h1v1h-1z", i % square.size + QUIET, i / square.size + QUIET);
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{0}\" height=\"{0}\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}h-{side}z\"/><path d=\"{path}\"/></svg>",
        side * 4
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the standard's tutorials: HELLO WORLD in version 1-M has these codewords of
    /// correction.
    #[test]
    fn correction_of_a_known_block() {
        let data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
        assert_eq!(correction(&data, 10), [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
    }

    /// Places and sizes as Annex E and table 1 of ISO/IEC 18004 list them.
    #[test]
    fn places_and_sizes_of_the_standard() {
        assert_eq!(places(2), [6, 18]);
        assert_eq!(places(7), [6, 22, 38]);
        assert_eq!(places(14), [6, 26, 46, 66]);
        assert_eq!(places(25), [6, 32, 58, 84, 110]);
        let sizes: Vec<usize> = [1, 2, 7, 10, 14, 25].map(codewords).to_vec();
        assert_eq!(sizes, [26, 44, 196, 346, 581, 1588]);
    }

    /// A reader written apart: undoes the mask that the format names, gathers the codewords, and
    /// reads the text.
    fn read(square: &Square) -> Option<String> {
        let at = |x: usize, y: usize| square.dark[y * square.size + x];
        let bits = (10..13).map(|i| usize::from(at(14 - i, 8)) << (i - 10)).sum::<usize>();
        let mask = bits ^ (0x5412 >> 10 & 7);
        let plain = square.masked(mask);
        let version = (square.size - 17) / 4;
        let places = plain.data_places();
        let bytes: Vec<u8> = places
            .chunks_exact(8)
            .map(|eight| eight.iter().fold(0, |byte, i| byte << 1 | u8::from(plain.dark[*i])))
            .collect();
        let (blocks, ecc) = (BLOCKS[version - 1], CORRECTION[version - 1]);
        let (short, longer) = (bytes.len() / blocks - ecc, bytes.len() % blocks);
        let mut parts = vec![Vec::new(); blocks];
        let mut rest = bytes.iter();
        for i in 0..=short {
            for (b, part) in parts.iter_mut().enumerate() {
                if i < short || b >= blocks - longer {
                    part.push(*rest.next()?);
                }
            }
        }
        let all = parts.concat();
        let nibble = |i: usize| usize::from(all[i / 2] >> (4 * (1 - i % 2)) & 15);
        let digits = if version < 10 { 2 } else { 4 };
        let length = (1..=digits).fold(0, |length, i| length << 4 | nibble(i));
        let byte = |i: usize| (nibble(1 + digits + 2 * i) << 4 | nibble(2 + digits + 2 * i)) as u8;
        (nibble(0) == 4).then(|| String::from_utf8((0..length).map(byte).collect()).ok())?
    }

    #[test]
    fn what_is_written_is_read_again() {
        for length in [1, 17, 18, 32, 100, 230, 231, 271, 400, 800, 1273] {
            let text: String = ('!'..='~').cycle().take(length).collect();
            let square = square(&text);
            assert_eq!(square.as_ref().and_then(read), Some(text), "{length}");
        }
        assert!(svg(&"x".repeat(1274)).is_none());
    }
}
