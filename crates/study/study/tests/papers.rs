//! Games of papers (tests/papers): from the rules alone to a theorem, which is compared with brute
//! force from the file's formula. Positions that occur, automata learned by asking, wrong automata.
#![allow(clippy::unwrap_used, reason = "a test")]

mod brute;
mod sealed;

use bouton_check::check;
use bouton_core::{Budget, Claim, Deadline, DigitSystem, Play};
use bouton_engine::Game;
use bouton_games::{ParsedGame, RuleFile};
use bouton_prover::Acceptor;
use bouton_study::{
    Failure, Findings, Form, PipelineOutcome, Proved, Settings, StudyTarget, Tables, Verdict,
    follow, settle_automaton, settle_form, study,
};
use brute::{Brute, boxed};
use sealed::again;
use std::time::Duration;

macro_rules! paper {
    ($name:literal) => {
        include_str!(concat!("../../../../tests/papers/", $name, ".toml"))
    };
}

fn game(text: &str) -> Box<dyn Game> {
    RuleFile::parse(text).unwrap().game()
}

/// Checks that the line of a game of a paper ends in a theorem, whose claim is what brute force
/// says of all positions up to these that occur. Returns whether it is an automaton.
fn proved(text: &str, most: &[u64]) -> bool {
    proved_from(text, most, None)
}

/// Checks the same from tables with no heap above `max`.
fn proved_from(text: &str, most: &[u64], max: Option<u32>) -> bool {
    let game = game(text);
    let stated = game.heap_game().unwrap();
    let name = game.name();
    // So much that a slow machine has time, too: without a limit learning has limits of its own.
    let deadline = Deadline::after(Duration::from_secs(1200));
    let budget = Budget { deadline: Some(deadline), ..Budget::default() };
    let mut tables = Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {});
    tables.max = max;
    let line = follow(&tables);
    let PipelineOutcome::Proved(proof) = &line.ending else { panic!("{name}: {:?}", line.ending) };
    check(&proof.certificate).unwrap();
    let automaton = line.automaton();
    let claim = line.boards[0].rounds.last().unwrap().formula().cloned();
    let mut brute = Brute::new(text, most, Play::Normal);
    let mut seen = [0; 2];
    for p in boxed(most) {
        if stated.moves.domain.as_ref().is_some_and(|domain| !domain.contains(&p)) {
            continue;
        }
        let is_p = brute.is_p(&p);
        let images = stated.symmetry.permutations(p.len(), 720).unwrap();
        let said = match (&claim, &automaton) {
            (Some(claim), _) => claim.holds_up_to(&p, &images).unwrap(),
            (None, Some(automaton)) => automaton.holds(&p),
            (None, None) => panic!("{name}: no claim"),
        };
        assert_eq!(said, is_p, "{name}: {p:?}");
        seen[usize::from(is_p)] += 1;
    }
    assert!(seen.iter().all(|count| *count > 3), "{name}: {seen:?}");
    claim.is_none()
}

#[test]
fn automata_are_learned_by_asking() {
    assert!(proved(paper!("imark-12-4"), &[400]));
    // A form is sought afterwards, and found here.
    proved(paper!("odd-even-nim-3"), &[7, 7, 7, 1]);
}

/// Gurvich's NIM(2, 2), Nim whose mover forbids a remainder modulo 3, and Nim on two heaps with at
/// most as many tokens as were taken last.
#[test]
fn wythoff_variants_and_nim_with_memory_are_proved() {
    assert!(!proved(paper!("gurvich-2-2"), &[40, 40]));
    proved(paper!("muller-twist-3-3"), &[6, 6, 6, 2]);
    proved(paper!("dynamic-same-2"), &[12, 12, 12]);
}

/// Where games begin, and whatever moves lead to from there, is among the positions that occur, and
/// no move is lost there. What cannot be read is refused.
#[test]
fn games_begin_somewhere() {
    let file = |more: &str, moves: &str| {
        format!("name = \"one\"\nheaps = 2\nmemory = 1\n{more}move = \"{moves}\"\n")
    };
    // What was taken from the lesser heap is remembered, and must not be taken next.
    let moves =
        "q0+q2 = p0 & q1 = p1 & p0 <= p1 & q2 != p2 | q0 = p0 & q1+q2 = p1 & p1 <= p0 & q2 != p2";
    let begun = game(&file("start = \"p2 = 0 & p0 != 3\"\n", moves));
    let all = game(&file("", moves));
    let domain = begun.heap_game().unwrap().moves.domain.unwrap();
    let options = |game: &dyn Game, p: &[u64]| {
        let mut graph = game.graph();
        let node = graph.position(p).unwrap();
        let mut all: Vec<Vec<u64>> = graph
            .options(node)
            .unwrap()
            .to_vec()
            .iter()
            .map(|node| graph.sizes(*node).unwrap())
            .collect();
        all.sort();
        all
    };
    let mut open: Vec<Vec<u64>> =
        boxed(&[6, 6]).into_iter().map(|p| [&p[..], &[0]].concat()).collect();
    open.retain(|p| p[0] != 3);
    let mut seen = std::collections::BTreeSet::new();
    while let Some(p) = open.pop() {
        if seen.insert(p.clone()) {
            assert!(domain.contains(&p), "{p:?}");
            assert_eq!(options(&*begun, &p), options(&*all, &p), "{p:?}");
            open.extend(options(&*all, &p));
        }
    }
    assert!(seen.len() > 100 && !domain.contains(&[3, 4, 0]), "{}", seen.len());
    // Two are never taken from the lesser heap so that these are left.
    assert!(!domain.contains(&[5, 4, 2]) && domain.contains(&[5, 3, 2]));
    let start = "start = \"p2 = 0\"\n";
    let both = format!("positions = \"p2 <= 9\"\n{start}");
    for (more, moves, why) in [
        (&*both, moves, "positions and start: one of them"),
        ("start = \"E x: p2 = x\"\n", moves, "start = \"E x: p2 = x\": "),
        ("start = \"p3 = 0\"\n", moves, "p3"),
        (start, "2*q0 <= p0 & q1 <= p1 & q2 <= p2", "say `positions` in its place"),
        (start, "q0 < p0 & prime(p0+q1)", "say `positions` in its place"),
    ] {
        let told = RuleFile::parse(&file(more, moves)).map(|_| ()).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    }
}

