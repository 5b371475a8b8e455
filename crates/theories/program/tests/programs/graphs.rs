//! Games on graphs, against brute force.

use super::{example, mex, value};
use std::collections::HashMap;

/// An edge, or an arc from its first node to its second.
type Edge = (u32, u32);

/// Some graphs of up to six nodes, no edge twice, by a generator with a fixed seed.
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
        assert_eq!(value(&*game, &format!("{token};{}", listed(&edges, "-"))), expected, "{edges:?}");
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
