//! Win conditions by fitted words, for sets whose thresholds grow at several rates.
//!
//! Idea: v_{c+1}(n) − v_c(n) is ±1, so for fixed n the values are a path of steps up and down. In
//! every set tried the paths of n = i + Pk are words u₀ w₀^(α₀k+β₀) u₁ w₁^(α₁k+β₁) … with a
//! constant tail. The words are guessed from three consecutive k, and then proved for all k ≥ K by
//! induction on n. On the cells between the places where one of the words in v(n) = max(−a − v(n −
//! a)) changes, all sides are affine in k and in the number of periods, so the equation is checked
//! at the corners only. The proof is in docs/design/cash.md.

use super::invariant;
use super::paths::{Line, Paths};
use bouton_core::{LimitReached, Meter};
use num_bigint::BigInt;

/// A number that is affine in k: `slope`·k + `at_zero`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Affine {
    /// The coefficient of k.
    pub slope: i64,
    /// The number at k = 0.
    pub at_zero: i64,
}

impl Affine {
    fn constant(at_zero: i64) -> Affine {
        Affine { slope: 0, at_zero }
    }
    fn plus(self, other: Affine, times: i64) -> Affine {
        Affine {
            slope: self.slope + times * other.slope,
            at_zero: self.at_zero + times * other.at_zero,
        }
    }
    fn at(self, k: i64) -> i64 {
        self.slope * k + self.at_zero
    }
    /// Returns the same number in terms of k' = k − by.
    fn earlier(self, by: i64) -> Affine {
        Affine { at_zero: self.at_zero - by * self.slope, ..self }
    }
}

/// A power of a word of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordPower {
    /// The steps, up (true) or down; not empty.
    pub steps: Vec<bool>,
    /// The exponent.
    pub times: Affine,
}

/// The path c ↦ v_c(n), c ≥ 0, for n = i + Pk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// v_0(n).
    pub start: i64,
    /// The powers from c = 0 on.
    pub powers: Vec<WordPower>,
    /// Whether the tail rises.
    pub rises: bool,
}

/// The paths for all n from P·K on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    set: Vec<u64>,
    /// K.
    pub first: i64,
    /// The paths for n ≡ 0, 1, …, P − 1 (mod P).
    pub paths: Vec<Path>,
    /// The lines for n < P·K, which hold for large c.
    lines: Vec<Line>,
}

/// The numbers of stones for which paths are computed, one attempt after the other.
const ATTEMPTS: [usize; 3] = [1500, 4000, 10_000];
/// The greatest period of steps that is sought.
const MAX_STEPS: usize = 480;
/// The greatest common period of the sides of an equation.
const MAX_PERIOD: i64 = 1 << 20;
/// A run shorter than this, or than three periods, is spelt out.
const MIN_RUN: usize = 24;

fn net(steps: &[bool]) -> i64 {
    steps.iter().map(|up| if *up { 1 } else { -1 }).sum()
}

/// Splits a word into runs of a period and single letters: from the left, always the period that
/// reaches farthest.
fn split(word: &[bool]) -> Vec<(Vec<bool>, i64)> {
    let mut powers: Vec<(Vec<bool>, i64)> = Vec::new();
    let mut loose = Vec::new();
    let mut at = 0;
    while at < word.len() {
        let reach = |period: usize| {
            let same = (at + period..word.len())
                .take_while(|place| word[*place] == word[place - period])
                .count();
            period + same
        };
        let longest = (1..=MAX_STEPS.min(word.len() - at))
            .map(|period| (reach(period), period))
            .filter(|(reach, period)| *reach >= MIN_RUN.max(3 * period))
            .max_by_key(|(reach, period)| (*reach, std::cmp::Reverse(*period)));
        match longest {
            Some((reach, period)) => {
                if !loose.is_empty() {
                    powers.push((std::mem::take(&mut loose), 1));
                }
                powers.push((word[at..at + period].to_vec(), (reach / period) as i64));
                at += reach / period * period;
            }
            None => {
                loose.push(word[at]);
                at += 1;
            }
        }
    }
    if !loose.is_empty() {
        powers.push((loose, 1));
    }
    powers
}

