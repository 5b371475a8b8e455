//! docs/discovery.md: the results of `bouton study` on the games of the catalogue and of the
//! literature, each in its own process within the same time; a process that does not end is killed.

use crate::figures;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The games, by the section of the page.
const LIST: &str = include_str!("../discovery.toml");

/// The seconds for each game.
const SECONDS: f64 = 20.0;

/// A row of the page.
struct PageRow {
    game: String,
    form: String,
    status: String,
    seconds: f64,
    known: String,
}

/// The rows of a page that are kept, by section and game.
struct Kept {
    /// A part of the names of the games that are studied again.
    again: String,
    rows: HashMap<(String, String), String>,
}

impl Kept {
    /// Returns the rows of the present page; a section is its title without the number.
    fn of(page: &str, again: String) -> Kept {
        let (mut section, mut rows) = (String::new(), HashMap::new());
        for line in page.lines() {
            if let Some(title) = line.strip_prefix("## ") {
                section = unnumbered(title).to_owned();
            } else if let Some(game) =
                line.strip_prefix("| ").and_then(|rest| rest.split(" | ").next())
            {
                rows.insert((section.clone(), game.to_owned()), line.to_owned());
            }
        }
        Kept { again, rows }
    }

    /// Returns the row of a game that is not studied again, and whether it says in this column that
    /// a form is proved.
    fn row(&self, section: &str, game: &str, column: usize) -> Option<(&str, bool)> {
        if game.contains(&self.again) {
            return None;
        }
        let row = self.rows.get(&(unnumbered(section).to_owned(), game.to_owned()))?;
        // A bar within a form has a backslash before it.
        Some((row, row.split(" | ").nth(column) == Some("proved")))
    }
}

fn unnumbered(title: &str) -> &str {
    title.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start()
}

/// Writes the page: `discovery [--seconds S] [--program PATH] [--to FILE] [--only NAME]`. With
/// `--only` the games whose names hold NAME are studied, and new ones; of the others the rows of
/// the present page are kept.
pub fn write(root: &Path, arguments: &[String]) -> Result<(), String> {
    let (mut seconds, mut program) = (SECONDS, root.join("target/release/bouton"));
    let (mut to, mut only) = (root.join("docs/discovery.md"), None);
    let mut rest = arguments.iter();
    while let Some(option) = rest.next() {
        let value = rest.next().ok_or(format!("{option} needs a value"))?;
        match option.as_str() {
            "--seconds" => {
                seconds =
                    value.parse().map_err(|_| format!("--seconds {value}: a number is expected"))?
            }
            "--program" => program = PathBuf::from(value),
            "--to" => to = PathBuf::from(value),
            "--only" => only = Some(value.clone()),
            _ => {
                return Err(format!(
                    "{option}: one of --seconds, --program, --to, --only is expected"
                ));
            }
        }
    }
    if !program.exists() {
        return Err(format!(
            "{} is not there: cargo build --release, or --program PATH",
            program.display()
        ));
    }
    let kept = match only {
        None => None,
        Some(again) => {
            let page =
                fs::read_to_string(&to).map_err(|error| format!("{}: {error}", to.display()))?;
            Some(Kept::of(&page, again))
        }
    };
    let list: toml::Table = LIST.parse().map_err(|error| format!("discovery.toml: {error}"))?;
    let mut page = String::from(HEAD);
    let _ = writeln!(
        page,
        "The limit per game is {seconds} s, more for some (xtask/discovery.toml). Times are from \
         one run and differ between machines.\n"
    );
    for part in list["part"].as_array().into_iter().flatten() {
        let text = |key: &str| part.get(key).and_then(toml::Value::as_str).unwrap_or_default();
        let title = text("title");
        let _ = writeln!(page, "## {title}\n\n{}\n", text("about"));
        let known = part.get("known").is_some();
        head(&mut page, known);
        let (mut found, mut count) = (0, 0);
        for game in part["game"].as_array().into_iter().flatten() {
            let text = |key: &str| game.get(key).and_then(toml::Value::as_str).unwrap_or_default();
            let arguments: Vec<String> = game["study"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|word| word.as_str().map(str::to_owned))
                .collect();
            let name = code(&game_name(&arguments).1.join(" "));
            if let Some((row, proved)) = kept.as_ref().and_then(|kept| kept.row(title, &name, 2)) {
                let _ = writeln!(page, "{row}");
                (found, count) = (found + usize::from(proved), count + 1);
                continue;
            }
            // Some games have their own limit.
            let own = game
                .get("seconds")
                .and_then(toml::Value::as_integer)
                .map_or(seconds, |own| own as f64);
            let row = study_game(&program, &arguments, own.max(seconds), text("known"))?;
            (found, count) = (found + usize::from(row.status == "proved"), count + 1);
            line(&mut page, &row, known);
        }
        let _ = writeln!(page, "\nProved: {found} of {count}.\n");
        // An interrupted run leaves the finished sections; where rows are kept it changes nothing.
        if kept.is_none() {
            write_page(&to, &page)?;
        }
    }
    literature(&program, seconds, &mut page, kept.as_ref(), &to)?;
    write_page(&to, &page)
}

