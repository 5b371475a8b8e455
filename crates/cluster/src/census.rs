//! A census: the period of the nim-sequence of every taking-and-breaking code of so many digits.

use crate::plan::{Part, PlanError};
use crate::seal::Rows;
use crate::shard::{Shard, ShardError, Work, number, of_the_machine, rows, word};
use crate::table::{Table, Words};
use bouton_check::{Limits, check_limited};
use bouton_rules::{Budget, Meter, seal};
use bouton_solve::sequence::period::seek;
use bouton_solve::sequence::{Sequence, TakeBreak};
use bouton_store::parquet::{self, Kind, Owned};
use serde::{Deserialize, Serialize};

/// What a plan says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Census {
    /// 4, 8 or 16: digits leave at most one, two or three heaps.
    pub base: u32,
    /// Digits behind the point, at most.
    pub digits: u32,
    /// The largest heap.
    pub to: u64,
}

/// What a shard says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Codes {
    to: u64,
    /// Codes such as 0.137.
    pub games: Vec<String>,
}

/// Codes of a census.
const MOST: u64 = 1 << 20;
/// The largest heap of a census.
const MOST_HEAP: u64 = 1 << 24;
/// Bytes for the values of one code.
const BYTES: u64 = 1 << 30;
/// The checker tries all moves once more up to here; past that it follows the certificate.
const DEPTH: usize = 1_000;

const COLUMNS: [(&str, Kind); 12] = [
    ("game", Kind::Word),
    ("verdict", Kind::Word),
    ("period", Kind::Integer),
    ("preperiod", Kind::Integer),
    ("saltus", Kind::Integer),
    ("exceptions", Kind::Integer),
    ("last_exception", Kind::Integer),
    ("greatest", Kind::Integer),
    ("heaps", Kind::Integer),
    ("reason", Kind::Word),
    ("certificate", Kind::Word),
    ("checked", Kind::Word),
];

impl Census {
    /// The codes, shorter ones first, in the order of their numbers.
    fn codes(&self) -> Result<Vec<String>, PlanError> {
        let Census { base, digits, to } = *self;
        if ![4, 8, 16].contains(&base) {
            return Err(PlanError::Usage(format!("base {base}; accepted: 4, 8 or 16")));
        }
        let size = u64::from(base).checked_pow(digits).filter(|size| digits > 0 && *size <= MOST);
        if size.is_none() {
            return Err(PlanError::Usage(format!(
                "codes of {digits} digits in base {base}; accepted: at least one digit, and at most {MOST} codes"
            )));
        }
        if !(1..=MOST_HEAP).contains(&to) {
            return Err(PlanError::Usage(format!("heaps up to {to}; accepted: 1 to {MOST_HEAP}")));
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

    pub fn parts(&self) -> Result<Vec<Part>, PlanError> {
        let codes = self.codes()?;
        let costs = codes.iter().map(|code| seconds(code, self.to)).collect();
        Ok(Part::divide(&codes, costs, |games| {
            Shard::of(Work::Census(Codes { to: self.to, games: games.to_vec() }))
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
        format!("taking-and-breaking codes 0.d…, base {}, at most {} digits", self.base, self.digits)
    }

    pub fn budget(&self) -> String {
        budget(self.to)
    }
}

fn budget(to: u64) -> String {
    format!("heaps up to {to} a code, {} MB", BYTES >> 20)
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
        budget(self.to)
    }

    pub fn run(&self, budget: &Budget) -> Result<Rows, ShardError> {
        let told = self.games.iter().map(|code| row(code, self.to, budget)).collect::<Result<Vec<_>, _>>()?;
        Ok(rows(&COLUMNS, told))
    }
}

fn row(code: &str, to: u64, budget: &Budget) -> Result<Vec<Owned>, ShardError> {
    let slip = |why: String| ShardError::Game(format!("{code}: {why}"));
    let read = TakeBreak::parse(code).map_err(|error| slip(error.to_string()))?;
    let mut sequence = Sequence::new(read);
    let own = Budget { nodes: None, bytes: Some(BYTES), ..budget.clone() };
    let (found, mut reason) = match seek(&mut sequence, to as usize + 1, &mut Meter::new(&own)) {
        Ok(found) => (found, None),
        Err(limit) if of_the_machine(limit) => return Err(ShardError::Interrupted(limit)),
        Err(limit) => (None, Some(limit.to_string())),
    };
    let (mut verdict, mut certificate, mut checked) = ("unknown", None, None);
    if let Some(found) = &found {
        verdict = "holds";
        if let Some(text) = found.certificate(&sequence).map(|made| made.to_text()) {
            // Steps are counted, so that the answer is the same on every machine.
            let limits = Limits { depth: DEPTH, ..Limits::default() };
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
                    None => reason = Some(format!("the checker had not enough time or memory: {rejected}")),
                },
            }
        }
    }
    let exceptions = found.as_ref().map(|found| found.exceptions(&sequence));
    let of = |value: Option<u64>| value.map_or(Owned::Null, number);
    Ok(vec![
        Owned::Word(sequence.game().to_owned()),
        Owned::Word(verdict.into()),
        of(found.as_ref().map(|found| found.period as u64)),
        of(found.as_ref().map(|found| found.preperiod as u64)),
        of(found.as_ref().map(|found| found.saltus.into())),
        of(exceptions.as_ref().map(|all| all.len() as u64)),
        of(exceptions.as_ref().and_then(|all| all.last()).map(|(heap, _)| *heap as u64)),
        of(sequence.values().max().map(u64::from)),
        number(sequence.len().saturating_sub(1) as u64),
        word(reason),
        word(certificate),
        word(checked),
    ])
}