/// Imitation Nim from positions in which nothing is remembered on: Wythoff's pairs, and those pairs
/// with what was taken added to the greater heap (Larsson 2009).
#[test]
fn pairs_are_shifted_by_what_is_remembered() {
    let text = paper!("imitation-nim");
    assert!(text.contains("start = "));
    assert!(!proved(text, &[8, 8, 8, 2]));
    let game = game(text);
    let stated = game.heap_game().unwrap();
    let line = follow(&Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {}));
    // Two empty heaps are said to be P once, not once in each order.
    let form = &line.boards[0].rounds.last().unwrap().form;
    assert_eq!(
        form.matches("b = 0 & a = 0").count() + form.matches("a = 0 & b = 0").count(),
        1,
        "{form}"
    );
}

#[test]
fn forms_hold_of_positions_that_occur() {
    proved(paper!("lctr-3"), &[12, 12, 12]);
    proved(paper!("building-nim-2"), &[10, 5, 5]);
    proved(paper!("wythoff-terminal-1"), &[40, 40]);
    proved(paper!("connell-2"), &[40, 40]);
    // The condition that positions occur is part of the form, as the rules say it: chocolate bars
    // with one bitter square (Robin 1989; Nakamura, Miyadera and Fukui 2020), whose width bounds
    // the height by a quarter or a sixth.
    for share in [4, 6] {
        let moves = format!(
            "q0 < p0 & q1 = p1 & q2 = p2 | q1 < p1 & q0 = p0 & q2 = p2 \
             | q2 < p2 & q0 = p0 & q1 = min(p1, q2 div {share})"
        );
        let text = format!(
            "name = \"chocolate\"\nheaps = 3\npositions = \"p1 <= p2 div {share}\"\n\
             move = \"p1 <= p2 div {share} & ({moves})\"\n"
        );
        assert!(!proved(&text, &[13, 3, 20]), "an automaton");
    }
}

/// Of quantifiers in moves, and multiples of φ, the checker makes tables of its own.
#[test]
fn quantifiers_in_moves_are_read() {
    let game = game(paper!("fib-odd-minus-1"));
    let stated = game.heap_game().unwrap();
    let line = follow(&Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {}));
    let PipelineOutcome::Proved(proof) = &line.ending else { panic!("{:?}", line.ending) };
    check(&proof.certificate).unwrap();
    let automaton = line.automaton().unwrap();
    // Fibonacci numbers with odd index from 3 on, less one.
    let (mut takings, mut pair) = (Vec::new(), (1, 2));
    while pair.1 < 3000 {
        takings.push(pair.1 - 1);
        pair = (pair.0 + pair.1, pair.0 + 2 * pair.1);
    }
    let mut lost: Vec<bool> = Vec::new();
    for heap in 0..2500 {
        let own =
            takings.iter().filter(|taking| **taking <= heap).all(|taking| !lost[heap - taking]);
        lost.push(own);
        assert_eq!(automaton.holds(&[heap as u64]), own, "{heap}");
    }
    // A certificate for other moves is none: what stands under the quantifiers counts.
    let text = proof.certificate.to_string();
    let body = text.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n";
    assert!(check(&again(&body)).is_ok());
    for (one, other) in [("k >= 2", "k >= 3"), ("A m", "E m"), ("E k", "A k")] {
        assert!(body.contains(one), "{body}");
        assert!(check(&again(&body.replacen(one, other, 1))).is_err(), "{other}");
    }
}

