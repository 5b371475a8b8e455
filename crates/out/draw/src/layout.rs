//! Trees laid out: a node below all nodes that lead to it, in layers, each near the middle of its neighbours. A line that
//! passes by a layer has a place of its own there, so that no line runs behind a node.
//!
//! The idea is Sugiyama's: order within a layer as the tree is first walked, bettered while there are fewer crossings, then
//! sweeps that pull every place towards its neighbours without changing the order. K. Sugiyama, S. Tagawa, M. Toda, IEEE
//! Trans. SMC 11 (1981) 109–125.

use crate::scene::{ACCENT, Anchor, INK, Ink, PAPER, Part, Scene, Shape, text_width};
use crate::tree::{Edge, Side, State, Tree};

/// Half the height of a node, and of a diamond.
const NODE: f64 = 13.0;
const DIAMOND: (f64, f64) = (24.0, 30.0);
/// What stands below a node where play ends or the picture is cut.
const NOTE: f64 = 30.0;
/// Free height between two layers, for lines and what is written on them.
const BAND: f64 = 34.0;
/// Free width between two places of a layer, where nothing and where something is written on lines; and between two lines
/// that pass by it.
const GAP: f64 = 20.0;
const WRITTEN_GAP: f64 = 34.0;
const LINE_GAP: f64 = 10.0;
const SIZE: f64 = 13.0;
/// The size of what is written on a line.
const SMALL: f64 = 10.0;
const MARGIN: f64 = 18.0;
const SWEEPS: usize = 40;
/// Rounds of bettering the order.
const ROUNDS: usize = 12;

fn node_width(label: &str) -> f64 {
    (text_width(label, SIZE) + 12.0).max(28.0)
}

/// What is said of a node where play ends.
fn stuck(to_move: Side) -> String {
    format!("{} stuck", to_move.numeral())
}

/// A place in a layer: a node, or a line on its way.
struct Place {
    layer: usize,
    width: f64,
    /// How far it reaches up and down from the middle of its layer.
    up: f64,
    down: f64,
    is_line: bool,
    above: Vec<usize>,
    below: Vec<usize>,
}

