//! `bouton values`: the nim-sequence of single heaps.

use super::BudgetArgs;
use crate::context::{Context, must_end};
use crate::error::{CommandError, write_file};
use crate::{Status, progress};
use bouton_core::{Budget, LimitReached, Meter, NotationError, Play};
use bouton_dots::board_values;
use bouton_draw::listing::{number, write_lines};
use bouton_engine::sum::Sum;
use bouton_engine::{Game, Kind, Settings};
use bouton_games::Template;
use bouton_octal::sequence::{Checkpoint, Sequence};
use bouton_report::answers::solve::OutcomeOrDraw;
use bouton_report::answers::tables::{
    BoardMargin, BoardMargins, KeptSequence, NamedOutcome, NamedOutcomes, NamedValues, NimSequence,
};
use bouton_report::answers::{GameName, Margin, Reason};
use bouton_report::write_json;
use bouton_study::Answers;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// List the nim-values of single heaps 0, 1, 2, …, or the margins of boards of Dots and Boxes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton values kayles --to 100
  bouton values 'mock turtles' -o values.csv
  bouton values 0.77 --to 1000 --b-file > b002186.txt
  bouton values grundy --to 1000000 --checkpoint grundy.values
  bouton values dots --to 16
  bouton values cram 3xn --to 4
  bouton values kayles 100..110
  bouton values wythoff n,n+1
  bouton --rules graph.edges values graph")]
pub struct Values {
    /// A game on single heaps or rows, a finite graph (with a cycle: who wins from each node, and
    /// in how many moves), or `dots`
    game: String,
    /// Positions with n in place of a number, as 3xn or n,2*n: their values for n = 0, 1, 2, …; or
    /// a range of single heaps, as 100..110
    #[arg(conflicts_with = "checkpoint")]
    positions: Option<String>,
    /// The largest heap, the largest n [default: 20, or as far as it takes at most 8192 positions],
    /// or the largest number of boxes [default: 60]; not for a graph, all of whose nodes are listed
    #[arg(long, visible_alias = "max", value_name = "N", value_parser = super::number::<u64>)]
    to: Option<u64>,
    /// Print an OEIS b-file: a line `n a(n)` for each heap
    #[arg(long)]
    b_file: bool,
    /// Keep the values in a file, and continue from the values it holds; only --b-file prints them
    /// then
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Write into a file as its ending says: .csv, .json, or .txt as an OEIS b-file
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["b_file", "checkpoint"])]
    output: Option<PathBuf>,
    /// Write comma-separated lines into a file, whatever its name, or print them
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    #[arg(conflicts_with_all = ["b_file", "checkpoint", "output", "json"])]
    csv: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Values of a range that are asked one by one, at most, and how long.
const MAX_APART: u32 = 256;
const ONE_BY_ONE_TIME: Duration = Duration::from_secs(5);

/// The least and the greatest number of values between two additions to a checkpoint.
const STEPS: [usize; 2] = [1 << 12, 1 << 23];

/// The largest heap, unless another is asked for.
const DEFAULT_BOUND: u64 = 60;

/// The largest n of positions with n in them, unless another is asked for.
const DEFAULT_LARGEST_N: u64 = 20;
/// Positions that each position of such a list may expand if no largest n is given: the list ends
/// before the first that needs more.
const SHORT_NODES: u64 = 1 << 13;

/// Positions with n in them that are listed at most.
const MAX_POSITIONS: u64 = 1 << 20;

/// Nim-values from a number on, and why there are no more.
struct Listed {
    from: u32,
    values: Vec<u32>,
    end: Result<(), LimitReached>,
}

/// Values on one printed line.
const PER_LINE: usize = 20;

/// Returns the fault of a checkpoint that could not be written.
fn kept(file: &Path, error: std::io::Error) -> CommandError {
    CommandError::Checkpoint(file.display().to_string(), error.into())
}

