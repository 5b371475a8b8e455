//! Win conditions of NIM with Cash: `kind: win-condition`. Format: docs/certificates.md.
//!
//! Let c = d + e + 1 − n, m = min A, M = max A; v_c(n) = −(c + n) for n < m, else the maximum of −a
//! − v_c(n − a), a ≤ n. Known (docs/design/cash.md): for c ≥ 0 the mover wins iff d − e + v_c(n) >
//! 0, for c ≤ 1 iff ⌊d/m⌋ > ⌊e/m⌋. A certificate says what v_c(n) is for all n and all c ≥ 2.
//!
//! Hypotheses ([`hypotheses`]): amounts are at least 1, so that play ends and every move costs
//! something; one pile; whoever cannot move, for lack of stones or of dollars, loses; purses are
//! finite. All n, d, e ≥ 0 are spoken of: c ≥ 2 by v, c ≤ 1 by the least amount alone. The body
//! says what v is for c ≥ 2 (`window`) or c ≥ 0 (`words`).
//!
//! Lines: v_c(n) = ±c + r(n) for c ≥ θ(n), by the recurrence. Window: if sign(n + p) = sign(n) and
//! r(n + p) = r(n) ∓ q for M successive n from N on, and C ≥ θ(n), C + q ≥ θ(n + p) there, then
//! v_{c+q}(n + p) = v_c(n) for these n and c ≥ C, hence for all n ≥ N, as the recurrence does not
//! ask for c. So lines for n < N + p and rows for c < C + q are enough. A row is right if it obeys
//! the recurrence until all it looks back at is periodic.
//!
//! Words: the path c ↦ v_c(i + Pk) is u₀^(α₀k+β₀) u₁^(α₁k+β₁) … and then one letter for ever. The M
//! paths from n = P·K on are compared with a table. The step: on a cell between places where some
//! path of v(n) or −a − v(n − a) turns to its next piece, each of them is affine in k and in the
//! number y of common periods, for each offset within the period. So it is enough that one option
//! equals the claim and that none exceeds it at the corners of the wedge k ≥ K, 0 ≤ y ≤ last(k).

use crate::hypotheses::{Hypothesis, all_hold};
use crate::work::{Reason, Work, many, number, shown};
use crate::{CheckReport, Envelope, Rejected};

/// The greatest number in a certificate, and the most cells or values looked at.
const MAX_NUMBER: i128 = 1 << 32;

/// Checks what the theorem assumes of the amounts.
fn hypotheses(set: &[i128]) -> Result<(), Rejected> {
    all_hold(
        "the theorem on NIM with Cash",
        [
            Hypothesis::new(3, "an amount", !set.is_empty(), "there is none"),
            Hypothesis::new(
                3,
                "amounts of 1 at least",
                set.iter().all(|a| *a >= 1),
                "one of these is 0",
            ),
            Hypothesis::new(
                3,
                "amounts each once, ascending",
                set.is_sorted_by(|a, b| a < b),
                "these are not",
            ),
            Hypothesis::new(
                3,
                "amounts of at most 65536",
                set.iter().all(|a| *a <= 1 << 16),
                "one of these is greater",
            ),
        ],
    )
}

/// Returns the hypotheses of a window P Q N C: of Theorem 4 in docs/design/cash.md, but for what
/// lines and rows are.
fn window_hypotheses(line: usize, [p, q, n0, c0]: [i128; 4]) -> [Hypothesis; 4] {
    [
        Hypothesis::new(line, "P >= 1", p >= 1, format!("P = {p}")),
        Hypothesis::new(line, "N >= 0", n0 >= 0, format!("N = {n0}")),
        Hypothesis::new(
            line,
            "C >= 2, where v begins to be asked for",
            c0 >= 2,
            format!("C = {c0}"),
        ),
        Hypothesis::new(
            line,
            "C + Q >= 0, where the recurrence begins",
            c0 + q >= 0,
            format!("Q = {q}"),
        ),
    ]
}

