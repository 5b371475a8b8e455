//! Proofs of periods of nim-sequences. Recomputes all values from the code, one heap at a time.
//!
//! Body: `period P`, `preperiod E`, `space none | value MASK | position MASK`, then perhaps `window W S` or, where values are too
//! many to be kept, `window W S N`: from heap N on they are computed from the W before them, alone. Then any number of lines `exception N VALUE`, then perhaps `cycle …`, the values from the first multiple of P at or past E.
//!
//! Octal theorem: where moves take at most t and leave at most j heaps, G(n + p) = G(n) for e ≤ n, n + p <
//! j(e + p) + t with e ≥ 1 makes it hold for ever (two unequal heaps: to 2e + 3p + t).
//!
//! Sparse space: values are rare where popcount(value & mask), plus the heap's size if by position, is even; sums of
//! two rare or two common values are rare. By position the moves that leave two heaps must take numbers of one
//! parity. Only sums with a rare term can be common. Window: if rare heaps lie at least t below W, if each heap of
//! S..S + P is common and has its smaller rare values as sums with a heap at most W − k (k taken), if G agrees a
//! period later on E..S, S ≥ E + W, and if by position P is even, then the W values before a heap determine it.

mod window;

use crate::work::{self, Reason, Work, shown};
use crate::{Envelope, Rejected, Shown};
use window::Window;

/// The most values recomputed: about a minute for a game with few rare values.
const MOST: usize = 1 << 28;

/// The most values recomputed from a window.
const MOST_BY_WINDOW: u64 = 1 << 40;

/// The most values recomputed where all pairs must be tried.
const MOST_PLAIN: usize = 1 << 16;

/// The moves that take k tokens: what may be left.
struct Digit {
    bits: u32,
    unequal: bool,
}

/// Heaps that are computed again by all moves, in whatever way the others are.
pub const DEPTH: usize = 2000;

