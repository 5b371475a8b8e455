//! The words of arithmetic that a formula may say beyond sums: products, quotients by a term,
//! divisors, primes, squares, powers, binary digits as a set.
//!
//! Formulas with these words have values and truth at given numbers. No automaton reads them, so
//! nothing is proved of them for all numbers.

/// A word of arithmetic with its arguments: a number or, of a condition, 1 where it holds and 0
/// where it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArithmeticSymbol {
    /// `x * y`
    Product,
    /// `x div y`, rounded down; none by 0.
    Quotient,
    /// `x mod y`; none by 0.
    Remainder,
    /// `gcd(x, y, …)`; that of zeros is 0.
    Gcd,
    /// `bitand(x, y, …)`: the binary digits that all have.
    BitAnd,
    /// `bitor(x, y, …)`: the binary digits that one of them has.
    BitOr,
    /// `with(s, k)`: the set s with k, a set of numbers being the sum of the powers of 2 that they
    /// are exponents of.
    With,
    /// `has(s, k)`: k is in the set s.
    Has,
    /// `digitsum(n)`: the sum of the decimal digits.
    DigitSum,
    /// `divides(d, n)`: n is a multiple of d; of 0 only 0 is.
    Divides,
    /// `prime(n)`
    Prime,
    /// `square(n)`
    Square,
    /// `power(b, n)`: n is 1 or b·b·…·b.
    Power,
}

use ArithmeticSymbol::{
    BitAnd, BitOr, DigitSum, Divides, Gcd, Has, Power, Prime, Product, Quotient, Remainder, Square,
    With,
};

/// The least and the greatest number of arguments; `UNLIMITED` for any.
const UNLIMITED: usize = usize::MAX;

impl ArithmeticSymbol {
    /// The words that are written as functions.
    pub const FUNCTIONS: [ArithmeticSymbol; 10] =
        [Gcd, BitAnd, BitOr, With, DigitSum, Has, Divides, Prime, Square, Power];

    /// Returns the word as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Product => "*",
            Quotient => "div",
            Remainder => "mod",
            Gcd => "gcd",
            BitAnd => "bitand",
            BitOr => "bitor",
            With => "with",
            DigitSum => "digitsum",
            Has => "has",
            Divides => "divides",
            Prime => "prime",
            Square => "square",
            Power => "power",
        }
    }

    /// Returns what it is called where a message names it.
    pub fn described(self) -> &'static str {
        match self {
            Product => "a product of variables",
            Quotient => "`div` by a variable",
            Remainder => "`mod` by a variable",
            Gcd => "`gcd`",
            BitAnd => "`bitand`",
            BitOr => "`bitor`",
            With => "`with`",
            DigitSum => "`digitsum`",
            Has => "`has`",
            Divides => "`divides`",
            Prime => "`prime`",
            Square => "`square`",
            Power => "`power`",
        }
    }

    /// Returns whether it is true or false instead of a number.
    pub fn is_condition(self) -> bool {
        matches!(self, Has | Divides | Prime | Square | Power)
    }

    /// Returns how it is written, for messages.
    pub(crate) fn form(self) -> &'static str {
        match self {
            Product => "x*y",
            Quotient => "x div y",
            Remainder => "x mod y",
            Gcd => "gcd(x, y)",
            BitAnd => "bitand(x, y)",
            BitOr => "bitor(x, y)",
            With => "with(s, k)",
            DigitSum => "digitsum(n)",
            Has => "has(s, k)",
            Divides => "divides(d, n)",
            Prime => "prime(n)",
            Square => "square(n)",
            Power => "power(b, n)",
        }
    }

    /// Returns whether it may have this many arguments.
    pub(crate) fn allows_arguments(self, count: usize) -> bool {
        let [least, most] = match self {
            Gcd | BitAnd | BitOr | Product => [1, UNLIMITED],
            Prime | Square | DigitSum => [1, 1],
            _ => [2, 2],
        };
        (least..=most).contains(&count)
    }

    /// Returns the value; `None` where there is none: a division by 0, a negative number where
    /// digits or divisors are asked for, a number of more than 63 digits in a question about
    /// primes, or a result that is too big.
    pub(crate) fn value(self, values: &[i128]) -> Option<i128> {
        let truth = |holds: bool| Some(i128::from(holds));
        if let (Divides, &[by, n]) = (self, values)
            && by >= 0
        {
            return truth(if by == 0 { n == 0 } else { n % by == 0 });
        }
        if self != Product && values.iter().any(|value| *value < 0) {
            // A difference that is negative is no divisor, no square, no prime; digits it has none.
            return if matches!(self, Divides | Prime | Square | Power) { Some(0) } else { None };
        }
        match (self, values) {
            (Product, values) => {
                values.iter().try_fold(1i128, |product, value| product.checked_mul(*value))
            }
            (Quotient, &[x, by]) => x.checked_div(by),
            (Remainder, &[x, by]) => x.checked_rem(by),
            (Gcd, values) => Some(values.iter().fold(0, |all, value| gcd(all, *value))),
            (BitAnd, values) => values.iter().copied().reduce(|all, value| all & value),
            (BitOr, values) => values.iter().copied().reduce(|all, value| all | value),
            (With, &[set, k]) => (k < 100).then(|| set | 1 << k),
            (DigitSum, &[n]) => Some(
                std::iter::successors(Some(n), |n| (*n >= 10).then(|| n / 10))
                    .map(|n| n % 10)
                    .sum(),
            ),
            (Has, &[set, k]) => truth(k < 127 && set >> k & 1 == 1),
            (Prime, &[n]) => truth(is_prime(u64::try_from(n).ok().filter(|n| n >> 63 == 0)?)),
            (Square, &[n]) => truth(integer_sqrt(n).pow(2) == n),
            (Power, &[base, n]) => truth(is_power(base, n)),
            _ => None,
        }
    }
}