/// Returns the hypotheses of words P K.
fn words_hypotheses(line: usize, [modulus, first]: [i128; 2]) -> [Hypothesis; 2] {
    [
        Hypothesis::new(line, "P >= 1", modulus >= 1, format!("P = {modulus}")),
        Hypothesis::new(line, "K >= 0", first >= 0, format!("K = {first}")),
    ]
}

/// Checks a proof of kind `win-condition`.
pub fn check(envelope: &Envelope<'_>, work: &Work<'_>) -> Result<CheckReport, Rejected> {
    let set = amounts(envelope.game)
        .ok_or_else(|| Rejected::new(3, "no game NIM(a,b,...;n;d,e) with ascending a"))?;
    hypotheses(&set)?;
    let least = set[0];
    let claim = format!(
        "with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 and \
         floor(d / {least}) > floor(e / {least})"
    );
    if envelope.claim != claim {
        return Err(Rejected::new(4, format!("the body is about another claim: {claim}")));
    }
    let mut lines = envelope
        .body
        .lines()
        .enumerate()
        .map(|(i, line)| Text { at: envelope.body_line + i, line });
    let head = lines.next().ok_or_else(|| Rejected::new(0, "the body is empty"))?;
    match head.line.split_once(' ') {
        Some(("window", _)) => check_window(&set, head, lines, work),
        Some(("words", _)) => check_words(&set, head, lines, work),
        _ => Err(head.no("a body starts with `window` or `words`")),
    }
}

/// Returns the theorem, v being what these words say.
fn stated(v: &str) -> String {
    format!(
        "A move takes a listed number of the n stones and pays a dollar for each, d being the \
         mover's dollars and e the other's. Whoever cannot move loses. v is an integer for each c \
         and n, given by the file: {v}. For all n, d, e the claim holds."
    )
}

/// Returns the rejection of a check that was told to end.
fn stopped(reason: Reason) -> Rejected {
    Rejected::new(0, reason)
}

/// Reads `NIM(a,b,...;n;d,e)`: the amounts, as written.
fn amounts(game: &str) -> Option<Vec<i128>> {
    let list = game.strip_prefix("NIM(")?.strip_suffix(";n;d,e)")?;
    list.split(',').map(number).collect()
}

/// A line of the file.
#[derive(Clone, Copy)]
struct Text<'t> {
    at: usize,
    line: &'t str,
}

impl<'t> Text<'t> {
    fn no(&self, reason: impl Into<Reason>) -> Rejected {
        Rejected::new(self.at, reason)
    }
    /// Returns the numbers after the first word.
    fn numbers(&self, word: &str) -> Result<Vec<i128>, Rejected> {
        let rest = self.line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
        let rest = rest.ok_or_else(|| self.no(format!("this line should start with `{word}`")))?;
        rest.split(' ').map(|number| self.number(number)).collect()
    }
    fn number(&self, text: &str) -> Result<i128, Rejected> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let value =
            number(digits).filter(|value: &i128| *value < MAX_NUMBER).map(|value| sign * value);
        value.ok_or_else(|| self.no(format!("`{}` is no number below {MAX_NUMBER}", shown(text))))
    }
}

/// v_c(n) = sign·c + shift for c ≥ from.
#[derive(Clone, Copy)]
struct Line {
    sign: i128,
    shift: i128,
    from: i128,
}

