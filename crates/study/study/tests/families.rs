//! Positions with great numbers, answered by theorems on the family of their game; the answers are
//! those of play in games of the family with small numbers, and of the rules.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use bouton_core::{Budget, Outcome, Play};
use bouton_engine::Settings;
use bouton_games::parse;
use bouton_prover::parametric::{ParametricClaim, ParametricCondition};
use bouton_study::{
    Answer, Justification, ParametricStudy, Theorems, answer, parametric_game, study_parametric,
};
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
            assert!(
                matches!(found.by, Justification::Theorem { .. }),
                "{game} {heap}: {:?}",
                found.by
            );
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

/// Whoever has 10^11 dollars against 3 wins: with enough dollars she can take till the last.
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
    let found = solved("NIM(1000000000,1000000001;5000000000;100000000000,3)", "", Play::Normal);
    let Justification::Theorem { statement, .. } = &found.by else { panic!("{:?}", found.by) };
    assert!(statement.starts_with("Conjectures 8.1 and 2"), "{statement}");
    // One amount is proved and checked in the moment.
    let found = solved("NIM(1000000000;5000000000;100000000000,3)", "", Play::Normal);
    assert!(matches!(found.by, Justification::Theorem { .. }), "{:?}", found.by);
    // Unlimited money, as with a dollar for each stone.
    let outcome = |position: &str| {
        solved("NIM(1,4000;n;d,e)", position, Play::Normal).analysis.evaluation.outcome.unwrap()
    };
    for stones in 40_000..40_020 {
        assert_eq!(
            outcome(&format!("{stones},inf,20000")),
            outcome(&format!("{stones},{stones},20000"))
        );
    }
}

/// Everything that is stated is proved, and all values have a statement; in S(1,4,h) with 5
/// dividing h it speaks of heaps before the period, too.
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
        "S(1,4,h)",
    ] {
        let found = studied(game, None);
        assert_eq!(found.verdict, VerdictKind::Proved, "{found:?}");
        assert!(found.statements.iter().all(|one| one.certificate.is_some()), "{found:?}");
        agrees(&found, 14, 130);
    }
}

/// The theorems of *NIM with Cash* on {1,L}, {1,L,L+1}, and others, are found from tables.
#[test]
fn families_with_purses_are_found() {
    for game in ["NIM(1,L)", "NIM(1,L,L+1)", "NIM(1..M)", "NIM(1,3,L)", "NIM(1,L,2*L-1)"] {
        let found = studied(game, None);
        assert_eq!(found.verdict, VerdictKind::Proved, "{found:?}");
        assert!(found.statements.iter().all(|one| one.claimed.is_none()), "{found:?}");
        agrees(&found, 8, 26);
    }
    // What is not found is tried as a claim, and said to be so.
    for game in ["NIM(L)", "NIM(L..M)"] {
        let found = studied(game, None);
        assert!(found.statements.iter().all(|one| one.certificate.is_some()), "{found:?}");
        assert!(found.statements.iter().all(|one| one.claimed.is_some()), "{found:?}");
        assert_eq!(found.verdict, VerdictKind::Proved, "{found:?}");
        agrees(&found, 8, 22);
    }
    // Of L = 0 (mod 3) nothing is found: that is not "for all L".
    let found = studied("NIM(1,2,L)", None);
    assert_eq!(found.verdict, VerdictKind::Unknown);
    assert!(found.statements.len() >= 2);
    assert!(!found.statements.iter().any(|one| one.condition.contains("mod 3 = 0")), "{found:?}");
    agrees(&found, 8, 20);
}

