//! The page of figures, whose sections commands write.

use std::path::Path;

/// Where the sections are.
const PAGE: &str = "docs/benchmarks.md";

/// Writes a section in place of that of the same heading, or at the page's end.
pub fn write(root: &Path, heading: &str, body: &str) -> Result<(), String> {
    let page = std::fs::read_to_string(root.join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    std::fs::write(root.join(PAGE), with_section(&page, heading, body))
        .map_err(|error| format!("{PAGE}: {error}"))
}

fn with_section(page: &str, heading: &str, body: &str) -> String {
    let section = format!("{heading}\n\n{}\n", body.trim());
    match page.find(&format!("{heading}\n")) {
        None => format!("{}\n\n{section}", page.trim_end()),
        Some(at) => {
            let rest = &page[at + heading.len()..];
            let end = rest.find("\n## ").map(|end| format!("\n{}", &rest[end + 1..])).unwrap_or_default();
            format!("{}{section}{end}", &page[..at])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_take_the_place_of_others() {
        let page = "# A\n\n## B\n\nold\n\n## C\n\nc\n";
        assert_eq!(with_section(page, "## B", "new\n"), "# A\n\n## B\n\nnew\n\n## C\n\nc\n");
        assert_eq!(with_section(page, "## C", "new"), "# A\n\n## B\n\nold\n\n## C\n\nnew\n");
        assert_eq!(with_section(page, "## D", "d"), "# A\n\n## B\n\nold\n\n## C\n\nc\n\n## D\n\nd\n");
    }
}