/// Returns, for each n < `len`, the line that v_c(n) is on for large c. O(len · amounts).
fn lines_of_stones(set: &[i128], len: usize, work: &Work<'_>) -> Result<Vec<Line>, Rejected> {
    work.hold(len * size_of::<Line>()).map_err(stopped)?;
    let mut all: Vec<Line> = Vec::with_capacity(len);
    for n in 0..len {
        work.spend(16 + 8 * set.len()).map_err(stopped)?;
        let options: Vec<Line> = set
            .iter()
            .filter(|a| **a <= n as i128)
            .map(|a| {
                let old = all[n - *a as usize];
                Line { sign: -old.sign, shift: -a - old.shift, from: old.from }
            })
            .collect();
        let top = |sign| options.iter().filter(|o| o.sign == sign).map(|o| o.shift).max();
        let from = options.iter().map(|o| o.from).max().unwrap_or(0);
        all.push(match (top(1), top(-1)) {
            (Some(up), Some(down)) => {
                Line { sign: 1, shift: up, from: from.max((down - up + 1).div_euclid(2)) }
            }
            (Some(shift), None) => Line { sign: 1, shift, from },
            (None, Some(shift)) => Line { sign: -1, shift, from },
            (None, None) => Line { sign: -1, shift: -(n as i128), from: 0 },
        });
    }
    Ok(all)
}

/// Checks a body `window P Q N C`: the shift of the lines by a period, then each line, then the
/// rows of the c below, whose values are computed anew.
fn check_window<'t>(
    set: &[i128],
    head: Text<'t>,
    mut body: impl Iterator<Item = Text<'t>>,
    work: &Work<'_>,
) -> Result<CheckReport, Rejected> {
    let [p, q, n0, c0] =
        head.numbers("window")?.try_into().map_err(|_| head.no("`window P Q N C`"))?;
    let reach = set[set.len() - 1];
    let richer = c0 + q.max(0);
    all_hold("the window theorem of NIM with Cash", window_hypotheses(head.at, [p, q, n0, c0]))?;
    if p + n0 + reach > 1 << 24 {
        return Err(head.no("this window is too wide"));
    }
    let known = lines_of_stones(set, (n0 + p + reach) as usize, work)?;
    for n in n0..n0 + reach {
        let (early, late) = (known[n as usize], known[(n + p) as usize]);
        if early.sign != late.sign || late.shift != early.shift - early.sign * q {
            return Err(head.no(format!("v is not shifted from {n} to {}", n + p)));
        }
        if early.from > c0 || late.from > c0 + q {
            return Err(head.no(format!("the lines at {n} and {} begin later", n + p)));
        }
    }
    for (n, line) in known[..(n0 + p) as usize].iter().enumerate() {
        let text = body.next().ok_or_else(|| Rejected::new(0, format!("line {n} is missing")))?;
        work.spend(64).map_err(stopped)?;
        let sign = if line.sign > 0 { '+' } else { '-' };
        if text.line != format!("line {sign}c {}", line.shift) || line.from > richer {
            return Err(text.no(format!("for {n} stones this line is wrong, or begins later")));
        }
    }
    let mut looked = 0;
    for c in 2..richer {
        let text = body
            .next()
            .ok_or_else(|| Rejected::new(0, format!("the row of c = {c} is missing")))?;
        let before = work.bytes();
        work.hold(16 * text.line.len()).map_err(stopped)?;
        let numbers = text.numbers("row")?;
        let (period, values) = (numbers[0], &numbers[1..]);
        let len = values.len() as i128;
        if period < 1 || period > len {
            return Err(text.no("a row has at least one period of values"));
        }
        looked += len + reach;
        if looked > MAX_NUMBER {
            return Err(text.no("too much to check"));
        }
        let value =
            |n: i128| values[if n < len { n } else { len - period + (n - len) % period } as usize];
        for n in 0..len + reach {
            work.spend(16 * set.len()).map_err(stopped)?;
            let options = set.iter().filter(|a| **a <= n).map(|a| -a - value(n - a));
            if value(n) != options.max().unwrap_or(-(c + n)) {
                return Err(text.no(format!("with {n} stones this is not v")));
            }
        }
        work.release(before);
    }
    match body.next() {
        Some(text) => Err(text.no("this line is one too many")),
        None => Ok(CheckReport {
            work: format!("{} and {} recomputed", many(n0 + p, "line"), many(richer - 2, "row")),
            theorem: stated(&format!(
                "for c < {richer} it is what the row of c says; for c >= {richer} and n < {from} \
                 what the n-th line says; for c >= {richer} and n >= {from} it is that of c - {q} \
                 and n - {p}",
                from = n0 + p,
            )),
        }),
    }
}

