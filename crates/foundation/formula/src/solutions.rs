//! The values of a formula's free variables for which it holds, some of them being given.
//!
//! Each variable that is not known lies in an interval. Comparisons that are linear once the given
//! values are put in narrow the intervals at once: an equation with one variable left determines
//! it. Of other comparisons interval arithmetic tells which ends of an interval are impossible,
//! found by bisection. What is left is tried: a variable with few values first, alternatives (`|`)
//! one by one where that is less, divisors, squares, powers and multiples as such. A variable of
//! `E` that the free ones depend on is narrowed and tried with them. The search is exact: what it
//! visits holds, and nothing is left out; where no bound can be read off the formula it says so.

use crate::arithmetic::{self, ArithmeticSymbol, integer_sqrt};
use crate::evaluate::{Unknown, WitnessSearch};
use crate::formula::{Formula, Node, Relation, Term};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Break, Continue};

/// Beyond every value; a bound that is none.
const INFINITE: i128 = 1 << 80;
/// Rounds of narrowing at a time.
const ROUNDS: usize = 4;
/// A variable with this many values at most is tried before other ways are looked for.
const MAX_VALUES_TRIED_FIRST: i128 = 4;

impl Formula {
    /// Visits the values of all free variables, those given among them, for which the formula
    /// holds, until `visit` breaks; some more than once. `tops` bound the others, where they do. At
    /// most this many steps are made.
    ///
    /// # Errors
    /// [`Unknown::Unbounded`] where a variable has no bound, and what makes a value unknown at the
    /// place where it is needed.
    ///
    /// # Panics
    /// Unless there is an entry for each free variable in both.
    pub fn solutions(
        &self,
        given: &[Option<u64>],
        tops: &[Option<u64>],
        steps: u64,
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Unknown> {
        assert_eq!(
            (given.len(), tops.len()),
            (self.free, self.free),
            "an entry for each free variable"
        );
        let mut low = vec![0; self.names.len()];
        let mut high = vec![INFINITE; self.names.len()];
        for (v, (given, top)) in given.iter().zip(tops).enumerate() {
            high[v] = top.map_or(INFINITE, i128::from);
            if let Some(value) = given {
                (low[v], high[v]) = (i128::from(*value), i128::from(*value));
            }
        }
        let mut goals = Vec::new();
        let reader = Reader { low: &low, high: &high };
        reader.goals(&self.root, true, &mut goals);
        let mut known = vec![None; self.names.len()];
        for (known, given) in known.iter_mut().zip(given) {
            *known = given.map(i128::from);
        }
        let search = WitnessSearch::new(self, known, steps);
        let active: Vec<&Goal<'_>> = goals.iter().collect();
        let unknown: Vec<usize> = (0..self.free).filter(|v| given[*v].is_none()).collect();
        let mut run =
            Run { search, bounds: Bounds { low, high }, active, split: Vec::new(), unknown, visit };
        for goal in &goals {
            run.opened(goal);
        }
        run.go()
    }
}

/// What must hold, read with the given values put in.
enum Goal<'n> {
    /// Σ coefficient · variable + constant, compared with 0.
    Linear {
        terms: Vec<(usize, i128)>,
        constant: i128,
        relation: Relation,
        node: &'n Node,
        wanted: bool,
    },
    /// One of these.
    Split { parts: Vec<Vec<Goal<'n>>>, node: &'n Node, wanted: bool },
    /// All of this, for some values of these variables.
    Some { variables: &'n [usize], inner: Vec<Goal<'n>>, node: &'n Node, wanted: bool },
    /// Anything else.
    Other { node: &'n Node, wanted: bool },
}

/// Reads goals with the values of variables that are known.
struct Reader<'b> {
    low: &'b [i128],
    high: &'b [i128],
}

impl Reader<'_> {
    fn goals<'n>(&self, node: &'n Node, wanted: bool, all: &mut Vec<Goal<'n>>) {
        let part = |node: &'n Node, wanted: bool| {
            let mut own = Vec::new();
            self.goals(node, wanted, &mut own);
            own
        };
        let split = |parts: Vec<Vec<Goal<'n>>>| Goal::Split { parts, node, wanted };
        match node {
            Node::Constant(value) if *value == wanted => {}
            Node::Not(inner) => self.goals(inner, !wanted, all),
            Node::And(parts) if wanted => parts.iter().for_each(|one| self.goals(one, true, all)),
            Node::Or(parts) if !wanted => parts.iter().for_each(|one| self.goals(one, false, all)),
            Node::And(parts) | Node::Or(parts) => {
                all.push(split(parts.iter().map(|one| part(one, wanted)).collect()));
            }
            Node::Implies(left, right) if !wanted => {
                self.goals(left, true, all);
                self.goals(right, false, all);
            }
            Node::Implies(left, right) => {
                all.push(split(vec![part(left, false), part(right, true)]))
            }
            Node::Iff(left, right) => {
                let case = |truth: bool| {
                    let mut both = part(left, truth);
                    self.goals(right, truth == wanted, &mut both);
                    both
                };
                all.push(split(vec![case(true), case(false)]));
            }
            Node::Exists(variables, body) if wanted => {
                all.push(Goal::Some { variables, inner: part(body, true), node, wanted });
            }
            Node::Forall(variables, body) if !wanted => {
                all.push(Goal::Some { variables, inner: part(body, false), node, wanted });
            }
            Node::Compare(left, relation, right) => {
                let mut terms = Vec::new();
                let mut constant = 0;
                let is_linear = self.add(left, 1, &mut terms, &mut constant)
                    && self.add(right, -1, &mut terms, &mut constant);
                all.push(if is_linear {
                    terms.retain(|(_, factor)| *factor != 0);
                    let relation = if wanted { *relation } else { relation.negated() };
                    Goal::Linear { terms, constant, relation, node, wanted }
                } else {
                    Goal::Other { node, wanted }
                });
            }
            _ => all.push(Goal::Other { node, wanted }),
        }
    }

    fn known(&self, v: usize) -> Option<i128> {
        (self.low[v] == self.high[v]).then_some(self.low[v])
    }

    /// Adds a multiple of a term; false where it is not linear in what is not known.
    fn add(
        &self,
        term: &Term,
        times: i128,
        terms: &mut Vec<(usize, i128)>,
        constant: &mut i128,
    ) -> bool {
        let bounded = |value: Option<i128>| value.filter(|value| value.abs() < INFINITE);
        if let Some(value) = term.value(&|v| self.known(v)) {
            let sum =
                bounded(value.checked_mul(times)).and_then(|value| value.checked_add(*constant));
            return bounded(sum).map(|sum| *constant = sum).is_some();
        }
        match term {
            Term::Variable(v) => {
                match terms.iter_mut().find(|(other, _)| other == v) {
                    Some((_, factor)) => *factor += times,
                    None => terms.push((*v, times)),
                }
                true
            }
            Term::Sum(parts) => parts.iter().all(|part| self.add(part, times, terms, constant)),
            Term::Multiple(k, inner) => bounded(times.checked_mul(i128::from(*k)))
                .is_some_and(|k| self.add(inner, k, terms, constant)),
            Term::Arithmetic(ArithmeticSymbol::Product, parts) => {
                let value = |part: &Term| part.value(&|v| self.known(v));
                let mut open = parts.iter().filter(|part| value(part).is_none());
                let (Some(one), None) = (open.next(), open.next()) else { return false };
                let factor = parts
                    .iter()
                    .filter_map(value)
                    .try_fold(times, |all, value| bounded(all.checked_mul(value)));
                factor.is_some_and(|factor| self.add(one, factor, terms, constant))
            }
            _ => false,
        }
    }
}

