//! Formulas as in coq/Formulas.v: read from claims, printed for Coq, and their alternatives.
//!
//! [`alternatives`] mirrors the function of that name in Coq case by case, because refutations are
//! listed in its order.

use crate::ExportError;
use crate::form::{Form, Summand, Variable, nim_sum};
use bouton_core::{Formula as Source, Node, Relation, Term as SourceTerm};

/// A term without subtraction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// A constant.
    Number(u64),
    /// A heap, or a bound variable.
    Heap(usize),
    /// A sum.
    Plus(Box<Term>, Box<Term>),
    /// A multiple.
    Times(u64, Box<Term>),
    /// A nim-sum.
    Xor(Box<Term>, Box<Term>),
    /// The minimum of two terms.
    Min(Box<Term>, Box<Term>),
    /// The maximum of two terms.
    Max(Box<Term>, Box<Term>),
    /// A quotient, rounded down.
    Quotient(Box<Term>, u64),
    /// A remainder.
    Remainder(Box<Term>, u64),
    /// Binary digits of heaps, added place by place modulo a number other than 2.
    DigitSum(u8, Vec<usize>),
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// A truth value.
    Known(bool),
    /// Equality of terms.
    Equal(Term, Term),
    /// `left <= right`.
    AtMost(Term, Term),
    /// `left < right`.
    Less(Term, Term),
    /// A negation.
    Not(Box<Formula>),
    /// A conjunction.
    And(Box<Formula>, Box<Formula>),
    /// A disjunction.
    Or(Box<Formula>, Box<Formula>),
    /// Existence of a value of a variable.
    Exists(usize, Box<Formula>),
}

impl Term {
    /// Reads a term without differences.
    pub fn read(source: &SourceTerm) -> Result<Term, ExportError> {
        term(source)
    }
}

fn unsupported(what: &str) -> ExportError {
    ExportError::new(what)
}

impl Formula {
    /// Reads the formula of a claim or a rule.
    pub fn read(source: &Source) -> Result<Formula, ExportError> {
        node(&source.root)
    }

    /// Returns whether no variable is bound.
    pub fn quantifier_free(&self) -> bool {
        match self {
            Formula::Not(inner) => inner.quantifier_free(),
            Formula::And(f, g) | Formula::Or(f, g) => f.quantifier_free() && g.quantifier_free(),
            Formula::Exists(..) => false,
            _ => true,
        }
    }

    /// Returns the formula with other variables.
    pub fn renamed(&self, name: &dyn Fn(usize) -> usize) -> Formula {
        let (term, formula) = (|t: &Term| t.renamed(name), |f: &Formula| f.renamed(name).into());
        match self {
            Formula::Known(value) => Formula::Known(*value),
            Formula::Equal(a, b) => Formula::Equal(term(a), term(b)),
            Formula::AtMost(a, b) => Formula::AtMost(term(a), term(b)),
            Formula::Less(a, b) => Formula::Less(term(a), term(b)),
            Formula::Not(f) => Formula::Not(formula(f)),
            Formula::And(f, g) => Formula::And(formula(f), formula(g)),
            Formula::Or(f, g) => Formula::Or(formula(f), formula(g)),
            Formula::Exists(i, f) => Formula::Exists(name(*i), formula(f)),
        }
    }

    /// Returns the number of variables that quantifiers bind, which follow `free` others.
    pub fn bound_variables(&self, free: usize) -> usize {
        match self {
            Formula::Not(f) => f.bound_variables(free),
            Formula::And(f, g) | Formula::Or(f, g) => {
                f.bound_variables(free).max(g.bound_variables(free))
            }
            Formula::Exists(i, f) => f.bound_variables(free).max((i + 1).saturating_sub(free)),
            _ => 0,
        }
    }
}

impl Term {
    /// Returns the term with other variables.
    fn renamed(&self, name: &dyn Fn(usize) -> usize) -> Term {
        let term = |t: &Term| t.renamed(name).into();
        match self {
            Term::Number(k) => Term::Number(*k),
            Term::Heap(i) => Term::Heap(name(*i)),
            Term::Plus(a, b) => Term::Plus(term(a), term(b)),
            Term::Times(k, a) => Term::Times(*k, term(a)),
            Term::Xor(a, b) => Term::Xor(term(a), term(b)),
            Term::Min(a, b) => Term::Min(term(a), term(b)),
            Term::Max(a, b) => Term::Max(term(a), term(b)),
            Term::Quotient(a, k) => Term::Quotient(term(a), *k),
            Term::Remainder(a, k) => Term::Remainder(term(a), *k),
            Term::DigitSum(modulus, variables) => {
                Term::DigitSum(*modulus, variables.iter().map(|i| name(*i)).collect())
            }
        }
    }
}

