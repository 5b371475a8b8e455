//! Games on graphs, against brute force.

use super::{example, mex, value};
use std::collections::HashMap;

/// An edge, or an arc from its first node to its second.
type Edge = (u32, u32);

/// Returns some graphs of up to six nodes, no edge twice, by a generator with a fixed seed.
fn graphs(count: usize) -> Vec<Vec<Edge>> {
    let mut lot = 7u32;
    let mut all = Vec::new();
    while all.len() < count {
        let mut edges = Vec::new();
        for a in 1..=6 {
            for b in a + 1..=6 {
                lot = lot.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                match lot >> 29 {
                    0 | 1 => edges.push((a, b)),
                    2 => edges.push((b, a)),
                    _ => {}
                }
            }
        }
        if !edges.is_empty() && edges.len() <= 8 {
            all.push(edges);
        }
    }
    all
}

fn listed(edges: &[Edge], sign: &str) -> String {
    edges.iter().map(|(a, b)| format!("{a}{sign}{b}")).collect::<Vec<_>>().join(",")
}

#[test]
fn edge_geography() {
    let game = example("edge-geography");
    let options = |(token, edges): &(u32, Vec<Edge>)| {
        let mut all = Vec::new();
        for (at, edge) in edges.iter().enumerate() {
            let mut rest = edges.clone();
            rest.remove(at);
            if edge.0 == *token {
                all.push((edge.1, rest));
            } else if edge.1 == *token {
                all.push((edge.0, rest));
            }
        }
        all
    };
    for edges in graphs(40) {
        let token = edges[0].0;
        let expected = mex(&(token, edges.clone()), &options, &mut HashMap::new());
        assert_eq!(
            value(&*game, &format!("{token};{}", listed(&edges, "-"))),
            expected,
            "{edges:?}"
        );
    }
    assert!(game.normal_form("9;1-2").is_err());
}

#[test]
fn directed_geography() {
    let game = example("directed-geography");
    let options = |(token, seen): &(u32, Vec<u32>), arcs: &[Edge]| -> Vec<(u32, Vec<u32>)> {
        let free = arcs.iter().filter(|arc| arc.0 == *token && !seen.contains(&arc.1));
        free.map(|arc| (arc.1, [&seen[..], &[arc.1]].concat())).collect()
    };
    for arcs in graphs(40) {
        let token = arcs[0].0;
        let from = |p: &(u32, Vec<u32>)| options(p, &arcs);
        let expected = mex(&(token, vec![token]), &from, &mut HashMap::new());
        assert_eq!(value(&*game, &format!("{token};{}", listed(&arcs, ">"))), expected, "{arcs:?}");
    }
}

#[test]
fn chomp_on_graphs() {
    let game = example("graph-chomp");
    let options = |(nodes, edges): &(Vec<u32>, Vec<Edge>)| {
        let mut all = Vec::new();
        for at in 0..edges.len() {
            let mut rest = edges.clone();
            rest.remove(at);
            all.push((nodes.clone(), rest));
        }
        for node in nodes {
            all.push((
                nodes.iter().copied().filter(|other| other != node).collect(),
                edges.iter().copied().filter(|edge| edge.0 != *node && edge.1 != *node).collect(),
            ));
        }
        all
    };
    let mut known = HashMap::new();
    for edges in graphs(12) {
        let mut nodes: Vec<u32> = edges.iter().flat_map(|edge| [edge.0, edge.1]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let expected = mex(&(nodes, edges.clone()), &options, &mut known);
        assert_eq!(value(&*game, &listed(&edges, "-")), expected, "{edges:?}");
    }
    // T. Khandhawit, L. Ye (2011): of a forest the parities of nodes and edges decide.
    for (forest, nodes, edges) in [
        ("1-2", 2, 1),
        ("1-2,2-3", 3, 2),
        ("1-2,1-3,1-4", 4, 3),
        ("1-2,3-4", 4, 2),
        ("1-2,2-3,3-4,3-5,5-6", 6, 5),
    ] {
        assert_eq!(value(&*game, forest), nodes % 2 + 2 * (edges % 2), "{forest}");
    }
}

/// Graphs by their names are those that the names mean.
#[test]
fn graphs_by_name() {
    let game = example("node-kayles");
    let arcs = example("arc-kayles");
    for (name, edges) in [
        ("P1", vec![]),
        ("P5", vec![(1, 2), (2, 3), (3, 4), (4, 5)]),
        ("path 3", vec![(1, 2), (2, 3)]),
        ("C4", vec![(1, 2), (2, 3), (3, 4), (4, 1)]),
        ("K4", vec![(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]),
        ("K2,3", vec![(1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5)]),
    ] {
        let text = edges.iter().map(|(a, b)| format!("{a}-{b}")).collect::<Vec<_>>().join(",");
        let text = if text.is_empty() { "[[1]]".to_owned() } else { text };
        assert_eq!(value(&*game, name), value(&*game, &text), "{name}");
        if !edges.is_empty() {
            assert_eq!(value(&*arcs, name), value(&*arcs, &text), "{name}");
        }
    }
    // Petersen's graph: ten nodes of degree 3, no circle of fewer than five.
    let text = game.normal_form("petersen").unwrap();
    let edges: Vec<[usize; 2]> = text[2..text.len() - 2]
        .split("],[")
        .map(|edge| {
            let nodes: Vec<usize> = edge.split(',').map(|node| node.parse().unwrap()).collect();
            [nodes[0], nodes[1]]
        })
        .collect();
    assert_eq!(edges.len(), 15);
    let near = |node: usize| -> Vec<usize> {
        edges.iter().filter(|edge| edge.contains(&node)).map(|[a, b]| a + b - node).collect()
    };
    for node in 1..=10 {
        assert_eq!(near(node).len(), 3);
        // Nine others within two steps, each once.
        let mut seen: Vec<usize> = near(node);
        seen.extend(near(node).into_iter().flat_map(near).filter(|other| *other != node));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 9, "{node}");
    }
    for wrong in ["C2", "K0", "P", "K1,2,3", "C5,5", "path", "P5000"] {
        assert!(game.normal_form(wrong).is_err(), "{wrong}");
    }
}
