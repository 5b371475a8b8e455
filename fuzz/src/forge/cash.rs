//! False win conditions of NIM with Cash.
//!
//! Windows are found in a table of v, or nearly: one that holds for all but the last stones that
//! are looked at, with lines and rows as they are or changed in one value. What a body says is
//! played out against the game by its rules.

use super::{Forger, Forgery, Raw, Table, Truth, joined};
use crate::lot::Lot;

/// The forger.
pub struct Cash {
    raw: Vec<Raw>,
}

impl Cash {
    /// Returns a forger with words of kept certificates.
    pub fn new(texts: &[String]) -> Cash {
        Cash { raw: Raw::all(texts, "win-condition") }
    }
}

const FEATURES: &[&str] =
    &["{1}", "{a}", "{1, a}", "{a, b}", "three amounts", "amounts in a row", "multiples of one"];

const LINES: &[&str] = &[
    "window P",
    "window Q",
    "window N",
    "window C",
    "a line's sign",
    "a line's shift",
    "a row's value",
    "a row's period",
    "words P K",
    "a path's start",
    "a path's pieces",
    "another game's body",
];

fn set(feature: usize, lot: &mut Lot) -> Vec<i64> {
    let mut one = |most: usize| 2 + lot.below(most) as i64;
    let mut set = match feature {
        0 => vec![1],
        1 => vec![one(6)],
        2 => vec![1, one(7)],
        3 => vec![one(4), one(7)],
        4 => vec![one(2) - 1, one(5), one(8)],
        5 => {
            let first = one(3) - 1;
            (first..first + one(2)).collect()
        }
        _ => {
            let each = one(2);
            vec![each, each * one(3)]
        }
    };
    set.sort_unstable();
    set.dedup();
    set
}

/// Returns v_c(n), for n and c below these bounds, by its recurrence.
fn recurrence(set: &[i64], stones: usize, rich: usize) -> Vec<Vec<i64>> {
    let mut table: Vec<Vec<i64>> = Vec::new();
    for n in 0..stones {
        let row = (0..rich).map(|c| {
            let options =
                set.iter().filter(|a| **a <= n as i64).map(|a| -a - table[n - *a as usize][c]);
            options.max().unwrap_or(-((c + n) as i64))
        });
        let row = row.collect();
        table.push(row);
    }
    table
}

/// Returns whether the mover wins with n stones, d dollars, e of the other's, for all below the
/// bound, by the rules.
fn played(set: &[i64], most: usize) -> Vec<bool> {
    let at = |n: usize, d: usize, e: usize| (n * most + d) * most + e;
    let mut wins = vec![false; most * most * most];
    for n in 0..most {
        for d in 0..most {
            for e in 0..most {
                wins[at(n, d, e)] = set
                    .iter()
                    .map(|a| *a as usize)
                    .any(|a| a <= n && a <= d && !wins[at(n - a, e, d - a)]);
            }
        }
    }
    wins
}

/// A path: its first value, its last letter's step, and its pieces (steps, rate, offset).
type PathSteps = (i64, i64, Vec<(Vec<i64>, i64, i64)>);

/// What a body says.
enum Said {
    Window { shift: [i64; 4], lines: Vec<(i64, i64)>, rows: Vec<(usize, Vec<i64>)> },
    Words { modulus: i64, first: i64, paths: Vec<PathSteps> },
}

fn numbers(text: &str) -> Option<Vec<i64>> {
    text.split(' ').map(|word| word.parse().ok()).collect()
}

