//! `cargo xtask architecture` draws the crates and their dependencies into
//! docs/design/architecture.svg.
//!
//! The tables of docs/design/architecture.md say which layer may use which; a test compares the
//! workspace with them.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const PAGE: &str = "docs/design/architecture.md";
const PICTURE: &str = "docs/design/architecture.svg";

/// Draws the picture.
pub fn write(root: &Path) -> Result<(), String> {
    let (workspace, layers) = (Workspace::read(root)?, Layers::read(root)?);
    let violations = layers.violations(&workspace);
    if !violations.is_empty() {
        return Err(violations.join("\n"));
    }
    let file = root.join(PICTURE);
    std::fs::write(&file, draw(&workspace, &layers))
        .map_err(|error| format!("{}: {error}", file.display()))
}

/// The crates of the folder `crates` with their dependencies, without those of their tests.
struct Workspace {
    /// By name without `bouton-`: the folder, and the crates of the workspace that the crate uses.
    crates: BTreeMap<String, (String, BTreeSet<String>)>,
    /// By name: the external crates that the crate uses.
    external: BTreeMap<String, BTreeSet<String>>,
}

impl Workspace {
    fn read(root: &Path) -> Result<Workspace, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
        let output = Command::new(cargo).args(arguments).current_dir(root).output();
        let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
        let metadata: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("cargo metadata: {error}"))?;
        let packages = metadata["packages"].as_array().ok_or("cargo metadata: no packages")?;
        let mut workspace = Workspace { crates: BTreeMap::new(), external: BTreeMap::new() };
        for package in packages {
            let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
            // crates/FOLDER/NAME/Cargo.toml
            let folder = manifest.strip_prefix(root.join("crates")).ok().and_then(Path::parent);
            let Some(folder) = folder.and_then(Path::parent).and_then(Path::to_str) else {
                continue;
            };
            let (mut internal, mut external) = (BTreeSet::new(), BTreeSet::new());
            for dependency in package["dependencies"].as_array().into_iter().flatten() {
                if !dependency["kind"].is_null() {
                    continue;
                }
                let name = dependency["name"].as_str().unwrap_or_default();
                match dependency["path"].is_null() {
                    true => external.insert(name.to_owned()),
                    false => internal.insert(short(name)),
                };
            }
            let name = short(package["name"].as_str().unwrap_or_default());
            workspace.external.insert(name.clone(), external);
            workspace.crates.insert(name, (folder.to_owned(), internal));
        }
        Ok(workspace)
    }
}

fn short(name: &str) -> String {
    name.strip_prefix("bouton-").unwrap_or(name).to_owned()
}

/// The tables of the page: the layers from below, and the homes of external crates.
struct Layers {
    /// A folder, or one crate of a folder as `proof/check`; the layers that it may use; its crates.
    layers: Vec<(String, BTreeSet<String>, BTreeSet<String>)>,
    /// An external crate, and the crates that may use it.
    homes: Vec<(String, BTreeSet<String>)>,
}

