//! Each component by itself against an evaluator that knows what docs/certificates.md says of
//! numbers, formulas and words, and nothing of how a component works: what a component accepts must
//! be true of all small numbers and short words.
//!
//! `COMPONENTS=1000000 cargo test --release -p bouton-check components` tries so many random inputs
//! of each.

mod parts;

use super::cases::{Cases, Signed};
use super::cover::{Automaton, Condition, EVERYTHING, Kind, Labels, NOTHING};
use super::digits::Digits;
use super::form::{Base, Form, Value, Variable, at_most};
use super::formula::{Node, Relation, Term, formula};
use super::refute::Refutation;
use crate::Limits;
use crate::automatic::machine::{Machine, Says};
use crate::automatic::numerals::Numerals;
use crate::work::Work;
use std::cell::Cell;
use std::collections::HashMap;

/// Random numbers, the same in every run.
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
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

/// Returns what one of the cases may take.
fn work() -> Work<'static> {
    let limits = Limits { steps: 1 << 22, bytes: 1 << 26, ..Limits::default() };
    Work::new(&limits, &|| true)
}

// The evaluator.

/// Continued fractions: the quotients, and θ = (b + √d)/c.
const FRACTIONS: [(&[i64], [i64; 3]); 5] = [
    (&[1], [-1, 5, 2]),
    (&[2], [-1, 2, 1]),
    (&[3], [-3, 13, 2]),
    (&[1, 2], [-1, 3, 1]),
    (&[2, 1], [-1, 3, 2]),
];

thread_local! {
    /// The one that shifts are of in this test.
    static FRACTION: Cell<usize> = const { Cell::new(0) };
}

/// Returns digits at random: binary, Zeckendorf's or others, which shifts are of from now on.
fn some_digits(lot: &mut Random) -> Digits {
    FRACTION.set(if lot.below(2) == 0 { 0 } else { lot.below(FRACTIONS.len()) });
    if lot.below(2) == 0 {
        Digits::binary()
    } else {
        Digits::ostrowski(FRACTIONS[FRACTION.get()].0).unwrap()
    }
}

/// Returns n + ⌊(n + 1)θ⌋, by whole roots.
fn shifted(n: i64) -> i64 {
    let [b, d, c] = FRACTIONS[FRACTION.get()].1;
    n + (b * (n + 1) + (d * (n + 1) * (n + 1)).isqrt()).div_euclid(c)
}

/// Returns the number that bits spell, if they do.
fn spelt(digits: &Digits, bits: &[usize]) -> Option<i64> {
    if digits.binary {
        return Some(bits.iter().fold(0, |n, bit| 2 * n + *bit as i64));
    }
    let quotient = |i: usize| digits.period[i % digits.period.len()];
    let width = |i: usize| (1..).find(|w| quotient(i) < 1 << w).unwrap();
    // q_0, q_1, …; d_0 is not written where it is 0 in all numerals.
    let first = usize::from(quotient(0) == 1);
    let places = bits.len() / digits.bits * digits.period.len();
    let mut q = vec![1, quotient(0)];
    while q.len() < places + 2 {
        q.push(quotient(q.len() - 1) * q[q.len() - 1] + q[q.len() - 2]);
    }
    let (mut rest, mut number, mut full) = (bits, 0, false);
    for i in (first..places + first).rev() {
        let (own, others) = rest.split_at(width(i));
        rest = others;
        let digit = own.iter().fold(0, |n, bit| 2 * n + *bit as i64);
        if digit > quotient(i) || full && digit > 0 {
            return None;
        }
        full = digit == quotient(i);
        number += digit * q[i];
    }
    (first == 1 || !full).then_some(number)
}

fn digit_sum(modulus: u8, values: &[i64]) -> i64 {
    (0..40)
        .map(|i| (values.iter().map(|v| v >> i & 1).sum::<i64>() % i64::from(modulus)) << i)
        .sum()
}

type Values = HashMap<Variable, i64>;

fn form_value(form: &Form, at: &Values) -> i64 {
    let value = |base: &Base| match base {
        Base::Shift(v) => shifted(at[v]),
        Base::Sum(m, all) => digit_sum(*m, &all.iter().map(|v| at[v]).collect::<Vec<_>>()),
    };
    form.terms.iter().map(|(base, c)| c * value(base)).sum::<i64>() + form.constant
}

fn all_hold(forms: &[Form], at: &Values) -> bool {
    forms.iter().all(|form| form_value(form, at) <= 0)
}

