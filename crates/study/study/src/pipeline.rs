//! The line of one game: table, conjecture, larger table, proof; what contradicts it sends it back
//! with more data.

use crate::board::{Board, Round};
use crate::query_learning::Kept;
use crate::settle::{applies_to_misere, proved_pairs, settle_claims, settle_misere, settle_orbit};
use crate::summand_values::SummandValues;
use crate::tables::{Tables, letters};
use crate::{
    box_learning, dependent_number, memory_pairs, mex_pairs, orbits, query_learning, two_step_moves,
};
use bouton_certificate::SealedCertificate;
use bouton_conjecture::{Fit, conjecture, learned_form};
use bouton_core::clock::Instant;
use bouton_core::{Budget, Claim, Deadline, Meter, Play, Symmetry, heaps_text};
use bouton_prover::{Acceptor, Counterexample, CounterexampleChoice};
use bouton_theory::form::{Form, SmallerBoard};
use bouton_theory::verdict::{
    Failure, ProofSize, Proved, Refuted, Size, Theorem, Unknown, Verdict,
};
use serde::Serialize;
use std::time::Duration;

/// Rounds of proof and counterexample.
const ATTEMPTS: usize = 4;
/// Characters of a formula that is proved rather than the automaton that it was made of: positions
/// of any size are then answered by it.
const SHORT: usize = 200;

/// Time for pairs of sequences where no end is set, of which half is for each attempt.
const PAIRS_TIME: Duration = Duration::from_secs(20);

/// Time for a form of an automaton that is proved, at most.
const READABLE: Duration = Duration::from_secs(5);

/// How the line ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum PipelineOutcome {
    /// For all heap sizes; the independent checker has accepted the proof.
    Proved(ForAll),
    /// For all heap sizes, too: no form of all heaps was found, but the nim-values of each summand
    /// are proved.
    #[serde(rename = "proved")]
    ProvedBySummands {
        /// The nim-values of the summands, each once.
        summands: Vec<SummandValues>,
    },
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

impl PipelineOutcome {
    /// Returns the verdict in a word or three.
    pub fn word(&self) -> &'static str {
        match self {
            PipelineOutcome::Proved(_) | PipelineOutcome::ProvedBySummands { .. } => "proved",
            PipelineOutcome::Holds { .. } => "holds",
            PipelineOutcome::Refuted { .. } => "refuted",
            PipelineOutcome::NoForm => "no form found",
        }
    }

    fn from_theorem(theorem: Theorem) -> PipelineOutcome {
        let Theorem { game, certificate, .. } = theorem;
        let (cases, parts, sets) = match theorem.size {
            ProofSize::Cases(Size { cases, parts, sets }) => (cases, parts, sets),
            ProofSize::Parts(_) => (0, 0, 0),
        };
        PipelineOutcome::Proved(ForAll { cases, parts, sets, game, certificate })
    }
}

/// A proof for all heap sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ForAll {
    /// Cases shown impossible: a move from one claimed position to another.
    pub cases: usize,
    /// Kinds of positions from which a move into the form is given.
    pub parts: usize,
    /// Sets of possibilities looked at to see that these are all.
    pub sets: usize,
    /// The game as the certificate names it.
    #[serde(skip)]
    pub game: String,
    /// The certificate as `bouton check` reads it.
    #[serde(skip)]
    pub certificate: SealedCertificate,
}

/// The line of one game.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pipeline {
    /// The boards reached, the game's own last.
    pub boards: Vec<Board>,
    /// Whether forms are meant up to a symmetry of the game.
    pub up_to_symmetry: bool,
    /// What holds of the positions in the tables, if the game has others: from these there is no
    /// move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_begin_where: Option<String>,
    /// How it ended.
    #[serde(flatten)]
    pub ending: PipelineOutcome,
    /// Time that proofs and checks took, in all, in seconds.
    pub proof_seconds: f64,
    /// Positions that sent the conjecture back.
    pub sent_back: Vec<String>,
}

