//! The line of one game: table, conjecture, larger table, proof; what contradicts it sends it back with more data.

use crate::settle::{settle_claims, stated_in};
use crate::tables::Tables;
use crate::verdict::{Failure, Proved, Refuted, Theorem, Verdict};
use bouton_conjecture::{Found, Table, conjecture};
use bouton_logic::{Claim, Counterexample, Numeration};
use bouton_rules::{Budget, Meter, Play};
use std::time::Instant;

/// Rounds of proof and counterexample.
const ATTEMPTS: usize = 4;

/// One table, and the form found in it.
pub struct Round {
    /// The greatest heap of the table.
    pub max: u64,
    /// Time that the table took.
    pub table_seconds: f64,
    /// Time that the search took.
    pub search_seconds: f64,
    /// What was found.
    pub found: Found,
    /// The form in words, for people.
    pub form: String,
    /// The next table held against the form: up to which heap, and where it fails.
    pub checked: Option<(u64, Option<Vec<i64>>)>,
}

impl Round {
    /// Whether the form is the whole table, which is large enough to say so.
    pub fn is_whole(&self) -> bool {
        self.found.is_whole()
    }

    /// The form as the logic reads it, if it can; else in words.
    pub fn claim(&self) -> String {
        self.found.form.text().unwrap_or_else(|| self.form.clone())
    }

    fn stands(&self) -> bool {
        self.is_whole() && self.checked.as_ref().is_none_or(|(_, mismatch)| mismatch.is_none())
    }
}

/// The positions with one number of heaps.
pub struct Board {
    /// Heaps of its positions.
    pub heaps: usize,
    /// Table by table.
    pub rounds: Vec<Round>,
    /// The last table, for what is published and for pictures.
    pub table: Option<Table>,
    /// Why no table was made.
    pub trouble: Option<String>,
}

impl Board {
    fn new(heaps: usize) -> Board {
        Board { heaps, rounds: Vec::new(), table: None, trouble: None }
    }

    /// The last form, if it stands.
    pub fn standing(&self) -> Option<&Round> {
        self.rounds.last().filter(|round| round.stands())
    }

    /// The greatest heap of all tables that the last form agrees with.
    pub fn holds_to(&self) -> u64 {
        self.rounds.last().map_or(0, |round| match round.checked {
            Some((max, None)) => max,
            _ => round.max,
        })
    }

    /// Tables from a bound on until a form stands.
    fn conjecture(&mut self, tables: &Tables<'_>, from: u64, started: Instant) {
        let mut bounds = tables.bounds(self.heaps);
        let mut i = 0;
        while let Some(&max) = bounds.get(i) {
            i += 1;
            let last = i == bounds.len();
            if max < from && !last || self.table.is_some() && started.elapsed() > tables.patience {
                continue;
            }
            let known = self.table.take().filter(|table| table.most() == max);
            let (table, table_seconds) = match known {
                Some(table) => (table, 0.0),
                None => match tables.make(self.heaps, max) {
                    Ok(made) => (made.table, made.seconds),
                    Err(trouble) => {
                        self.trouble = Some(trouble);
                        return;
                    }
                },
            };
            let searched = Instant::now();
            (tables.tell)(&format!("{}, a form of {} classes", tables.game.name(), table.class_count()));
            let left = tables.patience.saturating_sub(started.elapsed());
            let mut meter = Meter::new(&Budget { nodes: None, ..tables.budget.within(left) });
            let found = conjecture(&table, &mut meter);
            let mut round = Round {
                max,
                table_seconds,
                search_seconds: searched.elapsed().as_secs_f64(),
                form: found.form.to_string(),
                found,
                checked: None,
            };
            self.table = Some(table);
            if round.is_whole()
                && let Some(&next) = bounds.get(i)
                && let Ok(made) = tables.make(self.heaps, next)
            {
                // Out of time, the form stands as far as it was looked at; the proof is out of time, too.
                let mut meter = Meter::new(&Budget { nodes: None, ..tables.budget.clone() });
                let mismatch = round.found.form.mismatch(&made.table, &mut meter);
                round.checked = mismatch.ok().map(|mismatch| (next, mismatch));
                self.table = Some(made.table);
            }
            self.rounds.push(round);
            if self.standing().is_some() {
                return;
            }
            if last && let Some(more) = self.table.as_ref().and_then(|table| tables.beyond(table)) {
                bounds.push(more);
            }
        }
    }
}

