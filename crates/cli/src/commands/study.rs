//! `bouton study`: the whole line for one game: rules, table, conjecture, larger table, proof; and what is published.

mod report;

use super::{BudgetArgs, called, cash, family, listed, play};
use crate::context::Context;
use crate::fault::Fault;
use crate::{Status, analysis, progress};
use bouton_conjecture::Fit;
use bouton_logic::MAX_CLAIM_HEAPS;
use bouton_rules::{HeapGame, Play, Symmetry};
use bouton_solve::{Game, Kind, Settings};
use bouton_study::{Board, Comparison, Disagreement, Ending, Line, Round, Says, Tables, compare, follow};
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Study a game: table, conjecture, larger table, proof, and what is published
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton study 'CN(6,3)'\n  bouton study 'SCN(5,2)' --report scn.html --certificate scn.cert\n  bouton study 'simplicial(1,2,3;3,4;4,1)'\n  bouton study 'Gamma(1,4;n)' --to 80\n  bouton study kayles\n  bouton study 'Gamma(1,4;23)' --json\n  bouton study 'CN(9,7)' --seconds 300"
)]
pub struct Study {
    /// The game
    game: String,
    /// The largest heap of the tables; by default they grow until a form stands or the seconds are gone (--seconds, 20 if
    /// not given)
    #[arg(long, value_name = "M")]
    max: Option<u32>,
    /// Of a family as Gamma(1,4;n): the greatest value of its parameter
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(i64).range(1..))]
    to: i64,
    /// Of a game played in single heaps: write the nim-values to this file, as an OEIS b-file
    #[arg(long, value_name = "FILE")]
    b_file: Option<PathBuf>,
    /// Misère play: who cannot move wins
    #[arg(long)]
    misere: bool,
    /// Also write a report: statement, tables, timings, and what makes them again
    #[arg(long, value_name = "FILE.html|.tex|.json")]
    report: Option<String>,
    /// Write the proof to a file that `bouton check` verifies
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Nodes for each game of a family where no budget is given.
const FAMILY_NODES: u64 = 100_000_000;

/// P-positions that are shown.
const SHOWN: usize = 12;

impl Study {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let as_json = context.json;
        if let Some(family) = family::parse(&self.game) {
            return family::run(
                &family,
                self.to,
                self.budget.budget(context).nodes.unwrap_or(FAMILY_NODES),
                as_json,
            );
        }
        if let Some(study) = cash::Study::of(&self.game, self.misere)? {
            return study.run(context, &self.budget.budget(context));
        }
        let named = bouton_games::parse(&self.game)?;
        let game = &*named.game;
        let play = play(self.misere);
        let budget = self.budget.budget(context);
        let alone = named.position.is_none() && game.heap_game().is_none() && play == Play::Normal;
        if let Some(moves) = game.heap_moves().filter(|_| alone) {
            return super::study_sequence::run(context, game, &moves, &budget, self.b_file.as_deref());
        }
        let mut out = std::io::stdout().lock();
        let mut report = bouton_report::studied(game, play);
        let mut ending = Status::Done;
        let mut studied = None;
        if !as_json {
            writeln!(out, "{}\n  {}\n", game.name(), game.describe())?;
        }
        if let Some(stated) = game.heap_game().filter(|stated| stated.heaps <= MAX_CLAIM_HEAPS) {
            let line = progress::told(context, "a study", &budget, |budget, tell| {
                let usual = Tables::new(game, &stated, play, tell);
                let patience = budget.deadline.map_or(usual.patience, |deadline| deadline.left());
                let proof = bouton_rules::Budget {
                    deadline: budget.deadline,
                    watch: budget.watch.clone(),
                    ..usual.proof.clone()
                };
                follow(&Tables { budget, max: self.max, patience, proof, ..usual })
            });
            let certificate = self.certify(&line)?;
            if !matches!(line.ending, Ending::Proved(_) | Ending::Holds(_)) {
                ending = Status::Negative;
            }
            report = bouton_report::study(game, play, &line);
            report["certificate"] = json!(certificate);
            if !as_json {
                print_line(&mut out, game, play, &stated, &line)?;
                if let Some(file) = certificate {
                    writeln!(out, "Certificate: {file} (bouton check {file})\n")?;
                }
            }
            let published = bouton_ledger::claims_about(&game.name())?;
            let comparisons = compare(published, play, &stated, &line)?;
            if comparisons.iter().any(|c| c.disagreement.is_some()) {
                ending = Status::Negative;
            }
            report["published"] = comparisons.iter().map(bouton_report::comparison).collect();
            if !as_json {
                print_comparisons(&mut out, play, &comparisons)?;
            }
            studied = Some(line);
        } else if self.certificate.is_some() {
            return Err(Fault::Usage(format!(
                "--certificate: {} is not a game on a fixed, small number of heaps",
                game.name()
            )));
        }
        if let Some(start) = named.position.or_else(|| game.start()) {
            let how = Settings { play, budget: budget.clone(), ..Settings::default() };
            let found = progress::watched(context, &format!("solving {}", game.name()), &budget, |budget| {
                game.session(Settings { budget, ..how }).analyse(&start)
            })?;
            if found.spent.is_some() {
                ending = Status::Negative;
            }
            report["start"] = analysis::to_json(game, play, &found);
            if !as_json {
                writeln!(out, "From {start}: {}", analysis::verdict(play, &found))?;
                let winning: Vec<&str> = found
                    .moves
                    .iter()
                    .filter(|m| analysis::is_winning(&found, m))
                    .map(|m| m.text.as_str())
                    .collect();
                if !winning.is_empty() {
                    writeln!(out, "  by {}", winning.join("; "))?;
                }
                writeln!(out, "  {} nodes, {:.3} s\n", found.nodes, found.seconds)?;
            }
        }
        if game.kind() == Kind::Impartial && play == Play::Normal && game.single(0).is_some() {
            let mut values = Vec::new();
            let started = Instant::now();
            let end = game
                .session(Settings { budget, ..Settings::default() })
                .values(100, &mut |_, v| values.push(v.0));
            report["values"] = json!(values);
            if !as_json {
                writeln!(out, "Nim-values of single heaps 0..{}", values.len().saturating_sub(1))?;
                for chunk in values.chunks(20) {
                    let line: Vec<String> = chunk.iter().map(u32::to_string).collect();
                    writeln!(out, "  {}", line.join(" "))?;
                }
                writeln!(out, "  {:.3} s\n", started.elapsed().as_secs_f64())?;
            }
            if let Some(Err(spent)) = end {
                report["unknown"] = spent.to_string().into();
                ending = Status::Negative;
            }
        }
        if let Some(path) = &self.report {
            let line = studied.ok_or_else(|| {
                Fault::Usage(format!("--report: {} is not a game on a fixed number of heaps", game.name()))
            })?;
            let (name, rules) = (game.name(), game.describe());
            report::Report { game: &name, rules: &rules, play, line: &line, value: &report }.write(path)?;
        }
        if as_json {
            writeln!(out, "{report}")?;
        }
        Ok(ending)
    }
}

