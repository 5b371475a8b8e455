//! Claims that are tables: nim-values, records, periods, single positions, rows and lines of
//! Wythoff's game.
//!
//! Every entry is computed anew. A table is finite: all of it is computed, or the verdict says how
//! far. Periods are proved, and the certificate is given to the independent checker; periods of
//! Wythoff's rows are proved by repeated state. Some claims have no table: that lines of Wythoff's
//! game hold every number once, and that nim-values add.

use super::Bound;
use bouton_core::{
    Arrange, Budget, LimitReached, Meter, Nimber, NotationError, Outcome, Play, mex,
};
use bouton_engine::game::{Analysis, Game, Settings};
use bouton_engine::game_graph::GameGraph;
use bouton_heaps::wythoff::{RowPeriod, Wythoff};
use bouton_octal::sequence::Sequence;
use bouton_octal::sequence::period::find_period;
use bouton_theory::ClaimError;
use bouton_theory::checked::check_certificate;
use bouton_theory::table_entry::{Entry, Period, Position};
use bouton_theory::verdict::{Computed, Failure, Proved, Recheck, Refuted, Unknown, Verdict};
use std::collections::{BTreeSet, HashMap};

/// The result of one entry. The worst is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EntryStanding {
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
struct EntryVerdict {
    standing: EntryStanding,
    words: String,
    /// Of what is refuted: the second look.
    recheck: Option<Recheck>,
}

impl EntryVerdict {
    fn new(standing: EntryStanding, words: impl Into<String>) -> EntryVerdict {
        EntryVerdict { standing, words: words.into(), recheck: None }
    }

    fn refuted(words: impl Into<String>, recheck: Recheck) -> EntryVerdict {
        EntryVerdict {
            standing: EntryStanding::Refuted,
            words: words.into(),
            recheck: Some(recheck),
        }
    }
}

impl From<LimitReached> for EntryVerdict {
    fn from(limit: LimitReached) -> EntryVerdict {
        EntryVerdict::new(EntryStanding::Unknown, limit.to_string())
    }
}

/// Settles the entries, the periods of Wythoff's rows together. The claim stands as its worst entry
/// does.
pub(super) fn settle(entries: &[Entry], bound: &Bound) -> Result<Verdict, ClaimError> {
    let (mut all, mut rows) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry {
            Entry::RowPeriod { game, row, period, preperiod } => {
                rows.push(PrintedRow { game, row: *row, period: *period, preperiod: *preperiod });
            }
            entry => all.push(one(entry, &bound.budget)?),
        }
    }
    if !rows.is_empty() {
        all.push(row_periods(&rows, &bound.budget));
    }
    let parts =
        all.iter().map(|entry| format!("{}: {}", word(entry.standing), entry.words)).collect();
    let count = |standing| all.iter().filter(|entry| entry.standing == standing).count();
    let words = match all.as_slice() {
        [one] => one.words.clone(),
        _ => {
            format!(
                "{} of {} tables and positions computed",
                all.len() - count(EntryStanding::Unknown),
                all.len()
            )
        }
    };
    let computed = Computed { words, instances: all.len() as u64, parts, ..Computed::default() };
    let worst = all.iter().rev().max_by_key(|entry| entry.standing);
    Ok(match worst.map(|entry| entry.standing) {
        None => Unknown::because("no table is at hand"),
        Some(EntryStanding::Proved) => Verdict::Proved(Proved::Computed(computed)),
        Some(EntryStanding::Holds) => Verdict::Holds(computed),
        Some(EntryStanding::Unknown) => {
            let first = all.iter().find(|entry| entry.standing == EntryStanding::Unknown);
            let reason = first.map_or_else(String::new, |entry| entry.words.clone());
            Verdict::Unknown(Unknown { reason, budget: true, computed })
        }
        Some(EntryStanding::Refuted) => {
            let mut refuted =
                all.into_iter().filter(|entry| entry.standing == EntryStanding::Refuted);
            let Some(first) = refuted.next() else {
                return Ok(Unknown::because("no table is at hand"));
            };
            Verdict::Refuted(Refuted {
                counterexample: Failure::Words(first.words),
                least: false,
                recheck: first
                    .recheck
                    .unwrap_or_else(|| Recheck::OutOfReach("one engine computes this".into())),
                others: refuted.map(|entry| entry.words).collect(),
                computed,
            })
        }
    })
}

