//! The page of figures, whose sections are written by commands.

use std::path::Path;

/// The path of the page.
const PAGE: &str = "docs/benchmarks.md";

/// Writes a section in place of the one with the same heading, or at the end of the page.
pub fn write(root: &Path, heading: &str, body: &str) -> Result<(), String> {
    let page =
        std::fs::read_to_string(root.join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    std::fs::write(root.join(PAGE), with_section(&page, heading, body))
        .map_err(|error| format!("{PAGE}: {error}"))
}

fn with_section(page: &str, heading: &str, body: &str) -> String {
    let section = format!("{heading}\n\n{}\n", wrapped(body.trim()));
    match page.find(&format!("{heading}\n")) {
        None => format!("{}\n\n{section}", page.trim_end()),
        Some(at) => {
            let rest = &page[at + heading.len()..];
            let end =
                rest.find("\n## ").map(|end| format!("\n{}", &rest[end + 1..])).unwrap_or_default();
            format!("{}{section}{end}", &page[..at])
        }
    }
}

/// The greatest number of characters of a line of prose.
const WIDTH: usize = 100;

/// Returns `text` with paragraphs broken at [`WIDTH`] characters; tables, headings, lists and code
/// stay as they are.
pub fn wrapped(text: &str) -> String {
    let mut all = String::new();
    let mut code = false;
    for line in text.lines() {
        code ^= line.starts_with("```");
        if code || line.starts_with("```") || line.starts_with(['|', '#', '-', ' ']) {
            all += line;
        } else {
            let mut used = 0;
            for word in line.split(' ') {
                let length = word.chars().count();
                if used > 0 {
                    let fits = used + 1 + length <= WIDTH;
                    all.push(if fits { ' ' } else { '\n' });
                    used = if fits { used + 1 } else { 0 };
                }
                all += word;
                used += length;
            }
        }
        all.push('\n');
    }
    all.truncate(all.trim_end_matches('\n').len());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_take_the_place_of_others() {
        let page = "# A\n\n## B\n\nold\n\n## C\n\nc\n";
        assert_eq!(with_section(page, "## B", "new\n"), "# A\n\n## B\n\nnew\n\n## C\n\nc\n");
        assert_eq!(with_section(page, "## C", "new"), "# A\n\n## B\n\nold\n\n## C\n\nnew\n");
        assert_eq!(wrapped(&"word ".repeat(30)).lines().map(str::len).max(), Some(100 - 1));
        let kept = format!("| {} |\n```text\n{}\n```", "x ".repeat(80), "y ".repeat(80));
        assert_eq!(wrapped(&kept), kept);
        assert_eq!(
            with_section(page, "## D", "d"),
            "# A\n\n## B\n\nold\n\n## C\n\nc\n\n## D\n\nd\n"
        );
    }
}
