//! Questions drawn by a seed, to Bouton, to a plain program in C++ and to a plain script in Python:
//! the second half of `cargo xtask compare --ordinary`.

mod programs;
mod question;

use super::process::{Cost, Run, median, medians, run, run_within};
use super::{ROUNDS, short};
use crate::machine;
use question::{Ask, Question, SEED, drawn};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of questions.
pub const QUESTIONS: usize = 100;

/// Some questions of a seed, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    pub seed: u64,
    pub numbers: Vec<usize>,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { seed: SEED, numbers: (0..QUESTIONS).collect() }
    }
}

/// Sizes that people ask about. That of a question is the first for which the other program takes
/// so many seconds.
const SIZES: [usize; 27] = [
    5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000,
    10_000, 20_000, 50_000, 100_000, 200_000, 300_000, 500_000, 1_000_000,
];
const CPP_SECONDS: f64 = 0.15;
const PYTHON_SECONDS: f64 = 0.3;

/// Letters of a rule in the table.
const MAX_SHOWN: usize = 90;

/// Processor seconds after which Bouton is cut.
const MAX_SECONDS: u64 = 6;

/// How much longer than C++ Bouton may take, and how much more memory.
const MAX_SLOWER: f64 = 1.5;
const MAX_MEMORY: f64 = 2.0;

/// Less time and memory than these is that of the start of a program.
const LEAST_SECONDS: f64 = 0.001;
const LEAST_KIBIBYTES: f64 = 1024.0;

/// The costs of Bouton and of another program at one size, those of their starts left out.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Costs {
    size: usize,
    ours: Cost,
    theirs: Cost,
    /// Whether Bouton was cut, or did not answer.
    is_cut: bool,
}

impl Costs {
    /// Returns how many times as long the other program takes; an upper bound if Bouton was cut.
    fn ratio(&self) -> f64 {
        self.theirs.seconds / self.ours.seconds
    }

    fn is_loss(&self) -> bool {
        self.is_cut || self.ratio() < 1.0 / MAX_SLOWER
    }

    /// Returns the costs as words.
    fn written(&self) -> String {
        let Costs { size, ours, theirs, is_cut } = self;
        let cost = |cost: &Cost| format!("{} {}", cost.seconds, cost.kibibytes);
        format!("{size} {} {} {is_cut}", cost(ours), cost(theirs))
    }

    /// Reads what [`Costs::written`] writes.
    fn read(text: &str) -> Option<Costs> {
        let [size, ours, ours_kib, theirs, theirs_kib, is_cut] =
            text.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let cost = |seconds: &str, kibibytes: &str| {
            Some(Cost { seconds: seconds.parse().ok()?, kibibytes: kibibytes.parse().ok()? })
        };
        Some(Costs {
            size: size.parse().ok()?,
            ours: cost(ours, ours_kib)?,
            theirs: cost(theirs, theirs_kib)?,
            is_cut: is_cut.parse().ok()?,
        })
    }

    fn is_large(&self) -> bool {
        self.ours.kibibytes > MAX_MEMORY * self.theirs.kibibytes
    }
}

/// The programs under comparison, and the costs of their starts.
struct Programs {
    bouton: PathBuf,
    folder: PathBuf,
    starts: [Cost; 3],
}

/// Returns the cost without that of the start.
fn beyond(cost: Cost, start: Cost) -> Cost {
    Cost {
        seconds: (cost.seconds - start.seconds).max(LEAST_SECONDS),
        kibibytes: (cost.kibibytes - start.kibibytes).max(LEAST_KIBIBYTES),
    }
}

/// Returns the median costs of a program.
fn start(command: &Command) -> Result<Cost, String> {
    let costs: Vec<Cost> = (0..5).map(|_| Ok(run(command)?.0)).collect::<Result<_, String>>()?;
    Ok(medians(&costs))
}

