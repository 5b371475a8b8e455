//! Proofs written down are accepted by the independent checker, and anything else is not.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_certificate::{Certificate, CertificateKind};
use bouton_core::{Digits, Meter, Moves, Symmetry, Windows};
use bouton_prover::{
    Attempt, Claim, MoveSystem, Numeration, Undecided, Unreadable, choose_numeration, claims_for,
    default_budget, prove, written_name,
};
use proptest::prelude::*;

fn certificate(
    name: &str,
    game: &MoveSystem,
    claims: &[(usize, &str)],
    numeration: Numeration,
) -> Certificate {
    let claims = claims_for(game, claims).unwrap();
    let meter = &mut Meter::new(&default_budget());
    let verdict = prove(game, &claims, numeration, meter);
    let Attempt::Proved(proof) = verdict else { panic!("{name}: {verdict:?}") };
    proof.certificate(name, game, &claims, numeration, meter).unwrap()
}

/// Proves the claim and has the certificate accepted.
fn certified(name: &str, game: &MoveSystem, claims: &[(usize, &str)], numeration: Numeration) {
    let text = certificate(name, game, claims, numeration).to_text();
    if let Err(rejected) = bouton_check::check(&text) {
        let around: Vec<&str> =
            text.lines().skip(rejected.line.saturating_sub(2)).take(14).collect();
        panic!("{name}: {rejected}\n{}", around.join("\n"));
    }
}

fn circular(n: usize, k: usize, claim: &str) {
    certified(
        &format!("CN({n},{k})"),
        &MoveSystem::circular(n, k),
        &[(0, claim)],
        Numeration::Binary,
    );
}

fn stated(
    heaps: usize,
    symmetry: Symmetry,
    moves: Moves,
    digits: Digits,
) -> (MoveSystem, Numeration) {
    MoveSystem::from_heap_game(&bouton_core::HeapGame {
        heaps,
        symmetry,
        shrinks: false,
        moves,
        digits,
    })
    .unwrap()
}

#[test]
fn circular_nim() {
    for n in 2..=7 {
        circular(n, n - 1, "min = max");
    }
    for n in 1..=4 {
        circular(n, n, "max = 0");
        circular(n, 1, "xor = 0");
    }
    circular(4, 2, "a=c & b=d");
    circular(5, 2, "e=b & a+b=c+d & a=max");
    circular(5, 3, "a=0 & e=b & b=c+d");
    circular(6, 3, "a+b=d+e & b+c=e+f");
    circular(6, 4, "a+b=d+e & b+c=e+f & a xor c xor e = 0 & a = min");
    circular(8, 6, "a=0 & b=h & c+d=b & f+g=b & e=min(b,c+g)");
}

#[test]
fn nim_moore_and_piles() {
    for n in 1..=12 {
        let (game, digits) =
            stated(n, Symmetry::Full, Moves::free(Windows::Any(1)), Digits::Binary);
        certified(&format!("nim({n})"), &game, &[(0, "xor = 0")], digits);
    }
    for (b, n, claim) in [(3, 5, "xor3 = 0"), (4, 6, "xor4 = 0")] {
        let (game, digits) =
            stated(n, Symmetry::Full, Moves::free(Windows::Any(b - 1)), Digits::Binary);
        certified(&format!("moore({b};{n})"), &game, &[(0, claim)], digits);
    }
    // Take 1, 2 or 3: nim-values are remainders by 4.
    let moves = Moves::with_formula(Windows::Any(1), "q0+1 = p0 | q0+2 = p0 | q0+3 = p0").unwrap();
    let (game, digits) = stated(2, Symmetry::Full, moves, Digits::Binary);
    for claim in [
        "(a mod 4) xor (b mod 4) = 0",
        "a mod 2 = b mod 2 & a div 2 mod 2 = b div 2 mod 2",
        "(a - b) mod 4 = 0",
        "a mod 4 <= b mod 4 & b mod 4 <= a mod 4",
    ] {
        certified("S(1,2,3;2)", &game, &[(0, claim)], digits);
    }
}

