//! Certificates of kind `parameters`: the extracted checker verifies those that the checker in Rust
//! accepts, and nothing that play refutes.

use crate::verify::{answers, is_verified, sealed};
use bouton_certificate::{Certificate, CertificateKind};
use bouton_coq::{Mutation, translate, translate_mutated};
use bouton_core::{Budget, Meter};
use bouton_prover::parametric::{ParametricClaim, ParametricGame, ParametricVerdict};

/// Theorems: game, condition, form.
const THEOREMS: &[[&str; 3]] = &[
    ["S(1,h)", "h >= 1 & h mod 2 = 1", "a mod 2 = 0"],
    ["S(1,h)", "h >= 2 & h mod 2 = 0", "a mod (h+1) < h & (a mod (h+1)) mod 2 = 0"],
    ["S(1,h,h+1)", "h >= 1 & h mod 2 = 1", "a mod (2*h+1) < h & (a mod (2*h+1)) mod 2 = 0"],
    ["S(1,2*h)", "h >= 1", "~(a mod (2*h+1) >= 2*h) & (a mod (2*h+1)) mod 2 != 1"],
    ["S(1..M)", "M >= 1", "a mod (M+1) = 0"],
    ["S(L..M)", "L >= 1 & M >= L", "a mod (L+M) < L"],
    [
        "NIM(L;n;d,e)",
        "L > 0",
        "d div L <= e div L & 2*(d div L) <= n div L \
         | (n div L) mod 2 = 0 & n div L <= 2*(d div L) & n div L <= 2*(e div L)",
    ],
];

fn meter() -> Meter {
    Meter::new(&Budget { nodes: Some(1_000_000), ..Budget::default() })
}

fn claim([game, condition, form]: [&str; 3]) -> Option<ParametricClaim> {
    ParametricClaim::parse(&ParametricGame::parse(game, "amounts").ok()?, condition, form).ok()
}

fn proved(theorem: [&str; 3]) -> Certificate {
    match claim(theorem).unwrap().prove(&mut meter()) {
        ParametricVerdict::Proved(certificate) => certificate,
        other => panic!("{theorem:?}: {other:?}"),
    }
}

/// Returns whether small positions are P as claimed for small values of the parameters, by the
/// rules alone; `None` if nothing is to be asked, or amounts are no positive numbers.
fn agrees_with_play(theorem: [&str; 3]) -> Option<bool> {
    /// Values of the parameters, and numbers of tokens.
    const VALUES: i64 = 5;
    const HEAP: i64 = 40;
    const PURSE: i64 = 11;
    let game = ParametricGame::parse(theorem[0], "amounts").ok()?;
    let claim = claim(theorem)?;
    let count = game.parameters().len();
    let mut asked = None;
    for code in 0..(VALUES + 1).pow(count.try_into().unwrap()) {
        let values: Vec<i64> = (0..count)
            .map(|i| code / (VALUES + 1).pow(i.try_into().unwrap()) % (VALUES + 1))
            .collect();
        if !claim.is_of(&values) {
            continue;
        }
        let amounts = game.amounts(&values)?;
        let lost = |position: &[i64], lost: &dyn Fn(&[i64]) -> bool| {
            amounts.iter().all(|t| match *position {
                [n, d, e] => *t > n || *t > d || !lost(&[n - t, e, d - t]),
                [a] => *t > a || !lost(&[a - t]),
                _ => unreachable!(),
            })
        };
        let positions: Vec<Vec<i64>> = if game.has_purses() {
            let all = (0..PURSE)
                .flat_map(|n| (0..PURSE).flat_map(move |d| (0..PURSE).map(move |e| [n, d, e])));
            all.map(Vec::from).collect()
        } else {
            (0..HEAP).map(|a| vec![a]).collect()
        };
        let mut table = std::collections::HashMap::new();
        for position in positions {
            let is_lost = lost(&position, &|option| table[option]);
            if claim.holds(&values, &position) != Some(is_lost) {
                return Some(false);
            }
            table.insert(position, is_lost);
            asked = Some(true);
        }
    }
    asked
}

/// Returns texts that differ from this one in one token.
fn changed(text: &str) -> Vec<String> {
    let pairs = [
        ("<=", "<"),
        ("<", "<="),
        (">=", ">"),
        (" >= ", " != "),
        ("=", "!="),
        ("=", "<="),
        ("=", ">="),
        ("&", "|"),
        ("|", "&"),
        ("~", ""),
        ("mod", "div"),
        ("div", "mod"),
        ("+", "-"),
        ("*", "+"),
        ("..", ","),
        (",", ".."),
        ("h", "(h+1)"),
        ("h", "1"),
        ("a", "(a+1)"),
        ("n", "d"),
        ("d", "e"),
        ("L", "M"),
        ("M", "(M+1)"),
        ("0", "1"),
        ("1", "0"),
        ("1", "2"),
        ("2", "3"),
        ("2", "4"),
    ];
    let mut all = Vec::new();
    for (from, to) in pairs {
        for (at, _) in text.match_indices(from) {
            all.push(format!("{}{to}{}", &text[..at], &text[at + from.len()..]));
        }
    }
    all
}

