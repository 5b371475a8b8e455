//! Periods with a saltus: G(n + P) = G(n) + s.
//!
//! **Theorem 4.** Let a code leave at most j ≤ 3 heaps, j ≤ 2 if some digit has `!`. Its digits
//! d₀…d_t may be followed by digits that repeat with length r for ever (else it *ends*). Let P ≥
//! 1, s = q·2^γ ≥ 1 with q odd, e = max(E, 1). Let Q be a multiple of 2P, and of r if the code
//! does not end; S = s·Q/P, 2^ν the greatest power of two that divides S. Let M ≥ e and T ≥ S.
//! Heaps from e on are *large*, others *small*; v(n) is G(n) for n < M + Q, and goes on by v(n +
//! P) = v(n) + s. Suppose:
//!
//! (a) G(n + P) = G(n) + s for all n ≥ E with n + P < M + Q.
//!
//! (b) *No option has the value of its heap.* If the code ends, M > t + j(e − 1). If not, and β
//! is the least number with v(a) < 2^β for all small a, then v(n) ≥ 2^β for M ≤ n < M + P. For
//! each way to take k tokens and leave ℓ ≥ 1 large heaps of residues i₁…i_ℓ (sizes e + i + P·x
//! with 0 ≤ i < P) and small heaps with the nim-sum g and the total σ: let i be the residue mod P
//! of Σ(e + i_m) + σ + k − e, and P·D that number less i. Writing ⌊·⌋ for ⌊·/2^γ⌋, either v(e +
//! i) is not v(e + i₁) ⊕ … ⊕ g modulo 2^γ, or with C = ⌊v(e + i)⌋ − Σ⌊v(e + i_m)⌋ + qD one of
//! these holds: C > ⌊g⌋; ⌊g⌋ − C is odd; ℓ = 1 and (⌊g⌋ − C)/2 has a binary digit 1 where ⌊g⌋ has
//! 0. If the code does not end, this is asked for all k ≤ t + R, R = lcm(r, P), and if k > t for
//! C, C + qR/P, C + 2qR/P, … in place of C.
//!
//! (c) *Every lesser value has an option.* An option of n, by taking k, is *moving* if one of its
//! heaps, a, is large and the others have a nim-sum below 2^ν (and are less than a, if d_k has
//! `!`). It is *lasting* if k > t and the code does not end; or if two of its heaps, b and c, are
//! equal, or are large with v(b) = v(c). It is *both* if it is moving and k > t, or if it is
//! lasting by b and c and has a third heap, which is large. For each n, M ≤ n < M + Q: each u < T
//! is the value of a lasting option; each u with T − S ≤ u < T is the value of an option that is
//! both; each u with T ≤ u < v(n) is the value of a moving option.
//!
//! Then G(n + P) = G(n) + s for all n ≥ E.
//!
//! *Proof.* G(n) = v(n) for n < M + Q. Let n ≥ M + Q and G = v below n; all options of n consist
//! of lesser heaps. *No option has the value v(n).* Let an option be as in (b), its large heaps e +
//! i_m + P·x_m, n = e + i + P·x. If k > t in a code without end, k = k₀ + κR with t < k₀ ≤ t +
//! R, and k₀ allows what k allows; else put κ = 0, k₀ = k. Comparing sizes, the residue i is that
//! of k₀, and x = D + Σx_m + κR/P. The values are v(e + i_m) + s·x_m and v(n) = v(e + i) + s·x.
//! Suppose the option has the value v(n). The last γ digits agree, as s·x_m has none there. The
//! others, y_m = ⌊v(e + i_m)⌋ + q·x_m, have y₁ ⊕ … ⊕ y_ℓ ⊕ ⌊g⌋ = ⌊v(e + i)⌋ + q·x = Σy_m + C +
//! κqR/P. A sum is its nim-sum and an even number ≥ 0: so C + κqR/P ≤ ⌊g⌋, and the difference is
//! even. With ℓ = 1, y ⊕ ⌊g⌋ = y + ⌊g⌋ − 2(y & ⌊g⌋), so that half of it has digits of ⌊g⌋ only.
//! This is excluded. Without large heaps: n ≤ t + j(e − 1) < M if the code ends; if not, the
//! value is below 2^β ≤ v(n), as v grows with each P. *All less are reached.* By induction (c)
//! holds of every n ≥ M, by v. Step from n to n + Q: a moving option gives a moving one of n + Q,
//! k taken, with a + Q for a (greater than the others, as before): (v(a) + S) ⊕ g = (v(a) ⊕ g) +
//! S for g < 2^ν, which divides S. A lasting one gives one of n + Q with the same value: for k > t
//! take k + Q, the heaps as they are (if it was moving it is still); else Q/2 more in b and in c,
//! whose values stay equal (Q/2 is a multiple of P), and so does the third heap. With `!` b and c
//! are unequal as before. So values below T are reached as before; T ≤ u < T + S by moving what
//! is both and has the value u − S; T + S ≤ u < v(n) + S by moving what has the value u − S. For
//! n ≥ M + Q that makes v(n) the least value not reached. ∎
//!
//! Nothing here asks whether (b) is necessary; it nearly is, as Σx_m may be what one likes.

