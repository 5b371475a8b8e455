//! Forms of a game for several values of a parameter, combined into one: `a mod (h+1) = 0` for
//! every h.
//!
//! The texts of forms are split into fixed pieces and numbers. If all values of a class h ≡ r (mod
//! m) have the same text except for numbers, and every number is linear in h, the class has a form
//! in h; this needs at least three values. Consecutive residues a mod M = r, or residues at a
//! constant step, are merged first, since greater h may have more of them. The least m that covers
//! most values is taken.

use bouton_core::Arrange;
use std::collections::BTreeMap;

/// The greatest modulus of h.
const MAX_MODULUS: i64 = 4;
/// The least number of values of a form in h: two points always define a line.
const MIN_VALUES: usize = 3;
/// The number of first values that may be exceptions.
const MAX_SKIPPED: usize = 2;

/// A number as a linear function of the parameter: (slope · h + offset) / by, an integer for the
/// values of the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ParameterLine {
    slope: i64,
    offset: i64,
    by: i64,
}

impl ParameterLine {
    /// Returns the line through all points, if there is one.
    fn through(points: &[(i64, i64)]) -> Option<ParameterLine> {
        let (first, last) = (points.first()?, points.last()?);
        let (rise, run) = (last.1 - first.1, last.0 - first.0);
        if run == 0 {
            return None;
        }
        let common = num_integer::gcd(rise.abs(), run.abs()).max(1);
        let (slope, by) = (rise / common, run / common);
        let line = ParameterLine { slope, offset: first.1 * by - slope * first.0, by };
        (by <= MAX_MODULUS && points.iter().all(|(h, x)| line.at(*h) == Some(*x))).then_some(line)
    }

    fn at(self, h: i64) -> Option<i64> {
        let all = self.slope.checked_mul(h)?.checked_add(self.offset)?;
        (all % self.by == 0).then_some(all / self.by)
    }

    fn text(self, name: &str) -> String {
        if self.slope == 0 {
            return self.offset.to_string();
        }
        let times = match self.slope {
            1 => name.to_owned(),
            -1 => format!("-{name}"),
            k => format!("{k}*{name}"),
        };
        let sum = match self.offset {
            0 => times,
            k if k < 0 => format!("{times}-{}", -k),
            // If the line falls, the number is printed first.
            k if self.slope < 0 => format!("{k}{times}"),
            k => format!("{times}+{k}"),
        };
        match (self.by, sum == name) {
            (1, true) => sum,
            (1, false) => format!("({sum})"),
            (by, true) => format!("({sum}/{by})"),
            (by, false) => format!("(({sum})/{by})"),
        }
    }
}

/// A text split into fixed pieces, one more than there are numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct SplitText {
    stays: Vec<String>,
    numbers: Vec<i64>,
}

impl SplitText {
    fn parse(text: &str) -> Option<SplitText> {
        let mut apart = SplitText { stays: vec![String::new()], numbers: Vec::new() };
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let last = apart.stays.last_mut()?;
            if c.is_ascii_digit() {
                let mut number = String::from(c);
                while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                    number.push(digit);
                }
                apart.numbers.push(number.parse().ok()?);
                apart.stays.push(String::new());
            } else {
                last.push(c);
                // A name keeps its digits.
                while c.is_alphabetic()
                    && let Some(more) = chars.next_if(|c| c.is_alphanumeric())
                {
                    last.push(more);
                }
            }
        }
        Some(apart)
    }
}

/// The way in which residues of the same term are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResidueMerging {
    /// No merging.
    Not,
    /// Consecutive residues are merged.
    Runs,
    /// Residues at this step are merged; a single residue fits any step.
    Steps(i64),
}

