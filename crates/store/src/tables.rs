//! Claims that are tables: nim-values, records, periods, single positions, rows and lines of Wythoff's game.
//!
//! What is published lies in tests/oracles, each entry with the row of the ledger it belongs to. Here every entry of a
//! row is computed anew. A table is finite: all of it is computed, or the verdict says how far. Periods are proved, and
//! the certificate is given to the independent checker; periods of Wythoff's rows are proved by repeated state. Some
//! claims have no table: that lines of Wythoff's game hold every number once, and that nim-values add.

use crate::verify::VerifyError;
use bouton_ledger::Claim;
use bouton_rules::{Nimber, Outcome, Play, mex};
use bouton_solve::game::{Game, Settings};
use bouton_solve::sequence::Sequence;
use bouton_solve::sequence::period::seek;
use bouton_solve::wythoff::{RowPeriod, Wythoff};
use bouton_solve::{Budget, LimitReached, Meter};
use std::collections::{BTreeSet, HashMap};
use toml::{Table, Value};

/// The published tables, embedded.
const FILES: &[&str] = &[
    include_str!("../../../tests/oracles/grundy.toml"),
    include_str!("../../../tests/oracles/kayles.toml"),
    include_str!("../../../tests/oracles/moore.toml"),
    include_str!("../../../tests/oracles/nim.toml"),
    include_str!("../../../tests/oracles/wythoff.toml"),
];

/// What became of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// For all sizes, or of a finite table for all of it.
    Proved,
    /// As far as computed; the words say how far.
    Holds,
    /// Not computed.
    Unknown,
    /// Something else is true; the words say what.
    Refuted,
}

/// One entry, settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// What is said of it.
    pub verdict: Verdict,
    /// What was computed.
    pub words: String,
}

/// The entries of a claim.
#[derive(Debug, Clone)]
pub struct TableClaim {
    id: String,
    /// Kinds and entries.
    entries: Vec<(String, Table)>,
}

/// Why an entry cannot be read.
type Slip = String;

impl TableClaim {
    /// Gathers the tables of a claim; `None` where it has none, or is a form of P-positions for the prover.
    pub fn read(claim: &Claim) -> Result<Option<TableClaim>, VerifyError> {
        let misere = claim.is_misere();
        if claim.form.is_some() && !misere {
            return Ok(None);
        }
        let slip = |error: toml::de::Error| VerifyError::Formula(claim.id.clone(), error.to_string());
        let mut entries = Vec::new();
        if claim.more.contains_key("table") && claim.more.get("for").is_none() {
            let mut entry = claim.more.clone();
            entry.insert("game".into(), claim.game.clone().into());
            entry.extend(claim.form.clone().map(|form| ("form".to_owned(), form.into())));
            entries.extend(claim.more["table"].as_str().map(|kind| (kind.to_owned(), entry)));
        }
        for file in FILES {
            let tables: Table = file.parse().map_err(slip)?;
            for (kind, found) in &tables {
                let found = found.as_array().into_iter().flatten().filter_map(Value::as_table);
                let ours =
                    found.filter(|entry| entry.get("claim").and_then(Value::as_str) == Some(&claim.id));
                entries.extend(ours.map(|entry| (kind.clone(), entry.clone())));
            }
        }
        Ok((!entries.is_empty()).then(|| TableClaim { id: claim.id.clone(), entries }))
    }
}

impl TableClaim {
    /// Computes every entry, the periods of Wythoff's rows together.
    pub fn verify(&self) -> Result<Vec<Settled>, VerifyError> {
        let slip = |error: Slip| VerifyError::Formula(self.id.clone(), error);
        let mut all = Vec::new();
        let (rows, others): (Vec<_>, Vec<_>) = self.entries.iter().partition(|(_, e)| e.contains_key("row"));
        for (kind, entry) in others {
            all.push(settle(kind, entry).map_err(slip)?);
        }
        if !rows.is_empty() {
            all.push(
                row_periods(&rows.into_iter().map(|(_, entry)| entry).collect::<Vec<_>>()).map_err(slip)?,
            );
        }
        Ok(all)
    }
}

/// The verdict on a claim, from those on its entries: the worst.
pub fn verdict(entries: &[Settled]) -> Verdict {
    entries.iter().map(|entry| entry.verdict).max().unwrap_or(Verdict::Unknown)
}