/// Where the variables lie, both ends counted.
#[derive(Clone)]
struct Bounds {
    low: Vec<i128>,
    high: Vec<i128>,
}

/// Both ends of an interval.
type Ends = (i128, i128);

fn within(value: Option<i128>, above: bool) -> i128 {
    value.map_or(if above { INFINITE } else { -INFINITE }, |value| value.clamp(-INFINITE, INFINITE))
}

fn plus(a: Ends, b: Ends) -> Ends {
    // Ends are at most INFINITE either way, so their sums fit.
    (within(a.0.checked_add(b.0), false), within(a.1.checked_add(b.1), true))
}

fn product(a: Ends, b: Ends) -> Ends {
    /// Products of two such numbers fit, and are small.
    const SMALL: i128 = 1 << 39;
    if a.0 >= 0 && b.0 >= 0 && a.1 <= SMALL && b.1 <= SMALL {
        return (a.0 * b.0, a.1 * b.1);
    }
    let of = |x: i128, y: i128| {
        x.checked_mul(y).unwrap_or(if (x < 0) == (y < 0) { INFINITE } else { -INFINITE })
    };
    let all = [of(a.0, b.0), of(a.0, b.1), of(a.1, b.0), of(a.1, b.1)];
    let ends = all
        .iter()
        .fold((INFINITE, -INFINITE), |(low, high), value| (low.min(*value), high.max(*value)));
    (ends.0.max(-INFINITE), ends.1.min(INFINITE))
}

impl Bounds {
    fn known(&self, v: usize) -> Option<i128> {
        (self.low[v] == self.high[v]).then_some(self.low[v])
    }

