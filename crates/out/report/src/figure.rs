//! Pictures of the results of a study: a slice of the P-positions, a nim-sequence with its period,
//! thresholds, an automaton.

use bouton_core::{self as rules, DotsStructure, GroupKind, LineKind, Outcome, Play};
use bouton_draw::board::{BoardView, MoveValue, scene_with};
use bouton_draw::heatmap::CellKind;
use bouton_draw::move_highlight::changed_part;
use bouton_draw::route::{Route, Step};
use bouton_draw::scene::{Anchor, BoardPart, INK, PAPER, Scene, Shape, Style, text_width};
use bouton_draw::{Heatmap, PeriodTable, Picture};
use bouton_study::{Board, Slice, States};
use bouton_theory::block::{NimSequence, NumberGrid, OutcomeRow};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// A picture with its caption.
pub(crate) struct Figure {
    pub scene: Scene,
    pub caption: String,
}

/// The greatest number of values in a period table.
const MAX_VALUES: usize = 600;
/// The greatest number of states that are drawn.
const MAX_STATES: usize = 24;
/// The distance of two states, and their radius.
const STATE_DISTANCE: f64 = 110.0;
const RADIUS: f64 = 16.0;

/// Draws the slice of a board.
pub(crate) fn slice(game: &str, play: Play, slice: &Slice) -> Figure {
    let [least, most] = slice.range;
    let side = (most - least + 1) as usize;
    let mut sheet = Heatmap {
        game: game.into(),
        position: Some(slice.position.clone()),
        play,
        what: CellKind::Outcome,
        x: least..=most,
        y: if slice.position.contains('y') { least..=most } else { 0..=0 },
        cells: vec![Some(1); if slice.position.contains('y') { side * side } else { side }],
        spent: None,
        absent: Vec::new(),
        marked: None,
    };
    for [x, y] in &slice.p {
        let row = if sheet.y.end() > &0 { (y - least) as usize } else { 0 };
        sheet.cells[row * side + (x - least) as usize] = Some(0);
    }
    let caption = match slice.position.as_str() {
        "x" => format!("Heaps of {least} to {most} tokens: P-positions and N-positions."),
        "x,y" => format!("The positions x,y with heaps of {least} to {most} tokens."),
        at => format!("The positions {at}, x and y from {least} to {most}."),
    };
    Figure { scene: sheet.picture().scene(), caption }
}

/// Returns a nim-sequence in lines as long as its period.
fn period_table(game: &str, found: &NimSequence) -> Figure {
    let period = found.period.as_ref();
    let values: Vec<Option<i64>> =
        found.values.iter().take(MAX_VALUES).map(|value| Some(i64::from(*value))).collect();
    let last = values.len().saturating_sub(1);
    let title = format!("Nim-values of single heaps of {game}");
    let period_table = match period.filter(|p| p.preperiod + p.period <= values.len()) {
        Some(p) => PeriodTable {
            title,
            from: 0,
            values,
            period: p.period,
            saltus: Some(p.saltus.into()),
            shown_by: None,
            outcomes: false,
        },
        None => PeriodTable::fit(title, 0, values, false),
    };
    let caption = match (period, period_table.saltus) {
        (Some(p), Some(_)) if period_table.shown_by.is_none() => format!(
            "Nim-values of heaps 0 to {last}, {} on a line: a column repeats once its exceptions, \
             framed, are past.",
            p.period
        ),
        _ => format!("Nim-values of heaps 0 to {last}, {} on a line.", period_table.period),
    };
    Figure { scene: Picture::PeriodTable(period_table).scene(), caption }
}

pub(crate) fn of_theory(game: &str, picture: bouton_theory::Picture) -> Figure {
    match picture {
        bouton_theory::Picture::Grid(numbers) => grid(game, numbers),
        bouton_theory::Picture::Outcomes(row) => outcomes(game, &row),
        bouton_theory::Picture::Route(way) => route(&way),
        bouton_theory::Picture::NimSequence(sequence) => period_table(game, &sequence),
    }
}

/// Returns the outcomes of a family.
fn outcomes(family: &str, row: &OutcomeRow) -> Figure {
    let OutcomeRow { play, from, outcomes } = row;
    let value = |outcome: &Option<Outcome>| outcome.map(|outcome| i64::from(!outcome.is_p()));
    let title = format!("Outcomes of {family}, {play} play");
    let values = outcomes.iter().map(value).collect();
    let period_table = PeriodTable::fit(title, *from, values, true);
    let caption =
        format!("Outcomes of {family} in {play} play, {} on a line.", period_table.period);
    Figure { scene: Picture::PeriodTable(period_table).scene(), caption }
}

