//! Decisions by automata, compared with arithmetic and against the evaluator.

#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_automata::{AutomaticRelation, Decision, Numeration, Undecided, decide, default_budget};
use bouton_core::{Budget, LimitReached, Meter};
use bouton_formula::Formula;

fn decided(text: &str, numeration: Numeration) -> Decision {
    decide(&Formula::parse(text).unwrap(), numeration, &mut Meter::new(&default_budget())).unwrap()
}

fn relation(text: &str, numeration: Numeration) -> AutomaticRelation {
    match decided(text, numeration) {
        Decision::Open(relation) => relation,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn sentences() {
    let cases = [
        ("A x,y: x+y = y+x", true),
        ("A x,y: x xor y = y xor x", true),
        ("A x,y: x xor y <= x+y", true),
        ("A x: E y: x < y", true),
        ("E y: A x: x < y", false),
        ("A x: E y: x = 2*y | x = 2*y+1", true),
        ("A x: E y: x = 2*y", false),
        ("A x: x mod 5 = 0 | x mod 5 = 1", false),
        ("A x: 5*(x div 5) + x mod 5 = x", true),
        ("A x,y: min(x,y) + max(x,y) = x+y", true),
        ("A x,y,z: (x xor y) xor z = x xor (y xor z)", true),
        ("A x,y,z: (x xor y) + z = x xor (y + z)", false),
        // Every amount from 8 on can be paid in coins of 3 and 5, and 7 cannot (Sylvester).
        ("A n: n >= 8 => E x,y: n = 3*x + 5*y", true),
        ("A n: n >= 7 => E x,y: n = 3*x + 5*y", false),
        // Bouton: from nim-sum 0 every move leaves it, otherwise some move of one heap restores it.
        ("A a,b,c,d: (a xor b xor c = 0 & d < a) => d xor b xor c != 0", true),
        (
            "A a,b,c: a xor b xor c != 0 => ((E d: d < a & d xor b xor c = 0) | (E d: d < b & a \
             xor d xor c = 0) | (E d: d < c & a xor b xor d = 0))",
            true,
        ),
        ("A x: xor3(x,x,x) = 0", true),
        ("(A x: x >= 0) <=> (E x: x = 7)", true),
        ("A x: (E y: x = 3*y) <=> x mod 3 = 0", true),
    ];
    for (text, truth) in cases {
        match decided(text, Numeration::Binary) {
            Decision::True(_) => assert!(truth, "{text}"),
            Decision::False(_) => assert!(!truth, "{text}"),
            Decision::Open(_) => panic!("{text} is closed"),
        }
    }
}

#[test]
fn witnesses_are_shortest() {
    let Decision::False(Some(found)) =
        decided("A n: n >= 5 => E x,y: n = 3*x + 5*y", Numeration::Binary)
    else {
        panic!("5, 6 are sums, 7 is not");
    };
    assert_eq!(found.numbers().collect::<Vec<_>>(), [("n", Some(7))]);
    let Decision::True(Some(found)) =
        decided("E x,y,z: x xor y = 5 & x + y = 9 & z = 3*x", Numeration::Binary)
    else {
        panic!("2 and 7 are such a pair");
    };
    let values: Vec<u64> = found.numbers().map(|(_, value)| value.unwrap()).collect();
    assert_eq!((values[0] ^ values[1], values[0] + values[1], values[2]), (5, 9, 3 * values[0]));
}

/// What a relation says of small tuples is what the evaluator says, which searches and knows no
/// automata.
#[test]
fn relations_agree_with_the_evaluator() {
    let formulas = [
        "a = 2*b + 1",
        "E x: a = 3*x + b",
        "a xor b xor c = 0",
        "a + b = c | a mod 3 = 1",
        "A x: x < a => E y: y <= b & x + y = a",
        "min(a,b,c) + 1 = max(a,b,c)",
        "E x: x <= a & x xor b = c",
        "(a div 3) xor (b mod 4) = c",
        "A x: x <= a => (x <= b | x xor c > 0)",
        "a < b <=> b > c",
        "xor3(a,b,c) = 3",
    ];
    for text in formulas {
        let names: Vec<String> = ["a", "b", "c"].map(String::from).into();
        let formula = Formula::parse_over(text, &names).unwrap();
        let Decision::Open(relation) =
            decide(&formula, Numeration::Binary, &mut Meter::new(&default_budget())).unwrap()
        else {
            panic!("{text} has free variables");
        };
        for a in 0..9u64 {
            for b in 0..9 {
                for c in 0..9 {
                    let truth = formula.holds(&[a, b, c]).unwrap();
                    assert_eq!(relation.holds(&[a, b, c]), truth, "{text} at {a},{b},{c}");
                }
            }
        }
    }
}

/// Wythoff's pairs in Zeckendorf numeration: the greater number is the shift of the lesser (Silber
/// 1976).
#[test]
fn zeckendorf() {
    let wythoff = relation("shift(a) = b", Numeration::ZECKENDORF);
    // 1 → 2, 3 → 5, 4 → 7, 6 → 10, 8 → 13: the first pairs.
    for (a, b) in [(1, 2), (3, 5), (4, 7), (6, 10), (8, 13)] {
        assert!(
            wythoff.holds(&[a, b]) && !wythoff.holds(&[a, b + 1]) && !wythoff.holds(&[b, a]),
            "{a},{b}"
        );
    }
    assert!(matches!(decided("A x: E y: y = shift(x)", Numeration::ZECKENDORF), Decision::True(_)));
    assert!(matches!(
        decided("A y: E x: y = shift(x)", Numeration::ZECKENDORF),
        Decision::False(Some(_))
    ));
    assert!(matches!(
        decided("A x,y: x+y = y+x & (x < y => shift(x) < shift(y))", Numeration::ZECKENDORF),
        Decision::True(_)
    ));
}

#[test]
fn small_automata() {
    // The parity of Nim: one state for sum 0 so far, one for not.
    assert_eq!(relation("a xor b xor c = 0", Numeration::Binary).dfa.states(), 2);
    assert_eq!(relation("a < b", Numeration::Binary).dfa.states(), 3);
    assert_eq!(relation("a mod 7 = 0", Numeration::Binary).dfa.states(), 7);
    assert_eq!(relation("a >= 0", Numeration::Binary).dfa.states(), 1);
}

#[test]
fn budgets_end_in_unknown() {
    let formula = Formula::parse("A x,y,z: E u,v: 997*x + 991*y = 983*u + 977*v + z").unwrap();
    let limited = |nodes| Meter::new(&Budget { nodes: Some(nodes), ..default_budget() });
    let spent = decide(&formula, Numeration::Binary, &mut limited(500)).unwrap_err();
    assert_eq!(spent, Undecided::Limit(LimitReached::Nodes(500)));
}

/// Quotients become variables of their own; a witness tells of those that were written alone.
#[test]
fn witnesses_tell_of_written_variables_alone() {
    for (text, expected) in [
        ("E p, q: 1 = p | (q div 2) + 1 = 2*p", true),
        ("E p, q: p >= 3 & (q div 2) + 1 = 2*p", true),
        ("E p, q: p = 0 & (q div 2) + 1 = 2*p", false),
    ] {
        let formula = Formula::parse(text).unwrap();
        let mut meter = Meter::new(&default_budget());
        let found = decide(&formula, Numeration::Binary, &mut meter).unwrap();
        match found {
            Decision::True(Some(witness)) => {
                assert!(expected, "{text}");
                let values: Vec<u64> = witness.numbers().map(|(_, value)| value.unwrap()).collect();
                let names: Vec<&str> = witness.numbers().map(|(name, _)| name).collect();
                assert_eq!(names, ["p", "q"], "{text}");
                let body = Formula::parse_over(
                    text.split_once(": ").unwrap().1,
                    &["p".to_owned(), "q".to_owned()],
                );
                assert_eq!(body.unwrap().holds(&values), Ok(true), "{text}: {values:?}");
            }
            Decision::False(None) => assert!(!expected, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// Numbers of tuples below a bound are those found one by one, and the bound may be far: 2,178,309
/// positive n up to 2^30 have n + 2n = 3n without a carry (Project Euler 301; a Fibonacci number).
#[test]
fn tuples_are_counted() {
    let meter = || Meter::new(&default_budget());
    for (text, numeration) in [
        ("a xor b xor c = 0", Numeration::Binary),
        ("a < b & b mod 3 = 1", Numeration::Binary),
        ("a >= 0", Numeration::Binary),
        ("E x: a = 3*x + 1", Numeration::Binary),
        ("shift(a) = b", Numeration::ZECKENDORF),
        ("a < b | b = 2*a", Numeration::ZECKENDORF),
        ("~(shift(a) = b)", Numeration::ZECKENDORF),
    ] {
        let relation = relation(text, numeration);
        for most in (0..20).chain([31, 32, 33]) {
            let mut tuple = vec![0u64; relation.names.len()];
            let mut counted = 0u32;
            loop {
                counted += u32::from(relation.holds(&tuple));
                let Some(place) = tuple.iter().rposition(|value| *value < most) else { break };
                tuple[place] += 1;
                tuple[place + 1..].fill(0);
            }
            let found = relation.count(&most.into(), &mut meter()).unwrap();
            assert_eq!(found, Some(counted.into()), "{text} {most}");
        }
    }
    let euler = relation("n > 0 & n xor 2*n xor 3*n = 0", Numeration::Binary);
    assert_eq!(euler.count(&(1u64 << 30).into(), &mut meter()).unwrap(), Some(2_178_309u32.into()));
}
