//! What was computed, told: one wording for the command line, the page and everything else.

mod cash;
mod conjecture;
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
pub use figure::worths;
pub use logic::{decision, examples};
pub use sequence::{genus, period, quotient};
pub use sources::bibtex;
pub use verdict::{claim, published_game, verdict};

use bouton_core::{LimitReached, Play};
use bouton_draw::Sheet;
use bouton_draw::scene::Scene;
use bouton_draw::sheet::What;
use bouton_draw::tree::{State, Tree};
use bouton_engine::{Analysis, Evaluation, Game, Kind};
use bouton_games::{Catalogue, Family};
use bouton_study::{Answer, Justification, RangeStudy, Study, Verdict, Walk};
use paper::{Block, Paper};
use serde_json::{Value, json};
use std::path::Path;

/// The formats of a report.
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
    /// By the end of a file's name.
    pub fn of(file: &Path) -> Option<Format> {
        match file.extension()?.to_str()? {
            "html" => Some(Format::Html),
            "tex" => Some(Format::Latex),
            "json" => Some(Format::Json),
            _ => None,
        }
    }

    /// What [`Format::of`] knows.
    pub const ENDINGS: &'static str = ".html, .tex or .json";
}

/// A study as data.
pub fn study(study: &Study) -> Value {
    // Plain data whose keys are texts: this does not fail.
    serde_json::to_value(study).unwrap_or_default()
}

/// A study of a game with a parameter as data.
pub fn range_study(study: &RangeStudy) -> Value {
    serde_json::to_value(study).unwrap_or_default()
}

/// A study as a file to keep.
pub fn report(study: &Study, format: Format) -> String {
    match format {
        Format::Html => html::write(&Paper::of(study)),
        Format::Latex => latex::write(&Paper::of(study)),
        Format::Json => format!("{:#}\n", self::study(study)),
    }
}

/// A study of a game with a parameter as a file to keep.
pub fn range_report(study: &RangeStudy, format: Format) -> String {
    match format {
        Format::Html => html::write(&Paper::of_range(study)),
        Format::Latex => latex::write(&Paper::of_range(study)),
        Format::Json => format!("{:#}\n", range_study(study)),
    }
}

/// A study as a part of a page: HTML with MathML and inline pictures, styled by the page.
pub fn article(study: &Study) -> String {
    html::article(&Paper::of(study))
}

/// What a study states, each theorem or conjecture as a paragraph of plain text, in the order of its report.
pub fn statements(study: &Study) -> Vec<String> {
    let blocks = Paper::of(study).blocks;
    let statement = |block: &Block| match block {
        Block::Statement(statement) => Some(statement.words()),
        _ => None,
    };
    blocks.iter().filter_map(statement).collect()
}

/// A game round a circle, drawn and in words.
pub fn walk(walk: &Walk) -> (Scene, String) {
    let figure = figure::walk(walk);
    (figure.scene, figure.caption)
}

/// A position as players see it, drawn and in words; `None` where there is nothing to be seen on its board.
pub fn sight(game: &dyn Game, position: &str) -> Option<(Scene, String)> {
    let (board, sight) = (game.board(position).ok()?, game.sight(position).ok()??);
    let figure = figure::sight(&format!("{} at {position}", game.name()), &board, &sight);
    Some((figure.scene, figure.caption))
}

/// What the lines of a position are worth, drawn and in words; `None` where no move is made on a line, or no margin is known.
pub fn worth(game: &dyn Game, found: &Analysis) -> Option<(Scene, String)> {
    let board = game.board(&found.position).ok()?;
    let title = format!("{} at {}", game.name(), found.position);
    let figure = figure::worth(&title, &board, &found.margins(game), found.evaluation.margin)?;
    Some((figure.scene, figure.caption))
}

/// A convention's name.
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

/// Bounds on the margin, where it is not known itself.
fn bounds(value: &mut Value, evaluation: &Evaluation) {
    if let Some((low, high)) = evaluation.bounds {
        value["bounds"] = json!([low, high]);
    }
}

fn unknown(value: &mut Value, spent: Option<LimitReached>) {
    if let Some(spent) = spent {
        value["reason"] = spent.to_string().into();
    }
}

/// All families, as `bouton games --json`.
pub fn games(catalogue: &Catalogue) -> Value {
    let own = catalogue.own_games();
    own.iter().map(|game| own_game(&**game)).chain(catalogue.families().iter().map(family)).collect()
}

/// A game of the user's.
pub fn own_game(game: &dyn Game) -> Value {
    json!({
        "family": game.name(),
        "notation": game.name(),
        "about": game.describe(),
        "source": "rule file",
        "examples": [],
    })
}

/// One of them.
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

