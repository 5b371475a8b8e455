//! A study as a LaTeX article: theorem environments, TikZ pictures, a bibliography.

use crate::paper::{Block, Paper, PaperForm, Statement, StatementKind, needs_parentheses};
use bouton_conjecture::latex;
use bouton_draw::tikz::{self, tex};
use bouton_prover::Formula;
use std::fmt::Write;

const HEAD: &str = "\\documentclass{article}
\\usepackage[utf8]{inputenc}
\\usepackage[T1]{fontenc}
\\usepackage{amsmath,amssymb,amsthm,tikz}
\\newtheorem*{theorem}{Theorem}
\\newtheorem*{conjecture}{Conjecture}
\\theoremstyle{remark}
\\newtheorem*{refuted}{Refuted}
\\newtheorem*{observation}{Observation}
\\raggedbottom\\sloppy
";
/// The greatest number of characters of a typed formula on one line.
const LINE: usize = 60;

pub(crate) fn write(paper: &Paper) -> String {
    let mut out = format!(
        "{HEAD}\\title{{{}}}\n\\author{{}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n",
        tex(&paper.title)
    );
    for block in &paper.blocks {
        write_block(&mut out, block);
    }
    out.push_str("\\end{document}\n");
    out
}

fn write_block(out: &mut String, block: &Block) {
    let _ = match block {
        Block::Heading(text) => writeln!(out, "\\subsection*{{{}}}", tex(text)),
        Block::Text(text) => writeln!(out, "{}\n", tex(text)),
        Block::Statement(statement) => {
            write_statement(out, statement);
            Ok(())
        }
        Block::Table(head, rows) => {
            let row =
                |row: &[String]| row.iter().map(|cell| tex(cell)).collect::<Vec<_>>().join(" & ");
            let rows: String = rows.iter().map(|cells| format!("{} \\\\\n", row(cells))).collect();
            writeln!(
                out,
                "\\noindent\\begin{{tabular}}{{{}}}\n{} \
                 \\\\ \\hline\n{rows}\\end{{tabular}}\n\\medskip\n",
                "r".repeat(head.len()),
                row(head)
            )
        }
        Block::Figure(figure) => match tikz::write(&figure.scene) {
            Ok(picture) => {
                writeln!(
                    out,
                    "\\begin{{center}}\n{picture}\\par\\smallskip\\small {}\n\\end{{center}}\n",
                    tex(&figure.caption)
                )
            }
            Err(error) => writeln!(out, "% {error}"),
        },
        Block::List(items) => {
            let items: String =
                items.iter().map(|item| format!("\\item {}\n", tex(item))).collect();
            writeln!(out, "\\begin{{itemize}}\n{items}\\end{{itemize}}")
        }
        Block::Code(lines) => {
            let lines: Vec<String> = lines.iter().flat_map(|line| wrapped(line)).collect();
            writeln!(out, "\\begin{{verbatim}}\n{}\n\\end{{verbatim}}", lines.join("\n"))
        }
        Block::Sources(sources) => {
            let items: String = sources
                .iter()
                .enumerate()
                .map(|(i, s)| format!("\\bibitem{{s{}}} {}.\n", i + 1, tex(s)))
                .collect();
            writeln!(out, "\\begin{{thebibliography}}{{9}}\n{items}\\end{{thebibliography}}")
        }
    };
}

/// Breaks a command into lines that fit and that a shell still reads as one.
fn wrapped(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + word.len() > 76 {
            // Inside quotes a line may break at a space, because formulas may span lines.
            let quoted = lines.concat().matches('\'').count() % 2 == 1;
            lines[last].push_str(if quoted { "" } else { " \\" });
            lines.push(format!("  {word}"));
        } else if lines[last].is_empty() {
            lines[last].push_str(word);
        } else {
            lines[last] = format!("{} {word}", lines[last]);
        }
    }
    lines
}

fn write_statement(out: &mut String, Statement { kind, lead, forms, proof }: &Statement) {
    let name = kind.name().to_ascii_lowercase();
    let _ = writeln!(out, "\\begin{{{name}}}\n{}", tex(lead));
    for (words, form) in forms {
        if !words.is_empty() {
            let _ = writeln!(out, "\\par {}", tex(words));
        }
        let _ = match form {
            PaperForm::Words(words) => writeln!(out, "{}", tex(words)),
            PaperForm::Cases(cases) => {
                let lines: Vec<String> = cases.iter().enumerate().flat_map(case).collect();
                writeln!(out, "\\begin{{align*}}\n{}\n\\end{{align*}}", lines.join(" \\\\\n"))
            }
            PaperForm::None => Ok(()),
        };
    }
    let _ = writeln!(out, "\\end{{{name}}}");
    if !proof.is_empty() {
        let _ = match kind {
            StatementKind::Theorem => {
                writeln!(out, "\\begin{{proof}}\n{}\n\\end{{proof}}\n", tex(proof))
            }
            _ => writeln!(out, "{}\n", tex(proof)),
        };
    }
}

/// Returns the lines of one alternative.
fn case((number, parts): (usize, &Vec<Formula>)) -> Vec<String> {
    let mut lines = vec![if number == 0 { "&".to_owned() } else { "\\lor{} &".to_owned() }];
    let mut length = 0;
    for (i, part) in parts.iter().enumerate() {
        let width = part.to_string().len();
        if length + width > LINE && i > 0 {
            lines.push("&\\quad".into());
            length = 0;
        }
        length += width;
        let set = if needs_parentheses(part) { format!("({})", latex(part)) } else { latex(part) };
        let last = lines.len() - 1;
        let and = if i > 0 { " \\land" } else { "" };
        lines[last] = format!("{}{and} {set}", lines[last]);
    }
    lines
}
