//! Windows of sequences too long to be kept: values from some heap on, each from those of the window before it alone.

use super::{Sparse, stopped};
use crate::Rejected;
use crate::work::Work;

/// What is said of a window: its width, where the period's heaps begin, and from which heap on values follow from it.
#[derive(Clone, Copy)]
pub struct Window {
    pub line: usize,
    pub width: usize,
    pub from: usize,
    pub since: usize,
}

/// Values are below this: a set of them is a word.
const VALUES: u16 = 64;

/// Heaps between two moves of the window to the front.
const STRETCH: usize = 1 << 16;

impl Sparse<'_> {
    /// Goes on from the values of heaps 0..`since` to where the window closes: each heap must be common, for reasons within the
    /// window, and those from `preperiod` on to the end of the first window must have the value they have a period later.
    pub fn go_on(
        &self,
        values: &[u16],
        window: Window,
        [preperiod, period]: [usize; 2],
        work: &mut Work<'_>,
    ) -> Result<(), Rejected> {
        let Window { line, width, from, since } = window;
        let wrong = |reason: String| Rejected::new(0, reason);
        let past = |n: usize| Rejected::new(0, format!("heap {n} has a value past {}", VALUES - 1));
        let byte = |n: usize| (values[n] < VALUES).then_some(values[n] as u8).ok_or_else(|| past(n));
        // Bytes of the small heaps, and of the window; what is left by a move is a heap of either, and not two equal ones.
        let small: Vec<u8> = (0..=width).map(byte).collect::<Result<_, Rejected>>()?;
        let mut latest: Vec<u8> = (since - width..since).map(byte).collect::<Result<_, Rejected>>()?;
        let mut first = since - width;
        work.hold(2 * width + STRETCH + (from - preperiod)).map_err(stopped)?;
        let mut kept: Vec<u8> = (preperiod..since.min(from)).map(byte).collect::<Result<_, Rejected>>()?;
        // Heap 0 is left by moves that leave one heap; others leave rare ones.
        let singles = self.digits.iter().enumerate().filter(|(_, digit)| digit.bits & 2 != 0);
        let mut terms: Vec<(usize, u8)> = singles.map(|(taken, _)| (taken, 0)).collect();
        for rare in (1..since).filter(|n| !self.is_common(values[*n], *n)) {
            for taken in &self.pairs {
                if rare + taken > width {
                    return Err(Rejected::new(
                        line,
                        format!("heap {rare} is rare, too near the window's end"),
                    ));
                }
                terms.push((rare + taken, small[rare]));
            }
        }
        let early = preperiod.saturating_add(period)..since;
        if let Some(n) = early.into_iter().find(|n| values[*n] != values[n - period]) {
            return Err(wrong(format!("heaps {} and {n} have different values", n - period)));
        }
        let commons =
            [0, 1].map(|n| (0..VALUES).filter(|v| self.is_common(*v, n)).fold(0u64, |set, v| set | 1 << v));
        for n in since..from + period {
            work.spend(terms.len() + 64).map_err(stopped)?;
            if latest.len() == width + STRETCH {
                latest.drain(..STRETCH);
                first += STRETCH;
            }
            let here = n - first;
            let seen =
                terms.iter().fold(0u64, |set, (back, byte)| set | 1 << ((latest[here - back] ^ byte) % 64));
            let open = commons[n % 2] & !seen;
            if open == 0 {
                return Err(past(n));
            }
            let value = open.trailing_zeros() as u8;
            // The rare values below it that are not yet known to be options.
            let mut open = !commons[n % 2] & !seen & ((1 << value) - 1);
            for taken in &self.pairs {
                let others = latest[here - width..here - taken].iter().rev();
                for (a, b) in small[1..=width - taken].iter().zip(others) {
                    if open == 0 {
                        break;
                    }
                    open &= !(1u64 << ((a ^ b) % 64));
                }
            }
            if open != 0 {
                return Err(wrong(format!("heap {n} is rare, or is common for reasons past the window")));
            }
            latest.push(value);
            if (preperiod..from).contains(&n) {
                kept.push(value);
            }
            if n >= preperiod + period
                && kept.get(n - preperiod - period).is_some_and(|early| *early != value)
            {
                return Err(wrong(format!("heaps {} and {n} have different values", n - period)));
            }
        }
        Ok(())
    }
}
