//! `cargo xtask bench --check` compares the instruction counts of ten short commands with stored
//! ones.
//!
//! Times differ from run to run on a shared machine; instruction counts hardly do. The program is
//! the one in release (BOUTON=PATH names another), run by valgrind's cachegrind, which has AVX2 and
//! no AVX-512. Answers are asserted first. A count of more than 3 % above the stored one fails if
//! the compiler is the same; `--write` stores new counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The path of the stored counts.
const STORED: &str = "xtask/instructions.txt";

/// The accepted increase in percent: with the compiler of the stored counts, and with another one.
const TOLERANCE: [u64; 2] = [3, 15];

/// The commands, with a part of each answer: published, or compared with other engines by tests.
const COMMANDS: [(&[&str], &str); 10] = [
    // Guy and Smith 1956: the period is 4 1 2 8 1 4 7 2 1 8 2 7, and 20000 = 12·1666 + 8.
    (&["values", "kayles", "--to", "20000", "--b-file"], "\n20000 1\n"),
    (&["values", "4!.0", "--to", "60000", "--b-file"], "\n28304 195\n"),
    (&["values", "0.276", "--to", "10000", "--b-file"], "\n10000 158\n"),
    // Gangolli and Plambeck 1989.
    (&["period", "0.16"], "period 149459 from 105351 on"),
    (&["solve", "SCN(5,2)", "8,8,8,7,9", "--all"], "8,8,9      N *1"),
    (&["positions", "CN(6,4)", "--max", "14"], "\n7,13,12,9,11,14\n"),
    (&["solve", "dots(3x3)"], "Nimstring: *2"),
    (&["solve", "Gamma(1,5;30)"], "winning moves: 2"),
    (&["prove", "CN(6,3)"], "proved for all heap sizes"),
    // Siegel and Plambeck 2008: misère Kayles.
    (&["quotient", "kayles", "--to", "180"], "period 12 from 71 on"),
];

/// Returns the instruction count of a command.
fn count(program: &Path, arguments: &[&str], expected: &str) -> Result<u64, String> {
    let flags = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
    // On one processor, because waiting threads would be counted as well.
    let output = Command::new("taskset")
        .args(["-c", "0", "valgrind"])
        .args(flags)
        .arg(program)
        .args(arguments)
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .map_err(|error| format!("valgrind could not be started by taskset: {error}"))?;
    let (answer, output) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !answer.contains(expected) {
        return Err(format!(
            "`bouton {}` did not answer {expected:?}\n{output}",
            arguments.join(" ")
        ));
    }
    instructions(&output).ok_or_else(|| format!("no count of instructions:\n{output}"))
}

/// Returns the number after `I refs:`.
fn instructions(output: &str) -> Option<u64> {
    let (_, count) = output.lines().find_map(|line| line.split_once("refs:"))?;
    count.trim().replace(',', "").parse().ok()
}

/// Returns the version of the compiler, and the counts by command.
fn stored(text: &str) -> (String, BTreeMap<&str, u64>) {
    let mut lines = text.lines();
    let compiler = lines.next().unwrap_or_default().to_owned();
    let counts = lines.filter_map(|line| {
        let (count, command) = line.trim().split_once(' ')?;
        Some((command, count.parse().ok()?))
    });
    (compiler, counts.collect())
}

/// Counts instructions, and compares the counts with the stored ones, or stores them.
pub fn check(root: &Path, program: &Path, write: bool) -> Result<(), String> {
    let version =
        Command::new("rustc").arg("--version").output().map_err(|error| error.to_string())?;
    let compiler = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    let file = root.join(STORED);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let (known_compiler, known) = stored(&text);
    let tolerance = TOLERANCE[usize::from(known_compiler != compiler)];
    let (mut written, mut slower) = (format!("{compiler}\n"), Vec::new());
    for (arguments, expected) in COMMANDS {
        let command = arguments.join(" ");
        let count = count(program, arguments, expected)?;
        let _ = writeln!(written, "{count} {command}");
        let before = known.get(command.as_str()).copied();
        let ratio = before.map_or(f64::NAN, |before| count as f64 / before as f64);
        println!("{count:>14}  {ratio:.3}  {command}");
        if before.is_none_or(|before| count > before + before / 100 * tolerance) {
            slower.push(command);
        }
    }
    if write {
        return std::fs::write(&file, written).map_err(|error| format!("{STORED}: {error}"));
    }
    if slower.is_empty() {
        return Ok(());
    }
    Err(format!(
        "more than {tolerance} % above {STORED}, or not in it: {}; `cargo xtask bench --check \
         --write` stores anew",
        slower.join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
        assert_eq!(
            instructions("==1== \n==1== I refs:        2,432,972,096\n"),
            Some(2_432_972_096)
        );
        assert_eq!(instructions("nothing"), None);
        let (compiler, counts) = stored("rustc 1.0\n12 values kayles --to 3\n7 period 0.16\n");
        assert_eq!(
            (compiler.as_str(), counts["values kayles --to 3"], counts["period 0.16"]),
            ("rustc 1.0", 12, 7)
        );
    }
}