fn write_page(to: &Path, page: &str) -> Result<(), String> {
    fs::write(to, figures::wrapped(page) + "\n")
        .map_err(|error| format!("{}: {error}", to.display()))
}

const HEAD: &str = "# Discovery\n\nThis page is made by `cargo xtask discovery`. It lists what \
`bouton study` finds from the rules alone in the games of xtask/discovery.toml and in the \
published games. *proved*: the independent checker has accepted the certificate. *holds*: the \
form agrees with every table computed. *proved in part*: no form of all P-positions was found, \
and of some of them one is proved; the largest is shown. *no form*: no form was found. The last \
column, if any, says what else is known.\n\n";

fn head(page: &mut String, known: bool) {
    let (more, line) = if known { (" what else is known |", "---|") } else { ("", "") };
    let _ = writeln!(page, "| game | form | status | seconds |{more}\n|---|---|---|---|{line}");
}

fn line(page: &mut String, row: &PageRow, known: bool) {
    println!("{}: {}, {:.1} s", row.game, row.status, row.seconds);
    let more = if known { format!(" {} |", row.known) } else { String::new() };
    let _ = writeln!(
        page,
        "| {} | {} | {} | {:.1} |{more}",
        code(&row.game),
        code(&short(&row.form)),
        row.status,
        row.seconds
    );
}

/// Returns a cell of a table with code in it.
fn code(text: &str) -> String {
    match text {
        "" => String::new(),
        // A bar would end the cell.
        text => format!("`{}`", text.replace('|', "\\|").replace('\n', " ")),
    }
}

/// Cuts forms that are too long for a table.
fn short(form: &str) -> String {
    const MAX_LENGTH: usize = 240;
    match form.char_indices().nth(MAX_LENGTH) {
        Some((at, _)) => format!("{}…", &form[..at]),
        None => form.to_owned(),
    }
}

