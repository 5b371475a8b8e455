//! Games that are sums of single heaps, answered by nim-values of heaps of any size, or by a misère
//! quotient.
//!
//! The values of a subtraction or taking-and-breaking game are known for all sizes once their
//! period is proved and the independent checker has accepted the certificate; else all values up to
//! the largest heap are computed, which is less than any search of the sum. In misère play the
//! quotient of the heaps, proved over all their sums, tells the outcome. A heap of n in Nim has the
//! value n: its options are all smaller heaps, by induction of the values 0, …, n − 1. In Moore's
//! Nim only outcomes are known (Moore 1910); winning moves are made from the digits, from the most
//! significant on. A winning move of a sum is one in some heap to the value that the other heaps
//! have together.

use crate::large_heaps;
use bouton_certificate::Certificate;
#[cfg(not(target_family = "wasm"))]
use bouton_core::comma_list;
use bouton_core::{
    Arrange, Budget, FormulaBuilder, HeapMoves, LimitReached, Meter, Moves, Node, Play, Relation,
    Term, Windows,
};
use bouton_engine::Game;
#[cfg(not(target_family = "wasm"))]
use bouton_games::{RuleFile, SplitRules};
#[cfg(not(target_family = "wasm"))]
use bouton_heaps::single_heap::SingleHeap;
use bouton_octal::misere::Quotient;
use bouton_octal::sequence::{Period, Sequence, TakeAndBreakCode, period};
use bouton_theory::Justification;
use bouton_theory::checked::check_certificate;
use num_bigint::BigUint;
use std::ops::ControlFlow::{Break, Continue};
use std::time::Duration;

/// What is known of a position in heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heaps {
    /// Whether the player to move loses.
    pub lost: bool,
    /// The nim-value, where values are known.
    pub value: Option<BigUint>,
    /// A winning option, if there is one and it was found: the heaps after the move.
    pub winning: Option<Vec<BigUint>>,
    /// What it is known by.
    pub by: Justification,
}

/// The most values of a sequence that are computed to prove a period: rows that are not searched
/// are about as long.
const MAX_VALUES: usize = 1 << 15;

/// Returns whether the game is a sum of single heaps with nim-values that may be known, or Moore's
/// Nim.
pub(crate) fn has_values(game: &dyn Game) -> bool {
    game.heap_moves().is_some() || most_lowered(game).is_some()
}

/// Returns how many heaps a move may lower, where it may lower any heaps up to this number: Nim and
/// Moore's Nim.
pub(crate) fn most_lowered(game: &dyn Game) -> Option<usize> {
    match game.moves()? {
        Moves { windows: Windows::Any(most @ 1..), condition: None, permutation: None, .. } => {
            Some(most)
        }
        _ => None,
    }
}

/// Returns whether several heaps of a game on any number of heaps are the sum of the single ones:
/// not if a move lowers more than one, as in Moore's Nim.
pub fn is_sum_of_heaps(game: &dyn Game) -> bool {
    most_lowered(game).is_none_or(|most| most == 1)
}

/// Returns what is known of heaps of any size; `None` where nothing is.
pub(crate) fn known(
    game: &dyn Game,
    play: Play,
    heaps: &[BigUint],
    budget: &Budget,
) -> Result<Option<Heaps>, LimitReached> {
    match (single_moves(game), play, most_lowered(game)) {
        (Some(moves), Play::Normal, _) => by_sequence(&moves, heaps, &BigUint::ZERO, budget),
        (Some(moves), Play::Misere, _) => {
            let found = by_quotient(&moves, heaps, budget)?;
            #[cfg(not(target_family = "wasm"))]
            let found = match (found, &moves) {
                (None, HeapMoves::Take(set)) => by_outcomes(set, heaps, budget)?,
                (found, _) => found,
            };
            Ok(found)
        }
        (_, Play::Normal, Some(1)) => Ok(Some(nim(heaps, &BigUint::ZERO))),
        (_, Play::Misere, Some(1)) => Ok(Some(misere_nim(heaps))),
        (_, Play::Normal, Some(most)) => Ok(Some(moore(most + 1, heaps))),
        (_, Play::Misere, Some(most)) => Ok(Some(misere_moore(most + 1, heaps))),
        // Not in the page, which would grow.
        #[cfg(not(target_family = "wasm"))]
        (None, Play::Normal, None) => {
            Ok(slow(game, heaps).or_else(|| crate::fibonacci_nim::answer(game, heaps)))
        }
        #[cfg(not(target_family = "wasm"))]
        (None, Play::Misere, None) => Ok(slow_misere(game, heaps)),
        #[cfg(target_family = "wasm")]
        (None, _, None) => Ok(None),
    }
}

/// Returns what is known in normal play of heaps beside something of this value: value and winning
/// move are those of both together. `None` where nothing is.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn known_beside(
    game: &dyn Game,
    heaps: &[BigUint],
    beside: &BigUint,
    budget: &Budget,
) -> Result<Option<Heaps>, LimitReached> {
    match (single_moves(game), most_lowered(game)) {
        (Some(moves), _) => by_sequence(&moves, heaps, beside, budget),
        (_, Some(1)) => Ok(Some(nim(heaps, beside))),
        _ => Ok(None),
    }
}

