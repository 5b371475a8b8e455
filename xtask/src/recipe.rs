//! The recipe for a new game in CONTRIBUTING.md, followed to the letter.
//!
//! A block of code after a comment `<!-- recipe: … -->` is a step: `new PATH` is a file, `PATH
//! before LINE`, `PATH after LINE` and `PATH instead of LINE` change one. `cargo xtask recipe`
//! follows the steps in a copy of the repository, and then solves, plays, studies and proves the
//! new game there. `cargo xtask links` checks that the steps fit the files, which is cheap.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = "CONTRIBUTING.md";
/// The folder of the copy, from the root of the workspace.
const COPY: &str = "target/recipe";
/// The game that the recipe adds, and a position of it.
const GAME: [&str; 2] = ["rook-and-step", "5,8"];

/// A step of the recipe.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    path: String,
    place: StepPlace,
    text: String,
}

/// The place of the text of a step.
#[derive(Debug, PartialEq, Eq)]
enum StepPlace {
    NewFile,
    Before(String),
    After(String),
    InsteadOf(String),
}

/// Checks that every step of the recipe fits the present files.
pub fn check(root: &Path) -> Result<(), String> {
    apply_all(root)
        .map(|files| println!("── the recipe for a new game touches {} files", files.len()))
}

/// Follows the recipe in a copy, runs the crate outside the workspace there, and the new game from
/// its name to a theorem.
pub fn run(root: &Path) -> Result<(), String> {
    let copy = root.join(COPY);
    let kept = copy_tracked(root, &copy)?;
    println!("── {COPY}: a copy of {kept} files");
    for (path, text) in apply_all(root)? {
        println!("   {path}");
        let path = copy.join(path);
        write_if_changed(&path, text.as_bytes())?;
    }
    // With the same versions and the same folder, so that external libraries are not compiled
    // again.
    std::fs::copy(root.join("Cargo.lock"), copy.join("examples/outside/Cargo.lock"))
        .map_err(|error| format!("the lock file could not be copied: {error}"))?;
    outside(root, &copy, "outside", &[])?;
    let text = outside(root, &copy, "line", &GAME)?;
    // The oracle of the recipe has its own rules.
    let oracle = Command::new("python3")
        .arg("tests/oracles/brute.py")
        .args(GAME)
        .current_dir(&copy)
        .output();
    let oracle = oracle.map_err(|error| format!("python3 could not be started: {error}"))?;
    let line = String::from_utf8_lossy(&oracle.stdout);
    let outcome =
        line.trim_end().split('\t').nth(3).ok_or_else(|| format!("the oracle says {line:?}"))?;
    let expected = format!("{} is {outcome}", GAME[1]);
    if text.lines().any(|line| line == expected) {
        Ok(())
    } else {
        Err(format!("the oracle: {expected}"))
    }
}

/// Runs a program of the crate outside the workspace in the copy, and returns what it prints.
fn outside(root: &Path, copy: &Path, program: &str, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new("cargo");
    command.args([
        "run",
        "--quiet",
        "--manifest-path",
        "examples/outside/Cargo.toml",
        "--bin",
        program,
    ]);
    command.arg("--target-dir").arg(root.join("target")).arg("--").args(arguments);
    println!("── {program} {}", arguments.join(" "));
    let output = command.current_dir(copy).output();
    let output = output.map_err(|error| format!("cargo could not be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}{}", String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        return Err(format!("the crate outside, {program}, ended with {}", output.status));
    }
    Ok(text.into_owned())
}

/// Returns the files that the recipe writes, with their texts.
fn apply_all(root: &Path) -> Result<Vec<(String, String)>, String> {
    let read = |path: &str| {
        std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))
    };
    let steps = steps(&read(PAGE)?)?;
    let mut files: Vec<(String, String)> = Vec::new();
    for step in steps {
        let at = files.iter().position(|(path, _)| *path == step.path);
        let old = match (&step.place, at) {
            (StepPlace::NewFile, None) if !root.join(&step.path).exists() => String::new(),
            (StepPlace::NewFile, _) => {
                return Err(format!("{PAGE}: {} is there already", step.path));
            }
            (_, Some(at)) => files.remove(at).1,
            (_, None) => read(&step.path)?,
        };
        let new = apply(&step, &old).ok_or_else(|| {
            format!(
                "{PAGE}: {} does not have the line of the recipe exactly once: {:?}",
                step.path, step.place
            )
        })?;
        files.push((step.path, new));
    }
    if files.is_empty() { Err(format!("{PAGE} has no recipe")) } else { Ok(files) }
}

