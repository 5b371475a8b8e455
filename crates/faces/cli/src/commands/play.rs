//! `bouton play`: a game in the terminal against perfect play.

use super::{BudgetArgs, PositionArgs, convention, game_and_position};
use crate::context::Context;
use crate::error::CommandError;
use crate::{Status, picture, progress};
use bouton_core::{MoveText, Outcome, Play};
use bouton_engine::{Analysis, Game, Kind, Move, Settings};
use bouton_report::text::{end_rule, is_winning, move_in_words, short, verdict};
use bouton_study::{Answer, Answers, normal_form};
use clap::Args;
use std::io::{BufRead, Write};

/// Play in the terminal against perfect play, with undo and hints
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton play nim
  bouton play marienbad --misere
  bouton play 'Gamma(1,4;8)' --second
  bouton play 'dots(2x2)'")]
pub struct PlayGame {
    /// The game, or a sum of games with their positions
    game: String,
    #[command(flatten)]
    position: PositionArgs,
    /// Misère play: the player who cannot move wins
    #[arg(long)]
    misere: bool,
    /// Let the program move first
    #[arg(long)]
    second: bool,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// A position in the course of play.
#[derive(Debug, Clone)]
struct Turn {
    position: String,
    yours: bool,
    /// Your points less the program's.
    score: i64,
}

const HELP: &str = "\
Type the position that a move leads to, #3 for the third of the listed moves, or:
  moves   all moves, numbered     hint   a good move, if there is one
  undo    take back your move     who    who wins from here
  long    how long play lasts     help   this text
  quit    end the game";

impl PlayGame {
    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        self.misere = super::says_misere(context, self.misere, &mut self.game, &mut self.position)?;
        if context.json {
            return Err(CommandError::Usage(
                "play is interactive and has no JSON; use solve".into(),
            ));
        }
        let (named, position) =
            game_and_position(context, &self.game, self.position.text().as_deref())?;
        let turn = Turn { position, yours: !self.second, score: 0 };
        let play = convention(context, &mut self.game, &mut self.misere)?;
        if play == Play::Misere && named.game.kind() == Kind::Scored {
            return Err(CommandError::Usage(format!(
                "{} is won on points, and has no misère play",
                named.game.name()
            )));
        }
        Session { asked: &self, context, game: &*named.game, play, turn, history: Vec::new() }.run()
    }
}

/// A game in the course of play.
struct Session<'s> {
    asked: &'s PlayGame,
    context: &'s Context,
    game: &'s dyn Game,
    play: Play,
    turn: Turn,
    /// The turns before, at which you moved.
    history: Vec<Turn>,
}

