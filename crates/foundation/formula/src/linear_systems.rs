//! The values of a formula's variables, some being given, where it is a union of systems of
//! comparisons that are linear in the others: `E k: k >= 1 & q + k*p = r`, with p and r given.
//!
//! What [`Formula::solutions`] finds of any formula is found here in a fraction of the time: a
//! system is read once. An equation with one variable left gives it; else the variable with the
//! fewest values between its bounds runs. What is no number, too large or without a bound is left to
//! the other search.

use crate::arithmetic::ArithmeticSymbol;
use crate::extremes::without_extremes;
use crate::formula::{Formula, Node, Relation, Term};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Break, Continue};

/// The most systems of a formula.
const MAX_SYSTEMS: usize = 64;
/// Numbers and sums are below it either way.
const SUMS_BELOW: u64 = 1 << 62;

/// A union of systems of linear comparisons.
#[derive(Debug, Clone)]
pub struct LinearSystems {
    free: usize,
    variables: usize,
    systems: Vec<Vec<Row>>,
}

/// Σ factor · variable + constant, compared with 0.
#[derive(Debug, Clone)]
struct Row {
    factors: Vec<(usize, Factor)>,
    constant: Factor,
    relation: Relation,
}

/// A sum of multiples of terms over what is given, and of a number.
#[derive(Debug, Clone, Default)]
struct Factor {
    number: i64,
    terms: Vec<(i64, Term)>,
}

/// A row with its numbers.
struct Line {
    factors: SmallVec<[(usize, i64); 4]>,
    constant: i64,
    relation: Relation,
}

impl Formula {
    /// Returns the formula as systems that are linear in all variables but those given; `None` if
    /// it is none.
    pub fn linear_systems(&self, is_given: &dyn Fn(usize) -> bool) -> Option<LinearSystems> {
        let systems = systems(&self.root, true, is_given)?;
        Some(LinearSystems { free: self.free, variables: self.names.len(), systems })
    }
}

/// Returns the alternatives of a node or of its opposite, each a system; `None` if something else
/// is said, or too much.
fn systems(
    node: &Node,
    wanted: bool,
    is_given: &dyn Fn(usize) -> bool,
) -> Option<Vec<Vec<Row>>> {
    let systems = |node: &Node, wanted: bool| systems(node, wanted, is_given);
    let both = |one: Vec<Vec<Row>>, other: Vec<Vec<Row>>| {
        let joined = |first: &Vec<Row>| {
            let first = first.clone();
            other.iter().map(move |second| [&first[..], &second[..]].concat()).collect::<Vec<_>>()
        };
        (one.len() * other.len() <= MAX_SYSTEMS).then(|| one.iter().flat_map(joined).collect())
    };
    let all = match node {
        Node::Constant(value) if *value == wanted => vec![Vec::new()],
        Node::Constant(_) => Vec::new(),
        Node::Compare(left, relation, right) => {
            let relation = if wanted { *relation } else { relation.negated() };
            match Row::new(left, relation, right, is_given) {
                Some(row) => vec![vec![row]],
                None => systems(&without_extremes(left, relation, right)?, true)?,
            }
        }
        Node::Not(inner) => systems(inner, !wanted)?,
        Node::And(parts) | Node::Or(parts) => {
            let mut each = parts.iter().map(|part| systems(part, wanted));
            if matches!(node, Node::And(_)) == wanted {
                each.try_fold(vec![Vec::new()], |all, part| both(all, part?))?
            } else {
                each.collect::<Option<Vec<_>>>()?.concat()
            }
        }
        Node::Implies(left, right) if wanted => {
            [systems(left, false)?, systems(right, true)?].concat()
        }
        Node::Implies(left, right) => both(systems(left, true)?, systems(right, false)?)?,
        Node::Iff(left, right) => [
            both(systems(left, true)?, systems(right, wanted)?)?,
            both(systems(left, false)?, systems(right, !wanted)?)?,
        ]
        .concat(),
        Node::Exists(_, body) if wanted => systems(body, true)?,
        Node::Forall(_, body) if !wanted => systems(body, false)?,
        Node::Exists(..) | Node::Forall(..) => return None,
    };
    (all.len() <= MAX_SYSTEMS).then_some(all)
}

impl From<i64> for Factor {
    fn from(number: i64) -> Factor {
        Factor { number, terms: Vec::new() }
    }
}

impl Factor {
    /// Returns the product with a term over what is given.
    fn times(&self, term: &Term) -> Option<Factor> {
        if let Term::Number(number) = term {
            return self.multiple(i64::try_from(*number).ok()?);
        }
        let product = |(k, own): &(i64, Term)| {
            let parts = vec![own.clone(), term.clone()];
            (*k, Term::Arithmetic(ArithmeticSymbol::Product, parts))
        };
        let mut terms: Vec<(i64, Term)> = self.terms.iter().map(product).collect();
        if self.number != 0 {
            terms.push((self.number, term.clone()));
        }
        Some(Factor { number: 0, terms })
    }

