//! Disjunctive normal form: a formula as alternatives, each an existentially closed conjunction of
//! atoms.
//!
//! Negation goes inwards, `min`, `max` and small remainders split into cases, quotients and digit
//! sums of sums name their parts by new variables (each has exactly one value, so that this is
//! right under either sign). A universal quantifier that survives has no such form, unless
//! equations fix what it binds: then it is an existential one.

use crate::effort::Undecided;
use crate::linear_form::{Atom, Base, LinearForm, Simple, Test, Variable};
use bouton_core::Meter;
use bouton_formula::{Formula, Node, Period, Relation, Slope, Term};

/// A conjunction of atoms in normal form, some variables being existential.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conjunction {
    /// The atoms, sorted, none twice.
    pub atoms: Vec<Atom>,
    /// Variables to be chosen.
    pub chosen: Vec<Variable>,
}

impl Conjunction {
    /// Adds an atom; false if the conjunction is then false.
    pub fn add(&mut self, atom: Atom) -> bool {
        match atom.simplify() {
            Simple::Known(truth) => truth,
            Simple::Open(atom) => {
                if let Err(place) = self.atoms.binary_search(&atom) {
                    if self.atoms.iter().any(|known| exclude_each_other(known, &atom)) {
                        return false;
                    }
                    self.atoms.insert(place, atom);
                }
                true
            }
        }
    }

    /// Returns the conjunction of both; `None` if that is plainly false.
    pub fn and(&self, other: &Conjunction) -> Option<Conjunction> {
        let is_remainder =
            |atom: &&Atom| matches!(atom.test, Test::Divisible(_) | Test::Indivisible(_));
        let mut divided = other.atoms.iter().filter(is_remainder);
        if divided.any(|atom| self.atoms.iter().any(|own| exclude_each_other(own, atom))) {
            return None;
        }
        // Both lists are in normal form and sorted.
        let mut atoms = Vec::with_capacity(self.atoms.len() + other.atoms.len());
        let (mut left, mut right) = (self.atoms.iter().peekable(), other.atoms.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let order = a.cmp(b);
            if order.is_ge() {
                atoms.extend(right.next().cloned());
            }
            if order.is_lt() {
                atoms.extend(left.next().cloned());
            } else if order.is_eq() {
                left.next();
            }
        }
        atoms.extend(left.chain(right).cloned());
        let chosen = self.chosen.iter().chain(&other.chosen).copied().collect();
        Some(Conjunction { atoms, chosen })
    }
}

/// Returns whether one says another remainder than the other, or that there is one where the other
/// says that there is none.
fn exclude_each_other(one: &Atom, other: &Atom) -> bool {
    match (one.test, other.test) {
        (Test::Divisible(m), Test::Divisible(n)) => {
            m == n && one.form.terms == other.form.terms && one.form != other.form
        }
        (Test::Divisible(m), Test::Indivisible(n)) | (Test::Indivisible(m), Test::Divisible(n)) => {
            let contrary = || {
                let form = one.form.times(-1)?;
                match (Atom { form, test: one.test }).simplify() {
                    Simple::Open(atom) => Some(atom.form),
                    Simple::Known(_) => None,
                }
            };
            m == n && (one.form == other.form || contrary().as_ref() == Some(&other.form))
        }
        _ => false,
    }
}

/// Why a formula has no such normal form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoNormalForm {
    /// `A x` under an even number of negations, or `E x` under an odd one, and no equation says
    /// what x is.
    #[error("a universal quantifier over what no equation fixes, as in `A m: m = 2*a => …`")]
    Universal,
    /// More alternatives than allowed.
    #[error("more than {0} alternatives")]
    Alternatives(usize),
    /// More images under the game's symmetries than allowed.
    #[error("more than {0} images of the claim")]
    Images(usize),
    /// A coefficient left 62 bits.
    #[error("a coefficient is too big")]
    Overflow,
}

/// Most alternatives of one formula.
const ALTERNATIVES: usize = 4096;
/// Remainders of one term that are taken one by one; those of a quotient.
const MAX_RESIDUES: [u64; 2] = [8, 4];

