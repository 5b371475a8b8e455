//! `bouton`, the command line. No theory here: every command reads its arguments, asks a crate, and prints.

mod commands;
mod context;
mod fault;
mod memory;
mod picture;
mod progress;

use clap::Parser;
use commands::Command;
use context::Context;
use fault::Fault;
use std::process::ExitCode;

/// A workbench for take-away games: from rules to tables, closed forms, proofs and play.
#[derive(Debug, Parser)]
#[command(name = "bouton", version, max_term_width = 110, after_help = EXAMPLES, disable_help_subcommand = true)]
struct Cli {
    /// Print one JSON value on standard output
    #[arg(long, global = true)]
    json: bool,
    /// Spend at most S seconds, proofs and checks included; what is not known by then is reported as
    /// "unknown". For `serve`: per request
    #[arg(long, global = true, value_name = "S")]
    seconds: Option<f64>,
    /// Do not report progress; BOUTON_QUIET=1 in the environment does the same
    #[arg(long, global = true)]
    quiet: bool,
    /// Add the game of a rule file (docs/rule-files.md); commands then know it by its name.
    /// literature:NAME adds a game of `bouton games --literature`. May be repeated
    #[arg(long, global = true, value_name = "FILE")]
    rules: Vec<std::path::PathBuf>,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  bouton study 'CN(6,3)'
  bouton solve 'kayles:7 + nim:4 + wythoff:3,5'
  bouton play nim 1,3,5,7 --misere

Exit status: 0 success, 1 a refuted, rejected or unknown verdict, 2 bad input, 130 interrupted.";

/// How a command ended, if nothing was wrong with its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// All went well.
    Done,
    /// The answer is no, or unknown.
    Negative,
    /// Some of many inputs were bad; each has been told.
    BadInput,
}

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| refuse(&error));
    let json = cli.json;
    memory::tell_when_it_ends(json);
    let done = run(cli);
    match done {
        Ok((_, true)) => ExitCode::from(context::INTERRUPTED),
        Ok((Status::Done, _)) | Err(Fault::Pipe) => ExitCode::SUCCESS,
        Ok((Status::Negative, _)) => ExitCode::from(1),
        Ok((Status::BadInput, _)) => ExitCode::from(2),
        Err(fault) => {
            fault.report(json);
            ExitCode::from(fault.status())
        }
    }
}

/// Ends the program where the command line is none; in JSON where that is asked for.
fn refuse(error: &clap::Error) -> ! {
    if error.use_stderr() && std::env::args().any(|argument| argument == "--json") {
        let told = error.to_string();
        let message = told.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let lacking: Vec<&str> =
            told.lines().skip(1).take_while(|line| line.starts_with("  ")).map(str::trim).collect();
        Fault::Usage([&[message.as_str()], &lacking[..]].concat().join(" ")).report(true);
        std::process::exit(2);
    }
    error.exit()
}

/// How the command ended, and whether it was interrupted.
fn run(cli: Cli) -> Result<(Status, bool), Fault> {
    let mut context = Context::new(cli.json, cli.quiet, cli.seconds)?;
    if !cli.command.converses() {
        context.listen();
        context.end_late_work();
    }
    context.catalogue = commands::catalogue(&cli.rules, &context.budget())?;
    let status = cli.command.run(&context);
    // What a rule file's rules turned out to say goes before everything that was made of them.
    if let Some(fault) = context.catalogue.fault() {
        return Err(match fault.is_wrong {
            true => Fault::Usage(fault.message),
            false => Fault::Unknown(fault.message),
        });
    }
    let status = status?;
    Ok((status, context.interrupted()))
}