/// A tree laid out.
struct Layout {
    places: Vec<Place>,
    /// Of every node's every edge the places that it passes, its ends among them.
    ways: Vec<Vec<Vec<usize>>>,
    /// Centres of the places.
    at: Vec<(f64, f64)>,
    /// Of every layer its upper and its lower end; between two layers there are lines alone.
    ends: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

/// The layer of every node: as many steps as the longest way down to it takes.
fn layers(tree: &Tree) -> Vec<usize> {
    let n = tree.nodes.len();
    let mut missing = vec![0usize; n];
    tree.nodes.iter().flat_map(|node| &node.edges).for_each(|edge| missing[edge.to] += 1);
    let mut layer = vec![0; n];
    let mut ready: Vec<usize> = (0..n).filter(|i| missing[*i] == 0).collect();
    while let Some(i) = ready.pop() {
        for edge in &tree.nodes[i].edges {
            let step = if edge.diamonds > 0 { 2 } else { 1 };
            layer[edge.to] = layer[edge.to].max(layer[i] + step);
            missing[edge.to] -= 1;
            if missing[edge.to] == 0 {
                ready.push(edge.to);
            }
        }
    }
    layer
}

/// Lines from one layer to the next that cross.
fn crossings(rows: &[Vec<usize>], places: &[Place], order: &[usize]) -> usize {
    let mut count = 0;
    for row in rows {
        let mut ends: Vec<usize> = Vec::new();
        for i in row {
            let mut below: Vec<usize> = places[*i].below.iter().map(|j| order[*j]).collect();
            below.sort_unstable();
            for end in &below {
                count += ends.len() - ends.partition_point(|other| other <= end);
            }
            for end in below {
                ends.insert(ends.partition_point(|other| *other <= end), end);
            }
        }
    }
    count
}

/// The order within the layers: the given one, or one with fewer crossings.
fn ordered(rows: Vec<Vec<usize>>, places: &[Place]) -> Vec<Vec<usize>> {
    let mut order = vec![0; places.len()];
    let number = |rows: &[Vec<usize>], order: &mut Vec<usize>| {
        rows.iter().flat_map(|row| row.iter().enumerate()).for_each(|(k, i)| order[*i] = k);
    };
    number(&rows, &mut order);
    let (mut least, mut best, mut rows) = (crossings(&rows, places, &order), rows.clone(), rows);
    for round in 0..ROUNDS {
        if least == 0 {
            break;
        }
        let down = round % 2 == 0;
        let all: Vec<usize> = if down { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for r in all {
            let wanted = |i: usize, order: &[usize]| {
                let near = if down { &places[i].above } else { &places[i].below };
                let sum: usize = near.iter().map(|j| order[*j]).sum();
                if near.is_empty() { order[i] as f64 } else { sum as f64 / near.len() as f64 }
            };
            rows[r].sort_by(|a, b| wanted(*a, &order).total_cmp(&wanted(*b, &order)));
            rows[r].iter().enumerate().for_each(|(k, i)| order[*i] = k);
        }
        let count = crossings(&rows, places, &order);
        if count < least {
            (least, best) = (count, rows.clone());
        }
    }
    best
}

fn place(tree: &Tree) -> Layout {
    let layer = layers(tree);
    let depth = layer.iter().copied().max().unwrap_or(0);
    let mut places: Vec<Place> = Vec::with_capacity(tree.nodes.len());
    for (node, layer) in tree.nodes.iter().zip(&layer) {
        let (below, width) = match node.state {
            State::Inner => (NODE, 0.0),
            State::Over => (NOTE, text_width(&stuck(node.to_move), SMALL)),
            State::Cut => (NOTE, 0.0),
        };
        places.push(Place {
            layer: *layer,
            width: node_width(&node.label).max(width),
            up: NODE,
            down: below,
            is_line: false,
            above: Vec::new(),
            below: Vec::new(),
        });
    }
    let mut ways: Vec<Vec<Vec<usize>>> = Vec::with_capacity(tree.nodes.len());
    for (i, node) in tree.nodes.iter().enumerate() {
        let mut of_node = Vec::with_capacity(node.edges.len());
        for edge in &node.edges {
            let mut way = vec![i];
            for passed in layer[i] + 1..layer[edge.to] {
                let diamond = edge.diamonds > 0 && passed == layer[i] + 1;
                let (width, high) = if diamond { (2.0 * DIAMOND.0, DIAMOND.1) } else { (2.0, NODE) };
                way.push(places.len());
                places.push(Place {
                    layer: passed,
                    width,
                    up: high,
                    down: high,
                    is_line: !diamond,
                    above: Vec::new(),
                    below: Vec::new(),
                });
            }
            way.push(edge.to);
            for pair in way.windows(2) {
                places[pair[0]].below.push(pair[1]);
                places[pair[1]].above.push(pair[0]);
            }
            of_node.push(way);
        }
        ways.push(of_node);
    }
    // The order of the first walk.
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); depth + 1];
    let (mut seen, mut stack) = (vec![false; places.len()], vec![0]);
    while let Some(i) = stack.pop() {
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        rows[places[i].layer].push(i);
        stack.extend(places[i].below.iter().rev());
    }
    let rows = ordered(rows, &places);
    let is_written = tree.nodes.iter().flat_map(|node| &node.edges).any(|edge| !edge.label.is_empty());
    let gap = if is_written { WRITTEN_GAP } else { GAP };
    let mut x = vec![0.0; places.len()];
    for row in &rows {
        spread(row, gap, &places, &mut x, |_| 0.0);
    }
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let order: Vec<usize> = if down { (0..=depth).collect() } else { (0..=depth).rev().collect() };
        for r in order {
            let old = x.clone();
            spread(&rows[r], gap, &places, &mut x, |i| {
                let near = || places[i].above.iter().chain(&places[i].below);
                let count = near().count();
                if count == 0 { old[i] } else { near().map(|j| old[*j]).sum::<f64>() / count as f64 }
            });
        }
    }
    let left = (0..x.len()).map(|i| x[i] - places[i].width / 2.0).fold(f64::MAX, f64::min);
    let right = (0..x.len()).map(|i| x[i] + places[i].width / 2.0).fold(f64::MIN, f64::max);
    let (mut y, mut middles, mut ends) = (MARGIN, Vec::new(), Vec::new());
    for row in &rows {
        let most = |reach: fn(&Place) -> f64| row.iter().map(|i| reach(&places[*i])).fold(NODE, f64::max);
        let middle = y + most(|place| place.up);
        middles.push(middle);
        ends.push((y, middle + most(|place| place.down)));
        y = middle + most(|place| place.down) + BAND;
    }
    let at = (0..x.len()).map(|i| (x[i] - left + MARGIN, middles[places[i].layer])).collect();
    Layout { places, ways, at, ends, width: right - left + 2.0 * MARGIN, height: y - BAND + MARGIN }
}

