//! The certificates of data/circles, packed: a new one comes with the program by lying there.
//! `src/circles.rs` reads them again and says how they are packed. For the web those that are large
//! are left out: every visitor fetches what is left.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Bytes of a packed certificate for the web, at most.
const LARGEST_FOR_THE_WEB: usize = 4_000;

fn main() -> io::Result<()> {
    let mut packed = Vec::new();
    let is_web = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    for file in files("data/circles", "cert")? {
        println!("cargo::rerun-if-changed={}", file.display());
        let text = fs::read_to_string(&file)?;
        let parts = pack(&text).ok_or_else(|| {
            io::Error::other(format!(
                "{}: states have the numbers in which a walk breadth first meets them",
                file.display()
            ))
        })?;
        if is_web && parts.iter().map(Vec::len).sum::<usize>() > LARGEST_FOR_THE_WEB {
            continue;
        }
        for part in parts {
            put(&mut packed, part.len());
            packed.extend(part);
        }
    }
    fs::write(out("circles.bin"), packed)
}

fn out(name: &str) -> PathBuf {
    Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join(name)
}

/// Returns the files of a folder of this crate with this ending, in order.
fn files(folder: &str, ending: &str) -> io::Result<Vec<PathBuf>> {
    let directory =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join(folder);
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(&directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|own| own == ending));
    files.sort();
    Ok(files)
}

/// Packs the lines that are no states; and of the states, in the order of a walk that goes as deep
/// as it can, what they go to on a 0 and on a 1 (nothing, one not met before, one met); of those
/// met how far back they were, in low and high bytes; labels.
fn pack(text: &str) -> Option<[Vec<u8>; 5]> {
    let [mut lines, mut kinds, mut low, mut high, mut labels] = [const { Vec::new() }; 5];
    let mut states: Vec<([usize; 2], u8)> = Vec::new();
    // A last line that is empty ends the last automaton.
    for line in text.lines().chain([""]) {
        let mut words = line.split(' ');
        let mut number = || words.next().and_then(|word| word.parse::<usize>().ok());
        if let (Some(zero), Some(one)) = (number(), number()) {
            states.push(([zero, one], words.next().map_or(b' ', |label| label.as_bytes()[0])));
            continue;
        }
        if !states.is_empty() {
            if !in_breadth(&states) {
                return None;
            }
            // The numbers of states on the walk, and where it stands: state, place, what is next of
            // it.
            let mut met = vec![0; states.len() + 1];
            let (mut count, first) = (0, kinds.len());
            let mut open = vec![(1, 0, 2)];
            while let Some((state, place, next)) = open.last_mut() {
                if *next == 2 {
                    // It is met here.
                    (met[*state], *place, *next) = (count + 1, count, 0);
                    count += 1;
                    kinds.push(0);
                    labels.push(states[*state - 1].1);
                }
                let (to, weight) = (states[*state - 1].0[*next], [3, 1][*next]);
                *next += 1;
                let kind = &mut kinds[first + *place];
                if *next == 2 {
                    open.pop();
                }
                match (to, met.get(to)?) {
                    (0, _) => {}
                    (to, 0) => {
                        *kind += weight;
                        open.push((to, 0, 2));
                    }
                    (_, known) => {
                        *kind += 2 * weight;
                        let back = count - known;
                        low.push((back % 256) as u8);
                        put(&mut high, back / 256);
                    }
                }
            }
            states.clear();
        }
        lines.extend(line.bytes().chain([b'\n']));
    }
    lines.pop();
    Some([lines, kinds, low, high, labels])
}

/// Returns whether states have the numbers in which a walk breadth first meets them, and all are
/// met.
fn in_breadth(states: &[([usize; 2], u8)]) -> bool {
    let mut named = 1;
    for (at, (next, _)) in states.iter().enumerate() {
        if at >= named {
            return false;
        }
        for to in next {
            if *to > named + 1 {
                return false;
            }
            named = named.max(*to);
        }
    }
    named == states.len()
}

/// Writes seven bits a byte, the lowest first; the highest bit says that more follow.
fn put(to: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        to.push((number % 128) as u8 | 128);
        number /= 128;
    }
    to.push(number as u8);
}
