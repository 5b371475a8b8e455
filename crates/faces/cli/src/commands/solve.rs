//! `bouton solve`: one position, judged, with all its moves.

use super::save::save_scene;
use super::{BudgetArgs, PositionArgs, game_and_position, play};
use crate::context::{Context, must_end};
use crate::error::{CommandError, write_file};
use crate::{Status, progress};
use bouton_core::{Budget, LimitReached, Outcome, Play, number_with_noun};
use bouton_draw::Picture;
use bouton_draw::scene::Scene;
use bouton_engine::sum::{Sum, Summand};
use bouton_engine::{Analysis, Evaluation, Game, Settings};
use bouton_games::{ParsedGame, with_powers_evaluated};
use bouton_report::answers::OrNull;
use bouton_report::text;
use bouton_study::{
    Answer, Answers, Justification, SummandPosition, Theorems, answer, large_sum, summand_positions,
};
use clap::Args;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

/// Solve a position: outcome, nim-value, and all moves
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Solve {
    /// The game, or a sum of games with their positions. `-` reads lines of game, tab, position
    /// from standard input; a game followed by `-` reads lines of positions
    #[arg(allow_hyphen_values = true)]
    game: String,
    #[command(flatten)]
    position: PositionArgs,
    /// Misère play: the player who cannot move wins
    #[arg(long)]
    misere: bool,
    /// Also tell how many moves play lasts if the winner hurries and the loser holds out; all
    /// positions below are visited
    #[arg(long)]
    remoteness: bool,
    /// List all moves, however many; else 20 of those that win, and 20 of the others
    #[arg(long)]
    all: bool,
    /// Expand at most N positions for nim-values before looking for outcomes alone; 60000 by
    /// default
    #[arg(long, value_name = "N", value_parser = super::number::<u64>)]
    nim_value_nodes: Option<u64>,
    /// Write into a file (-o): the board as .svg, .png or .tex, for Dots and Boxes with the value
    /// of each line; or the answer as .json or .txt
    // The short form is read in `crate::arguments`: a position may begin like one.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The answer goes into a file as a text.
    #[arg(skip)]
    is_text: bool,
    /// Draw the chains, loops, safe and loony lines of Dots and Boxes instead
    #[arg(long, requires = "output")]
    chains: bool,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// The greatest number of moves that are listed of those that win, and of the others.
const MAX_LISTED_MOVES: usize = 20;

const EXAMPLES: &str = "\
Examples:
  bouton solve 'CN(3,2)' 0,1,2
  bouton solve kayles 1,11
  bouton solve marienbad
  bouton solve 'kayles 20 + nim 7'
  bouton solve nim 1,3,5,7 --misere
  bouton solve 'S(1,2)' 10 --remoteness
  bouton solve 'S(1,2,999999999)' 1000000000
  bouton solve 'Gamma(1,4;23)'
  bouton solve 'kayles:7 + nim:4 + wythoff:3,5' --json
  bouton solve 'dots(3x3)' '---/|.../.-./||../..-/||../.--' --output worth.svg
  printf '1,2,3\\n2,4,6\\n' | bouton solve nim -";

impl Solve {
    /// Returns whether positions come from standard input.
    pub fn reads_lines(&self) -> bool {
        self.game == "-" || self.position.text().as_deref() == Some("-")
    }

    /// Returns the file that takes the whole answer as a text.
    pub fn answer_file(&self) -> Option<&Path> {
        let is_text = |file: &&Path| file.extension().is_some_and(|ending| ending == "txt");
        self.output.as_deref().filter(is_text)
    }

    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        self.misere = super::says_misere(context, self.misere, &mut self.game, &mut self.position)?;
        if self.remoteness && self.reads_lines() {
            return Err(CommandError::Usage(
                "--remoteness is of one position, not lines of standard input".into(),
            ));
        }
        if self.output.is_some() && self.reads_lines() {
            return Err(CommandError::Usage(
                "--output is of one position, not lines of standard input".into(),
            ));
        }
        if self.chains && self.answer_file().is_some() {
            return Err(CommandError::Usage("--chains draws: .svg, .png or .tex".into()));
        }
        if self.answer_file().is_some() {
            (self.output, self.is_text) = (None, true);
        }
        if let Some(path) = &self.output {
            self.check_ending(path)?;
        }
        let budget = self.budget.budget(context);
        // A limit of nodes gives the same verdict each time on one thread only.
        let machine = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if budget.nodes.is_none() { machine() } else { 1 };
        let mut how = Settings { play: play(self.misere), budget, threads, ..Settings::default() };
        if let Some(nodes) = self.nim_value_nodes {
            self.check_values(context)?;
            how.nim_value_nodes = nodes;
        }
        let anew = || self.budget.budget_anew(context);
        match (self.game.as_str(), self.position.text().as_deref()) {
            ("-", None) => many(context, None, &how, anew, &context.theorems()),
            ("-", Some(_)) => Err(CommandError::Usage(
                "`solve -` reads games and positions from standard input only".into(),
            )),
            (game, Some("-")) => many(context, Some(game), &how, anew, &context.theorems()),
            (game, position) => self.one(context, game, position, &how),
        }
    }

    /// Refuses a limit of nim-values where there are none: in misère play, and of games without
    /// them. Games of lines of standard input may differ.
    fn check_values(&self, context: &Context) -> Result<(), CommandError> {
        if self.misere {
            let message = "--nim-value-nodes: nim-values are of normal play";
            return Err(CommandError::Usage(message.into()));
        }
        let text = [&*self.game, &self.position.text().unwrap_or_default()].join(" ");
        let named = [self.game.trim(), text.trim()].into_iter();
        match named.filter(|name| *name != "-").find_map(|name| context.catalogue.parse(name).ok())
        {
            Some(named) => super::check_nim_values(&*named.game),
            None => Ok(()),
        }
    }

    /// Refuses a file of an ending that answers are not written in.
    fn check_ending(&self, path: &Path) -> Result<(), CommandError> {
        let accepted: &[&str] = if self.chains {
            &["svg", "png", "tex"]
        } else {
            &["svg", "png", "tex", "json", "txt"]
        };
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if accepted.contains(&ending) {
            return Ok(());
        }
        Err(CommandError::Usage(format!("{}: {}", path.display(), must_end(accepted))))
    }

    /// Answers one position.
    fn one(
        &self,
        context: &Context,
        game: &str,
        position: Option<&str>,
        how: &Settings,
    ) -> Result<Status, CommandError> {
        let theorems = context.theorems();
        let whole = self.remoteness || self.output.is_some();
        let (named, position) = match asked(context, game, position, how, &theorems, whole)? {
            Asked::Position(named, position) => (named, position),
            Asked::Sum(sum, found) => return self.print_sum(context, &*sum, &found),
        };
        let game = &*named.game;
        let found = progress::watched(
            context,
            &format!("solving {}", game.name()),
            &how.budget,
            |budget: Budget| {
                answer(game, &position, &Settings { budget, ..how.clone() }, &theorems)
            },
        )?;
        if let Some(ignored) = &found.ignored {
            eprintln!("{ignored}");
        }
        // What is known is said first: how long play lasts may take all the time there is.
        let is_said_first = !context.json && self.output.is_none();
        if is_said_first {
            self.print_all(context, game, &found, how, &theorems)?;
        }
        let lasts = match self.remoteness {
            true => Some(remoteness(context, game, &position, how)?),
            false => None,
        };
        let mut answered = bouton_report::answer(game, how.play, &found);
        if let Some(lasts) = &lasts {
            answered.remoteness = Some(OrNull(lasts.as_ref().ok().copied().flatten()));
        }
        if let Some(path) = &self.output {
            if path.extension().is_some_and(|ending| ending == "json") && !self.chains {
                write_file(path, bouton_report::to_json(&answered) + "\n")?;
            } else {
                save_scene(&drawn(game, &found.analysis, self.chains)?, path)?;
            }
        }
        if context.json {
            bouton_report::write_json(&mut context.out(), &answered)?;
        } else {
            if !is_said_first {
                self.print_all(context, game, &found, how, &theorems)?;
            }
            self.print_rest(context, lasts.as_ref())?;
        }
        let unknown = found.analysis.spent.is_some() || matches!(lasts, Some(Err(_)));
        Ok(if unknown { Status::Negative } else { Status::Done })
    }

    /// Prints how long play lasts, if that was asked for, and the file that was written.
    fn print_rest(
        &self,
        context: &Context,
        lasts: Option<&Result<Option<u32>, LimitReached>>,
    ) -> Result<(), CommandError> {
        let mut out = context.out();
        match lasts {
            Some(Ok(Some(moves))) => writeln!(
                out,
                "play lasts {moves} moves if the winner hurries and the loser holds out"
            )?,
            Some(Ok(None)) => writeln!(out, "play goes on without end")?,
            Some(Err(spent)) => writeln!(out, "how long play lasts is unknown ({spent})")?,
            None => {}
        }
        if let Some(path) = &self.output {
            writeln!(out, "in {}", path.display())?;
        }
        Ok(())
    }

    /// Prints the answer of a sum that is known by the values of its parts alone.
    fn print_sum(
        &self,
        context: &Context,
        game: &dyn Game,
        found: &Answer,
    ) -> Result<Status, CommandError> {
        if self.remoteness || self.output.is_some() {
            let message = "a sum with such large heaps is known by the values of its parts: \
                           neither how long play lasts is known, nor are there moves to draw";
            return Err(CommandError::Usage(message.into()));
        }
        let mut out = context.out();
        if context.json {
            bouton_report::write_json(&mut out, &bouton_report::answer(game, Play::Normal, found))?;
        } else {
            if let Some(ignored) = &found.ignored {
                eprintln!("{ignored}");
            }
            self.print(&mut out, game, Play::Normal, found)?;
        }
        Ok(if found.analysis.spent.is_some() { Status::Negative } else { Status::Done })
    }

    /// Prints an answer.
    fn print(
        &self,
        out: &mut impl Write,
        game: &dyn Game,
        play: Play,
        answer: &Answer,
    ) -> Result<(), CommandError> {
        let found = &answer.analysis;
        writeln!(out, "{} from {}", game.name(), found.position)?;
        if let Some(numbers) = text::numbers_in_words(game, &found.position) {
            writeln!(out, "{numbers}")?;
        }
        let advice = text::advice(game, play, found, answer.is_over());
        if let Some(advice) = advice {
            writeln!(out, "{}", if self.is_text { advice } else { coloured(&advice, found) })?;
        }
        writeln!(out, "{}", text::verdict(play, found))?;
        if let Some(by) = bouton_report::justification(&answer.by) {
            writeln!(out, "{by}")?;
        }
        let (best, rest): (Vec<_>, Vec<_>) =
            found.moves.iter().partition(|m| text::is_winning(found, m));
        let is_best = found.evaluation.margin.is_some() || found.evaluation.is_draw;
        let best_word = if is_best { "best moves" } else { "winning moves" };
        let width = found.moves.iter().map(|m| m.to.chars().count()).max().unwrap_or(0);
        for (title, moves) in [(best_word, best), ("other moves", rest)] {
            if !moves.is_empty() {
                writeln!(out, "{title}: {}", moves.len())?;
            }
            let listed = if self.all { moves.len() } else { moves.len().min(MAX_LISTED_MOVES) };
            for m in &moves[..listed] {
                let pad = " ".repeat(width - m.to.chars().count());
                writeln!(out, "  {}{pad}  {:<6}  {}", m.to, text::short(m), m.text)?;
            }
            if listed < moves.len() {
                writeln!(out, "  … {} more; --all lists them", moves.len() - listed)?;
            }
        }
        if let Some(play) = found.best_play.as_ref().filter(|play| !play.moves.is_empty()) {
            writeln!(out, "best play: {}", text::best_play(play))?;
        }
        for remark in &found.remarks {
            writeln!(out, "{}: {}", remark.about, remark.text)?;
        }
        if matches!(answer.by, Justification::FamilyTheorem { .. }) {
            let is_winning = |m: &&bouton_engine::Move| text::is_winning(found, m);
            if found.evaluation.outcome == Some(Outcome::N)
                && !found.moves.iter().any(|m| is_winning(&m))
            {
                writeln!(out, "which move wins is not known: the automata label none of them")?;
            }
        } else if !answer.lists_all_moves() {
            let all = answer
                .moves
                .as_ref()
                .map_or(String::new(), |all| format!("; there are {all} moves"));
            writeln!(out, "one winning move at most is shown{all}")?;
        }
        writeln!(out, "{}, {:.3} s", number_with_noun(found.nodes, "node"), found.seconds)?;
        Ok(())
    }

    /// Prints an answer, and the nim-values of the summands of a sum.
    fn print_all(
        &self,
        context: &Context,
        game: &dyn Game,
        found: &Answer,
        how: &Settings,
        theorems: &Theorems,
    ) -> Result<(), CommandError> {
        let mut out = context.out();
        self.print(&mut out, game, how.play, found)?;
        if how.play == Play::Normal {
            self.print_parts(&mut out, context, game, found, how, theorems)?;
            if let Some(note) = super::misere_note(context, &self.game) {
                writeln!(out, "this is normal play, in which whoever cannot move loses: {note}")?;
            }
        }
        Ok(out.flush()?)
    }

    /// Prints the nim-values of the summands and their sum, if all are known; in games in which the
    /// players differ, the outcome classes.
    fn print_parts(
        &self,
        out: &mut impl Write,
        context: &Context,
        game: &dyn Game,
        found: &Answer,
        how: &Settings,
        theorems: &Theorems,
    ) -> Result<(), CommandError> {
        let Some(sum) = game.ruleset().downcast_ref::<Sum>() else { return Ok(()) };
        let (mut parts, mut together) = (Vec::new(), Some(0));
        for Summand { game, position } in sum.summands_of(&found.analysis.position)? {
            let Ok(named) = context.catalogue.parse(&game) else { return Ok(()) };
            let settings = Settings { budget: self.budget.budget(context), ..how.clone() };
            let analysis = answer(&*named.game, &position, &settings, theorems)?.analysis;
            let Evaluation { nim_value: value, outcome, is_draw, .. } = analysis.evaluation;
            let said = match (value, analysis.class, outcome) {
                (Some(value), ..) => format!("*{}", value.0),
                (None, Some(class), _) => class.to_string(),
                (None, None, Some(outcome)) => outcome.to_string(),
                (None, None, None) if is_draw => "a draw".into(),
                (None, None, None) => "unknown".into(),
            };
            together = together.zip(value).map(|(sum, value)| sum ^ value.0);
            parts.push(format!("{game} {position} is {said}"));
        }
        let together = together.map_or_else(String::new, |value| format!("; together *{value}"));
        writeln!(out, "parts: {}{together}", parts.join(", "))?;
        Ok(())
    }
}

