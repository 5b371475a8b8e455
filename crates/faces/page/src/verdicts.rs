//! What becomes of published claims: as recorded, and as computed again within the budget of a
//! request.

use crate::guess::within;
use bouton_core::Budget;
use bouton_literature::{Recorded, RecordedVerdict, row};
use bouton_study::{Bound, ClaimStatement, PublishedClaim, VerdictKind, settle};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The result of a claim.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub verdict: VerdictKind,
    pub evidence: String,
    pub command: String,
    /// The hashes of certificates, each once.
    pub certificates: Vec<String>,
}

/// Circles to which claims about families are computed on a page.
const TO: usize = 40;
/// Nodes for one game.
const NODES: u64 = 200_000;

/// Verdicts that were computed since the start; there are no more of them than claims.
#[derive(Debug, Default)]
pub(crate) struct Verdicts {
    computed: Mutex<HashMap<(String, String), Finding>>,
    recorded: OnceLock<Vec<Recorded>>,
}

impl Verdicts {
    /// Returns what was computed of the claim since the start.
    pub fn recall(&self, claim: &PublishedClaim) -> Option<Finding> {
        let known = self.computed.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&(claim.id.clone(), claim.game.clone())).cloned()
    }

    /// Returns what the record that ships with the program says of the claim, if it has all its
    /// games.
    pub fn recorded(&self, claim: &PublishedClaim) -> Option<Finding> {
        // A record that cannot be read is none.
        let all = self.recorded.get_or_init(|| Recorded::all().unwrap_or_default());
        let games = claim.instances();
        let of = |game: &&str| all.iter().find(|r| r.id == claim.id && r.game == **game);
        let found: Vec<&Recorded> = games.iter().filter_map(of).collect();
        (found.len() == games.len()).then(|| {
            let kind = |verdict| match verdict {
                RecordedVerdict::Settled(kind) => kind,
                _ => VerdictKind::NotSettled,
            };
            let words = found.iter().map(|r| (r.game.as_str(), kind(r.verdict), r.found.clone()));
            Finding::of(claim, words.collect(), found.iter().filter_map(|r| r.certificate.clone()))
        })
    }

    /// Returns what was computed of the claim or, if a request was too short for that, what is on
    /// record.
    pub fn known(&self, claim: &PublishedClaim) -> Option<Finding> {
        let computed = self.recall(claim);
        let ended = |finding: &Finding| {
            !matches!(finding.verdict, VerdictKind::Unknown | VerdictKind::NotSettled)
        };
        computed.clone().filter(ended).or_else(|| self.recorded(claim)).or(computed)
    }

    /// Settles the claim within a budget. A verdict is kept, unless the budget's clock cut it
    /// short.
    pub fn examine(&self, claim: &PublishedClaim, budget: &Budget) -> Finding {
        if let Some(known) = self.recall(claim) {
            return known;
        }
        let finding = compute(claim, budget);
        if budget.interrupted().is_none() {
            let mut known = self.computed.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert((claim.id.clone(), claim.game.clone()), finding.clone());
        }
        finding
    }
}

impl Finding {
    /// Returns the verdicts on a claim, one for each of its games: game, verdict, its grounds.
    /// `hashes`: of certificates, several with blanks between.
    fn of(
        claim: &PublishedClaim,
        all: Vec<(&str, VerdictKind, String)>,
        hashes: impl Iterator<Item = String>,
    ) -> Finding {
        let row = row(&claim.id);
        let command = match &claim.says {
            ClaimStatement::PPositions(form) if claim.games.is_empty() && !form.exactly => {
                let smaller: String = form
                    .smaller
                    .iter()
                    .map(|board| format!(" --for-fewer-heaps '{board}'"))
                    .collect();
                let misere = if form.play == bouton_core::Play::Misere { " --misere" } else { "" };
                format!("bouton prove '{}' --claim '{}'{smaller}{misere}", claim.game, form.whole)
            }
            says if is_of_a_family(says) => format!("bouton claims --verify --id {row} --to {TO}"),
            _ => format!("bouton claims --verify --id {row}"),
        };
        let worst = [
            VerdictKind::Refuted,
            VerdictKind::Unknown,
            VerdictKind::Holds,
            VerdictKind::ProvedCoq,
            VerdictKind::Proved,
        ];
        let verdict =
            worst.into_iter().find(|kind| all.iter().any(|(_, verdict, _)| verdict == kind));
        let verdict = verdict.unwrap_or(VerdictKind::NotSettled);
        let evidence = match all.as_slice() {
            [(_, _, found)] => found.clone(),
            all => all
                .iter()
                .map(|(game, word, _)| format!("{game} {word}"))
                .collect::<Vec<_>>()
                .join(", "),
        };
        let mut certificates: Vec<String> = Vec::new();
        for hash in hashes.collect::<Vec<_>>().iter().flat_map(|hashes| hashes.split(' ')) {
            if certificates.iter().all(|other| other != hash) {
                certificates.push(hash.to_owned());
            }
        }
        Finding { verdict, evidence, command, certificates }
    }
}

/// Returns whether a claim speaks of games of all sizes, of which the first ones are computed.
fn is_of_a_family(says: &ClaimStatement) -> bool {
    says.theory::<bouton_kotzig::FamilyClaim>().is_some()
}

fn compute(claim: &PublishedClaim, budget: &Budget) -> Finding {
    let budget = match &claim.says {
        says if is_of_a_family(says) => Budget { nodes: Some(NODES), ..budget.clone() },
        _ => within(budget),
    };
    let bound = Bound { to: TO, budget, theorems: bouton_literature::theorems() };
    let mut hashes = Vec::new();
    let settled =
        claim.instances().into_iter().map(|game| match settle(claim, game, &bound, &|_| {}) {
            Ok(verdict) => {
                hashes.extend(verdict.certificate());
                (game, verdict.kind(), verdict.found())
            }
            Err(error) => (game, VerdictKind::Unknown, error.to_string()),
        });
    let settled = settled.collect();
    Finding::of(claim, settled, hashes.into_iter())
}
