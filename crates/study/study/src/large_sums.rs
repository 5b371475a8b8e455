//! Sums of games in normal play with heaps that are larger than positions of a sum hold, by the
//! nim-values of the parts.
//!
//! The nim-value of a sum is the nim-sum of those of its parts (Sprague 1935, Grundy 1939). A move
//! wins if it leads in one part to the value that the others have together.

use crate::answer::{Answer, answer, changes, is_large, sizes};
use crate::single_heap_sums;
use crate::theorems::Theorems;
use bouton_core::clock::Instant;
use bouton_core::{
    Budget, LimitReached, MoveText, Nimber, NotationError, Outcome, Play, heaps_text,
};
use bouton_engine::sum::{Sum, Summand};
use bouton_engine::{Analysis, Evaluation, Game, Kind, Move, Settings};
use bouton_games::{Catalogue, RuleFile};
use bouton_theory::Justification;
use num_bigint::BigUint;

/// A part of a sum: a game and a position of any size.
pub struct SummandPosition {
    /// The game.
    pub game: Box<dyn Game>,
    /// Its position.
    pub position: String,
}

impl SummandPosition {
    /// Returns whether the position is larger than those that a search knows.
    pub fn is_beyond_search(&self) -> bool {
        self.game.normal_form(&self.position).is_err()
    }

    /// Returns whether so much lies below the position that theorems are asked before any search.
    pub fn has_many_moves(&self) -> bool {
        sizes(&*self.game, &self.position)
            .is_some_and(|heaps| is_large(&*self.game, &heaps, Play::Normal))
            || self.has_period()
    }

    /// Returns whether the position has a large heap and the values of the game's heaps repeat.
    fn has_period(&self) -> bool {
        let sizes = self.game.sizes(&self.position).ok().flatten().unwrap_or_default();
        sizes.iter().any(|size| *size > MAX_SEARCHED)
            && matches!(self.game.heap_period(&Budget::default()), Some(Ok(_)))
    }
}

/// A part with what is known of its value, and how it is played.
struct Valued<'p> {
    part: &'p SummandPosition,
    /// `None` where it is not known.
    value: Option<BigUint>,
    /// The outcome, if it is known.
    outcome: Option<Outcome>,
    /// The heaps, where their values are known for all sizes.
    heaps: Option<Vec<BigUint>>,
    /// The heaps after a move to the value 0, if there is one and it was found.
    winning: Option<Vec<BigUint>>,
    /// The moves that a search listed.
    moves: Vec<Move>,
    /// Whether Left and Right have different moves.
    players_differ: bool,
}

impl<'p> Valued<'p> {
    fn new(
        part: &'p SummandPosition,
        settings: &Settings,
        theorems: &Theorems,
    ) -> Result<Valued<'p>, NotationError> {
        if let Some(heaps) = sizes(&*part.game, &part.position)
            && let Ok(Some(found)) =
                single_heap_sums::known(&*part.game, Play::Normal, &heaps, &settings.budget)
            && let Some(value) = found.value
        {
            let outcome = Some(if value == BigUint::ZERO { Outcome::P } else { Outcome::N });
            let (value, heaps) = (Some(value), Some(heaps));
            return Ok(Valued {
                part,
                value,
                outcome,
                heaps,
                winning: found.winning,
                moves: Vec::new(),
                players_differ: false,
            });
        }
        let analysis = answer(&*part.game, &part.position, settings, theorems)?.analysis;
        let Evaluation { outcome, nim_value, .. } = analysis.evaluation;
        let value = nim_value.map(|value| value.0.into());
        let mut valued = Valued {
            part,
            value,
            outcome,
            heaps: None,
            winning: None,
            moves: analysis.moves,
            players_differ: analysis.class.is_some(),
        };
        if valued.value.is_none() && valued.has_value() && outcome == Some(Outcome::P) {
            valued.value = Some(BigUint::ZERO);
        }
        Ok(valued)
    }

    /// Returns whether positions have nim-values, of which a lost one has 0: both players have the
    /// same moves, and play ends.
    fn has_value(&self) -> bool {
        self.part.game.kind() == Kind::Impartial
    }

    /// Returns why the value is not known.
    fn why_unknown(&self) -> String {
        let (game, position) = (&self.part.game, &self.part.position);
        let why = match (game.kind(), self.players_differ) {
            (Kind::Impartial, _) => {
                return format!("the nim-value of {} {position} is not known", game.name());
            }
            (_, true) => "the players' moves differ in it",
            (_, false) => "the players' positions differ in it, or positions may come again",
        };
        format!("{} {position} has no nim-value, as {why}", game.name())
    }

    /// Returns a position with this value to which a move leads, and the move in words.
    fn option(&self, value: &BigUint, settings: &Settings) -> Option<(String, MoveText)> {
        match &self.heaps {
            Some(heaps) => {
                let found = single_heap_sums::known_beside(
                    &*self.part.game,
                    heaps,
                    value,
                    &settings.budget,
                );
                let option = match found.ok()? {
                    Some(found) => found.winning?,
                    None => self.winning.clone().filter(|_| *value == BigUint::ZERO)?,
                };
                Some((heaps_text(&option), changes(&*self.part.game, heaps, &option)))
            }
            None => {
                let is_it = |m: &&Move| match m.evaluation.nim_value {
                    Some(found) => BigUint::from(found.0) == *value,
                    None => *value == BigUint::ZERO && m.evaluation.outcome == Some(Outcome::P),
                };
                self.moves.iter().find(is_it).map(|m| (m.to.clone(), m.text.clone()))
            }
        }
    }
}