/// k·`each` + `base`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Affine {
    each: i128,
    base: i128,
}

impl Affine {
    fn add(self, other: Affine, times: i128) -> Affine {
        Affine { each: self.each + times * other.each, base: self.base + times * other.base }
    }
    fn at(self, k: i128) -> i128 {
        self.each * k + self.base
    }
}

/// Steps of ±1, repeated.
struct RepeatedSteps {
    steps: Vec<i128>,
    times: Affine,
}

/// v_c(n) over c, from c = 0 on: a start, pieces of steps, then the tail's step for ever.
struct Path {
    start: i128,
    tail: i128,
    pieces: Vec<RepeatedSteps>,
}

/// Reads `path START TAIL PIECE...`, a piece as `U2D^3k-1`: steps, and how often they come.
fn read_path(text: Text<'_>, set: &[i128], work: &Work<'_>) -> Result<Path, Rejected> {
    let letter = |c: &str| match c {
        "U" => Ok(1),
        "D" => Ok(-1),
        _ => Err(text.no("a step is U or D")),
    };
    let mut parts = text.line.split(' ');
    if parts.next() != Some("path") {
        return Err(text.no("this line should start with `path`"));
    }
    let mut next = || parts.next().ok_or_else(|| text.no("`path START TAIL PIECE...`"));
    let (start, tail) = (text.number(next()?)?, letter(next()?)?);
    let mut pieces = Vec::new();
    for part in parts {
        let form = || text.no("a piece is STEPS^Xk+Y");
        let (word, times) = part.split_once('^').ok_or_else(form)?;
        let (each, base) = times.split_once('k').ok_or_else(form)?;
        let base = base
            .strip_prefix('+')
            .or(Some(base).filter(|b| b.starts_with('-')))
            .ok_or_else(form)?;
        let (mut steps, mut rest): (Vec<i128>, &str) = (Vec::new(), word);
        while let Some(first) = rest.chars().next() {
            let (step, after) = rest.split_at(first.len_utf8());
            let (count, after) =
                after.split_at(after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len()));
            let count = text.number(count)?;
            if !(1..=1 << 20).contains(&count) || steps.len() > 1 << 20 {
                return Err(text.no("a run of steps is too long, or empty"));
            }
            // Every path is copied once for each amount, and for the claim.
            work.hold((set.len() + 2) * 16 * count as usize).map_err(stopped)?;
            steps.extend(std::iter::repeat_n(letter(step)?, count as usize));
            rest = after;
        }
        if steps.is_empty() {
            return Err(form());
        }
        pieces.push(RepeatedSteps {
            steps,
            times: Affine { each: text.number(each)?, base: text.number(base)? },
        });
    }
    Ok(Path { start, tail, pieces })
}

