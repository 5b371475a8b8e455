//! `bouton positions`: the P-positions of a box, or its nim-values.

use super::{BudgetArgs, PositionArgs, convention, normal_values};
use crate::context::{Context, must_end};
use crate::error::{CommandError, write_file};
use crate::{Status, progress};
use bouton_core::{
    Budget, LimitReached, Meter, NotationError, Outcome, Play, number_with_noun, write_numbers,
};
use bouton_engine::game::Session;
use bouton_engine::sum::Sum;
use bouton_engine::{Game, Settings};
use bouton_games::{ParsedGame, Slice, Template};
use bouton_heaps::heap_tables::{HeapSweep, Limits, Plan};
use bouton_report::answers::tables::{PPositions, PositionCount, PositionList};
use bouton_report::answers::{GameName, Reason};
use bouton_study::{
    CountedPositions, HeapsSideBySide, MAX_SINGLE_HEAPS, count_by_digits, count_by_period,
    count_by_quotient, count_by_theorem, count_lost_sets, count_lost_sums, default_heaps, fault,
    has_different_heaps, has_single_heaps, is_position_of_heaps, multisets, sizes_by_value,
    subsets, visit_lost_heaps,
};
use clap::Args;
use std::collections::BTreeSet;
use std::fs::File;
#[cfg(feature = "parquet")]
use std::io::BufWriter;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// From this heap on lost heaps are looked for without the values of all.
const SIEVED: u32 = 1 << 16;
/// So many positions are counted one by one.
const FEW: u64 = 1_000_000;

/// List the P-positions with heaps up to a bound, one of each symmetry class
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton positions 'CN(6,3)' --max 5
  bouton positions 'nim(4)' --max 7 --misere --json
  bouton positions 'CN(5,2)' --max 63 --csv p.csv
  bouton positions 'CN(5,2)' --max 15 --values --csv values.csv
  bouton positions 'CN(6,4)' --max 31 --parquet p.parquet
  bouton positions 'CN(4,2)' x,y,0,0 --max 5
  bouton positions wythoff x,x+1 --values --max 12
  bouton positions kayles --heaps 3 --max 12
  bouton positions subtract-a-square --heaps 3 --max 100000 --count
  bouton positions 'nim(3)' n,2n,3n --max 3221225472 --count
  bouton positions 'CN(6,3)' --max 10^6 --count
  bouton positions kayles x,x,y --max 12
  bouton positions euclid x,y --max 12
  bouton positions 'wythoff + nim' 'x,y + x' --max 12")]
pub struct Positions {
    /// A game on a fixed number of heaps, a game on single heaps, or a program with start(n): all
    /// that arises from start(0) to start(M)
    game: String,
    /// Only positions of this shape, a number or an expression for each heap, as x,y,0 or x,2*x+1;
    /// all are listed. Of a program or a sum: a position with x, y, z, n, m in place of numbers
    slice: Option<String>,
    /// Sums of K heaps of a game on single heaps, each set of heaps once [default: as many as the
    /// slice has, else as the game begins with]
    #[arg(long, value_name = "K", value_parser = super::number::<u32>, conflicts_with = "slice")]
    heaps: Option<u32>,
    /// The largest heap, or of a program or a sum the largest value of x, y, … [default: as many as
    /// make a short list]
    #[arg(long, visible_alias = "to", value_name = "M", value_parser = super::number::<u64>)]
    max: Option<u64>,
    /// Misère play: the player who cannot move wins
    #[arg(long, conflicts_with = "values")]
    misere: bool,
    /// List all positions with their nim-values instead
    #[arg(long)]
    values: bool,
    /// Print only the number of positions; those that differ in the order of like heaps count
    /// once, but in a slice each
    #[arg(long)]
    count: bool,
    /// Write a line for each position to a file, or print them; a heap that has left a circle is 0
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    #[arg(conflicts_with = "count")]
    csv: Option<PathBuf>,
    /// Write an Apache Parquet file with a column for each heap
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "csv"])]
    parquet: Option<PathBuf>,
    /// Write into a file as its ending says: .csv, .parquet, .json or .txt
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["count", "csv", "parquet"])]
    output: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// A Parquet file of integers.
#[cfg(feature = "parquet")]
struct Table(bouton_store::parquet::ParquetWriter<BufWriter<File>>);

#[cfg(feature = "parquet")]
impl Table {
    fn new(file: &Path, columns: &[&str]) -> Result<Table, CommandError> {
        use bouton_store::parquet::{ColumnKind, ParquetWriter};
        let columns: Vec<_> = columns.iter().map(|name| (*name, ColumnKind::Integer)).collect();
        let out = BufWriter::new(File::create(file).map_err(|e| at(file, e))?);
        Ok(Table(ParquetWriter::new(out, &columns).map_err(|e| at(file, e))?))
    }

