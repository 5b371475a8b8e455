//! How numbers are written: digits whose weights are a recurrence.

use std::fmt;

/// The greatest order of digits: how many coefficients there are before they end or repeat.
const ORDER: usize = 6;

/// A number by its digits read so far, Σ dᵢ·m(0, i), and behind it Σ dᵢ·m(j, i) for j = 1, 2, …
/// below the order, with m as in [`DigitSystem`]; the others are 0.
pub type DigitValue = [u64; ORDER];

/// Digits of numbers by coefficients a₁, a₂, …, which end with one that is not 0, or of which some
/// at the end repeat for ever, not all of them and not only zeros, and each end of which is less
/// than the whole in the order of rows: the expansion of 1 in the base β with 1 = a₁/β + a₂/β² + …
/// (Parry, On the β-expansions of real numbers, Acta Math. Acad. Sci. Hungar. 11, 1960). Numbers
/// are written greedily, so that no digits side by side are, in the order of rows, the coefficients
/// or more.
///
/// How many coefficients there are, each that repeats counted once, is the *order* d. The *mark*
/// says how many of a₁, a₂, … the last digits of a number are, where after a_d comes the first of
/// those that repeat. So after mark j no digit above a_{j+1} follows, that digit leads to mark j +
/// 1 (or to that of the first one which repeats; if none does, a_d does not follow mark d − 1), and
/// those below it lead to mark 0. Let m(j, k) be how many rows of k digits may follow mark j: m(j,
/// 0) is 1, and m(j, k + 1) = a_{j+1}·m(0, k) + m(j′, k), if a_{j+1} leads to a mark j′. The digits
/// weigh w_k = m(0, k) (Bertrand-Mathis, Comment écrire les nombres entiers dans une base qui n'est
/// pas entière, Acta Math. Hungar. 54, 1989), and w_k = a₁·w_{k−1} + a₂·w_{k−2} + …, the terms that
/// there are, and then 1 more unless the coefficients have ended.
///
/// If β is a Pisot number, sums and comparisons are read by finite automata, and by the same sets
/// as in any other digits whose weights are a recurrence with its polynomial (Bruyère and Hansel,
/// Bertrand numeration systems and recognizability, Theoret. Comput. Sci. 181, 1997), as
/// Ostrowski's of continued fractions with a period are. It is one if coefficients that end fall,
/// a₁ ≥ a₂ ≥ … ≥ a_d (Brauer, On algebraic equations with all but one root in the interior of the
/// unit circle, Math. Nachr. 4, 1951); so it is by 1, 0, 1, by 1, 0, 0, 1 and by 1, 0, 0, 0, 1. By
/// a, b, b, … with a > b it is the greater root of x² = (a + 1)·x − (a − b).
///
/// By b alone these are digits to base b; by 1, 1 those of Zeckendorf, by b − 1, 1 what is called
/// his digits to base b here (Fraenkel, How to beat your Wythoff games' opponent on three fronts,
/// Amer. Math. Monthly 89, 1982), by s + t − 1, s those of Fraenkel's (s, t)-numeration (Heap
/// games, numeration systems and sequences, Ann. Comb. 2, 1998), by 1, 1, 1 those of Tribonacci,
/// and by 3, 2, 2, … those to base 2 + √3.
///
/// Several numbers are read together, a column of digits at a time: column Σ d·b^i has the digit d
/// of number i, b being how many digits there are. The marks of several numbers are Σ mark·d^i
/// together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DigitSystem {
    /// The coefficients, then zeros.
    coefficients: [u8; ORDER],
    order: u8,
    /// How many coefficients repeat: the last ones.
    repeated: u8,
}

impl DigitSystem {
    /// Returns the digits to a base.
    pub const fn to_base(base: usize) -> DigitSystem {
        DigitSystem { coefficients: [base as u8, 0, 0, 0, 0, 0], order: 1, repeated: 0 }
    }

    /// Returns the digits of Zeckendorf to a base.
    pub const fn zeckendorf(base: usize) -> DigitSystem {
        DigitSystem { coefficients: [(base - 1) as u8, 1, 0, 0, 0, 0], order: 2, repeated: 0 }
    }

