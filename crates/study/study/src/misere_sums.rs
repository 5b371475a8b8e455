//! Misère play of several heaps, of one game or of several: outcomes of all their sums by the
//! misère quotient of the heaps, or of Nim by Bouton's rule.

use crate::answer::Answer;
use crate::rows::{MISERE_NIM, PATIENCE, single_moves};
use bouton_core::clock::Instant;
use bouton_core::{Arrange, Budget, HeapMoves, Meter, NotationError, Outcome, Play};
use bouton_engine::sum::{Sum, takes_any};
use bouton_engine::{Analysis, Evaluation, Game, Move, Settings};
use bouton_octal::misere::Quotient;
use bouton_octal::sequence::TakeAndBreakCode;
use bouton_theory::Justification;
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};
use std::time::Duration;

/// Sums with at most so many tokens are searched: all their moves are then listed.
const SEARCHED: u64 = 30;
/// So many moves are listed, at most; of more one is.
const MOST_OPTIONS: usize = 1 << 14;
/// So many moves are looked at for one that wins.
const MOST_TRIED: usize = 1 << 22;
/// How long the quotient of a list of positions is sought, at most.
const LIST_PATIENCE: Duration = Duration::from_secs(60);

/// How the heaps of a sum are played in misère play, so far that outcomes of sums are known.
enum Heaps {
    /// All are heaps of Nim.
    Nim,
    /// The quotient, the number of heaps before those of each code, and period and preperiod.
    Quotient(Box<Quotient>, Vec<u32>, Option<(usize, usize)>),
}

impl Heaps {
    /// Finds the quotient of the heaps of these codes, each with its largest heap; `None` if there
    /// is none within the budget.
    fn new(codes: &[(TakeAndBreakCode, u32)], meter: &mut Meter) -> Option<Heaps> {
        if codes.iter().all(|(code, _)| is_nim(code)) {
            return Some(Heaps::Nim);
        }
        let mut before = Vec::new();
        let mut total = 0u32;
        for (_, largest) in codes {
            before.push(total);
            total = total.checked_add(*largest)?;
        }
        let numbered = before.iter().copied().zip(codes.iter().map(|(code, _)| code.clone())).collect();
        let mut quotient = Quotient::of_sums(numbered);
        let mut period = None;
        while quotient.heaps() < total && period.is_none() {
            quotient.extend(quotient.heaps() + 1, meter).ok()?;
            period = quotient.period();
        }
        Some(Heaps::Quotient(Box::new(quotient), before, period))
    }

    /// Returns whether a sum of heaps, each the number of a code and a size, is a P-position.
    fn is_p(&self, sum: impl Iterator<Item = (usize, u64)> + Clone) -> bool {
        match self {
            Heaps::Nim => match sum.clone().any(|(_, size)| size > 1) {
                true => sum.fold(0, |nim_sum, (_, size)| nim_sum ^ size) == 0,
                false => sum.filter(|(_, size)| *size == 1).count() % 2 == 1,
            },
            Heaps::Quotient(quotient, before, period) => {
                let number = |(code, size): (usize, u64)| match (size, period) {
                    (0, _) => 0,
                    (_, Some((period, preperiod))) if size > u64::from(quotient.heaps()) => {
                        (preperiod + (size as usize - preperiod) % period) as u32
                    }
                    _ => before[code] + size as u32,
                };
                let images = sum.map(|heap| quotient.image(number(heap)));
                let element = images.fold(0, |element, image| quotient.product(element, image));
                quotient.p_portion().any(|p| p == element)
            }
        }
    }
}

/// Whether any number may be taken, and nothing else is done.
fn is_nim(code: &TakeAndBreakCode) -> bool {
    let nim = TakeAndBreakCode::parse("0.[3]");
    nim.is_ok_and(|nim| nim == *code)
}

/// Returns the code of single heaps.
fn code_of(moves: &HeapMoves) -> Option<TakeAndBreakCode> {
    match moves {
        HeapMoves::Code(code) => TakeAndBreakCode::parse(code).ok(),
        HeapMoves::Take(set) => TakeAndBreakCode::subtraction(set),
    }
}

/// What the quotient of the heaps of a sum says of a position.
pub(crate) enum ByQuotient {
    /// The answer.
    Answered(Box<Answer>),
    /// Nothing: in a sentence, which quotient was not found.
    NotFound(String),
    /// It is not asked.
    Other,
}

/// Answers a position of a sum of games in misère play, where all of them are played in single
/// heaps and the quotient of the heaps is found: with all moves, if they are not too many. Small
/// sums are left to a search.
///
/// # Errors
///
/// If `position` is not a position of the sum.
pub(crate) fn answer(
    game: &dyn Game,
    position: &str,
    settings: &Settings,
) -> Result<ByQuotient, NotationError> {
    let Some(sum) = game.ruleset().downcast_ref::<Sum>() else { return Ok(ByQuotient::Other) };
    let Some(all) = sum.sizes_of(position)? else { return Ok(ByQuotient::Other) };
    let tokens = all.iter().flatten().fold(0u64, |sum, size| sum.saturating_add(*size));
    if settings.play == Play::Normal || tokens <= SEARCHED {
        return Ok(ByQuotient::Other);
    }
    by_quotient(game, sum, position, settings)
}

