//! `bouton study` of a family of Kotzig's Nim with one parameter: outcomes, both plays, and what they suggest.

use crate::Status;
use crate::fault::Fault;
use bouton_games::KotzigFamily;
use bouton_rules::{Outcome, Play};
use bouton_solve::circulant::MAX_CELLS;
use bouton_solve::{Budget, Watch};
use bouton_study::{Bound, Classification, Says, Solved, Verdict, nim_values, outcomes, settle};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;

/// Letters on a line.
const PER_LINE: usize = 60;
/// Positions for a nim-value at most.
const VALUE_NODES: u64 = 100_000;

/// The family that a text names, if it has parameters.
pub fn parse(text: &str) -> Option<KotzigFamily> {
    KotzigFamily::parse(text).ok().filter(|family| !family.names().is_empty())
}

pub fn run(family: &KotzigFamily, to: i64, nodes: u64, as_json: bool) -> Result<Status, Fault> {
    let [name] = family.names() else {
        return Err(Fault::Usage(format!(
            "study takes a family with one parameter; {family} has {}",
            family.names().len()
        )));
    };
    let range = 1..=to.min(if name == "n" { MAX_CELLS as i64 } else { i64::from(u16::MAX) });
    let ranges = [range.clone()];
    let stop = Arc::new(Watch::default());
    let mut out = std::io::stdout().lock();
    let mut report = json!({"family": family.to_string(), "parameter": name});
    let mut ending = Status::Done;
    let values = nim_values(family, &ranges, VALUE_NODES);
    report["nim_values"] = values.iter().map(|(i, value)| json!([i.values[0], value.0])).collect();
    if !as_json {
        writeln!(out, "{family}\n")?;
    }
    for (play, key) in [(Play::Normal, "normal"), (Play::Misere, "misere")] {
        let lines = outcomes(family, &ranges, play, nodes, &stop);
        let unknown: Vec<i64> =
            lines.iter().filter(|l| l.outcome.is_err()).map(|l| l.instance.values[0]).collect();
        let fit = fit(name, &lines);
        if !unknown.is_empty() {
            ending = Status::Negative;
        }
        if as_json {
            report[key] = json!({
                "outcomes": lines.iter().map(|l| json!([l.instance.values[0], letter(l).to_string()])).collect::<Value>(),
                "unknown": unknown,
                "p_positions": fit.as_ref().map(ToString::to_string),
                "fitted_to": fit.as_ref().map(|fit| *fit.fitted.end()),
            });
            continue;
        }
        writeln!(out, "Outcomes, {play} play")?;
        for chunk in lines.chunks(PER_LINE) {
            let letters: String = chunk.iter().map(letter).collect();
            writeln!(out, "  {name} = {:>3}: {letters}", chunk[0].instance.values[0])?;
        }
        match fit {
            Some(fit) => writeln!(
                out,
                "  Conjecture: P iff {fit}\n  It agrees with every {name} from {} to {}; nothing is proved.",
                fit.fitted.start(),
                fit.fitted.end()
            )?,
            None => writeln!(out, "  No classification by residues fits with enough evidence.")?,
        }
        if !unknown.is_empty() {
            writeln!(out, "  unknown within {nodes} nodes each: {name} = {unknown:?}")?;
        }
        writeln!(out)?;
    }
    if !as_json && let (Some(first), Some(last)) = (values.first(), values.last()) {
        let list: Vec<String> = values.iter().map(|(_, value)| value.0.to_string()).collect();
        writeln!(
            out,
            "Nim-values, {name} = {} to {}\n  {}\n",
            first.0.values[0],
            last.0.values[0],
            list.join(" ")
        )?;
    }
    let mut published = Vec::new();
    for claim in bouton_ledger::claims()? {
        let squeezed = |text: &str| text.replace(' ', "").replace('Γ', "Gamma");
        if squeezed(&claim.game) != squeezed(&family.to_string()) {
            continue;
        }
        if !matches!(claim.says, Says::Family(_)) {
            continue;
        }
        let cells = family.at(&[*range.end()]).map_or(to.unsigned_abs() as usize, |game| game.n());
        let budget = Budget { nodes: Some(nodes), watch: Some(stop.clone()), ..Budget::default() };
        let verdict = settle(&claim, &claim.game, &Bound { to: cells, budget }, &|_| {})
            .map_err(|error| Fault::Claim(claim.id.clone(), error))?;
        if !matches!(verdict, Verdict::Holds(_) | Verdict::Proved(_)) {
            ending = Status::Negative;
        }
        if as_json {
            let mut value = json!({"id": claim.id, "statement": claim.statement});
            super::ledger::add(&mut value, bouton_report::verdict(&verdict));
            published.push(value);
        } else {
            writeln!(out, "Published: {} {} ({})", claim.id, claim.statement, claim.source)?;
            super::ledger::print(&mut out, &verdict)?;
        }
    }
    if as_json {
        report["published"] = published.into();
        writeln!(out, "{report}")?;
    }
    Ok(ending)
}

fn letter(line: &Solved) -> char {
    match line.outcome {
        Ok(Outcome::N) => 'N',
        Ok(Outcome::P) => 'P',
        Err(_) => '?',
    }
}

/// The classification of the P-positions up to the first unknown.
fn fit(name: &str, lines: &[Solved]) -> Option<Classification> {
    let known = lines.iter().take_while(|line| line.outcome.is_ok()).count();
    let (first, last) = (lines.first()?, lines[..known].last()?);
    let within = first.instance.values[0]..=last.instance.values[0];
    let is_p = |line: &&Solved| line.outcome == Ok(Outcome::P);
    let members: BTreeSet<i64> =
        lines[..known].iter().filter(is_p).map(|line| line.instance.values[0]).collect();
    Classification::fit(name, &members, &within)
}
