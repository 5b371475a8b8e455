//! `cargo xtask trusted-lines` counts what has to be trusted for a certificate of each kind, into
//! docs/design/checker.md.

use std::fmt::Write as _;
use std::path::Path;

const PAGE: &str = "docs/design/checker.md";
const SOURCE: &str = "crates/proof/check/src";
/// The head of the table.
const HEAD: &str = "| kind | lines | code | with it |\n|---|--:|--:|---|\n";

/// A row of the table: the kind, the files that only it needs beside those of rows before, and what
/// else is read for it.
type Row = (&'static str, &'static [&'static str], &'static str);

/// The rows that a theorem on P-positions in normal play and binary digits rests on.
const HEAP_THEOREM: usize = 4;

const ROWS: [Row; 18] = [
    (
        "all kinds (envelope, limits, reader of lines, lists of hypotheses)",
        &["lib.rs", "envelope.rs", "hypotheses.rs", "lines.rs", "work.rs"],
        "",
    ),
    (
        "`p-positions`, binary digits, normal play",
        &[
            "p_positions/mod.rs",
            "p_positions/rules.rs",
            "p_positions/formula.rs",
            "p_positions/form.rs",
            "p_positions/digits.rs",
            "p_positions/refute.rs",
            "p_positions/walk.rs",
            "p_positions/cases.rs",
            "p_positions/part.rs",
            "p_positions/cover.rs",
        ],
        "products and sets of states",
    ),
    ("products and sets of states", &["tuples.rs", "sets.rs"], ""),
    (
        "names of games and words of theorems, outside the kernel",
        &["p_positions/names.rs", "p_positions/words.rs"],
        "",
    ),
    (
        "`p-positions` in digits of a continued fraction",
        &[
            "p_positions/digits/ostrowski.rs",
            "p_positions/cases/shifts.rs",
            "p_positions/cover/sure.rs",
        ],
        "`p-positions`",
    ),
    ("`p-positions` in misère play", &["p_positions/misere.rs"], "`p-positions`"),
    (
        "`p-positions` with universal quantifiers",
        &["p_positions/formula/fixed.rs"],
        "`p-positions`",
    ),
    ("`period`", &["period/mod.rs", "period/window.rs", "period/arithmetic.rs"], ""),
    (
        "`automatic`",
        &[
            "automatic/mod.rs",
            "automatic/apart.rs",
            "automatic/machine.rs",
            "automatic/numerals.rs",
            "automatic/table.rs",
        ],
        "formulas, forms, digits, rules of `p-positions`; products and sets of states",
    ),
    (
        "`automatic` with multiples of irrational numbers",
        &["automatic/multiples.rs"],
        "`automatic`",
    ),
    (
        "statements of `orbit` and `pairs`",
        &["automatic/statements.rs"],
        "machines and tables of `automatic` and what it reads",
    ),
    ("`orbit`", &["orbit.rs"], "statements"),
    ("`pairs`", &["pairs.rs"], "statements"),
    ("`circle`", &["circle.rs"], "products of states"),
    ("`laps`", &["laps.rs"], "products of states; search of small circles in circle.rs"),
    ("`strategy`", &["strategy.rs"], ""),
    ("`win-condition`", &["cash.rs"], ""),
    (
        "`parameters`",
        &[
            "parameters/mod.rs",
            "parameters/sentence.rs",
            "parameters/polynomial.rs",
            "parameters/refutation.rs",
        ],
        "",
    ),
];

/// Writes the table.
pub fn write(root: &Path) -> Result<(), String> {
    let file = root.join(PAGE);
    let page = read(&file)?;
    std::fs::write(&file, with_table(&page, &table(root)?)?)
        .map_err(|error| format!("{PAGE}: {error}"))
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn with_table(page: &str, table: &str) -> Result<String, String> {
    let (before, rest) =
        page.split_once(HEAD).ok_or_else(|| format!("{PAGE}: the head of the table is missing"))?;
    let after = rest.find("\n\n").map_or("", |at| &rest[at + 1..]);
    Ok(format!("{before}{HEAD}{table}{after}"))
}

fn table(root: &Path) -> Result<String, String> {
    let mut table = String::new();
    let mut heaps = (0, 0);
    for (i, (kind, files, with)) in ROWS.iter().enumerate() {
        let (mut lines, mut code) = (0, 0);
        for file in *files {
            let text = read(&root.join(SOURCE).join(file))?;
            let own = counted(&text);
            (lines, code) = (lines + own.0, code + own.1);
        }
        let _ = writeln!(table, "| {kind} | {lines} | {code} | {with} |");
        if i < HEAP_THEOREM {
            heaps = (heaps.0 + lines, heaps.1 + code);
        }
    }
    let (lines, code) = heaps;
    let _ = writeln!(
        table,
        "| in all for a theorem such as that on CN(6,4): the first {HEAP_THEOREM} rows | {lines} \
         | {code} |  |"
    );
    Ok(table)
}

/// Returns the number of lines before the module of tests, and of those neither blank nor comments.
fn counted(text: &str) -> (usize, usize) {
    let own: Vec<&str> = text.lines().collect();
    let tests =
        own.windows(2).position(|two| two[0] == "#[cfg(test)]" && two[1].starts_with("mod tests"));
    let own = &own[..tests.unwrap_or(own.len())];
    let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    (own.len(), own.iter().filter(is_code).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn tests_blank_lines_and_comments_are_not_counted_as_code() {
        let text = "//! Head.\n\nfn f() {}\n// One.\n\n#[cfg(test)]\nmod tests {\n}\n";
        assert_eq!(counted(text), (5, 1));
    }

    /// The page has the table, and every file of the crate that is no test is in one row.
    #[test]
    #[allow(clippy::unwrap_used, reason = "a test")]
    fn the_table_is_as_the_checker_is() {
        let root = crate::root();
        let page = read(&root.join(PAGE)).unwrap();
        let made = with_table(&page, &table(root).unwrap()).unwrap();
        assert!(made == page, "`cargo xtask trusted-lines` writes the table anew");
        let listed: BTreeSet<&str> =
            ROWS.iter().flat_map(|(_, files, _)| *files).copied().collect();
        for file in crate::manual::files_below(&root.join(SOURCE), "rs").unwrap() {
            let name = file.to_str().unwrap();
            let is_other = name.starts_with("bin/") || name.contains("/components");
            assert!(is_other || listed.contains(name), "{name}");
        }
    }
}
