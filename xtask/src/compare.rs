//! `cargo xtask compare` puts the same questions to Bouton and to other programs, checks that the
//! answers agree, and compares times.
//!
//! Other programs come from the registries: ogsolve and igsolve from crates.io under target/peers,
//! MONA from Debian, z3-solver from PyPI; a plain Python script of ours is one more. Runs
//! alternate, and the median counts: CPU time and peak memory of the whole process. The results are
//! written into docs/benchmarks.md.

mod drawn;
pub mod growth;
mod long;
pub mod ordinary;
pub mod process;

use crate::{figures, machine};
use process::{Cost, median, medians, run};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The heading of the section.
const HEADING: &str = "## Comparison with other software";

/// The number of random codes, the seed, and the greatest heap.
pub const CODES: usize = 100;
const SEED: u64 = 22;
const HEAPS: usize = 60_000;

/// The number of hexadecimal codes, which ogsolve does not read; they are compared with a script up
/// to fewer heaps.
const HEXADECIMAL: usize = 10;

/// The number of runs of each program on one question.
const ROUNDS: usize = 3;

/// An external program with its version.
struct Peer {
    name: &'static str,
    program: PathBuf,
}

/// The costs of both programs for one question.
struct CostPair {
    question: String,
    peer: String,
    ours: Cost,
    theirs: Cost,
    /// Whether the run of the other program was cut: it would have taken longer.
    is_cut: bool,
}

impl CostPair {
    /// Returns the ratio of costs; a lower bound if the other run was cut.
    fn ratio(&self) -> f64 {
        self.theirs.seconds / self.ours.seconds
    }

    /// Returns whether the runs are long enough for their times to be compared.
    fn is_long(&self) -> bool {
        self.theirs.seconds >= 0.05 || self.ours.seconds >= 0.05
    }
}

/// Returns a pseudo-random number (Knuth's MMIX generator).
fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

/// Returns different codes 0.d1d2… of two to four digits below `base`, the last not 0.
pub fn codes(count: usize, base: u64) -> Vec<String> {
    let (mut state, mut known, mut codes) = (SEED, BTreeSet::new(), Vec::new());
    while codes.len() < count {
        let digits = 2 + random(&mut state, 3);
        let digits: String = (0..digits)
            .filter_map(|_| char::from_digit(random(&mut state, base) as u32, 16))
            .map(|digit| digit.to_ascii_uppercase())
            .collect();
        // Hexadecimal codes that are octal are drawn separately.
        let fits =
            !digits.ends_with('0') && (base <= 8 || digits.contains(|digit: char| digit > '7'));
        let code = format!("0.{digits}");
        if fits && known.insert(code.clone()) {
            codes.push(code);
        }
    }
    codes
}

/// Returns the numbers of the line that consists of `count` numbers, after an optional word of
/// ogsolve.
fn row(text: &str, count: usize) -> Option<Vec<u32>> {
    text.lines().find_map(|line| {
        let line = line.trim_start();
        let numbers: Vec<u32> = line
            .strip_prefix("nimbers:")
            .unwrap_or(line)
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect::<Option<_>>()?;
        (numbers.len() == count).then_some(numbers)
    })
}

/// Reads the values of a b-file.
fn b_file(text: &str) -> Option<Vec<u32>> {
    text.lines().map(|line| line.split_once(' ')?.1.parse().ok()).collect()
}