#[test]
fn wythoff() {
    let moves = Moves::with_formula(Windows::Any(2), "q0 = p0 | q1 = p1 | p0+q1 = p1+q0").unwrap();
    let (game, digits) = stated(2, Symmetry::Full, moves, Digits::Zeckendorf);
    certified("wythoff", &game, &[(0, "a=0 & b=0 | E n: a = shift(n)+1 & b = a+n+1")], digits);
}

/// Returns a game as a rule file states it, under the name that certificates give it.
fn rules(
    heaps: usize,
    symmetry: Symmetry,
    digits: Digits,
    text: &str,
) -> (String, MoveSystem, Numeration) {
    let moves = Moves::with_formula(Windows::Any(heaps), text).unwrap();
    let stated = bouton_core::HeapGame { heaps, symmetry, shrinks: false, moves, digits };
    let (game, numeration) = MoveSystem::from_heap_game(&stated).unwrap();
    (written_name(&stated, numeration).unwrap(), game, numeration)
}

#[test]
fn rule_files() {
    let queen = "q0 = p0 | q1 = p1 | p0+q1 = p1+q0";
    let (name, game, digits) = rules(2, Symmetry::Full, Digits::Zeckendorf, queen);
    certified(&name, &game, &[(0, "a=0 & b=0 | E n: a = shift(n)+1 & b = a+n+1")], digits);
    // Take at most half of a heap: P are the numbers 2^k - 1, which add up with the next one as
    // digits do. The same move in three ways: with no variable of its own, with a bound one, with
    // one that the quotient needs.
    for text in
        ["p0 <= 2*q0", "E x: 2*q0 = p0+x", "q0 >= (p0+1) div 2", "E x: x = q0 div 1 & 2*x >= p0"]
    {
        let (name, game, digits) = rules(1, Symmetry::None, Digits::Binary, text);
        certified(&name, &game, &[(0, "a xor (a+1) = 2*a+1")], digits);
        certified(&name, &game, &[(0, "E m: m = a+1 & a xor m = a+m")], digits);
    }
    // Circular Nim again, its windows as one formula.
    let circle = "q2=p2 & q3=p3 | q3=p3 & q0=p0 | q0=p0 & q1=p1 | q1=p1 & q2=p2";
    let (name, game, digits) = rules(4, Symmetry::Ring, Digits::Binary, circle);
    certified(&name, &game, &[(0, "a=c & b=d")], digits);
}

/// A symmetry that the moves have not is no help: the claim is then closed under it, and found
/// wrong.
#[test]
fn a_symmetry_is_not_taken_on_trust() {
    // Only the first heap can be lowered, so P is a = 0; with the heaps exchanged b = 0 would be P,
    // too.
    let (name, game, digits) = rules(2, Symmetry::None, Digits::Binary, "q1 = p1");
    let right = certificate(&name, &game, &[(0, "a = 0")], digits);
    assert!(bouton_check::check(&right.to_text()).is_ok());
    for symmetry in ["full", "ring"] {
        let wrong = Certificate { game: right.game.replace("none", symmetry), ..right.clone() };
        let rejected = bouton_check::check(&wrong.to_text()).unwrap_err();
        assert!(rejected.reason.is_verdict(), "{rejected}");
        // With the images that would be needed, too: no refutation shows that the claim is the same
        // in both, nor (I) of both.
        let refuted: Vec<&str> =
            right.body.lines().filter(|line| line.starts_with("move")).collect();
        for images in
            ["image 0,1\nimage 1,0\n", "image 0,1\nwithin 1,0 0 0\n", "image 0,1\nwithin 1,0 0\n"]
        {
            for tree in ["", " 0", " /", " / 0 0", refuted[0].strip_prefix("move").unwrap()] {
                let moves =
                    format!("move{tree}\n").repeat(if images.contains("within") { 1 } else { 4 });
                let body = right.body.replacen("image 0,1\n", images, 1).replacen(
                    &format!("{}\n", refuted[0]),
                    &moves,
                    1,
                );
                assert!(
                    bouton_check::check(&Certificate { body, ..wrong.clone() }.to_text()).is_err(),
                    "{images}{tree}"
                );
            }
        }
    }
    for game in [
        "rules(2;none;binary;q1 = p0)",
        "rules(2;none;binary;true)",
        "rules(2;none;binary;q2 = p1)",
    ] {
        let wrong = Certificate { game: game.into(), ..right.clone() };
        assert!(bouton_check::check(&wrong.to_text()).is_err(), "{game}");
    }
}

