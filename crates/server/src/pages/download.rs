//! What can be taken away: pictures, tables as CSV, nim-sequences as b-files, citations.

use super::strategy::{Extent, grow};
use super::table::Asked;
use super::{Page, play, prove};
use crate::playthrough::{Address, Playthrough};
use crate::refusal::Refusal;
use crate::work::Works;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use bouton_draw::Picture;
use bouton_draw::sheet::Sheet;
use bouton_games::FAMILIES;
use bouton_solve::Settings;
use bouton_study::Settled;

/// Pixels of a PNG for one of the SVG.
const SCALE: f64 = 2.0;
/// Values in a b-file.
const VALUES: u32 = 1000;

fn none() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "there is no such file; known are board, tree and table with .svg, .png or .tex, and tree.dot",
    )
}

pub(crate) async fn picture(
    State(works): State<Works>,
    Path(file): Path<String>,
    Query(address): Query<Address>,
    Query(extent): Query<Extent>,
    Query(asked): Query<Asked>,
) -> Page {
    let (what, kind) = file.split_once('.').ok_or_else(none)?;
    let (what, kind) = (what.to_owned(), kind.to_owned());
    let mime = match kind.as_str() {
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "tex" => "application/x-tex",
        "dot" => "text/vnd.graphviz",
        _ => return Err(none().into()),
    };
    let name = file.clone();
    let bytes = works.run(move |budget| {
        let (picture, scale) = match what.as_str() {
            "board" => {
                let playthrough = Playthrough::read(&address)?;
                let board = playthrough.game.board(playthrough.now())?;
                (
                    Picture::Board(format!("{} at {}", playthrough.game.name(), playthrough.now()), board),
                    SCALE,
                )
            }
            "tree" => (Picture::Tree(grow(&Playthrough::read(&address)?, &extent, budget)?), SCALE),
            // One pixel for one, so that a click on the picture finds its cell.
            "table" => (Sheet::fill(asked.question(budget)?)?.picture(), 1.0),
            _ => return Err(none()),
        };
        Ok(match kind.as_str() {
            "svg" => picture.svg().into_bytes(),
            "png" => picture.png(scale)?,
            "tex" => picture.tikz()?.into_bytes(),
            _ => picture.dot()?.into_bytes(),
        })
    });
    let shown = if mime.starts_with("image/") { "inline" } else { "attachment" };
    let headers = [
        (header::CONTENT_TYPE, mime.to_owned()),
        (header::CONTENT_DISPOSITION, format!("{shown}; filename=\"{name}\"")),
    ];
    Ok((headers, bytes.await?).into_response())
}

fn text(kind: &'static str, text: String) -> axum::response::Response {
    ([(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))], text).into_response()
}

pub(crate) async fn data(
    State(works): State<Works>,
    Path(file): Path<String>,
    Query(address): Query<Address>,
    Query(guess): Query<prove::Guess>,
) -> Page {
    match file.as_str() {
        "proof.cert" => {
            let settled = works.run(move |_| prove::settle(&guess)).await?;
            let none = || {
                Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "there is no proof of this within a request")
            };
            match settled.settled {
                Settled::Proved(theorem) => Ok(text("text/plain", theorem.certificate)),
                _ => Err(none().into()),
            }
        }
        "moves.csv" => {
            let seen = play::look(&works, address).await?;
            let mut out = String::from("move,to,outcome,nim_value,margin\n");
            for m in &seen.found.moves {
                let j = m.evaluation;
                let outcome = j.outcome.map_or(String::new(), |o| o.to_string());
                let value = j.nim_value.map_or(String::new(), |v| v.0.to_string());
                let margin = j.margin.map_or(String::new(), |m| m.to_string());
                out.push_str(&format!("{},{},{outcome},{value},{margin}\n", quoted(&m.text), quoted(&m.to)));
            }
            Ok(text("text/csv", out))
        }
        "values.txt" => {
            let out = works.run(move |budget| {
                let game = bouton_games::parse(&address.game)?.game;
                let mut out = String::new();
                let mut session = game.session(Settings { budget, ..Settings::default() });
                let found =
                    session.values(VALUES, &mut |n, value| out.push_str(&format!("{n} {}\n", value.0)));
                found.map(|_| out).ok_or_else(|| Refusal::bad(format!("{} has no nim-sequence", game.name())))
            });
            Ok(text("text/plain", out.await?))
        }
        "cite.bib" => {
            let game = bouton_games::parse(&address.game)?.game.name();
            let source = FAMILIES.iter().find(|f| (f.claims)(&game)).map_or("", |f| f.source);
            let out = format!(
                "@misc{{bouton,\n  title = {{Bouton: a workbench for take-away games}},\n  author = {{{{The Bouton founders}}}},\n  note = {{Version {}; {}}}\n}}\n\n@misc{{rules,\n  title = {{{}}},\n  note = {{{}}}\n}}\n",
                env!("CARGO_PKG_VERSION"),
                bouton_draw::tikz::tex(&game),
                bouton_draw::tikz::tex(&game),
                bouton_draw::tikz::tex(source),
            );
            Ok(text("application/x-bibtex", out))
        }
        _ => Err(Refusal::new(
            StatusCode::NOT_FOUND,
            "there is no such file; known are moves.csv, values.txt, cite.bib, proof.cert",
        )
        .into()),
    }
}

/// A field of CSV (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
