//! False periods of nim-sequences.
//!
//! The values are computed by trying all moves, and of the periods that hold for a while those are
//! claimed that hold longest. A window ends where they cease to hold.

use super::{Forger, Forgery, Table, Truth};
use crate::lot::Lot;

/// The forger.
pub struct Period;

const FEATURES: &[&str] = &[
    "S(a,b,...)",
    "at most one heap",
    "two heaps",
    "two unequal heaps",
    "three heaps",
    "three unequal heaps",
    "digits to F",
    "leading digit",
    "long code",
    "braces",
    "endless code",
];

const LINES: &[&str] = &[
    "space none",
    "space value",
    "space position",
    "window W S, value",
    "window W S, position",
    "window W S N, value",
    "window W S N, position",
    "window, space none",
    "exception",
    "cycle",
];

/// The moves that take k tokens: how many heaps may be left, and whether these are unequal.
type Moves = Vec<(u32, bool)>;

/// Returns a code, its moves, and how many values are computed.
fn game(feature: usize, lot: &mut Lot) -> (String, Moves, usize) {
    let mut digits: Moves = vec![(0, false)];
    let length = if feature == 8 { 7 + lot.below(8) } else { 1 + lot.below(4) };
    let digit = |lot: &mut Lot| match feature {
        1 => lot.below(4),
        // Few moves: values that stay the same for a while.
        4 | 5 => *lot.one(&[0, 0, 0, 0, 0, 8, 4, 2, 9, 10, 12]),
        7 => *lot.one(&[0, 0, 1, 2, 3, 4]),
        6 => *lot.one(&[0, 1, 3, 7, 8, 10, 11, 13, 14, 15]),
        8 => *lot.one(&[0, 0, 0, 1, 2, 3, 4, 8]),
        _ => *lot.one(&[0, 1, 2, 3, 4, 5, 6, 7, 7]),
    } as u32;
    for _ in 0..length {
        let bits = digit(lot);
        digits.push((bits, false));
    }
    let last = digits.len() - 1;
    let at = 1 + lot.below(last);
    match feature {
        0 => {
            digits.iter_mut().skip(1).for_each(|digit| *digit = (3 * (lot.below(2) as u32), false));
            for _ in 0..lot.below(9) {
                digits.push((3 * (lot.below(2) as u32), false));
            }
            digits.push((3, false));
        }
        2 => digits[at].0 = 4 + lot.below(4) as u32,
        3 => {
            digits[at] = (4 + lot.below(4) as u32, true);
        }
        4 => digits[at].0 = 8 + lot.below(8) as u32,
        5 => digits[at] = (8 + lot.below(8) as u32, true),
        7 => digits[0] = (*lot.one(&[4, 8, 12, 4, 8]), lot.below(3) == 0),
        9 => digits[at].0 = *lot.one(&[16, 17, 18, 20, 24, 48, 32]),
        _ => {}
    }
    if feature > 0 && digits[last].0 == 0 {
        digits[last].0 = *lot.one(&[1, 2, 3]);
    }
    if (2..9).contains(&feature) && lot.below(if feature == 3 || feature == 5 { 2 } else { 6 }) == 0
    {
        for digit in digits.iter_mut().filter(|digit| digit.0 >= 4) {
            digit.1 |= lot.below(2) == 0;
        }
    }
    let name = match feature {
        0 => {
            let set: Vec<String> =
                (1..digits.len()).filter(|k| digits[*k].0 > 0).map(|k| k.to_string()).collect();
            format!("S({})", set.join(","))
        }
        _ => {
            let one = |(bits, unequal): &(u32, bool)| {
                let mark = if *unequal { "!" } else { "" };
                match bits {
                    0..16 => format!("{bits:X}{mark}"),
                    _ => {
                        let heaps: Vec<String> =
                            (0..6).filter(|i| bits >> i & 1 == 1).map(|i| i.to_string()).collect();
                        format!("{{{}}}{mark}", heaps.join(","))
                    }
                }
            };
            let rest: String = digits[1..].iter().map(one).collect();
            let rest = if feature == 10 { format!("[{rest}]") } else { rest };
            format!("{}.{rest}", one(&digits[0]))
        }
    };
    let parts = digits.iter().filter_map(|digit| digit.0.checked_ilog2()).max().unwrap_or(0);
    let count = match parts {
        0 | 1 => 900,
        2 => 420,
        3 => 130,
        _ => 44,
    };
    if feature == 10 {
        let period = digits[1..].to_vec();
        digits = (0..count)
            .map(|k| if k == 0 { digits[0] } else { period[(k - 1) % period.len()] })
            .collect();
    }
    (name, digits, count)
}