/// Checks a proof of kind `period`; tries all moves of heaps up to `depth`.
pub fn check(envelope: &Envelope<'_>, depth: usize, work: &mut Work<'_>) -> Result<Shown, Rejected> {
    let takings = takings(envelope.game);
    let digits = match takings {
        Some(_) => Vec::new(),
        None => code(envelope.game).ok_or_else(|| {
            Rejected::new(
                3,
                "this should be S(a,b,...), ascending, or the code of a game that ends, as `4.07`",
            )
        })?,
    };
    let taken = takings.as_ref().map_or(digits.len().saturating_sub(1), |set| set[set.len() - 1]);
    let parts = digits.iter().map(|d| d.bits.checked_ilog2().unwrap_or(0)).max().unwrap_or(0).max(1) as usize;
    let unequal = digits.iter().any(|d| d.unequal);

    let mut lines =
        envelope.body.lines().enumerate().map(|(i, line)| (envelope.body_line + i, line)).peekable();
    let mut field = |name: &str| -> Result<(usize, &str), Rejected> {
        let (line, text) = lines.next().ok_or_else(|| Rejected::new(0, format!("`{name}` is missing")))?;
        let value = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        Ok((line, value.ok_or_else(|| Rejected::new(line, format!("this line should start with `{name}`")))?))
    };
    let (line, text) = field("period")?;
    let period = long_number(line, text)?;
    let (line, text) = field("preperiod")?;
    let preperiod = long_number(line, text)?;
    if period == 0 {
        return Err(Rejected::new(line, "a period is at least 1"));
    }
    let claim = format!("the nim-values of single heaps have period {period} from {preperiod} on");
    if envelope.claim != claim {
        return Err(Rejected::new(4, format!("the body is about another claim: {claim}")));
    }
    let (line, text) = field("space")?;
    let space = match text.split_once(' ') {
        None if text == "none" => None,
        Some(("value", mask)) => Some((number(line, mask)? as u32, false)),
        Some(("position", mask)) => Some((number(line, mask)? as u32, true)),
        _ => return Err(Rejected::new(line, "a space is `none`, `value MASK` or `position MASK`")),
    };
    let window = match lines.next_if(|(_, text)| text.starts_with("window ")) {
        None => None,
        Some((line, text)) => match text["window ".len()..].split(' ').collect::<Vec<_>>()[..] {
            [width, from] => Some((line, number(line, width)?, number(line, from)?)),
            [width, from, since] => {
                let [from, since] = [long_number(line, from)?, number(line, since)?];
                let window = Window { line, width: number(line, width)?, from, since };
                let by_position = space.is_some_and(|(_, by_position)| by_position);
                if window.width <= taken
                    || from < since.max(preperiod.saturating_add(window.width))
                    || from.checked_add(period).is_none()
                    || from - preperiod > MOST
                    || since <= 3 * window.width
                    || (by_position && period % 2 == 1)
                {
                    return Err(Rejected::new(line, "this window proves nothing"));
                }
                let (mask, by_position) = space
                    .filter(|_| parts <= 2)
                    .ok_or_else(|| Rejected::new(line, "a window needs a sparse space"))?;
                if let Some((line, _)) = lines.next() {
                    return Err(Rejected::new(line, "behind such a window nothing more is said"));
                }
                work.hold(4 * since).map_err(stopped)?;
                let sparse = Sparse::new(&digits, mask, by_position)?;
                let values = sparse.values(since, None, work)?;
                let tried = by_all_moves(&digits, &values, depth, work)?;
                sparse.go_on(&values, window, [preperiod, period], work)?;
                return Ok(told(from + period, tried, &rules(false, unequal), [preperiod, period]));
            }
            _ => {
                return Err(Rejected::new(
                    line,
                    "a window is `window WIDTH FROM`, or `window WIDTH FROM SINCE`",
                ));
            }
        },
    };
    if period.max(preperiod) > MOST {
        return Err(Rejected::new(0, format!("values past {MOST} are too many to recompute here")));
    }

    let needed = match window {
        Some((line, width, from)) => {
            let by_position = space.ok_or_else(|| Rejected::new(line, "a window needs a sparse space"))?.1;
            if from < preperiod + width || width <= taken || (by_position && period % 2 == 1) {
                return Err(Rejected::new(line, "this window proves nothing"));
            }
            from + period
        }
        None if unequal && parts > 2 => return Err(Rejected::new(3, "no theorem for three unequal heaps")),
        None => parts * (preperiod.max(1) + period) + taken + if unequal { period } else { 0 },
    };
    let sparse = space.is_some() && parts <= 2;
    let most = match &takings {
        Some(set) => MOST / set.len(),
        None if sparse => MOST,
        None => MOST_PLAIN >> (4 * parts.saturating_sub(2)),
    };
    if needed > most {
        return Err(Rejected::new(0, format!("{needed} values are too many to recompute here")));
    }
    work.hold(4 * needed).map_err(stopped)?;
    let (values, tried) = match (space.filter(|_| sparse), &takings) {
        (Some((mask, by_position)), _) => {
            let values = Sparse::new(&digits, mask, by_position)?.values(needed, window, work)?;
            let tried = by_all_moves(&digits, &values, depth, work)?;
            (values, tried)
        }
        (None, Some(set)) => (by_takings(set, needed, work)?, needed),
        (None, None) => (plain(&digits, needed, work)?, needed),
    };
    work.spend(needed).map_err(stopped)?;
    if let Some(n) = (preperiod + period..needed).find(|n| values[*n] != values[n - period]) {
        return Err(Rejected::new(0, format!("heaps {} and {n} have different values", n - period)));
    }
    for (line, text) in lines {
        if let Some(cycle) = text.strip_prefix("cycle ") {
            let start = preperiod.div_ceil(period) * period;
            // The cycle's heaps may lie past the last one recomputed: then a period earlier.
            let at = |i: usize| if start + i < needed { start + i } else { start + i - period };
            let right =
                (0..period).map(|i| values[at(i)].to_string()).eq(cycle.split(' ').map(str::to_owned));
            if !right {
                return Err(Rejected::new(line, "these are not the values of the period"));
            }
        } else if let Some((n, value)) = text.strip_prefix("exception ").and_then(|rest| rest.split_once(' '))
        {
            let (n, value) = (number(line, n)?, number(line, value)?);
            let exceptional = n < preperiod && usize::from(values[n]) == value && {
                values[n + (preperiod - n).div_ceil(period) * period] != values[n]
            };
            if !exceptional {
                return Err(Rejected::new(line, "this is no exception, or has another value"));
            }
        } else {
            return Err(Rejected::new(line, "this line should be an exception or the cycle"));
        }
    }
    Ok(told(needed, tried, &rules(takings.is_some(), unequal), [preperiod, period]))
}