/// One claim in several spellings: all of them are proved, each by a certificate that is accepted.
#[test]
fn spellings_of_one_claim_end_alike() {
    for (text, spellings) in [
        (
            paper!("connell-2"),
            &[
                "E n: a = floor[1;(2)](n) div 2 & b = a+n",
                "E n: n+a = b & floor[1;(2)](n) div 2 = a",
                "E n,m: m = floor[1;(2)](n) & b = a+n & 2*a <= m & m <= 2*a+1",
                "E m: a = m div 2 & (E n: b = a+n & m = floor[1;(2)](n))",
                "~(A n: b != a+n | a != floor[1;(2)](n) div 2)",
            ][..],
        ),
        (
            paper!("wythoff-terminal-1"),
            &[
                "a = 0 & b = 0 | (E n: n >= 1 & a+1 = floor[1;(1)](n) & b = a+n)",
                "a = 0 & b = 0 | a < b & (A n: a+n = b => a+1 = floor[1;(1)](n))",
                "a = 0 & b = 0 | a < b & (A n: a+n <= b & a+n >= b => a+1 = floor[1;(1)](n))",
                "(A n: a+n = b & n >= 1 => a+1 = floor[1;(1)](n)) & (a < b | a+b = 0)",
                "~(a+b > 0 & (b <= a | (E n: a+n = b & a+1 != floor[1;(1)](n))))",
            ][..],
        ),
    ] {
        let game = game(text);
        for spelling in spellings {
            let verdict = settle_form(&*game, &whole(spelling), &Budget::default()).unwrap();
            let Verdict::Proved(Proved::Theorem(proof)) = verdict else {
                panic!("{spelling}: {verdict:?}")
            };
            check(&proof.certificate).unwrap();
        }
    }
}

/// Returns a rule file of a game on two heaps.
fn two_heaps(moves: &str) -> String {
    format!("name = \"two-heaps\"\nheaps = 2\nsymmetry = \"full\"\nmove = \"{moves}\"\n")
}

/// Returns ⌊n·[w; (t)]⌋ for the quotient t, by a whole root.
fn multiple(whole: u64, t: u64, n: u64) -> u64 {
    // [0; (t)] is (√(t² + 4) − t)/2.
    whole * n + ((n * n * (t * t + 4)).isqrt() - t * n) / 2
}

/// A claim on a game, in several spellings, `T` standing for the quotient of a continued fraction,
/// and C for a number in it: the right one, and wrong ones.
struct Spelled {
    game: String,
    t: u64,
    right: u64,
    wrong: [u64; 2],
    /// Whether a ≤ b are claimed, with this number for C.
    claimed: fn(u64, [u64; 2], u64) -> bool,
    spellings: &'static [&'static str],
}

