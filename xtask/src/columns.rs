//! The width of code.

use std::path::Path;
use std::process::Command;

/// The last column of a line, in characters.
const LAST: usize = 100;

/// Checks that code has no line beyond column 100 but for texts in quotes, which nothing divides.
pub fn check(root: &Path) -> Result<(), String> {
    let listed = Command::new("git")
        .args(["ls-files", "*.rs", "*.v", "*.py", "*.js", "*.mjs", "*.css"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("git ls-files: {error}"))?;
    let mut wide = Vec::new();
    for name in String::from_utf8_lossy(&listed.stdout).lines() {
        // A file that is deleted and not yet committed is still listed.
        let text = std::fs::read_to_string(root.join(name)).unwrap_or_default();
        let lines = text.lines().zip(1..);
        wide.extend(lines.filter(|(line, _)| is_wide(line)).map(|(_, at)| format!("{name}:{at}")));
    }
    match wide.is_empty() {
        true => Ok(()),
        false => Err(format!("lines beyond column {LAST}: {}", wide.join(", "))),
    }
}

fn is_wide(line: &str) -> bool {
    line.chars().count() > LAST && !line.contains(['"', '\'', '`', '\\'])
}

#[cfg(test)]
mod tests {
    use super::is_wide;

    #[test]
    fn only_texts_are_wide() {
        assert!(is_wide(&"x ".repeat(51)));
        assert!(!is_wide(&"é".repeat(100)));
        assert!(!is_wide(&format!("\"{}\"", "x".repeat(100))));
    }
}
