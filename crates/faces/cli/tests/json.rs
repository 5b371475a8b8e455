//! `--json`: one value a command, and the words of `docs/json.md` mean the same in all of them.

#![allow(clippy::unwrap_used, reason = "a test")]

#[path = "../../page/tests/fits/mod.rs"]
mod fits;

use fits::Schema;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A command line for each command that has JSON, several where it has several kinds of answers.
/// They run one after the other in a folder with the files of [`tables`].
const LINES: [&[&str]; 107] = [
    &["study", "nim(3)", "--values"],
    &["study", "CN(n,n-1)", "--for", "n=3..4"],
    &["study", "S(1,2;2)", "--max", "8"],
    &["study", "nim", "--misere"],
    &["study", "0.123"],
    &["solve", "kayles", "7", "--misere"],
    &["solve", "dots(3x3)", "--nodes", "100"],
    &["solve", "CN(6,3)", "9,9,9,9,9,8", "--nodes", "10"],
    &["positions", "nim(2)", "--max", "3", "--values"],
    &["positions", "nim(3)", "--max", "3", "--count"],
    &["values", "wythoff", "1,n", "--to", "5"],
    &["prove", "CN(6,3)", "--claim", "a+b = d+e & b+c = e+f", "--steps", "1"],
    &["logic", "A x: x = 1"],
    &["logic", "E x: 3*x = 12"],
    &["genus", "kayles", "30,30", "--nodes", "2"],
    &["period", "0.104", "--to", "1000", "--nodes", "3"],
    &["cash", "NIM(1,3,7)", "--nodes", "100"],
    &["heatmap", "NIM(1,2;n;d,e)", "x,y", "--of", "threshold", "--to", "3"],
    &["strategy", "dots(1x1)"],
    &["help"],
    &["study", "S(1,h;1)", "--for", "h=2..5"],
    &["games"],
    &["solve", "CN(3,2)", "0,1,2"],
    &["solve", "nim", "1,3,5,7", "--misere"],
    &["solve", "dots(2x2)"],
    &["solve", "NIM(1,4;n;d,e)", "7;3,2"],
    &["solve", "NIM(1,4;7;3,2)"],
    &["solve", "Gamma(1,4;23)"],
    &["solve", "kayles:7 + nim:4 + wythoff:3,5"],
    &["solve", "nim", "1000000,1000001"],
    &["solve", "CN(6,4)", "1000000000000,1000000000001,7,8,9,10"],
    &["solve", "0.07", "123456789"],
    &["solve", "Gamma(1,2;200)"],
    &["solve", "Gamma(7,10;200)", "--nodes", "10"],
    &["positions", "CN(4,2)", "--max", "3"],
    &["positions", "nim(3)", "--max", "3", "--misere"],
    &["values", "kayles", "--to", "20"],
    &["period", "kayles", "--to", "300"],
    &["period", "S(1,2,3)"],
    &["period", "grundy", "--to", "100"],
    &["period", "tip the die"],
    &["genus", "nim", "3"],
    &["genus", "0.123", "--to", "6"],
    &["quotient", "0.75"],
    &["cash", "NIM(1,4)"],
    &["prove", "CN(4,2)", "--claim", "a=c & b=d"],
    &["prove", "CN(4,2)", "--claim", "a=b & c=d"],
    &["prove", "Gamma(1,2;n)"],
    &["prove", "Gamma(1,2;n)", "--misere", "--claim", "n = 2"],
    &["claims", "--verify", "--id", "K15 (4.8)"],
    &["logic", "A x: E y: y = x + x"],
    &["logic", "x + 1 = y"],
    &["study", "CN(4,2)", "--max", "8"],
    &["study", "kayles"],
    &["study", "NIM(1,4;n;d,e)"],
    &["study", "Gamma(1,2;n)", "--to", "20"],
    &["study", "Gamma(1,4;12)"],
    &["study", "dots(1x2)"],
    &["study", "nim"],
    &["strategy", "Gamma(1,2;9)"],
    &["heatmap", "wythoff", "x,y", "--to", "4"],
    &["wythoff", "--rows", "3", "--columns", "400"],
    &["atlas"],
    &["atlas", "kotzig", "--list"],
    &["atlas", "atlantis"],
    &["claims"],
    &["claims", "--id", "C7"],
    &["claims", "--verify", "--id", "C1"],
    &["games", "--published"],
    &["games", "--published", "mark", "--verify"],
    &["solve", "nim", "1,x"],
    &["solve", "nimm", "1"],
    &["positions", "kayles"],
    &["prove", "CN(4,2)", "--claim", "a=("],
    &["logic", "x +"],
    &["check", "no-such-file.cert"],
    &["study", "nim(3)", "--report", "x.pdf"],
    &["study", "S(1,h)"],
    &["prove", "CN(6,3)"],
    &["prove", "wythoff"],
    &["prove", "kayles"],
    &["prove", "S(1,h)", "--claim", "a mod 2 = 0", "--where", "h >= 1 & h mod 2 = 1"],
    &["prove", "S(1,h)", "--claim", "a mod 3 = 0", "--where", "h >= 1"],
    &["solve", "wythoff", "3,5", "--remoteness"],
    &["help", "P-position"],
    &["values", "kayles", "2..9"],
    &["values", "wythoff", "1,2"],
    &["values", "dots", "--to", "4"],
    &["values", "grundy", "--to", "200", "--checkpoint", "g.values"],
    &["values", "kayles", "--to", "100000", "--nodes", "3"],
    &["positions", "nim(2)", "x,x", "--max", "3"],
    &["positions", "CN(6,3)", "--max", "40", "--nodes", "1"],
    &["positions", "nim(2)", "x,x", "--max", "30", "--nodes", "2"],
    &["cash", "NIM(1,3)", "--piles", "4,5", "--dollars", "5,4"],
    &["conjecture", "--from", "set.csv"],
    &["conjecture", "--from", "sequence.csv"],
    &["conjecture", "--from", "short.csv"],
    &["conjecture", "--from", "box.csv"],
    &["prove", "nim(2)", "--claim", "a = b", "--certificate", "nim.cert"],
    &["check", "nim.cert"],
    &["check", "nim.cert", "set.csv"],
    &["sweep", "Gamma(m1,m2;n)", "--m1", "1..2", "--m2", "2..3", "--n", "3..6", "--db", "k.db"],
    &["query", "--db", "k.db", "m1=1"],
    &["study", "S(1,h;1)", "--for", "h=2..9"],
    &["wythoff", "--rows", "3", "--columns", "4", "--values"],
    &["prove", "Gamma(1,3;n)"],
    &["heatmap", "CN(6,3)", "x,y,5,5,5,5", "--to", "30", "--nodes", "1"],
];