impl Programs {
    /// Writes and compiles the other programs.
    fn new(bouton: PathBuf, folder: &Path, questions: &[Question]) -> Result<Programs, String> {
        let write = |name: &str, text: &str| {
            std::fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))
        };
        write("drawn.cpp", &programs::in_cpp(questions))?;
        write("drawn.py", &programs::in_python(questions))?;
        for (number, question) in questions.iter().enumerate() {
            write(&format!("drawn-{number}.toml"), question.file.as_deref().unwrap_or_default())?;
        }
        super::ordinary::compile(folder, "drawn")?;
        let none = Cost { seconds: 0.0, kibibytes: 0.0 };
        let mut all = Programs { bouton, folder: folder.into(), starts: [none; 3] };
        let mut ours = Command::new(&all.bouton);
        ours.args(["solve", "nim", "1"]);
        let empty = questions.len();
        let mut script = Command::new("python3");
        script.args(["-c", "import sys"]);
        all.starts = [start(&ours)?, start(&all.cpp(empty, 0))?, start(&script)?];
        Ok(all)
    }

    fn cpp(&self, number: usize, size: usize) -> Command {
        let mut command = Command::new(self.folder.join("drawn"));
        command.args([number.to_string(), size.to_string()]);
        command
    }

    fn python(&self, number: usize, size: usize) -> Command {
        let mut command = Command::new("python3");
        command.arg(self.folder.join("drawn.py")).args([number.to_string(), size.to_string()]);
        command
    }

    fn ours(&self, number: usize, question: &Question, size: usize) -> Command {
        let mut command = Command::new(&self.bouton);
        command.arg("--quiet");
        if question.file.is_some() {
            command.arg("--rules").arg(self.folder.join(format!("drawn-{number}.toml")));
        }
        let (game, size_text) = (question.game.as_str(), size.to_string());
        match question.ask {
            Ask::PPositions => command.args(["positions", game, "--max", &size_text]),
            Ask::MiserePPositions => {
                command.args(["positions", game, "--misere", "--max", &size_text])
            }
            Ask::Values => command.args(["positions", game, "--values", "--max", &size_text]),
            Ask::Sequence => command.args(["values", game, "--b-file", "--to", &size_text]),
            Ask::Outcome => {
                let heaps = (0..question.sides.len())
                    .map(|heap| (size - size * heap / (3 * heap + 2)).to_string());
                command.args(["solve", game, &heaps.collect::<Vec<_>>().join(","), "--json"])
            }
        };
        command
    }

    /// Puts one question to Bouton and to another program, at the size that suits the other one.
    fn ask(
        &self,
        [number, rounds]: [usize; 2],
        question: &Question,
        seconds: f64,
        start: Cost,
        other: impl Fn(usize) -> Command,
    ) -> Result<Costs, String> {
        let mut size = SIZES[0];
        for next in SIZES {
            size = next;
            if run(&other(size))?.0.seconds >= start.seconds + seconds {
                break;
            }
        }
        let (mut our_costs, mut their_costs, mut is_cut) = (Vec::new(), Vec::new(), false);
        for _ in 0..rounds {
            let (cost, expected) = run(&other(size))?;
            their_costs.push(cost);
            if is_cut {
                continue;
            }
            let Run { cost, text, is_cut: cut } =
                run_within(&self.ours(number, question, size), MAX_SECONDS)?;
            our_costs.push(cost);
            let found = answer(question.ask, &text);
            if found != expected {
                // What was printed before the end must be right.
                let is_part =
                    (cut || found.is_empty()) && expected.starts_with(whole_lines(&found));
                if !is_part {
                    return Err(format!(
                        "{number}, {} to {size}: the answers differ",
                        question.shown
                    ));
                }
                is_cut = true;
            }
        }
        let ours = beyond(medians(&our_costs), self.starts[0]);
        Ok(Costs { size, ours, theirs: beyond(medians(&their_costs), start), is_cut })
    }
}

/// Returns the whole lines of a text.
fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

/// Returns Bouton's answer in the form of the other programs.
fn answer(ask: Ask, text: &str) -> String {
    if ask != Ask::Outcome {
        return text.into();
    }
    let answer: Option<serde_json::Value> = serde_json::from_str(text).ok();
    match answer.as_ref().and_then(|answer| answer["outcome"].as_str()) {
        Some(outcome @ ("P" | "N")) => format!("{outcome}\n"),
        _ => String::new(),
    }
}

/// Costs that were measured before the comparison was interrupted, in a file: a line a question.
struct Kept {
    file: PathBuf,
    text: String,
}

