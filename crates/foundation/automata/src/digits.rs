//! Atoms read bit by bit, most significant first, one variable's round of digits at a time.
//!
//! The state of an atom is the value of its form's prefix, in Ostrowski digits with the second
//! number that goes with it ([`crate::numeration`]): a round makes of them a linear function, and
//! adds the digits' share. Where the digits to come can no longer change the verdict the state is
//! [`TRUE`] or [`FALSE`], which leaves finitely many others (Boudet & Comon 1996; Wolper & Boigelot
//! 2000 for binary). A digit sum joins in when the last of its variables has been read.

use crate::linear_form::{Atom, Base, Test, Variable};
use crate::numeration::{MAX_BITS, Numeration, Round};
use rustc_hash::FxHashMap;

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
    /// A nim-sum or another digit sum in Ostrowski digits.
    #[error(
        "a nim-sum (xor) is read in binary digits, and this statement in those of a continued \
         fraction; only a statement without shift(…) and floor[…](…) can be read in binary"
    )]
    DigitSum,
    /// A multiple of an irrational number in other digits than those of its continued fraction.
    #[error(
        "shift(…) and floor[…](…) are read in the digits of their continued fraction, and this \
         statement in others; only a statement without nim-sums (xor), and with one period alone, \
         can be read in them"
    )]
    Shift,
    /// More than [`MAX_BITS`] bits a round.
    #[error("a continued fraction whose period takes more than {MAX_BITS} bits")]
    Period,
    /// Digits of more than one bit, where a formula is decided as it stands.
    #[error(
        "digits of more than one bit; formulas as they stand are decided in binary and in \
         Zeckendorf digits alone"
    )]
    Bits,
    /// Coefficients or constants beyond 2^40, or more than 16 digit sums in one atom.
    #[error("a comparison with more than 16 nim-sums, or with numbers beyond 2^40")]
    Size,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct DigitState {
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
    /// The bits from this level on are a numeral's.
    Spaced {
        level: usize,
    },
}

/// The atoms over some variables, with their states so far.
#[derive(Debug)]
pub struct AtomReader {
    numeration: Numeration,
    round: Round,
    variables: Vec<Variable>,
    rules: Vec<Rule>,
    starts: FxHashMap<Atom, Reading>,
    states: Vec<DigitState>,
    ids: FxHashMap<DigitState, Reading>,
    steps: Vec<[Reading; 2]>,
}

impl AtomReader {
    /// Returns a reader that takes the bits of one round of each of these variables in turn, over
    /// and over.
    pub fn new(numeration: Numeration, variables: Vec<Variable>) -> AtomReader {
        let none = DigitState { rule: 0, level: 0, a: 0, b: 0, sums: 0 };
        AtomReader {
            numeration,
            round: numeration.round(),
            variables,
            rules: Vec::new(),
            starts: FxHashMap::default(),
            states: vec![none.clone(), none],
            ids: FxHashMap::default(),
            steps: vec![[FALSE; 2], [TRUE; 2]],
        }
    }

    /// Returns the state of an atom before any digit. Its variables must be among the levels.
    pub fn start(&mut self, atom: &Atom) -> Result<Reading, Unreadable> {
        if let Some(&start) = self.starts.get(atom) {
            return Ok(start);
        }
        if self.round.bits > MAX_BITS {
            return Err(Unreadable::Period);
        }
        let rule = self.linear(atom)?;
        self.rules.push(rule);
        let start = self.intern(DigitState {
            rule: self.rules.len() as u32 - 1,
            level: 0,
            a: 0,
            b: 0,
            sums: 0,
        });
        self.starts.insert(atom.clone(), start);
        Ok(start)
    }

    /// Returns the state, before any digit, of what makes the variable's digits a numeral; TRUE in
    /// binary.
    pub fn spaced(&mut self, variable: Variable) -> Reading {
        if self.numeration == Numeration::Binary {
            return TRUE;
        }
        let level = self.level_of(variable);
        let known = self
            .rules
            .iter()
            .position(|rule| matches!(rule, Rule::Spaced { level: l } if *l == level));
        let rule = known.unwrap_or_else(|| {
            self.rules.push(Rule::Spaced { level });
            self.rules.len() - 1
        });
        self.intern(DigitState { rule: rule as u32, level: 0, a: 0, b: 0, sums: 0 })
    }

    fn level_of(&self, variable: Variable) -> usize {
        let place =
            self.variables.iter().position(|&v| v == variable).expect("every variable has a level");
        place * self.round.bits
    }