/// Returns the formula's alternatives. `place` gives the free variables their numbers; new ones are
/// numbered from `next`.
pub fn alternatives(
    formula: &Formula,
    place: &[Variable],
    next: &mut Variable,
    meter: &mut Meter,
) -> Result<Vec<Conjunction>, Undecided> {
    let mut numbers = place.to_vec();
    for _ in formula.free..formula.names.len() {
        numbers.push(*next);
        *next += 1;
    }
    Normaliser { numbers, next, meter }.node(&formula.root, true)
}

struct Normaliser<'n> {
    /// The formula's variables, as numbered outside.
    numbers: Vec<Variable>,
    next: &'n mut Variable,
    meter: &'n mut Meter,
}

/// A term's value under conditions.
type Case = (Conjunction, LinearForm);

fn limited<T>(list: Vec<T>) -> Result<Vec<T>, Undecided> {
    if list.len() > ALTERNATIVES {
        Err(NoNormalForm::Alternatives(ALTERNATIVES).into())
    } else {
        Ok(list)
    }
}

impl Normaliser<'_> {
    fn node(&mut self, node: &Node, positive: bool) -> Result<Vec<Conjunction>, Undecided> {
        self.meter.poll(0)?;
        match (node, positive) {
            (Node::Constant(value), _) => {
                Ok(if *value == positive { vec![Conjunction::default()] } else { vec![] })
            }
            (Node::Not(inner), _) => self.node(inner, !positive),
            (Node::And(parts), true) | (Node::Or(parts), false) => {
                let mut all = vec![Conjunction::default()];
                for part in parts {
                    let part = self.node(part, positive)?;
                    all = self.product(&all, &part)?;
                }
                Ok(all)
            }
            (Node::And(parts), false) | (Node::Or(parts), true) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.node(part, positive)?);
                    all = limited(all)?;
                }
                Ok(all)
            }
            (Node::Implies(left, right), true) => {
                let mut all = self.node(left, false)?;
                all.extend(self.node(right, true)?);
                limited(all)
            }
            (Node::Implies(left, right), false) => {
                let (left, right) = (self.node(left, true)?, self.node(right, false)?);
                self.product(&left, &right)
            }
            (Node::Iff(left, right), _) => {
                let (yes, same) = (self.node(left, true)?, self.node(right, positive)?);
                let mut all = self.product(&yes, &same)?;
                let (no, other) = (self.node(left, false)?, self.node(right, !positive)?);
                all.extend(self.product(&no, &other)?);
                limited(all)
            }
            (Node::Exists(variables, body), true) | (Node::Forall(variables, body), false) => {
                let mut all = self.node(body, positive)?;
                for one in &mut all {
                    one.chosen.extend(variables.iter().map(|&v| self.numbers[v]));
                }
                Ok(all)
            }
            (Node::Exists(variables, _), false) | (Node::Forall(variables, _), true) => {
                let fixed = node.fixed_variables().ok_or(NoNormalForm::Universal)?;
                let (mut all, mut equations) = (Vec::new(), vec![Conjunction::default()]);
                for value in &fixed.values {
                    if let Some(missing) = &value.missing {
                        let missing = self.node(missing, true)?;
                        all.extend(self.product(&equations, &missing)?);
                    }
                    let equation = self.node(&value.equation, true)?;
                    equations = self.product(&equations, &equation)?;
                }
                let rest = self.node(&fixed.rest, positive)?;
                all.extend(self.product(&equations, &rest)?);
                for one in &mut all {
                    one.chosen.extend(variables.iter().map(|&v| self.numbers[v]));
                }
                limited(all)
            }
            (Node::Compare(left, relation, right), _) => {
                self.comparison(left, right, *relation, positive)
            }
        }
    }

    fn comparison(
        &mut self,
        left: &Term,
        right: &Term,
        relation: Relation,
        positive: bool,
    ) -> Result<Vec<Conjunction>, Undecided> {
        let relation = if positive { relation } else { relation.negated() };
        // `x mod m = r` with constants needs no new variable.
        if let (Term::Remainder(inner, m), Term::Number(r), Relation::Equal | Relation::Unequal) =
            (left, right, relation)
            && (2..=1 << 20).contains(m)
            && residue(left).is_none_or(|(_, _, by)| by == 1)
        {
            if r >= m {
                return Ok(if relation == Relation::Equal {
                    vec![]
                } else {
                    vec![Conjunction::default()]
                });
            }
            let m = *m as u32;
            let test =
                if relation == Relation::Equal { Test::Divisible(m) } else { Test::Indivisible(m) };
            let form = |form: LinearForm| form.plus(&LinearForm::constant(*r as i64), -1);
            return self
                .term(inner)?
                .into_iter()
                .filter_map(|(c, f)| with(c, form(f), test).transpose())
                .collect();
        }
        if relation == Relation::Equal {
            match (left, right) {
                (Term::Min(parts), other) | (other, Term::Min(parts)) => {
                    return self.is_extreme(parts, other, 1);
                }
                (Term::Max(parts), other) | (other, Term::Max(parts)) => {
                    return self.is_extreme(parts, other, -1);
                }
                _ => {}
            }
        }
        let (left, right) = (self.term(left)?, self.term(right)?);
        self.crossed(&left, &right, |both, left, right, all| {
            let difference = left.plus(right, -1);
            let reversed = right.plus(left, -1);
            let one = LinearForm::constant(1);
            let (form, test) = match relation {
                Relation::Equal => (difference, Test::Zero),
                Relation::Unequal => (difference, Test::NonZero),
                Relation::AtMost => (difference, Test::AtMostZero),
                Relation::AtLeast => (reversed, Test::AtMostZero),
                Relation::Less => (difference.and_then(|d| d.plus(&one, 1)), Test::AtMostZero),
                Relation::Greater => (reversed.and_then(|d| d.plus(&one, 1)), Test::AtMostZero),
            };
            all.extend(with(both, form, test)?);
            Ok(())
        })
    }

    /// Returns what is made of each pair of cases that do not contradict each other.
    fn crossed<A, B, C>(
        &mut self,
        left: &[(Conjunction, A)],
        right: &[(Conjunction, B)],
        mut make: impl FnMut(Conjunction, &A, &B, &mut Vec<C>) -> Result<(), Undecided>,
    ) -> Result<Vec<C>, Undecided> {
        let mut all = Vec::new();
        for (conditions, a) in left {
            self.meter.poll(0)?;
            for (more, b) in right {
                if let Some(both) = conditions.and(more) {
                    make(both, a, b, &mut all)?;
                }
            }
            all = limited(all)?;
        }
        Ok(all)
    }

    /// Returns the conjunctions of both; looks at the clock for each alternative of the first.
    fn product(
        &mut self,
        left: &[Conjunction],
        right: &[Conjunction],
    ) -> Result<Vec<Conjunction>, Undecided> {
        if left.len().saturating_mul(right.len()) > 16 * ALTERNATIVES {
            return Err(NoNormalForm::Alternatives(ALTERNATIVES).into());
        }
        let mut all = Vec::new();
        for one in left {
            self.meter.poll(0)?;
            all.extend(right.iter().filter_map(|other| one.and(other)));
        }
        limited(all)
    }

    fn fresh(&mut self) -> Variable {
        *self.next += 1;
        *self.next - 1
    }

    /// Returns the term's cases: they cover everything, and where they overlap they agree.
    fn term(&mut self, term: &Term) -> Result<Vec<Case>, Undecided> {
        match term {
            Term::Number(k) => Ok(vec![(Conjunction::default(), LinearForm::constant(*k as i64))]),
            Term::Variable(v) => {
                Ok(vec![(Conjunction::default(), LinearForm::variable(self.numbers[*v]))])
            }
            Term::Sum(parts) => {
                let mut sums = vec![(Conjunction::default(), LinearForm::default())];
                for part in parts {
                    let cases = self.term(part)?;
                    sums = self.crossed(&sums, &cases, |both, sum, form, next| {
                        next.push((both, sum.plus(form, 1).ok_or(NoNormalForm::Overflow)?));
                        Ok(())
                    })?;
                }
                Ok(sums)
            }
            Term::Multiple(k, inner) => {
                let cases = self.term(inner)?;
                cases
                    .into_iter()
                    .map(|(c, form)| Ok((c, form.times(*k).ok_or(NoNormalForm::Overflow)?)))
                    .collect()
            }
            Term::Min(parts) => self.extreme(parts, 1),
            Term::Max(parts) => self.extreme(parts, -1),
            Term::DigitSum(modulus, parts) if parts.iter().all(|part| residue(part).is_some()) => {
                let cases = self.together(parts)?;
                let sum = |forms: &[LinearForm]| {
                    digit_sum(*modulus, forms.iter().map(|form| form.constant))
                };
                Ok(cases
                    .into_iter()
                    .map(|(c, forms)| (c, LinearForm::constant(sum(&forms))))
                    .collect())
            }
            Term::DigitSum(modulus, parts) => {
                let mut conditions = vec![Conjunction::default()];
                let mut variables = Vec::new();
                for part in parts {
                    let (named, variable) = self.name(part)?;
                    conditions = self.product(&conditions, &named)?;
                    variables.extend(variable);
                }
                let form = LinearForm::term(Base::sum(*modulus, variables));
                Ok(conditions.into_iter().map(|c| (c, form.clone())).collect())
            }
            Term::Shift(inner) => {
                let (conditions, variable) = self.name(inner)?;
                let form = LinearForm::term(variable.map(|v| Base::Shift(Period::GOLDEN, v)));
                Ok(conditions.into_iter().map(|c| (c, form.clone())).collect())
            }
            Term::Floor(slope, inner) => self.floor(*slope, inner),
            Term::Arithmetic(word, _) => Err(Undecided::Word(word.described())),
            Term::Remainder(..) if residue(term).is_some() => self.residues(term),
            Term::Quotient(inner, by) => {
                Ok(self.divide(inner, *by)?.into_iter().map(|(c, q, _)| (c, q)).collect())
            }
            Term::Remainder(inner, by) => {
                Ok(self.divide(inner, *by)?.into_iter().map(|(c, _, r)| (c, r)).collect())
            }
        }
    }

    /// Returns the cases of several terms at once.
    fn together<'t>(
        &mut self,
        terms: impl IntoIterator<Item = &'t Term>,
    ) -> Result<Vec<(Conjunction, Vec<LinearForm>)>, Undecided> {
        let mut all = vec![(Conjunction::default(), Vec::new())];
        for term in terms {
            let forms = self.term(term)?;
            all = self.crossed(&all, &forms, |both, list: &Vec<LinearForm>, form, next| {
                next.push((both, [list.as_slice(), std::slice::from_ref(form)].concat()));
                Ok(())
            })?;
        }
        Ok(all)
    }

    /// Says that a term is the least (sign 1) or greatest (sign −1) of others: it is one of them,
    /// and on its side of all. If it is plainly one of them, that is the only alternative needed.
    fn is_extreme(
        &mut self,
        parts: &[Term],
        term: &Term,
        sign: i64,
    ) -> Result<Vec<Conjunction>, Undecided> {
        let cases = self.together(parts.iter().chain([term]))?;
        let mut all = Vec::new();
        for (mut conditions, mut forms) in cases {
            let value = forms.pop().unwrap_or_default();
            let mut fits = true;
            for form in &forms {
                let over = value
                    .plus(form, -1)
                    .and_then(|d| d.times(sign))
                    .ok_or(NoNormalForm::Overflow)?;
                fits &= conditions.add(Atom { form: over, test: Test::AtMostZero });
            }
            if !fits {
                continue;
            }
            if forms.contains(&value) {
                all.push(conditions);
                continue;
            }
            for form in &forms {
                all.extend(with(conditions.clone(), value.plus(form, -1), Test::Zero)?);
            }
        }
        limited(all)
    }

    /// Returns the least (sign 1) or greatest (sign −1) of the terms.
    fn extreme(&mut self, parts: &[Term], sign: i64) -> Result<Vec<Case>, Undecided> {
        let mut best = Vec::new();
        for part in parts {
            let cases = self.term(part)?;
            if best.is_empty() {
                best = cases;
                continue;
            }
            best = self.crossed(&best, &cases, |both, a: &LinearForm, b, next| {
                let difference =
                    a.plus(b, -1).and_then(|d| d.times(sign)).ok_or(NoNormalForm::Overflow)?;
                let strict = LinearForm::constant(1).plus(&difference, -1);
                if let Some(first) = with(both.clone(), Some(difference), Test::AtMostZero)? {
                    next.push((first, a.clone()));
                }
                if let Some(second) = with(both, strict, Test::AtMostZero)? {
                    next.push((second, b.clone()));
                }
                Ok(())
            })?;
        }
        Ok(best)
    }

    /// Returns a variable that equals the term, or none if the term is 0.
    fn name(&mut self, term: &Term) -> Result<(Vec<Conjunction>, Option<Variable>), Undecided> {
        match term {
            Term::Variable(v) => return Ok((vec![Conjunction::default()], Some(self.numbers[*v]))),
            Term::Number(0) => return Ok((vec![Conjunction::default()], None)),
            _ => {}
        }
        let name = self.fresh();
        let mut all = Vec::new();
        for (mut conditions, form) in self.term(term)? {
            conditions.chosen.push(name);
            all.extend(with(conditions, form.plus(&LinearForm::variable(name), -1), Test::Zero)?);
        }
        Ok((all, Some(name)))
    }

    /// Returns a multiple by an irrational number, rounded down: 0 of 0; of m + 1 it is the whole
    /// part times that, and the shift of m less m.
    fn floor(&mut self, slope: Slope, inner: &Term) -> Result<Vec<Case>, Undecided> {
        let mut all = Vec::new();
        for (conditions, form) in self.term(inner)? {
            let less = form.plus(&LinearForm::constant(1), -1).ok_or(NoNormalForm::Overflow)?;
            let is_positive = less.constant >= 0 && less.terms.iter().all(|(_, c)| *c > 0);
            if !is_positive && let Some(case) = with(conditions.clone(), Some(form), Test::Zero)? {
                all.push((case, LinearForm::default()));
            }
            let (conditions, shift) = match less.terms[..] {
                [] if less.constant == 0 => (Some(conditions), LinearForm::default()),
                [(Base::Plain(v), 1)] if less.constant == 0 => {
                    (Some(conditions), LinearForm::term(Some(Base::Shift(slope.period, v))))
                }
                _ => {
                    let name = self.fresh();
                    let mut named = conditions;
                    named.chosen.push(name);
                    let equal = less.plus(&LinearForm::variable(name), -1);
                    (
                        with(named, equal, Test::Zero)?,
                        LinearForm::term(Some(Base::Shift(slope.period, name))),
                    )
                }
            };
            let Some(conditions) = conditions else { continue };
            let whole = i64::from(slope.whole);
            let value = less
                .times(whole - 1)
                .and_then(|form| form.plus(&shift, 1))
                .and_then(|form| form.plus(&LinearForm::constant(whole), 1));
            all.push((conditions, value.ok_or(NoNormalForm::Overflow)?));
        }
        Ok(all)
    }

    /// Returns a remainder by a small modulus: one case for each, with nothing to guess.
    fn residues(&mut self, term: &Term) -> Result<Vec<Case>, Undecided> {
        let Some((inner, modulus, by)) = residue(term) else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        for (conditions, form) in self.term(inner)? {
            for left in 0..modulus as i64 {
                let form = form.plus(&LinearForm::constant(left), -1);
                if let Some(case) = with(conditions.clone(), form, Test::Divisible(modulus))? {
                    all.push((case, LinearForm::constant(left / i64::from(by))));
                }
            }
        }
        limited(all)
    }

    /// Conditions, quotient, remainder.
    fn divide(
        &mut self,
        inner: &Term,
        by: u64,
    ) -> Result<Vec<(Conjunction, LinearForm, LinearForm)>, Undecided> {
        let by = by as i64;
        let mut all = Vec::new();
        for (mut conditions, form) in self.term(inner)? {
            let quotient = LinearForm::variable(self.fresh());
            conditions.chosen.push(*self.next - 1);
            let remainder = form.plus(&quotient, -by).ok_or(NoNormalForm::Overflow)?;
            let above = remainder.plus(&LinearForm::constant(by - 1), -1);
            let below = remainder.times(-1);
            let Some(half) = with(conditions, above, Test::AtMostZero)? else { continue };
            if let Some(whole) = with(half, below, Test::AtMostZero)? {
                all.push((whole, quotient, remainder));
            }
        }
        Ok(all)
    }
}

