//! The line from rules to checked theorems on random games, each station held against play by the
//! rules alone.
//!
//! A random formula is the move of a game on one or two heaps. Its positions are solved up to a
//! bound; of random claims those that are right so far go to the prover. What is proved must be
//! right further on, and its certificate accepted, for this claim and no wrong one; what is refuted
//! must be wrong where the counterexample says. As CaDiCaL's tester does with formulas (Biere).

use bouton_certificate::Certificate;
use bouton_check::{Limits, check_limited};
use bouton_core::{Budget, Claim, Digits, Formula, Meter, Moves, Symmetry, Windows};
use bouton_fuzz::lot::{Random, hash};
use bouton_prover::{Attempt, MoveSystem, choose_numeration, claims_for, prove, written_name};
use std::collections::HashMap;

/// Returns all positions with no greater heap, in an order in which options come first.
pub fn below(p: &[u64]) -> Vec<Vec<u64>> {
    p.iter().fold(vec![vec![]], |all: Vec<Vec<u64>>, x| {
        all.iter().flat_map(|q| (0..=*x).map(move |y| [&q[..], &[y]].concat())).collect()
    })
}

/// Returns whether each of these positions is P; each comes behind its options. None if the game is
/// not known.
pub fn solved(
    positions: Vec<Vec<u64>>,
    misere: bool,
    options: impl Fn(&[u64]) -> Option<Vec<Vec<u64>>>,
) -> Option<Vec<(Vec<u64>, bool)>> {
    let mut known: HashMap<Vec<u64>, bool> = HashMap::new();
    let mut list = Vec::new();
    for p in positions {
        let options = options(&p)?;
        let lost = if options.is_empty() { !misere } else { !options.iter().any(|q| known[q]) };
        known.insert(p.clone(), lost);
        list.push((p, lost));
    }
    Some(list)
}

fn rule(lot: &mut Random, heaps: usize) -> String {
    let one = |lot: &mut Random| {
        let (h, k) = (lot.below(heaps), 1 + lot.below(4));
        let still =
            (0..heaps).filter(|i| *i != h).map(|i| format!(" & q{i} = p{i}")).collect::<String>();
        match lot.below(if heaps == 2 { 8 } else { 4 }) {
            0 => format!("q{h}+{k} = p{h}{still}"),
            1 => format!("q{h}+{k} <= p{h}{still}"),
            2 => format!("p{h} <= {}*q{h}{still}", k + 1),
            3 => format!("q{h} mod {} = {}{still}", k + 1, lot.below(k + 1)),
            4 => "p0+q1 = p1+q0".into(),
            5 => format!("p0+q1 <= p1+q0+{k}"),
            6 => format!("q0+q1+{k} = p0+p1"),
            _ => format!("q{h} = p{}", 1 - h),
        }
    };
    (0..1 + lot.below(3)).map(|_| one(lot)).collect::<Vec<_>>().join(" | ")
}

fn claim(lot: &mut Random, heaps: usize) -> String {
    let names = &["a", "b"][..heaps];
    let one = |lot: &mut Random| {
        let (x, y) = (*lot.one(names), *lot.one(names));
        let (k, m) = (lot.below(4), 2 + lot.below(5));
        match lot.below(9) {
            0 | 1 => format!("{x} mod {m} = {}", lot.below(m)),
            2 => format!("{x} mod {m} = {y} mod {m}"),
            3 => format!("({x}+{y}) mod {m} = {}", lot.below(m)),
            4 => format!("{x} = {y}+{k}"),
            5 => format!("{x} = {k}"),
            6 => format!("{x} <= {y}+{k}"),
            7 => format!("{x} xor {y} = {k}"),
            _ => format!("{x} xor ({x}+1) = 2*{x}+1"),
        }
    };
    match lot.below(4) {
        0 => format!("{} & {}", one(lot), one(lot)),
        1 => format!("{} | {}", one(lot), one(lot)),
        _ => one(lot),
    }
}

/// What was proved of a random game.
pub struct Found {
    pub certificate: Certificate,
    /// Claims that are wrong of it.
    pub wrong: Vec<String>,
}

/// Plays one game, whose seed is the input. Returns whether something was proved of it.
pub fn line(input: &[u8]) -> Result<bool, String> {
    proofs(input).map(|found| found.is_some())
}