    /// Returns an interval that holds the term's values.
    fn ends(&self, term: &Term) -> Ends {
        const ANY: Ends = (0, INFINITE);
        let ends = |part: &Term| self.ends(part);
        match term {
            Term::Number(value) => (i128::from(*value), i128::from(*value)),
            Term::Variable(v) => (self.low[*v], self.high[*v]),
            Term::Sum(parts) => parts.iter().map(ends).fold((0, 0), plus),
            Term::Multiple(k, inner) => product(self.ends(inner), (i128::from(*k), i128::from(*k))),
            Term::Min(parts) => {
                parts.iter().map(ends).reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))).unwrap_or(ANY)
            }
            Term::Max(parts) => {
                parts.iter().map(ends).reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).unwrap_or(ANY)
            }
            Term::Quotient(inner, by) => {
                divided(self.ends(inner), (i128::from(*by), i128::from(*by)))
            }
            Term::Remainder(inner, by) => {
                remainder(self.ends(inner), (i128::from(*by), i128::from(*by)))
            }
            Term::DigitSum(2, parts) => {
                let sum =
                    self.digits(parts, |values| values.iter().fold(0, |all, value| all ^ value));
                (sum.0.max(self.least_digits(parts)), sum.1)
            }
            Term::DigitSum(modulus, parts) => {
                let all = self.ends_of(parts);
                let top = all.iter().map(|ends| ends.1).max().unwrap_or(0);
                if top >= INFINITE {
                    return ANY;
                }
                (0, ((1 << (128 - top.max(0).leading_zeros())) - 1) * i128::from(modulus - 1))
            }
            Term::Shift(_) | Term::Floor(..) => {
                // Both grow with their argument.
                let (inner, value): (&Term, &dyn Fn(i128) -> Option<i128>) = match term {
                    Term::Shift(inner) => (inner, &|x: i128| crate::number::Number::shift(&x)),
                    Term::Floor(slope, inner) => (inner, &|x: i128| slope.floor(&x)),
                    _ => return ANY,
                };
                let (low, high) = self.ends(inner);
                let at = |x: i128| if x.abs() >= 1 << 60 { None } else { value(x.max(0)) };
                (at(low).unwrap_or(0), at(high).unwrap_or(INFINITE))
            }
            Term::Arithmetic(word, parts) => self.arithmetic(*word, parts),
        }
    }

    /// Returns an interval for each of some terms.
    fn ends_of(&self, parts: &[Term]) -> SmallVec<[Ends; 4]> {
        parts.iter().map(|part| self.ends(part)).collect()
    }

    /// Returns an interval for an operation on binary digits place by place: above the highest
    /// place in which an argument is not determined the digits are.
    fn digits(&self, parts: &[Term], value: impl Fn(&[i128]) -> i128) -> Ends {
        let all = self.ends_of(parts);
        if all.iter().any(|(low, high)| *low < 0 || *high >= INFINITE) {
            return (0, INFINITE);
        }
        let open =
            all.iter().map(|(low, high)| 128 - (low ^ high).leading_zeros()).max().unwrap_or(0);
        let tops: SmallVec<[i128; 4]> = all.iter().map(|(low, _)| low >> open << open).collect();
        let low = value(&tops) >> open << open;
        (low, low | ((1 << open) - 1))
    }

    /// Returns a lower bound of the nim-sum, and of the bitwise or, of terms of which exactly one
    /// has no upper bound: above the places of the others the result has the digits of that one.
    fn least_digits(&self, parts: &[Term]) -> i128 {
        let all = self.ends_of(parts);
        let mut open = all.iter().filter(|(_, high)| *high >= INFINITE);
        match (open.next(), open.next()) {
            (Some((low, _)), None) if all.iter().all(|(low, _)| *low >= 0) => {
                let bounded = all.iter().map(|(_, high)| *high).filter(|high| *high < INFINITE);
                let places = 128 - bounded.max().unwrap_or(0).leading_zeros();
                low >> places << places
            }
            _ => 0,
        }
    }

    fn arithmetic(&self, word: ArithmeticSymbol, parts: &[Term]) -> Ends {
        use ArithmeticSymbol::{
            BitAnd, BitOr, DigitSum, Divides, Gcd, Prime, Product, Quotient, Remainder, Square,
            With,
        };
        if word == Product {
            return parts.iter().map(|part| self.ends(part)).fold((1, 1), product);
        }
        let all = self.ends_of(parts);
        if all.iter().all(|(low, high)| low == high) {
            let values: SmallVec<[i128; 4]> = all.iter().map(|ends| ends.0).collect();
            if let Some(value) = word.value(&values) {
                return (value.clamp(-INFINITE, INFINITE), value.clamp(-INFINITE, INFINITE));
            }
        }
        match (word, &all[..]) {
            (Quotient, &[x, by]) => divided(x, by),
            (Remainder, &[x, by]) => remainder(x, by),
            (Gcd, all) => (
                0,
                all.iter().filter(|ends| ends.0 >= 1).map(|ends| ends.1).min().unwrap_or(INFINITE),
            ),
            (BitAnd, _) => self
                .digits(parts, |values| values.iter().copied().reduce(|a, b| a & b).unwrap_or(0)),
            (BitOr, _) => {
                let all = self.digits(parts, |values| values.iter().fold(0, |a, b| a | b));
                (all.0.max(self.least_digits(parts)), all.1)
            }
            (With, &[set, k]) => match k.1 < 79 && set.1 < INFINITE {
                true => (
                    set.0.max(0),
                    ((1 << (128 - set.1.max(0).leading_zeros())) - 1) | ((1 << (k.1 + 1)) - 1),
                ),
                false => (set.0.max(0), INFINITE),
            },
            (DigitSum, &[n]) => (0, n.1.max(0)),
            (Divides, &[by, n]) if n.0 >= 1 && by.0 > n.1 => (0, 0),
            (Divides, &[by, _]) if by.1 < 0 => (0, 0),
            (Square, &[n]) if n.1 < 0 => (0, 0),
            (Square, &[n]) if n.1 < INFINITE && integer_sqrt(n.1).pow(2) < n.0 => (0, 0),
            (Prime, &[n]) if n.1 < 2 => (0, 0),
            (word, _) if word.is_condition() => (0, 1),
            _ => (0, INFINITE),
        }
    }

    /// Returns whether the node may have this truth; `false` is certain.
    fn possible(&self, node: &Node, wanted: bool) -> bool {
        match node {
            Node::Constant(value) => *value == wanted,
            Node::Compare(left, relation, right) => {
                let relation = if wanted { *relation } else { relation.negated() };
                let ((a, b), (c, d)) = (self.ends(left), self.ends(right));
                match relation {
                    Relation::Equal => a <= d && c <= b,
                    Relation::Unequal => !(a == b && c == d && a == c),
                    Relation::Less => a < d || d >= INFINITE,
                    Relation::AtMost => a <= d,
                    Relation::Greater => b > c || b >= INFINITE,
                    Relation::AtLeast => b >= c,
                }
            }
            Node::Not(inner) => self.possible(inner, !wanted),
            Node::And(parts) | Node::Or(parts) => {
                if matches!(node, Node::And(_)) == wanted {
                    parts.iter().all(|part| self.possible(part, wanted))
                } else {
                    parts.iter().any(|part| self.possible(part, wanted))
                }
            }
            Node::Implies(left, right) => {
                let (left, right) = (self.possible(left, !wanted), self.possible(right, wanted));
                if wanted { left || right } else { left && right }
            }
            Node::Iff(left, right) => [true, false]
                .iter()
                .any(|truth| self.possible(left, *truth) && self.possible(right, *truth == wanted)),
            Node::Exists(_, body) | Node::Forall(_, body) => self.possible(body, wanted),
        }
    }
}