use super::{Code, Stated};
use crate::Rejected;
use crate::hypotheses::Hypothesis;
use crate::work::{Work, shown};

/// A proof by Theorem 4: its line, and what that says.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic {
    pub line: usize,
    /// s, at least 1.
    pub saltus: usize,
    /// M.
    pub from: usize,
    /// T.
    pub threshold: usize,
    /// Q.
    pub step: usize,
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the least common multiple of two numbers from 1 on; `None` if it is too large.
fn joint(a: usize, b: usize) -> Option<usize> {
    a.checked_mul(b / gcd(a, b))
}

impl Arithmetic {
    /// Returns S, or 0 if it is no number here.
    fn rise(self, period: usize) -> usize {
        self.step.checked_div(period).and_then(|times| times.checked_mul(self.saltus)).unwrap_or(0)
    }

    /// Returns the hypotheses of Theorem 4 on code, claim and fields.
    pub(super) fn hypotheses(self, one: &Stated<'_>) -> [Hypothesis; 9] {
        let Arithmetic { line, saltus, from, threshold, step } = self;
        let (parts, period, e) = (one.most_left(), one.period, one.preperiod.max(1));
        let code = one.takings.is_none();
        let rise = self.rise(period);
        let repeats = one.code.repeat.len().max(1);
        let small = parts.saturating_mul(e - 1).saturating_add(one.most_taken());
        let is_multiple = step > 0
            && period.checked_mul(2).is_some_and(|twice| step.is_multiple_of(twice))
            && step.is_multiple_of(repeats);
        [
            Hypothesis::new(3, "a code", code, "a subtraction game has none"),
            Hypothesis::new(6, "a period of 1 at least", period >= 1, "this is 0"),
            Hypothesis::new(8, "a saltus of 1 at least", saltus >= 1, "this is 0"),
            Hypothesis::new(
                3,
                "codes that leave at most three heaps, two if heaps left have to be unequal",
                parts <= if one.unequal() { 2 } else { 3 },
                format!("{} leaves more", shown(one.name)),
            ),
            Hypothesis::new(
                line,
                "Q to be a multiple of 2 P, and of the length with which digits repeat",
                is_multiple,
                format!("P = {period}, Q = {step}, and digits repeat with length {repeats}"),
            ),
            Hypothesis::new(line, "M >= E, and M >= 1", from >= e, format!("M = {from}")),
            Hypothesis::new(
                line,
                "M > t + j (E - 1) if the code ends",
                !one.code.repeat.is_empty() || from > small,
                format!("M = {from}, t + j (E - 1) = {small}"),
            ),
            Hypothesis::new(line, "S = s Q / P to be a number", rise > 0, "it is too large"),
            Hypothesis::new(
                line,
                "T >= S",
                threshold >= rise,
                format!("T = {threshold}, S = {rise}"),
            ),
        ]
    }