impl Said {
    fn read(body: &[String]) -> Option<Said> {
        let (head, rest) = body.split_first()?;
        if let Some(shift) = head.strip_prefix("window ") {
            let shift: [i64; 4] = numbers(shift)?.try_into().ok()?;
            let (mut lines, mut rows) = (Vec::new(), Vec::new());
            for text in rest {
                if let Some(line) = text.strip_prefix("line ") {
                    let (sign, shift) = line.split_once("c ")?;
                    lines.push((if sign == "+" { 1 } else { -1 }, shift.parse().ok()?));
                } else {
                    let row = numbers(text.strip_prefix("row ")?)?;
                    rows.push((usize::try_from(row[0]).ok()?, row[1..].to_vec()));
                }
            }
            return Some(Said::Window { shift, lines, rows });
        }
        let [modulus, first] = numbers(head.strip_prefix("words ")?)?.try_into().ok()?;
        let mut paths = Vec::new();
        for text in rest {
            let mut words = text.strip_prefix("path ")?.split(' ');
            let letter = |c: char| if c == 'U' { 1 } else { -1 };
            let start = words.next()?.parse().ok()?;
            let tail = letter(words.next()?.chars().next()?);
            let mut pieces = Vec::new();
            for word in words {
                let (steps, times) = word.split_once('^')?;
                let (each, base) = times.split_once('k')?;
                let mut list: Vec<i64> = Vec::new();
                let starts: Vec<usize> = steps
                    .char_indices()
                    .filter(|(_, c)| !c.is_ascii_digit())
                    .map(|(at, _)| at)
                    .collect();
                for (i, at) in starts.iter().enumerate() {
                    let end = starts.get(i + 1).copied().unwrap_or(steps.len());
                    let count: usize =
                        steps.get(at + 1..end)?.parse().ok().filter(|count| *count < 1000)?;
                    list.extend(vec![letter(steps[*at..].chars().next()?); count]);
                }
                pieces.push((list, each.parse().ok()?, base.parse().ok()?));
            }
            paths.push((start, tail, pieces));
        }
        Some(Said::Words { modulus, first, paths })
    }

    /// Returns v at c, at least 2, and n; the recurrence where the body says that it is meant.
    fn value(&self, c: i64, n: i64, table: &[Vec<i64>]) -> Option<i64> {
        match self {
            Said::Window { shift: [p, q, from, rich], lines, rows } => {
                let (mut c, mut n) = (c, n);
                let richer = rich + q.max(&0);
                // Forms that say nothing of some place end here.
                for _ in 0..400 {
                    if c < richer {
                        let (period, row) = rows.get(usize::try_from(c - 2).ok()?)?;
                        let (n, len) = (n as usize, row.len());
                        let past = |n: usize| {
                            Some(len.checked_sub(*period)? + (n - len).checked_rem(*period)?)
                        };
                        return row.get(if n < len { n } else { past(n)? }).copied();
                    }
                    if n < from + p {
                        let (sign, shift) = lines.get(usize::try_from(n).ok()?)?;
                        return Some(sign * c + shift);
                    }
                    (c, n) = (c - q, n - p);
                }
                None
            }
            Said::Words { modulus, first, paths } => {
                if *modulus < 1 || n < modulus * first {
                    return table.get(n as usize)?.get(c as usize).copied();
                }
                let (start, tail, pieces) = paths.get((n % modulus) as usize)?;
                let (mut value, mut at) = (*start, 0);
                for (steps, each, base) in pieces {
                    for step in (0..(each * (n / modulus) + base)).flat_map(|_| steps) {
                        if at == c {
                            return Some(value);
                        }
                        (value, at) = (value + step, at + 1);
                    }
                }
                Some(value + tail * (c - at))
            }
        }
    }
}

/// Returns whether the body's v tells who wins, up to some stones.
fn truth(set: &[i64], body: &[String]) -> Truth {
    let Some(said) = Said::read(body) else { return Truth::Unknown };
    let most: i64 = 34;
    let wins = played(set, most as usize);
    let table = recurrence(set, most as usize, 2 * most as usize);
    for n in 0..most {
        for d in 0..most {
            for e in 0..most {
                let c = d + e + 1 - n;
                let claimed = match c > 1 {
                    true => match said.value(c, n, &table) {
                        Some(v) => d - e + v > 0,
                        None => {
                            return Truth::False(format!("nothing is said of n = {n}, c = {c}"));
                        }
                    },
                    false => d / set[0] > e / set[0],
                };
                if claimed != wins[((n * most + d) * most + e) as usize] {
                    return Truth::False(format!("n = {n}, d = {d}, e = {e}"));
                }
            }
        }
    }
    Truth::True
}

