//! Games seen without a number that the others determine: a heap that counts the tokens of piles
//! which the memory holds, a flag that says which heap is larger.
//!
//! Of the positions that occur no two differ in such a number alone, so positions without it stand
//! for those with it. A move leads from one to another if there are values of the number, before
//! and after, with which the rules say so. What the formula says of these values is left out where
//! it follows, of positions that occur, from what it says of the others; elsewhere equations say
//! what the number is. All of it is decided, or the game is not seen so.

use crate::growth;
use crate::heap_rules::HeapRules;
use crate::quantifiers::{self, without_quantifiers};
use crate::reached::{self, Condition};
use bouton_automata::linear_form::{LinearForm, Variable};
use bouton_automata::{Decision, Numeration, decide};
use bouton_core::{
    Budget, Domain, Formula, FormulaBuilder, HeapGame, Memory, Meter, Moves, Node, Relation,
    Symmetry, Term, Windows,
};
use bouton_engine::Game;
use bouton_heaps::heap_options::HeapOptions;
use std::cell::Cell;

/// States of the automata that decide a question, and their bytes, at most.
const DECIDED: (u64, u64) = (1 << 18, 1 << 28);
/// Most alternatives of a move.
const ALTERNATIVES: usize = 64;
/// The number is at most this many times one more than the others together; tried in this order.
const FACTORS: [u32; 4] = [1, 2, 4, 8];

/// A game without one of its numbers.
pub struct GameWithoutDependent {
    /// The number's place in a position.
    pub number: usize,
    /// The game on the others, in order. Where a heap is left out beside a memory, none of its
    /// numbers is a heap: that play ends is seen in the whole game alone.
    pub game: Box<dyn Game>,
    /// The others together are at most this many times the tokens of the whole game, if that is
    /// known.
    pub spread: Option<u32>,
    /// How many of the whole game's numbers are heaps.
    heaps: usize,
    values: Vec<Value>,
    /// The alternative that was met last.
    last: Cell<usize>,
    back: Option<Back>,
}

impl GameWithoutDependent {
    /// Returns how many tokens the heaps of the whole game have, given the other numbers: every
    /// move takes some. `None` if no such position occurs. O(alternatives of what occurs).
    pub fn tokens(&self, others: &[u32]) -> Option<u64> {
        let holds = |at: &usize| self.values[*at].conditions.iter().all(|one| one.holds(others));
        // Neighbours have it from the same alternative, mostly.
        let last = Some(self.last.get()).filter(|last| *last < self.values.len() && holds(last));
        let at = last.or_else(|| (0..self.values.len()).find(holds))?;
        self.last.set(at);
        let one = &self.values[at];
        let value = u64::try_from(one.value.of(others)).ok()?;
        if self.number >= self.heaps {
            return Some(others[..self.heaps].iter().map(|heap| u64::from(*heap)).sum());
        }
        Some(others[..self.heaps - 1].iter().fold(value, |sum, heap| sum + u64::from(*heap)))
    }

    /// Whether the positions before a position can be visited.
    pub fn steps_back(&self) -> bool {
        self.back.is_some()
    }

    /// Visits positions with at most so much in all, without the number, from which a move leads to
    /// this one; some more than once. None at all unless [`GameWithoutDependent::steps_back`].
    pub fn before(&self, others: &[u32], most: u32, visit: &mut dyn FnMut(&[u32])) {
        if let Some(back) = &self.back {
            back.visit(others, most, visit);
        }
    }
}

/// Most numbers of a game without one of which these are made.
const NUMBERS: usize = 6;

/// What the number is where all of some conditions hold of the others.
struct Value {
    value: Sum,
    conditions: Vec<Compared>,
}

/// Σ coefficient · number + constant.
#[derive(Clone, Copy)]
struct Sum {
    coefficients: [i64; NUMBERS],
    constant: i64,
}

impl Sum {
    /// Reads a form; `place` says in which place its variables stand.
    fn read(form: &LinearForm, place: impl Fn(usize) -> Option<usize>) -> Sum {
        let mut sum = Sum { coefficients: [0; NUMBERS], constant: form.constant };
        for (own, factor) in reached::coefficients(form) {
            if let Some(place) = place(own) {
                sum.coefficients[place] += factor;
            }
        }
        sum
    }

