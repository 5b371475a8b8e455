//! Verdicts of the prover, against the literature, against tables made by the rules alone, and at
//! random.
#![allow(clippy::unwrap_used)]

use bouton_core::{Budget, LimitReached, Meter, Symmetry, Watch};
use bouton_prover::{
    Attempt, Claim, Formula, MoveSystem, Numeration, Undecided, arcs, claims_for, decide,
    default_budget, prove,
};
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn verdict(game: &MoveSystem, claims: &[(usize, &str)], numeration: Numeration) -> Attempt {
    prove(game, &claims_for(game, claims).unwrap(), numeration, &mut Meter::new(&default_budget()))
}

fn circular(n: usize, k: usize, claim: &str) -> Attempt {
    verdict(&MoveSystem::circular(n, k), &[(0, claim)], Numeration::Binary)
}

/// Returns whether the player to move loses, by the rules alone.
fn lost(
    game: &MoveSystem,
    board: usize,
    p: &[u64],
    known: &mut HashMap<(usize, Vec<u64>), bool>,
) -> bool {
    if let Some(&lost) = known.get(&(board, p.to_vec())) {
        return lost;
    }
    let options = game.options(board, p);
    let over = options.is_empty() && game.misere;
    let result = !over && !options.iter().any(|(to, q)| lost(game, *to, q, known));
    known.insert((board, p.to_vec()), result);
    result
}

fn positions(heaps: usize, least: u64, most: u64) -> Vec<Vec<u64>> {
    (0..heaps).fold(vec![vec![]], |all, _| {
        all.iter()
            .flat_map(|p| (least..=most).map(move |x| [p.as_slice(), &[x]].concat()))
            .collect()
    })
}

/// Returns whether the claims hold exactly where the player to move loses, in a box.
fn agrees(game: &MoveSystem, claims: &[Claim], most: u64) -> bool {
    let mut known = HashMap::new();
    game.boards.iter().enumerate().all(|(board, rules)| {
        positions(rules.heaps, u64::from(rules.positive), most).iter().all(|p| {
            claims[board].holds_up_to(p, &rules.symmetries).unwrap()
                == lost(game, board, p, &mut known)
        })
    })
}

/// Checks that a counterexample is one by the rules alone, and that an exhaustive search finds none
/// with fewer tokens.
fn is_least(game: &MoveSystem, claims: &[Claim], verdict: &Attempt) {
    let Attempt::Refuted(found) = verdict else { panic!("{verdict:?}") };
    let claimed = |board: usize, p: &[u64]| {
        claims[board].holds_up_to(p, &game.boards[board].symmetries).unwrap()
    };
    let wrong = |board: usize, p: &[u64]| {
        let options = game.options(board, p);
        let won =
            options.iter().any(|(to, q)| claimed(*to, q)) || options.is_empty() && game.misere;
        claimed(board, p) == won
    };
    assert!(wrong(found.board, &found.position), "{found}");
    if let Some((to, option)) = &found.option {
        assert!(
            claimed(*to, option)
                && game.options(found.board, &found.position).contains(&(*to, option.clone()))
        );
    }
    let total: u64 = found.position.iter().sum();
    if found.least && total <= 5 {
        for (board, rules) in game.boards.iter().enumerate() {
            let fewer = positions(rules.heaps, u64::from(rules.positive), total.saturating_sub(1));
            let small = fewer.iter().filter(|p| p.iter().sum::<u64>() < total);
            small.for_each(|p| assert!(!wrong(board, p), "{p:?} comes before {found}"));
        }
    }
}