    /// Returns the digits by these coefficients, of which the latter repeat for ever.
    ///
    /// `None` if an end is not less than the whole; if the last one is 0, or all that repeat are;
    /// if the same could be said by fewer; if they are more than six, or if there are not from 2 to
    /// 10 digits.
    pub fn from_coefficients(once: &[usize], for_ever: &[usize]) -> Option<DigitSystem> {
        let own = [once, for_ever].concat();
        let (order, repeated) = (own.len(), for_ever.len());
        let last = if repeated > 0 { for_ever } else { &once[once.len().saturating_sub(1)..] };
        if order > ORDER || once.is_empty() || last.iter().all(|a| *a == 0) {
            return None;
        }
        // As many as tell any two ends apart.
        let whole: Vec<usize> = once
            .iter()
            .chain(for_ever.iter().cycle().take(2 * order * repeated))
            .copied()
            .collect();
        let is_greedy = (1..order).all(|from| {
            let end = &whole[from..];
            if repeated == 0 { *end < *whole } else { *end < whole[..end.len()] }
        });
        let is_shortest = repeated == 0
            || once.last() != for_ever.last()
                && (1..repeated).all(|period| {
                    repeated % period > 0
                        || (period..repeated).any(|at| for_ever[at] != for_ever[at - period])
                });
        if !is_greedy || !is_shortest {
            return None;
        }
        let mut coefficients = [0; ORDER];
        for (place, coefficient) in coefficients.iter_mut().zip(&own) {
            *place = u8::try_from(*coefficient).ok().filter(|coefficient| *coefficient <= 10)?;
        }
        let digits = DigitSystem { coefficients, order: order as u8, repeated: repeated as u8 };
        (2..=10).contains(&digits.base()).then_some(digits)
    }

    /// Returns the coefficients that do not repeat, and those that repeat for ever.
    pub fn coefficients(&self) -> (&[u8], &[u8]) {
        self.coefficients[..self.order()].split_at(self.order() - usize::from(self.repeated))
    }

    /// Returns the order: how many marks there are.
    pub fn order(&self) -> usize {
        usize::from(self.order)
    }

    /// Returns how many digits there are: they are less.
    pub fn base(&self) -> usize {
        usize::from(self.coefficients[0]) + usize::from(self.order > 1)
    }

    /// Returns whether these are digits to a base.
    pub fn is_to_base(&self) -> bool {
        self.order == 1
    }

    /// Returns whether these are digits of Zeckendorf, to whatever base.
    pub fn is_zeckendorf(&self) -> bool {
        matches!(self.coefficients(), ([_, 1], []))
    }

    /// Returns the mark to which the coefficient behind a mark leads; `None` where it does not
    /// follow.
    pub fn next_mark(&self, mark: usize) -> Option<usize> {
        if mark + 1 < self.order() {
            return Some(mark + 1);
        }
        (self.repeated > 0).then(|| self.order() - usize::from(self.repeated))
    }

    /// Returns the marks after one more column; `None` where a number is written greedily no more.
    pub fn after(&self, mut marks: usize, mut column: usize) -> Option<usize> {
        let (order, base) = (self.order(), self.base());
        let (mut next, mut one) = (0, 1);
        // A digit to a base is always less than the coefficient.
        while order > 1 && column + marks > 0 {
            let (mark, digit) = (marks % order, column % base);
            let coefficient = usize::from(self.coefficients[mark]);
            if digit > coefficient {
                return None;
            }
            next += one * if digit == coefficient { self.next_mark(mark)? } else { 0 };
            (marks, column, one) = (marks / order, column / base, one * order);
        }
        Some(next)
    }

    /// Returns d − 1 columns of this many numbers after which they have these marks, as digits of
    /// one number, the last column the lowest.
    pub fn columns_with_marks(&self, marks: usize, tracks: usize) -> usize {
        let (order, base) = (self.order(), self.base());
        // The digit that stands so far before the last.
        let digit = |track: usize, before: usize| {
            let mark = marks / order.pow(track as u32) % order;
            if before < mark { usize::from(self.coefficients[mark - 1 - before]) } else { 0 }
        };
        let column = |before| {
            (0..tracks).rev().fold(0, |column, track| base * column + digit(track, before))
        };
        (0..order - 1).rev().fold(0, |all, before| base.pow(tracks as u32) * all + column(before))
    }

    /// Returns a number after one more digit; `None` beyond 64 bits.
    pub fn extended(&self, value: DigitValue, digit: u64) -> Option<DigitValue> {
        let mut next = [0; ORDER];
        for (mark, own) in next[..self.order()].iter_mut().enumerate() {
            let behind = self.next_mark(mark).map_or(0, |mark| value[mark]);
            let coefficient = u64::from(self.coefficients[mark]);
            *own = coefficient.checked_mul(value[0])?.checked_add(behind)?.checked_add(digit)?;
        }
        Some(next)
    }

