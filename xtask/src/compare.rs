//! `cargo xtask compare`: the same questions to Bouton and to others, equal answers, then what each took.
//!
//! Peers come from the registries: ogsolve and igsolve from crates.io under target/peers, MONA from Debian, z3-solver from
//! PyPI; a plain script of ours in Python is one more. Runs alternate, and of each the median counts: CPU time and
//! peak memory of the whole process. What is found is written into docs/benchmarks.md. BOUTON=PATH names a program that
//! is built; else one is built in release.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the section is, and what it is called.
const PAGE: &str = "docs/benchmarks.md";
const HEADING: &str = "## Beside other programs";

/// The codes that nobody chose: how many, by which seed, how far.
const CODES: usize = 100;
const SEED: u64 = 22;
const HEAPS: usize = 60_000;

/// Hexadecimal codes, which ogsolve does not read: beside the script, not so far.
const HEXADECIMAL: usize = 10;
const FEW_HEAPS: usize = 150;

/// Runs of each program on one question.
const ROUNDS: usize = 3;

/// What a process took.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cost {
    /// Of a processor, in the program and for it.
    seconds: f64,
    kibibytes: f64,
}

/// A program that others can install, and what it says.
struct Peer {
    name: &'static str,
    program: PathBuf,
}

/// What both took for one question.
struct Pair {
    question: String,
    peer: String,
    ours: Cost,
    theirs: Cost,
}

impl Pair {
    fn ratio(&self) -> f64 {
        self.theirs.seconds / self.ours.seconds
    }
}

/// Runs a program to its end.
fn run(command: &mut Command) -> Result<(Cost, String), String> {
    let told = format!("{command:?}");
    let child = command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("{told} could not be started: {error}"))?;
    let mut text = String::new();
    let mut out = child.stdout.take().ok_or("no output to read")?;
    std::io::Read::read_to_string(&mut out, &mut text).map_err(|error| format!("{told}: {error}"))?;
    let mut status = 0;
    // SAFETY: all zeros are a value of this structure of numbers, and both pointers are to our own.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::wait4(child.id().cast_signed(), &raw mut status, 0, &raw mut usage) < 0 {
            return Err(format!("{told} cannot be waited for"));
        }
        usage
    };
    if status != 0 && !libc::WIFEXITED(status) {
        return Err(format!("{told} was stopped"));
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let cost = Cost {
        seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        kibibytes: usage.ru_maxrss as f64,
    };
    Ok((cost, text))
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    match numbers.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => numbers[half],
        _ => (numbers[half - 1] + numbers[half]) / 2.0,
    }
}

fn medians(costs: &[Cost]) -> Cost {
    Cost {
        seconds: median(costs.iter().map(|cost| cost.seconds).collect()),
        kibibytes: median(costs.iter().map(|cost| cost.kibibytes).collect()),
    }
}

/// Numbers that look random: Knuth's MMIX generator.
fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

/// Codes 0.d1d2…, of two to four digits below `base`, the last not 0: all different.
fn codes(count: usize, base: u64) -> Vec<String> {
    let (mut state, mut known, mut codes) = (SEED, BTreeSet::new(), Vec::new());
    while codes.len() < count {
        let digits = 2 + random(&mut state, 3);
        let digits: String = (0..digits)
            .filter_map(|_| char::from_digit(random(&mut state, base) as u32, 16))
            .map(|digit| digit.to_ascii_uppercase())
            .collect();
        // Hexadecimal ones that are octal are drawn already.
        let fits = !digits.ends_with('0') && (base <= 8 || digits.contains(|digit: char| digit > '7'));
        let code = format!("0.{digits}");
        if fits && known.insert(code.clone()) {
            codes.push(code);
        }
    }
    codes
}

/// The numbers on the line of a text that has so many of them and nothing else, but for ogsolve's word before them.
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

/// The values of a b-file.
fn b_file(text: &str) -> Option<Vec<u32>> {
    text.lines().map(|line| line.split_once(' ')?.1.parse().ok()).collect()
}

/// The page with a section put in place of that of the same heading, or at its end.
fn with_section(page: &str, heading: &str, body: &str) -> String {
    let section = format!("{heading}\n\n{}\n", body.trim());
    match page.find(&format!("{heading}\n")) {
        None => format!("{}\n\n{section}", page.trim_end()),
        Some(at) => {
            let rest = &page[at + heading.len()..];
            let end = rest.find("\n## ").map(|end| format!("\n{}", &rest[end + 1..])).unwrap_or_default();
            format!("{}{section}{end}", &page[..at])
        }
    }
}

