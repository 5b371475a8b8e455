//! P-positions of two heaps that are the pairs of two sequences: one by least numbers that are
//! free, the other from it.
//!
//! Wythoff's game has a by least numbers in no earlier pair, and b = a + n. Where b is another
//! function of a, n and the pair before, or less is free, such sequences answer the games of
//! Fraenkel (Heap games, numeration systems and sequences, 1998; New games related to old and new
//! sequences, 2004) and of Gurvich (2012), those that no automaton reads among them. What is to be
//! shown of all pairs, and of any two, is decided with addition (docs/certificates.md, kind
//! `pairs`); what has to be known of them for that is taken from the first pairs, and given up
//! where it does not follow from itself.

use crate::MoveSystem;
use bouton_automata::{Decision, Numeration, Undecided, decide};
use bouton_certificate::{Certificate, CertificateKind, PPositionsClaim};
use bouton_core::{Formula, FormulaBuilder, FormulaError, Meter, Node, Relation, Term, Unknown};
use std::collections::HashSet;
use std::fmt;

/// How the text of such sequences begins.
pub const BY_MEX: &str = "a = mex";
/// The names of what b depends on, and b.
const NAMES: [&str; 5] = ["n", "a", "p", "q", "b"];
/// The most numbers from one of a pair on that are not free.
const MAX_WIDTH: u64 = 64;
/// The greatest b of the first pair.
const MAX_FIRST: u64 = 1 << 32;
/// Of so many first pairs it is seen what holds of each and of any two.
const SEEN: usize = 40;
/// The greatest multiple of a that b is compared with.
const TIMES: i64 = 4;

/// Pairs (Aₙ, Bₙ) for n = 0, 1, …. Aₙ is the least k such that none of k, k − 1, …, k − width + 1
/// is a number of a pair before; Bₙ is a function of n, Aₙ, Aₙ₋₁ and Bₙ₋₁.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairs {
    /// How many numbers from one of a pair on are not free; from 1 to 64.
    width: u64,
    /// The formula b = …, over n, a, p, q and b, where p and q are the pair before.
    other: Formula,
    /// b of the first pair, where p or q are named; up to 2³².
    first: Option<u64>,
}

impl Pairs {
    /// Reads pairs as they are printed: `a = mex_2, b = a + q - p + 1 from 0`. Fails at the place
    /// that cannot be read.
    pub fn parse(text: &str) -> Result<Pairs, FormulaError> {
        let wrong = |at: usize, message: &str| FormulaError {
            message: message.to_owned(),
            range: at..text.len().max(at),
            accepted: "`a = mex, b = a + n`, or with the pair before as p, q and mex_2, \
                       which leaves the number after each one out, too: `a = mex_2, b = a + q - p \
                       + 1 from 0`"
                .to_owned(),
        };
        let text = text.trim();
        let rest = text.strip_prefix(BY_MEX).ok_or_else(|| wrong(0, "no pairs by mex"))?;
        let (width, rest) =
            rest.split_once(',').ok_or_else(|| wrong(text.len(), "a comma is missing"))?;
        let width = match width.trim() {
            "" => Some(1),
            width => width.strip_prefix('_').and_then(|width| width.parse().ok()),
        };
        let width = width
            .filter(|width| (1..=MAX_WIDTH).contains(width))
            .ok_or_else(|| wrong(BY_MEX.len(), "not mex, nor mex_2 to mex_64"))?;
        let (other, first) = match rest.split_once(" from ") {
            None => (rest, None),
            Some((other, first)) => {
                let first = first.trim().parse().ok().filter(|first| *first <= MAX_FIRST);
                let at = text.len() - rest.len() + other.len() + " from ".len();
                (other, Some(first.ok_or_else(|| wrong(at, "this is no number up to 2^32"))?))
            }
        };
        let at = text.len() - rest.len();
        let read = Formula::parse_over(other, &NAMES.map(String::from)).map_err(|error| {
            FormulaError { range: error.range.start + at..error.range.end + at, ..error }
        })?;
        let is_defined = matches!(
            &read.root,
            Node::Compare(Term::Variable(4), Relation::Equal, term) if !term.mentions(4)
        );
        if !is_defined {
            return Err(wrong(at, "b is not defined by a number"));
        }
        let found = Pairs { width, other: read, first };
        match (found.is_recursive(), first) {
            (true, None) => Err(wrong(text.len(), "the first b is missing")),
            (false, Some(_)) => {
                Err(wrong(at, "the first b is known, as b does not depend on the pair before"))
            }
            _ => Ok(found),
        }
    }

