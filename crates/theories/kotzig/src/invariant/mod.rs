//! Kotzig's Nim on circles of every size: invariants that prove who wins.
//!
//! A position is a word, the cells clockwise from the token (steps may go back as well), and an
//! invariant is an automaton that labels words: where the mover loses every option must be labelled
//! as won, where he wins one as lost. If that holds for all words of all lengths, and it is a
//! finite matter whether it does, the label of the empty circle is the outcome for every n. The
//! classes of n modulo a period have an automaton each; small circles are searched.
//!
//! How they are found: [repair](strategy_repair) a strategy that looks at few cells, a decision
//! [`tree`], until it wins on the circles at hand; take all words that it
//! [reaches](reachable_words); [`generalise`] them into an automaton; [`verify`]. Many views, from
//! narrow to wide, are tried with growing limits, as one can't know which closes. What is found is
//! a certificate for `bouton-check`, which knows nothing of this.
//!
//! Sources: regular invariants of games on words as in D. Neider, U. Topcu, *An automaton learning
//! approach to solving safety games over infinite graphs*, TACAS 2016; that outcomes of such games
//! are eventually periodic: K. Liang, *A finite automaton approach to combinatorial games*, arXiv
//! 2608.13273.

mod automaton;
pub(crate) mod body;
mod class_attempt;
mod generalise;
mod local_view;
mod reachable_words;
mod sets;
mod statement;
mod strategy_repair;
mod tree;
mod verify;

pub use automaton::{Automaton, Label};
pub(crate) use statement::CircleClaim;
pub use statement::PSet;

use super::{Circulant, Solver, Techniques};
use bouton_certificate::{Certificate, CertificateKind};
use bouton_core::{Arrange, Budget, LimitReached, Meter, Play};
use class_attempt::{Class, Limits, NoInvariant, attempt};
use local_view::{Steps, View};

/// A theorem on circles of every size, by classes of circles.
#[derive(Debug, Clone)]
pub struct ClassTheorem {
    steps: Vec<i64>,
    play: Play,
    /// The circles that are in P.
    pub p_positions: PSet,
    /// By residue of n.
    pub classes: Vec<ClassProof>,
}

/// The invariant of one residue class.
#[derive(Debug, Clone)]
pub struct ClassProof {
    /// The invariant holds for circles of this many cells and more.
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
            write!(
                f,
                "{proved} of {period} classes of n mod {period} proved, open: {}; ",
                open.join(", ")
            )?;
        }
        f.write_str(&self.reason)
    }
}

/// Circles that are searched before a theorem is sought: this many cells at most, and this many
/// nodes for all together.
const SEARCHED: usize = 120;
const NODES: [u64; 2] = [10_000_000, 40_000_000];
/// The furthest steps forwards and backwards for which an invariant is sought, together at most.
pub const MAX_WIDTH: u64 = 12;
/// Steps at most.
pub const MAX_STEPS: usize = 4;

