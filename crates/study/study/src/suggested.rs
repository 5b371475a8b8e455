//! Digits that the P-positions of a table suggest, and what goes on as the table begins.
//!
//! The pairs of Fraenkel's games (1998) lie by a line whose slope is the greatest root of the
//! recurrence of their digits. Of one heap with a number remembered, the sizes at which more may be
//! remembered in P-positions than at any lower one may be a recurrence themselves, as the numbers
//! of Fibonacci are in Fibonacci Nim.

use bouton_conjecture::OutcomeTable;
use bouton_core::{Arrange, DigitSystem};

/// The fewest pairs that suggest a ratio, how far off their line they are at most, and how far off
/// a root the ratio is, times the greatest lesser number.
const MIN_RATIO_PAIRS: usize = 8;
const OFF: f64 = 6.0;
const OFF_ROOT: f64 = 4.0;
/// The greatest coefficient of a recurrence.
const COEFFICIENT: usize = 9;
/// So many numbers are paired as the pairs of a table are, and so many are held against an
/// automaton.
const PAIRED: usize = 1 << 20;
/// Pairs continue as they did so many pairs before, at most.
const PAIRS_PERIOD: usize = 4;
/// The greatest order of a recurrence of sizes, and how many sizes at most it does not tell.
const ORDER: usize = 4;
const LATE_SIZES: usize = 4;

/// Pairs of numbers, the lesser first, in order: all of which the lesser is below a number.
#[derive(Default)]
pub(crate) struct Continued {
    pub(crate) pairs: Vec<[u32; 2]>,
    below: u64,
}

impl Continued {
    /// Returns whether two numbers are a pair; `None` where that is not known.
    pub(crate) fn is_pair(&self, a: u64, b: u64) -> Option<bool> {
        let known = |lesser: u64| u32::try_from(lesser).ok().filter(|_| lesser < self.below);
        let pair = [known(a.min(b))?, u32::try_from(a.max(b)).ok()?];
        Some(self.pairs.binary_search(&pair).is_ok())
    }
}

/// Continues the pairs of a table of two heaps by what they seem to be: the n-th one is a, b with a
/// the least number in none before, as in Fraenkel's games (1998), or again that of the pair
/// before, and b = s·a + g, but for the first ones. There is a period after which the same ones
/// repeat a, and g is t more. Returns none if they are not so.
pub(crate) fn continued(table: &OutcomeTable) -> Continued {
    let pairs =
        table.p_positions().filter_map(|p| if let [a, b] = *p { Some([a, b]) } else { None });
    let mut all: Vec<[i64; 2]> = pairs.map(|pair| pair.map(i64::from)).collect();
    if all.iter().any(|[a, b]| !table.is_p(&[*b, *a])) {
        return Continued::default();
    }
    all.iter_mut().for_each(|pair| pair.arrange());
    all.arrange();
    all.dedup();
    let repeats = |number: usize| number > 0 && all[number][0] == all[number - 1][0];
    let rule = |[period, first, s]: [usize; 3]| {
        let gap = |number: usize| all[number][1] - s as i64 * all[number][0];
        let t = gap(first + period) - gap(first);
        let is_kept = |number: usize| {
            gap(number + period) - gap(number) == t
                && (number == first || repeats(number + period) == repeats(number))
        };
        let goes_on = (1..=period).any(|place| !repeats(first + place));
        let is_rule = goes_on && (first..all.len() - period).all(is_kept);
        is_rule.then_some(([period, first, s], t))
    };
    let periods = (1..=PAIRS_PERIOD).filter(|period| all.len() > MIN_RATIO_PAIRS * period);
    let found = periods.flat_map(|period| {
        let firsts = 0..=MIN_RATIO_PAIRS.min(all.len() - MIN_RATIO_PAIRS * period - 1);
        firsts.flat_map(move |first| (1..=9).map(move |s| [period, first, s]))
    });
    let Some(([period, first, s], t)) = found.into_iter().find_map(rule) else {
        return Continued::default();
    };
    let mut is_used = vec![false; PAIRED];
    let mut pairs: Vec<[i64; 2]> = Vec::new();
    let mut least = 0;
    loop {
        let number = pairs.len();
        let place = first + number.saturating_sub(first) % period;
        // The first of a period may differ from that of the next ones.
        let again = repeats(if place == first && number > first { first + period } else { place });
        while is_used.get(least) == Some(&true) {
            least += 1;
        }
        let lesser = if again && number > 0 { pairs[number - 1][0] } else { least as i64 };
        let pair = match all.get(number) {
            Some(pair) if number > first && pair[0] != lesser => return Continued::default(),
            Some(pair) => *pair,
            None if lesser >= PAIRED as i64 => break,
            None => {
                let [a, b] = all[place];
                let steps = ((number - first) / period) as i64;
                [lesser, s as i64 * (lesser - a) + b + t * steps]
            }
        };
        for own in pair {
            if let Some(is_used) = is_used.get_mut(own as usize) {
                *is_used = true;
            }
        }
        pairs.push(pair);
    }
    pairs.iter_mut().for_each(|pair| pair.arrange());
    pairs.arrange();
    let in_words =
        |pair: [i64; 2]| Some([u32::try_from(pair[0]).ok()?, u32::try_from(pair[1]).ok()?]);
    let Some(pairs) = pairs.into_iter().map(in_words).collect() else {
        return Continued::default();
    };
    Continued { pairs, below: PAIRED as u64 }
}