    /// Returns the pairs with b = c₀·n + c₁·a + c₂·p + c₃·q + constant.
    pub fn linear(width: u64, coefficients: [i64; 4], constant: i64, first: Option<u64>) -> Pairs {
        // a comes first, as one would write it.
        let multiples = [1, 3, 2, 0].into_iter().filter_map(|at| match coefficients[at] {
            0 => None,
            1 => Some(Term::Variable(at)),
            times => Some(Term::Multiple(times, Term::Variable(at).into())),
        });
        let constant = match u64::try_from(constant) {
            Ok(0) => None,
            Ok(constant) => Some(Term::Number(constant)),
            Err(_) => Some(Term::Multiple(-1, Term::Number(constant.unsigned_abs()).into())),
        };
        let sum: Vec<Term> = multiples.chain(constant).collect();
        let other = match &sum[..] {
            [] => Term::Number(0),
            [one] => one.clone(),
            _ => Term::Sum(sum),
        };
        let names = NAMES.map(String::from);
        let root = Term::Variable(4).equals(other);
        Pairs { width, other: FormulaBuilder::over(names).build(root), first }
    }

    /// Returns how many numbers from one of a pair on are not free.
    pub fn width(&self) -> u64 {
        self.width
    }

    /// Returns b of the first pair, if b depends on the pair before.
    pub fn first(&self) -> Option<u64> {
        self.first
    }

    /// Returns the term that b is.
    fn term(&self) -> Option<&Term> {
        match &self.other.root {
            Node::Compare(_, _, term) => Some(term),
            _ => None,
        }
    }

    /// Returns whether b depends on the pair before.
    fn is_recursive(&self) -> bool {
        self.other.root.mentions(2) || self.other.root.mentions(3)
    }

    /// Returns the first pairs: so many, or those with a up to a bound. Fails where b is negative
    /// or beyond 2⁶³.
    pub fn list(&self, most: usize, greatest: u64) -> Result<Vec<[u64; 2]>, Unknown> {
        let up_to = |pair: &Result<[u64; 2], Unknown>| match pair {
            Ok([a, _]) => *a <= greatest,
            Err(_) => true,
        };
        self.iter().take(most).take_while(up_to).collect()
    }

    /// Returns the pairs one after the other, a ascending. An error, where b is negative or beyond
    /// 2⁶³, is the last item.
    pub fn iter(&self) -> impl Iterator<Item = Result<[u64; 2], Unknown>> + '_ {
        // Numbers of pairs before, those that no a to come is compared with left out.
        let mut taken: HashSet<u64> = HashSet::new();
        let (mut a, mut n, mut before) = (0, 0, None);
        let mut is_over = false;
        std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            while (0..self.width.min(a + 1)).any(|below| taken.contains(&(a - below))) {
                a += 1;
                a.checked_sub(self.width).map(|passed| taken.remove(&passed));
            }
            let b = match (self.first, before) {
                (Some(first), None) => Some(first),
                _ => {
                    let [p, q] = before.unwrap_or_default();
                    let term = self.term().and_then(|term| value(term, &[n, a, p, q]));
                    term.and_then(|b| u64::try_from(b).ok()).filter(|b| *b < 1 << 62)
                }
            };
            let Some(b) = b else {
                is_over = true;
                return Some(Err(Unknown::Overflow));
            };
            taken.extend([a, b]);
            (n, before) = (n + 1, Some([a, b]));
            Some(Ok([a, b]))
        })
    }
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(BY_MEX)?;
        if self.width > 1 {
            write!(f, "_{}", self.width)?;
        }
        write!(f, ", {}", self.other)?;
        match self.first {
            Some(first) => write!(f, " from {first}"),
            None => Ok(()),
        }
    }
}