    /// Returns what a digit 1 weighs in each place, the lowest first, as far as that is below 2⁶⁴.
    pub fn weights(&self) -> impl Iterator<Item = u64> + '_ {
        let one = self.extended(DigitValue::default(), 1);
        std::iter::successors(one, |value| self.extended(*value, 0)).map(|[weight, ..]| weight)
    }

    /// Returns the digit of one of the numbers in a column.
    pub fn digit(&self, column: usize, number: usize) -> usize {
        column / self.base().pow(number as u32) % self.base()
    }

    /// Returns the digits of this many numbers in a column, one after the other.
    pub fn column_text(&self, column: usize, numbers: usize) -> String {
        (0..numbers).map(|number| self.digit(column, number).to_string()).collect()
    }

    /// Returns the digits of a number, least significant first; none for 0.
    pub fn digits(&self, number: u64) -> Vec<usize> {
        let weights: Vec<u64> = self.weights().take_while(|weight| *weight <= number).collect();
        let mut rest = number;
        let mut digits: Vec<usize> = Vec::with_capacity(weights.len());
        for weight in weights.into_iter().rev() {
            digits.push((rest / weight) as usize);
            rest %= weight;
        }
        digits.reverse();
        digits
    }

    /// Returns the columns of some numbers, most significant first; none where all are 0.
    pub fn columns(&self, numbers: &[u64]) -> Vec<usize> {
        let all: Vec<Vec<usize>> = numbers.iter().map(|number| self.digits(*number)).collect();
        let (longest, base) = (all.iter().map(Vec::len).max().unwrap_or(0), self.base());
        let digit = |own: &Vec<usize>, place: usize| own.get(place).copied().unwrap_or(0);
        let column =
            |place| all.iter().rev().fold(0, |column, own| base * column + digit(own, place));
        (0..longest).rev().map(column).collect()
    }
}