fn divided(x: Ends, by: Ends) -> Ends {
    if by.1 < 1 {
        return (0, INFINITE);
    }
    let low = if by.1 >= INFINITE { 0 } else { x.0.max(0) / by.1 };
    (low, if x.1 >= INFINITE { INFINITE } else { x.1.max(0) / by.0.max(1) })
}

fn remainder(x: Ends, by: Ends) -> Ends {
    let high = if by.1 >= INFINITE { INFINITE } else { (by.1 - 1).max(0) };
    if by.0 == by.1 && by.0 >= 1 && x.0 >= 0 && x.1 < INFINITE && x.0 / by.0 == x.1 / by.0 {
        return (x.0 % by.0, x.1 % by.0);
    }
    (0, if by.0 >= 1 { high.min(x.1.max(0)) } else { INFINITE })
}

/// One search.
struct Run<'f, 'g, 'v> {
    search: WitnessSearch<'f>,
    bounds: Bounds,
    active: Vec<&'g Goal<'f>>,
    /// The goals of `active` of which an alternative was chosen.
    split: Vec<usize>,
    /// Variables to be found: the free ones, and those of `E` that are narrowed with them.
    unknown: Vec<usize>,
    visit: &'v mut dyn FnMut(&[u64]) -> ControlFlow<()>,
}