/// Returns the alternatives of a form with merged residues, each split, in order.
fn alternatives(text: &str, merging: ResidueMerging) -> Option<Vec<SplitText>> {
    let mut residues: BTreeMap<(String, i64), Vec<i64>> = BTreeMap::new();
    let mut all = Vec::new();
    for part in split(text) {
        match residue(part).filter(|_| merging != ResidueMerging::Not) {
            Some((term, modulus, residue)) => {
                residues.entry((term, modulus)).or_default().push(residue)
            }
            None => all.push(SplitText::parse(part)?),
        }
    }
    for ((term, modulus), mut own) in residues {
        own.arrange();
        own.dedup();
        let mut runs: Vec<(i64, i64)> = Vec::new();
        let step = match merging {
            ResidueMerging::Steps(step) => step,
            _ => 1,
        };
        for residue in own {
            match runs.last_mut() {
                Some((_, last)) if *last + step == residue => *last = residue,
                Some(_) if step > 1 => return None,
                _ => runs.push((residue, residue)),
            }
        }
        for (first, last) in runs {
            let seen = format!("{term} mod {modulus}");
            let above = format!("{first} <= {seen} & ");
            let above = if first < step { "" } else { &above };
            let steps = format!(" & ({seen}) mod {step} = {}", first % step);
            let steps = if step == 1 { "" } else { &steps };
            all.push(SplitText::parse(&format!("{above}{seen} <= {last}{steps}"))?);
        }
    }
    all.arrange();
    Some(all)
}

/// Splits a text at every `|` outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            // A quantifier extends to the end.
            ':' if depth == 0 => return vec![text.trim()],
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Reads `TERM mod M = R`.
fn residue(part: &str) -> Option<(String, i64, i64)> {
    let (term, rest) = part.split_once(" mod ")?;
    let (modulus, residue) = rest.split_once(" = ")?;
    let plain = |c: char| c.is_alphanumeric() || "+()".contains(c);
    (!term.is_empty() && term.chars().all(plain)).then_some(())?;
    Some((term.to_owned(), modulus.parse().ok()?, residue.parse().ok()?))
}

/// A form in the parameter, for the values of one class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParametricForm {
    /// The class: all values ≡ `residue` modulo `modulus`.
    pub modulus: i64,
    /// The residue.
    pub residue: i64,
    /// The values that the form covers.
    pub values: Vec<i64>,
    parts: Vec<(Vec<String>, Vec<ParameterLine>)>,
}

impl ParametricForm {
    /// Returns the form with the parameter `name`.
    pub fn text(&self, name: &str) -> String {
        self.written(|line| Some(line.text(name))).unwrap_or_default()
    }

    /// Returns the form for a value of the class as a formula; `None` if a number is not an integer
    /// or is negative.
    pub fn at(&self, value: i64) -> Option<String> {
        self.written(|line| line.at(value).filter(|x| *x >= 0).map(|x| x.to_string()))
    }

    fn written(&self, number: impl Fn(ParameterLine) -> Option<String>) -> Option<String> {
        let part = |(stays, lines): &(Vec<String>, Vec<ParameterLine>)| {
            let mut text = stays[0].clone();
            for (line, stays) in lines.iter().zip(&stays[1..]) {
                text += &number(*line)?;
                text += stays;
            }
            Some(text)
        };
        Some(self.parts.iter().map(part).collect::<Option<Vec<_>>>()?.join(" | "))
    }

    /// Returns the form of these values, all of one class.
    fn fit(forms: &[(i64, &str)], modulus: i64, residue: i64) -> Option<ParametricForm> {
        if forms.len() < MIN_VALUES {
            return None;
        }
        let mergings = [ResidueMerging::Not, ResidueMerging::Runs]
            .into_iter()
            .chain((2..=3).map(ResidueMerging::Steps));
        for merging in mergings {
            let all = forms
                .iter()
                .map(|(_, text)| alternatives(text, merging))
                .collect::<Option<Vec<_>>>();
            let Some(all) = all else { continue };
            let stays = |one: &Vec<SplitText>| {
                one.iter().map(|part| part.stays.clone()).collect::<Vec<_>>()
            };
            if all.iter().any(|one| stays(one) != stays(&all[0])) {
                continue;
            }
            let parts = (0..all[0].len()).map(|part| {
                let lines = (0..all[0][part].numbers.len()).map(|number| {
                    let points =
                        forms.iter().zip(&all).map(|((h, _), one)| (*h, one[part].numbers[number]));
                    ParameterLine::through(&points.collect::<Vec<_>>())
                });
                Some((all[0][part].stays.clone(), lines.collect::<Option<Vec<_>>>()?))
            });
            if let Some(parts) = parts.collect::<Option<Vec<_>>>() {
                let values = forms.iter().map(|(h, _)| *h).collect();
                return Some(ParametricForm { modulus, residue, values, parts });
            }
        }
        None
    }
}