/// Checks a body `words P K`: the paths of P residues, by induction on k from k = K on.
fn check_words<'t>(
    set: &[i128],
    head: Text<'t>,
    body: impl Iterator<Item = Text<'t>>,
    work: &Work<'_>,
) -> Result<CheckReport, Rejected> {
    let [modulus, first] = head.numbers("words")?.try_into().map_err(|_| head.no("`words P K`"))?;
    let reach = set[set.len() - 1];
    all_hold("the theorem on words of NIM with Cash", words_hypotheses(head.at, [modulus, first]))?;
    if modulus * first + reach > 1 << 16 {
        return Err(head.no("too many stones before the words"));
    }
    let mut paths = Vec::new();
    for text in body {
        let path = read_path(text, set, work)?;
        work.hold((set.len() + 2) * (128 * path.pieces.len() + 64)).map_err(stopped)?;
        if path.pieces.iter().any(|piece| piece.times.each < 0 || piece.times.at(first) < 0) {
            return Err(text.no("a piece comes less than no times"));
        }
        paths.push(path);
    }
    if paths.len() as i128 != modulus {
        return Err(head.no("there must be as many paths as the modulus says"));
    }
    base(set, &paths, first, head, work)?;
    for i in 0..modulus {
        // The least k with i + Pk ≥ PK + M.
        let from = first + (reach - i + modulus - 1).div_euclid(modulus);
        let claim = Track::new(&paths[i as usize], 1, 0, 0);
        let options: Vec<Track> = set
            .iter()
            .map(|a| {
                let before = i - a;
                Track::new(
                    &paths[before.rem_euclid(modulus) as usize],
                    -1,
                    -a,
                    -before.div_euclid(modulus),
                )
            })
            .collect();
        check_step(&claim, &options, from.max(first), work)
            .map_err(|reason| Rejected::new(head.at + 1 + i as usize, reason))?;
    }
    Ok(CheckReport {
        work: format!("{modulus} paths by induction, {} stones computed", modulus * first + reach),
        theorem: stated(&format!(
            "for n = i + {modulus} k with k >= {first} it is at c what the i-th path says; for n \
             < {} it is what the recurrence gives",
            modulus * first
        )),
    })
}

/// Compares the M paths from n = P·K on with the table.
fn base(
    set: &[i128],
    paths: &[Path],
    first: i128,
    head: Text<'_>,
    work: &Work<'_>,
) -> Result<(), Rejected> {
    let (modulus, reach) = (paths.len(), set[set.len() - 1] as usize);
    let start = modulus * first as usize;
    let known = lines_of_stones(set, start + reach, work)?;
    let length = |n: usize| {
        let pieces = paths[n % modulus].pieces.iter();
        pieces
            .map(|piece| piece.times.at((n / modulus) as i128) * piece.steps.len() as i128)
            .sum::<i128>()
    };
    let longest = (start..start + reach).map(|n| length(n).max(known[n].from)).max().unwrap_or(0);
    if longest * (start + reach) as i128 > MAX_NUMBER
        || (longest + 1) * (reach + 1) as i128 > 1 << 28
    {
        return Err(head.no("too much to compute"));
    }
    let width = longest as usize + 1;
    work.hold(width.saturating_mul(8 * (reach + 1) + 16)).map_err(stopped)?;
    let mut rows: Vec<Vec<i64>> = Vec::new();
    for n in 0..start + reach {
        let mut row = vec![0; width];
        for (c, value) in row.iter_mut().enumerate() {
            work.spend(8 * set.len()).map_err(stopped)?;
            let options = set.iter().map(|a| *a as usize).filter(|a| *a <= n);
            let best = options.map(|a| -(a as i64) - rows[(n - a) % (reach + 1)][c]).max();
            *value = best.unwrap_or(-((c + n) as i64));
        }
        if n <= reach {
            rows.push(row)
        } else {
            rows[n % (reach + 1)] = row
        }
        if n < start {
            continue;
        }
        let path = &paths[n % modulus];
        work.spend(4 * width).map_err(stopped)?;
        let mut values = vec![path.start];
        for piece in &path.pieces {
            for step in
                std::iter::repeat_n(&piece.steps, piece.times.at((n / modulus) as i128) as usize)
                    .flatten()
            {
                values.push(values[values.len() - 1] + step);
            }
        }
        while values.len() < width {
            values.push(values[values.len() - 1] + path.tail);
        }
        let right = values
            .iter()
            .zip(&rows[n % (reach + 1)])
            .all(|(value, truth)| *value == i128::from(*truth));
        if !right || path.tail != known[n].sign {
            return Err(Rejected::new(
                head.at + 1 + n % modulus,
                format!("with {n} stones this is not v"),
            ));
        }
    }
    Ok(())
}

