//! What is known answers, whatever the budget: sequences, periods with a saltus, misère quotients.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Outcome, Play};
use bouton_engine::Settings;
use bouton_games::parse;
use bouton_study::{Answer, Justification, Theorems, answer};
use std::time::Duration;

fn solved(game: &str, position: &str, play: Play) -> Answer {
    let named = parse(game).unwrap();
    // Far less than any search of these sums takes.
    let budget = Budget::default().within(Duration::from_secs(100));
    let settings = Settings { play, budget, ..Settings::default() };
    answer(&*named.game, position, &settings, &Theorems::none()).unwrap()
}

fn value(answer: &Answer) -> Option<u32> {
    answer.analysis.evaluation.nim_value.map(|value| value.0)
}

/// CodeChef EXPGAME: the value of 100000,99999,54321 is 3. Values by a loop over the rules.
#[test]
fn sums_by_their_sequence() {
    let set = [1usize, 4, 27, 256, 3125, 46656];
    let mut values: Vec<u32> = Vec::new();
    for n in 0..=100_000usize {
        let seen = set.iter().filter(|s| **s <= n).fold(0u32, |seen, s| seen | 1 << values[n - s]);
        values.push(seen.trailing_ones());
    }
    for (position, heaps) in [
        ("61000,60999,54321", [61_000, 60_999, 54_321]),
        ("100000,99999,54321", [100_000, 99_999, 54_321]),
    ] {
        let found = solved("S(1,4,27,256,3125,46656)", position, Play::Normal);
        let expected = heaps.iter().fold(0, |sum, heap| sum ^ values[*heap]);
        assert_eq!(value(&found), Some(expected), "{position}");
        assert_eq!(found.by, Justification::HeapValues { largest: heaps[0] });
    }
    assert_eq!(
        value(&solved("S(1,4,27,256,3125,46656)", "100000,99999,54321", Play::Normal)),
        Some(3)
    );
}

/// HDU 3032: in 4.[3] heaps 4k+1 and 4k+2 have their sizes as values, 4k+3 and 4k+4 each other's.
#[test]
fn sums_by_an_arithmetic_period() {
    let value_of = |n: u64| match n % 4 {
        3 => n + 1,
        0 if n > 0 => n - 1,
        _ => n,
    };
    for position in ["100000,99999", "2147483647,1000000000,5", "99999,3,100002,7", "30001"] {
        let heaps: Vec<u64> = position.split(',').map(|heap| heap.parse().unwrap()).collect();
        let expected = heaps.iter().fold(0, |sum, heap| sum ^ value_of(*heap));
        let found = solved("4.[3]", position, Play::Normal);
        assert_eq!(value(&found).map(u64::from), Some(expected), "{position}");
        assert!(
            matches!(found.by, Justification::Period { period: 4, saltus: 4, .. }),
            "{:?}",
            found.by
        );
        // The winning move is to a position of value 0.
        let to: Vec<u64> =
            found.analysis.moves[0].to.split(',').map(|heap| heap.parse().unwrap()).collect();
        assert_eq!(to.iter().fold(0, |sum, heap| sum ^ value_of(*heap)), 0, "{position} {to:?}");
    }
}

/// In misère Kayles a single row is P exactly at 1, 4, 9, 12 and 20 (W. L. Sibert, J. H. Conway
/// 1992).
#[test]
fn misere_kayles_by_its_quotient() {
    for n in 1..=24u32 {
        let found = solved("kayles", &n.to_string(), Play::Misere);
        let expected = if [1, 4, 9, 12, 20].contains(&n) { Outcome::P } else { Outcome::N };
        assert_eq!(found.analysis.evaluation.outcome, Some(expected), "{n}");
    }
    for position in ["100", "1000,7", "37,51,88"] {
        let found = solved("kayles", position, Play::Misere);
        assert!(matches!(found.by, Justification::Quotient { order: 40, .. }), "{:?}", found.by);
        let won = found.analysis.evaluation.outcome == Some(Outcome::N);
        let option = found.analysis.moves.iter().find(|m| m.evaluation.outcome == Some(Outcome::P));
        assert_eq!(won, option.is_some(), "{position}");
        // The option is lost, asked by itself.
        if let Some(option) = option {
            let after = solved("kayles", &option.to, Play::Misere);
            assert_eq!(
                after.analysis.evaluation.outcome,
                Some(Outcome::P),
                "{position} {}",
                option.to
            );
        }
    }
    assert_eq!(solved("kayles", "100", Play::Misere).analysis.evaluation.outcome, Some(Outcome::N));
}