/// What is asked for.
enum Asked {
    /// A position of a game.
    Position(ParsedGame, String),
    /// A sum that is answered by the values of its parts.
    Sum(Box<dyn Game>, Box<Answer>),
}

/// Reads a game and a position of it. A sum in normal play with heaps that are larger than its
/// positions hold is answered by the values of its parts; so is one with heaps that have too many
/// moves to be listed, unless the `whole` position is asked for.
fn asked(
    context: &Context,
    game: &str,
    position: Option<&str>,
    how: &Settings,
    theorems: &Theorems,
    whole: bool,
) -> Result<Asked, CommandError> {
    let text = [game, position.unwrap_or_default()].join(" ");
    if how.play == Play::Misere && text.contains('+') {
        super::no_other_misere(context, &text)?;
    }
    let read = game_and_position(context, game, position).and_then(|(named, position)| {
        if named.game.ruleset().is::<Sum>() {
            named.game.normal_form(&position)?;
        }
        Ok((named, position))
    });
    if matches!(&read, Ok((named, _)) if whole || !named.game.ruleset().is::<Sum>()) {
        return read.map(|(named, position)| Asked::Position(named, position));
    }
    let parts = summand_positions(&context.catalogue, game, position)
        .filter(|parts| read.is_err() || parts.iter().any(SummandPosition::has_many_moves));
    let Some(parts) = parts else {
        return read.map(|(named, position)| Asked::Position(named, position));
    };
    let found = progress::watched(context, "solving the parts", &how.budget, |budget: Budget| {
        large_sum(&parts, &Settings { budget, ..how.clone() }, theorems)
    })?;
    match (read, found) {
        // What is unknown may be found by a search, or be no position.
        (read, Some(found))
            if found.analysis.spent.is_some()
                && !parts.iter().any(SummandPosition::is_beyond_search) =>
        {
            read.map(|(named, position)| Asked::Position(named, position))
        }
        (_, Some(found)) => {
            let games: Vec<Box<dyn Game>> = parts.into_iter().map(|part| part.game).collect();
            match bouton_engine::sum::sum(&games) {
                Some(sum) => Ok(Asked::Sum(sum, Box::new(found))),
                None => Err(CommandError::Usage("these games have no sum".into())),
            }
        }
        (read, None) => read.map(|(named, position)| Asked::Position(named, position)),
    }
}

