//! A bench of forged certificates: claims that are false, each with the proof that would be most
//! plausible for it.
//!
//! Files that are good but for a changed byte say little about a checker: what passes there is
//! mostly true. Here the *claim* is drawn first. A generator draws a game of a kind's whole
//! grammar, what is true of it is computed from the rules alone by code of this bench ([`Truth`]),
//! and a claim near the truth is drawn with a proof, often such that it is true of all that the
//! checker looks at and false right behind. Whatever is accepted must be true of all that was
//! computed, far beyond what the checker looks at.
//!
//! Each kind has a table, features of games by lines of the body: a cell is a pair, and [`run`]
//! goes through the cells in turn, so that none is empty. True claims are drawn as well: a checker
//! that accepts nothing fails here, too ([`Tally::accepted`]).
//!
//! The second checker reads the same certificates: where both decide, they have to agree.

pub mod automatic;
pub mod cash;
pub mod circle;
pub mod laps;
mod learned;
pub mod orbit;
pub mod pairs;
pub mod parameters;
pub mod period;
pub mod positions;
pub mod strategy;

use crate::lot::{Random, hash};
use bouton_check::{Accepted, Limits, Rejected, check_limited};
use bouton_second_check::{Verdict, check_within};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// What the rules say of the claim of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truth {
    /// It is false, and this shows it.
    False(String),
    /// It is true of everything that was computed.
    True,
    /// It is not known, or nothing is claimed that could be computed.
    Unknown,
}

/// A certificate, and the truth of what it claims.
#[derive(Debug, Clone)]
pub struct Forgery {
    /// The text, sealed.
    pub text: String,
    /// Whether what it claims is true.
    pub truth: Truth,
}

impl Forgery {
    fn new(kind: &str, game: &str, claim: &str, body: &str, truth: Truth) -> Forgery {
        let version = if kind == "p-positions" { 2 } else { 1 };
        let head =
            format!("bouton certificate {version}\nkind: {kind}\ngame: {game}\nclaim: {claim}\n\n");
        Forgery { text: sealed(&(head + body)), truth }
    }
}

fn sealed(text: &str) -> String {
    let seal: String = Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    format!("{text}sha256: {seal}\n")
}

/// Game, claim and body of a kept certificate.
#[derive(Debug, Clone)]
pub struct Raw {
    /// The game's name.
    pub game: String,
    /// The claim.
    pub claim: String,
    /// The lines of the body.
    pub body: Vec<String>,
}

impl Raw {
    /// Reads a certificate of this kind.
    pub fn of(text: &str, kind: &str) -> Option<Raw> {
        let (head, rest) = text.split_once("\n\n")?;
        let field =
            |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let body = rest.rsplit_once("sha256: ")?.0;
        (field("kind") == Some(kind)).then_some(())?;
        let body = body.lines().map(str::to_owned).collect();
        Some(Raw { game: field("game")?.to_owned(), claim: field("claim")?.to_owned(), body })
    }

    fn all(texts: &[String], kind: &str) -> Vec<Raw> {
        texts.iter().filter_map(|text| Raw::of(text, kind)).collect()
    }
}

/// Returns the lines, each ended.
fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// What is forged of a kind of certificates.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// The kind.
    pub kind: &'static str,
    /// Features of games: the rows.
    pub features: &'static [&'static str],
    /// What bodies have: the columns.
    pub lines: &'static [&'static str],
}

/// A forger of one kind of certificates.
pub trait Forger {
    /// Returns what it forges.
    fn table(&self) -> Table;
    /// Draws a certificate of a cell; `None` where this draw gave none.
    fn draw(&mut self, feature: usize, line: usize, lot: &mut Random) -> Option<Forgery>;
}

/// Returns real certificates that are kept with the project, but for large ones.
pub fn kept() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["corpus/certificate", "../crates/study/literature/data/circles", "../docs/finds"];
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| match std::fs::read_dir(root.join(folder)) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()),
            Err(error) => panic!("kept certificates: {folder}: {error}"),
        })
        .collect();
    paths.sort();
    let texts = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    texts.filter(|text| text.len() < 16_000).collect()
}