    fn row(&mut self, numbers: impl Iterator<Item = u64>) -> std::io::Result<()> {
        self.0.write_row(numbers.map(bouton_store::parquet::Cell::from_number))
    }

    fn finish(self) -> std::io::Result<()> {
        self.0.finish().map(drop)
    }
}

/// No build without the feature `parquet` has a table.
#[cfg(not(feature = "parquet"))]
enum Table {}

#[cfg(not(feature = "parquet"))]
impl Table {
    fn new(_: &Path, _: &[&str]) -> Result<Table, CommandError> {
        Err(super::missing::left_out("`--parquet`", "parquet"))
    }

    fn row(&mut self, _: impl Iterator<Item = u64>) -> std::io::Result<()> {
        match *self {}
    }

    fn finish(self) -> std::io::Result<()> {
        match self {}
    }
}

/// Positions from which the plan of a box is worth a line.
const MIN_ANNOUNCED_POSITIONS: u128 = 1 << 24;

/// More positions of a slice are not begun.
const MAX_IN_SLICE: u64 = 100_000_000;

/// More positions of a pattern are not begun.
const MAX_OF_PATTERN: u64 = 1_000_000;

/// Positions of a game that are no lists of so many numbers, with letters in the place of numbers:
/// of a program, or of a sum.
struct Pattern {
    text: String,
    /// The positions of the summands.
    parts: Vec<String>,
    letters: Vec<&'static str>,
}

impl Pattern {
    /// Reads a pattern.
    fn parse(text: &str, game: &dyn Game) -> Result<Pattern, CommandError> {
        const LETTERS: [&str; 5] = ["x", "y", "z", "n", "m"];
        let parts: Vec<String> = match game.ruleset().is::<Sum>() {
            true => text.split('+').map(str::to_owned).collect(),
            false => vec![text.to_owned()],
        };
        let stands = |letter: &&str| parts.iter().any(|part| Template::parse(part, letter).is_ok());
        let letters: Vec<&str> = LETTERS.into_iter().filter(stands).collect();
        let pattern = Pattern { text: text.trim().to_owned(), parts, letters };
        // Letters alike, or each above the one before: coins stand on different squares.
        let tried = (0..4).flat_map(|value| [0, 1].map(|step| (value, step)));
        let is_filled = tried.into_iter().any(|(value, step)| {
            let values = (0..pattern.letters.len() as i64).map(|place| value + step * place);
            let filled = pattern.at(&values.collect::<Vec<_>>());
            filled.is_some_and(|position| game.normal_form(&position).is_ok())
        });
        if pattern.letters.is_empty() || pattern.letters.len() > 3 || !is_filled {
            let accepted = format!(
                "a position with one to three of the letters {} in place of numbers; positions: {}",
                LETTERS.join(", "),
                game.position_form()
            );
            let message = "this is no slice of positions";
            return Err(NotationError::new(text, 0..text.len(), message, accepted).into());
        }
        Ok(pattern)
    }

    /// Returns the position for values of the letters.
    fn at(&self, values: &[i64]) -> Option<String> {
        let filled = self.parts.iter().map(|part| {
            self.letters.iter().zip(values).try_fold(part.clone(), |text, (letter, value)| {
                // A summand need not have every letter.
                match Template::parse(&text, letter) {
                    Ok(template) => template.at(*value),
                    Err(_) => Some(text),
                }
            })
        });
        Some(filled.collect::<Option<Vec<String>>>()?.join("+"))
    }
}

/// Bytes of lines that are written together.
const WRITTEN_TOGETHER: usize = 1 << 16;

/// Where positions go, and how many have gone there.
struct Sink {
    out: Box<dyn Write>,
    /// Lines that are still to be written.
    lines: Vec<u8>,
    table: Option<Table>,
    list: Option<PositionList>,
    silent: bool,
    heaps: Option<usize>,
    count: u64,
    /// The count in digits, if the positions did not go here one by one.
    many: Option<String>,
    failed: Option<std::io::Error>,
}

impl Sink {
    /// Returns how many positions there are, in digits.
    fn total(&self) -> String {
        self.many.clone().unwrap_or_else(|| self.count.to_string())
    }

