//! Every published table and every line of brute force under
//! tests/oracles, held against the engines: one named test each. The schema is in
//! tests/oracles/README.md.

#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Nimber, Outcome, Play, mex};
use bouton_engine::game::{Game, Session, Settings};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/oracles");
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../literature/data/tables");
    let mut trials = Vec::new();
    for file in files(&tables, "toml") {
        let tables: Table = std::fs::read_to_string(&file).unwrap().parse().unwrap();
        for (kind, entries) in tables {
            for (i, entry) in entries.as_array().unwrap().iter().enumerate() {
                let entry = entry.as_table().unwrap().clone();
                let text = |key: &str| {
                    entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
                };
                let name = format!(
                    "{kind} {} {} {} #{}",
                    text("claim"),
                    text("game"),
                    text("position"),
                    i + 1
                );
                let kind = kind.clone();
                trials.push(Trial::test(name, move || published(&kind, &entry)));
            }
        }
    }
    for file in files(&root.join("brute"), "txt") {
        let name = format!("brute force: {}", file.file_stem().unwrap().to_string_lossy());
        trials.push(Trial::test(name, move || brute(&file)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> =
        all.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    found.sort();
    assert!(!found.is_empty(), "no oracles in {}", folder.display());
    found
}

/// Complains unless what we found is what was published.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, published: T) -> Result<(), Failed> {
    if found == published {
        return Ok(());
    }
    Err(format!("{what}: found {found:?}, published {published:?}").into())
}

fn number(value: &Value) -> u32 {
    value.as_integer().unwrap().try_into().unwrap()
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
}

fn game(entry: &Table) -> Box<dyn Game> {
    bouton_games::parse(entry["game"].as_str().unwrap()).unwrap().game
}

/// Returns Nim-values of single heaps 0..=to.
fn values(game: &dyn Game, to: u32) -> Vec<u32> {
    let mut all = Vec::new();
    game.session(Settings::default())
        .values(to, &mut |_, value| all.push(value.0))
        .unwrap()
        .unwrap();
    all
}

fn published(kind: &str, entry: &Table) -> Result<(), Failed> {
    match kind {
        "mex" => same(
            "mex",
            mex(numbers(&entry["of"]).into_iter().map(Nimber)).0,
            number(&entry["value"]),
        ),
        "nim_sum" => {
            let sum = numbers(&entry["of"]).into_iter().map(Nimber).fold(Nimber(0), |a, b| a ^ b);
            same("nim-sum", sum.0, number(&entry["value"]))
        }
        "values" => {
            let (from, published) = (number(&entry["from"]), numbers(&entry["values"]));
            let found = values(&*game(entry), from + published.len() as u32 - 1);
            same("values", found[from as usize..].to_vec(), published)
        }
        "greatest" => greatest(entry),
        "position" => position(entry),
        "grid" => {
            let game = game(entry);
            let mut session = game.session(Settings::default());
            for (i, row) in entry["rows"].as_array().unwrap().iter().enumerate() {
                for (j, value) in numbers(row).into_iter().enumerate() {
                    let found = session.evaluate(&format!("{i},{j}")).unwrap().unwrap().nim_value;
                    same(&format!("{i},{j}"), found, Some(Nimber(value)))?;
                }
            }
            Ok(())
        }
        "period" if entry.contains_key("row") => row_period(entry),
        "period" => period(entry),
        "residues" => {
            let game = game(entry);
            let (modulus, p) = (number(&entry["modulus"]), numbers(&entry["p"]));
            for n in 0..6 * modulus + 50 {
                let found = game
                    .session(Settings::default())
                    .evaluate(&n.to_string())
                    .unwrap()
                    .unwrap()
                    .outcome;
                same(&format!("pile {n}"), found == Some(Outcome::P), p.contains(&(n % modulus)))?;
            }
            Ok(())
        }
        "starts" => starts(entry),
        "cash" => cash(entry),
        kind => Err(format!("no test reads [[{kind}]]").into()),
    }
}

fn play(entry: &Table) -> Play {
    match entry.get("play").and_then(Value::as_str) {
        Some("misere") => Play::Misere,
        _ => Play::Normal,
    }
}

/// Returns the parts of a position in their order or, where it is a list of rows, in any.
fn parts(game: &dyn Game, position: &str) -> Vec<String> {
    let position = game.normal_form(position).unwrap();
    let mut parts: Vec<String> = position.split(',').map(str::to_owned).collect();
    if game.heap_game().is_none() {
        parts.retain(|part| part != "0");
        parts.sort();
    }
    parts
}

fn position(entry: &Table) -> Result<(), Failed> {
    let game = game(entry);
    let position = match entry["position"].as_str().unwrap() {
        "" => game.start().unwrap(),
        position => position.to_owned(),
    };
    let found = game
        .session(Settings { play: play(entry), ..Settings::default() })
        .analyse(&position)
        .unwrap();
    if let Some(outcome) = entry.get("outcome") {
        same(
            "outcome",
            found.evaluation.outcome.unwrap().to_string().as_str(),
            outcome.as_str().unwrap(),
        )?;
    }
    if let Some(value) = entry.get("nim_value") {
        same("nim-value", found.evaluation.nim_value, Some(Nimber(number(value))))?;
    }
    if let Some(margin) = entry.get("margin") {
        same("margin", found.evaluation.margin.map(i64::from), margin.as_integer())?;
    }
    if let Some(options) = entry.get("options") {
        let ours: BTreeSet<_> = found.moves.iter().map(|m| parts(&*game, &m.to)).collect();
        let theirs = texts(options).into_iter().map(|option| parts(&*game, option)).collect();
        same("options", ours, theirs)?;
    }
    if let Some(winning) = entry.get("winning") {
        for option in texts(winning) {
            let wins =
                found.moves.iter().filter(|m| parts(&*game, &m.to) == parts(&*game, option)).any(
                    |m| match m.evaluation.margin {
                        Some(margin) => Some(margin) == found.evaluation.margin,
                        None => m.evaluation.outcome == Some(Outcome::P),
                    },
                );
            same(&format!("{option} wins"), wins, true)?;
        }
    }
    Ok(())
}

fn greatest(entry: &Table) -> Result<(), Failed> {
    let (from, to, at) = (number(&entry["from"]), number(&entry["to"]), numbers(&entry["at"]));
    let found = values(&*game(entry), to);
    let value = found[from as usize..].iter().max().copied();
    same("greatest", value, Some(number(&entry["value"])))?;
    let where_found: Vec<u32> = (from..=to).filter(|n| Some(found[*n as usize]) == value).collect();
    same("where", where_found, at)
}

fn period(entry: &Table) -> Result<(), Failed> {
    let [period, preperiod] = ["period", "preperiod"].map(|key| number(&entry[key]) as usize);
    let saltus = number(&entry["saltus"]);
    let found = values(&*game(entry), (2 * preperiod + 6 * period) as u32);
    for n in preperiod..found.len() - period {
        same(&format!("{n} and one period on"), found[n] + saltus, found[n + period])?;
    }
    let start = preperiod.next_multiple_of(period);
    if let Some(values) = entry.get("values") {
        same("one period", found[start..start + period].to_vec(), numbers(values))?;
    }
    if let Some(exceptions) = entry.get("exceptions") {
        let regular = |n: usize| found[start + n % period] - saltus * ((start - n) / period) as u32;
        let ours: Vec<Vec<u32>> = (0..preperiod)
            .filter(|n| found[*n] != regular(*n))
            .map(|n| vec![n as u32, found[n]])
            .collect();
        same("exceptions", ours, exceptions.as_array().unwrap().iter().map(numbers).collect())?;
    }
    Ok(())
}

/// Checks money enough for the winner against unlimited money, f(modulus·k + i) = slope\[i\]·k +
/// constant\[i\]: with f dollars the winner wins, with one less no more. The loser's values are not
/// claims of this kind and are passed over.
fn cash(entry: &Table) -> Result<(), Failed> {
    let game = game(entry);
    let mut session = game.session(Settings::default());
    let mut outcome = |position: String| session.evaluate(&position).unwrap().unwrap().outcome;
    let (modulus, from) = (number(&entry["modulus"]), number(&entry["from_k"]));
    let (slope, constant) =
        (entry["slope"].as_array().unwrap(), entry["constant"].as_array().unwrap());
    let mover = entry["function"].as_str() == Some("fI");
    let winner = if mover { Outcome::N } else { Outcome::P };
    let mut checked = 0;
    for (n, k) in (from..from + 5).flat_map(|k| (0..modulus).map(move |i| (modulus * k + i, k))) {
        let i = (n % modulus) as usize;
        if outcome(format!("{n},inf,inf")) != Some(winner) {
            continue;
        }
        let f = slope[i].as_integer().unwrap() * i64::from(k) + constant[i].as_integer().unwrap();
        let wins = |dollars: i64| {
            if mover { format!("{n},{dollars},inf") } else { format!("{n},inf,{dollars}") }
        };
        same(&format!("{n} stones, {f} dollars"), outcome(wins(f)), Some(winner))?;
        same(
            &format!("{n} stones, {f} dollars less one"),
            outcome(wins(f - 1)) == Some(winner),
            false,
        )?;
        checked += 1;
    }
    same("some were checked", checked > 0, true)
}

/// Checks the nim-values of `row`,n less n, as far as the generic engine goes in a moment.
fn row_period(entry: &Table) -> Result<(), Failed> {
    const FAR: u32 = 400;
    let game = game(entry);
    let row = number(&entry["row"]);
    let start = entry.get("preperiod").map(number);
    let Some((period, start)) = entry.get("period").map(number).zip(start) else { return Ok(()) };
    let mut session = game.session(Settings { nim_value_nodes: u64::MAX, ..Settings::default() });
    let mut value = |n: u32| {
        let found = session.evaluate(&format!("{row},{n}")).unwrap().unwrap().nim_value.unwrap();
        i64::from(found.0) - i64::from(n)
    };
    for n in start..FAR.max(start) {
        if n + period <= FAR {
            same(&format!("{row},{n} and one period on"), value(n), value(n + period))?;
        }
    }
    if start > 0 && start - 1 + period <= FAR {
        same("the period starts no sooner", value(start - 1) != value(start - 1 + period), true)?;
    }
    Ok(())
}

/// Checks which sizes start with P, as far as the generic engine goes in a moment.
fn starts(entry: &Table) -> Result<(), Failed> {
    const FAR: u32 = 60;
    let pattern = entry["game"].as_str().unwrap();
    let p = numbers(&entry["p"]);
    for n in 1..=number(&entry["up_to"]).min(FAR) {
        let game = bouton_games::parse(&pattern.replace(";n)", &format!(";{n})"))).unwrap().game;
        let how = Settings { nim_value_nodes: 0, ..Settings::default() };
        let found = game.session(how).evaluate(&game.start().unwrap()).unwrap().unwrap();
        same(&format!("n = {n}"), found.outcome == Some(Outcome::P), p.contains(&n))?;
    }
    Ok(())
}

/// One game's sessions under both conventions.
struct Sessions<'g> {
    normal: Box<dyn Session + 'g>,
    misere: Box<dyn Session + 'g>,
}