/// Puts the places of a row where they want to be, order and distances kept: the middle of the arrangement pushed from the
/// left and the one pushed from the right.
fn spread(row: &[usize], gap: f64, places: &[Place], x: &mut [f64], wanted: impl Fn(usize) -> f64) {
    let apart = |a: usize, b: usize| {
        let gap = if places[a].is_line && places[b].is_line { LINE_GAP } else { gap };
        (places[a].width + places[b].width) / 2.0 + gap
    };
    let wanted: Vec<f64> = row.iter().map(|i| wanted(*i)).collect();
    let mut from_left = wanted.clone();
    for k in 1..row.len() {
        from_left[k] = from_left[k].max(from_left[k - 1] + apart(row[k - 1], row[k]));
    }
    let mut from_right = wanted;
    for k in (1..row.len()).rev() {
        from_right[k - 1] = from_right[k - 1].min(from_right[k] - apart(row[k - 1], row[k]));
    }
    for (k, i) in row.iter().enumerate() {
        x[*i] = (from_left[k] + from_right[k]) / 2.0;
    }
}

/// A straight piece of a line, from above to below.
type Piece = ((f64, f64), (f64, f64));

/// A piece of paper: left, top, right, bottom.
type Area = (f64, f64, f64, f64);

/// Whether a line and an area meet.
fn meet(&((x1, y1), (x2, y2)): &Piece, &(left, top, right, bottom): &Area) -> bool {
    let (from, to) = (y1.max(top), y2.min(bottom));
    if from > to {
        return false;
    }
    let x = |y: f64| if y2 > y1 { x1 + (x2 - x1) * (y - y1) / (y2 - y1) } else { x1 };
    x(from).min(x(to)) <= right && x(from).max(x(to)) >= left
}

/// Where the writing on a line stands: beside it, clear of other writing and of other lines as far as may be. Its place as
/// [`Scene::text`] takes it, and its area.
fn beside(
    piece: Piece,
    label: &str,
    left_first: bool,
    lines: &[Piece],
    taken: &[Area],
) -> (f64, f64, Anchor, Area) {
    let ((x1, y1), (x2, y2)) = piece;
    // Clear of the line itself, which may be far from upright.
    let clear = 3.0 + (0.5 * SMALL * (x2 - x1).abs() / (y2 - y1).max(1.0)).min(SMALL);
    let width = text_width(label, SMALL);
    let mut best: Option<(usize, (f64, f64, Anchor, Area))> = None;
    for t in [0.5, 0.65, 0.35, 0.8, 0.2] {
        let (x, y) = (x1 + t * (x2 - x1), y1 + t * (y2 - y1));
        for left in [left_first, !left_first] {
            let (x, anchor, from) = if left {
                (x - clear, Anchor::End, x - clear - width)
            } else {
                (x + clear, Anchor::Start, x + clear)
            };
            // Typefaces differ a little in width.
            let area = (from - 2.0, y - 0.5 * SMALL, from + width + 2.0, y + 0.5 * SMALL);
            let apart =
                |other: &Area| area.2 < other.0 || other.2 < area.0 || area.3 < other.1 || other.3 < area.1;
            let written = taken.iter().filter(|other| !apart(other)).count();
            let crossed = lines.iter().filter(|line| meet(line, &area)).count();
            let cost = 2 * written + crossed;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, (x, y, anchor, area)));
            }
        }
    }
    best.map_or((x1, y1, Anchor::Start, (x1, y1, x1, y1)), |(_, found)| found)
}