/// Returns the forgers of all kinds, by what is kept of real certificates.
pub fn forgers(texts: &[String]) -> Vec<Box<dyn Forger>> {
    vec![
        Box::new(automatic::Automatic::default()),
        Box::new(circle::Circle::new(texts)),
        Box::new(laps::Laps::new(texts)),
        Box::new(orbit::Orbit),
        Box::new(pairs::Pairs),
        Box::new(parameters::Parameters::default()),
        Box::new(positions::Positions::new(texts)),
        Box::new(period::Period),
        Box::new(strategy::Strategy),
        Box::new(cash::Cash::new(texts)),
    ]
}

/// A certificate that the checker accepts though its claim is false, or that makes it panic.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The number of the forgery, from 1.
    pub number: usize,
    /// The cell.
    pub cell: (&'static str, &'static str),
    /// What the checker said, and what is true.
    pub report: String,
    /// The certificate.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "forgery {} ({} x {}): {}\n{}",
            self.number, self.cell.0, self.cell.1, self.report, self.text
        )
    }
}

/// What came of the forgeries of one kind.
#[derive(Debug, Clone)]
pub struct Tally {
    /// What was forged.
    pub table: Table,
    /// False claims, by feature and line.
    pub cells: Vec<Vec<usize>>,
    /// Certificates that were drawn.
    pub drawn: usize,
    /// False claims.
    pub forged: usize,
    /// True claims, and those of them that were accepted.
    pub right: usize,
    /// Accepted claims, all of them true as far as is known.
    pub accepted: usize,
    /// Accepted claims that the second checker accepts, too.
    pub seconded: usize,
    /// Certificates of which the second checker cannot tell.
    pub untold: usize,
    /// Accepted claims of which nothing is known.
    pub blind: usize,
    /// Certificates that took too much to be decided.
    pub undecided: usize,
    /// Why false claims were rejected, numbers left out, and how often.
    pub reasons: BTreeMap<String, usize>,
    /// What is wrong with the checker.
    pub faults: Vec<Fault>,
}

impl Tally {
    /// Returns the cells without a false claim.
    pub fn empty(&self) -> Vec<(&'static str, &'static str)> {
        let mut empty = Vec::new();
        for (feature, row) in self.table.features.iter().zip(&self.cells) {
            empty.extend(
                self.table
                    .lines
                    .iter()
                    .zip(row)
                    .filter(|(_, n)| **n == 0)
                    .map(|(line, _)| (*feature, *line)),
            );
        }
        empty
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} drawn, {} false, {} true, {} accepted ({} unknown), {} undecided; second \
             checker: {} accepted, {} undecided; {} faults",
            self.table.kind,
            self.drawn,
            self.forged,
            self.right,
            self.accepted,
            self.blind,
            self.undecided,
            self.seconded,
            self.untold,
            self.faults.len()
        )?;
        writeln!(f, "  columns: {}", self.table.lines.join(", "))?;
        for (feature, row) in self.table.features.iter().zip(&self.cells) {
            let row: Vec<String> = row.iter().map(|n| format!("{n:>5}")).collect();
            writeln!(f, "  {feature:<28}{}", row.join(""))?;
        }
        let mut often: Vec<(&String, &usize)> = self.reasons.iter().collect();
        often.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        for (reason, times) in often.iter().take(12) {
            writeln!(f, "  {times:>6} {reason}")?;
        }
        Ok(())
    }
}

/// What the check of one certificate may take.
const LIMITS: Limits = Limits { depth: 50, steps: 1 << 25, bytes: 50_000_000 };
/// Elementary steps of the second checker.
const WORK: u64 = 1 << 22;

/// Draws so many certificates, the cells in turn, and has each checked.
pub fn run(forger: &mut dyn Forger, seed: u64, count: usize) -> Tally {
    let mut tally = Tally::new(forger);
    let mut lot = Random::new(seed ^ hash(tally.table.kind.as_bytes()));
    tally.draw(forger, count, 0, &mut lot);
    tally
}

