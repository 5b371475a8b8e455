//! `bouton conjecture`: a closed form for anyone's table.

use super::AnswerFile;
use crate::Status;
use crate::context::Context;
use crate::fault::Fault;
use bouton_conjecture::read;
use bouton_core::{Meter, Symmetry};
use bouton_report::answers::Seconds;
use bouton_report::answers::conjecture::Conjectured;
use bouton_report::conjectured;
use clap::{Args, ValueEnum};
use std::io::{Read, Write};
use std::time::Instant;

/// Find a closed form in your own table of outcomes, or the period of your own sequence
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton positions 'CN(3,2)' --max 9 --values --csv table.csv && bouton conjecture --from table.csv
  bouton conjecture --from table.csv --symmetry ring --json
  seq 0 40 | awk '{print $1 \",\" int($1/3)}' | bouton conjecture --from -
  echo 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 | bouton conjecture -

A row has the heaps of a position and its outcome (P, N, or a nim-value). The table has every
position of a box once, or one position of each symmetry class. Rows of n and a value are a
sequence; so are values alone, in rows or all in one, from n = 0 on. A first row of words names the
columns.")]
pub struct Conjecture {
    /// A file of comma-separated rows, or of values from n = 0 on, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "from")]
    file: Option<String>,
    /// The same
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    from: Option<String>,
    /// The symmetry of the table; by default the largest one that the outcomes allow
    #[arg(long, value_enum)]
    symmetry: Option<Places>,
    #[command(flatten)]
    pub answer: AnswerFile,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Places {
    /// No symmetry
    None,
    /// Rotations and reflections of a circle of heaps
    Ring,
    /// All permutations of the heaps
    Full,
}

impl Conjecture {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let as_json = context.json;
        let source = self.from.or(self.file).unwrap_or_default();
        let file = |error| Fault::File(source.clone(), error);
        let text = if source == "-" {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(file)?;
            text
        } else {
            std::fs::read_to_string(&source).map_err(file)?
        };
        let symmetry = self.symmetry.map(|places| match places {
            Places::None => Symmetry::None,
            Places::Ring => Symmetry::Ring,
            Places::Full => Symmetry::Full,
        });
        let data =
            read(&text, symmetry).map_err(|error| Fault::Usage(format!("{source}: {error}")))?;
        let mut out = context.out();
        let started = Instant::now();
        let (told, found, stands) = conjectured(data, &mut Meter::new(&context.budget()));
        if as_json {
            let seconds = Some(Seconds(started.elapsed().as_secs_f64()));
            bouton_report::write_json(&mut out, &Conjectured { seconds, ..found })?;
        } else {
            writeln!(out, "{told}")?;
        }
        Ok(if stands { Status::Done } else { Status::Negative })
    }
}
