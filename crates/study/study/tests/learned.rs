//! Automata learned from whole boxes are what the rules say, far beyond the boxes; with one output
//! changed they are refuted.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_check::check;
use bouton_core::{Budget, Play};
use bouton_study::{
    Ending, Form, Line, Proved, Tables, Verdict, follow, settle_automaton, settle_form,
};

fn line(text: &str) -> Line {
    let game = bouton_games::parse(text).unwrap().game;
    let stated = game.heap_game().unwrap();
    follow(&Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {}))
}

/// Checks the P-positions of a box in lexicographic order, from what may be taken, written down by
/// hand.
fn lost(takings: &[Vec<usize>], sides: &[usize], mut visit: impl FnMut(&[u64], bool)) {
    let size: usize = sides.iter().product();
    let mut known = Vec::with_capacity(size);
    let number =
        |p: &[usize]| p.iter().zip(sides).fold(0, |number, (heap, side)| number * side + heap);
    for at in 0..size {
        let mut rest = at;
        let mut p = vec![0; sides.len()];
        for (heap, side) in p.iter_mut().zip(sides).rev() {
            *heap = rest % side;
            rest /= side;
        }
        let fits = takings
            .iter()
            .filter(|taking| taking.iter().zip(&p).all(|(taken, heap)| taken <= heap));
        let mut options = fits.map(|taking| {
            let left: Vec<usize> = p.iter().zip(taking).map(|(heap, taken)| heap - taken).collect();
            known[number(&left)]
        });
        let is_p = !options.any(|option| option);
        known.push(is_p);
        visit(&p.iter().map(|heap| *heap as u64).collect::<Vec<_>>(), is_p);
    }
}

/// Returns these takings from heaps beside each other, anywhere on a circle.
fn round(own: &[&[usize]], heaps: usize) -> Vec<Vec<usize>> {
    let at = |start: usize, taking: &[usize]| {
        let mut all = vec![0; heaps];
        taking.iter().enumerate().for_each(|(place, taken)| all[(start + place) % heaps] = *taken);
        all
    };
    own.iter().flat_map(|taking| (0..heaps).map(move |start| at(start, taking))).collect()
}

#[test]
fn theorems_are_what_the_rules_say() {
    let games = [
        ("CN(4,2;total=2)", round(&[&[2], &[1, 1]], 4)),
        ("CN(4,3;each=1)", round(&[&[1, 1, 1]], 4)),
    ];
    for (name, takings) in games {
        let found = line(name);
        let Ending::Proved(proof) = &found.ending else { panic!("{name}: {:?}", found.ending) };
        assert!(check(&proof.certificate).is_ok());
        let automaton = found.automaton().unwrap();
        // A cube of heaps to 24, and positions with heaps beyond all boxes.
        for sides in [[25, 25, 25, 25], [300, 9, 9, 9], [9, 300, 9, 9], [150, 5, 150, 5]] {
            let mut p_positions = 0;
            lost(&takings, &sides, |p, is_p| {
                assert_eq!(automaton.holds(p), is_p, "{name}: {p:?}");
                p_positions += usize::from(is_p);
            });
            assert!(p_positions > 1000, "{name}: {p_positions}");
        }
        let game = bouton_games::parse(name).unwrap().game;
        for state in [0, automaton.next.len() / 2, automaton.next.len() - 1] {
            let mut wrong = automaton.clone();
            wrong.accepts[state] = !wrong.accepts[state];
            let settled =
                settle_automaton(&*game, Play::Normal, &wrong, &Budget::default()).unwrap();
            assert!(
                matches!(settled, Verdict::Refuted(_)),
                "{name}, output of {state}: {settled:?}"
            );
        }
    }
}

/// Halves that are compared and known modulo 4 have many cases, and few states.
#[test]
fn a_formula_of_halves_is_read_by_an_automaton() {
    let whole = "a div 2 mod 4 = 0 & b div 2 mod 2 = 0 & c div 2 mod 2 = 0 | \
        a div 2 = max(a div 2, b div 2, c div 2) & a div 2 <= b div 2 + c div 2 & (a div 2 + b \
        div 2 + c div 2) mod 4 = 1 | a div 2 mod 2 = 0 & b div 2 mod 2 = 0 & a div 2 + b div 2 <= \
        c div 2 | a div 2 mod 4 = 2 & b div 2 mod 4 = 2 & c div 2 mod 2 = 0";
    let game = bouton_games::parse("CN(3,2;each=2)").unwrap().game;
    let form = |whole: &str| Form {
        whole: whole.into(),
        smaller: Vec::new(),
        exactly: false,
        play: Play::Normal,
    };
    let Verdict::Proved(Proved::Theorem(theorem)) =
        settle_form(&*game, &form(whole), &Budget::default()).unwrap()
    else {
        panic!("a theorem")
    };
    assert!(check(&theorem.certificate).unwrap().theorem.contains("For all heap sizes"));
    let claim = bouton_core::Claim::parse(whole, 3).unwrap();
    lost(&round(&[&[2, 2]], 3), &[40, 40, 40], |p, is_p| {
        let images = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let holds =
            images.iter().any(|image| claim.holds(&image.map(|heap: usize| p[heap])).unwrap());
        assert_eq!(holds, is_p, "{p:?}");
    });
    let wrong = whole.replace("mod 4 = 2 & c", "mod 4 = 0 & c");
    let settled = settle_form(&*game, &form(&wrong), &Budget::default()).unwrap();
    assert!(matches!(settled, Verdict::Refuted(_)), "{settled:?}");
}
