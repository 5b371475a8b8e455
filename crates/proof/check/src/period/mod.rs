//! `period`: periods of nim-sequences. All values are recomputed from the code, one heap at a time.
//!
//! Body: `period P`, `preperiod E`, `space none | value MASK | position MASK`, then perhaps
//! `window W S` or, if the values are too many to be kept, `window W S N`. With `saltus s` behind
//! `preperiod E`, `arithmetic M T Q` follows `space none`, and G(n + P) = G(n) + s is proved
//! ([`arithmetic`]). Then any number of lines `exception N VALUE`, then perhaps `cycle …`, the
//! values from the first multiple of P at or past E. Format: docs/certificates.md.
//!
//! **Games.** S(A): a move takes a ∈ A tokens from a heap. A code d₀.d₁…d_t of hexadecimal
//! digits: a move takes k ≤ t tokens from a heap and leaves the rest as i nonempty heaps, if 2^i
//! is in d_k; after d_k with `!` no two of these are equal. d₀ has neither 1 nor 2, so that every
//! move that takes nothing leaves two heaps at least, and all play ends. G(n) is the nim-value of
//! a heap of n, G(0) = 0.
//!
//! **Theorem 1 (one heap left).** Let moves take at most t tokens and leave one heap or none. If
//! P ≥ 1 and G(n + P) = G(n) for E ≤ n < max(E, 1) + t, then for all n ≥ E. *Proof.* Let n ≥
//! max(E, 1) + t. No move empties heap n or heap n + P, so that the options of both are heaps n −
//! k and n − k + P with the same k ≤ t, where n − k ≥ max(E, 1), and these have equal values by
//! induction. (For S(A) heap 0 may be left, as a heap with the value 0, and E = 0 will do.) ∎
//!
//! **Theorem 2 (at most j ≤ 3 heaps left).** Put e = max(E, 1), P ≥ 1. If no digit has `!` and
//! G(n + P) = G(n) for E ≤ n, n + P < j(e + P) + t, then for all n ≥ E. If digits have `!` and j
//! ≤ 2, then the same with n + P < j(e + P) + P + t. *Proof.* Let n + P be the least heap past
//! the bound that fails. An option of it has at most j heaps, together at least j(e + P); the
//! greatest has e + P at least. Less P it is nonempty and has the same value, and so have an
//! option of heap n and one of heap n + P. Back, an option of n has a heap of at least e, and P
//! more gives an option of n + P. With `!` a pair a < b of n + P with b − P = a has the value 0,
//! as 2a + P ≥ 2(e + P) + P; then a − P ≥ e, and the pair a − P, a + P of n has the value 0, too.
//! ∎ (For three unequal heaps nothing is known here.)
//!
//! **Sparse space.** Let moves leave at most two heaps. A value v of heap n is *rare* if
//! popcount(v & MASK) is even; by position, if popcount(v & MASK) + n + k is, k being what the
//! moves that leave two heaps take, all of one parity. Else v is *common*. So a sum of two rare
//! or two common values is rare, and any other one is common. A heap n ≥ 1 is rare if G(n) is;
//! heap 0 is none of two heaps, and is neither. G(n) is computed so: the least common value that
//! is not reached by one heap or by a pair with a rare heap; less than that, whatever rare value
//! no pair at all reaches. This is exact for every MASK.
//!
//! **Theorem 3 (window).** Let moves take at most t tokens and *leave at most two heaps*, and
//! take a sparse space. Let W > t and S ≥ E + W; by position let P be even. If (a) every rare
//! heap r < S + P has r + t ≤ W; (b) each heap n of S ≤ n < S + P is common, and every rare value
//! below G(n) is reached by a move that leaves one heap, by a pair with a rare heap, or by a pair
//! a, n − k − a with 1 ≤ a ≤ W − k; (c) G(n + P) = G(n) for E ≤ n < S: then G(n + P) = G(n) for
//! all n ≥ E. *Proof.* Let n ≥ S, all of it be true below n, with rare heaps as they are, and
//! heap n be as (b) says. A rare heap is below E, since else the one P later would be rare, and
//! so on into S ≤ n < S + P. Whatever heap n is asked about in (b) is one of the W heaps before
//! it, together with a small one: P later there is the same, with the same values; so the least
//! common value c = G(n) is the least common one not reached, and all below are reached: G(n + P)
//! = c, and heap n + P is as (b) says. ∎ The proof takes pairs for all there is: with three heaps
//! left it says nothing, as two small ones may go with a far one.
//!
//! With a third number N, N > 3W and S ≥ N, heaps from N on are computed from the W before them
//! and from the rare heaps alone ([`window`]); (b) is then asked from N on. As n − W > 2W ≥ 2a,
//! no two heaps of these pairs are equal, and `!` changes nothing.

mod arithmetic;
mod window;

use crate::hypotheses::{Hypothesis, all_hold};
use crate::work::{self, Reason, Work, many, shown};
use crate::{CheckReport, Envelope, Rejected};
use arithmetic::Arithmetic;
use std::iter::Peekable;
use std::ops::Range;
use window::Window;

/// What a certificate says, read and not yet believed.
struct Stated<'t> {
    name: &'t str,
    /// The numbers of S(…).
    takings: Option<Vec<usize>>,
    /// The digits of a code; none for S(…).
    code: Code,
    period: usize,
    preperiod: usize,
    /// Mask, and whether it goes by position.
    space: Option<(u32, bool)>,
    /// Whether the window has its third number.
    window: Option<(Window, bool)>,
    /// The proof of a period with a saltus.
    arithmetic: Option<Arithmetic>,
}

impl Stated<'_> {
    /// Returns the most tokens that a move takes; if digits repeat, the last one before: t.
    fn most_taken(&self) -> usize {
        match &self.takings {
            Some(set) => set.last().copied().unwrap_or(0),
            None => self.code.digits.len().saturating_sub(1),
        }
    }

    /// Returns the most heaps that a move leaves, one at least: j.
    fn most_left(&self) -> usize {
        let parts = self.code.all().map(|d| d.bits.checked_ilog2().unwrap_or(0)).max();
        parts.unwrap_or(0).max(1) as usize
    }

    fn unequal(&self) -> bool {
        self.code.all().any(|d| d.unequal)
    }
}

