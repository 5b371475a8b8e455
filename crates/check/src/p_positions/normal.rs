//! A formula as alternatives: conjunctions of atoms, each with variables of its own that are to be chosen.
//!
//! Together they say what the formula says. `min` and `max` become one alternative an argument, small remainders one each, quotients and terms
//! inside digit sums get a new variable that has exactly one value, so that this is right under a negation, too.

use super::formula::{Formula, Node, Relation, Term};
use super::linear::{Atom, FRESH, Linear, PARAMETER, Test, Variable, add, sizes, xor};
use crate::work::{Reason, Work};

/// A conjunction.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alternative {
    /// None is plainly true or false.
    pub atoms: Vec<Atom>,
    /// Variables to be chosen.
    pub chosen: Vec<Variable>,
}

impl Alternative {
    /// Steps that copying it takes.
    pub fn size(&self) -> usize {
        self.chosen.len() + sizes(&self.atoms)
    }

    /// Takes the memory that it needs.
    fn held(self, work: &mut Work<'_>) -> Result<Alternative, Reason> {
        work.hold(64 + 48 * self.size())?;
        Ok(self)
    }
}

/// Remainders of one term that are tried each in turn.
const SMALL: i64 = 8;
/// Most alternatives of one formula, and most atoms of one.
const MOST: usize = 4096;
const ATOMS: usize = 1000;

/// The alternatives. `place` numbers the free variables; the i-th bound one is PARAMETER + i, and new ones are
/// FRESH, FRESH + 1, … in each alternative.
pub fn alternatives(
    formula: &Formula,
    place: &[Variable],
    work: &mut Work<'_>,
) -> Result<Vec<Alternative>, Reason> {
    let mut numbers = place.to_vec();
    numbers.extend((0..formula.bound).map(|i| PARAMETER + i as Variable));
    let before = work.bytes();
    let mut normal = Normal { numbers, next: FRESH + 1000, work };
    let mut all = normal.node(&formula.root, true)?;
    work.release(before);
    for one in &mut all {
        work.hold(64 + 48 * one.size())?;
        one.chosen.sort_unstable();
        one.chosen.dedup();
        let fresh: Vec<Variable> = one.chosen.iter().copied().filter(|v| *v >= FRESH).collect();
        if fresh.len() > 1000 {
            return Err("a formula needs too many variables".into());
        }
        for (to, from) in (FRESH..).zip(fresh) {
            work.spend(one.size() + one.atoms.len() * one.atoms.len())?;
            *one = renamed(one, from, to).ok_or("numbers grow too big")?;
        }
        one.atoms.sort();
    }
    // What says more than another alternative adds nothing.
    let mut kept: Vec<Alternative> = Vec::new();
    for one in all {
        let within = |big: &Alternative, small: &Alternative| {
            let mut rest = big.atoms.iter();
            small.chosen == big.chosen && small.atoms.iter().all(|atom| rest.any(|other| other == atom))
        };
        work.spend(kept.iter().map(|other| 8 + one.atoms.len() + other.atoms.len()).sum())?;
        if !kept.iter().any(|other| within(&one, other)) {
            kept.retain(|other| !within(other, &one));
            kept.push(one);
        }
    }
    Ok(kept)
}

/// The alternative with one variable called by another name.
pub fn renamed(one: &Alternative, from: Variable, to: Variable) -> Option<Alternative> {
    let by = Linear::variable(to);
    let mut result = Alternative { atoms: Vec::new(), chosen: one.chosen.clone() };
    result.chosen.iter_mut().filter(|v| **v == from).for_each(|v| *v = to);
    for atom in &one.atoms {
        add(&mut result.atoms, Atom::new(atom.form.replace(from, &by)?, atom.test));
    }
    Some(result)
}

struct Normal<'n, 'w> {
    numbers: Vec<Variable>,
    next: Variable,
    work: &'n mut Work<'w>,
}

type All = Result<Vec<Alternative>, Reason>;
type Cases = Result<Vec<(Alternative, Linear)>, Reason>;

impl Normal<'_, '_> {
    fn few<T>(&mut self, list: Vec<T>) -> Result<Vec<T>, Reason> {
        self.work.spend(8 * list.len())?;
        if list.len() > MOST { Err("a formula has too many alternatives".into()) } else { Ok(list) }
    }

    /// Both; none where that is plainly false.
    fn and(&mut self, left: &Alternative, right: &Alternative) -> Result<Option<Alternative>, Reason> {
        let atoms = left.atoms.len() + right.atoms.len();
        if atoms > ATOMS {
            return Err("a formula has too many conditions".into());
        }
        self.work.spend(16 + left.size() + right.size() + right.atoms.len() * atoms)?;
        let mut both = left.clone();
        both.chosen.extend(&right.chosen);
        let fine = right.atoms.iter().all(|atom| add(&mut both.atoms, atom.clone()));
        fine.then(|| both.held(self.work)).transpose()
    }

