//! What is published of a game's P-positions, held against its tables.

use crate::claim::{PublishedClaim, Says};
use crate::form::FormError;
use crate::line::Line;
use bouton_conjecture::Table;
use bouton_rules::{HeapGame, Outcome, Play};
use std::ops::ControlFlow::{Break, Continue};
use std::time::Instant;

/// P-positions that a comparison names.
const NAMED: usize = 12;
/// More images than this of one position, and a claim is not held against them.
const MOST_IMAGES: usize = 5040;
/// Positions on which a published form is evaluated.
const COMPARED: u64 = 1 << 18;

/// A published form held against a table.
pub struct Comparison {
    /// The claim.
    pub claim: PublishedClaim,
    /// Its form.
    pub form: String,
    /// The greatest heap of the positions compared.
    pub max: u64,
    /// Positions compared, symmetry classes counted once.
    pub compared: u64,
    /// Positions that the form could not be evaluated on.
    pub undecided: u64,
    /// Where form and table differ first.
    pub disagreement: Option<Disagreement>,
    /// Of a form that is only said to hold all P-positions: those that it lacks.
    pub beyond: Option<Beyond>,
    /// Time it took.
    pub seconds: f64,
}

/// Classes of P-positions that a form lacks.
#[derive(Default)]
pub struct Beyond {
    /// How many.
    pub count: u64,
    /// The first of them, by their greatest heaps.
    pub first: Vec<Vec<u64>>,
    /// The greatest heap of any.
    pub last: u64,
}

/// The first position where form and table differ.
pub struct Disagreement {
    /// The position.
    pub position: Vec<u64>,
    /// Its outcome by the rules.
    pub outcome: Outcome,
}

/// Holds every form among these claims, all of which speak of the game, against the tables.
pub fn compare(
    claims: Vec<PublishedClaim>,
    play: Play,
    stated: &HeapGame,
    line: &Line,
) -> Result<Vec<Comparison>, FormError> {
    let heaps = stated.heaps;
    let mut all = Vec::new();
    for claim in claims {
        let (form, is_within, is_part, exactly) = match &claim.says {
            Says::PPositions(form) => (form.whole.clone(), false, false, form.exactly),
            Says::ContainsAll(set) => (set.formula.clone(), true, false, false),
            Says::Contained(set) => (set.formula.clone(), false, true, false),
            _ => continue,
        };
        if claim.says.play() != play {
            continue;
        }
        let images =
            if exactly { Some(Vec::new()) } else { stated.symmetry.permutations(heaps, MOST_IMAGES) };
        let Some(images) = images else { continue };
        let parsed = bouton_rules::Claim::parse(&form, heaps)
            .map_err(|error| FormError::Formula(form.clone(), error))?;
        let started = Instant::now();
        let (mut compared, mut undecided, mut disagreement, mut max) = (0, 0, None, u64::MAX);
        if is_within {
            let (beyond, compared) = beyond(&parsed, &images, line, heaps);
            let max = line.boards.last().and_then(|board| board.table.as_ref()).map_or(0, Table::most);
            let seconds = started.elapsed().as_secs_f64();
            let beyond = Some(beyond);
            all.push(Comparison { claim, form, max, compared, undecided, disagreement, beyond, seconds });
            continue;
        }
        for table in line.boards.iter().rev().filter_map(|board| board.table.as_ref()) {
            max = max.min(compared_to(table));
            table.each_class(max, &mut |position, outcome| {
                // Heaps that have left a shrinking circle count as empty ones, side by side.
                let mut position = position.to_vec();
                position.resize(heaps, 0);
                match parsed.holds_up_to(&position, &images) {
                    Ok(claimed) => {
                        compared += 1;
                        if claimed != outcome.is_p() && (claimed || !is_part) && disagreement.is_none() {
                            disagreement = Some(Disagreement { position, outcome });
                        }
                    }
                    Err(_) => undecided += 1,
                }
                if disagreement.is_some() { Break(()) } else { Continue(()) }
            });
        }
        let seconds = started.elapsed().as_secs_f64();
        all.push(Comparison { claim, form, max, compared, undecided, disagreement, beyond: None, seconds });
    }
    Ok(all)
}

/// The P-positions of the tables that are not in a form, and how many there are in all, a class once.
fn beyond(form: &bouton_rules::Claim, images: &[Vec<usize>], line: &Line, heaps: usize) -> (Beyond, u64) {
    let (mut found, mut compared) = (Vec::new(), 0);
    for p in line.boards.iter().filter_map(|board| board.table.as_ref()).flat_map(Table::classes) {
        let mut p: Vec<u64> = p.iter().map(|heap| *heap as u64).collect();
        p.resize(heaps, 0);
        compared += 1;
        if form.holds_up_to(&p, images) == Ok(false) {
            found.push(p);
        }
    }
    found.sort_by_key(|p| (p.iter().copied().max(), p.clone()));
    let last = found.last().and_then(|p| p.iter().copied().max()).unwrap_or(0);
    let count = found.len() as u64;
    found.truncate(NAMED);
    (Beyond { count, first: found, last }, compared)
}

/// The greatest heap up to which a published form is evaluated on every position.
fn compared_to(table: &Table) -> u64 {
    let side = (COMPARED as f64).powf(1.0 / table.heaps() as f64).round() as u64;
    table.most().min(side.max(2) + table.least() - 1)
}
