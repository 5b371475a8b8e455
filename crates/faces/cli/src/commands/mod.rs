//! One command a file.

#[cfg(feature = "atlas")]
mod atlas;
mod cash;
mod check;
mod claims;
#[cfg(feature = "shell")]
mod completions;
mod conjecture;
mod games;
mod genus;
mod heatmap;
mod help;
mod logic;
#[cfg(feature = "shell")]
mod man;
mod missing;
mod period;
mod play;
mod positions;
mod proof_file;
mod prove;
#[cfg(feature = "database")]
mod query;
mod quotient;
#[cfg(feature = "shell")]
mod reference;
mod save;
#[cfg(feature = "serve")]
mod serve;
mod solve;
mod strategy;
mod study;
#[cfg(feature = "database")]
mod sweep;
mod values;
mod wythoff;

use crate::Status;
use crate::context::Context;
use crate::error::{CommandError, is_for_coq, write_file};
use crate::former::published_name;
use bouton_certificate::SealedCertificate;
use bouton_core::{
    Budget, DigitSystem, Meter, NotationError, Play, WrittenNumber, comma_list, has_dash_or_slash,
};
use bouton_engine::family::OwnGame;
use bouton_engine::{Game, Kind};
use bouton_games::{
    Catalogue, ParsedGame, RuleFile, RuleFileError, ShelfGame, is_list_with_signs, is_token_noun,
    with_powers_evaluated,
};
use bouton_program::Graph;
use bouton_prover::export::automaton::walnut_digits;
use bouton_prover::{Undecided, default_budget};
use bouton_study::{Form, NamedPositionError, named_position};
use clap::{Args, Subcommand};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(not(feature = "atlas"))]
use missing::atlas;
#[cfg(not(feature = "serve"))]
use missing::serve;
#[cfg(not(feature = "shell"))]
use missing::{completions, man};
#[cfg(not(feature = "database"))]
use missing::{query, sweep};

/// What `bouton` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Games(games::Games),
    Solve(solve::Solve),
    Positions(positions::Positions),
    Values(values::Values),
    Period(period::PeriodOf),
    Genus(genus::GenusOf),
    Quotient(quotient::QuotientOf),
    Wythoff(wythoff::WythoffRows),
    Play(play::PlayGame),
    Study(study::Study),
    Conjecture(conjecture::Conjecture),
    Strategy(strategy::Strategy),
    Heatmap(heatmap::HeatmapArgs),
    Serve(serve::Serve),
    Sweep(sweep::Sweep),
    Atlas(atlas::AtlasOf),
    Query(query::Query),
    Export(query::Export),
    #[command(alias = "ledger")]
    Claims(claims::Claims),
    Logic(logic::Logic),
    Prove(prove::Prove),
    Cash(cash::Cash),
    Check(check::Check),
    Completions(completions::Completions),
    Man(man::Man),
    Help(help::Help),
}

impl Command {
    /// Returns whether it waits for others most of the time: Ctrl-C ends it, and its seconds are
    /// those of one answer.
    pub fn converses(&self) -> bool {
        match self {
            Command::Play(_) | Command::Serve(_) => true,
            Command::Solve(command) => command.reads_lines(),
            _ => false,
        }
    }

    /// Returns whether it stops at its time by itself and then writes what it has: ending it from
    /// outside would lose that.
    pub fn ends_itself(&self) -> bool {
        matches!(self, Command::Sweep(_))
    }

