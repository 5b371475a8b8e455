//! Atoms read digit by digit, most significant first, one variable's digit at a time.
//!
//! The state of an atom is the value of its form's prefix. In binary one more digit makes v into 2v + Σ c·d; in
//! Zeckendorf numeration the pair (value of the prefix, value of the prefix with a 0 after it) is a state: (a, b) becomes
//! (b, a + b) plus the digit's share. Where the digits to come can no longer change the verdict the state is
//! [`TRUE`] or [`FALSE`], which leaves finitely many others (Boudet & Comon 1996; Wolper & Boigelot 2000 for binary).
//! A digit sum joins in when the last of its variables has been read.

use crate::linear_form::{Atom, Base, Test, Variable};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numeration {
    /// Base 2.
    Binary,
    /// Sums of Fibonacci numbers 1, 2, 3, 5, …, no two neighbours.
    Zeckendorf,
}

impl Numeration {
    /// The number that digits stand for, most significant first; None beyond 64 bits.
    pub fn value(self, digits: impl Iterator<Item = bool>) -> Option<u64> {
        let (mut prefix, mut longer) = (0u64, 0u64);
        for digit in digits {
            let digit = u64::from(digit);
            (prefix, longer) = match self {
                Numeration::Binary => (prefix.checked_mul(2)?.checked_add(digit)?, 0),
                Numeration::Zeckendorf => {
                    (longer.checked_add(digit)?, longer.checked_add(prefix)?.checked_add(2 * digit)?)
                }
            };
        }
        Some(prefix)
    }
}

impl Numeration {
    /// The digits of a number, most significant first; none for 0.
    pub fn digits(self, value: u64) -> Vec<bool> {
        if self == Numeration::Binary {
            return (0..64 - value.leading_zeros()).rev().map(|place| value >> place & 1 == 1).collect();
        }
        let mut weights = vec![1u64, 2];
        while let Some(next) = weights[weights.len() - 1].checked_add(weights[weights.len() - 2]) {
            weights.push(next);
        }
        let mut rest = value;
        let digits = weights.iter().rev().map(|weight| {
            let one = *weight <= rest;
            rest -= if one { *weight } else { 0 };
            one
        });
        digits.skip_while(|digit| !digit).collect()
    }

    /// The same for a number of any size.
    pub(crate) fn digits_of(self, value: &BigUint) -> Vec<bool> {
        if self == Numeration::Binary {
            return (0..value.bits()).rev().map(|place| value.bit(place)).collect();
        }
        let mut weights = vec![BigUint::from(1u8), BigUint::from(2u8)];
        while weights[weights.len() - 1] <= *value {
            weights.push(&weights[weights.len() - 1] + &weights[weights.len() - 2]);
        }
        let mut rest = value.clone();
        let digits = weights.iter().rev().map(|weight| {
            let one = *weight <= rest;
            if one {
                rest -= weight;
            }
            one
        });
        digits.skip_while(|digit| !digit).collect()
    }

    /// The number of any size that digits stand for, most significant first.
    pub(crate) fn number(self, digits: &[bool]) -> BigUint {
        let (mut prefix, mut longer) = (BigUint::ZERO, BigUint::ZERO);
        for &digit in digits {
            let digit = u8::from(digit);
            (prefix, longer) = match self {
                Numeration::Binary => (prefix * 2u8 + digit, longer),
                Numeration::Zeckendorf => (&longer + digit, longer + prefix + 2 * digit),
            };
        }
        prefix
    }
}

/// The number of an atom's state.
pub type Reading = u32;
/// The atom fails whatever follows.
pub const FALSE: Reading = 0;
/// The atom holds whatever follows.
pub const TRUE: Reading = 1;
const UNKNOWN: Reading = u32::MAX;

