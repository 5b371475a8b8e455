//! Results in words and as JSON: one wording for the command line, the page and all other
//! interfaces. This crate computes nothing and does not know arguments or sockets.

mod cash;
mod conjecture;
pub mod deed;
mod figure;
mod html;
mod latex;
mod logic;
mod paper;
mod sequence;
mod sources;
pub mod text;
mod verdict;
pub mod words;

pub use cash::condition;
pub use conjecture::conjectured;
pub use figure::move_values;
pub use logic::{decision, examples};
pub use sequence::{genus, heap_sum, period, quotient};
pub use sources::bibtex;
pub use verdict::{claim, published_game, verdict};

use bouton_core::{LimitReached, Play};
use bouton_draw::Heatmap;
use bouton_draw::heatmap::CellKind;
use bouton_draw::scene::Scene;
use bouton_draw::tree::{NodeState, Tree};
use bouton_draw::typeface;
use bouton_engine::{Analysis, Evaluation, Game, Kind};
use bouton_games::{Catalogue, Family, Rules, ShelfGame, shelf};
use bouton_study::{Answer, Justification, ParametricStudy, RangeStudy, Study, Verdict};
use paper::{Block, Paper};
use serde_json::{Value, json};
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

/// Returns a study as data.
pub fn study(study: &Study) -> Value {
    // Plain data whose keys are texts cannot fail to serialise.
    serde_json::to_value(study).unwrap_or_default()
}

/// Returns a study of a game with a parameter as data.
pub fn range_study(study: &RangeStudy) -> Value {
    serde_json::to_value(study).unwrap_or_default()
}

/// Returns a study of a game for all values of its parameters as data.
pub fn parametric_study(study: &ParametricStudy) -> Value {
    serde_json::to_value(study).unwrap_or_default()
}

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
        Format::Json => format!("{:#}\n", range_study(study)),
    }
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
    let figure = figure::move_values_figure(&title, &board, &found.margins(game), found.evaluation.margin)?;
    Some((figure.scene, figure.caption))
}

/// Returns the name of a convention.
pub fn play_word(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal",
        Play::Misere => "misere",
    }
}

fn outcome(evaluation: &Evaluation) -> Value {
    evaluation.outcome.map_or(Value::Null, |outcome| outcome.to_string().into())
}

fn nim_value(evaluation: &Evaluation) -> Value {
    evaluation.nim_value.map_or(Value::Null, |value| value.0.into())
}

/// Adds bounds on the margin if the margin is not known.
fn bounds(value: &mut Value, evaluation: &Evaluation) {
    if let Some((low, high)) = evaluation.bounds {
        value["bounds"] = json!([low, high]);
    }
}

/// Adds a position as an array of numbers, if it is a list of them.
fn numbers(value: &mut Value, position: &str) {
    if let Some(list) = numbers_of(position) {
        value["numbers"] = list.into();
    }
}

/// Returns a position as an array of numbers, if it is a list of them.
fn numbers_of(position: &str) -> Option<Vec<u64>> {
    position.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// Returns positions as arrays of numbers if all are lists of them, else as texts.
pub fn as_numbers<'p>(positions: impl IntoIterator<Item = &'p str> + Clone) -> Value {
    match positions.clone().into_iter().map(numbers_of).collect::<Option<Vec<_>>>() {
        Some(lists) => lists.into(),
        None => positions.into_iter().collect(),
    }
}

fn unknown(value: &mut Value, spent: Option<LimitReached>) {
    if let Some(spent) = spent {
        value["reason"] = spent.to_string().into();
    }
}

/// Returns all families and the shelf, as `bouton games --json`.
pub fn games(catalogue: &Catalogue) -> Value {
    let own = catalogue.own_games();
    let named = shelf().games().iter().map(shelf_game);
    own.iter()
        .map(|game| custom_game(&**game))
        .chain(catalogue.families().iter().map(family))
        .chain(named)
        .collect()
}

/// Returns a game of the shelf.
pub fn shelf_game(game: &ShelfGame) -> Value {
    let notation = match game.rules() {
        Rules::Notation(notation) => notation,
        Rules::File(_) | Rules::Program(_) => &game.name,
    };
    json!({
        "name": game.name,
        "aliases": game.aliases(),
        "group": game.group,
        "about": game.sentence(),
        "source": game.source(),
        "game": notation,
        "position": (!game.start.is_empty()).then_some(&game.start),
        "positions": game.positions(),
        "program": matches!(game.rules(), Rules::Program(_)),
    })
}