/// Prints two significant digits.
fn short(number: f64) -> String {
    match number {
        10.0.. => format!("{number:.0}"),
        1.0.. => format!("{number:.1}"),
        0.1.. => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// Installs a program of a registry if possible.
fn installed(root: &Path, name: &'static str, version: &str) -> Option<Peer> {
    let folder = root.join("target/peers");
    let program = folder.join("bin").join(name);
    if !program.exists() {
        println!("── cargo install {name} {version}");
        let arguments = ["install", "--quiet", name, "--version", version, "--root"];
        let status = Command::new("cargo").args(arguments).arg(&folder).current_dir(root).status();
        if !status.is_ok_and(|status| status.success()) {
            return None;
        }
    }
    Some(Peer { name, program })
}

/// Puts one question to both programs, in turns. `same` compares the answers.
fn ask(
    question: &str,
    peer: &str,
    ours: &Command,
    theirs: &Command,
    same: impl Fn(&str, &str) -> bool,
) -> Result<CostPair, String> {
    ask_often(ROUNDS, question, peer, ours, theirs, same)
}

/// Puts one question `rounds` times.
fn ask_often(
    rounds: usize,
    question: &str,
    peer: &str,
    ours: &Command,
    theirs: &Command,
    same: impl Fn(&str, &str) -> bool,
) -> Result<CostPair, String> {
    let (mut our_costs, mut their_costs) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (cost, our_answer) = run(ours)?;
        our_costs.push(cost);
        let (cost, their_answer) = run(theirs)?;
        their_costs.push(cost);
        if !same(&our_answer, &their_answer) {
            return Err(format!("{question}: {peer} answers otherwise"));
        }
    }
    let (ours, theirs) = (medians(&our_costs), medians(&their_costs));
    Ok(printed(CostPair {
        question: question.into(),
        peer: peer.into(),
        ours,
        theirs,
        is_cut: false,
    }))
}

/// Prints the costs of both programs.
fn printed(pair: CostPair) -> CostPair {
    let CostPair { question, peer, ours, theirs, is_cut } = &pair;
    let than = if *is_cut { "more than " } else { "" };
    println!(
        "{question}: {:.4} s, {peer} {than}{:.4} s: {:.2}",
        ours.seconds,
        theirs.seconds,
        pair.ratio()
    );
    pair
}

/// The methods of ogsolve; the fastest for each code counts.
const METHODS: [&str; 5] = ["naive", "rc", "rcs", "rc2", "rc2s"];

/// Returns the command by which ogsolve lists the values of heaps 0..`heaps`.
fn ogsolve_on(ogsolve: &Peer, method: &str, heaps: usize, code: &str) -> Command {
    let mut command = Command::new(&ogsolve.program);
    command.args(["-p", "-s", "-m", method, "-n", &(heaps - 1).to_string(), code]);
    command
}

/// Returns the command by which Bouton lists the same values.
fn bouton_on(bouton: &Path, heaps: usize, code: &str) -> Command {
    let mut command = Command::new(bouton);
    command.args(["values", code, "--to", &(heaps - 1).to_string(), "--b-file"]);
    command
}

/// Returns whether both programs list the same values.
fn lists(heaps: usize) -> impl Fn(&str, &str) -> bool {
    move |ours, theirs| b_file(ours).is_some_and(|ours| row(theirs, heaps) == Some(ours))
}

/// Returns the costs for each code, and the number of rare heaps if ogsolve reports it.
fn nim_sequences(
    bouton: &Path,
    ogsolve: &Peer,
    codes: &[String],
) -> Result<Vec<(CostPair, Option<usize>)>, String> {
    let mut pairs = Vec::new();
    for code in codes {
        let mut tried = Vec::new();
        for method in METHODS {
            let (cost, text) = run(&ogsolve_on(ogsolve, method, HEAPS, code))?;
            tried.push((cost.seconds, method, long::rare(&text)));
        }
        let rare = tried.iter().filter_map(|(_, _, rare)| *rare).min();
        let (_, best, _) =
            tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).ok_or("no method")?;
        let (ours, theirs) =
            (bouton_on(bouton, HEAPS, code), ogsolve_on(ogsolve, best, HEAPS, code));
        let peer = format!("{} -m {best}", ogsolve.name);
        pairs.push((ask(code, &peer, &ours, &theirs, lists(HEAPS))?, rare));
    }
    Ok(pairs)
}

/// A script that lists the values of a code, with its greatest heap and its description.
struct Script {
    text: &'static str,
    heaps: usize,
    what: &'static str,
}

/// A plain mex over all moves.
const PLAIN: Script = Script {
    text: include_str!("compare/plain.py"),
    heaps: 150,
    what: "a mex over all moves in Python",
};

