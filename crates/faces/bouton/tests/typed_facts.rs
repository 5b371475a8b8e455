//! Facts are types: no source of a library compares verdicts with words, looks for facts in
//! sentences, or reads a formula that the program itself wrote.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::fs;
use std::path::{Path, PathBuf};

/// Where formulas are read: users, data files and certificates hand them in as text.
const READERS: &[&str] = &[
    "cash/src/claims.rs",
    "cli/src/commands/logic.rs",
    "cli/src/commands/prove.rs",
    "coq/src/body.rs",
    "core/src/heap_game.rs",
    "formula/src/claim.rs",
    "games/src/rule_file.rs",
    "games/src/rule_file/alternatives.rs",
    "games/src/rule_file/positions.rs",
    "rulesets/src/split_rules.rs",
    "literature/src/lib.rs",
    "page/src/api/theory.rs",
    "page/src/pages/learn/exhibit.rs",
    "page/src/pages/prove.rs",
    "page/src/pages/why.rs",
    "prover/src/game.rs",
    "prover/src/pairs.rs",
    "python/src/kotzig.rs",
    "python/src/study.rs",
    "python/src/theory.rs",
    "store/src/database.rs",
    "study/src/by_parameter.rs",
    // The numbers of a slice, as its user wrote them.
    "study/src/count_positions.rs",
    // Conjectures write formulas as text, which is read once: here.
    "conjecture/src/scaled.rs",
    "report/src/answers/conjecture.rs",
    "study/src/board.rs",
    "study/src/parametric.rs",
    "study/src/memory_pairs.rs",
    // The claim of a certificate that the checker has accepted.
    "kotzig/src/circle_theorem.rs",
    "kotzig/src/claims/mod.rs",
    "study/src/nim_values.rs",
    "study/src/published.rs",
    "study/src/settle/form.rs",
    "study/src/settle/heaps.rs",
    "study/src/settle/misere.rs",
    "study/src/settle/mod.rs",
    "theory/src/form.rs",
];

/// How a formula is read.
const READ: &[&str] = &["Formula::parse(", "Formula::parse_over(", "Claim::parse("];

/// What looks for a fact in a text.
const LOOKED_FOR: &[&str] = &[
    "verdict == \"",
    "verdict != \"",
    "word() == \"",
    "starts_with(\"Gamma(",
    "strip_prefix(\"Gamma(",
    "contains(\"you won",
    "ends_with(\"; the least",
    "contains(\" + \")",
    "strip_prefix(\"game: ",
];

/// Returns every file of a library or program, without its tests.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root =
        root.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap().join("crates");
    let mut open = vec![root];
    let mut all = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let in_source = path.components().any(|part| part.as_os_str() == "src");
            if path.is_dir() {
                let name = path.file_name().unwrap();
                if name != "target"
                    && (in_source || !["tests", "benches", "examples"].iter().any(|n| name == *n))
                {
                    open.push(path);
                }
            } else if in_source
                && path.extension().is_some_and(|end| end == "rs")
                && path.file_name().is_some_and(|name| name != "tests.rs")
            {
                let text = fs::read_to_string(&path).unwrap();
                let code: Vec<&str> = text
                    .split("#[cfg(test)]")
                    .next()
                    .unwrap_or("")
                    .lines()
                    .filter(|line| !line.trim_start().starts_with("//"))
                    .collect();
                all.push((path, code.join("\n")));
            }
        }
    }
    assert!(all.len() > 200, "only {} files were found", all.len());
    all
}

#[test]
fn formulas_are_read_at_the_edge_alone() {
    let reads = |text: &str| READ.iter().any(|read| text.contains(read));
    let wrong: Vec<PathBuf> = sources()
        .into_iter()
        .filter(|(path, text)| reads(text) && !READERS.iter().any(|reader| path.ends_with(reader)))
        .map(|(path, _)| path)
        .collect();
    assert!(
        wrong.is_empty(),
        "build formulas with `FormulaBuilder`, do not write and read them: {wrong:#?}"
    );
}

#[test]
fn no_fact_is_looked_for_in_a_text() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        // The checkers, one of them in Coq, and the packed certificates are readers of
        // certificates.
        if ["check/src", "certificate/src", "proof/coq/src"]
            .iter()
            .any(|reader| path.to_string_lossy().contains(reader))
        {
            continue;
        }
        wrong.extend(
            text.lines()
                .filter(|line| LOOKED_FOR.iter().any(|fact| line.contains(fact)))
                .map(|line| format!("{}: {}", path.display(), line.trim())),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