/// Returns a game of the user.
pub fn custom_game(game: &dyn Game) -> Value {
    json!({
        "family": game.name(),
        "notation": game.name(),
        "about": game.describe(),
        "source": "rule file",
        "examples": [],
    })
}

/// Returns a family.
pub fn family(family: &Family) -> Value {
    let examples: Vec<Value> = family
        .examples
        .iter()
        .map(|e| json!({"game": e.game, "position": (!e.position.is_empty()).then_some(e.position)}))
        .collect();
    json!({
        "family": family.name,
        "notation": family.notation,
        "about": family.about,
        "source": family.source,
        "examples": examples,
    })
}

/// Returns a position with its moves, as `bouton solve --json`.
pub fn analysis(game: &dyn Game, play: Play, analysis: &Analysis) -> Value {
    let Analysis { position, evaluation, class, moves, best_play, remarks, spent, nodes, seconds } = analysis;
    let scored = game.kind() == Kind::Scored;
    let moves: Vec<Value> = moves
        .iter()
        .map(|m| match &m.brings {
            Some(brings) => {
                let mut value = json!({"to": m.to, "move": m.text, "gain": brings.gain, "again": brings.again, "margin": m.evaluation.margin});
                bounds(&mut value, &m.evaluation);
                value
            }
            None => {
                let mut value = json!({"to": m.to, "outcome": outcome(&m.evaluation), "nim_value": nim_value(&m.evaluation)});
                numbers(&mut value, &m.to);
                value
            }
        })
        .collect();
    let mut value = if scored {
        json!({"game": game.name(), "position": position, "margin": evaluation.margin, "moves": moves})
    } else {
        json!({
            "game": game.name(),
            "position": position,
            "play": play_word(play),
            "outcome": outcome(evaluation),
            "nim_value": nim_value(evaluation),
            "moves": moves,
        })
    };
    if !scored {
        numbers(&mut value, position);
    }
    bounds(&mut value, evaluation);
    if let Some(class) = class {
        value["class"] = class.to_string().into();
    }
    if let Some(play) = best_play {
        let moves: Vec<&str> = play.moves.iter().map(|m| m.text.as_str()).collect();
        value["best_play"] = json!(moves);
    }
    if !remarks.is_empty() {
        let remark = |remark: &bouton_engine::Remark| json!({"about": remark.about, "text": remark.text});
        value["remarks"] = remarks.iter().map(remark).collect();
    }
    unknown(&mut value, *spent);
    value["nodes"] = (*nodes).into();
    value["seconds"] = (*seconds).into();
    value
}

/// Returns an answer, as `bouton solve --json`: an analysis and its justification.
pub fn answer(game: &dyn Game, play: Play, answer: &Answer) -> Value {
    let mut value = analysis(game, play, &answer.analysis);
    let (by, detail) = match &answer.by {
        Justification::Search => ("search", None),
        Justification::Theorem { statement, certificate }
        | Justification::FamilyTheorem { statement, certificate, .. } => {
            ("theorem", Some((statement.clone(), Some(certificate))))
        }
        Justification::Period { period, preperiod, saltus, certificate } => {
            let statement = period_words(*period, *preperiod, *saltus);
            ("period", Some((statement, Some(certificate))))
        }
        Justification::HeapValues { .. } => {
            ("values", justification(&answer.by).map(|statement| (statement, None)))
        }
        Justification::Quotient { .. } | Justification::Quotients { .. } => {
            ("quotient", justification(&answer.by).map(|statement| (statement, None)))
        }
        #[cfg(not(target_family = "wasm"))]
        Justification::Outcomes { period, preperiod } => {
            ("period", Some((period_words(*period, *preperiod, 0), None)))
        }
        #[cfg(not(target_family = "wasm"))]
        Justification::Slow => ("sequence", justification(&answer.by).map(|statement| (statement, None))),
        Justification::Literature(statement) => ("literature", Some((statement.clone(), None))),
    };
    value["by"] = by.into();
    if let Some((statement, certificate)) = detail {
        value["theorem"] = statement.into();
        value["certificate"] = json!(certificate);
        value["moves_in_all"] = json!(answer.moves.as_ref().map(ToString::to_string));
    }
    value
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
            "by the theorem \u{201c}{statement}, {scope}\u{201d} and the labels of its automata, certificate {certificate}"
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
                "by the misère quotient of all heaps, of order {order}: elements have period {period} from {preperiod} on, proved"
            ),
            None => format!("by the misère quotient of heaps up to {heaps}, of order {order}, proved"),
        },
        Justification::Quotients { order, heaps } => {
            let heaps: Vec<String> =
                heaps.iter().map(|(game, largest)| format!("{game} up to {largest}")).collect();
            let heaps = heaps.join(", ");
            format!("by the misère quotient of all heaps of {heaps}, of order {order}, proved")
        }
        #[cfg(not(target_family = "wasm"))]
        Justification::Outcomes { period, preperiod } => {
            format!("by outcomes of {}: as many in a row as a move can reach return", period_words(*period, *preperiod, 0))
        }
        #[cfg(not(target_family = "wasm"))]
        Justification::Slow => "by the lost heaps, each the first from which the one before is out of reach: what may be taken grows by at most 1 from heap to heap".into(),
        Justification::Literature(statement) => format!("by a theorem of the literature: {statement}"),
    })
}