/// Reachable values as Boolean arrays, by numpy.
const ARRAYS: Script = Script {
    text: include_str!("compare/arrays.py"),
    heaps: 1000,
    what: "sets of sums as arrays in numpy",
};

impl Script {
    fn on(&self, code: &str) -> Command {
        let mut command = Command::new("python3");
        command.args(["-c", self.text, code, &self.heaps.to_string()]);
        command
    }
}

/// Returns the best script that runs here; installs numpy if possible.
fn script() -> Script {
    let works = |arguments: &[&str]| {
        Command::new("python3").args(arguments).output().is_ok_and(|output| output.status.success())
    };
    let numpy = ["-c", "import numpy"];
    if works(&numpy) || works(&["-m", "pip", "install", "--quiet", "numpy"]) && works(&numpy) {
        ARRAYS
    } else {
        PLAIN
    }
}

fn hexadecimal(bouton: &Path, script: &Script, codes: &[String]) -> Result<Vec<CostPair>, String> {
    let ask_one = |code: &String| {
        let (ours, theirs) = (bouton_on(bouton, script.heaps, code), script.on(code));
        ask(code, "a script in Python", &ours, &theirs, lists(script.heaps))
    };
    codes.iter().map(ask_one).collect()
}

/// Sentences over the natural numbers, each with its truth value.
const SENTENCES: [(&str, bool); 5] = [
    ("A n: n >= 8 => E x,y: n = 3*x + 5*y", true),
    ("A n: n >= 7 => E x,y: n = 3*x + 5*y", false),
    ("A x: 5*(x div 5) + x mod 5 = x", true),
    ("A x,y: min(x,y) + max(x,y) = x+y", true),
    ("E x,y: 7*x = 5*y + 3 & x != y & x > 100", true),
];

/// Reads the answer of MONA or Z3 to a sentence; Z3 gets its negation.
fn parse_answer(text: &str) -> Option<bool> {
    match text.lines().next()?.trim() {
        "unsat" => Some(true),
        "sat" => Some(false),
        _ if text.contains("Formula is valid") => Some(true),
        _ if text.contains("unsatisfiable") => Some(false),
        _ => None,
    }
}

/// Measures the nim-value of one heap of Grundy's game.
fn grundy(bouton: &Path, igsolve: &Peer) -> Result<Vec<CostPair>, String> {
    let ask_one = |heap: &str| {
        let mut ours = Command::new(bouton);
        ours.args(["solve", "grundy", heap]);
        let mut theirs = Command::new(&igsolve.program);
        theirs.args(["grundy", "-p", heap]);
        let number = |text: &str, behind: &str| -> Option<u32> {
            let (_, rest) = text.split_once(behind)?;
            rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
        };
        let same = |ours: &str, theirs: &str| {
            let value = number(theirs, "Nimber of initial position: ");
            value.is_some() && number(ours, "nim-value *") == value
        };
        ask(&format!("Grundy's game, the value of heap {heap}"), igsolve.name, &ours, &theirs, same)
    };
    ["2000", "5000"].into_iter().map(ask_one).collect()
}

