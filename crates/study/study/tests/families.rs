//! Positions with great numbers, answered by theorems on the family of their game; the answers are
//! those of play in games of the family with small numbers, and of the rules.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use bouton_core::{Budget, Outcome, Play};
use bouton_engine::Settings;
use bouton_games::parse;
use bouton_prover::parametric::ParametricGame;
use bouton_study::{Answer, Justification, Theorems, answer, study_parametric};
use bouton_theory::verdict::VerdictKind;
use std::time::Duration;

fn solved(game: &str, position: &str, play: Play) -> Answer {
    let named = parse(game).unwrap();
    let budget = Budget::default().within(Duration::from_secs(100));
    let settings = Settings { play, budget, ..Settings::default() };
    let position = named.game.start().unwrap_or_else(|| position.to_owned());
    answer(&*named.game, &position, &settings, &Theorems::none()).unwrap()
}

fn winning(answer: &Answer) -> Vec<&str> {
    let wins = |m: &&bouton_engine::Move| m.evaluation.outcome == Some(Outcome::P);
    answer.analysis.moves.iter().filter(wins).map(|m| m.to.as_str()).collect()
}

/// Returns which heaps of S(set) are P, up to a number, by the rules.
fn table(set: &[usize], most: usize) -> Vec<bool> {
    let mut all: Vec<bool> = Vec::with_capacity(most + 1);
    for n in 0..=most {
        let wins = set.iter().any(|taken| *taken <= n && all[n - taken]);
        all.push(!wins);
    }
    all
}

/// Heaps beyond those of which values are computed, each compared with the rules alone.
#[test]
fn one_heap_agrees_with_the_rules() {
    let mut seen = [0, 0];
    for (game, set) in [
        ("S(1,2,3000)", &[1, 2, 3000][..]),
        ("S(1,3,3000)", &[1, 3, 3000]),
        ("S(2,3001)", &[2, 3001]),
        ("S(1,2,3000,3001)", &[1, 2, 3000, 3001]),
    ] {
        let is_p = table(set, 4_300_012);
        for heap in 4_300_000..4_300_012 {
            let found = solved(game, &heap.to_string(), Play::Normal);
            assert!(matches!(found.by, Justification::Theorem { .. }), "{game} {heap}: {:?}", found.by);
            let lost = is_p[heap];
            assert_eq!(found.analysis.evaluation.outcome.unwrap().is_p(), lost, "{game} {heap}");
            assert_eq!(winning(&found).is_empty(), lost, "{game} {heap}");
            for to in winning(&found) {
                assert!(is_p[to.parse::<usize>().unwrap()], "{game} {heap} to {to}");
            }
            assert!(found.lists_all_moves());
            seen[usize::from(lost)] += 1;
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

/// 10^9 of S(1,2,999999999): 999999999 is a multiple of 3, so heaps repeat after 10^9; the heap is
/// as an empty one.
#[test]
fn a_great_amount() {
    let found = solved("S(1,2,999999999)", "1000000000", Play::Normal);
    assert_eq!(found.analysis.evaluation.outcome, Some(Outcome::P));
    let Justification::Theorem { statement, .. } = &found.by else { panic!("{:?}", found.by) };
    assert!(statement.starts_with("S(1,2,h) for h"), "{statement}");
    let found = solved("S(1,2,999999999)", "1000000001", Play::Normal);
    assert_eq!(winning(&found), ["1000000000"]);
    // Beyond 64 bits.
    let found = solved("S(1,2,999999999)", "1000000000000000000000000000000", Play::Normal);
    assert_eq!(found.analysis.evaluation.outcome, Some(Outcome::P));
}

/// Who has 10^11 dollars against 3 wins: with enough dollars she can take till the last.
#[test]
fn cash_with_great_amounts() {
    let found = solved("NIM(1,1000000000;5000000000;100000000000,3)", "", Play::Normal);
    let Justification::Theorem { statement, .. } = &found.by else { panic!("{:?}", found.by) };
    assert!(
        statement.starts_with("Theorem 5.7") && statement.ends_with("here L = 1000000000"),
        "{statement}"
    );
    assert_eq!(found.analysis.evaluation.outcome, Some(Outcome::N));
    assert!(!winning(&found).is_empty());
    for (game, theorem) in [
        ("NIM(1,1000000000,1000000001;5000000000;100000000000,3)", "7.5"),
        ("NIM(1,1000000001,1000000002;5000000000;100000000000,3)", "6.6"),
    ] {
        let found = solved(game, "", Play::Normal);
        let Justification::Theorem { statement, .. } = &found.by else { panic!("{:?}", found.by) };
        assert!(statement.starts_with(&format!("Theorem {theorem} of")), "{statement}");
    }
    // Of {L..M} there is no certificate: the source is cited.
    let found = solved("NIM(1000000000,1000000001;5000000000;100000000000,3)", "", Play::Normal);
    assert!(matches!(found.by, Justification::Literature(_)), "{:?}", found.by);
    // One amount is proved and checked in the moment.
    let found = solved("NIM(1000000000;5000000000;100000000000,3)", "", Play::Normal);
    assert!(matches!(found.by, Justification::Theorem { .. }), "{:?}", found.by);
    // Unlimited money, as with a dollar for each stone.
    let outcome = |position: &str| {
        solved("NIM(1,4000;n;d,e)", position, Play::Normal).analysis.evaluation.outcome.unwrap()
    };
    for stones in 40_000..40_020 {
        assert_eq!(outcome(&format!("{stones},inf,20000")), outcome(&format!("{stones},{stones},20000")));
    }
}

/// Of S(1,4,h) the values that 5 divides have no form that begins at once: that is not "for all h".
#[test]
fn families_are_found() {
    for game in [
        "S(1,2,h)",
        "S(1,3,h)",
        "S(2,h)",
        "S(2,3,h)",
        "S(L..M)",
        "S(1,2,h,h+1)",
        "S(1,h,2*h)",
        "S(1,h,3*h)",
        "S(3,h)",
    ] {
        let game = ParametricGame::parse(game).unwrap();
        let found = study_parametric(&game, None, &Budget::default(), &|_| ()).unwrap();
        assert_eq!(found.verdict, VerdictKind::Proved, "{found:?}");
        assert!(found.statements.iter().all(|one| one.certificate.is_some()), "{found:?}");
    }
    let game = ParametricGame::parse("S(1,4,h)").unwrap();
    let found = study_parametric(&game, None, &Budget::default(), &|_| ()).unwrap();
    assert_eq!(found.verdict, VerdictKind::Unknown);
    assert!(found.statements.len() >= 4);
    assert!(found.statements.iter().all(|one| one.certificate.is_some()), "{found:?}");
    assert!(!found.statements.iter().any(|one| one.condition.contains("h mod 5 = 0")));
}
