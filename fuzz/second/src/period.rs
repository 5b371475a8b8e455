//! Nim-sequences of subtraction and taking-and-breaking games, computed by trying all moves.

use crate::{Certificate, Checked, Lines, Work, ascending, need, number, numbers, reject, unknown};

/// What a move that takes some tokens may leave.
#[derive(Clone, Copy, Default)]
struct Digit {
    bits: u32,
    distinct: bool,
}

/// The rules: `digits[k]` for a move that takes k tokens.
struct Game {
    digits: Vec<Digit>,
    subtraction: bool,
}

fn game(text: &str) -> Checked<Game> {
    if let Some(inner) = text.strip_prefix("S(").and_then(|rest| rest.strip_suffix(')')) {
        let amounts = numbers(inner, ',')?;
        need(amounts[0] > 0 && ascending(&amounts), "numbers ascend from 1 on")?;
        let greatest = amounts[amounts.len() - 1];
        if greatest > 1 << 24 {
            return unknown("a number is too large");
        }
        let mut digits = vec![Digit::default(); greatest as usize + 1];
        amounts.iter().for_each(|amount| digits[*amount as usize].bits = 3);
        return Ok(Game { digits, subtraction: true });
    }
    let mut digits: Vec<Digit> = Vec::new();
    let mut point = false;
    for c in text.chars() {
        match c {
            '0'..='9' | 'A'..='F' => {
                need(digits.len() != 1 || point, "one digit stands before the point")?;
                digits.push(Digit { bits: c.to_digit(16).unwrap_or(0), distinct: false });
            }
            '!' => {
                let placed = digits.len() > 1 || !point;
                match digits.last_mut() {
                    Some(digit) if placed && digit.bits >= 4 && !digit.distinct => {
                        digit.distinct = true
                    }
                    _ => return reject("`!` behind no digit of 4 or more"),
                }
            }
            '.' => {
                need(digits.len() == 1 && !point, "a point out of place")?;
                point = true;
            }
            _ => return reject("no game"),
        }
    }
    need(digits.len() >= 2, "a code has a digit behind the point")?;
    need(digits[0].bits.is_multiple_of(4), "who takes nothing leaves two heaps at least")?;
    let last = digits[digits.len() - 1].bits;
    need(last != 0 || digits.len() == 2 && digits[0].bits == 0, "a code ends without a 0")?;
    Ok(Game { digits, subtraction: false })
}

impl Game {
    /// Returns the greatest number that a move takes.
    fn most(&self) -> u64 {
        self.digits.len() as u64 - 1
    }

    /// Returns how many heaps a move leaves at most, as the code is written.
    fn heaps(&self) -> u64 {
        let all = self.digits.iter().fold(0, |all, digit| all | digit.bits);
        if all & 8 != 0 { 3 } else { 1 + u64::from(all & 4 != 0) }
    }

    fn distinct(&self) -> bool {
        self.digits.iter().any(|digit| digit.distinct)
    }

    /// Returns the numbers taken by moves that leave two heaps.
    fn splits(&self) -> Vec<usize> {
        (0..self.digits.len()).filter(|k| self.digits[*k].bits & 4 != 0).collect()
    }
}

/// Values that a heap's options have.
#[derive(Default)]
struct Reached(Vec<bool>);

impl Reached {
    fn add(&mut self, value: u32) {
        let at = value as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, false);
        }
        self.0[at] = true;
    }

    fn has(&self, value: u32) -> bool {
        self.0.get(value as usize).copied().unwrap_or(false)
    }

    fn least(&self, wanted: impl Fn(u32) -> bool) -> u32 {
        (0..).find(|v| wanted(*v) && !self.has(*v)).expect("finitely many are reached")
    }
}

