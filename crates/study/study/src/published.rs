//! What is published of a game's P-positions, compared with its tables.

use crate::pipeline::{Pipeline, PipelineOutcome};
use crate::tables::Tables;
use bouton_conjecture::OutcomeTable;
use bouton_core::clock::Instant;
use bouton_core::{Arrange, Budget, Claim, Formula, Meter, Node, Outcome, Unknown, heaps_text};
use bouton_games::replace_words;
use bouton_prover::{Acceptor, Decision, Numeration, decide};
use bouton_theory::claim::{ClaimStatement, PublishedClaim, RecordedClaim};
use bouton_theory::form::FormError;
use bouton_theory::verdict::VerdictKind;
use serde::{Serialize, Serializer};
use std::ops::ControlFlow::{Break, Continue};

/// P-positions that a comparison names.
const MAX_NAMED_POSITIONS: usize = 12;
/// More images than this of one position, and a claim is not compared with them.
const MAX_IMAGES: usize = 5040;
/// Positions on which a published form is evaluated.
const MAX_COMPARED_POSITIONS: u64 = 1 << 18;

/// A published form compared with a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The id of the claim.
    #[serde(rename = "claim")]
    pub id: String,
    /// Where it is printed.
    pub source: String,
    /// What it says in words.
    pub statement: String,
    /// Its form.
    pub form: String,
    /// What the form is said to be.
    pub says: ClaimedRelation,
    /// Whether it holds as far as compared.
    pub verdict: VerdictKind,
    /// The greatest heap of the positions compared; 0 if there is no table.
    pub max: u64,
    /// Positions compared, symmetry classes counted once.
    pub compared: u64,
    /// Positions that the form could not be evaluated on, or that there was no time for.
    pub undecided: u64,
    /// Where form and table differ first.
    pub disagreement: Option<Disagreement>,
    /// Of a form that is only said to hold all P-positions: those that it lacks.
    pub beyond: Option<MissedClasses>,
    /// Whether it is known to be equal, for all sizes, to the form that the study proved.
    #[serde(skip)]
    pub is_found: bool,
    /// What is on record of the claim for this game.
    pub recorded: Option<RecordedClaim>,
    /// Time it took, in seconds.
    pub seconds: f64,
}

/// What is said of the positions of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimedRelation {
    /// They are the P-positions.
    All,
    /// They are P-positions, among others.
    Some,
    /// All P-positions are among them.
    Within,
}

/// Classes of P-positions that a form lacks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MissedClasses {
    /// How many.
    #[serde(rename = "classes")]
    pub count: u64,
    /// The greatest heap of any.
    #[serde(rename = "greatest_heap")]
    pub last: u64,
    /// The first of them, by their greatest heaps.
    pub first: Vec<Vec<u64>>,
}

/// The first position where form and table differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Disagreement {
    /// The position as text.
    pub position: String,
    /// The same as numbers.
    pub numbers: Vec<u64>,
    /// Its outcome by the rules.
    #[serde(serialize_with = "outcome_letter")]
    #[cfg_attr(feature = "schema", schemars(with = "bouton_theory::answer::OutcomeLetter"))]
    pub outcome: Outcome,
}

fn outcome_letter<S: Serializer>(outcome: &Outcome, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(outcome)
}

/// Holds every form among these claims, all of which speak of the game, against the tables of its
/// line, while there is time.
pub(crate) fn compare(
    claims: Vec<PublishedClaim>,
    tables: &Tables<'_>,
    line: &Pipeline,
) -> Result<Vec<Comparison>, FormError> {
    let Tables { game, play, stated, budget, .. } = tables;
    let heaps = stated.heaps;
    let mut all = Vec::new();
    for claim in claims {
        let Some(Statement { form, says, exactly, set }) = statement(&claim.says, heaps)? else {
            continue;
        };
        if claim.says.play() != *play {
            continue;
        }
        let images = if exactly {
            Some(Vec::new())
        } else {
            stated.symmetry.permutations(heaps, MAX_IMAGES)
        };
        let Some(images) = images else { continue };
        let started = Instant::now();
        let mut found = Comparison {
            id: claim.id,
            source: claim.source,
            statement: claim.statement,
            form,
            says,
            verdict: VerdictKind::Holds,
            max: 0,
            compared: 0,
            undecided: 0,
            disagreement: None,
            beyond: None,
            is_found: false,
            recorded: claim.recorded,
            seconds: 0.0,
        };
        match &set {
            PublishedSet::Formula(parsed) if says == ClaimedRelation::Within => {
                found.count_missed(parsed, &images, line, heaps);
            }
            set => {
                // A rule file may say which positions occur, and a claim speaks of these.
                let is_spoken_of =
                    |position: &[u64]| claim.rules.is_none() || game.position(position).is_some();
                let said = |position: &[u64]| match is_spoken_of(position) {
                    true => set.holds(position, &images),
                    false => Ok(None),
                };
                found.compare_with_tables(&said, line, heaps, budget);
            }
        }
        if let PublishedSet::Formula(parsed) = &set
            && says == ClaimedRelation::All
            && !exactly
            && found.verdict == VerdictKind::Holds
        {
            found.is_found = proved(line).is_some_and(|proved| are_equal(proved, parsed, budget));
        }
        found.seconds = started.elapsed().as_secs_f64();
        all.push(found);
    }
    Ok(all)
}