    /// Returns the file that takes the whole answer, if `-o` names one and it is not for a proof or
    /// a picture; and all the endings that files of this command may have.
    pub fn answer_file(&self) -> Option<(&Path, &'static [&'static str])> {
        const TEXT: &[&str] = &["json", "txt"];
        const TABLE: &[&str] = &["csv", "json", "txt"];
        const PROOF: &[&str] = &["cert", "v", "json", "txt"];
        const CONDITION: &[&str] = &["cert", "json", "txt"];
        let no_proof = |file: &&Path| !is_proof(file);
        let (file, accepted) = match self {
            Command::Games(command) => (command.answer.output.as_deref(), TEXT),
            Command::Solve(command) => (command.answer_file(), TEXT),
            Command::Period(command) => (command.output.as_deref().filter(no_proof), PROOF),
            Command::Prove(command) => (command.output.as_deref().filter(no_proof), PROOF),
            Command::Genus(command) => (command.answer.output.as_deref(), TABLE),
            Command::Quotient(command) => (command.answer.output.as_deref(), TEXT),
            Command::Wythoff(command) => (command.answer.output.as_deref(), TABLE),
            Command::Conjecture(command) => (command.answer.output.as_deref(), TEXT),
            Command::Cash(command) if command.shows_table() => (command.output.as_deref(), TABLE),
            Command::Cash(command) => {
                let file = command.output.as_deref().filter(|file| !is_certificate(file));
                (file, CONDITION)
            }
            Command::Claims(command) => (command.answer.output.as_deref(), TEXT),
            Command::Check(command) => (command.answer.output.as_deref(), TEXT),
            Command::Strategy(command) => {
                let file = command.output.as_deref().filter(|file| is_certificate(file));
                (file, &["cert"] as &[&str])
            }
            Command::Logic(command) => (command.answer_file(), &["dot", "json", "txt"] as &[&str]),
            #[cfg(feature = "database")]
            Command::Query(command) => (command.answer.output.as_deref(), TABLE),
            _ => return None,
        };
        Some((file?, accepted))
    }

    /// Does it.
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        match self {
            Command::Games(command) => command.run(context),
            Command::Solve(command) => command.run(context),
            Command::Positions(command) => command.run(context),
            Command::Values(command) => command.run(context),
            Command::Period(command) => command.run(context),
            Command::Genus(command) => command.run(context),
            Command::Quotient(command) => command.run(context),
            Command::Wythoff(command) => command.run(context),
            Command::Play(command) => command.run(context),
            Command::Study(command) => command.run(context),
            Command::Conjecture(command) => command.run(context),
            Command::Strategy(command) => command.run(context),
            Command::Heatmap(command) => command.run(context),
            Command::Serve(command) => command.run(context),
            Command::Sweep(command) => command.run(context),
            Command::Atlas(command) => command.run(context),
            Command::Query(command) => command.run(context),
            Command::Export(command) => command.run(context),
            Command::Claims(command) => command.run(context),
            Command::Logic(command) => command.run(context),
            Command::Prove(command) => command.run(context),
            Command::Cash(command) => command.run(context),
            Command::Check(command) => command.run(context),
            Command::Completions(command) => command.run(context),
            Command::Man(command) => command.run(context),
            Command::Help(command) => command.run(context),
        }
    }
}

