//! The tests of the crates, several programs at a time.
//!
//! `cargo test` runs one program of tests after the other, and many of them have one long test that
//! keeps one processor busy. Run side by side, they take the time of all processors.

use serde_json::Value;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

/// The programs that take longest. They start first, so that none of them is left alone at the end.
const LONGEST: [&str; 6] = ["coqc", "study", "bouton_octal", "revolutions", "pages", "rows"];

/// A program of tests: its name, its file, and the folder of its package.
struct Program {
    name: String,
    file: PathBuf,
    package: PathBuf,
}

/// Builds the tests of the workspace in `root` with a feature, and runs them. All of them run, even
/// when some fail.
///
/// # Errors
/// If the build fails, and the names of the programs in which a test failed.
pub fn run(root: &Path, feature: &str) -> Result<(), String> {
    let started = Instant::now();
    let programs = built(root, feature)?;
    let count = programs.len();
    println!("── {count} programs of tests are built in {:.0} s", started.elapsed().as_secs_f64());
    let started = Instant::now();
    let waiting = Mutex::new(VecDeque::from(programs));
    let failed = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("no thread panics with the lock").pop_front();
                    let Some(program) = next else { return };
                    if !passes(&program) {
                        failed.lock().expect("no thread panics with the lock").push(program.name);
                    }
                }
            });
        }
    });
    println!("── {count} programs of tests ran in {:.0} s", started.elapsed().as_secs_f64());
    let failed = failed.into_inner().expect("no thread panics with the lock");
    if failed.is_empty() { Ok(()) } else { Err(format!("tests failed in {}", failed.join(", "))) }
}

/// Builds the tests and returns their programs, the longest first.
fn built(root: &Path, feature: &str) -> Result<Vec<Program>, String> {
    // The library targets too: the module for Python is one of them.
    let targets = ["--lib", "--bins", "--tests", "--profile", "test"];
    let arguments = [&["build", "--workspace", "--features", feature][..], &targets].concat();
    println!("── cargo {}", arguments.join(" "));
    let mut cargo = Command::new("cargo");
    cargo.args(arguments).arg("--message-format=json-render-diagnostics").current_dir(root);
    let output = cargo.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("`cargo` could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the tests could not be built: {}", output.status));
    }
    let lines = String::from_utf8_lossy(&output.stdout);
    let messages = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs: Vec<Program> = messages.filter_map(|message| program(&message)).collect();
    if programs.is_empty() {
        return Err("cargo names no program of tests".into());
    }
    let place = |program: &Program| LONGEST.iter().position(|name| *name == program.name);
    programs.sort_by_key(|program| place(program).unwrap_or(LONGEST.len()));
    Ok(programs)
}

/// Returns the program that a message of cargo names, if it has tests.
fn program(message: &Value) -> Option<Program> {
    message["profile"]["test"].as_bool().filter(|is_test| *is_test)?;
    Some(Program {
        name: message["target"]["name"].as_str()?.to_owned(),
        file: message["executable"].as_str()?.into(),
        package: Path::new(message["manifest_path"].as_str()?).parent()?.to_owned(),
    })
}

/// Runs a program in the folder of its package, as cargo does, and prints what it said in one
/// piece.
fn passes(program: &Program) -> bool {
    let started = Instant::now();
    let mut command = Command::new(&program.file);
    command.current_dir(&program.package).env("CARGO_MANIFEST_DIR", &program.package);
    let (passed, said) = match command.output() {
        Ok(output) => {
            let said =
                [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)];
            (output.status.success(), said.concat())
        }
        Err(error) => (false, format!("it could not be started: {error}\n")),
    };
    let seconds = started.elapsed().as_secs_f64();
    println!("── {}, {seconds:.0} s\n{}", program.file.display(), said.trim_end());
    passed
}
