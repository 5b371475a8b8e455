//! `bouton-verify`, the checker that is extracted from coq/Reading.v: it verifies the certificates
//! of the repository that it covers, and nothing that is false.
//!
//! Without `coqc` and `ocamlopt` these tests say so and pass.

use super::{FIVE, FOUR, SHRINKING, misere_circle};
use super::{circular, compiled, library, nim, periodic, rules, rules_with, shrinking};
use bouton_certificate::{Certificate, CertificateKind};
use bouton_coq::{Mutation, translate, translate_mutated};
use bouton_core::{Formula, Symmetry};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns the program, or `None` without Coq or OCaml.
fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = PROGRAM.get_or_init(|| {
        let library = library()?;
        if Command::new("ocamlopt").arg("-version").output().is_err() {
            println!("SKIPPED: there is no ocamlopt, which Debian's package coq brings");
            return None;
        }
        let folder = library.with_file_name("bouton-verify");
        std::fs::create_dir_all(&folder).unwrap();
        let extracted = std::fs::read_to_string(library.join("certified.ml")).unwrap();
        // An axiom would be extracted as a failure, a cast as magic.
        assert!(!extracted.contains("AXIOM") && !extracted.contains("Obj.magic"));
        std::fs::write(folder.join("certified.ml"), extracted).unwrap();
        let main = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../coq/verify/main.ml");
        std::fs::copy(main, folder.join("main.ml")).unwrap();
        let arguments = ["-w", "-a", "-inline", "100", "-o", "bouton-verify", "certified.ml", "main.ml"];
        let output = Command::new("ocamlopt").args(arguments).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(folder.join("bouton-verify"))
    });
    built.as_deref()
}