/// A file for the whole answer of a command.
#[derive(Debug, Args)]
pub struct AnswerFile {
    /// Write the answer into a file as its ending says: .json or .txt
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A file for the whole answer of a command, also as a table.
#[derive(Debug, Args)]
pub struct TableFile {
    /// Write the answer into a file as its ending says: .csv, .json or .txt
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Returns whether a file's name ends as that of a certificate.
fn is_certificate(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "cert")
}

/// Returns whether a file's name ends as that of a certificate or of a theorem for Coq.
fn is_proof(file: &Path) -> bool {
    is_certificate(file) || is_for_coq(file)
}

/// Returns the text of the rule file of a game of the literature.
fn published_rules(name: &str) -> Result<String, CommandError> {
    let game = bouton_literature::published_game(name)?.ok_or_else(|| {
        CommandError::Usage(format!(
            "there is no published game {name}; `bouton games --published` lists them"
        ))
    })?;
    let rules = game.file.ok_or_else(|| {
        CommandError::Usage(format!(
            "{name} is in the catalogue as {} and needs no rule file",
            game.claim.game
        ))
    })?;
    Ok(rules.to_text())
}

/// Reads the game of a program.
#[cfg(feature = "programs")]
fn program(text: &str, file: &Path) -> Result<Arc<dyn OwnGame>, CommandError> {
    Ok(Arc::new(bouton_program::Program::parse(text, Some(file))?))
}

/// Fails: this build has no programs.
#[cfg(not(feature = "programs"))]
fn program(_: &str, file: &Path) -> Result<Arc<dyn OwnGame>, CommandError> {
    Err(missing::left_out(&format!("{}: rules as a program", file.display()), "programs"))
}

/// How a file is read, for one that is no rule file.
const ENDINGS: &str = "the ending of its name says how a file is read: .toml as rules, .rhai as a \
    program, .edges, .json or .dot as a graph";

/// Reads rule files and returns them with the families and the shelf: all games that can be named.
/// Fails at the first file that cannot be read.
pub fn catalogue(files: &[PathBuf], context: &Context) -> Result<Catalogue, CommandError> {
    let mut catalogue = crate::context::standard();
    for file in files {
        let name = file.display().to_string();
        let published = match published_name(&name) {
            Some(game) => Some(published_rules(game)?),
            None => None,
        };
        let text = match &published {
            Some(text) => text.clone(),
            None => std::fs::read_to_string(file)
                .map_err(|error| CommandError::File(name.clone(), error))?,
        };
        let taken = |error| CommandError::Usage(format!("{name}: {error}"));
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending {
            _ if published.is_some() => {}
            "rhai" => {
                catalogue = catalogue.with_own_game(program(&text, file)?).map_err(taken)?;
                continue;
            }
            "edges" | "json" | "dot" | "gv" => {
                catalogue = catalogue
                    .with_own_game(Arc::new(Graph::parse(&text, Some(file))?))
                    .map_err(taken)?;
                continue;
            }
            _ => {}
        }
        let rules = match RuleFile::parse_within(&text, &context.budget()) {
            Ok(rules) if published.is_some() => rules,
            Ok(rules) => rules.read_from(file),
            Err(RuleFileError::Move(text, error)) => {
                return Err(CommandError::Formula(text, error));
            }
            Err(error @ RuleFileError::Undecided(Undecided::Limit(_))) => {
                return Err(CommandError::Unknown(format!("{name}: {error}")));
            }
            Err(error @ RuleFileError::Toml(_)) if ending != "toml" => {
                let error = error.to_string();
                return Err(CommandError::Usage(format!(
                    "{name}: {}\n{ENDINGS}",
                    error.trim_end()
                )));
            }
            Err(error) => return Err(CommandError::Usage(format!("{name}: {error}"))),
        };
        if published.is_none()
            && !context.quiet
            && let Some((alternative, bound)) = rules.holds_nowhere()
        {
            eprintln!("note: {name}: `{alternative}` holds of no heaps up to {bound}");
        }
        if published.is_none()
            && !context.quiet
            && let Some((alternative, free)) = rules.left_free()
        {
            let each = |text: &dyn Fn(&usize) -> String| free.iter().map(text).collect::<Vec<_>>();
            let (left, kept) =
                (each(&|heap| format!("q{heap}")), each(&|heap| format!("q{heap} = p{heap}")));
            eprintln!(
                "note: {name}: `{alternative}` says nothing of {}: any number of tokens may leave \
                 there, too; to leave none, add {}",
                left.join(", "),
                kept.join(" & "),
            );
        }
        catalogue = catalogue.with_rule_file(rules).map_err(taken)?;
    }
    Ok(catalogue)
}

/// Reads the number of an option, in digits or as a power.
fn number<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let written =
        WrittenNumber::whole(text).ok_or("a number is written as 1000000, 10^6 or 1e6")?;
    let number = written.value().and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("{text} is too large"))
}

/// Returns the reader of an option whose [`number`] has to be in a range.
fn number_within<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text| {
        let value = number::<u64>(text)?;
        let within = T::try_from(value).ok().filter(|_| range.contains(&value));
        within.ok_or_else(|| format!("{text} is not in {}..={}", range.start(), range.end()))
    }
}

