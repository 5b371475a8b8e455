//! What can be taken away: pictures, tables as CSV, nim-sequences as b-files, citations.

use super::Page;
use crate::guess::{Guess, settle};
use crate::playthrough::{Address, Playthrough};
use crate::qr;
use crate::request::Request;
use crate::request_error::RequestError;
use crate::response::{Response, Status};
use crate::site::Site;
use crate::table::TableAddress;
use crate::tree::{Extent, grow};
use bouton_core::Budget;
use bouton_draw::Picture;
use bouton_engine::Settings;
use bouton_study::{Proved, Verdict};

/// Pixels of a PNG for one of the SVG.
#[cfg(feature = "png")]
const SCALE: f64 = 2.0;
/// Values in a b-file.
const VALUES: u32 = 1000;

fn none() -> RequestError {
    RequestError::new(
        Status::NotFound,
        "there is no such file; known are board, tree and table with .svg, .png or .tex, tree.dot \
         and qr.svg",
    )
}

/// Returns what is behind the last stroke of the path.
fn file(request: &Request) -> &str {
    request.path().rsplit('/').next().unwrap_or_default()
}

pub(crate) fn picture(site: &Site, request: &Request, budget: &Budget) -> Page {
    let name = file(request);
    if name == "qr.svg" {
        let long =
            || RequestError::new(Status::Unprocessable, "this text is too long for a QR code");
        let svg = qr::svg(request.get("text")).ok_or_else(long)?;
        return Ok(Response::new("image/svg+xml", svg).with("cache-control", "max-age=3600".into()));
    }
    let (what, kind) = name.split_once('.').ok_or_else(none)?;
    let mime = match kind {
        "svg" => "image/svg+xml",
        #[cfg(feature = "png")]
        "png" => "image/png",
        "tex" => "application/x-tex",
        "dot" => "text/vnd.graphviz",
        _ => return Err(none()),
    };
    let playthrough = || Playthrough::read(&site.catalogue, &Address::from_request(request));
    let picture = match what {
        "board" => {
            let playthrough = playthrough()?;
            let board = playthrough.game.board(playthrough.now())?;
            Picture::Board(format!("{} at {}", playthrough.game.name(), playthrough.now()), board)
        }
        "tree" => Picture::Tree(grow(&playthrough()?, &Extent::from_request(request), budget)?),
        "table" => TableAddress::from_request(request).sheet(site, budget)?.picture(),
        _ => return Err(none()),
    };
    let bytes = match kind {
        "svg" => picture.svg().into_bytes(),
        // One pixel of a table for one, so that a click on the picture finds its cell.
        #[cfg(feature = "png")]
        "png" => picture.png(if what == "table" { 1.0 } else { SCALE })?,
        "tex" => picture.tikz()?.into_bytes(),
        _ => picture.dot()?.into_bytes(),
    };
    let shown = if mime.starts_with("image/") { "inline" } else { "attachment" };
    let disposition = format!("{shown}; filename=\"{name}\"");
    Ok(Response::new(mime, bytes).with("content-disposition", disposition))
}

pub(crate) fn data(site: &Site, request: &Request, budget: &Budget) -> Page {
    match file(request) {
        "proof.cert" => {
            let answer = settle(site, &Guess::from_request(request), budget)?;
            let none = || {
                RequestError::new(
                    Status::Unprocessable,
                    "there is no proof of this within a request",
                )
            };
            match answer.settled {
                Verdict::Proved(Proved::Theorem(theorem)) => {
                    Ok(Response::text("text/plain", String::from(theorem.certificate)))
                }
                _ => Err(none()),
            }
        }
        "moves.csv" => {
            let found = Playthrough::read(&site.catalogue, &Address::from_request(request))?
                .answer(site, budget)?
                .analysis;
            let mut out = String::from("move,to,outcome,nim_value,margin\n");
            for m in &found.moves {
                let j = m.evaluation;
                let outcome = j.outcome.map_or(String::new(), |o| o.to_string());
                let value = j.nim_value.map_or(String::new(), |v| v.0.to_string());
                let margin = j.margin.map_or(String::new(), |m| m.to_string());
                out.push_str(&format!(
                    "{},{},{outcome},{value},{margin}\n",
                    quoted(&m.text),
                    quoted(&m.to)
                ));
            }
            Ok(Response::text("text/csv", out))
        }
        "values.txt" => {
            let game = site.catalogue.parse_alone(request.get("game"))?.game;
            let mut out = String::new();
            let mut session =
                game.session(Settings { budget: budget.clone(), ..Settings::default() });
            session
                .values(VALUES, &mut |n, value| out.push_str(&format!("{n} {}\n", value.0)))
                .ok_or_else(|| RequestError::bad(format!("{} has no nim-sequence", game.name())))?
                .ok();
            Ok(Response::text("text/plain", out))
        }
        "cite.bib" => {
            let game = site.catalogue.parse(request.get("game"))?.game.name();
            Ok(Response::text("application/x-bibtex", bouton_report::bibtex(&game)))
        }
        _ => Err(RequestError::new(
            Status::NotFound,
            "there is no such file; known are moves.csv, values.txt, cite.bib, proof.cert",
        )),
    }
}

/// Returns a field of CSV (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