impl Study {
    /// Writes the certificate that is asked for, if there is a proof; where it lies.
    fn certify(&self, line: &Line) -> Result<Option<String>, Fault> {
        let (Some(path), Ending::Proved(theorem)) = (&self.certificate, &line.ending) else {
            return Ok(None);
        };
        let file = path.display().to_string();
        std::fs::write(path, &theorem.certificate).map_err(|error| Fault::File(file.clone(), error))?;
        Ok(Some(file))
    }
}

fn text(position: &[u64]) -> String {
    let heaps: Vec<String> = position.iter().map(u64::to_string).collect();
    if heaps.is_empty() { "0".into() } else { heaps.join(",") }
}

fn print_line(
    out: &mut impl Write,
    game: &dyn Game,
    play: Play,
    stated: &HeapGame,
    line: &Line,
) -> Result<(), Fault> {
    let name = game.name();
    for board in &line.boards {
        if line.boards.len() > 1 {
            writeln!(out, "{} heaps left", board.heaps)?;
        }
        if let Some(table) = &board.table {
            let shown: Vec<String> = table.classes().take(SHOWN).map(|p| listed(&p)).collect();
            writeln!(
                out,
                "P-positions up to symmetry: {}{}",
                shown.join("  "),
                if table.class_count() > SHOWN { " …" } else { "" }
            )?;
        }
        for round in &board.rounds {
            print_round(out, board.heaps, round)?;
        }
        if let Some(trouble) = &board.trouble {
            writeln!(out, "  no larger table: {trouble}")?;
        }
        writeln!(out)?;
    }
    for sent_back in &line.sent_back {
        writeln!(out, "The prover sent a form back: {sent_back}")?;
    }
    let forms: Vec<String> =
        line.boards.iter().rev().filter_map(|board| board.standing()).map(|r| r.form.clone()).collect();
    let up_to = if stated.symmetry == Symmetry::None { "" } else { ", up to symmetry" };
    match &line.ending {
        Ending::Proved(theorem) => {
            let proof = &theorem.proof;
            writeln!(out, "Proved for all heap sizes: P iff {}{up_to}", forms[0])?;
            let parts: usize = proof.parts.iter().map(Vec::len).sum();
            writeln!(
                out,
                "  {} cases, {parts} parts, {} sets, {:.2} s",
                proof.cases,
                proof.sets(),
                line.proof_seconds
            )?;
            let mut claims = line.boards.iter().rev().filter_map(|b| Some((b.heaps, b.standing()?.claim())));
            let claim = claims.next().map_or_else(String::new, |(_, claim)| claim);
            let smaller: Vec<String> =
                claims.map(|(heaps, form)| format!(" --smaller '{heaps}: {form}'")).collect();
            let misere = if play == Play::Misere { " --misere" } else { "" };
            writeln!(
                out,
                "  again: {} prove '{name}' --claim '{claim}'{}{misere}",
                called(&name),
                smaller.concat()
            )?;
        }
        Ending::Holds(why) => {
            let to = line.boards.iter().map(Board::holds_to).min().unwrap_or(0);
            writeln!(out, "Holds for heaps up to {to}: P iff {}{up_to}\n  not proved: {why}", forms[0])?;
        }
        Ending::Refuted(found, recheck) => {
            writeln!(out, "Refuted beyond the tables: P iff {}{up_to}\n  {found}", forms[0])?;
            let recheck = recheck.as_deref().unwrap_or("not re-checked: too many positions below it");
            writeln!(out, "  {recheck}")?;
        }
        Ending::NoForm => writeln!(out, "No form found.")?,
    }
    writeln!(out)?;
    Ok(())
}

