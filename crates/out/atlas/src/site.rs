//! The atlas as a page: `index.html`, its style and script, and one data file per plan. The page
//! needs no server: a browser opens it from the disk, and any host of static files serves it.

use crate::atlas::Atlas;
use crate::counts;
use crate::entry::Entry;
use bouton_draw::svg::escape;
use bouton_draw::typeface;
use serde_json::{Value, json};
use std::fmt::Write;

/// The style of the page, behind what it has in common with the pages of the server and reports.
const STYLE: &str = include_str!("../site/atlas.css");

/// Returns the files of the page, as names and contents.
pub fn site(atlases: &[Atlas]) -> Vec<(String, String)> {
    let mut files = vec![
        ("index.html".to_owned(), page(atlases)),
        // A page from the disk is drawn before it has other files.
        ("atlas.css".to_owned(), typeface::embedded() + bouton_draw::STYLE + STYLE),
        ("atlas.js".to_owned(), include_str!("../site/atlas.js").to_owned()),
    ];
    files.extend(atlases.iter().map(|atlas| (format!("data-{}.js", atlas.plan), data(atlas))));
    files
}

/// Returns `index.html`: the counts, and the place where the script inserts the rows.
fn page(atlases: &[Atlas]) -> String {
    let mut rows = String::new();
    let mut options = String::new();
    let mut scripts = String::new();
    for atlas in atlases {
        let c = counts(atlas);
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{}</th><td class=\"about\">{}</td><td>{} of {}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&atlas.plan),
            escape(&format!("{}; each at most {}", atlas.about, atlas.budget)),
            c.studied,
            c.games,
            c.proved,
            c.holds,
            c.refuted,
            c.none
        );
        let plan = escape(&atlas.plan);
        let _ = write!(options, "<option value=\"{plan}\">{plan}</option>");
        let _ = writeln!(scripts, "<script src=\"data-{plan}.js\"></script>");
    }
    include_str!("../site/index.html")
        .replace("<!--counts-->", &rows)
        .replace("<!--plans-->", &options)
        .replace("<!--data-->", &scripts)
}

/// Returns the rows of a plan as a script, because a page from the disk may not read other files.
fn data(atlas: &Atlas) -> String {
    let rows: Vec<Value> = atlas.rows.iter().map(|(_, row)| value(row)).collect();
    let data = json!({
        "plan": atlas.plan,
        "about": atlas.about,
        "version": atlas.version,
        "budget": atlas.budget,
        "rows": rows,
    });
    // Escaping `<` excludes an end tag of a script in any text.
    format!(
        "(window.ATLAS = window.ATLAS || []).push({});\n",
        data.to_string().replace('<', "\\u003c")
    )
}

fn value(row: &Entry) -> Value {
    let mut value = serde_json::to_value(row).unwrap_or_default();
    // The picture is JSON inside a text.
    value["picture"] =
        row.picture.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    value
}
