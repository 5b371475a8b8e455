//! Theorems with parameters: proved, accepted, and true of small values; wrong ones are refuted,
//! and no forged certificate is accepted.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use bouton_certificate::Certificate;
use bouton_core::{Budget, Meter};
use bouton_prover::parametric::{ParametricClaim, ParametricGame, ParametricVerdict};

/// Theorems: game, condition, form. S(1,h), {1..M}: Berlekamp, Conway, Guy, *Winning Ways*, ch. 4.
const THEOREMS: &[(&str, &str, &str)] = &[
    ("S(1,h)", "h >= 1 & h mod 2 = 1", "a mod 2 = 0"),
    ("S(1,h)", "h >= 2 & h mod 2 = 0", "a mod (h+1) < h & (a mod (h+1)) mod 2 = 0"),
    ("S(1,2*h)", "h >= 1", "a mod (2*h+1) < 2*h & (a mod (2*h+1)) mod 2 = 0"),
    ("S(1,h,h+1)", "h >= 2 & h mod 2 = 0", "a mod (2*h) < h & (a mod (2*h)) mod 2 = 0"),
    ("S(1,h,h+1)", "h >= 1 & h mod 2 = 1", "a mod (2*h+1) < h & (a mod (2*h+1)) mod 2 = 0"),
    ("S(1..M)", "M >= 1", "a mod (M+1) = 0"),
    ("S(L..M)", "L >= 1 & M >= L", "a mod (L+M) < L"),
];

/// Wrong statements, each of a theorem above or near it.
const WRONG: &[(&str, &str, &str)] = &[
    ("S(1,h)", "h >= 1", "a mod 2 = 0"),
    ("S(1,h)", "h >= 2 & h mod 2 = 0", "(a mod (h+1)) mod 2 = 0"),
    ("S(1,h)", "h >= 2 & h mod 2 = 0", "a mod (h+2) < h & (a mod (h+2)) mod 2 = 0"),
    ("S(1,h,h+1)", "h >= 2", "a mod (2*h) < h & (a mod (2*h)) mod 2 = 0"),
    ("S(1..M)", "M >= 1", "a mod M = 0"),
    ("S(1..M)", "M >= 1", "a mod (M+1) = 0 & a <= 100"),
    ("S(L..M)", "L >= 1 & M >= 1", "a mod (L+M) < M"),
    ("S(L..M)", "L >= 1 & M >= L", "a mod (L+M) <= L"),
];

fn claim(game: &str, condition: &str, form: &str) -> ParametricClaim {
    ParametricClaim::parse(&ParametricGame::parse(game, "amounts").unwrap(), condition, form)
        .unwrap()
}

fn meter() -> Meter {
    Meter::new(&Budget { nodes: Some(3_000_000), ..Budget::default() })
}

fn proved((game, condition, form): (&str, &str, &str)) -> Certificate {
    match claim(game, condition, form).prove(&mut meter()) {
        ParametricVerdict::Proved(certificate) => certificate,
        other => panic!("{game}, {condition}, {form}: {other:?}"),
    }
}

/// Returns whether a heap is P, by the rules alone.
fn is_p(amounts: &[i64], heaps: i64) -> Vec<bool> {
    let mut all: Vec<bool> = Vec::new();
    for heap in 0..heaps {
        let wins = amounts.iter().any(|amount| *amount <= heap && all[(heap - amount) as usize]);
        all.push(!wins);
    }
    all
}

#[test]
fn theorems_are_proved_and_accepted() {
    for theorem in THEOREMS {
        let text = proved(*theorem).to_text();
        let accepted =
            bouton_check::check(&text).unwrap_or_else(|why| panic!("{theorem:?}: {why}\n{text}"));
        assert_eq!(accepted.claim, format!("for {}, P iff {}", theorem.1, theorem.2));
        println!("{theorem:?}: {} lines, {}", text.lines().count(), accepted.work);
    }
}

