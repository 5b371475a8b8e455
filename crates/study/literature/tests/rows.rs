//! The rows of the claims: each has claims that end in a verdict or in the reason why not, and what
//! is recorded can be made again.

#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::Budget;
use bouton_literature::{Recorded, RecordedVerdict, row};
use bouton_study::{
    Bound, ClaimStatement, PublishedClaim, Recheck, Theorems, Verdict, VerdictKind, settle,
};
use std::collections::BTreeSet;

/// The rows of the five sources, with where each is printed; see data/rows.toml.
const ROWS: &str = include_str!("../data/rows.toml");

fn all() -> Vec<PublishedClaim> {
    let mut claims = bouton_literature::claims().unwrap();
    claims.extend(bouton_literature::controls().unwrap());
    claims
}

fn bound() -> Bound {
    Bound { to: 40, budget: Budget::default(), theorems: Theorems::none() }
}

fn again(id: &str) -> Vec<(PublishedClaim, String, Verdict)> {
    let mut settled = Vec::new();
    for claim in all().into_iter().filter(|claim| row(&claim.id) == id) {
        for game in claim.instances() {
            let verdict = settle(&claim, game, &bound(), &|_| {}).unwrap();
            settled.push((claim.clone(), game.to_owned(), verdict));
        }
    }
    assert!(!settled.is_empty(), "{id}");
    settled
}

#[test]
fn every_row_of_the_sources_has_a_verdict_or_a_reason() {
    let rows: toml::Table = ROWS.parse().unwrap();
    let listed: BTreeSet<&str> = rows
        .values()
        .flat_map(|source| source.as_table().unwrap()["rows"].as_array().unwrap())
        .map(|row| row.as_str().unwrap())
        .collect();
    let recorded = Recorded::all().unwrap();
    let claims = all();
    let known: BTreeSet<&str> = claims.iter().map(|claim| row(&claim.id)).collect();
    assert_eq!(listed, known);
    for claim in &claims {
        for game in claim.instances() {
            let found: Vec<&Recorded> = recorded
                .iter()
                .filter(|record| record.id == claim.id && record.game == game)
                .collect();
            let [record] = found[..] else {
                panic!("{} {game}: {} verdicts recorded", claim.id, found.len())
            };
            let settled = matches!(record.verdict, RecordedVerdict::Settled(_));
            assert!(settled && !record.found.is_empty(), "{record:?}");
            let refuted = record.verdict == RecordedVerdict::Settled(VerdictKind::Refuted);
            assert_eq!(
                record.recheck.as_ref().is_some_and(|how| !how.starts_with("not re-checked")),
                refuted,
                "{record:?}"
            );
        }
    }
    assert_eq!(recorded.len(), claims.iter().map(|claim| claim.instances().len()).sum::<usize>());
}

/// Every entry of the published tables names a row, and no claim that is made of tables is empty.
#[test]
fn every_table_belongs_to_a_row() {
    let claims = all();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tables");
    for file in std::fs::read_dir(folder).unwrap() {
        let tables: toml::Table =
            std::fs::read_to_string(file.unwrap().path()).unwrap().parse().unwrap();
        for entry in tables.values().flat_map(|entries| entries.as_array().unwrap()) {
            let of = entry["claim"].as_str().unwrap();
            assert!(claims.iter().any(|claim| row(&claim.id) == of), "{of}");
        }
    }
    for claim in &claims {
        if let ClaimStatement::Tables(tables) = &claim.says {
            assert!(!tables.entries.is_empty(), "{}", claim.id);
        }
    }
}

