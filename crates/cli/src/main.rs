//! `bouton`, the command line. No theory here: every command reads its arguments, asks a crate, and prints.

mod analysis;
mod commands;
mod fault;
mod picture;
mod progress;

use clap::Parser;
use commands::Command;
use fault::Fault;
use std::process::ExitCode;

/// A workbench for take-away games: rules to tables, to closed forms, to proofs, to play.
#[derive(Debug, Parser)]
#[command(name = "bouton", version, max_term_width = 110, after_help = EXAMPLES)]
struct Cli {
    /// Print one JSON value on standard output
    #[arg(long, global = true)]
    json: bool,
    /// A game of your own, known by its name to every command: a rule file (see `docs/rule-files.md`)
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

Exit status: 0 done, 1 a negative or open verdict, 2 bad input.";

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
    let cli = Cli::parse();
    let rules = cli.rules.iter().try_for_each(|file| commands::register(file));
    match rules.and_then(|()| cli.command.run(cli.json)) {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::Negative) => ExitCode::from(1),
        Ok(Status::BadInput) => ExitCode::from(2),
        Err(Fault::Pipe) => ExitCode::SUCCESS,
        Err(fault) => {
            fault.report(cli.json);
            ExitCode::from(2)
        }
    }
}
