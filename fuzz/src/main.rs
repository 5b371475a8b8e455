//! Fuzzes every target in turn: `cargo xtask fuzz --minutes M [TARGET…]`, or `--count N` inputs of
//! each.
//!
//! Inputs are those of the kept corpus (fuzz/corpus/TARGET), changed at random. Each target runs in
//! a process of its own, so that one that aborts is seen, too; it is run again from the same seed,
//! then with each input written down before it is tried. An input that fails is made smaller and
//! kept in fuzz/failures. Without coverage to guide it: see fuzz/libfuzzer for that.

mod coq;
mod model;
mod mutate;
mod targets;

use bouton_fuzz::lot::{self, Lot};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use targets::TARGETS;

const USAGE: &str = "bouton-fuzz [--minutes M | --count N] [--seed N] [TARGET…]";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

struct Plan {
    minutes: f64,
    seed: u64,
    /// How many inputs of each target; 0 for as many as there is time for.
    count: u64,
    /// In the process that fuzzes: whether each input is written down.
    inside: bool,
    trace: bool,
    names: Vec<String>,
}

fn plan() -> Option<Plan> {
    let mut plan =
        Plan { minutes: 1.0, seed: 1, count: 0, inside: false, trace: false, names: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--minutes" => plan.minutes = words.next()?.parse().ok()?,
            "--seed" => plan.seed = words.next()?.parse().ok()?,
            "--count" => plan.count = words.next()?.parse().ok()?,
            "--inside" => plan.inside = true,
            "--trace" => plan.trace = true,
            name if TARGETS.iter().any(|target| target.name == name) => plan.names.push(word),
            _ => return None,
        }
    }
    if plan.names.is_empty() {
        plan.names = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    }
    Some(plan)
}

fn main() -> ExitCode {
    let Some(plan) = plan() else {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!("{USAGE}\ntargets: {}", names.join(", "));
        return ExitCode::from(2);
    };
    if plan.inside {
        return inside(&plan);
    }
    let Ok(own) = std::env::current_exe() else { return ExitCode::FAILURE };
    let mut failed = false;
    for name in &plan.names {
        let run = |more: &[String]| {
            let minutes = plan.minutes.to_string();
            let seed = plan.seed.to_string();
            let count = plan.count.to_string();
            let base =
                ["--inside", "--minutes", &minutes, "--count", &count, "--seed", &seed, name];
            Command::new(&own).args(base).args(more).status()
        };
        let status = run(&[]);
        failed |= !status.as_ref().is_ok_and(|status| status.success());
        if status.is_ok_and(|status| status.code().is_none()) {
            println!(
                "{name}: aborted; once more, with each input written to {}",
                last(name).display()
            );
            let _ = run(&["--trace".into()]);
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn last(name: &str) -> PathBuf {
    folder("failures").join(format!("{name}-last"))
}

fn inside(plan: &Plan) -> ExitCode {
    let Some(target) = TARGETS.iter().find(|target| target.name == plan.names[0]) else {
        return ExitCode::FAILURE;
    };
    let mut corpus: Vec<(PathBuf, Vec<u8>)> = std::fs::read_dir(folder("corpus").join(target.name))
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            Some((path.clone(), std::fs::read(path).ok()?))
        })
        .collect();
    corpus.sort();
    let corpus: Vec<Vec<u8>> = corpus.into_iter().map(|(_, bytes)| bytes).collect();
    let words = mutate::words(&corpus);
    std::panic::set_hook(Box::new(|_| ()));
    let read = Cell::new(0u64);
    let fails = |input: &[u8]| {
        let run = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
        match run {
            Ok(Ok(whole)) => {
                read.set(read.get() + u64::from(whole));
                None
            }
            Ok(Err(why)) => Some(why),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
                Some(format!("panicked: {text}"))
            }
        }
    };
    let keep = |input: &[u8], why: &str| {
        let _ = std::fs::create_dir_all(folder("failures"));
        let path =
            folder("failures").join(format!("{}-{:08x}", target.name, lot::hash(input) as u32));
        let _ = std::fs::write(&path, input);
        println!("{}: {why}\n  {}", target.name, path.display());
    };
    let (started, limit) = (Instant::now(), Duration::from_secs_f64(60.0 * plan.minutes));
    let (mut count, mut slowest, mut failures) = (0u64, Duration::ZERO, 0);
    let mut lot = Lot::new(plan.seed ^ lot::hash(target.name.as_bytes()));
    while if plan.count > 0 { count < plan.count } else { started.elapsed() < limit } {
        // First what is kept, as it is.
        let input = match corpus.get(count as usize) {
            Some(kept) => kept.clone(),
            None => mutate::input(&corpus, &words, &mut lot),
        };
        if plan.trace {
            let _ = std::fs::create_dir_all(folder("failures"));
            let _ = std::fs::write(last(target.name), &input);
        }
        let began = Instant::now();
        let failure = fails(&input);
        slowest = slowest.max(began.elapsed());
        count += 1;
        if let Some(why) = failure {
            failures += 1;
            let kind = why.chars().take(30).collect::<String>();
            let small = mutate::shrink(input, |smaller| {
                fails(smaller).is_some_and(|why| why.starts_with(&kind))
            });
            keep(&small, &why);
            if failures == 5 {
                break;
            }
        }
    }
    println!(
        "{}: {count} inputs, {} of them read, in {:.0} s, the longest {:.2} s, {failures} failures",
        target.name,
        read.get(),
        started.elapsed().as_secs_f64(),
        slowest.as_secs_f64()
    );
    if failures > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