/// Compares the first values with those by all moves; how many.
fn by_all_moves(
    digits: &[Digit],
    values: &[u16],
    depth: usize,
    work: &mut Work<'_>,
) -> Result<usize, Rejected> {
    let tried = plain(digits, values.len().min(depth), work)?;
    match (0..tried.len()).find(|n| tried[*n] != values[*n]) {
        None => Ok(tried.len()),
        Some(n) => {
            let reason = format!("two computations of heap {n} disagree: a fault of this checker");
            Err(Rejected::new(0, reason))
        }
    }
}

/// The rules, as the theorem tells them.
fn rules(by_takings: bool, unequal: bool) -> String {
    let rules = match by_takings {
        true => "A move takes one of the listed numbers of tokens from a heap.",
        false => {
            "A move takes k tokens from a heap and may leave it as i heaps where 2^i is in the k-th digit of the code."
        }
    };
    let apart = if unequal { " After a digit with ! heaps that are left are unequal." } else { "" };
    format!("{rules}{apart}")
}

/// The theorem, and what was done for it.
fn told(needed: usize, tried: usize, rules: &str, [preperiod, period]: [usize; 2]) -> Shown {
    Shown {
        work: format!("{needed} nim-values recomputed, the first {tried} by all moves"),
        theorem: format!(
            "{rules} G(n) being the nim-value of a heap of n tokens: G(n + {period}) = G(n) for every n >= {preperiod}."
        ),
    }
}

/// Told to end.
fn stopped(reason: Reason) -> Rejected {
    Rejected::new(0, reason)
}

fn number(line: usize, text: &str) -> Result<usize, Rejected> {
    let number = work::number(text).filter(|number| *number <= MOST);
    number.ok_or_else(|| Rejected::new(line, format!("`{}` is no number up to {MOST}", shown(text))))
}

/// A number of a sequence that is looked at by its window; where numbers are narrow, fewer.
fn long_number(line: usize, text: &str) -> Result<usize, Rejected> {
    let number = work::number::<u64>(text).filter(|number| *number <= MOST_BY_WINDOW);
    let number = number.and_then(|number| usize::try_from(number).ok());
    number
        .ok_or_else(|| Rejected::new(line, format!("`{}` is no number up to {MOST_BY_WINDOW}", shown(text))))
}

/// Reads d0.d1d2…, hexadecimal digits, each perhaps with `!`; `None` where the text is no code or its game never ends, or
/// where it is not as codes are printed: capital letters, `!` where two heaps may be left, no 0 at the end but in `d0.0`.
fn code(text: &str) -> Option<Vec<Digit>> {
    let (first, rest) = text.split_once('.')?;
    let mut digits: Vec<Digit> = Vec::new();
    for (place, c) in first.chars().chain(rest.chars()).enumerate() {
        match c.to_digit(16).filter(|_| !c.is_ascii_lowercase()) {
            Some(bits) => digits.push(Digit { bits, unequal: false }),
            None if c == '!' && place > 0 => {
                let last = digits.last_mut().filter(|digit| !digit.unequal && digit.bits >= 4)?;
                last.unequal = true;
            }
            None => return None,
        }
    }
    if digits.len() > 2 && digits.last()?.bits == 0 {
        return None;
    }
    let one_before_the_point = first.len() == 1 || (first.len() == 2 && first.ends_with('!'));
    (one_before_the_point && digits[0].bits & 3 == 0 && digits.len() > 1).then_some(digits)
}

/// Reads S(a,b,…), the numbers ascending, from 1 on; at most as many as a value can tell.
fn takings(text: &str) -> Option<Vec<usize>> {
    let list = text.strip_prefix("S(")?.strip_suffix(')')?;
    let set: Vec<usize> = list.split(',').map(work::number).collect::<Option<_>>()?;
    let ascending = set[0] > 0 && set.windows(2).all(|pair| pair[0] < pair[1]);
    (ascending && set[set.len() - 1] <= MOST && set.len() < 1 << 16).then_some(set)
}