/// How the line ended.
pub enum Ending {
    /// For all heap sizes.
    Proved(Box<Theorem>),
    /// The form agrees with all tables made; and why there is no proof.
    Holds(String),
    /// The form agrees with all tables made, but not further on; and what a search by the rules alone says.
    Refuted(Counterexample, Option<String>),
    /// No form is the whole table.
    NoForm,
}

/// The line of one game.
pub struct Line {
    /// The boards reached, the game's own last.
    pub boards: Vec<Board>,
    /// How it ended.
    pub ending: Ending,
    /// Time that proofs took, in all.
    pub proof_seconds: f64,
    /// Positions that sent the conjecture back.
    pub sent_back: Vec<String>,
}

/// Follows the line for a game.
pub fn follow(tables: &Tables<'_>) -> Line {
    let started = Instant::now();
    let n = tables.stated.heaps;
    let first = if tables.stated.shrinks { 1 } else { n };
    let mut boards: Vec<Board> = (first..=n).map(Board::new).collect();
    let mut line = Line { boards: Vec::new(), ending: Ending::NoForm, proof_seconds: 0.0, sent_back: vec![] };
    for board in &mut boards {
        board.conjecture(tables, 0, started);
    }
    line.boards = boards;
    for _ in 0..ATTEMPTS {
        if line.boards.iter().any(|board| board.standing().is_none()) {
            line.ending = Ending::NoForm;
            return line;
        }
        let proving = Instant::now();
        line.ending = proof(tables, &line.boards);
        line.proof_seconds += proving.elapsed().as_secs_f64();
        let Ending::Refuted(found, _) = &line.ending else { return line };
        let Some(board) = line.boards.iter_mut().find(|b| b.heaps == found.position.len()) else {
            return line;
        };
        // Back to the conjecture, with a table that holds the counterexample or, as the prover's need not be the least,
        // with the next one.
        let larger = board.holds_to() + 1;
        let Some(most) = tables.bounds(board.heaps).into_iter().filter(|max| *max >= larger).max() else {
            return line;
        };
        let needed = found.position.iter().copied().max().filter(|needed| *needed <= most);
        let needed = needed.unwrap_or(larger).max(larger);
        line.sent_back.push(found.to_string());
        board.conjecture(tables, needed, started);
    }
    line
}

/// The standing forms, put to the prover.
fn proof(tables: &Tables<'_>, boards: &[Board]) -> Ending {
    let (game, numeration) = match stated_in(tables.play, tables.game) {
        Ok(stated) => stated,
        Err(error) => return Ending::Holds(error.to_string()),
    };
    let mut claims = Vec::new();
    for board in &game.boards {
        let standing = boards.iter().find(|b| b.heaps == board.heaps).and_then(Board::standing);
        let text = match standing {
            Some(round) => round.found.form.text(),
            // No heap is left.
            None => Some(if tables.play == Play::Normal { "true" } else { "false" }.into()),
        };
        let Some(text) = text else {
            return Ending::Holds("the form is no formula, or one too long to prove".into());
        };
        match Claim::parse(&text, board.heaps) {
            Ok(claim) => claims.push(claim),
            Err(error) => return Ending::Holds(error.to_string()),
        }
    }
    let uses_shift = boards.iter().filter_map(Board::standing).any(|round| round.form.contains("shift("));
    let numeration = if uses_shift { Numeration::Zeckendorf } else { numeration };
    (tables.tell)(&format!("{}, a proof", tables.game.name()));
    match settle_claims(tables.game, &game, numeration, &claims, &tables.proof) {
        Verdict::Proved(Proved::Theorem(theorem)) => Ending::Proved(theorem),
        Verdict::Refuted(Refuted { counterexample: Failure::Position(found), recheck, .. }) => {
            Ending::Refuted(found, Some(recheck.to_string()))
        }
        verdict => Ending::Holds(verdict.found()),
    }
}
