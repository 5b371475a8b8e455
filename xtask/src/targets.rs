//! `cargo xtask bench --marks` runs all benchmark targets and writes them into docs/benchmarks.md.
//!
//! Benches assert their answers before they print times; the answers of commands are compared with
//! an expected part. The output is copied under the command that made it.

use crate::compare::process::{median, run};
use crate::compare::{CODES, codes, program};
use crate::{figures, machine};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const HEADING: &str = "## Targets";

/// The name of each target, the package of its bench, the bench, and its arguments.
const BENCHES: [(&str, &str, &str, &[&str]); 11] = [
    (
        "Nim-sequences: 1,024 octal games ≤ 20 s; certificates of 0.104 and 0.454 checked ≤ 30 s \
         each; 10⁶ values of Grundy's game ≤ 0.4 s, from there 3.5·10⁶ values/s with AVX-512, two \
         threads 1.7 × one",
        "bouton-octal",
        "sequence",
        &["octal", "short", "check", "threads"],
    ),
    (
        "Tables of P-positions: CN(8,6) 2·10⁹ positions/s; nim-values 2·10⁸; misère at the rate \
         of normal play",
        "bouton-heaps",
        "heap_tables",
        &["one"],
    ),
    ("Tables in misère play", "bouton-heaps", "heap_tables", &["misere"]),
    ("Tables of nim-values", "bouton-heaps", "heap_tables", &["values"]),
    ("Tables of variations", "bouton-heaps", "heap_tables", &["variations"]),
    ("Tables of a second: two threads 1.8 × one", "bouton-heaps", "heap_tables", &["long"]),
    ("Kotzig's database: 4 s normal, 7 s misère", "bouton-kotzig", "circulant", &["database"]),
    ("Proofs: CN(8,6) with its check 0.7 s", "bouton-prover", "proofs", &["CN(8,6)"]),
    ("Proofs: SCN(8,6)", "bouton-prover", "proofs", &["SCN(8,6)"]),
    ("Cost against size: engines", "bouton-study", "engines", &[]),
    ("Cost against size: proofs, forms, automata", "bouton-study", "growth", &[]),
];

/// The name of each target, the arguments of the program, and a required part of the answer.
const COMMANDS: [(&str, &[&str], &str); 4] = [
    ("`study` CN(8,6): its form ≤ 1 s", &["study", "CN(8,6)"], "Proved for all heap sizes"),
    ("`study` CN(7,3) ≤ 8 s", &["study", "CN(7,3)"], "Proved for all heap sizes"),
    ("`study` SCN(8,6) ≤ 40 s", &["study", "SCN(8,6)"], "Proved for all heap sizes"),
    // Gangolli and Plambeck 1989; Flammenkamp 2002.
    (
        "0.104 by its window",
        &["period", "0.104", "--to", "250000000"],
        "period 11770282 from 197769598 on",
    ),
];

/// Short runs: the greatest heap, the runs of each code, and the allowed processor time in
/// milliseconds.
const HEAPS: usize = 10_000;
const ROUNDS: usize = 5;
const MAX_MILLISECONDS: f64 = 10.0;

/// Runs all targets.
pub fn write(root: &Path) -> Result<(), String> {
    let bouton = program(root)?;
    let before = machine::load();
    let mut body = String::new();
    let _ = writeln!(
        body,
        "Each heading states the target. Below it are the command and its output.\n\n{}",
        short_runs(&bouton)?
    );
    for (what, arguments, expected) in COMMANDS {
        let started = Instant::now();
        let (cost, text) = run(Command::new(&bouton).args(arguments).arg("--quiet"))?;
        let command = format!("bouton {}", arguments.join(" "));
        if !text.contains(expected) {
            return Err(format!("`{command}` did not say {expected:?}:\n{text}"));
        }
        let clock = started.elapsed().as_secs_f64();
        let took = format!(
            "{clock:.2} s by the clock, {:.2} s of processors, {:.0} MB",
            cost.seconds,
            cost.kibibytes / 1024.0
        );
        println!("{command}: {took}");
        let _ =
            writeln!(body, "### {what}\n`{command}`: {took}\n\n```text\n{}```\n", shortened(&text));
    }
    for (what, package, bench, arguments) in BENCHES {
        let shown = format!("cargo bench -p {package} --bench {bench} -- {}", arguments.join(" "));
        println!("── {shown}");
        let mut command = Command::new("cargo");
        command
            .args(["bench", "--quiet", "-p", package, "--bench", bench, "--"])
            .args(arguments)
            .current_dir(root);
        let output =
            command.output().map_err(|error| format!("{shown} could not be started: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            return Err(format!(
                "{shown} failed:\n{text}{}",
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        print!("{text}");
        let shown = shown.trim_end_matches([' ', '-']);
        let _ = match text.starts_with('|') {
            true => writeln!(body, "### {what}\n`{shown}`\n\n{text}"),
            false => writeln!(body, "### {what}\n`{shown}`\n\n```text\n{text}```\n"),
        };
    }
    let head = format!(
        "`cargo xtask bench --marks`, in one go; {}; load {before} before, {} after.\n\n",
        machine::kind(),
        machine::load()
    );
    figures::write(root, HEADING, &(head + &body))
}

/// The greatest width of a line.
const MAX_WIDTH: usize = 160;

/// Cuts long lines and long outputs.
fn shortened(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(8);
    lines.fold(String::new(), |all, line| match line.char_indices().nth(MAX_WIDTH) {
        Some((at, _)) => all + &line[..at] + " …\n",
        None => all + line + "\n",
    })
}

/// Runs the random codes up to 10,000 heaps, as whole processes.
fn short_runs(bouton: &Path) -> Result<String, String> {
    let mut took = Vec::new();
    for code in codes(CODES, 8) {
        let mut command = Command::new(bouton);
        command.args(["values", &code, "--to", &(HEAPS - 1).to_string(), "--b-file"]);
        let mut runs = Vec::new();
        for _ in 0..ROUNDS {
            let (cost, text) = run(&command)?;
            if text.lines().count() != HEAPS {
                return Err(format!("{command:?} did not print {HEAPS} values"));
            }
            runs.push(1000.0 * cost.seconds);
        }
        took.push((median(runs), code));
    }
    took.sort_by(|a, b| b.0.total_cmp(&a.0));
    let longer = took.iter().filter(|(milliseconds, _)| *milliseconds > MAX_MILLISECONDS).count();
    let longest: Vec<String> =
        took.iter().take(5).map(|(time, code)| format!("{code} {time:.1}")).collect();
    let text = format!(
        "### Short runs: {CODES} drawn codes to {HEAPS} heaps, none longer than \
         {MAX_MILLISECONDS} ms\n`bouton values CODE --to {} --b-file`, whole processes, processor \
         time, medians of {ROUNDS}: {longer} of {CODES} exceed the target; the slowest, in ms: \
         {}; median {:.1} ms.\n",
        HEAPS - 1,
        longest.join(", "),
        median(took.iter().map(|(time, _)| *time).collect())
    );
    println!("{text}");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        let text = format!("a\n\n{}\n{}", "é".repeat(200), "b\n".repeat(20));
        let expected = format!("a\n{} …\n{}", "é".repeat(MAX_WIDTH), "b\n".repeat(6));
        assert_eq!(shortened(&text), expected);
    }
}