impl Session<'_> {
    /// Plays to the end, on standard input and output.
    fn run(mut self) -> Result<Status, CommandError> {
        let (asked, context, game) = (self.asked, self.context, self.game);
        let how = Settings {
            play: self.play,
            budget: asked.budget.budget(context),
            ..Settings::default()
        };
        let theorems = context.theorems();
        let mut answers = Answers::new(game, how, &theorems);
        let mut out = std::io::stdout().lock();
        let mut lines = std::io::stdin().lock().lines();
        let mut next_line = || {
            lines
                .next()
                .transpose()
                .map_err(|error| CommandError::File("standard input".into(), error))
        };
        let rules = format!(
            "{}\n{}",
            context.catalogue.sentence(&asked.game, game),
            end_rule(game.kind() == Kind::Scored, self.play)
        );
        writeln!(out, "{}\n\n{HELP}\n", rules.trim_end())?;
        loop {
            // Each question has the whole budget.
            let budget = asked.budget.budget_anew(context);
            let answer = progress::watched(context, "thinking", &budget, |budget| {
                answers.renew(budget);
                answers.of(&self.turn.position)
            })?;
            let found = &answer.analysis;
            let mine = best(found).filter(|_| !self.turn.yours);
            if answer.is_over() || !self.turn.yours && mine.is_none() {
                let words = match found.spent {
                    Some(spent) => format!("I find no move here ({spent})."),
                    None => end(game, self.play, &self.turn),
                };
                writeln!(out, "{words}")?;
                let is_undone = next_line()?.is_some_and(|line| line.trim() == "undo");
                if !is_undone || !self.undo() {
                    return Ok(Status::Done);
                }
            } else if let Some(chosen) = mine {
                writeln!(out, "I play {}.", chosen.text)?;
                self.turn = after(&self.turn, chosen);
            } else {
                // Heaps may be larger than any picture.
                let board = game
                    .board(&self.turn.position)
                    .map_or(String::new(), |board| picture::draw(&board));
                write!(out, "{board}{}\n> ", self.turn.position)?;
                out.flush()?;
                let Some(line) = next_line()? else {
                    writeln!(out)?;
                    return Ok(Status::Done);
                };
                match line.trim() {
                    "quit" | "q" => return Ok(Status::Done),
                    typed => self.obey(typed, &answer, &mut out)?,
                }
            }
        }
    }

    /// Goes back to your last turn. Returns whether there is one.
    fn undo(&mut self) -> bool {
        let before = self.history.pop();
        before.map(|before| self.turn = before).is_some()
    }

    /// Does what was typed at your turn.
    fn obey(
        &mut self,
        typed: &str,
        answer: &Answer,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let found = &answer.analysis;
        match typed {
            "" => {}
            "help" | "?" => writeln!(out, "{HELP}")?,
            "long" => writeln!(out, "{}", self.remoteness())?,
            "who" => {
                writeln!(out, "{}", verdict(self.play, found))?;
                if let Some(by) = bouton_report::justification(&answer.by) {
                    writeln!(out, "{by}")?;
                }
            }
            "moves" => {
                for (i, m) in found.moves.iter().enumerate() {
                    writeln!(out, "{:>5}  {}  {}", format!("#{}", i + 1), m.text, m.to)?;
                }
                if !answer.lists_all_moves() {
                    writeln!(
                        out,
                        "Not all moves are shown; any other one can be typed as the position it \
                         leads to."
                    )?;
                }
            }
            "hint" => match best(found) {
                Some(m) => {
                    let wins = is_winning(found, m);
                    let why = match found.evaluation.outcome {
                        _ if !wins => "nothing wins; it delays",
                        Some(Outcome::N) => "it wins",
                        _ => "it is best",
                    };
                    writeln!(out, "{} ({why}: {})", m.text, short(m))?;
                }
                None => writeln!(out, "I know no move here.")?,
            },
            "undo" if self.undo() => {}
            "undo" => writeln!(out, "There is nothing to undo.")?,
            typed => match chosen(self.game, answer, typed) {
                Some((m, meant)) => {
                    match meant {
                        Meant::Number(number) => writeln!(out, "Move #{number}: {}.", m.text)?,
                        Meant::NotNumber(number) => writeln!(
                            out,
                            "Read as the position {}; #{number} is the move of that number.",
                            m.to
                        )?,
                        Meant::NotTaken => writeln!(
                            out,
                            "Read as the position {typed}; `take {typed}` takes as many."
                        )?,
                        Meant::Name => writeln!(
                            out,
                            "Read as `{}`.",
                            move_in_words(self.game, &found.position, &m)
                        )?,
                        Meant::Plainly => {}
                    }
                    let next = after(&self.turn, &m);
                    self.history.push(std::mem::replace(&mut self.turn, next));
                }
                None => writeln!(out, "{}", self.not_chosen(answer, typed))?,
            },
        }
        Ok(())
    }

    /// Returns why what was typed is no move, and what to type.
    fn not_chosen(&self, answer: &Answer, typed: &str) -> String {
        let said = |m: &Move| move_in_words(self.game, &answer.analysis.position, m);
        let several = in_words(self.game, answer, typed);
        if several.len() > 1 {
            let words: Vec<String> = several.iter().map(|m| said(m)).collect();
            let differ =
                words.iter().all(|one| words.iter().filter(|two| *two == one).count() == 1);
            let mut listed = if differ {
                words
            } else {
                several.iter().map(|m| format!("the move to {}", m.to)).collect()
            };
            let more = listed.len().saturating_sub(MAX_MEANT);
            listed.truncate(MAX_MEANT);
            let more = if more > 0 { format!("; {more} more") } else { String::new() };
            return format!(
                "`{typed}` may be one of several moves: {}{more}. Type one of them, or the \
                 position it leads to.",
                listed.join("; ")
            );
        }
        match (named(self.game, answer, typed), by_number(answer, typed)) {
            (Some(m), Some(_)) => format!(
                "`{typed}` may be `{}` or #{typed}, the move of that number: type one of them.",
                said(&m)
            ),
            (None, Some((m, number))) => format!(
                "No move here is named {typed}; #{number} is the move of that number, {}.",
                said(&m)
            ),
            _ => format!("`{typed}` is no move here. Type `moves` to see them all, or `help`."),
        }
    }

    /// Returns how long play lasts, in a sentence.
    fn remoteness(&self) -> String {
        let budget = self.asked.budget.budget_anew(self.context);
        let found = progress::watched(self.context, "thinking", &budget, |budget| {
            bouton_study::remoteness_of(self.game, &self.turn.position, self.play, &budget)
        });
        match found {
            Ok(Some(Ok(None))) => "Play goes on without end.".into(),
            Ok(Some(Ok(Some(found)))) => {
                format!(
                    "Play lasts {} moves if the winner hurries and the loser holds out.",
                    found.moves
                )
            }
            Ok(Some(Err(spent))) => format!("How long play lasts is unknown ({spent})."),
            // A position may be larger than the game's own positions are.
            Ok(None) | Err(_) => "How long play lasts is unknown here.".into(),
        }
    }
}