/// Puts sentences to MONA and to Z3, in the form that Bouton writes for each.
fn sentences(bouton: &Path, folder: &Path, has: [bool; 2]) -> Result<Vec<CostPair>, String> {
    const ASK_Z3: &str = "import sys, z3\ns = z3.Solver()\ns.set('timeout', \
        20000)\ns.from_file(sys.argv[1])\nprint(s.check())";
    let mut pairs = Vec::new();
    for (sentence, truth) in SENTENCES {
        for (peer, language) in [("mona", "mona"), ("z3", "smt")] {
            if !has[usize::from(peer == "z3")] {
                continue;
            }
            let (_, program) =
                run(Command::new(bouton).args(["logic", sentence, "--export", language]))?;
            let file = folder.join(format!("sentence.{language}"));
            std::fs::write(&file, program).map_err(|error| error.to_string())?;
            let mut theirs = Command::new(if peer == "mona" { "mona" } else { "python3" });
            if peer == "mona" { theirs.arg("-q") } else { theirs.args(["-c", ASK_Z3]) }.arg(&file);
            let mut ours = Command::new(bouton);
            ours.args(["logic", sentence, "--json"]);
            if parse_answer(&run(&theirs)?.1).is_none() {
                println!("{sentence}: {peer} finds no answer in 20 s");
                continue;
            }
            let verdict = format!("\"verdict\":\"{truth}\"");
            let same = |ours: &str, theirs: &str| {
                ours.contains(&verdict) && parse_answer(theirs) == Some(truth)
            };
            pairs.push(ask(sentence, peer, &ours, &theirs, same)?);
        }
    }
    for game in ["CN(4,2)", "CN(6,3)"].into_iter().filter(|_| has[0]) {
        let (_, program) = run(Command::new(bouton).args(["prove", game, "--export", "mona"]))?;
        let file = folder.join("theorem.mona");
        std::fs::write(&file, program).map_err(|error| error.to_string())?;
        let mut ours = Command::new(bouton);
        ours.args(["prove", game]);
        let mut theirs = Command::new("mona");
        theirs.arg("-q").arg(&file);
        let same = |ours: &str, theirs: &str| {
            ours.contains("proved for all heap sizes") && theirs.contains("Formula is valid")
        };
        let question = format!("the published form of {game}, for all heap sizes");
        pairs.push(ask(&question, "mona", &ours, &theirs, same)?);
    }
    Ok(pairs)
}

/// Returns the table of single pairs.
fn table(pairs: &[&CostPair]) -> String {
    let mut text = "| question | peer | CPU, ours | theirs | ratio | MB, ours | theirs \
         |\n|---|---|---|---|---|---|---|\n"
        .to_owned();
    for pair in pairs {
        let mega = |cost: Cost| short(cost.kibibytes / 1024.0);
        let question = pair.question.replace('|', "\\|");
        let than = if pair.is_cut { "> " } else { "" };
        let _ = writeln!(
            text,
            "| {question} | {} | {:.3} s | {than}{:.3} s | {than}{} | {} | {} |",
            pair.peer,
            pair.ours.seconds,
            pair.theirs.seconds,
            short(pair.ratio()),
            mega(pair.ours),
            mega(pair.theirs)
        );
    }
    text
}

/// Returns a sentence on all ratios, and one on those of long runs.
fn summary(pairs: &[CostPair]) -> String {
    let ratios = |code_count: &dyn Fn(&&CostPair) -> bool| -> Vec<f64> {
        pairs.iter().filter(code_count).map(CostPair::ratio).collect()
    };
    let long = ratios(&|pair| pair.is_long());
    let least = long.iter().copied().fold(f64::INFINITY, f64::min);
    let memory =
        median(pairs.iter().map(|pair| pair.theirs.kibibytes / pair.ours.kibibytes).collect());
    format!(
        "ogsolve's fastest method takes {} times our CPU time at the median, and {} times its \
         memory. Of the {} runs in which one of the two takes 0.05 s, {} are slower here; the \
         least ratio is {}, the median {}.",
        short(median(ratios(&|_| true))),
        short(memory),
        long.len(),
        long.iter().filter(|ratio| **ratio < 1.0).count(),
        short(least),
        short(median(long.clone())),
    )
}

/// Describes the influence of proved periods on the ratios: beyond the period, values repeat.
fn by_period(bouton: &Path, pairs: &[CostPair], heaps: usize) -> Result<String, String> {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for pair in pairs {
        let code = pair.question.split(' ').next().unwrap_or_default();
        let mut command = Command::new(bouton);
        command.args(["period", code, "--to", &(heaps - 1).to_string(), "--json", "--quiet"]);
        let output = command
            .output()
            .map_err(|error| format!("{command:?} could not be started: {error}"))?;
        let text: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|error| {
            format!("{command:?}: {error}: {}", String::from_utf8_lossy(&output.stderr))
        })?;
        if text["verdict"] == "proved" { &mut with } else { &mut without }.push(pair.ratio());
    }
    let at_median = |ratios: Vec<f64>| match ratios.len() {
        0 => String::new(),
        _ => format!(", with ratios of {} at the median", short(median(ratios))),
    };
    Ok(format!(
        "{} of these codes have a period that is proved within so many heaps, and behind it \
         values are those of the period{}; {} have none{}.",
        with.len(),
        at_median(with.clone()),
        without.len(),
        at_median(without.clone())
    ))
}

