//! Both checkers on the certificates of the repository, as they stand and with a number changed.

use fastrand::Rng;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bouton_check::{Limits, check_limited};
use bouton_second_check::{Verdict, check_within};
use sha2::{Digest, Sha256};

/// Certificates that are not accepted, and why.
const EXCEPTIONS: [(&str, &str); 1] =
    [("no-value", "no seal: a proof of version 1, kept as an input of parsers")];

/// The work for one certificate of the repository.
const WORK: u64 = 1 << 29;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the certificates by their paths from the root.
fn certificates() -> BTreeMap<String, String> {
    let folders = [
        "fuzz/corpus/certificate",
        "fuzz/second/tests/made",
        "crates/study/literature/data/circles",
        "crates/study/study/data/proofs",
        "docs/finds",
    ];
    let mut all = BTreeMap::new();
    for folder in folders {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder of certificates") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension == "cert") {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                all.insert(
                    format!("{folder}/{name}"),
                    std::fs::read_to_string(&path).expect("text"),
                );
            }
        }
    }
    all
}

/// Returns the first checker's verdict in a word.
fn first(text: &str, steps: u64) -> &'static str {
    let limits = Limits { depth: 50, steps, bytes: 400_000_000 };
    match check_limited(text, &limits, &mut || true) {
        Ok(_) => "accepted",
        Err(why) if why.reason.is_verdict() => "rejected",
        Err(_) => "unknown",
    }
}

/// Returns the second checker's verdict in a word, and its reason.
fn second(text: &str, work: u64) -> (&'static str, String) {
    match check_within(text, work) {
        Ok(verdict) => {
            let why = match &verdict {
                Verdict::Accepted { .. } => String::new(),
                Verdict::Rejected(why) | Verdict::Unknown(why) => why.clone(),
            };
            (verdict.word(), why)
        }
        Err(why) => ("rejected", why),
    }
}

fn kind(text: &str) -> &str {
    text.lines().nth(1).and_then(|line| line.strip_prefix("kind: ")).unwrap_or("none")
}

/// The table of docs/certificates-verdicts.md, made anew but for the column of `bouton-verify`;
/// `BOUTON_UPDATE=1` writes it.
#[test]
fn certificates_of_the_repository_are_accepted() {
    let page = root().join("docs/certificates-verdicts.md");
    let written = std::fs::read_to_string(&page).expect("the page");
    let mut table = String::from(
        "# Three checkers on every certificate\n\n\
         Three checkers judge every certificate of the repository with their default limits: \
         `bouton check`;\n\
         the second checker, `fuzz/second`, written from [certificates](certificates.md) alone; and\n\
         `bouton-verify`, the checker [extracted from Coq](design/coq.md#the-extracted-checker). Where\n\
         `bouton-verify` does not cover a certificate, its column names the reason; where the second \
         checker\n\
         says unknown, the last column does. The certificate of 0.106 exceeds the default limits;\n\
         [benchmarks](benchmarks.md#long-runs) names the time that it takes.\n\
         `BOUTON_UPDATE=1 cargo test -p bouton-second-check --test agreement` makes this \
         page anew but\n\
         for the column of `bouton-verify`, and `cargo xtask verify` makes that column.\n\n\
         | certificate | kind | first | second | bouton-verify | |\n|---|---|---|---|---|---|\n",
    );
    let mut accepted = 0;
    for (path, text) in certificates() {
        let (one, (two, why)) = (first(&text, 1 << 27), second(&text, WORK));
        let kept = EXCEPTIONS.iter().any(|(name, _)| path.ends_with(&format!("/{name}")));
        if kept {
            assert_eq!((one, two), ("rejected", "rejected"), "{path}: {why}");
        } else {
            assert_ne!(one, "rejected", "{path}");
            assert_ne!(two, "rejected", "{path}: {why}");
        }
        accepted += usize::from(two == "accepted");
        let path = path.replace("crates/study/literature/data/", "…/");
        let third = third(&written, &path);
        table += &format!("| {path} | {} | {one} | {two} | {third} | {why} |\n", kind(&text));
    }
    println!("{accepted} accepted by the second checker");
    assert!(accepted >= 35, "{accepted} accepted");
    if std::env::var_os("BOUTON_UPDATE").is_some() {
        std::fs::write(&page, &table).expect("the page can be written");
    }
    assert_eq!(
        std::fs::read_to_string(&page).expect("the page"),
        table,
        "the page is not up to date"
    );
}