fn after(turn: &Turn, m: &Move) -> Turn {
    let (gain, again) =
        m.brings.map_or((0, false), |brings| (i64::from(brings.gain), brings.again));
    Turn {
        position: m.to.clone(),
        yours: turn.yours == again,
        score: turn.score + if turn.yours { gain } else { -gain },
    }
}

/// How what was typed was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meant {
    /// As it stands.
    Plainly,
    /// As the number of a move.
    Number(usize),
    /// As a position, though it is the number of a move too.
    NotNumber(usize),
    /// As a position, though as many tokens may be taken, too.
    NotTaken,
    /// As the number that a move is named by, or of tokens that it takes.
    Name,
}

/// The most moves that are told of those that words may mean.
const MAX_MEANT: usize = 8;

/// Returns a text without blanks, with the arrow that is typed as `->`.
fn without_blanks(text: &str) -> String {
    text.replace("->", "→").split_whitespace().collect()
}

/// Returns the moves that words mean, a move's own text or as `solve` says it: `take 2 from the
/// second heap`; also `take 2`, of whichever heap, and `node 3`.
fn in_words<'m>(game: &dyn Game, answer: &'m Answer, typed: &str) -> Vec<&'m Move> {
    let said = typed.trim_end_matches('.').to_lowercase();
    let said =
        said.strip_suffix(" tokens").or_else(|| said.strip_suffix(" token")).unwrap_or(&said);
    let bare = without_blanks(typed);
    let is_said = |m: &&Move| {
        let words = move_in_words(game, &answer.analysis.position, m).to_lowercase();
        let short = words.strip_suffix(" tokens").or_else(|| words.strip_suffix(" token"));
        let of_a_heap = words.split_once(" from the ").map(|(taken, _)| taken);
        without_blanks(&m.text) == bare
            || words == said
            || short == Some(said)
            || of_a_heap == Some(said)
            || said.starts_with("node ") && format!(" {words} ").contains(&format!(" {said} "))
    };
    answer.analysis.moves.iter().filter(is_said).collect()
}

/// Returns the number by which words name a move, if they have one alone: 3 of `take node 3`.
fn number_in(text: &MoveText) -> Option<&str> {
    let MoveText::Words(words) = text else { return None };
    let mut numbers = words.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    numbers.next().filter(|_| numbers.next().is_none())
}

