//! Packs the openings of 4 × 4 for `src/game/openings.rs`: the differences of consecutive
//! positions, seven bits per byte, lowest first; the last byte of a number is below 128. This takes
//! two fifths of the compressed text, which matters because every browser loads it.

use std::path::PathBuf;
use std::{env, fs, io};

const TEXT: &str = "data/dots-4x4.txt";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={TEXT}");
    let mut packed = Vec::new();
    let mut before = 0;
    for line in fs::read_to_string(TEXT)?.lines() {
        let line_error = |why: &str| io::Error::other(format!("{TEXT}: `{line}`: {why}"));
        let lines = u64::from_str_radix(line, 16)
            .map_err(|_| line_error("a hexadecimal number is expected"))?;
        let mut more =
            lines.checked_sub(before).ok_or_else(|| line_error("not in ascending order"))?;
        while more >= 128 {
            packed.push(more as u8 | 128);
            more >>= 7;
        }
        packed.push(more as u8);
        before = lines;
    }
    fs::write(PathBuf::from(env::var("OUT_DIR").unwrap_or_default()).join("dots-4x4.bin"), packed)
}
