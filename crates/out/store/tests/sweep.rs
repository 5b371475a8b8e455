//! Sweeps: correct outcomes, durable results, one writer and any number of readers.

#![allow(clippy::unwrap_used)]

use bouton_core::{Budget, Meter, Outcome, Play, Watch};
use bouton_kotzig::KotzigFamily;
use bouton_kotzig::{Circulant, Position, plain};
use bouton_store::database::Row;
use bouton_store::export::{Format, export, export_parquet};
use bouton_store::sweep::{Report, Settings, sweep};
use bouton_store::{Database, StoreError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A temporary file, removed at the end of the test.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> File {
        let file =
            File(std::env::temp_dir().join(format!("bouton-{}-{name}.db", std::process::id())));
        file.clear();
        file
    }

    fn clear(&self) {
        for end in ["", "-wal", "-shm", ".lock"] {
            let _ = std::fs::remove_file(format!("{}{end}", self.0.display()));
        }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        self.clear();
    }
}

fn pairs() -> KotzigFamily {
    KotzigFamily::parse("Gamma(m1,m2;n)").unwrap()
}

fn run(path: &Path, to: i64, nodes: u64, play: Play) -> Result<Report, StoreError> {
    let mut database = Database::create(path)?;
    let how = Settings { play, nodes, threads: 2 };
    sweep(&mut database, &pairs(), &[1..=9, 1..=9, 1..=to], &how, &Arc::default(), |_| {})
}

#[test]
fn rows_agree_with_the_rules() {
    let file = File::new("rows");
    for play in [Play::Normal, Play::Misere] {
        let report = run(&file.0, 18, 1 << 40, play).unwrap();
        assert_eq!((report.instances, report.unknown.len()), (36 * 18, 0));
        assert!(report.games < 36 * 18 / 4);
    }
    let database = Database::open(&file.0).unwrap();
    let rows = database
        .query(None, None, |row| {
            let game = Circulant::new(&row.moves, row.n).unwrap();
            let mut meter = Meter::new(&Budget::default());
            let truth = plain::outcome(&game, &Position::start(), row.play, &mut meter).unwrap();
            assert_eq!(row.outcome, Some(truth), "{game}");
            Ok(())
        })
        .unwrap();
    assert_eq!(rows.unwrap(), 2 * 36 * 18);
}

#[test]
fn conditions_and_exports() {
    let file = File::new("exports");
    run(&file.0, 7, 1 << 40, Play::Normal).unwrap();
    let database = Database::open(&file.0).unwrap();
    let text = |condition: &str, format| {
        let mut out = Vec::new();
        export(&database, Some(condition), None, Some(Play::Normal), format, &mut out).map(
            |written| {
                written.unwrap();
                String::from_utf8(out).unwrap()
            },
        )
    };
    // The example of Tan & Ward, section 2: Γ(1,2;7) is in P.
    assert_eq!(text("m1=1 & m2=2 & n=7", Format::Lines).unwrap(), "1 2 7 P\n");
    assert_eq!(
        text("m1=1 & m2=2 & n=7", Format::Csv).unwrap(),
        "moves,n,play,outcome\n1 2,7,normal,P\n"
    );
    let json = "{\"moves\":[1,2],\"n\":7,\"play\":\"normal\",\"outcome\":\"P\"}\n";
    assert_eq!(text("m1=1 & m2=2 & n=7", Format::JsonLines).unwrap(), json);
    assert!(matches!(text("m1=1 &", Format::Lines), Err(StoreError::Condition(..))));
    assert!(matches!(text("q=1", Format::Lines), Err(StoreError::Condition(..))));
}

/// Parquet has the same rows, by the reader of the library.
#[test]
fn parquet_holds_the_same_rows() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let (file, out) = (File::new("columns"), File::new("columns-out"));
    run(&file.0, 8, 0, Play::Normal).unwrap();
    let database = Database::open(&file.0).unwrap();
    let mut rows = Vec::new();
    database
        .query(None, None, |row| {
            rows.push(row.clone());
            Ok(())
        })
        .unwrap()
        .unwrap();
    let written = export_parquet(&database, None, None, std::fs::File::create(&out.0).unwrap());
    assert_eq!(written.unwrap().unwrap(), rows.len() as u64);
    let reader = SerializedFileReader::new(std::fs::File::open(&out.0).unwrap()).unwrap();
    let mut read = 0;
    for (row, expected) in reader.get_row_iter(None).unwrap().zip(&rows) {
        let row = row.unwrap();
        let (names, fields): (Vec<_>, Vec<_>) = row.get_column_iter().unzip();
        assert_eq!(names, ["m1", "m2", "m3", "m4", "m5", "m6", "n", "play", "outcome"]);
        let moves: Vec<u64> = fields[..6]
            .iter()
            .filter(|field| ***field != Field::Null)
            .map(|field| field.to_string().parse().unwrap())
            .collect();
        let outcome =
            expected.outcome.map_or(Field::Null, |outcome| Field::Str(outcome.to_string()));
        assert_eq!(moves, expected.moves);
        assert_eq!(*fields[6], Field::Long(expected.n as i64));
        assert_eq!((fields[7], fields[8]), (&Field::Str("normal".into()), &outcome));
        read += 1;
    }
    assert_eq!(read, rows.len());
}