impl<'f, 'g> Run<'f, 'g, '_> {
    /// Takes in what a goal of `E` asks.
    fn opened(&mut self, goal: &'g Goal<'f>) {
        if let Goal::Some { variables, inner, .. } = goal {
            self.unknown.extend(variables.iter().copied());
            for one in inner {
                self.active.push(one);
                self.opened(one);
            }
        }
    }

    fn go(&mut self) -> Result<ControlFlow<()>, Unknown> {
        self.search.step()?;
        if !self.narrowed() {
            return Ok(Continue(()));
        }
        let free = self.search.formula().free;
        if self.unknown.iter().all(|v| *v >= free || self.bounds.known(*v).is_some()) {
            return self.found();
        }
        let width = |v: &usize| self.bounds.high[*v] - self.bounds.low[*v] + 1;
        let bounded =
            |v: &&usize| self.bounds.known(**v).is_none() && self.bounds.high[**v] < INFINITE;
        let narrowest =
            self.unknown.iter().filter(bounded).min_by_key(|v| (width(v), **v)).copied();
        let least = narrowest.map_or(INFINITE, |v| width(&v));
        if least > MAX_VALUES_TRIED_FIRST {
            let listed = self.listed();
            if let Some((v, values)) = listed.filter(|(_, values)| (values.len() as i128) < least) {
                return self.each(v, values.into_iter());
            }
            if let Some((at, parts)) = self.alternatives()
                && (parts.len() as i128) < least
            {
                self.split.push(at);
                for part in parts {
                    let (active, unknown, bounds) =
                        (self.active.len(), self.unknown.len(), self.bounds.clone());
                    for goal in part {
                        self.active.push(goal);
                        self.opened(goal);
                    }
                    let done = self.go();
                    self.active.truncate(active);
                    self.unknown.truncate(unknown);
                    self.bounds = bounds;
                    if done?.is_break() {
                        return Ok(Break(()));
                    }
                }
                self.split.pop();
                return Ok(Continue(()));
            }
        }
        let Some(v) = narrowest else {
            let open = self.unknown.iter().find(|v| **v < free && self.bounds.known(**v).is_none());
            let name = open.map(|v| self.search.formula().names[*v].clone()).unwrap_or_default();
            return Err(Unknown::Unbounded(name));
        };
        self.each(v, self.bounds.low[v]..=self.bounds.high[v])
    }

    /// Goes on with each of these values of a variable.
    fn each(
        &mut self,
        v: usize,
        values: impl Iterator<Item = i128>,
    ) -> Result<ControlFlow<()>, Unknown> {
        let bounds = self.bounds.clone();
        for value in values {
            (self.bounds.low[v], self.bounds.high[v]) = (value, value);
            if self.go()?.is_break() {
                return Ok(Break(()));
            }
            self.bounds.clone_from(&bounds);
        }
        Ok(Continue(()))
    }

    /// Returns the first alternatives not yet chosen from; those that are impossible are left out.
    fn alternatives(&self) -> Option<(usize, Vec<&'g Vec<Goal<'f>>>)> {
        self.active.iter().enumerate().find_map(|(at, goal)| match goal {
            Goal::Split { parts, .. } if !self.split.contains(&at) => {
                let is_possible =
                    |part: &&Vec<Goal<'f>>| part.iter().all(|goal| goal.is_possible(&self.bounds));
                Some((at, parts.iter().filter(is_possible).collect()))
            }
            _ => None,
        })
    }

    /// Narrows the intervals; false where nothing is left.
    fn narrowed(&mut self) -> bool {
        for round in 0..ROUNDS {
            let mut changed = false;
            for goal in &self.active {
                match goal {
                    Goal::Linear { terms, constant, relation, .. } => {
                        match self.bounds.linear(terms, *constant, *relation) {
                            None => return false,
                            Some(more) => changed |= more,
                        }
                    }
                    Goal::Other { node, wanted } => {
                        if !self.bounds.possible(node, *wanted) {
                            return false;
                        }
                        // By now it may be linear in one number.
                        if let Some((term, constant, relation)) =
                            self.bounds.read_linear(node, *wanted)
                        {
                            match self.bounds.linear(&[term], constant, relation) {
                                None => return false,
                                Some(more) => changed |= more,
                            }
                            continue;
                        }
                        let is_listed = *wanted && node.condition().is_some();
                        for &v in &self.unknown {
                            // The values of a number with a bound are listed, or all are tried.
                            let is_bounded = is_listed && self.bounds.high[v] < INFINITE;
                            if !is_bounded && self.bounds.known(v).is_none() && says(node, v) {
                                changed |= self.bounds.shave(v, node, *wanted);
                            }
                        }
                    }
                    Goal::Split { node, wanted, .. } => {
                        if round == 0 && !self.bounds.possible(node, *wanted) {
                            return false;
                        }
                    }
                    Goal::Some { .. } => {}
                }
            }
            if self.unknown.iter().any(|v| self.bounds.low[*v] > self.bounds.high[*v]) {
                return false;
            }
            if !changed {
                break;
            }
        }
        true
    }

    /// Asks the formula's own search whether everything holds, all free variables being known.
    fn found(&mut self) -> Result<ControlFlow<()>, Unknown> {
        let formula = self.search.formula();
        for v in 0..formula.names.len() {
            let is_chosen = v < formula.free || self.unknown.contains(&v);
            self.search.set(v, self.bounds.known(v).filter(|_| is_chosen));
        }
        for (at, goal) in self.active.iter().enumerate() {
            let (node, wanted) = match goal {
                // Its parts are goals of their own.
                Goal::Some { variables, .. }
                    if variables.iter().all(|v| self.bounds.known(*v).is_some()) =>
                {
                    continue;
                }
                Goal::Split { .. } if self.split.contains(&at) => continue,
                Goal::Linear { terms, constant, relation, node, wanted } => {
                    let sum = terms.iter().try_fold(*constant, |sum, (v, factor)| {
                        Some(sum + factor * self.bounds.known(*v)?)
                    });
                    match sum {
                        Some(sum) if relation.holds(sum.cmp(&0)) => continue,
                        Some(_) => return Ok(Continue(())),
                        None => (*node, *wanted),
                    }
                }
                Goal::Some { node, wanted, .. }
                | Goal::Split { node, wanted, .. }
                | Goal::Other { node, wanted } => (*node, *wanted),
            };
            // A variable of `E` that is still open is asked for with its whole condition.
            if self.is_open(node) {
                continue;
            }
            if self.search.truth(node)? != wanted {
                return Ok(Continue(()));
            }
        }
        let values: Option<Vec<u64>> =
            (0..formula.free).map(|v| u64::try_from(self.bounds.low[v]).ok()).collect();
        match values {
            Some(values) => Ok((self.visit)(&values)),
            None => Err(Unknown::Overflow),
        }
    }

    /// Returns whether the node says a variable that is neither known nor its own.
    fn is_open(&self, node: &Node) -> bool {
        let free = self.search.formula().free;
        self.unknown.iter().any(|v| {
            *v >= free && self.bounds.known(*v).is_none() && says(node, *v) && !binds(node, *v)
        })
    }

    /// Returns the shortest list of values that a condition leaves to one variable: divisors,
    /// multiples, squares, powers.
    fn listed(&self) -> Option<(usize, Vec<i128>)> {
        let mut best: Option<(usize, Vec<i128>)> = None;
        for goal in &self.active {
            let Goal::Other { node, wanted } = goal else { continue };
            for &v in
                self.unknown.iter().filter(|v| self.bounds.known(**v).is_none() && says(node, **v))
            {
                let values = match node.condition() {
                    Some((word, parts, true)) if *wanted => self.bounds.listed(word, parts, v),
                    Some(_) => None,
                    None => self.bounds.factors(node, *wanted, v),
                };
                if let Some(values) = values
                    && best.as_ref().is_none_or(|(_, best)| values.len() < best.len())
                {
                    best = Some((v, values));
                }
            }
        }
        best
    }
}