impl Settled {
    fn new(verdict: Verdict, words: impl Into<String>) -> Settled {
        Settled { verdict, words: words.into() }
    }
}

/// Values of Wythoff's rows are computed so far to prove their periods.
const ROW_COLUMNS: usize = 1 << 16;

fn number(entry: &Table, key: &str) -> Result<usize, Slip> {
    let number = entry.get(key).and_then(Value::as_integer).and_then(|n| usize::try_from(n).ok());
    number.ok_or_else(|| format!("`{key}` should be a number"))
}

fn numbers(value: &Value) -> Result<Vec<usize>, Slip> {
    let all = value.as_array().into_iter().flatten();
    all.map(|n| {
        n.as_integer().and_then(|n| usize::try_from(n).ok()).ok_or_else(|| format!("{n} is no number"))
    })
    .collect()
}

fn list(entry: &Table, key: &str) -> Result<Vec<usize>, Slip> {
    numbers(entry.get(key).ok_or_else(|| format!("`{key}` is missing"))?)
}

fn text<'e>(entry: &'e Table, key: &str) -> Result<&'e str, Slip> {
    entry.get(key).and_then(Value::as_str).ok_or_else(|| format!("`{key}` should be a text"))
}

fn game(name: &str) -> Result<Box<dyn Game>, Slip> {
    Ok(bouton_games::parse(name).map_err(|error| error.to_string())?.game)
}

fn meter() -> Meter {
    Meter::new(&Budget::default())
}

fn spent(spent: LimitReached) -> Settled {
    Settled::new(Verdict::Unknown, spent.to_string())
}

fn sequence(entry: &Table) -> Result<Sequence, Slip> {
    let name = text(entry, "game")?;
    let moves = game(name)?.heap_moves().ok_or_else(|| format!("{name} is not played in single heaps"))?;
    Sequence::of(&moves).map_err(|error| error.to_string())
}

fn settle(kind: &str, entry: &Table) -> Result<Settled, Slip> {
    match kind {
        "values" => {
            let (mut sequence, from) = (sequence(entry)?, number(entry, "from")?);
            let (game, printed) = (text(entry, "game")?, list(entry, "values")?);
            if let Err(end) = sequence.extend(from + printed.len(), &mut meter()) {
                return Ok(spent(end));
            }
            let wrong = (from..).zip(&printed).find(|(n, value)| sequence.value(*n) as usize != **value);
            Ok(match wrong {
                Some((n, printed)) => {
                    let words = format!("G({n}) of {game} is {}, printed {printed}", sequence.value(n));
                    Settled::new(Verdict::Refuted, words)
                }
                None => {
                    Settled::new(Verdict::Proved, format!("{} values of {game} from {from}", printed.len()))
                }
            })
        }
        "greatest" => greatest(entry),
        "period" => period(entry),
        "mex" => {
            let of = list(entry, "of")?.into_iter().map(|v| Nimber(v as u32));
            Ok(exact(&format!("mex {:?}", list(entry, "of")?), mex(of).0 as usize, number(entry, "value")?))
        }
        "nim_sum" => {
            let of = list(entry, "of")?;
            Ok(exact(&format!("nim-sum {of:?}"), of.iter().fold(0, |a, b| a ^ b), number(entry, "value")?))
        }
        "position" => position(entry),
        "grid" => grid(entry),
        "boxes" => boxes(entry),
        "lines" => lines(number(entry, "size")?, number(entry, "diagonals")?),
        "sums" => sums(entry),
        kind => Err(format!("no engine for tables of kind `{kind}`")),
    }
}

fn exact(what: &str, found: usize, printed: usize) -> Settled {
    if found == printed {
        Settled::new(Verdict::Proved, format!("{what} = {found}"))
    } else {
        Settled::new(Verdict::Refuted, format!("{what} is {found}, printed {printed}"))
    }
}

