//! `bouton prove`: P-positions for all heap sizes, or the least counterexample.

use super::logic::{Program, exported};
use super::proof_file::ProofFile;
use super::{convention, keep, keep_positions, normal_values, play};
use crate::Status;
use crate::context::Context;
use crate::error::CommandError;
use crate::progress;
use bouton_certificate::SealedCertificate;
use bouton_core::{Budget, DigitSystem, Formula, Meter, NotationError, Play};
use bouton_engine::Game;
use bouton_kotzig::{KotzigFamily, settle_circles};
use bouton_prover::parametric::ParametricClaim;
use bouton_prover::{Acceptor, AcceptorError, MoveSystem, Numeration, default_budget, theorem};
use bouton_report::answers::OutcomeLetter;
use bouton_report::answers::verdict::{ParametricCounterexample, ParametricVerdict};
use bouton_study::{
    ClaimStatement, Findings, Form, ParametricSettled, Proved, Settings, SmallerBoard, StudyTarget,
    ValuePlace, Verdict, VerdictKind, as_it_stands, parametric_game, settle_automaton, settle_form,
    settle_parametric, stated_in, study, value_claim, with_value,
};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Prove a form of the P-positions for all heap sizes, or find the least counterexample
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton prove 'CN(6,3)' --claim 'a+b=d+e & b+c=e+f'
  bouton prove 'nim(5)' --claim 'xor = 0' --certificate nim.cert
  bouton prove 'SCN(4,2)' --claim 'a=c & b=d & a!=b' --for-fewer-heaps '3: a=b=c'
  bouton prove 'CN(6,4)'
  bouton prove 'S(1,3,4)'
  bouton prove 'nim(4)' --misere --claim 'max >= 2 & xor = 0 | max <= 1 & xor = 1'
  bouton prove 'CN(6,3)' --export mona
  bouton prove 'CN(6,3)' --export coq=CN63.v
  bouton prove 'simplicial(1,2;3)' --values 'v = (a+b) xor c'
  bouton prove 'nim(2)' --claim-automaton equal.txt
  bouton prove 'Gamma(1,2;n)'
  bouton prove 'Gamma(1,-2;n)'
  bouton prove 'S(1,h)' --claim 'a mod 2 = 0' --where 'h >= 1 & h mod 2 = 1'
  bouton prove 'S(L..M)' --claim 'a mod (L+M) < L' --where 'L >= 1 & M >= L' -o ranges.cert
  bouton prove 'Gamma(1,3;n)' --claim 'n mod 6 = 1 | n mod 6 = 3' --certificate 13.cert

The claim is meant up to the symmetry of the game. Without --claim, every published form is tried.
The file of an automaton that accepts a = b:

  msd_2 msd_2

  0 1
  0 0 -> 0
  1 1 -> 0")]
