//! `bouton study`: the whole line for one game: rules, table, conjecture, larger table, proof; and what is published.

mod line;
mod report;
mod tables;

use super::{BudgetArgs, cash, family, listed, play};
use crate::fault::Fault;
use crate::{Ending, analysis, progress};
use bouton_conjecture::{Standing, Table};
use bouton_ledger::Claim;
use bouton_logic::MAX_CLAIM_HEAPS;
use bouton_rules::{HeapGame, Outcome, Play, Symmetry};
use bouton_server::guess::recheck;
use bouton_solve::{Game, How, Kind};
use clap::Args;
use line::Line;
use serde_json::{Value, json};
use std::io::Write;
use std::ops::ControlFlow::{Break, Continue};
use std::path::PathBuf;
use std::time::Instant;
use tables::Tables;

/// Study a game: table, conjecture, larger table, proof, and what is published
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton study 'CN(6,3)'\n  bouton study 'SCN(5,2)' --report scn.html --certificate scn.cert\n  bouton study 'simplicial(1,2,3;3,4;4,1)'\n  bouton study 'Gamma(1,4;n)' --to 80\n  bouton study kayles\n  bouton study 'Gamma(1,4;23)' --json"
)]
pub struct Study {
    /// The game
    game: String,
    /// The largest heap of the tables; by default they grow until a form stands or half a minute has gone
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
/// More images than this of one position, and a claim is not held against them.
const MOST_IMAGES: usize = 5040;
/// Positions on which a published form is evaluated.
const COMPARED: u64 = 1 << 18;

/// A published form held against a table.
struct Comparison {
    claim: Claim,
    form: String,
    /// The greatest heap of the positions compared.
    max: u64,
    /// Positions compared, symmetry classes counted once.
    compared: u64,
    /// Positions that the form could not be evaluated on.
    undecided: u64,
    disagreement: Option<Disagreement>,
    /// Of a form that is only said to hold all P-positions: those that it lacks.
    beyond: Option<Beyond>,
    seconds: f64,
}

/// Classes of P-positions that a form lacks.
#[derive(Default)]
struct Beyond {
    count: u64,
    /// The first of them, by their greatest heaps.
    first: Vec<Vec<u64>>,
    /// The greatest heap of any.
    last: u64,
}

/// The first position where form and table differ.
struct Disagreement {
    position: Vec<u64>,
    outcome: Outcome,
}

impl Study {
    pub fn run(self, as_json: bool) -> Result<Ending, Fault> {
        if let Some(family) = family::parse(&self.game) {
            return family::run(
                &family,
                self.to,
                self.budget.budget()?.nodes.unwrap_or(FAMILY_NODES),
                as_json,
            );
        }
        if let Some(study) = cash::Study::of(&self.game, self.misere)? {
            return study.run(&self.budget.budget()?, as_json);
        }
        let named = bouton_games::parse(&self.game)?;
        let game = &*named.game;
        let play = play(self.misere);
        let budget = self.budget.budget()?;
        let alone = named.position.is_none() && game.heap_game().is_none() && play == Play::Normal;
        if let Some(moves) = game.heap_moves().filter(|_| alone) {
            return super::study_sequence::run(game, &moves, &budget, self.b_file.as_deref(), as_json);
        }
        let mut out = std::io::stdout().lock();
        let mut report = json!({"game": game.name(), "rules": game.describe(), "play": match play { Play::Normal => "normal", Play::Misere => "misere" }});
        let mut ending = Ending::Done;
        let mut studied = None;
        if !as_json {
            writeln!(out, "{}\n  {}\n", game.name(), game.describe())?;
        }
        if let Some(stated) = game.heap_game().filter(|stated| stated.heaps <= MAX_CLAIM_HEAPS) {
            let tables = Tables { game, stated: &stated, play, budget: budget.clone(), max: self.max };
            let line = line::follow(&tables);
            let certificate = self.certify(&game.name(), &line)?;
            if !matches!(line.ending, line::Ending::Proved(_) | line::Ending::Holds(_)) {
                ending = Ending::Negative;
            }
            line_json(&mut report, game, &line);
            report["certificate"] = json!(certificate);
            if !as_json {
                print_line(&mut out, game, &stated, &line)?;
                if let Some(file) = certificate {
                    writeln!(out, "Certificate: {file} (bouton check {file})\n")?;
                }
            }
            let comparisons = compare(game, play, &stated, &line)?;
            if comparisons.iter().any(|c| c.disagreement.is_some()) {
                ending = Ending::Negative;
            }
            report["published"] = comparisons.iter().map(comparison_json).collect();
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
            let how = How { play, budget: budget.clone(), ..How::default() };
            let found = progress::watched(&format!("solving {}", game.name()), &budget, |budget| {
                game.session(How { budget, ..how }).analyse(&start)
            })?;
            if found.spent.is_some() {
                ending = Ending::Negative;
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
            let end =
                game.session(How { budget, ..How::default() }).values(100, &mut |_, v| values.push(v.0));
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
                ending = Ending::Negative;
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
    fn certify(&self, name: &str, line: &Line) -> Result<Option<String>, Fault> {
        let (Some(path), line::Ending::Proved(theorem)) = (&self.certificate, &line.ending) else {
            return Ok(None);
        };
        let file = path.display().to_string();
        std::fs::write(path, theorem.certificate(name)).map_err(|error| Fault::File(file.clone(), error))?;
        Ok(Some(file))
    }
}

/// Holds every published form that speaks of the game against the tables.
fn compare(game: &dyn Game, play: Play, stated: &HeapGame, line: &Line) -> Result<Vec<Comparison>, Fault> {
    let heaps = stated.heaps;
    let mut all = Vec::new();
    for claim in bouton_ledger::claims_about(&game.name())? {
        let text = |key: &str| claim.more.get(key).and_then(|form| form.as_str()).map(str::to_owned);
        let (within, part) = (text("within"), text("part"));
        let is_part = part.is_some();
        let Some(form) = claim.form.clone().or_else(|| within.clone()).or(part) else { continue };
        let misere = claim.more.get("play").and_then(|p| p.as_str()) == Some("misere");
        if misere != (play == Play::Misere) {
            continue;
        }
        let Some(images) = stated.symmetry.permutations(heaps, MOST_IMAGES) else { continue };
        let parsed =
            bouton_logic::Claim::parse(&form, heaps).map_err(|error| Fault::Formula(form.clone(), error))?;
        let started = Instant::now();
        let (mut compared, mut undecided, mut disagreement, mut max) = (0, 0, None, u64::MAX);
        if within.is_some() {
            let (beyond, compared) = beyond(&parsed, &images, line, heaps);
            let max = line.boards.last().and_then(|board| board.table.as_ref()).map_or(0, Table::most);
            let seconds = started.elapsed().as_secs_f64();
            let beyond = Some(beyond);
            all.push(Comparison { claim, form, max, compared, undecided, disagreement, beyond, seconds });
            continue;
        }
        for table in line.boards.iter().rev().filter_map(|board| board.table.as_ref()) {
            max = max.min(compared_to(table));
            table.each_class(max, &mut |position, outcome| {
                // Heaps that have left a shrinking circle count as empty ones, side by side.
                let mut position = position.to_vec();
                position.resize(heaps, 0);
                match parsed.holds_up_to(&position, &images) {
                    Ok(claimed) => {
                        compared += 1;
                        if claimed != outcome.is_p() && (claimed || !is_part) && disagreement.is_none() {
                            disagreement = Some(Disagreement { position, outcome });
                        }
                    }
                    Err(_) => undecided += 1,
                }
                if disagreement.is_some() { Break(()) } else { Continue(()) }
            });
        }
        let seconds = started.elapsed().as_secs_f64();
        all.push(Comparison { claim, form, max, compared, undecided, disagreement, beyond: None, seconds });
    }
    Ok(all)
}

/// The P-positions of the tables that are not in a form, and how many there are in all, a class once.
fn beyond(form: &bouton_logic::Claim, images: &[Vec<usize>], line: &Line, heaps: usize) -> (Beyond, u64) {
    let (mut found, mut compared) = (Vec::new(), 0);
    for p in line.boards.iter().filter_map(|board| board.table.as_ref()).flat_map(Table::classes) {
        let mut p: Vec<u64> = p.iter().map(|heap| *heap as u64).collect();
        p.resize(heaps, 0);
        compared += 1;
        if form.holds_up_to(&p, images) == Ok(false) {
            found.push(p);
        }
    }
    found.sort_by_key(|p| (p.iter().copied().max(), p.clone()));
    let last = found.last().and_then(|p| p.iter().copied().max()).unwrap_or(0);
    let count = found.len() as u64;
    found.truncate(SHOWN);
    (Beyond { count, first: found, last }, compared)
}

/// The greatest heap up to which a published form is evaluated on every position.
fn compared_to(table: &Table) -> u64 {
    let side = (COMPARED as f64).powf(1.0 / table.heaps() as f64).round() as u64;
    table.most().min(side.max(2) + table.least() - 1)
}

fn text(position: &[u64]) -> String {
    let heaps: Vec<String> = position.iter().map(u64::to_string).collect();
    if heaps.is_empty() { "0".into() } else { heaps.join(",") }
}

fn comparison_json(c: &Comparison) -> Value {
    json!({
        "claim": c.claim.id,
        "form": c.form,
        "source": c.claim.source,
        "max": c.max,
        "verdict": if c.disagreement.is_some() { "refuted" } else if c.undecided > 0 { "unknown" } else { "holds" },
        "beyond": c.beyond.as_ref().map(|b| json!({"classes": b.count, "greatest_heap": b.last, "first": b.first})),
        "compared": c.compared,
        "undecided": c.undecided,
        "disagreement": c.disagreement.as_ref().map(|d| json!({"position": text(&d.position), "outcome": d.outcome.to_string()})),
        "seconds": c.seconds,
    })
}

fn line_json(report: &mut Value, game: &dyn Game, line: &Line) {
    let round = |round: &line::Round| {
        let mut value = json!({
            "max": round.max,
            "p_classes": round.found.classes,
            "form": round.form,
            "missed": round.found.missed_count,
            "evidence_bits": round.found.evidence,
            "whole": round.is_whole(),
            "table_seconds": round.table_seconds,
            "search_seconds": round.search_seconds,
        });
        if let Some((max, mismatch)) = &round.checked {
            value["checked_to"] = (*max).into();
            value["mismatch"] = json!(mismatch);
        }
        value
    };
    let board = |board: &line::Board| {
        let least = board.table.iter().flat_map(|table| table.classes().take(SHOWN).collect::<Vec<_>>());
        json!({
            "heaps": board.heaps,
            "p_positions": least.map(|p| listed(&p)).collect::<Vec<_>>(),
            "rounds": board.rounds.iter().map(round).collect::<Vec<_>>(),
            "form": board.standing().map(|round| &round.form),
            "trouble": board.trouble,
        })
    };
    report["boards"] = line.boards.iter().map(board).collect();
    report["sent_back"] = json!(line.sent_back);
    report["proof_seconds"] = line.proof_seconds.into();
    report["verdict"] = match &line.ending {
        line::Ending::Proved(_) => "proved",
        line::Ending::Holds(_) => "holds",
        line::Ending::Refuted(_) => "refuted",
        line::Ending::NoForm => "no form found",
    }
    .into();
    match &line.ending {
        line::Ending::Holds(why) => report["no_proof"] = why.as_str().into(),
        line::Ending::Refuted(found) => {
            report["counterexample"] = found.to_string().into();
            report["recheck"] = json!(recheck(game, found));
        }
        _ => {}
    }
}

fn print_line(out: &mut impl Write, game: &dyn Game, stated: &HeapGame, line: &Line) -> Result<(), Fault> {
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
        line::Ending::Proved(theorem) => {
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
            let smaller =
                line.boards.iter().rev().skip(1).filter_map(|b| Some((b.heaps, &b.standing()?.form)));
            let smaller: Vec<String> =
                smaller.map(|(heaps, form)| format!(" --smaller '{heaps}: {form}'")).collect();
            writeln!(out, "  again: bouton prove '{name}' --claim '{}'{}", forms[0], smaller.concat())?;
        }
        line::Ending::Holds(why) => {
            let to = line.boards.iter().map(line::Board::holds_to).min().unwrap_or(0);
            writeln!(out, "Holds for heaps up to {to}: P iff {}{up_to}\n  not proved: {why}", forms[0])?;
        }
        line::Ending::Refuted(found) => {
            writeln!(out, "Refuted beyond the tables: P iff {}{up_to}\n  {found}", forms[0])?;
            let rechecked = recheck(game, found);
            writeln!(
                out,
                "  {}",
                rechecked.as_deref().unwrap_or("not re-checked: too many positions below it")
            )?;
        }
        line::Ending::NoForm => writeln!(out, "No form found.")?,
    }
    writeln!(out)?;
    Ok(())
}

fn print_round(out: &mut impl Write, heaps: usize, round: &line::Round) -> Result<(), Fault> {
    let found = &round.found;
    writeln!(
        out,
        "  table of heaps up to {} ({:.2} s): {} classes of P-positions",
        round.max, round.table_seconds, found.classes
    )?;
    let took = format!("({:.2} s)", round.search_seconds);
    match found.standing() {
        Standing::Whole => writeln!(out, "  conjecture {took}: P iff {}", round.form)?,
        Standing::TooLittle if found.missed_count > 0 => writeln!(
            out,
            "  not enough data {took}: too few classes for any form; one needs heaps up to about {}",
            found.needs(heaps, round.max)
        )?,
        Standing::TooLittle => writeln!(
            out,
            "  not enough data {took}: {} says as much as the table does; a form needs heaps up to about {}",
            round.form,
            found.needs(heaps, round.max)
        )?,
        Standing::Partial => {
            writeln!(
                out,
                "  no form found {took}; the best misses {} of {} classes and names no N-position:",
                found.missed_count, found.classes
            )?;
            writeln!(out, "    {}", round.form)?;
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
        let what = if c.claim.form.is_some() { "Published form" } else { "Said to be P-positions:" };
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