impl Layers {
    fn read(root: &Path) -> Result<Layers, String> {
        let text =
            std::fs::read_to_string(root.join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
        let layers = rows(&text, "| layer |").map(|cells| match &cells[..] {
            [layer, used, crates, ..] => Ok((layer.clone(), list(used), list(crates))),
            _ => Err(format!("{PAGE}: a layer without what it may use, or without crates")),
        });
        let homes = rows(&text, "| crate of others |").map(|cells| match &cells[..] {
            [name, crates, ..] => Ok((name.clone(), list(crates))),
            _ => Err(format!("{PAGE}: a crate of others without a home")),
        });
        let (layers, homes) =
            (layers.collect::<Result<Vec<_>, _>>()?, homes.collect::<Result<Vec<_>, _>>()?);
        if layers.is_empty() || homes.is_empty() {
            return Err(format!("{PAGE}: the tables of layers and of homes are missing"));
        }
        Ok(Layers { layers, homes })
    }

    /// Returns the number of the layer of a crate.
    fn layer_of(&self, folder: &str, name: &str) -> Option<usize> {
        let place = |layer: &str| self.layers.iter().position(|(known, _, _)| known == layer);
        place(&format!("{folder}/{name}")).or_else(|| place(folder))
    }

    /// Describes every difference between the workspace and the page in a sentence.
    fn violations(&self, workspace: &Workspace) -> Vec<String> {
        let mut violations = Vec::new();
        for (layer, _, crates) in &self.layers {
            let there = |name: &String, folder: &String| {
                self.layer_of(folder, name)
                    .is_some_and(|internal| self.layers[internal].0 == *layer)
            };
            let found = workspace.crates.iter().filter(|(name, (folder, _))| there(name, folder));
            let found: BTreeSet<String> = found.map(|(name, _)| name.clone()).collect();
            if found != *crates {
                violations.push(format!(
                    "{PAGE} says that layer {layer} is {crates:?}; there is {found:?}"
                ));
            }
        }
        for (name, (folder, used)) in &workspace.crates {
            let Some(internal) = self.layer_of(folder, name) else {
                violations.push(format!("{PAGE} has no layer for crates/{folder}/{name}"));
                continue;
            };
            let (layer, allowed, _) = &self.layers[internal];
            for other in used {
                let home = workspace
                    .crates
                    .get(other)
                    .and_then(|(folder, _)| self.layer_of(folder, other));
                if home.is_none_or(|home| !allowed.contains(&self.layers[home].0)) {
                    violations.push(format!("{name} uses {other}, which layer {layer} may not"));
                }
            }
            for (other, homes) in &self.homes {
                if workspace.external[name].contains(other) && !homes.contains(name) {
                    violations.push(format!("{name} uses {other}, which is for {homes:?} alone"));
                }
            }
        }
        violations
    }
}

/// Returns the rows of the table with this header, as cells without markup.
fn rows<'t>(text: &'t str, head: &'t str) -> impl Iterator<Item = Vec<String>> + 't {
    let lines = text.lines().skip_while(move |line| !line.starts_with(head)).skip(2);
    lines.take_while(|line| line.starts_with('|')).map(|line| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().replace('`', "")).collect()
    })
}

/// Returns the words of a cell; a dash stands for none.
fn list(cell: &str) -> BTreeSet<String> {
    cell.split(',').map(|word| word.trim().to_owned()).filter(|word| word != "–").collect()
}

/// Lengths of the picture: its width, a box, the height of a row, and the margins above and below.
const WIDTH: i32 = 960;
const BOX: i32 = 96;
const HEIGHT: i32 = 26;
const ROW: i32 = 58;
const MARGIN: i32 = 12;

