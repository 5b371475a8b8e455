//! Tables over two numbers, as pictures on which a click leads to the board.

use super::Page;
use super::game_tabs::{self, Tab};
use crate::link_parameters::add_parameter;
use crate::playthrough::{Address, Playthrough, play};
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::response::Response;
use crate::site::Site;
use crate::table::{TableAddress, held};
use bouton_core::{Budget, Play, WrittenNumber};
use bouton_dots::board_values;
use bouton_draw::heatmap::{CellKind, Heatmap, default_position, fill_in, position_at};
use maud::{Markup, html};
use std::ops::RangeInclusive;

/// The kind of the picture on the page.
pub(super) const SHOWN: &str = if cfg!(feature = "png") { "png" } else { "svg" };

const EXAMPLES: &[(&str, &str, &str, &str)] = &[
    ("wythoff", "x,y", "nim-value", "200"),
    ("wythoff", "x,y", "outcome", "24"),
    ("CN(5,2)", "x,y,3,1,2", "outcome", "16"),
    ("Gamma(1,x;y)", "", "outcome", "30"),
    ("NIM(1,4;n;d,e)", "x,y,12", "outcome", "30"),
    ("NIM(1,4;n;d,e)", "x,y", "threshold", "60"),
    ("kayles", "x", "nim-value", "120"),
];

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    let asked = TableAddress::from_request(request);
    if asked.game == bouton_dots::FAMILY.name {
        return Ok(boards());
    }
    // There is always something to look at.
    if request.is_bare() {
        return Ok(Response::redirect("/table?game=wythoff&at=x,y&to=24".into()));
    }
    if asked.at.is_empty()
        && let Some(at) = default_position(&site.catalogue, &asked.game)
    {
        let query = TableAddress { at, ..asked }.query();
        return Ok(Response::redirect(format!("/table?{query}")));
    }
    let shown = match asked.game.as_str() {
        "" => html! {},
        _ => sheet(&asked, asked.sheet(site, budget)?),
    };
    let body = html! {
        h1 { "Tables" }
        (game_tabs::tabs_of(site, request, Tab::Table))
        p { "Write x and y for two numbers of the game’s name or of the position." }
        (question(&asked))
        div.two.three {
        div #sheet { (shown) }
        div { h2 { "Examples" }
        ul.examples {
            @for (game, at, of, to) in EXAMPLES {
                li { a href={ "/table?game=" (encoded(game)) "&at=" (encoded(at)) "&of=" (of) "&to="
                    (to) } { strong { (game) " " (at) } " " (of) " to " (to) } }
            }
        }
        } }
    };
    let response = Response::page("Tables", body);
    // The line of play goes along while it is the same game's table.
    let (line, game) = (request.get("line"), format!("/table?game={}&", encoded(&asked.game)));
    let game = game.replace('&', "&amp;");
    Ok(if line.is_empty() {
        response
    } else {
        add_parameter(response, "line", line, |address| address.starts_with(&game))
    })
}

/// The form for a table.
fn question(asked: &TableAddress) -> Markup {
    html! {
        form.line action="/table" method="get" data-live="sheet" {
            label { "Game " input name="game" value=(asked.game) required; }
            label { "Position " input name="at" value=(asked.at); }
            label { "up to " input name="to" size="4" inputmode="numeric"
                value=(if asked.to.is_empty() { "24" } else { &asked.to }); }
            label { "Show " select name="of" { @for of in ["outcome", "nim-value", "margin",
                "threshold"] { option value=(of) selected[of == asked.of] { (of) } } } }
            label { input type="checkbox" name="misere" value="1" checked[!asked.misere.is_empty()];
                " misère" }
            label { input type="checkbox" name="repeats" value="1"
                checked[!asked.repeats.is_empty()]; " mark what repeats" }
            button { "Draw" }
            @for (i, heap) in held(&asked.at) {
                label.part { "number " (i + 1) " = " (heap) " " input id={ "part" (i) }
                    data-part=(i) type="range" min="0" max=(heap.max(31)) value=(heap); }
            }
        }
    }
}

