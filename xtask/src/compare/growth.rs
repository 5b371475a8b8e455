//! How time and memory grow with the size of ordinary questions: `cargo xtask compare --growth`.

use super::process::{Cost, median, run};
use super::{ROUNDS, program, short};
use crate::{figures, machine};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The heading of the section.
const HEADING: &str = "## Growth";

/// Least cost beyond a start from which a ratio of two costs is printed.
const LEAST: Cost = Cost { seconds: 0.01, kibibytes: 512.0 };

/// The rules of games as files.
const FILES: &str = "growth.toml";

/// A question with a number for its size, and the least cost that is known for it.
struct Question {
    shown: &'static str,
    /// The arguments; SIZE is the size.
    arguments: &'static str,
    rules: Option<&'static str>,
    sizes: [u64; 3],
    law: Law,
    best: &'static str,
}

/// How costs are thought to grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Law {
    /// As size^x.
    Power,
    /// As x^size.
    Exponential,
}

impl Law {
    /// Returns x as a growth.
    fn shown(self, x: f64) -> String {
        match self {
            Law::Power => format!("size^{x:.1}"),
            Law::Exponential => format!("{x:.2}^size"),
        }
    }
}

const fn question(
    shown: &'static str,
    arguments: &'static str,
    sizes: [u64; 3],
    best: &'static str,
) -> Question {
    Question { shown, arguments, rules: None, sizes, law: Law::Power, best }
}

/// Returns a game of a rule file that is asked about by its name.
const fn of_file(
    shown: &'static str,
    arguments: &'static str,
    rules: &'static str,
    sizes: [u64; 3],
    best: &'static str,
) -> Question {
    Question { shown, arguments, rules: Some(rules), sizes, law: Law::Power, best }
}

/// Returns a question whose cost grows exponentially.
const fn exponential(
    shown: &'static str,
    arguments: &'static str,
    sizes: [u64; 3],
    best: &'static str,
) -> Question {
    Question { shown, arguments, rules: None, sizes, law: Law::Exponential, best }
}

