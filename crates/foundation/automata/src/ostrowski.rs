//! Automata in Ostrowski's digits become automata in digits by a recurrence.
//!
//! Let a = [a₀; a₁, a₂, …], q₀ = 1, q₁ = a₁ and q_{k+1} = a_{k+1}·q_k + q_{k−1}. Every number is Σ
//! d_k·q_k with d₀ < a₁, d_k ≤ a_{k+1}, and d_{k−1} = 0 where d_k = a_{k+1} (Ostrowski, Bemerkungen
//! zur Theorie der Diophantischen Approximationen, Abh. Math. Sem. Hamburg 1, 1922). If the
//! quotients behind a_h repeat with a period p, the matrix of a period has trace T and determinant
//! (−1)^p, and so the weights of places that are p apart obey x² = T·x − (−1)^p, as the weights of
//! the digits by T, 1 do (p odd) or by T − 1, T − 2, T − 2, … (p even). So the same sets are read
//! in both (Bruyère and Hansel, Bertrand numeration systems and recognizability, Theoret. Comput.
//! Sci. 181, 1997).
//!
//! A digit by the recurrence is read, and a block of p digits of Ostrowski guessed; the last h of
//! these come at the end. What is known is the number by all digits guessed so far less the number
//! by those read, x·q_k + y·q_{k−1} with k digits to come, both multiplied by a common denominator.
//! It is 0 in the end, and before that less than what the digits that follow may be.

use crate::acceptor::{Acceptor, coaccessible_states, explore};
use crate::effort::{Undecided, check_memory};
use bouton_core::{Arrange, DigitSystem, Meter};
use rustc_hash::FxHashMap;

/// How many periods more are looked at one by one before their ratios count as their limits.
const PERIODS: usize = 8;
/// What is left between a ratio and its limit behind them, many times over.
const SLACK: f64 = 1e-3;

/// The quotients of a continued fraction behind its whole part, from some on repeating for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContinuedFraction {
    /// a₁, …, a_h, at least one.
    before: Vec<i64>,
    period: Vec<i64>,
    digits: DigitSystem,
    /// c, d and n > 0: (c·q_k + d·q_{k−1})/n is the weight of the digit by the recurrence that is
    /// read with the period of which place k is the lowest.
    weight: (i64, i64, i64),
}

/// The difference of one number, and whether its digit before was the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct Difference {
    x: i64,
    y: i64,
    is_full: bool,
}

/// A state of the table, and the difference of each number.
type Guess = (u32, Vec<Difference>);

impl ContinuedFraction {
    /// Returns the fraction with these quotients behind its whole part, the latter repeating for
    /// ever.
    ///
    /// `None` if one is 0; if the first one is 1, so that the last digit is always 0; if none
    /// repeats; or if digits, by the recurrence too, are more than ten.
    pub fn new(before: &[usize], period: &[usize]) -> Option<ContinuedFraction> {
        let shortest = (1..=period.len()).find(|length| {
            period.len().is_multiple_of(*length)
                && (*length..period.len()).all(|at| period[at] == period[at - length])
        })?;
        let own =
            |quotients: &[usize]| -> Vec<i64> { quotients.iter().map(|own| *own as i64).collect() };
        let period = own(&period[..shortest]);
        // The lowest digit has a bound of its own, and is in no period.
        let before = if before.is_empty() { period.clone() } else { own(before) };
        if before.iter().chain(&period).any(|own| !(1..10).contains(own)) || before[0] == 1 {
            return None;
        }
        // (q_k, q_{k−1}) behind more quotients.
        let behind = |from: (i64, i64), quotients: &[i64]| {
            quotients.iter().try_fold(from, |(q, last), own| {
                Some((own * q + last, q)).filter(|(next, _)| *next < 1 << 20)
            })
        };
        let trace = behind((1, 0), &period)?.0 + behind((0, 1), &period)?.1;
        let size = usize::try_from(trace).ok()?;
        let digits = if period.len() % 2 == 1 {
            DigitSystem::from_coefficients(&[size, 1], &[])
        } else {
            DigitSystem::from_coefficients(&[size - 1], &[size - 2])
        }?;
        // The two lowest digits by the recurrence weigh 1 and so much.
        let other = digits.weights().nth(1)? as i64;
        let (lower, upper) = (behind((1, 0), &before)?, behind(behind((1, 0), &before)?, &period)?);
        let n = lower.0 * upper.1 - lower.1 * upper.0;
        let (c, d) = (upper.1 - other * lower.1, other * lower.0 - upper.0);
        let weight = (c * n.signum(), d * n.signum(), n.abs());
        (n != 0).then_some(ContinuedFraction { before, period, digits, weight })
    }