/// What a computation may cost.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Budget")]
pub struct BudgetArgs {
    /// Expand at most N positions; the verdict is then "unknown"
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    nodes: Option<u64>,
    /// Hold at most MB megabytes of tables
    #[arg(long, value_name = "MB", value_parser = number::<u64>, default_value_t = 4096)]
    memory: u64,
}

impl BudgetArgs {
    /// Returns the budget of these arguments, with the clock of the command.
    pub fn budget(&self, context: &Context) -> Budget {
        Budget {
            nodes: self.nodes,
            bytes: Some(self.memory.saturating_mul(1 << 20)),
            ..context.budget()
        }
    }

    /// Returns the same budget with a clock that starts now: for one answer in a conversation.
    pub fn budget_anew(&self, context: &Context) -> Budget {
        Budget { deadline: context.budget_anew().deadline, ..self.budget(context) }
    }
}

/// Keeps what is proved for later answers of `solve`; tells if it cannot be kept, which is no fault
/// of the proof.
fn keep(context: &Context, game: &dyn Game, form: &Form, certificate: &SealedCertificate) {
    if let Err(why) = context.theorems().keep(game, form, certificate) {
        eprintln!("the theorem is not kept: {why}");
    }
}

/// The same of what is proved of P-positions without a formula.
fn keep_positions(context: &Context, game: &dyn Game, play: Play, certificate: &SealedCertificate) {
    if let Err(why) = context.theorems().keep_positions(game, play, certificate) {
        eprintln!("the theorem is not kept: {why}");
    }
}

/// A position: one text, or its heaps one by one.
#[derive(Debug, Clone, Default, Args)]
pub struct PositionArgs {
    /// The position, such as 1,3,5,7; by default the starting position of the game
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// Further heaps
    #[arg(hide = true)]
    more: Vec<String>,
}

impl PositionArgs {
    /// Returns a position in one text, if there is one.
    fn of(position: Option<&str>) -> PositionArgs {
        PositionArgs { position: position.map(str::to_owned), more: Vec::new() }
    }

    /// Returns the position's text. Heaps that stand apart are taken together: `1 3 5 7`, `7 + 4`.
    fn text(&self) -> Option<String> {
        let ends_in_digit =
            |word: &String| word.trim_end_matches(',').ends_with(|c: char| c.is_ascii_digit());
        // What the heaps consist of, behind the last: `kayles 12 pins`.
        let more = match &self.more[..] {
            [before @ .., last]
                if is_token_noun(last)
                    && before.last().or(self.position.as_ref()).is_some_and(ends_in_digit) =>
            {
                before
            }
            more => more,
        };
        if more.is_empty() {
            return self.position.as_deref().map(|text| with_powers_evaluated(text).into_owned());
        }
        let words = self.position.iter().chain(more);
        // A number before a list of heaps may belong to a name: `welter 3 1,4,8`.
        let is_number = |word: &str| word.bytes().all(|c| c.is_ascii_digit());
        let is_list = |word: &str| is_list_with_signs(word.trim_end_matches(','));
        let is_before_list = words.clone().zip(more).any(|(a, b)| is_number(a) && is_list(b));
        // So may one before `4, 5, 6` in words.
        let all: Vec<&str> = words.clone().map(String::as_str).collect();
        let is_named = |word: &&str| word.contains(char::is_alphabetic) && *word != "and";
        let name = all.iter().rposition(is_named).map_or(0, |at| at + 1);
        let numbers = all[name..].join(" ");
        // What may be taken, before a heap: `remove 1-3 10`.
        let is_range = |word: &&str| {
            let ends = word.split_once("..").or_else(|| word.split_once(['-', '–']));
            ends.is_some_and(|(least, most)| is_number(least) && is_number(most))
        };
        let whole = all.join(" ");
        // The first word may belong to the name: `candy piles 3 4 5`.
        let begins_with_name = all.first().is_some_and(is_named) && comma_list(&whole).is_some();
        let is_mixed = is_before_list
            || all.iter().any(is_range)
            || begins_with_name
            || numbers.contains([',', ';', '|']) && comma_list(&numbers).is_none();
        if is_mixed {
            return Some(with_powers_evaluated(&whole).into_owned());
        }
        if let Some(list) = comma_list(&whole) {
            // The game says what `1 - 2 - 3` is.
            return Some(if has_dash_or_slash(&whole) { whole } else { list });
        }
        let between = if all.iter().any(|word| word.starts_with('+')) { " " } else { "," };
        // A comma may stand behind a heap, or apart.
        let words: Vec<&str> = words
            .filter(|word| *word != ",")
            .map(|word| word.strip_suffix(',').unwrap_or(word))
            .collect();
        Some(with_powers_evaluated(&words.join(between)).into_owned())
    }
}