fn word(standing: EntryStanding) -> &'static str {
    match standing {
        EntryStanding::Proved => "proved",
        EntryStanding::Holds => "holds",
        EntryStanding::Unknown => "unknown",
        EntryStanding::Refuted => "refuted",
    }
}

/// Values of Wythoff's rows are computed so far to prove their periods.
const ROW_COLUMNS: usize = 1 << 16;
/// Heaps whose values are computed for a table, at most.
const FARTHEST: u64 = u32::MAX as u64 - (1 << 16);
/// Positions, and options, that a second look by the rules alone visits, at most.
const MAX_RECHECKED_POSITIONS: usize = 200_000;

fn game(name: &str) -> Result<Box<dyn Game>, ClaimError> {
    Ok(bouton_games::parse(name)?.game)
}

fn sequence(name: &str) -> Result<Sequence, ClaimError> {
    let moves = game(name)?.heap_moves();
    let why = "is not played in single heaps";
    Ok(Sequence::from_moves(&moves.ok_or_else(|| ClaimError::Game { game: name.into(), why })?)?)
}

/// Settles one entry; not the rows of Wythoff's game.
fn one(entry: &Entry, budget: &Budget) -> Result<EntryVerdict, ClaimError> {
    match entry {
        Entry::Values { game, from, values } => table_of_values(game, *from, values, budget),
        Entry::Greatest { game, from, to, value, at } => {
            greatest(game, (*from, *to), *value, at, budget)
        }
        Entry::Period(printed) => period(printed, budget),
        Entry::Mex { of, value } => {
            let found = mex(of.iter().map(|v| Nimber(*v))).0;
            let least = (0..).find(|v| !of.contains(v)).unwrap_or(u32::MAX);
            Ok(exact(&format!("mex {of:?}"), found, *value, least == found))
        }
        Entry::NimSum { of, value } => {
            let found = of.iter().fold(Nimber(0), |sum, v| sum ^ Nimber(*v)).0;
            let odd = |bit: u32| of.iter().filter(|v| *v >> bit & 1 == 1).count() % 2 == 1;
            let by_places = (0..32).filter(|bit| odd(*bit)).map(|bit| 1 << bit).sum::<u32>();
            Ok(exact(&format!("nim-sum {of:?}"), found, *value, by_places == found))
        }
        Entry::Position(printed) => position(printed, budget),
        Entry::Grid { game, rows } => grid(game, rows, budget),
        Entry::Lines { size, diagonals } => lines(*size, *diagonals, budget),
        Entry::Sums { sums: all } => sums(all, budget),
        Entry::RowPeriod { game, row, period, preperiod } => {
            let row = PrintedRow { game, row: *row, period: *period, preperiod: *preperiod };
            Ok(row_periods(&[row], budget))
        }
    }
}

fn exact(what: &str, found: u32, printed: u32, again: bool) -> EntryVerdict {
    match (found == printed, again) {
        (_, false) => EntryVerdict::new(
            EntryStanding::Unknown,
            format!("{what} is computed in two ways; please report this"),
        ),
        (true, _) => EntryVerdict::new(EntryStanding::Proved, format!("{what} = {found}")),
        (false, _) => {
            let how = Recheck::Confirmed("computed again by its definition".into());
            EntryVerdict::refuted(format!("{what} is {found}, printed {printed}"), how)
        }
    }
}

/// Returns the nim-value of a position by the rules alone; none if that takes too long.
fn by_rules(game: &dyn Game, position: &str) -> Option<u32> {
    let mut graph = game.graph();
    let root = graph.read(position).ok()?;
    value_by_rules(&mut *graph, root)
}

/// Returns the same for a node: the least number that no option has. The value of a sum is the
/// nim-sum of its parts'.
fn value_by_rules(graph: &mut dyn GameGraph, root: u32) -> Option<u32> {
    let mut known: HashMap<u32, Nimber> = HashMap::new();
    let whole = graph.summands(root).ok()?;
    let mut open = whole.clone();
    let mut seen = 0;
    while let Some(&node) = open.last() {
        let options = graph.options(node).ok()?.to_vec();
        seen += options.len();
        if seen > MAX_RECHECKED_POSITIONS || known.len() > MAX_RECHECKED_POSITIONS {
            return None;
        }
        let parts: Result<Vec<Vec<u32>>, _> =
            options.into_iter().map(|option| graph.summands(option)).collect();
        let parts = parts.ok()?;
        let before = open.len();
        open.extend(parts.iter().flatten().filter(|part| !known.contains_key(*part)));
        if open.len() == before {
            open.pop();
            known.insert(node, mex(parts.iter().map(|parts| sum(parts, &known))));
        }
    }
    Some(sum(&whole, &known).0)
}

