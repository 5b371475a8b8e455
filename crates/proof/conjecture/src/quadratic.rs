//! Quadratic irrational numbers (b + r√d)/c, and the formulas of their multiples.

use bouton_core::{MAX_PERIOD, Period, Slope, Surd, gcd};

/// (b + r√d)/c with r, c > 0, d not a square, in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quadratic {
    b: i128,
    r: i128,
    c: i128,
    d: i128,
}

impl Quadratic {
    /// Returns the greater root of a polynomial with positive leading coefficient and without
    /// rational roots; coefficients of at most 30 bits.
    pub fn root([a, b, c]: [i64; 3]) -> Option<Quadratic> {
        let Surd { whole, times, root, by } = Surd::new(-b, b * b - 4 * a * c, 2 * a)?;
        let [b, r, c, d] = [whole, times, by, root].map(i128::from);
        Some(Quadratic { b, r, c, d })
    }

    /// Returns the continued fraction, if it is purely periodic after the integer part, with a
    /// short period.
    pub fn slope(self) -> Option<Slope> {
        // (p + √m)/q with q a divisor of m − p².
        let (mut p, m, mut q) =
            (self.b * self.c, (self.r * self.c).pow(2) * self.d, self.c * self.c);
        let root = m.isqrt();
        let floor = |p: i128, q: i128| {
            if q > 0 { (p + root).div_euclid(q) } else { -((p + root).div_euclid(-q) + 1) }
        };
        let mut quotients = Vec::new();
        let mut first = None;
        loop {
            let a = floor(p, q);
            quotients.push(u64::try_from(a).ok()?);
            p = a * q - p;
            q = (m - p * p) / q;
            if first == Some((p, q)) {
                break;
            }
            first.get_or_insert((p, q));
            if quotients.len() > MAX_PERIOD {
                return None;
            }
        }
        Some(Slope {
            whole: u32::try_from(quotients[0]).ok()?,
            period: Period::new(&quotients[1..])?,
        })
    }

    /// Returns √d, in whose digits all multiples can be written.
    pub fn plain(self) -> Quadratic {
        Quadratic { b: 0, r: 1, c: 1, d: self.d }
    }

    /// Returns (1 + √d)/2, if that has the shorter continued fraction.
    pub fn half(self) -> Quadratic {
        Quadratic { b: 1, r: 1, c: 2, d: self.d }
    }

    /// Returns ⌊n·self⌋ by the multiples of another number of the same field with this continued
    /// fraction; `None` if the formula would need a subtraction.
    pub fn multiple(self, other: Quadratic, slope: Slope) -> Option<String> {
        if self.d != other.d {
            return None;
        }
        // other = (B + R√d)/C, so √d = (C·other − B)/R, and self = (u + v·other)/w.
        let (mut u, mut v, mut w) =
            (self.b * other.r - self.r * other.b, self.r * other.c, self.c * other.r);
        let common = gcd(gcd(u, v), w);
        (u, v, w) = (u / common, v / common, w / common);
        let mut slope = slope;
        if v == 1 && w == 1 {
            // Integers are added to the integer part of the fraction.
            slope.whole = u32::try_from(i128::from(slope.whole) + u).ok()?;
            u = 0;
        }
        let times = |k: i128| if k == 1 { "n".to_owned() } else { format!("{k}*n") };
        let multiple = format!("floor{slope}({})", times(v));
        let sum = match u {
            ..0 => return None,
            0 => multiple,
            u => format!("{}+{multiple}", times(u)),
        };
        Some(match (w, u) {
            (1, _) => sum,
            (w, 0) => format!("{sum} div {w}"),
            (w, _) => format!("({sum}) div {w}"),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    #[test]
    fn continued_fractions_of_roots() {
        for (polynomial, slope) in [
            ([1, 0, -2], Some("[1;(2)]")),
            ([1, 1, -3], Some("[1;(3)]")),
            ([1, -1, -1], Some("[1;(1)]")),
            ([1, 0, -7], Some("[2;(1,1,1,4)]")),
            // (3 + √2)/2 = [2; 4, 1, 4, 1, …]; (3 + √5)/2 = [2; 1, 1, …].
            ([4, -12, 7], Some("[2;(4,1)]")),
            ([1, -3, 1], Some("[2;(1)]")),
            // √2/3 = [0; 2, 8, 2, …] is not purely periodic.
            ([9, 0, -2], None),
        ] {
            let found = Quadratic::root(polynomial).unwrap().slope();
            if let Some(text) = slope {
                assert_eq!(found.unwrap().to_string(), text);
            }
            let Some(found) = found else { continue };
            let [a, b, c] = polynomial.map(|x| x as f64);
            assert!((found.value() - ((b * b - 4.0 * a * c).sqrt() - b) / (2.0 * a)).abs() < 1e-9);
        }
        assert_eq!(Quadratic::root([1, 0, -4]), None);
    }

    /// In the digits of any number of the field, a multiple equals the one computed by integer
    /// roots.
    #[test]
    fn multiples_are_written() {
        let mut written = 0;
        let all = [
            [1, 0, -2],
            [2, 0, -1],
            [1, -4, 2],
            [4, -12, 7],
            [1, 0, -8],
            [1, -3, 1],
            [1, -1, -1],
            [5, 0, -1],
        ];
        for one in all {
            let own = Quadratic::root(one).unwrap();
            for other in all
                .map(|other| Quadratic::root(other).unwrap())
                .into_iter()
                .chain([own.plain(), own.half()])
            {
                let Some(text) = other.slope().and_then(|slope| own.multiple(other, slope)) else {
                    continue;
                };
                let formula = bouton_core::Formula::parse_over(
                    &format!("a = {text}"),
                    &["a".to_owned(), "n".to_owned()],
                )
                .unwrap();
                written += 1;
                for n in 0..300i128 {
                    let a = (own.b * n + (own.r * own.r * own.d * n * n).isqrt()).div_euclid(own.c);
                    assert_eq!(
                        formula.holds(&[a as u64, n as u64]),
                        Ok(true),
                        "{one:?}: {text} at {n}"
                    );
                }
            }
        }
        assert!(written > 20, "{written}");
    }
}
