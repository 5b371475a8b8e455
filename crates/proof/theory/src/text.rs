//! Numbers as lines of text for a terminal.

use std::fmt::Write;

/// Numbers on a line.
const COLUMNS: usize = 20;

/// Returns lines of numbers with blanks between.
pub fn rows_of_numbers(values: &[u32]) -> String {
    let mut out = String::new();
    for line in values.chunks(COLUMNS) {
        let values: Vec<String> = line.iter().map(u32::to_string).collect();
        // Writing into a string does not fail.
        let _ = writeln!(out, "  {}", values.join(" "));
    }
    out
}

/// Returns lines of heaps, each above its nim-value.
pub fn heaps_and_values(entries: &[(usize, u32)]) -> String {
    let mut out = String::new();
    for line in entries.chunks(COLUMNS) {
        let width = |(n, value): &(usize, u32)| n.to_string().len().max(value.to_string().len());
        let sizes: Vec<String> =
            line.iter().map(|e| format!("{:>w$}", e.0, w = width(e))).collect();
        let values: Vec<String> =
            line.iter().map(|e| format!("{:>w$}", e.1, w = width(e))).collect();
        let _ = writeln!(out, "  n     {}\n  G(n)  {}", sizes.join(" "), values.join(" "));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_in_columns() {
        assert_eq!(rows_of_numbers(&[]), "");
        let many: Vec<u32> = (0..21).collect();
        assert!(rows_of_numbers(&many).ends_with(" 19\n  20\n"));
        assert_eq!(heaps_and_values(&[(9, 10), (100, 1)]), "  n      9 100\n  G(n)  10   1\n");
    }
}
