//! P-positions of two heaps that are the pairs of two sequences.

use crate::formula::{Formula, Machine, Relation, Term, formula, term};
use crate::games::{Game, game};
use crate::{Certificate, Checked, Fault, Lines, Work, need, number, reject, unknown};

/// Variables of all statements: a pair, an earlier one, the first number of the next pair after
/// one of them, and the greater heap.
const N: usize = 0;
const A: usize = 1;
const B: usize = 2;
const M: usize = 3;
const C: usize = 4;
const D: usize = 5;
const NEXT: usize = 6;
const Y: usize = 7;

/// The number of a pair and its two numbers.
type Pair = [Term; 3];

struct Pairs {
    game: Game,
    width: i64,
    /// The second number of a pair, over n, a, p, q.
    term: Term,
    /// The second number of pair 0, where the term names the pair before.
    first: Option<i64>,
    /// Over n, a, b.
    each: Formula,
    /// Over m, a, b, n, c, d.
    two: Formula,
    /// Over a, b.
    nearest: Term,
    /// The numbers of pairs are named.
    numbered: bool,
}

fn plus(term: Term, more: i64) -> Term {
    Term::Sum(vec![(1, term), (1, Term::Number(more))])
}

fn compare(one: Term, relation: Relation, two: Term) -> Formula {
    Formula::Compare(relation, one, two)
}

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

fn all<const K: usize>(parts: [Formula; K]) -> Formula {
    parts.into_iter().fold(Formula::Constant(true), Formula::and)
}

impl Pairs {
    fn read(certificate: &Certificate) -> Checked<Pairs> {
        let game = game(certificate.game)?;
        need(game.heaps == 2 && game.remembered == 0, "not two heaps")?;
        need(game.closing.is_none() && !game.purses, "heaps do not stay in their places")?;
        let Some(claim) = certificate.claim.strip_prefix("P iff a = mex") else {
            return reject("no claim of pairs in normal play");
        };
        let Some((width, rest)) = claim.split_once(", b = ") else {
            return reject("no second number of a pair");
        };
        let width = match width.strip_prefix('_') {
            Some(width) => number(width)?,
            None => {
                need(width.is_empty(), "`mex` or `mex_W` is expected")?;
                1
            }
        };
        let named = width > 1 || !claim.starts_with('_');
        need(named && width <= 64, "a number from 2 to 64 is expected")?;
        let names =
            |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let (text, first) = match rest.split_once(" from ") {
            Some((text, first)) => (text, Some(number(first)?)),
            None => (rest, None),
        };
        need(first.is_none_or(|first| first <= 1 << 32), "the first number is too large")?;
        let term = term(text, &names(&["n", "a", "p", "q"]))?;
        let before = term.names(2) || term.names(3);
        need(before == first.is_some(), "the first number stands if and only if p or q does")?;
        let mut lines = Lines { lines: &certificate.body };
        let each = formula(lines.field("each pair:")?, &names(&["n", "a", "b"]))?;
        let two = formula(lines.field("two pairs:")?, &names(&["m", "a", "b", "n", "c", "d"]))?;
        let nearest = crate::formula::term(lines.field("nearest:")?, &names(&["a", "b"]))?;
        lines.end()?;
        // As they stand they are formulas, without a minus in a quotient.
        for formula in [each.clone(), two.clone(), number_is(&term), number_is(&nearest)] {
            Machine::new(&formula, 2)?;
        }
        let numbered = term.names(0) || each.names(0) || two.names(0) || two.names(3);
        let (width, first) = (width as i64, first.map(|first| first as i64));
        Ok(Pairs { game, width, term, first, each, two, nearest, numbered })
    }

    fn second(&self, n: &Term, a: &Term, p: &Term, q: &Term) -> Term {
        self.term.with(&[n.clone(), a.clone(), p.clone(), q.clone()])
    }

