//! Codes of taking-and-breaking games, as data: parser, printer, and the options of a heap from the rules alone.
//!
//! A code d0.d1d2d3… says what may be left when k tokens are taken from a heap: the bits 1, 2, 4, 8 of the
//! hexadecimal digit d_k allow leaving the rest as no heap, one heap, two heaps, three heaps, none of them empty.
//! Following CGSuite, `{0,2}` names the numbers of heaps themselves, `{2+}` means two or more, `!` asks for heaps of
//! different sizes, and digits in brackets at the end repeat for ever: `0.[3]` is Nim, `4!.0` is Grundy's game.
//!
//! Source: R. K. Guy, C. A. B. Smith, *The G-values of various games*, Proc. Camb. Phil. Soc. 52 (1956);
//! A. N. Siegel, *Combinatorial Game Theory* (2013), ch. IV.

use bouton_core::{NotationError, Scanner};
use std::fmt;
use std::ops::ControlFlow::{self, Continue};

/// The most digits of a code after the point.
pub const MAX_DIGITS: usize = 256;

/// The largest number of heaps that a set in braces may name.
pub const MAX_PARTS: u32 = 15;

/// The accepted forms, as shown in errors.
const FORM: &str = "a code like 0.77, 0.3F, 4!.0, 0.[3] or 0.{0,2+}";

/// What one digit allows to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Digit {
    /// Bit i: the rest may be left as exactly i heaps; i up to [`MAX_PARTS`].
    mask: u32,
    /// From this number on, every number of heaps is allowed; no bit of `mask` from there on.
    from: Option<u32>,
    /// The heaps left must differ in size.
    unequal: bool,
}

impl Digit {
    /// The digit that allows the numbers of heaps whose bits are set.
    pub fn of_bits(mask: u32) -> Digit {
        Digit { mask: mask & ((2 << MAX_PARTS) - 1), from: None, unequal: false }
    }

