//! Codes of taking-and-breaking games as data: parser, printer, and the options of a heap.
//!
//! A code d0.d1d2d3… states what may be left after k tokens are taken from a heap: the bits 1, 2,
//! 4, 8 of the hexadecimal digit d_k allow leaving the rest as no heap, one heap, two heaps, three
//! heaps, none of them empty. As in CGSuite, `{0,2}` lists the numbers of heaps, `{2+}` means two
//! or more, `*` any number, and digits in brackets at the end repeat for ever: `0.[3]` is Nim. A
//! suffix says how the heaps left compare: `!` all different, `?` not all equal, `=` all equal. It
//! is behind a digit, or behind a number of heaps in braces: `4!.0` is Grundy's game, and
//! `{2,4?+}=` would say it twice. Zeros in front of d0 say nothing: `04.3` is `4.3`.
//!
//! Source: R. K. Guy, C. A. B. Smith, *The G-values of various games*, Proc. Camb. Phil. Soc. 52
//! (1956); A. N. Siegel, *Combinatorial Game Theory* (2013), ch. IV.

use bouton_core::{NotationError, Scanner};
use std::fmt;
use std::ops::ControlFlow::{self, Continue};

/// Maximum number of digits after the point.
pub const MAX_DIGITS: usize = 256;

/// Largest number of heaps that a set in braces may contain.
pub const MAX_PARTS: u32 = 15;

/// The accepted forms, as shown in errors.
const FORM: &str = "a code like 0.77, 0.3F, 4!.0, 0.[3], 0.{0,2+} or 0.{1,2=,4?+}";

/// How the heaps left compare in size, if there are two or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HeapSizes {
    /// In any way.
    #[default]
    Any,
    /// `!`: no two are equal.
    Different,
    /// `?`: not all are equal.
    NotAllEqual,
    /// `=`: all are equal.
    Equal,
}

impl HeapSizes {
    const ALL: [HeapSizes; 4] =
        [HeapSizes::Any, HeapSizes::Different, HeapSizes::NotAllEqual, HeapSizes::Equal];

    fn suffix(self) -> &'static str {
        ["", "!", "?", "="][self as usize]
    }
}

/// The set of allowed numbers of heaps for one number of tokens taken, and how the heaps compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CodeDigit {
    /// For each way to compare, bit i: the rest may be left as exactly i heaps; i is at most
    /// [`MAX_PARTS`].
    masks: [u32; 4],
    /// Every number of heaps from this one on is allowed. No mask has a bit from here on.
    from: Option<(u32, HeapSizes)>,
}

impl CodeDigit {
    /// Returns the digit that allows the numbers of heaps whose bits are set.
    pub fn from_bits(mask: u32) -> CodeDigit {
        CodeDigit { masks: [mask & ((2 << MAX_PARTS) - 1), 0, 0, 0], from: None }
    }

    /// One heap and none compare in every way; two heaps that are not all equal are different.
    fn normalized(mut self) -> CodeDigit {
        let few = self.mask() & 3;
        self.masks.iter_mut().for_each(|mask| *mask &= !3);
        self.masks[HeapSizes::Any as usize] |= few;
        let two = self.masks[HeapSizes::NotAllEqual as usize] & 4;
        self.masks[HeapSizes::NotAllEqual as usize] &= !4;
        self.masks[HeapSizes::Different as usize] |= two;
        if let Some((from, sizes)) = &mut self.from {
            let below = (1 << *from) - 1;
            self.masks.iter_mut().for_each(|mask| *mask &= below);
            while *from > 0 {
                let bit = 1 << (*from - 1);
                let same = self.masks[*sizes as usize] & bit != 0;
                let two = bit == 4 && *sizes == HeapSizes::NotAllEqual;
                let two = two && self.masks[HeapSizes::Different as usize] & bit != 0;
                let few = bit < 4 && self.masks.iter().any(|mask| mask & bit != 0);
                if !(same || two || few) {
                    break;
                }
                *from -= 1;
                self.masks.iter_mut().for_each(|mask| *mask &= !bit);
            }
        }
        self
    }

    /// Returns the numbers of heaps, however they compare.
    fn mask(self) -> u32 {
        self.masks.iter().fold(0, |all, mask| all | mask)
    }

