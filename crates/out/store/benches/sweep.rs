//! The benchmark of the database: all Γ(m1,m2;n) with m1 < m2 ≤ 72, n ≤ 72, into a new file.
//!
//! `cargo bench -p bouton-store --bench sweep`. Before it prints a time, it asserts the number of
//! triples, that none is unknown, and the rows of Theorem 3.1 of Tan & Ward for (1,4).

use bouton_core::{Outcome, Play, Watch};
use bouton_kotzig::Circulant;
use bouton_kotzig::KotzigFamily;
use bouton_store::{Database, sweep};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let family = KotzigFamily::parse("Gamma(m1,m2;n)").expect("a family");
    for (play, threads) in [(Play::Normal, 1), (Play::Normal, 2), (Play::Misere, 2)] {
        let path = std::env::temp_dir().join(format!("bouton-sweep-{}.db", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let started = Instant::now();
        let mut database = Database::create(&path).expect("a new database");
        let how = sweep::Settings { play, nodes: 1 << 40, threads };
        let ranges = [1..=72, 1..=72, 1..=72];
        let stop = Arc::new(Watch::default());
        let report =
            sweep::sweep(&mut database, &family, &ranges, &how, &stop, |_| {}).expect("a sweep");
        let seconds = started.elapsed().as_secs_f64();
        assert_eq!((report.instances, report.unknown.len()), (184_032, 0));
        if play == Play::Normal {
            for n in 1..=72 {
                let game = Circulant::new(&[1, 4], n).expect("a game");
                let p = [1, 3, 5, 7, 15].contains(&n) || n % 5 == 3 && n >= 23;
                let outcome = database.outcome(&game, play).expect("a row");
                assert_eq!(outcome, Some(if p { Outcome::P } else { Outcome::N }), "{game}");
            }
        }
        println!(
            "{play}, {threads} threads: {} triples, {} games, {} nodes, {seconds:.2} s",
            report.instances, report.games, report.nodes
        );
        drop(database);
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", path.display()));
        }
    }
}
