//! Theorems on circles of every size as they come with the program: they answer positions, and what
//! they say is true.

#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Meter, Outcome, Play};
use bouton_engine::{Game, Settings};
use bouton_kotzig::{
    CircleTheorem, Circulant, FamilyClaim, FamilyStatement, Playout, Solver, Techniques,
};
use bouton_literature::{Recorded, VerdictComparison, claims, theorems};
use bouton_study::{
    Answers, Bound, Justification, PublishedClaim, Recheck, Theorems, Verdict, settle,
};
use std::collections::BTreeSet;

fn all() -> Vec<CircleTheorem> {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/data/circles")).unwrap();
    let texts = folder.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    texts
        .map(|text| CircleTheorem::from_certificate(&text, &Budget::default()).unwrap().unwrap())
        .collect()
}

fn on(theorem: &CircleTheorem, n: u64) -> Box<dyn Game> {
    bouton_games::parse(&theorem.game.replace(";n)", &format!(";{n})"))).unwrap().game
}

fn settings(play: Play, nodes: u64) -> Settings {
    Settings {
        play,
        budget: Budget { nodes: Some(nodes), ..Budget::default() },
        ..Settings::default()
    }
}

/// Every file of data/circles is a theorem of its own, found by its steps and play; what it says of
/// circles to 50 is what the search finds.
#[test]
fn every_certificate_is_at_hand_and_true() {
    let all = all();
    let names: BTreeSet<_> =
        all.iter().map(|theorem| (theorem.game.clone(), theorem.play.to_string())).collect();
    assert!(all.len() >= 9 && names.len() == all.len());
    for theorem in &all {
        let found = {
            let (theorems, budget) = (theorems(), Budget::default());
            CircleTheorem::from_store(
                theorems.certificates(),
                &theorem.steps,
                theorem.play,
                &budget,
            )
        };
        let found = found.unwrap().unwrap();
        assert_eq!(found.hash(), theorem.hash());
        let mut solver = Solver::new(theorem.play, Techniques::default());
        for n in 1..=50 {
            let game = Circulant::from_signed(&theorem.steps, n).unwrap();
            let mut meter = Meter::new(&Budget { nodes: Some(20_000_000), ..Budget::default() });
            assert_eq!(
                solver.outcome(&game, &mut meter).ok(),
                theorem.outcome(n),
                "{game}, {}",
                theorem.play
            );
        }
    }
}

/// The winner plays as the answers say, the other at random: from the start to the end the winner
/// always has a move that is known to win, every position is what it should be, and he wins. Far
/// beyond every search.
#[test]
fn whoever_follows_the_labels_wins() {
    let mut drawn = fastrand::Rng::with_seed(1);
    let mut lot = |of: usize| drawn.usize(..of);
    let theorems = theorems();
    for theorem in all().iter().filter(|theorem| theorem.states() < 20_000) {
        for n in [110, 255, 303, 305, 306] {
            let game = on(theorem, n);
            let mut answers = Answers::new(&*game, settings(theorem.play, 100_000), &theorems);
            for _ in 0..2 {
                let mut position = game.start().unwrap();
                let mut expected = theorem.outcome(n).unwrap();
                let mut by_theorem = 0;
                loop {
                    let answer = answers.of(&position).unwrap();
                    let found = &answer.analysis;
                    assert_eq!(
                        found.evaluation.outcome,
                        Some(expected),
                        "{} at {position}",
                        game.name()
                    );
                    if answer.is_over() {
                        break;
                    }
                    by_theorem +=
                        usize::from(matches!(answer.by, Justification::FamilyTheorem { .. }));
                    position = match expected {
                        Outcome::N => {
                            let winning =
                                |m: &&bouton_engine::Move| m.evaluation.outcome == Some(Outcome::P);
                            found
                                .moves
                                .iter()
                                .find(winning)
                                .unwrap_or_else(|| {
                                    panic!("{} at {position}: {answer:?}", game.name())
                                })
                                .to
                                .clone()
                        }
                        Outcome::P => found.moves[lot(found.moves.len())].to.clone(),
                    };
                    expected = if expected.is_p() { Outcome::N } else { Outcome::P };
                }
                // Whoever cannot move loses, in misère play wins.
                assert_eq!(expected.is_p(), theorem.play == Play::Normal);
                // With steps back a game may end after a few moves.
                let least = if theorem.steps[0] < 0 { 0 } else { 4 };
                assert!(by_theorem > least, "{}, {n}: {by_theorem}", theorem.game);
            }
        }
    }
}

