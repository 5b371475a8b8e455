//! Censuses: the period of the nim-sequence of every take-and-break code up to a number of digits.

use crate::plan::{PlanError, PlannedShard};
use crate::shard::{Shard, ShardError, is_external};
use crate::table::{ResultTable, TextInterner};
use crate::work::{PlanWork, ShardWork, WorkKind};
use bouton_certificate::seal;
use bouton_check::{Limits, check_limited};
use bouton_core::{Budget, LimitReached, Meter};
use bouton_octal::sequence::recurrence::FULL_PREFIX;
use bouton_octal::sequence::search::{SearchEnd, WINDOW_THRESHOLD};
use bouton_octal::sequence::{PeriodSearch, PeriodSearchReport, Sequence, TakeAndBreakCode};
use bouton_store::UsageError;
use bouton_store::parquet::{Cell, ColumnKind, ParquetTable};
use bouton_store::sealed::Rows;
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) static KIND: WorkKind = WorkKind::new::<CensusPlan, CensusShard>("census");

/// The content of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CensusPlan {
    /// The codes.
    pub codes: CodeSet,
    /// The largest heap.
    pub to: u64,
    /// Seconds per code. Without them every machine computes the same rows.
    pub each: Option<f64>,
}

/// Take-and-break codes, by their form or by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum CodeSet {
    /// All codes 0.d….
    All {
        /// 4, 8 or 16: a digit leaves at most one, two or three heaps.
        base: u32,
        /// The greatest number of digits after the point.
        digits: u32,
    },
    /// The codes of a list.
    #[serde(rename = "these")]
    Listed(Vec<String>),
}

/// The content of a shard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CensusShard {
    to: u64,
    each: Option<f64>,
    /// The number of heaps computed with all values before a code whose values have settled
    /// continues by its window alone; `None` if there are too few heaps for windows. The number is
    /// part of the text because rows found by windows have fewer columns filled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    windows: Option<u64>,
    /// Codes such as 0.137.
    games: Vec<String>,
}

/// The greatest number of codes of a census.
const MAX_CODES: u64 = 1 << 20;
/// The greatest heap of a census.
const MAX_HEAP: u64 = 1 << 32;
/// The least memory for the values of one code, in bytes.
const MIN_BYTES: u64 = 1 << 30;
/// The depth to which the checker tries all moves again; beyond it, the checker follows the
/// certificate.
const DEPTH: usize = 1_000;

const COLUMNS: [(&str, ColumnKind); 14] = [
    ("game", ColumnKind::Text),
    ("verdict", ColumnKind::Text),
    ("period", ColumnKind::Integer),
    ("preperiod", ColumnKind::Integer),
    ("saltus", ColumnKind::Integer),
    ("exceptions", ColumnKind::Integer),
    ("last_exception", ColumnKind::Integer),
    ("greatest", ColumnKind::Integer),
    ("heaps", ColumnKind::Integer),
    ("rare", ColumnKind::Integer),
    ("last_rare", ColumnKind::Integer),
    ("reason", ColumnKind::Text),
    ("certificate", ColumnKind::Text),
    ("checked", ColumnKind::Text),
];

impl CodeSet {
    /// Returns all codes, shorter ones first, then by their numbers; or those of the list, in its
    /// order.
    fn codes(&self) -> Result<Vec<String>, PlanError> {
        let (base, digits) = match *self {
            CodeSet::All { base, digits } => (base, digits),
            CodeSet::Listed(ref codes) => return check_listed(codes),
        };
        if ![4, 8, 16].contains(&base) {
            return Err(UsageError::new(format!("base {base}"), "4, 8 or 16").into());
        }
        let size =
            u64::from(base).checked_pow(digits).filter(|size| digits > 0 && *size <= MAX_CODES);
        if size.is_none() {
            return Err(UsageError::new(
                format!("codes of {digits} digits in base {base}"),
                format!("at least one digit, and at most {MAX_CODES} codes"),
            )
            .into());
        }
        let digit = |value: u32| {
            char::from_digit(value, base).map_or('0', |digit| digit.to_ascii_uppercase())
        };
        let of_length = |length: u32| {
            (0..base.pow(length)).filter(move |number| number % base != 0).map(move |number| {
                let code: String =
                    (0..length).rev().map(|at| digit(number / base.pow(at) % base)).collect();
                format!("0.{code}")
            })
        };
        Ok((1..=digits).flat_map(of_length).collect())
    }
}

