//! A study as a file to keep: HTML with MathML and a picture, LaTeX, or JSON; with the command that makes each figure.

use crate::commands::{called, listed};
use crate::fault::Fault;
use bouton_conjecture::{ClosedForm, Table, latex, mathml};
use bouton_draw::sheet::What;
use bouton_draw::{Picture, Sheet, svg};
use bouton_logic::{Claim, Formula};
use bouton_rules::Play;
use bouton_study::{Board, Ending, Line};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The greatest heap that a picture shows.
const PICTURED: u64 = 31;
/// P-positions that a report lists.
const LISTED: usize = 40;

/// What a report is made of.
pub struct Report<'r> {
    pub game: &'r str,
    pub rules: &'r str,
    pub play: Play,
    pub line: &'r Line,
    /// The study as `--json` prints it.
    pub value: &'r Value,
}

impl Report<'_> {
    /// Writes the report in the format that the file's name asks for.
    pub fn write(&self, path: &str) -> Result<(), Fault> {
        let text = match path.rsplit_once('.').map(|(_, end)| end) {
            Some("json") => format!("{:#}\n", self.json()),
            Some("tex") => self.tex(),
            Some("html") => self.html(),
            _ => return Err(Fault::Usage(format!("--report {path}: the name ends in .html, .tex or .json"))),
        };
        std::fs::write(path, text).map_err(|error| Fault::File(path.into(), error))
    }

    fn verdict(&self) -> (&'static str, String) {
        let to = self.line.boards.iter().map(Board::holds_to).min().unwrap_or(0);
        match &self.line.ending {
            Ending::Proved(_) => ("Proved for all heap sizes", String::new()),
            Ending::Holds(why) => ("Holds", format!("for heaps up to {to}; not proved: {why}")),
            Ending::Refuted(found, _) => ("Refuted beyond the tables", found.to_string()),
            Ending::NoForm => ("No form found", "the best partial description stands below".into()),
        }
    }

    /// Every board's form, as formulas where they are some.
    fn statements(&self) -> Vec<(usize, String, Option<Formula>)> {
        let last = |board: &Board| {
            let form = &board.rounds.last()?.found.form;
            // An automaton is read more easily as it is.
            let text = form.text().filter(|_| !matches!(form, ClosedForm::Automaton(_)));
            let claim = text.and_then(|text| Claim::parse(&text, board.heaps).ok());
            Some((board.heaps, form.to_string(), claim.map(|claim| claim.formula().clone())))
        };
        self.line.boards.iter().rev().filter_map(last).collect()
    }

    fn figures(&self) -> Vec<Option<Figure>> {
        let figure = |board: &Board| Figure::of(self.game, self.play, board.table.as_ref()?);
        self.line.boards.iter().map(figure).collect()
    }

    fn json(&self) -> Value {
        let mut value = self.value.clone();
        value["verdict_in_words"] = json!(self.verdict().0);
        value["statements"] = self
            .statements()
            .into_iter()
            .map(|(heaps, words, formula)| json!({"heaps": heaps, "form": words, "latex": formula.as_ref().map(latex)}))
            .collect();
        let figure = |f: &Figure| json!({"caption": f.caption, "svg": f.picture.svg(), "command": f.command});
        value["figures"] = self.figures().iter().flatten().map(figure).collect();
        value["commands"] = json!(self.commands());
        value
    }

    /// What each figure is made by.
    fn commands(&self) -> Vec<String> {
        let misere = if self.play == Play::Misere { " --misere" } else { "" };
        let bouton = called(self.game);
        let mut all = vec![format!("{bouton} study '{}'{misere}", self.game)];
        if let Some(round) = self.line.boards.last().and_then(|board| board.rounds.last()) {
            all.push(format!("{bouton} positions '{}' --max {}{misere}", self.game, round.max));
            if let Some(form) = round.found.form.text() {
                let smaller = self.line.boards.iter().rev().skip(1).filter_map(|board| {
                    Some(format!(" --smaller '{}: {}'", board.heaps, board.rounds.last()?.found.form.text()?))
                });
                all.push(format!(
                    "{bouton} prove '{}' --claim '{form}'{}{misere}",
                    self.game,
                    smaller.collect::<String>()
                ));
            }
        }
        all.extend(self.figures().into_iter().flatten().map(|figure| figure.command));
        all
    }

    /// Published claims: name, form, verdict.
    fn published(&self) -> Vec<[String; 3]> {
        let text = |claim: &Value, key: &str| claim[key].as_str().unwrap_or_default().to_owned();
        let all = self.value["published"].as_array().map(Vec::as_slice).unwrap_or_default();
        let row = |c: &Value| {
            let mut verdict = text(c, "verdict");
            match c["disagreement"]["position"].as_str() {
                Some(position) => verdict += &format!(", at {position}"),
                None => verdict += &format!(", heaps up to {}", c["max"]),
            }
            [format!("{} ({})", text(c, "claim"), text(c, "source")), text(c, "form"), verdict]
        };
        all.iter().map(row).collect()
    }

    fn html(&self) -> String {
        let mut out = String::new();
        let (verdict, more) = self.verdict();
        let _ = write!(
            out,
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title>\n<style>body{{font:17px/1.5 serif;max-width:50rem;margin:2rem auto;padding:0 1rem}}table{{border-collapse:collapse}}td,th{{padding:.1rem .8rem;text-align:right;border-bottom:1px solid #bbb}}code{{font-size:.85em}}pre{{white-space:pre-wrap}}math{{display:inline-block;max-width:100%;overflow-x:auto}}</style>\n<h1>{0}</h1>\n<p>{1}{2}</p>\n<p><strong>{verdict}</strong> {3}</p>\n",
            escape(self.game),
            escape(self.rules),
            if self.play == Play::Misere { " Misère play: who cannot move wins." } else { "" },
            escape(&more),
        );
        for (heaps, words, formula) in self.statements() {
            let set = formula.map_or_else(|| escape(&words), |formula| mathml(&formula));
            let _ = writeln!(out, "<p>{}, up to symmetry, P iff {set}</p>", counted(heaps));
        }
        let figures = self.figures();
        for (board, figure) in self.line.boards.iter().zip(&figures) {
            let _ = writeln!(
                out,
                "<h2>Tables, {}</h2>\n<table><tr><th>heaps up to<th>classes of P-positions<th>missed<th>table, s<th>search, s<th>agrees up to",
                counted(board.heaps)
            );
            for round in &board.rounds {
                let agrees = match &round.checked {
                    Some((max, None)) => max.to_string(),
                    Some((max, Some(at))) => format!("fails below {max}: {}", listed(at)),
                    None => String::new(),
                };
                let _ = writeln!(
                    out,
                    "<tr><td>{}<td>{}<td>{}<td>{:.2}<td>{:.2}<td>{agrees}",
                    round.max,
                    round.found.classes,
                    round.found.missed_count,
                    round.table_seconds,
                    round.search_seconds
                );
            }
            out.push_str("</table>\n");
            if let Some(table) = &board.table {
                let some: Vec<String> = table.classes().take(LISTED).map(|p| listed(&p)).collect();
                let _ = writeln!(out, "<p>P-positions: {} …</p>", some.join(", &#x2003;"));
            }
            if let Some(figure) = figure {
                let _ = writeln!(
                    out,
                    "<figure>{}<figcaption>{}</figcaption></figure>",
                    svg::inline(&figure.picture.scene(), |_| None),
                    escape(&figure.caption)
                );
            }
        }
        if let Ending::Proved(_) = self.line.ending {
            let _ = writeln!(out, "<p>The proof took {:.2} s.</p>", self.line.proof_seconds);
        }
        let published = self.published();
        if !published.is_empty() {
            out.push_str("<h2>Published</h2>\n<ul>\n");
            for [name, form, verdict] in published {
                let _ = writeln!(
                    out,
                    "<li>{}: <code>{}</code> {}",
                    escape(&name),
                    escape(&form),
                    escape(&verdict)
                );
            }
            out.push_str("</ul>\n");
        }
        out.push_str("<h2>To make it again</h2>\n<pre>\n");
        self.commands().iter().for_each(|command| {
            let _ = writeln!(out, "{}", escape(command));
        });
        out.push_str("</pre>\n</html>\n");
        out
    }

    fn tex(&self) -> String {
        let mut out =
            String::from("\\documentclass{article}\n\\usepackage{amsmath,amssymb,tikz}\n\\begin{document}\n");
        let (verdict, more) = self.verdict();
        let _ = writeln!(
            out,
            "\\section*{{{}}}\n{}{}\n\n\\textbf{{{verdict}}} {}\n",
            tex(self.game),
            tex(self.rules),
            if self.play == Play::Misere { " Mis\\`ere play: who cannot move wins." } else { "" },
            tex(&more)
        );
        for (heaps, words, formula) in self.statements() {
            match formula {
                // Long formulas break before their cases.
                Some(formula) => {
                    let set = latex(&formula).replace(" \\lor ", " \\\\\n  &\\lor ");
                    let _ = writeln!(
                        out,
                        "{}, up to symmetry, P iff\n\\begin{{align*}}\n  &{set}\n\\end{{align*}}",
                        counted(heaps)
                    );
                }
                None => {
                    let _ = writeln!(out, "{}, up to symmetry, P iff {}\n", counted(heaps), tex(&words));
                }
            }
        }
        let figures = self.figures();
        for (board, figure) in self.line.boards.iter().zip(&figures) {
            let _ = writeln!(
                out,
                "\\subsection*{{Tables, {}}}\n\\begin{{tabular}}{{rrrrr}}\nheaps up to & classes of P & missed & table, s & search, s \\\\ \\hline",
                counted(board.heaps)
            );
            for round in &board.rounds {
                let _ = writeln!(
                    out,
                    "{} & {} & {} & {:.2} & {:.2} \\\\",
                    round.max,
                    round.found.classes,
                    round.found.missed_count,
                    round.table_seconds,
                    round.search_seconds
                );
            }
            out.push_str("\\end{tabular}\n\n");
            if let Some(figure) = figure
                && let Ok(picture) = figure.picture.tikz()
            {
                let _ = writeln!(out, "\\bigskip\n{picture}\n\n{}\n", tex(&figure.caption));
            }
        }
        for [name, form, verdict] in self.published() {
            let _ = writeln!(
                out,
                "\\paragraph{{{}}} \\verb|{}| {}\n",
                tex(&name),
                form.replace('|', "or"),
                tex(&verdict)
            );
        }
        out.push_str("\\subsection*{To make it again}\n\\begin{verbatim}\n");
        self.commands().iter().for_each(|command| {
            let _ = writeln!(out, "{command}");
        });
        out.push_str("\\end{verbatim}\n\\end{document}\n");
        out
    }
}

/// A picture and the command that makes it again.
struct Figure {
    picture: Picture,
    caption: String,
    command: String,
}

impl Figure {
    /// The slice of a table, two heaps free and the others fixed, that has most P-positions.
    fn of(game: &str, play: Play, table: &Table) -> Option<Figure> {
        if table.heaps() < 2 {
            return None;
        }
        let mut counts: BTreeMap<&[u16], usize> = BTreeMap::new();
        table.p_positions().for_each(|p| *counts.entry(&p[2..]).or_default() += 1);
        let (rest, _) = counts.into_iter().max_by_key(|(rest, count)| (*count, Reverse(*rest)))?;
        let (least, most) = (table.least(), table.most().min(PICTURED));
        let mut p = [&[0, 0], rest].concat().iter().map(|x| i64::from(*x)).collect::<Vec<i64>>();
        let mut cells = Vec::new();
        for y in least..=most {
            for x in least..=most {
                (p[0], p[1]) = (x as i64, y as i64);
                cells.push(Some(i64::from(!table.is_p(&p))));
            }
        }
        let position = rest.iter().fold("x,y".to_owned(), |text, heap| format!("{text},{heap}"));
        let misere = if play == Play::Misere { " --misere" } else { "" };
        let command = format!(
            "{} heatmap '{game}' {position} --x {least}..{most} --y {least}..{most}{misere} -o figure.svg",
            called(game)
        );
        let sheet = Sheet {
            game: game.into(),
            position: Some(position),
            play,
            what: What::Outcome,
            x: least..=most,
            y: least..=most,
            cells,
            spent: None,
        };
        Some(Figure { caption: sheet.title(), picture: sheet.picture(), command })
    }
}

/// A number of heaps in words.
fn counted(heaps: usize) -> String {
    if heaps == 1 { "1 heap".into() } else { format!("{heaps} heaps") }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn tex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            '<' | '>' | '|' | '=' => {
                let _ = write!(out, "${c}$");
            }
            '≥' => out.push_str("$\\ge$"),
            '≤' => out.push_str("$\\le$"),
            '→' => out.push_str("$\\to$"),
            'Γ' => out.push_str("$\\Gamma$"),
            c => out.push(c),
        }
    }
    out
}