    /// Takes one position, with its nim-value if that is asked for; breaks when it can't be
    /// written.
    fn take(&mut self, sizes: &[u64], value: Option<u32>) -> ControlFlow<()> {
        self.count += 1;
        if self.silent {
            return ControlFlow::Continue(());
        }
        let left = self
            .heaps
            .map_or(usize::from(sizes.is_empty()), |heaps| heaps.saturating_sub(sizes.len()));
        if let Some(table) = &mut self.table {
            let heaps = sizes.iter().copied().chain(std::iter::repeat_n(0, left));
            if let Err(error) = table.row(heaps.chain(value.map(u64::from))) {
                self.failed = Some(error);
                return ControlFlow::Break(());
            }
            return ControlFlow::Continue(());
        }
        if left == 0 {
            write_numbers(&mut self.lines, sizes);
        } else {
            write_numbers(&mut self.lines, &[sizes, &vec![0; left]].concat());
        }
        if let Some(list) = &mut self.list {
            list.push(&String::from_utf8_lossy(&self.lines), value);
            self.lines.clear();
            return ControlFlow::Continue(());
        }
        if let Some(value) = value {
            self.lines.extend_from_slice(if self.heaps.is_some() { b"," } else { b" *" });
            write_numbers(&mut self.lines, &[value.into()]);
        }
        self.end_line()
    }

    /// Takes a position of a game that is not on a fixed number of heaps, as text, with its
    /// nim-value if that is asked for; breaks when it can't be written.
    fn text(&mut self, position: &str, value: Option<u32>) -> ControlFlow<()> {
        self.count += 1;
        if self.silent {
            return ControlFlow::Continue(());
        }
        if let Some(list) = &mut self.list {
            list.push(position, value);
            return ControlFlow::Continue(());
        }
        self.lines.extend_from_slice(position.as_bytes());
        if let Some(value) = value {
            self.lines.extend_from_slice(b" *");
            write_numbers(&mut self.lines, &[value.into()]);
        }
        self.end_line()
    }

    /// Ends a line; breaks when it can't be written.
    fn end_line(&mut self) -> ControlFlow<()> {
        self.lines.push(b'\n');
        if self.lines.len() < WRITTEN_TOGETHER { ControlFlow::Continue(()) } else { self.flush() }
    }

