//! Theorems at hand, compared with the rules below a bound, applied to huge heaps, kept and read
//! again.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Meter, Outcome, Play, heaps_text};
use bouton_engine::{Game, Settings};
use bouton_games::parse;
use bouton_literature::theorems;
use bouton_prover::PPositions;
use bouton_study::{Answer, ClaimStatement, Justification, Theorems, answer};
use num_bigint::BigUint;
use std::ops::ControlFlow::Continue;

/// Returns every theorem that comes with the program: its game and play.
fn shipped() -> Vec<(String, Play)> {
    let mut all: Vec<(String, Play)> = Vec::new();
    let verdicts = bouton_literature::Recorded::all().unwrap();
    for recorded in verdicts.iter().filter(|recorded| recorded.certificate.is_some()) {
        let claims = bouton_literature::claims().unwrap();
        let claim =
            claims.iter().find(|c| c.id == recorded.id && c.instances().contains(&&*recorded.game));
        // Those on circles of every size, and on all games of a family, have tests of their own.
        let is_of_one_game = |says: &ClaimStatement| {
            says.theory::<bouton_kotzig::FamilyClaim>().is_none()
                && !matches!(says, ClaimStatement::Parametric(_))
        };
        let Some(claim) = claim.filter(|claim| is_of_one_game(&claim.says)) else { continue };
        let one = (recorded.game.clone(), claim.says.play());
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// Returns positions of a box with their outcomes by the rules, a few hundred of them.
fn few(game: &dyn Game, play: Play) -> Vec<(Vec<u64>, Outcome)> {
    let mut found = Vec::new();
    for max in 1..=40 {
        let mut all = Vec::new();
        let mut session = game.session(Settings { play, ..Settings::default() });
        let mut visit = |heaps: &[u64], outcome| {
            all.push((heaps.to_vec(), outcome));
            Continue(())
        };
        session.table(max, &mut visit).unwrap().unwrap();
        let many = all.len();
        if found.is_empty() || many <= 400 {
            found = all;
        }
        if many > 200 {
            break;
        }
    }
    found
}

/// What theorems say is what the rules say, position by position, and winning moves lead to P by
/// the rules.
#[test]
fn every_shipped_theorem_agrees_with_the_rules() {
    let mut count = 0;
    for (name, play) in shipped() {
        let game = parse(&name).unwrap().game;
        let Some(known) = theorems().find(&*game, play).unwrap() else { continue };
        count += 1;
        let mut meter = Meter::new(&Budget::default());
        let set =
            PPositions::new(&known.game, &known.claims, known.numeration, &mut meter).unwrap();
        let positions = few(&*game, play);
        let mut graph = game.graph();
        let mut asked = 0;
        for (heaps, outcome) in &positions {
            let board =
                known.game.boards.iter().rposition(|board| board.heaps == heaps.len()).unwrap();
            let big: Vec<BigUint> = heaps.iter().map(|heap| (*heap).into()).collect();
            assert_eq!(
                set.contains(board, &big, &mut meter),
                Ok(outcome.is_p()),
                "{name} {heaps:?}, {play} play"
            );
            asked += usize::from(!outcome.is_p());
            if outcome.is_p() || asked % (positions.len() / 40 + 1) != 0 {
                continue;
            }
            let node = graph.read(&heaps_text(heaps)).unwrap();
            let options = graph.options(node).unwrap().to_vec();
            let over = options.is_empty() && play == Play::Misere;
            let shown = set.options(board, &big, 1, &mut meter).unwrap();
            assert_eq!(shown.is_empty(), over, "{name} {heaps:?}, {play} play: no option");
            for (_, option) in shown {
                let to = graph.read(&heaps_text(&option)).unwrap();
                assert!(options.contains(&to), "{name} {heaps:?} to {option:?}: no move");
                let mut session = game.session(Settings { play, ..Settings::default() });
                let evaluation = session.evaluate(&heaps_text(&option)).unwrap().unwrap();
                assert_eq!(evaluation.outcome, Some(Outcome::P), "{name} {heaps:?} to {option:?}");
            }
        }
    }
    assert!(count > 50, "{count}");
}

fn asked(game: &str, position: &str, play: Play) -> Answer {
    let settings = Settings { play, ..Settings::default() };
    answer(&*parse(game).unwrap().game, position, &settings, &theorems()).unwrap()
}

/// Heaps past all tables: by whom the answer is known, and that the move shown leads to P by the
/// same theorem.
#[test]
fn huge_heaps_are_answered_with_a_winning_move() {
    let ten = "1000000000000000000000000000000";
    for (game, position, lost) in [
        ("CN(6,4)", format!("{ten},7{ten},3{ten},99{ten},{ten},5{ten}"), false),
        ("CN(6,3)", format!("{ten}1,{ten}2,{ten}3,{ten}1,{ten}2,{ten}3"), true),
        ("SCN(8,6)", format!("{ten},{ten}5,7{ten},8{ten},9,10,{ten},{ten}"), false),
        ("SCN(8,6)", [ten; 7].join(","), true),
        ("CN(6,4)", ["0"; 6].join(",").replacen('0', ten, 1), false),
        ("nim(3)", format!("{ten},{ten},0"), true),
        ("nim", format!("{ten},1,2,{ten}"), false),
        ("moore(3)", format!("{ten},{ten},{ten}"), true),
        ("moore(3;4)", format!("{ten},{ten},{ten},5"), false),
        // Two Fibonacci numbers that follow each other, the first with an even index, are a pair of
        // Wythoff's; F38 and F39.
        ("wythoff", "39088169,63245986".into(), true),
        ("wythoff", "63245986,102334155".into(), false),
    ] {
        let found = asked(game, &position, Play::Normal);
        assert_eq!(
            found.analysis.evaluation.outcome,
            Some(if lost { Outcome::P } else { Outcome::N }),
            "{game} {position}"
        );
        assert!(
            matches!(found.by, Justification::Theorem { .. }),
            "{game} {position}: {:?}",
            found.by
        );
        // One move is shown: a winning one, or any where all lose.
        assert_eq!(found.analysis.moves.len(), 1, "{game} {position}");
        for m in &found.analysis.moves {
            let after = asked(game, &m.to, Play::Normal).analysis.evaluation.outcome;
            assert_eq!(
                after,
                Some(if lost { Outcome::N } else { Outcome::P }),
                "{game} {position} to {}",
                m.to
            );
            assert_eq!(after, m.evaluation.outcome, "{game} {position} to {}", m.to);
        }
    }
}

/// Rows, with sizes just past those that are searched, compared with the search by the rules.
#[test]
fn values_of_rows_agree_with_the_rules() {
    let settings = |play| Settings { play, ..Settings::default() };
    for (game, rows) in [
        ("kayles", [vec![1003u64; 19], vec![1100, 7]].concat()),
        ("kayles", vec![1107; 20]),
        ("dawson-kayles", [vec![1020; 21], vec![5]].concat()),
        ("0.137", [vec![1033; 21], vec![17]].concat()),
        ("S(1,2,3)", [vec![2001; 11], vec![7]].concat()),
        ("S(2,5,6;2)", vec![10_001, 10_003]),
        ("nim", [vec![700; 31], vec![5]].concat()),
        ("nim", vec![1000; 22]),
    ] {
        let game = parse(game).unwrap().game;
        let found =
            answer(&*game, &heaps_text(&rows), &settings(Play::Normal), &Theorems::none()).unwrap();
        assert!(
            matches!(found.by, Justification::Period { .. } | Justification::Literature(_)),
            "{} {rows:?}",
            game.name()
        );
        // The rules by way of the session alone.
        let mut session = game.session(settings(Play::Normal));
        let plain = session.evaluate(&heaps_text(&rows)).unwrap().unwrap();
        assert_eq!(found.analysis.evaluation, plain, "{} {rows:?}", game.name());
        assert_eq!(found.analysis.moves.len(), 1, "{} {rows:?}", game.name());
        for m in &found.analysis.moves {
            let after = session.evaluate(&m.to).unwrap().unwrap();
            let other = if plain.outcome == Some(Outcome::P) { Outcome::N } else { Outcome::P };
            assert_eq!(after.outcome, Some(other), "{} {rows:?} to {}", game.name(), m.to);
            assert!(
                session
                    .analyse(&heaps_text(&rows))
                    .unwrap()
                    .moves
                    .iter()
                    .any(|other| other.to == m.to)
            );
        }
    }
}