/// Checks the hypotheses of Theorems 1 to 4 on code, claim and fields. What their leading digit is,
/// is a matter of reading them ([`code`]); (a) to (c) and the values are computed.
fn hypotheses(one: &Stated<'_>) -> Result<(), Rejected> {
    if let Some(arithmetic) = one.arithmetic {
        return all_hold("the theorem on arithmetic periods", arithmetic.hypotheses(one));
    }
    let (name, parts, taken) = (shown(one.name), one.most_left(), one.most_taken());
    let leaves =
        format!("{name} leaves {}", ["none", "one", "two", "three"].get(parts).unwrap_or(&"more"));
    let theorem = match &one.takings {
        Some(_) => "the period theorem of subtraction games",
        None => "the octal period theorem",
    };
    all_hold(
        theorem,
        [
            Hypothesis::new(
                3,
                "codes that end",
                one.code.repeat.is_empty(),
                "the digits of this one go on",
            ),
            Hypothesis::new(6, "a period of 1 at least", one.period >= 1, "this is 0"),
            Hypothesis::new(3, "codes that leave at most three heaps", parts <= 3, leaves.clone()),
            Hypothesis::new(
                3,
                "codes that leave at most two heaps if heaps left have to be unequal",
                !one.unequal() || parts <= 2,
                leaves.clone(),
            ),
        ],
    )?;
    let by_position = one.space.is_some_and(|(_, by_position)| by_position);
    if let Some((mask, by_position)) = one.space {
        all_hold("a sparse space", space_hypotheses(&one.code.digits, mask, by_position))?;
    }
    let Some((Window { line, width, from, since }, alone)) = one.window else { return Ok(()) };
    all_hold(
        "the window theorem",
        [
            Hypothesis::new(3, "codes that leave at most two heaps", parts <= 2, leaves),
            Hypothesis::new(line, "a sparse space", one.space.is_some(), "there is none"),
            Hypothesis::new(
                line,
                "W > t, a window wider than what a move takes",
                width > taken,
                format!("W = {width}, t = {taken}"),
            ),
            Hypothesis::new(
                line,
                "S >= E + W, a window past the preperiod",
                from >= one.preperiod.saturating_add(width),
                format!("S = {from}, E = {}, W = {width}", one.preperiod),
            ),
            Hypothesis::new(
                line,
                "an even period if the space goes by position",
                !by_position || one.period.is_multiple_of(2),
                format!("P = {}", one.period),
            ),
            Hypothesis::new(
                line,
                "S >= N and N > 3 W if it has a third number N",
                !alone || (from >= since && since / 3 >= width && since > 3 * width),
                format!("S = {from}, N = {since}, W = {width}"),
            ),
        ],
    )
}

/// Returns the hypotheses of a sparse space.
fn space_hypotheses(digits: &[Digit], mask: u32, by_position: bool) -> [Hypothesis; 4] {
    let pairs = pairs(digits);
    [
        Hypothesis::new(
            3,
            "codes that leave at most two heaps",
            digits.iter().all(|digit| digit.bits < 8),
            "this one leaves three",
        ),
        Hypothesis::new(3, "a move that leaves two heaps", !pairs.is_empty(), "this game has none"),
        Hypothesis::new(
            0,
            "a mask from 1 to 65535",
            (1..=u32::from(u16::MAX)).contains(&mask),
            format!("this is {mask}"),
        ),
        Hypothesis::new(
            3,
            "moves that leave two heaps to take numbers of one parity, if it goes by position",
            !by_position || pairs.windows(2).all(|two| two[0] % 2 == two[1] % 2),
            "these take even and odd ones",
        ),
    ]
}

/// Returns the numbers of tokens that moves take when they leave two heaps.
fn pairs(digits: &[Digit]) -> Vec<usize> {
    (0..digits.len()).filter(|k| digits[*k].bits & 4 != 0).collect()
}

/// The most values recomputed: about a minute for a game with few rare values.
const MAX_VALUES: usize = 1 << 28;

/// The most values recomputed from a window.
const MAX_BY_WINDOW: u64 = 1 << 40;

/// The most values recomputed where all pairs must be tried.
const MAX_PLAIN: usize = 1 << 16;

/// The moves that take k tokens: what may be left.
#[derive(PartialEq)]
struct Digit {
    bits: u32,
    unequal: bool,
}

/// No tokens may be taken.
static NOTHING: Digit = Digit { bits: 0, unequal: false };

/// The digits of a code, and those that repeat behind them for ever.
#[derive(Default)]
struct Code {
    digits: Vec<Digit>,
    repeat: Vec<Digit>,
}

impl Code {
    /// Returns the digit of a number of tokens.
    fn digit(&self, taken: usize) -> &Digit {
        match taken.checked_sub(self.digits.len()) {
            None => &self.digits[taken],
            Some(_) if self.repeat.is_empty() => &NOTHING,
            Some(past) => &self.repeat[past % self.repeat.len()],
        }
    }

    fn all(&self) -> impl Iterator<Item = &Digit> {
        self.digits.iter().chain(&self.repeat)
    }
}

/// Heaps that are computed again by all moves, in whatever way the others are.
pub const DEPTH: usize = 2000;

/// Checks a proof of kind `period`; tries all moves of heaps up to `depth`.
pub fn check(
    envelope: &Envelope<'_>,
    depth: usize,
    work: &Work<'_>,
) -> Result<CheckReport, Rejected> {
    let lines = envelope.body.lines().enumerate();
    let mut lines = lines.map(|(i, line)| (envelope.body_line + i, line)).peekable();
    let one = Stated::read(envelope, &mut lines)?;
    hypotheses(&one)?;
    let Stated { period, preperiod, .. } = one;
    if let (Some((window, true)), Some(space)) = (one.window, one.space) {
        if let Some((line, _)) = lines.next() {
            return Err(Rejected::new(line, "behind such a window nothing more is said"));
        }
        let tried = one.holds_by_window(window, space, depth, work)?;
        return Ok(proved(window.from + period, tried, &rules(&one), [preperiod, period, 0]));
    }
    let needed = one.needed()?;
    work.hold(4 * needed).map_err(stopped)?;
    let (values, tried) = one.recomputed(needed, depth, work)?;
    work.spend(needed).map_err(stopped)?;
    if let Some(arithmetic) = one.arithmetic {
        arithmetic.holds(&one, &values, work)?;
    } else if let Some(n) = (preperiod + period..needed).find(|n| values[*n] != values[n - period])
    {
        return Err(Rejected::new(
            0,
            format!("heaps {} and {n} have different values", n - period),
        ));
    }
    for (line, text) in lines {
        one.says_of_values(&values, line, text)?;
    }
    Ok(proved(needed, tried, &rules(&one), [preperiod, period, one.saltus()]))
}