/// Returns the greatest common divisor of the absolute values; gcd(0, 0) = 0.
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        // Division of words takes a fraction of the time.
        (a, b) = match (u64::try_from(a), u64::try_from(b)) {
            (Ok(a), Ok(b)) => (b.into(), (a % b).into()),
            _ => (b, a % b),
        };
    }
    a as i128
}

/// Returns the greatest number whose square is at most `n`, for n from 0 to below 2^126.
pub(crate) fn integer_sqrt(n: i128) -> i128 {
    let mut low = (n as f64).sqrt() as i128;
    while low * low > n {
        low -= 1;
    }
    while (low + 1) * (low + 1) <= n {
        low += 1;
    }
    low
}

/// Returns the divisors of a number from 1 to below 2^62, ascending. Takes about √n / 3 steps,
/// less if all prime divisors but one are small.
pub fn divisors(n: u64) -> Vec<u64> {
    let mut all = vec![1];
    let mut rest = n;
    let mut with = |prime: u64, exponent: u32| {
        let count = all.len();
        for at in 0..count * exponent as usize {
            all.push(all[at] * prime);
        }
    };
    // 2 and 3, then the numbers that neither divides.
    let candidates = [2, 3].into_iter().chain((5..).step_by(6).flat_map(|k| [k, k + 2]));
    for candidate in candidates {
        if candidate * candidate > rest {
            break;
        }
        let mut exponent = 0;
        while is_multiple(rest, candidate) {
            (rest, exponent) = (rest / candidate, exponent + 1);
        }
        if exponent > 0 {
            with(candidate, exponent);
        }
    }
    if rest > 1 {
        with(rest, 1);
    }
    all.sort_unstable();
    all
}

fn is_multiple(n: u64, by: u64) -> bool {
    // Division of shorter words takes a fraction of the time.
    match (u32::try_from(n), u32::try_from(by)) {
        (Ok(n), Ok(by)) => n.is_multiple_of(by),
        _ => n.is_multiple_of(by),
    }
}

fn is_power(base: i128, mut n: i128) -> bool {
    if base < 2 {
        return n == 1 || n == base;
    }
    while n > 1 && n % base == 0 {
        n /= base;
    }
    n == 1
}

/// Returns whether the number is prime: Miller and Rabin's test with bases that leave no doubt
/// below 2^64 (Sorenson, Webster 2015).
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 || BASES.iter().any(|base| n.is_multiple_of(*base)) {
        return BASES.contains(&n);
    }
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let power = |mut base: u64, mut exponent: u64| {
        let mut all = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                all = times(all, base);
            }
            base = times(base, base);
            exponent >>= 1;
        }
        all
    };
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|base| {
        let mut x = power(*base, (n - 1) >> twos);
        x == 1
            || (0..twos).any(|_| {
                let here = x == n - 1;
                x = times(x, x);
                here
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each word against its definition, number by number.
    #[test]
    fn words_mean_what_their_definitions_say() {
        let holds = |word: ArithmeticSymbol, values: &[i128]| word.value(values) == Some(1);
        for n in 0..300i128 {
            assert_eq!(holds(Prime, &[n]), n > 1 && (2..n).all(|d| n % d != 0), "prime({n})");
            assert_eq!(holds(Square, &[n]), (0..=n).any(|k| k * k == n), "square({n})");
            let digits = n.to_string().bytes().map(|digit| i128::from(digit - b'0')).sum();
            assert_eq!(DigitSum.value(&[n]), Some(digits), "digitsum({n})");
            for b in 0..20i128 {
                assert_eq!(
                    holds(Divides, &[b, n]),
                    (0..=n).any(|k| k * b == n),
                    "divides({b}, {n})"
                );
                let mut powers = vec![1i128];
                while powers.len() < 12 {
                    powers.push(powers[powers.len() - 1] * b);
                }
                assert_eq!(holds(Power, &[b, n]), powers.contains(&n), "power({b}, {n})");
                let common = (1..=n.max(b)).filter(|d| n % d == 0 && b % d == 0).max().unwrap_or(0);
                assert_eq!(Gcd.value(&[n, b]), Some(common), "gcd({n}, {b})");
            }
        }
        for (n, is) in [(1_000_000_007, true), (3_215_031_751, false), (4_759_123_141, false)] {
            assert_eq!(holds(Prime, &[n]), is, "{n}");
        }
        for n in (1..2000).chain([999_983 * 999_979, 720_720, 1 << 39]) {
            let all = divisors(n);
            assert!(all.iter().all(|d| n % d == 0) && all.is_sorted_by(|a, b| a < b), "{n}");
            let small = (1..).take_while(|d| d * d <= n).filter(|d| n % d == 0);
            let count: usize = small.map(|d| if d * d == n { 1 } else { 2 }).sum();
            assert_eq!(all.len(), count, "{n}");
        }
        assert_eq!(Quotient.value(&[7, 0]), None);
        assert_eq!(Remainder.value(&[7, 0]), None);
        assert_eq!(Square.value(&[-4]), Some(0));
        assert!(holds(Divides, &[2, -4]) && !holds(Divides, &[2, -3]) && !holds(Divides, &[-2, 4]));
        assert!(holds(Has, &[0b1010, 3]) && !holds(Has, &[0b1010, 2]));
        assert_eq!(With.value(&[0b1010, 2]), Some(0b1110));
    }
}
