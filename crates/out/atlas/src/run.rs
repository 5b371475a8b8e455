//! The work: a game studied, its certificate checked, its rows; and a plan from the first game that is missing to the last.

use crate::entry::{Entry, Status};
use crate::journal::{Journal, JournalError};
use crate::load::Load;
use crate::picture;
use crate::plan::{Each, Job, Plan};
use bouton_certificate::SealedCertificate;
use bouton_check::{DEPTH, check_within};
use bouton_core::Budget;
use bouton_study::{
    Comparison, Ending, Findings, Heaps, NoStudy, Settings, Study, StudyError, Subject, Theorems,
    VerdictKind, study,
};
use bouton_theory::Survey;
use std::time::Duration;

/// Why a game has no entry.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// It cannot be studied.
    #[error(transparent)]
    NoStudy(#[from] NoStudy),
    /// A slip: the ledger, a condition that a table contradicts.
    #[error("{game}: {error}")]
    Study {
        /// The game.
        game: String,
        /// The slip.
        error: Box<StudyError>,
    },
    /// A certificate of our own that the checker rejects.
    #[error("{game}: the certificate was {why}; please report this")]
    Rejected {
        /// The game.
        game: String,
        /// What the checker says.
        why: String,
    },
    /// A journal that cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Every game of the plan has its entries.
    Done,
    /// The budget ended, or somebody asked.
    Early,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'p> {
    /// Games with entries.
    pub done: usize,
    /// Games of the plan.
    pub games: usize,
    /// The game that is studied now.
    pub game: &'p str,
}