/// Why an atom cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// A nim-sum or another digit sum in Zeckendorf numeration.
    #[error(
        "a nim-sum (xor) is read in binary digits, and this statement in Zeckendorf ones; only a statement without shift(…) can be read in binary"
    )]
    DigitSum,
    /// A Zeckendorf shift in binary.
    #[error(
        "shift(…) is read in Zeckendorf digits, and this statement in binary ones; only a statement without nim-sums (xor) can be read in Zeckendorf digits"
    )]
    Shift,
    /// Coefficients or constants beyond 2^40, or more than 16 digit sums in one atom.
    #[error("a comparison with more than 16 nim-sums, or with numbers beyond 2^40")]
    Size,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    rule: u32,
    level: u32,
    a: i64,
    b: i64,
    /// Digit sums still open, four bits each.
    sums: u64,
}

/// What one level does to an atom's state.
#[derive(Debug, Clone, Default)]
struct Share {
    /// Added to (a, b) for digit 1.
    now: (i64, i64),
    /// Added to the open digit sums for digit 1.
    sums: u64,
    /// Digit sums complete after this level: place in `sums`, modulus, coefficient.
    done: Vec<(u32, u64, i64)>,
    /// What the levels from this one on may add to `a` in this round, at least and at most.
    rest: (i64, i64),
}

#[derive(Debug, Clone)]
enum Rule {
    Linear {
        shares: Vec<Share>,
        test: Test,
        constant: i64,
        plain: (i64, i64),
        shift: (i64, i64),
    },
    /// No two neighbouring 1s among the digits of the variable on this level.
    Spaced {
        level: usize,
    },
}

/// The atoms over some variables, with their states so far.
#[derive(Debug)]
pub struct Reader {
    numeration: Numeration,
    levels: Vec<Variable>,
    rules: Vec<Rule>,
    starts: FxHashMap<Atom, Reading>,
    states: Vec<State>,
    ids: FxHashMap<State, Reading>,
    steps: Vec<[Reading; 2]>,
}

impl Reader {
    /// A reader that takes one digit of each of these variables in turn, over and over.
    pub fn new(numeration: Numeration, levels: Vec<Variable>) -> Reader {
        let none = State { rule: 0, level: 0, a: 0, b: 0, sums: 0 };
        Reader {
            numeration,
            levels,
            rules: Vec::new(),
            starts: FxHashMap::default(),
            states: vec![none.clone(), none],
            ids: FxHashMap::default(),
            steps: vec![[FALSE; 2], [TRUE; 2]],
        }
    }

    /// The state of an atom before any digit. Its variables must be among the levels.
    pub fn start(&mut self, atom: &Atom) -> Result<Reading, Unreadable> {
        if let Some(&start) = self.starts.get(atom) {
            return Ok(start);
        }
        let rule = self.linear(atom)?;
        self.rules.push(rule);
        let start = self.intern(State { rule: self.rules.len() as u32 - 1, level: 0, a: 0, b: 0, sums: 0 });
        self.starts.insert(atom.clone(), start);
        Ok(start)
    }

    /// The state, before any digit, of what makes the variable's digits a numeral; TRUE in binary.
    pub fn spaced(&mut self, variable: Variable) -> Reading {
        if self.numeration == Numeration::Binary {
            return TRUE;
        }
        let level = self.level_of(variable);
        let known =
            self.rules.iter().position(|rule| matches!(rule, Rule::Spaced { level: l } if *l == level));
        let rule = known.unwrap_or_else(|| {
            self.rules.push(Rule::Spaced { level });
            self.rules.len() - 1
        });
        self.intern(State { rule: rule as u32, level: 0, a: 0, b: 0, sums: 0 })
    }

    fn level_of(&self, variable: Variable) -> usize {
        self.levels.iter().position(|&v| v == variable).expect("every variable has a level")
    }