impl Words {
    /// Returns the path for n, n − P and n − 2P if one word with affine exponents fits all three.
    /// `k` belongs to the first n.
    fn fit(paths: &Paths, modulus: usize, n: usize, k: i64) -> Option<Path> {
        let [last, middle, first] =
            [n, n - modulus, n - 2 * modulus].map(|n| (paths.start(n), paths.line(n).rises, n));
        if (last.0, last.1) != (middle.0, middle.1) || (last.0, last.1) != (first.0, first.1) {
            return None;
        }
        let [x, y, z] = [first, middle, last].map(|(_, _, n)| split(&paths.word(n)));
        if x.len() != y.len() || y.len() != z.len() {
            return None;
        }
        let powers = x.into_iter().zip(y).zip(z).map(|((x, y), z)| {
            let slope = z.1 - y.1;
            let fits = x.0 == y.0 && y.0 == z.0 && y.1 - x.1 == slope;
            fits.then(|| WordPower {
                steps: z.0,
                times: Affine { slope, at_zero: z.1 - slope * k },
            })
        });
        Some(Path { start: last.0, powers: powers.collect::<Option<_>>()?, rises: last.1 })
    }
    /// Searches for words and proves them; `None` if none can be proved. Charges one node per n of
    /// a table.
    pub fn find(set: &[u64], meter: &mut Meter) -> Result<Option<Words>, LimitReached> {
        for reach in ATTEMPTS {
            if set.last().is_none_or(|a| *a > reach as u64 / 8) {
                continue;
            }
            let paths = Paths::new(set, reach, meter)?;
            let Some(base) = paths.period(reach / 2) else { continue };
            for modulus in (base..=reach / 4).step_by(base) {
                meter.spend_one()?;
                // Most moduli fail at one of a few n.
                let samples = [0, 7, 14, 21, 28].map(|back| reach - back % modulus);
                if samples.iter().any(|n| Words::fit(&paths, modulus, *n, 0).is_none()) {
                    continue;
                }
                let last = reach / modulus - 3;
                let Some(words) = Words::guess(set, &paths, modulus, last) else { continue };
                let earlier = (0..=last as i64).map(|first| words.starting_at(&paths, first));
                if let Some(words) =
                    earlier.into_iter().find(|w| w.base_holds(&paths) && w.step_holds())
                {
                    return Ok(Some(words));
                }
            }
        }
        Ok(None)
    }

    /// Returns words for n = i + Pk that fit for k = `first`, `first` + 1 and `first` + 2, if there
    /// are any.
    fn guess(set: &[u64], paths: &Paths, modulus: usize, first: usize) -> Option<Words> {
        let all = (0..modulus)
            .map(|i| Words::fit(paths, modulus, i + modulus * (first + 2), first as i64 + 2));
        let words = Words {
            set: set.to_vec(),
            first: 0,
            paths: all.collect::<Option<_>>()?,
            lines: Vec::new(),
        };
        Some(words.starting_at(paths, first as i64))
    }

    /// Returns the same words, claimed from another K on.
    fn starting_at(&self, paths: &Paths, first: i64) -> Words {
        let lines = (0..self.paths.len() * first as usize).map(|n| paths.line(n)).collect();
        Words { first, lines, ..self.clone() }
    }

    /// Returns whether the words are correct for max A values of n from P·K on.
    fn base_holds(&self, paths: &Paths) -> bool {
        let modulus = self.paths.len();
        let start = modulus * self.first as usize;
        (start..start + self.set.last().map_or(0, |a| *a as usize)).all(|n| {
            let path = &self.paths[n % modulus];
            let (k, line) = ((n / modulus) as i64, paths.line(n));
            let powers = path.powers.iter().map(|power| (&power.steps, power.times.at(k)));
            let mut word: Vec<bool> = Vec::new();
            for (steps, times) in powers {
                match usize::try_from(times) {
                    Ok(times) => {
                        word.extend(steps.iter().copied().cycle().take(steps.len() * times))
                    }
                    Err(_) => return false,
                }
            }
            word.truncate(
                word.iter().rposition(|up| *up != path.rises).map_or(0, |place| place + 1),
            );
            (path.start, path.rises) == (paths.start(n), line.rises) && word == paths.word(n)
        })
    }