// The theorems of Dufour & Heubach, Circular Nim games, Electronic J. Combin. 20(2) 2013.
#[test]
fn circular_nim_is_proved() {
    for (n, k, claim) in [
        (3, 2, "a=b=c"),
        (6, 5, "a=b=c=d=e=f"),
        (4, 2, "a=c & b=d"),
        (5, 2, "e=b & a+b=c+d & a=max"),
        (5, 3, "a=0 & e=b & b=c+d"),
        (6, 3, "a+b=d+e & b+c=e+f"),
        (6, 4, "a+b=d+e & b+c=e+f & a xor c xor e = 0 & a = min"),
    ] {
        let Attempt::Proved(proof) = circular(n, k, claim) else { panic!("CN({n},{k}) {claim}") };
        assert!(proof.sets() > 0 && proof.cases > 0);
    }
}

#[test]
fn nim_and_moore_are_proved_and_their_neighbours_refuted() {
    for heaps in 1..=12 {
        let windows: Vec<Vec<usize>> = (0..heaps).map(|h| vec![h]).collect();
        let game = MoveSystem::windows(heaps, &windows, &[]);
        assert!(matches!(
            verdict(&game, &[(0, "xor = 0")], Numeration::Binary),
            Attempt::Proved(_)
        ));
        if heaps > 1 {
            let claims = claims_for(&game, &[(0, "xor3 = 0")]).unwrap();
            is_least(
                &game,
                &claims,
                &prove(&game, &claims, Numeration::Binary, &mut Meter::new(&default_budget())),
            );
        }
    }
    let pairs: Vec<Vec<usize>> = (0..5).flat_map(|i| (0..i).map(move |j| vec![i, j])).collect();
    let moore = MoveSystem::windows(5, &pairs, &[]);
    assert!(matches!(verdict(&moore, &[(0, "xor3 = 0")], Numeration::Binary), Attempt::Proved(_)));
    let claims = claims_for(&moore, &[(0, "xor = 0")]).unwrap();
    is_least(
        &moore,
        &claims,
        &prove(&moore, &claims, Numeration::Binary, &mut Meter::new(&default_budget())),
    );
}

// Bouton 1902 for Nim in misère play: as normal play while a heap has two tokens.
#[test]
fn misere_play() {
    let misere = |game: MoveSystem| game.in_misere_play().unwrap();
    let bouton = "max >= 2 & xor = 0 | max <= 1 & xor = 1";
    for heaps in 1..=4 {
        let windows: Vec<Vec<usize>> = (0..heaps).map(|h| vec![h]).collect();
        let game = misere(MoveSystem::windows(heaps, &windows, &[]));
        let claims = claims_for(&game, &[(0, bouton)]).unwrap();
        let verdict = prove(&game, &claims, Numeration::Binary, &mut Meter::new(&default_budget()));
        assert!(matches!(verdict, Attempt::Proved(_)) && agrees(&game, &claims, 4), "{heaps}");
        for wrong in ["xor = 0", "xor = 1", "max >= 2 & xor = 0", "false", "true"] {
            let claims = claims_for(&game, &[(0, wrong)]).unwrap();
            if heaps > 1 || !agrees(&game, &claims, 4) {
                is_least(
                    &game,
                    &claims,
                    &prove(&game, &claims, Numeration::Binary, &mut Meter::new(&default_budget())),
                );
            }
        }
    }
    // SCN(3,2): the forms that brute force in misère play shows; the empty circle is N.
    let game = misere(MoveSystem::shrinking(3, 2));
    for (smallest, right) in [("false", true), ("true", false)] {
        let claims =
            claims_for(&game, &[(0, smallest), (1, "a=1"), (3, "a=b & b=c & a>=2")]).unwrap();
        let verdict = prove(&game, &claims, Numeration::Binary, &mut Meter::new(&default_budget()));
        assert_eq!(agrees(&game, &claims, 5), right);
        assert_eq!(matches!(verdict, Attempt::Proved(_)), right, "{verdict:?}");
    }
    // Where a position with tokens may have no move, that is another matter.
    let taking = MoveSystem::moves(1, "q0+2 = p0 | q0+3 = p0", &[]).unwrap();
    assert!(taking.in_misere_play().is_err());
}