/// Returns what the page says that `bouton-verify` says; tests of the crate `bouton-coq` hold it
/// against the program.
fn third(page: &str, path: &str) -> String {
    let cells = page.lines().map(|line| line.split(" | ").collect::<Vec<_>>());
    let of_path = |cells: &Vec<&str>| cells.len() == 6 && cells[0].trim_start_matches("| ") == path;
    cells.into_iter().find(of_path).map_or("not asked", |cells| cells[4]).to_owned()
}

fn sealed(text: &str) -> String {
    let seal: String = Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    format!("{text}sha256: {seal}\n")
}

/// Returns the text with a number or letter changed, or a line left out, doubled or exchanged.
fn mutated(text: &str, lot: &mut Rng) -> Option<String> {
    let body = &text[..text.rfind("sha256: ")?];
    let mut lines: Vec<String> = body.lines().map(str::to_owned).collect();
    let at = 2 + lot.usize(..lines.len() - 2);
    match lot.usize(..10) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let other = 2 + lot.usize(..lines.len() - 2);
            lines.swap(at, other);
        }
        _ => {
            let line = lines[at].clone();
            let starts: Vec<usize> = line
                .char_indices()
                .filter(|(i, c)| {
                    c.is_ascii_digit() && !line[..*i].ends_with(|c: char| c.is_ascii_digit())
                })
                .map(|(i, _)| i)
                .collect();
            if starts.is_empty() {
                return None;
            }
            let start = starts[lot.usize(..starts.len())];
            let digits: String = line[start..].chars().take_while(char::is_ascii_digit).collect();
            let old: i64 = digits.parse().ok()?;
            let new = (old + [-2, -1, 1, 1, 2, 3][lot.usize(..6)]).max(0);
            lines[at] = format!("{}{new}{}", &line[..start], &line[start + digits.len()..]);
            // The claim of a period is the body's.
            if kind(text) == "period" && lines[at].starts_with("period ") && lot.usize(..2) == 0 {
                lines[3] = lines[3].replace(&format!("period {old} "), &format!("period {new} "));
            }
            if kind(text) == "period" && lines[at].starts_with("preperiod ") && lot.usize(..2) == 0
            {
                lines[3] = lines[3].replace(&format!("from {old} "), &format!("from {new} "));
            }
        }
    }
    Some(sealed(&lines.iter().map(|line| format!("{line}\n")).collect::<String>()))
}

#[test]
fn both_agree_on_changed_certificates() {
    let mut counts: BTreeMap<(String, &str, &str), usize> = BTreeMap::new();
    let mut lot = Rng::with_seed(7);
    let mut against = Vec::new();
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for text in certificates().into_values().filter(|text| text.len() < 6_000) {
        kinds.entry(kind(&text).to_owned()).or_default().push(text);
    }
    for (kind, texts) in &kinds {
        for turn in 0..300 {
            let Some(text) = mutated(&texts[turn % texts.len()], &mut lot) else { continue };
            let (one, (two, why)) = (first(&text, 1 << 23), second(&text, 1 << 23));
            *counts.entry((kind.clone(), one, two)).or_default() += 1;
            if one != two && one != "unknown" && two != "unknown" {
                against.push(format!("first {one}, second {two} ({why}):\n{text}"));
            }
        }
    }
    for ((kind, one, two), count) in &counts {
        println!("{kind}: first {one}, second {two}: {count}");
    }
    let shown: Vec<&String> = against.iter().take(12).collect();
    assert!(against.is_empty(), "{} certificates: {shown:#?}", against.len());
}

