//! Explanations of win conditions in words.

use super::condition::{Condition, Proof, letter, spell, terms};
use super::paths::Line;
use super::window::{FIRST_UNDECIDED, Window};
use super::words::Words;
use num_bigint::{BigInt, BigUint};

/// The greatest number of paths that are spelt out.
const MAX_PATHS: usize = 6;
/// The greatest number of rows, and of numbers in a list, that are spelt out.
const MAX_LISTED: usize = 40;

impl Condition {
    /// Explains the condition, line by line. Long lists are shortened; the certificate has all.
    pub fn explain(&self) -> Vec<String> {
        let poor = match self.set()[0] {
            1 => "d > e".to_owned(),
            least => format!("floor(d/{least}) > floor(e/{least})"),
        };
        let mut lines = vec![
            "Let c = d + e + 1 - n, which no move changes; unlimited money counts as n dollars."
                .to_owned(),
            format!("If c <= 1: the mover wins iff {poor}."),
            "If c >= 2: the mover wins iff d - e + v > 0, where v depends on n and c:".to_owned(),
        ];
        match &self.proof {
            Proof::Window(window) => window.explain(&mut lines),
            Proof::Words(words) => words.explain(&mut lines),
        }
        lines
    }

    /// Explains the condition for the numbers of a position, line by line; `None` is unlimited
    /// money.
    pub fn fill_in(
        &self,
        stones: &BigUint,
        mover: Option<&BigUint>,
        other: Option<&BigUint>,
    ) -> Vec<String> {
        let [n, d, e, c] = terms(stones, mover, other);
        let mut lines = vec![format!("n = {n}, d = {d}, e = {e}: c = {d} + {e} + 1 - {n} = {c}.")];
        if mover.is_none_or(|dollars| dollars > stones)
            || other.is_none_or(|dollars| dollars > stones)
        {
            lines.insert(
                0,
                "Whoever has more dollars than there are stones may as well have n.".into(),
            );
        }
        if c < BigInt::from(FIRST_UNDECIDED) {
            let least = self.set()[0];
            let (mine, theirs) = (&d / least, &e / least);
            let compared = if mine > theirs { "greater than" } else { "not greater than" };
            lines.push(format!(
                "c <= 1, and floor({d}/{least}) = {mine} is {compared} floor({e}/{least}) = \
                 {theirs}."
            ));
        } else {
            let v = self.value(&n, &c);
            let sum = &d - &e + &v;
            let compared = if sum > BigInt::ZERO { "greater than 0" } else { "not greater than 0" };
            lines.push(format!("v = {v}, and d - e + v = {d} - {e} + {v} = {sum} is {compared}."));
        }
        let wins = self.mover_wins(stones, mover, other);
        lines.push(if wins {
            "So the mover wins: N.".into()
        } else {
            "So the mover loses: P.".into()
        });
        lines
    }

    /// Returns the count of numbers in the condition.
    pub fn size(&self) -> usize {
        match &self.proof {
            Proof::Window(window) => {
                4 + window.lines.len()
                    + window.rows.iter().map(|row| row.values.len()).sum::<usize>()
            }
            Proof::Words(words) => words.paths.iter().map(|path| 1 + 2 * path.powers.len()).sum(),
        }
    }
}

fn term(line: &Line) -> String {
    let shift = if line.shift == 0 { String::new() } else { format!("{:+}", line.shift) };
    format!("{}c{shift}", if line.rises { "" } else { "-" })
}

fn list(mut items: Vec<String>) -> String {
    if items.len() > MAX_LISTED {
        items.truncate(MAX_LISTED);
        items.push("...".into());
    }
    items.join(", ")
}

impl Window {
    fn explain(&self, lines: &mut Vec<String>) {
        let Window { period, gain, from, rich, .. } = *self;
        let (stones, later) = (from + period, rich + gain.max(0));
        let gains = match gain {
            0 => String::new(),
            1.. => format!(" and {gain} from c"),
            _ => format!(" and add {} to c", -gain),
        };
        lines.push(format!(
            "  As long as n >= {stones} and c >= {later}, take {period} from n{gains}."
        ));
        let terms = list(self.lines.iter().map(term).collect());
        lines
            .push(format!("  For c >= {later}, v is, for n = 0, 1, ..., {}: {terms}.", stones - 1));
        for (c, row) in (FIRST_UNDECIDED..).zip(&self.rows).take(MAX_LISTED) {
            let values = list(row.values.iter().map(i64::to_string).collect());
            let again = match row.period {
                all if all == row.values.len() => "all again and again".to_owned(),
                1 => "the last again and again".to_owned(),
                some => format!("the last {some} again and again"),
            };
            lines.push(format!("  For c = {c}, v is, for n = 0, 1, ...: {values}; {again}."));
        }
        if self.rows.len() > MAX_LISTED {
            lines.push(format!("  ... and so on up to c = {}.", later - 1));
        }
    }
}

impl Words {
    fn explain(&self, lines: &mut Vec<String>) {
        let modulus = self.paths.len();
        let start = modulus as i64 * self.first;
        if start > 0 {
            lines.push(format!(
                "  For n < {start}, v is -(c+n) where no move is left, else the maximum of -a - \
                 v(n-a) over a <= n."
            ));
        }
        lines.push(format!(
            "  For n = {modulus}k + i >= {start}, v is so at c = 0 and goes up (U) or down (D) by \
             one with each c:"
        ));
        for (i, path) in self.paths.iter().enumerate().take(MAX_PATHS) {
            let powers =
                path.powers.iter().map(|piece| match (piece.times.slope, piece.times.at_zero) {
                    (0, 1) => spell(&piece.steps),
                    (0, times) => format!("({})^{times}", spell(&piece.steps)),
                    (slope, at_zero) => format!("({})^({slope}k{at_zero:+})", spell(&piece.steps)),
                });
            let powers: Vec<String> = powers.collect();
            let last = letter(path.rises);
            lines.push(format!(
                "    i = {i}: {}, {}, then {last} for ever",
                path.start,
                powers.join(" ")
            ));
        }
        if modulus > MAX_PATHS {
            lines.push(format!("    ... and so on for all i < {modulus}."));
        }
    }
}
