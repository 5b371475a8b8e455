//! Linear forms and the atoms made of them: what every quantifier-free formula comes down to.
//!
//! A form is Σ c·t + k, where t is a variable, a digit sum of variables, or a shift of one: all of
//! them have values that are linear in the digits read, so that one kind of automaton reads them
//! all.

use bouton_core::Arrange;
use bouton_formula::{Number, Period, Slope};
use std::fmt;

/// A variable, by number.
pub type Variable = u32;

/// What a form is linear in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// A variable.
    Plain(Variable),
    /// The shift of a variable: v + ⌊(v + 1)θ⌋, θ the continued fraction with whole part 0 and this
    /// period. That of the golden ratio puts a 0 after the digits of Zeckendorf.
    Shift(Period, Variable),
    /// Binary digits summed by place to a modulus; sorted, with repetitions only if the modulus is
    /// above 2.
    Sum(u8, Vec<Variable>),
}

impl Base {
    /// Returns the digit sum of variables, in its simplest form; none if it is 0.
    pub fn sum(modulus: u8, mut variables: Vec<Variable>) -> Option<Base> {
        variables.arrange();
        let mut kept: Vec<Variable> = Vec::with_capacity(variables.len());
        for run in variables.chunk_by(|a, b| a == b) {
            kept.extend(&run[..run.len() % usize::from(modulus)]);
        }
        match kept[..] {
            [] => None,
            [one] => Some(Base::Plain(one)),
            _ => Some(Base::Sum(modulus, kept)),
        }
    }

    /// Returns the variables in it.
    #[inline]
    pub fn variables(&self) -> &[Variable] {
        match self {
            Base::Plain(v) | Base::Shift(_, v) => std::slice::from_ref(v),
            Base::Sum(_, variables) => variables,
        }
    }
}

/// Σ c·t + k.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinearForm {
    /// The terms, sorted, no coefficient 0.
    pub terms: Vec<(Base, i64)>,
    /// The constant k.
    pub constant: i64,
}

impl LinearForm {
    /// Returns a constant.
    #[inline]
    pub fn constant(constant: i64) -> LinearForm {
        LinearForm { terms: Vec::new(), constant }
    }

    /// Returns a variable.
    #[inline]
    pub fn variable(v: Variable) -> LinearForm {
        LinearForm { terms: vec![(Base::Plain(v), 1)], constant: 0 }
    }

    /// Returns a single term.
    pub fn term(base: Option<Base>) -> LinearForm {
        LinearForm { terms: base.into_iter().map(|base| (base, 1)).collect(), constant: 0 }
    }