/// Seeks a theorem on the circles of every size with these steps, negative ones backwards; `tell`
/// hears what is being done. A circle may be turned over: the theorem is about the steps
/// in the form of [`canonical_steps`].
///
/// # Errors
/// How far it came, if there is none: budget spent, or nothing found with any of the views.
pub fn prove(
    steps: &[i64],
    play: Play,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<ClassTheorem, Partial> {
    let steps = canonical_steps(steps);
    let Some(small) = small_steps(&steps) else {
        return Err(Partial::without_classes(format!(
            "invariants are sought for 1 to {MAX_STEPS} steps, {MAX_WIDTH} cells together at most \
             forwards and backwards"
        )));
    };
    let (outcomes, found) = outcomes_with_period(&steps, &small, play, budget);
    if let Some(limit) = budget.interrupted() {
        return Err(Partial { limit: Some(limit), ..Partial::without_classes(limit.to_string()) });
    }
    let Some(period) = found else {
        let last = outcomes.len() - 1;
        let reason = format!("no period is seen in the outcomes up to n = {last}");
        return Err(Partial::without_classes(reason));
    };
    tell(&format!("outcomes to n = {}; classes of n mod {period}", outcomes.len() - 1));
    let mut classes = class_searches(&steps, &small, &outcomes, period);
    let ended = search_classes(&mut classes, &small, play, &mut Meter::new(budget), tell);
    if !classes.iter().all(proved) {
        return Err(Partial::of_classes(&classes, ended.err()));
    }
    let classes = chosen_proofs(&classes);
    let p_positions = p_positions(&classes, &outcomes);
    Ok(ClassTheorem { steps, play, p_positions, classes })
}

/// Returns the steps in the numbers that invariants are sought with; `None` if there are too many,
/// or too large ones.
fn small_steps(steps: &[i64]) -> Option<Steps> {
    let small = |step: &i64| {
        i32::try_from(*step).ok().filter(|s| *s != 0 && u64::from(s.unsigned_abs()) <= MAX_WIDTH)
    };
    let small: Vec<i32> = steps.iter().map(small).collect::<Option<_>>()?;
    let is_few = !small.is_empty() && small.len() <= MAX_STEPS;
    is_few.then(|| Steps::new(small)).filter(|small| small.width as u64 <= MAX_WIDTH)
}

/// Returns outcomes by the number of cells, and the period that is seen in them: as few outcomes as
/// show a multiple of the sum of the steps as a period; any other period only of as many as can be
/// had.
fn outcomes_with_period(
    steps: &[i64],
    small: &Steps,
    play: Play,
    budget: &Budget,
) -> (Vec<bool>, Option<usize>) {
    let mut outcomes = vec![false];
    let found = NODES.iter().find_map(|nodes| {
        outcomes = self::outcomes(steps, play, *nodes, budget);
        // What two moves come to is a period where they only go forwards.
        let diamonds =
            if small.max_step_back() == 0 { steps.iter().sum::<i64>() as usize } else { 0 };
        period(&outcomes, diamonds, *nodes == NODES[1])
    });
    (outcomes, found)
}

/// The searches for an invariant of a class: of the class as one, and of its two halves.
type ClassSearches = [ClassSearch; 3];

/// Returns the searches for each class of the period. A class that can't be had as one may be had
/// as two: strategies may differ for odd and even n.
fn class_searches(
    steps: &[i64],
    small: &Steps,
    outcomes: &[bool],
    period: usize,
) -> Vec<ClassSearches> {
    let search = |residue: usize, period: usize, modulus: usize| {
        let (settled, in_p) = settled(outcomes, period, residue);
        let least = 2 * small.width + 2;
        let from = (settled..).step_by(period).find(|n| *n >= least).unwrap_or(settled);
        let modulus = if modulus <= MAX_MODULUS { modulus as u32 } else { 0 };
        let (candidates, patient) =
            (candidates(VIEWS, modulus, from, period), candidates(WIDE, modulus, from, period));
        ClassSearch { residue, period, in_p, candidates, patient, found: None }
    };
    let place =
        if small.max_step_back() == 0 { steps.iter().sum::<i64>() as usize } else { period };
    let halves = |residue| search(residue, 2 * period, 2 * place);
    (0..period)
        .map(|residue| [search(residue, period, place), halves(residue), halves(residue + period)])
        .collect()
}

/// Searches round by round until all classes are proved, or no view is left.
fn search_classes(
    classes: &mut [ClassSearches],
    small: &Steps,
    play: Play,
    meter: &mut Meter,
    tell: &dyn Fn(&str),
) -> Result<(), LimitReached> {
    for (round, parts) in ROUNDS {
        for class in &mut *classes {
            for part in parts.0..parts.1 {
                if proved(class) || class[part].found.is_some() {
                    continue;
                }
                let ended = class[part].round(round, small, play, meter);
                if let Some(proof) = &class[part].found {
                    let ClassSearch { residue, period, .. } = class[part];
                    let (from, states) = (proof.from, proof.automaton.size());
                    tell(&format!("n = {residue} mod {period}: {states} states, from n = {from}"));
                }
                ended?;
            }
        }
    }
    Ok(())
}

impl Partial {
    /// Returns that no class of circles was looked at.
    fn without_classes(reason: String) -> Partial {
        Partial { reason, limit: None, period: 0, proved: vec![], open: vec![] }
    }

    /// Returns which classes are proved: by halves where one is.
    fn of_classes(classes: &[ClassSearches], limit: Option<LimitReached>) -> Partial {
        let halves = classes
            .iter()
            .any(|class| class[0].found.is_none() && class[1..].iter().any(has_proof));
        let period = if halves { 2 * classes.len() } else { classes.len() };
        let is_proved = |n: &usize| {
            has_proof(&classes[n % classes.len()][0])
                || halves && has_proof(&classes[n % classes.len()][1 + n / classes.len()])
        };
        let (proved, open) = (0..period).partition(is_proved);
        let none = "no invariant was found with any of the views".to_owned();
        let reason = limit.as_ref().map_or(none, ToString::to_string);
        Partial { reason, limit, period, proved, open }
    }
}

/// Returns the proofs of all classes: of each as one if all have one, else of the halves, by
/// residue.
fn chosen_proofs(classes: &[ClassSearches]) -> Vec<ClassProof> {
    let whole = classes.iter().all(|class| has_proof(&class[0]));
    let mut proofs = Vec::new();
    for part in if whole { 0..1 } else { 1..3 } {
        for class in classes {
            proofs.extend(class[0].found.clone().or_else(|| class[part].found.clone()));
        }
    }
    proofs
}

/// Returns the circles that are in P. Where nothing was searched the checker will.
fn p_positions(classes: &[ClassProof], outcomes: &[bool]) -> PSet {
    let below = classes.iter().map(|class| class.from).max().unwrap_or(1);
    let is_p = |n: usize| outcomes.get(n).copied().unwrap_or(classes[n % classes.len()].in_p);
    let small: Vec<bool> = (1..below).map(is_p).collect();
    PSet::new(&small, classes.iter().map(|class| class.in_p).collect())
}

/// Returns steps as theorems name them: ascending, each once, and the circle so turned that they
/// come forwards together, or else that the last is the furthest.
pub fn canonical_steps(steps: &[i64]) -> Vec<i64> {
    let mut steps = steps.to_vec();
    steps.arrange();
    steps.dedup();
    let turned: Vec<i64> = steps.iter().rev().map(|step| step.saturating_neg()).collect();
    let sum = |steps: &[i64]| steps.iter().fold(0i64, |sum, step| sum.saturating_add(*step));
    if (sum(&steps), &steps) < (sum(&turned), &turned) { turned } else { steps }
}

/// Returns whether the circles from 1 on are in P, as far as the budget reaches; place 0 means
/// nothing.
fn outcomes(steps: &[i64], play: Play, nodes: u64, budget: &Budget) -> Vec<bool> {
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
        let Ok(game) = Circulant::from_signed(steps, n as u64) else { break };
        match solver.outcome(&game, &mut meter) {
            Ok(outcome) => outcomes.push(outcome.is_p()),
            Err(_) => break,
        }
    }
    outcomes
}

