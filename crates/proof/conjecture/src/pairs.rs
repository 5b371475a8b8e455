//! Pairs of sequences: P-positions of two heaps along two lines of irrational slope.
//!
//! The n-th pair is (⌊nα⌋, ⌊nβ⌋), Beatty's sequences (Amer. Math. Monthly 33, 1926), if α and β fit
//! between the bounds a/n and (a+1)/n of every pair; the simplest quadratic numbers there are
//! chosen. If both are multiples of one number with a short continued fraction, or if the n-th pair
//! is linear in n and the Zeckendorf shift of n, the form is a formula that provers can read.

use crate::fitted_form::InexpressibleForm;
use crate::quadratic::Quadratic;
use crate::table::OutcomeTable;
use rustc_hash::FxHashSet;

/// The least number of pairs.
const MIN_PAIRS: usize = 12;

/// A set of pairs, in either order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pairs {
    /// Single pairs, then for n = from, from + 1, …: a = u·shift(n) + v·n + w, b = a + k·n + j.
    Shifted {
        /// u, v, w.
        first: [i64; 3],
        /// k, j.
        gap: [i64; 2],
        /// The least n.
        from: i64,
        /// The single pairs before.
        before: Vec<[i64; 2]>,
    },
    /// (⌊nα⌋, ⌊nβ⌋) for n = 0, 1, …, with α and β the greater roots of quadratic polynomials,
    /// leading coefficient first.
    Beatty {
        /// The polynomial of α.
        alpha: [i64; 3],
        /// The polynomial of β.
        beta: [i64; 3],
    },
}

/// Returns the number whose Zeckendorf digits are those of n followed by 0.
fn shift(mut n: i64) -> i64 {
    let (mut low, mut high) = (1, 2);
    while high <= n {
        (low, high) = (high, low + high);
    }
    let mut shifted = 0;
    while n > 0 {
        if low <= n {
            n -= low;
            shifted += high;
        }
        (low, high) = (high - low, low);
    }
    shifted
}

/// Returns the greater root.
fn root([a, b, c]: [i64; 3]) -> f64 {
    let (a, b, c) = (a as f64, b as f64, c as f64);
    ((b * b - 4.0 * a * c).sqrt() - b) / (2.0 * a)
}

/// Returns ⌊n·root⌋ exactly: the greatest t with t/n at most the root.
fn floor(polynomial: [i64; 3], n: i64) -> i64 {
    let [a, b, c] = polynomial.map(i128::from);
    let wide = i128::from(n);
    // Beyond the lower root the sign of the polynomial decides the side.
    let below = |t: i64| {
        let t = i128::from(t);
        a * t * t + b * t * wide + c * wide * wide <= 0 || 2 * a * t + b * wide <= 0
    };
    let mut t = (root(polynomial) * n as f64) as i64;
    while !below(t) {
        t -= 1;
    }
    while below(t + 1) {
        t += 1;
    }
    t
}

/// Returns how simple a polynomial is: the less, the simpler.
pub(crate) fn size([a, b, c]: [i64; 3]) -> i64 {
    2 * a + b.abs() + c.abs()
}

/// Returns the polynomial of the simplest irrational quadratic number whose multiples by `first`,
/// first + 1, … have these floors; `first` is 0 or more, and below 2^40.
pub(crate) fn slope(first: i64, values: &[i64]) -> Option<[i64; 3]> {
    let each = || (first..).zip(values.iter().copied());
    let positive = || each().filter(|(n, _)| *n > 0);
    let low = positive().map(|(n, v)| v as f64 / n as f64).fold(0.0, f64::max);
    let high = positive().map(|(n, v)| (v as f64 + 1.0) / n as f64).fold(f64::INFINITY, f64::min);
    let mut best: Option<[i64; 3]> = None;
    for a in 1..=4i64 {
        for b in -16..=16i64 {
            for c in -16..=16i64 {
                let (polynomial, discriminant) = ([a, b, c], b * b - 4 * a * c);
                if discriminant <= 0 || discriminant.isqrt().pow(2) == discriminant {
                    continue;
                }
                let x = root(polynomial);
                let fits = low - 1e-9 <= x && x <= high + 1e-9;
                if fits
                    && best.is_none_or(|best| size(polynomial) < size(best))
                    && each().all(|(n, v)| floor(polynomial, n) == v)
                {
                    best = Some(polynomial);
                }
            }
        }
    }
    best
}