/// The greatest value of the heaps in a range, and all heaps that have it.
fn greatest(entry: &Table) -> Result<Settled, Slip> {
    let (from, to, value) = (number(entry, "from")?, number(entry, "to")?, number(entry, "value")?);
    let mut sequence = sequence(entry)?;
    if let Err(end) = sequence.extend(to + 1, &mut meter()) {
        return Ok(spent(end));
    }
    let most = (from..=to).map(|n| sequence.value(n)).max().unwrap_or(0);
    let at: Vec<usize> = (from..=to).filter(|n| sequence.value(*n) == most).collect();
    let words = format!("the greatest of heaps {from}..{to} is {most}, at {at:?}");
    let right = most as usize == value && at == list(entry, "at")?;
    Ok(Settled::new(if right { Verdict::Proved } else { Verdict::Refuted }, words))
}

/// A period, with its exceptions and its values: proved, and the proof accepted by the checker.
fn period(entry: &Table) -> Result<Settled, Slip> {
    let mut sequence = sequence(entry)?;
    let name = text(entry, "game")?;
    let found = match seek(&mut sequence, 1 << 20, &mut meter()) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(Settled::new(Verdict::Unknown, "no period seen")),
        Err(end) => return Ok(spent(end)),
    };
    let says = |key: &str, value: usize| entry.get(key).is_none() || number(entry, key) == Ok(value);
    let exceptions: Vec<Vec<usize>> =
        found.exceptions(&sequence).into_iter().map(|(n, v)| vec![n, v as usize]).collect();
    let printed = match entry.get("exceptions").and_then(Value::as_array) {
        Some(list) => list.iter().map(numbers).collect::<Result<Vec<_>, _>>()?,
        None => exceptions.clone(),
    };
    let cycle: Vec<usize> = found.cycle(&sequence).map(|v| v as usize).collect();
    let right = says("period", found.period)
        && says("preperiod", found.preperiod)
        && says("saltus", found.saltus as usize)
        && printed == exceptions
        && (entry.get("values").is_none() || list(entry, "values")? == cycle);
    let words = format!(
        "{name}: period {} from {} on, {} exceptions",
        found.period,
        found.preperiod,
        exceptions.len()
    );
    let accepted = found.certificate(&sequence).map(|c| bouton_check::check(&c.to_text()));
    Ok(match (right, accepted) {
        (false, _) => Settled::new(Verdict::Refuted, format!("{words}; printed otherwise")),
        (true, None) => Settled::new(Verdict::Holds, format!("{words}, as far as {}", found.compared)),
        (true, Some(Ok(accepted))) => {
            Settled::new(Verdict::Proved, format!("{words}; certificate accepted: {}", accepted.work))
        }
        (true, Some(Err(rejected))) => Settled::new(
            Verdict::Unknown,
            format!("{words}, but the certificate is {rejected}; please report this"),
        ),
    })
}

/// The periods of Wythoff's rows, those with no printed period passed over.
fn row_periods(rows: &[&Table]) -> Result<Settled, Slip> {
    let last = rows.iter().map(|row| number(row, "row")).collect::<Result<Vec<_>, _>>()?.into_iter().max();
    let mut table = Wythoff::new(last.unwrap_or(0) + 1).ok_or("too many rows")?;
    if let Err(end) = table.extend(ROW_COLUMNS, &mut meter()) {
        return Ok(spent(end));
    }
    let found: Vec<RowPeriod> = table.periods();
    let (mut proved, mut open) = (0, Vec::new());
    for entry in rows {
        let row = number(entry, "row")?;
        let Some(RowPeriod { period, preperiod, .. }) = found.get(row) else {
            open.push(row);
            continue;
        };
        for (key, value) in [("period", *period), ("preperiod", *preperiod)] {
            if entry.contains_key(key) && number(entry, key)? != value {
                let words = format!("row {row}: {key} {value}, printed {}", number(entry, key)?);
                return Ok(Settled::new(Verdict::Refuted, words));
            }
        }
        proved += 1;
    }
    let words = format!("periods and starts of {proved} rows, by repeated state in {ROW_COLUMNS} columns");
    Ok(match open.as_slice() {
        [] => Settled::new(Verdict::Proved, words),
        _ => Settled::new(Verdict::Unknown, format!("{words}; not seen of the rows {open:?}")),
    })
}