    /// Returns self + k·other; `None` if a number leaves 62 bits.
    pub fn plus(&self, other: &LinearForm, k: i64) -> Option<LinearForm> {
        let small = |x: i64| (x.unsigned_abs() < 1 << 62).then_some(x);
        let sum = |a: i64, b: i64| small(a.checked_add(b.checked_mul(k)?)?);
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(a), Some(b)) => a.0.cmp(&b.0),
            };
            let a = if order.is_le() { left.next() } else { None };
            let b = if order.is_ge() { right.next() } else { None };
            let Some((base, _)) = a.or(b) else { break };
            let c = sum(a.map_or(0, |a| a.1), b.map_or(0, |b| b.1))?;
            if c != 0 {
                terms.push((base.clone(), c));
            }
        }
        Some(LinearForm { terms, constant: sum(self.constant, other.constant)? })
    }

    /// Returns whether self is the sum of these two less something natural: no coefficient and no
    /// constant is greater. `false` if a number leaves 62 bits. Ends at the first term that is
    /// greater, and makes no form: most pairs are distinguished at once.
    pub fn is_below(&self, others: [&LinearForm; 2]) -> bool {
        let small = |x: i64| (x.unsigned_abs() < 1 << 62).then_some(x);
        let less = |own: i64, others: [i64; 2]| {
            others.into_iter().try_fold(own, |rest, other| small(rest.checked_sub(other)?))
        };
        if less(self.constant, others.map(|form| form.constant)).is_none_or(|rest| rest > 0) {
            return false;
        }
        let mut own = self.terms.as_slice();
        let mut terms = others.map(|form| form.terms.as_slice());
        loop {
            let fronts = [own.first(), terms[0].first(), terms[1].first()];
            let Some(base) = fronts.into_iter().flatten().map(|(base, _)| base).min() else {
                return true;
            };
            let take = |terms: &mut &[(Base, i64)]| match **terms {
                [(ref front, c), ref rest @ ..] if front == base => {
                    *terms = rest;
                    c
                }
                _ => 0,
            };
            let mut more = [0; 2];
            let c = take(&mut own);
            more.iter_mut().zip(&mut terms).for_each(|(c, terms)| *c = take(terms));
            if less(c, more).is_none_or(|rest| rest > 0) {
                return false;
            }
        }
    }

    /// Returns k·self; `None` if a number leaves 62 bits.
    pub fn times(&self, k: i64) -> Option<LinearForm> {
        LinearForm::default().plus(self, k)
    }

    /// Returns the coefficient of a variable that stands alone, and whether it also occurs
    /// elsewhere.
    pub fn coefficient(&self, v: Variable) -> (i64, bool) {
        let mut alone = 0;
        let mut elsewhere = false;
        for (base, c) in &self.terms {
            match base {
                Base::Plain(w) => {
                    if *w == v {
                        alone = *c;
                    }
                }
                other => elsewhere |= other.variables().contains(&v),
            }
        }
        (alone, elsewhere)
    }

    /// Returns whether a variable occurs.
    #[inline]
    pub fn contains(&self, v: Variable) -> bool {
        self.terms.iter().any(|(base, _)| base.variables().contains(&v))
    }

    /// Returns the form with `by` in the variable's place; None if that is no form (a sum inside
    /// ⊕), or overflows.
    pub fn substitute(&self, v: Variable, by: &LinearForm) -> Option<LinearForm> {
        if !self.contains(v) {
            return Some(self.clone());
        }
        let (c, elsewhere) = self.coefficient(v);
        if !elsewhere {
            let terms =
                self.terms.iter().filter(|(base, _)| *base != Base::Plain(v)).cloned().collect();
            return LinearForm { terms, constant: self.constant }.plus(by, c);
        }
        let mut result = LinearForm::constant(self.constant);
        for (base, c) in &self.terms {
            let term = match base {
                _ if !base.variables().contains(&v) => LinearForm::term(Some(base.clone())),
                Base::Plain(_) => by.clone(),
                Base::Shift(period, _) => match by.terms[..] {
                    [(Base::Plain(w), 1)] if by.constant == 0 => {
                        LinearForm::term(Some(Base::Shift(*period, w)))
                    }
                    [] if by.constant == 0 => LinearForm::constant(0),
                    _ => return None,
                },
                Base::Sum(modulus, variables) => {
                    if by.constant != 0 {
                        return None;
                    }
                    let inside: &[Variable] = match &by.terms[..] {
                        [] => &[],
                        [(Base::Plain(w), 1)] => std::slice::from_ref(w),
                        [(Base::Sum(2, inside), 1)] if *modulus == 2 => inside,
                        _ => return None,
                    };
                    let times = variables.iter().filter(|&&w| w == v).count();
                    let mut all: Vec<Variable> =
                        variables.iter().copied().filter(|&w| w != v).collect();
                    (0..times).for_each(|_| all.extend(inside));
                    LinearForm::term(Base::sum(*modulus, all))
                }
            };
            result = result.plus(&term, *c)?;
        }
        Some(result)
    }

    /// Returns the value of x that makes the form 0, if that is a form.
    pub fn solved(&self, x: Variable) -> Option<LinearForm> {
        let (c, elsewhere) = self.coefficient(x);
        if c.abs() == 1 && !elsewhere {
            // c·x + rest = 0, so x = −c·rest.
            return self.plus(&LinearForm::variable(x), -c)?.times(-c);
        }
        // ±(x ⊕ …) ∓ (another digit sum or variable) = 0.
        if self.constant != 0 || self.terms.len() > 2 {
            return None;
        }
        if let [(_, c), (_, d)] = self.terms[..]
            && (c != -d || c.abs() != 1)
        {
            return None;
        }
        let mut all = Vec::new();
        for (base, _) in &self.terms {
            match base {
                Base::Plain(v) => all.push(*v),
                Base::Sum(2, variables) => all.extend(variables),
                _ => return None,
            }
        }
        let Base::Sum(2, all) = Base::sum(2, all)? else { return None };
        let others: Vec<Variable> = all.iter().copied().filter(|&v| v != x).collect();
        (others.len() < all.len()).then(|| LinearForm::term(Base::sum(2, others)))
    }

    /// Returns the form with other variables in the places of all at once; None if a number leaves
    /// 62 bits.
    pub fn renamed(&self, to: impl Fn(Variable) -> Variable) -> Option<LinearForm> {
        let mut terms: Vec<(Base, i64)> = Vec::with_capacity(self.terms.len());
        for (base, c) in &self.terms {
            let base = match base {
                Base::Plain(v) => Some(Base::Plain(to(*v))),
                Base::Shift(period, v) => Some(Base::Shift(*period, to(*v))),
                Base::Sum(modulus, all) => {
                    Base::sum(*modulus, all.iter().map(|v| to(*v)).collect())
                }
            };
            terms.extend(base.map(|base| (base, *c)));
        }
        terms.arrange();
        if terms.is_sorted_by(|(a, _), (b, _)| a < b) {
            return Some(LinearForm { terms, constant: self.constant });
        }
        let one = |(base, c)| LinearForm { terms: vec![(base, c)], constant: 0 };
        terms
            .into_iter()
            .try_fold(LinearForm::constant(self.constant), |sum, term| sum.plus(&one(term), 1))
    }

    /// Returns whether no number in it has more than 30 bits: then products and sums of two such
    /// forms fit.
    #[inline]
    pub fn is_small(&self) -> bool {
        self.terms
            .iter()
            .map(|(_, c)| *c)
            .chain([self.constant])
            .all(|c| c.unsigned_abs() < 1 << 30)
    }

    /// Returns whether self + k·other, k being 1 or −1, is a positive constant.
    pub fn contradicts(&self, other: &LinearForm, k: i64) -> bool {
        (1..1 << 62).contains(&(self.constant + k * other.constant))
            && self.terms.len() == other.terms.len()
            && self.terms.iter().zip(&other.terms).all(|((a, c), (b, d))| *c == -k * d && a == b)
    }

    /// Returns the value where the variables have these; None if one is unknown, negative under a
    /// digit sum, or too big.
    pub fn value<N: Number>(&self, of: &impl Fn(Variable) -> Option<N>) -> Option<N> {
        let mut sum = N::from(self.constant.unsigned_abs()).times(self.constant.signum())?;
        for (base, c) in &self.terms {
            let values = base.variables().iter().map(|&v| of(v)).collect::<Option<Vec<N>>>()?;
            let value = match base {
                Base::Plain(_) => values.into_iter().next(),
                Base::Shift(period, _) => {
                    // With the whole part 1 the multiple of v + 1 has v + 1 more.
                    let slope = Slope { whole: 1, period: *period };
                    let more = values.first()?.plus(&N::from(1))?;
                    slope.floor(&more)?.plus(&N::from(1).times(-1)?)
                }
                Base::Sum(modulus, _) => N::digit_sum(*modulus, &values),
            };
            sum = sum.plus(&value?.times(*c)?)?;
        }
        Some(sum)
    }
}

