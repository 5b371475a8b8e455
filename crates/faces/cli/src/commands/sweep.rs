//! `bouton sweep`: all games of a family into a database, or on a cluster into a folder of shards,
//! which Dask schedules: that is the package for Python's.

use super::play;
use crate::Status;
use crate::context::Context;
use crate::error::CommandError;
use bouton_core::WrittenNumber;
use bouton_kotzig::{KotzigFamily, Range};
use bouton_report::answers::Seconds;
use bouton_report::answers::collections::Swept;
use bouton_store::Database;
use bouton_store::sweep::{Progress, Report, Settings, sweep};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Solve a family of Kotzig's Nim over ranges of its parameters, and store the results
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton sweep 'Gamma(m1,m2;n)' --m1 1..72 --m2 1..72 --n 1..72 --db kotzig.db
  bouton sweep 'Gamma(1,m;m+2)' --range m=2..100 --db kotzig.db --misere
  bouton sweep 'Gamma(m1,m2;n)' --m1 1..200 --m2 1..200 --n 1..120 --cluster tcp://login1:8786 \
  --directory kotzig
  bouton sweep 'Gamma(m1,m2;n)' --m1 1..200 --m2 1..200 --n 1..120 --cluster slurm --workers 64 \
  --directory kotzig

A sweep that is stopped at any moment is resumed by the same command.")]
pub struct Sweep {
    /// The family: moves and length are sums and products of numbers and parameters
    family: String,
    /// The database; created if missing
    #[arg(long, value_name = "FILE", required_unless_present = "cluster",
        conflicts_with_all = ["cluster", "directory"])]
    db: Option<PathBuf>,
    /// Use a Dask cluster instead: the address of its scheduler, slurm, or local (needs the Python
    /// package)
    #[arg(long, value_name = "WHERE", requires = "directory")]
    cluster: Option<String>,
    /// With --cluster: the folder of results, on a file system that all workers share; created if
    /// missing
    #[arg(long, alias = "to", value_name = "DIR", requires = "cluster")]
    directory: Option<PathBuf>,
    /// With --cluster: the number of Slurm jobs, or of workers on this machine
    #[arg(long, value_name = "N", value_parser = super::number::<u32>, requires = "cluster")]
    workers: Option<u32>,
    /// With --cluster: an option of SLURMCluster, such as queue=long; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "cluster")]
    options: Vec<String>,
    /// The range of a parameter; may be repeated
    #[arg(long = "range", value_name = "NAME=A..B")]
    ranges: Vec<String>,
    /// The range of n, both ends included
    #[arg(long, value_name = "A..B")]
    n: Option<String>,
    /// The range of m1; likewise --m2 to --m6. Only games with ascending moves are solved
    #[arg(long, value_name = "A..B")]
    m1: Option<String>,
    #[arg(long, value_name = "A..B", hide = true)]
    m2: Option<String>,
    #[arg(long, value_name = "A..B", hide = true)]
    m3: Option<String>,
    #[arg(long, value_name = "A..B", hide = true)]
    m4: Option<String>,
    #[arg(long, value_name = "A..B", hide = true)]
    m5: Option<String>,
    #[arg(long, value_name = "A..B", hide = true)]
    m6: Option<String>,
    /// Misère play: the player who cannot move wins
    #[arg(long)]
    misere: bool,
    /// Expand at most N positions per game; games that need more remain unknown
    #[arg(long, value_name = "N", value_parser = super::number::<u64>,
        default_value_t = 10_000_000_000)]
    nodes: u64,
    /// The number of threads; 0 is one per core
    #[arg(long, value_name = "T", value_parser = super::number::<usize>, default_value_t = 0,
        conflicts_with = "cluster")]
    threads: usize,
}

/// The most unknown games that are listed.
const SHOWN: usize = 20;

/// How often a sweep tells how far it is where there is no terminal.
const LOG_EVERY: Duration = Duration::from_secs(30);

