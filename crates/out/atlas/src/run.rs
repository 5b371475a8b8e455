//! Runs: the study of a game, the check of its certificate, its rows; and the games of a plan in
//! order, without those that the journal has.

use crate::entry::{Entry, Status};
use crate::journal::{Journal, JournalError};
use crate::load::LoadMeter;
use crate::picture;
use crate::plan::{AtlasPlan, EntryLimits, Job};
use bouton_certificate::SealedCertificate;
use bouton_check::{DEPTH, check_within};
use bouton_core::Budget;
use bouton_study::{
    Comparison, Findings, Heaps, PipelineOutcome, Settings, Study, StudyError, StudyTarget,
    StudyTargetError, Theorems, VerdictKind, study,
};
use bouton_theory::Survey;
use std::time::Duration;

/// An error of the study of a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The game cannot be studied.
    #[error(transparent)]
    Target(#[from] StudyTargetError),
    /// The study contradicts itself or the published claims.
    #[error("{game}: {error}")]
    Study {
        /// The game.
        game: String,
        /// The contradiction.
        error: Box<StudyError>,
    },
    /// The checker rejects the certificate of the study.
    #[error("{game}: the certificate was {why}; please report this")]
    Rejected {
        /// The game.
        game: String,
        /// The reason of the checker.
        why: String,
    },
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// Every game of the plan has entries.
    Completed,
    /// The budget was exhausted, or the run was cancelled.
    Stopped,
}

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'p> {
    /// The number of games with entries.
    pub done: usize,
    /// The number of games of the plan.
    pub games: usize,
    /// The game that is studied next.
    pub game: &'p str,
}

/// An entry and the text of its certificate, if it has one.
type CertifiedEntry = (Entry, Option<String>);

