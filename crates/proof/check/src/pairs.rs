//! `pairs`: the P-positions of two heaps are the pairs of two sequences, one by least numbers that
//! are free, the other from it.
//!
//! **Definition.** Let W ≥ 1, and let T be a function of n, a, p, q. A number k is *free* of some
//! pairs if none of k, k − 1, …, k − W + 1 is a number of one of them. A₀ = 0, and Aₙ is the least
//! number that is free of the pairs 0 to n − 1; Bₙ = T(n, Aₙ, Aₙ₋₁, Bₙ₋₁), where B₀ is given if T
//! depends on p or q, and is T(0, 0) if not.
//!
//! *What follows.* What is not free of some pairs is not free of more. So the numbers below Aₙ, and
//! the W numbers from Aₙ on, are not free of the pairs 0 to n: (a) Aₙ + W ≤ Aₙ₊₁. As Aₙ is free of
//! the pairs before, (b) Aₙ < B or Aₙ ≥ B + W for each earlier B. By (a) some Aₙ is above any x,
//! which is not free of the pairs before it: (c) every x is less than W above a number of a pair.
//!
//! **Theorem.** Let the moves of a game on two heaps stay moves when the heaps change places. Let I
//! be a condition on pairs (n, a, b), R one on two of them, and g a function of two numbers, such
//! that the following hold, the first three of all numbers, where each next pair is as (a), (b) and
//! T say, and two pairs are as (a) and (b) say:
//!
//! 1. The first pair has I; if a pair has I, the next one has it. If a pair has I, then a ≤ b.
//! 2. The next pair after one that has I is in relation R to it. If two pairs are in relation R,
//!    then the earlier one and the pair that comes next after the later one are.
//! 3. *Relation R* says among others: the later pair has no fewer tokens, and no move leads from it
//!    to the earlier one, in either order.
//! 4. Let x ≤ y, and let x be less than W above b of a pair, or less than W above a while y ≥ b:
//!    then (x, y) is this pair, or a move leads from it to the pair, in either order.
//! 5. Let x ≤ y < b, and let x be less than W above a of a pair. Then g of the first pair is at
//!    most g(x, y), which is less than g of the pair. Let a pair have g at most g(x, y), and the
//!    next one g greater than g(x, y), and let this next one be the first-named pair or an earlier
//!    one. Then a move leads from (x, y) to the former of the two, the heaps in this order.
//!
//! Then in normal play the P-positions are the pairs (Aₙ, Bₙ), in both orders.
//!
//! *Proof.* By 1 and 2 all pairs have I, and any two are in relation R, by induction on the later
//! one. So no move leads from a pair to an earlier one; none leads to a later one, nor to the pair
//! itself with its numbers changed, as moves lower the sum. Let (x, y) be no pair, x ≤ y. By (c) x
//! is less than W above a number of a pair n. If 4 speaks of it, there is a move to a pair. Else x
//! is less than W above Aₙ and y < Bₙ. So g of pair 0 is at most g(x, y), g of pair n is greater,
//! and n > 0; let m be the last pair below n with g at most g(x, y). Then pair m + 1 has a greater
//! one, whether it is pair n or not, and by 5 there is a move to pair m. Every move lowers the sum,
//! so by induction the pairs are the P-positions. ∎
//!
//! *Hypotheses* ([`hypotheses`]): those of [`rules::hypotheses`]; two heaps that stay in their
//! places, and nothing that is remembered; normal play. Conditions 1 to 5 are read by machines over
//! binary digits ([`holds_everywhere`]), which decline moves that name a shift or a multiple of an
//! irrational number.

use crate::automatic::statements::{defined, holds_everywhere};
use crate::hypotheses::{Hypothesis, all_hold};
use crate::lines::Lines;
use crate::p_positions::formula::{Node, Relation, Term, formula};
use crate::p_positions::{names, rules};
use crate::work::{Reason, Work, many, number};
use crate::{CheckReport, Envelope, Rejected};

/// How a claim begins.
const CLAIM: &str = "P iff a = mex";
/// The most numbers above one that are not free.
const WIDTH: i64 = 64;
/// The greatest number of the first pair.
const BIG: i64 = 1 << 32;

