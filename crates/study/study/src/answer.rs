//! One position answered: by search where that reaches, else by what is proved.
//!
//! Small positions are searched, so that every move is listed with its outcome and nim-value. If
//! there are too many positions below, or the search ended without an outcome, a theorem gives the
//! answer for heaps of any size, with a winning move. Sums of single heaps are answered by the
//! nim-values of the heaps ([`crate::single_heap_sums`]), and games of a theory that has theorems
//! about positions by that theory ([`TheoryAnswers`]). An answer names its justification.

use crate::by_parameter;
use crate::certified_positions::{CertifiedPositions, HeapsOutcome};
use crate::large_heaps;
#[cfg(not(target_family = "wasm"))]
use crate::misere_sums::ByQuotient;
use crate::nim_values::{self, ValuePlace, with_value};
use crate::partial::theorem_on_part;
use crate::single_heap_sums::{self, Heaps};
use crate::theorems::{Known, Theorems};
use bouton_core::clock::Instant;
use bouton_core::{
    Arrange, Budget, Meter, MoveText, Nimber, NotationError, Outcome, Play, Windows, WrittenNumber,
    comma_list, heaps_text,
};
use bouton_engine::game::SuggestedMove;
use bouton_engine::{Analysis, Evaluation, Game, Kind, Move, Session, Settings};
use bouton_games::THEORIES;
use bouton_prover::PPositions;
use bouton_theory::{Justification, TheoremError, TheoryAnswers};
use num_bigint::BigUint;
use std::collections::BTreeSet;

/// A position answered.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What is known of the position. By search all moves are listed; else one: a winning one, if
    /// there is one and it was found, and some losing one where all are.
    pub analysis: Analysis,
    /// By what it is known.
    pub by: Justification,
    /// How many moves there are in all, where not all are listed and they can be counted.
    pub moves: Option<BigUint>,
    /// What could not be used, in words: a kept theorem, a quotient that was not found.
    pub ignored: Option<String>,
}

impl Answer {
    /// Returns whether play is over.
    pub fn is_over(&self) -> bool {
        self.by == Justification::Search
            && self.analysis.moves.is_empty()
            && self.analysis.spent.is_none()
    }

    /// Returns whether all moves are listed.
    pub fn lists_all_moves(&self) -> bool {
        let listed = BigUint::from(self.analysis.moves.len());
        self.by == Justification::Search || self.moves.as_ref() == Some(&listed)
    }

    /// Returns the move that leads to this position, in its normal form: one of those listed, or
    /// else, where not all are listed, one that the rules allow. What is known of it is then its
    /// outcome if it is listed, or follows from the position's.
    pub fn find(&self, game: &dyn Game, to: &str) -> Option<Move> {
        if let Some(listed) = self.analysis.moves.iter().find(|m| m.to == to) {
            return Some(listed.clone());
        }
        if self.by == Justification::Search {
            return None;
        }
        let outcome =
            self.analysis.evaluation.outcome.filter(|outcome| outcome.is_p()).map(|_| Outcome::N);
        #[cfg(not(target_family = "wasm"))]
        if matches!(self.by, Justification::Literature(_))
            && let Some(theorem) = bouton_games::position_theorem(game)
            && let Some(allowed) = theorem.allows(&self.analysis.position, to)
        {
            return allowed.then(|| Move {
                to: to.to_owned(),
                text: MoveText::Position(to.to_owned()),
                evaluation: Evaluation { outcome, ..Evaluation::default() },
                brings: None,
            });
        }
        let (from, option) = (sizes(game, &self.analysis.position)?, sizes(game, to)?);
        if !large_heaps::allows(game, &from, &option) {
            return None;
        }
        Some(Move {
            to: heaps_text(&option),
            text: changes(game, &from, &option),
            evaluation: Evaluation { outcome, ..Evaluation::default() },
            brings: None,
        })
    }
}

/// Up to this many moves lie below a position that is searched before theorems are asked: the
/// positions below it, the product of heaps plus 1, times its options.
const SEARCHED: u64 = 1 << 24;
/// Up to this many tokens have sums of single heaps that are searched before their values are
/// asked.
const SEARCHED_ROWS: u64 = 20_000;
/// The same in misère play, where a sum has no values.
const SEARCHED_MISERE: u64 = 30;

