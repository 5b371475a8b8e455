//! Games in which one number of every position that occurs is determined by the others. Tables,
//! forms and automata are about the other numbers; theorems are about all of them.
//!
//! A position with five numbers, one of them the sum of the others, is a position of four: tables
//! of them reach farther, and automata read fewer digits at once. A form says the same of both. An
//! automaton is joined with the one that reads which positions occur.

use crate::board::{Board, Round, automaton_of};
use crate::pipeline::{Pipeline, PipelineOutcome, follow};
use crate::settle::{settle_automaton_or_refute, settle_claims};
use crate::tables::{Tables, letters};
use bouton_conjecture::ClosedForm;
use bouton_core::{Budget, Claim, FormulaBuilder, HeapGame, Heaps, Meter, Play, positions_in_box};
use bouton_games::{GameWithoutDependent, without_dependent};
use bouton_prover::{
    Acceptor, Counterexample, CounterexampleChoice, Undecided, acceptor_of, explore,
};
use bouton_theory::verdict::{Failure, Refuted, Verdict};
use std::cell::RefCell;
use std::ops::ControlFlow::Continue;
use std::time::Duration;

/// Time to see which numbers are determined, at most; and for the game without one, where no end is
/// set.
const SEEN: Duration = Duration::from_secs(2);
const DETERMINING_TIME: Duration = Duration::from_secs(20);

/// A game of which another one leaves a number out.
#[derive(Clone, Copy)]
pub(crate) struct FullGame<'g> {
    /// The number's place in a position.
    pub(crate) number: usize,
    /// The game with it.
    pub(crate) stated: &'g HeapGame,
    /// Outcomes of positions without it, where these have no heaps.
    outcomes: Option<&'g Outcomes<'g>>,
}

/// Cells of a box at most.
const CELLS: u64 = 1 << 28;
/// This many positions are decided before the time is looked at.
const LOT: usize = 1 << 12;

/// Outcomes of the positions of a game without heaps, of which the whole game has at most this many
/// tokens.
///
/// They are decided by the number of tokens, which every move lowers. One that is not yet known to
/// be N has no P-position among its options, so it is P, and all positions from which a move leads
/// to it are N.
pub(crate) struct Outcomes<'g> {
    seen: &'g GameWithoutDependent,
    /// The moves without the number.
    stated: &'g HeapGame,
    /// The numbers together are at most this many times the tokens.
    spread: u32,
    /// What all of it may cost: what is decided once is at hand for all that comes later.
    budget: &'g Budget,
    decided: RefCell<Decided>,
}

/// Which positions are N, of those that have at most this many tokens.
struct Decided {
    tokens: u32,
    /// The greatest number, and 1.
    side: usize,
    is_n: Vec<u64>,
}

impl Decided {
    fn cell(&self, p: &[u32]) -> usize {
        p.iter().fold(0, |cell, number| cell * self.side + *number as usize)
    }

    fn is_p(&self, p: &[u32]) -> bool {
        let cell = self.cell(p);
        self.is_n[cell / 64] >> (cell % 64) & 1 == 0
    }
}

impl<'g> Outcomes<'g> {
    /// None yet; `None` where moves back are not found, or numbers may be large in a small game.
    fn new(
        seen: &'g GameWithoutDependent,
        stated: &'g HeapGame,
        budget: &'g Budget,
    ) -> Option<Outcomes<'g>> {
        let spread = seen
            .spread
            .filter(|_| stated.moves.memory.count == stated.heaps && seen.steps_back())?;
        let decided = RefCell::new(Decided { tokens: 0, side: 1, is_n: Vec::new() });
        Some(Outcomes { seen, stated, spread, budget, decided })
    }

    /// Decides all positions with this many tokens, if there is room and time.
    fn reach(&self, tokens: u64) -> Option<()> {
        let (known, is_begun) = {
            let decided = self.decided.borrow();
            (decided.tokens, !decided.is_n.is_empty())
        };
        if is_begun && tokens <= u64::from(known) {
            return Some(());
        }
        let n = self.stated.heaps;
        let fits = |tokens: u64| {
            let side = tokens.checked_mul(self.spread.into())?.checked_add(1)?;
            side.checked_pow(n as u32)
                .filter(|cells| *cells <= CELLS)
                .map(|cells| (tokens, side, cells))
        };
        // A little more than asked for, as more will be.
        let (tokens, side, cells) = fits(tokens + tokens / 8).or_else(|| fits(tokens))?;
        let tokens = u32::try_from(tokens).ok()?;
        let mut more =
            Decided { tokens, side: side as usize, is_n: vec![0; cells as usize / 64 + 1] };
        // Positions by their tokens.
        let mut by_tokens: Vec<Vec<u32>> = vec![Vec::new(); tokens as usize + 1];
        let mut p = vec![0u32; n];
        let mut sum = 0;
        let meter = &mut Meter::new(self.budget);
        let mut looked = 0;
        loop {
            looked += 1;
            if looked % LOT == 0 {
                meter.spend_and_poll(0).ok()?;
            }
            if let Some(own) = self.seen.tokens(&p).filter(|own| *own <= tokens.into()) {
                // At most 2^28.
                by_tokens[own as usize].push(more.cell(&p) as u32);
            }
            // The next with no more in all.
            let mut place = n;
            loop {
                place = place.checked_sub(1).unwrap_or(n);
                if place == n {
                    break;
                }
                if sum < tokens * self.spread {
                    p[place] += 1;
                    sum += 1;
                    break;
                }
                sum -= p[place];
                p[place] = 0;
            }
            if place == n {
                break;
            }
        }
        for own in &by_tokens {
            meter.spend_and_poll(own.len() as u64).ok()?;
            for cell in own.iter().map(|cell| *cell as usize) {
                if more.is_n[cell / 64] >> (cell % 64) & 1 == 1 {
                    continue;
                }
                let mut rest = cell;
                for number in p.iter_mut().rev() {
                    // Below the side.
                    *number = (rest % more.side) as u32;
                    rest /= more.side;
                }
                self.seen.before(&p, tokens * self.spread, &mut |q| {
                    let cell = more.cell(q);
                    more.is_n[cell / 64] |= 1 << (cell % 64);
                });
            }
        }
        *self.decided.borrow_mut() = more;
        Some(())
    }
}

