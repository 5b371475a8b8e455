//! `bouton man`: the manual page.

use super::reference;
use crate::context::Context;
use crate::error::CommandError;
use crate::{Cli, Status};
use clap::{Args, CommandFactory};

/// Print the man page of bouton, or of one of its commands
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  bouton man > bouton.1 && man ./bouton.1")]
pub struct Man {
    /// A command
    command: Option<String>,
    /// Print the reference of all commands for the manual instead
    #[arg(long, hide = true, conflicts_with = "command")]
    markdown: bool,
}

impl Man {
    pub fn run(self, _: &Context) -> Result<Status, CommandError> {
        let mut page = Cli::command();
        page.build();
        if self.markdown {
            print!("{}", reference::markdown(&page));
            return Ok(Status::Done);
        }
        if let Some(name) = self.command {
            let found = page.find_subcommand(&name).cloned();
            page = found
                .ok_or_else(|| CommandError::Usage(format!("there is no command `{name}`")))?;
        }
        clap_mangen::Man::new(page).render(&mut std::io::stdout())?;
        Ok(Status::Done)
    }
}