/// Returns the pairs of a table of two heaps; `None` if they are not such sequences.
pub fn pairs(table: &OutcomeTable) -> Option<Pairs> {
    if table.heaps() != 2 || table.least() != 0 {
        return None;
    }
    let all: Vec<[i64; 2]> = table.classes().map(|p| [p[0].min(p[1]), p[0].max(p[1])]).collect();
    if all.len() < MIN_PAIRS {
        return None;
    }
    let found = shifted(&all).or_else(|| {
        let column = |i: usize| all.iter().map(|p| p[i]).collect::<Vec<i64>>();
        let beatty =
            || Some(Pairs::Beatty { alpha: slope(0, &column(0))?, beta: slope(0, &column(1))? });
        if rises(&all) { beatty() } else { None }
    })?;
    found.mismatch(table).is_none().then_some(found)
}

/// Returns whether both heaps grow from pair to pair; a heap may be the lesser one of several
/// pairs, as 0 is of 0,0 and 0,1.
fn rises(all: &[[i64; 2]]) -> bool {
    all.windows(2).all(|w| w[0][0] <= w[1][0] && w[0][1] < w[1][1])
}

/// Most single pairs, and the greatest number with which the others begin.
const SINGLE: usize = 4;
const FROM: i64 = 6;

fn shifted(all: &[[i64; 2]]) -> Option<Pairs> {
    for skip in 0..=SINGLE.min(all.len() - 2) {
        let (before, rest) = all.split_at(skip);
        if !rises(rest) {
            continue;
        }
        let gap = |place: usize| rest[place][1] - rest[place][0];
        let k = gap(1) - gap(0);
        if (1..rest.len()).any(|place| gap(place) - gap(place - 1) != k) {
            continue;
        }
        for from in 0..=FROM {
            for u in 1..=3 {
                for v in -2..=4 {
                    let linear = |n: i64| u * shift(n) + v * n;
                    let w = rest[0][0] - linear(from);
                    if (from..).zip(rest).all(|(n, p)| p[0] == linear(n) + w) {
                        let (first, gap) = ([u, v, w], [k, gap(0) - k * from]);
                        return Some(Pairs::Shifted { first, gap, from, before: before.to_vec() });
                    }
                }
            }
        }
    }
    None
}

/// Returns the shortest formula of the pairs (⌊nα⌋, ⌊nβ⌋) by multiples of one number.
fn multiples(alpha: [i64; 3], beta: [i64; 3]) -> Option<String> {
    let (one, other) = (Quadratic::root(alpha)?, Quadratic::root(beta)?);
    let with = |by: Quadratic| {
        let slope = by.slope()?;
        let a = one.multiple(by, slope)?;
        // If β − α is an integer, the second sequence is the first plus a multiple of n.
        let [p, q, r] = alpha.map(i128::from);
        let apart = (1..=16).find(|k: &i128| {
            // The polynomial of α + k.
            let shifted_polynomial = [p, q - 2 * p * k, r - q * k + p * k * k];
            let [x, y, z] = beta.map(i128::from);
            shifted_polynomial[0] * y == shifted_polynomial[1] * x
                && shifted_polynomial[0] * z == shifted_polynomial[2] * x
        });
        let b = match apart {
            Some(1) => "a+n".to_owned(),
            Some(k) => format!("a+{k}*n"),
            None => other.multiple(by, slope)?,
        };
        Some(format!("E n: a = {a} & b = {b}"))
    };
    let all = [one, other, one.plain(), one.half()].into_iter().filter_map(with);
    all.min_by_key(String::len)
}

/// Returns an equation of two sums of named numbers, without minus; the name of a constant is
/// empty.
fn equation(left: &[(i64, &str)], right: &[(i64, &str)]) -> String {
    let mut net: Vec<(i64, &str)> = Vec::new();
    let moved = right.iter().map(|(c, name)| (-c, *name));
    for (c, name) in left.iter().copied().chain(moved) {
        match net.iter_mut().find(|own| own.1 == name) {
            Some(own) => own.0 += c,
            None => net.push((c, name)),
        }
    }
    let side = |sign: i64| {
        let of_sign = net.iter().filter(|(c, _)| c * sign > 0);
        let parts: Vec<String> = of_sign
            .map(|(c, name)| match (c.abs(), *name) {
                (c, "") => c.to_string(),
                (1, name) => name.to_owned(),
                (c, name) => format!("{c}*{name}"),
            })
            .collect();
        if parts.is_empty() { "0".to_owned() } else { parts.join("+") }
    };
    format!("{} = {}", side(1), side(-1))
}

