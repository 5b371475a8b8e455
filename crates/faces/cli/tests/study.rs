//! From rules to theorems: `bouton study` finds and proves every form that the claims of the
//! literature prints for heap games, and its certificates are accepted by the independent checker.
//! `study` gets the name of the game only.
#![allow(clippy::unwrap_used, reason = "a test")]

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// Rows of the claims, and games that they speak of.
const PROVED: &[(&str, &[&str])] = &[
    ("M3", &["nim(2)", "nim(3)", "nim(5)"]),
    ("M7", &["moore(3;3)", "moore(3;4)", "moore(3;5)", "moore(4;4)", "moore(4;5)"]),
    ("C1", &["CN(3,1)", "CN(4,1)", "CN(6,1)"]),
    ("C2", &["CN(3,3)", "CN(5,5)"]),
    ("C3", &["CN(3,2)", "CN(4,3)", "CN(5,4)", "CN(6,5)", "CN(7,6)"]),
    ("C4", &["CN(4,2)"]),
    ("C5", &["CN(5,2)"]),
    ("C6", &["CN(5,3)"]),
    ("C7", &["CN(6,3)"]),
    ("C8", &["CN(6,4)"]),
    ("C9", &["CN(8,6)"]),
    ("S1", &["SCN(4,2)"]),
    ("S2", &["SCN(5,2)"]),
    ("S3", &["SCN(5,3)"]),
    (
        "C13",
        &[
            "CN(3,2;any=1)",
            "CN(3,2;any=2)",
            "CN(4,2;any=1)",
            "CN(4,3;any=1)",
            "CN(4,2;each=1)",
            "CN(3,2;each>=1)",
            "CN(3,2;each>=2)",
            "CN(4,2;each>=1)",
            "CN(4,3;each>=1)",
            "CN(5,2;each>=1)",
            "CN(5,3;each>=1)",
            "CN(3,2;total=1)",
            "CN(3,2;total=2)",
            "CN(3,2;total>=2)",
            "CN(3,2;total>=3)",
            "CN(4,2;total>=2)",
            "CN(4,2;total>=3)",
            "CN(4,3;total>=2)",
            "CN(3,2;each=1)",
            "CN(4,3;total=1)",
            "CN(4,3;total=2)",
            "CN(4,3;total=3)",
            "CN(4,3;total>=3)",
            "CN(4,3;any=2)",
            "CN(5,2;total>=2)",
            "CN(5,3;total>=2)",
        ],
    ),
];

/// A limit that no machine comes to: what is found within a shorter one would depend on its speed.
const A_DAY: &str = "86400";

