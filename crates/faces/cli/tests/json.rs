//! `--json`: one value a command, and the words of `docs/json.md` mean the same in all of them.

#![allow(clippy::unwrap_used, reason = "a test")]

use serde_json::Value;
use std::process::Command;

/// A command line for each command that has JSON, several where it has several kinds of answers.
const LINES: [&[&str]; 56] = [
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
    &["genus", "nim", "3"],
    &["genus", "0.123", "--to", "6"],
    &["quotient", "0.75"],
    &["cash", "NIM(1,4)"],
    &["prove", "CN(4,2)", "--claim", "a=c & b=d"],
    &["prove", "CN(4,2)", "--claim", "a=b & c=d"],
    &["prove", "Gamma(1,2;n)"],
    &["prove", "Gamma(1,2;n)", "--misere", "--claim", "n = 2"],
    &["ledger", "--verify", "--id", "K15 (4.8)"],
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
    &["ledger"],
    &["ledger", "--id", "C7"],
    &["ledger", "--verify", "--id", "C1"],
    &["games", "--literature"],
    &["games", "--literature", "mark", "--verify"],
    &["solve", "nim", "1,x"],
    &["solve", "nimm", "1"],
    &["positions", "kayles"],
    &["prove", "CN(4,2)", "--claim", "a=("],
    &["logic", "x +"],
    &["check", "no-such-file.cert"],
    &["study", "nim(3)", "--report", "x.pdf"],
];

const VERDICTS: [&str; 16] = [
    "proved",
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

/// What is wrong with a key's value, if it is one of those whose meaning is laid down.
fn wrong(key: &str, value: &Value) -> Option<&'static str> {
    let text = value.as_str();
    let fits = match key {
        "game" => text.is_some_and(|game| {
            bouton_games::parse(game).map_or(true, |named| named.game.name() == game || game.contains(';'))
        }),
        "play" => matches!(text, Some("normal" | "misere")),
        "position" | "move" | "to" if value.is_number() => key == "to",
        "position" | "move" => text.is_some() || value.is_null(),
        "numbers" => value.is_null() || value.as_array().is_some_and(|all| all.iter().all(Value::is_number)),
        "outcome" => value.is_null() || matches!(text, Some("P" | "N")),
        "nim_value" | "margin" => value.is_null() || value.is_i64() || value.is_u64(),
        "verdict" => text.is_some_and(|word| VERDICTS.contains(&word)),
        "reason" => text.is_some() || value.is_null(),
        "nodes" => value.is_u64(),
        "seconds" => value.is_number(),
        "unknown" => value.is_array(),
        "moves" => {
            value.as_array().is_some_and(|all| all.iter().all(|m| m.is_string() || m["to"].is_string()))
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
                if position.bytes().all(|c| c.is_ascii_digit() || c == b',') && *position != joined {
                    found.push(format!("{path}: {position} is not {joined}"));
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|inner| walk(inner, &format!("{path}[]"), found)),
        _ => {}
    }
}

#[test]
fn every_command_prints_one_value_in_the_same_words() {
    let mut found = Vec::new();
    for line in LINES {
        let output = Command::new(env!("CARGO_BIN_EXE_bouton"))
            .args(line)
            .args(["--json", "--quiet"])
            .env("BOUTON_THEOREMS", "off")
            .output()
            .unwrap();
        let name = line.join(" ");
        let told = String::from_utf8(output.stdout).unwrap();
        // Bad input is reported in JSON, too, on one of the two streams.
        let told = match told.trim() {
            "" => String::from_utf8(output.stderr).unwrap(),
            _ => told,
        };
        match serde_json::from_str::<Value>(&told) {
            Ok(value) => {
                let expected = if output.status.code() == Some(2) { "error" } else { "" };
                if value.get("error").is_some() != (expected == "error") {
                    found.push(format!("{name}: exit {:?}, yet {told:.200}", output.status.code()));
                }
                walk(&value, &name, &mut found);
            }
            Err(error) => found.push(format!("{name}: not one JSON value ({error}): {told:.300}")),
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