/// The statement says the same as play, heap by heap; the test has amounts of its own.
#[test]
fn theorems_agree_with_play() {
    let amounts: [fn(i64, i64) -> Vec<i64>; 7] = [
        |h, _| vec![1, h],
        |h, _| vec![1, h],
        |h, _| vec![1, 2 * h],
        |h, _| vec![1, h, h + 1],
        |h, _| vec![1, h, h + 1],
        |most, _| (1..=most).collect(),
        |least, most| (least..=most).collect(),
    ];
    for ((game, condition, form), amounts) in THEOREMS.iter().zip(amounts) {
        let claim = claim(game, condition, form);
        let mut count = 0;
        for first in 0..=13 {
            for second in 0..=if *game == "S(L..M)" { 13 } else { 0 } {
                let values = [first, second];
                let values = if *game == "S(L..M)" { &values[..] } else { &values[..1] };
                if !claim.is_of(values) {
                    continue;
                }
                for (heap, is_p) in (0..).zip(is_p(&amounts(first, second), 120)) {
                    assert_eq!(
                        claim.holds(values, &[heap]),
                        Some(is_p),
                        "{game} {values:?} {heap}"
                    );
                    count += 1;
                }
            }
        }
        assert!(count >= 600, "{game}: {count}");
    }
}

#[test]
fn wrong_statements_are_refuted_with_the_least_counterexample() {
    for (game, condition, form) in WRONG {
        let own = claim(game, condition, form);
        let verdict = own.prove(&mut meter());
        let ParametricVerdict::Refuted { parameters, position, is_p: real } = verdict else {
            panic!("{game}, {condition}, {form}: {verdict:?}")
        };
        let read = ParametricGame::parse(game, "amounts").unwrap();
        let play = |values: &[i64]| is_p(&read.amounts(values).unwrap(), 150);
        assert_eq!(play(&parameters)[position[0] as usize], real, "{game} {parameters:?}");
        assert_eq!(own.holds(&parameters, &position), Some(!real));
        // Nothing less: neither a lesser heap, nor lesser parameters.
        let agrees = |values: &[i64], heaps: usize| {
            let table = play(values);
            (0..heaps).all(|heap| own.holds(values, &[heap as i64]) == Some(table[heap]))
        };
        assert!(agrees(&parameters, position[0] as usize));
        let most = *parameters.iter().max().unwrap();
        for first in 0..most {
            let pairs = (0..most).map(|second| vec![first, second]);
            let all: Vec<Vec<i64>> =
                if parameters.len() == 1 { vec![vec![first]] } else { pairs.collect() };
            for values in all.iter().filter(|values| own.is_of(values)) {
                let valid = read.amounts(values).is_some();
                assert!(!valid || agrees(values, 150), "{game} {values:?}");
            }
        }
    }
}

/// NIM({L};n;d,e): the players pay in turn; the mover has d div L payments, the other e div L, and
/// there are stones for n div L. Whoever's turn it is when the first of them ends loses.
const SINGLE_AMOUNT: (&str, &str, &str) = (
    "NIM(L;n;d,e)",
    "L >= 1",
    "d div L <= e div L & 2*(d div L) <= n div L \
     | (n div L) mod 2 = 0 & n div L <= 2*(d div L) & n div L <= 2*(e div L)",
);

/// Returns whether the mover loses NIM({amount};n;d,e), by the rules alone.
fn loses(amount: i64, [n, d, e]: [i64; 3]) -> bool {
    n < amount || d < amount || !loses(amount, [n - amount, e, d - amount])
}

/// Purses change hands with each move; stones and the mover's dollars limit it.
#[test]
fn games_with_purses_are_proved_and_refuted() {
    let (game, condition, form) = SINGLE_AMOUNT;
    let text = proved(SINGLE_AMOUNT).to_text();
    let accepted = bouton_check::check(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(accepted.claim, format!("for {condition}, P iff {form}"));
    println!("{} lines, {}", text.lines().count(), accepted.work);
    let own = claim(game, condition, form);
    for code in 0..5 * 16 * 16 * 16 {
        let (amount, n, d, e) = (1 + code / 4096, code / 256 % 16, code / 16 % 16, code % 16);
        assert_eq!(
            own.holds(&[amount], &[n, d, e]),
            Some(loses(amount, [n, d, e])),
            "{amount} {n} {d} {e}"
        );
    }
    let body = proved(SINGLE_AMOUNT).body;
    let mut wrong = 0;
    for changed in changed(form) {
        let Ok(own) = ParametricClaim::parse(
            &ParametricGame::parse(game, "amounts").unwrap(),
            condition,
            &changed,
        ) else {
            continue;
        };
        let Some((parameters, position, is_p)) = own.counterexample(4, 12, &mut meter()).unwrap()
        else {
            continue;
        };
        wrong += 1;
        let [n, d, e] = position[..] else { panic!("{position:?}") };
        assert_eq!(loses(parameters[0], [n, d, e]), is_p, "{parameters:?} {position:?}");
        let kind = bouton_certificate::CertificateKind::Parameters;
        let claim = format!("for {condition}, P iff {changed}");
        let forged = Certificate { kind, game: game.into(), claim, body: body.clone() };
        assert!(bouton_check::check(&forged.to_text()).is_err(), "{changed}");
    }
    assert!(wrong >= 25, "{wrong}");
}

/// A theorem on NIM with Cash whose least amount is 1: the game, the condition, what names stand
/// for, and cases. A case: when; twice f of the winner and of the other player; whether the second
/// player wins without cash; which positions are P if the winner has less than f, both no less than
/// half of the stones, the mover more than half. That the loser has less than f is not said, since
/// the last says it.
type CashTheorem = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static [(&'static str, &'static str, &'static str, bool, &'static str)],
);

