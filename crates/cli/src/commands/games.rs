//! `bouton games`: the families, how to write them, where they come from.

use crate::Status;
use crate::context::Context;
use crate::fault::Fault;
use clap::Args;
use std::io::Write;

/// List the families of games: notation, rules, examples, source
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bouton games wythoff")]
pub struct Games {
    /// Only families whose name, notation or rules contain this word
    word: Option<String>,
}

impl Games {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let json = context.json;
        let word = self.word.unwrap_or_default().to_lowercase();
        let fits = |texts: &[&str]| texts.iter().any(|text| text.to_lowercase().contains(&word));
        let found: Vec<_> =
            context.catalogue.families().iter().filter(|f| fits(&[f.name, f.notation, f.about])).collect();
        let mut own = context.catalogue.own_games();
        own.retain(|game| fits(&[&game.name(), &game.describe()]));
        let mut out = std::io::stdout().lock();
        if json {
            let families = found.iter().map(|family| bouton_report::family(family));
            let list: serde_json::Value =
                own.iter().map(|game| bouton_report::own_game(&**game)).chain(families).collect();
            writeln!(out, "{list}")?;
        } else {
            for game in &own {
                let condition = game.heap_game().and_then(|stated| stated.moves.condition);
                let formula = condition.map_or_else(String::new, |formula| format!("\n    {formula}"));
                writeln!(out, "{}\n    {}{formula}\n    rule file\n", game.name(), game.describe())?;
            }
            for family in &found {
                writeln!(out, "{}\n    {}\n    {}", family.notation, family.about, family.source)?;
                for example in family.examples {
                    writeln!(out, "    bouton solve '{}' {}", example.game, example.position)?;
                }
                writeln!(out)?;
            }
            if word.is_empty() {
                writeln!(
                    out,
                    "Sums of games are written with +, each with its position: kayles:7 + nim:4 + wythoff:3,5"
                )?;
            }
        }
        Ok(if found.is_empty() && own.is_empty() { Status::Negative } else { Status::Done })
    }
}