/// Heaps up to this size are left to a search of the sum.
const MAX_SEARCHED: u64 = 1 << 12;

/// Answers a position of a sum by the nim-values of its parts, if so much lies below one of them
/// that theorems are asked before any search; `None` of other games, and if a part is not known.
pub(crate) fn by_parts(
    game: &dyn Game,
    position: &str,
    settings: &Settings,
    theorems: &Theorems,
) -> Result<Option<Answer>, NotationError> {
    let Some(sum) = game.ruleset().downcast_ref::<Sum>() else { return Ok(None) };
    let sizes = sum.sizes_of(position)?.unwrap_or_default();
    if settings.play != Play::Normal || !sizes.iter().flatten().any(|size| *size > MAX_SEARCHED) {
        return Ok(None);
    }
    // The games of rule files besides those that have a name.
    let mut catalogue = Catalogue::standard();
    for file in game.rule_files() {
        let Ok(rules) = RuleFile::parse_within(&file.text, &settings.budget) else {
            return Ok(None);
        };
        catalogue = match catalogue.clone().with_rule_file(rules) {
            Ok(with_file) => with_file,
            // A family's own.
            Err(_) => catalogue,
        };
    }
    let part = |Summand { game, position }| {
        let named = catalogue.parse(&game).ok().filter(|named| named.game.name() == game)?;
        Some(SummandPosition { game: named.game, position })
    };
    let parts: Option<Vec<SummandPosition>> =
        sum.summands_of(position)?.into_iter().map(part).collect();
    match parts.filter(|parts| parts.iter().any(SummandPosition::has_many_moves)) {
        Some(parts) => {
            Ok(large_sum(&parts, settings, theorems)?
                .filter(|found| found.analysis.spent.is_none()))
        }
        None => Ok(None),
    }
}

