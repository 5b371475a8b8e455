//! One form for a heap in all games of a family: pieces of a period whose ends are linear in the
//! parameters.
//!
//! In `S(1,2,h)` the heaps below h are P in steps of 3, whatever h is; then the period ends. So the
//! heaps of a period are split, for a step p, into the fewest pieces in which a heap and the one p
//! further are alike. If all games have as many pieces, alike in each of them, and every end is
//! linear in the parameters, the family has a form.

use std::fmt::Write;

/// Steps within a piece, at most; pieces of a period, at most.
const MOST_STEP: usize = 12;
const MOST_PIECES: usize = 6;
/// Coefficients and denominators of an end, at most.
const MOST_SLOPE: i64 = 4;
const MOST_DIVISOR: i64 = 3;
/// The number of games from which a form is read, at least.
const LEAST_GAMES: usize = 3;

/// A number that is linear in the parameters: (Σ slopes · parameters + offset) / by.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LinearNumber {
    slopes: Vec<i64>,
    offset: i64,
    by: i64,
}

impl LinearNumber {
    /// Returns the number with the least coefficients that has these values, if there is one.
    fn through(points: &[(&[i64], i64)]) -> Option<LinearNumber> {
        let (first, value) = points.first()?;
        let count = first.len() as u32;
        let width = (2 * MOST_SLOPE + 1) as usize;
        let mut best: Option<(i64, LinearNumber)> = None;
        for by in 1..=MOST_DIVISOR {
            for code in 0..width.pow(count) {
                let slope = |at: u32| (code / width.pow(at) % width) as i64 - MOST_SLOPE;
                let slopes: Vec<i64> = (0..count).map(slope).collect();
                let sum = |values: &[i64]| slopes.iter().zip(values).map(|(a, b)| a * b).sum::<i64>();
                let offset = by * value - sum(first);
                if points.iter().any(|(values, value)| sum(values) + offset != by * value) {
                    continue;
                }
                let size = 10 * by + slopes.iter().map(|slope| slope.abs()).sum::<i64>();
                if best.as_ref().is_none_or(|(least, _)| size < *least) {
                    best = Some((size, LinearNumber { slopes, offset, by }));
                }
            }
        }
        best.map(|(_, number)| number)
    }

    /// Returns the number, if it is one whatever the parameters are.
    fn constant(&self) -> Option<i64> {
        self.slopes.iter().all(|slope| *slope == 0).then_some(self.offset / self.by)
    }

    /// Returns whether the other number is this one and 1 more.
    fn is_next(&self, other: &LinearNumber) -> bool {
        self.slopes == other.slopes && self.by == other.by && self.offset + self.by == other.offset
    }

    /// Returns the number as a text: `2*h-2`, `(h-1) div 2`.
    fn text(&self, names: &[&str]) -> String {
        let mut terms: Vec<(bool, String)> = Vec::new();
        for (slope, name) in self.slopes.iter().zip(names).filter(|(slope, _)| **slope != 0) {
            let times = if slope.abs() == 1 { String::new() } else { format!("{}*", slope.abs()) };
            terms.push((*slope < 0, format!("{times}{name}")));
        }
        if self.offset != 0 || terms.is_empty() {
            terms.push((self.offset < 0, self.offset.abs().to_string()));
        }
        // What is added comes first.
        terms.sort_by_key(|(negative, _)| *negative);
        let mut sum = String::new();
        for (negative, term) in &terms {
            sum += if *negative {
                "-"
            } else if sum.is_empty() {
                ""
            } else {
                "+"
            };
            sum += term;
        }
        match self.by {
            1 => sum,
            by if terms.len() == 1 => format!("{sum} div {by}"),
            by => format!("({sum}) div {by}"),
        }
    }
}

/// A stretch of a period: where it begins, and for each remainder modulo the step whether the heaps
/// of it in the stretch are P; `None` if it has none.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stretch {
    start: usize,
    is_p: Vec<Option<bool>>,
}

/// Splits a period into stretches, each as long as it can be; `None` if there are too many.
fn stretches(period: &[bool], step: usize) -> Option<Vec<Stretch>> {
    let mut all: Vec<Stretch> = Vec::new();
    for (heap, is_p) in period.iter().enumerate() {
        let known = all.last_mut().map(|last| &mut last.is_p[heap % step]);
        match known {
            Some(known) if known.is_none_or(|known| known == *is_p) => *known = Some(*is_p),
            _ => {
                let mut own = vec![None; step];
                own[heap % step] = Some(*is_p);
                all.push(Stretch { start: heap, is_p: own });
                if all.len() > MOST_PIECES {
                    return None;
                }
            }
        }
    }
    Some(all)
}

/// Returns a form in the parameters of these names that is right of all games: each with the values
/// of its parameters, and which heaps of one period are P. `None` if none is found, or the games
/// are fewer than three.
pub fn piecewise_form(names: &[&str], games: &[(Vec<i64>, Vec<bool>)]) -> Option<String> {
    if games.len() < LEAST_GAMES {
        return None;
    }
    let found = (1..=MOST_STEP).filter_map(|step| form_with_step(names, games, step));
    found.min_by_key(|(pieces, _)| *pieces).map(|(_, form)| form)
}