impl<'t> Stated<'t> {
    /// Reads the body as far as the proof goes; the claim must be what it says.
    fn read(
        envelope: &Envelope<'t>,
        lines: &mut Peekable<impl Iterator<Item = (usize, &'t str)>>,
    ) -> Result<Stated<'t>, Rejected> {
        let takings = subtraction_set(envelope.game);
        let code = match takings {
            Some(_) => Code::default(),
            None => code(envelope.game).map_err(|why| {
                let wanted = "this should be S(a,b,...), ascending, or the code of a game that \
                    ends, as `4.07`";
                Rejected::new(3, format!("{wanted}: {why}"))
            })?,
        };
        let (line, text) = field(lines, "period")?;
        let period = long_number(line, text)?;
        let (line, text) = field(lines, "preperiod")?;
        let preperiod = long_number(line, text)?;
        let saltus = match lines.next_if(|(_, text)| text.starts_with("saltus ")) {
            None => None,
            Some((line, text)) => Some(number(line, &text["saltus ".len()..])?),
        };
        let with_saltus = saltus.map_or(String::new(), |saltus| format!(" and saltus {saltus}"));
        let claim = format!(
            "the nim-values of single heaps have period {period}{with_saltus} from {preperiod} on"
        );
        if envelope.claim != claim {
            return Err(Rejected::new(4, format!("the body is about another claim: {claim}")));
        }
        let (line, text) = field(lines, "space")?;
        let space = match text.split_once(' ') {
            None if text == "none" => None,
            Some(("value", mask)) => Some((number(line, mask)? as u32, false)),
            Some(("position", mask)) => Some((number(line, mask)? as u32, true)),
            _ => {
                let wanted = "a space is `none`, `value MASK` or `position MASK`";
                return Err(Rejected::new(line, wanted));
            }
        };
        let window = match lines.next_if(|(_, text)| text.starts_with("window ")) {
            None => None,
            Some((line, text)) => Some(read_window(line, &text["window ".len()..])?),
        };
        let arithmetic = match saltus {
            None => None,
            Some(saltus) => Some(read_arithmetic(field(lines, "arithmetic")?, saltus)?),
        };
        if arithmetic.is_some() && (space.is_some() || window.is_some()) {
            return Err(Rejected::new(0, "with a saltus there is no space, and no window"));
        }
        let name = envelope.game;
        Ok(Stated { name, takings, code, period, preperiod, space, window, arithmetic })
    }

    fn saltus(&self) -> usize {
        self.arithmetic.map_or(0, |arithmetic| arithmetic.saltus)
    }

    /// Checks a window with its third number, from which on values need not be computed; how many
    /// were compared with those by all moves.
    fn holds_by_window(
        &self,
        window: Window,
        (mask, by_position): (u32, bool),
        depth: usize,
        work: &Work<'_>,
    ) -> Result<usize, Rejected> {
        let Window { line, from, since, .. } = window;
        if from.checked_add(self.period).is_none() || from - self.preperiod > MAX_VALUES {
            return Err(Rejected::new(line, "this window begins too late to be looked at here"));
        }
        work.hold(4 * since).map_err(stopped)?;
        let sparse = Sparse::new(&self.code.digits, mask, by_position)?;
        let values = sparse.values(since, None, work)?;
        let tried = compare_all_moves(&self.code, &values, depth, work)?;
        sparse.check_window(&values, window, [self.preperiod, self.period], work)?;
        Ok(tried)
    }

    /// Returns how many values have to be recomputed.
    fn needed(&self) -> Result<usize, Rejected> {
        let (period, preperiod, parts) = (self.period, self.preperiod, self.most_left());
        if period.max(preperiod) > MAX_VALUES {
            let why = format!("values past {MAX_VALUES} are too many to recompute here");
            return Err(Rejected::new(0, why));
        }
        let needed = match (self.window, self.arithmetic) {
            (Some((window, _)), _) => window.from + period,
            (_, Some(arithmetic)) => arithmetic.needed().unwrap_or(usize::MAX),
            (None, None) => {
                let more = if self.unequal() { period } else { 0 };
                parts * (preperiod.max(1) + period) + self.most_taken() + more
            }
        };
        let most = match &self.takings {
            Some(set) => MAX_VALUES / set.len(),
            None if self.space.is_some() => MAX_VALUES,
            None => MAX_PLAIN >> (4 * parts.saturating_sub(2)),
        };
        if needed > most {
            return Err(Rejected::new(
                0,
                format!("{needed} values are too many to recompute here"),
            ));
        }
        Ok(needed)
    }

    /// Returns the first values, and how many of them come from all moves.
    fn recomputed(
        &self,
        needed: usize,
        depth: usize,
        work: &Work<'_>,
    ) -> Result<(Vec<u16>, usize), Rejected> {
        Ok(match (self.space, &self.takings) {
            (Some((mask, by_position)), _) => {
                let window = self.window.map(|(window, _)| window);
                let sparse = Sparse::new(&self.code.digits, mask, by_position)?;
                let values = sparse.values(needed, window, work)?;
                let tried = compare_all_moves(&self.code, &values, depth, work)?;
                (values, tried)
            }
            (None, Some(set)) => (values_by_subtraction(set, needed, work)?, needed),
            (None, None) => (values_by_all_moves(&self.code, needed, work)?, needed),
        })
    }

    /// Checks a line behind the proof: the values of the period, or an exception.
    fn says_of_values(&self, values: &[u16], line: usize, text: &str) -> Result<(), Rejected> {
        let (period, preperiod, saltus) = (self.period, self.preperiod, self.saltus());
        if let Some(cycle) = text.strip_prefix("cycle ") {
            let start = preperiod.div_ceil(period) * period;
            // The cycle's heaps may lie past the last one recomputed: then a period earlier.
            let at = |i: usize| match start + i < values.len() {
                true => usize::from(values[start + i]),
                false => usize::from(values[start + i - period]) + saltus,
            };
            let right =
                (0..period).map(|i| at(i).to_string()).eq(cycle.split(' ').map(str::to_owned));
            if !right {
                return Err(Rejected::new(line, "these are not the values of the period"));
            }
        } else if let Some((n, value)) =
            text.strip_prefix("exception ").and_then(|rest| rest.split_once(' '))
        {
            let (n, value) = (number(line, n)?, number(line, value)?);
            let exceptional = n < preperiod && usize::from(values[n]) == value && {
                let periods = (preperiod - n).div_ceil(period);
                usize::from(values[n + periods * period]) != value + periods * saltus
            };
            if !exceptional {
                return Err(Rejected::new(line, "this is no exception, or has another value"));
            }
        } else {
            return Err(Rejected::new(line, "this line should be an exception or the cycle"));
        }
        Ok(())
    }
}