/// The values of heaps 0..`len` where numbers of a set are taken.
fn by_takings(set: &[usize], len: usize, work: &mut Work<'_>) -> Result<Vec<u16>, Rejected> {
    let mut values: Vec<u16> = Vec::with_capacity(len);
    let mut seen = vec![usize::MAX; set.len() + 1];
    for n in 0..len {
        work.spend(2 * set.len() + 4).map_err(stopped)?;
        set.iter().take_while(|s| **s <= n).for_each(|s| seen[usize::from(values[n - s])] = n);
        let mex = (0..=set.len()).find(|v| seen[*v] != n);
        values.push(mex.unwrap_or(set.len()) as u16);
    }
    Ok(values)
}

/// The values of heaps 0..`len` from all moves.
fn plain(digits: &[Digit], len: usize, work: &mut Work<'_>) -> Result<Vec<u16>, Rejected> {
    let mut values: Vec<u16> = Vec::with_capacity(len);
    let mut seen = vec![false; 1 << 16];
    for n in 0..len {
        // Clearing and searching the table.
        work.spend(1 << 12).map_err(stopped)?;
        seen.fill(false);
        for (taken, digit) in digits.iter().enumerate().take(n + 1) {
            work.spend(4 + if digit.bits & 4 != 0 { 2 * (n - taken) } else { 0 }).map_err(stopped)?;
            let (rest, gap) = (n - taken, usize::from(digit.unequal));
            let allows = |heaps: u32| digit.bits >> heaps & 1 == 1;
            seen[0] |= allows(0) && rest == 0;
            if allows(1) && rest > 0 {
                seen[usize::from(values[rest])] = true;
            }
            for a in (1..rest).filter(|_| allows(2) || allows(3)) {
                let b = rest - a;
                if allows(3) {
                    work.spend(b).map_err(stopped)?;
                }
                if allows(2) && a + gap <= b {
                    seen[usize::from(values[a] ^ values[b])] = true;
                }
                for b in (a + gap..rest - a).filter(|_| allows(3)).take_while(|b| b + gap <= rest - a - b) {
                    seen[usize::from(values[a] ^ values[b] ^ values[rest - a - b])] = true;
                }
            }
        }
        let mex = seen.iter().position(|seen| !seen);
        values.push(mex.ok_or_else(|| Rejected::new(0, format!("heap {n} has a value past 65535")))? as u16);
    }
    Ok(values)
}

/// The values of a game that leaves at most two heaps, by rare and common ones.
struct Sparse<'d> {
    digits: &'d [Digit],
    /// The numbers of tokens that moves take when they leave two heaps.
    pairs: Vec<usize>,
    mask: u32,
    by_position: bool,
}