fn node(source: &Node) -> Result<Formula, ExportError> {
    Ok(match source {
        Node::Constant(value) => Formula::Known(*value),
        Node::Compare(left, relation, right) => compare(left, *relation, right)?,
        Node::Not(inner) => Formula::Not(node(inner)?.into()),
        Node::And(parts) => row(parts, Formula::And, true)?,
        Node::Or(parts) => row(parts, Formula::Or, false)?,
        Node::Implies(left, right) => {
            Formula::Or(Formula::Not(node(left)?.into()).into(), node(right)?.into())
        }
        Node::Iff(left, right) => {
            let (left, right) = (node(left)?, node(right)?);
            let neither = Formula::And(
                Formula::Not(left.clone().into()).into(),
                Formula::Not(right.clone().into()).into(),
            );
            Formula::Or(Formula::And(left.into(), right.into()).into(), neither.into())
        }
        Node::Exists(variables, body) => variables
            .iter()
            .rev()
            .try_fold(node(body)?, |body, v| Ok(Formula::Exists(*v, body.into())))?,
        Node::Forall(..) => return Err(unsupported("claims with \"for all\" are not exported")),
    })
}

fn row(
    parts: &[Node],
    connect: fn(Box<Formula>, Box<Formula>) -> Formula,
    empty: bool,
) -> Result<Formula, ExportError> {
    let mut all = parts.iter().map(node).collect::<Result<Vec<_>, _>>()?;
    let Some(last) = all.pop() else { return Ok(Formula::Known(empty)) };
    Ok(all.into_iter().rev().fold(last, |rest, one| connect(one.into(), rest.into())))
}

fn compare(
    left: &SourceTerm,
    relation: Relation,
    right: &SourceTerm,
) -> Result<Formula, ExportError> {
    if relation == Relation::Equal {
        // The minimum equals the maximum if and only if all terms are equal.
        if let (SourceTerm::Min(parts), SourceTerm::Max(others))
        | (SourceTerm::Max(parts), SourceTerm::Min(others)) = (left, right)
            && parts == others
        {
            let mut all = Vec::new();
            for pair in parts.windows(2) {
                all.push(Formula::Equal(term(&pair[0])?, term(&pair[1])?));
            }
            let Some(last) = all.pop() else { return Ok(Formula::Known(true)) };
            return Ok(all
                .into_iter()
                .rev()
                .fold(last, |rest, one| Formula::And(one.into(), rest.into())));
        }
        // A term equals the minimum of some terms, itself among them, if and only if it is at most
        // each.
        for (one, other) in [(left, right), (right, left)] {
            let (parts, least) = match other {
                SourceTerm::Min(parts) => (parts, true),
                SourceTerm::Max(parts) => (parts, false),
                _ => continue,
            };
            if !parts.contains(one) {
                continue;
            }
            let mut all = Vec::new();
            for part in parts.iter().filter(|part| *part != one) {
                let (a, b) = if least { (one, part) } else { (part, one) };
                all.push(Formula::AtMost(term(a)?, term(b)?));
            }
            let Some(last) = all.pop() else { return Ok(Formula::Known(true)) };
            return Ok(all
                .into_iter()
                .rev()
                .fold(last, |rest, one| Formula::And(one.into(), rest.into())));
        }
    }
    // Subtracted terms move to the other side.
    let (mut sides, mut cross_lists) =
        ([Vec::new(), Vec::new()], [left, right].into_iter().enumerate());
    cross_lists.try_for_each(|(i, side)| spread(side, 1, i, &mut sides))?;
    let [left, right] = sides.map(sum);
    Ok(match relation {
        Relation::Equal => Formula::Equal(left, right),
        Relation::Unequal => Formula::Not(Formula::Equal(left, right).into()),
        Relation::Less => Formula::Less(left, right),
        Relation::AtMost => Formula::AtMost(left, right),
        Relation::Greater => Formula::Less(right, left),
        Relation::AtLeast => Formula::AtMost(right, left),
    })
}

