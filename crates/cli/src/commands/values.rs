//! `bouton values`: the nim-sequence of single heaps.

use super::BudgetArgs;
use crate::fault::Fault;
use crate::{Ending, progress};
use bouton_solve::How;
use clap::Args;
use serde_json::json;
use std::io::Write;

/// List the nim-values of single heaps 0, 1, 2, …
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton values kayles --to 100\n  bouton values 0.77 --to 1000 --b-file > b002186.txt"
)]
pub struct Values {
    /// A game whose positions are heaps or rows
    game: String,
    /// The largest heap
    #[arg(long, value_name = "N")]
    to: u32,
    /// As an OEIS b-file: `n a(n)` a line
    #[arg(long)]
    b_file: bool,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Values on one printed line.
const PER_LINE: usize = 20;

impl Values {
    pub fn run(self, json: bool) -> Result<Ending, Fault> {
        let named = bouton_games::parse(&self.game)?;
        let game = &*named.game;
        let mut values = Vec::new();
        let what = format!("nim-values of {}", game.name());
        let found = progress::watched(&what, &self.budget.budget()?, |budget| {
            let mut session = game.session(How { budget, ..How::default() });
            session.values(self.to, &mut |_, value| values.push(value.0))
        });
        let found = found.ok_or_else(|| {
            let message =
                "has no nim-sequence: single numbers are no positions of it, or it has no nim-values";
            Fault::Usage(format!("{} {message}", game.name()))
        })?;
        let mut out = std::io::BufWriter::new(std::io::stdout());
        if json {
            let mut value = json!({"game": game.name(), "from": 0, "values": values});
            if let Err(spent) = found {
                value["unknown"] = spent.to_string().into();
            }
            writeln!(out, "{value}")?;
        } else if self.b_file {
            for (n, value) in values.iter().enumerate() {
                writeln!(out, "{n} {value}")?;
            }
        } else {
            let width = values.iter().max().map_or(1, |most| most.to_string().len());
            for (line, chunk) in values.chunks(PER_LINE).enumerate() {
                let cells: Vec<String> = chunk.iter().map(|value| format!("{value:>width$}")).collect();
                writeln!(out, "{:>8}: {}", line * PER_LINE, cells.join(" "))?;
            }
        }
        out.flush()?;
        match found {
            Ok(()) => Ok(Ending::Done),
            Err(spent) => {
                eprintln!("unknown from {} on ({spent})", values.len());
                Ok(Ending::Negative)
            }
        }
    }
}