/// Checks every line of a file of brute force: options, both outcomes, nim-value, margin.
fn brute(file: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).peekable();
    let mut count = 0;
    while let Some(name) = lines.peek().map(|line| line.split('\t').next().unwrap()) {
        let game = bouton_games::parse(name).map_err(|error| format!("{name}: {error}"))?.game;
        let session = |play| game.session(Settings { play, ..Settings::default() });
        let mut sessions =
            Sessions { normal: session(Play::Normal), misere: session(Play::Misere) };
        while let Some(line) = lines.next_if(|line| line.split('\t').next() == Some(name)) {
            brute_line(&mut sessions, line)
                .map_err(|error| format!("{line}: {}", error.message().unwrap_or_default()))?;
            count += 1;
        }
    }
    same("lines", count > 20, true)
}

fn brute_line(sessions: &mut Sessions<'_>, line: &str) -> Result<(), Failed> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [_, position, options, outcome, misere, value, margin] = fields[..] else {
        return Err("seven fields are needed".into());
    };
    let shown = |text: Option<String>| text.unwrap_or("-".into());
    let found = sessions.normal.analyse(position).map_err(|error| error.to_string())?;
    let judged = found.evaluation;
    same("options", found.moves.len().to_string().as_str(), options)?;
    same("outcome", shown(judged.outcome.map(|o| o.to_string())).as_str(), outcome)?;
    same("nim-value", shown(judged.nim_value.map(|v| v.0.to_string())).as_str(), value)?;
    same("margin", shown(judged.margin.map(|m| m.to_string())).as_str(), margin)?;
    if misere != "-" {
        let judged = sessions.misere.evaluate(position).unwrap().unwrap();
        same("misère outcome", shown(judged.outcome.map(|o| o.to_string())).as_str(), misere)?;
    }
    Ok(())
}