/// Answers a position of any size, as [`answer`].
fn by_quotient(
    game: &dyn Game,
    sum: &Sum,
    position: &str,
    settings: &Settings,
) -> Result<ByQuotient, NotationError> {
    let started = Instant::now();
    let Some(all) = sum.sizes_of(position)? else { return Ok(ByQuotient::Other) };
    let own: Option<Vec<TakeAndBreakCode>> =
        sum.heap_moves().iter().map(|moves| code_of(moves.as_ref()?)).collect();
    let Some(own) = own else { return Ok(ByQuotient::Other) };
    // The codes, each once, with the largest heap and the name of a game; few heaps first.
    let names: Vec<String> = sum.summands_of(position)?.into_iter().map(|part| part.game).collect();
    let mut codes: Vec<(TakeAndBreakCode, u32, String)> = Vec::new();
    for ((code, sizes), name) in own.iter().zip(&all).zip(&names) {
        let Ok(largest) = u32::try_from(sizes.iter().max().copied().unwrap_or(0)) else {
            return Ok(ByQuotient::Other);
        };
        match codes.iter_mut().find(|(known, ..)| known == code) {
            Some((_, most, _)) => *most = largest.max(*most),
            None => codes.push((code.clone(), largest, name.clone())),
        }
    }
    codes.arrange_by_key(|(_, largest, _)| *largest);
    let place = |code: &TakeAndBreakCode| codes.iter().position(|(known, ..)| known == code).unwrap_or(0);
    let numbered: Vec<(TakeAndBreakCode, u32)> =
        codes.iter().map(|(code, largest, _)| (code.clone(), *largest)).collect();
    let mut meter = Meter::new(&Budget { nodes: None, ..settings.budget.within(PATIENCE) });
    let Some(heaps) = Heaps::new(&numbered, &mut meter) else {
        let each: Vec<String> =
            codes.iter().map(|(_, largest, name)| format!("{name} up to {largest}")).collect();
        return Ok(ByQuotient::NotFound(format!(
            "no misère quotient of all heaps of {} was found in {:.0} s; the position is searched",
            each.join(", "),
            started.elapsed().as_secs_f64()
        )));
    };
    let (mut options, mut sum_of_heaps) = (BTreeSet::new(), Vec::new());
    let (mut tried, mut wins) = (0, false);
    for (code, sizes) in own.iter().zip(&all) {
        sum_of_heaps.extend(sizes.iter().map(|size| (place(code), *size)));
    }
    'summands: for (summand, (code, sizes)) in own.iter().zip(&all).enumerate() {
        for (i, size) in sizes.iter().enumerate() {
            let ended = code.options(*size as u32, |left| {
                tried += 1;
                let mut after: Vec<Vec<u64>> = all.clone();
                let left: Vec<u64> = left.iter().map(|heap| u64::from(*heap)).collect();
                after[summand] = [&sizes[..i], &left, &sizes[i + 1..]].concat();
                let is_p = heaps.is_p(
                    own.iter().zip(&after).flat_map(|(code, sizes)| sizes.iter().map(|s| (place(code), *s))),
                );
                if tried > MOST_OPTIONS {
                    // The rest is looked at for a move that wins.
                    match is_p {
                        _ if wins => return Break(true),
                        false if tried > MOST_TRIED => return Break(true),
                        false => return Continue(()),
                        true => {}
                    }
                }
                // Nim, and a game on a fixed number of heaps, keep an empty one.
                let with_empty = match left[..] {
                    [] => [&sizes[..i], &[0], &sizes[i + 1..]].concat(),
                    _ => after[summand].clone(),
                };
                let ways = if is_nim(code) {
                    [&with_empty, &after[summand]]
                } else {
                    [&after[summand], &with_empty]
                };
                let to = ways.into_iter().find_map(|sizes| sum.with_sizes(position, summand, sizes));
                let Some(to) = to else {
                    return Break(false);
                };
                wins |= is_p;
                options.insert((to, is_p));
                Continue(())
            });
            match ended {
                Break(false) => return Ok(ByQuotient::Other),
                Break(true) => break 'summands,
                Continue(()) => {}
            }
        }
    }
    let known = |is_p: bool| Evaluation {
        outcome: Some(if is_p { Outcome::P } else { Outcome::N }),
        ..Evaluation::default()
    };
    let mut moves = Vec::new();
    for (to, is_p) in options.into_iter().filter(|(_, is_p)| tried <= MOST_OPTIONS || *is_p == wins) {
        if tried > MOST_OPTIONS && !moves.is_empty() {
            break;
        }
        moves.push(Move { text: sum.move_to(position, &to)?, to, evaluation: known(is_p), brings: None });
    }
    let by = match &heaps {
        Heaps::Nim => Justification::Literature(MISERE_NIM.into()),
        Heaps::Quotient(quotient, _, period) => match &codes[..] {
            [_] => {
                Justification::Quotient { order: quotient.order(), heaps: quotient.heaps(), period: *period }
            }
            _ => Justification::Quotients {
                order: quotient.order(),
                heaps: codes.iter().map(|(_, largest, name)| (name.clone(), *largest)).collect(),
            },
        },
    };
    let count = (tried <= MOST_OPTIONS).then(|| moves.len().into());
    let analysis = Analysis {
        seconds: started.elapsed().as_secs_f64(),
        ..Analysis::without_search(
            game.normal_form(position)?,
            known(heaps.is_p(sum_of_heaps.iter().copied())),
            moves,
        )
    };
    Ok(ByQuotient::Answered(Box::new(Answer { analysis, by, moves: count, ignored: None })))
}