/// Returns what the program says of each of these files, from its first word to the next file.
pub(crate) fn answers(files: &[String]) -> Option<Vec<String>> {
    static FOLDERS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let program = program()?;
    let number = FOLDERS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = program.with_file_name(format!("proofs-{number}"));
    std::fs::create_dir_all(&folder).unwrap();
    let mut names = Vec::new();
    for (i, text) in files.iter().enumerate() {
        let name = format!("{i}.proof");
        std::fs::write(folder.join(&name), text).unwrap();
        names.push(name);
    }
    let output = Command::new(program).args(&names).current_dir(&folder).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let words = ["verified: ", "not verified: ", "unknown: ", "unreadable: "];
    let mut all: Vec<String> = Vec::new();
    for line in text.lines() {
        match all.last_mut().filter(|_| !words.iter().any(|word| line.starts_with(word))) {
            Some(last) => *last += &format!("{line}\n"),
            None => all.push(format!("{line}\n")),
        }
    }
    assert_eq!(all.len(), files.len(), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
    Some(all)
}

pub(crate) fn is_verified(answer: &str) -> bool {
    answer.starts_with("verified: ")
}

/// A small generator of numbers.
pub(crate) struct Lot(pub(crate) u64);

impl Lot {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// What `true` means stands in the theorem, which rests on no axiom.
#[test]
fn the_theorem_of_the_program_has_no_axioms() {
    let Some(library) = library() else { return };
    let text = "From Coq Require Import List NArith.\nFrom Bouton Require Import Verify Reading.\n\
        Definition sound : forall (game claim : text) (l : list N) (s : statement),\n\
        certified game claim l = Some s -> holds s /\\ exists own make how first,\n\
        stated game claim = Some (own, make) /\\ s = make how first /\\\n\
        (how = As_it_stands \\/ how = own) := certified_sound.\n\
        Print Assumptions sound.\n";
    let (fine, output) = compiled(library, "Sound", text);
    assert!(fine && output.trim() == "Closed under the global context", "{output}");
}

/// The certificates of the repository, by their paths from the root.
fn certificates() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let folders = [
        "fuzz/corpus/certificate",
        "fuzz/second/tests/made",
        "crates/study/literature/data/circles",
        "docs/finds",
    ];
    let mut all = BTreeMap::new();
    for folder in folders {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension == "cert") {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                all.insert(format!("{folder}/{name}"), std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    all
}

/// Returns the verdicts on certificates in a word, or the reason why there is none.
fn verdicts(certificates: &BTreeMap<String, String>) -> Option<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    let (mut paths, mut files) = (Vec::new(), Vec::new());
    for (path, text) in certificates {
        match translate(text) {
            Ok(file) => {
                paths.push(path.clone());
                files.push(file);
            }
            Err(why) if why.reason.starts_with("the certificate is not accepted") => {
                all.insert(path.clone(), "not accepted".to_owned());
            }
            Err(why) => {
                all.insert(path.clone(), why.reason);
            }
        }
    }
    for ((path, file), answer) in paths.into_iter().zip(&files).zip(answers(&files)?) {
        assert!(is_verified(&answer), "{path}: {answer}");
        // What is printed as verified stands in the certificate.
        for start in ["game: ", "claim: "] {
            let line = |text: &str| text.lines().find(|line| line.starts_with(start)).map(str::to_owned);
            let printed = line(&answer).unwrap();
            assert_eq!(Some(&printed), line(file).as_ref(), "{path}");
            assert_eq!(Some(printed), line(&certificates[&path]), "{path}");
        }
        all.insert(path, "verified".to_owned());
    }
    Some(all)
}

/// The page of verdicts, from the root.
const PAGE: &str = "docs/certificates-verdicts.md";

/// Returns the page with these verdicts in the column of `bouton-verify`.
fn page_with(page: &str, verdicts: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split(" | ").collect();
        let path = cells[0].trim_start_matches("| ").replace("…/", "crates/study/literature/data/");
        match verdicts.get(&path) {
            Some(verdict) if cells.len() == 6 => {
                let mut cells = cells;
                cells[4] = verdict;
                text += &cells.join(" | ");
            }
            _ => text += line,
        }
        text.push('\n');
    }
    text
}

fn page() -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(PAGE);
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

/// The smaller certificates: the page of verdicts says the truth of them.
#[test]
fn smaller_certificates_of_the_repository_are_verified() {
    let mut small = certificates();
    small.retain(|_, text| text.len() < 12_000);
    let Some(verdicts) = verdicts(&small) else { return };
    assert!(verdicts.values().filter(|verdict| *verdict == "verified").count() >= 25, "{verdicts:?}");
    let (_, page) = page();
    assert_eq!(page, page_with(&page, &verdicts), "`cargo xtask verify` writes the page anew");
}

/// All of them; `BOUTON_VERIFY_WRITE=1` writes the page's column.
#[test]
#[ignore = "minutes: `cargo xtask verify` runs it"]
fn certificates_of_the_repository_are_verified() {
    let Some(verdicts) = verdicts(&certificates()) else { return };
    let verified = verdicts.values().filter(|verdict| *verdict == "verified").count();
    println!("{verified} of {} certificates are verified", verdicts.len());
    let (path, page) = page();
    let written = page_with(&page, &verdicts);
    if std::env::var_os("BOUTON_VERIFY_WRITE").is_some() {
        std::fs::write(path, &written).unwrap();
    } else {
        assert_eq!(page, written, "`cargo xtask verify` writes the page anew");
    }
}

/// The certificates whose proofs are damaged below.
fn samples() -> Vec<(&'static str, String)> {
    vec![
        ("CN(4,2)", circular(4, 2, FOUR)),
        ("CN(5,3)", circular(5, 3, FIVE)),
        ("nim(3)", nim(3)),
        ("halves", rules(1, "p0 <= 2*q0", "a xor (a+1) = a + (a+1)")),
        ("SCN(4,2)", shrinking(4, 2, SHRINKING)),
        ("SCN(3,2) misere", misere_circle()),
        ("0.77", periodic("0.77", 12, 71)),
        ("0.03", periodic("0.03", 4, 0)),
        ("one turn", rules_with(Symmetry::Ring, 2, "p0 + q1 = p1 + q0", "a = 0")),
        ("Gamma(1,2;n)", token_circles("1-2")),
        ("Gamma(1,2;n) misere", token_circles("1-2-misere")),
        ("Gamma(-1,1,2;n)", token_circles("b1-1-2")),
        ("Gamma(1,4;13)", corpus("gamma")),
    ]
}

/// A certificate of the fuzzer's corpus.
fn corpus(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus/certificate");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// A certificate on Kotzig's Nim, of those of the repository.
fn token_circles(name: &str) -> String {
    let folder = "../../study/literature/data/circles";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(format!("{name}.cert"));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn samples_are_verified_and_told_in_words() {
    let files: Vec<String> = samples().iter().map(|(_, text)| translate(text).unwrap()).collect();
    let Some(answers) = answers(&files) else { return };
    let words = [
        "a move lowers heaps among 2 neighbours on a circle of 4 heaps",
        "a move lowers heaps among 3 neighbours on a circle of 5 heaps",
        "a move lowers one of 3 heaps",
        "rule: at least one token is taken, and p0 <= (2 * q0)",
        "a move lowers heaps among 2 neighbours on a circle of at most 4 heaps, none empty; emptied",
        "play: misere",
        "taking and breaking by the code 0.77",
        "values: 0 0 1 1 0, of which the last 4 repeat",
        "order: some turn or reflection of the heaps",
        "a move takes the token 1 or 2 cells on",
        "play: misere",
        "a move takes the token 1 anticlockwise or 1 or 2 cells on",
        "position: the token on cell 0, cells 0 marked\n  claim: who is to move wins",
    ];
    assert_eq!(samples().len(), words.len());
    for ((answer, (name, _)), words) in answers.iter().zip(samples()).zip(words) {
        assert!(is_verified(answer) && answer.contains(words), "{name}: {answer}");
    }
}

/// A file with another game, another claim, or another way of play is not verified.
#[test]
fn other_lines_are_not_verified() {
    let mut files = Vec::new();
    for (_, certificate) in samples() {
        let file = translate(&certificate).unwrap();
        for (old, new) in [
            ("CN(4,2)", "CN(4,3)"),
            ("CN(4,2)", "CN(5,2)"),
            ("CN(4,2)", "CN(4,2;any=2)"),
            ("CN(4,2)", "CN(4,2;each>=1)"),
            ("CN(4,2)", "nim(4)"),
            ("CN(5,3)", "CN(5,2)"),
            ("nim(3)", "nim(2)"),
            ("nim(3)", "CN(3,2)"),
            ("nim(3)", "moore(3;3)"),
            ("nim(3)", "S(1,2;3)"),
            ("<= 2", "<= 3"),
            ("p0 <=", "p0 <"),
            ("SCN(4,2)", "SCN(4,3)"),
            ("SCN(4,2)", "SCN(5,2)"),
            ("SCN(4,2)", "CN(4,2)"),
            ("SCN(3,2)", "SCN(3,1)"),
            ("claim: P", "claim: in misere play P"),
            ("in misere play ", ""),
            ("a = c", "a <= c"),
            ("a = c", "a = c | a = 7"),
            ("a = c", "a + 1 = c"),
            ("b = d", "d = d"),
            ("0 heaps: true", "0 heaps: false"),
            ("4 heaps: ", "2 heaps: a = b; 4 heaps: "),
            (" xor ", " + "),
            (", up to symmetry", ""),
            // The proof is of the claim up to turns, which is not this game's symmetry.
            ("rules(2;ring;", "rules(2;none;"),
            ("0.77", "0.07"),
            ("0.77", "0.777"),
            ("0.77", "0.75"),
            ("period 12", "period 11"),
            ("period 12", "period 24"),
            ("from 71", "from 70"),
            ("from 71", "from 72"),
            ("period 4 from 0", "period 2 from 0"),
            ("Gamma(1,2;n)", "Gamma(1,3;n)"),
            ("Gamma(1,2;n)", "Gamma(-1,2;n)"),
            ("Gamma(1,2;n)", "Gamma(1,2;7)"),
            ("Gamma(1,2;n)", "Gamma(1;n)"),
            ("Gamma(-1,1,2;n)", "Gamma(1,2;n)"),
            ("Gamma(-1,1,2;n)", "Gamma(-1,2;n)"),
            ("n = 7", "n = 6"),
            (" | n = 7", ""),
            ("n >= 7", "n >= 8"),
            ("n mod 2 = 1", "n mod 2 = 0"),
            ("n mod 2 = 1", "n mod 2 = 1 & n <= 1000000"),
            ("0/0 is N", "0/0 is P"),
            ("0/0 is N", "0,1/0 is N"),
            ("N in normal", "N in misere"),
            ("Gamma(1,4;13)", "Gamma(1,4;12)"),
        ] {
            let end = file.match_indices('\n').nth(2).unwrap().0;
            let lines = file[..end].replacen(old, new, 1);
            if lines != file[..end] {
                files.push(lines + &file[end..]);
            }
        }
    }
    assert!(files.len() >= 35, "{}", files.len());
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        let start: String = file.lines().take(3).collect::<Vec<_>>().join("\n");
        assert!(!is_verified(answer), "{start}:\n{answer}");
    }
}

/// Changed numbers are no proof, but for the few that say nothing of their own, such as a bound
/// that is raised; and what is verified nevertheless is the claim of the file.
#[test]
fn changed_numbers_are_not_verified() {
    let mut lot = Lot(3);
    let mut files = Vec::new();
    // The steps of a strategy are advice: with wrong ones the position is searched.
    let proofs = samples().into_iter().filter(|(name, _)| *name != "Gamma(1,4;13)");
    for (_, certificate) in proofs {
        let file = translate(&certificate).unwrap();
        let end = file.match_indices('\n').nth(2).unwrap().0;
        let numbers: Vec<u64> = file[end..].split_whitespace().map(|x| x.parse().unwrap()).collect();
        for _ in 0..60 {
            let mut changed = numbers.clone();
            let at = lot.below(changed.len());
            match lot.below(8) {
                0 => drop(changed.remove(at)),
                1 => changed.insert(at, changed[at]),
                2 => changed.truncate(at),
                3 => changed[at] = 1 << (3 * lot.below(18)),
                step => {
                    changed[at] =
                        (changed[at] + [2, 1, 1, 2][step - 4]).saturating_sub(if step < 6 { 3 } else { 0 })
                }
            }
            if changed != numbers {
                let words: Vec<String> = changed.iter().map(u64::to_string).collect();
                files.push(format!("{}\n{}\n", &file[..end], words.join(" ")));
            }
        }
    }
    let Some(answers) = answers(&files) else { return };
    let kept: Vec<&String> = answers.iter().filter(|answer| is_verified(answer)).collect();
    println!("{} of {} files with a changed number are verified", kept.len(), files.len());
    assert!(files.len() >= 400 && 10 * kept.len() <= files.len(), "{}", kept.len());
}

/// A game for the search below: heaps below a bound, and whether a move may go from p to q.
pub(crate) struct Small {
    pub(crate) heaps: usize,
    pub(crate) bound: u64,
    pub(crate) is_move: fn(&[u64], &[u64]) -> bool,
}

pub(crate) fn is_lower(p: &[u64], q: &[u64]) -> bool {
    p != q && p.iter().zip(q).all(|(p, q)| q <= p)
}

impl Small {
    /// Returns all positions, the smaller ones first, with what they are: P or not.
    pub(crate) fn positions(&self) -> Vec<(Vec<u64>, bool)> {
        let mut all = vec![Vec::new()];
        for _ in 0..self.heaps {
            let longer = |p: &Vec<u64>| (0..self.bound).map(|h| [&p[..], &[h]].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(longer).collect();
        }
        all.sort_by_key(|p| p.iter().sum::<u64>());
        let mut known: Vec<(Vec<u64>, bool)> = Vec::new();
        for p in all {
            let mut options = known.iter().filter(|(q, _)| (self.is_move)(&p, q));
            let lost = options.all(|(_, lost)| !lost);
            known.push((p, lost));
        }
        known
    }
}

/// Claims that are drawn, true ones among them: none is verified that is false of small heaps.
#[test]
fn no_false_claim_is_verified() {
    fn among(k: usize, p: &[u64], q: &[u64]) -> bool {
        let n = p.len();
        is_lower(p, q) && (0..n).any(|i| (k..n).all(|j| p[(i + j) % n] == q[(i + j) % n]))
    }
    let games: Vec<(String, Small)> = vec![
        (nim(2), Small { heaps: 2, bound: 9, is_move: |p, q| among(1, p, q) }),
        (circular(3, 2, "a = b & b = c"), Small { heaps: 3, bound: 6, is_move: |p, q| among(2, p, q) }),
        (circular(4, 2, FOUR), Small { heaps: 4, bound: 5, is_move: |p, q| among(2, p, q) }),
        (
            rules(1, "q0 + 1 = p0 | q0 + 2 = p0", "a mod 3 = 0"),
            Small { heaps: 1, bound: 40, is_move: |p, q| q[0] + 1 == p[0] || q[0] + 2 == p[0] },
        ),
        (
            rules(2, "p0 + q1 = p1 + q0", "a = 0 | b = 0"),
            Small { heaps: 2, bound: 9, is_move: |p, q| is_lower(p, q) && p[0] + q[1] == p[1] + q[0] },
        ),
    ];
    let mut lot = Lot(5);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for (certificate, game) in &games {
        let letters: Vec<String> = ('a'..='z').take(game.heaps).map(String::from).collect();
        let positions = game.positions();
        let claim_line = certificate.lines().find(|line| line.starts_with("claim: ")).unwrap();
        let (_, own) = claim_line.split_once("P iff ").unwrap();
        let own = own.strip_suffix(", up to symmetry").unwrap();
        for turn in 0..70 {
            let mut claim = own.to_owned();
            if turn > 0 {
                let word = |lot: &mut Lot| {
                    let one = |lot: &mut Lot| letters[lot.below(letters.len())].clone();
                    match lot.below(8) {
                        0 => format!("{}", lot.below(4)),
                        1 => format!("{} + {}", one(lot), 1 + lot.below(2)),
                        2 => format!("{} mod {}", one(lot), 2 + lot.below(3)),
                        3 => format!("({} xor {})", one(lot), one(lot)),
                        _ => one(lot),
                    }
                };
                let relation = |lot: &mut Lot| ["=", "<=", "=", "!="][lot.below(4)];
                let one = format!("{} {} {}", word(&mut lot), relation(&mut lot), word(&mut lot));
                claim = match lot.below(4) {
                    0 => one,
                    1 => format!("{claim} & {one}"),
                    2 => format!("{claim} | {one}"),
                    _ => format!("{one} & {} {} {}", word(&mut lot), relation(&mut lot), word(&mut lot)),
                };
            }
            let formula = Formula::parse_over(&claim, &letters).unwrap();
            let is_true = |p: &[u64]| formula.holds(p).unwrap();
            let Ok(file) = translate_mutated(certificate, Some(&claim), Mutation::None) else { continue };
            files.push(file);
            truths.push((
                claim,
                positions.iter().map(|(p, lost)| (p.clone(), is_true(p), *lost)).collect::<Vec<_>>(),
            ));
        }
    }
    assert!(files.len() >= 200, "{}", files.len());
    let Some(answers) = answers(&files) else { return };
    let mut verified = 0;
    for ((answer, file), (claim, table)) in answers.iter().zip(&files).zip(&truths) {
        if !is_verified(answer) {
            continue;
        }
        verified += 1;
        let holds: HashMap<&[u64], bool> = table.iter().map(|(p, holds, _)| (&p[..], *holds)).collect();
        for (p, _, lost) in table {
            let images: Vec<Vec<u64>> = if answer.contains("order: the heaps as they stand") {
                vec![p.clone()]
            } else {
                let n = p.len();
                let turn = |i: usize| (0..n).map(|j| p[(i + j) % n]).collect::<Vec<u64>>();
                (0..n).flat_map(|i| [turn(i), turn(i).into_iter().rev().collect()]).collect()
            };
            let claimed = images.iter().any(|q| holds[&q[..]]);
            assert_eq!(claimed, *lost, "{claim} at {p:?}: {answer}{}", file.lines().nth(1).unwrap());
        }
    }
    println!("{verified} of {} drawn claims are verified", files.len());
    assert!(verified >= games.len() && verified < files.len() / 2, "{verified}");
}

/// Returns the nim-values of an octal code's heaps.
fn values(code: &[usize], count: usize) -> Vec<usize> {
    let mut g: Vec<usize> = Vec::new();
    for n in 0..count {
        let mut reached = std::collections::BTreeSet::new();
        for (k, digit) in code.iter().enumerate().map(|(i, digit)| (i + 1, digit)).filter(|(k, _)| *k <= n) {
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
        g.push((0..).find(|v| !reached.contains(v)).unwrap());
    }
    g
}

/// Periods of drawn codes, true ones and others near them: those are verified that are true of many
/// more heaps.
#[test]
fn periods_are_verified_where_they_are_true() {
    let mut lot = Lot(9);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for _ in 0..120 {
        let mut code: Vec<usize> = (0..1 + lot.below(2)).map(|_| lot.below(8)).collect();
        code.push(1 + lot.below(7));
        let g = values(&code, 400);
        let shown = (1..60).find_map(|p| {
            let from = (0..g.len() - p).rev().find(|n| g[*n] != g[n + p]).map_or(0, |n| n + 1);
            (from < 100).then_some((p, from))
        });
        let Some((p, from)) = shown else { continue };
        let name: String = code.iter().map(usize::to_string).collect();
        for (p, from) in [
            (p, from),
            (2 * p, from),
            (p, from + 1 + lot.below(5)),
            (p + 1, from),
            (p.max(2) - 1, from),
            (p, from.max(1) - 1),
        ] {
            let file = translate_mutated(&periodic(&format!("0.{name}"), p, from), None, Mutation::None);
            files.push(file.unwrap());
            truths.push((from..g.len() - p).all(|n| g[n] == g[n + p]));
        }
    }
    assert!(truths.len() >= 200 && truths.iter().any(|holds| !holds), "{}", truths.len());
    let Some(answers) = answers(&files) else { return };
    for ((answer, file), holds) in answers.iter().zip(&files).zip(truths) {
        assert_eq!(is_verified(answer), holds, "{file}{answer}");
    }
}

/// Returns whether who is to move wins Kotzig's Nim, by the rules alone.
fn mover_wins(steps: &[i64], n: usize, is_misere: bool, token: usize, marked: u32) -> bool {
    let cells = steps.iter().map(|step| (token as i64 + step).rem_euclid(n as i64) as usize);
    let mut free = cells.filter(|cell| marked >> cell & 1 == 0).peekable();
    match free.peek() {
        None => is_misere,
        Some(_) => free.any(|cell| !mover_wins(steps, n, is_misere, cell, marked | 1 << cell)),
    }
}

/// Returns whether the first player loses Kotzig's Nim on a circle of n cells, by the rules alone.
fn loses_on_circle(steps: &[i64], n: usize, is_misere: bool) -> bool {
    !mover_wins(steps, n, is_misere, 0, 1)
}

/// Claims on circles of every length: those are verified that are true of circles searched here and
/// of later ones.
#[test]
fn claims_on_circles_are_verified_where_they_are_true() {
    const SEARCHED: usize = 13;
    let mut lot = Lot(11);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for (name, steps, period) in
        [("1-2", &[1, 2][..], 3), ("1-2-misere", &[1, 2], 3), ("b1-1-2", &[-1, 1, 2], 2)]
    {
        let certificate = token_circles(name);
        let is_misere = name.ends_with("misere");
        let (_, own) = certificate.lines().nth(3).unwrap().split_once("P iff ").unwrap();
        let says = |claim: &str| -> Vec<bool> {
            let formula = Formula::parse_over(claim, &["n".to_owned()]).unwrap();
            (1..=60).map(|n| formula.holds(&[n]).unwrap()).collect()
        };
        let proved = says(own);
        let searched: Vec<bool> = (1..=SEARCHED).map(|n| loses_on_circle(steps, n, is_misere)).collect();
        assert_eq!(proved[..SEARCHED], searched, "{name}");
        for turn in 0..60 {
            // Numbers beyond the automata's beginnings are not covered, even where the claim is true.
            let n = 1 + lot.below(10);
            let residue = lot.below(period);
            let claim = match turn % 6 {
                0 => own.to_owned(),
                1 => format!("{own} | n = {n}"),
                2 => format!("({own}) & n != {n}"),
                3 => format!("({own}) & (n < {n} | n mod {period} = {residue})"),
                4 => format!("{own} | n >= {n} & n mod {period} = {residue}"),
                _ => format!("n < {n} & ({own}) | n >= {n} & n mod {period} != {residue}"),
            };
            files.push(translate_mutated(&certificate, Some(&claim), Mutation::None).unwrap());
            truths.push(says(&claim) == proved);
        }
    }
    assert!(truths.iter().filter(|holds| **holds).count() >= 40);
    assert!(truths.iter().filter(|holds| !**holds).count() >= 40);
    let Some(answers) = answers(&files) else { return };
    for ((answer, file), holds) in answers.iter().zip(&files).zip(truths) {
        let claim = file.lines().nth(2).unwrap();
        assert_eq!(is_verified(answer), holds, "{claim}: {answer}");
    }
}

/// Positions of small circles: the true outcome is verified, with steps of the winner and without;
/// the other one never is.
#[test]
fn positions_on_circles_are_verified_where_they_are_true() {
    let mut lot = Lot(13);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for _ in 0..120 {
        let n = 3 + lot.below(9);
        let steps = [&[1, 2][..], &[1, 4], &[2, 3], &[2, 3, 5]][lot.below(4)];
        let token = lot.below(n);
        let marked: Vec<usize> = (0..n).filter(|cell| *cell == token || lot.below(4) == 0).collect();
        let mask = marked.iter().fold(0, |mask, cell| mask | 1 << cell);
        let is_misere = lot.below(2) == 1;
        let wins = mover_wins(steps, n, is_misere, token, mask);
        let listed = |cells: &[usize]| cells.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let written: Vec<String> = steps.iter().map(i64::to_string).collect();
        for said in [wins, !wins] {
            let claim = format!(
                "{}/{token} is {} in {} play",
                listed(&marked),
                if said { "N" } else { "P" },
                if is_misere { "misere" } else { "normal" }
            );
            let body = match lot.below(2) {
                0 => "every move of the winner is forced\n".to_owned(),
                // Steps that may be wrong.
                _ => format!("{:x} {}\n", 2 + 2 * lot.below(1 << (n - 1)), steps[0]),
            };
            let game = format!("Gamma({};{n})", written.join(","));
            let text = Certificate { kind: CertificateKind::Strategy, game, claim, body }.to_text();
            files.push(translate_mutated(&text, None, Mutation::None).unwrap());
            truths.push(said == wins);
        }
    }
    let Some(answers) = answers(&files) else { return };
    for ((answer, file), holds) in answers.iter().zip(&files).zip(truths) {
        assert_eq!(is_verified(answer), holds, "{file}{answer}");
    }
}

/// Returns a certificate with the seal that fits.
pub(crate) fn sealed(text: &str) -> String {
    let text = &text[..text.rfind("sha256: ").unwrap()];
    format!("{text}sha256: {}\n", bouton_certificate::sha256(text.as_bytes()))
}

/// Certificates on circles that say something false, or do not show what they say.
#[test]
fn forged_certificates_on_circles_are_not_verified() {
    let certificate = token_circles("1-2");
    let misere = token_circles("1-2-misere");
    let both_ways = token_circles("b1-1-2");
    let changed = |text: &str, changes: &[(&str, &str)]| {
        changes.iter().fold(text.to_owned(), |text, (old, new)| {
            assert!(text.contains(old), "{old}");
            text.replace(old, new)
        })
    };
    let only_class = |text: &str, residue: usize| {
        // One class stands for all: its lines alone.
        let (head, body) = text.split_once("\n\nperiod ").unwrap();
        let (body, seal) = body.split_once("sha256").unwrap();
        let class = body.split("class ").nth(residue + 1).unwrap();
        format!("{head}\n\nperiod 1\nclass 0{}sha256{seal}", &class[1..])
    };
    let mut forged = vec![
        // The other outcome, of all circles of a class and in the claim.
        changed(&certificate, &[("class 0 N", "class 0 P"), ("n = 7\n", "n = 7 | n >= 10 & n mod 3 = 0\n")]),
        changed(&both_ways, &[("class 0 N", "class 0 P"), ("n mod 2 = 1", "n >= 1")]),
        changed(&both_ways, &[("class 1 P", "class 1 N"), ("n mod 2 = 1", "n mod 2 = 1 & n < 9")]),
        changed(&misere, &[("class 0 N", "class 0 P")]),
        // Every label is the other one.
        changed(
            &both_ways,
            &[
                (" A\n", " C\n"),
                (" B\n", " A\n"),
                (" C\n", " B\n"),
                ("class 0 N", "class 0 P"),
                ("class 1 P", "class 1 N"),
                ("n mod 2 = 1", "n mod 2 = 0"),
            ],
        ),
        // Automata for circles that are so short that both ends of a word meet.
        changed(&both_ways, &[("class 0 N from 8", "class 0 N from 2")]),
        changed(&both_ways, &[("class 1 P from 9", "class 1 P from 1")]),
        changed(&certificate, &[("class 0 N from 6", "class 0 N from 3")]),
        // A shorter period.
        changed(&only_class(&both_ways, 0), &[("n mod 2 = 1", "n < 8 & n mod 2 = 1")]),
        changed(&only_class(&both_ways, 1), &[("n mod 2 = 1", "n >= 9 | n mod 2 = 1")]),
        only_class(&certificate, 2),
        // Circles of the game in normal play, said to be in misere play.
        changed(&certificate, &[("claim: P", "claim: in misere play P")]),
        changed(&misere, &[("claim: in misere play P", "claim: P")]),
        // An automaton that labels nothing.
        changed(&both_ways, &[(" A\n", "\n"), (" B\n", "\n")]),
    ];
    // Another label, or a way that leads elsewhere.
    forged.push(changed(&both_ways, &[("\n4 5 B\n", "\n4 5 A\n")]));
    forged.push(changed(&both_ways, &[("\n6 14 A\n", "\n6 14 B\n")]));
    forged.push(changed(&both_ways, &[("\n2 8 A\n", "\n2 8\n")]));
    forged.push(changed(&both_ways, &[("\n2 3\n4 5 B\n", "\n2 2\n4 5 B\n")]));
    let translated = |text: &String| translate_mutated(&sealed(text), None, Mutation::None).unwrap();
    let files: Vec<String> = forged.iter().map(translated).collect();
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        assert!(!is_verified(answer), "{file}{answer}");
    }
}

/// Whatever the file, the program answers.
#[test]
fn files_that_cannot_be_read_are_named() {
    let file = translate(&nim(2)).unwrap();
    let lines: Vec<&str> = file.lines().collect();
    let files: Vec<String> = [
        String::new(),
        "bouton proof 1\n".into(),
        "bouton proof 2\n".to_owned() + &lines[1..].join("\n"),
        file.replacen("game: ", "games: ", 1),
        file.replacen("claim: ", "claims: ", 1),
        file.clone() + "x",
        file.clone() + "99999999999999999999",
        lines[..3].join("\n"),
    ]
    .into();
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        assert!(!is_verified(answer), "{file}: {answer}");
    }
    assert!(answers[..7].iter().all(|answer| answer.starts_with("unreadable: ")), "{answers:?}");
}