/// Returns a token's way round a circle.
pub(crate) fn route(way: &bouton_theory::block::Route) -> Figure {
    let moves = way.steps.iter().map(|(step, filled)| Step { step: *step, filled: *filled });
    let route = Route { title: way.title.clone(), cells: way.cells, moves: moves.collect() };
    Figure { scene: route.scene(&way.caption), caption: way.caption.clone() }
}

/// Returns numbers by x and y.
fn grid(game: &str, grid: NumberGrid) -> Figure {
    let NumberGrid { most, cells, caption } = grid;
    let sheet = Heatmap {
        game: game.into(),
        position: Some("x,y".into()),
        play: Play::Normal,
        what: CellKind::Threshold,
        x: 0..=most as u64,
        y: 0..=most as u64,
        cells,
        spent: None,
        absent: Vec::new(),
        marked: None,
    };
    Figure { scene: sheet.picture().scene(), caption }
}

/// Draws a position.
pub(crate) fn board(position: &str, board: &rules::Board) -> Figure {
    Figure {
        scene: Picture::Board(position.into(), board.clone()).scene(),
        caption: bouton_draw::board::describe(board),
    }
}

/// Draws a position with its structure.
pub(crate) fn sight(position: &str, board: &rules::Board, sight: &DotsStructure) -> Figure {
    let scene =
        scene_with(position, board, BoardView { sight: Some(sight), ..BoardView::default() });
    let mut sentences = Vec::new();
    for (kind, look) in [
        (GroupKind::Captures, "boxes that can be closed now, yellow"),
        (GroupKind::LongChain, "long chains, green"),
        (GroupKind::Chain, "short chains, grey"),
        (GroupKind::Loop, "loops, violet"),
    ] {
        let lengths: Vec<String> = sight
            .groups
            .iter()
            .filter(|group| group.kind == kind)
            .map(|group| group.boxes.len().to_string())
            .collect();
        if !lengths.is_empty() {
            sentences.push(format!("{look}: {}", lengths.join(", ")));
        }
    }
    let lines = || sight.horizontal.iter().chain(&sight.vertical).flatten();
    for (leads, look) in [
        (LineKind::Closes, "a dot on a line: it closes a box"),
        (LineKind::Safe, "a ring: nothing can be captured after it"),
        (LineKind::Loony, "a cross: loony, it gives away boxes and the last word with them"),
        (LineKind::Gives, "an open line without a sign: it gives away a box or two"),
    ] {
        if lines().any(|line| *line == leads) {
            sentences.push(look.into());
        }
    }
    let caption = format!("As players see it: {}.", sentences.join("; "));
    Figure { scene, caption }
}

/// Draws a position with the values of its moves on lines; `None` if no move is made on a line.
pub(crate) fn move_values_figure(
    position: &str,
    board: &rules::Board,
    moves: &[(rules::Board, i32)],
    best: Option<i32>,
) -> Option<Figure> {
    let values = move_values(board, moves, best);
    if values.is_empty() {
        return None;
    }
    let scene = scene_with(position, board, BoardView { values: &values, ..BoardView::default() });
    let caption = "What each line is worth: the margin of the player who draws it, to the end of \
        the game. Framed in green: it keeps the best margin; orange: it loses up to two boxes by \
        it; red: more.";
    Some(Figure { scene, caption: caption.into() })
}

/// Prints a margin with its sign, the minus as wide as the plus.
fn signed(margin: i32) -> String {
    match margin {
        0 => "0".into(),
        margin => format!("{margin:+}").replace('-', "−"),
    }
}

/// Returns the values of moves, each at the line it is made on, given the boards after them, their
/// margins and the best margin.
pub fn move_values(
    board: &rules::Board,
    moves: &[(rules::Board, i32)],
    best: Option<i32>,
) -> Vec<(BoardPart, MoveValue)> {
    let at = |(to, margin): &(rules::Board, i32)| {
        let part = changed_part(board, to).filter(|part| matches!(part, BoardPart::Line { .. }))?;
        let loss = best.map(|best| (best - margin).unsigned_abs());
        Some((part, MoveValue { text: signed(*margin), loss }))
    };
    moves.iter().filter_map(at).collect()
}