#[test]
fn claims_for_all_values_are_verified_and_told_in_words() {
    let mut files: Vec<String> =
        THEOREMS.iter().map(|theorem| translate(&proved(*theorem).to_text()).unwrap()).collect();
    let made = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../fuzz/second/tests/made/parameters-");
    for number in 1..=4 {
        files
            .push(translate(&std::fs::read_to_string(format!("{made}{number}")).unwrap()).unwrap());
    }
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        assert!(is_verified(answer), "{answer}{file}");
    }
    let words = |game: &str, rule: &str, condition: &str, claim: &str| {
        format!(
            "That is:\n  game: a move takes one of these numbers of tokens: {game}\n  rule: from \
             {rule}\n  play: normal\n  condition: for all integers {condition}\n  claim: P iff \
             {claim}; div is rounded down\n"
        )
    };
    let heap = "a heap of a tokens";
    for (number, words) in [
        (0, words("1, p0", heap, "p0 with (p0 >= 1 & (p0 mod 2) = 1)", "(a mod 2) = 0")),
        (
            3,
            words(
                "1, (2 * p0)",
                heap,
                "p0 with p0 >= 1",
                "(~((a mod ((2 * p0) + 1)) >= (2 * p0)) & ((a mod ((2 * p0) + 1)) mod 2) != 1)",
            ),
        ),
        (
            5,
            words(
                "each number from p0 to p1",
                heap,
                "p0, p1 with (p0 >= 1 & p1 >= p0)",
                "(a mod (p0 + p1)) < p0",
            ),
        ),
        (
            6,
            words(
                "p0",
                "n stones, and who moves pays a dollar for each; d are the mover's dollars, e \
                 those of the other",
                "p0 with p0 > 0",
                "(((d div p0) <= (e div p0) & (2 * (d div p0)) <= (n div p0)) | ((((n div p0) mod \
                 2) = 0 & (n div p0) <= (2 * (d div p0))) & (n div p0) <= (2 * (e div p0))))",
            ),
        ),
    ] {
        assert!(answers[number].ends_with(&words), "{}{words}", answers[number]);
    }
}

/// Other lines before the same steps, and before steps of their own: nothing is verified that play
/// refutes, and all is that the checker in Rust accepts.
#[test]
fn false_claims_for_all_values_are_not_verified() {
    let (mut files, mut accepted, mut truths) = (Vec::new(), Vec::new(), Vec::new());
    for theorem in THEOREMS {
        assert_eq!(agrees_with_play(*theorem), Some(true), "{theorem:?}");
        let body = proved(*theorem).body;
        for place in 0..3 {
            for text in changed(theorem[place]) {
                let mut other = *theorem;
                other[place] = &text;
                let [game, condition, form] = other;
                let claim = format!("for {condition}, P iff {form}");
                let (kind, body) = (CertificateKind::Parameters, body.clone());
                let truth = agrees_with_play(other);
                let mut all = vec![Certificate { kind, game: game.into(), claim, body }];
                // What is true by play may have a proof of its own.
                if truth == Some(true)
                    && let ParametricVerdict::Proved(own) =
                        self::claim(other).unwrap().prove(&mut meter())
                {
                    all.push(own);
                }
                for certificate in all.iter().map(Certificate::to_text) {
                    if let Ok(file) = translate_mutated(&certificate, None, Mutation::None) {
                        files.push(file);
                        accepted.push(bouton_check::check(&certificate).is_ok());
                        truths.push(truth);
                    }
                }
            }
        }
    }
    let count = |truth| truths.iter().filter(|own| **own == truth).count();
    assert!(
        count(Some(false)) >= 100 && files.len() >= 200,
        "{} {}",
        count(Some(false)),
        files.len()
    );
    assert!(accepted.iter().filter(|own| **own).count() >= 20);
    let Some(answers) = answers(&files) else { return };
    let verified = answers.iter().filter(|answer| is_verified(answer)).count();
    println!(
        "{} statements, {} refuted by play, {verified} verified",
        files.len(),
        count(Some(false))
    );
    for (((answer, file), accepted), truth) in
        answers.iter().zip(&files).zip(&accepted).zip(&truths)
    {
        let lines: Vec<&str> = file.lines().take(3).collect();
        assert!(!is_verified(answer) || *truth != Some(false), "{lines:?}: {answer}");
        assert!(is_verified(answer) || !accepted, "{lines:?}: {answer}");
    }
}

