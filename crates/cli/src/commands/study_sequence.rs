//! `bouton study` of games played in single heaps: nim-values, their period, the exceptions, proved or not.

use crate::context::Context;
use crate::fault::Fault;
use crate::{Status, progress};
use bouton_report::proof_word;
use bouton_rules::HeapMoves;
use bouton_solve::sequence::{Sequence, period::seek};
use bouton_solve::{Budget, Game, Meter};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Heaps looked at where the budget does not end the search before.
const MOST: usize = 10_000_000;

/// How long to look for a period where no budget is given.
const PATIENCE: Duration = Duration::from_secs(5);

/// Values shown, and values in a b-file where no period is known.
const SHOWN: usize = 100;
const LISTED: usize = 1000;

/// The longest period shown, and the most exceptions.
const PRINTED: usize = 240;

/// Columns of a table.
const COLUMNS: usize = 20;

/// Studies the nim-values of single heaps of `game`.
pub fn run(
    context: &Context,
    game: &dyn Game,
    moves: &HeapMoves,
    budget: &Budget,
    b_file: Option<&Path>,
) -> Result<Status, Fault> {
    let as_json = context.json;
    let mut sequence = Sequence::of(moves)?;
    let patience = budget.deadline.is_none() && budget.nodes.is_none();
    let budget = if patience { budget.within(PATIENCE) } else { budget.clone() };
    let started = Instant::now();
    let (found, spent) =
        progress::watched(context, &format!("period of {}", game.name()), &budget, |budget| {
            match seek(&mut sequence, MOST, &mut Meter::new(&budget)) {
                Ok(found) => (found, None),
                Err(spent) => (None, Some(spent)),
            }
        });
    let (known, seconds) = (sequence.len(), started.elapsed().as_secs_f64());
    let exceptions = found.as_ref().map_or(Vec::new(), |found| found.exceptions(&sequence));
    let proved = found.is_some_and(|found| found.proof.is_some());
    let verdict = match &found {
        Some(_) if proved => "proved",
        Some(_) => "holds",
        None => "unknown",
    };
    if let Some(file) = b_file {
        let to = found.map_or(LISTED, |found| LISTED.max(found.preperiod + 2 * found.period)).min(known);
        let lines: String = (0..to).map(|n| format!("{n} {}\n", sequence.value(n))).collect();
        std::fs::write(file, lines).map_err(|error| Fault::File(file.display().to_string(), error))?;
    }
    let mut out = std::io::stdout().lock();
    if as_json {
        let period = found.map(|found| {
            let cycle: Vec<u32> = found.cycle(&sequence).take(PRINTED + 1).collect();
            json!({
                "period": found.period, "preperiod": found.preperiod, "saltus": found.saltus,
                "proof": proof_word(&found), "compared": found.compared, "exceptions": exceptions,
                "cycle": if found.period <= PRINTED { json!(cycle) } else { json!(null) },
            })
        });
        let values: Vec<u32> = sequence.values().take(SHOWN + 1).collect();
        let report = json!({
            "game": game.name(), "rules": game.describe(), "play": "normal", "code": sequence.game(),
            "values": values, "verdict": verdict, "period": period, "heaps": known.saturating_sub(1),
            "spent": spent.map(|spent| spent.to_string()), "seconds": seconds,
        });
        writeln!(out, "{report}")?;
        return Ok(if proved { Status::Done } else { Status::Negative });
    }
    writeln!(out, "{}\n  {}\n", game.name(), game.describe())?;
    let shown: Vec<(usize, u32)> = sequence.values().take(SHOWN + 1).enumerate().collect();
    writeln!(out, "Nim-values of single heaps 0..{}", shown.len().saturating_sub(1))?;
    for line in shown.chunks(COLUMNS) {
        let values: Vec<String> = line.iter().map(|(_, value)| value.to_string()).collect();
        writeln!(out, "  {}", values.join(" "))?;
    }
    writeln!(out)?;
    match &found {
        None => {
            let why = spent.map_or(String::new(), |spent| format!(" ({spent})"));
            writeln!(out, "No period seen in heaps 0..{}{why}", known.saturating_sub(1))?;
        }
        Some(found) => {
            let saltus = if found.saltus > 0 { format!(", saltus {}", found.saltus) } else { String::new() };
            let by = if proved { format!("proved ({})", proof_word(found)) } else { "not proved".into() };
            writeln!(out, "Period {} from {} on{saltus}: {by}", found.period, found.preperiod)?;
            writeln!(out, "  heaps 0..{} compared, {seconds:.3} s\n", known.saturating_sub(1))?;
            if found.period <= PRINTED {
                let first = found.preperiod.div_ceil(found.period) * found.period;
                let cycle: Vec<(usize, u32)> =
                    found.cycle(&sequence).enumerate().map(|(i, value)| (first + i, value)).collect();
                writeln!(out, "The period, from a multiple of {} on", found.period)?;
                table(&mut out, &cycle)?;
            }
            if let (Some((last, _)), true) = (exceptions.last(), exceptions.len() > PRINTED) {
                writeln!(out, "{} exceptions, the last at {last}", exceptions.len())?;
            } else if !exceptions.is_empty() {
                writeln!(out, "The {} exceptions", exceptions.len())?;
                table(&mut out, &exceptions)?;
            } else if found.saltus == 0 {
                writeln!(out, "No exceptions")?;
            }
        }
    }
    Ok(if proved { Status::Done } else { Status::Negative })
}

/// Sizes above their values.
fn table(out: &mut impl Write, entries: &[(usize, u32)]) -> Result<(), Fault> {
    for line in entries.chunks(COLUMNS) {
        let width = |(n, value): &(usize, u32)| n.to_string().len().max(value.to_string().len());
        let sizes: Vec<String> = line.iter().map(|e| format!("{:>w$}", e.0, w = width(e))).collect();
        let values: Vec<String> = line.iter().map(|e| format!("{:>w$}", e.1, w = width(e))).collect();
        writeln!(out, "  n     {}\n  G(n)  {}", sizes.join(" "), values.join(" "))?;
    }
    Ok(())
}