/// Reads the numbers of a window; whether there is a third one.
fn read_window(line: usize, text: &str) -> Result<(Window, bool), Rejected> {
    match text.split(' ').collect::<Vec<_>>()[..] {
        [width, from] => {
            let [width, from] = [number(line, width)?, number(line, from)?];
            Ok((Window { line, width, from, since: from }, false))
        }
        [width, from, since] => {
            let [from, since] = [long_number(line, from)?, number(line, since)?];
            Ok((Window { line, width: number(line, width)?, from, since }, true))
        }
        _ => {
            let wanted = "a window is `window WIDTH FROM`, or `window WIDTH FROM SINCE`";
            Err(Rejected::new(line, wanted))
        }
    }
}

/// Reads the numbers of the proof of a period with a saltus.
fn read_arithmetic((line, text): (usize, &str), saltus: usize) -> Result<Arithmetic, Rejected> {
    let numbers: Vec<usize> =
        text.split(' ').map(|text| number(line, text)).collect::<Result<_, _>>()?;
    let [from, threshold, step] = numbers[..] else {
        return Err(Rejected::new(line, "this line should be `arithmetic M T Q`"));
    };
    Ok(Arithmetic { line, saltus, from, threshold, step })
}

/// Takes the next line of the body, behind its name.
fn field<'t>(
    lines: &mut impl Iterator<Item = (usize, &'t str)>,
    name: &str,
) -> Result<(usize, &'t str), Rejected> {
    let (line, text) =
        lines.next().ok_or_else(|| Rejected::new(0, format!("`{name}` is missing")))?;
    let value = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
    Ok((
        line,
        value
            .ok_or_else(|| Rejected::new(line, format!("this line should start with `{name}`")))?,
    ))
}

/// Compares the first values with those by all moves; how many.
fn compare_all_moves(
    code: &Code,
    values: &[u16],
    depth: usize,
    work: &Work<'_>,
) -> Result<usize, Rejected> {
    let tried = values_by_all_moves(code, values.len().min(depth), work)?;
    match (0..tried.len()).find(|n| tried[*n] != values[*n]) {
        None => Ok(tried.len()),
        Some(n) => {
            let reason = format!("two computations of heap {n} disagree: a fault of this checker");
            Err(Rejected::new(0, reason))
        }
    }
}

/// Returns the rules, as the theorem tells them.
fn rules(one: &Stated<'_>) -> String {
    let rules = match one.takings {
        Some(_) => "A move takes one of the listed numbers of tokens from a heap.",
        None => {
            "A move takes k tokens from a heap and may leave it as i heaps where 2^i is in the \
             k-th digit of the code."
        }
    };
    let go_on =
        if one.code.repeat.is_empty() { "" } else { " The digits in brackets repeat for ever." };
    let apart =
        if one.unequal() { " After a digit with ! heaps that are left are unequal." } else { "" };
    format!("{rules}{go_on}{apart}")
}

/// Returns the theorem, and what was done for it.
fn proved(
    needed: usize,
    tried: usize,
    rules: &str,
    [preperiod, period, saltus]: [usize; 3],
) -> CheckReport {
    let more = if saltus > 0 { format!(" + {saltus}") } else { String::new() };
    CheckReport {
        work: format!("{} recomputed, the first {tried} by all moves", many(needed, "nim-value")),
        theorem: format!(
            "{rules} G(n) being the nim-value of a heap of n tokens: G(n + {period}) = G(n){more} \
             for every n >= {preperiod}."
        ),
    }
}

/// Returns the rejection of a check that was told to end.
fn stopped(reason: Reason) -> Rejected {
    Rejected::new(0, reason)
}

fn number(line: usize, text: &str) -> Result<usize, Rejected> {
    let number = work::number(text).filter(|number| *number <= MAX_VALUES);
    number.ok_or_else(|| {
        Rejected::new(line, format!("`{}` is no number up to {MAX_VALUES}", shown(text)))
    })
}

/// Reads a number of a sequence that is looked at by its window; where numbers are narrow, fewer.
fn long_number(line: usize, text: &str) -> Result<usize, Rejected> {
    let number = work::number::<u64>(text).filter(|number| *number <= MAX_BY_WINDOW);
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| {
        Rejected::new(line, format!("`{}` is no number up to {MAX_BY_WINDOW}", shown(text)))
    })
}

/// Reads d0.d1d2…, hexadecimal digits, each perhaps with `!`, the last ones perhaps in brackets, as
/// codes are printed.
///
/// # Errors
///
/// Says why the text is no such code: its game need not end, or the code is written in another
/// way than it is printed.
fn code(text: &str) -> Result<Code, &'static str> {
    let (first, rest) =
        text.split_once('.').ok_or("a code has a point behind its leading digit")?;
    let (ending, repeating) = match rest.strip_suffix(']').and_then(|rest| rest.split_once('[')) {
        Some((ending, repeating)) => (ending, Some(repeating)),
        None => (rest, None),
    };
    let mut digits = digits(first)?;
    if digits.len() != 1 {
        return Err("a code has one digit before its point");
    }
    if digits[0].bits & 3 != 0 {
        return Err(
            "play ends if the leading digit is 0, 4, 8 or C: who takes nothing leaves two heaps \
             at least",
        );
    }
    digits.extend(self::digits(ending)?);
    let repeat = repeating.map_or(Ok(Vec::new()), self::digits)?;
    if repeating.is_none() {
        if digits.len() < 2 {
            return Err("a code has one digit behind its point at least");
        }
        if digits.len() > 2 && digits.last().is_some_and(|digit| digit.bits == 0) {
            return Err("a code has no 0 at its end");
        }
        return Ok(Code { digits, repeat });
    }
    if repeat.iter().all(|digit| digit.bits == 0) {
        return Err("digits in brackets are not all 0");
    }
    let length = repeat.len();
    let shorter = |part: usize| {
        length.is_multiple_of(part) && (part..length).all(|i| repeat[i] == repeat[i - part])
    };
    if (1..=length / 2).any(shorter) {
        return Err("digits in brackets are written once");
    }
    if digits.len() > 1 && digits.last() == repeat.last() {
        return Err("the brackets begin as early as they may");
    }
    Ok(Code { digits, repeat })
}

