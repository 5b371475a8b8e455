//! Truth of a formula at given values, by search over the quantified variables.
//!
//! The search is exact: a variable runs over an interval outside which the formula cannot hold,
//! found by interval arithmetic on the comparisons that must hold (in `a = x+y` both x and y are at
//! most a; once x is chosen, y is determined). Where no such interval is bounded, a witness is
//! looked for a little beyond the values present, and without one the answer is
//! [`Unknown::Unbounded`], never a guess. The automata decide such cases.

use crate::arithmetic::ArithmeticSymbol;
use crate::formula::{Formula, Node, Relation, Term};

/// Why the truth could not be found by search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// A quantified variable has no bound that the formula shows.
    #[error("no bound on `{0}` can be read off the formula, and no witness is near")]
    Unbounded(String),
    /// A division by 0; the term.
    #[error("`{0}` divides by 0")]
    Division(String),
    /// A value left the range of 127 bits.
    #[error("a value is too big")]
    Overflow,
    /// The search took more steps than allowed.
    #[error("budget of {0} search steps spent")]
    Budget(u64),
}

/// Search steps allowed by [`Formula::holds`].
pub const STEPS: u64 = 1 << 22;

impl Formula {
    /// Returns whether the formula holds where its free variables have these values, in their
    /// order.
    ///
    /// # Panics
    /// Unless there is one value for each free variable.
    pub fn holds(&self, values: &[u64]) -> Result<bool, Unknown> {
        self.holds_within(values, STEPS)
    }

    /// As [`Formula::holds`], with a budget of search steps.
    pub fn holds_within(&self, values: &[u64], steps: u64) -> Result<bool, Unknown> {
        assert_eq!(values.len(), self.free, "one value for each free variable");
        let mut known = vec![None; self.names.len()];
        known.iter_mut().zip(values).for_each(|(known, &value)| *known = Some(i128::from(value)));
        WitnessSearch::new(self, known, steps).truth(&self.root)
    }
}

/// Where a term's value lies while one variable x is looked at: in c·x + [low, high], None being
/// unbounded.
#[derive(Debug, Clone, Copy)]
struct Span {
    c: i128,
    low: Option<i128>,
    high: Option<i128>,
}

impl Span {
    const NATURAL: Span = Span { c: 0, low: Some(0), high: None };

    fn exactly(value: i128) -> Span {
        Span { c: 0, low: Some(value), high: Some(value) }
    }

    fn add(self, other: Span) -> Span {
        let sum = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        match self.c.checked_add(other.c) {
            Some(c) => Span { c, low: sum(self.low, other.low), high: sum(self.high, other.high) },
            None => Span { c: 0, low: None, high: None },
        }
    }

    fn times(self, k: i64) -> Span {
        let k = i128::from(k);
        let product = |a: Option<i128>| a?.checked_mul(k);
        let (low, high) = if k < 0 { (self.high, self.low) } else { (self.low, self.high) };
        match self.c.checked_mul(k) {
            Some(c) => Span { c, low: product(low), high: product(high) },
            None => Span { c: 0, low: None, high: None },
        }
    }

    /// Returns a lower bound that holds whatever x ≥ 0 is.
    fn floor(self) -> Option<i128> {
        self.low.filter(|_| self.c >= 0)
    }

    fn ceiling(self) -> Option<i128> {
        self.high.filter(|_| self.c <= 0)
    }
}

/// An interval of values of one variable; empty if low > high.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Window {
    low: i128,
    high: Option<i128>,
}

impl Window {
    const ALL: Window = Window { low: 0, high: None };
    const NONE: Window = Window { low: 1, high: Some(0) };

    fn is_empty(self) -> bool {
        self.high.is_some_and(|high| high < self.low)
    }

    fn meet(self, other: Window) -> Window {
        let high = match (self.high, other.high) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Window { low: self.low.max(other.low), high }
    }

    fn hull(self, other: Window) -> Window {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Window {
            low: self.low.min(other.low),
            high: self.high.zip(other.high).map(|(a, b)| a.max(b)),
        }
    }
}

