//! How many entries have which status, as a table in Markdown and as data.

use crate::atlas::Atlas;
use crate::entry::Status;
use serde::Serialize;
use std::fmt::Write;

/// The counts of one atlas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// The plan.
    pub plan: String,
    /// Games of the plan.
    pub games: usize,
    /// Of these, studied.
    pub studied: usize,
    /// Entries: of a family of Kotzig's Nim there are two, one a convention.
    pub entries: usize,
    /// Proved for all sizes.
    pub proved: usize,
    /// Holds as far as computed.
    pub holds: usize,
    /// Refuted further on.
    pub refuted: usize,
    /// Nothing found.
    pub none: usize,
    /// What each game could cost.
    pub budget: String,
}

impl Counts {
    /// Of one atlas.
    pub fn of(atlas: &Atlas) -> Counts {
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

/// A table of several, in Markdown.
pub fn counts(all: &[Counts]) -> String {
    let mut out = String::from(
        "| plan | games | studied | entries | proved | holds | refuted | none | each may cost |\n|---|--:|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for c in all {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            c.plan, c.games, c.studied, c.entries, c.proved, c.holds, c.refuted, c.none, c.budget
        );
    }
    let sum = |of: fn(&Counts) -> usize| all.iter().map(of).sum::<usize>();
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
