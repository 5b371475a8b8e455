//! Graphs: nodes as discs, edges as lines, a ground below them or levels above each other.

use crate::board::BoardView;
use crate::scene::{
    ACCENT, Anchor, BAD, BoardPart, Colour, INK, PAPER, SPENT, Scene, Shape, Style, TOKEN, WASH,
};
use bouton_core::{Board, EdgeKind, GraphBoard, GraphStand};
use std::collections::VecDeque;
use std::f64::consts::TAU;

/// The radius of a node.
const NODE: f64 = 17.0;
/// The radius of what takes the touch on a board for fingers: 44 pixels on a telephone.
const TOUCH: f64 = 23.0;
/// The least width of a graph.
const WIDTH: f64 = 320.0;
/// The greatest number of nodes that are placed by their distances.
const PLACED: usize = 60;

/// Describes a graph in words.
pub(crate) fn describe(graph: &GraphBoard) -> String {
    let name = |node: usize| graph.nodes.get(node).map_or("?", String::as_str);
    let ground = match graph.stand {
        GraphStand::Ground(ground) => Some(ground),
        _ => None,
    };
    let edges: Vec<String> = graph
        .edges
        .iter()
        .map(|edge| {
            let [a, b] =
                edge.ends.map(|end| if ground == Some(end) { "the ground" } else { name(end) });
            match edge.kind {
                EdgeKind::Plain => format!("{a} – {b}"),
                EdgeKind::Arc => format!("{a} → {b}"),
                EdgeKind::Left => format!("{a} – {b} (Left)"),
                EdgeKind::Right => format!("{a} – {b} (Right)"),
            }
        })
        .collect();
    let count = graph.nodes.len() - usize::from(ground.is_some());
    let nodes = if count == 1 { "1 node".to_owned() } else { format!("{count} nodes") };
    let edges =
        if edges.is_empty() { "no edge".into() } else { format!("edges {}", edges.join(", ")) };
    let token =
        graph.token.map_or(String::new(), |token| format!(" The token is on {}.", name(token)));
    format!("A graph of {nodes}; {edges}.{token}")
}

/// Returns the neighbours of each node.
fn neighbours(graph: &GraphBoard) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        let [a, b] = edge.ends;
        if a != b {
            all[a].push(b);
            all[b].push(a);
        }
    }
    all
}

/// Returns the distances from a node, in edges.
fn distances(all: &[Vec<usize>], from: usize) -> Vec<Option<u32>> {
    let mut found = vec![None; all.len()];
    found[from] = Some(0);
    let mut open = VecDeque::from([(from, 0)]);
    while let Some((node, far)) = open.pop_front() {
        for next in &all[node] {
            if found[*next].is_none() {
                found[*next] = Some(far + 1);
                open.push_back((*next, far + 1));
            }
        }
    }
    found
}

/// Returns the places of the nodes, one unit for an edge.
fn places(graph: &GraphBoard) -> Vec<(f64, f64)> {
    match graph.stand {
        GraphStand::Free => by_distances(graph),
        GraphStand::Ground(ground) => {
            let levels = distances(&neighbours(graph), ground);
            by_levels(graph, &levels.iter().map(|level| level.unwrap_or(1)).collect::<Vec<_>>())
        }
        GraphStand::Levels => {
            // The longest way up to each node.
            let mut levels = vec![0; graph.nodes.len()];
            for _ in 0..graph.nodes.len() {
                for edge in &graph.edges {
                    let [low, high] = edge.ends;
                    levels[high] =
                        levels[high].max((levels[low] + 1).min(graph.nodes.len() as u32));
                }
            }
            by_levels(graph, &levels)
        }
    }
}