fn sum(parts: Vec<Term>) -> Term {
    parts
        .into_iter()
        .reduce(|sum, part| Term::Plus(sum.into(), part.into()))
        .unwrap_or(Term::Number(0))
}

/// Adds the summands of k·term, each to the side where it is positive.
fn spread(
    source: &SourceTerm,
    k: i64,
    side: usize,
    into: &mut [Vec<Term>; 2],
) -> Result<(), ExportError> {
    match source {
        SourceTerm::Sum(parts) => parts.iter().try_for_each(|part| spread(part, k, side, into)),
        SourceTerm::Multiple(c, inner) => spread(inner, k * c, side, into),
        other => {
            let own = term(other)?;
            let times = k.unsigned_abs();
            let own = match (times, own) {
                (0, _) => return Ok(()),
                (1, own) => own,
                (k, Term::Number(x)) => Term::Number(k.saturating_mul(x)),
                (k, own) => Term::Times(k, own.into()),
            };
            into[if k > 0 { side } else { 1 - side }].push(own);
            Ok(())
        }
    }
}

fn term(source: &SourceTerm) -> Result<Term, ExportError> {
    let pairs = |parts: &[SourceTerm], pair: fn(Box<Term>, Box<Term>) -> Term| {
        let all = parts.iter().map(term).collect::<Result<Vec<_>, _>>()?;
        Ok(all
            .into_iter()
            .reduce(|one, two| pair(one.into(), two.into()))
            .unwrap_or(Term::Number(0)))
    };
    match source {
        SourceTerm::Number(k) => Ok(Term::Number(*k)),
        SourceTerm::Variable(v) => Ok(Term::Heap(*v)),
        SourceTerm::Sum(parts) => pairs(parts, Term::Plus),
        SourceTerm::Multiple(k, inner) => match u64::try_from(*k) {
            Ok(k) => Ok(Term::Times(k, term(inner)?.into())),
            Err(_) => Err(unsupported("differences within other terms are not exported")),
        },
        SourceTerm::DigitSum(2, parts) => pairs(parts, Term::Xor),
        SourceTerm::DigitSum(modulus, parts) => {
            let heap = |part: &SourceTerm| match part {
                SourceTerm::Variable(v) => Some(*v),
                _ => None,
            };
            let heaps: Option<Vec<usize>> = parts.iter().map(heap).collect();
            let heaps = heaps.ok_or_else(|| {
                unsupported(
                    "sums of digits modulo more than 2 are exported if they are sums of variables",
                )
            })?;
            Ok(Term::DigitSum(*modulus, heaps))
        }
        SourceTerm::Min(parts) => pairs(parts, Term::Min),
        SourceTerm::Max(parts) => pairs(parts, Term::Max),
        SourceTerm::Quotient(inner, k) => Ok(Term::Quotient(term(inner)?.into(), *k)),
        SourceTerm::Remainder(inner, k) => Ok(Term::Remainder(term(inner)?.into(), *k)),
        SourceTerm::Arithmetic(..) => {
            Err(unsupported("words of arithmetic beyond sums are not exported"))
        }
        SourceTerm::Shift(_) | SourceTerm::Floor(..) => {
            Err(unsupported("the digits of continued fractions are not exported"))
        }
    }
}

/// A map from heaps and bound variables to variables.
pub type Naming<'n> = dyn Fn(usize) -> Variable + 'n;

type Case = (Vec<Form>, Form);

/// A formula that is assumed to be true or false, with the names of its variables.
pub struct SignedFormula<'n> {
    /// The names of the variables.
    pub naming: Box<Naming<'n>>,
    /// The assumed truth value.
    pub truth: bool,
    /// The formula.
    pub formula: &'n Formula,
}

/// The greatest number of alternatives.
const MAX_ALTERNATIVES: usize = 20_000;

fn limited<T>(list: Vec<T>) -> Result<Vec<T>, ExportError> {
    if list.len() > MAX_ALTERNATIVES {
        Err(unsupported("the claim has too many alternatives"))
    } else {
        Ok(list)
    }
}

fn consistent(forms: &[Form]) -> bool {
    !forms.iter().any(Form::is_positive)
}

