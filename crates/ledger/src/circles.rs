//! Certificates of theorems on Kotzig's Nim on circles of every size, as they come with the program.
//!
//! A state's line says where it goes on a 0 and on a 1. Most of these are the next state not named before, or one named not long
//! ago; so each is kept as 0 (no state), 1 (the next one), or 2 and how far it lies behind the greatest named. That is a
//! third of what the text takes compressed, and a page that is fetched has them all. `build.rs` packs the files.

/// For each certificate four parts, each behind its length: the lines that are no states, the codes on 0, those on 1, labels.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/circles.bin"));

/// The certificates on circles of every size about a game, as `Gamma(1,4;n)`. The checker reads them before they count.
pub fn circles(game: &str) -> Vec<String> {
    let about = format!("game: {game}");
    unpack(PACKED, |lines| lines.lines().take(4).any(|line| line == about)).unwrap_or_default()
}

/// The texts whose lines that are no states are wanted.
fn unpack(mut packed: &[u8], wanted: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    while !packed.is_empty() {
        let mut part = || {
            let length = number(&mut packed)?;
            let (part, rest) = packed.split_at_checked(length)?;
            packed = rest;
            Some(part)
        };
        let (lines, mut zeros, mut ones, mut labels) = (part()?, part()?, part()?, part()?.iter());
        let lines = std::str::from_utf8(lines).ok()?;
        if !wanted(lines) {
            continue;
        }
        let mut text = String::new();
        for line in lines.lines() {
            text.push_str(line);
            text.push('\n');
            // `class R P from F states S`, and then S states.
            let count = line.strip_prefix("class ").and_then(|line| line.rsplit(' ').next()?.parse().ok());
            let mut named = 1;
            for _ in 0..count.unwrap_or(0) {
                let [zero, one] = [state(&mut zeros, &mut named)?, state(&mut ones, &mut named)?];
                text.push_str(&format!("{zero} {one}"));
                match labels.next()? {
                    b' ' => text.push('\n'),
                    label => text.extend([' ', char::from(*label), '\n']),
                }
            }
        }
        texts.push(text);
    }
    Some(texts)
}

/// The state of a code.
fn state(codes: &mut &[u8], named: &mut usize) -> Option<usize> {
    let state = match number(codes)? {
        0 => 0,
        1 => *named + 1,
        code => named.checked_sub(code - 2)?,
    };
    *named = state.max(*named);
    Some(state)
}

/// Seven bits a byte, the lowest first.
fn number(bytes: &mut &[u8]) -> Option<usize> {
    let length = bytes.iter().position(|byte| byte & 128 == 0)? + 1;
    let (number, rest) = bytes.split_at(length);
    *bytes = rest;
    Some(number.iter().rev().fold(0, |number, byte| number << 7 | usize::from(byte & 127)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// What is unpacked is what lies in the folder, letter by letter.
    #[test]
    fn every_file_comes_with_the_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/circles");
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        files.sort();
        assert!(files.len() >= 20);
        let all = unpack(PACKED, |_| true).unwrap_or_default();
        assert_eq!(all.len(), files.len());
        for (file, text) in files.iter().zip(&all) {
            assert_eq!(std::fs::read_to_string(file).ok().as_ref(), Some(text), "{}", file.display());
        }
        let about = |text: &&String| text.lines().any(|line| line == "game: Gamma(1,2;n)");
        let some: Vec<String> = all.iter().filter(about).cloned().collect();
        assert!(!some.is_empty() && some.len() < all.len());
        assert_eq!(circles("Gamma(1,2;n)"), some);
    }
}