// Wythoff 1907: the P-positions are (⌊nφ⌋, ⌊nφ²⌋), which is (shift(n−1)+1, that + n) in Zeckendorf
// digits.
#[test]
fn wythoff_is_proved_and_its_half_is_not() {
    let game = MoveSystem::moves(2, "q0=p0 | q1=p1 | p0+q1=p1+q0", &[vec![1, 0]]).unwrap();
    let all = [(0, "a=0 & b=0 | E n: a = shift(n)+1 & b = a+n+1")];
    assert!(matches!(verdict(&game, &all, Numeration::ZECKENDORF), Attempt::Proved(_)));
    let half =
        claims_for(&game, &[(0, "a=0 & b=0 | E m: a = shift(2*m)+1 & b = a+2*m+1")]).unwrap();
    let refuted = prove(&game, &half, Numeration::ZECKENDORF, &mut Meter::new(&default_budget()));
    is_least(&game, &half, &refuted);
    let Attempt::Refuted(found) = refuted else { panic!() };
    assert_eq!((found.position, found.option), (vec![3, 5], None), "(3,5) is P and left out");
    assert!(matches!(
        verdict(&game, &all, Numeration::Binary),
        Attempt::Unknown(Undecided::Unreadable(_))
    ));
}

#[test]
fn wrong_claims_are_refuted_with_the_least_counterexample() {
    let base = "a+b=d+e & b+c=e+f & a xor c xor e = 0";
    for (game, claim) in [
        (MoveSystem::circular(6, 4), base.to_owned()),
        (MoveSystem::circular(6, 2), "a+b=d+e & b+c=e+f".to_owned()),
        (MoveSystem::windows(6, &arcs(6, 4), &[]), format!("{base} & a=min")),
        (MoveSystem::circular(5, 2), "e=b & a+b=c+d".to_owned()),
        (MoveSystem::circular(4, 2), "a=c & b=d & a<1000".to_owned()),
        (MoveSystem::circular(4, 2), "a=b=c=d".to_owned()),
        (MoveSystem::circular(4, 2), "true".to_owned()),
        (MoveSystem::circular(4, 2), "false".to_owned()),
    ] {
        let claims = claims_for(&game, &[(0, claim.as_str())]).unwrap();
        is_least(
            &game,
            &claims,
            &prove(&game, &claims, Numeration::Binary, &mut Meter::new(&default_budget())),
        );
    }
}

#[test]
fn a_claim_wrong_only_far_out_is_still_refuted() {
    let game = MoveSystem::circular(4, 2);
    let claims =
        claims_for(&game, &[(0, "a=c & b=d & ~(a=300 & b=500) & ~(a=500 & b=300)")]).unwrap();
    let Attempt::Refuted(found) =
        prove(&game, &claims, Numeration::Binary, &mut Meter::new(&default_budget()))
    else {
        panic!()
    };
    // Below the excepted positions the claim is right, so the position must lie at or above one of
    // them.
    assert!(!found.least && found.position.iter().max() >= Some(&500), "{found}");
}