    fn multiple(&self, k: i64) -> Option<Factor> {
        let terms = self.terms.iter().map(|(own, term)| Some((own.checked_mul(k)?, term.clone())));
        Some(Factor { number: self.number.checked_mul(k)?, terms: terms.collect::<Option<_>>()? })
    }

    fn plus(&mut self, other: Factor) -> Option<()> {
        self.number = self.number.checked_add(other.number)?;
        self.terms.extend(other.terms);
        Some(())
    }

    /// Returns the value, if it is a number of 64 bits.
    fn value(&self, given: &[Option<u64>]) -> Option<i64> {
        let at = |v: usize| given.get(v).copied().flatten().map(i128::from);
        let sum = self.terms.iter().try_fold(self.number, |sum, (k, term)| {
            let value = i64::try_from(term.value(&at)?).ok()?;
            sum.checked_add(k.checked_mul(value)?)
        });
        sum.filter(|sum| sum.unsigned_abs() < SUMS_BELOW)
    }
}

impl Row {
    fn new(
        left: &Term,
        relation: Relation,
        right: &Term,
        is_given: &dyn Fn(usize) -> bool,
    ) -> Option<Row> {
        let mut row = Row { factors: Vec::new(), constant: Factor::default(), relation };
        row.add(left, &Factor::from(1), is_given)?;
        row.add(right, &Factor::from(-1), is_given)?;
        Some(row)
    }

    /// Adds a multiple of a term; `None` if it is not linear in what is not given.
    fn add(
        &mut self,
        term: &Term,
        times: &Factor,
        is_given: &dyn Fn(usize) -> bool,
    ) -> Option<()> {
        let is_known = |term: &Term| {
            let mut is_known = true;
            term.visit_terms(&mut |inner| {
                is_known &= !matches!(inner, Term::Variable(v) if !is_given(*v));
            });
            is_known
        };
        if is_known(term) {
            return self.constant.plus(times.times(term)?);
        }
        match term {
            Term::Variable(v) => match self.factors.iter_mut().find(|(other, _)| other == v) {
                Some((_, factor)) => factor.plus(times.clone()),
                None => {
                    self.factors.push((*v, times.clone()));
                    Some(())
                }
            },
            Term::Sum(parts) => parts.iter().try_for_each(|part| self.add(part, times, is_given)),
            Term::Multiple(k, inner) => self.add(inner, &times.multiple(*k)?, is_given),
            Term::Arithmetic(ArithmeticSymbol::Product, parts) => {
                let mut open = parts.iter().filter(|part| !is_known(part));
                let (Some(one), None) = (open.next(), open.next()) else { return None };
                let known = parts.iter().filter(|part| is_known(part));
                let times = known.clone().try_fold(times.clone(), |all, part| all.times(part))?;
                self.add(one, &times, is_given)
            }
            _ => None,
        }
    }

    fn line(&self, given: &[Option<u64>]) -> Option<Line> {
        let factor = |(v, factor): &(usize, Factor)| Some((*v, factor.value(given)?));
        Some(Line {
            factors: self.factors.iter().map(factor).collect::<Option<_>>()?,
            constant: self.constant.value(given)?,
            relation: self.relation,
        })
    }
}

impl Line {
    /// Returns the sum of what is known, and the other variables with their factors; `None` if it is
    /// too large.
    fn read<'l>(
        &'l self,
        values: &'l [Option<i64>],
    ) -> Option<(i64, impl Iterator<Item = (usize, i64)> + 'l)> {
        let sum = self.factors.iter().try_fold(self.constant, |sum, (v, factor)| {
            match values[*v] {
                Some(value) => sum.checked_add(factor.checked_mul(value)?),
                None => Some(sum),
            }
        });
        let sum = sum.filter(|sum| sum.unsigned_abs() < SUMS_BELOW)?;
        let is_open = |(v, factor): &&(usize, i64)| values[*v].is_none() && *factor != 0;
        Some((sum, self.factors.iter().filter(is_open).copied()))
    }
}

/// The search in one system.
struct Search<'s, 'v> {
    lines: &'s [Line],
    tops: &'s [Option<u64>],
    free: usize,
    values: SmallVec<[Option<i64>; 8]>,
    open: SmallVec<[usize; 8]>,
    steps: &'s mut u64,
    visit: &'v mut dyn FnMut(&[u64]) -> ControlFlow<()>,
}

