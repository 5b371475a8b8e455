//! The certificates of data/circles, packed, and the rule files of data/literature, as they are: a new one comes with the program by
//! lying there. `src/circles.rs` and `src/literature.rs` read them again; the former says how they are packed.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let mut packed = Vec::new();
    for file in files("data/circles", "cert")? {
        println!("cargo::rerun-if-changed={}", file.display());
        let text = fs::read_to_string(&file)?;
        let parts = pack(&text).ok_or_else(|| {
            io::Error::other(format!("{}: states are named in the order of their numbers", file.display()))
        })?;
        for part in parts {
            put(&mut packed, part.len());
            packed.extend(part);
        }
    }
    fs::write(out("circles.bin"), packed)?;
    let mut list = String::from("&[");
    for file in files("data/literature", "toml")? {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        list += &format!("({name:?}, {:?}), ", fs::read_to_string(&file)?);
    }
    fs::write(out("literature.rs"), list + "]")
}

fn out(name: &str) -> PathBuf {
    Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join(name)
}

/// The files of a folder of this crate with this ending, in order.
fn files(folder: &str, ending: &str) -> io::Result<Vec<PathBuf>> {
    let directory = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join(folder);
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(&directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|own| own == ending));
    files.sort();
    Ok(files)
}

/// The lines that are no states; where the states go on a 0; where they go on a 1; their labels.
fn pack(text: &str) -> Option<[Vec<u8>; 4]> {
    let [mut lines, mut zeros, mut ones, mut labels] = [const { Vec::new() }; 4];
    // The greatest state named so far in this automaton, which begins in state 1.
    let mut named = 1;
    for line in text.lines() {
        let mut words = line.split(' ');
        let mut number = || words.next().and_then(|word| word.parse::<usize>().ok());
        let (Some(zero), Some(one)) = (number(), number()) else {
            lines.extend(line.bytes().chain([b'\n']));
            named = 1;
            continue;
        };
        for (to, state) in [(&mut zeros, zero), (&mut ones, one)] {
            let code = match state {
                0 => 0,
                _ if state == named + 1 => 1,
                _ => named.checked_sub(state)? + 2,
            };
            named = named.max(state);
            put(to, code);
        }
        labels.push(words.next().map_or(b' ', |label| label.as_bytes()[0]));
    }
    Some([lines, zeros, ones, labels])
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn put(to: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        to.push((number % 128) as u8 | 128);
        number /= 128;
    }
    to.push(number as u8);
}