/// Returns the value of a term of sums, quotients, remainders, minima and maxima; `None` if it is
/// too big, or another kind of term.
fn value(term: &Term, of: &[u64]) -> Option<i128> {
    let one = |term: &Term| value(term, of);
    Some(match term {
        Term::Number(number) => i128::from(*number),
        Term::Variable(at) => i128::from(*of.get(*at)?),
        Term::Sum(all) => all.iter().try_fold(0, |sum: i128, term| sum.checked_add(one(term)?))?,
        Term::Multiple(times, term) => one(term)?.checked_mul(i128::from(*times))?,
        Term::Min(all) => all.iter().map(one).collect::<Option<Vec<_>>>()?.into_iter().min()?,
        Term::Max(all) => all.iter().map(one).collect::<Option<Vec<_>>>()?.into_iter().max()?,
        Term::Quotient(term, by) => one(term)?.div_euclid(i128::from(*by)),
        Term::Remainder(term, by) => one(term)?.rem_euclid(i128::from(*by)),
        _ => return None,
    })
}

/// What is known of pairs, from which the rest is decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairsProof {
    /// Of each pair, over n, a, b.
    each: Formula,
    /// Of any two pairs, over m, a, b of the earlier one and n, c, d of the later one.
    two: Formula,
    /// A number of each pair, over a, b: a position that is below a pair has a move to the last
    /// earlier one with a number that is no greater.
    nearest: Measure,
}

/// A number of a position, from its lesser and its greater heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Difference,
    Greater,
    Lesser,
    Sum,
}

impl Measure {
    const ALL: [Measure; 4] =
        [Measure::Difference, Measure::Greater, Measure::Lesser, Measure::Sum];

    fn of(self, [lesser, greater]: [Term; 2]) -> Term {
        match self {
            Measure::Difference => Term::Sum(vec![greater, Term::Multiple(-1, lesser.into())]),
            Measure::Greater => greater,
            Measure::Lesser => lesser,
            Measure::Sum => Term::Sum(vec![lesser, greater]),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Measure::Difference => "b - a",
            Measure::Greater => "b",
            Measure::Lesser => "a",
            Measure::Sum => "a + b",
        })
    }
}

/// A pair's variables: its number, and its numbers.
type Pair = [usize; 3];

/// A statement in the making: its variables, and what is assumed of them.
struct Statement {
    builder: FormulaBuilder,
    variables: Vec<usize>,
    assumed: Vec<Node>,
}

fn variable(at: usize) -> Term {
    Term::Variable(at)
}

fn above(at: usize, more: u64) -> Term {
    Term::Sum(vec![variable(at), Term::Number(more)])
}

fn ordered(left: Term, relation: Relation, right: Term) -> Node {
    left.compared(relation, right)
}

impl Statement {
    fn new() -> Statement {
        Statement { builder: FormulaBuilder::default(), variables: Vec::new(), assumed: Vec::new() }
    }

    fn bind(&mut self, name: &str) -> usize {
        let bound = self.builder.bind(name);
        self.variables.push(bound);
        bound
    }

    /// Decides whether this follows from what is assumed.
    fn implies(self, then: Node, meter: &mut Meter) -> Result<bool, Undecided> {
        let root = Node::all(self.assumed).implies(then).for_all(self.variables);
        let sentence = self.builder.build(root);
        Ok(matches!(decide(&sentence, Numeration::Binary, meter)?, Decision::True(_)))
    }
}

/// The game and its pairs, with what is known of them so far.
struct Attempt<'g> {
    moves: &'g MoveSystem,
    pairs: &'g Pairs,
    each: Vec<Formula>,
    two: Vec<Formula>,
}