/// Returns the nim-values of heaps below `count`, by trying all moves.
fn values(moves: &Moves, count: usize) -> Vec<usize> {
    fn leave(
        rest: usize,
        heaps: u32,
        least: usize,
        gap: usize,
        sum: usize,
        values: &[usize],
        seen: &mut Vec<bool>,
    ) {
        if heaps == 1 {
            if rest >= least {
                let value = sum ^ values[rest];
                if value >= seen.len() {
                    seen.resize(value + 1, false);
                }
                seen[value] = true;
            }
            return;
        }
        let mut heap = least;
        while heap * heaps as usize <= rest {
            leave(rest - heap, heaps - 1, heap + gap, gap, sum ^ values[heap], values, seen);
            heap += 1;
        }
    }
    let mut values: Vec<usize> = Vec::with_capacity(count);
    for n in 0..count {
        let mut seen = vec![false; 8];
        for (taken, (bits, unequal)) in moves.iter().enumerate().take(n + 1) {
            let rest = n - taken;
            if bits & 1 == 1 && rest == 0 {
                seen[0] = true;
            }
            // Taking nothing needs more heaps: else nothing is lowered.
            for heaps in (1..6).filter(|heaps| bits >> heaps & 1 == 1 && (taken > 0 || *heaps > 1))
            {
                leave(rest, heaps, 1, usize::from(*unequal), 0, &values, &mut seen);
            }
        }
        values.push(seen.iter().position(|seen| !seen).unwrap_or(seen.len()));
    }
    values
}

/// Returns the first heap from `from` on whose value is not that of the heap a period before it;
/// all are so if there is none.
fn breaks(values: &[usize], period: usize, from: usize) -> Option<usize> {
    (from + period..values.len()).find(|n| values[*n] != values[n - period])
}

impl Forger for Period {
    fn table(&self) -> Table {
        Table { kind: "period", features: FEATURES, lines: LINES }
    }