/// Returns the codes if each can be read and occurs once.
fn check_listed(codes: &[String]) -> Result<Vec<String>, PlanError> {
    if codes.is_empty() || codes.len() as u64 > MAX_CODES {
        return Err(
            UsageError::new(format!("{} codes", codes.len()), format!("1 to {MAX_CODES}")).into()
        );
    }
    let mut seen = std::collections::HashSet::new();
    for code in codes {
        TakeAndBreakCode::parse(code).map_err(|error| UsageError::from(error).at(code))?;
        if !seen.insert(code) {
            return Err(
                UsageError::new(format!("{code} stands there twice"), "each code once").into()
            );
        }
    }
    Ok(codes.to_vec())
}

impl PlanWork for CensusPlan {
    fn kind(&self) -> &'static WorkKind {
        &KIND
    }

    fn rules(&self) -> String {
        match &self.codes {
            CodeSet::All { base, digits } => {
                format!("taking-and-breaking codes 0.d…, base {base}, at most {digits} digits")
            }
            CodeSet::Listed(codes) => format!("{} taking-and-breaking codes", codes.len()),
        }
    }

    fn budget(&self) -> String {
        budget_text(self.to, self.each)
    }

    fn shards(&self) -> Result<Vec<PlannedShard>, PlanError> {
        let CensusPlan { to, each, .. } = *self;
        if !(1..=MAX_HEAP).contains(&to) {
            return Err(
                UsageError::new(format!("heaps up to {to}"), format!("1 to {MAX_HEAP}")).into()
            );
        }
        if each.is_some_and(|each| !(0.0..=1e9).contains(&each)) {
            return Err(UsageError::new("seconds for each code", "a number from 0 to 10^9").into());
        }
        let codes = self.codes.codes()?;
        let windows = (to >= WINDOW_THRESHOLD as u64).then_some(FULL_PREFIX as u64);
        let cost = |code: &String| expected_seconds(code, to).min(each.unwrap_or(f64::INFINITY));
        let costs: Vec<f64> = codes.iter().map(cost).collect();
        Ok(PlannedShard::divide(&codes, &costs, |games| {
            Shard::new(CensusShard { to, each, windows, games: games.to_vec() })
        }))
    }

    /// Returns a row per code. The row of a code whose file is missing has the name only.
    fn table(
        &self,
        shards: &[PlannedShard],
        files: &[Option<ParquetTable>],
    ) -> Result<ResultTable, PlanError> {
        let (mut table, mut texts) = (ResultTable::new(&COLUMNS), TextInterner::default());
        let mut codes = self.codes.codes()?.into_iter();
        for (PlannedShard { shard, .. }, file) in shards.iter().zip(files) {
            let codes = codes.by_ref().take(shard.games());
            match file {
                Some(file) => {
                    codes.for_each(drop);
                    file.rows.iter().for_each(|row| table.push(row.iter().cloned(), &mut texts));
                }
                None => codes.for_each(|code| {
                    let nulls = std::iter::repeat_n(Cell::Null, COLUMNS.len() - 1);
                    table.push(std::iter::once(Cell::Text(code.into())).chain(nulls), &mut texts);
                }),
            }
        }
        Ok(table)
    }
}

fn budget_text(to: u64, each: Option<f64>) -> String {
    let seconds = each.map_or(String::new(), |each| format!(", {each} s"));
    format!("heaps up to {to} a code, {} MB{seconds}", bytes(to) >> 20)
}

/// Returns the memory for the values of a code. In a sparse space each value takes one byte.
fn bytes(to: u64) -> u64 {
    MIN_BYTES.max(2 * to)
}

/// Returns the expected seconds of a code (docs/design/cluster.md). Only the size of shards depends
/// on it.
fn expected_seconds(code: &str, to: u64) -> f64 {
    let leaves_three = code.chars().any(|digit| matches!(digit, '8'..='9' | 'A'..='F'));
    let to = to as f64;
    if leaves_three { 2.5e-10 * to.powi(3) + 3e-4 } else { 3e-6 * to + 3e-4 }
}

/// The certificate of a period, accepted by the checker.
struct CheckedCertificate {
    hash: Option<String>,
    work: String,
}

