//! Inputs from kept ones: bytes, words and lines changed, and failures made smaller.

use bouton_fuzz::lot::Random;

/// Returns the words and numbers that the corpus is written in.
pub fn words(corpus: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let own = [
        "4294967296",
        "18446744073709551616",
        "-1",
        "+1",
        "00",
        "(",
        ")",
        "((((((((",
        "xor",
        "A x: ",
        "E x: ",
        "\u{2028}",
        "\0",
        "é",
    ];
    let mut all: Vec<Vec<u8>> = own.iter().map(|word| word.as_bytes().to_vec()).collect();
    for text in corpus {
        let word = |b: &u8| b.is_ascii_alphanumeric();
        for part in text.chunk_by(|a, b| word(a) == word(b)).filter(|part| part.len() < 30) {
            all.push(part.to_vec());
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Returns a kept input with a few changes.
pub fn input(corpus: &[Vec<u8>], words: &[Vec<u8>], lot: &mut Random) -> Vec<u8> {
    let mut input = if corpus.is_empty() { Vec::new() } else { lot.one(corpus).clone() };
    for _ in 0..1 + lot.below(5) {
        let (at, end) = range(&input, lot);
        match lot.below(10) {
            0 if !input.is_empty() => {
                let at = lot.below(input.len());
                input[at] ^= 1 << lot.below(8);
            }
            1 => drop(input.drain(at..end)),
            2 => {
                let again = input[at..end].to_vec();
                for _ in 0..1 + lot.below(3) * lot.below(40) {
                    input.splice(at..at, again.iter().copied());
                }
            }
            3 | 4 => drop(input.splice(at..at, lot.one(words).iter().copied())),
            5 => drop(input.splice(at..end, lot.one(words).iter().copied())),
            6 => lines(&mut input, lot),
            7 => input.truncate(at),
            8 if !corpus.is_empty() => {
                let other = lot.one(corpus);
                let (from, to) = range(other, lot);
                input.splice(at..end, other[from..to].iter().copied());
            }
            _ => {
                // A number in another one's place.
                if let Some(found) = input[at..].iter().position(u8::is_ascii_digit) {
                    let from = at + found;
                    let to = input[from..]
                        .iter()
                        .position(|b| !b.is_ascii_digit())
                        .map_or(input.len(), |n| from + n);
                    let most = *lot.one(&[3, 10, 300, 1 << 20]);
                    let number = lot.below(most).to_string();
                    input.splice(from..to, number.bytes());
                }
            }
        }
        input.truncate(1 << 17);
    }
    input
}

/// Returns a range that is often short.
fn range(input: &[u8], lot: &mut Random) -> (usize, usize) {
    let at = lot.below(input.len() + 1);
    let most = *lot.one(&[4, 20, 200]);
    let length = lot.below(most);
    (at, (at + length).min(input.len()))
}

fn lines(input: &mut Vec<u8>, lot: &mut Random) {
    let mut all: Vec<Vec<u8>> = input.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let (i, j) = (lot.below(all.len()), lot.below(all.len()));
    match lot.below(3) {
        0 => all.swap(i, j),
        1 => drop(all.remove(i)),
        _ => {
            let line = all[i].clone();
            all.insert(j, line);
        }
    }
    *input = all.join(&b'\n');
}

/// Leaves out of the input what is not needed for it to fail: ever smaller pieces (Zeller &
/// Hildebrandt 2002).
pub fn shrink(mut input: Vec<u8>, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let (mut piece, mut tries) = (input.len() / 2, 0);
    while piece > 0 && tries < 2000 {
        let mut at = 0;
        while at < input.len() && tries < 2000 {
            let mut smaller = input.clone();
            smaller.drain(at..(at + piece).min(input.len()));
            tries += 1;
            if fails(&smaller) {
                input = smaller;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    input
}
