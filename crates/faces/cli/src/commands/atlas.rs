//! `bouton atlas`: every game of a plan studied; what was found as Parquet, as counts and as a
//! page.

use crate::Status;
use crate::context::Context;
use crate::error::{CommandError, write_file};
use bouton_atlas::{
    Atlas, AtlasPlan, Journal, JournalError, PLANS, RunEnd, counts, counts_table, run, site,
};
use bouton_report::answers::collections::{PlanEntry, PlanGame, PlanGames, Plans};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Study every game of a plan, and collect the results as Parquet and as a searchable page
#[derive(Debug, Args)]
#[command(
    name = "atlas",
    after_help = "\
Examples:
  bouton atlas
  bouton atlas complexes --directory complexes --seconds 3600
  bouton atlas my-plan.toml --directory out --site out/site
  bouton atlas --from atlas/complexes.parquet --from atlas/circles.parquet --site site
  bouton atlas --from atlas/complexes.parquet --counts

A run that is stopped at any moment is resumed by the same command. Plans are described in \
docs/atlas.md."
)]
pub struct AtlasOf {
    /// A plan that comes with the program, or a file; without it, list the plans
    plan: Option<String>,
    /// Directory for the journal, the certificates and PLAN.parquet; created if missing
    #[arg(long, alias = "to", value_name = "DIR", requires = "plan")]
    directory: Option<PathBuf>,
    /// Seconds per game, instead of the plan's; a directory holds the results of one budget
    #[arg(long, value_name = "S", requires = "plan")]
    each: Option<f64>,
    /// Read results from a file instead; may be repeated
    #[arg(long, value_name = "FILE.parquet", conflicts_with = "plan")]
    from: Vec<PathBuf>,
    /// Write the searchable page into this directory
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
    /// Print the number of entries by status, as a Markdown table
    #[arg(long)]
    counts: bool,
    /// Only list the games of the plan
    #[arg(long, requires = "plan", conflicts_with_all = ["directory", "site", "counts"])]
    list: bool,
}

/// How often a run tells how far it is where there is no terminal.
const LOG_EVERY: Duration = Duration::from_secs(60);

impl AtlasOf {
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        let (atlases, status) = match &self.plan {
            Some(name) => {
                let mut plan = plan(name)?;
                if let Some(seconds) = self.each {
                    plan = plan
                        .with_seconds(seconds)
                        .map_err(|why| CommandError::Usage(format!("--each: {why}")))?;
                }
                if self.list {
                    return list(context, &plan);
                }
                let Some(directory) = &self.directory else {
                    return Err(CommandError::Usage(format!(
                        "the plan {} needs a directory: --directory DIR",
                        plan.name
                    )));
                };
                let (atlas, status) = work(context, &plan, directory)?;
                (vec![atlas], status)
            }
            None if self.from.is_empty() => {
                if self.site.is_some() || self.counts {
                    return Err(CommandError::Usage(
                        "no results were given; accepted: a plan, or --from FILE.parquet".into(),
                    ));
                }
                return shipped(context);
            }
            None => {
                (self.from.iter().map(|file| read(file)).collect::<Result<_, _>>()?, Status::Done)
            }
        };
        if let Some(directory) = &self.site {
            let name = directory.display().to_string();
            std::fs::create_dir_all(directory).map_err(|error| CommandError::File(name, error))?;
            for (file, text) in site(&atlases) {
                write_file(&directory.join(file), &text)?;
            }
        }
        let all: Vec<_> = atlases.iter().map(counts).collect();
        let mut out = std::io::stdout().lock();
        if context.json {
            bouton_report::write_json(&mut out, &Plans { plans: all })?;
        } else if self.counts {
            write!(out, "{}", counts_table(&all))?;
        } else {
            for c in &all {
                writeln!(
                    out,
                    "{}: {} of {} games studied; {} proved, {} hold, {} refuted, {} with nothing \
                     found",
                    c.plan, c.studied, c.games, c.proved, c.holds, c.refuted, c.none
                )?;
            }
        }
        Ok(status)
    }
}

