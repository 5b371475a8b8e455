//! The manual: its links and structure, and the site that mdBook makes of it.
//!
//! `cargo xtask links` needs nothing but the files: every page is in docs/SUMMARY.md, every
//! relative link, anchor and image of every Markdown file leads somewhere, and what a page says to
//! be in a source file is there. `cargo xtask docs` runs that, and then mdBook.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// The version of mdBook that builds the site.
const MDBOOK: &str = "0.5.4";
/// The folder of the manual's pages, from the workspace's root.
const PAGES: &str = "docs";
/// The manual's table of contents.
const SUMMARY: &str = "docs/SUMMARY.md";
/// The folder that `docs` writes, from the workspace's root.
const SITE: &str = "target/manual";
/// The folder into which mdBook is installed.
const TOOLS: &str = "target/tools";

/// A link or an image of a page.
#[derive(Debug, PartialEq, Eq)]
struct Link {
    /// Its place in the text, from the opening bracket to the closing parenthesis.
    range: Range<usize>,
    /// The text between the brackets; empty for HTML.
    label: Range<usize>,
    /// The target, as written.
    target: String,
}

/// Checks the structure of the manual and the links of all Markdown files.
///
/// # Errors
/// Lists every page that is missing from the table of contents and every link that leads nowhere.
pub fn check(root: &Path) -> Result<(), String> {
    let files = files_below(root, "md")?;
    let mut texts = BTreeMap::new();
    for file in &files {
        let text = std::fs::read_to_string(root.join(file))
            .map_err(|e| format!("{}: {e}", file.display()))?;
        texts.insert(file.clone(), text);
    }
    let mut errors = summary_errors(&texts);
    errors.extend(source_errors(root, &texts)?);
    let mut anchors = BTreeMap::new();
    let mut links = 0;
    for (file, text) in &texts {
        for link in links_of(text) {
            links += 1;
            let line = text[..link.range.start].matches('\n').count() + 1;
            if let Err(why) = resolve(root, file, &link.target, &texts, &mut anchors) {
                errors.push(format!("{}:{line}: {}: {why}", file.display(), link.target));
            }
        }
    }
    if errors.is_empty() {
        println!("── {} Markdown files, {links} links", texts.len());
        return Ok(());
    }
    Err(format!("{} errors\n  {}", errors.len(), errors.join("\n  ")))
}

/// Builds the site into target/manual, with mdBook; installs mdBook if it is missing.
pub fn build(root: &Path) -> Result<(), String> {
    check(root)?;
    let mdbook = match installed(root) {
        Some(mdbook) => mdbook,
        None => install(root)?,
    };
    let source = root.join("target/manual-source");
    let _ = std::fs::remove_dir_all(&source);
    stage(&root.join(PAGES), &source, root)?;
    dress(root, &source)?;
    let site = root.join(SITE);
    let _ = std::fs::remove_dir_all(&site);
    let mut command = Command::new(mdbook);
    command.arg("build").arg(&source).arg("--dest-dir").arg(&site);
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("mdbook ended with {status}")),
        Err(error) => return Err(format!("mdbook could not be started: {error}")),
    }
    // mdBook copies it with the pages.
    let _ = std::fs::remove_dir_all(site.join("theme"));
    dead_links(&site)?;
    let pages = std::env::var(crate::site::SITE_URL).unwrap_or_default();
    each_page(&site, &mut |path, text| {
        let up = "../".repeat(path.components().count() - 1);
        let mut text = text.replace(TITLE, &name(&up, &pages));
        for (from, to) in MENDED {
            text = text.replace(from, to);
        }
        std::fs::write(site.join(path), text)
            .map_err(|error| format!("{}: {error}", path.display()))
    })?;
    println!("── {SITE}/index.html");
    Ok(())
}

/// Returns mdBook at the pinned version: in target/tools, else on the path.
pub fn installed(root: &Path) -> Option<PathBuf> {
    let candidates = [root.join(TOOLS).join("bin/mdbook"), PathBuf::from("mdbook")];
    candidates.into_iter().find(|program| {
        let output = Command::new(program).arg("--version").output();
        output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(MDBOOK))
    })
}