fn study(arguments: &[&str]) -> Value {
    let (_, out, err) = bouton(&[&["--json", "study", "--seconds", A_DAY], arguments].concat());
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {err}"))
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// S4 takes minutes, so it goes beside the others.
const DEAR: &[(&str, &[&str])] = &[("S4", &["SCN(8,6)"])];

#[test]
fn published_theorems_are_found_and_proved_from_the_rules_alone() {
    found_and_proved(PROVED);
}

#[test]
fn the_greatest_published_theorem_is_found_and_proved_from_the_rules_alone() {
    found_and_proved(DEAR);
}

/// Of CN(7,k) the slides print no form.
#[test]
fn forms_on_seven_heaps_are_found_and_proved() {
    found_and_proved(&[("C12", &["CN(7,3)", "CN(7,4)"])]);
}

/// A set that no equations and conditions describe: numbers with an odd number of zeros at the end,
/// and 0 (A. S. Fraenkel, Aperiodic subtraction games, Electron. J. Combin. 18(2) (2011) P19). An
/// automaton is learned, put as a formula, and proved; the formula is compared with the numbers.
#[test]
fn what_an_automaton_describes_is_proved() {
    let rules = file("mark.toml");
    std::fs::write(&rules, "name = \"mark\"\nheaps = 1\nmove = \"q0+1 = p0 | q0 = p0 div 2\"\n")
        .unwrap();
    let certificate = file("mark.cert");
    let found = study(&[
        "mark",
        "--rules",
        rules.to_str().unwrap(),
        "--certificate",
        certificate.to_str().unwrap(),
    ]);
    assert_eq!(found["verdict"], "proved", "{found:#}");
    let form =
        bouton_prover::Claim::parse(found["boards"][0]["claim"].as_str().unwrap(), 1).unwrap();
    let mut meter = bouton_core::Meter::new(&bouton_prover::default_budget());
    let Ok(bouton_prover::Decision::Open(claimed)) =
        bouton_prover::decide(form.formula(), bouton_prover::Numeration::Binary, &mut meter)
    else {
        panic!("{form}")
    };
    for n in 0..3000u64 {
        assert_eq!(claimed.holds(&[n]), n == 0 || n.trailing_zeros() % 2 == 1, "{n}");
    }
    let checked =
        Command::new(env!("CARGO_BIN_EXE_bouton")).arg("check").arg(&certificate).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}

fn found_and_proved(rows: &[(&str, &[&str])]) {
    for (id, games) in rows {
        for game in *games {
            let certificate = file(&format!("{id}.cert"));
            let found = study(&[game, "--certificate", certificate.to_str().unwrap()]);
            assert_eq!(found["verdict"], "proved", "{id}: {game}: {found:#}");
            let published = found["published"].as_array().unwrap();
            assert!(
                published.iter().any(|claim| claim["claim"] == *id),
                "{id}: {game}: {published:?}"
            );
            assert!(
                published.iter().all(|claim| claim["verdict"] == "holds"),
                "{id}: {game}: {published:?}"
            );
            let (status, checked, _) = bouton(&[
                "check",
                certificate.to_str().unwrap(),
                "--seconds",
                A_DAY,
                "--memory",
                "4000",
            ]);
            assert_eq!(status, Some(0), "{game}: {checked}");
            std::fs::remove_file(&certificate).unwrap();
        }
    }
}

/// Nothing of these is published: found, proved, and accepted by the checker. The form is compared
/// with the rules.
#[test]
fn misere_play_has_theorems_of_its_own() {
    for (game, heaps, max) in [
        ("moore(3;3)", 3, 7),
        ("CN(4,2)", 4, 5),
        ("CN(5,2)", 5, 3),
        ("CN(5,3)", 5, 3),
        ("CN(6,3)", 6, 2),
    ] {
        let found = study(&[game, "--misere"]);
        assert_eq!(found["verdict"], "proved", "{game}");
        let form = bouton_prover::Claim::parse(found["boards"][0]["form"].as_str().unwrap(), heaps)
            .unwrap();
        let stated = bouton_games::parse(game).unwrap().game.heap_game().unwrap();
        let images = stated.symmetry.permutations(heaps, 200).unwrap();
        let listed = Command::new(env!("CARGO_BIN_EXE_bouton"))
            .args(["--json", "positions", game, "--misere", "--max", &max.to_string()])
            .output()
            .unwrap();
        let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
        let p: BTreeSet<Vec<u64>> = serde_json::from_value(listed["positions"].clone()).unwrap();
        for code in 0..(max + 1u64).pow(heaps as u32) {
            let position: Vec<u64> =
                (0..heaps as u32).map(|i| code / (max + 1u64).pow(i) % (max + 1)).collect();
            let image = |s: &Vec<usize>| s.iter().map(|from| position[*from]).collect::<Vec<u64>>();
            let lost = images.iter().any(|s| p.contains(&image(s)));
            assert_eq!(form.holds_up_to(&position, &images), Ok(lost), "{game} {position:?}");
        }
    }
}

/// M14: (⌊nφ⌋, ⌊nφ²⌋), Wythoff 1907; ⌊nφ⌋ is ⌊(n + √5n²)/2⌋, and n more makes ⌊nφ²⌋.
#[test]
fn wythoffs_pairs_are_found_and_proved() {
    let found = study(&["wythoff"]);
    assert_eq!(found["verdict"], "proved");
    let form =
        bouton_prover::Claim::parse(found["boards"][0]["form"].as_str().unwrap(), 2).unwrap();
    let pairs: BTreeSet<[u64; 2]> = (0..60u64)
        .map(|n| {
            let low = (n + (5 * n * n).isqrt()) / 2;
            [low, low + n]
        })
        .collect();
    for code in 0..60 * 60 {
        let p = [code / 60, code % 60];
        let images = [vec![0, 1], vec![1, 0]];
        let expected = pairs.contains(&[p[0].min(p[1]), p[0].max(p[1])]);
        assert_eq!(form.holds_up_to(&p, &images), Ok(expected), "{p:?}");
    }
}

/// C10, withdrawn by its authors: the conjecture that opposite pairs have equal sums.
#[test]
fn the_withdrawn_conjecture_is_refuted_with_its_least_counterexample() {
    let found = study(&["CN(8,4)", "--max", "4"]);
    let published = found["published"].as_array().unwrap();
    let claim = published.iter().find(|claim| claim["claim"] == "C10").unwrap();
    assert_eq!(claim["verdict"], "refuted");
    assert!(claim["disagreement"]["position"].is_string());
}

fn bouton(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_bouton")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The values are those of the theory: a sum of heaps that can all be lowered at once is a heap of
/// that size, one to three tokens from a heap leave its remainder by four, and apart from each
/// other games add up by their digits.
#[test]
fn nim_values_are_found_proved_and_used() {
    let cache = file("values");
    let bouton = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bouton"));
        let output = command.args(arguments).env("BOUTON_THEOREMS", &cache).output().unwrap();
        let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr))
        });
        (output.status.code(), found)
    };
    for (game, formula, position, value) in [
        ("simplicial(1,2;3)", "v = (a+b) xor c", "3000000,5000000,1000000", 8_000_000 ^ 1_000_000),
        (
            "simplicial(1,2;3,4;5)",
            "v = (a+b) xor (c+d) xor e",
            "9000,1000,700,500,77",
            10_000 ^ 1200 ^ 77,
        ),
        ("S(1,2,3;2)", "v = (a mod 4) xor (b mod 4)", "4000000002,3000000001", 3),
    ] {
        let (_, found) = bouton(&["--json", "study", game, "--values"]);
        assert_eq!(
            (&found["verdict"], &found["values"]["formula"]),
            (&"proved".into(), &formula.into()),
            "{game}"
        );
        let (_, solved) = bouton(&["--json", "solve", game, position]);
        assert_eq!(
            (&solved["nim_value"], &solved["outcome"]),
            (&value.into(), &"N".into()),
            "{solved}"
        );
        let (status, proved) = bouton(&["--json", "prove", game, "--values", formula]);
        assert_eq!((status, &proved["verdict"]), (Some(0), &"proved".into()), "{game}");
        let (status, refuted) = bouton(&["--json", "prove", game, "--values", "v = a xor b"]);
        assert_eq!((status, &refuted["verdict"]), (Some(1), &"refuted".into()), "{game}");
    }
    let (_, sum) = bouton(&["--json", "study", "S(1,2,3) + nim"]);
    assert_eq!(sum["verdict"], "proved", "{sum}");
    for (arguments, says) in [
        (&["prove", "kayles", "--values", "v = a"][..], "fixed number of heaps"),
        (&["study", "simplicial(1,2;3):1,2,3", "--values"], "not of a position"),
        (&["prove", "simplicial(1,2;3)", "--values", "v = a+"], "accepted"),
    ] {
        let (status, _, error) = self::bouton(arguments);
        assert_eq!(status, Some(2), "{arguments:?}");
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
}

