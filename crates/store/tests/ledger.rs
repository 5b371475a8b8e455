//! The ledger's claims about families, on small circles.

#![allow(clippy::unwrap_used)]

use bouton_solve::Watch;
use bouton_store::verify::{Bound, FamilyClaim, Recheck, Standing, claims};
use std::sync::Arc;

fn bound(to: usize) -> Bound {
    Bound { to, nodes: 50_000_000, stop: Arc::new(Watch::default()) }
}

/// The paper has all of this in its database, except the one slip below: n = 3 is ±3 (mod 7).
#[test]
fn what_the_paper_checked_holds() {
    let claims = claims().unwrap();
    assert!(claims.len() > 25);
    for (claim, family) in claims {
        let verified = family.verify(&bound(40)).unwrap();
        let to = claim.more.get("cells").map_or(40, |cells| 40.min(cells.as_integer().unwrap() as usize));
        assert!(
            verified.unknown.is_empty() && verified.instances > 0 && verified.bound == to,
            "{}",
            claim.id
        );
        let failures: Vec<_> =
            verified.failures.iter().map(|f| (f.instance.game.to_string(), f.recheck)).collect();
        let slips = if claim.id == "K4" { vec![("Gamma(3,4;3)".to_owned(), Recheck::Rules)] } else { vec![] };
        assert_eq!(failures, slips, "{}: {}", claim.id, claim.statement);
    }
}

#[test]
fn a_wrong_claim_is_refuted() {
    let (mut claim, _) = claims().unwrap().into_iter().find(|(claim, _)| claim.id == "K5").unwrap();
    claim.more.insert("p".into(), "n=1 | n=3 | n=5 | n=7 | (n mod 5 = 3 & n >= 23)".into());
    let verified = FamilyClaim::read(&claim).unwrap().unwrap().verify(&bound(60)).unwrap();
    assert_eq!(verified.standing(), Standing::Refuted);
    let games: Vec<String> = verified.failures.iter().map(|f| f.instance.game.to_string()).collect();
    assert_eq!(games, ["Gamma(1,4;15)"]);
    assert_eq!(verified.failures[0].recheck, Recheck::Rules);
}

#[test]
fn what_was_not_computed_is_not_claimed() {
    let (_, family) = claims().unwrap().into_iter().find(|(claim, _)| claim.id == "K7").unwrap();
    let verified = family.verify(&Bound { nodes: 200, ..bound(60) }).unwrap();
    let first = verified.unknown.first().unwrap().game.n();
    assert_eq!(verified.bound, first - 1);
    assert_eq!(verified.instances + verified.unknown.len() as u64, 60);
}

#[test]
fn a_wrong_equivalence_is_refuted() {
    let mut rows = claims().unwrap().into_iter().map(|(claim, _)| claim);
    let mut claim = rows.find(|claim| claim.id == "K14" && claim.more.contains_key("same")).unwrap();
    claim.more.insert("same".into(), "Gamma(a,b+n+1;n)".into());
    let verified = FamilyClaim::read(&claim).unwrap().unwrap().verify(&bound(8)).unwrap();
    assert_eq!(verified.standing(), Standing::Refuted);
    assert!(verified.failures.iter().all(|failure| failure.recheck == Recheck::Rules));
}