/// Returns the values of heaps 0 to `count` − 1, all moves tried.
fn values(game: &Game, count: u64, work: &mut Work) -> Checked<Vec<u32>> {
    let digits = &game.digits;
    let two = game.splits().len() as u64;
    let three = digits.iter().filter(|digit| digit.bits & 8 != 0).count() as u64;
    let ones: Vec<usize> = (0..digits.len()).filter(|k| digits[*k].bits & 3 != 0).collect();
    let cost = |n: u64| ones.len() as u64 + 1 + two * (n / 2) + three * (n * n / 12);
    let mut g: Vec<u32> = Vec::new();
    for n in 0..count as usize {
        work.spend(cost(n as u64))?;
        let mut reached = Reached::default();
        for k in &ones {
            let left = n.checked_sub(*k);
            match left {
                Some(0) if digits[*k].bits & 1 != 0 && n > 0 => reached.add(0),
                Some(left) if left > 0 && digits[*k].bits & 2 != 0 => reached.add(g[left]),
                _ => {}
            }
        }
        for (k, digit) in digits.iter().enumerate().filter(|(k, digit)| digit.bits >= 4 && *k <= n)
        {
            let left = n - k;
            if digit.bits & 4 != 0 {
                for a in 1..=left / 2 {
                    if !(digit.distinct && 2 * a == left) {
                        reached.add(g[a] ^ g[left - a]);
                    }
                }
            }
            if digit.bits & 8 != 0 {
                for a in 1..=left / 3 {
                    for b in a..=(left - a) / 2 {
                        let c = left - a - b;
                        if !(digit.distinct && (a == b || b == c)) {
                            reached.add(g[a] ^ g[b] ^ g[c]);
                        }
                    }
                }
            }
        }
        g.push(reached.least(|_| true));
    }
    Ok(g)
}

/// A sparse space.
struct Space {
    mask: u32,
    position: bool,
    first: usize,
}

impl Space {
    fn rare(&self, value: u32, heap: usize) -> bool {
        let by = if self.position { heap + self.first } else { 0 };
        ((value & self.mask).count_ones() as usize + by).is_multiple_of(2)
    }
}

struct Window {
    w: u64,
    s: u64,
    n: Option<u64>,
}

pub fn check(certificate: &Certificate, work: &mut Work) -> Checked<()> {
    let game = game(certificate.game)?;
    let mut lines = Lines { lines: &certificate.body };
    let period = number(lines.field("period")?)?;
    let from = number(lines.field("preperiod")?)?;
    let claim = format!("the nim-values of single heaps have period {period} from {from} on");
    need(certificate.claim == claim, "the claim is not the body's")?;
    need(period >= 1, "a period is 1 at least")?;
    let t = game.most();
    let splits = game.splits();
    let space = match lines.field("space")?.split_once(' ') {
        Some((by @ ("value" | "position"), mask)) => {
            let mask = number(mask)?;
            need((1..=65535).contains(&mask), "a mask is 1 to 65535")?;
            need(!game.subtraction, "a sparse space of no code")?;
            need(
                game.heaps() <= 2 && !splits.is_empty(),
                "a sparse space needs pairs, and no more",
            )?;
            let position = by == "position";
            let parity = splits.iter().all(|k| (k + splits[0]).is_multiple_of(2));
            need(!position || parity, "moves that leave two heaps take numbers of both parities")?;
            Some(Space { mask: mask as u32, position, first: splits[0] })
        }
        _ => {
            need(certificate.body[2] == "space none", "no space")?;
            None
        }
    };
    let mut window = None;
    if lines.peek().is_some_and(|line| line.starts_with("window ")) {
        let given = numbers(lines.field("window")?, ' ')?;
        window = match given[..] {
            [w, s] => Some(Window { w, s, n: None }),
            [w, s, n] => Some(Window { w, s, n: Some(n) }),
            _ => return reject("a window has two numbers or three"),
        };
    }
    let (mut exceptions, mut cycles) = (Vec::new(), Vec::new());
    while let Some(line) = lines.peek() {
        need(
            window.as_ref().is_none_or(|window| window.n.is_none()),
            "lines behind a long window",
        )?;
        if line.starts_with("cycle ") {
            cycles.push(numbers(lines.field("cycle")?, ' ')?);
        } else {
            match numbers(lines.field("exception")?, ' ')?[..] {
                [n, v] => exceptions.push((n, v)),
                _ => return reject("an exception has two numbers"),
            }
        }
    }

    let base = from.max(1);
    let g = match (&window, &space) {
        (None, _) => {
            let past = match (game.heaps(), game.distinct()) {
                (1, _) => base + t + period,
                (j, false) => j.saturating_mul(base + period).saturating_add(t),
                (2, true) => 2 * (base + period) + period + t,
                _ => return reject("no theorem on three heaps that differ"),
            };
            if past > 1 << 31 {
                return unknown("too much work");
            }
            let g = values(&game, past, work)?;
            for n in from..past - period {
                need(
                    g[n as usize] == g[(n + period) as usize],
                    "the values do not have the period",
                )?;
            }
            g
        }
        (Some(_), None) => return reject("a window needs a sparse space"),
        (Some(window), Some(space)) => windowed(&game, space, window, period, from, work)?,
    };

    // The periodic value at any heap from the preperiod on, and what is known before it.
    let continued = |n: u64| -> u32 {
        let at = if n < from {
            n + (from - n).div_ceil(period) * period
        } else {
            from + (n - from) % period
        };
        g[at as usize]
    };
    for (n, v) in exceptions {
        need(n < from, "an exception is before the preperiod")?;
        need(u64::from(g[n as usize]) == v, "an exception has another value")?;
        need(u64::from(continued(n)) != v, "an exception is none")?;
    }
    for cycle in cycles {
        need(cycle.len() as u64 == period, "a cycle has as many values as the period")?;
        let first = from.div_ceil(period) * period;
        for (i, v) in cycle.iter().enumerate() {
            need(u64::from(continued(first + i as u64)) == *v, "the cycle has another value")?;
        }
    }
    Ok(())
}