/// The misère outcomes of all sums of single heaps of one game up to a size.
pub struct MisereSums {
    heaps: Heaps,
}

impl MisereSums {
    /// Finds them by the misère quotient; `None` if the game is not played in single heaps, or no
    /// quotient is found within the budget and a minute.
    pub fn new(game: &dyn Game, largest: u32, budget: &Budget) -> Option<MisereSums> {
        let moves = single_moves(game).or_else(|| takes_any(game))?;
        let mut meter = Meter::new(&budget.within(LIST_PATIENCE));
        Some(MisereSums { heaps: Heaps::new(&[(code_of(&moves)?, largest)], &mut meter)? })
    }

    /// Returns whether a sum of heaps is a P-position.
    pub fn is_p(&self, sizes: &[u64]) -> bool {
        self.heaps.is_p(sizes.iter().map(|size| (0, *size)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_games::parse;

    /// Small sums, and all their moves: the outcomes that a search by the rules finds.
    #[test]
    fn outcomes_and_moves_are_those_of_a_search() {
        for (games, positions) in [
            ("kayles + kayles", &["5 + 6", "6 + 6", "4,4 + 3", "7 + 1", "0 + 9", "2,1 + 2"][..]),
            ("S(1,2) + S(1,3,4)", &["5 + 7", "6 + 6", "3,3 + 4", "1 + 7"]),
            ("nim + nim", &["5 + 5", "1,1 + 6", "1,1 + 1", "1,2 + 3"]),
            ("nim(2) + nim", &["4,1 + 5", "1,1 + 1", "0,5 + 1"]),
            ("kayles + 0.77 + S(1,2)", &["3 + 3 + 5", "4,2 + 4 + 4"]),
            ("0.07 + S(1,3)", &["7 + 4", "6 + 5"]),
            ("nim + kayles", &["3 + 8", "2,1 + 6", "3 + 4,3"]),
        ] {
            let game = parse(games).unwrap().game;
            let settings = Settings { play: Play::Misere, ..Settings::default() };
            let mut session = game.session(settings.clone());
            for position in positions {
                let sum = game.ruleset().downcast_ref::<Sum>().unwrap();
                let found = by_quotient(&*game, sum, position, &settings).unwrap();
                let ByQuotient::Answered(found) = found else { panic!("{games} {position}") };
                let searched = session.analyse(position).unwrap();
                let known = |analysis: &Analysis| {
                    let moves = analysis.moves.iter().map(|m| (m.to.clone(), m.evaluation.outcome));
                    let mut moves: Vec<_> = moves.collect();
                    moves.sort();
                    (analysis.position.clone(), analysis.evaluation.outcome, moves)
                };
                assert_eq!(known(&found.analysis), known(&searched), "{games} {position}");
            }
        }
    }

    /// Two heaps each, by the rules alone.
    #[test]
    fn lists_are_those_of_a_search() {
        for name in ["kayles", "S(1,3,4)", "nim", "0.07"] {
            let game = parse(name).unwrap().game;
            let sums = MisereSums::new(&*game, 6, &Budget::default()).unwrap();
            let settings = Settings { play: Play::Misere, ..Settings::default() };
            let mut session = game.session(settings);
            for (a, b) in (0..=6u64).flat_map(|a| (0..=a).map(move |b| (a, b))) {
                let outcome = session.evaluate(&format!("{a},{b}")).unwrap().unwrap().outcome;
                assert_eq!(sums.is_p(&[a, b]), outcome == Some(Outcome::P), "{name} {a},{b}");
            }
        }
        let mark = parse("mark").unwrap().game;
        assert!(MisereSums::new(&*mark, 9, &Budget::default()).is_none());
    }
}
