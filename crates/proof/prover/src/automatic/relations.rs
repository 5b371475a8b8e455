//! The automaton of any formula in digits that are not binary, subformula by subformula.
//!
//! Comparisons of sums, remainders, least and greatest are read by [`super::running`]. By a
//! recurrence a quotient is a variable of its own, with what defines it, and so is a multiple of an
//! irrational number. What a quantifier binds is projected (Büchi 1960). A conjunction is not
//! multiplied out first: a variable that is bound in it is eliminated from the parts that name it,
//! the one with which the fewest others go first.
//!
//! **Multiples.** Let b₁, …, b_L be the period of α = [a; (b₁, …, b_L)], once or twice, ξ = [b_L;
//! b₁, …, b_{L−1}, b_L, …] = α − a + b_L, and (p, p′; q, q′) the product of the matrices (b, 1; 1,
//! 0) of b_L, b₁, …, b_{L−1}. Then β = q·ξ + q′ is a unit with β² = (p + q′)·β − (−1)^L, and ⌊nα⌋
//! is (a − b_L)·n + ⌊(⌊nβ⌋ − q′·n)/q⌋. Let s(n) be n with a 0 behind its digits.
//!
//! - L odd: digits by t, 1 with t = p + q′. ⌊nβ⌋ is n + (s(m) − m)/t, where m = t·n − 1 if n > 0.
//! - L even: digits by t − 1, t − 2, t − 2, … ⌊nβ⌋ is s(n) − 1 if n > 0.
//!
//! The proofs stand in docs/certificates.md.

use super::running;
use bouton_automata::acceptor::{Acceptor, columns, explore};
use bouton_automata::effort::{Undecided, check_memory};
use bouton_core::{
    Arrange, DigitSystem, Formula, FormulaBuilder, Meter, Node, Period, Relation as Compared,
    Slope, Term,
};

/// Some numbers, and the automaton of those of which something holds.
#[derive(Debug, Clone)]
struct Relation {
    /// The variables, in their order.
    variables: Vec<usize>,
    /// On a track for each of them; it accepts only what is written as [`DigitSystem`] says.
    read: Acceptor,
}

/// Relations that hold together, with some values of these variables.
#[derive(Debug, Default)]
struct Conjunction {
    relations: Vec<Relation>,
    bound: Vec<usize>,
}

struct Compiler<'m> {
    digits: DigitSystem,
    /// The number of the next variable.
    next: usize,
    /// Slopes met, with the automaton of n, ⌊nα⌋.
    multiples: Vec<(Slope, Acceptor)>,
    meter: &'m mut Meter,
}

/// Returns the automaton of a formula's free variables in these digits, which are not binary.
///
/// # Errors
/// If the formula is not read in these digits, or an automaton is beyond the budget.
pub(super) fn acceptor(
    formula: &Formula,
    digits: DigitSystem,
    meter: &mut Meter,
) -> Result<Acceptor, Undecided> {
    let next = formula.names.len();
    let mut compiler = Compiler { digits, next, multiples: Vec::new(), meter };
    let own = compiler.relation(&formula.root, true)?;
    let all = compiler.said(Node::Constant(true), (0..formula.free).collect())?;
    Ok(compiler.joined(&own, &all, |own, all| own && all)?.read)
}

/// The unit of a period: β = by·ξ + of, where ξ is [last; …] as at the head of this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Unit {
    digits: DigitSystem,
    /// The sum of β and its conjugate.
    trace: i64,
    /// Whether their product is −1.
    odd: bool,
    last: i64,
    by: i64,
    of: i64,
}

impl Unit {
    /// Returns the unit of a period so often; `None` if there are no digits for it.
    fn new(period: Period, times: usize) -> Option<Unit> {
        let mut quotients: Vec<i64> = period.quotients().collect();
        quotients.rotate_right(1);
        let last = quotients[0];
        let mut rows = [[1i64, 0], [0, 1]];
        for b in quotients.repeat(times) {
            for row in &mut rows {
                let next = row[0].checked_mul(b)?.checked_add(row[1]);
                *row = [next.filter(|next| *next < 1 << 20)?, row[0]];
            }
        }
        let odd = quotients.len() * times % 2 == 1;
        let [[p, _], [by, of]] = rows;
        let trace = p + of;
        let t = usize::try_from(trace).ok()?;
        let digits = if odd {
            DigitSystem::from_coefficients(&[t, 1], &[])
        } else {
            DigitSystem::from_coefficients(&[t - 1], &[t - 2])
        };
        Some(Unit { digits: digits?, trace, odd, last, by, of })
    }