/// Draws layers as bands, the lowest at the bottom. An arrow that other arrows imply is left out.
fn draw(workspace: &Workspace, layers: &Layers) -> String {
    let used = |name: &str| workspace.crates.get(name).map(|(_, used)| used).into_iter().flatten();
    // Returns the number of crates of the same layer below a crate.
    fn depth(name: &str, layer: &BTreeSet<String>, workspace: &Workspace) -> usize {
        let below = workspace.crates.get(name).map(|(_, used)| used).into_iter().flatten();
        let below = below.filter(|other| layer.contains(*other));
        below.map(|other| depth(other, layer, workspace) + 1).max().unwrap_or(0)
    }
    // The rows from below, each with its layer.
    let mut all: Vec<(usize, Vec<&str>)> = Vec::new();
    for (number, (_, _, crates)) in layers.layers.iter().enumerate() {
        let mut internal: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        crates.iter().for_each(|name| {
            internal.entry(depth(name, crates, workspace)).or_default().push(name)
        });
        all.extend(internal.into_values().map(|row| (number, row)));
    }
    let height = ROW * all.len() as i32 + 2 * MARGIN;
    let top = |row: usize| height - MARGIN - ROW * (row as i32 + 1) + (ROW - HEIGHT) / 2;
    // Each crate is placed above the middle of the crates it uses, as far as the order of its row
    // allows. Rows are shifted until few arrows pass behind a box.
    let mut place: BTreeMap<&str, (i32, i32)> = BTreeMap::new();
    for (number, (_, row)) in all.iter_mut().enumerate() {
        let wanted = |name: &str| {
            let below: Vec<i32> =
                used(name).filter_map(|other| Some(place.get(other.as_str())?.0)).collect();
            if below.is_empty() {
                WIDTH / 2
            } else {
                below.iter().sum::<i32>() / below.len() as i32
            }
        };
        row.sort_by_key(|name| (wanted(name), *name));
        let gap = (WIDTH - 140) / row.len().max(3) as i32;
        let at = |i: i32, aside: i32| {
            WIDTH / 2 + 40 + aside + gap * i - gap * (row.len() as i32 - 1) / 2
        };
        let mut arrows = Vec::new();
        for (name, i) in row.iter().zip(0..) {
            let shown = used(name).filter(|other| !is_implied(name, other, workspace));
            arrows.extend(shown.map(|other| (i, place[other.as_str()])));
        }
        let hidden = |aside: i32| -> usize {
            let crossed = arrows.iter().map(|(i, to)| {
                let from = (at(*i, aside), top(number) + HEIGHT);
                place.values().filter(|corner| is_crossed(**corner, from, *to)).count()
            });
            crossed.sum()
        };
        let free = (at(0, 0) - 110 - BOX / 2).max(0) / 20;
        let aside =
            (-free..=free).map(|step| 20 * step).min_by_key(|aside| (hidden(*aside), aside.abs()));
        let places: Vec<(&str, (i32, i32))> = row
            .iter()
            .zip(0..)
            .map(|(name, i)| (*name, (at(i, aside.unwrap_or(0)), top(number))))
            .collect();
        place.extend(places);
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>The crates of Bouton; an arrow leads to what is used</title>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"6\" \
         markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" \
         fill=\"#667\"/></marker></defs>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    // Writing into a string does not fail.
    for (number, (layer, _, _)) in layers.layers.iter().enumerate() {
        let internal: Vec<usize> = (0..all.len()).filter(|row| all[*row].0 == number).collect();
        let (Some(first), Some(last)) = (internal.first(), internal.last()) else { continue };
        let (y, high) =
            (height - MARGIN - ROW * (*last as i32 + 1), ROW * (last - first + 1) as i32);
        let shade = ["#f3f5f8", "#fafbfc"][number % 2];
        let _ = writeln!(
            svg,
            "<rect x=\"0\" y=\"{y}\" width=\"{WIDTH}\" height=\"{high}\" fill=\"{shade}\"/>\
             <text x=\"8\" y=\"{}\" fill=\"#556\">{layer}</text>",
            y + high / 2 + 4
        );
    }
    for (name, (x, y)) in &place {
        for other in used(name).filter(|other| !is_implied(name, other, workspace)) {
            let (to_x, to_y) = place[other.as_str()];
            let (from_y, bend) = (y + HEIGHT, (to_y - y - HEIGHT) / 2);
            let _ = writeln!(
                svg,
                "<path d=\"M{x} {from_y}C{x} {} {to_x} {} {to_x} {to_y}\" fill=\"none\" \
                 stroke=\"#99a\" marker-end=\"url(#tip)\"/>",
                from_y + bend,
                to_y - bend
            );
        }
    }
    for (name, (x, y)) in &place {
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{y}\" width=\"{BOX}\" height=\"{HEIGHT}\" rx=\"4\" fill=\"#fff\" \
             stroke=\"#334\"/><text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
            x - BOX / 2,
            y + HEIGHT / 2 + 5
        );
    }
    svg + "</svg>\n"
}

