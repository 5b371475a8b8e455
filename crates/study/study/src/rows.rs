//! Games that are sums of single heaps, answered by nim-values of heaps of any size, in normal play.
//!
//! The values of a subtraction or taking-and-breaking game are known for all sizes once their period is proved and the
//! independent checker has accepted the certificate. A heap of n in Nim has the value n: its options are all smaller heaps,
//! by induction of the values 0, …, n − 1. In Moore's Nim only outcomes are known (Moore 1910); winning moves are made
//! from the digits, from the most significant on. A winning move of a sum is one in some heap to the value that the
//! other heaps have together.

use bouton_certificate::Certificate;
use bouton_core::{Budget, HeapMoves, LimitReached, Meter, Moves, Play, Windows};
use bouton_engine::Game;
use bouton_octal::sequence::{Sequence, TakeAndBreakCode, period};
use bouton_theory::Justification;
use bouton_theory::checked::checked;
use num_bigint::BigUint;

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

/// The most values of a sequence that are computed to prove a period: rows that are not searched are about as long.
const MOST_VALUES: usize = 1 << 15;

/// Whether the game is a sum of single heaps with nim-values that may be known, or Moore's Nim.
pub(crate) fn has_values(game: &dyn Game) -> bool {
    game.heap_moves().is_some() || most_lowered(game).is_some()
}

/// How many heaps a move may lower, where it may lower any so many as it likes: Nim and Moore's Nim.
pub(crate) fn most_lowered(game: &dyn Game) -> Option<usize> {
    match game.moves()? {
        Moves { windows: Windows::Any(most @ 1..), condition: None, turned: None, .. } => Some(most),
        _ => None,
    }
}

/// What is known of heaps of any size; `None` where nothing is.
pub(crate) fn known(
    game: &dyn Game,
    play: Play,
    heaps: &[BigUint],
    budget: &Budget,
) -> Result<Option<Heaps>, LimitReached> {
    match (game.heap_moves(), play, most_lowered(game)) {
        (Some(moves), Play::Normal, _) => by_period(&moves, heaps, budget),
        (_, Play::Normal, Some(1)) => Ok(Some(nim(heaps))),
        (_, Play::Misere, Some(1)) => Ok(Some(misere_nim(heaps))),
        (_, Play::Normal, Some(most)) => Ok(Some(moore(most + 1, heaps))),
        _ => Ok(None),
    }
}

/// Nim: the value of a heap is its size.
fn nim(heaps: &[BigUint]) -> Heaps {
    let value = heaps.iter().fold(BigUint::ZERO, |sum, heap| sum ^ heap);
    let lower = heaps.iter().position(|heap| heap ^ &value < *heap);
    let winning = lower.map(|i| with(heaps, i, &heaps[i] ^ &value));
    let by = Justification::Literature("Bouton 1902: a heap of n has nim-value n".into());
    Heaps { lost: value == BigUint::ZERO, value: Some(value), winning, by }
}

/// Nim in misère play: as in normal play while some heap has two tokens or more after the move, else with an odd number of
/// heaps of one.
fn misere_nim(heaps: &[BigUint]) -> Heaps {
    let one = BigUint::from(1u8);
    let large: Vec<usize> = (0..heaps.len()).filter(|&i| heaps[i] > one).collect();
    let ones = heaps.iter().filter(|heap| **heap == one).count();
    let (lost, winning) = match large[..] {
        [] => {
            (ones % 2 == 1, heaps.iter().position(|heap| *heap == one).map(|i| with(heaps, i, BigUint::ZERO)))
        }
        [i] => (false, Some(with(heaps, i, BigUint::from(1 - ones % 2)))),
        _ => (nim(heaps).lost, nim(heaps).winning),
    };
    let by = Justification::Literature(
        "Bouton 1902: as in normal play while some heap has two tokens, else P exactly if the heaps of one are odd in number"
            .into(),
    );
    Heaps { lost, value: None, winning: winning.filter(|_| !lost), by }
}

/// The heaps with another one in this place.
fn with(heaps: &[BigUint], place: usize, heap: BigUint) -> Vec<BigUint> {
    let mut left = heaps.to_vec();
    left[place] = heap;
    left
}

/// Moore's Nim, a move lowering up to b − 1 heaps: lost exactly if the binary digits sum to 0 modulo b in every place.
///
/// From the most significant digit on: heaps already lowered have any digits below. A place where they cannot make up for
/// what the digits of the others lack has as many further heaps lowered as the sum there says, which are few enough.
fn moore(b: usize, heaps: &[BigUint]) -> Heaps {
    let places = heaps.iter().map(BigUint::bits).max().unwrap_or(0);
    let sum = |heaps: &[BigUint], place: u64| heaps.iter().filter(|heap| heap.bit(place)).count() % b;
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

/// Nim-values with a proved period.
struct Periodic<'s> {
    sequence: &'s Sequence,
    preperiod: usize,
    period: usize,
}

