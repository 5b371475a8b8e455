//! The command line `bouton`, as a program and as what Python's package installs. No theory here:
//! every command reads its arguments, asks a crate, and prints.

mod commands;
mod context;
mod error;
mod former;
mod memory;
mod picture;
mod progress;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use commands::Command;
use context::Context;
use error::CommandError;
use std::ffi::OsString;

/// The place of the options that every command takes: behind its own.
const BEHIND: usize = 900;

/// A workbench for take-away games: from rules to tables, closed forms, proofs and play.
#[derive(Debug, Parser)]
#[command(name = "bouton", version, max_term_width = 110, after_help = EXAMPLES,
    disable_help_subcommand = true)]
struct Cli {
    /// Print one JSON value on standard output
    #[arg(long, global = true, display_order = BEHIND)]
    json: bool,
    /// Spend at most S seconds, proofs and checks included; what is not known by then is reported
    /// as "unknown". A server spends them on each request
    #[arg(long, global = true, display_order = BEHIND + 1, value_name = "S",
        allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Do not report progress; BOUTON_QUIET=1 in the environment does the same
    #[arg(long, global = true, display_order = BEHIND + 2)]
    quiet: bool,
    /// Add the game of a rule file (docs/rule-files.md), of a program (.rhai) or of a finite graph
    /// (.edges, .json, .dot; docs/reference/programs.md); commands then know it by its name.
    /// published:NAME adds a game of `bouton games --published`. May be repeated
    #[arg(long, global = true, display_order = BEHIND + 3, value_name = "FILE")]
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

/// Ends the program after the message of a panic if nothing is unwound: an abort would be reported
/// as the end of memory.
fn exit_after_a_panic() {
    if cfg!(panic = "abort") {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            report(panic);
            std::process::exit(101)
        }));
    }
}

/// Runs the command line with its arguments, the program's name first, and returns the exit status.
///
/// Ends the process itself if the arguments are no command line, if help is asked for, and if
/// memory ends. It handles signals, so call it in a process of its own.
pub fn run_command_line(given: impl Iterator<Item = OsString>) -> u8 {
    let arguments = arguments(given);
    if arguments.len() == 1 {
        print!("{FIRST_SCREEN}");
        return 0;
    }
    let wants_json = arguments.iter().any(|argument| argument == "--json");
    // Before anything that takes memory.
    memory::tell_when_it_ends(wants_json);
    exit_after_a_panic();
    let read = |found: ArgMatches| {
        let cli = Cli::from_arg_matches(&found)?;
        Ok((cli, former::notes(&arguments, found.subcommand_name().unwrap_or_default())))
    };
    let parsed = command().try_get_matches_from(&arguments).and_then(read);
    let (cli, notes) =
        parsed.unwrap_or_else(|error| refuse(&with_game(error, &arguments), wants_json));
    let json = cli.json;
    let done = run(cli, &notes);
    match done {
        Ok((_, true)) => context::INTERRUPTED,
        Ok((Status::Done, _)) | Err(CommandError::Pipe) => 0,
        Ok((Status::Negative, _)) => 1,
        Ok((Status::BadInput, _)) => 2,
        Err(fault) => {
            fault.report(json);
            fault.status()
        }
    }
}

/// What `bouton` alone prints.
const FIRST_SCREEN: &str = "\
Bouton: take-away games, played, computed, proved.

  bouton play nim               play against perfect play
  bouton solve marienbad        who wins, and by which move
  bouton games                  the games that have a name
  bouton values kayles          nim-values of single heaps
  bouton study 'CN(6,3)'        from rules to a theorem
  bouton serve                  the same as pages in a browser

`bouton help` lists all commands, `bouton help COMMAND` explains one.
";

/// The commands in groups, as `bouton help` lists them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Play", &["games", "play", "solve", "serve"]),
    (
        "Compute",
        &["positions", "values", "period", "genus", "quotient", "wythoff", "cash", "heatmap"],
    ),
    ("Prove", &["study", "conjecture", "prove", "check", "strategy", "logic"]),
    ("Research", &["sweep", "query", "export", "atlas", "claims"]),
    ("Help", &["help", "man", "completions"]),
];

