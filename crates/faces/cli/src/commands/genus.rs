//! `bouton genus`: misère play of a position beside heaps of two.

use super::{BudgetArgs, PositionArgs, TableFile, game_and_position};
use crate::context::Context;
use crate::error::CommandError;
use crate::{Status, progress};
use bouton_core::{LimitReached, Meter};
use bouton_octal::misere::Genera;
use bouton_study::genus_graph;
use clap::Args;
use std::io::Write;

/// Compute the genus of positions: nim-value and misère nim-values, such as 3^1431
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton genus kayles 1,11
  bouton genus grundy --to 20
  bouton genus nim 1,3,5,7 --json")]
pub struct GenusOf {
    /// An impartial game
    game: String,
    #[command(flatten)]
    position: PositionArgs,
    /// List all single heaps up to N instead
    #[arg(long, value_name = "N", value_parser = super::number::<u32>, conflicts_with = "position")]
    to: Option<u32>,
    #[command(flatten)]
    pub answer: TableFile,
    #[command(flatten)]
    budget: BudgetArgs,
}

impl GenusOf {
    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        let as_json = context.json;
        // A genus is of both plays.
        super::says_misere(context, false, &mut self.game, &mut self.position)?;
        let (named, positions) = match self.to {
            None => {
                let (named, position) =
                    game_and_position(context, &self.game, self.position.text().as_deref())?;
                (named, vec![position])
            }
            Some(to) => {
                let named = super::game_alone(context, &self.game)?;
                let all: Option<Vec<String>> =
                    (0..=to).map(|size| named.game.single(size)).collect();
                let none = || {
                    CommandError::Usage(format!(
                        "{} is not a game on single heaps",
                        named.game.name()
                    ))
                };
                let all = all.ok_or_else(none)?;
                (named, all)
            }
        };
        let game = &*named.game;
        let mut graph = genus_graph(game)?;
        let mut genera = Genera::default();
        let mut out = context.out();
        let (mut values, mut status) = (Vec::new(), Status::Done);
        let name = game.name();
        if context.csv {
            writeln!(out, "position,genus,misere_outcome")?;
        }
        for position in &positions {
            let node = graph.read(position)?;
            let found = progress::watched(
                context,
                &format!("genus of {position}"),
                &self.budget.budget(context),
                |budget| genera.in_graph(&mut *graph, node, &mut Meter::new(&budget)).cloned(),
            );
            if as_json {
                let found = found.as_ref().map_err(|spent| *spent);
                values.push(bouton_report::genus(&name, position, found));
            }
            match found {
                Ok(_) if as_json => {}
                Ok(genus) if context.csv => {
                    writeln!(out, "\"{position}\",{genus},{}", genus.misere_outcome())?;
                }
                Ok(genus) => {
                    let outcome = genus.misere_outcome();
                    let kind = if genus.is_of_nim() {
                        "some position of Nim has this genus"
                    } else {
                        "no position of Nim has this genus"
                    };
                    writeln!(out, "{position}: genus {genus}, {outcome} in misère play; {kind}")?;
                }
                Err(LimitReached::Rules(fault)) => {
                    eprintln!("error: {fault}");
                    status = Status::BadInput;
                    break;
                }
                Err(spent) => {
                    if context.csv {
                        eprintln!("unknown from {position} on ({spent})");
                    } else if !as_json {
                        writeln!(out, "{position}: unknown ({spent})")?;
                    }
                    status = Status::Negative;
                    break;
                }
            }
        }
        if as_json {
            drop(out);
            super::print_one_or_all(context, &values, self.to.is_some())?;
        }
        Ok(status)
    }
}
