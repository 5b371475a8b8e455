//! What the two kinds on Kotzig's Nim for every n have in common: names, small circles, claims.

use crate::{Checked, Work, ascending, need, number, reject, signed, unknown};
use std::collections::HashMap;

/// Returns the steps of `Gamma(m1,…,mk;n)`, `n` the letter.
pub fn steps(game: &str) -> Checked<Vec<i64>> {
    let Some(inner) = game.strip_prefix("Gamma(").and_then(|rest| rest.strip_suffix(";n)")) else {
        return reject("no circle of n cells");
    };
    let steps: Vec<i64> = inner.split(',').map(signed).collect::<Checked<_>>()?;
    need((1..=4).contains(&steps.len()) && ascending(&steps), "one to four ascending steps")?;
    need(!steps.contains(&0) && steps[steps.len() - 1] > 0, "no step is 0, the last is clockwise")?;
    Ok(steps)
}

/// Tells whether the mover wins from the start of a circle of n cells, 1 ≤ n ≤ 128.
pub fn mover_wins(steps: &[i64], n: usize, misere: bool, work: &mut Work) -> Checked<bool> {
    let mut steps: Vec<usize> =
        steps.iter().map(|step| step.rem_euclid(n as i64) as usize).collect();
    steps.sort_unstable();
    steps.dedup();
    steps.retain(|step| *step != 0);
    let all = if n == 128 { u128::MAX } else { (1 << n) - 1 };
    Circle { n, all, steps, misere, known: HashMap::new() }.wins(all - 1, work)
}

struct Circle {
    n: usize,
    all: u128,
    steps: Vec<usize>,
    misere: bool,
    known: HashMap<u128, bool>,
}

impl Circle {
    /// Turns the circle so that this cell becomes cell 0.
    fn turned(&self, cells: u128, by: usize) -> u128 {
        (cells >> by | cells << (self.n - by)) & self.all
    }

    /// Tells who wins with the token on cell 0 and these cells free.
    fn wins(&mut self, free: u128, work: &mut Work) -> Checked<bool> {
        // Only what is in reach counts.
        let (mut reach, mut news) = (0, 1);
        while news != 0 {
            let mut ahead = 0;
            for step in &self.steps {
                ahead |= self.turned(news, self.n - step);
            }
            news = ahead & free & !reach;
            reach |= news;
            work.spend(4)?;
        }
        if let Some(known) = self.known.get(&reach) {
            return Ok(*known);
        }
        work.spend(50)?;
        let mut wins = None;
        for at in 0..self.steps.len() {
            let step = self.steps[at];
            if reach >> step & 1 == 1 {
                let option = self.turned(reach & !(1 << step), step);
                if self.wins(option, work)? {
                    wins = wins.or(Some(false));
                } else {
                    wins = Some(true);
                    break;
                }
            }
        }
        let wins = wins.unwrap_or(self.misere);
        self.known.insert(reach, wins);
        Ok(wins)
    }
}

/// The circles that the mover loses: one by one below `below.len()` (number 0 unused), from there
/// on by the remainder of n.
pub struct Losses {
    pub below: Vec<bool>,
    pub classes: Vec<bool>,
}

impl Losses {
    fn has(&self, n: usize) -> bool {
        self.below.get(n).copied().unwrap_or(self.classes[n % self.classes.len()])
    }

    /// Checks that a claim states these circles.
    pub fn stated(&self, formula: &str) -> Checked<()> {
        match self.form() {
            Some(form) if form == formula => return Ok(()),
            _ => {}
        }
        let (claim, greatest) = Claim::read(formula)?;
        let top = self.below.len().max(greatest as usize + 1)
            + self.classes.len() * claim.modulus() as usize;
        for n in 1..=top {
            need(claim.has(n as u64) == self.has(n), "the claim is false of a circle")?;
        }
        unknown("the claim is true, but this is not the one form known here")
    }

