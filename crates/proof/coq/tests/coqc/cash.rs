//! Win conditions of NIM with Cash: the extracted checker verifies those that are accepted, and
//! what it verifies is what the rules say.

use super::verify::{answers, is_verified, sealed};
use bouton_coq::{Mutation, translate_mutated};
use fastrand::Rng;
use std::collections::HashMap;

/// Returns v of fewer stones than so many, at c, by the recurrence.
fn worth(amounts: &[i64], c: i64, stones: i64) -> Vec<i64> {
    let mut all: Vec<i64> = Vec::new();
    for n in 0..stones {
        let options = amounts.iter().filter(|a| **a <= n).map(|a| -a - all[(n - a) as usize]);
        let next = options.max().unwrap_or(-(c + n));
        all.push(next);
    }
    all
}

/// Returns whether who is to move wins, by the rules alone.
fn wins(amounts: &[i64], at: [i64; 3], known: &mut HashMap<[i64; 3], bool>) -> bool {
    if let Some(known) = known.get(&at) {
        return *known;
    }
    let [n, d, e] = at;
    let mut moves = amounts.iter().filter(|a| **a <= n && **a <= d);
    let won = moves.any(|a| !wins(amounts, [n - a, e, d - a], known));
    known.insert(at, won);
    won
}

/// A window with its lines and rows.
#[derive(Clone)]
struct Body {
    /// P, Q, N and C.
    window: [i64; 4],
    lines: Vec<(char, i64)>,
    rows: Vec<Vec<i64>>,
}

impl Body {
    /// Returns the lines and rows of the recurrence behind these numbers, whether or not v is
    /// shifted by them.
    fn of(amounts: &[i64], window: [i64; 4]) -> Option<Body> {
        const LARGE: i64 = 200;
        let [p, q, n, c] = window;
        let high = [worth(amounts, LARGE, n + p), worth(amounts, LARGE + 1, n + p)];
        let line = |n: usize| match high[1][n] - high[0][n] {
            1 => ('+', high[0][n] - LARGE),
            _ => ('-', high[0][n] + LARGE),
        };
        let lines = (0..(n + p) as usize).map(line).collect();
        let mut rows = Vec::new();
        for c in 2..c + q.max(0) {
            let values = worth(amounts, c, 240);
            let mut sizes =
                (1..100).flat_map(|size| (1..=size.min(40)).map(move |again| (size, again)));
            let (size, again) = sizes.find(|(size, again)| {
                (*size..values.len()).all(|n| values[n] == values[n - again])
            })?;
            rows.push([&[again as i64], &values[..size]].concat());
        }
        Some(Body { window, lines, rows })
    }

    fn text(&self) -> String {
        let words =
            |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        let mut text = format!("window {}\n", words(&self.window));
        self.lines.iter().for_each(|(sign, rest)| text += &format!("line {sign}c {rest}\n"));
        self.rows.iter().for_each(|row| text += &format!("row {}\n", words(row)));
        text
    }

    /// Returns v, as docs/certificates.md says how it is read; `None` if the body does not say it.
    fn value(&self, mut n: i64, mut c: i64) -> Option<i64> {
        let [p, q, first, least] = self.window;
        while c >= least + q.max(0) && n >= first + p && p > 0 {
            (n, c) = (n - p, c - q);
        }
        if c >= least + q.max(0) {
            let (sign, rest) = self.lines.get(usize::try_from(n).ok()?)?;
            return Some(if *sign == '+' { c + rest } else { rest - c });
        }
        let (again, values) = self.rows.get(usize::try_from(c - 2).ok()?)?.split_first()?;
        let size = values.len() as i64;
        let place =
            if n < size { n } else { size - again + (n - size).checked_rem_euclid(*again)? };
        values.get(usize::try_from(place).ok()?).copied()
    }

    /// Returns whether this is who wins of all positions of a box with c > 1.
    fn is_true(&self, amounts: &[i64]) -> bool {
        let mut known = HashMap::new();
        let positions =
            (0..40).flat_map(|n| (0..24).flat_map(move |d| (0..24).map(move |e| [n, d, e])));
        positions.filter(|[n, d, e]| d + e + 1 - n > 1).all(|[n, d, e]| {
            self.value(n, d + e + 1 - n)
                .is_some_and(|v| (d - e + v > 0) == wins(amounts, [n, d, e], &mut known))
        })
    }

    fn change(&mut self, lot: &mut Rng) {
        let by = [-2, -1, 1, 2][lot.usize(..4)];
        match lot.usize(..6) {
            0 => self.window[lot.usize(..4)] += by,
            1 | 2 => {
                let at = lot.usize(..self.lines.len());
                self.lines[at].1 += by;
            }
            3 => {
                let at = lot.usize(..self.lines.len());
                self.lines[at].0 = if self.lines[at].0 == '+' { '-' } else { '+' };
            }
            _ if self.rows.is_empty() => drop(self.lines.pop()),
            _ => {
                let at = lot.usize(..self.rows.len());
                let place = lot.usize(..self.rows[at].len());
                self.rows[at][place] += by;
            }
        }
    }
}

