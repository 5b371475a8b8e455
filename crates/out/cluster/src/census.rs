//! A census: the period of the nim-sequence of every taking-and-breaking code of so many digits.

use crate::plan::{Part, PlanError};
use crate::seal::Rows;
use crate::shard::{Shard, ShardError, Work, number, of_the_machine, rows, word};
use crate::table::{Table, Words};
use bouton_certificate::seal;
use bouton_check::{Limits, check_limited};
use bouton_core::{Budget, LimitReached, Meter};
use bouton_octal::sequence::recurrence::FULL_PREFIX;
use bouton_octal::sequence::search::{SearchEnd, WINDOW_THRESHOLD};
use bouton_octal::sequence::{PeriodSearch, PeriodSearchReport, Sequence, TakeAndBreakCode};
use bouton_store::parquet::{self, Kind, Owned};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a plan says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Census {
    /// Which codes.
    pub codes: Which,
    /// The largest heap.
    pub to: u64,
    /// Seconds for each code; none gives the same rows on every machine.
    pub each: Option<f64>,
}

/// Codes, by their form or by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// 0.d…, all of them.
    All {
        /// 4, 8 or 16: digits leave at most one, two or three heaps.
        base: u32,
        /// Digits behind the point, at most.
        digits: u32,
    },
    /// These.
    These(Vec<String>),
}

/// What a shard says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Codes {
    to: u64,
    each: Option<f64>,
    /// So many heaps are looked at with all values before a code goes on by its window alone, where it has settled; none where
    /// heaps are few. It stands here since rows that are found so tell less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    windows: Option<u64>,
    /// Codes such as 0.137.
    pub games: Vec<String>,
}

/// Codes of a census.
const MOST: u64 = 1 << 20;
/// The largest heap of a census.
const MOST_HEAP: u64 = 1 << 32;
/// Bytes for the values of one code, where they are few.
const BYTES: u64 = 1 << 30;
/// The checker tries all moves once more up to here; past that it follows the certificate.
const DEPTH: usize = 1_000;

const COLUMNS: [(&str, Kind); 14] = [
    ("game", Kind::Word),
    ("verdict", Kind::Word),
    ("period", Kind::Integer),
    ("preperiod", Kind::Integer),
    ("saltus", Kind::Integer),
    ("exceptions", Kind::Integer),
    ("last_exception", Kind::Integer),
    ("greatest", Kind::Integer),
    ("heaps", Kind::Integer),
    ("rare", Kind::Integer),
    ("last_rare", Kind::Integer),
    ("reason", Kind::Word),
    ("certificate", Kind::Word),
    ("checked", Kind::Word),
];

impl Which {
    /// All codes, shorter ones first, in the order of their numbers; or those that are named, in their order.
    fn codes(&self) -> Result<Vec<String>, PlanError> {
        let (base, digits) = match *self {
            Which::All { base, digits } => (base, digits),
            Which::These(ref codes) => return named(codes),
        };
        if ![4, 8, 16].contains(&base) {
            return Err(PlanError::Usage(format!("base {base}; accepted: 4, 8 or 16")));
        }
        let size = u64::from(base).checked_pow(digits).filter(|size| digits > 0 && *size <= MOST);
        if size.is_none() {
            return Err(PlanError::Usage(format!(
                "codes of {digits} digits in base {base}; accepted: at least one digit, and at most {MOST} codes"
            )));
        }
        let digit =
            |value: u32| char::from_digit(value, base).map_or('0', |digit| digit.to_ascii_uppercase());
        let of_length = |length: u32| {
            (0..base.pow(length)).filter(move |number| number % base != 0).map(move |number| {
                let code: String = (0..length).rev().map(|at| digit(number / base.pow(at) % base)).collect();
                format!("0.{code}")
            })
        };
        Ok((1..=digits).flat_map(of_length).collect())
    }
}

/// Codes as they are written, each of them one.
fn named(codes: &[String]) -> Result<Vec<String>, PlanError> {
    if codes.is_empty() || codes.len() as u64 > MOST {
        return Err(PlanError::Usage(format!("{} codes; accepted: 1 to {MOST}", codes.len())));
    }
    let mut seen = std::collections::HashSet::new();
    for code in codes {
        TakeAndBreakCode::parse(code).map_err(|error| PlanError::Usage(format!("{code}: {error}")))?;
        if !seen.insert(code) {
            return Err(PlanError::Usage(format!("{code} stands there twice; accepted: each code once")));
        }
    }
    Ok(codes.to_vec())
}

impl Census {
    pub fn parts(&self) -> Result<Vec<Part>, PlanError> {
        let Census { to, each, .. } = *self;
        if !(1..=MOST_HEAP).contains(&to) {
            return Err(PlanError::Usage(format!("heaps up to {to}; accepted: 1 to {MOST_HEAP}")));
        }
        if each.is_some_and(|each| !(0.0..=1e9).contains(&each)) {
            return Err(PlanError::Usage("seconds for each code; accepted: a number from 0 to 10^9".into()));
        }
        let codes = self.codes.codes()?;
        let windows = (to >= WINDOW_THRESHOLD as u64).then_some(FULL_PREFIX as u64);
        let cost = |code: &String| seconds(code, to).min(each.unwrap_or(f64::INFINITY));
        Ok(Part::divide(&codes, codes.iter().map(cost).collect(), |games| {
            Shard::of(Work::Census(Codes { to, each, windows, games: games.to_vec() }))
        }))
    }