/// Answers Nim: the value of a heap is its size.
fn nim(heaps: &[BigUint], beside: &BigUint) -> Heaps {
    let value = heaps.iter().fold(beside.clone(), |sum, heap| sum ^ heap);
    let lower = heaps.iter().position(|heap| heap ^ &value < *heap);
    let winning = lower.map(|i| with(heaps, i, &heaps[i] ^ &value));
    let by = Justification::Literature("Bouton 1902: a heap of n has nim-value n".into());
    Heaps { lost: value == BigUint::ZERO, value: Some(value), winning, by }
}

/// Answers heaps, of each of which as many tokens may be taken as a function says that grows
/// slowly.
#[cfg(not(target_family = "wasm"))]
fn slow(game: &dyn Game, heaps: &[BigUint]) -> Option<Heaps> {
    let stated = game.heap_game().or_else(|| {
        let moves = game.ruleset().downcast_ref::<SplitRules>()?.of_one_heap()?;
        let text = format!("name = \"one-heap\"\nheaps = 1\nmove = \"\"\"{moves}\"\"\"\n");
        RuleFile::parse(&text).ok()?.game().heap_game()
    });
    let single = SingleHeap::new(&stated.filter(|stated| stated.heaps == 1)?)?;
    let sizes: Vec<u64> =
        heaps.iter().map(|heap| u64::try_from(heap).ok()).collect::<Option<_>>()?;
    let values: Vec<u64> =
        sizes.iter().map(|size| single.slow_value(*size)).collect::<Option<_>>()?;
    let value = values.iter().fold(0, |sum, value| sum ^ value);
    let lower = (0..heaps.len()).find(|i| values[*i] ^ value < values[*i]);
    let winning = match lower {
        Some(i) => {
            let left = single.slow_option(sizes[i], values[i] ^ value)?;
            Some(with(heaps, i, left.into()))
        }
        None => None,
    };
    let by = Justification::Literature(
        "Levine 2006: if the number f(n) that may be taken grows by at most 1 from n - 1 to n, \
         the value of n is f(n) where it grows, else that of n - f(n) - 1"
            .into(),
    );
    Some(Heaps { lost: value == 0, value: Some(value.into()), winning, by })
}

/// Answers a list of heaps of which one is large, each lowered by itself, as [`slow`] does; returns
/// the heaps, too.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn slow_list(game: &dyn Game, position: &str) -> Option<(Vec<BigUint>, Heaps)> {
    /// Lists of lesser heaps are searched.
    const SEARCHED: u32 = 1 << 20;
    game.ruleset().downcast_ref::<SplitRules>()?;
    let list = comma_list(position)?;
    let heaps: Option<Vec<BigUint>> = list.split(',').map(|heap| heap.parse().ok()).collect();
    let heaps = heaps.filter(|heaps| heaps.iter().any(|heap| *heap > SEARCHED.into()))?;
    let found = slow(game, &heaps)?;
    Some((heaps, found))
}

/// As [`slow`], in misère play; `None` of a heap without a move.
#[cfg(not(target_family = "wasm"))]
fn slow_misere(game: &dyn Game, heaps: &[BigUint]) -> Option<Heaps> {
    let [heap] = heaps else { return None };
    let single = SingleHeap::new(&game.heap_game()?)?;
    let (lost, winning) = single.slow_misere(u64::try_from(heap).ok()?)?;
    let winning = winning.map(|left| vec![left.into()]);
    (lost || winning.is_some()).then_some(Heaps {
        lost,
        value: None,
        winning,
        by: Justification::Slow,
    })
}

/// What Bouton proved of Nim in misère play.
pub(crate) const MISERE_NIM: &str = "Bouton 1902: as in normal play while some heap has two \
    tokens, else P exactly if the heaps of one are odd in number";

/// Answers Nim in misère play: as in normal play while some heap has two tokens or more after the
/// move, else with an odd number of heaps of one.
fn misere_nim(heaps: &[BigUint]) -> Heaps {
    let one = BigUint::from(1u8);
    let large: Vec<usize> = (0..heaps.len()).filter(|&i| heaps[i] > one).collect();
    let ones = heaps.iter().filter(|heap| **heap == one).count();
    let (lost, winning) = match large[..] {
        [] => (
            ones % 2 == 1,
            heaps.iter().position(|heap| *heap == one).map(|i| with(heaps, i, BigUint::ZERO)),
        ),
        [i] => (false, Some(with(heaps, i, BigUint::from(1 - ones % 2)))),
        _ => {
            let normal = nim(heaps, &BigUint::ZERO);
            (normal.lost, normal.winning)
        }
    };
    let by = Justification::Literature(MISERE_NIM.into());
    Heaps { lost, value: None, winning: winning.filter(|_| !lost), by }
}

/// Returns the heaps with another one in this place.
fn with(heaps: &[BigUint], place: usize, heap: BigUint) -> Vec<BigUint> {
    let mut left = heaps.to_vec();
    left[place] = heap;
    left
}