/// The tree laid out.
pub(crate) fn scene(tree: &Tree) -> Scene {
    let layout = place(tree);
    let mut scene = Scene::new(tree.title(), tree.description());
    let note = "solid: Player I, dashed: Player II";
    scene.width = layout.width.max(text_width(note, 11.0) + 2.0 * MARGIN);
    scene.height = layout.height + 22.0;
    let shift = (scene.width - layout.width) / 2.0;
    let at = |i: usize| (layout.at[i].0 + shift, layout.at[i].1);
    // Lines leave a place at its foot and reach the next at its head, upright as far as its layer goes.
    let head = |i: usize| at(i).1 - layout.places[i].up;
    let foot = |i: usize| at(i).1 + if i < tree.nodes.len() { NODE } else { layout.places[i].down };
    let end = |i: usize| layout.ends[layout.places[i].layer];
    let dashed = |side: Side| side == Side::Second;
    // Who moved into a node; the root was marked before the first move.
    let mut into = vec![Side::First; tree.nodes.len()];
    let mut ways_in = vec![0; tree.nodes.len()];
    tree.nodes.iter().flat_map(|node| &node.edges).for_each(|edge| ways_in[edge.to] += 1);
    // Below each layer: the lines, and the areas with writing.
    let deepest = layout.places.iter().map(|place| place.layer).max().unwrap_or(0);
    let mut lines: Vec<Vec<Piece>> = vec![Vec::new(); deepest + 1];
    let mut writings: Vec<(Piece, &Edge, bool, usize)> = Vec::new();
    for (node, ways) in tree.nodes.iter().zip(&layout.ways) {
        for (edge, way) in node.edges.iter().zip(ways) {
            into[edge.to] = if edge.diamonds > 0 { edge.by.other() } else { edge.by };
            let ink = Ink::line(INK, 1.4).dashed(dashed(edge.by) && edge.diamonds == 0);
            for (k, pair) in way.windows(2).enumerate() {
                let (x1, y1) = (at(pair[0]).0, end(pair[0]).1);
                let (x2, y2) = (at(pair[1]).0, end(pair[1]).0);
                let piece = ((x1, y1), (x2, y2));
                let layer = layout.places[pair[0]].layer;
                lines[layer].push(piece);
                for (x, from, to) in [(x1, foot(pair[0]), y1), (x2, y2, head(pair[1]))] {
                    if to > from {
                        scene.add(Shape::Line(x, from, x, to), ink);
                    }
                }
                scene.add(Shape::Line(x1, y1, x2, y2), ink);
                if k == 0 && edge.diamonds == 0 && !edge.label.is_empty() {
                    // Outside of the fork that the line is part of.
                    let (forks, joins) = (node.edges.len() > 1, ways_in[edge.to] > 1);
                    let left = if joins && !forks { x1 < x2 } else { x2 < x1 };
                    writings.push((piece, edge, left, layer));
                }
            }
            for (k, i) in way.iter().enumerate().take(way.len() - 1).skip(1) {
                let (x, y) = at(*i);
                if k > 1 || edge.diamonds == 0 {
                    scene.add(Shape::Line(x, head(*i), x, foot(*i)), ink);
                    continue;
                }
                for (side, sign) in [(edge.by, -1.0), (edge.by.other(), 1.0)] {
                    for across in [-DIAMOND.0, DIAMOND.0] {
                        let ink = Ink::line(INK, 1.4).dashed(dashed(side));
                        scene.add(Shape::Line(x, y + sign * DIAMOND.1, x + across, y), ink);
                    }
                }
                scene.text(x, y, 12.0, format!("×{}", edge.diamonds), Anchor::Middle);
            }
        }
    }
    let mut taken: Vec<Vec<Area>> = vec![Vec::new(); deepest + 1];
    for (piece, edge, left, layer) in writings {
        let (x, y, anchor, area) = beside(piece, &edge.label, left, &lines[layer], &taken[layer]);
        taken[layer].push(area);
        scene.text(x, y, SMALL, &edge.label, anchor);
    }
    for (i, node) in tree.nodes.iter().enumerate() {
        let ((x, y), w) = (at(i), node_width(&node.label));
        let ink = Ink::line(INK, 1.4).filled(PAPER).dashed(dashed(into[i]));
        let part = Part::Node(i);
        scene.add_part(part, Shape::Box(x - w / 2.0, y - NODE, w, 2.0 * NODE, NODE), ink);
        scene.add_part(part, Shape::Text(x, y, SIZE, node.label.clone(), Anchor::Middle), Ink::fill(INK));
        match node.state {
            State::Inner => {}
            State::Over => scene.text(x, y + 22.0, SMALL, stuck(node.to_move), Anchor::Middle),
            State::Cut => {
                let dots = Shape::Text(x, y + 20.0, 14.0, "…".into(), Anchor::Middle);
                scene.add(dots, Ink::fill(ACCENT));
            }
        }
    }
    let cut = if tree.cut > 0 { format!("; …: cut at {} positions", tree.cut) } else { String::new() };
    scene.text(MARGIN, scene.height - 12.0, 11.0, format!("{note}{cut}"), Anchor::Start);
    scene.width = scene.width.max(text_width(&format!("{note}{cut}"), 11.0) + 2.0 * MARGIN);
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::TreeLimits;
    use bouton_engine::game::Settings;

    /// No line meets a node that is not its own, and no writing another.
    #[test]
    fn nothing_is_hidden() {
        for game in [
            "nim:1,2,3",
            "nim:2,3,4",
            "Gamma(1,4;13)",
            "Gamma(1,4;26)",
            "Gamma(1,2;7)",
            "CN(3,2):1,2,2",
            "kayles:7",
            "dots(1x2)",
        ] {
            let named = bouton_games::parse(game).unwrap();
            let at = named.position.or_else(|| named.game.start()).unwrap();
            let tree = Tree::grow(&*named.game, &at, Settings::default(), TreeLimits::default()).unwrap();
            let layout = place(&tree);
            let place = |i: usize| (layout.at[i], &layout.places[i]);
            for way in layout.ways.iter().flatten() {
                for pair in way.windows(2) {
                    let ((x1, y1), upper) = place(pair[0]);
                    let ((x2, y2), lower) = place(pair[1]);
                    assert_eq!(upper.layer + 1, lower.layer);
                    let (bottom, top) = (layout.ends[upper.layer].1, layout.ends[lower.layer].0);
                    let pieces = [((x1, y1), (x1, bottom)), ((x1, bottom), (x2, top)), ((x2, top), (x2, y2))];
                    // Nodes, diamonds and what is written below a node.
                    let solid = |i: &usize| !pair.contains(i) && !layout.places[*i].is_line;
                    for i in (0..layout.places.len()).filter(solid) {
                        let ((x, y), node) = place(i);
                        let half = node.width / 2.0;
                        let area = (x - half, y - node.up + 0.1, x + half, y + node.down - 0.1);
                        assert!(pieces.iter().all(|piece| !meet(piece, &area)), "{game}: a line behind {i}");
                    }
                }
            }
            for row in 0..=layout.places.iter().map(|place| place.layer).max().unwrap() {
                let mut ends: Vec<(f64, f64)> = (0..layout.places.len())
                    .filter(|i| layout.places[*i].layer == row)
                    .map(|i| {
                        (
                            layout.at[i].0 - layout.places[i].width / 2.0,
                            layout.at[i].0 + layout.places[i].width / 2.0,
                        )
                    })
                    .collect();
                ends.sort_by(|a, b| a.0.total_cmp(&b.0));
                assert!(ends.windows(2).all(|pair| pair[0].1 < pair[1].0), "{game}: places overlap");
            }
        }
    }

    /// Writing keeps clear of writing where there is room.
    #[test]
    fn labels_make_room_for_each_other() {
        let piece = ((0.0, 0.0), (0.0, 34.0));
        let mut taken = Vec::new();
        for _ in 0..4 {
            let (.., area) = beside(piece, "+1", true, &[piece], &taken);
            let apart =
                |other: &Area| area.2 < other.0 || other.2 < area.0 || area.3 < other.1 || other.3 < area.1;
            assert!(taken.iter().all(apart) && !meet(&piece, &area));
            taken.push(area);
        }
    }
}
