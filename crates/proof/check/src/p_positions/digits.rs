//! How numbers are read: in binary digits, or in those of a continued fraction ([`ostrowski`]).
//!
//! **Rounds.** Digits are read in rounds, the most significant first, each as binary number of as
//! many bits as its greatest needs. In binary digits a round is one digit, and of a sum of digits
//! times what they weigh the *value* v on what is read becomes 2v + w, w being what the round adds.
//! In the digits of a continued fraction whose L quotients come again, a round has L digits, and
//! what they weigh are sequences u with u_{i+2L} = t·u_{i+L} − (−1)^L·u_i. There v and what it will
//! be after L zeros, v', become v' + w and t·v' − (−1)^L·v + w'. With L even v' − v is kept instead
//! of v': then there is no minus. In binary digits the second number is 0 throughout.

mod ostrowski;

/// A form without its constant, on digits read so far, and the second number kept with it.
pub type Value = (i64, i64);

/// What the bits of a round are.
#[derive(Debug, Clone, Copy)]
struct Round {
    /// What they weigh in the number and in its shift.
    weighs: [Value; 2],
    /// Whether the first digit is 0; whether the last is the greatest there. None if it is in no
    /// numeral.
    spells: Option<(bool, bool)>,
}

/// Digits.
#[derive(Debug)]
pub struct Digits {
    /// The quotients that come again and again; with binary digits, those that `shift` means, which
    /// is never read then.
    pub period: Vec<i64>,
    pub binary: bool,
    /// Bits of a round.
    pub bits: usize,
    /// t, and whether L is odd.
    trace: i64,
    odd: bool,
    /// Whether the last digit is below its quotient.
    closed: bool,
    /// By their bits, the first read being the lowest.
    rounds: Vec<Round>,
    /// What 1 weighs in a number and in its shift.
    pub one: [Value; 2],
}

fn ceiling(n: i64, d: i64) -> i64 {
    -(-n).div_euclid(d)
}

impl Digits {
    /// Returns binary digits, one bit a round.
    pub fn binary() -> Digits {
        let round = |bit| Round { weighs: [(bit, 0), (0, 0)], spells: Some((bit == 0, false)) };
        let one = [(1, 0), (0, 0)];
        let rounds = vec![round(0), round(1)];
        Digits {
            period: vec![1],
            binary: true,
            bits: 1,
            trace: 0,
            odd: true,
            closed: false,
            rounds,
            one,
        }
    }

    /// Returns the digits of Zeckendorf to a base b of 3 and more, one a round, each its own code.
    /// With a = b − 1 they weigh u₀ = 1, u₁ = b, u_{i+2} = a·u_{i+1} + u_i, and a *numeral* is a
    /// row of them in which 0 stands behind every a. To base 2 that is the row of Zeckendorf. A
    /// shift is not read in them.
    ///
    /// *Every number has one numeral*, as in [`ostrowski`] for [0; b, a, a, …]. Take u_i off for
    /// the greatest u_i ≤ n, again and again: less than u_{i+1} = a·u_i + u_{i−1} was there, so
    /// this happens at most a times, and if so often, less than u_{i−1} is left (with i = 0 less
    /// than u₁ = b was there: a times at most). A numeral of j digits is below u_j, by induction:
    /// with a first digit below a it is at most (a − 1)·u_{j−1} + u_{j−1} − 1; with a the next one
    /// is 0, and it is at most a·u_{j−1} + u_{j−2} − 1 (a ≤ b − 1 if j = 1). So two numerals that
    /// differ first in some digit are two numbers. ∎
    pub fn zeckendorf(base: u32) -> Digits {
        let (b, a) = (i64::from(base), i64::from(base) - 1);
        let round = |digit: i64| Round {
            weighs: [(digit, b * digit), (0, 0)],
            spells: Some((digit == 0, digit == a)),
        };
        let one = [(1, b), (0, 0)];
        let (rounds, period, bits) = ((0..b).map(round).collect(), vec![a], 1);
        Digits { period, binary: false, bits, trace: a, odd: true, closed: false, rounds, one }
    }

    /// Returns a number's state after the bits of a round: whether its last digit is the greatest
    /// there; `None` if it is no numeral.
    pub fn spelt(&self, full: bool, code: u32) -> Option<bool> {
        let (begins, full_after) = self.rounds[code as usize].spells?;
        (!full || begins).then_some(full_after)
    }

    /// Returns whether a numeral may end there.
    pub fn ends(&self, full: bool) -> bool {
        !full || !self.closed
    }

    /// Returns the bits of all rounds that occur in a numeral.
    pub fn codes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.rounds.len() as u32).filter(|code| self.rounds[*code as usize].spells.is_some())
    }

    /// Returns what the bits of a round weigh in a number, or in its shift.
    pub fn weight(&self, code: u32, shift: bool) -> Value {
        self.rounds[code as usize].weighs[usize::from(shift)]
    }

    /// Returns the most that any round of a numeral weighs.
    pub fn most(&self, shift: bool) -> Value {
        self.codes()
            .map(|code| self.weight(code, shift))
            .fold((0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1)))
    }

    /// Returns a value after one more round.
    pub fn grown(&self, (a, b): Value, (w, x): Value) -> Value {
        match (self.binary, self.odd) {
            (true, _) => (2 * a + w, 0),
            (_, true) => (b + w, a + self.trace * b + x),
            (_, false) => (a + b + w, (self.trace - 2) * a + (self.trace - 1) * b + x),
        }
    }

    /// Returns (A, B) such that A is at least `least`, and what is at least (A, B) stays so if each
    /// round weighs at least (w, x).
    ///
    /// In binary digits 2A + w ≥ A. With L odd B + w ≥ A and A + t·B + x ≥ B: B = A − w, t·A ≥ (t −
    /// 1)·w − x. With L even A + B + w ≥ A and (t − 2)·A + (t − 1)·B + x ≥ B: B = −w, (t − 2)·A ≥
    /// (t − 2)·w − x. In all three more of A is as good.
    pub fn floor(&self, (w, x): Value, least: i64) -> Value {
        let t = self.trace;
        match (self.binary, self.odd) {
            (true, _) => (least.max(-w), 0),
            (_, true) => {
                let a = least.max(ceiling((t - 1) * w - x, t));
                (a, a - w)
            }
            (_, false) => (least.max(ceiling((t - 2) * w - x, t - 2)), -w),
        }
    }
}