/// Places nodes so that their distances on the plane are near to those in the graph, from a circle
/// on: each step moves every node to the mean of the places where the others would have it.
fn by_distances(graph: &GraphBoard) -> Vec<(f64, f64)> {
    const STEPS: usize = 200;
    let (n, all) = (graph.nodes.len(), neighbours(graph));
    // Along the circle from neighbour to neighbour.
    let mut order: Vec<usize> = Vec::with_capacity(n);
    let mut roots: Vec<usize> = (0..n).collect();
    roots.sort_by_key(|node| all[*node].len());
    for root in roots {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if !order.contains(&node) {
                order.push(node);
                open.extend(all[node].iter().rev());
            }
        }
    }
    let radius = (n as f64 / TAU).max(0.8);
    let mut at = vec![(0.0, 0.0); n];
    for (i, node) in order.iter().enumerate() {
        // A little more at one end, so that no two nodes are alike.
        let angle = TAU * i as f64 / n as f64 + 0.01 * i as f64;
        at[*node] = (radius * angle.sin(), -radius * angle.cos());
    }
    if !(3..=PLACED).contains(&n) {
        return if n == 2 { vec![(0.0, 0.0), (1.2, 0.0)] } else { at };
    }
    let far: Vec<Vec<f64>> = (0..n)
        .map(|from| distances(&all, from).iter().map(|far| far.map_or(2.0, f64::from)).collect())
        .collect();
    for _ in 0..STEPS {
        for i in 0..n {
            let (mut x, mut y, mut weights) = (0.0, 0.0, 0.0);
            for j in (0..n).filter(|j| *j != i) {
                let (dx, dy) = (at[i].0 - at[j].0, at[i].1 - at[j].1);
                let (length, wanted) = (dx.hypot(dy).max(1e-6), far[i][j]);
                let weight = 1.0 / (wanted * wanted);
                x += weight * (at[j].0 + wanted * dx / length);
                y += weight * (at[j].1 + wanted * dy / length);
                weights += weight;
            }
            at[i] = (x / weights, y / weights);
        }
    }
    // The longer axis lies.
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| at.iter().map(of).sum::<f64>() / n as f64;
    let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
    let xx = mean(&|p| (p.0 - mx).powi(2));
    let yy = mean(&|p| (p.1 - my).powi(2));
    let xy = mean(&|p| (p.0 - mx) * (p.1 - my));
    let angle = if (xx - yy).hypot(2.0 * xy) < 0.05 * (xx + yy) {
        0.0
    } else {
        0.5 * (2.0 * xy).atan2(xx - yy)
    };
    let turned = |(x, y): &(f64, f64)| {
        let (x, y) = (x - mx, y - my);
        (x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin())
    };
    let mut turned: Vec<(f64, f64)> = at.iter().map(turned).collect();
    // The first node is on the left.
    if turned.first().zip(turned.last()).is_some_and(|(first, last)| first.0 > last.0 + 1e-6) {
        turned.iter_mut().for_each(|place| *place = (-place.0, -place.1));
    }
    turned
}

/// Places nodes above each other by their levels, and side by side as the leaves of a tree.
fn by_levels(graph: &GraphBoard, levels: &[u32]) -> Vec<(f64, f64)> {
    let n = graph.nodes.len();
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut is_root = vec![true; n];
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|node| levels[*node]);
    for node in order {
        let below = graph.edges.iter().find_map(|edge| {
            let [a, b] = edge.ends;
            let other = if a == node { b } else { a };
            (edge.ends.contains(&node) && levels[other] + 1 == levels[node]).then_some(other)
        });
        if let Some(below) = below {
            above[below].push(node);
            is_root[node] = false;
        }
    }
    fn place(node: usize, above: &[Vec<usize>], x: &mut [f64], next: &mut f64) {
        for up in &above[node] {
            place(*up, above, x, next);
        }
        x[node] = match above[node][..] {
            [] => {
                *next += 1.0;
                *next
            }
            [first, .., last] => (x[first] + x[last]) / 2.0,
            [only] => x[only],
        };
    }
    let (mut x, mut next) = (vec![0.0; n], 0.0);
    for root in (0..n).filter(|node| is_root[*node]) {
        place(root, &above, &mut x, &mut next);
    }
    (0..n).map(|node| (x[node], -f64::from(levels[node]))).collect()
}

/// A graph with places for its nodes.
struct Placed<'g> {
    graph: &'g GraphBoard,
    /// The places on the scene.
    at: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

