//! `bouton serve` gives the answers of `--json`.
#![allow(clippy::unwrap_used, reason = "a test")]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Server {
    process: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn serve() -> Server {
    serve_with(&[])
}

fn serve_with(arguments: &[&str]) -> Server {
    // More time than any question here takes on any machine, as the command line has it.
    let mut process = Command::new(env!("CARGO_BIN_EXE_bouton"))
        .args(["serve", "--port", "0", "--seconds", "86400"])
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    Server { process, address }
}

impl Server {
    fn get(&self, path: &str) -> Value {
        let body = self.body(path);
        serde_json::from_str(&body).unwrap_or_else(|error| panic!("{path}: {error} {body}"))
    }

    /// Returns the answer at the end of a stream.
    fn answer(&self, path: &str) -> Value {
        let body = self.body(path);
        let answer = body.split_once("event: answer").unwrap_or_else(|| panic!("{path}: {body}")).1;
        serde_json::from_str(answer.lines().find_map(|line| line.strip_prefix("data: ")).unwrap())
            .unwrap()
    }

    fn body(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        // Streams come in pieces, each after its length.
        let chunked = head.contains("chunked");
        let lines = body.split("\r\n").enumerate().filter(|(i, _)| !chunked || i % 2 == 1);
        lines.map(|(_, line)| line).collect()
    }
}

fn command(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_bouton"))
        .env("BOUTON_THEOREMS", "off")
        .arg("--json")
        .args(arguments)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Times differ from run to run.
fn timeless(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.remove("seconds");
    }
    value
}

fn encoded(text: &str) -> String {
    text.bytes().map(|b| format!("%{b:02X}")).collect()
}

#[test]
fn the_page_and_the_command_line_agree() {
    let server = serve();
    let same = |path: String, arguments: &[&str]| {
        assert_eq!(timeless(server.get(&path)), timeless(command(arguments)), "{path}");
    };
    same("/api/games".into(), &["games"]);
    for (game, position) in [
        ("nim", "1,3,5"),
        ("CN(3,2)", "0,1,2"),
        ("kayles", "1,11"),
        ("NIM(1,3,4;n;d,e)", "14,9,9"),
        ("dots(1x2)", "--/|.|/.."),
        ("kayles + nim", "7 + 4"),
        ("nim", "1,x"),
    ] {
        let query = format!("game={}&position={}", encoded(game), encoded(position));
        same(format!("/api/solve?{query}"), &["solve", game, position]);
        same(format!("/api/solve?{query}&misere=1"), &["solve", game, position, "--misere"]);
    }
    same("/api/positions?game=nim(3)&max=4".into(), &["positions", "nim(3)", "--max", "4"]);
    same("/api/values?game=kayles&to=40".into(), &["values", "kayles", "--to", "40"]);
    same(
        "/api/heatmap?game=wythoff&at=x,y&to=9".into(),
        &["heatmap", "wythoff", "x,y", "--to", "9"],
    );
    same("/api/strategy?game=Gamma(1,4;13)".into(), &["strategy", "Gamma(1,4;13)"]);
    for claim in ["a = c & b = d", "a = b", "a = "] {
        let path = format!("/api/prove?game=CN(4,2)&claim={}", encoded(claim));
        same(path, &["prove", "CN(4,2)", "--claim", claim]);
    }
    for (game, to) in [
        ("kayles", "1000"),
        ("0.16", "200000"),
        ("S(1,4,7)", "100"),
        ("grundy", "500"),
        ("wythoff", "9"),
    ] {
        same(format!("/api/period?game={}&to={to}", encoded(game)), &["period", game, "--to", to]);
    }
    for (game, position) in
        [("kayles", "1,11"), ("grundy", "9"), ("nim", "1,3,5,7"), ("dots(1x2)", "--/|.|/..")]
    {
        let query = format!("game={}&position={}", encoded(game), encoded(position));
        same(format!("/api/genus?{query}"), &["genus", game, position]);
    }
    for game in ["0.75", "kayles", "S(1,4,7)", "wythoff"] {
        same(
            format!("/api/quotient?game={}&to=20", encoded(game)),
            &["quotient", game, "--to", "20"],
        );
    }
    for game in ["NIM(1,4)", "NIM(3,5,6)", "NIM(1,", "kayles"] {
        same(format!("/api/cash?game={}", encoded(game)), &["cash", game]);
    }
    for formula in [
        "A x,y: x+y = y+x",
        "A n: n >= 7 => E x,y: n = 3*x + 5*y",
        "E x: x+x = 7",
        "a xor b xor c = 0",
        "a = ",
    ] {
        same(format!("/api/logic?formula={}", encoded(formula)), &["logic", formula]);
    }
    same(
        "/api/heatmap?game=Gamma(1,x;y)&x=3..5&y=9..12".into(),
        &["heatmap", "Gamma(1,x;y)", "--x", "3..5", "--y", "9..12"],
    );
}