/// Returns the answer of the program as JSON; `None` if it did not end or printed something else.
fn run_program(program: &Path, arguments: &[&str], seconds: f64) -> Result<Option<Value>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", program.display());
    let mut child = Command::new(program)
        .args(["--json", "--quiet"])
        .args(arguments)
        .env("BOUTON_THEOREMS", "off")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let mut out = child.stdout.take().ok_or("no output")?;
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut out, &mut text).map(|_| text)
    });
    let end = Instant::now() + Duration::from_secs_f64(seconds * 1.5 + 10.0);
    while child.try_wait().map_err(failed)?.is_none() {
        if Instant::now() > end {
            child.kill().map_err(failed)?;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = reader.join().map_err(|_| "the reader failed")?.map_err(failed)?;
    Ok(text.lines().last().and_then(|line| serde_json::from_str(line).ok()))
}

/// Returns options before the name of a game, and the name with what follows it.
fn game_name(arguments: &[String]) -> (&[String], &[String]) {
    let is_file = |word: &String| word.starts_with("published:") || word.ends_with(".toml");
    let study = arguments.iter().position(|word| word != "--rules" && !is_file(word));
    arguments.split_at(study.unwrap_or(0))
}

/// Studies one game.
fn study_game(
    program: &Path,
    arguments: &[String],
    seconds: f64,
    known: &str,
) -> Result<PageRow, String> {
    let limit = seconds.to_string();
    let mut all = vec!["--seconds", &limit];
    let (before, after) = game_name(arguments);
    all.extend(before.iter().map(String::as_str));
    all.push("study");
    all.extend(after.iter().map(String::as_str));
    let started = Instant::now();
    let found = run_program(program, &all, seconds)?;
    let took = started.elapsed().as_secs_f64();
    let (form, status) =
        found.as_ref().map_or_else(|| (String::new(), "no answer".to_owned()), form_and_range);
    Ok(PageRow { game: after.join(" "), form, status, seconds: took, known: known.to_owned() })
}

/// Returns the form of a study of a heap game, and the range of its verdict.
fn form_and_range(study: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let verdict = text(&study["verdict"]);
    let board = study["boards"].as_array().and_then(|boards| boards.last());
    let own = board.map(|board| match &board["claim"] {
        Value::Null => text(&board["form"]),
        claim => text(claim),
    });
    let values = match (&study["values"]["formula"], &study["values"]["relation"]) {
        (Value::String(formula), _) | (_, Value::String(formula)) => Some(formula.clone()),
        _ => None,
    };
    let form = values.or(own).unwrap_or_default();
    let rounds =
        board.and_then(|board| board["rounds"].as_array()).and_then(|rounds| rounds.last());
    match verdict.as_str() {
        "proved" => (form, "proved".into()),
        "holds" => {
            let to = rounds.map(|round| match &round["checked_to"] {
                Value::Null => round["max"].to_string(),
                to => to.to_string(),
            });
            (form, format!("holds to {}: {}", to.unwrap_or_default(), text(&study["reason"])))
        }
        "refuted" => (
            String::new(),
            format!("no form: the last one found is refuted, {}", text(&study["counterexample"])),
        ),
        "" => (String::new(), text(&study["error"]["message"])),
        _ if study["partial"].as_array().is_some_and(|theorems| !theorems.is_empty()) => {
            partial(study)
        }
        _ => {
            let tried = rounds.map_or_else(String::new, |round| {
                format!(
                    "; the last of {} tables has heaps up to {}",
                    board.map_or(0, |b| b["rounds"].as_array().map_or(0, Vec::len)),
                    round["max"]
                )
            });
            (String::new(), format!("no form{tried}"))
        }
    }
}

/// Returns the largest of the partial theorems of a study, and what all of them cover.
fn partial(study: &Value) -> (String, String) {
    let theorems = study["partial"].as_array().map_or(&[][..], Vec::as_slice);
    let largest = theorems.iter().max_by_key(|theorem| theorem["classes"].as_u64());
    let form = largest.and_then(|theorem| theorem["form"].as_str()).unwrap_or_default();
    let all = largest.map_or(0, |theorem| theorem["of"].as_u64().unwrap_or(0));
    let what = if theorems.len() == 1 {
        "1 theorem".into()
    } else {
        format!("{} theorems", theorems.len())
    };
    let covered = &study["partial_classes"];
    (
        form.to_owned(),
        format!("proved in part: {what} on {covered} of {all} P-classes of the table"),
    )
}

/// Writes the section of published games: the recorded verdict of the claim, and the result of a
/// study.
fn literature(
    program: &Path,
    seconds: f64,
    page: &mut String,
    kept: Option<&Kept>,
    to: &Path,
) -> Result<(), String> {
    let games = run_program(program, &["games", "--published"], 60.0)?
        .ok_or("no games of the literature")?;
    let games = games.as_array().ok_or("no list of games")?;
    let _ = writeln!(
        page,
        "## 7. Published games\n\nThe verdict on the published claim (`bouton games --published \
         --verify`), and what `study` finds without it, for those of the {} games that have a \
         fixed number of heaps.\n\n| game | claim | found from the rules | status | seconds \
         |\n|---|---|---|---|---|",
        games.len()
    );
    let (mut found, mut count) = (0, 0);
    for game in games.iter().filter(|game| game["move"].is_string()) {
        let text = |key: &str| game[key].as_str().unwrap_or_default().to_owned();
        let name = text("name");
        if let Some((row, proved)) = kept.and_then(|kept| kept.row("Published games", &name, 3)) {
            let _ = writeln!(page, "{row}");
            (found, count) = (found + usize::from(proved), count + 1);
            continue;
        }
        let mut arguments = vec!["--rules".to_owned(), format!("published:{name}"), name.clone()];
        if text("claim").contains("v =") {
            arguments.push("--values".into());
        }
        if text("play") == "misere" {
            arguments.push("--misere".into());
        }
        let mut row = study_game(program, &arguments, seconds, "")?;
        count += 1;
        found += usize::from(row.status == "proved");
        println!("{}: {}, {:.1} s", row.game, row.status, row.seconds);
        row.form = short(&row.form).replace('|', "\\|").replace('\n', " ");
        let form = if row.form.is_empty() { String::new() } else { format!("`{}`", row.form) };
        let _ = writeln!(
            page,
            "| {name} | {} | {form} | {} | {:.1} |",
            text("verdict"),
            row.status,
            row.seconds
        );
        if kept.is_none() {
            write_page(to, page)?;
        }
    }
    let _ = writeln!(page, "\nFound and proved from the rules alone: {found} of {count}.");
    Ok(())
}
