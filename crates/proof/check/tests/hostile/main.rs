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
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(held, Ordering::Relaxed);
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
        MOST.store(before, Ordering::Relaxed);
        let mut asked = 0u64;
        let rejected = check_limited(&text, &limits, &mut || {
            asked += 1;
            true
        });
        let rejected = rejected.expect_err(name);
        let told = rejected.to_string();
        assert!(told.bytes().all(|b| (b' '..=b'~').contains(&b)) && told.len() < 300, "{name}: {told:?}");
        // As often as steps are many.
        assert!(asked <= 1 + (limits.steps >> 16), "{name}");
        let most = MOST.load(Ordering::Relaxed) - before;
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
    for game in
        ["S(+1,+2)", "S(1,02)", "S(2,1)", "S(1,1,2)", "S(1,2) ", "S( 1,2)", "0.330", "0.3!3", "0.33\u{2028}"]
    {
        assert!(check(&sealed("period", game, claim, body)).is_err(), "{game}");
    }
    assert!(check(&sealed("period", "S(1,2)", claim, "period +3\npreperiod 0\nspace none\n")).is_err());
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
        let rejected = check(&sealed("p-positions", game, "P iff a = 0, up to symmetry", "")).unwrap_err();
        rejected.line != 3
    };
    for game in ["S(1,2;3)", "NIM(1,2;n)", "CN(3,2;any=1)", "CN(3,2;each>=2)", "simplicial(1,2;3)", "nim(2)"]
    {
        assert!(known(game), "{game}");
    }
    for game in [
        "S(+1;3)",
        "S(2,1;3)",
        "S(1,1;3)",
        "NIM(+1;n)",
        "NIM(+1;3;d,e)",
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

/// Nothing of a file goes to a screen as it is, but printable ASCII.
#[test]
fn nothing_is_printed_raw() {
    for strange in ["\u{1b}[31m", "\u{2028}", "\u{202e}", "\u{7}", "\u{9b}", "\u{85}", "\t", "\0"] {
        for place in 0..4 {
            let at =
                |own: usize, text: &str| if own == place { format!("{text}{strange}") } else { text.into() };
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

/// For measuring by hand: `HOSTILE_FILES=DIR cargo test -p bouton-check --test hostile -- --ignored`.
#[test]
#[ignore = "writes the files to the directory HOSTILE_FILES"]
fn write_the_files() {
    let Ok(directory) = std::env::var("HOSTILE_FILES") else { return };
    for (name, text) in files() {
        std::fs::write(format!("{directory}/{}.cert", name.replace([' ', ','], "-")), text).unwrap();
    }
}
