//! A small plan from beginning to end: statuses, kills, other plans, files, the page.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_atlas::{
    Atlas, AtlasPlan, Entry, Journal, JournalError, RunEnd, Status, counts, run, site,
};
use bouton_core::{Budget, Watch};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

const PLAN: &str = r#"
name = "small"
about = "A few games of every kind"
nodes = 20000000
to = 24

[[games]]
game = "CN({n},{k})"
with = { n = "3..4", k = "2..n" }
play = ["normal", "misere"]

[[games]]
game = "S({A})"
with = { A = "subsets 1..2" }

[[games]]
game = "0.{code}"
with = { code = ["07", "137"] }

[[games]]
game = "NIM(1,3,4;n;d,e)"

[[games]]
game = "Gamma(1,2;n)"
"#;

fn whole(directory: &Path, plan: &AtlasPlan) -> Atlas {
    let mut journal = Journal::open(directory, plan).unwrap();
    assert_eq!(
        run(plan, &mut journal, &Budget::default(), &mut |_| ()).unwrap(),
        RunEnd::Completed
    );
    journal.save(plan).unwrap();
    journal.atlas(plan)
}

fn rows<'a>(atlas: &'a Atlas, game: &str) -> Vec<&'a Entry> {
    atlas.rows.iter().map(|(_, row)| row).filter(|row| row.game == game).collect()
}

/// Every proved entry has a certificate in the directory, under its hash, which the checker
/// accepts. The statements agree with the literature (Bouton 1902, Guy & Smith 1956, Dufour &
/// Heubach 2013).
#[test]
fn a_plan_from_beginning_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let plan = AtlasPlan::parse(PLAN).unwrap();
    let atlas = whole(folder.path(), &plan);
    for (_, row) in &atlas.rows {
        assert_eq!(row.certificate.is_some(), row.status == Status::Proved, "{row:?}");
        if let Some(hash) = &row.certificate {
            let text = fs::read_to_string(folder.path().join(format!("certificates/{hash}.cert")))
                .unwrap();
            let accepted = bouton_check::check(&text).unwrap();
            assert_eq!(accepted.game, row.game);
            assert!(text.trim_end().ends_with(hash.as_str()));
        }
        assert!(row.again.starts_with("bouton study ") && !row.statement.is_empty(), "{row:?}");
    }
    let nim = rows(&atlas, "CN(4,2)");
    assert_eq!(
        nim.iter().map(|row| (&*row.play, row.status)).collect::<Vec<_>>()[0],
        ("normal", Status::Proved)
    );
    assert!(nim[0].statement.contains("with heaps of any size"), "{}", nim[0].statement);
    let one = &rows(&atlas, "S(1)")[0];
    assert_eq!((one.status, one.form.as_deref()), (Status::Proved, Some("period 2, preperiod 0")));
    // Dawson's Kayles: period 34, the last exception at 51.
    let dawson = &rows(&atlas, "0.07")[0];
    assert_eq!(dawson.form.as_deref(), Some("period 34, preperiod 53"));
    assert_eq!(rows(&atlas, "NIM(1,3,4;n;d,e)")[0].status, Status::Proved);
    let kotzig = rows(&atlas, "Gamma(1,2;n)");
    assert_eq!(kotzig.iter().map(|row| &*row.play).collect::<Vec<_>>(), ["normal", "misere"]);
    // Without a limit of time no theorem is sought, so that two runs give equal entries.
    assert!(kotzig.iter().all(|row| row.bound == Some(24) && row.status != Status::Proved));

    let counts = counts(&atlas);
    assert_eq!(
        (counts.games, counts.studied, counts.entries),
        (plan.jobs.len(), plan.jobs.len(), atlas.rows.len())
    );
    assert_eq!(counts.proved + counts.holds + counts.refuted + counts.none, counts.entries);
    assert_eq!(
        Atlas::from_parquet(fs::read(folder.path().join("small.parquet")).unwrap()).unwrap(),
        atlas
    );

    pages_hold_what_is_there(&atlas);
}