/// Checks what the theorem assumes of the game, beside the hypotheses of all theorems on
/// P-positions ([`rules::hypotheses`], in normal play).
fn hypotheses(rules: &rules::Game, claim: &str) -> Result<(), Rejected> {
    all_hold(
        "the theorem on pairs",
        [
            Hypothesis::new(
                4,
                "normal play",
                !claim.starts_with("in misere play"),
                "this is misere play",
            ),
            Hypothesis::new(
                3,
                "two heaps, and nothing that is remembered",
                rules.heaps == 2 && rules.is_heap(1),
                format!("here are {} numbers", rules.heaps),
            ),
            Hypothesis::new(3, "heaps that stay in their places", rules.in_place(), "these do not"),
        ],
    )
}

/// The two sequences.
struct Sequences {
    /// How many numbers from one of a pair on are not free.
    width: i64,
    /// The other number of a pair, over n, a, p, q.
    other: Term,
    /// The other number of the first pair, if the other number depends on the pair before.
    first: Option<i64>,
}

/// A pair and its number, as terms.
#[derive(Clone)]
struct Pair {
    n: Term,
    a: Term,
    b: Term,
}

/// The two sequences, what the proof says of their pairs, and the moves.
struct Proof<'p> {
    rules: &'p rules::Game,
    sequences: Sequences,
    /// Over n, a, b.
    each: Node,
    /// Over m, a, b of the earlier pair, and n, c, d of the later one.
    two: Node,
    /// Over a, b.
    nearest: Term,
    /// Whether something depends on how many pairs come before.
    is_numbered: bool,
    work: &'p Work<'p>,
}

/// Numbers the variables of one statement.
#[derive(Default)]
struct Scope {
    free: usize,
}

/// Checks a certificate of this kind.
pub fn check(envelope: &Envelope<'_>, work: &Work<'_>) -> Result<CheckReport, Rejected> {
    let rules = names::game(envelope.game)?.played(false)?;
    hypotheses(&rules, &envelope.claim)?;
    let claimed = |why: Reason| Rejected::new(4, why);
    let text = envelope.claim.strip_prefix(CLAIM).ok_or_else(|| {
        Rejected::new(4, format!("the claim should be `{CLAIM}, b = TERM` (docs/certificates.md)"))
    })?;
    let read = 64 * (text.len() + envelope.body.len());
    work.spend(read).and_then(|()| work.hold(read)).map_err(claimed)?;
    let (sequences, told) = sequences(text).map_err(claimed)?;
    let mut lines = Lines::new(envelope.body, envelope.body_line, 1, work);
    let (each, two, nearest) = body(&mut lines).map_err(|why| lines.rejected(why))?;
    let is_numbered = sequences.other.names(0) || each.names(0) || two.names(0) || two.names(3);
    let proof = Proof { rules: &rules, sequences, each, two, nearest, is_numbered, work };
    let states = proof.check().map_err(|why| Rejected::new(0, why))?;
    Ok(CheckReport {
        work: format!("{} of statements about all pairs", many(states, "state")),
        theorem: format!(
            "{} For all heap sizes, the P-positions are exactly the pairs a, b numbered n = 0, 1, \
             ..., in both orders: {told}.",
            rules.describe()
        ),
    })
}

/// Reads what the claim says of the two sequences, and returns it in words, too.
fn sequences(text: &str) -> Result<(Sequences, String), Reason> {
    let wrong =
        || Reason::from(format!("the claim should be `{CLAIM}_WIDTH, b = TERM from FIRST`"));
    let natural = |text: &str, most: i64| number::<i64>(text).filter(|one| *one <= most);
    let (width, rest) = text.split_once(", b = ").ok_or_else(wrong)?;
    let width = match width.strip_prefix('_') {
        None if width.is_empty() => Some(1),
        width => width.and_then(|width| natural(width, WIDTH)).filter(|width| *width > 1),
    };
    let width = width.ok_or_else(wrong)?;
    let (term, first) = match rest.split_once(" from ") {
        Some((term, first)) => (term, Some(natural(first, BIG).ok_or_else(wrong)?)),
        None => (rest, None),
    };
    let other = defined(
        term,
        &["n", "a", "p", "q", "b"],
        "a term should be one number, made of n, a, p, q",
    )?;
    if first.is_some() != (other.names(2) || other.names(3)) {
        return Err("`from` should say b of the first pair where p or q is named, and only \
                    there"
            .into());
    }
    let free = match width {
        1 => "a is the least number that is in no earlier pair".to_owned(),
        _ => format!(
            "a is the least number that is not equal to a number of an earlier pair nor above one \
             by less than {width}"
        ),
    };
    let told = match first {
        Some(first) => {
            format!("{free}, b = {term} with the pair before as p, q, and the first b is {first}")
        }
        None => format!("{free}, b = {term}"),
    };
    Ok((Sequences { width, other, first }, told))
}