/// Plays one game, and returns what was proved last.
pub fn proofs(input: &[u8]) -> Result<Option<Found>, String> {
    let mut lot = Random::new(hash(input));
    let heaps = 1 + lot.below(2);
    let text = rule(&mut lot, heaps);
    let formula =
        Formula::parse_over(&text, &Moves::names(heaps)).map_err(|error| error.message)?;
    let options = |p: &[u64]| {
        let less = |q: &Vec<u64>| q.iter().sum::<u64>() < p.iter().sum::<u64>();
        let mut kept = Vec::new();
        for q in below(p).into_iter().filter(less) {
            let both: Vec<u64> = p.iter().zip(&q).flat_map(|(p, q)| [*p, *q]).collect();
            if formula.holds(&both).ok()? {
                kept.push(q);
            }
        }
        Some(kept)
    };
    let most = if heaps == 1 { 60 } else { 11 };
    let Some(table) = solved(below(&vec![most; heaps]), false, options) else { return Ok(None) };
    let small = |p: &[u64]| p.iter().all(|h| *h <= most / 2);
    let moves =
        Moves::with_formula(Windows::Any(heaps), &text).map_err(|error| error.to_string())?;
    let stated = bouton_core::HeapGame {
        heaps,
        symmetry: Symmetry::None,
        shrinks: false,
        moves,
        digits: Digits::Binary,
    };
    let Ok((game, numeration)) = MoveSystem::from_heap_game(&stated) else { return Ok(None) };
    let own = vec![(0..heaps).collect::<Vec<usize>>()];
    let mut proof: Option<Certificate> = None;
    let mut wrong = Vec::new();
    let mut tried = 0;
    for _ in 0..150 {
        let said = claim(&mut lot, heaps);
        let Ok(form) = Claim::parse(&said, heaps) else { return Err(format!("no claim: {said}")) };
        let right = |p: &Vec<u64>, lost: bool| form.holds_up_to(p, &own).ok() == Some(lost);
        let so_far = table.iter().filter(|(p, _)| small(p)).all(|(p, lost)| right(p, *lost));
        let further = table.iter().all(|(p, lost)| right(p, *lost));
        // Now and then a wrong one.
        if (!so_far && lot.below(60) > 0) || tried == 4 {
            continue;
        }
        tried += 1;
        if !so_far {
            wrong.push(said.clone());
        }
        let claims = claims_for(&game, &[(0, &said)]).map_err(|error| error.message)?;
        let numeration = choose_numeration(&game, &claims, numeration);
        let mut meter = Meter::new(&Budget { nodes: Some(100_000), ..Budget::default() });
        let told = format!("{text}: P iff {said}");
        match prove(&game, &claims, numeration, &mut meter) {
            Attempt::Proved(_) if !further => return Err(format!("proved, and wrong: {told}")),
            Attempt::Proved(found) => {
                let Some(name) = written_name(&stated, numeration) else { continue };
                let meter = &mut Meter::new(&Budget::default());
                let certificate = match found.certificate(&name, &game, &claims, numeration, meter)
                {
                    Ok(certificate) => certificate,
                    Err(why) => return Err(format!("{why}: {told}")),
                };
                let limits = Limits { steps: 1 << 28, ..Limits::default() };
                if let Err(why) = check_limited(&certificate.to_text(), &limits, &mut || true)
                    && why.reason.is_verdict()
                {
                    return Err(format!("proved, and the certificate is {why}: {told}"));
                }
                proof = Some(certificate);
            }
            Attempt::Refuted(found) => {
                let p = &found.position;
                let claimed = form.holds_up_to(p, &own).map_err(|why| why.to_string())?;
                let shown = match &found.option {
                    Some((_, q)) => {
                        let both: Vec<u64> = p.iter().zip(q).flat_map(|(p, q)| [*p, *q]).collect();
                        claimed
                            && formula.holds(&both) == Ok(true)
                            && form.holds_up_to(q, &own) == Ok(true)
                    }
                    None => {
                        !claimed
                            && (p.iter().any(|h| *h > 40)
                                || options(p).is_none_or(|all| {
                                    all.iter().all(|q| form.holds_up_to(q, &own) != Ok(true))
                                }))
                    }
                };
                if !shown {
                    return Err(format!("refuted by what shows nothing, {found}: {told}"));
                }
            }
            Attempt::Unknown(_) => {}
        }
        // The proof of one claim proves no wrong one.
        if let (false, Some(proof)) = (so_far, &proof) {
            let claim = format!("P iff {form}, up to symmetry");
            let other = Certificate { claim, ..proof.clone() };
            let limits = Limits { steps: 1 << 24, ..Limits::default() };
            if check_limited(&other.to_text(), &limits, &mut || true).is_ok() {
                return Err(format!("a wrong claim is accepted: {told}"));
            }
        }
    }
    Ok(proof.map(|certificate| Found { certificate, wrong }))
}