    fn of(&self, numbers: &[u32]) -> i64 {
        let mut sum = self.constant;
        for (at, number) in numbers.iter().enumerate().take(NUMBERS) {
            sum += self.coefficients[at] * i64::from(*number);
        }
        sum
    }
}

/// A sum compared with 0.
struct Compared {
    sum: Sum,
    relation: Relation,
}

impl Compared {
    fn is_trivial(&self) -> bool {
        self.sum.coefficients == [0; NUMBERS] && compares(self.sum.constant, self.relation)
    }

    fn holds(&self, numbers: &[u32]) -> bool {
        compares(self.sum.of(numbers), self.relation)
    }
}

/// Whether a number compares with 0 so.
fn compares(number: i64, relation: Relation) -> bool {
    match relation {
        Relation::Equal => number == 0,
        Relation::Unequal => number != 0,
        Relation::Less => number < 0,
        Relation::AtMost => number <= 0,
        Relation::Greater => number > 0,
        Relation::AtLeast => number >= 0,
    }
}

/// The moves of a game without a number, from the positions after them: alternatives of linear
/// conditions.
struct Back {
    alternatives: Vec<Vec<Step>>,
}

/// A condition on the position before a move, one after it and constants.
struct Step {
    before: Sum,
    after: Sum,
    relation: Relation,
    /// The last number of the position before that it names, if any.
    last: Option<usize>,
}

impl Back {
    /// The moves of conditions over p0, q0, p1, q1, …; `None` if they are not linear.
    fn of(condition: &Formula) -> Option<Back> {
        let read = |one: &Condition| {
            let side = |side: usize| Sum::read(&one.form, |v| (v % 2 == side).then_some(v / 2));
            let (before, after) = (side(0), Sum { constant: 0, ..side(1) });
            let last = before.coefficients.iter().rposition(|factor| *factor != 0);
            Step { before, after, relation: one.relation, last }
        };
        let all = quantifiers::alternatives(&without_quantifiers(&condition.root)?)?;
        Some(Back { alternatives: all.iter().map(|one| one.iter().map(read).collect()).collect() })
    }

    /// Visits the positions with at most so much in all from which a move leads to `after`, some
    /// more than once.
    fn visit(&self, after: &[u32], most: u32, visit: &mut dyn FnMut(&[u32])) {
        let mut before = [0; NUMBERS];
        for steps in &self.alternatives {
            let is_open = |step: &Step| {
                step.last.is_some()
                    || compares(step.before.constant + step.after.of(after), step.relation)
            };
            if steps.iter().all(is_open) {
                number(steps, after, most, (&mut before[..after.len()], 0), visit);
            }
        }
    }
}

/// Chooses the number in a place, and all after it.
fn number(
    steps: &[Step],
    after: &[u32],
    left: u32,
    (before, at): (&mut [u32], usize),
    visit: &mut dyn FnMut(&[u32]),
) {
    if at == before.len() {
        return visit(before);
    }
    let (mut low, mut high) = (0, i64::from(left));
    for step in steps.iter().filter(|step| step.last == Some(at)) {
        let rest = step.before.of(&before[..at]) + step.after.of(after);
        let factor = step.before.coefficients[at];
        // factor · x + rest is compared with 0: at most 0 where the factor is positive.
        let at_most = |more: i64| (-rest - more).div_euclid(factor);
        let at_least = |more: i64| -((-rest - more).div_euclid(-factor));
        match (step.relation, factor > 0) {
            (Relation::Equal, _) if rest % factor != 0 => return,
            (Relation::Equal, _) => {
                (low, high) = (low.max(-rest / factor), high.min(-rest / factor))
            }
            (Relation::Unequal, _) => {}
            (Relation::AtMost, true) => high = high.min(at_most(0)),
            (Relation::Less, true) => high = high.min(at_most(1)),
            (Relation::AtLeast, false) => high = high.min(rest.div_euclid(-factor)),
            (Relation::Greater, false) => high = high.min((rest - 1).div_euclid(-factor)),
            (Relation::AtLeast, true) => low = low.max(-rest.div_euclid(factor)),
            (Relation::Greater, true) => low = low.max(-(rest - 1).div_euclid(factor)),
            (Relation::AtMost, false) => low = low.max(at_least(0)),
            (Relation::Less, false) => low = low.max(at_least(1)),
        }
    }
    for value in low..=high {
        // At most what is left.
        before[at] = value as u32;
        let differs = |step: &Step| {
            step.last != Some(at)
                || step.relation != Relation::Unequal
                || step.before.of(&before[..=at]) + step.after.of(after) != 0
        };
        if steps.iter().all(differs) {
            number(steps, after, left - value as u32, (before, at + 1), visit);
        }
    }
    before[at] = 0;
}