impl ShardWork for CensusShard {
    fn kind(&self) -> &'static WorkKind {
        &KIND
    }

    fn games(&self) -> usize {
        self.games.len()
    }

    fn rules(&self) -> String {
        "taking-and-breaking codes, the period of single heaps' nim-values".into()
    }

    fn budget(&self) -> String {
        budget_text(self.to, self.each)
    }

    fn run(&self, budget: &Budget) -> Result<Rows, ShardError> {
        let each = self.each.map(Duration::try_from_secs_f64).transpose();
        let each = each.map_err(|error| {
            ShardError::game(format!("not the text of a shard: seconds for each code: {error}"))
        })?;
        let row = |code: &String| self.row(code, each, budget);
        let rows = self.games.iter().map(row).collect::<Result<Vec<_>, _>>()?;
        Ok(Rows { columns: COLUMNS.to_vec(), rows })
    }
}

impl CensusShard {
    /// Computes the row of a code. `each` limits the code; `budget` only interrupts.
    fn row(
        &self,
        code: &str,
        each: Option<Duration>,
        budget: &Budget,
    ) -> Result<Vec<Cell<'static>>, ShardError> {
        let game_error = |why: String| ShardError::game(format!("{code}: {why}"));
        let parsed =
            TakeAndBreakCode::parse(code).map_err(|error| game_error(error.to_string()))?;
        let (most, bytes) = (self.to as usize + 1, bytes(self.to));
        // One thread, because other shards use the other processors. All values fit into memory, so
        // the method depends on the shard alone.
        let search = PeriodSearch {
            bytes: Some(bytes),
            window_threshold: if self.windows.is_some() { 0 } else { most },
            full_prefix: self.windows.map_or(most, |windows| windows as usize),
            threads: 1,
            ..PeriodSearch::new(most)
        };
        let all = Budget { nodes: None, bytes: Some(bytes), ..budget.clone() };
        let own = each.map_or_else(|| all.clone(), |each| all.within(each));
        let report = search.run(Sequence::new(parsed).with_threads(1), &mut Meter::new(&own));
        let PeriodSearchReport { sequence, found: period, heaps, end } =
            report.map_err(|error| game_error(error.to_string()))?;
        let mut reason = match end {
            // The time of this code is exhausted, not that of the run.
            Some(SearchEnd::LimitReached(limit @ LimitReached::Time(_)))
                if all.interrupted().is_none() =>
            {
                Some(limit.to_string())
            }
            Some(SearchEnd::LimitReached(limit)) if is_external(limit) => {
                return Err(ShardError::Interrupted(limit));
            }
            end => end.map(|end| end.to_string()),
        };
        let is_found_by_window = heaps > sequence.len();
        let rares = sequence.rares().map(|(_, rares)| rares);
        let mut certificate = None;
        if let Some(period) = &period
            && let Some(text) = period.certificate(&sequence).map(|made| made.to_text())
        {
            let limits = check_limits(period.compared, rares.as_ref().map_or(0, Vec::len));
            match check_limited(&text, &limits, &mut || budget.interrupted().is_none()) {
                Ok(accepted) => {
                    let hash = seal(&text).map(str::to_owned);
                    certificate = Some(CheckedCertificate { hash, work: accepted.work });
                }
                Err(rejected) => match budget.interrupted() {
                    Some(limit) => return Err(ShardError::Interrupted(limit)),
                    None if rejected.reason.is_verdict() => {
                        return Err(game_error(format!(
                            "the certificate was {rejected}; please report this"
                        )));
                    }
                    None => {
                        reason =
                            Some(format!("the checker had not enough time or memory: {rejected}"))
                    }
                },
            }
        }
        let verdict = match (&certificate, &period) {
            (Some(_), _) => "proved",
            (None, Some(_)) => "holds",
            (None, None) => "unknown",
        };
        let (hash, checked) =
            certificate.map_or((None, None), |found| (found.hash, Some(found.work)));
        let exceptions = period
            .as_ref()
            .filter(|period| period.is_kept(&sequence))
            .map(|period| period.exceptions(&sequence));
        let last_exception = match (&exceptions, &period) {
            (Some(all), _) => all.last().map(|(heap, _)| *heap as u64),
            // The preperiod is the least possible one.
            (None, Some(period)) => period.preperiod.checked_sub(1).map(|heap| heap as u64),
            (None, None) => None,
        };
        let number = |value: Option<u64>| value.map_or(Cell::Null, Cell::from_number);
        Ok(vec![
            Cell::Text(sequence.game().to_owned().into()),
            Cell::Text(verdict.into()),
            number(period.as_ref().map(|period| period.period as u64)),
            number(period.as_ref().map(|period| period.preperiod as u64)),
            number(period.as_ref().map(|period| period.saltus.into())),
            number(exceptions.as_ref().map(|all| all.len() as u64)),
            number(last_exception),
            number(sequence.values().max().filter(|_| !is_found_by_window).map(u64::from)),
            Cell::from_number(heaps.saturating_sub(1) as u64),
            number(rares.as_ref().map(|all| all.len() as u64)),
            number(rares.as_ref().and_then(|all| all.last()).map(|heap| *heap as u64)),
            Cell::from_text(reason),
            Cell::from_text(hash),
            Cell::from_text(checked),
        ])
    }
}