    fn linear(&self, atom: &Atom) -> Result<Rule, Unreadable> {
        let mut shares = vec![Share::default(); self.levels()];
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
                    self.shared(&mut shares, *v, &self.round.plain, *c);
                    add(&mut plain, *c);
                }
                Base::Shift(period, v) if self.numeration == Numeration::Ostrowski(*period) => {
                    self.shared(&mut shares, *v, &self.round.shift, *c);
                    add(&mut shift, *c);
                }
                Base::Sum(modulus, variables) if self.round.is_binary() => {
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
                Base::Shift(..) => return Err(Unreadable::Shift),
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

    /// Adds what the bits of a variable weigh.
    fn shared(&self, shares: &mut [Share], v: Variable, weights: &[(i64, i64)], c: i64) {
        for (share, (x, y)) in shares[self.level_of(v)..].iter_mut().zip(weights) {
            share.now = (share.now.0 + c * x, share.now.1 + c * y);
        }
    }

    /// Returns the bytes kept, roughly.
    pub fn bytes(&self) -> usize {
        120 * self.states.len()
    }

    /// Returns how many levels one round of all variables has: their bits.
    #[inline]
    pub fn levels(&self) -> usize {
        self.variables.len() * self.round.bits
    }

    /// Returns the bits of one variable in a round.
    #[inline]
    pub fn bits(&self) -> usize {
        self.round.bits
    }

    /// Returns whether the digit on this level matters to the state.
    #[inline]
    pub fn depends(&self, state: Reading, level: usize) -> bool {
        if state <= TRUE {
            return false;
        }
        match &self.rules[self.states[state as usize].rule as usize] {
            Rule::Linear { shares, .. } => shares[level].now != (0, 0) || shares[level].sums != 0,
            Rule::Spaced { level: own } => (*own..own + self.round.bits).contains(&level),
        }
    }

    /// Returns the state after one more digit.
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
        let next = (level + 1) % self.levels();
        state.level = next as u32;
        match &self.rules[state.rule as usize] {
            Rule::Spaced { level: own } => {
                if let Some(bit) = level.checked_sub(*own).filter(|bit| *bit < self.round.bits) {
                    let Some(next) =
                        self.round.state_after_bit(bit, (state.a, state.b), digit == 1)
                    else {
                        return FALSE;
                    };
                    (state.a, state.b) = next;
                }
            }
            Rule::Linear { shares, test, .. } => {
                if level == 0 {
                    (state.a, state.b) = self.round.extended((state.a, state.b));
                }
                let share = &shares[level];
                if digit == 1 {
                    state.a += share.now.0;
                    state.b += share.now.1;
                    for place in (0..64).step_by(4).filter(|place| share.sums >> place & 15 != 0) {
                        // The modulus is at most 9, so a place of four bits never overflows before
                        // it is reduced.
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
                if let Test::Divisible(m) | Test::Indivisible(m) = test {
                    (state.a, state.b) =
                        (state.a.rem_euclid(i64::from(*m)), state.b.rem_euclid(i64::from(*m)));
                }
            }
        }
        self.intern(state)
    }

    fn intern(&mut self, state: DigitState) -> Reading {
        if let Some(truth) = self.settled(&state) {
            return if truth { TRUE } else { FALSE };
        }
        *self.ids.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.steps.push([UNKNOWN; 2]);
            self.states.len() as Reading - 1
        })
    }

    /// Returns the truth, if no digit to come can change it.
    fn settled(&self, state: &DigitState) -> Option<bool> {
        let Rule::Linear { shares, test, constant: k, plain, shift } =
            &self.rules[state.rule as usize]
        else {
            return None;
        };
        if matches!(test, Test::Divisible(_) | Test::Indivisible(_)) {
            return None;
        }
        let level = state.level as usize;
        // Whether the form is certain to end > 0, < 0, ≤ 0.
        let (above, below, at_most) = if self.round.is_binary() {
            let rest = if level == 0 { (0, 0) } else { shares[level].rest };
            let (low, high) = (state.a + rest.0, state.a + rest.1);
            let descends = high + plain.1 <= 0;
            (low >= plain.0 && low + k > 0, descends && high + k < 0, descends && high + k <= 0)
        } else if level == 0 {
            // The numeral that m rounds spell is less than what 1 becomes in m rounds, and so is
            // its shift: with what negative coefficients weigh for 1 the form ends above what
            // becomes of that, and with positive ones below.
            let [(one, more), (shifted, further)] = self.round.one;
            let weighs = |(p, s): (i64, i64)| (p * one + s * shifted, p * more + s * further);
            let (least, greatest) = (weighs((plain.0, shift.0)), weighs((plain.1, shift.1)));
            let gamma = plain.0 + shift.0 + k;
            let above = state.a + k > 0
                && self
                    .round
                    .stays_at_most((least.0 - state.a, least.1 - state.b), 0.min(gamma - 1));
            let value = (state.a + greatest.0, state.b + greatest.1);
            let gamma = k - plain.1 - shift.1;
            let stays = |most: i64| self.round.stays_at_most(value, 0.min(most - gamma));
            (above, state.a + k < 0 && stays(-1), state.a + k <= 0 && stays(0))
        } else {
            return None;
        };
        match test {
            Test::Zero => (above || below).then_some(false),
            Test::NonZero => (above || below).then_some(true),
            _ if above => Some(false),
            _ => at_most.then_some(true),
        }
    }

    /// Returns whether the atom holds if the number ends here, between two rounds.
    pub fn accepts(&self, state: Reading) -> bool {
        if state <= TRUE {
            return state == TRUE;
        }
        let state = &self.states[state as usize];
        match &self.rules[state.rule as usize] {
            Rule::Spaced { .. } => self.round.is_final(state.a),
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

    /// Returns whether whatever is accepted from `weak` is accepted from `strong`'s future too:
    /// same atom, both between the same levels, and `strong` ⇒ `weak` as states of an inequality.
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

/// Returns the modulus of the digit sum kept at this place.
fn modulus_at(shares: &[Share], place: u32) -> u64 {
    shares
        .iter()
        .flat_map(|share| &share.done)
        .find(|done| done.0 == place)
        .map_or(2, |done| done.1)
}