    /// Returns whether the rest may be left as `parts` heaps, at least of some sizes.
    pub fn allows(self, parts: u32) -> bool {
        self.from.is_some_and(|(from, _)| parts >= from)
            || (parts <= MAX_PARTS && self.mask() >> parts & 1 == 1)
    }

    /// Returns how `parts` heaps have to compare, if this many may be left.
    pub fn sizes(self, parts: u32) -> Option<HeapSizes> {
        match self.from {
            Some((from, sizes)) if parts >= from => Some(sizes),
            _ if parts > MAX_PARTS => None,
            _ => HeapSizes::ALL
                .into_iter()
                .find(|sizes| self.masks[*sizes as usize] >> parts & 1 == 1),
        }
    }

    /// Returns whether the rest may be left as these heaps, given in ascending order.
    pub fn admits<T: PartialEq>(self, heaps: &[T]) -> bool {
        let Some(sizes) = u32::try_from(heaps.len()).ok().and_then(|parts| self.sizes(parts))
        else {
            return false;
        };
        let mut neighbours = heaps.windows(2).map(|pair| pair[0] == pair[1]);
        heaps.len() < 2
            || match sizes {
                HeapSizes::Any => true,
                HeapSizes::Different => !neighbours.any(|equal| equal),
                HeapSizes::NotAllEqual => !neighbours.all(|equal| equal),
                HeapSizes::Equal => neighbours.all(|equal| equal),
            }
    }

    /// Returns the one way in which two heaps and more compare, if there is one and some can be
    /// left.
    fn only_sizes(self) -> Option<HeapSizes> {
        let several = |sizes: HeapSizes| {
            let from = self.from.is_some_and(|(_, of)| of == sizes);
            from || self.masks[sizes as usize] >> 2 != 0
        };
        let used: Vec<HeapSizes> =
            HeapSizes::ALL.into_iter().filter(|sizes| several(*sizes)).collect();
        match used[..] {
            [one] => Some(one),
            // Two heaps that differ are not all equal.
            [HeapSizes::Different, HeapSizes::NotAllEqual]
                if self.masks[HeapSizes::Different as usize] == 4
                    && self.from.is_none_or(|(_, sizes)| sizes == HeapSizes::NotAllEqual) =>
            {
                Some(HeapSizes::NotAllEqual)
            }
            _ => None,
        }
    }

    /// Returns whether heaps compare in any way, or all must differ: the digits for which fast
    /// methods are known.
    pub fn is_plain(self) -> bool {
        let several = self.mask() >> 2 != 0 || self.from.is_some();
        !several || matches!(self.only_sizes(), Some(HeapSizes::Any | HeapSizes::Different))
    }

    /// Returns whether all heaps left must differ in size.
    pub fn unequal(self) -> bool {
        self.only_sizes() == Some(HeapSizes::Different)
    }

    /// Returns the number of heaps from which on every number is allowed, if there is one.
    pub fn any_from(self) -> Option<u32> {
        self.from.map(|(from, _)| from)
    }

    /// Returns the maximum number of heaps that may be left; `None` if there is no limit.
    pub fn most_parts(self) -> Option<u32> {
        if self.from.is_some() { None } else { Some(self.mask().checked_ilog2().unwrap_or(0)) }
    }

    fn is_zero(self) -> bool {
        self.mask() == 0 && self.from.is_none()
    }
}

impl fmt::Display for CodeDigit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let several = self.mask() >> 2 != 0 || self.from.is_some();
        let common = if several { self.only_sizes() } else { Some(HeapSizes::Any) };
        if let Some(sizes) = common
            && self.from.is_none()
            && self.mask() < 16
        {
            return write!(f, "{:X}{}", self.mask(), sizes.suffix());
        }
        let suffix = |parts: u32, sizes: HeapSizes| {
            if common.is_some() || parts < 2 { "" } else { sizes.suffix() }
        };
        let counts = (0..=MAX_PARTS).filter(|parts| self.mask() >> parts & 1 == 1);
        let counts = counts.map(|parts| {
            let sizes = self.sizes(parts).unwrap_or_default();
            format!("{parts}{}", suffix(parts, sizes))
        });
        let from = self.from.map(|(from, sizes)| format!("{from}{}+", suffix(from.max(2), sizes)));
        let all: Vec<String> = counts.chain(from).collect();
        write!(f, "{{{}}}{}", all.join(","), common.unwrap_or_default().suffix())
    }
}