impl LinearSystems {
    /// Visits the values of all free variables, those given among them, for which the formula
    /// holds, until `visit` breaks; some more than once. `tops` bound the others, where they do.
    /// `None` if it is left to [`Formula::solutions`], perhaps after some were visited: where a
    /// number has no bound, is too large, or more than so many steps are made.
    pub fn solutions(
        &self,
        given: &[Option<u64>],
        tops: &[Option<u64>],
        mut steps: u64,
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let mut values: SmallVec<[Option<i64>; 8]> = SmallVec::from_elem(None, self.variables);
        for (value, given) in values.iter_mut().zip(given) {
            if let Some(given) = given {
                *value = Some(i64::try_from(*given).ok()?);
            }
        }
        for rows in &self.systems {
            let lines: Option<SmallVec<[Line; 6]>> = rows.iter().map(|row| row.line(given)).collect();
            let lines = lines?;
            let is_open = |v: &usize| {
                values[*v].is_none()
                    && (*v < self.free || rows.iter().any(|row| row.factors.iter().any(|(w, _)| w == v)))
            };
            let open = (0..self.variables).filter(is_open).collect();
            let mut search = Search {
                lines: &lines,
                tops,
                free: self.free,
                values: values.clone(),
                open,
                steps: &mut steps,
                visit: &mut *visit,
            };
            if search.go()?.is_break() {
                return Some(Break(()));
            }
        }
        Some(Continue(()))
    }
}

impl Search<'_, '_> {
    fn go(&mut self) -> Option<ControlFlow<()>> {
        *self.steps = self.steps.checked_sub(1)?;
        let before = self.values.clone();
        let done = self.narrowed();
        self.values = before;
        done
    }

    /// Goes on with what the equations give.
    fn narrowed(&mut self) -> Option<ControlFlow<()>> {
        loop {
            let mut changed = false;
            for line in self.lines {
                let (sum, mut open) = line.read(&self.values)?;
                let (first, second) = (open.next(), open.next());
                drop(open);
                match (first, second) {
                    (None, _) if !line.relation.holds(sum.cmp(&0)) => return Some(Continue(())),
                    (Some((v, factor)), None) if line.relation == Relation::Equal => {
                        let value = -sum / factor;
                        if value * factor != -sum || value < 0 || value > self.top(v) {
                            return Some(Continue(()));
                        }
                        self.values[v] = Some(value);
                        changed = true;
                    }
                    _ => {}
                }
            }
            if !changed {
                break;
            }
        }
        let mut best: Option<(usize, i64, i64)> = None;
        for &v in self.open.iter().filter(|v| self.values[**v].is_none()) {
            let (low, high) = self.ends(v)?;
            if low > high {
                return Some(Continue(()));
            }
            if best.is_none_or(|(_, least, most)| high - low < most - least) {
                best = Some((v, low, high));
            }
        }
        let Some((v, low, high)) = best else {
            let values: Option<SmallVec<[u64; 8]>> = self.values[..self.free]
                .iter()
                .map(|value| u64::try_from((*value)?).ok())
                .collect();
            return Some((self.visit)(&values?));
        };
        if high == i64::MAX {
            return None;
        }
        for value in low..=high {
            self.values[v] = Some(value);
            if self.go()?.is_break() {
                return Some(Break(()));
            }
        }
        Some(Continue(()))
    }

    fn top(&self, v: usize) -> i64 {
        let top = self.tops.get(v).copied().flatten();
        top.map_or(i64::MAX, |top| i64::try_from(top).unwrap_or(i64::MAX))
    }

    /// Returns the bounds of a variable that single lines give.
    fn ends(&self, v: usize) -> Option<(i64, i64)> {
        let (mut low, mut high) = (0, self.top(v));
        for line in self.lines {
            let (sum, open) = line.read(&self.values)?;
            let (mut own, mut rises, mut falls) = (0, false, false);
            for (other, factor) in open {
                if other == v {
                    own = factor;
                } else {
                    rises |= factor > 0;
                    falls |= factor < 0;
                }
            }
            if own == 0 {
                continue;
            }
            let rest = -sum;
            // own · v is at most the first, at least the second.
            let (most, least) = match line.relation {
                Relation::Equal => (Some(rest), Some(rest)),
                Relation::AtMost => (Some(rest), None),
                Relation::Less => (Some(rest - 1), None),
                Relation::AtLeast => (None, Some(rest)),
                Relation::Greater => (None, Some(rest + 1)),
                Relation::Unequal => (None, None),
            };
            // The other variables are not negative.
            let (most, least) = (most.filter(|_| !falls), least.filter(|_| !rises));
            let down = |n: i64| n.div_euclid(own.abs());
            let up = |n: i64| -(-n).div_euclid(own.abs());
            let (above, below) = if own > 0 {
                (most.map(down), least.map(up))
            } else {
                (least.map(|n| down(-n)), most.map(|n| up(-n)))
            };
            high = above.map_or(high, |above| high.min(above));
            low = below.map_or(low, |below| low.max(below));
        }
        Some((low, high))
    }
}