/// Reads what a body says of each pair, of two pairs, and what is nearest.
fn body(lines: &mut Lines<'_>) -> Result<(Node, Node, Term), Reason> {
    let mut line = |start: &str| {
        lines.after(start).ok_or_else(|| Reason::from(format!("`{start}…` should stand here")))
    };
    let over = |letters: &[&str]| letters.iter().map(|one| (*one).into()).collect::<Vec<String>>();
    let each = formula(line("each pair: ")?, &over(&["n", "a", "b"]))?.root;
    let two = formula(line("two pairs: ")?, &over(&["m", "a", "b", "n", "c", "d"]))?.root;
    let nearest = defined(
        line("nearest: ")?,
        &["a", "b", "g"],
        "what is nearest should be one number, made of a and b",
    )?;
    lines.end()?;
    Ok((each, two, nearest))
}

fn at_most(left: &Term, right: &Term) -> Node {
    Node::Compare(left.clone(), Relation::AtMost, right.clone())
}

fn less(left: &Term, right: &Term) -> Node {
    Node::Compare(left.clone(), Relation::Less, right.clone())
}

fn equal(left: &Term, right: &Term) -> Node {
    Node::Compare(left.clone(), Relation::Equal, right.clone())
}

fn plus(term: &Term, more: i64) -> Term {
    Term::Sum(vec![term.clone(), Term::Number(more)])
}

fn not(node: Node) -> Node {
    Node::Not(node.into())
}

/// Returns that one of these does not hold, or the last does.
fn implies(all: Vec<Node>, then: Node) -> Node {
    Node::Or(all.into_iter().map(not).chain([then]).collect())
}

impl Scope {
    fn variable(&mut self) -> Term {
        self.free += 1;
        Term::Variable(self.free - 1)
    }
}