/// A position: outcome, nim-value, options, winning moves.
fn position(entry: &Table) -> Result<Settled, Slip> {
    let name = text(entry, "game")?;
    let game = game(name)?;
    let wrong = |error: bouton_rules::NotationError| error.to_string();
    let position = match text(entry, "position")? {
        "" => game.start().ok_or("this game has no start")?,
        position => position.to_owned(),
    };
    let misere = entry.get("play").and_then(Value::as_str) == Some("misere");
    let play = if misere { Play::Misere } else { Play::Normal };
    let found = game.session(Settings { play, ..Settings::default() }).analyse(&position).map_err(wrong)?;
    let what = format!("{name} {position}{}", if misere { ", misère" } else { "" });
    if let Some(end) = found.spent {
        return Ok(Settled::new(Verdict::Unknown, format!("{what}: {end}")));
    }
    // In the order of places, or where rows have none, in any.
    let parts = |position: &str| -> Result<Vec<String>, Slip> {
        let position = game.normal_form(position).map_err(wrong)?;
        let mut parts: Vec<String> = position.split(',').map(str::to_owned).collect();
        if game.heap_game().is_none() {
            parts.retain(|part| part != "0");
            parts.sort();
        }
        Ok(parts)
    };
    let listed = |key: &str| -> Result<Option<BTreeSet<Vec<String>>>, Slip> {
        let Some(list) = entry.get(key).and_then(Value::as_array) else { return Ok(None) };
        list.iter().filter_map(Value::as_str).map(parts).collect::<Result<_, _>>().map(Some)
    };
    let reached = |only_winning: bool| -> Result<BTreeSet<Vec<String>>, Slip> {
        let wins = |outcome: Option<Outcome>| outcome == Some(Outcome::P);
        let moves = found.moves.iter().filter(|m| !only_winning || wins(m.evaluation.outcome));
        moves.map(|m| parts(&m.to)).collect()
    };
    let outcome = found.evaluation.outcome.map(|outcome| outcome.to_string());
    let value = found.evaluation.nim_value.map(|value| value.0 as usize);
    if entry.get("outcome").and_then(Value::as_str).is_some_and(|printed| Some(printed) != outcome.as_deref())
    {
        return Ok(Settled::new(Verdict::Refuted, format!("{what} is {}", outcome.unwrap_or_default())));
    }
    if entry.contains_key("nim_value") && Some(number(entry, "nim_value")?) != value {
        return Ok(Settled::new(Verdict::Refuted, format!("{what} has another nim-value: {value:?}")));
    }
    if listed("options")?.is_some_and(|printed| reached(false) != Ok(printed)) {
        return Ok(Settled::new(
            Verdict::Refuted,
            format!("{what} has other options: {:?}", reached(false)?),
        ));
    }
    if let Some(printed) = listed("winning")? {
        let winning = reached(true)?;
        let all = entry.get("all_winning").and_then(Value::as_bool) == Some(true);
        if !printed.is_subset(&winning) || (all && printed != winning) {
            return Ok(Settled::new(Verdict::Refuted, format!("{what} is won by {winning:?}")));
        }
    }
    Ok(Settled::new(Verdict::Proved, what))
}

/// Nim-values of two heaps.
fn grid(entry: &Table) -> Result<Settled, Slip> {
    let game = game(text(entry, "game")?)?;
    let mut session = game.session(Settings::default());
    let rows = entry.get("rows").and_then(Value::as_array).ok_or("`rows` is missing")?;
    let mut count = 0;
    for (i, row) in rows.iter().enumerate() {
        for (j, printed) in numbers(row)?.into_iter().enumerate() {
            let judged = session.evaluate(&format!("{i},{j}")).map_err(|error| error.to_string())?;
            let found = match judged {
                Ok(evaluation) => evaluation.nim_value.map(|value| value.0 as usize),
                Err(end) => return Ok(spent(end)),
            };
            if found != Some(printed) {
                return Ok(Settled::new(
                    Verdict::Refuted,
                    format!("G({i},{j}) is {found:?}, printed {printed}"),
                ));
            }
            count += 1;
        }
    }
    Ok(Settled::new(Verdict::Proved, format!("{count} nim-values")))
}