impl Pairs {
    /// Returns all pairs with both heaps at most `most`, the lesser heap first.
    pub fn up_to(&self, most: i64) -> Vec<[i64; 2]> {
        let mut all = match self {
            Pairs::Shifted { before, .. } => before.clone(),
            Pairs::Beatty { .. } => vec![],
        };
        for n in 0..=most + 1 {
            match self {
                Pairs::Shifted { from, .. } if n < *from => {}
                Pairs::Shifted { first: [u, v, w], gap: [k, j], .. } => {
                    let a = u * shift(n) + v * n + w;
                    all.push([a, a + k * n + j]);
                }
                Pairs::Beatty { alpha, beta } => all.push([floor(*alpha, n), floor(*beta, n)]),
            }
        }
        all.retain(|p| p.iter().all(|x| (0..=most).contains(x)));
        all
    }

    /// Returns the first position of a table of two heaps that the pairs classify wrongly. O(side +
    /// classes).
    pub fn mismatch(&self, table: &OutcomeTable) -> Option<Vec<i64>> {
        let all = self.up_to(table.most() as i64);
        let wrong = all.iter().find(|p| !table.is_p(&p[..])).map(|p| p.to_vec());
        let all: FxHashSet<[i64; 2]> = all.into_iter().collect();
        wrong.or_else(|| table.classes().find(|p| !all.contains(&[p[0].min(p[1]), p[0].max(p[1])])))
    }

    /// Returns the form as a formula, if it has one.
    pub fn text(&self) -> Result<String, InexpressibleForm> {
        match self {
            Pairs::Beatty { alpha, beta } => {
                multiples(*alpha, *beta).ok_or(InexpressibleForm::Floors)
            }
            Pairs::Shifted { .. } => self.text_of([&[(1, "a")], &[(1, "b")]]),
        }
    }

    /// Returns the formula that says that two sums are a pair, the first the lesser. A sum is given
    /// by coefficients and names, none of them n. Only shifts are written so.
    pub fn text_of(&self, [one, other]: [&[(i64, &str)]; 2]) -> Result<String, InexpressibleForm> {
        let Pairs::Shifted { first: [u, v, w], gap: [k, j], from, before } = self else {
            return Err(InexpressibleForm::Floors);
        };
        let mut parts = Vec::new();
        for [a, b] in before {
            let (a, b) = (equation(one, &[(*a, "")]), equation(other, &[(*b, "")]));
            parts.push(format!("{a} & {b}"));
        }
        let least = if *from > 0 { format!("n >= {from} & ") } else { String::new() };
        let a = equation(one, &[(*u, "shift(n)"), (*v, "n"), (*w, "")]);
        let b = equation(other, &[one, &[(*k, "n"), (*j, "")]].concat());
        parts.push(format!("(E n: {least}{a} & {b})"));
        Ok(parts.join(" | "))
    }

