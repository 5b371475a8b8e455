//! The atlas as a page: `index.html`, its style and program, and a file of data a plan. It needs no server: a browser opens the
//! file as it lies on the disk, and any host of plain files will do.

use crate::Counts;
use crate::atlas::Atlas;
use crate::entry::Entry;
use bouton_draw::svg::escape;
use serde_json::{Value, json};
use std::fmt::Write;

/// The files, name and content.
pub fn site(atlases: &[Atlas]) -> Vec<(String, String)> {
    let mut files = vec![
        ("index.html".to_owned(), page(atlases)),
        ("atlas.css".to_owned(), include_str!("../site/atlas.css").to_owned()),
        ("atlas.js".to_owned(), include_str!("../site/atlas.js").to_owned()),
    ];
    files.extend(atlases.iter().map(|atlas| (format!("data-{}.js", atlas.plan), data(atlas))));
    files
}

/// The page: what stands in it without a program, and where the program puts the rows.
fn page(atlases: &[Atlas]) -> String {
    let mut rows = String::new();
    let mut options = String::new();
    let mut scripts = String::new();
    for atlas in atlases {
        let c = Counts::of(atlas);
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{}</th><td class=\"about\">{}</td><td>{} of {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
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

/// The rows of a plan as a program that hands them to the page: a page from the disk may not read other files.
fn data(atlas: &Atlas) -> String {
    let rows: Vec<Value> = atlas.rows.iter().map(|(_, row)| value(row)).collect();
    let told = json!({"plan": atlas.plan, "about": atlas.about, "version": atlas.version, "budget": atlas.budget, "rows": rows});
    // No end tag of a script can come out of this, whatever the texts are.
    format!("(window.ATLAS = window.ATLAS || []).push({});\n", told.to_string().replace('<', "\\u003c"))
}

fn value(row: &Entry) -> Value {
    let mut value = serde_json::to_value(row).unwrap_or_default();
    // The picture is data in its turn.
    value["picture"] =
        row.picture.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    value
}
