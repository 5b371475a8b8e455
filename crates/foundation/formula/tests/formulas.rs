//! The language: what is read, what is refused and where, and truth by search against plain
//! enumeration.
#![allow(clippy::unwrap_used)]

use bouton_formula::{Claim, Formula, Node, Relation, Term, Unknown};
use proptest::prelude::*;

fn holds(text: &str, values: &[u64]) -> bool {
    Formula::parse(text).unwrap().holds(values).unwrap()
}

#[test]
fn operators_bind_as_in_walnut() {
    for (text, same) in [
        ("~a=b & c=d", "(~(a=b)) & (c=d)"),
        ("a=b | b=c & c=d", "(a=b) | ((b=c) & (c=d))"),
        ("a=b => b=c => c=d", "(a=b) => ((b=c) => (c=d))"),
        ("a=b <=> b=c | c=d", "(a=b) <=> ((b=c) | (c=d))"),
        ("E x: a=x & b=x | c=x", "E x: ((a=x & b=x) | c=x)"),
        ("Ex,y a=x+y", "E x,y: (a = x+y)"),
        ("a+b xor c = 2*d-e", "((a+b) xor c) = ((2*d)-e)"),
        ("2*3*a = b", "6*a = b"),
        ("a = b <= c", "a = b & b <= c"),
        ("∀x ∃y: ¬(x≥y) ∧ x≠y", "A x: E y: ~(x>=y) & x!=y"),
        ("a ⊕ b ⊕ c = 0", "xor(a,b,c) = 0"),
        ("x mod 5 = y div 2", "(x mod 5) = (y div 2)"),
    ] {
        assert_eq!(Formula::parse(text).unwrap(), Formula::parse(same).unwrap(), "{text}");
    }
}

#[test]
fn free_variables_keep_the_order_written() {
    let formula = Formula::parse("E y: z = a + y & m = z").unwrap();
    assert_eq!(&formula.names[..formula.free], ["z", "a", "m"]);
}

#[test]
fn terms_mean_what_they_say() {
    assert!(holds("x xor y xor z = 0", &[3, 5, 6]));
    assert!(holds("x div 3 = 4 & x mod 3 = 2 & min(x, 20-x) = 6 & max(x, 20) = 20", &[14]));
    assert!(holds("x - y = 0 - 2", &[3, 5]), "differences are integers");
    for code in 0..400u64 {
        let (x, y) = (code / 20, code % 20);
        let left = (x as i64 - 3 * y as i64 - 4).rem_euclid(7);
        assert!(holds(&format!("(x - 3*y - 4) mod 7 = {left}"), &[x, y]), "{x}, {y}");
    }
}

/// Ranges have both their ends, in sets, behind quantifiers and with variables as ends.
#[test]
fn ranges_have_their_ends() {
    for code in 0..400u64 {
        let (a, b) = (code / 20, code % 20);
        let difference = a as i64 - b as i64;
        for (text, expected) in [
            ("b >= 0 & a-b in 1..3", (1..=3).contains(&difference)),
            ("b >= 0 & a in {1, 4..6, 9}", [1, 4, 5, 6, 9].contains(&a)),
            ("b >= 0 & a in b..2*b", b <= a && a <= 2 * b),
            ("b >= 0 & a in b..b-1", false),
            ("b >= 0 & ~a-b in 0-2..1", !(-2..=1).contains(&difference)),
            ("b >= 0 & (E k in 2..4: a = b + 3*k)", [6, 9, 12].contains(&difference)),
            ("b >= 0 & (A k in 2..4: a != b + 3*k)", ![6, 9, 12].contains(&difference)),
        ] {
            assert_eq!(holds(text, &[b, a]), expected, "{text} of a = {a}, b = {b}");
        }
    }
}

#[test]
fn digit_sums_by_place() {
    // 1 + 3 + 3 = 01 + 11 + 11: ones 3, twos 2; modulo 3 that is 2·2 + 0.
    assert!(holds("xor3(x,y,z) = 4", &[1, 3, 3]));
    assert!(holds("x xor4 y = 6", &[3, 3]) && holds("x xor y = 0", &[3, 3]));
}

#[test]
fn shift_is_the_zeckendorf_shift() {
    // 4 = 101, shifted 1010 = 5 + 2; Wythoff's pairs are (shift(n)+1, shift(n)+n+2).
    assert!(
        holds("shift(x) = 7", &[4]) && holds("shift(x) = 0", &[0]) && holds("shift(x) = 2", &[1])
    );
    let claim = Claim::parse("a=0 & b=0 | E n: a = shift(n)+1 & b = a+n+1", 2).unwrap();
    for pair in [[0, 0], [1, 2], [3, 5], [4, 7], [6, 10], [8, 13], [9, 15], [11, 18]] {
        assert!(claim.holds(&pair).unwrap(), "{pair:?}");
    }
    let count = (0..20)
        .flat_map(|a| (0..20).map(move |b| [a, b]))
        .filter(|p| claim.holds(p).unwrap())
        .count();
    assert_eq!(count, 8);
}