/// Returns whether an arrow passes behind a box, given by the middle of its upper edge.
fn is_crossed((x, y): (i32, i32), from: (i32, i32), to: (i32, i32)) -> bool {
    // The points of the curve at t = i/32, in units of 32³; the two inner control points are
    // half-way down.
    let middle = (from.1 + to.1) / 2;
    (1..32i64).any(|i| {
        let (s, t) = (32 - i, i);
        let [first, second] = [s * s * s + 3 * s * s * t, 3 * s * t * t + t * t * t];
        let across = (first * i64::from(from.0) + second * i64::from(to.0)) / 32_768;
        let inner = 3 * s * s * t + 3 * s * t * t;
        let down =
            s * s * s * i64::from(from.1) + inner * i64::from(middle) + t * t * t * i64::from(to.1);
        let (across, down) = (across as i32, (down / 32_768) as i32);
        (across - x).abs() <= BOX / 2 + 4
            && (y..=y + HEIGHT).contains(&down)
            && down < to.1
            && down > from.1
    })
}

/// Returns whether a crate also uses another by way of a third one.
fn is_implied(name: &str, other: &str, workspace: &Workspace) -> bool {
    fn reaches(from: &str, to: &str, workspace: &Workspace) -> bool {
        let used = workspace.crates.get(from).map(|(_, used)| used).into_iter().flatten();
        used.into_iter().any(|next| next == to || reaches(next, to, workspace))
    }
    let used = workspace.crates.get(name).map(|(_, used)| used).into_iter().flatten();
    used.into_iter().any(|third| third != other && reaches(third, other, workspace))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
    }

    #[test]
    fn crates_use_what_the_page_allows() {
        let (workspace, layers) = (Workspace::read(root()).unwrap(), Layers::read(root()).unwrap());
        assert!(workspace.crates.len() > 20);
        assert_eq!(layers.violations(&workspace), Vec::<String>::new());
    }

    /// Files of the code that the page names with a folder exist, from the root or from a layer on.
    #[test]
    fn files_that_the_page_names_are_there() {
        let page = std::fs::read_to_string(root().join(PAGE)).unwrap();
        let layers =
            std::fs::read_dir(root().join("crates")).unwrap().map(|layer| layer.unwrap().path());
        let from: Vec<_> = layers.chain([root().to_owned()]).collect();
        let named = page.split('`').skip(1).step_by(2);
        let files: Vec<&str> = named
            .filter(|span| span.contains('/') && span.ends_with(".rs") && !span.contains(' '))
            .collect();
        let missing: Vec<_> = files
            .iter()
            .filter(|file| !from.iter().any(|folder| folder.join(file).exists()))
            .collect();
        assert!(files.len() > 10 && missing.is_empty(), "{missing:?} of {files:?}");
    }

    /// A forbidden dependency is detected.
    #[test]
    fn an_arrow_upwards_is_seen() {
        let (mut workspace, layers) =
            (Workspace::read(root()).unwrap(), Layers::read(root()).unwrap());
        let mut add = |from: &str, to: &str| {
            workspace.crates.get_mut(from).unwrap().1.insert(to.into());
            let violations = layers.violations(&workspace);
            workspace.crates.get_mut(from).unwrap().1.remove(to);
            violations.len()
        };
        assert_eq!(add("core", "engine"), 0);
        for (from, to) in
            [("core", "heaps"), ("octal", "heaps"), ("check", "core"), ("report", "cli")]
        {
            assert_eq!(add(from, to), 1, "{from} {to}");
        }
        workspace.external.get_mut("page").unwrap().insert("tokio".into());
        assert_eq!(layers.violations(&workspace).len(), 1);
    }

    #[test]
    fn the_picture_is_of_these_crates() {
        let (workspace, layers) = (Workspace::read(root()).unwrap(), Layers::read(root()).unwrap());
        let drawn = std::fs::read_to_string(root().join(PICTURE)).unwrap();
        assert!(drawn == draw(&workspace, &layers), "`cargo xtask architecture` draws it anew");
    }
}