    fn draw(&mut self, feature: usize, line: usize, lot: &mut Lot) -> Option<Forgery> {
        let (name, moves, count) = game(feature, lot);
        let values = values(&moves, count);
        let parts =
            moves.iter().filter_map(|digit| digit.0.checked_ilog2()).max().unwrap_or(0).max(1)
                as usize;
        let taken = if feature == 10 { 1 } else { moves.len() - 1 };
        let unequal = moves.iter().any(|digit| digit.1);
        let needed = |[period, from]: [usize; 2]| {
            parts * (from.max(1) + period) + taken + if unequal { period } else { 0 }
        };
        // The least period that holds, if there is one.
        let true_one = (1..count / 4).find_map(|period| {
            let from = (0..count - period).rev().find(|n| values[*n] != values[n + period]);
            let from = from.map_or(0, |n| n + 1);
            (needed([period, from]) + period < count && from + 3 * period < count)
                .then_some([period, from])
        });
        let mut claim = match (true_one, lot.below(6)) {
            (Some(claim), 0) => claim,
            (Some([period, from]), 1 | 2) => {
                let near = [
                    [period, from.checked_sub(1).unwrap_or(from)],
                    [period, from / 2],
                    [period + 1, from],
                    [period.max(2) - 1, from],
                    [(period / 2).max(1), from],
                    [(period / 3).max(1), from],
                    [2 * period, from.saturating_sub(period)],
                ];
                *lot.one(&near)
            }
            // What holds longest, and no longer.
            _ => {
                let mut all: Vec<(i64, [usize; 2])> = Vec::new();
                for period in 1..=count / 6 {
                    for from in 0..=count / 6 {
                        let claim = [period, from];
                        let Some(end) = breaks(&values, period, from) else { continue };
                        let least = if (3..8).contains(&line) {
                            period + from + taken
                        } else {
                            needed(claim)
                        };
                        all.push((end as i64 - least as i64, claim));
                    }
                }
                all.sort_unstable_by_key(|(score, claim)| (-score, *claim));
                let long = all.iter().take_while(|(score, _)| *score > 0).count().clamp(8, 400);
                all.truncate(long);
                if all.is_empty() {
                    return None;
                }
                lot.one(&all).1
            }
        };
        let exceptional = |claim: [usize; 2], n: usize| {
            let [period, from] = claim;
            let to = n + (from.saturating_sub(n)).div_ceil(period) * period;
            n < from && to < count && values[to] != values[n]
        };
        if line >= 8 && lot.below(2) == 0 {
            claim = true_one?;
        }
        let [period, from] = claim;
        let end = breaks(&values, period, from);
        let mut truth = match end {
            Some(n) => Truth::False(format!(
                "G({}) = {} and G({n}) = {}",
                n - period,
                values[n - period],
                values[n]
            )),
            None if needed(claim) + 5 < count => Truth::True,
            None => Truth::Unknown,
        };
        // The heap from which on the claim fails, a period before.
        let ends = end.map_or(count - period - 1, |n| n - period);
        let by_position = matches!(line, 2 | 4 | 6) || (line >= 8 && lot.below(4) == 0);
        let rare = |n: usize, mask: usize, turn: usize| {
            let odd = (values[n] & mask).count_ones() % 2 == 1;
            let turn = by_position && (n ^ turn) & 1 == 1;
            odd == turn
        };
        let pair = moves.iter().position(|digit| digit.0 & 4 != 0).unwrap_or(0);
        // A space in which few heaps are rare.
        let masks: Vec<usize> = (0..6).map(|_| 1 + lot.below(31)).collect();
        let mask = masks
            .into_iter()
            .min_by_key(|mask| (0..ends).filter(|n| rare(*n, *mask, pair)).count())?;
        let last = (0..ends).rev().find(|n| rare(*n, mask, pair)).unwrap_or(0);
        let space = match (line, by_position) {
            (0 | 7, _) => "none".to_owned(),
            (8 | 9, _) if lot.below(2) == 0 => "none".to_owned(),
            (_, true) => format!("position {mask}"),
            _ => format!("value {mask}"),
        };
        let mut body = format!("period {period}\npreperiod {from}\nspace {space}\n");
        if (3..8).contains(&line) {
            let long = matches!(line, 5 | 6) || (line == 7 && lot.below(2) == 0);
            let most = if long { ends.checked_sub(1)? / 3 } else { ends.checked_sub(from)? };
            let widths =
                [last + taken + 1, taken + 1, last + 1, most, 1 + lot.below(most.max(1)), taken];
            // Most often one that fits between what precedes the period and its end.
            let fit: Vec<usize> = widths
                .into_iter()
                .filter(|width| *width > taken && *width <= ends.saturating_sub(from))
                .collect();
            let width = if fit.is_empty() || lot.below(6) == 0 {
                *lot.one(&widths)
            } else {
                *lot.one(&fit)
            };
            let start = match lot.below(4) {
                0 => from + width + lot.below(20),
                _ => ends.saturating_sub(lot.below(3)),
            };
            body += &match long {
                false => format!("window {width} {start}\n"),
                true => {
                    let since = (3 * width + 1 + lot.below(4)).min(start.max(3 * width));
                    format!("window {width} {start} {since}\n")
                }
            };
        }
        if line == 8 {
            let right: Vec<usize> =
                (0..from.min(count)).filter(|n| exceptional(claim, *n)).collect();
            let known = |n: usize| n < from && n < count;
            let mut listed: Vec<(usize, usize)> = right.iter().map(|n| (*n, values[*n])).collect();
            match lot.below(4) {
                0 if !listed.is_empty() => {
                    let at = lot.below(listed.len());
                    listed[at].1 ^= 1;
                }
                1 if !listed.is_empty() => {
                    let at = lot.below(listed.len());
                    listed[at].0 += 1;
                }
                2 => {
                    let n = lot.below(from + period);
                    listed.push((n, *values.get(n)?));
                }
                _ => {}
            }
            for (n, value) in &listed {
                body += &format!("exception {n} {value}\n");
                if !known(*n) || values[*n] != *value || !exceptional(claim, *n) {
                    truth = Truth::False(format!("heap {n} is no exception of value {value}"));
                }
            }
        }
        if line == 9 {
            let start = from.div_ceil(period) * period;
            let mut cycle = values.get(start..start + period)?.to_vec();
            if lot.below(2) == 0 {
                let at = lot.below(period);
                cycle[at] ^= 1;
                truth =
                    Truth::False(format!("the heap {} of the cycle has another value", start + at));
            }
            let cycle: Vec<String> = cycle.iter().map(usize::to_string).collect();
            body += &format!("cycle {}\n", cycle.join(" "));
        }
        let claim = format!("the nim-values of single heaps have period {period} from {from} on");
        Some(Forgery::new("period", &name, &claim, &body, truth))
    }
}
