//! NIM with Cash: who wins with how much money.

use crate::{
    Certificate, Checked, Lines, Work, ascending, need, number, numbers, reject, signed, unknown,
};

/// v_c(n) = slope·c + rest where c ≥ from.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Line {
    slope: i64,
    rest: i64,
    from: i64,
}

/// Returns the lines of 0 to `count` − 1 stones.
fn lines_of(amounts: &[usize], count: usize, work: &mut Work) -> Checked<Vec<Line>> {
    let mut lines: Vec<Line> = Vec::new();
    for n in 0..count {
        work.spend(amounts.len() as u64 + 1)?;
        let mut from = 0;
        let mut best: [Option<i64>; 2] = [None; 2];
        for a in amounts.iter().filter(|a| **a <= n) {
            let before = lines[n - a];
            let slot = &mut best[usize::from(before.slope < 0)];
            let rest = -(*a as i64) - before.rest;
            *slot = Some(slot.map_or(rest, |best| best.max(rest)));
            from = from.max(before.from);
        }
        lines.push(match best {
            [None, None] => Line { slope: -1, rest: -(n as i64), from: 0 },
            [None, Some(up)] => Line { slope: 1, rest: up, from },
            [Some(down), None] => Line { slope: -1, rest: down, from },
            [Some(down), Some(up)] => {
                // c + up ≥ −c + down.
                let passes = (down - up).max(0) as u64;
                Line { slope: 1, rest: up, from: from.max(passes.div_ceil(2) as i64) }
            }
        });
    }
    Ok(lines)
}

pub fn check(certificate: &Certificate, work: &mut Work) -> Checked<()> {
    let inner = certificate.game.strip_prefix("NIM(").and_then(|rest| rest.strip_suffix(";n;d,e)"));
    let Some(inner) = inner else { return reject("no NIM with Cash") };
    let amounts = numbers(inner, ',')?;
    let last = amounts[amounts.len() - 1];
    need(amounts[0] > 0 && ascending(&amounts) && last <= 65536, "amounts ascend from 1 to 65536")?;
    let least = amounts[0];
    let claim = format!(
        "with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 and \
         floor(d / {least}) > floor(e / {least})"
    );
    need(certificate.claim == claim, "the claim is not the theorem's")?;
    let amounts: Vec<usize> = amounts.iter().map(|a| *a as usize).collect();
    let mut lines = Lines { lines: &certificate.body };
    if lines.peek().is_some_and(|line| line.starts_with("words ")) {
        return unknown("proofs by words are not covered");
    }
    let given: Vec<i64> = lines.field("window")?.split(' ').map(signed).collect::<Checked<_>>()?;
    let [p, q, n, c] = given[..] else { return reject("a window has four numbers") };
    need(p >= 1 && n >= 0 && c >= 2, "a number of the window is too small")?;
    if p > 1 << 24 || n > 1 << 24 || c > 1 << 24 || q.abs() > 1 << 24 {
        return unknown("a number of the window is too large");
    }
    need(c + q >= 0, "the window begins below 0")?;
    let (m, period, first) = (last as usize, p as usize, n as usize);
    let all = lines_of(&amounts, first + m + period, work)?;
    for x in first..first + m {
        let (one, two) = (all[x], all[x + period]);
        need(
            one.slope == two.slope && two.rest == one.rest - one.slope * q,
            "the lines do not repeat",
        )?;
        need(one.from <= c && two.from <= c + q, "a line begins too late")?;
    }
    let top = c + q.max(0);
    for line in &all[..first + period] {
        let (slope, rest) = match lines.field("line")?.split_once(' ') {
            Some(("+c", rest)) => (1, signed(rest)?),
            Some(("-c", rest)) => (-1, signed(rest)?),
            _ => return reject("no line"),
        };
        need((line.slope, line.rest) == (slope, rest), "a line is another")?;
        need(line.from <= top, "a line begins too late")?;
    }
    for c in 2..top {
        let Some((tail, row)) = lines.field("row")?.split_once(' ') else {
            return reject("no row");
        };
        let tail = number(tail)? as usize;
        let row: Vec<i64> = row.split(' ').map(signed).collect::<Checked<_>>()?;
        let len = row.len();
        need(tail >= 1 && tail <= len, "more values come again than there are")?;
        let value = |n: usize| if n < len { row[n] } else { row[len - tail + (n - len) % tail] };
        for n in 0..len + m {
            work.spend(amounts.len() as u64 + 1)?;
            let best =
                amounts.iter().filter(|a| **a <= n).map(|a| -(*a as i64) - value(n - a)).max();
            need(
                value(n) == best.unwrap_or(-(c + n as i64)),
                "a row is not what the recurrence says",
            )?;
        }
    }
    lines.end()
}
