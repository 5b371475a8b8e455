//! The number of entries by status, as a table in Markdown and as data.

use crate::atlas::Atlas;
use crate::entry::Status;
use bouton_report::answers::collections::PlanCounts;
use std::fmt::Write;

/// Counts the entries of an atlas.
pub fn counts(atlas: &Atlas) -> PlanCounts {
    let with = |status: Status| atlas.rows.iter().filter(|(_, row)| row.status == status).count();
    let mut numbers: Vec<usize> = atlas.rows.iter().map(|(number, _)| *number).collect();
    numbers.dedup();
    PlanCounts {
        plan: atlas.plan.clone(),
        games: atlas.games,
        studied: numbers.len(),
        entries: atlas.rows.len(),
        proved: with(Status::Proved),
        holds: with(Status::Holds),
        refuted: with(Status::Refuted),
        none: with(Status::None),
        budget: atlas.budget.clone(),
    }
}

/// Returns the counts of several atlases, with their sum, as a table in Markdown.
pub fn counts_table(all: &[PlanCounts]) -> String {
    let mut out = String::from(
        "| plan | games | studied | entries | proved | holds | refuted | none | each may cost |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for c in all {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            c.plan, c.games, c.studied, c.entries, c.proved, c.holds, c.refuted, c.none, c.budget
        );
    }
    let sum = |count: fn(&PlanCounts) -> usize| all.iter().map(count).sum::<usize>();
    let _ = writeln!(
        out,
        "| all | {} | {} | {} | {} | {} | {} | {} | |",
        sum(|c| c.games),
        sum(|c| c.studied),
        sum(|c| c.entries),
        sum(|c| c.proved),
        sum(|c| c.holds),
        sum(|c| c.refuted),
        sum(|c| c.none)
    );
    out
}
