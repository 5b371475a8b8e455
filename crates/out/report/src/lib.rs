//! Results in words and as JSON: one wording for the command line, the page and all other
//! interfaces. This crate computes nothing and does not know arguments or sockets.

pub mod answers;
mod figure;
mod html;
mod latex;
pub mod move_description;
mod paper;
#[cfg(feature = "schema")]
pub mod schema;
mod sources;
pub mod text;
// Not in the page, which would grow.
#[cfg(not(target_family = "wasm"))]
pub mod typed_move;
pub mod words;

pub use answers::cash::condition;
pub use answers::conjecture::conjectured;
pub use answers::games::{custom_game, family, games, shelf_game};
pub use answers::logic::{decision, examples};
pub use answers::sequence::{genus, heap_sum, period, quotient};
pub use answers::solve::answer;
pub use answers::strategy::tree;
pub use answers::tables::{heatmap, positions, values};
pub use answers::verdict::{claim, proof_verdict, published_game};
pub use answers::{to_json, write_json};
pub use figure::move_values;
pub use sources::bibtex;

use bouton_core::Play;
use bouton_draw::scene::Scene;
use bouton_draw::typeface;
use bouton_engine::{Analysis, Game};
use bouton_study::{Justification, RangeStudy, Study};
use paper::{Block, Paper};
use std::path::Path;

/// A format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One file with formulas in MathML and pictures in SVG.
    Html,
    /// An article with pictures in TikZ.
    Latex,
    /// The study as data.
    Json,
}

impl Format {
    /// Returns the format for the extension of a file name.
    pub fn from_path(file: &Path) -> Option<Format> {
        match file.extension()?.to_str()? {
            "html" => Some(Format::Html),
            "tex" => Some(Format::Latex),
            "json" => Some(Format::Json),
            _ => None,
        }
    }

    /// The extensions that [`Format::from_path`] accepts.
    pub const EXTENSIONS: &'static str = ".html, .tex or .json";
}

/// The JSON Schema of all answers, by the names of the commands, as a text. The static site has it
/// as a file, schema.json, and not in the module.
#[cfg(not(target_arch = "wasm32"))]
pub const SCHEMA: &str = include_str!("schema.json");

/// Returns a study as a file. HTML has its typefaces in it.
pub fn report(study: &Study, format: Format) -> String {
    match format {
        Format::Html => html::write(&Paper::from_study(study), &typeface::embedded()),
        Format::Latex => latex::write(&Paper::from_study(study)),
        Format::Json => format!("{:#}\n", self::study(study)),
    }
}

/// Returns a study of a game with a parameter as a file. HTML has its typefaces in it.
pub fn range_report(study: &RangeStudy, format: Format) -> String {
    match format {
        Format::Html => html::write(&Paper::from_range(study), &typeface::embedded()),
        Format::Latex => latex::write(&Paper::from_range(study)),
        Format::Json => format!("{:#}\n", self::study(study)),
    }
}

/// Returns a study as data: a [`Study`], a [`RangeStudy`] or a [`bouton_study::ParametricStudy`].
/// Of a field that both the study and what its theory found have, as `seconds`, there is the
/// study's.
pub fn study(study: &impl serde::Serialize) -> serde_json::Value {
    // Plain data whose keys are texts cannot fail to serialise.
    serde_json::to_value(study).unwrap_or_default()
}

/// Returns a study as an HTML file without typefaces. A page that sends it has the files already,
/// and its script puts them in.
pub fn bare_report(study: &Study) -> String {
    html::write(&Paper::from_study(study), "")
}

/// Returns a study as a part of a page: HTML with MathML and inline pictures, styled by the page.
pub fn article(study: &Study) -> String {
    html::article(&Paper::from_study(study))
}

/// Returns a formula as a part of a page: its alternatives one a line, in MathML, `most` of them;
/// and how many there are besides.
pub fn cases(formula: &bouton_prover::Formula, most: usize) -> (String, usize) {
    let cases = paper::cases(formula);
    let shown = &cases[..most.min(cases.len())];
    let mut out = String::new();
    html::write_cases(&mut out, shown);
    (out, cases.len() - shown.len())
}