#[test]
fn claims_speak_of_the_heaps() {
    let claim = Claim::parse("a+b = d+e & b+c = e+f & xor(a,c,e) = 0 & a = min", 6).unwrap();
    assert!(claim.holds(&[1, 2, 3, 1, 2, 3]).unwrap());
    assert!(!claim.holds(&[2, 2, 3, 2, 2, 3]).unwrap());
    let parameters = Claim::parse("E x,y: a = x+y & b = x & c = y+1", 3).unwrap();
    assert!(parameters.holds(&[1_000_000, 999_000, 1001]).unwrap());
    assert!(!parameters.holds(&[1_000_000, 999_000, 1002]).unwrap());
    let image = Claim::parse("a = 1 & b = 2", 3).unwrap();
    let turns = [vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1]];
    assert!(image.holds_up_to(&[9, 1, 2], &turns).unwrap());
    assert!(!image.holds_up_to(&[9, 2, 1], &turns).unwrap());
    assert!(Claim::parse("xor = 0 & max = 3", 3).unwrap().holds(&[1, 2, 3]).unwrap());
}

#[test]
fn errors_point_at_the_place() {
    for (text, at, word) in [
        ("a+b = (c", 6..7, "never closed"),
        ("a+b = c)", 7..8, "closes nothing"),
        ("a + = c", 4..5, "nothing on its left"),
        ("a+b", 0..3, "a number stands"),
        ("(a=b)+c = d", 5..6, "takes numbers"),
        ("a = b & 2a = c", 9..10, "right before a name"),
        ("a = b $ c", 6..7, "no meaning"),
        ("prime(a, b)", 0..5, "does not take 2 arguments"),
        ("a mod (0) = 1", 6..7, "divisor"),
        ("E: a=b", 0..1, "needs a variable"),
        ("", 0..0, "stops here"),
        ("a = 99999999999", 4..15, "too big"),
        ("power(a, 2) & b = 1", 0..5, "base stands first"),
        ("b = 1 | |a-c = 2", 8..9, "nothing on its left"),
        ("a xor1 b = 0", 2..6, "no such digit sum"),
        ("a xor b xor3 c = 0", 8..12, "two kinds"),
        ("min = a", 0..3, "of what"),
        ("a mod 0 = 1", 6..7, "divisor"),
        ("70000*70000 = a", 5..6, "too big"),
        ("a = b c", 6..7, "ends before"),
        ("a = é", 4..6, "no meaning"),
    ] {
        let error = Formula::parse(text).unwrap_err();
        assert!(error.message.contains(word), "{text}: {error}");
        assert_eq!(error.range, at, "{text}: {error}");
    }
    let error = Claim::parse("a = b & g = 1", 6).unwrap_err();
    assert_eq!((error.range.clone(), error.to_string().contains("a … f")), (8..9, true), "{error}");
}

/// Digits of a difference are read where it is not negative; elsewhere the comparison does not
/// hold.
#[test]
fn a_difference_has_digits_where_it_is_not_negative() {
    let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
    type Expected = fn(u64, u64) -> bool;
    let cases: [(&str, Expected); 5] = [
        ("(a-b) xor c = 3", |d, c| d ^ c == 3),
        ("(a-b) div 2 = c", |d, c| d / 2 == c),
        ("bitand(a-b, c) = 0", |d, c| d & c == 0),
        ("(a-b) xor c != 3", |d, c| d ^ c != 3),
        ("c >= 1 & (a-b) mod c = 0", |d, c| c >= 1 && d % c == 0),
    ];
    for (text, expected) in cases {
        let formula = Formula::parse_over(text, &names).unwrap();
        assert_eq!(
            Formula::parse_over(&formula.to_string(), &names),
            Ok(formula.clone()),
            "{text}"
        );
        for (a, b, c) in
            (0..12).flat_map(|a| (0..12).flat_map(move |b| (0..12).map(move |c| (a, b, c))))
        {
            let wanted = a >= b && expected(a - b, c);
            assert_eq!(formula.holds(&[a, b, c]).unwrap(), wanted, "{text} at {a}, {b}, {c}");
        }
    }
}

