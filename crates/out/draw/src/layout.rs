//! The layout of trees in layers: a node lies below all its parents, near the middle of its
//! neighbours. A line that crosses a layer has a place of its own there, so that no line runs
//! behind a node.
//!
//! The method is Sugiyama's: the order within a layer is that of the first walk of the tree,
//! improved while crossings decrease; then sweeps pull every place towards its neighbours without
//! changing the order. K. Sugiyama, S. Tagawa, M. Toda, IEEE Trans. SMC 11 (1981) 109–125.

use crate::scene::{ACCENT, Anchor, BoardPart, INK, PAPER, Scene, Shape, Style, text_width};
use crate::tree::{Edge, Node, NodeState, Side, Tree};

/// Half the height of a node, and of a diamond.
const NODE: f64 = 13.0;
const DIAMOND: (f64, f64) = (24.0, 30.0);
/// The height of the note below a node where the game ends or the picture is cut.
const NOTE: f64 = 30.0;
/// The free height between two layers, for lines and their labels.
const LAYER_GAP: f64 = 34.0;
/// The free width between two places of a layer, without and with a label on their lines; and
/// between two lines that cross the layer.
const GAP: f64 = 20.0;
const LABEL_GAP: f64 = 34.0;
const LINE_GAP: f64 = 10.0;
const SIZE: f64 = 13.0;
/// The type size of labels on lines.
const SMALL: f64 = 10.0;
const MARGIN: f64 = 18.0;
const SWEEPS: usize = 40;
/// The greatest number of rounds that improve the order.
const MAX_ROUNDS: usize = 12;

fn node_width(label: &str) -> f64 {
    (text_width(label, SIZE) + 12.0).max(28.0)
}

/// Returns the note below a node where the game ends.
fn end_note(to_move: Side) -> String {
    format!("{} stuck", to_move.numeral())
}

/// A place in a layer: a node, or a line that crosses the layer.
struct LayoutPlace {
    layer: usize,
    width: f64,
    /// The height above and below the middle of the layer.
    up: f64,
    down: f64,
    is_line: bool,
    above: Vec<usize>,
    below: Vec<usize>,
}