/// Checks the argument by window, and returns the values of heaps 0 to S + P − 1.
fn windowed(
    game: &Game,
    space: &Space,
    window: &Window,
    period: u64,
    from: u64,
    work: &mut Work,
) -> Checked<Vec<u32>> {
    let Window { w, s, n: long } = *window;
    let t = game.most();
    need(w > t, "a window is longer than what a move takes")?;
    need(s >= from + w, "the window begins before the preperiod")?;
    need(!space.position || period.is_multiple_of(2), "the period is odd in a space by position")?;
    if let Some(n) = long {
        need(n <= s && n / 3 >= w && n > 3 * w, "the window is too long for where it begins")?;
        need(s - from <= 1 << 28, "the window begins too late")?;
    }
    if s + period > 1 << 31 {
        return unknown("too much work");
    }
    let end = (s + period) as usize;
    let splits = game.splits();
    let ones: Vec<usize> =
        (0..game.digits.len()).filter(|k| game.digits[*k].bits & 3 != 0).collect();
    let kept = long.unwrap_or(s + period) as usize;
    let mut g = values(game, kept as u64, work)?;
    let mut rares: Vec<usize> = (1..kept).filter(|n| space.rare(g[*n], *n)).collect();
    let bound_of_rare = if long.is_some() { splits[splits.len() - 1] as u64 } else { t };
    for r in &rares {
        need(*r as u64 + bound_of_rare <= w, "a rare heap is past the window")?;
    }
    for n in long.unwrap_or(s) as usize..end {
        work.spend((ones.len() + splits.len() * (rares.len() + w as usize) + 1) as u64)?;
        let mut reached = Reached::default();
        for k in &ones {
            // n > k, for n is past the window.
            if game.digits[*k].bits & 2 != 0 {
                reached.add(g[n - k]);
            }
        }
        for k in &splits {
            let left = n - k;
            for r in rares.iter().filter(|r| **r < left) {
                if !(game.digits[*k].distinct && 2 * r == left) {
                    reached.add(g[*r] ^ g[left - r]);
                }
            }
        }
        if long.is_some() {
            let value = reached.least(|v| !space.rare(v, n));
            need(value < 64, "a value of 64 or more")?;
            g.push(value);
        }
        need(!space.rare(g[n], n), "a heap of the window is rare")?;
        for k in &splits {
            let left = n - k;
            for a in (1..=(w as usize).saturating_sub(*k)).take_while(|a| 2 * a <= left) {
                if !(game.digits[*k].distinct && 2 * a == left) {
                    reached.add(g[a] ^ g[left - a]);
                }
            }
        }
        for v in 0..g[n] {
            need(
                !space.rare(v, n) || reached.has(v),
                "a rare value is not reached within the window",
            )?;
        }
    }
    rares.clear();
    for n in from..s {
        need(g[n as usize] == g[(n + period) as usize], "the values do not have the period")?;
    }
    Ok(g)
}
