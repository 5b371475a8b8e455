//! Published claims about NIM with Cash.

#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::Budget;
use bouton_study::{Bound, Recheck, Theorems, Verdict, settle};

/// The printed claims that fail, with the names' values in the first instance that fails. Each was
/// looked at by hand.
const REFUTED: &[(&str, &str)] = &[
    ("N3 (2.3)", "A = {2,3}, n = 7"),
    ("N5", "A = {1}, n = 0"),
    ("N6 (4.5 as printed)", "A = {1}, a = 1, n = 1, d = 1, b = -1, y = -1"),
    (
        "N6 (4.6 for 6.5)",
        "A = {1,3,4}, l = 1, L = 3, i = 4, a = 1, n = 18, b = 2, y = 0, j = 3, p = 0, q = 0",
    ),
    ("N7 (5.5)", "A = {1,4}, l = 2, L = 4, a = 1, n = 4"),
    ("N7 (5.5.2)", "A = {1,4}, l = 2, L = 4, a = 4, k = 1, i = 0, n = 5"),
    ("N7 (5.7.3)", "A = {1,2}, l = 1, L = 2, n = 5, d = 3, e = 3"),
    ("N7 (5.7.6)", "A = {1,2}, l = 1, L = 2, n = 0, d = 0, e = 0"),
    ("N7 (5.7.7)", "A = {1,2}, l = 1, L = 2, n = 9, d = 5, e = 5, i = 0, b = 0, y = 1"),
    ("N8 (6.4.3)", "A = {1,3,4}, l = 1, L = 3, a = 4, k = 1, i = 1, n = 8"),
    ("N8 (6.5)", "A = {1,3,4}, l = 1, L = 3, n = 11, d = 6, e = 6, i = 4, b = 2, y = 0"),
    ("N10 (8.1.1)", "A = {2,3}, L = 2, M = 3, n = 8"),
    ("N10 (8.1.3)", "A = {2,3,4}, L = 2, M = 4, n = 6"),
    ("N11", "A = {1,2}, L = 1, M = 2, n = 9, d = 5, e = 5, i = 0, b = 0, y = 0"),
    ("N13 (I)", "A = {3,5,6,10,11}, k = 4, i = 0, n = 64"),
    ("N13 (II)", "A = {3,5,6,10,11}, k = 4, i = 3, n = 67"),
];

#[test]
fn the_rows_stand_as_the_errata_say() {
    let mut refuted = Vec::new();
    let mut rows = 0;
    let bound = Bound { to: 0, budget: Budget::default(), theorems: Theorems::none() };
    for claim in bouton_literature::claims().unwrap() {
        if claim.says.theory::<bouton_cash::CashClaim>().is_none() {
            continue;
        }
        rows += 1;
        match settle(&claim, &claim.game, &bound, &|_| {}).unwrap() {
            Verdict::Holds(computed) => assert!(computed.instances > 0, "{}", claim.id),
            // Of what Coq proves, instances are computed all the same.
            Verdict::ProvedCoq(proved) => assert!(proved.computed.instances > 0, "{}", claim.id),
            Verdict::Refuted(found) => {
                assert!(
                    matches!(found.recheck, Recheck::Confirmed(_)),
                    "{}: {}",
                    claim.id,
                    found.recheck
                );
                refuted.push((claim.id, found.counterexample.to_string()));
            }
            other => panic!("{}: {}", claim.id, other.found()),
        }
    }
    assert!(rows > 60);
    refuted.sort();
    let mut expected: Vec<_> =
        REFUTED.iter().map(|(id, first)| (id.to_string(), first.to_string())).collect();
    expected.sort();
    assert_eq!(refuted, expected);
}
