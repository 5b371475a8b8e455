//! Formulas that are read, and texts that are none.

#![allow(clippy::unwrap_used, reason = "a test")]
use super::*;

/// Words and signs of programming languages.
#[test]
fn synonyms() {
    for (text, own) in [
        ("a = 1 and b = 2 or not c = 3", "a = 1 & b = 2 | ~(c = 3)"),
        ("a // 2 = b % 5", "a div 2 = b mod 5"),
        ("a in {1, 3,4} & b = 1", "(a = 1 | a = 3 | a = 4) & b = 1"),
        ("a - b ∈ {2}", "a - b = 2"),
        ("a in {b, b+1} | a = 7", "(a = b | a = b+1) | a = 7"),
        ("a-b in 1..3", "1 <= a-b <= 3"),
        ("a-b not in {1,3} & b = 1", "~(a-b = 1 | a-b = 3) & b = 1"),
        ("a ~ in 1..3 | a not ∈ {7}", "~(1 <= a <= 3) | ~(a = 7)"),
        ("not a not in primes", "~~prime(a)"),
        ("a in {1, 3..b+1,9} | b = 7", "(a = 1 | 3 <= a <= b+1 | a = 9) | b = 7"),
        ("b > 1 & ~a in b..2*b", "b > 1 & ~(b <= a <= 2*b)"),
        ("exists k: a = 2*k", "E k: a = 2*k"),
        ("forall x,y: x+y = y+x", "A x,y: x+y = y+x"),
        ("a <> b", "a != b"),
        ("a = 1 -> b = 2", "a = 1 => b = 2"),
        ("a = 1 implies b = 2", "a = 1 => b = 2"),
        ("a = 1 <-> b = 2", "a = 1 <=> b = 2"),
        ("a - b divides c + 1", "divides(a-b, c+1)"),
        ("abs(a-b) < c", "max(a-b, b-a) < c"),
        ("|a-b| < |c+1| | a = 1", "max(a-b, b-a) < max(c+1, 0-c-1) | a = 1"),
        ("abs(a) = b", "max(a, 0-a) = b"),
        ("odd(a-b) & even(c)", "(a-b) mod 2 = 1 & c mod 2 = 0"),
        ("coprime(a, b+1)", "gcd(a, b+1) = 1"),
        ("triangular(a-b)", "square(8*(a-b)+1)"),
        ("a-b in primes | a in squares", "prime(a-b) | square(a)"),
        ("not (a = 1 and b = 1)", "~(a = 1 & b = 1)"),
        ("E k >= 1: a = b + k", "E k: k >= 1 & a = b + k"),
        ("exists k in {1,3}: a = b + k", "E k: (k = 1 | k = 3) & a = b + k"),
        ("A k <= b: k != a", "A k: k <= b => k != a"),
        ("|a-b| = 2 | a = 3", "max(a-b, b-a) = 2 | a = 3"),
        ("a = 3 or abs(2*a-b+1) <= |b|", "a = 3 | max(2*a-b+1, b-2*a-1) <= max(b, 0-b)"),
        ("(a-b) xor 1 = 3", "E difference: difference = a-b & difference xor 1 = 3"),
        (
            "(a-b) div 2 = b & bitand(a-b, b) = 0",
            "(E difference: difference = a-b & difference div 2 = b)
             & (E difference2: difference2 = a-b & bitand(difference2, b) = 0)",
        ),
    ] {
        let read = Formula::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read, Formula::parse(own).unwrap(), "{text}");
        assert_eq!(Formula::parse(&read.to_string()), Ok(read), "{text}");
    }
    for text in [
        "a in",
        "a in 3",
        "a in {}",
        "a in {1",
        "a in {1..",
        "a in 1..",
        "a in ..3",
        "a in 3..1",
        "a in 1...3",
        "a in 1..3..5",
        "a = 1..3",
        "a in {1;2}",
        "in {1}",
        "a in {1} in {2}",
        "a not in",
        "a not not in {1}",
        "not in {1}",
        "a = 1 not in {1}",
        "{1} = a",
        "a / 2 = b",
        "| a = b",
        "|a-b = 2",
        "a = 1 | |b",
        "abs(a, b) = 1",
        "power(a, 2)",
        "a ** 2 = b",
        "a ^ 2 = b",
        "|a-b < 2",
        "abs(a,b) < 2",
        "coprime(a) & a = 1",
        "E k >= 1 a = b + k",
        "E j,k >= 1: a = j + k",
        "E k + 1: a = k",
    ] {
        assert!(Formula::parse(text).is_err(), "{text}");
    }
}

/// Derived words against their definitions.
#[test]
fn derived_words() {
    let holds = |text: &str, a: u64, b: u64| {
        let names = ["a".to_owned(), "b".to_owned()];
        Formula::parse_over(text, &names).unwrap().holds(&[a, b]).unwrap()
    };
    let mut fibonacci = vec![0u64, 1];
    while fibonacci.len() < 20 {
        fibonacci.push(fibonacci.iter().rev().take(2).sum());
    }
    for a in 0..60u64 {
        for b in 0..60 {
            let d = a.checked_sub(b);
            assert_eq!(holds("abs(a-b) = 3", a, b), a.abs_diff(b) == 3, "{a} {b}");
            assert_eq!(
                holds("|a-b| <= |a-2*b|", a, b),
                a.abs_diff(b) <= a.abs_diff(2 * b),
                "{a} {b}"
            );
            assert_eq!(holds("odd(a-b)", a, b), a.abs_diff(b) % 2 == 1, "{a} {b}");
            let is_fibonacci = d.is_some_and(|d| fibonacci.contains(&d));
            assert_eq!(holds("fibonacci(a-b)", a, b), is_fibonacci, "{a} {b}");
            let is_triangular = d.is_some_and(|d| (0..=d).any(|k| k * (k + 1) / 2 == d));
            assert_eq!(holds("triangular(a-b)", a, b), is_triangular, "{a} {b}");
            let is_coprime = (2..=a.max(b)).all(|k| a % k != 0 || b % k != 0) && a + b > 0;
            assert_eq!(holds("coprime(a,b)", a, b), is_coprime, "{a} {b}");
        }
    }
}
