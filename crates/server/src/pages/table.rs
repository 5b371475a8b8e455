//! Tables over two numbers, as pictures on which a click leads to the board.

use super::{Page, frame};
use crate::playthrough::{encoded, play};
use crate::refusal::Refusal;
use crate::work::Works;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use bouton_draw::sheet::{Question, Sheet, What, ends, fill_in};
use bouton_rules::Board;
use bouton_solve::Budget;
use maud::html;
use serde::Deserialize;

/// A question about a table, as in an address.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
    pub game: String,
    pub at: String,
    pub to: String,
    /// The columns and the rows, as 1..72.
    pub x: String,
    pub y: String,
    pub of: String,
    pub misere: String,
    #[serde(rename = "cell.x")]
    pub cell_x: String,
    #[serde(rename = "cell.y")]
    pub cell_y: String,
    /// A cell by its numbers.
    pub column: String,
    pub row: String,
}

/// The most cells a side of a table that a page shows.
const MOST_SIDE: u64 = 1000;

impl Asked {
    /// The question, with a budget.
    pub fn question(&self, budget: Budget) -> Result<Question, Refusal> {
        let to = match self.to.as_str() {
            "" => 24,
            text => text
                .parse()
                .ok()
                .filter(|to| *to <= MOST_SIDE)
                .ok_or_else(|| Refusal::bad(format!("to: a number up to {MOST_SIDE}")))?,
        };
        let what = match self.of.as_str() {
            "" | "outcome" => What::Outcome,
            "nim-value" => What::NimValue,
            "margin" => What::Margin,
            "threshold" => What::Threshold,
            _ => return Err(Refusal::bad("of: outcome, nim-value, margin or threshold")),
        };
        // Circles have at least one cell, and moves at least one step.
        let from = u64::from(fill_in(&self.game, 0, 0).is_some());
        if to < from {
            return Err(Refusal::bad("to: at least 1 here"));
        }
        let range = |text: &str| {
            if text.is_empty() {
                return Ok(from..=to);
            }
            let ends = ends(text).filter(|(a, b)| a <= b && b - a <= MOST_SIDE && *a >= from);
            let wrong = || Refusal::bad(format!("x, y: a range as 1..72, of at most {MOST_SIDE} numbers"));
            ends.map(|(a, b)| a..=b).ok_or_else(wrong)
        };
        Ok(Question {
            game: self.game.clone(),
            position: (!self.at.is_empty()).then(|| self.at.clone()),
            x: range(&self.x)?,
            y: range(&self.y)?,
            what,
            play: play(&self.misere),
            budget,
        })
    }

    fn query(&self) -> String {
        let all = [
            ("game", &self.game),
            ("at", &self.at),
            ("to", &self.to),
            ("x", &self.x),
            ("y", &self.y),
            ("of", &self.of),
            ("misere", &self.misere),
        ];
        let parts: Vec<String> =
            all.iter().filter(|(_, v)| !v.is_empty()).map(|(n, v)| format!("{n}={}", encoded(v))).collect();
        parts.join("&")
    }
}

/// A slice of the game's positions through this one: its first two numbers vary.
pub(super) fn slice(board: &Option<Board>, position: &str) -> String {
    match board {
        Some(
            Board::Row(_) | Board::Ring(_) | Board::Pins(_) | Board::Queen { .. } | Board::Purses { .. },
        ) => {
            let numbers: Vec<&str> = position.split(',').collect();
            let letters = ["x", "y"].into_iter().map(Some).chain(std::iter::repeat(None));
            let parts: Vec<&str> =
                numbers.iter().zip(letters).map(|(n, letter)| letter.unwrap_or(n)).collect();
            parts.join(",")
        }
        _ => String::new(),
    }
}

const EXAMPLES: &[(&str, &str, &str, &str)] = &[
    ("wythoff", "x,y", "nim-value", "200"),
    ("wythoff", "x,y", "outcome", "24"),
    ("CN(5,2)", "x,y,3,1,2", "outcome", "16"),
    ("Gamma(1,x;y)", "", "outcome", "30"),
    ("NIM(1,4;n;d,e)", "x,y,12", "outcome", "30"),
    ("NIM(1,4;n;d,e)", "x,y", "threshold", "60"),
    ("kayles", "x", "nim-value", "120"),
];