/// Returns the nim-values of an octal code's heaps, digits from the one for a single token on.
fn values(code: &[u32], count: usize) -> Vec<usize> {
    let mut g: Vec<usize> = Vec::new();
    for n in 0..count {
        let mut reached = std::collections::BTreeSet::new();
        for (k, digit) in
            code.iter().enumerate().map(|(i, digit)| (i + 1, digit)).filter(|(k, _)| *k <= n)
        {
            let left = n - k;
            if digit & 1 == 1 && left == 0 {
                reached.insert(0);
            }
            if digit & 2 == 2 && left > 0 {
                reached.insert(g[left]);
            }
            if digit & 4 == 4 {
                reached.extend((1..left).map(|a| g[a] ^ g[left - a]));
            }
        }
        g.push((0..).find(|v| !reached.contains(v)).expect("one is not reached"));
    }
    g
}

/// Octal codes with the least period and preperiod that their first values show, or one beside
/// these, by all theorems.
#[test]
fn both_agree_on_drawn_periods() {
    let mut lot = Rng::with_seed(11);
    let mut counts: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    let mut against = Vec::new();
    for _ in 0..400 {
        let mut code: Vec<u32> = (0..1 + lot.usize(..3)).map(|_| lot.usize(..8) as u32).collect();
        code.push(1 + lot.usize(..7) as u32);
        let g = values(&code, 400);
        let shown = (1..120).find_map(|p| {
            let from = (0..g.len() - p).rev().find(|n| g[*n] != g[n + p]).map_or(0, |n| n + 1);
            (from + 2 * p < 380).then_some((p, from))
        });
        let Some((p, from)) = shown else { continue };
        let p = p * if lot.usize(..4) == 0 { 2 } else { 1 } + usize::from(lot.usize(..8) == 0);
        let from = (from + [0, 0, 0, 1, 5][lot.usize(..5)])
            .saturating_sub(usize::from(lot.usize(..8) == 0));
        let name: String = code.iter().map(u32::to_string).collect();
        let mask = 1 + lot.usize(..31);
        let first = (0..code.len()).find(|i| code[*i] >= 4).map_or(0, |i| i + 1);
        let by_position = lot.usize(..2) == 0;
        let rare = |n: usize| {
            let by = if by_position { n + first } else { 0 };
            ((g[n] & mask).count_ones() as usize + by).is_multiple_of(2)
        };
        let space = format!("space {} {mask}", if by_position { "position" } else { "value" });
        let greatest = (1..400).rev().find(|n| rare(*n)).unwrap_or(1);
        let w = greatest.min(60) + code.len() + lot.usize(..3);
        let w = w.max(code.len() + 1) - usize::from(lot.usize(..6) == 0);
        let s = from + w + lot.usize(..3);
        let n = 3 * w + 1;
        let (form, lines) = match lot.usize(..4) {
            0 => ("plain", "space none\n".to_owned()),
            1 => ("space", format!("{space}\n")),
            2 => ("window", format!("{space}\nwindow {w} {s}\n")),
            _ => ("long window", format!("{space}\nwindow {w} {} {n}\n", s.max(n))),
        };
        let text = sealed(&format!(
            "bouton certificate 1\nkind: period\ngame: 0.{name}\nclaim: the nim-values of single \
             heaps have period {p} from {from} on\n\nperiod {p}\npreperiod {from}\n{lines}"
        ));
        let (one, (two, why)) = (first_of(&text), second(&text, 1 << 28));
        *counts.entry((form, one, two)).or_default() += 1;
        if one != two && one != "unknown" && two != "unknown" {
            against.push(format!("first {one}, second {two} ({why}):\n{text}"));
        }
    }
    for ((form, one, two), count) in &counts {
        println!("{form}: first {one}, second {two}: {count}");
    }
    let shown: Vec<&String> = against.iter().take(12).collect();
    assert!(against.is_empty(), "{} certificates: {shown:#?}", against.len());
}

fn first_of(text: &str) -> &'static str {
    first(text, 1 << 26)
}

