//! Misère play of several heaps, of one game or of several: outcomes of all their sums by the
//! misère quotient of the heaps, or of Nim by Bouton's rule.

use crate::answer::Answer;
use crate::single_heap_sums::{MISERE_NIM, QUOTIENT_TIME, single_moves};
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

/// Sums with at most this many tokens are searched: all their moves are then listed.
const SEARCHED: u64 = 30;
/// This many moves are listed, at most; of more one is.
const MAX_OPTIONS: usize = 1 << 14;
/// This many moves are looked at for one that wins.
const MAX_TRIED: usize = 1 << 22;
/// A sum with more positions below it is not searched.
const MAX_SEARCHED: f64 = 4e6;
/// Heaps of Nim up to this one have few classes beside other heaps, larger ones many.
const SMALL_NIM: u64 = 3;
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
        let numbered =
            before.iter().copied().zip(codes.iter().map(|(code, _)| code.clone())).collect();
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

/// Returns the misère quotient of single heaps up to `max` and how many of these sizes, from 0 on,
/// have each element, and says by what that is known. `None` of heaps of Nim, and if no quotient is
/// found within the budget.
pub(crate) fn heap_elements(
    moves: &HeapMoves,
    max: u64,
    meter: &mut Meter,
) -> Option<(Quotient, Vec<u64>, String)> {
    let largest = u32::try_from(max).unwrap_or(u32::MAX);
    let Heaps::Quotient(quotient, _, period) = Heaps::new(&[(code_of(moves)?, largest)], meter)?
    else {
        return None;
    };
    let computed = u64::from(quotient.heaps()).min(max);
    let mut sizes = vec![0u64; quotient.order()];
    (0..=computed).for_each(|size| sizes[quotient.image(size as u32)] += 1);
    let order = quotient.order();
    let Some((period, preperiod)) = period else {
        if computed < max {
            return None;
        }
        let statement = format!("the misère quotient of heaps up to {max} has order {order}");
        return Some((*quotient, sizes, statement));
    };
    let (long, before) = (period as u64, preperiod as u64);
    // Of the sizes up to some size, from the preperiod on, those with a remainder.
    let up_to = |size: u64, remainder: u64| {
        size.checked_sub(before + remainder).map_or(0, |past| past / long + 1)
    };
    for remainder in (0..long).filter(|_| max > computed) {
        let element = quotient.image((before + remainder) as u32);
        sizes[element] += up_to(max, remainder) - up_to(computed, remainder);
    }
    let statement = format!(
        "the misère quotient of all heaps has order {order}, and heaps have period {period} in it \
         from {preperiod} on"
    );
    Some((*quotient, sizes, statement))
}

/// Returns whether any number may be taken, and nothing else is done.
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

/// One heap of Nim that is large, beside heaps of a known quotient.
///
/// With the other heaps, X, exactly one heap of Nim is a P-position: that of the misère nim-value
/// of X (Conway, *On Numbers and Games*, ch. 12). If it is one of the small heaps, a larger one is
/// won by a move to it.
struct OneLargeHeap {
    /// The quotient of the other heaps, small heaps of Nim among them.
    heaps: Heaps,
    /// The number of the code of Nim.
    nim: usize,
    /// Heaps of Nim up to this one are small.
    small: u32,
    /// The summand of the large heap.
    summand: usize,
}

impl OneLargeHeap {
    /// Finds the quotient of all heaps but the large one; `None` if there is none within the
    /// budget, if more heaps of Nim are large or none is, or if the nim-value of the others is.
    fn new(
        own: &[TakeAndBreakCode],
        all: &[Vec<u64>],
        codes: &[(TakeAndBreakCode, u32)],
        meter: &mut Meter,
    ) -> Option<OneLargeHeap> {
        let of_nim = || own.iter().zip(all).enumerate().filter(|(_, (code, _))| is_nim(code));
        let large = |size: &&u64| **size > SMALL_NIM;
        let mut summands =
            of_nim().flat_map(|(i, (_, sizes))| sizes.iter().filter(large).map(move |_| i));
        let (Some(summand), None) = (summands.next(), summands.next()) else { return None };
        let nim = codes.iter().position(|(code, _)| is_nim(code)).filter(|_| codes.len() > 1)?;
        let mut codes = codes.to_vec();
        codes[nim].1 = SMALL_NIM as u32;
        let heaps = Heaps::new(&codes, meter)?;
        let found = OneLargeHeap { heaps, nim, small: SMALL_NIM as u32, summand };
        let place_of =
            |summand: usize| codes.iter().position(|(code, _)| *code == own[summand]).unwrap_or(0);
        found.outcome(all, place_of).map(|_| found)
    }