#[test]
fn shrinking_circular_nim() {
    let four = "a=c & b=d & a!=b";
    let five_two = "e=b & a+b=c+d & b<c & c<a & b<d & d<a
        | c=b & d=a & e=b+1 & b+2<=a & (a mod 2 = 0 | b+3<=a)
        | a mod 2 = 1 & b=a-2 & c=a-2 & d=a-1 & e=a-1
        | a mod 2 = 1 & b=a-1 & c=a-2 & d=a-2 & e=a-1";
    let five_three = "a=1 & b=c+d-1 & e=b & c!=d | E m: m>=2 & a=2 & b=2*m-1 & c=m & d=m+1 & e=2*m";
    for (n, k, claims) in [
        (4, 2, vec![(0, "true"), (3, "a=b=c"), (4, four)]),
        (5, 2, vec![(0, "true"), (3, "a=b=c"), (4, four), (5, five_two)]),
        (5, 3, vec![(0, "true"), (4, "a=b=c=d"), (5, five_three)]),
    ] {
        let game = MoveSystem::shrinking(n, k);
        certified(&format!("SCN({n},{k})"), &game, &claims, Numeration::Binary);
    }
}

#[test]
fn misere_play() {
    let nim = MoveSystem::windows(
        3,
        &[vec![0], vec![1], vec![2]],
        &Symmetry::Full.permutations(3, 6).unwrap(),
    );
    let normal = certificate("nim(3)", &nim, &[(0, "xor = 0")], Numeration::Binary);
    let nim = nim.in_misere_play().unwrap();
    let bouton = [(0, "max >= 2 & xor = 0 | max <= 1 & xor = 1")];
    certified("nim(3)", &nim, &bouton, Numeration::Binary);
    let circle = MoveSystem::circular(4, 2).in_misere_play().unwrap();
    certified(
        "CN(4,2)",
        &circle,
        &[(0, "a=c & b=d & a>=1 & a!=b+1 | max = 1 & a+b+c+d = 1")],
        Numeration::Binary,
    );
    let shrinking = MoveSystem::shrinking(3, 2).in_misere_play().unwrap();
    certified("SCN(3,2)", &shrinking, &[(1, "a=1"), (3, "a=b & b=c & a>=2")], Numeration::Binary);
    // What is proved of one kind of play is not of the other.
    let misere = certificate("nim(3)", &nim, &bouton, Numeration::Binary);
    let refused =
        |certificate: Certificate| assert!(bouton_check::check(&certificate.to_text()).is_err());
    let claim = misere.claim.strip_prefix("in misere play ").unwrap();
    refused(Certificate { claim: claim.into(), ..misere.clone() });
    refused(Certificate { claim: format!("in misere play {}", normal.claim), ..normal.clone() });
    let claim = normal.claim.replacen("P iff", "in misere play P iff", 1);
    refused(Certificate { claim, body: misere.body.clone(), ..normal });
    // The end needs its part, with its conditions, and the sets that reach it.
    let over = misere.body.split("part over\n").nth(1).unwrap();
    let conditions: String =
        over.lines().take_while(|line| line.starts_with("if ")).map(|l| format!("{l}\n")).collect();
    assert_eq!(conditions.lines().count(), 3);
    refused(Certificate {
        body: misere.body.replacen("part over\n", "part stay image 0,1,2\n", 1),
        ..misere.clone()
    });
    let fewer = conditions.lines().skip(1).map(|l| format!("{l}\n")).collect::<String>();
    refused(Certificate { body: misere.body.replacen(&conditions, &fewer, 1), ..misere.clone() });
    refused(Certificate { game: "S(1,2;3)".into(), ..misere });
}