impl Sparse<'_> {
    fn new(digits: &[Digit], mask: u32, by_position: bool) -> Result<Sparse<'_>, Rejected> {
        let pairs: Vec<usize> = (0..digits.len()).filter(|k| digits[*k].bits & 4 != 0).collect();
        let one_parity = pairs.iter().all(|k| k % 2 == pairs[0] % 2);
        if pairs.is_empty() || mask == 0 || mask > u32::from(u16::MAX) || (by_position && !one_parity) {
            return Err(Rejected::new(0, "this game has no such sparse space"));
        }
        Ok(Sparse { digits, pairs, mask, by_position })
    }

    fn is_common(&self, value: u16, n: usize) -> bool {
        let turn = self.by_position && (n ^ self.pairs[0]) & 1 == 1;
        ((u32::from(value) & self.mask).count_ones() % 2 == 1) != turn
    }

    /// The values of heaps 0..`len`; inside the window proof's period every heap must be as it asks for.
    fn values(
        &self,
        len: usize,
        window: Option<(usize, usize, usize)>,
        work: &mut Work<'_>,
    ) -> Result<Vec<u16>, Rejected> {
        let mut values: Vec<u16> = Vec::with_capacity(len);
        let mut rares: Vec<usize> = Vec::new();
        // Sets of values, a bit each. Known values are below a power of two: of `seen`, only so many words are in use.
        let word = |w: usize, common: bool| {
            let values = (0..64).filter(|i| self.is_common(64 * w as u16 + i, 0) == common);
            values.fold(0u64, |set, i| set | 1 << i)
        };
        let classes = [true, false].map(|common| (0..WORDS).map(|w| word(w, common)).collect::<Vec<u64>>());
        let (mut seen, mut open) = (vec![0u64; WORDS], vec![0u64; WORDS]);
        let mut used = 1;
        for n in 0..len {
            let (width, local) = match window {
                Some((_, width, from)) => (width, n >= from),
                None => (0, false),
            };
            work.spend(64 + self.digits.len() + 2 * self.pairs.len() * (1 + rares.len())).map_err(stopped)?;
            seen[..used].fill(0);
            for (taken, digit) in self.digits.iter().enumerate().take(n + 1) {
                if (digit.bits & 1 != 0 && taken == n) || (digit.bits & 2 != 0 && taken < n) {
                    insert(&mut seen, if taken == n { 0 } else { values[n - taken] });
                }
            }
            for taken in &self.pairs {
                for rare in rares.iter().take_while(|rare| *rare + taken < n) {
                    let other = n - taken - rare;
                    if !self.digits[*taken].unequal || other != *rare {
                        insert(&mut seen, values[*rare] ^ values[other]);
                    }
                }
            }
            let turn = usize::from(self.is_common(0, 0) != self.is_common(0, n));
            let (commons, others) = (&classes[turn], &classes[1 - turn]);
            let word = (0..WORDS).find(|w| commons[*w] & !seen[*w] != 0);
            let word = word.ok_or_else(|| Rejected::new(0, format!("heap {n} has a value past 65535")))?;
            let common = 64 * word as u32 + (commons[word] & !seen[word]).trailing_zeros();
            // The rare values below it that are not yet known to be options.
            open[..used].fill(0);
            (0..word).for_each(|w| open[w] = others[w] & !seen[w]);
            open[word] = others[word] & !seen[word] & ((1 << (common % 64)) - 1);
            let mut left: u32 = open[..=word].iter().map(|set| set.count_ones()).sum();
            // Small heaps first, whatever the move: what one move never leaves would cost all its pairs.
            let reach = |taken: usize| {
                let half = n.saturating_sub(taken + usize::from(self.digits[taken].unequal)) / 2;
                if local { half.min(width - taken) } else { half }
            };
            // The least move reaches furthest.
            let most = if left == 0 { 0 } else { reach(self.pairs[0]) };
            'all: for lot in (1..=most).step_by(LOT) {
                for taken in &self.pairs {
                    let end = reach(*taken).min(lot + LOT - 1);
                    for first in (lot..=end).step_by(PAIRS) {
                        // Pairs are tried until all rare values are found, which may be never.
                        work.spend(8).map_err(stopped)?;
                        for a in first..=end.min(first + PAIRS - 1) {
                            if left == 0 {
                                break 'all;
                            }
                            let sum = values[a] ^ values[n - taken - a];
                            let bit = 1 << (sum % 64);
                            left -= u32::from(open[usize::from(sum / 64)] & bit != 0);
                            open[usize::from(sum / 64)] &= !bit;
                        }
                    }
                }
            }
            if left > 0 && local {
                return Err(Rejected::new(
                    0,
                    format!("heap {n} is rare, or is common for reasons past the window"),
                ));
            }
            let rare = (0..=word).find(|w| open[*w] != 0);
            let value = rare.map_or(common, |w| 64 * w as u32 + open[w].trailing_zeros()) as u16;
            // An empty heap is none of two.
            if left > 0 && n > 0 {
                work.hold(16).map_err(stopped)?;
                rares.push(n);
            }
            used = used.max((usize::from(value) + 1).next_power_of_two() / 64 + 1).min(WORDS);
            values.push(value);
        }
        match (window, rares.last()) {
            (Some((line, width, _)), Some(last)) if last + self.digits.len() - 1 > width => {
                Err(Rejected::new(line, format!("heap {last} is rare, too near the window's end")))
            }
            _ => Ok(values),
        }
    }
}

/// Pairs that are tried between two charges.
const PAIRS: usize = 8;

/// Pairs of a move that are tried before those of the next one.
const LOT: usize = 128;

/// Words of a set of all values.
const WORDS: usize = 1 << 10;

