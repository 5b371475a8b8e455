//! Sums of games in normal play with heaps that are larger than positions of a sum hold, by the
//! nim-values of the parts.
//!
//! The nim-value of a sum is the nim-sum of those of its parts (Sprague 1935, Grundy 1939). A move
//! wins if it leads in one part to the value that the others have together.

use crate::answer::{Answer, answer, changes, sizes, text};
use crate::rows;
use crate::theorems::Theorems;
use bouton_core::clock::Instant;
use bouton_core::{Nimber, NotationError, Outcome, Play};
use bouton_engine::{Analysis, Evaluation, Game, Move, Settings};
use bouton_theory::Justification;
use num_bigint::BigUint;

/// A part of a sum: a game and a position of any size.
pub struct SummandPosition {
    /// The game.
    pub game: Box<dyn Game>,
    /// Its position.
    pub position: String,
}

/// A part with its value, and how it is played.
struct Valued<'p> {
    part: &'p SummandPosition,
    value: BigUint,
    /// The heaps, where their values are known for all sizes.
    heaps: Option<Vec<BigUint>>,
    /// The heaps after a move to the value 0, if there is one and it was found.
    winning: Option<Vec<BigUint>>,
    /// The moves that a search listed.
    moves: Vec<Move>,
}

impl<'p> Valued<'p> {
    /// Finds the value; `None` if it is not known.
    fn new(
        part: &'p SummandPosition,
        settings: &Settings,
        theorems: &Theorems,
    ) -> Result<Option<Valued<'p>>, NotationError> {
        if let Some(heaps) = sizes(&*part.game, &part.position)
            && let Ok(Some(found)) = rows::known(&*part.game, Play::Normal, &heaps, &settings.budget)
            && let Some(value) = found.value
        {
            let winning = found.winning;
            return Ok(Some(Valued { part, value, heaps: Some(heaps), winning, moves: Vec::new() }));
        }
        let analysis = answer(&*part.game, &part.position, settings, theorems)?.analysis;
        Ok(analysis.evaluation.nim_value.map(|value| Valued {
            part,
            value: value.0.into(),
            heaps: None,
            winning: None,
            moves: analysis.moves,
        }))
    }

    /// Returns a position with this value to which a move leads, and the move in words.
    fn option(&self, value: &BigUint, settings: &Settings) -> Option<(String, String)> {
        match &self.heaps {
            Some(heaps) => {
                let found = rows::known_beside(&*self.part.game, heaps, value, &settings.budget);
                let option = match found.ok()? {
                    Some(found) => found.winning?,
                    None => self.winning.clone().filter(|_| *value == BigUint::ZERO)?,
                };
                Some((text(&option), changes(heaps, &option)))
            }
            None => {
                let is_it =
                    |m: &&Move| m.evaluation.nim_value.is_some_and(|found| BigUint::from(found.0) == *value);
                self.moves.iter().find(is_it).map(|m| (m.to.clone(), m.text.clone()))
            }
        }
    }
}

/// Answers a sum in normal play by the nim-values of its parts, with a winning move where one is
/// found; `None` if a value is not known, or play is misère.
///
/// # Errors
///
/// If the position of a part is none of its game.
pub fn large_sum(
    parts: &[SummandPosition],
    settings: &Settings,
    theorems: &Theorems,
) -> Result<Option<Answer>, NotationError> {
    let started = Instant::now();
    if settings.play != Play::Normal {
        return Ok(None);
    }
    let mut valued = Vec::new();
    for part in parts {
        match Valued::new(part, settings, theorems)? {
            Some(part) => valued.push(part),
            None => return Ok(None),
        }
    }
    let total = valued.iter().fold(BigUint::ZERO, |sum, part| sum ^ &part.value);
    let replaced = |place: usize, to: &str| {
        let positions = parts.iter().enumerate();
        let all: Vec<&str> =
            positions.map(|(i, part)| if i == place { to } else { part.position.as_str() }).collect();
        all.join(" + ")
    };
    let winning = valued.iter().enumerate().find_map(|(i, part)| {
        let wanted = &total ^ &part.value;
        let (to, words) = (wanted < part.value).then(|| part.option(&wanted, settings))??;
        Some(Move {
            to: replaced(i, &to),
            text: format!("{}: {words}", part.part.game.name()),
            evaluation: Evaluation {
                outcome: Some(Outcome::P),
                nim_value: Some(Nimber(0)),
                ..Evaluation::default()
            },
            brings: None,
        })
    });
    let named =
        |part: &Valued<'_>| format!("{} {} is *{}", part.part.game.name(), part.part.position, part.value);
    let by = Justification::Literature(format!(
        "Sprague 1935 and Grundy 1939, by the values of the parts: {}; together *{total}",
        valued.iter().map(named).collect::<Vec<_>>().join(", ")
    ));
    let evaluation = Evaluation {
        outcome: Some(if total == BigUint::ZERO { Outcome::P } else { Outcome::N }),
        nim_value: u32::try_from(&total).ok().map(Nimber),
        ..Evaluation::default()
    };
    let analysis = Analysis {
        seconds: started.elapsed().as_secs_f64(),
        ..Analysis::without_search(replaced(parts.len(), ""), evaluation, winning.into_iter().collect())
    };
    Ok(Some(Answer { analysis, by, moves: None, ignored: None }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_games::parse;

    /// Small sums: outcome and nim-value are those of a search, and the move leads to a lost
    /// position.
    #[test]
    fn sums_are_those_of_a_search() {
        let (settings, theorems) = (Settings::default(), Theorems::default());
        let games = ["kayles", "nim", "S(1,3,4)", "0.137", "wythoff"];
        let positions = [&["7", "12,3", "0"][..], &["5", "9,2"], &["8", "3,6"], &["9", "0"], &["3,4", "1,2"]];
        for (i, j) in (0..games.len()).flat_map(|i| (0..games.len()).map(move |j| (i, j))) {
            for (a, b) in positions[i].iter().flat_map(|a| positions[j].iter().map(move |b| (a, b))) {
                let part = |game: &str, position: &str| SummandPosition {
                    game: parse(game).unwrap().game,
                    position: position.to_owned(),
                };
                let found = large_sum(&[part(games[i], a), part(games[j], b)], &settings, &theorems);
                let found = found.unwrap().unwrap().analysis;
                let sum = parse(&format!("{} + {}", games[i], games[j])).unwrap().game;
                let searched = sum.session(settings.clone()).analyse(&found.position).unwrap();
                assert_eq!(found.evaluation.outcome, searched.evaluation.outcome, "{}", found.position);
                assert_eq!(found.evaluation.nim_value, searched.evaluation.nim_value, "{}", found.position);
                let is_won = found.evaluation.outcome == Some(Outcome::N);
                assert_eq!(found.moves.len(), usize::from(is_won), "{}", found.position);
                for m in &found.moves {
                    let to = sum.normal_form(&m.to).unwrap();
                    let same = searched.moves.iter().find(|other| sum.normal_form(&other.to).unwrap() == to);
                    assert_eq!(
                        same.unwrap().evaluation.outcome,
                        Some(Outcome::P),
                        "{} {}",
                        found.position,
                        m.to
                    );
                }
            }
        }
    }
}