/// Returns the game without the first number that the others determine where positions occur, and
/// that the rules need not name. `None` where there is none, if that is not decided within the
/// budget, and where it would be a game on no numbers.
pub fn without_dependent(game: &dyn Game, budget: &Budget) -> Option<GameWithoutDependent> {
    let stated = game.heap_game()?;
    let moves = &stated.moves;
    let is_whole = matches!(moves.windows, Windows::Any(most) if most >= stated.heaps);
    if !is_whole || moves.permutation.is_some() || stated.shrinks || stated.heaps < 2 {
        return None;
    }
    let seen = Seen {
        stated: &stated,
        condition: moves.condition.as_ref()?,
        domain: &moves.domain.as_ref()?.formula,
        budget,
    };
    (0..stated.heaps).find_map(|number| {
        // Where no equation says what the number is, nothing need be decided.
        let values = seen.values(number)?;
        let (moves, digits) = (seen.moves_without(number)?, stated.digits);
        let back = moves.condition.as_ref().and_then(Back::of);
        let rules =
            HeapRules { digits, ..HeapRules::places(stated.heaps - 1, Symmetry::None, moves) };
        let game = rules.with_name(game.name(), game.describe()).game();
        let heaps = stated.heaps - stated.moves.memory.count;
        Some(GameWithoutDependent {
            number,
            game,
            spread: seen.spread(number, heaps),
            heaps,
            values,
            last: Cell::new(0),
            back,
        })
    })
}

/// A game on the positions that occur.
struct Seen<'g> {
    stated: &'g HeapGame,
    /// Over p0, q0, p1, q1, …
    condition: &'g Formula,
    /// Over p0, p1, …
    domain: &'g Formula,
    budget: &'g Budget,
}