fn sum(parts: &[u32], known: &HashMap<u32, Nimber>) -> Nimber {
    parts.iter().fold(Nimber(0), |sum, part| sum ^ known[part])
}

/// Returns what the second look at a nim-value says; none if it contradicts the engine.
fn value_again(game: &dyn Game, position: &str, found: u32) -> Option<Recheck> {
    match by_rules(game, position) {
        Some(value) if value == found => {
            Some(Recheck::Confirmed(format!("{position} has nim-value {value} by the rules alone")))
        }
        Some(_) => None,
        None => Some(Recheck::OutOfReach("too many positions".into())),
    }
}

fn doubtful(words: String) -> EntryVerdict {
    EntryVerdict::new(
        EntryStanding::Unknown,
        format!("{words}, but not by the rules alone; please report this"),
    )
}

/// Looks again at a wrong nim-value of a single heap.
fn wrong_value(
    name: &str,
    heap: usize,
    found: u32,
    words: String,
) -> Result<EntryVerdict, ClaimError> {
    let game = game(name)?;
    let single = u32::try_from(heap).ok().and_then(|heap| game.single(heap));
    let again = match single {
        Some(position) => value_again(&*game, &position, found),
        None => Some(Recheck::OutOfReach("the heap is no position".into())),
    };
    Ok(again.map_or_else(
        || doubtful(words.clone()),
        |recheck| EntryVerdict::refuted(words.clone(), recheck),
    ))
}

fn table_of_values(
    name: &str,
    from: u64,
    printed: &[u32],
    budget: &Budget,
) -> Result<EntryVerdict, ClaimError> {
    let mut sequence = sequence(name)?;
    // Further out values take hours and tens of gigabytes: a matter for
    // `bouton values --checkpoint`.
    if from + printed.len() as u64 > FARTHEST {
        return Ok(LimitReached::TooManyHeaps(FARTHEST).into());
    }
    let from = from as usize;
    if let Err(end) = sequence.extend(from + printed.len(), &mut Meter::new(budget)) {
        return Ok(end.into());
    }
    match (from..).zip(printed).find(|(n, value)| sequence.value(*n) != **value) {
        Some((n, printed)) => {
            let found = sequence.value(n);
            wrong_value(name, n, found, format!("G({n}) of {name} is {found}, printed {printed}"))
        }
        None => Ok(EntryVerdict::new(
            EntryStanding::Proved,
            format!("{} values of {name} from {from}", printed.len()),
        )),
    }
}

/// Returns the greatest value of the heaps in a range, and all heaps that have it.
fn greatest(
    name: &str,
    (from, to): (usize, usize),
    value: u32,
    printed: &[usize],
    budget: &Budget,
) -> Result<EntryVerdict, ClaimError> {
    let mut sequence = sequence(name)?;
    if let Err(end) = sequence.extend(to + 1, &mut Meter::new(budget)) {
        return Ok(end.into());
    }
    let most = (from..=to).map(|n| sequence.value(n)).max().unwrap_or(0);
    let at: Vec<usize> = (from..=to).filter(|n| sequence.value(*n) == most).collect();
    let words = format!("the greatest of heaps {from}..{to} is {most}, at {at:?}");
    if most == value && at == printed {
        return Ok(EntryVerdict::new(EntryStanding::Proved, words));
    }
    wrong_value(name, at.first().copied().unwrap_or(from), most, words)
}