impl Values {
    /// Makes a long run, kept in a file as it goes.
    fn keep(&self, context: &Context, file: &Path) -> Result<Status, CommandError> {
        let as_json = context.json;
        let named = super::game_alone(context, &self.game)?;
        let wrong = |error| CommandError::Checkpoint(file.display().to_string(), error);
        let begun = bouton_octal::sequence_of(&*named.game)?;
        let (mut checkpoint, mut sequence) = Checkpoint::resume(file, begun).map_err(wrong)?;
        let (resumed, len) = (sequence.len(), self.bound() as usize + 1);
        let rares = |sequence: &Sequence| sequence.rares().map(|(_, rares)| rares);
        // One run to be watched, however many additions: else many short ones go by without a word.
        let what = format!("nim-values of {}", sequence.game());
        let end = progress::with_progress(
            context,
            &what,
            &self.budget.budget(context),
            |budget, tell| {
                let mut meter = Meter::new(&budget);
                let mut end = Ok(());
                while sequence.len() < len && end.is_ok() {
                    let found = rares(&sequence)
                        .map_or(String::new(), |rares| format!(", {} rare", rares.len()));
                    tell(&format!("{} from {}{found}", sequence.game(), sequence.len()));
                    let to =
                        len.min(sequence.len() + (sequence.len() / 8).clamp(STEPS[0], STEPS[1]));
                    end = sequence.extend(to, &mut meter);
                    checkpoint.append(&sequence).map_err(|error| kept(file, error))?;
                }
                Ok::<_, CommandError>(end)
            },
        )?;
        // Each value greater than all before, and its heap.
        let mut records: Vec<(usize, u32)> = Vec::new();
        for (n, value) in sequence.values().enumerate() {
            if records.last().is_none_or(|(_, most)| value > *most) {
                records.push((n, value));
            }
        }
        let rares = rares(&sequence);
        let last_rare = rares.as_ref().and_then(|rares| rares.last().copied());
        let mut out = std::io::BufWriter::new(std::io::stdout());
        if as_json {
            let kept = KeptSequence {
                game: sequence.game().to_owned(),
                values: sequence.len(),
                resumed,
                rare: rares.map(|rares| rares.len()),
                last_rare,
                record: records.last().copied(),
                records,
                checkpoint: file.display().to_string(),
                reason: end.err().map(Reason::new),
            };
            write_json(&mut out, &kept)?;
        } else if self.b_file {
            for (n, value) in sequence.values().take(len).enumerate() {
                writeln!(out, "{n} {value}")?;
            }
        } else {
            writeln!(out, "{}: {} values in {}", sequence.game(), sequence.len(), file.display())?;
            if let Some((n, value)) = records.last() {
                writeln!(out, "  the greatest is {value}, first at {n}")?;
            }
            if let Some(rares) = rares {
                let last = last_rare.map_or(String::new(), |last| format!(", the last {last}"));
                writeln!(out, "  {} heaps are rare{last}", rares.len())?;
            }
        }
        out.flush()?;
        Ok(ending(end, sequence.len()))
    }

    /// Returns the file that the values go into.
    fn file(&self) -> Option<&PathBuf> {
        self.output.as_ref().or(self.csv.as_ref())
    }

    /// Returns the largest heap or board, which all games but graphs have.
    fn bound(&self) -> u64 {
        self.to.unwrap_or(DEFAULT_BOUND)
    }

    /// Finds the nim-values of positions, as far as the budget goes.
    fn evaluate(
        &self,
        context: &Context,
        game: &dyn Game,
        all: &[String],
        budget: &Budget,
    ) -> Result<(Vec<u32>, Result<(), LimitReached>), CommandError> {
        let what = format!("nim-values of {}", game.name());
        Ok(progress::watched(context, &what, budget, |budget| {
            let settings = Settings { budget, nim_value_nodes: u64::MAX, ..Settings::default() };
            let mut session = game.session(settings);
            let mut values = Vec::new();
            for position in all {
                match session.evaluate(position)?.map(|found| found.nim_value) {
                    Ok(Some(value)) => values.push(value.0),
                    Ok(None) => return Ok((values, Err(LimitReached::NumbersTooLarge))),
                    Err(spent) => return Ok::<_, NotationError>((values, Err(spent))),
                }
            }
            Ok((values, Ok(())))
        })?)
    }