#[test]
fn a_spent_budget_is_a_value() {
    let game = MoveSystem::circular(6, 3);
    let claims = claims_for(&game, &[(0, "a+b=d+e & b+c=e+f")]).unwrap();
    let with = |budget: Budget| {
        let mut meter = Meter::new(&budget);
        let verdict = prove(&game, &claims, Numeration::Binary, &mut meter);
        (verdict, meter.nodes())
    };
    let nodes = |limit: u64| Budget { nodes: Some(limit), ..Budget::default() };
    let (proved, spent) = with(Budget::default());
    assert!(matches!(proved, Attempt::Proved(_)));
    // One budget, one answer, whatever else is watched.
    assert_eq!(with(nodes(spent + 1)), (proved.clone(), spent));
    let watched =
        Budget { watch: Some(Default::default()), ..nodes(spent + 1).within(Duration::MAX) };
    assert_eq!(with(watched), (proved, spent));
    for limit in [0, 1, 1000, spent / 2, spent - 1] {
        let (verdict, at) = with(nodes(limit));
        assert_eq!(verdict, Attempt::Unknown(Undecided::Limit(LimitReached::Nodes(limit))));
        assert_eq!(with(nodes(limit)), (verdict, at));
    }
    let few = Budget { bytes: Some(1000), ..Budget::default() };
    assert_eq!(with(few).0, Attempt::Unknown(Undecided::Limit(LimitReached::Bytes(1000))));
    let quantified = claims_for(&game, &[(0, "A x: x >= a")]).unwrap();
    let verdict = prove(&game, &quantified, Numeration::Binary, &mut Meter::new(&default_budget()));
    assert!(matches!(verdict, Attempt::Unknown(Undecided::Beyond(_))));
}

/// However small the claim: who is out of time, or told to stop, gets no theorem.
#[test]
fn no_theorem_is_told_too_late() {
    let game = MoveSystem::circular(3, 2);
    let claims = claims_for(&game, &[(0, "a = b & b = c")]).unwrap();
    let watch = Watch::default();
    watch.stop.store(true, Ordering::Relaxed);
    let stopped = Budget { watch: Some(watch.into()), ..Budget::default() };
    let late = Budget::default().within(Duration::ZERO);
    for (budget, limit) in
        [(stopped, LimitReached::Cancelled), (late, LimitReached::Time(Duration::ZERO))]
    {
        let verdict = prove(&game, &claims, Numeration::Binary, &mut Meter::new(&budget));
        assert_eq!(verdict, Attempt::Unknown(Undecided::Limit(limit)));
        let formula = Formula::parse("A x: x = x").unwrap();
        let decision = decide(&formula, Numeration::Binary, &mut Meter::new(&budget));
        assert_eq!(decision.unwrap_err(), Undecided::Limit(limit));
    }
}

// S1–S3: the theorems on shrinking circles of *Variations of Circular Nim*, restored from tables.
#[test]
fn shrinking_circular_nim_is_proved() {
    let four = "a=c & b=d & a!=b";
    let five_two = "e=b & a+b=c+d & b<c & c<a & b<d & d<a
        | c=b & d=a & e=b+1 & b+2<=a & (a mod 2 = 0 | b+3<=a)
        | a mod 2 = 1 & b=a-2 & c=a-2 & d=a-1 & e=a-1
        | a mod 2 = 1 & b=a-1 & c=a-2 & d=a-2 & e=a-1";
    let five_three = "a=1 & b=c+d-1 & e=b & c!=d | E m: m>=2 & a=2 & b=2*m-1 & c=m & d=m+1 & e=2*m";
    for (game, claims) in [
        (MoveSystem::shrinking(4, 2), vec![(0, "true"), (3, "a=b=c"), (4, four)]),
        (MoveSystem::shrinking(5, 2), vec![(0, "true"), (3, "a=b=c"), (4, four), (5, five_two)]),
        (MoveSystem::shrinking(5, 3), vec![(0, "true"), (4, "a=b=c=d"), (5, five_three)]),
    ] {
        let claims = claims_for(&game, &claims).unwrap();
        assert!(agrees(&game, &claims, 5));
        let verdict = prove(&game, &claims, Numeration::Binary, &mut Meter::new(&default_budget()));
        assert!(matches!(verdict, Attempt::Proved(_)), "{verdict:?}");
    }
    let game = MoveSystem::shrinking(4, 2);
    let wrong = claims_for(&game, &[(0, "true"), (3, "a=b=c"), (4, "a=c & b=d")]).unwrap();
    is_least(
        &game,
        &wrong,
        &prove(&game, &wrong, Numeration::Binary, &mut Meter::new(&default_budget())),
    );
}

