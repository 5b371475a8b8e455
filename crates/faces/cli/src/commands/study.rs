//! `bouton study`: the whole line for one game: rules, table, conjecture, larger table, proof; and
//! what is published.

use super::proof_file::ProofFile;
use super::{BudgetArgs, convention, normal_values, play};
use crate::context::{Context, must_end};
use crate::error::{CommandError, is_for_coq, write_file};
use crate::{Status, progress};
use bouton_certificate::SealedCertificate;
use bouton_core::NotationError;
use bouton_games::{Template, not_a_range, parameter};
use bouton_prover::parametric::{ParametricCondition, ParametricGame};
use bouton_report::Format;
use bouton_study::{
    RangeError, RangeTarget, Settings, StudyError, StudyOption, StudyTarget, StudyTargetError,
    VerdictKind, parametric_game, study, study_parametric, study_range,
};
use clap::Args;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Study a game: table, conjecture, larger table, proof, comparison with published results
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton study 'CN(6,3)'
  bouton study 'SCN(5,2)' --report scn.html --certificate scn.cert
  bouton study 'S(1,3,4)' -o periods.html
  bouton study 'simplicial(1,2,3;3,4;4,1)'
  bouton study 'Gamma(1,4;n)' --to 80
  bouton study kayles --report kayles.tex --certificate kayles.cert
  bouton study 'Gamma(1,4;23)' --json
  bouton study 'CN(9,7)' --seconds 300
  bouton study 'simplicial(1,2;3)' --values
  bouton study 'S(1,2,3) + nim'
  bouton study 'CN(n,n-1)' --for n=3..6
  bouton study 'S(1,2*h)' --for h=1..8 --json
  bouton study 'S(1,h)' --certificate h.cert
  bouton study 'S(1,4,h)' --for 'h mod 5 = 0'
  bouton study 'S(L..M)'
  bouton study 'NIM(1,L)' --for 'L even'
  bouton study 'S(1,h;1)' --for h=2..9 --report subtraction.html
  bouton study 'S(1,2,h)' --for h=3..9 --values
  bouton study 'dots(3x3):---/|.../.-./||../..-/||../.--' --report loyd.html")]