    fn normal(mut self) -> Digit {
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

    /// Whether the rest may be left as `parts` heaps.
    pub fn allows(self, parts: u32) -> bool {
        self.from.is_some_and(|from| parts >= from) || (parts <= MAX_PARTS && self.mask >> parts & 1 == 1)
    }

    /// Whether the heaps left must differ in size.
    pub fn unequal(self) -> bool {
        self.unequal
    }

    /// The number of heaps from which on every number is allowed.
    pub fn any_from(self) -> Option<u32> {
        self.from
    }

    /// The most heaps that may be left; `None` without a limit.
    pub fn most_parts(self) -> Option<u32> {
        if self.from.is_some() { None } else { Some(self.mask.checked_ilog2().unwrap_or(0)) }
    }

    fn is_zero(self) -> bool {
        self.mask == 0 && self.from.is_none()
    }
}

impl fmt::Display for Digit {
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

/// A taking-and-breaking game, by its code. Every such game ends: a move takes a token or makes heaps smaller.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TakeBreak {
    /// d0, d1, … without zeros at the end; at least d0.
    digits: Vec<Digit>,
    /// The digits that follow, over and over; empty for a code that ends.
    repeat: Vec<Digit>,
}

impl TakeBreak {
    /// Reads a code; `.77` is short for `0.77`.
    pub fn parse(text: &str) -> Result<TakeBreak, NotationError> {
        let mut scanner = Scanner::new(text, FORM);
        let start = scanner.at();
        let first = if scanner.peek() == Some('.') { Digit::default() } else { digit(&mut scanner)? };
        if first.allows(0) || first.allows(1) {
            let message = "the game would never end: taking nothing must leave at least two heaps";
            return Err(scanner.error(start..scanner.at(), message));
        }
        scanner.expect(".")?;
        let point = scanner.at();
        let (mut digits, mut repeat) = (vec![first], Vec::new());
        while !scanner.is_done() && scanner.peek() != Some('[') {
            digits.push(digit(&mut scanner)?);
        }
        if scanner.eat("[") {
            while !scanner.eat("]") {
                repeat.push(digit(&mut scanner)?);
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
        Ok(TakeBreak { digits, repeat }.normal())
    }

    /// The game of the digits d0, d1, …, or `None` where it would never end or has more than [`MAX_DIGITS`].
    pub fn of_bits(bits: &[u32]) -> Option<TakeBreak> {
        let sound = bits.first().is_some_and(|d0| d0 & 3 == 0) && bits.len() <= MAX_DIGITS + 1;
        let digits = bits.iter().map(|bits| Digit::of_bits(*bits)).collect();
        sound.then(|| TakeBreak { digits, repeat: Vec::new() }.normal())
    }

    /// Kayles with up to `most` neighbouring pins knocked down at a time: 0.77…7. `most` is 1..=[`MAX_DIGITS`].
    pub fn kayles(most: usize) -> Option<TakeBreak> {
        if most == 0 {
            return None;
        }
        let mut bits = vec![7; most.min(MAX_DIGITS + 1) + 1];
        bits[0] = 0;
        TakeBreak::of_bits(&bits)
    }

    /// The subtraction game S(set): 0.d1d2… with 3 for what may be taken. The set lies in 1..=[`MAX_DIGITS`].
    pub fn subtraction(set: &[u64]) -> Option<TakeBreak> {
        let most = *set.iter().max()?;
        if set.contains(&0) || most > MAX_DIGITS as u64 {
            return None;
        }
        let bits: Vec<u32> = (0..=most).map(|k| if set.contains(&k) { 3 } else { 0 }).collect();
        TakeBreak::of_bits(&bits)
    }

    fn normal(mut self) -> TakeBreak {
        self.digits.iter_mut().chain(&mut self.repeat).for_each(|digit| *digit = digit.normal());
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

    /// What may be left when `taken` tokens are taken.
    pub fn digit(&self, taken: usize) -> Digit {
        match self.digits.get(taken) {
            Some(digit) => *digit,
            None if self.repeat.is_empty() => Digit::default(),
            None => self.repeat[(taken - self.digits.len()) % self.repeat.len()],
        }
    }

    /// The most tokens that a move takes; `None` for a code without end.
    pub fn most_taken(&self) -> Option<usize> {
        self.repeat.is_empty().then(|| self.digits.len() - 1)
    }

    /// The most heaps that a move leaves; `None` without a limit.
    pub fn most_parts(&self) -> Option<u32> {
        let digits = self.digits.iter().chain(&self.repeat);
        digits.map(|digit| digit.most_parts()).try_fold(0, |most, parts| Some(most.max(parts?)))
    }

    /// Whether some move must leave heaps that differ.
    pub fn has_unequal(&self) -> bool {
        self.digits.iter().chain(&self.repeat).any(|digit| digit.unequal)
    }

    /// Visits the options of a heap of `size`: the heaps left, ascending, none empty, each option once for every
    /// number of tokens taken. Slow and plain; as many steps as there are options.
    pub fn options<B>(&self, size: u32, mut visit: impl FnMut(&[u32]) -> ControlFlow<B>) -> ControlFlow<B> {
        let most = self.most_taken().unwrap_or(usize::MAX).min(size as usize);
        // An empty heap has no options, whatever d0 says: its splits would need empty parts.
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
        // A part that leaves room for a further one; then all that is left as the last part; then back.
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

fn digit(scanner: &mut Scanner<'_>) -> Result<Digit, NotationError> {
    let start = scanner.at();
    let mut digit = Digit::default();
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
        if !digit.normal().unequal {
            let message = "`!` asks for unequal heaps, but this digit never leaves two";
            return Err(scanner.error(start..scanner.at(), message));
        }
    }
    Ok(digit.normal())
}

impl fmt::Display for TakeBreak {
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
mod tests {
    use super::*;

    fn code(text: &str) -> TakeBreak {
        TakeBreak::parse(text).unwrap()
    }

    fn options(text: &str, size: u32) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let _ = code(text).options(size, |heaps| {
            all.push(heaps.to_vec());
            Continue::<()>(())
        });
        all.sort();
        all
    }

    #[test]
    fn normal_forms() {
        for (text, normal) in [
            ("0.77", "0.77"),
            (".77", "0.77"),
            (" 0.7 7 ", "0.77"),
            ("0.770", "0.77"),
            ("4!.0", "4!.0"),
            ("0.f", "0.F"),
            ("0.3[3]", "0.[3]"),
            ("0.[33]", "0.[3]"),
            ("0.1[21]", "0.[12]"),
            ("0.7[0]", "0.7"),
            ("0.{0,1}", "0.3"),
            ("0.{0,1,2+}", "0.{0+}"),
            ("{2+}.0", "{2+}.0"),
            ("0.{0,4}", "0.{0,4}"),
            ("0.0", "0.0"),
            ("0.007!", "0.007!"),
        ] {
            assert_eq!(code(text).to_string(), normal);
            assert_eq!(code(normal), code(text));
        }
        assert_eq!(TakeBreak::kayles(3), Some(code("0.777")));
        assert_eq!(TakeBreak::subtraction(&[4, 1]), Some(code("0.3003")));
        assert_eq!((TakeBreak::kayles(0), TakeBreak::kayles(1000)), (None, None));
        assert_eq!((TakeBreak::subtraction(&[0, 1]), TakeBreak::subtraction(&[])), (None, None));
    }

    #[test]
    fn slips_are_pointed_at() {
        let long = format!("0.{}", "7".repeat(300));
        for (text, at, message) in [
            ("", 0..0, "a digit 0–9, A–F or {…} is missing"),
            ("077", 1..2, "`.` was expected here, not `7`"),
            ("0.", 2..2, "a digit is missing"),
            ("0.7g", 3..4, "a digit 0–9, A–F or {…} was expected here, not `g`"),
            ("0.[3]7", 5..6, "the end, after digits that repeat for ever, was expected here, not `7`"),
            ("0.[]", 2..4, "there is nothing to repeat"),
            ("0.[3", 4..4, "a digit 0–9, A–F or {…} is missing"),
            ("0.{}", 3..4, "a number of heaps was expected here, not `}`"),
            ("0.{16}", 3..5, "a number of heaps can be at most 15"),
            ("0.3!", 2..4, "`!` asks for unequal heaps, but this digit never leaves two"),
            ("2.7", 0..1, "the game would never end: taking nothing must leave at least two heaps"),
            ("1.0", 0..1, "the game would never end: taking nothing must leave at least two heaps"),
            ("{1+}.0", 0..4, "the game would never end: taking nothing must leave at least two heaps"),
            (&long, 2..302, "a code can have at most 256 digits after the point, not 300"),
        ] {
            let error = TakeBreak::parse(text).unwrap_err();
            assert_eq!((error.at, error.message.as_str()), (at, message), "{text}");
        }
    }

    #[test]
    fn options_from_the_rules() {
        assert_eq!(options("0.77", 4), [vec![1, 1], vec![1, 2], vec![2], vec![3]]);
        assert_eq!(options("0.77", 1), [vec![]]);
        assert_eq!(options("4!.0", 6), [[1, 5], [2, 4]]);
        assert_eq!(options("4.0", 4), [[1, 3], [2, 2]]);
        assert_eq!(options("8.0", 6), [[1, 1, 4], [1, 2, 3], [2, 2, 2]]);
        assert_eq!(options("8!.0", 6), [[1, 2, 3]]);
        assert_eq!(options("0.[3]", 3), [vec![], vec![1], vec![2]]);
        assert_eq!(options("{2+}.0", 4), [vec![1, 1, 1, 1], vec![1, 1, 2], vec![1, 3], vec![2, 2]]);
        assert_eq!(options("0.104", 5), [vec![1, 1]]);
        assert_eq!(options("0.104", 1), [vec![]]);
        assert!(options("{2+}.[3]", 0).is_empty());
        let mut first = 0;
        let _ = code("{2+}.0").options(1_000_000, |heaps| {
            first = heaps.len();
            ControlFlow::Break(())
        });
        assert_eq!(first, 1_000_000);
    }
}
