//! `bouton quotient`: the misère quotient of a taking-and-breaking game.

use super::BudgetArgs;
use crate::fault::Fault;
use crate::{Ending, progress};
use bouton_rules::{HeapMoves, NotationError};
use bouton_solve::Meter;
use bouton_solve::misere::Quotient;
use bouton_solve::sequence::TakeBreak;
use clap::Args;
use serde_json::json;
use std::io::Write;

/// The misère quotient of a taking-and-breaking game, proved
#[derive(Debug, Args)]
#[command(
    name = "quotient",
    after_help = "Examples:\n  bouton quotient kayles --to 168\n  bouton quotient 0.75\n  bouton quotient 'S(1,4,7)' --json"
)]
pub struct QuotientOf {
    /// A taking-and-breaking game: 0.77, kayles(3), S(1,4,7)
    game: String,
    /// Heaps up to this size
    #[arg(long, value_name = "N", default_value_t = 50)]
    to: u32,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// A sum of heaps as one reads it.
fn sum(word: &[u32]) -> String {
    let heaps: Vec<String> = word.iter().map(u32::to_string).collect();
    if heaps.is_empty() { "0".into() } else { heaps.join("+") }
}

impl QuotientOf {
    pub fn run(self, as_json: bool) -> Result<Ending, Fault> {
        let game = bouton_games::parse(&self.game)?.game;
        let code = match game.heap_moves() {
            Some(HeapMoves::Code(code)) => Some(TakeBreak::parse(&code)?),
            Some(HeapMoves::Take(set)) => TakeBreak::subtraction(&set),
            None => None,
        };
        let code = code.ok_or_else(|| {
            let form = "a code like 0.77, kayles(K), dawson-kayles, grundy or S(s,…) with s up to 256";
            NotationError::new(&self.game, 0..self.game.len(), "this game has no code", form)
        })?;
        let mut quotient = Quotient::new(code);
        let what = format!("misère quotient of {}", game.name());
        let end = progress::watched(&what, &self.budget.budget()?, |budget| {
            quotient.extend(self.to, &mut Meter::new(&budget))
        });
        let (period, heaps) = (quotient.period(), quotient.heaps());
        let p: Vec<String> = quotient.p_portion().map(|e| sum(&quotient.words()[e])).collect();
        let images: Vec<(u32, String)> =
            (1..=heaps).map(|heap| (heap, sum(&quotient.words()[quotient.image(heap)]))).collect();
        let mut out = std::io::stdout().lock();
        if as_json {
            let value = json!({
                "game": game.name(), "heaps": heaps, "order": quotient.order(),
                "p_portion": p, "elements": quotient.words().iter().map(|word| sum(word)).collect::<Vec<_>>(),
                "images": images.iter().map(|(_, image)| image).collect::<Vec<_>>(),
                "period": period.map(|(period, preperiod)| json!([period, preperiod])),
                "unknown": end.as_ref().err().map(|error| error.to_string()),
            });
            writeln!(out, "{value}")?;
        } else {
            writeln!(
                out,
                "{}: misère quotient of heaps up to {heaps}: order {}, proved",
                game.name(),
                quotient.order()
            )?;
            match period {
                Some((period, preperiod)) => writeln!(
                    out,
                    "  the heaps' elements have period {period} from {preperiod} on, for ever: it is the quotient of all heaps"
                )?,
                None => writeln!(out, "  larger heaps are not covered")?,
            }
            writeln!(out, "  P-portion, {} elements: {}", p.len(), p.join(" "))?;
            let like: Vec<String> = images
                .iter()
                .filter(|(heap, image)| *image != heap.to_string())
                .map(|(heap, image)| format!("{heap}={image}"))
                .collect();
            let own: Vec<String> = images
                .iter()
                .filter(|(heap, image)| *image == heap.to_string())
                .map(|(heap, _)| heap.to_string())
                .collect();
            writeln!(out, "  heaps that are as no smaller sum: {}", own.join(" "))?;
            writeln!(out, "  the others: {}", like.join(" "))?;
        }
        if let Err(error) = end {
            if !as_json {
                writeln!(out, "  unknown from {} on ({error})", heaps + 1)?;
            }
            return Ok(Ending::Negative);
        }
        Ok(Ending::Done)
    }
}