pub struct Study {
    /// The game
    game: String,
    /// Make tables with heaps up to M; by default tables grow until a form is proved or the time is
    /// up (--seconds, by default 20)
    #[arg(long, value_name = "M", value_parser = super::number::<u32>)]
    max: Option<u32>,
    /// For a family such as Gamma(1,4;n): the greatest value of its parameter [default: 60]
    #[arg(long, value_name = "N", value_parser = super::number_within::<i64>(1..=i64::MAX as u64))]
    to: Option<i64>,
    /// For a game on single heaps: write the nim-values to a file, as an OEIS b-file
    #[arg(long, value_name = "FILE")]
    b_file: Option<PathBuf>,
    /// Misère play: the player who cannot move wins
    #[arg(long)]
    misere: bool,
    /// Find and prove a formula v = … for the nim-values instead of the P-positions
    #[arg(long, conflicts_with_all = ["misere", "b_file", "to"])]
    values: bool,
    /// Study the game for each value of a parameter, NAME=A..B, and find a form with the parameter
    /// in it; or, of S(1,h), NIM(1,L) and the like, for all values with a condition: 'L even', 'h
    /// mod 5 = 0', 'h >= 3'
    #[arg(long = "for", value_name = "NAME=A..B", conflicts_with_all = ["b_file", "to"])]
    values_of: Option<ParameterValues>,
    /// Write a report: statement, tables, pictures, timings, and the commands that reproduce them
    #[arg(long, value_name = "FILE.html|.tex|.json")]
    report: Option<PathBuf>,
    /// Write the proof to a file that `bouton check` verifies; FILE.v is a theorem for Coq
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write into a file as its ending says: .html, .tex or .json a report, .cert a certificate, .v
    /// a theorem for Coq, .txt nim-values as an OEIS b-file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// If the form is an automaton, write it to a file for `bouton prove --claim-automaton`, in
    /// Walnut's text; and beside it, if Walnut does not know the digits, what defines them there
    #[arg(long, value_name = "FILE", conflicts_with = "values_of")]
    automaton: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// The values of a game's parameters that are studied.
#[derive(Debug, Clone)]
enum ParameterValues {
    /// Those of one parameter, both ends counted; or the fault, told with its place.
    Range(Result<(String, RangeInclusive<i64>), NotationError>),
    /// All that satisfy a condition, which is read with the game.
    Condition(String),
}

impl From<&str> for ParameterValues {
    fn from(text: &str) -> ParameterValues {
        match text.contains("..") {
            true => ParameterValues::Range(parameter(text)),
            false => ParameterValues::Condition(text.to_owned()),
        }
    }
}

impl Study {
    /// Returns whether the game is studied for each value of a parameter.
    fn is_range(&self) -> bool {
        matches!(self.values_of, Some(ParameterValues::Range(_)))
    }

    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        self.output_by_ending()?;
        let play = convention(context, &mut self.game, &mut self.misere)?;
        normal_values(&self.game, play, self.values)?;
        // A letter for a number: the game for all values of it, or those that satisfy a condition.
        if !self.is_range()
            && context.catalogue.parse(&self.game).is_err()
            && let Ok(game) = parametric_game(&self.game)
        {
            let condition = match &self.values_of {
                Some(ParameterValues::Condition(text)) => {
                    Some(ParametricCondition::parse(&game, text)?)
                }
                _ => None,
            };
            return self.for_all(&game, condition.as_ref(), context);
        }
        match &self.values_of {
            Some(ParameterValues::Range(range)) => {
                let (name, values) = range.clone()?;
                return self.for_each(&name, values, context);
            }
            // Conditions are for the games above: the error says what else is accepted.
            Some(ParameterValues::Condition(text)) => return Err(not_a_range(text).into()),
            None => {}
        }
        let parse = |text: &str| context.catalogue.parse(text);
        let subject = StudyTarget::read(&self.game, self.values, play, parse)?;
        let format = self.refuse(&subject)?;
        let budget = self.budget.budget(context);
        let theorems = context.theorems();
        let settings = Settings {
            max: self.max,
            to: self.to,
            published: &bouton_literature::published,
            theorems: Some(&theorems),
            partial: true,
            ..Settings::default()
        };
        let found = progress::with_progress(
            context,
            &format!("a study of {}", subject.name()),
            &budget,
            |budget, tell| study(&subject, settings, &budget, tell),
        )?;
        keep_study(&found, context);
        let mut told = if context.json {
            format!("{}\n", bouton_report::study(&found))
        } else {
            bouton_report::text::study(&found)
        };
        let (lines, is_complete) = self.write_files(&found, format, context)?;
        if context.json {
            eprint!("{lines}")
        } else {
            told += &lines
        }
        std::io::stdout().lock().write_all(told.as_bytes())?;
        Ok(if found.is_settled() && is_complete { Status::Done } else { Status::Negative })
    }

    /// Writes the files that are asked for. Returns the lines that name them, with JSON only those
    /// of proofs and automata, and whether all are written.
    fn write_files(
        &self,
        found: &bouton_study::Study,
        format: Option<Format>,
        context: &Context,
    ) -> Result<(String, bool), CommandError> {
        let (mut told, mut is_complete) = (String::new(), true);
        if let (Some(file), Some(format)) = (&self.report, format) {
            write_file(file, bouton_report::report(found, format))?;
            told += &format!("Report: {}\n", file.display());
        }
        if let (Some(file), Some(values)) = (&self.b_file, found.b_file()) {
            write_file(file, &values)?;
            told += &format!("Nim-values: {}\n", file.display());
        }
        if context.json {
            told.clear();
        }
        if let Some(file) = &self.certificate {
            let proof = ProofFile::write(file, found.certificate().map(SealedCertificate::as_str))?;
            told += &proof.line();
            is_complete &= proof.is_written();
        }
        if let Some(file) = &self.automaton {
            match found.automaton() {
                Some(automaton) => {
                    write_file(file, automaton.walnut())?;
                    told += &format!("Automaton: {}\n", file.display());
                    told += &super::write_walnut_digits(file, automaton.digits)?;
                }
                None => {
                    told +=
                        &format!("The form is no automaton, {} is not written\n", file.display());
                    is_complete = false;
                }
            }
        }
        Ok((told, is_complete))
    }

