//! Kotzig's Nim on circles of every size: invariants that prove who wins.
//!
//! A position is a word, the cells clockwise from the token, and an invariant is an automaton that labels words: where the mover loses
//! every option must be labelled as won, where he wins one as lost. If that holds for all words of all lengths, and it
//! is a finite matter whether it does, the label of the empty circle is the outcome for every n. The classes of n modulo a period have
//! an automaton each; small circles are searched.
//!
//! How they are found: [`train`] a strategy that looks at few cells, a decision [`tree`], until it wins on the circles at hand;
//! take all words that it [`reach`]es; [`fold`] them into an automaton; [`verify`]. Many views, from narrow to wide, are tried with
//! growing limits, as one can't know which closes. What is found is a certificate for `bouton-check`, which knows nothing of this.
//!
//! Sources: regular invariants of games on words as in D. Neider, U. Topcu, *An automaton learning approach to solving safety games
//! over infinite graphs*, TACAS 2016; that outcomes of such games are eventually periodic: K. Liang, *A finite automaton approach to
//! combinatorial games*, arXiv 2608.13273.

mod attempt;
mod automaton;
mod fold;
mod reach;
mod sets;
mod statement;
mod train;
mod tree;
mod verify;
mod walk;

pub use automaton::{Automaton, Label};
pub use statement::PSet;

use super::{Circulant, Solver, Techniques};
use attempt::{Class, Failed, Limits, attempt};
use bouton_rules::{Budget, Certificate, LimitReached, Meter, Play};
use std::fmt::Write;
use walk::View;

/// A theorem on circles of every size.
#[derive(Debug, Clone)]
pub struct Theorem {
    steps: Vec<u64>,
    play: Play,
    /// The circles that are in P.
    pub p_positions: PSet,
    /// By residue of n.
    pub classes: Vec<ClassProof>,
}

/// The invariant of one residue class.
#[derive(Debug, Clone)]
pub struct ClassProof {
    /// The invariant holds for circles of so many cells and more.
    pub from: usize,
    /// Whether these are in P.
    pub in_p: bool,
    /// The labels.
    pub automaton: Automaton,
}

/// How far the search for a theorem came.
#[derive(Debug, Clone)]
pub struct Partial {
    /// Why it ended.
    pub reason: String,
    /// The limit that was reached, if that is why.
    pub limit: Option<LimitReached>,
    /// Classes of n modulo the period that were proved, and those that were not.
    pub period: usize,
    /// Residues proved.
    pub proved: Vec<usize>,
    /// Residues open.
    pub open: Vec<usize>,
}

/// `5 of 6 classes of n mod 6 proved, open: 3; budget spent: 60 s`.
impl std::fmt::Display for Partial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.period > 0 {
            let open: Vec<String> = self.open.iter().map(usize::to_string).collect();
            let (proved, period) = (self.proved.len(), self.period);
            write!(f, "{proved} of {period} classes of n mod {period} proved, open: {}; ", open.join(", "))?;
        }
        f.write_str(&self.reason)
    }
}

/// Circles that are searched before a theorem is sought: so many cells at most, and so many nodes for all together.
const SEARCHED: usize = 120;
const NODES: [u64; 2] = [10_000_000, 40_000_000];
/// The greatest step for which an invariant is sought.
pub const MAX_STEP: u64 = 12;
/// Steps at most.
pub const MAX_STEPS: usize = 4;