pub(crate) async fn page(State(works): State<Works>, Query(asked): Query<Asked>) -> Page {
    let query = asked.query();
    let picture = if asked.game.is_empty() {
        None
    } else {
        let asked = asked.clone();
        Some(works.run(move |budget| Ok(Sheet::fill(asked.question(budget)?)?.picture().scene())).await?)
    };
    let body = html! {
        h1 { "Tables" }
        p { "Write x and y for two numbers of the game’s name or of the position." }
        form.line action="/table" method="get" {
            label { "Game " input name="game" value=(asked.game) required; }
            label { "Position " input name="at" value=(asked.at); }
            label { "up to " input name="to" size="4" inputmode="numeric" value=(if asked.to.is_empty() { "24" } else { &asked.to }); }
            label { "Show " select name="of" { @for of in ["outcome", "nim-value", "margin", "threshold"] { option value=(of) selected[of == asked.of] { (of) } } } }
            label { input type="checkbox" name="misere" value="1" checked[!asked.misere.is_empty()]; " misère" }
            button { "Draw" }
        }
        @if let Some(scene) = &picture {
            h2 { (scene.title) }
            p { (scene.description) " A click on a cell leads to the board." }
            form action="/table/at" method="get" {
                @for (name, value) in [("game", &asked.game), ("at", &asked.at), ("to", &asked.to), ("of", &asked.of), ("misere", &asked.misere)] {
                    input type="hidden" name=(name) value=(value);
                }
                div.wide tabindex="0" role="region" aria-label="Table" {
                    input.map type="image" name="cell" src={ "/picture/table.png?" (query) } alt={ (scene.title) ". " (scene.description) } width=(scene.width.ceil()) height=(scene.height.ceil());
                }
            }
            form.line action="/table/at" method="get" {
                @for (name, value) in [("game", &asked.game), ("at", &asked.at), ("to", &asked.to), ("of", &asked.of), ("misere", &asked.misere)] {
                    input type="hidden" name=(name) value=(value);
                }
                label { "x = " input name="column" size="5" inputmode="numeric" required; }
                label { "y = " input name="row" size="5" inputmode="numeric"; }
                button { "To this board" }
            }
            ul.copies { @for kind in ["svg", "png", "tex"] { li { a href={ "/picture/table." (kind) "?" (query) } { (kind) } } } li { a href={ "/api/heatmap?" (query) } { "JSON" } } }
        }
        h2 { "Examples" }
        ul {
            @for (game, at, of, to) in EXAMPLES {
                li { a href={ "/table?game=" (encoded(game)) "&at=" (encoded(at)) "&of=" (of) "&to=" (to) } { (game) " " (at) ", " (of) " to " (to) } }
            }
        }
    };
    Ok(frame("Tables", body).into_response())
}

/// A click on a table: to the board of that cell.
pub(crate) async fn jump(State(_): State<Works>, Query(asked): Query<Asked>) -> Page {
    let question = asked.question(Budget::default())?;
    if !asked.column.is_empty() || !asked.row.is_empty() {
        let number = |text: &str, range: &std::ops::RangeInclusive<u64>| match text {
            "" => Ok(*range.start()),
            text => text.trim().parse().ok().filter(|n| range.contains(n)).ok_or_else(|| {
                Refusal::bad(format!("x and y: numbers from {} to {}", range.start(), range.end()))
            }),
        };
        return Ok(board_of(&asked, number(&asked.column, &question.x)?, number(&asked.row, &question.y)?));
    }
    let coordinate = |text: &str| text.parse::<f64>().ok().filter(|c| c.is_finite() && *c >= 0.0);
    let (Some(x), Some(y)) = (coordinate(&asked.cell_x), coordinate(&asked.cell_y)) else {
        return Err(Refusal::bad("where was the click? cell.x and cell.y are missing").into());
    };
    let sheet = Sheet {
        game: question.game.clone(),
        position: question.position.clone(),
        play: question.play,
        what: question.what,
        x: question.x.clone(),
        y: question.y.clone(),
        cells: Vec::new(),
        spent: None,
    };
    let (left, top, side) = sheet.frame();
    let column = ((x - left) / side).floor().clamp(0.0, sheet.columns() as f64 - 1.0) as u64;
    let row = ((y - top) / side).floor().clamp(0.0, sheet.rows() as f64 - 1.0) as u64;
    let (x, y) = (sheet.x.start() + column, sheet.y.end() - row);
    Ok(board_of(&asked, x, y))
}

/// Leads to the board of a cell.
fn board_of(asked: &Asked, x: u64, y: u64) -> axum::response::Response {
    let put = |text: &str| fill_in(text, x, y).unwrap_or_else(|| text.to_owned());
    let mut to = format!("/play?game={}&at={}", encoded(&put(&asked.game)), encoded(&put(&asked.at)));
    if play(&asked.misere) == bouton_rules::Play::Misere {
        to.push_str("&misere=1");
    }
    (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
}