    /// Returns the set in the one form that claims have.
    fn form(&self) -> Option<String> {
        let period = self.classes.len();
        let modulus = (1..=period).find(|m| {
            (0..period).all(|r| self.classes[r] == self.classes[r % m]) && period.is_multiple_of(*m)
        })?;
        let residue = |n: usize| self.classes[n % modulus];
        let mut from = self.below.len().max(1);
        while from > 1 && self.has(from - 1) == residue(from - 1) {
            from -= 1;
        }
        let mut parts = Vec::new();
        let residues: Vec<usize> = (0..modulus).filter(|r| self.classes[*r]).collect();
        if residues.is_empty() {
            parts.extend((1..from).filter(|n| self.has(*n)).map(|n| format!("n = {n}")));
            return Some(if parts.is_empty() { "false".into() } else { parts.join(" | ") });
        }
        if modulus == 1 {
            return None;
        }
        let first = (from..).find(|n| residue(*n))?;
        parts.extend((1..first).filter(|n| self.has(*n)).map(|n| format!("n = {n}")));
        let rest: Vec<String> = residues.iter().map(|r| format!("n mod {modulus} = {r}")).collect();
        let rest_joined = rest.join(" | ");
        parts.push(if !(1..from).any(residue) {
            rest_joined
        } else if rest.len() == 1 {
            format!("(n >= {first} & {rest_joined})")
        } else {
            format!("(n >= {first} & ({rest_joined}))")
        });
        Some(parts.join(" | "))
    }
}

/// A claim as read.
#[derive(Default)]
struct Claim {
    singles: Vec<u64>,
    from: u64,
    residues: Vec<(u64, u64)>,
    always: bool,
}

impl Claim {
    fn read(formula: &str) -> Checked<(Claim, u64)> {
        let mut claim = Claim::default();
        if formula == "false" {
            return Ok((claim, 0));
        }
        let mut rest = formula;
        if let Some(at) = formula.find('(') {
            let inner =
                formula[at..].strip_prefix("(n >= ").and_then(|rest| rest.strip_suffix(')'));
            let Some((from, residues)) = inner.and_then(|inner| inner.split_once(" & ")) else {
                return reject("no claim in the one form");
            };
            claim.from = number(from)?;
            let bare = residues.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
            claim.residues(bare.unwrap_or(residues))?;
            rest = formula[..at].strip_suffix(" | ").unwrap_or("");
            if rest.is_empty() {
                let from = claim.from;
                return Ok((claim, from));
            }
        }
        for part in rest.split(" | ") {
            if let Some(n) = part.strip_prefix("n = ") {
                claim.singles.push(number(n)?);
            } else if let Some(from) = part.strip_prefix("n >= ") {
                claim.from = number(from)?;
                claim.always = true;
            } else {
                claim.residues(part)?;
            }
        }
        let greatest = claim.singles.iter().copied().max().unwrap_or(0).max(claim.from);
        if greatest > 1 << 20 || claim.modulus() > 1 << 20 {
            return reject("the numbers of the claim are too large to be least");
        }
        Ok((claim, greatest))
    }

    fn residues(&mut self, text: &str) -> Checked<()> {
        for part in text.split(" | ") {
            let Some((m, r)) = part.strip_prefix("n mod ").and_then(|rest| rest.split_once(" = "))
            else {
                return reject("no claim in the one form");
            };
            let (m, r) = (number(m)?, number(r)?);
            need(m > 0, "a modulus is positive")?;
            self.residues.push((m, r));
        }
        let one = self.residues.iter().all(|(m, _)| *m == self.residues[0].0);
        need(one, "a claim has one modulus")
    }

    fn modulus(&self) -> u64 {
        self.residues.first().map_or(1, |(m, _)| *m)
    }

    fn has(&self, n: u64) -> bool {
        let residue = self.residues.iter().any(|(m, r)| n % m == *r);
        self.singles.contains(&n) || n >= self.from && (self.always || residue)
    }
}

/// Splits a claim into its formula and whether it speaks of misère play.
pub fn claim(text: &str) -> Checked<(String, bool)> {
    let text = text.replace("misère", "misere");
    match (text.strip_prefix("P iff "), text.strip_prefix("in misere play P iff ")) {
        (Some(formula), _) => Ok((formula.to_owned(), false)),
        (_, Some(formula)) => Ok((formula.to_owned(), true)),
        _ => reject("no claim on all circles"),
    }
}