/// Proofs with the same certificates, refutations with the same counterexamples; SCN(8,6), which
/// takes minutes, is found and proved by `bouton study` in the tests of the command line.
#[test]
fn proofs_and_refutations_are_made_again() {
    let recorded = Recorded::all().unwrap();
    let mut count = 0;
    for claim in all() {
        if !matches!(claim.says, ClaimStatement::PPositions(_) | ClaimStatement::Sentence(_)) {
            continue;
        }
        for game in claim.instances().into_iter().filter(|game| *game != "SCN(8,6)") {
            let verdict = settle(&claim, game, &bound(), &|_| {}).unwrap();
            let record = recorded
                .iter()
                .find(|record| record.id == claim.id && record.game == game)
                .unwrap();
            assert!(
                record.is(&verdict),
                "{} {game}: {} {}",
                claim.id,
                verdict.kind(),
                verdict.found()
            );
            if let Verdict::Refuted(refuted) = verdict {
                assert!(matches!(refuted.recheck, Recheck::Confirmed(_)), "{} {game}", claim.id);
            }
            count += 1;
        }
    }
    assert!(count >= 100, "{count}");
}

/// Conjecture 3.7 fails; what is said of SCN(5,3) and CN(5,3) holds of typical positions only; and
/// SCN(6,3) is as open as its source says.
#[test]
fn shrinking_circles() {
    for (claim, _, verdict) in again("S5") {
        match claim.id.as_str() {
            "S5" => {
                let Verdict::Refuted(refuted) = verdict else { panic!("{}", verdict.found()) };
                assert!(matches!(refuted.recheck, Recheck::Confirmed(_)), "{}", refuted.recheck);
                assert!(refuted.least);
            }
            "S5 (five heaps)" => {
                assert!(matches!(verdict, Verdict::Holds(_)), "{}", verdict.found())
            }
            _ => assert!(matches!(verdict, Verdict::NotSettled(_))),
        }
    }
    for (claim, _, verdict) in again("S6") {
        match claim.id.as_str() {
            "S6" => {
                let Verdict::Refuted(refuted) = verdict else { panic!("{}", verdict.found()) };
                assert!(matches!(refuted.recheck, Recheck::Confirmed(_)), "{}", refuted.recheck);
            }
            _ => assert!(matches!(verdict, Verdict::Proved(_)), "{}", verdict.found()),
        }
    }
    for (claim, _, verdict) in again("S7") {
        let open = claim.id == "S7";
        assert_eq!(matches!(verdict, Verdict::NotSettled(_)), open, "{}", verdict.found());
        assert_eq!(matches!(verdict, Verdict::Proved(_)), !open, "{}", verdict.found());
    }
}

/// Why a claim is open that holds as far as computed, claim by claim.
const TRUST: &str = include_str!("../../../../docs/explanation/trust.md");

#[test]
fn claims_without_a_proof_say_why() {
    let holds = RecordedVerdict::Settled(VerdictKind::Holds);
    let known: BTreeSet<String> = all().into_iter().map(|claim| claim.id).collect();
    let recorded = Recorded::all().unwrap().into_iter();
    let open: Vec<String> = recorded
        .filter(|record| record.verdict == holds && known.contains(&record.id))
        .map(|record| record.id)
        .collect();
    assert!(open.len() <= 30, "{}", open.len());
    let listed: BTreeSet<&str> = TRUST
        .lines()
        .skip_while(|line| *line != "| claim | what is open, or why it holds without a proof |")
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .flat_map(|ids| ids.split('`').skip(1).step_by(2))
        .collect();
    assert_eq!(listed, open.iter().map(String::as_str).collect());
}

/// The verdicts on Michon's tables: periods, finite tables and single positions to the end; what
/// speaks of all sizes by a theorem of the Coq library; the value of a row of 2·10¹⁰ not at all.
#[test]
fn tables_of_the_ledger() {
    let expect = [
        ("proved", &["M1", "M2", "M5", "M8", "M9", "M10", "M11", "M12", "M15", "M17"][..]),
        ("proved (Coq)", &["M6", "M16", "M18"]),
        ("unknown", &["M13"]),
    ];
    for (word, ids) in expect {
        for id in ids {
            let tables = again(id)
                .into_iter()
                .filter(|(claim, ..)| matches!(claim.says, ClaimStatement::Tables(_)));
            for (claim, _, verdict) in tables {
                assert_eq!(verdict.kind().as_str(), word, "{}: {}", claim.id, verdict.found());
            }
        }
    }
}
