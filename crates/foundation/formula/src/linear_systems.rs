//! The values of a formula's variables, some being given, where it is a union of systems of
//! comparisons that are linear in the others: `E k: k >= 1 & q + k*p = r`, with p and r given.
//!
//! What [`Formula::solutions`] finds of any formula is found here in a fraction of the time: a
//! system is read once. An equation with one variable left gives it; else the variable with the
//! fewest values between its bounds runs. What is no number, too large or without a bound is left
//! to the other search.

use crate::arithmetic::ArithmeticSymbol;
use crate::extremes::without_extremes;
use crate::formula::{Formula, Node, Relation, Term};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Break, Continue};

/// The most systems of a formula.
const MAX_SYSTEMS: usize = 64;
/// The most variables of a system that are not given, and rows of it.
const MAX_OPEN: usize = 8;
const MAX_ROWS: usize = 32;
/// Numbers and sums are below it either way.
const SUMS_BELOW: u64 = 1 << 62;

/// A union of systems of linear comparisons.
#[derive(Debug, Clone)]
pub struct LinearSystems {
    free: usize,
    systems: Vec<System>,
}

/// Rows that hold together.
#[derive(Debug, Clone)]
struct System {
    rows: Vec<Row>,
    /// The variables that are not given: free ones, and others that a row says.
    open: Vec<usize>,
}

/// Σ factor · variable + constant, compared with 0.
#[derive(Debug, Clone)]
struct Row {
    factors: Vec<(usize, Factor)>,
    constant: Factor,
    relation: Relation,
}

/// A sum of multiples of given variables, of other terms over what is given, and of a number.
#[derive(Debug, Clone, Default)]
struct Factor {
    number: i64,
    variables: Vec<(i64, usize)>,
    terms: Vec<(i64, Term)>,
}

/// A row with its numbers; variables are called by their places among those that are not given.
struct Line {
    factors: [i64; MAX_OPEN],
    /// Which factors are positive.
    positive: u32,
    relation: Relation,
}

/// What is known in a search.
#[derive(Clone)]
struct Known {
    values: [i64; MAX_OPEN],
    /// Variables whose values are not known.
    open: u32,
    /// Of each line what is known of its sum, and the variables that it still says.
    left: SmallVec<[(i64, u32); 8]>,
    /// Lines that hold.
    done: u32,
}

impl Formula {
    /// Returns the formula as systems that are linear in all variables but those given; `None` if
    /// it is none.
    pub fn linear_systems(&self, is_given: &dyn Fn(usize) -> bool) -> Option<LinearSystems> {
        let system = |rows: Vec<Row>| {
            let is_said =
                |v: usize| rows.iter().any(|row| row.factors.iter().any(|(other, _)| *other == v));
            let is_open = |v: &usize| !is_given(*v) && (*v < self.free || is_said(*v));
            let open: Vec<usize> = (0..self.names.len()).filter(is_open).collect();
            let is_small = open.len() <= MAX_OPEN && rows.len() <= MAX_ROWS;
            is_small.then_some(System { open, rows })
        };
        let systems = systems(&self.root, true, is_given)?.into_iter().map(system);
        Some(LinearSystems { free: self.free, systems: systems.collect::<Option<_>>()? })
    }
}

/// Returns the alternatives of a node or of its opposite, each a system; `None` if something else
/// is said, or too much.
fn systems(node: &Node, wanted: bool, is_given: &dyn Fn(usize) -> bool) -> Option<Vec<Vec<Row>>> {
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
        Factor { number, ..Factor::default() }
    }
}