/// Returns whether some values below `most` of the variables make it true.
fn some(vars: &[Variable], most: i64, at: &mut Values, holds: &dyn Fn(&Values) -> bool) -> bool {
    let Some((v, rest)) = vars.split_first() else { return holds(at) };
    (0..most).any(|x| {
        at.insert(*v, x);
        some(rest, most, at, holds)
    })
}

/// Returns whether some values below `most` of these variables make all forms at most 0; `open` are
/// the forms with one of them. A form is asked as soon as all its variables have values.
fn some_all_hold(open: &[&Form], vars: &[Variable], most: i64, at: &mut Values) -> bool {
    let Some((v, rest)) = vars.split_first() else {
        return open.iter().all(|form| form_value(form, at) <= 0);
    };
    let (later, now): (Vec<&Form>, Vec<&Form>) =
        open.iter().partition(|form| form.variables().any(|v| rest.contains(&v)));
    (0..most).any(|x| {
        at.insert(*v, x);
        now.iter().all(|form| form_value(form, at) <= 0) && some_all_hold(&later, rest, most, at)
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
        Term::Floor(whole, _, inner) => {
            let n = term_value(inner, at);
            (whole - 1) * n + if n > 0 { shifted(n - 1) + 1 } else { 0 }
        }
    }
}

/// Returns the formula's truth, bound variables being below `most`.
fn node_holds(node: &Node, at: &mut Vec<i64>, most: i64) -> bool {
    match node {
        Node::Known(truth) => *truth,
        Node::Compare(left, relation, right) => {
            let order = term_value(left, at).cmp(&term_value(right, at));
            match relation {
                Relation::Equal => order.is_eq(),
                Relation::Less => order.is_lt(),
                Relation::AtMost => order.is_le(),
            }
        }
        Node::Not(inner) => !node_holds(inner, at, most),
        Node::And(parts) => parts.iter().all(|part| node_holds(part, at, most)),
        Node::Or(parts) => parts.iter().any(|part| node_holds(part, at, most)),
        Node::Iff(left, right) => node_holds(left, at, most) == node_holds(right, at, most),
        Node::Exists(vars, body, _) => bound(vars, body, at, most, true),
        Node::Forall(vars, body, _) => !bound(vars, body, at, most, false),
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

fn form(lot: &mut Random, vars: &[Variable], binary: bool) -> Form {
    let mut sum = Form::constant(lot.between(-6, 6));
    for _ in 0..1 + lot.below(3) {
        let v = *lot.one(vars);
        let one = match (lot.below(4), !binary) {
            (1, true) => Form::sum(2, (0..3).map(|_| *lot.one(vars)).collect()),
            (0, true) => Form { terms: vec![(Base::Shift(v), 1)], constant: 0 },
            (0, false) => {
                let m = lot.between(2, 3) as u8;
                Form::sum(m, (0..2 + lot.below(2)).map(|_| *lot.one(vars)).collect())
            }
            _ => Form::variable(v),
        };
        sum = sum.plus(lot.between(-3, 3), &one).unwrap();
    }
    sum
}

fn forms(lot: &mut Random, vars: &[Variable], binary: bool) -> Vec<Form> {
    let mut list: Vec<Form> = (0..1 + lot.below(6)).map(|_| form(lot, vars, binary)).collect();
    if lot.below(3) == 0 {
        // An equation, or a digit sum that is 0.
        let contrary = Form::default().minus(&list[0]).unwrap();
        list.push(contrary);
    }
    list
}

/// Returns a refutation as the file has it: perhaps some sums, then mostly a walk with forms and
/// sums said to be 0.
fn refutation(lot: &mut Random, count: usize) -> String {
    let mut steps: Vec<String> = Vec::new();
    for i in 0..lot.below(3) {
        let part = |lot: &mut Random| format!("{}*{}", 1 + lot.below(3), lot.below(count + i));
        let (one, other) = (part(lot), part(lot));
        steps.push(match lot.below(4) {
            0 => format!("n{}", lot.below(3)),
            1 => format!("{one} {other} /{}", 2 + lot.below(3)),
            _ => format!("{one} {other}"),
        });
    }
    let count = count + steps.len();
    if lot.below(5) > 0 {
        let places: Vec<String> =
            (0..count).filter(|_| lot.below(6) > 0).map(|i| i.to_string()).collect();
        let zero =
            if lot.below(4) == 0 { format!(" zero {}", lot.below(count)) } else { String::new() };
        steps.push(format!(
            "walk {}{zero}",
            if places.is_empty() { "-".into() } else { places.join(",") }
        ));
    }
    steps.join("; ")
}

/// What has a solution is never refuted.
#[test]
fn nothing_possible_is_refuted() {
    let mut lot = Random(fastrand::Rng::with_seed(12));
    let (mut yes, mut no) = (0, 0);
    for _ in 0..4 * cases() {
        let digits = some_digits(&mut lot);
        let vars: Vec<Variable> = (0..1 + lot.below(3)).collect();
        let list = forms(&mut lot, &vars, digits.binary);
        let text = refutation(&mut lot, list.len());
        let one = Refutation::read(&text).unwrap();
        if one.refutes(&list, &digits, &work()) == Ok(true) {
            let mut at: Values = (0..3).map(|v| (v, 0)).collect();
            let most = [200, 40, 14][vars.len() - 1];
            assert!(
                !some(&vars, most, &mut at, &|at| all_hold(&list, at)),
                "{list:?} by {text} at {at:?}"
            );
            no += 1;
        } else {
            yes += 1;
        }
    }
    assert!(yes > cases() / 2 && no > cases() / 4, "{yes} {no}");
}

/// A digit counts if it changes the number or the number shifted: in shift(a) + 1 <= 2*a it changes
/// the second alone, and 2 is such a number.
#[test]
fn digits_that_only_a_shift_sees() {
    let shift = Form { terms: vec![(Base::Shift(0), 1)], constant: 1 };
    let form = shift.plus(-2, &Form::variable(0)).unwrap();
    let walk = Refutation::read("walk 0").unwrap();
    assert_eq!(walk.refutes(std::slice::from_ref(&form), &zeckendorf(), &work()), Ok(false));
    assert!((0..2).all(|a| form_value(&form, &Values::from([(0, a)])) > 0));
    assert!(form_value(&form, &Values::from([(0, 2)])) <= 0);
    // Of numbers below 2 it is said so.
    let below = Form::variable(0).minus(&Form::constant(1)).unwrap();
    let both = Refutation::read("walk 0,1").unwrap();
    assert_eq!(both.refutes(&[form.clone(), below], &zeckendorf(), &work()), Ok(true));
}

fn zeckendorf() -> Digits {
    Digits::ostrowski(&[1]).unwrap()
}

/// Binary digits alone are added place by place: of 1, 2 and 3 these sums are 0, of the Zeckendorf
/// digits 1, 10 and 100 they are not.
#[test]
fn zeros_of_zeckendorf_walks_are_single_numbers() {
    let mut list = vec![Form::sum(2, vec![0, 1, 2])];
    for (v, x) in [(0, 1), (1, 2), (2, 3)] {
        let form = Form::variable(v).minus(&Form::constant(x)).unwrap();
        list.extend([Form::default().minus(&form).unwrap(), form]);
    }
    assert!(all_hold(&list, &Values::from([(0, 1), (1, 2), (2, 3)])));
    let walk = Refutation::read("walk 1,2,3,4,5,6 zero 0").unwrap();
    assert_eq!(walk.refutes(&list, &Digits::binary(), &work()), Ok(false));
    assert!(walk.refutes(&list, &zeckendorf(), &work()).is_err());
    // A single number that is 0 may be said so: here it is 1.
    let wrong = Refutation::read("walk 1,2 zero 0").unwrap();
    let single = [&[Form::variable(0)], &list[1..3]].concat();
    for digits in [Digits::binary(), zeckendorf()] {
        assert_eq!(wrong.refutes(&single, &digits, &work()), Ok(true));
    }
}

fn term_text(lot: &mut Random, depth: usize, names: &[&str]) -> String {
    let inner = |lot: &mut Random| term_text(lot, depth.saturating_sub(1), names);
    match if depth == 0 { lot.below(3) } else { lot.below(11) } {
        0 | 1 => (*lot.one(names)).to_owned(),
        2 => lot.below(7).to_string(),
        3 | 4 => format!("({} + {})", inner(lot), inner(lot)),
        5 => format!("{}*({})", 1 + lot.below(3), inner(lot)),
        6 => format!("min({}, {})", inner(lot), inner(lot)),
        7 => format!("max({}, {})", inner(lot), inner(lot)),
        8 => format!("({} mod {})", inner(lot), 2 + lot.below(8)),
        9 => format!("({} div {})", inner(lot), 2 + lot.below(3)),
        _ => match lot.below(3) {
            0 => format!("({} xor {})", inner(lot), inner(lot)),
            1 => format!("({} xor3 {})", inner(lot), inner(lot)),
            _ => format!("xor{}({}, {}, {})", 2 + lot.below(3), inner(lot), inner(lot), inner(lot)),
        },
    }
}

fn formula_text(lot: &mut Random, depth: usize, names: &[&str]) -> String {
    let inner = |lot: &mut Random| formula_text(lot, depth - 1, names);
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

/// Trees that branch wherever they can, and walk with everything at the leaves.
fn walks() -> Vec<Refutation> {
    let all = |count: usize| (0..count).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    (0..40)
        .map(|count| {
            Refutation::read(&format!("walk {}", if count == 0 { "-".into() } else { all(count) }))
                .unwrap()
        })
        .collect()
}

/// Returns the variables beside a and b.
fn fresh(forms: &[Form]) -> Vec<Variable> {
    let mut vars: Vec<Variable> =
        forms.iter().flat_map(Form::variables).filter(|v| *v > 1).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// Returns whether a branch's forms are at most 0 for some values below `most` of the new
/// variables.
fn reached(forms: &[Form], most: i64, at: &mut Values) -> bool {
    some_all_hold(&forms.iter().collect::<Vec<_>>(), &fresh(forms), most, at)
}

/// Returns the branches of what is said of a and b; `None` if they, or their new variables, are too
/// many to try numbers in.
fn branches_of(said: Vec<Signed<'_>>) -> Option<Vec<Vec<Form>>> {
    let case = Cases {
        said,
        next: 2,
        disjunctions: &[],
        refutations: &[],
        digits: &Digits::binary(),
        work: &work(),
    };
    let (all, _) = case.all_branches(&[]).ok()?;
    let is_small = all.len() <= 200 && all.iter().all(|forms| fresh(forms).len() <= 4);
    is_small.then_some(all)
}

/// Where a formula holds, or does not, some branch of its cases holds for some values of the new
/// variables.
#[test]
fn cases_leave_nothing_out() {
    let mut lot = Random(fastrand::Rng::with_seed(13));
    let mut looked = 0;
    for _ in 0..cases() {
        let text = formula_text(&mut lot, 2, &["a", "b"]);
        let read = formula(&text, &["a".into(), "b".into()]).unwrap();
        let truth = lot.below(2) == 0;
        let Some(all) = branches_of(vec![read.signed(vec![0, 1], truth)]) else { continue };
        looked += 1;
        for (a, b) in [(0, 0), (0, 3), (5, 0), (1, 1), (2, 7), (6, 4), (3, 8), (9, 9)] {
            let mut at = Values::from([(0, a), (1, b)]);
            // Quotients and sums that digits are asked of are below this.
            let said = all.iter().any(|forms| reached(forms, 60, &mut at));
            let holds = node_holds(&read.root, &mut vec![a, b], 0) == truth;
            // Without a quantifier nothing is said too little either.
            assert_eq!(said, holds, "{text} {truth} at {a}, {b}");
        }
    }
    assert!(looked > cases() / 4, "{looked}");
}

/// Of a quantifier whose variables equations name nothing is left out, and where the equations are
/// what matters nothing is said too little either.
#[test]
fn quantifiers_are_used_for_the_numbers_that_equations_name() {
    // The last three have equations that say nothing of where the body is false, or true.
    let shapes = [
        "A x: EQ => F",
        "A x: F | ~(EQ)",
        "~(E x: F & EQ)",
        "~(E x: ~(F | ~(EQ)))",
        "A x: (A y: y = x + b & EQ => F)",
        "A y, x: y = x + b & EQ => F",
        "A x: ~(~(E y: y + x = b & F) & EQ)",
        "(A x: EQ => F) <=> a < b",
        "A x: F => ~(EQ)",
        "~(E x: EQ | F)",
        "A x, y: F | y = 7 - x => ~(EQ) | F",
    ];
    let mut lot = Random(fastrand::Rng::with_seed(14));
    let (mut looked, mut exact) = (0, 0);
    for i in 0..4 * cases() {
        let which = i % shapes.len();
        let names: &[&str] =
            if shapes[which].contains('y') { &["a", "x", "y"] } else { &["b", "x"] };
        let (s, t) = (term_text(&mut lot, 1, &["a", "b"]), term_text(&mut lot, 1, &["a", "b"]));
        let equation = match lot.below(6) {
            0 => format!("x = {t}"),
            1 => format!("{t} = {s} + x"),
            2 => format!("{s} - x = {t}"),
            3 => format!("x + {s} = {t} - a"),
            4 => format!("{t} = {}*x", 2 + lot.below(3)),
            _ => format!("{s} + {}*x = {t}", 2 + lot.below(3)),
        };
        let text = shapes[which].replace("EQ", &equation);
        let text = text.replace('F', &format!("({})", formula_text(&mut lot, 1, names)));
        let read = formula(&text, &["a".into(), "b".into()]).unwrap();
        // Perhaps of the numbers the other way round, too.
        let both = lot.below(3) == 0;
        let other = both.then(|| read.signed(vec![1, 0], true));
        let said = std::iter::once(read.signed(vec![0, 1], true)).chain(other).collect();
        let Some(all) = branches_of(said) else { continue };
        looked += 1;
        let is_exact = which + 3 < shapes.len();
        exact += usize::from(is_exact);
        for (a, b) in [(0, 0), (0, 3), (5, 0), (1, 1), (2, 7), (6, 4)] {
            let mut at = Values::from([(0, a), (1, b)]);
            let said = all.iter().any(|forms| reached(forms, 70, &mut at));
            let holds = node_holds(&read.root, &mut vec![a, b], 70)
                && (!both || node_holds(&read.root, &mut vec![b, a], 70));
            assert!(said || !holds, "{text} at {a}, {b}");
            assert!(holds || !said || !is_exact, "{text} at {a}, {b}");
        }
    }
    assert!(looked > cases() / 2 && exact > cases() / 4, "{looked} {exact}");
}

/// What stands within a digit sum in parentheses, or as another one's argument, is a number whose
/// binary digits are added; arguments side by side are one sum of them all.
#[test]
fn digit_sums_within_digit_sums_are_numbers() {
    for (text, truth) in [
        ("(a xor3 b) xor3 a = 3", true),
        ("(a xor3 b) xor3 a = 0", false),
        ("a xor3 b xor3 a = 0", true),
        ("xor3(a, b, a) = 0", true),
        ("xor3(xor3(a, b), a) = 3", true),
        ("xor3(xor3(a, b), a) = 0", false),
        ("xor3(a, 1, 1) = 0", true),
        ("xor3(a, 1, 1) = 3", false),
        ("xor3(1, 1) = 2", true),
        ("xor3(1, 1) = 3", false),
    ] {
        let read = formula(text, &["a".into(), "b".into()]).unwrap();
        assert_eq!(node_holds(&read.root, &mut vec![1, 1], 0), truth, "{text}");
        for said in [true, false] {
            let case = Cases {
                said: vec![read.signed(vec![0, 1], said)],
                next: 2,
                disjunctions: &[],
                refutations: &[],
                digits: &Digits::binary(),
                work: &work(),
            };
            let (all, _) = case.all_branches(&[]).unwrap();
            let mut at = Values::from([(0, 1), (1, 1)]);
            let held = all.iter().any(|forms| reached(forms, 8, &mut at));
            assert_eq!(held, truth == said, "{text} {said}");
        }
    }
}

/// A tree that is accepted is about what cannot be.
#[test]
fn nothing_possible_has_a_tree() {
    let mut lot = Random(fastrand::Rng::with_seed(17));
    let table = walks();
    let (mut yes, mut no) = (0, 0);
    for _ in 0..cases() {
        let text = formula_text(&mut lot, 1, &["a", "b"]);
        let read = formula(&text, &["a".into(), "b".into()]).unwrap();
        let truth = lot.below(2) == 0;
        let known = forms(&mut lot, &[0, 1], true);
        let disjunction = vec![forms(&mut lot, &[0, 1], true)];
        let case = Cases {
            said: vec![read.signed(vec![0, 1], truth)],
            next: 2,
            disjunctions: &disjunction,
            refutations: &table,
            digits: &Digits::binary(),
            work: &work(),
        };
        let Ok((_, tree)) = case.all_branches(&known) else { continue };
        // Sometimes with something changed.
        let mut tokens: Vec<String> = tree.split(' ').map(str::to_owned).collect();
        if lot.below(2) == 0 {
            let at = lot.below(tokens.len());
            tokens[at] = ["/", ".", ".0", ".1", "?0", "3", "7"][lot.below(7)].to_owned();
        }
        if case.refuted(&known, &tokens.join(" ")).is_err() {
            yes += 1;
            continue;
        }
        no += 1;
        let mut at = Values::new();
        let holds = |at: &Values| {
            all_hold(&known, at)
                && disjunction[0].iter().any(|form| form_value(form, at) <= 0)
                && node_holds(&read.root, &mut vec![at[&0], at[&1]], 0) == truth
        };
        assert!(
            !some(&[0, 1], 40, &mut at, &holds),
            "{text} {truth} {known:?} {disjunction:?} at {at:?}"
        );
    }
    assert!(yes > cases() / 10 && no > cases() / 10, "{yes} {no}");
}

/// Returns all words of so many rounds that are numerals, with the numbers they are.
fn words(heaps: usize, rounds: usize, digits: &Digits) -> Vec<(Vec<usize>, Vec<i64>)> {
    let (mut all, bits) = (Vec::new(), digits.bits);
    for code in 0..1usize << (heaps * rounds * bits) {
        let word: Vec<usize> = (0..heaps * rounds * bits).map(|i| code >> i & 1).collect();
        let own = |h: usize| {
            let round = |r: usize| &word[(r * heaps + h) * bits..(r * heaps + h + 1) * bits];
            spelt(digits, &(0..rounds).flat_map(round).copied().collect::<Vec<_>>())
        };
        if let Some(numbers) = (0..heaps).map(own).collect() {
            all.push((word, numbers));
        }
    }
    all
}

/// Returns how many rounds are looked at.
fn rounds(heaps: usize, digits: &Digits) -> usize {
    (if heaps == 1 { 8 } else { 4 }) / digits.bits
}

fn accepted(automaton: &Automaton, start: u32, word: &[usize]) -> bool {
    let end = word.iter().fold(start, |state, digit| automaton.next[state as usize][*digit]);
    end == EVERYTHING || automaton.accepting[end as usize]
}

fn automaton<'d>(
    lot: &mut Random,
    heaps: usize,
    digits: &'d Digits,
    full: bool,
    work: &'d Work<'_>,
) -> Automaton<'d> {
    let count = 1 + lot.below(6);
    let mut automaton = Automaton {
        next: vec![[NOTHING; 2], [EVERYTHING; 2]],
        accepting: vec![false, true],
        heaps,
        digits,
        work,
    };
    for _ in 0..count {
        let state = |lot: &mut Random| match (lot.below(6), full) {
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

fn condition_holds(Condition { kind, form }: &Condition, at: &Values) -> bool {
    match kind {
        Kind::Bound => form_value(form, at) <= 0,
        Kind::Differs => form_value(form, at) != 0,
        Kind::Divisible(m, divisible) => (form_value(form, at).rem_euclid(*m) == 0) == *divisible,
        Kind::Neighbours(_) => true,
    }
}

/// Labels by following all words of some rounds, the greatest value of bounds in each state; they
/// need not be right.
fn followed(
    lot: &mut Random,
    automaton: &Automaton,
    conditions: &[Condition],
    guesses: usize,
) -> Labels {
    let (digits, bits) = (automaton.digits, automaton.digits.bits);
    let mut labels = Labels { conditions: conditions.to_vec(), guesses, ..Labels::default() };
    if guesses > 0 {
        labels.first = (1..4)
            .map(|length| (0..length).map(|_| lot.below(1 << bits) as u32).collect())
            .collect();
    }
    let letter = |word: &[usize], guess: u32| {
        let heaps = word.iter().enumerate().map(|(h, digit)| (*digit as u32) << h).sum::<u32>();
        heaps | guess << (automaton.heaps * bits)
    };
    let step = |v: &[Value], letter: u32| -> Option<Vec<Value>> {
        let code = |v: Variable| letter >> (v * bits) & ((1 << bits) - 1);
        conditions
            .iter()
            .zip(v)
            .map(|(one, x)| {
                let (low, high) = one.limits(digits).ok()?;
                let x = one.grown(*x, one.weight(&code, digits), digits)?;
                match one.kind {
                    Kind::Bound if at_most(high, x) => None,
                    Kind::Bound if at_most(x, low) => Some(low),
                    Kind::Divisible(m, _) => Some((x.0.rem_euclid(m), x.1.rem_euclid(m))),
                    Kind::Differs if at_most(high, x) => Some(high),
                    Kind::Differs if at_most(x, low) => Some(low),
                    _ => Some(x),
                }
            })
            .collect()
    };
    let start: Vec<Value> = conditions
        .iter()
        .map(|one| match (one.kind, one.limits(digits)) {
            (Kind::Bound, Ok((low, _))) if at_most((0, 0), low) => low,
            _ => (0, 0),
        })
        .collect();
    let mut begun = vec![start.clone()];
    for word in &labels.first {
        begun.extend(
            word.iter()
                .try_fold(start.clone(), |v, guess| step(&v, guess << (automaton.heaps * bits))),
        );
    }
    let mut open = vec![(2, begun)];
    for _ in 0..200 {
        let Some((state, mut vectors)) = open.pop() else { break };
        vectors.sort_unstable();
        vectors.dedup();
        vectors.truncate(8);
        if vectors.is_empty() {
            continue;
        }
        let clause: Vec<Value> = vectors.concat();
        let known = labels.clauses.entry(state).or_default();
        if known.contains(&clause) {
            continue;
        }
        known.push(clause);
        for code in 0..1usize << (automaton.heaps * bits) {
            let word: Vec<usize> = (0..automaton.heaps * bits).map(|i| code >> i & 1).collect();
            let to = word.iter().fold(state, |state, digit| automaton.next[state as usize][*digit]);
            let guesses = 0..1 << (guesses * bits);
            let next = vectors
                .iter()
                .flat_map(|v| guesses.clone().filter_map(|g| step(v, letter(&word, g))));
            if to != NOTHING {
                open.push((to, next.collect()));
            }
        }
    }
    labels
}

/// A word that is accepted satisfies the conditions, for some guess, if labels say so.
#[test]
fn automata_accept_what_conditions_allow() {
    let mut lot = Random(fastrand::Rng::with_seed(14));
    let mut fine = [0; 2];
    for _ in 0..20 * cases() {
        let digits = some_digits(&mut lot);
        let heaps = 1 + lot.below(2);
        let work = &work();
        let automaton = automaton(&mut lot, heaps, &digits, false, work);
        let guesses = lot.below(2);
        let vars: Vec<Variable> = (0..(heaps + guesses)).collect();
        let mut conditions: Vec<Condition> = (0..1 + lot.below(3))
            .map(|_| {
                let form = form(&mut lot, &vars, digits.binary);
                let kind = match lot.below(8) {
                    0 => Kind::Differs,
                    1 => Kind::Divisible(lot.between(2, 5), lot.below(2) == 0),
                    _ => Kind::Bound,
                };
                Condition { kind, form }
            })
            .collect();
        let neighbours = !digits.binary && lot.below(9) == 0;
        if neighbours {
            conditions = vec![Condition::neighbours(0, true)];
        }
        if !digits.binary && !neighbours {
            conditions.extend((heaps..heaps + guesses).map(|v| Condition::neighbours(v, false)));
        }
        let mut labels = followed(&mut lot, &automaton, &conditions, guesses);
        if lot.below(4) == 0 {
            // One number changed.
            let mut clauses: Vec<&mut Vec<Value>> = labels.clauses.values_mut().flatten().collect();
            clauses.sort();
            if !clauses.is_empty() {
                let at = lot.below(clauses.len());
                let place = lot.below(clauses[at].len());
                clauses[at][place].0 += lot.between(-2, 2);
            }
        }
        if automaton.implies(2, &labels).is_err() {
            continue;
        }
        let guessed: Vec<Variable> = (heaps..heaps + guesses).collect();
        for rounds in 0..=rounds(heaps, &digits) {
            for (word, numbers) in words(heaps, rounds, &digits) {
                if !accepted(&automaton, 2, &word) {
                    continue;
                }
                fine[guesses] += 1;
                assert!(!neighbours, "a numeral is accepted");
                let mut at: Values = (0..).zip(numbers.iter().copied()).collect();
                let holds = |at: &Values| conditions.iter().all(|one| condition_holds(one, at));
                assert!(some(&guessed, 5000, &mut at, &holds), "{conditions:?} {numbers:?}");
            }
        }
    }
    assert!(fine.iter().all(|count| *count > cases()), "{fine:?}");
}

/// What is said to be covered is: some automaton accepts every word.
#[test]
fn covers_leave_no_word_out() {
    let mut lot = Random(fastrand::Rng::with_seed(15));
    let mut fine = 0;
    let binary = Digits::binary();
    for _ in 0..20 * cases() {
        let heaps = 1 + lot.below(2);
        let work = &work();
        let automaton = automaton(&mut lot, heaps, &binary, true, work);
        let count = automaton.next.len();
        let state = |lot: &mut Random| 2 + lot.below(count - 2) as u32;
        let starts: Vec<u32> = (0..1 + lot.below(3)).map(|_| state(&mut lot)).collect();
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for _ in 0..1 + lot.below(5) {
            let mut set: Vec<u32> = (0..1 + lot.below(3)).map(|_| state(&mut lot)).collect();
            set.sort_unstable();
            set.dedup();
            sets.push(set);
        }
        if automaton.covers(&starts, &sets).is_err() {
            continue;
        }
        fine += 1;
        for rounds in 0..if heaps == 1 { 7 } else { 5 } {
            for (word, _) in words(heaps, rounds, &binary) {
                assert!(
                    starts.iter().any(|start| accepted(&automaton, *start, &word)),
                    "{:?} {:?} {sets:?}",
                    automaton.next,
                    automaton.accepting
                );
            }
        }
    }
    assert!(fine > cases() / 10, "{fine}");
}

/// What a machine of automatic/machine.rs says of numbers, some run of it, and no run otherwise:
/// what the formula says, in binary digits, in those to another base, in those of Zeckendorf and in
/// those by another recurrence of several terms.
#[test]
fn machines_say_what_formulas_do() {
    let mut lot = Random(fastrand::Rng::with_seed(0x51d7_348d_2a0f_4e9b));
    let mut bases = Random(fastrand::Rng::with_seed(0x3f84_d5b5_b547_0917));
    let (mut read, mut both) = ([0; 4], [[0; 2]; 4]);
    for number in 0..cases() {
        let text = match number {
            // What came up in games.
            0 => "a div 3 mod 2 = b div 3 mod 2".to_owned(),
            1 => "max(a div 2, b) = min(a, b+1) + 2".to_owned(),
            2 => "(a mod 3 xor b) xor3 a = b mod 70 div 2".to_owned(),
            _ => formula_text(&mut lot, 3, &["a", "b"]),
        };
        let names = ["a".to_owned(), "b".to_owned()];
        let Ok(formula) = formula(&text, &names) else { continue };
        let other = 3 + bases.below(8) as u32;
        // Coefficients that fall, or are 0 in between.
        let mut several: Vec<u32> =
            vec![1 + bases.below(if number % 2 == 0 { 2 } else { 9 }) as u32];
        for _ in 0..1 + bases.below(3) {
            several.push(1 + bases.below(several[several.len() - 1] as usize) as u32);
        }
        if number % 4 == 1 {
            let between = 1..several.len() - 1;
            several[between].fill(0);
        }
        // The last one may repeat, where they fall.
        let repeated = number % 3 == 0 && number % 4 != 1;
        let (once, for_ever) = several.split_at(several.len() - usize::from(repeated));
        let digits = [Numerals::BINARY, Numerals::by(&[other], &[]).unwrap(), Numerals::ZECKENDORF]
            .into_iter()
            .chain(Numerals::by(once, for_ever));
        for (kind, numerals) in digits.enumerate() {
            let base = numerals.base();
            let here = work();
            let machine = Machine::new(
                numerals,
                2,
                &mut |builder| builder.formula(&formula.root, &[0, 1]),
                &here,
            );
            let Ok(machine) = machine else { continue };
            if machine.letters() > [1 << 6, 1000, 1 << 6, 1000][kind] {
                continue;
            }
            read[kind] += 1;
            // Quotients and the like may be longer than a and b.
            let mut weights: Vec<i64> = vec![1];
            while weights[weights.len() - 1] < 100 {
                let (once, for_ever) = numerals.coefficients();
                let all = once.iter().chain(for_ever.iter().cycle());
                let terms = all.zip(weights.iter().rev());
                let sum: i64 = terms.map(|(a, weight)| i64::from(*a) * weight).sum();
                let is_more = !for_ever.is_empty() || weights.len() < numerals.order();
                weights.push(sum + i64::from(is_more));
            }
            for a in 0..11i64 {
                for b in 0..11i64 {
                    let holds = node_holds(&formula.root, &mut vec![a, b], 0);
                    let mut states = vec![machine.start()];
                    let mut left = [a, b];
                    for weight in weights.iter().rev() {
                        // The greatest digit that fits, which is less than the base.
                        let [x, y] = left.map(|x| (x / weight) as u32);
                        left = left.map(|x| x % weight);
                        let own = x + base * y;
                        let mut next = Vec::new();
                        for state in &states {
                            for letter in (own..machine.letters()).step_by((base * base) as usize) {
                                next.extend(machine.step(state, letter, &work()).unwrap());
                            }
                        }
                        next.sort_unstable();
                        next.dedup();
                        states = next;
                    }
                    let mut said = Vec::new();
                    for state in &states {
                        if let Says::Truth(truth) = machine.says(state, &work()).unwrap() {
                            said.push(truth);
                        }
                    }
                    assert!(
                        !said.is_empty() && said.iter().all(|one| *one == holds),
                        "{text} to base {base} at {a}, {b}: {said:?}"
                    );
                    both[kind][usize::from(holds)] += 1;
                }
            }
        }
    }
    assert!(
        read[0] > cases() / 2
            && read[1] > cases() / 4
            && read[2..].iter().all(|count| *count > cases() / 9),
        "{read:?} formulas read"
    );
    assert!(both.iter().flatten().all(|count| *count > cases()), "{both:?}");
}
