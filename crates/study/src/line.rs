//! The line of one game: table, conjecture, larger table, proof; what contradicts it sends it back with more data.

use crate::bases;
use crate::form::Form;
use crate::learned::automata;
use crate::settle::{settle_automaton, settle_claims, stated_in};
use crate::slice::Slice;
use crate::tables::Tables;
use crate::verdict::{Failure, Proved, Refuted, Size, Theorem, Unknown, Verdict};
use bouton_conjecture::{ClosedForm, Fit, Found, OutcomeTable, conjecture};
use bouton_logic::{Acceptor, Claim, Counterexample};
use bouton_rules::clock::Instant;
use bouton_rules::{Budget, Meter, Play, Symmetry};
use serde::Serialize;

/// Rounds of proof and counterexample.
const ATTEMPTS: usize = 4;
/// P-positions that are kept of the last table.
const LISTED: usize = 40;

/// Characters of a formula that is proved rather than the automaton that it was made of: positions of any size are then answered by it.
const SHORT: usize = 200;

/// One table, and the form found in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Round {
    /// The greatest heap of the table.
    pub max: u64,
    /// Classes of P-positions in the table.
    #[serde(rename = "p_classes")]
    pub classes: usize,
    /// What the form is to the table: "conjecture", "not enough data", "no form found".
    pub verdict: &'static str,
    /// The form in words, for people.
    pub form: String,
    /// The form as the logic reads it, if it can.
    pub claim: Option<String>,
    /// Why the logic cannot read it, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unwritten: Option<String>,
    /// The automaton, where the form is one.
    pub automaton: Option<States>,
    /// How many classes the form leaves out.
    pub missed: usize,
    /// Some of them.
    pub missed_positions: Vec<Vec<i64>>,
    /// The greatest heap that a table needs, roughly, before this form could stand; where there is not enough data.
    pub needs: Option<u64>,
    /// Whether the search was told to end: with more time it might find more.
    pub cut: bool,
    /// Bits of evidence beyond what the form says.
    pub evidence_bits: f64,
    /// Bits that the form takes to say.
    pub form_bits: f64,
    /// Bits of the table that it stands for.
    pub data_bits: f64,
    /// What it takes from the table as it is: heaps up to its exceptions, its preperiod and one period, the first of every case.
    pub settled_at: u64,
    /// Time that the table took, in seconds.
    pub table_seconds: f64,
    /// Time that the search took, in seconds.
    pub search_seconds: f64,
    /// The greatest heap of the next table, if the form was held against one.
    pub checked_to: Option<u64>,
    /// Where it fails there.
    pub mismatch: Option<Vec<i64>>,
}

/// An automaton that reads the digits of all heaps at once, most significant first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct States {
    /// The base of the digits, from 2 to 10; 2 is not written.
    #[serde(skip_serializing_if = "is_binary")]
    pub base: usize,
    /// The next state by state and column; column Σ d·base^i has the digit d of heap i. State 0 comes first.
    pub next: Vec<Vec<usize>>,
    /// Whether positions that end here are P.
    pub accepts: Vec<bool>,
}

fn is_binary(base: &usize) -> bool {
    *base == 2
}

impl States {
    /// The digits of all heaps in a column, heaps in order.
    pub fn digits(&self, heaps: usize, column: usize) -> String {
        (0..heaps).map(|heap| (column / self.base.pow(heap as u32) % self.base).to_string()).collect()
    }

    /// The automaton as the prover takes it.
    fn acceptor(&self, heaps: usize) -> Option<Acceptor> {
        let row = |row: &Vec<usize>| row.iter().map(|to| u32::try_from(*to).ok()).collect();
        let next = self.next.iter().map(row).collect::<Option<_>>()?;
        Some(Acceptor { base: self.base, tracks: heaps, next, accepts: self.accepts.clone() })
    }
}

impl Round {
    /// A form of a table on so many heaps, and the time that both took.
    pub(crate) fn new(heaps: usize, found: &Found, [table_seconds, search_seconds]: [f64; 2]) -> Round {
        let fit = found.fit();
        Round {
            max: found.most,
            classes: found.classes,
            verdict: match fit {
                Fit::Whole => "conjecture",
                Fit::TooLittle => "not enough data",
                Fit::Partial => "no form found",
            },
            form: found.form.to_string(),
            claim: found.form.text().ok(),
            unwritten: found.form.text().err().map(|why| why.to_string()),
            automaton: match &found.form {
                ClosedForm::Automaton(found) => {
                    let (next, accepts) = (found.next.clone(), found.accepts.clone());
                    Some(States { base: found.base, next, accepts })
                }
                _ => None,
            },
            missed: found.missed_count,
            missed_positions: found.missed.clone(),
            needs: (fit == Fit::TooLittle).then(|| found.needs(heaps, found.most)),
            cut: found.cut.is_some(),
            evidence_bits: found.evidence,
            form_bits: found.said,
            data_bits: found.data(),
            settled_at: found.settled,
            table_seconds,
            search_seconds,
            checked_to: None,
            mismatch: None,
        }
    }