    /// Returns the number of values that the theorem needs.
    pub(super) fn needed(self) -> Option<usize> {
        self.from.checked_add(self.step)
    }

    /// Checks (a) to (c); hypotheses have been checked, and so many values computed as are needed.
    pub(super) fn holds(
        self,
        one: &Stated<'_>,
        values: &[u16],
        work: &Work<'_>,
    ) -> Result<(), Rejected> {
        let (period, preperiod) = (one.period, one.preperiod);
        work.spend(values.len()).map_err(stopped)?;
        let value = |n: usize| usize::from(values[n]);
        if let Some(n) = (preperiod + period..values.len())
            .find(|n| value(*n) != value(n - period) + self.saltus)
        {
            let last = n - period;
            return Err(Rejected::new(
                0,
                format!("the values of heaps {last} and {n} differ otherwise"),
            ));
        }
        let large = preperiod.max(1);
        if !one.code.repeat.is_empty() {
            let most = (1..large).map(value).max().unwrap_or(0);
            let bound = if most == 0 { 1 } else { (most + 1).next_power_of_two() };
            if let Some(n) = (self.from..self.from + period).find(|n| value(*n) < bound) {
                let why =
                    format!("small heaps alone may have the value of heap {n}; M is to be larger");
                return Err(Rejected::new(self.line, why));
            }
        }
        Avoided::new(self, one, values)?.check(work)?;
        Reached { this: self, code: &one.code, values, large, rise: self.rise(period) }.check(work)
    }
}

fn stopped(reason: crate::Reason) -> Rejected {
    Rejected::new(0, reason)
}

/// A small heap, or all large heaps of one residue.
struct Kind {
    size: usize,
    /// The last γ digits of its value.
    low: usize,
    /// The other ones.
    high: usize,
    is_large: bool,
}

/// Heaps of an option so far.
#[derive(Clone, Copy, Default)]
struct Heaps {
    size: usize,
    low: usize,
    /// The sum of the high digits of large heaps.
    high: i64,
    /// The nim-sum of the high digits of small ones.
    small: usize,
    large: usize,
}

/// (b) of Theorem 4.
struct Avoided<'c> {
    code: &'c Code,
    kinds: Vec<Kind>,
    /// e, P.
    large: usize,
    period: usize,
    /// R, and 0 if the code ends.
    repeats: usize,
    /// q.
    odd: i64,
    /// Values of large heaps by residue: low and high digits.
    residues: Vec<[usize; 2]>,
}