/// Seeks a proof that the P-positions of a game on two heaps, in normal play, are these pairs;
/// `None` if what is seen of the first pairs is not enough. The game's heaps stay in their places
/// and may have any size, and nothing is remembered.
pub fn prove_pairs(
    moves: &MoveSystem,
    pairs: &Pairs,
    meter: &mut Meter,
) -> Result<Option<PairsProof>, Undecided> {
    let Ok(seen) = pairs.list(SEEN, u64::MAX >> 2) else { return Ok(None) };
    let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let seen: Vec<[i64; 2]> = seen.into_iter().map(|pair| pair.map(signed)).collect();
    let (each, two) = (seen_of_each(&seen), seen_of_two(&seen, pairs.width));
    let mut attempt = Attempt { moves, pairs, each: Vec::new(), two: Vec::new() };
    if !attempt.are_moves_symmetric(meter)? {
        return Ok(None);
    }
    // As a rule a proof needs no more than how the difference of a pair grows, which comes first;
    // nothing at all where b depends on n and a alone.
    let mut few: Vec<(Vec<Formula>, Vec<Formula>)> =
        two.iter().map(|one| (Vec::new(), vec![one.clone()])).collect();
    few.insert(usize::from(pairs.is_recursive()).min(few.len()), (Vec::new(), Vec::new()));
    for (each, two) in few.into_iter().chain([(each, two.clone())]) {
        (attempt.each, attempt.two) = (each, two);
        if !attempt.follows_from_itself(meter)? || !attempt.leads_from_above(meter)? {
            continue;
        }
        for nearest in Measure::ALL {
            if attempt.leads_from_below(nearest, meter)? {
                attempt.forget(nearest, meter)?;
                let each = joined(&attempt.each, &["n", "a", "b"]);
                let two = joined(&attempt.two, &["m", "a", "b", "n", "c", "d"]);
                return Ok(Some(PairsProof { each, two, nearest }));
            }
        }
    }
    Ok(None)
}

/// Returns that all of these hold.
fn joined(all: &[Formula], names: &[&str]) -> Formula {
    let mut builder = FormulaBuilder::over(names.iter().map(|name| (*name).to_owned()));
    let variables: Vec<usize> = (0..names.len()).collect();
    let parts: Vec<Node> = all.iter().map(|one| builder.embed(one, &variables)).collect();
    builder.build(Node::all(parts))
}

/// Returns left ≥ right + least, of sums of variables of these names.
fn at_least(names: &[&str], left: &[(i64, usize)], right: &[(i64, usize)], least: i64) -> Formula {
    let side = |terms: &[(i64, usize)], more: i64| {
        let multiple = |(times, at): &(i64, usize)| match times {
            1 => variable(*at),
            _ => Term::Multiple(*times, variable(*at).into()),
        };
        let more = u64::try_from(more).ok().filter(|more| *more > 0).map(Term::Number);
        let all: Vec<Term> = terms.iter().map(multiple).chain(more).collect();
        if let [one] = &all[..] { one.clone() } else { Term::Sum(all) }
    };
    let root = ordered(side(left, -least), Relation::AtLeast, side(right, least));
    FormulaBuilder::over(names.iter().map(|name| (*name).to_owned())).build(root)
}

/// Returns what holds of each of some pairs.
fn seen_of_each(all: &[[i64; 2]]) -> Vec<Formula> {
    let names = ["n", "a", "b"];
    let difference = all.iter().map(|[a, b]| b - a).min().unwrap_or(0);
    let multiples = (2..=TIMES).filter(|times| all.iter().all(|[a, b]| *b >= times * a));
    let mut found: Vec<Formula> = multiples
        .max()
        .map(|times| at_least(&names, &[(1, 2)], &[(times, 1)], 0))
        .into_iter()
        .collect();
    if difference > 0 {
        found.push(at_least(&names, &[(1, 2)], &[(1, 1)], difference));
    }
    found
}

/// Returns what holds of any two of some pairs: how the numbers grow, and their difference.
fn seen_of_two(all: &[[i64; 2]], width: u64) -> Vec<Formula> {
    let names = ["m", "a", "b", "n", "c", "d"];
    let least = |of: &dyn Fn([i64; 2], [i64; 2]) -> i64| {
        let later = |at: usize| all[at + 1..].iter().map(move |pair| (at, *pair));
        let both = (0..all.len()).flat_map(later);
        both.map(|(at, pair)| of(all[at], pair)).min().unwrap_or(0)
    };
    let difference = least(&|[a, b], [c, d]| (d - c) - (b - a));
    let greater = least(&|[_, b], [_, d]| d - b);
    let mut found = Vec::new();
    if difference >= 0 {
        found.push(at_least(&names, &[(1, 5), (1, 1)], &[(1, 4), (1, 2)], difference));
    }
    if greater >= 0 {
        found.push(at_least(&names, &[(1, 5)], &[(1, 2)], greater));
    }
    // Later differences that are greater by more than a multiple of the earlier pair's numbers.
    for (times, at) in (1..=TIMES).rev().flat_map(|times| [(times, 1), (times, 2)]) {
        let more =
            least(&|earlier, [c, d]| (d - c) - (earlier[1] - earlier[0]) - times * earlier[at - 1]);
        if more >= 0 {
            found.push(at_least(&names, &[(1, 5), (1, 1)], &[(1, 4), (1, 2), (times, at)], more));
        }
    }
    let width = width as i64;
    found.push(at_least(&names, &[(1, 4), (width, 0)], &[(1, 1), (width, 3)], 0));
    found
}