    /// Takes the file of `-o` as that of the option for its ending.
    fn output_by_ending(&mut self) -> Result<(), CommandError> {
        let Some(file) = self.output.take() else { return Ok(()) };
        let (option, place) = match file.extension().and_then(|ending| ending.to_str()) {
            Some("html" | "tex" | "json") => ("--report", &mut self.report),
            Some("cert" | "v") => ("--certificate", &mut self.certificate),
            Some("txt") => ("--b-file", &mut self.b_file),
            _ => {
                let accepted = must_end(&["html", "tex", "json", "cert", "v", "txt"]);
                return Err(CommandError::Usage(format!("{}: {accepted}", file.display())));
            }
        };
        if let Some(other) = place.replace(file) {
            let name = other.display();
            return Err(CommandError::Usage(format!(
                "-o beside {option} {name}: accepted: one of them"
            )));
        }
        if self.is_range() && option != "--report" {
            return Err(CommandError::Usage(format!(
                "with --for a study writes no {option}; accepted: -o FILE.html"
            )));
        }
        if self.values && option == "--b-file" {
            return Err(CommandError::Usage(
                "--values finds a formula and writes no b-file".into(),
            ));
        }
        Ok(())
    }

    /// Studies the game for all values of its parameters that satisfy a condition, if there is one.
    fn for_all(
        &self,
        game: &ParametricGame,
        condition: Option<&ParametricCondition>,
        context: &Context,
    ) -> Result<Status, CommandError> {
        let wishes = [
            ("--max", self.max.is_some()),
            ("--to", self.to.is_some()),
            ("--b-file", self.b_file.is_some()),
            ("--misere", self.misere),
            ("--values", self.values),
            ("--report", self.report.is_some()),
            ("--automaton", self.automaton.is_some()),
        ];
        if let Some((wish, _)) = wishes.into_iter().find(|(_, wished)| *wished) {
            let name = game.name();
            return Err(CommandError::Usage(format!(
                "{wish} for {name}: a game for all values of its letters is studied without it; \
                 accepted: --certificate FILE.cert"
            )));
        }
        let coq = self.certificate.as_deref().is_some_and(is_for_coq);
        if let Some(file) = self.certificate.as_deref().filter(|_| coq) {
            return Err(CommandError::Usage(format!(
                "{}: theorems for all values are not exported to Coq; accepted: FILE.cert",
                file.display()
            )));
        }
        if let Some(file) = &self.certificate {
            writable(file)?;
        }
        let budget = self.budget.budget(context);
        let found = progress::with_progress(
            context,
            &format!("a study of {}", self.game),
            &budget,
            |budget, tell| study_parametric(game, condition, &budget, tell),
        )?;
        let mut told = if context.json {
            format!("{}\n", bouton_report::study(&found))
        } else {
            bouton_report::text::parametric_study(&found)
        };
        if let Some(file) = &self.certificate {
            let proofs: Vec<_> =
                found.statements.iter().filter_map(|one| one.certificate.as_ref()).collect();
            let mut lines = String::new();
            for (number, proof) in (1..).zip(&proofs) {
                // One file a statement: h.cert, or h-1.cert, h-2.cert.
                let file = match proofs.len() {
                    1 => file.clone(),
                    _ => numbered(file, number),
                };
                lines += &ProofFile::write(&file, Some(proof.as_str()))?.line();
            }
            if proofs.is_empty() {
                lines = ProofFile::write(file, None)?.line();
            }
            if context.json { eprint!("{lines}") } else { told += &lines }
        }
        std::io::stdout().lock().write_all(told.as_bytes())?;
        Ok(if found.verdict == VerdictKind::Proved { Status::Done } else { Status::Negative })
    }