/// A search for values of the quantified variables.
pub(crate) struct WitnessSearch<'f> {
    formula: &'f Formula,
    known: Vec<Option<i128>>,
    budget: u64,
    left: u64,
}

impl<'f> WitnessSearch<'f> {
    /// Starts with these values of variables, and this many steps to make.
    pub(crate) fn new(
        formula: &'f Formula,
        known: Vec<Option<i128>>,
        steps: u64,
    ) -> WitnessSearch<'f> {
        WitnessSearch { formula, known, budget: steps, left: steps }
    }

    /// Returns the formula whose variables are looked at.
    pub(crate) fn formula(&self) -> &'f Formula {
        self.formula
    }

    /// Gives a variable a value, or none.
    pub(crate) fn set(&mut self, variable: usize, value: Option<i128>) {
        self.known[variable] = value;
    }

    /// Charges one step.
    pub(crate) fn step(&mut self) -> Result<(), Unknown> {
        self.left = self.left.checked_sub(1).ok_or(Unknown::Budget(self.budget))?;
        Ok(())
    }

    /// Returns whether the node holds.
    pub(crate) fn truth(&mut self, node: &Node) -> Result<bool, Unknown> {
        match node {
            Node::Constant(value) => Ok(*value),
            Node::Compare(left, relation, right) => {
                Ok(relation.holds(self.value(left)?.cmp(&self.value(right)?)))
            }
            Node::Not(inner) => Ok(!self.truth(inner)?),
            Node::And(parts) => self.any(parts.iter(), false).map(|found| !found),
            Node::Or(parts) => self.any(parts.iter(), true),
            Node::Implies(left, right) => match self.truth(left) {
                Ok(true) => self.truth(right),
                Ok(false) => Ok(true),
                Err(unknown) => {
                    if self.truth(right)? {
                        Ok(true)
                    } else {
                        Err(unknown)
                    }
                }
            },
            Node::Iff(left, right) => Ok(self.truth(left)? == self.truth(right)?),
            Node::Exists(variables, body) => self.choose(variables, body, true),
            Node::Forall(variables, body) => {
                self.choose(variables, body, false).map(|found| !found)
            }
        }
    }

    /// Returns whether one of the parts has this truth; an unknown part matters only if none has.
    fn any<'n>(
        &mut self,
        parts: impl Iterator<Item = &'n Node>,
        wanted: bool,
    ) -> Result<bool, Unknown> {
        let mut unknown = None;
        for part in parts {
            match self.truth(part) {
                Ok(truth) if truth == wanted => return Ok(true),
                Ok(_) => {}
                Err(Unknown::Budget(steps)) => return Err(Unknown::Budget(steps)),
                Err(why) => unknown = Some(why),
            }
        }
        unknown.map_or(Ok(false), Err)
    }

    /// Returns whether some values of the variables give the body this truth. Tries the most
    /// narrowly bounded one first.
    fn choose(&mut self, variables: &[usize], body: &Node, wanted: bool) -> Result<bool, Unknown> {
        let mut best: Option<(usize, Window)> = None;
        for &x in variables.iter().filter(|&&x| self.known[x].is_none()) {
            let window = self.window(body, wanted, x);
            if window.is_empty() {
                return Ok(false);
            }
            let width = |w: Window| w.high.map_or(i128::MAX, |high| high.saturating_sub(w.low));
            if best.is_none_or(|(_, other)| width(window) < width(other)) {
                best = Some((x, window));
            }
        }
        let Some((x, window)) = best else { return Ok(self.truth(body)? == wanted) };
        let last = match window.high {
            Some(high) => high,
            None => self
                .known
                .iter()
                .flatten()
                .try_fold(window.low, |sum, v| sum.checked_add(*v))
                .ok_or(Unknown::Overflow)?
                .checked_add(16)
                .ok_or(Unknown::Overflow)?,
        };
        let mut unknown = None;
        let mut value = window.low;
        while value <= last {
            self.step()?;
            self.known[x] = Some(value);
            let found = self.choose(variables, body, wanted);
            self.known[x] = None;
            match found {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(Unknown::Budget(steps)) => return Err(Unknown::Budget(steps)),
                Err(why) => unknown = Some(why),
            }
            value += 1;
        }
        match unknown {
            Some(why) => Err(why),
            None if window.high.is_none() => Err(Unknown::Unbounded(self.formula.names[x].clone())),
            None => Ok(false),
        }
    }

    fn value(&self, term: &Term) -> Result<i128, Unknown> {
        term.value(&|v| self.known[v]).ok_or_else(|| self.without_value(term))
    }

    /// Returns why the term has no value.
    fn without_value(&self, term: &Term) -> Unknown {
        let mut division = None;
        term.visit_terms(&mut |inner| {
            let Term::Arithmetic(ArithmeticSymbol::Quotient | ArithmeticSymbol::Remainder, parts) =
                inner
            else {
                return;
            };
            if let [_, by] = &parts[..]
                && by.value(&|v| self.known[v]) == Some(0)
            {
                division = Some(self.formula.term_text(inner));
            }
        });
        division.map_or(Unknown::Overflow, Unknown::Division)
    }

    /// Returns the values of x outside which the node cannot have the wanted truth, whatever the
    /// unknown variables are.
    fn window(&self, node: &Node, wanted: bool, x: usize) -> Window {
        match node {
            Node::Constant(value) => {
                if *value == wanted {
                    Window::ALL
                } else {
                    Window::NONE
                }
            }
            Node::Compare(left, relation, right) => {
                let relation = if wanted { *relation } else { relation.negated() };
                let difference = self.span(left, x).add(self.span(right, x).times(-1));
                match relation {
                    Relation::Unequal => {
                        let equal = difference.c == 0
                            && difference.low == Some(0)
                            && difference.high == Some(0);
                        if equal { Window::NONE } else { Window::ALL }
                    }
                    Relation::Equal => {
                        nonpositive(difference).meet(nonpositive(difference.times(-1)))
                    }
                    Relation::AtMost => nonpositive(difference),
                    Relation::Less => nonpositive(difference.add(Span::exactly(1))),
                    Relation::AtLeast => nonpositive(difference.times(-1)),
                    Relation::Greater => nonpositive(difference.times(-1).add(Span::exactly(1))),
                }
            }
            Node::Not(inner) => self.window(inner, !wanted, x),
            Node::And(parts) | Node::Or(parts) if parts.is_empty() => {
                if matches!(node, Node::And(_)) == wanted { Window::ALL } else { Window::NONE }
            }
            Node::And(parts) | Node::Or(parts) => {
                let windows = parts.iter().map(|part| self.window(part, wanted, x));
                let meets = matches!(node, Node::And(_)) == wanted;
                windows
                    .reduce(|a, b| if meets { a.meet(b) } else { a.hull(b) })
                    .unwrap_or(Window::ALL)
            }
            Node::Implies(left, right) => {
                let (left, right) = (self.window(left, !wanted, x), self.window(right, wanted, x));
                if wanted { left.hull(right) } else { left.meet(right) }
            }
            Node::Iff(left, right) => {
                let case = |truth: bool| {
                    self.window(left, truth, x).meet(self.window(right, truth == wanted, x))
                };
                case(true).hull(case(false))
            }
            Node::Exists(_, body) | Node::Forall(_, body) => self.window(body, wanted, x),
        }
    }

    fn span(&self, term: &Term, x: usize) -> Span {
        if let Ok(value) = self.value(term) {
            return Span::exactly(value);
        }
        match term {
            Term::Variable(v) if *v == x => Span { c: 1, low: Some(0), high: Some(0) },
            Term::Variable(_) | Term::Number(_) => Span::NATURAL,
            Term::Sum(parts) => {
                parts.iter().map(|part| self.span(part, x)).fold(Span::exactly(0), Span::add)
            }
            Term::Multiple(k, inner) => self.span(inner, x).times(*k),
            Term::DigitSum(modulus, parts) => {
                // Subtracting the other known arguments' digits gives x back: x ⊕ y = z means x = y
                // ⊕ z. What is used here is only the size: no more digits than the greatest
                // argument.
                let high = parts
                    .iter()
                    .map(|part| self.span(part, x).ceiling())
                    .reduce(|a, b| Some(a?.max(b?)));
                let digits =
                    high.flatten().filter(|&high| high >= 0).map(|high| 128 - high.leading_zeros());
                let top = digits
                    .filter(|&digits| digits < 100)
                    .map(|digits| ((1i128 << digits) - 1) * i128::from(modulus - 1));
                Span { high: top, ..Span::NATURAL }
            }
            Term::Min(parts) => {
                let spans = || parts.iter().map(|part| self.span(part, x));
                let low = spans().map(Span::floor).reduce(|a, b| Some(a?.min(b?))).flatten();
                Span { c: 0, low, high: spans().filter_map(Span::ceiling).min() }
            }
            Term::Max(parts) => {
                let spans = || parts.iter().map(|part| self.span(part, x));
                let high = spans().map(Span::ceiling).reduce(|a, b| Some(a?.max(b?))).flatten();
                Span { c: 0, low: spans().filter_map(Span::floor).max(), high }
            }
            Term::Quotient(inner, by) => {
                let high = self.span(inner, x).ceiling().map(|high| high / i128::from(*by));
                Span { high, ..Span::NATURAL }
            }
            Term::Remainder(_, by) => Span { high: Some(i128::from(*by) - 1), ..Span::NATURAL },
            Term::Arithmetic(word, parts) => self.arithmetic(*word, parts, x),
            // The shift of u is at least u.
            Term::Shift(inner) => Span { high: None, ..self.span(inner, x) },
            Term::Floor(slope, _) if slope.whole == 0 => Span::NATURAL,
            // As many times u at least as the slope's whole part.
            Term::Floor(slope, inner) => {
                Span { high: None, ..self.span(inner, x).times(slope.whole.into()) }
            }
        }
    }
}

