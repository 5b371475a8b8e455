//! `bouton-verify`, the checker that is extracted from coq/Reading.v: it verifies the certificates
//! of the repository that it covers, and nothing that is false.
//!
//! Without `coqc` and `ocamlopt` these tests say so and pass.

use super::where_stuck;
use super::{FIVE, FOUR, SHRINKING, misere_circle};
use super::{
    circular, compiled, library, nim, periodic, remembering, rules, rules_with, shrinking,
};
use bouton_certificate::{Certificate, CertificateKind};
use bouton_coq::{Mutation, translate, translate_mutated};
use bouton_core::{Formula, Symmetry};
use fastrand::Rng;
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
        let arguments =
            "-w -a -inline 100 -I +unix unix.cmxa -o bouton-verify certified.ml main.ml".split(' ');
        let output =
            Command::new("ocamlopt").args(arguments).current_dir(&folder).output().unwrap();
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

/// Returns the certificates of the repository, by their paths from the root.
fn certificates() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let folders = [
        "fuzz/corpus/certificate",
        "fuzz/second/tests/made",
        "crates/study/literature/data/circles",
        "crates/study/study/data/proofs",
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
            let line =
                |text: &str| text.lines().find(|line| line.starts_with(start)).map(str::to_owned);
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
    assert!(
        verdicts.values().filter(|verdict| *verdict == "verified").count() >= 25,
        "{verdicts:?}"
    );
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

/// Returns the certificates whose proofs are damaged below.
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
        ("NIM(1,4;n;d,e)", corpus("cash")),
        ("not as many as last", corpus("fib")),
        ("Gamma(1,2;n) by laps", token_laps(3)),
        ("Gamma(1,2;n) misere by laps", token_laps(4)),
        ("two or three misere", corpus("stuck1")),
        ("two after one misere", two_after_one_in_misere_play()),
    ]
}

/// Returns a certificate of the fuzzer's corpus.
fn corpus(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus/certificate");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn two_after_one_in_misere_play() -> String {
    where_stuck([1, 1], TWO_AFTER_ONE, "b != 1 & a mod 3 = 0 & a >= 1 | a mod 3 = 1", "a = 0")
}

/// Returns a certificate on Kotzig's Nim, of those of the repository.
fn token_circles(name: &str) -> String {
    let folder = "../../study/literature/data/circles";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(format!("{name}.cert"));
    std::fs::read_to_string(path).unwrap()
}