    /// Returns the outcome of a sum in which one heap of Nim may be large, as far as it is known.
    fn outcome(&self, sum: &[Vec<u64>], place_of: impl Fn(usize) -> usize) -> Option<Outcome> {
        let small = u64::from(self.small);
        let (mut others, mut large) = (Vec::new(), 0);
        for (summand, sizes) in sum.iter().enumerate() {
            let is_large = |size: u64| summand == self.summand && size > small;
            large += sizes.iter().filter(|size| is_large(**size)).count();
            let rest = sizes.iter().filter(|size| !is_large(**size));
            others.extend(rest.map(|size| (place_of(summand), *size)));
        }
        let beside = |size: u64| self.heaps.is_p(others.iter().copied().chain([(self.nim, size)]));
        match large {
            0 => Some(if beside(0) { Outcome::P } else { Outcome::N }),
            1 => (0..=small).any(beside).then_some(Outcome::N),
            _ => None,
        }
    }
}

/// What is known of sums.
enum Outcomes {
    /// The outcomes of all.
    All(Heaps),
    /// Those of sums in which at most one heap of Nim is large, in part.
    BesideOneLarge(OneLargeHeap),
}

impl Outcomes {
    fn heaps(&self) -> &Heaps {
        match self {
            Outcomes::All(heaps) => heaps,
            Outcomes::BesideOneLarge(large) => &large.heaps,
        }
    }

    /// Returns the outcome of a sum, if it is known: the sizes of the heaps of each summand.
    fn outcome(&self, sum: &[Vec<u64>], place_of: impl Fn(usize) -> usize) -> Option<Outcome> {
        match self {
            Outcomes::All(heaps) => {
                let place_of = &place_of;
                let numbered = sum.iter().enumerate();
                let numbered =
                    numbered.flat_map(|(i, sizes)| sizes.iter().map(move |s| (place_of(i), *s)));
                Some(if heaps.is_p(numbered) { Outcome::P } else { Outcome::N })
            }
            Outcomes::BesideOneLarge(large) => large.outcome(sum, place_of),
        }
    }
}

/// What the quotient of the heaps of a sum says of a position.
pub(crate) enum ByQuotient {
    /// The answer.
    Answered(Box<Answer>),
    /// Nothing: in a sentence, which quotient was not found; and whether too many positions lie
    /// below to be searched.
    NotFound { why: String, too_many: bool },
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
    let Some(mut heaps) = SumOfCodes::new(sum, position)? else { return Ok(ByQuotient::Other) };
    let mut meter = Meter::new(&Budget { nodes: None, ..settings.budget.within(QUOTIENT_TIME) });
    let Some(known) = heaps.outcomes(&mut meter) else {
        return Ok(heaps.not_found(started.elapsed()));
    };
    let Some(tried) = heaps.tried_moves(&known, sum, position) else {
        return Ok(ByQuotient::Other);
    };
    let count = tried.count;
    let moves = tried.listed(sum, position)?;
    let count = (count <= MAX_OPTIONS).then(|| moves.len().into());
    let outcome = known.outcome(&heaps.sizes, |summand| heaps.places[summand]);
    let analysis = Analysis {
        seconds: started.elapsed().as_secs_f64(),
        ..Analysis::without_search(game.normal_form(position)?, evaluation(outcome), moves)
    };
    let by = heaps.justification(&known);
    Ok(ByQuotient::Answered(Box::new(Answer { analysis, by, moves: count, ignored: None })))
}

fn evaluation(outcome: Option<Outcome>) -> Evaluation {
    Evaluation { outcome, ..Evaluation::default() }
}

/// The heaps of a sum, all of them played by take-and-break codes.
struct SumOfCodes {
    /// The code of each summand.
    own: Vec<TakeAndBreakCode>,
    /// The sizes of the heaps of each summand.
    sizes: Vec<Vec<u64>>,
    /// The codes, each once, with the largest heap and the name of a game; few heaps first.
    codes: Vec<(TakeAndBreakCode, u32, String)>,
    /// The number of the code of each summand.
    places: Vec<usize>,
}