impl Factor {
    /// Returns the product with a term over what is given.
    fn times(&self, term: &Term) -> Option<Factor> {
        match term {
            Term::Number(number) => self.multiple(i64::try_from(*number).ok()?),
            Term::Variable(v) if self.variables.is_empty() && self.terms.is_empty() => {
                Some(Factor { variables: vec![(self.number, *v)], ..Factor::default() })
            }
            Term::Sum(parts) => parts.iter().try_fold(Factor::default(), |mut all, part| {
                all.plus(self.times(part)?)?;
                Some(all)
            }),
            Term::Multiple(k, inner) => self.multiple(*k)?.times(inner),
            _ => {
                let product = |k: i64, own: Term| {
                    let parts = vec![own, term.clone()];
                    (k, Term::Arithmetic(ArithmeticSymbol::Product, parts))
                };
                let variables = self.variables.iter().map(|(k, v)| product(*k, Term::Variable(*v)));
                let terms = self.terms.iter().map(|(k, own)| product(*k, own.clone()));
                let mut terms: Vec<(i64, Term)> = variables.chain(terms).collect();
                if self.number != 0 {
                    terms.push((self.number, term.clone()));
                }
                Some(Factor { terms, ..Factor::default() })
            }
        }
    }

    fn multiple(&self, k: i64) -> Option<Factor> {
        let variables = self.variables.iter().map(|(own, v)| Some((own.checked_mul(k)?, *v)));
        let terms = self.terms.iter().map(|(own, term)| Some((own.checked_mul(k)?, term.clone())));
        Some(Factor {
            number: self.number.checked_mul(k)?,
            variables: variables.collect::<Option<_>>()?,
            terms: terms.collect::<Option<_>>()?,
        })
    }

    fn plus(&mut self, other: Factor) -> Option<()> {
        self.number = self.number.checked_add(other.number)?;
        self.variables.extend(other.variables);
        self.terms.extend(other.terms);
        Some(())
    }