/// *NIM with Cash*, Theorems 5.7, 7.5 and 6.6, as docs/errata-cash.md has them: `w` and `v` are
/// twice what the mover and the other player have less than f, and a dollar.
const CASH: [CashTheorem; 3] = [
    (
        "NIM(1,L;n;d,e)",
        "L >= 2 & L mod 2 = 0",
        &[("k", "n div (L+1)"), ("i", "n mod (L+1)"), ("z", "2*L*k"), ("m", "2*L-2")],
        &[
            ("i < L & i mod 2 = 0", "z+i+2-L", "z+i", true, "w >= m*(v div m)"),
            ("i < L & i mod 2 = 1", "z+i+1", "z+i+1-L", false, "v < m*(w div m)"),
            ("i = L", "z+2*L", "z+L", false, "v < m*(w div m)"),
        ],
    ),
    (
        "NIM(1,L,L+1;n;d,e)",
        "L >= 2 & L mod 2 = 0",
        &[("k", "n div (2*L)"), ("i", "n mod (2*L)"), ("z", "3*L*k")],
        &[
            ("i < L & i mod 2 = 0", "z+i", "z+i", true, "w >= L*(v div L)"),
            ("i < L & i mod 2 = 1", "z+i+1", "z+i-1", false, "v < L*(w div L)"),
            ("i = L", "z+2*L", "z+L", false, "v < L*(w div L)"),
            ("i > L & i mod 2 = 1", "z+i+L+1", "z+i+L-1", false, "v < L*(w div L)"),
            ("i > L & i mod 2 = 0", "z+i+L", "z+i+L", false, "w >= L*(v div L)"),
        ],
    ),
    (
        "NIM(1,L,L+1;n;d,e)",
        "L >= 3 & L mod 2 = 1",
        &[("k", "n div (2*L+1)"), ("i", "n mod (2*L+1)"), ("z", "(3*L+1)*k"), ("m", "2*L")],
        &[
            ("i < L & i mod 2 = 0", "z+i", "z+i", true, "m*((w+L+1) div m) > v"),
            ("i <= L & i mod 2 = 1", "z+i+1", "z+i-1", false, "m*(w div m)+L-1 > v"),
            ("i = L+1", "z+2*L+2", "z+L+1", false, "m*(w div m) > v"),
            ("i > L+1 & i mod 2 = 1", "z+i+L", "z+i+L", false, "m*((w+L+1) div m) > v"),
            ("i > L+1 & i mod 2 = 0", "z+i+L+1", "z+i+L-1", false, "m*(w div m)+L-1 > v"),
        ],
    ),
];

