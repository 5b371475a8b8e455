//! `bouton ledger`: the published claims, and what becomes of those about families of games and about heaps.

mod heaps;
mod tables;

use crate::Status;
use crate::context::Context;
use crate::fault::Fault;
use bouton_ledger::Claim;
use bouton_rules::Outcome;
use bouton_solve::Watch;
use bouton_store::cash::{CashClaim, Checked};
use bouton_store::verify::{Bound, Failure, FamilyClaim, Recheck, Standing, Verified, verify_all};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

/// List the published claims; verify those about families of games and about heaps
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton ledger\n  bouton ledger --verify --to 72\n  bouton ledger --verify --id K6 --to 150\n  bouton ledger --verify --id C8\n\nExit status 1 if a claim is refuted or unknown, unless the ledger records that."
)]
pub struct Ledger {
    /// Compute every instance of the claims that speak of families; prove or refute those about heaps
    #[arg(long)]
    verify: bool,
    /// The largest circle, in cells
    #[arg(long, value_name = "N", default_value_t = 60, requires = "verify")]
    to: usize,
    /// Only the claims of this row
    #[arg(long, value_name = "ROW")]
    id: Option<String>,
    /// Positions to expand for one game at most
    #[arg(long, value_name = "N", default_value_t = 20_000_000, requires = "verify")]
    nodes: u64,
}

/// Failures that are printed of one claim.
const SHOWN: usize = 20;

impl Ledger {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let as_json = context.json;
        let mut out = std::io::stdout().lock();
        let mut ending = Status::Done;
        let wanted = |id: &str| self.id.as_ref().is_none_or(|wanted| id.split(' ').next() == Some(wanted));
        let claims: Vec<Claim> = bouton_ledger::claims()?
            .into_iter()
            .chain(bouton_ledger::controls()?)
            .filter(|claim| wanted(&claim.id))
            .collect();
        if self.verify {
            for claim in &claims {
                let Some(cash) = CashClaim::read(claim)? else { continue };
                let checked = cash.verify()?;
                if checked.failures > 0 {
                    ending = Status::Negative;
                }
                report(&mut out, claim, &checked, as_json)?;
                out.flush()?;
            }
            let tables = tables::settle(&claims, as_json, &mut out)?;
            let heaps = settle_heaps(&claims, as_json, &mut out)?;
            if self.families(&claims, as_json, &mut out)? || tables || heaps {
                ending = Status::Negative;
            }
        } else {
            for claim in &claims {
                if as_json {
                    writeln!(out, "{}", head(claim))?;
                } else {
                    writeln!(out, "{:<10} {}\n           {}", claim.id, claim.statement, claim.source)?;
                }
            }
        }
        if claims.is_empty() {
            return Err(Fault::Usage(format!("the ledger has no row {}", self.id.unwrap_or_default())));
        }
        Ok(ending)
    }
}

impl Ledger {
    /// The claims about families of Kotzig's Nim; whether one of them does not hold.
    fn families(&self, claims: &[Claim], as_json: bool, out: &mut impl Write) -> Result<bool, Fault> {
        let (mut about, mut families) = (Vec::new(), Vec::new());
        for claim in claims {
            if let Some(family) = FamilyClaim::read(claim)? {
                about.push(claim);
                families.push(family);
            }
        }
        let started = Instant::now();
        let bound = Bound { to: self.to, nodes: self.nodes, stop: Arc::new(Watch::default()) };
        let mut negative = false;
        verify_all(&families, &bound, |i, verified| {
            let claim = about[i];
            negative |= verified.standing() != Standing::Holds;
            if as_json {
                writeln!(out, "{}", to_json(head(claim), &verified))?;
            } else {
                writeln!(out, "{} {}\n  {} ({})", claim.id, claim.game, claim.statement, claim.source)?;
                print(out, &verified)?;
                let seconds = started.elapsed().as_secs_f64();
                writeln!(out, "  {} nodes; {seconds:.1} s after the start\n", verified.nodes)?;
            }
            Ok::<(), Fault>(out.flush()?)
        })?;
        Ok(negative)
    }
}