    /// Returns the value, if it is a number of 64 bits.
    fn value(&self, given: &[Option<u64>]) -> Option<i64> {
        let mut sum = self.number;
        for (k, v) in &self.variables {
            let value = i64::try_from(given.get(*v).copied().flatten()?).ok()?;
            sum = sum.checked_add(k.checked_mul(value)?)?;
        }
        let at = |v: usize| given.get(v).copied().flatten().map(i128::from);
        for (k, term) in &self.terms {
            let value = i64::try_from(term.value(&at)?).ok()?;
            sum = sum.checked_add(k.checked_mul(value)?)?;
        }
        Some(sum).filter(|sum| sum.unsigned_abs() < SUMS_BELOW)
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
    fn add(&mut self, term: &Term, times: &Factor, is_given: &dyn Fn(usize) -> bool) -> Option<()> {
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

    /// Returns the row with its numbers, its constant and the variables that it says.
    fn line(&self, open: &[usize], given: &[Option<u64>]) -> Option<(Line, i64, u32)> {
        let mut line = Line { factors: [0; MAX_OPEN], positive: 0, relation: self.relation };
        let mut said = 0;
        for (v, factor) in &self.factors {
            let (place, value) = (open.iter().position(|open| open == v)?, factor.value(given)?);
            line.factors[place] = value;
            line.positive |= u32::from(value > 0) << place;
            said |= u32::from(value != 0) << place;
        }
        Some((line, self.constant.value(given)?, said))
    }
}

/// The search in one system.
struct Search<'s, 'v> {
    lines: &'s [Line],
    open: &'s [usize],
    given: &'s [Option<u64>],
    tops: &'s [Option<u64>],
    free: usize,
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
        for system in &self.systems {
            let mut lines: SmallVec<[Line; 6]> = SmallVec::new();
            let mut known = Known {
                values: [0; MAX_OPEN],
                open: (1 << system.open.len()) - 1,
                left: SmallVec::new(),
                done: 0,
            };
            let mut holds = true;
            for row in &system.rows {
                let (line, constant, said) = row.line(&system.open, given)?;
                if said != 0 {
                    lines.push(line);
                    known.left.push((constant, said));
                } else {
                    holds &= line.relation.holds(constant.cmp(&0));
                }
            }
            if !holds {
                continue;
            }
            let mut search = Search {
                lines: &lines,
                open: &system.open,
                given,
                tops,
                free: self.free,
                steps: &mut steps,
                visit: &mut *visit,
            };
            if search.go(known)?.is_break() {
                return Some(Break(()));
            }
        }
        Some(Continue(()))
    }
}

impl Known {
    /// Sets the value of a variable; `None` if sums become too large.
    fn set(&mut self, lines: &[Line], place: usize, value: i64) -> Option<()> {
        self.values[place] = value;
        self.open &= !(1 << place);
        for (line, (sum, said)) in lines.iter().zip(&mut self.left) {
            if *said >> place & 1 == 1 {
                *sum = sum.checked_add(line.factors[place].checked_mul(value)?)?;
                *said &= !(1 << place);
                if sum.unsigned_abs() >= SUMS_BELOW {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Returns the bounds of a variable up to `top` that single lines give.
    fn ends(&self, lines: &[Line], place: usize, top: i64) -> (i64, i64) {
        let (mut low, mut high) = (0, top);
        for (line, (sum, said)) in lines.iter().zip(&self.left) {
            if *said >> place & 1 == 0 || line.relation == Relation::Unequal {
                continue;
            }
            let (own, rest) = (line.factors[place], -sum);
            // own · v is at most the first, at least the second.
            let (most, least) = match line.relation {
                Relation::AtMost => (Some(rest), None),
                Relation::Less => (Some(rest - 1), None),
                Relation::AtLeast => (None, Some(rest)),
                Relation::Greater => (None, Some(rest + 1)),
                Relation::Equal | Relation::Unequal => (Some(rest), Some(rest)),
            };
            // The other variables are not negative.
            let others = said & !(1 << place);
            let (rises, falls) = (others & line.positive != 0, others & !line.positive != 0);
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
        (low, high)
    }
}

impl Search<'_, '_> {
    /// Goes on from what is known.
    fn go(&mut self, mut known: Known) -> Option<ControlFlow<()>> {
        *self.steps = self.steps.checked_sub(1)?;
        let (v, low, high) = 'narrowed: loop {
            for (at, line) in self.lines.iter().enumerate() {
                if known.done >> at & 1 == 1 {
                    continue;
                }
                let (sum, said) = known.left[at];
                if said == 0 {
                    if !line.relation.holds(sum.cmp(&0)) {
                        return Some(Continue(()));
                    }
                    known.done |= 1 << at;
                } else if line.relation == Relation::Equal && said.is_power_of_two() {
                    let place = said.trailing_zeros() as usize;
                    let (value, factor) = (-sum / line.factors[place], line.factors[place]);
                    if value * factor != -sum || value < 0 || value > self.top(place) {
                        return Some(Continue(()));
                    }
                    known.set(self.lines, place, value)?;
                    continue 'narrowed;
                }
            }
            let mut best: Option<(usize, i64, i64)> = None;
            for place in (0..self.open.len()).filter(|place| known.open >> place & 1 == 1) {
                let (low, high) = known.ends(self.lines, place, self.top(place));
                if low > high {
                    return Some(Continue(()));
                }
                if low == high {
                    known.set(self.lines, place, low)?;
                    continue 'narrowed;
                }
                if best.is_none_or(|(_, least, most)| high - low < most - least) {
                    best = Some((place, low, high));
                }
            }
            match best {
                Some(best) => break best,
                None => return self.found(&known),
            }
        };
        if high == i64::MAX {
            return None;
        }
        for value in low..=high {
            let mut next = known.clone();
            next.set(self.lines, v, value)?;
            if self.go(next)?.is_break() {
                return Some(Break(()));
            }
        }
        Some(Continue(()))
    }

    fn found(&mut self, known: &Known) -> Option<ControlFlow<()>> {
        let mut values: SmallVec<[u64; 8]> = SmallVec::new();
        for v in 0..self.free {
            values.push(self.given.get(v).copied().flatten().unwrap_or(0));
        }
        for (place, v) in self.open.iter().enumerate().filter(|(_, v)| **v < self.free) {
            values[*v] = known.values[place] as u64;
        }
        Some((self.visit)(&values))
    }

    fn top(&self, place: usize) -> i64 {
        let top = self.tops.get(self.open[place]).copied().flatten();
        top.map_or(i64::MAX, |top| i64::try_from(top).unwrap_or(i64::MAX))
    }
}
