//! Atoms read digit by digit, most significant first: one digit of each variable in turn, a round after another.
//!
//! The state of an atom is the value of its form on the digits so far, where in Zeckendorf digits also the value with a
//! 0 put after them; digit sums are open until the last of their variables has been read in this round.

use super::linear::{Atom, Base, Test, Variable, sizes};
use crate::work::{Reason, Work};
use rustc_hash::FxHashMap;

/// A state's number.
pub type State = u32;
/// The atom fails, or holds, whatever follows.
pub const FAILS: State = 0;
pub const HOLDS: State = 1;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Reading {
    rule: u32,
    level: u32,
    a: i64,
    b: i64,
    /// Open digit sums, four bits each.
    open: u64,
}

#[derive(Debug)]
enum Rule {
    Linear {
        test: Test,
        constant: i64,
        /// On each level: what digit 1 adds to a and to b.
        weights: Vec<(i64, i64)>,
        /// Modulus, coefficient, last level, and how often each level's variable occurs.
        sums: Vec<(u64, i64, usize, Vec<u64>)>,
        /// Positive and negative coefficients of variables and digit sums, times their greatest digit; and of shifts.
        plain: (i64, i64),
        shift: (i64, i64),
    },
    /// The variable on this level has (`true`) or has not (`false`) two 1s side by side.
    Neighbours(usize, bool),
}

/// Reads atoms over some variables.
#[derive(Debug)]
pub struct Reader {
    zeckendorf: bool,
    levels: Vec<Variable>,
    rules: Vec<Rule>,
    readings: Vec<Reading>,
    numbers: FxHashMap<Reading, State>,
    steps: Vec<[State; 2]>,
}

const UNKNOWN: State = u32::MAX;
/// Most states of all atoms.
const MOST: usize = 1 << 22;

impl Reader {
    /// The variables whose digits come in turn.
    pub fn new(zeckendorf: bool, levels: Vec<Variable>) -> Reader {
        let none = Reading { rule: u32::MAX, level: 0, a: 0, b: 0, open: 0 };
        Reader {
            zeckendorf,
            levels,
            rules: Vec::new(),
            readings: vec![none.clone(), none],
            numbers: FxHashMap::default(),
            steps: vec![[FAILS; 2], [HOLDS; 2]],
        }
    }

    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    fn level(&self, v: Variable) -> Result<usize, Reason> {
        self.levels
            .iter()
            .position(|w| *w == v)
            .ok_or_else(|| "a condition names a variable that is not read".into())
    }

    /// The state of an atom before the first digit.
    pub fn start(&mut self, atom: &Atom, work: &mut Work<'_>) -> Result<State, Reason> {
        let sums = atom.form.terms.iter().filter(|(base, _)| matches!(base, Base::Xor(..))).count();
        work.hold(64 + 16 * self.levels.len() * (1 + sums))?;
        work.spend(2 * sizes(std::slice::from_ref(atom)) * self.levels.len())?;
        let mut weights = vec![(0, 0); self.levels.len()];
        let (mut sums, mut plain, mut shift) = (Vec::new(), (0, 0), (0, 0));
        let count = |into: &mut (i64, i64), c: i64| if c > 0 { into.0 += c } else { into.1 -= c };
        for (base, c) in &atom.form.terms {
            match base {
                Base::Plain(v) => {
                    let level = self.level(*v)?;
                    weights[level] = (weights[level].0 + c, weights[level].1 + 2 * c);
                    count(&mut plain, *c);
                }
                Base::Shift(v) if self.zeckendorf => {
                    let level = self.level(*v)?;
                    weights[level] = (weights[level].0 + 2 * c, weights[level].1 + 3 * c);
                    count(&mut shift, *c);
                }
                Base::Xor(modulus, all) if !self.zeckendorf && sums.len() < 16 && all.len() < 250 => {
                    let mut times = vec![0; self.levels.len()];
                    for v in all {
                        times[self.level(*v)?] += 1;
                    }
                    let last = times.iter().rposition(|t| *t > 0).unwrap_or(0);
                    sums.push((u64::from(*modulus), *c, last, times));
                    count(&mut plain, c * i64::from(modulus - 1));
                }
                _ => return Err("a condition that cannot be read in these digits".into()),
            }
        }
        self.rules.push(Rule::Linear {
            test: atom.test,
            constant: atom.form.constant,
            weights,
            sums,
            plain,
            shift,
        });
        self.first(work)
    }

