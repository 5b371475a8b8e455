//! One form for a heap in all games of a family: pieces of a period whose ends are linear in the
//! parameters.
//!
//! In `S(1,2,h)` the heaps below h are P in steps of 3, whatever h is; then the period ends. So the
//! heaps of a period are split, for a step p, into the fewest pieces in which a heap and the one p
//! further are alike. If all games have as many pieces, alike in each of them, and every end is
//! linear in the parameters, the family has a form. Heaps before the period are split in the same
//! way: in `S(1,4,h)`, 5 dividing h, the period h+1 begins with the heap h+1.

use bouton_core::Arrange;
use std::fmt::Write;

/// Steps within a piece, at most; pieces of a period, at most.
const MAX_STEP: usize = 12;
const MAX_PIECES: usize = 6;
/// Coefficients and denominators of an end, at most.
const MAX_SLOPE: i64 = 4;
const MAX_DIVISOR: i64 = 3;
/// The number of games from which a form is read, at least.
const LEAST_GAMES: usize = 3;

/// A number that is linear in the parameters: (Σ slopes · parameters + offset) / by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinearNumber {
    slopes: Vec<i64>,
    offset: i64,
    by: i64,
}

impl LinearNumber {
    /// Returns the number with the least coefficients that has these values, if there is one.
    pub(crate) fn through(points: &[(&[i64], i64)]) -> Option<LinearNumber> {
        let (first, value) = points.first()?;
        let count = first.len() as u32;
        let width = (2 * MAX_SLOPE + 1) as usize;
        let mut best: Option<(i64, LinearNumber)> = None;
        for by in 1..=MAX_DIVISOR {
            for code in 0..width.pow(count) {
                let slope = |at: u32| (code / width.pow(at) % width) as i64 - MAX_SLOPE;
                let slopes: Vec<i64> = (0..count).map(slope).collect();
                let sum =
                    |values: &[i64]| slopes.iter().zip(values).map(|(a, b)| a * b).sum::<i64>();
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
    pub(crate) fn constant(&self) -> Option<i64> {
        self.slopes.iter().all(|slope| *slope == 0).then_some(self.offset / self.by)
    }

    /// Returns whether the other number is this one and 1 more.
    pub(crate) fn is_next(&self, other: &LinearNumber) -> bool {
        self.slopes == other.slopes && self.by == other.by && self.offset + self.by == other.offset
    }

    /// Returns the number as a text: `2*h-2`, `(h-1) div 2`.
    pub(crate) fn text(&self, names: &[&str]) -> String {
        let mut terms: Vec<(bool, String)> = Vec::new();
        for (slope, name) in self.slopes.iter().zip(names).filter(|(slope, _)| **slope != 0) {
            let times = if slope.abs() == 1 { String::new() } else { format!("{}*", slope.abs()) };
            terms.push((*slope < 0, format!("{times}{name}")));
        }
        if self.offset != 0 || terms.is_empty() {
            terms.push((self.offset < 0, self.offset.abs().to_string()));
        }
        // What is added comes first.
        terms.arrange_by_key(|(negative, _)| *negative);
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

/// A stretch of heaps: where it begins, and for each remainder modulo the step whether the heaps of
/// it in the stretch are P; `None` if it has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch<T> {
    pub(crate) start: usize,
    pub(crate) labels: Vec<Option<T>>,
}

/// Splits a row of labels into stretches, each as long as it can be behind those before it; `None`
/// if there are too many.
pub(crate) fn stretches<T: Clone + PartialEq>(row: &[T], step: usize) -> Option<Vec<Stretch<T>>> {
    let mut all: Vec<Stretch<T>> = Vec::new();
    for (heap, label) in row.iter().enumerate() {
        let known = all.last_mut().map(|last| &mut last.labels[heap % step]);
        match known {
            Some(known) if known.as_ref().is_none_or(|known| known == label) => {
                *known = Some(label.clone())
            }
            _ => {
                let mut own = vec![None; step];
                own[heap % step] = Some(label.clone());
                all.push(Stretch { start: heap, labels: own });
                if all.len() > MAX_PIECES {
                    return None;
                }
            }
        }
    }
    Some(all)
}

/// Splits a row into stretches, each as long as it can be before those behind it.
fn stretches_from_behind(row: &[bool], step: usize) -> Option<Vec<Stretch<bool>>> {
    let (mut back, length) = (row.to_vec(), row.len());
    back.reverse();
    let found = stretches(&back, step)?;
    let ends = found.iter().skip(1).map(|next| next.start).chain([length]);
    let turned = found.iter().zip(ends).map(|(own, end)| {
        // What is at this place from the front.
        let labels = (0..step).map(|place| own.labels[(length + step - 1 - place) % step]);
        Stretch { start: length - end, labels: labels.collect() }
    });
    let mut all: Vec<Stretch<bool>> = turned.collect();
    all.reverse();
    Some(all)
}

/// Which heaps of a game are P: those before the period, and those of one period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapOutcomes {
    /// The heaps before the period.
    pub preperiod: Vec<bool>,
    /// The heaps of one period.
    pub period: Vec<bool>,
}

impl HeapOutcomes {
    /// Returns the least period of a row of heaps, and what is before it; `None` if the row is not
    /// three periods long behind a preperiod that is at most half of it.
    pub fn from_row(row: &[bool]) -> Option<HeapOutcomes> {
        (1..=row.len() / 3).find_map(|period| {
            let last = (period..row.len()).rev().find(|heap| row[*heap] != row[heap - period]);
            let from = last.map_or(0, |last| last + 1 - period);
            let is_long = from <= row.len() / 2 && from + 3 * period <= row.len();
            is_long.then(|| HeapOutcomes {
                preperiod: row[..from].to_vec(),
                period: row[from..from + period].to_vec(),
            })
        })
    }

    /// Returns the period as it is by remainders: that of heap a at a mod its length.
    fn by_remainder(&self) -> Vec<bool> {
        let mut all = self.period.clone();
        all.rotate_right(self.preperiod.len() % self.period.len().max(1));
        all
    }
}

/// Returns a form in the parameters of these names that is right of all games: each with the values
/// of its parameters. `None` if none is found, or the games are fewer than three.
pub fn piecewise_form(names: &[&str], games: &[(Vec<i64>, HeapOutcomes)]) -> Option<String> {
    if games.len() < LEAST_GAMES {
        return None;
    }
    let rows = |row: &dyn Fn(&HeapOutcomes) -> Vec<bool>| -> Vec<(&[i64], Vec<bool>)> {
        games.iter().map(|(values, own)| (&values[..], row(own))).collect()
    };
    let lengths = |row: &dyn Fn(&HeapOutcomes) -> usize| {
        let points: Vec<(&[i64], i64)> =
            games.iter().map(|(values, own)| (&values[..], row(own) as i64)).collect();
        LinearNumber::through(&points)
    };
    let start = lengths(&|own| own.preperiod.len())?;
    let length = lengths(&|own| own.period.len())?;
    let period = bracketed(length.text(names));
    if start.constant() == Some(0) {
        return pieces(names, &rows(&|own| own.period.clone()), &format!("a mod {period}"), false);
    }
    let remainder = format!("a mod {period}");
    if start == length {
        // The period begins with its second turn: remainders alone tell heaps apart.
        let before = pieces(names, &rows(&|own| own.preperiod.clone()), &remainder, false);
        let behind = pieces(names, &rows(&|own| own.period.clone()), &remainder, false);
        let turn = format!("a div {period}");
        let before = before.map(|before| format!("{turn} = 0 & ({before})"));
        let behind = behind.map(|behind| format!("{turn} >= 1 & ({behind})"));
        return Some(before.into_iter().chain(behind).collect::<Vec<_>>().join(" | "))
            .filter(|form| !form.is_empty());
    }
    let before = pieces(names, &rows(&|own| own.preperiod.clone()), "a", true);
    let start = start.text(names);
    let behind =
        pieces(names, &rows(&HeapOutcomes::by_remainder), &format!("a mod {period}"), false);
    let behind = behind.or_else(|| {
        let heap = format!("(a-{}) mod {period}", bracketed(start.clone()));
        pieces(names, &rows(&|own| own.period.clone()), &heap, false)
    })?;
    let behind = format!("a >= {start} & ({behind})");
    // No heap before the period may be P.
    let is_none = games.iter().all(|(_, own)| !own.preperiod.contains(&true));
    if is_none { Some(behind) } else { Some(format!("{} | {behind}", before?)) }
}

/// Puts a sum into parentheses.
pub(crate) fn bracketed(number: String) -> String {
    if number.chars().all(char::is_alphanumeric) { number } else { format!("({number})") }
}

/// Returns the form of the heaps in rows by the fewest pieces; `ends` if it has to say where the
/// rows end.
fn pieces(names: &[&str], rows: &[(&[i64], Vec<bool>)], heap: &str, ends: bool) -> Option<String> {
    let ways = (1..=MAX_STEP).flat_map(|step| [(step, false), (step, true)]);
    let found = ways.filter_map(|way| form_with_step(names, rows, way, heap, ends));
    found.min_by_key(|(pieces, form)| (*pieces, form.len())).map(|(_, form)| form)
}

/// Merges what games say of the remainders of a stretch; `None` if they contradict each other.
fn merged(own: &[&[Option<bool>]], step: usize) -> Option<Vec<Option<bool>>> {
    let mut merged: Vec<Option<bool>> = vec![None; step];
    for labels in own {
        for (known, is_p) in merged.iter_mut().zip(*labels) {
            match (*known, *is_p) {
                (Some(known), Some(is_p)) if known != is_p => return None,
                (None, is_p) => *known = is_p,
                _ => {}
            }
        }
    }
    Some(merged)
}

/// Returns a form with a step, split from the front or from behind, and the number of its pieces.
fn form_with_step(
    names: &[&str],
    rows: &[(&[i64], Vec<bool>)],
    (step, from_behind): (usize, bool),
    heap: &str,
    says_end: bool,
) -> Option<(usize, String)> {
    let split = |row: &[bool]| {
        if from_behind { stretches_from_behind(row, step) } else { stretches(row, step) }
    };
    let split: Vec<Vec<Stretch<bool>>> =
        rows.iter().map(|(_, row)| split(row)).collect::<Option<_>>()?;
    let count = split[0].len();
    if split.iter().any(|own| own.len() != count) {
        return None;
    }
    // Ends, the last one being that of the rows, and which remainders are P.
    let mut ends = Vec::new();
    for place in 0..=count {
        let points = rows.iter().zip(&split).map(|((values, row), own)| {
            (*values, own.get(place).map_or(row.len(), |stretch| stretch.start) as i64)
        });
        ends.push(LinearNumber::through(&points.collect::<Vec<_>>())?);
    }
    let mut remainders = Vec::new();
    for place in 0..count {
        let own: Vec<&[Option<bool>]> = split.iter().map(|own| &own[place].labels[..]).collect();
        remainders.push(merged(&own, step)?);
    }
    let within = match ends[count].constant() {
        Some(own) if own == step as i64 && !says_end => heap.to_owned(),
        _ => format!("{} mod {step}", bracketed(heap.to_owned())),
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
            if place + 1 < count || says_end {
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

    fn period(length: i64, is_p: impl Fn(i64) -> bool) -> HeapOutcomes {
        HeapOutcomes { preperiod: Vec::new(), period: (0..length).map(is_p).collect() }
    }

    #[test]
    fn pieces_with_linear_ends_are_found() {
        let games: Vec<_> =
            (1..6).map(|k| (vec![3 * k], period(3 * k + 1, |r| r < 3 * k && r % 3 == 0))).collect();
        let form = piecewise_form(&["h"], &games).unwrap();
        assert_eq!(form, "a mod (h+1) < h & (a mod (h+1)) mod 3 = 0");
        let pairs =
            (1..5).flat_map(|l| (l..7).map(move |m| (vec![l, m], period(l + m, |r| r < l))));
        let form = piecewise_form(&["L", "M"], &pairs.collect::<Vec<_>>()).unwrap();
        assert_eq!(form, "a mod (L+M) < L");
        let halves: Vec<_> = (1..6).map(|k| (vec![2 * k], period(2 * k, |r| r < k))).collect();
        assert_eq!(piecewise_form(&["h"], &halves).unwrap(), "a mod h < h div 2");
        let fixed: Vec<_> = (1..6).map(|k| (vec![k], period(3, |r| r == 0))).collect();
        assert_eq!(piecewise_form(&["h"], &fixed).unwrap(), "a mod 3 = 0");
    }

    /// Heaps before the period: those of S(1,4,h) with 5 dividing h, by the rules alone.
    #[test]
    fn preperiods_are_found() {
        let games = (2..7).map(|k| {
            let mut row: Vec<bool> = Vec::new();
            for heap in 0..400usize {
                let wins = [1, 4, 5 * k].iter().any(|taken| heap >= *taken && row[heap - taken]);
                row.push(!wins);
            }
            (vec![5 * k as i64], HeapOutcomes::from_row(&row).unwrap())
        });
        let form = piecewise_form(&["h"], &games.collect::<Vec<_>>()).unwrap();
        assert_eq!(
            form,
            "a div (h+1) = 0 & (a mod (h+1) < h & ((a mod (h+1)) mod 5 = 0 | (a mod (h+1)) mod 5 \
             = 2)) | a div (h+1) >= 1 & (a mod (h+1) >= 1 & ((a mod (h+1)) mod 5 = 0 | (a mod \
             (h+1)) mod 5 = 2))"
        );
        // A row that is no three periods long says nothing.
        let row: Vec<bool> = (0..29).map(|heap| heap % 10 == 0).collect();
        assert_eq!(HeapOutcomes::from_row(&row), None);
        // A period that does not begin with a multiple of its length.
        let games = (7..20).map(|k| {
            let row: Vec<bool> = (0..99).map(|heap| heap >= k && (heap - k) % 9 < 3).collect();
            (vec![k], HeapOutcomes::from_row(&row).unwrap())
        });
        let form = piecewise_form(&["h"], &games.collect::<Vec<_>>()).unwrap();
        assert_eq!(
            form,
            "a >= h-6 & (((a-(h-6)) mod 9 = 6 | (a-(h-6)) mod 9 = 7 | (a-(h-6)) mod 9 = 8))"
        );
    }

    #[test]
    fn squares_have_no_form() {
        let games: Vec<_> = (1..8).map(|k| (vec![k], period(k * k + 1, |r| r == 0))).collect();
        assert_eq!(piecewise_form(&["h"], &games), None);
        let two: Vec<_> = (1..3).map(|k| (vec![k], period(k + 1, |r| r == 0))).collect();
        assert_eq!(piecewise_form(&["h"], &two), None);
    }
}