pub struct Prove {
    /// A game on a fixed number of heaps: nim(n), moore(b;n), S(…;n), wythoff, CN(n,k…), SCN(n,k),
    /// NIM(…;n;d,e), a rule file; or Gamma(m1,m2;n) for circles of every size, with a minus for
    /// steps backwards
    game: String,
    /// The claimed P-positions: a formula over the heaps a, b, c, …; for Gamma(m1,m2;n) over n; or
    /// of two heaps pairs by mex, such as `a = mex, b = a + n`
    #[arg(long, value_name = "FORMULA")]
    claim: Option<String>,
    /// The game has letters for numbers, as S(1,h), S(L..M) and NIM(1,L;n;d,e): prove the claim for
    /// all values of them that satisfy this. The claim is a formula over the letters and the heap
    /// a, or n, d, e, with `mod` and `div` by numbers and expressions in the letters
    #[arg(long = "where", value_name = "CONDITION", requires = "claim",
        conflicts_with_all = ["for_fewer_heaps", "no_symmetry", "misere", "export", "steps"])]
    condition: Option<String>,
    /// A file with the formula; lines such as `3: a=b=c` act as --for-fewer-heaps, and # begins a
    /// comment
    #[arg(long, value_name = "FILE", conflicts_with = "claim")]
    claim_file: Option<PathBuf>,
    /// A file with an automaton that accepts the P-positions, in Walnut's format: `msd_2` for each
    /// heap, `msd_3` to `msd_10` for digits to another base, `msd_fib` for those of Zeckendorf
    /// (`msd_fib3` to `msd_fib10` to another base than 2), `msd_trib` for those of Tribonacci, or
    /// `msd_by_3_2` for those whose weights are each 3 times the one before and 2 times the one
    /// before that (`msd_by_3_then_2` if this goes on so, with 1 more), `msd_pell`, or digits of
    /// Ostrowski that Walnut's command `ost NAME [0 3 1] [1 2];` on the first line defines; then the states, `0 1` if state 0 accepts and `0 0` if not, each with its
    /// transitions `0 1 -> 2`. Digits are read most significant first; a missing transition
    /// rejects; # begins a comment
    #[arg(long, value_name = "FILE", conflicts_with_all = ["claim", "claim_file", "values",
        "for_fewer_heaps", "no_symmetry", "export"])]
    claim_automaton: Option<PathBuf>,
    /// Prove nim-values instead: a formula over the heaps and v, such as `v = (a+b) xor c`, that
    /// holds if and only if v is the nim-value
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["claim", "claim_file", "for_fewer_heaps",
        "misere"])]
    values: Option<String>,
    /// The P-positions with fewer heaps, such as `3: a=b=c`; by default only the empty position
    #[arg(long, value_name = "N: FORMULA", alias = "smaller")]
    for_fewer_heaps: Vec<SmallerBoard>,
    /// Take the claim as it stands, not up to the symmetry of the game
    #[arg(long, alias = "exactly", conflicts_with = "certificate")]
    no_symmetry: bool,
    /// Misère play: the player who cannot move wins
    #[arg(long)]
    misere: bool,
    /// Print the statement for another program instead of proving it: mona, smt or walnut. Or prove
    /// it, and write a theorem for Coq: coq=FILE.v
    #[arg(long, value_parser = Target::read, value_name = "PROGRAM",
        conflicts_with = "certificate")]
    export: Option<Target>,
    /// Write the proof to a file that `bouton check` verifies
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write into a file as its ending says: the proof as .cert for `bouton check` or as .v, a
    /// theorem for Coq; or the answer as .json or .txt, or the statement of --export as .txt
    #[arg(short, long, value_name = "FILE", conflicts_with = "certificate")]
    pub output: Option<PathBuf>,
    /// Take at most N steps of automata; the verdict is then "unknown"
    #[arg(long, visible_alias = "nodes", value_name = "N", value_parser = super::number::<u64>)]
    steps: Option<u64>,
    /// Hold at most MB megabytes of automata
    #[arg(long, value_name = "MB", value_parser = super::number::<u64>, default_value_t = 2048)]
    memory: u64,
}

/// What a statement is written down for.
#[derive(Debug, Clone)]
enum Target {
    /// A program that decides it.
    Program(Program),
    /// Coq, into a file.
    Coq(PathBuf),
}

impl Target {
    fn read(text: &str) -> Result<Target, String> {
        match text.strip_prefix("coq=") {
            Some(file) if file.ends_with(".v") => Ok(Target::Coq(file.into())),
            Some(_) => Err("the file's name should end with .v".into()),
            None => Program::from_str(text, true)
                .map(Target::Program)
                .map_err(|_| "one of mona, smt, walnut, coq=FILE.v is expected".into()),
        }
    }
}

