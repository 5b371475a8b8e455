//! Former spellings of commands and options: they are read, with a note of the present one.

use std::ffi::OsString;

/// A former spelling, and the present one.
type Renamed = (&'static str, &'static str);

/// Options. Each is an alias of its argument, too, for clap to read.
const OPTIONS: &[Renamed] = &[
    ("--exactly", "--no-symmetry"),
    ("--literature", "--published"),
    ("--smaller", "--for-fewer-heaps"),
];

/// An option of two commands. Others have an option of the former name.
const DIRECTORY: Renamed = ("--to", "--directory");

/// A command, with its alias.
const CLAIMS: Renamed = ("ledger", "claims");

/// What stands before the name of a published game in place of a rule file.
const PREFIX: Renamed = ("literature:", "published:");

/// Returns the name of the published game that stands in place of a rule file:
/// `--rules published:mark`.
pub fn published_name(file: &str) -> Option<&str> {
    file.strip_prefix(PREFIX.1).or_else(|| file.strip_prefix(PREFIX.0))
}

/// Returns the notes about the former spellings among the arguments of a command.
pub fn notes(arguments: &[OsString], command: &str) -> Vec<String> {
    let given = |fits: &dyn Fn(&str) -> bool| {
        arguments.iter().filter_map(|argument| argument.to_str()).any(fits)
    };
    let is_option = |(former, _): &&Renamed| {
        given(&|text| {
            text.strip_prefix(*former).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        })
    };
    let of_directory = ["sweep", "atlas"].contains(&command).then_some(&DIRECTORY);
    let of_command = command == CLAIMS.1 && !given(&|text| text == CLAIMS.1);
    let of_file =
        given(&|text| text.strip_prefix("--rules=").unwrap_or(text).starts_with(PREFIX.0));
    OPTIONS
        .iter()
        .chain(of_directory)
        .filter(is_option)
        .chain(of_command.then_some(&CLAIMS))
        .chain(of_file.then_some(&PREFIX))
        .map(|(former, present)| format!("note: {former} is read as {present}"))
        .collect()
}
