//! `bouton play`: a game in the terminal against perfect play.

use super::{BudgetArgs, PositionArgs, convention, game_and_position};
use crate::context::Context;
use crate::error::CommandError;
use crate::{Status, picture, progress};
use bouton_core::{Outcome, Play};
use bouton_engine::{Analysis, Game, Kind, Move, Settings};
use bouton_report::text::{end_rule, is_winning, move_in_words, short, verdict};
use bouton_report::typed_move::{Chosen, Meant, chosen};
use bouton_study::{Answer, Answers};
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

/// The most moves that are listed where several may be meant.
const MOST_MEANT: usize = 8;

/// A position in the course of play.
#[derive(Debug, Clone)]
struct Turn {
    position: String,
    yours: bool,
    /// Your points less the program's.
    score: i64,
}

const HELP: &str = "\
Type a move in words (take 2 from heap 1; 5 to 3), the position it leads to, #3
for the third of the listed moves, or:
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
                let words = move_in_words(game, &self.turn.position, chosen);
                writeln!(out, "I play: {words}.")?;
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
                    let words = move_in_words(self.game, &found.position, m);
                    writeln!(out, "{:>5}  {words}  →  {}", format!("#{}", i + 1), m.to)?;
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
                    let words = move_in_words(self.game, &found.position, m);
                    writeln!(out, "{words} ({why}: {})", short(m))?;
                }
                None => writeln!(out, "I know no move here.")?,
            },
            "undo" if self.undo() => {}
            "undo" => writeln!(out, "There is nothing to undo.")?,
            typed => match chosen(self.game, answer, typed) {
                Chosen::One(m, meant) => {
                    let words = move_in_words(self.game, &found.position, &m);
                    match meant {
                        Meant::Number(number) => writeln!(out, "Move #{number}: {words}.")?,
                        Meant::Words
                            if !words.eq_ignore_ascii_case(typed.trim_end_matches('.')) =>
                        {
                            writeln!(out, "You play: {words}.")?;
                        }
                        Meant::NotNumber(number) => writeln!(
                            out,
                            "Read as the position {}; #{number} is the move of that number.",
                            m.to
                        )?,
                        Meant::NotTaken => writeln!(
                            out,
                            "Read as the position {typed}; `take {typed}` takes as many."
                        )?,
                        Meant::Words | Meant::Position => {}
                    }
                    let next = after(&self.turn, &m);
                    self.history.push(std::mem::replace(&mut self.turn, next));
                }
                Chosen::Several(all) => {
                    writeln!(out, "`{typed}` may be one of several moves; type one of them:")?;
                    for m in all.iter().take(MOST_MEANT) {
                        let words = move_in_words(self.game, &found.position, m);
                        let number = found.moves.iter().position(|other| other.to == m.to);
                        let number = number.map_or(String::new(), |at| format!("#{}", at + 1));
                        writeln!(out, "{number:>5}  {words}  →  {}", m.to)?;
                    }
                    if all.len() > MOST_MEANT {
                        writeln!(out, "and {} more", all.len() - MOST_MEANT)?;
                    }
                }
                Chosen::None => {
                    let number = typed.parse::<usize>().ok().filter(|n| *n <= found.moves.len());
                    let other = number
                        .filter(|number| *number > 0)
                        .map_or(String::new(), |n| format!(" #{n} is the move of that number."));
                    writeln!(
                        out,
                        "`{typed}` is no move here.{other} Type `moves` to see them all, or `help`."
                    )?;
                }
            },
        }
        Ok(())
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

    /// Returns the position that what was typed leads to, if it is one move.
    fn leads_to(game: &dyn Game, position: &str, typed: &str) -> Option<String> {
        let settings = Settings::default();
        let found = answer(game, position, &settings, &Theorems::default()).unwrap();
        match chosen(game, &found, typed) {
            Chosen::One(m, _) => Some(m.to),
            Chosen::Several(_) | Chosen::None => None,
        }
    }

    #[test]
    fn moves_as_people_type_them() {
        for (game, position, typed, to) in [
            ("nim", "3,4,5", "1,4,5", Some("1,4,5")),
            ("nim", "3,4,5", "take 2 from the first heap", Some("1,4,5")),
            ("nim", "3,4,5", "Take 5 from the third heap.", Some("3,4,0")),
            ("nim", "3,4,5", "heap 1: 3 -> 1", Some("1,4,5")),
            ("nim", "3,4,5", "heap 1: 4 -> 1", None),
            ("nim", "3,4,5", "5 to 2", Some("3,4,2")),
            ("nim", "3,4,5", "remove two stones from the pile of 4", Some("3,2,5")),
            ("nim", "3,4,5", "heap 2: take 3", Some("3,1,5")),
            ("nim", "3,4,5", "reduce heap 1 by 2", Some("1,4,5")),
            ("nim", "3,4,5", "leave 2 in the first heap", Some("2,4,5")),
            ("nim", "3,4,5", "take the whole last pile", Some("3,4,0")),
            ("nim", "3,4,5", "take the first heap", Some("0,4,5")),
            // The third heap and the one of three are two heaps; the first one is both.
            ("nim", "3,4,5", "take 2 from heap 3", None),
            ("nim", "1,4,5", "take 1 from heap 1", Some("0,4,5")),
            ("nim", "3,4,5", "take 6 from the third heap", None),
            ("nim", "3,4,5", "take 2", None),
            ("nim", "3,4,5", "take -2", None),
            ("nim", "3,4,5", "take 2 from both", None),
            ("nim", "3,4,5", "not take 2 from the first heap", None),
            ("nim", "3,4,5", "put 2 on the first heap", None),
            ("nim", "3,4,5", "2 to the first heap", None),
            ("nim", "3,4,5", "take 1 from the first heap and 1 from the second heap", None),
            ("nim", "3,3,5", "3 → 1", None),
            ("nim", "3,3,5", "3 -> 1", None),
            ("nim", "3,4,5", "3->1", Some("1,4,5")),
            ("nim", "3,4,5", "3,4,5 -> 1,4,5", Some("1,4,5")),
            ("nim", "3,4,5", "3,4,6 -> 1,4,5", None),
            ("nim", "3,4,5", "take 5 tokens", Some("3,4,0")),
            ("S(1,2,3)", "21", "21 -> 19", Some("19")),
            ("S(1,2,3)", "21", "20 -> 19", None),
            ("S(6)", "21", "6", Some("15")),
            ("nim", "1000000000,7", "take 123 from the first heap", Some("999999877,7")),
            ("wythoff", "5,8", "take 2 from both", Some("3,6")),
            ("wythoff", "5,8", "take 3 from the first", Some("2,8")),
            ("euclid", "25,7", "take 21", Some("4,7")),
            ("fibonacci nim", "20,19", "take two", Some("18,4")),
            ("grundy", "15", "3+12", Some("3,12")),
            ("grundy", "15", "split 15 into 3 and 12", Some("3,12")),
            ("grundy", "15", "split 15 into 3 and 11", None),
            ("kayles", "7", "knock down pin 4", Some("3,3")),
            ("kayles", "7", "pins 3 and 4", Some("2,3")),
            ("kayles", "7", "take 1 and leave 3 and 3", Some("3,3")),
            ("kayles", "7", "take 2 and leave 3 and 3", None),
            ("kayles", "7", "take 3", None),
            ("silver-dollar", "2,5,9", "9 to 7", Some("2,5,7")),
            ("staircase", "2,4,3", "1 from 3 to 2", Some("2,5,2")),
            ("Gamma(1,4;13)", "0/0", "step 4", Some("0,4/4")),
            ("S(1,2,3)", "10", "take 2 tokens", Some("8")),
            ("S(1,2,3)", "10", "take 2", Some("8")),
            ("S(1,2,3)", "10", "take 4", None),
            ("S(1,2,3)", "10", "9", Some("9")),
            // A number alone is no move's number where as many tokens may be taken.
            ("S(1,2,3)", "21", "3", None),
            ("S(1,2,3)", "21", "#3", Some("20")),
            ("S(1,2,3)", "4", "3", Some("3")),
            ("nim", "3,4,5", "2", None),
            ("nim", "3,4,5", "#2", Some("1,4,5")),
            ("kayles", "7", "4", None),
            #[cfg(feature = "programs")]
            ("cram", "../../..", "##/../..", Some("##/../..")),
            #[cfg(feature = "programs")]
            ("cram", "../../..", "#9", None),
        ] {
            let game = crate::context::standard().parse(game).unwrap().game;
            let found = leads_to(&*game, position, typed);
            assert_eq!(found.as_deref(), to, "{} from {position}: {typed}", game.name());
        }
    }

    /// Each move is what its own words and its own text mean, or they mean others, too; never
    /// another one alone.
    #[test]
    fn words_of_a_move_mean_no_other_one() {
        for (game, position) in [
            ("nim", "2,3,3"),
            ("kayles", "2,5"),
            ("wythoff", "3,5"),
            ("grundy", "3,8"),
            ("lasker", "6"),
            ("euclid", "9,4"),
            ("staircase", "2,0,3"),
            ("silver-dollar", "2,5,6"),
            ("turning-turtles", "1,3,4"),
            ("fibonacci nim", "9,8"),
            ("Gamma(1,4;13)", "0/0"),
            ("CN(4,2)", "1,2,1,2"),
            ("dots(1x2)", "../.../.."),
        ] {
            let game = crate::context::standard().parse(game).unwrap().game;
            let settings = Settings::default();
            let found = answer(&*game, position, &settings, &Theorems::default()).unwrap();
            for m in &found.analysis.moves {
                for typed in [m.text.to_string(), move_in_words(&*game, position, m)] {
                    let meant: Vec<String> = match chosen(&*game, &found, &typed) {
                        Chosen::One(m, _) => vec![m.to],
                        Chosen::Several(all) => all.into_iter().map(|m| m.to).collect(),
                        Chosen::None => Vec::new(),
                    };
                    assert!(meant.contains(&m.to), "{} from {position}: {typed}", game.name());
                }
            }
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
            ("node-kayles", "1-2,2-3,3-4,4-5", "take node 3 and its neighbours", Some("[[1],[5]]")),
            // No move has the number 7.
            ("node-kayles", "7-8,8-9", "7", Some("[[9]]")),
            // Card 3 is odd; the third move names 6.
            ("juniper-green", "10", "3", None),
            ("juniper-green", "10", "6", Some("[6,[1,2,3,4,5,7,8,9,10]]")),
        ] {
            let game = crate::context::standard().parse(game).unwrap().game;
            let position = game.normal_form(position).unwrap();
            assert_eq!(leads_to(&*game, &position, typed).as_deref(), to, "{typed}");
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
        for (position, typed, to) in
            [("4", "take some", None), ("4", "#1", Some("2")), ("2", "end it", Some("0"))]
        {
            assert_eq!(leads_to(&*game, position, typed).as_deref(), to, "{typed}");
        }
    }
}