/// Games with multiples of √2, √13 and √3: Fraenkel (1982) with t = 2 and 3, Connell (1959) with 2
/// and 3, Gurvich (2012) with 4 and 2, and Nim.
fn spelled() -> Vec<Spelled> {
    const FRAENKEL: &[&str] = &[
        "E n: a = floor[1;(T)](n) & b = a+C*n",
        "E n: b = a+C*n & (A m: m = floor[1;(T)](n) => m = a)",
        "E n: b = a+C*n & ~(E m: m = floor[1;(T)](n) & m != a)",
        "~(A n: b != a+C*n | a != floor[1;(T)](n))",
        "(E n: b = a+C*n) & (A n: b = a+C*n => a = floor[1;(T)](n))",
        "a = 0 & b = 0 | (E n: a = floor[1;(T)](n+1) & b = a+C*n+C)",
        "E n: a = floor[1;(T)](n) & b >= C*n & (A k: b = k+C*n => a = k)",
        "E n: b = a+C*n & (A x: x = a <=> x = floor[1;(T)](n))",
        "E n: b = a+C*n \
         & ~(E k: k = a & k != floor[1;(T)](n) | k = floor[1;(T)](n) & k != a)",
        "E n: b = a+C*n & (A x: x <= a => x <= floor[1;(T)](n)) \
         & (E k: k = a & k >= floor[1;(T)](n) | k = floor[1;(T)](n)+1 & k <= a)",
        "E n,x: b = a+C*n & a <= x & x <= floor[1;(T)](n) & floor[1;(T)](n) <= a",
        "E m,n: m+m = 2*a & m = floor[1;(T)](n) & b = m+C*n",
    ];
    const CONNELL: &[&str] = &[
        "E n: a = floor[1;(T)](n) div C & b = a+n",
        "a <= b & (A n: b = a+n => a = floor[1;(T)](n) div C)",
        "E n: b = a+n & (A m: m = floor[1;(T)](n) => C*a <= m & m < C*a+C)",
        "E n: b = a+n & (A m: m = floor[1;(T)](n) => (A k: k = m div C => a = k))",
        "a <= b & ~(E n,m: n = b-a & m = floor[1;(T)](n) & m div C != a)",
        "a = 0 & b = 0 | (E n: floor[1;(T)](n+1) div C = a & n+1+a = b)",
        "~(b < a | (E n: b = a+n & ~(A m: m = floor[1;(T)](n) => m div C = a)))",
        "E n: b = a+n & (A x: x = floor[1;(T)](n) div C <=> x = a)",
        "E n: b = a+n & (A k: C*k <= floor[1;(T)](n) <=> k <= a)",
        "E n,m: m = floor[1;(T)](n) & b = a+n & C*a <= m & m < C*a+C",
        "a <= b & ~(E n,k: b = a+n \
         & (k = floor[1;(T)](n) & k < C*a | k = C*a+C & k <= floor[1;(T)](n)))",
    ];
    const GURVICH: &[&str] = &[
        "E n: a = 2*floor[1;(T)](n) & b = a+C*n",
        "E n: b = a+C*n & (A m: m = floor[1;(T)](n) => a = 2*m)",
        "a mod 2 = 0 & (E n: b = a+C*n & (A m: a = 2*m => m = floor[1;(T)](n)))",
        "E n: b = a+C*n & ~(E m: m = floor[1;(T)](n) & a != 2*m)",
        "b >= a & (b-a) mod C = 0 & a mod 2 = 0 \
         & ~(E n,m: b = a+C*n & 2*m = a & m != floor[1;(T)](n))",
        "E m: a = 2*m & (E n: floor[1;(T)](n) = m & (A k: k = 2*m+C*n => b = k))",
        "E m,n: m+m = a & m = floor[1;(T)](n) & b = a+C*n",
        "E n: b = a+C*n & (A x: x+x = a <=> x = floor[1;(T)](n))",
        "E n: b = a+C*n & (E x: 2*floor[1;(T)](n) <= x & x <= a) \
         & ~(E x: 2*floor[1;(T)](n) <= x & x < a)",
    ];
    const NIM: &[&str] = &[
        "floor[1;(1,2)](a)+C = floor[1;(1,2)](b)",
        "A m: m = floor[1;(1,2)](a) => m+C = floor[1;(1,2)](b)",
        "~(E m: m = floor[1;(1,2)](a) & m+C != floor[1;(1,2)](b))",
        "E m: m = floor[1;(1,2)](b) & (A k: k = floor[1;(1,2)](a) => k+C = m)",
        "A m,k: k = m+C & m = floor[1;(1,2)](a) => k = floor[1;(1,2)](b)",
        "A x: x = floor[1;(1,2)](a)+C <=> x = floor[1;(1,2)](b)",
        "E x: floor[1;(1,2)](a)+C <= x & x <= floor[1;(1,2)](b) \
         & floor[1;(1,2)](b) <= floor[1;(1,2)](a)+C",
        "~(E k: k = floor[1;(1,2)](a)+C & k != floor[1;(1,2)](b) \
         | k = floor[1;(1,2)](b) & k != floor[1;(1,2)](a)+C)",
        "E x: floor[1;(1,2)](x)+C = floor[1;(1,2)](b) & a <= x & x <= a",
    ];
    let fraenkel = |t: u64| Spelled {
        game: two_heaps(&format!("q0 = p0 | q1 = p1 | p0+q1 < q0+p1+{t} & q0+p1 < p0+q1+{t}")),
        t,
        right: t,
        wrong: [t - 1, t + 1],
        claimed: |t, [a, b], by| (0..=b).any(|n| multiple(1, t, n) == a && b == a + by * n),
        spellings: FRAENKEL,
    };
    let connell = |k: u64| {
        let one = format!("q0 = p0 & p1 mod {k} = q1 mod {k} | q1 = p1 & p0 mod {k} = q0 mod {k}");
        Spelled {
            game: two_heaps(&format!("{one} | p0+q1 = p1+q0")),
            t: k,
            right: k,
            wrong: [k - 1, k + 2],
            claimed: |t, [a, b], by| a <= b && multiple(1, t, b - a) / by == a,
            spellings: CONNELL,
        }
    };
    let gurvich = Spelled {
        game: two_heaps("p0+q1 < q0+p1+4 & p1+q0 < q1+p0+4 | p0 < q0+2 | p1 < q1+2"),
        t: 2,
        right: 4,
        wrong: [3, 6],
        claimed: |t, [a, b], by| (0..=b).any(|n| 2 * multiple(1, t, n) == a && b == a + by * n),
        spellings: GURVICH,
    };
    let nim = Spelled {
        game: two_heaps("q0 = p0 | q1 = p1"),
        t: 0,
        right: 0,
        wrong: [1, 2],
        claimed: |_, [a, b], by| (3 * a * a).isqrt() + by == (3 * b * b).isqrt(),
        spellings: NIM,
    };
    vec![fraenkel(2), fraenkel(3), connell(2), connell(3), gurvich, nim]
}

/// Quantifiers over what equations fix, and over other numbers: every spelling is proved, with a
/// certificate that is accepted, and refuted with another number, by the least counterexample. What
/// is claimed is computed by whole roots, and which positions are P by brute force.
#[test]
fn claims_are_settled_in_every_spelling() {
    const MOST: u64 = 24;
    for Spelled { game: text, t, right, wrong, claimed, spellings } in spelled() {
        let game = game(&text);
        let mut brute = Brute::new(&text, &[MOST, MOST], Play::Normal);
        let is_claimed =
            |a: u64, b: u64, number| claimed(t, [a, b], number) || claimed(t, [b, a], number);
        // By tokens, then by the first heap.
        let all: Vec<[u64; 2]> =
            (0..=MOST).flat_map(|s| (0..=s).map(move |a| [a, s - a])).collect();
        let mut first_wrong = |number| {
            all.iter().find(|[a, b]| is_claimed(*a, *b, number) != brute.is_p(&[*a, *b])).copied()
        };
        assert_eq!(first_wrong(right), None, "{text}");
        for (number, least) in
            [right, wrong[0], wrong[1]].map(|number| (number, first_wrong(number)))
        {
            for spelling in spellings {
                let claim = spelling.replace('C', &number.to_string());
                let claim = claim.replace('T', &t.to_string());
                match (settle_form(&*game, &whole(&claim), &Budget::default()).unwrap(), least) {
                    (Verdict::Proved(Proved::Theorem(proof)), None) => {
                        check(&proof.certificate).unwrap();
                    }
                    (Verdict::Refuted(found), Some(least)) => {
                        assert!(found.least, "{claim}");
                        let Failure::Position(found) = found.counterexample else {
                            panic!("a position")
                        };
                        assert_eq!(found.position, least, "{claim}");
                    }
                    (verdict, least) => panic!("{claim}: {verdict:?}, {least:?}"),
                }
            }
        }
    }
}