/// Draws likewise, the first cell being drawn, too: for few certificates of many seeds.
pub fn some(forger: &mut dyn Forger, seed: u64, count: usize) -> Tally {
    let mut tally = Tally::new(forger);
    let mut lot = Random::new(seed ^ hash(tally.table.kind.as_bytes()));
    let first = lot.below(tally.table.features.len() * tally.table.lines.len());
    tally.draw(forger, count, first, &mut lot);
    tally
}

impl Tally {
    fn new(forger: &dyn Forger) -> Tally {
        let table = forger.table();
        Tally {
            table,
            cells: vec![vec![0; table.lines.len()]; table.features.len()],
            drawn: 0,
            forged: 0,
            right: 0,
            accepted: 0,
            seconded: 0,
            untold: 0,
            blind: 0,
            undecided: 0,
            reasons: BTreeMap::new(),
            faults: Vec::new(),
        }
    }

    fn draw(&mut self, forger: &mut dyn Forger, count: usize, first: usize, lot: &mut Random) {
        let (features, lines) = (self.table.features.len(), self.table.lines.len());
        for turn in first..first + 30 * count + 1000 {
            if self.drawn == count {
                break;
            }
            let (feature, line) = (turn / lines % features, turn % lines);
            if let Some(forgery) = forger.draw(feature, line, lot) {
                self.add(&forgery, feature, line);
            }
        }
    }

    /// Has a certificate checked.
    pub fn add(&mut self, forgery: &Forgery, feature: usize, line: usize) {
        self.drawn += 1;
        match forgery.truth {
            Truth::False(_) => {
                self.forged += 1;
                self.cells[feature][line] += 1;
            }
            Truth::True => self.right += 1,
            Truth::Unknown => {}
        }
        let checked =
            catch_unwind(AssertUnwindSafe(|| check_limited(&forgery.text, &LIMITS, &mut || true)));
        let report = match &checked {
            Err(_) => Some("the checker panics".to_owned()),
            Ok(checked) => {
                let fooled = self.first(checked, &forgery.truth);
                fooled.or(self.second(checked, forgery))
            }
        };
        let Some(report) = report else { return };
        let cell = (self.table.features[feature], self.table.lines[line]);
        self.faults.push(Fault { number: self.drawn, cell, report, text: forgery.text.clone() });
    }
    /// Counts what the first checker says; how it is wrong, if it is.
    fn first(&mut self, checked: &Result<Accepted, Rejected>, truth: &Truth) -> Option<String> {
        match (checked, truth) {
            (Ok(accepted), Truth::False(why)) => {
                return Some(format!("accepted ({}), and false: {why}", accepted.work));
            }
            (Ok(_), truth) => {
                self.accepted += 1;
                self.blind += usize::from(*truth == Truth::Unknown);
            }
            (Err(why), truth) => {
                self.undecided += usize::from(!why.reason.is_verdict());
                if matches!(truth, Truth::False(_)) {
                    let reason: String = why
                        .reason
                        .to_string()
                        .chars()
                        .filter(|c| !c.is_ascii_digit())
                        .take(60)
                        .collect();
                    *self.reasons.entry(reason).or_default() += 1;
                }
            }
        }
        None
    }

    /// Counts what the second checker says; how it is wrong or contradicts the first, if it does.
    fn second(
        &mut self,
        checked: &Result<Accepted, Rejected>,
        forgery: &Forgery,
    ) -> Option<String> {
        let verdict = check_within(&forgery.text, WORK).unwrap_or_else(Verdict::Rejected);
        match (checked, verdict, &forgery.truth) {
            (_, Verdict::Accepted { .. }, Truth::False(why)) => {
                Some(format!("accepted by the second checker, and false: {why}"))
            }
            (Ok(_), Verdict::Rejected(why), _) => {
                Some(format!("accepted, and rejected by the second checker: {why}"))
            }
            (Err(why), Verdict::Accepted { .. }, _) if why.reason.is_verdict() => {
                Some(format!("{why}, and accepted by the second checker"))
            }
            (_, verdict, _) => {
                self.seconded += usize::from(matches!(verdict, Verdict::Accepted { .. }));
                self.untold += usize::from(matches!(verdict, Verdict::Unknown(_)));
                None
            }
        }
    }
}