impl fmt::Display for DigitSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.coefficients() {
            ([2], []) => return f.write_str("binary digits"),
            ([base], []) => return write!(f, "digits to base {base}"),
            ([1, 1], []) => return f.write_str("digits of Zeckendorf"),
            ([_, 1], []) => write!(f, "digits of Zeckendorf to base {}", self.base())?,
            (once, for_ever) => {
                let twice = [once, for_ever, for_ever].concat();
                let listed: Vec<String> = twice.iter().map(u8::to_string).collect();
                let end = if for_ever.is_empty() { "" } else { ", …" };
                write!(f, "digits by the recurrence {}{end}", listed.join(", "))?;
            }
        }
        let weights: Vec<String> =
            self.weights().take(3).map(|weight| weight.to_string()).collect();
        write!(f, " (they weigh {}, …)", weights.join(", "))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// Returns all digits by recurrences of at most three coefficients, and by as many as six that
    /// are small.
    fn all() -> Vec<DigitSystem> {
        let mut all = Vec::new();
        for (places, base) in [(1, 11), (2, 11), (3, 11), (4, 4), (5, 3), (6, 3)] {
            for code in 0..usize::pow(base, places) {
                let own: Vec<_> = (0..places).map(|i| code / base.pow(i) % base).collect();
                for once in 1..=own.len() {
                    let (once, for_ever) = own.split_at(once);
                    all.extend(DigitSystem::from_coefficients(once, for_ever));
                }
            }
        }
        all
    }

    /// Returns so many coefficients, zeros where they have ended.
    fn coefficients(system: &DigitSystem, count: usize) -> Vec<u8> {
        let (once, for_ever) = system.coefficients();
        let all = once.iter().chain(for_ever.iter().cycle()).copied();
        all.chain(std::iter::repeat(0)).take(count).collect()
    }

    /// Rows of digits that are written greedily, from the definition by ends, are as many as
    /// numbers: in the order of rows they are 0, 1, 2, …, greedy choice writes them, and the
    /// weights are those of the recurrence.
    #[test]
    fn numbers_and_rows_of_digits_are_the_same() {
        let all = all();
        // Those that end, by how many coefficients there are.
        let ending = |order| {
            let is_such = |own: &&DigitSystem| own.repeated == 0 && own.order() == order;
            all.iter().filter(is_such).count()
        };
        assert_eq!([1, 2, 3].map(ending), [9, 45, 330]);
        assert!(all.iter().filter(|own| own.repeated > 0).count() > 300);
        for system in &all {
            let base = system.base() as u64;
            let places = (1..=6).take_while(|places| base.pow(*places) <= 3000).last().unwrap();
            let own = coefficients(system, 20);
            let mut number = 0;
            for code in 0..base.pow(places) {
                let row: Vec<u8> =
                    (0..places).rev().map(|place| (code / base.pow(place) % base) as u8).collect();
                // A row ends as longer ones with zeros do.
                let ended = [&row[..], &[0; 20]].concat();
                let is_greedy = (0..row.len()).all(|from| ended[from..][..20] < own[..]);
                let read = row.iter().try_fold((0, [0; ORDER]), |(marks, value), digit| {
                    let marks = system.after(marks, usize::from(*digit))?;
                    Some((marks, system.extended(value, u64::from(*digit)).unwrap()))
                });
                assert_eq!(read.is_some(), is_greedy, "{system}: {row:?}");
                if let Some((_, value)) = read {
                    assert_eq!(value[0], number, "{system}: {row:?}");
                    let digits: Vec<u8> =
                        system.digits(number).into_iter().rev().map(|digit| digit as u8).collect();
                    let zeros = row.iter().take_while(|digit| **digit == 0).count();
                    assert_eq!(digits, row[zeros..], "{system}: {number}");
                    number += 1;
                }
            }
            assert!(number > base);
            let weights: Vec<u64> = system.weights().take(12).collect();
            for (k, weight) in weights.iter().enumerate() {
                let terms = own.iter().zip(weights[..k].iter().rev());
                let sum: u64 = terms.map(|(a, weight)| u64::from(*a) * weight).sum();
                let is_more = system.repeated > 0 || k < system.order();
                assert_eq!(*weight, sum + u64::from(is_more), "{system}");
            }
        }
    }

    /// The columns that stand for marks lead to them.
    #[test]
    fn marks_are_columns() {
        for system in all() {
            let (order, columns) = (system.order(), system.base().pow(2));
            for marks in 0..order * order {
                let all = system.columns_with_marks(marks, 2);
                let read = (0..order as u32 - 1).rev().try_fold(0, |marks, place| {
                    system.after(marks, all / columns.pow(place) % columns)
                });
                assert_eq!(read, Some(marks), "{system}");
            }
        }
    }

    /// Several numbers are read as each alone is.
    #[test]
    fn columns_are_read_together() {
        for system in all() {
            let numbers = [7_001, 0, 12_345, u64::MAX];
            let (base, order) = (system.base(), system.order());
            let (mut marks, mut values) = (0, [[0; ORDER]; 4]);
            for column in system.columns(&numbers) {
                let before = marks;
                marks = system.after(marks, column).unwrap();
                for (track, value) in values.iter_mut().enumerate() {
                    let digit = column / base.pow(track as u32) % base;
                    // What is behind the greatest number is beyond 64 bits.
                    if track < 3 {
                        *value = system.extended(*value, digit as u64).unwrap();
                    }
                    let mark = |marks: usize| marks / order.pow(track as u32) % order;
                    let coefficient = usize::from(system.coefficients[mark(before)]);
                    assert_eq!(mark(marks) > 0, order > 1 && digit == coefficient);
                }
            }
            assert_eq!([values[0][0], values[1][0], values[2][0]], [7_001, 0, 12_345]);
        }
    }

    #[test]
    fn ends_of_coefficients_are_less_than_the_whole() {
        for (once, for_ever) in [
            (&[][..], &[][..]),
            (&[1], &[]),
            (&[0], &[]),
            (&[11], &[]),
            (&[10, 1], &[]),
            (&[1, 2], &[]),
            (&[2, 0], &[]),
            (&[2, 1, 3], &[]),
            (&[1, 1, 1, 1, 1, 1, 1], &[]),
            (&[], &[2]),
            (&[3], &[0]),
            (&[2], &[2]),
            (&[1], &[2]),
            (&[3, 2], &[2]),
            (&[3], &[2, 2]),
            (&[3], &[1, 2]),
            (&[2], &[1, 2]),
        ] {
            let is_refused = DigitSystem::from_coefficients(once, for_ever).is_none();
            assert_eq!(is_refused, (once, for_ever) != (&[3], &[1, 2]), "{once:?} {for_ever:?}");
        }
        assert_eq!(DigitSystem::from_coefficients(&[7], &[]), Some(DigitSystem::to_base(7)));
        assert_eq!(DigitSystem::from_coefficients(&[6, 1], &[]), Some(DigitSystem::zeckendorf(7)));
    }

    /// By a, b, b, … weights are a recurrence of two terms, the latter subtracted: to base 2 + √3
    /// they are those of Pell's equation.
    #[test]
    fn quadratic_digits() {
        for (a, b) in (1..10).flat_map(|a| (1..a).map(move |b| (a, b))) {
            let weights: Vec<u64> =
                DigitSystem::from_coefficients(&[a], &[b]).unwrap().weights().take(8).collect();
            for three in weights.windows(3) {
                let (a, b) = (a as u64, b as u64);
                assert_eq!(three[2] + (a - b) * three[0], (a + 1) * three[1]);
            }
        }
        let own = DigitSystem::from_coefficients(&[3], &[2]).unwrap();
        assert_eq!(own.weights().take(5).collect::<Vec<_>>(), [1, 4, 15, 56, 209]);
        assert_eq!(own.to_string(), "digits by the recurrence 3, 2, 2, … (they weigh 1, 4, 15, …)");
    }
}