    /// The state, before the first digit, of whether a variable's digits have (`true`) or have not two 1s side by side.
    pub fn neighbours(&mut self, v: Variable, wanted: bool, work: &mut Work<'_>) -> Result<State, Reason> {
        let level = self.level(v)?;
        self.rules.push(Rule::Neighbours(level, wanted));
        self.first(work)
    }

    fn first(&mut self, work: &mut Work<'_>) -> Result<State, Reason> {
        self.number(Reading { rule: self.rules.len() as u32 - 1, level: 0, a: 0, b: 0, open: 0 }, work)
    }

    /// Whether the next digit matters.
    pub fn matters(&self, state: State, level: usize) -> bool {
        let Some(rule) = self.rules.get(self.readings[state as usize].rule as usize) else { return false };
        match rule {
            Rule::Linear { weights, sums, .. } => {
                weights[level] != (0, 0) || sums.iter().any(|s| s.3[level] > 0)
            }
            Rule::Neighbours(own, _) => *own == level,
        }
    }

    /// The state after one more digit.
    pub fn step(&mut self, state: State, digit: usize, work: &mut Work<'_>) -> Result<State, Reason> {
        let known = self.steps[state as usize][digit];
        if known != UNKNOWN {
            return Ok(known);
        }
        let mut next = self.readings[state as usize].clone();
        let level = next.level as usize;
        next.level = ((level + 1) % self.levels.len()) as u32;
        let to = match &self.rules[next.rule as usize] {
            Rule::Neighbours(own, wanted) => {
                if *own == level && next.a == 1 && digit == 1 {
                    if *wanted { HOLDS } else { FAILS }
                } else {
                    next.a = if *own == level { digit as i64 } else { next.a };
                    self.number(next, work)?
                }
            }
            Rule::Linear { weights, sums, test, .. } => {
                if level == 0 {
                    (next.a, next.b) =
                        if self.zeckendorf { (next.b, next.a + next.b) } else { (2 * next.a, 0) };
                }
                if digit == 1 {
                    next.a += weights[level].0;
                    next.b += weights[level].1;
                }
                for (i, (modulus, c, last, times)) in sums.iter().enumerate() {
                    let sum = ((next.open >> (4 * i) & 15) + times[level] * digit as u64) % modulus;
                    next.open &= !(15 << (4 * i));
                    if level == *last {
                        next.a += c * sum as i64;
                    } else {
                        next.open |= sum << (4 * i);
                    }
                }
                if let Test::Divisible(m) | Test::Indivisible(m) = test {
                    (next.a, next.b) = (next.a.rem_euclid(*m), next.b.rem_euclid(*m));
                }
                if !self.zeckendorf {
                    next.b = 0;
                }
                self.number(next, work)?
            }
        };
        self.steps[state as usize][digit] = to;
        Ok(to)
    }

    fn number(&mut self, reading: Reading, work: &mut Work<'_>) -> Result<State, Reason> {
        if let Some(truth) = self.certain(&reading) {
            return Ok(if truth { HOLDS } else { FAILS });
        }
        if let Some(known) = self.numbers.get(&reading) {
            return Ok(*known);
        }
        if self.readings.len() >= MOST {
            return Err("too many states: constants or coefficients are too big".into());
        }
        // Twice the reading, its steps, and room in the table.
        work.hold(4 * size_of::<Reading>())?;
        self.readings.push(reading.clone());
        self.steps.push([UNKNOWN; 2]);
        let number = self.readings.len() as State - 1;
        self.numbers.insert(reading, number);
        Ok(number)
    }