/// Answers a position of a game.
pub fn answer(
    game: &dyn Game,
    position: &str,
    settings: &Settings,
    theorems: &Theorems,
) -> Result<Answer, NotationError> {
    Answers::new(game, settings.clone(), theorems).of(position)
}

/// Answers about positions of one game: a session of it that goes on, so that what it has learned
/// is used, and what is proved.
pub struct Answers<'g> {
    game: &'g dyn Game,
    session: Box<dyn Session + 'g>,
    settings: Settings,
    theorems: &'g Theorems,
    /// What the game's theory knows of its positions, if it has theorems about them.
    theory: Option<Box<dyn TheoryAnswers>>,
}

impl<'g> Answers<'g> {
    /// Prepares answers about a game; nothing is computed yet. Each answer may cost as much as the
    /// settings' budget.
    pub fn new(game: &'g dyn Game, settings: Settings, theorems: &'g Theorems) -> Answers<'g> {
        let session = game.session(settings.clone());
        let theory = THEORIES.iter().find_map(|theory| theory.answers(game, settings.play));
        Answers { game, session, settings, theorems, theory }
    }

    /// Tells of the positions of a game in course, from its first on. Proofs may know more of
    /// positions whose history is known; positions that were answered one after the other need not
    /// be told.
    pub fn follow(&mut self, line: &[String]) {
        let Some(last) = line.last() else { return };
        if let Some(theory) = self.theory.as_mut().filter(|theory| theory.is_large(last)) {
            theory.follow(line);
        }
    }

    /// Refuses misère play of a game whose rules it would change.
    fn played(&self, position: &str) -> Result<(), NotationError> {
        match self.settings.play {
            Play::Normal => Ok(()),
            Play::Misere => bouton_games::check_misere(self.game, position),
        }
    }

    /// Returns what the game's theory says of a position.
    fn by_theory(&mut self, position: &str) -> Option<Answer> {
        let (certificates, budget) = (self.theorems.certificates(), &self.settings.budget);
        let (analysis, by) = self.theory.as_mut()?.answer(position, certificates, budget)?;
        Some(Answer { moves: Some(analysis.moves.len().into()), analysis, by, ignored: None })
    }

    /// Returns what a theorem on a family of games says of a position.
    fn by_family(&self, position: &str) -> Option<Answer> {
        by_parameter::answer(self.game, position, self.settings.play, &self.settings.budget)
    }

    /// Goes on with another budget.
    pub fn renew(&mut self, budget: Budget) {
        self.session.set_budget(budget.clone());
        self.settings.budget = budget;
    }

    /// Returns the moves of a position, with what the budget lets a search find out of them; where
    /// they are too many to be listed, as [`Answers::of`]. With a budget of one node this tells
    /// only what may be done and whether play is over.
    pub fn moves(&mut self, position: &str) -> Result<Answer, NotationError> {
        self.played(position)?;
        let large = self.theory.as_ref().is_some_and(|theory| theory.is_large(position));
        if large
            || sizes(self.game, position)
                .is_some_and(|heaps| is_large(self.game, &heaps, self.settings.play))
        {
            return self.of(position);
        }
        let analysis = self.session.analyse(position)?;
        Ok(Answer { analysis, by: Justification::Search, moves: None, ignored: None })
    }

    /// Returns a move to answer with, of a game won on points: see [`Session::suggest_move`].
    pub fn reply(&mut self, position: &str) -> Result<Option<SuggestedMove>, NotationError> {
        self.session.suggest_move(position)
    }

    /// Answers a position.
    pub fn of(&mut self, position: &str) -> Result<Answer, NotationError> {
        self.played(position)?;
        if self.theory.is_some() {
            return self.with_theory(position);
        }
        // Not in the page, which would grow.
        #[cfg(not(target_family = "wasm"))]
        if self.settings.play == Play::Normal
            && let Some(theorem) = bouton_games::position_theorem(self.game)
            && let Some((analysis, moves)) = theorem.analyse(self.game, position)?
        {
            let by = Justification::Literature(theorem.source().into());
            return Ok(Answer { analysis, by, moves: Some(moves.into()), ignored: None });
        }
        #[cfg(not(target_family = "wasm"))]
        if self.settings.play == Play::Normal
            && let Some((heaps, found)) = single_heap_sums::slow_list(self.game, position)
        {
            return Ok(on_heaps(self.game, &heaps, found, Instant::now()));
        }
        #[cfg(not(target_family = "wasm"))]
        if let Some(found) =
            crate::large_sums::by_parts(self.game, position, &self.settings, self.theorems)?
        {
            return Ok(found);
        }
        #[cfg(not(target_family = "wasm"))]
        let mut ignored = match crate::misere_sums::answer(self.game, position, &self.settings)? {
            ByQuotient::Answered(found) => return Ok(*found),
            ByQuotient::NotFound { why, too_many: true } => {
                // The moves alone.
                self.session.set_budget(Budget { nodes: Some(1), ..self.settings.budget.clone() });
                let mut analysis = self.session.analyse(position)?;
                self.session.set_budget(self.settings.budget.clone());
                analysis.spent = analysis.spent.map(|_| bouton_core::LimitReached::NumbersTooLarge);
                return Ok(Answer {
                    analysis,
                    by: Justification::Search,
                    moves: None,
                    ignored: Some(why),
                });
            }
            ByQuotient::NotFound { why, .. } => Some(why),
            ByQuotient::Other => None,
        };
        #[cfg(target_family = "wasm")]
        let mut ignored = None;
        let heaps = sizes(self.game, position);
        if let Some(heaps) = &heaps {
            check_occurs(self.game, position, heaps)?;
        }
        let is_large =
            heaps.as_ref().is_some_and(|heaps| is_large(self.game, heaps, self.settings.play));
        let (game, theorems, settings) = (self.game, self.theorems, &self.settings);
        let mut proved = || {
            let found = by_proof(game, heaps.as_deref()?, settings, theorems);
            found.unwrap_or_else(|why| {
                ignored = Some(why.to_string());
                by_proof(game, heaps.as_deref()?, settings, &theorems.clone().without_cache())
                    .ok()?
            })
        };
        if by_parameter::comes_first(self.game, position)
            && let Some(found) = self.by_family(position)
        {
            return Ok(found);
        }
        if is_large && let Some(found) = proved() {
            return Ok(Answer { ignored, ..found });
        }
        let analysis = self.session.analyse(position)?;
        if analysis.spent.is_some()
            && analysis.evaluation == Evaluation::default()
            && let Some(found) = self.by_family(&analysis.position)
        {
            return Ok(Answer { ignored, ..found });
        }
        if !is_large
            && analysis.spent.is_some()
            && analysis.evaluation == Evaluation::default()
            && let Some(mut found) = proved()
        {
            found.analysis.nodes = analysis.nodes;
            found.analysis.seconds += analysis.seconds;
            return Ok(Answer { ignored, ..found });
        }
        Ok(Answer { analysis, by: Justification::Search, moves: None, ignored })
    }

    /// Answers a position of a game whose theory may know it: where much is left to play the theory
    /// first, else the search.
    fn with_theory(&mut self, position: &str) -> Result<Answer, NotationError> {
        let position = &self.game.normal_form(position)?;
        let is_large = self.theory.as_ref().is_some_and(|theory| theory.is_large(position));
        if is_large && let Some(found) = self.by_theory(position) {
            return Ok(found);
        }
        let analysis = self.session.analyse(position)?;
        // A won position is known only with a move that wins.
        let won = analysis.evaluation.outcome == Some(Outcome::N);
        let move_known = analysis.moves.iter().any(|m| m.evaluation.outcome == Some(Outcome::P));
        let unknown = analysis.evaluation == Evaluation::default() || won && !move_known;
        if unknown
            && analysis.spent.is_some()
            && !is_large
            && let Some(mut found) = self.by_theory(position)
        {
            found.analysis.nodes = analysis.nodes;
            found.analysis.seconds += analysis.seconds;
            return Ok(found);
        }
        Ok(Answer { analysis, by: Justification::Search, moves: None, ignored: None })
    }
}