    /// Returns the pair whose variables are these.
    fn pair(&self, [n, a, b]: [usize; 3]) -> Pair {
        let [n, a, b] = [n, a, b].map(Term::Variable);
        let b = if self.first.is_some() { b } else { self.second(&n, &a, &a, &a) };
        [n, a, b]
    }

    /// Returns the next pair after one, its first number being a variable, and what that is known
    /// to satisfy.
    fn next(&self, of: &Pair) -> (Pair, Formula) {
        let [n, a, b] = of;
        let (n_next, a_next) = (plus(n.clone(), 1), Term::Variable(NEXT));
        let b_next = self.second(&n_next, &a_next, a, b);
        let known = self.later(of, &a_next);
        ([n_next, a_next, b_next], known)
    }

    /// Says that a later first number is as (a) and (b) say.
    fn later(&self, [_, a, b]: &Pair, later: &Term) -> Formula {
        compare(plus(a.clone(), self.width), Relation::AtMost, later.clone())
            .and(self.apart(b, later))
    }

    /// Says of two pairs that one is earlier: what (a) and (b) say, and its number is less.
    fn before(&self, earlier: &Pair, later: &Pair) -> Formula {
        let said = self.later(earlier, &later[1]);
        if self.numbered {
            compare(earlier[0].clone(), Relation::Less, later[0].clone()).and(said)
        } else {
            said
        }
    }

    /// Says (b) of the second number of a pair and a later first number.
    fn apart(&self, b: &Term, later: &Term) -> Formula {
        compare(later.clone(), Relation::Less, b.clone()).or(compare(
            plus(b.clone(), self.width),
            Relation::AtMost,
            later.clone(),
        ))
    }

    fn invariant(&self, pair: &Pair) -> Formula {
        let [_, a, b] = pair.clone();
        self.each.with(pair).and(compare(a, Relation::AtMost, b))
    }

    fn both(&self, earlier: &Pair, later: &Pair) -> Formula {
        self.two.with(&[earlier.as_slice(), later.as_slice()].concat())
    }

    /// Says that a move leads from one position to another.
    fn moves(&self, from: [&Term; 2], to: [&Term; 2]) -> Formula {
        let windows = self.game.windows.iter().map(|window| {
            let values: Vec<Term> =
                window.iter().flat_map(|heap| [from[*heap].clone(), to[*heap].clone()]).collect();
            let others = (0..2)
                .filter(|heap| !window.contains(heap))
                .map(|heap| compare(from[heap].clone(), Relation::Equal, to[heap].clone()));
            others.fold(self.game.move_in(window.len()).with(&values), Formula::and)
        });
        windows.fold(Formula::Constant(false), Formula::or)
    }

    /// Says that a move leads from a position to a pair, in one order or the other.
    fn reaches(&self, from: [&Term; 2], [_, a, b]: &Pair) -> Formula {
        self.moves(from, [a, b]).or(self.moves(from, [b, a]))
    }

    fn relation(&self, earlier: &Pair, later: &Pair) -> Formula {
        let ([_, a, b], [_, c, d]) = (earlier, later);
        let sum = |one: &Term, two: &Term| Term::Sum(vec![(1, one.clone()), (1, two.clone())]);
        all([
            self.both(earlier, later),
            compare(sum(a, b), Relation::AtMost, sum(c, d)),
            not(self.reaches([c, d], earlier)),
        ])
    }