/// Returns the move that takes as many tokens as a number alone says, or whose words have this
/// number alone: `take node 3`.
fn named(game: &dyn Game, answer: &Answer, typed: &str) -> Option<Move> {
    let number = typed.parse::<u64>().ok()?.to_string();
    let of_number = || {
        let moves = answer.analysis.moves.iter();
        moves.filter(|m| number_in(&m.text) == Some(&number)).collect::<Vec<_>>()
    };
    [in_words(game, answer, &format!("take {number}")), of_number()].into_iter().find_map(|moves| {
        match moves[..] {
            [m] => Some(m.clone()),
            _ => None,
        }
    })
}

/// Returns the move of a number in the list, and the number.
fn by_number(answer: &Answer, text: &str) -> Option<(Move, usize)> {
    let number: usize = text.trim().parse().ok()?;
    Some((answer.analysis.moves.get(number.checked_sub(1)?)?.clone(), number))
}

/// Returns the move meant by a position, a move's own text or words for it, `#` and a number, or a
/// number that is no position that a move leads to: the number that words name a move by, unless it
/// is the number of another move, too; or the number of a move, unless words name all moves by
/// numbers.
fn chosen(game: &dyn Game, answer: &Answer, typed: &str) -> Option<(Move, Meant)> {
    let listed = &answer.analysis.moves;
    if let Some(number) = typed.strip_prefix('#') {
        return by_number(answer, number).map(|(m, number)| (m, Meant::Number(number)));
    }
    let numbered = by_number(answer, typed);
    let exact = listed.iter().find(|m| m.to == typed).cloned();
    let worded = || match in_words(game, answer, typed)[..] {
        [m] => Some(m.clone()),
        _ => None,
    };
    let of_position = || answer.find(game, &normal_form(game, typed).ok()?);
    // `10 -> 8`, from this position.
    let of_arrow = || {
        let (from, to) = typed.split_once("->").or_else(|| typed.split_once('→'))?;
        let is_here = normal_form(game, from.trim()).is_ok_and(|at| at == answer.analysis.position);
        answer.find(game, &normal_form(game, to.trim()).ok()?).filter(|_| is_here)
    };
    let named = named(game, answer, typed);
    match exact.or_else(worded).or_else(of_position).or_else(of_arrow) {
        Some(m) => {
            let other = numbered.filter(|(other, _)| other.to != m.to);
            let meant = match other {
                _ if named.is_some_and(|named| named.to != m.to) => Meant::NotTaken,
                Some((_, number)) => Meant::NotNumber(number),
                None => Meant::Plainly,
            };
            Some((m, meant))
        }
        None => match (named, numbered) {
            (Some(m), None) => Some((m, Meant::Name)),
            (Some(named), Some((m, number))) => {
                (named.to == m.to).then_some((m, Meant::Number(number)))
            }
            (None, numbered) => {
                let are_named = listed.iter().all(|m| number_in(&m.text).is_some());
                numbered.filter(|_| !are_named).map(|(m, number)| (m, Meant::Number(number)))
            }
        },
    }
}

/// Returns a winning or best move; where none is known, the one of the best bounds, or the first.
fn best(found: &Analysis) -> Option<&Move> {
    let known = found.moves.iter().find(|m| is_winning(found, m));
    // Of equals the first, and `max_by_key` finds the last.
    known.or_else(|| found.moves.iter().rev().max_by_key(|m| m.evaluation.margin_bounds()))
}