/// Returns the steps of the page, in order.
fn steps(page: &str) -> Result<Vec<Step>, String> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let inside =
            line.trim().strip_prefix("<!-- recipe: ").and_then(|rest| rest.strip_suffix(" -->"));
        let Some(inside) = inside else { continue };
        let (path, place) =
            place(inside).ok_or_else(|| format!("{PAGE}: no step of a recipe: {inside}"))?;
        let fence = lines.next().map(str::trim);
        if !fence.is_some_and(|fence| fence.starts_with("```")) {
            return Err(format!("{PAGE}: no code behind {inside}"));
        }
        let mut text = String::new();
        // In a list the code is indented like its fence.
        let code = lines.by_ref().take_while(|line| line.trim() != "```");
        for line in code {
            text += line;
            text.push('\n');
        }
        found.push(Step { path: path.to_owned(), place, text: dedented(&text) });
    }
    Ok(found)
}

/// Reads `new PATH`, `PATH before LINE`, `PATH after LINE` or `PATH instead of LINE`.
fn place(text: &str) -> Option<(&str, StepPlace)> {
    if let Some(path) = text.strip_prefix("new ") {
        return Some((path, StepPlace::NewFile));
    }
    let (path, rest) = text.split_once(' ')?;
    let place = match rest.split_once(' ')? {
        ("before", line) => StepPlace::Before(line.to_owned()),
        ("after", line) => StepPlace::After(line.to_owned()),
        ("instead", rest) => StepPlace::InsteadOf(rest.strip_prefix("of ")?.to_owned()),
        _ => return None,
    };
    Some((path, place))
}

/// Removes the common indentation.
fn dedented(text: &str) -> String {
    let blanks = |line: &str| line.len() - line.trim_start().len();
    let least = text.lines().filter(|line| !line.trim().is_empty()).map(blanks).min().unwrap_or(0);
    text.lines().map(|line| line.get(least..).unwrap_or("").to_owned() + "\n").collect()
}

/// Returns the text of a file after the step; `None` unless exactly one of its lines is the named
/// one.
fn apply(step: &Step, old: &str) -> Option<String> {
    let wanted = match &step.place {
        StepPlace::NewFile => return Some(step.text.clone()),
        StepPlace::Before(line) | StepPlace::After(line) | StepPlace::InsteadOf(line) => line,
    };
    let fits: Vec<usize> = old
        .lines()
        .enumerate()
        .filter(|(_, line)| line.trim() == wanted)
        .map(|(at, _)| at)
        .collect();
    let [at] = fits[..] else { return None };
    let mut out = String::new();
    for (number, line) in old.lines().enumerate() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let new: String = step
            .text
            .lines()
            .map(|line| if line.is_empty() { "\n".into() } else { format!("{indent}{line}\n") })
            .collect();
        let kept = format!("{line}\n");
        match &step.place {
            _ if number != at => out += &kept,
            StepPlace::Before(_) => out += &(new + &kept),
            StepPlace::After(_) => out += &(kept + &new),
            _ => out += &new,
        }
    }
    Some(out)
}

/// Copies the files of the repository, and returns their number. Unchanged files are not written,
/// so that nothing is built twice.
fn copy_tracked(root: &Path, copy: &Path) -> Result<usize, String> {
    let mut command = Command::new("git");
    command
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root);
    let output = command.output().map_err(|error| format!("git could not be started: {error}"))?;
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut kept = HashSet::new();
    for name in names.split('\0').filter(|name| !name.is_empty() && !name.starts_with("docs/")) {
        // A removed file is still in the index.
        let Ok(bytes) = std::fs::read(root.join(name)) else { continue };
        write_if_changed(&copy.join(name), &bytes)?;
        kept.insert(copy.join(name));
    }
    remove_others(copy, &kept)?;
    Ok(kept.len())
}

/// Removes the files of a folder that are not among these, as an earlier copy has left them.
fn remove_others(folder: &Path, kept: &HashSet<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            remove_others(&path, kept)?;
        } else if !kept.contains(&path) {
            std::fs::remove_file(&path).map_err(failed)?;
        }
    }
    Ok(())
}

fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(path.parent().map_or_else(PathBuf::new, Path::to_owned))
        .map_err(failed)?;
    std::fs::write(path, bytes).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_and_applied() {
        let page = "1. x\n   <!-- recipe: a.rs after mod b; -->\n   ```rust\n   mod c;\n   \
            ```\n<!-- recipe: new c.rs -->\n```rust\nfn f() {\n    g()\n}\n```\n";
        let found = steps(page).unwrap_or_default();
        assert_eq!(found.len(), 2);
        assert_eq!(
            apply(&found[0], "mod a;\n  mod b;\n"),
            Some("mod a;\n  mod b;\n  mod c;\n".into())
        );
        assert_eq!(apply(&found[0], "mod a;\n"), None);
        assert_eq!(found[1].text, "fn f() {\n    g()\n}\n");
    }
}