/// A certificate is one for its claim alone: with one change that claims other positions it is
/// refused.
#[test]
fn certificates_of_universal_claims_are_for_them_alone() {
    let Spelled { game: text, .. } = spelled().swap_remove(2);
    let game = game(&text);
    let claim = "E n: b = a + n & (A m: m = floor[1;(2)](n) => 2*a <= m & m <= 2*a + 1)";
    let Verdict::Proved(Proved::Theorem(proof)) =
        settle_form(&*game, &whole(claim), &Budget::default()).unwrap()
    else {
        panic!("{claim}")
    };
    let certificate = proof.certificate.to_string();
    let body = certificate.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n";
    check(&again(&body)).unwrap();
    for (one, other) in [
        ("A m", "E m"),
        ("E n", "A n"),
        ("m = floor", "m + 1 = floor"),
        ("m = floor", "m >= floor"),
        ("(n) =>", "(n) &"),
        ("(n) =>", "(n + 1) =>"),
        ("b = a + n", "b = a + 2*n"),
        ("2*a + 1", "2*a + 2"),
        ("<= m &", "<= m |"),
    ] {
        let wrong = claim.replacen(one, other, 1);
        assert!(wrong != claim && body.contains(claim), "{body:.300}");
        assert!(check(&again(&body.replacen(claim, &wrong, 1))).is_err(), "{wrong}");
    }
}

/// The same of a claim that automata read in digits of a unit: for another claim, and in other
/// digits, the certificate is refused.
#[test]
fn certificates_in_digits_of_units_are_for_their_claims_alone() {
    let Spelled { game: text, .. } = spelled().swap_remove(2);
    let game = game(&text);
    let claim = "E n: b = a + n & (A k: 2*k <= floor[1;(2)](n) <=> k <= a)";
    let Verdict::Proved(Proved::Theorem(proof)) =
        settle_form(&*game, &whole(claim), &Budget::default()).unwrap()
    else {
        panic!("{claim}")
    };
    let certificate = proof.certificate.to_string();
    let body = certificate.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n";
    check(&again(&body)).unwrap();
    for (one, other) in [
        ("A k", "E k"),
        ("E n", "A n"),
        ("2*k <=", "2*k <"),
        ("2*k", "3*k"),
        ("k <= a", "k < a"),
        ("floor[1;(2)]", "floor[2;(2)]"),
        ("floor[1;(2)]", "floor[1;(3)]"),
        ("floor[1;(2)]", "floor[1;(1,4)]"),
        ("(n) <=>", "(n + 1) <=>"),
        ("b = a + n", "b = a + 2*n"),
        ("\nzeckendorf 3\n", "\ndigits by 2 then 1\n"),
        ("\nzeckendorf 3\n", "\nbase 3\n"),
    ] {
        let wrong = body.replacen(one, other, 1);
        assert!(wrong != body, "{one}: {body:.300}");
        assert!(check(&again(&wrong)).is_err(), "{other}");
    }
}

fn whole(claim: &str) -> Form {
    Form { whole: claim.to_owned(), ..Form::default() }
}

/// Claims with universal quantifiers in Zeckendorf's digits: wrong ones are refuted, and a
/// certificate for another claim is none.
#[test]
fn universal_claims_are_settled() {
    let game = game(paper!("wythoff-terminal-1"));
    // No equation fixes n: automata read the claim.
    let claim = "a = 0 & b = 0 | a < b & (A n: a+n <= b & a+n >= b => a + 1 = floor[1;(1)](n))";
    let Verdict::Proved(Proved::Theorem(proof)) =
        settle_form(&*game, &whole(claim), &Budget::default()).unwrap()
    else {
        panic!("{claim}")
    };
    let text = proof.certificate.to_string();
    let body = text.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n";
    let stated = proof.text.clone();
    check(&again(&body)).unwrap();
    for (one, other) in
        [("a + 1 = floor", "a + 2 = floor"), ("a < b", "a <= b"), ("A n", "E n"), ("a = 0 & ", "")]
    {
        let wrong = claim.replacen(one, other, 1);
        let settled = settle_form(&*game, &whole(&wrong), &Budget::default()).unwrap();
        let changed = stated.replacen(one, other, 1);
        assert_ne!(changed, stated, "{one}");
        let is_taken = check(&again(&body.replacen(&stated, &changed, 1))).is_ok();
        match settled {
            Verdict::Refuted(_) => assert!(!is_taken, "{wrong}"),
            // The same set in other words.
            Verdict::Proved(_) => assert_eq!(other, "a <= b", "{wrong}"),
            other => panic!("{wrong}: {other:?}"),
        }
    }
}

