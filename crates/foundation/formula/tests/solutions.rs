//! The values for which a formula holds, against every tuple of a box tried one by one.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_formula::{Formula, Unknown};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::ControlFlow::Continue;

const TOP: u64 = 6;

fn names() -> Vec<String> {
    ["p", "q", "r"].map(String::from).to_vec()
}

/// Returns what the search visits with p given and q, r at most `TOP`.
fn found(formula: &Formula, p: u64) -> Result<BTreeSet<Vec<u64>>, Unknown> {
    let mut all = BTreeSet::new();
    let given = [Some(p), None, None];
    let end = formula.solutions(&given, &[None, Some(TOP), Some(TOP)], 1 << 22, &mut |values| {
        all.insert(values.to_vec());
        Continue(())
    })?;
    assert!(end.is_continue());
    Ok(all)
}

/// Returns the same by trying every pair; `None` where one of them is not known.
fn tried(formula: &Formula, p: u64) -> Option<BTreeSet<Vec<u64>>> {
    let mut all = BTreeSet::new();
    for q in 0..=TOP {
        for r in 0..=TOP {
            if formula.holds(&[p, q, r]).ok()? {
                all.insert(vec![p, q, r]);
            }
        }
    }
    Some(all)
}

/// Returns what linear systems visit; `None` if the formula is none, or they leave it.
fn by_systems(formula: &Formula, p: u64) -> Option<BTreeSet<Vec<u64>>> {
    let mut all = BTreeSet::new();
    let (given, tops) = ([Some(p), None, None], [None, Some(TOP), Some(TOP)]);
    let systems = formula.linear_systems(&|v| v == 0)?;
    let end = systems.solutions(&given, &tops, 1 << 16, &mut |values| {
        all.insert(values.to_vec());
        Continue(())
    })?;
    assert!(end.is_continue());
    Some(all)
}