    /// The truth, where no digits to come can change it; looked for between two rounds only.
    ///
    /// In binary m digits add less than 2^m, so from a ≥ down on the form never sinks again: it ends at or above
    /// a·2^m − down·(2^m − 1) ≥ a. In Zeckendorf digits the form ends at F(m−1)·a + F(m)·b and what is added: at
    /// most plain·(F(m−1) + 2F(m) − 1) + shift·(2F(m−1) + 3F(m) − 1), F(−1) = 1, F(0) = 0, F(1) = 1.
    fn certain(&self, reading: &Reading) -> Option<bool> {
        let Rule::Linear { test, constant: k, plain, shift, .. } = &self.rules[reading.rule as usize] else {
            return None;
        };
        if reading.level != 0 || matches!(test, Test::Divisible(_) | Test::Indivisible(_)) {
            return None;
        }
        let (a, b) = (reading.a, reading.b);
        let (stays_above, stays_below, stays_at_most) = if self.zeckendorf {
            // The least and the greatest end over all m ≥ 1 as x·F(m−1) + y·F(m) + z; m = 0 gives a itself. Both
            // Fibonacci numbers are natural and one of them is at least 1.
            let low = (a - plain.1 - 2 * shift.1, b - 2 * plain.1 - 3 * shift.1, plain.1 + shift.1 + k);
            let high = (a + plain.0 + 2 * shift.0, b + 2 * plain.0 + 3 * shift.0, k - plain.0 - shift.0);
            // F(m) ≥ 1 and 0 ≤ F(m−1) ≤ F(m): the form x·F(m−1) + y·F(m) is at least min(y, x+y) if that is ≥ 0.
            let least = low.1.min(low.0 + low.1);
            let most = high.1.max(high.0 + high.1);
            (
                a + k > 0 && least >= 0 && least + low.2 > 0,
                a + k < 0 && most <= 0 && most + high.2 < 0,
                a + k <= 0 && most <= 0 && most + high.2 <= 0,
            )
        } else {
            (a >= plain.1 && a + k > 0, a + plain.0 <= 0 && a + k < 0, a + plain.0 <= 0 && a + k <= 0)
        };
        match test {
            Test::Zero if stays_above || stays_below => Some(false),
            Test::NonZero if stays_above || stays_below => Some(true),
            Test::AtMostZero if stays_above => Some(false),
            Test::AtMostZero if stays_at_most => Some(true),
            _ => None,
        }
    }

    /// Whether the atom holds if the numbers end here.
    pub fn accepts(&self, state: State) -> bool {
        if state <= HOLDS {
            return state == HOLDS;
        }
        let reading = &self.readings[state as usize];
        match &self.rules[reading.rule as usize] {
            Rule::Neighbours(_, wanted) => !wanted,
            Rule::Linear { test, constant, .. } => {
                let value = reading.a + constant;
                match test {
                    Test::Zero => value == 0,
                    Test::NonZero => value != 0,
                    Test::AtMostZero => value <= 0,
                    Test::Divisible(m) => value.rem_euclid(*m) == 0,
                    Test::Indivisible(m) => value.rem_euclid(*m) != 0,
                }
            }
        }
    }

    /// Whether `strong` implies `weak`, whatever follows: the same inequality with a value no smaller, or the same.
    pub fn implies(&self, strong: State, weak: State) -> bool {
        if strong == weak || weak == HOLDS || strong == FAILS {
            return true;
        }
        if strong == HOLDS || weak == FAILS {
            return false;
        }
        let (s, w) = (&self.readings[strong as usize], &self.readings[weak as usize]);
        s.rule == w.rule
            && s.level == w.level
            && s.open == w.open
            && s.a >= w.a
            && s.b >= w.b
            && matches!(self.rules[s.rule as usize], Rule::Linear { test: Test::AtMostZero, .. })
    }
}