    /// A row a code; of those that are missing the name alone.
    pub fn table(&self, parts: &[Part], found: &[Option<parquet::Table>]) -> Result<Table, PlanError> {
        let (mut table, mut words) = (Table::new(&COLUMNS), Words::default());
        for (part, found) in parts.iter().zip(found) {
            match (found, part.shard.work()) {
                (Some(found), _) => {
                    found.rows.iter().for_each(|row| table.push(row.iter().cloned(), &mut words))
                }
                (None, Work::Census(codes)) => {
                    for code in &codes.games {
                        let row = std::iter::once(Owned::Word(code.clone()))
                            .chain(std::iter::repeat_n(Owned::Null, COLUMNS.len() - 1));
                        table.push(row, &mut words);
                    }
                }
                _ => {}
            }
        }
        Ok(table)
    }

    pub fn rules(&self) -> String {
        match &self.codes {
            Which::All { base, digits } => {
                format!("taking-and-breaking codes 0.d…, base {base}, at most {digits} digits")
            }
            Which::These(codes) => format!("{} taking-and-breaking codes", codes.len()),
        }
    }

    pub fn budget(&self) -> String {
        budget(self.to, self.each)
    }
}

fn budget(to: u64, each: Option<f64>) -> String {
    let seconds = each.map_or(String::new(), |each| format!(", {each} s"));
    format!("heaps up to {to} a code, {} MB{seconds}", bytes(to) >> 20)
}

/// Bytes for the values of a code: in a sparse space each takes one.
fn bytes(to: u64) -> u64 {
    BYTES.max(2 * to)
}

/// Seconds that a code takes, about (docs/design/cluster.md). Only the size of shards hangs on it.
fn seconds(code: &str, to: u64) -> f64 {
    let (to, three) = (to as f64, code.chars().any(|digit| matches!(digit, '8'..='9' | 'A'..='F')));
    if three { 2.5e-10 * to.powi(3) + 3e-4 } else { 3e-6 * to + 3e-4 }
}

impl Codes {
    pub fn rules(&self) -> String {
        "taking-and-breaking codes, the period of single heaps' nim-values".into()
    }

    pub fn budget(&self) -> String {
        budget(self.to, self.each)
    }

    pub fn run(&self, budget: &Budget) -> Result<Rows, ShardError> {
        let slip = |error| ShardError::Text(format!("seconds for each code: {error}"));
        let each = self.each.map(Duration::try_from_secs_f64).transpose().map_err(slip)?;
        let row = |code: &String| self.row(code, each, budget);
        Ok(rows(&COLUMNS, self.games.iter().map(row).collect::<Result<Vec<_>, _>>()?))
    }

    /// `budget` interrupts; `each` is what the code may take.
    fn row(&self, code: &str, each: Option<Duration>, budget: &Budget) -> Result<Vec<Owned>, ShardError> {
        let slip = |why: String| ShardError::Game(format!("{code}: {why}"));
        let read = TakeAndBreakCode::parse(code).map_err(|error| slip(error.to_string()))?;
        let (most, bytes) = (self.to as usize + 1, bytes(self.to));
        // Other shards have the other processors. All values fit, so which way is taken hangs on the shard alone.
        let search = PeriodSearch {
            bytes: Some(bytes),
            window_threshold: if self.windows.is_some() { 0 } else { most },
            full_prefix: self.windows.map_or(most, |windows| windows as usize),
            threads: 1,
            ..PeriodSearch::new(most)
        };
        let all = Budget { nodes: None, bytes: Some(bytes), ..budget.clone() };
        let own = each.map_or_else(|| all.clone(), |each| all.within(each));
        let searched = search.run(Sequence::new(read).with_threads(1), &mut Meter::new(&own));
        let PeriodSearchReport { sequence, found, heaps, end } =
            searched.map_err(|error| slip(error.to_string()))?;
        let mut reason = match end {
            // Its own time is up, and nobody else's.
            Some(SearchEnd::LimitReached(limit @ LimitReached::Time(_))) if all.interrupted().is_none() => {
                Some(limit.to_string())
            }
            Some(SearchEnd::LimitReached(limit)) if of_the_machine(limit) => {
                return Err(ShardError::Interrupted(limit));
            }
            end => end.map(|end| end.to_string()),
        };
        // Found by the window alone.
        let is_far = heaps > sequence.len();
        let rares = sequence.rares().map(|(_, rares)| rares);
        let (mut verdict, mut certificate, mut checked) = ("unknown", None, None);
        if let Some(found) = &found {
            verdict = "holds";
            if let Some(text) = found.certificate(&sequence).map(|made| made.to_text()) {
                // Steps are counted, so that the answer is the same on every machine.
                let limits = limits(found.compared, rares.as_ref().map_or(0, Vec::len));
                match check_limited(&text, &limits, &mut || budget.interrupted().is_none()) {
                    Ok(accepted) => {
                        verdict = "proved";
                        checked = Some(accepted.work);
                        certificate = seal(&text).map(str::to_owned);
                    }
                    Err(rejected) => match budget.interrupted() {
                        Some(limit) => return Err(ShardError::Interrupted(limit)),
                        None if rejected.reason.is_verdict() => {
                            return Err(slip(format!("the certificate was {rejected}; please report this")));
                        }
                        None => {
                            reason = Some(format!("the checker had not enough time or memory: {rejected}"))
                        }
                    },
                }
            }
        }
        let exceptions =
            found.filter(|found| found.is_kept(&sequence)).map(|found| found.exceptions(&sequence));
        let last_exception = match (&exceptions, &found) {
            (Some(all), _) => all.last().map(|(heap, _)| *heap as u64),
            // The preperiod is the least there is.
            (None, Some(found)) => found.preperiod.checked_sub(1).map(|heap| heap as u64),
            (None, None) => None,
        };
        let of = |value: Option<u64>| value.map_or(Owned::Null, number);
        Ok(vec![
            Owned::Word(sequence.game().to_owned()),
            Owned::Word(verdict.into()),
            of(found.as_ref().map(|found| found.period as u64)),
            of(found.as_ref().map(|found| found.preperiod as u64)),
            of(found.as_ref().map(|found| found.saltus.into())),
            of(exceptions.as_ref().map(|all| all.len() as u64)),
            of(last_exception),
            of(sequence.values().max().filter(|_| !is_far).map(u64::from)),
            number(heaps.saturating_sub(1) as u64),
            of(rares.as_ref().map(|all| all.len() as u64)),
            of(rares.as_ref().and_then(|all| all.last()).map(|heap| *heap as u64)),
            word(reason),
            word(certificate),
            word(checked),
        ])
    }
}