/// Whether a claim says that a position is P; `None` if it says nothing of it.
type Said = Result<Option<bool>, Unknown>;

/// What a claim says of P-positions.
struct Statement {
    /// The form in a text.
    form: String,
    says: ClaimedRelation,
    /// Whether the form is meant as it stands, not up to symmetry.
    exactly: bool,
    set: PublishedSet,
}

/// A set of positions as a claim states it.
enum PublishedSet {
    Formula(Claim),
    Automaton(Acceptor),
    /// These, of the positions with no heap above a bound for which a formula holds.
    Listed {
        positions: Vec<Vec<u64>>,
        to: u64,
        among: Option<Claim>,
    },
}

impl PublishedSet {
    /// Returns whether a position is in the set; `None` if nothing is said of it.
    fn holds(&self, position: &[u64], images: &[Vec<usize>]) -> Said {
        match self {
            PublishedSet::Formula(claim) => claim.holds_up_to(position, images).map(Some),
            PublishedSet::Automaton(acceptor) => Ok(Some(acceptor.holds(position))),
            PublishedSet::Listed { positions, to, among } => {
                let is_among = match among {
                    Some(among) => among.holds_up_to(position, images)?,
                    None => true,
                };
                if !is_among || position.iter().any(|heap| heap > to) {
                    return Ok(None);
                }
                let image = |order: &Vec<usize>| order.iter().map(|i| position[*i]).collect();
                let mut all = images.iter().map(image).chain([position.to_vec()]);
                Ok(Some(all.any(|image| positions.contains(&image))))
            }
        }
    }
}

/// Returns what a claim says of the P-positions of a game on this many heaps; `None` if it says
/// nothing of them.
fn statement(says: &ClaimStatement, heaps: usize) -> Result<Option<Statement>, FormError> {
    let parsed = |form: &str| {
        Claim::parse(form, heaps).map_err(|error| FormError::Formula(form.to_owned(), error))
    };
    let formula = |form: &str, says: ClaimedRelation, exactly: bool| {
        let set = PublishedSet::Formula(parsed(form)?);
        Ok(Some(Statement { form: form.to_owned(), says, exactly, set }))
    };
    match says {
        ClaimStatement::PPositions(form) => {
            formula(&form.whole, ClaimedRelation::All, form.exactly)
        }
        ClaimStatement::ContainsAll(set) => formula(&set.formula, ClaimedRelation::Within, false),
        ClaimStatement::Contained(set) => formula(&set.formula, ClaimedRelation::Some, false),
        // A position is P if and only if its value is 0.
        ClaimStatement::Values(claim) => {
            let zero = |word: &str| (word == "v").then(|| "0".to_owned());
            let set = PublishedSet::Formula(parsed(&replace_words(&claim.values, zero))?);
            let form = format!("nim-value v with {}; P iff v = 0", claim.values);
            Ok(Some(Statement { form, says: ClaimedRelation::All, exactly: false, set }))
        }
        ClaimStatement::Automaton(claim) => {
            let Ok(acceptor) = Acceptor::parse(&claim.automaton, heaps) else { return Ok(None) };
            let form = "an automaton that reads digits".to_owned();
            let set = PublishedSet::Automaton(acceptor);
            Ok(Some(Statement { form, says: ClaimedRelation::All, exactly: true, set }))
        }
        ClaimStatement::Listed(claim) if !claim.values => {
            let among = claim.among.as_deref().map(parsed).transpose()?;
            let positions = claim.positions.clone();
            let form =
                format!("a list of {} positions with heaps up to {}", positions.len(), claim.to);
            let set = PublishedSet::Listed { positions, to: claim.to.into(), among };
            Ok(Some(Statement { form, says: ClaimedRelation::All, exactly: false, set }))
        }
        _ => Ok(None),
    }
}

impl Comparison {
    /// Returns what is on record of the claim, where that is another verdict than that of this
    /// study.
    pub fn otherwise_recorded(&self) -> Option<&RecordedClaim> {
        let own = if self.is_found { VerdictKind::Proved } else { self.verdict };
        self.recorded.as_ref().filter(|recorded| recorded.verdict != own)
    }