    /// The form as the logic reads it, if it can; else in words.
    pub fn claim(&self) -> &str {
        self.claim.as_deref().unwrap_or(&self.form)
    }

    /// Whether the form is the whole table, large enough to say so, and the next table's as well.
    pub fn stands(&self) -> bool {
        self.verdict == "conjecture" && self.mismatch.is_none()
    }
}

/// The positions with one number of heaps.
#[derive(Debug, Clone, Serialize)]
pub struct Board {
    /// Heaps of its positions.
    pub heaps: usize,
    /// The least P-positions of the last table, one a class.
    pub p_positions: Vec<Vec<i64>>,
    /// How many classes there are in the last table.
    pub p_classes: usize,
    /// OutcomeTable by table.
    pub rounds: Vec<Round>,
    /// The last form in words, if it stands.
    pub form: Option<String>,
    /// The same as a formula of the heaps, where it is one.
    pub claim: Option<String>,
    /// A part of the last table to look at.
    pub slice: Option<Slice>,
    /// Why no larger table was made.
    pub trouble: Option<String>,
    /// The last table.
    #[serde(skip)]
    pub(crate) table: Option<OutcomeTable>,
}

impl Board {
    fn new(heaps: usize) -> Board {
        Board {
            heaps,
            p_positions: Vec::new(),
            p_classes: 0,
            form: None,
            claim: None,
            rounds: Vec::new(),
            slice: None,
            trouble: None,
            table: None,
        }
    }

    /// The last form, if it stands.
    pub fn standing(&self) -> Option<&Round> {
        self.rounds.last().filter(|round| round.stands())
    }

    /// The number of the round whose form is put to the prover: the last one, if it stands; else the shortest form that is all of its
    /// table and of the next, too little for a conjecture. A proof asks for no evidence.
    fn to_prove(&self) -> Option<usize> {
        let last = self.rounds.len().checked_sub(1)?;
        if self.rounds[last].stands() {
            return Some(last);
        }
        let weak = |round: &Round| {
            round.verdict == "not enough data" && round.missed == 0 && round.mismatch.is_none()
        };
        let length = |i: &usize| self.rounds[*i].claim.as_ref().map_or(usize::MAX, String::len);
        (0..=last).filter(|i| weak(&self.rounds[*i])).min_by_key(length)
    }

    /// What is proved is the automaton, and no formula.
    fn as_an_automaton(&mut self) {
        if let Some(which) = self.to_prove() {
            let round = &mut self.rounds[which];
            round.claim = None;
            round.unwritten = Some("what is proved is the automaton".into());
        }
    }

    /// The greatest heap of all tables that the last form agrees with.
    pub fn holds_to(&self) -> u64 {
        self.rounds.last().map_or(0, |round| match round.checked_to {
            Some(max) if round.mismatch.is_none() => max,
            _ => round.max,
        })
    }

    /// What of the last table is kept.
    fn finish(&mut self, proved: bool) {
        if proved && let Some(which) = self.to_prove() {
            // What is proved comes last.
            let round = self.rounds.remove(which);
            self.rounds.push(round);
        }
        let last = if proved { self.rounds.last() } else { self.standing() };
        (self.form, self.claim) = match last {
            Some(round) => (Some(round.form.clone()), round.claim.clone()),
            None => (None, None),
        };
        if let Some(table) = &self.table {
            self.p_positions = table.classes().take(LISTED).collect();
            self.p_classes = table.class_count();
            self.slice = Slice::of(table);
        }
    }