/// Returns a window's body from a table, whether or not it holds: shift P, Q, from N on, from C on.
fn window(set: &[i64], [p, q, from, rich]: [i64; 4]) -> Option<Vec<String>> {
    let richer = rich + q.max(0);
    let stones = (from + p) as usize;
    if stones > 60 || !(2..30).contains(&richer) {
        return None;
    }
    let far = 300;
    let table = recurrence(set, 90.max(stones), far);
    let mut body = vec![format!("window {p} {q} {from} {rich}")];
    for row in table.iter().take(stones) {
        let sign = row[far - 1] - row[far - 2];
        let shift = row[far - 1] - sign * (far as i64 - 1);
        body.push(format!("line {}c {shift}", if sign > 0 { '+' } else { '-' }));
    }
    for c in 2..richer as usize {
        let values: Vec<i64> = table.iter().map(|row| row[c]).collect();
        // The least length from which on a period holds.
        let mut best: Option<(usize, usize)> = None;
        for period in 1..30 {
            let start = (period..90)
                .rev()
                .find(|n| values[*n] != values[n - period])
                .map_or(period, |n| n + 1);
            if start + 2 * period < 90 && best.is_none_or(|(_, least)| start < least) {
                best = Some((period, start.max(period)));
            }
        }
        let (period, length) = best?;
        let row: Vec<String> = values[..length].iter().map(i64::to_string).collect();
        body.push(format!("row {period} {}", row.join(" ")));
    }
    Some(body)
}

/// Returns the windows that hold, of the least P.
fn holding(set: &[i64]) -> Option<[i64; 4]> {
    let (stones, rich) = (150, 40);
    let table = recurrence(set, stones, rich + 60);
    for p in 1..40usize {
        for q in -8..20i64 {
            for from in [0usize, 1, 2, 4, 8, 16] {
                for c in 2..14usize {
                    let to = |n: usize, c: usize| table[n + p].get((c as i64 + q) as usize);
                    if c as i64 + q < 2 {
                        continue;
                    }
                    let same = (from..stones - p)
                        .all(|n| (c..rich).all(|c| to(n, c) == Some(&table[n][c])));
                    if same {
                        return Some([p as i64, q, from as i64, c as i64]);
                    }
                }
            }
        }
    }
    None
}

/// Returns a window that does not hold, and yet for as many stones as can be found.
fn nearly(set: &[i64], lot: &mut Lot) -> Option<[i64; 4]> {
    let (stones, rich) = (80, 24);
    let table = recurrence(set, stones, rich + 40);
    let mut best: Option<(usize, [i64; 4])> = None;
    for _ in 0..60 {
        let [p, from, c] = [1 + lot.below(16), lot.below(8), 2 + lot.below(5)];
        let q = lot.below(9) as i64 - 3;
        if c as i64 + q < 2 {
            continue;
        }
        let same = |n: usize| {
            (c..rich).all(|c| table[n + p].get((c as i64 + q) as usize) == Some(&table[n][c]))
        };
        let Some(end) = (from..stones - p).find(|n| !same(*n)) else { continue };
        if best.is_none_or(|(most, _)| end - from > most) {
            best = Some((end - from, [p as i64, q, from as i64, c as i64]));
        }
    }
    best.map(|(_, shift)| shift)
}

/// Returns the words of a game with one amount: n and c may both be lowered, and after two moves
/// all is as before.
fn words(a: i64) -> Vec<String> {
    let paths = (0..2 * a).map(|i| match i < a {
        true => format!("path {} D", -i),
        false => format!("path {} U", i - 2 * a),
    });
    std::iter::once(format!("words {} 0", 2 * a)).chain(paths).collect()
}