    /// Returns the digits by a recurrence in which the same sets are read.
    pub fn digits(&self) -> DigitSystem {
        self.digits
    }

    /// Returns how many digits of Ostrowski there are: they are less.
    pub fn base(&self) -> usize {
        self.before.iter().chain(&self.period).max().map_or(0, |most| *most as usize + 1)
    }

    /// Returns a number in these digits, the least significant first; none for 0.
    pub fn digits_of(&self, number: u64) -> Vec<usize> {
        let mut weights = vec![1];
        let mut last = 0;
        for quotient in self.before.iter().chain(self.period.iter().cycle()) {
            let q: u64 = weights[weights.len() - 1];
            let next = (*quotient as u64).checked_mul(q).and_then(|next| next.checked_add(last));
            let Some(next) = next.filter(|next| *next <= number) else { break };
            weights.push(next);
            last = q;
        }
        let mut rest = number;
        let digit = |weight: &u64| {
            let digit = rest / weight;
            rest %= weight;
            digit as usize
        };
        let mut digits: Vec<usize> = weights.iter().rev().map(digit).collect();
        digits.reverse();
        if number == 0 { Vec::new() } else { digits }
    }

    /// Returns all ways to read a digit at places that these quotients bound, the highest first;
    /// with the digits. The lowest place of all has one digit less.
    fn read(&self, own: Difference, quotients: &[(i64, bool)]) -> Vec<(Vec<usize>, Difference)> {
        let mut all = vec![(Vec::new(), own)];
        for (quotient, is_lowest) in quotients {
            let mut longer = Vec::new();
            for (digits, own) in &all {
                let most = if own.is_full { 0 } else { quotient - i64::from(*is_lowest) };
                for digit in 0..=most {
                    let x = quotient * own.x + own.y + digit * self.weight.2;
                    let next = Difference { x, y: own.x, is_full: digit == *quotient };
                    longer.push(([&digits[..], &[digit as usize]].concat(), next));
                }
            }
            all = longer;
        }
        all
    }

    /// Returns q_{k−1}/q_k for the lowest place k of so many periods, and how exactly.
    fn ratios(&self) -> Vec<(f64, f64)> {
        let (mut q, mut last) = (1.0, 0.0);
        let mut ratios = Vec::new();
        let places = self.before.len() + PERIODS * self.period.len();
        let quotients = self.before.iter().chain(self.period.iter().cycle());
        for (place, quotient) in quotients.take(places + 1).enumerate() {
            let in_period = place.checked_sub(self.before.len());
            if in_period.is_some_and(|place| place.is_multiple_of(self.period.len())) {
                ratios.push((last / q, if place == places { SLACK } else { 1e-9 }));
            }
            (q, last) = (*quotient as f64 * q + last, q);
        }
        ratios
    }

    /// Returns whether digits may follow that make up for a difference: those of Ostrowski are
    /// worth less than q_k, the others less than the weight of the last one read.
    fn is_near(&self, own: Difference, ratios: &[(f64, f64)]) -> bool {
        let (c, d, n) = self.weight;
        ratios.iter().any(|(ratio, slack)| {
            let off = own.x as f64 + own.y as f64 * ratio;
            let room = slack * (1.0 + (own.x.abs() + own.y.abs()) as f64);
            off > -(n as f64) - room && off < c as f64 + d as f64 * ratio + room
        })
    }