/// A rule file's game is served where the file is given.
#[test]
fn games_of_rule_files_are_served() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/theorems.in/halves.toml");
    let server = serve_with(&["--rules", file]);
    let own = command(&["--rules", file, "games", "halves"]);
    assert_eq!(server.get("/api/games")[0], own[0]);
    let told = command(&["--rules", file, "solve", "halves", "7"]);
    assert!(told["outcome"].is_string(), "{told}");
    assert_eq!(timeless(server.get("/api/solve?game=halves&position=7")), timeless(told));
    let table = command(&["--rules", file, "heatmap", "halves", "x", "--to", "5"]);
    assert_eq!(server.get("/api/heatmap?game=halves&at=x&to=5"), table);
    assert!(serve().get("/api/solve?game=halves&position=7")["error"].is_object());
}

/// A table in a file, and the same table in an address.
#[test]
fn the_page_and_the_command_line_conjecture_alike() {
    let server = serve();
    let rows: String = (0..60).map(|n| format!("{n},{}\n", n / 5 % 3)).collect();
    let file = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("api-rows.csv");
    std::fs::write(&file, &rows).unwrap();
    let told = command(&["conjecture", "--from", file.to_str().unwrap()]);
    assert_eq!(told["period"], 15);
    let served = server.get(&format!("/api/conjecture?table={}", encoded(&rows)));
    assert_eq!(timeless(served), timeless(told));
}

/// The line of a study: what has no times is the same.
#[test]
fn the_page_and_the_command_line_study_alike() {
    let server = serve();
    for (game, misere) in [("CN(4,2)", false), ("SCN(4,2)", false), ("moore(3;3)", true)] {
        let query = format!("game={}{}", encoded(game), if misere { "&misere=1" } else { "" });
        let served = server.answer(&format!("/api/study/stream?{query}"));
        let mut arguments = vec!["study", game];
        arguments.extend(misere.then_some("--misere"));
        let told = command(&arguments);
        let line = |value: &Value| {
            let boards = value["boards"].as_array().unwrap().clone();
            let forms: Vec<Value> = boards.iter().map(|board| board["form"].clone()).collect();
            (value["verdict"].clone(), forms, value["published"].as_array().unwrap().len())
        };
        assert_eq!(line(&served), line(&told), "{game}");
        assert_eq!(told["verdict"], "proved", "{game}");
    }
    let (served, told) =
        (server.answer("/api/study/stream?game=kayles"), command(&["study", "kayles"]));
    assert_eq!((&served["kind"], &served["period"]), (&told["kind"], &told["period"]));
    assert_eq!(told["verdict"], "proved");
    let refused = server.get("/api/study/stream?game=kayles&misere=1");
    assert!(refused["error"]["message"].as_str().unwrap().contains("genus"));
}

/// The rows of the claims are those of the command line, which adds the wrong controls.
#[test]
fn the_page_and_the_command_line_list_the_same_claims() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_bouton")).args(["claims", "--json"]).output().unwrap();
    let told: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let served = serve().get("/api/ledger");
    let served = served.as_array().unwrap();
    assert!(served.len() > 100 && served.len() < told.len());
    assert_eq!(&told[..served.len()], &served[..]);
}

/// Returns whether the player to move wins, from the rules alone.
fn is_won(options: fn(&[u64]) -> Vec<Vec<u64>>, p: &[u64], misere: bool) -> bool {
    let options_of = options(p);
    if options_of.is_empty() {
        misere
    } else {
        options_of.iter().any(|q| !is_won(options, q, misere))
    }
}

/// Returns the options in which one of these heaps is lowered.
fn lowered(p: &[u64], heaps: &[usize]) -> Vec<Vec<u64>> {
    let of_heap = |heap: &usize| {
        let (heap, p) = (*heap, p.to_vec());
        (0..p[heap]).map(move |size| {
            let mut q = p.clone();
            q[heap] = size;
            q
        })
    };
    heaps.iter().flat_map(of_heap).collect()
}

fn nim(p: &[u64]) -> Vec<Vec<u64>> {
    lowered(p, &(0..p.len()).collect::<Vec<_>>())
}

/// Only the heaps at the ends are taken from: M. H. Albert and R. J. Nowakowski, The game of
/// End-Nim (2001).
fn end_nim(p: &[u64]) -> Vec<Vec<u64>> {
    let full = |heap: &usize| p[*heap] > 0;
    let mut ends: Vec<usize> = (0..p.len()).find(full).into_iter().collect();
    ends.extend((0..p.len()).rev().find(full));
    ends.dedup();
    lowered(p, &ends)
}

fn wythoff(p: &[u64]) -> Vec<Vec<u64>> {
    let both = (1..=p[0].min(p[1])).map(|k| vec![p[0] - k, p[1] - k]);
    nim(p).into_iter().chain(both).collect()
}