/// Returns how many moves play lasts, `None` if it does not end, or why that is unknown.
fn remoteness(
    context: &Context,
    game: &dyn Game,
    position: &str,
    how: &Settings,
) -> Result<Result<Option<u32>, LimitReached>, CommandError> {
    let points = || {
        CommandError::Usage(format!(
            "{} is won on points: --remoteness is of games won by the last move",
            game.name()
        ))
    };
    let found =
        progress::watched(context, "how long play lasts", &how.budget, |budget: Budget| {
            bouton_study::remoteness_of(game, position, how.play, &budget)
        })?;
    Ok(found.ok_or_else(points)?.map(|found| found.map(|found| found.moves)))
}

/// Returns the board as it is to be drawn.
fn drawn(game: &dyn Game, found: &Analysis, chains: bool) -> Result<Scene, CommandError> {
    if chains {
        let lacks = || {
            CommandError::Usage(format!(
                "{}: --chains needs a board of Dots and Boxes with at most 64 lines",
                game.name()
            ))
        };
        return bouton_report::sight(game, &found.position)
            .map(|(scene, _)| scene)
            .ok_or_else(lacks);
    }
    if let Some((scene, _)) = bouton_report::move_values_picture(game, found) {
        return Ok(scene);
    }
    let title = format!("{} at {}", game.name(), found.position);
    Ok(Picture::Board(title, game.board(&found.position)?).scene())
}