impl Attempt<'_> {
    /// Returns that a move leads from one position to another.
    fn is_move(&self, statement: &mut Statement, from: [usize; 2], to: [usize; 2]) -> Node {
        let sum = |[x, y]: [usize; 2]| Term::sum_of([x, y]);
        let lowers = ordered(sum(to), Relation::Less, sum(from));
        let ways = self.moves.ways.iter().map(|way| {
            let heaps = (0..2).map(|heap| {
                let relation = match way.window.contains(&heap) {
                    true => Relation::AtMost,
                    false => Relation::Equal,
                };
                ordered(variable(to[heap]), relation, variable(from[heap]))
            });
            let mut all: Vec<Node> = heaps.collect();
            if let Some(condition) = &way.condition {
                let places: Vec<usize> =
                    way.window.iter().flat_map(|heap| [from[*heap], to[*heap]]).collect();
                all.push(statement.builder.embed(condition, &places));
            }
            Node::all(all)
        });
        let ways: Vec<Node> = ways.collect();
        lowers.and(Node::any(ways))
    }

    /// Returns that a move leads from a position to a pair, in either order.
    fn leads_to(&self, statement: &mut Statement, from: [usize; 2], [_, a, b]: Pair) -> Node {
        let one = self.is_move(statement, from, [a, b]);
        let other = self.is_move(statement, from, [b, a]);
        Node::any([one, other])
    }

    /// Binds a pair of which all is assumed that is known of each.
    fn pair(&self, statement: &mut Statement) -> Pair {
        let pair = ["n", "a", "b"].map(|name| statement.bind(name));
        let known = self.of_each(statement, pair);
        statement.assumed.push(known);
        if self.pairs.first.is_none() {
            let [n, a, b] = pair;
            let is_b = statement.builder.embed(&self.pairs.other, &[n, a, a, a, b]);
            statement.assumed.push(is_b);
        }
        pair
    }

    /// Returns what is known of each pair.
    fn of_each(&self, statement: &mut Statement, pair: Pair) -> Node {
        let [_, a, b] = pair;
        let ordered = [ordered(variable(a), Relation::AtMost, variable(b))];
        let all: Vec<Node> =
            self.each.iter().map(|one| statement.builder.embed(one, &pair)).collect();
        Node::all(ordered.into_iter().chain(all))
    }

    /// Binds the pair after one, and assumes what it is.
    fn next(&self, statement: &mut Statement, [n, a, b]: Pair) -> Pair {
        let next = ["n", "a", "b"].map(|name| statement.bind(name));
        let number = variable(next[0]).equals(above(n, 1));
        let other = statement.builder.embed(&self.pairs.other, &[next[0], next[1], a, b, next[2]]);
        let free = self.is_free([n, a, b], next);
        statement.assumed.extend([number, other, free]);
        next
    }

    /// Returns that the lesser number of a later pair is free of an earlier one.
    fn is_free(&self, [m, a, b]: Pair, [n, c, _]: Pair) -> Node {
        let behind =
            |at: usize| ordered(above(at, self.pairs.width), Relation::AtMost, variable(c));
        let before = ordered(variable(c), Relation::Less, variable(b));
        Node::all([
            ordered(variable(m), Relation::Less, variable(n)),
            behind(a),
            Node::any([before, behind(b)]),
        ])
    }

    /// Returns what is known of two pairs.
    fn of_two(&self, statement: &mut Statement, earlier: Pair, later: Pair) -> Vec<Node> {
        let both = [earlier, later].concat();
        self.two.iter().map(|one| statement.builder.embed(one, &both)).collect()
    }

    /// Returns that no move leads from a later pair to an earlier one, and that it has no fewer
    /// tokens.
    fn are_apart(&self, statement: &mut Statement, earlier: Pair, later: Pair) -> Node {
        let sum = |[_, a, b]: Pair| Term::sum_of([a, b]);
        let grows = ordered(sum(earlier), Relation::AtMost, sum(later));
        let leads = self.leads_to(statement, [later[1], later[2]], earlier);
        Node::all([grows, leads.negated()])
    }

    fn are_moves_symmetric(&self, meter: &mut Meter) -> Result<bool, Undecided> {
        let mut statement = Statement::new();
        let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| statement.bind(name));
        let one = self.is_move(&mut statement, [x, y], [z, w]);
        let other = self.is_move(&mut statement, [y, x], [w, z]);
        statement.implies(one.iff(other), meter)
    }

    /// Gives up what does not follow of the next pair from what is known of the ones before, until
    /// all of it does. Returns whether no move leads from a pair to another one then.
    fn follows_from_itself(&mut self, meter: &mut Meter) -> Result<bool, Undecided> {
        loop {
            let mut statement = Statement::new();
            let pair = self.pair(&mut statement);
            let next = self.next(&mut statement, pair);
            let [_, a, b] = next;
            let grows = ordered(variable(a), Relation::AtMost, variable(b));
            if !statement.implies(grows, meter)? {
                return Ok(false);
            }
            let mut kept = Vec::new();
            for one in &self.each {
                let mut statement = Statement::new();
                let pair = self.pair(&mut statement);
                let next = self.next(&mut statement, pair);
                let then = statement.builder.embed(one, &next);
                if statement.implies(then, meter)? {
                    kept.push(one.clone());
                }
            }
            let all = kept.len() == self.each.len();
            self.each = kept;
            if all {
                break;
            }
        }
        loop {
            let mut kept = Vec::new();
            for one in &self.two {
                let said = |statement: &mut Statement, earlier: Pair, later: Pair| {
                    statement.builder.embed(one, &[earlier, later].concat())
                };
                if self.hold_of_two(&said, meter)? {
                    kept.push(one.clone());
                }
            }
            let all = kept.len() == self.two.len();
            self.two = kept;
            if all {
                break;
            }
        }
        self.hold_of_two(
            &|statement, earlier, later| self.are_apart(statement, earlier, later),
            meter,
        )
    }

    /// Decides whether something holds of a pair and the next one, and of two pairs further apart
    /// if it and all that is known of two holds of those before.
    fn hold_of_two(
        &self,
        said: &dyn Fn(&mut Statement, Pair, Pair) -> Node,
        meter: &mut Meter,
    ) -> Result<bool, Undecided> {
        let mut statement = Statement::new();
        let pair = self.pair(&mut statement);
        let next = self.next(&mut statement, pair);
        let then = said(&mut statement, pair, next);
        if !statement.implies(then, meter)? {
            return Ok(false);
        }
        let mut statement = Statement::new();
        let earlier = self.pair(&mut statement);
        let later = self.pair(&mut statement);
        let next = self.next(&mut statement, later);
        let known = self.of_two(&mut statement, earlier, later);
        statement.assumed.extend(known);
        let before = said(&mut statement, earlier, later);
        let free = [self.is_free(earlier, later), self.is_free(earlier, next)];
        statement.assumed.extend(free.into_iter().chain([before]));
        let then = said(&mut statement, earlier, next);
        statement.implies(then, meter)
    }

    /// Decides whether positions whose lesser heap is just above the greater number of a pair, or
    /// just above the lesser one and the other heap not below the greater one, are the pair or lead
    /// to it.
    fn leads_from_above(&self, meter: &mut Meter) -> Result<bool, Undecided> {
        for (side, more) in (0..self.pairs.width).flat_map(|more| [(1, more), (2, more)]) {
            let mut statement = Statement::new();
            let pair = self.pair(&mut statement);
            let [x, y] = self.position(&mut statement, pair[side], more);
            let [_, a, b] = pair;
            statement.assumed.push(ordered(variable(b), Relation::AtMost, variable(y)));
            let is_pair =
                Node::all([variable(x).equals(variable(a)), variable(y).equals(variable(b))]);
            let leads = self.leads_to(&mut statement, [x, y], pair);
            if !statement.implies(Node::any([is_pair, leads]), meter)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Binds a position whose lesser heap is so much above a number.
    fn position(&self, statement: &mut Statement, number: usize, more: u64) -> [usize; 2] {
        let [x, y] = ["x", "y"].map(|name| statement.bind(name));
        statement.assumed.push(variable(x).equals(above(number, more)));
        statement.assumed.push(ordered(variable(x), Relation::AtMost, variable(y)));
        [x, y]
    }

    /// Decides whether positions just above the lesser number of a pair and below the greater one
    /// lead to an earlier pair, the last one that is as near.
    fn leads_from_below(&self, nearest: Measure, meter: &mut Meter) -> Result<bool, Undecided> {
        let of = |x: usize, y: usize| nearest.of([variable(x), variable(y)]);
        for more in 0..self.pairs.width {
            let mut statement = Statement::new();
            let pair = self.pair(&mut statement);
            let [x, y] = self.position(&mut statement, pair[1], more);
            statement.assumed.push(ordered(variable(y), Relation::Less, variable(pair[2])));
            let first = self.first_measured(nearest);
            let between = Node::all([
                ordered(first, Relation::AtMost, of(x, y)),
                ordered(of(x, y), Relation::Less, of(pair[1], pair[2])),
            ]);
            if !statement.implies(between, meter)? {
                return Ok(false);
            }
            for comes_next in [true, false] {
                if !self.leads_to_nearest(nearest, more, comes_next, meter)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Decides whether a position so much above the lesser number of a pair, below the greater one
    /// and between an earlier pair and its next one, which is the pair or comes before it, leads to
    /// the earlier one.
    fn leads_to_nearest(
        &self,
        nearest: Measure,
        more: u64,
        comes_next: bool,
        meter: &mut Meter,
    ) -> Result<bool, Undecided> {
        let of = |x: usize, y: usize| nearest.of([variable(x), variable(y)]);
        let mut statement = Statement::new();
        let earlier = self.pair(&mut statement);
        let next = self.next(&mut statement, earlier);
        let is_one = self.of_each(&mut statement, next);
        statement.assumed.push(is_one);
        let pair = if comes_next { next } else { self.pair(&mut statement) };
        if !comes_next {
            let known = self.of_two(&mut statement, next, pair);
            statement.assumed.extend(known);
            statement.assumed.push(self.is_free(next, pair));
        }
        let [x, y] = self.position(&mut statement, pair[1], more);
        statement.assumed.extend([
            ordered(variable(y), Relation::Less, variable(pair[2])),
            ordered(of(earlier[1], earlier[2]), Relation::AtMost, of(x, y)),
            ordered(of(x, y), Relation::Less, of(next[1], next[2])),
        ]);
        let leads = self.is_move(&mut statement, [x, y], [earlier[1], earlier[2]]);
        statement.implies(leads, meter)
    }

    /// Returns a number of the first pair.
    fn first_measured(&self, nearest: Measure) -> Term {
        let first = self.pairs.list(1, 0).ok().and_then(|all| all.first().copied());
        nearest.of(first.unwrap_or_default().map(Term::Number))
    }

    /// Gives up what the proof does without, so that it is soon checked; what is known alone is not
    /// given up.
    fn forget(&mut self, nearest: Measure, meter: &mut Meter) -> Result<(), Undecided> {
        if self.each.len() + self.two.len() <= 1 {
            return Ok(());
        }
        for is_of_two in [false, true] {
            let mut at = 0;
            while at < if is_of_two { self.two.len() } else { self.each.len() } {
                let (each, two) = (self.each.clone(), self.two.clone());
                let all = if is_of_two { &mut self.two } else { &mut self.each };
                all.remove(at);
                let left = [self.each.len(), self.two.len()];
                let stands = self.follows_from_itself(meter)?
                    && left == [self.each.len(), self.two.len()]
                    && self.leads_from_above(meter)?
                    && self.leads_from_below(nearest, meter)?;
                if !stands {
                    (self.each, self.two) = (each, two);
                    at += 1;
                }
            }
        }
        Ok(())
    }
}

/// Returns the certificate that the P-positions of the game of this name are these pairs.
pub fn pairs_certificate(name: &str, pairs: &Pairs, proof: &PairsProof) -> Certificate {
    let PairsProof { each, two, nearest } = proof;
    Certificate {
        kind: CertificateKind::Pairs,
        game: name.into(),
        claim: PPositionsClaim::new(&pairs.to_string()).to_string(),
        body: format!("each pair: {each}\ntwo pairs: {two}\nnearest: {nearest}\n"),
    }
}
