//! The results on disk: one SQLite file, which `sqlite3` and pandas open directly. Schema:
//! docs/database.md.
//!
//! One process writes, in transactions. Committed rows survive a kill at any moment (write-ahead
//! log). Every row has a checksum, and opening a file verifies all of them.

use crate::family::{MAX_MOVES, NamedGame};
use crate::row_checksum;
use bouton_core::{Formula, FormulaError, Outcome, Play};
use bouton_kotzig::Circulant;
use bouton_kotzig::shard::Solved;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};
use std::path::{Path, PathBuf};

/// The application id of our files: "Bout".
const APPLICATION: i64 = 0x426f_7574;

/// The version of the schema.
const SCHEMA: i64 = 2;

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
  SELECT m1, m2, m3, m4, m5, m6, instance.n AS n, instance.play AS play, outcome, game.moves AS \
  form, game.n AS form_n
  FROM instance JOIN game ON game.id = instance.game;
";

/// The checksum of a row of `game`.
const GAME_SEAL: &str =
    "seal(game.id, game.moves, game.n, game.play, game.outcome, game.nodes, game.tried)";
/// The checksum of a row of `instance`. It covers the id of the game, which a sweep does not
/// change.
const INSTANCE_SEAL: &str =
    "seal(instance.moves, instance.n, instance.play, m1, m2, m3, m4, m5, m6, instance.game)";

/// An error of a database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// An error of SQLite.
    #[error("{0}: {1}")]
    Sqlite(PathBuf, rusqlite::Error),
    /// The file is no database of results.
    #[error("{0} is no database of results made by bouton")]
    NotOurs(PathBuf),
    /// The file has another version of the schema.
    #[error("{0} has schema {1}, this program reads schema {SCHEMA}: sweep into a new file")]
    Version(PathBuf, i64),
    /// Another process sweeps into the file.
    #[error("{0} is in use by another sweep; wait for it, or choose another file")]
    Busy(PathBuf),
    /// The disk is full.
    #[error(
        "no space left for {0}; what was reported as done is kept: make room, or move the file, \
         and sweep again"
    )]
    Full(PathBuf),
    /// The file does not exist.
    #[error("{0} does not exist; make it by a sweep")]
    Missing(PathBuf),
    /// The file has rows or tables that no sweep writes.
    #[error(
        "{0} is damaged, nothing in it was used or changed: {1}; take a copy of before, or sweep \
         into a new file"
    )]
    Damaged(PathBuf, String),
    /// The condition of a query is not a formula.
    #[error("{1}")]
    Condition(String, FormulaError),
    /// The condition of a query cannot be evaluated on some row.
    #[error("the condition {0} could not be evaluated: {1}")]
    Undecided(String, String),
    /// A family or range cannot be swept.
    #[error("{0}")]
    Usage(String),
}

/// One result: a game as the user named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The moves.
    pub moves: Vec<u64>,
    /// The number of cells.
    pub n: u64,
    /// The convention.
    pub play: Play,
    /// The outcome; `None` if the search exceeded its budget.
    pub outcome: Option<Outcome>,
}

/// An open database.
pub struct Database {
    path: PathBuf,
    connection: Connection,
    /// The lock of a writer: an exclusive transaction on a file beside the database. The operating
    /// system ends it with the process.
    lock: Option<(PathBuf, Connection)>,
}