const VERDICTS: [&str; 17] = [
    "proved",
    "proved (Coq)",
    "holds",
    "refuted",
    "unknown",
    "conjecture",
    "no form found",
    "not enough data",
    "accepted",
    "rejected",
    "true",
    "false",
    "open",
    "not settled",
    "own form proved",
    "own form holds",
    "no form",
];

/// Returns what is wrong with a key's value, if the key is one of those whose meaning is laid down.
fn wrong(key: &str, value: &Value) -> Option<&'static str> {
    let text = value.as_str();
    let fits = match key {
        "game" => text.is_some_and(|game| {
            // Of many boards it is their kind; a family has parameters.
            let is_more = game == "dots" || game.contains(';');
            is_more || bouton_games::parse(game).map_or(true, |named| named.game.name() == game)
        }),
        "play" => matches!(text, Some("normal" | "misere")),
        "position" | "move" | "to" if value.is_number() => key == "to",
        // Of a claim with parameters.
        "position" if value.is_array() => {
            value.as_array().is_some_and(|all| all.iter().all(Value::is_number))
        }
        "position" | "move" => text.is_some() || value.is_null(),
        "numbers" => {
            value.is_null() || value.as_array().is_some_and(|all| all.iter().all(Value::is_number))
        }
        "outcome" => value.is_null() || matches!(text, Some("P" | "N")),
        "nim_value" | "margin" => value.is_null() || value.is_i64() || value.is_u64(),
        "verdict" => text.is_some_and(|word| VERDICTS.contains(&word)),
        "reason" => text.is_some() || value.is_null(),
        "nodes" => value.is_u64(),
        "seconds" => value.is_number(),
        "unknown" => value.is_array(),
        "moves" => {
            // Those of a circle are its steps.
            let is_move = |m: &Value| m.is_string() || m.is_number() || m["to"].is_string();
            value.as_array().is_some_and(|all| all.iter().all(is_move))
        }
        _ => return None,
    };
    (!fits).then_some("is not as docs/json.md says")
}

