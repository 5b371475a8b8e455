//! `bouton completions`: what the shell needs to complete commands.

use crate::context::Context;
use crate::error::CommandError;
use crate::{Cli, Status};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  bouton completions bash > ~/.local/share/bash-completion/completions/bouton")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(self, _: &Context) -> Result<Status, CommandError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "bouton", &mut script);
        std::io::Write::write_all(&mut std::io::stdout(), &script)?;
        Ok(Status::Done)
    }
}
