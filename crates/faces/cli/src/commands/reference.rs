//! The reference of the command line as a page of the manual, made from what clap knows of each
//! command.

use clap::{Arg, Command};

/// The longest line of the page.
const WIDTH: usize = 100;

const HEAD: &str = "\
# Command line
This page is made from the program: `bouton man --markdown > docs/reference/cli.md`. The same \
text is printed by `bouton COMMAND --help`.
";

/// Returns docs/reference/cli.md.
pub fn markdown(bouton: &Command) -> String {
    let mut out = String::new();
    for paragraph in HEAD.lines() {
        out += &wrapped(paragraph, "", "");
    }
    out.push('\n');
    out += &wrapped(&escaped(&text(bouton.get_about())), "", "");
    out += &usage(bouton);
    out += "\n| command | |\n|---|---|\n";
    let commands = || bouton.get_subcommands().filter(|command| !command.is_hide_set());
    for command in commands() {
        let (name, about) = (command.get_name(), escaped(&text(command.get_about())));
        out += &format!("| [`{name}`](#bouton-{name}) | {} |\n", about.replace('|', "\\|"));
    }
    out += "\n## Options of every command\n";
    let global = |argument: &&Arg| argument.is_global_set();
    bouton.get_arguments().filter(global).for_each(|argument| out += &item(argument));
    out += &after(bouton);
    for command in commands() {
        out += &format!("\n## bouton {}\n", command.get_name());
        out += &wrapped(&escaped(&text(command.get_about())), "", "");
        out += &usage(command);
        let own = |argument: &&Arg| {
            !argument.is_global_set() && !argument.is_hide_set() && argument.get_id() != "help"
        };
        if command.get_arguments().any(|argument| own(&argument)) {
            out.push('\n');
        }
        command.get_arguments().filter(own).for_each(|argument| out += &item(argument));
        out += &after(command);
    }
    out
}

fn text(styled: Option<&clap::builder::StyledStr>) -> String {
    styled.map(ToString::to_string).unwrap_or_default()
}

fn usage(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let lines: Vec<&str> = usage.trim_start_matches("Usage:").lines().map(str::trim).collect();
    format!("\n```text\n{}\n```\n", lines.join("\n"))
}

/// Returns an argument as an item of a list: how it is written, its help, its values and default.
fn item(argument: &Arg) -> String {
    let takes = argument.get_action().takes_values();
    let names: Vec<&str> =
        argument.get_value_names().unwrap_or_default().iter().map(AsRef::as_ref).collect();
    let values = if takes {
        names.iter().map(|name| format!("<{name}>")).collect::<Vec<_>>().join(" ")
    } else {
        String::new()
    };
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let flags: Vec<String> = short.into_iter().chain(long).collect();
    let written = match (flags.join(", "), values) {
        (flags, values) if flags.is_empty() && argument.is_required_set() => values,
        (flags, values) if flags.is_empty() => {
            format!("[{}]", names.first().map_or(values.as_str(), |name| *name))
        }
        (flags, values) if values.is_empty() => flags,
        (flags, values) => format!("{flags} {values}"),
    };
    let help = argument.get_long_help().or(argument.get_help());
    let mut told = escaped(&text(help));
    let aliases = argument.get_visible_aliases().unwrap_or_default();
    for alias in aliases {
        told += &format!(". Also written `--{alias}`");
    }
    let defaults: Vec<String> = argument
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    if takes && !defaults.is_empty() && !argument.is_hide_default_value_set() {
        told += &format!(" [default: `{}`]", defaults.join(" "));
    }
    let mut out = wrapped(&format!("- `{written}` — {told}"), "", "  ");
    if takes {
        for value in argument.get_possible_values().iter().filter(|value| !value.is_hide_set()) {
            let help = escaped(&text(value.get_help()));
            let told = if help.is_empty() { String::new() } else { format!(" — {help}") };
            out += &wrapped(&format!("- `{}`{told}", value.get_name()), "  ", "    ");
        }
    }
    out
}

/// Returns what stands below the options: indented lines are commands, all else is prose.
fn after(command: &Command) -> String {
    let mut out = String::new();
    let mut code = false;
    let mut prose = false;
    for line in text(command.get_after_help()).lines() {
        let indented = line.starts_with("  ");
        if indented != code {
            out += if indented { "\n```text\n" } else { "```\n" };
            code = indented;
            prose = false;
        }
        if indented {
            out += &format!("{}\n", &line[2..]);
        } else if !line.is_empty() {
            if !prose {
                out.push('\n');
            }
            out += &wrapped(&escaped(line), "", "");
            prose = true;
        } else {
            prose = false;
        }
    }
    if code {
        out += "```\n";
    }
    out
}

/// Returns the text with the signs of Markdown escaped, but those between backticks.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut code = false;
    for c in text.chars() {
        code ^= c == '`';
        match c {
            '<' if !code => out += "&lt;",
            '*' | '_' | '[' | ']' | '|' if !code => out.extend(['\\', c]),
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Returns the text in lines of at most [`WIDTH`] characters, the first indented by `first`, the
/// others by `rest`. Code is not broken.
fn wrapped(text: &str, first: &str, rest: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(last) if open => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
        open ^= word.matches('`').count() % 2 == 1;
    }
    let mut out = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in words {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out += &line;
            out.push('\n');
            line = rest.to_owned();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line += &word;
        empty = false;
    }
    format!("{out}{line}\n")
}