/// Takes the words that say how the game is played out of it and what stands behind it. Returns
/// whether misère play is asked for by an option, these words or the name of the game.
///
/// # Errors
/// If normal and misère play are both asked for.
fn says_misere(
    context: &Context,
    asked: bool,
    game: &mut String,
    position: &mut PositionArgs,
) -> Result<bool, CommandError> {
    let mut words = vec![std::mem::take(game)];
    words.extend(position.position.take());
    words.append(&mut position.more);
    let said = context.catalogue.take_play(&mut words)?;
    if asked && said == Some(Play::Normal) {
        return Err(CommandError::Usage(
            "--misere is misère play, and the words say normal play".into(),
        ));
    }
    let mut words = words.into_iter();
    *game = words.next().unwrap_or_default();
    position.position = words.next();
    position.more = words.collect();
    Ok(asked || said == Some(Play::Misere))
}

/// Returns what a shelf says of a game that is mostly played in misère play, and here in normal
/// play unless that is asked for; the text may go on with a position. `None` of other games.
fn misere_note(context: &Context, text: &str) -> Option<&'static str> {
    context.catalogue.shelf_game(text).filter(|entry| entry.misere).map(|entry| entry.sentence())
}

/// Refuses misère play of a sum in which a game by its name has another one.
fn no_other_misere(context: &Context, text: &str) -> Result<(), CommandError> {
    match context.catalogue.shelf_games(text).find_map(ShelfGame::other_misere) {
        Some(other) => Err(CommandError::Usage(other.to_string())),
        None => Ok(()),
    }
}

/// Returns what is said of an option that stands where a position may, which is read as one: `-o
/// FILE`, `--maxx`. None of a row of coins.
fn no_option(text: &str) -> Option<NotationError> {
    let bare = text.trim_start_matches('-');
    let word = text.split([',', ' ', '=']).next().unwrap_or(text);
    let is_option = (1..=2).contains(&(text.len() - bare.len()))
        && bare.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.chars().all(|c| "-o".contains(c));
    is_option.then(|| {
        NotationError::new(
            text,
            0..word.len(),
            format!("`{word}` is no option of this command, and no position"),
            "a position, as 1,3,5,7; `--help` lists the options, files to draw into are --output \
             FILE",
        )
    })
}

/// Prints the one answer there is, or the list of answers.
fn print_one_or_all(
    context: &Context,
    all: &[impl serde::Serialize],
    is_list: bool,
) -> Result<(), CommandError> {
    match all {
        [one] if !is_list => bouton_report::write_json(context.out(), one)?,
        _ => bouton_report::write_json(context.out(), &all)?,
    }
    Ok(())
}

/// Returns the convention of play of the game that a text names. The word *misère* is taken out of
/// the text: see [`says_misere`].
///
/// # Errors
/// If misère play of it is another game than the one that decides its normal play.
fn convention(
    context: &Context,
    text: &mut String,
    asked: &mut bool,
) -> Result<Play, CommandError> {
    *asked = says_misere(context, *asked, text, &mut PositionArgs::default())?;
    if *asked {
        no_other_misere(context, text)?;
    }
    Ok(play(*asked))
}