impl<'c> Avoided<'c> {
    fn new(this: Arithmetic, one: &'c Stated<'_>, values: &[u16]) -> Result<Avoided<'c>, Rejected> {
        let (period, large) = (one.period, one.preperiod.max(1));
        let digits = this.saltus.trailing_zeros();
        let split = |n: usize| {
            let value = usize::from(values[n]);
            [value & ((1 << digits) - 1), value >> digits]
        };
        let kind = |n: usize| {
            let [low, high] = split(n);
            Kind { size: n, low, high, is_large: n >= large }
        };
        let repeats = match one.code.repeat.len() {
            0 => 0,
            length => joint(length, period)
                .ok_or_else(|| Rejected::new(0, "digits and period repeat together too late"))?,
        };
        Ok(Avoided {
            code: &one.code,
            kinds: (1..large + period).map(kind).collect(),
            large,
            period,
            repeats,
            odd: (this.saltus >> digits) as i64,
            residues: (large..large + period).map(split).collect(),
        })
    }

    fn check(&self, work: &Work<'_>) -> Result<(), Rejected> {
        for taken in 0..self.code.digits.len() + self.repeats {
            let bits = self.code.digit(taken).bits;
            (1..=3)
                .filter(|parts| bits >> parts & 1 == 1)
                .try_for_each(|parts| self.choose(taken, parts, 0, Heaps::default(), work))?;
        }
        Ok(())
    }

    /// Chooses further heaps, none before `first` in the list.
    fn choose(
        &self,
        taken: usize,
        further: usize,
        first: usize,
        heaps: Heaps,
        work: &Work<'_>,
    ) -> Result<(), Rejected> {
        work.spend(8).map_err(stopped)?;
        if further == 0 {
            return if heaps.large == 0 { Ok(()) } else { self.differs(taken, heaps, work) };
        }
        for (at, kind) in self.kinds.iter().enumerate().skip(first) {
            let mut with =
                Heaps { size: heaps.size + kind.size, low: heaps.low ^ kind.low, ..heaps };
            if kind.is_large {
                with.high += kind.high as i64;
                with.large += 1;
            } else {
                with.small ^= kind.high;
            }
            self.choose(taken, further - 1, at, with, work)?;
        }
        Ok(())
    }

    /// Checks that no option of this kind has the value of its heap.
    fn differs(&self, taken: usize, heaps: Heaps, work: &Work<'_>) -> Result<(), Rejected> {
        let above = heaps.size + taken - self.large;
        let [low, high] = self.residues[above % self.period];
        if low != heaps.low {
            return Ok(());
        }
        let small = heaps.small as i64;
        let mut surplus = high as i64 - heaps.high + self.odd * (above / self.period) as i64;
        let step = match taken < self.code.digits.len() {
            true => 0,
            false => self.odd * (self.repeats / self.period) as i64,
        };
        while surplus <= small {
            work.spend(4).map_err(stopped)?;
            let (half, odd) = ((small - surplus) / 2, (small - surplus) % 2 == 1);
            if !odd && (heaps.large > 1 || half & !small == 0) {
                let why = format!(
                    "an option may have the value of its heap: taking {taken}, it leaves heaps as \
                     those of total {}",
                    heaps.size
                );
                return Err(Rejected::new(0, why));
            }
            if step == 0 {
                break;
            }
            surplus += step;
        }
        Ok(())
    }
}

/// An option's value, as (c) of Theorem 4 asks for it.
const LASTING: u8 = 1;
const BOTH: u8 = 2;
const MOVING: u8 = 4;

/// (c) of Theorem 4.
struct Reached<'c> {
    this: Arithmetic,
    code: &'c Code,
    values: &'c [u16],
    /// e.
    large: usize,
    /// S.
    rise: usize,
}

