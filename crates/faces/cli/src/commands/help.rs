//! `bouton help`: a command's options, or a word of the field.

use crate::Status;
use crate::context::Context;
use crate::error::CommandError;
use bouton_report::answers::games::WordEntry;
use bouton_report::words::{WORDS, word};
use clap::Args;

/// Explain a command, or a term of combinatorial game theory
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton help study
  bouton help nim-value
  bouton help P --json")]
pub struct Help {
    /// A command or a term; without it, list all of them
    about: Vec<String>,
}

impl Help {
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        let about = self.about.join(" ");
        let mut all = crate::command();
        if about.is_empty() {
            if context.json {
                let words: Vec<_> = WORDS.iter().map(WordEntry::from).collect();
                bouton_report::write_json(std::io::stdout(), &words)?;
                return Ok(Status::Done);
            }
            all.print_long_help()?;
            let names: Vec<&str> = WORDS.iter().map(|word| word.name).collect();
            println!("\nWords: {}", names.join(", "));
            return Ok(Status::Done);
        }
        all.build();
        if let Some(command) = all.find_subcommand_mut(&about) {
            command.print_long_help()?;
            return Ok(Status::Done);
        }
        let Some(word) = word(&about) else {
            return Err(CommandError::Usage(format!(
                "there is no command and no term `{about}`; `bouton help` lists both"
            )));
        };
        if context.json {
            bouton_report::write_json(std::io::stdout(), &WordEntry::from(word))?;
        } else {
            println!("{}\n  {}\n  Example: {}", word.name, word.meaning, word.example);
        }
        Ok(Status::Done)
    }
}