fn certificate(amounts: &[i64], least: i64, body: &str) -> String {
    let list = amounts.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    sealed(&format!(
        "bouton certificate 1\nkind: win-condition\ngame: NIM({list};n;d,e)\n\
         claim: with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 and \
         floor(d / {least}) > floor(e / {least})\n\n{body}sha256: \n"
    ))
}

/// Windows that are drawn for every set of amounts up to 5, sound and damaged ones: those are
/// verified that `bouton check` accepts, and no other, and what they say is what the rules say.
#[test]
fn windows_are_verified_if_and_only_if_they_are_accepted() {
    let mut lot = Rng::with_seed(11);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for set in 1..32_usize {
        let amounts: Vec<i64> = (1..6).filter(|a| set >> (a - 1) & 1 == 1).collect();
        let places = [[0, 2], [0, 4], [6, 2], [6, 5], [12, 2], [12, 6], [24, 2]];
        let mut windows = places
            .iter()
            .flat_map(|place| (1..14).flat_map(move |p| (-3..8).map(move |q| (place, p, q))));
        let own = windows
            .find_map(|([n, c], p, q)| {
                let body = Body::of(&amounts, [p, q, *n, *c])?;
                bouton_check::check(&certificate(&amounts, amounts[0], &body.text()))
                    .is_ok()
                    .then_some(body)
            })
            .unwrap_or_else(|| panic!("{amounts:?} has no window"));
        for turn in 0..24 {
            let mut body = own.clone();
            let (mut amounts, mut least) = (amounts.clone(), amounts[0]);
            match turn {
                0 => {}
                1 => least += 1,
                2 => amounts.push(6 + lot.usize(..3) as i64),
                3 if amounts.len() > 1 => drop(amounts.pop()),
                // Windows of other places and sizes, with their own lines and rows.
                4..=11 => {
                    let [p, q, ..] = own.window;
                    let [n, c] = [lot.usize(..13) as i64, 2 + lot.usize(..9) as i64];
                    let times = 1 + lot.usize(..2) as i64;
                    let window = match lot.usize(..3) {
                        0 => [p + 1, q, n, c],
                        _ => [times * p, times * q, n, c],
                    };
                    match Body::of(&amounts, window) {
                        Some(other) => body = other,
                        None => continue,
                    }
                }
                _ => body.change(&mut lot),
            }
            let text = certificate(&amounts, least, &body.text());
            // Numbers below 0 where there is no place for them cannot be written down.
            let Ok(file) = translate_mutated(&text, None, Mutation::None) else {
                assert!(bouton_check::check(&text).is_err(), "{text}");
                continue;
            };
            files.push(file);
            truths.push((amounts, body, bouton_check::check(&text).is_ok(), text));
        }
    }
    let Some(answers) = answers(&files) else { return };
    let mut verified = 0;
    for (answer, (amounts, body, is_accepted, text)) in answers.iter().zip(&truths) {
        assert_eq!(is_verified(answer), *is_accepted, "{text}\n{answer}");
        if is_verified(answer) {
            verified += 1;
            assert!(body.is_true(amounts), "{text}");
        }
    }
    println!("{verified} of {} windows are verified", files.len());
    assert!(verified >= 60 && files.len() - verified >= 200, "{verified} of {}", files.len());
}

/// The example of the paper's last section, for which there is no window.
const WORDS: &str = include_str!("words.cert");

/// Returns the values of the path on this line, at c = 0, 1, …, below `to`.
fn path_values(line: &str, k: i64, to: usize) -> Vec<i64> {
    let mut words = line.split(' ').skip(1);
    let mut values = vec![words.next().unwrap().parse::<i64>().unwrap()];
    let up_or_down = |step: char| if step == 'U' { 1 } else { -1 };
    let tail = words.next().unwrap().chars().next().map(up_or_down).unwrap();
    for piece in words {
        let (runs, times) = piece.split_once('^').unwrap();
        let (each, base) = times.split_once('k').unwrap();
        let mut steps: Vec<i64> = Vec::new();
        for run in runs.split_inclusive(|c: char| c.is_ascii_digit()) {
            let digits = run.trim_start_matches(['U', 'D']);
            match run.chars().next().filter(char::is_ascii_alphabetic) {
                Some(step) => steps.extend(vec![up_or_down(step); digits.parse().unwrap()]),
                // The second digit of a count.
                None => {
                    let last = *steps.last().unwrap();
                    let own = steps.iter().rev().take_while(|step| **step == last).count();
                    steps.extend(vec![last; 9 * own + digits.parse::<usize>().unwrap()]);
                }
            }
        }
        for _ in 0..each.parse::<i64>().unwrap() * k + base.parse::<i64>().unwrap() {
            steps.iter().for_each(|step| values.push(values[values.len() - 1] + step));
        }
    }
    while values.len() < to {
        values.push(values[values.len() - 1] + tail);
    }
    values.truncate(to);
    values
}