/// Answers Moore's Nim, a move lowering up to b − 1 heaps: lost exactly if the binary digits sum to
/// 0 modulo b in every place.
///
/// From the most significant digit on: heaps already lowered have any digits below. A place where
/// they cannot make up for what the digits of the others lack has as many further heaps lowered as
/// the sum there says, which are few enough.
fn moore(b: usize, heaps: &[BigUint]) -> Heaps {
    let places = heaps.iter().map(BigUint::bits).max().unwrap_or(0);
    let sum =
        |heaps: &[BigUint], place: u64| heaps.iter().filter(|heap| heap.bit(place)).count() % b;
    let lost = (0..places).all(|place| sum(heaps, place) == 0);
    let mut left = heaps.to_vec();
    let mut lowered: Vec<usize> = Vec::new();
    for place in (0..places).rev() {
        let others: Vec<usize> =
            (0..heaps.len()).filter(|i| !lowered.contains(i) && heaps[*i].bit(place)).collect();
        let lacking = (b - others.len() % b) % b;
        let set = if lacking <= lowered.len() { lacking } else { 0 };
        for (number, &i) in lowered.iter().enumerate() {
            left[i].set_bit(place, number < set);
        }
        if lacking > lowered.len() {
            for &i in &others[..others.len() % b] {
                left[i].set_bit(place, false);
                lowered.push(i);
            }
        }
    }
    let right = (0..places).all(|place| sum(&left, place) == 0) && lowered.len() < b;
    let by = Justification::Literature(format!(
        "Moore 1910: P exactly if the binary digits sum to 0 modulo {b} in every place"
    ));
    Heaps { lost, value: None, winning: (!lost && right).then_some(left), by }
}

/// Answers Moore's Nim in misère play: as in normal play while some heap has two tokens or more
/// after the move, else with a number of heaps of one that leaves the remainder 1 modulo b.
///
/// Fewer than b larger heaps are all lowered to 0 or 1, and if need be heaps of one taken: the
/// number of ones that are left runs through b numbers, or through all from 0 on to some that is
/// at least 1.
fn misere_moore(b: usize, heaps: &[BigUint]) -> Heaps {
    let one = BigUint::from(1u8);
    let (large, ones): (Vec<usize>, Vec<usize>) =
        (0..heaps.len()).filter(|&i| heaps[i] > BigUint::ZERO).partition(|&i| heaps[i] > one);
    let by = Justification::Literature(format!(
        "Winning Ways 1982, chapter 15: as in normal play while some heap has two tokens, else P exactly if the \
         number of heaps of one is 1 modulo {b}"
    ));
    if large.len() >= b {
        return Heaps { by, ..moore(b, heaps) };
    }
    let lost = large.is_empty() && ones.len() % b == 1;
    // The most ones that may be left, and how many less have the remainder 1.
    let fewer = (large.len() + ones.len() + b - 1) % b;
    let left = || {
        let mut left = heaps.to_vec();
        large.iter().for_each(|i| left[*i] = one.clone());
        let lowered = large.iter().chain(&ones).take(fewer);
        lowered.for_each(|i| left[*i] = BigUint::ZERO);
        left
    };
    let has_move = !(large.is_empty() && ones.is_empty());
    Heaps { lost, value: None, winning: (!lost && has_move).then(left), by }
}

/// Nim-values of single heaps: those computed, and the ones behind a proved period.
struct HeapValues<'s> {
    sequence: &'s Sequence,
    period: Option<Period>,
}

/// Returns the difference, unless it is negative.
fn less(a: &BigUint, b: &BigUint) -> Option<BigUint> {
    (a >= b).then(|| a - b)
}

/// A proved period with a saltus needs no more heaps beside a large one than this for any value.
const MAX_BESIDE: usize = 300;

/// The most pairs of heaps that are tried for a winning move.
const MAX_PAIRS: usize = 1 << 24;