impl Seen<'_> {
    /// Whether a sentence is true; `false`, too, if that is not decided.
    fn is_true(&self, builder: FormulaBuilder, sentence: Node) -> bool {
        let numeration = Numeration::from(self.stated.digits);
        let (nodes, bytes) = DECIDED;
        let meter = &mut Meter::new(&Budget {
            nodes: Some(nodes),
            bytes: Some(bytes),
            ..self.budget.clone()
        });
        matches!(decide(&builder.build(sentence), numeration, meter), Ok(Decision::True(_)))
    }

    /// Whether no two positions that occur differ in this number alone.
    fn is_determined(&self, number: usize) -> bool {
        let mut builder = FormulaBuilder::default();
        let own: Vec<usize> =
            self.domain.names[..self.stated.heaps].iter().map(|p| builder.bind(p)).collect();
        let mut other = own.clone();
        other[number] = builder.bind("r");
        let both = builder.embed(self.domain, &own).and(builder.embed(self.domain, &other));
        let same = Term::Variable(own[number]).equals(Term::Variable(other[number]));
        let all = [&own[..], &[other[number]]].concat();
        self.is_true(builder, both.implies(same).for_all(all))
    }

    /// Whether a condition on the position before a move and after it follows from others, of
    /// positions that occur.
    fn follows(&self, from: &[Node], condition: &Node) -> bool {
        let mut builder = FormulaBuilder::default();
        let free = self.condition.free;
        let numbers: Vec<usize> =
            self.condition.names[..free].iter().map(|name| builder.bind(name)).collect();
        let [before, after] =
            [0, 1].map(|side| numbers.iter().copied().skip(side).step_by(2).collect::<Vec<_>>());
        let mut given =
            vec![builder.embed(self.domain, &before), builder.embed(self.domain, &after)];
        let mut put = |node: &Node| {
            let formula = Formula { root: node.clone(), ..self.condition.clone() };
            builder.embed(&formula, &numbers)
        };
        given.extend(from.iter().map(&mut put));
        let condition = put(condition);
        self.is_true(builder, Node::all(given).implies(condition).for_all(numbers))
    }

    /// The moves without a number, if the others determine it.
    fn moves_without(&self, number: usize) -> Option<Moves> {
        let (n, memory) = (self.stated.heaps, self.stated.moves.memory);
        let heaps = n - memory.count;
        let is_heap = number < heaps;
        let left = match is_heap {
            false => memory.count - 1,
            true if memory.count > 0 => n - 1,
            true => 0,
        };
        // A game on one number that is no heap is none that tables are made of.
        if left == n - 1 && n == 2 || !self.is_determined(number) {
            return None;
        }
        // No heap grows, and a token is taken. Of the heaps that stay heaps this is understood.
        let falls = |heap: usize| {
            Moves::size_after(heap).compared(Relation::AtMost, Moves::size_before(heap))
        };
        let sum = |side: usize| Term::sum_of((0..heaps).map(|heap| 2 * heap + side));
        let mut parts = flat(&self.condition.root);
        let mut understood = Vec::new();
        if is_heap && memory.count > 0 {
            parts.extend((0..heaps).map(falls));
            parts.push(sum(1).compared(Relation::Less, sum(0)));
        } else {
            understood.extend((0..heaps).filter(|heap| *heap != number).map(falls));
            parts.extend((0..heaps).filter(|heap| *heap == number).map(falls));
        }
        let own = Without { seen: self, number, understood };
        let mut root = own.said(parts, &mut 0)?;
        let without = |node: &Node, side: usize| {
            growth::renumbered(node, &mut |v| if v > side { v - 1 } else { v })
        };
        let occurs = without_quantifiers(&self.domain.root.clone().exists(vec![number]))?;
        let occurs = without(&occurs, number);
        let names: Vec<String> = (0..n - 1).map(|place| format!("p{place}")).collect();
        let formula = Formula { names, free: n - 1, root: occurs };
        let mut builder = FormulaBuilder::default();
        let all: Vec<usize> = formula.names.iter().map(|name| builder.bind(name)).collect();
        let always = builder.embed(&formula, &all).for_all(all);
        root = without(&without(&root, 2 * number + 1), 2 * number);
        let domain = if self.is_true(builder, always) {
            None
        } else {
            let after = growth::renumbered(&formula.root, &mut |v| 2 * v + 1);
            let before = growth::renumbered(&formula.root, &mut |v| 2 * v);
            root = Node::all([root, before, after]);
            let mut most = self.stated.moves.domain.as_ref()?.most.clone();
            most.remove(number);
            Some(Domain { formula, most })
        };
        let bound = &self.condition.names[self.condition.free..];
        let condition = Formula {
            names: Moves::names(n - 1).into_iter().chain(bound.iter().cloned()).collect(),
            free: 2 * (n - 1),
            root,
        };
        let factor =
            if left == 0 { 0 } else { memory.factor.checked_mul(1 + self.factor(number)?)? };
        let moves = Moves {
            windows: Windows::Any(n - 1),
            condition: Some(condition),
            permutation: None,
            memory: Memory { count: left, factor },
            domain,
        };
        HeapOptions::new(&moves, Some(n - 1), false).is_exact().then_some(moves)
    }

    /// What the number is, in each alternative of what occurs.
    fn values(&self, number: usize) -> Option<Vec<Value>> {
        let place = |own: usize| (own != number).then(|| if own > number { own - 1 } else { own });
        if self.stated.heaps > NUMBERS {
            return None;
        }
        let variable = Variable::try_from(number).ok()?;
        let read = |conditions: Vec<Condition>| {
            let equations = conditions.iter().filter(|one| one.relation == Relation::Equal);
            let value = equations.filter_map(|one| one.form.solved(variable)).next()?;
            let put = |one: &Condition| {
                let form = one.form.substitute(variable, &value)?;
                Some(Compared { sum: Sum::read(&form, place), relation: one.relation })
            };
            let mut conditions = conditions.iter().map(put).collect::<Option<Vec<Compared>>>()?;
            let value = Sum::read(&value, place);
            conditions.push(Compared { sum: value, relation: Relation::AtLeast });
            // The equation that was solved says no more.
            conditions.retain(|one| !one.is_trivial());
            Some(Value { value, conditions })
        };
        quantifiers::alternatives(&self.domain.root)?.into_iter().map(read).collect()
    }

    /// The others together are at most this many times the tokens in the heaps.
    fn spread(&self, number: usize, heaps: usize) -> Option<u32> {
        self.least_factor(|all| {
            let others = (0..all.len()).filter(|place| *place != number).map(|place| all[place]);
            (Term::sum_of(others), Term::sum_of(all[..heaps].iter().copied()))
        })
    }

    /// The least factor with which one number of a position that occurs is at most this many times
    /// another.
    fn least_factor(&self, sides: impl Fn(&[usize]) -> (Term, Term)) -> Option<u32> {
        FACTORS.into_iter().find(|factor| {
            let mut builder = FormulaBuilder::default();
            let all: Vec<usize> =
                self.domain.names[..self.stated.heaps].iter().map(|p| builder.bind(p)).collect();
            let occurs = builder.embed(self.domain, &all);
            let (less, more) = sides(&all);
            let most = Term::Multiple((*factor).into(), more.into());
            self.is_true(
                builder,
                occurs.implies(less.compared(Relation::AtMost, most)).for_all(all),
            )
        })
    }

    /// The number is at most this many times one more than the others together.
    fn factor(&self, number: usize) -> Option<u32> {
        self.least_factor(|all| {
            let others = (0..all.len()).filter(|place| *place != number).map(|place| all[place]);
            let more = Term::Sum(vec![Term::sum_of(others), Term::Number(1)]);
            (Term::Variable(all[number]), more)
        })
    }
}