impl Prove {
    /// Settles the claim for all values of the game's letters.
    fn for_all(
        &self,
        condition: &str,
        claim: &str,
        context: &Context,
    ) -> Result<Status, CommandError> {
        let game = parametric_game(&self.game)?;
        let claim = ParametricClaim::parse(&game, condition, claim)?;
        let started = Instant::now();
        // Without a limit a search among fractions may go on for ever.
        let budget = Budget { nodes: Some(5_000_000), ..context.budget_anew() };
        let settled = progress::with_progress(context, &self.game, &budget, |budget, _| {
            settle_parametric(&claim, &budget)
        });
        let names = game.parameters().join(" and ");
        let statement = format!(
            "for all {names} with {}, a position of {} is P iff {}",
            claim.condition(),
            game.name(),
            claim.form()
        );
        let (verdict, mut told) = match &settled {
            ParametricSettled::Proved(_) => (VerdictKind::Proved, format!("Proved: {statement}\n")),
            ParametricSettled::Refuted { parameters, position, is_p } => {
                let values = game.parameters().iter().zip(parameters);
                let values: Vec<String> =
                    values.map(|(name, value)| format!("{name} = {value}")).collect();
                let position: Vec<String> = position.iter().map(ToString::to_string).collect();
                let outcome = if *is_p { "P" } else { "N" };
                (
                    VerdictKind::Refuted,
                    format!(
                        "Refuted: with {} the position {} is {outcome}\n",
                        values.join(", "),
                        position.join(",")
                    ),
                )
            }
            ParametricSettled::Unknown(why) => (
                VerdictKind::Unknown,
                format!("Unknown: not proved, and true of small values ({why})\n"),
            ),
        };
        told += &format!("({:.2} s)\n", started.elapsed().as_secs_f64());
        if context.json {
            let counterexample = match &settled {
                ParametricSettled::Refuted { parameters, position, is_p } => {
                    let outcome = if *is_p { OutcomeLetter::P } else { OutcomeLetter::N };
                    Some(ParametricCounterexample { parameters, position, outcome })
                }
                _ => None,
            };
            let (condition, claim) = (claim.condition().to_string(), claim.form().to_string());
            let answer =
                ParametricVerdict { game: game.name(), condition, claim, verdict, counterexample };
            told = bouton_report::to_json(&answer) + "\n";
        }
        if let Some(file) = &self.certificate {
            let certificate = match &settled {
                ParametricSettled::Proved(certificate) => Some(certificate.as_str()),
                _ => None,
            };
            let proof = ProofFile::write(file, certificate)?;
            if context.json { eprint!("{}", proof.line()) } else { told += &proof.line() }
        }
        context.out().write_all(told.as_bytes())?;
        let is_proved = matches!(settled, ParametricSettled::Proved(_));
        Ok(if is_proved { Status::Done } else { Status::Negative })
    }

    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        let play = convention(context, &mut self.game, &mut self.misere)?;
        normal_values(&self.game, play, self.values.is_some())?;
        if let Some(file) = self.output.take_if(|file| super::is_proof(file)) {
            if self.export.is_some() {
                let message = format!("{}: --export writes no proof", file.display());
                return Err(CommandError::Usage(message));
            }
            self.certificate = Some(file);
        }
        let is_json = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "json");
        if matches!(self.export, Some(Target::Program(..)))
            && let Some(file) = self.output.as_ref().filter(|file| is_json(file))
        {
            return Err(CommandError::Usage(format!(
                "{}: --export writes the statement: the file's name must end in .txt",
                file.display()
            )));
        }
        if matches!(self.export, Some(Target::Program(..))) && context.json {
            let message = "--export writes the statement: accepted: one of --export and --json";
            return Err(CommandError::Usage(message.into()));
        }
        if let Some(Target::Coq(file)) = &self.export {
            self.certificate = Some(file.clone());
            self.export = None;
        }
        if let Some(family) =
            KotzigFamily::parse(&self.game).ok().filter(|family| !family.names().is_empty())
        {
            return self.circles(&family, context);
        }
        if let (Some(condition), Some(claim)) = (&self.condition, &self.claim) {
            return self.for_all(condition, claim, context);
        }
        if let Some(file) = &self.claim_automaton {
            return self.automaton(file, context);
        }
        let mut named = super::game_alone(context, &self.game)?;
        // A game on any number of heaps of which one at a time is played: its claims are about one
        // heap.
        if named.game.heap_game().is_none() && named.game.heap_moves().is_some() {
            let asked = self.claim.is_some() || self.claim_file.is_some() || self.values.is_some();
            if !asked && !self.misere && self.export.is_none() {
                return self.by_period(context);
            }
            if let Ok(one) = context.catalogue.parse(&one_heap(&named.game.name()))
                && one.game.heap_game().is_some()
            {
                named = one;
            }
        }
        let valued = self
            .values
            .as_ref()
            .map(|text| format!("the nim-value v of {}: {text}", named.game.name()));
        if self.values.is_some() {
            named.game =
                with_value(&*named.game).map_err(|error| CommandError::Usage(error.to_string()))?;
        }
        let forms = self.asked_forms(&*named.game, play)?;
        if let Some(Target::Program(program)) = &self.export {
            let (mut game, numeration) = stated_in(play, &*named.game)?;
            if self.no_symmetry {
                as_it_stands(&mut game);
            }
            return export(context, &game, &forms, numeration, *program);
        }
        self.settle_forms(context, &*named.game, play, forms, valued)
    }

    /// Returns the forms to prove: those given, or those published for the game.
    fn asked_forms(&self, game: &dyn Game, play: Play) -> Result<Vec<Form>, CommandError> {
        let name = game.name();
        let forms = match &self.values {
            Some(text) => {
                let place = game
                    .heap_game()
                    .map_or(ValuePlace::behind(0), |stated| ValuePlace::in_sum(&stated));
                let whole = value_claim(text, place)
                    .map_err(|error| CommandError::Formula(text.clone(), error))?;
                vec![Form { whole, exactly: self.no_symmetry, ..Form::default() }]
            }
            None => self.forms(&name)?,
        };
        if forms.is_empty() {
            return Err(CommandError::Usage(format!(
                "no form of the P-positions of {name} is published for {play} play; give one with \
                 --claim"
            )));
        }
        if self.certificate.is_some() && forms.len() > 1 {
            return Err(CommandError::Usage(format!(
                "{} forms are published, and a certificate holds one; select it with --claim",
                forms.len()
            )));
        }
        Ok(forms)
    }

    /// Proves or refutes each form, and prints the verdicts; `valued` says what a form of
    /// nim-values is about.
    fn settle_forms(
        &self,
        context: &Context,
        game: &dyn Game,
        play: Play,
        forms: Vec<Form>,
        valued: Option<String>,
    ) -> Result<Status, CommandError> {
        let (name, json) = (game.name(), context.json);
        let bytes = Some(self.memory.saturating_mul(1 << 20));
        let budget = Budget { nodes: self.steps, bytes, ..context.budget() };
        let published = self.claim.is_none() && self.claim_file.is_none() && self.values.is_none();
        let (mut ending, mut values) = (Status::Done, Vec::new());
        for form in forms {
            let started = Instant::now();
            let settled = settle_form(game, &form, &budget)?;
            let seconds = started.elapsed().as_secs_f64();
            let proof = self.write_proof(&settled, &mut ending)?;
            match &settled {
                Verdict::Proved(Proved::Theorem(theorem)) => {
                    keep(context, game, &form, &theorem.certificate);
                }
                _ => ending = Status::Negative,
            }
            let about = if self.misere { format!("{name}, misère play") } else { name.clone() };
            if json {
                values.push(verdict_json(
                    &name,
                    play,
                    &form.whole,
                    &settled,
                    seconds,
                    proof.as_ref(),
                ));
            } else {
                let about = valued.clone().unwrap_or_else(|| statement(&about, &form));
                tell(context, &about, &settled, seconds, proof.as_ref())?;
            }
        }
        // One form of one's own is a value, the published ones are a list.
        match values.as_slice() {
            [value] if !published => writeln!(context.out(), "{value}")?,
            _ if json => writeln!(context.out(), "[{}]", values.join(","))?,
            _ => {}
        }
        Ok(ending)
    }

    /// Writes what was proved into the file for it, if one is given; a proof that is not written
    /// makes the ending negative.
    fn write_proof(
        &self,
        settled: &Verdict,
        ending: &mut Status,
    ) -> Result<Option<ProofFile>, CommandError> {
        let (Some(file), Some(theorem)) = (&self.certificate, settled.theorems().first()) else {
            return Ok(None);
        };
        let proof = ProofFile::write(file, Some(theorem.certificate.as_str()))?;
        if !proof.is_written() {
            *ending = Status::Negative;
        }
        Ok(Some(proof))
    }

    /// Tells the P-positions of a single heap, from a proved period of the nim-values.
    fn by_period(&self, context: &Context) -> Result<Status, CommandError> {
        let refused = [
            (!self.for_fewer_heaps.is_empty(), "--for-fewer-heaps"),
            (self.no_symmetry, "--no-symmetry"),
        ];
        if let Some((_, option)) = refused.iter().find(|(given, _)| *given) {
            return Err(CommandError::Usage(format!(
                "{option} is about a claim, and a period says which single heaps are P; give \
                 --claim, or leave {option} out"
            )));
        }
        let subject = StudyTarget::read(&self.game, false, Play::Normal, |text| {
            context.catalogue.parse(text)
        })?;
        let bytes = Some(self.memory.saturating_mul(1 << 20));
        let budget = Budget { nodes: self.steps, bytes, ..context.budget() };
        let settings = Settings { published: &bouton_literature::published, ..Settings::default() };
        let found = progress::with_progress(
            context,
            &format!("a period of {}", self.game),
            &budget,
            |budget, tell| study(&subject, settings, &budget, tell),
        )?;
        let heap = match &found.findings {
            Findings::Theory(theory) => theory.single_heap(),
            _ => None,
        };
        let Some(heap) = heap else {
            return Err(CommandError::Usage(format!(
                "{} is not played in single heaps; give --claim",
                self.game
            )));
        };
        let (certificate, proved) = (found.certificate(), heap.is_proved);
        let certificate = certificate.map(SealedCertificate::as_str);
        let proof = self
            .certificate
            .as_ref()
            .map(|file| ProofFile::write(file, certificate))
            .transpose()?;
        let is_missing = proof.as_ref().is_some_and(|proof| !proof.is_written());
        let mut out = context.out();
        if context.json {
            writeln!(out, "{}", bouton_report::study(&found))?;
        } else {
            let lead = if proved { "proved for all heap sizes" } else { "not proved" };
            let said =
                heap.p_positions.unwrap_or_else(|| "no form of the P-positions in a line".into());
            writeln!(out, "{lead}: one heap of {}: {said}", subject.name())?;
            if let Some(period) = &heap.period {
                writeln!(out, "  nim-values have {period}; several heaps add as nim-values")?;
            }
            match &proof {
                Some(proof) => writeln!(out, "  {proof}")?,
                None if certificate.is_some() => tell_file(None, &mut out)?,
                None => {}
            }
        }
        if let Some(proof) = proof.filter(|_| context.json && is_missing) {
            eprint!("{}", proof.line());
        }
        Ok(if proved && !is_missing { Status::Done } else { Status::Negative })
    }

    /// Settles the claim that an automaton makes.
    fn automaton(&self, file: &Path, context: &Context) -> Result<Status, CommandError> {
        let named = super::game_alone(context, &self.game)?;
        let name = named.game.name();
        let heaps = named.game.heap_game().map(|stated| stated.heaps);
        let heaps = heaps.ok_or_else(|| {
            CommandError::Usage(format!(
                "{name} is not a game on a fixed number of heaps whose moves are stated as a \
                 formula"
            ))
        })?;
        let shown = file.display().to_string();
        let text = std::fs::read_to_string(file)
            .map_err(|error| CommandError::File(shown.clone(), error))?;
        let claim =
            Acceptor::parse(&text, heaps).map_err(|error| in_line(&shown, &text, &error))?;
        let bytes = Some(self.memory.saturating_mul(1 << 20));
        let budget = Budget { nodes: self.steps, bytes, ..context.budget() };
        let (started, play) = (Instant::now(), play(self.misere));
        let settled = settle_automaton(&*named.game, play, &claim, &budget)?;
        let seconds = started.elapsed().as_secs_f64();
        let mut ending = match &settled {
            Verdict::Proved(Proved::Theorem(theorem)) => {
                keep_positions(context, &*named.game, play, &theorem.certificate);
                Status::Done
            }
            _ => Status::Negative,
        };
        let proof = self.write_proof(&settled, &mut ending)?;
        let states = claim.states();
        let digits = match claim.digits {
            binary if binary == DigitSystem::to_base(2) => String::new(),
            other => format!(", {other}"),
        };
        let many = if states == 1 { "" } else { "s" };
        let said = format!("the automaton of {shown} accepts{digits}, {states} state{many}");
        if context.json {
            let value = verdict_json(&name, play, &said, &settled, seconds, proof.as_ref());
            writeln!(context.out(), "{value}")?;
        } else {
            let about = if self.misere { format!("{name}, misère play") } else { name.clone() };
            tell(context, &format!("{about}: P iff {said}"), &settled, seconds, proof.as_ref())?;
        }
        Ok(ending)
    }

    /// Settles a claim on Kotzig's Nim on circles of every size.
    fn circles(&self, family: &KotzigFamily, context: &Context) -> Result<Status, CommandError> {
        let refused = [
            (!self.for_fewer_heaps.is_empty(), "--for-fewer-heaps"),
            (self.no_symmetry, "--no-symmetry"),
            (self.export.is_some(), "--export"),
            (self.values.is_some(), "--values"),
            (self.claim_automaton.is_some(), "--claim-automaton"),
            (self.condition.is_some(), "--where"),
        ];
        if let Some((_, option)) = refused.iter().find(|(given, _)| *given) {
            return Err(CommandError::Usage(format!(
                "{option} is about games on heaps; {family} is a family of circles"
            )));
        }
        let claim = match (&self.claim, &self.claim_file) {
            (Some(claim), _) => Some(claim.clone()),
            (_, Some(file)) => Some(
                std::fs::read_to_string(file)
                    .map_err(|error| CommandError::File(file.display().to_string(), error))?
                    .trim()
                    .to_owned(),
            ),
            _ => None,
        };
        let read = |text: &String| {
            Formula::parse_over(text, &["n".to_owned()])
                .map_err(|error| CommandError::Formula(text.clone(), error))
        };
        let formula = claim.as_ref().map(read).transpose()?;
        let bytes = Some(self.memory.saturating_mul(1 << 20));
        let budget = Budget { nodes: self.steps, bytes, ..context.budget() };
        let (started, play) = (Instant::now(), play(self.misere));
        let settled = progress::with_progress(
            context,
            &format!("a proof for {family}"),
            &budget,
            |budget, tell| settle_circles(family, formula.as_ref(), play, &budget, tell),
        )
        .map_err(|error| CommandError::Usage(error.to_string()))?;
        let seconds = started.elapsed().as_secs_f64();
        let theorem = settled.theorems().first();
        if let Some(theorem) = theorem
            && let Err(why) = context.theorems().certificates().keep(theorem)
        {
            eprintln!("the theorem is not kept: {why}");
        }
        let mut ending = if theorem.is_some() { Status::Done } else { Status::Negative };
        let proof = self.write_proof(&settled, &mut ending)?;
        let mut out = context.out();
        let name = family.to_string();
        if context.json {
            let claim =
                claim.or_else(|| theorem.map(|theorem| theorem.text.clone())).unwrap_or_default();
            let value = verdict_json(&name, play, &claim, &settled, seconds, proof.as_ref());
            writeln!(out, "{value}")?;
        } else {
            let about = if self.misere { format!("{name}, misère play") } else { name };
            match (&settled, theorem) {
                (_, Some(theorem)) => {
                    let claim = claim.unwrap_or_else(|| theorem.text.clone());
                    writeln!(out, "proved for every n: {about}: P iff {claim}")?;
                    writeln!(
                        out,
                        "  the independent checker accepts the certificate: {}, {seconds:.2} s",
                        theorem.work
                    )?;
                    tell_file(proof.as_ref(), &mut out)?;
                }
                (Verdict::Refuted(refuted), _) => {
                    let claim = claim.unwrap_or_default();
                    let failure = &refuted.counterexample;
                    writeln!(
                        out,
                        "refuted: {about}: P iff {claim}\n  the least n: {failure}\n  {}",
                        refuted.recheck
                    )?;
                }
                (other, _) => writeln!(out, "{}: {about}\n  {}", other.kind(), other.found())?,
            }
        }
        Ok(ending)
    }

    fn forms(&self, name: &str) -> Result<Vec<Form>, CommandError> {
        let mut forms = match (&self.claim, &self.claim_file) {
            (Some(claim), _) => vec![Form { whole: claim.clone(), ..Form::default() }],
            (_, Some(file)) => {
                let text = std::fs::read_to_string(file)
                    .map_err(|error| CommandError::File(file.display().to_string(), error))?;
                vec![Form::read(&text)]
            }
            _ => published(name, play(self.misere))?,
        };
        for form in &mut forms {
            form.play = play(self.misere);
            form.exactly |= self.no_symmetry;
            form.smaller.extend(self.for_fewer_heaps.iter().cloned());
        }
        Ok(forms)
    }
}