/// Returns what is proved of a position; `None` where nothing is.
fn by_proof(
    game: &dyn Game,
    heaps: &[BigUint],
    settings: &Settings,
    theorems: &Theorems,
) -> Result<Option<Answer>, TheoremError> {
    let started = Instant::now();
    let budget = Budget { nodes: None, ..settings.budget.clone() };
    let mut meter = Meter::new(&budget);
    // Where the budget ends in these few values, the search says so.
    let by_values =
        single_heap_sums::known(game, settings.play, heaps, &budget).unwrap_or_default();
    let theorem = match by_values {
        Some(Heaps {
            by:
                Justification::Period { .. }
                | Justification::HeapValues { .. }
                | Justification::Quotient { .. },
            ..
        }) => None,
        #[cfg(not(target_family = "wasm"))]
        Some(Heaps { by: Justification::Outcomes { .. }, .. }) => None,
        _ => theorems.find_on_heaps(game, heaps.len(), settings.play)?,
    };
    let found = match (by_values, theorem) {
        (Some(found), None) => found,
        // The values give the move, the theorem the certificate.
        (Some(found), Some(known)) => Heaps { by: known.by(), ..found },
        (None, known) => {
            let found = match by_value(game, heaps, settings.play, theorems, &mut meter)? {
                Some(found) => Some(found),
                None => known.and_then(|known| by_theorem(&known, heaps, &mut meter)),
            };
            let found = match found {
                Some(found) => Some(found),
                None => theorems
                    .certified_positions(game, settings.play)?
                    .and_then(|known| by_certificate(&known, heaps, &mut meter)),
            };
            let found = match found {
                Some(found) => Some(found),
                None => by_part(game, heaps, settings.play, theorems, &mut meter)?,
            };
            match found {
                Some(found) => found,
                None => return Ok(None),
            }
        }
    };
    Ok(Some(on_heaps(game, heaps, found, started)))
}