impl Pipeline {
    /// Returns a line with nothing done.
    fn begun(tables: &Tables<'_>) -> Pipeline {
        let n = tables.stated.heaps;
        let first = if tables.stated.shrinks { 1 } else { n };
        Pipeline {
            boards: (first..=n).map(Board::new).collect(),
            up_to_symmetry: n > 1 && tables.stated.symmetry != Symmetry::None,
            moves_begin_where: tables
                .own_domain()
                .map(|domain| domain.over(&letters(n)).to_string()),
            ending: PipelineOutcome::NoForm,
            proof_seconds: 0.0,
            sent_back: Vec::new(),
        }
    }

    /// Returns the greatest heap up to which the forms agree with every table.
    pub fn holds_to(&self) -> u64 {
        self.boards.iter().map(Board::holds_to).min().unwrap_or(0)
    }

    /// Returns the form on the only board, if it is an automaton.
    pub fn automaton(&self) -> Option<Acceptor> {
        let [Board { heaps, form: Some(_), rounds, .. }] = &self.boards[..] else { return None };
        rounds.last()?.automaton.as_ref()?.acceptor(*heaps)
    }

    /// Returns what was proved in this play, as a form, with its certificate.
    pub fn theorem(&self, play: Play) -> Option<(Form, &SealedCertificate)> {
        let PipelineOutcome::Proved(ForAll { certificate, .. }) = &self.ending else { return None };
        let (last, smaller) = self.boards.split_last()?;
        let claimed = |board: &Board| {
            Some(SmallerBoard { heaps: board.heaps, formula: board.claim.clone()? })
        };
        let smaller = smaller.iter().map(claimed).collect::<Option<_>>()?;
        Some((Form { whole: last.claim.clone()?, smaller, exactly: false, play }, certificate))
    }
}

/// Follows the line for a game.
pub fn follow(tables: &Tables<'_>) -> Pipeline {
    let (mut line, mut kept) = (Pipeline::begun(tables), Kept::default());
    let mut proved = dependent_number::follow_without(tables, &mut line);
    match tables.early().filter(|_| !proved) {
        Some((early, first_look)) => {
            line.boards.iter_mut().for_each(|board| board.conjecture(&early, 0));
            if line.boards.iter().all(|board| board.to_prove().is_none()) {
                proved = learn(tables, &mut line, Some(first_look), &mut kept);
                if !proved {
                    line.boards.iter_mut().for_each(|board| board.go_on(tables));
                }
            }
        }
        None if proved => {}
        None => line.boards.iter_mut().for_each(|board| board.conjecture(tables, 0)),
    }
    for _ in 0..if proved { 0 } else { ATTEMPTS } {
        if line.boards.iter().any(|board| board.to_prove().is_none()) {
            line.ending = PipelineOutcome::NoForm;
            break;
        }
        let stands = line.boards.iter().all(|board| board.confirmed().is_some());
        let proving = Instant::now();
        let settled = proof(tables, &line.boards);
        line.proof_seconds += proving.elapsed().as_secs_f64();
        let refuted = match settled {
            Verdict::Proved(Proved::Theorem(theorem)) => {
                if theorem.is_of_an_automaton() {
                    line.boards.iter_mut().for_each(Board::as_an_automaton);
                }
                line.ending = PipelineOutcome::from_theorem(*theorem);
                break;
            }
            // What has too little evidence is a theorem or nothing.
            _ if !stands => {
                line.ending = PipelineOutcome::NoForm;
                break;
            }
            Verdict::Refuted(Refuted {
                counterexample: Failure::Position(found), recheck, ..
            }) => {
                line.ending = PipelineOutcome::Refuted {
                    counterexample: found.to_string(),
                    position: heaps_text(&found.position),
                    numbers: found.position.clone(),
                    recheck: recheck.to_string(),
                };
                found
            }
            verdict => {
                line.ending = PipelineOutcome::Holds { reason: verdict.found() };
                break;
            }
        };
        if !send_back(tables, &mut line, &refuted) {
            break;
        }
    }
    if !matches!(line.ending, PipelineOutcome::Proved(_)) {
        learn(tables, &mut line, None, &mut kept);
    }
    if tables.own_domain().is_some()
        && tables.seen_without.is_none()
        && let Ok((game, _)) = tables.rules()
    {
        line.boards
            .iter_mut()
            .flat_map(|board| &mut board.rounds)
            .for_each(|round| round.widen(&game));
    }
    let proved = matches!(line.ending, PipelineOutcome::Proved(_));
    line.boards.iter_mut().for_each(|board| board.finish(proved));
    line
}

