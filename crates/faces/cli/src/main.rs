//! The program `bouton`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(bouton_cli::run_command_line(std::env::args_os()))
}