/// What the description leaves to its reader, decided alike by both.
#[test]
fn both_agree_where_the_description_is_short() {
    let period = |body: &str| {
        sealed(&format!(
            "bouton certificate 1\nkind: period\ngame: 0.03\nclaim: the nim-values of single \
             heaps have period 4 from 2 on\n\nperiod 4\npreperiod 2\nspace none\n{body}"
        ))
    };
    let strategy = |body: &str| {
        sealed(&format!(
            "bouton certificate 1\nkind: strategy\ngame: Gamma(1,2;5)\nclaim: 0/0 is N in normal \
             play\n\n{body}"
        ))
    };
    let mut cases = Vec::new();
    for body in [
        "cycle 0 0 1 1\n",
        "cycle 0 0\ncycle 1 1\n",
        "cycle 0 0\n",
        "cycle 0 0 1 1 0 0 1 1\n",
        "cycle 0 0 1 1\ncycle 0 0 1 1\n",
        "cycle 1 1 0 0\n",
        "exception 0 0\n",
        "exception 0 1\n",
    ] {
        cases.push(period(body));
    }
    for steps in ["1", "2", "3"] {
        for reach in ["1e", "1E", "01e"] {
            cases.push(strategy(&format!("{reach} {steps}\n6 {steps}\n")));
            cases.push(strategy(&format!("{reach} {steps}\n6 1\ne 1\nc 2\nffffff 1\n")));
        }
    }
    let orbit = |game: &str, claim: &str, body: &str| {
        sealed(&format!(
            "bouton certificate 1\nkind: orbit\ngame: {game}\nclaim: {claim}\n\n{body}"
        ))
    };
    let line = "each heap is an option of those before its step\n";
    for step in [
        "a+4",
        "a + 4",
        " a+4",
        "4+1*a",
        "(a+4)",
        "a+5-1",
        "2*a-a+4",
        "(a+5-1) div 1",
        "a+4 div 1",
        "(a+4) div 1",
        "(a-1) div 1 + 5",
        "max(a+4)",
        "max(a+4, a div 2)",
        "max(a+4, a-7)",
        "(a xor 0) + 4",
        "a xor3 a",
        "a+3",
        "b+4",
        "A+4",
        "a+4 = 0",
        "a+4 < a+5",
        "a+4 & true",
        "a+4)",
        "(a+4",
        "true",
        "",
    ] {
        cases.push(orbit("S(1,2,3;1)", &format!("P iff reached from 0 by a -> {step}"), line));
    }
    for game in
        ["NIM(1,2,3;n)", "S(1,2,3;2)", "S(1,2,3)", "nim(1)", "CN(1,1)", "SCN(1,1)", "moore(2;1)"]
            .into_iter()
            .chain(["NIM(1,2,3;n;d,e)", "wythoff", "rules(1;full;binary;p0 <= q0+3)"])
            .chain(["rules(1;none;zeckendorf;p0 <= q0+3)", "rules(1+1;none;binary;p0 <= q0+3)"])
            .chain(["rules(1;none;binary;p0 <= q0+3 & q0 < p0)", "rules(1;none;binary;p0 = q0+1)"])
    {
        cases.push(orbit(game, "P iff reached from 0 by a -> a+4", line));
    }
    for (claim, body) in [
        ("in misere play P iff reached from 0 by a -> a+4", line),
        ("P iff reached from 0 by a -> a+4, up to symmetry", line),
        ("P iff reached from 1 by a -> a+4", line),
        ("P iff reached from 0 by a  -> a+4", line),
        ("P iff reached from 0 by a -> a+4", ""),
        ("P iff reached from 0 by a -> a+4", "\n"),
        ("P iff reached from 0 by a -> a+4", "each heap is an option of those before its step \n"),
        ("P iff reached from 0 by a -> a+4", "each heap is an option of those before its step\n\n"),
    ] {
        cases.push(orbit("S(1,2,3;1)", claim, body));
    }
    cases.extend(pairs_by_mex());
    let mut against = Vec::new();
    for text in &cases {
        let (one, (two, why)) = (first_of(text), second(text, 1 << 28));
        println!(
            "{one} {two} {why}: {:?}",
            text.split_once("\n\n").map(|(_, body)| &body[..body.len() - 73])
        );
        if one != two && two != "unknown" {
            against.push(text);
        }
    }
    assert!(against.is_empty(), "{against:#?}");
}