impl<'g> Placed<'g> {
    fn new(graph: &'g GraphBoard, top: f64) -> Placed<'g> {
        let at = places(graph);
        let ground = match graph.stand {
            GraphStand::Ground(ground) => Some(ground),
            _ => None,
        };
        // What is touched lies far enough from what else is.
        let seen: Vec<usize> =
            (0..graph.nodes.len()).filter(|node| Some(*node) != ground).collect();
        let middle = |edge: &[usize; 2]| {
            let ends = edge.map(|end| at[end]);
            ((ends[0].0 + ends[1].0) / 2.0, (ends[0].1 + ends[1].1) / 2.0)
        };
        let mut points: Vec<(f64, f64)> = seen.iter().map(|node| at[*node]).collect();
        let apart = near(&points, 2.0 * TOUCH + 2.0);
        if graph.takes_edges {
            if !graph.takes_nodes {
                points.clear();
            }
            let edges =
                graph.edges.iter().filter(|edge| !edge.ends.iter().any(|end| Some(*end) == ground));
            points.extend(edges.map(|edge| middle(&edge.ends)));
        }
        let unit = apart.max(near(&points, 2.0 * TOUCH + 2.0)).clamp(72.0, 150.0);
        let margin = TOUCH + 8.0;
        let span = |of: fn(&(f64, f64)) -> f64| {
            let all = || seen.iter().map(|node| of(&at[*node]));
            (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max))
        };
        let ((left, right), (high, low)) = match seen.is_empty() {
            true => ((0.0, 0.0), (0.0, 0.0)),
            false => (span(|p| p.0), span(|p| p.1)),
        };
        let low = if ground.is_some() { 0.0 } else { low };
        let inner = unit * (right - left) + 2.0 * margin;
        let width = inner.max(WIDTH);
        let place = |(x, y): &(f64, f64)| {
            (unit * (x - left) + margin + (width - inner) / 2.0, top + unit * (y - high) + margin)
        };
        let at = at.iter().map(place).collect();
        let height =
            unit * (low - high) + if ground.is_some() { margin + 26.0 } else { 2.0 * margin };
        Placed { graph, at, width, height }
    }

    /// Returns the place of a node by its name.
    fn place(&self, name: &str) -> Option<(f64, f64)> {
        Some(self.at[self.graph.nodes.iter().position(|own| own == name)?])
    }
}

/// Returns how long a unit must be so that no two of these points are nearer than so much.
fn near(points: &[(f64, f64)], apart: f64) -> f64 {
    let pairs =
        points.iter().enumerate().flat_map(|(i, a)| points[..i].iter().map(move |b| (a, b)));
    let least = pairs.map(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1)).filter(|far| *far > 0.05);
    apart / least.fold(f64::INFINITY, f64::min)
}

/// Where an edge is drawn: its ends, its middle, and the direction of the middle.
#[derive(Clone, Copy)]
struct Way {
    from: (f64, f64),
    to: (f64, f64),
    middle: (f64, f64),
}

/// Returns the way of an edge: edges with the same ends bend aside, those to the ground are
/// upright.
fn way(graph: &GraphBoard, edge: usize, at: &dyn Fn(usize) -> (f64, f64)) -> Way {
    let [a, b] = graph.edges[edge].ends;
    let twins: Vec<usize> = (0..graph.edges.len())
        .filter(|other| {
            let ends = graph.edges[*other].ends;
            ends == [a, b] || ends == [b, a]
        })
        .collect();
    let place = twins.iter().position(|own| *own == edge).unwrap_or(0) as f64;
    let aside = place - (twins.len() as f64 - 1.0) / 2.0;
    let (mut from, mut to) = (at(a), at(b));
    if let GraphStand::Ground(ground) = graph.stand {
        if a == ground {
            from.0 = to.0 + 44.0 * aside;
        }
        if b == ground {
            to.0 = from.0 + 44.0 * aside;
        }
    }
    if a == b {
        // A loop, seen as a short edge upwards.
        return Way {
            from,
            to: (from.0 + 26.0, from.1 - 34.0),
            middle: (from.0 + 13.0, from.1 - 36.0),
        };
    }
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let bend = if twins.len() > 1 { 46.0 * aside } else { 0.0 };
    // The same side, whichever end comes first.
    let bend = if a > b { -bend } else { bend };
    let middle =
        ((from.0 + to.0) / 2.0 - dy / length * bend, (from.1 + to.1) / 2.0 + dx / length * bend);
    Way { from, to, middle }
}