    /// Returns v_c(n) for c ≥ 0.
    pub fn value(&self, n: &BigInt, c: &BigInt) -> BigInt {
        let modulus = self.paths.len();
        let k: BigInt = n / modulus;
        let residue = usize::try_from(n % modulus).unwrap_or(0);
        if k < BigInt::from(self.first) {
            let n = residue + modulus * usize::try_from(k).unwrap_or(0);
            let line = self.lines[n];
            return match i64::try_from(c) {
                Ok(c) if c < line.from => invariant::value(&self.set, n, c).into(),
                _ if line.rises => c + line.shift,
                _ => line.shift - c,
            };
        }
        let path = &self.paths[residue];
        let (mut left, mut value) = (c.clone(), BigInt::from(path.start));
        for power in &path.powers {
            let times: BigInt = &k * power.times.slope + power.times.at_zero;
            let length: BigInt = &times * power.steps.len();
            if left < length {
                let rest = usize::try_from(&left % power.steps.len()).unwrap_or(0);
                return value
                    + left / power.steps.len() * net(&power.steps)
                    + net(&power.steps[..rest]);
            }
            left -= length;
            value += times * net(&power.steps);
        }
        if path.rises { value + left } else { value - left }
    }

    /// Returns whether the induction from n − a to n holds for all n ≥ P·K + max A.
    fn step_holds(&self) -> bool {
        let (modulus, most) = (self.paths.len() as i64, self.set.last().map_or(0, |a| *a as i64));
        (0..modulus).all(|i| {
            let first = if i < most % modulus {
                self.first + most / modulus + 1
            } else {
                self.first + most / modulus
            };
            let claimed = PathWalk::new(&self.paths[i as usize], 1, 0, 0);
            let options: Vec<PathWalk<'_>> = self
                .set
                .iter()
                .map(|a| {
                    let before = i - *a as i64;
                    PathWalk::new(
                        &self.paths[before.rem_euclid(modulus) as usize],
                        -1,
                        -(*a as i64),
                        -before.div_euclid(modulus),
                    )
                })
                .collect();
            is_maximum(claimed, options, first)
        })
    }
}

/// A path that is followed through c: sign·v + shift, and the start of its present power.
struct PathWalk<'p> {
    path: &'p Path,
    sign: i64,
    /// The path uses k' = k − delay.
    delay: i64,
    /// The present power; past the last one, the tail.
    power: usize,
    /// c and the value at the start of the present power.
    started: Affine,
    value: Affine,
}

impl PathWalk<'_> {
    fn new(path: &Path, sign: i64, shift: i64, delay: i64) -> PathWalk<'_> {
        let zero = Affine::constant(0);
        PathWalk {
            path,
            sign,
            delay,
            power: 0,
            started: zero,
            value: Affine::constant(sign * path.start + shift),
        }
    }
    fn steps(&self) -> &[bool] {
        match self.path.powers.get(self.power) {
            Some(power) => &power.steps,
            None if self.path.rises => &[true],
            None => &[false],
        }
    }
    /// Returns the end of the present power; the tail has none.
    fn end(&self) -> Option<Affine> {
        let power = self.path.powers.get(self.power)?;
        Some(self.started.plus(power.times.earlier(self.delay), power.steps.len() as i64))
    }
    fn advance(&mut self) {
        let Some(end) = self.end() else { return };
        let power = &self.path.powers[self.power];
        self.value =
            self.value.plus(power.times.earlier(self.delay), self.sign * net(&power.steps));
        self.started = end;
        self.power += 1;
    }
    /// Returns the value `offset` steps after `from`, a place in the present power; `None` if it is
    /// not affine in k.
    fn value_at(&self, from: Affine, offset: i64) -> Option<Affine> {
        let steps = self.steps();
        let len = steps.len() as i64;
        let passed = from.plus(self.started, -1);
        if passed.slope % len != 0 {
            return None;
        }
        let passed = Affine { at_zero: passed.at_zero + offset, ..passed };
        let rest = passed.at_zero.rem_euclid(len);
        let periods = Affine { slope: passed.slope / len, at_zero: (passed.at_zero - rest) / len };
        let within = self.sign * net(&steps[..rest as usize]);
        Some(self.value.plus(periods, self.sign * net(steps)).plus(Affine::constant(within), 1))
    }
}