impl FullGame<'_> {
    /// Whether a position without the number is P, where outcomes are decided so.
    pub(crate) fn is_p(self, p: &[u64]) -> Option<bool> {
        let p = p.iter().map(|number| u32::try_from(*number).ok()).collect::<Option<Vec<u32>>>()?;
        let outcomes = self.outcomes?;
        let tokens = outcomes.seen.tokens(&p)?;
        outcomes.reach(tokens)?;
        Some(outcomes.decided.borrow().is_p(&p))
    }

    /// The P-positions with no number above `max`, where outcomes are decided so.
    pub(crate) fn p_positions(self, max: u64) -> Option<Vec<Vec<u32>>> {
        let outcomes = self.outcomes?;
        let max = u32::try_from(max).ok()?;
        let (mut all, mut most) = (Vec::new(), 0);
        let _ = positions_in_box(self.stated.heaps - 1, max, |p: Heaps| {
            if let Some(tokens) = outcomes.seen.tokens(&p) {
                most = most.max(tokens);
                all.push(p);
            }
            Continue::<()>(())
        });
        outcomes.reach(most)?;
        let decided = outcomes.decided.borrow();
        all.retain(|p| decided.is_p(p));
        Some(all.into_iter().map(|p| p.to_vec()).collect())
    }

    /// What a claim about the other numbers is about all.
    fn claim(self, claim: &Claim) -> Claim {
        let others: Vec<usize> =
            (0..self.stated.heaps).filter(|place| *place != self.number).collect();
        let mut builder = FormulaBuilder::over(letters(self.stated.heaps));
        let root = builder.embed(claim.formula(), &others);
        Claim::from_formula(builder.build(root))
    }

    /// The positions that occur and that the automaton accepts without the number; and all that do
    /// not occur.
    fn automaton(self, without: &Acceptor, meter: &mut Meter) -> Result<Acceptor, Undecided> {
        let base = without.digits.base();
        let (tracks, below) = (self.stated.heaps, base.pow(self.number as u32));
        let domain = self.stated.moves.domain.as_ref();
        let domain = domain.ok_or(Undecided::Automatic("positions of which all occur"))?;
        let occurs = acceptor_of(&domain.formula, without.digits, meter)?.with_tracks(tracks);
        let columns = occurs.columns();
        let enter = |(own, occurring): &(u32, u32), _| {
            meter.spend_and_poll(columns as u64)?;
            Ok(without.accepts[*own as usize] || !occurs.accepts[*occurring as usize])
        };
        let step = |(own, occurring): &(u32, u32), column: usize| {
            // Without the digit of the number.
            let others = column / (below * base) * below + column % below;
            Some((without.next[*own as usize][others], occurs.next[*occurring as usize][column]))
        };
        let (next, accepts) = explore((0, 0), columns, enter, step)?;
        Ok(Acceptor { digits: without.digits, tracks, next, accepts }.minimal(meter)?)
    }

    /// A counterexample without the number.
    fn without(self, found: Counterexample) -> Counterexample {
        let less = |mut p: Vec<u64>| {
            p.remove(self.number);
            p
        };
        let option = found.option.map(|(board, option)| (board, less(option)));
        Counterexample { position: less(found.position), option, ..found }
    }

    /// A verdict on a claim about all numbers, as one on that about the others.
    fn verdict(self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Refuted(Refuted {
                counterexample: Failure::Position(found),
                least,
                recheck,
                others,
                computed,
            }) => {
                let counterexample = Failure::Position(self.without(found));
                Verdict::Refuted(Refuted { counterexample, least, recheck, others, computed })
            }
            verdict => verdict,
        }
    }

    /// A round about the other numbers as one about all, on a board of the whole game.
    fn round(self, round: Round) -> Option<Round> {
        let heaps = self.stated.heaps;
        if let Some(claim) = round.formula() {
            let claim = self.claim(claim);
            let form = claim.to_string();
            return Some(Round { claim: Some(form.clone()), form, read: Some(Ok(claim)), ..round });
        }
        let acceptor = round.automaton.as_ref()?.acceptor(heaps - 1)?;
        let whole = self.automaton(&acceptor, &mut Meter::new(&Budget::default())).ok()?;
        let whole = automaton_of(whole);
        let form = ClosedForm::Automaton(whole.clone()).to_string();
        Some(Round { form, automaton: Some(whole.into()), ..round })
    }
}

