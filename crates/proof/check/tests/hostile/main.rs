//! Whatever the file: an answer, within the steps and the memory allowed, in printable ASCII.
#![allow(clippy::unwrap_used, reason = "a test")]

mod files;

use bouton_check::{Limits, Reason, check, check_limited};
use files::{files, sealed};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts what is held.
struct Counting;
static HELD: AtomicUsize = AtomicUsize::new(0);
static HIGH_WATER: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        HIGH_WATER.fetch_max(held, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// None is accepted, and none takes more than is allowed; what is said can be printed.
#[test]
fn hostile_files_are_answered() {
    let limits = Limits { steps: 1 << 26, bytes: 100_000_000, ..Limits::default() };
    let mut long = 0;
    for (name, text) in files() {
        let before = HELD.load(Ordering::Relaxed);
        HIGH_WATER.store(before, Ordering::Relaxed);
        let mut asked = 0u64;
        let rejected = check_limited(&text, &limits, &mut || {
            asked += 1;
            true
        });
        let rejected = rejected.expect_err(name);
        let told = rejected.to_string();
        assert!(
            told.bytes().all(|b| (b' '..=b'~').contains(&b)) && told.len() < 300,
            "{name}: {told:?}"
        );
        // As often as steps are many.
        assert!(asked <= 1 + (limits.steps >> 16), "{name}");
        let most = HIGH_WATER.load(Ordering::Relaxed) - before;
        assert!(most <= limits.bytes + limits.bytes / 4, "{name}: {most} bytes held");
        long += u32::from(!rejected.reason.is_verdict());
    }
    // Else they are not hostile.
    assert!(long > 10, "{long}");
}

/// Games are called by one name each.
#[test]
fn sloppy_names_are_declined() {
    let claim = "the nim-values of single heaps have period 3 from 0 on";
    let body = "period 3\npreperiod 0\nspace none\n";
    assert!(check(&sealed("period", "S(1,2)", claim, body)).is_ok());
    for game in [
        "S(+1,+2)",
        "S(1,02)",
        "S(2,1)",
        "S(1,1,2)",
        "S(1,2) ",
        "S( 1,2)",
        "0.330",
        "0.3!3",
        "0.33\u{2028}",
    ] {
        assert!(check(&sealed("period", game, claim, body)).is_err(), "{game}");
    }
    assert!(
        check(&sealed("period", "S(1,2)", claim, "period +3\npreperiod 0\nspace none\n")).is_err()
    );
    let forced = "every move of the winner is forced\n";
    assert!(check(&sealed("strategy", "Gamma(1;2)", "0/0 is N in normal play", forced)).is_ok());
    for (game, claim) in [
        ("Gamma(+1;2)", "0/0 is N in normal play"),
        ("Gamma(1;+2)", "0/0 is N in normal play"),
        ("Gamma(1,1;2)", "0/0 is N in normal play"),
        ("Gamma(1;2)", "+0/0 is N in normal play"),
        ("Gamma(1;2)", "0/00 is N in normal play"),
    ] {
        assert!(check(&sealed("strategy", game, claim, forced)).is_err(), "{game} {claim}");
    }
    // In misere play the last heap moved in loses; whether it is spelt with its accent or not.
    for (play, said) in [("misère", true), ("misere", true), ("mise\u{300}re", false)] {
        let claim = format!("0/0 is N in {play} play");
        let checked = check(&sealed("strategy", "Gamma(1;1)", &claim, forced));
        assert_eq!(checked.is_ok(), said);
        assert!(checked.map_or(true, |accepted| accepted.claim == "0/0 is N in misere play"));
    }
    let known = |game: &str| {
        let rejected =
            check(&sealed("p-positions", game, "P iff a = 0, up to symmetry", "")).unwrap_err();
        rejected.line != 3
    };
    for game in [
        "S(1,2;3)",
        "NIM(1,2;n)",
        "NIM(1,2;7)",
        "NIM(1,2;n;d,e)",
        "NIM(1,2;7;3,4)",
        "CN(3,2;any=1)",
        "CN(3,2;each>=2)",
        "simplicial(1,2;3)",
        "nim(2)",
    ] {
        assert!(known(game), "{game}");
    }
    for game in [
        "S(+1;3)",
        "S(2,1;3)",
        "S(1,1;3)",
        "NIM(+1;n)",
        "NIM(+1;3;d,e)",
        // A name says what the rules are, in all its fields, and nothing else.
        "NIM(1;the empty pile;whatever one likes)",
        "NIM(1;n;whatever)",
        "NIM(1;n;d)",
        "NIM(1;n;d,e,f)",
        "NIM(1;n;e,d)",
        "NIM(1;7;d,e)",
        "NIM(1;n;3,4)",
        "NIM(1;7;inf,4)",
        "NIM(1;7;3,04)",
        "NIM(1;n;d,e;)",
        "NIM(1;n,d;e)",
        "NIM(1;m)",
        "NIM(1;07)",
        "NIM(1;)",
        "nim(2;3)",
        "nim(2,3)",
        "moore(3,3)",
        "moore(3;3;1)",
        "S(1;2;3)",
        "wythoff(2)",
        "wythoff ",
        "CN(3,2,1)",
        "CN(3,2;any=1;)",
        "CN(3,2;any=1 )",
        "CN(3,2;any1=1)",
        "CN(3,2;any>=1)",
        "SCN(3,2;any=1)",
        "simplicial(1,2;3;)",
        "rules(1;none;binary)",
        "rules(1;none;binary;q0 = 0) ",
        "rules(1;none;binary;q0 = 0;)",
        "rules(1;none;binary,;q0 = 0)",
        "rules(1;any;binary;q0 = 0)",
        "rules(2+1;full;binary;q0 = 0)",
        "CN(+3,2)",
        "CN(3,2;any==1)",
        "CN(3,2;each>=>=2)",
        "CN(3,2;any=01)",
        "simplicial(2,1;3)",
        "nim(02)",
        "nim(+2)",
        "nim( 2)",
    ] {
        assert!(!known(game), "{game}");
    }
}

/// 0.8 takes one token and leaves exactly three heaps: 0 0 0 0 1 1 1 2 2 2 3 3 … The theorem on
/// windows is about pairs of a small heap and one of the window; of three heaps two may be small
/// and the third far from any window, so that it says nothing here.
#[test]
fn a_false_period_by_window_is_rejected() {
    let claim = "the nim-values of single heaps have period 1 from 0 on";
    let text = "bouton certificate 1\nkind: period\ngame: 0.8\nclaim: the nim-values of single \
        heaps have period 1 from 0 on\n\nperiod 1\n\
                preperiod 0\nspace value 1\nwindow 2 2\nsha256: \
                30c22817474f2623db669908bc8298449f2d3bce8d5ca63987f1fafbf215dd2d\n";
    assert_eq!(
        text,
        sealed("period", "0.8", claim, "period 1\npreperiod 0\nspace value 1\nwindow 2 2\n")
    );
    let told = check(text).unwrap_err().to_string();
    assert!(told.contains("needs codes that leave at most two heaps; "), "{told}");
}

/// What is printed as proved is the game of the rules: a name of which the checker does not know
/// that is no name.
#[test]
fn a_name_is_that_of_the_rules() {
    let claim = "P iff false, up to symmetry";
    let told = |game: &str| {
        check(&sealed("p-positions", game, claim, "refutations 0\n")).unwrap_err().to_string()
    };
    assert!(told("NIM(1;the empty pile;whatever one likes)").contains("no game of this name"));
    assert!(!told("NIM(1;n;d,e)").contains("no game of this name"));
}

/// A certificate outside a theorem is refused with the hypothesis that does not hold.
#[test]
fn hypotheses_are_named() {
    let forced = "every move of the winner is forced\n";
    let p = "0/0 is P in normal play";
    let cash = "with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 and \
        floor(d / 1) > floor(e / 1)";
    let misere = "in misere play P iff a = 0, up to symmetry";
    let automaton = "P iff the automaton accepts";
    let orbit = "P iff reached from 0 by a -> a+1";
    let pairs = "P iff a = mex, b = a + n";
    for (kind, game, claim, body, named) in [
        ("strategy", "Gamma(1;0)", p, forced, "1 to 256 cells"),
        ("strategy", "Gamma(1;257)", p, forced, "1 to 256 cells"),
        ("strategy", "Gamma(0;5)", p, forced, "positive steps"),
        ("strategy", "Gamma(2,1;5)", p, forced, "ascending"),
        ("strategy", "Gamma(1;5)", "0,5/0 is P in normal play", forced, "cells from 0 to n - 1"),
        (
            "strategy",
            "Gamma(1;5)",
            "0/1 is P in normal play",
            forced,
            "the token's cell to be marked",
        ),
        ("strategy", "Gamma(1;5)", "0,0/0 is P in normal play", forced, "marked cells each once"),
        ("circle", "Gamma(1,2,3,4,5;n)", "P iff false", "period 1\n", "1 to 4 steps"),
        ("circle", "Gamma(0,2;n)", "P iff false", "period 1\n", "steps that are not 0"),
        ("circle", "Gamma(2,2;n)", "P iff false", "period 1\n", "steps each once"),
        ("circle", "Gamma(-2,-1;n)", "P iff false", "period 1\n", "the last step to go clockwise"),
        ("circle", "Gamma(-6,7;n)", "P iff false", "period 1\n", "steps over 12 cells at most"),
        (
            "circle",
            "Gamma(1,3;n)",
            "P iff false",
            "period 1\nclass 0 N from 5 states 1\n1 1\n",
            "circles of 6 cells at least",
        ),
        (
            "circle",
            "Gamma(-1,3;n)",
            "P iff false",
            "period 1\nclass 0 N from 8 states 1\n1 1\n",
            "circles of 9 cells at least",
        ),
        (
            "circle",
            "Gamma(1,3;n)",
            "P iff false",
            "period 1\nclass 0 N from 130 states 1\n1 1\n",
            "at most 128 cells",
        ),
        ("laps", "Gamma(-1,3;n)", "P iff false", "laps 1 from 9\n", "steps that go forwards"),
        ("laps", "Gamma(1,13;n)", "P iff false", "laps 1 from 14\n", "steps over 12 cells at most"),
        ("laps", "Gamma(1,3;n)", "P iff false", "laps 1 from 3\n", "circles of more than 3 cells"),
        ("laps", "Gamma(1,3;n)", "P iff false", "laps 1 from 130\n", "at most 128 cells"),
        ("laps", "Gamma(1,3;n)", "P iff false", "laps 0 from 4\n", "1 to 64 laps"),
        ("win-condition", "NIM(0,1;n;d,e)", cash, "window 2 0 0 2\n", "amounts of 1 at least"),
        ("win-condition", "NIM(1,1;n;d,e)", cash, "window 2 0 0 2\n", "amounts each once"),
        (
            "win-condition",
            "NIM(1,65537;n;d,e)",
            cash,
            "window 2 0 0 2\n",
            "amounts of at most 65536",
        ),
        ("win-condition", "NIM(1;n;d,e)", cash, "window 0 0 0 2\n", "P >= 1"),
        ("win-condition", "NIM(1;n;d,e)", cash, "window 2 0 -1 2\n", "N >= 0"),
        ("win-condition", "NIM(1;n;d,e)", cash, "window 2 0 0 1\n", "C >= 2"),
        ("win-condition", "NIM(1;n;d,e)", cash, "window 2 -3 0 2\n", "C + Q >= 0"),
        ("win-condition", "NIM(1;n;d,e)", cash, "words 0 0\n", "P >= 1"),
        ("win-condition", "NIM(1;n;d,e)", cash, "words 1 -1\n", "K >= 0"),
        ("p-positions", "S(1,2;2)", misere, "", "moves that take any number of tokens"),
        ("p-positions", "wythoff", misere, "", "moves that take any number of tokens"),
        ("p-positions", "NIM(1;n;d,e)", misere, "", "moves that take any number of tokens"),
        ("p-positions", "CN(3,2;each=1)", misere, "", "moves that take any number of tokens"),
        (
            "p-positions",
            "rules(2;none;binary;true)",
            misere,
            "",
            "moves that take any number of tokens",
        ),
        ("automatic", "nim(2)", misere, "", "normal play"),
        ("automatic", "SCN(3,2)", automaton, "", "heaps that stay in their places"),
        ("automatic", "NIM(1;n;d,e)", automaton, "", "heaps that stay in their places"),
        ("automatic", "nim(9)", automaton, "", "at most 8 heaps"),
        ("automatic", "wythoff", automaton, "", "no digits of their own"),
        (
            "automatic",
            "nim(2)",
            "P iff a = b, up to symmetry",
            "base 3\n",
            "digits 0 and 1, or by a recurrence of several terms, for a formula",
        ),
        ("orbit", "nim(1)", misere, "", "normal play"),
        ("orbit", "nim(2)", orbit, "", "one heap"),
        ("orbit", "SCN(1,1)", orbit, "", "stays in its place"),
        ("orbit", "rules(1+1;none;binary;true)", orbit, "", "one heap"),
        ("orbit", "rules(1;none;zeckendorf;true)", orbit, "", "no digits of their own"),
        ("pairs", "wythoff", "in misere play P iff a = mex, b = a + n", "", "normal play"),
        ("pairs", "nim(1)", pairs, "", "two heaps"),
        ("pairs", "nim(3)", pairs, "", "two heaps"),
        ("pairs", "rules(1+1;none;binary;true)", pairs, "", "two heaps"),
        ("pairs", "rules(2+1;none;binary;true)", pairs, "", "two heaps"),
        ("pairs", "NIM(1,2;n;d,e)", pairs, "", "two heaps"),
        ("pairs", "SCN(2,1)", pairs, "", "heaps that stay in their places"),
    ] {
        let told = check(&sealed(kind, game, claim, body)).unwrap_err().to_string();
        assert!(
            told.contains(" needs ") && told.contains(named),
            "{kind} {game} {claim} {body}: {told}"
        );
    }
}

/// Numbers near 2^64 in the place of any number: the library answers, and does not panic.
#[test]
fn great_numbers_are_answered() {
    let claim = "P iff a = b, up to symmetry";
    let p_positions = |game: &str, body: &str| {
        let text = sealed(
            "p-positions",
            game,
            claim,
            &format!("refutations 0\nheaps 2\nimage 0,1\n{body}"),
        );
        check(&text).unwrap_err()
    };
    let named = sealed("p-positions", "CN(2,1)", claim, "refutations 0\nheaps 2\n");
    check(&named).unwrap_err();
    for great in [
        "18446744073709551615",
        "18446744073709551614",
        "9223372036854775808",
        "4294967296",
        "4294967295",
    ] {
        for part in [
            format!("take {great} image 0,1"),
            format!("take 0 gone {great} image 0"),
            format!("take 0,{great} image 0,1"),
            format!("take 0 image {great},1"),
            format!("stay image {great},{great}"),
            format!("neighbours {great}"),
        ] {
            for game in ["CN(2,1)", "CN(3,2)", "SCN(3,2)", "nim(2)", "simplicial(1;2)"] {
                let body = format!(
                    "within {great},0 {great} {great}\npart {part}\nguess {great}\nstart {great}\n"
                );
                p_positions(game, &body);
                // Right up to the part.
                let heaps = if game == "SCN(3,2)" { "heaps 0\npart " } else { "heaps 3\npart " };
                let text = sealed(
                    "p-positions",
                    game,
                    "P iff 3 heaps: true, up to symmetry",
                    &format!("refutations 0\n{heaps}{part}\n"),
                );
                check(&text).unwrap_err();
            }
        }
        for game in [
            format!("CN({great},{great};any=1)"),
            format!("CN({great},{great};total>={great})"),
            format!("CN({great},1)"),
            format!("SCN({great},{great})"),
            format!("moore({great};3)"),
            format!("moore({great};{great})"),
            format!("nim({great})"),
            format!("S({great};{great})"),
            format!("S({great};2)"),
            format!("NIM({great};{great};{great},{great})"),
            format!("simplicial({great})"),
            format!("simplicial(1,{great})"),
            format!("rules({great}+{great};none;binary;true)"),
            format!("rules(1;none;ostrowski({great});true)"),
            format!("rules(1;none;binary;{great}*p0 + {great}*q0 <= {great})"),
        ] {
            for kind in ["p-positions", "automatic"] {
                for claim in [
                    claim,
                    "in misere play P iff a = 0, up to symmetry",
                    "P iff the automaton accepts",
                ] {
                    check(&sealed(
                        kind,
                        &game,
                        claim,
                        "refutations 0\npositions 1\n! 0 0 0 0\nwindows 0\n",
                    ))
                    .unwrap_err();
                }
            }
        }
        for (kind, game, claim, body) in [
            (
                "strategy",
                format!("Gamma({great};256)"),
                "0/0 is P in normal play".to_owned(),
                "1 1\n".to_owned(),
            ),
            (
                "strategy",
                format!("Gamma(1;{great})"),
                "0/0 is P in normal play".to_owned(),
                "1 1\n".to_owned(),
            ),
            (
                "strategy",
                "Gamma(1;2)".to_owned(),
                format!("0/{great} is N in normal play"),
                "1 1\n".to_owned(),
            ),
            (
                "circle",
                format!("Gamma(-{great},{great};n)"),
                "P iff false".to_owned(),
                format!("period {great}\n"),
            ),
            (
                "circle",
                "Gamma(1;n)".to_owned(),
                "P iff false".to_owned(),
                format!("period 1\nclass 0 N from {great} states {great}\n"),
            ),
            (
                "laps",
                format!("Gamma({great};n)"),
                "P iff false".to_owned(),
                format!("laps {great} from {great}\n"),
            ),
            (
                "laps",
                "Gamma(1;n)".to_owned(),
                "P iff false".to_owned(),
                format!("laps 1 from {great}\nlap 1 tapes {great} classes {great} words {great}\n"),
            ),
            (
                "automatic",
                "nim(2)".to_owned(),
                "P iff the automaton accepts".to_owned(),
                format!("base {great}\npositions {great}\n"),
            ),
        ] {
            // Some of these are true.
            let _ = check(&sealed(kind, &game, &claim, &body));
        }
        for game in ["0.77".to_owned(), format!("S({great})"), format!("S(1,{great})")] {
            let claim =
                format!("the nim-values of single heaps have period {great} from {great} on");
            for window in [
                String::new(),
                format!("window {great} {great}\n"),
                format!("window {great} {great} {great}\n"),
            ] {
                let body =
                    format!("period {great}\npreperiod {great}\nspace value {great}\n{window}");
                check(&sealed("period", &game, &claim, &body)).unwrap_err();
            }
        }
        let cash = "with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 \
            and floor(d / 1) > floor(e / 1)";
        for body in [
            format!("window {great} -{great} {great} {great}\n"),
            format!("words {great} {great}\n"),
            format!("words 1 0\npath {great} U U{great}^{great}k-{great}\n"),
        ] {
            check(&sealed("win-condition", "NIM(1;n;d,e)", cash, &body)).unwrap_err();
        }
    }
}

/// Nothing of a file goes to a screen as it is, but printable ASCII.
#[test]
fn nothing_is_printed_raw() {
    for strange in ["\u{1b}[31m", "\u{2028}", "\u{202e}", "\u{7}", "\u{9b}", "\u{85}", "\t", "\0"] {
        for place in 0..4 {
            let at = |own: usize, text: &str| {
                if own == place { format!("{text}{strange}") } else { text.into() }
            };
            let claim = at(2, "the nim-values of single heaps have period 3 from 0 on");
            let body = at(3, "period 3\npreperiod 0\nspace none");
            let text = sealed(&at(0, "period"), &at(1, "S(1,2)"), &claim, &format!("{body}\n"));
            let rejected = check(&text).unwrap_err();
            assert!(matches!(rejected.reason, Reason::Wrong(_)));
            assert!(rejected.to_string().bytes().all(|b| (b' '..=b'~').contains(&b)), "{rejected}");
        }
    }
    // What is long is told in short.
    let long = "x".repeat(60_000);
    for text in [
        sealed(&long, "CN(2,2)", "P iff a = 0, up to symmetry", ""),
        sealed("p-positions", &long, "P iff a = 0, up to symmetry", ""),
        sealed("p-positions", "CN(2,2)", &format!("P iff {long} = 0, up to symmetry"), ""),
        sealed("period", "S(1,2)", &long, &format!("period {long}\n")),
    ] {
        assert!(check(&text).unwrap_err().to_string().len() < 300);
    }
}

/// For measuring by hand: `HOSTILE_FILES=DIR cargo test -p bouton-check --test
/// hostile -- --ignored`.
#[test]
#[ignore = "writes the files to the directory HOSTILE_FILES"]
fn write_the_files() {
    let Ok(directory) = std::env::var("HOSTILE_FILES") else { return };
    for (name, text) in files() {
        std::fs::write(format!("{directory}/{}.cert", name.replace([' ', ','], "-")), text)
            .unwrap();
    }
}