/// Installs mdBook without its server, unoptimised: compiling it takes longer than running it.
fn install(root: &Path) -> Result<PathBuf, String> {
    let tools = root.join(TOOLS);
    println!("── cargo install mdbook {MDBOOK} into {TOOLS}");
    let mut command = Command::new("cargo");
    command.args(["install", "mdbook", "--locked", "--quiet", "--version", MDBOOK]);
    command
        .args(["--no-default-features", "--features", "search", "--debug", "--root"])
        .arg(&tools);
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_TARGET_DIR", tools.join("build"));
    match command.current_dir(root).status() {
        Ok(status) if status.success() => {}
        Ok(status) => {
            return Err(format!("mdBook could not be installed: cargo ended with {status}"));
        }
        Err(error) => return Err(format!("cargo could not be started: {error}")),
    }
    // The program is all that is needed from now on.
    let _ = std::fs::remove_dir_all(tools.join("build"));
    Ok(tools.join("bin/mdbook"))
}

/// Copies the pages. Links that leave the folder become plain text, because the site does not
/// contain their targets.
fn stage(from: &Path, to: &Path, root: &Path) -> Result<(), String> {
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(to).map_err(|error| failed(to, error))?;
    for entry in std::fs::read_dir(from).map_err(|error| failed(from, error))? {
        let path = entry.map_err(|error| failed(from, error))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            stage(&path, &target, root)?;
        } else if path.extension().is_some_and(|e| e == "md") {
            let text = std::fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
            let file = path.strip_prefix(root).unwrap_or(&path);
            std::fs::write(&target, staged(file, &text)).map_err(|error| failed(&target, error))?;
        } else {
            std::fs::copy(&path, &target).map_err(|error| failed(&path, error))?;
        }
    }
    Ok(())
}

/// Returns the text of a page as the site shows it.
fn staged(file: &Path, text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for link in links_of(text) {
        let (path, _) = split(&link.target);
        let leaves = !is_external(&link.target)
            && !path.is_empty()
            && normalise(&folder(file).join(path)).is_none_or(|path| !path.starts_with(PAGES));
        if leaves && !link.label.is_empty() {
            out += &text[at..link.range.start];
            out += &text[link.label.clone()];
            at = link.range.end;
        }
    }
    out + &text[at..]
}

/// Gives the manual the typefaces and the colours of the pages.
fn dress(root: &Path, source: &Path) -> Result<(), String> {
    let assets = root.join("crates/out/draw/assets");
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    // mdBook takes this folder in place of its own typefaces.
    let fonts = source.join("theme/fonts");
    stage(&assets.join("fonts"), &fonts, root)?;
    // A manual on the disk cannot ask for them early; there, text waits a moment.
    let faces = fonts.join("fonts.css");
    let style = std::fs::read_to_string(&faces).map_err(|error| failed(&faces, error))?;
    let style = style.replace("font-display: optional", "font-display: block");
    std::fs::write(&faces, style).map_err(|error| failed(&faces, error))?;
    let head = source.join("theme/head.hbs");
    std::fs::write(&head, EARLY).map_err(|error| failed(&head, error))?;
    let base = assets.join("base.css");
    let base = std::fs::read_to_string(&base).map_err(|error| failed(&base, error))?;
    let sheet = source.join("manual.css");
    let own = std::fs::read_to_string(&sheet).map_err(|error| failed(&sheet, error))?;
    let colours = colours(&base).ok_or("base.css has no colours, light and dark")?;
    std::fs::write(&sheet, format!("{colours}{own}")).map_err(|error| failed(&sheet, error))
}

/// Returns the custom properties of the pages, light and dark, for the themes of the manual.
fn colours(base: &str) -> Option<String> {
    let mut blocks =
        base.split(":root {").skip(1).map(|rest| rest.split('}').next().unwrap_or_default());
    let (light, dark) = (blocks.next()?, blocks.next()?);
    Some(format!(".light, .navy {{{light}}}\n.navy {{ color-scheme: dark;{dark}}}\n"))
}

