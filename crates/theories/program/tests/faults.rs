//! Programs that fail, are refused, or reach for what is not theirs.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Deadline, LimitReached, NotationError, Outcome};
use bouton_engine::Settings;
use bouton_engine::family::OwnGame;
use bouton_engine::sum::sum;
use bouton_program::Program;
use std::time::Duration;

fn read(text: &str) -> Result<Program, NotationError> {
    Program::parse(text, Some("test.rhai".as_ref()))
}

/// Returns what is said of a program that is refused, and the text at the place.
fn refused(text: &str) -> (String, String) {
    let error = read(text).err().unwrap_or_else(|| panic!("{text} is accepted"));
    (error.message, error.text[error.at].to_owned())
}

/// Returns what is said of a position below which a program fails.
fn fails(text: &str, position: &str) -> String {
    let game = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}")).game();
    let found = game.session(Settings::default()).analyse(position);
    found.err().unwrap_or_else(|| panic!("{text} gives a verdict")).message
}

/// One heap of Nim.
const NIM: &str =
    "const NAME = \"heap\"; fn options(n) { let all = []; for k in 0..n { all.push(k); } all }";

#[test]
fn errors_are_shown_with_their_place() {
    let (message, at) = refused("fn options(n) {\n    let all = ;\n    all\n}");
    assert!(message.starts_with("the program cannot be read"), "{message}");
    assert_eq!(at, ";");
    for (text, expected) in [
        ("fn option(n) { [] }", "no function options(position)"),
        ("", "no function options(position)"),
        ("fn options(a, b) { [] }", "options has 2 arguments, not 1"),
        ("fn left(p) { [] }", "no right(position)"),
        ("fn options(p) { [] } fn left(p) { [] } fn right(p) { [] }", "beside left or right"),
        (
            "fn left(p) { [] } fn right(p) { [] } fn summands(p) { [p] }",
            "both players have the same moves",
        ),
        ("const NAME = 5; fn options(p) { [] }", "NAME is an integer, not a text"),
        ("const NAME = \"a b\"; fn options(p) { [] }", "no name of a game"),
        (
            "fn options(p) { [] } fn start() { true }",
            "start gave true or false, which is no position",
        ),
        ("fn options(p) { [] } fn start() { 1 / 0 }", "Division by zero"),
        ("fn options(p) { [] } fn misere() { true }", "nothing calls the function misere"),
        (
            "// terminal\nfn options(p) { [] }\nfn terminal(p) { p == 0 }",
            "nothing calls the function terminal",
        ),
        ("const MISERE = true; fn options(p) { [] }", "nothing uses the constant MISERE"),
        ("const A = 1 / 0; fn options(p) { [] }", "Division by zero"),
        ("loop { } fn options(p) { [] }", "does not end within"),
        ("import \"os\" as os; fn options(p) { [] }", "cannot be read"),
        ("fn options(p) { eval(\"1\") }", "cannot be read"),
    ] {
        let (message, _) = refused(text);
        assert!(message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn failures_name_the_position_and_the_place() {
    let message = fails(
        "fn options(n) {\n    if n == 3 { return 1 / 0; }\n    if n == 0 { [] } else { [n - 1] \
         }\n}",
        "5",
    );
    let expected =
        "the rules of test fail at 3: options: Division by zero: 1 / 0 (line 2, character 26)";
    assert_eq!(message, expected);
    for (text, expected) in [
        ("fn options(n) { 5 }", "options gave an integer, not a list of positions"),
        ("fn options(n) { }", "options gave nothing, not a list of positions"),
        ("fn options(n) { [true] }", "options gave true or false, which is no position"),
        ("fn options(n) { [#{}] }", "options gave a map, which is no position"),
        ("fn options(n) { loop { } }", "does not end within"),
        ("fn f(n) { f(n + 1) } fn options(n) { [f(n)] }", "deep"),
        ("fn options(n) { let a = [0]; loop { a += a; } }", "too large"),
        ("fn options(n) { let a = \"a\"; loop { a += a; } }", "too large"),
        ("fn options(n) { let a = []; a.pad(1000000, 0); a }", "too large"),
        ("fn options(n) { [n] }", "gave the position itself"),
        ("fn options(n) { [1 - n] }", "is a cycle of moves"),
        ("fn options(n) { [(n + 1) % 50] }", "play need not end"),
        ("fn options(n) { [n + 9223372036854775807] }", "overflow"),
        ("fn options(n) { throw \"no such heap\" }", "options: no such heap"),
        ("fn options(n) { [unknown] }", "unknown"),
        ("fn options(n) { [n.chop()] }", "chop"),
        ("fn options(n) { print(n); [] }", "`print` is not at hand"),
        ("fn options(n) { sleep(1000); [] }", "`sleep` is not at hand"),
        ("fn options(n) { timestamp(); [] }", "timestamp"),
        (
            "fn options(n) { [n - 2] } fn valid(n) { n >= 0 }",
            "fail at 1: options gave -1, which is no position as valid says",
        ),
        (
            "fn options(n) { [\"a\"] } fn start() { \"b\" } fn canonical(p) { 7 }",
            "must be texts or lists",
        ),
    ] {
        let message = fails(text, "5");
        assert!(message.contains(expected), "{text}: {message}");
    }
    let deep = "fn options(n) { let a = []; for i in 0..40 { a = [a]; } a }";
    assert!(fails(deep, "5").contains("deep"));
}

/// A graph has no list of options where the program fails, never an empty one, and has those of
/// other positions all the same.
#[test]
fn a_graph_has_no_options_where_the_program_fails() {
    let text = "fn options(n) { if n == 3 { return 1 / 0; } if n == 0 { [] } else { [n - 1] } }\n\
                fn summands(n) { if n == 2 { return 1 / 0; } [n] }";
    let game = read(text).unwrap().game();
    for (position, options, summands) in [
        ("0", Some(0), Some(1)),
        ("1", Some(1), Some(1)),
        ("2", Some(1), None),
        ("3", None, Some(1)),
    ] {
        let mut graph = game.graph();
        graph.begin(&Budget::default());
        let node = graph.read(position).unwrap();
        let found = graph.options(node).map(<[u32]>::len);
        assert_eq!(found.ok(), options, "{position}");
        assert_eq!(found.is_err(), graph.some_options(node, 0, 2).is_err(), "{position}");
        graph.begin(&Budget::default());
        assert_eq!(graph.summands(node).map(|all| all.len()).ok(), summands, "{position}");
    }
}

/// A size that `valid` denies has no value.
#[test]
fn a_start_that_valid_denies_is_refused() {
    let values = |valid: &str| {
        let text = format!(
            "const POSITION = \"a number\"; fn start(n) {{ n }} fn valid(n) {{ {valid} }} \
             fn options(n) {{ if n > 3 {{ [n - 1] }} else {{ [] }} }}"
        );
        let mut values = Vec::new();
        let game = read(&text).unwrap().game();
        let found = game
            .session(Settings::default())
            .values(5, &mut |_, value| values.push(value.0))
            .unwrap();
        (found, values)
    };
    // One move for each above 3: 0 and 1 in turn.
    assert_eq!(values("n >= 0"), (Ok(()), vec![0, 0, 0, 0, 1, 0]));
    let (found, _) = values("n >= 3");
    let why = found.unwrap_err().to_string();
    assert!(why.contains("start(0) gave 0, which is no position as valid says"), "{why}");
}

#[test]
fn a_wrong_claim_is_refused() {
    let nim = "fn options(p) { let all = []; for i in 0..p.len() { for k in 0..p[i] { let q = p; \
        q[i] = k; all.push(q); } } all }";
    let game = read(&format!(
        "{nim} fn summands(p) {{ p.map(|n| [n]) }} fn canonical(p) {{ p.sort(); p }}"
    ))
    .unwrap()
    .game();
    let found = game.session(Settings::default()).analyse("3,5,6").unwrap();
    assert_eq!(found.evaluation.outcome, Some(Outcome::P));
    let lost = fails(&format!("{nim} fn summands(p) {{ [[p[0]]] }}"), "1,2");
    assert!(
        lost.contains("summands gave parts with nim-value 1 in all, but the options give 3"),
        "{lost}"
    );
    let none = fails(&format!("{nim} fn summands(p) {{ [] }}"), "1,2");
    assert!(none.contains("summands gave parts with nim-value 0"), "{none}");
    let wrong = fails(
        &format!("{nim} fn canonical(p) {{ if p.len() > 1 {{ [p[0]] }} else {{ p }} }}"),
        "1,2",
    );
    assert!(wrong.contains("canonical gave [1] of nim-value 1, but the options give 3"), "{wrong}");
}

#[test]
fn a_wrong_canonical_form_is_refused_where_the_players_differ() {
    // Left lowers the first heap by 1, Right the second: the value is the difference of the two.
    let integers = "fn left(p) { if p[0] > 0 { [[p[0] - 1, p[1]]] } else { [] } } \
                    fn right(p) { if p[1] > 0 { [[p[0], p[1] - 1]] } else { [] } }";
    let fewer = "fn canonical(p) { let k = p[0]; if p[1] < k { k = p[1]; } [p[0] - k, p[1] - k] }";
    let game = read(&format!("{integers} {fewer}")).unwrap().game();
    for (position, wins) in [("left:5,3", true), ("right:5,3", false), ("left:3,3", false)] {
        let found = game.session(Settings::default()).analyse(position).unwrap();
        let outcome = if wins { Outcome::N } else { Outcome::P };
        assert_eq!(found.evaluation.outcome, Some(outcome), "{position}");
    }
    // Left wins 2 as she wins 1, and yet they are not equal.
    let one = "fn canonical(p) { if p[0] > p[1] + 1 { [p[1] + 1, p[1]] } else { p } }";
    let wrong = fails(&format!("{integers} {one}"), "left:4,1");
    assert!(wrong.contains("which has not the same value by left and right"), "{wrong}");
    // Nim: 2,2 is worth 0, and is lost in misère play, where 0,0 is won.
    let options = "fn all(p) { let all = []; for i in 0..2 { for k in 0..p[i] { let q = p; q[i] = \
        k; all.push(q); } } all }";
    let nim = format!("{options} fn left(p) {{ all(p) }} fn right(p) {{ all(p) }}");
    let pairs = "fn canonical(p) { if p[0] == p[1] { [0, 0] } else { p } }";
    let wrong = fails(&format!("{nim} {pairs}"), "left:2,2");
    assert!(wrong.contains("other outcome in misère play"), "{wrong}");
}

#[test]
fn budgets_end_programs() {
    let grows = read("fn options(n) { [n + 1, n + 2] }").unwrap().game();
    let budget = Budget { nodes: Some(5000), ..Budget::default() };
    let found = grows.session(Settings { budget, ..Settings::default() }).analyse("5").unwrap();
    assert_eq!((found.spent, found.evaluation.outcome), (Some(LimitReached::Nodes(5000)), None));
    let budget = Budget { bytes: Some(1 << 20), ..Budget::default() };
    let found = grows.session(Settings { budget, ..Settings::default() }).analyse("5").unwrap();
    assert!(matches!(found.spent, Some(LimitReached::Bytes(_))), "{:?}", found.spent);
    let slow = read("fn options(n) { for i in 0..500000 { let x = i; } [n - 1] }").unwrap().game();
    let budget =
        Budget { deadline: Some(Deadline::after(Duration::from_millis(300))), ..Budget::default() };
    let found = slow.session(Settings { budget, ..Settings::default() }).analyse("100000").unwrap();
    assert!(matches!(found.spent, Some(LimitReached::Time(_))), "{:?}", found.spent);
    // A request that ended leaves nothing behind.
    let budget = Budget { nodes: Some(10), ..Budget::default() };
    let found = slow.session(Settings { budget, ..Settings::default() }).analyse("1").unwrap();
    assert!(matches!(found.spent, Some(LimitReached::Nodes(_))), "{:?}", found.spent);
}

#[test]
fn deep_games_need_no_stack() {
    let game = read("fn options(n) { if n == 0 { [] } else { [n - 1] } } fn start(n) { n }")
        .unwrap()
        .game();
    let found = game.session(Settings::default()).analyse("20001").unwrap();
    assert_eq!(found.evaluation.nim_value.unwrap().0, 1);
}

#[test]
fn a_program_that_fails_fails_in_sums() {
    let nim = || read(NIM).unwrap().game();
    for (text, expected) in [
        ("fn options(n) { [1 - n] }", "play need not end"),
        ("fn options(n) { if n == 3 { [1 / 0] } else { [n - 1] } }", "fail at 3"),
    ] {
        let both = sum(&[read(text).unwrap().game(), nim()]).unwrap();
        for play in [bouton_core::Play::Normal, bouton_core::Play::Misere] {
            let found = both.session(Settings { play, ..Settings::default() }).analyse("5 + 2");
            let message = found.unwrap_err().message;
            assert!(message.contains(expected), "{message}");
        }
    }
}
