//! The values v_c(n) for all c at once: a finite table of c, and lines beyond it.
//!
//! Idea: for large c, v_c(n) = ±c + r(n), because v arises from −(c + n) by maxima and changes of
//! sign. The lines, and the c from which they hold, follow from those of n − a.

use bouton_core::{LimitReached, Meter};

/// A line: v_c(n) = ±c + `shift` for c ≥ `from`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Whether the sign of c is positive: with enough money on both sides the player to move wins.
    pub rises: bool,
    /// v_c(n) ∓ c.
    pub shift: i64,
    /// A c from which the line is known to hold.
    pub from: i64,
}

impl Line {
    /// Returns v_c(n) for c ≥ `from`.
    pub fn at(&self, c: i64) -> i64 {
        if self.rises { c + self.shift } else { self.shift - c }
    }
}

/// Returns the next line, n = `lines.len()`.
pub fn next_line(set: &[u64], lines: &[Line]) -> Line {
    let n = lines.len();
    let (mut up, mut down, mut from) = (None, None, 0);
    for a in set.iter().take_while(|a| **a <= n as u64) {
        let before = lines[n - *a as usize];
        let best = if before.rises { &mut down } else { &mut up };
        *best = (*best).max(Some(-(*a as i64) - before.shift));
        from = from.max(before.from);
    }
    match (up, down) {
        (None, None) => Line { rises: false, shift: -(n as i64), from: 0 },
        (Some(shift), None) => Line { rises: true, shift, from },
        (None, Some(shift)) => Line { rises: false, shift, from },
        // The rising line is the maximum where c + up ≥ −c + down.
        (Some(up), Some(down)) => {
            Line { rises: true, shift: up, from: from.max((down - up + 1).div_euclid(2)) }
        }
    }
}

/// v_c(n) for n = 0..=N and all c ≥ 0, as paths: from c to c + 1 the value changes by ±1.
#[derive(Debug, Clone)]
pub struct Paths {
    lines: Vec<Line>,
    /// v_0(n).
    starts: Vec<i32>,
    /// One bit per step, set if the value rises; `words` words per path.
    steps: Vec<u64>,
    words: usize,
}

impl Paths {
    /// Computes the paths for n up to `most` in O(most·C·|A|) steps and most·C/8 bytes, where C is
    /// the greatest c of a step before the lines. Charges one node per n. n and C must be below
    /// 2³⁰.
    pub fn new(set: &[u64], most: usize, meter: &mut Meter) -> Result<Paths, LimitReached> {
        let mut lines: Vec<Line> = Vec::with_capacity(most + 1);
        while lines.len() <= most {
            lines.push(next_line(set, &lines));
        }
        let words = lines.iter().map(|line| line.from).max().unwrap_or(0) as usize / 64 + 1;
        let width = words * 64 + 1;
        let reach = set.iter().take_while(|a| **a <= most as u64).last().map_or(1, |a| *a as usize);
        // The last max A rows of values, in a ring buffer.
        let mut recent: Vec<Vec<i32>> = vec![vec![0; width]; reach + 1];
        let mut paths = Paths {
            lines,
            starts: Vec::new(),
            steps: Vec::with_capacity((most + 1) * words),
            words,
        };
        meter.check_bytes(((most + 1) * words * 8 + (reach + 1) * width * 4) as u64)?;
        for n in 0..=most {
            meter.spend_one()?;
            let mut row = std::mem::take(&mut recent[n % (reach + 1)]);
            if (n as u64) < set[0] {
                row.iter_mut().zip(n as i32..).for_each(|(value, sum)| *value = -sum);
            } else {
                row.fill(i32::MIN);
            }
            for a in set.iter().map(|a| *a as usize).take_while(|a| *a <= n) {
                let option = &recent[(n - a) % (reach + 1)];
                row.iter_mut()
                    .zip(option)
                    .for_each(|(value, option)| *value = (*value).max(-(a as i32) - option));
            }
            paths.starts.push(row[0]);
            paths.steps.extend(row[..width - 1].chunks(64).zip(row[1..].chunks(64)).map(
                |(from, to)| {
                    from.iter()
                        .zip(to)
                        .rev()
                        .fold(0u64, |bits, (from, to)| bits << 1 | u64::from(to > from))
                },
            ));
            recent[n % (reach + 1)] = row;
        }
        Ok(paths)
    }

    /// Returns v_0(n).
    pub fn start(&self, n: usize) -> i64 {
        self.starts[n].into()
    }

    /// Returns the line that v_c(n) follows for large c.
    pub fn line(&self, n: usize) -> Line {
        self.lines[n]
    }

    /// Returns the least p with which signs repeat and shifts grow linearly, from n ≥ `from` on;
    /// `None` if there is none up to a third of the table.
    pub fn period(&self, from: usize) -> Option<usize> {
        let end = self.lines.len();
        let height =
            |n: usize| if self.lines[n].rises { self.lines[n].shift } else { -self.lines[n].shift };
        (1..(end - from) / 3).find(|p| {
            (from..end - 2 * p).all(|n| {
                self.lines[n].rises == self.lines[n + p].rises
                    && height(n) + height(n + 2 * p) == 2 * height(n + p)
            })
        })
    }

    /// Returns the steps of c ↦ v_c(n) from c = 0 on, without the constant tail.
    pub fn word(&self, n: usize) -> Vec<bool> {
        let row = &self.steps[n * self.words..(n + 1) * self.words];
        let mut steps: Vec<bool> =
            row.iter().flat_map(|bits| (0..64).map(move |i| bits >> i & 1 == 1)).collect();
        let last = self.lines[n].rises;
        steps.truncate(steps.iter().rposition(|up| *up != last).map_or(0, |place| place + 1));
        steps
    }
}