/// Returns the form of the P-positions, names written out; `guarded`: what is said of critical
/// positions is said of no others.
fn cash_form(
    names: &[(&str, &str)],
    cases: &[(&str, &str, &str, bool, &str)],
    guarded: bool,
) -> String {
    fn written_out(text: &str, names: &[(&str, &str)]) -> String {
        let mut all = String::new();
        let mut word = String::new();
        for c in text.chars().chain([' ']) {
            if c.is_ascii_alphanumeric() {
                word.push(c);
                continue;
            }
            match names.iter().find(|(name, _)| *name == word) {
                Some((_, meant)) => all += &format!("({})", written_out(meant, names).trim_end()),
                None => all += &word,
            }
            word.clear();
            all.push(c);
        }
        all
    }
    let own = |(when, first, second, lost, critical): &(&str, &str, &str, bool, &str)| {
        let guard = format!("2*d < F & (2*e >= G | {critical})");
        let critical = if guarded { guard.as_str() } else { critical };
        let poor = format!("d <= e & 2*d <= n | 2*e >= n & 2*d > n & {critical}");
        let form = match lost {
            true => format!("2*e >= G | {poor}"),
            false => format!("2*d < F & ({poor})"),
        };
        let own = [("F", *first), ("G", *second), ("w", "F-2-2*d"), ("v", "G-2-2*e")];
        let all = [names, &own[..]].concat();
        written_out(&format!("{when} & ({form})"), &all).trim_end().to_owned()
    };
    cases.iter().map(own).collect::<Vec<_>>().join(" | ")
}

/// Returns whether the mover loses, for up to this many stones and dollars, by the rules alone.
fn losses(amounts: &[usize], most: usize) -> Vec<Vec<Vec<bool>>> {
    let mut all: Vec<Vec<Vec<bool>>> = Vec::new();
    for n in 0..=most {
        let loses = |d: usize, e: usize| {
            !amounts.iter().any(|amount| *amount <= n.min(d) && all[n - amount][e][d - amount])
        };
        let rows = (0..=most).map(|d| (0..=most).map(|e| loses(d, e)).collect()).collect();
        all.push(rows);
    }
    all
}

/// The win conditions of sections 5 to 7 of *NIM with Cash*, for every L, every position.
#[test]
fn cash_with_two_or_three_amounts() {
    for (game, condition, names, cases) in CASH {
        let form = cash_form(names, cases, false);
        let certificate = proved((game, condition, &form));
        let text = certificate.to_text();
        let accepted = bouton_check::check(&text).unwrap_or_else(|why| panic!("{game}: {why}"));
        assert_eq!(accepted.claim, format!("for {condition}, P iff {form}"));
        println!("{game}, {condition}: {} lines, {}", text.lines().count(), accepted.work);
        // The statement says the same as play.
        let own = claim(game, condition, &form);
        let mut games = 0;
        for value in (0..=9).filter(|value| own.is_of(&[*value])) {
            let amounts =
                ParametricGame::parse(game, "amounts").unwrap().amounts(&[value]).unwrap();
            let amounts: Vec<usize> = amounts.iter().map(|amount| *amount as usize).collect();
            for (n, rows) in (0..).zip(losses(&amounts, 44)) {
                for (d, row) in (0..).zip(rows) {
                    for (e, loses) in (0..).zip(row) {
                        assert_eq!(
                            own.holds(&[value], &[n, d, e]),
                            Some(loses),
                            "{game} {value}: {n} {d} {e}"
                        );
                    }
                }
            }
            games += 1;
        }
        assert!(games >= 4, "{game}: {games}");
        // Another step, another claim: refused, unless it is true.
        let lines: Vec<&str> = certificate.body.lines().collect();
        let mut refused = 0;
        for at in (7..lines.len()).step_by(lines.len() / 60) {
            let mut fewer = lines.clone();
            fewer.remove(at);
            let forged = Certificate { body: fewer.join("\n") + "\n", ..certificate.clone() };
            refused += u32::from(bouton_check::check(&forged.to_text()).is_err());
        }
        assert!(refused >= 50, "{refused}");
        let mut wrong = 0;
        for (at, _) in form.match_indices(['1', '2']).step_by(4) {
            let changed = format!("{}3{}", &form[..at], &form[at + 1..]);
            let own = claim(game, condition, &changed);
            let claim = format!("for {condition}, P iff {changed}");
            let forged = Certificate { claim, ..certificate.clone() };
            let accepted = bouton_check::check(&forged.to_text()).is_ok();
            if let Some((values, position, is_p)) = own.counterexample(6, 24, &mut meter()).unwrap()
            {
                wrong += 1;
                assert!(!accepted, "{changed}: {values:?} {position:?} {is_p}");
            }
        }
        assert!(wrong >= 15, "{game}: {wrong}");
    }
}