/// Learns an automaton that is proved, and seeks a form for it, where the play is normal; from
/// whole boxes, too, unless this is a first look that may take so long. Returns whether one is
/// proved.
fn learn(
    tables: &Tables<'_>,
    line: &mut Pipeline,
    first_look: Option<Duration>,
    kept: &mut Kept,
) -> bool {
    if tables.play != Play::Normal && !applies_to_misere(tables.stated, tables.play) {
        return false;
    }
    let is_all = tables.seen_without.is_none();
    if is_all && (follow_orbit(tables, line) || follow_shifted_pairs(tables, line)) {
        return true;
    }
    if is_all && follow_mex_pairs(tables, line) {
        return true;
    }
    let [board] = &mut line.boards[..] else { return false };
    let heaps = board.heaps;
    let mut settle = |round: Round| {
        let automaton =
            round.automaton.as_ref().filter(|_| round.is_confirmed())?.acceptor(heaps)?;
        let proving = Instant::now();
        tables.report_proof("a proof of an automaton");
        let settled = tables.settle_automaton(&automaton, CounterexampleChoice::Any, &tables.proof);
        line.proof_seconds += proving.elapsed().as_secs_f64();
        let Some(Verdict::Proved(Proved::Theorem(theorem))) = settled else { return None };
        Some((round, theorem))
    };
    let look_end = first_look.map(Deadline::after);
    let in_steps =
        board.table.as_ref().filter(|_| two_step_moves::applies(tables)).and_then(|table| {
            let begun = Instant::now();
            two_step_moves::automaton(tables, look_end, &mut |automaton| {
                let found = learned_form(automaton.clone(), table);
                let round = Round::new(heaps, &found, [0.0, begun.elapsed().as_secs_f64()]);
                // A theorem asks for no evidence.
                settle(Round { fit: Fit::Whole, ..round })
            })
        });
    let mut theorem = match look_end {
        _ if in_steps.is_some() => in_steps,
        Some(end) => {
            // If the larger table takes too long, an automaton is sought in the present one.
            board.enlarge(&tables.with_deadline(Deadline::after(end.left() / 2)));
            None
        }
        None => box_learning::automata(tables, &mut settle),
    };
    if theorem.is_none()
        && query_learning::applies(tables.stated, tables.play)
        && let Some(table) = &board.table
    {
        let mut put = |round: &Round, end: &Deadline| {
            let automaton = round.automaton.as_ref()?.acceptor(heaps)?;
            let proving = Instant::now();
            tables.report_proof("a proof of an automaton");
            let budget = tables.proof.within(end.left());
            let settled = tables.settle_automaton(&automaton, CounterexampleChoice::Any, &budget);
            line.proof_seconds += proving.elapsed().as_secs_f64();
            settled
        };
        let found = query_learning::automaton(tables, table, look_end, kept, &mut put);
        theorem = found.map(|found| (found.round, found.theorem));
    }
    let Some((round, theorem)) = theorem else { return false };
    board.rounds.push(round);
    board.as_an_automaton();
    let (form, seconds) = readable(tables, board);
    line.proof_seconds += seconds;
    line.ending = PipelineOutcome::from_theorem(match form {
        Some((round, theorem)) => {
            board.rounds.push(round);
            *theorem
        }
        None => *theorem,
    });
    true
}

/// Finds an orbit of P-positions in the moves and proves it, if there is one. Returns whether one
/// is proved.
fn follow_orbit(tables: &Tables<'_>, line: &mut Pipeline) -> bool {
    let [board] = &mut line.boards[..] else { return false };
    let begun = Instant::now();
    let (Some(table), Some(orbit)) = (&board.table, orbits::orbit(tables)) else { return false };
    let round = Round::of_orbit(table, &orbit, begun.elapsed().as_secs_f64());
    let proving = Instant::now();
    tables.report_proof("a proof of an orbit");
    let settled = settle_orbit(tables.whole, &orbit, &tables.proof);
    line.proof_seconds += proving.elapsed().as_secs_f64();
    let Ok(Verdict::Proved(Proved::Theorem(theorem))) = settled else { return false };
    board.rounds.push(round);
    line.ending = PipelineOutcome::from_theorem(*theorem);
    true
}