    /// Describes the form in words.
    pub fn describe(&self) -> String {
        match self {
            Pairs::Shifted { .. } => self.text().unwrap_or_default(),
            Pairs::Beatty { alpha, beta } => {
                if let Ok(text) = self.text() {
                    return text;
                }
                let number = |p: &[i64; 3]| {
                    let [a, b, c] = p;
                    format!("{:.6} the greater root of {a}x² + {b}x + {c}", root(*p))
                        .replace("+ -", "− ")
                };
                format!("(⌊nα⌋, ⌊nβ⌋) for n = 0, 1, …, α = {}, β = {}", number(alpha), number(beta))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Images;

    fn table_of(pairs: &[[u64; 2]], most: u64) -> OutcomeTable {
        let images = Images::Listed(vec![vec![0, 1], vec![1, 0]]);
        OutcomeTable::new(2, 0, most, images, pairs.iter().map(|p| &p[..])).unwrap()
    }

    /// Returns the pairs in which a is the least unused number and b = a + k·n: Wythoff's game for
    /// k = 1, A. S. Fraenkel's games otherwise (Amer. Math. Monthly 89, 1982), where α = (2 − k +
    /// √(k² + 4))/2.
    fn generalized(k: u64, most: u64) -> Vec<[u64; 2]> {
        let mut used = std::collections::BTreeSet::new();
        let mut all = Vec::new();
        for n in 0.. {
            let a = (0..).find(|x| !used.contains(x)).unwrap();
            let b = a + k * n;
            if b > most {
                return all;
            }
            used.extend([a, b]);
            all.push([a, b]);
        }
        unreachable!()
    }

    /// Wythoff's game in misère play, by the rules: 0,1 and 2,2 and then the pairs of normal play.
    #[test]
    fn pairs_may_begin_late() {
        let most = 120;
        let mut all: Vec<[u64; 2]> = Vec::new();
        for b in 0..=most {
            for a in 0..=b {
                let leads = |p: &[u64; 2]| {
                    let reaches = |x: u64, y: u64| {
                        p[0] == x && p[1] < y
                            || p[1] == y && p[0] < x
                            || p[0] < x && p[0] + y == p[1] + x
                    };
                    reaches(a, b) || reaches(b, a)
                };
                if b > 0 && !all.iter().any(leads) {
                    all.push([a, b]);
                }
            }
        }
        all.sort_unstable();
        let found = pairs(&table_of(&all, most)).unwrap();
        assert!(
            matches!(&found, Pairs::Shifted { before, .. } if *before == [[0, 1], [2, 2]]),
            "{found:?}"
        );
        let text = "a = 0 & b = 1 | a = 2 & b = 2 | (E n: n >= 1 & a = shift(n)+1 & b = a+n+1)";
        assert_eq!(found.text().unwrap(), text);
    }

    #[test]
    fn wythoffs_pairs_are_shifts() {
        let found = pairs(&table_of(&generalized(1, 100), 100)).unwrap();
        assert!(matches!(found, Pairs::Shifted { .. }), "{found:?}");
        assert_eq!(found.mismatch(&table_of(&generalized(1, 3000), 3000)), None);
    }

    #[test]
    fn slopes_are_found() {
        for k in 2..=4 {
            let found = pairs(&table_of(&generalized(k, 400), 400)).unwrap();
            assert_eq!(
                found.mismatch(&table_of(&generalized(k, 3000), 3000)),
                None,
                "{k}: {found:?}"
            );
            let Pairs::Beatty { alpha, .. } = found else { panic!("{found:?}") };
            let published = (2.0 - k as f64 + ((k * k + 4) as f64).sqrt()) / 2.0;
            assert!((root(alpha) - published).abs() < 1e-9, "{alpha:?}");
        }
    }

    /// Wythoff's game that ends at one token: 0,0 before the pairs (T. Komaki et al. 2026). And
    /// b = a + n, a = ⌊n√2⌋ div 2 (I. G. Connell, Canadian Mathematical Bulletin 2, 1959).
    #[test]
    fn heaps_may_stand_still_between_two_pairs() {
        let early = |most: u64| -> Vec<[u64; 2]> {
            let wythoff = generalized(1, most + 2).into_iter().skip(1);
            let moved = wythoff.map(|[a, b]| [a - 1, b - 1]).filter(|p| p[1] <= most);
            std::iter::once([0, 0]).chain(moved).collect()
        };
        let connell = |most: u64| -> Vec<[u64; 2]> {
            let pair = |n: u64| [(2 * n * n).isqrt() / 2, (2 * n * n).isqrt() / 2 + n];
            (0..=most).map(pair).filter(|p| p[1] <= most).collect()
        };
        for all in [&early as &dyn Fn(u64) -> Vec<[u64; 2]>, &connell] {
            let found = pairs(&table_of(&all(100), 100)).unwrap();
            assert_eq!(found.mismatch(&table_of(&all(3000), 3000)), None, "{found:?}");
            let claim = bouton_core::Claim::parse(&found.text().unwrap(), 2).unwrap();
            for a in 0..40 {
                for b in a..40 {
                    let is_p = all(100).contains(&[a, b]);
                    assert_eq!(claim.holds(&[a, b]), Ok(is_p), "{claim}: {a},{b}");
                }
            }
        }
    }

    #[test]
    fn other_pairs_are_not() {
        let squares: Vec<[u64; 2]> = (0..20).map(|n| [n, n * n + n]).collect();
        assert_eq!(pairs(&table_of(&squares, 400)), None);
    }
}