impl Reached<'_> {
    fn check(&self, work: &Work<'_>) -> Result<(), Rejected> {
        let Arithmetic { line, from, threshold, step, .. } = self.this;
        let mut found = vec![0u8; 1 << 16];
        work.hold(found.len()).map_err(stopped)?;
        for n in from..from + step {
            work.spend(1 << 13).map_err(stopped)?;
            found.fill(0);
            self.options(n, &mut found, work)?;
            let value = usize::from(self.values[n]);
            for u in 0..value.max(threshold) {
                let needed = match u {
                    _ if u >= threshold => MOVING,
                    _ if u >= threshold - self.rise => BOTH,
                    _ => LASTING,
                };
                if found.get(u).is_none_or(|kinds| kinds & needed == 0) {
                    let why = format!(
                        "it is not shown that options of heap {n} and its like have value {u}"
                    );
                    return Err(Rejected::new(line, why));
                }
            }
        }
        Ok(())
    }

    /// Marks the values of the options of heap `n` by their kinds.
    fn options(&self, n: usize, found: &mut [u8], work: &Work<'_>) -> Result<(), Rejected> {
        let last = if self.code.repeat.is_empty() { n.min(self.code.digits.len() - 1) } else { n };
        for taken in 0..=last {
            let (digit, rest) = (self.code.digit(taken), n - taken);
            let allows = |heaps: u32| digit.bits >> heaps & 1 == 1;
            let gap = usize::from(digit.unequal);
            let mut mark = |heaps: &[usize]| self.mark(taken, heaps, digit.unequal, found);
            work.spend(8 + if digit.bits & 12 != 0 { 8 * rest } else { 0 }).map_err(stopped)?;
            if allows(0) && rest == 0 {
                mark(&[]);
            }
            if allows(1) && rest > 0 && taken > 0 {
                mark(&[rest]);
            }
            for a in (1..rest).take_while(|a| 2 * a + gap <= rest) {
                if allows(2) {
                    mark(&[a, rest - a]);
                }
                if allows(3) {
                    work.spend(8 * (rest - a)).map_err(stopped)?;
                    (a..rest - a)
                        .take_while(|b| a + 2 * b <= rest)
                        .for_each(|b| mark(&[a, b, rest - a - b]));
                }
            }
        }
        Ok(())
    }

    fn mark(&self, taken: usize, heaps: &[usize], unequal: bool, found: &mut [u8]) {
        let value = |i: usize| self.values[heaps[i]];
        let is_large = |i: usize| heaps[i] >= self.large;
        let sum = (0..heaps.len()).fold(0, |sum, i| sum ^ value(i));
        let far = taken >= self.code.digits.len();
        let is_greatest =
            |i: usize| (0..heaps.len()).all(|other| other == i || heaps[other] < heaps[i]);
        let moving = (0..heaps.len()).any(|i| {
            is_large(i)
                && usize::from(sum ^ value(i)).checked_shr(self.rise.trailing_zeros()) == Some(0)
                && (!unequal || is_greatest(i))
        });
        let (mut lasting, mut both) = (far, far && moving);
        for b in 0..heaps.len() {
            for c in 0..b {
                let alike = is_large(b) && is_large(c) && value(b) == value(c);
                if heaps[b] == heaps[c] || alike {
                    lasting = true;
                    both |=
                        (0..heaps.len()).any(|third| third != b && third != c && is_large(third));
                }
            }
        }
        let kinds = [(lasting, LASTING), (both, BOTH), (moving, MOVING)];
        found[usize::from(sum)] |=
            kinds.iter().filter(|kind| kind.0).fold(0, |all, kind| all | kind.1);
    }
}

#[cfg(test)]
mod tests {
    use crate::period::{DEPTH, check, code, values_by_all_moves};
    use crate::work::{Limits, Work};
    use crate::{CheckReport, Envelope, Rejected};

    fn judge(
        game: &str,
        [period, preperiod, saltus]: [usize; 3],
        arithmetic: &str,
    ) -> Result<CheckReport, Rejected> {
        let claim = format!(
            "the nim-values of single heaps have period {period} and saltus {saltus} from \
             {preperiod} on"
        );
        let body = format!(
            "period {period}\npreperiod {preperiod}\nsaltus {saltus}\nspace none\narithmetic \
             {arithmetic}\n"
        );
        let envelope =
            Envelope { kind: "period", game, claim: claim.into(), body: &body, body_line: 6 };
        check(&envelope, DEPTH, &Work::new(&Limits::default(), &|| true))
    }

    /// Periods with a saltus: Nim (Bouton 1902), Lasker's Nim (4.[3]), 8.0 and 0.8 from the
    /// literature, the others from values by all moves; each with numbers that prove it.
    const TRUE: [(&str, [usize; 3], &str); 10] = [
        ("0.[3]", [1, 0, 1], "4 4 2"),
        ("0.[7]", [1, 0, 1], "4 3 2"),
        ("0.1[7]", [3, 2, 2], "9 6 6"),
        ("4.[3]", [4, 1, 4], "9 9 8"),
        ("8.[3]", [8, 1, 8], "20 20 16"),
        ("0.3F", [6, 0, 3], "24 9 12"),
        ("8.0", [2, 1, 1], "8 2 4"),
        ("0.8", [3, 1, 1], "20 3 6"),
        ("0.[F]", [1, 0, 1], "6 4 2"),
        ("0.[700]", [4, 0, 2], "36 12 24"),
    ];