#[test]
fn depth_is_an_error_not_an_overflow() {
    for (open, middle, close) in [
        ("(", "a=b", ")"),
        ("~", "a=b", ""),
        ("E x: ", "a=b", ""),
        ("a=b => ", "a=b", ""),
        ("a=b <=> ", "a=b", ""),
        ("a=b & ", "a=b", ""),
        ("1+", "a=b", ""),
        ("2*", "a=b", ""),
        ("min(", "a", ")"),
        ("", "a", " mod 3"),
    ] {
        let text = open.repeat(100_000) + middle + &close.repeat(100_000);
        if let Ok(formula) = Formula::parse(&text) {
            // Flat lists are no depth: reading, printing and evaluating them is fine.
            assert!(
                formula.to_string().len() > 100_000
                    && formula.holds(&vec![0; formula.free]).is_ok()
            );
        }
    }
    let deep = "(".repeat(120) + "a=b" + &")".repeat(120);
    assert!(Formula::parse(&deep).is_ok());
}

#[test]
fn search_says_when_it_cannot_know() {
    assert!(matches!(Formula::parse("E x: 2*x = 3*a + 2*x + 1").unwrap().holds(&[1]), Ok(false)));
    assert!(matches!(
        Formula::parse("A x: x xor a >= x").unwrap().holds(&[0]),
        Err(Unknown::Unbounded(_))
    ));
    assert!(matches!(Formula::parse("E x: x > 5*a").unwrap().holds(&[1]), Ok(true)));
    let long = Formula::parse("E x,y,z: x <= a & y <= a & z <= a & 2*x+2*y+2*z = 1501").unwrap();
    assert!(matches!(long.holds_within(&[1000], 1000), Err(Unknown::Budget(1000))));
    assert_eq!(
        Formula::parse("4000000000*(4000000000*(4000000000*(4000000000*a))) = 1")
            .unwrap()
            .holds(&[u64::MAX]),
        Err(Unknown::Overflow)
    );
}

const FREE: usize = 3;
const BOUND: usize = 2;

fn term() -> impl Strategy<Value = Term> {
    let leaf =
        prop_oneof![(0..9u64).prop_map(Term::Number), (0..FREE + BOUND).prop_map(Term::Variable),];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let natural = inner.clone().prop_map(natural);
        let few = prop::collection::vec(inner.clone(), 2..4);
        let few_naturals = prop::collection::vec(natural.clone(), 2..4);
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Term::Sum(vec![flat(a), flat(b)])),
            (inner.clone(), inner)
                .prop_map(|(a, b)| Term::Sum(vec![flat(a), Term::Multiple(-1, flat(b).into())])),
            few.clone().prop_map(Term::Min),
            few.prop_map(Term::Max),
            (2..5u8, few_naturals)
                .prop_map(|(m, parts)| Term::DigitSum(m, parts.into_iter().map(single).collect())),
            (natural.clone(), 1..6u64).prop_map(|(a, k)| Term::Quotient(single(a).into(), k)),
            (natural.clone(), 1..6u64).prop_map(|(a, k)| Term::Remainder(single(a).into(), k)),
            natural.clone().prop_map(|a| Term::Shift(a.into())),
            (natural, 0..3u32, 1..4u64).prop_map(|(a, whole, quotient)| {
                let period = bouton_formula::Period::new(&[quotient, 2]).unwrap();
                Term::Floor(bouton_formula::Slope { whole, period }, a.into())
            }),
        ]
    })
}

/// Returns the term without minus.
fn natural(term: Term) -> Term {
    match term {
        Term::Sum(parts) => Term::Max(parts.into_iter().map(natural).collect()),
        Term::Multiple(_, inner) => natural(*inner),
        Term::Min(parts) => Term::Min(parts.into_iter().map(natural).collect()),
        Term::Max(parts) => Term::Max(parts.into_iter().map(natural).collect()),
        other => other,
    }
}

/// Joins sums with sums, as the parser does: test trees stay in the form that it makes.
fn flat(term: Term) -> Term {
    if matches!(term, Term::Sum(_)) { Term::Max(vec![term, Term::Number(0)]) } else { term }
}

fn single(term: Term) -> Term {
    if matches!(term, Term::DigitSum(..)) { Term::Min(vec![term, Term::Number(9)]) } else { term }
}

fn node() -> impl Strategy<Value = Node> {
    let relation = prop_oneof![
        Just(Relation::Equal),
        Just(Relation::Unequal),
        Just(Relation::Less),
        Just(Relation::AtMost),
        Just(Relation::Greater),
        Just(Relation::AtLeast),
    ];
    let leaf = (term(), relation, term()).prop_map(|(a, r, b)| Node::Compare(a, r, b));
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Node::Not(a.into())),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Node::Implies(a.into(), b.into())),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Node::Iff(a.into(), b.into())),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| Node::And(vec![Node::Not(a.into()), b])),
            (inner.clone(), inner).prop_map(|(a, b)| Node::Or(vec![Node::Not(a.into()), b])),
        ]
    })
}

