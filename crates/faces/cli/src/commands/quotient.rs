//! `bouton quotient`: the misère quotient of a taking-and-breaking game.

use super::{AnswerFile, BudgetArgs};
use crate::context::Context;
use crate::error::CommandError;
use crate::{Status, progress};
use bouton_core::{Meter, Play};
use bouton_octal::misere::Quotient;
use bouton_study::quotient_code;
use clap::Args;
use std::io::Write;

/// Compute the misère quotient of a take-and-break game, and prove it
#[derive(Debug, Args)]
#[command(
    name = "quotient",
    after_help = "\
Examples:
  bouton quotient kayles --to 168
  bouton quotient 0.75
  bouton quotient 'S(1,4,7)' --json"
)]
pub struct QuotientOf {
    /// A take-and-break game: 0.77, kayles(3), S(1,4,7)
    game: String,
    /// Use heaps up to N
    #[arg(long, value_name = "N", value_parser = super::number::<u32>, default_value_t = 50)]
    to: u32,
    #[command(flatten)]
    pub answer: AnswerFile,
    #[command(flatten)]
    budget: BudgetArgs,
}

impl QuotientOf {
    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        let as_json = context.json;
        let mut words = vec![std::mem::take(&mut self.game)];
        if context.catalogue.take_play(&mut words)? == Some(Play::Normal) {
            let message = "a misère quotient is of misère play, and the words say normal play";
            return Err(CommandError::Usage(message.into()));
        }
        let named = super::game_alone(context, &words[0])?;
        let (code, game) = (quotient_code(&*named.game)?, named.game.name());
        let mut quotient = Quotient::new(code);
        let what = format!("misère quotient of {}", game);
        let end = progress::watched(context, &what, &self.budget.budget(context), |budget| {
            quotient.extend(self.to, &mut Meter::new(&budget))
        });
        let (period, heaps) = (quotient.period(), quotient.heaps());
        let p: Vec<String> =
            quotient.p_portion().map(|e| bouton_report::heap_sum(&quotient.words()[e])).collect();
        let images: Vec<(u32, String)> = (1..=heaps)
            .map(|heap| (heap, bouton_report::heap_sum(&quotient.words()[quotient.image(heap)])))
            .collect();
        let mut out = context.out();
        if as_json {
            let unknown = end.as_ref().err().map(ToString::to_string);
            bouton_report::write_json(
                &mut out,
                &bouton_report::quotient(&game, &quotient, unknown),
            )?;
        } else {
            writeln!(
                out,
                "{}: misère quotient of heaps up to {heaps}: order {}, proved",
                game,
                quotient.order()
            )?;
            match period {
                Some((period, preperiod)) => writeln!(
                    out,
                    "  the heaps' elements have period {period} from {preperiod} on, for ever: it \
                     is the quotient of all heaps"
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
            return Ok(Status::Negative);
        }
        Ok(Status::Done)
    }
}
