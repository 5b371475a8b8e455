//! Misère play of games with a condition on their moves: forms and automata put to the prover as
//! those of another game in normal play (crates/proof/prover, misere).

use super::form::{ProvedSet, accepted, refuted, undecided};
use crate::move_system::{certified_name, stated};
use crate::tables::domain_claim;
use bouton_certificate::PPositionsClaim;
use bouton_conjecture::{Images, TableBuilder, conjecture};
use bouton_core::{Budget, Claim, FormulaBuilder, HeapGame, Meter, Node, Play};
use bouton_engine::Game;
use bouton_prover::{
    Acceptor, Attempt, AutomaticClaim, Counterexample, CounterexampleChoice, MoveSystem,
    Numeration, Undecided, choose_numeration, claim_with_added_heap, closed_claim, misere_acceptor,
    prove, prove_automatic, with_added_heap,
};
use bouton_theory::recheck::{recheck, recheck_by};
use bouton_theory::verdict::{Size, Statement, Unknown, Verdict};

/// Positions that are looked at for those without a move, as a power of two, and their greatest
/// heap.
const BOX: f64 = 12.0;
const MAX_STUCK_HEAP: u64 = 60;
/// Positions without a move that are listed one by one.
const LISTED: usize = 24;

/// Returns whether misère play of this game is settled here.
pub(crate) fn applies(stated: &HeapGame, play: Play) -> bool {
    play == Play::Misere && with_added_heap(stated).is_some()
}

/// Settles that these are the P-positions in misère play, up to the game's symmetry unless the
/// claim is meant `exactly` so; of positions that do not occur nothing is claimed.
pub(crate) fn settle_misere(
    game: &dyn Game,
    claim: &Claim,
    exactly: bool,
    budget: &Budget,
) -> Verdict {
    let (Some(own), Ok((moves, numeration))) = (game.heap_game(), stated(game)) else {
        return Unknown::because(format!("{} is beyond the prover", game.name()));
    };
    let Some((lifted_moves, _)) =
        with_added_heap(&own).and_then(|lifted| MoveSystem::from_heap_game(&lifted).ok())
    else {
        return Unknown::because("misère play is proved of conditions on all heaps together");
    };
    let meter = &mut Meter::new(budget);
    let claim = match if exactly { Ok(claim.clone()) } else { closed_claim(claim, &moves, meter) } {
        Ok(claim) => claim,
        Err(why) => return undecided(&why),
    };
    let claim = match &own.moves.domain {
        Some(domain) => within(&claim, domain),
        None => claim,
    };
    let moves = MoveSystem { misere: true, domain: None, ..moves };
    for stuck in without_a_move(game, &own, budget) {
        let both = [claim_with_added_heap(&own, &claim, &stuck)];
        let read = choose_numeration(&lifted_moves, &both, numeration);
        let Some(name) = certified_name(game, numeration, read) else { continue };
        match prove(&lifted_moves, &both, read, meter) {
            Attempt::Proved(proof) => {
                let mut certificate =
                    match proof.certificate(&name, &lifted_moves, &both, read, meter) {
                        Ok(certificate) => certificate,
                        Err(reason) => return undecided(&reason),
                    };
                let form = &*claim.to_string();
                certificate.claim =
                    PPositionsClaim { is_misere: true, ..PPositionsClaim::new(form) }.to_string();
                certificate.body.insert_str(0, &format!("stuck {stuck}\n"));
                let statement = Statement::Formulas(vec![claim.formula().clone()]);
                let proved =
                    ProvedSet { play: Play::Misere, statement, size: Size::from_proof(&proof) };
                return accepted(proved, certificate.seal(), budget);
            }
            Attempt::Refuted(found) => {
                if let Some(found) = of_the_game(game, &own, found) {
                    let claims = [claim];
                    let again = recheck(game, &moves, &claims, &found);
                    return refuted(found, again);
                }
            }
            Attempt::Unknown(reason) => return undecided(&reason),
        }
    }
    Unknown::because("no formula was found for the positions from which there is no move")
}