impl SumOfCodes {
    /// Reads the heaps of a position; `None` if some are not played by codes, or too large.
    fn new(sum: &Sum, position: &str) -> Result<Option<SumOfCodes>, NotationError> {
        let Some(sizes) = sum.sizes_of(position)? else { return Ok(None) };
        let own: Option<Vec<TakeAndBreakCode>> =
            sum.heap_moves().iter().map(|moves| code_of(moves.as_ref()?)).collect();
        let Some(own) = own else { return Ok(None) };
        let mut codes: Vec<(TakeAndBreakCode, u32, String)> = Vec::new();
        let names = sum.summands_of(position)?.into_iter().map(|part| part.game);
        for ((code, sizes), name) in own.iter().zip(&sizes).zip(names) {
            let Ok(largest) = u32::try_from(sizes.iter().max().copied().unwrap_or(0)) else {
                return Ok(None);
            };
            match codes.iter_mut().find(|(known, ..)| known == code) {
                Some((_, most, _)) => *most = largest.max(*most),
                None => codes.push((code.clone(), largest, name)),
            }
        }
        codes.arrange_by_key(|(_, largest, _)| *largest);
        let place = |code: &TakeAndBreakCode| {
            codes.iter().position(|(known, ..)| known == code).unwrap_or(0)
        };
        let places = own.iter().map(place).collect();
        Ok(Some(SumOfCodes { own, sizes, codes, places }))
    }

    /// Finds the outcomes of sums of these heaps. Where one heap of Nim alone is large, the largest
    /// heap of its code becomes the largest small one.
    fn outcomes(&mut self, meter: &mut Meter) -> Option<Outcomes> {
        let numbered: Vec<(TakeAndBreakCode, u32)> =
            self.codes.iter().map(|(code, largest, _)| (code.clone(), *largest)).collect();
        let Some(large) = OneLargeHeap::new(&self.own, &self.sizes, &numbered, meter) else {
            return Heaps::new(&numbered, meter).map(Outcomes::All);
        };
        let of_nim = self.codes.iter_mut().filter(|(code, ..)| is_nim(code));
        of_nim.for_each(|code| code.1 = large.small);
        Some(Outcomes::BesideOneLarge(large))
    }

    /// Says that no quotient was found.
    fn not_found(&self, after: Duration) -> ByQuotient {
        let each: Vec<String> =
            self.codes.iter().map(|(_, largest, name)| format!("{name} up to {largest}")).collect();
        let below = positions_below(&self.own, &self.sizes);
        let too_many = below > MAX_SEARCHED;
        let search = match too_many {
            false => "; the position is searched".to_owned(),
            true => {
                let digits = below.log10();
                format!(", and some 10^{digits:.0} positions are too many to be searched")
            }
        };
        let why = format!(
            "no misère quotient of all heaps of {} was found in {:.0} s{search}",
            each.join(", "),
            after.as_secs_f64(),
        );
        ByQuotient::NotFound { why, too_many }
    }