impl Periodic<'_> {
    fn value(&self, size: &BigUint) -> u32 {
        let known = self.preperiod + self.period;
        let n = usize::try_from(size).ok().filter(|n| *n < known).unwrap_or_else(|| {
            let past = (size - self.preperiod) % self.period;
            self.preperiod + usize::try_from(past).unwrap_or(0)
        });
        self.sequence.value(n)
    }

    /// What may be left of a heap, of this value: by takings, no heap or one.
    fn taking(&self, set: &[u64], size: &BigUint, wanted: u32) -> Option<Vec<BigUint>> {
        let left = |taken: &u64| (BigUint::from(*taken) <= *size).then(|| size - *taken);
        set.iter().filter_map(left).find(|left| self.value(left) == wanted).map(|left| vec![left])
    }

    /// The same by a code, leaving at most two heaps. The lesser of two may be sought below preperiod and period: a larger
    /// one can be made smaller by periods, and the other one larger.
    fn breaking(&self, code: &TakeAndBreakCode, size: &BigUint, wanted: u32) -> Option<Vec<BigUint>> {
        let most = code.most_taken()?;
        for taken in (0..=most).filter(|taken| BigUint::from(*taken) <= *size) {
            let (digit, rest) = (code.digit(taken), size - taken);
            let empty = rest == BigUint::ZERO;
            if digit.allows(0) && empty && wanted == 0 {
                return Some(Vec::new());
            }
            if digit.allows(1) && !empty && taken > 0 && self.value(&rest) == wanted {
                return Some(vec![rest]);
            }
            if digit.allows(2) {
                for small in 1..self.preperiod + self.period {
                    let first = BigUint::from(small);
                    if &first + &first > rest {
                        break;
                    }
                    let second = &rest - &first;
                    let fits = !digit.unequal() || first != second;
                    if fits && self.value(&first) ^ self.value(&second) == wanted {
                        return Some(vec![first, second]);
                    }
                }
            }
        }
        None
    }
}

fn by_period(moves: &HeapMoves, heaps: &[BigUint], budget: &Budget) -> Result<Option<Heaps>, LimitReached> {
    let Ok(mut sequence) = Sequence::from_moves(moves) else { return Ok(None) };
    let Some(found) = period::find_period(&mut sequence, MOST_VALUES, &mut Meter::new(budget))? else {
        return Ok(None);
    };
    let Some(certificate) = found.certificate(&sequence).map(Certificate::seal) else { return Ok(None) };
    if checked(&certificate, budget)?.is_err() {
        return Ok(None);
    }
    let values = Periodic { sequence: &sequence, preperiod: found.preperiod, period: found.period };
    let value = heaps.iter().fold(0, |sum, heap| sum ^ values.value(heap));
    let code = match moves {
        HeapMoves::Code(code) => TakeAndBreakCode::parse(code).ok(),
        HeapMoves::Take(_) => None,
    };
    let winning = heaps.iter().enumerate().filter(|_| value != 0).find_map(|(i, heap)| {
        let wanted = value ^ values.value(heap);
        let left = match (moves, &code) {
            (HeapMoves::Take(set), _) => values.taking(set, heap, wanted),
            (_, Some(code)) => values.breaking(code, heap, wanted),
            _ => None,
        }?;
        Some([&heaps[..i], &left, &heaps[i + 1..]].concat())
    });
    let by = Justification::Period {
        period: found.period,
        preperiod: found.preperiod,
        certificate: certificate.hash().to_owned(),
    };
    Ok(Some(Heaps { lost: value == 0, value: Some(value.into()), winning, by }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Outcome;
    use bouton_engine::Settings;
    use bouton_games::parse;

    fn text(heaps: &[BigUint]) -> String {
        heaps.iter().map(BigUint::to_string).collect::<Vec<_>>().join(",")
    }

    /// Nim in both plays, Moore's Nim and values by periods, held against the rules in a box: outcomes, and that the option
    /// shown is an option, and P.
    #[test]
    fn what_is_known_agrees_with_the_rules() {
        for (game, play, most, heaps) in [
            ("nim", Play::Misere, 4, 4),
            ("nim", Play::Normal, 4, 4),
            ("moore(3)", Play::Normal, 4, 4),
            ("moore(4)", Play::Normal, 3, 5),
            ("moore(5)", Play::Normal, 2, 6),
            ("kayles", Play::Normal, 30, 2),
            ("grundy", Play::Normal, 8, 1),
            ("0.137", Play::Normal, 40, 2),
            ("0.4", Play::Normal, 20, 2),
            ("4.2", Play::Normal, 20, 2),
            ("S(2,5,6)", Play::Normal, 20, 2),
        ] {
            let game = parse(game).unwrap().game;
            let mut session = game.session(Settings { play, ..Settings::default() });
            let mut p = vec![0u64; heaps];
            loop {
                let heaps: Vec<BigUint> = p.iter().map(|heap| (*heap).into()).collect();
                let Some(found) = known(&*game, play, &heaps, &Budget::default()).unwrap() else { break };
                let plain = session.analyse(&text(&heaps)).unwrap();
                let name = format!("{} {p:?}, {play} play", game.name());
                assert_eq!(found.lost, plain.evaluation.outcome == Some(Outcome::P), "{name}");
                if let (Some(value), Some(plain)) = (&found.value, plain.evaluation.nim_value) {
                    assert_eq!(*value, BigUint::from(plain.0), "{name}");
                }
                let wins = plain.moves.iter().any(|m| m.evaluation.outcome == Some(Outcome::P));
                assert_eq!(found.winning.is_some(), wins, "{name}");
                if let Some(option) = found.winning {
                    let option = canonical(&text(&option));
                    let m = plain.moves.iter().find(|m| canonical(&m.to) == option);
                    assert_eq!(m.and_then(|m| m.evaluation.outcome), Some(Outcome::P), "{name}");
                }
                let Some(last) = p.iter().rposition(|heap| *heap < most) else { break };
                p[last] += 1;
                p[last + 1..].fill(0);
            }
            // Grundy's game has no proved period: nothing is known of it here.
            assert!(p.iter().all(|heap| *heap == most) || game.name() == "grundy", "{}", game.name());
        }
    }

    /// Heaps in any order, empty ones left out.
    fn canonical(text: &str) -> Vec<u64> {
        let mut heaps: Vec<u64> = text.split(',').map(|heap| heap.parse().unwrap()).collect();
        heaps.retain(|heap| *heap > 0);
        heaps.sort_unstable();
        heaps
    }
}