    /// Counts the P-positions that a form lacks which is said to hold all of them.
    fn count_missed(
        &mut self,
        parsed: &Claim,
        images: &[Vec<usize>],
        line: &Pipeline,
        heaps: usize,
    ) {
        let (beyond, compared) = beyond(parsed, images, line, heaps);
        let table = line.boards.last().and_then(|board| board.table.as_ref());
        self.max = table.map_or(0, OutcomeTable::most);
        if beyond.count > 0 {
            self.verdict = VerdictKind::Refuted;
        }
        (self.beyond, self.compared) = (Some(beyond), compared);
    }

    /// Compares what is said of positions, `None` if nothing is, with the tables of a line, the
    /// largest first, up to a disagreement.
    fn compare_with_tables(
        &mut self,
        said: &dyn Fn(&[u64]) -> Said,
        line: &Pipeline,
        heaps: usize,
        budget: &Budget,
    ) {
        let mut least = u64::MAX;
        for table in line.boards.iter().rev().filter_map(|board| board.table.as_ref()) {
            least = least.min(compared_to(table));
            self.max = least;
            table.each_class(least, &mut |position, outcome| {
                // Heaps that have left a shrinking circle count as empty ones, side by side.
                let mut position = position.to_vec();
                position.resize(heaps, 0);
                match said(&position) {
                    _ if self.compared.is_multiple_of(1024) && budget.interrupted().is_some() => {
                        self.undecided += 1;
                        return Break(());
                    }
                    Ok(None) => {}
                    Ok(Some(claimed)) => {
                        self.compared += 1;
                        if claimed != outcome.is_p()
                            && (claimed || self.says == ClaimedRelation::All)
                        {
                            self.disagreement = Some(Disagreement {
                                position: heaps_text(&position),
                                numbers: position,
                                outcome,
                            });
                            return Break(());
                        }
                    }
                    Err(_) => self.undecided += 1,
                }
                Continue(())
            });
            if self.disagreement.is_some() {
                self.verdict = VerdictKind::Refuted;
                break;
            }
        }
        if self.verdict == VerdictKind::Holds && (self.undecided > 0 || self.compared == 0) {
            self.verdict = VerdictKind::Unknown;
        }
    }
}

/// Returns the form that a study of one board proved for all sizes.
fn proved(line: &Pipeline) -> Option<&Claim> {
    let (PipelineOutcome::Proved(_), [board]) = (&line.ending, &line.boards[..]) else {
        return None;
    };
    board.rounds.last()?.formula()
}

/// Returns whether two forms are found to hold for the same positions, before any symmetry: false
/// as well if that is not decided at once.
fn are_equal(one: &Claim, other: &Claim, budget: &Budget) -> bool {
    /// Steps of the decision.
    const STEPS: u64 = 200_000;
    const BYTES: u64 = 64 << 20;
    let (one, other) = (one.formula(), other.formula());
    if one == other {
        return true;
    }
    // Bound variables would have to be distinguished.
    let is_plain = |formula: &Formula| formula.names.len() == formula.free;
    if one.names != other.names || !is_plain(one) || !is_plain(other) {
        return false;
    }
    let both = Node::Iff(Box::new(one.root.clone()), Box::new(other.root.clone()));
    let root = Node::Forall((0..one.free).collect(), Box::new(both));
    let formula = Formula { names: one.names.clone(), free: 0, root };
    let budget = Budget { nodes: Some(STEPS), bytes: Some(BYTES), ..budget.clone() };
    matches!(decide(&formula, Numeration::Binary, &mut Meter::new(&budget)), Ok(Decision::True(_)))
}

/// Returns the P-positions of the tables that are not in a form, and how many there are in all, a
/// class once.
fn beyond(
    form: &Claim,
    images: &[Vec<usize>],
    line: &Pipeline,
    heaps: usize,
) -> (MissedClasses, u64) {
    let (mut found, mut compared) = (Vec::new(), 0);
    for p in
        line.boards.iter().filter_map(|board| board.table.as_ref()).flat_map(OutcomeTable::classes)
    {
        let mut p: Vec<u64> = p.iter().map(|heap| *heap as u64).collect();
        p.resize(heaps, 0);
        compared += 1;
        if form.holds_up_to(&p, images) == Ok(false) {
            found.push(p);
        }
    }
    found.arrange_by_key(|p| (p.iter().copied().max(), p.clone()));
    let last = found.last().and_then(|p| p.iter().copied().max()).unwrap_or(0);
    let count = found.len() as u64;
    found.truncate(MAX_NAMED_POSITIONS);
    (MissedClasses { count, first: found, last }, compared)
}

/// Returns the greatest heap up to which a published form is evaluated on every position.
fn compared_to(table: &OutcomeTable) -> u64 {
    let side = (MAX_COMPARED_POSITIONS as f64).powf(1.0 / table.heaps() as f64).round() as u64;
    table.most().min(side.max(2) + table.least() - 1)
}