#[test]
fn a_sweep_that_was_stopped_goes_on() {
    let file = File::new("stopped");
    let mut database = Database::create(&file.0).unwrap();
    let (how, stop) =
        (Settings { play: Play::Normal, nodes: 1 << 40, threads: 1 }, Arc::new(Watch::default()));
    let ranges = [1..=30, 1..=30, 1..=60];
    let mut reported = 0;
    let first = sweep(&mut database, &pairs(), &ranges, &how, &stop, |progress| {
        reported = progress.done;
        stop.stop.store(true, Ordering::Relaxed);
    })
    .unwrap();
    assert!(first.stopped && first.not_entered > 0);
    let (games, solved) = database.games(Play::Normal).unwrap();
    assert!(reported > 0 && solved >= reported && solved <= games && games == first.games);
    // Small boards come first, those of moves to 16: 16 · 15 / 2 games for each number of cells.
    let mut cells = Vec::new();
    let visit = |row: &Row| {
        cells.push(row.n);
        Ok(())
    };
    database.query(None, None, visit).unwrap().unwrap();
    assert_eq!(cells.len() as u64, first.instances - first.not_entered);
    assert_eq!(cells.iter().max().copied(), Some((cells.len() as u64).div_ceil(120)));
    // As after SIGKILL, nothing is closed: the lock and the log remain.
    let image = File::new("killed");
    for end in ["", "-wal"] {
        let from = format!("{}{end}", file.0.display());
        if Path::new(&from).exists() {
            std::fs::copy(from, format!("{}{end}", image.0.display())).unwrap();
        }
    }
    let mut again = Database::create(&image.0).unwrap();
    assert_eq!(again.games(Play::Normal).unwrap(), (games, solved));
    let second = sweep(&mut again, &pairs(), &ranges, &how, &Arc::default(), |_| {}).unwrap();
    assert_eq!((second.unknown.len(), second.not_entered), (0, 0));
    assert_eq!(second.solved, second.games - solved);
}

#[test]
fn a_small_budget_leaves_unknowns_and_a_larger_one_settles_them() {
    let file = File::new("budget");
    let small = run(&file.0, 30, 50, Play::Normal).unwrap();
    assert!(!small.unknown.is_empty());
    let unknown = Database::open(&file.0).unwrap();
    let mut lines = Vec::new();
    export(&unknown, None, None, None, Format::Lines, &mut lines).unwrap().unwrap();
    assert!(String::from_utf8(lines).unwrap().contains(" ?\n"));
    let large = run(&file.0, 30, 1 << 40, Play::Normal).unwrap();
    assert_eq!((large.unknown.len(), large.solved), (0, small.unknown.len() as u64));
}

#[test]
fn one_sweep_a_file() {
    let file = File::new("lock");
    let first = Database::create(&file.0).unwrap();
    assert!(matches!(Database::create(&file.0), Err(StoreError::Busy(_))));
    // Readers do not conflict with a writer.
    assert!(Database::open(&file.0).is_ok());
    drop(first);
    assert!(Database::create(&file.0).is_ok());
}

#[test]
fn a_full_disk_loses_nothing_that_was_written() {
    let file = File::new("full");
    run(&file.0, 10, 1 << 40, Play::Normal).unwrap();
    let mut database = Database::create(&file.0).unwrap();
    let before = database.games(Play::Normal).unwrap();
    database.limit_bytes(1).unwrap();
    let how = Settings { play: Play::Normal, nodes: 1 << 40, threads: 2 };
    let ranges = [1..=60, 1..=60, 1..=60];
    let full = sweep(&mut database, &pairs(), &ranges, &how, &Arc::default(), |_| {});
    assert!(matches!(full, Err(StoreError::Full(_))), "{full:?}");
    drop(database);
    let after = Database::open(&file.0).unwrap();
    assert_eq!(after.games(Play::Normal).unwrap(), before);
}