/// Certificates of pairs by mex: of claims, bodies and games that are written in other ways, that
/// are wrong, and that are none.
fn pairs_by_mex() -> Vec<String> {
    let pairs = |game: &str, claim: &str, body: &str| {
        sealed(&format!(
            "bouton certificate 1\nkind: pairs\ngame: {game}\nclaim: {claim}\n\n{body}"
        ))
    };
    let of = |each: &str, two: &str, nearest: &str| {
        format!("each pair: {each}\ntwo pairs: {two}\nnearest: {nearest}\n")
    };
    let plain = of("true", "true", "b - a");
    let mut cases = Vec::new();
    for term in [
        "a",
        "a + 0*n",
        "1*a",
        "(a)",
        " a",
        "a + n - n",
        "a+1",
        "2*a",
        "a & true",
        "a = a",
        "a)",
        "b",
        "A",
        "",
        "min(a, a)",
        "max(a, a - 1)",
        "a div 1",
        "a from 0",
        "a + 0*q from 0",
        "a + 0*q",
        "a + q - q from 0",
        "a + q - q from 1",
        "a + q - q from 00",
        "a + q - q from 4294967296",
        "a + q - q from 4294967297",
        "a + q - q from",
        "q - 1 from 0",
        "q - 1 from 1",
        "p - 1 from 0",
        "p + 1 from 0",
    ] {
        cases.push(pairs("nim(2)", &format!("P iff a = mex, b = {term}"), &plain));
        let few = of("n = 0 & a = 0 & b = 0", "true", "b - a");
        cases.push(pairs("nim(2)", &format!("P iff a = mex, b = {term}"), &few));
    }
    for mex in ["mex", "mex_1", "mex_2", "mex_02", "mex_0", "mex_", "mex_64", "mex_65", "mex2"] {
        for game in ["nim(2)", "rules(2;full;binary;p0 < q0+2 | p1 < q1+2)"] {
            cases.push(pairs(game, &format!("P iff a = {mex}, b = a"), &plain));
        }
    }
    for game in [
        "moore(2;2)",
        "moore(3;2)",
        "CN(2,1)",
        "CN(2,2)",
        "SCN(2,1)",
        "simplicial(1;2)",
        "S(1,2;2)",
        "nim(1)",
        "nim(3)",
        "nim(02)",
        "rules(2;none;binary;q0 = p0 | q1 = p1)",
        "rules(2;ring;binary;q0 = p0 | q1 = p1)",
        "rules(2;full;zeckendorf;q0 = p0 | q1 = p1)",
        "rules(2;full;binary;q1 = p1)",
        "rules(2;full;binary;q0 = p0 | q1 = p1 | q0 > p0)",
        "rules(1+1;none;binary;q0 = p0 | q1 = p1)",
    ] {
        cases.push(pairs(game, "P iff a = mex, b = a", &plain));
    }
    for (each, two, nearest) in [
        ("b = a", "true", "b - a"),
        ("b = n", "m < n", "b - a"),
        ("b >= a & n <= a", "a < c & b < d", "b"),
        ("0 = 1", "true", "b - a"),
        ("true", "false", "b - a"),
        ("n < 9", "true", "b - a"),
        ("c = c", "true", "b - a"),
        ("m = m", "true", "b - a"),
        ("true", "p = p", "b - a"),
        ("true", "true", "n"),
        ("true", "true", "b = a"),
        ("true", "true", "b - a & true"),
        ("true", "true", ""),
        ("", "true", "b"),
        ("true", "true", "0"),
        ("true", "true", "b div 2"),
        ("(b-a) mod 2 = 0", "true", "b"),
    ] {
        cases.push(pairs("nim(2)", "P iff a = mex, b = a", &of(each, two, nearest)));
    }
    for (claim, body) in [
        ("in misere play P iff a = mex, b = a", &*plain),
        ("P iff a = mex, b = a, up to symmetry", &plain),
        ("P iff a = mex,b = a", &plain),
        ("P iff a = mex,  b = a", &plain),
        ("P iff a = mex", &plain),
        ("P iff a = mex, b = a", ""),
        ("P iff a = mex, b = a", &format!("{plain}\n")),
        ("P iff a = mex, b = a", &format!("{plain}{plain}")),
        ("P iff a = mex, b = a", &plain.replace("two", "Two")),
        ("P iff a = mex, b = a", &plain.replace("each pair: true\n", "")),
    ] {
        cases.push(pairs("nim(2)", claim, body));
    }
    cases
}