/// Returns the statements of a study, each theorem or conjecture as a paragraph of plain text, in
/// the order of the report.
pub fn statements(study: &Study) -> Vec<String> {
    let blocks = Paper::from_study(study).blocks;
    let statement = |block: &Block| match block {
        Block::Statement(statement) => Some(statement.words()),
        _ => None,
    };
    blocks.iter().filter_map(statement).collect()
}

/// Returns a token's way round a circle as a picture and in words.
pub fn route(route: &bouton_theory::block::Route) -> (Scene, String) {
    let figure = figure::route(route);
    (figure.scene, figure.caption)
}

/// Returns the structure of a position as a picture and in words; `None` if the board has none.
pub fn sight(game: &dyn Game, position: &str) -> Option<(Scene, String)> {
    let (board, sight) = (game.board(position).ok()?, game.sight(position).ok()??);
    let figure = figure::sight(&format!("{} at {position}", game.name()), &board, &sight);
    Some((figure.scene, figure.caption))
}

/// Returns the values of the lines of a position as a picture and in words; `None` if no move is
/// made on a line or no margin is known.
pub fn move_values_picture(game: &dyn Game, found: &Analysis) -> Option<(Scene, String)> {
    let board = game.board(&found.position).ok()?;
    let title = format!("{} at {}", game.name(), found.position);
    let figure =
        figure::move_values_figure(&title, &board, &found.margins(game), found.evaluation.margin)?;
    Some((figure.scene, figure.caption))
}

/// Returns the name of a convention.
pub fn play_word(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal",
        Play::Misere => "misere",
    }
}

/// Describes a period.
fn period_words(period: usize, preperiod: usize, saltus: u32) -> String {
    let saltus = if saltus > 0 { format!(" and saltus {saltus}") } else { String::new() };
    format!("period {period}{saltus} from {preperiod} on")
}

/// Describes the justification of an answer in a sentence; `None` for a search.
pub fn justification(by: &Justification) -> Option<String> {
    Some(match by {
        Justification::Search => return None,
        Justification::Theorem { statement, certificate } => {
            format!("by the theorem \u{201c}{statement}\u{201d}, certificate {certificate}")
        }
        Justification::FamilyTheorem { statement, scope, certificate } => format!(
            "by the theorem \u{201c}{statement}, {scope}\u{201d} and the labels of its automata, \
             certificate {certificate}"
        ),
        Justification::Period { period, preperiod, saltus, certificate } => {
            let period = period_words(*period, *preperiod, *saltus);
            format!("by nim-values of {period}, proved, certificate {certificate}")
        }
        Justification::HeapValues { largest } => {
            format!("by the nim-values of single heaps, computed up to {largest}")
        }
        Justification::Quotient { order, heaps, period } => match period {
            Some((period, preperiod)) => format!(
                "by the misère quotient of all heaps, of order {order}: elements have period \
                 {period} from {preperiod} on, proved"
            ),
            None => format!(
                "by the misère quotient of heaps up to {heaps}, of order {order}, \
                proved"
            ),
        },
        Justification::Quotients { order, heaps } => {
            let heaps: Vec<String> =
                heaps.iter().map(|(game, largest)| format!("{game} up to {largest}")).collect();
            let heaps = heaps.join(", ");
            format!("by the misère quotient of all heaps of {heaps}, of order {order}, proved")
        }
        #[cfg(not(target_family = "wasm"))]
        Justification::Outcomes { period, preperiod } => {
            format!(
                "by outcomes of {}: as many in a row as a move can reach return",
                period_words(*period, *preperiod, 0)
            )
        }
        #[cfg(not(target_family = "wasm"))]
        Justification::Slow => "by the lost heaps, each the first from which the one before is \
            out of reach: what may be taken grows by at most 1 from heap to heap"
            .into(),
        Justification::Literature(statement) => format!(
            "by a theorem of the literature: \
            {statement}"
        ),
    })
}