#[test]
fn foreign_files_are_reported() {
    let file = File::new("others");
    assert!(matches!(Database::open(&file.0), Err(StoreError::Missing(_))));
    std::fs::write(&file.0, "1 2 3 N\n".repeat(1000)).unwrap();
    assert!(matches!(Database::open(&file.0), Err(StoreError::NotOurs(_))));
    assert!(matches!(Database::create(&file.0), Err(StoreError::NotOurs(_))));
    assert_eq!(std::fs::read_to_string(&file.0).unwrap(), "1 2 3 N\n".repeat(1000));
    file.clear();
    rusqlite::Connection::open(&file.0).unwrap().execute_batch("CREATE TABLE game (x)").unwrap();
    assert!(matches!(Database::create(&file.0), Err(StoreError::NotOurs(_))));
    file.clear();
    drop(Database::create(&file.0).unwrap());
    let by_hand =
        |sql: &str| rusqlite::Connection::open(&file.0).unwrap().execute_batch(sql).unwrap();
    by_hand("PRAGMA user_version = 7");
    assert!(matches!(Database::open(&file.0), Err(StoreError::Version(_, 7))));
    by_hand("PRAGMA user_version = 2; DROP VIEW result");
    assert!(matches!(Database::open(&file.0), Err(StoreError::Damaged(..))));
}

/// Returns all results of a file, as text.
fn lines(path: &Path) -> Result<String, StoreError> {
    let mut lines = Vec::new();
    for play in [Play::Normal, Play::Misere] {
        export(&Database::open(path)?, None, None, Some(play), Format::Lines, &mut lines)?.unwrap();
    }
    Ok(String::from_utf8(lines).unwrap())
}

#[test]
fn a_flipped_bit_is_never_believed() {
    let (whole, hurt) = (File::new("whole"), File::new("hurt"));
    run(&whole.0, 9, 1 << 40, Play::Normal).unwrap();
    let (good, bytes) = (lines(&whole.0).unwrap(), std::fs::read(&whole.0).unwrap());
    let mut refused = [0, 0];
    // The step is coprime to the page size in bits, so every place within a page is met.
    for place in (0..bytes.len() * 8).step_by(577) {
        let mut bad = bytes.clone();
        bad[place / 8] ^= 1 << (place % 8);
        hurt.clear();
        std::fs::write(&hurt.0, &bad).unwrap();
        match lines(&hurt.0) {
            Ok(read) => assert_eq!(read, good, "bit {place}"),
            Err(_) => refused[0] += 1,
        }
        match run(&hurt.0, 9, 1 << 40, Play::Normal) {
            Ok(_) => assert_eq!(lines(&hurt.0).unwrap(), good, "swept into, bit {place}"),
            Err(_) => refused[1] += 1,
        }
    }
    // Most of the file is rows, so many flips are detected.
    assert!(refused[0] > 50 && refused[1] > 50, "{refused:?}");
    // Damage to the view: a blank becomes the end of the text, and each instance has every game.
    let on = bytes.windows(8).position(|word| word == b" ON game").unwrap();
    for (place, byte) in [(on, 0), (on + 12, b'<'), (on + 1, b'I')] {
        let mut bad = bytes.clone();
        bad[place] = byte;
        hurt.clear();
        std::fs::write(&hurt.0, &bad).unwrap();
        assert!(lines(&hurt.0).is_err(), "{byte}");
    }
    // A changed row, and a missing one.
    for sql in [
        "UPDATE game SET outcome = 'P' WHERE outcome = 'N'",
        "PRAGMA foreign_keys = OFF; DELETE FROM game WHERE id = 3",
    ] {
        hurt.clear();
        std::fs::write(&hurt.0, &bytes).unwrap();
        rusqlite::Connection::open(&hurt.0).unwrap().execute_batch(sql).unwrap();
        assert!(matches!(Database::open(&hurt.0), Err(StoreError::Damaged(..))), "{sql}");
        assert!(matches!(Database::create(&hurt.0), Err(StoreError::Damaged(..))), "{sql}");
    }
}

#[test]
fn ranges_are_checked() {
    let file = File::new("ranges");
    let mut database = Database::create(&file.0).unwrap();
    let how = Settings { play: Play::Normal, nodes: 100, threads: 1 };
    let bad: [&[std::ops::RangeInclusive<i64>]; 3] = [
        &[1..=3, 1..=3],
        &[1..=3, std::ops::RangeInclusive::new(3, 1), 1..=5],
        &[i64::MIN..=i64::MAX, 1..=3, 1..=5],
    ];
    for ranges in bad {
        let report = sweep(&mut database, &pairs(), ranges, &how, &Arc::default(), |_| {});
        assert!(matches!(report, Err(StoreError::Usage(_))), "{report:?}");
    }
    // A move by the whole circle is accepted.
    let whole =
        sweep(&mut database, &pairs(), &[5..=5, 10..=10, 5..=5], &how, &Arc::default(), |_| {})
            .unwrap();
    assert_eq!((whole.instances, whole.solved), (1, 1));
    let game = Circulant::new(&[5, 10], 5).unwrap();
    assert_eq!(database.outcome(&game, Play::Normal).unwrap(), Some(Outcome::P));
}