/// Returns the answer at heaps of which this is known.
fn on_heaps(game: &dyn Game, heaps: &[BigUint], found: Heaps, started: Instant) -> Answer {
    // All options of a P-position are N.
    let (option, outcome) = match &found.winning {
        Some(option) => (Some(option.clone()), Outcome::P),
        None if found.lost => (large_heaps::some_option(game, heaps), Outcome::N),
        None => (None, Outcome::P),
    };
    let moves = option.iter().map(|option| Move {
        to: heaps_text(option),
        text: changes(game, heaps, option),
        evaluation: Evaluation { outcome: Some(outcome), ..Evaluation::default() },
        brings: None,
    });
    let small = |value: BigUint| u32::try_from(value).ok().map(Nimber);
    let evaluation = Evaluation {
        outcome: Some(if found.lost { Outcome::P } else { Outcome::N }),
        nim_value: found.value.and_then(small),
        ..Evaluation::default()
    };
    let analysis = Analysis {
        seconds: started.elapsed().as_secs_f64(),
        ..Analysis::without_search(heaps_text(heaps), evaluation, moves.collect())
    };
    Answer { analysis, by: found.by, moves: count(game, heaps), ignored: None }
}

/// Returns the nim-value, where a theorem is known of the game with a heap of Nim beside it that
/// can be solved for that heap.
fn by_value(
    game: &dyn Game,
    heaps: &[BigUint],
    play: Play,
    theorems: &Theorems,
    meter: &mut Meter,
) -> Result<Option<Heaps>, TheoremError> {
    if play == Play::Misere || game.kind() != Kind::Impartial {
        return Ok(None);
    }
    let Ok(beside) = with_value(game) else { return Ok(None) };
    let Some(stated) = beside.heap_game() else { return Ok(None) };
    let place = ValuePlace::in_sum(&stated);
    let mut alone = heaps.to_vec();
    alone.insert(place.index(), BigUint::ZERO);
    let (found, value) = match theorems.about_values(game, &*beside, heaps.len())? {
        Some(known) => {
            let claim = known.claims.last();
            let value = claim.and_then(|claim| nim_values::value(claim, place, &alone));
            (by_theorem(&known, &alone, meter), value)
        }
        None => {
            let Some(known) = theorems.certified_positions(&*beside, play)? else {
                return Ok(None);
            };
            let value = (0..=MAX_VALUE).map(BigUint::from).find(|value| {
                alone[place.index()] = value.clone();
                known.contains(&alone) == Some(true)
            });
            alone[place.index()] = BigUint::ZERO;
            let statement = format!("with the nim-value as the last heap, {}", known.statement());
            let found = by_certificate(&known, &alone, meter).map(|found| {
                let certificate = known.certificate.clone();
                Heaps { by: Justification::Theorem { statement, certificate }, ..found }
            });
            (found, value)
        }
    };
    let found = found.map(|mut found| {
        // The heap beside is empty and stays so.
        found.winning.iter_mut().for_each(|option| drop(option.remove(place.index())));
        Heaps { value, ..found }
    });
    Ok(found.filter(|found| {
        found.value.as_ref().is_none_or(|value| found.lost == (*value == BigUint::ZERO))
    }))
}

