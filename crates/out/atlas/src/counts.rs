//! The number of entries by status, as a table in Markdown and as data.

use crate::atlas::Atlas;
use crate::entry::Status;
use serde::Serialize;
use std::fmt::Write;

/// The counts of one atlas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// The name of the plan.
    pub plan: String,
    /// The number of games of the plan.
    pub games: usize,
    /// The number of games studied.
    pub studied: usize,
    /// The number of entries. A family of Kotzig's Nim has two, one per convention.
    pub entries: usize,
    /// The number of entries proved for all sizes.
    pub proved: usize,
    /// The number of entries that hold as far as computed.
    pub holds: usize,
    /// The number of entries refuted by a larger table.
    pub refuted: usize,
    /// The number of entries without a form.
    pub none: usize,
    /// The budget of each game.
    pub budget: String,
}

impl Counts {
    /// Counts the entries of an atlas.
    pub fn new(atlas: &Atlas) -> Counts {
        let with = |status: Status| atlas.rows.iter().filter(|(_, row)| row.status == status).count();
        let mut numbers: Vec<usize> = atlas.rows.iter().map(|(number, _)| *number).collect();
        numbers.dedup();
        Counts {
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
}

/// Returns the counts of several atlases, with their sum, as a table in Markdown.
pub fn counts_table(all: &[Counts]) -> String {
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
    let sum = |count: fn(&Counts) -> usize| all.iter().map(count).sum::<usize>();
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
