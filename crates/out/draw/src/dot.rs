//! Strategy trees as graphs for Graphviz.

use crate::tree::{NodeState, Side, Tree};
use std::fmt::Write;

/// Returns the tree in the DOT language; lines are solid and dashed as in the figures of Tan &
/// Ward.
pub fn write(tree: &Tree) -> String {
    let mut out = format!(
        "digraph {{\n  label={};\n  node [shape=box, style=rounded];\n",
        quoted(&tree.title())
    );
    let style = |side: Side| if side == Side::Second { "dashed" } else { "solid" };
    for (i, node) in tree.nodes.iter().enumerate() {
        let note = match node.state {
            NodeState::Inner => String::new(),
            NodeState::Over => format!("\n{} stuck", node.to_move.numeral()),
            NodeState::Cut => "\n…".into(),
        };
        let label = quoted(&(node.label.clone() + &note));
        let _ = writeln!(out, "  n{i} [label={label}, tooltip={}];", quoted(&node.position));
    }
    for (i, node) in tree.nodes.iter().enumerate() {
        for edge in &node.edges {
            let label = if edge.diamonds > 0 {
                format!("◇ ×{}", edge.diamonds)
            } else {
                edge.label.clone()
            };
            let _ = writeln!(
                out,
                "  n{i} -> n{} [label={}, style={}];",
                edge.to,
                quoted(&label),
                style(edge.by)
            );
        }
    }
    out + "}\n"
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