/// What each page of the manual asks for early.
const EARLY: &str = "<link rel=\"preload\" href=\"{{ path_to_root }}fonts/inter.woff2\" \
                     as=\"font\" type=\"font/woff2\" crossorigin>\n";

/// What mdBook writes as the title above each page: a second first-level heading.
const TITLE: &str = "<h1 class=\"menu-title\">Bouton</h1>";

/// What mdBook writes, and what stands there: the bar is a landmark, and code and tables that are
/// wider than the screen are moved by keys.
const MENDED: [(&str, &str); 3] = [
    ("<div id=\"mdbook-menu-bar\"", "<div role=\"banner\" id=\"mdbook-menu-bar\""),
    ("<pre><code ", "<pre><code tabindex=\"0\" "),
    ("<div class=\"table-wrapper\"", "<div tabindex=\"0\" class=\"table-wrapper\""),
];

/// Returns what stands in place of [`TITLE`]: the name, which leads to the manual's first page, and
/// the doors of the pages if their address is known. `up` leads to the manual's folder.
fn name(up: &str, pages: &str) -> String {
    let mut out = format!(
        "<div class=\"menu-title\"><a class=\"name\" href=\"{up}index.html\">\
         <svg class=\"logo\" viewBox=\"0 0 32 32\" width=\"28\" height=\"28\" aria-hidden=\"true\">\
         <circle cx=\"16\" cy=\"16\" r=\"14\"/><circle class=\"rim\" cx=\"16\" cy=\"16\" \
         r=\"10.5\"/>"
    );
    for (x, y) in [(12, 12), (20, 12), (12, 20), (20, 20)] {
        out += &format!("<circle class=\"hole\" cx=\"{x}\" cy=\"{y}\" r=\"2.3\"/>");
    }
    out += "</svg>Bouton</a>";
    if !pages.is_empty() {
        let pages = pages.trim_end_matches('/');
        for (path, door) in [("games", "Play"), ("learn", "Learn"), ("research", "Research")] {
            out += &format!("<a class=\"door {path}\" href=\"{pages}/{path}\">{door}</a>");
        }
    }
    out + "</div>"
}

/// Calls `act` with each built page: its path in the site, and its text. 404.html is shown at any
/// address, toc.html is a frame of other pages; neither is among them.
fn each_page(
    site: &Path,
    act: &mut dyn FnMut(&Path, &str) -> Result<(), String>,
) -> Result<(), String> {
    let mut open = vec![site.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries =
                std::fs::read_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            open.extend(entries.filter_map(Result::ok).map(|entry| entry.path()));
            continue;
        }
        let name = path.file_name().unwrap_or_default();
        if path.extension().is_none_or(|e| e != "html") || name == "404.html" || name == "toc.html"
        {
            continue;
        }
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        act(path.strip_prefix(site).unwrap_or(&path), &text)?;
    }
    Ok(())
}

/// Looks at every link of the built pages.
fn dead_links(site: &Path) -> Result<(), String> {
    let mut dead = BTreeSet::new();
    each_page(site, &mut |path, text| {
        for attribute in ["href=\"", "src=\""] {
            for part in text.split(attribute).skip(1) {
                let target = part.split('"').next().unwrap_or_default();
                let (file, _) = split(target);
                if !is_external(target)
                    && !file.is_empty()
                    && !site.join(folder(path)).join(file).exists()
                {
                    dead.insert(format!("{}: {target}", path.display()));
                }
            }
        }
        Ok(())
    })?;
    let dead: Vec<String> = dead.into_iter().collect();
    if dead.is_empty() {
        Ok(())
    } else {
        Err(format!("links of the site that lead nowhere:\n{}", dead.join("\n")))
    }
}