/// What a theorem says of positions in play is what the search finds, wherever the search reaches.
#[test]
fn labels_are_what_the_search_finds() {
    let theorems = theorems();
    for theorem in all().iter().filter(|theorem| theorem.states() < 20_000) {
        let mut compared = 0;
        for n in [70, 73, 76, 79] {
            let game = on(theorem, n);
            let mut answers = Answers::new(&*game, settings(theorem.play, 3_000_000), &theorems);
            let mut session = game.session(settings(theorem.play, 3_000_000));
            let (mut todo, mut seen) = (vec![game.start().unwrap()], BTreeSet::new());
            while let Some(position) = todo.pop() {
                let answer = answers.of(&position).unwrap();
                if !matches!(answer.by, Justification::FamilyTheorem { .. }) {
                    continue;
                }
                if let Ok(truth) = session.evaluate(&position).unwrap() {
                    assert_eq!(
                        truth.outcome,
                        answer.analysis.evaluation.outcome,
                        "{} at {position}",
                        game.name()
                    );
                    compared += 1;
                }
                for option in answer.analysis.moves {
                    if seen.len() < 40 && seen.insert(option.to.clone()) {
                        todo.push(option.to);
                    }
                }
            }
        }
        assert!(compared > 8, "{}, {}: {compared} compared", theorem.game, theorem.play);
    }
}

/// A walk is a game by the rules, and the one it says wins it.
#[test]
fn walks_are_games() {
    for theorem in all() {
        for n in 30..60 {
            let Some(walk) = Playout::on(&theorem, n) else { continue };
            let mut visited = BTreeSet::from([0]);
            let mut token = 0;
            for step in &walk.moves {
                token = (token as i64 + step.step).rem_euclid(n as i64) as usize;
                assert!(
                    theorem.steps.contains(&step.step) && token == step.to && visited.insert(token)
                );
            }
            assert!(theorem.steps.iter().all(|step| {
                visited.contains(&((token as i64 + step).rem_euclid(n as i64) as usize))
            }));
            let last_wins = walk.moves.last().unwrap().by_winner;
            assert_eq!(last_wins, theorem.play == Play::Normal);
            assert_eq!(walk.first_wins, theorem.outcome(n as u64) == Some(Outcome::N));
        }
    }
}

fn bound(to: usize, theorems: Theorems) -> Bound {
    Bound { to, budget: Budget { nodes: Some(50_000_000), ..Budget::default() }, theorems }
}

fn families() -> Vec<PublishedClaim> {
    claims()
        .unwrap()
        .into_iter()
        .filter(|claim| claim.says.theory::<FamilyClaim>().is_some())
        .collect()
}

/// What theorems decide agrees with what circles to 40 show, claim by claim; some are proved whole.
#[test]
fn claims_are_decided_as_circles_show() {
    let (mut proved, recorded) = (BTreeSet::new(), Recorded::all().unwrap());
    for claim in families() {
        let by_theorems = settle(&claim, &claim.game, &bound(40, theorems()), &|_| {}).unwrap();
        let by_circles =
            settle(&claim, &claim.game, &bound(40, Theorems::none()), &|_| {}).unwrap();
        match (&by_theorems, &by_circles) {
            (Verdict::Proved(_), Verdict::Holds(_)) => {
                proved.insert(claim.id.clone());
                let record = recorded
                    .iter()
                    .find(|one| one.id == claim.id && one.game == claim.game)
                    .unwrap();
                assert_eq!(
                    record.standing(&by_theorems),
                    VerdictComparison::AsRecorded,
                    "{record:?}"
                );
            }
            (other, same) => assert_eq!(other.kind(), same.kind(), "{}", claim.id),
        }
    }
    for id in [
        "K1",
        "K2",
        "K3",
        "K4 (n > 3)",
        "K5",
        "K8",
        "K9",
        "K15 (4.8)",
        "K21",
        "K22",
        "K23",
        "K24",
        "K25",
        "K27",
    ] {
        assert!(proved.contains(id), "{id}: {proved:?}");
    }
    // Row K4 fails as printed, and K16 beyond these circles.
    assert!(!proved.contains("K4") && !proved.contains("K16"));
}

/// A claim that is right of all circles that are computed, and wrong of a larger one, is refuted
/// there, and looked at again.
#[test]
fn a_claim_that_fails_late_is_refuted() {
    let late = |id: &str, p: &str| {
        let mut claim = families().into_iter().find(|claim| claim.id == id).unwrap();
        let family = claim.says.theory::<FamilyClaim>().unwrap().clone();
        claim.says = FamilyClaim { says: FamilyStatement::P(p.into()), ..family }.into();
        claim
    };
    let claim = late("K1", "n = 1 | n = 3 | n = 7 | n = 52");
    let Verdict::Refuted(refuted) =
        settle(&claim, &claim.game, &bound(20, theorems()), &|_| {}).unwrap()
    else {
        panic!("not refuted")
    };
    assert_eq!(refuted.counterexample.to_string(), "Gamma(1,2;52) is N, claimed P");
    assert!(matches!(refuted.recheck, Recheck::Confirmed(_)));
    // Of a family with a parameter: wrong for m = 2 alone, from n = 39 on.
    let claim = late("K12", "m = 2 & k = 8");
    let Verdict::Refuted(refuted) =
        settle(&claim, &claim.game, &bound(20, theorems()), &|_| {}).unwrap()
    else {
        panic!("not refuted")
    };
    assert_eq!(refuted.counterexample.to_string(), "Gamma(2,3;39) is N, claimed P");
}