/// Names of a game, whether they say misère play, its options, and positions.
type Spelled =
    (&'static [&'static str], bool, fn(&[u64]) -> Vec<Vec<u64>>, &'static [&'static [u64]]);

/// A question in other words has the answer of the rules, by each way in: lines of `solve -`, the
/// command line, and the page.
#[test]
fn a_question_in_other_words_has_the_same_answer() {
    let games: [Spelled; 5] = [
        (&["nim", "the game of nim"], false, nim, &[&[1, 1, 1], &[1, 2, 3]]),
        (&["end-nim-3", "end nim 3", "End_Nim-3"], false, end_nim, &[&[2, 1, 2], &[1, 1, 1]]),
        (&["wythoff", "Wythoff's Nim"], false, wythoff, &[&[1, 2], &[2, 2]]),
        (&["wythoff-misere", "Misère Wythoff"], true, wythoff, &[&[1, 2], &[2, 2]]),
        (&["nim-3-misere", "nim 3 misere"], true, nim, &[&[1, 1, 1]]),
    ];
    // Before and behind the numbers, and between them.
    let lists = [
        [" ", ",", ""],
        [": ", ", ", ""],
        [" (", " ", ")"],
        ["[", ",", "]"],
        ["(", ",", ")"],
        [" ", ";", ""],
        [" {", "|", "}"],
        [" ", " and ", ""],
        [" with heaps ", ", ", ""],
    ];
    let plays = [
        ["", "", ""],
        ["", ", last wins", "n"],
        ["", " (normal play)", "n"],
        ["misere ", "", "m"],
        ["", ", last loses", "m"],
        ["", "; whoever cannot move wins", "m"],
        ["", " misère", "m"],
    ];
    let mut questions: Vec<(String, Option<&str>)> = Vec::new();
    for (names, by_name, options, positions) in games {
        for ((name, heaps), list) in names
            .iter()
            .flat_map(|name| positions.iter().map(move |heaps| (name, heaps)))
            .flat_map(|asked| lists.iter().map(move |list| (asked, list)))
        {
            // A number at the end of a name, and a list without a sign, are one list.
            let is_number = name.ends_with(|c: char| c.is_ascii_digit()) && name.contains(' ');
            if is_number && list[0].len() == 1 && list[1] == " " {
                continue;
            }
            for [before, behind, play] in plays {
                let numbers: Vec<String> = heaps.iter().map(u64::to_string).collect();
                let [open, between, close] = list;
                let text = format!("{before}{name}{open}{}{close}{behind}", numbers.join(between));
                let misere = by_name || play == "m";
                let outcome = if is_won(options, heaps, misere) { "N" } else { "P" };
                // Both plays are said at once.
                questions.push((text, Some(outcome).filter(|_| !by_name || play != "n")));
            }
        }
    }
    let mut lines = Command::new(env!("CARGO_BIN_EXE_bouton"))
        .env("BOUTON_THEOREMS", "off")
        .args(["solve", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text: String = questions.iter().map(|(text, _)| format!("{text}\n")).collect();
    let mut input = lines.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = lines.wait_with_output().unwrap();
    writer.join().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), questions.len());
    let server = serve();
    for (i, ((text, outcome), answer)) in questions.iter().zip(answers.lines()).enumerate() {
        let said: Value = serde_json::from_str(answer).unwrap();
        match outcome {
            Some(outcome) => assert_eq!(said["outcome"], *outcome, "{text}: {answer}"),
            None => assert!(answer.contains("both normal and misère play"), "{text}: {answer}"),
        }
        let asked = ["error", "game", "position", "play", "outcome", "nim_value"];
        let told = |value: &Value| asked.map(|key| value[key].clone());
        // All of them would take long.
        if i % 5 == 0 {
            let page = server.get(&format!("/api/solve?game={}", encoded(text)));
            assert_eq!(told(&page), told(&said), "{text}");
        }
        if i % 25 == 0 {
            assert_eq!(told(&command(&["solve", text])), told(&said), "{text}");
        }
    }
}

/// A position in the name of a game of which lines are read would be dropped.
#[test]
fn lines_of_positions_are_of_a_game_alone() {
    let solve = |game: &str, lines: &str| {
        let mut lines_of = Command::new(env!("CARGO_BIN_EXE_bouton"))
            .env("BOUTON_THEOREMS", "off")
            .args(["solve", game, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It may have ended by then.
        let _ = lines_of.stdin.take().unwrap().write_all(lines.as_bytes());
        let output = lines_of.wait_with_output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let refused = solve("nim 5", "3\n");
    assert!(refused.contains("this names the position 5 of nim"), "{refused}");
    assert!(solve("end nim 3", "4,5,6\n").contains("\"game\":\"end-nim-3\""));
    assert!(solve("nim", "\u{feff}1,1\r\n").contains("\"outcome\":\"P\""));
}