    #[test]
    fn arithmetic_periods_are_accepted() {
        for (game, claim, arithmetic) in TRUE {
            let accepted =
                judge(game, claim, arithmetic).unwrap_or_else(|why| panic!("{game}: {why}"));
            assert!(
                accepted.theorem.contains(&format!("= G(n) + {}", claim[2])),
                "{}",
                accepted.theorem
            );
        }
    }

    /// Each number of a true certificate changed: what is still accepted is true.
    #[test]
    fn false_arithmetic_periods_are_refused() {
        let mut refused = 0;
        for (game, claim, arithmetic) in TRUE {
            let far = if game.contains('[') { 70 } else { 160 };
            let values = values_by_all_moves(
                &code(game).unwrap(),
                far,
                &Work::new(&Limits::default(), &|| true),
            );
            let values: Vec<usize> = values.unwrap().into_iter().map(usize::from).collect();
            for (place, change) in
                (0..3).flat_map(|place| [-2, -1, 1, 2, 3].map(|change| (place, change)))
            {
                let mut other = claim;
                let Some(number) = other[place].checked_add_signed(change) else { continue };
                other[place] = number;
                let [period, preperiod, saltus] = other;
                let steps = [arithmetic.to_owned(), format!("40 20 {}", 4 * period.max(1))];
                for arithmetic in steps {
                    let wrong =
                        (preperiod + period..far).any(|n| values[n] != values[n - period] + saltus);
                    match judge(game, other, &arithmetic) {
                        Ok(_) => assert!(!wrong && period > 0, "{game} {other:?} {arithmetic}"),
                        Err(_) => refused += 1,
                    }
                }
            }
        }
        assert!(refused > 200, "{refused}");
    }

    /// One certificate outside each hypothesis, and each condition.
    #[test]
    fn arithmetic_hypotheses_are_named() {
        for (game, claim, arithmetic, named) in [
            ("S(1,2)", [3, 0, 1], "40 4 6", "needs a code"),
            ("4.[3]", [0, 1, 4], "9 9 8", "a period of 1 at least"),
            ("4.[3]", [4, 1, 0], "9 9 8", "a saltus of 1 at least"),
            ("8!.0", [2, 1, 1], "8 2 4", "two if heaps left have to be unequal"),
            ("4.[3]", [4, 1, 4], "9 9 4", "Q to be a multiple of 2 P"),
            ("0.[700]", [4, 0, 2], "36 12 8", "the length with which digits repeat"),
            ("4.[3]", [4, 9, 4], "8 9 8", "M >= E"),
            ("0.8", [3, 1, 1], "1 3 6", "M > t + j (E - 1)"),
            ("0.8", [3, 1, 1], "20 1 6", "T >= S"),
            ("4.[3]", [4, 1, 3], "9 9 8", "differ otherwise"),
            ("0.[3]", [1, 3, 1], "3 4 2", "small heaps alone"),
            ("4.[3]", [4, 1, 4], "9 30 8", "it is not shown that options"),
        ] {
            let message = judge(game, claim, arithmetic).unwrap_err().to_string();
            assert!(message.contains(named), "{game} {arithmetic}: {message}");
        }
        let claim = "the nim-values of single heaps have period 4 and saltus 4 from 1 on";
        let with = |rest: &str| {
            let body = format!("period 4\npreperiod 1\nsaltus 4\n{rest}");
            let game = "4.[3]";
            let envelope =
                Envelope { kind: "period", game, claim: claim.into(), body: &body, body_line: 6 };
            check(&envelope, DEPTH, &Work::new(&Limits::default(), &|| true)).is_ok()
        };
        assert!(with("space none\narithmetic 9 9 8\nexception 0 0\ncycle 3 5 6 8\n"));
        for rest in [
            "space none\n",
            "arithmetic 9 9 8\n",
            "space value 1\narithmetic 9 9 8\n",
            "space none\nwindow 9 20\narithmetic 9 9 8\n",
            "space none\narithmetic 9 9\n",
            "space none\narithmetic 9 9 8 8\n",
            "space none\narithmetic 09 9 8\n",
            "space none\narithmetic 9 9 99999999999\n",
            "space none\narithmetic 9 9 8\ncycle 4 5 6 8\n",
            "space none\narithmetic 9 9 8\nexception 0 1\n",
            "space none\narithmetic 9 9 8\nexception 1 1\n",
            "space none\narithmetic 9 9 8\nmore\n",
        ] {
            assert!(!with(rest), "{rest}");
        }
    }