/// Seeks a theorem on the circles of every size with these steps; `tell` hears what is being done.
///
/// # Errors
/// How far it came, if there is none: budget spent, or nothing found with any of the views.
pub fn prove(steps: &[u64], play: Play, budget: &Budget, tell: &dyn Fn(&str)) -> Result<Theorem, Partial> {
    let mut steps = steps.to_vec();
    steps.sort_unstable();
    steps.dedup();
    let partial = |reason: &str, limit| Partial {
        reason: reason.into(),
        limit,
        period: 0,
        proved: vec![],
        open: vec![],
    };
    let greatest = steps.last().copied().unwrap_or(0);
    if steps.len() > MAX_STEPS || steps.first().is_none_or(|step| *step == 0) || greatest > MAX_STEP {
        return Err(partial(
            &format!("invariants are sought for 1 to {MAX_STEPS} steps up to {MAX_STEP}"),
            None,
        ));
    }
    let small: Vec<u32> = steps.iter().map(|step| *step as u32).collect();
    let sum = steps.iter().sum::<u64>() as usize;
    // As few outcomes as show a period.
    let mut outcomes = vec![false];
    let found = NODES.iter().find_map(|nodes| {
        outcomes = self::outcomes(&steps, play, *nodes, budget);
        period(&outcomes, sum)
    });
    if let Some(limit) = budget.interrupted() {
        return Err(partial(&limit.to_string(), Some(limit)));
    }
    let Some(period) = found else {
        return Err(partial(
            &format!("no period is seen in the outcomes up to n = {}", outcomes.len() - 1),
            None,
        ));
    };
    tell(&format!("outcomes to n = {}; classes of n mod {period}", outcomes.len() - 1));
    let mut meter = Meter::new(budget);
    // A class that can't be had as one may be had as two: strategies may differ for odd and even n.
    let search = |residue: usize, period: usize, modulus: usize| {
        let (settled, in_p) = settled(&outcomes, period, residue);
        let least = 2 * greatest as usize + 2;
        let from = (settled..).step_by(period).find(|n| *n >= least).unwrap_or(settled);
        let modulus = if modulus <= MAX_MODULUS { modulus as u32 } else { 0 };
        Search { residue, period, in_p, candidates: candidates(modulus, from, period), found: None }
    };
    let mut classes: Vec<[Search; 3]> = (0..period)
        .map(|residue| {
            let half = |residue| search(residue, 2 * period, 2 * sum);
            [search(residue, period, sum), half(residue), half(residue + period)]
        })
        .collect();
    let mut ended = Ok(());
    'rounds: for round in 0..ROUNDS {
        for class in &mut classes {
            for part in 0..3 {
                if proved(class) || class[part].found.is_some() || part > 0 && round == 0 {
                    continue;
                }
                ended = class[part].round(round, &small, play, &mut meter);
                if let Some(proof) = &class[part].found {
                    let Search { residue, period, .. } = class[part];
                    let (from, states) = (proof.from, proof.automaton.size());
                    tell(&format!("n = {residue} mod {period}: {states} states, from n = {from}"));
                }
                if ended.is_err() {
                    break 'rounds;
                }
            }
        }
    }
    if !classes.iter().all(proved) {
        // By halves where one is proved.
        let halves = classes.iter().any(|class| class[0].found.is_none() && class[1..].iter().any(has_proof));
        let period = if halves { 2 * period } else { period };
        let is_proved = |n: &usize| has_proof(&classes[n % classes.len()][0]) || halves && has_proof(&classes[n % classes.len()][1 + n / classes.len()]);
        let (proved, open) = (0..period).partition(is_proved);
        let limit = ended.err();
        let none = "no invariant was found with any of the views".to_owned();
        let reason = limit.as_ref().map_or(none, ToString::to_string);
        return Err(Partial { reason, limit, period, proved, open });
    }
    let whole = classes.iter().all(|class| has_proof(&class[0]));
    let mut proofs: Vec<ClassProof> = Vec::new();
    for part in if whole { 0..1 } else { 1..3 } {
        for class in &classes {
            proofs.extend(class[0].found.clone().or_else(|| class[part].found.clone()));
        }
    }
    let classes = proofs;
    let below = classes.iter().map(|class| class.from).max().unwrap_or(1);
    // Where nothing was searched the checker will.
    let is_p = |n: usize| outcomes.get(n).copied().unwrap_or(classes[n % classes.len()].in_p);
    let small: Vec<bool> = (1..below).map(is_p).collect();
    let p_positions = PSet::new(&small, classes.iter().map(|class| class.in_p).collect());
    Ok(Theorem { steps, play, p_positions, classes })
}

/// Whether the circles from 1 on are in P, as far as the budget reaches; place 0 means nothing.
fn outcomes(steps: &[u64], play: Play, nodes: u64, budget: &Budget) -> Vec<bool> {
    let mut solver = Solver::new(play, Techniques::default());
    let mut outcomes = vec![false];
    // A quarter of the time.
    let share = match budget.deadline {
        Some(deadline) => budget.within(deadline.left() / 4),
        None => budget.clone(),
    };
    let nodes = nodes.min(share.nodes.unwrap_or(nodes));
    let mut meter = Meter::new(&Budget { nodes: Some(nodes), ..share });
    for n in 1..=SEARCHED {
        let Ok(game) = Circulant::new(steps, n as u64) else { break };
        match solver.outcome(&game, &mut meter) {
            Ok(outcome) => outcomes.push(outcome.is_p()),
            Err(_) => break,
        }
    }
    outcomes
}

/// The least multiple of the steps' sum that the outcomes have as a period, three times at the end at least; else the
/// least period.
fn period(outcomes: &[bool], sum: usize) -> Option<usize> {
    let last = outcomes.len() - 1;
    // The number from which on the outcomes repeat.
    let settled = |period: usize| {
        (1..=last.saturating_sub(period)).rev().find(|n| outcomes[*n] != outcomes[n + period]).unwrap_or(0)
    };
    let fits = |period: &usize| settled(*period) + 3 * period <= last;
    (1..=6).map(|k| k * sum).find(fits).or_else(|| (1..=last / 4).find(fits))
}

/// The first circle of a class from which on all have one outcome, and whether that is P.
fn settled(outcomes: &[bool], period: usize, residue: usize) -> (usize, bool) {
    let last = (1..outcomes.len()).rev().find(|n| n % period == residue).unwrap_or(residue);
    let mut first = last;
    while first > period && outcomes[first - period] == outcomes[last] {
        first -= period;
    }
    (first, outcomes[last])
}