/// Returns the least multiple of the steps' sum, if there is one, that the outcomes have as a
/// period, three times at the end at least; else the least period, on no fewer circles than two
/// sums, if any may be.
fn period(outcomes: &[bool], sum: usize, any: bool) -> Option<usize> {
    let last = outcomes.len() - 1;
    // The number from which on the outcomes repeat.
    let settled = |period: usize| {
        (1..=last.saturating_sub(period))
            .rev()
            .find(|n| outcomes[*n] != outcomes[n + period])
            .unwrap_or(0)
    };
    let fits = |period: &usize| settled(*period) + (3 * period).max(2 * sum) <= last;
    (1..=6)
        .map(|k| k * sum)
        .filter(|period| *period > 0)
        .find(fits)
        .or_else(|| (1..=last / 4).filter(|_| any).find(fits))
}

/// Returns the first circle of a class from which on all have one outcome, and whether that is P.
fn settled(outcomes: &[bool], period: usize, residue: usize) -> (usize, bool) {
    let last = (1..outcomes.len()).rev().find(|n| n % period == residue).unwrap_or(residue);
    let mut first = last;
    while first > period && outcomes[first - period] == outcomes[last] {
        first -= period;
    }
    (first, outcomes[last])
}

/// Circles below the automata's are searched by the checker, so automata begin at this many cells
/// at most.
const LAST_FROM: usize = 129;
/// A round of attempts: with limits that grow fourfold, or with wide views and all the time they
/// need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    Limits(u32),
    Patient,
}

/// The rounds, and which are tried: a class whole (0), or as two (1 and 2).
const ROUNDS: [(Round, (usize, usize)); 9] = [
    (Round::Limits(0), (0, 1)),
    (Round::Limits(1), (0, 3)),
    (Round::Limits(2), (0, 3)),
    (Round::Limits(3), (0, 3)),
    (Round::Patient, (0, 1)),
    (Round::Limits(4), (0, 3)),
    (Round::Limits(5), (0, 3)),
    (Round::Limits(6), (0, 3)),
    (Round::Patient, (1, 3)),
];