/// Returns forms in the parameter for the forms of its values, ascending: one for each class of a
/// modulus that has one; empty if there is none.
pub fn parametric_forms(forms: &[(i64, &str)]) -> Vec<ParametricForm> {
    let mut best: Vec<ParametricForm> = Vec::new();
    let covered =
        |found: &[ParametricForm]| found.iter().map(|one| one.values.len()).sum::<usize>();
    for modulus in 1..=MAX_MODULUS {
        let found: Vec<ParametricForm> = (0..modulus)
            .filter_map(|residue| {
                let own: Vec<(i64, &str)> = forms
                    .iter()
                    .copied()
                    .filter(|(h, _)| h.rem_euclid(modulus) == residue)
                    .collect();
                (0..=MAX_SKIPPED.min(own.len()))
                    .find_map(|from| ParametricForm::fit(&own[from..], modulus, residue))
            })
            .collect();
        if covered(&found) > covered(&best) {
            best = found;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_formula::Claim;

    /// Returns the forms in words.
    fn combined(
        forms: &dyn Fn(i64) -> String,
        values: std::ops::RangeInclusive<i64>,
    ) -> Vec<(i64, i64, String)> {
        let texts: Vec<(i64, String)> = values.map(|h| (h, forms(h))).collect();
        let given: Vec<(i64, &str)> = texts.iter().map(|(h, text)| (*h, text.as_str())).collect();
        let found = parametric_forms(&given);
        for one in &found {
            // The form for a value is equivalent to the given one.
            for h in &one.values {
                let said = Claim::parse(&one.at(*h).unwrap(), 2).unwrap();
                let given = Claim::parse(&forms(*h), 2).unwrap();
                for code in 0..1600u64 {
                    let p = [code / 40, code % 40];
                    assert_eq!(said.holds(&p).unwrap(), given.holds(&p).unwrap(), "{h} {p:?}");
                }
            }
        }
        found.iter().map(|one| (one.modulus, one.residue, one.text("h"))).collect()
    }

    #[test]
    fn lines_and_classes_are_found() {
        let said = |text: &str| vec![(1, 0, text.to_owned())];
        assert_eq!(combined(&|h| format!("a mod {} = 0", h + 1), 1..=6), said("a mod (h+1) = 0"));
        assert_eq!(combined(&|_| "a = b".into(), 2..=4), said("a = b"));
        let halves =
            |h: i64| if h % 2 == 0 { format!("a = b+{}", h / 2) } else { format!("a = {h}") };
        let halves = combined(&halves, 1..=8);
        assert_eq!(halves, [(2, 0, "a = b+(h/2)".into()), (2, 1, "a = h".into())]);
        // More residues for greater h: all below h, and every second one.
        let below = |h: i64| {
            (0..h).map(|r| format!("a mod {} = {r}", 2 * h)).collect::<Vec<_>>().join(" | ")
        };
        assert_eq!(combined(&below, 1..=7), said("a mod (2*h) <= (h-1)"));
        let second = |h: i64| {
            (0..h)
                .map(|r| format!("a mod {} = {}", 2 * h + 1, 2 * r))
                .collect::<Vec<_>>()
                .join(" | ")
        };
        assert_eq!(
            combined(&second, 1..=7),
            said("a mod (2*h+1) <= (2*h-2) & (a mod (2*h+1)) mod 2 = 0")
        );
    }

    #[test]
    fn what_is_no_line_has_no_form() {
        assert_eq!(combined(&|h| format!("a = {}", h * h), 1..=8), []);
        // Two values are not enough.
        assert_eq!(combined(&|h| format!("a = {h}"), 1..=2), []);
        // The first value is an exception.
        let one = |h: i64| if h == 1 { "a = b".into() } else { format!("a mod {h} = 1") };
        assert_eq!(combined(&one, 1..=5), [(1, 0, "a mod h = 1".into())]);
    }
}