fn insert(set: &mut [u64], value: u16) {
    set[usize::from(value / 64)] |= 1 << (value % 64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn judge(game: &str, period: usize, preperiod: usize, rest: &str) -> Result<Shown, Rejected> {
        let claim = format!("the nim-values of single heaps have period {period} from {preperiod} on");
        let body = format!("period {period}\npreperiod {preperiod}\n{rest}");
        let envelope = Envelope { kind: "period", game, claim: claim.into(), body: &body, body_line: 6 };
        check(&envelope, DEPTH, &mut Work::new(&Limits::default(), &mut || true))
    }

    /// In Kayles 5 is left by one of the two moves only, half the time: steps grow with the heaps, not with their square.
    #[test]
    fn a_move_that_never_leaves_a_value_costs_few_steps() {
        let claim = "the nim-values of single heaps have period 48000 from 71 on";
        let body = "period 48000\npreperiod 71\nspace value 15\n";
        let envelope = Envelope { kind: "period", game: "0.77", claim: claim.into(), body, body_line: 6 };
        let within = |steps| {
            let limits = Limits { steps, ..Limits::default() };
            check(&envelope, DEPTH, &mut Work::new(&limits, &mut || true))
        };
        assert!(within(1 << 26).is_ok());
        assert!(within(1 << 20).is_err());
    }

    const CYCLE: &str = "cycle 4 1 2 8 1 4 7 2 1 8 2 7\n";

    #[test]
    fn kayles_is_accepted_and_any_other_claim_is_not() {
        for space in ["space none\n", "space value 15\n", "space value 1\n"] {
            assert!(judge("0.77", 12, 71, space).is_ok());
            assert!(judge("0.77", 12, 71, &format!("{space}exception 70 6\n{CYCLE}")).is_ok());
            assert!(judge("0.77", 24, 71, space).is_ok());
            for (period, preperiod) in [(12, 70), (6, 71), (11, 71), (4, 100), (0, 71)] {
                assert!(judge("0.77", period, preperiod, space).is_err(), "{period} {preperiod}");
            }
            for wrong in
                ["exception 70 5\n", "exception 69 8\n", "exception 71 2\n", "cycle 4 1 2\n", "more\n"]
            {
                assert!(judge("0.77", 12, 71, &format!("{space}{wrong}")).is_err(), "{wrong}");
            }
            assert!(judge("0.77", 12, 71, &format!("{space}{}", CYCLE.replace('8', "9"))).is_err());
        }
        for game in [
            "0.770", "0.77!!", "0.3!", "0.4a", "+0.77", "0.76", "4!.0", "0.6", "", "0", "1.77", "77",
            "0.[3]", "0.", "x.7", "00.77",
        ] {
            assert!(judge(game, 12, 71, "space none\n").is_err(), "{game}");
        }
        for rest in
            ["", "space\n", "space value x\n", "space value 0\n", "space position 3\n", "window 9 9\n"]
        {
            assert!(judge("0.77", 12, 71, rest).is_err(), "{rest}");
        }
    }

    #[test]
    fn windows_must_close() {
        // Kayles' last rare heap is small, but the window must reach past it and the preperiod.
        let space = "space value 15\n";
        assert!(judge("0.77", 12, 71, &format!("{space}window 80 151\n")).is_ok());
        assert!(judge("0.77", 12, 71, &format!("{space}window 80 150\n")).is_err());
        assert!(judge("0.77", 12, 71, &format!("{space}window 40 400\n")).is_err());
        assert!(judge("0.77", 12, 71, "space none\nwindow 80 151\n").is_err());
    }

    /// Kayles from heap 300 on by its window alone; 0.16, a period of A. Gangolli and T. Plambeck.
    #[test]
    fn windows_alone_must_close() {
        let space = "space value 15\n";
        assert!(judge("0.77", 12, 71, &format!("{space}window 80 300 300\n")).is_ok());
        assert!(judge("0.77", 24, 100, &format!("{space}window 90 350 300\n")).is_ok());
        assert!(judge("0.77", 12_000, 71, &format!("{space}window 80 300 300\n")).is_ok());
        assert!(judge("0.16", 149_459, 105_351, "space value 30\nwindow 33000 138351 100000\n").is_ok());
        for (period, preperiod, window) in [
            (12, 70, "80 300 300"),
            (6, 71, "80 300 300"),
            (10, 71, "80 300 300"),
            (12_006, 71, "80 300 300"),
            (12, 71, "40 300 300"),
            (12, 71, "80 299 300"),
            (12, 71, "80 300 240"),
            (12, 290, "80 300 300"),
            (12, 71, "80 300 300 300"),
            (12, 71, "2 300 300"),
        ] {
            let rest = format!("{space}window {window}\n");
            assert!(judge("0.77", period, preperiod, &rest).is_err(), "{period} {preperiod} {window}");
        }
        for (period, preperiod) in [(149_459, 105_350), (149_457, 105_351), (149_460, 105_351)] {
            let rest = "space value 30\nwindow 33000 138351 100000\n";
            assert!(judge("0.16", period, preperiod, rest).is_err(), "{period} {preperiod}");
        }
        assert!(judge("0.77", 12, 71, &format!("{space}window 80 300 300\nexception 70 6\n")).is_err());
        assert!(judge("0.77", 12, 71, "space none\nwindow 80 300 300\n").is_err());
        // Odd periods of a space by position prove nothing; windows too long to look at are declined.
        assert!(judge("0.106", 149_459, 105_351, "space position 13\nwindow 3000 135351 100000\n").is_err());
        assert!(judge("0.77", 12, 1 << 40, &format!("{space}window 80 {} 300\n", 1u64 << 41)).is_err());
    }

    #[test]
    fn too_much_work_is_declined() {
        assert!(judge("0.77", 12, 1 << 27, "space none\n").is_err());
        assert!(judge("0.77", 99_999_999_999_999, 1, "space none\n").is_err());
    }

    /// S(1,2) repeats 0, 1, 2 from the rules; S(2,300) and the like have the period of their sum or divide it.
    #[test]
    fn subtraction_games() {
        for game in ["S(1,2)", "0.33"] {
            assert!(judge(game, 3, 0, "space none\ncycle 0 1 2\n").is_ok());
            assert!(judge(game, 2, 0, "space none\n").is_err());
        }
        assert!(judge("S(1,300)", 301, 0, "space none\n").is_ok());
        assert!(judge("S(1,300)", 602, 5, "space none\n").is_ok());
        assert!(judge("S(1,300)", 300, 0, "space none\n").is_err());
        for game in ["S()", "S(2,1)", "S(0,1)", "S(1", "S(1,1)", "S(x)", "S(1,99999999999999999999)"] {
            assert!(judge(game, 3, 0, "space none\n").is_err(), "{game}");
        }
        assert!(judge("S(1,2)", 3, 1 << 27, "space none\n").is_err());
    }

    /// Values by rare and common ones are those by all moves, whatever the space.
    #[test]
    fn spaces_give_the_values_of_all_moves() {
        for game in [
            "0.77", "0.4", "0.04", "4.4", "4!.0", "4!.4", "0.54", "0.16", "0.104", "0.106", "4.04", "0.44!1",
            "0.454", "0.4!0004", "0.4004!5", "4!.04",
        ] {
            let digits = code(game).unwrap();
            let expected = plain(&digits, 300, &mut Work::new(&Limits::default(), &mut || true)).unwrap();
            for (mask, by_position) in (1..64).flat_map(|mask| [(mask, false), (mask, true)]).chain([
                (255, false),
                (256, true),
                (494, false),
                (0xFFFF, false),
                (0xFFFE, true),
            ]) {
                let Ok(sparse) = Sparse::new(&digits, mask, by_position) else { continue };
                let values = sparse.values(300, None, &mut Work::new(&Limits::default(), &mut || true));
                assert_eq!(values, Ok(expected.clone()), "{game} {mask} {by_position}");
            }
        }
    }

    /// From the rules: S(1,2) repeats 0, 1, 2; three heaps left go through all triples.
    #[test]
    fn other_codes() {
        assert!(judge("0.33", 3, 0, "space none\ncycle 0 1 2\n").is_ok());
        assert!(judge("0.33", 2, 0, "space none\n").is_err());
        assert!(judge("8.7", 2, 1, "space none\n").is_err());
    }
}