    /// Returns the units of a period for which there are digits.
    fn all(period: Period) -> impl Iterator<Item = Unit> {
        [1, 2].into_iter().filter_map(move |times| Unit::new(period, times))
    }
}

/// Returns digits in which multiples of numbers with all these periods are read.
pub(crate) fn digits_of_periods(periods: &[Period]) -> Option<DigitSystem> {
    let reads = |digits, period: &Period| Unit::all(*period).any(|unit| unit.digits == digits);
    Unit::all(*periods.first()?)
        .map(|unit| unit.digits)
        .find(|digits| periods.iter().all(|period| reads(*digits, period)))
}

/// Returns whether a quantifier is in the node.
fn is_quantified(node: &Node) -> bool {
    match node {
        Node::Exists(..) | Node::Forall(..) => true,
        Node::Constant(_) | Node::Compare(..) => false,
        Node::Not(inner) => is_quantified(inner),
        Node::And(parts) | Node::Or(parts) => parts.iter().any(is_quantified),
        Node::Implies(one, other) | Node::Iff(one, other) => {
            is_quantified(one) || is_quantified(other)
        }
    }
}

impl Compiler<'_> {
    fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// Returns whether the node is read without variables of its own.
    fn is_plain(&self, node: &Node) -> bool {
        let mut plain = !is_quantified(node);
        node.visit_terms(&mut |term| {
            plain &= match term {
                Term::Shift(_) | Term::Floor(..) => false,
                Term::Quotient(..) => self.digits.is_to_base(),
                _ => true,
            }
        });
        plain
    }

    /// Returns the relation that a plain node states of the variables in it.
    fn plain(&mut self, node: Node) -> Result<Relation, Undecided> {
        let mut variables = Vec::new();
        node.visit_terms(&mut |term| {
            if let Term::Variable(v) = term {
                variables.push(*v);
            }
        });
        variables.arrange();
        variables.dedup();
        self.said(node, variables)
    }

    /// Returns the relation that a plain node states of these variables, which are all that are in
    /// it.
    fn said(&mut self, node: Node, variables: Vec<usize>) -> Result<Relation, Undecided> {
        let mut places = vec![0; self.next];
        variables.iter().zip(0..).for_each(|(v, place)| places[*v] = place);
        let names = |count: usize| (0..count).map(|number| format!("x{number}"));
        let whole = Formula { names: names(self.next).collect(), free: self.next, root: node };
        let mut builder = FormulaBuilder::over(names(variables.len()));
        let root = builder.embed(&whole, &places);
        let read = running::acceptor(&builder.build(root), self.digits, self.meter)?;
        Ok(Relation { variables, read: read.restricted_to_numerals(self.meter)? })
    }

    /// Returns the relation that the node has this truth.
    fn relation(&mut self, node: &Node, truth: bool) -> Result<Relation, Undecided> {
        match (node, truth) {
            (node, true) if self.is_plain(node) => self.plain(node.clone()),
            (node, false) if self.is_plain(node) => self.plain(node.clone().negated()),
            (Node::Or(parts), true) | (Node::And(parts), false) => {
                let mut any = self.plain(Node::Constant(false))?;
                for part in parts {
                    let own = self.relation(part, truth)?;
                    any = self.joined(&any, &own, |any, own| any || own)?;
                }
                Ok(any)
            }
            (Node::Implies(one, other), true) => {
                let (one, other) = (self.relation(one, false)?, self.relation(other, true)?);
                self.joined(&one, &other, |one, other| one || other)
            }
            (Node::Iff(one, other), _) => {
                let (one, other) = (self.relation(one, truth)?, self.relation(other, true)?);
                self.joined(&one, &other, |one, other| one == other)
            }
            (Node::Exists(..), false) | (Node::Forall(..), true) => {
                let Relation { variables, mut read } = self.relation(node, !truth)?;
                read.accepts.iter_mut().for_each(|accepts| *accepts = !*accepts);
                Ok(Relation { variables, read: read.restricted_to_numerals(self.meter)? })
            }
            _ => {
                let mut all = Conjunction::default();
                self.gather(node, truth, &mut all)?;
                self.eliminated(all)
            }
        }
    }

    /// Adds relations that hold together, with some values of the bound variables added, if and
    /// only if the node has this truth.
    fn gather(&mut self, node: &Node, truth: bool, all: &mut Conjunction) -> Result<(), Undecided> {
        match (node, truth) {
            (Node::And(parts), true) | (Node::Or(parts), false) => {
                parts.iter().try_for_each(|part| self.gather(part, truth, all))
            }
            (Node::Implies(one, other), false) => {
                self.gather(one, true, all)?;
                self.gather(other, false, all)
            }
            (Node::Not(inner), _) => self.gather(inner, !truth, all),
            (Node::Exists(bound, body), true) | (Node::Forall(bound, body), false)
                if !bound.iter().any(|v| all.bound.contains(v)) =>
            {
                all.bound.extend(bound);
                self.gather(body, truth, all)
            }
            (Node::Compare(left, relation, right), _) if !self.is_plain(node) => {
                let (left, right) = (self.term(left, all)?, self.term(right, all)?);
                let relation = if truth { *relation } else { relation.negated() };
                let own = self.plain(left.compared(relation, right))?;
                all.relations.push(own);
                Ok(())
            }
            _ => {
                let own = self.relation(node, truth)?;
                all.relations.push(own);
                Ok(())
            }
        }
    }

    /// Returns a plain term with the same value, by variables of its own, which are added with what
    /// defines them.
    fn term(&mut self, term: &Term, all: &mut Conjunction) -> Result<Term, Undecided> {
        let mut each = |parts: &[Term]| {
            parts.iter().map(|part| self.term(part, all)).collect::<Result<Vec<Term>, _>>()
        };
        Ok(match term {
            Term::Sum(parts) => Term::Sum(each(parts)?),
            Term::Min(parts) => Term::Min(each(parts)?),
            Term::Max(parts) => Term::Max(each(parts)?),
            Term::Multiple(k, inner) => Term::Multiple(*k, self.term(inner, all)?.into()),
            Term::Remainder(inner, by) => Term::Remainder(self.term(inner, all)?.into(), *by),
            Term::Quotient(inner, by) if self.digits.is_to_base() => {
                Term::Quotient(self.term(inner, all)?.into(), *by)
            }
            Term::Quotient(inner, by) => {
                let inner = self.term(inner, all)?;
                let by = i64::try_from(*by).ok().filter(|by| *by > 0);
                let by = by.ok_or(Undecided::Automatic("numbers so large"))?;
                let own = self.defined(all);
                let left = Term::Sum(vec![inner, Term::Multiple(-by, own.clone().into())]);
                let said = left.clone().compared(Compared::AtLeast, Term::Number(0));
                let below = left.compared(Compared::Less, Term::Number(by as u64));
                let defines = self.plain(said.and(below))?;
                all.relations.push(defines);
                own
            }
            Term::Floor(slope, inner) => {
                let inner = self.term(inner, all)?;
                let of = if let Term::Variable(v) = inner {
                    v
                } else {
                    let own = self.defined(all);
                    let defines = self.plain(own.clone().equals(inner))?;
                    all.relations.push(defines);
                    self.next - 1
                };
                let read = self.multiples_of(*slope)?;
                let own = self.defined(all);
                all.relations.push(Relation { variables: vec![of, self.next - 1], read });
                own
            }
            Term::Shift(_) => {
                return Err(Undecided::Automatic("shifts in digits other than Zeckendorf's"));
            }
            other => other.clone(),
        })
    }

    /// Returns a new variable that is bound there.
    fn defined(&mut self, all: &mut Conjunction) -> Term {
        let own = self.fresh();
        all.bound.push(own);
        Term::Variable(own)
    }

    /// Returns the automaton of n, ⌊nα⌋.
    fn multiples_of(&mut self, slope: Slope) -> Result<Acceptor, Undecided> {
        if let Some((_, known)) = self.multiples.iter().find(|(own, _)| *own == slope) {
            return Ok(known.clone());
        }
        let unit = Unit::all(slope.period).find(|unit| unit.digits == self.digits);
        let unit = unit.ok_or(Undecided::Automatic(
            "multiples of an irrational number in digits that are not those of its unit",
        ))?;
        let [n, multiple, m, shifted, added, of_unit] = [(); 6].map(|()| self.fresh());
        let times = |k: i64, v: usize| Term::Multiple(k, Term::Variable(v).into());
        let sum = |parts: Vec<Term>| Term::Sum(parts);
        let (zero, one) = (|| Term::Number(0), || Term::Number(1));
        let is_none = |v: usize| Term::Variable(v).equals(zero());
        // That the second is 0 where n is, or the equation.
        let or_none = |second: usize, equation: Node| {
            let some = Term::Variable(n).compared(Compared::Greater, zero()).and(equation);
            Node::any([is_none(n).and(is_none(second)), some])
        };
        let mut said = Vec::new();
        let shift = if unit.odd {
            let less = sum(vec![times(unit.trace, n), times(-1, m)]).equals(one());
            said.push(or_none(m, less));
            said.push(
                sum(vec![times(unit.trace, added), times(1, m), times(-1, shifted)]).equals(zero()),
            );
            said.push(sum(vec![times(1, n), times(1, added), times(-1, of_unit)]).equals(zero()));
            vec![m, shifted]
        } else {
            let less = sum(vec![times(1, shifted), times(-1, of_unit)]).equals(one());
            said.push(or_none(of_unit, less));
            vec![n, shifted]
        };
        // ⌊nβ⌋ − q′·n less q times what is beside (a − b_L)·n in the multiple.
        let left = sum(vec![
            times(1, of_unit),
            times(unit.by * (i64::from(slope.whole) - unit.last) - unit.of, n),
            times(-unit.by, multiple),
        ]);
        said.push(left.clone().compared(Compared::AtLeast, zero()));
        said.push(left.compared(Compared::Less, Term::Number(unit.by as u64)));
        let read = self.shift()?;
        let mut relations = vec![Relation { variables: shift, read }];
        for node in said {
            relations.push(self.plain(node)?);
        }
        let bound = vec![m, shifted, added, of_unit];
        let own = self.eliminated(Conjunction { relations, bound })?;
        self.multiples.push((slope, own.read.clone()));
        Ok(own.read)
    }

    /// Returns the automaton of n and what n is with a 0 behind its digits: a digit of the second
    /// one is the next digit of the first.
    fn shift(&mut self) -> Result<Acceptor, Undecided> {
        let base = self.digits.base();
        let step = |state: &usize, column: usize| {
            (self.digits.digit(column, 0) == *state).then(|| self.digits.digit(column, 1))
        };
        let meter = &mut *self.meter;
        let enter = |state: &usize, _: usize| {
            meter.spend_and_poll((base * base) as u64)?;
            Ok(*state == 0)
        };
        let found = explore(0, base * base, enter, step)?;
        let own = with_dead_state(found, Acceptor { tracks: 2, ..self.empty() });
        Ok(own.restricted_to_numerals(self.meter)?)
    }

    /// Returns an automaton without states.
    fn empty(&self) -> Acceptor {
        Acceptor { digits: self.digits, tracks: 0, next: Vec::new(), accepts: Vec::new() }
    }

    /// Eliminates the bound variables, and joins what is left.
    fn eliminated(&mut self, all: Conjunction) -> Result<Relation, Undecided> {
        let Conjunction { mut relations, mut bound } = all;
        bound.arrange();
        bound.dedup();
        loop {
            bound.retain(|v| relations.iter().any(|own| own.variables.contains(v)));
            let beside = |v: &usize| {
                let named = relations.iter().filter(|own| own.variables.contains(v));
                let mut all: Vec<usize> =
                    named.flat_map(|own| own.variables.iter().copied()).collect();
                all.arrange();
                all.dedup();
                all.len()
            };
            let Some(v) = bound.iter().copied().min_by_key(beside) else { break };
            let (named, rest): (Vec<_>, Vec<_>) =
                relations.into_iter().partition(|own| own.variables.contains(&v));
            relations = rest;
            let whole = self.all(named)?;
            relations.push(self.projected(&whole, v)?);
        }
        self.all(relations)
    }

    /// Joins relations, small ones first.
    fn all(&mut self, mut relations: Vec<Relation>) -> Result<Relation, Undecided> {
        relations.arrange_by_key(|own| (own.variables.len(), own.read.next.len()));
        let mut relations = relations.into_iter();
        let Some(mut whole) = relations.next() else { return self.plain(Node::Constant(true)) };
        for own in relations {
            whole = self.joined(&whole, &own, |whole, own| whole && own)?;
        }
        Ok(whole)
    }

    /// Returns what holds of the variables of both, by what holds of each.
    fn joined(
        &mut self,
        one: &Relation,
        other: &Relation,
        holds: fn(bool, bool) -> bool,
    ) -> Result<Relation, Undecided> {
        let mut variables = [&one.variables[..], &other.variables].concat();
        variables.arrange();
        variables.dedup();
        let (base, tracks) = (self.digits.base(), variables.len());
        let count = columns(base, tracks);
        let count = count.ok_or(Undecided::Automatic("so many numbers together"))?;
        // What each of the two reads of a column.
        let read = |own: &Relation| -> Vec<usize> {
            let places: Vec<usize> =
                (0..tracks).filter(|place| own.variables.contains(&variables[*place])).collect();
            let column = |column: usize| {
                let digits = places.iter().rev().map(|place| self.digits.digit(column, *place));
                digits.fold(0, |all, digit| base * all + digit)
            };
            (0..count).map(column).collect()
        };
        let columns = [read(one), read(other)];
        let alive = [one.read.coaccessible_states(), other.read.coaccessible_states()];
        let meter = &mut *self.meter;
        let enter = |[s, t]: &[u32; 2], known: usize| {
            meter.spend_and_poll(count as u64)?;
            check_memory(meter, known * (48 + 4 * count))?;
            Ok(holds(one.read.accepts[*s as usize], other.read.accepts[*t as usize]))
        };
        let step = |[s, t]: &[u32; 2], column: usize| {
            let s = one.read.next[*s as usize][columns[0][column]];
            let t = other.read.next[*t as usize][columns[1][column]];
            let truths = |alive: bool| if alive { &[true, false][..] } else { &[false] };
            let (s_may, t_may) = (truths(alive[0][s as usize]), truths(alive[1][t as usize]));
            let is_open = s_may.iter().any(|s| t_may.iter().any(|t| holds(*s, *t)));
            is_open.then_some([s, t])
        };
        let found = explore([0; 2], count, enter, step)?;
        let read = with_dead_state(found, Acceptor { tracks, ..self.empty() });
        let is_within_both = [(true, false), (false, true), (false, false)]
            .iter()
            .all(|(one, other)| !holds(*one, *other));
        let read = if is_within_both {
            read.minimal(self.meter)?
        } else {
            read.restricted_to_numerals(self.meter)?
        };
        Ok(Relation { variables, read })
    }

    /// Returns of which of the other variables it holds with some value of this one: the states are
    /// sets of states, the first one all that lead there by zeros of the others, since the value
    /// may have more digits than they.
    fn projected(&mut self, own: &Relation, variable: usize) -> Result<Relation, Undecided> {
        let Some(place) = own.variables.iter().position(|v| *v == variable) else {
            return Ok(own.clone());
        };
        let (base, alive) = (self.digits.base(), own.read.coaccessible_states());
        let (low, count) = (base.pow(place as u32), own.read.columns() / base);
        let after = |states: &[u32], column: usize| {
            let known = column % low + column / low * (low * base);
            let mut all: Vec<u32> = states
                .iter()
                .flat_map(|state| {
                    let row = &own.read.next[*state as usize];
                    (0..base).map(move |digit| row[known + digit * low])
                })
                .filter(|to| alive[*to as usize])
                .collect();
            all.arrange();
            all.dedup();
            all
        };
        let mut first = vec![0];
        loop {
            self.meter.spend_and_poll((base * first.len()) as u64)?;
            let mut more = [&first[..], &after(&first, 0)].concat();
            more.arrange();
            more.dedup();
            if more == first {
                break;
            }
            first = more;
        }
        let meter = &mut *self.meter;
        let mut bytes = 0;
        let enter = |states: &Vec<u32>, _: usize| {
            meter.spend_and_poll((count * (1 + base * states.len())) as u64)?;
            bytes += 96 + 4 * count + 8 * states.len();
            check_memory(meter, bytes)?;
            Ok(states.iter().any(|state| own.read.accepts[*state as usize]))
        };
        let step = |states: &Vec<u32>, column: usize| Some(after(states, column));
        let (next, accepts) = explore(first, count, enter, step)?;
        let variables: Vec<usize> =
            own.variables.iter().copied().filter(|v| *v != variable).collect();
        let read = Acceptor { next, accepts, tracks: variables.len(), ..own.read };
        Ok(Relation { variables, read: read.minimal(self.meter)? })
    }
}