/// Finds pairs of two sequences in a table, one by least numbers that are free, and proves them.
/// Returns whether they are proved.
fn follow_mex_pairs(tables: &Tables<'_>, line: &mut Pipeline) -> bool {
    let [board] = &mut line.boards[..] else { return false };
    if !mex_pairs::applies(tables) {
        return false;
    }
    let begun = Instant::now();
    let Some(table) = &board.table else { return false };
    let fitting = mex_pairs::fitting(table);
    let seconds = begun.elapsed().as_secs_f64();
    for pairs in fitting {
        let proving = Instant::now();
        tables.report_proof("a proof of pairs");
        let budget = tables.proof.within(tables.time_or(PAIRS_TIME) / 2);
        let settled = proved_pairs(tables.whole, &pairs, &budget);
        line.proof_seconds += proving.elapsed().as_secs_f64();
        if let Ok(Verdict::Proved(Proved::Theorem(theorem))) = settled {
            board.rounds.push(Round::of_pairs(table, &pairs, seconds));
            line.ending = PipelineOutcome::from_theorem(*theorem);
            return true;
        }
    }
    false
}

/// Follows the line of a game as far as pairs of sequences that are shifted by what is remembered
/// go, from one table; `None` if they are not proved.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn follow_remembered(tables: &Tables<'_>) -> Option<Pipeline> {
    let mut line = Pipeline::begun(tables);
    let [board] = &mut line.boards[..] else { return None };
    let most = tables.bounds(board.heaps).into_iter().max()?;
    board.table = tables.make(board.heaps, most).ok().map(|made| made.table);
    let is_proved = follow_shifted_pairs(tables, &mut line);
    line.boards.iter_mut().for_each(|board| board.finish(is_proved));
    is_proved.then_some(line)
}

/// Finds pairs of sequences that are shifted by what is remembered, and proves them. Returns
/// whether they are proved.
fn follow_shifted_pairs(tables: &Tables<'_>, line: &mut Pipeline) -> bool {
    let [board] = &mut line.boards[..] else { return false };
    if !board.table.as_ref().is_some_and(|table| memory_pairs::applies(tables, table)) {
        return false;
    }
    let begun = Instant::now();
    board.enlarge(tables);
    let Some(table) = &board.table else { return false };
    let Some(text) = memory_pairs::shifted_pairs(tables, table) else { return false };
    let round = Round::of_text(table, text, begun.elapsed().as_secs_f64());
    let Some(claim) = round.formula() else { return false };
    tables.report_proof("a proof");
    let proving = Instant::now();
    let settled = tables.settle_claim(claim, &tables.proof);
    line.proof_seconds += proving.elapsed().as_secs_f64();
    let Some(Verdict::Proved(Proved::Theorem(theorem))) = settled else { return false };
    board.rounds.push(round);
    line.ending = PipelineOutcome::from_theorem(*theorem);
    true
}

/// Returns the last round's automaton, which is proved, as a form that is proved, too, if one is
/// found in a larger table, made of what it accepts; and the seconds that the proof took.
fn readable(tables: &Tables<'_>, board: &Board) -> (Option<(Round, Box<Theorem>)>, f64) {
    let sought = || {
        let automaton = board.rounds.last()?.automaton.as_ref()?.acceptor(board.heaps)?;
        let begun = Instant::now();
        let table = tables.table_of_automaton(&automaton)?;
        let made = Instant::now();
        let time = tables.time_or(READABLE).min(READABLE);
        let meter = &mut Meter::new(&Budget { nodes: None, ..tables.budget.within(time) });
        let found = conjecture(&table, meter);
        let seconds = [(made - begun).as_secs_f64(), made.elapsed().as_secs_f64()];
        Some(Round::new(board.heaps, &found, seconds)).filter(|round| round.is_confirmed())
    };
    let Some(round) = sought() else { return (None, 0.0) };
    let Some(claim) = round.formula().filter(|_| tables.rules().is_ok()) else {
        return (None, 0.0);
    };
    tables.report_proof("a proof");
    let proving = Instant::now();
    let budget = tables.proof.within(tables.time_or(READABLE).min(READABLE));
    let settled = match applies_to_misere(tables.stated, tables.play) {
        true => Some(settle_misere(tables.whole, claim, false, &budget)),
        false => tables.settle_claim(claim, &budget),
    };
    let seconds = proving.elapsed().as_secs_f64();
    match settled {
        Some(Verdict::Proved(Proved::Theorem(theorem))) if !theorem.is_of_an_automaton() => {
            (Some((round, theorem)), seconds)
        }
        _ => (None, seconds),
    }
}

