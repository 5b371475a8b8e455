//! Each component by itself against an evaluator that knows what docs/certificates.md says of numbers, formulas and words,
//! and nothing of how a component works: what a component accepts must be true of all small numbers and short words.
//!
//! `COMPONENTS=1000000 cargo test --release -p bouton-check components` tries so many random inputs of each.

use super::cover::{Automaton, EVERYTHING, NOTHING};
use super::formula::{Formula, Node, Relation, Term, formula};
use super::impossible::satisfiable;
use super::linear::{Atom, Base, Linear, Test, Variable, add};
use super::normal::alternatives;
use super::rules::Game;
use super::witness::{Names, Part, Stands};
use crate::Limits;
use crate::work::{Reason, Work};
use std::collections::HashMap;

/// Random numbers (xorshift64*, Vigna 2014), the same in every run.
struct Lot(u64);

impl Lot {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }
    fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

fn cases() -> usize {
    std::env::var("COMPONENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

fn within<T>(work: impl FnOnce(&mut Work<'_>) -> Result<T, Reason>) -> Result<T, Reason> {
    let limits = Limits { steps: 1 << 22, bytes: 1 << 26, ..Limits::default() };
    work(&mut Work::new(&limits, &mut || true))
}

// The evaluator.

fn fibonacci() -> Vec<i64> {
    let mut all = vec![1, 2];
    while all.len() < 40 {
        all.push(all[all.len() - 1] + all[all.len() - 2]);
    }
    all
}

/// The number with a 0 after its Zeckendorf digits.
fn shifted(mut n: i64) -> i64 {
    let (all, mut sum) = (fibonacci(), 0);
    for i in (0..all.len() - 1).rev() {
        if all[i] <= n {
            n -= all[i];
            sum += all[i + 1];
        }
    }
    sum
}

fn digit_sum(modulus: u8, values: &[i64]) -> i64 {
    (0..40).map(|i| (values.iter().map(|v| v >> i & 1).sum::<i64>() % i64::from(modulus)) << i).sum()
}

type Values = HashMap<Variable, i64>;

fn atom_holds(atom: &Atom, at: &Values) -> bool {
    let value = |base: &Base| match base {
        Base::Plain(v) => at[v],
        Base::Shift(v) => shifted(at[v]),
        Base::Xor(m, all) => digit_sum(*m, &all.iter().map(|v| at[v]).collect::<Vec<_>>()),
    };
    let sum = atom.form.terms.iter().map(|(base, c)| c * value(base)).sum::<i64>() + atom.form.constant;
    match atom.test {
        Test::Zero => sum == 0,
        Test::NonZero => sum != 0,
        Test::AtMostZero => sum <= 0,
        Test::Divisible(m) => sum.rem_euclid(m) == 0,
        Test::Indivisible(m) => sum.rem_euclid(m) != 0,
    }
}

/// Whether some values below `most` of the variables make it true.
fn some(vars: &[Variable], most: i64, at: &mut Values, holds: &dyn Fn(&Values) -> bool) -> bool {
    let Some((v, rest)) = vars.split_first() else { return holds(at) };
    (0..most).any(|x| {
        at.insert(*v, x);
        some(rest, most, at, holds)
    })
}

fn term_value(term: &Term, at: &[i64]) -> i64 {
    let all = |parts: &[Term]| parts.iter().map(|part| term_value(part, at)).collect::<Vec<i64>>();
    match term {
        Term::Number(k) => *k,
        Term::Variable(v) => at[*v],
        Term::Sum(parts) => all(parts).iter().sum(),
        Term::Times(k, inner) => k * term_value(inner, at),
        Term::Xor(m, parts) => digit_sum(*m, &all(parts)),
        Term::Min(parts) => *all(parts).iter().min().unwrap(),
        Term::Max(parts) => *all(parts).iter().max().unwrap(),
        Term::Div(inner, by) => term_value(inner, at).div_euclid(*by),
        Term::Mod(inner, by) => term_value(inner, at).rem_euclid(*by),
        Term::Shift(inner) => shifted(term_value(inner, at)),
    }
}

/// The formula's truth, bound variables being below `most`.
fn node_holds(node: &Node, at: &mut Vec<i64>, most: i64) -> bool {
    match node {
        Node::Known(truth) => *truth,
        Node::Compare(left, relation, right) => {
            let order = term_value(left, at).cmp(&term_value(right, at));
            match relation {
                Relation::Equal => order.is_eq(),
                Relation::Unequal => order.is_ne(),
                Relation::Less => order.is_lt(),
                Relation::AtMost => order.is_le(),
                Relation::Greater => order.is_gt(),
                Relation::AtLeast => order.is_ge(),
            }
        }
        Node::Not(inner) => !node_holds(inner, at, most),
        Node::And(parts) => parts.iter().all(|part| node_holds(part, at, most)),
        Node::Or(parts) => parts.iter().any(|part| node_holds(part, at, most)),
        Node::Iff(left, right) => node_holds(left, at, most) == node_holds(right, at, most),
        Node::Exists(vars, body) => bound(vars, body, at, most, true),
        Node::Forall(vars, body) => !bound(vars, body, at, most, false),
    }
}

fn bound(vars: &[usize], body: &Node, at: &mut Vec<i64>, most: i64, wanted: bool) -> bool {
    let Some((v, rest)) = vars.split_first() else { return node_holds(body, at, most) == wanted };
    at.resize(at.len().max(v + 1), 0);
    (0..most).any(|x| {
        at[*v] = x;
        bound(rest, body, at, most, wanted)
    })
}

// Random things.

fn game(name: &str) -> Game {
    Game::read(name).unwrap()
}

fn form(lot: &mut Lot, vars: &[Variable], zeckendorf: bool) -> Linear {
    let mut sum = Linear::constant(lot.between(-6, 6));
    for _ in 0..1 + lot.below(3) {
        let v = *lot.one(vars);
        let one = match (lot.below(3), zeckendorf) {
            (0, true) => Linear { terms: vec![(Base::Shift(v), 1)], constant: 0 },
            (0, false) => {
                let m = lot.between(2, 3) as u8;
                let all = (0..2 + lot.below(2)).map(|_| *lot.one(vars)).collect();
                super::linear::xor(m, all)
            }
            _ => Linear::variable(v),
        };
        sum = sum.plus(lot.between(-3, 3), &one).unwrap();
    }
    sum
}

fn atom(lot: &mut Lot, vars: &[Variable], zeckendorf: bool) -> Atom {
    let test = match lot.below(8) {
        0 => Test::Zero,
        1 => Test::NonZero,
        2 => Test::Divisible(lot.between(2, 5)),
        3 => Test::Indivisible(lot.between(2, 5)),
        _ => Test::AtMostZero,
    };
    Atom::new(form(lot, vars, zeckendorf), test)
}

fn atoms(lot: &mut Lot, vars: &[Variable], zeckendorf: bool) -> Option<Vec<Atom>> {
    let mut list = Vec::new();
    let fine = (0..1 + lot.below(6)).all(|_| add(&mut list, atom(lot, vars, zeckendorf)));
    fine.then_some(list)
}

/// A normal form is no other claim.
#[test]
fn normal_forms_mean_the_same() {
    let mut lot = Lot(11);
    for _ in 0..cases() {
        let vars: Vec<Variable> = vec![0, 1, 2];
        let zeckendorf = lot.below(2) == 0;
        let (one, other) = (atom(&mut lot, &vars, zeckendorf), atom(&mut lot, &vars, zeckendorf));
        let mut list = Vec::new();
        let fine = add(&mut list, one.clone()) && add(&mut list, other.clone());
        let differ = |at: &Values| {
            let said = fine && list.iter().all(|atom| atom_holds(atom, at));
            said != (atom_holds(&one, at) && atom_holds(&other, at))
        };
        let mut at = Values::new();
        assert!(!some(&vars, 12, &mut at, &differ), "{one:?} {other:?} at {at:?}");
    }
}

/// What has a solution is never held impossible.
#[test]
fn nothing_possible_is_held_impossible() {
    let mut lot = Lot(12);
    let (binary, zeckendorf) = (game("nim(3)"), game("wythoff"));
    let (mut yes, mut no) = (0, 0);
    for _ in 0..cases() {
        let game = *lot.one(&[&binary, &zeckendorf]);
        let vars: Vec<Variable> = (0..1 + lot.below(3) as Variable).collect();
        let Some(list) = atoms(&mut lot, &vars, game.zeckendorf) else { continue };
        let Ok(said) = within(|work| satisfiable(list.clone(), game, work)) else { continue };
        let mut at = Values::new();
        let most = [200, 40, 14][vars.len() - 1];
        let holds = |at: &Values| list.iter().all(|atom| atom_holds(atom, at));
        if !said {
            assert!(!some(&vars, most, &mut at, &holds), "{list:?} at {at:?}");
        }
        *(if said { &mut yes } else { &mut no }) += 1;
    }
    assert!(yes > cases() / 30 && no > cases() / 30, "{yes} {no}");
}

fn term_text(lot: &mut Lot, depth: usize, names: &[&str]) -> String {
    let inner = |lot: &mut Lot| term_text(lot, depth.saturating_sub(1), names);
    match if depth == 0 { lot.below(3) } else { lot.below(11) } {
        0 | 1 => (*lot.one(names)).to_owned(),
        2 => lot.below(7).to_string(),
        3 | 4 => format!("({} + {})", inner(lot), inner(lot)),
        5 => format!("{}*({})", 1 + lot.below(3), inner(lot)),
        6 => format!("min({}, {})", inner(lot), inner(lot)),
        7 => format!("max({}, {})", inner(lot), inner(lot)),
        8 => format!("({} mod {})", inner(lot), 2 + lot.below(8)),
        9 => format!("({} div {})", inner(lot), 2 + lot.below(3)),
        _ => format!("({} xor {})", inner(lot), inner(lot)),
    }
}

fn formula_text(lot: &mut Lot, depth: usize, names: &[&str]) -> String {
    let inner = |lot: &mut Lot| formula_text(lot, depth - 1, names);
    match if depth == 0 { 0 } else { lot.below(8) } {
        0..=2 => {
            let sign = lot.one(&["=", "!=", "<", "<=", ">", ">="]).to_owned();
            format!("{} {sign} {}", term_text(lot, 2, names), term_text(lot, 1, names))
        }
        3 => format!("({} & {})", inner(lot), inner(lot)),
        4 => format!("({} | {})", inner(lot), inner(lot)),
        5 => format!("~({})", inner(lot)),
        6 => format!("({} => {})", inner(lot), inner(lot)),
        _ => format!("({} <=> {})", inner(lot), inner(lot)),
    }
}

/// Together the alternatives say what the formula says.
#[test]
fn alternatives_mean_the_formula() {
    let mut lot = Lot(13);
    let mut looked = 0;
    for _ in 0..cases() {
        let text = formula_text(&mut lot, 2, &["a", "b"]);
        let read = formula(&text, &["a".into(), "b".into()]).unwrap();
        let Ok(all) = within(|work| alternatives(&read, &[0, 1], work)) else { continue };
        // Quotients and sums that digits are asked of are below this; more than two take too long to try.
        if all.iter().any(|one| one.chosen.len() > 2) || all.len() > 60 {
            continue;
        }
        looked += 1;
        for (a, b) in [(0, 0), (0, 3), (5, 0), (1, 1), (2, 7), (6, 4), (3, 8), (9, 9)] {
            let mut at = Values::from([(0, a), (1, b)]);
            let said = all.iter().any(|one| {
                some(&one.chosen, 60, &mut at, &|at| one.atoms.iter().all(|atom| atom_holds(atom, at)))
            });
            assert_eq!(said, node_holds(&read.root, &mut vec![a, b], 0), "{text} at {a}, {b}");
        }
    }
    assert!(looked > cases() / 4, "{looked}");
}

/// All words of so many rounds, with the numbers they are; in Zeckendorf digits only numerals.
fn words(heaps: usize, rounds: usize, zeckendorf: bool) -> Vec<(Vec<usize>, Vec<i64>)> {
    let weights = fibonacci();
    let mut all = Vec::new();
    'word: for code in 0..1usize << (heaps * rounds) {
        let word: Vec<usize> = (0..heaps * rounds).map(|i| code >> i & 1).collect();
        let mut numbers = Vec::new();
        for h in 0..heaps {
            let digits: Vec<usize> = (0..rounds).map(|r| word[r * heaps + h]).collect();
            if zeckendorf && digits.windows(2).any(|w| w == [1, 1]) {
                continue 'word;
            }
            let weight = |place: usize| if zeckendorf { weights[place] } else { 1 << place };
            numbers.push((0..rounds).map(|r| digits[r] as i64 * weight(rounds - 1 - r)).sum());
        }
        all.push((word, numbers));
    }
    all
}

fn accepted(automaton: &Automaton, start: u32, word: &[usize]) -> bool {
    let end = word.iter().fold(start, |state, digit| automaton.next[state as usize][*digit]);
    end == EVERYTHING || automaton.accepting[end as usize]
}

fn automaton(lot: &mut Lot, heaps: usize, zeckendorf: bool, full: bool) -> Automaton {
    let count = 1 + lot.below(6);
    let mut automaton = Automaton {
        next: vec![[NOTHING; 2], [EVERYTHING; 2]],
        accepting: vec![false, true],
        heaps,
        zeckendorf,
    };
    for _ in 0..count {
        let state = |lot: &mut Lot| match (lot.below(6), full) {
            (0, true) => EVERYTHING,
            (0 | 1, false) => NOTHING,
            _ => 2 + lot.below(count) as u32,
        };
        let next = [state(lot), state(lot)];
        automaton.next.push(next);
        automaton.accepting.push(lot.below(if full { 2 } else { 3 }) == 0);
    }
    automaton
}

/// A word that is accepted satisfies the conditions, for some guess.
#[test]
fn automata_accept_what_conditions_allow() {
    let mut lot = Lot(14);
    let mut fine = 0;
    for _ in 0..20 * cases() {
        let zeckendorf = lot.below(2) == 0;
        let heaps = 1 + lot.below(2);
        let automaton = automaton(&mut lot, heaps, zeckendorf, false);
        let guesses: Vec<Variable> = (0..lot.below(2) as Variable).map(|i| 100 + i).collect();
        let vars: Vec<Variable> = (0..heaps as Variable).chain(guesses.iter().copied()).collect();
        let Some(conditions) = atoms(&mut lot, &vars, zeckendorf) else { continue };
        let stands = if zeckendorf && lot.below(9) == 0 { Stands::Neighbours(0) } else { Stands::Over };
        let neighbours = matches!(stands, Stands::Neighbours(_));
        let part = Part { stands, values: vec![], guesses, conditions };
        if within(|work| automaton.implies(2, &part, work)).is_err() {
            continue;
        }
        for rounds in 0..if heaps == 1 { 7 } else { 5 } {
            for (word, numbers) in words(heaps, rounds, zeckendorf) {
                if !accepted(&automaton, 2, &word) {
                    continue;
                }
                fine += 1;
                assert!(!neighbours, "a numeral is accepted");
                let mut at: Values = (0..).zip(numbers.iter().copied()).collect();
                let holds = |at: &Values| part.conditions.iter().all(|atom| atom_holds(atom, at));
                assert!(some(&part.guesses, 5000, &mut at, &holds), "{:?} {numbers:?}", part.conditions);
            }
        }
    }
    assert!(fine > cases(), "{fine}");
}

/// What is said to be covered is: some automaton accepts every word.
#[test]
fn covers_leave_no_word_out() {
    let mut lot = Lot(15);
    let mut fine = 0;
    for _ in 0..20 * cases() {
        let heaps = 1 + lot.below(2);
        let automaton = automaton(&mut lot, heaps, false, true);
        let count = automaton.next.len();
        let state = |lot: &mut Lot| 2 + lot.below(count - 2) as u32;
        let starts: Vec<u32> = (0..1 + lot.below(3)).map(|_| state(&mut lot)).collect();
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for _ in 0..1 + lot.below(5) {
            let mut set: Vec<u32> = (0..1 + lot.below(3)).map(|_| state(&mut lot)).collect();
            set.sort_unstable();
            set.dedup();
            sets.push(set);
        }
        if within(|work| automaton.covers(&starts, &sets, work)).is_err() {
            continue;
        }
        fine += 1;
        for rounds in 0..if heaps == 1 { 7 } else { 5 } {
            for (word, _) in words(heaps, rounds, false) {
                assert!(
                    starts.iter().any(|start| accepted(&automaton, *start, &word)),
                    "{automaton:?} {sets:?}"
                );
            }
        }
    }
    assert!(fine > cases() / 10, "{fine}");
}

/// The options of a position, as the rules of the games below are known.
fn options(name: &str, p: &[i64]) -> Vec<Vec<i64>> {
    let below = |p: &[i64]| {
        p.iter().fold(vec![vec![]], |all: Vec<Vec<i64>>, x| {
            all.iter().flat_map(|q| (0..=*x).map(move |y| [&q[..], &[y]].concat())).collect()
        })
    };
    let lowered = |q: &[i64]| (0..p.len()).filter(|i| q[*i] < p[*i]).count();
    let total = |q: &[i64]| q.iter().sum::<i64>();
    below(p)
        .into_iter()
        .filter(|q| total(q) < total(p))
        .filter(|q| match name {
            "nim(2)" => lowered(q) == 1,
            "CN(3,2)" => lowered(q) <= 2,
            "wythoff" => lowered(q) == 1 || p[0] - q[0] == p[1] - q[1],
            "S(1,2;2)" => lowered(q) == 1 && total(p) - total(q) <= 2,
            _ => lowered(q) == 1 && q[0] == p[0] - 1 || q[1] == 2 && q[0] == p[0],
        })
        .collect()
}

/// Where the conditions of a part that is accepted hold, there is a move to a claimed position.
#[test]
fn parts_show_moves_that_are_there() {
    let mut lot = Lot(16);
    let mut fine = 0;
    for _ in 0..10 * cases() {
        let name = *lot.one(&[
            "nim(2)",
            "CN(3,2)",
            "wythoff",
            "S(1,2;2)",
            "rules(2;none;binary;q0+1=p0 & q1=p1 | q1=2 & q0=p0)",
        ]);
        let game = game(name);
        let m = game.heaps;
        let letters = &["a", "b", "c"][..m];
        let simple = |lot: &mut Lot| match lot.below(5) {
            0 => format!("{} = {}", lot.one(letters), lot.one(letters)),
            1 => format!("{} <= {}", lot.one(letters), lot.one(letters)),
            2 => format!("{} = {}", lot.one(letters), lot.below(3)),
            3 if !game.zeckendorf => {
                format!("{} = {} xor {}", lot.one(letters), lot.one(letters), lot.below(4))
            }
            _ => format!(
                "{} = min({}, {}) + {}",
                lot.one(letters),
                lot.one(letters),
                lot.one(letters),
                lot.below(2)
            ),
        };
        let text = match lot.below(4) {
            0 => simple(&mut lot),
            1 => format!("{} | {}", simple(&mut lot), simple(&mut lot)),
            2 => format!("E x: x + {} = {} & ({})", lot.one(letters), lot.one(letters), simple(&mut lot)),
            _ => format!("{} & {}", simple(&mut lot), simple(&mut lot)),
        };
        let names: Vec<String> = letters.iter().map(|l| (*l).to_owned()).collect();
        let claim: Formula = formula(&text, &names).unwrap();
        let ways = game.ways(m).unwrap();
        let way = ways[lot.below(ways.len())].clone();
        let mut image: Vec<usize> = (0..m).collect();
        if lot.below(2) == 0 && name != "rules(2;none;binary;q0+1=p0 & q1=p1 | q1=2 & q0=p0)" {
            image.reverse();
        }
        let window = way.window.clone();
        let stays = lot.below(5) == 0;
        let stands = if stays { Stands::Stay(image.clone()) } else { Stands::Take(way, image.clone()) };
        let known = Names::new(m, claim.bound, 0);
        let heap = |lot: &mut Lot| format!("p{}", lot.below(m));
        let guess = lot.below(6) == 0;
        let said = |lot: &mut Lot| match lot.below(6) {
            0 => "0".to_owned(),
            1 => format!("{} - {}", heap(lot), lot.below(3)),
            2 => format!("max(0, {} - {})", heap(lot), heap(lot)),
            3 => format!("min({}, {})", heap(lot), heap(lot)),
            4 => format!("{} - {}", heap(lot), heap(lot)),
            _ => heap(lot),
        };
        let mut values = Vec::new();
        let mut guesses = Vec::new();
        let mut wanted: Vec<String> = window.iter().map(|h| format!("q{h}")).collect();
        wanted.extend((0..claim.bound).map(|i| format!("x{i}")));
        wanted.extend((0..2).map(|i| format!("y{i}")));
        for (i, v) in wanted.iter().enumerate() {
            if i == 0 && guess {
                guesses.push(known.variable(v).unwrap());
            } else {
                let text = format!("{v} = {}", said(&mut lot));
                values.push(within(|work| known.value(&text, work)).unwrap());
            }
        }
        let vars: Vec<Variable> = (0..m as Variable).chain(guesses.iter().copied()).collect();
        let mut conditions = Vec::new();
        let more = lot.below(5);
        for i in 0..more + m {
            // Often equations and orders of heaps, of which something follows.
            let one = match lot.below(4) {
                0 => Atom::new(form(&mut lot, &vars, game.zeckendorf), Test::AtMostZero),
                1 => Atom::new(
                    Linear::variable(*lot.one(&vars)).plus(-1, &Linear::variable(*lot.one(&vars))).unwrap(),
                    *lot.one(&[Test::Zero, Test::AtMostZero]),
                ),
                2 => Atom::new(
                    Linear::variable((i % m) as Variable)
                        .plus(-1, &Linear::constant(lot.between(0, 3)))
                        .unwrap(),
                    Test::Zero,
                ),
                _ => Atom::new(
                    Linear::constant(lot.between(0, 2)).plus(-1, &Linear::variable(*lot.one(&vars))).unwrap(),
                    Test::AtMostZero,
                ),
            };
            add(&mut conditions, one);
        }
        let part = Part { stands, values, guesses, conditions };
        let mut claims: Vec<Option<Formula>> = (0..m).map(|_| None).collect();
        claims.push(Some(claim.clone()));
        if within(|work| part.check(&game, &claims, m, work)).is_err() {
            continue;
        }
        // In any image: that is what a claim up to symmetry says.
        let claimed = |p: &[i64]| {
            let place: Vec<i64> = image.iter().map(|h| p[*h]).collect();
            node_holds(&claim.root, &mut place.clone(), 12)
        };
        let positions = words(m, 3, false).into_iter().map(|(_, numbers)| numbers);
        for p in positions {
            let mut at: Values = (0..).zip(p.iter().copied()).collect();
            let holds = |at: &Values| part.conditions.iter().all(|atom| atom_holds(atom, at));
            if !some(&part.guesses, 12, &mut at, &holds) {
                continue;
            }
            fine += 1;
            let led = options(name, &p).iter().any(|q| claimed(q))
                || claimed(&p) && (stays || game.may_rest(&ways[0]));
            assert!(led, "{name}: {text} {image:?} at {p:?}: {:?} {:?}", part.values, part.conditions);
        }
    }
    assert!(fine > cases() / 10, "{fine}");
}