impl HeapValues<'_> {
    /// Returns the value; without a period, of a heap that was computed.
    fn value(&self, size: &BigUint) -> BigUint {
        let computed = usize::try_from(size).ok().filter(|n| *n < self.sequence.len());
        match (computed, &self.period) {
            (None, Some(period)) => {
                let past = size - period.preperiod;
                let place = usize::try_from(&past % period.period).unwrap_or(0);
                let value = BigUint::from(self.sequence.value(period.preperiod + place));
                value + (past / period.period) * period.saltus
            }
            (n, _) => self.sequence.value(n.unwrap_or(0)).into(),
        }
    }

    /// Returns what may be left of a heap, of this value: by takings, no heap or one.
    fn taking(&self, set: &[u64], size: &BigUint, wanted: &BigUint) -> Option<Vec<BigUint>> {
        let left = |taken: &u64| (BigUint::from(*taken) <= *size).then(|| size - *taken);
        set.iter().filter_map(left).find(|left| self.value(left) == *wanted).map(|left| vec![left])
    }

    /// Returns the same by a code that leaves at most two heaps and ends, without saltus. The
    /// lesser of two may be sought below preperiod and period: a larger one can be made smaller by
    /// periods, and the other one larger.
    fn breaking(
        &self,
        code: &TakeAndBreakCode,
        size: &BigUint,
        wanted: &BigUint,
    ) -> Option<Vec<BigUint>> {
        if !code.is_plain() {
            return self.by_options(code, size, wanted);
        }
        let most = code.most_taken()?;
        let bound =
            self.period.map_or(self.sequence.len(), |period| period.preperiod + period.period);
        let mut tried = 0;
        for taken in (0..=most).filter(|taken| BigUint::from(*taken) <= *size) {
            let (digit, rest) = (code.digit(taken), size - taken);
            let empty = rest == BigUint::ZERO;
            if digit.allows(0) && empty && *wanted == BigUint::ZERO {
                return Some(Vec::new());
            }
            if digit.allows(1) && !empty && taken > 0 && self.value(&rest) == *wanted {
                return Some(vec![rest]);
            }
            if digit.allows(2) {
                for small in 1..bound {
                    let first = BigUint::from(small);
                    tried += 1;
                    if &first + &first > rest || tried > MAX_PAIRS {
                        break;
                    }
                    let second = &rest - &first;
                    let fits = !digit.unequal() || first != second;
                    if fits && self.value(&first) ^ self.value(&second) == *wanted {
                        return Some(vec![first, second]);
                    }
                }
            }
        }
        None
    }

    /// Returns the same by looking through all options, so far as they are not too many.
    fn by_options(
        &self,
        code: &TakeAndBreakCode,
        size: &BigUint,
        wanted: &BigUint,
    ) -> Option<Vec<BigUint>> {
        let mut tried = 0;
        let found = code.options(u32::try_from(size).ok()?, |left| {
            tried += 1;
            let left: Vec<BigUint> = left.iter().map(|heap| (*heap).into()).collect();
            let value = left.iter().fold(BigUint::ZERO, |sum, heap| sum ^ self.value(heap));
            match value == *wanted {
                true => Break(Some(left)),
                false if tried >= MAX_PAIRS => Break(None),
                false => Continue(()),
            }
        });
        found.break_value().flatten()
    }

    /// Returns the heaps of a value, where the values have a saltus.
    fn heaps_of(&self, value: &BigUint) -> Vec<BigUint> {
        let Some(period) = self.period.filter(|period| period.saltus > 0) else {
            return Vec::new();
        };
        let early =
            (1..period.preperiod).filter(|n| BigUint::from(self.sequence.value(*n)) == *value);
        let late = (period.preperiod..period.preperiod + period.period).filter_map(|n| {
            let least = BigUint::from(self.sequence.value(n));
            let rise = (*value >= least).then(|| value - least)?;
            let whole = &rise % period.saltus == BigUint::ZERO;
            whole.then(|| BigUint::from(n) + rise / period.saltus * period.period)
        });
        early.map(BigUint::from).chain(late).filter(|heap| *heap > BigUint::ZERO).collect()
    }

    /// Returns what may be left of a heap, of this value, where the values have a saltus: a heap of
    /// the value with small ones, or with two heaps of equal values.
    fn growing(
        &self,
        code: &TakeAndBreakCode,
        size: &BigUint,
        wanted: &BigUint,
    ) -> Option<Vec<BigUint>> {
        let allowed = |heaps: &[BigUint]| {
            let left = heaps.iter().sum::<BigUint>();
            left <= *size && large_heaps::allows_code(code, &(size - left), heaps)
        };
        let sorted = |heaps: &[&BigUint]| {
            let mut heaps: Vec<BigUint> = heaps.iter().copied().cloned().collect();
            heaps.arrange();
            Some(heaps).filter(|heaps| allowed(heaps))
        };
        if *wanted == BigUint::ZERO && allowed(&[]) {
            return Some(Vec::new());
        }
        let most = code.most_parts().unwrap_or(2);
        let beside = |heap: &BigUint| -> Option<Vec<BigUint>> {
            if let found @ Some(_) = sorted(&[heap]) {
                return found;
            }
            // Two heaps of equal values beside it, or alone.
            for taken in 0..=code.most_taken().unwrap_or(8).min(64) {
                let rest = less(&less(size, heap)?, &BigUint::from(taken))?;
                for lesser in 0..MAX_BESIDE {
                    let Some(small) = less(&(&rest / 2u8), &BigUint::from(lesser)) else { break };
                    let large = &rest - &small;
                    if small > BigUint::ZERO
                        && self.value(&small) == self.value(&large)
                        && let found @ Some(_) = sorted(&[heap, &small, &large])
                    {
                        return found;
                    }
                }
            }
            None
        };
        let small: Vec<(BigUint, BigUint)> =
            (1..MAX_BESIDE).map(BigUint::from).map(|heap| (self.value(&heap), heap)).collect();
        if let found @ Some(_) = self.heaps_of(wanted).iter().find_map(beside) {
            return found;
        }
        for (value, heap) in &small {
            let others = self.heaps_of(&(wanted ^ value));
            if let found @ Some(_) = others.iter().find_map(|other| sorted(&[heap, other])) {
                return found;
            }
        }
        // Two equal heaps alone have the value 0.
        for taken in
            (0..=code.most_taken().unwrap_or(8).min(64)).filter(|_| *wanted == BigUint::ZERO)
        {
            let Some(rest) = less(size, &BigUint::from(taken)) else { break };
            let half = &rest / 2u8;
            if let found @ Some(_) =
                sorted(&[&half, &(&rest - &half)]).filter(|heaps| heaps[0] == heaps[1])
            {
                return found;
            }
        }
        if most < 3 {
            return None;
        }
        for (i, (one, heap)) in small.iter().enumerate() {
            for (two, second) in &small[i..] {
                let others = self.heaps_of(&(wanted ^ one ^ two));
                if let found @ Some(_) =
                    others.iter().find_map(|other| sorted(&[heap, second, other]))
                {
                    return found;
                }
            }
        }
        None
    }
}