fn walk(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let path = format!("{path}.{key}");
                if let Some(why) = wrong(key, inner) {
                    let shown: String = inner.to_string().chars().take(80).collect();
                    found.push(format!("{path} {why}: {shown}"));
                }
                walk(inner, &path, found);
            }
            if let (Some(Value::String(position)), Some(Value::Array(numbers))) =
                (map.get("position"), map.get("numbers"))
            {
                let joined = numbers.iter().map(Value::to_string).collect::<Vec<_>>().join(",");
                if position.bytes().all(|c| c.is_ascii_digit() || c == b',') && *position != joined
                {
                    found.push(format!("{path}: {position} is not {joined}"));
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|inner| walk(inner, &format!("{path}[]"), found)),
        _ => {}
    }
}

/// The manual and the program have the schema that the types of answers give. Set `BOUTON_UPDATE=1`
/// to write it anew.
#[test]
fn the_schema_is_that_of_the_types() {
    let made = bouton_report::schema::text();
    for file in ["docs/reference/schema.json", "crates/out/report/src/schema.json"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(file);
        if std::env::var_os("BOUTON_UPDATE").is_some() {
            std::fs::write(&file, &made).unwrap();
        }
        let written = std::fs::read_to_string(&file).unwrap();
        let is_same = written == made;
        assert!(is_same, "{}: BOUTON_UPDATE=1 writes it anew", file.display());
    }
}

/// Every object of the schema is closed, and what does not fit it is found.
#[test]
fn the_schema_is_closed() {
    fn closed(schema: &Value, path: &str) {
        if schema["type"] == "object" {
            assert!(schema.get("additionalProperties").is_some(), "{path} is open");
        }
        match schema {
            Value::Object(all) => {
                all.iter().for_each(|(key, inner)| closed(inner, &format!("{path}/{key}")))
            }
            Value::Array(all) => all.iter().for_each(|inner| closed(inner, path)),
            _ => {}
        }
    }
    let schema = Schema::read();
    closed(&schema.0, "");
    // A field that nobody describes, a wrong type and a missing field are found.
    let line = ["solve", "nim", "1,2"];
    let right = serde_json::json!({
        "game": "nim", "position": "1,2", "play": "normal", "outcome": "N", "nim_value": 3, "moves":
            [],
        "nodes": 1, "seconds": 0.1, "by": "search",
    });
    assert_eq!(schema.describes(line[0], &right), Ok(()));
    for (key, wrong) in [
        ("sorcery", serde_json::json!(1)),
        ("outcome", "Q".into()),
        ("nodes", (-1).into()),
        ("moves", serde_json::json!([{"to": "1,1", "outcome": "P", "nim_value": 0, "sorcery": 1}])),
        // It is left out where nothing is unknown, and so never null.
        ("reason", Value::Null),
    ] {
        let mut value = right.clone();
        value[key] = wrong;
        assert!(schema.describes(line[0], &value).is_err(), "{key}");
    }
    let mut value = right;
    value.as_object_mut().unwrap().remove("by");
    assert!(schema.describes(line[0], &value).is_err());
}

/// Returns tables from which forms are conjectured.
fn tables() -> [(&'static str, String); 4] {
    let rows = |row: &dyn Fn(u32) -> String| (0..36).map(|n| row(n) + "\n").collect::<String>();
    [
        ("set.csv", rows(&|n| format!("{n},{}", if n % 3 == 0 { "P" } else { "N" }))),
        ("sequence.csv", rows(&|n| format!("{n},{}", n % 3))),
        ("short.csv", "0,0\n1,1\n".into()),
        ("box.csv", rows(&|n| format!("{},{},{}", n / 6, n % 6, (n / 6) ^ (n % 6)))),
    ]
}

#[test]
fn every_command_prints_one_value_in_the_same_words() {
    let mut found = Vec::new();
    let schema = Schema::read();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in tables() {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    for line in LINES {
        let output = Command::new(env!("CARGO_BIN_EXE_bouton"))
            .args(line)
            .args(["--json", "--quiet"])
            .env("BOUTON_THEOREMS", "off")
            .current_dir(folder.path())
            .output()
            .unwrap();
        let name = line.join(" ");
        let told = String::from_utf8(output.stdout).unwrap();
        match serde_json::from_str::<Value>(&told) {
            Ok(value) => {
                let expected = if output.status.code() == Some(2) { "error" } else { "" };
                if value.get("error").is_some() != (expected == "error") {
                    found.push(format!("{name}: exit {:?}, yet {told:.200}", output.status.code()));
                }
                walk(&value, &name, &mut found);
                let kind = if line.contains(&"--published") { "literature" } else { line[0] };
                if let Err(why) = schema.describes(kind, &value) {
                    found.push(format!("{name}: not as docs/reference/schema.json says: {why}"));
                }
            }
            Err(error) => found.push(format!("{name}: not one JSON value ({error}): {told:.300}")),
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