impl Database {
    /// Opens a database for reading, and verifies it.
    ///
    /// # Errors
    /// Fails if the file does not exist, is no database of results, has another version or is
    /// damaged.
    pub fn open(path: &Path) -> Result<Database, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.into()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(sqlite_error(path))?;
        row_checksum::install(&connection).map_err(sqlite_error(path))?;
        let database = Database { path: path.into(), connection, lock: None };
        database.check()?;
        Ok(database)
    }

    /// Opens a database for a sweep, and verifies it; creates the file if there is none. Only one
    /// process can hold a database open for a sweep.
    ///
    /// # Errors
    /// Fails as [`Database::open`] does, and if another process holds the database.
    pub fn create(path: &Path) -> Result<Database, StoreError> {
        let lock = lock(path)?;
        let connection = Connection::open(path).map_err(sqlite_error(path))?;
        row_checksum::install(&connection).map_err(sqlite_error(path))?;
        let mut database = Database { path: path.into(), connection, lock: Some(lock) };
        if database.number("PRAGMA schema_version")? == 0
            && database.number("PRAGMA application_id")? == 0
        {
            database.create_tables().map_err(sqlite_error(path))?;
        }
        database.check()?;
        let pragmas =
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;";
        database.connection.execute_batch(pragmas).map_err(sqlite_error(path))?;
        Ok(database)
    }

    fn create_tables(&mut self) -> rusqlite::Result<()> {
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
        self.check_rows()
    }

    /// Verifies that the file is well-formed, has exactly our tables, and that every row has its
    /// checksum. Reads the whole file: about a second for 400,000 rows.
    fn check_rows(&self) -> Result<(), StoreError> {
        let damaged = |why: String| StoreError::Damaged(self.path.clone(), why);
        // The file stores tables and views as text; a changed bit may define another view.
        let own = Connection::open_in_memory()
            .and_then(|own| own.execute_batch(TABLES).and(tables(&own)));
        if tables(&self.connection).map_err(|error| damaged(error.to_string()))?
            != own.map_err(sqlite_error(&self.path))?
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
        let games = format!("SELECT moves || ';' || n FROM game WHERE seal <> {GAME_SEAL} LIMIT 1");
        let instances = format!(
            "SELECT instance.moves || ';' || instance.n FROM instance LEFT JOIN game ON game.id = \
             instance.game WHERE game.id IS NULL OR instance.play <> game.play OR instance.seal \
             <> {INSTANCE_SEAL} LIMIT 1"
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
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(sqlite_error(&self.path))
    }

    /// Enters games, each under its narrow form, in one transaction. Rows that exist are unchanged.
    pub(crate) fn enter(&mut self, games: &[NamedGame], play: Play) -> Result<(), StoreError> {
        let mut enter = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            let mut ids = std::collections::HashMap::new();
            {
                let mut add = transaction.prepare(
                    "INSERT INTO game (moves, n, play, seal) VALUES (?1, ?2, ?3, 0) ON CONFLICT \
                     DO NOTHING",
                )?;
                let mut close = transaction
                    .prepare(&format!("UPDATE game SET seal = {GAME_SEAL} WHERE id = ?1"))?;
                let mut find = transaction
                    .prepare("SELECT id FROM game WHERE moves = ?1 AND n = ?2 AND play = ?3")?;
                let mut name = transaction.prepare(
                    "INSERT INTO instance VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, \
                     seal(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)) ON CONFLICT DO NOTHING",
                )?;
                for (game, form) in games {
                    let id: i64 = match ids.get(form) {
                        Some(id) => *id,
                        None => {
                            let (moves, n) = (moves_text(form.moves()), form.n() as i64);
                            let new = add.execute(params![moves, n, play_text(play)])? > 0;
                            let id = find
                                .query_row(params![moves, n, play_text(play)], |row| row.get(0))?;
                            if new {
                                close.execute([id])?;
                            }
                            ids.insert(form.clone(), id);
                            id
                        }
                    };
                    let m = |i: usize| game.moves().get(i).map(|m| *m as i64);
                    let (moves, n) = (moves_text(game.moves()), game.n() as i64);
                    name.execute(params![
                        moves,
                        n,
                        play_text(play),
                        m(0),
                        m(1),
                        m(2),
                        m(3),
                        m(4),
                        m(5),
                        id
                    ])?;
                }
            }
            transaction.commit()
        };
        enter().map_err(sqlite_error(&self.path))
    }

    /// Returns the games of a convention that have no outcome and have not been tried with this
    /// many nodes, largest circles first.
    pub(crate) fn open_games(&self, play: Play, nodes: u64) -> Result<Vec<Circulant>, StoreError> {
        let sql = "SELECT moves, n FROM game WHERE play = ?1 AND outcome IS NULL AND tried < ?2 \
            ORDER BY n DESC, moves";
        let read = || -> rusqlite::Result<Vec<(String, i64)>> {
            let mut select = self.connection.prepare(sql)?;
            let rows = select.query_map(params![play_text(play), integer(nodes)], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
            rows.collect()
        };
        let rows = read().map_err(sqlite_error(&self.path))?;
        rows.into_iter().map(|(moves, n)| self.game(&moves, n)).collect()
    }

    fn game(&self, moves: &str, n: i64) -> Result<Circulant, StoreError> {
        let parsed: Option<Vec<u64>> = moves.split(',').map(|m| m.parse().ok()).collect();
        parsed
            .zip(u64::try_from(n).ok())
            .and_then(|(moves, n)| Circulant::new(&moves, n).ok())
            .ok_or_else(|| {
                StoreError::Damaged(self.path.clone(), format!("{moves};{n} is no game"))
            })
    }

    /// Writes verdicts in one transaction. They are on disk when the call returns.
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
                     seal = seal(id, moves, n, play, ?4, nodes + ?5, ?6) WHERE moves = ?1 AND n = \
                     ?2 AND play = ?3",
                )?;
                for (game, Solved { outcome, nodes }) in verdicts {
                    let outcome = outcome.ok().map(|outcome| outcome.to_string());
                    let (moves, n) = (moves_text(game.moves()), game.n() as i64);
                    update.execute(params![
                        moves,
                        n,
                        play_text(play),
                        outcome,
                        integer(*nodes),
                        integer(tried)
                    ])?;
                }
            }
            transaction.commit()
        };
        record().map_err(sqlite_error(&self.path))
    }

    /// Returns the number of different games of a convention, and how many of them have an outcome.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub fn games(&self, play: Play) -> Result<(u64, u64), StoreError> {
        let sql = "SELECT count(*), count(outcome) FROM game WHERE play = ?1";
        let count = |row: &rusqlite::Row<'_>| {
            Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64))
        };
        self.connection.query_row(sql, [play_text(play)], count).map_err(sqlite_error(&self.path))
    }

    /// Visits the results in the order of moves and n, and returns the number of rows visited.
    ///
    /// `condition` is a formula over m1, …, m6 and n, such as `m1=1 & m2=5`. A move that a row does
    /// not have counts as 0.
    ///
    /// # Errors
    /// The outer error is one of the database or of the condition, the inner one of `visit`.
    pub fn query(
        &self,
        condition: Option<&str>,
        play: Option<Play>,
        mut visit: impl FnMut(&Row) -> std::io::Result<()>,
    ) -> Result<Result<u64, std::io::Error>, StoreError> {
        let names = ["m1", "m2", "m3", "m4", "m5", "m6", "n"].map(String::from);
        let formula = condition
            .map(|text| {
                Formula::parse_over(text, &names)
                    .map_err(|error| StoreError::Condition(text.into(), error))
            })
            .transpose()?;
        let sql = "SELECT m1, m2, m3, m4, m5, m6, n, play, outcome FROM result WHERE ?1 IS NULL \
                   OR play = ?1 ORDER BY m1, m2, m3, m4, m5, m6, n, play";
        let mut select = self.connection.prepare(sql).map_err(sqlite_error(&self.path))?;
        let mut rows = select.query([play.map(play_text)]).map_err(sqlite_error(&self.path))?;
        let mut visited = 0;
        while let Some(row) = rows.next().map_err(sqlite_error(&self.path))? {
            let mut values = [0u64; MAX_MOVES + 1];
            for (i, value) in values.iter_mut().enumerate() {
                *value = row
                    .get::<_, Option<i64>>(i)
                    .map_err(sqlite_error(&self.path))?
                    .unwrap_or(0)
                    .unsigned_abs();
            }
            if let Some(formula) = &formula {
                let text = || condition.unwrap_or_default().to_owned();
                match formula.holds(&values) {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(unknown) => return Err(StoreError::Undecided(text(), unknown.to_string())),
                }
            }
            let text = |i: usize| row.get::<_, Option<String>>(i).map_err(sqlite_error(&self.path));
            let row = Row {
                moves: values[..MAX_MOVES].iter().copied().filter(|m| *m > 0).collect(),
                n: values[MAX_MOVES],
                play: if text(7)?.as_deref() == Some("misere") {
                    Play::Misere
                } else {
                    Play::Normal
                },
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

    /// Returns the outcome of one game as the user named it; `None` if it is unknown.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub fn outcome(&self, game: &Circulant, play: Play) -> Result<Option<Outcome>, StoreError> {
        let sql = "SELECT outcome FROM game JOIN instance ON game.id = instance.game \
                   WHERE instance.moves = ?1 AND instance.n = ?2 AND instance.play = ?3";
        let found: Option<Option<String>> = self
            .connection
            .query_row(
                sql,
                params![moves_text(game.moves()), game.n() as i64, play_text(play)],
                |row| row.get(0),
            )
            .optional()
            .map_err(sqlite_error(&self.path))?;
        Ok(found.flatten().map(|text| if text == "P" { Outcome::P } else { Outcome::N }))
    }

    /// Limits the size of the file, in bytes. Writes past the limit fail with [`StoreError::Full`].
    ///
    /// # Errors
    /// Fails if SQLite refuses the limit.
    pub fn limit_bytes(&self, bytes: u64) -> Result<(), StoreError> {
        let pages = integer(bytes) / self.number("PRAGMA page_size")?.max(1);
        self.number(&format!("PRAGMA max_page_count = {}", pages.max(1))).map(|_| ())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some((path, lock)) = self.lock.take() {
            // A single file can be read on a read-only disk. If the file has a reader at this
            // moment, the next sweep removes the log.
            let _ = self.connection.execute_batch("PRAGMA journal_mode = DELETE");
            // The lock is unlinked while it is held, so that no process takes it for a free one.
            let _ = std::fs::remove_file(path);
            drop(lock);
        }
    }
}

/// Returns the definitions of the tables, indices and views.
fn tables(connection: &Connection) -> rusqlite::Result<Vec<[Option<String>; 4]>> {
    let mut select = connection
        .prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")?;
    let rows =
        select.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    rows.collect()
}

/// Locks a database for writing: the path of the lock file, and the connection that holds it.
fn lock(path: &Path) -> Result<(PathBuf, Connection), StoreError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let beside = PathBuf::from(beside);
    let lock = Connection::open(&beside).map_err(sqlite_error(path))?;
    lock.busy_timeout(std::time::Duration::ZERO).map_err(sqlite_error(path))?;
    lock.execute_batch("BEGIN EXCLUSIVE").map_err(sqlite_error(path))?;
    Ok((beside, lock))
}

/// Returns a conversion of SQLite's errors on a file.
fn sqlite_error(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    move |error| match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(path.clone()),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy(path.clone()),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            StoreError::NotOurs(path.clone())
        }
        _ => StoreError::Sqlite(path.clone(), error),
    }
}

/// Returns the moves as they are stored, separated by commas.
fn moves_text(moves: &[u64]) -> String {
    moves.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// Returns the convention as it is stored.
pub(crate) fn play_text(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal",
        Play::Misere => "misere",
    }
}

/// Returns the number, or the greatest of SQLite for numbers past its range.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