fn cross(
    op: &dyn Fn(&Form, &Form) -> Vec<Case>,
    left: &[Case],
    right: &[Case],
) -> Result<Vec<Case>, ExportError> {
    let mut all = Vec::new();
    for (a, f) in left {
        for (b, g) in right {
            for (c, value) in op(f, g) {
                let forms = [&a[..], &b[..], &c[..]].concat();
                if consistent(&forms) {
                    all.push((forms, value));
                }
            }
        }
        all = limited(all)?;
    }
    Ok(all)
}

fn each(op: &dyn Fn(&Form) -> Vec<Case>, cases: &[Case]) -> Result<Vec<Case>, ExportError> {
    let mut all = Vec::new();
    for (a, f) in cases {
        for (c, value) in op(f) {
            let forms = [&a[..], &c[..]].concat();
            if consistent(&forms) {
                all.push((forms, value));
            }
        }
    }
    limited(all)
}

fn equal(f: &Form, g: &Form) -> Vec<Form> {
    vec![f.minus(g), g.minus(f)]
}

fn as_sum(form: &Form, v: Variable) -> (Vec<Form>, Vec<Variable>, u64) {
    match (&form.terms[..], form.constant) {
        ([], k) if k >= 0 => (vec![], vec![], k as u64),
        ([(1, Summand::NimSum(variables))], 0) => (vec![], variables.clone(), 0),
        _ => (equal(form, &Form::variable(v)), vec![v], 0),
    }
}

fn xor_case(fresh: Variable, f: &Form, g: &Form) -> Vec<Case> {
    let (mut forms, vf, kf) = as_sum(f, fresh);
    let (more, vg, kg) = as_sum(g, fresh + 1);
    forms.extend(more);
    let (variables, k) = (nim_sum(&vf, &vg), kf ^ kg);
    if k == 0 {
        return vec![(forms, Form::sum(&variables))];
    }
    let constant = Form::constant(k as i64);
    if variables.is_empty() {
        return vec![(forms, constant)];
    }
    forms.extend(equal(&constant, &Form::variable(fresh + 2)));
    vec![(forms, Form::sum(&nim_sum(&variables, &[fresh + 2])))]
}

const SMALL: u64 = 8;

fn cases(naming: &Naming<'_>, term: &Term, next: &mut Variable) -> Result<Vec<Case>, ExportError> {
    let constant = |k: u64| {
        i64::try_from(k).map(Form::constant).map_err(|_| unsupported("a number is too big"))
    };
    Ok(match term {
        Term::Number(k) => vec![(vec![], constant(*k)?)],
        Term::Heap(i) => vec![(vec![], Form::variable(naming(*i)))],
        Term::DigitSum(modulus, heaps) => {
            vec![(vec![], Form::sum_modulo(*modulus, heaps.iter().map(|i| naming(*i))))]
        }
        Term::Plus(a, b) => {
            let (a, b) = (cases(naming, a, next)?, cases(naming, b, next)?);
            cross(&|f, g| vec![(vec![], f.plus(g))], &a, &b)?
        }
        Term::Times(k, a) => {
            let k = constant(*k)?.constant;
            each(&|f| vec![(vec![], f.times(k))], &cases(naming, a, next)?)?
        }
        Term::Xor(a, b) => {
            let (a, b) = (cases(naming, a, next)?, cases(naming, b, next)?);
            let fresh = *next;
            *next += 3;
            cross(&|f, g| xor_case(fresh, f, g), &a, &b)?
        }
        Term::Min(a, b) => {
            let (a, b) = (cases(naming, a, next)?, cases(naming, b, next)?);
            cross(
                &|f, g| vec![(vec![f.minus(g)], f.clone()), (vec![g.minus(f)], g.clone())],
                &a,
                &b,
            )?
        }
        Term::Max(a, b) => {
            let (a, b) = (cases(naming, a, next)?, cases(naming, b, next)?);
            cross(
                &|f, g| vec![(vec![g.minus(f)], f.clone()), (vec![f.minus(g)], g.clone())],
                &a,
                &b,
            )?
        }
        Term::Quotient(a, k) | Term::Remainder(a, k) => {
            let a = cases(naming, a, next)?;
            let name = Form::variable(*next);
            *next += 1;
            if *k == 0 {
                return Ok(vec![(vec![], name)]);
            }
            let by = constant(*k)?.constant;
            let remainder = matches!(term, Term::Remainder(..));
            each(
                &|f| {
                    let q = name.times(by);
                    if remainder && *k <= SMALL {
                        let left =
                            |i: i64| (equal(f, &q.plus(&Form::constant(i))), Form::constant(i));
                        return (0..by).map(left).collect();
                    }
                    let rest = f.minus(&q);
                    let bounds = vec![q.minus(f), rest.minus(&Form::constant(by - 1))];
                    vec![(bounds, if remainder { rest } else { name.clone() })]
                },
                &a,
            )?
        }
    })
}