    fn both(&mut self, left: &[Alternative], right: &[Alternative]) -> All {
        let mut all = Vec::new();
        for a in left {
            for b in right {
                all.extend(self.and(a, b)?);
            }
            if all.len() > MOST {
                break;
            }
        }
        self.few(all)
    }

    /// The same and that this is said of a form.
    fn with(
        &mut self,
        mut conditions: Alternative,
        form: Option<Linear>,
        test: Test,
    ) -> Result<Option<Alternative>, Reason> {
        let form = form.ok_or("numbers grow too big")?;
        if conditions.atoms.len() >= ATOMS {
            return Err("a formula has too many conditions".into());
        }
        // Most conditions came as a copy.
        self.work.spend(16 + conditions.size() + form.terms.len())?;
        self.work.hold(48 * (4 + form.terms.len()))?;
        Ok(add(&mut conditions.atoms, Atom::new(form, test)).then_some(conditions))
    }

    fn fresh(&mut self) -> Result<Variable, Reason> {
        self.next = self.next.checked_add(1).ok_or("a formula needs too many variables")?;
        Ok(self.next - 1)
    }

    /// What the node says, or with `truth` false what its negation says.
    fn node(&mut self, node: &Node, truth: bool) -> All {
        self.work.spend(8)?;
        match (node, truth) {
            (Node::Known(value), _) => {
                Ok(if *value == truth { vec![Alternative::default()] } else { vec![] })
            }
            (Node::Not(inner), _) => self.node(inner, !truth),
            (Node::And(parts), true) | (Node::Or(parts), false) => {
                let mut all = vec![Alternative::default()];
                for part in parts {
                    let part = self.node(part, truth)?;
                    all = self.both(&all, &part)?;
                }
                Ok(all)
            }
            (Node::Or(parts), true) | (Node::And(parts), false) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.node(part, truth)?);
                    all = self.few(all)?;
                }
                Ok(all)
            }
            (Node::Iff(left, right), _) => {
                let (yes, same) = (self.node(left, true)?, self.node(right, truth)?);
                let (no, other) = (self.node(left, false)?, self.node(right, !truth)?);
                let mut all = self.both(&yes, &same)?;
                all.extend(self.both(&no, &other)?);
                self.few(all)
            }
            (Node::Exists(variables, body), true) | (Node::Forall(variables, body), false) => {
                let mut all = self.node(body, truth)?;
                for one in &mut all {
                    one.chosen.extend(variables.iter().map(|v| self.numbers[*v]));
                }
                Ok(all)
            }
            (Node::Exists(..), false) | (Node::Forall(..), true) => {
                Err("a claim with a universal quantifier is beyond this checker".into())
            }
            (Node::Compare(left, relation, right), _) => {
                let relation = if truth { *relation } else { opposite(*relation) };
                self.compare(left, relation, right)
            }
        }
    }

    fn compare(&mut self, left: &Term, relation: Relation, right: &Term) -> All {
        let equality = matches!(relation, Relation::Equal | Relation::Unequal);
        if let (Term::Mod(inner, m), Term::Number(r), true) = (left, right, equality)
            && *m >= 2
            && small(left).is_none_or(|(_, _, by)| by == 1)
        {
            let equal = relation == Relation::Equal;
            if r >= m {
                return Ok(if equal { vec![] } else { vec![Alternative::default()] });
            }
            let test = if equal { Test::Divisible(*m) } else { Test::Indivisible(*m) };
            let mut all = Vec::new();
            for (conditions, form) in self.term(inner)? {
                all.extend(self.with(conditions, form.plus(-1, &Linear::constant(*r)), test)?);
            }
            return Ok(all);
        }
        if relation == Relation::Equal {
            for (one, other) in [(left, right), (right, left)] {
                match one {
                    Term::Min(parts) => return self.is_extreme(parts, other, 1),
                    Term::Max(parts) => return self.is_extreme(parts, other, -1),
                    _ => {}
                }
            }
        }
        let (left, right) = (self.term(left)?, self.term(right)?);
        let mut all = Vec::new();
        for (conditions, a) in &left {
            for (more, b) in &right {
                let Some(both) = self.and(conditions, more)? else { continue };
                self.work.spend(2 * (a.terms.len() + b.terms.len()))?;
                let (difference, reversed) = (a.plus(-1, b), b.plus(-1, a));
                let one = Linear::constant(1);
                let (form, test) = match relation {
                    Relation::Equal => (difference, Test::Zero),
                    Relation::Unequal => (difference, Test::NonZero),
                    Relation::AtMost => (difference, Test::AtMostZero),
                    Relation::AtLeast => (reversed, Test::AtMostZero),
                    Relation::Less => (difference.and_then(|d| d.plus(1, &one)), Test::AtMostZero),
                    Relation::Greater => (reversed.and_then(|d| d.plus(1, &one)), Test::AtMostZero),
                };
                all.extend(self.with(both, form, test)?);
            }
            if all.len() > MOST {
                break;
            }
        }
        self.few(all)
    }

    /// Values of the term, each under conditions; the conditions cover everything and values agree where they meet.
    fn term(&mut self, term: &Term) -> Cases {
        self.work.spend(8)?;
        let big = "numbers grow too big";
        match term {
            Term::Number(k) => Ok(vec![(Alternative::default(), Linear::constant(*k))]),
            Term::Variable(v) => Ok(vec![(Alternative::default(), Linear::variable(self.numbers[*v]))]),
            Term::Sum(parts) => {
                let mut sums = vec![(Alternative::default(), Linear::default())];
                for part in parts {
                    let cases = self.term(part)?;
                    let mut next = Vec::new();
                    for (conditions, sum) in &sums {
                        for (more, form) in &cases {
                            self.work.hold(32 * (sum.terms.len() + form.terms.len()))?;
                            if let Some(both) = self.and(conditions, more)? {
                                next.push((both, sum.plus(1, form).ok_or(big)?));
                            }
                        }
                        if next.len() > MOST {
                            break;
                        }
                    }
                    sums = self.few(next)?;
                }
                Ok(sums)
            }
            Term::Times(k, inner) => {
                let cases = self.term(inner)?;
                cases
                    .into_iter()
                    .map(|(conditions, form)| Ok((conditions, form.times(*k).ok_or(big)?)))
                    .collect()
            }
            Term::Min(parts) => self.extreme(parts, 1),
            Term::Max(parts) => self.extreme(parts, -1),
            Term::Xor(modulus, parts) if parts.iter().all(|part| small(part).is_some()) => {
                let sum = |values: &[Linear]| {
                    let digit = |place: u32| values.iter().map(|v| v.constant >> place & 1).sum::<i64>();
                    (0..32).map(|place| (digit(place) % i64::from(*modulus)) << place).sum::<i64>()
                };
                let all = self.terms(parts)?;
                self.work.spend(64 * all.len() * parts.len())?;
                Ok(all.into_iter().map(|(c, values)| (c, Linear::constant(sum(&values)))).collect())
            }
            Term::Xor(modulus, parts) => {
                let (mut conditions, mut variables) = (vec![Alternative::default()], Vec::new());
                for part in parts {
                    let (named, variable) = self.named(part)?;
                    conditions = self.both(&conditions, &named)?;
                    variables.extend(variable);
                }
                self.work.hold(conditions.len() * 2 * variables.len())?;
                let form = xor(*modulus, variables);
                Ok(conditions.into_iter().map(|c| (c, form.clone())).collect())
            }
            Term::Shift(inner) => {
                let (conditions, variable) = self.named(inner)?;
                let terms = variable.map(|v| (super::linear::Base::Shift(v), 1)).into_iter().collect();
                let form = Linear { terms, constant: 0 };
                Ok(conditions.into_iter().map(|c| (c, form.clone())).collect())
            }
            Term::Mod(..) if small(term).is_some() => self.remainders(term),
            Term::Div(inner, by) => {
                Ok(self.divided(inner, *by)?.into_iter().map(|(c, q, _)| (c, q)).collect())
            }
            Term::Mod(inner, by) => {
                Ok(self.divided(inner, *by)?.into_iter().map(|(c, _, r)| (c, r)).collect())
            }
        }
    }

    /// All ways to evaluate the terms together.
    fn terms(&mut self, terms: &[Term]) -> Result<Vec<(Alternative, Vec<Linear>)>, Reason> {
        let mut all = vec![(Alternative::default(), Vec::new())];
        for term in terms {
            let cases = self.term(term)?;
            let mut next = Vec::new();
            for (conditions, forms) in &all {
                for (more, form) in &cases {
                    if let Some(both) = self.and(conditions, more)? {
                        let size: usize = forms.iter().chain([form]).map(|form| 1 + form.terms.len()).sum();
                        self.work.hold(48 * size)?;
                        let mut forms: Vec<Linear> = forms.clone();
                        forms.push(form.clone());
                        next.push((both, forms));
                    }
                }
                if next.len() > MOST {
                    break;
                }
            }
            all = self.few(next)?;
        }
        Ok(all)
    }

    /// The least (sign 1) or greatest (sign −1) of the terms.
    fn extreme(&mut self, parts: &[Term], sign: i64) -> Cases {
        let mut all = Vec::new();
        for (conditions, forms) in self.terms(parts)? {
            for form in &forms {
                if let Some(conditions) = self.beyond(conditions.clone(), form, &forms, sign)? {
                    all.push((conditions, form.clone()));
                }
            }
            if all.len() > MOST {
                break;
            }
        }
        self.few(all)
    }

    /// That the term is the least (sign 1) or greatest (sign −1) of others. If it is one of them, that is plain.
    fn is_extreme(&mut self, parts: &[Term], term: &Term, sign: i64) -> All {
        let list: Vec<Term> = parts.iter().chain([term]).cloned().collect();
        let mut all = Vec::new();
        for (conditions, mut forms) in self.terms(&list)? {
            let value = forms.pop().unwrap_or_default();
            let Some(conditions) = self.beyond(conditions, &value, &forms, sign)? else { continue };
            self.work.spend(forms.iter().map(|form| form.terms.len()).sum())?;
            if forms.contains(&value) {
                all.push(conditions);
                continue;
            }
            for form in &forms {
                all.extend(self.with(conditions.clone(), value.plus(-1, form), Test::Zero)?);
            }
            if all.len() > MOST {
                break;
            }
        }
        self.few(all)
    }

    /// A variable that equals the term; none if the term is 0.
    fn named(&mut self, term: &Term) -> Result<(Vec<Alternative>, Option<Variable>), Reason> {
        match term {
            Term::Variable(v) => return Ok((vec![Alternative::default()], Some(self.numbers[*v]))),
            Term::Number(0) => return Ok((vec![Alternative::default()], None)),
            _ => {}
        }
        let name = self.fresh()?;
        let mut all = Vec::new();
        for (mut conditions, form) in self.term(term)? {
            conditions.chosen.push(name);
            all.extend(self.with(conditions, form.plus(-1, &Linear::variable(name)), Test::Zero)?);
        }
        Ok((all, Some(name)))
    }

    /// A remainder by a small modulus: each in turn.
    fn remainders(&mut self, term: &Term) -> Cases {
        let Some((inner, modulus, by)) = small(term) else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        for (conditions, form) in self.term(inner)? {
            for left in 0..modulus {
                let rest = form.plus(-1, &Linear::constant(left));
                if let Some(case) = self.with(conditions.clone(), rest, Test::Divisible(modulus))? {
                    all.push((case, Linear::constant(left / by)));
                }
            }
        }
        self.few(all)
    }

    /// That the value is at most (sign 1) or at least (sign −1) each of the forms.
    fn beyond(
        &mut self,
        mut conditions: Alternative,
        value: &Linear,
        forms: &[Linear],
        sign: i64,
    ) -> Result<Option<Alternative>, Reason> {
        for form in forms {
            let difference = value.plus(-1, form).and_then(|d| d.times(sign));
            match self.with(conditions, difference, Test::AtMostZero)? {
                Some(next) => conditions = next,
                None => return Ok(None),
            }
        }
        Ok(Some(conditions))
    }

    /// Quotient and remainder.
    fn divided(&mut self, inner: &Term, by: i64) -> Result<Vec<(Alternative, Linear, Linear)>, Reason> {
        let mut all = Vec::new();
        for (mut conditions, form) in self.term(inner)? {
            let name = self.fresh()?;
            let quotient = Linear::variable(name);
            conditions.chosen.push(name);
            let rest = form.plus(-by, &quotient).ok_or("numbers grow too big")?;
            let above = rest.plus(1, &Linear::constant(1 - by));
            let Some(half) = self.with(conditions, above, Test::AtMostZero)? else { continue };
            let Some(whole) = self.with(half, rest.times(-1), Test::AtMostZero)? else { continue };
            all.push((whole, quotient, rest));
        }
        Ok(all)
    }
}

/// For `x mod m`: x, m, 1; for `x div d mod m`, which depends on x modulo d·m: x, d·m, d. If that is at most [`SMALL`], or half
/// of it for d above 1.
fn small(term: &Term) -> Option<(&Term, i64, i64)> {
    let Term::Mod(inner, m) = term else { return None };
    let (inner, by) = match &**inner {
        Term::Div(inner, by) => (inner, *by),
        _ => (inner, 1),
    };
    let modulus = m.checked_mul(by)?;
    (2..=if by == 1 { SMALL } else { SMALL / 2 }).contains(&modulus).then_some((inner, modulus, by))
}

fn opposite(relation: Relation) -> Relation {
    match relation {
        Relation::Equal => Relation::Unequal,
        Relation::Unequal => Relation::Equal,
        Relation::Less => Relation::AtLeast,
        Relation::AtLeast => Relation::Less,
        Relation::Greater => Relation::AtMost,
        Relation::AtMost => Relation::Greater,
    }
}