/// Returns the moves of single heaps: as the game has them, or by the numbers that a rule file's
/// single heap may lose, where the rules ask for no more.
pub(crate) fn single_moves(game: &dyn Game) -> Option<HeapMoves> {
    game.heap_moves().or_else(|| takings(game).map(HeapMoves::Take))
}

/// Returns the nim-sequence of a rule file's only heap as that of a subtraction game, if the rules
/// say no more than how many tokens may be taken.
pub fn sequence_by_rules(game: &dyn Game) -> Option<Sequence> {
    Sequence::from_moves(&HeapMoves::Take(takings(game)?)).ok()
}

/// Returns the numbers that may be taken from a rule file's only heap, if they do not depend on it:
/// that the rules say so is decided.
fn takings(game: &dyn Game) -> Option<Vec<u64>> {
    const SAMPLE_HEAP: u64 = 1 << 14;
    /// A formula that lists more is long to decide.
    const MAX_TAKINGS: usize = 256;
    /// For each number, of the search for what the rules bind.
    const STEPS: u64 = 1 << 4;
    let stated = game.heap_game().filter(|stated| stated.heaps == 1 && !stated.shrinks)?;
    let Moves {
        windows: Windows::Any(1),
        condition: Some(condition),
        permutation: None,
        memory,
        domain: None,
    } = stated.moves
    else {
        return None;
    };
    if memory.count > 0 || condition.free != 2 {
        return None;
    }
    if condition.names[..2] != ["p0", "q0"] {
        return None;
    }
    let taken = |taken: &u64| {
        condition.holds_within(&[SAMPLE_HEAP, SAMPLE_HEAP - taken], STEPS) == Ok(true)
    };
    let set: Vec<u64> = (1..=SAMPLE_HEAP / 4).filter(taken).take(MAX_TAKINGS + 1).collect();
    if set.is_empty() || set.len() > MAX_TAKINGS {
        return None;
    }
    // For all p0 and q0: the rules allow the move iff it takes one of these numbers.
    let mut builder = FormulaBuilder::over([]);
    let (before, after) = (builder.bind("p0"), builder.bind("q0"));
    let allowed = builder.embed(&condition, &[before, after]);
    let lowers = Term::Variable(after).compared(Relation::Less, Term::Variable(before));
    let takes = |taken: &u64| {
        let rest = Term::Sum(vec![Term::Variable(after), Term::Number(*taken)]);
        Term::Variable(before).equals(rest)
    };
    let stated = Node::all([allowed, lowers]).iff(Node::any(set.iter().map(takes)));
    let formula = builder.build(stated.for_all(vec![before, after]));
    let mut meter = Meter::new(&bouton_prover::default_budget());
    let decided = bouton_prover::decide(&formula, bouton_prover::Numeration::Binary, &mut meter);
    matches!(decided, Ok(bouton_prover::Decision::True(_))).then_some(set)
}

/// The most values of a sequence that are computed where no period is proved.
const MAX_COMPUTED: usize = 1 << 28;

/// Returns a proved period of the nim-values, with the values so far and the hash of a certificate
/// that the checker accepted; `None` if none is found.
///
/// # Errors
///
/// If the budget ends.
pub(crate) fn proved_period(
    moves: &HeapMoves,
    budget: &Budget,
) -> Result<Option<(Sequence, Period, String)>, LimitReached> {
    let Ok(mut sequence) = Sequence::from_moves(moves) else { return Ok(None) };
    let found = find_proved(moves, &mut sequence, budget)?;
    Ok(found.map(|(period, certificate)| (sequence, period, certificate)))
}

/// Returns a proved period of a sequence, which is extended, and the hash of its certificate.
fn find_proved(
    moves: &HeapMoves,
    sequence: &mut Sequence,
    budget: &Budget,
) -> Result<Option<(Period, String)>, LimitReached> {
    // Values of codes that leave three heaps, or whose digits do not end, take long.
    let is_slow = code_of_moves(moves)
        .is_some_and(|code| code.most_taken().is_none() || code.most_parts() > Some(2));
    let most = if is_slow { MAX_VALUES >> 4 } else { MAX_VALUES };
    let Some(found) = period::find_period(sequence, most, &mut Meter::new(budget))? else {
        return Ok(None);
    };
    let Some(certificate) = found.certificate(sequence).map(Certificate::seal) else {
        return Ok(None);
    };
    let accepted = check_certificate(&certificate, budget)?.is_ok();
    Ok(accepted.then(|| (found, certificate.hash().to_owned())))
}

fn code_of_moves(moves: &HeapMoves) -> Option<TakeAndBreakCode> {
    match moves {
        HeapMoves::Code(code) => TakeAndBreakCode::parse(code).ok(),
        HeapMoves::Take(_) => None,
    }
}