/// A position with its moves, as `bouton solve --json`.
pub fn analysis(game: &dyn Game, play: Play, analysis: &Analysis) -> Value {
    let Analysis { position, evaluation, moves, best_play, remarks, spent, nodes, seconds } = analysis;
    let scored = game.kind() == Kind::Scored;
    let moves: Vec<Value> = moves
        .iter()
        .map(|m| match &m.brings {
            Some(brings) => {
                let mut value = json!({"to": m.to, "move": m.text, "gain": brings.gain, "again": brings.again, "margin": m.evaluation.margin});
                bounds(&mut value, &m.evaluation);
                value
            }
            None => json!({"to": m.to, "outcome": outcome(&m.evaluation), "nim_value": nim_value(&m.evaluation)}),
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
    bounds(&mut value, evaluation);
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

/// An answer, as `bouton solve --json`: an analysis, and what it is known by.
pub fn answer(game: &dyn Game, play: Play, answer: &Answer) -> Value {
    let mut value = analysis(game, play, &answer.analysis);
    let (by, detail) = match &answer.by {
        Justification::Search => ("search", None),
        Justification::Theorem { statement, certificate }
        | Justification::Circles { statement, certificate } => {
            ("theorem", Some((statement.clone(), Some(certificate))))
        }
        Justification::Period { period, preperiod, saltus, certificate } => {
            let statement = period_words(*period, *preperiod, *saltus);
            ("period", Some((statement, Some(certificate))))
        }
        Justification::HeapValues { .. } | Justification::Quotient { .. } => {
            let word =
                if matches!(answer.by, Justification::Quotient { .. }) { "quotient" } else { "values" };
            (word, known_by(&answer.by).map(|statement| (statement, None)))
        }
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

/// A period in words.
fn period_words(period: usize, preperiod: usize, saltus: u32) -> String {
    let saltus = if saltus > 0 { format!(" and saltus {saltus}") } else { String::new() };
    format!("period {period}{saltus} from {preperiod} on")
}

/// What an answer is known by, in a sentence; `None` for a search.
pub fn known_by(by: &Justification) -> Option<String> {
    Some(match by {
        Justification::Search => return None,
        Justification::Theorem { statement, certificate } => {
            format!("by the theorem \u{201c}{statement}\u{201d}, certificate {certificate}")
        }
        Justification::Circles { statement, certificate } => format!(
            "by the theorem \u{201c}{statement}, for every n\u{201d} and the labels of its automata, certificate {certificate}"
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
        Justification::Literature(statement) => format!("by a theorem of the literature: {statement}"),
    })
}

/// P-positions, as `bouton positions --json`.
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
        "positions": list,
    });
    unknown(&mut value, spent);
    value
}

/// A nim-sequence, as `bouton values --json`.
pub fn values(game: &dyn Game, values: &[u32], spent: Option<LimitReached>) -> Value {
    let mut value = json!({"game": game.name(), "from": 0, "values": values});
    unknown(&mut value, spent);
    value
}

/// What became of a claim about P-positions, as `bouton prove --json`; with the file that the certificate went to.
pub fn settled(
    game: &str,
    play: Play,
    claim: &str,
    settled: &Verdict,
    seconds: f64,
    certificate: Option<&str>,
) -> Value {
    let mut value = json!({"game": game, "play": play_word(play), "claim": claim, "seconds": seconds});
    if let (Value::Object(value), Value::Object(more)) = (&mut value, verdict(settled)) {
        value.extend(more);
    }
    if settled.certificate().is_some() {
        value["certificate"] = certificate.into();
    }
    value
}

/// A strategy, as `bouton strategy --json`.
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
                State::Inner => "open",
                State::Over => "over",
                State::Cut => "cut",
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

/// A table, as `bouton heatmap --json`.
pub fn sheet(sheet: &Sheet) -> Value {
    let of = match sheet.what {
        What::Outcome => "outcome",
        What::NimValue => "nim-value",
        What::Margin => "margin",
        What::Threshold => "threshold",
    };
    let cell = |cell: &Option<i64>| match (cell, sheet.what) {
        (None, _) => Value::Null,
        (Some(0), What::Outcome) => "P".into(),
        (Some(_), What::Outcome) => "N".into(),
        (Some(value), _) => (*value).into(),
    };
    let rows: Vec<Vec<Value>> =
        sheet.cells.chunks(sheet.columns().max(1)).map(|row| row.iter().map(cell).collect()).collect();
    let mut value = json!({
        "game": sheet.game,
        "position": sheet.position,
        "play": play_word(sheet.play),
        "of": of,
        "x": [sheet.x.start(), sheet.x.end()],
        "y": [sheet.y.start(), sheet.y.end()],
        "rows": rows,
    });
    unknown(&mut value, sheet.spent);
    value
}