fn term() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["p", "q", "r"]).prop_map(String::from),
        1 => (0u32..6).prop_map(|n| n.to_string()),
    ];
    leaf.prop_recursive(2, 8, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            3 => two.clone().prop_map(|(a, b)| format!("({a} + {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("({a} * {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("max({a}, {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("min({a}, {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("({a} xor {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("bitand({a}, {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("bitor({a}, {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("gcd({a}, {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("with({a}, {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("({a} mod ({b} + 1))")),
            1 => two.prop_map(|(a, b)| format!("({a} div ({b} + 1))")),
            1 => (inner.clone(), 1u32..4).prop_map(|(a, k)| format!("({k}*{a})")),
            1 => (inner.clone(), 1u32..4).prop_map(|(a, k)| format!("({a} div {k})")),
            1 => (inner, 1u32..4).prop_map(|(a, k)| format!("({a} mod {k})")),
        ]
    })
}

fn formula() -> impl Strategy<Value = String> {
    let relation = prop::sample::select(vec!["=", "=", "!=", "<", "<=", ">", ">="]);
    let leaf = prop_oneof![
        5 => (term(), relation, term()).prop_map(|(a, relation, b)| format!("{a} {relation} {b}")),
        1 => (term(), term()).prop_map(|(a, b)| format!("divides({a}, {b})")),
        1 => (term(), term()).prop_map(|(a, b)| format!("has({a}, {b})")),
        1 => (2u32..4, term()).prop_map(|(a, b)| format!("power({a}, {b})")),
        1 => term().prop_map(|a| format!("prime({a})")),
        1 => term().prop_map(|a| format!("square({a})")),
        1 => (term(), term()).prop_map(|(a, b)| format!("(E k: k <= 9 & {a} + k = {b} + 2*k*k)")),
        1 => (term(), term()).prop_map(|(a, b)| format!("(E k: {a} + 3*k = {b})")),
        1 => (term(), term()).prop_map(|(a, b)| format!("(E k: k >= 1 & {a} = {b} div k)")),
        1 => (term(), term()).prop_map(|(a, b)| format!("(E k: k >= 2 & k*({a} + 1) <= {b})")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            3 => two.clone().prop_map(|(a, b)| format!("({a} & {b})")),
            2 => two.clone().prop_map(|(a, b)| format!("({a} | {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("({a} => {b})")),
            1 => two.prop_map(|(a, b)| format!("({a} <=> {b})")),
            1 => inner.prop_map(|a| format!("~({a})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_visited_is_what_holds(text in formula(), p in 0..=TOP) {
        let formula = Formula::parse_over(&text, &names()).unwrap();
        let Some(all) = tried(&formula, p) else { return Ok(()) };
        match found(&formula, p) {
            Ok(found) => prop_assert_eq!(found, all, "{}", text),
            // A quantified variable without a bound may stop the search earlier, and so may a value
            // that is too big in a part that decides nothing at the single points.
            Err(Unknown::Unbounded(_) | Unknown::Overflow) => {}
            Err(other) => prop_assert!(false, "{}: {}", text, other),
        }
    }

    #[test]
    fn linear_systems_are_the_formula(text in formula(), p in 0..=TOP) {
        let formula = Formula::parse_over(&text, &names()).unwrap();
        let (Some(all), Some(found)) = (tried(&formula, p), by_systems(&formula, p)) else {
            return Ok(());
        };
        prop_assert_eq!(found, all, "{}", text);
    }

    /// What is printed is read as the same formula.
    #[test]
    fn formulas_are_read_as_they_are_printed(text in formula()) {
        let formula = Formula::parse_over(&text, &names()).unwrap();
        let printed = formula.to_string();
        prop_assert_eq!(Formula::parse_over(&printed, &names()).unwrap().to_string(), printed);
    }
}

/// Counts the steps that a search makes.
fn steps(text: &str, p: u64, limit: u64) -> Result<usize, Unknown> {
    let formula = Formula::parse_over(text, &names()).unwrap();
    let mut count = 0;
    let end = formula.solutions(&[Some(p), None, None], &[None; 3], limit, &mut |_| {
        count += 1;
        Continue(())
    });
    end.map(|_| count)
}

/// Equations, bounds and conditions determine variables: no box is scanned.
#[test]
fn few_solutions_take_few_steps() {
    // A million and its halves, divisors, squares; two unknowns tied by an equation.
    assert_eq!(steps("2*q = p & r = q", 1_000_000, 20), Ok(1));
    assert_eq!(steps("divides(q, p) & r = 0", 1_000_000, 400), Ok(49));
    assert_eq!(steps("square(p - q) & r + q = p", 1_000_000, 4000), Ok(1001));
    assert_eq!(steps("power(2, q) & q <= p & r = p", 1_000_000, 200), Ok(20));
    assert_eq!(steps("E k: k >= 1 & r + k*300000 = p & q = r", 1_000_000, 50), Ok(3));
    assert_eq!(steps("q*q = p & r = 1", 1_000_000, 50), Ok(1));
    assert_eq!(steps("E k: k >= 2 & q >= 1 & q = p div k & r = k", 100, 400), Ok(99));
    assert_eq!(steps("q + r = p", 1000, 3000), Ok(1001));
    assert!(matches!(steps("q < r", 5, 1000), Err(Unknown::Unbounded(_))));
}

/// A bound of a digit sum is one of its terms, if the others have one.
#[test]
fn digit_sums_set_bounds() {
    // 5 xor q <= 2: 4, 5, 7; 5 or q <= 7: 0 to 7.
    assert_eq!(steps("q xor p <= 2 & r = 0", 5, 100), Ok(3));
    assert_eq!(steps("bitor(q, p) <= 7 & r = 0", 5, 100), Ok(8));
}

/// Words of arithmetic that hold of numbers however great, or of none, set no bound.
#[test]
fn words_of_arithmetic_set_no_bound() {
    for (text, p) in [
        ("gcd(q, p) = 1", 0),
        ("gcd(q, p) = 1", 6),
        ("divides(p, q)", 0),
        ("divides(p, q + 1)", 3),
        ("digitsum(q) < p", 3),
        ("power(2, q + p)", 3),
    ] {
        let told = steps(&format!("{text} & r = 0"), p, 100_000);
        assert_eq!(told, Err(Unknown::Unbounded("q".into())), "{text} of {p}");
    }
}

#[test]
fn a_division_by_zero_is_told() {
    let formula = Formula::parse_over("q = p div r & r <= 1", &names()).unwrap();
    let told = formula.holds(&[3, 1, 0]);
    assert_eq!(told, Err(Unknown::Division("p div r".into())));
    // Where the divisor is known not to be 0 the quotient has a value.
    let guarded = Formula::parse_over("r >= 1 & q = p div r", &names()).unwrap();
    assert_eq!(guarded.holds(&[3, 1, 0]), Ok(false));
    assert_eq!(guarded.holds(&[7, 3, 2]), Ok(true));
}

/// Products that leave a constant: factors of it.
#[test]
fn factors_of_an_equation_are_its_divisors() {
    const TOP: u64 = 150;
    for text in [
        "q*r = p",
        "q >= 2 & r >= 1 & 2*q*r + q*(q-1) = 2*p",
        "q*r + 3*q = 2*p & r != 4",
        "q*q*r = 4*p",
        "~(q*r != p+q) & q >= 1",
        "q*r = p & q + r <= 40",
    ] {
        let formula = Formula::parse_over(text, &names()).unwrap();
        for p in 0..70 {
            let (mut found, mut tried) = (BTreeSet::new(), BTreeSet::new());
            let tops = [None, Some(TOP), Some(TOP)];
            let end = formula.solutions(&[Some(p), None, None], &tops, 1 << 22, &mut |values| {
                found.insert(values.to_vec());
                Continue(())
            });
            assert_eq!(end, Ok(Continue(())), "{text}: {p}");
            for (q, r) in (0..=TOP).flat_map(|q| (0..=TOP).map(move |r| (q, r))) {
                if formula.holds(&[p, q, r]) == Ok(true) {
                    tried.insert(vec![p, q, r]);
                }
            }
            assert_eq!(found, tried, "{text}: {p}");
        }
    }
}

/// Each is found by linear systems at every p, in both truths but where a quantifier forbids it.
#[test]
fn linear_systems_find_what_holds() {
    for text in [
        "q = p & r + 1 = p | q + r = p & q >= 2",
        "q + 2*r = p + 3 & ~(q = r)",
        "E k: k >= 1 & k <= 9 & q + k*p = 2*p & r = q",
        "E k,j: k + j = p & q = 2*k + 1 & r + 1 = j",
        "r = min(p, q) & q != 3",
        "max(q, r) <= p & (q < r <=> p mod 2 = 1)",
        "(p + 1)*(q - r) = gcd(p, 6) - 2",
        "3*q - 2*r = 1 & (q = 1 => r > 0)",
        "p div 2 <= q & min(q, 2*r, 5) > 1",
        "~(E k: k <= 3 & q = p + k) & q = r | false",
        "q > p | r < q & ~(q <= 2 | r >= 3)",
        "p*q = 2*p*r + p",
    ] {
        let formula = Formula::parse_over(text, &names()).unwrap();
        let is_linear = !text.contains("~(E");
        assert_eq!(formula.linear_systems(&|v| v == 0).is_some(), is_linear, "{text}");
        for p in (0..=TOP).filter(|_| is_linear) {
            assert_eq!(by_systems(&formula, p), tried(&formula, p), "{text}: {p}");
        }
    }
    // Without a bound, and with too many steps, it is left to the other search.
    let formula = Formula::parse_over("q >= r & r <= 100", &names()).unwrap();
    let systems = formula.linear_systems(&|v| v == 0).unwrap();
    for (top, steps, left) in
        [(None, 1 << 16, true), (Some(200), 8, true), (Some(200), 1 << 16, false)]
    {
        let tops = [None, top, None];
        let end = systems.solutions(&[Some(1), None, None], &tops, steps, &mut |_| Continue(()));
        assert_eq!(end.is_none(), left, "{top:?} {steps}");
    }
}