/// Returns the command line, its commands in groups.
fn command() -> clap::Command {
    let all = Cli::command();
    let mut listed = String::new();
    for (title, names) in GROUPS {
        listed += &format!("{title}:\n");
        for name in *names {
            let about = all.find_subcommand(name).and_then(|command| command.get_about());
            let about = about.map_or_else(String::new, |about| about.ansi().to_string());
            listed += &format!("  {name:<12} {about}\n");
        }
        listed.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} \
         {{usage}}\n\n{listed}Options:\n{{options}}{{after-help}}"
    );
    all.help_template(template)
}

/// Returns the arguments as clap is to read them: `-o FILE` of `solve` begins as a position of rows
/// may begin.
fn arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut all: Vec<OsString> = given.collect();
    if all.iter().any(|argument| argument == "solve") {
        all.iter_mut()
            .filter(|argument| *argument == "-o")
            .for_each(|short| *short = "--output".into());
    }
    all
}

/// Adds to the error of an unknown command which command takes it, if it is a game or a position.
fn with_game(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let name = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) => name.clone(),
        _ => return error,
    };
    let words = arguments.iter().map(|word| word.to_string_lossy());
    let words: Vec<_> = words.skip_while(|word| *word != name).collect();
    let is_plain = |word: &str| {
        word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_,:.".contains(&byte))
    };
    let typed: Vec<String> = words
        .iter()
        .map(|word| if is_plain(word) { word.to_string() } else { format!("'{word}'") })
        .collect();
    let (catalogue, all) = (context::standard(), typed.join(" "));
    let is_position =
        |text: &str| catalogue.parse(text).is_ok_and(|named| named.position.is_some());
    let tip = if is_position(&words.join(" ")) {
        Some(format!("this is a position: `bouton solve {all}`, or `bouton play {all}`"))
    } else if catalogue.parse(&name).is_ok() {
        let word = &typed[0];
        Some(format!(
            "{name} is a game: `bouton solve {word}` with a position, or `bouton play {word}`"
        ))
    } else {
        None
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Ends the program where the command line is none; in JSON where that is asked for.
fn refuse(error: &clap::Error, wants_json: bool) -> ! {
    if error.use_stderr() && wants_json {
        let told = error.to_string();
        let message =
            told.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let lacking: Vec<&str> =
            told.lines().skip(1).take_while(|line| line.starts_with("  ")).map(str::trim).collect();
        CommandError::Usage([&[message.as_str()], &lacking[..]].concat().join(" ")).report(true);
        std::process::exit(2);
    }
    error.exit()
}

/// Runs the command line. Returns how the command ended, and whether it was interrupted.
fn run(cli: Cli, notes: &[String]) -> Result<(Status, bool), CommandError> {
    let mut context = Context::new(cli.json, cli.quiet, cli.seconds)?;
    if !context.quiet {
        notes.iter().for_each(|note| eprintln!("{note}"));
    }
    if !cli.command.converses() {
        context.listen();
        if !cli.command.ends_itself() {
            context.end_late_work();
        }
    }
    context.catalogue = commands::catalogue(&cli.rules, &context)?;
    if let Some((file, accepted)) = cli.command.answer_file() {
        context.answer_into(file, accepted)?;
    }
    let status = cli.command.run(&context)?;
    context.finish_answer()?;
    Ok((status, context.interrupted()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = Cli::command();
        let mut all: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        all.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, all);
    }

    /// Every option that takes a whole number takes it as a power, too.
    #[test]
    fn numbers_of_options_are_read_in_one_way() {
        let mut numbers = 0;
        for command in Cli::command().get_subcommands() {
            for option in command.get_arguments().filter(|option| option.get_long().is_some()) {
                let takes = |text: &str| {
                    let alone = clap::Arg::new("x").value_parser(option.get_value_parser().clone());
                    clap::Command::new("x").arg(alone).try_get_matches_from(["x", text]).is_ok()
                };
                // Seconds need not be whole, and some numbers are from 1 on.
                if !takes("1") || takes("x") || takes("0.5") {
                    continue;
                }
                let name = format!("{} --{}", command.get_name(), option.get_id());
                assert!(takes("1e0") && takes("10^0") && !takes("1e"), "{name}");
                numbers += 1;
            }
        }
        assert!(numbers > 25, "{numbers}");
    }
}
