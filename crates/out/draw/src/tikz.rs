//! Pictures as LaTeX: trees for the package forest, every other picture as plain TikZ.

use crate::DrawError;
use crate::scene::{Anchor, Colour, Scene, Shape, Style};
use crate::tree::{NodeState, Side, Tree};
use std::fmt::Write;

/// The greatest number of cells of a table that TeX can process.
const MAX_CELLS: usize = 40_000;

/// Returns the scene as a `tikzpicture`; 1 px is 0.5 pt.
///
/// # Errors
/// Fails if the scene has more than 40,000 cells.
pub fn write(scene: &Scene) -> Result<String, DrawError> {
    let mut out = format!("% {}\n% {}\n", line(&scene.title), line(&scene.description));
    out.push_str("\\begin{tikzpicture}[x=0.5pt,y=-0.5pt]\n");
    let mut colours: Vec<Colour> = Vec::new();
    let mut body = String::new();
    if let Some(raster) = &scene.raster {
        if raster.cells.len() > MAX_CELLS {
            return Err(DrawError::TooLarge(format!(
                "{} cells for TikZ, at most {MAX_CELLS}",
                raster.cells.len()
            )));
        }
        for (row, cells) in raster.cells.chunks(raster.columns.max(1)).enumerate() {
            let mut start = 0;
            for run in cells.chunk_by(|a, b| a == b) {
                let name = colour(&mut colours, run[0]);
                let side = raster.side as f64;
                let (x, y) = (raster.x + start as f64 * side, raster.y + row as f64 * side);
                let _ = writeln!(
                    body,
                    "\\fill[{name}] ({x},{y}) rectangle +({},{side});",
                    run.len() as f64 * side
                );
                start += run.len();
            }
        }
    }
    for mark in &scene.marks {
        let style = style(&mark.ink, &mut colours);
        let _ = match &mark.shape {
            Shape::Circle(x, y, r) => {
                writeln!(body, "\\path[{style}] ({x:.2},{y:.2}) circle[radius={:.2}pt];", r / 2.0)
            }
            Shape::Box(x, y, w, h, r) => {
                let corners = if *r > 0.0 {
                    format!(",rounded corners={:.2}pt", r / 2.0)
                } else {
                    String::new()
                };
                writeln!(
                    body,
                    "\\path[{style}{corners}] ({x:.2},{y:.2}) rectangle +({w:.2},{h:.2});"
                )
            }
            Shape::Line(x1, y1, x2, y2) => {
                writeln!(body, "\\path[{style}] ({x1:.2},{y1:.2}) -- ({x2:.2},{y2:.2});")
            }
            Shape::Polygon(corners) => {
                let corners: Vec<String> =
                    corners.iter().map(|(x, y)| format!("({x:.2},{y:.2})")).collect();
                writeln!(body, "\\path[{style}] {} -- cycle;", corners.join(" -- "))
            }
            Shape::Text(x, y, size, text, anchor) => {
                let anchor = match anchor {
                    Anchor::Start => "west",
                    Anchor::Middle => "center",
                    Anchor::End => "east",
                };
                let name = mark.ink.fill.map_or("black".into(), |fill| colour(&mut colours, fill));
                let size = size / 2.0;
                writeln!(
                    body,
                    "\\node[anchor={anchor},inner \
                     sep=0,text={name},font=\\fontsize{{{size:.1}}}{{{:.1}}}\\selectfont] at \
                     ({x:.2},{y:.2}) {{{}}};",
                    size * 1.2,
                    tex(text)
                )
            }
        };
    }
    for (i, [r, g, b]) in colours.iter().enumerate() {
        let _ = writeln!(out, "\\definecolor{{bouton{i}}}{{RGB}}{{{r},{g},{b}}}");
    }
    Ok(out + &body + "\\end{tikzpicture}\n")
}

fn colour(colours: &mut Vec<Colour>, wanted: Colour) -> String {
    let place = colours.iter().position(|c| *c == wanted).unwrap_or_else(|| {
        colours.push(wanted);
        colours.len() - 1
    });
    format!("bouton{place}")
}

fn style(ink: &Style, colours: &mut Vec<Colour>) -> String {
    let mut parts = Vec::new();
    if let Some(fill) = ink.fill {
        parts.push(format!("fill={}", colour(colours, fill)));
    }
    if let Some(line) = ink.line {
        parts.push(format!("draw={},line width={:.2}pt", colour(colours, line), ink.width / 2.0));
    }
    if ink.dashed {
        parts.push("dashed".into());
    }
    parts.join(",")
}