/// The code of a taking-and-breaking game.
///
/// Every such game ends: a move takes a token or makes heaps smaller.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TakeAndBreakCode {
    /// d0, d1, … without trailing zeros; at least d0.
    digits: Vec<CodeDigit>,
    /// The digits that repeat afterwards; empty for a finite code.
    repeat: Vec<CodeDigit>,
}

impl TakeAndBreakCode {
    /// Parses a code; `.77` is short for `0.77`.
    pub fn parse(text: &str) -> Result<TakeAndBreakCode, NotationError> {
        let mut scanner = Scanner::new(text, FORM);
        let start = scanner.at();
        let first = parse_first(&mut scanner)?;
        if first.allows(0) || first.allows(1) {
            let message = "the game would never end: taking nothing must leave at least two heaps";
            return Err(scanner.error(start..scanner.at(), message));
        }
        scanner.expect(".")?;
        let point = scanner.at();
        let (mut digits, mut repeat) = (vec![first], Vec::new());
        while !scanner.is_done() && scanner.peek() != Some('[') {
            digits.push(parse_digit(&mut scanner)?);
        }
        if scanner.eat("[") {
            while !scanner.eat("]") {
                repeat.push(parse_digit(&mut scanner)?);
            }
            if repeat.is_empty() {
                return Err(scanner.error(point..scanner.at(), "there is nothing to repeat"));
            }
            if !scanner.is_done() {
                return Err(scanner.unexpected("the end, after digits that repeat for ever,"));
            }
        }
        let len = digits.len() - 1 + repeat.len();
        if len == 0 {
            return Err(scanner.unexpected("a digit"));
        }
        if len > MAX_DIGITS {
            let message =
                format!("a code can have at most {MAX_DIGITS} digits after the point, not {len}");
            return Err(scanner.error(point..text.trim_end().len(), message));
        }
        Ok(TakeAndBreakCode { digits, repeat }.normalized())
    }

    /// Returns the game with the digits d0, d1, …; `None` if it would never end or has more than
    /// [`MAX_DIGITS`].
    pub fn from_bits(bits: &[u32]) -> Option<TakeAndBreakCode> {
        let sound = bits.first().is_some_and(|d0| d0 & 3 == 0) && bits.len() <= MAX_DIGITS + 1;
        let digits = bits.iter().map(|bits| CodeDigit::from_bits(*bits)).collect();
        sound.then(|| TakeAndBreakCode { digits, repeat: Vec::new() }.normalized())
    }

    /// Returns Kayles with up to `most` neighbouring pins knocked down at a time: 0.77…7. `None`
    /// unless `most` is in 1..=[`MAX_DIGITS`].
    pub fn kayles(most: usize) -> Option<TakeAndBreakCode> {
        if most == 0 {
            return None;
        }
        let mut bits = vec![7; most.min(MAX_DIGITS + 1) + 1];
        bits[0] = 0;
        TakeAndBreakCode::from_bits(&bits)
    }

    /// Returns the subtraction game S(set): 0.d1d2… with digit 3 for each number of the set. `None`
    /// unless the set lies in 1..=[`MAX_DIGITS`].
    pub fn subtraction(set: &[u64]) -> Option<TakeAndBreakCode> {
        let most = *set.iter().max()?;
        if set.contains(&0) || most > MAX_DIGITS as u64 {
            return None;
        }
        let bits: Vec<u32> = (0..=most).map(|k| if set.contains(&k) { 3 } else { 0 }).collect();
        TakeAndBreakCode::from_bits(&bits)
    }

    fn normalized(mut self) -> TakeAndBreakCode {
        self.digits
            .iter_mut()
            .chain(&mut self.repeat)
            .for_each(|digit| *digit = digit.normalized());
        let len = self.repeat.len();
        if let Some(root) = (1..len).find(|d| {
            len.is_multiple_of(*d) && (*d..len).all(|i| self.repeat[i] == self.repeat[i - d])
        }) {
            self.repeat.truncate(root);
        }
        if self.repeat.iter().all(|digit| digit.is_zero()) {
            self.repeat.clear();
        }
        while self.digits.len() > 1 {
            let last = self.digits[self.digits.len() - 1];
            match self.repeat.last() {
                None if last.is_zero() => {}
                Some(end) if *end == last => self.repeat.rotate_right(1),
                _ => break,
            }
            self.digits.pop();
        }
        self
    }