    /// Returns what is to hold of all numbers, each with its reason.
    fn statements(&self) -> Vec<(&'static str, Formula)> {
        let implies = |one: Formula, two: Formula| not(one).or(two);
        let zero = Term::Number(0);
        let first = match self.first {
            Some(first) => Term::Number(first),
            None => self.second(&zero, &zero, &zero, &zero),
        };
        let zeroth = [zero.clone(), zero, first];
        let one = self.pair([N, A, B]);
        let earlier = self.pair([M, C, D]);
        let [n, a, b] = &one;
        let mut list = Vec::new();
        let heaps = [N, A, B, M].map(Term::Variable);
        let [x, y, z, w] = &heaps;
        let swapped = self.moves([y, x], [w, z]);
        let same = Formula::Iff(Box::new(self.moves([x, y], [z, w])), Box::new(swapped));
        list.push(("heaps change places", same));
        list.push(("1, pair 0", self.invariant(&zeroth)));
        let (next, known) = self.next(&one);
        let stepped = self.invariant(&one).and(known.clone());
        list.push(("1, the next pair", implies(stepped.clone(), self.invariant(&next))));
        list.push(("2, the next pair", implies(stepped.clone(), self.relation(&one, &next))));
        let given = all([
            stepped,
            self.invariant(&earlier),
            self.before(&earlier, &one),
            self.relation(&earlier, &one),
            self.apart(&earlier[2], &next[1]),
        ]);
        list.push(("2, two pairs", implies(given, self.relation(&earlier, &next))));
        let y = Term::Variable(Y);
        let g = |a: &Term, b: &Term| self.nearest.with(&[a.clone(), b.clone()]);
        let between = |low: &Pair, x: &Term, high: &Pair| {
            compare(g(&low[1], &low[2]), Relation::AtMost, g(x, &y)).and(compare(
                g(x, &y),
                Relation::Less,
                g(&high[1], &high[2]),
            ))
        };
        let (after, known) = self.next(&earlier);
        let is_one = compare(after[1].clone(), Relation::Equal, a.clone()).and(compare(
            after[2].clone(),
            Relation::Equal,
            b.clone(),
        ));
        let is_one = if self.numbered {
            is_one.and(compare(after[0].clone(), Relation::Equal, n.clone()))
        } else {
            is_one
        };
        let before_one = self.before(&after, &one).and(self.both(&after, &one));
        for r in 0..self.width {
            let by_b = plus(b.clone(), r);
            let pair = compare(by_b.clone(), Relation::Equal, a.clone()).and(compare(
                y.clone(),
                Relation::Equal,
                b.clone(),
            ));
            let given =
                self.invariant(&one).and(compare(by_b.clone(), Relation::AtMost, y.clone()));
            list.push(("3, by b", implies(given, pair.or(self.reaches([&by_b, &y], &one)))));
            let x = plus(a.clone(), r);
            let pair = compare(x.clone(), Relation::Equal, a.clone()).and(compare(
                y.clone(),
                Relation::Equal,
                b.clone(),
            ));
            let ordered = self.invariant(&one).and(compare(x.clone(), Relation::AtMost, y.clone()));
            let given = ordered.clone().and(compare(b.clone(), Relation::AtMost, y.clone()));
            list.push(("3, by a", implies(given, pair.or(self.reaches([&x, &y], &one)))));
            let below = ordered.and(compare(y.clone(), Relation::Less, b.clone()));
            list.push(("4", implies(below.clone(), between(&zeroth, &x, &one))));
            let given = all([
                below,
                self.invariant(&earlier),
                known.clone(),
                self.invariant(&after),
                before_one.clone().or(is_one.clone()),
                between(&earlier, &x, &after),
            ]);
            let there = self.moves([&x, &y], [&earlier[1], &earlier[2]]);
            list.push(("5", implies(given, there)));
        }
        list
    }
}

fn number_is(term: &Term) -> Formula {
    compare(term.clone(), Relation::Equal, Term::Number(0))
}

pub fn check(certificate: &Certificate, work: &mut Work) -> Checked<()> {
    let pairs = Pairs::read(certificate)?;
    for (why, statement) in pairs.statements() {
        everywhere(&statement, why, work)?;
    }
    Ok(())
}

/// Checks that a formula holds of all numbers.
fn everywhere(formula: &Formula, why: &str, work: &mut Work) -> Checked<()> {
    let machine = match Machine::new(formula, 2) {
        // A minus that the second number of a pair brings into a quotient.
        Err(Fault::Rejected(why)) => return unknown(why),
        machine => machine?,
    };
    let named: Vec<usize> = (0..=Y).filter(|variable| formula.names(*variable)).collect();
    machine.holds_everywhere(&named, why, work)
}