/// Two significant digits.
fn short(number: f64) -> String {
    match number {
        10.0.. => format!("{number:.0}"),
        1.0.. => format!("{number:.1}"),
        0.1.. => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// A program of a registry, installed where that can be done.
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

/// One question to both, in turns. `same` says whether the answers agree.
fn ask(
    question: &str,
    peer: &str,
    ours: &mut Command,
    theirs: &mut Command,
    same: impl Fn(&str, &str) -> bool,
) -> Result<Pair, String> {
    let (mut our_costs, mut their_costs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (cost, our_answer) = run(ours)?;
        our_costs.push(cost);
        let (cost, their_answer) = run(theirs)?;
        their_costs.push(cost);
        if !same(&our_answer, &their_answer) {
            return Err(format!("{question}: {peer} answers otherwise"));
        }
    }
    let (ours, theirs) = (medians(&our_costs), medians(&their_costs));
    let pair = Pair { question: question.into(), peer: peer.into(), ours, theirs };
    println!("{question}: {:.4} s, {peer} {:.4} s: {:.2}", ours.seconds, theirs.seconds, pair.ratio());
    Ok(pair)
}

/// ogsolve's methods; the fastest on each code is what counts.
const METHODS: [&str; 5] = ["naive", "rc", "rcs", "rc2", "rc2s"];

fn nim_sequences(bouton: &Path, ogsolve: &Peer) -> Result<Vec<Pair>, String> {
    let last = (HEAPS - 1).to_string();
    let mut pairs = Vec::new();
    for code in codes(CODES, 8) {
        let theirs = |method: &str| {
            let mut command = Command::new(&ogsolve.program);
            command.args(["-p", "-m", method, "-n", &last, &code]);
            command
        };
        let mut tried = Vec::new();
        for method in METHODS {
            tried.push((run(&mut theirs(method))?.0.seconds, method));
        }
        let (_, best) = tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).ok_or("no method")?;
        let mut ours = Command::new(bouton);
        ours.args(["values", &code, "--to", &last, "--b-file"]);
        let same = |ours: &str, theirs: &str| b_file(ours) == row(theirs, HEAPS);
        pairs.push(ask(&code, &format!("{} -m {best}", ogsolve.name), &mut ours, &mut theirs(best), same)?);
    }
    Ok(pairs)
}

/// A mex over all moves, as one would write it down.
const SCRIPT: &str = "\
import sys
digits = [int(d, 16) for d in sys.argv[1].replace('.', '')]
values, sums = [], {}
def left(total, heaps, most):
    'nim-sums of so many heaps of this total, none above most'
    if heaps == 0:
        return {0} if total == 0 else set()
    key = total, heaps, most
    if key not in sums:
        sums[key] = {values[a] ^ s for a in range(1, min(most, total) + 1) for s in left(total - a, heaps - 1, a)}
    return sums[key]
for n in range(int(sys.argv[2])):
    seen = set()
    for k, d in enumerate(digits[:n + 1]):
        for heaps in range(4):
            if d >> heaps & 1:
                seen |= left(n - k, heaps, n - k)
    value = 0
    while value in seen:
        value += 1
    values.append(value)
print(*values)
";

fn hexadecimal(bouton: &Path) -> Result<Vec<Pair>, String> {
    let last = (FEW_HEAPS - 1).to_string();
    let ask_one = |code: String| {
        let mut ours = Command::new(bouton);
        ours.args(["values", &code, "--to", &last, "--b-file"]);
        let mut theirs = Command::new("python3");
        theirs.args(["-c", SCRIPT, &code, &FEW_HEAPS.to_string()]);
        let same = |ours: &str, theirs: &str| b_file(ours) == row(theirs, FEW_HEAPS);
        ask(&code, "a script in Python", &mut ours, &mut theirs, same)
    };
    codes(HEXADECIMAL, 16).into_iter().map(ask_one).collect()
}

/// Sentences over the natural numbers, each with its truth.
const SENTENCES: [(&str, bool); 5] = [
    ("A n: n >= 8 => E x,y: n = 3*x + 5*y", true),
    ("A n: n >= 7 => E x,y: n = 3*x + 5*y", false),
    ("A x: 5*(x div 5) + x mod 5 = x", true),
    ("A x,y: min(x,y) + max(x,y) = x+y", true),
    ("E x,y: 7*x = 5*y + 3 & x != y & x > 100", true),
];

/// What MONA or Z3 says of a sentence: Z3 is asked for its negation.
fn said(told: &str) -> Option<bool> {
    match told.lines().next()?.trim() {
        "unsat" => Some(true),
        "sat" => Some(false),
        _ if told.contains("Formula is valid") => Some(true),
        _ if told.contains("unsatisfiable") => Some(false),
        _ => None,
    }
}

/// The nim-value of one heap of Grundy's game.
fn grundy(bouton: &Path, igsolve: &Peer) -> Result<Vec<Pair>, String> {
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
        ask(&format!("Grundy's game, the value of heap {heap}"), igsolve.name, &mut ours, &mut theirs, same)
    };
    ["2000", "5000"].into_iter().map(ask_one).collect()
}