    fn linear(&self, atom: &Atom) -> Result<Rule, Unreadable> {
        let mut shares = vec![Share::default(); self.levels.len()];
        // Negative and positive coefficients apart, as sums of absolute values.
        let (mut plain, mut shift) = ((0i64, 0i64), (0i64, 0i64));
        let mut places = 0;
        let add = |pair: &mut (i64, i64), c: i64| if c < 0 { pair.0 -= c } else { pair.1 += c };
        let mut size = atom.form.constant.unsigned_abs();
        for (base, c) in &atom.form.terms {
            size = size.saturating_add(c.unsigned_abs().saturating_mul(9));
            if size >= 1 << 40 {
                return Err(Unreadable::Size);
            }
            match base {
                Base::Plain(v) => {
                    let now = &mut shares[self.level_of(*v)].now;
                    *now = (now.0 + c, now.1 + 2 * c);
                    add(&mut plain, *c);
                }
                Base::Shift(v) if self.numeration == Numeration::Zeckendorf => {
                    let now = &mut shares[self.level_of(*v)].now;
                    *now = (now.0 + 2 * c, now.1 + 3 * c);
                    add(&mut shift, *c);
                }
                Base::Sum(modulus, variables) if self.numeration == Numeration::Binary => {
                    if places == 16 || variables.len() > 200 {
                        return Err(Unreadable::Size);
                    }
                    let mut last = 0;
                    for &v in variables {
                        let level = self.level_of(v);
                        shares[level].sums += 1 << (4 * places);
                        last = last.max(level);
                    }
                    shares[last].done.push((4 * places, u64::from(*modulus), *c));
                    add(&mut plain, c * i64::from(modulus - 1));
                    places += 1;
                }
                Base::Sum(..) => return Err(Unreadable::DigitSum),
                Base::Shift(_) => return Err(Unreadable::Shift),
            }
        }
        let mut rest = (0, 0);
        for share in shares.iter_mut().rev() {
            for (_, modulus, c) in &share.done {
                let most = c * (*modulus as i64 - 1);
                rest = (rest.0 + most.min(0), rest.1 + most.max(0));
            }
            rest = (rest.0 + share.now.0.min(0), rest.1 + share.now.0.max(0));
            share.rest = rest;
        }
        Ok(Rule::Linear { shares, test: atom.test, constant: atom.form.constant, plain, shift })
    }

    /// Bytes kept, roughly.
    pub fn bytes(&self) -> usize {
        120 * self.states.len()
    }

    /// How many levels one round of digits has.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Whether the digit on this level matters to the state.
    pub fn depends(&self, state: Reading, level: usize) -> bool {
        if state <= TRUE {
            return false;
        }
        match &self.rules[self.states[state as usize].rule as usize] {
            Rule::Linear { shares, .. } => shares[level].now != (0, 0) || shares[level].sums != 0,
            Rule::Spaced { level: own } => *own == level,
        }
    }

    /// The state after one more digit.
    pub fn step(&mut self, from: Reading, digit: usize) -> Reading {
        let known = self.steps[from as usize][digit];
        if known != UNKNOWN {
            return known;
        }
        let to = self.compute(from, digit);
        self.steps[from as usize][digit] = to;
        to
    }

    fn compute(&mut self, from: Reading, digit: usize) -> Reading {
        let mut state = self.states[from as usize].clone();
        let level = state.level as usize;
        let next = (level + 1) % self.levels.len();
        state.level = next as u32;
        match &self.rules[state.rule as usize] {
            Rule::Spaced { level: own } => {
                if *own == level {
                    if state.a == 1 && digit == 1 {
                        return FALSE;
                    }
                    state.a = digit as i64;
                }
            }
            Rule::Linear { shares, test, .. } => {
                if level == 0 {
                    (state.a, state.b) = match self.numeration {
                        Numeration::Binary => (2 * state.a, 0),
                        Numeration::Zeckendorf => (state.b, state.a + state.b),
                    };
                }
                let share = &shares[level];
                if digit == 1 {
                    state.a += share.now.0;
                    state.b += share.now.1;
                    for place in (0..64).step_by(4).filter(|place| share.sums >> place & 15 != 0) {
                        // The modulus is at most 9, so a place of four bits never overflows before it is reduced.
                        let more = share.sums >> place & 15;
                        let modulus = modulus_at(shares, place);
                        let sum = ((state.sums >> place & 15) + more) % modulus;
                        state.sums = state.sums & !(15 << place) | sum << place;
                    }
                }
                for (place, _, c) in &share.done {
                    state.a += c * (state.sums >> place & 15) as i64;
                    state.sums &= !(15 << place);
                }
                if self.numeration == Numeration::Binary {
                    state.b = 0;
                }
                if let Test::Divisible(m) | Test::Indivisible(m) = test {
                    (state.a, state.b) =
                        (state.a.rem_euclid(i64::from(*m)), state.b.rem_euclid(i64::from(*m)));
                }
            }
        }
        self.intern(state)
    }

