//! A journal of solved positions: a run of days can be stopped, resumed and shared between
//! processes.
//!
//! Positions with at most a given number of drawn lines are recorded when their bounds improve. A
//! record is a line of text: the open lines in hexadecimal, the removed chains and loops, both
//! bounds, and the nodes spent. A run begins with the records of all journals in its folder, and
//! reads those of other shards again from time to time.
//!
//! A position with exactly the given number of drawn lines has an owner, determined by a hash of
//! its canonical form, and a shard postpones the positions of other owners. Shards communicate by
//! their journals only. Any number of shards reaches the same value, and if all but one have died,
//! that one still ends.

use super::chains::{Kind, Multisets};
use super::grid::Grid;
use super::position::{Node, OpenLines};
use super::search::SharedSearch;
use super::table::{BoundTable, Bounds};
use rustc_hash::FxHashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One of several processes that share a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunShard {
    /// The number of the shard, from 1.
    number: u32,
    of: u32,
}

impl RunShard {
    /// The only shard of a run.
    pub const WHOLE: RunShard = RunShard { number: 1, of: 1 };

    /// Returns shard `number` of `of`, or `None` unless 1 ≤ `number` ≤ `of`.
    pub fn new(number: u32, of: u32) -> Option<RunShard> {
        (1..=of).contains(&number).then_some(RunShard { number, of })
    }
}

/// The files of a run that can be resumed.
#[derive(Debug, Clone)]
pub struct ResumableRun {
    /// The folder of the journals; created if it does not exist.
    pub folder: PathBuf,
    /// The shard of this process.
    pub shard: RunShard,
    /// The number of drawn lines up to which positions are recorded.
    pub drawn: u32,
    /// Whether the table is a file in the folder, too.
    pub keeps_table: bool,
}

impl ResumableRun {
    /// Returns the path of the table.
    pub(super) fn table(&self) -> PathBuf {
        self.folder.join(format!("table-{}-of-{}.bin", self.shard.number, self.shard.of))
    }
}

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The finished share of the question's tree above the recorded positions, from 0 to 1, with
    /// all options of a position weighted equally.
    pub share: f64,
    /// The number of positions recorded by all shards.
    pub recorded_positions: usize,
    /// The number of nodes spent on recorded positions.
    pub nodes: u64,
}

/// The time between two reads of the journals of other shards.
const READ_INTERVAL: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Journal {
    /// The greatest number of open lines of positions whose options are recorded.
    open: u32,
    shard: RunShard,
    folder: PathBuf,
    title: String,
    state: Mutex<Records>,
    /// The finished share, in units of 2^-40.
    share: AtomicU64,
}

#[derive(Debug)]
struct Records {
    own_file: File,
    /// The offset up to which each journal has been read.
    read: Vec<(PathBuf, u64)>,
    looked: Instant,
    /// The known bounds by full key.
    recorded: FxHashMap<u64, Bounds>,
    nodes: u64,
}

impl Journal {
    /// Opens the journal of a shard, and reads all journals of the folder into the table.
    pub fn open(
        run: &ResumableRun,
        board: (usize, usize),
        grid: &Grid,
        sets: &Multisets,
        table: &BoundTable,
    ) -> io::Result<Journal> {
        let (rows, columns) = board;
        let title =
            format!("Dots and Boxes {rows}x{columns}, positions after {} lines, 1", run.drawn);
        let path = run.folder.join(format!("journal-{}-of-{}.txt", run.shard.number, run.shard.of));
        let mut own_file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let length = own_file.seek(SeekFrom::End(0))?;
        if length == 0 {
            writeln!(own_file, "{title}")?;
        } else {
            // An incomplete last line of an earlier run has no meaning.
            let mut last = [0];
            own_file.seek(SeekFrom::End(-1))?;
            own_file.read_exact(&mut last)?;
            if last != *b"\n" {
                writeln!(own_file)?;
            }
        }
        let records = Records {
            own_file,
            read: Vec::new(),
            looked: Instant::now(),
            recorded: FxHashMap::default(),
            nodes: 0,
        };
        let journal = Journal {
            open: grid.lines - run.drawn.min(grid.lines),
            shard: run.shard,
            folder: run.folder.clone(),
            title,
            state: Mutex::new(records),
            share: AtomicU64::new(0),
        };
        journal.read(&mut journal.lock_records(), grid, sets, table)?;
        Ok(journal)
    }

    fn lock_records(&self) -> MutexGuard<'_, Records> {
        // Every state of the records is valid, so poisoning does not matter.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a position is early enough that later positions are recorded.
    #[inline]
    pub fn is_above(&self, node: &Node) -> bool {
        node.state.open.count_ones() > self.open
    }

    /// Returns whether this shard solves the position before those of other shards.
    pub fn owns(&self, node: &Node) -> bool {
        (node.key.0 >> 20) as u32 % self.shard.of + 1 == self.shard.number
    }

    /// Reads the new records of other shards, if it is time.
    pub fn read_others(&self, shared: &SharedSearch) {
        if self.shard.of == 1 {
            return;
        }
        let mut records = self.lock_records();
        if records.looked.elapsed() > READ_INTERVAL {
            records.looked = Instant::now();
            // A record that cannot be read is computed again.
            let _ = self.read(&mut records, &shared.grid, &shared.sets, &shared.table);
        }
    }

