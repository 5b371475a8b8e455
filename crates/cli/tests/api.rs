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
    let mut process = Command::new(env!("CARGO_BIN_EXE_bouton"))
        .args(["serve", "--port", "0"])
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
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let body = text.split_once("\r\n\r\n").unwrap().1;
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{path}: {error} {text}"))
    }
}

fn command(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_bouton")).arg("--json").args(arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Times differ from run to run.
fn timeless(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.remove("seconds");
        // Said by the command line alone: who else has found the counterexample.
        object.remove("recheck");
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
    same("/api/heatmap?game=wythoff&at=x,y&to=9".into(), &["heatmap", "wythoff", "x,y", "--to", "9"]);
    same("/api/strategy?game=Gamma(1,4;13)".into(), &["strategy", "Gamma(1,4;13)"]);
    for claim in ["a = c & b = d", "a = b", "a = "] {
        let path = format!("/api/prove?game=CN(4,2)&claim={}", encoded(claim));
        same(path, &["prove", "CN(4,2)", "--claim", claim]);
    }
}