fn end(game: &dyn Game, play: Play, turn: &Turn) -> String {
    if game.kind() == Kind::Scored {
        return match turn.score {
            0 => "The game is over: a draw.".into(),
            s if s > 0 => format!("The game is over: you win by {s}."),
            s => format!("The game is over: I win by {}.", -s),
        };
    }
    let mover_wins = play == Play::Misere;
    let who = if turn.yours { "You cannot" } else { "I cannot" };
    let winner = if turn.yours == mover_wins { "you win" } else { "I win" };
    format!("{who} move: {winner}.")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_study::{Theorems, answer};

    #[test]
    fn moves_as_people_type_them() {
        for (game, position, typed, to) in [
            ("nim", "3,4,5", "1,4,5", Some("1,4,5")),
            ("nim", "3,4,5", "take 2 from the first heap", Some("1,4,5")),
            ("nim", "3,4,5", "Take 5 from the third heap.", Some("3,4,0")),
            ("nim", "3,4,5", "take 6 from the third heap", None),
            ("nim", "3,4,5", "take 2", None),
            ("S(1,2,3)", "10", "take 2 tokens", Some("8")),
            ("S(1,2,3)", "10", "take 2", Some("8")),
            ("S(1,2,3)", "10", "take 4", None),
            ("S(1,2,3)", "10", "9", Some("9")),
            // A number alone is no move's number where as many tokens may be taken.
            ("S(1,2,3)", "21", "3", None),
            ("S(1,2,3)", "21", "#3", Some("20")),
            ("S(1,2,3)", "4", "3", Some("3")),
            ("nim", "3,4,5", "2", Some("1,4,5")),
            // Of one heap alone as many can be taken; several moves lead to 1.
            ("nim", "3,4,5", "take 5", Some("3,4,0")),
            ("nim", "3,4,5", "take 5 tokens", Some("3,4,0")),
            ("nim", "3,4,5", "3 -> 1", Some("1,4,5")),
            ("nim", "3,4,5", "3->1", Some("1,4,5")),
            ("nim", "3,3,5", "3 -> 1", None),
            ("S(1,2,3)", "21", "21 -> 19", Some("19")),
            ("S(1,2,3)", "21", "20 -> 19", None),
            ("S(6)", "21", "6", Some("15")),
        ] {
            let game = crate::context::standard().parse(game).unwrap().game;
            let settings = Settings::default();
            let found = answer(&*game, position, &settings, &Theorems::default()).unwrap();
            let chosen = chosen(&*game, &found, typed).map(|(m, _)| m.to);
            assert_eq!(chosen.as_deref(), to, "{typed}");
        }
    }

    /// A number that names a move is no number of another.
    #[cfg(feature = "programs")]
    #[test]
    fn numbered_nodes() {
        for (game, position, typed, to) in [
            // The third of five moves takes another node.
            ("node-kayles", "1-2,2-3,3-4,4-5", "3", None),
            ("node-kayles", "1-2,2-3,3-4,4-5", "node 3", Some("[[1],[5]]")),
            (
                "node-kayles",
                "1-2,2-3,3-4,4-5",
                "take node 3 with its neighbours",
                Some("[[1],[5]]"),
            ),
            // No move has the number 7.
            ("node-kayles", "7-8,8-9", "7", Some("[[9]]")),
            // Card 3 is odd; the third move names 6.
            ("juniper-green", "10", "3", None),
            ("juniper-green", "10", "6", Some("[6,[1,2,3,4,5,7,8,9,10]]")),
        ] {
            let game = crate::context::standard().parse(game).unwrap().game;
            let position = game.normal_form(position).unwrap();
            let found =
                answer(&*game, &position, &Settings::default(), &Theorems::default()).unwrap();
            let chosen = chosen(&*game, &found, typed).map(|(m, _)| m.to);
            assert_eq!(chosen.as_deref(), to, "{typed}");
        }
    }

    /// Words that a program says of two moves are neither of them.
    #[cfg(feature = "programs")]
    #[test]
    fn words_of_several_moves_are_refused() {
        use bouton_engine::family::OwnGame;
        let text = "fn options(n) { let all = []; for k in 1..3 { if k <= n { all.push(n - k); } } \
                    all } fn move_text(n, to) { if to == 0 { \"end it\" } else { \"take some\" } }";
        let game =
            bouton_program::Program::parse(text, Some("vague.rhai".as_ref())).unwrap().game();
        let settings = Settings::default();
        for (position, typed, to) in
            [("4", "take some", None), ("4", "#1", Some("2")), ("2", "end it", Some("0"))]
        {
            let found = answer(&*game, position, &settings, &Theorems::default()).unwrap();
            let chosen = chosen(&*game, &found, typed).map(|(m, _)| m.to);
            assert_eq!(chosen.as_deref(), to, "{typed}");
        }
    }
}