/// Colours a text green if the player to move wins, red if not, on a terminal that shows colours.
fn coloured(text: &str, found: &Analysis) -> String {
    let wins = match (found.evaluation.outcome, found.evaluation.margin) {
        (Some(outcome), _) => outcome == Outcome::N,
        (None, margin) => margin.is_some_and(|margin| margin > 0),
    };
    let hue = if wins { "32" } else { "31" };
    if crate::context::shows_colours() {
        format!("\x1b[1;{hue}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

/// Solves line by line, one JSON value a line; a line that can't be read gives an error and the
/// next goes on.
fn many(
    context: &Context,
    game: Option<&str>,
    how: &Settings,
    anew: impl Fn() -> Budget,
    theorems: &Theorems,
) -> Result<Status, CommandError> {
    // A position in the game's text would be dropped.
    let named = game.map(|game| context.catalogue.parse_alone(game)).transpose()?;
    let mut answers = named.as_ref().map(|named| Answers::new(&*named.game, how.clone(), theorems));
    let mut out = std::io::stdout().lock();
    let mut ending = Status::Done;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| CommandError::File("standard input".into(), error))?;
        let line = with_powers_evaluated(line.trim_start_matches('\u{feff}'));
        if line.trim().is_empty() {
            continue;
        }
        let how_anew = || Settings { budget: anew(), ..how.clone() };
        let found = match (game, &named, &mut answers) {
            (Some(name), Some(named), Some(answers)) => {
                answers.renew(anew());
                let longer = bouton_study::numbered_name(&context.catalogue, name, &line);
                match bouton_study::normal_form(&*named.game, &line) {
                    Ok(position) if matches!(longer, Ok(None)) => answers
                        .of(&position)
                        .map_err(CommandError::from)
                        .map(|found| reported(&*named.game, how.play, &found)),
                    // Heaps that make a sum, or words that go on with the name of the game.
                    _ => solve_line(context, name, Some(line.trim()), &how_anew(), theorems),
                }
            }
            _ => match line.split_once('\t') {
                Some((game, position)) => {
                    let position = Some(position).filter(|p| !p.trim().is_empty());
                    solve_line(context, game, position, &how_anew(), theorems)
                }
                None => solve_line(context, &line, None, &how_anew(), theorems),
            },
        };
        let value = match found {
            Ok((value, spent)) => {
                if spent.is_some() && ending == Status::Done {
                    ending = Status::Negative;
                }
                value
            }
            Err(fault) => {
                ending = Status::BadInput;
                fault.to_json(Some(number + 1))
            }
        };
        writeln!(out, "{value}")?;
        out.flush()?;
    }
    Ok(ending)
}

fn solve_line(
    context: &Context,
    game: &str,
    position: Option<&str>,
    how: &Settings,
    theorems: &Theorems,
) -> Result<Reported, CommandError> {
    let (mut game, mut words) = (game.to_owned(), PositionArgs::of(position));
    let asked_misere = how.play == Play::Misere;
    let is_misere = super::says_misere(context, asked_misere, &mut game, &mut words)?;
    let how = &Settings { play: play(is_misere), ..how.clone() };
    match asked(context, &game, words.text().as_deref(), how, theorems, false)? {
        Asked::Position(named, position) => {
            let found = answer(&*named.game, &position, how, theorems)?;
            Ok(reported(&*named.game, how.play, &found))
        }
        Asked::Sum(sum, found) => Ok(reported(&*sum, how.play, &found)),
    }
}

/// An answer as JSON, and the limit that it ended by.
type Reported = (String, Option<LimitReached>);

fn reported(game: &dyn Game, play: Play, found: &Answer) -> Reported {
    (bouton_report::to_json(&bouton_report::answer(game, play, found)), found.analysis.spent)
}
