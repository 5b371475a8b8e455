//! Kotzig's Nim for every n by automata that label positions, read from the token on.

use crate::kotzig::{self, Losses};
use crate::{Certificate, Checked, Lines, Work, need, number, reject};
use std::collections::{BTreeMap, HashSet};

/// The states of a class from 1 on; state 0 says nothing.
struct Labels {
    next: Vec<[u32; 2]>,
    label: Vec<Option<bool>>,
}

impl Labels {
    fn read(&self, from: u32, word: &[u8]) -> u32 {
        word.iter().fold(from, |state, letter| self.next[state as usize][usize::from(*letter)])
    }
}

/// A first part and a last part of words, and what the options have in their places.
struct Ends {
    last: Vec<u8>,
    options: Vec<Vec<u8>>,
}

pub fn check(certificate: &Certificate, work: &mut Work) -> Checked<()> {
    let steps = kotzig::steps(certificate.game)?;
    let (formula, misere) = kotzig::claim(certificate.claim)?;
    let (f, b) = (steps[steps.len() - 1] as usize, (-steps[0]).max(0) as usize);
    need(f + b <= 12, "the steps go too far")?;
    let mut lines = Lines { lines: &certificate.body };
    let period = number(lines.field("period")?)? as usize;
    need((1..=1000).contains(&period), "a period is 1 to 1000")?;
    let (mut classes, mut below) = (Vec::new(), vec![None; 130]);
    let mut top = 1;
    for class in 0..period {
        let head: Vec<&str> = lines.field("class")?.split(' ').collect();
        let [residue, won, "from", from, "states", states] = head[..] else {
            return reject("no class");
        };
        need(number(residue)? as usize == class, "classes come in order")?;
        let loss = match won {
            "P" => true,
            "N" => false,
            _ => return reject("a class is in P or N"),
        };
        let from = number(from)? as usize;
        let least = if b == 0 { 2 * f } else { 2 * (f + b) + 1 };
        need((least..=129).contains(&from), "`from` is out of its bounds")?;
        let states = number(states)? as usize;
        need(states >= 1 && states <= lines.lines.len(), "too few states")?;
        let mut labels = Labels { next: vec![[0; 2]], label: vec![None] };
        for _ in 0..states {
            let words: Vec<&str> = lines.next()?.split(' ').collect();
            let label = match words[..] {
                [_, _] => None,
                [_, _, "A"] => Some(false),
                [_, _, "B"] => Some(true),
                _ => return reject("no state"),
            };
            let next = [number(words[0])?, number(words[1])?];
            need(next.iter().all(|state| *state <= states as u64), "a state that is none")?;
            labels.next.push(next.map(|state| state as u32));
            labels.label.push(label);
        }
        // The first circle of the class.
        let first = from + (class + period - from % period) % period;
        checked(&steps, (f, b), misere, &labels, (first, period), loss, work)?;
        classes.push(loss);
        for (n, known) in below.iter_mut().enumerate().skip(1) {
            if n % period == class {
                *known = Some(if n < from {
                    !kotzig::mover_wins(&steps, n, misere, work)?
                } else {
                    loss
                });
            }
        }
        top = top.max(from);
    }
    lines.end()?;
    let below = (0..top).map(|n| below[n].unwrap_or(false)).collect();
    Losses { below, classes }.stated(&formula)
}

/// Returns, for these letters around the token, the letters of all options: before the middle and
/// behind it.
fn options(steps: &[i64], (f, b): (usize, usize), p: &[u8], s: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let at = |p: &[u8], s: &[u8], x: i64| match x {
        0 => 1,
        x if x > 0 => p[x as usize - 1],
        x => s[(s.len() as i64 + x) as usize],
    };
    let mut all = Vec::new();
    for k in steps.iter().copied().filter(|k| at(p, s, *k) == 0) {
        let (mut p, mut s) = (p.to_vec(), s.to_vec());
        let mark = |p: &mut Vec<u8>, s: &mut Vec<u8>, x: i64| {
            let len = s.len() as i64;
            if x > 0 { p[x as usize - 1] = 1 } else { s[(len + x) as usize] = 1 }
        };
        mark(&mut p, &mut s, k);
        for x in -(b as i64)..=f as i64 {
            let lost = |p: &[u8], s: &[u8]| {
                steps.iter().all(|step| x - step != k && at(p, s, x - step) == 1)
            };
            if at(&p, &s, x) == 0 && lost(&p, &s) {
                mark(&mut p, &mut s, x);
            }
        }
        let before;
        let behind;
        if k > 0 {
            let k = k as usize;
            before = p[k..].to_vec();
            behind = [&s[..], &[1], &p[..k - 1]].concat();
        } else {
            let token = (s.len() as i64 + k) as usize;
            before = [&s[token + 1..], &[1], &p[..]].concat();
            behind = s[..token].to_vec();
        }
        all.push((before, behind));
    }
    all
}