    /// Returns the recorded bounds of a position.
    pub fn recorded(&self, node: &Node) -> Option<Bounds> {
        self.lock_records().recorded.get(&node.key.0).copied()
    }

    /// Records bounds of a position that took `nodes` nodes, if they are new.
    pub fn record(&self, node: &Node, bounds: Bounds, nodes: u64, sets: &Multisets) {
        let mut records = self.lock_records();
        let all = node.boxes as i32;
        let before =
            records.recorded.get(&node.key.0).copied().unwrap_or(Bounds { low: -all, high: all });
        let bounds = Bounds { low: bounds.low.max(before.low), high: bounds.high.min(before.high) };
        if bounds == before {
            return;
        }
        records.recorded.insert(node.key.0, bounds);
        records.nodes += nodes;
        let Bounds { low, high } = bounds;
        let kinds =
            sets.kinds(node.state.set).map(|kind| kind_text(&kind)).collect::<Vec<_>>().join(",");
        let kinds = if kinds.is_empty() { "-" } else { &kinds };
        // A record that cannot be written is computed again.
        let _ = writeln!(records.own_file, "{:x} {kinds} {low} {high} {nodes} .", node.state.open);
    }

    /// Reads the new lines of all journals.
    fn read(
        &self,
        records: &mut Records,
        grid: &Grid,
        sets: &Multisets,
        table: &BoundTable,
    ) -> io::Result<()> {
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.starts_with("journal-") && name.ends_with(".txt") {
                self.read_one(records, &path, grid, sets, table)?;
            }
        }
        Ok(())
    }

    fn read_one(
        &self,
        records: &mut Records,
        path: &Path,
        grid: &Grid,
        sets: &Multisets,
        table: &BoundTable,
    ) -> io::Result<()> {
        let at = records.read.iter().position(|(read, _)| read == path).unwrap_or_else(|| {
            records.read.push((path.to_owned(), 0));
            records.read.len() - 1
        });
        let mut file = BufReader::new(File::open(path)?);
        file.seek(SeekFrom::Start(records.read[at].1))?;
        let mut line = String::new();
        // A line without an end is still being written.
        while file.read_line(&mut line)? > 0 && line.ends_with('\n') {
            if records.read[at].1 == 0 && line.trim_end() != self.title {
                let place = path.display();
                return Err(io::Error::other(format!(
                    "{place} is a journal of something else: {}",
                    line.trim_end()
                )));
            }
            records.read[at].1 += line.len() as u64;
            if let Some((node, bounds, nodes)) = parse(&line, grid, sets) {
                let recorded = records.recorded.entry(node.key.0).or_insert(bounds);
                *recorded = Bounds {
                    low: recorded.low.max(bounds.low),
                    high: recorded.high.min(bounds.high),
                };
                table.put(node.key, node.boxes, *recorded, nodes);
                records.nodes += nodes;
            }
            line.clear();
        }
        Ok(())
    }

    /// Begins a question.
    pub fn begin(&self) {
        self.share.store(0, Relaxed);
    }

    /// Sets the finished share.
    pub fn set_share(&self, share: f64) {
        self.share.fetch_max((share * UNITS) as u64, Relaxed);
    }

    pub fn progress(&self) -> Progress {
        let records = self.lock_records();
        Progress {
            share: self.share.load(Relaxed) as f64 / UNITS,
            recorded_positions: records.recorded.len(),
            nodes: records.nodes,
        }
    }
}

const UNITS: f64 = (1u64 << 40) as f64;

fn kind_text(kind: &Kind) -> String {
    format!("{}{}", if kind.is_loop { "o" } else { "" }, kind.boxes)
}

/// Reads a line of a journal, if it is complete and fits the board.
fn parse(line: &str, grid: &Grid, sets: &Multisets) -> Option<(Node, Bounds, u64)> {
    let [open, kinds, low, high, nodes, "."] = line.split_whitespace().collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let open = u64::from_str_radix(open, 16).ok().filter(|open| open & !grid.all() == 0)?;
    let mut state = OpenLines { open, set: 0 };
    let mut boxes = grid.counts(open).live().count_ones();
    for kind in kinds.split(',').filter(|kind| *kind != "-") {
        let (is_loop, number) =
            kind.strip_prefix('o').map_or((false, kind), |number| (true, number));
        let kind = Kind { boxes: number.parse().ok()?, is_loop };
        if !sets.has_kind(kind) {
            return None;
        }
        boxes += kind.boxes;
        state.set = sets.with_kind(state.set, kind)?;
    }
    let bounds = Bounds { low: low.parse().ok()?, high: high.parse().ok()? };
    let all = i32::try_from(boxes).ok().filter(|_| boxes <= grid.boxes)?;
    let odd = |margin: i32| (margin + all) % 2 != 0;
    let is_possible = -all <= bounds.low && bounds.low <= bounds.high && bounds.high <= all;
    if !is_possible || odd(bounds.low) || odd(bounds.high) || open != grid.canonical(open) {
        return None;
    }
    Some((Node::new(grid, state, boxes), bounds, nodes.parse().ok()?))
}
