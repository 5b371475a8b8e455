//! How numbers are written: digits whose weights are a recurrence.

use std::fmt;

/// The greatest order of a recurrence.
const ORDER: usize = 4;

/// A number, and what it is with 1, 2, … zeros more, fewer of them than the order of the
/// recurrence; the others are 0.
pub type DigitValue = [u64; ORDER];

/// Digits of numbers by a recurrence with coefficients a₁, a₂, …, a_d of which a_d ≥ 1, and each
/// end a₂, …, a_d to a_d alone is less than the whole in the order of rows (Parry, On the
/// β-expansions of real numbers, Acta Math. Acad. Sci. Hungar. 11, 1960). They weigh w₀ = 1, w₁,
/// w₂, …, where w_k = a₁·w_{k−1} + a₂·w_{k−2} + … + a_d·w_{k−d}; with k < d the terms beyond w₀ are
/// 1 together. Numbers are written greedily, so that no d digits side by side are, in the order of
/// rows, a₁, a₂, …, a_d or more. If coefficients fall, a₁ ≥ a₂ ≥ … ≥ a_d, the greatest root of the
/// recurrence is a Pisot number (Brauer, On algebraic equations with all but one root in the
/// interior of the unit circle, Math. Nachr. 4, 1951); so it is by 1, 0, 1 and by 1, 0, 0, 1.
///
/// By b alone these are digits to base b; by 1, 1 those of Zeckendorf, by b − 1, 1 what is called
/// his digits to base b here (Fraenkel, How to beat your Wythoff games' opponent on three fronts,
/// Amer. Math. Monthly 89, 1982), by s + t − 1, s those of Fraenkel's (s, t)-numeration (Heap
/// games, numeration systems and sequences, Ann. Comb. 2, 1998), and by 1, 1, 1 those of
/// Tribonacci.
///
/// Several numbers are read together, a column of digits at a time: column Σ d·b^i has the digit d
/// of number i, b being how many digits there are. A *mark* says how many of a₁, a₂, … the last
/// digits of a number are; those of several numbers are Σ mark·d^i together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DigitSystem {
    /// The coefficients, then zeros.
    coefficients: [u8; ORDER],
}

impl DigitSystem {
    /// Returns the digits to a base.
    pub const fn to_base(base: usize) -> DigitSystem {
        DigitSystem { coefficients: [base as u8, 0, 0, 0] }
    }

    /// Returns the digits of Zeckendorf to a base.
    pub const fn zeckendorf(base: usize) -> DigitSystem {
        DigitSystem { coefficients: [(base - 1) as u8, 1, 0, 0] }
    }

    /// Returns the digits by a recurrence with these coefficients; `None` if an end is not less
    /// than the whole, the last one is 0, they are more than four, or if there are not from 2 to 10
    /// digits.
    pub fn from_coefficients(own: &[usize]) -> Option<DigitSystem> {
        let mut coefficients = [0; ORDER];
        let is_greedy = (1..own.len()).all(|from| own[from..] < *own);
        if !is_greedy || own.len() > ORDER || own.last().is_none_or(|last| *last == 0) {
            return None;
        }
        for (place, coefficient) in coefficients.iter_mut().zip(own) {
            *place = u8::try_from(*coefficient).ok().filter(|coefficient| *coefficient <= 10)?;
        }
        let digits = DigitSystem { coefficients };
        (2..=10).contains(&digits.base()).then_some(digits)
    }

    /// Returns the coefficients of the recurrence.
    pub fn coefficients(&self) -> &[u8] {
        &self.coefficients[..self.order()]
    }

    /// Returns the order of the recurrence.
    pub fn order(&self) -> usize {
        self.coefficients
            .iter()
            .rposition(|coefficient| *coefficient > 0)
            .map_or(0, |last| last + 1)
    }

    /// Returns how many digits there are: they are less.
    pub fn base(&self) -> usize {
        usize::from(self.coefficients[0]) + usize::from(self.order() > 1)
    }

    /// Returns whether these are digits to a base.
    pub fn is_to_base(&self) -> bool {
        self.order() == 1
    }

    /// Returns whether these are digits of Zeckendorf, to whatever base.
    pub fn is_zeckendorf(&self) -> bool {
        matches!(self.coefficients(), [_, 1])
    }

