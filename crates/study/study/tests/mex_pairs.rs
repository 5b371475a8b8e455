//! P-positions of two heaps that are pairs of sequences, one by least numbers: claims as text,
//! compared with play by the rules' formula alone; claims beside them, and texts that are none.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_check::check;
use bouton_core::{Budget, Formula, Moves, Play};
use bouton_engine::Game;
use bouton_games::{RuleFile, RuleText};
use bouton_study::{
    FormError, PipelineOutcome, SettleFormError, Tables, Verdict, follow, settle_form,
};
use bouton_theory::form::Form;
use bouton_theory::verdict::{Failure, Proved};
use std::collections::HashSet;

/// Heaps that are played out.
const HEAPS: u64 = 70;

/// Moves of a game, its P-positions as the source has them, and the same for the test: the width
/// of mex, and b from n, a and the pair before.
type Sample = (&'static str, &'static str, u64, fn(u64, u64, u64, u64) -> u64);

const SAMPLES: [Sample; 8] = [
    // NIM(a, b): V. Gurvich, Discrete Applied Mathematics 160 (2012): A by mex_a, B = A + b·n.
    (
        "p0 < q0+2 | p1 < q1+2 | p0+q1 < p1+q0+2 & p1+q0 < p0+q1+2",
        "a = mex_2, b = a + 2*n",
        2,
        |n, a, _, _| a + 2 * n,
    ),
    ("p0 < q0+3 | p1 < q1+3 | p0+q1 = p1+q0", "a = mex_3, b = a + n", 3, |n, a, _, _| a + n),
    // (s, t): A. S. Fraenkel, Heap games, numeration systems and sequences, Annals of
    // Combinatorics 2 (1998): 0 < k <= l < s*k + t from the two heaps, B = s·A + t·n.
    (
        "q0 = p0 | q1 = p1 | p0+q1 < p1+q0+2 & p1+q0 < p0+q1+2",
        "a = mex, b = a + 2*n",
        1,
        |n, a, _, _| a + 2 * n,
    ),
    (
        "q0 = p0 | q1 = p1 | q0 < p0 & q1 < p1 & p0+2*q1 < q0+2*p1+1 & p1+2*q0 < q1+2*p0+1",
        "a = mex, b = 2*a + n",
        1,
        |n, a, _, _| 2 * a + n,
    ),
    (
        "q0 = p0 | q1 = p1 | q0 < p0 & q1 < p1 & p0+2*q1 < q0+2*p1+3 & p1+2*q0 < q1+2*p0+3",
        "a = mex, b = 2*a + 3*n",
        1,
        |n, a, _, _| 2 * a + 3 * n,
    ),
    // A. S. Fraenkel, New games related to old and new sequences, Integers 4 (2004), G6: amounts
    // that differ by less than f(x1, y1, x0); B is f of the pair before, and its difference, more.
    (
        "q0 = p0 | q1 = p1 | p0+q1 < p1+q0+min(q0,q1)+1 & p1+q0 < p0+q1+min(q0,q1)+1",
        "a = mex, b = a + q + 1 from 0",
        1,
        |n, a, _, q| if n == 0 { 0 } else { a + q + 1 },
    ),
    (
        "q0 = p0 | q1 = p1 | p0+q1 < p1+q0+q0+q1+1 & p1+q0 < p0+q1+q0+q1+1",
        "a = mex, b = a + 2*q + 1 from 0",
        1,
        |n, a, _, q| if n == 0 { 0 } else { q.saturating_mul(2).saturating_add(a + 1) },
    ),
    (
        "q0 = p0 | q1 = p1 | p0+q1 < p1+q0+2 & p1+q0 < p0+q1+2",
        "a = mex, b = a + q - p + 2 from 0",
        1,
        |n, a, p, q| if n == 0 { 0 } else { a + q - p + 2 },
    ),
];

fn text(moves: &str) -> String {
    format!("name = \"pairs\"\nheaps = 2\nsymmetry = \"full\"\nmove = \"{moves}\"\n")
}

fn game(moves: &str) -> Box<dyn Game> {
    RuleFile::parse(&text(moves)).unwrap().game()
}

fn form(whole: &str) -> Form {
    Form { whole: whole.to_owned(), ..Form::default() }
}

/// Returns the P-positions with heaps below the bound by the formula alone.
fn brute(moves: &str) -> HashSet<[u64; 2]> {
    let file = RuleText::read(&text(moves)).unwrap();
    let formula = Formula::parse_over(&file.moves, &Moves::names(2)).unwrap();
    let mut lost: Vec<[u64; 2]> = Vec::new();
    for total in 0..2 * HEAPS - 1 {
        let before = lost.len();
        for x in (0..HEAPS).filter(|x| *x <= total && total - x < HEAPS) {
            let y = total - x;
            let leads = |[z, w]: &[u64; 2]| {
                *z <= x && *w <= y && z + w < total && formula.holds(&[x, *z, y, *w]) == Ok(true)
            };
            if !lost[..before].iter().any(leads) {
                lost.push([x, y]);
            }
        }
    }
    lost.into_iter().collect()
}

/// Returns the pairs with heaps below the bound, in both orders, by the definition alone.
fn pairs(width: u64, b: impl Fn(u64, u64, u64, u64) -> u64) -> HashSet<[u64; 2]> {
    let mut list: Vec<[u64; 2]> = Vec::new();
    loop {
        let free =
            |k: &u64| list.iter().flatten().all(|number| *number > *k || number + width <= *k);
        let a = (0..).find(free).unwrap();
        if a >= HEAPS {
            break;
        }
        let [p, q] = list.last().copied().unwrap_or_default();
        list.push([a, b(list.len() as u64, a, p, q)]);
    }
    let both = list.into_iter().flat_map(|[a, b]| [[a, b], [b, a]]);
    both.filter(|pair| pair.iter().all(|heap| *heap < HEAPS)).collect()
}

