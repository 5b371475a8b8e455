//! One heap, from which as many tokens may be taken as a multiple of what was taken last allows:
//! Fibonacci Nim and its kin, on heaps of any size.
//!
//! Let a move of k tokens let the next one take at most f(k), where f never falls and f(k) ≥ k. The
//! numbers H: 1, and after H its sum with the least number H' of them such that f(H') ≥ H. Every
//! heap is a sum of these numbers: the largest that fits, and so on with the rest. The player to
//! move wins exactly if the last and least part may be taken, and takes it.
//!
//! Source: A. J. Schwenk, *Take-away games*, Fibonacci Quarterly 8 (1970) 225-234.

use crate::large_heaps;
use crate::single_heap_sums::Heaps;
use bouton_core::{Formula, FormulaBuilder, Meter, Moves, Node, Relation, Term, Windows};
use bouton_engine::Game;
use bouton_theory::Justification;
use num_bigint::BigUint;

/// The most that the next move may take after one of k tokens: `factor`·k + `more`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limit {
    factor: u64,
    more: u64,
}

/// So large factors are looked for.
const MAX_FACTOR: u64 = 64;
/// More numbers H are not made: they grow by a part each, the smaller the larger the factor.
const MAX_NUMBERS: usize = 1 << 16;

impl Limit {
    /// Returns the limit of a game, if its rules are these: they are decided for all positions.
    fn new(game: &dyn Game) -> Option<Limit> {
        let Moves { condition: Some(condition), permutation: None, memory, domain: None, .. } =
            game.moves()?
        else {
            return None;
        };
        let stated = game.heap_game().filter(|stated| stated.heaps == 2 && !stated.shrinks)?;
        if memory.count != 1 || condition.free != 4 || stated.moves.windows != Windows::Any(2) {
            return None;
        }
        let after = |taken: u64| {
            let to = |limit: &u64| {
                large_heaps::allows(game, &number([8, 8]), &number([8 - taken, *limit]))
            };
            (0..=2 * MAX_FACTOR).find(to)
        };
        let (one, two) = (after(1)?, after(2)?);
        let factor = two.checked_sub(one).filter(|factor| (1..=MAX_FACTOR).contains(factor))?;
        let limit = Limit { factor, more: one.checked_sub(factor)? };
        limit.is_of(&condition).then_some(limit)
    }

    /// Returns whether a formula says the same for all positions and options.
    fn is_of(self, condition: &Formula) -> bool {
        let mut builder = FormulaBuilder::over([]);
        let all: Vec<usize> =
            ["p0", "q0", "p1", "q1"].into_iter().map(|name| builder.bind(name)).collect();
        let [heap, left, limit, next] = all[..] else { return false };
        if condition.names.get(..4).is_none_or(|names| names != ["p0", "q0", "p1", "q1"]) {
            return false;
        }
        let allowed = builder.embed(condition, &all);
        let of = Term::Variable;
        let sum = |terms: [Term; 2]| Term::Sum(terms.into());
        let times = |v| Term::Multiple(self.factor as i64, Box::new(of(v)));
        let takes = of(left).compared(Relation::Less, of(heap));
        let within = of(heap).compared(Relation::AtMost, sum([of(left), of(limit)]));
        let more = sum([times(heap), Term::Number(self.more)]);
        let becomes = sum([of(next), times(left)]).equals(more);
        let stated = Node::all([allowed, takes.clone()]).iff(Node::all([takes, within, becomes]));
        let formula = builder.build(stated.for_all(all));
        let mut meter = Meter::new(&bouton_prover::default_budget());
        let decided =
            bouton_prover::decide(&formula, bouton_prover::Numeration::Binary, &mut meter);
        matches!(decided, Ok(bouton_prover::Decision::True(_)))
    }

    fn after(self, taken: &BigUint) -> BigUint {
        taken * self.factor + self.more
    }