/// Returns P-positions, as `bouton positions --json`.
pub fn positions(
    game: &dyn Game,
    play: Play,
    max: u32,
    list: &[String],
    spent: Option<LimitReached>,
) -> Value {
    let mut value = json!({
        "game": game.name(),
        "play": play_word(play),
        "max": max,
        "count": list.len(),
        "positions": as_numbers(list.iter().map(String::as_str)),
        "texts": list,
    });
    unknown(&mut value, spent);
    value
}

/// Returns a nim-sequence, as `bouton values --json`.
pub fn values(game: &dyn Game, values: &[u32], spent: Option<LimitReached>) -> Value {
    let mut value = json!({"game": game.name(), "from": 0, "values": values});
    unknown(&mut value, spent);
    value
}

/// Returns the verdict on a claim about P-positions, as `bouton prove --json`, with the file of the
/// certificate.
pub fn proof_verdict(
    game: &str,
    play: Play,
    claim: &str,
    proof_verdict: &Verdict,
    seconds: f64,
    certificate: Option<&str>,
) -> Value {
    let mut value = json!({"game": game, "play": play_word(play), "claim": claim, "seconds": seconds});
    if let (Value::Object(value), Value::Object(more)) = (&mut value, verdict(proof_verdict)) {
        value.extend(more);
    }
    if proof_verdict.certificate().is_some() {
        value["certificate"] = certificate.into();
    }
    value
}

/// Returns a strategy, as `bouton strategy --json`.
pub fn tree(tree: &Tree) -> Value {
    let nodes: Vec<Value> = tree
        .nodes
        .iter()
        .map(|node| {
            let edges: Vec<Value> = node
                .edges
                .iter()
                .map(|e| json!({"to": e.to, "move": e.label, "by": e.by.numeral(), "diamonds": e.diamonds}))
                .collect();
            let state = match node.state {
                NodeState::Inner => "open",
                NodeState::Over => "over",
                NodeState::Cut => "cut",
            };
            json!({"label": node.label, "position": node.position, "to_move": node.to_move.numeral(), "state": state, "edges": edges})
        })
        .collect();
    json!({
        "game": tree.game,
        "position": tree.position,
        "play": play_word(tree.play),
        "winner": tree.winner.numeral(),
        "cut": tree.cut,
        "drawn": nodes,
    })
}

/// Returns a table, as `bouton heatmap --json`.
pub fn heatmap(heatmap: &Heatmap) -> Value {
    let kind = match heatmap.what {
        CellKind::Outcome => "outcome",
        CellKind::NimValue => "nim-value",
        CellKind::Margin => "margin",
        CellKind::Threshold => "threshold",
    };
    let cell = |cell: &Option<i64>| match (cell, heatmap.what) {
        (None, _) => Value::Null,
        (Some(0), CellKind::Outcome) => "P".into(),
        (Some(_), CellKind::Outcome) => "N".into(),
        (Some(value), _) => (*value).into(),
    };
    let rows: Vec<Vec<Value>> =
        heatmap.cells.chunks(heatmap.columns().max(1)).map(|row| row.iter().map(cell).collect()).collect();
    let mut value = json!({
        "game": heatmap.game,
        "position": heatmap.position,
        "play": play_word(heatmap.play),
        "of": kind,
        "x": [heatmap.x.start(), heatmap.x.end()],
        "y": [heatmap.y.start(), heatmap.y.end()],
        "rows": rows,
    });
    unknown(&mut value, heatmap.spent);
    value
}