/// Settles a period, with its exceptions and its values: proved, and the proof accepted by the
/// checker.
fn period(printed: &Period, budget: &Budget) -> Result<EntryVerdict, ClaimError> {
    let name = &printed.game;
    let mut sequence = sequence(name)?;
    let found = match find_period(&mut sequence, 1 << 20, &mut Meter::new(budget)) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(EntryVerdict::new(EntryStanding::Unknown, "no period seen")),
        Err(end) => return Ok(end.into()),
    };
    let exceptions = found.exceptions(&sequence);
    let right = printed.period == found.period
        && printed.preperiod == found.preperiod
        && printed.saltus == found.saltus
        && printed.exceptions.as_ref().is_none_or(|listed| *listed == exceptions)
        && printed
            .values
            .as_ref()
            .is_none_or(|listed| listed.iter().copied().eq(found.cycle(&sequence)));
    let words = format!(
        "{name}: period {} from {} on, {} exceptions",
        found.period,
        found.preperiod,
        exceptions.len()
    );
    let accepted =
        found.certificate(&sequence).map(|c| check_certificate(&c.to_text(), budget)).transpose();
    let accepted = match accepted {
        Ok(accepted) => accepted,
        Err(limit) => {
            return Ok(EntryVerdict::new(
                EntryStanding::Unknown,
                format!("{words}, not checked: {limit}"),
            ));
        }
    };
    Ok(match (right, accepted) {
        (_, Some(Err(rejected))) => EntryVerdict::new(
            EntryStanding::Unknown,
            format!("{words}, but the certificate is {rejected}; please report this"),
        ),
        (false, Some(Ok(accepted))) => EntryVerdict::refuted(
            format!("{words}; printed otherwise"),
            Recheck::Confirmed(format!("certificate accepted: {}", accepted.work)),
        ),
        (false, None) => EntryVerdict::refuted(
            format!("{words}; printed otherwise"),
            Recheck::OutOfReach(format!("seen as far as {}, without a proof", found.compared)),
        ),
        (true, None) => EntryVerdict::new(
            EntryStanding::Holds,
            format!("{words}, as far as {}", found.compared),
        ),
        (true, Some(Ok(accepted))) => EntryVerdict::new(
            EntryStanding::Proved,
            format!("{words}; certificate accepted: {}", accepted.work),
        ),
    })
}

/// What is printed of a row of Wythoff's game.
struct PrintedRow<'e> {
    game: &'e str,
    row: usize,
    period: Option<usize>,
    preperiod: Option<usize>,
}

/// Settles the periods of Wythoff's rows, with starts; those with no printed period have a start.
fn row_periods(rows: &[PrintedRow<'_>], budget: &Budget) -> EntryVerdict {
    let last = rows.iter().map(|row| row.row).max().unwrap_or(0);
    let Some(mut table) = Wythoff::new(last + 1) else {
        return EntryVerdict::new(EntryStanding::Unknown, "too many rows");
    };
    if let Err(end) = table.extend(ROW_COLUMNS, &mut Meter::new(budget)) {
        return end.into();
    }
    let found: Vec<RowPeriod> = table.periods();
    let (mut proved, mut open) = (0, Vec::new());
    for printed in rows {
        let row = printed.row;
        let Some(RowPeriod { period, preperiod, .. }) = found.get(row) else {
            open.push(row);
            continue;
        };
        let both =
            [("period", period, printed.period), ("preperiod", preperiod, printed.preperiod)];
        for (key, value, claimed) in both {
            if let Some(claimed) = claimed.filter(|claimed| claimed != value) {
                let words = format!("row {row}: {key} {value}, printed {claimed}");
                return EntryVerdict::refuted(words, row_again(printed, key, *value, claimed));
            }
        }
        proved += 1;
    }
    let words =
        format!("periods and starts of {proved} rows, by repeated state in {ROW_COLUMNS} columns");
    match open.as_slice() {
        [] => EntryVerdict::new(EntryStanding::Proved, words),
        _ => EntryVerdict::new(
            EntryStanding::Unknown,
            format!("{words}; not seen of the rows {open:?}"),
        ),
    }
}

/// Looks again at a row's wrong period or start, by the generic engine in the first columns.
fn row_again(of: &PrintedRow<'_>, key: &str, found: usize, printed: usize) -> Recheck {
    const COLUMNS: usize = 400;
    let far = || Recheck::OutOfReach(format!("not seen in {COLUMNS} columns by the rules alone"));
    let Ok(named) = bouton_games::parse(of.game) else { return far() };
    let mut session =
        named.game.session(Settings { nim_value_nodes: u64::MAX, ..Settings::default() });
    let mut less = |n: usize| {
        let value = session.evaluate(&format!("{},{n}", of.row)).ok()?.ok()?.nim_value?;
        Some(i64::from(value.0) - n as i64)
    };
    // What is printed as the period fails at some column, or what is found as the start holds no
    // sooner.
    let breaks = |less: &mut dyn FnMut(usize) -> Option<i64>, from: usize, period: usize| {
        (from..COLUMNS.saturating_sub(period)).find(|n| match (less(*n), less(*n + period)) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        })
    };
    let at = if key == "period" { breaks(&mut less, COLUMNS / 2, printed) } else { None };
    match at {
        Some(n) => Recheck::Confirmed(format!(
            "the generic engine finds no period {printed} at column {n}"
        )),
        None if key == "period" => far(),
        None => {
            Recheck::OutOfReach(format!("the start {found} of a period is computed in one way"))
        }
    }
}