/// Words, sound and damaged ones: those are verified that `bouton check` accepts, and no other, and
/// the paths are what the recurrence says.
#[test]
fn words_are_verified_if_and_only_if_they_are_accepted() {
    let mut lot = Rng::with_seed(7);
    let ones = |body: &str| certificate(&[1], 1, body);
    let mut texts = vec![
        ones("words 2 0\npath 0 D\npath -1 U\n"),
        ones("words 2 3\npath 0 D D2^0k+1\npath -1 U U1^3k+1 U2^1k-3\n"),
        ones("words 4 1\npath 0 D\npath -1 U\npath 0 D D7^1k+0\npath -1 U\n"),
        ones("words 2 0\npath 0 D\n"),
        ones("words 2 0\npath 0 D\npath 0 U\n"),
        ones("words 2 0\npath 0 D\npath -1 D\n"),
        ones("words 2 0\npath 0 D U1^0k+1\npath -1 U\n"),
        ones("words 2 0\npath 0 D D1^1k-1\npath -1 U\n"),
        ones("words 2 0\npath 0 D D1^-1k+9\npath -1 U\n"),
        ones("words 1 0\npath 0 D\n"),
    ];
    let (start, body) = WORDS.split_once("\n\n").unwrap();
    texts.push(sealed(WORDS));
    texts.push(sealed(&WORDS.replace("words 240 1", "words 240 0")));
    texts.push(sealed(&WORDS.replace("words 240 1", "words 240 2")));
    texts.push(sealed(&WORDS.replace("NIM(3,5,6,10,11", "NIM(3,5,6,10")));
    texts.push(sealed(&WORDS.replace("NIM(3,5,6,10,11", "NIM(3,5,6,10,11,12")));
    texts.push(sealed(&WORDS.replace("/ 3)", "/ 5)")));
    let paths: Vec<&str> = body.lines().filter(|line| line.starts_with("path ")).collect();
    for _ in 0..40 {
        let at = lot.usize(..paths.len());
        let mut words: Vec<String> = paths[at].split(' ').map(str::to_owned).collect();
        let place = 1 + lot.usize(..words.len() - 1);
        let word = words[place].clone();
        words[place] = match place {
            1 => (word.parse::<i64>().unwrap() + [-2, 2][lot.usize(..2)]).to_string(),
            2 => ["D", "U"][usize::from(word == "D")].to_owned(),
            _ => {
                let (runs, times) = word.split_once('^').unwrap();
                let (each, base) = times.split_once('k').unwrap();
                let (mut each, mut base): (i64, i64) =
                    (each.parse().unwrap(), base.parse().unwrap());
                let mut runs = runs.to_owned();
                match lot.usize(..4) {
                    0 => {
                        runs = runs.replacen(
                            ['U', 'D'],
                            if runs.starts_with('U') { "D" } else { "U" },
                            1,
                        )
                    }
                    1 => runs += "U1",
                    2 => each += 1,
                    _ => base += [-1, 1, 2][lot.usize(..3)],
                }
                format!("{runs}^{each}k{base:+}")
            }
        };
        let mut changed = paths.clone();
        let line = words.join(" ");
        changed[at] = &line;
        texts.push(sealed(&format!("{start}\n\nwords 240 1\n{}\nsha256: \n", changed.join("\n"))));
    }
    let files: Vec<String> =
        texts.iter().map(|text| translate_mutated(text, None, Mutation::None).unwrap()).collect();
    let Some(answers) = answers(&files) else { return };
    let mut verified = 0;
    for (answer, text) in answers.iter().zip(&texts) {
        let is_accepted = bouton_check::check(text).is_ok();
        assert_eq!(is_verified(answer), is_accepted, "{text}");
        if !is_accepted {
            continue;
        }
        verified += 1;
        let set = text.split_once("NIM(").unwrap().1.split_once(';').unwrap().0;
        let amounts: Vec<i64> = set.split(',').map(|a| a.parse().unwrap()).collect();
        let (_, rest) = text.split_once("words ").unwrap();
        let mut lines = rest.lines();
        let (p, first) = lines.next().unwrap().split_once(' ').unwrap();
        let (p, first): (usize, usize) = (p.parse().unwrap(), first.parse().unwrap());
        let lines: Vec<&str> = lines.take(p).collect();
        for n in p * first..p * (first + 3) {
            let values = path_values(lines[n % p], (n / p) as i64, 90);
            for c in [0, 1, 2, 3, 10, 33, 64, 89] {
                assert_eq!(
                    values[c],
                    worth(&amounts, c as i64, n as i64 + 1)[n],
                    "n = {n}, c = {c}: {text}"
                );
            }
        }
    }
    println!("{verified} of {} words are verified", files.len());
    assert!(verified >= 4 && files.len() - verified >= 30, "{verified} of {}", files.len());
}