/// Reads hexadecimal digits, each perhaps with `!`.
fn digits(text: &str) -> Result<Vec<Digit>, &'static str> {
    let mut digits: Vec<Digit> = Vec::new();
    for c in text.chars() {
        match c.to_digit(16).filter(|_| !c.is_ascii_lowercase()) {
            Some(bits) => digits.push(Digit { bits, unequal: false }),
            None if c == '!' => {
                let last = digits.last_mut().filter(|digit| !digit.unequal && digit.bits >= 4);
                last.ok_or("`!` stands once behind a digit that leaves two heaps")?.unequal = true;
            }
            None => {
                return Err(
                    "codes have hexadecimal digits, 0 to F, each perhaps with `!`, and no others",
                );
            }
        }
    }
    Ok(digits)
}

/// Reads S(a,b,…), the numbers ascending, from 1 on; at most as many as a value can tell.
fn subtraction_set(text: &str) -> Option<Vec<usize>> {
    let list = text.strip_prefix("S(")?.strip_suffix(')')?;
    let set: Vec<usize> = list.split(',').map(work::number).collect::<Option<_>>()?;
    let ascending = set[0] > 0 && set.windows(2).all(|pair| pair[0] < pair[1]);
    (ascending && set[set.len() - 1] <= MAX_VALUES && set.len() < 1 << 16).then_some(set)
}