/// Sentences to MONA and to Z3, as Bouton writes them for each.
fn sentences(bouton: &Path, folder: &Path, has: [bool; 2]) -> Result<Vec<Pair>, String> {
    const ASK_Z3: &str = "import sys, z3\ns = z3.Solver()\ns.set('timeout', 20000)\ns.from_file(sys.argv[1])\nprint(s.check())";
    let mut pairs = Vec::new();
    for (sentence, truth) in SENTENCES {
        for (peer, language) in [("mona", "mona"), ("z3", "smt")] {
            if !has[usize::from(peer == "z3")] {
                continue;
            }
            let (_, program) = run(Command::new(bouton).args(["logic", sentence, "--export", language]))?;
            let file = folder.join(format!("sentence.{language}"));
            std::fs::write(&file, program).map_err(|error| error.to_string())?;
            let mut theirs = Command::new(if peer == "mona" { "mona" } else { "python3" });
            if peer == "mona" { theirs.arg("-q") } else { theirs.args(["-c", ASK_Z3]) }.arg(&file);
            let mut ours = Command::new(bouton);
            ours.args(["logic", sentence, "--json"]);
            if said(&run(&mut theirs)?.1).is_none() {
                println!("{sentence}: {peer} finds no answer in 20 s");
                continue;
            }
            let verdict = format!("\"verdict\":\"{truth}\"");
            let same = |ours: &str, theirs: &str| ours.contains(&verdict) && said(theirs) == Some(truth);
            pairs.push(ask(sentence, peer, &mut ours, &mut theirs, same)?);
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
        pairs.push(ask(&question, "mona", &mut ours, &mut theirs, same)?);
    }
    Ok(pairs)
}

/// The table of single pairs.
fn table(pairs: &[&Pair]) -> String {
    let mut text =
        "| question | peer | CPU, ours | theirs | ratio | MB, ours | theirs |\n|---|---|---|---|---|---|---|\n"
            .to_owned();
    for pair in pairs {
        let mega = |cost: Cost| short(cost.kibibytes / 1024.0);
        let question = pair.question.replace('|', "\\|");
        let _ = writeln!(
            text,
            "| {question} | {} | {:.3} s | {:.3} s | {} | {} | {} |",
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

/// What a run has to show for 100 codes.
fn summary(pairs: &[Pair]) -> String {
    let ratios = |wanted: &dyn Fn(&&Pair) -> bool| -> Vec<f64> {
        pairs.iter().filter(wanted).map(Pair::ratio).collect()
    };
    let all = ratios(&|_| true);
    let long = ratios(&|pair| pair.theirs.seconds >= 0.05 || pair.ours.seconds >= 0.05);
    let least = long.iter().copied().fold(f64::INFINITY, f64::min);
    let memory = median(pairs.iter().map(|pair| pair.theirs.kibibytes / pair.ours.kibibytes).collect());
    format!(
        "{} codes of two to four octal digits drawn by the seed {SEED}, {HEAPS} heaps, values printed by both and equal: ogsolve's \
         fastest method takes {} times our CPU time at the median, and {} times its memory. Of the {} runs in which one of \
         the two takes 0.05 s, {} are slower here; the least ratio is {}, the median {}.",
        all.len(),
        short(median(all.clone())),
        short(memory),
        long.len(),
        long.iter().filter(|ratio| **ratio < 1.0).count(),
        short(least),
        short(median(long.clone())),
    )
}

fn program(root: &Path) -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("BOUTON") {
        return Ok(PathBuf::from(path));
    }
    let status = Command::new("cargo").args(["build", "--release"]).current_dir(root).status();
    match status {
        Ok(status) if status.success() => Ok(crate::target().join("release/bouton")),
        _ => Err("the program could not be built".into()),
    }
}

/// All of it.
pub fn compare(root: &Path, oracles: [bool; 2]) -> Result<(), String> {
    let bouton = program(root)?;
    let folder = root.join("target/peers");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut body = format!(
        "`cargo xtask compare`: whole processes, medians of {ROUNDS} alternating runs, CPU time and peak memory, one thread each; answers are \
         equal, or nothing is written. Ratios above 1 are in our favour.\n\n"
    );
    match installed(root, "ogsolve", "0.0.7") {
        None => body += "ogsolve could not be installed; see Nim-sequences above for version 0.0.7.\n",
        Some(ogsolve) => {
            let mut pairs = nim_sequences(&bouton, &ogsolve)?;
            body += &format!(
                "{}\n\nThe ten least ratios among them, and the ten longest runs of ogsolve 0.0.7:\n\n",
                summary(&pairs)
            );
            pairs.retain(|pair| pair.theirs.seconds >= 0.05 || pair.ours.seconds >= 0.05);
            pairs.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
            let (least, rest) = pairs.split_at(pairs.len().min(10));
            let mut longest: Vec<&Pair> = rest.iter().collect();
            longest.sort_by(|a, b| b.theirs.seconds.total_cmp(&a.theirs.seconds));
            let shown: Vec<&Pair> = least.iter().chain(longest.into_iter().take(10)).collect();
            body += &table(&shown);
        }
    }
    let hexadecimal = hexadecimal(&bouton)?;
    let _ = writeln!(
        body,
        "\nHexadecimal codes, which ogsolve does not read, {FEW_HEAPS} heaps, beside a mex over all moves in Python:\n\n{}",
        table(&hexadecimal.iter().collect::<Vec<_>>())
    );
    match installed(root, "igsolve", "0.1.2") {
        None => body += "igsolve could not be installed.\n\n",
        Some(igsolve) => {
            let pairs = grundy(&bouton, &igsolve)?;
            let _ = writeln!(
                body,
                "igsolve 0.1.2, which also solves Cram and Chomp, games that are not here:\n\n{}",
                table(&pairs.iter().collect::<Vec<_>>())
            );
        }
    }
    let sentences = sentences(&bouton, &folder, oracles)?;
    let _ = writeln!(
        body,
        "Sentences over the natural numbers, and theorems as one sentence:\n\n{}",
        table(&sentences.iter().collect::<Vec<_>>())
    );
    for (name, _) in [("MONA", 0), ("z3-solver", 1)].into_iter().filter(|(_, at)| !oracles[*at]) {
        let _ = writeln!(body, "{name} could not be installed.");
    }
    let _ = writeln!(body, "Not compared: CGSuite and Walnut, which no registry has.");
    let page = std::fs::read_to_string(root.join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    std::fs::write(root.join(PAGE), with_section(&page, HEADING, &body))
        .map_err(|error| format!("{PAGE}: {error}"))
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
    fn verdicts_are_read() {
        let told = [
            "unsat\n",
            "sat\n",
            "unknown\n",
            "Formula is valid\nA satisfying",
            "Formula is unsatisfiable\n",
            "",
        ];
        assert_eq!(told.map(said), [Some(true), Some(false), None, Some(true), Some(false), None]);
    }

    #[test]
    fn medians_and_sections() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0]), 2.5);
        let page = "# A\n\n## B\n\nold\n\n## C\n\nc\n";
        assert_eq!(with_section(page, "## B", "new\n"), "# A\n\n## B\n\nnew\n\n## C\n\nc\n");
        assert_eq!(with_section(page, "## C", "new"), "# A\n\n## B\n\nold\n\n## C\n\nnew\n");
        assert_eq!(with_section(page, "## D", "d"), "# A\n\n## B\n\nold\n\n## C\n\nc\n\n## D\n\nd\n");
    }

    #[test]
    fn two_digits_are_enough() {
        assert_eq!([12.34, 1.234, 0.123, 0.0123].map(short), ["12", "1.2", "0.12", "0.012"]);
    }
}