/// Returns the game of this name on one heap: `S(1,3,4;1)`, `kayles(2;1)`.
fn one_heap(name: &str) -> String {
    match name.strip_suffix(')') {
        Some(open) => format!("{open};1)"),
        None => format!("{name}(1)"),
    }
}

/// Returns the fault of a file, at its line.
fn in_line(file: &str, text: &str, error: &AcceptorError) -> CommandError {
    let start = error.at.start.min(text.len());
    let from = text[..start].rfind('\n').map_or(0, |feed| feed + 1);
    let line = text[from..].lines().next().unwrap_or("");
    let at = start - from
        ..(error.at.end.min(text.len()).max(start) - from).min(line.len()).max(start - from);
    let number = text[..from].matches('\n').count() + 1;
    CommandError::Notation(NotationError {
        text: line.into(),
        at,
        message: format!("{file}, line {number}: {}", error.why),
        accepted: "an automaton in Walnut's text: `bouton prove --help` has one".into(),
    })
}

/// Prints what is to be proved for another program.
fn export(
    context: &Context,
    game: &MoveSystem,
    forms: &[Form],
    numeration: Numeration,
    program: Program,
) -> Result<Status, CommandError> {
    let mut out = context.out();
    for form in forms {
        let claims = form.claims(game)?;
        let sentence = theorem(game, &claims[claims.len() - 1], &mut Meter::new(&default_budget()))
            .map_err(|error| CommandError::Usage(error.to_string()))?;
        write!(out, "{}", exported(&sentence, numeration, program)?)?;
    }
    Ok(Status::Done)
}