/// What the check of so many values may take: 0.454, the longest that is known to end, takes a hundred steps a value; each rare
/// heap takes two for each move that leaves two heaps.
fn limits(values: usize, rares: usize) -> Limits {
    let least = Limits::default();
    let steps = values as u64 * (400 + 8 * rares as u64);
    let (steps, bytes) = (least.steps.max(steps), least.bytes.max(values * 8));
    Limits { depth: DEPTH, steps, bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(windows: Option<u64>, games: &[&str]) -> Vec<Vec<Owned>> {
        let games = games.iter().map(|game| (*game).to_owned()).collect();
        let shard = Shard::of(Work::Census(Codes { to: 1 << 21, each: None, windows, games }));
        // As a worker reads it.
        let shard = Shard::parse(shard.text()).expect("a shard");
        let bytes = shard.run(&Budget::default()).expect("rows");
        assert_eq!(shard.run(&Budget::default()).expect("rows"), bytes);
        shard.open(bytes).expect("its own file").rows
    }

    /// With windows and without, rows say the same, but for what is told of values that are not kept: 0.16 is found by its window,
    /// Kayles before there is one, 0.276 never settles, and 0.106 has its period far away.
    #[test]
    fn windows_change_no_row() {
        let games = ["0.16", "0.77", "0.106", "0.3"];
        let (near, far) = (rows(None, &games), rows(Some(200_000), &games));
        let at = |name: &str| COLUMNS.iter().position(|(column, _)| *column == name).expect("a column");
        let (exceptions, greatest) = (at("exceptions"), at("greatest"));
        let told_of_kept = [exceptions, greatest, at("heaps"), at("certificate"), at("checked")];
        for (game, (near, far)) in games.iter().zip(near.iter().zip(&far)) {
            let is_far = ["0.16", "0.106"].contains(game);
            for (column, (name, _)) in COLUMNS.iter().enumerate() {
                if is_far && told_of_kept.contains(&column) {
                    continue;
                }
                assert_eq!(near[column], far[column], "{game}, {name}");
            }
            assert_eq!(far[greatest] == Owned::Null, is_far, "{game}");
        }
        // A. Gangolli, T. Plambeck 1989.
        let period = [at("verdict"), at("period"), at("preperiod"), at("last_exception")];
        let of = |row: &[Owned]| period.map(|column| row[column].clone());
        let number = Owned::Integer;
        let known = [Owned::Word("proved".into()), number(149_459), number(105_351), number(105_350)];
        assert_eq!([of(&near[0]), of(&far[0])], [known.clone(), known]);
    }

    /// Shards of few heaps are named as ever, those of many say that windows are looked at.
    #[test]
    fn only_long_shards_name_windows() {
        let text = |to: u64| {
            let census = Census { codes: Which::These(vec!["0.104".into()]), to, each: None };
            census.parts().expect("a plan")[0].shard.text().to_owned()
        };
        assert!(!text(WINDOW_THRESHOLD as u64 - 1).contains("windows"));
        assert!(text(WINDOW_THRESHOLD as u64).contains("\"windows\":4194304"));
    }
}