/// Refuses nim-values of a game that is one of misère play by its name.
fn normal_values(game: &str, play: Play, values: bool) -> Result<(), CommandError> {
    if values && play == Play::Misere {
        return Err(CommandError::Usage(format!(
            "{game} is a game of misère play, and nim-values are of normal play"
        )));
    }
    Ok(())
}

/// Refuses nim-values of a game that has none.
fn check_nim_values(game: &dyn Game) -> Result<(), CommandError> {
    let why = match game.kind() {
        Kind::Impartial => return Ok(()),
        Kind::LastMove => {
            "its players have different moves, or its positions may come again; `bouton solve` says \
             who wins"
        }
        Kind::Scored => "it is won on points; `bouton solve` says by how many",
    };
    Err(CommandError::Usage(format!("{} has no nim-values: {why}", game.name())))
}

/// Refuses words of misère play where nim-values are asked for, and takes those of normal play out
/// of the text.
fn only_normal(context: &Context, text: &mut String) -> Result<(), CommandError> {
    let play = convention(context, text, &mut false)?;
    normal_values(text, play, true)
}

fn play(misere: bool) -> Play {
    if misere { Play::Misere } else { Play::Normal }
}

/// Reads a game of which a command wants no position.
fn game_alone(context: &Context, text: &str) -> Result<ParsedGame, CommandError> {
    Ok(context.catalogue.parse_alone(text)?)
}

/// Splits the text of a game and of positions with letters for numbers, in one text: `cram 2xn`.
fn split_pattern(context: &Context, game: &mut String, pattern: &mut Option<String>) {
    let letters = ['n', 'm', 'x', 'y', 'z'];
    let is_pattern = |text: &str| {
        let is_part = |c: char| letters.contains(&c) || c.is_ascii_digit() || ",+-*()".contains(c);
        text.contains(letters) && text.chars().all(is_part)
    };
    if pattern.is_none()
        && context.catalogue.parse(game).is_err()
        && let Some((name, text)) =
            game.trim().rsplit_once(' ').filter(|(_, text)| is_pattern(text))
        && context.catalogue.parse(name).is_ok_and(|named| named.position.is_none())
    {
        (*game, *pattern) = (name.to_owned(), Some(text.to_owned()));
    }
}

/// Takes a number alone, where positions with letters may stand, as the bound that it is meant to
/// be: `values kayles 20` is `values kayles --to 20`.
fn take_bound<T: TryFrom<u64>>(positions: &mut Option<String>, bound: &mut Option<T>) {
    let number = positions.as_ref().and_then(|text| WrittenNumber::whole(text)?.value());
    if let Some(number) = number.and_then(|number| T::try_from(number).ok())
        && bound.is_none()
    {
        (*positions, *bound) = (None, Some(number));
    }
}

/// Reads a game and a position of it, as [`named_position`] does; of an option in the place of the
/// position the error is its own.
fn game_and_position(
    context: &Context,
    game: &str,
    position: Option<&str>,
) -> Result<(ParsedGame, String), CommandError> {
    named_position(&context.catalogue, game, position).map_err(|error| match error {
        NamedPositionError::Game(error) => error.into(),
        NamedPositionError::Position(error) => position.and_then(no_option).unwrap_or(error).into(),
        error => CommandError::Usage(error.to_string()),
    })
}

/// Writes beside a file with an automaton what Walnut needs to read its digits, if it does not know
/// them. Returns what is said of it.
fn write_walnut_digits(file: &Path, digits: DigitSystem) -> Result<String, CommandError> {
    let files = match walnut_digits(digits, &mut Meter::new(&default_budget())) {
        Ok(files) => files,
        Err(why) => return Ok(format!("No file of digits for Walnut: {why}\n")),
    };
    let mut told = String::new();
    for (name, text) in files {
        let beside = file.with_file_name(name);
        write_file(&beside, text)?;
        told += &format!("Digits, for Walnut's Custom Bases: {}\n", beside.display());
    }
    Ok(told)
}