/// Returns whether the claim is right of all positions of CN(n,k) with heaps up to `most`, by the
/// rules alone.
fn holds(n: usize, k: usize, claim: &str, most: u64) -> bool {
    let text = claim.strip_prefix("P iff ").and_then(|c| c.strip_suffix(", up to symmetry"));
    let Some(Ok(claim)) = text.map(|text| Claim::parse(text, n)) else { return false };
    let images = Symmetry::Ring.permutations(n, 100).unwrap();
    let game = MoveSystem::circular(n, k);
    let positions = (0..n).fold(vec![vec![]], |all: Vec<Vec<u64>>, _| {
        all.iter().flat_map(|p| (0..=most).map(move |x| [p.as_slice(), &[x]].concat())).collect()
    });
    let claimed = |p: &[u64]| claim.holds_up_to(p, &images).unwrap();
    positions.iter().all(|p| claimed(p) != game.options(0, p).iter().any(|(_, q)| claimed(q)))
}

#[test]
fn any_changed_byte_is_rejected() {
    let whole = certificate(
        "CN(3,2)",
        &MoveSystem::circular(3, 2),
        &[(0, "a=b & b=c")],
        Numeration::Binary,
    );
    let text = whole.to_text();
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        assert!(bouton_check::check(&String::from_utf8(bytes).unwrap()).is_err(), "byte {at}");
        assert!(bouton_check::check(&text[..at]).is_err(), "cut at {at}");
    }
    // Sealed again, the header may change only into what is true.
    for with in "0123abc=&|~ ".chars() {
        for at in 0..whole.claim.len() {
            let mut claim = whole.claim.clone();
            claim.replace_range(at..at + 1, &with.to_string());
            let changed = Certificate { claim: claim.clone(), ..whole.clone() };
            if bouton_check::check(&changed.to_text()).is_ok() {
                assert!(holds(3, 2, &claim, 5), "{claim}");
            }
        }
    }
    for game in [
        "CN(3,1)",
        "CN(3,3)",
        "CN(2,2)",
        "CN(4,3)",
        "nim(3)",
        "moore(3;3)",
        "SCN(3,2)",
        "CN(3,2;any=1)",
    ] {
        let changed = Certificate { game: game.into(), ..whole.clone() };
        // Moore's game with b = 3 on 3 heaps is CN(3,2), but its windows are written otherwise.
        assert!(bouton_check::check(&changed.to_text()).is_err(), "{game}");
    }
}

/// No certificate of any game survives a change of one byte, nor of one bit.
#[test]
fn certificates_of_all_kinds_are_sealed() {
    let (name, game, digits) =
        rules(2, Symmetry::Full, Digits::Zeckendorf, "q0 = p0 | q1 = p1 | p0+q1 = p1+q0");
    let wythoff =
        certificate(&name, &game, &[(0, "a=0 & b=0 | E n: a = shift(n)+1 & b = a+n+1")], digits);
    let shrinking = MoveSystem::shrinking(4, 2);
    let claims = [(0, "true"), (3, "a=b=c"), (4, "a=c & b=d & a!=b")];
    let texts = [
        wythoff,
        certificate(
            "CN(5,3)",
            &MoveSystem::circular(5, 3),
            &[(0, "a=0 & e=b & b=c+d")],
            Numeration::Binary,
        ),
        certificate(
            "CN(4,3)",
            &MoveSystem::circular(4, 3),
            &[(0, "min = max")],
            Numeration::Binary,
        ),
        certificate("SCN(4,2)", &shrinking, &claims, Numeration::Binary),
    ]
    .map(|certificate| certificate.to_text());
    for text in texts {
        assert!(bouton_check::check(&text).is_ok());
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << (at % 7);
            let changed = String::from_utf8(bytes);
            assert!(changed.map_or(true, |text| bouton_check::check(&text).is_err()), "byte {at}");
        }
    }
}

