//! `bouton strategy`: a winning strategy, as a picture; for Kotzig's Nim also as a certificate.

use super::save::{save, save_scene};
use super::{BudgetArgs, PositionArgs, convention, game_and_position, play};
use crate::context::Context;
use crate::error::{CommandError, write_file};
use crate::{Status, progress};
use bouton_core::Meter;
use bouton_draw::Picture;
use bouton_draw::tree::{Tree, TreeError, TreeLimits};
use bouton_engine::Settings;
use bouton_kotzig::KotzigFamily;
use bouton_kotzig::strategy::Strategy as Found;
use bouton_kotzig::{CircleTheorem, Circulant, Playout, Position};
use bouton_report::answers::failure::BrokenOff;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// Draw a winning strategy, or write one in Kotzig's Nim as a certificate
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton strategy 'Gamma(1,4;13)' -o tree.svg
  bouton strategy nim 1,2,3 -o tree.tex
  bouton strategy 'Gamma(1,4;23)' > winning.cert && bouton check winning.cert

The tree has one move at each turn of the winner, and every reply at each turn of the other player.
Solid lines are moves of the first player. Repeated subtrees are drawn once, and runs of diamonds as
one counted step.")]
pub struct Strategy {
    /// The game; for a certificate Gamma(m1,…;n), moves ascending
    game: String,
    #[command(flatten)]
    position: PositionArgs,
    /// Misère play: the player who cannot move wins
    #[arg(long)]
    misere: bool,
    /// Draw the tree into a file: .svg, .png, .tex (forest) or .dot, or write it as .json; or write
    /// the certificate as .cert, which is printed without this option
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    // Not clap's defaults: a command that draws nothing has to see which options were given.
    /// Draw at most N moves in a row [default: 64]
    #[arg(long, value_name = "N",
        value_parser = super::number_within::<usize>(0..=300))]
    depth: Option<usize>,
    /// Draw at most N positions [default: 400]
    #[arg(long, value_name = "N", value_parser = super::number::<usize>)]
    size: Option<usize>,
    /// Draw every diamond in full
    #[arg(long)]
    diamonds: bool,
    /// Draw one game of Kotzig's Nim in which the winner follows the automata of a theorem
    #[arg(long, requires = "output")]
    walk: bool,
    #[command(flatten)]
    budget: BudgetArgs,
}