impl Round {
    /// Returns what an attempt of a strategy with this habit may cost.
    fn limits(self, keeps_usual: bool, usual: u8) -> Limits {
        let habit = |limits: Limits| Limits { keeps_usual, usual, ..limits };
        match self {
            Round::Limits(round) => habit(Limits {
                positions: (30_000usize << (2 * round)).min(12_000_000),
                nodes: (50_000usize << (2 * round)).min(6_000_000),
                patience: 50 << round,
                states: (20_000 << round).min(200_000),
                ..Limits::default()
            }),
            Round::Patient => habit(Limits {
                positions: 12_000_000,
                nodes: 12_000_000,
                patience: 5_000,
                states: 400_000,
                ..Limits::default()
            }),
        }
    }
}

/// Places are distinguished modulo so much at most.
const MAX_MODULUS: usize = 24;
/// Whether a strategy keeps to the usual answer, and which that is.
const WAYS: [(bool, u8); 3] = [(false, 0), (true, 0), (true, 1)];

fn has_proof(search: &ClassSearch) -> bool {
    search.found.is_some()
}

/// Returns whether a class is proved, as one or as two.
fn proved(class: &[ClassSearch; 3]) -> bool {
    has_proof(&class[0]) || class[1..].iter().all(has_proof)
}

/// The search for the invariant of one class.
struct ClassSearch {
    residue: usize,
    period: usize,
    in_p: bool,
    candidates: Vec<Candidate>,
    /// For the rounds with all the time.
    patient: Vec<Candidate>,
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

impl ClassSearch {
    /// Tries the candidates with the limits of a round. Those that can't succeed are dropped, and
    /// after the first round the worse half of the others.
    fn round(
        &mut self,
        round: Round,
        steps: &Steps,
        play: Play,
        meter: &mut Meter,
    ) -> Result<(), LimitReached> {
        let mut left = Vec::new();
        let patient = round == Round::Patient;
        for candidate in if patient { &self.patient } else { &self.candidates } {
            let Candidate { view, keeps_usual, usual, from, .. } = *candidate;
            let limits = round.limits(keeps_usual, usual).within(meter.budget().bytes);
            let class = Class {
                steps,
                misere: play == Play::Misere,
                period: self.period,
                from,
                in_p: self.in_p,
            };
            match attempt(&class, view, &limits, meter) {
                Ok(automaton) => {
                    self.found = Some(ClassProof { from, in_p: self.in_p, automaton });
                    return Ok(());
                }
                Err(NoInvariant::Spent(limit)) => return Err(limit),
                Err(NoInvariant::Stuck) => {}
                Err(NoInvariant::Limits(closest)) => left.push(Candidate { closest, ..*candidate }),
            }
        }
        if patient {
            return Ok(());
        }
        left.arrange_by_key(|candidate| candidate.closest);
        left.truncate(left.len().div_ceil(2).max(4));
        self.candidates = left;
        Ok(())
    }
}

/// Cells ahead and behind, cells around the start, distances to it, whether the place is known, and
/// revolutions.
type ViewSize = (u32, u32, u32, u32, bool, u32);

/// Views tried in rounds with growing limits: strategies that look at little, then at more.
const VIEWS: &[ViewSize] = &[
    (8, 6, 3, 8, false, 2),
    (12, 8, 6, 12, true, 3),
    (14, 8, 8, 12, true, 3),
    (20, 12, 0, 12, false, 3),
    (16, 12, 8, 16, true, 3),
    (20, 14, 10, 16, true, 4),
];
/// Views that take large circles: words of many cells are all near the token or the start on small
/// ones, and prefixes come to the same late.
const WIDE: &[ViewSize] = &[(20, 14, 10, 16, true, 4), (30, 16, 8, 16, true, 3)];

/// Returns what is tried for a class whose circles are settled from some size on. The place is
/// known modulo the sum of the steps, what two moves come to that make a diamond, or twice that. A
/// little later the circles are less special.
fn candidates(sights: &[ViewSize], modulus: u32, from: usize, period: usize) -> Vec<Candidate> {
    let mut all = Vec::new();
    for &(ahead, behind, start, near, place, laps) in sights {
        let view =
            View { ahead, behind, start, near, modulus: if place { modulus } else { 0 }, laps };
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

impl ClassTheorem {
    /// Returns the statement: which circles are in P.
    pub fn statement(&self) -> String {
        self.p_positions.statement(self.play)
    }

    /// Returns the states of all automata.
    pub fn states(&self) -> usize {
        self.classes.iter().map(|class| class.automaton.size()).sum()
    }

    /// Returns the certificate, kind `circle`.
    pub fn certificate(&self) -> Certificate {
        let body = body::write(&self.classes);
        self.p_positions.certificate(CertificateKind::Circle, &self.steps, self.play, body)
    }
}