/// Prints what a sweep into a database did, and what is unknown in it.
fn print(report: &Report, elapsed: Duration, db: &Path) {
    let entered = match report.not_entered {
        0 => String::new(),
        others => format!("{} of them entered, ", report.instances - others),
    };
    println!(
        "{} games, {entered}{} of them different; {} solved now, {} nodes, {:.1} s",
        report.instances,
        report.games,
        report.solved,
        report.nodes,
        elapsed.as_secs_f64()
    );
    if report.not_entered > 0 {
        println!("those with the most cells were not entered; the same command goes on");
    }
    let (unknown, count) = (&report.unknown, report.unknown.len());
    if count > SHOWN {
        let cells = unknown.iter().map(|game| game.n());
        let least = cells.clone().min().unwrap_or_default();
        let most = cells.max().unwrap_or_default();
        println!("{count} different games in the file are unknown, with {least} to {most} cells");
        println!("  from {} to {}", unknown[0], unknown[count - 1]);
        println!("  `bouton query --db {} 'n >= {least} & ?'` lists them", db.display());
    } else if count > 0 {
        println!("{count} different games in the file are unknown:");
        unknown.iter().for_each(|game| println!("  {game}"));
    }
}

impl Sweep {
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        let family = KotzigFamily::parse(&self.family)?;
        let ranges =
            family.names().iter().map(|name| self.range(name)).collect::<Result<Vec<_>, _>>()?;
        self.check_arguments(&family)?;
        let Some(db) = &self.db else { return self.on_cluster(context, family.names(), &ranges) };
        let how = Settings { play: play(self.misere), nodes: self.nodes, threads: self.threads };
        let mut database = Database::create(db)?;
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let mut log = Instant::now();
        let report = context.stopping(|stop| {
            sweep(&mut database, &family, &ranges, &how, stop, |progress| {
                show(&bar, progress);
                if bar.is_hidden() && !context.quiet && log.elapsed() >= LOG_EVERY {
                    eprintln!(
                        "{} of {} games, {} nodes",
                        progress.done, progress.games, progress.nodes
                    );
                    log = Instant::now();
                }
            })
        })?;
        let elapsed = bar.elapsed();
        bar.finish_and_clear();
        if context.json {
            let swept = Swept {
                family: self.family,
                instances: report.instances,
                games: report.games,
                solved: report.solved,
                nodes: report.nodes,
                unknown: report.unknown.iter().map(ToString::to_string).collect(),
                not_entered: report.not_entered,
                seconds: Seconds(elapsed.as_secs_f64()),
            };
            bouton_report::write_json(std::io::stdout(), &swept)?;
        } else {
            print(&report, elapsed, db);
        }
        Ok(if report.unknown.is_empty() && report.not_entered == 0 {
            Status::Done
        } else {
            Status::Negative
        })
    }

    /// Refuses ranges of other names than the family's, or two of one name, and arguments of a
    /// cluster without one.
    fn check_arguments(&self, family: &KotzigFamily) -> Result<(), CommandError> {
        if let Some(name) = self.given().find(|name| !family.names().contains(name)) {
            return Err(CommandError::Usage(format!("{family} has no parameter {name}")));
        }
        let mut given: Vec<String> = self.given().collect();
        given.sort_unstable();
        if let Some(pair) = given.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(CommandError::Usage(format!(
                "two ranges for {name}; accepted: one, as --range {name}=1..72",
                name = pair[0]
            )));
        }
        // What clap requires it forgives where the required argument could not stand either.
        let on_cluster = [
            ("--directory", self.directory.is_some()),
            ("--workers", self.workers.is_some()),
            ("--option", !self.options.is_empty()),
        ];
        match on_cluster.iter().find(|(_, given)| *given && self.cluster.is_none()) {
            Some((name, _)) => Err(CommandError::Usage(format!(
                "{name} needs --cluster; accepted: --cluster WHERE --directory DIR"
            ))),
            None => Ok(()),
        }
    }

    /// Hands over to `python -m bouton sweep`, with the ranges as they were read.
    fn on_cluster(
        &self,
        context: &Context,
        names: &[String],
        ranges: &[Range],
    ) -> Result<Status, CommandError> {
        let version = env!("CARGO_PKG_VERSION");
        let accepted = format!(
            "pip install 'bouton[cluster]' of version {version}; BOUTON_PYTHON=PROGRAM names a \
             Python that has it"
        );
        let python = std::env::var("BOUTON_PYTHON").unwrap_or_else(|_| "python3".into());
        let asked =
            Command::new(&python).args(["-c", "import bouton; print(bouton.__version__)"]).output();
        let asked = asked.map_err(|error| {
            CommandError::Usage(format!(
                "--cluster needs the Python package bouton: {python}: {error}; accepted: {accepted}"
            ))
        })?;
        let found = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
        if !asked.status.success() || found != version {
            let why = if asked.status.success() {
                format!("has bouton {found}")
            } else {
                let told = String::from_utf8_lossy(&asked.stderr);
                format!("says {:?}", told.lines().last().unwrap_or("nothing"))
            };
            return Err(CommandError::Usage(format!(
                "--cluster needs the Python package bouton, but {python} {why}; accepted: \
                 {accepted}"
            )));
        }
        let mut command = Command::new(&python);
        command.args(["-m", "bouton", "sweep", &self.family]);
        for (name, range) in names.iter().zip(ranges) {
            command.arg("--range").arg(format!("{name}={}..{}", range.start(), range.end()));
        }
        command.arg("--nodes").arg(self.nodes.to_string());
        for (name, value) in
            [("--cluster", &self.cluster), ("--workers", &self.workers.map(|n| n.to_string()))]
        {
            if let Some(value) = value {
                command.arg(name).arg(value);
            }
        }
        if let Some(folder) = &self.directory {
            command.arg("--to").arg(folder);
        }
        for option in &self.options {
            command.arg("--option").arg(option);
        }
        if let Some(seconds) = context.seconds {
            command.arg("--seconds").arg(seconds.as_secs_f64().to_string());
        }
        let flags =
            [("--misere", self.misere), ("--json", context.json), ("--quiet", context.quiet)];
        command.args(flags.into_iter().filter_map(|(flag, set)| set.then_some(flag)));
        let status = command.status().map_err(|error| CommandError::File(python, error))?;
        match status.code() {
            Some(0) => Ok(Status::Done),
            Some(1) => Ok(Status::Negative),
            // It has told why.
            Some(code) => std::process::exit(code),
            None => {
                Err(CommandError::Usage("the sweep was killed; the same command resumes it".into()))
            }
        }
    }

    /// Returns the parameters that were given a range.
    fn given(&self) -> impl Iterator<Item = String> {
        let named = [&self.n, &self.m1, &self.m2, &self.m3, &self.m4, &self.m5, &self.m6];
        let names = ["n", "m1", "m2", "m3", "m4", "m5", "m6"];
        let fixed = names
            .into_iter()
            .zip(named)
            .filter(|(_, given)| given.is_some())
            .map(|(n, _)| n.to_owned());
        let free = self
            .ranges
            .iter()
            .map(|text| text.split('=').next().unwrap_or_default().trim().to_owned());
        fixed.chain(free)
    }

    fn range(&self, name: &str) -> Result<Range, CommandError> {
        let own = match name {
            "n" => &self.n,
            "m1" => &self.m1,
            "m2" => &self.m2,
            "m3" => &self.m3,
            "m4" => &self.m4,
            "m5" => &self.m5,
            "m6" => &self.m6,
            _ => &None,
        };
        let free =
            || self.ranges.iter().filter_map(|t| t.split_once('=')).find(|(n, _)| n.trim() == name);
        let Some(text) = own.as_deref().or_else(|| free().map(|(_, range)| range)) else {
            return Err(CommandError::Usage(format!(
                "the parameter {name} needs a range: --range {name}=1..72"
            )));
        };
        let number = |text: &str| WrittenNumber::read(text);
        let ends = match text.split_once("..") {
            Some((start, end)) => number(start).zip(number(end.trim_start_matches('='))),
            None => number(text).map(|n| (n, n)),
        };
        match ends {
            Some((start, end)) if start <= end => Ok(start..=end),
            Some((start, end)) => Err(CommandError::Usage(format!(
                "the range {name} = {start}..{end} is empty: write the smaller end first"
            ))),
            None => Err(CommandError::Usage(format!(
                "{name} = {text} is not a range; accepted: 1..72, both ends included"
            ))),
        }
    }
}

fn show(bar: &ProgressBar, progress: &Progress) {
    bar.set_length(progress.games);
    bar.set_position(progress.done);
    let rate = progress.nodes as f64 / progress.elapsed.as_secs_f64().max(0.001) / 1e6;
    let left = progress
        .left
        .map_or("?".into(), |left| format!("{:.0?}", Duration::from_secs(left.as_secs())));
    bar.set_message(format!(
        "≤ {} nodes each, {rate:.1} million nodes/s, {left} left in this round",
        progress.budget
    ));
}