/// A theorem of a heap with a memory answers for a large heap, in which none of the simplest moves
/// is one: play is not over.
#[test]
fn a_lost_heap_with_a_memory_still_has_moves() {
    let (cache, rules) = (file("memories"), file("not-as-last.toml"));
    let stated = "name = \"not-as-last\"\nheaps = 1\nmemory = 1\nmove = \"q0+q1 = p0 & q1 <= 3 & \
        q1 != p1\"\n";
    std::fs::write(&rules, stated).unwrap();
    let rules = rules.to_str().unwrap();
    let bouton = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bouton"));
        let stated = ["--rules", rules];
        let all = stated.iter().chain(arguments);
        let output = command.args(all).env("BOUTON_THEOREMS", &cache).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(bouton(&["study", "not-as-last"]).contains("Proved for all heap sizes"));
    for position in ["1000000000000,2", "1000000000000,0"] {
        let solved = bouton(&["solve", "not-as-last", position]);
        assert!(
            solved.contains("You cannot win against best play.")
                && solved.contains("by the theorem"),
            "{solved}"
        );
        assert!(solved.contains("other moves: 1") && solved.contains("N "), "{solved}");
    }
    assert!(
        bouton(&["solve", "not-as-last", "1,1"]).contains("There is no move left: you have lost.")
    );
}