impl Goal<'_> {
    fn is_possible(&self, bounds: &Bounds) -> bool {
        match self {
            Goal::Linear { node, wanted, .. }
            | Goal::Split { node, wanted, .. }
            | Goal::Some { node, wanted, .. }
            | Goal::Other { node, wanted } => bounds.possible(node, *wanted),
        }
    }
}

impl Bounds {
    /// Returns a comparison in which one variable is not known as that variable with its factor, a
    /// constant, and how their sum compares with 0; `None` if it is not linear in it.
    fn read_linear(&self, node: &Node, wanted: bool) -> Option<((usize, i128), i128, Relation)> {
        let Node::Compare(left, relation, right) = node else { return None };
        let reader = Reader { low: &self.low, high: &self.high };
        let (mut terms, mut constant) = (Vec::new(), 0);
        let is_linear = reader.add(left, 1, &mut terms, &mut constant)
            && reader.add(right, -1, &mut terms, &mut constant);
        match terms[..] {
            // Its multiples of ends of intervals fit.
            [one] if is_linear && one.1 != 0 && one.1.abs() < 1 << 40 => {
                Some((one, constant, if wanted { *relation } else { relation.negated() }))
            }
            _ => None,
        }
    }

    /// Narrows the variables of a linear comparison; whether that changed something, or `None`
    /// where it cannot hold.
    fn linear(
        &mut self,
        terms: &[(usize, i128)],
        constant: i128,
        relation: Relation,
    ) -> Option<bool> {
        // As a sum that is at most 0, at least 0, or both.
        let (most, least) = match relation {
            Relation::Equal => (Some(0), Some(0)),
            Relation::AtMost => (Some(0), None),
            Relation::Less => (Some(-1), None),
            Relation::AtLeast => (None, Some(0)),
            Relation::Greater => (None, Some(1)),
            Relation::Unequal => {
                let sum = terms
                    .iter()
                    .try_fold(constant, |sum, (v, factor)| Some(sum + factor * self.known(*v)?));
                return if sum == Some(0) { None } else { Some(false) };
            }
        };
        // Sums of finite ends, and how many ends are infinite.
        let (mut below, mut above) = ((constant, 0), (constant, 0));
        for (v, factor) in terms {
            let (low, high) = if *factor > 0 {
                (self.low[*v], self.high[*v])
            } else {
                (self.high[*v], self.low[*v])
            };
            for (end, all) in [(low, &mut below), (high, &mut above)] {
                if end >= INFINITE { all.1 += 1 } else { all.0 += factor * end }
            }
        }
        if most.is_some_and(|most| below.1 == 0 && below.0 > most)
            || least.is_some_and(|least| above.1 == 0 && above.0 < least)
        {
            return None;
        }
        let mut changed = false;
        for (v, factor) in terms {
            let (mut low, mut high) = (self.low[*v], self.high[*v]);
            if low == high {
                continue;
            }
            // factor · v is at most `most` less the least of the rest.
            let rest = |all: (i128, i32), end: i128| match (all.1, end >= INFINITE) {
                (0, _) => Some(all.0 - factor * end),
                (1, true) => Some(all.0),
                _ => None,
            };
            let (first, second) = if *factor > 0 { (low, high) } else { (high, low) };
            if let (Some(most), Some(rest)) = (most, rest(below, first)) {
                let room = most - rest;
                if *factor > 0 {
                    high = high.min(room.div_euclid(*factor));
                } else {
                    low = low.max(-(room.div_euclid(-factor)));
                }
            }
            if let (Some(least), Some(rest)) = (least, rest(above, second)) {
                let room = least - rest;
                if *factor > 0 {
                    low = low.max(-((-room).div_euclid(*factor)));
                } else {
                    high = high.min((-room).div_euclid(-factor));
                }
            }
            if low > high {
                return None;
            }
            if (low, high) != (self.low[*v], self.high[*v]) {
                // The sums of ends are those of wider intervals from here on, which is no mistake.
                (below, above) = self.moved(*factor, *v, (low, high), (below, above));
                (self.low[*v], self.high[*v]) = (low, high);
                changed = true;
            }
        }
        Some(changed)
    }