    /// Tries the moves: all of them, or if they are too many as far as one that wins is found;
    /// `None` if the sum has no position for one.
    fn tried_moves(&self, known: &Outcomes, sum: &Sum, position: &str) -> Option<TriedMoves> {
        let mut found = TriedMoves::default();
        for (summand, (code, sizes)) in self.own.iter().zip(&self.sizes).enumerate() {
            for (i, size) in sizes.iter().enumerate() {
                let ended = code.options(*size as u32, |left| {
                    found.count += 1;
                    let mut after: Vec<Vec<u64>> = self.sizes.clone();
                    let left: Vec<u64> = left.iter().map(|heap| u64::from(*heap)).collect();
                    after[summand] = [&sizes[..i], &left, &sizes[i + 1..]].concat();
                    let outcome = known.outcome(&after, |summand| self.places[summand]);
                    let is_p = outcome == Some(Outcome::P);
                    if found.count > MAX_OPTIONS {
                        // The rest is looked at for a move that wins.
                        match is_p {
                            _ if found.wins => return Break(true),
                            false if found.count > MAX_TRIED => return Break(true),
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
                    let to =
                        ways.into_iter().find_map(|sizes| sum.with_sizes(position, summand, sizes));
                    let Some(to) = to else { return Break(false) };
                    found.wins |= is_p;
                    found.options.insert((to, outcome.map(Outcome::is_p)));
                    Continue(())
                });
                match ended {
                    Break(false) => return None,
                    Break(true) => return Some(found),
                    Continue(()) => {}
                }
            }
        }
        Some(found)
    }

    fn justification(&self, known: &Outcomes) -> Justification {
        match known.heaps() {
            Heaps::Nim => Justification::Literature(MISERE_NIM.into()),
            Heaps::Quotient(quotient, _, period) => match &self.codes[..] {
                [_] => Justification::Quotient {
                    order: quotient.order(),
                    heaps: quotient.heaps(),
                    period: *period,
                },
                codes => Justification::Quotients {
                    order: quotient.order(),
                    heaps: codes
                        .iter()
                        .map(|(_, largest, name)| (name.clone(), *largest))
                        .collect(),
                },
            },
        }
    }
}

/// The moves of a sum, as far as they were tried.
#[derive(Default)]
struct TriedMoves {
    /// How many there were.
    count: usize,
    /// Whether one of them wins.
    wins: bool,
    /// The positions that they lead to, and whether these are P, if that is known.
    options: BTreeSet<(String, Option<bool>)>,
}

impl TriedMoves {
    /// Returns the moves to list: all, or one if they are too many.
    fn listed(self, sum: &Sum, position: &str) -> Result<Vec<Move>, NotationError> {
        let are_many = self.count > MAX_OPTIONS;
        let is_listed = |is_p: Option<bool>| !are_many || is_p == Some(self.wins);
        let listed = self.options.into_iter().filter(|(_, is_p)| is_listed(*is_p));
        listed
            .take(if are_many { 1 } else { usize::MAX })
            .map(|(to, is_p)| {
                let outcome = is_p.map(|is_p| if is_p { Outcome::P } else { Outcome::N });
                let text = sum.move_to(position, &to)?;
                Ok(Move { text, to, evaluation: evaluation(outcome), brings: None })
            })
            .collect()
    }
}

/// Returns about how many positions lie below a sum: those of each summand with as many tokens or
/// fewer, or with smaller heaps if no move leaves more heaps.
fn positions_below(own: &[TakeAndBreakCode], all: &[Vec<u64>]) -> f64 {
    let each = own.iter().zip(all).map(|(code, sizes)| {
        let splits = |size: &u64| {
            let several = |left: &[u32]| if left.len() > 1 { Break(()) } else { Continue(()) };
            code.options(*size as u32, several).is_break()
        };
        if sizes.iter().any(splits) {
            // Hardy and Ramanujan: the partitions of a number.
            let tokens = sizes.iter().sum::<u64>() as f64;
            (std::f64::consts::PI * (2.0 * tokens / 3.0).sqrt()).exp()
                / (4.0 * 3f64.sqrt() * tokens)
        } else {
            sizes.iter().map(|size| *size as f64 + 1.0).product()
        }
    });
    each.product()
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
        let (mut known, mut unknown) = (0, 0);
        for (games, positions) in [
            ("kayles + kayles", &["5 + 6", "6 + 6", "4,4 + 3", "7 + 1", "0 + 9", "2,1 + 2"][..]),
            ("S(1,2) + S(1,3,4)", &["5 + 7", "6 + 6", "3,3 + 4", "1 + 7"]),
            ("nim + nim", &["5 + 5", "1,1 + 6", "1,1 + 1", "1,2 + 3"]),
            ("nim(2) + nim", &["4,1 + 5", "1,1 + 1", "0,5 + 1"]),
            ("kayles + 0.77 + S(1,2)", &["3 + 3 + 5", "4,2 + 4 + 4"]),
            ("0.07 + S(1,3)", &["7 + 4", "6 + 5"]),
            ("nim + kayles", &["3 + 8", "2,1 + 6", "3 + 4,3"]),
            ("kayles + nim", &["7 + 5", "9,1 + 4,2", "12 + 6", "2 + 9", "4 + 1,4", "6,5 + 8"]),
            ("nim + kayles + nim", &["1 + 7 + 5", "4 + 8 + 2", "6 + 3,3 + 0"]),
            ("0.07 + nim", &["8 + 4", "11 + 5"]),
        ] {
            let game = parse(games).unwrap().game;
            let settings = Settings { play: Play::Misere, ..Settings::default() };
            let mut session = game.session(settings.clone());
            for position in positions {
                let sum = game.ruleset().downcast_ref::<Sum>().unwrap();
                let found = by_quotient(&*game, sum, position, &settings).unwrap();
                let ByQuotient::Answered(found) = found else { panic!("{games} {position}") };
                let searched = session.analyse(position).unwrap();
                let outcomes = |analysis: &Analysis| {
                    let moves = analysis.moves.iter().map(|m| (m.to.clone(), m.evaluation.outcome));
                    let mut moves: Vec<_> = moves.collect();
                    moves.sort();
                    moves
                };
                assert_eq!(found.analysis.position, searched.position, "{games} {position}");
                let outcome = found.analysis.evaluation.outcome;
                assert_eq!(outcome, searched.evaluation.outcome, "{games} {position}");
                // A move is not known of beside a large heap of Nim.
                let (found, searched) = (outcomes(&found.analysis), outcomes(&searched));
                assert_eq!(found.len(), searched.len(), "{games} {position}");
                for (found, searched) in found.iter().zip(&searched) {
                    let is_known = found.1.is_some();
                    assert!(found.0 == searched.0, "{games} {position}");
                    assert!(!is_known || found.1 == searched.1, "{games} {position}: {found:?}");
                    unknown += usize::from(!is_known);
                    known += usize::from(is_known);
                }
            }
        }
        assert!(unknown > 0 && known > 2 * unknown, "{known} known, {unknown} unknown");
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