#[test]
fn subtraction_games_by_a_formula() {
    // Take 1, 2 or 3 from one heap: P iff the nim-sum of the heaps' remainders mod 4 is 0.
    let game =
        MoveSystem::moves(2, "(q0=p0 & p1 <= q1+3) | (q1=p1 & p0 <= q0+3)", &[vec![1, 0]]).unwrap();
    let right = [(0, "(a mod 4) xor (b mod 4) = 0")];
    assert!(agrees(&game, &claims_for(&game, &right).unwrap(), 9));
    let verdict = verdict(&game, &right, Numeration::Binary);
    assert!(matches!(verdict, Attempt::Proved(_)), "{verdict:?}");
    // So are all claims that look like it, but for the right one in other words.
    for (wrong, right) in [
        ("(a mod 4) xor (b mod 4) = 1", false),
        ("a mod 4 = b mod 4", true),
        ("a mod 3 = b mod 3", false),
        ("a mod 8 = b mod 8", false),
        ("a mod 2 = b mod 2", false),
        ("a mod 2 = b mod 2 & a div 2 mod 2 = b div 2 mod 2", true),
        ("a mod 2 = b mod 2 & a div 2 mod 2 != b div 2 mod 2", false),
        ("(a - b) mod 4 = 0", true),
        ("(a mod 2) xor (b mod 2) xor (a div 2 mod 2) xor (b div 2 mod 2) = 0", false),
    ] {
        let claims = claims_for(&game, &[(0, wrong)]).unwrap();
        let verdict = prove(&game, &claims, Numeration::Binary, &mut Meter::new(&default_budget()));
        assert_eq!(agrees(&game, &claims, 9), right, "{wrong}");
        match right {
            true => assert!(matches!(verdict, Attempt::Proved(_)), "{wrong}: {verdict:?}"),
            false => is_least(&game, &claims, &verdict),
        }
    }
}

fn claim_text() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        Just("a=c".to_owned()),
        Just("b=0".to_owned()),
        Just("a=b".to_owned()),
        Just("a+b=c".to_owned()),
        Just("a xor b = c".to_owned()),
        Just("a=max".to_owned()),
        Just("c=min".to_owned()),
        Just("a <= 2*b".to_owned()),
        Just("(a+b) mod 2 = 0".to_owned()),
        Just("b div 2 = c".to_owned()),
        Just("a mod 3 = b mod 3".to_owned()),
        Just("a mod 2 xor b mod 4 xor c mod 2 = 0".to_owned()),
        Just("a div 2 mod 2 = c div 2 mod 2".to_owned()),
        Just("a = b+1".to_owned()),
        Just("(E x: 2*x = a+b & x <= c)".to_owned()),
    ];
    atom.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} & {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} | {b})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// A refutation is right by the rules; a proof is never given to what the rules refute.
    #[test]
    fn verdicts_agree_with_the_rules(text in claim_text(), windows in 0..4usize, symmetric: bool,
        misere: bool) {
        let windows: Vec<Vec<usize>> = [
            vec![vec![0], vec![1], vec![2]],
            vec![vec![0, 1], vec![1, 2], vec![0, 2]],
            vec![vec![0, 1], vec![2]],
            vec![vec![0, 1, 2]],
        ][windows].clone();
        let symmetries = if symmetric { Symmetry::Ring.permutations(3, 6).unwrap() }
            else { vec![] };
        let game = MoveSystem { misere, ..MoveSystem::windows(3, &windows, &symmetries) };
        let claims = claims_for(&game, &[(0, text.as_str())]).unwrap();
        match prove(&game, &claims, Numeration::Binary, &mut Meter::new(&default_budget())) {
            Attempt::Proved(_) => prop_assert!(agrees(&game, &claims, 6), "{}", text),
            refuted @ Attempt::Refuted(_) => is_least(&game, &claims, &refuted),
            Attempt::Unknown(reason) => prop_assert!(false, "{}: {}", text, reason),
        }
    }
}
