//! Claims read at one position are compared with play by the rules alone, in a box; and at heaps of
//! thirty digits.

#![allow(clippy::unwrap_used, reason = "a test")]
use bouton_core::Meter;
use bouton_prover::{Claim, MoveSystem, Numeration, PPositions, claims_for, default_budget};
use num_bigint::BigUint;
use std::collections::HashMap;

fn meter() -> Meter {
    Meter::new(&default_budget())
}

fn big(heaps: &[u64]) -> Vec<BigUint> {
    heaps.iter().map(|&heap| heap.into()).collect()
}

/// Returns whether the player to move loses, by the rules alone.
fn is_p(
    game: &MoveSystem,
    board: usize,
    p: &[u64],
    known: &mut HashMap<(usize, Vec<u64>), bool>,
) -> bool {
    if let Some(&known) = known.get(&(board, p.to_vec())) {
        return known;
    }
    let options = game.options(board, p);
    let lost = match options.is_empty() {
        true => !game.misere,
        false => !options.iter().any(|(to, q)| is_p(game, *to, q, known)),
    };
    known.insert((board, p.to_vec()), lost);
    lost
}

/// Compares every position of a box: its outcome, and that the options shown are options, are P,
/// and are there where they must be.
fn agrees(game: &MoveSystem, claims: &[(usize, &str)], numeration: Numeration, max: u64) {
    let claims: Vec<Claim> = claims_for(game, claims).unwrap();
    let set = PPositions::new(game, &claims, numeration, &mut meter()).unwrap();
    let mut known = HashMap::new();
    for (board, rules) in game.boards.iter().enumerate() {
        let least = u64::from(rules.positive);
        let mut p = vec![least; rules.heaps];
        loop {
            let lost = is_p(game, board, &p, &mut known);
            assert_eq!(set.contains(board, &big(&p), &mut meter()), Ok(lost), "{p:?}");
            let found = set.options(board, &big(&p), 1, &mut meter()).unwrap();
            let options = game.options(board, &p);
            assert_eq!(found.is_empty(), lost || options.is_empty(), "{p:?}");
            for (to, q) in found {
                let q: Vec<u64> = q.iter().map(|heap| heap.try_into().unwrap()).collect();
                assert!(options.contains(&(to, q.clone())), "{p:?} to {q:?}");
                assert!(is_p(game, to, &q, &mut known), "{p:?} to {q:?}");
            }
            let Some(last) = p.iter().rposition(|heap| *heap < max) else { break };
            p[last] += 1;
            p[last + 1..].fill(least);
        }
    }
}

#[test]
fn claims_on_circles_agree_with_the_rules() {
    let circle = |n, k, claim: &str, max| {
        agrees(&MoveSystem::circular(n, k), &[(0, claim)], Numeration::Binary, max);
    };
    circle(3, 1, "a xor b xor c = 0", 9);
    circle(4, 2, "a = c & b = d", 6);
    circle(5, 2, "b = e & a+b = c+d & a = max", 3);
    circle(5, 3, "a = 0 & b = e & b = c+d", 3);
    circle(6, 4, "a+b = d+e & b+c = e+f & a xor c xor e = 0 & a = min", 2);
    let five_three = "a=1 & b=c+d-1 & e=b & c!=d | E m: m>=2 & a=2 & b=2*m-1 & c=m & d=m+1 & e=2*m";
    let claims = [(0, "true"), (4, "a=b=c=d"), (5, five_three)];
    agrees(&MoveSystem::shrinking(5, 3), &claims, Numeration::Binary, 4);
}

#[test]
fn bound_variables_conditions_and_misere_play_agree_with_the_rules() {
    let queen = MoveSystem::moves(2, "q0=p0 | q1=p1 | p0+q1 = p1+q0", &[vec![1, 0]]).unwrap();
    let pairs = [(0, "a = 0 & b = 0 | E n: a = shift(n)+1 & b = a+n+1")];
    agrees(&queen, &pairs, Numeration::ZECKENDORF, 40);
    // A move that binds a variable: an odd number of tokens.
    let odd = MoveSystem::moves(1, "E x: p0 = q0+2*x+1", &[]).unwrap();
    agrees(&odd, &[(0, "a mod 2 = 0")], Numeration::Binary, 20);
    let subtraction = MoveSystem::moves(1, "q0 < p0 & p0 <= q0+3", &[]).unwrap();
    agrees(&subtraction, &[(0, "a mod 4 = 0")], Numeration::Binary, 30);
    let nim = MoveSystem::circular(3, 1).in_misere_play().unwrap();
    let claim = "max >= 2 & a xor b xor c = 0 | max <= 1 & a xor b xor c = 1";
    agrees(&nim, &[(0, claim)], Numeration::Binary, 6);
    let moore = MoveSystem::windows(
        4,
        &[vec![0, 1], vec![0, 2], vec![0, 3], vec![1, 2], vec![1, 3], vec![2, 3]],
        &[vec![1, 0, 2, 3], vec![1, 2, 3, 0]],
    );
    agrees(&moore, &[(0, "a xor3 b xor3 c xor3 d = 0")], Numeration::Binary, 4);
}

/// Thirty digits: the option shown is P, differs from the position within one window only, and no
/// heap has grown.
#[test]
fn heaps_of_thirty_digits_are_answered() {
    let game = MoveSystem::circular(6, 4);
    let claims =
        claims_for(&game, &[(0, "a+b = d+e & b+c = e+f & a xor c xor e = 0 & a = min")]).unwrap();
    let set = PPositions::new(&game, &claims, Numeration::Binary, &mut meter()).unwrap();
    let ten = BigUint::from(10u8).pow(30);
    let heaps: Vec<BigUint> =
        [1u32, 7, 30, 99, 1234, 5].iter().map(|&more| &ten * more + more * more).collect();
    assert_eq!(set.contains(0, &heaps, &mut meter()), Ok(false));
    let (_, option) = set.options(0, &heaps, 1, &mut meter()).unwrap().remove(0);
    assert_eq!(set.contains(0, &option, &mut meter()), Ok(true));
    let changed: Vec<usize> = (0..6).filter(|&h| option[h] != heaps[h]).collect();
    assert!(changed.iter().all(|&h| option[h] < heaps[h]));
    assert!((0..6).any(|first| changed.iter().all(|h| (h + 6 - first) % 6 < 4)), "{changed:?}");
    // Opposite pairs of equal sums and a nim-sum, as Heubach and Dufour print it.
    let turned = |by: usize, back: bool| -> Vec<&BigUint> {
        (0..6).map(|i| &option[if back { (by + 6 - i) % 6 } else { (by + i) % 6 }]).collect()
    };
    let right = |p: &[&BigUint]| {
        p[0] + p[1] == p[3] + p[4]
            && p[1] + p[2] == p[4] + p[5]
            && (p[0] ^ p[2] ^ p[4]) == BigUint::ZERO
            && p.iter().all(|heap| p[0] <= *heap)
    };
    assert!((0..12).any(|image| right(&turned(image % 6, image > 5))));
}
