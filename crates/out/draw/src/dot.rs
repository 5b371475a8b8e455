//! Trees as graphs for Graphviz.

use crate::tree::{Side, State, Tree};
use std::fmt::Write;

/// The tree in the DOT language; solid and dashed as in the figures.
pub fn write(tree: &Tree) -> String {
    let mut out =
        format!("digraph {{\n  label={};\n  node [shape=box, style=rounded];\n", quoted(&tree.title()));
    let style = |side: Side| if side == Side::Second { "dashed" } else { "solid" };
    for (i, node) in tree.nodes.iter().enumerate() {
        let note = match node.state {
            State::Inner => String::new(),
            State::Over => format!("\n{} stuck", node.to_move.numeral()),
            State::Cut => "\n…".into(),
        };
        let label = quoted(&(node.label.clone() + &note));
        let _ = writeln!(out, "  n{i} [label={label}, tooltip={}];", quoted(&node.position));
    }
    for (i, node) in tree.nodes.iter().enumerate() {
        for edge in &node.edges {
            let label =
                if edge.diamonds > 0 { format!("◇ ×{}", edge.diamonds) } else { edge.label.clone() };
            let _ =
                writeln!(out, "  n{i} -> n{} [label={}, style={}];", edge.to, quoted(&label), style(edge.by));
        }
    }
    out + "}\n"
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