    /// An option that has the value of its heap far from small ones: the residues show it.
    ///
    /// In 0.07 with the values of 0.[7] nothing is refused before; here a game of a false v: 0.3
    /// has the period 2 and no saltus, so that no M makes one.
    #[test]
    fn codes_without_saltus_are_refused() {
        for game in ["0.3", "0.77", "4.0", "0.33", "4!.0", "0.F"] {
            for period in 1..6 {
                for from in [10, 30, 60] {
                    let step = 2 * period;
                    assert!(
                        judge(game, [period, 1, 1], &format!("{from} {step} {step}")).is_err(),
                        "{game}"
                    );
                }
            }
        }
    }

    /// Codes drawn at random, with the period and saltus that their first values show and claims
    /// near it, and all M, T and Q of a range: what is accepted is true of the values by all moves
    /// far beyond.
    #[test]
    fn what_is_accepted_has_a_saltus() {
        let mut drawn = fastrand::Rng::with_seed(7);
        let mut draw = |below: usize| drawn.usize(..below);
        let (mut accepted, mut games) = (0, 0);
        for _ in 0..60 {
            let mut game = ["0", "0", "4", "4!", "8", "C"][draw(6)].to_owned() + ".";
            let digits = ["3", "7", "8", "9", "A", "F", "1", "4!", "7!", "2"];
            for _ in 0..draw(2) {
                game += digits[draw(10)];
            }
            let goes_on = draw(2) == 0;
            if goes_on {
                game += &format!("[{}]", digits[draw(10)]);
            } else {
                game += ["8", "9", "A", "F", "B", "E"][draw(6)];
            }
            let Ok(digits) = code(&game) else { continue };
            let (near, far) = if goes_on { (36, 70) } else { (60, 150) };
            let values =
                values_by_all_moves(&digits, far, &Work::new(&Limits::default(), &|| true))
                    .unwrap();
            let value = |n: usize| usize::from(values[n]);
            let before = accepted;
            for period in 1..9usize {
                let Some(saltus) = value(near - 1).checked_sub(value(near - 1 - period)) else {
                    continue;
                };
                let last = (period..near).rev().find(|n| value(*n) != value(n - period) + saltus);
                let least = last.map_or(0, |last| last + 1 - period);
                for preperiod in least.saturating_sub(1)..least + 2 {
                    let step = 2 * period * (1 + draw(2));
                    let rise = step / period * saltus;
                    for from in [1 + draw(20), 8 + draw(20)] {
                        let threshold = rise + draw(1 + from);
                        let arithmetic = format!("{from} {threshold} {step}");
                        if judge(&game, [period, preperiod, saltus], &arithmetic).is_ok() {
                            let wrong = (preperiod + period..far)
                                .find(|n| value(*n) != value(n - period) + saltus);
                            assert_eq!(
                                wrong, None,
                                "{game} {period} {preperiod} {saltus} {arithmetic}"
                            );
                            accepted += 1;
                        }
                    }
                }
            }
            games += usize::from(accepted > before);
        }
        assert!(accepted > 60 && games > 10, "{accepted} {games}");
    }
}
