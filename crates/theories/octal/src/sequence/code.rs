//! Codes of taking-and-breaking games as data: parser, printer, and the options of a heap.
//!
//! A code d0.d1d2d3… states what may be left after k tokens are taken from a heap: the bits 1, 2,
//! 4, 8 of the hexadecimal digit d_k allow leaving the rest as no heap, one heap, two heaps, three
//! heaps, none of them empty. As in CGSuite, `{0,2}` lists the numbers of heaps, `{2+}` means two
//! or more, `!` requires heaps of different sizes, and digits in brackets at the end repeat for
//! ever: `0.[3]` is Nim, `4!.0` is Grundy's game.
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
const FORM: &str = "a code like 0.77, 0.3F, 4!.0, 0.[3] or 0.{0,2+}";

/// The set of allowed numbers of heaps for one number of tokens taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CodeDigit {
    /// Bit i: the rest may be left as exactly i heaps; i is at most [`MAX_PARTS`].
    mask: u32,
    /// Every number of heaps from this one on is allowed. `mask` has no bit from here on.
    from: Option<u32>,
    /// Whether the heaps left must differ in size.
    unequal: bool,
}

impl CodeDigit {
    /// Returns the digit that allows the numbers of heaps whose bits are set.
    pub fn from_bits(mask: u32) -> CodeDigit {
        CodeDigit { mask: mask & ((2 << MAX_PARTS) - 1), from: None, unequal: false }
    }

    fn normalized(mut self) -> CodeDigit {
        if let Some(from) = &mut self.from {
            self.mask &= (1 << *from) - 1;
            while *from > 0 && self.mask >> (*from - 1) & 1 == 1 {
                *from -= 1;
                self.mask &= !(1 << *from);
            }
        }
        self.unequal &= self.mask >> 2 != 0 || self.from.is_some();
        self
    }

    /// Returns whether the rest may be left as `parts` heaps.
    pub fn allows(self, parts: u32) -> bool {
        self.from.is_some_and(|from| parts >= from) || (parts <= MAX_PARTS && self.mask >> parts & 1 == 1)
    }

    /// Returns whether the heaps left must differ in size.
    pub fn unequal(self) -> bool {
        self.unequal
    }

    /// Returns the number of heaps from which on every number is allowed, if there is one.
    pub fn any_from(self) -> Option<u32> {
        self.from
    }

    /// Returns the maximum number of heaps that may be left; `None` if there is no limit.
    pub fn most_parts(self) -> Option<u32> {
        if self.from.is_some() { None } else { Some(self.mask.checked_ilog2().unwrap_or(0)) }
    }

    fn is_zero(self) -> bool {
        self.mask == 0 && self.from.is_none()
    }
}

impl fmt::Display for CodeDigit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from.is_none() && self.mask < 16 {
            write!(f, "{:X}", self.mask)?;
        } else {
            let counts = (0..=MAX_PARTS).filter(|i| self.mask >> i & 1 == 1).map(|i| i.to_string());
            let all: Vec<String> = counts.chain(self.from.map(|from| format!("{from}+"))).collect();
            write!(f, "{{{}}}", all.join(","))?;
        }
        f.write_str(if self.unequal { "!" } else { "" })
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
        let first =
            if scanner.peek() == Some('.') { CodeDigit::default() } else { parse_digit(&mut scanner)? };
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
            let message = format!("a code can have at most {MAX_DIGITS} digits after the point, not {len}");
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
        self.digits.iter_mut().chain(&mut self.repeat).for_each(|digit| *digit = digit.normalized());
        let len = self.repeat.len();
        if let Some(root) = (1..len)
            .find(|d| len.is_multiple_of(*d) && (*d..len).all(|i| self.repeat[i] == self.repeat[i - d]))
        {
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

    /// Returns the maximum number of heaps that a move leaves; `None` if there is no limit.
    pub fn most_parts(&self) -> Option<u32> {
        let digits = self.digits.iter().chain(&self.repeat);
        digits.map(|digit| digit.most_parts()).try_fold(0, |most, parts| Some(most.max(parts?)))
    }

    /// Returns whether some move must leave heaps of different sizes.
    pub fn has_unequal(&self) -> bool {
        self.digits.iter().chain(&self.repeat).any(|digit| digit.unequal)
    }

    /// Visits the options of a heap of `size`: the heaps left, ascending, none empty, each option
    /// once for every number of tokens taken. Direct enumeration, one step per option.
    pub fn options<B>(&self, size: u32, mut visit: impl FnMut(&[u32]) -> ControlFlow<B>) -> ControlFlow<B> {
        let most = self.most_taken().unwrap_or(usize::MAX).min(size as usize);
        // An empty heap has no options, whatever d0 is: its splits would contain empty heaps.
        for taken in 0..=most {
            let (digit, rest) = (self.digit(taken), size - taken as u32);
            if digit.is_zero() {
                continue;
            }
            let (gap, limit) = (u32::from(digit.unequal), digit.most_parts().unwrap_or(rest));
            parts(rest, limit, gap, |heaps| {
                if digit.allows(heaps.len() as u32) { visit(heaps) } else { Continue(()) }
            })?;
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

fn parse_digit(scanner: &mut Scanner<'_>) -> Result<CodeDigit, NotationError> {
    let start = scanner.at();
    let mut digit = CodeDigit::default();
    if scanner.eat("{") {
        loop {
            let parts = scanner.number("a number of heaps", u64::from(MAX_PARTS))? as u32;
            if scanner.eat("+") {
                digit.from = Some(digit.from.map_or(parts, |from| from.min(parts)));
            } else {
                digit.mask |= 1 << parts;
            }
            if !scanner.eat(",") {
                break;
            }
        }
        scanner.expect("}")?;
    } else {
        let Some(value) = scanner.peek().and_then(|c| c.to_digit(16)) else {
            return Err(scanner.unexpected("a digit 0–9, A–F or {…}"));
        };
        scanner.eat(&scanner.rest()[..1]);
        digit.mask = value;
    }
    if scanner.eat("!") {
        digit.unequal = true;
        if !digit.normalized().unequal {
            let message = "`!` asks for unequal heaps, but this digit never leaves two";
            return Err(scanner.error(start..scanner.at(), message));
        }
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
