//! Certificates of theorems on Kotzig's Nim on circles of every size, as they come with the
//! program.
//!
//! A state's line says where it goes on a 0 and on a 1. They are kept in the order of a walk that
//! goes as deep as it can: then most go to one not met before, of which nothing more is to be said;
//! of the others it is said how far back they were met. That is a fifth of what the text takes
//! compressed, and a page that is fetched has them all. `build.rs` packs the files, whose numbers
//! are those of a walk breadth first.

use bouton_certificate::Header;

/// For each certificate five parts, each behind its length: the lines that are no states; kinds, 3
/// times that on 0 and that on 1, each nothing (0), one not met before (1), one met (2); of those
/// met how far back, the low bytes and the rest; labels.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/circles.bin"));

/// Returns the certificates on circles of every size about a game, as `Gamma(1,4;n)`. The checker
/// reads them before they count.
pub fn circles(game: &str) -> Vec<String> {
    let wanted = |lines: &str| Header::parse(lines).is_some_and(|header| header.game == game);
    unpack(PACKED, wanted).unwrap_or_default()
}

/// Unpacks the texts whose lines that are no states are wanted.
fn unpack(mut packed: &[u8], wanted: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    while !packed.is_empty() {
        let mut part = || {
            let length = number(&mut packed)?;
            let (part, rest) = packed.split_at_checked(length)?;
            packed = rest;
            Some(part)
        };
        let lines = std::str::from_utf8(part()?).ok()?;
        let mut states = States { kinds: part()?, low: part()?, high: part()?, labels: part()? };
        if !wanted(lines) {
            continue;
        }
        let mut text = String::new();
        for line in lines.lines() {
            text.push_str(line);
            text.push('\n');
            // `class R P from F states S`, and then S states.
            let count =
                line.strip_prefix("class ").and_then(|line| line.rsplit(' ').next()?.parse().ok());
            for ([zero, one], label) in states.next(count.unwrap_or(0))? {
                text.push_str(&format!("{zero} {one}"));
                match label {
                    b' ' => text.push('\n'),
                    label => text.extend([' ', char::from(label), '\n']),
                }
            }
        }
        texts.push(text);
    }
    Some(texts)
}

/// What is left of the states of a certificate.
struct States<'p> {
    kinds: &'p [u8],
    low: &'p [u8],
    high: &'p [u8],
    labels: &'p [u8],
}

/// A state: where it goes on 0 and on 1, and its label.
type State = ([usize; 2], u8);

impl States<'_> {
    /// Reads the next automaton, of this many states.
    fn next(&mut self, count: usize) -> Option<Vec<State>> {
        let labels = self.labels.split_off(..count)?;
        let kinds = self.kinds.split_off(..count)?;
        // Numbers from 1 in the order of the walk.
        let mut met: Vec<State> = Vec::with_capacity(count);
        let mut open = Vec::new();
        if count > 0 {
            met.push(([0, 0], labels[0]));
            open.push((0, 0));
        }
        while let Some((state, next)) = open.last_mut() {
            let (own, at) = (*state, *next);
            *next += 1;
            if at == 1 {
                open.pop();
            }
            let to = match kinds[own] / [3, 1][at] % 3 {
                0 => 0,
                1 => {
                    met.push(([0, 0], *labels.get(met.len())?));
                    open.push((met.len() - 1, 0));
                    met.len()
                }
                _ => {
                    let back =
                        usize::from(*self.low.split_off_first()?) + 256 * number(&mut self.high)?;
                    met.len().checked_sub(back)?
                }
            };
            met[own].0[at] = to;
        }
        Some(in_breadth(&met))
    }
}

/// Returns automata with the numbers of a walk breadth first.
fn in_breadth(states: &[State]) -> Vec<State> {
    let mut numbers = vec![0; states.len() + 1];
    let mut order: Vec<usize> = Vec::with_capacity(states.len());
    let mut number = |to: usize, order: &mut Vec<usize>| {
        if to > 0 && numbers[to] == 0 {
            order.push(to);
            numbers[to] = order.len();
        }
        numbers[to]
    };
    let mut all = Vec::with_capacity(states.len());
    number(states.len().min(1), &mut order);
    while let Some(state) = order.get(all.len()) {
        let (next, label) = states[state - 1];
        all.push((next.map(|to| number(to, &mut order)), label));
    }
    all
}

/// Reads seven bits a byte, the lowest first.
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
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        files.sort();
        assert!(files.len() >= 20);
        let all = unpack(PACKED, |_| true).unwrap_or_default();
        assert_eq!(all.len(), files.len());
        for (file, text) in files.iter().zip(&all) {
            assert_eq!(
                std::fs::read_to_string(file).ok().as_ref(),
                Some(text),
                "{}",
                file.display()
            );
        }
        let about = |text: &&String| text.lines().any(|line| line == "game: Gamma(1,2;n)");
        let some: Vec<String> = all.iter().filter(about).cloned().collect();
        assert!(!some.is_empty() && some.len() < all.len());
        assert_eq!(circles("Gamma(1,2;n)"), some);
    }
}
