//! A journal of solved positions: a run of days can be left alone, taken up again and shared out.
//!
//! Positions in which no more than a given number of lines is drawn are noted when their bounds grow: a line of text each, the open lines
//! in hexadecimal, the chains and loops taken off, both bounds, the nodes it took. What the journals of a folder say is
//! known before a run begins; other shards' are read again now and then. A position of just that number has an owner, told by a hash of its
//! canonical form, and a shard leaves those of others to the last: shards need no word with each other but their journals,
//! any number of them comes to the same value, and when all but one have died that one still ends.

use super::chains::{Kind, Multisets};
use super::grid::Grid;
use super::position::{Node, State};
use super::search::Shared;
use super::table::{Bounds, Table};
use rustc_hash::FxHashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One of several processes that share a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 1.
    number: u32,
    of: u32,
}

impl Shard {
    /// All of the work.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// The shard of this number, from 1 on, of so many; `None` if there is none.
    pub fn new(number: u32, of: u32) -> Option<Shard> {
        (1..=of).contains(&number).then_some(Shard { number, of })
    }
}

/// Where a run that can be taken up again keeps what it finds.
#[derive(Debug, Clone)]
pub struct Run {
    /// The folder of the journals, made if there is none.
    pub folder: PathBuf,
    /// What part of the work is this process's.
    pub shard: Shard,
    /// Positions are noted in which so many lines are drawn.
    pub drawn: u32,
    /// Whether the table is a file in that folder, too.
    pub keeps_table: bool,
}

impl Run {
    /// The file of the table.
    pub(super) fn table(&self) -> PathBuf {
        self.folder.join(format!("table-{}-of-{}.bin", self.shard.number, self.shard.of))
    }
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The part of the present question's tree above the positions that are noted which is done, all options of a
    /// position counted alike: of 0 to 1.
    pub share: f64,
    /// Positions noted so far, here and elsewhere.
    pub noted: usize,
    /// Nodes that they took.
    pub nodes: u64,
}

/// Time between two looks at what others wrote.
const LOOK_EVERY: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Journal {
    /// The most open lines of a position that is noted.
    open: u32,
    shard: Shard,
    folder: PathBuf,
    title: String,
    state: Mutex<Notes>,
    /// The share that is done, in units of 2^-40.
    share: AtomicU64,
}

#[derive(Debug)]
struct Notes {
    own: File,
    /// How far each journal has been read.
    read: Vec<(PathBuf, u64)>,
    looked: Instant,
    /// By the whole key.
    known: FxHashMap<u64, Bounds>,
    nodes: u64,
}

impl Journal {
    /// Opens the journal of a shard, and reads all that are in the folder into the table.
    pub fn open(
        run: &Run,
        board: (usize, usize),
        grid: &Grid,
        sets: &Multisets,
        table: &Table,
    ) -> io::Result<Journal> {
        let (rows, columns) = board;
        let title = format!("Dots and Boxes {rows}x{columns}, positions after {} lines, 1", run.drawn);
        let path = run.folder.join(format!("journal-{}-of-{}.txt", run.shard.number, run.shard.of));
        let mut own = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let length = own.seek(SeekFrom::End(0))?;
        if length == 0 {
            writeln!(own, "{title}")?;
        } else {
            // A line that was being written when the run ended stays without meaning.
            let mut last = [0];
            own.seek(SeekFrom::End(-1))?;
            own.read_exact(&mut last)?;
            if last != *b"\n" {
                writeln!(own)?;
            }
        }
        let notes =
            Notes { own, read: Vec::new(), looked: Instant::now(), known: FxHashMap::default(), nodes: 0 };
        let journal = Journal {
            open: grid.lines - run.drawn.min(grid.lines),
            shard: run.shard,
            folder: run.folder.clone(),
            title,
            state: Mutex::new(notes),
            share: AtomicU64::new(0),
        };
        journal.read(&mut journal.notes(), grid, sets, table)?;
        Ok(journal)
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        // Any state of theirs is a right one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a position is so early that those after it are noted.
    #[inline]
    pub fn is_above(&self, node: &Node) -> bool {
        node.state.open.count_ones() > self.open
    }

    /// Whether a position is for this shard to solve before the others'.
    pub fn owns(&self, node: &Node) -> bool {
        (node.key.0 >> 20) as u32 % self.shard.of + 1 == self.shard.number
    }

    /// Reads what other shards have noted, if it is time.
    pub fn look(&self, shared: &Shared) {
        if self.shard.of == 1 {
            return;
        }
        let mut notes = self.notes();
        if notes.looked.elapsed() > LOOK_EVERY {
            notes.looked = Instant::now();
            // What cannot be read now is work to be done again, no more.
            let _ = self.read(&mut notes, &shared.grid, &shared.sets, &shared.table);
        }
    }

    /// What the journals say of a position.
    pub fn known(&self, node: &Node) -> Option<Bounds> {
        self.notes().known.get(&node.key.0).copied()
    }

    /// Notes bounds of a position that took so many nodes, if they are news.
    pub fn note(&self, node: &Node, bounds: Bounds, nodes: u64, sets: &Multisets) {
        let mut notes = self.notes();
        let all = node.boxes as i32;
        let before = notes.known.get(&node.key.0).copied().unwrap_or(Bounds { low: -all, high: all });
        let bounds = Bounds { low: bounds.low.max(before.low), high: bounds.high.min(before.high) };
        if bounds == before {
            return;
        }
        notes.known.insert(node.key.0, bounds);
        notes.nodes += nodes;
        let Bounds { low, high } = bounds;
        let kinds = sets.kinds(node.state.set).map(|kind| kind_text(&kind)).collect::<Vec<_>>().join(",");
        let kinds = if kinds.is_empty() { "-" } else { &kinds };
        // A line that could not be written is work to be done again, no more.
        let _ = writeln!(notes.own, "{:x} {kinds} {low} {high} {nodes} .", node.state.open);
    }

    /// Reads what journals say that was not yet read.
    fn read(&self, notes: &mut Notes, grid: &Grid, sets: &Multisets, table: &Table) -> io::Result<()> {
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.starts_with("journal-") && name.ends_with(".txt") {
                self.read_one(notes, &path, grid, sets, table)?;
            }
        }
        Ok(())
    }