    /// Lists the nim-values of all positions of a game that lists them.
    fn listed(
        &self,
        context: &Context,
        game: &dyn Game,
        all: &[String],
    ) -> Result<Status, CommandError> {
        if self.b_file || self.to.is_some() || self.file().is_some() || self.positions.is_some() {
            let name = game.name();
            return Err(CommandError::Usage(format!(
                "the nodes of {name} are no sequence: it takes neither positions, --b-file, --to, \
                 --csv nor -o"
            )));
        }
        if game.kind() != Kind::Impartial {
            return self.outcomes(context, game, all);
        }
        let (values, end) = self.evaluate(context, game, all, &self.budget.budget(context))?;
        let mut out = std::io::BufWriter::new(std::io::stdout());
        if context.json {
            let known = NamedValues {
                game: GameName(game.name()),
                values: all.iter().map(String::as_str).zip(values.iter().copied()).collect(),
                reason: end.err().map(Reason::new),
            };
            write_json(&mut out, &known)?;
        } else {
            let width = all.iter().map(|position| position.chars().count()).max().unwrap_or(0);
            for (position, value) in all.iter().zip(&values) {
                let pad = " ".repeat(width - position.chars().count());
                writeln!(out, "{position}{pad}  {value}")?;
            }
        }
        out.flush()?;
        Ok(ending(end, values.len()))
    }

    /// Lists who wins from each position and in how many moves, in a game whose positions may come
    /// again.
    fn outcomes(
        &self,
        context: &Context,
        game: &dyn Game,
        all: &[String],
    ) -> Result<Status, CommandError> {
        let what = format!("outcomes of {}", game.name());
        let found = progress::watched(context, &what, &self.budget.budget(context), |budget| {
            bouton_study::remoteness_of_all(game, all, Play::Normal, &budget)
        })?;
        let found = match found {
            Some(Ok(found)) => found,
            Some(Err(spent)) => return Ok(ending(Err(spent), 0)),
            None => {
                let message = format!("the positions of {} have no outcomes", game.name());
                return Err(CommandError::Usage(message));
            }
        };
        let mut out = std::io::BufWriter::new(std::io::stdout());
        if context.json {
            let known = found.into_iter().map(|found| NamedOutcome {
                outcome: OutcomeOrDraw::of_remoteness(found),
                remoteness: found.map(|found| found.moves),
            });
            let outcomes = all.iter().map(String::as_str).zip(known).collect();
            write_json(&mut out, &NamedOutcomes { game: GameName(game.name()), outcomes })?;
        } else {
            writeln!(
                out,
                "play may return to a position, so there are no nim-values: N is won by the player \
                 to move and P lost, in so many moves; D is a draw"
            )?;
            let width = all.iter().map(|position| position.chars().count()).max().unwrap_or(0);
            for (position, found) in all.iter().zip(found) {
                let pad = " ".repeat(width - position.chars().count());
                let known = found
                    .map_or("D".to_owned(), |found| format!("{} {}", found.outcome, found.moves));
                writeln!(out, "{position}{pad}  {known}")?;
            }
        }
        out.flush()?;
        Ok(Status::Done)
    }