/// Checks the labels of one class, circles of n = first, first + period, … cells.
fn checked(
    steps: &[i64],
    (f, b): (usize, usize),
    misere: bool,
    labels: &Labels,
    (first, period): (usize, usize),
    loss: bool,
    work: &mut Work,
) -> Checked<()> {
    let (ahead, behind) = (f + b, if b == 0 { f - 1 } else { f + b });
    let letters =
        |bits: usize, len: usize| -> Vec<u8> { (0..len).map(|i| (bits >> i & 1) as u8).collect() };
    let mut groups: BTreeMap<Vec<u32>, Vec<Ends>> = BTreeMap::new();
    for bits in 0..1 << ahead {
        let p = letters(bits, ahead);
        let main = labels.read(1, &p);
        work.spend(ahead as u64)?;
        if main == 0 {
            continue;
        }
        for bits in 0..1 << behind {
            let s = letters(bits, behind);
            let options = options(steps, (f, b), &p, &s);
            work.spend((20 * ahead * (options.len() + 1)) as u64)?;
            let mut start = vec![main];
            start.extend(options.iter().map(|(before, _)| labels.read(1, before)));
            let options = options.into_iter().map(|(_, behind)| behind).collect();
            groups.entry(start).or_default().push(Ends { last: s, options });
        }
    }
    // The length of the middle of the first circle's words.
    let least = first - 1 - ahead - behind;
    for (start, ends) in groups {
        let mut layer = HashSet::from([start]);
        let mut seen: Vec<HashSet<Vec<u32>>> = vec![HashSet::new(); period];
        let mut length = 0;
        while !layer.is_empty() {
            if length >= least {
                let known = &mut seen[(length - least) % period];
                layer.retain(|tuple| known.insert(tuple.clone()));
                if (length - least).is_multiple_of(period) {
                    for tuple in &layer {
                        work.spend((ends.len() * tuple.len() * (behind + 1)) as u64)?;
                        ends.iter().try_for_each(|ends| agrees(labels, tuple, ends, misere))?;
                    }
                }
            }
            let mut next = HashSet::new();
            for tuple in &layer {
                work.spend(20 + 4 * tuple.len() as u64)?;
                for letter in 0..2 {
                    let to: Vec<u32> =
                        tuple.iter().map(|state| labels.next[*state as usize][letter]).collect();
                    if to[0] != 0 {
                        next.insert(to);
                    }
                }
            }
            layer = next;
            length += 1;
        }
    }
    // The start: n − 1 free cells.
    let mut state = labels.read(1, &vec![0; first - 1]);
    let mut seen = HashSet::new();
    while seen.insert(state) {
        work.spend(period as u64)?;
        need(
            labels.label[state as usize] == Some(!loss),
            "the start has not the label of its class",
        )?;
        state = labels.read(state, &vec![0; period]);
    }
    Ok(())
}

/// Checks what is said of the words with this middle and these ends.
fn agrees(labels: &Labels, tuple: &[u32], ends: &Ends, misere: bool) -> Checked<()> {
    let label = |state: u32, word: &[u8]| labels.label[labels.read(state, word) as usize];
    let options = || tuple[1..].iter().zip(&ends.options).map(|(state, word)| label(*state, word));
    match label(tuple[0], &ends.last) {
        None => Ok(()),
        Some(false) => {
            need(options().all(|option| option == Some(true)), "an option of an A is no B")?;
            need(!misere || !ends.options.is_empty(), "an A without options in misère play")
        }
        Some(true) => {
            let some = options().any(|option| option == Some(false));
            need(some || misere && ends.options.is_empty(), "no option of a B is an A")
        }
    }
}