/// Returns the digits that a table suggests, the likeliest first: by the ratio of its pairs, or by
/// the sizes of a heap beside what is remembered.
pub(crate) fn digits(table: &OutcomeTable, is_remembering: bool) -> Vec<DigitSystem> {
    let mut all = by_ratio(table);
    if all.is_empty() && is_remembering {
        all.extend(by_sizes(table));
    }
    all
}

/// Returns the number β with 1 = a₁/β + a₂/β² + …, of coefficients of which the latter repeat for
/// ever.
fn root(once: &[usize], for_ever: &[usize]) -> f64 {
    // Σ aᵢ/xⁱ falls.
    let ending = |own: &[usize], x: f64| {
        own.iter().rev().fold(0.0, |sum, coefficient| (sum + *coefficient as f64) / x)
    };
    let sum = |x: f64| {
        let period = x.powi(for_ever.len() as i32);
        let repeated =
            if for_ever.is_empty() { 0.0 } else { ending(for_ever, x) * period / (period - 1.0) };
        ending(once, x) + repeated / x.powi(once.len() as i32)
    };
    let halved = |[low, high]: [f64; 2]| {
        let middle = (low + high) / 2.0;
        if sum(middle) > 1.0 { [middle, high] } else { [low, middle] }
    };
    (0..50).fold([1.0, 11.0], |range, _| halved(range))[0]
}