/// Settles that this game's P-positions in misère play are those that an automaton accepts: of
/// positions that do not occur, which have no move, none.
pub(super) fn settle_misere_automaton(
    game: &dyn Game,
    automaton: &Acceptor,
    wanted: CounterexampleChoice,
    budget: &Budget,
) -> Verdict {
    let (Some(own), Ok((moves, numeration))) = (game.heap_game(), stated(game)) else {
        return Unknown::because(format!("{} is beyond the prover", game.name()));
    };
    let Some((more, _)) =
        with_added_heap(&own).and_then(|lifted| MoveSystem::from_heap_game(&lifted).ok())
    else {
        return Unknown::because("misère play is proved of conditions on all heaps together");
    };
    let meter = &mut Meter::new(budget);
    let least = automaton.minimal_on_numerals(meter);
    let read = least
        .map_err(Undecided::Limit)
        .and_then(|least| Ok((misere_acceptor(&own, &moves, &least, meter)?, least)));
    let (with_more, claimed) = match read {
        Ok(read) => read,
        Err(reason) => return undecided(&reason),
    };
    match prove_automatic(&more, AutomaticClaim::Automaton(&with_more), wanted, meter) {
        Attempt::Proved(proof) => {
            let name =
                certified_name(game, numeration, Numeration::Binary).unwrap_or_else(|| game.name());
            let certificate = proof.misere_certificate(&name, &claimed).seal();
            let size = Size { cases: proof.cases, parts: more.ways.len(), sets: proof.sets() };
            let statement = Statement::Automaton(automaton.clone());
            accepted(ProvedSet { play: Play::Misere, statement, size }, certificate, budget)
        }
        Attempt::Refuted(found) => match of_the_game(game, &own, found) {
            Some(found) => {
                let moves = MoveSystem { misere: true, domain: None, ..moves };
                let again = recheck_by(game, &moves, &|heaps| Some(automaton.holds(heaps)), &found);
                refuted(found, again)
            }
            None => Unknown::because("of positions that do not occur some are claimed to be P"),
        },
        Attempt::Unknown(reason) => undecided(&reason),
    }
}

/// Returns what is claimed of the positions that occur, and that no others are P.
fn within(claim: &Claim, domain: &bouton_core::Domain) -> Claim {
    let mut builder = FormulaBuilder::over(claim.formula().names[..claim.heaps()].iter().cloned());
    let all: Vec<usize> = (0..claim.heaps()).collect();
    let parts = [builder.embed(claim.formula(), &all), builder.embed(&domain.formula, &all)];
    Claim::from_formula(builder.build(Node::all(parts)))
}

/// Returns a counterexample of the game with one heap more as one of the game itself; `None` if it
/// is about the positions without a move.
fn of_the_game(game: &dyn Game, own: &HeapGame, found: Counterexample) -> Option<Counterexample> {
    let place = own.heaps - own.moves.memory.count;
    let mut position = found.position;
    if position.remove(place) != 2 {
        return None;
    }
    let (option, over) = match found.option {
        None => {
            let mut graph = game.graph();
            let node = graph.position(&position)?;
            if graph.options(node).ok()?.is_empty() {
                return None;
            }
            (None, false)
        }
        Some((board, mut option)) => match option.remove(place) {
            2 => (Some((board, option)), false),
            _ => {
                let mut graph = game.graph();
                let node = graph.position(&position)?;
                if !graph.options(node).ok()?.is_empty() {
                    return None;
                }
                (None, true)
            }
        },
    };
    Some(Counterexample { board: 0, position, option, over, least: false })
}

/// Returns formulas that may be what holds of the positions from which there is no move: a list of
/// these, if they are few and small; a form found in a table.
fn without_a_move(game: &dyn Game, own: &HeapGame, budget: &Budget) -> Vec<Claim> {
    let n = own.heaps;
    let most = ((BOX / n as f64).exp2() as u64).clamp(3, MAX_STUCK_HEAP);
    let Ok(mut table) = TableBuilder::new(n, 0, most, Images::Listed(vec![(0..n).collect()]))
    else {
        return Vec::new();
    };
    let mut graph = game.graph();
    let (mut p, mut all, mut occurring) = (vec![0u64; n], Vec::new(), 0);
    loop {
        if budget.interrupted().is_some() {
            return Vec::new();
        }
        if let Some(node) = graph.position(&p) {
            occurring += 1;
            let Ok(options) = graph.some_options(node, 0, 1) else { return Vec::new() };
            if options.is_empty() {
                table.insert(&p);
                all.push(p.clone());
            }
        }
        let Some(place) = (0..n).rev().find(|place| p[*place] < most) else { break };
        p[place] += 1;
        p[place + 1..].fill(0);
    }
    let letter = |heap: usize| char::from(b'a' + heap as u8);
    let mut texts = Vec::new();
    if all.len() <= LISTED && all.iter().flatten().all(|heap| 2 * heap < most) {
        let one = |p: &Vec<u64>| {
            let same: Vec<String> =
                (0..n).map(|heap| format!("{} = {}", letter(heap), p[heap])).collect();
            format!("({})", same.join(" & "))
        };
        texts.push(all.iter().map(one).collect::<Vec<_>>().join(" | "));
    } else {
        if let Some(domain) = &own.moves.domain {
            table = table.occurring(occurring, domain_claim(domain));
        }
        let table = table.finish();
        let found = conjecture(&table, &mut Meter::new(&Budget { nodes: None, ..budget.clone() }));
        texts.extend(found.form.text().ok().filter(|_| found.missed_count == 0));
    }
    let whole = |text: String| match &own.moves.domain {
        Some(domain) => format!("({text}) | ~({})", domain_claim(domain)),
        None => text,
    };
    texts.into_iter().filter_map(|text| Claim::parse(&whole(text), n).ok()).collect()
}