    /// Returns the marks after one more column; `None` where a number is written greedily no more.
    pub fn after(&self, mut marks: usize, mut column: usize) -> Option<usize> {
        let (order, base) = (self.order(), self.base());
        let (mut next, mut one) = (0, 1);
        // A digit to a base is always less than the coefficient.
        while order > 1 && column + marks > 0 {
            let (mark, digit) = (marks % order, column % base);
            let coefficient = usize::from(self.coefficients[mark]);
            if digit > coefficient || digit == coefficient && mark + 1 == order {
                return None;
            }
            next += one * if digit == coefficient { mark + 1 } else { 0 };
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

    /// Returns Σ coefficient·value, the last value being the first coefficient's; `None` beyond 64
    /// bits.
    fn recurred(&self, values: &[u64]) -> Option<u64> {
        let mut terms = self.coefficients().iter().zip(values.iter().rev());
        terms.try_fold(0u64, |sum, (coefficient, value)| {
            sum.checked_add(u64::from(*coefficient).checked_mul(*value)?)
        })
    }

    /// Returns the weight after these, which are all before it; `None` beyond 64 bits.
    fn weight_after(&self, weights: &[u64]) -> Option<u64> {
        self.recurred(weights)?.checked_add(u64::from(weights.len() < self.order()))
    }

    /// Returns what 1 is, and what it is with zeros more.
    pub fn value_of_one(&self) -> DigitValue {
        let mut weights = DigitValue::default();
        weights[0] = 1;
        for place in 1..self.order() {
            // At most 10^place.
            weights[place] = self.weight_after(&weights[..place]).unwrap_or(0);
        }
        weights
    }

    /// Returns a number after one more digit; `None` beyond 64 bits.
    pub fn extended(&self, value: DigitValue, digit: u64) -> Option<DigitValue> {
        let order = self.order();
        let mut next = [0; ORDER];
        next[..order - 1].copy_from_slice(&value[1..order]);
        next[order - 1] = self.recurred(&value[..order])?;
        if digit > 0 {
            for (own, weight) in next[..order].iter_mut().zip(self.value_of_one()) {
                *own = own.checked_add(digit.checked_mul(weight)?)?;
            }
        }
        Some(next)
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
        let mut weights = Vec::new();
        let mut weight = Some(1);
        while let Some(own) = weight.filter(|own| *own <= number) {
            weights.push(own);
            weight = self.weight_after(&weights);
        }
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
            [2] => return f.write_str("binary digits"),
            [base] => return write!(f, "digits to base {base}"),
            [1, 1] => return f.write_str("digits of Zeckendorf"),
            [_, 1] => write!(f, "digits of Zeckendorf to base {}", self.base())?,
            several => {
                let several: Vec<String> = several.iter().map(u8::to_string).collect();
                write!(f, "digits by the recurrence {}", several.join(", "))?;
            }
        }
        let mut weights = vec![1];
        while weights.len() < 3 {
            weights.extend(self.weight_after(&weights));
        }
        let weights: Vec<String> = weights.iter().map(u64::to_string).collect();
        write!(f, " (they weigh {}, …)", weights.join(", "))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// Returns all digits by recurrences.
    fn all() -> Vec<DigitSystem> {
        let code = |code: usize| (0..4).map(|i| code / 11usize.pow(i) % 11).collect::<Vec<_>>();
        let mut all = Vec::new();
        for own in (0..11usize.pow(4)).map(code) {
            let order = own.iter().rposition(|one| *one > 0).map_or(0, |last| last + 1);
            all.extend(DigitSystem::from_coefficients(&own[..order]));
        }
        all
    }

    /// Rows of digits that are written greedily, from the definition by windows, are as many as
    /// numbers: in the order of rows they are 0, 1, 2, …, and greedy choice writes them.
    #[test]
    fn numbers_and_rows_of_digits_are_the_same() {
        let all = all();
        assert_eq!(all.len(), 9 + 45 + 330 + 2475);
        for system in &all {
            let (own, base) = (system.coefficients(), system.base() as u64);
            let places = (1..=6).take_while(|places| base.pow(*places) <= 5000).last().unwrap();
            let mut number = 0;
            for code in 0..base.pow(places) {
                let row: Vec<u8> =
                    (0..places).rev().map(|place| (code / base.pow(place) % base) as u8).collect();
                // Shorter rows end as longer ones with zeros do.
                let ended = [&row[..], &vec![0; own.len()]].concat();
                let is_greedy = ended.windows(own.len()).all(|window| window < own);
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
                marks = system.after(marks, column).unwrap();
                for (track, value) in values.iter_mut().enumerate() {
                    let digit = column / base.pow(track as u32) % base;
                    // What is behind the greatest number is beyond 64 bits.
                    if track < 3 {
                        *value = system.extended(*value, digit as u64).unwrap();
                    }
                    let mark = marks / order.pow(track as u32) % order;
                    assert!(mark == 0 || digit == usize::from(system.coefficients()[mark - 1]));
                }
            }
            assert_eq!([values[0][0], values[1][0], values[2][0]], [7_001, 0, 12_345]);
        }
    }

    #[test]
    fn ends_of_coefficients_are_less_than_the_whole() {
        for wrong in
            [&[][..], &[1], &[0], &[11], &[10, 1], &[1, 2], &[2, 0], &[2, 1, 3], &[1, 1, 1, 1, 1]]
        {
            assert_eq!(DigitSystem::from_coefficients(wrong), None, "{wrong:?}");
        }
        assert_eq!(DigitSystem::from_coefficients(&[7]), Some(DigitSystem::to_base(7)));
        assert_eq!(DigitSystem::from_coefficients(&[6, 1]), Some(DigitSystem::zeckendorf(7)));
    }
}