/// Studies all games of a plan that the journal lacks, while the budget lasts: its time and its wish to stop; nodes and
/// memory are the plan's. A game's seconds are put off where the machine is busy. What is reported is on disk.
pub fn run(
    plan: &Plan,
    journal: &mut Journal,
    budget: &Budget,
    tell: &mut dyn FnMut(Progress<'_>),
) -> Result<Stopped, EntryError> {
    let missing: Vec<usize> = (0..plan.jobs.len()).filter(|number| !journal.has(*number)).collect();
    let jobs = missing.into_iter().map(|number| (number, &plan.jobs[number]));
    let mut done = journal.len();
    let told = jobs.inspect(|(_, job)| {
        tell(Progress { done, games: plan.jobs.len(), game: &job.game });
        done += 1;
    });
    for found in studied(told, &plan.each, budget) {
        let Some((number, found)) = found? else { return Ok(Stopped::Early) };
        let (rows, certificates): (Vec<Entry>, Vec<Option<String>>) = found.into_iter().unzip();
        for (row, certificate) in rows.iter().zip(&certificates) {
            if let (Some(hash), Some(text)) = (&row.certificate, certificate) {
                journal.keep(hash, text)?;
            }
        }
        journal.append(number, rows)?;
    }
    Ok(Stopped::Done)
}

/// An entry and its certificate.
type Proved = (Entry, Option<String>);

/// Games studied one after the other as their entries are asked for, each with its number; `None` where `budget` cut one short, which
/// is no result of the game's own. Seconds are put off where the machine is busy.
pub fn studied<'j>(
    jobs: impl Iterator<Item = (usize, &'j Job)>,
    each: &Each,
    budget: &Budget,
) -> impl Iterator<Item = Result<Option<(usize, Vec<Proved>)>, EntryError>> {
    let mut load = Load::new();
    jobs.map(move |(number, job)| {
        let seconds = each.seconds.map(|seconds| load.wall(Duration::from_secs_f64(seconds)).as_secs_f64());
        let found = entries(job, &Each { seconds, ..*each }, budget)?;
        Ok(budget.interrupted().is_none().then_some((number, found)))
    })
}

/// The rows of one game, each with its certificate if there is one: a pure function where `each` has no seconds. `budget` is that of the whole run; what one game may
/// cost is `each`.
pub fn entries(job: &Job, each: &Each, budget: &Budget) -> Result<Vec<(Entry, Option<String>)>, EntryError> {
    let subject = Subject::of(&job.game, job.play, bouton_games::parse)?;
    let within = |budget: &Budget| match each.seconds {
        Some(seconds) => budget.within(Duration::from_secs_f64(seconds)),
        None => budget.clone(),
    };
    let own = Budget { nodes: each.nodes, bytes: Some(each.memory << 20), ..within(budget) };
    // Theorems on circles of every size are sought by the clock; without one, two runs are to say the same.
    let circles = Theorems::default().with_certificates(bouton_literature::circles);
    let theorems = each.seconds.map(|_| &circles);
    let settings =
        Settings { to: each.to, published: &bouton_literature::published, theorems, ..Settings::default() };
    let found = study(&subject, settings, &own, &|_| ())
        .map_err(|error| EntryError::Study { game: job.game.clone(), error: Box::new(error) })?;
    // The checker has as much time again.
    rows(&found, &within(budget))
}

fn rows(found: &Study, budget: &Budget) -> Result<Vec<(Entry, Option<String>)>, EntryError> {
    let again = found.again.first().map(ToString::to_string).unwrap_or_default();
    let row = |kind: &str| Entry {
        game: found.game.clone(),
        play: bouton_report::play_word(found.play).into(),
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
    let mut statements = bouton_report::statements(found).into_iter();
    let surveyed = match &found.findings {
        Findings::Theory(theory) => theory.survey(),
        _ => Vec::new(),
    };
    let mut all = match &found.findings {
        Findings::Heaps(heaps) => vec![of_heaps(row("heaps"), heaps)],
        Findings::Theory(theory) => {
            let line = |line: &Survey| Entry {
                play: bouton_report::play_word(line.play.unwrap_or(found.play)).into(),
                status: match line.verdict {
                    VerdictKind::Proved => Status::Proved,
                    VerdictKind::Holds => Status::Holds,
                    _ => Status::None,
                },
                form: line.form.clone(),
                bound: line.bound,
                reason: line.reason.clone(),
                published: join(line.published.iter().cloned()),
                picture: line.picture.as_ref().map(|picture| picture.to_string()),
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
    for (i, entry) in all.iter_mut().enumerate() {
        // Where nothing was found some studies state nothing, and partial descriptions of tables are long.
        let nothing_found = entry.status == Status::None;
        let words = surveyed.get(i).and_then(|line| line.nothing);
        let is_silent = nothing_found && (words.is_some() || entry.kind == "heaps");
        let statement = if is_silent { None } else { statements.next() };
        entry.statement = statement.unwrap_or_else(|| nothing(entry, words));
    }
    let mut with = Vec::new();
    for (i, mut entry) in all.into_iter().enumerate() {
        // Of a family, each convention has its own.
        let certificate = match surveyed.get(i) {
            Some(line) => line.certificate.as_ref(),
            None => found.certificate(),
        };
        if entry.status == Status::Proved {
            accept(&mut entry, certificate, budget)?;
        }
        let proof =
            certificate.filter(|_| entry.certificate.is_some()).map(|proof| proof.as_str().to_owned());
        with.push((entry, proof));
    }
    Ok(with)
}

/// What is called proved has a certificate that the checker accepts now; else it holds as far as compared, or there is
/// nothing.
fn accept(
    entry: &mut Entry,
    certificate: Option<&SealedCertificate>,
    budget: &Budget,
) -> Result<(), EntryError> {
    let mut doubt = |why: String| {
        entry.status = if entry.bound.is_some() { Status::Holds } else { Status::None };
        entry.reason = Some(why);
    };
    let Some(text) = certificate else {
        doubt("there is no certificate of it".into());
        return Ok(());
    };
    match check_within(text, DEPTH, &mut || budget.interrupted().is_none()) {
        Ok(accepted) => {
            entry.checked = Some(accepted.work);
            entry.certificate = Some(text.hash().to_owned());
        }
        Err(rejected) if !rejected.reason.is_verdict() => {
            doubt(format!("the checker had not enough time or memory: {rejected}"));
        }
        Err(rejected) => {
            return Err(EntryError::Rejected { game: entry.game.clone(), why: rejected.to_string() });
        }
    }
    Ok(())
}

fn of_heaps(entry: Entry, heaps: &Heaps) -> Entry {
    let line = &heaps.line;
    let last = line.boards.last();
    let (status, reason) = match &line.ending {
        Ending::Proved(_) => (Status::Proved, None),
        Ending::Holds { reason } => (Status::Holds, Some(reason.clone())),
        Ending::Refuted { counterexample, recheck, .. } => {
            (Status::Refuted, Some(format!("counterexample: {counterexample}; {recheck}")))
        }
        Ending::NoForm => (Status::None, last.and_then(|board| board.trouble.clone())),
    };
    let published = heaps.published.iter().map(|c: &Comparison| format!("{} {}", c.id, c.verdict));
    let seen = last.and_then(|board| board.rounds.last());
    let refuted = || seen.map(|round| round.claim().to_owned());
    Entry {
        status,
        form: last
            .and_then(|board| board.claim.clone().or_else(|| board.form.clone()))
            .or_else(|| if status == Status::Refuted { refuted() } else { None }),
        bound: if status == Status::None { seen.map(|round| round.max) } else { Some(line.holds_to()) },
        reason,
        published: join(published),
        picture: last.and_then(|board| board.slice.as_ref()).map(|slice| picture::slice(slice).to_string()),
        ..entry
    }
}

fn join(words: impl Iterator<Item = String>) -> Option<String> {
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// What stands where nothing was found.
fn nothing(entry: &Entry, words: Option<&str>) -> String {
    let to = entry.bound.map_or(String::new(), |bound| format!(", looked at up to {bound}"));
    format!("{}{to}.", words.unwrap_or("No form was found"))
}