fn formula(root: Node) -> Formula {
    let names = ["a", "b", "c", "x", "y"].map(String::from).to_vec();
    Formula { names, free: FREE, root }
}

/// Puts every node under `E x ≤ limit: A y ≤ limit`, so that enumeration is exact.
fn guarded(root: Node, limit: u64) -> Formula {
    let below = |v| Node::Compare(Term::Variable(v), Relation::AtMost, Term::Number(limit));
    let inner = Node::Forall(vec![4], Node::Implies(below(4).into(), root.into()).into());
    formula(Node::Exists(vec![3], Node::And(vec![below(3), inner]).into()))
}

/// However deep or long a text is, it ends in a formula or in an error that points into it, on a
/// small stack.
#[test]
fn deep_and_long_texts_do_not_overflow_the_stack() {
    const MANY: usize = 100_000;
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let run = small.spawn(|| {
        let closed =
            |open: &str, inner: &str, close: &str| open.repeat(MANY) + inner + &close.repeat(MANY);
        let deep = [
            closed("(", "a=b", ")"),
            closed("(", "a", ")") + " = b",
            closed("~", "a=b", ""),
            closed("~(", "a=b", ")"),
            closed("E x: ", "x=b", ""),
            closed("A x: E y: ", "x=y", ""),
            closed("min(", "a", ")") + " = b",
            closed("xor(", "a", ")") + " = b",
            closed("shift(", "a", ")") + " = b",
            closed("a=b => ", "a=b", ""),
            closed("a=b <=> ", "a=b", ""),
            "a".to_owned() + &" mod 2".repeat(MANY) + " = b",
            "a".to_owned() + &" div 2".repeat(MANY) + " = b",
            "2*".repeat(MANY) + "a = b",
            "(".repeat(MANY),
            ")".repeat(MANY),
        ];
        for text in deep {
            let error = Formula::parse(&text).unwrap_err();
            assert!(error.range.end <= text.len() && !error.message.is_empty(), "{error}");
        }
        for (word, sum) in
            [(" & ", false), (" | ", false), (" + ", true), (" xor ", true), (" - ", true)]
        {
            let (one, end) = if sum { ("a", " = b") } else { ("a = b", "") };
            let text = vec![one; MANY].join(word) + end;
            let formula = Formula::parse(&text).unwrap();
            assert_eq!(formula.names, ["a", "b"]);
            assert!(Formula::parse(&formula.to_string()).is_ok());
            assert!(formula.holds(&[0, 0]).is_ok());
        }
    });
    run.unwrap().join().unwrap();
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(root in node()) {
        let formula = guarded(root, 4);
        let text = formula.to_string();
        let names = ["a", "b", "c"].map(String::from);
        let again = Formula::parse_over(&text, &names).map_err(|e|
            TestCaseError::fail(format!("{text}: {e}")))?;
        prop_assert_eq!(&again.to_string(), &text);
        for values in [[0, 0, 0], [1, 2, 3], [5, 3, 9]] {
            prop_assert_eq!(again.holds(&values), formula.holds(&values), "{}", text);
        }
    }

    #[test]
    fn search_agrees_with_enumeration(root in node(), values in prop::array::uniform3(0..9u64)) {
        let limit = 5;
        let all: Vec<String> = ["a", "b", "c", "x", "y"].map(String::from).to_vec();
        let open = Formula { names: all, free: 5, root: root.clone() };
        let at = |x, y| open.holds(&[values[0], values[1], values[2], x, y]).unwrap();
        let expected = (0..=limit).any(|x| (0..=limit).all(|y| at(x, y)));
        prop_assert_eq!(guarded(root, limit).holds(&values), Ok(expected));
    }

    #[test]
    fn no_text_breaks_the_parser(text in "[abAEx~&|()=<>+*, 0-9:xorminmd⊕-]{0,60}") {
        if let Ok(formula) = Formula::parse(&text) {
            let again = Formula::parse(&formula.to_string());
            prop_assert!(again.is_ok(), "{} → {}", text, formula);
        }
    }
}

/// A parenthesis that is not closed is shown where it stands, whatever white space is before it.
#[test]
fn the_parenthesis_of_a_shift_is_shown_where_it_stands() {
    for text in ["shift(n", "shift   (n", "shift\u{2028}(n"] {
        let error = Formula::parse(text).unwrap_err();
        assert_eq!(text.get(error.range.clone()), Some("("), "{text:?} {}", error.message);
    }
}