/// A form of the P-positions in boxes: games and the largest heap.
fn boxes(entry: &Table) -> Result<Settled, Slip> {
    let misere = entry.get("play").and_then(Value::as_str) == Some("misere");
    let play = if misere { Play::Misere } else { Play::Normal };
    let mut words = Vec::new();
    for (name, most) in entry.get("boxes").and_then(Value::as_table).ok_or("`boxes` is missing")? {
        let most =
            most.as_integer().and_then(|n| u32::try_from(n).ok()).ok_or("a heap should be a number")?;
        let game = game(name)?;
        let mut session = game.session(Settings { play, ..Settings::default() });
        let (mut count, mut wrong) = (0u64, None);
        let heaps = game.heap_game().map_or(0, |heaps| heaps.heaps);
        let letters: Vec<String> = ('a'..='z').take(heaps).map(String::from).collect();
        let form =
            bouton_logic::Formula::parse_over(text(entry, "form")?, &letters).map_err(|e| e.to_string())?;
        let ended = session.table(most, &mut |sizes, outcome| {
            count += 1;
            match form.holds(sizes) {
                Ok(says) if says == (outcome == Outcome::P) => std::ops::ControlFlow::Continue(()),
                Ok(_) => {
                    wrong = Some(format!("{name} {sizes:?} is {outcome}"));
                    std::ops::ControlFlow::Break(())
                }
                Err(error) => {
                    wrong = Some(error.to_string());
                    std::ops::ControlFlow::Break(())
                }
            }
        });
        match (wrong, ended) {
            (Some(wrong), _) => return Ok(Settled::new(Verdict::Refuted, wrong)),
            (None, Some(Ok(()))) => words.push(format!("{name} to {most}: {count} positions")),
            (None, Some(Err(end))) => return Ok(spent(end)),
            (None, None) => return Err(format!("{name} has no table")),
        }
    }
    Ok(Settled::new(Verdict::Holds, words.join("; ")))
}

/// Every number exactly once on each row, column and diagonal of Wythoff's game. None stands twice on a line: one cell
/// would be an option of the other. Row k: as long as v has not come, a cell has a smaller number, v of them at most, or
/// v stands above it or on its diagonal, once in each of the k rows before: 2k cells at most. So v stands at n ≤ v + 2k,
/// and rows are permutations, columns with them. Diagonals are looked at.
fn lines(size: usize, diagonals: usize) -> Result<Settled, Slip> {
    let mut table = Wythoff::new(size).ok_or("too many rows")?;
    if let Err(end) = table.extend(size, &mut meter()) {
        return Ok(spent(end));
    }
    let mut least = (usize::MAX, 0);
    for d in 0..=diagonals.min(size - 1) {
        let mut seen = vec![false; 3 * size];
        for n in 0..size - d {
            if std::mem::replace(&mut seen[table.value(n, n + d) as usize], true) {
                let words = format!("{} stands twice on diagonal {d}", table.value(n, n + d));
                return Ok(Settled::new(Verdict::Refuted, words));
            }
        }
        least = least.min((seen.iter().position(|seen| !seen).unwrap_or(seen.len()), d));
    }
    for k in 0..size {
        let mut seen = vec![false; 3 * size];
        (0..size).for_each(|n| seen[table.value(k, n) as usize] = true);
        if let Some(v) = (0..size.saturating_sub(2 * k)).find(|v| !seen[*v]) {
            return Ok(Settled::new(Verdict::Refuted, format!("{v} is missing in row {k}")));
        }
    }
    Ok(Settled::new(
        Verdict::Holds,
        format!(
            "rows and columns: proved (row k has every v at the latest in column v + 2k; seen in {size} rows); diagonals \
             0..{diagonals}: each has all numbers below {} before heap {size}, none twice",
            least.0
        ),
    ))
}