/// Returns the limits of the checker for a certificate of this many values. The limits count steps,
/// not time, so that every machine gives the same answer. 0.454, the longest computation that is
/// known to end, takes a hundred steps per value; each rare heap takes two for each move that
/// leaves two heaps.
fn check_limits(values: usize, rares: usize) -> Limits {
    let least = Limits::default();
    let steps = values as u64 * (400 + 8 * rares as u64);
    let (steps, bytes) = (least.steps.max(steps), least.bytes.max(values * 8));
    Limits { depth: DEPTH, steps, bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(windows: Option<u64>, games: &[&str]) -> Vec<Vec<Cell<'static>>> {
        let games = games.iter().map(|game| (*game).to_owned()).collect();
        let shard = Shard::new(CensusShard { to: 1 << 21, each: None, windows, games });
        // A worker reads the text.
        let shard = Shard::parse(shard.text()).expect("a shard");
        let bytes = shard.run(&Budget::default()).expect("rows");
        assert_eq!(shard.run(&Budget::default()).expect("rows"), bytes);
        shard.open(bytes).expect("its own file").rows
    }

    /// Rows agree with and without windows, except for columns that need values which windows do
    /// not keep. The period of 0.16 is found by its window and that of Kayles before there is one;
    /// 0.106 has a long preperiod.
    #[test]
    fn windows_change_no_row() {
        let games = ["0.16", "0.77", "0.106", "0.3"];
        let (full, windowed) = (rows(None, &games), rows(Some(200_000), &games));
        let at =
            |name: &str| COLUMNS.iter().position(|(column, _)| *column == name).expect("a column");
        let (exceptions, greatest) = (at("exceptions"), at("greatest"));
        let needs_values = [exceptions, greatest, at("heaps"), at("certificate"), at("checked")];
        for (game, (full, windowed)) in games.iter().zip(full.iter().zip(&windowed)) {
            let is_windowed = ["0.16", "0.106"].contains(game);
            for (column, (name, _)) in COLUMNS.iter().enumerate() {
                if is_windowed && needs_values.contains(&column) {
                    continue;
                }
                assert_eq!(full[column], windowed[column], "{game}, {name}");
            }
            assert_eq!(windowed[greatest] == Cell::Null, is_windowed, "{game}");
        }
        // A. Gangolli, T. Plambeck 1989.
        let period = [at("verdict"), at("period"), at("preperiod"), at("last_exception")];
        let columns = |row: &[Cell<'static>]| period.map(|column| row[column].clone());
        let number = Cell::Integer;
        let known =
            [Cell::Text("proved".into()), number(149_459), number(105_351), number(105_350)];
        assert_eq!([columns(&full[0]), columns(&windowed[0])], [known.clone(), known]);
    }

    /// The text of a shard mentions windows only if its heaps reach the threshold.
    #[test]
    fn only_long_shards_name_windows() {
        let text = |to: u64| {
            let census =
                CensusPlan { codes: CodeSet::Listed(vec!["0.104".into()]), to, each: None };
            census.shards().expect("a plan")[0].shard.text().to_owned()
        };
        assert!(!text(WINDOW_THRESHOLD as u64 - 1).contains("windows"));
        assert!(text(WINDOW_THRESHOLD as u64).contains("\"windows\":4194304"));
    }
}