/// Reads `x mod m` as x modulo m and `x div d mod m` as x modulo d·m: returns x, that modulus, and
/// d. `None` if the term is neither, or the modulus is too large to take its cases one by one.
fn residue(term: &Term) -> Option<(&Term, u32, u32)> {
    let Term::Remainder(inner, m) = term else { return None };
    let (inner, by) = match &**inner {
        Term::Quotient(inner, by) => (inner, *by),
        _ => (inner, 1),
    };
    let most = MAX_RESIDUES[usize::from(by > 1)];
    let modulus = m.checked_mul(by).filter(|modulus| (2..=most).contains(modulus))?;
    Some((inner, modulus as u32, by as u32))
}

/// Sums binary digits of numbers below 2^32, place by place.
fn digit_sum(modulus: u8, values: impl Iterator<Item = i64> + Clone) -> i64 {
    let digit =
        |place: i64| values.clone().map(|v| v >> place & 1).sum::<i64>() % i64::from(modulus);
    (0..32).map(|place| digit(place) << place).sum()
}

fn with(
    mut conditions: Conjunction,
    form: Option<LinearForm>,
    test: Test,
) -> Result<Option<Conjunction>, Undecided> {
    let form = form.ok_or(NoNormalForm::Overflow)?;
    Ok(conditions.add(Atom { form, test }).then_some(conditions))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Budget;

    /// Returns whether some values below `bound` of the chosen variables satisfy the atoms.
    fn satisfied(one: &Conjunction, values: &mut Vec<(Variable, i128)>, bound: i128) -> bool {
        if let Some(v) = one.chosen.iter().find(|v| values.iter().all(|(w, _)| w != *v)) {
            return (0..bound).any(|x| {
                values.push((*v, x));
                let found = satisfied(one, values, bound);
                values.pop();
                found
            });
        }
        let of = |v: Variable| values.iter().find(|(w, _)| *w == v).map(|(_, x)| *x);
        one.atoms.iter().all(|atom| atom.holds(&of).unwrap())
    }

    /// Together the alternatives say what the formula says.
    #[test]
    fn alternatives_mean_the_formula() {
        for text in [
            "a mod 3 = b mod 3",
            "a mod 4 xor b mod 4 = 1",
            "~(a mod 4 xor b mod 4 = 1)",
            "(a mod 2) xor3 (b mod 2) xor3 (a mod 3) = 2",
            "a div 2 mod 2 = b div 2 mod 2",
            "a div 2 mod 2 != 1 & b mod 5 <= 2",
            "a div 3 mod 2 = 1",
            "(a+b) mod 4 < a mod 2 + 1",
            "a mod 4 + b = 6 | ~(b mod 3 = 1)",
            "min(a mod 3, b) = max(b mod 2, 1)",
            "a mod 9 = b mod 10",
            "(a - 2*b) mod 5 = 3",
            "a div 2 xor b mod 4 = 3",
            "floor[1;(2)](a) = b",
            "floor[0;(1,2)](a+2) + 3 = shift(b)",
            "~(floor[1;(3)](a) <= b + 2) & floor[2;(3)](1) = b",
            "A m: m = floor[1;(2)](a) => m <= b",
            "~(E m: floor[1;(2)](b) = m & 2*m != 3*a+1)",
            "A m: a+m = b => m mod 3 = 1",
            "~(E m: a = 3*m & m != b)",
            "A m: 2*m + b = a + 3 => m <= 1 | m = b",
            "A n,m: m = n div 2 & b = a - n => m = a",
            "~(E n: n + 3 = a & ~(A m: b = n - m => m > 0))",
            "A m: b = m => (E n: n = m + 1 & (A k: k = 2*n => k < a))",
            "(A m: m = a+1 => m > b) <=> (A m: 2*m = a => m < b)",
        ] {
            let formula = Formula::parse_over(text, &["a".into(), "b".into()]).unwrap();
            let all = alternatives(&formula, &[0, 1], &mut 10, &mut Meter::new(&Budget::default()))
                .unwrap();
            for code in 0..14 * 14 {
                let (a, b) = (code / 14, code % 14);
                let said = all
                    .iter()
                    .any(|one| satisfied(one, &mut vec![(0, a.into()), (1, b.into())], 16));
                assert_eq!(said, formula.holds(&[a, b]).unwrap(), "{text} at {a}, {b}");
            }
        }
    }
}