/// A proof is written as a theorem for Coq where the file's name ends in .v; else it is said why
/// not, and no file is written.
#[test]
fn studies_write_theorems_for_coq() {
    let theorem = file("CN42.v");
    let (status, told, _) =
        bouton(&["study", "CN(4,2)", "--max", "8", "--certificate", theorem.to_str().unwrap()]);
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("Theorem for Coq: "), "{told}");
    let text = std::fs::read_to_string(&theorem).unwrap();
    assert!(text.contains("circular_nim 4 2") && text.contains("P_position"), "{text:.2000}");

    let closing = file("SCN32.v");
    let (status, told, _) =
        bouton(&["study", "SCN(3,2)", "--certificate", closing.to_str().unwrap()]);
    assert_eq!(status, Some(0), "{told}");
    assert!(std::fs::read_to_string(&closing).unwrap().contains("closing_circle 2"), "{told}");

    // Zeckendorf digits.
    let none = file("wythoff.v");
    let (status, told, _) = bouton(&["study", "wythoff", "--certificate", none.to_str().unwrap()]);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("No theorem for Coq: ") && !none.exists(), "{told}");
}

/// Every kind of game has its report, in every format, with what was found in it; and a certificate
/// where something is proved, which the checker accepts.
#[test]
fn every_kind_of_game_has_reports() {
    for (game, found, certified) in [
        ("CN(4,2)", "Theorem", true),
        ("SCN(3,2)", "Theorem", true),
        ("nim", "Theorem", false),
        ("kayles", "Theorem", true),
        ("NIM(1,4;14;9,9)", "Theorem", true),
        ("Gamma(1,4;11)", "the player to move wins", false),
        ("Gamma(1,4;n)", "Theorem", true),
        ("dots(1x2)", "a draw under best play", false),
        ("kayles:7 + nim:4", "the player to move wins", false),
        // With a parameter: subtraction of 1 or h from one heap (Winning Ways, chapter 4).
        ("S(1,h;1) --for h=2..7", "For even h from 2 on", false),
    ] {
        for ending in ["html", "tex", "json"] {
            let (report, certificate) = (file(&format!("report.{ending}")), file("report.cert"));
            let _ = (std::fs::remove_file(&report), std::fs::remove_file(&certificate));
            let mut arguments: Vec<&str> = match game.split_once(" --for ") {
                Some((game, range)) => vec!["study", game, "--for", range],
                None => vec!["study", game],
            };
            arguments.extend(["--report", report.to_str().unwrap()]);
            if certified {
                arguments.extend(["--certificate", certificate.to_str().unwrap()]);
            }
            let (status, out, err) = bouton(&arguments);
            assert_eq!(status, Some(0), "{game}: {out}{err}");
            let text = std::fs::read_to_string(&report).unwrap();
            match ending {
                "json" => {
                    let value: Value = serde_json::from_str(&text).unwrap();
                    assert!(value["kind"].is_string() || value["parameter"] == "h", "{game}");
                    assert!(value["again"][0]["arguments"].is_array(), "{game}");
                }
                "tex" => {
                    assert!(text.contains(found), "{game}: {text}");
                    let count = |what: &str| text.matches(what).count();
                    assert_eq!(count("\\begin{"), count("\\end{"), "{game}");
                    let named = |begin: &'static str| {
                        text.split(begin).skip(1).map(|rest| rest.split('}').next().unwrap())
                    };
                    assert_eq!(
                        named("\\begin{").collect::<BTreeSet<_>>(),
                        named("\\end{").collect(),
                        "{game}"
                    );
                }
                _ => {
                    let drawn = text.contains("<svg") || game.contains("--for");
                    assert!(text.contains(found) && drawn, "{game}: {text}");
                    assert!(!text.contains("NaN"), "{game}");
                }
            }
            if certified {
                let (status, out, _) = bouton(&["check", certificate.to_str().unwrap()]);
                assert_eq!(status, Some(0), "{game}: {out}");
            }
        }
    }
}