/// Returns a certificate on Kotzig's Nim by laps, of those of the repository.
fn token_laps(number: usize) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/second/tests/made");
    std::fs::read_to_string(folder.join(format!("laps-{number}"))).unwrap()
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
        "a move lowers heaps among 2 neighbours on a circle of at most 4 heaps, none empty; \
         emptied",
        "play: misere",
        "taking and breaking by the code 0.77",
        "values: 0 0 1 1 0, of which the last 4 repeat",
        "order: some turn or reflection of the heaps",
        "a move takes the token 1 or 2 cells on",
        "play: misere",
        "a move takes the token 1 anticlockwise or 1 or 2 cells on",
        "position: the token on cell 0, cells 0 marked\n  claim: who is to move wins",
        "v: at c >= 5 for n >= 5: that of 5 fewer stones at c - 3",
        "1 heap a and 1 number b remembered; a move lowers heaps and sets what is remembered",
        "claim: P iff (n = 1 | (n = 3 | n = 7))",
        "play: misere",
        "rule: at least one token is taken, and ((q0 + 2) <= p0 & p0 <= (q0 + 3))\n  play: misere",
        "1 heap a and 1 number b remembered; a move lowers heaps and sets what is remembered",
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
            ("NIM(1,4;", "NIM(1,3;"),
            ("NIM(1,4;", "NIM(4;"),
            ("NIM(1,4;", "NIM(4,1;"),
            ("NIM(1,4;", "NIM(1,4,6;"),
            ("NIM(1,4;n;d,e)", "NIM(1,4;n)"),
            ("floor(d / 1) > floor(e / 1)", "floor(d / 2) > floor(e / 2)"),
            ("floor(e / 1)", "floor(e / 2)"),
            ("d - e + v > 0", "d - e + v >= 0"),
            ("c > 1 and", "c > 0 and"),
            ("the mover wins", "the mover loses"),
            ("rules(1+1;", "rules(2;"),
            ("rules(1+1;", "rules(1;"),
            ("rules(1+1;", "rules(1+2;"),
            ("rules(1+1;none;", "rules(1+1;ring;"),
            ("rules(1;none;", "rules(1+1;none;"),
            ("q0 + 2 <= p0", "q0 + 1 <= p0"),
            ("p0 <= q0 + 3", "p0 <= q0 + 4"),
            ("a mod 5 = 2", "a mod 5 = 1"),
            ("a mod 5 = 2", "a mod 5 = 2 & a <= 1000"),
            (" | a mod 5 = 3", ""),
            ("q0 + 2 = p0 & p1 = 1", "q0 + 2 = p0 & p1 <= 1"),
            ("a mod 3 = 1", "a mod 3 = 1 & a <= 1000"),
            ("a >= 1", "a >= 0"),
            ("rules(1+1;none;binary;", "rules(1+1;none;zeckendorf;"),
            ("q1 <= 2", "q1 <= 3"),
            (" & q1 != p1", ""),
            ("q0 + q1 = p0", "q0 + q1 <= p0"),
            ("a mod 3 = 0 |", "a mod 3 = 0 & b <= 9 |"),
            (" | b = 1 & a mod 3 = 1", ""),
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
    let mut lot = Rng::with_seed(3);
    let mut files = Vec::new();
    // The steps of a strategy are advice: with wrong ones the position is searched.
    let proofs = samples().into_iter().filter(|(name, _)| *name != "Gamma(1,4;13)");
    for (_, certificate) in proofs {
        let file = translate(&certificate).unwrap();
        let end = file.match_indices('\n').nth(2).unwrap().0;
        let numbers: Vec<u64> =
            file[end..].split_whitespace().map(|x| x.parse().unwrap()).collect();
        for _ in 0..60 {
            let mut changed = numbers.clone();
            let at = lot.usize(..changed.len());
            match lot.usize(..8) {
                0 => drop(changed.remove(at)),
                1 => changed.insert(at, changed[at]),
                2 => changed.truncate(at),
                3 => changed[at] = 1 << (3 * lot.usize(..18)),
                step => {
                    changed[at] = (changed[at] + [2, 1, 1, 2][step - 4])
                        .saturating_sub(if step < 6 { 3 } else { 0 })
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
    assert!(files.len() >= 400 && 8 * kept.len() <= files.len(), "{}", kept.len());
}

/// Returns the moves of [`TWO_AFTER_ONE`].
fn takes_two_after_one(p: &[u64], q: &[u64]) -> bool {
    (q[0] + 1 == p[0] && q[1] == 1) || (q[0] + 2 == p[0] && p[1] == 1 && q[1] == 0)
}

/// Returns the moves of [`ONE_OF_TWO`].
fn takes_one_of_two(p: &[u64], q: &[u64]) -> bool {
    (q[0] + 1 == p[0] && q[1] == p[1] && q[2] == 1)
        || (q[1] + 1 == p[1] && q[0] == p[0] && q[2] == 0)
}

/// A game for a search by brute force: its positions are lists of `numbers` numbers below `bound`,
/// of which the first `heaps` are heaps; `is_move` says whether a move may go from p to q.
pub(crate) struct Small {
    pub(crate) numbers: usize,
    pub(crate) heaps: usize,
    pub(crate) bound: u64,
    pub(crate) is_move: fn(&[u64], &[u64]) -> bool,
}

pub(crate) fn is_lower(p: &[u64], q: &[u64]) -> bool {
    p != q && p.iter().zip(q).all(|(p, q)| q <= p)
}

impl Small {
    /// Returns all positions, the smaller ones first, with what they are: P or not.
    pub(crate) fn positions(&self, is_misere: bool) -> Vec<(Vec<u64>, bool)> {
        let mut all = vec![Vec::new()];
        for _ in 0..self.numbers {
            let longer =
                |p: &Vec<u64>| (0..self.bound).map(|h| [&p[..], &[h]].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(longer).collect();
        }
        all.sort_by_key(|p| p[..self.heaps].iter().sum::<u64>());
        let mut known: Vec<(Vec<u64>, bool)> = Vec::new();
        for p in all {
            let mut options = known.iter().filter(|(q, _)| (self.is_move)(&p, q)).peekable();
            let lost =
                if options.peek().is_none() { !is_misere } else { options.all(|(_, lost)| !lost) };
            known.push((p, lost));
        }
        known
    }
}

/// Rules with numbers remembered: one more than was taken last, at most; two only after one; from
/// which of two heaps was taken last.
const AT_MOST_ONE_MORE: &str = "q0 + q1 = p0 & q1 >= 1 & q1 <= 3 & q1 <= p1 + 1";
const TWO_AFTER_ONE: &str = "(q0 + 1 = p0 & q1 = 1) | (q0 + 2 = p0 & p1 = 1 & q1 = 0)";
const ONE_OF_TWO: &str = "(q0 + 1 = p0 & q1 = p1 & q2 = 1) | (q1 + 1 = p1 & q0 = p0 & q2 = 0)";

/// Claims that are drawn, true ones among them: none is verified that is false of small heaps.
#[test]
fn no_false_claim_is_verified() {
    fn among(k: usize, p: &[u64], q: &[u64]) -> bool {
        let n = p.len();
        is_lower(p, q) && (0..n).any(|i| (k..n).all(|j| p[(i + j) % n] == q[(i + j) % n]))
    }
    let games: Vec<(String, Small)> = vec![
        (nim(2), Small { numbers: 2, heaps: 2, bound: 9, is_move: |p, q| among(1, p, q) }),
        (
            circular(3, 2, "a = b & b = c"),
            Small { numbers: 3, heaps: 3, bound: 6, is_move: |p, q| among(2, p, q) },
        ),
        (
            circular(4, 2, FOUR),
            Small { numbers: 4, heaps: 4, bound: 5, is_move: |p, q| among(2, p, q) },
        ),
        (
            rules(1, "q0 + 1 = p0 | q0 + 2 = p0", "a mod 3 = 0"),
            Small {
                numbers: 1,
                heaps: 1,
                bound: 40,
                is_move: |p, q| q[0] + 1 == p[0] || q[0] + 2 == p[0],
            },
        ),
        (
            rules(2, "p0 + q1 = p1 + q0", "a = 0 | b = 0"),
            Small {
                numbers: 2,
                heaps: 2,
                bound: 9,
                is_move: |p, q| is_lower(p, q) && p[0] + q[1] == p[1] + q[0],
            },
        ),
        (
            corpus("fib"),
            Small {
                numbers: 2,
                heaps: 1,
                bound: 13,
                is_move: |p, q| q[0] < p[0] && q[0] + q[1] == p[0] && q[1] <= 2 && q[1] != p[1],
            },
        ),
        (
            remembering(
                1,
                1,
                AT_MOST_ONE_MORE,
                "a mod 5 = 0 | b <= 1 & a mod 5 = 3 | b = 0 & a mod 5 = 2",
            ),
            Small {
                numbers: 2,
                heaps: 1,
                bound: 14,
                is_move: |p, q| {
                    q[0] < p[0]
                        && q[0] + q[1] == p[0]
                        && (1..=3).contains(&q[1])
                        && q[1] <= p[1] + 1
                },
            },
        ),
        (
            remembering(1, 1, TWO_AFTER_ONE, "b != 1 & a mod 3 = 2 | a mod 3 = 0"),
            Small { numbers: 2, heaps: 1, bound: 14, is_move: takes_two_after_one },
        ),
        (
            remembering(2, 1, ONE_OF_TWO, "(a + b) mod 2 = 0"),
            Small { numbers: 3, heaps: 2, bound: 5, is_move: takes_one_of_two },
        ),
        (
            corpus("stuck1"),
            Small {
                numbers: 1,
                heaps: 1,
                bound: 40,
                is_move: |p, q| q[0] + 2 <= p[0] && p[0] <= q[0] + 3,
            },
        ),
        (
            two_after_one_in_misere_play(),
            Small { numbers: 2, heaps: 1, bound: 14, is_move: takes_two_after_one },
        ),
        (
            where_stuck([2, 1], ONE_OF_TWO, "(a + b) mod 2 = 1", "a = 0 & b = 0"),
            Small { numbers: 3, heaps: 2, bound: 5, is_move: takes_one_of_two },
        ),
    ];
    let mut lot = Rng::with_seed(5);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for (certificate, game) in &games {
        let letters: Vec<String> = ('a'..='z').take(game.numbers).map(String::from).collect();
        let claim_line = certificate.lines().find(|line| line.starts_with("claim: ")).unwrap();
        let positions = game.positions(claim_line.starts_with("claim: in misere play "));
        let (_, own) = claim_line.split_once("P iff ").unwrap();
        let own = own.strip_suffix(", up to symmetry").unwrap_or(own);
        for turn in 0..70 {
            let mut claim = own.to_owned();
            if turn > 0 {
                let word = |lot: &mut Rng| {
                    let one = |lot: &mut Rng| letters[lot.usize(..letters.len())].clone();
                    match lot.usize(..8) {
                        0 => format!("{}", lot.usize(..4)),
                        1 => format!("{} + {}", one(lot), 1 + lot.usize(..2)),
                        2 => format!("{} mod {}", one(lot), 2 + lot.usize(..3)),
                        3 => format!("({} xor {})", one(lot), one(lot)),
                        _ => one(lot),
                    }
                };
                let relation = |lot: &mut Rng| ["=", "<=", "=", "!="][lot.usize(..4)];
                let one = format!("{} {} {}", word(&mut lot), relation(&mut lot), word(&mut lot));
                claim = match lot.usize(..4) {
                    0 => one,
                    1 => format!("{claim} & {one}"),
                    2 => format!("{claim} | {one}"),
                    _ => format!(
                        "{one} & {} {} {}",
                        word(&mut lot),
                        relation(&mut lot),
                        word(&mut lot)
                    ),
                };
            }
            let formula = Formula::parse_over(&claim, &letters).unwrap();
            let is_true = |p: &[u64]| formula.holds(p).unwrap();
            let Ok(file) = translate_mutated(certificate, Some(&claim), Mutation::None) else {
                continue;
            };
            files.push(file);
            truths.push((
                claim,
                positions
                    .iter()
                    .map(|(p, lost)| (p.clone(), is_true(p), *lost))
                    .collect::<Vec<_>>(),
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
        let holds: HashMap<&[u64], bool> =
            table.iter().map(|(p, holds, _)| (&p[..], *holds)).collect();
        for (p, _, lost) in table {
            let images: Vec<Vec<u64>> = if answer.contains("order: the heaps as they stand") {
                vec![p.clone()]
            } else {
                let n = p.len();
                let turn = |i: usize| (0..n).map(|j| p[(i + j) % n]).collect::<Vec<u64>>();
                (0..n).flat_map(|i| [turn(i), turn(i).into_iter().rev().collect()]).collect()
            };
            let claimed = images.iter().any(|q| holds[&q[..]]);
            assert_eq!(
                claimed,
                *lost,
                "{claim} at {p:?}: {answer}{}",
                file.lines().nth(1).unwrap()
            );
        }
    }
    println!("{verified} of {} drawn claims are verified", files.len());
    assert!(verified >= games.len() && verified < files.len() / 2, "{verified}");
}

/// Misère play in which players may be stuck: another formula for where they are, or a proof that
/// is said to be of another kind, shows nothing.
#[test]
fn where_players_are_stuck_has_to_be_right() {
    let one = corpus("stuck1");
    let memory = two_after_one_in_misere_play();
    let mut files = Vec::new();
    for (certificate, wrong) in [
        (&one, ["true", "false", "a = 0", "a <= 2", "a = 0 | a = 1 | a = 1000"]),
        (&memory, ["true", "false", "a = 1", "a = 0 & b != 1", "a <= 1 & b = 0"]),
    ] {
        let (_, claim) = certificate.lines().nth(3).unwrap().split_once("P iff ").unwrap();
        let translated = |text: &str| translate_mutated(text, Some(claim), Mutation::None).unwrap();
        let start = certificate.find("\nstuck ").unwrap() + 7;
        let end = start + certificate[start..].find('\n').unwrap();
        for stuck in wrong {
            let text = format!("{}{stuck}{}", &certificate[..start], &certificate[end..]);
            files.push(translated(&sealed(&text)));
        }
        let file = translated(certificate);
        assert_eq!(file.matches("\n97 ").count(), 1, "{file}");
        files.extend(["\n", "\n96 ", "\n98 ", "\n99 "].map(|kind| file.replace("\n97 ", kind)));
    }
    // One window holds all heaps, whatever the game's name; heaps of which a move lowers one are
    // not covered.
    let two_or_three =
        where_stuck([1, 0], "q0 + 2 = p0 | q0 + 3 = p0", "a mod 5 = 2 | a mod 5 = 3", "a <= 1");
    let named = |name: &str| {
        let own = "rules(1;none;binary;q0 + 2 = p0 | q0 + 3 = p0)";
        translate_mutated(&sealed(&changed(&two_or_three, &[(own, name)])), None, Mutation::None)
    };
    assert!(named("S(2,3;2)").is_err() && named("CN(2,1;any=2)").is_err());
    let wrong = files.len();
    files.extend(["S(2,3;1)", "NIM(2,3;n)"].map(|name| named(name).unwrap()));
    let Some(answers) = answers(&files) else { return };
    for (at, (answer, file)) in answers.iter().zip(&files).enumerate() {
        assert_eq!(is_verified(answer), at >= wrong, "{file}{answer}");
    }
}

/// Returns the nim-values of an octal code's heaps.
fn values(code: &[usize], count: usize) -> Vec<usize> {
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
        g.push((0..).find(|v| !reached.contains(v)).unwrap());
    }
    g
}

/// Periods of drawn codes, true ones and others near them: those are verified that are true of many
/// more heaps.
#[test]
fn periods_are_verified_where_they_are_true() {
    let mut lot = Rng::with_seed(9);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for _ in 0..120 {
        let mut code: Vec<usize> = (0..1 + lot.usize(..2)).map(|_| lot.usize(..8)).collect();
        code.push(1 + lot.usize(..7));
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
            (p, from + 1 + lot.usize(..5)),
            (p + 1, from),
            (p.max(2) - 1, from),
            (p, from.max(1) - 1),
        ] {
            let file =
                translate_mutated(&periodic(&format!("0.{name}"), p, from), None, Mutation::None);
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
    let mut lot = Rng::with_seed(11);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for (name, certificate, steps, period) in [
        ("1-2", token_circles("1-2"), &[1, 2][..], 3),
        ("1-2-misere", token_circles("1-2-misere"), &[1, 2], 3),
        ("b1-1-2", token_circles("b1-1-2"), &[-1, 1, 2], 2),
        ("laps-1", token_laps(1), &[1], 2),
        ("laps-2", token_laps(2), &[1], 2),
        ("laps-4", token_laps(4), &[1, 2], 3),
        ("laps-5", token_laps(5), &[2, 3], 5),
    ] {
        let is_misere = certificate.contains("\nclaim: in misere play ");
        let (_, own) = certificate.lines().nth(3).unwrap().split_once("P iff ").unwrap();
        let says = |claim: &str| -> Vec<bool> {
            let formula = Formula::parse_over(claim, &["n".to_owned()]).unwrap();
            (1..=60).map(|n| formula.holds(&[n]).unwrap()).collect()
        };
        let proved = says(own);
        let searched: Vec<bool> =
            (1..=SEARCHED).map(|n| loses_on_circle(steps, n, is_misere)).collect();
        assert_eq!(proved[..SEARCHED], searched, "{name}");
        for turn in 0..60 {
            // Numbers beyond the automata's beginnings are not covered, even where the claim is
            // true.
            let n = 1 + lot.usize(..10);
            let residue = lot.usize(..period);
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
    assert!(truths.iter().filter(|holds| **holds).count() >= 90);
    assert!(truths.iter().filter(|holds| !**holds).count() >= 90);
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
    let mut lot = Rng::with_seed(13);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for _ in 0..120 {
        let n = 3 + lot.usize(..9);
        let steps = [&[1, 2][..], &[1, 4], &[2, 3], &[2, 3, 5]][lot.usize(..4)];
        let token = lot.usize(..n);
        let marked: Vec<usize> =
            (0..n).filter(|cell| *cell == token || lot.usize(..4) == 0).collect();
        let mask = marked.iter().fold(0, |mask, cell| mask | 1 << cell);
        let is_misere = lot.usize(..2) == 1;
        let wins = mover_wins(steps, n, is_misere, token, mask);
        let listed =
            |cells: &[usize]| cells.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let written: Vec<String> = steps.iter().map(i64::to_string).collect();
        for said in [wins, !wins] {
            let claim = format!(
                "{}/{token} is {} in {} play",
                listed(&marked),
                if said { "N" } else { "P" },
                if is_misere { "misere" } else { "normal" }
            );
            let body = match lot.usize(..2) {
                0 => "every move of the winner is forced\n".to_owned(),
                // Steps that may be wrong.
                _ => format!("{:x} {}\n", 2 + 2 * lot.usize(..1 << (n - 1)), steps[0]),
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

/// Returns a text with these parts replaced, one after the other.
fn changed(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

/// Certificates on circles that say something false, or do not show what they say.
#[test]
fn forged_certificates_on_circles_are_not_verified() {
    let certificate = token_circles("1-2");
    let misere = token_circles("1-2-misere");
    let both_ways = token_circles("b1-1-2");
    let only_class = |text: &str, residue: usize| {
        // One class stands for all: its lines alone.
        let (head, body) = text.split_once("\n\nperiod ").unwrap();
        let (body, seal) = body.split_once("sha256").unwrap();
        let class = body.split("class ").nth(residue + 1).unwrap();
        format!("{head}\n\nperiod 1\nclass 0{}sha256{seal}", &class[1..])
    };
    let mut forged = vec![
        // The other outcome, of all circles of a class and in the claim.
        changed(
            &certificate,
            &[("class 0 N", "class 0 P"), ("n = 7\n", "n = 7 | n >= 10 & n mod 3 = 0\n")],
        ),
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
    let translated =
        |text: &String| translate_mutated(&sealed(text), None, Mutation::None).unwrap();
    let files: Vec<String> = forged.iter().map(translated).collect();
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        assert!(!is_verified(answer), "{file}{answer}");
    }
}

/// Certificates by laps that say something false, or do not show what they say.
#[test]
fn forged_certificates_by_laps_are_not_verified() {
    let (one, one_misere) = (token_laps(1), token_laps(2));
    let (two, two_misere, three) = (token_laps(3), token_laps(4), token_laps(5));
    let forged = [
        // The other outcome: of the words of the first lap, and of the labels that lead to them.
        changed(&one, &[("2 0 L\n1 0 W", "2 0 W\n1 0 L"), ("n mod 2 = 1", "n = 1 | n mod 2 = 0")]),
        changed(&one, &[("2 0 L\n1 0 W", "2 0 L\n1 0 L"), ("n mod 2 = 1", "n >= 1")]),
        changed(&one, &[("2 0 L\n1 0 W", "2 0 W\n1 0 W"), ("n mod 2 = 1", "n = 1")]),
        changed(
            &one_misere,
            &[("2 0 W\n1 0 L", "2 0 L\n1 0 W"), ("n mod 2 = 0", "n >= 3 & n mod 2 = 1")],
        ),
        changed(
            &two,
            &[("\n29 0 ?\n20 0 ?\n", "\n29 0 ?\n29 0 L\n"), ("n = 7\n", "n = 7 | n >= 31\n")],
        ),
        changed(&two, &[("\n25 0 L\n23 0 L\n", "\n25 0 W\n23 0 W\n")]),
        // A label: a marked cell that is said to be won, lost or unknown, and one that is said to
        // be marked.
        changed(&one, &[("0 2 1 .", "0 2 1 W")]),
        changed(&one, &[("0 2 1 .", "0 2 1 L")]),
        changed(&one, &[("0 2 1 .", "0 2 1 -")]),
        changed(&two, &[("18 14 17 .L", "18 14 17 .W")]),
        changed(&two, &[("18 14 17 .L", "18 14 17 ..")]),
        changed(&two, &[("21 20 15 .W", "21 20 15 .L")]),
        changed(&two, &[("21 20 15 .W", "21 20 15 LW")]),
        // A transition: of tapes, of classes, of words.
        changed(&one, &[("words 2\n1 0 .", "words 2\n0 0 .")]),
        changed(&one, &[("words 1\n0 1 .", "words 1\n1 0 .")]),
        changed(&one, &[("2 0 L\n1 0 W", "1 0 L\n1 0 W"), ("n mod 2 = 1", "n >= 1")]),
        changed(&two, &[("18 14 17 .L", "18 20 17 .L")]),
        changed(&two, &[("\n22 0 L\n23 0 ?\n", "\n21 0 L\n23 0 ?\n")]),
        // Tapes that may not end, or not be left so.
        changed(&one, &[("words 2\n1 0 .", "words 2\n1 0")]),
        changed(&two, &[("\n0 2\n3 2 .\n0 2 .\n", "\n0 2\n3 2\n0 2 .\n")]),
        // The last lap rests on nothing.
        changed(
            &one,
            &[
                ("laps 2 from 2", "laps 1 from 2"),
                ("lap 2 tapes 1 classes 1 words 1\n0 1 .\n0 0 0 -\n0 0 ?\n", ""),
            ],
        ),
        // Circles that are no larger than a step.
        changed(&one, &[("laps 2 from 2", "laps 2 from 1")]),
        changed(&two, &[("laps 2 from 8", "laps 2 from 2")]),
        // Circles of which the first lap says nothing.
        changed(&two, &[("laps 2 from 8", "laps 2 from 7")]),
        changed(&three, &[("laps 3 from 12", "laps 3 from 11")]),
        // Of another game, or in the other way of play.
        changed(&two, &[("Gamma(1,2;n)", "Gamma(1,3;n)")]),
        changed(&two, &[("Gamma(1,2;n)", "Gamma(-1,2;n)")]),
        changed(&three, &[("Gamma(2,3;n)", "Gamma(1,2,3;n)")]),
        changed(&two, &[("claim: P", "claim: in misere play P")]),
        changed(&two_misere, &[("claim: in misere play P", "claim: P")]),
        // Another claim, and other periods in it.
        changed(&two, &[("n = 7\n", "n = 7 | n = 1000000\n")]),
        changed(&two, &[("n = 7\n", "n = 7 | n mod 1000 = 0\n")]),
        changed(&three, &[("n mod 5 = 2 |", "n mod 10 = 2 |")]),
    ];
    let translated =
        |text: &String| translate_mutated(&sealed(text), None, Mutation::None).unwrap();
    let mut files: Vec<String> = forged.iter().map(translated).collect();
    // A period that the first lap does not have: 3 in place of 5, and no circles left to compare.
    let file = translate(&three).unwrap();
    let end = file.match_indices('\n').nth(2).unwrap().0 + 1;
    let numbers = file[end..].replace('\n', " ");
    // From how many cells on circles are of the laps, and outcomes periodic; the period; the laps.
    let own = " 1 12 13 5 3 ";
    assert!(numbers.contains(own), "{file}");
    for other in
        [" 1 12 13 3 3 ", " 1 12 13 0 3 ", " 1 12 0 5 3 ", " 1 12 12 5 3 ", " 1 11 13 5 3 "]
    {
        files.push(format!("{}{}\n", &file[..end], numbers.replacen(own, other, 1)));
    }
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        assert!(!is_verified(answer), "{file}{answer}");
    }
}

/// Laps with one number or letter changed, and the claim as it was, which is true: those are
/// verified that the checker accepts.
#[test]
fn changed_laps_are_verified_where_they_are_accepted() {
    let (mut files, mut accepted) = (Vec::new(), Vec::new());
    for certificate in [token_laps(3), token_laps(4)] {
        let lines: Vec<&str> = certificate.lines().collect();
        let states = (6..lines.len() - 1).filter(|at| !lines[*at].starts_with("lap "));
        let last_lap = lines.iter().rposition(|line| line.starts_with("lap ")).unwrap();
        for (at, i) in states.flat_map(|at| (0..lines[at].split(' ').count()).map(move |i| (at, i)))
        {
            // Labels of the last lap are not believed: one of them but `?` is no certificate's.
            if at > last_lap && i == 3 {
                continue;
            }
            let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let last = words[i].pop().unwrap();
            words[i] += match last {
                'W' => "L",
                'L' | '-' => "W",
                '.' if i == 2 => "",
                '.' => "?",
                '?' => ".",
                '0' => "1",
                _ => "0",
            };
            words.retain(|word| !word.is_empty());
            let other = words.join(" ");
            let text: String = (0..lines.len())
                .map(|l| format!("{}\n", if l == at { &other } else { lines[l] }))
                .collect();
            let text = sealed(&text);
            // Some are no certificates any more, such as `.` in place of what words say.
            if let Ok(file) = translate_mutated(&text, None, Mutation::None) {
                files.push(file);
                accepted.push(bouton_check::check(&text).is_ok());
            }
        }
    }
    let count = accepted.iter().filter(|accepted| **accepted).count();
    println!("{count} of {} files are accepted", files.len());
    assert!(
        files.len() >= 300 && count >= 20 && files.len() - count >= 100,
        "{count} of {}",
        files.len()
    );
    let Some(answers) = answers(&files) else { return };
    for ((answer, file), accepted) in answers.iter().zip(&files).zip(accepted) {
        assert_eq!(is_verified(answer), accepted, "{file}{answer}");
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