const QUESTIONS: [Question; 28] = [
    question(
        "Kayles, values",
        "values kayles --b-file --to SIZE",
        [1_000_000, 2_000_000, 4_000_000],
        "1, the output",
    ),
    question(
        "S(2,3,7,11,19), values",
        "values S(2,3,7,11,19) --b-file --to SIZE",
        [1_000_000, 2_000_000, 4_000_000],
        "1, the output",
    ),
    question(
        "nim, values",
        "values nim --b-file --to SIZE",
        [1_000_000, 2_000_000, 4_000_000],
        "1, the output",
    ),
    question(
        "4.[3], values",
        "values 4.[3] --b-file --to SIZE",
        [500_000, 1_000_000, 2_000_000],
        "1, the output",
    ),
    question(
        "Grundy's game, values",
        "values grundy --b-file --to SIZE",
        [1_000_000, 2_000_000, 4_000_000],
        "1 (a bounded number of rare heaps, Flammenkamp)",
    ),
    question(
        "0.276, no sparse space, values",
        "values 0.276 --b-file --to SIZE",
        [20_000, 40_000, 80_000],
        "2 (all splits)",
    ),
    question(
        "0.9119, three heaps, values",
        "values 0.9119 --b-file --to SIZE",
        [2000, 4000, 8000],
        "3 / 64 (sets of sums; values grow with the heap)",
    ),
    question(
        "subtract a square, values",
        "values subtract-a-square --b-file --to SIZE",
        [125_000, 250_000, 500_000],
        "1.5 (all options)",
    ),
    question(
        "Mark, values",
        "values mark --b-file --to SIZE",
        [1_000_000, 2_000_000, 4_000_000],
        "1, the output",
    ),
    of_file(
        "splits by a rule file, values",
        "values growth --b-file --to SIZE",
        "splits = [\"q0+4 = p0\", \"q0 >= 1 & q0+q1+4 = p0 & q1 >= 1\"]\n",
        [25_000, 50_000, 100_000],
        "2 (all splits)",
    ),
    question(
        "kayles, misère quotient",
        "quotient kayles --to SIZE",
        [40, 80, 160],
        "no bound known",
    ),
    question(
        "Wythoff, P-positions",
        "positions wythoff --max SIZE",
        [5000, 10_000, 20_000],
        "1, the output (golden section)",
    ),
    question(
        "Wythoff, nim-values",
        "positions wythoff --values --max SIZE",
        [500, 1000, 2000],
        "2, the output",
    ),
    question(
        "nim(3), P-positions",
        "positions nim(3) --max SIZE",
        [255, 511, 1023],
        "2, the output",
    ),
    question(
        "CN(5,2), P-positions, counted",
        "positions CN(5,2) --count --max SIZE",
        [47, 63, 95],
        "3 (the theorem); 5 / 64 by a table of bits",
    ),
    of_file(
        "no heap to the size of the next, P-positions",
        "positions growth --max SIZE",
        "heaps = 2\nmove = \"q1 = p1 & q0 < p0 & q0 != p1 | q0 = p0 & q1 < p1 & q1 != p0\"\n",
        [1000, 2000, 4000],
        "2 (a mark for each row and column)",
    ),
    of_file(
        "remainders beside the next of three heaps, P-positions",
        "positions growth --max SIZE",
        "heaps = 3\nmove = \"q1 = p1 & q2 = p2 & q0 < p0 & (q0+p1) mod 4 != 0 | q0 = p0 & q2 = p2 \
         & q1 < p1 & (q1+p2) mod 4 != 0 | q0 = p0 & q1 = p1 & q2 < p2 & (q2+p0) mod 4 != 0\"\n",
        [60, 120, 240],
        "3, the output",
    ),
    of_file(
        "lines of three heaps, nim-values",
        "positions growth --values --max SIZE",
        "heaps = 3\nmove = \"q0 = p0 & q1 = p1 & q2 < p2 | q0 = p0 & q1 < p1 & q2 = p2 | q0 < p0 \
         & q1 = p1 & q2 = p2 | q0 < p0 & p0+q1 = p1+q0 & p0+q2 = p2+q0\"\n",
        [40, 80, 160],
        "3, the output",
    ),
    of_file(
        "few takings from four heaps, P-positions, counted",
        "positions growth --count --max SIZE",
        "heaps = 4\nmove = \"q0+1 = p0 & q1+2 = p1 & q2 = p2 & q3 = p3 | q0 = p0 & q1+1 = p1 & \
         q2+3 = p2 & q3 = p3 | q0 = p0 & q1 = p1 & q2+1 = p2 & q3+2 = p3\"\n",
        [30, 60, 120],
        "4 / 64 by a table of bits",
    ),
    of_file(
        "lines of three heaps, a single position",
        "solve growth SIZE,SIZE,SIZE",
        "heaps = 3\nmove = \"q0 = p0 & q1 = p1 & q2 < p2 | q0 = p0 & q1 < p1 & q2 = p2 | q0 < p0 \
         & q1 = p1 & q2 = p2 | q0 < p0 & p0+q1 = p1+q0 & 2*p0+q2 = p2+2*q0\"\n",
        [150, 300, 600],
        "3 / 64 by a table of bits",
    ),
    of_file(
        "never the same number twice, one heap, P-positions",
        "positions growth --max SIZE",
        "heaps = 1\nmemory = 1\nmove = \"q0 < p0 & p0-q0 != p1 & q1+q0 = p0\"\n",
        [500, 1000, 2000],
        "2, the output",
    ),
    of_file(
        "splits with a remainder, values",
        "values growth --b-file --to SIZE",
        "splits = [\"q0 < p0\", \"q0 >= 1 & q0+q1 = p0 & q1 >= 1 & q0 mod 3 != 0\"]\n",
        [5000, 10_000, 20_000],
        "2 (all splits)",
    ),
    of_file(
        "no more than the next of three heaps and two, who wins",
        "solve growth SIZE,SIZE,SIZE",
        "heaps = 3\nmove = \"q1 = p1 & q2 = p2 & q0 < p0 & p0 <= q0+p1+2 | q0 = p0 & q2 = p2 & q1 \
         < p1 & p1 <= q1+p2+2 | q0 = p0 & q1 = p1 & q2 < p2 & p2 <= q2+p0+2\"\n",
        [60, 120, 240],
        "3 / 64 (a table of bits)",
    ),
    question(
        "SCN(4,2), P-positions, counted",
        "positions SCN(4,2) --count --max SIZE",
        [127, 191, 255],
        "0 (the theorem); 4 by a table",
    ),
    question(
        "NIM with Cash, 1 to size, who wins for all purses",
        "cash NIM(1..SIZE)",
        [100, 200, 400],
        "no bound known",
    ),
    exponential(
        "Γ(2,7;n), cells",
        "solve Gamma(2,7;SIZE)",
        [81, 91, 101],
        "no bound known below 2^size",
    ),
    exponential(
        "Dots and Boxes, two rows, boxes in a row",
        "solve boxes 2xSIZE",
        [4, 5, 6],
        "32^size (sets of lines, each once)",
    ),
    exponential(
        "proof of Nim with its check, heaps",
        "prove nim(SIZE)",
        [10, 12, 14],
        "2^size (parities)",
    ),
];