/// What a kind of study has not, and files that cannot be written, are refused before anything is
/// computed.
#[test]
fn what_cannot_be_done_is_refused_at_once() {
    let nowhere = file("no/such/directory/report.html");
    for (arguments, told) in [
        (&["CN(9,7)", "--report", "x.pdf"][..], ".html, .tex or .json"),
        (&["CN(9,7)", "--report", nowhere.to_str().unwrap()], "report.html"),
        (&["CN(9,7)", "--certificate", nowhere.to_str().unwrap()], "report.html"),
        (&["S(1,h;1)", "--for", "h=2..90", "--report", "x.pdf"], ".html, .tex or .json"),
        (&["S(1,h;1)", "--for", "h=2..90", "--report", nowhere.to_str().unwrap()], "report.html"),
        (&["CN(9,7)", "--to", "9"], "--to"),
        (&["CN(9,7)", "--b-file", "b.txt"], "--b-file"),
        (&["nim", "--certificate", "nim.cert"], "nim(3)"),
        (&["Gamma(1,4;23)", "--max", "9"], "--max"),
        (&["Gamma(1,4;23)", "--certificate", "g.cert"], "strategy"),
        (&["kayles", "--to", "9"], "--to"),
        (&["kayles", "--misere"], "genus"),
        (&["kayles + nim"], "position"),
    ] {
        let (status, out, err) = bouton(&[&["study"], arguments].concat());
        assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
        assert!(err.contains(told), "{arguments:?}: {err}");
    }
}

/// The clock of a study is that of all its steps, and what was not proved in time is not said to
/// be.
#[test]
fn a_study_ends_in_time_without_half_a_theorem() {
    for game in ["CN(9,7)", "nim", "grundy", "NIM(3,5,6,10,11;n;d,e)"] {
        let (status, out, err) = bouton(&["--json", "study", game, "--seconds", "0.5"]);
        let found: Value =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{game}: {error} {out}{err}"));
        if game != "nim" && found["verdict"] != "proved" {
            assert!(status == Some(1) || found["verdict"] == "holds", "{game}: {found}");
            assert!(found["cases"].is_null(), "{game}: {found}");
        }
    }
}

/// An automaton of fourteen numbers takes minutes; that it was not made in time says nothing of the
/// file.
#[test]
fn a_rule_file_is_read_in_time_or_its_game_is_unknown() {
    let rules = file("late.toml");
    let text = "name = \"late\"\nheaps = 7\ndigits = \"zeckendorf\"\n\
                move = \"p0 <= 2*q0 | p1 < shift(q1)\"\n";
    std::fs::write(&rules, text).unwrap();
    let rules = rules.to_str().unwrap();
    let (status, out, _) =
        bouton(&["--json", "--seconds", "0.5", "--rules", rules, "solve", "late", "1,1,1,1,1,1,1"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &found["verdict"]), (Some(1), &"unknown".into()), "{found}");
    assert!(found["reason"].as_str().unwrap().contains("budget spent"), "{found}");
}

/// On any number of heaps: what holds of two, three and four, each with its theorem.
#[test]
fn nim_is_studied_at_several_numbers_of_heaps() {
    let found = study(&["nim"]);
    let studies = found["studies"].as_array().unwrap();
    let games: Vec<&str> = studies.iter().map(|study| study["game"].as_str().unwrap()).collect();
    assert_eq!(games, ["nim(2)", "nim(3)", "nim(4)"]);
    assert!(studies.iter().all(|study| study["verdict"] == "proved"), "{found:#}");
    assert!(studies[1..].iter().all(|study| study["boards"][0]["form"] == "xor = 0"), "{found:#}");
}
