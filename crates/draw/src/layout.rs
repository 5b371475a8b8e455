//! Trees laid out: a node below all nodes that lead to it, in layers, each near the middle of its neighbours.
//!
//! The idea is Sugiyama's: order within a layer as the tree is first walked, then sweeps that pull every node towards its
//! neighbours without changing the order. K. Sugiyama, S. Tagawa, M. Toda, IEEE Trans. SMC 11 (1981) 109–125.

use crate::scene::{ACCENT, Anchor, INK, Ink, PAPER, Part, Scene, Shape, text_width};
use crate::tree::{Side, State, Tree};

const LAYER: f64 = 58.0;
const GAP: f64 = 20.0;
const SIZE: f64 = 13.0;
const MARGIN: f64 = 18.0;
const SWEEPS: usize = 40;

/// Where every node stands.
pub(crate) struct Placed {
    /// Centres.
    pub at: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

fn node_width(label: &str) -> f64 {
    (text_width(label, SIZE) + 12.0).max(28.0)
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

pub(crate) fn place(tree: &Tree) -> Placed {
    let layer = layers(tree);
    let depth = layer.iter().copied().max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); depth + 1];
    // The order of the first walk.
    let (mut seen, mut stack) = (vec![false; tree.nodes.len()], vec![0]);
    while let Some(i) = stack.pop() {
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        rows[layer[i]].push(i);
        stack.extend(tree.nodes[i].edges.iter().rev().map(|edge| edge.to));
    }
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); tree.nodes.len()];
    for (i, node) in tree.nodes.iter().enumerate() {
        for edge in &node.edges {
            neighbours[i].push(edge.to);
            neighbours[edge.to].push(i);
        }
    }
    let widths: Vec<f64> = tree.nodes.iter().map(|node| node_width(&node.label)).collect();
    let mut x = vec![0.0; tree.nodes.len()];
    for row in &rows {
        spread(row, &widths, &mut x, |_| 0.0);
    }
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let order: Vec<usize> = if down { (0..=depth).collect() } else { (0..=depth).rev().collect() };
        for r in order {
            let old = x.clone();
            spread(&rows[r], &widths, &mut x, |i| {
                let near = &neighbours[i];
                if near.is_empty() {
                    old[i]
                } else {
                    near.iter().map(|j| old[*j]).sum::<f64>() / near.len() as f64
                }
            });
        }
    }
    let left = (0..x.len()).map(|i| x[i] - widths[i] / 2.0).fold(f64::MAX, f64::min);
    let right = (0..x.len()).map(|i| x[i] + widths[i] / 2.0).fold(f64::MIN, f64::max);
    let at = (0..x.len()).map(|i| (x[i] - left + MARGIN, layer[i] as f64 * LAYER + MARGIN + 14.0)).collect();
    Placed { at, width: right - left + 2.0 * MARGIN, height: depth as f64 * LAYER + 2.0 * MARGIN + 28.0 }
}

/// Puts the nodes of a row where they want to be, order and distances kept: the middle of the arrangement pushed from the
/// left and the one pushed from the right.
fn spread(row: &[usize], widths: &[f64], x: &mut [f64], wanted: impl Fn(usize) -> f64) {
    let apart = |a: usize, b: usize| (widths[a] + widths[b]) / 2.0 + GAP;
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

/// The tree laid out.
pub(crate) fn scene(tree: &Tree) -> Scene {
    let placed = place(tree);
    let mut scene = Scene::new(tree.title(), tree.description());
    let note = "solid: Player I, dashed: Player II";
    scene.width = placed.width.max(text_width(note, 11.0) + 2.0 * MARGIN);
    scene.height = placed.height + 22.0;
    let shift = (scene.width - placed.width) / 2.0;
    let at = |i: usize| (placed.at[i].0 + shift, placed.at[i].1);
    let dashed = |side: Side| side == Side::Second;
    // Who moved into a node; the root was marked before the first move.
    let mut into = vec![Side::First; tree.nodes.len()];
    let mut ways_in = vec![0; tree.nodes.len()];
    tree.nodes.iter().flat_map(|node| &node.edges).for_each(|edge| ways_in[edge.to] += 1);
    for (i, node) in tree.nodes.iter().enumerate() {
        let (x1, y1) = at(i);
        for edge in &node.edges {
            into[edge.to] = if edge.diamonds > 0 { edge.by.other() } else { edge.by };
            let (x2, y2) = at(edge.to);
            let (mx, my) = ((x1 + x2) / 2.0, (y1 + y2) / 2.0);
            if edge.diamonds > 0 {
                let (w, h) = (24.0, 30.0);
                scene.add(Shape::Line(x1, y1, mx, my - h), Ink::line(INK, 1.4));
                scene.add(Shape::Line(mx, my + h, x2, y2), Ink::line(INK, 1.4));
                for (side, sign) in [(edge.by, -1.0), (edge.by.other(), 1.0)] {
                    for across in [-w, w] {
                        let ink = Ink::line(INK, 1.4).dashed(dashed(side));
                        scene.add(Shape::Line(mx, my + sign * h, mx + across, my), ink);
                    }
                }
                scene.text(mx, my, 12.0, format!("×{}", edge.diamonds), Anchor::Middle);
            } else {
                scene.add(Shape::Line(x1, y1, x2, y2), Ink::line(INK, 1.4).dashed(dashed(edge.by)));
                if !edge.label.is_empty() {
                    // Outside of the fork that the line is part of, where the fork is wide.
                    let (forks, joins) = (node.edges.len() > 1, ways_in[edge.to] > 1);
                    let left = if joins && !forks { x1 < x2 } else { x2 < x1 };
                    let t = match (forks, joins) {
                        (true, false) => 0.58,
                        (false, true) => 0.42,
                        (true, true) => 0.3,
                        _ => 0.5,
                    };
                    let (x, y) = (x1 + t * (x2 - x1), y1 + t * (y2 - y1));
                    let (x, anchor) = if left { (x - 5.0, Anchor::End) } else { (x + 5.0, Anchor::Start) };
                    scene.text(x, y - 2.0, 10.0, &edge.label, anchor);
                }
            }
        }
    }
    for (i, node) in tree.nodes.iter().enumerate() {
        let ((x, y), w) = (at(i), node_width(&node.label));
        let ink = Ink::line(INK, 1.4).filled(PAPER).dashed(dashed(into[i]));
        let part = Part::Node(i);
        scene.add_part(part, Shape::Box(x - w / 2.0, y - 13.0, w, 26.0, 13.0), ink);
        scene.add_part(part, Shape::Text(x, y, SIZE, node.label.clone(), Anchor::Middle), Ink::fill(INK));
        match node.state {
            State::Inner => {}
            State::Over => {
                scene.text(x, y + 22.0, 10.0, format!("{} stuck", node.to_move.numeral()), Anchor::Middle);
            }
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
