//! `bouton positions`: the P-positions of a box.

use super::{BudgetArgs, play};
use crate::fault::Fault;
use crate::{Ending, progress};
use bouton_rules::Play;
use bouton_solve::How;
use clap::Args;
use serde_json::json;
use std::io::Write;

/// List the P-positions with every heap up to a bound, one of each symmetry class
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton positions 'CN(6,3)' --max 5\n  bouton positions 'nim(4)' --max 7 --misere --json"
)]
pub struct Positions {
    /// A game on a fixed number of heaps
    game: String,
    /// The largest heap
    #[arg(long, value_name = "M")]
    max: u32,
    /// Misère play: who cannot move wins
    #[arg(long)]
    misere: bool,
    #[command(flatten)]
    budget: BudgetArgs,
}

impl Positions {
    pub fn run(self, json: bool) -> Result<Ending, Fault> {
        let named = bouton_games::parse(&self.game)?;
        let game = &*named.game;
        let play = play(self.misere);
        let mut out = std::io::BufWriter::new(std::io::stdout());
        let mut list = Vec::new();
        let mut failed = None;
        let what = format!("P-positions of {}", game.name());
        let found = progress::watched(&what, &self.budget.budget()?, |budget| {
            let mut session = game.session(How { play, budget, ..How::default() });
            session.p_positions(self.max, &mut |p| {
                if json {
                    list.push(p.to_owned());
                } else if failed.is_none() {
                    failed = writeln!(out, "{p}").err();
                }
            })
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        let found = found.ok_or_else(|| {
            let message = "is not a game on a fixed number of heaps; the number goes into the name, as in nim(5) or moore(3;4)";
            Fault::Usage(format!("{} {message}", game.name()))
        })?;
        if json {
            let mut value = json!({
                "game": game.name(),
                "play": match play { Play::Normal => "normal", Play::Misere => "misere" },
                "max": self.max,
                "count": list.len(),
                "positions": list,
            });
            if let Err(spent) = found {
                value["unknown"] = spent.to_string().into();
            }
            writeln!(out, "{value}")?;
        }
        out.flush()?;
        match found {
            Ok(()) => Ok(Ending::Done),
            Err(spent) => {
                eprintln!("unknown from here on ({spent})");
                Ok(Ending::Negative)
            }
        }
    }
}
