//! Winning strategies of Kotzig's Nim on one circle.

use crate::{Certificate, Checked, Work, ascending, need, number, numbers, reject};
use std::collections::{HashMap, HashSet};

type Cells = [u64; 4];

fn has(cells: &Cells, at: usize) -> bool {
    cells[at / 64] >> (at % 64) & 1 == 1
}

/// Returns the cells that the token on cell 0 gets to over free cells.
fn reach(n: usize, steps: &[usize], free: impl Fn(usize) -> bool) -> Cells {
    let mut seen = [0; 4];
    let mut stack = vec![0];
    while let Some(cell) = stack.pop() {
        for step in steps {
            let to = (cell + step) % n;
            if free(to) && !has(&seen, to) {
                seen[to / 64] |= 1 << (to % 64);
                stack.push(to);
            }
        }
    }
    seen
}

fn hexadecimal(text: &str) -> Checked<Cells> {
    let digits = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    need(digits && !text.is_empty() && text.len() <= 64, "no reach")?;
    need(text == "0" || !text.starts_with('0'), "a reach has a leading 0")?;
    let mut cells = [0; 4];
    for (at, digit) in text.chars().rev().enumerate() {
        cells[at / 16] |= u64::from(digit.to_digit(16).unwrap_or(0)) << (4 * (at % 16));
    }
    Ok(cells)
}

pub fn check(certificate: &Certificate, work: &mut Work) -> Checked<()> {
    let inner = certificate.game.strip_prefix("Gamma(").and_then(|rest| rest.strip_suffix(')'));
    let Some((steps, n)) = inner.and_then(|inner| inner.split_once(';')) else {
        return reject("no circle");
    };
    let (written, n) = (numbers(steps, ',')?, number(n)? as usize);
    need((1..=256).contains(&n), "a circle has 1 to 256 cells")?;
    need(ascending(&written) && written[0] > 0, "steps are positive and ascend")?;
    let mut steps: Vec<usize> = written.iter().map(|step| (step % n as u64) as usize).collect();
    steps.sort_unstable();
    steps.dedup();
    steps.retain(|step| *step != 0);

    let claim = certificate.claim.replace("misère", "misere");
    let mut words = claim.split(' ');
    let (position, is, winner) = (words.next(), words.next(), words.next());
    let rest: Vec<&str> = words.collect();
    let misere = match rest[..] {
        ["in", "normal", "play"] => false,
        ["in", "misere", "play"] => true,
        _ => return reject("no claim on a position"),
    };
    let mover_wins = match (is, winner) {
        (Some("is"), Some("N")) => true,
        (Some("is"), Some("P")) => false,
        _ => return reject("no claim on a position"),
    };
    let Some((marked, token)) = position.and_then(|position| position.split_once('/')) else {
        return reject("no position");
    };
    let (marked, token) = (numbers(marked, ',')?, number(token)?);
    let inside = marked.iter().all(|cell| *cell < n as u64);
    need(inside && ascending(&marked) && marked.contains(&token), "no position of the game")?;

    let mut choices: HashMap<Cells, usize> = HashMap::new();
    if certificate.body != ["every move of the winner is forced"] {
        need(!certificate.body.is_empty(), "no body")?;
        for line in &certificate.body {
            let Some((cells, step)) = line.split_once(' ') else { return reject("no choice") };
            let step = number(step)?;
            need(written.contains(&step), "a step that is none of the game")?;
            let old = choices.insert(hexadecimal(cells)?, (step % n as u64) as usize);
            need(old.is_none(), "two lines for one reach")?;
        }
    }

    let start = reach(n, &steps, |cell| !marked.contains(&((token + cell as u64) % n as u64)));
    let moves = |cells: &Cells| -> Vec<usize> {
        steps.iter().copied().filter(|step| has(cells, *step)).collect()
    };
    let after = |cells: &Cells, step: usize| {
        reach(n, &steps, |cell| cell != 0 && has(cells, (cell + step) % n))
    };
    let cost = (n * (steps.len() + 1)) as u64;
    // Positions with the winner to move.
    let mut stack: Vec<Cells> = Vec::new();
    let mut seen: HashSet<Cells> = HashSet::new();
    let mut replies = |cells: &Cells, stack: &mut Vec<Cells>, work: &mut Work| -> Checked<()> {
        let options = moves(cells);
        need(!(misere && options.is_empty()), "the loser has no move in misère play")?;
        for step in options {
            work.spend(cost)?;
            let next = after(cells, step);
            if seen.insert(next) {
                stack.push(next);
            }
        }
        Ok(())
    };
    if mover_wins {
        stack.push(start);
    } else {
        replies(&start, &mut stack, work)?;
    }
    while let Some(cells) = stack.pop() {
        let step = match moves(&cells)[..] {
            [] if misere => continue,
            [] => return reject("the winner has no move"),
            [step] => step,
            _ => match choices.get(&cells) {
                Some(step) if has(&cells, *step) => *step,
                Some(_) => return reject("an illegal step"),
                None => return reject("a choice has no line"),
            },
        };
        work.spend(cost)?;
        replies(&after(&cells, step), &mut stack, work)?;
    }
    Ok(())
}
