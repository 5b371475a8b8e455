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
