//! Formulas with multiples of irrational numbers, against their values.

#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::Meter;
use bouton_prover::export::automaton;
use bouton_prover::{
    Acceptor, Formula, FormulaDecision, Numeration, Tuples, decide_formula, default_budget,
};

fn decided(text: &str) -> FormulaDecision {
    let formula = Formula::parse(text).unwrap();
    let meter = &mut Meter::new(&default_budget());
    decide_formula(&formula, Numeration::Binary, meter)
        .unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn tuples(text: &str) -> Tuples {
    match decided(text) {
        FormulaDecision::Open(tuples) => tuples,
        _ => panic!("{text} has free variables"),
    }
}

/// ⌊n·√d⌋.
fn multiple_of_root(n: u64, d: u64) -> u64 {
    (n * n * d).isqrt()
}

/// √2 = [1; 2, 2, …], √3 = [1; 1, 2, …], √5 + 1 = [3; 4, 4, …], √7 − 1 = [1; 1, 1, 1, 4, …].
#[test]
fn tuples_are_those_of_the_formula() {
    for (text, most, holds) in [
        (
            "floor[1;(2)](a) = b",
            200,
            (&|a, b| multiple_of_root(a, 2) == b) as &dyn Fn(u64, u64) -> bool,
        ),
        ("floor[1;(1,2)](a) = b", 200, &|a, b| multiple_of_root(a, 3) == b),
        ("floor[3;(4)](a+1) >= b", 60, &|a, b| multiple_of_root(a + 1, 5) + a + 1 >= b),
        ("E n: a = floor[1;(2)](n) & b = a + 2*n", 120, &|a, b| {
            b >= a && (b - a) % 2 == 0 && multiple_of_root((b - a) / 2, 2) == a
        }),
        ("A n: n <= a => floor[1;(2)](n) < b", 60, &|a, b| multiple_of_root(a, 2) < b),
        ("floor[1;(2)](a) mod 3 = floor[3;(2)](b) mod 3", 60, &|a, b| {
            multiple_of_root(a, 2) % 3 == (2 * b + multiple_of_root(b, 2)) % 3
        }),
    ] {
        let found = tuples(text);
        let all: Vec<[u64; 2]> = (0..=most).flat_map(|a| (0..=most).map(move |b| [a, b])).collect();
        for pair in &all {
            assert_eq!(found.holds(pair), holds(pair[0], pair[1]), "{text} of {pair:?}");
        }
        let count = found.count(most, &mut Meter::new(&default_budget())).unwrap().unwrap();
        let expected = all.iter().filter(|[a, b]| holds(*a, *b)).count();
        assert_eq!(count, expected.to_string(), "{text}");
        // Read as Walnut's text it is the same.
        let read = Acceptor::parse(&automaton::walnut(&found).unwrap(), 2).unwrap();
        assert!(all.iter().all(|pair| read.holds(pair) == found.holds(pair)), "{text}");
        assert!(automaton::dot(&found).starts_with("digraph {"));
    }
}

#[test]
fn sentences_are_decided_with_witnesses() {
    // The sequences of Beatty for 1/x + 1/y = 1, with x = √2 and y = 2 + √2, share no number.
    for text in [
        "A m,n: m > 0 & n > 0 => floor[1;(2)](m) != floor[3;(2)](n)",
        "A k: k > 0 => E n: n > 0 & (k = floor[1;(2)](n) | k = floor[3;(2)](n))",
        "~(E n: floor[1;(1,2)](n) = 2)",
    ] {
        assert!(matches!(decided(text), FormulaDecision::True(_)), "{text}");
    }
    let FormulaDecision::True(Some(values)) =
        decided("E n: n > 0 & floor[1;(2)](n) mod 7 = 3 & n mod 5 = 4")
    else {
        panic!("there is one")
    };
    let [value] = &values[..] else { panic!("one value") };
    let found = *value.value.as_ref().unwrap();
    assert_eq!(value.name, "n");
    assert!(multiple_of_root(found, 2) % 7 == 3 && found % 5 == 4);
    // A quantifier within, of which the outermost variables are not a part: a is 2, 5, … at least.
    let within = "E a: a <= 12 & (A n: n <= a+2 => a mod 3 != floor[1;(1,2)](n))";
    let FormulaDecision::True(Some(values)) = decided(within) else { panic!("there is one") };
    let a = *values[0].value.as_ref().unwrap();
    assert!(a <= 12 && (0..=a + 2).all(|n| a % 3 != multiple_of_root(n, 3)), "{a}");
    let FormulaDecision::False(Some(values)) =
        decided("A n: floor[1;(2)](floor[1;(2)](n)) = 2*n - 1 | n mod 3 = 1")
    else {
        panic!("it is false")
    };
    let found = *values[0].value.as_ref().unwrap();
    assert!(found % 3 != 1 && multiple_of_root(multiple_of_root(found, 2), 2) + 1 != 2 * found);
}

/// Of several fields, or beside digits of another kind, nothing is decided.
#[test]
fn several_kinds_of_digits_are_undecided() {
    for text in [
        "floor[1;(2)](a) = floor[1;(1,2)](b)",
        "floor[1;(2)](a) = a xor b",
        "floor[1;(2)](a) = shift(b)",
    ] {
        let formula = Formula::parse(text).unwrap();
        let meter = &mut Meter::new(&default_budget());
        assert!(decide_formula(&formula, Numeration::Binary, meter).is_err(), "{text}");
    }
}
