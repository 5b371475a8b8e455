//! How to make a result again: commands of `bouton` as data.

use bouton_core::{Play, RuleSource};
use bouton_engine::Game;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// What a command makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "makes")]
pub enum CommandResult {
    /// The study that names the command.
    #[serde(rename = "this study")]
    Study,
    /// Who wins from one position.
    #[serde(rename = "the position")]
    Position,
    /// The table of P-positions.
    #[serde(rename = "the table")]
    Table,
    /// The proof of the form.
    #[serde(rename = "the proof")]
    Proof,
    /// The proof of the form in misère play.
    #[serde(rename = "the proof in misère play")]
    MisereProof,
    /// A win condition.
    #[serde(rename = "the condition")]
    Condition,
    /// The period of a sequence.
    #[serde(rename = "the period")]
    Period,
    /// A picture of the table.
    #[serde(rename = "the picture")]
    Picture,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "command_of_study")]
pub struct ReproduceCommand {
    /// What it makes.
    pub makes: CommandResult,
    /// The arguments after `bouton`, as typed without quotes.
    pub arguments: Vec<String>,
}

/// As typed in a shell.
impl fmt::Display for ReproduceCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bouton")?;
        for argument in &self.arguments {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,".contains(c);
            if !argument.is_empty() && argument.chars().all(plain) {
                write!(f, " {argument}")?;
            } else {
                write!(f, " '{}'", argument.replace('\'', "'\\''"))?;
            }
        }
        Ok(())
    }
}

/// What all commands about a game have in common.
#[derive(Debug, Clone)]
pub struct Commands {
    game: String,
    misere: bool,
    rules: Vec<String>,
}

impl Commands {
    /// Returns those about a game.
    pub fn new(game: &dyn Game, play: Play) -> Commands {
        let path = |file: &Arc<RuleSource>| match &file.path {
            Some(path) => path.display().to_string(),
            None => format!("{}.toml", file.name),
        };
        let rules = game.rule_files().iter().map(path).collect();
        Commands { game: game.name(), misere: play == Play::Misere, rules }
    }

    /// Returns the command `bouton COMMAND GAME …`, with the game's rule files and the convention.
    pub fn make<'a>(
        &self,
        makes: CommandResult,
        command: &str,
        more: impl IntoIterator<Item = &'a str>,
    ) -> ReproduceCommand {
        let mut arguments = vec![command.to_owned(), self.game.clone()];
        arguments.extend(more.into_iter().map(str::to_owned));
        if self.misere {
            arguments.push("--misere".into());
        }
        arguments.extend(self.rules.iter().flat_map(|file| ["--rules".to_owned(), file.clone()]));
        ReproduceCommand { makes, arguments }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_quoted_where_a_shell_needs_it() {
        let arguments = ["prove", "CN(4,2)", "--claim", "a = c & b = d", "it's", "x,y", ""];
        let again = ReproduceCommand {
            makes: CommandResult::Proof,
            arguments: arguments.map(str::to_owned).into(),
        };
        let expected = r"bouton prove 'CN(4,2)' --claim 'a = c & b = d' 'it'\''s' x,y ''";
        assert_eq!(again.to_string(), expected);
    }
}
