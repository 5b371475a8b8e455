//! Sweeps from the command line: killed, resumed, queried, exported.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn bouton(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouton")).args(arguments).output().unwrap()
}

fn text(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A directory of our own that goes when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("bouton-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const RANGES: [&str; 8] =
    ["sweep", "Gamma(m1,m2;n)", "--m1", "1..24", "--m2", "1..24", "--n", "1..52"];

fn sweep(db: &str) -> Vec<&str> {
    [&RANGES[..], &["--db", db]].concat()
}

/// SIGKILL at whatever moment: what is on disk then is right, and the next sweep ends with the same
/// database as one that was left in peace. The moments are determined by the rows written, not by
/// the clock.
#[test]
fn a_sweep_survives_being_killed() {
    let folder = Folder::new("killed");
    let (killed, whole) = (folder.file("killed.db"), folder.file("whole.db"));
    let written = || -> Vec<(std::ffi::OsString, u64)> {
        let files = std::fs::read_dir(&folder.0).unwrap().flatten();
        let length = |file: &std::fs::DirEntry| file.metadata().map_or(0, |told| told.len());
        let mut lengths: Vec<_> = files.map(|file| (file.file_name(), length(&file))).collect();
        lengths.sort_unstable();
        lengths
    };
    let mut deaths = 0;
    for changes in [1, 2, 4, 6] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bouton"))
            .args(sweep(&killed))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (mut last, mut seen) = (written(), 0);
        while seen < changes && child.try_wait().unwrap().is_none() {
            let now = written();
            seen += u32::from(now != last);
            last = now;
            // Looking takes a processor from the sweep.
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        deaths += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(deaths > 0, "the sweep was over each time before it could be killed");
    text(bouton(&sweep(&killed)));
    text(bouton(&sweep(&whole)));
    let export = |db: &str| text(bouton(&["export", "--db", db]));
    let lines = export(&whole);
    assert_eq!(lines.lines().count(), 24 * 23 / 2 * 52);
    assert!(!lines.contains('?'));
    assert_eq!(export(&killed), lines);
}

/// Theorem 3.1 of Tan & Ward on Γ(1,4;n), from the database.
#[test]
fn queries_and_exports() {
    let folder = Folder::new("queries");
    let db = folder.file("kotzig.db");
    text(bouton(&[
        "sweep",
        "Gamma(m1,m2;n)",
        "--m1",
        "1..4",
        "--m2",
        "2..5",
        "--n",
        "1..40",
        "--db",
        &db,
    ]));
    let lines = text(bouton(&["query", "--db", &db, "m1=1 & m2=4"]));
    for line in lines.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        let n: u32 = parts[2].parse().unwrap();
        let p = [1, 3, 5, 7, 15].contains(&n) || n >= 23 && n % 5 == 3;
        assert_eq!(parts[3], if p { "P" } else { "N" }, "{line}");
    }
    assert_eq!(lines.lines().count(), 40);
    let csv =
        text(bouton(&["export", "--db", &db, "--format", "csv", "--only", "m1=1 & m2=2 & n=7"]));
    assert_eq!(csv, "moves,n,play,outcome\n1 2,7,normal,P\n");
    let columns = bouton(&["export", "--db", &db, "--format", "parquet"]).stdout;
    assert!(
        columns.starts_with(b"PAR1") && columns.ends_with(b"PAR1"),
        "the format's magic at both ends"
    );
    let json = text(bouton(&["query", "--db", &db, "m1=1 & m2=2 & n=7", "--json"]));
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    let row = &rows[0];
    assert_eq!(
        (row["moves"].clone(), row["outcome"].clone()),
        (serde_json::json!([1, 2]), "P".into())
    );
    let none = bouton(&["query", "--db", &db, "n=99"]);
    assert_eq!(none.status.code(), Some(1), "no row is a negative answer");
}

#[test]
fn errors_are_reported() {
    let folder = Folder::new("slips");
    let db = folder.file("kotzig.db");
    let cases: [(&[&str], &str); 6] = [
        (
            &["sweep", "Gamma(;n)", "--n", "1..5", "--db", &db],
            "expected here, not `;` at character 7",
        ),
        (&["sweep", "Gamma(1,m2;n)", "--m2", "5..2", "--n", "1..5", "--db", &db], "5..2"),
        (&["sweep", "Gamma(1,m;n)", "--n", "1..5", "--db", &db], "m needs a range"),
        (&["query", "--db", &db, "m1=1"], "does not exist"),
        (&["claims", "--id", "K99"], "no row K99"),
        (&["strategy", "Gamma(1,4;0)"], "1 to 256 cells"),
    ];
    for (arguments, word) in cases {
        let output = bouton(arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains(word), "{arguments:?}: {told}");
        assert!(!told.contains("panicked"), "{told}");
    }
    std::fs::write(&db, "1 2 3 N\n".repeat(500)).unwrap();
    let output = bouton(&sweep(&db));
    assert!(String::from_utf8_lossy(&output.stderr).contains("kotzig.db"), "{output:?}");
    assert_eq!(
        std::fs::read_to_string(&db).unwrap(),
        "1 2 3 N\n".repeat(500),
        "it was left as it is"
    );
}

/// On a cluster the package for Python works: where it is not there, the error says what to do, and
/// nothing is made.
#[test]
fn a_cluster_needs_python() {
    let folder = Folder::new("cluster");
    let to = folder.file("shards");
    let on = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bouton"));
        let family = ["sweep", "Gamma(1,m;n)", "--n", "1..9", "--range", "m=2..4"];
        command
            .args(family)
            .args(arguments)
            .env("BOUTON_PYTHON", folder.file("python"))
            .output()
            .unwrap()
    };
    for (arguments, word) in [
        (&["--cluster", "local", "--directory", &to][..], "pip install 'bouton[cluster]'"),
        (&["--cluster", "local", "--to", &to], "note: --to is read as --directory"),
        (&["--cluster", "local", "--to", &to], "pip install 'bouton[cluster]'"),
        (&["--cluster", "local"], "--directory"),
        (&["--workers", "2", "--db", &to], "--cluster"),
        (&["--cluster", "local", "--directory", &to, "--db", &to], "--db"),
        (&[], "--db"),
    ] {
        let output = on(arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(word), "{arguments:?}: {told}");
    }
    let told = on(&["--cluster", "local", "--to", &to, "--json"]);
    let error: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert!(error["error"]["message"].as_str().unwrap().contains("BOUTON_PYTHON"), "{error}");
    assert!(!PathBuf::from(to).exists());
}

#[test]
fn the_ledger_is_verified() {
    // Theorem 3.1, as published: every n by a certificate; a row that circles are computed for; and
    // one with its least counterexample.
    let told = text(bouton(&["claims", "--verify", "--id", "K5", "--to", "30"]));
    assert!(
        told.contains("proved: for every n: 5 classes") && told.contains("  as recorded"),
        "{told}"
    );
    let told = text(bouton(&["claims", "--verify", "--id", "K10", "--to", "30"]));
    assert!(told.contains("holds: 30 instances") && told.contains("all n ≤ 30"), "{told}");
    let wrong = bouton(&["claims", "--verify", "--id", "K4", "--to", "20", "--json"]);
    assert_eq!(wrong.status.code(), Some(0), "it is on record");
    let rows: serde_json::Value = serde_json::from_slice(&wrong.stdout).unwrap();
    assert_eq!((&rows[0]["verdict"], &rows[0]["as_recorded"]), (&"refuted".into(), &true.into()));
    assert!(rows[0]["counterexample"].as_str().unwrap().starts_with("Gamma(3,4;3) is P"), "{rows}");
}