/// Returns the published forms of the P-positions.
fn published(name: &str, play: Play) -> Result<Vec<Form>, CommandError> {
    let forms =
        bouton_literature::claims_about(name)?.into_iter().filter_map(|claim| match claim.says {
            ClaimStatement::PPositions(form) if form.play == play => Some(form),
            _ => None,
        });
    Ok(forms.collect())
}

/// Returns the claim in a line.
fn statement(name: &str, form: &Form) -> String {
    let up_to = if form.exactly { "as it stands" } else { "up to symmetry" };
    format!("{name}: P iff {}, {up_to}", form.whole)
}

/// Returns a verdict as JSON, with the file of the certificate; of a file that is not written
/// standard error tells why.
fn verdict_json(
    name: &str,
    play: Play,
    claim: &str,
    settled: &Verdict,
    seconds: f64,
    proof: Option<&ProofFile>,
) -> String {
    let file = match proof {
        Some(ProofFile::Certificate(file)) => Some(file.as_str()),
        Some(missing @ ProofFile::Missing(..)) => {
            eprint!("{}", missing.line());
            None
        }
        _ => None,
    };
    bouton_report::to_json(&bouton_report::proof_verdict(name, play, claim, settled, seconds, file))
}

/// Prints where a proof is, or how to have its certificate.
fn tell_file(proof: Option<&ProofFile>, out: &mut impl Write) -> std::io::Result<()> {
    if !matches!(proof, Some(ProofFile::Certificate(_))) {
        writeln!(out, "  --certificate FILE writes the proof down for bouton check")?;
    }
    proof.map_or(Ok(()), |proof| writeln!(out, "  {proof}"))
}

/// Prints the verdict on a claim.
fn tell(
    context: &Context,
    claim: &str,
    settled: &Verdict,
    seconds: f64,
    proof: Option<&ProofFile>,
) -> Result<(), CommandError> {
    let mut out = context.out();
    match settled {
        Verdict::Proved(Proved::Theorem(theorem)) => {
            writeln!(out, "proved for all heap sizes: {claim}")?;
            writeln!(
                out,
                "  {}; the independent checker accepts the certificate, {seconds:.2} s",
                theorem.size
            )?;
            tell_file(proof, &mut out)?;
        }
        Verdict::Refuted(refuted) => {
            let least = if refuted.least { "least counterexample" } else { "counterexample" };
            writeln!(
                out,
                "refuted: {claim}\n  {least}: {}\n  {}",
                refuted.counterexample, refuted.recheck
            )?;
        }
        other => writeln!(out, "{}: {claim}\n  {}", other.kind(), other.found())?,
    }
    Ok(())
}