/// Nim-values of sums by the rules alone, beside the nim-sums of what their summands have alone.
fn sums(entry: &Table) -> Result<Settled, Slip> {
    let mut words = Vec::new();
    for sum in entry.get("sums").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        let mut atlases = Vec::new();
        let mut start = Vec::new();
        for part in sum.split(" + ") {
            let (name, position) = part.split_once(':').ok_or_else(|| format!("{part} names no position"))?;
            let mut atlas = game(name)?.atlas();
            start.push(atlas.read(position).map_err(|error| error.to_string())?);
            atlases.push(atlas);
        }
        let mut known: HashMap<Vec<u32>, Nimber> = HashMap::new();
        let mut alone: Vec<HashMap<u32, Nimber>> = vec![HashMap::new(); atlases.len()];
        // Depth first, each sum after its options.
        let mut open = vec![start];
        while let Some(sum_of) = open.last().cloned() {
            let mut options = Vec::new();
            for i in 0..sum_of.len() {
                for option in atlases[i].options(sum_of[i]).to_vec() {
                    let mut next = sum_of.clone();
                    next[i] = option;
                    options.push(next);
                }
            }
            let before = open.len();
            open.extend(options.iter().filter(|option| !known.contains_key(*option)).cloned());
            if open.len() == before {
                open.pop();
                known.insert(sum_of, mex(options.iter().map(|option| known[option])));
            }
        }
        for (i, alone) in alone.iter_mut().enumerate() {
            let mut nodes: Vec<u32> = known.keys().map(|sum| sum[i]).collect();
            nodes.sort_unstable_by_key(|node| atlases[i].rank(*node));
            nodes.dedup();
            for node in nodes {
                let options = atlases[i].options(node).iter().map(|option| alone[option]).collect::<Vec<_>>();
                alone.insert(node, mex(options));
            }
        }
        for (nodes, value) in &known {
            let adds = nodes.iter().enumerate().fold(Nimber(0), |sum, (i, node)| sum ^ alone[i][node]);
            if adds != *value {
                let parts: Vec<String> =
                    nodes.iter().zip(&atlases).map(|(n, atlas)| atlas.print(*n)).collect();
                let words = format!("{} has nim-value {}, not {}", parts.join(" + "), value.0, adds.0);
                return Ok(Settled::new(Verdict::Refuted, words));
            }
        }
        words.push(format!("{sum}: {} sums", known.len()));
    }
    Ok(Settled::new(Verdict::Holds, words.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdicts on Michon's tables: periods, finite tables and single positions to the end; what speaks of all sizes
    /// without a proof here as far as computed; the value of a row of 2·10¹⁰ not at all.
    #[test]
    fn tables_of_the_ledger() {
        let mut found = Vec::new();
        for claim in bouton_ledger::claims().unwrap().iter().filter(|claim| claim.id.starts_with('M')) {
            let Some(tables) = TableClaim::read(claim).unwrap() else { continue };
            let entries = tables.verify().unwrap();
            let refuted: Vec<&Settled> = entries.iter().filter(|e| e.verdict == Verdict::Refuted).collect();
            assert!(refuted.is_empty(), "{}: {refuted:?}", claim.id);
            found.push((claim.id.as_str().to_owned(), verdict(&entries)));
        }
        let of = |id: &str| found.iter().find(|(found, _)| found == id).map(|(_, verdict)| *verdict);
        for id in ["M5", "M8", "M9", "M10", "M11", "M12", "M15", "M17"] {
            assert_eq!(of(id), Some(Verdict::Proved), "{id}");
        }
        for id in ["M4", "M6", "M16", "M18"] {
            assert_eq!(of(id), Some(Verdict::Holds), "{id}");
        }
        assert_eq!(of("M13"), Some(Verdict::Unknown));
    }

    #[test]
    fn wrong_tables_are_refuted() {
        let settled = |kind: &str, text: &str| settle(kind, &text.parse().unwrap()).unwrap();
        for (kind, text) in [
            ("values", "game = 'kayles'\nfrom = 9\nvalues = [4, 3]"),
            ("greatest", "game = 'grundy'\nfrom = 0\nto = 9999\nvalue = 101\nat = [8337]"),
            ("period", "game = 'kayles'\nperiod = 12\npreperiod = 70"),
            ("period", "game = 'kayles'\nperiod = 12\npreperiod = 71\nexceptions = [[0, 0]]"),
            ("position", "game = 'kayles'\nposition = '1,11'\noutcome = 'P'"),
            ("position", "game = 'kayles'\nposition = '1,11'\nwinning = ['1,10']"),
            ("grid", "game = 'wythoff'\nrows = [[0, 1], [1, 1]]"),
            ("boxes", "game = 'nim(n)'\nplay = 'misere'\nform = 'xor = 0'\nboxes = { 'nim(2)' = 4 }"),
            ("nim_sum", "of = [1, 3]\nvalue = 3"),
        ] {
            assert_eq!(settled(kind, text).verdict, Verdict::Refuted, "{kind} {text}");
        }
        let row = "row = 3\nperiod = 6\npreperiod = 7".parse().unwrap();
        assert_eq!(row_periods(&[&row]).unwrap().verdict, Verdict::Refuted);
    }
}