/// Circles below the automata's are searched by the checker, so automata begin at so many cells at most.
const LAST_FROM: usize = 129;
/// Rounds with growing limits.
const ROUNDS: u32 = 7;

/// Places are told apart modulo so much at most.
const MAX_MODULUS: usize = 24;
/// Whether a strategy keeps to the usual answer, and which that is.
const WAYS: [(bool, u8); 3] = [(false, 0), (true, 0), (true, 1)];

fn has_proof(search: &Search) -> bool {
    search.found.is_some()
}

/// Whether a class is proved, as one or as two.
fn proved(class: &[Search; 3]) -> bool {
    has_proof(&class[0]) || class[1..].iter().all(has_proof)
}

/// The search for the invariant of one class.
struct Search {
    residue: usize,
    period: usize,
    in_p: bool,
    candidates: Vec<Candidate>,
    found: Option<ClassProof>,
}

/// What an attempt is made with.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    view: View,
    keeps_usual: bool,
    usual: u8,
    from: usize,
    /// Conditions violated by what it came to; what is near a proof goes first.
    closest: usize,
}

impl Search {
    /// Tries the candidates with the limits of a round. Those that can't succeed are dropped, and after the first round the
    /// worse half of the others.
    fn round(
        &mut self,
        round: u32,
        steps: &[u32],
        play: Play,
        meter: &mut Meter,
    ) -> Result<(), LimitReached> {
        let mut left = Vec::new();
        for candidate in &self.candidates {
            let Candidate { view, keeps_usual, usual, from, .. } = *candidate;
            let limits = Limits {
                keeps_usual,
                usual,
                positions: (30_000usize << (2 * round)).min(12_000_000),
                nodes: (50_000usize << (2 * round)).min(6_000_000),
                patience: 50 << round,
                states: (20_000 << round).min(200_000),
            };
            let class = Class { steps, misere: play == Play::Misere, period: self.period, from, in_p: self.in_p };
            match attempt(&class, view, &limits, meter) {
                Ok(automaton) => {
                    self.found = Some(ClassProof { from, in_p: self.in_p, automaton });
                    return Ok(());
                }
                Err(Failed::Spent(limit)) => return Err(limit),
                Err(Failed::Stuck) => {}
                Err(Failed::Limits(closest)) => left.push(Candidate { closest, ..*candidate }),
            }
        }
        left.sort_by_key(|candidate| candidate.closest);
        left.truncate(left.len().div_ceil(2).max(4));
        self.candidates = left;
        Ok(())
    }
}

/// What is tried for a class whose circles are settled from some size on: strategies that look at little, then at more. The place
/// is known modulo the sum of the steps, what two moves come to that make a diamond, or twice that. A little later the
/// circles are less special.
fn candidates(modulus: u32, from: usize, period: usize) -> Vec<Candidate> {
    let view = |ahead, behind, start, near, modulus, laps| View { ahead, behind, start, near, modulus, laps };
    let views = [
        view(8, 6, 3, 8, 0, 2),
        view(12, 8, 6, 12, modulus, 3),
        view(14, 8, 8, 12, modulus, 3),
        view(20, 12, 0, 12, 0, 3),
        view(16, 12, 8, 16, modulus, 3),
        view(20, 14, 10, 16, modulus, 4),
    ];
    let mut all = Vec::new();
    for view in views {
        for (keeps_usual, usual) in WAYS {
            for later in 0..3 {
                let from = from + later * period;
                if from > LAST_FROM {
                    continue;
                }
                all.push(Candidate { view, keeps_usual, usual, from, closest: usize::MAX });
            }
        }
    }
    all
}

impl Theorem {
    /// The statement: which circles are in P.
    pub fn statement(&self) -> String {
        let misere = if self.play == Play::Misere { "in misere play " } else { "" };
        format!("{misere}P iff {}", self.p_positions)
    }

    /// States of all automata.
    pub fn states(&self) -> usize {
        self.classes.iter().map(|class| class.automaton.size()).sum()
    }

    /// The certificate, kind `circle`.
    pub fn certificate(&self) -> Certificate {
        let mut body = format!("period {}\n", self.classes.len());
        for (residue, class) in self.classes.iter().enumerate() {
            let outcome = if class.in_p { 'P' } else { 'N' };
            let (from, states) = (class.from, class.automaton.size());
            let _ = writeln!(body, "class {residue} {outcome} from {from} states {states}");
            body.push_str(&class.automaton.lines());
        }
        let steps: Vec<String> = self.steps.iter().map(u64::to_string).collect();
        Certificate {
            kind: "circle".into(),
            game: format!("Gamma({};n)", steps.join(",")),
            claim: self.statement(),
            body,
        }
    }
}