/// Studies all games of a plan that the journal lacks.
///
/// `budget` limits the time of the run and may cancel it; nodes and memory are those of the plan.
/// The seconds of a game are extended if the machine is busy. Reported games are on disk.
///
/// # Errors
/// Fails if the journal cannot be written, or if a game cannot be studied.
pub fn run(
    plan: &AtlasPlan,
    journal: &mut Journal,
    budget: &Budget,
    report: &mut dyn FnMut(Progress<'_>),
) -> Result<RunEnd, EntryError> {
    let missing: Vec<usize> = (0..plan.jobs.len()).filter(|number| !journal.has(*number)).collect();
    let jobs = missing.into_iter().map(|number| (number, &plan.jobs[number]));
    let mut done = journal.len();
    let jobs = jobs.inspect(|(_, job)| {
        report(Progress { done, games: plan.jobs.len(), game: &job.game });
        done += 1;
    });
    for studied in study_jobs(jobs, &plan.limits, budget) {
        let Some((number, entries)) = studied? else { return Ok(RunEnd::Stopped) };
        for (entry, certificate) in &entries {
            if let (Some(hash), Some(text)) = (&entry.certificate, certificate) {
                journal.write_certificate(hash, text)?;
            }
        }
        journal.append(number, entries.into_iter().map(|(entry, _)| entry).collect())?;
    }
    Ok(RunEnd::Completed)
}

/// Studies games lazily, in order, and returns the entries of each with its number. An item is
/// `None` if `budget` interrupted the game: the game itself then has no result. The seconds of a
/// game are extended if the machine is busy.
pub fn study_jobs<'j>(
    jobs: impl Iterator<Item = (usize, &'j Job)>,
    limits: &EntryLimits,
    budget: &Budget,
) -> impl Iterator<Item = Result<Option<(usize, Vec<CertifiedEntry>)>, EntryError>> {
    let mut load = LoadMeter::new();
    jobs.map(move |(number, job)| {
        let extended = |seconds| load.elapsed(Duration::from_secs_f64(seconds)).as_secs_f64();
        let seconds = limits.seconds.map(extended);
        let entries = study_job(job, &EntryLimits { seconds, ..*limits }, budget)?;
        Ok(budget.interrupted().is_none().then_some((number, entries)))
    })
}

/// Returns the rows of one game with their certificates. Without a limit of seconds the rows are a
/// pure function of the job. `budget` is that of the whole run.
fn study_job(
    job: &Job,
    limits: &EntryLimits,
    budget: &Budget,
) -> Result<Vec<CertifiedEntry>, EntryError> {
    let subject = StudyTarget::parse(&job.game, job.play, bouton_games::parse)?;
    let within = |budget: &Budget| match limits.seconds {
        Some(seconds) => budget.within(Duration::from_secs_f64(seconds)),
        None => budget.clone(),
    };
    let own = Budget { nodes: limits.nodes, bytes: Some(limits.memory << 20), ..within(budget) };
    // The search for theorems on circles of every size depends on the clock. It is left out if
    // there is no limit of time, so that every run gives the same rows.
    let circles = Theorems::default().with_certificates(bouton_literature::circles);
    let theorems = limits.seconds.map(|_| &circles);
    let settings = Settings {
        to: limits.to,
        published: &bouton_literature::published,
        theorems,
        ..Settings::default()
    };
    let result = study(&subject, settings, &own, &|_| ())
        .map_err(|error| EntryError::Study { game: job.game.clone(), error: Box::new(error) })?;
    // The checker has as much time again.
    rows(&result, &within(budget))
}

/// Returns the rows of a study; those called proved have certificates that the checker accepts.
fn rows(study: &Study, budget: &Budget) -> Result<Vec<CertifiedEntry>, EntryError> {
    let again = study.again.first().map(ToString::to_string).unwrap_or_default();
    let row = |kind: &str| Entry {
        game: study.game.clone(),
        play: bouton_report::play_word(study.play).into(),
        kind: kind.into(),
        status: Status::None,
        statement: String::new(),
        form: None,
        bound: None,
        reason: None,
        published: None,
        certificate: None,
        checked: None,
        again: again.clone(),
        picture: None,
    };
    let mut statements = bouton_report::statements(study).into_iter();
    let surveyed = match &study.findings {
        Findings::Theory(theory) => theory.survey(),
        _ => Vec::new(),
    };
    let mut all = match &study.findings {
        Findings::Heaps(heaps) => vec![heap_entry(row("heaps"), heaps)],
        Findings::Theory(theory) => {
            let line = |line: &Survey| Entry {
                play: bouton_report::play_word(line.play.unwrap_or(study.play)).into(),
                status: match line.verdict {
                    VerdictKind::Proved => Status::Proved,
                    VerdictKind::Holds => Status::Holds,
                    _ => Status::None,
                },
                form: line.form.clone(),
                bound: line.bound,
                reason: line.reason.clone(),
                published: join(
                    line.published.iter().map(|claim| format!("{} {}", claim.id, claim.verdict)),
                ),
                picture: line
                    .picture
                    .as_ref()
                    .and_then(picture::small)
                    .map(|picture| picture.to_string()),
                ..row(theory.kind())
            };
            surveyed.iter().map(line).collect()
        }
        Findings::Counts { studies, .. } => {
            let mut all = Vec::new();
            for study in studies {
                all.extend(rows(study, budget)?);
            }
            return Ok(all);
        }
        Findings::Position => Vec::new(),
    };
    let of_heaps = matches!(study.findings, Findings::Heaps(_));
    for (i, entry) in all.iter_mut().enumerate() {
        // Where nothing was found some studies state nothing, and partial descriptions of tables
        // are long.
        let nothing_found = entry.status == Status::None;
        let words = surveyed.get(i).and_then(|line| line.nothing);
        let is_silent = nothing_found && (words.is_some() || of_heaps);
        let statement = if is_silent { None } else { statements.next() };
        entry.statement = statement.unwrap_or_else(|| empty_statement(entry, words));
    }
    let mut with = Vec::new();
    for (i, mut entry) in all.into_iter().enumerate() {
        // Of a family, each convention has its own.
        let certificate = match surveyed.get(i) {
            Some(line) => line.certificate.as_ref(),
            None => study.certificate(),
        };
        if entry.status == Status::Proved {
            accept(&mut entry, certificate, budget)?;
        }
        let proof = certificate
            .filter(|_| entry.certificate.is_some())
            .map(|proof| proof.as_str().to_owned());
        with.push((entry, proof));
    }
    Ok(with)
}

/// Checks the certificate of an entry called proved. Without an accepted certificate the entry
/// holds as far as compared, or has no form.
fn accept(
    entry: &mut Entry,
    certificate: Option<&SealedCertificate>,
    budget: &Budget,
) -> Result<(), EntryError> {
    let mut demote = |why: String| {
        entry.status = if entry.bound.is_some() { Status::Holds } else { Status::None };
        entry.reason = Some(why);
    };
    let Some(text) = certificate else {
        demote("there is no certificate of it".into());
        return Ok(());
    };
    match check_within(text, DEPTH, &mut || budget.interrupted().is_none()) {
        Ok(accepted) => {
            entry.checked = Some(accepted.work);
            entry.certificate = Some(text.hash().to_owned());
        }
        Err(rejected) if !rejected.reason.is_verdict() => {
            demote(format!("the checker had not enough time or memory: {rejected}"));
        }
        Err(rejected) => {
            return Err(EntryError::Rejected {
                game: entry.game.clone(),
                why: rejected.to_string(),
            });
        }
    }
    Ok(())
}

/// Completes the entry of a heap game.
fn heap_entry(entry: Entry, heaps: &Heaps) -> Entry {
    let line = &heaps.line;
    let last = line.boards.last();
    let (status, reason) = match &line.ending {
        PipelineOutcome::Proved(_) | PipelineOutcome::ProvedBySummands { .. } => {
            (Status::Proved, None)
        }
        PipelineOutcome::Holds { reason } => (Status::Holds, Some(reason.clone())),
        PipelineOutcome::Refuted { counterexample, recheck, .. } => {
            (Status::Refuted, Some(format!("counterexample: {counterexample}; {recheck}")))
        }
        PipelineOutcome::NoForm => (Status::None, last.and_then(|board| board.trouble.clone())),
    };
    let published = heaps.published.iter().map(|c: &Comparison| format!("{} {}", c.id, c.verdict));
    let round = last.and_then(|board| board.rounds.last());
    let refuted = || round.map(|round| round.claim().to_owned());
    Entry {
        status,
        form: last
            .and_then(|board| board.claim.clone().or_else(|| board.form.clone()))
            .or_else(|| if status == Status::Refuted { refuted() } else { None }),
        bound: if status == Status::None {
            round.map(|round| round.max)
        } else {
            Some(line.holds_to())
        },
        reason,
        published: join(published),
        picture: last
            .and_then(|board| board.slice.as_ref())
            .map(|slice| picture::slice(slice).to_string()),
        ..entry
    }
}

fn join(words: impl Iterator<Item = String>) -> Option<String> {
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Returns the statement of an entry without a form.
fn empty_statement(entry: &Entry, words: Option<&str>) -> String {
    let to = entry.bound.map_or(String::new(), |bound| format!(", looked at up to {bound}"));
    format!("{}{to}.", words.unwrap_or("No form was found"))
}
