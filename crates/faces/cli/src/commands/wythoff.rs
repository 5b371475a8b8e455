//! `bouton wythoff`: nim-values of Wythoff's game in a rectangle, and the additive periods of its
//! rows.

use super::{BudgetArgs, TableFile};
use crate::context::Context;
use crate::error::CommandError;
use crate::{Status, progress};
use bouton_core::Meter;
use bouton_heaps::wythoff::{MAX_ROWS, Wythoff};
use bouton_report::answers::Reason;
use bouton_report::answers::tables::{ProvedTag, WythoffPeriods, WythoffRow, WythoffValues};
use bouton_report::write_json;
use clap::Args;
use std::io::Write;

/// Find and prove the periods of the rows of Wythoff's game, or list its nim-values
#[derive(Debug, Args)]
#[command(
    name = "wythoff",
    after_help = "\
Examples:
  bouton wythoff --rows 12
  bouton wythoff --rows 143 --columns 2000000 --json
  bouton wythoff --rows 25 --columns 25 --values

Exit status 1 if the columns do not suffice to prove the periods of all rows."
)]
pub struct WythoffRows {
    /// Use rows 0 to N − 1
    #[arg(long, value_name = "N", value_parser = super::number::<usize>, default_value_t = 12)]
    rows: usize,
    /// Compute N columns
    #[arg(long, value_name = "N", value_parser = super::number::<usize>, default_value_t = 1 << 16)]
    columns: usize,
    /// Print the nim-values instead, a line of comma-separated values for each row
    #[arg(long)]
    values: bool,
    #[command(flatten)]
    pub answer: TableFile,
    #[command(flatten)]
    budget: BudgetArgs,
}

impl WythoffRows {
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        let as_json = context.json;
        let mut table = Wythoff::new(self.rows).ok_or_else(|| {
            CommandError::Usage(format!("{} rows are too many; the most is {MAX_ROWS}", self.rows))
        })?;
        let what = format!("{} rows of Wythoff's game", self.rows);
        let end = progress::watched(context, &what, &self.budget.budget(context), |budget| {
            table.extend(self.columns, &mut Meter::new(&budget))
        });
        let mut out = std::io::BufWriter::new(context.out());
        let columns = table.columns();
        if self.values {
            let row = |k: usize| (0..columns).map(|n| table.value(k, n)).collect::<Vec<u32>>();
            if as_json {
                let rows: Vec<Vec<u32>> = (0..self.rows).map(row).collect();
                write_json(&mut out, &WythoffValues { game: "wythoff", values: rows })?;
            } else {
                for k in 0..self.rows {
                    let line: Vec<String> = row(k).iter().map(u32::to_string).collect();
                    writeln!(out, "{}", line.join(","))?;
                }
            }
            out.flush()?;
        } else {
            let periods = table.periods();
            if as_json {
                let rows = periods.iter().map(|row| WythoffRow {
                    period: row.period,
                    preperiod: row.preperiod,
                    joint: row.joint,
                    joint_from: row.joint_from,
                });
                let found = WythoffPeriods {
                    game: "wythoff",
                    columns,
                    verdict: ProvedTag::Proved,
                    rows: rows.collect(),
                    reason: end.as_ref().err().map(Reason::new),
                };
                write_json(&mut out, &found)?;
            } else if context.csv {
                writeln!(out, "row,period,start")?;
                for (k, row) in periods.iter().enumerate() {
                    writeln!(out, "{k},{},{}", row.period, row.preperiod)?;
                }
            } else {
                writeln!(
                    out,
                    "G(k, n + period) = G(k, n) + period for n from `start` on; proved by \
                     repeated state"
                )?;
                writeln!(out, "{:>6} {:>10} {:>10}", "row k", "period", "start")?;
                for (k, row) in periods.iter().enumerate() {
                    writeln!(out, "{k:>6} {:>10} {:>10}", row.period, row.preperiod)?;
                }
            }
            out.flush()?;
            if periods.len() < self.rows && end.is_ok() {
                eprintln!(
                    "unknown from row {} on: {columns} columns do not suffice",
                    periods.len()
                );
                return Ok(Status::Negative);
            }
        }
        match end {
            Ok(()) => Ok(Status::Done),
            Err(spent) => {
                eprintln!("unknown from column {columns} on ({spent})");
                Ok(Status::Negative)
            }
        }
    }
}