/// Returns the ten least ratios, then the ten longest other runs.
fn excerpt(pairs: &[CostPair]) -> String {
    let mut pairs: Vec<&CostPair> = pairs.iter().filter(|pair| pair.is_long()).collect();
    pairs.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    let mut longest = pairs.split_off(pairs.len().min(10));
    longest.sort_by(|a, b| b.theirs.seconds.total_cmp(&a.theirs.seconds));
    pairs.extend(longest.into_iter().take(10));
    table(&pairs)
}

/// Reads the number of random codes: `--codes N`, by default all.
fn code_count(arguments: &[String]) -> Result<Option<usize>, String> {
    match arguments {
        [] => Ok(None),
        [option, count] if option == "--codes" => match count.parse() {
            Ok(count) if (1..=CODES).contains(&count) => Ok(Some(count)),
            _ => Err(format!("--codes {count}: accepted are 1 to {CODES}")),
        },
        _ => Err(format!("`{}`: accepted is --codes N, or --ordinary", arguments.join(" "))),
    }
}

/// Returns the program under test.
pub fn program(root: &Path) -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("BOUTON") {
        return Ok(PathBuf::from(path));
    }
    let status = Command::new("cargo").args(["build", "--release"]).current_dir(root).status();
    match status {
        Ok(status) if status.success() => Ok(crate::target().join("release/bouton")),
        _ => Err("the program could not be built".into()),
    }
}