impl Tables<'_> {
    /// Settles that these are the P-positions among those that occur; `None` if the prover does not
    /// read it.
    pub(crate) fn settle_claim(&self, claim: &Claim, budget: &Budget) -> Option<Verdict> {
        let (game, numeration) = self.rules().ok()?;
        let all = self.seen_without.map_or_else(|| claim.clone(), |whole| whole.claim(claim));
        let claim = game.within(all).ok()?;
        let settled = settle_claims(self.whole, &game, numeration, &[claim], budget);
        Some(match self.seen_without {
            Some(whole) => whole.verdict(settled),
            None => settled,
        })
    }

    /// Settles that the automaton accepts the P-positions; `None` if the prover does not read it.
    pub(crate) fn settle_automaton(
        &self,
        automaton: &Acceptor,
        wanted: CounterexampleChoice,
        budget: &Budget,
    ) -> Option<Verdict> {
        let settle =
            |one| settle_automaton_or_refute(self.whole, self.play, one, wanted, budget).ok();
        let Some(whole) = self.seen_without else { return settle(automaton) };
        let all = whole.automaton(automaton, &mut Meter::new(budget)).ok()?;
        settle(&all).map(|verdict| whole.verdict(verdict))
    }
}

/// Follows the line of the game without a number that the others determine, if there is one. Where
/// it ends in a theorem, that is the end of this line, too. Returns whether it does.
pub(crate) fn follow_without(tables: &Tables<'_>, line: &mut Pipeline) -> bool {
    // The static site would grow.
    if cfg!(target_family = "wasm") || tables.play != Play::Normal || tables.seen_without.is_some()
    {
        return false;
    }
    let [board] = &mut line.boards[..] else { return false };
    let Some(seen) = without_dependent(tables.game, &tables.budget.within(SEEN)) else {
        return false;
    };
    let Some(stated) = seen.game.heap_game() else { return false };
    let most = tables
        .budget
        .deadline
        .as_ref()
        .map_or(DETERMINING_TIME, |deadline| deadline.left() / 3 * 2);
    let budget = tables.budget.within(most);
    let outcomes = Outcomes::new(&seen, &stated, &budget);
    let whole =
        FullGame { number: seen.number, stated: tables.stated, outcomes: outcomes.as_ref() };
    let others = Tables::new(&*seen.game, &stated, tables.play, &budget, tables.tell);
    let others = Tables {
        whole: tables.whole,
        max: tables.max,
        proof: tables.proof.within(most),
        digits: tables.digits,
        seen_without: Some(whole),
        ..others
    };
    let mut found = follow(&others);
    if !matches!(found.ending, PipelineOutcome::Proved(_)) {
        return false;
    }
    let round = found.boards.pop().and_then(|mut board| board.rounds.pop());
    let Some(round) = round.and_then(|round| whole.round(round)) else { return false };
    show(board, tables);
    board.rounds.push(round);
    (line.ending, line.proof_seconds) = (found.ending, line.proof_seconds + found.proof_seconds);
    true
}