/// As [`by_theorem`], by a certificate of an automaton or of pairs.
fn by_certificate(
    known: &CertifiedPositions,
    heaps: &[BigUint],
    meter: &mut Meter,
) -> Option<Heaps> {
    let HeapsOutcome { lost, winning } = known.find(heaps, meter)?;
    let by = Justification::Theorem {
        statement: known.statement(),
        certificate: known.certificate.clone(),
    };
    Some(Heaps { lost, value: None, winning, by })
}

/// Values up to this one are sought by an automaton.
const MAX_VALUE: u32 = 1 << 12;

/// As [`by_theorem`], by a theorem on a part of the game that has the position: no move leaves it.
fn by_part(
    game: &dyn Game,
    heaps: &[BigUint],
    play: Play,
    theorems: &Theorems,
    meter: &mut Meter,
) -> Result<Option<Heaps>, TheoremError> {
    let Some((known, places)) = theorem_on_part(theorems, game, heaps, play)? else {
        return Ok(None);
    };
    let own: Vec<BigUint> = places.iter().map(|place| heaps[*place].clone()).collect();
    let Some(found) = by_theorem(&known, &own, meter) else { return Ok(None) };
    let winning = found.winning.map(|option| {
        let mut whole = heaps.to_vec();
        places.iter().zip(option).for_each(|(place, left)| whole[*place] = left);
        whole
    });
    let winning = winning.filter(|option| large_heaps::allows(game, heaps, option));
    let named: Vec<String> = ('a'..='z')
        .zip(&places)
        .map(|(letter, place)| format!("{letter} is heap {}", place + 1))
        .collect();
    let statement = format!("{}, where {}", known.statement(), named.join(", "));
    let by = Justification::Theorem { statement, certificate: known.certificate };
    Ok(Some(Heaps { winning, by, ..found }))
}

/// Asks the claim about the position, and the proof about a winning move.
fn by_theorem(known: &Known, heaps: &[BigUint], meter: &mut Meter) -> Option<Heaps> {
    let set = PPositions::new(&known.game, &known.claims, known.numeration, meter).ok()?;
    let board = known.game.boards.iter().rposition(|board| board.heaps == heaps.len())?;
    let lost = set.contains(board, heaps, meter).ok()?;
    let winning = set.options(board, heaps, 1, meter).unwrap_or_default().pop();
    Some(Heaps { lost, value: None, winning: winning.map(|(_, option)| option), by: known.by() })
}

impl Known {
    fn by(&self) -> Justification {
        Justification::Theorem {
            statement: self.statement(),
            certificate: self.certificate.clone(),
        }
    }
}

/// Returns the position as the game writes it; heaps may be larger than the game's own positions
/// hold, where proofs may answer.
pub fn normal_form(game: &dyn Game, position: &str) -> Result<String, NotationError> {
    let huge = |heaps: &Vec<BigUint>| heaps.iter().any(|heap| u32::try_from(heap).is_err());
    match sizes(game, position).filter(huge) {
        Some(heaps) => {
            check_occurs(game, position, &heaps)?;
            Ok(heaps_text(&heaps))
        }
        None => game.normal_form(position),
    }
}

/// Refuses a position with heaps of any size that the rules say does not occur.
fn check_occurs(game: &dyn Game, position: &str, heaps: &[BigUint]) -> Result<(), NotationError> {
    let Some(domain) = game.heap_game().and_then(|stated| stated.moves.domain) else {
        return Ok(());
    };
    let numbers: Option<Vec<u64>> = heaps.iter().map(|heap| u64::try_from(heap).ok()).collect();
    let why = match numbers {
        Some(numbers) if domain.contains(&numbers) => return Ok(()),
        Some(_) => domain.refusal(),
        None => format!(
            "whether a position beyond 64 bits occurs is not known: positions = \"{}\"",
            domain.formula
        ),
    };
    Err(NotationError::new(position, 0..position.len(), why, game.position_form()))
}