/// sign·path + shift as functions of c, one a piece: where it begins, its value there, its steps.
struct Track {
    parts: Vec<(Affine, Affine, Vec<i128>)>,
}

impl Track {
    /// Returns the track for k − `delay` instead of k.
    fn new(path: &Path, sign: i128, shift: i128, delay: i128) -> Track {
        let mut from = Affine { each: 0, base: 0 };
        let mut value = Affine { each: 0, base: sign * path.start + shift };
        let mut parts = Vec::new();
        for piece in &path.pieces {
            let steps: Vec<i128> = piece.steps.iter().map(|step| sign * step).collect();
            let times = Affine { base: piece.times.base - delay * piece.times.each, ..piece.times };
            let after =
                (from.add(times, steps.len() as i128), value.add(times, steps.iter().sum()));
            parts.push((from, value, steps));
            (from, value) = after;
        }
        parts.push((from, value, vec![sign * path.tail]));
        Track { parts }
    }
}

/// Checks that the claim is the greatest of the options for every c ≥ 0 and k ≥ `first`.
fn check_step(
    claim: &Track,
    options: &[Track],
    first: i128,
    work: &Work<'_>,
) -> Result<(), Reason> {
    let tracks: Vec<&Track> = std::iter::once(claim).chain(options).collect();
    let mut turns: Vec<Affine> =
        tracks.iter().flat_map(|t| t.parts.iter().map(|part| part.0)).collect();
    turns.sort_by_key(|turn| (turn.at(first), turn.each));
    turns.dedup();
    let all: usize = tracks.iter().map(|track| track.parts.len()).sum();
    // In this order for every later k, too.
    if !turns.is_sorted_by_key(|turn| turn.each) {
        return Err("pieces overtake each other".into());
    }
    for (place, from) in turns.iter().enumerate() {
        work.spend(8 * all)?;
        let until = turns.get(place + 1).map(|until| until.add(*from, -1));
        let before = |part: &&(Affine, Affine, Vec<i128>)| {
            part.0.at(first) <= from.at(first) && part.0.each <= from.each
        };
        let now: Vec<_> =
            tracks.iter().filter_map(|track| track.parts.iter().rfind(before)).collect();
        // A cell of fixed length is walked step by step: no period is needed.
        let fixed = until.filter(|until| until.each == 0);
        let parts = if fixed.is_some() { &[] } else { &now[..] };
        let period = parts.iter().try_fold(1, |lcm: i128, part| {
            let len = part.2.len() as i128;
            Some(lcm / gcd(lcm, len) * len).filter(|lcm| *lcm <= 1 << 20)
        });
        let period = period.ok_or("the common period is too long")?;
        let offsets = fixed.map_or(period, |until| until.base);
        if offsets > 1 << 24 {
            return Err("a cell is too long".into());
        }
        for offset in 0..offsets {
            work.spend(now.iter().map(|(.., steps)| 64 + 2 * steps.len()).sum())?;
            // Value at k and y = 0, and what each y adds.
            let mut forms = Vec::with_capacity(now.len());
            for (began, value, steps) in &now {
                let len = steps.len() as i128;
                let gone = from.add(*began, -1);
                if gone.each % len != 0 {
                    return Err("a piece meets another at a place that depends on k".into());
                }
                let (whole, rest) =
                    ((gone.base + offset).div_euclid(len), (gone.base + offset).rem_euclid(len));
                let net: i128 = steps.iter().sum();
                let part: i128 = steps[..rest as usize].iter().sum();
                let here = value.add(Affine { each: gone.each / len, base: whole }, net);
                forms.push((
                    here.add(Affine { each: 0, base: part }, 1),
                    if fixed.is_some() { 0 } else { net * (period / len) },
                ));
            }
            let (best, best_rate) = forms[0];
            let mut reached = false;
            for (value, rate) in &forms[1..] {
                let (gap, rate) = (best.add(*value, -1), best_rate - rate);
                let far = match until {
                    None => rate >= 0,
                    Some(until) if until.each == 0 => true,
                    Some(until) => {
                        let last = until.at(first) - 1 - offset;
                        let last = if until.each % period == 0 {
                            last.div_euclid(period) * period
                        } else {
                            last
                        };
                        gap.at(first) * period + rate * last >= 0
                            && gap.each * period + rate * until.each >= 0
                    }
                };
                if gap.at(first) < 0 || gap.each < 0 || !far {
                    return Err("an option is better than the claim".into());
                }
                reached |= *value == best && rate == 0;
            }
            if !reached {
                return Err("no option is as good as the claim".into());
            }
        }
    }
    Ok(())
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(game: &str, least: u32, body: &str) -> Result<CheckReport, Rejected> {
        let claim = format!(
            "with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 and \
             floor(d / {least}) > floor(e / {least})"
        );
        let envelope =
            Envelope { kind: "win-condition", game, claim: claim.into(), body, body_line: 6 };
        check(&envelope, &Work::new(&crate::Limits::default(), &|| true))
    }

    /// By hand: A = {1} gives v = −c for even n and c − 1 for odd n.
    const ONES: &str = "window 2 0 0 2\nline -c 0\nline +c -1\n";

    #[test]
    fn the_game_of_single_stones() {
        assert!(judge("NIM(1;n;d,e)", 1, ONES).is_ok());
        // The same as words: from n = 0 on, all down or all up.
        assert!(judge("NIM(1;n;d,e)", 1, "words 2 0\npath 0 D\npath -1 U\n").is_ok());
        assert!(
            judge("NIM(1;n;d,e)", 1, "words 2 3\npath 0 D D2^0k+1\npath -1 U U1^3k+1 U2^1k-3\n")
                .is_ok()
        );
        for wrong in [
            "",
            "window\n",
            "window 2 0 0\n",
            "window 0 0 0 2\n",
            "window 1 0 0 2\nline -c 0\n",
            "window 2 1 0 2\nline -c 0\nline +c -1\nrow 2 -2 1\n",
            "window 2 0 0 2\nline -c 0\n",
            "window 2 0 0 2\nline -c 0\nline +c 1\n",
            "window 2 0 0 2\nline -c 0\nline -c -1\n",
            "window 2 0 0 3\nline -c 0\nline +c -1\nrow 2 -2 2\n",
            "window 2 0 0 3\nline -c 0\nline +c -1\nrow 3 -2 1\n",
            "window 99999999999999999999 0 0 2\n",
            "words 2 0\npath 0 D\n",
            "words 2 0\npath 0 D\npath 0 U\n",
            "words 2 0\npath 0 D\npath -1 D\n",
            "words 2 0\npath 0 D U1^0k+1\npath -1 U\n",
            "words 2 0\npath 0 D U^0k+1\npath -1 U\n",
            "words 2 0\npath 0 D é1^0k+1\npath -1 U\n",
            "words 2 0\npath 0 D D1^1k-1\npath -1 U\n",
            "words 1 0\npath 0 D\n",
            "else\n",
        ] {
            assert!(judge("NIM(1;n;d,e)", 1, wrong).is_err(), "{wrong}");
        }
        assert!(judge("NIM(1;n;d,e)", 1, &format!("{ONES}row 1 0\n")).is_err());
        assert!(judge("NIM(1;n;d,e)", 2, ONES).is_err());
        for game in [
            "NIM(+1;n;d,e)",
            "NIM(01;n;d,e)",
            "NIM(2;n;d,e)",
            "NIM(1,2;n;d,e)",
            "NIM(1,1;n;d,e)",
            "NIM(0,1;n;d,e)",
            "NIM(;n;d,e)",
            "NIM(1)",
        ] {
            assert!(judge(game, 1, ONES).is_err(), "{game}");
        }
    }
}