/// A game without a number.
struct Without<'g> {
    seen: &'g Seen<'g>,
    number: usize,
    /// What is understood of every move.
    understood: Vec<Node>,
}

impl Without<'_> {
    fn names_it(&self, node: &Node) -> bool {
        node.mentions(2 * self.number) || node.mentions(2 * self.number + 1)
    }

    /// What conditions say together of the other numbers; `None` if that is not found.
    fn said(&self, parts: Vec<Node>, alternatives: &mut usize) -> Option<Node> {
        *alternatives += 1;
        if *alternatives > ALTERNATIVES {
            return None;
        }
        let parts: Vec<Node> = parts.iter().flat_map(flat).collect();
        let (mut of_it, of_others): (Vec<Node>, Vec<Node>) =
            parts.into_iter().partition(|part| self.names_it(part));
        let given = [&of_others[..], &self.understood[..]].concat();
        of_it.retain(|part| !self.seen.follows(&given, part));
        if of_it.is_empty() {
            return Some(Node::all(of_others));
        }
        if let Some(at) = of_it.iter().position(|part| matches!(part, Node::Or(_)))
            && let Node::Or(all) = of_it.remove(at)
        {
            let one =
                |one: Node| self.said([&of_others[..], &of_it[..], &[one]].concat(), alternatives);
            return Some(Node::any(all.into_iter().map(one).collect::<Option<Vec<_>>>()?));
        }
        let [before, after] =
            [0, 1].map(|side| growth::renumbered(&self.seen.domain.root, &mut |v| 2 * v + side));
        let values = vec![2 * self.number, 2 * self.number + 1];
        let all = Node::all([before, after].into_iter().chain(of_it));
        let said = without_quantifiers(&all.exists(values))?;
        Some(Node::all(of_others.into_iter().chain([said])))
    }
}