    /// Boards of Dots and Boxes, by a table that tests find again.
    fn boards(&self, as_json: bool) -> Result<Status, CommandError> {
        if self.b_file
            || self.checkpoint.is_some()
            || self.file().is_some()
            || self.positions.is_some()
        {
            return Err(CommandError::Usage(
                "the margins of boards are not a nim-sequence: dots takes neither positions, \
                 --b-file, --checkpoint, --csv nor -o"
                    .into(),
            ));
        }
        let boards = board_values();
        let to = self.bound();
        let boards: Vec<_> =
            boards.iter().filter(|board| u64::from(board.rows * board.columns) <= to).collect();
        let mut out = std::io::BufWriter::new(std::io::stdout());
        if as_json {
            let boards = boards.iter().map(|board| BoardMargin {
                game: GameName(board.game()),
                margin: Margin(board.margin),
                best: board.best,
                openings: board.openings,
                source: board.source,
            });
            let boards = boards.collect();
            write_json(&mut out, &BoardMargins { game: GameName("dots".into()), boards })?;
        } else {
            for board in boards {
                let best = board
                    .best
                    .map_or("not counted".into(), |best| format!("{best} of {}", board.openings));
                writeln!(
                    out,
                    "{:<21} {:>+3}  {best:<11}  {}",
                    board.game(),
                    board.margin,
                    board.source
                )?;
            }
        }
        out.flush()?;
        Ok(Status::Done)
    }

    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        let json = context.json;
        super::only_normal(context, &mut self.game)?;
        super::split_pattern(context, &mut self.game, &mut self.positions);
        super::take_bound(&mut self.positions, &mut self.to);
        if json && self.b_file {
            return Err(CommandError::Usage(
                "a b-file is no JSON; accepted: --b-file or --json".into(),
            ));
        }
        const ACCEPTED: &[&str] = &["csv", "json", "txt"];
        if let Some(file) = &self.output
            && !ACCEPTED.iter().any(|ending| file.extension().is_some_and(|own| own == *ending))
        {
            return Err(CommandError::Usage(format!("{}: {}", file.display(), must_end(ACCEPTED))));
        }
        if self.game == bouton_dots::FAMILY.name {
            return self.boards(json);
        }
        if let Some(file) = &self.checkpoint {
            return self.keep(context, file);
        }
        let named = super::game_alone(context, &self.game)?;
        if let Some(all) = named.game.all() {
            return self.listed(context, &*named.game, &all);
        }
        let game = &*named.game;
        super::check_nim_values(game)?;
        if self.to.is_none() && self.positions.is_none() {
            let entry = context.catalogue.entry(&self.game, game);
            self.to = entry.and_then(|entry| entry.values_to);
        }
        let listed = match &self.positions {
            Some(range) if range.contains("..") => self.of_range(context, game, range)?,
            Some(pattern) => self.of_pattern(context, game, pattern)?,
            None => self.of_single_heaps(context, game)?,
        };
        self.print(context, game, listed)
    }

    /// Lists the nim-values of single heaps.
    fn of_single_heaps(&self, context: &Context, game: &dyn Game) -> Result<Listed, CommandError> {
        let to = u32::try_from(self.bound()).map_err(|_| {
            CommandError::Usage(format!(
                "more than {} values are kept in a file only; give --checkpoint FILE",
                u32::MAX
            ))
        })?;
        self.up_to(context, game, to)
    }

    /// Lists the nim-values of single heaps up to one of this size.
    fn up_to(&self, context: &Context, game: &dyn Game, to: u32) -> Result<Listed, CommandError> {
        // A heap may be too large for the game.
        let has_domain = game.heap_game().is_some_and(|stated| stated.moves.domain.is_some());
        if !has_domain && game.single(1).is_some() && game.single(to).is_none() {
            game.normal_form(&to.to_string())?;
        }
        let mut values = Vec::new();
        let what = format!("nim-values of {}", game.name());
        let end = progress::watched(context, &what, &self.budget.budget(context), |budget| {
            bouton_study::single_heap_values(game, to, &budget, &mut values)
        });
        let end = end.ok_or_else(|| {
            let numbers = game.table_shape().map_or(1, |shape| shape.numbers);
            let message = if numbers > 1 {
                let zeros = ",0".repeat(numbers - 1);
                let command = format!("bouton values '{}' n{zeros}", game.name());
                format!("is no game on single heaps; positions n{zeros} are listed by `{command}`")
            } else if game.heap_game().is_some_and(|stated| stated.moves.domain.is_some()) {
                "does not have all heaps from 0 on as positions; list those that occur, as n+1 or \
                 2*n"
                .into()
            } else {
                "has no nim-sequence: single numbers are no positions of it, or it has no \
                 nim-values"
                    .into()
            };
            CommandError::Usage(format!("{} {message}", game.name()))
        })?;
        Ok(Listed { from: 0, values, end })
    }

    /// Lists the nim-values of the single heaps of a range, as `100..110`.
    fn of_range(
        &self,
        context: &Context,
        game: &dyn Game,
        range: &str,
    ) -> Result<Listed, CommandError> {
        let wrong =
            || CommandError::Usage(format!("{range}: a range of heaps is written as 100..110"));
        let (first, last) = range.split_once("..").ok_or_else(wrong)?;
        let large = |_: u64| {
            CommandError::Usage(format!("{range}: a heap of a range is at most {}", u32::MAX))
        };
        let bound = |text: &str| -> Result<u32, CommandError> {
            let number = super::number::<u64>(text.trim()).map_err(|_| wrong())?;
            u32::try_from(number).map_err(|_| large(number))
        };
        let (first, last) = (bound(first)?, bound(last)?);
        if self.to.is_some() {
            return Err(CommandError::Usage(format!(
                "{range}: a range says where it ends; leave --to out"
            )));
        }
        if first > last {
            let message =
                format!("{range}: a range begins with the lesser heap, as {last}..{first}");
            return Err(CommandError::Usage(message));
        }
        // A few values far out are asked one by one: what is proved knows them without the others.
        if last - first < MAX_APART && first > 100 * MAX_APART {
            let all: Option<Vec<String>> = (first..=last).map(|size| game.single(size)).collect();
            let values = all.map(|all| self.one_by_one(context, game, &all)).transpose()?.flatten();
            if let Some(values) = values {
                return Ok(Listed { from: first, values, end: Ok(()) });
            }
        }
        let Listed { mut values, end, .. } = self.up_to(context, game, last)?;
        values.drain(..values.len().min(first as usize));
        Ok(Listed { from: first, values, end })
    }

    /// Lists the nim-values of positions, each by what is proved of it or a search that knows
    /// nothing of the others; `None` if one is not found so.
    fn one_by_one(
        &self,
        context: &Context,
        game: &dyn Game,
        all: &[String],
    ) -> Result<Option<Vec<u32>>, CommandError> {
        let theorems = context.theorems();
        let what = format!("nim-values of {}", game.name());
        Ok(progress::watched(context, &what, &self.budget.budget(context), |budget| {
            let budget = budget.within(ONE_BY_ONE_TIME);
            let mut answers =
                Answers::new(game, Settings { budget, ..Settings::default() }, &theorems);
            let mut values = Vec::new();
            for position in all {
                match answers.of(position)?.analysis.evaluation.nim_value {
                    Some(value) => values.push(value.0),
                    None => return Ok(None),
                }
            }
            Ok::<_, NotationError>(Some(values))
        })?)
    }

    /// Lists the nim-values of positions with n in place of a number.
    fn of_pattern(
        &self,
        context: &Context,
        game: &dyn Game,
        pattern: &str,
    ) -> Result<Listed, CommandError> {
        let accepted = format!(
            "positions with n in place of a number, as 3xn or n,2*n; one position: bouton solve \
             {} {pattern}",
            self.game
        );
        // A position of a sum has a part for each summand, of which one at least has an n in it.
        let parts: Vec<&str> = match game.ruleset().is::<Sum>() {
            true => pattern.split(" + ").collect(),
            false => vec![pattern],
        };
        let parts: Vec<(&str, Result<Template, NotationError>)> =
            parts.into_iter().map(|part| (part, Template::parse(part, "n"))).collect();
        if parts.iter().all(|(_, template)| template.is_err()) {
            Template::parse(pattern, "n").map_err(|error| NotationError { accepted, ..error })?;
        }
        let at = |n: u32| -> Result<String, CommandError> {
            let text = |(part, template): &(&str, Result<Template, NotationError>)| match template {
                Ok(template) => template.at(n.into()),
                Err(_) => Some((*part).to_owned()),
            };
            let texts = parts.iter().map(text).collect::<Option<Vec<_>>>().ok_or_else(|| {
                CommandError::Usage(format!(
                    "{pattern} at n = {n}: a number is negative or too large"
                ))
            })?;
            Ok(bouton_study::normal_form(game, &texts.join(" + "))?)
        };
        // A rectangle has at least one row: n begins at 1 where 0 makes no position.
        let from = u32::from(at(0).is_err());
        let to = self.to.unwrap_or(DEFAULT_LARGEST_N).try_into().unwrap_or(u32::MAX);
        if u64::from(to) > MAX_POSITIONS {
            return Err(CommandError::Usage(format!(
                "--to {to}: at most {MAX_POSITIONS} positions are listed"
            )));
        }
        let all = (from..=to).map(at).collect::<Result<Vec<_>, _>>()?;
        let mut budget = self.budget.budget(context);
        let is_short = self.to.is_none() && budget.nodes.is_none();
        if is_short {
            budget.nodes = Some(SHORT_NODES);
        }
        let (values, mut end) = self.evaluate(context, game, &all, &budget)?;
        if is_short && !values.is_empty() && matches!(end, Err(LimitReached::Nodes(_))) {
            let next = from as usize + values.len();
            eprintln!("n = {next} takes more than {SHORT_NODES} positions; for more: --to {next}");
            end = Ok(());
        }
        Ok(Listed { from, values, end })
    }

    /// Prints values, or writes them into a file.
    fn print(
        &self,
        context: &Context,
        game: &dyn Game,
        listed: Listed,
    ) -> Result<Status, CommandError> {
        let json = context.json;
        let Listed { from: least, values, end: found } = listed;
        let mut out = std::io::BufWriter::new(std::io::stdout());
        let as_json = NimSequence {
            from: least,
            positions: self.positions.as_deref(),
            ..bouton_report::values(game, &values, found.err())
        };
        if let Some(file) = self.file() {
            let prints = self.csv.is_some() && file.as_os_str() == "-";
            let mut text = Vec::new();
            match file.extension().and_then(|ending| ending.to_str()) {
                ending if self.csv.is_some() || ending == Some("csv") => {
                    let head =
                        if self.positions.is_some() { "n,nim_value\n" } else { "heap,nim_value\n" };
                    text.extend_from_slice(head.as_bytes());
                    write_lines(&mut text, least, &values, b',')?;
                }
                Some("json") => write_json(&mut text, &as_json)?,
                _ => write_lines(&mut text, least, &values, b' ')?,
            }
            if prints {
                out.write_all(&text)?;
            } else {
                write_file(file, text)?;
            }
            if !json && !prints {
                writeln!(out, "{} values of {} in {}", values.len(), game.name(), file.display())?;
            }
        }
        if json {
            write_json(&mut out, &as_json)?;
        } else if self.file().is_some() {
        } else if self.b_file {
            write_lines(&mut out, least, &values, b' ')?;
        } else {
            let width = values.iter().max().map_or(1, |most| most.to_string().len());
            for (line, chunk) in values.chunks(PER_LINE).enumerate() {
                write!(out, "{:>8}:", least as usize + line * PER_LINE)?;
                for value in chunk {
                    // A space between, and numbers in columns.
                    let mut digits = [b' '; 24];
                    let from = number(&mut digits, 24, *value, width + 1);
                    out.write_all(&digits[from..])?;
                }
                out.write_all(b"\n")?;
            }
        }
        out.flush()?;
        Ok(ending(found, least as usize + values.len()))
    }
}

/// Tells from which position on values are unknown, if not all are known.
fn ending(end: Result<(), LimitReached>, known: usize) -> Status {
    match end {
        Ok(()) => Status::Done,
        Err(LimitReached::Rules(fault)) => {
            eprintln!("error: {fault}");
            Status::BadInput
        }
        Err(spent) => {
            eprintln!("unknown from {known} on ({spent})");
            Status::Negative
        }
    }
}