/// The P-positions of blocking Wythoff with the option that is forbidden. All but the first two
/// occur with the heaps in the other order, too.
const BLOCKING: [&str; 8] = [
    "a = 0 & b = 0",
    "a = 2 & b = 2 & c = 0 & d = 0",
    "b = 2*a+1 & a = 0 & c = 0 & d = 0",
    "b = 2*a+1 & a = 2*d+1 & c = a",
    "b = 2*a+1 & a = 2 & c = 2 & d = 2",
    "(E n: b = 2*a+1 & a = 2*shift(n)+4 & c = a & d = a+2*n+2)",
    "(E n: b = 2*a+1 & c = a & d = 2*shift(n)+4 & a = d+2*n+2)",
    "(E n: a = 2*shift(n)+4 & b = a+2*n+2 & c = 2*n+1 & d = 4*n+3)",
];

fn blocking_claim() -> String {
    let swapped = |text: &str| -> String {
        let other = |letter| match letter {
            'a' => 'b',
            'b' => 'a',
            'c' => 'd',
            'd' => 'c',
            letter => letter,
        };
        text.chars().map(other).collect()
    };
    let both = BLOCKING.iter().map(|case| (*case).to_owned());
    both.chain(BLOCKING[2..].iter().map(|case| swapped(case))).collect::<Vec<_>>().join(" | ")
}

/// The claim is what the rules say, played with no formula: after a move one option is forbidden,
/// or none. Claims with one case less or another number are refuted.
#[test]
fn the_claim_of_blocking_wythoff_is_that_of_its_rules() {
    const MAX_HEAP: usize = 14;
    let options = |a: usize, b: usize| {
        let rows = (0..a).map(move |x| (x, b)).chain((0..b).map(move |y| (a, y)));
        rows.chain((1..=a.min(b)).map(move |k| (a - k, b - k)))
    };
    // Whether these heaps may be left: the opponent loses with some option forbidden, or none.
    let mut is_left = [[false; MAX_HEAP + 1]; MAX_HEAP + 1];
    let loses = |is_left: &[[bool; MAX_HEAP + 1]; MAX_HEAP + 1], a, b, forbidden| {
        options(a, b).all(|(x, y)| (x, y) == forbidden || !is_left[x][y])
    };
    for a in 0..=MAX_HEAP {
        for b in 0..=MAX_HEAP {
            is_left[a][b] =
                options(a, b).chain([(a, b)]).any(|forbidden| loses(&is_left, a, b, forbidden));
        }
    }
    let text = blocking_claim();
    let claim = Claim::parse(&text, 4).unwrap();
    let mut seen = [0; 2];
    for p in boxed(&[MAX_HEAP as u64; 4]) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| p[i] as usize);
        let is_p = loses(&is_left, a, b, (c, d));
        assert_eq!(claim.holds(&p).unwrap(), is_p, "{p:?}");
        seen[usize::from(is_p)] += 1;
    }
    assert!(seen[1] > MAX_HEAP * MAX_HEAP, "{seen:?}");
    let game = game(paper!("blocking-wythoff-2"));
    for (one, other) in
        [("d = 4*n+3", "d = 4*n+2"), (" & c = 2*n+1", ""), ("b = 2*a+1 & a = 0", "a = 0")]
    {
        let wrong = text.replacen(one, other, 1);
        assert_ne!(wrong, text);
        let settled = settle_form(&*game, &whole(&wrong), &Budget::default()).unwrap();
        assert!(matches!(settled, Verdict::Refuted(_)), "{wrong}: {settled:?}");
    }
}

/// From the rules alone: what is worth leaving is learned, and the automaton is the claim.
#[test]
fn blocking_wythoff_is_proved() {
    let game = game(paper!("blocking-wythoff-2"));
    let stated = game.heap_game().unwrap();
    let budget = Budget::default().within(Duration::from_secs(400));
    let line = follow(&Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {}));
    let PipelineOutcome::Proved(proof) = &line.ending else { panic!("{:?}", line.ending) };
    check(&proof.certificate).unwrap();
    let automaton = line.automaton().unwrap();
    let claim = Claim::parse(&blocking_claim(), 4).unwrap();
    for p in boxed(&[11; 4]) {
        assert_eq!(automaton.holds(&p), claim.holds(&p).unwrap(), "{p:?}");
    }
    // A pair 2x + 2, 2y + 2 with the option to forbid, far away.
    for (x, y) in [(1, 2), (3, 5), (2584, 4181), (6763, 10943)] {
        let n = y - x;
        let p = [2 * x + 2, 2 * y + 2, 2 * n - 1, 4 * n - 1];
        assert!(automaton.holds(&p) && claim.holds(&p).unwrap(), "{p:?}");
        assert!(!automaton.holds(&[p[0], p[1], p[2], p[3] - 1]), "{p:?}");
    }
}

/// A heap is compared with an irrational multiple of another.
#[test]
fn forms_have_irrational_multiples() {
    assert!(!proved_from(paper!("triangle-game"), &[12, 12, 12], Some(40)));
}