/// What *NIM with Cash* prints, where docs/errata-cash.md has another statement: the least L and
/// the first position of which it is wrong.
#[test]
fn printed_statements_on_cash_are_refuted() {
    type Change = fn(&'static str) -> &'static str;
    let changed = |theorem: usize, name: Change, critical: Change| {
        let (game, condition, names, cases) = CASH[theorem];
        let form = cash_form(names, cases, true);
        // Without the change the form is right.
        assert_eq!(claim(game, condition, &form).counterexample(4, 22, &mut meter()), Ok(None));
        let names: Vec<(&str, &str)> = names.iter().map(|(own, text)| (*own, name(text))).collect();
        let cases: Vec<_> =
            cases.iter().map(|(a, b, c, d, own)| (*a, *b, *c, *d, critical(own))).collect();
        (game, condition, cash_form(&names, &cases, true))
    };
    // Theorem 5.7 (7) with no dollar less for the other player, as printed; Lemma 6.5 as printed.
    let more: Change = |critical| match critical {
        "w >= m*(v div m)" => "w >= m*((v+2) div m)",
        _ => "v+2 < m*(w div m)",
    };
    let steps: Change = |name| if name == "2*L" { "2*L-2" } else { name };
    let printed: Change = |critical| match critical {
        "m*((w+L+1) div m) > v" => "w > m*(v div m)",
        "m*(w div m)+L-1 > v" => "m*(w div m) >= v",
        other => other,
    };
    let wrong = [changed(0, |name| name, more), changed(2, steps, printed)];
    let least = [(2, [9, 5, 5]), (3, [11, 6, 6])];
    for ((game, condition, form), least) in wrong.into_iter().zip(least) {
        let own = claim(game, condition, &form);
        let verdict = own.prove(&mut meter());
        let ParametricVerdict::Refuted { parameters, position, is_p } = verdict else {
            panic!("{game}: {verdict:?}")
        };
        let [value] = parameters[..] else { panic!("{parameters:?}") };
        let [n, d, e] = position[..] else { panic!("{position:?}") };
        assert_eq!((value, [n, d, e]), least, "{game}");
        // The least L, and the first position in the order of stones, own dollars, the other's.
        let mut first = None;
        'all: for value in (0..=value).filter(|value| own.is_of(&[*value])) {
            let amounts =
                ParametricGame::parse(game, "amounts").unwrap().amounts(&[value]).unwrap();
            let amounts: Vec<usize> = amounts.iter().map(|amount| *amount as usize).collect();
            for (n, rows) in (0..).zip(losses(&amounts, 30)) {
                for (d, row) in (0..).zip(rows) {
                    for (e, loses) in (0..).zip(row) {
                        if own.holds(&[value], &[n, d, e]) != Some(loses) {
                            first = Some((value, [n, d, e], loses));
                            break 'all;
                        }
                    }
                }
            }
        }
        assert_eq!(first, Some((value, [n, d, e], is_p)), "{game}");
    }
}

/// Returns texts that differ from this one in one token.
fn changed(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let pairs = [
        ("<=", "<"),
        ("<", "<="),
        (">=", ">"),
        (">", ">="),
        ("=", "!="),
        ("=", "<="),
        ("=", ">="),
        ("&", "|"),
        ("mod", "div"),
        ("+", "-"),
        ("+", "*"),
        ("*", "+"),
        ("h", "(h+1)"),
        ("h", "2*h"),
        ("h", "1"),
        ("a", "(a+1)"),
        ("a", "h"),
        ("L", "M"),
        ("M", "L"),
        ("L", "(L+1)"),
        ("M", "(M+1)"),
        ("0", "1"),
        ("1", "0"),
        ("1", "2"),
        ("1", "3"),
        ("2", "1"),
        ("2", "3"),
        ("2", "4"),
    ];
    for (from, to) in pairs {
        for (at, _) in text.match_indices(from) {
            all.push(format!("{}{to}{}", &text[..at], &text[at + from.len()..]));
        }
    }
    all
}