impl Strategy {
    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        self.misere = super::says_misere(context, self.misere, &mut self.game, &mut self.position)?;
        convention(context, &mut self.game, &mut self.misere)?;
        let as_json = context.json;
        if let Some(error) = self.position.text().as_deref().and_then(super::no_option) {
            return Err(error.into());
        }
        let of_trees = [
            ("--depth", self.depth.is_some()),
            ("--size", self.size.is_some()),
            ("--diamonds", self.diamonds),
        ];
        let to_certificate = self.output.take_if(|file| super::is_certificate(file)).is_some();
        if to_certificate && (self.walk || as_json) {
            let message = "-o FILE.cert takes a certificate; accepted with it: neither --walk nor \
                --json";
            return Err(CommandError::Usage(message.into()));
        }
        if (self.walk || self.output.is_none() && !as_json)
            && let Some((option, _)) = of_trees.iter().find(|(_, given)| *given)
        {
            let instead = if self.walk { "a walk is no tree" } else { "a certificate is no tree" };
            return Err(CommandError::Usage(format!(
                "{option} is about trees, {instead}; accepted: -o FILE without --walk"
            )));
        }
        if self.walk {
            if self.position.text().is_some() {
                return Err(CommandError::Usage(
                    "a walk begins at the start: no position with --walk".into(),
                ));
            }
            return self.walked(context);
        }
        if self.output.is_none() && !as_json {
            return self.certificate(context);
        }
        let (named, position) =
            game_and_position(context, &self.game, self.position.text().as_deref())?;
        let game = &*named.game;
        let diamonds = if self.diamonds { None } else { TreeLimits::default().diamonds };
        let limits = TreeLimits::default();
        let limits = TreeLimits {
            depth: self.depth.unwrap_or(limits.depth),
            nodes: self.size.unwrap_or(limits.nodes),
            diamonds,
            ..limits
        };
        let grown = progress::watched(
            context,
            &format!("a strategy for {}", game.name()),
            &self.budget.budget(context),
            |budget| {
                Tree::build(
                    game,
                    &position,
                    Settings { play: play(self.misere), budget, ..Settings::default() },
                    limits,
                )
            },
        );
        let tree = match grown {
            Ok(tree) => tree,
            Err(TreeError::Notation(error)) => return Err(error.into()),
            Err(TreeError::LimitReached(spent)) => {
                if as_json {
                    print(&BrokenOff::new(Some(game.name()), spent))?;
                }
                eprintln!("unknown ({spent})");
                return Ok(Status::Negative);
            }
        };
        let mut out = std::io::stdout();
        if as_json {
            print(&bouton_report::tree(&tree))?;
        }
        let Some(path) = &self.output else { return Ok(Status::Done) };
        let (nodes, cut, title) = (tree.nodes.len(), tree.cut, tree.title());
        match path.extension().is_some_and(|ending| ending == "json") {
            true => write_file(path, bouton_report::to_json(&bouton_report::tree(&tree)) + "\n")?,
            false => save(&Picture::Tree(tree), path)?,
        }
        if !as_json {
            let cut = if cut > 0 { format!(", cut at {cut} of them") } else { String::new() };
            writeln!(out, "{title}\n{nodes} positions{cut}, in {}", path.display())?;
        }
        Ok(Status::Done)
    }

    /// Shows a game in which the winner follows a theorem on circles of every size.
    fn walked(&self, context: &Context) -> Result<Status, CommandError> {
        let refused = |why: &str| CommandError::Usage(format!("{}: {why}", self.game));
        let family = KotzigFamily::parse(&self.game)?;
        let fixed = (family.names().is_empty(), family.fixed(), family.line(&[]));
        let (true, Some(steps), Some([_, n])) = fixed else {
            return Err(refused("a walk is drawn of one circle, as Gamma(1,4;23)"));
        };
        let play = play(self.misere);
        let budget = self.budget.budget(context);
        let theorems = context.theorems();
        let found = match CircleTheorem::from_store(theorems.certificates(), &steps, play, &budget)
        {
            Ok(Some(theorem)) => usize::try_from(n).ok().and_then(|n| Playout::on(&theorem, n)),
            Ok(None) => {
                let why = "no theorem on circles of every size with these steps is at hand; \
                    bouton prove seeks one";
                return Err(refused(why));
            }
            Err(spent) => {
                eprintln!("unknown ({spent})");
                return Ok(Status::Negative);
            }
        };
        let walk = found.ok_or_else(|| {
            refused(
                "the theorem's automata do not begin with a circle so small, or it is too \
                large to draw",
            )
        })?;
        let (scene, words) = bouton_report::route(&walk.route());
        if let Some(path) = &self.output {
            save_scene(&scene, path)?;
            if context.json {
                print(&walk)?;
            } else {
                writeln!(
                    std::io::stdout(),
                    "{words}\n{} moves, in {}",
                    walk.moves.len(),
                    path.display()
                )?;
            }
        }
        Ok(Status::Done)
    }

    fn certificate(&self, context: &Context) -> Result<Status, CommandError> {
        let game = KotzigFamily::parse(&self.game)
            .ok()
            .and_then(|family| family.at(&[]))
            .ok_or_else(|| {
                CommandError::Usage(format!(
                    "{}: -o FILE.svg draws the strategy; without it a certificate is written, \
                     and that only of Gamma(m1,…;n), moves at least 1, ascending, and 1 to 256 \
                     cells",
                    self.game
                ))
            })?;
        let at = match self.position.text() {
            None => Position::start(),
            Some(text) => track(&game, &text).ok_or_else(|| {
                CommandError::Usage(format!(
                    "{text} is not a position of {game}; accepted: 0,2,5/5"
                ))
            })?,
        };
        let play = play(self.misere);
        let found = progress::watched(
            context,
            &format!("a strategy for {game}"),
            &self.budget.budget(context),
            |budget| Found::find(&game, &at, play, &mut Meter::new(&budget)),
        );
        match found {
            Ok(strategy) => {
                write!(context.out(), "{}", strategy.certificate(&game, &at, play).to_text())?;
                Ok(Status::Done)
            }
            Err(spent) => {
                eprintln!("unknown ({spent})");
                Ok(Status::Negative)
            }
        }
    }
}

fn track(game: &Circulant, text: &str) -> Option<Position> {
    let (cells, token) = text.split_once('/')?;
    let cells: Option<Vec<usize>> = cells.split(',').map(|cell| cell.trim().parse().ok()).collect();
    Position::new(game, cells?, token.trim().parse().ok()?)
}

/// Prints a value and a line feed on standard output.
pub(super) fn print(value: &impl serde::Serialize) -> Result<(), CommandError> {
    Ok(bouton_report::write_json(std::io::stdout(), value)?)
}