/// Returns the digits by recurrences whose greatest root the ratio of pairs is near: of two terms,
/// as of Fraenkel's games (1998), by a, b, b, …, or by 1 and 1 with two to four places between. The
/// whole part may be another one where the product of both roots is 1 or −1. Pairs are positions in
/// which two numbers alone are not 0.
fn by_ratio(table: &OutcomeTable) -> Vec<DigitSystem> {
    let mut pairs: Vec<[f64; 2]> = Vec::new();
    for p in table.p_positions() {
        let mut numbers: Vec<u16> = p.iter().copied().filter(|number| *number > 0).collect();
        numbers.arrange();
        if let [lesser, greater] = numbers[..] {
            pairs.push([lesser.into(), greater.into()]);
        }
    }
    let top = pairs.iter().map(|[lesser, _]| *lesser).fold(0.0, f64::max);
    // The line that the pairs lie by.
    let mean =
        |of: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let centre = [mean(&|pair| pair[0]), mean(&|pair| pair[1])];
    let from_centre = |side: usize, pair: &[f64; 2]| pair[side] - centre[side];
    let spread = mean(&|pair| from_centre(0, pair).powi(2));
    let ratio = mean(&|pair| from_centre(0, pair) * from_centre(1, pair)) / spread;
    let is_near =
        |pair: &[f64; 2]| (from_centre(1, pair) - ratio * from_centre(0, pair)).abs() <= OFF;
    if pairs.len() < MIN_RATIO_PAIRS || !pairs.iter().all(is_near) {
        return Vec::new();
    }
    let off = |(once, for_ever): &(Vec<usize>, Vec<usize>)| {
        // Where the product of both roots is 1 or −1 the ratio is often another number with the
        // same digits behind the point.
        let has_other_whole_parts = match (&once[..], &for_ever[..]) {
            ([_, last], []) => *last == 1,
            ([first], [repeated]) => *first == repeated + 1,
            _ => false,
        };
        let root = root(once, for_ever);
        if has_other_whole_parts {
            (ratio.fract() - root.fract()).abs()
        } else {
            (ratio - root).abs()
        }
    };
    let of_two = (1..=COEFFICIENT).flat_map(|first| (1..=first).map(move |last| vec![first, last]));
    let ending = of_two.chain([vec![1, 0, 1], vec![1, 0, 0, 1], vec![1, 0, 0, 0, 1]]);
    // By t² + 1, t², t², … the same is read as by t, 1: the root is the square of the other one.
    let is_square = |once: usize, own: usize| once == own + 1 && own.isqrt().pow(2) == own;
    let repeating = (2..=COEFFICIENT).flat_map(|once| {
        let others = (1..once).filter(move |own| !is_square(once, *own));
        others.map(move |own| (vec![once], vec![own]))
    });
    let all = ending.map(|own| (own, Vec::new())).chain(repeating);
    let mut near: Vec<_> = all.map(|own| (off(&own), own)).collect();
    near.retain(|(off, _)| *off <= OFF_ROOT / top);
    // Those that repeat come last: they are many.
    near.sort_by(|(one, (_, own)), (other, (_, others))| {
        let repeats = own.len().cmp(&others.len());
        repeats.then(one.total_cmp(other))
    });
    near.into_iter()
        .filter_map(|(_, (once, for_ever))| DigitSystem::from_coefficients(&once, &for_ever))
        .collect()
}

