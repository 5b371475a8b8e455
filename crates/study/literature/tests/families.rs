//! Published claims about families of Kotzig's Nim, on small circles.

#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::Budget;
use bouton_kotzig::{FamilyClaim, FamilyStatement};
use bouton_study::{Bound, CoqTheorem, PublishedClaim, Recheck, Theorems, Verdict, settle};

fn bound(to: usize, nodes: u64) -> Bound {
    Bound {
        to,
        budget: Budget { nodes: Some(nodes), ..Budget::default() },
        theorems: Theorems::none(),
    }
}

fn families() -> Vec<PublishedClaim> {
    let all = bouton_literature::claims().unwrap().into_iter();
    all.filter(|claim| claim.says.theory::<FamilyClaim>().is_some()).collect()
}

fn verdict(claim: &PublishedClaim, bound: &Bound) -> Verdict {
    settle(claim, &claim.game, bound, &|_| {}).unwrap()
}

/// The paper has all of this in its database, except the one slip below: n = 3 is ±3 (mod 7).
#[test]
fn what_the_paper_checked_holds() {
    let claims = families();
    assert!(claims.len() > 25);
    for claim in claims {
        let family = claim.says.theory::<FamilyClaim>().unwrap();
        let to = family.cells.map_or(40, |cells| cells.min(40));
        match verdict(&claim, &bound(40, 50_000_000)) {
            // Of what Coq proves, instances are computed all the same.
            Verdict::Holds(computed) | Verdict::ProvedCoq(CoqTheorem { computed, .. }) => {
                assert!(computed.left.is_empty() && computed.instances > 0, "{}", claim.id);
                assert_eq!(computed.to, Some(to as u64), "{}", claim.id);
                assert_ne!(claim.id, "K4");
            }
            Verdict::Refuted(refuted) => {
                assert_eq!(claim.id, "K4");
                assert_eq!(refuted.counterexample.to_string(), "Gamma(3,4;3) is P, claimed N");
                assert!(
                    matches!(refuted.recheck, Recheck::Confirmed(_)) && refuted.others.is_empty()
                );
            }
            other => panic!("{}: {}", claim.id, other.found()),
        }
    }
}

/// Returns a claim of this row with something else said.
fn changed(id: &str, says: impl Fn(&FamilyStatement) -> Option<FamilyStatement>) -> PublishedClaim {
    let found = families().into_iter().filter(|claim| claim.id == id).find_map(|mut claim| {
        let family = claim.says.theory::<FamilyClaim>()?.clone();
        claim.says = FamilyClaim { says: says(&family.says)?, ..family }.into();
        Some(claim)
    });
    found.unwrap()
}

#[test]
fn a_wrong_claim_is_refuted() {
    let p = "n=1 | n=3 | n=5 | n=7 | (n mod 5 = 3 & n >= 23)";
    let claim = changed("K5", |_| Some(FamilyStatement::P(p.into())));
    let Verdict::Refuted(refuted) = verdict(&claim, &bound(60, 50_000_000)) else {
        panic!("not refuted")
    };
    assert_eq!(refuted.counterexample.to_string(), "Gamma(1,4;15) is P, claimed N");
    assert!(refuted.least && refuted.others.is_empty());
    assert_eq!(refuted.recheck, Recheck::Confirmed("the rules-only search finds the same".into()));
}

#[test]
fn what_was_not_computed_is_not_claimed() {
    let claim = families().into_iter().find(|claim| claim.id == "K7").unwrap();
    let verdict = verdict(&claim, &bound(60, 200));
    let computed = verdict.computed().unwrap();
    let first: u64 = computed.left[0].split([';', ')']).nth(1).unwrap().parse().unwrap();
    assert_eq!(computed.to, Some(first - 1));
    assert_eq!(computed.instances + computed.left.len() as u64, 60);
}

#[test]
fn a_wrong_count_is_no_proof() {
    let claim = changed("K26", |_| Some(FamilyStatement::Settled(183)));
    let small = PublishedClaim { when: Some("1 <= a & a < b & b <= 3".into()), ..claim };
    assert!(matches!(verdict(&small, &bound(72, 50_000_000)), Verdict::Unknown(unknown) if
            unknown.reason.contains("216")));
}

#[test]
fn a_wrong_equivalence_is_refuted() {
    let claim = changed("K14 (modulo n)", |says| match says {
        FamilyStatement::Same(other) if other.contains("b+n") => {
            Some(FamilyStatement::Same("Gamma(a,b+n+1;n)".into()))
        }
        _ => None,
    });
    let Verdict::Refuted(refuted) = verdict(&claim, &bound(8, 50_000_000)) else {
        panic!("not refuted")
    };
    assert!(matches!(refuted.recheck, Recheck::Confirmed(_)));
}
