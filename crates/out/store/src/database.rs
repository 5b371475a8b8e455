//! The results on disk: one SQLite file that `sqlite3` and pandas open as it is. Schema: docs/database.md.
//!
//! One process writes, in transactions; what is committed survives a kill at any moment (write-ahead log). Every row has
//! its seal, and all are looked at when a file is opened.

use crate::seal;
use bouton_core::{Formula, FormulaError, Outcome, Play};
use bouton_kotzig::Circulant;
use bouton_kotzig::Instance;
use bouton_kotzig::shard::Solved;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};
use std::path::{Path, PathBuf};

/// Marks the file as ours: "Bout".
const APPLICATION: i64 = 0x426f_7574;

/// The version of the schema.
const SCHEMA: i64 = 2;

/// Moves a row can have.
pub const MAX_MOVES: usize = 6;

const TABLES: &str = "
CREATE TABLE game (
  id INTEGER PRIMARY KEY,
  moves TEXT NOT NULL,
  n INTEGER NOT NULL,
  play TEXT NOT NULL CHECK (play IN ('normal', 'misere')),
  outcome TEXT CHECK (outcome IN ('N', 'P')),
  nodes INTEGER NOT NULL DEFAULT 0,
  tried INTEGER NOT NULL DEFAULT 0,
  seal INTEGER NOT NULL,
  UNIQUE (moves, n, play)
) STRICT;
CREATE TABLE instance (
  moves TEXT NOT NULL,
  n INTEGER NOT NULL,
  play TEXT NOT NULL,
  m1 INTEGER NOT NULL, m2 INTEGER, m3 INTEGER, m4 INTEGER, m5 INTEGER, m6 INTEGER,
  game INTEGER NOT NULL REFERENCES game (id),
  seal INTEGER NOT NULL,
  PRIMARY KEY (moves, n, play)
) STRICT, WITHOUT ROWID;
CREATE VIEW result AS
  SELECT m1, m2, m3, m4, m5, m6, instance.n AS n, instance.play AS play, outcome, game.moves AS form, game.n AS form_n
  FROM instance JOIN game ON game.id = instance.game;
";

/// What the seal of a game is of.
const GAME: &str = "seal(game.id, game.moves, game.n, game.play, game.outcome, game.nodes, game.tried)";
/// What the seal of an instance is of: of its game the name, which a sweep does not change.
const INSTANCE: &str =
    "seal(instance.moves, instance.n, instance.play, m1, m2, m3, m4, m5, m6, instance.game)";

/// What can go wrong with a database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite, in its own words.
    #[error("{0}: {1}")]
    Sqlite(PathBuf, rusqlite::Error),
    /// Made by something else, or changed by hand.
    #[error("{0} is no database of results made by bouton")]
    NotOurs(PathBuf),
    /// Made by another version.
    #[error("{0} has schema {1}, this program reads schema {SCHEMA}: sweep into a new file")]
    Version(PathBuf, i64),
    /// Somebody sweeps into it.
    #[error("{0} is in use by another sweep; wait for it, or choose another file")]
    Busy(PathBuf),
    /// No space.
    #[error(
        "no space left for {0}; what was reported as done is kept: make room, or move the file, and sweep again"
    )]
    Full(PathBuf),
    /// It does not exist.
    #[error("{0} does not exist; make it by a sweep")]
    Missing(PathBuf),
    /// What no sweep writes: changed by hand, or by a disk that forgets.
    #[error(
        "{0} is damaged, nothing in it was used or changed: {1}; take a copy of before, or sweep into a new file"
    )]
    Damaged(PathBuf, String),
    /// A condition that is no formula.
    #[error("{1}")]
    Condition(String, FormulaError),
    /// A condition that cannot be evaluated on some row.
    #[error("the condition {0} could not be evaluated: {1}")]
    Undecided(String, String),
    /// A range with its ends exchanged, or a parameter without one.
    #[error("{0}")]
    Usage(String),
}

/// One line of results: a game as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The moves.
    pub moves: Vec<u64>,
    /// Cells.
    pub n: u64,
    /// The convention.
    pub play: Play,
    /// `None`: unknown, its budget was spent.
    pub outcome: Option<Outcome>,
}