/// Returns all files with this ending below a folder, but those in build folders, as seen from the
/// folder.
pub(crate) fn files_below(root: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
            let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                if !name.starts_with('.') && !["target", "node_modules", "failures"].contains(&name)
                {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|own| own == ending) {
                found.push(path.strip_prefix(root).unwrap_or(&path).to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Pages that the table of contents lacks, has twice, or that do not begin with a title.
fn summary_errors(texts: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let Some(summary) = texts.get(Path::new(SUMMARY)) else {
        return vec![format!("{SUMMARY} is missing")];
    };
    let mut errors = Vec::new();
    let mut listed = BTreeSet::new();
    for link in links_of(summary) {
        let page = normalise(&Path::new(PAGES).join(split(&link.target).0));
        match page {
            Some(page) if texts.contains_key(&page) => {
                if !listed.insert(page) {
                    errors.push(format!("{SUMMARY}: {} stands twice", link.target));
                }
            }
            _ => errors.push(format!("{SUMMARY}: there is no page {}", link.target)),
        }
    }
    for (file, text) in texts {
        if !file.starts_with(PAGES) || file == Path::new(SUMMARY) {
            continue;
        }
        if !listed.contains(file) {
            errors.push(format!("{} is not in {SUMMARY}", file.display()));
        }
        if !text.starts_with("# ") {
            errors.push(format!("{} does not begin with a title `# …`", file.display()));
        }
    }
    errors
}

/// Returns what pages say of source files that is not so: paths such as `crates/…` that lead
/// nowhere, and names of which "`name` and `name` in PATH.rs" says where they are.
fn source_errors(root: &Path, texts: &BTreeMap<PathBuf, String>) -> Result<Vec<String>, String> {
    let mut sources = Vec::new();
    let crates = root.join("crates");
    for file in files_below(&crates, "rs")? {
        let text = std::fs::read_to_string(crates.join(&file))
            .map_err(|e| format!("{}: {e}", file.display()))?;
        sources.push((file, text));
    }
    let mut errors = Vec::new();
    for (page, text) in texts {
        // Odd places are within backticks; names of a sentence may be on two lines.
        let parts: Vec<String> = text
            .split('`')
            .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        for (place, part) in parts.iter().enumerate() {
            let is_code = place % 2 == 1;
            let path = part.split(['#', ' ', ':']).next().unwrap_or_default();
            let is_plain = path.chars().all(|c| c.is_ascii_alphanumeric() || "/_.-".contains(c));
            if is_code
                && path.starts_with("crates/")
                && is_plain
                && !has_placeholder(path)
                && !root.join(path).exists()
            {
                errors.push(format!("{}: there is no {path}", page.display()));
            }
            let Some(rest) = part.strip_prefix("in ").filter(|_| !is_code && place > 0) else {
                continue;
            };
            let Some(end) = rest.find(".rs") else { continue };
            let file = &rest[..end + 3];
            if file.contains(' ') {
                continue;
            }
            let named = sources.iter().filter(|(path, _)| path.ends_with(file));
            let inside: Vec<&String> = named.map(|(_, text)| text).collect();
            let mut at = place;
            loop {
                let name = &parts[at - 1];
                let is_there = |text: &&String| text.contains(&format!("fn {name}"));
                if !inside.iter().any(is_there) {
                    errors.push(format!("{}: no function {name} in {file}", page.display()));
                }
                if at < 3 || ![",", "and"].contains(&parts[at - 2].as_str()) {
                    break;
                }
                at -= 2;
            }
        }
    }
    Ok(errors)
}

/// Returns whether a part of the path stands for any name: `crates/theories/NAME/src`.
fn has_placeholder(path: &str) -> bool {
    path.split(['/', '.'])
        .any(|part| part.len() > 2 && part.chars().all(|c| c.is_ascii_uppercase()))
}

/// Returns whether a link of a file leads somewhere.
fn resolve(
    root: &Path,
    file: &Path,
    target: &str,
    texts: &BTreeMap<PathBuf, String>,
    anchors: &mut BTreeMap<PathBuf, BTreeSet<String>>,
) -> Result<(), String> {
    if is_external(target) {
        return Ok(());
    }
    let (path, anchor) = split(target);
    let path = match path {
        "" => file.to_owned(),
        path => normalise(&folder(file).join(path)).ok_or("leads out of the repository")?,
    };
    if !root.join(&path).exists() {
        return Err("there is no such file".into());
    }
    let Some(anchor) = anchor else { return Ok(()) };
    let text = texts.get(&path).ok_or("an anchor of a file that is no page")?;
    let known = anchors.entry(path).or_insert_with(|| anchors_of(text));
    if known.contains(anchor) { Ok(()) } else { Err("there is no such heading".into()) }
}

fn is_external(target: &str) -> bool {
    ["http://", "https://", "mailto:", "data:", "javascript:"]
        .iter()
        .any(|scheme| target.starts_with(scheme))
}

fn folder(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// Returns the path and the anchor of a target.
fn split(target: &str) -> (&str, Option<&str>) {
    target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)))
}

/// Returns the path without `.` and `..`; `None` if it leads above where it begins.
fn normalise(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    Some(out)
}

/// Blanks the code of a text: lines between fences and spans between backticks.
fn without_code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fenced = false;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            out.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        } else if fenced {
            out.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        } else {
            out += line;
        }
    }
    let bytes = out.as_bytes();
    let mut blank: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'`' {
            at += 1;
            continue;
        }
        let ticks = bytes[at..].iter().take_while(|b| **b == b'`').count();
        let fence = "`".repeat(ticks);
        let from = at + ticks;
        // A span ends within its paragraph.
        let limit = out[from..].find("\n\n").map_or(out.len(), |end| from + end);
        match out[from..limit].find(&fence) {
            Some(length) => {
                blank.push(from..from + length);
                at = from + length + ticks;
            }
            None => at = from,
        }
    }
    let mut bytes = out.into_bytes();
    for range in blank {
        bytes[range].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b'.');
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns all links and images of a page, in order: `[text](target)`, and `href` and `src` of
/// HTML.
fn links_of(text: &str) -> Vec<Link> {
    let prose = without_code(text);
    let mut found = Vec::new();
    for (middle, _) in prose.match_indices("](") {
        // An escaped bracket is text.
        if prose[..middle].ends_with('\\') {
            continue;
        }
        let mut depth = 0;
        let open = prose[..middle].char_indices().rev().find(|(_, c)| {
            match c {
                ']' => depth += 1,
                '[' if depth == 0 => return true,
                '[' => depth -= 1,
                _ => {}
            }
            false
        });
        let mut depth = 0;
        let close = prose[middle + 2..].char_indices().find(|(_, c)| {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => return true,
                ')' => depth -= 1,
                _ => {}
            }
            false
        });
        let (Some((open, _)), Some((length, _))) = (open, close) else { continue };
        let inside = prose[middle + 2..middle + 2 + length].trim();
        let target = inside.split_whitespace().next().unwrap_or_default().trim_matches(['<', '>']);
        found.push(Link {
            range: open..middle + 3 + length,
            label: open + 1..middle,
            target: target.to_owned(),
        });
    }
    for attribute in [" href=\"", " src=\"", " srcset=\""] {
        for (at, _) in prose.match_indices(attribute) {
            let from = at + attribute.len();
            let length = prose[from..].find('"').unwrap_or(0);
            let target = prose[from..from + length].to_owned();
            found.push(Link { range: from..from + length, label: from..from, target });
        }
    }
    found.sort_by_key(|link| link.range.start);
    found
}