    fn read_one(
        &self,
        notes: &mut Notes,
        path: &Path,
        grid: &Grid,
        sets: &Multisets,
        table: &Table,
    ) -> io::Result<()> {
        let at = notes.read.iter().position(|(read, _)| read == path).unwrap_or_else(|| {
            notes.read.push((path.to_owned(), 0));
            notes.read.len() - 1
        });
        let mut file = BufReader::new(File::open(path)?);
        file.seek(SeekFrom::Start(notes.read[at].1))?;
        let mut line = String::new();
        // A line without an end is still being written.
        while file.read_line(&mut line)? > 0 && line.ends_with('\n') {
            if notes.read[at].1 == 0 && line.trim_end() != self.title {
                let place = path.display();
                return Err(io::Error::other(format!(
                    "{place} is a journal of something else: {}",
                    line.trim_end()
                )));
            }
            notes.read[at].1 += line.len() as u64;
            if let Some((node, bounds, nodes)) = parse(&line, grid, sets) {
                let known = notes.known.entry(node.key.0).or_insert(bounds);
                *known = Bounds { low: known.low.max(bounds.low), high: known.high.min(bounds.high) };
                table.put(node.key, node.boxes, *known, nodes);
                notes.nodes += nodes;
            }
            line.clear();
        }
        Ok(())
    }

    /// A question begins.
    pub fn begin(&self) {
        self.share.store(0, Relaxed);
    }

    /// So much is done.
    pub fn set_share(&self, share: f64) {
        self.share.fetch_max((share * UNITS) as u64, Relaxed);
    }

    pub fn progress(&self) -> Progress {
        let notes = self.notes();
        Progress {
            share: self.share.load(Relaxed) as f64 / UNITS,
            noted: notes.known.len(),
            nodes: notes.nodes,
        }
    }
}

const UNITS: f64 = (1u64 << 40) as f64;

fn kind_text(kind: &Kind) -> String {
    format!("{}{}", if kind.is_loop { "o" } else { "" }, kind.boxes)
}

/// A line of a journal, if it is whole and one of this board.
fn parse(line: &str, grid: &Grid, sets: &Multisets) -> Option<(Node, Bounds, u64)> {
    let [open, kinds, low, high, nodes, "."] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        return None;
    };
    let open = u64::from_str_radix(open, 16).ok().filter(|open| open & !grid.all() == 0)?;
    let mut state = State { open, set: 0 };
    let mut boxes = grid.counts(open).live().count_ones();
    for kind in kinds.split(',').filter(|kind| *kind != "-") {
        let (is_loop, number) = kind.strip_prefix('o').map_or((false, kind), |number| (true, number));
        let kind = Kind { boxes: number.parse().ok()?, is_loop };
        if !sets.has(kind) {
            return None;
        }
        boxes += kind.boxes;
        state.set = sets.with(state.set, kind)?;
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