    /// Returns the sums of ends when a variable's interval is narrowed.
    fn moved(
        &self,
        factor: i128,
        v: usize,
        to: Ends,
        (mut below, mut above): ((i128, i32), (i128, i32)),
    ) -> ((i128, i32), (i128, i32)) {
        let ends = |ends: Ends| if factor > 0 { ends } else { (ends.1, ends.0) };
        let (old, new) = (ends((self.low[v], self.high[v])), ends(to));
        for (all, old, new) in [(&mut below, old.0, new.0), (&mut above, old.1, new.1)] {
            if old >= INFINITE {
                all.1 -= 1
            } else {
                all.0 -= factor * old
            }
            if new >= INFINITE { all.1 += 1 } else { all.0 += factor * new }
        }
        (below, above)
    }

    /// Cuts off the ends of a variable's interval in which the node cannot have the wanted truth.
    fn shave(&mut self, v: usize, node: &Node, wanted: bool) -> bool {
        let (first, last) = (self.low[v], self.high[v]);
        // The greatest part from the low end on that is impossible, then from the high end: the
        // steps double from the end on, then the last of them is halved.
        let mut is_possible = |from: i128, to: i128| {
            (self.low[v], self.high[v]) = (from, to);
            self.possible(node, wanted)
        };
        let (mut low, mut to, mut step) = (first, last, 0);
        while low + step < to {
            if is_possible(first, low + step) {
                to = low + step;
                break;
            }
            (low, step) = (low + step + 1, 2 * step + 1);
        }
        while low < to {
            let middle = low + (to - low) / 2;
            if is_possible(first, middle) { to = middle } else { low = middle + 1 }
        }
        let (mut from, mut to, mut step) = (low, last, 0);
        // Nothing is possible that near to infinity, as a rule: the steps go up from the low end.
        if last >= INFINITE {
            while to - from > step + 1 {
                if !is_possible(from + step + 1, last) {
                    to = from + step;
                    break;
                }
                (from, step) = (from + step + 1, 2 * step + 1);
            }
        } else {
            while to - step > from {
                if is_possible(to - step, last) {
                    from = to - step;
                    break;
                }
                (to, step) = (to - step - 1, 2 * step + 1);
            }
        }
        while from < to {
            let middle = to - (to - from) / 2;
            if is_possible(middle, last) { from = middle } else { to = middle - 1 }
        }
        // The end itself is a number, with a truth of its own, which says nothing of a bound.
        if last >= INFINITE && to > i128::from(u64::MAX) {
            to = last;
        }
        (self.low[v], self.high[v]) = (low, to);
        (low, to) != (first, last)
    }

    /// Returns the values of a variable by which all of an equation is divided but a constant,
    /// which is not 0: they divide the constant, too.
    fn factors(&self, node: &Node, wanted: bool, v: usize) -> Option<Vec<i128>> {
        /// So many values are tried before the divisors are looked for.
        const FEW: i128 = 16;
        let Node::Compare(left, relation, right) = node else { return None };
        if *relation != if wanted { Relation::Equal } else { Relation::Unequal }
            || self.high[v] - self.low[v] < FEW
        {
            return None;
        }
        let mut all = Vec::new();
        self.products(left, 1, &mut all)?;
        self.products(right, -1, &mut all)?;
        let mut constant: i128 = 0;
        for (factor, variables) in &all {
            if variables.is_empty() {
                constant = constant.checked_add(*factor)?;
            } else if !variables.contains(&v) {
                return None;
            }
        }
        let mut values = divisors(constant.abs())?;
        values.retain(|value| self.low[v] <= *value && *value <= self.high[v]);
        Some(values)
    }