/// Settles a position: outcome, nim-value, margin, options, winning moves.
fn position(entry: &Position, budget: &Budget) -> Result<EntryVerdict, ClaimError> {
    let name = &entry.game;
    let game = game(name)?;
    let position = match entry.position.as_str() {
        "" => game
            .start()
            .ok_or_else(|| ClaimError::Game { game: name.clone(), why: "has no start" })?,
        position => position.to_owned(),
    };
    let settings = Settings { play: entry.play, budget: budget.clone(), ..Settings::default() };
    let found = game.session(settings).analyse(&position)?;
    let misere = if entry.play == Play::Misere { ", misère" } else { "" };
    let what = format!("{name} {position}{misere}");
    if let Some(end) = found.spent {
        return Ok(EntryVerdict::new(EntryStanding::Unknown, format!("{what}: {end}")));
    }
    let (outcome, margin) = (found.evaluation.outcome, found.evaluation.margin);
    let value = found.evaluation.nim_value.map(|value| value.0);
    let by_rules = || match outcome {
        Some(outcome) => match bouton_theory::recheck::search_from(&*game, entry.play, &position) {
            Some(lost) if lost == outcome.is_p() => {
                Some(Recheck::Confirmed(format!("{position} is {outcome} by the rules alone")))
            }
            Some(_) => None,
            None => Some(Recheck::OutOfReach("too many positions for the rules alone".into())),
        },
        None => Some(Recheck::OutOfReach("margins are computed in one way".into())),
    };
    let refuted = |words: String, recheck: Option<Recheck>| match recheck {
        Some(recheck) => EntryVerdict::refuted(words, recheck),
        None => doubtful(words),
    };
    if let Some(printed) = entry.outcome
        && outcome != Some(printed)
    {
        let is = outcome.map_or_else(String::new, |outcome| outcome.to_string());
        return Ok(refuted(format!("{what} is {is}, printed {printed}"), by_rules()));
    }
    if let Some(printed) = entry.nim_value
        && value != Some(printed)
    {
        let is = value.map_or_else(|| "none".to_owned(), |value| value.to_string());
        let again = value
            .map_or(Some(Recheck::OutOfReach("no nim-value is known".into())), |value| {
                value_again(&*game, &position, value)
            });
        return Ok(refuted(format!("{what} has the nim-value {is}, printed {printed}"), again));
    }
    if let Some(printed) = entry.margin
        && margin != Some(printed)
    {
        let is = margin.map_or_else(|| "none".to_owned(), |margin| margin.to_string());
        return Ok(refuted(format!("{what} has the margin {is}, printed {printed}"), by_rules()));
    }
    let places = Places(&*game);
    if let Some(listed) = &entry.options {
        let (printed, reached) = (places.all(listed)?, places.reached(&found, false)?);
        if printed != reached {
            let how = Recheck::Confirmed("options are the rules".into());
            return Ok(EntryVerdict::refuted(
                format!("{what} has other options: {reached:?}"),
                how,
            ));
        }
    }
    if let Some(listed) = &entry.winning {
        let (printed, winning) = (places.all(listed)?, places.reached(&found, true)?);
        if !printed.is_subset(&winning) || (entry.all_winning && printed != winning) {
            return Ok(refuted(format!("{what} is won by {winning:?}"), by_rules()));
        }
    }
    let known = [
        outcome.map(|outcome| outcome.to_string()),
        entry.nim_value.map(|value| format!("*{value}")),
        margin.map(|margin| format!("margin {margin}")),
    ];
    let known: Vec<String> = known.into_iter().flatten().collect();
    Ok(EntryVerdict::new(EntryStanding::Proved, format!("{what}: {}", known.join(", "))))
}

/// Positions by their parts: in the order of places or, where rows have none, in any.
struct Places<'g>(&'g dyn Game);