fn cross_lists(left: &[Vec<Form>], right: &[Vec<Form>]) -> Result<Vec<Vec<Form>>, ExportError> {
    let mut all = Vec::new();
    for a in left {
        for b in right {
            let forms = [&a[..], &b[..]].concat();
            if consistent(&forms) {
                all.push(forms);
            }
        }
        all = limited(all)?;
    }
    Ok(all)
}

/// Returns the alternatives under which a formula has the truth value `truth`. `next` is the first
/// free variable.
pub fn alternatives(
    naming: &Naming<'_>,
    truth: bool,
    formula: &Formula,
    next: &mut Variable,
) -> Result<Vec<Vec<Form>>, ExportError> {
    let one = Form::constant(1);
    let compared = |op: &dyn Fn(&Form, &Form) -> Vec<Vec<Form>>,
                    a: &Term,
                    b: &Term,
                    next: &mut Variable| {
        let (a, b) = (cases(naming, a, next)?, cases(naming, b, next)?);
        let all =
            cross(&|f, g| op(f, g).into_iter().map(|c| (c, Form::default())).collect(), &a, &b)?;
        Ok(all.into_iter().map(|(forms, _)| forms).collect())
    };
    match formula {
        Formula::Known(value) => Ok(if *value == truth { vec![vec![]] } else { vec![] }),
        Formula::Equal(a, b) => compared(
            &|f, g| {
                if truth {
                    return vec![equal(f, g)];
                }
                vec![vec![one.plus(&f.minus(g))], vec![one.plus(&g.minus(f))]]
            },
            a,
            b,
            next,
        ),
        Formula::AtMost(a, b) => compared(
            &|f, g| vec![vec![if truth { f.minus(g) } else { one.plus(&g.minus(f)) }]],
            a,
            b,
            next,
        ),
        Formula::Less(a, b) => compared(
            &|f, g| vec![vec![if truth { one.plus(&f.minus(g)) } else { g.minus(f) }]],
            a,
            b,
            next,
        ),
        Formula::Not(inner) if truth => alternatives(naming, false, inner, next),
        Formula::Not(inner) if inner.quantifier_free() => alternatives(naming, true, inner, next),
        Formula::Not(_) => Ok(vec![vec![]]),
        Formula::And(f, _) if !truth && !f.quantifier_free() => Ok(vec![vec![]]),
        Formula::And(f, g) | Formula::Or(f, g) => {
            let left = alternatives(naming, truth, f, next)?;
            let right = alternatives(naming, truth, g, next)?;
            if matches!(formula, Formula::And(..)) == truth {
                return cross_lists(&left, &right);
            }
            limited([left, right].concat())
        }
        Formula::Exists(i, inner) if truth => {
            let (i, own) = (*i, *next);
            *next += 1;
            alternatives(&move |j| if j == i { own } else { naming(j) }, true, inner, next)
        }
        Formula::Exists(..) => Ok(vec![vec![]]),
    }
}