/// An open database.
pub struct Database {
    path: PathBuf,
    connection: Connection,
    /// Held for writing: an exclusive transaction on a file beside, which the system ends with the process.
    lock: Option<(PathBuf, Connection)>,
}

impl Database {
    /// Opens for reading.
    pub fn open(path: &Path) -> Result<Database, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.into()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(told(path))?;
        seal::install(&connection).map_err(told(path))?;
        let database = Database { path: path.into(), connection, lock: None };
        database.check()?;
        Ok(database)
    }

    /// Opens for a sweep; makes the file if there is none. Only one process can hold it so.
    pub fn create(path: &Path) -> Result<Database, StoreError> {
        let lock = Lock::take(path)?;
        let connection = Connection::open(path).map_err(told(path))?;
        seal::install(&connection).map_err(told(path))?;
        let mut database = Database { path: path.into(), connection, lock: Some(lock) };
        if database.number("PRAGMA schema_version")? == 0 && database.number("PRAGMA application_id")? == 0 {
            database.make().map_err(told(path))?;
        }
        database.check()?;
        let pragmas = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;";
        database.connection.execute_batch(pragmas).map_err(told(path))?;
        Ok(database)
    }

    fn make(&mut self) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", SCHEMA)?;
        transaction.commit()
    }

    fn check(&self) -> Result<(), StoreError> {
        if self.number("PRAGMA application_id")? != APPLICATION {
            return Err(StoreError::NotOurs(self.path.clone()));
        }
        match self.number("PRAGMA user_version")? {
            SCHEMA => {}
            other => return Err(StoreError::Version(self.path.clone(), other)),
        }
        self.intact()
    }

    /// Is the file well-formed, with the tables that are made here, and every row as it was written? Reads all of it: about a second for 400,000 rows.
    fn intact(&self) -> Result<(), StoreError> {
        let damaged = |why: String| StoreError::Damaged(self.path.clone(), why);
        // What tables and views are is text in the file: a bit of it changed may be another view.
        let own = Connection::open_in_memory().and_then(|own| own.execute_batch(TABLES).and(tables(&own)));
        if tables(&self.connection).map_err(|error| damaged(error.to_string()))?
            != own.map_err(told(&self.path))?
        {
            return Err(damaged("its tables are others than a sweep makes".into()));
        }
        let first = |sql: &str| {
            let row = self.connection.query_row(sql, [], |row| row.get::<_, String>(0)).optional();
            row.map_err(|error| damaged(error.to_string()))
        };
        if let Some(fault) = first("PRAGMA integrity_check(1)")?.filter(|answer| answer != "ok") {
            return Err(damaged(fault.replace('\n', " ")));
        }
        let games = format!("SELECT moves || ';' || n FROM game WHERE seal <> {GAME} LIMIT 1");
        let instances = format!(
            "SELECT instance.moves || ';' || instance.n FROM instance LEFT JOIN game ON game.id = instance.game \
             WHERE game.id IS NULL OR instance.play <> game.play OR instance.seal <> {INSTANCE} LIMIT 1"
        );
        for (what, sql) in [("game", games), ("instance", instances)] {
            if let Some(row) = first(&sql)? {
                return Err(damaged(format!("the seal of the {what} {row} is broken")));
            }
        }
        first("SELECT moves FROM game LIMIT 0")
            .and_then(|_| first("SELECT outcome FROM result LIMIT 0"))
            .map(|_| ())
    }

    fn number(&self, sql: &str) -> Result<i64, StoreError> {
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(told(&self.path))
    }

    /// Enters games asked for, each under its narrow form; those that are there stay as they are. One transaction.
    pub(crate) fn enter(
        &mut self,
        instances: &[(Instance, Circulant)],
        play: Play,
    ) -> Result<(), StoreError> {
        let mut enter = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            let mut ids = std::collections::HashMap::new();
            {
                let mut add = transaction.prepare(
                    "INSERT INTO game (moves, n, play, seal) VALUES (?1, ?2, ?3, 0) ON CONFLICT DO NOTHING",
                )?;
                let mut close =
                    transaction.prepare(&format!("UPDATE game SET seal = {GAME} WHERE id = ?1"))?;
                let mut find =
                    transaction.prepare("SELECT id FROM game WHERE moves = ?1 AND n = ?2 AND play = ?3")?;
                let mut name = transaction.prepare(
                    "INSERT INTO instance VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, \
                     seal(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)) ON CONFLICT DO NOTHING",
                )?;
                for (Instance { game, .. }, form) in instances {
                    let id: i64 = match ids.get(form) {
                        Some(id) => *id,
                        None => {
                            let (moves, n) = (list(form.moves()), form.n() as i64);
                            let new = add.execute(params![moves, n, word(play)])? > 0;
                            let id = find.query_row(params![moves, n, word(play)], |row| row.get(0))?;
                            if new {
                                close.execute([id])?;
                            }
                            ids.insert(form.clone(), id);
                            id
                        }
                    };
                    let m = |i: usize| game.moves().get(i).map(|m| *m as i64);
                    let (moves, n) = (list(game.moves()), game.n() as i64);
                    name.execute(params![moves, n, word(play), m(0), m(1), m(2), m(3), m(4), m(5), id])?;
                }
            }
            transaction.commit()
        };
        enter().map_err(told(&self.path))
    }

    /// Games of a convention without an outcome that have not been tried with as many nodes, largest circles first.
    pub(crate) fn open_games(&self, play: Play, nodes: u64) -> Result<Vec<Circulant>, StoreError> {
        let sql = "SELECT moves, n FROM game WHERE play = ?1 AND outcome IS NULL AND tried < ?2 ORDER BY n DESC, moves";
        let read = || -> rusqlite::Result<Vec<(String, i64)>> {
            let mut select = self.connection.prepare(sql)?;
            let rows =
                select.query_map(params![word(play), whole(nodes)], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        let rows = read().map_err(told(&self.path))?;
        rows.into_iter().map(|(moves, n)| self.game(&moves, n)).collect()
    }

    fn game(&self, moves: &str, n: i64) -> Result<Circulant, StoreError> {
        let parsed: Option<Vec<u64>> = moves.split(',').map(|m| m.parse().ok()).collect();
        parsed
            .zip(u64::try_from(n).ok())
            .and_then(|(moves, n)| Circulant::new(&moves, n).ok())
            .ok_or_else(|| StoreError::Damaged(self.path.clone(), format!("{moves};{n} is no game")))
    }

    /// Writes verdicts in one transaction: when this returns, they are kept.
    pub(crate) fn record(
        &mut self,
        verdicts: &[(Circulant, Solved)],
        play: Play,
        tried: u64,
    ) -> Result<(), StoreError> {
        let mut record = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            {
                let mut update = transaction.prepare_cached(
                    "UPDATE game SET outcome = ?4, nodes = nodes + ?5, tried = ?6, \
                     seal = seal(id, moves, n, play, ?4, nodes + ?5, ?6) WHERE moves = ?1 AND n = ?2 AND play = ?3",
                )?;
                for (game, Solved { outcome, nodes }) in verdicts {
                    let outcome = outcome.ok().map(|outcome| outcome.to_string());
                    let (moves, n) = (list(game.moves()), game.n() as i64);
                    update.execute(params![moves, n, word(play), outcome, whole(*nodes), whole(tried)])?;
                }
            }
            transaction.commit()
        };
        record().map_err(told(&self.path))
    }

    /// How many different games of a convention there are, and how many of them have an outcome.
    pub fn games(&self, play: Play) -> Result<(u64, u64), StoreError> {
        let sql = "SELECT count(*), count(outcome) FROM game WHERE play = ?1";
        let count =
            |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64));
        self.connection.query_row(sql, [word(play)], count).map_err(told(&self.path))
    }

    /// Visits the results in order of moves and n. `condition` is a formula over m1 … m6 and n, such as
    /// `m1=1 & m2=5`; a move that a row does not have is 0. Returns how many rows were visited.
    pub fn query(
        &self,
        condition: Option<&str>,
        play: Option<Play>,
        mut visit: impl FnMut(&Row) -> std::io::Result<()>,
    ) -> Result<Result<u64, std::io::Error>, StoreError> {
        let names = ["m1", "m2", "m3", "m4", "m5", "m6", "n"].map(String::from);
        let formula = condition
            .map(|text| {
                Formula::parse_over(text, &names).map_err(|error| StoreError::Condition(text.into(), error))
            })
            .transpose()?;
        let sql = "SELECT m1, m2, m3, m4, m5, m6, n, play, outcome FROM result WHERE ?1 IS NULL OR play = ?1 \
                   ORDER BY m1, m2, m3, m4, m5, m6, n, play";
        let mut select = self.connection.prepare(sql).map_err(told(&self.path))?;
        let mut rows = select.query([play.map(word)]).map_err(told(&self.path))?;
        let mut visited = 0;
        while let Some(row) = rows.next().map_err(told(&self.path))? {
            let mut values = [0u64; MAX_MOVES + 1];
            for (i, value) in values.iter_mut().enumerate() {
                *value = row.get::<_, Option<i64>>(i).map_err(told(&self.path))?.unwrap_or(0).unsigned_abs();
            }
            if let Some(formula) = &formula {
                let text = || condition.unwrap_or_default().to_owned();
                match formula.holds(&values) {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(unknown) => return Err(StoreError::Undecided(text(), unknown.to_string())),
                }
            }
            let text = |i: usize| row.get::<_, Option<String>>(i).map_err(told(&self.path));
            let row = Row {
                moves: values[..MAX_MOVES].iter().copied().filter(|m| *m > 0).collect(),
                n: values[MAX_MOVES],
                play: if text(7)?.as_deref() == Some("misere") { Play::Misere } else { Play::Normal },
                outcome: match text(8)?.as_deref() {
                    Some("N") => Some(Outcome::N),
                    Some("P") => Some(Outcome::P),
                    _ => None,
                },
            };
            visited += 1;
            if let Err(error) = visit(&row) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(visited))
    }

    /// The outcome of one game as it was asked for.
    pub fn outcome(&self, game: &Circulant, play: Play) -> Result<Option<Outcome>, StoreError> {
        let sql = "SELECT outcome FROM game JOIN instance ON game.id = instance.game \
                   WHERE instance.moves = ?1 AND instance.n = ?2 AND instance.play = ?3";
        let found: Option<Option<String>> = self
            .connection
            .query_row(sql, params![list(game.moves()), game.n() as i64, word(play)], |row| row.get(0))
            .optional()
            .map_err(told(&self.path))?;
        Ok(found.flatten().map(|text| if text == "P" { Outcome::P } else { Outcome::N }))
    }

    /// Limits the file's size, in bytes: what goes beyond ends in [`StoreError::Full`].
    pub fn limit_bytes(&self, bytes: u64) -> Result<(), StoreError> {
        let pages = whole(bytes) / self.number("PRAGMA page_size")?.max(1);
        self.number(&format!("PRAGMA max_page_count = {}", pages.max(1))).map(|_| ())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some((path, lock)) = self.lock.take() {
            // One file, which can be read where nothing can be written; if somebody reads it now, the next sweep does it.
            let _ = self.connection.execute_batch("PRAGMA journal_mode = DELETE");
            // Unlinked while still locked: nobody can take the old file for free.
            let _ = std::fs::remove_file(path);
            drop(lock);
        }
    }
}

/// The tables, indices and views, as they were asked for.
fn tables(connection: &Connection) -> rusqlite::Result<Vec<[Option<String>; 4]>> {
    let mut select =
        connection.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")?;
    let rows = select.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    rows.collect()
}

struct Lock;

impl Lock {
    fn take(path: &Path) -> Result<(PathBuf, Connection), StoreError> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".lock");
        let beside = PathBuf::from(beside);
        let lock = Connection::open(&beside).map_err(told(path))?;
        lock.busy_timeout(std::time::Duration::ZERO).map_err(told(path))?;
        lock.execute_batch("BEGIN EXCLUSIVE").map_err(told(path))?;
        Ok((beside, lock))
    }
}

/// A result of SQLite as an error of ours.
fn told(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    move |error| match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(path.clone()),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy(path.clone()),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StoreError::NotOurs(path.clone()),
        _ => StoreError::Sqlite(path.clone(), error),
    }
}

fn list(moves: &[u64]) -> String {
    moves.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// The convention as it is stored.
pub(crate) fn word(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal",
        Play::Misere => "misere",
    }
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