/// Returns what was explored with one state more, from which nothing is accepted.
fn with_dead_state((mut next, mut accepts): (Vec<Vec<u32>>, Vec<bool>), of: Acceptor) -> Acceptor {
    let dead = next.len() as u32;
    next.iter_mut().flatten().filter(|to| **to == u32::MAX).for_each(|to| *to = dead);
    next.push(vec![dead; next[0].len()]);
    accepts.push(false);
    Acceptor { next, accepts, ..of }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Budget;

    fn made(text: &str, digits: DigitSystem) -> Result<Acceptor, Undecided> {
        let names = ["a".to_owned(), "b".to_owned()];
        let formula = Formula::parse_over(text, &names).unwrap();
        let budget = Budget { nodes: Some(1 << 26), ..Budget::default() };
        acceptor(&formula, digits, &mut Meter::new(&budget))
    }

    /// Formulas of a and b, a number c from 0 to 4 in them, and what they say by a whole root, m
    /// being a function that rounds multiples down.
    type Case = (&'static str, fn(&dyn Fn(u64) -> u64, u64, u64, u64) -> bool);
    const CASES: &[Case] = &[
        ("FLOOR(a)+C = b", |m, a, b, c| m(a) + c == b),
        ("FLOOR(a+C) >= 2*b | FLOOR(b) < a", |m, a, b, c| m(a + c) >= 2 * b || m(b) < a),
        ("E x: FLOOR(x) = a & b = x+C", |m, a, b, c| b >= c && m(b - c) == a),
        ("E x: a <= x & x <= FLOOR(b) & x mod 3 = C", |m, a, b, c| (a..=m(b)).any(|x| x % 3 == c)),
        ("A x: x = a+C <=> x = FLOOR(b)", |m, a, b, c| a + c == m(b)),
        ("~(E k: k = FLOOR(a) & k >= b | k = b & k > a+C)", |m, a, b, c| m(a) < b && b <= a + c),
        ("A x: E y: FLOOR(x) + y = b+C | x > a", |m, a, b, c| m(a) <= b + c),
        ("FLOOR(a) div 2 = b div 3 <=> (b+C) mod 2 = a mod 2", |m, a, b, c| {
            (m(a) / 2 == b / 3) == ((b + c) % 2 == a % 2)
        }),
        ("E x: x+x = a & (E y: y = FLOOR(x) & b = max(y, C))", |m, a, b, c| {
            a % 2 == 0 && b == m(a / 2).max(c)
        }),
    ];

    /// Automata in digits of units accept what formulas say: with √2 and two other numbers of its
    /// field, √13, √3 and another number of its field, and (√10 − 2)/3.
    #[test]
    fn automata_in_digits_of_units_accept_what_formulas_say() {
        let cases: [(&str, &[u64], [i64; 3], bool); 7] = [
            ("floor[1;(2)]", &[2], [0, 2, 1], false),
            ("floor[0;(2)]", &[2], [-1, 2, 1], false),
            ("floor[1;(2)]", &[2], [0, 2, 1], true),
            ("floor[1;(3)]", &[3], [-1, 13, 2], false),
            ("floor[1;(1,2)]", &[1, 2], [0, 3, 1], true),
            ("floor[0;(2,1)]", &[2, 1], [-1, 3, 2], true),
            ("floor[0;(2,1,1)]", &[2, 1, 1], [-2, 10, 3], false),
        ];
        let mut both = [0; 2];
        for (floor, period, [b, d, c], even) in cases {
            let mut units = Unit::all(Period::new(period).unwrap());
            let digits = units.find(|unit| unit.odd != even).unwrap().digits;
            let multiple = |n: u64| {
                let n = n as i64;
                (b * n + (d * n * n).isqrt()).div_euclid(c) as u64
            };
            for (number, (text, holds)) in CASES.iter().enumerate() {
                let by = number as u64 % 5;
                let text = text.replace("FLOOR", floor).replace('C', &by.to_string());
                let own = made(&text, digits).unwrap();
                for (a, b) in (0..40).flat_map(|a| (0..40).map(move |b| (a, b))) {
                    let expected = holds(&multiple, a, b, by);
                    assert_eq!(own.holds(&[a, b]), expected, "{text}, {digits}: {a}, {b}");
                    both[usize::from(expected)] += 1;
                }
            }
        }
        assert!(both.iter().all(|count| *count > 10_000), "{both:?}");
    }

    /// Quantifiers to a base, and quotients and quantifiers by a recurrence of three terms.
    #[test]
    fn quantifiers_are_read_in_all_digits() {
        type Case = (&'static str, fn(u64, u64) -> bool);
        let cases: [Case; 5] = [
            ("E x: a = 3*x & x <= b", |a, b| a % 3 == 0 && a / 3 <= b),
            ("A x: 2*x <= a => x != b", |a, b| 2 * b > a),
            ("E x: a < 2*x & 3*x < b", |a, b| 3 * (a / 2 + 1) < b),
            ("(E x: a+x = b) & ~(E x: b = a+2*x)", |a, b| a <= b && (b - a) % 2 == 1),
            ("a div 3 = b div 2 & (A x: x*4 = b => x < a)", |a, b| {
                a / 3 == b / 2 && (b % 4 > 0 || b / 4 < a)
            }),
        ];
        let digits = [
            DigitSystem::to_base(3),
            DigitSystem::to_base(4),
            DigitSystem::from_coefficients(&[1, 1, 1], &[]).unwrap(),
            DigitSystem::from_coefficients(&[2, 1], &[]).unwrap(),
        ];
        for (text, holds) in cases {
            for digits in digits {
                let own = made(text, digits).unwrap();
                for (a, b) in (0..50).flat_map(|a| (0..50).map(move |b| (a, b))) {
                    assert_eq!(own.holds(&[a, b]), holds(a, b), "{text}, {digits}: {a}, {b}");
                }
            }
        }
    }

    #[test]
    fn multiples_in_digits_of_another_field_are_refused() {
        let pell = DigitSystem::from_coefficients(&[2, 1], &[]).unwrap();
        for text in ["floor[1;(3)](a) = b", "shift(a) = b", "E x: floor[1;(1)](x) = a"] {
            assert!(matches!(made(text, pell), Err(Undecided::Automatic(_))), "{text}");
        }
        let period = |quotients: &[u64]| Period::new(quotients).unwrap();
        // 2√2 has the unit of √2, squared; √3 has another field.
        let both = digits_of_periods(&[period(&[2]), period(&[1, 4])]);
        assert_eq!(both, DigitSystem::from_coefficients(&[5], &[4]));
        assert_eq!(digits_of_periods(&[period(&[2])]), Some(pell));
        assert_eq!(digits_of_periods(&[period(&[2]), period(&[1, 2])]), None);
        assert_eq!(digits_of_periods(&[period(&[1, 1, 1, 4])]), None);
        assert_eq!(digits_of_periods(&[]), None);
    }
}