impl WitnessSearch<'_> {
    fn arithmetic(&self, word: ArithmeticSymbol, parts: &[Term], x: usize) -> Span {
        match word {
            ArithmeticSymbol::Product => {
                let factor =
                    |part: &Term| self.value(part).ok().and_then(|value| i64::try_from(value).ok());
                let mut open = parts.iter().filter(|part| factor(part).is_none());
                match (open.next(), open.next()) {
                    (Some(one), None) => parts
                        .iter()
                        .filter_map(factor)
                        .fold(self.span(one, x), |span, k| span.times(k)),
                    // Of factors that are not negative the product is not.
                    _ if parts
                        .iter()
                        .all(|part| self.span(part, x).floor().is_some_and(|low| low >= 0)) =>
                    {
                        Span::NATURAL
                    }
                    _ => Span { c: 0, low: None, high: None },
                }
            }
            ArithmeticSymbol::Quotient => match parts {
                // By 1 at least.
                [of, _] => Span {
                    high: self.span(of, x).ceiling().map(|high| high.max(0)),
                    ..Span::NATURAL
                },
                _ => Span::NATURAL,
            },
            word if word.is_condition() => Span { high: Some(1), ..Span::NATURAL },
            _ => Span::NATURAL,
        }
    }
}

/// Returns the x ≥ 0 for which c·x + low ≤ 0 is possible.
fn nonpositive(span: Span) -> Window {
    let Some(low) = span.low else { return Window::ALL };
    if span.c > 0 {
        Window { low: 0, high: Some(low.saturating_neg().div_euclid(span.c)) }
    } else if span.c < 0 {
        let c = span.c.saturating_neg();
        // low ≤ c·x, rounded up.
        Window { low: (low.div_euclid(c) + i128::from(low.rem_euclid(c) != 0)).max(0), high: None }
    } else if low > 0 {
        Window::NONE
    } else {
        Window::ALL
    }
}