/// Answers by a proved period, or else by all values up to the largest heap.
fn by_sequence(
    moves: &HeapMoves,
    heaps: &[BigUint],
    beside: &BigUint,
    budget: &Budget,
) -> Result<Option<Heaps>, LimitReached> {
    let Ok(mut sequence) = Sequence::from_moves(moves) else { return Ok(None) };
    let code = code_of_moves(moves);
    let (period, by) = match find_proved(moves, &mut sequence, budget)? {
        Some((found, certificate)) => {
            let by = Justification::Period {
                period: found.period,
                preperiod: found.preperiod,
                saltus: found.saltus,
                certificate,
            };
            (Some(found), by)
        }
        None => {
            let largest =
                heaps.iter().max().and_then(|heap| usize::try_from(heap).ok()).unwrap_or(0);
            if largest >= MAX_COMPUTED || heaps.iter().any(|heap| usize::try_from(heap).is_err()) {
                return Ok(None);
            }
            sequence.extend(largest + 1, &mut Meter::new(budget))?;
            (None, Justification::HeapValues { largest })
        }
    };
    let values = HeapValues { sequence: &sequence, period };
    let value = heaps.iter().fold(beside.clone(), |sum, heap| sum ^ values.value(heap));
    let winning =
        heaps.iter().enumerate().filter(|_| value != BigUint::ZERO).find_map(|(i, heap)| {
            let wanted = &value ^ values.value(heap);
            let left = match (moves, &code) {
                (HeapMoves::Take(set), _) => values.taking(set, heap, &wanted),
                (_, Some(code)) if period.is_some_and(|period| period.saltus > 0) => {
                    values.growing(code, heap, &wanted)
                }
                (_, Some(code)) => values.breaking(code, heap, &wanted),
                _ => None,
            }?;
            Some([&heaps[..i], &left, &heaps[i + 1..]].concat())
        });
    Ok(Some(Heaps { lost: value == BigUint::ZERO, value: Some(value), winning, by }))
}

/// How long a misère quotient is sought, at most.
pub(crate) const QUOTIENT_TIME: Duration = Duration::from_secs(5);

/// Answers in misère play, by the quotient of all heaps up to the largest one, or of all heaps
/// there are.
fn by_quotient(
    moves: &HeapMoves,
    heaps: &[BigUint],
    budget: &Budget,
) -> Result<Option<Heaps>, LimitReached> {
    let code = match moves {
        HeapMoves::Code(code) => TakeAndBreakCode::parse(code).ok(),
        HeapMoves::Take(set) => TakeAndBreakCode::subtraction(set),
    };
    let Some(code) = code.filter(|code| {
        code.is_plain() && code.most_taken().is_some() && code.most_parts() <= Some(2)
    }) else {
        return Ok(None);
    };
    let largest = heaps.iter().max().cloned().unwrap_or_default();
    let mut quotient = Quotient::new(code.clone());
    let mut meter = Meter::new(&budget.within(QUOTIENT_TIME));
    while BigUint::from(quotient.heaps()) < largest && quotient.period().is_none() {
        // Where no quotient is found the search goes on.
        if quotient.extend(quotient.heaps() + 1, &mut meter).is_err() {
            return Ok(None);
        }
    }
    let period = quotient.period();
    let image = |heap: &BigUint| {
        let known = u32::try_from(heap).ok().filter(|n| *n <= quotient.heaps());
        let heap = known.unwrap_or_else(|| {
            let (period, preperiod) = period.unwrap_or((1, 0));
            let past = u32::try_from((heap - preperiod) % period).unwrap_or(0);
            preperiod as u32 + past
        });
        quotient.image(heap)
    };
    let product =
        |heaps: &[BigUint]| heaps.iter().fold(0, |z, heap| quotient.product(z, image(heap)));
    let p: Vec<usize> = quotient.p_portion().collect();
    let lost = p.contains(&product(heaps));
    // As with nim-values: the lesser of two heaps left may be sought among the first.
    let bound =
        period.map_or(quotient.heaps() as usize + 1, |(period, preperiod)| preperiod + 2 * period);
    let winning = (0..heaps.len()).filter(|_| !lost).find_map(|i| {
        let others = [&heaps[..i], &heaps[i + 1..]].concat();
        let beside = product(&others);
        let wins = |left: &[BigUint]| p.contains(&quotient.product(beside, product(left)));
        for taken in 0..=code.most_taken()? {
            let Some(rest) = less(&heaps[i], &BigUint::from(taken)) else { break };
            let digit = code.digit(taken);
            let mut left: Vec<Vec<BigUint>> = Vec::new();
            if digit.allows(0) && rest == BigUint::ZERO {
                left.push(Vec::new());
            }
            if digit.allows(1) && taken > 0 && rest > BigUint::ZERO {
                left.push(vec![rest.clone()]);
            }
            if digit.allows(2) {
                let pairs =
                    (1..=bound).map(BigUint::from).take_while(|small| small + small <= rest);
                let pairs = pairs.filter(|small| !digit.unequal() || small + small != rest);
                left.extend(pairs.map(|small| vec![small.clone(), &rest - small]));
            }
            if let Some(left) = left.into_iter().find(|left| wins(left)) {
                return Some([&heaps[..i], &left, &heaps[i + 1..]].concat());
            }
        }
        None
    });
    let by = Justification::Quotient { order: quotient.order(), heaps: quotient.heaps(), period };
    Ok(Some(Heaps { lost, value: None, winning, by }))
}