/// A table as a picture, with what leads on from it.
fn sheet(asked: &TableAddress, sheet: Heatmap) -> Markup {
    let query = asked.query();
    let (left, top, side) = sheet.cell_frame();
    let frame = (sheet.rows() > 1)
        .then(|| format!("{left},{top},{side},{},{}", sheet.x.start(), sheet.y.end()));
    let (oeis, zooms) = (oeis(&sheet), zooms(asked, &sheet));
    let scene = sheet.picture().scene();
    // The question again, for forms that lead on from it.
    let fields = html! {
        @for (name, value) in asked.fields() { input type="hidden" name=(name) value=(value); }
    };
    html! {
        div {
        h2 { (scene.title) }
        p { (scene.description) " A click on a cell leads to the board." }
        form action="/table/at" method="get" {
            (fields)
            div.wide tabindex="0" role="region" aria-label="Table" {
                input.map type="image" name="cell" data-frame=[frame.as_ref()] data-values={
                    "/api/heatmap?" (query) } src={ "/picture/table." (SHOWN) "?" (query) }
                        alt={ (scene.title) ". " (scene.description) }
                            width=(scene.width.ceil()) height=(scene.height.ceil());
            }
        }
        p #under.to aria-hidden="true" {}
        }
        div {
        p {
            @match asked.of.as_str() {
                "nim-value" => "Equal colours are equal nim-values; 0 is lost for whoever is \
                 to move. The value of a sum of games is the nim-sum of theirs.",
                "margin" => "What the player to move gains, both playing as well as can be.",
                "threshold" => "The dollars that the player to move needs.",
                _ => "Dark cells are lost for whoever is to move (P); from every other cell a \
                    move leads to one of them.",
            }
        }
        p.acts {
            a.button href={ "/study?game=" (encoded(&asked.game)) @if !asked.misere.is_empty() {
                "&misere=1" } } { "Study this game" }
            a.button href={ "/prove?game=" (encoded(&asked.game)) } { "Guess a form" }
        }
        @if !zooms.is_empty() { ul.tools { li { "Closer:" }
            @for (words, href) in &zooms { li { a data-go="" href=(href) { (words) } } } } }
        form.line action="/table/at" method="get" {
            (fields)
            label { "x = " input name="column" size="5" inputmode="numeric" required; }
            label { "y = " input name="row" size="5" inputmode="numeric"; }
            button { "To this board" }
        }
        @if let Some(oeis) = oeis { p { a href=(oeis) rel="noreferrer" {
            @if asked.of == "nim-value" { "Look these values up in the OEIS" }
                @else { "Look these P-positions up in the OEIS" } } } }
        ul.copies { @for kind in ["svg", "png", "tex"].into_iter().filter(|kind|
            cfg!(feature = "png") || *kind != "png") {
                li { a href={ "/picture/table." (kind) "?" (query) } { (kind) } } }
                    li { a href={ "/api/heatmap?" (query) } { "JSON" } } }
        }
    }
}

/// Returns fewer cells, larger: the quarters of a table; and back to all of it.
fn zooms(asked: &TableAddress, sheet: &Heatmap) -> Vec<(&'static str, String)> {
    let address =
        |x: String, y: String| format!("/table?{}", TableAddress { x, y, ..asked.clone() }.query());
    let mut all = Vec::new();
    let half = |range: &RangeInclusive<u64>, upper: bool| {
        let middle = range.start() + (range.end() - range.start()) / 2;
        if upper {
            format!("{}..{}", middle + 1, range.end())
        } else {
            format!("{}..{middle}", range.start())
        }
    };
    if sheet.columns() >= FEWEST && sheet.rows() >= FEWEST {
        let quarters = [
            ("lower left", false, false),
            ("lower right", true, false),
            ("upper left", false, true),
            ("upper right", true, true),
        ];
        let quarters = quarters.map(|(words, right, upper)| {
            (words, address(half(&sheet.x, right), half(&sheet.y, upper)))
        });
        all.extend(quarters);
    }
    if !(asked.x.is_empty() && asked.y.is_empty()) {
        all.push(("the whole table", address(String::new(), String::new())));
    }
    all
}

/// Lines of a table that can be halved.
const FEWEST: usize = 16;

/// Returns where the values of one number, or the sizes that are P, are looked up in the On-Line
/// Encyclopedia of Integer Sequences.
fn oeis(sheet: &Heatmap) -> Option<String> {
    const TERMS: usize = 24;
    let known: Vec<i64> =
        sheet.cells.iter().copied().collect::<Option<_>>().filter(|_| sheet.rows() == 1)?;
    // Nim-values as they come; of outcomes the sizes that are P.
    let terms: Vec<String> = match sheet.what {
        CellKind::NimValue => known.iter().take(TERMS).map(i64::to_string).collect(),
        CellKind::Outcome => {
            let sizes = sheet.x.clone().zip(&known).filter(|(_, cell)| **cell == 0);
            sizes.take(TERMS).map(|(size, _)| size.to_string()).collect()
        }
        _ => return None,
    };
    if terms.len() < 6 {
        return None;
    }
    Some(format!("https://oeis.org/search?q={}", terms.join("%2C")))
}