    /// Returns the digit for `taken` tokens.
    pub fn digit(&self, taken: usize) -> CodeDigit {
        match self.digits.get(taken) {
            Some(digit) => *digit,
            None if self.repeat.is_empty() => CodeDigit::default(),
            None => self.repeat[(taken - self.digits.len()) % self.repeat.len()],
        }
    }

    /// Returns the maximum number of tokens that a move takes; `None` for a code that repeats.
    pub fn most_taken(&self) -> Option<usize> {
        self.repeat.is_empty().then(|| self.digits.len() - 1)
    }

    /// Returns the index of the last digit before those that repeat, and the length with which
    /// these do; `None` for a finite code.
    pub fn repetition(&self) -> (usize, Option<usize>) {
        (self.digits.len() - 1, Some(self.repeat.len()).filter(|length| *length > 0))
    }

    /// Returns the maximum number of heaps that a move leaves; `None` if there is no limit.
    pub fn most_parts(&self) -> Option<u32> {
        let digits = self.digits.iter().chain(&self.repeat);
        digits.map(|digit| digit.most_parts()).try_fold(0, |most, parts| Some(most.max(parts?)))
    }

    /// Returns whether some move must leave heaps of different sizes.
    pub fn has_unequal(&self) -> bool {
        self.digits.iter().chain(&self.repeat).any(|digit| digit.unequal())
    }

    /// Returns whether all digits are plain: heaps left compare in any way, or all of them must
    /// differ.
    pub fn is_plain(&self) -> bool {
        self.digits.iter().chain(&self.repeat).all(|digit| digit.is_plain())
    }

    /// Visits the options of a heap of `size`: the heaps left, ascending, none empty, each option
    /// once for every number of tokens taken. Direct enumeration, one step per option.
    pub fn options<B>(
        &self,
        size: u32,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let most = self.most_taken().unwrap_or(usize::MAX).min(size as usize);
        // An empty heap has no options, whatever d0 is: its splits would contain empty heaps.
        for taken in 0..=most {
            let (digit, rest) = (self.digit(taken), size - taken as u32);
            if digit.is_zero() {
                continue;
            }
            // Equal heaps are few, and are not sought among all the others.
            let is_equal = |parts: u32| parts > 1 && digit.sizes(parts) == Some(HeapSizes::Equal);
            let listed =
                (0..=MAX_PARTS).filter(|parts| digit.allows(*parts) && !is_equal(*parts)).max();
            let limit = match digit.from {
                Some((_, sizes)) if sizes != HeapSizes::Equal => rest,
                _ => listed.unwrap_or(0),
            };
            parts(rest, limit, u32::from(digit.unequal()), |heaps| {
                let equal = is_equal(heaps.len() as u32);
                if digit.admits(heaps) && !equal { visit(heaps) } else { Continue(()) }
            })?;
            let most = if digit.from.is_some() { rest } else { rest.min(MAX_PARTS) };
            for heaps in (2..=most).filter(|heaps| is_equal(*heaps) && rest.is_multiple_of(*heaps))
            {
                visit(&vec![rest / heaps; heaps as usize])?;
            }
        }
        Continue(())
    }
}

/// Visits the ways to write `total` as a sum of at most `limit` parts, ascending by at least `gap`.
fn parts<B>(
    total: u32,
    limit: u32,
    gap: u32,
    mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if total == 0 {
        return visit(&[]);
    }
    let (mut chosen, mut rest, mut next) = (Vec::new(), total, 1);
    loop {
        let room = limit as usize - chosen.len();
        // First a part that leaves space for a further one, then the rest as the last part, then
        // backtrack.
        if room > 1 && next <= (rest - gap.min(rest)) / 2 {
            chosen.push(next);
            rest -= next;
            next += gap;
            continue;
        }
        if room > 0 && next <= rest {
            chosen.push(rest);
            visit(&chosen)?;
            chosen.pop();
        }
        let Some(part) = chosen.pop() else { return Continue(()) };
        rest += part;
        next = part + 1;
    }
}