/// What an atom says of its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Test {
    /// It is 0.
    Zero,
    /// It is not 0.
    NonZero,
    /// It is at most 0.
    AtMostZero,
    /// It is divisible by this modulus (at least 2).
    Divisible(u32),
    /// It is not divisible by this modulus (at least 2).
    Indivisible(u32),
}

/// A form and what is said of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// The form.
    pub form: LinearForm,
    /// What is said of it.
    pub test: Test,
}

/// An atom in normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Simple {
    /// Always true, or always false.
    Known(bool),
    /// Depends.
    Open(Atom),
}

impl Atom {
    /// Returns the atom in normal form: divided by the common factor of its coefficients, decided
    /// where the signs decide.
    pub fn simplify(mut self) -> Simple {
        let form = &mut self.form;
        if let Test::Divisible(m) | Test::Indivisible(m) = self.test {
            let m = i64::from(m);
            form.terms.iter_mut().for_each(|(_, c)| *c = c.rem_euclid(m));
            form.terms.retain(|(_, c)| *c != 0);
            form.constant = form.constant.rem_euclid(m);
            return match form.terms.is_empty() {
                true => {
                    Simple::Known((form.constant == 0) == matches!(self.test, Test::Divisible(_)))
                }
                false => Simple::Open(self),
            };
        }
        let k = form.constant;
        let factor =
            form.terms.iter().fold(0, |g, (_, c)| num_integer::gcd(g, c.unsigned_abs())) as i64;
        if factor == 0 {
            return Simple::Known(match self.test {
                Test::Zero => k == 0,
                Test::NonZero => k != 0,
                _ => k <= 0,
            });
        }
        let positive = form.terms.iter().all(|(_, c)| *c > 0);
        let negative = form.terms.iter().all(|(_, c)| *c < 0);
        if factor > 1 {
            match self.test {
                Test::AtMostZero => form.constant = -(-k).div_euclid(factor),
                _ if k % factor != 0 => return Simple::Known(self.test == Test::NonZero),
                _ => form.constant = k / factor,
            }
            form.terms.iter_mut().for_each(|(_, c)| *c /= factor);
        }
        match self.test {
            Test::AtMostZero if positive && k > 0 => return Simple::Known(false),
            Test::AtMostZero if negative && k <= 0 => return Simple::Known(true),
            Test::Zero | Test::NonZero => {
                if (positive && k > 0) || (negative && k < 0) {
                    return Simple::Known(self.test == Test::NonZero);
                }
                if form.terms[0].1 < 0 {
                    form.terms.iter_mut().for_each(|(_, c)| *c = -*c);
                    form.constant = -form.constant;
                }
            }
            _ => {}
        }
        Simple::Open(self)
    }