/// Theorems on circles of every size ship with the program; each convention has its own
/// certificate.
#[test]
fn families_have_theorems_in_both_plays() {
    let text = "name = \"circle\"\nabout = \"One family\"\nseconds = 86400\nto = 24\n\
                [[games]]\ngame = \"Gamma(1,2;n)\"\n";
    let plan = AtlasPlan::parse(text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let atlas = whole(folder.path(), &plan);
    let kotzig = rows(&atlas, "Gamma(1,2;n)");
    assert_eq!(kotzig.iter().map(|row| &*row.play).collect::<Vec<_>>(), ["normal", "misere"]);
    assert!(
        kotzig.iter().all(|row| row.bound == Some(24) && row.status == Status::Proved),
        "{kotzig:?}"
    );
    // Published claim K1.
    assert!(kotzig[0].statement.contains("n = 1, or n = 3, or n = 7"), "{}", kotzig[0].statement);
    let hashes: Vec<&str> = kotzig.iter().map(|row| row.certificate.as_deref().unwrap()).collect();
    assert_ne!(hashes[0], hashes[1]);
    for hash in hashes {
        let text =
            fs::read_to_string(folder.path().join("certificates").join(format!("{hash}.cert")))
                .unwrap();
        assert_eq!(bouton_check::check(&text).unwrap().game, "Gamma(1,2;n)");
    }
}

fn pages_hold_what_is_there(atlas: &Atlas) {
    let mut tricky = atlas.clone();
    tricky.rows[0].1.statement = "</script><script>alert(1)</script>".into();
    let files = site(&[tricky]);
    let file = |name: &str| files.iter().find(|(known, _)| known == name).unwrap().1.clone();
    // The style names no other file.
    assert!(file("atlas.css").contains("Inter") && !file("atlas.css").contains("url(\""));
    let data = file("data-small.js");
    assert!(!data.contains("</script>"));
    let (_, json) = data.split_once(".push(").unwrap();
    let read: serde_json::Value =
        serde_json::from_str(json.trim_end().trim_end_matches(");")).unwrap();
    assert_eq!(read["rows"].as_array().unwrap().len(), atlas.rows.len());
    assert_eq!(read["rows"][0]["statement"], "</script><script>alert(1)</script>");
    assert!(read["rows"].as_array().unwrap().iter().all(|row| row["picture"].is_object()));
    let page = file("index.html");
    assert!(page.contains("data-small.js") && page.contains("A few games of every kind"));
    assert!(!page.contains("<!--"), "a place that was not filled");
}

/// A run with a journal cut at any byte, as a kill leaves it, ends in the same file. A cancelled
/// run writes nothing.
#[test]
fn kills_lose_the_game_in_work_at_most() {
    let plan = AtlasPlan::parse(
        "name = \"few\"\nabout = \"\"\nnodes = 1000000\n\
         [[games]]\ngame = \"S({A})\"\nwith = { A = \"subsets 1..3\" }",
    )
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let expected = whole(folder.path(), &plan).to_parquet().unwrap();
    let journal = fs::read(folder.path().join("journal.jsonl")).unwrap();
    let lines: Vec<usize> = (0..journal.len()).filter(|at| journal[*at] == b'\n').collect();
    assert_eq!(lines.len(), 1 + plan.jobs.len());
    for cut in (0..journal.len()).step_by(97).chain([journal.len() - 1, lines[0], lines[0] + 1]) {
        let torn = tempfile::tempdir().unwrap();
        fs::write(torn.path().join("journal.jsonl"), &journal[..cut]).unwrap();
        let kept = Journal::open(torn.path(), &plan).unwrap().len();
        assert_eq!(kept, lines.iter().skip(1).filter(|end| **end < cut).count(), "cut at {cut}");
        assert_eq!(whole(torn.path(), &plan).to_parquet().unwrap(), expected, "cut at {cut}");
    }
    // Cancelled before it begins: an interrupted game has no entry.
    let stopped = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(stopped.path(), &plan).unwrap();
    let watch = Arc::new(Watch::default());
    watch.stop.store(true, Ordering::Relaxed);
    let budget = Budget { watch: Some(watch), ..Budget::default() };
    assert_eq!(run(&plan, &mut journal, &budget, &mut |_| ()).unwrap(), RunEnd::Stopped);
    assert!(journal.is_empty());
}

/// The directory of another plan is refused, and is unchanged.
#[test]
fn other_directories_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"one\"\nabout = \"\"\nnodes = 1000\n[[games]]\ngame = \"S(1)\"";
    let plan = AtlasPlan::parse(text).unwrap();
    whole(folder.path(), &plan);
    let journal = folder.path().join("journal.jsonl");
    let before = fs::read(&journal).unwrap();
    let refused = |plan: &AtlasPlan| Journal::open(folder.path(), plan).unwrap_err();
    let other = AtlasPlan::parse(&text.replace("1000", "2000")).unwrap();
    let message = refused(&other).to_string();
    assert!(message.contains("1000 nodes") && message.contains("2000 nodes"), "{message}");
    assert!(matches!(
        refused(&AtlasPlan::parse(&text.replace("S(1)", "S(2)")).unwrap()),
        JournalError::Other { .. }
    ));
    let in_use = Journal::open(folder.path(), &plan).unwrap();
    assert!(matches!(refused(&plan), JournalError::InUse(_)));
    drop(in_use);
    fs::write(
        &journal,
        String::from_utf8(before.clone()).unwrap().replace("\"version\":\"", "\"version\":\"9."),
    )
    .unwrap();
    assert!(refused(&plan).to_string().contains("version 9."));
    // A complete line without entries: another program has written it.
    fs::write(&journal, [&before[..], b"{\"number\":0}\n"].concat()).unwrap();
    assert!(matches!(refused(&plan), JournalError::Line(_, 3, _)), "{}", refused(&plan));
    let foreign = tempfile::tempdir().unwrap();
    fs::write(foreign.path().join("letter.txt"), "dear").unwrap();
    assert!(matches!(Journal::open(foreign.path(), &plan).unwrap_err(), JournalError::Foreign(_)));
    assert!(Atlas::from_parquet(b"no".to_vec()).is_err());
}
