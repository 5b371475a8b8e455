//! The line of a family of Kotzig's Nim with one parameter: outcomes in both plays, what they suggest, and what is published
//! of the family, settled.

use crate::claim::{PublishedClaim, Says};
use crate::classification::{Classification, Solved, nim_values, outcomes};
use crate::settle::{Bound, ClaimError, settle};
use crate::verdict::Verdict;
use bouton_games::{KotzigFamily, Range};
use bouton_rules::clock::Instant;
use bouton_rules::{Outcome, Play};
use bouton_solve::Budget;
use bouton_solve::circulant::MAX_CELLS;
use serde::Serialize;
use std::collections::BTreeSet;

/// The greatest value of the parameter, and nodes for each game, unless told.
const TO: i64 = 60;
const NODES: u64 = 100_000_000;
/// Positions for a nim-value at most.
const VALUE_NODES: u64 = 100_000;

/// What is known of a family.
#[derive(Debug, Clone, Serialize)]
pub struct FamilyStudy {
    /// The parameter's name.
    pub parameter: String,
    /// Its values looked at: the least and the greatest.
    pub range: [i64; 2],
    /// In normal play.
    pub normal: Outcomes,
    /// In misère play.
    pub misere: Outcomes,
    /// The nim-values of the first games: parameter and value.
    pub nim_values: Vec<(i64, u32)>,
    /// What is published of the family.
    pub published: Vec<Settled>,
}

/// The outcomes of a family in one play.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcomes {
    /// Parameter and outcome: P, N, or ? where the budget ended.
    pub outcomes: Vec<(i64, char)>,
    /// The parameters whose outcome is unknown.
    pub unknown: Vec<i64>,
    /// Why.
    pub reason: Option<String>,
    /// A classification of the P-positions that fits with enough evidence; it is conjectured.
    pub p_positions: Option<String>,
    /// The greatest parameter that it was fitted to.
    pub fitted_to: Option<i64>,
    /// Time it took, in seconds.
    pub seconds: f64,
}

/// A published claim, settled.
#[derive(Debug, Clone, Serialize)]
pub struct Settled {
    /// The row of the ledger.
    pub id: String,
    /// What it says in words.
    pub statement: String,
    /// Where it is printed.
    pub source: String,
    /// The verdict in a word or two.
    #[serde(rename = "verdict")]
    pub word: &'static str,
    /// What it stands on.
    pub found: String,
    /// The verdict whole.
    #[serde(skip)]
    pub verdict: Verdict,
}

/// Studies a family with the parameter up to `to`.
pub(crate) fn study(
    family: &KotzigFamily,
    to: Option<i64>,
    claims: Vec<PublishedClaim>,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<FamilyStudy, ClaimError> {
    let parameter = family.names().first().cloned().unwrap_or_default();
    let most = if parameter == "n" { MAX_CELLS as i64 } else { i64::from(u16::MAX) };
    let range = 1..=to.unwrap_or(TO).min(most);
    let nodes = budget.nodes.unwrap_or(NODES);
    // A third each for both plays, as much for what is published.
    let share = |parts: u32| match budget.deadline {
        Some(deadline) => budget.within(deadline.left() / parts),
        None => budget.clone(),
    };
    let play = |play: Play, parts: u32| {
        tell(&format!("{family}, outcomes in {play} play"));
        Outcomes::of(&parameter, family, &range, play, &Budget { nodes: Some(nodes), ..share(parts) })
    };
    let (normal, misere) = (play(Play::Normal, 3), play(Play::Misere, 2));
    let few = Budget { nodes: Some(VALUE_NODES), ..share(2) };
    let nim_values = nim_values(family, std::slice::from_ref(&range), &few);
    let cells = family.at(&[*range.end()]).map_or(*range.end() as usize, |game| game.n());
    let bound = Bound { to: cells, budget: Budget { nodes: Some(nodes), ..budget.clone() } };
    let mut published = Vec::new();
    for claim in claims.into_iter().filter(|claim| matches!(claim.says, Says::Family(_))) {
        let verdict = settle(&claim, &claim.game, &bound, tell)?;
        published.push(Settled {
            word: verdict.word(),
            found: verdict.found(),
            id: claim.id,
            statement: claim.statement,
            source: claim.source,
            verdict,
        });
    }
    Ok(FamilyStudy {
        parameter,
        range: [*range.start(), *range.end()],
        normal,
        misere,
        nim_values: nim_values.iter().map(|(instance, value)| (instance.values[0], value.0)).collect(),
        published,
    })
}

impl Outcomes {
    fn of(name: &str, family: &KotzigFamily, range: &Range, play: Play, budget: &Budget) -> Outcomes {
        let started = Instant::now();
        let solved = outcomes(family, std::slice::from_ref(range), play, budget);
        let letter = |solved: &Solved| match solved.outcome {
            Ok(Outcome::N) => 'N',
            Ok(Outcome::P) => 'P',
            Err(_) => '?',
        };
        let fit = fit(name, &solved);
        let unknown = solved.iter().filter(|s| s.outcome.is_err());
        Outcomes {
            outcomes: solved.iter().map(|s| (s.instance.values[0], letter(s))).collect(),
            unknown: unknown.map(|s| s.instance.values[0]).collect(),
            reason: solved.iter().find_map(|s| s.outcome.as_ref().err()).map(ToString::to_string),
            p_positions: fit.as_ref().map(ToString::to_string),
            fitted_to: fit.as_ref().map(|fit| *fit.fitted.end()),
            seconds: started.elapsed().as_secs_f64(),
        }
    }
}

/// The classification of the P-positions up to the first unknown.
fn fit(name: &str, solved: &[Solved]) -> Option<Classification> {
    let known = solved.iter().take_while(|s| s.outcome.is_ok()).count();
    let (first, last) = (solved.first()?, solved[..known].last()?);
    let within = first.instance.values[0]..=last.instance.values[0];
    let is_p = |s: &&Solved| s.outcome == Ok(Outcome::P);
    let members: BTreeSet<i64> = solved[..known].iter().filter(is_p).map(|s| s.instance.values[0]).collect();
    Classification::fit(name, &members, &within)
}

impl FamilyStudy {
    /// Whether every outcome is known and nothing that is published was refuted.
    pub(crate) fn is_settled(&self) -> bool {
        let known = self.normal.unknown.is_empty() && self.misere.unknown.is_empty();
        known && self.published.iter().all(|s| matches!(s.verdict, Verdict::Holds(_) | Verdict::Proved(_)))
    }
}
