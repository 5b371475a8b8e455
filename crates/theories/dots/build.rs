//! The openings of 4 × 4, packed: what each is more than the one before, seven bits a byte, the lowest first and the last one below 128. That is two fifths of what the text
//! takes compressed, and a page that is fetched has them. `src/game/openings.rs` reads them again.

use std::path::PathBuf;
use std::{env, fs, io};

const TEXT: &str = "data/dots-4x4.txt";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={TEXT}");
    let mut packed = Vec::new();
    let mut before = 0;
    for line in fs::read_to_string(TEXT)?.lines() {
        let wrong = |why: &str| io::Error::other(format!("{TEXT}: `{line}`: {why}"));
        let lines = u64::from_str_radix(line, 16).map_err(|_| wrong("a hexadecimal number is expected"))?;
        let mut more = lines.checked_sub(before).ok_or_else(|| wrong("not in ascending order"))?;
        while more >= 128 {
            packed.push(more as u8 | 128);
            more >>= 7;
        }
        packed.push(more as u8);
        before = lines;
    }
    fs::write(PathBuf::from(env::var("OUT_DIR").unwrap_or_default()).join("dots-4x4.bin"), packed)
}