/// Outcomes of a single heap that are computed to find a period, at most.
#[cfg(not(target_family = "wasm"))]
const MAX_OUTCOMES: usize = 1 << 26;

/// In misère play, by the outcomes of one heap from which the numbers of a set may be taken: the
/// outcome of a heap depends on as many below it as may be taken at most, so they repeat as soon as
/// this many in a row return. `None` where more heaps are not empty, and if no period is found.
#[cfg(not(target_family = "wasm"))]
fn by_outcomes(
    set: &[u64],
    heaps: &[BigUint],
    budget: &Budget,
) -> Result<Option<Heaps>, LimitReached> {
    let taken: Option<Vec<usize>> = set.iter().map(|taken| usize::try_from(*taken).ok()).collect();
    let Some(taken) = taken.filter(|taken| !taken.is_empty()) else { return Ok(None) };
    let most = taken.iter().copied().max().unwrap_or(0);
    let mut full = (0..heaps.len()).filter(|i| heaps[*i] > BigUint::ZERO);
    let (Some(place), None) = (full.next(), full.next()) else { return Ok(None) };
    if most > MAX_OUTCOMES / 4 {
        return Ok(None);
    }
    let mut meter = Meter::new(&Budget { nodes: None, ..budget.clone() });
    let mut won: Vec<bool> = Vec::new();
    let (mut anchor, mut power) = (most, 1);
    let (period, preperiod) = loop {
        let size = won.len();
        if size > anchor {
            if won[anchor - most..anchor] == won[size - most..size] {
                break (size - anchor, anchor - most);
            }
            if size - anchor == power {
                (anchor, power) = (size, 2 * power);
            }
        }
        if size >= MAX_OUTCOMES {
            return Ok(None);
        }
        meter.spend(taken.len() as u64)?;
        let mut options = taken.iter().filter_map(|taken| size.checked_sub(*taken)).peekable();
        won.push(options.peek().is_none() || options.any(|option| !won[option]));
    };
    let is_won = |heap: &BigUint| match usize::try_from(heap) {
        Ok(small) if small < won.len() => won[small],
        _ => {
            let past = usize::try_from((heap - preperiod) % period).unwrap_or(0);
            won[preperiod + past]
        }
    };
    let heap = &heaps[place];
    let options = set.iter().filter_map(|taken| less(heap, &BigUint::from(*taken)));
    let winning = options.filter(|option| !is_won(option)).max().map(|option| {
        let mut after = heaps.to_vec();
        after[place] = option;
        after
    });
    let by = Justification::Outcomes { period, preperiod };
    Ok(Some(Heaps { lost: !is_won(heap), value: None, winning, by }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::{Outcome, heaps_text};

    /// Lists of large heaps, of each of which at most a part may be taken, by the least value that
    /// no option has, and a move that leaves the nim-sum 0.
    #[test]
    fn lists_of_heaps_that_are_lowered_slowly() {
        const PART: usize = 5000;
        const MAX: usize = (1 << 20) + 64;
        // The values, and of each value the last heap that has it.
        let (mut values, mut last) = (Vec::new(), vec![None; MAX / PART + 2]);
        for n in 0..=MAX {
            let least = n - n / PART;
            let is_of_option = |at: &Option<usize>| at.is_some_and(|at| at >= least);
            let value = last.iter().position(|at| !is_of_option(at)).unwrap();
            last[value] = Some(n);
            values.push(value as u64);
        }
        let text = format!(
            "name = \"slow\"\nheaps = \"any\"\nmove = \"q0 < p0 & {PART}*(p0-q0) <= p0\"\n"
        );
        let game = RuleFile::parse(&text).unwrap().game();
        let few = [4999, 5000, 12_345, 700_001, MAX - 60, MAX - 1, MAX];
        for first in few {
            for second in few {
                let position = format!("{MAX},{first},{second}");
                let (heaps, found) = slow_list(&*game, &position).unwrap();
                let value = values[MAX] ^ values[first] ^ values[second];
                assert_eq!(found.value, Some(value.into()), "{position}");
                assert_eq!(found.lost, value == 0, "{position}");
                assert_eq!(found.winning.is_some(), value > 0, "{position}");
                let Some(left) = found.winning else { continue };
                let sizes = |all: &[BigUint]| -> Vec<usize> {
                    all.iter().map(|heap| usize::try_from(heap).unwrap()).collect()
                };
                let (before, left) = (sizes(&heaps), sizes(&left));
                let changed: Vec<usize> = (0..3).filter(|i| before[*i] != left[*i]).collect();
                let [i] = changed[..] else { panic!("{position}: {left:?}") };
                assert!(PART * (before[i] - left[i]) <= before[i], "{position}: {left:?}");
                let rest = left.iter().fold(0, |sum, heap| sum ^ values[*heap]);
                assert_eq!(rest, 0, "{position}: {left:?}");
            }
        }
    }

    /// In misère play of one heap: what the rules say of each size up to four times the largest
    /// number that may be taken, and of a large one that lies whole periods above.
    #[test]
    fn outcomes_of_one_heap_repeat() {
        for set in [vec![1, 2, 99], vec![2, 5, 40, 41], vec![7, 100], vec![3], vec![1, 30, 31, 77]]
        {
            let most = *set.iter().max().unwrap();
            let mut won: Vec<bool> = Vec::new();
            for size in 0..3000usize {
                let options: Vec<usize> =
                    set.iter().filter_map(|taken| size.checked_sub(*taken as usize)).collect();
                won.push(options.is_empty() || options.iter().any(|option| !won[*option]));
            }
            for size in (0..4 * most as usize).chain([2500, 2999]) {
                let heaps = [BigUint::ZERO, BigUint::from(size)];
                let Some(found) = by_outcomes(&set, &heaps, &Budget::default()).unwrap() else {
                    assert_eq!(size, 0);
                    continue;
                };
                assert_eq!(found.lost, !won[size], "{set:?} {size}");
                if let Some(winning) = found.winning {
                    let left = usize::try_from(&winning[1]).unwrap();
                    assert!(set.contains(&((size - left) as u64)) && !won[left], "{set:?} {size}");
                } else {
                    assert!(
                        found.lost || size < *set.iter().min().unwrap() as usize,
                        "{set:?} {size}"
                    );
                }
                let Justification::Outcomes { period, .. } = found.by else {
                    panic!("{:?}", found.by)
                };
                let far = BigUint::from(size) + BigUint::from(period) * BigUint::from(1u64 << 60);
                if size > 2000 {
                    let found = by_outcomes(&set, &[far], &Budget::default()).unwrap().unwrap();
                    assert_eq!(found.lost, !won[size], "{set:?} {size}");
                }
            }
        }
    }
    use bouton_engine::Settings;
    use bouton_games::parse;

    /// Nim in both plays, Moore's Nim and values by periods, compared with the rules in a box:
    /// outcomes, and that the option shown is an option, and P.
    #[test]
    fn what_is_known_agrees_with_the_rules() {
        for (game, play, most, heaps) in [
            ("nim", Play::Misere, 4, 4),
            ("nim", Play::Normal, 4, 4),
            ("moore(3)", Play::Normal, 4, 4),
            ("moore(4)", Play::Normal, 3, 5),
            ("moore(3)", Play::Misere, 4, 4),
            ("moore(3)", Play::Misere, 2, 6),
            ("moore(4)", Play::Misere, 3, 5),
            ("moore(5)", Play::Misere, 2, 6),
            ("moore(5)", Play::Normal, 2, 6),
            ("kayles", Play::Normal, 30, 2),
            ("grundy", Play::Normal, 8, 1),
            ("0.137", Play::Normal, 40, 2),
            ("0.4", Play::Normal, 20, 2),
            ("4.2", Play::Normal, 20, 2),
            ("S(2,5,6)", Play::Normal, 20, 2),
            ("4.[3]", Play::Normal, 14, 3),
            ("0.1[7]", Play::Normal, 14, 2),
            ("8.0", Play::Normal, 20, 2),
            ("0.8", Play::Normal, 20, 2),
            ("0.3F", Play::Normal, 16, 2),
            ("8.[3]", Play::Normal, 12, 2),
            ("kayles", Play::Misere, 14, 2),
            ("0.07", Play::Misere, 14, 2),
            ("S(1,3,4)", Play::Misere, 14, 2),
            ("4.0", Play::Misere, 14, 2),
        ] {
            let game = parse(game).unwrap().game;
            let mut session = game.session(Settings { play, ..Settings::default() });
            let mut p = vec![0u64; heaps];
            loop {
                let heaps: Vec<BigUint> = p.iter().map(|heap| (*heap).into()).collect();
                let Some(found) = known(&*game, play, &heaps, &Budget::default()).unwrap() else {
                    break;
                };
                let plain = session.analyse(&heaps_text(&heaps)).unwrap();
                let name = format!("{} {p:?}, {play} play", game.name());
                assert_eq!(found.lost, plain.evaluation.outcome == Some(Outcome::P), "{name}");
                if let (Some(value), Some(plain)) = (&found.value, plain.evaluation.nim_value) {
                    assert_eq!(*value, BigUint::from(plain.0), "{name}");
                }
                let wins = plain.moves.iter().any(|m| m.evaluation.outcome == Some(Outcome::P));
                assert_eq!(found.winning.is_some(), wins, "{name}");
                if let Some(option) = found.winning {
                    let option = canonical(&heaps_text(&option));
                    let m = plain.moves.iter().find(|m| canonical(&m.to) == option);
                    assert_eq!(m.and_then(|m| m.evaluation.outcome), Some(Outcome::P), "{name}");
                }
                let Some(last) = p.iter().rposition(|heap| *heap < most) else { break };
                p[last] += 1;
                p[last + 1..].fill(0);
            }
            assert!(p.iter().all(|heap| *heap == most), "{}", game.name());
        }
    }

    /// Returns the heaps of a text in ascending order, empty ones left out.
    fn canonical(text: &str) -> Vec<u64> {
        let mut heaps: Vec<u64> = text.split(',').map(|heap| heap.parse().unwrap()).collect();
        heaps.retain(|heap| *heap > 0);
        heaps.sort_unstable();
        heaps
    }
}