    /// Returns the automaton in digits by the recurrence that accepts the numbers which a table
    /// accepts in these digits, read most significant first: the next state by state and column,
    /// column Σ d·base^i having the digit d of number i.
    ///
    /// # Errors
    /// If the automaton is beyond the budget.
    pub fn acceptor(
        &self,
        tracks: usize,
        next: &[Vec<u32>],
        accepts: &[bool],
        meter: &mut Meter,
    ) -> Result<Acceptor, Undecided> {
        let (base, ratios, alive) =
            (self.base(), self.ratios(), coaccessible_states(next, accepts));
        let places = |quotients: &[i64], is_lowest: bool| -> Vec<(i64, bool)> {
            let place = |(at, own): (usize, &i64)| (*own, is_lowest && at == 0);
            quotients.iter().enumerate().map(place).rev().collect()
        };
        let (in_period, at_end) = (places(&self.period, false), places(&self.before, true));
        // All ways to go on with each number by its own digits.
        let guesses = |from: &Guess, ways: &[Vec<(Vec<usize>, Difference)>], count: usize| {
            let mut all: Vec<(Vec<usize>, Vec<Difference>)> = vec![(vec![0; count], Vec::new())];
            for (track, ways) in ways.iter().enumerate() {
                let weight = base.pow(track as u32);
                let with = |(columns, own): &(Vec<usize>, Vec<Difference>)| {
                    let (columns, own) = (columns.clone(), own.clone());
                    ways.iter().map(move |(digits, to)| {
                        let both = columns.iter().zip(digits);
                        let columns = both.map(|(column, digit)| column + weight * digit).collect();
                        (columns, [&own[..], &[*to]].concat())
                    })
                };
                all = all.iter().flat_map(with).collect();
            }
            let state = |(columns, own): (Vec<usize>, Vec<Difference>)| -> Guess {
                let state = columns.iter().fold(from.0, |s, column| next[s as usize][*column]);
                (state, own)
            };
            all.into_iter().map(state).filter(|(s, _)| alive[*s as usize]).collect::<Vec<_>>()
        };
        let ends = |from: &Guess| {
            let is_none = |way: &(Vec<usize>, Difference)| way.1.x == 0;
            let ways = |own: &Difference| {
                self.read(*own, &at_end).into_iter().filter(is_none).collect::<Vec<_>>()
            };
            let ways: Vec<_> = from.1.iter().map(ways).collect();
            guesses(from, &ways, at_end.len()).iter().any(|(s, _)| accepts[*s as usize])
        };
        let (c, d, _) = self.weight;
        let after = |from: &Guess, column: usize| {
            let ways = |(track, own): (usize, &Difference)| {
                let digit = self.digits.digit(column, track) as i64;
                let mut ways = self.read(*own, &in_period);
                for (_, own) in &mut ways {
                    (own.x, own.y) = (own.x - c * digit, own.y - d * digit);
                }
                ways.retain(|(_, own)| self.is_near(*own, &ratios));
                ways
            };
            let ways: Vec<_> = from.1.iter().enumerate().map(ways).collect();
            guesses(from, &ways, in_period.len())
        };
        let mut known: FxHashMap<(Guess, usize), Vec<Guess>> = FxHashMap::default();
        let mut all_after = |from: &[Guess], column: usize| -> Vec<Guess> {
            let mut all = Vec::new();
            for from in from {
                let own = known.entry((from.clone(), column));
                all.extend_from_slice(own.or_insert_with(|| after(from, column)));
            }
            all.arrange();
            all.dedup();
            all
        };
        // What leading zeros lead to.
        let mut first: Vec<Guess> = vec![(0, vec![Difference::default(); tracks])];
        loop {
            let mut more = [&first[..], &all_after(&first, 0)].concat();
            more.arrange();
            more.dedup();
            meter.spend_and_poll(more.len() as u64)?;
            if more.len() == first.len() {
                break;
            }
            first = more;
        }
        let columns = self.digits.base().pow(tracks as u32);
        let enter = |state: &Vec<Guess>, count: usize| {
            meter.spend_and_poll((columns * (1 + state.len())) as u64)?;
            check_memory(meter, count * (4 * columns + 64 + 64 * state.len()))?;
            Ok(state.iter().any(ends))
        };
        let step = |state: &Vec<Guess>, column: usize| Some(all_after(state, column));
        let (next, accepts) = explore(first, columns, enter, step)?;
        Ok(Acceptor { digits: self.digits, tracks, next, accepts }.minimal_on_numerals(meter)?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Budget;

    /// Random automata in these digits accept the same numbers in digits by the recurrence.
    #[test]
    fn the_same_numbers_are_accepted() {
        let mut lot = fastrand::Rng::with_seed(0x05_7205);
        let fractions: [(&[usize], &[usize]); 8] = [
            (&[], &[2]),
            (&[], &[3]),
            (&[2], &[1]),
            (&[2], &[1, 2]),
            (&[], &[2, 1]),
            (&[3, 1], &[1, 2]),
            (&[2, 4], &[3]),
            (&[2, 1, 1], &[1, 4]),
        ];
        let mut both = [0; 2];
        for (before, period) in fractions {
            let own = ContinuedFraction::new(before, period).unwrap();
            for tracks in [1, 2] {
                let (states, columns) = (2 + lot.usize(..4), own.base().pow(tracks as u32));
                let mut next: Vec<Vec<u32>> = (0..states)
                    .map(|_| (0..columns).map(|_| lot.u32(..states as u32)).collect())
                    .collect();
                next[0][0] = 0;
                let accepts: Vec<bool> = (0..states).map(|_| lot.bool()).collect();
                let meter = &mut Meter::new(&Budget::default());
                let found = own.acceptor(tracks, &next, &accepts, meter).unwrap();
                for x in 0..900u64 {
                    let numbers: Vec<u64> = match tracks {
                        1 => vec![if x < 600 { x } else { lot.u64(..1 << 40) }],
                        _ => vec![x % 30, x / 30],
                    };
                    let digits: Vec<Vec<usize>> =
                        numbers.iter().map(|number| own.digits_of(*number)).collect();
                    let longest = digits.iter().map(Vec::len).max().unwrap();
                    let mut state = 0;
                    for place in (0..longest).rev() {
                        let digit = |own: &Vec<usize>| own.get(place).copied().unwrap_or(0);
                        let column = digits
                            .iter()
                            .rev()
                            .fold(0, |column, digits| own.base() * column + digit(digits));
                        state = next[state as usize][column];
                    }
                    let holds = accepts[state as usize];
                    assert_eq!(found.holds(&numbers), holds, "{before:?} {period:?}: {numbers:?}");
                    both[usize::from(holds)] += 1;
                }
            }
        }
        assert!(both.iter().all(|count| *count > 3_000), "{both:?}");
    }

    /// Digits are what Ostrowski's conditions allow, and add up to the number.
    #[test]
    fn digits_of_numbers() {
        let own = ContinuedFraction::new(&[3, 1], &[1, 2]).unwrap();
        let quotients = [3, 1, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2];
        let mut weights = vec![1, 3];
        (1..11).for_each(|at| weights.push(quotients[at] * weights[at] + weights[at - 1]));
        for number in 0..2000 {
            let digits = own.digits_of(number);
            let sum: usize = digits.iter().zip(&weights).map(|(d, weight)| d * weight).sum();
            assert_eq!(sum as u64, number);
            for (place, digit) in digits.iter().enumerate() {
                assert!(*digit <= quotients[place] - usize::from(place == 0));
                assert!(place == 0 || *digit < quotients[place] || digits[place - 1] == 0);
            }
        }
        assert_eq!(own.digits().coefficients(), (&[3][..], &[2][..]));
    }

    #[test]
    fn fractions_that_are_refused() {
        for (before, period) in [
            (&[][..], &[][..]),
            (&[2], &[]),
            (&[], &[1]),
            (&[1], &[2]),
            (&[0], &[2]),
            (&[2], &[0]),
            (&[], &[10]),
            (&[2], &[4, 4, 4]),
        ] {
            let is_one = ContinuedFraction::new(before, period).is_some();
            assert_eq!(is_one, period == [4, 4, 4], "{before:?} {period:?}");
        }
        assert_eq!(ContinuedFraction::new(&[], &[2, 2]), ContinuedFraction::new(&[], &[2]));
        assert_eq!(ContinuedFraction::new(&[], &[3, 4]), None);
    }
}
