//! `bouton heatmap`: a table over two numbers, or a sequence on its period ruler, as a picture.

use super::save::save;
use super::strategy::print;
use super::{BudgetArgs, PositionArgs, convention};
use crate::context::{Context, must_end};
use crate::error::{CommandError, write_file};
use crate::{Status, progress};
use bouton_draw::heatmap::{
    self, CellKind, HeatmapError, HeatmapRequest, default_position, fill_in, parse_range,
    position_at,
};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Draw outcomes or nim-values over two numbers x and y
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton heatmap wythoff --to 200 --of nim-value -o wythoff.png
  bouton heatmap 'CN(5,2)' x,y,3,1,2 --to 30 -o slice.svg
  bouton heatmap 'Gamma(1,x;y)' --x 1..40 --y 1..40 -o kotzig.png
  bouton heatmap 'NIM(1,4;n;d,e)' x,y,20 --to 60 -o cash.svg
  bouton heatmap 'NIM(1,4;n;d,e)' x,y --of threshold --to 200 -o thresholds.png
  bouton heatmap kayles x --to 100 --of nim-value -o ruler.svg

x and y stand for numbers in the name of the game or in the position. With x alone, the values stand
in lines as long as their period.")]
pub struct HeatmapArgs {
    /// The game; x and y may stand for numbers
    game: String,
    /// The position; x and y may stand for numbers [default: x,y of a game on heaps]
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// The largest x and y without --x and --y [default: 24]
    #[arg(long, value_name = "N", value_parser = super::number::<u64>)]
    to: Option<u64>,
    /// The columns, such as 1..72
    #[arg(long, value_name = "A..B", value_parser = range)]
    x: Option<RangeInclusive<u64>>,
    /// The rows, such as 1..72
    #[arg(long, value_name = "A..B", value_parser = range)]
    y: Option<RangeInclusive<u64>>,
    /// The value to draw in each cell
    #[arg(long, value_enum, default_value_t = Of::Outcome)]
    of: Of,
    /// Misère play: the player who cannot move wins
    #[arg(long)]
    misere: bool,
    /// Write into a file: the picture as .svg, .png or .tex, or the values as .csv or .json
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// The largest x and y if nothing is said.
const DEFAULT_MAX: u64 = 24;

/// What cells can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Of {
    Outcome,
    NimValue,
    Margin,
    Threshold,
}

fn range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (a, b) = parse_range(text).ok_or("write a range as 1..72")?;
    if a > b { Err(format!("{a}..{b} is empty")) } else { Ok(a..=b) }
}

/// Returns the cells as comma-separated lines: x, y and the value, P or N for outcomes; nothing
/// where it is unknown.
fn lines(sheet: &heatmap::Heatmap) -> String {
    use std::fmt::Write as _;
    let kind = match sheet.what {
        CellKind::Outcome => "outcome",
        CellKind::NimValue => "nim_value",
        CellKind::Margin => "margin",
        CellKind::Threshold => "threshold",
    };
    let mut text = format!("x,y,{kind}\n");
    let places = sheet.y.clone().flat_map(|y| sheet.x.clone().map(move |x| (x, y)));
    for ((x, y), cell) in places.zip(&sheet.cells) {
        let value = match (cell, sheet.what) {
            (None, _) => String::new(),
            (Some(0), CellKind::Outcome) => "P".into(),
            (Some(_), CellKind::Outcome) => "N".into(),
            (Some(value), _) => value.to_string(),
        };
        let _ = writeln!(text, "{x},{y},{value}");
    }
    text
}

impl HeatmapArgs {
    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        // Words of the play may stand behind the position: `x,y, last loses`.
        let mut position = PositionArgs::of(self.position.as_deref());
        self.misere = super::says_misere(context, self.misere, &mut self.game, &mut position)?;
        self.position = position.position;
        let play = convention(context, &mut self.game, &mut self.misere)?;
        self.position = self.position.or_else(|| default_position(&context.catalogue, &self.game));
        let as_json = context.json;
        if let Some(error) = self.position.as_deref().and_then(super::no_option) {
            return Err(error.into());
        }
        if self.output.is_none() && !as_json {
            return Err(CommandError::Usage(
                "no file was given for the picture; accepted: -o FILE.svg, .png or .tex".into(),
            ));
        }
        const ACCEPTED: &[&str] = &["svg", "png", "tex", "csv", "json"];
        let ending = self.output.as_ref().and_then(|path| path.extension()?.to_str());
        if let Some(path) = &self.output
            && !ending.is_some_and(|ending| ACCEPTED.contains(&ending))
        {
            return Err(CommandError::Usage(format!("{}: {}", path.display(), must_end(ACCEPTED))));
        }
        if self.to.is_some() && self.x.is_some() && self.y.is_some() {
            return Err(CommandError::Usage(
                "--to beside --x and --y says nothing; accepted: two of them".into(),
            ));
        }
        // A number for y changes a text in which y stands.
        let put = |text: &str, [x, y]: [u64; 2]| position_at(&self.game, text, x, y);
        let stands = |[x, y]: [u64; 2]| {
            fill_in(&self.game, x, y) != fill_in(&self.game, 1, 1)
                || self
                    .position
                    .as_deref()
                    .is_some_and(|text| put(text, [x, y]) != put(text, [1, 1]))
        };
        for (name, given, other) in [("x", &self.x, [2, 1]), ("y", &self.y, [1, 2])] {
            if given.is_some() && !stands(other) {
                return Err(CommandError::Usage(format!(
                    "--{name}: {name} stands nowhere; accepted: {name} in the game's name or in \
                     the position"
                )));
            }
        }
        let to = self.to.unwrap_or(DEFAULT_MAX);
        let what = match self.of {
            Of::Outcome => CellKind::Outcome,
            Of::NimValue => CellKind::NimValue,
            Of::Margin => CellKind::Margin,
            Of::Threshold => CellKind::Threshold,
        };
        let watched =
            progress::watched(context, "a table", &self.budget.budget(context), |budget| {
                heatmap::Heatmap::compute(HeatmapRequest {
                    catalogue: context.catalogue.clone(),
                    game: self.game.clone(),
                    position: self.position.clone(),
                    x: self.x.clone().unwrap_or(0..=to),
                    y: self.y.clone().unwrap_or(0..=to),
                    what,
                    play,
                    budget,
                })
            });
        let sheet = watched.map_err(|error| match error {
            HeatmapError::Notation(error) => CommandError::from(error),
            other => CommandError::Usage(other.to_string()),
        })?;
        if as_json {
            print(&bouton_report::heatmap(&sheet))?;
        }
        let spent = sheet.spent;
        if let Some(path) = &self.output {
            let values = match ending {
                Some("json") => {
                    Some(bouton_report::to_json(&bouton_report::heatmap(&sheet)) + "\n")
                }
                Some("csv") => Some(lines(&sheet)),
                _ => None,
            };
            let picture = sheet.picture();
            match values {
                Some(values) => write_file(path, values)?,
                None => save(&picture, path)?,
            }
            if !as_json {
                let scene = picture.scene();
                writeln!(
                    std::io::stdout(),
                    "{}\n{}\nin {}",
                    scene.title,
                    scene.description,
                    path.display()
                )?;
            }
        }
        match spent {
            None => Ok(Status::Done),
            Some(spent) => {
                eprintln!("some cells are unknown ({spent})");
                Ok(Status::Negative)
            }
        }
    }
}