#[test]
fn nothing_can_be_left_out() {
    let whole = certificate(
        "CN(4,3)",
        &MoveSystem::circular(4, 3),
        &[(0, "min = max")],
        Numeration::Binary,
    );
    let lines: Vec<&str> = whole.body.lines().collect();
    let check = |body: Vec<String>| {
        let body = body.join("\n") + "\n";
        bouton_check::check(&Certificate { body, ..whole.clone() }.to_text())
    };
    let states = lines.iter().position(|line| line.starts_with("states")).unwrap();
    let sets = lines.iter().position(|line| line.starts_with("sets")).unwrap();
    let edited = |at: usize, with: Option<String>| {
        let mut all: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        match with {
            Some(line) => all[at] = line,
            None => drop(all.remove(at)),
        }
        all
    };
    assert!(check(edited(0, Some(lines[0].into()))).is_ok());
    // A set dropped, and counted so.
    for at in sets + 1..lines.len() {
        let mut body = edited(at, None);
        body[sets] = format!("sets {}", lines.len() - sets - 2);
        assert!(check(body).is_err(), "line {at}");
    }
    // Every other line is needed, too.
    for (at, line) in lines.iter().enumerate() {
        assert!(check(edited(at, None)).is_err(), "without {line}");
    }
    // What is between two rounds and does not accept must not: the sets' members come first.
    let count = lines[sets + 1..]
        .iter()
        .flat_map(|line| line.split(' '))
        .map(|s| s.parse::<usize>().unwrap());
    let members = count.max().unwrap() - 1;
    for (at, line) in lines.iter().enumerate().skip(states + 1).take(members) {
        if !line.ends_with('!') {
            assert!(check(edited(at, Some(format!("{line} !")))).is_err(), "{line}");
        }
    }
    // A condition or a value changed.
    for at in
        (0..states).filter(|&at| lines[at].starts_with("if ") || lines[at].starts_with("start "))
    {
        for (from, to) in [("<=", ">="), ("p0", "p1"), ("p3", "p2"), ("start ", "start 1")] {
            if lines[at].contains(from) {
                assert!(
                    check(edited(at, Some(lines[at].replace(from, to)))).is_err(),
                    "{}",
                    lines[at]
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    /// A wrong claim is never accepted, whatever the body; nothing panics.
    #[test]
    fn garbage_is_rejected(
        edits in prop::collection::vec((any::<u16>(), any::<u16>(), "[0-9a-z =!<+(),-]{0,6}"),
            0..6),
        wrong in 0..5usize,
    ) {
        let claim = ["true", "a = b & b = c & a < 9", "a = b", "false", "min = 0"][wrong];
        let whole =
            certificate("CN(3,2)", &MoveSystem::circular(3, 2), &[(0, "a=b & b=c")],
                Numeration::Binary);
        let mut lines: Vec<String> = whole.body.lines().map(str::to_owned).collect();
        for (kind, at, text) in edits {
            let at = usize::from(at) % lines.len();
            match kind % 4 {
                0 => lines[at] = text,
                1 => lines.insert(at, text),
                2 => lines.swap(at, usize::from(kind) % 7),
                _ => lines[at].push_str(&text),
            }
        }
        let body = lines.join("\n") + "\n";
        let claim = format!("P iff {claim}, up to symmetry");
        let changed = Certificate { claim, body, ..whole };
        prop_assert!(bouton_check::check(&changed.to_text()).is_err());
    }

    /// Text of any kind as a claim or a game.
    #[test]
    fn no_text_is_too_strange(game in "[a-zCNS(),;=0-9]{0,16}", claim in
        "[a-e0-9AE:&|~<=>()+*, -]{0,40}") {
        let claim = format!("P iff {claim}, up to symmetry");
        let certificate = |game: &str| {
            Certificate { kind: CertificateKind::PPositions, game: game.into(), claim:
                claim.clone(), body: "heaps 2\n".into() }
        };
        prop_assert!(bouton_check::check(&certificate(&game).to_text()).is_err());
        prop_assert!(bouton_check::check(&certificate("CN(2,2)").to_text()).is_err());
    }
}

/// Each kind of step, changed in one place, is rejected: what is left is no proof. (Of a label, a
/// sum or a list of images that says more than is needed a part may be changed; so each line is
/// changed in several ways, and most of each kind must be needed.)
#[test]
fn every_kind_of_step_is_needed() {
    let moves = Moves::with_formula(Windows::Any(1), "q0+1 = p0 | q0+2 = p0 | q0+3 = p0").unwrap();
    let (subtraction, binary) = stated(2, Symmetry::Full, moves, Digits::Binary);
    let queen = Moves::with_formula(Windows::Any(2), "q0 = p0 | q1 = p1 | p0+q1 = p1+q0").unwrap();
    let (wythoff, zeckendorf) = stated(2, Symmetry::Full, queen, Digits::Zeckendorf);
    let (moore, _) = stated(3, Symmetry::Full, Moves::free(Windows::Any(2)), Digits::Binary);
    let (nim, _) = stated(3, Symmetry::Full, Moves::free(Windows::Any(1)), Digits::Binary);
    let all = [
        certificate("CN(3,2)", &MoveSystem::circular(3, 2), &[(0, "a=b & b=c")], binary),
        certificate("S(1,2,3;2)", &subtraction, &[(0, "(a mod 4) xor (b mod 4) = 0")], binary),
        certificate("moore(3;3)", &moore, &[(0, "xor3 = 0")], binary),
        certificate(
            "wythoff",
            &wythoff,
            &[(0, "a=0 & b=0 | E n: a = shift(n)+1 & b = a+n+1")],
            zeckendorf,
        ),
        certificate(
            "nim(3)",
            &nim.in_misere_play().unwrap(),
            &[(0, "max >= 2 & xor = 0 | max <= 1 & xor = 1")],
            binary,
        ),
        certificate(
            "SCN(4,2)",
            &MoveSystem::shrinking(4, 2),
            &[(0, "true"), (3, "a=b=c"), (4, "a=c & b=d & a!=b")],
            binary,
        ),
    ];
    // Of each kind of line: how many changes were made, and how many were accepted.
    let mut counts: std::collections::BTreeMap<String, (usize, usize)> = Default::default();
    for whole in all {
        assert!(bouton_check::check(&whole.to_text()).is_ok());
        let lines: Vec<&str> = whole.body.lines().collect();
        let step = 1 + lines.len() / 80;
        for (at, line) in
            lines.iter().enumerate().filter(|(at, line)| at % step == 0 || line.starts_with("end"))
        {
            let words: Vec<&str> = line.split(' ').collect();
            let kind = match words[0].chars().next() {
                Some('@') => "@",
                Some('0'..='9' | 'n') if line.contains('*') || at < 60 && !line.contains('!') => {
                    "sum or states"
                }
                Some('0'..='9') => "states or set",
                _ => words[0],
            };
            let bare = |word: &str| word.trim_start_matches('@').parse::<i64>().is_ok();
            for (place, word) in words.iter().enumerate().filter(|(_, word)| bare(word)) {
                let digits = word.trim_start_matches('@');
                let number: i64 = digits.parse().unwrap();
                for changed in [number + 1, number - 1] {
                    let mut own: Vec<String> =
                        words.iter().map(|word| (*word).to_owned()).collect();
                    own[place] = word.replace(digits, &changed.to_string());
                    let mut body: Vec<String> =
                        lines.iter().map(|line| (*line).to_owned()).collect();
                    body[at] = own.join(" ");
                    let changed = Certificate { body: body.join("\n") + "\n", ..whole.clone() };
                    let count = counts.entry(kind.to_owned()).or_default();
                    count.0 += 1;
                    count.1 += usize::from(bouton_check::check(&changed.to_text()).is_ok());
                }
            }
        }
    }
    for kind in [
        "move",
        "within",
        "by",
        "let",
        "to",
        "start",
        "labels",
        "@",
        "refutations",
        "heaps",
        "states",
        "sets",
        "end",
    ] {
        let (made, accepted) = counts.get(kind).copied().unwrap_or_default();
        assert!(
            made > 0 && 3 * accepted <= made,
            "{kind}: {accepted} of {made} changes accepted: {counts:?}"
        );
    }
}

/// A proof of another version is declined with the words to make it anew.
#[test]
fn old_certificates_are_declined() {
    let whole = certificate(
        "CN(3,2)",
        &MoveSystem::circular(3, 2),
        &[(0, "a=b & b=c")],
        Numeration::Binary,
    );
    let text = whole.to_text();
    let (sealed, _) = text.rsplit_once("sha256: ").unwrap();
    let old = sealed.replacen("bouton certificate 2", "bouton certificate 1", 1);
    let old = format!("{old}sha256: {}\n", bouton_certificate::sha256(old.as_bytes()));
    let rejected = bouton_check::check(&old).unwrap_err();
    assert_eq!(rejected.line, 1);
    assert!(
        rejected.to_string().contains("bouton prove GAME --claim FORMULA --certificate FILE"),
        "{rejected}"
    );
}

/// Deep and long formulas end in a rejection.
#[test]
fn deep_formulas_are_declined() {
    let nested = format!("{}a = 0{}", "(".repeat(5000), ")".repeat(5000));
    let iff = (0..60).fold("a = 0".to_owned(), |text, _| format!("({text} <=> b = 0)"));
    let row = vec!["a = 0"; 9000].join(" => ");
    let hundred_thousand = 100_000;
    let rows =
        [" & ", " | ", " => ", " <=> "].map(|word| vec!["a = 0"; hundred_thousand].join(word));
    let deep =
        ["(", "~", "min(", "E x: ", "xor("].map(|word| word.repeat(hundred_thousand) + "a = 0");
    for claim in [nested, iff, row].into_iter().chain(rows).chain(deep) {
        let certificate = Certificate {
            kind: CertificateKind::PPositions,
            game: "CN(2,2)".into(),
            claim: format!("P iff {claim}, up to symmetry"),
            body: "heaps 2\n".into(),
        };
        assert!(bouton_check::check(&certificate.to_text()).is_err());
    }
}

/// A check that is told to end accepts nothing, wherever it is; left alone it accepts.
#[test]
fn a_check_that_is_stopped_is_no_theorem() {
    let (game, claims) = (MoveSystem::circular(6, 3), "a+b=d+e & b+c=e+f");
    let claims = claims_for(&game, &[(0, claims)]).unwrap();
    let meter = &mut Meter::new(&default_budget());
    let Attempt::Proved(proof) = prove(&game, &claims, Numeration::Binary, meter) else {
        panic!("a theorem")
    };
    let text =
        proof.certificate("CN(6,3)", &game, &claims, Numeration::Binary, meter).unwrap().to_text();
    let mut asked = 0;
    let mut count = || {
        asked += 1;
        true
    };
    assert!(bouton_check::check_within(&text, 0, &mut count).is_ok());
    assert!(asked > 5, "{asked}");
    for most in [0, 1, 2, asked / 2, asked - 1] {
        let mut left = most;
        let stopped = bouton_check::check_within(&text, 0, &mut || {
            left -= 1;
            left >= 0
        });
        assert_eq!(
            stopped.unwrap_err().reason,
            bouton_check::Reason::Stopped,
            "after {most} of {asked}"
        );
    }
}

/// Nim on two heaps, said to be read in Zeckendorf digits: a claim with nim-sums is proved in
/// binary ones, and the certificate says so; a claim with a shift is read in Zeckendorf ones,
/// whatever the game says.
#[test]
fn claims_are_read_in_the_digits_they_ask_for() {
    let moves = Moves::with_formula(Windows::Any(2), "q0 = p0 | q1 = p1").unwrap();
    let (symmetry, digits) = (Symmetry::Full, Digits::Zeckendorf);
    let stated = bouton_core::HeapGame { heaps: 2, symmetry, shrinks: false, moves, digits };
    let (game, numeration) = MoveSystem::from_heap_game(&stated).unwrap();
    assert_eq!(numeration, Numeration::ZECKENDORF);
    let read = |claim, stated| {
        choose_numeration(&game, &claims_for(&game, &[(0, claim)]).unwrap(), stated)
    };
    assert_eq!(read("xor = 0", numeration), Numeration::Binary);
    for either in [Numeration::Binary, Numeration::ZECKENDORF] {
        assert_eq!(read("a = b", either), either);
        assert_eq!(
            read("E n: a = shift(n) & b = shift(n) | a = b", either),
            Numeration::ZECKENDORF
        );
    }
    let name = written_name(&stated, Numeration::Binary).unwrap();
    certified(&name, &game, &[(0, "xor = 0")], Numeration::Binary);
    let claims = claims_for(&game, &[(0, "xor = 0")]).unwrap();
    let verdict = prove(&game, &claims, numeration, &mut Meter::new(&default_budget()));
    assert_eq!(verdict, Attempt::Unknown(Undecided::Unreadable(Unreadable::DigitSum)));
}

/// What was proved is said with the rules as the checker knows them, in ASCII.
#[test]
fn what_is_proved_is_told() {
    let told = |certificate: Certificate| {
        let theorem = bouton_check::check(&certificate.to_text()).unwrap().theorem;
        assert!(theorem.is_ascii() && !theorem.contains('\n'), "{theorem}");
        theorem
    };
    let all = "For all heap sizes, the P-positions are exactly the positions for which";
    let circle = certificate(
        "CN(4,2)",
        &MoveSystem::circular(4, 2),
        &[(0, "a=c & b=d")],
        Numeration::Binary,
    );
    let taken = "by at least one token in all";
    assert_eq!(
        told(circle),
        format!(
            "A position is a circle of 4 heaps. A move lowers heaps among 2 neighbours, {taken}. \
             Whoever cannot move loses. {all} the formula holds, closed under turns and \
             reflections of the circle."
        )
    );
    let shrinking = MoveSystem::shrinking(3, 2).in_misere_play().unwrap();
    let closing = certificate(
        "SCN(3,2)",
        &shrinking,
        &[(1, "a=1"), (3, "a=b & b=c & a>=2")],
        Numeration::Binary,
    );
    assert_eq!(
        told(closing),
        format!(
            "A position is a circle of up to 3 heaps, none empty: a heap that is emptied leaves, \
             and the circle closes up. A move lowers heaps among 2 neighbours, {taken}. Whoever \
             cannot move wins. {all} the formula for their number of heaps (none if none stands) \
             holds, closed under turns and reflections of the circle."
        )
    );
    let moves = Moves::with_formula(Windows::Any(1), "q0+1 = p0 | q0+2 = p0 | q0+3 = p0").unwrap();
    let (game, digits) = stated(2, Symmetry::Full, moves, Digits::Binary);
    assert_eq!(
        told(certificate("S(1,2,3;2)", &game, &[(0, "(a mod 4) xor (b mod 4) = 0")], digits)),
        format!(
            "A position is a row of 2 heaps. A move lowers one heap, {taken}, from p0, p1, ... to \
             q0, q1, ... (the heaps it may lower, in order) where q0+1 = p0 | q0+2 = p0 | q0+3 = \
             p0. Whoever cannot move loses. {all} the formula holds, closed under all permutations \
             of the heaps."
        )
    );
}