/// Draws a graph.
pub(crate) fn graph(
    scene: &mut Scene,
    board: &GraphBoard,
    view: BoardView<'_>,
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let before = match view.before {
        Some(Board::Graph(before)) => Some(before),
        _ => None,
    };
    let holds = |graph: &GraphBoard, other: &GraphBoard| {
        other.nodes.iter().all(|name| graph.nodes.contains(name))
    };
    // What is left keeps its place.
    let whole = match view.start {
        Some(Board::Graph(start)) if holds(start, board) => start,
        _ => before.filter(|before| holds(before, board)).unwrap_or(board),
    };
    let placed = Placed::new(whole, top);
    let own = |node: usize| placed.place(&board.nodes[node]).unwrap_or_default();
    let ground = match board.stand {
        GraphStand::Ground(ground) => Some(ground),
        _ => None,
    };
    if ground.is_some() {
        let y = top + placed.height - 26.0;
        scene.add(Shape::Line(8.0, y, placed.width - 8.0, y), Style::line(INK, 2.5));
        let mut x = 16.0;
        while x < placed.width - 8.0 {
            scene.add(Shape::Line(x, y, x - 8.0, y + 9.0), Style::line(SPENT, 1.5));
            x += 16.0;
        }
    }
    // What the last move took, where it was.
    if let Some(before) = before.filter(|before| holds(whole, before)) {
        gone(scene, before, board, &placed);
    }
    for (edge, stated) in board.edges.iter().enumerate() {
        let part = BoardPart::GraphEdge { summand, edge };
        let way = way(board, edge, &own);
        let ink: Colour = match stated.kind {
            EdgeKind::Plain | EdgeKind::Arc => INK,
            EdgeKind::Left => TOKEN,
            EdgeKind::Right => BAD,
        };
        let is_right = stated.kind == EdgeKind::Right;
        let style = Style::line(ink, if stated.kind == EdgeKind::Plain { 2.5 } else { 4.0 });
        let (u, v) = way.middle;
        scene.add_part(part, Shape::Line(way.from.0, way.from.1, u, v), style);
        scene.add_part(part, Shape::Line(u, v, way.to.0, way.to.1), style);
        if stated.kind == EdgeKind::Arc {
            scene.add(arrow(way), Style::fill(INK));
        }
        if board.takes_edges {
            if view.touch {
                let area = Shape::Box(u - TOUCH, v - TOUCH, 2.0 * TOUCH, 2.0 * TOUCH, 0.0);
                scene.add_part(part, area, Style::default());
            }
            let letter = match stated.kind {
                EdgeKind::Left => "L",
                EdgeKind::Right => "R",
                _ => "",
            };
            let r = if letter.is_empty() { 6.0 } else { 10.0 };
            let circle = Style::line(ink, 2.0).filled(if is_right { WASH } else { PAPER });
            scene.add_part(part, Shape::Circle(u, v, r), circle);
            if !letter.is_empty() {
                let text = Shape::Text(u, v, 12.0, letter.into(), Anchor::Middle);
                scene.add_part(part, text, Style::fill(ink));
            }
        }
    }
    for (node, name) in board.nodes.iter().enumerate() {
        if ground == Some(node) {
            continue;
        }
        let (part, (x, y)) = (BoardPart::GraphNode { summand, node }, own(node));
        let has_token = board.token == Some(node);
        let (fill, letters) = if has_token { (ACCENT, PAPER) } else { (PAPER, INK) };
        if view.touch && board.takes_nodes {
            let area = Shape::Box(x - TOUCH, y - TOUCH, 2.0 * TOUCH, 2.0 * TOUCH, 0.0);
            scene.add_part(part, area, Style::default());
        }
        let r = if board.takes_nodes { NODE } else { 11.0 };
        let ink = Style::line(INK, if has_token { 2.5 } else { 1.5 }).filled(fill);
        scene.add_part(part, Shape::Circle(x, y, r), ink);
        let size = (r * 0.85).min(r * 3.0 / name.chars().count().max(1) as f64);
        scene.add_part(
            part,
            Shape::Text(x, y, size, name.clone(), Anchor::Middle),
            Style::fill(letters),
        );
    }
    (placed.width, placed.height)
}

/// Draws the head of an arc, outside of the node.
fn arrow(way: Way) -> Shape {
    let (dx, dy) = (way.to.0 - way.middle.0, way.to.1 - way.middle.1);
    let length = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / length, dy / length);
    let tip = (way.to.0 - dx * (NODE + 2.0), way.to.1 - dy * (NODE + 2.0));
    let (x, y) = (tip.0 - 12.0 * dx, tip.1 - 12.0 * dy);
    Shape::Polygon(vec![tip, (x - 6.0 * dy, y + 6.0 * dx), (x + 6.0 * dy, y - 6.0 * dx)])
}