impl Proof<'_> {
    /// Checks what the theorem asks for; how many states were looked at.
    fn check(&self) -> Result<usize, Reason> {
        let mut states = 0;
        let mut holds = |(statement, free, why): Statement| {
            holds_everywhere(&statement, free, why, self.work).map(|count| states += count)
        };
        holds(self.moves_are_symmetric()?)?;
        holds(self.first_pair())?;
        holds(self.next_pair())?;
        holds(self.next_two()?)?;
        holds(self.later_two()?)?;
        for above in 0..self.sequences.width {
            holds(self.above_greater(above)?)?;
            holds(self.above_lesser(above)?)?;
            holds(self.first_is_near(above))?;
            holds(self.below_a_pair(above, true)?)?;
            holds(self.below_a_pair(above, false)?)?;
        }
        Ok(states)
    }

    /// Returns that a move leads from one position to another.
    fn is_move(&self, from: [&Term; 2], to: [&Term; 2]) -> Result<Node, Reason> {
        let mut ways = Vec::new();
        for way in self.rules.ways(2)? {
            let is_lowered = |heap: &usize| way.window.contains(heap);
            let mut all: Vec<Node> = (0..2)
                .map(|heap| match is_lowered(&heap) {
                    true => at_most(to[heap], from[heap]),
                    false => equal(to[heap], from[heap]),
                })
                .collect();
            all.push(less(
                &Term::Sum(to.map(Term::clone).into()),
                &Term::Sum(from.map(Term::clone).into()),
            ));
            if let Some(condition) = self.rules.condition() {
                let values: Vec<Term> = way
                    .window
                    .iter()
                    .flat_map(|heap| [from[*heap].clone(), to[*heap].clone()])
                    .collect();
                all.push(condition.root.with(&values));
            }
            ways.push(Node::And(all));
        }
        Ok(Node::Or(ways))
    }

    /// Returns that (x, y) is a pair, or a move leads from there to it, in either order.
    fn reaches(&self, [x, y]: [&Term; 2], pair: &Pair) -> Result<Node, Reason> {
        Ok(Node::Or(vec![
            Node::And(vec![equal(x, &pair.a), equal(y, &pair.b)]),
            self.is_move([x, y], [&pair.a, &pair.b])?,
            self.is_move([x, y], [&pair.b, &pair.a])?,
        ]))
    }

    /// Returns any pair, and what is known of it. All numbers of pairs are 0 if nothing depends on
    /// them.
    fn pair(&self, scope: &mut Scope) -> (Pair, Node) {
        let n = if self.is_numbered { scope.variable() } else { Term::Number(0) };
        let a = scope.variable();
        let b = match self.sequences.first {
            Some(_) => scope.variable(),
            None => self.sequences.other.with(&[n.clone(), a.clone()]),
        };
        let pair = Pair { n, a, b };
        let each = self.each(&pair);
        (pair, each)
    }

    /// Returns condition 1 on a pair.
    fn each(&self, pair: &Pair) -> Node {
        let values = [pair.n.clone(), pair.a.clone(), pair.b.clone()];
        Node::And(vec![at_most(&pair.a, &pair.b), self.each.with(&values)])
    }

    /// Returns the pair after another one, and what defines it.
    fn after(&self, scope: &mut Scope, pair: &Pair) -> (Pair, Node) {
        let n = if self.is_numbered { plus(&pair.n, 1) } else { Term::Number(0) };
        let a = scope.variable();
        let values = [n.clone(), a.clone(), pair.a.clone(), pair.b.clone()];
        let b = self.sequences.other.with(&values);
        let next = Pair { n, a, b };
        let known = self.known(pair, &next);
        (next, known)
    }

    /// Returns (a) and (b) of two pairs, and that one comes before the other.
    fn known(&self, earlier: &Pair, later: &Pair) -> Node {
        let width = self.sequences.width;
        Node::And(vec![
            if self.is_numbered { less(&earlier.n, &later.n) } else { Node::Known(true) },
            at_most(&plus(&earlier.a, width), &later.a),
            Node::Or(vec![less(&later.a, &earlier.b), at_most(&plus(&earlier.b, width), &later.a)]),
        ])
    }

    /// Returns what the proof says of two pairs.
    fn two(&self, earlier: &Pair, later: &Pair) -> Node {
        let all = [earlier, later].map(|pair| [&pair.n, &pair.a, &pair.b].map(Term::clone));
        self.two.with(&all.concat())
    }

    /// Returns relation R of two pairs, of which (a) and (b) are known.
    fn related(&self, earlier: &Pair, later: &Pair) -> Result<Node, Reason> {
        let sum = |pair: &Pair| Term::Sum(vec![pair.a.clone(), pair.b.clone()]);
        let from = [&later.a, &later.b];
        Ok(Node::And(vec![
            self.two(earlier, later),
            at_most(&sum(earlier), &sum(later)),
            not(self.is_move(from, [&earlier.a, &earlier.b])?),
            not(self.is_move(from, [&earlier.b, &earlier.a])?),
        ]))
    }

    fn moves_are_symmetric(&self) -> Result<Statement, Reason> {
        let mut scope = Scope::default();
        let [x, y, z, w] = [(); 4].map(|()| scope.variable());
        let one = self.is_move([&x, &y], [&z, &w])?;
        let other = self.is_move([&y, &x], [&w, &z])?;
        let said = Node::Iff(one.into(), other.into());
        Ok((said, scope.free, "moves are no moves when the heaps change places"))
    }

    /// Returns pair 0.
    fn zero(&self) -> Pair {
        let zero = || Term::Number(0);
        let b = match self.sequences.first {
            Some(first) => Term::Number(first),
            None => self.sequences.other.with(&[zero(), zero()]),
        };
        Pair { n: zero(), a: zero(), b }
    }

    fn first_pair(&self) -> Statement {
        let scope = Scope::default();
        let said = self.each(&self.zero());
        (said, scope.free, "the first pair is not as each pair should be")
    }

    fn next_pair(&self) -> Statement {
        let mut scope = Scope::default();
        let (pair, is_one) = self.pair(&mut scope);
        let (next, is_next) = self.after(&mut scope, &pair);
        let said = implies(vec![is_one, is_next], self.each(&next));
        (said, scope.free, "a pair that comes next is not as each pair should be")
    }

    fn next_two(&self) -> Result<Statement, Reason> {
        let mut scope = Scope::default();
        let (pair, is_one) = self.pair(&mut scope);
        let (next, is_next) = self.after(&mut scope, &pair);
        let said = implies(vec![is_one, is_next], self.related(&pair, &next)?);
        Ok((said, scope.free, "a pair and the next one are not as two pairs should be"))
    }

    fn later_two(&self) -> Result<Statement, Reason> {
        let mut scope = Scope::default();
        let (earlier, is_one) = self.pair(&mut scope);
        let (later, is_other) = self.pair(&mut scope);
        let (next, is_next) = self.after(&mut scope, &later);
        let related = self.related(&earlier, &later)?;
        let known = [self.known(&earlier, &later), self.known(&earlier, &next)];
        let all = [is_one, is_other, related, is_next].into_iter().chain(known).collect();
        let said = implies(all, self.related(&earlier, &next)?);
        Ok((said, scope.free, "two pairs further apart are not as two pairs should be"))
    }

    /// Returns condition 4 of x so much above b of a pair.
    fn above_greater(&self, above: i64) -> Result<Statement, Reason> {
        let mut scope = Scope::default();
        let (pair, is_one) = self.pair(&mut scope);
        let (x, y) = (plus(&pair.b, above), scope.variable());
        let all = vec![is_one, at_most(&x, &y)];
        let said = implies(all, self.reaches([&x, &y], &pair)?);
        Ok((said, scope.free, "a position above both numbers of a pair has no move to it"))
    }

    /// Returns condition 4 of x so much above a of a pair.
    fn above_lesser(&self, above: i64) -> Result<Statement, Reason> {
        let mut scope = Scope::default();
        let (pair, is_one) = self.pair(&mut scope);
        let (x, y) = (plus(&pair.a, above), scope.variable());
        let all = vec![is_one, at_most(&x, &y), at_most(&pair.b, &y)];
        let said = implies(all, self.reaches([&x, &y], &pair)?);
        Ok((said, scope.free, "a position above a pair has no move to it"))
    }

    /// Returns a position with x so much above a of a pair, and y below b.
    fn below(&self, scope: &mut Scope, pair: &Pair, above: i64) -> ([Term; 2], Vec<Node>) {
        let (x, y) = (plus(&pair.a, above), scope.variable());
        let all = vec![at_most(&x, &y), less(&y, &pair.b)];
        ([x, y], all)
    }

    /// Returns g of two numbers.
    fn near(&self, [x, y]: [&Term; 2]) -> Term {
        self.nearest.with(&[x.clone(), y.clone()])
    }

    fn first_is_near(&self, above: i64) -> Statement {
        let mut scope = Scope::default();
        let (pair, is_one) = self.pair(&mut scope);
        let ([x, y], mut all) = self.below(&mut scope, &pair, above);
        all.push(is_one);
        let zero = self.zero();
        let near = self.near([&x, &y]);
        let between = Node::And(vec![
            at_most(&self.near([&zero.a, &zero.b]), &near),
            less(&near, &self.near([&pair.a, &pair.b])),
        ]);
        let said = implies(all, between);
        (said, scope.free, "a position below a pair is not between two pairs")
    }

    /// Returns condition 5, of a pair that comes next after the earlier one or later.
    fn below_a_pair(&self, above: i64, comes_next: bool) -> Result<Statement, Reason> {
        let mut scope = Scope::default();
        let (earlier, is_one) = self.pair(&mut scope);
        let (next, is_next) = self.after(&mut scope, &earlier);
        let mut all = vec![is_one, is_next, self.each(&next)];
        let pair = if comes_next {
            next.clone()
        } else {
            let (pair, is_other) = self.pair(&mut scope);
            all.extend([is_other, self.known(&next, &pair), self.two(&next, &pair)]);
            pair
        };
        let ([x, y], is_below) = self.below(&mut scope, &pair, above);
        let near = self.near([&x, &y]);
        all.extend(is_below);
        all.push(at_most(&self.near([&earlier.a, &earlier.b]), &near));
        all.push(less(&near, &self.near([&next.a, &next.b])));
        let said = implies(all, self.is_move([&x, &y], [&earlier.a, &earlier.b])?);
        Ok((said, scope.free, "a position below a pair has no move to the nearest one before"))
    }
}

/// A statement about so many numbers, and what is wrong if it does not hold of all.
type Statement = (Node, usize, &'static str);