    /// Returns whether it holds where the variables have these values; None where the form has
    /// none.
    pub fn holds<N: Number>(&self, of: &impl Fn(Variable) -> Option<N>) -> Option<bool> {
        let (value, zero) = (self.form.value(of)?, N::from(0));
        let divisible = |m: u32| value.divided(m.into()).1 == zero;
        Some(match self.test {
            Test::Zero => value == zero,
            Test::NonZero => value != zero,
            Test::AtMostZero => value <= zero,
            Test::Divisible(m) => divisible(m),
            Test::Indivisible(m) => !divisible(m),
        })
    }

    /// Returns the atom that holds exactly where this one does not.
    pub fn negated(self) -> Option<Atom> {
        Some(match self.test {
            Test::Zero => Atom { test: Test::NonZero, ..self },
            Test::NonZero => Atom { test: Test::Zero, ..self },
            Test::Divisible(m) => Atom { test: Test::Indivisible(m), ..self },
            Test::Indivisible(m) => Atom { test: Test::Divisible(m), ..self },
            Test::AtMostZero => {
                Atom { form: LinearForm::constant(1).plus(&self.form, -1)?, test: Test::AtMostZero }
            }
        })
    }
}

impl fmt::Display for Base {
    /// Variables are written v0, v1, …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Base::Plain(v) => write!(f, "v{v}"),
            Base::Shift(period, v) => write!(f, "S{period}.v{v}"),
            Base::Sum(modulus, variables) => {
                write!(f, "x{modulus}")?;
                variables.iter().try_for_each(|v| write!(f, ".v{v}"))
            }
        }
    }
}

impl fmt::Display for LinearForm {
    /// Writes coefficient, star, base; then the constant: `1*v0 -2*x2.v1.v2 +3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.terms.iter().try_for_each(|(base, c)| write!(f, "{c:+}*{base} "))?;
        write!(f, "{:+}", self.constant)
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.test {
            Test::Zero => write!(f, "= {}", self.form),
            Test::NonZero => write!(f, "!= {}", self.form),
            Test::AtMostZero => write!(f, "<= {}", self.form),
            Test::Divisible(m) => write!(f, "|{m} {}", self.form),
            Test::Indivisible(m) => write!(f, "~{m} {}", self.form),
        }
    }
}