/// Wythoff's game with diagonals 0 and 2 (pairs go on, and their automaton is in digits of
/// Zeckendorf to base 3), and with diagonals of width 3 where a heap loses two at least (in digits
/// by 3, 2); and one heap of which three times as many as before but for one may be taken (sizes
/// suggest digits by 1, 0, 1; Schwenk 1970).
#[test]
fn automata_over_digits_that_tables_suggest_are_learned() {
    let pairs = |moves: &str| {
        let text = format!(
            "name = \"pairs\"\nheaps = 2\nsymmetry = \"full\"\n\
             move = \"{moves} & p0 > q0 & p1 > q1\"\n"
        );
        assert!(proved_from(&text, &[40, 40], Some(400)), "{moves}");
    };
    pairs("q0 = p0 | q1 = p1 | (p0+q1 = p1+q0 | p0+q1 = p1+q0+2 | p1+q0 = p0+q1+2)");
    pairs("q0 = p0 & p1 >= q1+2 | q1 = p1 & p0 >= q0+2 | p0+q1 < p1+q0+3 & p1+q0 < p0+q1+3");
    let memory = "name = \"three\"\nheaps = 1\nmemory = 1\n\
                  move = \"q0 < p0 & p0 <= q0+p1 & q1+3*q0+1 = 3*p0\"\n";
    // What is remembered stays in the box.
    assert!(proved_from(memory, &[33, 98], Some(400)));
}