/// Returns whether `claimed` is the maximum of `options` at every c ≥ 0 for every k ≥ `first`.
fn is_maximum<'p>(mut claimed: PathWalk<'p>, mut options: Vec<PathWalk<'p>>, first: i64) -> bool {
    let mut from = Affine::constant(0);
    // Every power has a length, and keeps one.
    let lasts = |walk: &PathWalk<'_>| {
        walk.path
            .powers
            .iter()
            .all(|p| p.times.slope >= 0 && p.times.earlier(walk.delay).at(first) >= 0)
    };
    if !options.iter().chain([&claimed]).all(lasts) {
        return false;
    }
    loop {
        // The cell ends where the first of the present powers ends, for all k; otherwise the order
        // is undecided.
        let ends: Vec<Affine> =
            options.iter().chain([&claimed]).filter_map(PathWalk::end).collect();
        let to = ends.iter().copied().min_by_key(|end| (end.at(first), end.slope));
        if to.is_some_and(|to| ends.iter().any(|end| end.slope < to.slope)) {
            return false;
        }
        if !cell_holds(&claimed, &options, from, to, first) {
            return false;
        }
        let Some(to) = to else { return true };
        for walk in options.iter_mut().chain([&mut claimed]) {
            while walk.end() == Some(to) {
                walk.advance();
            }
        }
        from = to;
    }
}

/// Returns whether the claim is the maximum on from ≤ c < to for all k ≥ first.
fn cell_holds(
    claimed: &PathWalk<'_>,
    options: &[PathWalk<'_>],
    from: Affine,
    to: Option<Affine>,
    first: i64,
) -> bool {
    let length = to.map(|to| to.plus(from, -1));
    // A cell of bounded length is checked step by step, any other by one period and the rates.
    let bounded = length.filter(|length| length.slope == 0);
    let mut period = 1;
    for walk in options.iter().chain([claimed]).filter(|_| bounded.is_none()) {
        let len = walk.steps().len() as i64;
        period = period / num_integer::gcd(period, len) * len;
        if period > MAX_PERIOD {
            return false;
        }
    }
    let offsets = bounded.map_or(period, |length| length.at_zero);
    (0..offsets).all(|offset| {
        // The value, its increase per k, and its increase per period.
        let affine = |walk: &PathWalk<'_>| {
            let value = walk.value_at(from, offset)?;
            let rate = || walk.sign * net(walk.steps()) * (period / walk.steps().len() as i64);
            Some((value, if bounded.is_some() { 0 } else { rate() }))
        };
        let Some((best, best_rate)) = affine(claimed) else { return false };
        let mut reached = false;
        for option in options {
            let Some((value, rate)) = affine(option) else { return false };
            reached |= value == best && rate == best_rate;
            let gap = best.plus(value, -1);
            let rate = best_rate - rate;
            // At the corner k = first, and along both edges from it.
            let safe = gap.at(first) >= 0 && gap.slope >= 0;
            let far = match length {
                None => rate >= 0,
                // The last period is exact if every k adds whole periods; otherwise it reaches
                // slightly too far.
                Some(length) => {
                    let is_exact = length.slope % period == 0;
                    let reach = length.at(first) - 1 - offset;
                    let reach = reach - if is_exact { reach.rem_euclid(period) } else { 0 };
                    let at_end = |gap: i64, reach: i64| gap * period + rate * reach;
                    at_end(gap.at(first), reach) >= 0 && at_end(gap.slope, length.slope) >= 0
                }
            };
            if !(safe && (far || bounded.is_some())) {
                return false;
            }
        }
        reached
    })
}
