//! The guides of the manual, run: every command of their console blocks, and what it prints.
//!
//! A block is plain text. `$ ` begins a command, what follows is its output. Three dots, on a line
//! or within one, stand for anything; spans of time are not compared, progress is not reported. A
//! comment `<!-- exit 1 -->` before a block says how its last command ends, where that is not 0. A
//! block that begins with `# NAME` or `// NAME` in its first line is the file NAME.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// One block between fences.
struct Block {
    language: String,
    lines: Vec<String>,
    exit: i32,
    line: usize,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let (mut inside, mut exit) = (false, 0);
    for (number, line) in text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(language) => {
                inside = true;
                let language = language.trim().to_owned();
                found.push(Block {
                    language,
                    lines: Vec::new(),
                    exit: std::mem::take(&mut exit),
                    line: number + 1,
                });
            }
            None if inside => found.last_mut().unwrap().lines.push(line.to_owned()),
            None => {
                let said =
                    line.strip_prefix("<!-- exit ").and_then(|rest| rest.strip_suffix(" -->"));
                exit = said.map_or(exit, |status| status.parse().unwrap());
            }
        }
    }
    found
}

/// Commands with their printed output.
fn commands(block: &Block) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((command.to_owned(), Vec::new())),
            (None, Some((_, output))) => output.push(line.clone()),
            (None, None) => panic!("line {}: output without a command", block.line),
        }
    }
    for (_, output) in &mut found {
        while output.last().is_some_and(|line| line.trim().is_empty()) {
            output.pop();
        }
    }
    found
}

/// Writes every span of time of a line as `T s`.
fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |word: &str| {
        let digits = word.trim_start_matches('(');
        !digits.is_empty() && digits.parse::<f64>().is_ok()
    };
    let is_unit =
        |word: &&str| word.trim_end_matches([')', ',', ':', ';']) == "s" && !word.is_empty();
    let mut told: Vec<String> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        if number(word) && words.get(i + 1).is_some_and(is_unit) {
            told.push(word.replace(|c: char| c.is_ascii_digit() || c == '.', "") + "T");
        } else {
            told.push((*word).to_owned());
        }
    }
    told.join(" ").trim_end().to_owned()
}

/// Returns whether a line matches, with dots for any text.
fn fits(told: &str, line: &str) -> bool {
    let parts: Vec<&str> = told.split('…').collect();
    let [first, middle @ .., last] = &parts[..] else { return told == line };
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Returns whether the output matches, with a line of dots for any lines.
fn agrees(told: &[String], output: &[String]) -> bool {
    match told.split_first() {
        None => output.is_empty(),
        Some((line, rest)) if line == "…" => {
            (0..=output.len()).any(|skip| agrees(rest, &output[skip..]))
        }
        Some((line, rest)) => {
            output.split_first().is_some_and(|(o, more)| fits(line, o) && agrees(rest, more))
        }
    }
}

/// Returns where a tutorial is run, and leaves its files.
fn place(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tutorial-{name}"))
}

fn run(path: &Path) -> Vec<String> {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let place = place(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_bouton")).parent().unwrap();
    let search = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut slips = Vec::new();
    for block in blocks(&std::fs::read_to_string(path).unwrap()) {
        let file = block
            .lines
            .first()
            .and_then(|line| line.strip_prefix("# ").or_else(|| line.strip_prefix("// ")))
            .filter(|_| block.language != "console");
        if let Some(file) = file {
            std::fs::write(place.join(file), block.lines.join("\n") + "\n").unwrap();
        }
        if block.language != "console" {
            continue;
        }
        let all = commands(&block);
        for (i, (command, told)) in all.iter().enumerate() {
            let output = Command::new("sh")
                .args(["-c", command])
                .current_dir(&place)
                .env("PATH", &search)
                .env("BOUTON_QUIET", "1")
                .env("BOUTON_QUIET", "1")
                .env("BOUTON_THEOREMS", place.join("theorems"))
                .output()
                .unwrap();
            let expected = if i + 1 == all.len() { block.exit } else { 0 };
            let text = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            let lines: Vec<String> = text.trim_end().lines().map(without_times).collect();
            let wanted: Vec<String> = told.iter().map(|line| without_times(line)).collect();
            if output.status.code() != Some(expected) || !agrees(&wanted, &lines) {
                slips.push(format!(
                    "{name}, line {}: `{command}` ended with {} (told: {expected}) and \
                     printed\n{text}",
                    block.line, output.status
                ));
            }
        }
    }
    slips
}

/// Returns the manual's folder.
fn manual() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_folder.ancestors().find(|folder| folder.join("docs/SUMMARY.md").exists());
    root.expect("the manual lies above this crate").join("docs")
}

fn pages(folder: &str, least: usize, skip: Option<&str>) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(manual().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| {
        path.extension().is_some_and(|e| e == "md")
            && !skip.is_some_and(|skip| path.ends_with(skip))
    });
    files.sort();
    assert!(files.len() >= least, "{files:?}");
    let errors: Vec<String> = files.iter().flat_map(|path| run(path)).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn tutorials_say_what_happens() {
    pages("tutorials", 7, Some(PERIODS));
}

#[test]
fn how_to_pages_say_what_happens() {
    pages("how-to", 4, None);
}

#[test]
fn explanations_say_what_happens() {
    pages("explanation", 2, None);
}

#[test]
fn the_page_of_the_formula_language_says_what_happens() {
    let errors = run(&manual().join("reference/formula-language.md"));
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

const PERIODS: &str = "periods.md";

/// 0.104 has period 11,770,282 from 197,769,598 on: the tutorial finds it by its window, and the
/// checker accepts the certificate that it leaves, but not when a number in it is changed. The
/// search takes seconds, so it is made once.
#[test]
fn the_tutorial_on_periods_leaves_a_proof() {
    let slips = run(&manual().join("tutorials").join(PERIODS));
    assert!(slips.is_empty(), "{}", slips.join("\n"));
    let file = place("periods").join("0.104.cert");
    let certificate = std::fs::read_to_string(&file).unwrap();
    assert!(certificate.contains("have period 11770282 from 197769598 on\n"), "{certificate}");
    assert!(certificate.contains("\nwindow 65539 197835137 4194304\n"), "{certificate}");
    let verdict = || {
        let program = env!("CARGO_BIN_EXE_bouton");
        // No machine takes a day.
        let arguments = ["--json", "--seconds", "86400", "check"];
        let output = Command::new(program).args(arguments).arg(&file).output().unwrap();
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        told["verdict"].clone()
    };
    assert_eq!(verdict(), "accepted");
    std::fs::write(&file, certificate.replace("197769598", "197769596")).unwrap();
    assert_eq!(verdict(), "rejected");
}

/// The comparison itself: what is wrong is seen.
#[test]
fn a_wrong_line_is_seen() {
    let lines = |text: &str| text.lines().map(without_times).collect::<Vec<_>>();
    let output = lines("a 12 of 3\nb (0.25 s)\nc");
    assert!(agrees(&lines("a … of 3\nb (7.5 s)\nc"), &output));
    assert!(agrees(&lines("…\nc"), &output));
    assert!(!agrees(&lines("a … of 4\nb (7.5 s)\nc"), &output));
    assert!(!agrees(&lines("a 12 of 3\nb (7.5 h)\nc"), &output));
    assert!(!agrees(&lines("a 12 of 3\nc"), &output));
    assert!(!agrees(&lines("a 12 of 3\nb (0.25 s)\nc\nd"), &output));
}
