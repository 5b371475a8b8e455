//! `bouton play`: a game in the terminal against perfect play.

use super::{BudgetArgs, PositionArgs, game_and_position, play};
use crate::context::Context;
use crate::fault::Fault;
use crate::{Status, picture, progress};
use bouton_report::text::{is_winning, short, verdict};
use bouton_rules::Play;
use bouton_solve::{Analysis, Game, Kind, Move, Settings};
use clap::Args;
use std::io::{BufRead, Write};

/// Play in the terminal against perfect play, with undo and hints
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton play nim 1,3,5,7 --misere\n  bouton play 'Gamma(1,4;8)' --second\n  bouton play 'dots(2x2)'"
)]
pub struct PlayGame {
    /// The game, or a sum of games with their positions
    game: String,
    #[command(flatten)]
    position: PositionArgs,
    /// Misère play: who cannot move wins
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
Type the number of a move, the position it leads to, or:
  moves   all moves, numbered     hint   a good move, if there is one
  undo    take back your move     who    who wins from here
  help    this text               quit   end the game";

impl PlayGame {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let json = context.json;
        if json {
            return Err(Fault::Usage("play is a conversation; for JSON use solve".into()));
        }
        let (named, position) = game_and_position(context, &self.game, self.position.text().as_deref())?;
        let game = &*named.game;
        let convention = play(self.misere);
        let how = Settings { play: convention, budget: self.budget.budget(context), ..Settings::default() };
        let mut session = game.session(how.clone());
        let mut analyse = |position: &str| -> Result<Analysis, Fault> {
            // Each question has the whole budget.
            let budget = self.budget.budget_anew(context);
            Ok(progress::watched(context, "thinking", &budget, |budget| {
                session.renew(budget);
                session.analyse(position)
            })?)
        };
        let mut out = std::io::stdout().lock();
        let mut lines = std::io::stdin().lock().lines();
        let mut history: Vec<Turn> = Vec::new();
        let mut turn = Turn { position, yours: !self.second, score: 0 };
        let rules = format!("{}\n{}", game.describe(), end_rule(game, convention));
        writeln!(out, "{}\n", rules.trim_end())?;
        writeln!(out, "{HELP}\n")?;
        loop {
            let found = analyse(&turn.position)?;
            if found.moves.is_empty() {
                writeln!(out, "{}", end(game, convention, &turn))?;
                let again = lines.next().and_then(Result::ok).is_some_and(|line| line.trim() == "undo");
                match history.pop().filter(|_| again) {
                    Some(before) => turn = before,
                    None => return Ok(Status::Done),
                }
                continue;
            }
            if !turn.yours {
                let chosen = best(&found).clone();
                writeln!(out, "I play {}.", chosen.text)?;
                turn = after(&turn, &chosen);
                continue;
            }
            write!(out, "{}{}\n> ", picture::draw(&game.board(&turn.position)?), turn.position)?;
            out.flush()?;
            let Some(line) = lines.next() else {
                writeln!(out)?;
                return Ok(Status::Done);
            };
            let line = line.map_err(|error| Fault::File("standard input".into(), error))?;
            match line.trim() {
                "" => {}
                "quit" | "q" => return Ok(Status::Done),
                "help" | "?" => writeln!(out, "{HELP}")?,
                "who" => writeln!(out, "{}", verdict(convention, &found))?,
                "moves" => {
                    for (i, m) in found.moves.iter().enumerate() {
                        writeln!(out, "{:>4}  {}  {}", i + 1, m.text, m.to)?;
                    }
                }
                "hint" => {
                    let m = best(&found);
                    let why =
                        if is_winning(&found, m) { "it wins or is best" } else { "nothing wins; it delays" };
                    writeln!(out, "{} ({why}: {})", m.text, short(m))?;
                }
                "undo" => match history.pop() {
                    Some(before) => turn = before,
                    None => writeln!(out, "There is nothing to undo.")?,
                },
                typed => match chosen(game, &found, typed) {
                    Some(m) => {
                        history.push(turn.clone());
                        turn = after(&turn, m);
                    }
                    None => {
                        writeln!(out, "`{typed}` is no move here. Type `moves` to see them all, or `help`.")?
                    }
                },
            }
        }
    }
}

fn after(turn: &Turn, m: &Move) -> Turn {
    let (gain, again) = m.brings.map_or((0, false), |brings| (i64::from(brings.gain), brings.again));
    Turn {
        position: m.to.clone(),
        yours: turn.yours == again,
        score: turn.score + if turn.yours { gain } else { -gain },
    }
}

/// The move meant by a number, a position or a move's own text.
fn chosen<'a>(game: &dyn Game, found: &'a Analysis, typed: &str) -> Option<&'a Move> {
    if let Some(m) = found.moves.iter().find(|m| m.text == typed || m.to == typed) {
        return Some(m);
    }
    if let Some(m) = typed.parse::<usize>().ok().and_then(|number| found.moves.get(number.checked_sub(1)?)) {
        return Some(m);
    }
    let position = game.normal_form(typed).ok()?;
    found.moves.iter().find(|m| m.to == position)
}

/// A winning or best move; where there is none, the first.
fn best(found: &Analysis) -> &Move {
    found.moves.iter().find(|m| is_winning(found, m)).unwrap_or(&found.moves[0])
}

fn end_rule(game: &dyn Game, play: Play) -> &'static str {
    match (game.kind(), play) {
        // The rules of the game say it.
        (Kind::Scored, _) => "",
        (_, Play::Normal) => "Who cannot move loses.",
        (_, Play::Misere) => "Who cannot move wins.",
    }
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