/// A certificate whose claim was changed is accepted only if the claim is true of small values.
#[test]
fn no_changed_claim_is_accepted() {
    let (mut refused, mut wrong) = (0, 0);
    for theorem in THEOREMS {
        let certificate = proved(*theorem);
        let (game, condition, form) = *theorem;
        let conditions =
            changed(condition).into_iter().map(|text| (game.into(), text, form.to_owned()));
        let forms = changed(form).into_iter().map(|text| (game.into(), condition.to_owned(), text));
        let games =
            changed(game).into_iter().map(|text| (text, condition.to_owned(), form.to_owned()));
        for (game, condition, form) in conditions.chain(forms).chain(games) {
            let claim = format!("for {condition}, P iff {form}");
            let forged = Certificate { game: game.clone(), claim, ..certificate.clone() }.to_text();
            let accepted = bouton_check::check(&forged).is_ok();
            refused += u32::from(!accepted);
            // For the prover a condition has to bound each parameter; for the checker amounts do.
            let read = ParametricGame::parse(&game, "amounts").and_then(|game| {
                let bounds: String =
                    game.parameters().iter().map(|name| format!("{name} >= 0 & ")).collect();
                ParametricClaim::parse(&game, &format!("{bounds}({condition})"), &form)
            });
            match read {
                Ok(claim) => {
                    let counterexample = claim.counterexample(8, 100, &mut meter()).unwrap();
                    wrong += u32::from(counterexample.is_some());
                    assert!(!accepted || counterexample.is_none(), "{game} {condition} {form}");
                }
                // What is no claim for the prover has to be none for the checker, or true.
                Err(why) => assert!(!accepted, "{game} {condition} {form}: {why}"),
            }
        }
    }
    assert!(refused > 300 && wrong > 200, "{refused} refused, {wrong} wrong");
}

/// The body of a true claim, put under each wrong one; and bodies changed line by line, number by
/// number: a wrong claim never passes, and nearly every changed step is found.
#[test]
fn no_forged_body_is_accepted() {
    let (mut refused, mut harmless) = (0, 0);
    for theorem in THEOREMS {
        let certificate = proved(*theorem);
        let lines: Vec<&str> = certificate.body.lines().collect();
        let mut bodies: Vec<Vec<String>> = Vec::new();
        for at in 0..lines.len() {
            let mut with = |new: &[String]| {
                let before = lines[..at].iter().map(ToString::to_string);
                let after = lines[at + 1..].iter().map(ToString::to_string);
                bodies.push(before.chain(new.iter().cloned()).chain(after).collect());
            };
            let line = lines[at].to_owned();
            with(&[]);
            with(&[line.clone(), line.clone()]);
            with(&["end 1*1".into()]);
            with(&["or 1".into()]);
            for (place, digit) in line.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
                for other in [(digit as u8 - b'0' + 1) % 10, (digit as u8 - b'0' + 9) % 10] {
                    with(&[format!("{}{other}{}", &line[..place], &line[place + 1..])]);
                }
            }
            if let Some((word, rest)) = line.split_once(' ').filter(|(word, _)| *word == "end") {
                let parts: Vec<&str> = rest.split(' ').collect();
                for left in 0..parts.len() {
                    let mut fewer = parts.clone();
                    fewer.remove(left);
                    with(&[format!("{word} {}", fewer.join(" "))]);
                }
            }
        }
        for body in bodies {
            let body = body.join("\n") + "\n";
            let forged = Certificate { body: body.clone(), ..certificate.clone() }.to_text();
            match bouton_check::check(&forged) {
                Err(_) => refused += 1,
                // The claim is true, and another proof of it.
                Ok(_) => harmless += 1,
            }
            for (game, condition, form) in WRONG.iter().take(2) {
                let claim = format!("for {condition}, P iff {form}");
                let forged = Certificate {
                    game: (*game).into(),
                    claim,
                    body: body.clone(),
                    ..certificate.clone()
                };
                assert!(
                    bouton_check::check(&forged.to_text()).is_err(),
                    "{game} {condition} {form}"
                );
                refused += 1;
            }
        }
    }
    assert!(refused > 3000 && harmless * 20 < refused, "{refused} refused, {harmless} harmless");
}