/// Returns the values of heaps 0..`len` where numbers of a set are taken.
fn values_by_subtraction(set: &[usize], len: usize, work: &Work<'_>) -> Result<Vec<u16>, Rejected> {
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

/// Returns the values of heaps 0..`len` from all moves.
fn values_by_all_moves(code: &Code, len: usize, work: &Work<'_>) -> Result<Vec<u16>, Rejected> {
    let mut values: Vec<u16> = Vec::with_capacity(len);
    let mut seen = vec![false; 1 << 16];
    // A power of two past all values: so are their sums.
    let mut used = 1;
    for n in 0..len {
        // Clearing and searching the table.
        work.spend(1 << 12).map_err(stopped)?;
        seen[..used].fill(false);
        let last = if code.repeat.is_empty() { n.min(code.digits.len() - 1) } else { n };
        for taken in 0..=last {
            let digit = code.digit(taken);
            work.spend(4 + if digit.bits & 4 != 0 { 2 * (n - taken) } else { 0 })
                .map_err(stopped)?;
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
                let end = if allows(3) { rest - a } else { 0 };
                for b in (a + gap..end).take_while(|b| b + gap <= rest - a - b) {
                    seen[usize::from(values[a] ^ values[b] ^ values[rest - a - b])] = true;
                }
            }
        }
        let mex = seen.iter().position(|seen| !seen);
        let mex =
            mex.ok_or_else(|| Rejected::new(0, format!("heap {n} has a value past 65535")))?;
        used = used.max((mex + 1).next_power_of_two());
        values.push(mex as u16);
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
        all_hold("a sparse space", space_hypotheses(digits, mask, by_position))?;
        Ok(Sparse { digits, pairs: pairs(digits), mask, by_position })
    }

    /// Marks the sums of pairs with a rare heap for the heaps of the block behind those whose
    /// values are known, where the other heap of the pair is one of these for each heap of the
    /// block. Returns for each move which rare heaps these are.
    fn mark_behind(
        &self,
        values: &[u16],
        rares: &[usize],
        rare_values: &[u16],
        marks: &mut [[u8; MARKS]],
    ) -> Vec<Range<usize>> {
        let n = values.len();
        let mut mark = |taken: &usize| {
            let start = rares.partition_point(|rare| rare + taken < BLOCK);
            let end = rares.partition_point(|rare| rare + taken < n);
            let unequal = self.digits[*taken].unequal;
            for (rare, value) in rares[start..end].iter().zip(&rare_values[start..end]) {
                let first = n - taken - rare;
                let others = values[first..first + BLOCK].iter().zip(first..);
                for ((other, heap), marks) in others.zip(&mut *marks) {
                    if !unequal || heap != *rare {
                        marks[usize::from(value ^ other)] = 1;
                    }
                }
            }
            start..end
        };
        self.pairs.iter().map(&mut mark).collect()
    }

    fn is_common(&self, value: u16, n: usize) -> bool {
        let turn = self.by_position && (n ^ self.pairs[0]) & 1 == 1;
        ((u32::from(value) & self.mask).count_ones() % 2 == 1) != turn
    }

    /// Marks the options that are one heap, or none.
    fn mark_single(&self, values: &[u16], seen: &mut [u64]) {
        let n = values.len();
        for (taken, digit) in self.digits.iter().enumerate().take(n + 1) {
            if (digit.bits & 1 != 0 && taken == n) || (digit.bits & 2 != 0 && taken < n) {
                insert(seen, if taken == n { 0 } else { values[n - taken] });
            }
        }
    }

    /// Marks the sums of pairs with a rare heap but for those that were marked for the block.
    fn mark_rare(
        &self,
        values: &[u16],
        (rares, rare_values): (&[usize], &[u16]),
        behind: &[Range<usize>],
        seen: &mut [u64],
    ) {
        for (taken, behind) in self.pairs.iter().zip(behind) {
            let rest = values.len().saturating_sub(*taken);
            let count = rares.partition_point(|rare| *rare < rest);
            let unequal = self.digits[*taken].unequal;
            for i in (0..behind.start.min(count)).chain(behind.end..count) {
                let other = rest - rares[i];
                if !unequal || other != rares[i] {
                    insert(seen, rare_values[i] ^ values[other]);
                }
            }
        }
    }

    /// Takes the sums of pairs of heaps out of the open values, which end with this word; of pairs
    /// with a heap `within` a distance, if there is one. Returns how many values are left.
    fn take_sums(
        &self,
        values: &[u16],
        open: &mut [u64],
        word: usize,
        witnesses: &mut Vec<Witness>,
        within: Option<usize>,
        work: &Work<'_>,
    ) -> Result<u32, Rejected> {
        let n = values.len();
        let mut left: u32 = open[..=word].iter().map(|set| set.count_ones()).sum();
        // Small heaps first, whatever the move: what one move never leaves would cost all its
        // pairs.
        let reach = |taken: usize| {
            let half = n.saturating_sub(taken + usize::from(self.digits[taken].unequal)) / 2;
            within.map_or(half, |width| half.min(width - taken))
        };
        if left > 0 {
            work.spend(4 + 2 * witnesses.len()).map_err(stopped)?;
        }
        for Witness { taken, least, gain } in &mut *witnesses {
            if left == 0 {
                break;
            }
            if *least <= reach(*taken) {
                let sum = values[*least] ^ values[n - *taken - *least];
                let hit = u32::from(open[usize::from(sum / 64)] >> (sum % 64) & 1 == 1);
                open[usize::from(sum / 64)] &= !(1 << (sum % 64));
                left -= hit;
                *gain += hit;
            }
        }
        // The least move reaches furthest.
        let most = if left == 0 { 0 } else { reach(self.pairs[0]) };
        let mut sums = if left == 0 { Vec::new() } else { members(&open[..=word]) };
        'all: for first in (1..=most).step_by(LOT) {
            for taken in &self.pairs {
                let last = reach(*taken).min(first + LOT - 1);
                if first > last {
                    continue;
                }
                // Pairs are tried until all rare values are found, which may be never.
                work.spend(LOT).map_err(stopped)?;
                let others = &values[n - taken - last..=n - taken - first];
                if sums.len() <= FEW && !have_sum(&values[first..=last], others, &sums) {
                    continue;
                }
                for a in first..=last {
                    let sum = values[a] ^ values[n - taken - a];
                    let bit = 1 << (sum % 64);
                    if open[usize::from(sum / 64)] & bit != 0 {
                        left -= 1;
                        open[usize::from(sum / 64)] &= !bit;
                        sums.retain(|open| *open != sum);
                        witnesses.truncate(WITNESSES - 1);
                        witnesses.push(Witness { taken: *taken, least: a, gain: 1 });
                    }
                    if left == 0 {
                        break 'all;
                    }
                }
            }
        }
        Ok(left)
    }

    /// Returns the values of heaps 0..`len`; inside the window proof's period every heap must be as
    /// it asks for.
    fn values(
        &self,
        len: usize,
        window: Option<Window>,
        work: &Work<'_>,
    ) -> Result<Vec<u16>, Rejected> {
        let mut values: Vec<u16> = Vec::with_capacity(len);
        // Rare heaps, and their values.
        let (mut rares, mut rare_values): (Vec<usize>, Vec<u16>) = (Vec::new(), Vec::new());
        // For each heap of a block the sums of pairs with a rare heap that are known before it, a
        // byte for each value below `size`; and which rare heaps each move leaves in these pairs.
        work.hold(BLOCK * MARKS).map_err(stopped)?;
        let (mut marks, mut size, mut behind) = (vec![[0; MARKS]; BLOCK], 64, Vec::new());
        // Pairs of common heaps that reached a rare value.
        let mut witnesses: Vec<Witness> = Vec::new();
        // Sets of values, a bit each. Known values are below a power of two: of `seen`, only so
        // many words are in use.
        let word = |w: usize, common: bool| {
            let values = (0..64).filter(|i| self.is_common(64 * w as u16 + i, 0) == common);
            values.fold(0u64, |set, i| set | 1 << i)
        };
        let classes =
            [true, false].map(|common| (0..WORDS).map(|w| word(w, common)).collect::<Vec<u64>>());
        let (mut seen, mut open) = (vec![0u64; WORDS], vec![0u64; WORDS]);
        let mut used = 1;
        for n in 0..len {
            let (width, local) = match window {
                Some(Window { width, from, .. }) => (width, n >= from),
                None => (0, false),
            };
            let sums = 2 * self.pairs.len() * (1 + rares.len());
            work.spend(64 + 16 * used + self.digits.len() + sums).map_err(stopped)?;
            seen[..used].fill(0);
            self.mark_single(&values, &mut seen);
            let lane = n % BLOCK;
            if lane == 0 {
                size = 64 * used;
                marks.iter_mut().for_each(|marks| marks[..size].fill(0));
                behind = self.mark_behind(&values, &rares, &rare_values, &mut marks);
            }
            self.mark_rare(&values, (&rares, &rare_values), &behind, &mut seen);
            for (set, marks) in seen.iter_mut().zip(marks[lane][..size].chunks_exact(64)) {
                *set |= bits(marks);
            }
            let turn = usize::from(self.is_common(0, 0) != self.is_common(0, n));
            let (commons, others) = (&classes[turn], &classes[1 - turn]);
            let word = (0..WORDS).find(|w| commons[*w] & !seen[*w] != 0);
            let word =
                word.ok_or_else(|| Rejected::new(0, format!("heap {n} has a value past 65535")))?;
            let common = 64 * word as u32 + (commons[word] & !seen[word]).trailing_zeros();
            // The rare values below it that are not yet known to be options.
            open[..used].fill(0);
            (0..word).for_each(|w| open[w] = others[w] & !seen[w]);
            open[word] = others[word] & !seen[word] & ((1 << (common % 64)) - 1);
            let within = local.then_some(width);
            let left = self.take_sums(&values, &mut open, word, &mut witnesses, within, work)?;
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
                rare_values.push(value);
            }
            if n % ORDER == 0 {
                witnesses.sort_by_key(|witness| std::cmp::Reverse(witness.gain));
                witnesses.iter_mut().for_each(|witness| witness.gain /= 2);
            }
            used = used.max((usize::from(value) + 1).next_power_of_two() / 64 + 1).min(WORDS);
            values.push(value);
        }
        match (window, rares.last()) {
            (Some(Window { line, width, .. }), Some(last))
                if last + self.digits.len() - 1 > width =>
            {
                Err(Rejected::new(line, format!("heap {last} is rare, too near the window's end")))
            }
            _ => Ok(values),
        }
    }
}

/// Returns the values of a set.
fn members(set: &[u64]) -> Vec<u16> {
    (0..64 * set.len()).filter(|v| set[v / 64] >> (v % 64) & 1 == 1).map(|v| v as u16).collect()
}

/// Returns 64 bytes, each 0 or 1, as the bits of a word.
fn bits(bytes: &[u8]) -> u64 {
    // The product has byte i of eight at bit 56 + i, and no carries below.
    let eight =
        |bytes: &[u8; 8]| u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let (eights, _) = bytes.as_chunks::<8>();
    eights.iter().rev().fold(0, |word, bytes| word << 8 | eight(bytes))
}

