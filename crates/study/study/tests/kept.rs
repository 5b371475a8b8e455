//! What a study proved without a formula answers positions of any size afterwards.
#![allow(clippy::unwrap_used, reason = "a test")]

#[allow(dead_code, reason = "its outcomes are of a formula, and here of options given")]
mod brute;

use bouton_core::{Budget, Outcome, Play};
use bouton_engine::{Game, Settings as SearchSettings};
use bouton_games::{ParsedGame, RuleFile};
use bouton_study::{Justification, Settings, StudyTarget, Theorems, answer, study};
use brute::boxed;
use std::collections::HashMap;

/// The options of a position.
type Options = dyn Fn(&[u64]) -> Vec<Vec<u64>>;

/// Whether the player to move loses, of positions with heaps up to a bound, by the options alone.
fn lost(heaps: usize, most: u64, play: Play, options: &Options) -> HashMap<Vec<u64>, bool> {
    let mut all = boxed(&vec![most; heaps]);
    all.sort_by_key(|p| p.iter().sum::<u64>());
    let mut known: HashMap<Vec<u64>, bool> = HashMap::new();
    for p in all {
        let options = options(&p);
        let stuck_wins = options.is_empty() && play == Play::Misere;
        let is_lost = !stuck_wins && options.iter().all(|option| !known[option]);
        known.insert(p, is_lost);
    }
    known
}

fn game(text: &str) -> Box<dyn Game> {
    RuleFile::parse(text).unwrap().game()
}

/// Studies a game, keeps what is proved, and compares the answers by it with the outcomes, the
/// search being left one node.
fn answers_are_right(text: &str, (heaps, most): (usize, u64), play: Play, options: &Options) {
    let directory =
        std::env::temp_dir().join(format!("bouton-kept-{}-{most}-{play}", std::process::id()));
    let theorems = Theorems::none().with_cache(&directory);
    let subject = StudyTarget::parse("g", play, |_| {
        Ok(ParsedGame { game: game(text), position: None, opening: None })
    })
    .unwrap();
    let found = study(&subject, Settings::default(), &Budget::default(), &|_| ()).unwrap();
    assert!(found.theorems().is_empty(), "a formula: {text}");
    let game = game(text);
    theorems.keep_positions(&*game, play, found.certificate().unwrap()).unwrap();
    let lost = lost(heaps, most, play, options);
    let settings = SearchSettings {
        play,
        budget: Budget { nodes: Some(1), ..Budget::default() },
        ..SearchSettings::default()
    };
    let written = |p: &[u64]| p.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let mut by_theorem = 0;
    for (position, is_lost) in &lost {
        let found = answer(&*game, &written(position), &settings, &theorems).unwrap();
        let expected = if *is_lost { Outcome::P } else { Outcome::N };
        assert_eq!(found.analysis.evaluation.outcome, Some(expected), "{position:?} {play}");
        if !matches!(found.by, Justification::Theorem { .. }) {
            continue;
        }
        by_theorem += 1;
        let winning =
            found.analysis.moves.iter().find(|one| one.evaluation.outcome == Some(Outcome::P));
        assert_eq!(winning.is_some(), !is_lost && !options(position).is_empty(), "{position:?}");
        if let Some(winning) = winning {
            let wins = |option: &Vec<u64>| written(option) == winning.to && lost[option];
            assert!(options(position).iter().any(wins), "{position:?}: {}", winning.to);
        }
    }
    assert!(by_theorem > lost.len() / 2, "{by_theorem} of {}", lost.len());
    // The other play is another question.
    let other = if play == Play::Normal { Play::Misere } else { Play::Normal };
    let large = SearchSettings { play: other, ..settings.clone() };
    let found = answer(&*game, &written(&vec![1 << 40; heaps]), &large, &theorems);
    assert!(found.is_ok_and(|found| found.by == Justification::Search));
    // A damaged certificate answers nothing.
    let file = std::fs::read_dir(&directory).unwrap().next().unwrap().unwrap().path();
    let certificate = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, certificate.replacen('1', "2", 40)).unwrap();
    let found = answer(&*game, &written(&vec![1 << 40; heaps]), &settings, &theorems).unwrap();
    assert!(found.by == Justification::Search);
    std::fs::remove_dir_all(&directory).unwrap();
}

/// Sopena and Kaiser's i-Mark: one or two tokens, or a quarter where that is whole.
#[test]
fn automata_answer() {
    let text = "name = \"g\"\nheaps = 1\nmove = \"q0 + 1 = p0 | q0 + 2 = p0 | 4*q0 = p0\"";
    let options = |p: &[u64]| -> Vec<Vec<u64>> {
        let quarter = p[0].is_multiple_of(4).then_some(p[0] / 4);
        let below = [p[0].checked_sub(1), p[0].checked_sub(2), quarter].into_iter().flatten();
        below.filter(|q| *q < p[0]).map(|q| vec![q]).collect()
    };
    for play in [Play::Normal, Play::Misere] {
        answers_are_right(text, (1, 300), play, &options);
    }
}

/// Gurvich's NIM(1, 2): as many from both heaps, or any numbers of which the lesser is below 2.
#[test]
fn pairs_answer() {
    let text = "name = \"g\"\nheaps = 2\nsymmetry = \"full\"\nmove = \"p0 + q1 = q0 + p1 | p0 < q0 + \
                2 | p1 < q1 + 2\"";
    let options = |p: &[u64]| -> Vec<Vec<u64>> {
        let all = (0..=p[0]).flat_map(|a| (0..=p[1]).map(move |b| [a, b]));
        let is_option = |[a, b]: &[u64; 2]| {
            let (x, y) = (p[0] - a, p[1] - b);
            x + y > 0 && (x == y || x.min(y) < 2)
        };
        all.filter(is_option).map(Vec::from).collect()
    };
    answers_are_right(text, (2, 30), Play::Normal, &options);
}

/// A position of any size that the rules exclude is no question, whatever is proved.
#[test]
fn positions_that_do_not_occur_are_refused() {
    let game =
        game("name = \"g\"\nheaps = 2\npositions = \"p0 <= 3\"\nmove = \"q0 = p0 | q1 = p1\"");
    let settings = SearchSettings::default();
    for (position, occurs) in [
        ("3,5", true),
        ("4,5", false),
        ("3,5000000000", true),
        ("4,5000000000", false),
        ("5000000000,3", false),
    ] {
        let found = answer(&*game, position, &settings, &Theorems::none());
        assert_eq!(found.is_ok(), occurs, "{position}");
        assert_eq!(bouton_study::normal_form(&*game, position).is_ok(), occurs, "{position}");
    }
}