/// Returns the sizes of the heaps, of any size, where a list of them makes the position.
pub(crate) fn sizes(game: &dyn Game, position: &str) -> Option<Vec<BigUint>> {
    let stated = game.heap_game();
    if game.kind() != Kind::Impartial || stated.is_none() && !single_heap_sums::has_values(game) {
        return None;
    }
    let position = position.trim();
    // `1,000` may be one number, `3-5` a range: the game says so.
    let list = comma_list(position)?;
    let mut heaps = list.split(',').map(size).collect::<Option<Vec<BigUint>>>()?;
    match stated {
        Some(stated) if stated.shrinks => {
            heaps.retain(|heap| *heap != BigUint::ZERO);
            (heaps.len() <= stated.heaps).then_some(heaps)
        }
        Some(stated) => (heaps.len() == stated.heaps).then_some(heaps),
        None => (heaps.len() <= MAX_ROWS).then_some(heaps),
    }
}

/// Reads the size of a heap, in digits or as a power (`10^18`, `1e18`).
fn size(text: &str) -> Option<BigUint> {
    /// Largest exponent that is read; a larger heap is no position that anything is known of.
    const MAX_EXPONENT: u32 = 4096;
    let written =
        WrittenNumber::whole(text.trim()).filter(|written| written.exponent <= MAX_EXPONENT)?;
    let (factor, base): (BigUint, BigUint) =
        (written.factor.parse().ok()?, written.base.parse().ok()?);
    Some(factor * base.pow(written.exponent))
}

/// Returns whether so much lies below that theorems are asked before any search.
pub(crate) fn is_large(game: &dyn Game, heaps: &[BigUint], play: Play) -> bool {
    if single_heap_sums::has_values(game) {
        let misere = play == Play::Misere && game.heap_moves().is_some();
        let most = if misere { SEARCHED_MISERE } else { SEARCHED_ROWS };
        return heaps.iter().sum::<BigUint>() > BigUint::from(most);
    }
    let below = heaps.iter().map(|heap| heap + 1u8).product::<BigUint>();
    below * count(game, heaps).unwrap_or_else(|| heaps.iter().sum()) > BigUint::from(SEARCHED)
}

/// Returns how many options there are, where moves take what they like from the heaps of a window:
/// for each set of heaps within a window, all ways to lower each of them.
fn count(game: &dyn Game, heaps: &[BigUint]) -> Option<BigUint> {
    let windows = match game.heap_game() {
        Some(stated) if stated.shrinks || stated.moves.condition.is_some() => return None,
        Some(stated) => stated.moves.windows.on_heaps(heaps.len(), MAX_WINDOWS)?,
        None => Windows::Any(single_heap_sums::most_lowered(game)?)
            .on_heaps(heaps.len(), MAX_WINDOWS)?,
    };
    let mut lowered: BTreeSet<Vec<usize>> = BTreeSet::new();
    for window in windows {
        if window.len() > WIDEST {
            return None;
        }
        for chosen in 1u32..1 << window.len() {
            let mut set: Vec<usize> =
                (0..window.len()).filter(|i| chosen >> i & 1 == 1).map(|i| window[i]).collect();
            set.arrange();
            lowered.insert(set);
        }
    }
    Some(lowered.iter().map(|set| set.iter().map(|&h| &heaps[h]).product::<BigUint>()).sum())
}

/// The most heaps of a position without a fixed number of them, as in the games themselves.
const MAX_ROWS: usize = 4096;
/// The most windows whose options are counted, and the most heaps in one.
const MAX_WINDOWS: usize = 1000;
const WIDEST: usize = 12;

/// Returns what a move changes: heaps, then what is remembered.
pub(crate) fn changes(game: &dyn Game, from: &[BigUint], to: &[BigUint]) -> MoveText {
    if from.len() != to.len() {
        return MoveText::Position(heaps_text(to));
    }
    let remembered = game.heap_game().map_or(0, |stated| stated.moves.memory.count);
    let heaps = from.len().saturating_sub(remembered);
    let called = |i: usize| match i.checked_sub(heaps) {
        None => format!("heap {}", i + 1),
        Some(i) => format!("memory {}", i + 1),
    };
    let changed = (0..from.len()).filter(|&i| from[i] != to[i]);
    let told = changed.map(|i| format!("{}: {} → {}", called(i), from[i], to[i]));
    MoveText::Change(told.collect::<Vec<_>>().join(", "))
}