/// Reads d0, perhaps with zeros in front.
fn parse_first(scanner: &mut Scanner<'_>) -> Result<CodeDigit, NotationError> {
    let mut first = CodeDigit::default();
    let mut start = scanner.at();
    while scanner.peek() != Some('.') {
        if !first.is_zero() {
            let message = "digits in front of the one before the point would add tokens: only \
                zeros may stand there";
            return match scanner.peek() {
                Some(c) if c.is_ascii_hexdigit() || matches!(c, '{' | '*') => {
                    Err(scanner.error(start..scanner.at(), message))
                }
                _ => Ok(first),
            };
        }
        if scanner.is_done() && scanner.at() > start {
            break;
        }
        start = scanner.at();
        first = parse_digit(scanner)?;
    }
    Ok(first)
}

fn parse_sizes(scanner: &mut Scanner<'_>) -> Option<HeapSizes> {
    HeapSizes::ALL.into_iter().skip(1).find(|sizes| scanner.eat(sizes.suffix()))
}

fn parse_digit(scanner: &mut Scanner<'_>) -> Result<CodeDigit, NotationError> {
    let start = scanner.at();
    // Numbers of heaps, whether all from there on are meant, and how they compare.
    let mut entries: Vec<(u32, bool, Option<HeapSizes>)> = Vec::new();
    if scanner.eat("{") {
        loop {
            let parts = scanner.number("a number of heaps", u64::from(MAX_PARTS))? as u32;
            let sizes = parse_sizes(scanner);
            entries.push((parts, scanner.eat("+"), sizes));
            if !scanner.eat(",") {
                break;
            }
        }
        scanner.expect("}")?;
    } else if scanner.eat("*") {
        entries.push((0, true, None));
    } else {
        let Some(value) = scanner.peek().and_then(|c| c.to_digit(16)) else {
            return Err(scanner.unexpected("a digit 0–9, A–F or {…}"));
        };
        scanner.eat(&scanner.rest()[..1]);
        entries.extend(
            (0..4).filter(|parts| value >> parts & 1 == 1).map(|parts| (parts, false, None)),
        );
    }
    if let Some(sizes) = parse_sizes(scanner) {
        let twice = entries.iter().any(|(.., own)| own.is_some()) || parse_sizes(scanner).is_some();
        if twice {
            let message = "it is said twice how the heaps left compare";
            return Err(scanner.error(start..scanner.at(), message));
        }
        if !entries.iter().any(|(parts, on, _)| *on || *parts > 1) {
            let message = match sizes {
                HeapSizes::Different => {
                    "`!` asks for unequal heaps, but this digit never leaves two".to_owned()
                }
                _ => {
                    format!("`{}` compares heaps, but this digit never leaves two", sizes.suffix())
                }
            };
            return Err(scanner.error(start..scanner.at(), message));
        }
        entries.iter_mut().for_each(|(.., own)| *own = Some(sizes));
    }
    let mut digit = CodeDigit::default();
    let own = |sizes: &Option<HeapSizes>| sizes.unwrap_or_default();
    let twice = |scanner: &Scanner<'_>, parts: u32| {
        let message = format!("{parts} heaps are to compare in two ways");
        scanner.error(start..scanner.at(), message)
    };
    for (parts, _, sizes) in entries.iter().filter(|(_, on, _)| *on) {
        match digit.from {
            Some((_, other)) if other != own(sizes) => return Err(twice(scanner, *parts)),
            Some((from, _)) if from <= *parts => {}
            _ => digit.from = Some((*parts, own(sizes))),
        }
    }
    for (parts, _, sizes) in entries.iter().filter(|(_, on, _)| !*on) {
        let known = digit.sizes(*parts).filter(|_| *parts > 1);
        if known.is_some_and(|known| known != own(sizes)) {
            return Err(twice(scanner, *parts));
        }
        digit.masks[own(sizes) as usize] |= 1u32 << *parts;
    }
    Ok(digit.normalized())
}

impl fmt::Display for TakeAndBreakCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.", self.digits[0])?;
        self.digits[1..].iter().try_for_each(|digit| write!(f, "{digit}"))?;
        if !self.repeat.is_empty() {
            f.write_str("[")?;
            self.repeat.iter().try_for_each(|digit| write!(f, "{digit}"))?;
            return f.write_str("]");
        }
        f.write_str(if self.digits.len() == 1 { "0" } else { "" })
    }
}

#[cfg(test)]
mod tests;