/// The claims about heaps; whether one comes out otherwise than recorded, or not proved where nothing is.
fn settle_heaps(claims: &[Claim], as_json: bool, out: &mut impl Write) -> Result<bool, Fault> {
    let mut negative = false;
    for claim in claims {
        for game in heaps::games(claim) {
            let started = Instant::now();
            let Some(settled) = heaps::settle(claim, &game)? else { continue };
            negative |= !settled.as_recorded.unwrap_or(settled.verdict == "proved");
            if as_json {
                writeln!(out, "{}", settled.to_json(head(claim)))?;
            } else {
                writeln!(out, "{} {game}\n  {} ({})", claim.id, claim.statement, claim.source)?;
                let recorded = match settled.as_recorded {
                    Some(true) => ", as recorded",
                    Some(false) => " (THE LEDGER RECORDS OTHERWISE)",
                    None => "",
                };
                writeln!(out, "  {}: {}{recorded}", settled.verdict, settled.detail)?;
                if let Some(rechecked) = &settled.rechecked {
                    writeln!(out, "  {rechecked}")?;
                }
                writeln!(out, "  {:.1} s\n", started.elapsed().as_secs_f64())?;
            }
            out.flush()?;
        }
    }
    Ok(negative)
}

fn head(claim: &Claim) -> Value {
    json!({"id": claim.id, "game": claim.game, "statement": claim.statement, "source": claim.source})
}

/// One claim about NIM with Cash.
fn report(out: &mut impl Write, claim: &Claim, checked: &Checked, as_json: bool) -> std::io::Result<()> {
    let Checked { instances, failures, counterexample } = checked;
    if as_json {
        let mut head = head(claim);
        head["verdict"] = if *failures > 0 { "refuted" } else { "holds" }.into();
        head["instances"] = (*instances).into();
        head["failures"] = (*failures).into();
        head["counterexample"] = json!(counterexample);
        return writeln!(out, "{head}");
    }
    writeln!(out, "{} {}\n  {} ({})", claim.id, claim.game, claim.statement, claim.source)?;
    match counterexample {
        Some(first) => writeln!(out, "  REFUTED by {failures} of {instances} instances, first {first}\n"),
        None => writeln!(out, "  holds in all {instances} instances computed\n"),
    }
}

fn word(standing: Standing) -> &'static str {
    match standing {
        Standing::Holds => "holds",
        Standing::Refuted => "refuted",
        Standing::Doubtful => "doubtful",
        Standing::Unknown => "unknown",
    }
}

fn recheck(recheck: Recheck) -> &'static str {
    match recheck {
        Recheck::Rules => "by the rules-only search, too",
        Recheck::Replayed => "a winning strategy was replayed against every reply",
        Recheck::OutOfReach => "not re-checked: out of reach",
        Recheck::Contradicted => "NOT CONFIRMED: the re-check disagrees; please report this",
    }
}

fn failure(Failure { instance, found, recheck: how }: &Failure) -> String {
    let claimed = if *found == Outcome::P { "N" } else { "P" };
    format!("{} is {found}, claimed {claimed} ({})", instance.game, recheck(*how))
}

pub(super) fn print(out: &mut impl Write, v: &Verified) -> std::io::Result<()> {
    let counted = format!("{} instances ({} different games)", v.instances, v.games);
    match v.standing() {
        Standing::Holds => writeln!(out, "  holds to n = {}: {counted}", v.bound)?,
        Standing::Refuted => {
            writeln!(out, "  REFUTED by {} of {counted}; all n ≤ {} computed", v.failures.len(), v.bound)?;
        }
        other => writeln!(out, "  {}: {counted}", word(other))?,
    }
    for one in v.failures.iter().take(SHOWN) {
        writeln!(out, "    {}", failure(one))?;
    }
    if v.failures.len() > SHOWN {
        writeln!(out, "    … and {} more (--json lists them)", v.failures.len() - SHOWN)?;
    }
    if !v.unknown.is_empty() {
        let games: Vec<String> = v.unknown.iter().take(3).map(|i| i.game.to_string()).collect();
        writeln!(out, "  {} unknown (budget spent), the smallest {}", v.unknown.len(), games.join(", "))?;
    }
    Ok(())
}

pub(super) fn to_json(mut head: Value, v: &Verified) -> Value {
    let failures: Vec<Value> = v
        .failures
        .iter()
        .map(|f| json!({"game": f.instance.game.to_string(), "outcome": f.found.to_string(), "recheck": recheck(f.recheck)}))
        .collect();
    head["verdict"] = word(v.standing()).into();
    head["instances"] = v.instances.into();
    head["games"] = v.games.into();
    head["bound"] = v.bound.into();
    head["failures"] = failures.into();
    head["unknown"] = v.unknown.iter().map(|i| i.game.to_string()).collect::<Vec<_>>().into();
    head["nodes"] = v.nodes.into();
    head
}