/// Answers a sum in normal play by the nim-values of its parts, with a winning move where one is
/// found; `None` if play is misère. Where the value of one part is not known, and the others have
/// together the value 0, the sum has the outcome of that part.
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
    let valued = parts
        .iter()
        .map(|part| Valued::new(part, settings, theorems))
        .collect::<Result<Vec<_>, _>>()?;
    let known = valued.iter().filter_map(|part| part.value.as_ref());
    let sum = known.fold(BigUint::ZERO, |sum, value| sum ^ value);
    let unknown: Vec<&Valued<'_>> = valued.iter().filter(|part| part.value.is_none()).collect();
    let (total, outcome) = match unknown[..] {
        [] if sum == BigUint::ZERO => (Some(sum), Outcome::P),
        [] => (Some(sum), Outcome::N),
        [Valued { outcome: Some(outcome), .. }] if sum == BigUint::ZERO => (None, *outcome),
        [..] => {
            let why: Vec<String> = unknown.iter().map(|part| part.why_unknown()).collect();
            let position =
                parts.iter().map(|part| part.position.as_str()).collect::<Vec<_>>().join(" + ");
            let analysis = Analysis {
                spent: Some(LimitReached::NumbersTooLarge),
                seconds: started.elapsed().as_secs_f64(),
                ..Analysis::without_search(position, Evaluation::default(), Vec::new())
            };
            let ignored = Some(why.join("; "));
            return Ok(Some(Answer { analysis, by: Justification::Search, moves: None, ignored }));
        }
    };
    let replaced = |place: usize, to: &str| {
        let positions = parts.iter().enumerate();
        let all: Vec<&str> = positions
            .map(|(i, part)| if i == place { to } else { part.position.as_str() })
            .collect();
        all.join(" + ")
    };
    // A lost sum has no winning move.
    let candidates = if outcome == Outcome::N { &valued[..] } else { &[] };
    let winning = candidates.iter().enumerate().find_map(|(i, part)| {
        let wanted = match (&total, &part.value) {
            (Some(total), Some(value)) => Some(total ^ value).filter(|wanted| wanted < value)?,
            (None, None) => BigUint::ZERO,
            _ => return None,
        };
        let (to, words) = part.option(&wanted, settings)?;
        Some(Move {
            to: replaced(i, &to),
            text: words.in_summand(&part.part.game.name()),
            evaluation: Evaluation {
                outcome: Some(Outcome::P),
                nim_value: part.has_value().then_some(Nimber(0)),
                ..Evaluation::default()
            },
            brings: None,
        })
    });
    let worth = |value: &Option<BigUint>, outcome| match (value, outcome) {
        (Some(value), _) => format!("*{value}"),
        (None, Some(Outcome::P)) => "lost".to_owned(),
        (None, _) => "not 0".to_owned(),
    };
    let named = |part: &Valued<'_>| {
        let worth = worth(&part.value, part.outcome);
        format!("{} {} is {worth}", part.part.game.name(), part.part.position)
    };
    let together = worth(&total, Some(outcome));
    let by = Justification::Literature(format!(
        "Sprague 1935 and Grundy 1939, by the values of the parts: {}; together {together}",
        valued.iter().map(named).collect::<Vec<_>>().join(", ")
    ));
    let evaluation = Evaluation {
        outcome: Some(outcome),
        nim_value: total.and_then(|total| u32::try_from(&total).ok()).map(Nimber),
        ..Evaluation::default()
    };
    let analysis = Analysis {
        seconds: started.elapsed().as_secs_f64(),
        ..Analysis::without_search(
            replaced(parts.len(), ""),
            evaluation,
            winning.into_iter().collect(),
        )
    };
    Ok(Some(Answer { analysis, by, moves: None, ignored: None }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_games::parse;

    /// A heap of a rule with a proved period beside Nim: one token, or two of a heap that leaves
    /// the remainder 1 modulo 3. Values of small heaps by the mex.
    #[test]
    fn a_part_may_have_a_period() {
        let text =
            "name = \"own\"\nheaps = \"any\"\nmove = \"q0+1 = p0 | q0+2 = p0 & p0 mod 3 = 1\"";
        let rules = RuleFile::parse(text).unwrap();
        let catalogue = Catalogue::standard().with_rule_file(rules).unwrap();
        let sum = catalogue.parse("own + nim").unwrap().game;
        let mut values: Vec<u32> = Vec::new();
        for p in 0..6000usize {
            let two = p.checked_sub(2).filter(|_| p % 3 == 1);
            let options: Vec<u32> =
                p.checked_sub(1).into_iter().chain(two).map(|q| values[q]).collect();
            values.push((0..).find(|value| !options.contains(value)).unwrap());
        }
        // The values of all heaps from 3 on repeat after 6 at most.
        assert!((3..5000).all(|p| values[p] == values[p + 6]));
        for (heap, like) in [(5000_u64, 5000_u64), (1_000_000_000, 4)] {
            assert_eq!((heap - like) % 6, 0);
            let position = format!("{heap} + 3");
            let found = answer(&*sum, &position, &Settings::default(), &Theorems::default());
            let value = found.unwrap().analysis.evaluation.nim_value.unwrap();
            assert_eq!(value.0, values[like as usize] ^ 3, "{heap}");
        }
    }

    /// Small sums: outcome and nim-value are those of a search, and the move leads to a lost
    /// position.
    #[test]
    fn sums_are_those_of_a_search() {
        let (settings, theorems) = (Settings::default(), Theorems::default());
        let games = ["kayles", "nim", "S(1,3,4)", "0.137", "wythoff"];
        let positions =
            [&["7", "12,3", "0"][..], &["5", "9,2"], &["8", "3,6"], &["9", "0"], &["3,4", "1,2"]];
        for (i, j) in (0..games.len()).flat_map(|i| (0..games.len()).map(move |j| (i, j))) {
            for (a, b) in positions[i].iter().flat_map(|a| positions[j].iter().map(move |b| (a, b)))
            {
                let part = |game: &str, position: &str| SummandPosition {
                    game: parse(game).unwrap().game,
                    position: position.to_owned(),
                };
                let found =
                    large_sum(&[part(games[i], a), part(games[j], b)], &settings, &theorems);
                let found = found.unwrap().unwrap().analysis;
                let sum = parse(&format!("{} + {}", games[i], games[j])).unwrap().game;
                let searched = sum.session(settings.clone()).analyse(&found.position).unwrap();
                assert_eq!(
                    found.evaluation.outcome, searched.evaluation.outcome,
                    "{}",
                    found.position
                );
                assert_eq!(
                    found.evaluation.nim_value, searched.evaluation.nim_value,
                    "{}",
                    found.position
                );
                let is_won = found.evaluation.outcome == Some(Outcome::N);
                assert_eq!(found.moves.len(), usize::from(is_won), "{}", found.position);
                for m in &found.moves {
                    let to = sum.normal_form(&m.to).unwrap();
                    let same = searched
                        .moves
                        .iter()
                        .find(|other| sum.normal_form(&other.to).unwrap() == to);
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

    /// Where positions are not the same for both players, a lost one is not 0: beside a heap of Nim
    /// it may be anything, and beside nothing it stays lost.
    #[test]
    fn what_is_lost_for_one_player_is_not_zero() {
        let (settings, theorems) = (Settings::default(), Theorems::default());
        let part = |game: &str, position: &str| SummandPosition {
            game: parse(game).unwrap().game,
            position: position.to_owned(),
        };
        let (cash, sum) = ("NIM(1,2;n;d,e)", parse("NIM(1,2;n;d,e) + nim").unwrap().game);
        let mut not_zero = 0;
        for text in (0..54).map(|i| format!("{},{},{}", i / 9, i / 3 % 3, i % 3)) {
            for heap in ["0", "1", "3"] {
                let whole = format!("{text} + {heap}");
                let searched = sum.session(settings.clone()).evaluate(&whole).unwrap().unwrap();
                let parts = [part(cash, &text), part("nim", heap)];
                let found = large_sum(&parts, &settings, &theorems).unwrap().unwrap();
                let outcome = found.analysis.evaluation.outcome;
                assert!(outcome.is_none() || outcome == searched.outcome, "{whole}");
                assert_eq!(outcome.is_some(), heap == "0", "{whole}");
                let values = found.analysis.moves.iter().map(|m| m.evaluation.nim_value);
                assert!(values.flatten().next().is_none(), "{whole}");
                let alone = parts[0].game.session(settings.clone()).evaluate(&text);
                let is_lost = alone.unwrap().unwrap().outcome == Some(Outcome::P);
                not_zero +=
                    usize::from(is_lost && heap != "0" && searched.outcome == Some(Outcome::P));
            }
        }
        assert!(not_zero > 0);
    }

    /// Without nim-values: a lost part counts as 0, and one part that is won beside nothing wins.
    #[test]
    fn parts_without_values_are_lost_or_won() {
        let (full, theorems) = (Settings::default(), Theorems::default());
        let outcomes_only = Settings { nim_value_nodes: 0, ..Settings::default() };
        let part = |game: &str, position: &str| SummandPosition {
            game: parse(game).unwrap().game,
            position: position.to_owned(),
        };
        let (mut answered, mut unknown) = (0, 0);
        for a in 0..7 {
            for b in a..7 {
                for heap in 0..6 {
                    let parts =
                        [part("wythoff", &format!("{a},{b}")), part("nim", &heap.to_string())];
                    let found =
                        large_sum(&parts, &outcomes_only, &theorems).unwrap().unwrap().analysis;
                    let whole = large_sum(&parts, &full, &theorems).unwrap().unwrap().analysis;
                    match found.evaluation.outcome {
                        Some(outcome) => {
                            assert_eq!(
                                Some(outcome),
                                whole.evaluation.outcome,
                                "{}",
                                found.position
                            );
                            assert_eq!(
                                found.moves.len(),
                                usize::from(!outcome.is_p()),
                                "{}",
                                found.position
                            );
                            answered += 1;
                        }
                        None => {
                            assert_eq!(
                                found.spent,
                                Some(LimitReached::NumbersTooLarge),
                                "{}",
                                found.position
                            );
                            unknown += 1;
                        }
                    }
                }
            }
        }
        assert!(answered > 0 && unknown > 0, "{answered} {unknown}");
    }
}