    /// Tables from a bound on until a form stands.
    fn conjecture(&mut self, tables: &Tables<'_>, from: u64) {
        let mut bounds = tables.bounds(self.heaps);
        let mut i = 0;
        while let Some(&max) = bounds.get(i) {
            i += 1;
            let last = i == bounds.len();
            if max < from && !last || self.table.is_some() && !tables.in_time() {
                continue;
            }
            // The last table stays where no other one can be made.
            let known = self.table.take_if(|table| table.most() == max);
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
            let searching = Budget { nodes: None, ..tables.budget.within(tables.patience.left()) };
            let found = conjecture(&table, &mut Meter::new(&searching));
            let mut round = Round::new(self.heaps, &found, [table_seconds, searched.elapsed().as_secs_f64()]);
            self.table = Some(table);
            if found.missed_count == 0
                && let Some(&next) = bounds.get(i)
                && let Ok(made) = tables.make(self.heaps, next)
            {
                // Out of time, the form stands as far as it was looked at; the proof is out of time, too.
                let mut meter = Meter::new(&Budget { nodes: None, ..tables.budget.clone() });
                if let Ok(mismatch) = found.form.mismatch(&made.table, &mut meter) {
                    round.checked_to = Some(next);
                    round.mismatch = mismatch;
                }
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
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Ending {
    /// For all heap sizes; the independent checker has accepted the proof.
    Proved(ForAll),
    /// The form agrees with all tables made.
    Holds {
        /// Why there is no proof.
        reason: String,
    },
    /// The form agrees with all tables made, but not further on.
    Refuted {
        /// The counterexample in words.
        counterexample: String,
        /// The position.
        position: String,
        /// The same as numbers.
        numbers: Vec<u64>,
        /// What a search by the rules alone says of it, or why it could not.
        recheck: String,
    },
    /// No form is the whole table.
    #[serde(rename = "no form found")]
    NoForm,
}

impl Ending {
    fn of(theorem: Box<Theorem>) -> Ending {
        let Size { cases, parts, sets } = theorem.size;
        Ending::Proved(ForAll { cases, parts, sets, certificate: theorem.certificate })
    }
}

/// A proof for all heap sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ForAll {
    /// Cases shown impossible: a move from one claimed position to another.
    pub cases: usize,
    /// Kinds of positions from which a move into the form is given.
    pub parts: usize,
    /// Sets of possibilities looked at to see that these are all.
    pub sets: usize,
    /// The certificate as `bouton check` reads it.
    #[serde(skip)]
    pub certificate: String,
}

/// The line of one game.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// The boards reached, the game's own last.
    pub boards: Vec<Board>,
    /// Whether forms are meant up to a symmetry of the game.
    pub up_to_symmetry: bool,
    /// How it ended.
    #[serde(flatten)]
    pub ending: Ending,
    /// Time that proofs and checks took, in all, in seconds.
    pub proof_seconds: f64,
    /// Positions that sent the conjecture back.
    pub sent_back: Vec<String>,
}

impl Line {
    /// The greatest heap up to which the forms agree with every table.
    pub fn holds_to(&self) -> u64 {
        self.boards.iter().map(Board::holds_to).min().unwrap_or(0)
    }

    /// The form on the only board, if it is an automaton.
    pub fn automaton(&self) -> Option<Acceptor> {
        let [Board { heaps, form: Some(_), rounds, .. }] = &self.boards[..] else { return None };
        rounds.last()?.automaton.as_ref()?.acceptor(*heaps)
    }

    /// What was proved in this play, as a form, with its certificate.
    pub fn theorem(&self, play: Play) -> Option<(Form, &str)> {
        let Ending::Proved(ForAll { certificate, .. }) = &self.ending else { return None };
        let (last, smaller) = self.boards.split_last()?;
        let line = |board: &Board| Some(format!("{}: {}", board.heaps, board.claim.as_ref()?));
        let smaller = smaller.iter().map(line).collect::<Option<_>>()?;
        Some((Form { whole: last.claim.clone()?, smaller, exactly: false, play }, certificate))
    }
}

/// Follows the line for a game.
pub fn follow(tables: &Tables<'_>) -> Line {
    let n = tables.stated.heaps;
    let first = if tables.stated.shrinks { 1 } else { n };
    let mut line = Line {
        boards: (first..=n).map(Board::new).collect(),
        up_to_symmetry: tables.stated.symmetry != Symmetry::None,
        ending: Ending::NoForm,
        proof_seconds: 0.0,
        sent_back: Vec::new(),
    };
    line.boards.iter_mut().for_each(|board| board.conjecture(tables, 0));
    for _ in 0..ATTEMPTS {
        if line.boards.iter().any(|board| board.to_prove().is_none()) {
            line.ending = Ending::NoForm;
            break;
        }
        let stands = line.boards.iter().all(|board| board.standing().is_some());
        let proving = Instant::now();
        let settled = proof(tables, &line.boards);
        line.proof_seconds += proving.elapsed().as_secs_f64();
        let refuted = match settled {
            Verdict::Proved(Proved::Theorem(theorem)) => {
                if theorem.is_of_an_automaton() {
                    line.boards.iter_mut().for_each(Board::as_an_automaton);
                }
                line.ending = Ending::of(theorem);
                break;
            }
            // What has too little evidence is a theorem or nothing.
            _ if !stands => {
                line.ending = Ending::NoForm;
                break;
            }
            Verdict::Refuted(Refuted { counterexample: Failure::Position(found), recheck, .. }) => {
                line.ending = Ending::Refuted {
                    counterexample: found.to_string(),
                    position: found.position.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
                    numbers: found.position.clone(),
                    recheck: recheck.to_string(),
                };
                found
            }
            verdict => {
                line.ending = Ending::Holds { reason: verdict.found() };
                break;
            }
        };
        if !send_back(tables, &mut line, &refuted) {
            break;
        }
    }
    let mut proved = matches!(line.ending, Ending::Proved(_));
    if !proved && let [board] = &mut line.boards[..] {
        let heaps = board.heaps;
        let mut settle = |round: Round| {
            let automaton = round.automaton.as_ref().filter(|_| round.stands())?.acceptor(heaps)?;
            let proving = Instant::now();
            (tables.tell)(&format!("{}, a proof of an automaton", tables.game.name()));
            let settled = settle_automaton(tables.game, tables.play, &automaton, &tables.proof);
            line.proof_seconds += proving.elapsed().as_secs_f64();
            let Ok(Verdict::Proved(Proved::Theorem(theorem))) = settled else { return None };
            Some((round, theorem))
        };
        let theorem = automata(tables, &mut settle).or_else(|| bases::automata(tables, &mut settle));
        if let Some((round, theorem)) = theorem {
            board.rounds.push(round);
            board.as_an_automaton();
            line.ending = Ending::of(theorem);
            proved = true;
        }
    }
    line.boards.iter_mut().for_each(|board| board.finish(proved));
    line
}

/// Back to the conjecture, with a table that holds the counterexample or, as the prover's need not be the least, with the
/// next one; whether there was one.
fn send_back(tables: &Tables<'_>, line: &mut Line, found: &Counterexample) -> bool {
    let Some(board) = line.boards.iter_mut().find(|b| b.heaps == found.position.len()) else { return false };
    let (larger, rounds) = (board.holds_to() + 1, board.rounds.len());
    let Some(most) = tables.bounds(board.heaps).into_iter().filter(|max| *max >= larger).max() else {
        return false;
    };
    let needed = found.position.iter().copied().max().filter(|needed| *needed <= most);
    board.conjecture(tables, needed.unwrap_or(larger).max(larger));
    let again = board.rounds.len() > rounds;
    if again {
        line.sent_back.push(found.to_string());
    }
    again
}

/// The automaton that is to be proved, if the form is one.
fn learned(boards: &[Board]) -> Option<Acceptor> {
    let [board] = boards else { return None };
    board.rounds[board.to_prove()?].automaton.as_ref()?.acceptor(board.heaps)
}

/// The standing forms, put to the prover: an automaton as it is, where no short formula says the same, if that is settled.
fn proof(tables: &Tables<'_>, boards: &[Board]) -> Verdict {
    let said = |round: &Round| round.claim.as_ref().is_some_and(|claim| claim.len() <= SHORT);
    if let Some(automaton) = learned(boards)
        && !boards.iter().any(|board| board.to_prove().is_some_and(|round| said(&board.rounds[round])))
    {
        (tables.tell)(&format!("{}, a proof of an automaton", tables.game.name()));
        match settle_automaton(tables.game, tables.play, &automaton, &tables.proof) {
            Ok(Verdict::Unknown(_)) | Err(_) => {}
            Ok(settled) => return settled,
        }
    }
    let (game, numeration) = match stated_in(tables.play, tables.game) {
        Ok(stated) => stated,
        Err(error) => return Unknown::because(error.to_string()),
    };
    let mut claims = Vec::new();
    for board in &game.boards {
        let own = boards.iter().find(|b| b.heaps == board.heaps);
        let standing = own.and_then(|own| own.to_prove().map(|round| &own.rounds[round]));
        let text = match standing {
            Some(round) => match &round.claim {
                Some(claim) => claim,
                None => {
                    let why = round.unwritten.as_deref().unwrap_or("the form is no formula");
                    return Unknown::because(format!("the prover takes formulas: {why}"));
                }
            },
            // No heap is left.
            None => {
                if tables.play == Play::Normal {
                    "true"
                } else {
                    "false"
                }
            }
        };
        match Claim::parse(text, board.heaps) {
            Ok(claim) => claims.push(claim),
            Err(error) => return Unknown::because(format!("the form cannot be put to the prover: {error}")),
        }
    }
    (tables.tell)(&format!("{}, a proof", tables.game.name()));
    settle_claims(tables.game, &game, numeration, &claims, &tables.proof)
}
