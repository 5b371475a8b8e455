//! Claims of the ledger that are tables, computed anew.

use super::head;
use crate::fault::Fault;
use bouton_ledger::Claim;
use bouton_store::tables::{Settled, TableClaim, Verdict, verdict};
use serde_json::{Value, json};
use std::io::Write;
use std::time::Instant;

/// Entries that are printed of one claim, beside those that are not as printed.
const SHOWN: usize = 8;

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Holds => "holds",
        Verdict::Unknown => "unknown",
        Verdict::Refuted => "refuted",
    }
}

/// Settles the claims that are tables; whether one does not hold.
pub(super) fn settle(claims: &[Claim], as_json: bool, out: &mut impl Write) -> Result<bool, Fault> {
    let mut negative = false;
    for claim in claims {
        let Some(tables) = TableClaim::read(claim)? else { continue };
        let started = Instant::now();
        let entries = tables.verify()?;
        let verdict = verdict(&entries);
        negative |= verdict >= Verdict::Unknown;
        if as_json {
            let mut value = head(claim);
            value["verdict"] = word(verdict).into();
            let said = |e: &Settled| json!({"verdict": word(e.verdict), "computed": e.words});
            value["entries"] = entries.iter().map(said).collect::<Vec<Value>>().into();
            writeln!(out, "{value}")?;
        } else {
            writeln!(out, "{} {}\n  {} ({})", claim.id, claim.game, claim.statement, claim.source)?;
            writeln!(
                out,
                "  {}, {} entries; {:.1} s",
                word(verdict),
                entries.len(),
                started.elapsed().as_secs_f64()
            )?;
            let (told, rest): (Vec<_>, Vec<_>) = entries
                .iter()
                .enumerate()
                .partition(|(i, entry)| *i < SHOWN || entry.verdict >= Verdict::Unknown);
            for (_, entry) in told {
                writeln!(out, "    {}: {}", word(entry.verdict), entry.words)?;
            }
            if !rest.is_empty() {
                writeln!(out, "    … and {} more (--json lists them)", rest.len())?;
            }
            writeln!(out)?;
        }
        out.flush()?;
    }
    Ok(negative)
}