/// Draws what the last move took, and the way of the token.
fn gone(scene: &mut Scene, before: &GraphBoard, board: &GraphBoard, placed: &Placed<'_>) {
    let at = |node: usize| placed.place(&before.nodes[node]).unwrap_or_default();
    let names = |graph: &GraphBoard, edge: &[usize; 2]| edge.map(|end| graph.nodes[end].clone());
    let mut left: Vec<([String; 2], EdgeKind)> =
        board.edges.iter().map(|edge| (names(board, &edge.ends), edge.kind)).collect();
    for (edge, stated) in before.edges.iter().enumerate() {
        let own = (names(before, &stated.ends), stated.kind);
        if let Some(stays) = left.iter().position(|stays| *stays == own) {
            left.swap_remove(stays);
            continue;
        }
        let Way { from, to, middle: (u, v) } = way(before, edge, &at);
        for ((x, y), (w, z)) in [(from, (u, v)), ((u, v), to)] {
            scene.add(Shape::Line(x, y, w, z), Style::line(SPENT, 1.5).dashed(true));
        }
    }
    let ground = match before.stand {
        GraphStand::Ground(ground) => Some(ground),
        _ => None,
    };
    let r = if before.takes_nodes { NODE } else { 11.0 };
    for (node, name) in before.nodes.iter().enumerate() {
        if ground != Some(node) && !board.nodes.contains(name) {
            let (x, y) = at(node);
            scene.add(Shape::Circle(x, y, r), Style::line(SPENT, 1.5).filled(PAPER).dashed(true));
        }
    }
    if let (Some(from), Some(to)) = (before.token, board.token) {
        let ((x, y), (u, v)) = (at(from), placed.place(&board.nodes[to]).unwrap_or_default());
        scene.add(Shape::Line(x, y, u, v), Style::line(ACCENT, 4.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::GraphEdge;

    /// Returns the graph of these edges.
    fn graph(nodes: usize, edges: &[[usize; 2]], stand: GraphStand) -> GraphBoard {
        let edges =
            edges.iter().map(|ends| GraphEdge { ends: *ends, kind: EdgeKind::Plain }).collect();
        let nodes = (0..nodes).map(|node| node.to_string()).collect();
        GraphBoard { nodes, edges, token: None, stand, takes_nodes: true, takes_edges: false }
    }

    #[test]
    fn nodes_are_far_enough_apart_for_fingers() {
        let path: Vec<[usize; 2]> = (1..8).map(|i| [i - 1, i]).collect();
        let cycle: Vec<[usize; 2]> = (0..9).map(|i| [i, (i + 1) % 9]).collect();
        let grid: Vec<[usize; 2]> = vec![[0, 1], [1, 2], [3, 4], [4, 5], [0, 3], [1, 4], [2, 5]];
        let parts: Vec<[usize; 2]> = vec![[0, 1], [2, 3]];
        for (n, edges) in [(8, path), (9, cycle), (6, grid), (6, parts), (1, vec![]), (2, vec![])] {
            let board = graph(n, &edges, GraphStand::Free);
            let placed = Placed::new(&board, 0.0);
            for (i, a) in placed.at.iter().enumerate() {
                assert!(a.0 >= TOUCH && a.0 <= placed.width - TOUCH, "{edges:?}: {a:?}");
                assert!(a.1 >= TOUCH && a.1 <= placed.height - TOUCH, "{edges:?}: {a:?}");
                for b in &placed.at[..i] {
                    assert!((a.0 - b.0).hypot(a.1 - b.1) >= 44.0, "{edges:?}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn a_path_lies_and_a_tree_stands() {
        let path = graph(6, &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]], GraphStand::Free);
        let placed = Placed::new(&path, 0.0);
        assert!(placed.at.windows(2).all(|pair| pair[0].0 < pair[1].0), "{:?}", placed.at);
        assert!(placed.height < placed.width / 2.0);
        let tree = graph(4, &[[0, 1], [1, 2], [1, 3]], GraphStand::Ground(0));
        let placed = Placed::new(&tree, 0.0);
        assert!(placed.at[1].1 > placed.at[2].1 && placed.at[2].1 == placed.at[3].1);
        assert!(placed.at[2].0 < placed.at[1].0 && placed.at[1].0 < placed.at[3].0);
    }
}