/// Answers a click on a table: leads to the board of that cell.
pub(crate) fn jump(site: &Site, request: &Request, budget: &Budget) -> Page {
    let asked = TableAddress::from_request(request);
    let question = asked.question(site, budget)?;
    // A cell by its numbers.
    let (column, row) = (request.get("column"), request.get("row"));
    if !column.is_empty() || !row.is_empty() {
        let number = |text: &str, range: &RangeInclusive<u64>| match text {
            "" => Ok(*range.start()),
            text => WrittenNumber::read(text).filter(|n| range.contains(n)).ok_or_else(|| {
                RequestError::bad(format!(
                    "x and y: numbers from {} to {}",
                    range.start(),
                    range.end()
                ))
            }),
        };
        let (x, y) = (number(column, &question.x)?, number(row, &question.y)?);
        return board_of(site, request, &asked, (x, y), budget);
    }
    let coordinate = |text: &str| text.parse::<f64>().ok().filter(|c| c.is_finite() && *c >= 0.0);
    let (Some(x), Some(y)) = (coordinate(request.get("cell.x")), coordinate(request.get("cell.y")))
    else {
        return Err(RequestError::bad("where was the click? cell.x and cell.y are missing"));
    };
    let sheet = asked.blank(site, budget)?;
    let (left, top, side) = sheet.cell_frame();
    let column = ((x - left) / side).floor().clamp(0.0, sheet.columns() as f64 - 1.0) as u64;
    let row = ((y - top) / side).floor().clamp(0.0, sheet.rows() as f64 - 1.0) as u64;
    let (x, y) = (sheet.x.start() + column, sheet.y.end() - row);
    board_of(site, request, &asked, (x, y), budget)
}

/// Leads to the board of a cell: by a move, if the table is beside a game in course from which
/// one leads there.
fn board_of(
    site: &Site,
    request: &Request,
    asked: &TableAddress,
    (x, y): (u64, u64),
    budget: &Budget,
) -> Page {
    let put = |text: &str| fill_in(text, x, y).unwrap_or_else(|| text.to_owned());
    let at = position_at(&asked.game, &asked.at, x, y).unwrap_or_else(|| asked.at.clone());
    if !request.get("line").is_empty() {
        let playthrough = Playthrough::read(&site.catalogue, &Address::from_request(request))?;
        let listed = playthrough.listed(site, budget)?;
        let is_move = playthrough.your_turn() && playthrough.chosen(&listed, &at).is_some();
        return Ok(Response::redirect(if is_move {
            playthrough.href("/move", &[("to", &at)])
        } else {
            playthrough.href_with("/play", &[at], &[])
        }));
    }
    let mut to = format!("/play?game={}&at={}", encoded(&put(&asked.game)), encoded(&at));
    if play(&site.catalogue, &asked.game, &asked.misere) == Play::Misere {
        to.push_str("&misere=1");
    }
    Ok(Response::redirect(to))
}

/// Boards of Dots and Boxes and what they are worth.
fn boards() -> Response {
    let all = board_values();
    let title = "Dots and Boxes: values of boards";
    Response::page(
        title,
        html! {
            h1 { (title) }
            p { "The margin of the first player under best play, and how many first lines keep \
                it. Swedish boards begin with the rim drawn, Icelandic ones with its left and \
                bottom." }
            div.wide tabindex="0" role="region" aria-label="Values" {
                table {
                    thead { tr { th scope="col" { "Boxes" } th scope="col" { "Border" }
                        th scope="col" { "Margin" } th scope="col" { "First lines that keep it" }
                            th scope="col" { "Known by" } } }
                    tbody {
                        @for board in &all {
                            tr {
                                th scope="row" { a href={ "/play?game=" (encoded(&board.game())) }
                                    { (board.rows) " × " (board.columns) } }
                                td { (board.border.word()) }
                                td { (format!("{:+}", board.margin)) }
                                td { @match board.best {
                                    Some(best) => { (best) " of " (board.openings) }
                                        None => "not counted" } }
                                td { (board.source) }
                            }
                        }
                    }
                }
            }
            p { "Published: D. Wilson, Dots-and-Boxes Analysis Results (3 × 3, 3 × 5 and 4 × 4, \
                whatever the opening); J. K. Barker and R. E. Korf, Solving Dots-And-Boxes, AAAI \
                2012 (4 × 5)." }
        },
    )
}