impl Places<'_> {
    fn parts(&self, position: &str) -> Result<Vec<String>, NotationError> {
        let position = self.0.normal_form(position)?;
        let mut parts: Vec<String> = position.split(',').map(str::to_owned).collect();
        if self.0.heap_game().is_none() {
            parts.retain(|part| part != "0");
            parts.arrange();
        }
        Ok(parts)
    }

    fn all(&self, listed: &[String]) -> Result<BTreeSet<Vec<String>>, NotationError> {
        listed.iter().map(|position| self.parts(position)).collect()
    }

    /// Returns the options, or those that win; on points, those that are best.
    fn reached(
        &self,
        found: &Analysis,
        only_winning: bool,
    ) -> Result<BTreeSet<Vec<String>>, NotationError> {
        let wins = |m: &&bouton_engine::game::Move| match m.evaluation.margin {
            Some(margin) => Some(margin) == found.evaluation.margin,
            None => m.evaluation.outcome == Some(Outcome::P),
        };
        found.moves.iter().filter(|m| !only_winning || wins(m)).map(|m| self.parts(&m.to)).collect()
    }
}

/// Settles nim-values of two heaps.
fn grid(name: &str, rows: &[Vec<u32>], budget: &Budget) -> Result<EntryVerdict, ClaimError> {
    let game = game(name)?;
    let mut session = game.session(Settings { budget: budget.clone(), ..Settings::default() });
    let mut count = 0;
    for (i, row) in rows.iter().enumerate() {
        for (j, printed) in row.iter().enumerate() {
            let position = format!("{i},{j}");
            let found = match session.evaluate(&position)? {
                Ok(evaluation) => evaluation.nim_value.map(|value| value.0),
                Err(end) => return Ok(end.into()),
            };
            let Some(found) = found else {
                return Ok(EntryVerdict::new(
                    EntryStanding::Unknown,
                    format!("the nim-value of {position} is out of reach"),
                ));
            };
            if found != *printed {
                let words = format!("G({i},{j}) is {found}, printed {printed}");
                return Ok(match value_again(&*game, &position, found) {
                    Some(recheck) => EntryVerdict::refuted(words, recheck),
                    None => doubtful(words),
                });
            }
            count += 1;
        }
    }
    Ok(EntryVerdict::new(EntryStanding::Proved, format!("{count} nim-values")))
}

/// Settles that every number stands exactly once on each row, column and diagonal of Wythoff's
/// game. None stands twice on a line: one cell would be an option of the other. Row k: as long as v
/// has not come, a cell has a smaller number, v of them at most, or v is above it or on its
/// diagonal, once in each of the k rows before: 2k cells at most. So v stands at n ≤ v + 2k, and
/// rows are permutations, columns with them. Diagonals are looked at.
fn lines(size: usize, diagonals: usize, budget: &Budget) -> Result<EntryVerdict, ClaimError> {
    let Some(mut table) = Wythoff::new(size) else {
        return Ok(EntryVerdict::new(EntryStanding::Unknown, "too many rows"));
    };
    if let Err(end) = table.extend(size, &mut Meter::new(budget)) {
        return Ok(end.into());
    }
    let one_way = || Recheck::OutOfReach("the table is computed in one way".into());
    let mut least = (usize::MAX, 0);
    for d in 0..=diagonals.min(size - 1) {
        let mut seen = vec![false; 3 * size];
        for n in 0..size - d {
            if std::mem::replace(&mut seen[table.value(n, n + d) as usize], true) {
                let words = format!("{} stands twice on diagonal {d}", table.value(n, n + d));
                return Ok(EntryVerdict::refuted(words, one_way()));
            }
        }
        least = least.min((seen.iter().position(|seen| !seen).unwrap_or(seen.len()), d));
    }
    for k in 0..size {
        let mut seen = vec![false; 3 * size];
        (0..size).for_each(|n| seen[table.value(k, n) as usize] = true);
        if let Some(v) = (0..size.saturating_sub(2 * k)).find(|v| !seen[*v]) {
            return Ok(EntryVerdict::refuted(format!("{v} is missing in row {k}"), one_way()));
        }
    }
    Ok(EntryVerdict::new(
        EntryStanding::Holds,
        format!(
            "rows and columns: proved (row k has every v at the latest in column v + 2k; seen in \
             {size} rows); diagonals 0..{diagonals}: each has all numbers below {} before heap \
             {size}, none twice",
            least.0
        ),
    ))
}