/// The parts that must all hold.
fn flat(node: &Node) -> Vec<Node> {
    match node {
        Node::And(parts) => parts.iter().flat_map(flat).collect(),
        node => vec![node.clone()],
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::{RuleFile, where_moves_begin};
    use std::collections::BTreeSet;

    fn options(game: &dyn Game, p: &[u64]) -> BTreeSet<Vec<u64>> {
        let mut graph = game.graph();
        let node = graph.position(p).unwrap();
        graph
            .options(node)
            .unwrap()
            .to_vec()
            .iter()
            .map(|node| graph.sizes(*node).unwrap())
            .collect()
    }

    /// Options without the number are those of the whole game, each without it; steps back are the
    /// same from the other end, and tokens those of the heaps.
    #[test]
    fn moves_without_a_number_are_those_with_it() {
        const AMALGAMATION: &str =
            include_str!("../../../../tests/papers/amalgamation-3-restricted.toml");
        // A flag says which heap is larger, and with it which one may be lowered by much.
        const FLAG: &str = "name = \"flag\"\nheaps = 2\nmemory = 1\n\
            positions = \"p2 = 1 & p0 > p1 | p2 = 0 & p0 <= p1\"\n\
            move = \"(q2 = 1 & q0 > q1 | q2 = 0 & q0 <= q1) & (q0 < p0 & q1 = p1 & (p2 = 1 | p0 = \
                     q0+1) | q1 < p1 & q0 = p0 & (p2 = 0 | p1 = q1+1))\"\n";
        // The third heap is the sum of the others, in whatever way these are lowered.
        const SUM: &str = "name = \"sum\"\nheaps = 3\npositions = \"p2 = p0+p1\"\n\
            move = \"q2 = q0+q1 & 2*q2 >= p2\"\n";
        // A memory holds the difference of the heaps.
        const DIFFERENCE: &str = "name = \"difference\"\nheaps = 2\nmemory = 1\n\
            positions = \"p0 = p1+p2\"\nmove = \"q0 = q1+q2 & q0 < p0 & q1 <= p1 & (q2 = p2 | q2 \
            < p2 & q1 = p1)\"\n";
        for (text, most) in [(AMALGAMATION, 5), (FLAG, 7), (SUM, 8), (DIFFERENCE, 9)] {
            let file = RuleFile::parse(text).unwrap().game();
            let game = where_moves_begin(&*file, &Budget::default()).unwrap_or(file);
            let stated = game.heap_game().unwrap();
            let name = game.name();
            let domain = stated.moves.domain.as_ref().unwrap();
            let seen = without_dependent(&*game, &Budget::default()).expect(&name);
            let (n, heaps) = (stated.heaps, stated.heaps - stated.moves.memory.count);
            let without = |p: &[u64]| {
                let mut others = p.to_vec();
                others.remove(seen.number);
                others
            };
            let narrow = |p: &[u64]| p.iter().map(|x| *x as u32).collect::<Vec<u32>>();
            let mut all: Vec<Vec<u64>> = vec![vec![]];
            for place in 0..n {
                let top = if place == seen.number { 4 * most } else { most };
                all = all
                    .iter()
                    .flat_map(|p| (0..=top).map(move |x| [&p[..], &[x]].concat()))
                    .collect();
            }
            all.retain(|p| domain.contains(p));
            let mut moves = 0;
            for p in &all {
                let others = without(p);
                let after: BTreeSet<Vec<u64>> =
                    options(&*game, p).iter().map(|option| without(option)).collect();
                assert_eq!(options(&*seen.game, &others), after, "{name}: {p:?}");
                assert_eq!(
                    seen.tokens(&narrow(&others)),
                    Some(p[..heaps].iter().sum()),
                    "{name}: {p:?}"
                );
                moves += after.len();
            }
            assert!(moves > 100, "{name}: {moves}");
            if seen.steps_back() && stated.moves.memory.count + 1 == n {
                for p in &all {
                    let others = without(p);
                    let mut before = BTreeSet::new();
                    seen.before(&narrow(&others), 2 * most as u32, &mut |q| {
                        before.insert(q.iter().map(|x| u64::from(*x)).collect::<Vec<u64>>());
                    });
                    let small = all
                        .iter()
                        .map(|q| without(q))
                        .filter(|q| q.iter().sum::<u64>() <= 2 * most);
                    for q in small {
                        let leads = options(&*seen.game, &q).contains(&others);
                        assert_eq!(before.contains(&q), leads, "{name}: {q:?} to {p:?}");
                    }
                }
            }
        }
        // Nothing is determined, or only together with another number.
        for positions in ["p2 <= 1", "p2 <= p0"] {
            let text = format!(
                "name = \"free\"\nheaps = 2\nmemory = 1\npositions = \"{positions}\"\n\
                 move = \"q0 < p0 & q1 = p1 & q2 = 0 | q1 < p1 & q0 = p0 & q2 = p2\"\n"
            );
            let game = RuleFile::parse(&text).unwrap().game();
            assert!(without_dependent(&*game, &Budget::default()).is_none(), "{positions}");
        }
    }
}