impl Kept {
    /// Opens the file of a seed, for this very program.
    fn new(folder: &Path, seed: u64, bouton: &Path) -> Result<Kept, String> {
        let program =
            std::fs::read(bouton).map_err(|error| format!("{}: {error}", bouton.display()))?;
        // FNV-1a.
        let hash = program.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        });
        let file = folder.join(format!("drawn-{seed}-{hash:016x}.costs"));
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        Ok(Kept { file, text })
    }

    /// Returns the costs of a question beside the other programs.
    fn costs(&self, number: usize, question: &Question) -> Option<[Costs; 2]> {
        let line =
            self.text.lines().find_map(|line| line.strip_prefix(&Kept::key(number, question)))?;
        let (cpp, python) = line.split_once(", ")?;
        Some([Costs::read(cpp)?, Costs::read(python)?])
    }

    fn keep(
        &mut self,
        number: usize,
        question: &Question,
        costs: &[Costs; 2],
    ) -> Result<(), String> {
        let [cpp, python] = costs.map(|costs| costs.written());
        let _ = writeln!(self.text, "{}{cpp}, {python}", Kept::key(number, question));
        std::fs::write(&self.file, &self.text)
            .map_err(|error| format!("{}: {error}", self.file.display()))
    }

    fn key(number: usize, question: &Question) -> String {
        format!("{number}: {:?} {}: ", question.ask, question.shown)
    }
}

/// Puts some questions, and returns the text of the section. What is interrupted goes on when it is
/// begun anew with the same program.
pub fn compare(bouton: PathBuf, folder: &Path, selection: &Selection) -> Result<String, String> {
    let Selection { seed, numbers } = selection;
    let questions = drawn(*seed, numbers.iter().max().map_or(0, |most| most + 1));
    let count = numbers.len();
    let mut kept = Kept::new(folder, *seed, &bouton)?;
    let programs = Programs::new(bouton, folder, &questions)?;
    let before = machine::load();
    let mut rows: Vec<(&Question, Costs, Costs)> = Vec::new();
    for (number, question) in numbers.iter().map(|number| (*number, &questions[*number])) {
        let [_, cpp_start, python_start] = programs.starts;
        let [cpp, python] = match kept.costs(number, question) {
            Some(known) => known,
            None => {
                let in_cpp = |size| programs.cpp(number, size);
                let in_python = |size| programs.python(number, size);
                let costs = [
                    programs.ask([number, ROUNDS], question, CPP_SECONDS, cpp_start, in_cpp)?,
                    programs.ask([number, 1], question, PYTHON_SECONDS, python_start, in_python)?,
                ];
                kept.keep(number, question, &costs)?;
                costs
            }
        };
        println!(
            "{number}, {}, {}: C++ to {} {}, Python to {} {}",
            question.family,
            shortened(&question.shown),
            cpp.size,
            ratio(&cpp),
            python.size,
            ratio(&python)
        );
        rows.push((question, cpp, python));
    }
    rows.sort_by(|a, b| {
        (!a.1.is_cut, a.1.ratio()).partial_cmp(&(!b.1.is_cut, b.1.ratio())).expect("no NaN")
    });
    let ratios = |costs: fn(&(&Question, Costs, Costs)) -> f64| {
        short(median(rows.iter().map(costs).collect()))
    };
    let losses = rows.iter().filter(|row| row.1.is_loss()).count();
    let cut = rows.iter().filter(|row| row.1.is_cut).count();
    let large = rows.iter().filter(|row| row.1.is_large()).count();
    let kinds = "| family | game | to | ours | C++ | ratio | MB, ours | C++ | Python to | ours | \
        Python | ratio |\n\
        |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    let mut text = format!(
        "`cargo xtask compare --ordinary`: {count} questions drawn with seed {seed} \
         (`xtask/src/compare/drawn/question.rs`). From the description of each game a plain \
         program in C++ (g++ -O2) and a script in Python are written: loops over the options and \
         a table, a sieve where P-positions strike out what reaches them. The size is the first \
         of a list for which the other program takes {CPP_SECONDS} s (Python: {PYTHON_SECONDS} \
         s). Whole processes, processor time without that of a start ({}, {}, {} s; differences \
         below {LEAST_SECONDS} s count as that much), medians of {ROUNDS} alternating runs \
         (Python: one), peak memory beyond that of a start, 1 MB at least. All answers are equal; \
         a difference ends the command with an error. A ratio above 1 means that Bouton is \
         faster.\n\nLosses, more than {MAX_SLOWER} times C++'s time: **{losses} of {count}**, of \
         which {cut} gave no answer in {MAX_SECONDS} s. Median ratio against C++ **{}**, against \
         Python **{}**. More than {MAX_MEMORY} times C++'s memory: {large}. {}; load {before} \
         before, {} at the end, of which these runs are 1.\n\n{kinds}",
        short(programs.starts[0].seconds),
        short(programs.starts[1].seconds),
        short(programs.starts[2].seconds),
        ratios(|row| row.1.ratio()),
        ratios(|row| row.2.ratio()),
        machine::kind(),
        machine::load()
    );
    for (question, cpp, python) in &rows {
        let mega = |cost: Cost| short(cost.kibibytes / 1024.0);
        let seconds = |cost: Cost| format!("{:.3} s", cost.seconds);
        let asked = match question.ask {
            Ask::PPositions => "P",
            Ask::MiserePPositions => "P, misère",
            Ask::Values => "values",
            Ask::Sequence => "sequence",
            Ask::Outcome => "who wins",
        };
        let _ = writeln!(
            text,
            "| {}: {asked} | `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            question.family,
            shortened(&question.shown),
            cpp.size,
            seconds(cpp.ours),
            seconds(cpp.theirs),
            ratio(cpp),
            mega(cpp.ours),
            mega(cpp.theirs),
            python.size,
            seconds(python.ours),
            seconds(python.theirs),
            ratio(python)
        );
    }
    Ok(text)
}