/// The layout of a tree.
struct Layout {
    places: Vec<LayoutPlace>,
    /// For every node and edge, the places on the way of the edge, with both ends.
    routes: Vec<Vec<Vec<usize>>>,
    /// The centres of the places.
    at: Vec<(f64, f64)>,
    /// The upper and lower end of every layer; between two layers there are only lines.
    ends: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

/// Returns the layer of every node: the length of the longest way down to it.
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

/// Counts the crossings of lines between adjacent layers.
fn crossings(rows: &[Vec<usize>], places: &[LayoutPlace], order: &[usize]) -> usize {
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

/// Returns an order within the layers that has at most as many crossings as the given one.
fn reduce_crossings(rows: Vec<Vec<usize>>, places: &[LayoutPlace]) -> Vec<Vec<usize>> {
    let mut order = vec![0; places.len()];
    let number = |rows: &[Vec<usize>], order: &mut Vec<usize>| {
        rows.iter().flat_map(|row| row.iter().enumerate()).for_each(|(k, i)| order[*i] = k);
    };
    number(&rows, &mut order);
    let (mut least, mut best, mut rows) = (crossings(&rows, places, &order), rows.clone(), rows);
    for round in 0..MAX_ROUNDS {
        if least == 0 {
            break;
        }
        let down = round % 2 == 0;
        let all: Vec<usize> =
            if down { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for r in all {
            let target = |i: usize, order: &[usize]| {
                let neighbours = if down { &places[i].above } else { &places[i].below };
                let sum: usize = neighbours.iter().map(|j| order[*j]).sum();
                if neighbours.is_empty() {
                    order[i] as f64
                } else {
                    sum as f64 / neighbours.len() as f64
                }
            };
            rows[r].sort_by(|a, b| target(*a, &order).total_cmp(&target(*b, &order)));
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
    let mut places = node_places(tree, &layer);
    let routes = route_edges(tree, &layer, &mut places);
    let rows = reduce_crossings(walked_rows(&places, depth), &places);
    let is_written =
        tree.nodes.iter().flat_map(|node| &node.edges).any(|edge| !edge.label.is_empty());
    let gap = if is_written { LABEL_GAP } else { GAP };
    let x = columns(&rows, gap, &places);
    let left = (0..x.len()).map(|i| x[i] - places[i].width / 2.0).fold(f64::MAX, f64::min);
    let right = (0..x.len()).map(|i| x[i] + places[i].width / 2.0).fold(f64::MIN, f64::max);
    let (mut y, mut middles, mut ends) = (MARGIN, Vec::new(), Vec::new());
    for row in &rows {
        let most = |reach: fn(&LayoutPlace) -> f64| {
            row.iter().map(|i| reach(&places[*i])).fold(NODE, f64::max)
        };
        let middle = y + most(|place| place.up);
        middles.push(middle);
        ends.push((y, middle + most(|place| place.down)));
        y = middle + most(|place| place.down) + LAYER_GAP;
    }
    let at = (0..x.len()).map(|i| (x[i] - left + MARGIN, middles[places[i].layer])).collect();
    Layout {
        places,
        routes,
        at,
        ends,
        width: right - left + 2.0 * MARGIN,
        height: y - LAYER_GAP + MARGIN,
    }
}

/// Returns the places of the nodes, which nothing joins so far.
fn node_places(tree: &Tree, layer: &[usize]) -> Vec<LayoutPlace> {
    let place = |(node, layer): (&Node, &usize)| {
        let (below, width) = match node.state {
            NodeState::Inner => (NODE, 0.0),
            NodeState::Over => (NOTE, text_width(&end_note(node.to_move), SMALL)),
            NodeState::Cut => (NOTE, 0.0),
        };
        LayoutPlace {
            layer: *layer,
            width: node_width(&node.label).max(width),
            up: NODE,
            down: below,
            is_line: false,
            above: Vec::new(),
            below: Vec::new(),
        }
    };
    tree.nodes.iter().zip(layer).map(place).collect()
}

/// Returns the places that each edge passes, by node: one more in every layer between its ends, of
/// which the first may be a diamond. Joins the places along the edges.
fn route_edges(
    tree: &Tree,
    layer: &[usize],
    places: &mut Vec<LayoutPlace>,
) -> Vec<Vec<Vec<usize>>> {
    let mut routes = Vec::with_capacity(tree.nodes.len());
    for (i, node) in tree.nodes.iter().enumerate() {
        let mut of_node = Vec::with_capacity(node.edges.len());
        for edge in &node.edges {
            let mut route = vec![i];
            for passed in layer[i] + 1..layer[edge.to] {
                let diamond = edge.diamonds > 0 && passed == layer[i] + 1;
                let (width, high) =
                    if diamond { (2.0 * DIAMOND.0, DIAMOND.1) } else { (2.0, NODE) };
                route.push(places.len());
                places.push(LayoutPlace {
                    layer: passed,
                    width,
                    up: high,
                    down: high,
                    is_line: !diamond,
                    above: Vec::new(),
                    below: Vec::new(),
                });
            }
            route.push(edge.to);
            for pair in route.windows(2) {
                places[pair[0]].below.push(pair[1]);
                places[pair[1]].above.push(pair[0]);
            }
            of_node.push(route);
        }
        routes.push(of_node);
    }
    routes
}

/// Returns the places of each layer in the order in which a walk from the root meets them.
fn walked_rows(places: &[LayoutPlace], depth: usize) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); depth + 1];
    let (mut visited, mut stack) = (vec![false; places.len()], vec![0]);
    while let Some(i) = stack.pop() {
        if std::mem::replace(&mut visited[i], true) {
            continue;
        }
        rows[places[i].layer].push(i);
        stack.extend(places[i].below.iter().rev());
    }
    rows
}

/// Returns how far to the right each place lies: sweeps down and up move each to the mean of its
/// neighbours.
fn columns(rows: &[Vec<usize>], gap: f64, places: &[LayoutPlace]) -> Vec<f64> {
    let mut x = vec![0.0; places.len()];
    for row in rows {
        spread(row, gap, places, &mut x, |_| 0.0);
    }
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let order: Vec<usize> =
            if down { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for r in order {
            let old = x.clone();
            spread(&rows[r], gap, places, &mut x, |i| {
                let neighbours = || places[i].above.iter().chain(&places[i].below);
                let count = neighbours().count();
                if count == 0 {
                    old[i]
                } else {
                    neighbours().map(|j| old[*j]).sum::<f64>() / count as f64
                }
            });
        }
    }
    x
}

/// Moves the places of a row towards their wanted positions, keeping order and distances: the mean
/// of the arrangement pushed from the left and the one pushed from the right.
fn spread(
    row: &[usize],
    gap: f64,
    places: &[LayoutPlace],
    x: &mut [f64],
    target: impl Fn(usize) -> f64,
) {
    let apart = |a: usize, b: usize| {
        let gap = if places[a].is_line && places[b].is_line { LINE_GAP } else { gap };
        (places[a].width + places[b].width) / 2.0 + gap
    };
    let target: Vec<f64> = row.iter().map(|i| target(*i)).collect();
    let mut from_left = target.clone();
    for k in 1..row.len() {
        from_left[k] = from_left[k].max(from_left[k - 1] + apart(row[k - 1], row[k]));
    }
    let mut from_right = target;
    for k in (1..row.len()).rev() {
        from_right[k - 1] = from_right[k - 1].min(from_right[k] - apart(row[k - 1], row[k]));
    }
    for (k, i) in row.iter().enumerate() {
        x[*i] = (from_left[k] + from_right[k]) / 2.0;
    }
}

/// A straight segment of a line, from above to below.
type Segment = ((f64, f64), (f64, f64));

/// A rectangle: left, top, right, bottom.
type Rectangle = (f64, f64, f64, f64);

/// Returns whether a segment meets a rectangle.
fn intersects(&((x1, y1), (x2, y2)): &Segment, &(left, top, right, bottom): &Rectangle) -> bool {
    let (from, to) = (y1.max(top), y2.min(bottom));
    if from > to {
        return false;
    }
    let x = |y: f64| if y2 > y1 { x1 + (x2 - x1) * (y - y1) / (y2 - y1) } else { x1 };
    x(from).min(x(to)) <= right && x(from).max(x(to)) >= left
}

/// Returns the place of a label beside its line, clear of other labels and lines as far as
/// possible: the position for [`Scene::text`], and the rectangle.
fn label_place(
    piece: Segment,
    label: &str,
    left_first: bool,
    lines: &[Segment],
    taken: &[Rectangle],
) -> (f64, f64, Anchor, Rectangle) {
    let ((x1, y1), (x2, y2)) = piece;
    // The distance from the line itself, which may be far from upright.
    let clear = 3.0 + (0.5 * SMALL * (x2 - x1).abs() / (y2 - y1).max(1.0)).min(SMALL);
    let width = text_width(label, SMALL);
    let mut best: Option<(usize, (f64, f64, Anchor, Rectangle))> = None;
    for t in [0.5, 0.65, 0.35, 0.8, 0.2] {
        let (x, y) = (x1 + t * (x2 - x1), y1 + t * (y2 - y1));
        for left in [left_first, !left_first] {
            let (x, anchor, from) = if left {
                (x - clear, Anchor::End, x - clear - width)
            } else {
                (x + clear, Anchor::Start, x + clear)
            };
            // Typefaces differ slightly in width.
            let area = (from - 2.0, y - 0.5 * SMALL, from + width + 2.0, y + 0.5 * SMALL);
            let apart = |other: &Rectangle| {
                area.2 < other.0 || other.2 < area.0 || area.3 < other.1 || other.3 < area.1
            };
            let written = taken.iter().filter(|other| !apart(other)).count();
            let crossed = lines.iter().filter(|line| intersects(line, &area)).count();
            let cost = 2 * written + crossed;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, (x, y, anchor, area)));
            }
        }
    }
    best.map_or((x1, y1, Anchor::Start, (x1, y1, x1, y1)), |(_, found)| found)
}