/// Reads a plan by its name, or from a file.
fn plan(name: &str) -> Result<AtlasPlan, CommandError> {
    let read = match AtlasPlan::shipped(name) {
        Some(plan) => plan,
        None if Path::new(name).exists() => AtlasPlan::parse(
            &std::fs::read_to_string(name)
                .map_err(|error| CommandError::File(name.to_owned(), error))?,
        ),
        None => {
            let known: Vec<&str> = PLANS.iter().map(|(name, _)| *name).collect();
            return Err(CommandError::Usage(format!(
                "there is no plan or file {name:?}; accepted: {}, or a file as docs/atlas.md \
                 describes",
                known.join(", ")
            )));
        }
    };
    read.map_err(|error| CommandError::Usage(format!("{name}: {error}")))
}

fn read(file: &Path) -> Result<Atlas, CommandError> {
    let name = file.display().to_string();
    let bytes = std::fs::read(file).map_err(|error| CommandError::File(name.clone(), error))?;
    Atlas::from_parquet(bytes).map_err(|error| CommandError::Usage(format!("{name}: {error}")))
}

/// Studies what is missing, and writes the file of what there is.
fn work(
    context: &Context,
    plan: &AtlasPlan,
    directory: &Path,
) -> Result<(Atlas, Status), CommandError> {
    let mut journal = Journal::open(directory, plan)?;
    let bar = ProgressBar::new(plan.jobs.len() as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut log = Instant::now();
    let end = run(plan, &mut journal, &context.budget(), &mut |progress| {
        bar.set_position(progress.done as u64);
        bar.set_message(progress.game.to_owned());
        if bar.is_hidden() && !context.quiet && log.elapsed() >= LOG_EVERY {
            eprintln!("{} of {} games, now {}", progress.done, progress.games, progress.game);
            log = Instant::now();
        }
    });
    bar.finish_and_clear();
    // The entries are written whatever ended the run.
    let file = journal.save(plan)?;
    let end = end.map_err(|error| CommandError::Usage(error.to_string()))?;
    if !context.json {
        eprintln!("{}", file.display());
    }
    let status = if end == RunEnd::Completed { Status::Done } else { Status::Negative };
    Ok((journal.atlas(plan), status))
}

fn list(context: &Context, plan: &AtlasPlan) -> Result<Status, CommandError> {
    let mut out = std::io::stdout().lock();
    if context.json {
        let games =
            plan.jobs.iter().map(|job| PlanGame { game: job.game.clone(), play: job.play.into() });
        let games =
            PlanGames { plan: plan.name.clone(), digest: plan.digest(), games: games.collect() };
        bouton_report::write_json(&mut out, &games)?;
    } else {
        for job in &plan.jobs {
            writeln!(out, "{} {}", job.game, bouton_report::play_word(job.play))?;
        }
    }
    Ok(Status::Done)
}

fn shipped(context: &Context) -> Result<Status, CommandError> {
    let plans = PLANS.iter().map(|(name, _)| plan(name)).collect::<Result<Vec<_>, _>>()?;
    let mut out = std::io::stdout().lock();
    if context.json {
        let plans = plans.into_iter().map(|p| PlanEntry {
            plan: p.name,
            about: p.about,
            games: p.jobs.len(),
            budget: p.limits.to_string(),
        });
        bouton_report::write_json(&mut out, &Plans { plans: plans.collect() })?;
    } else {
        for p in &plans {
            writeln!(
                out,
                "{}, {} games, each at most {}\n    {}",
                p.name,
                p.jobs.len(),
                p.limits,
                p.about
            )?;
        }
    }
    Ok(Status::Done)
}

impl From<JournalError> for CommandError {
    fn from(error: JournalError) -> CommandError {
        CommandError::Usage(error.to_string())
    }
}