/// Returns the beginning of a long rule, for a table.
fn shortened(rule: &str) -> String {
    let beginning: String = rule.chars().take(MAX_SHOWN).collect();
    let dots = if beginning.len() < rule.len() { " …" } else { "" };
    beginning.replace('|', "\\|") + dots
}

/// Shows a ratio.
fn ratio(costs: &Costs) -> String {
    format!("{}{}", if costs.is_cut { "< " } else { "" }, short(costs.ratio()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same questions every time, each with a rule file or a known name, and shown in one row.
    #[test]
    fn questions_are_those_of_the_seed() {
        let questions = drawn(SEED, QUESTIONS);
        let shown = |questions: &[Question]| -> Vec<String> {
            questions.iter().map(|question| question.shown.clone()).collect()
        };
        assert_eq!(shown(&questions)[..30], shown(&drawn(SEED, 30)));
        assert!(questions.iter().all(|question| !question.options.is_empty()));
        let files = questions.iter().filter_map(|question| question.file.as_ref());
        let all: Vec<toml::Table> = files.map(|file| file.parse().unwrap()).collect();
        assert!(all.len() > QUESTIONS / 2 && all.iter().all(|file| file.contains_key("name")));
        assert_eq!(shortened("a | b"), "a \\| b");
    }

    /// Kayles by the script: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, chapter 4.
    #[test]
    fn scripts_know_the_rules() {
        let questions = drawn(SEED, 20);
        let kayles = questions.iter().position(|question| question.game == "kayles").unwrap();
        let mut script = Command::new("python3");
        script.args(["-c", &programs::in_python(&questions), &kayles.to_string(), "11"]);
        let Some(output) = script.output().ok().filter(|output| output.status.success()) else {
            println!("skipped: no Python");
            return;
        };
        let text = String::from_utf8(output.stdout).unwrap();
        let values: Vec<&str> =
            text.lines().filter_map(|line| Some(line.split_once(' ')?.1)).collect();
        assert_eq!(values.join(" "), "0 1 2 3 1 4 3 2 1 4 2 6");
    }

    /// What was kept is what was measured, of this question alone.
    #[test]
    fn costs_are_kept() {
        let questions = drawn(SEED, 4);
        let cost = |seconds: f64| Cost { seconds, kibibytes: 1024.5 };
        let costs = |is_cut| Costs { size: 70, ours: cost(0.1), theirs: cost(1.0 / 3.0), is_cut };
        let file = std::env::temp_dir().join(format!("bouton-kept-{}.costs", std::process::id()));
        let mut kept = Kept { file, text: String::new() };
        kept.keep(2, &questions[2], &[costs(false), costs(true)]).unwrap();
        std::fs::remove_file(&kept.file).unwrap();
        assert_eq!(kept.costs(2, &questions[2]), Some([costs(false), costs(true)]));
        assert_eq!(kept.costs(2, &questions[3]), None);
        assert_eq!(kept.costs(12, &questions[2]), None);
    }

    /// What was not answered counts as a loss, whatever its ratio.
    #[test]
    fn losses_are_told_apart() {
        let cost = |seconds: f64| Cost { seconds, kibibytes: 1024.0 };
        let costs = |ours, is_cut| Costs { size: 5, ours: cost(ours), theirs: cost(0.3), is_cut };
        assert!(
            !costs(0.3, false).is_loss()
                && costs(0.6, false).is_loss()
                && costs(0.1, true).is_loss()
        );
        assert_eq!(answer(Ask::Outcome, "{\"outcome\":\"P\"}"), "P\n");
        assert_eq!(answer(Ask::Outcome, "{\"outcome\":\"unknown\"}"), "");
        assert_eq!(whole_lines("0,0\n1,"), "0,0\n");
    }
}