/// Draws the automaton of a form, if it is small enough.
pub(crate) fn automaton(board: &Board) -> Option<Figure> {
    let states = board.confirmed()?.automaton.as_ref()?;
    let can_accept = can_accept(states);
    let drawn: Vec<usize> = (0..states.next.len()).filter(|state| can_accept[*state]).collect();
    if drawn.len() > MAX_STATES || !can_accept[0] {
        return None;
    }
    let heaps = board.heaps;
    let columns: Vec<String> =
        (0..heaps).map(|heap| ((b'a' + heap as u8) as char).to_string()).collect();
    let caption = format!(
        "The automaton reads the {} of {}, the most significant first, beginning in the state \
         with the arrow; P-positions are those after which it is in a state with two circles. A \
         step that is not drawn leads to no P-position.",
        states.digits,
        match columns.len() {
            1 => "the heap".into(),
            _ => format!("({}) side by side", columns.join(", ")),
        }
    );
    Some(Figure { scene: states_scene(states, &drawn, heaps, &caption), caption })
}

/// Returns for each state whether an accepting state is reachable.
fn can_accept(states: &States) -> Vec<bool> {
    let mut can_accept = states.accepts.clone();
    while let Some(new) = (0..can_accept.len())
        .find(|state| !can_accept[*state] && states.next[*state].iter().any(|to| can_accept[*to]))
    {
        can_accept[new] = true;
    }
    can_accept
}

/// Draws states on a circle, with arrows labelled by digits.
fn states_scene(states: &States, drawn: &[usize], heaps: usize, caption: &str) -> Scene {
    let count = drawn.len() as f64;
    let radius = if drawn.len() == 1 {
        0.0
    } else {
        (STATE_DISTANCE / 2.0 / (TAU / 2.0 / count).sin()).max(70.0)
    };
    let (centre, line) = (radius + 90.0, Style::line(INK, 1.2));
    let at = |state: usize| {
        let place = drawn.iter().position(|s| *s == state).unwrap_or(0) as f64;
        let angle = TAU * (place / count - 0.5);
        (centre + radius * angle.cos(), centre + radius * angle.sin(), angle)
    };
    let mut scene = Scene::new("Automaton", caption);
    for &state in drawn {
        let mut labels: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (column, to) in
            states.next[state].iter().enumerate().filter(|(_, to)| drawn.contains(to))
        {
            labels.entry(*to).or_default().push(states.digits.column_text(column, heaps));
        }
        let (x, y, angle) = at(state);
        for (to, digits) in labels {
            let text = digits.join(" ");
            if to == state {
                let (cx, cy) = (x + 1.6 * RADIUS * angle.cos(), y + 1.6 * RADIUS * angle.sin());
                scene.add(Shape::Circle(cx, cy, RADIUS * 0.8), line);
                let away = 2.8 * RADIUS + text_width(&text, 10.0) / 2.0 * angle.cos().abs();
                label(&mut scene, x + away * angle.cos(), y + away * angle.sin(), &text);
                continue;
            }
            let (u, v, _) = at(to);
            let length = (u - x).hypot(v - y);
            let (dx, dy) = ((u - x) / length, (v - y) / length);
            // The arrow back runs beside the line.
            let (ox, oy) = (-dy * 6.0, dx * 6.0);
            let (x1, y1) = (x + dx * RADIUS + ox, y + dy * RADIUS + oy);
            let (x2, y2) = (u - dx * (RADIUS + 2.0) + ox, v - dy * (RADIUS + 2.0) + oy);
            scene.add(Shape::Line(x1, y1, x2, y2), line);
            for side in [-1.0, 1.0] {
                let (px, py) = (x2 - dx * 8.0 - dy * 4.0 * side, y2 - dy * 8.0 + dx * 4.0 * side);
                scene.add(Shape::Line(px, py, x2, y2), line);
            }
            label(&mut scene, x1 + (x2 - x1) * 0.42 + ox, y1 + (y2 - y1) * 0.42 + oy, &text);
        }
    }
    for &state in drawn {
        let (x, y, _) = at(state);
        scene.add(Shape::Circle(x, y, RADIUS), line.filled(PAPER));
        if states.accepts[state] {
            scene.add(Shape::Circle(x, y, RADIUS - 3.0), line.filled(PAPER));
        }
        scene.text(x, y, 12.0, state.to_string(), Anchor::Middle);
    }
    // The arrow to the initial state.
    let (x, y, _) = at(0);
    let (from, to) = (y - 44.0, y - RADIUS - 1.0);
    scene.add(Shape::Line(x, from, x, to), line);
    scene.add(Shape::Line(x - 4.0, to - 8.0, x, to), line);
    scene.add(Shape::Line(x + 4.0, to - 8.0, x, to), line);
    (scene.width, scene.height) = (2.0 * centre, 2.0 * centre);
    scene
}

fn label(scene: &mut Scene, x: f64, y: f64, text: &str) {
    let width = text_width(text, 10.0) + 4.0;
    scene.add(Shape::Box(x - width / 2.0, y - 7.0, width, 14.0, 3.0), Style::fill(PAPER));
    scene.text(x, y, 10.0, text, Anchor::Middle);
}