#[test]
fn conditions_on_the_values() {
    let of = |found: &ParametricStudy| -> Vec<String> {
        found.statements.iter().map(|one| one.condition.clone()).collect()
    };
    for (game, condition, expected) in [
        ("S(1,h)", "h even", &["h >= 2 & h mod 2 = 0"][..]),
        ("S(1,h)", "every-odd-h", &["h >= 1 & h mod 2 = 1"]),
        ("S(1,4,h)", "h mod 5 = 3", &["h >= 3 & h mod 5 = 3"]),
        ("S(1,4,h)", "h >= 4 & h mod 5 = 0", &["h >= 10 & h mod 5 = 0", "h = 5"]),
        ("NIM(1,L)", "L even", &["L >= 2 & L mod 2 = 0"]),
        ("S(1,3,h)", "h mod 16 = 5", &["h >= 5 & (h mod 16 = 5)"]),
        ("S(L..M)", "M = 2*L", &["L >= 1 & M >= L & (M = 2*L)"]),
    ] {
        let found = studied(game, Some(condition));
        assert_eq!(of(&found), expected, "{game} {condition}");
        assert_eq!(found.verdict, VerdictKind::Proved, "{found:?}");
    }
    let game = parametric_game("S(1,h)").unwrap();
    for (condition, place, what) in [
        ("k even", "k", "nothing is called `k`"),
        ("h mod 2", "h mod 2", "this is a number"),
        ("h < 1", "h < 1", "no small values"),
        ("h even & h mod 2 = 1", "h mod 2 = 0 & h mod 2 = 1", "no small values"),
        ("every-even", "every", "nothing is called"),
    ] {
        let error = ParametricCondition::parse(&game, condition).unwrap_err();
        assert!(error.message.contains(what), "{condition}: {error:?}");
        assert_eq!(&error.text[error.at.clone()], place, "{condition}: {error:?}");
    }
}

fn studied(game: &str, condition: Option<&str>) -> ParametricStudy {
    let game = parametric_game(game).unwrap();
    let condition = condition.map(|text| ParametricCondition::parse(&game, text).unwrap());
    study_parametric(&game, condition.as_ref(), &Budget::default(), &|_| ()).unwrap()
}

/// Compares what is stated with play, by the rules alone, for small values and positions; each
/// value has a statement, if all are said to be proved.
fn agrees(found: &ParametricStudy, values: i64, most: usize) {
    let game = parametric_game(&found.game).unwrap();
    let claims: Vec<ParametricClaim> = found
        .statements
        .iter()
        .map(|one| ParametricClaim::parse(&game, &one.condition, &one.form).unwrap())
        .collect();
    let all: Vec<Vec<i64>> = match game.parameters().len() {
        1 => (1..=values).map(|value| vec![value]).collect(),
        _ => (1..=values / 2)
            .flat_map(|one| (one..=values / 2).map(move |two| vec![one, two]))
            .collect(),
    };
    for values in all {
        let Some(amounts) = game.amounts(&values) else { continue };
        let set: Vec<usize> = amounts.iter().map(|amount| *amount as usize).collect();
        let own: Vec<&ParametricClaim> =
            claims.iter().filter(|claim| claim.is_of(&values)).collect();
        assert!(
            !own.is_empty() || found.verdict != VerdictKind::Proved,
            "{} {values:?}",
            found.game
        );
        if !game.has_purses() {
            for (heap, is_p) in (0..).zip(table(&set, most)) {
                assert!(own.iter().all(|claim| claim.holds(&values, &[heap]) == Some(is_p)));
            }
            continue;
        }
        let mut is_p: Vec<Vec<Vec<bool>>> = Vec::new();
        for n in 0..=most {
            let loses = |d: usize, e: usize| {
                !set.iter().any(|taken| *taken <= n.min(d) && is_p[n - taken][e][d - taken])
            };
            let here: Vec<Vec<bool>> =
                (0..=most).map(|d| (0..=most).map(|e| loses(d, e)).collect()).collect();
            for (d, row) in here.iter().enumerate() {
                for (e, expected) in row.iter().enumerate() {
                    let position = [n as i64, d as i64, e as i64];
                    assert!(
                        own.iter().all(|claim| claim.holds(&values, &position) == Some(*expected))
                    );
                }
            }
            is_p.push(here);
        }
    }
}
