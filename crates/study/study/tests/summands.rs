//! Sums whose summands ask for digits to different bases: proved by their nim-values.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Play};
use bouton_engine::Game;
use bouton_games::{ParsedGame, RuleFile};
use bouton_study::{Settings, StudyTarget, Theorems, answer, study};

/// One token or two, or to a third or a quarter where that is whole.
const RULES: [&str; 2] = [
    "name = \"thirds\"\nheaps = 1\nmove = \"q0 + 1 = p0 | q0 + 2 = p0 | 3*q0 = p0\"",
    "name = \"quarters\"\nheaps = 1\nmove = \"q0 + 1 = p0 | q0 + 2 = p0 | 4*q0 = p0\"",
];

fn game(text: &str) -> Box<dyn Game> {
    RuleFile::parse(text).unwrap().game()
}

/// The nim-values of single heaps, by the rules.
fn values(by: usize, most: usize) -> Vec<u32> {
    let mut all: Vec<u32> = Vec::new();
    for p in 0..=most {
        let whole = (p > 0 && p.is_multiple_of(by)).then(|| p / by);
        let below = [p.checked_sub(1), p.checked_sub(2), whole];
        let seen: Vec<u32> = below.into_iter().flatten().map(|q| all[q]).collect();
        all.push((0..).find(|value| !seen.contains(value)).unwrap());
    }
    all
}

#[test]
fn sums_are_proved_by_the_values_of_their_summands() {
    let subject = StudyTarget::read("thirds + quarters", false, Play::Normal, |name| {
        let text = RULES.iter().find(|text| text.contains(name)).unwrap();
        Ok(ParsedGame { game: game(text), position: None, opening: None })
    })
    .unwrap();
    let settings = Settings { max: Some(100), partial: true, ..Settings::default() };
    let found = study(&subject, settings, &Budget::default(), &|_| ()).unwrap();
    let [thirds, quarters] = found.summands() else { panic!("both are proved") };
    assert!(found.is_settled() && found.certificate().is_none());
    let directory = std::env::temp_dir().join(format!("bouton-summands-{}", std::process::id()));
    let theorems = Theorems::none().with_cache(&directory);
    let named = |name: &str| {
        let text = RULES.iter().find(|text| text.starts_with(&format!("name = \"{name}\"")));
        text.map(|text| game(text))
    };
    theorems.keep_study(&found, &named).unwrap();
    assert_eq!(serde_json::to_value(&found).unwrap()["verdict"], "proved");
    for (found, (text, by)) in [thirds, quarters].into_iter().zip(RULES.into_iter().zip([3, 4])) {
        let game = game(text);
        assert_eq!(found.values.game, game.name());
        bouton_check::check(&found.certificate).unwrap();
        let settings = bouton_engine::Settings {
            budget: Budget { nodes: Some(1), ..Budget::default() },
            ..bouton_engine::Settings::default()
        };
        for (heap, value) in values(by, 300).into_iter().enumerate().skip(1) {
            let answer = answer(&*game, &heap.to_string(), &settings, &theorems).unwrap();
            let said = answer.analysis.evaluation.nim_value.map(|value| value.0);
            assert_eq!(said, Some(value), "{} {heap}", game.name());
        }
    }
    std::fs::remove_dir_all(&directory).unwrap();
}