/// Returns a form with a step, and the number of its pieces.
fn form_with_step(names: &[&str], games: &[(Vec<i64>, Vec<bool>)], step: usize) -> Option<(usize, String)> {
    let split: Vec<Vec<Stretch>> =
        games.iter().map(|(_, period)| stretches(period, step)).collect::<Option<_>>()?;
    let count = split[0].len();
    if split.iter().any(|own| own.len() != count) {
        return None;
    }
    // Ends, the last one being the period, and which remainders are P.
    let mut ends = Vec::new();
    for place in 0..=count {
        let points = games.iter().zip(&split).map(|((values, period), own)| {
            (&values[..], own.get(place).map_or(period.len(), |stretch| stretch.start) as i64)
        });
        ends.push(LinearNumber::through(&points.collect::<Vec<_>>())?);
    }
    let mut remainders = Vec::new();
    for place in 0..count {
        let mut merged: Vec<Option<bool>> = vec![None; step];
        for own in &split {
            for (known, is_p) in merged.iter_mut().zip(&own[place].is_p) {
                match (*known, *is_p) {
                    (Some(known), Some(is_p)) if known != is_p => return None,
                    (None, is_p) => *known = is_p,
                    _ => {}
                }
            }
        }
        remainders.push(merged);
    }
    let period = &ends[count];
    let modulus = period.text(names);
    let plain = modulus.chars().all(char::is_alphanumeric);
    let heap = if plain { format!("a mod {modulus}") } else { format!("a mod ({modulus})") };
    let within = match period.constant() {
        Some(own) if own == step as i64 => heap.clone(),
        _ => format!("({heap}) mod {step}"),
    };
    let mut pieces = Vec::new();
    for (place, remainders) in remainders.iter().enumerate() {
        let is_p: Vec<usize> = (0..step).filter(|r| remainders[*r] == Some(true)).collect();
        let (start, end) = (&ends[place], &ends[place + 1]);
        let mut parts = Vec::new();
        if is_p.is_empty() {
            continue;
        } else if start.is_next(end) {
            parts.push(format!("{heap} = {}", start.text(names)));
        } else {
            if start.constant() != Some(0) {
                parts.push(format!("{heap} >= {}", start.text(names)));
            }
            if place + 1 < count {
                parts.push(format!("{heap} < {}", end.text(names)));
            }
            if remainders.contains(&Some(false)) {
                let last = is_p.len() - 1;
                parts.push(match is_p[..] {
                    [one] => format!("{within} = {one}"),
                    _ if is_p[last] == last => format!("{within} <= {last}"),
                    _ => {
                        let mut any = String::new();
                        for one in &is_p {
                            let or = if any.is_empty() { "" } else { " | " };
                            // Writing into a string does not fail.
                            let _ = write!(any, "{or}{within} = {one}");
                        }
                        format!("({any})")
                    }
                });
            }
        }
        // All heaps of the period.
        if parts.is_empty() {
            parts.push(format!("{heap} >= 0"));
        }
        pieces.push(parts.join(" & "));
    }
    (!pieces.is_empty()).then(|| (count, pieces.join(" | ")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    fn period(length: i64, is_p: impl Fn(i64) -> bool) -> Vec<bool> {
        (0..length).map(is_p).collect()
    }

    #[test]
    fn pieces_with_linear_ends_are_found() {
        let games: Vec<_> =
            (1..6).map(|k| (vec![3 * k], period(3 * k + 1, |r| r < 3 * k && r % 3 == 0))).collect();
        let form = piecewise_form(&["h"], &games).unwrap();
        assert_eq!(form, "a mod (h+1) < h & (a mod (h+1)) mod 3 = 0");
        let pairs = (1..5).flat_map(|l| (l..7).map(move |m| (vec![l, m], period(l + m, |r| r < l))));
        let form = piecewise_form(&["L", "M"], &pairs.collect::<Vec<_>>()).unwrap();
        assert_eq!(form, "a mod (L+M) < L");
        let halves: Vec<_> = (1..6).map(|k| (vec![2 * k], period(2 * k, |r| r < k))).collect();
        assert_eq!(piecewise_form(&["h"], &halves).unwrap(), "a mod h < h div 2");
        let fixed: Vec<_> = (1..6).map(|k| (vec![k], period(3, |r| r == 0))).collect();
        assert_eq!(piecewise_form(&["h"], &fixed).unwrap(), "a mod 3 = 0");
    }

    #[test]
    fn squares_have_no_form() {
        let games: Vec<_> = (1..8).map(|k| (vec![k], period(k * k + 1, |r| r == 0))).collect();
        assert_eq!(piecewise_form(&["h"], &games), None);
        let two: Vec<_> = (1..3).map(|k| (vec![k], period(k + 1, |r| r == 0))).collect();
        assert_eq!(piecewise_form(&["h"], &two), None);
    }
}
