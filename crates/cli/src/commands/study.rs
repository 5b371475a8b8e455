//! `bouton study`: the whole line for one game, as far as it stands.

use super::{BudgetArgs, family, play};
use crate::fault::Fault;
use crate::{Ending, analysis, progress};
use bouton_ledger::Claim;
use bouton_rules::{HeapGame, Outcome, Play};
use bouton_solve::{Budget, Game, How, Kind, Spent};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::ops::ControlFlow::{Break, Continue};
use std::time::{Duration, Instant};

/// Study a game: rules, table, published form, agreement or the least disagreement
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton study 'CN(6,3)'\n  bouton study 'SCN(5,2)' --max 12\n  bouton study 'Gamma(1,4;n)' --to 80\n  bouton study kayles\n  bouton study 'Gamma(1,4;23)' --json"
)]
pub struct Study {
    /// The game
    game: String,
    /// The largest heap of the table; by default as large as a few seconds allow
    #[arg(long, value_name = "M")]
    max: Option<u32>,
    /// Of a family as Gamma(1,4;n): the greatest value of its parameter
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(i64).range(1..))]
    to: i64,
    /// Misère play: who cannot move wins
    #[arg(long)]
    misere: bool,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Nodes for each game of a family where no budget is given.
const FAMILY_NODES: u64 = 100_000_000;

/// How long tables may grow when no bound is given.
const PATIENCE: Duration = Duration::from_secs(3);
/// P-positions that are shown.
const SHOWN: usize = 12;
/// More images than this of one position, and a claim is not held against them.
const MOST_IMAGES: usize = 5040;

/// The P-positions of a box.
struct Table {
    max: u32,
    classes: u64,
    p_positions: Vec<Vec<u64>>,
    seconds: f64,
}

/// A published form held against a table.
struct Comparison {
    claim: Claim,
    form: String,
    /// Positions compared, symmetry classes counted once.
    compared: u64,
    /// Positions that the form could not be evaluated on.
    undecided: u64,
    disagreement: Option<Disagreement>,
    seconds: f64,
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
        let named = bouton_games::parse(&self.game)?;
        let game = &*named.game;
        let play = play(self.misere);
        let budget = self.budget.budget()?;
        let mut out = std::io::stdout().lock();
        let mut report = json!({"game": game.name(), "rules": game.describe(), "play": match play { Play::Normal => "normal", Play::Misere => "misere" }});
        let mut ending = Ending::Done;
        if !as_json {
            writeln!(out, "{}\n  {}\n", game.name(), game.describe())?;
        }
        if let Some(heaps) = game.heap_game() {
            let (table, spent) = self.table(game, play, &budget)?;
            report["table"] = table_json(&table);
            if !as_json {
                print_table(&mut out, game, &table)?;
            }
            if let Some(spent) = spent {
                report["unknown"] = spent.to_string().into();
                ending = Ending::Negative;
                if !as_json {
                    writeln!(out, "  a larger table was not finished ({spent})")?;
                }
            }
            let comparisons = compare(game, play, heaps, &table)?;
            if comparisons.iter().any(|c| c.disagreement.is_some()) {
                ending = Ending::Negative;
            }
            report["published"] = comparisons.iter().map(comparison_json).collect();
            if !as_json {
                print_comparisons(&mut out, play, &table, &comparisons)?;
            }
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
        if as_json {
            writeln!(out, "{report}")?;
        }
        Ok(ending)
    }

    /// The table up to the bound given, or the largest that patience allows.
    fn table(&self, game: &dyn Game, play: Play, budget: &Budget) -> Result<(Table, Option<Spent>), Fault> {
        let fill = |max: u32, budget: &Budget| -> Result<Table, Spent> {
            let started = Instant::now();
            let mut table = Table { max, classes: 0, p_positions: Vec::new(), seconds: 0.0 };
            let what = format!("{}, heaps up to {max}", game.name());
            let end = progress::watched(&what, budget, |budget| {
                game.session(How { play, budget, ..How::default() }).table(max, &mut |heaps, outcome| {
                    table.classes += 1;
                    if outcome.is_p() {
                        table.p_positions.push(heaps.to_vec());
                    }
                    Continue(())
                })
            });
            end.expect("a heap game has a table")?;
            table.seconds = started.elapsed().as_secs_f64();
            Ok(table)
        };
        let unfinished = |max| Table { max, classes: 0, p_positions: Vec::new(), seconds: 0.0 };
        if let Some(max) = self.max {
            return Ok(match fill(max, budget) {
                Ok(table) => (table, None),
                Err(spent) => (unfinished(max), Some(spent)),
            });
        }
        let started = Instant::now();
        let mut best = match fill(1, budget) {
            Ok(table) => table,
            Err(spent) => return Ok((unfinished(1), Some(spent))),
        };
        // The next table costs at least as much as the last; stop when time has run out.
        while best.max < 1000 && started.elapsed() < PATIENCE / 2 {
            let left = PATIENCE.saturating_sub(started.elapsed());
            let time = Some(budget.time.map_or(left, |limit| limit.min(left)));
            let next = if best.seconds < 0.01 { best.max * 2 } else { best.max + 1 + best.max / 8 };
            match fill(next, &Budget { time, ..budget.clone() }) {
                Ok(table) => best = table,
                Err(_) => break,
            }
        }
        Ok((best, None))
    }
}