    /// Returns the least part of a heap that is not empty.
    fn least_part(self, heap: &BigUint) -> Option<BigUint> {
        let mut numbers = vec![BigUint::from(1u8)];
        let mut from = 0;
        while numbers.last()? <= heap {
            let last = numbers.last()?.clone();
            // The number that is added never falls from one to the next.
            from += numbers[from..].iter().position(|number| self.after(number) >= last)?;
            numbers.push(last + &numbers[from]);
            if numbers.len() > MAX_NUMBERS {
                return None;
            }
        }
        let mut rest = heap.clone();
        loop {
            let part = numbers.iter().rev().find(|number| **number <= rest)?;
            rest -= part;
            if rest == BigUint::ZERO {
                return Some(part.clone());
            }
        }
    }

    /// Answers a heap and what may be taken of it.
    fn answer(self, heap: &BigUint, most: &BigUint) -> Option<Heaps> {
        let part = if *heap == BigUint::ZERO { None } else { Some(self.least_part(heap)?) };
        let winning =
            part.filter(|part| part <= most).map(|part| vec![heap - &part, self.after(&part)]);
        let by = Justification::Literature(
            "Schwenk 1970: the player to move wins exactly if the least part of the heap may be \
             taken, its parts being numbers H of which each is the sum of the one before and the \
             least that lets the next move take that one"
                .into(),
        );
        Some(Heaps { lost: winning.is_none(), value: None, winning, by })
    }
}

fn number<const N: usize>(numbers: [u64; N]) -> [BigUint; N] {
    numbers.map(BigUint::from)
}

/// Answers a heap and what may be taken of it, in normal play; `None` of another game.
pub(crate) fn answer(game: &dyn Game, heaps: &[BigUint]) -> Option<Heaps> {
    let [heap, most] = heaps else { return None };
    Limit::new(game)?.answer(heap, most)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_games::RuleFile;

    fn rules(factor: u64, more: u64) -> RuleFile {
        let text = format!(
            "name = \"g\"\nheaps = 1\nmemory = 1\nmove = \"q0 < p0 & p0 <= q0+p1 & q1+{factor}*q0 \
             = {factor}*p0+{more}\""
        );
        RuleFile::parse(&text).unwrap()
    }

    /// By the rules alone: whether the player to move wins from a heap of which this many may be
    /// taken.
    #[test]
    fn outcomes_are_those_of_the_rules() {
        const MAX_HEAP: usize = 70;
        for (factor, more) in [(1, 0), (2, 0), (3, 0), (1, 1), (2, 3), (5, 0)] {
            let game = rules(factor, more).game();
            let limit = Limit::new(&*game).unwrap();
            assert_eq!(limit, Limit { factor, more });
            let mut wins = vec![vec![false; MAX_HEAP + 1]; MAX_HEAP + 1];
            for heap in 1..=MAX_HEAP {
                for most in 1..=MAX_HEAP {
                    let lost = |taken: usize| {
                        let next = factor as usize * taken + more as usize;
                        !wins[heap - taken][next.min(MAX_HEAP)]
                    };
                    wins[heap][most] = (1..=most.min(heap)).any(lost);
                }
            }
            for (heap, row) in wins.iter().enumerate() {
                for (most, wins_here) in row.iter().enumerate() {
                    let [a, b] = number([heap as u64, most as u64]);
                    let found = limit.answer(&a, &b).unwrap();
                    assert_eq!(found.lost, !wins_here, "{factor} {more}: {heap},{most}");
                    let Some(option) = found.winning else { continue };
                    let left = usize::try_from(&option[0]).unwrap();
                    assert!(heap - left <= most && left < heap);
                    assert!(limit.answer(&option[0], &option[1]).unwrap().lost);
                }
            }
        }
    }

    #[test]
    fn other_rules_are_left_alone() {
        for condition in [
            "q0 < p0 & p0 <= q0+p1 & q1+2*q0 = 2*p0 & q0 != 3",
            "q0 < p0 & p0 <= q0+p1+1 & q1+2*q0 = 2*p0",
            "q0+q1 = p0 & q1 <= 3 & q1 != p1",
        ] {
            let text = format!("name = \"g\"\nheaps = 1\nmemory = 1\nmove = \"{condition}\"");
            assert!(Limit::new(&*RuleFile::parse(&text).unwrap().game()).is_none(), "{condition}");
        }
    }
}