    /// Studies the game for each value of its parameter.
    fn for_each(
        &self,
        name: &str,
        values: RangeInclusive<i64>,
        context: &Context,
    ) -> Result<Status, CommandError> {
        if self.certificate.is_some() {
            return Err(CommandError::Usage(
                "--certificate with --for NAME=A..B: accepted: --report FILE".into(),
            ));
        }
        let template = Template::parse(&self.game, name)?;
        let format = self.format()?;
        let budget = self.budget.budget(context);
        let settings = Settings { max: self.max, ..Settings::default() };
        let parse = |text: &str| context.catalogue.parse(text);
        let target = RangeTarget {
            template: &template,
            range: values,
            nim_values: self.values,
            play: play(self.misere),
        };
        let found = progress::with_progress(
            context,
            &format!("a study of {}", self.game),
            &budget,
            |budget, tell| study_range(&target, &parse, settings, &budget, tell),
        )?;
        for at in &found.values {
            keep_study(&at.found, context);
        }
        if let (Some(file), Some(format)) = (&self.report, format) {
            write_file(file, bouton_report::range_report(&found, format))?;
        }
        let told = if context.json {
            format!("{}\n", bouton_report::study(&found))
        } else {
            bouton_report::text::range_study(&found)
        };
        std::io::stdout().lock().write_all(told.as_bytes())?;
        Ok(if found.verdict == VerdictKind::Proved { Status::Done } else { Status::Negative })
    }

    /// Refuses what this kind of study has not, and files that cannot be written, before anything
    /// is computed; the format of the report.
    fn refuse(&self, subject: &StudyTarget) -> Result<Option<Format>, CommandError> {
        let wishes = [
            (StudyOption::Max, self.max.is_some()),
            (StudyOption::To, self.to.is_some()),
            (StudyOption::BFile, self.b_file.is_some()),
            (StudyOption::Certificate, self.certificate.is_some()),
        ];
        for (wish, _) in wishes.into_iter().filter(|(_, wished)| *wished) {
            subject.supports(wish).map_err(|why| {
                CommandError::Usage(format!("--{wish} for {}: {why}", subject.name()))
            })?;
        }
        self.format()
    }

    /// Returns the format of the report. Fails if its file cannot be written.
    fn format(&self) -> Result<Option<Format>, CommandError> {
        let format = match &self.report {
            Some(file) => Some(Format::from_path(file).ok_or_else(|| {
                CommandError::Usage(format!(
                    "--report {}: the name ends in {}",
                    file.display(),
                    Format::EXTENSIONS
                ))
            })?),
            None => None,
        };
        [&self.report, &self.b_file, &self.certificate, &self.automaton]
            .into_iter()
            .flatten()
            .try_for_each(|f| writable(f))?;
        Ok(format)
    }
}

/// Keeps the theorems of a study; tells if they cannot be kept, which is no fault of the proof.
fn keep_study(found: &bouton_study::Study, context: &Context) {
    let parse = |name: &str| context.catalogue.parse(name).ok().map(|named| named.game);
    if let Err(why) = context.theorems().keep_study(found, &parse) {
        eprintln!("the theorems are not kept: {why}");
    }
}

/// Returns the name of a file with a number: `h-2.cert`.
fn numbered(file: &Path, number: usize) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
    file.with_file_name(format!("{stem}-{number}{}", ending.unwrap_or_default()))
}

/// Returns whether a file can be written, which stays as it is.
fn writable(file: &Path) -> Result<(), CommandError> {
    let existed = file.exists();
    std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(file)
        .map_err(|error| CommandError::File(file.display().to_string(), error))?;
    if !existed {
        // Made by the line above; a study may end without anything to write there.
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

impl From<RangeError> for CommandError {
    fn from(error: RangeError) -> CommandError {
        match error {
            RangeError::Study(error) => error.into(),
            RangeError::At(_, StudyTargetError::Notation(error)) => error.into(),
            error => CommandError::Usage(error.to_string()),
        }
    }
}

impl From<StudyTargetError> for CommandError {
    fn from(error: StudyTargetError) -> CommandError {
        match error {
            StudyTargetError::Notation(error) => error.into(),
            error => CommandError::Usage(error.to_string()),
        }
    }
}

impl From<StudyError> for CommandError {
    fn from(error: StudyError) -> CommandError {
        match error {
            StudyError::Notation(error) => error.into(),
            error => CommandError::Usage(error.to_string()),
        }
    }
}