/// Runs all comparisons.
pub fn compare(root: &Path, oracles: [bool; 2], arguments: &[String]) -> Result<(), String> {
    let code_count = code_count(arguments)?;
    let few = code_count.unwrap_or(CODES);
    let bouton = program(root)?;
    let folder = root.join("target/peers");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let before = machine::load();
    let mut body = String::new();
    match installed(root, "ogsolve", "0.0.7") {
        None => {
            body += "ogsolve could not be installed; see Nim-sequences above for version 0.0.7.\n"
        }
        Some(ogsolve) => {
            let asked = nim_sequences(&bouton, &ogsolve, &codes(CODES, 8)[..few])?;
            let sparse = long::sparse(&bouton, &folder, &asked)?;
            let pairs: Vec<CostPair> = asked.into_iter().map(|(pair, _)| pair).collect();
            let _ = writeln!(
                body,
                "{few} codes of two to four octal digits drawn with seed {SEED}, {HEAPS} heaps; \
                 both print equal values: {} {}\n\n\
                 The ten least ratios, and the ten longest runs of ogsolve 0.0.7:\n\n{}",
                summary(&pairs),
                by_period(&bouton, &pairs, HEAPS)?,
                excerpt(&pairs)
            );
            let pairs = long::nim_sequences(&bouton, &ogsolve, &sparse)?;
            let text = format!(
                "{} {}",
                long::summary(&pairs, few),
                by_period(&bouton, &pairs, long::FAR)?
            );
            let _ = writeln!(body, "{text}\n\n{}", excerpt(&pairs));
        }
    }
    let script = script();
    let hexadecimal =
        hexadecimal(&bouton, &script, &codes(HEXADECIMAL, 16)[..few.min(HEXADECIMAL)])?;
    let _ = writeln!(
        body,
        "Hexadecimal codes, which ogsolve does not read, {} heaps, compared with {}; the median \
         ratio is {}:\n\n{}",
        script.heaps,
        script.what,
        short(median(hexadecimal.iter().map(CostPair::ratio).collect())),
        table(&hexadecimal.iter().collect::<Vec<_>>())
    );
    match installed(root, "igsolve", "0.1.2") {
        None => body += "igsolve could not be installed.\n\n",
        Some(igsolve) => {
            let pairs = grundy(&bouton, &igsolve)?;
            let _ = writeln!(
                body,
                "igsolve 0.1.2 (which also solves Cram and Chomp, games not included here):\n\n{}",
                table(&pairs.iter().collect::<Vec<_>>())
            );
        }
    }
    let sentences = sentences(&bouton, &folder, oracles)?;
    let _ = writeln!(
        body,
        "Sentences over the natural numbers, and theorems written as one sentence:\n\n{}",
        table(&sentences.iter().collect::<Vec<_>>())
    );
    for (name, _) in [("MONA", 0), ("z3-solver", 1)].into_iter().filter(|(_, at)| !oracles[*at]) {
        let _ = writeln!(body, "{name} could not be installed.");
    }
    let _ = writeln!(body, "Not compared: CGSuite and Walnut, which are in no package registry.");
    let body = format!(
        "`cargo xtask compare`: whole processes, medians of {ROUNDS} alternating runs unless \
         stated otherwise, CPU time and peak memory, one thread each. Nothing is written unless \
         the answers are equal. A ratio above 1 means that Bouton is faster. {}; load {before} \
         before, {} at the end, of which these runs are 1.\n\n{body}",
        machine::kind(),
        machine::load()
    );
    if code_count.is_some() {
        println!("{HEADING}\n\n{body}");
        return Ok(());
    }
    figures::write(root, HEADING, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_seed() {
        let octal = codes(100, 8);
        assert_eq!(octal[..4], ["0.654", "0.43", "0.226", "0.1111"]);
        assert!(octal.iter().all(|code| (4..=6).contains(&code.len()) && !code.ends_with('0')));
        assert_eq!(octal.iter().collect::<BTreeSet<_>>().len(), 100);
        assert!(codes(20, 16).iter().all(|code| code.contains(|digit: char| digit > '7')));
    }

    #[test]
    fn answers_are_read() {
        let text = "Solving 0.3 with rc:\n nimbers: 0 1 0 1\n found period of length 2\n";
        assert_eq!(row(text, 4), Some(vec![0, 1, 0, 1]));
        assert_eq!(row(text, 5), None);
        assert_eq!(b_file("0 0\n1 5\n"), Some(vec![0, 5]));
        assert_eq!(b_file("0 0\nspent\n"), None);
    }

    #[test]
    fn fewer_codes_are_asked_for() {
        let code_count = |text: &str| {
            code_count(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        assert_eq!([code_count(""), code_count("--codes 5")], [Ok(None), Ok(Some(5))]);
        assert!(
            ["--codes 0", "--codes 101", "--codes x", "--codes", "5"]
                .iter()
                .all(|text| code_count(text).is_err())
        );
    }

    /// Values by hand: if one token is taken and none or one heap may remain (0.3), the parity;
    /// leaving exactly three heaps (0.8) needs four tokens, and the remainder of four or five has
    /// value 0.
    #[test]
    fn scripts_know_the_rules() {
        let listed = |script: &Script, code: &str, heaps: usize| {
            let output = Script { heaps, ..*script }
                .on(code)
                .output()
                .ok()
                .filter(|output| output.status.success())?;
            row(&String::from_utf8(output.stdout).ok()?, heaps)
        };
        for script in [PLAIN, ARRAYS] {
            let Some(values) = listed(&script, "0.8", 6) else {
                println!("skipped: {}", script.what);
                continue;
            };
            assert_eq!(values, [0, 0, 0, 0, 1, 1], "{}", script.what);
            assert_eq!(listed(&script, "0.3", 6), Some(vec![0, 1, 0, 1, 0, 1]));
        }
    }

    #[test]
    fn verdicts_are_read() {
        let text = [
            "unsat\n",
            "sat\n",
            "unknown\n",
            "Formula is valid\nA satisfying",
            "Formula is unsatisfiable\n",
            "",
        ];
        assert_eq!(
            text.map(parse_answer),
            [Some(true), Some(false), None, Some(true), Some(false), None]
        );
    }

    #[test]
    fn two_digits_are_enough() {
        assert_eq!([12.34, 1.234, 0.123, 0.0123].map(short), ["12", "1.2", "0.12", "0.012"]);
    }
}
