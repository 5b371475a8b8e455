//! A study as one HTML file, with MathML and inline pictures.

use crate::paper::{Block, Paper, PaperForm, Statement, StatementKind, needs_parentheses};
use bouton_conjecture::mathml;
use bouton_draw::svg::{self, escape};
use bouton_prover::Formula;
use std::fmt::Write;

/// The style of a report, behind what it has in common with the pages of the server and the atlas.
const STYLE: &str = "\
    body{max-width:56rem;margin:0 auto;padding:1.5rem 1rem}p{overflow-wrap:anywhere}\
    td,th{text-align:right}table{display:block;overflow-x:auto}\
    pre{white-space:pre-wrap;overflow-wrap:anywhere}figure{margin:1rem 0}\
    svg{max-width:100%;height:auto}\
    .statement{border-left:.3rem solid var(--accent);background:var(--accent-soft);\
    padding:.25rem 1rem;margin:1rem 0;border-radius:0 .5rem .5rem 0}\
    .refuted{border-color:var(--warm);background:var(--warm-soft)}\
    .case{margin:.2rem 0 .2rem 1.5rem}@media print{body{background:none}}";

/// Returns the paper as a page. `typefaces` is their style sheet; without it, the page is shown in
/// those of the system.
pub(crate) fn write(paper: &Paper, typefaces: &str) -> String {
    let title = escape(&paper.title);
    let common = bouton_draw::STYLE;
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}</title>\n<style>{typefaces}{common}{STYLE}</style>\n<h1>{title}</h1>\n"
    );
    blocks(&mut out, paper);
    out.push_str("</html>\n");
    out
}

/// Returns the paper as a part of another page: the title as a second-level heading, and the rest.
pub(crate) fn article(paper: &Paper) -> String {
    let mut out = format!("<article class=\"paper\"><h2>{}</h2>\n", escape(&paper.title));
    let mut body = String::new();
    blocks(&mut body, paper);
    out.push_str(&body.replace("<h2>", "<h3>").replace("</h2>", "</h3>"));
    out + "</article>\n"
}

fn blocks(out: &mut String, paper: &Paper) {
    for block in &paper.blocks {
        write_block(out, block);
    }
}

fn write_block(out: &mut String, block: &Block) {
    let _ = match block {
        Block::Heading(text) => writeln!(out, "<h2>{}</h2>", escape(text)),
        Block::Text(text) => writeln!(out, "<p>{}</p>", escape(text)),
        Block::Statement(statement) => {
            write_statement(out, statement);
            Ok(())
        }
        Block::Table(head, rows) => {
            let cells = |cells: &[String], name: &str| {
                cells.iter().map(|cell| format!("<{name}>{}", escape(cell))).collect::<String>()
            };
            let rows: String =
                rows.iter().map(|row| format!("\n<tr>{}", cells(row, "td"))).collect();
            writeln!(out, "<table><tr>{}{rows}</table>", cells(head, "th"))
        }
        Block::Figure(figure) => writeln!(
            out,
            "<figure>{}<figcaption>{}</figcaption></figure>",
            svg::inline(&figure.scene, |_| None),
            escape(&figure.caption)
        ),
        Block::List(items) => list(out, "ul", items),
        Block::Code(lines) => writeln!(out, "<pre>{}</pre>", escape(&lines.join("\n"))),
        Block::Sources(sources) => {
            out.push_str("<h2>References</h2>\n");
            list(out, "ol", sources)
        }
    };
}

fn list(out: &mut String, kind: &str, items: &[String]) -> std::fmt::Result {
    let items: String = items.iter().map(|item| format!("<li>{}\n", escape(item))).collect();
    writeln!(out, "<{kind}>\n{items}</{kind}>")
}

fn write_statement(out: &mut String, Statement { kind, lead, forms, proof }: &Statement) {
    let class = if *kind == StatementKind::Refuted { "statement refuted" } else { "statement" };
    let _ = writeln!(
        out,
        "<div class=\"{class}\"><p><strong>{}.</strong> {}</p>",
        kind.name(),
        escape(lead)
    );
    for (words, form) in forms {
        if !words.is_empty() {
            let _ = writeln!(out, "<p>{}</p>", escape(words));
        }
        match form {
            PaperForm::Words(words) => {
                let _ = writeln!(out, "<p class=\"case\">{}</p>", escape(words));
            }
            PaperForm::Cases(cases) => write_cases(out, cases),
            PaperForm::None => {}
        }
    }
    if !proof.is_empty() {
        let name = if *kind == StatementKind::Theorem { "<em>Proof.</em> " } else { "" };
        let _ = writeln!(out, "<p class=\"proof\">{name}{}</p>", escape(proof));
    }
    out.push_str("</div>\n");
}

/// Writes the alternatives of a form, one a line.
pub(crate) fn write_cases(out: &mut String, cases: &[Vec<Formula>]) {
    for (i, case) in cases.iter().enumerate() {
        let or = if i > 0 { "or " } else { "" };
        let parts: Vec<String> = case.iter().map(part).collect();
        let _ = writeln!(out, "<p class=\"case\">{or}{}</p>", parts.join(" and "));
    }
}

/// Returns a formula that may be a part of a conjunction; lines break between such parts.
fn part(formula: &Formula) -> String {
    if needs_parentheses(formula) { format!("({})", mathml(formula)) } else { mathml(formula) }
}