/// Returns the anchors of a page: those of its headings, and `id="…"`.
fn anchors_of(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let title = line.trim_start_matches('#');
        if !fenced && title.len() < line.len() && title.starts_with(' ') {
            let name = anchor(title);
            let mut unique = name.clone();
            let mut count = 0;
            while !found.insert(unique.clone()) {
                count += 1;
                unique = format!("{name}-{count}");
            }
        }
        for part in line.split("id=\"").skip(1) {
            found.insert(part.split('"').next().unwrap_or_default().to_owned());
        }
    }
    found
}

/// Returns the anchor of a heading, as mdBook and code hosts generate it.
fn anchor(title: &str) -> String {
    // Only the text of a link counts.
    let mut shown = title.trim().to_owned();
    for link in links_of(title.trim()).iter().rev() {
        let label = title.trim()[link.label.clone()].to_owned();
        shown.replace_range(link.range.clone(), &label);
    }
    let kept = shown.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(text: &str) -> Vec<String> {
        links_of(text).into_iter().map(|link| link.target).collect()
    }

    #[test]
    fn what_is_in_no_source_file_is_named() {
        let text = "`check` and `nowhere_hypotheses` in circle.rs; `crates/foundation/core/src`, \
                    `crates/nowhere`, `crates/theories/NAME/src`";
        let texts = BTreeMap::from([(PathBuf::from("docs/a.md"), text.to_owned())]);
        assert_eq!(
            source_errors(crate::root(), &texts),
            Ok(vec![
                "docs/a.md: no function nowhere_hypotheses in circle.rs".to_owned(),
                "docs/a.md: there is no crates/nowhere".to_owned(),
            ])
        );
    }

    #[test]
    fn the_manual_has_the_colours_of_the_pages_and_a_way_to_them() {
        let base =
            std::fs::read_to_string(crate::root().join("crates/out/draw/assets/base.css")).unwrap();
        let colours = colours(&base).unwrap();
        let own = std::fs::read_to_string(crate::root().join("docs/manual.css")).unwrap();
        let (light, dark) = colours.split_once(".navy { color-scheme").unwrap();
        for name in ["--ground", "--ink", "--accent", "--line", "--board-ink"] {
            let is_set = |text: &str| text.contains(&format!(" {name}: #"));
            assert!(is_set(light) && is_set(dark), "{name}");
        }
        // The manual names no colour that is not among those of the pages.
        for name in own.split("var(").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(
                light.contains(&format!("{name}:")) || own.contains(&format!("{name}:")),
                "{name}"
            );
        }
        assert!(name("../", "https://example.org/").contains("href=\"https://example.org/games\""));
        assert!(
            !name("", "").contains("door") && name("../", "").contains("href=\"../index.html\"")
        );
    }

    #[test]
    fn links_are_found_outside_code() {
        let text =
            "A [page](a.md#b), `[no](x)`, ![p](p_(1).svg)\n```\n[no](y)\n```\n<img src=\"i.png\">";
        assert_eq!(targets(text), ["a.md#b", "p_(1).svg", "i.png"]);
        assert_eq!(targets("[![in](a.svg)](b.md \"title\")"), ["b.md", "a.svg"]);
    }

    #[test]
    fn anchors_are_those_of_the_site() {
        let text = "# A title, `code`\n## The same\n## The same\n```\n# none\n```\n<a \
            id=\"own\"></a>\n## 2. [Link](x.md)";
        let expected = ["2-link", "a-title-code", "own", "the-same", "the-same-1"];
        assert_eq!(anchors_of(text).into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn links_that_leave_the_manual_become_text() {
        let text = "[in](b.md), [out](../examples/jobs.sh), [far](https://example.org)";
        let expected = "[in](b.md), out, [far](https://example.org)";
        assert_eq!(staged(Path::new("docs/a.md"), text), expected);
    }

    #[test]
    fn pages_that_the_contents_lack_are_reported() {
        let texts = [
            ("docs/SUMMARY.md", "- [a](a.md)\n- [b](b.md)"),
            ("docs/a.md", "# A"),
            ("docs/c.md", "# C"),
        ];
        let texts = texts.map(|(file, text)| (PathBuf::from(file), text.to_owned())).into();
        let errors = summary_errors(&texts);
        assert_eq!(
            errors,
            ["docs/SUMMARY.md: there is no page b.md", "docs/c.md is not in docs/SUMMARY.md"]
        );
    }
}