#[test]
fn bad_input_is_told_with_its_place() {
    let game = ParametricGame::parse("S(1,h)", "amounts").unwrap();
    for (condition, form, place, what) in [
        ("h mod 2 = 0", "a mod 2 = 0", "h mod 2 = 0", "no bound below"),
        ("h >= 1", "a*(a mod h) = 0", "*", "a product of two unknowns remains"),
        ("h >= 1", "h mod a = 0", "m", "the divisor depends on the position"),
        ("h >= 1 & h < 1", "a = 0", "h >= 1 & h < 1", "no small values"),
        ("h >= 1", "a mod (k+1) = 0", "k", "nothing is called `k`"),
        ("h >= 1", "a mod (h+1", "", "`)` should stand here"),
        ("h >= 1", "a + h", "a + h", "this is a number"),
        ("h >= a", "a = 0", "a", "nothing is called `a`"),
    ] {
        let error = ParametricClaim::parse(&game, condition, form).unwrap_err();
        assert!(error.message.contains(what), "{condition}, {form}: {error:?}");
        assert_eq!(&error.text[error.at.clone()], place, "{condition}, {form}: {error:?}");
    }
    for (game, place) in [("S(1,n)", "n"), ("S(1,3)", "1,3"), ("S(1,h mod 2)", "mod")] {
        let error = ParametricGame::parse(game, "amounts").unwrap_err();
        assert_eq!(&error.text[error.at.clone()], place, "{error:?}");
    }
}

/// The certificate on {L..M}, for all L and M: its claim agrees with play, and no changed claim or
/// body is accepted with it.
#[test]
fn cash_with_a_range() {
    const PROOF: &str = include_str!("../../../study/study/data/proofs/cash-range.cert");
    let accepted = bouton_check::check(PROOF).unwrap();
    println!("{}", accepted.work);
    let (condition, form) =
        accepted.claim.strip_prefix("for ").unwrap().split_once(", P iff ").unwrap();
    let game = ParametricGame::parse(&accepted.game, "amounts").unwrap();
    let own = claim(&accepted.game, condition, form);
    let play = |values: &[i64], most: usize| {
        let amounts: Vec<usize> =
            game.amounts(values).unwrap().iter().map(|amount| *amount as usize).collect();
        losses(&amounts, most)
    };
    let mut games = 0;
    for values in (0..=4).flat_map(|first| (0..=6).map(move |second| [first, second])) {
        if !own.is_of(&values) {
            continue;
        }
        for (n, rows) in (0..).zip(play(&values, 24)) {
            for (d, row) in (0..).zip(rows) {
                for (e, loses) in (0..).zip(row) {
                    assert_eq!(
                        own.holds(&values, &[n, d, e]),
                        Some(loses),
                        "{values:?}: {n} {d} {e}"
                    );
                }
            }
        }
        games += 1;
    }
    assert_eq!(games, 18);
    // Wrong claims: refuted by the rules, and not accepted.
    let body =
        PROOF.split_once("\n\n").unwrap().1.rsplit_once("sha256:").map_or("", |(body, _)| body);
    let lines: Vec<&str> = body.lines().collect();
    let kind = bouton_certificate::CertificateKind::Parameters;
    let forged = |claim: String, body: String| {
        let game = accepted.game.clone();
        bouton_check::check(&Certificate { kind, game, claim, body }.to_text()).is_err()
    };
    assert!(
        !forged(accepted.claim.clone(), body.to_owned()),
        "the body is that of the certificate"
    );
    let mut wrong = 0;
    for changed in changed(form).iter().step_by(3) {
        let Ok(other) = ParametricClaim::parse(&game, condition, changed) else { continue };
        let Some((values, position, is_p)) = other.counterexample(3, 9, &mut meter()).unwrap()
        else {
            continue;
        };
        let [n, d, e] = position[..] else { panic!("{position:?}") };
        let table = play(&values, 9);
        assert_eq!(table[n as usize][d as usize][e as usize], is_p, "{changed}");
        // The first position of these values that is wrong.
        let numbers = (0..1000).map(|code| [code / 100, code / 10 % 10, code % 10]);
        let right = |[n, d, e]: [usize; 3]| {
            other.holds(&values, &[n as i64, d as i64, e as i64]) == Some(table[n][d][e])
        };
        let first = numbers.clone().find(|position| !right(*position)).unwrap();
        assert_eq!(first.map(|number| number as i64), [n, d, e], "{changed}");
        assert!(forged(format!("for {condition}, P iff {changed}"), body.to_owned()), "{changed}");
        wrong += 1;
    }
    assert!(wrong >= 15, "{wrong}");
    let mut refused = 0;
    for at in (0..lines.len()).step_by(20) {
        let mut fewer = lines.clone();
        fewer.remove(at);
        refused += u32::from(forged(accepted.claim.clone(), fewer.join("\n") + "\n"));
    }
    assert!(refused >= 40, "{refused}");
}