/// Steps in which one number is another one, or that are left out: those are verified that the
/// checker in Rust accepts.
#[test]
fn forged_steps_are_not_verified() {
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for theorem in THEOREMS {
        let text = proved(*theorem).to_text();
        let lines: Vec<&str> = text.lines().collect();
        let is_step = |line: &str| {
            ["witness ", "split ", "or ", "times ", "end "]
                .iter()
                .any(|start| line.starts_with(start))
        };
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| is_step(line)) {
            let mut others = vec![None];
            for (at, word) in line.split(' ').enumerate().skip(1) {
                let digits: String = word.chars().filter(char::is_ascii_digit).collect();
                let start = word.find(|c: char| c.is_ascii_digit());
                let own = start.and_then(|start| {
                    let length = word[start..].bytes().take_while(u8::is_ascii_digit).count();
                    let value: u64 = word[start..start + length].parse().ok()?;
                    Some(format!("{}{}{}", &word[..start], value + 1, &word[start + length..]))
                });
                if let Some(own) = own.filter(|_| !digits.is_empty()) {
                    let mut words: Vec<&str> = line.split(' ').collect();
                    words[at] = &own;
                    others.push(Some(words.join(" ")));
                }
            }
            for other in others {
                let mut all = lines.clone();
                match &other {
                    Some(other) => all[number] = other,
                    None => drop(all.remove(number)),
                }
                let forged = sealed(&(all.join("\n") + "\n"));
                if let Ok(file) = translate_mutated(&forged, None, Mutation::None) {
                    files.push(file);
                    truths.push((bouton_check::check(&forged).is_ok(), line.to_string(), other));
                }
            }
        }
    }
    let refused = truths.iter().filter(|truth| !truth.0).count();
    println!("{} certificates, {refused} refused by the checker in Rust", truths.len());
    assert!(refused >= 1000);
    let Some(answers) = answers(&files) else { return };
    for (answer, (is_shown, line, other)) in answers.iter().zip(&truths) {
        assert_eq!(is_verified(answer), *is_shown, "{line} as {other:?}: {answer}");
    }
}

/// Numbers of one theorem before those of another; and numbers that are cut off, or too many.
#[test]
fn other_numbers_are_not_verified() {
    let all: Vec<String> =
        THEOREMS.iter().map(|theorem| translate(&proved(*theorem).to_text()).unwrap()).collect();
    let head = |file: &str| file.match_indices('\n').nth(2).unwrap().0 + 1;
    let mut files = Vec::new();
    for (i, one) in all.iter().enumerate() {
        for (_, other) in all.iter().enumerate().filter(|(j, _)| *j != i) {
            files.push(format!("{}{}", &one[..head(one)], &other[head(other)..]));
        }
        files.push(one[..head(one)].to_owned());
        files.push(format!("{}98\n", &one[..head(one)]));
        files.push(format!("{one}0\n"));
        files.push(one[..one.trim_end().rfind(' ').unwrap()].to_owned());
    }
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        assert!(!is_verified(answer), "{file}{answer}");
    }
}

/// Texts outside the grammar are not read; names of parameters mean nothing.
#[test]
fn texts_are_read_as_the_format_says() {
    let file =
        translate(&proved(["S(1,h)", "h >= 1 & h mod 2 = 1", "a mod 2 = 0"]).to_text()).unwrap();
    let end = file.match_indices('\n').nth(2).unwrap().0;
    let of = |name: &str| {
        let lines = file[..end]
            .replace("(1,h)", &format!("(1,{name})"))
            .replace("h >=", &format!("{name} >="));
        format!("{}{}", lines.replace("h mod", &format!("{name} mod")), &file[end..])
    };
    let other = |new: &str| {
        let (old, new) = new.split_once(" as ").unwrap();
        assert!(file[..end].contains(old), "{old}");
        format!("{}{}", file[..end].replacen(old, new, 1), &file[end..])
    };
    let mut files: Vec<String> = ["k", "H", "E", "x"].into_iter().map(of).collect();
    files.extend(
        [
            "h >= 1 as (h>=1)",
            "a mod 2 = 0 as ~~(a mod (2) = 0)",
            "h mod 2 = 1 as (h   mod 2)=1",
            "S(1,h) as S((1),(h))",
        ]
        .map(other),
    );
    let read = files.len();
    files.extend(["n", "a", "t", "q", "hh", "h1", "2", "mod", "E h"].into_iter().map(of));
    files.extend(
        [
            "S(1,h) as S(1, h)",
            "S(1,h) as S(1,h",
            "S(1,h) as S(1,h;n)",
            "S(1,h) as S(1,h,)",
            "S(1,h) as S(1,h,k)",
            "S(1,h) as S(1,1..h..h)",
            "for h as in misere play for h",
            "for h as h",
            "h >= 1 as h >= 1 & true",
            "h >= 1 as h >= 1 & a >= 0",
            "h >= 1 as h >= 1 & 4294967296 >= 0",
            "h >= 1 as h >= 1 & (0 <= 0",
            "h >= 1 as 1 <= h >= 1",
            "h >= 1 as h >= 1 => 0 = 0",
            "a mod 2 = 0 as a mod 2",
            "a mod 2 = 0 as a mod 2 = 0 & n >= 0",
            "a mod 2 = 0 as a mod 2 = 0, up to symmetry",
            "a mod 2 = 0 as a mod 2 = -0",
            "a mod 2 = 0 as a mod 2 = 0 & a mod 0 = 0",
            "P iff a as P iff h >= 0, P iff a",
        ]
        .map(other),
    );
    let Some(answers) = answers(&files) else { return };
    for (number, (answer, file)) in answers.iter().zip(&files).enumerate() {
        let lines: Vec<&str> = file.lines().take(3).collect();
        assert_eq!(is_verified(answer), number < read, "{lines:?}: {answer}");
    }
}
