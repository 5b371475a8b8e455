//! The margin of a board of Dots and Boxes as a run that can be stopped, resumed and shared:
//!
//!     cargo run --release -p bouton-dots --example dots_run -- \
//!        4x5 FOLDER [--drawn 7] [--megabytes 4096] \
//!        [--threads 1] [--shard 1/4] [--table] [--seconds N] [--nodes N]
//!
//! A run that is killed at any moment is resumed by the same command. Shards are processes with a
//! common folder, on one machine or several; each ends with the value, sooner the more shards there
//! are. `--table` keeps the table in a file, too. The progress is printed every minute. The exit
//! status is 0 if the margin is found, 1 if the budget is exhausted, 2 for bad arguments.

use bouton_core::{Budget, Deadline, Meter};
use bouton_dots::{ResumableRun, RunShard, Solver};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

struct Arguments {
    rows: usize,
    columns: usize,
    run: ResumableRun,
    megabytes: u64,
    threads: usize,
    budget: Budget,
}

fn number(what: &str, text: Option<String>) -> Result<u64, String> {
    let text = text.ok_or_else(|| format!("{what} needs a number"))?;
    text.parse().map_err(|_| format!("{what}: {text} is no number; accepted: 1, 4096"))
}

fn pair(what: &str, text: &str, between: char, form: &str) -> Result<(u32, u32), String> {
    let numbers =
        text.split_once(between).and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    numbers.ok_or_else(|| format!("{what}: {text}; accepted: {form}"))
}

fn parse_arguments(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut named = Vec::new();
    let mut run = ResumableRun {
        folder: PathBuf::new(),
        shard: RunShard::WHOLE,
        drawn: 7,
        keeps_table: false,
    };
    let (mut megabytes, mut threads, mut budget) = (4096, 1, Budget::default());
    while let Some(word) = words.next() {
        match &word[..] {
            "--drawn" => run.drawn = number(&word, words.next())?.min(64) as u32,
            "--megabytes" => megabytes = number(&word, words.next())?,
            "--threads" => threads = number(&word, words.next())?.clamp(1, 64) as usize,
            "--nodes" => budget.nodes = Some(number(&word, words.next())?),
            "--seconds" => {
                budget.deadline =
                    Some(Deadline::after(Duration::from_secs(number(&word, words.next())?)));
            }
            "--table" => run.keeps_table = true,
            "--shard" => {
                let text = words.next().unwrap_or_default();
                let (shard, of) = pair(&word, &text, '/', "1/4, the first of four")?;
                run.shard = RunShard::new(shard, of)
                    .ok_or_else(|| format!("{word}: there is no shard {text}"))?;
            }
            _ if word.starts_with("--") => return Err(format!("{word} is no option here")),
            _ => named.push(word),
        }
    }
    let [board, folder] = &named[..] else {
        return Err("a board and a folder are needed: 4x5 FOLDER".into());
    };
    let (rows, columns) = pair("board", board, 'x', "4x5")?;
    run.folder = folder.into();
    Ok(Arguments {
        rows: rows as usize,
        columns: columns as usize,
        run,
        megabytes,
        threads,
        budget,
    })
}

fn solve(parse_arguments: &Arguments) -> Result<bool, String> {
    let Arguments { rows, columns, run, megabytes, threads, budget } = parse_arguments;
    let bytes = megabytes.saturating_mul(1 << 20);
    let solver = Solver::resumed(*rows, *columns, bytes, *threads, run)
        .map_err(|error| error.to_string())?;
    let start = Instant::now();
    let tell = || {
        let Some(progress) = solver.progress() else { return };
        let seconds = start.elapsed().as_secs_f64();
        let left = seconds * (1.0 - progress.share) / progress.share.max(1e-12);
        eprintln!(
            "{seconds:.0} s: {:.4} % of this question's tree, its parts counted alike; {} \
             positions noted, {} nodes; at this rate {:.1} h more for this question",
            100.0 * progress.share,
            progress.recorded_positions,
            progress.nodes,
            left / 3600.0
        );
    };
    eprintln!(
        "{} positions are noted already",
        solver.progress().map_or(0, |progress| progress.recorded_positions)
    );
    let (done, wait) = channel::<()>();
    let ((margin, end), nodes) = std::thread::scope(|scope| {
        let tell = &tell;
        scope.spawn(move || {
            while wait.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Timeout) {
                tell();
            }
        });
        let mut meter = Meter::new(budget);
        let found = solver.margin(0, &mut meter);
        drop(done);
        (found, meter.nodes())
    });
    let seconds = start.elapsed().as_secs_f64();
    match (margin.exact(), end) {
        (Some(margin), _) => {
            println!("{rows}x{columns}: {margin}, {nodes} nodes now, {seconds:.1} s")
        }
        (None, end) => {
            let why = end.err().map_or_else(String::new, |why| format!("; {why}"));
            println!(
                "{rows}x{columns}: from {} to {}, {nodes} nodes now, {seconds:.1} s{why}",
                margin.low, margin.high
            );
        }
    }
    Ok(margin.exact().is_some())
}

fn main() -> ExitCode {
    match parse_arguments(std::env::args().skip(1))
        .and_then(|parse_arguments| solve(&parse_arguments))
    {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}