/// Returns the digits by the recurrence of the sizes at which more may be remembered in P-positions
/// than at any lower one; of two numbers, the second of which is remembered.
fn by_sizes(table: &OutcomeTable) -> Option<DigitSystem> {
    let most = table.most() as i64;
    let (mut sizes, mut record) = (Vec::new(), 0);
    for size in 1..=most {
        let lost = (1..=most).take_while(|number| table.is_p(&[size, *number])).count();
        if lost > record && lost < table.most() as usize {
            record = lost;
            sizes.push(size as usize);
        }
    }
    let is_rule = |own: &[usize], from: usize| {
        (from + own.len()..sizes.len()).all(|at| {
            let before = sizes[..at].iter().rev();
            own.iter().zip(before).map(|(own, size)| own * size).sum::<usize>() == sizes[at]
        })
    };
    (2..=ORDER).find_map(|order| {
        let latest = sizes.len().checked_sub(2 * order + 1)?.min(LATE_SIZES);
        let base = COEFFICIENT + 1;
        let own = |code: usize| -> Vec<usize> {
            (0..order as u32).map(|place| code / base.pow(place) % base).collect()
        };
        let mut all = (0..base.pow(order as u32)).map(own);
        all.find_map(|own| {
            if is_rule(&own, latest) { DigitSystem::from_coefficients(&own, &[]) } else { None }
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::tables::Tables;
    use bouton_core::{Budget, Play};
    use bouton_games::RuleFile;

    /// Games of two heaps: one is lowered by so much at least, or both, by numbers that differ by
    /// less than a width. The P-positions of a small table are continued as the rules say; in the
    /// last game they have no period.
    #[test]
    fn pairs_go_on_as_the_rules_say() {
        for (one, both, width, goes_on) in
            [(1, 1, 1, true), (1, 1, 2, true), (2, 1, 2, true), (1, 2, 2, true), (1, 2, 1, false)]
        {
            let most = 200;
            let mut lost = vec![vec![false; most + 1]; most + 1];
            for a in 0..=most {
                for b in 0..=most {
                    let lowers = (one..=a).any(|k| lost[a - k][b])
                        || (one..=b).any(|k| lost[a][b - k])
                        || (both..=a).any(|k| {
                            let least = both.max((k + 1).saturating_sub(width));
                            (least..=b.min(k + width - 1)).any(|l| lost[a - k][b - l])
                        });
                    lost[a][b] = !lowers;
                }
            }
            let text = format!(
                "name = \"pairs\"\nheaps = 2\nsymmetry = \"full\"\nmove = \"\
                 q0 = p0 & p1 >= q1+{one} | q1 = p1 & p0 >= q0+{one} | \
                 p0 >= q0+{both} & p1 >= q1+{both} & \
                 p0+q1 < p1+q0+{width} & p1+q0 < p0+q1+{width}\"\n"
            );
            let game = RuleFile::parse(&text).unwrap().game();
            let (stated, budget) = (game.heap_game().unwrap(), Budget::default());
            let tables = Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {});
            let continued = continued(&tables.make(2, 60).unwrap().table);
            assert_eq!(!continued.pairs.is_empty(), goes_on, "{text}");
            for (a, row) in lost.iter().enumerate().filter(|_| goes_on) {
                for (b, is_p) in row.iter().enumerate() {
                    let known = continued.is_pair(a as u64, b as u64);
                    assert_eq!(known, Some(*is_p), "{a}, {b}: {text}");
                }
            }
            assert_eq!(continued.is_pair(1 << 20, 1 << 21), None);
        }
    }

    /// Returns the usual table of a rule file's game.
    fn table_of(rules: &str, numbers: usize, most: u64) -> OutcomeTable {
        let game = RuleFile::parse(&format!("name = \"suggests\"\n{rules}")).unwrap().game();
        let (stated, budget) = (game.heap_game().unwrap(), Budget::default());
        let tables = Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {});
        tables.make(numbers, most).unwrap().table
    }

    /// At most twice what was taken last (Whinihan 1963), three times less one, and three times:
    /// sizes are sums of the last one and the one before, the one two before, and three before
    /// (Schwenk, Take-away games, Fibonacci Quart. 8, 1970). No sizes stand out where as many may
    /// be taken as before.
    #[test]
    fn sizes_suggest_digits() {
        let rules = |most: &str| {
            format!("heaps = 1\nmemory = 1\nmove = \"q0 < p0 & p0 <= q0+p1 & {most}\"\n")
        };
        for (most, own) in [
            ("q1+2*q0 = 2*p0", Some(&[1, 1][..])),
            ("q1+3*q0+1 = 3*p0", Some(&[1, 0, 1])),
            ("q1+3*q0 = 3*p0", Some(&[1, 0, 0, 1])),
            ("q1+q0 = p0", None),
        ] {
            let table = table_of(&rules(most), 2, 400);
            let own = own.and_then(|own| DigitSystem::from_coefficients(own, &[]));
            assert_eq!(by_sizes(&table), own, "{most}");
        }
    }

    /// The ratio of pairs of Wythoff's game with diagonals of width 2, with three where a heap
    /// loses two at least, and where both heaps lose two at least.
    #[test]
    fn ratios_suggest_digits() {
        for (one, both, width, own) in
            [(1, 1, 2, &[2, 1][..]), (2, 1, 3, &[3, 2]), (1, 2, 1, &[1, 0, 0, 1])]
        {
            let rules = format!(
                "heaps = 2\nsymmetry = \"full\"\nmove = \"\
                 q0 = p0 & p1 >= q1+{one} | q1 = p1 & p0 >= q0+{one} | \
                 p0 >= q0+{both} & p1 >= q1+{both} & \
                 p0+q1 < p1+q0+{width} & p1+q0 < p0+q1+{width}\"\n"
            );
            let found = by_ratio(&table_of(&rules, 2, 400));
            assert_eq!(
                found.first().copied(),
                DigitSystem::from_coefficients(own, &[]),
                "{rules}: {found:?}"
            );
        }
    }

    #[test]
    fn greatest_roots() {
        for (once, for_ever, known) in [
            (&[1, 1][..], &[][..], 1.618_033_988_749_895),
            (&[2, 2], &[], 1.0 + 3f64.sqrt()),
            (&[1, 0, 1], &[], 1.465_571_231_876_768),
            (&[1, 0, 0, 1], &[], 1.380_277_569_097_614),
            (&[1, 0, 0, 0, 1], &[], 1.324_717_957_244_746),
            (&[3], &[2], 2.0 + 3f64.sqrt()),
            (&[3], &[1, 2], 3.490_863_615_361_031),
        ] {
            let own = root(once, for_ever);
            assert!((own - known).abs() < 1e-9, "{once:?} {for_ever:?}: {own}");
        }
    }
}
