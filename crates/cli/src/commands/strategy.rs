//! `bouton strategy`: a winning strategy in Kotzig's Nim, as a certificate.

use super::{BudgetArgs, play};
use crate::fault::Fault;
use crate::{Ending, progress};
use bouton_solve::Meter;
use bouton_solve::circulant::strategy::Strategy as Found;
use bouton_solve::circulant::{Circulant, Track};
use bouton_store::Family;
use clap::Args;

/// Write a winning strategy in Kotzig's Nim as a certificate for `bouton check`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton strategy 'Gamma(1,4;23)' > winning.cert && bouton check winning.cert"
)]
pub struct Strategy {
    /// The game: Gamma(m1,…;n), moves ascending
    game: String,
    /// The position, marked cells and token: 0,2,5/5; by default the start
    position: Option<String>,
    /// Misère play: who cannot move wins
    #[arg(long)]
    misere: bool,
    #[command(flatten)]
    budget: BudgetArgs,
}

impl Strategy {
    pub fn run(self) -> Result<Ending, Fault> {
        let game = Family::parse(&self.game)?.at(&[]).ok_or_else(|| {
            Fault::Usage(format!(
                "{}: moves at least 1, ascending, no parameters, and 1 to 256 cells",
                self.game
            ))
        })?;
        let at = match &self.position {
            None => Track::start(),
            Some(text) => track(&game, text)
                .ok_or_else(|| Fault::Usage(format!("{text} is no position of {game}; accepted: 0,2,5/5")))?,
        };
        let play = play(self.misere);
        let found = progress::watched(&format!("a strategy for {game}"), &self.budget.budget()?, |budget| {
            Found::find(&game, &at, play, &mut Meter::new(&budget))
        });
        match found {
            Ok(strategy) => {
                use std::io::Write;
                write!(std::io::stdout(), "{}", strategy.certificate(&game, &at, play).to_text())?;
                Ok(Ending::Done)
            }
            Err(spent) => {
                eprintln!("unknown ({spent})");
                Ok(Ending::Negative)
            }
        }
    }
}

fn track(game: &Circulant, text: &str) -> Option<Track> {
    let (cells, token) = text.split_once('/')?;
    let cells: Option<Vec<usize>> = cells.split(',').map(|cell| cell.trim().parse().ok()).collect();
    Track::new(game, cells?, token.trim().parse().ok()?)
}