/// In the digits of Zeckendorf; where the file does not say which positions occur, it is read off
/// the moves, and the theorem is about all positions.
#[test]
fn automata_over_digits_of_zeckendorf_are_learned() {
    assert!(proved_from(paper!("wythoff-terminal-2"), &[40, 40], Some(180)));
    let text = paper!("push-nim-wythoff");
    proved_from(text, &[14, 14, 1], Some(60));
    let without: String = text
        .lines()
        .filter(|line| !line.starts_with("positions"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_ne!(without, text);
    let subject = StudyTarget::parse("push-nim-wythoff", Play::Normal, |_| {
        let game = game(&without);
        Ok(ParsedGame::game(game))
    });
    let settings = Settings { max: Some(60), ..Settings::default() };
    let found = study(&subject.unwrap(), settings, &Budget::default(), &|_| {}).unwrap();
    let Findings::Heaps(heaps) = &found.findings else { panic!("heaps") };
    assert_eq!(heaps.line.moves_begin_where.as_deref(), Some("c <= 1"));
    let PipelineOutcome::Proved(proof) = &heaps.line.ending else {
        panic!("{:?}", heaps.line.ending)
    };
    check(&proof.certificate).unwrap();
    assert!(!proof.game.contains("p2 <= 1) & (p2"), "{}", proof.game);
    let mut brute = Brute::new(&without, &[14, 14, 3], Play::Normal);
    let claim = heaps.line.boards[0].rounds.last().unwrap().formula().cloned();
    let automaton = heaps.line.automaton();
    for p in boxed(&[14, 14, 3]) {
        let said = match (&claim, &automaton) {
            (Some(claim), _) => claim.holds(&p).unwrap(),
            (None, Some(automaton)) => automaton.holds(&p),
            (None, None) => panic!("no claim"),
        };
        assert_eq!(said, brute.is_p(&p), "{p:?}");
    }
}

/// Of Wythoff's game, whose P-positions are known (Wythoff 1907): the automaton that accepts them
/// is proved, every other one that differs in a mark or a transition of numerals is refuted, and by
/// the rules its counterexample is one.
#[test]
fn wrong_automata_over_digits_of_zeckendorf_are_refuted() {
    let game = bouton_games::parse("wythoff").unwrap().game;
    let lower = |n: u64| (n + (5 * n * n).isqrt()) / 2;
    let is_p = |p: &[u64]| {
        let (a, b) = (p[0].min(p[1]), p[0].max(p[1]));
        lower(b - a) == a
    };
    let reading = bouton_conjecture::Reading { digits: DigitSystem::zeckendorf(2), heaps: 2 };
    let learned = bouton_conjecture::learn::<std::convert::Infallible>(
        reading,
        60,
        &mut |p| Ok(is_p(p)),
        &mut |automaton| Ok(automaton.least_wrong(&[200, 200], &is_p)),
    );
    let Ok(bouton_conjecture::Learned::Automaton(right)) = learned else { panic!("{learned:?}") };
    let acceptor = |next: &[Vec<usize>], accepts: &[bool]| Acceptor {
        digits: DigitSystem::zeckendorf(2),
        tracks: 2,
        next: next.iter().map(|row| row.iter().map(|to| *to as u32).collect()).collect(),
        accepts: accepts.to_vec(),
    };
    let verdict = |automaton: &Acceptor| {
        settle_automaton(&*game, Play::Normal, automaton, &Budget::default())
    };
    let own = acceptor(&right.next, &right.accepts);
    let Verdict::Proved(Proved::Theorem(theorem)) = verdict(&own).unwrap() else {
        panic!("Wythoff")
    };
    check(&theorem.certificate).unwrap();
    // The same table read in binary digits is another claim.
    let envelope = bouton_check::Envelope::open(&theorem.certificate).unwrap();
    assert!(envelope.body.starts_with("zeckendorf\n"));
    let made = |body: String| {
        bouton_certificate::Certificate {
            kind: bouton_certificate::CertificateKind::Automatic,
            game: envelope.game.into(),
            claim: envelope.claim.to_string(),
            body,
        }
        .seal()
    };
    assert!(check(&made(envelope.body.into())).is_ok());
    assert!(check(&made(envelope.body.replacen("zeckendorf\n", "", 1))).is_err());
    assert!(check(&made(envelope.body.replacen("zeckendorf\n", "zeckendorf 2\n", 1))).is_err());
    // Walnut's text of it is read as the same.
    let again = Acceptor::parse(&own.walnut(), 2).unwrap();
    assert!(
        again.digits == own.digits
            && (0..2500).all(|code| {
                let p = [code / 50, code % 50];
                again.holds(&p) == own.holds(&p)
            })
    );
    let (mut refuted, mut same) = (0, 0);
    let states = right.next.len();
    let mut put = |wrong: &Acceptor| match verdict(wrong).unwrap() {
        Verdict::Refuted(found) => {
            let Failure::Position(found) = found.counterexample else { panic!("a position") };
            refuted += 1;
            match &found.option {
                Some((_, option)) => assert!(wrong.holds(&found.position) && wrong.holds(option)),
                None => assert!(!wrong.holds(&found.position)),
            }
        }
        Verdict::Proved(_) => {
            // What follows no numeral does not count.
            assert!(
                (0..2500)
                    .all(|code| wrong.holds(&[code / 50, code % 50])
                        == is_p(&[code / 50, code % 50]))
            );
            same += 1;
        }
        other => panic!("{other:?}"),
    };
    for state in 0..states {
        let mut accepts = right.accepts.clone();
        accepts[state] = !accepts[state];
        put(&acceptor(&right.next, &accepts));
        for column in 0..4 {
            for to in (0..states)
                .filter(|to| *to != right.next[state][column] && (state, column) != (0, 0))
            {
                let mut next = right.next.clone();
                next[state][column] = to;
                put(&acceptor(&next, &right.accepts));
            }
        }
    }
    assert!(refuted > 150, "{refuted} {same}");
}

/// Every automaton that differs from the right one in one transition or one mark, unless it accepts
/// the same, is refuted, and by the rules its counterexample is one.
#[test]
fn wrong_automata_are_refuted() {
    let text = paper!("odd-even-nim-2");
    let game = game(text);
    let stated = game.heap_game().unwrap();
    let line = follow(&Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {}));
    assert!(matches!(line.ending, PipelineOutcome::Proved(_)));
    let heaps = stated.heaps;
    let domain = stated.moves.domain.clone().unwrap();
    let mut brute = Brute::new(text, &[63, 63, 1], Play::Normal);
    // The least automaton of the outcomes, as states of small positions: learned here once more.
    let learned = bouton_conjecture::learn::<std::convert::Infallible>(
        bouton_conjecture::Reading { digits: DigitSystem::to_base(2), heaps },
        40,
        &mut |p| Ok(!domain.contains(p) || brute.is_p(p)),
        &mut |automaton| {
            let mut brute = Brute::new(text, &[7, 7, 1], Play::Normal);
            let right = boxed(&[7, 7, 7]).into_iter().map(|p| {
                let is_p = !domain.contains(&p) || brute.is_p(&p);
                (p, is_p)
            });
            let signed = |p: &[u64]| p.iter().map(|x| *x as i64).collect::<Vec<_>>();
            Ok(right
                .into_iter()
                .find(|(p, is_p)| automaton.accepts(&signed(p)) != *is_p)
                .map(|(p, _)| p))
        },
    );
    let Ok(bouton_conjecture::Learned::Automaton(right)) = learned else { panic!("{learned:?}") };
    let states = right.next.len();
    let acceptor = |next: &[Vec<usize>], accepts: &[bool]| Acceptor {
        digits: DigitSystem::to_base(2),
        tracks: heaps,
        next: next.iter().map(|row| row.iter().map(|to| *to as u32).collect()).collect(),
        accepts: accepts.to_vec(),
    };
    let verdict = |automaton: &Acceptor| {
        settle_automaton(&*game, Play::Normal, automaton, &Budget::default())
    };
    let own = verdict(&acceptor(&right.next, &right.accepts)).unwrap();
    assert!(matches!(own, Verdict::Proved(Proved::Theorem(_))), "{own:?}");
    let mut refuted = 0;
    for state in 0..states {
        for column in 0..1 << heaps {
            for to in (0..states).filter(|to| *to != right.next[state][column]) {
                // Leading zeros change no number.
                if (state, column) == (0, 0) {
                    continue;
                }
                let mut next = right.next.clone();
                next[state][column] = to;
                let wrong = acceptor(&next, &right.accepts);
                // States are distinguished, and each is reached: it accepts another set.
                let Verdict::Refuted(found) = verdict(&wrong).unwrap() else {
                    panic!("{state}, {column} to {to}")
                };
                let Failure::Position(found) = found.counterexample else { panic!("a position") };
                refuted += 1;
                match &found.option {
                    Some((_, option)) => {
                        assert!(wrong.holds(&found.position) && wrong.holds(option))
                    }
                    None => assert!(!wrong.holds(&found.position)),
                }
            }
        }
    }
    assert!(refuted > 50, "{refuted}");
}