/// Returns the alternatives of several formulas together.
pub fn all_alternatives(
    formulas: &[SignedFormula<'_>],
    next: &mut Variable,
) -> Result<Vec<Vec<Form>>, ExportError> {
    let Some((first, rest)) = formulas.split_first() else { return Ok(vec![vec![]]) };
    let own = alternatives(&*first.naming, first.truth, first.formula, next)?;
    cross_lists(&own, &all_alternatives(rest, next)?)
}

/// The names of variables in a readable statement.
pub type Letters<'n> = dyn Fn(usize) -> String + 'n;

impl Term {
    /// Prints the term for a reader of Coq, in parentheses if `level` demands them.
    fn readable(&self, names: &Letters<'_>, level: u8) -> String {
        let (own, text) = match self {
            Term::Number(k) => (9, k.to_string()),
            Term::Heap(i) => (9, names(*i)),
            Term::Plus(a, b) => (5, format!("{} + {}", a.readable(names, 5), b.readable(names, 6))),
            Term::Times(k, a) => (6, format!("{k} * {}", a.readable(names, 7))),
            Term::Xor(a, b) => {
                (8, format!("N.lxor {} {}", a.readable(names, 9), b.readable(names, 9)))
            }
            Term::Min(a, b) => {
                (8, format!("N.min {} {}", a.readable(names, 9), b.readable(names, 9)))
            }
            Term::Max(a, b) => {
                (8, format!("N.max {} {}", a.readable(names, 9), b.readable(names, 9)))
            }
            Term::Quotient(a, k) => (6, format!("{} / {k}", a.readable(names, 7))),
            Term::Remainder(a, k) => (6, format!("{} mod {k}", a.readable(names, 7))),
            Term::DigitSum(modulus, heaps) => {
                let all: Vec<String> = heaps.iter().map(|i| names(*i)).collect();
                (8, format!("digit_sum {modulus} [{}]", all.join("; ")))
            }
        };
        if own < level { format!("({text})") } else { text }
    }

    /// Prints the term as data of coq/Formulas.v.
    fn data(&self) -> String {
        let pair = |name: &str, a: &Term, b: &Term| format!("({name} {} {})", a.data(), b.data());
        match self {
            Term::Number(k) => format!("(Number {k})"),
            Term::Heap(i) => format!("(Heap {i})"),
            Term::Plus(a, b) => pair("Plus", a, b),
            Term::Times(k, a) => format!("(Times {k} {})", a.data()),
            Term::Xor(a, b) => pair("Xor", a, b),
            Term::Min(a, b) => pair("Least", a, b),
            Term::Max(a, b) => pair("Greatest", a, b),
            Term::Quotient(a, k) => format!("(Quotient {} {k})", a.data()),
            Term::Remainder(a, k) => format!("(Remainder {} {k})", a.data()),
            Term::DigitSum(modulus, heaps) => {
                let all: Vec<String> = heaps.iter().map(usize::to_string).collect();
                format!("(Digit_sum {modulus} [{}]%nat)", all.join("; "))
            }
        }
    }
}

impl Formula {
    /// Prints the formula for a reader of Coq.
    pub fn readable(&self, names: &Letters<'_>) -> String {
        self.at_level(names, 0)
    }

    fn at_level(&self, names: &Letters<'_>, level: u8) -> String {
        let term = |t: &Term| t.readable(names, 0);
        let (own, text) = match self {
            Formula::Known(value) => (9, if *value { "True".into() } else { "False".to_owned() }),
            Formula::Equal(a, b) => (4, format!("{} = {}", term(a), term(b))),
            Formula::AtMost(a, b) => (4, format!("{} <= {}", term(a), term(b))),
            Formula::Less(a, b) => (4, format!("{} < {}", term(a), term(b))),
            Formula::Not(inner) => match &**inner {
                Formula::Equal(a, b) => (4, format!("{} <> {}", term(a), term(b))),
                inner => (3, format!("~ {}", inner.at_level(names, 9))),
            },
            Formula::And(f, g) => {
                (2, format!("{} /\\ {}", f.at_level(names, 3), g.at_level(names, 2)))
            }
            Formula::Or(f, g) => {
                (1, format!("{} \\/ {}", f.at_level(names, 2), g.at_level(names, 1)))
            }
            Formula::Exists(i, f) => (0, format!("exists {}, {}", names(*i), f.at_level(names, 0))),
        };
        if own < level { format!("({text})") } else { text }
    }

    /// Prints the formula as data of coq/Formulas.v.
    pub fn data(&self) -> String {
        match self {
            Formula::Known(value) => format!("(Known {value})"),
            Formula::Equal(a, b) => format!("(Equal {} {})", a.data(), b.data()),
            Formula::AtMost(a, b) => format!("(AtMost {} {})", a.data(), b.data()),
            Formula::Less(a, b) => format!("(Less {} {})", a.data(), b.data()),
            Formula::Not(inner) => format!("(Not {})", inner.data()),
            Formula::And(f, g) => format!("(And {} {})", f.data(), g.data()),
            Formula::Or(f, g) => format!("(Or {} {})", f.data(), g.data()),
            Formula::Exists(i, f) => format!("(Exists {i} {})", f.data()),
        }
    }
}