/// A small table of the whole game, for those who look at it.
fn show(board: &mut Board, tables: &Tables<'_>) {
    let bounds = tables.bounds(board.heaps);
    board.table =
        bounds.first().and_then(|max| tables.make(board.heaps, *max).ok()).map(|made| made.table);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::DigitSystem;
    use bouton_games::RuleFile;

    /// Two heaps, from one of which one or two tokens are taken, and their sum: of positions with
    /// fewer than three tokens in each heap the outcome is written down, and the rest follows
    /// modulo 3.
    const TWO: &str = "name = \"two\"\nheaps = 2\nmemory = 1\npositions = \"p2 = p0+2*p1\"\n\
        move = \"(q0 < p0 & p0 <= q0+2 & q1 = p1 | q1 < p1 & p1 <= q1+2 & q0 = p0) & q2 = \
        q0+2*q1\"\n";

    /// Whether heaps are P: equal modulo 3 (Bouton, and the period of taking one or two).
    fn is_p(heaps: [u64; 2]) -> bool {
        heaps[0] % 3 == heaps[1] % 3
    }

    /// Options of the two heaps.
    fn options([a, b]: [u64; 2]) -> Vec<[u64; 2]> {
        let one = (1..=2.min(a)).map(move |taken| [a - taken, b]);
        one.chain((1..=2.min(b)).map(move |taken| [a, b - taken])).collect()
    }

    /// The heaps that are meant where one of the three numbers is left out.
    fn heaps(number: usize, others: &[u64]) -> Option<[u64; 2]> {
        let (x, y) = (others[0], others[1]);
        match number {
            0 => Some([y.checked_sub(2 * x)?, x]),
            1 => (y >= x && (y - x) % 2 == 0).then(|| [x, (y - x) / 2]),
            _ => Some([x, y]),
        }
    }

    /// An automaton of two numbers without the third is proved only if it is right, and otherwise
    /// refuted by a position without that number, be it the wrong output of one state, a wrong
    /// follower, or the automaton that belongs to another number left out.
    #[test]
    fn what_is_wrong_without_a_number_is_refuted_without_it() {
        let game = RuleFile::parse(TWO).unwrap().game();
        let stated = game.heap_game().unwrap();
        let budget = Budget::default();
        let meter = &mut Meter::new(&budget);
        let of = |text: &str, meter: &mut Meter| {
            let claim = Claim::parse(text, 2).unwrap();
            acceptor_of(claim.formula(), DigitSystem::to_base(2), meter)
                .unwrap()
                .with_tracks(2)
                .minimal(meter)
                .unwrap()
        };
        // The heaps equal modulo 3, in terms of the numbers that are left.
        let right = [
            of("(b - 2*a) mod 3 = a mod 3 & b >= 2*a", meter),
            of("(a - (b - a) div 2) mod 3 = 0 & (b - a) mod 2 = 0 & b >= a", meter),
            of("a mod 3 = b mod 3", meter),
        ];
        let (mut proved, mut refuted) = (0, 0);
        for number in 0..3 {
            let whole = FullGame { number, stated: &stated, outcomes: None };
            let tables = Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {});
            let tables = Tables { seen_without: Some(whole), ..tables };
            let mut all = right.to_vec();
            for (state, own) in
                right.iter().flat_map(|own| (0..own.next.len()).map(move |state| (state, own)))
            {
                let mut output = own.clone();
                output.accepts[state] = !output.accepts[state];
                let mut follower = own.clone();
                let to = &mut follower.next[state][1 + state % 3];
                *to = (*to + 1) % own.next.len() as u32;
                all.extend([output, follower]);
            }
            for own in all {
                let occurring = (0..400).map(|p| [p / 20, p % 20]);
                let is_right = occurring
                    .filter_map(|p| Some((heaps(number, &p)?, own.holds(&p))))
                    .all(|(heaps, holds)| is_p(heaps) == holds);
                match tables.settle_automaton(&own, CounterexampleChoice::Least, &budget).unwrap() {
                    Verdict::Proved(_) => {
                        assert!(is_right, "{number}: {own:?}");
                        proved += 1;
                    }
                    Verdict::Refuted(Refuted {
                        counterexample: Failure::Position(found), ..
                    }) => {
                        refuted += 1;
                        let at = heaps(number, &found.position).unwrap();
                        let others = |[a, b]: [u64; 2]| {
                            let mut all = vec![a, b, a + 2 * b];
                            all.remove(number);
                            all
                        };
                        assert_eq!(found.position, others(at));
                        let claimed = options(at).into_iter().find(|q| own.holds(&others(*q)));
                        match &found.option {
                            Some((_, option)) => {
                                let option = heaps(number, option).unwrap();
                                assert!(options(at).contains(&option));
                                assert!(own.holds(&found.position) && own.holds(&others(option)));
                            }
                            None => assert!(!own.holds(&found.position) && claimed.is_none()),
                        }
                    }
                    other => panic!("{number}: {other:?}"),
                }
            }
        }
        assert!(proved >= 3 && refuted > 100, "{proved} {refuted}");
    }
}