/// Changes one of a line's numbers by one or two.
pub(super) fn nudged(line: &str, which: usize, lot: &mut Lot) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let places: Vec<usize> =
        (0..words.len()).filter(|i| words[*i].parse::<i64>().is_ok()).collect();
    if let Some(place) = places.get(which).copied() {
        let number: i64 = words[place].parse().unwrap_or(0);
        words[place] = (number + *lot.one(&[1, -1, 2, -2, 1, -1])).to_string();
    }
    words.join(" ")
}

impl Forger for Cash {
    fn table(&self) -> Table {
        Table { kind: "win-condition", features: FEATURES, lines: LINES }
    }

    fn draw(&mut self, feature: usize, line: usize, lot: &mut Lot) -> Option<Forgery> {
        let set = set(feature, lot);
        let right = lot.below(8) == 0;
        let mut body = match line {
            8..11 => words(set[0]),
            11 if !self.raw.is_empty() && lot.below(2) == 0 => lot.one(&self.raw).body.clone(),
            11 => window(
                &[1 + lot.below(5) as i64, 6 + lot.below(3) as i64],
                [1 + lot.below(8) as i64, 1, 0, 2],
            )?,
            _ => {
                let mut shift =
                    holding(&set).unwrap_or([1 + lot.below(6) as i64, lot.below(3) as i64, 0, 2]);
                if matches!(line, 2 | 3) && !right && lot.below(4) > 0 {
                    shift = nearly(&set, lot)?;
                } else if line < 4 && !right {
                    let [p, q, from, rich] = shift;
                    let least = [1, -4, 0, 2][line];
                    let (old, any) = (shift[line], 1 + lot.below(12) as i64);
                    shift[line] = match line {
                        0 => *lot.one(&[p - 1, p + 1, p / 2, 2 * p, p / 3, any]),
                        1 => q + *lot.one(&[-1, 1, 2, -2]),
                        2 => *lot.one(&[from - 1, from / 2, from + 1]),
                        _ => *lot.one(&[rich - 1, rich / 2, rich + 1]),
                    }
                    .max(least);
                    if shift[line] == old {
                        shift[line] = *lot.one(&[old + 1, old + 2]);
                    }
                }
                window(&set, shift)?
            }
        };
        if !right && (4..11).contains(&line) {
            let start = match line {
                4 | 5 => "line ",
                6 | 7 => "row ",
                8 => "words ",
                _ => "path ",
            };
            let places: Vec<usize> =
                (0..body.len()).filter(|i| body[*i].starts_with(start)).collect();
            if places.is_empty() {
                // No row: one that is false is put there.
                body[0] = body[0].rsplit_once(' ').map(|(rest, _)| format!("{rest} 3"))?;
                body.push(format!("row {} {} {}", 1 + lot.below(2), -2, 1 + lot.below(2)));
            } else {
                let place = *lot.one(&places);
                let text = body[place].clone();
                let flipped = |text: &str, a: &str, b: &str| match text.contains(a) {
                    true => text.replacen(a, b, 1),
                    false => text.replacen(b, a, 1),
                };
                body[place] = match line {
                    4 => flipped(&text, "+c", "-c"),
                    6 => {
                        nudged(&text, 1 + lot.below(text.split(' ').count().saturating_sub(2)), lot)
                    }
                    8 => nudged(&text, lot.below(2), lot),
                    9 if lot.below(3) == 0 => flipped(&text, "U", "D"),
                    10 => {
                        let piece = format!(
                            "{}{}^{}k{:+}",
                            lot.one(&["U", "D", "U1D"]),
                            1 + lot.below(3),
                            lot.below(2),
                            lot.below(3)
                        );
                        format!("{text} {piece}")
                    }
                    _ => nudged(&text, 0, lot),
                };
            }
        }
        let truth = truth(&set, &body);
        let list: Vec<String> = set.iter().map(i64::to_string).collect();
        let claim = format!(
            "with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 and \
             floor(d / {0}) > floor(e / {0})",
            set[0]
        );
        Some(Forgery::new(
            "win-condition",
            &format!("NIM({};n;d,e)", list.join(",")),
            &claim,
            &joined(&body),
            truth,
        ))
    }
}