    /// Adds a multiple of a term as a sum of products; `None` if it is none, or a long one.
    fn products(&self, term: &Term, times: i128, all: &mut Products) -> Option<()> {
        const MAX_PRODUCTS: usize = 32;
        if let Some(value) = term.value(&|v| self.known(v)) {
            all.push((value.checked_mul(times)?, SmallVec::new()));
        } else {
            match term {
                Term::Variable(v) => all.push((times, SmallVec::from_slice(&[*v]))),
                Term::Sum(parts) => {
                    parts.iter().try_for_each(|part| self.products(part, times, all))?;
                }
                Term::Multiple(k, inner) => {
                    self.products(inner, times.checked_mul(i128::from(*k))?, all)?;
                }
                Term::Arithmetic(ArithmeticSymbol::Product, parts) => {
                    let mut product: Products = vec![(times, SmallVec::new())];
                    for part in parts {
                        let mut more = Vec::new();
                        self.products(part, 1, &mut more)?;
                        let mut next = Vec::new();
                        for (factor, variables) in &product {
                            for (other, others) in &more {
                                let joined = variables.iter().chain(others).copied().collect();
                                next.push((factor.checked_mul(*other)?, joined));
                            }
                        }
                        product = next;
                        if product.len() > MAX_PRODUCTS {
                            return None;
                        }
                    }
                    all.extend(product);
                }
                _ => return None,
            }
        }
        (all.len() <= MAX_PRODUCTS).then_some(())
    }

    /// Returns the values of a variable with which a condition can hold, where they are few and can
    /// be listed.
    fn listed(&self, word: ArithmeticSymbol, parts: &[Term], v: usize) -> Option<Vec<i128>> {
        /// The most values listed.
        const MAX_LISTED: usize = 1 << 20;
        let reader = Reader { low: &self.low, high: &self.high };
        // The argument is factor · v + constant.
        let alone = |term: &Term| {
            let (mut terms, mut constant) = (Vec::new(), 0);
            let is_linear = reader.add(term, 1, &mut terms, &mut constant);
            match terms[..] {
                [(only, factor)] if is_linear && only == v && factor != 0 => {
                    Some((factor, constant))
                }
                _ => None,
            }
        };
        let value = |term: &Term| term.value(&|v| self.known(v)).filter(|value| *value >= 0);
        let (argument, values): (&Term, Vec<i128>) = match (word, parts) {
            (ArithmeticSymbol::Divides, [by, n]) => match (value(by), value(n)) {
                (None, Some(n)) if n >= 1 => (by, divisors(n)?),
                (Some(by), None) if by >= 1 => {
                    let (low, high) = self.ends(n);
                    if high >= INFINITE || (high - low) / by > MAX_LISTED as i128 {
                        return None;
                    }
                    (n, (low.div_euclid(by)..=high.div_euclid(by)).map(|k| k * by).collect())
                }
                _ => return None,
            },
            (ArithmeticSymbol::Square, [n]) => {
                let (low, high) = self.ends(n);
                if !(0..1 << 40).contains(&high) {
                    return None;
                }
                (n, (integer_sqrt(low.max(0))..=integer_sqrt(high)).map(|k| k * k).collect())
            }
            (ArithmeticSymbol::Power, [base, n]) => {
                let (base, (_, high)) = (value(base)?, self.ends(n));
                if high >= INFINITE {
                    return None;
                }
                let mut all = vec![1];
                if base < 2 {
                    all.push(base);
                }
                while base >= 2 && all[all.len() - 1] <= high / base {
                    all.push(all[all.len() - 1] * base);
                }
                (n, all)
            }
            _ => return None,
        };
        let (factor, constant) = alone(argument)?;
        let at = |value: &i128| {
            let rest = value - constant;
            let x = rest / factor;
            (rest % factor == 0 && self.low[v] <= x && x <= self.high[v]).then_some(x)
        };
        let mut all: Vec<i128> = values.iter().filter_map(at).collect();
        all.sort_unstable();
        all.dedup();
        Some(all)
    }
}

/// Returns the divisors of a positive number below 2^40.
fn divisors(n: i128) -> Option<Vec<i128>> {
    let n = u64::try_from(n).ok().filter(|n| (1..1 << 40).contains(n))?;
    Some(arithmetic::divisors(n).into_iter().map(i128::from).collect())
}

/// A sum of products: the factor of each, and its variables.
type Products = Vec<(i128, SmallVec<[usize; 4]>)>;

/// Returns whether a variable is in the node.
fn says(node: &Node, v: usize) -> bool {
    let mut found = false;
    node.visit_terms(&mut |term| found |= *term == Term::Variable(v));
    found
}

/// Returns whether a quantifier in the node is this variable's.
fn binds(node: &Node, v: usize) -> bool {
    match node {
        Node::Constant(_) | Node::Compare(..) => false,
        Node::Not(inner) => binds(inner, v),
        Node::And(parts) | Node::Or(parts) => parts.iter().any(|part| binds(part, v)),
        Node::Implies(left, right) | Node::Iff(left, right) => binds(left, v) || binds(right, v),
        Node::Exists(variables, body) | Node::Forall(variables, body) => {
            variables.contains(&v) || binds(body, v)
        }
    }
}