/// Settles nim-values of sums by the rules alone, beside the nim-sums of what their summands have
/// alone.
fn sums(sums: &[String], budget: &Budget) -> Result<EntryVerdict, ClaimError> {
    let mut words = Vec::new();
    let mut meter = Meter::new(budget);
    for sum in sums {
        let mut atlases = Vec::new();
        let mut start = Vec::new();
        for part in sum.split(" + ") {
            let (name, position) = part
                .split_once(':')
                .ok_or_else(|| ClaimError::Game { game: part.into(), why: "names no position" })?;
            let mut graph = game(name)?.graph();
            start.push(graph.read(position)?);
            atlases.push(graph);
        }
        let mut known: HashMap<Vec<u32>, Nimber> = HashMap::new();
        let mut alone: Vec<HashMap<u32, Nimber>> = vec![HashMap::new(); atlases.len()];
        // Depth first, each sum after its options.
        let mut open = vec![start];
        while let Some(sum_of) = open.last().cloned() {
            if let Err(end) = meter.spend_one() {
                return Ok(end.into());
            }
            let mut options = Vec::new();
            for i in 0..sum_of.len() {
                let own = match atlases[i].options(sum_of[i]) {
                    Ok(own) => own.to_vec(),
                    Err(end) => return Ok(end.into()),
                };
                for option in own {
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
            nodes.arrange_by_key(|node| atlases[i].rank(*node));
            nodes.dedup();
            for node in nodes {
                let value = match atlases[i].options(node) {
                    Ok(options) => mex(options.iter().map(|option| alone[option])),
                    Err(end) => return Ok(end.into()),
                };
                alone.insert(node, value);
            }
        }
        for (nodes, value) in &known {
            let adds =
                nodes.iter().enumerate().fold(Nimber(0), |sum, (i, node)| sum ^ alone[i][node]);
            if adds != *value {
                let parts: Vec<String> =
                    nodes.iter().zip(&atlases).map(|(n, graph)| graph.print(*n)).collect();
                let words =
                    format!("{} has nim-value {}, not {}", parts.join(" + "), value.0, adds.0);
                let how = Recheck::Confirmed("both values are by the rules alone".into());
                return Ok(EntryVerdict::refuted(words, how));
            }
        }
        words.push(format!("{sum}: {} sums", known.len()));
    }
    Ok(EntryVerdict::new(EntryStanding::Holds, words.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_tables_are_refuted() {
        let position = |position: &str| Position {
            game: "kayles".into(),
            position: position.into(),
            play: Default::default(),
            outcome: None,
            nim_value: None,
            margin: None,
            options: None,
            winning: None,
            all_winning: false,
        };
        let period = |preperiod, exceptions| {
            Entry::Period(Period {
                game: "kayles".into(),
                period: 12,
                preperiod,
                saltus: 0,
                exceptions,
                values: None,
            })
        };
        let entries = [
            Entry::Values { game: "kayles".into(), from: 9, values: vec![4, 3] },
            Entry::Greatest {
                game: "grundy".into(),
                from: 0,
                to: 9999,
                value: 101,
                at: vec![8337],
            },
            period(70, None),
            period(71, Some(vec![(0, 0)])),
            Entry::Position(Position { outcome: Some(Outcome::P), ..position("1,11") }),
            Entry::Position(Position { winning: Some(vec!["1,10".into()]), ..position("1,11") }),
            Entry::Position(Position { nim_value: Some(1), ..position("3") }),
            Entry::Grid { game: "wythoff".into(), rows: vec![vec![0, 1], vec![1, 1]] },
            Entry::NimSum { of: vec![1, 3], value: 3 },
            Entry::RowPeriod {
                game: "wythoff".into(),
                row: 3,
                period: Some(6),
                preperiod: Some(7),
            },
            Entry::RowPeriod { game: "wythoff".into(), row: 3, period: Some(5), preperiod: None },
        ];
        for entry in entries {
            let settled = one(&entry, &Budget::default()).unwrap();
            assert_eq!(settled.standing, EntryStanding::Refuted, "{entry:?}: {}", settled.words);
            let known = matches!(entry, Entry::RowPeriod { preperiod: Some(_), .. })
                || matches!(entry, Entry::Greatest { .. });
            assert_eq!(
                matches!(settled.recheck, Some(Recheck::Confirmed(_))),
                !known,
                "{entry:?}: {settled:?}"
            );
        }
    }
}