/// Claims of the sources are proved, and the pairs are the P-positions by the rules.
#[test]
fn pairs_of_published_games_are_proved() {
    for (moves, claim, width, b) in SAMPLES {
        assert_eq!(brute(moves), pairs(width, b), "{moves}");
        let settled = settle_form(&*game(moves), &form(claim), &Budget::default()).unwrap();
        let Verdict::Proved(Proved::Theorem(theorem)) = &settled else {
            panic!("{moves}: {settled:?}")
        };
        let accepted = check(&theorem.certificate).unwrap();
        assert_eq!((&*accepted.kind, &*accepted.claim), ("pairs", &*format!("P iff {claim}")));
    }
}

/// Those of which no form is known that is plainer are found from the rules alone.
#[test]
fn study_finds_pairs() {
    for (moves, claim, ..) in [1, 3, 4, 5, 6].map(|at| SAMPLES[at]) {
        let (game, budget) = (game(moves), Budget::default());
        let stated = game.heap_game().unwrap();
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {}));
        let PipelineOutcome::Proved(proof) = &line.ending else { panic!("{moves}") };
        let accepted = check(&proof.certificate).unwrap();
        assert_eq!((&*accepted.kind, &*accepted.claim), ("pairs", &*format!("P iff {claim}")));
    }
}

/// Claims near the right ones are refuted with the least position that they tell wrongly.
#[test]
fn false_pairs_are_refuted_with_the_least_position() {
    type Twin = (usize, &'static str, u64, fn(u64, u64, u64, u64) -> u64);
    let twins: [Twin; 6] = [
        (0, "a = mex, b = a + 2*n", 1, |n, a, _, _| a + 2 * n),
        (1, "a = mex_3, b = a + n + n div 2", 3, |n, a, _, _| a + n + n / 2),
        (2, "a = mex, b = a + 2*n + 1", 1, |n, a, _, _| a + 2 * n + 1),
        (3, "a = mex, b = 2*a + n + n div 3", 1, |n, a, _, _| 2 * a + n + n / 3),
        (5, "a = mex, b = a + q + 1 from 1", 1, |n, a, _, q| if n == 0 { 1 } else { a + q + 1 }),
        (6, "a = mex, b = min(a + 2*q + 1, 4*a + 2) from 0", 1, |n, a, _, q| {
            if n == 0 { 0 } else { q.saturating_mul(2).saturating_add(a + 1).min(4 * a + 2) }
        }),
    ];
    for (at, claim, width, b) in twins {
        let moves = SAMPLES[at].0;
        let (is, said) = (brute(moves), pairs(width, b));
        let differing = is.symmetric_difference(&said).filter(|[x, y]| x <= y);
        let least = differing.min_by_key(|[x, y]| (x + y, *x)).unwrap();
        let settled = settle_form(&*game(moves), &form(claim), &Budget::default()).unwrap();
        let Verdict::Refuted(refuted) = &settled else { panic!("{moves} {claim}: {settled:?}") };
        let Failure::Position(found) = &refuted.counterexample else { panic!("{refuted:?}") };
        assert_eq!(found.position, least.to_vec(), "{moves} {claim}");
        assert!(refuted.least, "{moves} {claim}");
    }
}

/// Pairs of other play, or of another number of heaps, are not settled.
#[test]
fn other_games_are_declined() {
    let claim = "a = mex, b = a + 2*n";
    let misere = Form { play: Play::Misere, ..form(claim) };
    let settled = settle_form(&*game(SAMPLES[2].0), &misere, &Budget::default()).unwrap();
    assert!(matches!(settled, Verdict::Unknown(_)), "{settled:?}");
    // (2, 1) is P, too, though a is the greater number there.
    let as_it_stands = Form { exactly: true, ..form("a = mex, b = a + n") };
    let settled = settle_form(
        &*bouton_games::parse("wythoff").unwrap().game,
        &as_it_stands,
        &Budget::default(),
    );
    assert!(matches!(settled, Ok(Verdict::Unknown(_))), "{settled:?}");
    for name in ["nim(1)", "nim(3)", "SCN(2,1)"] {
        let game = bouton_games::parse(name).unwrap().game;
        let settled = settle_form(&*game, &form(claim), &Budget::default()).unwrap();
        assert!(matches!(settled, Verdict::Unknown(_)), "{name}: {settled:?}");
    }
}

/// What is no claim of this form is refused at its place.
#[test]
fn texts_that_are_no_pairs_are_refused_at_their_place() {
    let game = game(SAMPLES[2].0);
    for (text, place) in [
        ("a = mex", 7),
        ("a = mex_0, b = a + n", 7),
        ("a = mex_65, b = a + n", 7),
        ("a = mex_x, b = a + n", 7),
        ("a = mex, c = a + n", 9),
        ("a = mex, b = a + c", 17),
        ("a = mex, b > a", 8),
        ("a = mex, b = a + b", 8),
        ("a = mex, b = a + q", 18),
        ("a = mex, b = a + p", 18),
        ("a = mex, b = a + n from 0", 8),
        ("a = mex, b = a + q from", 19),
        ("a = mex, b = a + q from x", 24),
        ("a = mex, b = a + q from -1", 24),
    ] {
        match settle_form(&*game, &form(text), &Budget::default()) {
            Err(SettleFormError::Form(FormError::Formula(whole, error))) => {
                assert_eq!((&*whole, error.range.start), (text, place), "{text}: {error:?}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}