/// Returns the tree for the package forest. Subtrees that are drawn once get further lines after
/// the tree.
pub fn forest(tree: &Tree) -> String {
    let mut out = format!("% {}\n% {}\n", line(&tree.title()), line(&tree.description()));
    out.push_str(
        "% needs \\usepackage{forest} and \\usetikzlibrary{shapes.geometric}\n\\begin{forest}\n",
    );
    out.push_str(
        "  for tree={draw, rounded corners=6pt, inner sep=3pt, l sep=14pt, s sep=10pt},\n",
    );
    out.push_str("  diamonds/.style={diamond, rounded corners=0pt, inner sep=1pt}\n");
    let mut drawn = vec![false; tree.nodes.len()];
    let mut later = String::new();
    // The remaining output: a node with its options, or the bracket that closes one.
    enum Pending {
        Open(usize, String),
        Close,
    }
    let mut todo = vec![Pending::Open(0, String::new())];
    let mut depth = 1;
    while let Some(next) = todo.pop() {
        let (i, options) = match next {
            Pending::Close => {
                depth -= 1;
                let _ = writeln!(out, "{}]", "  ".repeat(depth));
                continue;
            }
            Pending::Open(i, options) => (i, options),
        };
        drawn[i] = true;
        let node = &tree.nodes[i];
        let note = match node.state {
            NodeState::Inner => String::new(),
            NodeState::Over => {
                format!(", label={{below:{{\\scriptsize {} stuck}}}}", node.to_move.numeral())
            }
            NodeState::Cut => ", label={below:{$\\dots$}}".into(),
        };
        let _ = writeln!(
            out,
            "{}[{{{}}}, name=n{i}{options}{note}",
            "  ".repeat(depth),
            tex(&node.label)
        );
        depth += 1;
        todo.push(Pending::Close);
        let mut children = Vec::new();
        for (k, edge) in node.edges.iter().enumerate() {
            let side = if edge.diamonds > 0 { edge.by.other() } else { edge.by };
            let dashed = if side == Side::Second { ", dashed, edge=dashed" } else { "" };
            if std::mem::replace(&mut drawn[edge.to], true) {
                let style = if edge.by == Side::Second { "[dashed]" } else { "" };
                let label = if edge.label.is_empty() { String::new() } else { small(&edge.label) };
                let _ = writeln!(later, "  \\draw{style} (n{i}) -- {label} (n{});", edge.to);
                continue;
            }
            if edge.diamonds > 0 {
                let shape = format!(
                    "{}[{{$\\times {}$}}, diamonds, name=d{i}x{k}",
                    "  ".repeat(depth),
                    edge.diamonds
                );
                let _ = writeln!(out, "{shape}");
                depth += 1;
                todo.push(Pending::Close);
                children.push(Pending::Open(edge.to, String::new()));
            } else {
                let label = match edge.label.as_str() {
                    "" => String::new(),
                    text => format!(", edge label={{{}}}", small(text)),
                };
                children.push(Pending::Open(edge.to, format!("{dashed}{label}")));
            }
        }
        todo.extend(children.into_iter().rev());
    }
    out + &later + "\\end{forest}\n"
}

fn small(label: &str) -> String {
    format!("node[midway,fill=white,inner sep=1pt,font=\\scriptsize]{{{}}}", tex(label))
}

/// Returns a text on one line, for a comment.
fn line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Escapes a text for TeX.
pub fn tex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '→' => out.push_str("$\\to$"),
            '−' => out.push_str("$-$"),
            '×' => out.push_str("$\\times$"),
            '∞' => out.push_str("$\\infty$"),
            '…' => out.push_str("\\dots{}"),
            '♛' => out.push_str("$\\bullet$"),
            '<' | '>' | '|' => {
                let _ = write!(out, "${c}$");
            }
            '≥' => out.push_str("$\\geq$"),
            '≤' => out.push_str("$\\leq$"),
            '≠' => out.push_str("$\\neq$"),
            '≡' => out.push_str("$\\equiv$"),
            '∈' => out.push_str("$\\in$"),
            '⊕' => out.push_str("$\\oplus$"),
            '⌊' => out.push_str("$\\lfloor$"),
            '⌋' => out.push_str("$\\rfloor$"),
            '·' => out.push_str("$\\cdot$"),
            '√' => out.push_str("$\\surd$"),
            'φ' => out.push_str("$\\varphi$"),
            'Γ' => out.push_str("$\\Gamma$"),
            c => out.push(c),
        }
    }
    out
}