/// Returns whether a value of a list and its counterpart from the end of another one of that length
/// have one of these sums, without carry.
fn have_sum(some: &[u16], others: &[u16], sums: &[u16]) -> bool {
    let has = |sum: &u16| {
        let pairs = some.iter().zip(others.iter().rev());
        pairs.fold(0, |any, (a, b)| any | u16::from(a ^ b == *sum)) != 0
    };
    sums.iter().any(has)
}

/// A pair of heaps that reached a rare value, which is tried before others: the tokens taken, the
/// lesser heap, and how many values it has reached lately. Which pairs these are changes the time
/// alone.
struct Witness {
    taken: usize,
    least: usize,
    gain: u32,
}

/// Most witnesses, and heaps between two orderings of them.
const WITNESSES: usize = 128;
const ORDER: usize = 1 << 14;

/// Heaps whose pairs with rare heaps are looked up together.
const BLOCK: usize = 8;

/// Bytes of the marks of a heap, one for each value. A few more keep those of different heaps out
/// of each other's way in the cache.
const MARKS: usize = (1 << 16) + 64;

/// Pairs of a move that are tried before those of the next one.
const LOT: usize = 128;

/// Values that all these pairs are asked for at once, at most.
const FEW: usize = 8;

/// Words of a set of all values.
const WORDS: usize = 1 << 10;

