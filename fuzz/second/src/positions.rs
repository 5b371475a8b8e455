//! P-positions for all heap sizes: claims compared with play on small heaps.
//!
//! Nothing of the proof is read: a claim that is false of small heaps is rejected, and all others
//! are left open.

use crate::formula::{Formula, formula};
use crate::games::{Game, game, neighbours, ring};
use crate::{Certificate, Checked, Work, need, number, reject, unknown};
use std::collections::HashMap;

/// A claim: a formula for each number of heaps, and the images of positions.
struct Claims {
    by_heaps: HashMap<usize, (Formula, Vec<Vec<usize>>)>,
}

impl Claims {
    fn has(&self, position: &[i64]) -> bool {
        self.by_heaps.get(&position.len()).is_some_and(|(claim, images)| {
            images.iter().any(|image| {
                let turned: Vec<i64> = image.iter().map(|heap| position[*heap]).collect();
                claim.holds(&turned)
            })
        })
    }
}

pub fn check(certificate: &Certificate, work: &mut Work) -> Checked<()> {
    let game = game(certificate.game)?;
    let claim = certificate.claim.replace("misère", "misere");
    let (misere, text) =
        match (claim.strip_prefix("P iff "), claim.strip_prefix("in misere play P iff ")) {
            (Some(text), _) => (false, text),
            (_, Some(text)) => (true, text),
            _ => return reject("no claim on P-positions"),
        };
    // Where players may be stuck with tokens left, a claim on misère play is meant as it stands.
    let as_it_stands = misere && game.condition.is_some() && !game.purses;
    let text = match text.strip_suffix(", up to symmetry") {
        Some(text) if !as_it_stands => text,
        None if as_it_stands => text,
        _ => {
            return reject("no claim up to symmetry, or one where it should be meant as it stands");
        }
    };
    let named = |text: &str, heaps: usize| -> Checked<Formula> {
        let names: Vec<String> =
            (0..heaps).map(|i| char::from(b'a' + i as u8).to_string()).collect();
        formula(text, &names)
    };
    let mut by_heaps = HashMap::new();
    if game.closing.is_some() {
        for part in text.split("; ") {
            let Some((heaps, text)) = part.split_once(" heaps: ") else {
                return reject("no claim by heaps");
            };
            let heaps = number(heaps)? as usize;
            need(heaps <= game.heaps, "a claim on more heaps than there are")?;
            let old = by_heaps.insert(heaps, (named(text, heaps)?, ring(heaps)));
            need(old.is_none(), "two claims on one number of heaps")?;
        }
    } else {
        if game.images.is_empty() {
            return unknown("too many images");
        }
        let images =
            if as_it_stands { vec![(0..game.heaps).collect()] } else { game.images.clone() };
        by_heaps.insert(game.heaps, (named(text, game.heaps)?, images));
    }
    let restricted = game.condition.is_some() || game.purses || game.remembered > 0;
    let all = (0..game.heaps).all(|heap| game.windows.iter().any(|window| window.contains(&heap)));
    need(
        !misere || as_it_stands || !restricted && all,
        "misère play of a game whose tokens cannot all be taken",
    )?;
    let claims = Claims { by_heaps };
    let least = if game.closing.is_some() { 0 } else { game.heaps };
    for heaps in least..=game.heaps {
        compare(&game, heaps, misere, &claims, work)?;
    }
    unknown("true of small heaps; proofs of p-positions are not covered")
}

/// Goes through all lists of numbers up to these limits.
fn lists(limits: &[i64], mut visit: impl FnMut(&[i64]) -> Checked<bool>) -> Checked<()> {
    let mut list = vec![0; limits.len()];
    loop {
        if !visit(&list)? {
            return Ok(());
        }
        let Some(at) = (0..list.len()).find(|at| list[*at] < limits[*at]) else { return Ok(()) };
        list[at] += 1;
        list[..at].fill(0);
    }
}

/// Compares the claim with the definition of P: claimed positions have no claimed option, and all
/// others have one.
fn compare(
    game: &Game,
    heaps: usize,
    misere: bool,
    claims: &Claims,
    work: &mut Work,
) -> Checked<()> {
    let top = match heaps {
        0 | 1 => 60,
        2 => 14,
        3 => 8,
        4 => 4,
        5 => 3,
        6 => 2,
        _ => 1,
    };
    // A part of the work at most: this is a sample, however far it comes.
    let mut share = Work(work.0 / 8 / (game.heaps as u64 + 1));
    let least = i64::from(game.closing.is_some());
    let mut told = Ok(());
    lists(&vec![top - least; heaps], |list| {
        let position: Vec<i64> = list.iter().map(|heap| heap + least).collect();
        match right(game, &position, misere, claims, &mut share) {
            Ok(()) => Ok(true),
            Err(crate::Fault::Unknown(_)) => Ok(false),
            Err(fault) => {
                told = Err(fault);
                Ok(false)
            }
        }
    })?;
    told
}

fn right(
    game: &Game,
    position: &[i64],
    misere: bool,
    claims: &Claims,
    work: &mut Work,
) -> Checked<()> {
    let windows = match game.closing {
        Some(k) => neighbours(position.len(), k),
        None => game.windows.clone(),
    };
    let (mut moves, mut claimed) = (false, false);
    for window in windows.iter().filter(|window| !window.is_empty()) {
        let rules = game.move_in(window.len());
        let first_remembered = window.len() - game.remembered;
        // Remembered numbers, and purses that are turned, may rise.
        let most: i64 = position.iter().sum();
        let limits: Vec<i64> = window
            .iter()
            .enumerate()
            .map(|(i, heap)| {
                let free = i >= first_remembered || game.purses;
                if free { most + 2 } else { position[*heap] }
            })
            .collect();
        lists(&limits, |after| {
            work.spend(60)?;
            let pairs: Vec<i64> = window
                .iter()
                .zip(after)
                .flat_map(|(heap, after)| [position[*heap], *after])
                .collect();
            if rules.holds(&pairs) {
                moves = true;
                let mut option = position.to_vec();
                window.iter().zip(after).for_each(|(heap, after)| option[*heap] = *after);
                if game.closing.is_some() {
                    option.retain(|heap| *heap > 0);
                }
                claimed |= claims.has(&option);
            }
            Ok(true)
        })?;
    }
    if game.remembered > 0 && !claims.has(position) {
        // A move may lead to remembered numbers that were not tried.
        return Ok(());
    }
    let p = if moves { !claimed } else { !misere };
    need(claims.has(position) == p, &format!("the claim is false of {position:?}"))
}