/// Lays out a tree.
pub(crate) fn scene(tree: &Tree) -> Scene {
    let layout = place(tree);
    let mut scene = Scene::new(tree.title(), tree.description());
    let note = "solid: Player I, dashed: Player II";
    scene.width = layout.width.max(text_width(note, 11.0) + 2.0 * MARGIN);
    scene.height = layout.height + 22.0;
    let shift = (scene.width - layout.width) / 2.0;
    let at = |i: usize| (layout.at[i].0 + shift, layout.at[i].1);
    // A line leaves a place at its foot and reaches the next at its head; within a layer it is
    // upright.
    let head = |i: usize| at(i).1 - layout.places[i].up;
    let foot = |i: usize| at(i).1 + if i < tree.nodes.len() { NODE } else { layout.places[i].down };
    let end = |i: usize| layout.ends[layout.places[i].layer];
    let dashed = |side: Side| side == Side::Second;
    // The player who moves into a node; the root counts as marked before the first move.
    let mut into = vec![Side::First; tree.nodes.len()];
    let mut parents = vec![0; tree.nodes.len()];
    tree.nodes.iter().flat_map(|node| &node.edges).for_each(|edge| parents[edge.to] += 1);
    // For the space below each layer: the lines, and the rectangles of labels.
    let deepest = layout.places.iter().map(|place| place.layer).max().unwrap_or(0);
    let mut lines: Vec<Vec<Segment>> = vec![Vec::new(); deepest + 1];
    let mut writings: Vec<(Segment, &Edge, bool, usize)> = Vec::new();
    for (node, routes) in tree.nodes.iter().zip(&layout.routes) {
        for (edge, route) in node.edges.iter().zip(routes) {
            into[edge.to] = if edge.diamonds > 0 { edge.by.other() } else { edge.by };
            let ink = Style::line(INK, 1.4).dashed(dashed(edge.by) && edge.diamonds == 0);
            for (k, pair) in route.windows(2).enumerate() {
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
                    // Labels lie outside of the fork that the line belongs to.
                    let (forks, joins) = (node.edges.len() > 1, parents[edge.to] > 1);
                    let left = if joins && !forks { x1 < x2 } else { x2 < x1 };
                    writings.push((piece, edge, left, layer));
                }
            }
            for (k, i) in route.iter().enumerate().take(route.len() - 1).skip(1) {
                let (x, y) = at(*i);
                if k > 1 || edge.diamonds == 0 {
                    scene.add(Shape::Line(x, head(*i), x, foot(*i)), ink);
                    continue;
                }
                for (side, sign) in [(edge.by, -1.0), (edge.by.other(), 1.0)] {
                    for across in [-DIAMOND.0, DIAMOND.0] {
                        let ink = Style::line(INK, 1.4).dashed(dashed(side));
                        scene.add(Shape::Line(x, y + sign * DIAMOND.1, x + across, y), ink);
                    }
                }
                scene.text(x, y, 12.0, format!("×{}", edge.diamonds), Anchor::Middle);
            }
        }
    }
    let mut taken: Vec<Vec<Rectangle>> = vec![Vec::new(); deepest + 1];
    for (piece, edge, left, layer) in writings {
        let (x, y, anchor, area) =
            label_place(piece, &edge.label, left, &lines[layer], &taken[layer]);
        taken[layer].push(area);
        scene.text(x, y, SMALL, &edge.label, anchor);
    }
    for (i, node) in tree.nodes.iter().enumerate() {
        let ((x, y), w) = (at(i), node_width(&node.label));
        let ink = Style::line(INK, 1.4).filled(PAPER).dashed(dashed(into[i]));
        let part = BoardPart::Node(i);
        scene.add_part(part, Shape::Box(x - w / 2.0, y - NODE, w, 2.0 * NODE, NODE), ink);
        scene.add_part(
            part,
            Shape::Text(x, y, SIZE, node.label.clone(), Anchor::Middle),
            Style::fill(INK),
        );
        match node.state {
            NodeState::Inner => {}
            NodeState::Over => {
                scene.text(x, y + 22.0, SMALL, end_note(node.to_move), Anchor::Middle)
            }
            NodeState::Cut => {
                let dots = Shape::Text(x, y + 20.0, 14.0, "…".into(), Anchor::Middle);
                scene.add(dots, Style::fill(ACCENT));
            }
        }
    }
    let cut =
        if tree.cut > 0 { format!("; …: cut at {} positions", tree.cut) } else { String::new() };
    scene.text(MARGIN, scene.height - 12.0, 11.0, format!("{note}{cut}"), Anchor::Start);
    scene.width = scene.width.max(text_width(&format!("{note}{cut}"), 11.0) + 2.0 * MARGIN);
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::TreeLimits;
    use bouton_engine::game::Settings;

    /// No line meets a foreign node, and no label meets another.
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
            let tree =
                Tree::build(&*named.game, &at, Settings::default(), TreeLimits::default()).unwrap();
            let layout = place(&tree);
            let place = |i: usize| (layout.at[i], &layout.places[i]);
            for route in layout.routes.iter().flatten() {
                for pair in route.windows(2) {
                    let ((x1, y1), upper) = place(pair[0]);
                    let ((x2, y2), lower) = place(pair[1]);
                    assert_eq!(upper.layer + 1, lower.layer);
                    let (bottom, top) = (layout.ends[upper.layer].1, layout.ends[lower.layer].0);
                    let pieces = [
                        ((x1, y1), (x1, bottom)),
                        ((x1, bottom), (x2, top)),
                        ((x2, top), (x2, y2)),
                    ];
                    // Nodes, diamonds and the notes below nodes.
                    let solid = |i: &usize| !pair.contains(i) && !layout.places[*i].is_line;
                    for i in (0..layout.places.len()).filter(solid) {
                        let ((x, y), node) = place(i);
                        let half = node.width / 2.0;
                        let area = (x - half, y - node.up + 0.1, x + half, y + node.down - 0.1);
                        assert!(
                            pieces.iter().all(|piece| !intersects(piece, &area)),
                            "{game}: a line behind {i}"
                        );
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
                assert!(
                    ends.windows(2).all(|pair| pair[0].1 < pair[1].0),
                    "{game}: places overlap"
                );
            }
        }
    }

    /// Labels keep clear of each other if there is room.
    #[test]
    fn labels_make_room_for_each_other() {
        let piece = ((0.0, 0.0), (0.0, 34.0));
        let mut taken = Vec::new();
        for _ in 0..4 {
            let (.., area) = label_place(piece, "+1", true, &[piece], &taken);
            let apart = |other: &Rectangle| {
                area.2 < other.0 || other.2 < area.0 || area.3 < other.1 || other.3 < area.1
            };
            assert!(taken.iter().all(apart) && !intersects(&piece, &area));
            taken.push(area);
        }
    }
}