    fn intern(&mut self, state: State) -> Reading {
        if let Some(truth) = self.settled(&state) {
            return if truth { TRUE } else { FALSE };
        }
        *self.ids.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.steps.push([UNKNOWN; 2]);
            self.states.len() as Reading - 1
        })
    }

    /// The truth, if no digit to come can change it.
    fn settled(&self, state: &State) -> Option<bool> {
        let Rule::Linear { shares, test, constant: k, plain, shift } = &self.rules[state.rule as usize]
        else {
            return None;
        };
        if matches!(test, Test::Divisible(_) | Test::Indivisible(_)) {
            return None;
        }
        let level = state.level as usize;
        // Whether the form is certain to end > 0, < 0, ≤ 0.
        let (above, below, at_most) = match self.numeration {
            Numeration::Binary => {
                let rest = if level == 0 { (0, 0) } else { shares[level].rest };
                let (low, high) = (state.a + rest.0, state.a + rest.1);
                let descends = high + plain.1 <= 0;
                (low >= plain.0 && low + k > 0, descends && high + k < 0, descends && high + k <= 0)
            }
            Numeration::Zeckendorf if level == 0 => {
                let (a, b) = (state.a, state.b);
                // With m digits to come the form ends at or above f(m−1)·α + f(m)·β + γ.
                let (alpha, beta, gamma) =
                    (a - plain.0 - 2 * shift.0, b - 2 * plain.0 - 3 * shift.0, plain.0 + shift.0 + k);
                let above = a + k > 0 && beta.min(alpha + beta) >= 0.max(1 - gamma);
                let (alpha, beta, gamma) =
                    (a + plain.1 + 2 * shift.1, b + 2 * plain.1 + 3 * shift.1, k - plain.1 - shift.1);
                let most = beta.max(alpha + beta);
                (above, a + k < 0 && most <= 0.min(-1 - gamma), a + k <= 0 && most <= 0.min(-gamma))
            }
            Numeration::Zeckendorf => return None,
        };
        match test {
            Test::Zero => (above || below).then_some(false),
            Test::NonZero => (above || below).then_some(true),
            _ if above => Some(false),
            _ => at_most.then_some(true),
        }
    }

    /// Whether the atom holds if the number ends here, between two rounds.
    pub fn accepts(&self, state: Reading) -> bool {
        if state <= TRUE {
            return state == TRUE;
        }
        let state = &self.states[state as usize];
        match &self.rules[state.rule as usize] {
            Rule::Spaced { .. } => true,
            Rule::Linear { test, constant, .. } => {
                let value = state.a + constant;
                match test {
                    Test::Zero => value == 0,
                    Test::NonZero => value != 0,
                    Test::AtMostZero => value <= 0,
                    Test::Divisible(m) => value.rem_euclid(i64::from(*m)) == 0,
                    Test::Indivisible(m) => value.rem_euclid(i64::from(*m)) != 0,
                }
            }
        }
    }

    /// Whether whatever is accepted from `weak` is accepted from `strong`'s future too: same atom, both between the
    /// same levels, and `strong` ⇒ `weak` as states of an inequality.
    pub fn implies(&self, strong: Reading, weak: Reading) -> bool {
        if strong == weak || weak == TRUE || strong == FALSE {
            return true;
        }
        if strong <= TRUE || weak <= TRUE {
            return false;
        }
        let (s, w) = (&self.states[strong as usize], &self.states[weak as usize]);
        s.rule == w.rule
            && s.level == w.level
            && s.sums == w.sums
            && s.b >= w.b
            && s.a >= w.a
            && matches!(&self.rules[s.rule as usize], Rule::Linear { test: Test::AtMostZero, .. })
    }
}

/// The modulus of the digit sum kept at this place.
fn modulus_at(shares: &[Share], place: u32) -> u64 {
    shares.iter().flat_map(|share| &share.done).find(|done| done.0 == place).map_or(2, |done| done.1)
}