fn print_round(out: &mut impl Write, heaps: usize, round: &Round) -> Result<(), Fault> {
    let found = &round.found;
    writeln!(
        out,
        "  table of heaps up to {} ({:.2} s): {} classes of P-positions",
        round.max, round.table_seconds, found.classes
    )?;
    let took = format!("({:.2} s)", round.search_seconds);
    match found.fit() {
        Fit::Whole => writeln!(out, "  conjecture {took}: P iff {}", round.form)?,
        Fit::TooLittle if found.missed_count > 0 => writeln!(
            out,
            "  not enough data {took}: too few classes for any form; one needs heaps up to about {}",
            found.needs(heaps, round.max)
        )?,
        Fit::TooLittle => writeln!(
            out,
            "  not enough data {took}: {} says as much as the table does; a form needs heaps up to about {}",
            round.form,
            found.needs(heaps, round.max)
        )?,
        Fit::Partial => {
            writeln!(
                out,
                "  no form found {took}; the best misses {} of {} classes and names no N-position:",
                found.missed_count, found.classes
            )?;
            writeln!(out, "    {}", round.form)?;
            if found.cut.is_some() {
                writeln!(out, "    (the search was cut short: with more time there might be more)")?;
            }
            let missed: Vec<String> = found.missed.iter().take(6).map(|p| listed(p)).collect();
            writeln!(
                out,
                "    missed: {}{}",
                missed.join("  "),
                if found.missed_count > 6 { " …" } else { "" }
            )?;
        }
    }
    match &round.checked {
        Some((max, None)) => writeln!(out, "  agrees with every position of heaps up to {max}")?,
        Some((max, Some(at))) => {
            writeln!(out, "  refuted by the table of heaps up to {max} at {}", listed(at))?;
        }
        None => {}
    }
    Ok(())
}

fn print_comparisons(out: &mut impl Write, play: Play, comparisons: &[Comparison]) -> Result<(), Fault> {
    if comparisons.is_empty() {
        writeln!(out, "No published form of the P-positions is in the ledger ({play} play).\n")?;
    }
    for c in comparisons {
        if let Some(beyond) = &c.beyond {
            writeln!(out, "Said to hold all P-positions: {} ({})\n  {}", c.claim.id, c.claim.source, c.form)?;
            let first: Vec<String> = beyond.first.iter().map(|p| text(p)).collect();
            writeln!(
                out,
                "  {} of {} classes with heaps up to {} are not in it{}{}\n",
                beyond.count,
                c.compared,
                c.max,
                if beyond.count > 0 { ", the greatest heap of these is " } else { "" },
                if beyond.count > 0 {
                    format!("{}: {}", beyond.last, first.join("  "))
                } else {
                    String::new()
                }
            )?;
            continue;
        }
        let what = if matches!(c.claim.says, Says::PPositions(_)) {
            "Published form"
        } else {
            "Said to be P-positions:"
        };
        writeln!(out, "{what} {} ({})\n  {}", c.claim.id, c.claim.source, c.form)?;
        match &c.disagreement {
            Some(Disagreement { position, outcome }) => {
                let claims = if outcome.is_p() { "leaves it out" } else { "counts it in" };
                writeln!(
                    out,
                    "  refuted: {} is {outcome} by the rules, but the form {claims}",
                    text(position)
                )?;
            }
            None if c.undecided > 0 => {
                writeln!(out, "  unknown: {} positions could not be evaluated", c.undecided)?
            }
            None => writeln!(
                out,
                "  holds for every position with heaps up to {}: {} compared ({:.2} s)",
                c.max, c.compared, c.seconds
            )?,
        }
        writeln!(out)?;
    }
    Ok(())
}