/// Returns the median costs.
fn cost(command: &Command) -> Result<Cost, String> {
    let mut all = Vec::new();
    for _ in 0..ROUNDS {
        let (cost, answer) = run(command)?;
        if answer.is_empty() {
            return Err(format!("{command:?} has no answer"));
        }
        all.push(cost);
    }
    Ok(super::medians(&all))
}

/// Returns the exponents or bases between neighbouring sizes whose costs are both long enough to be
/// compared.
fn growths(law: Law, sizes: &[u64], costs: &[f64], least: f64) -> Vec<f64> {
    let is_long = |costs: &[f64]| costs.iter().all(|cost| *cost >= least);
    let pairs = sizes.windows(2).zip(costs.windows(2)).filter(|(_, costs)| is_long(costs));
    pairs
        .map(|(sizes, costs)| {
            let (less, more, times) = (sizes[0] as f64, sizes[1] as f64, costs[1] / costs[0]);
            match law {
                Law::Power => times.ln() / (more / less).ln(),
                Law::Exponential => times.powf(1.0 / (more - less)),
            }
        })
        .collect()
}

/// Puts all questions at three sizes, and writes the section.
pub fn compare(root: &Path) -> Result<(), String> {
    let bouton = program(root)?;
    let folder = crate::target().join("peers");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut empty = Command::new(&bouton);
    empty.args(["solve", "nim", "1"]);
    let start = cost(&empty)?;
    let before = machine::load();
    let mut rows = String::new();
    for question in &QUESTIONS {
        let (mut seconds, mut kibibytes) = (Vec::new(), Vec::new());
        for size in question.sizes {
            let mut command = Command::new(&bouton);
            command.arg("--quiet");
            if let Some(rules) = question.rules {
                let file = folder.join(FILES);
                std::fs::write(&file, format!("name = \"growth\"\n{rules}"))
                    .map_err(|error| format!("{FILES}: {error}"))?;
                command.arg("--rules").arg(file);
            }
            command.args(question.arguments.replace("SIZE", &size.to_string()).split(' '));
            let found = cost(&command)?;
            seconds.push((found.seconds - start.seconds).max(0.0));
            kibibytes.push((found.kibibytes - start.kibibytes).max(0.0));
        }
        let growth = |costs: &[f64], least: f64| match growths(
            question.law,
            &question.sizes,
            costs,
            least,
        ) {
            all if all.is_empty() => "too little".to_owned(),
            all => question.law.shown(median(all)),
        };
        let listed = |numbers: Vec<String>| numbers.join(", ");
        let _ = writeln!(
            rows,
            "| {} | {} | {} | {} | {} | {} | {} |",
            question.shown,
            listed(question.sizes.iter().map(u64::to_string).collect()),
            listed(seconds.iter().map(|seconds| format!("{seconds:.3}")).collect()),
            growth(&seconds, LEAST.seconds),
            listed(kibibytes.iter().map(|kibibytes| short(kibibytes / 1024.0)).collect()),
            growth(&kibibytes, LEAST.kibibytes),
            question.best
        );
        println!("{}", rows.lines().last().unwrap_or_default());
    }
    let body = format!(
        "`cargo xtask compare --growth`: whole processes, processor time and peak memory beyond \
         those of a start ({} s, {} MB), medians of {ROUNDS} runs. The growth is that between \
         sizes; costs below {} s or {} MB are too little to tell. Beside it the least exponent or \
         base that is known for the time, by any method or by the length of what is printed. More \
         of the engines are among the [targets](#cost-against-size-engines). {}; load {before} \
         before, {} at the end, of which these runs are 1.\n\n| question | sizes | seconds | \
         growth | MB | growth | best known |\n|---|---|---|--:|---|--:|---|\n{rows}",
        short(start.seconds),
        short(start.kibibytes / 1024.0),
        LEAST.seconds,
        LEAST.kibibytes / 1024.0,
        machine::kind(),
        machine::load()
    );
    figures::write(root, HEADING, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Costs that grow with the square, the first of them too small to count, and costs that double
    /// with each step.
    #[test]
    fn growths_are_those_of_costs() {
        let found = growths(Law::Power, &[10, 20, 40], &[0.002, 0.1, 0.4], 0.01);
        assert!(found.len() == 1 && (found[0] - 2.0).abs() < 1e-9, "{found:?}");
        let found = growths(Law::Exponential, &[10, 11, 13], &[0.1, 0.2, 0.8], 0.01);
        assert!(
            found.len() == 2 && found.iter().all(|base| (base - 2.0).abs() < 1e-9),
            "{found:?}"
        );
        assert!(growths(Law::Power, &[10, 20], &[0.001, 0.002], 0.01).is_empty());
        assert!(growths(Law::Power, &[10, 20], &[0.5, 0.0], 0.01).is_empty());
        assert!(QUESTIONS.iter().all(|question| question.arguments.contains("SIZE")));
    }
}