fn insert(set: &mut [u64], value: u16) {
    set[usize::from(value / 64)] |= 1 << (value % 64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn judge(
        game: &str,
        period: usize,
        preperiod: usize,
        rest: &str,
    ) -> Result<CheckReport, Rejected> {
        let claim =
            format!("the nim-values of single heaps have period {period} from {preperiod} on");
        let body = format!("period {period}\npreperiod {preperiod}\n{rest}");
        let envelope =
            Envelope { kind: "period", game, claim: claim.into(), body: &body, body_line: 6 };
        check(&envelope, DEPTH, &Work::new(&Limits::default(), &|| true))
    }

    /// In Kayles 5 is left by one of the two moves only, half the time: steps grow with the heaps,
    /// not with their square.
    #[test]
    fn a_move_that_never_leaves_a_value_costs_few_steps() {
        let claim = "the nim-values of single heaps have period 48000 from 71 on";
        let body = "period 48000\npreperiod 71\nspace value 15\n";
        let envelope =
            Envelope { kind: "period", game: "0.77", claim: claim.into(), body, body_line: 6 };
        let within = |steps| {
            let limits = Limits { steps, ..Limits::default() };
            check(&envelope, DEPTH, &Work::new(&limits, &|| true))
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
            for wrong in [
                "exception 70 5\n",
                "exception 69 8\n",
                "exception 71 2\n",
                "cycle 4 1 2\n",
                "more\n",
            ] {
                assert!(judge("0.77", 12, 71, &format!("{space}{wrong}")).is_err(), "{wrong}");
            }
            assert!(judge("0.77", 12, 71, &format!("{space}{}", CYCLE.replace('8', "9"))).is_err());
        }
        for game in [
            "0.770", "0.77!!", "0.3!", "0.4a", "+0.77", "0.76", "4!.0", "0.6", "", "0", "1.77",
            "77", "0.[3]", "0.", "x.7", "00.77", "4.!7", "0.!7", "!.7", ".7", "4!!.7", "0.77{7}",
            "0.7_3", "0.7...",
        ] {
            assert!(judge(game, 12, 71, "space none\n").is_err(), "{game}");
        }
        for rest in [
            "",
            "space\n",
            "space value x\n",
            "space value 0\n",
            "space position 3\n",
            "window 9 9\n",
        ] {
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
        assert!(
            judge("0.16", 149_459, 105_351, "space value 30\nwindow 33000 138351 100000\n").is_ok()
        );
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
            assert!(
                judge("0.77", period, preperiod, &rest).is_err(),
                "{period} {preperiod} {window}"
            );
        }
        for (period, preperiod) in [(149_459, 105_350), (149_457, 105_351), (149_460, 105_351)] {
            let rest = "space value 30\nwindow 33000 138351 100000\n";
            assert!(judge("0.16", period, preperiod, rest).is_err(), "{period} {preperiod}");
        }
        assert!(
            judge("0.77", 12, 71, &format!("{space}window 80 300 300\nexception 70 6\n")).is_err()
        );
        assert!(judge("0.77", 12, 71, "space none\nwindow 80 300 300\n").is_err());
        // Odd periods of a space by position prove nothing; windows too long to look at are
        // declined.
        assert!(
            judge("0.106", 149_459, 105_351, "space position 13\nwindow 3000 135351 100000\n")
                .is_err()
        );
        assert!(
            judge("0.77", 12, 1 << 40, &format!("{space}window 80 {} 300\n", 1u64 << 41)).is_err()
        );
    }

    #[test]
    fn too_much_work_is_declined() {
        assert!(judge("0.77", 12, 1 << 27, "space none\n").is_err());
        assert!(judge("0.77", 99_999_999_999_999, 1, "space none\n").is_err());
    }

    /// S(1,2) repeats 0, 1, 2 from the rules; S(2,300) and the like have the period of their sum or
    /// divide it.
    #[test]
    fn subtraction_games() {
        for game in ["S(1,2)", "0.33"] {
            assert!(judge(game, 3, 0, "space none\ncycle 0 1 2\n").is_ok());
            assert!(judge(game, 2, 0, "space none\n").is_err());
        }
        assert!(judge("S(1,300)", 301, 0, "space none\n").is_ok());
        assert!(judge("S(1,300)", 602, 5, "space none\n").is_ok());
        assert!(judge("S(1,300)", 300, 0, "space none\n").is_err());
        for game in
            ["S()", "S(2,1)", "S(0,1)", "S(1", "S(1,1)", "S(x)", "S(1,99999999999999999999)"]
        {
            assert!(judge(game, 3, 0, "space none\n").is_err(), "{game}");
        }
        assert!(judge("S(1,2)", 3, 1 << 27, "space none\n").is_err());
    }

    fn refused(game: &str, period: usize, preperiod: usize, rest: &str) -> String {
        judge(game, period, preperiod, rest).unwrap_err().to_string()
    }

    /// 0.8 takes one token and leaves exactly three heaps: 0 0 0 0 1 1 1 2 2 2 3 3 … from the
    /// rules, not 0 for ever. The window's theorem is about pairs; a heap of three is none.
    #[test]
    fn windows_are_for_two_heaps() {
        let digits = code("0.8").unwrap();
        let values =
            values_by_all_moves(&digits, 12, &Work::new(&Limits::default(), &|| true)).unwrap();
        assert_eq!(values, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3]);
        let message = refused("0.8", 1, 0, "space value 1\nwindow 2 2\n");
        assert!(message.contains("codes that leave at most two heaps; "), "{message}");
        for game in [
            "0.8", "0.008", "0.084", "0.094", "0.008!", "0.84!", "8.0", "8!.0", "C.0", "0.F",
            "0.F!4", "4.008",
        ] {
            for window in ["window 3 3", "window 9 20", "window 9 30 28", "window 3 10 10"] {
                for space in ["none", "value 1", "value 15", "position 2"] {
                    let rest = format!("space {space}\n{window}\n");
                    assert!(judge(game, 1, 0, &rest).is_err(), "{game} {rest}");
                    assert!(judge(game, 2, 1, &rest).is_err(), "{game} {rest}");
                }
            }
        }
    }

    /// One certificate outside each hypothesis.
    #[test]
    fn hypotheses_are_named() {
        let window = |space: &str, window: &str| format!("space {space}\nwindow {window}\n");
        for (game, period, preperiod, rest, named) in [
            ("0.77", 0, 71, "space none\n".to_owned(), "needs a period of 1 at least"),
            (
                "0.8!",
                1,
                0,
                "space none\n".to_owned(),
                "at most two heaps if heaps left have to be unequal",
            ),
            (
                "0.8",
                1,
                0,
                "space value 1\n".to_owned(),
                "a sparse space needs codes that leave at most two",
            ),
            (
                "0.3",
                2,
                0,
                "space value 1\n".to_owned(),
                "a sparse space needs a move that leaves two heaps",
            ),
            (
                "S(1,2)",
                3,
                0,
                "space value 1\n".to_owned(),
                "a sparse space needs a move that leaves two",
            ),
            ("0.77", 12, 71, "space value 0\n".to_owned(), "a mask from 1 to 65535"),
            ("0.77", 12, 71, "space value 65536\n".to_owned(), "a mask from 1 to 65535"),
            ("0.77", 12, 71, "space position 3\n".to_owned(), "to take numbers of one parity"),
            ("0.77", 12, 71, window("none", "80 151"), "the window theorem needs a sparse space"),
            ("0.77", 12, 71, window("value 15", "2 151"), "W > t"),
            ("0.77", 12, 71, window("value 15", "80 150"), "S >= E + W"),
            ("0.106", 149_459, 105_351, window("position 13", "3000 135351"), "an even period"),
            ("0.77", 12, 71, window("value 15", "80 299 300"), "S >= N and N > 3 W"),
            ("0.77", 12, 71, window("value 15", "80 300 240"), "S >= N and N > 3 W"),
            ("1.77", 1, 0, "space none\n".to_owned(), "the leading digit is 0, 4, 8 or C"),
            ("0.{3}", 1, 0, "space none\n".to_owned(), "codes have hexadecimal digits"),
            (
                "0.[3]",
                1,
                0,
                "space none\n".to_owned(),
                "the octal period theorem needs codes that end",
            ),
        ] {
            let message = refused(game, period, preperiod, &rest);
            assert!(message.contains(named), "{game} {rest}: {message}");
        }
    }

    /// Claims on codes of every sort, drawn near the truth, with every choice of space and
    /// window: what is accepted is true of the values by all moves, far past the last value that
    /// the checker looks at.
    #[test]
    fn what_is_accepted_is_true() {
        const FAR: usize = 260;
        let mut drawn = fastrand::Rng::with_seed(41);
        let mut draw = |below: usize| drawn.usize(..below);
        let (mut accepted, mut by_window) = (0, 0);
        for _ in 0..100 {
            let mut game = ["0", "0", "0", "4", "4!", "8", "C"][draw(7)].to_owned() + ".";
            for _ in 0..1 + draw(4) {
                let digit = draw(16);
                game += &format!("{digit:X}{}", if digit > 3 && draw(6) == 0 { "!" } else { "" });
            }
            let Ok(digits) = code(&game) else { continue };
            let three = digits.all().any(|digit| digit.bits > 7);
            let far = if three { 90 } else { FAR };
            let values =
                values_by_all_moves(&digits, far, &Work::new(&Limits::default(), &|| true))
                    .unwrap();
            for _ in 0..80 {
                let (period, preperiod) = (1 + draw(if three { 6 } else { 14 }), draw(20));
                let space = match draw(3) {
                    0 => "none".to_owned(),
                    1 => format!("value {}", 1 + draw(31)),
                    _ => format!("position {}", 1 + draw(31)),
                };
                let width = 1 + draw(24);
                let from = preperiod + width + draw(4);
                let window = match draw(4) {
                    0 => String::new(),
                    1 => format!("window {width} {}\n", from.max(3 * width + 1) + draw(4)),
                    2 => format!("window {width} {from}\n"),
                    _ => {
                        let since = 3 * width + draw(3);
                        format!("window {width} {} {since}\n", from.max(since))
                    }
                };
                if judge(&game, period, preperiod, &format!("space {space}\n{window}")).is_ok() {
                    let wrong =
                        (preperiod + period..far).find(|n| values[*n] != values[n - period]);
                    assert_eq!(wrong, None, "{game} {period} {preperiod} {space} {window}");
                    accepted += 1;
                    by_window += u32::from(!window.is_empty());
                }
            }
        }
        assert!(accepted > 20 && by_window > 0, "{accepted} {by_window}");
    }

    /// Values by rare and common ones are those by all moves, whatever the space.
    #[test]
    fn spaces_give_the_values_of_all_moves() {
        for game in [
            "0.77", "0.4", "0.04", "4.4", "4!.0", "4!.4", "0.54", "0.16", "0.104", "0.106", "4.04",
            "0.44!1", "0.454", "0.4!0004", "0.4004!5", "4!.04",
        ] {
            let digits = code(game).unwrap();
            let expected =
                values_by_all_moves(&digits, 300, &Work::new(&Limits::default(), &|| true))
                    .unwrap();
            for (mask, by_position) in (1..64)
                .flat_map(|mask| [(mask, false), (mask, true)])
                .chain([(255, false), (256, true), (494, false), (0xFFFF, false), (0xFFFE, true)])
            {
                let Ok(sparse) = Sparse::new(&digits.digits, mask, by_position) else { continue };
                let values = sparse.values(300, None, &Work::new(&Limits::default(), &|| true));
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