/// Holds every published form that speaks of the game against the whole table.
fn compare(
    game: &dyn Game,
    play: Play,
    heap_game: HeapGame,
    table: &Table,
) -> Result<Vec<Comparison>, Fault> {
    let HeapGame { heaps, symmetry, .. } = heap_game;
    let mut all = Vec::new();
    for claim in bouton_ledger::claims_about(&game.name())? {
        let Some(form) = claim.form.clone() else { continue };
        let misere = claim.more.get("play").and_then(|p| p.as_str()) == Some("misere");
        if misere != (play == Play::Misere) || heaps > bouton_logic::MAX_CLAIM_HEAPS {
            continue;
        }
        let Some(images) = symmetry.permutations(heaps, MOST_IMAGES) else { continue };
        let parsed =
            bouton_logic::Claim::parse(&form, heaps).map_err(|error| Fault::Formula(form.clone(), error))?;
        let started = Instant::now();
        let (mut compared, mut undecided, mut disagreement) = (0, 0, None);
        let how = How { play, ..How::default() };
        let _ = game.session(how).table(table.max, &mut |position, outcome| {
            // Heaps that have left a shrinking circle count as empty ones, side by side.
            let mut position = position.to_vec();
            position.resize(heaps, 0);
            match parsed.holds_up_to(&position, &images) {
                Ok(claimed) => {
                    compared += 1;
                    if claimed != outcome.is_p() {
                        disagreement = Some(Disagreement { position, outcome });
                        return Break(());
                    }
                }
                Err(_) => undecided += 1,
            }
            Continue(())
        });
        let seconds = started.elapsed().as_secs_f64();
        all.push(Comparison { claim, form, compared, undecided, disagreement, seconds });
    }
    Ok(all)
}

fn text(position: &[u64]) -> String {
    let heaps: Vec<String> = position.iter().map(u64::to_string).collect();
    if heaps.is_empty() { "0".into() } else { heaps.join(",") }
}

fn table_json(table: &Table) -> Value {
    json!({
        "max": table.max,
        "classes": table.classes,
        "p_classes": table.p_positions.len(),
        "p_positions": table.p_positions.iter().map(|p| text(p)).collect::<Vec<_>>(),
        "seconds": table.seconds,
    })
}

fn comparison_json(c: &Comparison) -> Value {
    json!({
        "claim": c.claim.id,
        "form": c.form,
        "source": c.claim.source,
        "verdict": if c.disagreement.is_some() { "refuted" } else if c.undecided > 0 { "unknown" } else { "holds" },
        "compared": c.compared,
        "undecided": c.undecided,
        "disagreement": c.disagreement.as_ref().map(|d| json!({"position": text(&d.position), "outcome": d.outcome.to_string()})),
        "seconds": c.seconds,
    })
}

fn print_table(out: &mut impl Write, game: &dyn Game, table: &Table) -> Result<(), Fault> {
    let what = if game.kind() == Kind::LastMove { "positions" } else { "positions up to symmetry" };
    writeln!(
        out,
        "Table from the rules, every number up to {}: {} {what}, {} of them P ({:.2} s)",
        table.max,
        table.classes,
        table.p_positions.len(),
        table.seconds
    )?;
    for p in table.p_positions.iter().take(SHOWN) {
        writeln!(out, "  {}", text(p))?;
    }
    if table.p_positions.len() > SHOWN {
        writeln!(out, "  … all: bouton positions '{}' --max {}", game.name(), table.max)?;
    }
    writeln!(out)?;
    Ok(())
}

fn print_comparisons(
    out: &mut impl Write,
    play: Play,
    table: &Table,
    comparisons: &[Comparison],
) -> Result<(), Fault> {
    if comparisons.is_empty() {
        writeln!(out, "No published form of the P-positions is in the ledger ({play} play).\n")?;
    }
    for c in comparisons {
        writeln!(out, "Published form {} ({})\n  {}", c.claim.id, c.claim.source, c.form)?;
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
                table.max, c.compared, c.seconds
            )?,
        }
        writeln!(out)?;
    }
    Ok(())
}