    /// Writes the lines so far; breaks when they can't be written.
    fn flush(&mut self) -> ControlFlow<()> {
        if self.failed.is_none() {
            self.failed = self.out.write_all(&self.lines).and_then(|()| self.out.flush()).err();
        }
        self.lines.clear();
        if self.failed.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Which positions are listed.
struct Range {
    /// How many single heaps are put side by side.
    copies: Option<usize>,
    /// How many heaps a position has, if that is fixed.
    heaps: Option<usize>,
    /// The largest heap of positions that are listed.
    max: u32,
    /// The largest heap of positions that are counted.
    counted_to: u64,
    slice: Option<Slice>,
    pattern: Option<Pattern>,
}

impl Positions {
    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        let json_file = self.output_by_ending()?;
        // Words of the play may stand behind a slice: `kayles x,x, last loses`.
        let mut slice = PositionArgs::of(self.slice.as_deref());
        self.misere = super::says_misere(context, self.misere, &mut self.game, &mut slice)?;
        self.slice = slice.position;
        if self.heaps.is_none() {
            super::split_pattern(context, &mut self.game, &mut self.slice);
        }
        let play = convention(context, &mut self.game, &mut self.misere)?;
        normal_values(&self.game, play, self.values)?;
        let named = super::game_alone(context, &self.game)?;
        let game = &*named.game;
        if self.values {
            super::check_nim_values(game)?;
        }
        super::take_bound(&mut self.slice, &mut self.max);
        let is_program = game.table_shape().is_none() && !has_single_heaps(game);
        if self.max.is_none() && self.slice.is_none() && is_program {
            let entry = context.catalogue.entry(&self.game, game);
            self.max = entry.and_then(|entry| entry.values_to);
        }
        let range = self.range(&named, play)?;
        let budget = self.budget.budget(context);
        if let Some(counted) = self.counted(context, game, play, &range, &budget) {
            return self.print_count(context, game, play, &range, &counted);
        }
        if let Some(slice) = &range.slice
            && slice.count().is_none_or(|len| len > MAX_IN_SLICE)
        {
            return Err(CommandError::Usage(format!(
                "{}: more than {MAX_IN_SLICE} positions with heaps up to {}; give a smaller --max",
                slice.text(),
                range.max
            )));
        }
        if range.counted_to > u64::from(range.max) {
            let to = range.counted_to;
            return Err(CommandError::Usage(match self.count {
                true => format!("no theorem counts these positions with heaps up to {to}"),
                false => format!(
                    "positions are listed with heaps up to {}, not {to}; with --count a theorem may \
                     count them",
                    u32::MAX
                ),
            }));
        }
        self.announce(game, &range, &budget)?;
        let file = self.csv.as_ref().or(self.parquet.as_ref()).or(self.text_file());
        let listed = context.json && file.is_none() || json_file.is_some();
        let mut sink = self.sink(range.heaps, listed)?;
        let what = format!(
            "{} of {}",
            if self.values { "nim-values" } else { "P-positions" },
            game.name()
        );
        let found = progress::watched(context, &what, &budget, |budget| {
            self.fill(game, play, &range, budget, &mut sink)
        });
        let table = sink.table.take().filter(|_| sink.failed.is_none());
        let _ = sink.flush();
        let ended = sink.failed.take();
        if let Some(error) = ended.or_else(|| table.and_then(|table| table.finish().err())) {
            return Err(match file {
                Some(file) => at(file, error),
                None => error.into(),
            });
        }
        let found = found.ok_or_else(|| {
            if range.heaps.is_some() && self.values {
                CommandError::Usage(format!("{} has no nim-values", game.name()))
            } else {
                no_fixed_number(game)
            }
        })?;
        if context.json || json_file.is_some() {
            let list = sink.list.as_ref().filter(|_| !self.count);
            let answer = PPositions {
                game: GameName(game.name()),
                play: play.into(),
                max: range.max.into(),
                count: PositionCount::from_digits(sink.total()),
                theorem: None,
                certificate: None,
                slice: self.slice.as_deref().map(str::trim),
                values: list.filter(|_| self.values),
                positions: list.filter(|_| !self.values),
                texts: list,
                reason: found.err().map(Reason::new),
            };
            match &json_file {
                Some(file) => {
                    write_file(file, bouton_report::to_json(&answer) + "\n")?;
                    writeln!(std::io::stdout(), "{} in {}", sink.count, file.display())?;
                }
                None => bouton_report::write_json(std::io::stdout(), &answer)?,
            }
        } else if let (Some(file), true) = (file, self.output.is_some()) {
            writeln!(std::io::stdout(), "{} in {}", sink.count, file.display())?;
        } else if self.count && found.is_err() {
            writeln!(std::io::stdout(), "at least {}", sink.total())?;
        } else if self.count || file.is_some_and(|file| !is_dash(file)) {
            writeln!(std::io::stdout(), "{}", sink.total())?;
        }
        match found {
            Ok(()) => Ok(Status::Done),
            Err(LimitReached::Rules(fault)) => Err(CommandError::Usage(fault.to_string())),
            Err(spent) => {
                eprintln!("unknown from here on ({spent})");
                Ok(Status::Negative)
            }
        }
    }

    /// Counts the P-positions by a theorem, if they are to be counted, are many, and one is known.
    fn counted(
        &self,
        context: &Context,
        game: &dyn Game,
        play: Play,
        range: &Range,
        budget: &Budget,
    ) -> Option<CountedPositions> {
        let heaps =
            range.heaps.filter(|_| self.count && !self.values && range.pattern.is_none())?;
        if range.slice.is_some() && range.counted_to > u64::from(range.max) {
            return None;
        }
        let all = match &range.slice {
            Some(slice) => slice.count(),
            None => range.counted_to.saturating_add(1).checked_pow(u32::try_from(heaps).ok()?),
        };
        if all.is_some_and(|all| all <= FEW) {
            return None;
        }
        let theorems = context.theorems();
        let what = format!("P-positions of {}", game.name());
        progress::watched(context, &what, budget, |budget| {
            let max = range.counted_to;
            let asked = (max, range.slice.as_ref());
            let by_theorem = count_by_theorem(game, heaps, play, &theorems, asked, &budget);
            let is_whole = range.slice.is_none() && !has_different_heaps(game);
            let is_sum = is_whole && range.copies.is_some();
            let by_heaps = || match play {
                Play::Normal => count_by_period(game, heaps, max, &budget),
                Play::Misere => count_by_quotient(game, heaps, max, &budget),
            };
            let by_digits = || count_by_digits(game, heaps, play, max);
            by_theorem
                .or_else(|| is_whole.then(by_digits).flatten())
                .or_else(|| is_sum.then(by_heaps).flatten())
        })
    }

    /// Prints a number that a theorem gives, and the theorem.
    fn print_count(
        &self,
        context: &Context,
        game: &dyn Game,
        play: Play,
        range: &Range,
        counted: &CountedPositions,
    ) -> Result<Status, CommandError> {
        let CountedPositions { count, statement, certificate } = counted;
        if !context.json {
            match certificate {
                Some(hash) => eprintln!("by the theorem “{statement}”, certificate {hash}"),
                None => eprintln!("by the theorem “{statement}”"),
            }
            writeln!(std::io::stdout(), "{count}")?;
            return Ok(Status::Done);
        }
        let answer = PPositions {
            game: GameName(game.name()),
            play: play.into(),
            max: range.counted_to,
            count: PositionCount::from_digits(count.to_string()),
            theorem: Some(statement),
            certificate: certificate.as_deref(),
            slice: self.slice.as_deref().map(str::trim),
            values: None,
            positions: None,
            texts: None,
            reason: None,
        };
        bouton_report::write_json(std::io::stdout(), &answer)?;
        Ok(Status::Done)
    }

    /// Returns which positions are listed, if they are not too many.
    fn range(&self, named: &ParsedGame, play: Play) -> Result<Range, CommandError> {
        let game = &*named.game;
        let heaps = game.table_shape().map(|shape| shape.numbers);
        let copies = self.copies(game)?.or_else(|| {
            let heaps = default_heaps(named).filter(|_| heaps.is_none() && self.slice.is_none())?;
            eprintln!(
                "{} on {}{}; for another number: --heaps K, or a slice as x,x,y",
                game.name(),
                number_with_noun(heaps, "heap"),
                if play == Play::Misere { ", in misère play" } else { "" }
            );
            Some(heaps)
        });
        let heap_count = copies.or_else(|| game.heap_game().map(|heaps| heaps.heaps));
        let counted_to = self.max.unwrap_or_else(|| short_list(heap_count.unwrap_or(2)).into());
        let max = u32::try_from(counted_to).unwrap_or(u32::MAX);
        let heaps = copies.or(heaps);
        let (slice, pattern) = match (&self.slice, heaps) {
            (Some(text), Some(heaps)) => (Some(Slice::parse(text, heaps, max)?), None),
            (Some(text), None) => (None, Some(Pattern::parse(text, game)?)),
            (None, _) => (None, None),
        };
        if let Some(pattern) = &pattern {
            if self.csv.is_some() || self.parquet.is_some() {
                let message =
                    "the positions of a program or a sum are texts; accepted: -o FILE.json";
                return Err(CommandError::Usage(format!("{}: {message}", pattern.text)));
            }
            if (u64::from(max) + 1)
                .checked_pow(pattern.letters.len() as u32)
                .is_none_or(|len| len > MAX_OF_PATTERN)
            {
                return Err(CommandError::Usage(format!(
                    "{}: more than {MAX_OF_PATTERN} positions with letters up to {max}; give a \
                     smaller --max",
                    pattern.text
                )));
            }
        }
        Ok(Range { copies, heaps, max, counted_to, slice, pattern })
    }

    /// Says how large the tables of a large box are.
    fn announce(
        &self,
        game: &dyn Game,
        range: &Range,
        budget: &Budget,
    ) -> Result<(), CommandError> {
        if range.slice.is_some() || range.copies.is_some() {
            return Ok(());
        }
        let limits = Limits::bytes(budget.bytes.unwrap_or(u64::MAX));
        if let Some(plan) = self.plan(game, range.max, limits)?
            && plan.positions >= MIN_ANNOUNCED_POSITIONS
        {
            eprintln!(
                "{}, heaps <= {}: {} positions, {} MB of tables, {} thread(s)",
                game.name(),
                range.max,
                plan.positions,
                plan.bytes.div_ceil(1 << 20),
                plan.threads
            );
        }
        Ok(())
    }

    /// Returns where positions on this number of heaps go.
    fn sink(&self, heaps: Option<usize>, listed: bool) -> Result<Sink, CommandError> {
        let has_file = self.csv.is_some() || self.parquet.is_some();
        let mut sink = Sink {
            out: match self.csv.as_ref().filter(|file| !is_dash(file)).or(self.text_file()) {
                Some(file) => Box::new(File::create(file).map_err(|e| at(file, e))?),
                None => Box::new(std::io::stdout()),
            },
            lines: Vec::new(),
            table: None,
            list: listed.then(PositionList::default),
            silent: self.count,
            heaps: if has_file { heaps } else { None },
            count: 0,
            many: None,
            failed: None,
        };
        let Some(heaps) = heaps else { return Ok(sink) };
        let names = (1..=heaps).map(|i| format!("heap{i}"));
        let names: Vec<String> = names.chain(self.values.then(|| "nim_value".into())).collect();
        if let Some(file) = &self.csv {
            writeln!(sink.out, "{}", names.join(",")).map_err(|e| at(file, e))?;
        }
        if let Some(file) = &self.parquet {
            let columns: Vec<&str> = names.iter().map(String::as_str).collect();
            sink.table = Some(Table::new(file, &columns)?);
        }
        Ok(sink)
    }

    /// Finds the positions; `None` if the game has no such list.
    fn fill(
        &self,
        game: &dyn Game,
        play: Play,
        range: &Range,
        budget: Budget,
        sink: &mut Sink,
    ) -> Option<Result<(), LimitReached>> {
        let Range { copies, heaps, max, .. } = *range;
        let slice = range.slice.as_ref();
        if let Some(copies) = copies {
            if self.misere || !bouton_study::is_sum_of_heaps(game) {
                let how = (play, max, &budget);
                return Some(self.of_searched_heaps(game, copies, slice, how, sink));
            }
            return self.of_heaps(game, copies, slice, max, &budget, sink);
        }
        let nim_value_nodes = if self.slice.is_some() && self.values {
            u64::MAX
        } else {
            Settings::default().nim_value_nodes
        };
        let mut session =
            game.session(Settings { play, budget, nim_value_nodes, ..Settings::default() });
        if let Some(slice) = slice {
            Some(self.sliced(&mut *session, slice, sink))
        } else if let Some(pattern) = &range.pattern {
            Some(self.of_pattern(game, &mut *session, pattern, max, sink))
        } else if heaps.is_none()
            && self.csv.is_none()
            && self.parquet.is_none()
            && let Some(all) = game.all()
        {
            Some(self.of_list(&all, &mut *session, sink))
        } else if heaps.is_none() && !self.values && self.csv.is_none() && self.parquet.is_none() {
            session.p_positions(max, &mut |p| {
                // An error is reported at the end.
                let _ = sink.text(p, None);
            })
        } else if self.values {
            session.nim_value_table(max, &mut |p, value| sink.take(p, Some(value.0)))
        } else {
            session.p_sizes(max, &mut |p| sink.take(p, None))
        }
    }

    /// Returns how many heaps are played side by side, of a game on single heaps whose positions
    /// have no fixed number.
    fn copies(&self, game: &dyn Game) -> Result<Option<usize>, CommandError> {
        let name = game.name();
        let shape = game.table_shape().map(|shape| shape.numbers);
        let has_heaps = has_single_heaps(game);
        let asked = match (self.heaps, shape, &self.slice) {
            (Some(_), _, _) if !has_heaps => {
                let message = "--heaps: it is not a game on single heaps";
                return Err(CommandError::Usage(format!(
                    "{name}: {message}; a sum is written {name} + {name}"
                )));
            }
            (Some(heaps), _, _) => Some(heaps as usize),
            (None, None, Some(slice)) if has_heaps => Some(slice.split(',').count()),
            // The name says how many rows: `kayles(2;3)`.
            (None, None, _) if game.heap_moves().is_some() => {
                let is_fixed = |heaps: &usize| game.position(&vec![1; *heaps]).is_some();
                let mut counts = (1..=MAX_SINGLE_HEAPS).filter(is_fixed);
                counts.next().filter(|_| counts.next().is_none())
            }
            _ => None,
        };
        if asked.is_some_and(|heaps| heaps > MAX_SINGLE_HEAPS) {
            return Err(CommandError::Usage(format!("--heaps: at most {MAX_SINGLE_HEAPS}")));
        }
        Ok(asked)
    }

    /// Takes the sums of so many heaps of a game on single heaps that are lost, or all with their
    /// nim-values; `None` if the game has no nim-values.
    fn of_heaps(
        &self,
        game: &dyn Game,
        heaps: usize,
        slice: Option<&Slice>,
        max: u32,
        budget: &Budget,
        sink: &mut Sink,
    ) -> Option<Result<(), LimitReached>> {
        if heaps == 1 && slice.is_none() && !self.values && max >= SIEVED {
            let end =
                visit_lost_heaps(game, max, budget, &mut |heap| sink.take(&[heap.into()], None));
            if let Some(end) = end {
                return Some(end);
            }
        }
        let mut values = Vec::new();
        if let Err(spent) = bouton_study::single_heap_values(game, max, budget, &mut values)? {
            return Some(Err(spent));
        }
        let is_set = has_different_heaps(game);
        let mut take = |sizes: &[u64], value: u32| match (self.values, value) {
            _ if !is_position_of_heaps(game, is_set, sizes) => ControlFlow::Continue(()),
            (true, _) => sink.take(sizes, Some(value)),
            (false, 0) => sink.take(sizes, None),
            _ => ControlFlow::Continue(()),
        };
        let mut meter = Meter::new(budget);
        if let Some(slice) = slice {
            let mut end = Ok(());
            slice.visit(&mut |sizes| {
                end = meter.spend_one();
                if end.is_err() {
                    return ControlFlow::Break(());
                }
                take(sizes, sizes.iter().fold(0, |sum, size| sum ^ values[*size as usize]))
            });
            return Some(end);
        }
        if self.count {
            let mut sizes = sizes_by_value(&values);
            let from_zero: Vec<u64> = (0..heaps as u64).collect();
            if is_set && game.position(&from_zero).is_none() {
                sizes[values[0] as usize] -= 1;
            }
            let (all, many) = (sizes.iter().sum(), heaps as u32);
            let count = match (self.values, is_set) {
                (true, false) => Some(multisets(all, many)),
                (true, true) => Some(subsets(all, many)),
                (false, false) => count_lost_sums(&sizes, many),
                (false, true) => count_lost_sets(&sizes, many),
            };
            let count = count.map(|count| sink.many = Some(count.to_string()));
            return Some(count.ok_or(LimitReached::NumbersTooLarge));
        }
        Some(bouton_study::visit_sums(&values, heaps, !self.values, &mut meter, &mut take))
    }

    /// Takes the positions of so many heaps that are lost, or all with their nim-values, if the
    /// values of single heaps do not decide: in misère play by the misère quotient, else by search
    /// of each.
    fn of_searched_heaps(
        &self,
        game: &dyn Game,
        heaps: usize,
        slice: Option<&Slice>,
        (play, max, budget): (Play, u32, &Budget),
        sink: &mut Sink,
    ) -> Result<(), LimitReached> {
        let mut meter = Meter::new(budget);
        let known = match play {
            Play::Misere => bouton_study::MisereSums::new(game, max, budget),
            Play::Normal => None,
        };
        let side_by_side = HeapsSideBySide::new(game, heaps);
        let nim_value_nodes =
            if self.values { u64::MAX } else { Settings::default().nim_value_nodes };
        let settings =
            Settings { play, budget: budget.clone(), nim_value_nodes, ..Settings::default() };
        let mut session = side_by_side.game().session(settings);
        let mut evaluate = |sizes: &[u64]| {
            if let Some(known) = &known {
                return Ok((known.is_p(sizes), None));
            }
            let found = side_by_side.evaluate(&mut *session, sizes);
            let found = found.unwrap_or(Err(LimitReached::NumbersTooLarge))?;
            let outcome = found.outcome.ok_or(LimitReached::NumbersTooLarge)?;
            Ok((outcome == Outcome::P, found.nim_value))
        };
        let mut end = Ok(());
        let is_set = has_different_heaps(game);
        let mut take = |sizes: &[u64]| {
            if !is_position_of_heaps(game, is_set, sizes) {
                return ControlFlow::Continue(());
            }
            match (evaluate(sizes), self.values) {
                (Ok((_, Some(value))), true) => sink.take(sizes, Some(value.0)),
                (Ok((true, _)), false) => sink.take(sizes, None),
                (Ok((false, _)), false) => ControlFlow::Continue(()),
                (Ok((_, None)), true) => {
                    end = Err(LimitReached::NumbersTooLarge);
                    ControlFlow::Break(())
                }
                (Err(spent), _) => {
                    end = Err(spent);
                    ControlFlow::Break(())
                }
            }
        };
        let visited = match slice {
            Some(slice) => {
                let mut visited = Ok(());
                slice.visit(&mut |sizes| {
                    visited = meter.spend_one();
                    if visited.is_err() { ControlFlow::Break(()) } else { take(sizes) }
                });
                visited
            }
            None => bouton_study::visit_multisets(max, heaps, &mut meter, &mut take),
        };
        end.and(visited)
    }

    /// Takes the P-positions of a slice, or all its positions with their nim-values, up to where
    /// the budget ends.
    fn sliced(
        &self,
        session: &mut dyn Session,
        slice: &Slice,
        sink: &mut Sink,
    ) -> Result<(), LimitReached> {
        let mut end = Ok(());
        slice.visit(&mut |sizes| {
            // Numbers that are no position do not occur.
            let Some(found) = session.evaluate_sizes(sizes) else {
                return ControlFlow::Continue(());
            };
            let taken =
                found.and_then(|found| match (self.values, found.outcome, found.nim_value) {
                    (false, Some(Outcome::P), _) => Ok(sink.take(sizes, None)),
                    (false, Some(_), _) => Ok(ControlFlow::Continue(())),
                    (true, _, Some(value)) => Ok(sink.take(sizes, Some(value.0))),
                    _ => Err(LimitReached::NumbersTooLarge),
                });
            taken.unwrap_or_else(|spent| {
                end = Err(spent);
                ControlFlow::Break(())
            })
        });
        end
    }

    /// Takes the P-positions of a list, or all its positions with their nim-values, up to where the
    /// budget ends.
    fn of_list(
        &self,
        all: &[String],
        session: &mut dyn Session,
        sink: &mut Sink,
    ) -> Result<(), LimitReached> {
        for position in all {
            let found = session.evaluate(position).map_err(fault)??;
            let end = match (self.values, found.outcome, found.nim_value) {
                (false, Some(Outcome::P), _) => sink.text(position, None),
                (false, _, _) if found.outcome.is_some() || found.is_draw => {
                    ControlFlow::Continue(())
                }
                (true, _, Some(value)) => sink.text(position, Some(value.0)),
                _ => return Err(LimitReached::NumbersTooLarge),
            };
            if end.is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes the P-positions of a pattern, or all its positions with their nim-values, up to where
    /// the budget ends.
    fn of_pattern(
        &self,
        game: &dyn Game,
        session: &mut dyn Session,
        pattern: &Pattern,
        max: u32,
        sink: &mut Sink,
    ) -> Result<(), LimitReached> {
        let mut values = vec![0; pattern.letters.len()];
        let mut known = BTreeSet::new();
        loop {
            // What is no position does not occur; a position that has several values of the letters
            // occurs once.
            let position = pattern.at(&values).and_then(|text| game.normal_form(&text).ok());
            if let Some(position) = position.filter(|position| known.insert(position.clone())) {
                let found = session.evaluate(&position).map_err(fault)??;
                let end = match (self.values, found.outcome, found.nim_value) {
                    (false, Some(Outcome::P), _) => sink.text(&position, None),
                    (false, _, _) if found.outcome.is_some() || found.is_draw => {
                        ControlFlow::Continue(())
                    }
                    (true, _, Some(value)) => sink.text(&position, Some(value.0)),
                    _ => return Err(LimitReached::NumbersTooLarge),
                };
                if end.is_break() {
                    return Ok(());
                }
            }
            let Some(place) = values.iter().rposition(|value| *value < i64::from(max)) else {
                return Ok(());
            };
            values[place] += 1;
            values[place + 1..].fill(0);
        }
    }

    /// Takes the file of `-o` as that of the option for its ending; returns the file for JSON.
    fn output_by_ending(&mut self) -> Result<Option<PathBuf>, CommandError> {
        let Some(file) = self.output.clone() else { return Ok(None) };
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => self.csv = Some(file),
            Some("parquet") => self.parquet = Some(file),
            Some("json") => return Ok(Some(file)),
            Some("txt") => {}
            _ => {
                let accepted = must_end(&["csv", "parquet", "json", "txt"]);
                return Err(CommandError::Usage(format!("{}: {accepted}", file.display())));
            }
        }
        Ok(None)
    }

    /// Returns the file that takes the list as it is printed.
    fn text_file(&self) -> Option<&PathBuf> {
        self.output.as_ref().filter(|file| file.extension().is_some_and(|ending| ending == "txt"))
    }

    /// Plans the sweep, if there is one. Fails for a box too large, and names the largest that
    /// fits.
    fn plan(
        &self,
        game: &dyn Game,
        max: u32,
        limits: Limits,
    ) -> Result<Option<Plan>, CommandError> {
        let swept = game.heap_game().and_then(|heaps| HeapSweep::from_game(&heaps));
        let Some(swept) = swept.filter(|swept| swept.is_suitable(max)) else { return Ok(None) };
        let plan =
            if self.values { swept.plan_values(max, limits) } else { swept.plan(max, limits) };
        plan.map(Some).map_err(|error| CommandError::Usage(error.to_string()))
    }
}

/// Returns the fault of a game whose positions are not so many numbers.
fn no_fixed_number(game: &dyn Game) -> CommandError {
    let name = game.name();
    CommandError::Usage(match game.single(1) {
        Some(_) if has_single_heaps(game) => {
            format!("{name}: on how many heaps? accepted: --heaps 3, or a slice as x,x,y")
        }
        Some(_) => format!(
            "{name}: its positions are no lists of numbers; accepted: bouton values {name}, or the \
             P-positions as they are, without --values, --csv and --parquet"
        ),
        None => {
            let message = "is a game neither on a fixed number of heaps, as nim(5) or moore(3;4), \
                nor on single heaps";
            format!("{name} {message}")
        }
    })
}

/// Returns whether a file is standard output.
fn is_dash(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Returns the largest heap up to which a list is short.
fn short_list(heaps: usize) -> u32 {
    match heaps {
        0 | 1 => 100,
        2 => 20,
        3 => 10,
        4 => 6,
        _ => 4,
    }
}

/// Returns the fault of a file that could not be written.
fn at(file: &Path, error: std::io::Error) -> CommandError {
    CommandError::File(file.display().to_string(), error)
}