/// Goes back to the conjecture, with a table that holds the counterexample or, as the prover's need
/// not be the least, with the next one. Returns whether there was one.
fn send_back(tables: &Tables<'_>, line: &mut Pipeline, found: &Counterexample) -> bool {
    let Some(board) = line.boards.iter_mut().find(|b| b.heaps == found.position.len()) else {
        return false;
    };
    let (larger, rounds) = (board.holds_to() + 1, board.rounds.len());
    let Some(most) = tables.bounds(board.heaps).into_iter().filter(|max| *max >= larger).max()
    else {
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

/// Returns the automaton that is to be proved, if the form is one.
fn read_off(tables: &Tables<'_>, boards: &[Board]) -> Option<Acceptor> {
    let [board] = boards else { return None };
    // Of positions that do not occur it says nothing.
    if tables.stated.moves.domain.is_some() {
        return None;
    }
    board.rounds[board.to_prove()?].automaton.as_ref()?.acceptor(board.heaps)
}

/// Puts the standing forms to the prover: an automaton as it is, where no short formula says the
/// same, if that is settled.
pub(crate) fn proof(tables: &Tables<'_>, boards: &[Board]) -> Verdict {
    let said = |round: &Round| round.claim.as_ref().is_some_and(|claim| claim.len() <= SHORT);
    if let Some(automaton) = read_off(tables, boards)
        && !boards
            .iter()
            .any(|board| board.to_prove().is_some_and(|round| said(&board.rounds[round])))
    {
        tables.report_proof("a proof of an automaton");
        match tables.settle_automaton(&automaton, CounterexampleChoice::Least, &tables.proof) {
            Some(Verdict::Unknown(_)) | None => {}
            Some(settled) => return settled,
        }
    }
    if applies_to_misere(tables.stated, tables.play)
        && let [board] = boards
    {
        let standing = board.to_prove().map(|round| &board.rounds[round]);
        return match standing.and_then(Round::formula) {
            Some(claim) => {
                tables.report_proof("a proof");
                settle_misere(tables.whole, claim, false, &tables.proof)
            }
            None => Unknown::because("in misère play the prover takes formulas"),
        };
    }
    if tables.seen_without.is_some()
        && let [board] = boards
    {
        let standing = board.to_prove().and_then(|round| board.rounds[round].formula());
        tables.report_proof("a proof");
        let settled = standing.and_then(|claim| tables.settle_claim(claim, &tables.proof));
        return settled.unwrap_or_else(|| Unknown::because("the prover takes formulas"));
    }
    let (game, numeration) = match tables.rules() {
        Ok(stated) => stated,
        Err(error) => return Unknown::because(error.to_string()),
    };
    let mut claims = Vec::new();
    for board in &game.boards {
        let own = boards.iter().find(|b| b.heaps == board.heaps);
        let standing = own.and_then(|own| own.to_prove().map(|round| &own.rounds[round]));
        claims.push(match standing.map(|round| &round.read) {
            Some(Some(claim)) => match claim.clone().and_then(|claim| game.within(claim)) {
                Ok(claim) => claim,
                Err(error) => {
                    return Unknown::because(format!(
                        "the form cannot be put to the prover: {error}"
                    ));
                }
            },
            Some(None) => {
                let unwritten = standing.and_then(|round| round.unwritten.as_deref());
                let why = unwritten.unwrap_or("the form is no formula");
                return Unknown::because(format!("the prover takes formulas: {why}"));
            }
            // No heap is left.
            None => Claim::constant(tables.play == Play::Normal, board.heaps),
        });
    }
    tables.report_proof("a proof");
    settle_claims(tables.whole, &game, numeration, &claims, &tables.proof)
}
